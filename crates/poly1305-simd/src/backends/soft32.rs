//! Portable Poly1305 on 32-bit words with 64-bit products, one block at a time: for 32-bit targets.
//!
//! As `soft`, on words of half the width: the accumulator is `h = sum of 2^(32 i) h[i]`, the key likewise, clamping makes
//! `r[1]` to `r[3]` multiples of four, and `s[i] = r[i] + r[i] / 4` takes the products above 2^130 back to the bottom.
//!
//! Bounds: `r[i] < 2^28`, `s[i] < 2^28 * 5/4`. A product leaves `h[4] <= 4`; the next block makes it at most 6, and the sum of
//! two lanes that a vector back end hands over at most 9, before the next product. So a sum of products is below
//! 4 * 2^60 * 5/4 + 2^32 < 2^63, and what comes out on top, `d4`, below 2^28 * 13 + 2.
//!
//! 16 products and four by `h[4]` a block: 95 instructions on 32-bit Arm. Limbs of 26 bits, with 25 products and shifts and
//! masks for their carries, take 148.

#![forbid(unsafe_code)]

use crate::Block;
use core::hint::black_box;

/// The key and the accumulator.
#[derive(Clone)]
pub struct State {
    r: [u32; 4],
    h: [u32; 5],
    s: [u32; 4],
    /// Fills up to the alignment below, as padding must not: a move may leave in it what stood on the stack before, and
    /// nothing wipes it.
    _fill: u32,
    /// Aligns as the state of `soft`, so that the enumeration of both has no padding either.
    _align: [u64; 0],
}

secret!(State { r, h, s });

#[inline(always)]
fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let (words, _) = bytes.as_chunks();
    core::array::from_fn(|i| u32::from_le_bytes(words[i]))
}

#[inline(always)]
fn mul(a: u32, b: u32) -> u64 {
    u64::from(a) * u64::from(b)
}

/// `a + b` with a carry into and out of it; both are words.
#[inline(always)]
fn add<const N: usize>(a: [u32; N], b: [u32; N], mut carry: u32) -> ([u32; N], u32) {
    let sum = core::array::from_fn(|i| {
        let sum = u64::from(a[i]) + u64::from(b[i]) + u64::from(carry);
        carry = (sum >> 32) as u32;
        sum as u32
    });
    (sum, carry)
}

/// A number below 2^132 in words of 32 bits.
#[inline(always)]
fn halves([w0, w1, w2]: [u64; 3]) -> [u32; 5] {
    [
        w0 as u32,
        (w0 >> 32) as u32,
        w1 as u32,
        (w1 >> 32) as u32,
        w2 as u32,
    ]
}

#[inline(always)]
fn joined([w0, w1, w2, w3, w4]: [u32; 5]) -> [u64; 3] {
    let join = |low, high| u64::from(low) | u64::from(high) << 32;
    [join(w0, w1), join(w2, w3), w4.into()]
}

/// `h r mod p`, not fully reduced.
#[inline(always)]
fn times([h0, h1, h2, h3, h4]: [u32; 5], r: [u32; 4]) -> [u32; 5] {
    debug_assert!(h4 <= 9);
    let [r0, r1, r2, r3] = r;
    let [s1, s2, s3] = [r1, r2, r3].map(|r| r + (r >> 2));
    let d0 = mul(h0, r0) + mul(h1, s3) + mul(h2, s2) + mul(h3, s1);
    let d1 = mul(h0, r1) + mul(h1, r0) + mul(h2, s3) + mul(h3, s2) + mul(h4, s1) + (d0 >> 32);
    let d2 = mul(h0, r2) + mul(h1, r1) + mul(h2, r0) + mul(h3, s3) + mul(h4, s2) + (d1 >> 32);
    let d3 = mul(h0, r3) + mul(h1, r2) + mul(h2, r1) + mul(h3, r0) + mul(h4, s3) + (d2 >> 32);
    let d4 = h4 * r0 + (d3 >> 32) as u32;

    // What stands above 2^130 is d4 / 4; five times that is this sum.
    let above = u64::from(d4 >> 2) + u64::from(d4 & !3);
    let low = [d0 as u32, d1 as u32, d2 as u32, d3 as u32];
    let ([h0, h1, h2, h3], carry) = add(low, [above as u32, (above >> 32) as u32, 0, 0], 0);
    [h0, h1, h2, h3, (d4 & 3) + carry]
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
        let [r0, r1, r2, r3, s @ ..] = words::<8>(key);
        Self {
            r: [
                r0 & 0x0fff_ffff,
                r1 & 0x0fff_fffc,
                r2 & 0x0fff_fffc,
                r3 & 0x0fff_fffc,
            ],
            h: [0; 5],
            s,
            _fill: 0,
            _align: [],
        }
    }

    /// `r`, clamped, as `r0 + 2^64 r1 + 2^128 r2`.
    #[must_use]
    #[inline(always)]
    pub fn r(&self) -> [u64; 3] {
        let [r0, r1, r2, r3] = self.r;
        joined([r0, r1, r2, r3, 0])
    }

    /// A state with the `r` (clamped) and the accumulator given, which cannot make a tag.
    #[must_use]
    #[inline(always)]
    pub(crate) fn from_parts(r: [u64; 3], h: [u64; 3]) -> Self {
        let [r0, r1, r2, r3, _] = halves(r);
        let mut state = Self {
            r: [r0, r1, r2, r3],
            h: [0; 5],
            s: [0; 4],
            _fill: 0,
            _align: [],
        };
        state.set_accumulator(h);
        state
    }

    /// The accumulator as `h0 + 2^64 h1 + 2^128 h2`, below 2^130 + 2^64.
    #[must_use]
    #[inline(always)]
    pub fn accumulator(&self) -> [u64; 3] {
        joined(self.h)
    }

    /// Sets the accumulator to a number below 2^130 + 2^64.
    #[inline(always)]
    pub fn set_accumulator(&mut self, h: [u64; 3]) {
        debug_assert!(h[2] <= 4);
        self.h = halves(h);
    }

    /// `h r mod p`, not fully reduced.
    #[must_use]
    #[inline(always)]
    pub fn times_r(&self, h: [u64; 3]) -> [u64; 3] {
        joined(times(halves(h), self.r))
    }

    /// `h = (h + block + 2^128 top) r mod p`, not fully reduced.
    #[inline(always)]
    fn block(&mut self, block: &[u8; 16], top: u32) {
        debug_assert!(self.h[4] <= 4);
        let [h0, h1, h2, h3, h4] = self.h;
        let ([h0, h1, h2, h3], carry) = add([h0, h1, h2, h3], words(block), 0);
        self.h = times([h0, h1, h2, h3, h4 + top + carry], self.r);
    }

    /// Takes whole blocks.
    #[inline]
    pub fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(&block.0, 1);
        }
    }

    /// Takes the last 1 to 15 bytes of a message; nothing may follow. With another number of bytes it panics, or the tag
    /// is wrong.
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
        // h < 2p: subtract p = 2^130 - 5 once if h + 5 reaches 2^130.
        let [h0, h1, h2, h3, h4] = self.h;
        let h = [h0, h1, h2, h3];
        let (reduced, carry) = add(h, [5, 0, 0, 0], 0);
        let reaches = (h4 + carry) >> 2;
        debug_assert!(reaches <= 1);
        let mask = black_box(reaches.wrapping_neg());
        let h = core::array::from_fn(|i| (reduced[i] & mask) | (h[i] & !mask));
        let (sum, _) = add(h, self.s, 0);
        let mut tag = [0; 16];
        for (bytes, word) in tag.chunks_exact_mut(4).zip(sum) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        tag
    }
}
