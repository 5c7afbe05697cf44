//! AVX-512F and AVX-512VL: eight states at once, four, two or one, one lane of each in a register.
//!
//! # Design
//!
//! A round is 10 three-input xors for the parities, 5 rotations and 5 xors for D, 25 xors, 24 rotations, 25 three-input
//! operations of chi and the xor of iota: 95 operations, and about 15 copies, since a three-input operation overwrites one
//! of its inputs. On Zen 5, four operations a cycle (rotations two), that is 28 cycles; 33 are reached on xmm and ymm
//! registers and 34 on zmm. What is missing is the latency from the last lane of a round through parity, D, rotation and
//! chi to the first of the next, which no order of the planes hides: one state takes as long as four, and eight a few
//! percent more. Zen 4 splits zmm registers: there eight states take 395 ns, four take 209 and one takes 207.
//!
//! Nanoseconds for Keccak-f\[1600\] on an AMD EPYC (Zen 5), all shapes in one process, `keccak` 0.2.2 at 246, the
//! states lane after lane:
//!
//! | shape | 1 | 4 | 8 |
//! |---|---|---|---|
//! | D by itself, one round in the loop | **182** | **183** | **192** |
//! | D and xor one operation in column 0 (in this crate nothing is left of the gain) | 177 | | |
//! | in another column or two | 180 to 191 | | |
//! | in plane 0; planes 0 and 1; 0 to 2 | 182 to 183 | 182 | 186 to 191 |
//! | in all lanes (90 operations, 30 copies) | 212 | 211 | 222 |
//! | two rounds in the loop | 188 | 191 | 195 |
//! | parities summed in chi | 190 | 192 | 195 |
//! | planes in another order | 183 to 188 | | |
//! | eight states and a ninth in scalar registers, interleaved | | | 265 |
//!
//! The last is how a long hash beside a batch would cost 70 ns a permutation instead of 177.

use digest::consts::U8;

use super::parallel::{groups, one_state};
use super::{Kernel, round_constants, soft};
use crate::consts::LANES;

// AVX2, FMA and F16C come with `avx512f` where a function enables it. `cpufeatures` does not know F16C: no CPU with FMA
// lacks it.
cpufeatures::new!(cpuid, "avx2", "fma", "avx512f", "avx512vl");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Kernel for Avx512 {
    type Width = U8;

    #[inline]
    fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    one_state!(x1 unless false);
    groups!(2 => x2, 4 => x4, 8 => x8);
}

/// The logic, where any function of three inputs is one instruction, as is a rotation.
///
/// `theta_effect` and `xor_rotate` leave to two operations what one three-input xor could do: see the design note.
macro_rules! logic {
    ([$ternary:ident, $rotate:ident] $(#[$attr:meta])*) => {
        $(#[$attr])*
        #[inline]
        fn parity(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> Vector {
            $ternary::<0x96>($ternary::<0x96>(a, b, c), d, e)
        }

        $(#[$attr])*
        #[inline]
        fn theta_effect(before: Vector, after: Vector) -> Vector {
            xor(before, $rotate::<1>(after))
        }

        $(#[$attr])*
        #[inline]
        fn chi(a: Vector, b: Vector, c: Vector) -> Vector {
            $ternary::<0xd2>(a, b, c)
        }

        $(#[$attr])*
        #[inline]
        fn xor_rotate<const LEFT: i32, const RIGHT: i32>(a: Vector, d: Vector) -> Vector {
            $rotate::<LEFT>(xor(a, d))
        }
    };
}

mod x1 {
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::one_lane;
    use crate::consts::{LANES, RHO};

    one_lane!(#[target_feature(enable = "avx512f,avx512vl,avx2")]);
    logic!([_mm_ternarylogic_epi64, _mm_rol_epi64] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel!([0] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
}

mod x2 {
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::two_lanes;
    use crate::consts::{LANES, RHO};

    two_lanes!(#[target_feature(enable = "avx512f,avx512vl,avx2")]);
    logic!([_mm_ternarylogic_epi64, _mm_rol_epi64] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel!([0 1] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel_plain!([0 1] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
}

mod x4 {
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::four_lanes;
    use crate::consts::{LANES, RHO};

    four_lanes!(#[target_feature(enable = "avx512f,avx512vl,avx2")]);
    logic!([_mm256_ternarylogic_epi64, _mm256_rol_epi64] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel!([0 1 2 3] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel_plain!([0 1 2 3] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
}

mod x8 {
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::consts::{LANES, RHO};

    const N: usize = 8;
    type Vector = __m512i;

    logic!([_mm512_ternarylogic_epi64, _mm512_rol_epi64] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel!([0 1 2 3 4 5 6 7] #[target_feature(enable = "avx512f,avx512vl,avx2")]);
    parallel_plain!([0 1 2 3 4 5 6 7] #[target_feature(enable = "avx512f,avx512vl,avx2")]);

    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn load(words: &[u64; N]) -> Vector {
        // SAFETY: 64 bytes are readable, at any address.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn store(a: Vector, words: &mut [u64; N]) {
        // SAFETY: 64 bytes are writable, at any address.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), a) }
    }

    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
        // SAFETY: 64 bytes are readable, at any address.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
        // SAFETY: 64 bytes are writable, at any address.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), a) }
    }

    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn broadcast(word: u64) -> Vector {
        _mm512_set1_epi64(word as i64)
    }

    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn xor(a: Vector, b: Vector) -> Vector {
        _mm512_xor_si512(a, b)
    }

    /// First pairs of words, then the pairs as a matrix of four by four.
    ///
    /// ```text
    /// a0 a1 a2 a3 a4 a5 a6 a7      a0 b0 a2 b2 a4 b4 a6 b6      a0 b0 c0 d0 e0 f0 g0 h0
    /// b0 b1 b2 b3 b4 b5 b6 b7  ->  a1 b1 a3 b3 a5 b5 a7 b7  ->  a1 b1 c1 d1 e1 f1 g1 h1
    /// ```
    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn transpose([a, b, c, d, e, f, g, h]: [Vector; N]) -> [Vector; N] {
        let [a0, a2, a4, a6] = transpose_pairs([
            _mm512_unpacklo_epi64(a, b),
            _mm512_unpacklo_epi64(c, d),
            _mm512_unpacklo_epi64(e, f),
            _mm512_unpacklo_epi64(g, h),
        ]);
        let [a1, a3, a5, a7] = transpose_pairs([
            _mm512_unpackhi_epi64(a, b),
            _mm512_unpackhi_epi64(c, d),
            _mm512_unpackhi_epi64(e, f),
            _mm512_unpackhi_epi64(g, h),
        ]);
        [a0, a1, a2, a3, a4, a5, a6, a7]
    }

    /// The matrix of 4 by 4 pairs of words.
    #[target_feature(enable = "avx512f,avx512vl,avx2")]
    #[inline]
    fn transpose_pairs([a, b, c, d]: [Vector; 4]) -> [Vector; 4] {
        // a0 a1 b0 b1, a2 a3 b2 b3.
        let ab01 = _mm512_shuffle_i64x2::<0x44>(a, b);
        let ab23 = _mm512_shuffle_i64x2::<0xee>(a, b);
        let cd01 = _mm512_shuffle_i64x2::<0x44>(c, d);
        let cd23 = _mm512_shuffle_i64x2::<0xee>(c, d);
        [
            _mm512_shuffle_i64x2::<0x88>(ab01, cd01),
            _mm512_shuffle_i64x2::<0xdd>(ab01, cd01),
            _mm512_shuffle_i64x2::<0x88>(ab23, cd23),
            _mm512_shuffle_i64x2::<0xdd>(ab23, cd23),
        ]
    }
}
