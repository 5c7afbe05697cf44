//! The round keys of a cipher, in the form of its back end.
//!
//! A back end may need other round keys for decryption than for encryption, so that each of the three kinds of cipher
//! types has its own enumeration. The choice is made here, once for every call of a mode of operation.

use crate::{
    backends::{
        Aesni, ArmV7Neon, ArmV8Ce, Avx2, Avx512, Backend, Neon, Proven, Simd128, Soft, Soft32,
        Ssse3, Vaes256, Vaes512, keys, soft, soft32,
    },
    wipe::overwrite,
};
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};

/// Defines the enumerations of round keys for `N` full rounds, a variant for every back end: of keys for encryption,
/// for decryption and for both.
macro_rules! schedules {
    ($($variant:ident($enc:ty, $dec:ty, $both:ty),)*) => {
        schedule! {
            /// Round keys for encryption.
            Enc { $($variant($enc),)* }
        }
        schedule! {
            /// Round keys for decryption.
            Dec { $($variant($dec),)* }
        }
        schedule! {
            /// Round keys for both directions.
            Both { $($variant($both),)* }
        }

        /// Runs `$call` on the round keys of whichever back end.
        macro_rules! dispatch {
            ($schedule:expr, |$keys:ident| $call:expr) => {
                match $schedule {
                    $(Self::$variant($keys) => $call,)*
                }
            };
        }

        /// The same, giving keys for another use.
        macro_rules! convert {
            ($schedule:expr) => {
                match $schedule {
                    $(Enc::$variant(keys) => Self::$variant(keys.into()),)*
                }
            };
        }
    };
}

macro_rules! schedule {
    ($(#[$doc:meta])* $name:ident { $($variant:ident($keys:ty),)* }) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(crate) enum $name<const N: usize> {
            $($variant($keys),)*
        }

        impl<const N: usize> $name<N> {
            /// Expands a key of 16, 24 or 32 bytes, for which `N` is 9, 11 or 13.
            #[inline]
            pub(crate) fn new(backend: Proven, key: &[u8]) -> Self {
                match backend {
                    $(Proven::$variant(token) => {
                        // Not inlined, so that it writes to where the cipher goes: the compiler copies from place to place
                        // inside one function, but not out of a call.
                        #[inline(never)]
                        fn new<const N: usize>(token: $variant, key: &[u8]) -> $name<N> {
                            $name::$variant(<$keys>::new(token, key))
                        }
                        new(token, key)
                    })*
                }
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
                    assert!(size_of::<Self>() - size_of::<soft::Keys<N>>() <= align_of::<Self>());
                    $(assert!(size_of::<$keys>() + align_of::<$keys>() <= size_of::<soft::Keys<N>>() + align_of::<soft::Keys<N>>());)*
                }
                overwrite(self, Self::WIPED);
            }
        }
    };
}

/// A back end with the round keys of [`keys`].
macro_rules! simd {
    ($schedules:ident! { $($isa:ident)*; $($soft:tt)* }) => {
        $schedules! {
            $($isa(keys::Enc<$isa, N>, keys::Dec<$isa, N>, keys::Both<$isa, N>),)*
            $($soft)*
        }
    };
}

simd! {
    schedules! {
        Vaes512 Vaes256 Aesni Avx512 Avx2 Ssse3 ArmV8Ce Neon ArmV7Neon Simd128;
        Soft(soft::Keys<N>, soft::Keys<N>, soft::Keys<N>),
        Soft32(soft32::Keys<N>, soft32::Keys<N>, soft32::Keys<N>),
    }
}

impl<const N: usize> Enc<N> {
    #[inline]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        dispatch!(self, |keys| keys.encrypt(f));
    }
}

impl<const N: usize> Dec<N> {
    #[inline]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        dispatch!(self, |keys| keys.decrypt(f));
    }
}

impl<const N: usize> Both<N> {
    #[inline]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        dispatch!(self, |keys| keys.encrypt(f));
    }

    #[inline]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        dispatch!(self, |keys| keys.decrypt(f));
    }
}

impl<const N: usize> From<&Enc<N>> for Dec<N> {
    #[inline]
    fn from(enc: &Enc<N>) -> Self {
        convert!(enc)
    }
}

impl<const N: usize> From<&Enc<N>> for Both<N> {
    #[inline]
    fn from(enc: &Enc<N>) -> Self {
        convert!(enc)
    }
}
