//! x86 with AVX2.
//!
//! Eight blocks a pass stand side by side, a word of each in a register. What is left over goes in rows: a register
//! holds a row of the four by four matrix of each of two blocks, and one, two or three such sets go together.
//!
//! Side by side a double round is 128 vector instructions, of them 32 shifts and 16 shuffles: 32 cycles where four go at a
//! time (AMD), 43 where three do (Intel), and the chain through it is 28 instructions. With sixteen registers for sixteen
//! words the compiler moves another 15 to and from memory, and a model of the pipelines says 55 to 57 cycles. On Zen 5,
//! where each instruction takes two cycles, the chain of 56 is the limit. Tried, in nanoseconds for 16 KiB on Zen 5:
//!
//! | order | ns |
//! |---|---|
//! | two columns at a time to their end (this one) | 5180 |
//! | two columns and two, step by step | 5220 to 5500, twice the moves to memory |
//! | as the first, two of the words kept in memory by volatile stores | 5090, by the model no better elsewhere |
//!
//! In rows a block's chain is 28 instructions too, so one set takes as long as three.

use super::{cpu, rounds, soft::Soft};
use crate::state::{BLOCK_SIZE, Rounds};
use cipher::{
    array::Array,
    consts::{U64, U512},
    inout::{InOut, InOutBuf},
};
use core::{arch::asm, hint::black_box};

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

cpufeatures::new!(cpuid, "avx2");

/// Proof that the CPU has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
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
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { xor::<R>(words, counter, data, last) }
    }

    /// See [`Available::wipe_stack`](super::Available::wipe_stack).
    #[inline]
    pub(crate) fn wipe_stack(self, longest: usize) {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe {
            match longest {
                ..=64 => wipe_stack::<2>(),
                65..=128 => wipe_stack::<4>(),
                129..=384 => wipe_stack::<8>(),
                _ => wipe_stack::<20>(),
            }
        }
    }
}

wipe_stack! {
    ///
    /// # Safety
    ///
    /// None where AVX2 is on; a caller without it must know that the CPU has it.
    #[cfg_attr(not(feature = "hazmat"), allow(unreachable_pub))]
    #[target_feature(enable = "avx2")]
    pub
}

/// A block of keystream, as its halves.
pub(super) type Block = [__m256i; 2];

/// Bytes in the blocks of one pass.
const PASS: usize = 8 * BLOCK_SIZE;

#[target_feature(enable = "avx2")]
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
        _ => xor_8::<R>(words, counter, data, last),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn xor_rows<R: Rounds, const N: usize>(
    words: &[u32; 16],
    counter: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    let keystream = rows::<R, _, N>(words, counter, Masks::new(), &[], |(), _| ());
    xor_blocks(keystream.as_flattened(), data, last);
}

/// More than 384 bytes.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn xor_8<R: Rounds>(
    words: &[u32; 16],
    mut counter: u64,
    mut data: InOutBuf<'_, '_, u8>,
    last: &mut [u8; BLOCK_SIZE],
) {
    let masks = Masks::new();
    while data.len() > 3 * PASS / 4 {
        let n = data.len().min(PASS);
        let (now, rest) = data.split_at(n);
        // Without the black box all broadcasts of the words are kept from pass to pass, in memory.
        let state = vertical::<R, _>(black_box(words), counter, masks, &[], |(), _| ());
        if n == PASS {
            xor_transposed(&state, now.into_chunks::<U512>().0.get(0));
        } else {
            xor_blocks(&transposed(&state), now, last);
        }
        counter = counter.wrapping_add(8);
        data = rest;
    }
    xor::<R>(words, counter, data, last);
}

/// The shuffles that rotate every 32-bit word.
///
/// What they are is hidden from the compiler: it would make two shuffles of each of them.
#[derive(Clone, Copy)]
struct Masks {
    by_16: __m256i,
    by_8: __m256i,
}

impl Masks {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new() -> Self {
        let by_16 = _mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        let by_8 = _mm_setr_epi8(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14);
        Self {
            by_16: black_box(_mm256_broadcastsi128_si256(by_16)),
            by_8: black_box(_mm256_broadcastsi128_si256(by_8)),
        }
    }
}

/// Rotates every 32-bit word left by `N` = 32 - `M`.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate<const N: i32, const M: i32>(x: __m256i, masks: Masks) -> __m256i {
    match N {
        16 => _mm256_shuffle_epi8(x, masks.by_16),
        8 => _mm256_shuffle_epi8(x, masks.by_8),
        _ => _mm256_or_si256(_mm256_slli_epi32::<N>(x), _mm256_srli_epi32::<M>(x)),
    }
}

rounds::rows!(
    "avx2",
    __m256i,
    _mm256_add_epi32,
    _mm256_xor_si256,
    _mm256_shuffle_epi32,
    rotate,
    Masks
);

/// Eight blocks from block `counter` on: word i of block j is word j of vector i. The first double rounds have one of
/// `steps` each beside them: after each quarter, `between` gets the step and the number of the quarter.
#[inline]
#[target_feature(enable = "avx2")]
fn vertical<R: Rounds, T>(
    words: &[u32; 16],
    counter: u64,
    masks: Masks,
    steps: &[T],
    mut between: impl FnMut(&T, usize),
) -> [__m256i; 16] {
    macro_rules! step {
        ($($step:tt)*) => {
            rounds::step!(_mm256_add_epi32, _mm256_xor_si256, rotate, masks, $($step)*)
        };
    }
    debug_assert!(steps.len() <= R::DOUBLE_ROUNDS);
    let mut s = vertical_input(words, counter);
    for now in steps {
        rounds::double_round!(step s, |quarter| between(now, quarter));
    }
    for _ in steps.len()..R::DOUBLE_ROUNDS {
        rounds::double_round!(step s);
    }
    let input = vertical_input(words, counter);
    for i in 0..16 {
        s[i] = _mm256_add_epi32(s[i], input[i]);
    }
    s
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn vertical_input(words: &[u32; 16], counter: u64) -> [__m256i; 16] {
    let mut s = [_mm256_setzero_si256(); 16];
    for i in 0..16 {
        s[i] = _mm256_set1_epi32(words[i] as i32);
    }
    let low = _mm256_set1_epi32(counter as i32);
    let number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    s[12] = _mm256_add_epi32(low, number);
    // Where the lower half wrapped it is less than the block's number; the comparison is one of signed numbers.
    let sign = _mm256_set1_epi32(i32::MIN);
    let wrapped = _mm256_cmpgt_epi32(
        _mm256_xor_si256(number, sign),
        _mm256_xor_si256(s[12], sign),
    );
    s[13] = _mm256_sub_epi32(_mm256_set1_epi32((counter >> 32) as i32), wrapped);
    s
}

/// Half `HALF` of every block, as its number and 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose<const HALF: usize>(s: &[__m256i; 16], mut put: impl FnMut(usize, __m256i)) {
    let mut quarters = [[_mm256_setzero_si256(); 4]; 2];
    for i in 0..2 {
        let s = &s[8 * HALF + 4 * i..][..4];
        // Words 0 to 3 of a quarter, of the blocks
        //     s:  0 1 2 3 | 4 5 6 7
        //     01: 0 0 1 1 | 4 4 5 5    (words 0 1 0 1)     and 2 2 3 3 | 6 6 7 7
        //     0123: 0 0 0 0 | 4 4 4 4  (words 0 1 2 3)     and so on
        let (low_01, high_01) = (
            _mm256_unpacklo_epi32(s[0], s[1]),
            _mm256_unpackhi_epi32(s[0], s[1]),
        );
        let (low_23, high_23) = (
            _mm256_unpacklo_epi32(s[2], s[3]),
            _mm256_unpackhi_epi32(s[2], s[3]),
        );
        quarters[i] = [
            _mm256_unpacklo_epi64(low_01, low_23),
            _mm256_unpackhi_epi64(low_01, low_23),
            _mm256_unpacklo_epi64(high_01, high_23),
            _mm256_unpackhi_epi64(high_01, high_23),
        ];
    }
    let [low, high] = quarters;
    for (j, (low, high)) in low.into_iter().zip(high).enumerate() {
        put(j, _mm256_permute2x128_si256::<0x20>(low, high));
        put(j + 4, _mm256_permute2x128_si256::<0x31>(low, high));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transposed(s: &[__m256i; 16]) -> [Block; 8] {
    let mut blocks = [[_mm256_setzero_si256(); 2]; 8];
    transpose::<0>(s, |block, half| blocks[block][0] = half);
    transpose::<1>(s, |block, half| blocks[block][1] = half);
    blocks
}

/// XORs all of the eight blocks into `data`.
#[inline]
#[target_feature(enable = "avx2")]
fn xor_transposed(s: &[__m256i; 16], mut data: InOut<'_, '_, Array<u8, U512>>) {
    transpose::<0>(s, |block, half| xor_half(data.reborrow(), 2 * block, half));
    transpose::<1>(s, |block, half| {
        xor_half(data.reborrow(), 2 * block + 1, half);
    });
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor_half(mut data: InOut<'_, '_, Array<u8, U512>>, i: usize, keystream: __m256i) {
    let x = _mm256_xor_si256(load(&data.get_in().0.as_chunks().0[i]), keystream);
    store(&mut data.get_out().0.as_chunks_mut().0[i], x);
}

/// `2 * N` blocks from block `counter` on; `steps` and `between` as for [`vertical`].
#[inline]
#[target_feature(enable = "avx2")]
fn rows<R: Rounds, T, const N: usize>(
    words: &[u32; 16],
    counter: u64,
    masks: Masks,
    steps: &[T],
    between: impl FnMut(&T, usize),
) -> [[Block; 2]; N] {
    let input = rows_input(words, counter);
    let mut s = input;
    turn_rows::<R, _, N>(&mut s, masks, steps, between);
    let mut blocks = [[[_mm256_setzero_si256(); 2]; 2]; N];
    for i in 0..N {
        blocks[i] = join_rows(&s[i], &input[i]);
    }
    blocks
}

/// The same word, of which the compiler may not know where it comes from.
#[inline(always)]
fn hide(mut x: u32) -> u32 {
    // SAFETY: no instruction at all.
    unsafe {
        asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// The input of `2 * N` blocks from block `counter` on: each row of two blocks in a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rows_input<const N: usize>(words: &[u32; 16], counter: u64) -> [[__m256i; 4]; N] {
    let row = |row: [u32; 4]| {
        let [x, y, z, w] = row.map(|word| word as i32);
        _mm256_broadcastsi128_si256(_mm_setr_epi32(x, y, z, w))
    };
    let (rows, _) = words.as_chunks();
    // Hidden, else LLVM may load the whole row from `words`, whose halves were stored a moment ago where a message is
    // short: such a load waits until the stores before it have reached the cache, 30 ns.
    let last_row = row([
        hide(counter as u32),
        (counter >> 32) as u32,
        words[14],
        words[15],
    ]);
    let mut input = [[row(rows[0]), row(rows[1]), row(rows[2]), last_row]; N];
    for i in 0..N as i64 {
        // The block's number as a 64-bit addend, whose carry goes into word 13.
        let numbers = _mm256_set_epi64x(0, 2 * i + 1, 0, 2 * i);
        input[i as usize][3] = _mm256_add_epi64(last_row, numbers);
    }
    input
}

/// The two blocks that are the sum of state and input in rows.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn join_rows(s: &[__m256i; 4], input: &[__m256i; 4]) -> [Block; 2] {
    let a = _mm256_add_epi32(s[0], input[0]);
    let b = _mm256_add_epi32(s[1], input[1]);
    let c = _mm256_add_epi32(s[2], input[2]);
    let d = _mm256_add_epi32(s[3], input[3]);
    [
        [
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x20>(c, d),
        ],
        [
            _mm256_permute2x128_si256::<0x31>(a, b),
            _mm256_permute2x128_si256::<0x31>(c, d),
        ],
    ]
}

/// XORs as many of the blocks into `data` as it needs, and leaves a partial one in `last`.
#[inline]
#[target_feature(enable = "avx2")]
fn xor_blocks(keystream: &[[__m256i; 2]], data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK_SIZE]) {
    let (mut blocks, mut tail) = data.into_chunks::<U64>();
    debug_assert!(
        blocks.len() < keystream.len() || blocks.len() == keystream.len() && tail.is_empty()
    );
    for (i, keystream) in keystream.iter().enumerate() {
        if i == blocks.len() {
            if !tail.is_empty() {
                let (halves, _) = last.as_chunks_mut();
                store(&mut halves[0], keystream[0]);
                store(&mut halves[1], keystream[1]);
                tail.xor_in2out(&last[..tail.len()]);
            }
            return;
        }
        xor_block(keystream, blocks.get(i));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn xor_block(keystream: &Block, mut data: InOut<'_, '_, Array<u8, U64>>) {
    let (halves, _) = data.get_in().0.as_chunks();
    let x = [
        _mm256_xor_si256(load(&halves[0]), keystream[0]),
        _mm256_xor_si256(load(&halves[1]), keystream[1]),
    ];
    let (halves, _) = data.get_out().0.as_chunks_mut();
    store(&mut halves[0], x[0]);
    store(&mut halves[1], x[1]);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: an unaligned load of 32 bytes that are borrowed.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8; 32], x: __m256i) {
    // SAFETY: an unaligned store to 32 bytes that are borrowed for writing.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x) }
}

/// What composing crates may use.
#[cfg(feature = "hazmat")]
pub mod kernels {
    pub use super::wipe_stack;
    use super::{
        Array, BLOCK_SIZE, InOut, InOutBuf, Masks, Rounds, U512, rows, transposed, vertical,
        xor_transposed,
    };
    use crate::state::Core;

    /// A block of keystream, as its halves.
    pub type Block = super::Block;

    /// Eight blocks of keystream side by side: word i of block j is word j of vector i.
    pub type Eight = [super::__m256i; 16];

    /// Eight blocks of keystream from block `counter` on.
    ///
    /// The first double rounds have one of `steps` each beside them, for work on units that the rounds leave idle: after
    /// each quarter, `between` gets the step and the number of the quarter.
    ///
    /// # Safety
    ///
    /// None where AVX2 is on; a caller without it must know that the CPU has it.
    #[must_use]
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn eight<R: Rounds, T>(
        core: &Core<R>,
        counter: u64,
        steps: &[T],
        between: impl FnMut(&T, usize),
    ) -> Eight {
        let counter = core.counter(counter);
        vertical::<R, _>(core.words(), counter, Masks::new(), steps, between)
    }

    /// The blocks one by one.
    ///
    /// # Safety
    ///
    /// None where AVX2 is on; a caller without it must know that the CPU has it.
    #[must_use]
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn split(eight: &Eight) -> [Block; 8] {
        transposed(eight)
    }

    /// XORs the eight blocks into `data`.
    ///
    /// # Safety
    ///
    /// None where AVX2 is on; a caller without it must know that the CPU has it.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn xor_8_blocks(eight: &Eight, data: InOut<'_, '_, Array<u8, U512>>) {
        xor_transposed(eight, data);
    }

    /// `2 * N` blocks of keystream from block `counter` on, in rows; the fastest form for `N` up to 3. `steps` and
    /// `between` are as for [`eight`].
    ///
    /// # Safety
    ///
    /// None where AVX2 is on; a caller without it must know that the CPU has it.
    #[must_use]
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn keystream<R: Rounds, T, const N: usize>(
        core: &Core<R>,
        counter: u64,
        steps: &[T],
        between: impl FnMut(&T, usize),
    ) -> [[Block; 2]; N] {
        let counter = core.counter(counter);
        rows::<R, _, N>(core.words(), counter, Masks::new(), steps, between)
    }

    /// XORs as many of the blocks into `data` as it needs, and leaves a partial one in `last`.
    ///
    /// # Panics
    ///
    /// If `data` is longer than the keystream.
    ///
    /// # Safety
    ///
    /// None where AVX2 is on; a caller without it must know that the CPU has it.
    #[inline]
    #[target_feature(enable = "avx2")]
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
