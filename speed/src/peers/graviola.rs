//! graviola: both AEADs. It has no portable code: some CPUs it cannot run on.

use graviola::aead::{ChaCha20Poly1305, XChaCha20Poly1305};

use crate::{
    ops::aead::{self, Variant},
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
}
