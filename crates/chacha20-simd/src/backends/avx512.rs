//! x86-64 with AVX-512 (F, BW, VL).
//!
//! Side by side, a word of each of sixteen blocks in a 512-bit register, a double round is 32 additions, 32 XORs and 32
//! rotations of one instruction. The chain through them is 24 instructions long, and four go in parallel. Two such
//! groups, 32 blocks, fill the 32 registers to the last one: no constant and no temporary needs one.
//!
//! Bounds, in cycles a double round:
//!
//! | | Zen 4 | Zen 5 |
//! |---|---|---|
//! | instructions a cycle | 2 | 4, of them 2 rotations |
//! | cycles that one takes | 1, a rotation 2 | 2 |
//! | 16 blocks: throughput, chain | 48, 32 | 24, 48 |
//! | 32 blocks: throughput, chain | 96, 32 | 48, 48 |
//! | rows: chain | 33 | 48 |
//!
//! So on Zen 5 32 blocks cost little more than 16 (nanoseconds, measured at 4.3 GHz; OpenSSL's AVX-512 code has sixteen
//! blocks):
//!
//! | bytes | form | this | OpenSSL |
//! |---|---|---|---|
//! | 64 | general registers (`soft`), on Zen 5 | 76 | 128 |
//! | 256 | rows of two blocks, two sets | 120 | 126 |
//! | 512 | rows of two blocks, four sets | 131 | 229 |
//! | 1024 | 16 blocks | 138 | 141 |
//! | 1350 | 16 blocks and eight in 256-bit registers | 173 | 265 |
//! | 2048 | 32 blocks | 175 | 267 |
//! | 16384 | 32 blocks | 1300 | 2085 |
//!
//! 24 blocks are a form of their own for Zen 4, where 32 take a third longer; on Zen 5 both take the same time.
//! Rejected: 16 blocks a pass in bulk (140 ns for 1024 bytes); rows in 512-bit registers (the chain is 14 % longer on
//! Zen 4 than in 256-bit ones); four columns step by step in 512-bit registers (6 % slower on Zen 4 than two and two).
//! What is left to the bound in bulk, 111 of 163 ns for 2 KiB, is the transposition and the latency at both ends of a
//! pass.

use super::{avx2, cpu, rounds, soft::Soft};
use crate::state::{BLOCK_SIZE, Rounds};
use cipher::{
    array::Array,
    consts::{U64, U1024},
    inout::{InOut, InOutBuf},
};
use core::arch::x86_64::*;
use core::hint::black_box;

// AVX2, FMA and F16C come with `avx512f` where a function enables it. `cpufeatures` does not know F16C: no CPU with FMA
// and AVX-512 lacks it, and it needs no more from the operating system.
cpufeatures::new!(cpuid, "avx2", "fma", "avx512f", "avx512bw", "avx512vl");

/// Proof that the CPU has AVX-512 F, BW and VL.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    /// XORs the keystream that begins with block `counter` into `data`; see
    /// [`Available::xor`](super::Available::xor).
    #[inline]
    pub(crate) fn xor<R: Rounds>(
        self,
        words: &[u32; 16],
        counter: u64,
        data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        if data.len() <= BLOCK_SIZE && cpu::slow_vectors() {
            return Soft.xor::<R>(words, counter, data, last);
        }
        // SAFETY: the token proves that the CPU has what the function enables.
        unsafe { xor::<R>(words, counter, data, last) }
    }

    /// See [`Available::wipe_stack`](super::Available::wipe_stack).
    #[inline]
    pub(crate) fn wipe_stack(self, longest: usize) {
        // SAFETY: the token proves that the CPU has AVX-512 F, BW and VL.
        unsafe {
            match longest {
                ..=64 => wipe_stack::<2>(),
                65..=128 => wipe_stack::<4>(),
                129..=512 => wipe_stack::<8>(),
                513..=1024 => wipe_stack::<12>(),
                1025..=1536 => wipe_stack::<23>(),
                _ => wipe_stack::<38>(),
            }
        }
    }
}

/// Rotates every 32-bit word left by `N`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn rotate_zmm<const N: i32, const M: i32>(x: __m512i, (): ()) -> __m512i {
    _mm512_rol_epi32::<N>(x)
}

/// Rotates every 32-bit word left by `N`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn rotate_ymm<const N: i32, const M: i32>(x: __m256i, (): ()) -> __m256i {
    _mm256_rol_epi32::<N>(x)
}

/// A double round of each state, sixteen vectors that hold a word each: two columns or diagonals at a time, step by
/// step, and the states in turns.
macro_rules! double_round {
    ($($step:ident $s:ident),*) => {
        $($step!($s, 16, (0, 4, 12), (1, 5, 13)); $step!($s, 16, (2, 6, 14), (3, 7, 15));)*
        $($step!($s, 12, (8, 12, 4), (9, 13, 5)); $step!($s, 12, (10, 14, 6), (11, 15, 7));)*
        $($step!($s, 8, (0, 4, 12), (1, 5, 13)); $step!($s, 8, (2, 6, 14), (3, 7, 15));)*
        $($step!($s, 7, (8, 12, 4), (9, 13, 5)); $step!($s, 7, (10, 14, 6), (11, 15, 7));)*
        $($step!($s, 16, (0, 5, 15), (1, 6, 12)); $step!($s, 16, (2, 7, 13), (3, 4, 14));)*
        $($step!($s, 12, (10, 15, 5), (11, 12, 6)); $step!($s, 12, (8, 13, 7), (9, 14, 4));)*
        $($step!($s, 8, (0, 5, 15), (1, 6, 12)); $step!($s, 8, (2, 7, 13), (3, 4, 14));)*
        $($step!($s, 7, (10, 15, 5), (11, 12, 6)); $step!($s, 7, (8, 13, 7), (9, 14, 4));)*
    };
}

macro_rules! zmm {
    ($($step:tt)*) => {
        rounds::step!(_mm512_add_epi32, _mm512_xor_si512, rotate_zmm, (), $($step)*)
    };
}
macro_rules! ymm {
    ($($step:tt)*) => {
        rounds::step!(_mm256_add_epi32, _mm256_xor_si256, rotate_ymm, (), $($step)*)
    };
}
rounds::rows!(
    "avx512f,avx512bw,avx512vl",
    __m256i,
    _mm256_add_epi32,
    _mm256_xor_si256,
    _mm256_shuffle_epi32,
    rotate_ymm,
    ()
);

/// Bytes in the blocks of one pass of the widest form.
const PASS: usize = 32 * BLOCK_SIZE;

wipe_stack! {
    ///
    /// # Safety
    ///
    /// None where AVX-512 F, BW and VL are on; a caller without them must know that the CPU has them.
    #[cfg_attr(not(feature = "hazmat"), allow(unreachable_pub))]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub
}

/// A block of keystream.
type Block = __m512i;

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    match data.len() {
        0 => {}
        1..=128 => xor_rows::<R, 1>(words, counter, data, last),
        129..=256 => xor_rows::<R, 2>(words, counter, data, last),
        257..=384 => xor_rows::<R, 3>(words, counter, data, last),
        385..=512 => xor_rows::<R, 4>(words, counter, data, last),
        513..=1024 => xor_16::<R>(words, counter, data, last),
        1025..=1536 => xor_24::<R>(words, counter, data, last),
        _ => xor_32::<R>(words, counter, data, last),
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_rows<R: Rounds, const N: usize>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    let input = avx2::rows_input(words, counter);
    let mut s = input;
    turn_rows::<R, (), N>(&mut s, (), &[], |(), _| ());
    // Whole blocks stay in halves: to join them takes longer than to store them apart.
    let (mut blocks, tail) = data.into_chunks::<U64>();
    for i in 0..2 * N {
        let keystream = avx2::join_rows(&s[i / 2], &input[i / 2])[i % 2];
        if i == blocks.len() {
            return xor_partial(join(keystream), tail, last);
        }
        avx2::xor_block(&keystream, blocks.get(i));
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_16<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    let keystream = vertical_16::<R>(words, counter);
    if data.len() == PASS / 2 {
        xor_all(&keystream, data.into_chunks().0.get(0));
    } else {
        // A copy, so that whole blocks need not be in memory.
        xor_blocks(&{ keystream }, data, last);
    }
}

/// 1025 to 1536 bytes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_24<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    let (first, second) = data.split_at(PASS / 2);
    vertical_24::<R>(
        words,
        counter,
        |keystream| xor_all(&keystream, first.into_chunks().0.get(0)),
        |keystream| xor_blocks(&keystream, second, last),
    );
}

/// More than 1536 bytes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_32<R: Rounds>(
    words: &[u32; 16],
    mut counter: u64,
    mut data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    while data.len() > 3 * PASS / 4 {
        let n = data.len().min(PASS);
        let (now, rest) = data.split_at(n);
        let (first, second) = now.split_at(PASS / 2);
        vertical_32::<R>(
            // Else all broadcasts of the words are kept from pass to pass, in memory.
            black_box(words),
            counter,
            |keystream| xor_all(&keystream, first.into_chunks().0.get(0)),
            |keystream| {
                if n == PASS {
                    xor_all(&keystream, second.into_chunks().0.get(0));
                } else {
                    xor_blocks(&{ keystream }, second, last);
                }
            },
        );
        counter = counter.wrapping_add(32);
        data = rest;
    }
    xor::<R>(words, counter, data, last);
}

/// Sixteen blocks from block `counter` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn vertical_16<R: Rounds>(words: &[u32; 16], counter: u64) -> [Block; 16] {
    let mut s = input_16(words, counter);
    for _ in 0..R::DOUBLE_ROUNDS {
        double_round!(zmm s);
    }
    transpose_16(add_16(s, words, counter))
}

/// 24 blocks from block `counter` on: sixteen for `first`, then eight for `second`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn vertical_24<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    first: impl FnOnce([Block; 16]),
    second: impl FnOnce([Block; 8]),
) {
    let mut s = input_16(words, counter);
    let input = avx2::vertical_input(words, counter.wrapping_add(16));
    let mut t = input;
    for _ in 0..R::DOUBLE_ROUNDS {
        double_round!(zmm s, ymm t);
    }
    first(transpose_16(add_16(s, words, counter)));
    for i in 0..16 {
        t[i] = _mm256_add_epi32(t[i], input[i]);
    }
    let halves = avx2::transposed(&t);
    let mut blocks = [_mm512_setzero_si512(); 8];
    for i in 0..8 {
        blocks[i] = join(halves[i]);
    }
    second(blocks);
}

/// 32 blocks from block `counter` on: sixteen for `first`, then sixteen for `second`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn vertical_32<R: Rounds>(
    words: &[u32; 16],
    counter: u64,
    first: impl FnOnce([Block; 16]),
    second: impl FnOnce([Block; 16]),
) {
    let mut s = input_16(words, counter);
    let mut t = input_16(words, counter.wrapping_add(16));
    for _ in 0..R::DOUBLE_ROUNDS {
        double_round!(zmm s, zmm t);
    }
    first(transpose_16(add_16(s, words, counter)));
    second(transpose_16(add_16(t, words, counter.wrapping_add(16))));
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn input_16(words: &[u32; 16], counter: u64) -> [__m512i; 16] {
    let mut s = [_mm512_setzero_si512(); 16];
    for (s, word) in s.iter_mut().zip(words) {
        *s = _mm512_set1_epi32(*word as i32);
    }
    let low = _mm512_set1_epi32(counter as i32);
    let high = _mm512_set1_epi32((counter >> 32) as i32);
    s[12] = _mm512_add_epi32(
        low,
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    );
    let wrapped = _mm512_cmplt_epu32_mask(s[12], low);
    s[13] = _mm512_mask_sub_epi32(high, wrapped, high, _mm512_set1_epi32(-1));
    s
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn add_16(mut s: [__m512i; 16], words: &[u32; 16], counter: u64) -> [__m512i; 16] {
    let input = input_16(words, counter);
    for i in 0..16 {
        s[i] = _mm512_add_epi32(s[i], input[i]);
    }
    s
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn transpose_16(s: [__m512i; 16]) -> [Block; 16] {
    let mut t = s;
    for i in [0, 4, 8, 12] {
        let (low_01, high_01) = (
            _mm512_unpacklo_epi32(s[i], s[i + 1]),
            _mm512_unpackhi_epi32(s[i], s[i + 1]),
        );
        let (low_23, high_23) = (
            _mm512_unpacklo_epi32(s[i + 2], s[i + 3]),
            _mm512_unpackhi_epi32(s[i + 2], s[i + 3]),
        );
        t[i] = _mm512_unpacklo_epi64(low_01, low_23);
        t[i + 1] = _mm512_unpackhi_epi64(low_01, low_23);
        t[i + 2] = _mm512_unpacklo_epi64(high_01, high_23);
        t[i + 3] = _mm512_unpackhi_epi64(high_01, high_23);
    }
    let mut blocks = t;
    for j in 0..4 {
        let four = transpose_quarters(t[j], t[j + 4], t[j + 8], t[j + 12]);
        for (i, block) in four.into_iter().enumerate() {
            blocks[4 * i + j] = block;
        }
    }
    blocks
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn transpose_quarters(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [Block; 4] {
    let (ab_01, ab_23) = (
        _mm512_shuffle_i32x4::<0b01_00_01_00>(a, b),
        _mm512_shuffle_i32x4::<0b11_10_11_10>(a, b),
    );
    let (cd_01, cd_23) = (
        _mm512_shuffle_i32x4::<0b01_00_01_00>(c, d),
        _mm512_shuffle_i32x4::<0b11_10_11_10>(c, d),
    );
    [
        _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_01, cd_01),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_01, cd_01),
        _mm512_shuffle_i32x4::<0b10_00_10_00>(ab_23, cd_23),
        _mm512_shuffle_i32x4::<0b11_01_11_01>(ab_23, cd_23),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn join([low, high]: avx2::Block) -> Block {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// XORs all of the blocks into `data`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_all(keystream: &[Block; 16], mut data: InOut<'_, '_, Array<u8, U1024>>) {
    for (i, keystream) in keystream.iter().enumerate() {
        let x = _mm512_xor_si512(load(&data.get_in().0.as_chunks().0[i]), *keystream);
        store(&mut data.get_out().0.as_chunks_mut().0[i], x);
    }
}

/// XORs as many of the blocks into `data` as it needs, and leaves a partial one in `last`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_blocks(keystream: &[Block], data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK_SIZE]) {
    let (mut blocks, tail) = data.into_chunks::<U64>();
    debug_assert!(
        blocks.len() < keystream.len() || blocks.len() == keystream.len() && tail.is_empty()
    );
    for (i, keystream) in keystream.iter().enumerate() {
        if i == blocks.len() {
            return xor_partial(*keystream, tail, last);
        }
        let mut block = blocks.get(i);
        let x = _mm512_xor_si512(load(&block.get_in().0), *keystream);
        store(&mut block.get_out().0, x);
    }
}

/// XORs the block into less than a block and leaves it in `last`; does nothing if there is no data.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn xor_partial(keystream: Block, mut data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK_SIZE]) {
    if !data.is_empty() {
        store(last, keystream);
        let x = _mm512_xor_si512(load_partial(data.get_in()), keystream);
        store_partial(data.get_out(), x);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: an unaligned load of 64 bytes that are borrowed.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn store(bytes: &mut [u8; 64], x: __m512i) {
    // SAFETY: an unaligned store to 64 bytes that are borrowed for writing.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x) }
}

/// A one for each byte of less than a block.
#[inline]
fn mask(bytes: &[u8]) -> __mmask64 {
    debug_assert!(bytes.len() < BLOCK_SIZE);
    (1 << (bytes.len() % BLOCK_SIZE)) - 1
}

/// Less than a block; zeros fill the rest.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn load_partial(bytes: &[u8]) -> __m512i {
    // SAFETY: loads the bytes that are borrowed and no other.
    unsafe { _mm512_maskz_loadu_epi8(mask(bytes), bytes.as_ptr().cast()) }
}

/// Stores as many bytes as there is room for, less than a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn store_partial(bytes: &mut [u8], x: __m512i) {
    // SAFETY: stores to the bytes that are borrowed for writing and to no other.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), mask(bytes), x) }
}

/// What composing crates may use.
#[cfg(feature = "hazmat")]
pub mod kernels {
    pub use super::wipe_stack;
    use super::{BLOCK_SIZE, InOutBuf, Rounds, avx2};
    use crate::state::Core;

    /// A block of keystream.
    pub type Block = super::Block;

    /// Sixteen blocks of keystream from block `counter` on.
    ///
    /// # Safety
    ///
    /// None where AVX-512 F, BW and VL are on; a caller without them must know that the CPU has them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    #[must_use]
    pub fn keystream_16<R: Rounds>(core: &Core<R>, counter: u64) -> [Block; 16] {
        super::vertical_16::<R>(core.words(), core.counter(counter))
    }

    /// 24 blocks of keystream from block `counter` on: sixteen for `first`, then eight for `second`. No register is left
    /// for anything else.
    ///
    /// # Safety
    ///
    /// None where AVX-512 F, BW and VL are on; a caller without them must know that the CPU has them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub fn keystream_24<R: Rounds>(
        core: &Core<R>,
        counter: u64,
        first: impl FnOnce([Block; 16]),
        second: impl FnOnce([Block; 8]),
    ) {
        super::vertical_24::<R>(core.words(), core.counter(counter), first, second);
    }

    /// 32 blocks of keystream from block `counter` on: sixteen for `first`, then sixteen for `second`. No register is
    /// left for anything else.
    ///
    /// # Safety
    ///
    /// None where AVX-512 F, BW and VL are on; a caller without them must know that the CPU has them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub fn keystream_32<R: Rounds>(
        core: &Core<R>,
        counter: u64,
        first: impl FnOnce([Block; 16]),
        second: impl FnOnce([Block; 16]),
    ) {
        super::vertical_32::<R>(core.words(), core.counter(counter), first, second);
    }

    /// `2 * N` blocks of keystream from block `counter` on, in rows; the fastest form for `N` up to 4.
    ///
    /// # Safety
    ///
    /// None where AVX-512 F, BW and VL are on; a caller without them must know that the CPU has them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    #[must_use]
    pub fn keystream<R: Rounds, const N: usize>(core: &Core<R>, counter: u64) -> [[Block; 2]; N] {
        let input = avx2::rows_input(core.words(), core.counter(counter));
        let mut s = input;
        super::turn_rows::<R, (), N>(&mut s, (), &[], |(), _| ());
        let mut blocks = [[super::_mm512_setzero_si512(); 2]; N];
        for i in 0..N {
            let [first, second] = avx2::join_rows(&s[i], &input[i]);
            blocks[i] = [super::join(first), super::join(second)];
        }
        blocks
    }

    /// XORs as many of the blocks into `data` as it needs, and leaves a partial one in `last`.
    ///
    /// # Panics
    ///
    /// If `data` is longer than the keystream.
    ///
    /// # Safety
    ///
    /// None where AVX-512 F, BW and VL are on; a caller without them must know that the CPU has them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub fn xor_blocks(
        keystream: &[Block],
        data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        assert!(
            data.len() <= keystream.len() * BLOCK_SIZE,
            "more data than keystream"
        );
        super::xor_blocks(keystream, data, last);
    }
}
