//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

/// Defines the tokens of back ends, which can be had only where the CPU has the features named, and for each a macro
/// that compiles functions for just these features. `if` names a further condition, for features that `cpufeatures` is
/// not asked about.
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
macro_rules! x86 {
    ($dollar:tt $($token:ident $module:ident($($asked:tt)*) $(+ $feature:tt if $condition:expr)?;)*) => {$(
        /// Proof that this CPU can run the back end.
        #[derive(Clone, Copy)]
        pub(crate) struct $token(());

        impl $token {
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                cpufeatures::new!(cpu, $($asked),*);
                (cpu::get() $(&& $condition)?).then_some(Self(()))
            }
        }

        macro_rules! $module {
            ($dollar($dollar item:item)*) => {
                $dollar(
                    $(#[target_feature(enable = $asked)])*
                    $(#[target_feature(enable = $feature)])?
                    $dollar item
                )*
            };
        }

        pub(crate) mod $module;
    )*};
}

#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
use core::arch::x86 as arch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::arch::x86_64 as arch;

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
#[macro_use]
mod vaes;
#[cfg(any(
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ),
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ),
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ),
))]
#[cfg_attr(
    not(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    )),
    allow(unused_macros, reason = "those for x86")
)]
#[macro_use]
mod vpaes;

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
// FMA and F16C come with `avx512f` where a function enables it. `cpufeatures` does not know F16C: no CPU with FMA lacks it.
x86! { $
    Vaes512 vaes512("sse2" "ssse3" "aes" "avx2" "fma" "avx512f" "vaes");
    Vaes256 vaes256("sse2" "ssse3" "aes" "avx2") + "vaes" if has_vaes();
    Aesni aesni("sse2" "ssse3" "aes");
    Avx512 avx512("sse2" "ssse3" "avx2" "fma" "avx512f" "avx512bw" "avx512vl");
    Avx2 avx2("sse2" "ssse3" "avx2");
    Ssse3 ssse3("sse2" "ssse3");
}

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
impl Vaes512 {
    /// It has all features of `aesni`.
    #[inline(always)]
    fn aesni(self) -> Aesni {
        Aesni(())
    }
}

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
impl Vaes256 {
    /// It has all features of `aesni`.
    #[inline(always)]
    fn aesni(self) -> Aesni {
        Aesni(())
    }
}

/// Whether the CPU has the AES instructions on vectors of 256 bits, if it has AVX2 and the operating system keeps these
/// vectors. `cpufeatures` would ask for those of 512 bits too, which Zen 3 and the hybrid Core processors lack.
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
fn has_vaes() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// Asking takes as long as many blocks do, and under a hypervisor far longer.
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = 2;

    if cfg!(target_feature = "vaes") {
        return true;
    }
    if cfg!(any(
        target_env = "sgx",
        target_os = "none",
        target_os = "uefi"
    )) {
        return false;
    }
    let mut known = KNOWN.load(Relaxed);
    if known == UNKNOWN {
        // SAFETY: a CPU with AVX2 has this leaf.
        #[allow(unused_unsafe, reason = "safe in later versions of Rust")]
        let leaf_7 = unsafe { arch::__cpuid_count(7, 0) };
        known = (leaf_7.ecx >> 9 & 1) as u8;
        KNOWN.store(known, Relaxed);
    }
    known == 1
}

#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod armv8_ce;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;
#[cfg(not(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
)))]
pub(crate) use absent::{Absent as ArmV8Ce, Absent as Neon};
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
pub(crate) use {armv8_ce::ArmV8Ce, neon::Neon};

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
mod armv7_neon;
#[cfg(not(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
)))]
pub(crate) use absent::Absent as ArmV7Neon;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
pub(crate) use armv7_neon::ArmV7Neon;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use absent::Absent as Simd128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::Simd128;

mod absent;
#[cfg(not(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
)))]
pub(crate) use absent::{
    Absent as Aesni, Absent as Avx2, Absent as Avx512, Absent as Ssse3, Absent as Vaes256,
    Absent as Vaes512,
};

pub(crate) mod bitslice;
pub(crate) mod keys;
pub(crate) mod soft;
pub(crate) mod soft32;

pub(crate) use {soft::Soft, soft32::Soft32};

/// Defines [`Backend`] and [`Proven`] of the portable back ends and of those that not every CPU has, the latter of each
/// architecture from the slowest to the fastest; `prefer` has the latter the other way round, in the order of the choice.
macro_rules! back_ends {
    (
        $($(#[$soft_doc:meta])* $soft:ident $soft_name:tt,)*;
        $($(#[$doc:meta])* $simd:ident $simd_name:tt,)*;
        prefer $($preferred:ident)*
    ) => {
        /// A named implementation of AES.
        ///
        /// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(#[$soft_doc])* $soft,)*
            $($(#[$doc])* $simd,)*
        }

        impl Backend {
            /// Every back end of this crate, on whatever target.
            pub const ALL: &'static [Self] = &[$(Self::$soft,)* $(Self::$simd,)*];

            /// What `--cfg aes_vpaes_backend="…"` names.
            const FORCED: Option<Self> = {
                let mut forced = None;
                $(if cfg!(aes_vpaes_backend = $soft_name) {
                    forced = Some(Self::$soft);
                })*
                $(if cfg!(aes_vpaes_backend = $simd_name) {
                    forced = Some(Self::$simd);
                })*
                forced
            };

            /// The lower-case name, such as `ssse3` or `soft32`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$soft => $soft_name,)*
                    $(Self::$simd => $simd_name,)*
                }
            }

            /// The back end with proof that this CPU can run it.
            #[inline]
            pub(crate) fn prove(self) -> Option<Proven> {
                Some(match self {
                    $(Self::$soft => Proven::$soft($soft),)*
                    $(Self::$simd => Proven::$simd($simd::detect()?),)*
                })
            }
        }

        const _: () = {
            let (all, preferred) = (Backend::ALL, [$(Backend::$preferred),*]);
            let mut i = 0;
            while i < preferred.len() {
                assert!(preferred[i] as usize == all[all.len() - 1 - i] as usize);
                i += 1;
            }
            assert!(all.len() - i == [$(Backend::$soft),*].len());
        };

        /// A back end that this CPU can run.
        #[derive(Clone, Copy)]
        pub(crate) enum Proven {
            $($soft($soft),)*
            $($simd($simd),)*
        }

        impl Proven {
            /// See [`Backend::detect`].
            #[inline]
            pub(crate) fn detect() -> Self {
                let soft = match Backend::soft() {
                    $(Backend::$soft => Self::$soft($soft),)*
                    _ => unreachable!(),
                };
                if let Some(forced) = Backend::FORCED {
                    return forced.prove().unwrap_or(soft);
                }
                $(if let Some(token) = $preferred::detect() {
                    return Self::$preferred(token);
                })*
                soft
            }

            #[inline]
            pub(crate) fn backend(self) -> Backend {
                match self {
                    $(Self::$soft(_) => Backend::$soft,)*
                    $(Self::$simd(_) => Backend::$simd,)*
                }
            }
        }
    };
}

back_ends! {
    /// Portable Rust, bit-sliced in 64-bit words: four blocks at once.
    Soft "soft",
    /// Portable Rust, bit-sliced in 32-bit words: two blocks at once.
    Soft32 "soft32",
    ;
    /// Vector permutations on x86 with SSSE3: eight blocks at once.
    Ssse3 "ssse3",
    /// Vector permutations on x86 with AVX2: eight blocks at once.
    Avx2 "avx2",
    /// Vector permutations on x86 with AVX-512: eight blocks at once.
    Avx512 "avx512",
    /// AES instructions on x86: eight blocks at once.
    Aesni "aesni",
    /// AES instructions on vectors of 256 bits, x86: sixteen blocks at once.
    Vaes256 "vaes256",
    /// AES instructions on vectors of 512 bits, x86: sixteen blocks at once.
    Vaes512 "vaes512",
    /// NEON on 64-bit ARM: vector permutations for a few blocks, bit-sliced for eight at once.
    Neon "neon",
    /// AES instructions on 64-bit ARM (the cryptographic extension of ARMv8): eight blocks at once.
    ArmV8Ce "armv8_ce",
    /// NEON on 32-bit ARM: vector permutations for a few blocks, bit-sliced for eight at once.
    ArmV7Neon "armv7_neon",
    /// SIMD on WebAssembly: vector permutations for a few blocks, bit-sliced for eight at once.
    Simd128 "simd128",
    ;
    prefer Simd128 ArmV7Neon ArmV8Ce Neon Vaes512 Vaes256 Aesni Avx512 Avx2 Ssse3
}

impl Backend {
    /// The fastest back end that this CPU can run, which [`new`](cipher::KeyInit::new) takes.
    ///
    /// `--cfg aes_vpaes_backend="…"` takes the one of that name instead, and the portable one where this CPU cannot run
    /// it.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Proven::detect().backend()
    }

    /// The portable back end for this target's word size.
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
        self.prove().is_some()
    }

    /// Whether the back end uses AES instructions.
    #[must_use]
    #[inline]
    pub const fn uses_aes_instructions(self) -> bool {
        match self {
            Self::Vaes512 | Self::Vaes256 | Self::Aesni | Self::ArmV8Ce => true,
            Self::Avx512
            | Self::Avx2
            | Self::Ssse3
            | Self::Neon
            | Self::ArmV7Neon
            | Self::Simd128
            | Self::Soft
            | Self::Soft32 => false,
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
