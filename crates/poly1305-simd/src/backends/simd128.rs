//! WebAssembly with `simd128`, which a module has or has not: the choice is the compiler's. See `tables` for how it
//! computes.
//!
//! Four blocks are loaded and transposed to their words; the lower halves of the registers are one pair, the upper ones
//! the next, so that `extmul_low` and `extmul_high` take them as they are. There is no instruction that multiplies by a
//! single word: they are spread from memory, which engines do with one instruction.

use super::{
    Powers, Words,
    limbs26::LIMB,
    tables::{self, Factors, GROUP, Lanes},
};
use crate::Block;
use core::arch::wasm32::*;

/// Proof that the module has `simd128`.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

impl Simd128 {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// The accumulator after one or more blocks.
    #[inline(never)]
    pub(crate) fn blocks(
        self,
        r: Words,
        h: Words,
        cache: Option<&mut Powers>,
        blocks: &[Block],
    ) -> Words {
        tables::blocks(r, h, cache, blocks, |factors, blocks, lanes| {
            groups(factors, blocks, lanes);
        })
    }

    /// Does what `wipe_stack` does elsewhere, all at once: each part would be a call of the engine's.
    ///
    /// Only the stack that the module keeps in its memory can be reached, of which `blocks` takes about half as much.
    #[allow(
        clippy::unused_self,
        reason = "the call is for the kernels of this back end"
    )]
    #[inline(never)]
    pub(crate) fn wipe_stack(self) {
        #[cfg(feature = "zeroize")]
        core::hint::black_box(&mut [0_u8; 1024]);
    }
}

/// In V8 on x86-64 the tables take 185 ns, and then a block 6.1 ns, against 6.9 ns of the portable code.
pub(crate) const MIN_BLOCKS: [usize; 2] = [144, 112];

#[inline]
#[target_feature(enable = "simd128")]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: 16 bytes are there; the load asks for no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// The words of four blocks, a register for all first words, one for all second ones, and so on.
#[inline]
#[target_feature(enable = "simd128")]
fn words([a, b, c, d]: &[Block; 4]) -> [v128; 4] {
    let [a, b, c, d] = [load(&a.0), load(&b.0), load(&c.0), load(&d.0)];
    let (ab01, ab23) = (
        u32x4_shuffle::<0, 4, 1, 5>(a, b),
        u32x4_shuffle::<2, 6, 3, 7>(a, b),
    );
    let (cd01, cd23) = (
        u32x4_shuffle::<0, 4, 1, 5>(c, d),
        u32x4_shuffle::<2, 6, 3, 7>(c, d),
    );
    [
        u64x2_shuffle::<0, 2>(ab01, cd01),
        u64x2_shuffle::<1, 3>(ab01, cd01),
        u64x2_shuffle::<0, 2>(ab23, cd23),
        u64x2_shuffle::<1, 3>(ab23, cd23),
    ]
}

/// Adds the products of the lower half of `x` with `factors` to the sums.
#[inline]
#[target_feature(enable = "simd128")]
fn add_low(sums: &mut [v128; 5], x: v128, factors: [u32; 5]) {
    for (sum, factor) in sums.iter_mut().zip(factors) {
        *sum = u64x2_add(*sum, u64x2_extmul_low_u32x4(x, u32x4_splat(factor)));
    }
}

/// Adds the products of the upper half of `x` with `factors` to the sums.
#[inline]
#[target_feature(enable = "simd128")]
fn add_high(sums: &mut [v128; 5], x: v128, factors: [u32; 5]) {
    for (sum, factor) in sums.iter_mut().zip(factors) {
        *sum = u64x2_add(*sum, u64x2_extmul_high_u32x4(x, u32x4_splat(factor)));
    }
}

/// Carries two chains side by side, from limb 0 and from limb 3.
#[inline]
#[target_feature(enable = "simd128")]
fn carry([d0, d1, d2, d3, d4]: [v128; 5]) -> [v128; 5] {
    let mask = u64x2_splat(LIMB);
    let up = |x| u64x2_shr(x, 26);
    let low = |x| v128_and(x, mask);
    let (d1, d4) = (u64x2_add(d1, up(d0)), u64x2_add(d4, up(d3)));
    let (d0, d3) = (low(d0), low(d3));
    let (d2, top) = (u64x2_add(d2, up(d1)), up(d4));
    let d0 = u64x2_add(u64x2_add(d0, top), u64x2_shl(top, 2));
    let (d1, d4) = (low(d1), low(d4));
    let (d3, d1) = (u64x2_add(d3, up(d2)), u64x2_add(d1, up(d0)));
    let (d2, d0) = (low(d2), low(d0));
    let d4 = u64x2_add(d4, up(d3));
    let limbs = [d0, d1, d2, low(d3), d4];
    debug_assert!(limbs.iter().all(|&limb| {
        u64x2_extract_lane::<0>(limb).max(u64x2_extract_lane::<1>(limb)) < (1 << 26) + (1 << 15)
    }));
    limbs
}

/// Takes groups into the lanes.
#[target_feature(enable = "simd128")]
fn groups(factors: &Factors, groups: &[[Block; GROUP]], lanes: &mut Lanes) {
    let Factors {
        above,
        tables: [t6, t4, t2],
        limbs: [y0, y1, y2, y3, y4],
        five: [s1, s2, s3, s4],
        ..
    } = *factors;
    let mut h = lanes.map(|[even, odd]| u64x2(even.into(), odd.into()));
    for group in groups {
        let mut sums = above.map(|[even, odd]| u64x2(even, odd));
        let ([first, second], _) = group.as_chunks::<4>() else {
            continue;
        };
        let m = words(first);
        for i in 0..4 {
            add_low(&mut sums, m[i], t6[i]);
            add_high(&mut sums, m[i], t4[i]);
        }
        let m = words(second);
        for i in 0..4 {
            add_low(&mut sums, m[i], t2[i]);
        }
        let last = m.map(|word| u64x2_extend_high_u32x4(word));
        sums[0] = u64x2_add(sums[0], last[0]);
        sums[1] = u64x2_add(sums[1], u64x2_shl(last[1], 6));
        sums[2] = u64x2_add(sums[2], u64x2_shl(last[2], 12));
        sums[3] = u64x2_add(sums[3], u64x2_shl(last[3], 18));

        let h01 = u32x4_shuffle::<0, 2, 4, 6>(h[0], h[1]);
        let h23 = u32x4_shuffle::<0, 2, 4, 6>(h[2], h[3]);
        let h4 = u32x4_shuffle::<0, 2, 4, 6>(h[4], h[4]);
        add_low(&mut sums, h01, [y0, y1, y2, y3, y4]);
        add_high(&mut sums, h01, [s4, y0, y1, y2, y3]);
        add_low(&mut sums, h23, [s3, s4, y0, y1, y2]);
        add_high(&mut sums, h23, [s2, s3, s4, y0, y1]);
        add_low(&mut sums, h4, [s1, s2, s3, s4, y0]);
        h = carry(sums);
    }
    *lanes = h.map(|limb| [u32x4_extract_lane::<0>(limb), u32x4_extract_lane::<2>(limb)]);
}
