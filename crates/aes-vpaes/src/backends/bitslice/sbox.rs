//! The S-box and its inverse (FIPS 197, sections 5.1.1 and 5.3.2) as circuits on bit planes.
//!
//! Both are an inversion in GF((2^4)^2) between two linear layers. The inversion and the forms that it takes are those of
//! J. Boyar and R. Peralta: for the S-box of "New logic minimization techniques with applications to cryptology" (IACR
//! ePrint 2009/191), for its inverse of "A depth-16 circuit for the AES S-box" (ePrint 2011/332). So is the first layer
//! of the S-box. Their signals keep the names that they have there. The other layers, of signals `a` and `b`, are ours,
//! found by the papers' method: the sum next made is the one that brings all outputs nearest, with ties broken at random,
//! some thousand times.
//!
//! | gates | published | here |
//! |---|---|---|
//! | S-box, layers | 23 + 30 | 23 + 28 |
//! | inverse, layers | 27 + 37 | 23 + 30 |
//! | inversion | 62 | 63 |
//! | S-box in all | 115 | 114 |
//! | inverse in all | 126 | 116 |
//!
//! In the middle of the inversion, two of its four outputs are taken from the second paper, for one gate more, because
//! they are ready five gates earlier: 1 to 2 % of the time of a block. Circuits of equal size differ in what the
//! compiler makes of them: of some twenty for each layer of outputs, in varied order, those here give four blocks the
//! fewest instructions, 2 to 4 % less than others.
//!
//! Both leave out the affine constant: [`sub_bytes`] gives `S(x) ^ 0x63`, [`inv_sub_bytes`] takes `x ^ 0x63`. The
//! constant lives in the round keys, where it costs nothing; it is what the circuits' XNOR gates are for, which are
//! plain XOR here.
//!
//! The S-box of the second paper as a whole, 128 gates but only 16 deep, was tried for its shorter dependency chain: it
//! takes 3 to 6 % longer than the 115 gates (x86-64, AMD Zen 5). A round has work enough for a wide CPU beside the
//! chain, so that gates count more than depth.

use core::ops::{BitAnd, BitXor};

/// What a plane is made of.
pub(crate) trait Bits: Copy + BitAnd<Output = Self> + BitXor<Output = Self> {}

impl<T: Copy + BitAnd<Output = T> + BitXor<Output = T>> Bits for T {}

/// Inversion in GF((2^4)^2), up to the linear layers around it.
///
/// `f` are the nine pairs of factors whose products it needs twice: once to form the norm in GF(2^4), once for the
/// result; the other argument holds the linear parts of the norm. Returns the products of the norm's inverse with the
/// second (z0..=z8) and with the first (z9..=z17) of each pair.
#[inline(always)]
fn invert<W: Bits>(f: [(W, W); 9], [y20, y19, y21, y18]: [W; 4]) -> ([W; 9], [W; 9]) {
    let t2 = f[0].0 & f[0].1;
    let t3 = f[1].0 & f[1].1;
    let t4 = t3 ^ t2;
    let t5 = f[2].0 & f[2].1;
    let t6 = t5 ^ t2;
    let t7 = f[3].0 & f[3].1;
    let t8 = f[4].0 & f[4].1;
    let t9 = t8 ^ t7;
    let t10 = f[5].0 & f[5].1;
    let t11 = t10 ^ t7;
    let t12 = f[6].0 & f[6].1;
    let t13 = f[7].0 & f[7].1;
    let t14 = t13 ^ t12;
    let t15 = f[8].0 & f[8].1;
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ y20;
    let t22 = t18 ^ y19;
    let t23 = t19 ^ y21;
    let t24 = t20 ^ y18;

    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let m31 = t21 & t24;
    let m32 = t25 & m31;
    let m33 = t25 ^ t26;
    let m34 = t22 & t23;
    let m35 = t30 & m34;
    let m36 = t30 ^ t26;
    let t40 = m32 ^ m33;
    let t37 = m35 ^ m36;
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;

    let inverse = [t44, t37, t33, t43, t40, t29, t42, t45, t41];
    (
        core::array::from_fn(|i| inverse[i] & f[i].1),
        core::array::from_fn(|i| inverse[i] & f[i].0),
    )
}

/// SubBytes without its constant: plane `k` (bit `k` of every byte) of `x` to plane `k` of `S(x) ^ 0x63`.
#[inline(always)]
pub(crate) fn sub_bytes<W: Bits>(s: &mut [W; 8]) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *s;
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    let factors = [
        (y12, y15),
        (y3, y6),
        (y4, x7),
        (y13, y16),
        (y5, y1),
        (y2, y7),
        (y9, y11),
        (y14, y17),
        (y8, y10),
    ];
    let ([z0, z1, z2, z3, z4, z5, z6, z7, z8], [z9, z10, z11, z12, z13, z14, z15, z16, z17]) =
        invert(factors, [y20, y19, y21, y18]);

    let b18 = z15 ^ z17;
    let b19 = z15 ^ z16;
    let b20 = z13 ^ b19;
    let b21 = z10 ^ b19;
    let b22 = z8 ^ z12;
    let b23 = z4 ^ z7;
    let b24 = z9 ^ b21;
    let b25 = z0 ^ z3;
    let b26 = z3 ^ z6;
    let b27 = b23 ^ b26;
    let b28 = b23 ^ b22;
    let b29 = z1 ^ b24;
    let b30 = z4 ^ b29;
    let b31 = b24 ^ b27;
    let b32 = b25 ^ b30;
    let b33 = z2 ^ b25;
    let b34 = z5 ^ b33;
    let b35 = b33 ^ b28;
    let b36 = z14 ^ b35;
    let b37 = z11 ^ b36;
    let b38 = b21 ^ b37;
    let b39 = b27 ^ b36;
    let b40 = b39 ^ b18;
    let b41 = b32 ^ b27;
    let b42 = b32 ^ b34;
    let b43 = b34 ^ b20;
    let b44 = z12 ^ b43;
    let b45 = b35 ^ b43;
    *s = [b44, b45, b38, b42, b32, b40, b41, b31];
}

/// InvSubBytes without its constant: plane `k` of `x ^ 0x63` to plane `k` of the byte whose S-box value is `x`.
#[inline(always)]
pub(crate) fn inv_sub_bytes<W: Bits>(s: &mut [W; 8]) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *s;

    let a8 = u0 ^ u3;
    let a9 = u3 ^ u4;
    let a10 = u0 ^ u1;
    let a11 = a9 ^ a10;
    let a12 = u3 ^ a10;
    let a13 = u7 ^ a9;
    let a14 = u2 ^ a9;
    let a15 = u4 ^ u7;
    let a16 = a12 ^ a13;
    let a17 = u6 ^ a13;
    let a18 = u1 ^ u3;
    let a19 = a17 ^ a18;
    let a20 = a9 ^ a19;
    let a21 = u2 ^ a20;
    let a22 = a11 ^ a17;
    let a23 = a13 ^ a21;
    let a24 = u6 ^ a21;
    let a25 = u0 ^ u5;
    let a26 = u2 ^ a25;
    let a27 = a19 ^ a25;
    let a28 = a20 ^ a25;
    let a29 = a16 ^ a28;
    let a30 = a12 ^ a26;

    let factors = [
        (a22, a30),
        (a8, a12),
        (a20, a26),
        (a17, a23),
        (a18, a13),
        (a19, a21),
        (a9, a28),
        (a11, a29),
        (a10, a16),
    ];
    let ([z0, z1, z2, z3, z4, z5, z6, z7, z8], [z9, z10, z11, z12, z13, z14, z15, z16, z17]) =
        invert(factors, [a27, a15, a24, a14]);

    let b18 = z11 ^ z17;
    let b19 = z10 ^ z14;
    let b20 = z10 ^ b18;
    let b21 = z9 ^ b18;
    let b22 = z15 ^ b21;
    let b23 = z6 ^ z15;
    let b24 = z6 ^ b22;
    let b25 = z12 ^ b23;
    let b26 = z11 ^ z13;
    let b27 = z13 ^ b25;
    let b28 = z3 ^ z4;
    let b29 = z7 ^ b28;
    let b30 = z1 ^ b28;
    let b31 = z16 ^ b27;
    let b32 = b27 ^ b29;
    let b33 = z8 ^ b31;
    let b34 = z2 ^ b33;
    let b35 = z5 ^ b33;
    let b36 = z3 ^ b35;
    let b37 = b31 ^ b24;
    let b38 = b31 ^ b29;
    let b39 = z0 ^ b34;
    let b40 = b34 ^ b30;
    let b41 = b39 ^ b36;
    let b42 = b40 ^ b19;
    let b43 = b42 ^ b26;
    let b44 = b43 ^ b37;
    let b45 = b40 ^ b41;
    let b46 = b41 ^ b32;
    let b47 = b20 ^ b46;
    *s = [b22, b38, b45, b47, b39, b43, b44, b36];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2).
    fn mul(mut a: u8, b: u8) -> u8 {
        let mut product = 0;
        for i in 0..8 {
            if b >> i & 1 == 1 {
                product ^= a;
            }
            a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
        }
        product
    }

    /// The S-box by its definition (FIPS 197, section 5.1.1): the inverse, found by search, then the affine map.
    fn s_box(x: u8) -> u8 {
        let inverse = (0..=255).find(|&y| mul(x, y) == 1).unwrap_or(0);
        (0..5).fold(0x63, |s, i| s ^ inverse.rotate_left(i))
    }

    /// Runs a circuit on every byte, as many at once as the word has bits.
    fn all_bytes<W: Bits>(
        bits: usize,
        word: impl Fn(u64) -> W,
        bit: impl Fn(W, usize) -> bool,
        circuit: fn(&mut [W; 8]),
        input: impl Fn(u8) -> u8,
    ) -> [u8; 256] {
        let mut out = [0; 256];
        for (n, chunk) in out.chunks_mut(bits).enumerate() {
            let mut planes = core::array::from_fn(|k| {
                word((0..bits).fold(0, |w, i| {
                    w | u64::from(input((n * bits + i) as u8) >> k & 1) << i
                }))
            });
            circuit(&mut planes);
            for (i, byte) in chunk.iter_mut().enumerate() {
                *byte = (0..8).fold(0, |b, k| b | u8::from(bit(planes[k], i)) << k);
            }
        }
        out
    }

    #[test]
    fn circuits_match_the_definition_on_every_byte() {
        let expected: [u8; 256] = core::array::from_fn(|x| s_box(x as u8));
        assert_eq!(expected[..4], [0x63, 0x7c, 0x77, 0x7b]);

        let word64 = |w: u64| w;
        let bit64 = |w: u64, i: usize| w >> i & 1 == 1;
        let word32 = |w: u64| w as u32;
        let bit32 = |w: u32, i: usize| w >> i & 1 == 1;

        let forward64 = all_bytes(64, word64, bit64, sub_bytes, |x| x);
        let forward32 = all_bytes(32, word32, bit32, sub_bytes, |x| x);
        let inverse64 = all_bytes(64, word64, bit64, inv_sub_bytes, |x| x ^ 0x63);
        let inverse32 = all_bytes(32, word32, bit32, inv_sub_bytes, |x| x ^ 0x63);
        for x in 0..=255u8 {
            let s = expected[usize::from(x)];
            assert_eq!(forward64[usize::from(x)] ^ 0x63, s);
            assert_eq!(forward32[usize::from(x)] ^ 0x63, s);
            assert_eq!(inverse64[usize::from(s)], x);
            assert_eq!(inverse32[usize::from(s)], x);
        }
    }
}
