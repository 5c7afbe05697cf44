//! BoringSSL: its AES, ChaCha20 and Poly1305 functions, its AEAD interface, SHA3-256 and ML-KEM. Keccak and SHAKE128 it
//! keeps to itself.

use boring_sys as sys;

use crate::ops::kem::{self, Kem, ParameterSet, SharedKey};

super::bssl_family::bssl_family!(
    sys,
    sys::evp_aead_direction_t::evp_aead_open,
    sys::evp_aead_direction_t::evp_aead_seal
);

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("boring");
    enter_aes(suite, who);
    enter_chacha20_poly1305(suite, who);
    enter_xchacha20_poly1305(suite, who);
    enter_chacha20(suite, who);
    enter_poly1305(suite, who);
    enter_tls_cbc(suite, who);
    enter_sha3_256(suite, who);
    kem::enter(suite, who, ParameterSet::MlKem768, MlKem768);
    kem::enter(suite, who, ParameterSet::MlKem1024, MlKem1024);
}

fn enter_chacha20_poly1305(suite: &mut Suite, who: Implementation) {
    let new = || Aead::new(sys::EVP_aead_chacha20_poly1305);
    let nonce = aead::nonce::<12>();
    for bytes in aead::SIZES {
        let cipher = new();
        aead::seal(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |message| cipher.seal(&nonce, message),
        );
        let cipher = new();
        aead::open(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |ciphertext, tag| cipher.open(&nonce, ciphertext, tag),
        );
    }
}

impl Aead {
    fn open(&self, nonce: &[u8], ciphertext: &mut [u8], tag: &aead::Tag) -> bool {
        let aad = aead::aad();
        let at = ciphertext.as_mut_ptr();
        // SAFETY: the context is live; reads and writes the ciphertext in place, which is allowed; every other
        // pointer goes with its length.
        let code = unsafe {
            sys::EVP_AEAD_CTX_open_gather(
                self.0,
                at,
                nonce.as_ptr(),
                nonce.len(),
                at,
                ciphertext.len(),
                tag.as_ptr(),
                tag.len(),
                aad.as_ptr(),
                aad.len(),
            )
        };
        code == 1
    }
}

macro_rules! ml_kem {
    ($name:ident, $private_key:ident, $public_key:ident, $generate:ident, $decap:ident, $parse:ident, $encap:ident) => {
        struct $name;

        impl Kem for $name {
            type DecapsulationKey = sys::$private_key;
            type EncapsulationKey = sys::$public_key;

            fn generate(&self, encoded: &mut [u8]) -> Self::DecapsulationKey {
                let mut key = MaybeUninit::uninit();
                // SAFETY: writes the encoded key, for which there is room, and the private key as a whole; a null
                // pointer means that the seed is not asked for.
                unsafe {
                    sys::$generate(encoded.as_mut_ptr(), std::ptr::null_mut(), key.as_mut_ptr());
                    key.assume_init()
                }
            }

            fn decapsulate(&self, key: &Self::DecapsulationKey, ciphertext: &[u8]) -> SharedKey {
                let mut shared_key = [0; 32];
                let (at, len) = (ciphertext.as_ptr(), ciphertext.len());
                // SAFETY: the ciphertext goes with its length; writes 32 bytes.
                let code = unsafe { sys::$decap(shared_key.as_mut_ptr(), at, len, key) };
                assert_eq!(code, 1, "the ciphertext has the right length");
                shared_key
            }

            fn parse(&self, encoded: &[u8]) -> Self::EncapsulationKey {
                let mut key = MaybeUninit::uninit();
                let mut reader = sys::cbs_init(encoded);
                // SAFETY: the reader's bytes are live; writes the key as a whole if it is valid, which is checked.
                unsafe {
                    let code = sys::$parse(key.as_mut_ptr(), &mut reader);
                    assert_eq!(code, 1, "the key is valid");
                    key.assume_init()
                }
            }

            fn encapsulate(
                &self,
                key: &Self::EncapsulationKey,
                ciphertext: &mut [u8],
            ) -> SharedKey {
                let mut shared_key = [0; 32];
                // SAFETY: writes the ciphertext, for which there is room, and 32 bytes.
                unsafe { sys::$encap(ciphertext.as_mut_ptr(), shared_key.as_mut_ptr(), key) };
                shared_key
            }
        }
    };
}
ml_kem!(
    MlKem768,
    MLKEM768_private_key,
    MLKEM768_public_key,
    MLKEM768_generate_key,
    MLKEM768_decap,
    MLKEM768_parse_public_key,
    MLKEM768_encap
);
ml_kem!(
    MlKem1024,
    MLKEM1024_private_key,
    MLKEM1024_public_key,
    MLKEM1024_generate_key,
    MLKEM1024_decap,
    MLKEM1024_parse_public_key,
    MLKEM1024_encap
);
