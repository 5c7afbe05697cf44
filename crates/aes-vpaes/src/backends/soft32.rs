//! Bit-sliced AES on 32-bit words, two blocks at once.

#![forbid(unsafe_code)]

use super::bitslice::{
    self, Blocks, Columns, Renewal, State, Twist, Word, add_columns, columns, planes,
    store_columns, swap_bits, twist_columns,
};
use cipher::consts::U2;

/// The token of a back end that every CPU runs.
#[derive(Clone, Copy)]
pub(crate) struct Soft32;

pub(crate) type Keys<const N: usize> = bitslice::Keys<u32, N>;

/// Exchanges index bits between the four columns of a block, in either direction:
///
/// ```text
/// c1 c0 | r1 r0 k2 k1 k0  <->  k1 k0 | r1 r0 k2 c1 c0
/// ```
#[inline(always)]
fn transpose_columns(w: &mut [u32]) {
    for i in [0, 1] {
        swap_bits(w, i, i + 2, 0x3333_3333, 2);
    }
    for i in [0, 2] {
        swap_bits(w, i, i + 1, 0x5555_5555, 1);
    }
}

/// Exchanges index bits between the columns of two blocks, in either direction:
///
/// ```text
/// b0 c1 c0 | r1 r0 k2 k1 k0  <->  k2 k1 k0 | r1 r0 b0 c1 c0
/// ```
#[inline(always)]
fn transpose(w: &mut [u32; 8]) {
    for i in [0, 1, 2, 3] {
        swap_bits(w, i, i + 4, 0x0f0f_0f0f, 4);
    }
    transpose_columns(&mut w[..4]);
    transpose_columns(&mut w[4..]);
}

impl Word for u32 {
    type Token = Soft32;

    const TOKEN: Soft32 = Soft32;

    type Blocks = U2;

    const ZERO: Self = 0;

    const ROW_BITS: u32 = 8;

    // Of 8 columns, MixColumns and its inverse spoil the last 3, 2 and the first 3 in rounds 1, 2, 3.
    const RENEWAL: Renewal = Renewal {
        mix: [None, Some(0), Some(0), Some(1)],
        inv_mix: [None, Some(0), Some(0), Some(1)],
    };

    #[inline(always)]
    fn every_row(row: u16) -> Self {
        u32::from(row as u8) * 0x0101_0101
    }

    #[inline(always)]
    fn rotate_right(self, n: u32) -> Self {
        self.rotate_right(n)
    }

    #[inline(always)]
    fn repeat_lane(self) -> Self {
        self | self << 4
    }

    #[inline(always)]
    fn pack_one(mut block: Columns) -> State<Self> {
        transpose_columns(&mut block);
        planes!(K => ((block[K % 4] >> (K & 4)) & Self::every_row(0xf)).repeat_lane())
    }

    #[inline(always)]
    fn unpack_one(s: &State<Self>) -> Columns {
        let mut block = core::array::from_fn(|i| {
            (s[i] & Self::every_row(0x0f)) | (s[i + 4] & Self::every_row(0xf0))
        });
        transpose_columns(&mut block);
        block
    }

    #[inline(always)]
    fn pack(blocks: &Blocks<Self>, key: &Columns, twist: Twist) -> State<Self> {
        let mut w = [0; 8];
        for (w, block) in w.chunks_exact_mut(4).zip(blocks) {
            w.copy_from_slice(&twist_columns(twist, add_columns(columns(block), key)));
        }
        transpose(&mut w);
        w
    }

    #[inline(always)]
    fn unpack(s: &State<Self>, key: &Columns, twist: Twist, blocks: &mut Blocks<Self>) {
        let mut w = *s;
        transpose(&mut w);
        for (w, block) in w.chunks_exact(4).zip(blocks) {
            let out = twist_columns(twist, [w[0], w[1], w[2], w[3]]);
            store_columns(add_columns(out, key), block);
        }
    }
}
