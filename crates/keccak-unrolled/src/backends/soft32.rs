//! Portable back end on bit-interleaved 32-bit halves of lanes.
//!
//! # Design
//!
//! A lane is kept as its even bits and its odd bits (Keccak implementation overview, section 2.1): a rotation
//! by `n` is then one 32-bit rotation of each half, with the halves exchanged for an odd `n`, instead of four
//! shifts and two ors. The sponges keep their state in this form: a lane is interleaved when bytes are xored
//! into it and de-interleaved when bytes are read from it, never for the permutation.
//!
//! 50 words do not fit in the registers of any 32-bit CPU, so a round reads one state in memory and writes
//! another, half a plane at a time: five words live, beside the ten of D where there is room. That is two rounds
//! in the loop's body, the state coming back to where it was. Lanes are complemented (`complement.rs`).
//!
//! Nanoseconds for Keccak-f\[1600\] on an AMD EPYC (Zen 5) in x86-64 code, which has twice the registers of
//! x86, all in one process, by the number of rounds in the loop's body (`soft` takes 213):
//!
//! | shape | 1 | 2 | 4 |
//! |---|---|---|---|
//! | from one state in memory to another, complemented | 541 | **447** | |
//! | by value, complemented, half a plane at a time | 477 | 486 | 473 |
//! | by value, plain chi, both halves of a lane together | 1730 | 1750 | |
//!
//! The last is what the compiler makes of pairs of halves: it takes them for vectors of two, which have no
//! rotation. The same happens, at 3000, if the state is all even halves followed by all odd ones.
//!
//! Two rounds are 1018 instructions here: 304 xors, 98 rotations, 100 `and` or `or`, 28 `not`, 443 moves.
//! Without the barrier in `round` they are 1284.
#![forbid(unsafe_code)]

use digest::consts::U1;

use super::Kernel;
use super::complement::{COMPLEMENTED, chi, each};
use crate::consts::{F1600_ROUNDS, LANES, RC, RHO};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Soft32;

impl Kernel for Soft32 {
    type Width = U1;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn encode(self, lane: u64) -> u64 {
        interleave(lane)
    }

    #[inline(always)]
    fn decode(self, lane: u64) -> u64 {
        deinterleave(lane)
    }

    /// Not inlined: the other back ends, which share callers with this one, need no stack for two states.
    #[inline(never)]
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
        let (odd, pairs) = const { RC32.split_at(F1600_ROUNDS - ROUNDS).1 }.as_rchunks();
        let mut a: State = state.map(split);
        let mut e: State = [[0; 2]; LANES];
        for &rc in odd {
            single_round(&mut a, &mut e, rc);
        }
        double_rounds(&mut a, &mut e, pairs);
        *state = a.map(|[even, odd]| join(even, odd));
        #[cfg(feature = "zeroize")]
        {
            use zeroize::Zeroize;
            a.as_flattened_mut().zeroize();
            e.as_flattened_mut().zeroize();
        }
    }
}

/// Exchanges the bits of `x` under `mask` with those under `mask << shift`.
const fn delta_swap(x: u32, mask: u32, shift: u32) -> u32 {
    let t = (x ^ (x >> shift)) & mask;
    x ^ t ^ (t << shift)
}

/// Even bits to the low half of a word, odd bits to its high half.
const fn unshuffle(x: u32) -> u32 {
    let x = delta_swap(x, 0x2222_2222, 1);
    let x = delta_swap(x, 0x0c0c_0c0c, 2);
    let x = delta_swap(x, 0x00f0_00f0, 4);
    delta_swap(x, 0x0000_ff00, 8)
}

/// The inverse of [`unshuffle`].
const fn shuffle(x: u32) -> u32 {
    let x = delta_swap(x, 0x0000_ff00, 8);
    let x = delta_swap(x, 0x00f0_00f0, 4);
    let x = delta_swap(x, 0x0c0c_0c0c, 2);
    delta_swap(x, 0x2222_2222, 1)
}

/// A lane with its even bits in the low half and its odd bits in the high half.
const fn interleave(lane: u64) -> u64 {
    let low = unshuffle(lane as u32);
    let high = unshuffle((lane >> 32) as u32);
    join(
        (low & 0xffff) | (high << 16),
        (low >> 16) | (high & 0xffff_0000),
    )
}

/// The inverse of [`interleave`].
const fn deinterleave(lane: u64) -> u64 {
    let [even, odd] = split(lane);
    let low = shuffle((even & 0xffff) | (odd << 16));
    let high = shuffle((even >> 16) | (odd & 0xffff_0000));
    join(low, high)
}

const fn split(lane: u64) -> [u32; 2] {
    [lane as u32, (lane >> 32) as u32]
}

const fn join(low: u32, high: u32) -> u64 {
    (low as u64) | ((high as u64) << 32)
}

/// Even and odd bits of the round constants.
const RC32: [[u32; 2]; F1600_ROUNDS] = {
    let mut halves = [[0; 2]; F1600_ROUNDS];
    let mut i = 0;
    while i < F1600_ROUNDS {
        halves[i] = split(interleave(RC[i]));
        i += 1;
    }
    halves
};

/// Even and odd half of each lane, side by side.
type State = [[u32; 2]; LANES];

/// Not inlined, so that both states stay in memory and the compiler does not invent a third.
#[inline(never)]
fn double_rounds(a: &mut State, e: &mut State, constants: &[[[u32; 2]; 2]]) {
    complement(a);
    for &[first, second] in constants {
        round(a, e, first);
        round(e, a, second);
    }
    complement(a);
}

/// For odd numbers of rounds, which no standard uses.
#[inline(never)]
fn single_round(a: &mut State, e: &mut State, rc: [u32; 2]) {
    complement(a);
    round(a, e, rc);
    complement(e);
    *a = *e;
}

fn complement(state: &mut State) {
    for lane in COMPLEMENTED {
        state[lane] = state[lane].map(|half| !half);
    }
}

/// A round (FIPS 202, section 3.2) on complemented lanes, from `a` to `e`.
#[inline(always)]
fn round(a: &State, e: &mut State, rc: [u32; 2]) {
    // Theta. Of a lane rotated by one the even half is the odd half rotated, and the odd half is the even half.
    let c: [[u32; 2]; 5] = each!(|X| {
        let column = [a[X], a[X + 5], a[X + 10], a[X + 15], a[X + 20]];
        [
            column[0][0] ^ column[1][0] ^ column[2][0] ^ column[3][0] ^ column[4][0],
            column[0][1] ^ column[1][1] ^ column[2][1] ^ column[3][1] ^ column[4][1],
        ]
    });
    let d: [[u32; 2]; 5] = each!(|X| {
        let (before, after) = (c[(X + 4) % 5], c[(X + 1) % 5]);
        [before[0] ^ after[1].rotate_left(1), before[1] ^ after[0]]
    });
    // A barrier: without it the compiler saves the words that theta has read on the stack, to read them there
    // again.
    let a = core::hint::black_box(a);
    each!(|Y| {
        half_plane(a, e, &d, Y, 0);
        half_plane(a, e, &d, Y, 1);
    });
    // Iota.
    e[0][0] ^= rc[0];
    e[0][1] ^= rc[1];
}

/// The rest of theta, rho, pi and chi for one half (0 even, 1 odd) of plane `y`.
#[inline(always)]
fn half_plane(a: &State, e: &mut State, d: &[[u32; 2]; 5], y: usize, half: usize) {
    // The lane that comes to (x, y) was at ((x + 3y) mod 5, x). Half h of a rotation by n is half h + n mod 2
    // rotated by n / 2, rounded up for the even half.
    let b = each!(|X| {
        let from = (X + 3 * y) % 5 + 5 * X;
        let n = RHO[from] as usize;
        let source = (half + n) % 2;
        (a[from][source] ^ d[from % 5][source]).rotate_left(((n + 1 - half) / 2) as u32)
    });
    let words = chi(y, b);
    each!(|X| e[5 * y + X][half] = words[X]);
}

#[cfg(test)]
mod tests {
    use super::{deinterleave, interleave};

    /// Against the definition, bit by bit, for every single bit; both maps are linear.
    #[test]
    fn interleaving_is_the_definition_for_every_bit() {
        for bit in 0..64 {
            let there = bit / 2 + 32 * (bit % 2);
            assert_eq!(interleave(1 << bit), 1 << there, "bit {bit}");
            assert_eq!(deinterleave(1 << there), 1 << bit, "bit {bit}");
        }
        let lane = 0x0123_4567_89ab_cdef;
        assert_eq!(deinterleave(interleave(lane)), lane);
    }
}
