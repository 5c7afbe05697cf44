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
//! On Arm, whose logical instructions rotate an operand on the way, the first of two rounds leaves rho's rotations to
//! the second (`lazy.rs`), and chi is plain: two rounds are then 975 instructions on ARMv7, 46 of them rotations, and a
//! permutation of a plain state 13 608 instead of 14 189.
//!
//! Two rounds are 1018 instructions here: 304 xors, 98 rotations, 100 `and` or `or`, 28 `not`, 443 moves.
//! Without the barrier in `round` they are 1284.
#![forbid(unsafe_code)]

use digest::consts::U1;

use super::complement::{COMPLEMENTED, chi, each};
use super::{Kernel, LOGIC_ROTATES};
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

/// Exchanges the bits of `low` under `mask << shift` with those of `high` under `mask`.
const fn swap([low, high]: [u32; 2], mask: u32, shift: u32) -> [u32; 2] {
    let t = ((low >> shift) ^ high) & mask;
    [low ^ (t << shift), high ^ t]
}

/// A lane with its even bits in the low half and its odd bits in the high half.
///
/// The six bits of a bit's number are rotated: each swap exchanges the top one, which half the bit is in, with another.
/// That is 30 operations, where swaps within halves take 56.
const fn interleave(lane: u64) -> u64 {
    let halves = split(lane);
    let halves = swap(halves, 0x0000_ffff, 16);
    let halves = swap(halves, 0x00ff_00ff, 8);
    let halves = swap(halves, 0x0f0f_0f0f, 4);
    let halves = swap(halves, 0x3333_3333, 2);
    let [even, odd] = swap(halves, 0x5555_5555, 1);
    join(even, odd)
}

/// The inverse of [`interleave`].
const fn deinterleave(lane: u64) -> u64 {
    let halves = split(lane);
    let halves = swap(halves, 0x5555_5555, 1);
    let halves = swap(halves, 0x3333_3333, 2);
    let halves = swap(halves, 0x0f0f_0f0f, 4);
    let halves = swap(halves, 0x00ff_00ff, 8);
    let [low, high] = swap(halves, 0x0000_ffff, 16);
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

/// By how much each half has still to be rotated.
type Offsets = [[u32; 2]; LANES];

const NONE: &Offsets = &[[0; 2]; LANES];

/// What chi leaves after a round on halves with none, where it is lazy.
const RHO_PI: &Offsets = &{
    let mut offsets = *NONE;
    let mut i = 0;
    while i < LANES {
        let from = source(i % 5, i / 5);
        offsets[i] = [half_rotation(from, 0).1, half_rotation(from, 1).1];
        i += 1;
    }
    offsets
};

/// The lane that pi moves to (x, y).
const fn source(x: usize, y: usize) -> usize {
    (x + 3 * y) % 5 + 5 * x
}

/// Which half of a lane becomes half `half` of the lane rotated as rho does, and by how much it is rotated: half `h` of a
/// rotation by `n` is half `h + n mod 2` rotated by `n / 2`, rounded up for the even half.
const fn half_rotation(lane: usize, half: usize) -> (usize, u32) {
    let n = RHO[lane] as usize;
    ((half + n) % 2, ((n + 1 - half) / 2) as u32)
}

/// A half that has to be rotated by `from`, as one that has to be rotated by `to`.
#[inline(always)]
fn turn(half: u32, from: u32, to: u32) -> u32 {
    half.rotate_left((32 + from - to) % 32)
}

/// Not inlined, so that both states stay in memory and the compiler does not invent a third.
#[inline(never)]
fn double_rounds(a: &mut State, e: &mut State, constants: &[[[u32; 2]; 2]]) {
    complement(a);
    for &[first, second] in constants {
        round(a, e, NONE, first, LOGIC_ROTATES);
        round(
            e,
            a,
            if LOGIC_ROTATES { RHO_PI } else { NONE },
            second,
            false,
        );
    }
    complement(a);
}

/// For odd numbers of rounds, which no standard uses.
#[inline(never)]
fn single_round(a: &mut State, e: &mut State, rc: [u32; 2]) {
    complement(a);
    round(a, e, NONE, rc, false);
    complement(e);
    *a = *e;
}

fn complement(state: &mut State) {
    if !LOGIC_ROTATES {
        for lane in COMPLEMENTED {
            state[lane] = state[lane].map(|half| !half);
        }
    }
}

/// A round (FIPS 202, section 3.2) from `a` with these offsets to `e`, whose offsets are `RHO_PI` if `lazy`, else none.
#[inline(always)]
fn round(a: &State, e: &mut State, offsets: &Offsets, rc: [u32; 2], lazy: bool) {
    // Theta. C[x] has to be rotated as lane (x, 0), D[x] as C[x - 1].
    let c: [[u32; 2]; 5] = each!(|X| {
        let half = |h: usize| {
            let other = |y: usize| turn(a[X + 5 * y][h], offsets[X + 5 * y][h], offsets[X][h]);
            a[X][h] ^ other(1) ^ other(2) ^ other(3) ^ other(4)
        };
        [half(0), half(1)]
    });
    // Of a lane rotated by one the even half is the odd half rotated, and the odd half is the even half.
    let d: [[u32; 2]; 5] = each!(|X| {
        let (before, after) = ((X + 4) % 5, (X + 1) % 5);
        [
            c[before][0] ^ turn(c[after][1], offsets[after][1] + 1, offsets[before][0]),
            c[before][1] ^ turn(c[after][0], offsets[after][0], offsets[before][1]),
        ]
    });
    // A barrier: without it the compiler saves the words that theta has read on the stack, to read them there
    // again.
    let a = core::hint::black_box(a);
    each!(|Y| {
        half_plane(a, e, offsets, &d, Y, 0, lazy);
        half_plane(a, e, offsets, &d, Y, 1, lazy);
    });
    // Iota. Lane (0, 0) is never rotated.
    e[0][0] ^= rc[0];
    e[0][1] ^= rc[1];
}

/// The rest of theta, rho, pi and chi for one half (0 even, 1 odd) of plane `y`.
#[inline(always)]
fn half_plane(
    a: &State,
    e: &mut State,
    offsets: &Offsets,
    d: &[[u32; 2]; 5],
    y: usize,
    half: usize,
    lazy: bool,
) {
    let b: [(u32, u32); 5] = each!(|X| {
        let from = source(X, y);
        let (h, n) = half_rotation(from, half);
        let d = turn(d[from % 5][h], offsets[(from + 4) % 5][h], offsets[from][h]);
        (a[from][h] ^ d, (offsets[from][h] + n) % 32)
    });
    let words = if lazy {
        each!(|X| {
            let [(b0, n0), (b1, n1), (b2, n2)] = [b[X], b[(X + 1) % 5], b[(X + 2) % 5]];
            b0 ^ turn(b2 & !turn(b1, n1, n2), n2, n0)
        })
    } else {
        let b: [u32; 5] = each!(|X| b[X].0.rotate_left(b[X].1));
        if LOGIC_ROTATES {
            each!(|X| b[X] ^ (!b[(X + 1) % 5] & b[(X + 2) % 5]))
        } else {
            chi(y, b)
        }
    };
    each!(|X| e[5 * y + X][half] = words[X]);
}

#[cfg(test)]
mod tests {
    use super::{
        LANES, NONE, RC32, State, deinterleave, double_rounds, half_rotation, interleave, join,
        single_round, source,
    };

    /// XKCP's intermediate values, of the permutation of zeros and of that of its image.
    const VALUES: &str = include_str!("../../tests/data/keccak-f1600-intermediate-values.txt");

    /// XKCP, `TestVectors/KeccakF-1600-IntermediateValues32BI.txt`, the all-zero input: the state after round 4.
    const AFTER_ROUND_4: &str = "
        80200F0B:70821477 D1910995:EE9F0AA4 B533F762:6E941310 643D3B85:9F53D139 5EC7A7A6:B377FDC3
        DE595126:5F5AC1A5 C87F93B0:4EC95516 38423039:3C7875FB DE0A98E5:A233A392 BC414218:C737DF29
        30AC7298:56CDDFFE 06D9EC39:E3BF093C C8358910:794A6309 9E886CA5:8777D17C 19A8B17C:C9BC5FB1
        49B2C55F:ED7882C3 6EF72D0D:2C7305BA DF2A0CE5:D5814D8A 4CA16D92:034C1073 6D5858DD:919B31CB
        62277C67:268A79A3 11587F9A:FAD57364 5B35C8A0:8611A7A7 BE3F3CD4:CA8FE6AC B3DE3FB9:4124ACFE";

    /// The same file: the round constants.
    const CONSTANTS: &str = "
        00000001:00000000 00000000:00000089 00000000:8000008B 00000000:80008080
        00000001:0000008B 00000001:00008000 00000001:80008088 00000001:80000082
        00000000:0000000B 00000000:0000000A 00000001:00008082 00000000:00008003
        00000001:0000808B 00000001:8000000B 00000001:8000008A 00000001:80000081
        00000000:80000081 00000000:80000008 00000000:00000083 00000000:80008003
        00000001:80008088 00000000:80000088 00000001:00008000 00000000:80008082";

    /// The even and the odd half of each lane.
    fn halves<const N: usize>(text: &str) -> [[u32; 2]; N] {
        let mut words = text
            .split([':', ' ', '\n'])
            .filter(|word| !word.is_empty())
            .map(|word| u32::from_str_radix(word, 16).unwrap());
        let halves = core::array::from_fn(|_| [words.next().unwrap(), words.next().unwrap()]);
        assert_eq!(words.next(), None);
        halves
    }

    /// By the definition, bit by bit: the even bits and the odd bits.
    fn by_definition(lane: u64) -> [u32; 2] {
        [0, 1].map(|odd| {
            (0..32).fold(0, |half, i| {
                half | ((lane >> (2 * i + odd)) as u32 & 1) << i
            })
        })
    }

    /// Every step of every round of both permutations that can be seen here: whole rounds, one by one and in pairs, and of
    /// rho and pi the tables.
    #[test]
    fn rounds_have_the_intermediate_values() {
        assert_eq!(RC32, halves(CONSTANTS));
        let mut lanes = VALUES
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(|plane| plane.split(' '))
            .map(|lane| by_definition(u64::from_str_radix(lane, 16).unwrap()));
        let mut e: State = *NONE;
        // Before the round before and before this one: the second permutation takes the image of the first.
        let mut earlier = None;
        let mut before: State = *NONE;
        for round in 0..48 {
            let [theta, _rho, pi, _chi, iota]: [State; 5] =
                [(); 5].map(|()| [(); LANES].map(|()| lanes.next().unwrap()));
            let rotated: State = core::array::from_fn(|lane| {
                [0, 1].map(|half| {
                    let from = source(lane % 5, lane / 5);
                    let (h, n) = half_rotation(from, half);
                    theta[from][h].rotate_left(n)
                })
            });
            assert_eq!(rotated, pi, "round {round}, rho and pi");
            let rc = RC32[round % 24];
            let mut a = before;
            single_round(&mut a, &mut e, rc);
            assert_eq!(a, iota, "round {round}");
            if let Some(mut a) = earlier {
                double_rounds(&mut a, &mut e, &[[RC32[(round - 1) % 24], rc]]);
                assert_eq!(a, iota, "the two rounds to {round}");
            }
            if round == 4 {
                assert_eq!(a, halves(AFTER_ROUND_4));
            }
            earlier = Some(before);
            before = iota;
        }
        assert_eq!(lanes.next(), None);
    }

    /// Against the definition, bit by bit, for every single bit; both maps are linear.
    #[test]
    fn interleaving_is_the_definition_for_every_bit() {
        for bit in 0..64 {
            let there = bit / 2 + 32 * (bit % 2);
            assert_eq!(interleave(1 << bit), 1 << there, "bit {bit}");
            assert_eq!(deinterleave(1 << there), 1 << bit, "bit {bit}");
        }
        let lane = 0x0123_4567_89ab_cdef;
        let [even, odd] = by_definition(lane);
        assert_eq!(interleave(lane), join(even, odd));
        assert_eq!(deinterleave(join(even, odd)), lane);
    }
}
