//! Rounds with hardly a rotation of their own, for 64-bit Arm, whose logical instructions rotate an operand on the way.
//!
//! # Design
//!
//! A lane that rho has to rotate is left as it is: the first of two rounds only remembers by how much, and chi and the
//! second round's theta rotate their operands by differences of such offsets, which costs nothing. The second round
//! rotates each lane once, by both rounds' offsets. Two rounds are then 152 xors, 50 and-nots and 24 rotations instead of
//! 48, and chi needs no complemented lanes.
//!
//! Cortex-A72 and A57 do a logical instruction with a rotation in one of three pipelines and in two cycles, so there a
//! round of nothing else is slower, and the second round's chi is without. By the pipeline model of LLVM 14 (19
//! for N1), cycles a round; 25 lanes, five of theta and what chi needs do not fit in 28 registers, which is ten loads and ten
//! stores a round in every shape:
//!
//! | shape | instructions for 24 rounds | Cortex-A53 | Cortex-A72 | Neoverse N1 |
//! |---|---|---|---|---|
//! | every round rotates (as `keccak` 0.2.2 does, 3772) | 3732 | 107 | **66** | |
//! | every second round rotates, the rotations of both merged | 3532 | **88** | 88 | |
//! | every second round rotates, its chi by itself (this) | **3400** | 93 | 67 | **40** |
//! | every fourth round rotates | 3482 | 91 | 82 | |
#![forbid(unsafe_code)]

use super::complement::each;
use crate::consts::{LANES, RHO};

/// By how much each lane has still to be rotated.
type Offsets = [u32; LANES];

const NONE: &Offsets = &[0; LANES];

/// After a round on lanes with none.
const RHO_PI: &Offsets = &{
    let mut offsets = [0; LANES];
    let mut i = 0;
    while i < LANES {
        offsets[i] = RHO[source(i % 5, i / 5)];
        i += 1;
    }
    offsets
};

/// The lane that pi moves to (x, y).
const fn source(x: usize, y: usize) -> usize {
    (x + 3 * y) % 5 + 5 * x
}

/// A lane that has to be rotated by `from`, as one that has to be rotated by `to`.
#[inline(always)]
fn turn(lane: u64, from: u32, to: u32) -> u64 {
    lane.rotate_left((64 + from - to) % 64)
}

#[inline(never)]
pub(super) fn double_rounds(state: &mut [u64; LANES], constants: &[[u64; 2]]) {
    let mut a = *state;
    for &[first, second] in constants {
        a = round(&a, NONE, first, true);
        a = round(&a, RHO_PI, second, false);
    }
    *state = a;
}

#[inline(never)]
pub(super) fn single_round(state: &mut [u64; LANES], rc: u64) {
    *state = round(state, NONE, rc, false);
}

/// A round (FIPS 202, section 3.2) on lanes with these offsets. Afterwards the offsets are `RHO_PI` if `lazy`, which takes
/// `NONE` before, else none.
#[inline(always)]
fn round(a: &[u64; LANES], offsets: &Offsets, rc: u64, lazy: bool) -> [u64; LANES] {
    // Theta. C[x] has to be rotated as lane (x, 0), D[x] as C[x - 1].
    let c: [u64; 5] = each!(|X| {
        let other = |y: usize| turn(a[X + 5 * y], offsets[X + 5 * y], offsets[X]);
        a[X] ^ other(1) ^ other(2) ^ other(3) ^ other(4)
    });
    let d: [u64; 5] = each!(|X| {
        let (before, after) = ((X + 4) % 5, (X + 1) % 5);
        c[before] ^ turn(c[after], offsets[after] + 1, offsets[before])
    });
    // In this order: of all it spills least.
    let plane = |y| plane(a, offsets, &d, y, lazy);
    let p4 = plane(4);
    let p1 = plane(1);
    let p3 = plane(3);
    let p2 = plane(2);
    let p0 = plane(0);
    let mut e = [0; LANES];
    e.copy_from_slice([p0, p1, p2, p3, p4].as_flattened());
    // Iota. Lane (0, 0) is never rotated.
    e[0] ^= rc;
    e
}

/// The rest of theta, rho, pi and chi for plane `y`.
#[inline(always)]
fn plane(a: &[u64; LANES], offsets: &Offsets, d: &[u64; 5], y: usize, lazy: bool) -> [u64; 5] {
    let b: [u64; 5] = each!(|X| {
        let from = source(X, y);
        a[from] ^ turn(d[from % 5], offsets[(from + 4) % 5], offsets[from])
    });
    let n: [u32; 5] = each!(|X| (offsets[source(X, y)] + RHO[source(X, y)]) % 64);
    if lazy {
        each!(|X| {
            let (x1, x2) = ((X + 1) % 5, (X + 2) % 5);
            b[X] ^ turn(b[x2] & !turn(b[x1], n[x1], n[x2]), n[x2], n[X])
        })
    } else {
        let b: [u64; 5] = each!(|X| b[X].rotate_left(n[X]));
        each!(|X| b[X] ^ (!b[(X + 1) % 5] & b[(X + 2) % 5]))
    }
}
