//! Poly1305 on two blocks at a time, one in each 64-bit lane of a 128-bit register: SSE2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::arch::asm;

use super::{Powers, Words, lanes};
use crate::Block;

cpufeatures::new!(sse2, "sse2");

/// Proof that the CPU has SSE2.
#[derive(Clone, Copy)]
pub(crate) struct Sse2(());

impl Sse2 {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        sse2::get().then_some(Self(()))
    }

    /// The accumulator after [`LANES`] or more blocks.
    #[inline]
    pub(crate) fn blocks(
        self,
        r: Words,
        h: Words,
        cache: Option<&mut Powers>,
        blocks: &[Block],
    ) -> Words {
        // SAFETY: the token proves that the CPU has SSE2.
        unsafe { vectors::blocks(r[0], r[1], h[0], h[1], h[2], cache, blocks) }
    }
}

/// On 32-bit x86 (Zen 5) 16 blocks take 90 ns, and 135 one at a time.
pub(crate) const MIN_BLOCKS: [usize; 2] = [16, 12];

const LANES: usize = 2;
/// The block of a group that each lane holds.
const ORDER: [usize; LANES] = [0, 1];

type Vector = __m128i;

lanes::vectors!("sse2");

macro_rules! helpers {
    ($($(#[$doc:meta])* fn $name:ident $(<const $n:ident: i32>)? ($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "sse2")]
        fn $name $(<const $n: i32>)? ($($arg: $type),*) $(-> $out)? $body
    )*};
}

helpers! {
    fn add(a: Vector, b: Vector) -> Vector { _mm_add_epi64(a, b) }
    fn and(a: Vector, b: Vector) -> Vector { _mm_and_si128(a, b) }
    fn or(a: Vector, b: Vector) -> Vector { _mm_or_si128(a, b) }
    fn shl<const N: i32>(a: Vector) -> Vector { _mm_slli_epi64::<N>(a) }
    fn shr<const N: i32>(a: Vector) -> Vector { _mm_srli_epi64::<N>(a) }
    /// The products of the lower halves of the lanes.
    fn mul(a: Vector, b: Vector) -> Vector { _mm_mul_epu32(a, b) }
    fn splat(a: u64) -> Vector { _mm_set1_epi64x(a as i64) }
    /// A number of 32 bits in the first lane.
    fn first(a: u64) -> Vector { _mm_cvtsi32_si128(a as i32) }
    fn first_everywhere(a: Vector) -> Vector { _mm_unpacklo_epi64(a, a) }
    /// The sum of the lanes, of 32 bits.
    fn sum(a: Vector) -> u64 {
        u64::from(_mm_cvtsi128_si32(_mm_add_epi64(a, _mm_unpackhi_epi64(a, a))) as u32)
    }
    /// The same. LLVM may not know that the upper half of a lane is zero: it drops the masks that `mul` stands for, and
    /// where it has forgotten why, it multiplies 64 bits by 64 with three multiplications.
    fn hide(a: Vector) -> Vector {
        let mut a = a;
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0} */", inout(xmm_reg) a, options(pure, nomem, nostack, preserves_flags));
        }
        a
    }
    fn load(lanes: &[u64; LANES]) -> Vector {
        // SAFETY: the reference is valid for reading 16 bytes, which need no alignment.
        unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) }
    }
    fn store(a: Vector, lanes: &mut [u64; LANES]) {
        // SAFETY: the reference is valid for writing 16 bytes, which need no alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), a) }
    }
    /// The lower and the upper words of the blocks.
    fn words(blocks: &[Block; LANES]) -> [Vector; 2] {
        // SAFETY: the reference is valid for reading 32 bytes, which need no alignment.
        let (a, b) = unsafe {
            let start = blocks.as_ptr().cast::<Vector>();
            (_mm_loadu_si128(start), _mm_loadu_si128(start.add(1)))
        };
        [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)]
    }
}
