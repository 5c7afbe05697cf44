//! Portable Poly1305 on 26-bit limbs with 64-bit products, one block at a time: for 32-bit targets.
//!
//! The accumulator is `h = sum of 2^(26 i) h[i]`, the key likewise, and `s[i] = 5 r[i]` takes the products above 2^130
//! back to the bottom.
//!
//! Bounds: `r[i] < 2^26`, `s[i] < 5 * 2^26`. A block leaves `h[i] < 2^26`, but `h[1] < 2^26 + 2^10`; with the next
//! block added each is below 2^27 + 2^10, so a sum of five products is below 5 * 5 * 2^53.01 < 2^58. The carries stay
//! below 2^32, and five times the last one is below 2^35, of which less than 2^10 goes on into `h[1]`.
//!
//! 25 products and about 20 additions, shifts and masks for the carries a block.

#![forbid(unsafe_code)]

use super::limbs26;
use crate::Block;
use core::hint::black_box;

const LIMB: u32 = (1 << 26) - 1;

/// The key and the accumulator.
#[derive(Clone)]
pub struct State {
    r: [u32; 5],
    h: [u32; 5],
    s: [u32; 4],
    /// Aligns as the state of `soft`, so that the enumeration of both has no padding: a move may leave in padding what
    /// stood on the stack before, and nothing wipes it.
    _align: [u64; 0],
}

secret!(State { r, h, s });

#[inline(always)]
fn word(bytes: &[u8; 16], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Limbs of 26 bits of a 128-bit number; the last one has 24.
#[inline(always)]
fn limbs(bytes: &[u8; 16]) -> [u32; 5] {
    [
        word(bytes, 0) & LIMB,
        (word(bytes, 3) >> 2) & LIMB,
        (word(bytes, 6) >> 4) & LIMB,
        (word(bytes, 9) >> 6) & LIMB,
        word(bytes, 12) >> 8,
    ]
}

/// `h r mod p`, not fully reduced: limbs below 2^26, the second below 2^26 + 2^10.
#[inline(always)]
pub(super) fn times(h: [u32; 5], r: [u32; 5]) -> [u32; 5] {
    let mut product = [0u64; 5];
    for (i, sum) in product.iter_mut().enumerate() {
        for (j, &h) in h.iter().enumerate() {
            let factor = if j <= i { r[i - j] } else { 5 * r[5 + i - j] };
            *sum += u64::from(h) * u64::from(factor);
        }
        debug_assert!(*sum < 1 << 58);
    }

    let mut carry = 0;
    let mut h = [0; 5];
    for (h, sum) in h.iter_mut().zip(product) {
        let sum = sum + carry;
        *h = sum as u32 & LIMB;
        carry = sum >> 26;
    }
    let bottom = u64::from(h[0]) + 5 * carry;
    h[0] = bottom as u32 & LIMB;
    h[1] += (bottom >> 26) as u32;
    h
}

#[allow(
    dead_code,
    reason = "partly for vector kernels, which not every target has"
)]
impl State {
    /// Splits a key into `r`, which is clamped, and `s` (RFC 8439, section 2.5).
    #[must_use]
    #[inline]
    pub fn new(key: &[u8; 32]) -> Self {
        let (halves, _) = key.as_chunks::<16>();
        let mut clamped = halves[0];
        for (i, byte) in clamped.iter_mut().enumerate() {
            *byte &= match i {
                3 | 7 | 11 | 15 => 0x0f,
                4 | 8 | 12 => 0xfc,
                _ => 0xff,
            };
        }
        let state = Self {
            r: limbs(&clamped),
            h: [0; 5],
            s: [0, 4, 8, 12].map(|at| word(&halves[1], at)),
            _align: [],
        };
        crate::wipe(&mut clamped);
        state
    }

    /// `r`, clamped, as `r0 + 2^64 r1 + 2^128 r2`.
    #[must_use]
    #[inline(always)]
    pub fn r(&self) -> [u64; 3] {
        limbs26::join(self.r.map(u64::from))
    }

    /// A state with the `r` (clamped) and the accumulator given, which cannot make a tag.
    #[must_use]
    #[inline(always)]
    pub(crate) fn from_parts(r: [u64; 3], h: [u64; 3]) -> Self {
        let mut state = Self {
            r: limbs26::split(r).map(|limb| limb as u32),
            h: [0; 5],
            s: [0; 4],
            _align: [],
        };
        state.set_accumulator(h);
        state
    }

    /// The accumulator as `h0 + 2^64 h1 + 2^128 h2`, below 2^130 + 2^64.
    #[must_use]
    #[inline(always)]
    pub fn accumulator(&self) -> [u64; 3] {
        limbs26::join(self.h.map(u64::from))
    }

    /// Sets the accumulator to a number below 2^130 + 2^64.
    #[inline(always)]
    pub fn set_accumulator(&mut self, h: [u64; 3]) {
        self.h = limbs26::split(h).map(|limb| limb as u32);
    }

    /// `h r mod p`, not fully reduced.
    #[must_use]
    #[inline(always)]
    pub fn times_r(&self, h: [u64; 3]) -> [u64; 3] {
        let h = limbs26::split(h).map(|limb| limb as u32);
        limbs26::join(times(h, self.r).map(u64::from))
    }

    /// `h = (h + block + 2^128 top) r mod p`, not fully reduced.
    #[inline(always)]
    fn block(&mut self, block: &[u8; 16], top: u32) {
        let mut h = limbs(block);
        h[4] |= top << 24;
        for (h, old) in h.iter_mut().zip(self.h) {
            debug_assert!(old < (1 << 26) + (1 << 10));
            *h += old;
        }
        self.h = times(h, self.r);
    }

    /// Takes whole blocks.
    #[inline]
    pub fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(&block.0, 1);
        }
    }

    /// Takes the last 1 to 15 bytes of a message; nothing may follow.
    #[inline]
    pub fn partial_block(&mut self, bytes: &[u8]) {
        debug_assert!((1..16).contains(&bytes.len()));
        let mut block = [0; 16];
        block[..bytes.len()].copy_from_slice(bytes);
        block[bytes.len()] = 1;
        self.block(&block, 0);
    }

    /// The tag: `(h mod p) + s mod 2^128`.
    #[must_use]
    #[inline]
    pub fn finish(&self) -> [u8; 16] {
        // Every limb below 2^26: carry from h[1] upwards, around, and once more out of h[0]. The second carry into h[1]
        // cannot ripple on, as there is one only if the first pass left h[1] small.
        let mut h = self.h;
        let mut carry = 0;
        for limb in &mut h[1..] {
            *limb += carry;
            carry = *limb >> 26;
            *limb &= LIMB;
        }
        h[0] += 5 * carry;
        h[1] += h[0] >> 26;
        h[0] &= LIMB;

        // h < 2^130 now, so p = 2^130 - 5 is subtracted once if h + 5 reaches 2^130.
        let mut reduced = [0; 5];
        let mut carry = 5;
        for (reduced, limb) in reduced.iter_mut().zip(h) {
            *reduced = (limb + carry) & LIMB;
            carry = (limb + carry) >> 26;
        }
        debug_assert!(carry <= 1);
        let mask = black_box(carry.wrapping_neg());
        let h: [u32; 5] = core::array::from_fn(|i| (reduced[i] & mask) | (h[i] & !mask));

        let words = [
            h[0] | h[1] << 26,
            h[1] >> 6 | h[2] << 20,
            h[2] >> 12 | h[3] << 14,
            h[3] >> 18 | h[4] << 8,
        ];
        let mut tag = [0; 16];
        let mut carry = 0;
        for (bytes, (word, s)) in tag.chunks_exact_mut(4).zip(words.into_iter().zip(self.s)) {
            let sum = u64::from(word) + u64::from(s) + carry;
            bytes.copy_from_slice(&(sum as u32).to_le_bytes());
            carry = sum >> 32;
        }
        tag
    }
}
