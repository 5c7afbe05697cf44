//! AES instructions on x86.
//!
//! # How modes of operation get at the instructions
//!
//! A mode of operation is code of another crate. It is compiled inside a function with the features, into which it is
//! inlined together with the kernels: so a chain and the round keys stay in registers, and one call of `encrypt_block`
//! is one jump by the back end and one call, with or without link-time optimisation: 11.9 ns on AMD Zen 5, which is what
//! the instructions take where they are written in place (ten of four cycles, and the way through memory); 23.5 with
//! RustCrypto's `aes`, without link-time optimisation. CTR, 8 KiB: 700 ns here, 470 with `vaes256`, 390 with `vaes512`.
//!
//! CTR through `ctr`, 16 bytes a call: 8.3 ns where a stream goes on, 11 through `apply_keystream_partial` under a new
//! nonce, but 20 where each call begins with a new `StreamCipherCoreWrapper`. Of the last, 12 are outside this crate: as
//! laid out by the compiler, the store that clears the wrapper's buffer overlaps that of the counter, so that the load of
//! the counter waits for both to reach the cache.
//!
//! # Key schedule
//!
//! `AESKEYGENASSIST` is slow microcode on many CPUs. `AESENCLAST` on a word in all four columns is SubWord, since
//! ShiftRows changes nothing then, and adds for free.
//!
//! Let `l(i)` be the last word of key `i` of AES-128. The other words are differences of last words: they are the sums of
//! all that `last_words` gives, which is its own inverse. Each last word is the S-box of the one before plus `l(i - 4)`.
//! Each is carried rotated back by all rotations of RotWord so far, as SubWord does not mind; four keys apart, rotations
//! cancel. So from S-box to S-box is one instruction, all else is beside it: 40 cycles for AES-128, and 52 for AES-256,
//! whose two halves have such a chain each. Measured on AMD Zen 5: 13.5 and 17.3 ns, where a chain of shuffle, `AESENCLAST`
//! and addition takes 23.5.

use super::{
    Aesni,
    arch::*,
    keys::{Aligned, Isa, RoundKeys},
};
#[cfg(feature = "hazmat")]
use super::bitslice::hazmat::{Part, Step};
use crate::Block;
use core::mem::MaybeUninit;
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOut, ParBlocksSizeUser,
    array::Array,
    consts::{U8, U16},
};

/// As many blocks as the instructions' latency covers, which is four cycles and less, at two instructions a cycle.
type Blocks = Array<Block, U8>;

/// A word four times.
const fn words(word: u32) -> Aligned {
    let [a, b, c, d] = word.to_le_bytes();
    Aligned([a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d])
}

/// The round constants (FIPS 197, section 5.2), and the same as the chain of last words has them: rotated back by all
/// rotations so far.
static RCON: [Aligned; 8] = rcon(0);
static RCON_ROTATED: [Aligned; 10] = rcon(8);

const fn rcon<const ROUNDS: usize>(rotate: u32) -> [Aligned; ROUNDS] {
    let mut out = [Aligned::ZERO; ROUNDS];
    let (mut rcon, mut i) = (1u32, 0);
    while i < ROUNDS {
        out[i] = words(rcon.rotate_left(rotate * (i as u32 + 1)));
        rcon = rcon << 1 ^ if rcon >> 7 == 1 { 0x11b } else { 0 };
        i += 1;
    }
    out
}

/// Indices that bring a word, by its number, to every word, after RotWord as often as said.
static ROT_WORD: [[Aligned; 4]; 4] = {
    let mut out = [[Aligned::ZERO; 4]; 4];
    let mut i = 0;
    while i < 16 {
        let indices = 0x0302_0100_u32.rotate_right(8 * (i as u32 % 4));
        out[i / 4][i % 4] = words(indices + 0x0404_0404 * (i as u32 / 4));
        i += 1;
    }
    out
};

aesni! {
    #[inline]
    fn load(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: 16 bytes are read from 16.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline]
    fn load_aligned(bytes: &Aligned) -> __m128i {
        // SAFETY: 16 bytes are read from 16, at an address divisible by 16.
        unsafe { _mm_load_si128((&raw const *bytes).cast()) }
    }

    #[inline]
    fn store(bytes: &mut [u8; 16], x: __m128i) {
        // SAFETY: 16 bytes are written to 16.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) }
    }

    #[inline]
    fn store_aligned(bytes: &mut Aligned, x: __m128i) {
        // SAFETY: 16 bytes are written to 16, at an address divisible by 16.
        unsafe { _mm_store_si128((&raw mut *bytes).cast(), x) }
    }

    /// Every word plus all before it.
    #[inline]
    fn sums(x: __m128i) -> __m128i {
        let x = _mm_xor_si128(x, _mm_slli_si128::<4>(x));
        _mm_xor_si128(x, _mm_slli_si128::<8>(x))
    }

    /// From the four words of a round key to its last word and those of the three keys before, as they are if the schedule
    /// is followed backwards, and the other way round.
    #[inline]
    fn last_words(x: __m128i) -> __m128i {
        let x = _mm_xor_si128(x, _mm_srli_si128::<8>(x));
        _mm_xor_si128(x, _mm_srli_epi64::<32>(x))
    }

    #[inline]
    fn shuffle(x: __m128i, indices: &Aligned) -> __m128i {
        _mm_shuffle_epi8(x, load_aligned(indices))
    }

    /// The last words of a key and of the three before it, earliest first, as the chain has them.
    #[inline]
    fn chain(words: __m128i) -> [__m128i; 4] {
        [
            shuffle(words, &ROT_WORD[0][3]),
            shuffle(words, &ROT_WORD[1][2]),
            shuffle(words, &ROT_WORD[2][1]),
            shuffle(words, &ROT_WORD[3][0]),
        ]
    }

    /// The last word of key `i`, of that from which the S-box takes it and those of the four keys before: one instruction,
    /// since ShiftRows changes nothing where all columns are alike.
    #[inline]
    fn next_word([a, b, c, d]: [__m128i; 4], from: __m128i, plus: __m128i) -> [__m128i; 4] {
        [b, c, d, _mm_aesenclast_si128(from, _mm_xor_si128(a, plus))]
    }

    /// Key `i`, of its last word and the words that gave the key before.
    #[inline]
    fn next_key(words: &mut __m128i, last: __m128i, i: usize) -> __m128i {
        *words = _mm_alignr_epi8::<4>(shuffle(last, &ROT_WORD[0][i % 4]), *words);
        last_words(*words)
    }

    #[inline]
    fn put<const N: usize, const DECRYPT: bool>(keys: &mut RoundKeys, i: usize, key: __m128i) {
        let middle = i != 0 && i != N + 1;
        let key = if DECRYPT && middle { _mm_aesimc_si128(key) } else { key };
        store_aligned(&mut keys[i], key);
    }

    #[inline]
    fn expand_128<const DECRYPT: bool>(key: &[u8; 16], keys: &mut RoundKeys) {
        let x = load(key);
        put::<9, DECRYPT>(keys, 0, x);
        let mut words = last_words(x);
        let mut chain = chain(words);
        for i in 1..11 {
            chain = next_word(chain, chain[3], load_aligned(&RCON_ROTATED[i - 1]));
            put::<9, DECRYPT>(keys, i, next_key(&mut words, chain[3], i));
        }
    }

    #[inline]
    fn expand_192<const DECRYPT: bool>(key: &[u8; 24], keys: &mut RoundKeys) {
        let [a, b] = [&key[..16], &key[8..]].map(|half| half.try_into().expect("16 bytes"));
        // Words 0 to 3 of a group of six, and words 4 and 5, which stand for themselves twice.
        let mut x = load(a);
        let mut y = _mm_shuffle_epi32::<0b11_10_11_10>(load(b));
        for i in 0..4 {
            put::<11, DECRYPT>(keys, 3 * i, x);
            let z = y;
            (x, y) = next_192(x, y, &RCON[2 * i]);
            put::<11, DECRYPT>(keys, 3 * i + 1, _mm_unpacklo_epi64(z, x));
            put::<11, DECRYPT>(keys, 3 * i + 2, _mm_alignr_epi8::<8>(y, x));
            (x, y) = next_192(x, y, &RCON[2 * i + 1]);
        }
        put::<11, DECRYPT>(keys, 12, x);
    }

    /// The next group of words.
    #[inline]
    fn next_192(x: __m128i, y: __m128i, rcon: &Aligned) -> (__m128i, __m128i) {
        // Where all columns are alike, ShiftRows changes nothing.
        let word = _mm_aesenclast_si128(shuffle(y, &ROT_WORD[1][1]), load_aligned(rcon));
        let x = sums(x);
        let y = _mm_xor_si128(y, _mm_slli_epi64::<32>(y));
        // All that does not need the S-box is added first: from S-box to S-box is one addition.
        let y = _mm_xor_si128(y, _mm_shuffle_epi32::<0xff>(x));
        (_mm_xor_si128(x, word), _mm_xor_si128(y, word))
    }

    #[inline]
    fn expand_256<const DECRYPT: bool>(key: &[u8; 32], keys: &mut RoundKeys) {
        let [a, b] = [&key[..16], &key[16..]].map(|half| half.try_into().expect("16 bytes"));
        let (x, y) = (load(a), load(b));
        put::<13, DECRYPT>(keys, 0, x);
        put::<13, DECRYPT>(keys, 1, y);
        let (mut words_x, mut words_y) = (last_words(x), last_words(y));
        let (mut chain_x, mut chain_y) = (chain(words_x), chain(words_y));
        for i in 1..8 {
            let rcon = load_aligned(&RCON_ROTATED[i - 1]);
            chain_x = next_word(chain_x, chain_y[3], rcon);
            put::<13, DECRYPT>(keys, 2 * i, next_key(&mut words_x, chain_x[3], i));
            if i < 7 {
                chain_y = next_word(chain_y, chain_x[3], _mm_setzero_si128());
                put::<13, DECRYPT>(keys, 2 * i + 1, next_key(&mut words_y, chain_y[3], i));
            }
        }
    }

    fn expand<const N: usize, const DECRYPT: bool>(key: &[u8], keys: &mut MaybeUninit<RoundKeys>) {
        const LENGTH: &str = "the length of the key goes with the number of rounds";
        // The key comes first: so the compiler sees that the zeros are overwritten.
        match N {
            9 => expand_128::<DECRYPT>(key.try_into().expect(LENGTH), keys.write([Aligned::ZERO; 15])),
            11 => expand_192::<DECRYPT>(key.try_into().expect(LENGTH), keys.write([Aligned::ZERO; 15])),
            _ => expand_256::<DECRYPT>(key.try_into().expect(LENGTH), keys.write([Aligned::ZERO; 15])),
        }
    }

    #[inline]
    fn invert<const N: usize>(from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
        let to = to.write([Aligned::ZERO; 15]);
        for (i, key) in from[..N + 2].iter().enumerate() {
            put::<N, true>(to, i, load_aligned(key));
        }
    }

    #[inline]
    fn encrypt<const N: usize, const BLOCKS: usize>(
        keys: &RoundKeys,
        mut states: [__m128i; BLOCKS],
    ) -> [__m128i; BLOCKS] {
        let key = load_aligned(&keys[0]);
        for x in &mut states {
            *x = _mm_xor_si128(*x, key);
        }
        for key in &keys[1..=N] {
            let key = load_aligned(key);
            for x in &mut states {
                *x = _mm_aesenc_si128(*x, key);
            }
        }
        let key = load_aligned(&keys[N + 1]);
        for x in &mut states {
            *x = _mm_aesenclast_si128(*x, key);
        }
        states
    }

    #[inline]
    fn decrypt<const N: usize, const BLOCKS: usize>(
        keys: &RoundKeys,
        mut states: [__m128i; BLOCKS],
    ) -> [__m128i; BLOCKS] {
        let key = load_aligned(&keys[N + 1]);
        for x in &mut states {
            *x = _mm_xor_si128(*x, key);
        }
        for key in keys[1..=N].iter().rev() {
            let key = load_aligned(key);
            for x in &mut states {
                *x = _mm_aesdec_si128(*x, key);
            }
        }
        let key = load_aligned(&keys[0]);
        for x in &mut states {
            *x = _mm_aesdeclast_si128(*x, key);
        }
        states
    }

    #[inline]
    pub(super) fn encrypt_one<const N: usize>(keys: &RoundKeys, mut block: InOut<'_, '_, Block>) {
        let [x] = encrypt::<N, 1>(keys, [load(&block.get_in().0)]);
        store(&mut block.get_out().0, x);
    }

    #[inline]
    pub(super) fn decrypt_one<const N: usize>(keys: &RoundKeys, mut block: InOut<'_, '_, Block>) {
        let [x] = decrypt::<N, 1>(keys, [load(&block.get_in().0)]);
        store(&mut block.get_out().0, x);
    }

    #[inline]
    fn load_many(blocks: &Blocks) -> [__m128i; 8] {
        let mut out = [_mm_setzero_si128(); 8];
        for (x, block) in out.iter_mut().zip(blocks) {
            *x = load(&block.0);
        }
        out
    }

    #[inline]
    fn store_many(blocks: &mut Blocks, states: [__m128i; 8]) {
        for (block, x) in blocks.iter_mut().zip(states) {
            store(&mut block.0, x);
        }
    }

    #[inline]
    fn encrypt_many<const N: usize>(keys: &RoundKeys, mut blocks: InOut<'_, '_, Blocks>) {
        let states = encrypt::<N, 8>(keys, load_many(blocks.get_in()));
        store_many(blocks.get_out(), states);
    }

    #[inline]
    fn decrypt_many<const N: usize>(keys: &RoundKeys, mut blocks: InOut<'_, '_, Blocks>) {
        let states = decrypt::<N, 8>(keys, load_many(blocks.get_in()));
        store_many(blocks.get_out(), states);
    }

    #[cfg(feature = "hazmat")]
    fn step<S: Step>(blocks: &mut [Block]) {
        let zero = _mm_setzero_si128();
        for block in blocks {
            let x = load(&block.0);
            let x = match S::PART {
                Part::CipherRound => _mm_aesenc_si128(x, zero),
                Part::EquivInvCipherRound => _mm_aesdec_si128(x, zero),
                // The last round of decryption undoes all of a round but MixColumns.
                Part::MixColumns => _mm_aesenc_si128(_mm_aesdeclast_si128(x, zero), zero),
                Part::InvMixColumns => _mm_aesimc_si128(x),
            };
            store(&mut block.0, x);
        }
    }

    fn encrypt_with<const N: usize>(
        isa: Aesni,
        keys: &RoundKeys,
        f: impl BlockCipherEncClosure<BlockSize = U16>,
    ) {
        f.call(&Backend::<N> { isa, keys });
    }

    fn decrypt_with<const N: usize>(
        isa: Aesni,
        keys: &RoundKeys,
        f: impl BlockCipherDecClosure<BlockSize = U16>,
    ) {
        f.call(&Backend::<N> { isa, keys });
    }
}

// SAFETY: `expand` and `invert` write the round keys.
unsafe impl Isa for Aesni {
    #[inline(always)]
    fn expand<const N: usize, const DECRYPT: bool>(
        self,
        key: &[u8],
        keys: &mut MaybeUninit<RoundKeys>,
    ) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { expand::<N, DECRYPT>(key, keys) }
    }

    #[inline(always)]
    fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { invert::<N>(from, to) }
    }

    #[inline(always)]
    fn encrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherEncClosure<BlockSize = U16>,
    ) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { encrypt_with::<N>(self, keys, f) }
    }

    #[inline(always)]
    fn decrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherDecClosure<BlockSize = U16>,
    ) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { decrypt_with::<N>(self, keys, f) }
    }

    #[cfg(feature = "hazmat")]
    fn step<S: Step>(self, blocks: &mut [Block]) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { step::<S>(blocks) }
    }
}

/// What modes of operation see. Its methods are inlined together with their callers into functions with AES
/// instructions, so that a mode keeps its chain and its round keys in registers.
struct Backend<'a, const N: usize> {
    #[allow(dead_code, reason = "a proof")]
    isa: Aesni,
    keys: &'a RoundKeys,
}

impl<const N: usize> BlockSizeUser for Backend<'_, N> {
    type BlockSize = U16;
}

impl<const N: usize> ParBlocksSizeUser for Backend<'_, N> {
    type ParBlocksSize = U8;
}

impl<const N: usize> BlockCipherEncBackend for Backend<'_, N> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { encrypt_one::<N>(self.keys, block) }
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks>) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { encrypt_many::<N>(self.keys, blocks) }
    }
}

impl<const N: usize> BlockCipherDecBackend for Backend<'_, N> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { decrypt_one::<N>(self.keys, block) }
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks>) {
        // SAFETY: the token proves that the CPU has the features.
        unsafe { decrypt_many::<N>(self.keys, blocks) }
    }
}
