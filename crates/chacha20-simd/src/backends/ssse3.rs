//! x86 with SSSE3: four blocks a pass.

use super::{cpu, rounds, soft::Soft, sse};
use crate::state::{BLOCK_SIZE, Rounds};
use cipher::inout::InOutBuf;
use core::hint::black_box;

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

cpufeatures::new!(cpuid, "ssse3");

/// Proof that the CPU has SSSE3.
#[derive(Clone, Copy, Debug)]
pub struct Ssse3(());

impl Ssse3 {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    /// XORs the keystream that begins with block `counter` into `data`; see
    /// [`Available::xor`](super::Available::xor).
    #[inline]
    pub(crate) fn xor<R: Rounds>(
        self,
        words: &[u32; 16],
        counter: u64,
        data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        if data.len() <= BLOCK_SIZE && cpu::slow_vectors() {
            return Soft.xor::<R>(words, counter, data, last);
        }
        // SAFETY: the token proves that the CPU has SSSE3, and so SSE2.
        unsafe { sse::xor::<R, Self>(self, words, counter, data, last) }
    }
}

sse::permutation!(Ssse3, "ssse3", Masks, Masks::new(), rotate);

/// The shuffles that rotate every 32-bit word.
///
/// What they are is hidden from the compiler: it would make two shuffles of each of them.
#[derive(Clone, Copy)]
struct Masks {
    by_16: __m128i,
    by_8: __m128i,
}

impl Masks {
    #[inline]
    #[target_feature(enable = "ssse3")]
    fn new() -> Self {
        Self {
            by_16: black_box(_mm_setr_epi8(
                2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13,
            )),
            by_8: black_box(_mm_setr_epi8(
                3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14,
            )),
        }
    }
}

/// Rotates every 32-bit word left by `N` = 32 - `M`.
#[inline]
#[target_feature(enable = "ssse3")]
fn rotate<const N: i32, const M: i32>(x: __m128i, masks: Masks) -> __m128i {
    match N {
        16 => _mm_shuffle_epi8(x, masks.by_16),
        8 => _mm_shuffle_epi8(x, masks.by_8),
        _ => _mm_or_si128(_mm_slli_epi32::<N>(x), _mm_srli_epi32::<M>(x)),
    }
}
