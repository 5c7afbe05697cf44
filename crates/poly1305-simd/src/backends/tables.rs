//! Poly1305 on eight blocks at a time in two lanes, on the 32-bit words of the blocks: what the back ends with
//! registers of 128 bits on 32-bit targets have in common.
//!
//! The lanes take the blocks with even and with odd numbers. Both are multiplied by the same powers of `r`, and at the end
//! `h = (even r + odd) r`. From one group of eight blocks `m0` to `m7` to the next,
//!
//! ```text
//! lanes = lanes r^8 + (m0, m1) r^6 + (m2, m3) r^4 + (m4, m5) r^2 + (m6, m7)
//! ```
//!
//! The first group has the blocks that would be left over at the end, behind zeros with nothing above them, and the
//! accumulator from before is added to the first of the blocks.
//!
//! A block is not split into limbs: each of its four words has a table of its own, the five 26-bit limbs of
//! `r^k 2^(32 i)` for word `i`. That makes 20 products a block instead of 25; the last pair takes a shift for each word.
//!
//! Bounds: limbs in tables and factors are below 2^27, those of the lanes below 2^26 + 2^15 after a carry and below 2^28
//! at the start. So the sum of 12 products with words is below 2^62.6, and that of five products of limbs below
//! 5 * 2^28 * 5 * 2^27 < 2^59.7. A carry out of a limb is below 2^38, out of the topmost, times five, below 2^41, of which
//! less than 2^15 + 1 goes on into limb 1.

#![forbid(unsafe_code)]

use super::{
    Powers, Words,
    limbs26::{LIMB, join, split},
};
use crate::Block;

/// Blocks in a group.
pub(crate) const GROUP: usize = 8;

type Limbs = [u32; 5];

/// Both lanes of every limb.
pub(crate) type Lanes = [[u32; 2]; 5];

/// What a group is computed with.
#[repr(C, align(16))]
pub(crate) struct Factors {
    /// The sum of what 2^128 above each block contributes to each lane.
    pub(crate) above: [[u64; 2]; 5],
    /// The tables of the four words for r^6, r^4 and r^2.
    pub(crate) tables: [[Limbs; 4]; 3],
    /// What the lanes are multiplied by.
    pub(crate) limbs: Limbs,
    /// Limbs 1 to 4 times five.
    pub(crate) five: [u32; 4],
    /// What shifts words 1 to 3 of the last pair to where they belong in limbs 1 to 3.
    pub(crate) shifts: [u32; 3],
}

secret!(Factors {
    above,
    tables,
    limbs,
    five
});

/// `h r mod p`, not fully reduced, of limbs below 2^27 + 2^16: limbs below 2^26, the second below 2^26 + 2^10.
#[inline(always)]
fn times(h: Limbs, r: Limbs) -> Limbs {
    const MASK: u32 = LIMB as u32;
    debug_assert!(h.iter().all(|&limb| limb < (1 << 27) + (1 << 16)));
    debug_assert!(r.iter().all(|&limb| limb < (1 << 26) + (1 << 10)));
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
        *h = sum as u32 & MASK;
        carry = sum >> 26;
    }
    let bottom = u64::from(h[0]) + 5 * carry;
    h[0] = bottom as u32 & MASK;
    h[1] += (bottom >> 26) as u32;
    h
}

/// `x 2^32`: one limb up and six bits, what leaves the topmost times five at the bottom.
#[inline(always)]
fn times_2_32(x: Limbs) -> Limbs {
    const MASK: u32 = LIMB as u32;
    let low = x.map(|limb| (limb << 6) & MASK);
    let y0 = 5 * (low[4] + (x[3] >> 20));
    [
        y0 & MASK,
        low[0] + 5 * (x[4] >> 20) + (y0 >> 26),
        low[1] + (x[0] >> 20),
        low[2] + (x[1] >> 20),
        low[3] + (x[2] >> 20),
    ]
}

/// r^2, r^4, r^6 and r^8.
fn powers(r: Limbs, cache: Option<&mut Powers>) -> [Limbs; 4] {
    if let Some(Powers { words, known: 1 }) = &cache {
        let words = words.as_flattened();
        return core::array::from_fn(|i| core::array::from_fn(|j| words[5 * i + j] as u32));
    }
    let r2 = times(r, r);
    let r4 = times(r2, r2);
    let powers = [r2, r4, times(r4, r2), times(r4, r4)];
    if let Some(Powers { words, known }) = cache {
        for (word, &limb) in words
            .as_flattened_mut()
            .iter_mut()
            .zip(powers.as_flattened())
        {
            *word = limb.into();
        }
        *known = 1;
    }
    powers
}

impl Factors {
    #[inline(always)]
    fn multiply_lanes_by(&mut self, limbs: Limbs) {
        debug_assert!(limbs.iter().all(|limb| limb >> 27 == 0));
        self.limbs = limbs;
        self.five = [limbs[1], limbs[2], limbs[3], limbs[4]].map(|limb| 5 * limb);
    }

    /// 2^128 above the blocks from number `first` on.
    #[inline(always)]
    fn above_blocks_from(&mut self, first: usize, above: &[Limbs; 4]) {
        for (j, lanes) in self.above.iter_mut().enumerate() {
            *lanes = [0, 1].map(|lane| {
                let pairs = above.iter().enumerate();
                pairs
                    .map(|(i, limbs)| u64::from(limbs[j] * u32::from(2 * i + lane >= first)))
                    .sum()
            });
        }
    }
}

/// The accumulator after one or more blocks.
///
/// `groups` takes any number of groups into the lanes.
#[inline(always)]
pub(crate) fn blocks(
    r: Words,
    h: Words,
    cache: Option<&mut Powers>,
    blocks: &[Block],
    mut groups: impl FnMut(&Factors, &[[Block; GROUP]], &mut Lanes),
) -> Words {
    let r = split(r).map(|limb| limb as u32);
    let [r2, r4, r6, r8] = powers(r, cache);
    let tables = [r6, r4, r2].map(|t0| {
        let t1 = times_2_32(t0);
        let t2 = times_2_32(t1);
        [t0, t1, t2, times_2_32(t2)]
    });
    let [a6, a4, a2] = tables.map(|table| times_2_32(table[3]));
    let above = [a6, a4, a2, [0, 0, 0, 0, 1 << 24]];
    let mut factors = Factors {
        above: [[0; 2]; 5],
        tables,
        limbs: [0; 5],
        five: [0; 4],
        shifts: [1 << 6, 1 << 12, 1 << 18],
    };

    let empty = blocks.len().wrapping_neg() % GROUP;
    let (start, rest) = blocks.split_at(GROUP - empty);
    let mut first = [Block::default(); GROUP];
    first[empty..].copy_from_slice(start);
    factors.above_blocks_from(empty, &above);
    factors.multiply_lanes_by([r6, r4, r2, [1, 0, 0, 0, 0]][empty / 2]);
    let mut lanes = [[0; 2]; 5];
    for (lanes, limb) in lanes.iter_mut().zip(split(h)) {
        lanes[empty % 2] = limb as u32;
    }
    groups(&factors, &[first], &mut lanes);
    if !rest.is_empty() {
        factors.above_blocks_from(0, &above);
        factors.multiply_lanes_by(r8);
        groups(&factors, rest.as_chunks().0, &mut lanes);
    }

    debug_assert!(
        lanes
            .as_flattened()
            .iter()
            .all(|&limb| limb < (1 << 26) + (1 << 15))
    );
    let mut sum = times(lanes.map(|[even, _]| even), r);
    for (sum, [_, odd]) in sum.iter_mut().zip(lanes) {
        *sum += odd;
    }
    join(times(sum, r).map(u64::from))
}
