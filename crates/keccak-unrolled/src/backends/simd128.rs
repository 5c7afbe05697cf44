//! wasm32 compiled with SIMD: two states at once; one as the portable code does it on 64-bit words.
//!
//! WebAssembly has no rotation and no question at run time: code either has SIMD or not, as the compiler was told.
//!
//! Node.js 20 on an AMD EPYC (Zen 5): 188 ns a state, where `soft` takes 270 and `keccak` 0.2.2 572.

use core::arch::wasm32::*;

use digest::consts::U2;

use super::complement::each;
use super::parallel::*;
use super::{Kernel, round_constants, soft};
use crate::consts::{LANES, RHO};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

// A function with a target feature can be called from anywhere on this target.
#[allow(unused_unsafe, reason = "the macros are for all targets")]
impl Kernel for Simd128 {
    type Width = U2;

    #[inline]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline]
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
        soft::Soft.permute::<ROUNDS>(state);
    }

    groups!(2 => x2);
}

mod x2 {
    use super::*;

    const N: usize = 2;
    type Vector = v128;

    parallel!([0 1]);
    parallel_plain!([0 1]);

    #[inline]
    fn load(&[low, high]: &[u64; N]) -> Vector {
        u64x2(low, high)
    }

    #[inline]
    fn store(a: Vector, words: &mut [u64; N]) {
        *words = [u64x2_extract_lane::<0>(a), u64x2_extract_lane::<1>(a)];
    }

    #[inline]
    fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
        // SAFETY: 16 bytes are readable, at any address.
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    #[inline]
    fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
        // SAFETY: 16 bytes are writable, at any address.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), a) }
    }

    #[inline]
    fn transpose([a, b]: [Vector; N]) -> [Vector; N] {
        [i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)]
    }

    #[inline]
    fn broadcast(word: u64) -> Vector {
        u64x2_splat(word)
    }

    #[inline]
    fn xor(a: Vector, b: Vector) -> Vector {
        v128_xor(a, b)
    }

    #[inline]
    fn parity(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> Vector {
        xor(xor(xor(a, b), xor(c, d)), e)
    }

    #[inline]
    fn chi(a: Vector, b: Vector, c: Vector) -> Vector {
        xor(a, v128_andnot(c, b))
    }

    #[inline]
    fn theta_effect(before: Vector, after: Vector) -> Vector {
        xor(
            before,
            v128_or(i64x2_add(after, after), u64x2_shr(after, 63)),
        )
    }

    #[inline]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(a: Vector, d: Vector) -> Vector {
        let a = xor(a, d);
        match LEFT {
            0 => a,
            // A shuffle of bytes is one instruction on every machine.
            8 => i8x16_shuffle::<7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14>(a, a),
            56 => i8x16_shuffle::<1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8>(a, a),
            _ => v128_or(u64x2_shl(a, LEFT as u32), u64x2_shr(a, RIGHT as u32)),
        }
    }
}
