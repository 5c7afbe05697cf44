//! AES instructions on 2 blocks in a vector of 256 bits.

use super::{Vaes256, arch::*, keys::Aligned};
use cipher::consts::U2;

const VECTORS: usize = 8;

vaes!(Vaes256, vaes256, __m256i, U2, U16);

vaes256! {
    #[inline]
    fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: 32 bytes are read from 32.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    fn store(bytes: &mut [u8; 32], x: __m256i) {
        // SAFETY: 32 bytes are written to 32.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x) }
    }

    /// A round key for every block.
    #[inline]
    fn table(bytes: &Aligned) -> __m256i {
        // SAFETY: 16 bytes are read from 16, at an address divisible by 16.
        _mm256_broadcastsi128_si256(unsafe { _mm_load_si128((&raw const *bytes).cast()) })
    }

    #[inline]
    fn xor(a: __m256i, b: __m256i) -> __m256i {
        _mm256_xor_si256(a, b)
    }

    #[inline]
    fn aesenc(x: __m256i, key: __m256i) -> __m256i {
        _mm256_aesenc_epi128(x, key)
    }

    #[inline]
    fn aesenclast(x: __m256i, key: __m256i) -> __m256i {
        _mm256_aesenclast_epi128(x, key)
    }

    #[inline]
    fn aesdec(x: __m256i, key: __m256i) -> __m256i {
        _mm256_aesdec_epi128(x, key)
    }

    #[inline]
    fn aesdeclast(x: __m256i, key: __m256i) -> __m256i {
        _mm256_aesdeclast_epi128(x, key)
    }
}
