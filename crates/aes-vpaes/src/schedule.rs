//! The round keys of a cipher, in the form of its back end.
//!
//! A back end may need other round keys for decryption than for encryption, so that each of the three kinds of cipher
//! types has its own enumeration. The choice is made here, once for every call of a mode of operation.

use crate::{
    backends::{
        Aesni, ArmV7Neon, ArmV8Ce, Avx2, Avx512, Backend, Neon, Proven, Simd128, Ssse3, Vaes256,
        Vaes512, keys, soft, soft32,
    },
    wipe::overwrite,
};
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};
use core::mem::MaybeUninit;

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

        convert! { Dec { $($variant($dec),)* } }
        convert! { Both { $($variant($both),)* } }
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
            #[inline(always)]
            pub(crate) fn new(backend: Proven, key: &[u8]) -> Self {
                let mut this = MaybeUninit::uninit();
                Self::expand(&mut this, backend, key);
                // SAFETY: `expand` has written it.
                unsafe { this.assume_init() }
            }

            /// A call, which the compiler has write to where the cipher goes: nothing is copied, and no copy is left behind.
            #[inline(never)]
            fn expand(this: &mut MaybeUninit<Self>, backend: Proven, key: &[u8]) {
                match backend {
                    $(Proven::$variant(token) => {
                        #[allow(unused_unsafe, reason = "the portable ones are safe")]
                        // SAFETY: they are set by `expand`.
                        let keys = Self::$variant(unsafe { <$keys>::unset(token) });
                        if let Self::$variant(keys) = this.write(keys) {
                            keys.expand(key);
                        }
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
                    // The bit-sliced round keys are the largest, and all begin at the same place, so that they cover all others.
                    type Largest<const N: usize> = soft::Keys<N>;
                    let align = align_of::<Largest<N>>();
                    assert!(align_of::<Self>() == align && size_of::<Self>() == align + size_of::<Largest<N>>());
                    $(assert!(align_of::<$keys>() == align && size_of::<$keys>() <= size_of::<Largest<N>>());)*
                }
                overwrite(self, Self::WIPED);
            }
        }
    };
}

macro_rules! convert {
    ($name:ident { $($variant:ident($keys:ty),)* }) => {
        impl<const N: usize> $name<N> {
            /// Makes round keys for another use, in place as `expand` does.
            #[inline(never)]
            #[allow(unreachable_code, unused_variables, reason = "back ends that the target lacks")]
            fn convert(this: &mut MaybeUninit<Self>, from: &Enc<N>) {
                match from {
                    $(Enc::$variant(from) => {
                        #[allow(unused_unsafe, reason = "the portable ones are safe")]
                        // SAFETY: they are set by `convert`.
                        let keys = Self::$variant(unsafe { <$keys>::unset(from.isa()) });
                        if let Self::$variant(keys) = this.write(keys) {
                            keys.convert(from);
                        }
                    })*
                }
            }
        }

        impl<const N: usize> From<&Enc<N>> for $name<N> {
            #[inline(always)]
            fn from(enc: &Enc<N>) -> Self {
                let mut this = MaybeUninit::uninit();
                Self::convert(&mut this, enc);
                // SAFETY: `convert` has written it.
                unsafe { this.assume_init() }
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
