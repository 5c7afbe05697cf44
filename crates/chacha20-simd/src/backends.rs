//! The back ends: their names, what each needs from the CPU, and the choice between them.

use crate::state::{BLOCK_SIZE, Rounds};
use cipher::inout::InOutBuf;
use core::fmt;

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
        /// has called kept or spilled keystream, if the feature `zeroize` is on.
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
wipe_stack!(pub(crate));

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
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod avx512;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod cpu;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod rounds;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
pub(crate) mod soft;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod sse;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
pub(crate) mod sse2;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
pub(crate) mod ssse3;

/// What [`hazmat`](crate::hazmat) shows of the back ends.
#[cfg(feature = "hazmat")]
pub(crate) mod kernels {
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ))]
    pub use super::avx2::kernels as avx2;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub use super::avx512::kernels as avx512;
}

/// Makes [`Backend`] and [`Available`] of a list of back ends, from the portable one to the fastest of each
/// architecture: name, where it is compiled, and the token that proves that the CPU can run it.
macro_rules! back_ends {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, if $cfg:meta: $token:ty;)*) => {
        /// A named implementation of the ChaCha block function.
        ///
        /// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(#[$doc])* $variant,)*
        }

        impl Backend {
            /// Every back end of this crate, on whatever target.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The lower-case name, such as `soft` or `avx2`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What `--cfg chacha20_simd_backend="…"` asks for.
            const fn forced() -> Option<Self> {
                $(if cfg!(chacha20_simd_backend = $name) {
                    return Some(Self::$variant);
                })*
                None
            }
        }

        /// Proof that this CPU can run a back end.
        #[derive(Clone, Copy, Debug)]
        pub enum Available {
            $(#[cfg($cfg)] $variant($token),)*
        }

        impl Available {
            /// `None` where this CPU cannot run the back end.
            #[inline]
            pub(crate) fn check(backend: Backend) -> Option<Self> {
                match backend {
                    $(
                        #[cfg($cfg)]
                        Backend::$variant => <$token>::detect().map(Self::$variant),
                    )*
                    #[allow(unreachable_patterns, reason = "a target that has them all")]
                    _ => None,
                }
            }

            #[inline]
            pub(crate) fn backend(self) -> Backend {
                match self {
                    $(#[cfg($cfg)] Self::$variant(_) => Backend::$variant,)*
                }
            }

            /// XORs the keystream that begins with block `counter` into `data`; see
            /// [`Core::xor`](crate::state::Core::xor). Words 12 and 13 of the input are those of `counter`.
            #[inline]
            pub(crate) fn xor<R: Rounds>(
                self,
                words: &[u32; 16],
                counter: u64,
                data: InOutBuf<'_, '_, u8>,
                last: &mut [u8; BLOCK_SIZE],
            ) {
                match self {
                    $(#[cfg($cfg)] Self::$variant(token) => token.xor::<R>(words, counter, data, last),)*
                }
            }
        }
    };
}

back_ends! {
    /// Portable Rust on 32-bit words.
    Soft = "soft", if all(): soft::Soft;
    /// x86 with SSE2: four blocks a pass, one, two or three for what is left.
    Sse2 = "sse2", if all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"): sse2::Sse2;
    /// x86 with SSSE3: as `Sse2`, with byte shuffles for two of the four rotations.
    Ssse3 = "ssse3", if all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"): ssse3::Ssse3;
    /// x86 with AVX2: eight blocks a pass, two, four or six for what is left.
    Avx2 = "avx2", if all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"): avx2::Avx2;
    /// x86-64 with AVX-512 F, BW and VL.
    Avx512 = "avx512", if all(target_arch = "x86_64", target_feature = "sse2"): avx512::Avx512;
    /// 64-bit Arm: six blocks a pass, four or two for what is left.
    Neon = "neon", if all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"): neon::Neon;
    /// 32-bit Arm with NEON (Linux and Android, where it can be asked for): three blocks a pass, or as few as are left.
    Armv7Neon = "armv7_neon", if all(target_arch = "arm", target_endian = "little", any(target_os = "linux", target_os = "android")): armv7_neon::Armv7Neon;
    /// WebAssembly with `simd128`: four blocks a pass.
    Simd128 = "simd128", if all(target_arch = "wasm32", target_feature = "simd128"): simd128::Simd128;
}

impl Backend {
    /// The fastest back end that this CPU can run, which [`new`](cipher::KeyIvInit::new) takes.
    ///
    /// `--cfg chacha20_simd_backend="…"` takes the one of that name instead, and the portable one where this CPU cannot
    /// run it.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Available::detect().backend()
    }

    /// The portable back end for this target.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        Self::Soft
    }

    /// Every back end that this CPU can run.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|b| b.is_available())
    }

    /// Whether this CPU can run the back end.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        Available::check(self).is_some()
    }
}

impl Available {
    /// The fastest back end, or the one that the configuration asks for.
    #[inline]
    pub(crate) fn detect() -> Self {
        let choice = match const { Backend::forced() } {
            Some(backend) => Self::check(backend),
            None => Backend::ALL.iter().rev().find_map(|&b| Self::check(b)),
        };
        choice.unwrap_or(Self::Soft(soft::Soft))
    }
}

impl Available {
    /// See [`Core::wipe_stack`](crate::state::Core::wipe_stack). Few bytes have their keystream in registers, but for
    /// what is spilled.
    #[inline]
    pub(crate) fn wipe_stack(self, longest: usize) {
        match (self, longest) {
            (_, 0) => {}
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            (Self::Avx2(token), _) => token.wipe_stack(longest),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Self::Avx512(token), _) => token.wipe_stack(longest),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            (Self::Armv7Neon(token), _) => token.wipe_stack(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            (Self::Simd128(token), _) => token.wipe_stack(),
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            (Self::Neon(_), ..=128) => wipe_stack::<5>(),
            (_, ..=64) => wipe_stack::<8>(),
            _ => wipe_stack::<14>(),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
