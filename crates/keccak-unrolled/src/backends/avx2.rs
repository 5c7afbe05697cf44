//! AVX2: four states at once, two states at once, and one as the portable code does it.
//!
//! # Design
//!
//! A rotation is two shifts and an `or`, but for those by 8 and 56, which shuffle bytes, and theta's by 1, which doubles:
//! 20 xors for the parities, 20 operations for D, 25 xors, 68 for the other rotations, 50 for chi and one for iota, 184
//! operations a round and four of them a cycle, which is 46 cycles. With 16 registers the rest is loads and stores: 62 cycles
//! are reached on Zen 5.
//!
//! Nanoseconds for four states of Keccak-f\[1600\] on an AMD EPYC (Zen 5), lane after lane: one round in the loop 336,
//! two 338, parities summed in chi 344 (two rounds 330), planes in other orders 341 to 395. Two states take 335, and 400 one
//! after the other.
//!
//! One state in scalar registers gains nothing worth its code from BMI1 and BMI2, which every CPU with AVX2 has: with and-not
//! 209 to 212, with lanes complemented and rotations to another register 208 to 216, as `soft` is without either 213; 24
//! rounds in a row 204 to 209, for twelve times the code. The assembly of OpenSSL in `sha3-asm` 0.1.9 takes 226.

use digest::consts::U4;

use super::arch::*;
use super::parallel::{groups, one_state};
use super::{Kernel, REGISTERS_HAVE_64_BITS, round_constants, soft};
use crate::consts::LANES;

cpufeatures::new!(cpuid, "avx2");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Kernel for Avx2 {
    type Width = U4;

    #[inline]
    fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    one_state!(x1 unless REGISTERS_HAVE_64_BITS);
    groups!(2 => x2, 4 => x4);
}

/// Source bytes of a rotation of each lane by `left`, a multiple of 8.
const fn rotation(left: i32) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = (i / 8 * 8 % 16 + (i + 8 - left as usize / 8) % 8) as u8;
        i += 1;
    }
    bytes
}

#[target_feature(enable = "avx2")]
#[inline]
fn rotate_bytes_128<const LEFT: i32>(a: __m128i) -> __m128i {
    const { assert!(LEFT % 8 == 0) };
    let bytes = const { &rotation(LEFT) };
    // SAFETY: 16 bytes are readable, at any address.
    _mm_shuffle_epi8(a, unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
#[inline]
fn rotate_bytes_256<const LEFT: i32>(a: __m256i) -> __m256i {
    const { assert!(LEFT % 8 == 0) };
    let bytes = const { &rotation(LEFT) };
    // SAFETY: 32 bytes are readable, at any address.
    _mm256_shuffle_epi8(a, unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
}

mod x1 {
    use super::rotate_bytes_128;
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::*;
    use crate::consts::{LANES, RHO};

    one_lane!(#[target_feature(enable = "avx2")]);
    shifts_128!(rotate_bytes_128 #[target_feature(enable = "avx2")]);
    parallel!([0] #[target_feature(enable = "avx2")]);
}

mod x2 {
    use super::rotate_bytes_128;
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::*;
    use crate::consts::{LANES, RHO};

    two_lanes!(#[target_feature(enable = "avx2")]);
    shifts_128!(rotate_bytes_128 #[target_feature(enable = "avx2")]);
    parallel!([0 1] #[target_feature(enable = "avx2")]);
    parallel_plain!([0 1] #[target_feature(enable = "avx2")]);
}

mod x4 {
    use super::rotate_bytes_256;
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::*;
    use crate::consts::{LANES, RHO};

    four_lanes!(#[target_feature(enable = "avx2")]);
    shifts!([_mm256_or_si256 _mm256_andnot_si256 _mm256_add_epi64 _mm256_slli_epi64 _mm256_srli_epi64 rotate_bytes_256]
        #[target_feature(enable = "avx2")]);
    parallel!([0 1 2 3] #[target_feature(enable = "avx2")]);
    parallel_plain!([0 1 2 3] #[target_feature(enable = "avx2")]);
}
