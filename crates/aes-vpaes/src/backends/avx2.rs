//! Vector permutations on 2 blocks in a vector of 256 bits; one block as in `ssse3`, with the instructions of this set.

use super::{
    Avx2,
    arch::*,
    keys::{Aligned, Isa, RoundKeys},
    vpaes::tables::{Pair, TABLES},
};
use crate::{Block, wipe::wipe};
use core::mem::MaybeUninit;
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
    array::Array,
    consts::{U8, U16},
};

type Blocks = Array<Block, U8>;

mod one {
    use super::super::{
        arch::*,
        keys::{Aligned, RoundKeys},
        vpaes::tables::{KEY_TABLES, Pair, TABLES},
    };
    use crate::Block;
    use core::mem::MaybeUninit;
    use cipher::InOut;

    vpaes_xmm!(avx2);
    vpaes_three_nibbles!(avx2, __m128i);
    vpaes_bytes!(avx2, __m128i);
    vpaes_one!(avx2);
}

avx2! {
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
    fn permute(x: __m256i, indices: __m256i) -> __m256i {
        _mm256_shuffle_epi8(x, indices)
    }

    #[inline]
    fn nibbles(x: __m256i) -> [__m256i; 2] {
        let mask = table(&TABLES.nibble);
        [
            _mm256_and_si256(x, mask),
            _mm256_and_si256(_mm256_srli_epi32::<4>(x), mask),
        ]
    }
}

vpaes_three_nibbles!(avx2, __m256i);
vpaes_bytes!(avx2, __m256i);
vpaes_many!(avx2, one, __m256i, 4);
vpaes_isa!(Avx2, one, 4);
