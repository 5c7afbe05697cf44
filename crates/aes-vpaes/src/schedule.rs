//! The round keys of a cipher, in the form of its back end.
//!
//! A back end may need other round keys for decryption than for encryption, so that each of the three kinds of cipher
//! types has its own enumeration. The choice is made here, once for every call of a mode of operation.

use crate::{
    backends::{Backend, soft, soft32},
    wipe::overwrite,
};
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};

/// Defines an enumeration of round keys for `N` full rounds, a variant for every back end.
macro_rules! schedule {
    ($(#[$doc:meta])* $name:ident { $($variant:ident($keys:ty),)* }) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(crate) enum $name<const N: usize> {
            $($variant($keys),)*
        }

        impl<const N: usize> $name<N> {
            /// Expands a key of 16, 24 or 32 bytes, for which `N` is 9, 11 or 13, for a back end that this CPU can
            /// run.
            // Not inlined, so that it writes to where the cipher goes: the compiler copies from place to place inside one
            // function, but not out of a call.
            #[inline(never)]
            pub(crate) fn new(backend: Backend, key: &[u8]) -> Self {
                let mut keys = match backend {
                    $(Backend::$variant => Self::$variant(<$keys>::ZERO),)*
                };
                match &mut keys {
                    $(Self::$variant(keys) => keys.expand(key),)*
                }
                keys
            }

            #[inline(always)]
            pub(crate) fn backend(&self) -> Backend {
                match self {
                    $(Self::$variant(_) => Backend::$variant,)*
                }
            }

            // A constant, so that it is not made elsewhere and copied.
            const WIPED: Self = Self::Soft(soft::Keys::ZERO);

            /// Wipes all bytes, also those that the variant does not use: a move copies them along, with whatever was
            /// on the stack there, which may be an earlier cipher's round keys.
            #[inline(always)]
            pub(crate) fn wipe(&mut self) {
                const {
                    // The bit-sliced round keys are the largest, so that they cover all others.
                    assert!(size_of::<Self>() - size_of::<soft::Keys<N>>() <= 8);
                }
                overwrite(self, Self::WIPED);
            }
        }
    };
}

schedule! {
    /// Round keys for encryption.
    Enc { Soft(soft::Keys<N>), Soft32(soft32::Keys<N>), }
}

schedule! {
    /// Round keys for decryption.
    Dec { Soft(soft::Keys<N>), Soft32(soft32::Keys<N>), }
}

schedule! {
    /// Round keys for both directions.
    Both { Soft(soft::Keys<N>), Soft32(soft32::Keys<N>), }
}

impl<const N: usize> Enc<N> {
    #[inline]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        match self {
            Self::Soft(keys) => f.call(&keys.backend()),
            Self::Soft32(keys) => f.call(&keys.backend()),
        }
    }
}

impl<const N: usize> Dec<N> {
    #[inline]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        match self {
            Self::Soft(keys) => f.call(&keys.backend()),
            Self::Soft32(keys) => f.call(&keys.backend()),
        }
    }
}

impl<const N: usize> Both<N> {
    #[inline]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        match self {
            Self::Soft(keys) => f.call(&keys.backend()),
            Self::Soft32(keys) => f.call(&keys.backend()),
        }
    }

    #[inline]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        match self {
            Self::Soft(keys) => f.call(&keys.backend()),
            Self::Soft32(keys) => f.call(&keys.backend()),
        }
    }
}

impl<const N: usize> From<&Enc<N>> for Dec<N> {
    #[inline]
    fn from(enc: &Enc<N>) -> Self {
        match enc {
            Enc::Soft(keys) => Self::Soft(keys.clone()),
            Enc::Soft32(keys) => Self::Soft32(keys.clone()),
        }
    }
}

impl<const N: usize> From<&Enc<N>> for Both<N> {
    #[inline]
    fn from(enc: &Enc<N>) -> Self {
        match enc {
            Enc::Soft(keys) => Self::Soft(keys.clone()),
            Enc::Soft32(keys) => Self::Soft32(keys.clone()),
        }
    }
}
