//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

pub(crate) mod soft;

/// A named implementation of the polynomial arithmetic and of Keccak under it.
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust: arithmetic on 16-bit coefficients, Keccak on 64-bit lanes.
    Soft,
    /// Portable Rust for 32-bit CPUs: arithmetic on 16-bit coefficients, Keccak on bit-interleaved 32-bit words.
    Soft32,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32];

    /// The fastest back end that this CPU can run, which the constructors without a back end take.
    ///
    /// `--cfg kyber_backend="soft"` (or `"soft32"`) forces a portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Self::soft()
    }

    /// The portable back end for this target's word size.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        if cfg!(kyber_backend = "soft") {
            Self::Soft
        } else if cfg!(any(
            kyber_backend = "soft32",
            not(target_pointer_width = "64")
        )) {
            Self::Soft32
        } else {
            Self::Soft
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
        match self {
            Self::Soft | Self::Soft32 => true,
        }
    }

    /// The lower-case name: `soft`, `soft32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Soft32 => "soft32",
        }
    }

    /// The back end of the hash functions.
    #[inline]
    pub(crate) fn keccak(self) -> keccak_unrolled::Backend {
        match self {
            Self::Soft => keccak_unrolled::Backend::Soft,
            Self::Soft32 => keccak_unrolled::Backend::Soft32,
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
