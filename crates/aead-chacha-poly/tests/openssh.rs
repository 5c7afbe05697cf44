//! The example program for `chacha20-poly1305@openssh.com` against the same put together of RustCrypto's primitives, as
//! OpenSSH's PROTOCOL.chacha20poly1305 says.

#[path = "../examples/openssh.rs"]
mod example;

use chacha20::{
    ChaCha20Legacy,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};
use poly1305::{Poly1305, universal_hash::KeyInit};

fn keystream(key: &[u8; 32], sequence: u32, from: u32, bytes: usize) -> Vec<u8> {
    let mut nonce = [0; 8];
    nonce[4..].copy_from_slice(&sequence.to_be_bytes());
    let mut cipher = ChaCha20Legacy::new(key.into(), &nonce.into());
    cipher.seek(from);
    let mut out = vec![0; bytes];
    cipher.apply_keystream(&mut out);
    out
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

#[test]
fn runs() {
    example::main().unwrap();
}

#[test]
fn equals_rustcrypto() {
    let keys: [u8; 64] = core::array::from_fn(|i| (i * 151) as u8);
    let cipher = example::Cipher::new(&keys);
    let packet_key = keys.first_chunk().unwrap();
    let length_key = keys.last_chunk().unwrap();
    for (sequence, bytes) in [
        (0, 0),
        (7, 1),
        (255, 8),
        (0x0102_0304, 1400),
        (u32::MAX, 35_000),
    ] {
        let packet: Vec<u8> = (0..bytes).map(|i| (i * 89) as u8).collect();
        let length = (bytes as u32).to_be_bytes();
        let mut expected = xor(&length, &keystream(length_key, sequence, 0, 4));
        expected.extend(xor(&packet, &keystream(packet_key, sequence, 64, bytes)));
        let mac_key = keystream(packet_key, sequence, 0, 32);
        let mac = Poly1305::new_from_slice(&mac_key).unwrap();
        let tag = mac.compute_unpadded(&expected);
        expected.extend(tag);

        assert_eq!(cipher.seal(sequence, &packet).unwrap(), expected);
        let start = *expected.first_chunk().unwrap();
        assert_eq!(cipher.unverified_length(sequence, start), bytes);
        assert_eq!(cipher.open(sequence, &expected).unwrap(), packet);
        for place in [0, 3, expected.len() - 17, expected.len() - 1] {
            let mut wrong = expected.clone();
            wrong[place] ^= 0x20;
            assert!(cipher.open(sequence, &wrong).is_err(), "byte {place}");
        }
    }
}
