//! The operations on vectors that the x86 back ends share: memory and transposition, and the logic of those
//! without AVX-512. What each name means is in `parallel.rs`.

/// Memory of vectors of one lane: half a register.
macro_rules! one_lane {
    ($(#[$attr:meta])*) => {
        const N: usize = 1;
        type Vector = __m128i;

        $(#[$attr])*
        #[inline]
        fn load(words: &[u64; N]) -> Vector {
            // SAFETY: 8 bytes are readable, at any address.
            unsafe { _mm_loadl_epi64(words.as_ptr().cast()) }
        }

        $(#[$attr])*
        #[inline]
        fn store(a: Vector, words: &mut [u64; N]) {
            // SAFETY: 8 bytes are writable, at any address.
            unsafe { _mm_storel_epi64(words.as_mut_ptr().cast(), a) }
        }

        $(#[$attr])*
        #[inline]
        fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
            // SAFETY: 8 bytes are readable, at any address.
            unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) }
        }

        $(#[$attr])*
        #[inline]
        fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
            // SAFETY: 8 bytes are writable, at any address.
            unsafe { _mm_storel_epi64(bytes.as_mut_ptr().cast(), a) }
        }

        $(#[$attr])*
        #[inline]
        fn transpose(a: [Vector; N]) -> [Vector; N] {
            a
        }

        $(#[$attr])*
        #[inline]
        fn broadcast(word: u64) -> Vector {
            _mm_set1_epi64x(word as i64)
        }

        $(#[$attr])*
        #[inline]
        fn xor(a: Vector, b: Vector) -> Vector {
            _mm_xor_si128(a, b)
        }
    };
}
pub(super) use one_lane;

/// Memory and transposition of vectors of two lanes.
macro_rules! two_lanes {
    ($(#[$attr:meta])*) => {
        const N: usize = 2;
        type Vector = __m128i;

        $(#[$attr])*
        #[inline]
        fn load(words: &[u64; N]) -> Vector {
            // SAFETY: 16 bytes are readable, at any address.
            unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
        }

        $(#[$attr])*
        #[inline]
        fn store(a: Vector, words: &mut [u64; N]) {
            // SAFETY: 16 bytes are writable, at any address.
            unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), a) }
        }

        $(#[$attr])*
        #[inline]
        fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
            // SAFETY: 16 bytes are readable, at any address.
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
        }

        $(#[$attr])*
        #[inline]
        fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
            // SAFETY: 16 bytes are writable, at any address.
            unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), a) }
        }

        $(#[$attr])*
        #[inline]
        fn transpose([a, b]: [Vector; N]) -> [Vector; N] {
            [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)]
        }

        $(#[$attr])*
        #[inline]
        fn broadcast(word: u64) -> Vector {
            _mm_set1_epi64x(word as i64)
        }

        $(#[$attr])*
        #[inline]
        fn xor(a: Vector, b: Vector) -> Vector {
            _mm_xor_si128(a, b)
        }
    };
}
pub(super) use two_lanes;

/// Memory and transposition of vectors of four lanes.
macro_rules! four_lanes {
    ($(#[$attr:meta])*) => {
        const N: usize = 4;
        type Vector = __m256i;

        $(#[$attr])*
        #[inline]
        fn load(words: &[u64; N]) -> Vector {
            // SAFETY: 32 bytes are readable, at any address.
            unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
        }

        $(#[$attr])*
        #[inline]
        fn store(a: Vector, words: &mut [u64; N]) {
            // SAFETY: 32 bytes are writable, at any address.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), a) }
        }

        $(#[$attr])*
        #[inline]
        fn load_bytes(bytes: &[u8; 8 * N]) -> Vector {
            // SAFETY: 32 bytes are readable, at any address.
            unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
        }

        $(#[$attr])*
        #[inline]
        fn store_bytes(a: Vector, bytes: &mut [u8; 8 * N]) {
            // SAFETY: 32 bytes are writable, at any address.
            unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), a) }
        }

        /// ```text
        /// a0 a1 a2 a3      a0 b0 a2 b2      a0 b0 c0 d0
        /// b0 b1 b2 b3  ->  a1 b1 a3 b3  ->  a1 b1 c1 d1
        /// c0 c1 c2 c3      c0 d0 c2 d2      a2 b2 c2 d2
        /// d0 d1 d2 d3      c1 d1 c3 d3      a3 b3 c3 d3
        /// ```
        $(#[$attr])*
        #[inline]
        fn transpose([a, b, c, d]: [Vector; N]) -> [Vector; N] {
            let (ab02, ab13) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
            let (cd02, cd13) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
            [
                _mm256_permute2x128_si256::<0x20>(ab02, cd02),
                _mm256_permute2x128_si256::<0x20>(ab13, cd13),
                _mm256_permute2x128_si256::<0x31>(ab02, cd02),
                _mm256_permute2x128_si256::<0x31>(ab13, cd13),
            ]
        }

        $(#[$attr])*
        #[inline]
        fn broadcast(word: u64) -> Vector {
            _mm256_set1_epi64x(word as i64)
        }

        $(#[$attr])*
        #[inline]
        fn xor(a: Vector, b: Vector) -> Vector {
            _mm256_xor_si256(a, b)
        }
    };
}
pub(super) use four_lanes;

/// The logic, where rotations are two shifts and an `or`, or a shuffle of bytes.
macro_rules! shifts {
    ([$or:ident $and_not:ident $add:ident $left:ident $right:ident $bytes:ident] $(#[$attr:meta])*) => {
        $(#[$attr])*
        #[inline]
        fn parity(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> Vector {
            xor(xor(xor(a, b), xor(c, d)), e)
        }

        $(#[$attr])*
        #[inline]
        fn theta_effect(before: Vector, after: Vector) -> Vector {
            // A doubling instead of the left shift, since there are more adders than shifters.
            xor(before, $or($add(after, after), $right::<63>(after)))
        }

        $(#[$attr])*
        #[inline]
        fn chi(a: Vector, b: Vector, c: Vector) -> Vector {
            xor(a, $and_not(b, c))
        }

        $(#[$attr])*
        #[inline]
        fn xor_rotate<const LEFT: i32, const RIGHT: i32>(a: Vector, d: Vector) -> Vector {
            let a = xor(a, d);
            match LEFT {
                0 => a,
                8 => $bytes::<8>(a),
                56 => $bytes::<56>(a),
                _ => $or($left::<LEFT>(a), $right::<RIGHT>(a)),
            }
        }
    };
}
pub(super) use shifts;

/// [`shifts`] for vectors of 128 bits.
macro_rules! shifts_128 {
    ($bytes:ident $(#[$attr:meta])*) => {
        shifts!([_mm_or_si128 _mm_andnot_si128 _mm_add_epi64 _mm_slli_epi64 _mm_srli_epi64 $bytes] $(#[$attr])*);
    };
}
pub(super) use shifts_128;
