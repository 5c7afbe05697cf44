//! Bit-sliced AES on 64-bit words, four blocks at once.

#![forbid(unsafe_code)]

use super::bitslice::{self, Blocks, Columns, Renewal, State, Twist, Word, planes, swap_bits};
use crate::Block;
use cipher::consts::U4;

/// The token of a back end that every CPU runs.
#[derive(Clone, Copy)]
pub(crate) struct Soft;

pub(crate) type Keys<const N: usize> = bitslice::Keys<u64, N>;

/// The word that holds each plane after [`transpose`].
const WORD_OF_PLANE: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// The nibble of a row that holds each plane in [`Word::pack_one`], in word `k % 2`.
const NIBBLE_OF_PLANE: [u32; 8] = [0, 0, 2, 2, 1, 1, 3, 3];

/// The bytes of odd rows.
const ODD_ROWS: u64 = 0xff00_ff00_ff00_ff00;

/// The columns in pairs.
#[inline(always)]
fn halves(columns: Columns) -> [u64; 2] {
    let [c0, c1, c2, c3] = columns.map(u64::from);
    [c0 | c1 << 32, c2 | c3 << 32]
}

#[inline(always)]
fn load_halves(block: &Block) -> [u64; 2] {
    let half = |at: usize| u64::from_le_bytes(core::array::from_fn(|i| block[at + i]));
    [half(0), half(8)]
}

/// Exchanges index bits of a pair of words, which hold two columns each: `x` tells the words apart.
///
/// ```text
/// x | c0 r1 r0 k2 k1 k0  ->  c0 | r1 r0 x k2 k1 k0
/// ```
#[inline(always)]
fn rows_to_top(w: &mut [u64], i: usize, j: usize) {
    swap_bits(w, i, j, 0x00ff_00ff_00ff_00ff, 8);
    swap_bits(w, i, j, 0x0000_ffff_0000_ffff, 16);
    swap_bits(w, i, j, 0x0000_0000_ffff_ffff, 32);
}

/// The inverse of [`rows_to_top`].
#[inline(always)]
fn rows_from_top(w: &mut [u64], i: usize, j: usize) {
    swap_bits(w, i, j, 0x0000_0000_ffff_ffff, 32);
    swap_bits(w, i, j, 0x0000_ffff_0000_ffff, 16);
    swap_bits(w, i, j, 0x00ff_00ff_00ff_00ff, 8);
}

/// Exchanges index bits between words, in either direction:
///
/// ```text
/// c0 b0 c1 | r1 r0 b1 k2 k1 k0  <->  k0 k2 k1 | r1 r0 b1 b0 c1 c0
/// ```
#[inline(always)]
fn transpose(w: &mut [u64; 8]) {
    for i in [0, 1, 4, 5] {
        swap_bits(w, i, i + 2, 0x0f0f_0f0f_0f0f_0f0f, 4);
    }
    for i in [0, 2, 4, 6] {
        swap_bits(w, i, i + 1, 0x3333_3333_3333_3333, 2);
    }
    for i in [0, 1, 2, 3] {
        swap_bits(w, i, i + 4, 0x5555_5555_5555_5555, 1);
    }
}

/// Exchanges the index bits 3 and 1 of a word.
#[inline(always)]
fn swap_3_1(x: u64) -> u64 {
    let t = (x ^ (x >> 6)) & 0x00cc_00cc_00cc_00cc;
    x ^ t ^ (t << 6)
}

impl Word for u64 {
    type Token = Soft;

    const TOKEN: Soft = Soft;

    type Blocks = U4;

    const ZERO: Self = 0;

    const ROW_BITS: u32 = 16;

    // Of 16 columns, MixColumns and its inverse spoil the last 3, 2 and the first 3 in rounds 1, 2, 3, whichever comes
    // first: 3..11 are left, lane 1 among them.
    const RENEWAL: Renewal = Renewal {
        mix: [None, None, None, Some(1)],
        inv_mix: [None, Some(1), None, None],
    };

    #[inline(always)]
    fn every_row(row: u16) -> Self {
        u64::from(row) * 0x0001_0001_0001_0001
    }

    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        self.rotate_right(n)
    }

    #[inline(always)]
    fn repeat_lane(self) -> Self {
        let x = self | self << 4;
        x | x << 8
    }

    #[inline(always)]
    fn pack_one(block: Columns) -> State<Self> {
        let mut w = halves(block);
        rows_to_top(&mut w, 0, 1);
        swap_bits(&mut w, 0, 1, 0x5555_5555_5555_5555, 1);
        let w = w.map(swap_3_1);
        planes!(K => ((w[K % 2] >> (4 * NIBBLE_OF_PLANE[K])) & Self::every_row(0xf)).repeat_lane())
    }

    #[inline(always)]
    fn unpack_one(s: &State<Self>) -> Columns {
        let mut w = [0; 2];
        for k in 0..8 {
            let n = 4 * NIBBLE_OF_PLANE[k];
            // The last lane may be spoilt.
            w[k % 2] |= if n < 12 {
                s[k] & Self::every_row(0xf << n)
            } else {
                (s[k] & Self::every_row(0xf)) << n
            };
        }
        let mut w = w.map(swap_3_1);
        swap_bits(&mut w, 0, 1, 0x5555_5555_5555_5555, 1);
        rows_from_top(&mut w, 0, 1);
        [
            w[0] as u32,
            (w[0] >> 32) as u32,
            w[1] as u32,
            (w[1] >> 32) as u32,
        ]
    }

    #[inline(always)]
    fn pack(blocks: &Blocks<Self>, key: &Columns, twist: Twist) -> State<Self> {
        let key = halves(*key);
        let mut w = [0; 8];
        for (b, block) in blocks.iter().enumerate() {
            let [mut left, mut right] = load_halves(block);
            left ^= key[0];
            right ^= key[1];
            twist.apply(ODD_ROWS, &mut left, &mut right);
            w[2 * b] = left;
            w[2 * b + 1] = right;
        }
        for i in 0..4 {
            rows_to_top(&mut w, i, i + 4);
        }
        transpose(&mut w);
        planes!(K => w[WORD_OF_PLANE[K]])
    }

    #[inline(always)]
    fn unpack(s: &State<Self>, key: &Columns, twist: Twist, blocks: &mut Blocks<Self>) {
        let mut w = [0; 8];
        for (k, i) in WORD_OF_PLANE.into_iter().enumerate() {
            w[i] = s[k];
        }
        transpose(&mut w);
        for i in 0..4 {
            rows_from_top(&mut w, i, i + 4);
        }
        let key = halves(*key);
        for (b, block) in blocks.iter_mut().enumerate() {
            let (mut left, mut right) = (w[2 * b], w[2 * b + 1]);
            twist.apply(ODD_ROWS, &mut left, &mut right);
            let (bytes_left, bytes_right) = block.split_at_mut(8);
            bytes_left.copy_from_slice(&(left ^ key[0]).to_le_bytes());
            bytes_right.copy_from_slice(&(right ^ key[1]).to_le_bytes());
        }
    }
}
