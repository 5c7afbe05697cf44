#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub use hybrid_array as array;
pub use kem;

mod backends;
mod ct;
mod decapsulation_key;
mod encapsulation_key;
mod hash;
mod k_pke;
mod params;
mod wipe;

pub use backends::Backend;
pub use decapsulation_key::{DecapsulationKey, ExpandedKeyEncoding};
pub use encapsulation_key::EncapsulationKey;
pub use kem::{
    Ciphertext, Decapsulate, Encapsulate, FromSeed, Generate, InvalidKey, Kem, Key, KeyExport,
    KeyInit, KeySizeUser, TryKeyInit,
};
pub use params::{Kyber512, Kyber768, Kyber1024, MlKem512, MlKem768, MlKem1024, ParameterSet};

use array::{
    Array,
    sizes::{U32, U64},
};

/// 32 bytes: the randomness m of an encapsulation, or a half of a seed.
pub type B32 = Array<u8, U32>;
/// The seed d ‖ z of a key pair: the preferred encoding of a decapsulation key in every parameter set.
pub type Seed = Array<u8, U64>;
/// A shared key: 32 bytes.
pub type SharedKey = Array<u8, U32>;
/// An expanded decapsulation key, 768 k + 96 bytes.
pub type ExpandedDecapsulationKey<P> = Array<u8, <P as ParameterSet>::ExpandedDecapsulationKeySize>;

macro_rules! parameter_set_modules {
    ($($module:ident, $name:ident;)*) => {$(
        #[doc = concat!("The types of [`", stringify!($name), "`].")]
        pub mod $module {
            pub use crate::$name;

            #[doc = concat!("A decapsulation key of [`", stringify!($name), "`].")]
            pub type DecapsulationKey = crate::DecapsulationKey<$name>;
            #[doc = concat!("An encapsulation key of [`", stringify!($name), "`].")]
            pub type EncapsulationKey = crate::EncapsulationKey<$name>;
            #[doc = concat!("A ciphertext of [`", stringify!($name), "`].")]
            pub type Ciphertext = kem::Ciphertext<$name>;
            #[doc = concat!("An expanded decapsulation key of [`", stringify!($name), "`].")]
            pub type ExpandedDecapsulationKey = crate::ExpandedDecapsulationKey<$name>;
        }
    )*};
}

parameter_set_modules! {
    ml_kem_512, MlKem512;
    ml_kem_768, MlKem768;
    ml_kem_1024, MlKem1024;
    kyber_512, Kyber512;
    kyber_768, Kyber768;
    kyber_1024, Kyber1024;
}

/// A decapsulation key of [`MlKem512`].
pub type DecapsulationKey512 = ml_kem_512::DecapsulationKey;
/// An encapsulation key of [`MlKem512`].
pub type EncapsulationKey512 = ml_kem_512::EncapsulationKey;
/// A decapsulation key of [`MlKem768`].
pub type DecapsulationKey768 = ml_kem_768::DecapsulationKey;
/// An encapsulation key of [`MlKem768`].
pub type EncapsulationKey768 = ml_kem_768::EncapsulationKey;
/// A decapsulation key of [`MlKem1024`].
pub type DecapsulationKey1024 = ml_kem_1024::DecapsulationKey;
/// An encapsulation key of [`MlKem1024`].
pub type EncapsulationKey1024 = ml_kem_1024::EncapsulationKey;
