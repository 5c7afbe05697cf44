//! Faults that were published in other implementations, as tests of this one.

use aead_chacha_poly::{
    Backend, ChaCha20Poly1305, Key, XChaCha20Poly1305,
    aead::{AeadInOut, KeyInit, Nonce, inout::InOutBuf},
};

const KEY: [u8; 32] = *b"a key of thirty-two bytes, exact";
const NONCE: [u8; 12] = *b"a nonce of 1";
const AAD: &[u8] = b"thirteen byte";

fn new(backend: Backend) -> ChaCha20Poly1305 {
    ChaCha20Poly1305::new_with_backend(backend, &KEY.into()).unwrap()
}

fn seal(plaintext: &[u8]) -> (Vec<u8>, [u8; 16]) {
    rustcrypto(AAD, plaintext)
}

/// Ciphertext and tag as RustCrypto makes them.
fn rustcrypto(aad: &[u8], plaintext: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let mut buf = plaintext.to_vec();
    let tag = chacha20poly1305::ChaCha20Poly1305::new(&KEY.into())
        .encrypt_inout_detached(&NONCE.into(), aad, buf[..].as_mut().into())
        .unwrap();
    (buf, tag.0)
}

/// CVE-2023-42811 (RustCrypto AEADs issue 551): with a wrong tag the plaintext stood in the buffer. Here the buffer
/// stays as it was, in place and buffer to buffer, whichever bit of ciphertext, tag or associated data is changed.
#[test]
fn buffer_after_a_wrong_tag() {
    let (ciphertext, tag) = seal(&[0x77; 150]);
    for backend in Backend::available() {
        let refused = |aad: &[u8], ciphertext: &[u8], tag: [u8; 16]| {
            let mut buf = ciphertext.to_vec();
            let in_place = new(backend).decrypt_inout_detached(
                &NONCE.into(),
                aad,
                buf[..].as_mut().into(),
                &tag.into(),
            );
            assert!(in_place.is_err());
            assert_eq!(buf, ciphertext);

            let mut out = vec![0x3c; ciphertext.len()];
            let to_buffer = new(backend).decrypt_inout_detached(
                &NONCE.into(),
                aad,
                InOutBuf::new(ciphertext, &mut out).unwrap(),
                &tag.into(),
            );
            assert!(to_buffer.is_err());
            assert_eq!(out, vec![0x3c; ciphertext.len()]);
        };
        for bit in 0..ciphertext.len() * 8 {
            let mut wrong = ciphertext.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            refused(AAD, &wrong, tag);
        }
        for bit in 0..128 {
            let mut wrong = tag;
            wrong[bit / 8] ^= 1 << (bit % 8);
            refused(AAD, &ciphertext, wrong);
        }
        for bit in 0..AAD.len() * 8 {
            let mut wrong = AAD.to_vec();
            wrong[bit / 8] ^= 1 << (bit % 8);
            refused(&wrong, &ciphertext, tag);
        }
        refused(&AAD[..12], &ciphertext, tag);
        refused(AAD, &ciphertext[..149], tag);
        refused(&[AAD, &[0]].concat(), &ciphertext, tag);
        refused(AAD, &[&ciphertext[..], &[0]].concat(), tag);
    }
}

/// The vector forms give nothing back, the buffer forms leave the buffer alone.
#[cfg(feature = "alloc")]
#[test]
fn attached_forms_after_a_wrong_tag() {
    use aead_chacha_poly::aead::{Aead, Payload};
    let (ciphertext, tag) = seal(&[0x77; 40]);
    for byte in 0..56 {
        let mut wrong = [&ciphertext[..], &tag].concat();
        wrong[byte] ^= 1;
        for backend in Backend::available() {
            let payload = Payload {
                msg: &wrong,
                aad: AAD,
            };
            assert!(new(backend).decrypt(&NONCE.into(), payload).is_err());
            let mut buffer = wrong.clone();
            assert!(
                new(backend)
                    .decrypt_in_place(&NONCE.into(), AAD, &mut buffer)
                    .is_err()
            );
            assert_eq!(buffer, wrong);
        }
    }
}

/// libcrux e7d3bd834: a panic for a ciphertext of the wrong length. Shorter than a tag, or cut anywhere: an error.
#[cfg(feature = "alloc")]
#[test]
fn short_ciphertexts() {
    use aead_chacha_poly::aead::{Aead, Payload};
    let (ciphertext, tag) = seal(&[0x77; 40]);
    let sealed = [&ciphertext[..], &tag].concat();
    for len in 0..sealed.len() {
        for backend in Backend::available() {
            let payload = Payload {
                msg: &sealed[..len],
                aad: AAD,
            };
            assert!(new(backend).decrypt(&NONCE.into(), payload).is_err());
            let mut buffer = sealed[..len].to_vec();
            assert!(
                new(backend)
                    .decrypt_in_place(&NONCE.into(), AAD, &mut buffer)
                    .is_err()
            );
            assert_eq!(buffer, sealed[..len]);
        }
    }
}

/// The same fault with output buffers that are 1 to 32 bytes longer or shorter than the input: refused and left alone. What
/// has so many bytes more or less than was sealed is refused, and nothing around the output is written.
#[test]
fn lengths_that_do_not_fit() {
    for len in [40, 500, 2100] {
        let plaintext = vec![0x77; len];
        let (ciphertext, tag) = seal(&plaintext);
        for n in 1..=32 {
            let mut out = vec![0x3c; len + n];
            assert!(InOutBuf::new(&ciphertext, &mut out).is_err());
            assert!(InOutBuf::new(&ciphertext, &mut out[..len - n]).is_err());
            let longer = [&ciphertext[..], &[0; 32][..n]].concat();
            for backend in Backend::available() {
                let cipher = new(backend);
                let mut open = |input: &[u8], at: usize| {
                    let data = InOutBuf::new(input, &mut out[at..][..input.len()]).unwrap();
                    cipher.decrypt_inout_detached(&NONCE.into(), AAD, data, &tag.into())
                };
                assert!(open(&longer, 0).is_err(), "{backend}, {len} + {n}");
                assert!(open(&ciphertext[..len - n], 0).is_err(), "{backend}");
                assert!(open(&ciphertext[n..], 0).is_err(), "{backend}");
                let untouched = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0x3c);
                open(&ciphertext, n).unwrap();
                let (before, opened) = out.split_at_mut(n);
                assert!(untouched(before), "{backend}, {len} + {n}");
                assert_eq!(opened, plaintext, "{backend}");
                opened.fill(0x3c);
                let data = InOutBuf::new(&plaintext, &mut out[..len]).unwrap();
                let made = cipher.encrypt_inout_detached(&NONCE.into(), AAD, data);
                assert_eq!(made.unwrap().0, tag, "{backend}");
                let (sealed, behind) = out.split_at_mut(len);
                assert_eq!(sealed, ciphertext, "{backend}");
                assert!(untouched(behind), "{backend}, {len} + {n}");
                sealed.fill(0x3c);
            }
        }
    }
}

/// OpenSSL CVE-2019-1543: nonces of up to 16 bytes were taken and cut. A nonce has one length.
#[test]
fn nonce_and_key_lengths() {
    for len in 0..=40 {
        let bytes = vec![0; len];
        assert_eq!(
            Nonce::<ChaCha20Poly1305>::try_from(&bytes[..]).is_ok(),
            len == 12
        );
        assert_eq!(
            Nonce::<XChaCha20Poly1305>::try_from(&bytes[..]).is_ok(),
            len == 24
        );
        assert_eq!(ChaCha20Poly1305::new_from_slice(&bytes).is_ok(), len == 32);
    }
}

/// golang/crypto issue 75968: associated data that lies inside the input.
#[test]
fn associated_data_inside_the_input() {
    let input: Vec<u8> = (0..200).collect();
    for backend in Backend::available() {
        let mut out = vec![0; 200];
        let tag = new(backend)
            .encrypt_inout_detached(
                &NONCE.into(),
                &input[50..90],
                InOutBuf::new(&input, &mut out).unwrap(),
            )
            .unwrap();
        assert_eq!(
            (out, tag.0),
            rustcrypto(&input[50..90], &input),
            "{backend}"
        );
    }
}

/// RustCrypto ml-kem issue 394: `Debug` printed a secret.
#[test]
fn debug_shows_no_secret() {
    let cipher = ChaCha20Poly1305::new(&Key::default());
    assert_eq!(format!("{cipher:?}"), "ChaChaPoly1305 { .. }");
}

/// As `buffer_after_a_wrong_tag`, at the lengths where one kernel ends and the next begins: a bit of the ciphertext at
/// places all over it, of every byte of the tag, of the first, a middle and the last byte of associated data that goes
/// through vectors.
#[test]
fn wrong_bits_at_every_kernel() {
    let aad: Vec<u8> = (0..300).map(|i| (i * 151) as u8).collect();
    for len in [
        0usize, 64, 192, 320, 448, 832, 833, 960, 1472, 1984, 1985, 2368, 2369, 4100, 8193, 8640,
        8641,
    ] {
        let plaintext: Vec<u8> = (0..len).map(|i| (i * 89) as u8).collect();
        let (ciphertext, tag) = rustcrypto(&aad, &plaintext);
        let places = (0..len)
            .step_by(331)
            .chain((len.saturating_sub(81)..len).step_by(5));
        for backend in Backend::available() {
            let cipher = new(backend);
            let open = |aad: &[u8], input: &[u8], output: &mut [u8], tag: [u8; 16]| {
                let data = InOutBuf::new(input, output).unwrap();
                cipher.decrypt_inout_detached(&NONCE.into(), aad, data, &tag.into())
            };
            let mut out = vec![0x3c; len];
            open(&aad, &ciphertext, &mut out, tag).unwrap();
            assert_eq!(out, plaintext, "{backend}, {len} bytes");

            out.fill(0x3c);
            let mut buf = ciphertext.clone();
            for place in places.clone() {
                buf[place] ^= 1 << (place % 8);
                let wrong = buf.clone();
                let in_place = cipher.decrypt_inout_detached(
                    &NONCE.into(),
                    &aad,
                    buf[..].as_mut().into(),
                    &tag.into(),
                );
                assert!(in_place.is_err(), "{backend}, byte {place} of {len}");
                assert_eq!(buf, wrong, "{backend}, byte {place} of {len}");
                assert!(open(&aad, &buf, &mut out, tag).is_err());
                assert!(out.iter().all(|&byte| byte == 0x3c));
                buf[place] ^= 1 << (place % 8);
            }
            for place in 0..16 {
                let mut tag = tag;
                tag[place] ^= 0x80 >> (place % 8);
                assert!(open(&aad, &ciphertext, &mut out, tag).is_err());
            }
            for place in [0, 150, 299] {
                let mut aad = aad.clone();
                aad[place] ^= 4;
                assert!(open(&aad, &ciphertext, &mut out, tag).is_err());
            }
            assert!(out.iter().all(|&byte| byte == 0x3c), "{backend}, {len}");
        }
    }
}
