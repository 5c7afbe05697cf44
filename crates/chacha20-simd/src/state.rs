//! The input of the block function, the number of rounds, and HChaCha.

use crate::{
    Key, Variant,
    backends::{Available, Backend, soft},
};
use cipher::{
    array::Array,
    consts::{U16, U32},
    inout::InOutBuf,
};
use core::{fmt, marker::PhantomData};

/// Bytes in a ChaCha block.
pub(crate) const BLOCK_SIZE: usize = 64;

/// "expand 32-byte k", as four little-endian words (RFC 8439, section 2.3).
const CONSTANTS: [u32; 4] = {
    let text = b"expand 32-byte k";
    let mut words = [0; 4];
    let mut i = 0;
    while i < 4 {
        words[i] = u32::from_le_bytes([
            text[4 * i],
            text[4 * i + 1],
            text[4 * i + 2],
            text[4 * i + 3],
        ]);
        i += 1;
    }
    words
};

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// A number of ChaCha rounds: [`R8`], [`R12`] or [`R20`].
pub trait Rounds: Sealed + 'static {
    /// How many double rounds (a column round and a diagonal round) the block function makes.
    const DOUBLE_ROUNDS: usize;
}

macro_rules! rounds {
    ($($name:ident = $rounds:literal),*) => {$(
        #[doc = concat!(stringify!($rounds), " rounds.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl Sealed for $name {}
        impl Rounds for $name {
            const DOUBLE_ROUNDS: usize = $rounds / 2;
        }
    )*};
}
rounds!(R8 = 8, R12 = 12, R20 = 20);

/// Overwrites a secret that is no longer needed, if the feature `zeroize` is on.
#[inline(always)]
pub(crate) fn wipe(bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(bytes);
    #[cfg(not(feature = "zeroize"))]
    let _ = bytes;
}

/// A key, a nonce and a back end: everything of the keystream but the position in it.
///
/// The position is given with each call as the number of the first block. The caller keeps to the limit of its
/// construction: nothing here is remembered or refused.
pub struct Core<R: Rounds> {
    /// Words 12 and 13 hold what the block number is added to as a 64-bit number: zero, then for a 96-bit nonce its
    /// first word.
    words: [u32; 16],
    available: Available,
    rounds: PhantomData<R>,
}

impl<R: Rounds> Core<R> {
    /// A core for a key, a nonce of the form `V` and the back end given; `None` where this CPU cannot run it.
    ///
    /// Its blocks are numbered from 0 to `V::BLOCKS - 1`.
    #[must_use]
    #[inline(always)]
    pub fn new_with_backend<V: Variant>(
        backend: Backend,
        key: &Key,
        nonce: &Array<u8, V::NonceSize>,
    ) -> Option<Self> {
        Available::check(backend).map(|available| V::core(available, key, nonce))
    }

    /// `tail` is the end of the input block: the nonce, and before it what a nonce below 96 bits leaves, zero.
    #[inline(always)]
    pub(crate) fn new(available: Available, key: &[u8; 32], tail: &[u8; 12]) -> Self {
        let mut words = [0; 16];
        words[..4].copy_from_slice(&CONSTANTS);
        load_words(&mut words[4..12], key);
        // In halves: one store each, from which a kernel can load at once.
        let (low, high) = tail.split_at(4);
        let low = low
            .iter()
            .rev()
            .fold(0, |low, byte| low << 8 | u64::from(*byte))
            << 32;
        let high = high
            .iter()
            .rev()
            .fold(0, |high, byte| high << 8 | u64::from(*byte));
        for (words, half) in words[12..].chunks_exact_mut(2).zip([low, high]) {
            words[0] = half as u32;
            words[1] = (half >> 32) as u32;
        }
        Self {
            words,
            available,
            rounds: PhantomData,
        }
    }

    /// XORs the keystream from the start of block `counter` on into `data`.
    ///
    /// If the length of `data` is no multiple of 64 bytes, the whole keystream block of the last, partial one is
    /// left in `last`; otherwise `last` is not touched. Block numbers above 2^32 - 1 carry into the first word of a
    /// 96-bit nonce.
    #[inline]
    pub fn xor(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut [u8; BLOCK_SIZE]) {
        let counter = self.counter(counter);
        self.available.xor::<R>(&self.words, counter, data, last);
    }

    /// Overwrites what kernels have left of the keystream on the stack, after one or more calls of [`xor`](Self::xor)
    /// with up to `longest` bytes from the same function, if the feature `zeroize` is on.
    #[inline]
    pub fn wipe_stack(&self, longest: usize) {
        self.available.wipe_stack(longest);
    }

    /// The input of the block function; words 12 and 13 are those of block 0.
    #[cfg(feature = "hazmat")]
    #[allow(dead_code, reason = "not every target has kernels")]
    #[inline]
    pub(crate) fn words(&self) -> &[u32; 16] {
        &self.words
    }

    /// Words 12 and 13 of the input of block `counter`, as one 64-bit number.
    #[inline]
    pub(crate) fn counter(&self, counter: u64) -> u64 {
        (u64::from(self.words[12]) | u64::from(self.words[13]) << 32).wrapping_add(counter)
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub fn backend(&self) -> Backend {
        self.available.backend()
    }
}

impl<R: Rounds> fmt::Debug for Core<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<R: Rounds> Drop for Core<R> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.words);
    }
}

#[cfg(feature = "zeroize")]
impl<R: Rounds> zeroize::ZeroizeOnDrop for Core<R> {}

/// XORs `keystream` into `data`, which is no longer.
///
/// By 16 bytes: the compiler cannot know that input and output do not overlap by halves, and takes byte for byte.
///
/// # Panics
///
/// If `data` is longer than `keystream`.
#[cfg_attr(not(feature = "hazmat"), allow(unreachable_pub))]
#[inline]
pub fn xor_keystream(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let (blocks, mut rest) = data.into_chunks::<U16>();
    let (chunks, _) = Array::<u8, U16>::slice_as_chunks(keystream);
    let whole = blocks.len();
    for (mut block, chunk) in blocks.into_iter().zip(chunks) {
        let result = u128::from_ne_bytes(block.get_in().0) ^ u128::from_ne_bytes(chunk.0);
        block.get_out().0 = result.to_ne_bytes();
    }
    let n = rest.len();
    rest.xor_in2out(&keystream[16 * whole..][..n]);
}

#[inline(always)]
fn load_words(words: &mut [u32], bytes: &[u8]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}

/// HChaCha: derives a 256-bit key from a key and 128 bits of input (draft-irtf-cfrg-xchacha-03, section 2.2).
#[must_use]
pub fn hchacha<R: Rounds>(key: &Array<u8, U32>, input: &Array<u8, U16>) -> Array<u8, U32> {
    let mut s = [0; 16];
    s[..4].copy_from_slice(&CONSTANTS);
    load_words(&mut s[4..12], key);
    load_words(&mut s[12..], input);
    soft::permute::<R>(&mut s);
    let mut out = Array::default();
    for (bytes, word) in out.chunks_exact_mut(4).zip(s[..4].iter().chain(&s[12..])) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(&mut s);
    out
}
