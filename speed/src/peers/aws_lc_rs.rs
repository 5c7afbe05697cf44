//! AWS-LC. ChaCha20-Poly1305 and ML-KEM go through `aws-lc-rs`; what that crate does not offer, AES blocks and modes,
//! ChaCha20 and Poly1305 alone, the 24-byte nonce, TLS records, SHA3-256 and SHAKE128, through the C functions below it.
//! The permutation is a function inside the library (entered as `aws-lc-rs internal`).

use aws_lc_rs::kem as aws_kem;
use aws_lc_sys as sys;

use crate::ops::kem::{self, Kem, ParameterSet, SharedKey};

super::bssl_family::bssl_family!(
    sys,
    sys::evp_aead_direction_t_evp_aead_open,
    sys::evp_aead_direction_t_evp_aead_seal
);

// SAFETY: the function reads and writes 25 lanes and has no other conditions.
unsafe extern "C" {
    #[link_name = concat!(env!("SPEED_AWS_LC_PREFIX"), "KeccakF1600")]
    safe fn keccak_f1600(state: &mut keccak::State);
}

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("aws-lc-rs");
    enter_aes(suite, who);
    enter_chacha20_poly1305(suite, who);
    enter_xchacha20_poly1305(suite, who);
    enter_chacha20(suite, who);
    enter_poly1305(suite, who);
    enter_tls_cbc(suite, who);
    let internal = Implementation {
        backend: Some("internal"),
        ..who
    };
    keccak::permutation(suite, internal, |state| keccak_f1600(state));
    enter_sha3_256(suite, who);
    enter_shake128(suite, who);
    for (set, algorithm) in [
        (ParameterSet::MlKem512, &aws_kem::ML_KEM_512),
        (ParameterSet::MlKem768, &aws_kem::ML_KEM_768),
        (ParameterSet::MlKem1024, &aws_kem::ML_KEM_1024),
    ] {
        kem::enter(suite, who, set, MlKem(algorithm));
    }
}

super::ring_family::ring_family!(aws_lc_rs);

/// A hasher.
struct DigestContext(*mut sys::EVP_MD_CTX);

impl DigestContext {
    fn new() -> Self {
        // SAFETY: the function has no conditions.
        let context = unsafe { sys::EVP_MD_CTX_new() };
        assert!(!context.is_null(), "there is memory");
        Self(context)
    }

    fn shake128(&self, message: &[u8]) -> keccak::Output {
        let mut output = [0; 32];
        // SAFETY: the context is live; the description is static and the null pointer means no engine; the message and
        // the output go with their lengths.
        let codes = unsafe {
            [
                sys::EVP_DigestInit_ex(self.0, sys::EVP_shake128(), std::ptr::null_mut()),
                sys::EVP_DigestUpdate(self.0, message.as_ptr().cast(), message.len()),
                sys::EVP_DigestFinalXOF(self.0, output.as_mut_ptr(), output.len()),
            ]
        };
        assert_eq!(codes, [1; 3], "hashing does not fail");
        output
    }
}

impl Drop for DigestContext {
    fn drop(&mut self) {
        // SAFETY: the context came from `EVP_MD_CTX_new` and is freed once.
        unsafe { sys::EVP_MD_CTX_free(self.0) };
    }
}

fn enter_shake128(suite: &mut Suite, who: Implementation) {
    for &bytes in Function::Shake128.sizes() {
        let context = DigestContext::new();
        keccak::hash(suite, who, Function::Shake128, bytes, move |message| {
            context.shake128(message)
        });
    }
}

struct MlKem(&'static aws_kem::Algorithm);

impl Kem for MlKem {
    type DecapsulationKey = aws_kem::DecapsulationKey;
    type EncapsulationKey = aws_kem::EncapsulationKey;

    fn generate(&self, encoded: &mut [u8]) -> Self::DecapsulationKey {
        let key = aws_kem::DecapsulationKey::generate(self.0).expect("there is randomness");
        let encapsulation_key = key.encapsulation_key().expect("there is memory");
        let bytes = encapsulation_key.key_bytes().expect("there is memory");
        encoded.copy_from_slice(bytes.as_ref());
        key
    }

    fn decapsulate(&self, key: &Self::DecapsulationKey, ciphertext: &[u8]) -> SharedKey {
        let shared_key = key.decapsulate(ciphertext.into());
        let shared_key = shared_key.expect("the ciphertext has the right length");
        shared_key.as_ref().try_into().expect("it has 32 bytes")
    }

    fn parse(&self, encoded: &[u8]) -> Self::EncapsulationKey {
        aws_kem::EncapsulationKey::new(self.0, encoded).expect("the key is valid")
    }

    fn encapsulate(&self, key: &Self::EncapsulationKey, ciphertext: &mut [u8]) -> SharedKey {
        let (made, shared_key) = key.encapsulate().expect("there is randomness");
        ciphertext.copy_from_slice(made.as_ref());
        shared_key.as_ref().try_into().expect("it has 32 bytes")
    }
}
