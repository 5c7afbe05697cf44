//! The back ends: their names, what each is made of, and the choice between them.

use core::fmt;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod avx512ifma;

/// Makes [`Backend`] of a list of pairs, from the portable ones to the fastest of each architecture.
macro_rules! back_ends {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $chacha20:ident, $poly1305:ident;)*) => {
        /// A named pair of implementations of ChaCha20 and Poly1305.
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

            /// What `--cfg aead_chacha_poly_backend="…"` asks for.
            const FORCED: Option<Self> = {
                let mut forced = None;
                $(if cfg!(aead_chacha_poly_backend = $name) {
                    forced = Some(Self::$variant);
                })*
                forced
            };

            #[inline]
            pub(crate) const fn chacha20(self) -> chacha20_simd::Backend {
                match self {
                    $(Self::$variant => chacha20_simd::Backend::$chacha20,)*
                }
            }

            #[inline]
            pub(crate) const fn poly1305(self) -> poly1305_simd::Backend {
                match self {
                    // SSE2 is no faster than 64-bit limbs.
                    Self::Sse2 | Self::Ssse3 if cfg!(target_arch = "x86_64") => poly1305_simd::Backend::Soft,
                    $(Self::$variant => poly1305_simd::Backend::$poly1305,)*
                }
            }
        }
    };
}

back_ends! {
    /// Portable Rust, Poly1305 on 64-bit limbs.
    Soft = "soft": Soft, Soft;
    /// Portable Rust, Poly1305 on 32-bit words, for 32-bit targets.
    Soft32 = "soft32": Soft, Soft32;
    /// x86 and x86-64 with SSE2; on x86-64 Poly1305 is portable.
    Sse2 = "sse2": Sse2, Sse2;
    /// As `Sse2`, with SSSE3 for ChaCha20.
    Ssse3 = "ssse3": Ssse3, Sse2;
    /// x86 and x86-64 with AVX2.
    Avx2 = "avx2": Avx2, Avx2;
    /// x86-64 with AVX-512 F, BW and VL.
    Avx512 = "avx512": Avx512, Avx512;
    /// x86-64 with AVX-512 F, BW, VL and IFMA.
    Avx512Ifma = "avx512ifma": Avx512, Avx512Ifma;
    /// 64-bit Arm with NEON.
    Neon = "neon": Neon, Neon;
    /// 32-bit Arm with NEON, on Linux and Android.
    Armv7Neon = "armv7_neon": Armv7Neon, Armv7Neon;
    /// WebAssembly compiled with `simd128`.
    Simd128 = "simd128": Simd128, Simd128;
}

impl Backend {
    /// The fastest back end that this CPU can run, which [`new`](aead::KeyInit::new) takes.
    ///
    /// `--cfg aead_chacha_poly_backend="…"` takes the one of that name instead, and the portable one where this CPU
    /// cannot run it.
    #[must_use]
    pub fn detect() -> Self {
        let fastest_first = || {
            Self::ALL
                .iter()
                .rev()
                .copied()
                .filter(|&b| b != Self::Soft32)
        };
        match Self::FORCED {
            Some(forced) => Some(forced).filter(|b| b.is_available()),
            None => fastest_first().find(|b| *b != Self::Soft && b.is_available()),
        }
        .unwrap_or(Self::soft())
    }

    /// The portable back end for this target.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        match poly1305_simd::Backend::soft() {
            poly1305_simd::Backend::Soft32 => Self::Soft32,
            _ => Self::Soft,
        }
    }

    /// Every back end that this CPU can run.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|b| b.is_available())
    }

    /// Whether this CPU can run the back end.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.chacha20().is_available() && self.poly1305().is_available()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a message is worked on.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    /// By the two primitives in turn.
    Separate(Backend),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(avx2::Avx2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512Ifma(avx512ifma::Avx512Ifma),
}

impl Choice {
    /// `None` where this CPU cannot run the back end.
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        match backend {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Backend::Avx2 => avx2::Avx2::detect().map(Self::Avx2),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Backend::Avx512Ifma => avx512ifma::Avx512Ifma::detect().map(Self::Avx512Ifma),
            _ => backend.is_available().then_some(Self::Separate(backend)),
        }
    }

    #[inline]
    pub(crate) fn backend(self) -> Backend {
        match self {
            Self::Separate(backend) => backend,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx2(_) => Backend::Avx2,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Avx512Ifma(_) => Backend::Avx512Ifma,
        }
    }
}
