//! The hash functions by their compression function: a MAC over a secret length needs more than the usual interface.

#![forbid(unsafe_code)]

use crate::{ct::Mask, wipe::wipe};

/// The largest block and the largest output of the hash functions, in bytes.
pub(crate) const MAX_BLOCK_SIZE: usize = 128;
pub(crate) const MAX_OUTPUT_SIZE: usize = 64;

/// A hash function of FIPS 180-4.
pub trait Hash: 'static {
    /// The chaining value.
    type State: State;
    /// Bytes in a block.
    const BLOCK_SIZE: usize;
    /// Bytes of the chaining value that are the output.
    const OUTPUT_SIZE: usize;
    /// Bytes of the length at the end of the padding.
    const LENGTH_SIZE: usize;
    /// The chaining value to begin with.
    const INITIAL: Self::State;

    /// Hashes whole blocks.
    fn compress(state: &mut Self::State, blocks: &[u8]);
}

/// A chaining value.
pub trait State: Copy {
    /// All words zero.
    const ZERO: Self;

    /// Writes the words as bytes to the front of `out`, most significant byte first.
    fn write(&self, out: &mut [u8]);

    /// ORs the words of `other` into these if the mask is set.
    fn or_if(&mut self, mask: Mask, other: &Self);

    /// Overwrites the words.
    fn wipe(&mut self);
}

macro_rules! state {
    ($($word:ident),*) => {$(
        impl<const N: usize> State for [$word; N] {
            const ZERO: Self = [0; N];

            #[inline(always)]
            fn write(&self, out: &mut [u8]) {
                for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(self) {
                    *bytes = word.to_be_bytes();
                }
            }

            #[inline(always)]
            fn or_if(&mut self, mask: Mask, other: &Self) {
                let mask = mask.$word();
                for (word, other) in self.iter_mut().zip(other) {
                    *word |= mask & other;
                }
            }

            #[inline(always)]
            fn wipe(&mut self) {
                wipe(self);
            }
        }
    )*};
}
state!(u32, u64);

macro_rules! hash {
    ($(#[$doc:meta])* $name:ident: $word:ident, $block:literal, $output:literal, $initial:expr, $compress:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Hash for $name {
            type State = [$word; { $initial.len() }];
            const BLOCK_SIZE: usize = $block;
            const OUTPUT_SIZE: usize = $output;
            const LENGTH_SIZE: usize = $block / 8;
            const INITIAL: Self::State = $initial;

            #[inline(always)]
            fn compress(state: &mut Self::State, blocks: &[u8]) {
                $compress(state, blocks.as_chunks::<$block>().0);
            }
        }
    };
}
hash!(
    /// SHA-1 (FIPS 180-4, section 6.1).
    Sha1: u32, 64, 20, SHA1_INITIAL, sha1::block_api::compress
);
hash!(
    /// SHA-256 (FIPS 180-4, section 6.2).
    Sha256: u32, 64, 32, SHA256_INITIAL, sha2::block_api::compress256
);
hash!(
    /// SHA-384 (FIPS 180-4, section 6.5).
    Sha384: u64, 128, 48, SHA384_INITIAL, sha2::block_api::compress512
);
hash!(
    /// SHA-512 (FIPS 180-4, section 6.4).
    Sha512: u64, 128, 64, SHA512_INITIAL, sha2::block_api::compress512
);

/// FIPS 180-4, section 5.3.1: the nibbles upwards, downwards, and then interleaved.
const SHA1_INITIAL: [u32; 5] = [
    0x6745_2301,
    0xefcd_ab89,
    0x98ba_dcfe,
    0x1032_5476,
    0xc3d2_e1f0,
];

/// FIPS 180-4, section 5.3.5: the fractions of the square roots of the first eight primes.
const SHA512_INITIAL: [u64; 8] = square_root_fractions([2, 3, 5, 7, 11, 13, 17, 19]);

/// FIPS 180-4, section 5.3.4: those of the next eight primes.
const SHA384_INITIAL: [u64; 8] = square_root_fractions([23, 29, 31, 37, 41, 43, 47, 53]);

/// FIPS 180-4, section 5.3.3: the first halves of the words of SHA-512.
const SHA256_INITIAL: [u32; 8] = {
    let mut words = [0; 8];
    let mut i = 0;
    while i < 8 {
        words[i] = (SHA512_INITIAL[i] >> 32) as u32;
        i += 1;
    }
    words
};

/// The first 64 bits of the fraction of each number's square root, a bit of the root for two bits of the number.
const fn square_root_fractions(numbers: [u8; 8]) -> [u64; 8] {
    let mut fractions = [0; 8];
    let mut i = 0;
    while i < 8 {
        let (mut root, mut rest) = (0u128, 0u128);
        let mut bit = 0;
        while bit < 4 + 64 {
            let two_bits = if bit < 4 {
                numbers[i] >> (6 - 2 * bit) & 3
            } else {
                0
            };
            rest = rest << 2 | two_bits as u128;
            root <<= 1;
            if rest > 2 * root {
                rest -= 2 * root + 1;
                root += 1;
            }
            bit += 1;
        }
        fractions[i] = root as u64;
        i += 1;
    }
    fractions
}
