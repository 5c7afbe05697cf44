//! Portable back end on 64-bit lanes.
//!
//! # Design
//!
//! A round is 76 xors, 29 rotations, 25 pairs of `and` (or `or`) and xor, and the xor of iota: 156 operations,
//! besides the moves that two-operand instructions and 25 lanes in 16 registers cost. At four operations a
//! cycle that is 39 cycles. The round is a function from 25 lanes to 25 lanes by value with every index a
//! constant: pi and rho are only names, nothing is shuffled through an array, and the compiler keeps in
//! registers what fits. Two such rounds make the loop's body (152 xors, 58 rotations, 50 `and` or `or`, 19
//! `not`, 259 moves), with the lanes complemented (`complement.rs`).
//!
//! Nanoseconds for Keccak-f\[1600\] on an AMD EPYC (Zen 5) without any target feature, all shapes in turn in
//! one process, by the number of rounds in the loop's body:
//!
//! | shape | 1 | 2 | 4 | 8 | 24 |
//! |---|---|---|---|---|---|
//! | plain chi | 278 | 252 | 266 | 264 | 270 |
//! | plain chi with BMI1 and BMI2 | | | 233 | | 232 |
//! | plain chi, theta's parities summed in chi | | 280 | 255 | | 256 |
//! | plain chi, from one array in memory to another | | 282 | | | |
//! | complemented lanes | 229 | **213** | 237 | 235 | 230 |
//! | complemented lanes, parities summed in chi | 231 | 215 | 227 | | |
//! | complemented lanes, from one array in memory to another | | 251 | 246 | | |
//!
//! `keccak` 0.2.2 takes 256 in the same process. Three and six rounds take 233 and 231.
//!
//! The order in which the planes are written down steers the register allocation. In the crate, as a ratio to
//! `keccak`: 0 2 4 1 3 gives 1.20; 0 1 2 3 4 gives 1.16 to 1.17; seven other orders give 1.13 to 1.16.
//!
//! aarch64 has the rounds of `lazy.rs` instead.
#![forbid(unsafe_code)]

use digest::consts::U1;

use super::complement::{COMPLEMENTED, chi, each};
use super::{Kernel, LOGIC_ROTATES, REGISTERS_HAVE_64_BITS, lazy, round_constants};
use crate::consts::{LANES, RHO};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Soft;

impl Kernel for Soft {
    type Width = U1;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline]
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
        let (odd, pairs) = round_constants::<ROUNDS>().as_rchunks();
        if LOGIC_ROTATES && REGISTERS_HAVE_64_BITS {
            for &rc in odd {
                lazy::single_round(state, rc);
            }
            return lazy::double_rounds(state, pairs);
        }
        for &rc in odd {
            single_round(state, rc);
        }
        double_rounds(state, pairs);
    }
}

/// Not inlined: one copy of the code serves every sponge and every number of rounds.
#[inline(never)]
fn double_rounds(state: &mut [u64; LANES], constants: &[[u64; 2]]) {
    let mut a = *state;
    complement(&mut a);
    for &[first, second] in constants {
        a = round(round(a, first), second);
    }
    complement(&mut a);
    *state = a;
}

/// For odd numbers of rounds, which no standard uses.
#[inline(never)]
fn single_round(state: &mut [u64; LANES], rc: u64) {
    let mut a = *state;
    complement(&mut a);
    a = round(a, rc);
    complement(&mut a);
    *state = a;
}

#[inline(always)]
fn complement(state: &mut [u64; LANES]) {
    for lane in COMPLEMENTED {
        state[lane] = !state[lane];
    }
}

/// A round (FIPS 202, section 3.2) on complemented lanes.
#[inline(always)]
fn round(a: [u64; LANES], rc: u64) -> [u64; LANES] {
    // Theta.
    let c: [u64; 5] = each!(|X| a[X] ^ a[X + 5] ^ a[X + 10] ^ a[X + 15] ^ a[X + 20]);
    let d: [u64; 5] = each!(|X| c[(X + 4) % 5] ^ c[(X + 1) % 5].rotate_left(1));
    // In this order: see the design note.
    let p0 = plane(&a, &d, 0);
    let p2 = plane(&a, &d, 2);
    let p4 = plane(&a, &d, 4);
    let p1 = plane(&a, &d, 1);
    let p3 = plane(&a, &d, 3);
    let mut e = [0; LANES];
    e.copy_from_slice([p0, p1, p2, p3, p4].as_flattened());
    // Iota.
    e[0] ^= rc;
    e
}

/// The rest of theta, rho, pi and chi for plane `y`.
#[inline(always)]
fn plane(a: &[u64; LANES], d: &[u64; 5], y: usize) -> [u64; 5] {
    // The lane that comes to (x, y) was at ((x + 3y) mod 5, x).
    let b = each!(|X| {
        let from = (X + 3 * y) % 5 + 5 * X;
        (a[from] ^ d[from % 5]).rotate_left(RHO[from])
    });
    chi(y, b)
}
