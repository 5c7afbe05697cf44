//! Eight blocks at once, bit-sliced on vectors of 16 bytes, with round keys converted from those of [`vpaes`](super).
//!
//! # Design
//!
//! Plane `k` has bit `k` of every byte, of block `b` in bit `b` of a byte of the plane. Between the first ShiftRows and
//! the last, the bytes of a plane are rows of four columns, so that MixColumns finds the row below at a rotation of the
//! plane by four bytes; ShiftRows is a shuffle.
//!
//! A plane of a round key is ones where a byte of the key has the bit. The bytes are those of the vpaes key, brought to
//! the standard basis and to rows; they hold the S-box's constant there too. The planes are made at every call for as
//! many blocks as it has and wiped at its end: 20 instructions a round.
//!
//! # Bound
//!
//! By LLVM's models of the pipeline, cycles for a round of a block in 64-bit ARM code; what one block needs alone is latency:
//!
//! | shape | Cortex-A53 | Cortex-A72 |
//! |---|---|---|
//! | vector permutations, one block | 76 | 52 |
//! | vector permutations, two blocks side by side | 42 | 31 |
//! | bit-sliced, eight blocks | 27 | 14 |
//!
//! A look-up counts as 1.5 cycles on the latter, other operations as half of one. An order of additions forced by empty
//! assembly gave 81 and 49 for one block, so it is left to the compiler. From six blocks on, void ones included, bit-slicing
//! is as fast on the former and faster on the latter.
//!
//! # How many blocks modes of operation pass at once
//!
//! Sixteen. The more, the fewer conversions of keys; but `ctr` and `cbc` do what is left over one by one. Instructions of
//! AES-128-CTR, on `armv7_neon` with a round of 14 instructions more than it has now:
//!
//! | blocks | 4 | 8 | 12 | 16 | 24 | 31 | 32 | 64 | 512 |
//! |---|---|---|---|---|---|---|---|---|---|
//! | `neon`, 8 at once | 1 720 | 2 619 | 4 226 | 5 123 | 7 630 | 10 441 | 10 137 | 20 165 | 160 557 |
//! | 16 at once | 1 736 | 3 340 | 4 941 | 4 613 | 7 829 | 10 636 | 9 102 | 18 080 | 143 772 |
//! | 32 at once | 1 758 | 3 366 | 4 971 | 6 579 | 9 795 | 12 609 | 8 613 | 17 083 | 135 663 |
//! | `armv7_neon`, 8 at once | 2 874 | 4 188 | 6 677 | 7 980 | 11 774 | 16 111 | 15 568 | 30 744 | 243 207 |
//! | 16 at once | 2 905 | 5 369 | 7 831 | 7 594 | 12 547 | 16 859 | 14 763 | 29 101 | 229 832 |
//! | 32 at once | 2 978 | 5 442 | 7 904 | 10 368 | 15 296 | 19 608 | 14 173 | 27 849 | 219 312 |

#![forbid(unsafe_code)]

use super::{
    generic::{Map, Vector, load},
    rows::ROW_TABLES,
};
use crate::{
    Block,
    backends::{
        bitslice::{State, inv_sub_bytes, planes, sub_bytes, xtime},
        keys::{Aligned, RoundKeys},
    },
    wipe::{overwrite, wipe},
};
use cipher::{InOut, InOutBuf, array::Array, consts::U8};

/// What bit-slicing needs beside vector permutations.
pub(crate) trait Slice: Vector {
    /// Exchanges the bits of `self` that are at `mask << N` in each byte with those of `other` at `mask`, where `mask`
    /// is every other group of `N` bits.
    fn exchange<const N: u32>(&mut self, other: &mut Self);

    /// All ones in the bytes that have the bit.
    fn bytes_with(self, bit: u32) -> Self;

    /// Every byte four further down: with rows of four, what is one row below.
    fn row_below(self) -> Self;

    /// Every byte eight further down or up: what is two rows below.
    fn two_rows_below(self) -> Self;
}

/// The planes of the round keys between the first and the last, in the order of their use.
type Planes = [[Aligned; 8]; 13];

const ZERO: Planes = [[Aligned::ZERO; 8]; 13];

/// Planes of `n` round keys, `key(r)` that of round `r`. Of these, `rows` says where what belongs in a place of the rows is,
/// by the number of the round modulo 4.
#[inline(always)]
fn slice_keys<'a, V: Slice>(
    n: usize,
    key: impl Fn(usize) -> &'a Aligned,
    basis: Map<V>,
    rows: &[Aligned; 4],
    planes: &mut Planes,
) {
    // By its number: of an iterator through the keys, the compiler keeps the state in memory.
    for (r, planes) in (1..).zip(&mut planes[..n]) {
        let bytes = basis
            .apply(V::load(&key(r).0))
            .look_up(V::load(&rows[r % 4].0));
        for (k, plane) in (0..).zip(planes) {
            bytes.bytes_with(k).store(&mut plane.0);
        }
    }
}

#[inline(always)]
fn transpose<V: Slice>(s: &mut State<V>) {
    #[inline(always)]
    fn exchange<V: Slice, const N: u32>(s: &mut State<V>, i: usize, j: usize) {
        let (a, b) = s.split_at_mut(j);
        a[i].exchange::<N>(&mut b[0]);
    }
    for i in [0, 1, 2, 3] {
        exchange::<V, 4>(s, i, i + 4);
    }
    for i in [0, 1, 4, 5] {
        exchange::<V, 2>(s, i, i + 2);
    }
    for i in [0, 2, 4, 6] {
        exchange::<V, 1>(s, i, i + 1);
    }
}

/// Loads eight blocks and adds a round key.
#[inline(always)]
fn pack<V: Slice>(blocks: &Array<Block, U8>, key: V) -> State<V> {
    let mut s = planes!(K => V::load(&blocks[K].0) ^ key);
    transpose(&mut s);
    s
}

#[inline(always)]
fn unpack<V: Slice>(mut s: State<V>, key: V, blocks: &mut Array<Block, U8>) {
    transpose(&mut s);
    for (s, block) in s.into_iter().zip(blocks) {
        (s ^ key).store(&mut block.0);
    }
}

#[inline(always)]
fn look_up<V: Vector>(s: &mut State<V>, index: V) {
    *s = planes!(K => s[K].look_up(index));
}

/// MixColumns and AddRoundKey; the sums are those of `bitslice`.
#[inline(always)]
fn mix_columns<V: Slice>(s: &mut State<V>, key: &[Aligned; 8]) {
    let below = planes!(K => s[K].row_below());
    let t = planes!(K => s[K] ^ below[K]);
    let xt = xtime(t);
    *s = planes!(K => ((xt[K] ^ V::load(&key[K].0)) ^ below[K]) ^ t[K].two_rows_below());
}

/// InvMixColumns and AddRoundKey; the sums are those of `bitslice`.
#[inline(always)]
fn inv_mix_columns<V: Slice>(s: &mut State<V>, key: &[Aligned; 8]) {
    let t = planes!(K => s[K] ^ s[K].row_below());
    let xt = xtime(t);
    let u = planes!(K => s[K] ^ xt[K]);
    let xxu = xtime(xtime(u));
    let v = planes!(K => t[K] ^ xxu[K]);
    *s = planes!(K => (u[K] ^ V::load(&key[K].0)) ^ v[K] ^ v[K].two_rows_below());
}

/// Every eight blocks, and what remains if it is not `fewer` than it should be; else that is returned.
#[inline(always)]
fn for_each_eight<'i, 'o>(
    blocks: InOutBuf<'i, 'o, Block>,
    fewest: usize,
    mut f: impl FnMut(InOut<'_, '_, Array<Block, U8>>),
) -> InOutBuf<'i, 'o, Block> {
    let (eights, mut rest) = blocks.into_chunks::<U8>();
    for eight in eights {
        f(eight);
    }
    let n = rest.len();
    if n < fewest {
        return rest;
    }
    let mut void = Array::<Block, U8>::default();
    void[..n].copy_from_slice(rest.get_in());
    f((&mut void).into());
    rest.get_out().copy_from_slice(&void[..n]);
    wipe(void.as_flattened_mut());
    InOutBuf::from(&mut [][..])
}

/// The full rounds of a direction between the first and the last round key, by what differs between the directions.
macro_rules! rounds {
    ($s:ident, $planes:expr, $shift_rows:expr, $sub_bytes:ident, $mix_columns:ident) => {
        let [mut shift, among_rows, leave] = load($shift_rows);
        for key in $planes {
            $sub_bytes(&mut $s);
            look_up(&mut $s, shift);
            $mix_columns(&mut $s, key);
            shift = among_rows;
        }
        $sub_bytes(&mut $s);
        look_up(&mut $s, leave);
    };
}

/// The cipher of `n` full rounds on eight blocks at a time, with void ones if there are fewer but not fewer than
/// `fewest`. What remains is returned.
#[inline(always)]
pub(crate) fn encrypt<'i, 'o, V: Slice>(
    keys: &RoundKeys,
    n: usize,
    blocks: InOutBuf<'i, 'o, Block>,
    fewest: usize,
) -> InOutBuf<'i, 'o, Block> {
    let mut planes = ZERO;
    let basis = Map::<V>::load(&ROW_TABLES.output);
    slice_keys(n, |r| &keys[r], basis, &ROW_TABLES.keys, &mut planes);
    let first = basis.apply(V::load(&keys[0].0));
    let last = V::load(&keys[n + 1].0);
    let rest = for_each_eight(blocks, fewest, |mut blocks| {
        let mut s = pack(blocks.get_in(), first);
        rounds!(
            s,
            &planes[..n],
            &ROW_TABLES.shift_rows,
            sub_bytes,
            mix_columns
        );
        unpack(s, last, blocks.get_out());
    });
    overwrite(&mut planes, ZERO);
    rest
}

/// The equivalent inverse cipher, like [`encrypt`].
#[inline(always)]
pub(crate) fn decrypt<'i, 'o, V: Slice>(
    keys: &RoundKeys,
    n: usize,
    blocks: InOutBuf<'i, 'o, Block>,
    fewest: usize,
) -> InOutBuf<'i, 'o, Block> {
    let mut planes = ZERO;
    let basis = Map::<V>::load(&ROW_TABLES.inv_output);
    slice_keys(
        n,
        |r| &keys[n + 1 - r],
        basis,
        &ROW_TABLES.inv_keys,
        &mut planes,
    );
    let first = basis.apply(V::load(&keys[n + 1].0));
    let last = V::load(&keys[0].0);
    let rest = for_each_eight(blocks, fewest, |mut blocks| {
        let mut s = pack(blocks.get_in(), first);
        rounds!(
            s,
            &planes[..n],
            &ROW_TABLES.inv_shift_rows,
            inv_sub_bytes,
            inv_mix_columns
        );
        unpack(s, last, blocks.get_out());
    });
    overwrite(&mut planes, ZERO);
    rest
}
