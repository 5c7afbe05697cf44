//! libsodium: ChaCha20-Poly1305 and its form with a 24-byte nonce, ChaCha20, Poly1305.

use std::ptr::{null, null_mut};

use libsodium_sys as sys;

use crate::{
    ops::{
        aead::{self, Variant},
        chacha20, poly1305,
    },
    suite::{Implementation, Suite},
};

pub(super) fn enter(suite: &mut Suite) {
    // SAFETY: the function has no conditions.
    let code = unsafe { sys::sodium_init() };
    assert!(code >= 0, "libsodium can be set up");
    let who = Implementation::peer("libsodium");
    for bytes in poly1305::SIZES {
        poly1305::authenticate(suite, who, bytes, |key, message| {
            let mut tag = [0; 16];
            // SAFETY: the message goes with its length; tag and key have 16 and 32 bytes.
            unsafe {
                sys::crypto_onetimeauth_poly1305(
                    tag.as_mut_ptr(),
                    message.as_ptr(),
                    length(message),
                    key.as_ptr(),
                );
            }
            tag
        });
    }
    for bytes in chacha20::SIZES {
        chacha20::encrypt(suite, who, bytes, |key, nonce, message| {
            let data = message.as_mut_ptr();
            // SAFETY: the message goes with its length and may be its own output; nonce and key have 12 and 32 bytes.
            unsafe {
                sys::crypto_stream_chacha20_ietf_xor(
                    data,
                    data,
                    length(message),
                    nonce.as_ptr(),
                    key.as_ptr(),
                );
            }
        });
    }
    enter_aead::<12>(
        suite,
        who,
        Variant::ChaCha20Poly1305,
        sys::crypto_aead_chacha20poly1305_ietf_encrypt_detached,
        sys::crypto_aead_chacha20poly1305_ietf_decrypt_detached,
    );
    enter_aead::<24>(
        suite,
        who,
        Variant::XChaCha20Poly1305,
        sys::crypto_aead_xchacha20poly1305_ietf_encrypt_detached,
        sys::crypto_aead_xchacha20poly1305_ietf_decrypt_detached,
    );
}

/// Ciphertext, tag and its length; plaintext, additional data, each with its length; no secret nonce, nonce, key.
type Seal = unsafe extern "C" fn(
    *mut u8,
    *mut u8,
    *mut u64,
    *const u8,
    u64,
    *const u8,
    u64,
    *const u8,
    *const u8,
    *const u8,
) -> i32;

/// Plaintext, no secret nonce; ciphertext with its length, tag, additional data with its length; nonce, key.
type Open = unsafe extern "C" fn(
    *mut u8,
    *mut u8,
    *const u8,
    u64,
    *const u8,
    *const u8,
    u64,
    *const u8,
    *const u8,
) -> i32;

fn enter_aead<const N: usize>(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    seal: Seal,
    open: Open,
) {
    let (key, nonce, aad) = (aead::key(), aead::nonce::<N>(), aead::aad());
    for bytes in aead::SIZES {
        aead::seal(suite, who, variant, bytes, move |buffer| {
            let mut tag = [0; 16];
            let data = buffer.as_mut_ptr();
            // SAFETY: the message goes with its length and may be its own output, so does the additional data; tag, key
            // and nonce have the lengths of the construction; the null pointers are for what it does not use.
            let code = unsafe {
                seal(
                    data,
                    tag.as_mut_ptr(),
                    null_mut(),
                    data,
                    length(buffer),
                    aad.as_ptr(),
                    length(&aad),
                    null(),
                    nonce.as_ptr(),
                    key.as_ptr(),
                )
            };
            assert_eq!(code, 0, "sealing does not fail");
            tag
        });
        aead::open(suite, who, variant, bytes, move |buffer, tag| {
            let data = buffer.as_mut_ptr();
            // SAFETY: as for sealing.
            let code = unsafe {
                open(
                    data,
                    null_mut(),
                    data,
                    length(buffer),
                    tag.as_ptr(),
                    aad.as_ptr(),
                    length(&aad),
                    nonce.as_ptr(),
                    key.as_ptr(),
                )
            };
            code == 0
        });
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).expect("a length has 64 bits")
}
