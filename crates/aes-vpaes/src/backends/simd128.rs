//! SIMD on WebAssembly.
//!
//! Chosen at compile time: a module with SIMD instructions is refused by an engine without them.

use super::vpaes::{
    eight::Slice,
    generic::{Vector, vector_back_end},
};
use core::{
    arch::wasm32::*,
    ops::{BitAnd, BitXor},
};

/// A vector of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct V(v128);

impl BitAnd for V {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
}

impl BitXor for V {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
}

impl Vector for V {
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: 16 bytes are read from 16.
        Self(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        // SAFETY: 16 bytes are written to 16.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn low_nibbles(self) -> Self {
        Self(v128_and(self.0, u8x16_splat(0x0f)))
    }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        Self(u8x16_shr(self.0, 4))
    }

    #[inline(always)]
    fn look_up(self, index: Self) -> Self {
        Self(i8x16_swizzle(self.0, index.0))
    }

    #[inline(always)]
    fn up_1_word(self) -> Self {
        Self(i32x4_shuffle::<0, 4, 5, 6>(u8x16_splat(0), self.0))
    }

    #[inline(always)]
    fn up_2_words(self) -> Self {
        Self(i64x2_shuffle::<0, 2>(u8x16_splat(0), self.0))
    }

    #[inline(always)]
    fn high_low(self, next: Self) -> Self {
        Self(i64x2_shuffle::<1, 2>(self.0, next.0))
    }
}

impl Slice for V {
    #[inline(always)]
    fn exchange<const N: u32>(&mut self, other: &mut Self) {
        let (a, b) = (self.0, other.0);
        let mask = u8x16_splat(match N {
            4 => 0x0f,
            2 => 0x33,
            _ => 0x55,
        });
        // Only bits that are not taken cross the border of a byte.
        self.0 = v128_bitselect(a, u32x4_shl(b, N), mask);
        other.0 = v128_bitselect(u32x4_shr(a, N), b, mask);
    }

    #[inline(always)]
    fn bytes_with(self, bit: u32) -> Self {
        // The sign of each byte, over all of it.
        Self(i8x16_lt(u32x4_shl(self.0, 7 - bit), i8x16_splat(0)))
    }

    #[inline(always)]
    fn row_below(self) -> Self {
        Self(i32x4_shuffle::<1, 2, 3, 0>(self.0, self.0))
    }

    #[inline(always)]
    fn two_rows_below(self) -> Self {
        Self(i64x2_shuffle::<1, 0>(self.0, self.0))
    }
}

/// The token: what runs a module with SIMD instructions has them.
#[derive(Clone, Copy)]
pub(crate) struct Simd128;

impl Simd128 {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        Some(Self)
    }
}

vector_back_end! { Simd128, V, fewest: 6 }
