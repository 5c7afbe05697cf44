//! 64-bit Arm, whose targets have NEON.
//!
//! A block can stand in four registers, one row of its four by four matrix in each (by rows), and four blocks in
//! sixteen, one word of each block in a register (by words). By words nothing has to be rotated between the rounds; by
//! rows the diagonals cost three instructions.
//!
//! Bound: a quarter round is a chain of 4 additions, 4 XORs, 2 rotations of one instruction (`rev32`, `tbl`) and 2 of two
//! (`shl`, `usra`): 44 cycles on a Cortex-A72, 88 for a double round, in which its two vector pipes can take 176
//! instructions. Four blocks by words have 112, so that the chain is the limit; two more by rows fill the gap (180).
//! A scalar block would fit into what is left (three instructions a cycle are decoded), but has three times the
//! instructions of a vector one. Cycles a double round, and instructions a block, by the pipeline model of LLVM:
//!
//! | blocks | Cortex-A53 | Cortex-A72 | instructions |
//! |---|---|---|---|
//! | 1 scalar (`soft`: taken for up to 64 bytes) | 62 | 47 | 930 |
//! | 2 by rows (taken for up to 128) | 180 | 100 | 340 |
//! | 3 by rows | 181 | 100 | 340 |
//! | 4 by words (taken for up to 256) | 168 | 96 | 280 |
//! | 4 by words, 2 by rows (taken above) | 203 | 108 | 300 |
//!
//! One block by rows has a third of a scalar one's instructions, but the chain of two: it takes twice as long.

use super::soft::Soft;
use crate::state::{BLOCK_SIZE, Rounds, xor_keystream};
use cipher::{
    array::Array,
    consts::U64,
    inout::{InOut, InOutBuf},
};
use core::arch::aarch64::*;

/// Proof that the CPU has NEON.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// NEON is a part of the targets for which this is compiled.
    #[must_use]
    #[inline]
    pub fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// XORs the keystream that begins with block `counter` into `data`; see
    /// [`Available::xor`](super::Available::xor).
    #[inline]
    pub(crate) fn xor<R: Rounds>(
        self,
        words: &[u32; 16],
        counter: u64,
        data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        // SAFETY: NEON is a part of the targets for which this is compiled.
        unsafe { xor::<R>(words, counter, data, last) }
    }
}

/// Four registers: a block by rows, or one row of four blocks by words.
type Rows = [uint32x4_t; 4];

/// Bytes in the blocks of one pass.
const PASS: usize = 6 * BLOCK_SIZE;

/// The most bytes for which blocks go by rows or are scalar.
const SHORT: usize = 2 * BLOCK_SIZE;

#[inline]
#[target_feature(enable = "neon")]
fn xor<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    match data.len() {
        0 => {}
        1..=SHORT => short::<R>(words, counter, data, last),
        _ => long::<R>(words, counter, data, last),
    }
}

/// A function of its own, so that no more is set up, saved and left on the stack than two blocks need.
#[inline(never)]
#[target_feature(enable = "neon")]
fn short<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    if data.len() <= BLOCK_SIZE {
        return Soft.xor::<R>(words, counter, data, last);
    }
    let keystream = keystream::<R, false, 2>(words, counter);
    if data.len() < SHORT {
        // A copy, or the array would have to be in memory in the other case too.
        return xor_blocks(&{ keystream }, data, last);
    }
    let mut blocks = data.into_chunks::<U64>().0;
    for (i, block) in keystream.iter().enumerate() {
        xor_block(block, blocks.get(i));
    }
}

#[inline(never)]
#[target_feature(enable = "neon")]
fn long<R: Rounds>(
    words: &[u32; 16],
    mut counter: u64,
    mut data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    while data.len() > 4 * BLOCK_SIZE {
        let keystream = keystream::<R, true, 6>(words, counter);
        if data.len() < PASS {
            return xor_blocks(&{ keystream }, data, last);
        }
        let (now, rest) = data.split_at(PASS);
        let mut blocks = now.into_chunks::<U64>().0;
        for (i, block) in keystream.iter().enumerate() {
            xor_block(block, blocks.get(i));
        }
        counter = counter.wrapping_add(6);
        data = rest;
    }
    match data.len() {
        0 => {}
        1..=SHORT => short::<R>(words, counter, data, last),
        _ => xor_blocks(&keystream::<R, true, 4>(words, counter), data, last),
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint32x4_t {
    // SAFETY: 16 bytes are there.
    vreinterpretq_u32_u8(unsafe { vld1q_u8(bytes.as_ptr()) })
}

#[inline]
#[target_feature(enable = "neon")]
fn store(bytes: &mut [u8; 16], x: uint32x4_t) {
    // SAFETY: 16 bytes are there.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), vreinterpretq_u8_u32(x)) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load_words(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: four words are there.
    unsafe { vld1q_u32(words.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn xor_block(keystream: &Rows, mut data: InOut<'_, '_, Array<u8, U64>>) {
    let (input, _) = data.get_in().as_chunks();
    let result: Rows = core::array::from_fn(|i| veorq_u32(load(&input[i]), keystream[i]));
    let (output, _) = data.get_out().as_chunks_mut();
    for (bytes, x) in output.iter_mut().zip(result) {
        store(bytes, x);
    }
}

/// XORs no more than there is keystream; see [`Neon::xor`].
#[inline(never)]
#[target_feature(enable = "neon")]
fn xor_blocks(keystream: &[Rows], data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK_SIZE]) {
    let (blocks, rest) = data.into_chunks::<U64>();
    let whole = blocks.len();
    for (block, data) in keystream.iter().zip(blocks) {
        xor_block(block, data);
    }
    if !rest.is_empty() {
        let (bytes, _) = last.as_chunks_mut();
        for (bytes, x) in bytes.iter_mut().zip(keystream[whole]) {
            store(bytes, x);
        }
        let n = rest.len();
        xor_keystream(rest, &last[..n]);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn rotate_12(x: uint32x4_t) -> uint32x4_t {
    vsriq_n_u32::<20>(vshlq_n_u32::<12>(x), x)
}

#[inline]
#[target_feature(enable = "neon")]
fn rotate_7(x: uint32x4_t) -> uint32x4_t {
    vsriq_n_u32::<25>(vshlq_n_u32::<7>(x), x)
}

#[inline]
#[target_feature(enable = "neon")]
fn rotate_16(x: uint32x4_t) -> uint32x4_t {
    vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)))
}

#[inline]
#[target_feature(enable = "neon")]
fn rotate_8(x: uint32x4_t, mask: uint8x16_t) -> uint32x4_t {
    vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), mask))
}

#[inline]
#[target_feature(enable = "neon")]
fn rotation_by_8() -> uint8x16_t {
    vreinterpretq_u8_u64(vcombine_u64(
        vcreate_u64(0x0605_0407_0201_0003),
        vcreate_u64(0x0e0d_0c0f_0a09_080b),
    ))
}

/// `N` quarter rounds (RFC 8439, section 2.1) step by step side by side.
#[inline]
#[target_feature(enable = "neon")]
fn quarter_rounds<const N: usize>(
    a: &mut [uint32x4_t; N],
    b: &mut [uint32x4_t; N],
    c: &mut [uint32x4_t; N],
    d: &mut [uint32x4_t; N],
    by_8: uint8x16_t,
) {
    *a = sums(*a, *b);
    *d = differences(*d, *a).map(|x| rotate_16(x));
    *c = sums(*c, *d);
    *b = differences(*b, *c).map(|x| rotate_12(x));
    *a = sums(*a, *b);
    *d = differences(*d, *a).map(|x| rotate_8(x, by_8));
    *c = sums(*c, *d);
    *b = differences(*b, *c).map(|x| rotate_7(x));
}

#[inline]
#[target_feature(enable = "neon")]
fn sums<const N: usize>(x: [uint32x4_t; N], y: [uint32x4_t; N]) -> [uint32x4_t; N] {
    core::array::from_fn(|i| vaddq_u32(x[i], y[i]))
}

#[inline]
#[target_feature(enable = "neon")]
fn differences<const N: usize>(x: [uint32x4_t; N], y: [uint32x4_t; N]) -> [uint32x4_t; N] {
    core::array::from_fn(|i| veorq_u32(x[i], y[i]))
}

/// The last row of the input of block `counter`.
#[inline]
#[target_feature(enable = "neon")]
fn last_row(row: uint32x4_t, counter: u64) -> uint32x4_t {
    vreinterpretq_u32_u64(vsetq_lane_u64::<0>(counter, vreinterpretq_u64_u32(row)))
}

/// `N` blocks from block `counter` on: four of them by words if `BY_WORDS`, the others by rows.
#[inline]
#[target_feature(enable = "neon")]
fn keystream<R: Rounds, const BY_WORDS: bool, const N: usize>(
    words: &[u32; 16],
    counter: u64,
) -> [Rows; N] {
    let (input, _) = words.as_chunks();
    let input: Rows = core::array::from_fn(|i| load_words(&input[i]));
    let last: [_; N] = core::array::from_fn(|i| last_row(input[3], counter.wrapping_add(i as u64)));
    let (mut a, mut b, mut c, mut d) = ([input[0]; N], [input[1]; N], [input[2]; N], last);
    if BY_WORDS {
        a = with_words(a, words_of(input[0]));
        b = with_words(b, words_of(input[1]));
        c = with_words(c, words_of(input[2]));
        d = with_words(d, transpose(first_four(d)));
    }
    let by_words = if BY_WORDS { 4 } else { 0 };
    let by_8 = rotation_by_8();
    for _ in 0..R::DOUBLE_ROUNDS {
        quarter_rounds(&mut a, &mut b, &mut c, &mut d, by_8);
        b = rotate::<1, N>(b, by_words);
        c = rotate::<2, N>(c, by_words);
        d = rotate::<3, N>(d, by_words);
        quarter_rounds(&mut a, &mut b, &mut c, &mut d, by_8);
        b = rotate::<3, N>(b, by_words);
        c = rotate::<2, N>(c, by_words);
        d = rotate::<1, N>(d, by_words);
    }
    if BY_WORDS {
        [a, b, c, d] = [a, b, c, d].map(|x| with_words(x, transpose(first_four(x))));
    }
    core::array::from_fn(|i| {
        [
            vaddq_u32(a[i], input[0]),
            vaddq_u32(b[i], input[1]),
            vaddq_u32(c[i], input[2]),
            vaddq_u32(d[i], last[i]),
        ]
    })
}

/// Rotates every row left by `BY` words: the first `by_words` registers are a row, in each other one there is one.
#[inline]
#[target_feature(enable = "neon")]
fn rotate<const BY: i32, const N: usize>(x: [uint32x4_t; N], by_words: usize) -> [uint32x4_t; N] {
    core::array::from_fn(|i| {
        if i < by_words {
            x[(i + BY as usize) % 4]
        } else {
            vextq_u32::<BY>(x[i], x[i])
        }
    })
}

/// `x` with `words` in place of its first four registers.
#[inline]
#[target_feature(enable = "neon")]
fn with_words<const N: usize>(x: [uint32x4_t; N], words: Rows) -> [uint32x4_t; N] {
    core::array::from_fn(|i| if i < 4 { words[i] } else { x[i] })
}

#[inline]
#[target_feature(enable = "neon")]
fn first_four<const N: usize>(x: [uint32x4_t; N]) -> Rows {
    core::array::from_fn(|i| x[i])
}

/// Each word of a row four times.
#[inline]
#[target_feature(enable = "neon")]
fn words_of(row: uint32x4_t) -> Rows {
    [
        vdupq_laneq_u32::<0>(row),
        vdupq_laneq_u32::<1>(row),
        vdupq_laneq_u32::<2>(row),
        vdupq_laneq_u32::<3>(row),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
fn transpose(x: Rows) -> Rows {
    let [ab0, ab1] = [vtrn1q_u32(x[0], x[1]), vtrn2q_u32(x[0], x[1])];
    let [cd0, cd1] = [vtrn1q_u32(x[2], x[3]), vtrn2q_u32(x[2], x[3])];
    let [ab0, ab1, cd0, cd1] = [ab0, ab1, cd0, cd1].map(|x| vreinterpretq_u64_u32(x));
    [
        vtrn1q_u64(ab0, cd0),
        vtrn1q_u64(ab1, cd1),
        vtrn2q_u64(ab0, cd0),
        vtrn2q_u64(ab1, cd1),
    ]
    .map(|x| vreinterpretq_u32_u64(x))
}
