//! AES instructions on 4 blocks in a vector of 512 bits.

use super::{Vaes512, arch::*, keys::Aligned};
use cipher::consts::U4;

const VECTORS: usize = 4;

vaes!(Vaes512, vaes512, __m512i, U4, U16);

vaes512! {
    #[inline]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: 64 bytes are read from 64.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline]
    fn store(bytes: &mut [u8; 64], x: __m512i) {
        // SAFETY: 64 bytes are written to 64.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x) }
    }

    /// A round key for every block.
    #[inline]
    fn table(bytes: &Aligned) -> __m512i {
        // SAFETY: 16 bytes are read from 16, at an address divisible by 16.
        _mm512_broadcast_i32x4(unsafe { _mm_load_si128((&raw const *bytes).cast()) })
    }

    #[inline]
    fn xor(a: __m512i, b: __m512i) -> __m512i {
        _mm512_xor_si512(a, b)
    }

    #[inline]
    fn aesenc(x: __m512i, key: __m512i) -> __m512i {
        _mm512_aesenc_epi128(x, key)
    }

    #[inline]
    fn aesenclast(x: __m512i, key: __m512i) -> __m512i {
        _mm512_aesenclast_epi128(x, key)
    }

    #[inline]
    fn aesdec(x: __m512i, key: __m512i) -> __m512i {
        _mm512_aesdec_epi128(x, key)
    }

    #[inline]
    fn aesdeclast(x: __m512i, key: __m512i) -> __m512i {
        _mm512_aesdeclast_epi128(x, key)
    }
}
