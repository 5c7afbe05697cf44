//! Vector permutations on 4 blocks in a vector of 512 bits; one block as in `ssse3`, with the instructions of this set.

use super::{
    Avx512,
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

/// `(a + b) & mask`, as the truth table of a ternary operation.
const ADD_AND_MASK: i32 = (0xf0 ^ 0xcc) & 0xaa;

mod one {
    use super::super::{
        arch::*,
        keys::{Aligned, RoundKeys},
        vpaes::tables::{KEY_TABLES, Pair, TABLES},
        avx512::ADD_AND_MASK,
    };
    use crate::Block;
    use core::mem::MaybeUninit;
    use cipher::InOut;

    vpaes_xmm!(avx512);
    avx512! {
        #[inline]
        fn three_nibbles(x: __m128i) -> [__m128i; 3] {
            let mask = table(&TABLES.nibble);
            let high = _mm_srli_epi32::<4>(x);
            [
                _mm_and_si128(x, mask),
                _mm_and_si128(high, mask),
                _mm_ternarylogic_epi32::<ADD_AND_MASK>(x, high, mask),
            ]
        }
    }
    vpaes_bytes!(avx512, __m128i);
    vpaes_one!(avx512);
}

avx512! {
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
    fn permute(x: __m512i, indices: __m512i) -> __m512i {
        _mm512_shuffle_epi8(x, indices)
    }

    #[inline]
    fn nibbles(x: __m512i) -> [__m512i; 2] {
        let mask = table(&TABLES.nibble);
        [
            _mm512_and_si512(x, mask),
            _mm512_and_si512(_mm512_srli_epi32::<4>(x), mask),
        ]
    }
}

avx512! {
    #[inline]
    fn three_nibbles(x: __m512i) -> [__m512i; 3] {
        let mask = table(&TABLES.nibble);
        let high = _mm512_srli_epi32::<4>(x);
        [
            _mm512_and_si512(x, mask),
            _mm512_and_si512(high, mask),
            _mm512_ternarylogic_epi32::<ADD_AND_MASK>(x, high, mask),
        ]
    }
}
vpaes_bytes!(avx512, __m512i);
vpaes_many!(avx512, one, __m512i, 2);
vpaes_isa!(Avx512, one, 2);
