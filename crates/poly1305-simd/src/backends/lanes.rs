//! Poly1305 on 26-bit limbs in vectors of 64-bit lanes, as many blocks at a time as there are lanes: what the back ends
//! that multiply 32 bits by 32 have in common.
//!
//! With `L` lanes, lane `i` of the accumulator takes block `i` of each group of `L`. All lanes are multiplied by
//! `r^L` from one group to the next, and at the end each by its own power, that of the last block by `r`, the one
//! before by `r^2`, and so on; their sum is the accumulator of the whole message. Two groups at a time,
//! `acc r^2L + group r^L + next group`, need one carry instead of two. Blocks that fill no group go first, one at a
//! time, beside the computation of the powers.
//!
//! Bounds, checked in debug builds: the limbs of a power, and of the accumulator after a carry, are below
//! 2^26 + 2^18, those of a block below 2^26, so that of an accumulator with a block added they are below 2^27.1. Those
//! times five of a power are below 2^28.4 and fit into 32 bits. A sum of five products is below
//! 2^(27.1 + 28.4) * 5 < 2^57.9, of two groups' below 2^58.9, and a carry out of it, with that into it, below 2^33;
//! the topmost, times five, is below 2^35.3, of which less than 2^10 goes on from limb 0 into limb 1.

use super::{Words, limbs26::split, native};

/// The powers r to r^N.
#[inline(always)]
pub(crate) fn powers<const N: usize>(scalar: &native::State) -> [[u64; 5]; N] {
    let mut power: Words = scalar.r();
    let mut powers = [split(power); N];
    for next in &mut powers[1..] {
        power = scalar.times_r(power);
        *next = split(power);
    }
    powers
}

/// The functions. The file that takes them in defines the lanes, `LANES` and `ORDER`, the type `Vector` and
/// what is imported from `super` here.
macro_rules! vectors {
    ($features:tt) => {
        mod vectors {
            use super::{
                LANES, ORDER, Vector, add, and, first, first_everywhere, hide, load, mul, or, shl, shr,
                splat, store, sum, words,
            };
            use crate::{
                Block,
                backends::{
                    Powers, Words,
                    lanes::powers,
                    limbs26::{LIMB, join, split},
                    native,
                },
            };

            type Limbs = [Vector; 5];

            /// Limbs to multiply with: themselves, and all but the first times five.
            #[derive(Clone, Copy)]
            pub(super) struct Factor {
                limbs: Limbs,
                five: [Vector; 4],
            }

            /// Whether each limb is at most `2^bits + 2^more` in every lane.
            #[inline]
            #[target_feature(enable = $features)]
            fn below(limbs: &Limbs, bits: u32, more: u32) -> bool {
                limbs.iter().all(|&limb| {
                    let mut lanes = [0; LANES];
                    store(limb, &mut lanes);
                    lanes.iter().all(|&lane| lane <= (1 << bits) + (1 << more))
                })
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn factor(limbs: Limbs) -> Factor {
                debug_assert!(below(&limbs, 26, 18));
                let [l0, l1, l2, l3, l4] = limbs;
                Factor {
                    limbs: [hide(l0), hide(l1), hide(l2), hide(l3), hide(l4)],
                    five: [
                        hide(add(l1, shl::<2>(l1))),
                        hide(add(l2, shl::<2>(l2))),
                        hide(add(l3, shl::<2>(l3))),
                        hide(add(l4, shl::<2>(l4))),
                    ],
                }
            }

            /// A group of blocks as limbs, with 2^128 added to each.
            #[inline]
            #[target_feature(enable = $features)]
            fn group(blocks: &[Block; LANES]) -> Limbs {
                let [low, high] = words(blocks);
                let mask = splat(LIMB);
                [
                    and(low, mask),
                    and(shr::<26>(low), mask),
                    and(or(shr::<52>(low), shl::<12>(high)), mask),
                    and(shr::<14>(high), mask),
                    or(shr::<40>(high), splat(1 << 24)),
                ]
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn plus(a: Limbs, b: Limbs) -> Limbs {
                [
                    add(a[0], b[0]),
                    add(a[1], b[1]),
                    add(a[2], b[2]),
                    add(a[3], b[3]),
                    add(a[4], b[4]),
                ]
            }

            /// `sums + a * b`, not carried.
            #[inline]
            #[target_feature(enable = $features)]
            fn add_product(mut sums: Limbs, a: Limbs, b: &Factor) -> Limbs {
                debug_assert!(below(&a, 27, 23));
                let [a0, a1, a2, a3, a4] = a;
                let (a0, a1, a2, a3, a4) = (hide(a0), hide(a1), hide(a2), hide(a3), hide(a4));
                let [b0, b1, b2, b3, b4] = b.limbs;
                let [s1, s2, s3, s4] = b.five;
                // By columns: five sums and one factor at a time fit into 16 registers.
                macro_rules! column {
                    ($a:ident: $b0:ident $b1:ident $b2:ident $b3:ident $b4:ident) => {
                        sums = [
                            add(sums[0], mul($a, $b0)),
                            add(sums[1], mul($a, $b1)),
                            add(sums[2], mul($a, $b2)),
                            add(sums[3], mul($a, $b3)),
                            add(sums[4], mul($a, $b4)),
                        ];
                    };
                }
                column!(a0: b0 b1 b2 b3 b4);
                column!(a3: s2 s3 s4 b0 b1);
                column!(a1: s4 b0 b1 b2 b3);
                column!(a4: s1 s2 s3 s4 b0);
                column!(a2: s3 s4 b0 b1 b2);
                sums
            }

            /// Carries two chains side by side, from limb 0 and from limb 3.
            #[inline]
            #[target_feature(enable = $features)]
            fn carry(sums: Limbs) -> Limbs {
                debug_assert!(below(&sums, 59, 0));
                let mask = splat(LIMB);
                let [d0, d1, d2, d3, d4] = sums;
                let d1 = add(d1, shr::<26>(d0));
                let d4 = add(d4, shr::<26>(d3));
                let (d0, d3) = (and(d0, mask), and(d3, mask));
                let d2 = add(d2, shr::<26>(d1));
                let top = shr::<26>(d4);
                let d0 = add(d0, add(top, shl::<2>(top)));
                let (d1, d4) = (and(d1, mask), and(d4, mask));
                let d3 = add(d3, shr::<26>(d2));
                let d1 = add(d1, shr::<26>(d0));
                let (d2, d0) = (and(d2, mask), and(d0, mask));
                let d4 = add(d4, shr::<26>(d3));
                let carried = [d0, d1, d2, and(d3, mask), d4];
                debug_assert!(below(&carried, 26, 18));
                carried
            }

            /// What each lane is to be multiplied by at the end.
            #[inline]
            #[target_feature(enable = $features)]
            fn compute_powers(scalar: &native::State) -> Limbs {
                let first: [_; if LANES < 4 { LANES } else { 4 }] = powers(scalar);
                // Lanes whose power is the first to the fourth, or the fifth to the eighth.
                let power = |higher: bool| -> Limbs {
                    let limb = |i: usize| {
                        let mut lanes = [0; LANES];
                        for (lane, &block) in lanes.iter_mut().zip(&ORDER) {
                            let exponent = LANES - block;
                            if (exponent > 4) == higher {
                                *lane = first[(exponent - 1) % 4][i];
                            }
                        }
                        load(&lanes)
                    };
                    [limb(0), limb(1), limb(2), limb(3), limb(4)]
                };
                let mut limbs = power(false);
                let zero = [splat(0); 5];
                if LANES > 4 {
                    let [f0, f1, f2, f3, f4] = first[first.len() - 1];
                    let fourth = [splat(f0), splat(f1), splat(f2), splat(f3), splat(f4)];
                    limbs = plus(limbs, carry(add_product(zero, power(true), &factor(fourth))));
                }
                limbs
            }

            /// Takes whole blocks, as many as there are lanes or more.
            #[target_feature(enable = $features)]
            pub(super) fn blocks(
                r0: u64,
                r1: u64,
                h0: u64,
                h1: u64,
                h2: u64,
                cache: Option<&mut Powers>,
                blocks: &[Block],
            ) -> Words {
                let (r, h) = ([r0, r1, 0], [h0, h1, h2]);
                let mut scalar = native::State::from_parts(r, h);
                let (head, rest) = blocks.split_at(blocks.len() % LANES);
                scalar.blocks(head);
                let low = splat(0xffff_ffff);
                let zero = [splat(0); 5];
                let last = match &cache {
                    Some(Powers { words, known: 1 }) => {
                        let pair = |i: usize| {
                            load(words[i].first_chunk().expect("as many lanes at least"))
                        };
                        let (a, b) = (pair(0), pair(1));
                        [and(a, low), shr::<32>(a), and(b, low), shr::<32>(b), pair(2)]
                    }
                    _ => compute_powers(&scalar),
                };
                let mut all = [last[0]; 5];
                for (all, last) in all.iter_mut().zip(last) {
                    *all = first_everywhere(last);
                }
                let one = factor(all);

                let Some((start, rest)) = rest.as_chunks::<LANES>().0.split_first() else {
                    return scalar.accumulator();
                };
                let mut acc = group(start);
                for (limb, before) in acc.iter_mut().zip(split(scalar.accumulator())) {
                    *limb = add(*limb, first(before));
                }
                let (pairs, odd) = rest.as_chunks::<2>();
                if !pairs.is_empty() {
                    let two = factor(carry(add_product(zero, all, &one)));
                    for [a, b] in pairs {
                        let sums = add_product(zero, group(a), &one);
 let sums = add_product(sums, acc, &two);
                        acc = plus(carry(sums), group(b));
                    }
                }
                for blocks in odd {
                    acc = plus(carry(add_product(zero, acc, &one)), group(blocks));
                }
                // Last, or else LLVM makes two paths of the computation of the powers and inlines neither.
                if let Some(Powers { words, known }) = cache {
                    let [l0, l1, l2, l3, l4] = last;
                    let pairs = [or(l0, shl::<32>(l1)), or(l2, shl::<32>(l3)), l4];
                    for (pair, words) in pairs.into_iter().zip(words) {
                        store(pair, words.first_chunk_mut().expect("as many lanes at least"));
                    }
                    *known = 1;
                }
                let total = carry(add_product(zero, acc, &factor(last)));
                let [t0, t1, t2, t3, t4] = total;
                join([sum(t0), sum(t1), sum(t2), sum(t3), sum(t4)])
            }
        }
    };
}
pub(crate) use vectors;
