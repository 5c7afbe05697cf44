//! RustCrypto's crates, called as a user would. They are always there: their outputs are the expected ones.

use chacha20::ChaCha20;
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use cipher::{KeyInit, KeyIvInit};
use poly1305::Poly1305;
use universal_hash::UniversalHash;

use crate::{
    ops::{
        aead::{self, Variant, opens, seals},
        aes::{KeySize, decryptor, encryptor},
        chacha20 as chacha20_ops, poly1305 as poly1305_ops,
    },
    suite::{Implementation, Suite},
};

/// What compiles RustCrypto's crates with their portable code alone. Nothing can force that at run time.
pub(crate) const SOFT_FLAGS: &str =
    r#"--cfg aes_backend="soft" --cfg chacha20_backend="soft" --cfg poly1305_backend="soft""#;

const AES_SOFT: bool = cfg!(aes_backend = "soft");
const CHACHA20_SOFT: bool = cfg!(chacha20_backend = "soft");
const POLY1305_SOFT: bool = cfg!(poly1305_backend = "soft");

/// Whether all of RustCrypto's crates were compiled with their portable code alone.
pub(crate) const SOFT: bool = AES_SOFT && CHACHA20_SOFT && POLY1305_SOFT;

const fn who(soft: bool) -> Implementation {
    Implementation {
        backend: if soft { Some("soft") } else { None },
        ..Implementation::peer("rustcrypto")
    }
}

pub(crate) fn enter(suite: &mut Suite) {
    macro_rules! aes {
        ($size:expr, $enc:ident, $dec:ident) => {
            encryptor(suite, who(AES_SOFT), $size, |key| {
                aes::$enc::new_from_slice(key).expect(KEY_LENGTH)
            });
            decryptor(suite, who(AES_SOFT), $size, |key| {
                aes::$dec::new_from_slice(key).expect(KEY_LENGTH)
            });
        };
    }
    const KEY_LENGTH: &str = "the key has the cipher's length";
    aes!(KeySize::Bits128, Aes128Enc, Aes128Dec);
    aes!(KeySize::Bits192, Aes192Enc, Aes192Dec);
    aes!(KeySize::Bits256, Aes256Enc, Aes256Dec);

    let aead = who(CHACHA20_SOFT && POLY1305_SOFT);
    let key = aead::key().into();
    seals(
        suite,
        aead,
        Variant::ChaCha20Poly1305,
        ChaCha20Poly1305::new(&key),
    );
    opens(
        suite,
        aead,
        Variant::ChaCha20Poly1305,
        ChaCha20Poly1305::new(&key),
    );
    seals(
        suite,
        aead,
        Variant::XChaCha20Poly1305,
        XChaCha20Poly1305::new(&key),
    );

    chacha20_ops::stream_cipher(suite, who(CHACHA20_SOFT), |key, nonce| {
        ChaCha20::new(key.into(), nonce.into())
    });

    for bytes in poly1305_ops::SIZES {
        poly1305_ops::authenticate(suite, who(POLY1305_SOFT), bytes, authenticate);
    }
}

/// RustCrypto's fastest way: `compute_unpadded` takes one block at a time, so it gets only what is left after the
/// whole blocks.
fn authenticate(key: &[u8; 32], message: &[u8]) -> poly1305_ops::Tag {
    let mut mac = Poly1305::new(key.into());
    let (blocks, rest) = poly1305::Block::slice_as_chunks(message);
    mac.update(blocks);
    if rest.is_empty() {
        mac.finalize()
    } else {
        mac.compute_unpadded(rest)
    }
    .into()
}
