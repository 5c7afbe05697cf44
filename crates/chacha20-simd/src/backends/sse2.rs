//! x86 with SSE2: four blocks a pass.

use super::{cpu, rounds, soft::Soft, sse};
use crate::state::{BLOCK_SIZE, Rounds};
use cipher::inout::InOutBuf;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

cpufeatures::new!(cpuid, "sse2");

/// Proof that the CPU has SSE2.
#[derive(Clone, Copy, Debug)]
pub struct Sse2(());

impl Sse2 {
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
        // SAFETY: the token proves that the CPU has SSE2.
        unsafe { sse::xor::<R, Self>(self, words, counter, data, last) }
    }
}

sse::permutation!(Sse2, "sse2", (), (), rotate);

/// Rotates every 32-bit word left by `N` = 32 - `M`.
#[inline]
#[target_feature(enable = "sse2")]
fn rotate<const N: i32, const M: i32>(x: __m128i, (): ()) -> __m128i {
    if N == 16 {
        // The two halves of every word change places.
        let x = _mm_shufflelo_epi16::<0b10_11_00_01>(x);
        return _mm_shufflehi_epi16::<0b10_11_00_01>(x);
    }
    _mm_or_si128(_mm_slli_epi32::<N>(x), _mm_srli_epi32::<M>(x))
}
