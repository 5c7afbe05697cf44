//! Bit-sliced AES, generic over the word.
//!
//! # Design
//!
//! A state is eight words, one for each bit of a byte, with four blocks in 64-bit words and two in 32-bit ones; the
//! layout is drawn in `linear.rs`. ShiftRows is left out and made up for by the round keys and by where MixColumns
//! looks. One block alone stands in all lanes, which is no waste: it makes the rows periodic, so that MixColumns needs
//! one rotation where four different blocks need two and a merge. Round keys are the same for both uses and for both
//! directions, and hold the S-box's constant; the first and the last one stay bytes.
//!
//! Nothing is selected by a secret mask, so there is none that would have to pass through `black_box`.
//!
//! # Bound
//!
//! Operations of a round on a state: S-box 114 (inverse 116), MixColumns 27 XORs and 16 rotations (inverse 21 XORs
//! more), AddRoundKey 8: 165 and 188. To this four different blocks add 40 for merges, one block 12 for renewals of lanes
//! (the mean of four rounds). Packing and unpacking take about 60 operations each for one block, 150 for four. With
//! register moves and spills, which are a third, x86-64 executes for one AES-128 block 2 650 instructions (decryption
//! 3 100), for four 3 450 (3 800), at five to six a cycle. RustCrypto's portable code executes 4 000 (4 300) and 6 500
//! (6 800), or 3 730 (4 150) where link-time optimisation puts the S-boxes inside its rounds.
//!
//! # Shapes tried
//!
//! AMD Zen 5, x86-64 without vector extensions beyond SSE2, AES-128, ns; RustCrypto's portable code in the same run:
//! one block 238 encrypted, 281 decrypted; 8 KiB 28 400 encrypted, 30 600 decrypted, and at its best 20 100 and 21 100.
//!
//! | shape | encrypt | decrypt |
//! |---|---|---|
//! | one block, 64-bit words | 121 | 133 |
//! | one block, 32-bit words (`soft32`) | 121 | 127 |
//! | 8 KiB, 64-bit words, four blocks | 18 000 | 19 000 |
//! | 8 KiB, 32-bit words, two blocks (`soft32`) | 33 800 | 35 900 |
//!
//! What became of it, in steps, 8 KiB in 64-bit words:
//!
//! | step | encrypt | decrypt |
//! |---|---|---|
//! | published circuits, InvMixColumns as MixColumns after another of 8 rotations | 19 100 | 22 700 |
//! | InvMixColumns with 16 rotations in all, not 24 | | 21 200 |
//! | a shallower inversion, AddRoundKey inside MixColumns | 18 700 | 20 700 |
//! | halves of a block loaded and stored, not columns | 18 300 | 20 000 |
//! | smaller S-box circuits | 18 000 | 19 000 |
//!
//! Other shapes, before those steps:
//!
//! | shape | encrypt | decrypt |
//! |---|---|---|
//! | one block, periodic rows, 64-bit words: what became the shape above | 126 | 149 |
//! | one block, rotations as for different blocks, 64-bit words | 150 | 178 |
//! | 8 KiB, `[u64; 2]`, eight blocks: the compiler leaves it scalar and spills more | 29 000 | 34 100 |
//! | 8 KiB, `[u64; 4]`, sixteen blocks, a loop over the lanes in each round: made SSE2 by the compiler | 18 000 | |
//! | 8 KiB, four blocks, `array::from_fn` in place of [`planes`]: some loops stay | up to 28 200 | up to 36 400 |
//!
//! Sixteen blocks gained 6 % and would make up to fifteen blocks at the end of a message go one by one. ShiftRows done
//! as such would cost 104 operations a round. MixColumns plane by plane, and merges with one mask by
//! `b ^ ((a ^ b) & mask)`, change the instructions by less than 2 %, up or down; so do the compiler's other schedulers,
//! or make them more. Kernels are compiled in this crate and called: it makes them as fast without link-time
//! optimisation as with it.
//!
//! Where a kernel stands matters little: over 256 code addresses 16 bytes apart, 97 % of the times are within 2 % of the
//! median; 192 addresses over 60 KiB with 11 depths of the stack each show nothing beyond noise. What makes ratios to
//! RustCrypto's jump from build to build is whether the compiler inlines its S-boxes.

#![forbid(unsafe_code)]

#[cfg(feature = "hazmat")]
pub(crate) mod hazmat;
mod key_expansion;
mod linear;
mod sbox;

#[allow(unused_imports, reason = "not all targets need it")]
pub(crate) use linear::xtime;
pub(crate) use linear::{Distinct, Lanes, Same, add_round_key, inv_mix_columns, mix_columns};
pub(crate) use sbox::{Bits, inv_sub_bytes, sub_bytes};

use crate::{
    Block,
    wipe::{Wipe, wipe},
};
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
    array::{Array, ArraySize},
    consts::U16,
};
use core::ops::{BitOr, Not, Shl, Shr};

/// The eight planes of a state: bit `k` of every byte in plane `k`.
pub(crate) type State<W> = [W; 8];

/// An expression for each of the planes 0 to 7, written out: a loop over them, even of constant length, is not always
/// unrolled, and then the planes live in memory.
macro_rules! planes {
    ($k:ident => $plane:expr) => {
        planes!($k => $plane; 0 1 2 3 4 5 6 7)
    };
    ($k:ident => $plane:expr; $($n:literal)*) => {
        [$({
            const $k: usize = $n;
            $plane
        }),*]
    };
}
pub(crate) use planes;

/// As many blocks as a state of `W` holds.
pub(crate) type Blocks<W> = Array<Block, <W as Word>::Blocks>;

/// The four columns of a block, row `r` in byte `r` of little-endian words.
pub(crate) type Columns = [u32; 4];

/// A machine word as a plane.
pub(crate) trait Word:
    Bits
    + Wipe
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The token of the back end.
    type Token;

    const TOKEN: Self::Token;

    /// How many blocks a state holds.
    type Blocks: ArraySize;

    const ZERO: Self;

    /// Bits of a row: four columns of every block.
    const ROW_BITS: u32;

    /// When [`Same`] lanes have to be renewed, and from which lane.
    const RENEWAL: Renewal;

    /// The low `ROW_BITS` bits of `row` in every row.
    fn every_row(row: u16) -> Self;

    fn rotate_right(self, n: u32) -> Self;

    /// Copies the first lane of every row to all lanes. The other lanes must be zero.
    fn repeat_lane(self) -> Self;

    /// The planes of one block in every lane.
    fn pack_one(block: Columns) -> State<Self>;

    /// The block in the lanes, of which the last may be spoilt.
    fn unpack_one(s: &State<Self>) -> Columns;

    /// The planes of one block in each lane, after the addition of the round key.
    fn pack(blocks: &Blocks<Self>, key: &Columns, twist: Twist) -> State<Self>;

    /// The inverse of [`pack`](Self::pack).
    fn unpack(s: &State<Self>, key: &Columns, twist: Twist, blocks: &mut Blocks<Self>);
}

/// The lane to renew [`Same`] lanes from, by the number of the round modulo 4.
pub(crate) struct Renewal {
    /// After MixColumns.
    pub(crate) mix: [Option<u32>; 4],
    /// After InvMixColumns.
    pub(crate) inv_mix: [Option<u32>; 4],
}

/// Whether rows 1 and 3 are to be rotated by two columns: what remains of the ShiftRows left out (see [`linear`])
/// after an even number of rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twist {
    No,
    Half,
}

impl Twist {
    #[inline(always)]
    fn after(rounds: usize) -> Self {
        if rounds % 4 == 2 {
            Self::Half
        } else {
            Self::No
        }
    }

    /// Exchanges rows 1 and 3 of two columns, or pairs of columns, which are two columns apart.
    #[inline(always)]
    pub(crate) fn apply<W: Bits>(self, odd_rows: W, a: &mut W, b: &mut W) {
        if self == Self::Half {
            let t = (*a ^ *b) & odd_rows;
            *a = *a ^ t;
            *b = *b ^ t;
        }
    }
}

/// Exchanges the bits of word `i` at `mask << n` with those of word `j` at `mask`.
#[inline(always)]
pub(crate) fn swap_bits<W: Word>(w: &mut [W], i: usize, j: usize, mask: W, n: u32) {
    let t = ((w[i] >> n) ^ w[j]) & mask;
    w[j] = w[j] ^ t;
    w[i] = w[i] ^ (t << n);
}

#[inline(always)]
pub(crate) fn columns(block: &Block) -> Columns {
    core::array::from_fn(|c| {
        u32::from_le_bytes([
            block[4 * c],
            block[4 * c + 1],
            block[4 * c + 2],
            block[4 * c + 3],
        ])
    })
}

#[inline(always)]
pub(crate) fn store_columns(columns: Columns, block: &mut Block) {
    for (bytes, column) in block.chunks_exact_mut(4).zip(columns) {
        bytes.copy_from_slice(&column.to_le_bytes());
    }
}

#[inline(always)]
pub(crate) fn twist_columns(twist: Twist, mut columns: Columns) -> Columns {
    let [a, b, c, d] = &mut columns;
    twist.apply(0xff00_ff00, a, c);
    twist.apply(0xff00_ff00, b, d);
    columns
}

#[inline(always)]
pub(crate) fn add_columns(a: Columns, b: &Columns) -> Columns {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

/// The round keys for `N` full rounds and the final one, in the form of [`key_expansion`], for both directions.
///
/// Aligned like the round keys of [`keys`](super::keys), so that they begin at the same place in a cipher and wiping the
/// larger of them wipes both.
#[derive(Clone)]
#[repr(align(16))]
pub(crate) struct Keys<W: Word, const N: usize> {
    /// Added to the bytes before all rounds.
    first: Columns,
    /// Added to the planes after each full round.
    middle: [State<W>; N],
    /// Added to the bytes after the final round.
    last: Columns,
}

impl<W: Kernels, const N: usize> Keys<W, N> {
    pub(crate) const ZERO: Self = Self {
        first: [0; 4],
        middle: [[W::ZERO; 8]; N],
        last: [0; 4],
    };

    /// Round keys that are not there yet.
    #[inline(always)]
    pub(crate) fn unset(_: W::Token) -> Self {
        Self::ZERO
    }

    #[inline(always)]
    pub(crate) fn isa(&self) -> W::Token {
        W::TOKEN
    }

    /// The same keys, which are for both directions.
    #[inline(always)]
    pub(crate) fn convert(&mut self, keys: &Self) {
        self.clone_from(keys);
    }

    #[inline(always)]
    fn backend(&self) -> Backend<'_, W> {
        Backend {
            first: &self.first,
            middle: &self.middle,
            last: &self.last,
        }
    }

    #[inline(always)]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&self.backend());
    }

    #[inline(always)]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&self.backend());
    }
}

/// All rounds of the cipher (FIPS 197, algorithm 1), without the first and the last AddRoundKey. `keys` are 9, 11 or
/// 13: the loop, which must know a round's number modulo 4, ends with the 1st or the 3rd.
#[inline(always)]
fn cipher<W: Word, L: Lanes<W>>(s: &mut State<W>, keys: &[State<W>]) {
    #[inline(always)]
    fn round<W: Word, L: Lanes<W>>(s: &mut State<W>, key: &State<W>, i: usize) {
        sub_bytes(s);
        mix_columns::<W, L>(s, key, i);
    }
    let mut keys = keys.iter();
    while let Some(key) = keys.next() {
        round::<W, L>(s, key, 1);
        let Some(key) = keys.next() else { break };
        round::<W, L>(s, key, 2);
        let Some(key) = keys.next() else { break };
        round::<W, L>(s, key, 3);
        let Some(key) = keys.next() else { break };
        round::<W, L>(s, key, 0);
    }
    sub_bytes(s);
}

/// All rounds of the inverse cipher (FIPS 197, algorithm 3), without the first and the last AddRoundKey. The rounds
/// go backwards: the loop begins with the 1st or the 3rd modulo 4.
#[inline(always)]
fn inv_cipher<W: Word, L: Lanes<W>>(s: &mut State<W>, keys: &[State<W>]) {
    #[inline(always)]
    fn round<W: Word, L: Lanes<W>>(s: &mut State<W>, key: &State<W>, i: usize) {
        inv_sub_bytes(s);
        add_round_key(s, key);
        inv_mix_columns::<W, L>(s, i);
    }
    let mut at_first = keys.len() % 4 == 1;
    let mut keys = keys.iter().rev();
    loop {
        if !at_first {
            let Some(key) = keys.next() else { break };
            round::<W, L>(s, key, 3);
            let Some(key) = keys.next() else { break };
            round::<W, L>(s, key, 2);
        }
        at_first = false;
        let Some(key) = keys.next() else { break };
        round::<W, L>(s, key, 1);
        let Some(key) = keys.next() else { break };
        round::<W, L>(s, key, 0);
    }
    inv_sub_bytes(s);
}

/// The round keys as the kernels and the modes of operation want them.
pub(crate) struct Backend<'a, W: Word> {
    first: &'a Columns,
    middle: &'a [State<W>],
    last: &'a Columns,
}

impl<W: Word> Backend<'_, W> {
    /// What remains of ShiftRows after the final round, the one after the full ones.
    #[inline(always)]
    fn twist(&self) -> Twist {
        Twist::after(self.middle.len() + 1)
    }

    #[inline(always)]
    fn encrypt_one(&self, mut block: InOut<'_, '_, Block>) {
        let mut s = W::pack_one(add_columns(columns(block.get_in()), self.first));
        cipher::<W, Same>(&mut s, self.middle);
        let out = twist_columns(self.twist(), W::unpack_one(&s));
        store_columns(add_columns(out, self.last), block.get_out());
    }

    #[inline(always)]
    fn decrypt_one(&self, mut block: InOut<'_, '_, Block>) {
        let block_in = add_columns(columns(block.get_in()), self.last);
        let mut s = W::pack_one(twist_columns(self.twist(), block_in));
        inv_cipher::<W, Same>(&mut s, self.middle);
        store_columns(add_columns(W::unpack_one(&s), self.first), block.get_out());
    }

    #[inline(always)]
    fn encrypt_many(&self, mut blocks: InOut<'_, '_, Blocks<W>>) {
        let mut s = W::pack(blocks.get_in(), self.first, Twist::No);
        cipher::<W, Distinct>(&mut s, self.middle);
        W::unpack(&s, self.last, self.twist(), blocks.get_out());
    }

    #[inline(always)]
    fn decrypt_many(&self, mut blocks: InOut<'_, '_, Blocks<W>>) {
        let mut s = W::pack(blocks.get_in(), self.last, self.twist());
        inv_cipher::<W, Distinct>(&mut s, self.middle);
        W::unpack(&s, self.first, Twist::No, blocks.get_out());
    }
}

/// The kernels of a word size, compiled once, in this crate: what is generic would be compiled in every user's.
pub(crate) trait Kernels: Word {
    fn encrypt_one(keys: &Backend<'_, Self>, block: InOut<'_, '_, Block>);
    fn decrypt_one(keys: &Backend<'_, Self>, block: InOut<'_, '_, Block>);
    fn encrypt_many(keys: &Backend<'_, Self>, blocks: InOut<'_, '_, Blocks<Self>>);
    fn decrypt_many(keys: &Backend<'_, Self>, blocks: InOut<'_, '_, Blocks<Self>>);
}

macro_rules! kernels {
    ($($word:ty),*) => {
        $(
            impl Kernels for $word {
                #[inline(never)]
                fn encrypt_one(keys: &Backend<'_, Self>, block: InOut<'_, '_, Block>) {
                    keys.encrypt_one(block);
                }

                #[inline(never)]
                fn decrypt_one(keys: &Backend<'_, Self>, block: InOut<'_, '_, Block>) {
                    keys.decrypt_one(block);
                }

                #[inline(never)]
                fn encrypt_many(keys: &Backend<'_, Self>, blocks: InOut<'_, '_, Blocks<Self>>) {
                    keys.encrypt_many(blocks);
                }

                #[inline(never)]
                fn decrypt_many(keys: &Backend<'_, Self>, blocks: InOut<'_, '_, Blocks<Self>>) {
                    keys.decrypt_many(blocks);
                }
            }
        )*
    };
}
kernels!(u64, u32);

impl<W: Word> BlockSizeUser for Backend<'_, W> {
    type BlockSize = U16;
}

impl<W: Word> ParBlocksSizeUser for Backend<'_, W> {
    type ParBlocksSize = W::Blocks;
}

impl<W: Kernels> BlockCipherEncBackend for Backend<'_, W> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        <W as Kernels>::encrypt_one(self, block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks<W>>) {
        <W as Kernels>::encrypt_many(self, blocks);
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        tail(
            blocks,
            |block| <W as Kernels>::encrypt_one(self, block),
            |blocks| <W as Kernels>::encrypt_many(self, blocks),
        );
    }
}

impl<W: Kernels> BlockCipherDecBackend for Backend<'_, W> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        <W as Kernels>::decrypt_one(self, block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks<W>>) {
        <W as Kernels>::decrypt_many(self, blocks);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        tail(
            blocks,
            |block| <W as Kernels>::decrypt_one(self, block),
            |blocks| <W as Kernels>::decrypt_many(self, blocks),
        );
    }
}

/// Fewer blocks than a state holds: two cost less in a state than one by one.
#[inline(always)]
fn tail<N: ArraySize>(
    mut blocks: InOutBuf<'_, '_, Block>,
    one: impl FnOnce(InOut<'_, '_, Block>),
    many: impl FnOnce(InOut<'_, '_, Array<Block, N>>),
) {
    let n = blocks.len();
    if n == 1 {
        one(blocks.get(0));
    } else if n > 1 {
        let mut padded = Array::<Block, N>::default();
        padded[..n].copy_from_slice(blocks.get_in());
        many((&mut padded).into());
        blocks.get_out().copy_from_slice(&padded[..n]);
        wipe(padded.as_flattened_mut());
    }
}
