//! The operations on vectors that the aarch64 back ends share: memory and transposition, for little-endian memory.
//! What each name means is in `parallel.rs`.

use core::arch::aarch64::uint64x2_t;
use core::arch::asm;

/// The vector, of which the compiler does not know where it comes from.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn opaque(mut a: uint64x2_t) -> uint64x2_t {
    // SAFETY: there are no instructions in it.
    unsafe {
        asm!("/* {0:v} */", inout(vreg) a, options(pure, nomem, nostack, preserves_flags));
    }
    a
}

/// Vectors of two lanes.
macro_rules! two_lanes {
    () => {
        const N: usize = 2;
        type Vector = uint64x2_t;

        #[target_feature(enable = "neon")]
        #[inline]
        fn load(words: &[u64; N]) -> Vector {
            // SAFETY: 16 bytes are readable.
            unsafe { vld1q_u64(words.as_ptr()) }
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn store(a: Vector, words: &mut [u64; N]) {
            // SAFETY: 16 bytes are writable.
            unsafe { vst1q_u64(words.as_mut_ptr(), a) }
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
            // SAFETY: 16 bytes are readable, at any address.
            vreinterpretq_u64_u8(unsafe { vld1q_u8(bytes.as_ptr()) })
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
            // SAFETY: 16 bytes are writable, at any address.
            unsafe { vst1q_u8(bytes.as_mut_ptr(), vreinterpretq_u8_u64(a)) }
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn transpose([a, b]: [Vector; N]) -> [Vector; N] {
            [vzip1q_u64(a, b), vzip2q_u64(a, b)]
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn broadcast(word: u64) -> Vector {
            vdupq_n_u64(word)
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn xor(a: Vector, b: Vector) -> Vector {
            veorq_u64(a, b)
        }
    };
}
pub(super) use two_lanes;

/// Vectors of one lane: half a register; of the other half nothing is asked.
macro_rules! one_lane {
    () => {
        const N: usize = 1;
        type Vector = uint64x2_t;

        #[target_feature(enable = "neon")]
        #[inline]
        fn load(&[word]: &[u64; N]) -> Vector {
            vcombine_u64(vcreate_u64(word), vcreate_u64(0))
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn store(a: Vector, [word]: &mut [u64; N]) {
            *word = vgetq_lane_u64::<0>(a);
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
            load(&[u64::from_le_bytes(*bytes)])
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
            *bytes = vgetq_lane_u64::<0>(a).to_le_bytes();
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn transpose(a: [Vector; N]) -> [Vector; N] {
            a
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn broadcast(word: u64) -> Vector {
            vdupq_n_u64(word)
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn xor(a: Vector, b: Vector) -> Vector {
            veorq_u64(a, b)
        }
    };
}
pub(super) use one_lane;
