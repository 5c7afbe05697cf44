//! Portable Poly1305 on 64-bit limbs, one block at a time.
//!
//! The accumulator is `h = h0 + 2^64 h1 + 2^128 h2`, the key `r = r0 + 2^64 r1`. Clamping makes `r1` a multiple of four,
//! so that `2^128 r1 = 2^130 (r1 / 4) = 5 (r1 / 4)` modulo `p = 2^130 - 5`, and with `s1 = r1 + r1 / 4`
//!
//! ```text
//! h * r = (h0 r0 + h1 s1) + 2^64 (h0 r1 + h1 r0 + h2 s1) + 2^128 (h2 r0)
//! ```
//!
//! Bounds: `r0, r1 < 2^60`, `s1 < 2^60 * 5/4`. A product leaves `h2 <= 4`, with `h < 2^130 + 2^64`; the next block makes it
//! at most 6, and the sum of two lanes that a vector back end hands over at most 9, before the next product. So
//! `h2 s1 < 2^60 * 45/4` and `h2 r0 < 2^60 * 9` fit into 64 bits, the middle sum is below 2^125 + 2^65, what comes out on
//! top, `d2`, is below 2^60 * 11 + 2, and `d2 + d2 / 4`, below 2^60 * 14, still fits into 64 bits.
//!
//! A block is a chain of one product, three additions with carry and the reduction: 13 cycles on AMD Zen 5, where the
//! six products alone would take six. Shapes tried there (ns for 16 KiB and for 64 bytes; RustCrypto's portable code:
//! 5 970 and 36):
//!
//! | shape | 16 KiB | 64 bytes |
//! |---|---|---|
//! | 64-bit limbs (this one) | 3 560 | 15 |
//! | limbs of 44, 44 and 42 bits, one block | 6 480 | 30 |
//! | the same, two blocks with r and r^2, one carry | 4 390 | 28 |
//! | the same, four blocks with r to r^4, one carry | 3 970 | 34 |

#![forbid(unsafe_code)]

use crate::Block;
use core::hint::black_box;

/// The key and the accumulator.
#[derive(Clone)]
pub struct State {
    r: [u64; 2],
    h: [u64; 3],
    s: [u64; 2],
}

secret!(State { r, h, s });

#[inline(always)]
fn mul(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

#[inline(always)]
fn join(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// `a + b + carry`: the sum and the carry out of it.
///
/// Not `u128::overflowing_add`, which LLVM makes a branch of on RISC-V: it compares the lower halves only where the
/// upper ones are equal.
#[inline(always)]
fn add(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

/// 1 to 15 bytes with a 1 behind them. They are read from both ends: a copy of so few would be a call.
#[inline(always)]
fn closed(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    debug_assert!((1..16).contains(&len));
    let value = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|&bytes| u64::from_le_bytes(bytes));
        u128::from(first) | u128::from(last) << (8 * (len - 8))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|&bytes| u32::from_le_bytes(bytes));
        (u64::from(first) | u64::from(last) << (8 * (len - 4))).into()
    } else {
        let byte = |i: usize| u128::from(bytes[i]) << (8 * i);
        byte(0) | byte(len / 2) | byte(len - 1)
    };
    value | 1 << (8 * len)
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
        let (words, _) = key.as_chunks();
        Self::from_words(core::array::from_fn(|i| u64::from_le_bytes(words[i])))
    }

    /// The same, of a key in little-endian words.
    #[must_use]
    #[inline(always)]
    pub fn from_words([r0, r1, s0, s1]: [u64; 4]) -> Self {
        Self {
            r: [r0 & 0x0fff_fffc_0fff_ffff, r1 & 0x0fff_fffc_0fff_fffc],
            h: [0; 3],
            s: [s0, s1],
        }
    }

    /// `r`, clamped, as `r0 + 2^64 r1 + 2^128 r2`.
    #[must_use]
    #[inline(always)]
    pub fn r(&self) -> [u64; 3] {
        [self.r[0], self.r[1], 0]
    }

    /// A state with the `r` (clamped) and the accumulator given, which cannot make a tag.
    #[must_use]
    #[inline(always)]
    pub(crate) fn from_parts(r: [u64; 3], h: [u64; 3]) -> Self {
        let mut state = Self {
            r: [r[0], r[1]],
            h: [0; 3],
            s: [0; 2],
        };
        state.set_accumulator(h);
        state
    }

    /// The accumulator as `h0 + 2^64 h1 + 2^128 h2`, below 2^130 + 2^64.
    #[must_use]
    #[inline(always)]
    pub fn accumulator(&self) -> [u64; 3] {
        self.h
    }

    /// Sets the accumulator to a number below 2^130 + 2^64.
    #[inline(always)]
    pub fn set_accumulator(&mut self, h: [u64; 3]) {
        debug_assert!(h[2] <= 4);
        self.h = h;
    }

    /// `h = (h + block + 2^128 top) r mod p`, not fully reduced.
    #[inline(always)]
    fn block(&mut self, block: u128, top: u64) {
        debug_assert!(self.h[2] <= 4);
        let (h0, carry) = add(self.h[0], block as u64, 0);
        let (h1, carry) = add(self.h[1], (block >> 64) as u64, carry);
        self.h = self.times_r([h0, h1, self.h[2] + top + carry]);
    }

    /// `h r mod p`, not fully reduced, of an `h` below 10 times 2^128.
    #[must_use]
    #[inline(always)]
    pub fn times_r(&self, [h0, h1, h2]: [u64; 3]) -> [u64; 3] {
        debug_assert!(h2 <= 9);
        let [r0, r1] = self.r;
        let s1 = r1 + (r1 >> 2);
        let d0 = mul(h0, r0) + mul(h1, s1);
        let d1 = mul(h0, r1) + mul(h1, r0) + u128::from(h2 * s1) + (d0 >> 64);
        let d2 = h2 * r0 + (d1 >> 64) as u64;

        // What stands above 2^130 is d2 / 4; five times that is this sum.
        let above = (d2 >> 2) + (d2 & !3);
        let (h0, carry) = add(d0 as u64, above, 0);
        let (h1, carry) = add(d1 as u64, 0, carry);
        [h0, h1, (d2 & 3) + carry]
    }

    /// Takes whole blocks.
    #[inline]
    pub fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(u128::from_le_bytes(block.0), 1);
        }
    }

    /// Takes the last 1 to 15 bytes of a message; nothing may follow. With another number of bytes it panics, or the tag
    /// is wrong.
    #[inline]
    pub fn partial_block(&mut self, bytes: &[u8]) {
        self.block(closed(bytes), 0);
    }

    /// The tag: `(h mod p) + s mod 2^128`.
    #[must_use]
    #[inline]
    pub fn finish(&self) -> [u8; 16] {
        // h < 2p: subtract p = 2^130 - 5 once if h + 5 reaches 2^130.
        let [h0, h1, h2] = self.h;
        let (reduced0, carry) = add(h0, 5, 0);
        let (reduced1, carry) = add(h1, 0, carry);
        let reaches = (h2 + carry) >> 2;
        debug_assert!(reaches <= 1);
        let mask = black_box(u128::from(reaches).wrapping_neg());
        let h = (join(reduced0, reduced1) & mask) | (join(h0, h1) & !mask);
        h.wrapping_add(join(self.s[0], self.s[1])).to_le_bytes()
    }
}
