//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

pub(crate) mod soft;

/// A named implementation of the ChaCha block function.
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust on 32-bit words.
    Soft,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft];

    /// The fastest back end that this CPU can run, which [`new`](cipher::KeyIvInit::new) takes.
    ///
    /// `--cfg chacha20_simd_backend="soft"` forces the portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Self::soft()
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
        match self {
            Self::Soft => true,
        }
    }

    /// The lower-case name: `soft`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
        }
    }
}

/// Proof that this CPU can run a back end.
#[derive(Clone, Copy, Debug)]
pub struct Available(Backend);

impl Available {
    /// `None` where this CPU cannot run the back end.
    #[inline]
    pub(crate) fn check(backend: Backend) -> Option<Self> {
        backend.is_available().then_some(Self(backend))
    }

    #[inline]
    pub(crate) fn backend(self) -> Backend {
        self.0
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
