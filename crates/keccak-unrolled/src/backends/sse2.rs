//! SSE2: two states at once; one as the portable code does it.
//!
//! # Design
//!
//! As `avx2.rs`, on half as many lanes, without shuffles of bytes and with instructions that overwrite an input. On an AMD EPYC
//! (Zen 5) two states take 370 ns, and 428 one after the other on `soft`; whole leaves of KangarooTwelve gain 1.25, since
//! their blocks come in through vectors too.
//!
//! On 32-bit x86 one state is in vectors too: a rotation of 64 bits is three instructions there. Nanoseconds in i686 code on
//! the same CPU: `soft32` 656, `keccak` 0.2.2 1209; one state with `sse2` 409, `avx2` 381, `avx512` 298; one of eight
//! 200, 105 and 75.

use digest::consts::U2;

use super::arch::*;
use super::parallel::{groups, one_state};
use super::{Kernel, REGISTERS_HAVE_64_BITS, round_constants, soft};
use crate::consts::LANES;

cpufeatures::new!(cpuid, "sse2");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2(());

impl Kernel for Sse2 {
    type Width = U2;

    #[inline]
    fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    one_state!(x1 unless REGISTERS_HAVE_64_BITS);
    groups!(2 => x2);
}

/// There is no shuffle of bytes before SSSE3.
#[target_feature(enable = "sse2")]
#[inline]
fn rotate_bytes<const LEFT: i32>(a: __m128i) -> __m128i {
    if LEFT == 8 {
        _mm_or_si128(_mm_slli_epi64::<8>(a), _mm_srli_epi64::<56>(a))
    } else {
        const { assert!(LEFT == 8 || LEFT == 56) };
        _mm_or_si128(_mm_slli_epi64::<56>(a), _mm_srli_epi64::<8>(a))
    }
}

mod x1 {
    use super::rotate_bytes;
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::*;
    use crate::consts::{LANES, RHO};

    one_lane!(#[target_feature(enable = "sse2")]);
    shifts_128!(rotate_bytes #[target_feature(enable = "sse2")]);
    parallel!([0] #[target_feature(enable = "sse2")]);
}

mod x2 {
    use super::rotate_bytes;
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::*;
    use crate::consts::{LANES, RHO};

    two_lanes!(#[target_feature(enable = "sse2")]);
    shifts_128!(rotate_bytes #[target_feature(enable = "sse2")]);
    parallel!([0 1] #[target_feature(enable = "sse2")]);
    parallel_plain!([0 1] #[target_feature(enable = "sse2")]);
}
