//! The back ends: their names, what each needs from the CPU, and the choice between them.

use crate::{Block, Key, Tag};
use core::fmt;

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
            fn drop(&mut self) {
                $(zeroize::Zeroize::zeroize(&mut self.$field);)*
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}
    };
}

// What `hazmat` exports is written as public.
#[cfg_attr(not(feature = "hazmat"), allow(unreachable_pub))]
pub(crate) mod soft;
#[cfg_attr(not(feature = "hazmat"), allow(unreachable_pub))]
pub(crate) mod soft32;

/// A named implementation of the Poly1305 arithmetic.
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust on 64-bit limbs with 128-bit products.
    Soft,
    /// Portable Rust on 26-bit limbs with 64-bit products, for 32-bit targets.
    Soft32,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32];

    /// The fastest back end that this CPU can run, which [`new`](universal_hash::KeyInit::new) takes.
    ///
    /// `--cfg poly1305_simd_backend="soft"` (or `"soft32"`) forces a portable one.
    #[must_use]
    #[inline]
    pub const fn detect() -> Self {
        if cfg!(poly1305_simd_backend = "soft32") {
            Self::Soft32
        } else {
            Self::soft()
        }
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
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The running computation of one back end.
#[derive(Clone)]
pub(crate) enum State {
    Soft(soft::State),
    Soft32(soft32::State),
}

impl State {
    /// `None` where this CPU cannot run the back end.
    #[inline]
    pub(crate) fn new(backend: Backend, key: &Key) -> Option<Self> {
        backend.is_available().then(|| match backend {
            Backend::Soft => Self::Soft(soft::State::new(&key.0)),
            Backend::Soft32 => Self::Soft32(soft32::State::new(&key.0)),
        })
    }

    pub(crate) fn backend(&self) -> Backend {
        match self {
            Self::Soft(_) => Backend::Soft,
            Self::Soft32(_) => Backend::Soft32,
        }
    }

    #[inline]
    pub(crate) fn blocks(&mut self, blocks: &[Block]) {
        match self {
            Self::Soft(state) => state.blocks(blocks),
            Self::Soft32(state) => state.blocks(blocks),
        }
    }

    /// Takes the last 1 to 15 bytes of a message whose length is no multiple of 16.
    #[inline]
    pub(crate) fn partial_block(&mut self, bytes: &[u8]) {
        match self {
            Self::Soft(state) => state.partial_block(bytes),
            Self::Soft32(state) => state.partial_block(bytes),
        }
    }

    #[inline]
    pub(crate) fn finish(&self) -> Tag {
        match self {
            Self::Soft(state) => state.finish(),
            Self::Soft32(state) => state.finish(),
        }
        .into()
    }
}
