//! NEON of 64-bit ARM.

use super::vpaes::{
    eight::Slice,
    generic::{Vector, vector_back_end},
};
use core::{
    arch::aarch64::*,
    ops::{BitAnd, BitXor},
};

/// A vector register of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct V(pub(super) uint8x16_t);

/// Calls intrinsics of NEON.
macro_rules! neon {
    ($e:expr) => {
        // SAFETY: this module is compiled where every CPU of the target has NEON. What touches memory is given a
        // reference to as much as it reads or writes.
        unsafe { $e }
    };
}

impl BitAnd for V {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(neon!(vandq_u8(self.0, other.0)))
    }
}

impl BitXor for V {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(neon!(veorq_u8(self.0, other.0)))
    }
}

impl Vector for V {
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        Self(neon!(vld1q_u8(bytes.as_ptr())))
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        neon!(vst1q_u8(bytes.as_mut_ptr(), self.0));
    }

    #[inline(always)]
    fn low_nibbles(self) -> Self {
        Self(neon!(vandq_u8(self.0, vdupq_n_u8(0x0f))))
    }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        Self(neon!(vshrq_n_u8::<4>(self.0)))
    }

    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        Self(neon!(vqtbl1q_u8(self.0, index.0)))
    }

    #[inline(always)]
    fn up_1_word(self) -> Self {
        Self(neon!(vextq_u8::<12>(vdupq_n_u8(0), self.0)))
    }

    #[inline(always)]
    fn up_2_words(self) -> Self {
        Self(neon!(vextq_u8::<8>(vdupq_n_u8(0), self.0)))
    }

    #[inline(always)]
    fn high_low(self, next: Self) -> Self {
        Self(neon!(vextq_u8::<8>(self.0, next.0)))
    }
}

impl Slice for V {
    #[inline(always)]
    fn exchange<const N: u32>(&mut self, other: &mut Self) {
        let (a, b) = (self.0, other.0);
        if N == 4 {
            self.0 = neon!(vsliq_n_u8::<4>(a, b));
            other.0 = neon!(vsriq_n_u8::<4>(b, a));
        } else if N == 2 {
            let mask = neon!(vdupq_n_u8(0x33));
            self.0 = neon!(vbslq_u8(mask, a, vshlq_n_u8::<2>(b)));
            other.0 = neon!(vbslq_u8(mask, vshrq_n_u8::<2>(a), b));
        } else {
            let mask = neon!(vdupq_n_u8(0x55));
            self.0 = neon!(vbslq_u8(mask, a, vshlq_n_u8::<1>(b)));
            other.0 = neon!(vbslq_u8(mask, vshrq_n_u8::<1>(a), b));
        }
    }

    #[inline(always)]
    fn bytes_with(self, bit: u32) -> Self {
        Self(neon!(vtstq_u8(self.0, vdupq_n_u8(1 << bit))))
    }

    #[inline(always)]
    fn row_below(self) -> Self {
        Self(neon!(vextq_u8::<4>(self.0, self.0)))
    }

    #[inline(always)]
    fn two_rows_below(self) -> Self {
        Self(neon!(vextq_u8::<8>(self.0, self.0)))
    }
}

/// The token: every CPU of the targets that this module is compiled for has NEON.
#[derive(Clone, Copy)]
pub(crate) struct Neon;

impl Neon {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        Some(Self)
    }
}

vector_back_end! { Neon, V, fewest: 6 }
