//! Messages in pieces against messages in one piece that RustCrypto made.

#![cfg(feature = "hazmat")]

use aead_chacha_poly::{
    Backend, ChaCha20Poly1305, XChaCha20Poly1305,
    aead::{AeadInOut, Error, KeyInit, inout::InOutBuf},
    hazmat::{Open, Seal},
};
use proptest::prelude::*;

const KEY: [u8; 32] = *b"a key of thirty-two bytes, exact";

#[test]
fn debug_shows_no_secret() {
    let cipher = ChaCha20Poly1305::new_with_backend(Backend::soft(), &KEY.into()).unwrap();
    let nonce = [1; 12].into();
    let seal = Seal::new(&cipher, &nonce, b"").unwrap();
    let mut open = Open::new(&cipher, &nonce, b"").unwrap();
    assert_eq!(format!("{seal:?} {open:?}"), "Seal { .. } Open { .. }");
    let mut piece = *b"secret";
    let unverified = open.update(piece[..].as_mut().into()).unwrap();
    assert_eq!(format!("{unverified:?}"), "Unverified { .. }");
}

proptest! {
    #[test]
    fn any_split(
        pieces in prop::collection::vec(prop_oneof![0usize..70, 200usize..900], 0..6),
        associated_data in prop::collection::vec(any::<u8>(), 0..40),
        place: prop::sample::Index,
    ) {
        let length = pieces.iter().sum();
        let plaintext: Vec<u8> = (0..length).map(|i: usize| (i * 151) as u8).collect();
        for backend in Backend::available() {
            let cipher = XChaCha20Poly1305::new_with_backend(backend, &KEY.into()).unwrap();
            let nonce = [7; 24].into();
            let mut expected = plaintext.clone();
            let tag = chacha20poly1305::XChaCha20Poly1305::new(&KEY.into())
                .encrypt_inout_detached(&nonce, &associated_data, expected[..].as_mut().into())
                .unwrap();

            let mut sealed = vec![0; length];
            let mut seal = Seal::new(&cipher, &nonce, &associated_data).unwrap();
            let mut at = 0;
            for &n in &pieces {
                let (from, to) = (&plaintext[at..at + n], &mut sealed[at..at + n]);
                seal.update(InOutBuf::new(from, to).unwrap()).unwrap();
                at += n;
            }
            prop_assert_eq!(&sealed, &expected, "{}", backend);
            prop_assert_eq!(seal.finish(), tag, "{}", backend);

            let mut wrong_tag = tag;
            wrong_tag[place.index(16)] ^= 1;
            for (tag, verdict) in [(tag, Ok(())), (wrong_tag, Err(Error))] {
                let mut opened = sealed.clone();
                let mut open = Open::new(&cipher, &nonce, &associated_data).unwrap();
                let mut rest = &mut opened[..];
                let mut at = 0;
                for &n in &pieces {
                    let (piece, more) = rest.split_at_mut(n);
                    let piece = open.update(piece.into()).unwrap().expose_unverified();
                    prop_assert_eq!(&*piece, &plaintext[at..at + n]);
                    (at, rest) = (at + n, more);
                }
                prop_assert_eq!(open.finish(&tag), verdict, "{}", backend);
            }
        }
    }
}
