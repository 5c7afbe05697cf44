//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

pub(crate) mod soft;

/// Makes the enum, its list, and the maps to and from the back ends of Keccak, which have the same names.
macro_rules! back_ends {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A named implementation of the polynomial arithmetic and of Keccak under it.
        ///
        /// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it. The names
        /// are those of `keccak-unrolled`, since most of the time goes to Keccak.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(#[$doc])* $name,)*
        }

        impl Backend {
            /// Every back end of this crate, on whatever target.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The back end of the hash functions.
            #[inline]
            pub(crate) const fn keccak(self) -> keccak_unrolled::Backend {
                match self {
                    $(Self::$name => keccak_unrolled::Backend::$name,)*
                }
            }

            /// The inverse of [`Backend::keccak`].
            const fn with_keccak(keccak: keccak_unrolled::Backend) -> Self {
                match keccak {
                    $(keccak_unrolled::Backend::$name => Self::$name,)*
                    _ => Self::Soft,
                }
            }
        }
    };
}

back_ends! {
    /// Portable Rust: arithmetic on 16-bit coefficients, Keccak on 64-bit lanes.
    Soft,
    /// Portable Rust for 32-bit CPUs: arithmetic on 16-bit coefficients, Keccak on bit-interleaved 32-bit words.
    Soft32,
    /// x86 with SSE2: arithmetic as [`Backend::Soft`], two states of Keccak at once.
    Sse2,
    /// x86 with AVX2: arithmetic as [`Backend::Soft`], four states of Keccak at once.
    Avx2,
    /// x86 with AVX-512F and AVX-512VL: arithmetic as [`Backend::Soft`], eight states of Keccak at once.
    Avx512,
    /// aarch64 with NEON: arithmetic as [`Backend::Soft`], two states of Keccak at once.
    Neon,
    /// aarch64 with the SHA3 instructions of ARMv8.2: arithmetic as [`Backend::Soft`], two states of Keccak at once.
    ArmV8Sha3,
    /// 32-bit Arm with NEON: arithmetic as [`Backend::Soft`], Keccak in vector registers.
    ArmV7Neon,
    /// wasm32 compiled with the target feature `simd128`: arithmetic as [`Backend::Soft`], two states of Keccak at once.
    Simd128,
}

impl Backend {
    /// The fastest back end that this CPU can run, which the constructors without a back end take: that of Keccak.
    ///
    /// `--cfg kyber_backend="soft"` (or `"soft32"`) forces a portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        if cfg!(any(kyber_backend = "soft", kyber_backend = "soft32")) {
            Self::soft()
        } else {
            Self::with_keccak(keccak_unrolled::Backend::detect())
        }
    }

    /// The portable back end for this target's word size.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        if cfg!(kyber_backend = "soft") {
            Self::Soft
        } else if cfg!(kyber_backend = "soft32") {
            Self::Soft32
        } else {
            Self::with_keccak(keccak_unrolled::Backend::soft())
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
        self.keccak().is_available()
    }

    /// The lower-case name, as in `keccak-unrolled`: `soft`, `soft32`, `avx2`, ….
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.keccak().name()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Backend;

    #[test]
    fn every_back_end_is_one_of_keccak() {
        assert!(
            Backend::ALL
                .iter()
                .map(|b| b.keccak())
                .eq(keccak_unrolled::Backend::ALL.iter().copied())
        );
        for &backend in Backend::ALL {
            assert_eq!(Backend::with_keccak(backend.keccak()), backend);
        }
    }
}
