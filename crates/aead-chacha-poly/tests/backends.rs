//! Every back end against RustCrypto's `chacha20poly1305`.

use aead_chacha_poly::{
    Backend, ChaCha20Poly1305, Key, XChaCha20Poly1305,
    aead::{AeadInOut, KeyInit, inout::InOutBuf},
};
use proptest::prelude::*;

/// Bytes without a pattern that a fault could hide in.
fn message(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i as u8).wrapping_mul(151) ^ (i >> 8) as u8)
        .collect()
}

const KEY: [u8; 32] = *b"a key of thirty-two bytes, exact";
const NONCE: [u8; 12] = *b"a nonce of 1";

fn new(backend: Backend) -> ChaCha20Poly1305 {
    ChaCha20Poly1305::new_with_backend(backend, &KEY.into()).unwrap()
}

/// Ciphertext and tag as RustCrypto makes them.
fn rustcrypto(aad: &[u8], plaintext: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let mut buf = plaintext.to_vec();
    let tag = chacha20poly1305::ChaCha20Poly1305::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), aad, buf[..].as_mut().into())
        .unwrap();
    (buf, tag.0)
}

#[test]
fn names_and_choice() {
    assert!(Backend::available().any(|b| b == Backend::detect()));
    assert!(Backend::available().any(|b| b == Backend::soft()));
    for backend in Backend::ALL {
        if !backend.is_available() {
            println!("skipped: {backend} (not on this CPU)");
        }
        let cipher = ChaCha20Poly1305::new_with_backend(*backend, &Key::default());
        assert_eq!(
            cipher.map(|c| c.backend()),
            backend.is_available().then_some(*backend)
        );
        assert_eq!(backend.to_string(), backend.name());
    }
    assert_eq!(
        ChaCha20Poly1305::new(&Key::default()).backend(),
        Backend::detect()
    );
}

/// Lengths 0..=4300 (over the chunk in which encryption and authentication take turns) and some around its multiples,
/// at changing offsets of the buffers, in place and buffer to buffer, seal and open.
#[test]
fn every_length() {
    let input = message(20_000);
    let around_chunks = [
        8191, 8192, 8193, 8255, 8256, 8511, 8512, 8575, 8576, 8577, 8639, 8640, 8641, 8704, 9024,
        9025, 9153, 10_177, 10_240, 12_288, 16_320, 16_384, 16_385, 16_704, 16_705, 16_832, 16_833,
        17_500,
    ];
    let sparse = std::env::var_os("SPARSE_TESTS").is_some();
    // Under emulators every seventh, and those around the ends of blocks.
    let taken = |len: &usize| !sparse || len.is_multiple_of(7) || (len + 1) % 64 <= 2;
    for len in (0..=4300).filter(taken).chain(around_chunks) {
        let offset = len % 16;
        let (plaintext, aad) = (&input[offset..][..len], &input[100..][..len % 40]);
        let (ciphertext, tag) = rustcrypto(aad, plaintext);
        for backend in Backend::available() {
            let cipher = new(backend);
            let mut buf = vec![0; len + 16];
            let buf = &mut buf[15 - offset..][..len];

            let made = cipher
                .encrypt_inout_detached(&NONCE.into(), aad, InOutBuf::new(plaintext, buf).unwrap())
                .unwrap();
            assert_eq!(
                (&*buf, made.0),
                (&ciphertext[..], tag),
                "{backend}, {len} bytes"
            );
            buf.copy_from_slice(plaintext);
            let made = cipher
                .encrypt_inout_detached(&NONCE.into(), aad, buf.into())
                .unwrap();
            assert_eq!(
                (&*buf, made.0),
                (&ciphertext[..], tag),
                "{backend}, {len} bytes, in place"
            );

            let tag = tag.into();
            cipher
                .decrypt_inout_detached(&NONCE.into(), aad, buf.into(), &tag)
                .unwrap();
            assert_eq!(buf, plaintext, "{backend}, {len} bytes, in place");
            buf.fill(0);
            let data = InOutBuf::new(&ciphertext, buf).unwrap();
            cipher
                .decrypt_inout_detached(&NONCE.into(), aad, data, &tag)
                .unwrap();
            assert_eq!(buf, plaintext, "{backend}, {len} bytes");
        }
    }
}

/// Every length of associated data up to 100 bytes, and longer ones with every number of blocks that vectors begin with, with messages of every length modulo 16.
#[test]
fn associated_data() {
    let input = message(5000);
    for aad_len in (0..=100)
        .chain((192..=720).step_by(15))
        .chain([1000, 4096, 5000])
    {
        let aad = &input[..aad_len];
        for len in 0..=16 {
            let (ciphertext, tag) = rustcrypto(aad, &input[..len]);
            for backend in Backend::available() {
                let mut buf = input[..len].to_vec();
                let made = new(backend)
                    .encrypt_inout_detached(&NONCE.into(), aad, buf[..].as_mut().into())
                    .unwrap();
                assert_eq!((buf, made.0), (ciphertext.clone(), tag), "{backend}");
            }
        }
    }
}

/// The attached forms: vectors, and buffers in place.
#[cfg(feature = "alloc")]
#[test]
fn attached() {
    use aead_chacha_poly::aead::{Aead, Payload};
    let (msg, aad) = (&message(100)[..], &message(20)[..]);
    let (ciphertext, tag) = rustcrypto(aad, msg);
    let sealed = [&ciphertext[..], &tag].concat();
    for backend in Backend::available() {
        let cipher = new(backend);
        let made = cipher.encrypt(&NONCE.into(), Payload { msg, aad }).unwrap();
        assert_eq!(made, sealed);
        assert_eq!(
            cipher
                .decrypt(&NONCE.into(), Payload { msg: &made, aad })
                .unwrap(),
            msg
        );
        let mut buffer = msg.to_vec();
        cipher
            .encrypt_in_place(&NONCE.into(), aad, &mut buffer)
            .unwrap();
        assert_eq!(buffer, sealed);
        cipher
            .decrypt_in_place(&NONCE.into(), aad, &mut buffer)
            .unwrap();
        assert_eq!(buffer, msg);
    }
}

/// The buffers of `arrayvec`, which can be full: then there is no room for the tag, and the message stays as it was.
#[cfg(feature = "arrayvec")]
#[test]
fn array_vec() {
    use aead_chacha_poly::aead::arrayvec::ArrayVec;
    let (plaintext, aad) = (&message(100)[..], &message(20)[..]);
    let (ciphertext, tag) = rustcrypto(aad, plaintext);
    for backend in Backend::available() {
        let mut buffer = ArrayVec::<u8, 116>::try_from(plaintext).unwrap();
        let nonce = NONCE.into();
        new(backend)
            .encrypt_in_place(&nonce, aad, &mut buffer)
            .unwrap();
        assert_eq!(buffer[..], [&ciphertext[..], &tag].concat(), "{backend}");
        let sealed = buffer.clone();
        buffer[3] ^= 1;
        let opened = new(backend).decrypt_in_place(&nonce, aad, &mut buffer);
        assert!(opened.is_err(), "{backend}");
        buffer[3] ^= 1;
        assert_eq!(buffer, sealed, "{backend}");
        new(backend)
            .decrypt_in_place(&nonce, aad, &mut buffer)
            .unwrap();
        assert_eq!(buffer[..], *plaintext, "{backend}");

        let mut full = ArrayVec::<u8, 115>::try_from(plaintext).unwrap();
        let made = new(backend).encrypt_in_place(&nonce, aad, &mut full);
        assert!(made.is_err(), "{backend}");
        assert_eq!(full[..], *plaintext, "{backend}");
    }
}

/// The buffers of `bytes`.
#[cfg(feature = "bytes")]
#[test]
fn bytes_mut() {
    use aead_chacha_poly::aead::bytes::BytesMut;
    let (plaintext, aad) = (&message(100)[..], &message(20)[..]);
    let (ciphertext, tag) = rustcrypto(aad, plaintext);
    for backend in Backend::available() {
        let mut buffer = BytesMut::from(plaintext);
        new(backend)
            .encrypt_in_place(&NONCE.into(), aad, &mut buffer)
            .unwrap();
        assert_eq!(buffer[..], [&ciphertext[..], &tag].concat(), "{backend}");
        new(backend)
            .decrypt_in_place(&NONCE.into(), aad, &mut buffer)
            .unwrap();
        assert_eq!(buffer[..], *plaintext, "{backend}");
    }
}

macro_rules! equals_rustcrypto {
    ($($(#[$meta:meta])* $name:ident($nonce:literal): $type:ident;)*) => {
        proptest! {$(
            $(#[$meta])*
            #[test]
            fn $name(
                key: [u8; 32],
                nonce: [u8; $nonce],
                aad in prop::collection::vec(any::<u8>(), 0..70),
                plaintext in prop::collection::vec(any::<u8>(), 0..700),
            ) {
                let mut expected = plaintext.clone();
                let tag = chacha20poly1305::$type::new(&key.into())
                    .encrypt_inout_detached(&nonce.into(), &aad, expected[..].as_mut().into())
                    .unwrap();
                for backend in Backend::available() {
                    let cipher = aead_chacha_poly::$type::new_with_backend(backend, &key.into()).unwrap();
                    let mut buf = plaintext.clone();
                    let made = cipher
                        .encrypt_inout_detached(&nonce.into(), &aad, buf[..].as_mut().into())
                        .unwrap();
                    prop_assert_eq!(&buf, &expected);
                    prop_assert_eq!(made.0, tag.0);
                    cipher
                        .decrypt_inout_detached(&nonce.into(), &aad, buf[..].as_mut().into(), &made)
                        .unwrap();
                    prop_assert_eq!(&buf, &plaintext);
                }
            }
        )*}
    };
}
equals_rustcrypto! {
    chacha20_poly1305(12): ChaCha20Poly1305;
    xchacha20_poly1305(24): XChaCha20Poly1305;
}
#[cfg(feature = "reduced-round")]
equals_rustcrypto! {
    chacha12_poly1305(12): ChaCha12Poly1305;
    chacha8_poly1305(12): ChaCha8Poly1305;
    xchacha12_poly1305(24): XChaCha12Poly1305;
    xchacha8_poly1305(24): XChaCha8Poly1305;
}

/// Nothing but the nonce's length tells the types apart for a caller.
#[test]
fn clones_are_equal() {
    let cipher = XChaCha20Poly1305::new(&KEY.into());
    let (mut a, mut b) = ([1; 50], [1; 50]);
    let nonce = [2; 24].into();
    let tag = cipher
        .encrypt_inout_detached(&nonce, b"", (&mut a[..]).into())
        .unwrap();
    let same = cipher
        .clone()
        .encrypt_inout_detached(&nonce, b"", (&mut b[..]).into())
        .unwrap();
    assert_eq!((a, tag), (b, same));
}
