//! `chacha20-poly1305@openssh.com`: SSH's own AEAD (OpenSSH, PROTOCOL.chacha20poly1305), put together of the primitives
//! under this crate's AEAD.
//!
//! Two keys: one encrypts the length of a packet, so that a receiver can read it first; the other encrypts the packet
//! and makes, with block 0 of its keystream, the Poly1305 key. The nonce is the packet's sequence number, and Poly1305
//! covers length and packet as they go over the wire, without padding and without lengths of its own.

use chacha20_simd::{
    ChaCha20Legacy,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};
use core::error::Error;
use poly1305_simd::{Poly1305, universal_hash::KeyInit};

const LENGTH: usize = 4;
const TAG: usize = 16;

pub(crate) struct Cipher {
    packet_key: [u8; 32],
    length_key: [u8; 32],
}

impl Cipher {
    /// The key exchange gives 512 bits; the second half is the key for lengths.
    pub(crate) fn new(keys: &[u8; 64]) -> Self {
        let (packet_key, length_key) = keys.split_at(32);
        Self {
            packet_key: packet_key.try_into().expect("half of 64 bytes"),
            length_key: length_key.try_into().expect("half of 64 bytes"),
        }
    }

    fn length_stream(&self, sequence: u32) -> ChaCha20Legacy {
        ChaCha20Legacy::new(
            &self.length_key.into(),
            &u64::from(sequence).to_be_bytes().into(),
        )
    }

    /// The stream for the packet, which begins with block 1, and the authenticator made of block 0.
    fn packet_stream(&self, sequence: u32) -> (ChaCha20Legacy, Poly1305) {
        let nonce = u64::from(sequence).to_be_bytes();
        let mut stream = ChaCha20Legacy::new(&self.packet_key.into(), &nonce.into());
        let mut key = [0; 32];
        stream.apply_keystream(&mut key);
        stream.seek(64_u32);
        (stream, Poly1305::new(&key.into()))
    }

    /// What goes over the wire: encrypted length, encrypted packet, tag.
    pub(crate) fn seal(&self, sequence: u32, packet: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut wire = u32::try_from(packet.len())?.to_be_bytes().to_vec();
        self.length_stream(sequence).apply_keystream(&mut wire);
        wire.extend_from_slice(packet);
        let (mut stream, mac) = self.packet_stream(sequence);
        stream.apply_keystream(&mut wire[LENGTH..]);
        let tag = mac.compute_unpadded(&wire);
        wire.extend_from_slice(&tag);
        Ok(wire)
    }

    /// The length of the packet whose first bytes these are. It is not authenticated yet: check it against a limit, and
    /// use it for nothing but to wait for so many bytes.
    pub(crate) fn unverified_length(&self, sequence: u32, mut start: [u8; LENGTH]) -> usize {
        self.length_stream(sequence).apply_keystream(&mut start);
        u32::from_be_bytes(start) as usize
    }

    /// The packet, if it is genuine.
    pub(crate) fn open(&self, sequence: u32, wire: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let (sealed, tag) = wire.split_last_chunk::<TAG>().ok_or("too short")?;
        let (_, packet) = sealed.split_first_chunk::<LENGTH>().ok_or("too short")?;
        let (mut stream, mac) = self.packet_stream(sequence);
        let expected = mac.compute_unpadded(sealed);
        // In constant time, as every comparison of tags.
        let difference = u128::from_ne_bytes(expected.0) ^ u128::from_ne_bytes(*tag);
        if core::hint::black_box(difference) != 0 {
            return Err("not genuine".into());
        }
        let mut packet = packet.to_vec();
        stream.apply_keystream(&mut packet);
        Ok(packet)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let cipher = Cipher::new(&core::array::from_fn(|i| i as u8));
    for (sequence, packet) in (0..).zip([&b"\x05ignore"[..], b"", &[0x5e; 1400]]) {
        let mut wire = cipher.seal(sequence, packet)?;
        let start = wire.first_chunk().ok_or("too short")?;
        let length = cipher.unverified_length(sequence, *start);
        assert_eq!(LENGTH + length + TAG, wire.len());
        assert_eq!(cipher.open(sequence, &wire)?, packet);
        assert!(cipher.open(sequence + 1, &wire).is_err());
        wire[LENGTH - 1] ^= 1;
        assert!(cipher.open(sequence, &wire).is_err());
        println!(
            "packet {sequence}: {length} bytes, {} on the wire",
            wire.len()
        );
    }
    Ok(())
}
