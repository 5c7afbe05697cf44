//! Poly1305 on eight blocks at a time, one in each 64-bit lane of a 512-bit register, with limbs of 44, 44 and 42 bits:
//! AVX-512 IFMA, whose instructions multiply 52 bits by 52 and add the lower or the upper 52 bits of the product.
//!
//! As in `lanes`: all lanes are multiplied by `r^8` from one group of eight blocks to the next, four groups are taken
//! with one carry, and at the end each lane is multiplied by its own power. Here the first group is the one that may
//! be short: its missing blocks are zeros before the message, which change nothing.
//!
//! The upper half of a product of limbs `i` and `j` has the weight `2^(44 (i + j) + 52) = 2^(44 (i + j + 1)) 2^8`, and
//! what comes to stand at 2^132 counts 20 times at the bottom, as `2^130 = 5`.
//!
//! Bounds, checked in debug builds: the limbs of a power, and of the accumulator after a carry, are below
//! 2^44, 2^44 + 2^10 and 2^42, those of a block below 2^44, 2^44 and 2^41; 20 times a limb is below 2^48.4, so that all
//! factors fit into 52 bits. Twelve products, from four groups, make sums of lower halves below 2^55.6 and of upper
//! halves below 12 * 2^(45.1 + 48.4 - 52) < 2^45.1, and the last one's below 12 * 2^(45.1 + 44.1 - 52) < 2^41;
//! the topmost carry is below 2^51.1 and, times five, adds less than 2^10 to limb 1.

use core::arch::x86_64::*;

use super::{Powers, Words, soft};
use crate::Block;

// AVX2, FMA and F16C come with `avx512f` where a function enables it. `cpufeatures` does not know F16C: no CPU with FMA
// and AVX-512 lacks it, and it needs no more from the operating system.
cpufeatures::new!(avx512ifma, "avx2", "fma", "avx512f", "avx512ifma");

/// Proof that the CPU has AVX-512 F and IFMA.
#[derive(Clone, Copy)]
pub(crate) struct Avx512Ifma(());

impl Avx512Ifma {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        avx512ifma::get().then_some(Self(()))
    }

    /// The accumulator after one or more blocks.
    #[inline]
    pub(crate) fn blocks(
        self,
        r: Words,
        h: Words,
        cache: Option<&mut Powers>,
        blocks: &[Block],
    ) -> Words {
        // SAFETY: the token proves that the CPU has AVX-512 F and IFMA.
        unsafe { self::blocks(r[0], r[1], h[0], h[1], h[2], cache, blocks) }
    }

    /// See [`Kernel::wipe_stack`](super::Kernel::wipe_stack).
    #[inline]
    pub(crate) fn wipe_stack(self) {
        // SAFETY: the token proves that the CPU has AVX-512 F and IFMA.
        unsafe { wipe_stack::<7>() }
    }
}

wipe_stack! {
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(crate)
}

pub(crate) const MIN_BLOCKS: [usize; 2] = [12, 8];

const LANES: usize = 8;
/// The block of a group that each lane holds: what the unpack instructions make of two registers of four blocks.
const ORDER: [u64; LANES] = [0, 4, 1, 5, 2, 6, 3, 7];

/// The lower 44 bits.
const LIMB: u64 = (1 << 44) - 1;
/// The lower 42 bits.
const TOP: u64 = (1 << 42) - 1;

type Vector = __m512i;
type Limbs = [Vector; 3];

/// Limbs to multiply with: themselves, and the upper two times 20.
#[derive(Clone, Copy)]
struct Factor {
    limbs: Limbs,
    twenty: [Vector; 2],
}

/// Sums of the lower and of the upper halves of products.
#[derive(Clone, Copy)]
struct Sums {
    low: Limbs,
    high: Limbs,
}

/// Limbs of 44, 44 and 43 bits of a number below 2^131.
#[inline(always)]
fn split([h0, h1, h2]: Words) -> [u64; 3] {
    debug_assert!(h2 < 8);
    [h0 & LIMB, (h0 >> 44 | h1 << 20) & LIMB, h1 >> 24 | h2 << 40]
}

/// The number that limbs of up to 48 bits make, below 2^130 + 2^64.
#[inline(always)]
fn join([l0, l1, l2]: [u64; 3]) -> Words {
    debug_assert!((l0 | l1 | l2) >> 48 == 0);
    let l1 = l1 + (l0 >> 44);
    let l2 = l2 + (l1 >> 44);
    let low = u128::from((l0 & LIMB) + 5 * (l2 >> 42)) + (u128::from(l1 & LIMB) << 44);
    let high = u128::from((low >> 64) as u64) + (u128::from(l2 & TOP) << 24);
    [low as u64, high as u64, (high >> 64) as u64]
}

macro_rules! functions {
    ($($(#[$doc:meta])* $vis:vis fn $name:ident ($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512ifma")]
        $vis fn $name ($($arg: $type),*) $(-> $out)? $body
    )*};
}

functions! {
    fn splat(a: u64) -> Vector {
        _mm512_set1_epi64(a as i64)
    }

    fn load(lanes: &[u64; LANES]) -> Vector {
        // SAFETY: the reference is valid for reading 64 bytes, which need no alignment.
        unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
    }

    fn store(a: Vector, lanes: &mut [u64; LANES]) {
        // SAFETY: the reference is valid for writing 64 bytes, which need no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), a) }
    }

    /// Eight blocks, four in each register.
    fn load_group(blocks: &[Block; LANES]) -> [Vector; 2] {
        // SAFETY: the reference is valid for reading 128 bytes, which need no alignment.
        unsafe {
            let start = blocks.as_ptr().cast::<Vector>();
            [_mm512_loadu_si512(start), _mm512_loadu_si512(start.add(1))]
        }
    }

    /// One to eight blocks at the end of the group, after zeros.
    fn load_short_group(blocks: &[Block]) -> [Vector; 2] {
        assert!((1..=LANES).contains(&blocks.len()));
        let missing = LANES - blocks.len();
        let present = 0xffff_u16 << (2 * missing);
        let start = blocks.as_ptr().wrapping_sub(missing).cast::<i64>();
        // SAFETY: the masks select the words that `blocks` refers to; the others are not accessed.
        unsafe {
            [
                _mm512_maskz_loadu_epi64(present as u8, start),
                _mm512_maskz_loadu_epi64((present >> 8) as u8, start.wrapping_add(8)),
            ]
        }
    }

    /// Whether the limbs are at most `LIMB`, `LIMB` and `TOP`, and `more` above.
    fn below(limbs: &Limbs, more: u64) -> bool {
        limbs.iter().zip([LIMB, LIMB, TOP]).all(|(&limb, bound)| {
            let mut lanes = [0; LANES];
            store(limb, &mut lanes);
            lanes.iter().all(|&lane| lane <= bound + more)
        })
    }

    fn factor(limbs: Limbs) -> Factor {
        debug_assert!(below(&limbs, 1 << 10));
        let [_, l1, l2] = limbs;
        // Of shifts and an addition LLVM makes a multiplication of 64 bits by 64, which takes five instructions.
        let (zero, by) = (_mm512_setzero_si512(), splat(20));
        let twenty = [
            _mm512_madd52lo_epu64(zero, l1, by),
            _mm512_madd52lo_epu64(zero, l2, by),
        ];
        Factor { limbs, twenty }
    }

    /// Eight blocks, or zeros, as limbs, with `top` added to the topmost one.
    fn limbs(words: [Vector; 2], top: Vector) -> Limbs {
        let [a, b] = words;
        let (low, high) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
        let mask = splat(LIMB);
        [
            _mm512_and_si512(low, mask),
            // (a | b) & c
            _mm512_ternarylogic_epi64::<0xa8>(
                _mm512_srli_epi64::<44>(low),
                _mm512_slli_epi64::<20>(high),
                mask,
            ),
            _mm512_or_si512(_mm512_srli_epi64::<24>(high), top),
        ]
    }

    /// A group as limbs, with 2^128 added to each block.
    fn group(blocks: &[Block; LANES]) -> Limbs {
        limbs(load_group(blocks), splat(1 << 40))
    }

    /// The first group as limbs, with 2^128 added to each block and `h` to the first one.
    fn first_group(blocks: &[Block], h: Words) -> Limbs {
        assert!((1..=LANES).contains(&blocks.len()), "one to eight blocks");
        let missing = splat((LANES - blocks.len()) as u64);
        let present = _mm512_cmpge_epi64_mask(load(&ORDER), missing);
        let start = _mm512_cmpeq_epi64_mask(load(&ORDER), missing);
        let [h0, h1, h2] = split(h);
        let h = [
            _mm512_maskz_set1_epi64(start, h0 as i64),
            _mm512_maskz_set1_epi64(start, h1 as i64),
            _mm512_maskz_set1_epi64(start, h2 as i64),
        ];
        plus(
            limbs(load_short_group(blocks), _mm512_maskz_set1_epi64(present, 1 << 40)),
            h,
        )
    }

    fn plus(a: Limbs, b: Limbs) -> Limbs {
        [
            _mm512_add_epi64(a[0], b[0]),
            _mm512_add_epi64(a[1], b[1]),
            _mm512_add_epi64(a[2], b[2]),
        ]
    }

    fn zero() -> Sums {
        let zero = _mm512_setzero_si512();
        Sums { low: [zero; 3], high: [zero; 3] }
    }

    /// `sums + a * b`.
    fn add_product(sums: Sums, a: Limbs, b: &Factor) -> Sums {
        let mut sums = sums;
        debug_assert!(below(&a, (1 << 44) + (1 << 11)));
        let [b0, b1, b2] = b.limbs;
        let [s1, s2] = b.twenty;
        macro_rules! add {
            ($i:literal, $j:literal, $b:ident) => {
                sums.low[$i] = _mm512_madd52lo_epu64(sums.low[$i], a[$j], $b);
                sums.high[$i] = _mm512_madd52hi_epu64(sums.high[$i], a[$j], $b);
            };
        }
        add!(0, 0, b0);
        add!(1, 0, b1);
        add!(2, 0, b2);
        add!(0, 2, s1);
        add!(1, 2, s2);
        add!(2, 2, b0);
        add!(0, 1, s2);
        add!(1, 1, b0);
        add!(2, 1, b1);
        sums
    }

    fn carry(sums: Sums) -> Limbs {
        debug_assert!(below(&sums.low, 1 << 56) && below(&sums.high, 1 << 46));
        let Sums { low: [l0, l1, l2], high: [h0, h1, h2] } = sums;
        let (limb, top) = (splat(LIMB), splat(TOP));
        let l1 = _mm512_add_epi64(l1, _mm512_slli_epi64::<8>(h0));
        let l2 = _mm512_add_epi64(l2, _mm512_slli_epi64::<8>(h1));
        let l1 = _mm512_add_epi64(l1, _mm512_srli_epi64::<44>(l0));
        let l2 = _mm512_add_epi64(l2, _mm512_srli_epi64::<44>(l1));
        let above = _mm512_add_epi64(_mm512_slli_epi64::<10>(h2), _mm512_srli_epi64::<42>(l2));
        let five = _mm512_add_epi64(above, _mm512_slli_epi64::<2>(above));
        let l0 = _mm512_add_epi64(_mm512_and_si512(l0, limb), five);
        let l1 = _mm512_add_epi64(_mm512_and_si512(l1, limb), _mm512_srli_epi64::<44>(l0));
        let carried = [_mm512_and_si512(l0, limb), l1, _mm512_and_si512(l2, top)];
        debug_assert!(below(&carried, 1 << 10));
        carried
    }

    fn times(a: Limbs, b: &Factor) -> Limbs {
        carry(add_product(zero(), a, b))
    }

    fn first_everywhere(a: Limbs) -> Limbs {
        [
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(a[0])),
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(a[1])),
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(a[2])),
        ]
    }

    /// `r^8` to `r`, each in the lane of the block that it belongs to.
    fn compute_powers(r: Words) -> Limbs {
        let scalar = soft::State::from_parts(r, [0; 3]);
        let r2 = scalar.times_r(r);
        let r3 = scalar.times_r(r2);
        let r4 = scalar.times_r(r3);
        let [r1, r2, r3, r4] = [r, r2, r3, r4].map(split);
        // The last four blocks of a group are in the odd lanes.
        let lanes = |i: usize| {
            let (r1, r2, r3, r4) = (r1[i] as i64, r2[i] as i64, r3[i] as i64, r4[i] as i64);
            _mm512_setr_epi64(r4, r4, r3, r3, r2, r2, r1, r1)
        };
        let lower = [lanes(0), lanes(1), lanes(2)];
        let [u0, u1, u2] = times(lower, &factor(first_everywhere(lower)));
        [
            _mm512_mask_blend_epi64(0xaa, u0, lower[0]),
            _mm512_mask_blend_epi64(0xaa, u1, lower[1]),
            _mm512_mask_blend_epi64(0xaa, u2, lower[2]),
        ]
    }

    /// The sums over the lanes.
    fn sums(a: Limbs) -> [u64; 3] {
        let [a0, a1, a2] = a;
        let a = _mm512_add_epi64(_mm512_unpacklo_epi64(a0, a1), _mm512_unpackhi_epi64(a0, a1));
        let b = _mm512_add_epi64(a2, _mm512_unpackhi_epi64(a2, a2));
        let a = _mm256_add_epi64(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let b = _mm256_add_epi64(_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64::<1>(b));
        let a = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
        let b = _mm_add_epi64(_mm256_castsi256_si128(b), _mm256_extracti128_si256::<1>(b));
        [
            _mm_cvtsi128_si64(a) as u64,
            _mm_extract_epi64::<1>(a) as u64,
            _mm_cvtsi128_si64(b) as u64,
        ]
    }
}

/// A message of which some groups of eight blocks have been taken, in lanes.
#[derive(Clone, Copy)]
pub struct Groups {
    acc: Limbs,
    last: Limbs,
    one: Factor,
}

/// The factors for four groups with one carry: `r^32`, `r^24` and `r^16`.
#[derive(Clone, Copy)]
pub struct Fours([Factor; 3]);

impl core::fmt::Debug for Groups {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Groups").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Fours {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Fours").finish_non_exhaustive()
    }
}

#[allow(
    clippy::missing_safety_doc,
    reason = "safe where AVX-512 F and IFMA are on, which a caller without them must know"
)]
impl Groups {
    /// Goes on from the accumulator `h` with the one to eight blocks given, so many that whole groups are left of the
    /// message. The powers of `r` that this holds are not wiped.
    ///
    /// # Panics
    ///
    /// If there is no block, or more than eight.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[must_use]
    pub fn new(r: Words, h: Words, blocks: &[Block]) -> Self {
        Self::with_powers(compute_powers(r), h, blocks)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn with_powers(last: Limbs, h: Words, blocks: &[Block]) -> Self {
        Self {
            acc: first_group(blocks, h),
            last,
            one: factor(first_everywhere(last)),
        }
    }

    /// What [`update_fours`](Self::update_fours) needs: it pays from four groups on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[must_use]
    pub fn fours(&self) -> Fours {
        let two = factor(times(self.one.limbs, &self.one));
        let three = factor(times(two.limbs, &self.one));
        let four = factor(times(two.limbs, &two));
        Fours([four, three, two])
    }

    /// Takes whole groups of eight blocks, each on its own; fewer blocks at the end are not taken.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub fn update(&mut self, blocks: &[Block]) {
        let mut acc = self.acc;
        for blocks in blocks.as_chunks::<LANES>().0 {
            acc = plus(times(acc, &self.one), group(blocks));
        }
        self.acc = acc;
    }

    /// Takes whole groups of eight blocks, four at a time; fewer than 32 blocks at the end are not taken.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub fn update_fours(&mut self, fours: &Fours, blocks: &[Block]) {
        let Fours([four, three, two]) = fours;
        let mut acc = self.acc;
        for [a, b, c, d] in blocks.as_chunks::<LANES>().0.as_chunks::<4>().0 {
            let sums = add_product(zero(), group(a), three);
            let sums = add_product(sums, group(b), two);
            let sums = add_product(sums, group(c), &self.one);
            let sums = add_product(sums, acc, four);
            acc = plus(carry(sums), group(d));
        }
        self.acc = acc;
    }

    /// The accumulator.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[must_use]
    pub fn finish(&self) -> Words {
        join(sums(times(self.acc, &factor(self.last))))
    }
}

/// The accumulator after one or more blocks.
#[target_feature(enable = "avx512f,avx512ifma")]
fn blocks(
    r0: u64,
    r1: u64,
    h0: u64,
    h1: u64,
    h2: u64,
    cache: Option<&mut Powers>,
    blocks: &[Block],
) -> Words {
    let last = match &cache {
        Some(Powers {
            words: [w0, w1, w2],
            known: 1,
        }) => [load(w0), load(w1), load(w2)],
        _ => compute_powers([r0, r1, 0]),
    };
    let (start, rest) = blocks.split_at((blocks.len() - 1) % LANES + 1);
    let mut groups = Groups::with_powers(last, [h0, h1, h2], start);
    let (singles, fours) = rest.split_at(rest.len() % (4 * LANES));
    groups.update(singles);
    if !fours.is_empty() {
        groups.update_fours(&groups.fours(), fours);
    }
    // Last, or else LLVM makes two paths of the computation of the powers and inlines neither.
    if let Some(Powers { words, known }) = cache {
        for (power, words) in last.into_iter().zip(words) {
            store(power, words);
        }
        *known = 1;
    }
    groups.finish()
}
