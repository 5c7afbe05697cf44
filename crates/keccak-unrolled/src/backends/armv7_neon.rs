//! NEON on 32-bit Arm: one state in assembly, since Rust's intrinsics for it are not stable.
//!
//! # Design
//!
//! Lane `i` is in register `d<i>` from the first round to the last, and seven registers are left. A round is 162
//! instructions: theta is 35 and 25, rho and pi two shifts a lane, chi an and-not and a xor a lane. Pi moves the lanes along
//! one cycle of 24; going against it, each lane lands where the one before has just left. Cut in two, the cycle makes two chains
//! that hide each other's latency, and the two lanes which begin them wait in d25 and d28 for the plane that they both
//! come to, the first one of chi. Not one copy is needed.
//!
//! Cortex-A7, A8 and A9 do 64 bits of NEON a cycle, so that quadword registers gain them nothing, and two states would not
//! fit in: 25 lanes, 16 quadwords.
//!
//! The loop takes 170 cycles on a Cortex-A9 by LLVM's pipeline model.

use core::arch::naked_asm;

use digest::consts::U1;

use super::{Kernel, round_constants};
use crate::consts::LANES;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmV7Neon(());

impl Kernel for ArmV7Neon {
    type Width = U1;

    #[inline]
    fn detect() -> Option<Self> {
        neon_detect::available().then_some(Self(()))
    }

    #[inline]
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
        let constants = round_constants::<ROUNDS>();
        if !constants.is_empty() {
            // SAFETY: the token proves that the CPU has NEON; pointer and count are those of one slice, which is not empty.
            unsafe { rounds(state, constants.as_ptr(), constants.len()) }
        }
    }
}

macro_rules! xor {
    ($($to:literal = $a:literal ^ $b:literal),*) => {
        concat!($("veor d", $to, ", d", $a, ", d", $b, "\n"),*)
    };
}

/// `to` = `a` rotated by one: all first halves, then all second ones.
macro_rules! double {
    ($($to:literal = $a:literal),*) => {
        concat!(
            $("vadd.i64 d", $to, ", d", $a, ", d", $a, "\n",)*
            $("vsri.64 d", $to, ", d", $a, ", #63\n"),*
        )
    };
}

/// A step of each of the two chains: lane `a` by `left` to lane `to`; and theta on the lanes that come next.
macro_rules! step {
    ($($to:literal = $a:literal << $left:literal | $same:literal >> $right:literal),*; [$($next:tt)*]) => {
        concat!(
            $("vshl.i64 d", $to, ", d", $a, ", #", $left, "\n",)*
            xor!($($next)*),
            $("vsri.64 d", $to, ", d", $same, ", #", $right, "\n"),*
        )
    };
}

/// Chi on a plane: from the lanes `b` to the lanes `e` through the registers `t`.
macro_rules! chi {
    ([$($b:literal)*] [$e0:literal $e1:literal $e2:literal $e3:literal $e4:literal] [$($t:literal)*]) => {
        concat!(chi!(@ not $($b)*; $($t)*), chi!(@ xor $($b)*; $($t)*; $e0 $e1 $e2 $e3 $e4))
    };
    (@ not $b0:literal $b1:literal $b2:literal $b3:literal $b4:literal;
        $t0:literal $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "vbic d", $t0, ", d", $b2, ", d", $b1, "\n",
            "vbic d", $t1, ", d", $b3, ", d", $b2, "\n",
            "vbic d", $t2, ", d", $b4, ", d", $b3, "\n",
            "vbic d", $t3, ", d", $b0, ", d", $b4, "\n",
            "vbic d", $t4, ", d", $b1, ", d", $b0, "\n",
        )
    };
    (@ xor $($b:literal)*; $($t:literal)*; $($e:literal)*) => {
        xor!($($e = $b ^ $t),*)
    };
}

/// Rounds of Keccak-p\[1600\] with the `count` constants, which is not zero.
///
/// # Safety
///
/// The CPU has NEON; `constants` is valid for reads of `count` words, aligned as `u64` is; `count` is not zero.
#[unsafe(naked)]
unsafe extern "C" fn rounds(state: &mut [u64; LANES], constants: *const u64, count: usize) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "vldmia r0!, {{d0-d15}}",
        "vldmia r0, {{d16-d24}}",
        "sub r0, r0, #128",
        "2:",
        // Theta: C[0] to C[4] in d25 to d29.
        xor!(25 = 0 ^ 5, 26 = 1 ^ 6, 27 = 2 ^ 7, 28 = 3 ^ 8, 29 = 4 ^ 9),
        xor!(
            25 = 25 ^ 10,
            26 = 26 ^ 11,
            27 = 27 ^ 12,
            28 = 28 ^ 13,
            29 = 29 ^ 14
        ),
        xor!(
            25 = 25 ^ 15,
            26 = 26 ^ 16,
            27 = 27 ^ 17,
            28 = 28 ^ 18,
            29 = 29 ^ 19
        ),
        xor!(
            25 = 25 ^ 20,
            26 = 26 ^ 21,
            27 = 27 ^ 22,
            28 = 28 ^ 23,
            29 = 29 ^ 24
        ),
        // D[0] in d30, D[2] in d31, then D[3] in d26, D[1] in d29, D[4] in d27.
        double!(30 = 26, 31 = 28),
        xor!(30 = 30 ^ 29, 31 = 31 ^ 26),
        double!(26 = 29),
        double!(29 = 27),
        xor!(26 = 26 ^ 27, 29 = 29 ^ 25),
        double!(27 = 25),
        xor!(27 = 27 ^ 28),
        // The rest of theta, rho and pi.
        xor!(0 = 0 ^ 30, 6 = 6 ^ 29, 24 = 24 ^ 27),
        step!(25 = 6 << 44 | 6 >> 20, 28 = 24 << 14 | 24 >> 50; [9 = 9 ^ 27, 21 = 21 ^ 29]),
        step!(6 = 9 << 20 | 9 >> 44, 24 = 21 << 2 | 21 >> 62; [22 = 22 ^ 31, 8 = 8 ^ 26]),
        step!(9 = 22 << 61 | 22 >> 3, 21 = 8 << 55 | 8 >> 9; [14 = 14 ^ 27, 16 = 16 ^ 29]),
        step!(22 = 14 << 39 | 14 >> 25, 8 = 16 << 45 | 16 >> 19; [20 = 20 ^ 30, 5 = 5 ^ 30]),
        step!(14 = 20 << 18 | 20 >> 46, 16 = 5 << 36 | 5 >> 28; [2 = 2 ^ 31, 3 = 3 ^ 26]),
        step!(20 = 2 << 62 | 2 >> 2, 5 = 3 << 28 | 3 >> 36; [12 = 12 ^ 31, 18 = 18 ^ 26]),
        step!(2 = 12 << 43 | 12 >> 21, 3 = 18 << 21 | 18 >> 43; [13 = 13 ^ 26, 17 = 17 ^ 31]),
        step!(12 = 13 << 25 | 13 >> 39, 18 = 17 << 15 | 17 >> 49; [19 = 19 ^ 27, 11 = 11 ^ 29]),
        step!(13 = 19 << 8 | 19 >> 56, 17 = 11 << 10 | 11 >> 54; [23 = 23 ^ 26, 7 = 7 ^ 31]),
        step!(19 = 23 << 56 | 23 >> 8, 11 = 7 << 6 | 7 >> 58; [15 = 15 ^ 30, 10 = 10 ^ 30]),
        step!(23 = 15 << 41 | 15 >> 23, 7 = 10 << 3 | 10 >> 61; [4 = 4 ^ 27, 1 = 1 ^ 29]),
        step!(15 = 4 << 27 | 4 >> 37, 10 = 1 << 1 | 1 >> 63; []),
        // Chi, and iota with the constant in d25.
        chi!([0 25 2 3 28] [0 1 2 3 4] [26 27 29 30 31]),
        "vld1.64 {{d25}}, [r1]!",
        chi!([5 6 7 8 9] [5 6 7 8 9] [28 26 27 29 30]),
        xor!(0 = 0 ^ 25),
        chi!([10 11 12 13 14] [10 11 12 13 14] [31 28 26 27 29]),
        chi!([15 16 17 18 19] [15 16 17 18 19] [25 30 31 28 26]),
        "subs r2, r2, #1",
        chi!([20 21 22 23 24] [20 21 22 23 24] [27 29 25 30 31]),
        "bne 2b",
        "vstmia r0!, {{d0-d15}}",
        "vstmia r0, {{d16-d24}}",
        "vpop {{d8-d15}}",
        "bx lr",
    );
}
