//! Compression and encoding of polynomials as bytes (FIPS 203, section 4.2.1).
//!
//! Compression and encoding go together, eight coefficients of `D` bits in `D` bytes, so that no buffer of compressed
//! coefficients is needed.

#![cfg_attr(not(test), deny(clippy::integer_division_remainder_used))]

use super::{
    field::{N, Q, canonical},
    ntt::ntt_position,
};
use crate::{ct::masks, wipe::Wipe};

/// Coefficients that are packed into whole bytes together.
const GROUP: usize = 8;
/// Coefficients that are compressed in one loop: long enough for the compiler to vectorise it.
const BLOCK: usize = GROUPS * GROUP;
const GROUPS: usize = 4;

/// Compress_D: round(2^D / q * x) mod 2^D for `x` in 0..q and `D` in 1..=11, without a division.
#[inline(always)]
const fn compress<const D: usize>(x: u16) -> u16 {
    // 2^27 / q, rounded.
    #[allow(clippy::integer_division_remainder_used, reason = "in a constant")]
    const RECIPROCAL: u32 = ((1 << 27) + Q as u32 / 2) / Q as u32;
    const HALF_Q: i16 = Q >> 1;
    // 2^15 / q * x, at most 1 too small; then 2^D / q * x, rounded, at most 1 off.
    let scaled = ((x as u32 * 16 * RECIPROCAL) >> 16) as u16;
    let quotient = (scaled + (1 << (14 - D))) >> (15 - D);
    // What the quotient leaves of 2^D * x is -q/2 to q/2 if it is right, and its 16 low bits tell it as long as it is
    // at most 1 off. `compress_is_exact` tries every `x` and `D`.
    let rest = (x << D).wrapping_sub(quotient.wrapping_mul(Q as u16)) as i16;
    let too_small = (HALF_Q.wrapping_sub(rest) >> 15) as u16;
    let too_large = (rest.wrapping_add(HALF_Q) >> 15) as u16;
    quotient.wrapping_sub(too_small).wrapping_add(too_large) & ((1 << D) - 1)
}

/// Decompress_D: round(q / 2^D * y) for `y` in 0..2^D.
#[inline(always)]
const fn decompress<const D: usize>(y: u16) -> i16 {
    ((y as u32 * Q as u32 + (1 << (D - 1))) >> D) as i16
}

/// ByteEncode_D (Algorithm 5) of eight integers below 2^D, `D` at most 12, as the first `D` bytes.
#[inline(always)]
fn pack<const D: usize>(group: [u16; GROUP]) -> [u8; 16] {
    let half = |values: [u16; 4]| {
        let [a, b, c, d] = values.map(u64::from);
        a | b << D | c << (2 * D) | d << (3 * D)
    };
    let [a, b, c, d, e, f, g, h] = group;
    (u128::from(half([a, b, c, d])) | u128::from(half([e, f, g, h])) << (4 * D)).to_le_bytes()
}

/// ByteDecode_D (Algorithm 6) of `D` bytes, `D` at most 12, without the reduction modulo q.
#[inline(always)]
fn unpack<const D: usize>(bytes: &[u8; D]) -> [u16; GROUP] {
    let mut wide = [0; 16];
    wide[..D].copy_from_slice(bytes);
    let all = u128::from_le_bytes(wide);
    let halves = [all as u64, (all >> (4 * D)) as u64];
    core::array::from_fn(|i| (halves[i >> 2] >> ((i & 3) * D)) as u16 & ((1 << D) - 1))
}

/// ByteEncode_D(Compress_D(f)), 32 `D` bytes, for a polynomial in normal order with any coefficients.
pub(crate) fn compress_and_encode<const D: usize>(f: &[i16; N], out: &mut [u8]) {
    debug_assert_eq!(out.len(), 32 * D);
    let mut compressed = [0; BLOCK];
    for (block, out) in f
        .as_chunks::<BLOCK>()
        .0
        .iter()
        .zip(out.chunks_exact_mut(GROUPS * D))
    {
        for (y, &c) in compressed.iter_mut().zip(block) {
            *y = compress::<D>(canonical(c));
        }
        for (group, out) in compressed
            .as_chunks()
            .0
            .iter()
            .zip(out.as_chunks_mut::<D>().0)
        {
            out.copy_from_slice(&pack::<D>(*group)[..D]);
        }
    }
    compressed.wipe();
}

/// Decompress_D(ByteDecode_D(bytes)) in normal order, from 32 `D` bytes.
pub(crate) fn decode_and_decompress<const D: usize>(bytes: &[u8]) -> [i16; N] {
    debug_assert_eq!(bytes.len(), 32 * D);
    let mut f = [0; N];
    for (group, bytes) in f
        .as_chunks_mut::<GROUP>()
        .0
        .iter_mut()
        .zip(bytes.as_chunks::<D>().0)
    {
        *group = unpack::<D>(bytes).map(decompress::<D>);
    }
    f
}

/// Adds Decompress_1(ByteDecode_1(message)) to `f` in normal order: 0 or (q + 1) / 2 for each bit.
pub(crate) fn add_message(message: &[u8; 32], f: &mut [i16; N]) {
    for (group, byte) in f.as_chunks_mut::<GROUP>().0.iter_mut().zip(message) {
        let masks = masks(core::array::from_fn::<_, GROUP, _>(|i| {
            u16::from(byte >> i & 1)
        }));
        for (c, mask) in group.iter_mut().zip(masks) {
            *c += mask as i16 & decompress::<1>(1);
        }
    }
}

/// ByteEncode_1(Compress_1(f)) for a polynomial in normal order with any coefficients.
pub(crate) fn to_message(f: &[i16; N]) -> [u8; 32] {
    let mut message = [0; 32];
    compress_and_encode::<1>(f, &mut message);
    message
}

/// ByteEncode_12 for a polynomial in NTT order with any coefficients.
pub(crate) fn encode_12(f: &[i16; N], bytes: &mut [u8; 384]) {
    let mut reduced = [0; N];
    for (r, &c) in reduced.iter_mut().zip(f) {
        *r = canonical(c);
    }
    for (i, bytes) in bytes.as_chunks_mut::<12>().0.iter_mut().enumerate() {
        let group = core::array::from_fn(|j| reduced[ntt_position(GROUP * i + j)]);
        bytes.copy_from_slice(&pack::<12>(group)[..12]);
    }
    reduced.wipe();
}

/// ByteDecode_12 in NTT order, with coefficients in 0..q: values from q on are reduced.
pub(crate) fn decode_12(bytes: &[u8; 384], f: &mut [i16; N]) {
    for (i, bytes) in bytes.as_chunks::<12>().0.iter().enumerate() {
        for (j, x) in unpack::<12>(bytes).into_iter().enumerate() {
            // The shift makes a mask of the sign.
            let reduced = x as i16 - Q;
            f[ntt_position(GROUP * i + j)] = reduced + ((reduced >> 15) & Q);
        }
    }
}

/// [`decode_12`] of something public; returns whether all values were below q (FIPS 203, section 7.2).
#[must_use]
pub(crate) fn decode_12_checked_vartime(bytes: &[u8; 384], f: &mut [i16; N]) -> bool {
    decode_12(bytes, f);
    let groups = bytes.as_chunks::<12>().0;
    groups
        .iter()
        .all(|bytes| unpack::<12>(bytes).iter().all(|&x| x < Q as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 203, section 4.2.1, in exact arithmetic: round half up, as floor(x + 1/2).
    fn round_ratio(numerator: u32, denominator: u32) -> u32 {
        (2 * numerator + denominator) / (2 * denominator)
    }

    fn check<const D: usize>() {
        for x in 0..Q as u16 {
            let expected = round_ratio(u32::from(x) << D, Q as u32) % (1 << D);
            assert_eq!(u32::from(compress::<D>(x)), expected, "Compress_{D}({x})");
        }
        for y in 0..1 << D {
            let expected = round_ratio(u32::from(y) * Q as u32, 1 << D);
            assert_eq!(decompress::<D>(y) as u32, expected, "Decompress_{D}({y})");
            // FIPS 203, section 4.2.1: compression undoes decompression.
            assert_eq!(compress::<D>(decompress::<D>(y) as u16), y);
        }
    }

    #[test]
    fn compress_is_exact() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<6>();
        check::<7>();
        check::<8>();
        check::<9>();
        check::<10>();
        check::<11>();
    }

    /// Algorithms 5 and 6 bit by bit: bit j of integer i is bit i D + j of the bytes.
    fn check_packing<const D: usize>() {
        for seed in 0..200u16 {
            let group: [u16; GROUP] = core::array::from_fn(|i| {
                (seed.wrapping_mul(40_503) ^ (i as u16).wrapping_mul(30_011)).rotate_left(i as u32)
                    & ((1 << D) - 1)
            });
            let packed = pack::<D>(group);
            for bit in 0..128 {
                let expected = if bit < GROUP * D {
                    group[bit / D] >> (bit % D) & 1
                } else {
                    0
                };
                assert_eq!(u16::from(packed[bit / 8] >> (bit % 8) & 1), expected);
            }
            assert_eq!(unpack::<D>(packed[..D].try_into().unwrap()), group);
        }
    }

    #[test]
    fn packing() {
        check_packing::<1>();
        check_packing::<4>();
        check_packing::<5>();
        check_packing::<10>();
        check_packing::<11>();
        check_packing::<12>();
    }

    #[test]
    fn message_round_trip_with_noise() {
        let message = core::array::from_fn(|i| (i as u8).wrapping_mul(151) ^ 0x5a);
        for noise in [0, 800, -800, 831, -831] {
            let mut f = [noise; N];
            add_message(&message, &mut f);
            assert_eq!(to_message(&f), message);
        }
    }

    #[test]
    fn decode_12_reduces_and_checks() {
        for value in 0..4096u16 {
            for position in [0, 1, 100, 255] {
                let mut f = [0; N];
                let mut bytes = [0; 384];
                let bit = 12 * position;
                let word = value << (bit % 8);
                bytes[bit / 8] |= word as u8;
                bytes[bit / 8 + 1] |= (word >> 8) as u8;
                assert_eq!(decode_12_checked_vartime(&bytes, &mut f), value < Q as u16);
                assert_eq!(f[ntt_position(position)] as u16, value % Q as u16);
                assert_eq!(
                    f.iter().filter(|&&c| c != 0).count(),
                    usize::from(value % Q as u16 != 0)
                );
                if value < Q as u16 {
                    let mut encoded = [0; 384];
                    encode_12(&f, &mut encoded);
                    assert_eq!(encoded, bytes);
                }
            }
        }
    }
}
