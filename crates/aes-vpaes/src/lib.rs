#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub use cipher;

mod backends;
#[cfg(doc)]
pub mod design;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod schedule;
mod wipe;

pub use backends::Backend;
use backends::Proven;

use cipher::{
    AlgorithmName, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure,
    BlockCipherEncrypt, BlockSizeUser, Key, KeyInit, KeySizeUser,
    array::Array,
    consts::{U16, U24, U32},
};
use core::fmt;

/// A block of 16 bytes.
pub type Block = Array<u8, U16>;

/// Whether AES instructions of this CPU are used by default.
#[must_use]
#[inline]
pub fn hardware_accelerated() -> bool {
    Backend::detect().uses_aes_instructions()
}

/// Everything that the three types of a key size have in common.
macro_rules! cipher_type {
    ($(#[$doc:meta])* $name:ident, $keys:ident<$rounds:literal>, $key_size:ty) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name {
            keys: schedule::$keys<$rounds>,
        }

        impl $name {
            /// A cipher that uses the back end given; `None` where this CPU cannot run it.
            #[must_use]
            pub fn new_with_backend(backend: Backend, key: &Key<Self>) -> Option<Self> {
                backend.prove().map(|backend| Self::expand(backend, key))
            }

            #[inline(always)]
            fn expand(backend: Proven, key: &Key<Self>) -> Self {
                Self { keys: schedule::$keys::new(backend, key) }
            }

            /// The back end in use.
            #[must_use]
            #[inline]
            pub fn backend(&self) -> Backend {
                self.keys.backend()
            }
        }

        impl KeySizeUser for $name {
            type KeySize = $key_size;
        }

        impl BlockSizeUser for $name {
            type BlockSize = U16;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self::expand(Proven::detect(), key)
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                self.keys.wipe();
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}
    };
}

macro_rules! encrypts {
    ($($name:ident)*) => {$(
        impl BlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
                self.keys.encrypt(f);
            }
        }
    )*};
}

macro_rules! decrypts {
    ($($name:ident)*) => {$(
        impl BlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
                self.keys.decrypt(f);
            }
        }
    )*};
}

macro_rules! from_enc {
    ($($name:ident($enc:ident))*) => {$(
        impl From<&$enc> for $name {
            fn from(enc: &$enc) -> Self {
                Self { keys: (&enc.keys).into() }
            }
        }

        impl From<$enc> for $name {
            fn from(enc: $enc) -> Self {
                Self::from(&enc)
            }
        }
    )*};
}

cipher_type!(
    /// AES-128 (FIPS 197): a key of 16 bytes, 10 rounds.
    Aes128, Both<9>, U16
);
cipher_type!(
    /// AES-128 (FIPS 197), encryption alone: a key of 16 bytes.
    Aes128Enc, Enc<9>, U16
);
cipher_type!(
    /// AES-128 (FIPS 197), decryption alone: a key of 16 bytes.
    Aes128Dec, Dec<9>, U16
);
cipher_type!(
    /// AES-192 (FIPS 197): a key of 24 bytes, 12 rounds.
    Aes192, Both<11>, U24
);
cipher_type!(
    /// AES-192 (FIPS 197), encryption alone: a key of 24 bytes.
    Aes192Enc, Enc<11>, U24
);
cipher_type!(
    /// AES-192 (FIPS 197), decryption alone: a key of 24 bytes.
    Aes192Dec, Dec<11>, U24
);
cipher_type!(
    /// AES-256 (FIPS 197): a key of 32 bytes, 14 rounds.
    Aes256, Both<13>, U32
);
cipher_type!(
    /// AES-256 (FIPS 197), encryption alone: a key of 32 bytes.
    Aes256Enc, Enc<13>, U32
);
cipher_type!(
    /// AES-256 (FIPS 197), decryption alone: a key of 32 bytes.
    Aes256Dec, Dec<13>, U32
);

encrypts!(Aes128 Aes128Enc Aes192 Aes192Enc Aes256 Aes256Enc);
decrypts!(Aes128 Aes128Dec Aes192 Aes192Dec Aes256 Aes256Dec);
from_enc!(
    Aes128(Aes128Enc) Aes128Dec(Aes128Enc)
    Aes192(Aes192Enc) Aes192Dec(Aes192Enc)
    Aes256(Aes256Enc) Aes256Dec(Aes256Enc)
);
