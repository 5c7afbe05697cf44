//! aarch64 NEON: two states at once; one as the portable code does it.
//!
//! # Design
//!
//! A round is 76 xors, 25 and-nots and 29 rotations of two instructions each: 159 operations for two states where the
//! scalar code has 2 x 113. By LLVM's pipeline models, cycles a round for both states:
//!
//! | | Cortex-A53 | Cortex-A72 | Neoverse N1 | Neoverse V1 |
//! |---|---|---|---|---|
//! | `soft` twice | 176 | 140 | 79 | |
//! | shift left, then shift right and insert | 218 | **85** | 91 | **46** |
//! | shift left, then shift right and accumulate, which the compiler makes of any rotation | 218 | 89 | 93 | 48 |
//!
//! So it gains most where scalar units are few, and loses a little where they are four beside two of NEON.

use core::arch::aarch64::*;

use digest::consts::U2;

use super::aarch64::{opaque, two_lanes};
use super::complement::each;
use super::parallel::*;
use super::{Kernel, round_constants, soft};
use crate::consts::{LANES, RHO};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Kernel for Neon {
    type Width = U2;

    /// Part of the target on all that have floating-point registers.
    #[inline]
    fn detect() -> Option<Self> {
        cfg!(target_feature = "neon").then_some(Self(()))
    }

    #[inline]
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
        soft::Soft.permute::<ROUNDS>(state);
    }

    groups!(2 => x2);
}

mod x2 {
    use super::*;

    two_lanes!();
    parallel!([0 1] #[target_feature(enable = "neon")]);
    parallel_plain!([0 1] #[target_feature(enable = "neon")]);

    #[target_feature(enable = "neon")]
    #[inline]
    fn parity(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> Vector {
        xor(xor(xor(a, b), xor(c, d)), e)
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn chi(a: Vector, b: Vector, c: Vector) -> Vector {
        xor(a, vbicq_u64(c, b))
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn theta_effect(before: Vector, after: Vector) -> Vector {
        xor(
            before,
            vsriq_n_u64::<63>(opaque(vaddq_u64(after, after)), after),
        )
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(a: Vector, d: Vector) -> Vector {
        let a = xor(a, d);
        if LEFT == 0 {
            a
        } else {
            vsriq_n_u64::<RIGHT>(opaque(vshlq_n_u64::<LEFT>(a)), a)
        }
    }
}
