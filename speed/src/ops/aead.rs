//! ChaCha20-Poly1305 (RFC 8439, section 2.8) and its form with a 24-byte nonce, with a TLS record's 13 bytes of
//! additional data.

use std::{hint::black_box, rc::Rc};

use aead::{AeadInOut, KeyInit, Nonce, array::Array, consts::U16};

use crate::{
    data,
    suite::{Implementation, Operation, Suite},
};

pub(crate) use super::SIZES;

/// A tag.
pub(crate) type Tag = [u8; 16];

/// Which construction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variant {
    ChaCha20Poly1305,
    XChaCha20Poly1305,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Self::ChaCha20Poly1305 => "ChaCha20-Poly1305",
            Self::XChaCha20Poly1305 => "XChaCha20-Poly1305",
        }
    }
}

/// The fixed key.
pub(crate) fn key() -> [u8; 32] {
    data::array(7)
}

/// The fixed nonce: 12 or 24 bytes.
pub(crate) fn nonce<const N: usize>() -> [u8; N] {
    data::array(8)
}

/// The fixed additional data.
pub(crate) fn aad() -> [u8; 13] {
    data::array(9)
}

/// Enters sealing in place under a key that is set up, with the tag apart.
pub(crate) fn seal(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    bytes: usize,
    seal: impl FnMut(&mut [u8]) -> Tag + 'static,
) {
    seal_as("seal", suite, who, variant, bytes, seal);
}

fn seal_as(
    action: &'static str,
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    bytes: usize,
    mut seal: impl FnMut(&mut [u8]) -> Tag + 'static,
) {
    let operation = Operation::bulk(variant.name(), action, bytes);
    if !suite.wants(&operation) {
        return;
    }
    let mut buffer = data::message(bytes);
    let tag = seal(&mut buffer);
    let output = [&buffer[..], &tag].concat();
    suite.enter(
        who,
        operation,
        &output,
        &sealed(variant, bytes),
        move || {
            black_box(seal(black_box(&mut buffer)));
        },
    );
}

/// Enters opening in place of a buffer that holds the ciphertext and then the tag; the plaintext takes the
/// ciphertext's place.
///
/// Opening destroys the ciphertext, so every call begins with a copy of both, which is measured with the call: the
/// same `copy_from_slice` for every implementation. A tag that is refused is a wrong output.
pub(crate) fn open_joined(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    bytes: usize,
    mut open: impl FnMut(&mut [u8]) -> bool + 'static,
) {
    let operation = Operation::bulk(variant.name(), "open", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let joined = sealed(variant, bytes);
    let mut buffer = joined.clone();
    let output = if open(&mut buffer) {
        buffer[..bytes].to_vec()
    } else {
        Vec::new()
    };
    suite.enter(who, operation, &output, &data::message(bytes), move || {
        buffer.copy_from_slice(&joined);
        black_box(open(black_box(&mut buffer)));
    });
}

/// Enters opening in place, as [`open_joined`] does, for an implementation that takes the tag apart.
pub(crate) fn open(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    bytes: usize,
    mut open: impl FnMut(&mut [u8], &Tag) -> bool + 'static,
) {
    open_joined(suite, who, variant, bytes, move |joined| {
        joined
            .split_last_chunk_mut()
            .is_some_and(|(ciphertext, tag)| open(ciphertext, tag))
    });
}

/// Enters sealing from one buffer to another, for an implementation that cannot work in place.
#[cfg(feature = "libcrux")]
pub(crate) fn seal_apart(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    bytes: usize,
    mut seal: impl FnMut(&[u8], &mut [u8]) -> Tag + 'static,
) {
    let operation = Operation::bulk(variant.name(), "seal", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let message = data::message(bytes);
    let mut buffer = vec![0; bytes];
    let tag = seal(&message, &mut buffer);
    let output = [&buffer[..], &tag].concat();
    suite.enter(
        who,
        operation,
        &output,
        &sealed(variant, bytes),
        move || {
            black_box(seal(black_box(&message), black_box(&mut buffer)));
        },
    );
}

/// Enters opening from one buffer to another. The ciphertext is copied first all the same, as in [`open_joined`].
#[cfg(feature = "libcrux")]
pub(crate) fn open_apart(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    bytes: usize,
    mut open: impl FnMut(&[u8], &Tag, &mut [u8]) -> bool + 'static,
) {
    let operation = Operation::bulk(variant.name(), "open", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let joined = sealed(variant, bytes);
    let mut copy = joined.clone();
    let mut buffer = vec![0; bytes];
    let mut open = move |joined: &[u8], buffer: &mut [u8]| {
        joined
            .split_last_chunk()
            .is_some_and(|(ciphertext, tag)| open(ciphertext, tag, buffer))
    };
    let output = if open(&copy, &mut buffer) {
        buffer.clone()
    } else {
        Vec::new()
    };
    suite.enter(who, operation, &output, &data::message(bytes), move || {
        copy.copy_from_slice(&joined);
        black_box(open(black_box(&copy), black_box(&mut buffer)));
    });
}

/// What RustCrypto's `chacha20poly1305` makes of the message: the ciphertext, then the tag.
fn sealed(variant: Variant, bytes: usize) -> Vec<u8> {
    use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
    let mut buffer = data::message(bytes);
    let tag = match variant {
        Variant::ChaCha20Poly1305 => {
            let cipher = ChaCha20Poly1305::new(&key().into());
            seal_in_place(&cipher, &nonce_of::<ChaCha20Poly1305>(), &mut buffer)
        }
        Variant::XChaCha20Poly1305 => {
            let cipher = XChaCha20Poly1305::new(&key().into());
            seal_in_place(&cipher, &nonce_of::<XChaCha20Poly1305>(), &mut buffer)
        }
    };
    buffer.extend(tag);
    buffer
}

/// The fixed nonce, of the length that a type wants.
fn nonce_of<C: AeadInOut>() -> Nonce<C> {
    let longest: [u8; 24] = nonce();
    Array::from_fn(|i| longest[i])
}

fn seal_in_place<C: AeadInOut<TagSize = U16>>(
    cipher: &C,
    nonce: &Nonce<C>,
    buffer: &mut [u8],
) -> Tag {
    cipher
        .encrypt_inout_detached(nonce, &aad(), buffer.into())
        .expect("the message is short enough")
        .into()
}

/// Enters sealing of every length for a type with the traits of the `aead` crate, under one key and under a key that
/// each call sets up and drops.
pub(crate) fn seals<C>(
    suite: &mut Suite,
    who: Implementation,
    variant: Variant,
    new: impl Fn() -> C + Copy + 'static,
) where
    C: AeadInOut<TagSize = U16> + 'static,
{
    let cipher = Rc::new(new());
    for bytes in SIZES {
        let (cipher, nonce) = (Rc::clone(&cipher), nonce_of::<C>());
        seal(suite, who, variant, bytes, move |buffer| {
            seal_in_place(black_box(&*cipher), black_box(&nonce), buffer)
        });
    }
    for bytes in SIZES {
        let nonce = nonce_of::<C>();
        seal_as("setup + seal", suite, who, variant, bytes, move |buffer| {
            seal_in_place(black_box(&new()), black_box(&nonce), buffer)
        });
    }
}

/// Enters opening of every length for a type with the traits of the `aead` crate.
pub(crate) fn opens<C>(suite: &mut Suite, who: Implementation, variant: Variant, cipher: C)
where
    C: AeadInOut<TagSize = U16> + 'static,
{
    let cipher = Rc::new(cipher);
    for bytes in SIZES {
        let (cipher, nonce) = (Rc::clone(&cipher), nonce_of::<C>());
        open(suite, who, variant, bytes, move |buffer, tag| {
            black_box(&*cipher)
                .decrypt_inout_detached(black_box(&nonce), &aad(), buffer.into(), tag.into())
                .is_ok()
        });
    }
}
