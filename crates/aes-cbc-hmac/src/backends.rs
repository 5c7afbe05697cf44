//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

/// A named implementation of AES-CBC with HMAC.
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it. The compression
/// functions of the hashes come from `sha1` and `sha2`, which make their own choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust with the back end `soft` of `aes-vpaes`: AES bit-sliced in 64-bit words.
    Soft,
    /// Portable Rust with the back end `soft32` of `aes-vpaes`: AES bit-sliced in 32-bit words.
    Soft32,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32];

    /// The fastest back end that this CPU can run, which [`new`](aead::KeyInit::new) takes.
    ///
    /// `--cfg aes_cbc_hmac_backend="soft"` or `"soft32"` forces a portable one; a choice forced on `aes-vpaes` holds
    /// here too.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        if cfg!(aes_cbc_hmac_backend = "soft") {
            return Self::Soft;
        }
        if cfg!(aes_cbc_hmac_backend = "soft32") {
            return Self::Soft32;
        }
        let aes = aes_vpaes::Backend::detect();
        let same = Self::ALL.iter().copied().find(|b| b.aes() == aes);
        same.unwrap_or(Self::soft())
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
        self.aes().is_available()
    }

    /// The lower-case name: `soft`, `soft32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Soft32 => "soft32",
        }
    }

    /// The back end of the block cipher.
    pub(crate) const fn aes(self) -> aes_vpaes::Backend {
        match self {
            Self::Soft => aes_vpaes::Backend::Soft,
            Self::Soft32 => aes_vpaes::Backend::Soft32,
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
