//! WebAssembly with `simd128`, which a module has or has not: the choice is the compiler's.
//!
//! Four blocks a pass stand side by side, one word of each in a register. There are no rotations: those by 16 and 8 bits
//! are byte shuffles, the others two shifts and an OR. One or two blocks are left to the portable
//! code, which is faster for them: in V8 on x86-64 two blocks take 159 ns, and 168 in rows, both at once.

use super::soft::Soft;
use crate::state::{BLOCK_SIZE, Rounds, xor_keystream};
use cipher::{
    array::Array,
    consts::U64,
    inout::{InOut, InOutBuf},
};
use core::arch::wasm32::*;

/// Proof that the module has `simd128`.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

impl Simd128 {
    /// The module has it if this is compiled.
    #[must_use]
    #[inline]
    pub fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// XORs the keystream that begins with block `counter` into `data`; see
    /// [`Available::xor`](super::Available::xor).
    pub(crate) fn xor<R: Rounds>(
        self,
        words: &[u32; 16],
        mut counter: u64,
        mut data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        while data.len() > 2 * BLOCK_SIZE {
            let n = data.len().min(4 * BLOCK_SIZE);
            let (now, rest) = data.split_at(n);
            let (blocks, part) = now.into_chunks::<U64>();
            let keystream = keystream::<R>(words, counter);
            let whole = blocks.len();
            for (keystream, block) in keystream.iter().zip(blocks) {
                xor_block(keystream, block);
            }
            if !part.is_empty() {
                store(last, &keystream[whole]);
                let n = part.len();
                xor_keystream(part, &last[..n]);
            }
            counter = counter.wrapping_add(4);
            data = rest;
        }
        Soft.xor::<R>(words, counter, data, last);
    }

    /// Does what `wipe_stack` does elsewhere, all at once: each part would be a call of the engine's.
    ///
    /// Only the stack that the module keeps in its memory can be reached, of which the kernels take less than half as much.
    #[allow(
        clippy::unused_self,
        reason = "the call is for the kernels of this back end"
    )]
    #[inline(never)]
    pub(crate) fn wipe_stack(self) {
        #[cfg(feature = "zeroize")]
        core::hint::black_box(&mut [0_u8; 1024]);
    }
}

/// A block by rows, or one row of four blocks by words.
type Rows = [v128; 4];

#[inline]
#[target_feature(enable = "simd128")]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: 16 bytes are there; the load asks for no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "simd128")]
fn store(block: &mut [u8; BLOCK_SIZE], rows: &Rows) {
    let (bytes, _) = block.as_chunks_mut::<16>();
    for (bytes, &row) in bytes.iter_mut().zip(rows) {
        // SAFETY: 16 bytes are there; the store asks for no alignment.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), row) };
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn xor_block(keystream: &Rows, mut data: InOut<'_, '_, Array<u8, U64>>) {
    let (input, _) = data.get_in().as_chunks();
    let result: Rows = core::array::from_fn(|i| v128_xor(load(&input[i]), keystream[i]));
    store(&mut data.get_out().0, &result);
}

#[inline]
#[target_feature(enable = "simd128")]
fn rotate<const BY: u32>(x: v128) -> v128 {
    match BY {
        16 => u8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(x, x),
        8 => u8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(x, x),
        _ => v128_or(u32x4_shl(x, BY), u32x4_shr(x, 32 - BY)),
    }
}

/// Four quarter rounds (RFC 8439, section 2.1) step by step side by side.
#[inline]
#[target_feature(enable = "simd128")]
fn quarter_rounds(a: &mut Rows, b: &mut Rows, c: &mut Rows, d: &mut Rows) {
    macro_rules! step {
        ($sum:ident += $addend:ident; $mixed:ident <<< $by:literal) => {
            for i in 0..4 {
                $sum[i] = u32x4_add($sum[i], $addend[i]);
                $mixed[i] = rotate::<$by>(v128_xor($mixed[i], $sum[i]));
            }
        };
    }
    step!(a += b; d <<< 16);
    step!(c += d; b <<< 12);
    step!(a += b; d <<< 8);
    step!(c += d; b <<< 7);
}

#[inline]
#[target_feature(enable = "simd128")]
fn transpose([a, b, c, d]: Rows) -> Rows {
    let (ab01, ab23) = (
        u32x4_shuffle::<0, 4, 1, 5>(a, b),
        u32x4_shuffle::<2, 6, 3, 7>(a, b),
    );
    let (cd01, cd23) = (
        u32x4_shuffle::<0, 4, 1, 5>(c, d),
        u32x4_shuffle::<2, 6, 3, 7>(c, d),
    );
    [
        u64x2_shuffle::<0, 2>(ab01, cd01),
        u64x2_shuffle::<1, 3>(ab01, cd01),
        u64x2_shuffle::<0, 2>(ab23, cd23),
        u64x2_shuffle::<1, 3>(ab23, cd23),
    ]
}

/// Four blocks from block `counter` on.
#[inline]
#[target_feature(enable = "simd128")]
fn keystream<R: Rounds>(words: &[u32; 16], counter: u64) -> [Rows; 4] {
    let [
        w0,
        w1,
        w2,
        w3,
        w4,
        w5,
        w6,
        w7,
        w8,
        w9,
        w10,
        w11,
        _,
        _,
        w14,
        w15,
    ] = words.map(|word| u32x4_splat(word));
    let counters: [u64; 4] = core::array::from_fn(|i| counter.wrapping_add(i as u64));
    let [c0, c1, c2, c3] = counters.map(|counter| counter as u32);
    let low = u32x4(c0, c1, c2, c3);
    let [c0, c1, c2, c3] = counters.map(|counter| (counter >> 32) as u32);
    let high = u32x4(c0, c1, c2, c3);

    let input: [Rows; 4] = [
        [w0, w1, w2, w3],
        [w4, w5, w6, w7],
        [w8, w9, w10, w11],
        [low, high, w14, w15],
    ];
    let [mut a, mut b, mut c, mut d] = input;
    for _ in 0..R::DOUBLE_ROUNDS {
        quarter_rounds(&mut a, &mut b, &mut c, &mut d);
        b = [b[1], b[2], b[3], b[0]];
        c = [c[2], c[3], c[0], c[1]];
        d = [d[3], d[0], d[1], d[2]];
        quarter_rounds(&mut a, &mut b, &mut c, &mut d);
        b = [b[3], b[0], b[1], b[2]];
        c = [c[2], c[3], c[0], c[1]];
        d = [d[1], d[2], d[3], d[0]];
    }
    let mut rows = [a, b, c, d];
    for (row, input) in rows.iter_mut().zip(input) {
        let sums = core::array::from_fn(|i| u32x4_add(row[i], input[i]));
        *row = transpose(sums);
    }
    core::array::from_fn(|block| rows.map(|row| row[block]))
}
