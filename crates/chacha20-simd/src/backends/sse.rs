//! What `sse2` and `ssse3` have in common: all but the rotations.
//!
//! Four blocks a pass stand side by side, one word of each in a register. What is left over goes in rows: a register
//! holds a row of the four by four matrix of one block, and one to three blocks go together.

use crate::state::{BLOCK_SIZE, Rounds};
use cipher::{
    array::Array,
    consts::{U64, U256},
    inout::{InOut, InOutBuf},
};

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// The rounds, without the addition of the input, as the token of a back end makes them.
pub(super) trait Permutation: Copy {
    /// Four blocks: word i of block j is word j of vector i.
    fn vertical<R: Rounds>(self, s: &mut [__m128i; 16]);
    /// `N` blocks, each as its rows.
    fn rows<R: Rounds, const N: usize>(self, s: &mut [Block; N]);
}

/// The four rows of a block.
pub(super) type Block = [__m128i; 4];

/// Implements [`Permutation`] for the token with `$rotate::<N, { 32 - N }>(x, masks)`, which needs the feature and rotates
/// every word of x left by N.
macro_rules! permutation {
    ($token:ident, $feature:literal, $masks:ty, $new_masks:expr, $rotate:ident) => {
        impl $crate::backends::sse::Permutation for $token {
            #[inline]
            fn vertical<R: Rounds>(self, s: &mut [__m128i; 16]) {
                // SAFETY: the token proves that the CPU has the feature.
                unsafe { vertical::<R>(s) }
            }

            #[inline]
            fn rows<R: Rounds, const N: usize>(self, s: &mut [$crate::backends::sse::Block; N]) {
                // SAFETY: the token proves that the CPU has the feature.
                unsafe { turn_rows::<R, (), N>(s, $new_masks, &[], |(), _| ()) }
            }
        }

        #[target_feature(enable = $feature)]
        fn vertical<R: Rounds>(state: &mut [__m128i; 16]) {
            let masks = $new_masks;
            macro_rules! step {
                ($s:ident, $n:literal, $first:tt, $second:tt) => {
                    rounds::step!(
                        _mm_add_epi32,
                        _mm_xor_si128,
                        $rotate,
                        masks,
                        $s,
                        $n,
                        $first,
                        $second
                    )
                };
            }
            let mut s = *state;
            for _ in 0..R::DOUBLE_ROUNDS {
                rounds::double_round!(step s);
            }
            *state = s;
        }

        rounds::rows!(
            $feature,
            __m128i,
            _mm_add_epi32,
            _mm_xor_si128,
            _mm_shuffle_epi32,
            $rotate,
            $masks
        );
    };
}
pub(super) use permutation;

/// Bytes in the blocks of one pass.
const PASS: usize = 4 * BLOCK_SIZE;

/// XORs the keystream that begins with block `counter` into `data`; see [`Available::xor`](super::Available::xor).
#[target_feature(enable = "sse2")]
pub(super) fn xor<R: Rounds, P: Permutation>(
    permutation: P,
    words: &[u32; 16],
    mut counter: u64,
    mut data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    while data.len() > 3 * PASS / 4 {
        let n = data.len().min(PASS);
        let (now, rest) = data.split_at(n);
        let input = vertical_input(words, counter);
        let mut s = input;
        permutation.vertical::<R>(&mut s);
        if n == PASS {
            let mut now = now.into_chunks::<U256>().0;
            transpose(&s, &input, |i, x| xor_16(now.get(0), i, x));
        } else {
            let mut keystream = [[_mm_setzero_si128(); 4]; 4];
            transpose(&s, &input, |i, x| keystream[i / 4][i % 4] = x);
            xor_blocks(&keystream, now, last);
        }
        counter = counter.wrapping_add(4);
        data = rest;
    }
    match data.len() {
        0 => {}
        1..=64 => xor_rows::<R, P, 1>(permutation, words, counter, data, last),
        65..=128 => xor_rows::<R, P, 2>(permutation, words, counter, data, last),
        _ => xor_rows::<R, P, 3>(permutation, words, counter, data, last),
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn xor_rows<R: Rounds, P: Permutation, const N: usize>(
    permutation: P,
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    let mut input = [[_mm_setzero_si128(); 4]; N];
    for (i, input) in input.iter_mut().enumerate() {
        let counter = counter.wrapping_add(i as u64);
        let mut words = *words;
        words[12] = counter as u32;
        words[13] = (counter >> 32) as u32;
        for (row, words) in input.iter_mut().zip(words.as_chunks().0) {
            *row = load_words(words);
        }
    }
    let mut s = input;
    permutation.rows::<R, N>(&mut s);
    for (s, input) in s.iter_mut().zip(input) {
        for (s, input) in s.iter_mut().zip(input) {
            *s = _mm_add_epi32(*s, input);
        }
    }
    xor_blocks(&s, data, last);
}

#[inline]
#[target_feature(enable = "sse2")]
fn vertical_input(words: &[u32; 16], counter: u64) -> [__m128i; 16] {
    let mut s = [_mm_setzero_si128(); 16];
    for (s, word) in s.iter_mut().zip(words) {
        *s = _mm_set1_epi32(*word as i32);
    }
    let number = _mm_setr_epi32(0, 1, 2, 3);
    s[12] = _mm_add_epi32(_mm_set1_epi32(counter as i32), number);
    // Where the lower half wrapped it is less than the block's number; the comparison is one of signed numbers.
    let sign = _mm_set1_epi32(i32::MIN);
    let wrapped = _mm_cmpgt_epi32(_mm_xor_si128(number, sign), _mm_xor_si128(s[12], sign));
    s[13] = _mm_sub_epi32(_mm_set1_epi32((counter >> 32) as i32), wrapped);
    s
}

/// The sum of state and input, 16 bytes at a time, with their places: `4 * block + row`.
#[inline]
#[target_feature(enable = "sse2")]
fn transpose(s: &[__m128i; 16], input: &[__m128i; 16], mut put: impl FnMut(usize, __m128i)) {
    for row in 0..4 {
        // Words 0 to 3 of the row, of the blocks
        //     s:    0 1 2 3
        //     01:   0 0 1 1  (words 0 1 0 1)   and 2 2 3 3
        //     0123: 0 0 0 0  (words 0 1 2 3)   and so on
        let [w0, w1, w2, w3] =
            [0, 1, 2, 3].map(|i| _mm_add_epi32(s[4 * row + i], input[4 * row + i]));
        let (low_01, high_01) = (_mm_unpacklo_epi32(w0, w1), _mm_unpackhi_epi32(w0, w1));
        let (low_23, high_23) = (_mm_unpacklo_epi32(w2, w3), _mm_unpackhi_epi32(w2, w3));
        put(row, _mm_unpacklo_epi64(low_01, low_23));
        put(4 + row, _mm_unpackhi_epi64(low_01, low_23));
        put(8 + row, _mm_unpacklo_epi64(high_01, high_23));
        put(12 + row, _mm_unpackhi_epi64(high_01, high_23));
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn xor_16(mut data: InOut<'_, '_, Array<u8, U256>>, i: usize, keystream: __m128i) {
    let x = _mm_xor_si128(load(&data.get_in().0.as_chunks().0[i]), keystream);
    store(&mut data.get_out().0.as_chunks_mut().0[i], x);
}

/// XORs as many of the blocks into `data` as it needs, and leaves a partial one in `last`.
#[inline]
#[target_feature(enable = "sse2")]
fn xor_blocks(keystream: &[Block], data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK_SIZE]) {
    let (mut blocks, mut tail) = data.into_chunks::<U64>();
    debug_assert!(
        blocks.len() < keystream.len() || blocks.len() == keystream.len() && tail.is_empty()
    );
    for (i, keystream) in keystream.iter().enumerate() {
        if i == blocks.len() {
            if !tail.is_empty() {
                for (bytes, row) in last.as_chunks_mut().0.iter_mut().zip(keystream) {
                    store(bytes, *row);
                }
                tail.xor_in2out(&last[..tail.len()]);
            }
            return;
        }
        let mut block = blocks.get(i);
        for (i, row) in keystream.iter().enumerate() {
            let x = _mm_xor_si128(load(&block.get_in().0.as_chunks().0[i]), *row);
            store(&mut block.get_out().0.as_chunks_mut().0[i], x);
        }
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn load_words(words: &[u32; 4]) -> __m128i {
    // SAFETY: an unaligned load of 16 bytes that are borrowed.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: an unaligned load of 16 bytes that are borrowed.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(bytes: &mut [u8; 16], x: __m128i) {
    // SAFETY: an unaligned store to 16 bytes that are borrowed for writing.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) }
}
