//! The back ends: their names, what each is made of, and the choice between them.

use core::fmt;

/// A named pair of implementations of ChaCha20 and Poly1305.
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust, Poly1305 on 64-bit limbs.
    Soft,
    /// Portable Rust, Poly1305 on 26-bit limbs, for 32-bit targets.
    Soft32,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32];

    /// The fastest back end that this CPU can run, which [`new`](aead::KeyInit::new) takes.
    ///
    /// `--cfg aead_chacha_poly_backend="soft"` (or `"soft32"`) forces a portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        if cfg!(aead_chacha_poly_backend = "soft32") {
            Self::Soft32
        } else {
            Self::soft()
        }
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
    #[inline]
    pub fn is_available(self) -> bool {
        self.chacha20().is_available() && self.poly1305().is_available()
    }

    /// The lower-case name: `soft`, `soft32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Soft32 => "soft32",
        }
    }

    #[inline]
    pub(crate) const fn chacha20(self) -> chacha20_simd::Backend {
        match self {
            Self::Soft | Self::Soft32 => chacha20_simd::Backend::Soft,
        }
    }

    #[inline]
    pub(crate) const fn poly1305(self) -> poly1305_simd::Backend {
        match self {
            Self::Soft => poly1305_simd::Backend::Soft,
            Self::Soft32 => poly1305_simd::Backend::Soft32,
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
