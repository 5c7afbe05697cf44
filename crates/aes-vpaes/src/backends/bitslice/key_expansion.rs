//! KeyExpansion (FIPS 197, algorithm 2), and the round keys as planes.
//!
//! The words are expanded as the standard has it, with a bit-sliced S-box on the four bytes of a word, which is about
//! 220 instructions on x86-64; a round key is packed like a block, in about 105.
//!
//! What tells, on AMD Zen 5, AES-192 with 64-bit words: round keys made in their place, and wiped without a copy, 219 ns
//! to 194; the chain of S-boxes shortened (see `next_words`), to 190. What does not: to pack each key as soon as its
//! words are there, beside the chain (no faster for AES-128, a tenth slower for the others); `unshift_rows` with
//! masks by the round in place of a jump; multiplication to repeat lanes, which the compiler does by itself.

use super::{Columns, Kernels, Keys, State, Word, planes, sub_bytes};
use crate::wipe::wipe;

/// The constant of the affine map in the S-box, in every byte (FIPS 197, equation 5.2).
const AFFINE: u32 = 0x6363_6363;

/// SubWord (FIPS 197, section 5.2).
#[inline(always)]
fn sub_word(word: u32) -> u32 {
    // Only bit 0 of each byte counts, so the planes need not be cleared of the rest.
    let mut s: State<u32> = planes!(K => word >> K);
    sub_bytes(&mut s);
    let s = planes!(K => s[K] & 0x0101_0101);
    // The bits do not overlap; a sum and a small shift are one instruction on x86 and on ARM.
    let pairs: [u32; 4] = [
        s[0] + (s[1] << 1),
        s[2] + (s[3] << 1),
        s[4] + (s[5] << 1),
        s[6] + (s[7] << 1),
    ];
    let [low, high] = [pairs[0] + (pairs[1] << 2), pairs[2] + (pairs[3] << 2)];
    (low | high << 4) ^ AFFINE
}

/// ShiftRows undone `round` times: row `r` goes `r * round` columns to the right.
#[inline(always)]
fn unshift_rows([a, b, c, d]: Columns, round: usize) -> Columns {
    let two_columns = |rows: u32| {
        let (t, u) = ((a ^ c) & rows, (b ^ d) & rows);
        [a ^ t, b ^ u, c ^ t, d ^ u]
    };
    let one_column = |[a, b, c, d]: Columns| {
        let select = |stay: u32, go: u32| stay ^ ((stay ^ go) & 0xff00_ff00);
        [select(a, d), select(b, a), select(c, b), select(d, c)]
    };
    match round % 4 {
        0 => [a, b, c, d],
        1 => one_column(two_columns(0xffff_0000)),
        2 => two_columns(0xff00_ff00),
        _ => one_column(two_columns(0x00ff_ff00)),
    }
}

/// The next words: each is the one a group before plus the one before, which makes them sums of the group's plus
/// `previous`. Summed first, beside the S-box that gives `previous`, the chain from S-box to S-box is one XOR long.
#[inline(always)]
fn next_words(out: &mut [u32], group: &mut [u32], previous: u32) {
    let mut sum = 0;
    for (out, word) in out.iter_mut().zip(group) {
        sum ^= *word;
        *word = sum ^ previous;
        *out = *word;
    }
}

/// Expands a key of `NK` words to the round keys of `N` full rounds and two more.
#[inline(always)]
fn expand<W: Word, const NK: usize, const N: usize>(keys: &mut Keys<W, N>, key: &[u8]) {
    // As many words as the longest schedule has.
    let mut words = [[0; 4]; 15];
    let flat = words.as_flattened_mut();
    let (first, rest) = flat[..4 * (N + 2)].split_at_mut(NK);
    let mut group = [0; NK];
    for ((out, word), bytes) in first.iter_mut().zip(&mut group).zip(key.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        *out = *word;
    }
    let mut rcon = 1u8;
    for out in rest.chunks_mut(NK) {
        let first = sub_word(group[NK - 1].rotate_right(8)) ^ u32::from(rcon);
        // PUBLIC: a constant.
        rcon = rcon << 1 ^ if rcon >> 7 == 1 { 0x1b } else { 0 };
        if NK == 8 {
            let (low, high) = out.split_at_mut(4);
            next_words(low, &mut group[..4], first);
            // The last group is cut.
            if !high.is_empty() {
                let fifth = sub_word(group[3]);
                next_words(high, &mut group[4..], fifth);
            }
        } else {
            next_words(out, &mut group, first);
        }
    }
    wipe(&mut group);

    keys.first = words[0];
    for (i, (planes, words)) in keys.middle.iter_mut().zip(&words[1..]).enumerate() {
        *planes = W::pack_one(unshift_rows(*words, i + 1).map(|column| column ^ AFFINE));
    }
    keys.last = words[N + 1].map(|column| column ^ AFFINE);
    wipe(words.as_flattened_mut());
}

impl<W: Kernels, const N: usize> Keys<W, N> {
    /// Expands a key of 16, 24 or 32 bytes, for which `N` is 9, 11 or 13.
    #[inline(never)]
    pub(crate) fn expand(&mut self, key: &[u8]) {
        match N {
            9 => expand::<W, 4, N>(self, key),
            11 => expand::<W, 6, N>(self, key),
            _ => expand::<W, 8, N>(self, key),
        }
    }
}
