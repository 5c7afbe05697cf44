//! Poly1305 on four blocks at a time, one in each 64-bit lane of a 256-bit register: AVX2.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use core::arch::asm;

use super::{Powers, Words, lanes};
use crate::Block;

cpufeatures::new!(avx2, "avx2");

/// Proof that the CPU has AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        avx2::get().then_some(Self(()))
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
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { vectors::blocks(r[0], r[1], h[0], h[1], h[2], cache, blocks) }
    }

    /// See [`Kernel::wipe_stack`](super::Kernel::wipe_stack).
    #[inline]
    pub(crate) fn wipe_stack(self) {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { wipe_stack::<10>() }
    }
}

/// Takes whole blocks, four at a time if there are enough of them.
///
/// # Safety
///
/// None where AVX2 is on; a caller without it must know that the CPU has it.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
#[target_feature(enable = "avx2")]
pub fn update(state: &mut super::soft::State, blocks: &[Block]) {
    if blocks.len() < MIN_BLOCKS[0] {
        return state.blocks(blocks);
    }
    let ([r0, r1, _], [h0, h1, h2]) = (state.r(), state.accumulator());
    state.set_accumulator(vectors::blocks(r0, r1, h0, h1, h2, None, blocks));
}

wipe_stack! {
    #[target_feature(enable = "avx2")]
    pub(crate)
}

pub(crate) const MIN_BLOCKS: [usize; 2] = [16, 12];

const LANES: usize = 4;
/// The block of a group that each lane holds: what the unpack instructions make of two registers of two blocks.
const ORDER: [usize; LANES] = [0, 2, 1, 3];

type Vector = __m256i;

lanes::vectors!("avx2");

macro_rules! helpers {
    ($($(#[$doc:meta])* fn $name:ident $(<const $n:ident: i32>)? ($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name $(<const $n: i32>)? ($($arg: $type),*) $(-> $out)? $body
    )*};
}

helpers! {
    fn add(a: Vector, b: Vector) -> Vector { _mm256_add_epi64(a, b) }
    fn and(a: Vector, b: Vector) -> Vector { _mm256_and_si256(a, b) }
    fn or(a: Vector, b: Vector) -> Vector { _mm256_or_si256(a, b) }
    fn shl<const N: i32>(a: Vector) -> Vector { _mm256_slli_epi64::<N>(a) }
    fn shr<const N: i32>(a: Vector) -> Vector { _mm256_srli_epi64::<N>(a) }
    /// The products of the lower halves of the lanes.
    fn mul(a: Vector, b: Vector) -> Vector { _mm256_mul_epu32(a, b) }
    fn splat(a: u64) -> Vector { _mm256_set1_epi64x(a as i64) }
    /// A number of 32 bits in the first lane.
    fn first(a: u64) -> Vector { _mm256_zextsi128_si256(_mm_cvtsi32_si128(a as i32)) }
    fn first_everywhere(a: Vector) -> Vector { _mm256_broadcastq_epi64(_mm256_castsi256_si128(a)) }
    /// The sum of the lanes, of 32 bits.
    fn sum(a: Vector) -> u64 {
        let pairs = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
        let all = _mm_add_epi64(pairs, _mm_unpackhi_epi64(pairs, pairs));
        u64::from(_mm_cvtsi128_si32(all) as u32)
    }
    /// The same. LLVM may not know that the upper half of a lane is zero: it drops the masks that `mul` stands for, and
    /// where it has forgotten why, it multiplies 64 bits by 64 with three multiplications.
    fn hide(a: Vector) -> Vector {
        let mut a = a;
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0} */", inout(ymm_reg) a, options(pure, nomem, nostack, preserves_flags));
        }
        a
    }
    fn load(lanes: &[u64; LANES]) -> Vector {
        // SAFETY: the reference is valid for reading 32 bytes, which need no alignment.
        unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
    }
    fn store(a: Vector, lanes: &mut [u64; LANES]) {
        // SAFETY: the reference is valid for writing 32 bytes, which need no alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), a) }
    }
    /// The lower and the upper words of the blocks.
    fn words(blocks: &[Block; LANES]) -> [Vector; 2] {
        // SAFETY: the reference is valid for reading 64 bytes, which need no alignment.
        let (a, b) = unsafe {
            let start = blocks.as_ptr().cast::<Vector>();
            (_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1)))
        };
        [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)]
    }
}
