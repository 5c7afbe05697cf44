//! ChaCha20 (RFC 8439, section 2.4) alone.

use std::hint::black_box;

use cipher::{KeyIvInit, StreamCipher};

use crate::{
    data,
    suite::{Implementation, Operation, Suite},
};

pub(crate) use super::SIZES;

/// The fixed key.
pub(crate) fn key() -> [u8; 32] {
    data::array(4)
}

/// The fixed nonce.
pub(crate) fn nonce() -> [u8; 12] {
    data::array(5)
}

/// Enters encryption in place from block 0. Every call takes the key and the nonce anew.
pub(crate) fn encrypt(
    suite: &mut Suite,
    who: Implementation,
    bytes: usize,
    mut apply: impl FnMut(&[u8; 32], &[u8; 12], &mut [u8]) + 'static,
) {
    let operation = Operation::bulk("ChaCha20", "encrypt", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let (key, nonce) = (key(), nonce());
    let mut expected = data::message(bytes);
    chacha20::ChaCha20::new(&key.into(), &nonce.into()).apply_keystream(&mut expected);

    let mut buffer = data::message(bytes);
    apply(&key, &nonce, &mut buffer);
    suite.enter(who, operation, &buffer.clone(), &expected, move || {
        apply(black_box(&key), black_box(&nonce), black_box(&mut buffer));
    });
}

/// Enters every length for a type with the traits of the `cipher` crate.
pub(crate) fn stream_cipher<C: StreamCipher>(
    suite: &mut Suite,
    who: Implementation,
    new: impl Fn(&[u8; 32], &[u8; 12]) -> C + Copy + 'static,
) {
    for bytes in SIZES {
        encrypt(suite, who, bytes, move |key, nonce, message| {
            new(key, nonce).apply_keystream(message);
        });
    }
}
