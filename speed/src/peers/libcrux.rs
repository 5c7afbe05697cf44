//! libcrux: ChaCha20-Poly1305, from buffer to buffer, and Poly1305.

use libcrux_chacha20poly1305::{decrypt_detached, encrypt_detached};

use crate::{
    ops::{
        aead::{self, Variant},
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
}
