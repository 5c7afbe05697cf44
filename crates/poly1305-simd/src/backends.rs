//! The back ends: their names, what each needs from the CPU, and the choice between them.

use crate::{Block, Key, Tag};
use core::{fmt, slice};

/// Gives a back end's state an opaque `Debug`, and wipes the fields named on drop.
macro_rules! secret {
    ($name:ident { $($field:ident),* }) => {
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        #[cfg(feature = "zeroize")]
        impl Drop for $name {
            #[inline]
            fn drop(&mut self) {
                $(zeroize::Zeroize::zeroize(&mut self.$field);)*
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}
    };
}

/// Makes the compiler believe that the memory is read.
#[cfg(feature = "zeroize")]
#[inline(always)]
fn hide<T>(memory: &mut T) {
    // `black_box` would store the address.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: there is no instruction.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) memory, options(nostack, preserves_flags));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    core::hint::black_box(memory);
}

/// Defines `wipe_stack`, with the attributes given.
///
/// In parts, each hidden from the compiler: it would call `memset`, which takes 30 ns where it is microcode.
macro_rules! wipe_stack {
    ($(#[$attribute:meta])* $visibility:vis) => {
        /// Overwrites `PARTS` times 128 bytes or more of the stack below the caller's frame, where the kernels that it
        /// has called kept or spilled powers of `r`, if the feature `zeroize` is on.
        ///
        /// A function of its own and never inline, so that its frame lies where theirs were. It reaches as deep as
        /// the number given says, and not into the caller's own frame.
        $(#[$attribute])*
        #[inline(never)]
        $visibility fn wipe_stack<const PARTS: usize>() {
            #[cfg(feature = "zeroize")]
            {
                use $crate::backends::hide;
                use core::mem::MaybeUninit;
                // Kernels with half as many registers have deeper frames.
                const BYTES: usize = if cfg!(target_arch = "x86") { 256 } else { 128 };
                /// A store of 64 bytes across two cache lines takes twice as long.
                #[allow(dead_code, reason = "written, never read")]
                #[repr(align(64))]
                struct Part([u8; BYTES]);

                let mut stack = [[MaybeUninit::<u8>::uninit(); BYTES]; PARTS];
                // The top is not aligned: what would fill the frame up stays as it was.
                if let Some(top) = stack.last_mut() {
                    *top = [MaybeUninit::new(0); BYTES];
                    hide(top);
                }
                // SAFETY: both may be uninitialised, and only bytes are written.
                let (_, parts, _) = unsafe { stack.as_flattened_mut().align_to_mut::<MaybeUninit<Part>>() };
                for part in parts {
                    hide(part.write(Part([0; BYTES])));
                }
            }
        }
    };
}
#[allow(dead_code, reason = "there are targets without a vector back end")]
mod baseline {
    wipe_stack!(pub(crate));
}

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
mod armv7_neon;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
#[cfg_attr(not(feature = "hazmat"), allow(dead_code, unreachable_pub))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[cfg_attr(not(feature = "hazmat"), allow(dead_code, unreachable_pub))]
pub(crate) mod avx512ifma;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod lanes;
mod limbs26;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    // Its assembly takes pointers as 64-bit registers.
    target_pointer_width = "64"
))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
// What `hazmat` exports is written as public.
#[cfg_attr(not(feature = "hazmat"), allow(unreachable_pub))]
pub(crate) mod soft;
#[allow(unreachable_pub, reason = "written as `soft`, which `hazmat` exports")]
mod soft32;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod sse2;

#[cfg(any(
    all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod tables;

/// The portable back end for this target, which also takes what is too short for vectors.
#[cfg(target_pointer_width = "64")]
use soft as native;
#[cfg(not(target_pointer_width = "64"))]
use soft32 as native;

/// The portable back end for the other width.
#[cfg(not(target_pointer_width = "64"))]
use soft as foreign;
#[cfg(target_pointer_width = "64")]
use soft32 as foreign;

/// Makes [`Backend`] and [`Kernel`] of the list of vector back ends: name, where it is compiled, its module, and the
/// token in there that proves that the CPU can run it.
macro_rules! vector_back_ends {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, if $cfg:meta: $module:ident;)*) => {
        /// A named implementation of the Poly1305 arithmetic.
        ///
        /// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it. A vector
        /// back end takes short updates with the portable one of the target.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            /// Portable Rust on 64-bit limbs with 128-bit products.
            Soft,
            /// Portable Rust on 32-bit words with 64-bit products, for 32-bit targets.
            Soft32,
            $($(#[$doc])* $variant,)*
        }

        impl Backend {
            /// Every back end of this crate, on whatever target.
            pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32, $(Self::$variant),*];

            /// The lower-case name, such as `soft` or `avx2`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Soft => "soft",
                    Self::Soft32 => "soft32",
                    $(Self::$variant => $name,)*
                }
            }

            /// What the configuration asks for.
            const FORCED: Option<Self> = if cfg!(poly1305_simd_backend = "soft") {
                Some(Self::Soft)
            } else if cfg!(poly1305_simd_backend = "soft32") {
                Some(Self::Soft32)
            } $(else if cfg!(poly1305_simd_backend = $name) {
                Some(Self::$variant)
            })* else {
                None
            };
        }

        /// A vector back end that this CPU can run.
        #[derive(Clone, Copy)]
        pub(crate) enum Kernel {
            $(#[cfg($cfg)] $variant($module::$variant),)*
        }

        impl Kernel {
            fn detect(backend: Backend) -> Option<Self> {
                match backend {
                    $(#[cfg($cfg)] Backend::$variant => $module::$variant::detect().map(Self::$variant),)*
                    _ => None,
                }
            }

            fn backend(self) -> Backend {
                match self {
                    $(#[cfg($cfg)] Self::$variant(_) => Backend::$variant,)*
                }
            }

            /// The fewest blocks in an update that are faster with vectors than one at a time, if the powers of `r`
            /// have still to be computed and if not.
            #[inline]
            fn min_blocks(self) -> [usize; 2] {
                match self {
                    $(#[cfg($cfg)] Self::$variant(_) => $module::MIN_BLOCKS,)*
                }
            }

            /// The accumulator `h` after at least `min_blocks` more blocks.
            ///
            /// By value, so that a state that is only ever updated with few blocks can stay in registers.
            #[inline]
            #[allow(unused_variables, reason = "there are targets without a vector back end")]
            fn blocks(
                self,
                r: Words,
                h: Words,
                powers: Option<&mut Powers>,
                blocks: &[Block],
            ) -> Words {
                match self {
                    $(#[cfg($cfg)] Self::$variant(token) => token.blocks(r, h, powers, blocks),)*
                }
            }
        }
    };
}

vector_back_ends! {
    /// x86 and x86-64: two blocks at a time with SSE2; chosen on 32-bit x86 only.
    Sse2 = "sse2", if all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"): sse2;
    /// x86 and x86-64: four blocks at a time with AVX2.
    Avx2 = "avx2", if all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"): avx2;
    /// x86-64: eight blocks at a time with AVX-512, limbs of 26 bits.
    Avx512 = "avx512", if all(target_arch = "x86_64", target_feature = "sse2"): avx512;
    /// x86-64: eight blocks at a time with AVX-512 IFMA, limbs of 44 bits.
    Avx512Ifma = "avx512ifma", if all(target_arch = "x86_64", target_feature = "sse2"): avx512ifma;
    /// 64-bit Arm: eight blocks at a time with NEON.
    Neon = "neon", if all(target_arch = "aarch64", target_feature = "neon", target_endian = "little", target_pointer_width = "64"): neon;
    /// 32-bit Arm with NEON (on Linux and Android, where it can be asked for): eight blocks at a time.
    Armv7Neon = "armv7_neon", if all(target_arch = "arm", target_endian = "little", any(target_os = "linux", target_os = "android")): armv7_neon;
    /// WebAssembly with `simd128`: eight blocks at a time.
    Simd128 = "simd128", if all(target_arch = "wasm32", target_feature = "simd128"): simd128;
}

impl Kernel {
    /// Overwrites what [`blocks`](Self::blocks), called from the same function, has left on the stack.
    #[inline]
    #[allow(
        clippy::unused_self,
        reason = "there are targets without a vector back end"
    )]
    fn wipe_stack(self) {
        match self {
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Self::Avx2(token) => token.wipe_stack(),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx512(token) => token.wipe_stack(),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx512Ifma(token) => token.wipe_stack(),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Self::Armv7Neon(token) => token.wipe_stack(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(token) => token.wipe_stack(),
            #[allow(unreachable_patterns, reason = "there are targets without others")]
            _ => baseline::wipe_stack::<16>(),
        }
    }
}

impl Backend {
    /// The fastest back end that this CPU can run, which [`new`](universal_hash::KeyInit::new) takes.
    ///
    /// `--cfg poly1305_simd_backend="soft"` (or another name) forces a slower one; where the CPU cannot run it, a
    /// portable one is taken.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Choice::detect().backend()
    }

    /// The portable back end for this target: the one that fits the width of its registers.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        if cfg!(target_pointer_width = "64") {
            Self::Soft
        } else {
            Self::Soft32
        }
    }

    /// Every back end that this CPU can run.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|b| b.is_available())
    }

    /// Whether this CPU can run the back end.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        Choice::of(self).is_some()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number below 2^131: `w[0] + 2^64 w[1] + 2^128 w[2]`.
pub(crate) type Words = [u64; 3];

/// The powers of `r` that a vector back end needs, in a form of its own, once a long update has computed them.
#[derive(Clone)]
#[allow(dead_code, reason = "there are targets without a vector back end")]
pub(crate) struct Powers {
    words: [[u64; 8]; 3],
    /// 1 if they have been computed. As wide as the words: padding would keep what stood on the stack before.
    known: u64,
}

impl Powers {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self {
            words: [[0; 8]; 3],
            known: 0,
        }
    }
}

secret!(Powers { words });

/// What a back end computes with.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    /// The portable back end of this target; long updates are for the vectors, if there are any.
    Native(Option<Kernel>),
    /// The portable back end that is not the one of this target.
    Foreign,
}

impl Choice {
    /// Those that are taken where the CPU can run them, the fastest first.
    const PREFERRED: &'static [Backend] = if cfg!(target_arch = "x86") {
        &[Backend::Avx2, Backend::Sse2]
    } else if cfg!(target_arch = "x86_64") {
        &[Backend::Avx512Ifma, Backend::Avx512, Backend::Avx2]
    } else {
        &[Backend::Neon, Backend::Armv7Neon, Backend::Simd128]
    };

    /// The fastest of those that the configuration allows.
    ///
    /// Not inline, as nothing here: the result is a byte, and a key setup is little besides.
    pub(crate) fn detect() -> Self {
        Backend::FORCED
            .as_ref()
            .map_or(Self::PREFERRED, slice::from_ref)
            .iter()
            .find_map(|&backend| Self::of(backend))
            .unwrap_or(Self::Native(None))
    }

    /// `None` where this CPU cannot run the back end.
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        match backend {
            Backend::Soft | Backend::Soft32 if backend == Backend::soft() => {
                Some(Self::Native(None))
            }
            Backend::Soft | Backend::Soft32 => Some(Self::Foreign),
            vector => Kernel::detect(vector).map(|kernel| Self::Native(Some(kernel))),
        }
    }

    fn backend(self) -> Backend {
        match self {
            Self::Native(Some(kernel)) => kernel.backend(),
            Self::Native(None) => Backend::soft(),
            Self::Foreign if Backend::soft() == Backend::Soft => Backend::Soft32,
            Self::Foreign => Backend::Soft,
        }
    }
}

/// The running computation of one back end.
///
/// No variant leaves bytes of the object to padding: these would keep what stood on the stack before, such as a key, and
/// nothing would wipe them.
#[derive(Clone)]
#[allow(dead_code, reason = "the filling is never read")]
pub(crate) enum State {
    Native(native::State, Option<Kernel>, [u8; NATIVE_FILL]),
    Foreign(foreign::State, [u8; FOREIGN_FILL]),
}

/// Bytes before the states: what tells the variants apart, the kernel and filling.
const HEAD: usize = 8;
const NATIVE_FILL: usize =
    HEAD - 1 - size_of::<Option<Kernel>>() + excess::<foreign::State, native::State>();
const FOREIGN_FILL: usize = HEAD - 1 + excess::<native::State, foreign::State>();

/// By how many bytes `A` is larger than `B`.
const fn excess<A, B>() -> usize {
    size_of::<A>().saturating_sub(size_of::<B>())
}

const _: () = assert!(
    size_of::<State>()
        == HEAD + size_of::<native::State>() + excess::<foreign::State, native::State>()
);

impl State {
    #[inline(always)]
    pub(crate) fn new(choice: Choice, key: &Key) -> Self {
        match choice {
            Choice::Native(kernel) => Self::Native(native::State::new(&key.0), kernel, [0; _]),
            Choice::Foreign => Self::Foreign(cold::new(key), [0; _]),
        }
    }

    pub(crate) fn backend(&self) -> Backend {
        match self {
            Self::Native(_, kernel, _) => Choice::Native(*kernel),
            Self::Foreign(..) => Choice::Foreign,
        }
        .backend()
    }

    /// Takes whole blocks; a long update keeps the powers for the next one.
    #[inline]
    pub(crate) fn blocks(&mut self, powers: Option<&mut Powers>, blocks: &[Block]) {
        match self {
            Self::Native(scalar, kernel, _) => {
                let known = powers.as_ref().map_or(0, |powers| powers.known);
                if let Some(kernel) = kernel
                    && blocks.len() >= kernel.min_blocks()[known as usize]
                {
                    let (r, h) = (scalar.r(), scalar.accumulator());
                    scalar.set_accumulator(kernel.blocks(r, h, powers, blocks));
                    kernel.wipe_stack();
                } else {
                    scalar.blocks(blocks);
                }
            }
            Self::Foreign(state, _) => *state = cold::blocks(state.clone(), blocks),
        }
    }

    /// Takes the last 1 to 15 bytes of a message whose length is no multiple of 16.
    #[inline]
    pub(crate) fn partial_block(&mut self, bytes: &[u8]) {
        match self {
            Self::Native(scalar, ..) => scalar.partial_block(bytes),
            Self::Foreign(state, _) => *state = cold::partial_block(state.clone(), bytes),
        }
    }

    #[inline]
    pub(crate) fn finish(&self) -> Tag {
        match self {
            Self::Native(scalar, ..) => scalar.finish(),
            Self::Foreign(state, _) => cold::finish(state.clone()),
        }
        .into()
    }
}

/// The portable back end of the other width, which only tests and measurements take: kept out of the callers' code, and
/// by value, so that the state of the common case can stay in registers.
mod cold {
    use super::foreign::State;
    use crate::{Block, Key};

    #[cold]
    #[inline(never)]
    pub(super) fn new(key: &Key) -> State {
        State::new(&key.0)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn blocks(mut state: State, blocks: &[Block]) -> State {
        state.blocks(blocks);
        state
    }

    #[cold]
    #[inline(never)]
    pub(super) fn partial_block(mut state: State, bytes: &[u8]) -> State {
        state.partial_block(bytes);
        state
    }

    #[cold]
    #[inline(never)]
    pub(super) fn finish(state: State) -> [u8; 16] {
        state.finish()
    }
}
