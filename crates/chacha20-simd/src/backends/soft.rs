//! Portable ChaCha on 32-bit words, one block at a time.
//!
//! Bound: a double round is a dependency chain of 2 * 4 * 3 operations (add, xor, rotate), so a block of 20 rounds
//! takes at least 240 cycles however wide the machine, and its 960 operations fill four issue slots of each. Four
//! quarter rounds of one block are independent; the order in which they are written decides what the compiler makes
//! of it. Shapes tried on x86-64 (AMD Zen 5, SSE2 baseline, ns for 16 KiB; RustCrypto's portable code: 16 700):
//!
//! | shape | ns |
//! |---|---|
//! | quarter rounds one after the other | 17 400 |
//! | two at a time (this one) | 16 200 |
//! | four at a time, indexed (vectorised into shuffles by the compiler) | 81 200 |
//! | rows of `[u32; 4]`, one block / two / three interleaved | 16 300 / 20 600 / 18 600 |
//! | two / four / eight blocks in lanes | 24 100 / 20 000 / 24 500 |

#![forbid(unsafe_code)]

use crate::state::{BLOCK_SIZE, Rounds, wipe, xor_keystream};
use cipher::{array::Array, consts::U64, inout::InOutBuf};

type Block = Array<u8, U64>;

/// Two quarter rounds (RFC 8439, section 2.1), step by step side by side: at `a[i], b[i], c[i], d[i]` for both `i`.
#[inline(always)]
fn quarter_round_x2(s: &mut [u32; 16], a: [usize; 2], b: [usize; 2], c: [usize; 2], d: [usize; 2]) {
    for (sum, addend, mixed, rotation) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)]
    {
        for i in 0..2 {
            s[sum[i]] = s[sum[i]].wrapping_add(s[addend[i]]);
        }
        for i in 0..2 {
            s[mixed[i]] = (s[mixed[i]] ^ s[sum[i]]).rotate_left(rotation);
        }
    }
}

/// The rounds without the final addition of the input.
#[inline(always)]
pub(crate) fn permute<R: Rounds>(s: &mut [u32; 16]) {
    for _ in 0..R::DOUBLE_ROUNDS {
        quarter_round_x2(s, [0, 1], [4, 5], [8, 9], [12, 13]);
        quarter_round_x2(s, [2, 3], [6, 7], [10, 11], [14, 15]);
        quarter_round_x2(s, [0, 1], [5, 6], [10, 11], [15, 12]);
        quarter_round_x2(s, [2, 3], [7, 4], [8, 9], [13, 14]);
    }
}

/// The block function (RFC 8439, section 2.3). Words 12 and 13 of the input are those of `counter`.
#[inline(always)]
fn block<R: Rounds>(words: &[u32; 16], counter: u64, out: &mut Block) {
    let mut input = *words;
    input[12] = counter as u32;
    input[13] = (counter >> 32) as u32;
    let mut s = input;
    permute::<R>(&mut s);
    for (bytes, (x, y)) in out.chunks_exact_mut(4).zip(s.into_iter().zip(input)) {
        bytes.copy_from_slice(&x.wrapping_add(y).to_le_bytes());
    }
}

/// This back end needs nothing of the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Soft;

impl Soft {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        Some(Self)
    }

    /// XORs the keystream that begins with block `counter` into `data`; see
    /// [`Available::xor`](super::Available::xor).
    pub(crate) fn xor<R: Rounds>(
        self,
        words: &[u32; 16],
        mut counter: u64,
        data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        let mut keystream = Block::default();
        let (chunks, tail) = data.into_chunks::<U64>();
        for mut chunk in chunks {
            block::<R>(words, counter, &mut keystream);
            chunk.xor_in2out(&keystream);
            counter = counter.wrapping_add(1);
        }
        if !tail.is_empty() {
            block::<R>(words, counter, &mut keystream);
            let n = tail.len();
            xor_keystream(tail, &keystream[..n]);
            last.copy_from_slice(&keystream);
        }
        wipe(&mut keystream);
    }
}
