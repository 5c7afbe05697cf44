//! Poly1305 on eight blocks at a time, one in each 64-bit lane of a 512-bit register: AVX-512.

use core::arch::x86_64::*;

use core::arch::asm;

use super::{Powers, Words, lanes};
use crate::Block;

// AVX2, FMA and F16C come with `avx512f` where a function enables it. `cpufeatures` does not know F16C: no CPU with FMA
// and AVX-512 lacks it, and it needs no more from the operating system.
cpufeatures::new!(avx512, "avx2", "fma", "avx512f");

/// Proof that the CPU has AVX-512 F.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        avx512::get().then_some(Self(()))
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
        // SAFETY: the token proves that the CPU has AVX-512 F.
        unsafe { vectors::blocks(r[0], r[1], h[0], h[1], h[2], cache, blocks) }
    }

    /// See [`Kernel::wipe_stack`](super::Kernel::wipe_stack).
    #[inline]
    pub(crate) fn wipe_stack(self) {
        // SAFETY: the token proves that the CPU has AVX-512 F.
        unsafe { wipe_stack::<9>() }
    }
}

wipe_stack! {
    #[target_feature(enable = "avx512f")]
    pub(crate)
}

pub(crate) const MIN_BLOCKS: [usize; 2] = [16, 12];

const LANES: usize = 8;
/// The block of a group that each lane holds: what the unpack instructions make of two registers of four blocks.
const ORDER: [usize; LANES] = [0, 4, 1, 5, 2, 6, 3, 7];

type Vector = __m512i;

lanes::vectors!("avx512f");

macro_rules! helpers {
    ($($(#[$doc:meta])* fn $name:ident $(<const $n:ident: u32>)? ($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn $name $(<const $n: u32>)? ($($arg: $type),*) $(-> $out)? $body
    )*};
}

helpers! {
    fn add(a: Vector, b: Vector) -> Vector { _mm512_add_epi64(a, b) }
    fn and(a: Vector, b: Vector) -> Vector { _mm512_and_si512(a, b) }
    fn or(a: Vector, b: Vector) -> Vector { _mm512_or_si512(a, b) }
    fn shl<const N: u32>(a: Vector) -> Vector { _mm512_slli_epi64::<N>(a) }
    fn shr<const N: u32>(a: Vector) -> Vector { _mm512_srli_epi64::<N>(a) }
    /// The products of the lower halves of the lanes.
    fn mul(a: Vector, b: Vector) -> Vector { _mm512_mul_epu32(a, b) }
    fn splat(a: u64) -> Vector { _mm512_set1_epi64(a as i64) }
    /// A number of 32 bits in the first lane.
    fn first(a: u64) -> Vector { _mm512_zextsi128_si512(_mm_cvtsi32_si128(a as i32)) }
    fn first_everywhere(a: Vector) -> Vector { _mm512_broadcastq_epi64(_mm512_castsi512_si128(a)) }
    /// The sum of the lanes, of 32 bits.
    fn sum(a: Vector) -> u64 { _mm512_reduce_add_epi64(a) as u64 }
    /// The same. LLVM may not know that the upper half of a lane is zero: it drops the masks that `mul` stands for, and
    /// where it has forgotten why, it multiplies 64 bits by 64 with three multiplications.
    fn hide(a: Vector) -> Vector {
        let mut a = a;
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0} */", inout(zmm_reg) a, options(pure, nomem, nostack, preserves_flags));
        }
        a
    }
    fn load(lanes: &[u64; LANES]) -> Vector {
        // SAFETY: the reference is valid for reading 64 bytes, which need no alignment.
        unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
    }
    fn store(a: Vector, lanes: &mut [u64; LANES]) {
        // SAFETY: the reference is valid for writing 64 bytes, which need no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), a) }
    }
    /// The lower and the upper words of the blocks.
    fn words(blocks: &[Block; LANES]) -> [Vector; 2] {
        // SAFETY: the reference is valid for reading 128 bytes, which need no alignment.
        let (a, b) = unsafe {
            let start = blocks.as_ptr().cast::<Vector>();
            (_mm512_loadu_si512(start), _mm512_loadu_si512(start.add(1)))
        };
        [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)]
    }
}
