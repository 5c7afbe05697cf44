//! Poly1305 (RFC 8439, section 2.5) alone.

use std::hint::black_box;

use universal_hash::KeyInit;

use crate::{
    data,
    suite::{Implementation, Operation, Suite},
};

pub(crate) use super::SIZES;

/// A tag.
pub(crate) type Tag = [u8; 16];

/// Enters authenticating one message in one piece. Every call takes the key anew.
pub(crate) fn authenticate(
    suite: &mut Suite,
    who: Implementation,
    bytes: usize,
    mut tag: impl FnMut(&[u8; 32], &[u8]) -> Tag + 'static,
) {
    let operation = Operation::bulk("Poly1305", "", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let key: [u8; 32] = data::array(6);
    let message = data::message(bytes);
    let expected: Tag = poly1305::Poly1305::new(&key.into())
        .compute_unpadded(&message)
        .into();
    let output = tag(&key, &message);
    suite.enter(who, operation, &output, &expected, move || {
        black_box(tag(black_box(&key), black_box(&message)));
    });
}
