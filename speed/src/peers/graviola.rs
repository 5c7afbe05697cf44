//! graviola: both AEADs, SHA3-256, SHAKE128 and ML-KEM-768. It has no portable code: some CPUs it cannot run on.

use graviola::{
    aead::{ChaCha20Poly1305, XChaCha20Poly1305},
    hashing::sha3::{Sha3_256Context, Shake128},
    key_agreement::mlkem768,
};

use crate::{
    ops::{
        aead::{self, Variant},
        keccak::{self, Function},
        kem::{self, Kem, ParameterSet, SharedKey},
    },
    suite::{Implementation, Suite},
};

pub(super) fn enter(suite: &mut Suite) {
    if !graviola::util::is_cpu_supported() {
        eprintln!("note: graviola does not support this CPU and is left out");
        return;
    }
    let who = Implementation::peer("graviola");
    for bytes in aead::SIZES {
        let (cipher, nonce) = (ChaCha20Poly1305::new(aead::key()), aead::nonce());
        aead::seal(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |message| {
                let mut tag = [0; 16];
                cipher.encrypt(&nonce, &aead::aad(), message, &mut tag);
                tag
            },
        );
        let cipher = ChaCha20Poly1305::new(aead::key());
        aead::open(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |ciphertext, tag| {
                cipher
                    .decrypt(&nonce, &aead::aad(), ciphertext, tag)
                    .is_ok()
            },
        );
        let (cipher, nonce) = (XChaCha20Poly1305::new(aead::key()), aead::nonce());
        aead::seal(
            suite,
            who,
            Variant::XChaCha20Poly1305,
            bytes,
            move |message| {
                let mut tag = [0; 16];
                cipher.encrypt(&nonce, &aead::aad(), message, &mut tag);
                tag
            },
        );
    }
    for &bytes in Function::Sha3_256.sizes() {
        keccak::hash(suite, who, Function::Sha3_256, bytes, |message| {
            let mut hasher = Sha3_256Context::new();
            hasher.update(message);
            hasher.finish()
        });
    }
    for &bytes in Function::Shake128.sizes() {
        keccak::hash(suite, who, Function::Shake128, bytes, |message| {
            let mut output = [0; 32];
            Shake128::new(&[message]).read(&mut output);
            output
        });
    }
    kem::enter(suite, who, ParameterSet::MlKem768, MlKem768);
}

/// graviola's keys are for one use, which consumes them: an encapsulation key is cloned for it, and since a
/// decapsulation key cannot be, the function inside is called that borrows it.
struct MlKem768;

impl Kem for MlKem768 {
    type DecapsulationKey = mlkem768::DecapKey;
    type EncapsulationKey = mlkem768::EncapKey;

    fn generate(&self, encoded: &mut [u8]) -> Self::DecapsulationKey {
        let key = mlkem768::DecapKey::generate().expect("there is randomness");
        encoded.copy_from_slice(&key.encapsulation_key().as_bytes());
        key
    }

    fn decapsulate(&self, key: &Self::DecapsulationKey, ciphertext: &[u8]) -> SharedKey {
        let ciphertext: [u8; 1088] = ciphertext.try_into().expect("it has 1088 bytes");
        *key.decaps_internal(&ciphertext.into()).as_ref()
    }

    fn parse(&self, encoded: &[u8]) -> Self::EncapsulationKey {
        let encoded = encoded.try_into().expect("it has 1184 bytes");
        mlkem768::EncapKey::from_bytes(encoded).expect("the key is valid")
    }

    fn encapsulate(&self, key: &Self::EncapsulationKey, ciphertext: &mut [u8]) -> SharedKey {
        let (shared_key, made) = key.clone().encaps().expect("there is randomness");
        ciphertext.copy_from_slice(made.as_ref());
        *shared_key.as_ref()
    }
}
