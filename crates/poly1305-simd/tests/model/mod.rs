//! Poly1305 as RFC 8439, section 2.5.1, writes it, on numbers modulo p that are doubled and added bit by bit.

#![allow(dead_code, reason = "each test file uses a part of it")]

use core::cmp::Ordering;
use poly1305_simd::{Backend, OneTimeAuthenticator, Poly1305};

/// A number below p = 2^130 - 5, in 64-bit words, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residue([u64; 3]);

const P: [u64; 3] = [u64::MAX - 4, u64::MAX, 3];

impl Residue {
    /// `low + 2^128 high`, of which `high` must be below 8.
    pub(crate) fn new(low: u128, high: u64) -> Self {
        let mut r = Self([low as u64, (low >> 64) as u64, high]);
        while r.0.iter().rev().cmp(P.iter().rev()) != Ordering::Less {
            r.0 = subtract(r.0, P);
        }
        r
    }

    pub(crate) fn add(self, other: Self) -> Self {
        let mut carry = 0;
        let mut words = [0; 3];
        for (i, word) in words.iter_mut().enumerate() {
            let sum = u128::from(self.0[i]) + u128::from(other.0[i]) + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
        Self::new(u128::from(words[0]) | u128::from(words[1]) << 64, words[2])
    }

    pub(crate) fn neg(self) -> Self {
        let words = subtract(P, self.0);
        Self::new(u128::from(words[0]) | u128::from(words[1]) << 64, words[2])
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        let mut product = Self([0; 3]);
        for bit in (0..130).rev() {
            product = product.add(product);
            if other.0[bit / 64] >> (bit % 64) & 1 == 1 {
                product = product.add(self);
            }
        }
        product
    }

    /// The inverse: the power p - 2 = 2^130 - 7, whose bits are all ones but for 1 and 2.
    pub(crate) fn invert(self) -> Self {
        let mut power = Self::new(1, 0);
        for bit in (0..130).rev() {
            power = power.mul(power);
            if bit != 1 && bit != 2 {
                power = power.mul(self);
            }
        }
        power
    }

    /// The lower 128 bits, and the two above them.
    pub(crate) fn split(self) -> (u128, u64) {
        (
            u128::from(self.0[0]) | u128::from(self.0[1]) << 64,
            self.0[2],
        )
    }
}

fn subtract(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    let mut borrow = 0;
    let mut words = [0; 3];
    for (i, word) in words.iter_mut().enumerate() {
        let difference = i128::from(a[i]) - i128::from(b[i]) - borrow;
        *word = difference as u64;
        borrow = i128::from(difference < 0);
    }
    words
}

/// The key as two numbers, `r` clamped.
pub(crate) fn split_key(key: &[u8; 32]) -> (Residue, u128) {
    let mut r: [u8; 16] = key[..16].try_into().unwrap();
    for i in [3, 7, 11, 15] {
        r[i] &= 15;
    }
    for i in [4, 8, 12] {
        r[i] &= 252;
    }
    (
        Residue::new(u128::from_le_bytes(r), 0),
        u128::from_le_bytes(key[16..].try_into().unwrap()),
    )
}

/// The accumulator after a message.
pub(crate) fn accumulator(key: &[u8; 32], message: &[u8]) -> Residue {
    let (r, _) = split_key(key);
    let mut h = Residue::new(0, 0);
    for chunk in message.chunks(16) {
        let mut bytes = [0; 17];
        bytes[..chunk.len()].copy_from_slice(chunk);
        bytes[chunk.len()] = 1;
        let low = u128::from_le_bytes(bytes[..16].try_into().unwrap());
        h = h.add(Residue::new(low, bytes[16].into())).mul(r);
    }
    h
}

/// The tag of a message.
pub(crate) fn tag(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let (_, s) = split_key(key);
    accumulator(key, message)
        .split()
        .0
        .wrapping_add(s)
        .to_le_bytes()
}

/// So many blocks in one call, or more, no vector back end leaves to the portable one.
pub(crate) const MANY: usize = if cfg!(target_arch = "wasm32") {
    144
} else {
    32
};

/// A small generator of test data (Knuth's MMIX multiplier), upper bits only.
pub(crate) fn random_bytes(seed: &mut u64) -> [u8; 16] {
    core::array::from_fn(|_| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 56) as u8
    })
}

/// A key, and messages that leave its accumulator zero modulo p: what follows one of them has the tag that it has alone,
/// and ends in a vector back end.
pub(crate) struct Checked {
    key: [u8; 32],
    inverse_of_r: Residue,
    neutral: Vec<Vec<u8>>,
}

impl Checked {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        let zero = Residue::new(0, 0);
        let (r, _) = split_key(&key);
        let mut checked = Self {
            key,
            inverse_of_r: r.invert(),
            neutral: Vec::new(),
        };
        // Every rest of a division by a number of lanes, some also with a longer loop before it.
        for more in [0, 1, 2, 3, 4, 5, 6, 7, 11, 18] {
            let message = if r == zero {
                vec![0x5a; (MANY + more) * 16]
            } else {
                checked.ending_in(zero, MANY + more, &mut 3)
            };
            assert_eq!(accumulator(&key, &message), zero);
            checked.neutral.push(message);
        }
        checked
    }

    /// A message of so many blocks, three or more, after which the accumulator is `target`: random, but for the last
    /// block.
    pub(crate) fn ending_in(&self, target: Residue, blocks: usize, seed: &mut u64) -> Vec<u8> {
        let before_last = target.mul(self.inverse_of_r);
        // The last block must come out with 2^128 set and nothing above: one in four does.
        loop {
            let mut message: Vec<u8> = (1..blocks).flat_map(|_| random_bytes(seed)).collect();
            let h = accumulator(&self.key, &message);
            let (last, top) = before_last.add(h.neg()).split();
            if top == 1 {
                message.extend(last.to_le_bytes());
                return message;
            }
        }
    }

    /// The tag of a message, alone and behind others, in one call and in two.
    pub(crate) fn check(&self, message: &[u8], expected: [u8; 16]) {
        let key = &self.key.into();
        for backend in Backend::available() {
            let check = |before: &[u8], whole: &[u8]| {
                let new = || Poly1305::new_with_backend(backend, key).unwrap();
                let tag = new().compute_unpadded(whole).0;
                let blocks = before.len() / 16;
                let bytes = message.len();
                assert_eq!(
                    tag, expected,
                    "{backend}, {bytes} bytes behind {blocks} blocks"
                );
                let mut pieces = OneTimeAuthenticator::new_with_backend(backend, key).unwrap();
                pieces.update(before);
                pieces.update(message);
                let tag = pieces.finalize().0;
                assert_eq!(tag, expected, "{backend}, {blocks} blocks, {bytes} bytes");
            };
            check(&[], message);
            for before in &self.neutral {
                check(before, &[before, message].concat());
            }
        }
    }
}
