//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

pub(crate) mod bitslice;
pub(crate) mod soft;
pub(crate) mod soft32;

/// A named implementation of AES.
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust, bit-sliced in 64-bit words: four blocks at once.
    Soft,
    /// Portable Rust, bit-sliced in 32-bit words: two blocks at once.
    Soft32,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32];

    /// The fastest back end that this CPU can run, which [`new`](cipher::KeyInit::new) takes.
    ///
    /// `--cfg aes_vpaes_backend="soft"` or `"soft32"` forces a portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        if cfg!(aes_vpaes_backend = "soft") {
            return Self::Soft;
        }
        if cfg!(aes_vpaes_backend = "soft32") {
            return Self::Soft32;
        }
        Self::soft()
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
        match self {
            Self::Soft | Self::Soft32 => true,
        }
    }

    /// Whether the back end uses AES instructions.
    #[must_use]
    #[inline]
    pub const fn uses_aes_instructions(self) -> bool {
        match self {
            Self::Soft | Self::Soft32 => false,
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
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
