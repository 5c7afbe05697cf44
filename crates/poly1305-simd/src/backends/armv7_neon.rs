//! 32-bit Arm with NEON, in assembly: the intrinsics are not stable there. See `tables` for how it computes.
//!
//! `vld4.32` brings the words of two blocks apart, `vmlal.u32` multiplies them by one word of a table and adds. A group of
//! eight blocks takes 126 instructions, of which 89 are products: two cycles each on a NEON unit of 64 bits (Cortex-A7, A8,
//! A9), which is 1.4 cycles a byte, half of that on a Cortex-A15. 26-bit limbs would take 25 products a block instead of
//! 20 and splitting; scalar blocks take about 110 instructions.

use super::{
    Powers, Words,
    tables::{self, Factors, GROUP, Lanes},
};
use crate::Block;
use core::arch::naked_asm;

/// Proof that the CPU has NEON.
#[derive(Clone, Copy)]
pub(crate) struct Armv7Neon(());

impl Armv7Neon {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        neon_detect::available().then_some(Self(()))
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
            assert!(!blocks.is_empty(), "the assembly takes one without looking");
            // SAFETY: the token proves that the CPU has NEON; so many groups are there.
            unsafe { groups(factors, blocks.as_ptr(), blocks.len(), lanes) }
        })
    }

    /// Does what `wipe_stack` does elsewhere, in a tenth of the instructions: `memset` is a call for each part.
    #[inline]
    pub(crate) fn wipe_stack(self) {
        // SAFETY: the token proves that the CPU has NEON. The frame of `blocks` has 950 bytes.
        #[cfg(feature = "zeroize")]
        unsafe {
            wipe_parts(16);
        }
    }
}

/// Overwrites so many times 128 bytes, at least one, of the stack below the caller's frame.
#[cfg(feature = "zeroize")]
#[unsafe(naked)]
unsafe extern "C" fn wipe_parts(_parts: usize) {
    naked_asm!(
        ".fpu neon",
        "vmov.i32 q8, #0",
        "vmov.i32 q9, #0",
        "vmov.i32 q10, #0",
        "vmov.i32 q11, #0",
        "vmov.i32 q12, #0",
        "vmov.i32 q13, #0",
        "vmov.i32 q14, #0",
        "vmov.i32 q15, #0",
        "mov r12, sp",
        "sub r1, r12, r0, lsl #7",
        "mov sp, r1",
        "2:",
        "vstmia r1!, {{d16-d31}}",
        "cmp r1, r12",
        "bne 2b",
        "mov sp, r12",
        "bx lr",
    )
}

/// The tables take about 2000 instructions, 1500 where the powers are known, then a block 16; a scalar block takes 90.
pub(crate) const MIN_BLOCKS: [usize; 2] = [28, 20];

/// Adds the products of a register of words (or of limbs of the lanes) with five others to the five sums.
macro_rules! products {
    ($words:literal: $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "vmlal.u32 q8, d",
            $words,
            ", ",
            $t0,
            "\n",
            "vmlal.u32 q9, d",
            $words,
            ", ",
            $t1,
            "\n",
            "vmlal.u32 q10, d",
            $words,
            ", ",
            $t2,
            "\n",
            "vmlal.u32 q11, d",
            $words,
            ", ",
            $t3,
            "\n",
            "vmlal.u32 q12, d",
            $words,
            ", ",
            $t4,
            "\n",
        )
    };
}

/// A pair of blocks times the next table.
macro_rules! pair {
    () => {
        concat!(
            "vldmia r12!, {{d0-d9}}\n",
            "vld4.32 {{d26,d27,d28,d29}}, [r1]!\n",
            products!(26: "d0[0]" "d0[1]" "d1[0]" "d1[1]" "d2[0]"),
            products!(27: "d2[1]" "d3[0]" "d3[1]" "d4[0]" "d4[1]"),
            products!(28: "d5[0]" "d5[1]" "d6[0]" "d6[1]" "d7[0]"),
            products!(29: "d7[1]" "d8[0]" "d8[1]" "d9[0]" "d9[1]"),
        )
    };
}

/// Takes `count` groups, of which there is at least one, into the lanes.
///
/// # Safety
///
/// The CPU has NEON, and `count` groups of 128 bytes are at `blocks`: all of them are read, nothing behind them.
///
/// Registers: d0 to d9 a table or the last three fields of the factors, d10 to d14 the lanes, q8 to q12 the sums, d26 to
/// d29 words, q15 a mask.
#[unsafe(naked)]
unsafe extern "C" fn groups(
    _factors: &Factors,
    _blocks: *const [Block; GROUP],
    _count: usize,
    _lanes: &mut Lanes,
) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "vldmia r3, {{d10-d14}}",
        "vmov.i64 q15, #0x00000000ffffffff",
        "vshr.u64 q15, q15, #6",
        "2:",
        "mov r12, r0",
        "vldmia r12!, {{d16-d25}}",
        pair!(),
        pair!(),
        pair!(),
        "vldmia r12, {{d0-d5}}",
        "vld4.32 {{d26,d27,d28,d29}}, [r1]!",
        "vaddw.u32 q8, q8, d26",
        "vmlal.u32 q9, d27, d4[1]",
        "vmlal.u32 q10, d28, d5[0]",
        "vmlal.u32 q11, d29, d5[1]",
        products!(10: "d0[0]" "d0[1]" "d1[0]" "d1[1]" "d2[0]"),
        products!(11: "d4[0]" "d0[0]" "d0[1]" "d1[0]" "d1[1]"),
        products!(12: "d3[1]" "d4[0]" "d0[0]" "d0[1]" "d1[0]"),
        products!(13: "d3[0]" "d3[1]" "d4[0]" "d0[0]" "d0[1]"),
        products!(14: "d2[1]" "d3[0]" "d3[1]" "d4[0]" "d0[0]"),
        // Carries two chains side by side, from limb 0 and from limb 3.
        "vsra.u64 q12, q11, #26",
        "vsra.u64 q9, q8, #26",
        "vand q11, q11, q15",
        "vand q8, q8, q15",
        "vshr.u64 q13, q12, #26",
        "vsra.u64 q10, q9, #26",
        "vadd.i64 q8, q8, q13",
        "vand q12, q12, q15",
        "vshl.u64 q13, q13, #2",
        "vand q9, q9, q15",
        "vadd.i64 q8, q8, q13",
        "vsra.u64 q11, q10, #26",
        "vand q10, q10, q15",
        "vsra.u64 q9, q8, #26",
        "vand q8, q8, q15",
        "vsra.u64 q12, q11, #26",
        "vand q11, q11, q15",
        "subs r2, r2, #1",
        "vmovn.i64 d12, q10",
        "vmovn.i64 d10, q8",
        "vmovn.i64 d11, q9",
        "vmovn.i64 d13, q11",
        "vmovn.i64 d14, q12",
        "bne 2b",
        "vstmia r3, {{d10-d14}}",
        "vpop {{d8-d15}}",
        "bx lr",
    )
}
