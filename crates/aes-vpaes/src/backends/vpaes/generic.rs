//! The kernels of [`vpaes`](super), generic over a vector of 16 bytes: for targets all of whose CPUs have such vectors.

#![forbid(unsafe_code)]

use super::tables::{KEY_TABLES, Pair, TABLES};
use crate::{
    Block,
    backends::{
        bitslice::Bits,
        keys::{Aligned, RoundKeys},
    },
    wipe::wipe,
};

/// A vector of 16 bytes.
pub(crate) trait Vector: Bits {
    fn load(bytes: &[u8; 16]) -> Self;
    fn store(self, bytes: &mut [u8; 16]);
    /// The low nibble of every byte.
    fn low_nibbles(self) -> Self;
    /// The high nibble of every byte.
    fn high_nibbles(self) -> Self;
    /// The bytes of `self` that the bytes of `index` name, zero for those above 15.
    fn look_up(self, index: Self) -> Self;
    /// Every word (of 32 bits) moved up by one, after a word of zeros.
    fn up_1_word(self) -> Self;
    /// Every word moved up by two, after two words of zeros.
    fn up_2_words(self) -> Self;
    /// The high half of `self`, then the low one of `next`.
    fn high_low(self, next: Self) -> Self;
}

/// A pair of tables in registers.
#[derive(Clone, Copy)]
pub(super) struct Map<V>([V; 2]);

impl<V: Vector> Map<V> {
    #[inline(always)]
    pub(super) fn load(pair: &Pair) -> Self {
        Self([V::load(&pair[0].0), V::load(&pair[1].0)])
    }

    /// The sum of what the two indices find.
    #[inline(always)]
    fn look_up(self, [a, b]: [V; 2]) -> V {
        self.0[0].look_up(a) ^ self.0[1].look_up(b)
    }

    /// A linear map of bytes.
    #[inline(always)]
    pub(super) fn apply(self, x: V) -> V {
        self.look_up([x.low_nibbles(), x.high_nibbles()])
    }
}

/// The tables of the inversion in registers.
#[derive(Clone, Copy)]
struct Inverter<V> {
    inverse: V,
    a_by: V,
}

impl<V: Vector> Inverter<V> {
    #[inline(always)]
    fn load() -> Self {
        Self {
            inverse: V::load(&TABLES.inverse.0),
            a_by: V::load(&TABLES.a_by.0),
        }
    }

    /// The two nibbles that a multiple of the inverse is looked up by.
    #[inline(always)]
    fn invert(self, x: V) -> [V; 2] {
        let i = x.high_nibbles();
        let k = x.low_nibbles();
        let j = i ^ k;
        let ak = self.a_by.look_up(k);
        let iak = self.inverse.look_up(i) ^ ak;
        let jak = self.inverse.look_up(j) ^ ak;
        [self.inverse.look_up(iak) ^ j, self.inverse.look_up(jak) ^ i]
    }
}

/// Tables in registers.
#[inline(always)]
pub(super) fn load<V: Vector, const N: usize>(tables: &[Aligned; N]) -> [V; N] {
    core::array::from_fn(|n| V::load(&tables[n].0))
}

/// The cipher (FIPS 197, algorithm 1) of `N` full rounds on `L` blocks side by side.
#[inline(always)]
pub(crate) fn encrypt<V: Vector, const L: usize>(
    keys: &RoundKeys,
    n: usize,
    blocks: [&Block; L],
) -> [V; L] {
    let inverter = Inverter::<V>::load();
    let [s1, s3] = [&TABLES.sub_bytes, &TABLES.sub_bytes_3].map(Map::<V>::load);
    let input = Map::load(&TABLES.input);
    let key = V::load(&keys[0].0);
    let mut s = blocks.map(|block| input.apply(V::load(&block.0)) ^ key);
    for (r, key) in (1..).zip(&keys[1..=n]) {
        let key = V::load(&key.0);
        let rows = load::<V, 3>(&TABLES.mix_columns[r % 4]);
        s = s.map(|s| {
            let inverse = inverter.invert(s);
            let s = s1.look_up(inverse);
            let s3 = s3.look_up(inverse);
            let sum = (s ^ key) ^ s3;
            let sum = sum ^ s.look_up(rows[1]);
            let sum = sum ^ s.look_up(rows[2]);
            sum ^ s3.look_up(rows[0])
        });
    }
    let output = Map::<V>::load(&TABLES.output);
    let key = V::load(&keys[n + 1].0);
    let unshift = V::load(&TABLES.unshift[(n + 1) % 4].0);
    s.map(|s| output.look_up(inverter.invert(s)).look_up(unshift) ^ key)
}

/// The equivalent inverse cipher (FIPS 197, algorithm 4) of `N` full rounds on `L` blocks side by side.
#[inline(always)]
pub(crate) fn decrypt<V: Vector, const L: usize>(
    keys: &RoundKeys,
    n: usize,
    blocks: [&Block; L],
) -> [V; L] {
    let inverter = Inverter::<V>::load();
    let multiples = [0, 1, 2, 3].map(|f| Map::<V>::load(&TABLES.inv_mix[f]));
    let input = Map::load(&TABLES.inv_input);
    let key = V::load(&keys[n + 1].0);
    let mut s = blocks.map(|block| input.apply(V::load(&block.0)) ^ key);
    for (r, key) in (1..).zip(keys[1..=n].iter().rev()) {
        let key = V::load(&key.0);
        let rows = load::<V, 3>(&TABLES.inv_mix_columns[r % 4]);
        s = s.map(|s| {
            let inverse = inverter.invert(s);
            let sum = multiples[0].look_up(inverse) ^ key;
            let sum = sum ^ multiples[1].look_up(inverse).look_up(rows[0]);
            let sum = sum ^ multiples[2].look_up(inverse).look_up(rows[1]);
            sum ^ multiples[3].look_up(inverse).look_up(rows[2])
        });
    }
    let output = Map::<V>::load(&TABLES.inv_output);
    let key = V::load(&keys[0].0);
    let unshift = V::load(&TABLES.unshift[(n + 1) % 4].0);
    s.map(|s| output.look_up(inverter.invert(s)).look_up(unshift) ^ key)
}

/// KeyExpansion (FIPS 197, algorithm 2) of a key of 16, 24 or 32 bytes, for which `N` is 9, 11 or 13, in whatever basis
/// `enter` brings the bytes to.
///
/// `sub_word(x, i)` is SubWord of every word and, if `i` is not zero, Rcon\[i\]; round key `r` goes to `put(r, x)`.
#[inline(always)]
pub(crate) fn schedule<V: Vector, const N: usize>(
    key: &[u8],
    enter: impl Fn(V) -> V,
    sub_word: impl Fn(V, usize) -> V,
    mut put: impl FnMut(usize, V),
) {
    let last_word = V::load(&KEY_TABLES.last_word[0].0);
    let rotated = V::load(&KEY_TABLES.last_word[1].0);
    // Every word plus all those before it.
    let sums = |x: V| {
        let x = x ^ x.up_1_word();
        x ^ x.up_2_words()
    };
    // The four words after `x` if the last word of `y` is the one before them.
    let next = |x: V, y: V, i: usize| sums(x) ^ sub_word(y.look_up(rotated), i);
    let load = |bytes: &[u8]| {
        let mut block = [0; 16];
        block.copy_from_slice(bytes);
        let x = enter(V::load(&block));
        wipe(&mut block);
        x
    };
    let mut x = load(&key[..16]);
    put(0, x);
    match N {
        9 => {
            for r in 1..11 {
                x = next(x, x, r);
                put(r, x);
            }
        }
        11 => {
            // Six words: four in `x`, two in the high half of `y`.
            let mut y = load(&key[8..]);
            let next = |x: V, y: V, i: usize| {
                let x = next(x, y, i);
                let y = y.high_low(y).up_2_words();
                (x, (y ^ y.up_1_word()) ^ x.look_up(last_word))
            };
            for i in 0..4 {
                let (x1, y1) = next(x, y, 2 * i + 1);
                put(3 * i + 1, y.high_low(x1));
                put(3 * i + 2, x1.high_low(y1.high_low(y1)));
                (x, y) = next(x1, y1, 2 * i + 2);
                put(3 * i + 3, x);
            }
        }
        _ => {
            let mut y = load(&key[16..]);
            put(1, y);
            for i in 1..7 {
                x = next(x, y, i);
                put(2 * i, x);
                y = sums(y) ^ sub_word(x.look_up(last_word), 0);
                put(2 * i + 1, y);
            }
            put(14, next(x, y, 7));
        }
    }
}

/// Round keys for encryption, and those for decryption if there is a place for them: beside the chain of S-boxes, which has
/// room for more. On 64-bit ARM both take 658 instructions for AES-128, of which 336 are for decryption; with
/// [`invert`] afterwards it was as many for AES-128 and a tenth more for AES-256.
#[inline(always)]
pub(crate) fn expand<V: Vector, const N: usize>(
    key: &[u8],
    enc: &mut RoundKeys,
    mut dec: Option<&mut RoundKeys>,
) {
    let t = &KEY_TABLES;
    let multiples = [0, 1, 2, 3].map(|f| Map::<V>::load(&t.inv_mix[f]));
    let inv_input = Map::<V>::load(&TABLES.inv_input);
    let row_below = V::load(&TABLES.mix_columns[0][0].0);
    let shift = load::<V, 4>(&t.shift);
    let inverter = Inverter::<V>::load();
    let s_box = Map::load(&TABLES.sub_bytes);
    let input = Map::load(&TABLES.input);
    let output = Map::<V>::load(&t.output);
    let constant = V::load(&t.constant.0);
    let constant_bytes = V::load(&t.constant_bytes.0);
    schedule::<V, N>(
        key,
        |x| input.apply(x),
        |x, i| V::load(&t.rcon[i].0) ^ s_box.look_up(inverter.invert(x)),
        |r, x| {
            let (x, inverted) = if r == 0 {
                (x, output.apply(x))
            } else if r == N + 1 {
                let x = output.apply(x) ^ constant_bytes;
                (x, inv_input.apply(x))
            } else {
                let x = x ^ constant;
                // InvMixColumns row by row from below, before ShiftRows is left out.
                let nibbles = [x.low_nibbles(), x.high_nibbles()];
                let [y0, y1, y2, y3] = multiples.map(|multiple| multiple.look_up(nibbles));
                let sum = y2 ^ y3.look_up(row_below);
                let sum = y1 ^ sum.look_up(row_below);
                let sum = y0 ^ sum.look_up(row_below);
                let twist = if N == 11 { 0 } else { 2 };
                (x.look_up(shift[r % 4]), sum.look_up(shift[(r + twist) % 4]))
            };
            x.store(&mut enc[r].0);
            if let Some(dec) = &mut dec {
                inverted.store(&mut dec[r].0);
            }
        },
    );
}

/// Makes round keys for decryption of those for encryption.
#[inline(always)]
pub(crate) fn invert<V: Vector, const N: usize>(from: &RoundKeys, to: &mut RoundKeys) {
    let t = &KEY_TABLES;
    let first = Map::<V>::load(&t.output).apply(V::load(&from[0].0));
    let last = Map::<V>::load(&TABLES.inv_input).apply(V::load(&from[N + 1].0));
    let multiples = [0, 1, 2, 3].map(|f| Map::<V>::load(&t.inv_mix[f]));
    for (r, (from, to)) in (1..).zip(from[1..=N].iter().zip(&mut to[1..=N])) {
        let rows = load::<V, 4>(&t.inv_mix_columns[r % 4][usize::from(N != 11)]);
        let x = V::load(&from.0);
        let nibbles = [x.low_nibbles(), x.high_nibbles()];
        let term = |f: usize| multiples[f].look_up(nibbles).look_up(rows[f]);
        ((term(0) ^ term(1)) ^ (term(2) ^ term(3))).store(&mut to.0);
    }
    first.store(&mut to[0].0);
    last.store(&mut to[N + 1].0);
}

/// The back end that the kernels make on a vector; see [`eight`](super::eight) for how many blocks modes of operation are
/// asked to pass at once.
///
/// The kernels are not generic, so that they are compiled in this crate.
macro_rules! vector_back_end {
    ($isa:ident, $vector:ty, fewest: $fewest:literal) => {
        use super::{
            keys::{Aligned, Isa, RoundKeys, expand_inverted},
            vpaes::{eight, generic},
        };
        use crate::Block;
        use cipher::{
            BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
            BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
            array::Array,
            consts::U16,
        };
        use core::mem::MaybeUninit;

        #[inline(never)]
        fn expand<const N: usize>(key: &[u8], keys: &mut RoundKeys) {
            generic::expand::<$vector, N>(key, keys, None);
        }

        #[inline(never)]
        fn expand_both<const N: usize>(key: &[u8], enc: &mut RoundKeys, dec: &mut RoundKeys) {
            generic::expand::<$vector, N>(key, enc, Some(dec));
        }

        #[inline(never)]
        fn invert<const N: usize>(from: &RoundKeys, to: &mut RoundKeys) {
            generic::invert::<$vector, N>(from, to);
        }

        vector_back_end!(@direction $vector, $fewest, encrypt, encrypt_one, encrypt_many);
        vector_back_end!(@direction $vector, $fewest, decrypt, decrypt_one, decrypt_many);

        // SAFETY: `expand`, `expand_both` and `invert` write the round keys.
        unsafe impl Isa for $isa {
            #[inline(always)]
            fn expand<const N: usize, const DECRYPT: bool>(
                self,
                key: &[u8],
                keys: &mut MaybeUninit<RoundKeys>,
            ) {
                if DECRYPT {
                    expand_inverted::<_, N>(self, key, keys);
                } else {
                    expand::<N>(key, keys.write([Aligned::ZERO; 15]));
                }
            }

            #[inline(always)]
            fn expand_both<const N: usize>(
                self,
                key: &[u8],
                enc: &mut MaybeUninit<RoundKeys>,
                dec: &mut MaybeUninit<RoundKeys>,
            ) {
                let [enc, dec] = [enc, dec].map(|keys| keys.write([Aligned::ZERO; 15]));
                expand_both::<N>(key, enc, dec);
            }

            #[inline(always)]
            fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
                invert::<N>(from, to.write([Aligned::ZERO; 15]));
            }

            #[inline(always)]
            fn encrypt<const N: usize>(
                self,
                keys: &RoundKeys,
                f: impl BlockCipherEncClosure<BlockSize = U16>,
            ) {
                f.call(&Backend { keys, n: N });
            }

            #[inline(always)]
            fn decrypt<const N: usize>(
                self,
                keys: &RoundKeys,
                f: impl BlockCipherDecClosure<BlockSize = U16>,
            ) {
                f.call(&Backend { keys, n: N });
            }
        }

        /// What modes of operation see.
        struct Backend<'a> {
            keys: &'a RoundKeys,
            n: usize,
        }

        impl BlockSizeUser for Backend<'_> {
            type BlockSize = U16;
        }

        impl ParBlocksSizeUser for Backend<'_> {
            type ParBlocksSize = U16;
        }

        impl BlockCipherEncBackend for Backend<'_> {
            #[inline(always)]
            fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
                encrypt_one(self.keys, self.n, block);
            }

            #[inline(always)]
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Array<Block, U16>>) {
                encrypt_many(self.keys, self.n, blocks.into_buf());
            }

            #[inline(always)]
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                encrypt_many(self.keys, self.n, blocks);
            }
        }

        impl BlockCipherDecBackend for Backend<'_> {
            #[inline(always)]
            fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
                decrypt_one(self.keys, self.n, block);
            }

            #[inline(always)]
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Array<Block, U16>>) {
                decrypt_many(self.keys, self.n, blocks.into_buf());
            }

            #[inline(always)]
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                decrypt_many(self.keys, self.n, blocks);
            }
        }
    };

    (@direction $vector:ty, $fewest:literal, $direction:ident, $one:ident, $many:ident) => {
        #[inline(never)]
        fn $one(keys: &RoundKeys, n: usize, mut block: InOut<'_, '_, Block>) {
            let [x] = generic::$direction::<$vector, 1>(keys, n, [block.get_in()]);
            x.store(&mut block.get_out().0);
        }

        #[inline(never)]
        fn $many(keys: &RoundKeys, n: usize, mut blocks: InOutBuf<'_, '_, Block>) {
            if blocks.len() >= $fewest {
                blocks = eight::$direction::<$vector>(keys, n, blocks, $fewest);
            }
            let (pairs, rest) = blocks.into_chunks::<cipher::consts::U2>();
            for mut pair in pairs {
                let [a, b] = &pair.get_in().0;
                let [x, y] = generic::$direction::<$vector, 2>(keys, n, [a, b]);
                let [a, b] = &mut pair.get_out().0;
                x.store(&mut a.0);
                y.store(&mut b.0);
            }
            for block in rest {
                $one(keys, n, block);
            }
        }
    };
}
pub(crate) use vector_back_end;
