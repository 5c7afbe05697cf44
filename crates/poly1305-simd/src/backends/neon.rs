//! Poly1305 on 64-bit Arm, whose targets have NEON: eight blocks at a time in two lanes.
//!
//! `umlal` multiplies a register of 32-bit lanes by one lane of another and adds to 64-bit lanes. So the two lanes of
//! the accumulator take the blocks with even and with odd numbers, both are multiplied by the same powers of `r`, and at
//! the end `h = (even r + odd) r`. From one group of eight blocks `m0` to `m7` to the next,
//!
//! ```text
//! lanes = lanes r^8 + (m0, m1) r^6 + (m2, m3) r^4 + (m4, m5) r^2 + (m6, m7)
//! ```
//!
//! and the accumulator from before is added to the first block of all.
//!
//! A block is not split into limbs: `ld4` brings its four 32-bit words apart, and each has a table of its own, the five
//! 26-bit limbs of `r^k 2^(32 i)` for word `i`. That makes 20 products a block and no work before them, instead of 25 and
//! five shifts and masks. The last pair takes four. Tables of `r^6`, `r^4` and `r^2` are 20 registers, the powers in the
//! lanes of each; the lane left over holds `r^8`, its limbs times five and the constants of the last pair, so that nothing
//! in the loop is loaded but the blocks and the sum of what 2^128 above each block contributes.
//!
//! Bounds: the limbs in the tables are below 2^27, so the sum of 12 products with words of a block below 2^62.6; that of
//! five products of limbs below 2^27 and 5 * 2^27 is below 2^59. A carry out of a limb is below 2^38, out of the topmost,
//! times five, below 2^41, of which 2^15 goes on into limb 1: limbs after a carry are below 2^26 + 2^15.
//!
//! A group takes 124 instructions, of which 88 are products, one a cycle on Cortex-A53 and A72: about 0.8 cycles a byte.
//! The carry (a chain of about 30 cycles) is beside the next group's products, which do not wait for it. Shapes tried
//! (instructions for 16 KiB, 1024 blocks; scalar: 32 000):
//!
//! | shape | instructions |
//! |---|---|
//! | intrinsics, the compiler's order: reloads what it spilled | 18 900 |
//! | intrinsics, the order of the parts forced | 18 000 |
//! | the loop in assembly (this one) | 15 800 |
//!
//! Scalar blocks beside the vector ones (three fit into the time of a group) would save a quarter of the time of a
//! Cortex-A72, and cost a third more instructions.

use super::{
    Powers, Words,
    limbs26::{LIMB, join_carried, split},
    native,
};
use crate::Block;
use core::arch::{aarch64::*, asm};

/// Proof that the CPU has NEON.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// NEON is a part of the targets for which this is compiled.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// The accumulator after eight or more blocks.
    #[inline]
    pub(crate) fn blocks(
        self,
        r: Words,
        h: Words,
        cache: Option<&mut Powers>,
        blocks: &[Block],
    ) -> Words {
        // SAFETY: the token proves that the CPU has NEON.
        unsafe { wide(r, h, cache, blocks) }
    }
}

/// On a Cortex-A72 16 and 8 are no slower than scalar blocks, where multiplication is fast later ones.
pub(crate) const MIN_BLOCKS: [usize; 2] = [24, 12];

/// A limb each of the powers of `r` whose lanes are named below.
type Limbs = [uint32x4_t; 5];

const R6: i32 = 0;
const R8: i32 = 1;
const R2: i32 = 2;
const R4: i32 = 3;

/// Two lanes of an accumulator, before a carry.
type Sums = [uint64x2_t; 5];

/// Two lanes of an accumulator after it: limbs 0 and 1, 2 and 3, and 4.
type Packed = [uint32x4_t; 3];

#[inline]
#[target_feature(enable = "neon")]
fn narrow(low: uint64x2_t, high: uint64x2_t) -> uint32x4_t {
    vuzp1q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high))
}

/// Hides from the compiler that the upper halves of the lanes are zero: it would take 64-bit products for 32-bit ones,
/// which there are no instructions for.
#[inline]
#[target_feature(enable = "neon")]
fn hide(mut x: uint32x4_t) -> uint32x4_t {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {0:v} */", inout(vreg) x, options(pure, nomem, nostack, preserves_flags)) };
    x
}

/// Carries two chains side by side, from limb 0 and from limb 3.
#[inline]
#[target_feature(enable = "neon")]
fn carry([d0, d1, d2, d3, d4]: Sums) -> Sums {
    let mask = vdupq_n_u64(LIMB);
    let d1 = vsraq_n_u64::<26>(d1, d0);
    let d4 = vsraq_n_u64::<26>(d4, d3);
    let (d0, d3) = (vandq_u64(d0, mask), vandq_u64(d3, mask));
    let d2 = vsraq_n_u64::<26>(d2, d1);
    let top = vshrq_n_u64::<26>(d4);
    let d0 = vaddq_u64(vaddq_u64(d0, top), vshlq_n_u64::<2>(top));
    let (d1, d4) = (vandq_u64(d1, mask), vandq_u64(d4, mask));
    let d3 = vsraq_n_u64::<26>(d3, d2);
    let d1 = vsraq_n_u64::<26>(d1, d0);
    let (d2, d0) = (vandq_u64(d2, mask), vandq_u64(d0, mask));
    let d4 = vsraq_n_u64::<26>(d4, d3);
    let limbs = [d0, d1, d2, vandq_u64(d3, mask), d4];
    debug_assert!(limbs.iter().all(|&limb| {
        vgetq_lane_u64::<0>(limb).max(vgetq_lane_u64::<1>(limb)) < (1 << 26) + (1 << 15)
    }));
    limbs
}

#[inline]
#[target_feature(enable = "neon")]
fn pack([d0, d1, d2, d3, d4]: Sums) -> Packed {
    [narrow(d0, d1), narrow(d2, d3), hide(narrow(d4, d4))]
}

/// The limbs of one of the two lanes.
#[inline]
#[target_feature(enable = "neon")]
fn lane<const LOW: i32, const HIGH: i32>([x01, x23, x4]: Packed) -> Words {
    join_carried([
        vgetq_lane_u32::<LOW>(x01).into(),
        vgetq_lane_u32::<HIGH>(x01).into(),
        vgetq_lane_u32::<LOW>(x23).into(),
        vgetq_lane_u32::<HIGH>(x23).into(),
        vgetq_lane_u32::<LOW>(x4).into(),
    ])
}

/// Limbs 1 to 4 times five.
#[inline]
#[target_feature(enable = "neon")]
fn times_5(x: Limbs) -> [uint32x4_t; 4] {
    let five = vdupq_n_u32(5);
    [x[1], x[2], x[3], x[4]].map(|limb| vmulq_u32(limb, five))
}

/// `x 2^32`: one limb up and six bits, what leaves the topmost times five at the bottom.
#[inline]
#[target_feature(enable = "neon")]
fn times_2_32(x: Limbs) -> Limbs {
    let mask = vdupq_n_u32(LIMB as u32);
    let five = vdupq_n_u32(5);
    let low = x.map(|limb| vandq_u32(vshlq_n_u32::<6>(limb), mask));
    let y0 = vmulq_u32(vsraq_n_u32::<20>(low[4], x[3]), five);
    let y1 = vmlaq_u32(low[0], vshrq_n_u32::<20>(x[4]), five);
    [
        vandq_u32(y0, mask),
        vsraq_n_u32::<26>(y1, y0),
        vsraq_n_u32::<20>(low[1], x[0]),
        vsraq_n_u32::<20>(low[2], x[1]),
        vsraq_n_u32::<20>(low[3], x[2]),
    ]
}

/// `x y`, two lanes times a number in the second lane of its limbs.
#[inline]
#[target_feature(enable = "neon")]
fn product([x01, x23, x4]: Packed, y: Limbs) -> Sums {
    let [y0, y1, y2, y3, y4] = y;
    let [s1, s2, s3, s4] = times_5(y);
    macro_rules! sum {
        ($a:ident $b:ident $c:ident $d:ident $e:ident) => {{
            let sum = vmull_laneq_u32::<1>(vget_low_u32(x01), $a);
            let sum = vmlal_high_laneq_u32::<1>(sum, x01, $b);
            let sum = vmlal_laneq_u32::<1>(sum, vget_low_u32(x23), $c);
            let sum = vmlal_high_laneq_u32::<1>(sum, x23, $d);
            vmlal_laneq_u32::<1>(sum, vget_low_u32(x4), $e)
        }};
    }
    [
        sum!(y0 s4 s3 s2 s1),
        sum!(y1 y0 s4 s3 s2),
        sum!(y2 y1 y0 s4 s3),
        sum!(y3 y2 y1 y0 s4),
        sum!(y4 y3 y2 y1 y0),
    ]
}

/// Limbs of r^6, r^8, r^2 and r^4.
#[inline]
#[target_feature(enable = "neon")]
fn powers(scalar: &native::State, cache: Option<&mut Powers>) -> Limbs {
    if let Some(Powers { words, known: 1 }) = &cache {
        let (words, _) = words.as_flattened().as_chunks::<2>();
        // SAFETY: two words are as large as the register, and every value is one of its.
        return core::array::from_fn(|i| unsafe { vld1q_u64(words[i].as_ptr()) })
            .map(|x| vreinterpretq_u32_u64(x));
    }
    let r2 = scalar.times_r(scalar.r());
    let r4 = split(scalar.times_r(scalar.times_r(r2)));
    let r2 = split(r2);
    let low: Sums = core::array::from_fn(|i| vcombine_u64(vcreate_u64(r2[i]), vcreate_u64(r4[i])));
    let y = low.map(|x| narrow(x, x));
    let high = carry(product(pack(low), y));
    let limbs = core::array::from_fn(|i| narrow(high[i], low[i]));
    if let Some(Powers { words, known }) = cache {
        let (words, _) = words.as_flattened_mut().as_chunks_mut::<2>();
        for (words, limb) in words.iter_mut().zip(limbs) {
            // SAFETY: two words are as large as the register.
            unsafe { vst1q_u64(words.as_mut_ptr(), vreinterpretq_u64_u32(limb)) };
        }
        *known = 1;
    }
    limbs
}

/// Adds to the sums the products of a register of words, its lower or its upper half, with a lane of five registers.
macro_rules! products {
    (low $words:literal, $($table:literal)*; $lane:literal) => {
        products!("umlal", ".2s", $words, [$($table)*] $lane)
    };
    (high $words:literal, $($table:literal)*; $lane:literal) => {
        products!("umlal2", ".4s", $words, [$($table)*] $lane)
    };
    ($op:literal, $half:literal, $words:literal, [$t0:literal $t1:literal $t2:literal $t3:literal $t4:literal] $lane:literal) => {
        concat!(
            $op, " v20.2d, v", $words, $half, ", v", $t0, ".s[", $lane, "]\n",
            $op, " v21.2d, v", $words, $half, ", v", $t1, ".s[", $lane, "]\n",
            $op, " v22.2d, v", $words, $half, ", v", $t2, ".s[", $lane, "]\n",
            $op, " v23.2d, v", $words, $half, ", v", $t3, ".s[", $lane, "]\n",
            $op, " v24.2d, v", $words, $half, ", v", $t4, ".s[", $lane, "]\n",
        )
    };
}

/// Adds the words of a pair of blocks, shifted to where they belong in their limbs.
macro_rules! last_pair {
    () => {
        concat!(
            "uaddw2 v20.2d, v20.2d, v25.4s\n",
            "umlal2 v21.2d, v26.4s, v10.s[1]\n",
            "umlal2 v22.2d, v27.4s, v11.s[1]\n",
            "umlal2 v23.2d, v28.4s, v12.s[1]\n",
        )
    };
}

/// The lanes after `groups`, of which there is at least one, and `four` more blocks.
///
/// `tables` are those of the four words, in whose second lane are: limbs of r^8; the same times five; for three of the
/// words 2^6, 2^12 and 2^18. The lanes begin as `first`, in each later group with `above[0]`, in the last four blocks
/// with `above[1]`. The first block is `block`, whatever is in `groups`.
#[inline]
#[target_feature(enable = "neon")]
fn lanes(
    tables: [Limbs; 4],
    above: &[Sums; 2],
    first: Sums,
    block: [u64; 2],
    groups: &[[Block; 8]],
    four: Option<&[Block; 4]>,
) -> Packed {
    assert!(!groups.is_empty(), "the assembly takes one without looking");
    let [t0, t1, t2, t3] = tables;
    let (x01, x23, x4);
    // Registers: 0 to 19 tables, 20 to 24 sums, 25 to 28 words, 29 to 31 the lanes.
    //
    // SAFETY: reads the groups, of which there is at least one and the first is replaced by `block`, the 64 bytes at
    // `four` unless it is null, and the ten registers at `above`; writes registers named only.
    unsafe {
        asm!(
            "ld4 {{v25.4s, v26.4s, v27.4s, v28.4s}}, [{blocks}], #64",
            "ins v25.s[0], {low:w}",
            "lsr {low}, {low}, #32",
            "ins v27.s[0], {high:w}",
            "lsr {high}, {high}, #32",
            "ins v26.s[0], {low:w}",
            "ins v28.s[0], {high:w}",
            "2:",
            products!(low 25, 0 1 2 3 4; 0),
            products!(low 26, 5 6 7 8 9; 0),
            products!(low 27, 10 11 12 13 14; 0),
            products!(low 28, 15 16 17 18 19; 0),
            products!(high 25, 0 1 2 3 4; 3),
            products!(high 26, 5 6 7 8 9; 3),
            products!(high 27, 10 11 12 13 14; 3),
            products!(high 28, 15 16 17 18 19; 3),
            "ld4 {{v25.4s, v26.4s, v27.4s, v28.4s}}, [{blocks}], #64",
            products!(low 25, 0 1 2 3 4; 2),
            products!(low 26, 5 6 7 8 9; 2),
            products!(low 27, 10 11 12 13 14; 2),
            products!(low 28, 15 16 17 18 19; 2),
            last_pair!(),
            // The lanes times r^8, but in the first group.
            "cbz {done}, 3f",
            products!(low 29, 0 1 2 3 4; 1),
            products!(high 29, 8 0 1 2 3; 1),
            products!(low 30, 7 8 0 1 2; 1),
            products!(high 30, 6 7 8 0 1; 1),
            products!(low 31, 5 6 7 8 0; 1),
            "3:",
            "add {done}, {done}, #1",
            "cmp {done}, {groups}",
            "b.eq 4f",
            "ld4 {{v25.4s, v26.4s, v27.4s, v28.4s}}, [{blocks}], #64",
            "4:",
            // As in `carry`.
            "dup v31.2d, {mask}",
            "usra v24.2d, v23.2d, #26",
            "usra v21.2d, v20.2d, #26",
            "and v23.16b, v23.16b, v31.16b",
            "and v20.16b, v20.16b, v31.16b",
            "ushr v29.2d, v24.2d, #26",
            "usra v22.2d, v21.2d, #26",
            "add v20.2d, v20.2d, v29.2d",
            "shl v29.2d, v29.2d, #2",
            "and v21.16b, v21.16b, v31.16b",
            "add v20.2d, v20.2d, v29.2d",
            "usra v23.2d, v22.2d, #26",
            "and v24.16b, v24.16b, v31.16b",
            "usra v21.2d, v20.2d, #26",
            "and v20.16b, v20.16b, v31.16b",
            "usra v24.2d, v23.2d, #26",
            "uzp1 v30.4s, v22.4s, v23.4s",
            "ldp q22, q23, [{above}, #32]",
            "uzp1 v29.4s, v20.4s, v21.4s",
            "ldp q20, q21, [{above}]",
            "xtn v31.2s, v24.2d",
            "ldr q24, [{above}, #64]",
            "bic v30.4s, #0xfc, lsl #24",
            "b.ne 2b",
            // Two pairs more: times r^2 and 1, the lanes times r^4.
            "cbz {four}, 5f",
            "ld4 {{v25.4s, v26.4s, v27.4s, v28.4s}}, [{four}]",
            "ldp q20, q21, [{above}, #80]",
            "ldp q22, q23, [{above}, #112]",
            "ldr q24, [{above}, #144]",
            products!(low 25, 0 1 2 3 4; 2),
            products!(low 26, 5 6 7 8 9; 2),
            products!(low 27, 10 11 12 13 14; 2),
            products!(low 28, 15 16 17 18 19; 2),
            last_pair!(),
            "shl v25.4s, v1.4s, #2",
            "shl v26.4s, v2.4s, #2",
            "shl v27.4s, v3.4s, #2",
            "shl v28.4s, v4.4s, #2",
            "add v25.4s, v25.4s, v1.4s",
            "add v26.4s, v26.4s, v2.4s",
            "add v27.4s, v27.4s, v3.4s",
            "add v28.4s, v28.4s, v4.4s",
            products!(low 29, 0 1 2 3 4; 3),
            products!(high 29, 28 0 1 2 3; 3),
            products!(low 30, 27 28 0 1 2; 3),
            products!(high 30, 26 27 28 0 1; 3),
            products!(low 31, 25 26 27 28 0; 3),
            "mov {four}, #0",
            "cmp {four}, #0",
            "b 4b",
            "5:",
            blocks = inout(reg) groups.as_ptr() => _,
            groups = in(reg) groups.len(),
            four = inout(reg) four.map_or(core::ptr::null(), |blocks| blocks.as_ptr()) => _,
            done = inout(reg) 0_usize => _,
            low = inout(reg) block[0] => _,
            high = inout(reg) block[1] => _,
            mask = in(reg) LIMB,
            above = in(reg) above.as_ptr(),
            in("v0") t0[0], in("v1") t0[1], in("v2") t0[2], in("v3") t0[3], in("v4") t0[4],
            in("v5") t1[0], in("v6") t1[1], in("v7") t1[2], in("v8") t1[3], in("v9") t1[4],
            in("v10") t2[0], in("v11") t2[1], in("v12") t2[2], in("v13") t2[3], in("v14") t2[4],
            in("v15") t3[0], in("v16") t3[1], in("v17") t3[2], in("v18") t3[3], in("v19") t3[4],
            inout("v20") first[0] => _, inout("v21") first[1] => _, inout("v22") first[2] => _,
            inout("v23") first[3] => _, inout("v24") first[4] => _,
            out("v25") _, out("v26") _, out("v27") _, out("v28") _,
            out("v29") x01, out("v30") x23, out("v31") x4,
            options(readonly, nostack),
        );
    }
    [x01, x23, x4]
}

#[inline(never)]
#[target_feature(enable = "neon")]
fn wide(r: Words, h: Words, cache: Option<&mut Powers>, blocks: &[Block]) -> Words {
    let mut scalar = native::State::from_parts(r, h);
    let (groups, rest) = blocks.as_chunks::<8>();
    let Some(first_group) = groups.first() else {
        scalar.blocks(blocks);
        return scalar.accumulator();
    };

    let t0 = powers(&scalar, cache);
    let mut t1 = times_2_32(t0);
    let mut t2 = times_2_32(t1);
    let t3 = times_2_32(t2);
    let t4 = times_2_32(t3);
    for (limb, five) in t1.iter_mut().zip(times_5(t0)) {
        *limb = vcopyq_laneq_u32::<R8, R8>(*limb, five);
    }
    t2[0] = vsetq_lane_u32::<R8>(1 << 6, t2[0]);
    t2[1] = vsetq_lane_u32::<R8>(1 << 12, t2[1]);
    t2[2] = vsetq_lane_u32::<R8>(1 << 18, t2[2]);

    // 2^128 above each block.
    let one = vdup_n_u32(1);
    let mut above_4 = t4.map(|x| vmull_laneq_u32::<R2>(one, x));
    let mut above_8 = t4.map(|x| {
        let sum = vmlal_laneq_u32::<R4>(vmull_laneq_u32::<R2>(one, x), one, x);
        vmlal_laneq_u32::<R6>(sum, one, x)
    });
    for above in [&mut above_8, &mut above_4] {
        above[4] = vaddq_u64(above[4], vdupq_n_u64(1 << 24));
    }
    let above = [above_8, above_4];

    // The first block with the accumulator added: two words, and what is above them.
    let block = u128::from_le_bytes(first_group[0].0);
    let low = u128::from(block as u64) + u128::from(h[0]);
    let high = (block >> 64) + u128::from(h[1]) + (low >> 64);
    let top = vsetq_lane_u32::<0>((high >> 64) as u32 + h[2] as u32, vdupq_n_u32(0));
    let first =
        core::array::from_fn(|i| vmlal_laneq_u32::<R6>(above_8[i], vget_low_u32(top), t4[i]));
    let (four, rest) = rest.as_chunks::<4>();
    let tables = [t0, t1, t2, t3];
    let lanes = lanes(
        tables,
        &above,
        first,
        [low as u64, high as u64],
        groups,
        four.first(),
    );

    let even = scalar.times_r(lane::<0, 2>(lanes));
    let odd = lane::<1, 3>(lanes);
    let low = u128::from(even[0]) + u128::from(odd[0]);
    let high = u128::from(even[1]) + u128::from(odd[1]) + (low >> 64);
    let sum = [
        low as u64,
        high as u64,
        even[2] + odd[2] + (high >> 64) as u64,
    ];
    scalar.set_accumulator(scalar.times_r(sum));
    scalar.blocks(rest);
    scalar.accumulator()
}
