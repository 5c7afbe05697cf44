//! libcrux: ChaCha20-Poly1305, from buffer to buffer, Poly1305, SHA3-256, SHAKE128, ML-KEM and Kyber768.

use kem::Generate;
use libcrux_chacha20poly1305::{decrypt_detached, encrypt_detached};

use crate::{
    ops::{
        aead::{self, Variant},
        keccak::{self, Function},
        kem::{self as kem_ops, Kem, ParameterSet, SharedKey},
        poly1305,
    },
    suite::{Implementation, Suite},
};

const FITS: &str = "lengths are within limits";

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("libcrux");
    for bytes in aead::SIZES {
        let (key, nonce, aad) = (aead::key(), aead::nonce(), aead::aad());
        aead::seal_apart(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |message, out| {
                let mut tag = [0; 16];
                encrypt_detached(&key, message, out, &mut tag, &aad, &nonce).expect(FITS);
                tag
            },
        );
        aead::open_apart(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |ciphertext, tag, out| {
                decrypt_detached(&key, out, ciphertext, tag, &aad, &nonce).is_ok()
            },
        );
    }
    for bytes in poly1305::SIZES {
        poly1305::authenticate(suite, who, bytes, |key, message| {
            let mut tag = [0; 16];
            assert!(
                libcrux_poly1305::mac(key, message, &mut tag).is_ok(),
                "{FITS}"
            );
            tag
        });
    }
    for &bytes in Function::Sha3_256.sizes() {
        let function = Function::Sha3_256;
        keccak::hash(suite, who, function, bytes, libcrux_sha3::sha256);
    }
    keccak::no_batch(suite, who, libcrux_sha3::sha256);
    for &bytes in Function::Shake128.sizes() {
        let function = Function::Shake128;
        keccak::hash(suite, who, function, bytes, libcrux_sha3::shake128::<32>);
    }
    kem_ops::enter(suite, who, ParameterSet::MlKem512, MlKem512);
    kem_ops::enter(suite, who, ParameterSet::MlKem768, MlKem768);
    kem_ops::enter(suite, who, ParameterSet::MlKem1024, MlKem1024);
    kem_ops::enter(suite, who, ParameterSet::Kyber768, Kyber768);
}

/// Keys are in their encoded form, which is the interface that libcrux offers first. Kyber has ML-KEM's types.
macro_rules! parameter_set {
    ($name:ident, $functions:ident, $types:ident, $key_pair:ident, $public_key:ident, $ciphertext:ident) => {
        struct $name;

        impl Kem for $name {
            type DecapsulationKey = libcrux_ml_kem::$types::$key_pair;
            type EncapsulationKey = libcrux_ml_kem::$types::$public_key;

            fn generate(&self, encoded: &mut [u8]) -> Self::DecapsulationKey {
                let pair = libcrux_ml_kem::$functions::generate_key_pair(Generate::generate());
                encoded.copy_from_slice(pair.pk());
                pair
            }

            fn decapsulate(&self, key: &Self::DecapsulationKey, ciphertext: &[u8]) -> SharedKey {
                let ciphertext = libcrux_ml_kem::$types::$ciphertext::try_from(ciphertext);
                libcrux_ml_kem::$functions::decapsulate(
                    key.private_key(),
                    &ciphertext.expect("the ciphertext has the right length"),
                )
            }

            fn parse(&self, encoded: &[u8]) -> Self::EncapsulationKey {
                let key = libcrux_ml_kem::$types::$public_key::try_from(encoded);
                let key = key.expect("the key has the right length");
                assert!(
                    libcrux_ml_kem::$types::validate_public_key(&key),
                    "the key is valid"
                );
                key
            }

            fn encapsulate(
                &self,
                key: &Self::EncapsulationKey,
                ciphertext: &mut [u8],
            ) -> SharedKey {
                let (made, shared_key) =
                    libcrux_ml_kem::$functions::encapsulate(key, Generate::generate());
                ciphertext.copy_from_slice(made.as_slice());
                shared_key
            }
        }
    };
}
parameter_set!(
    MlKem512,
    mlkem512,
    mlkem512,
    MlKem512KeyPair,
    MlKem512PublicKey,
    MlKem512Ciphertext
);
parameter_set!(
    MlKem768,
    mlkem768,
    mlkem768,
    MlKem768KeyPair,
    MlKem768PublicKey,
    MlKem768Ciphertext
);
parameter_set!(
    MlKem1024,
    mlkem1024,
    mlkem1024,
    MlKem1024KeyPair,
    MlKem1024PublicKey,
    MlKem1024Ciphertext
);
parameter_set!(
    Kyber768,
    kyber768,
    mlkem768,
    MlKem768KeyPair,
    MlKem768PublicKey,
    MlKem768Ciphertext
);
