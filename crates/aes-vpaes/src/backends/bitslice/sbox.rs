//! The S-box and its inverse (FIPS 197, sections 5.1.1 and 5.3.2) as circuits on bit planes.
//!
//! The circuits are those of J. Boyar and R. Peralta: for the S-box the small one of "New logic minimization techniques
//! with applications to cryptology" (IACR ePrint 2009/191), 115 gates; for its inverse the linear layers of "A depth-16
//! circuit for the AES S-box" (ePrint 2011/332). Both are an inversion in GF((2^4)^2) between two linear layers, and
//! share that of the first paper, which makes 126 gates of the 127 of the second's inverse. The signals keep the names
//! that they have there.
//!
//! Both leave out the affine constant: [`sub_bytes`] gives `S(x) ^ 0x63`, [`inv_sub_bytes`] takes `x ^ 0x63`. The
//! constant lives in the round keys, where it costs nothing; it is what the circuits' XNOR gates are for, which are
//! plain XOR here.
//!
//! The S-box of the second paper, 128 gates but only 16 deep against 28, was tried for its shorter dependency chain:
//! one AES-128 block took 129 ns instead of 125, 8 KiB of CTR 20.8 us instead of 19.7, key setup the same (x86-64, AMD
//! Zen 5). A round has work enough for a wide CPU beside the chain, so that gates count, not depth.

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
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;
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

    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let s0 = t59 ^ t63;
    let s6 = t56 ^ t62;
    let s7 = t48 ^ t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;
    let s5 = t47 ^ t65;
    let s1 = t64 ^ s3;
    let s2 = t55 ^ t67;
    *s = [s7, s6, s5, s4, s3, s2, s1, s0];
}

/// InvSubBytes without its constant: plane `k` of `x ^ 0x63` to plane `k` of the byte whose S-box value is `x`.
#[inline(always)]
pub(crate) fn inv_sub_bytes<W: Bits>(s: &mut [W; 8]) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *s;

    let t23 = u0 ^ u3;
    let t22 = u1 ^ u3;
    let t2 = u0 ^ u1;
    let t1 = u3 ^ u4;
    let t24 = u4 ^ u7;
    let r5 = u6 ^ u7;
    let t8 = u1 ^ t23;
    let t19 = t22 ^ r5;
    let t9 = u7 ^ t1;
    let t10 = t2 ^ t24;
    let t13 = t2 ^ r5;
    let t3 = t1 ^ r5;
    let t25 = u2 ^ t1;
    let r13 = u1 ^ u6;
    let t17 = u2 ^ t19;
    let t20 = t24 ^ r13;
    let t4 = u4 ^ t8;
    let r17 = u2 ^ u5;
    let r18 = u5 ^ u6;
    let r19 = u2 ^ u4;
    let y5 = u0 ^ r17;
    let t6 = t22 ^ r17;
    let t16 = r13 ^ r19;
    let t27 = t1 ^ r18;
    let t15 = t10 ^ t27;
    let t14 = t10 ^ r18;
    let t26 = t3 ^ t16;

    let factors = [
        (t13, t6),
        (t23, t8),
        (t19, y5),
        (t3, t16),
        (t22, t9),
        (t20, t17),
        (t1, t15),
        (t4, t27),
        (t2, t10),
    ];
    let (
        [m46, m47, m48, m49, m50, m51, m52, m53, m54],
        [m55, m56, m57, m58, m59, m60, m61, m62, m63],
    ) = invert(factors, [t14, t24, t26, t25]);

    let p0 = m52 ^ m61;
    let p1 = m58 ^ m59;
    let p2 = m54 ^ m62;
    let p3 = m47 ^ m50;
    let p4 = m48 ^ m56;
    let p5 = m46 ^ m51;
    let p6 = m49 ^ m60;
    let p7 = p0 ^ p1;
    let p8 = m50 ^ m53;
    let p9 = m55 ^ m63;
    let p10 = m57 ^ p4;
    let p11 = p0 ^ p3;
    let p12 = m46 ^ m48;
    let p13 = m49 ^ m51;
    let p14 = m49 ^ m62;
    let p15 = m54 ^ m59;
    let p16 = m57 ^ m61;
    let p17 = m58 ^ p2;
    let p18 = m63 ^ p5;
    let p19 = p2 ^ p3;
    let p20 = p4 ^ p6;
    let p22 = p2 ^ p7;
    let p23 = p7 ^ p8;
    let p24 = p5 ^ p7;
    let p25 = p6 ^ p10;
    let p26 = p9 ^ p11;
    let p27 = p10 ^ p18;
    let p28 = p11 ^ p25;
    let p29 = p15 ^ p20;

    *s = [
        p9 ^ p16,
        p14 ^ p23,
        p19 ^ p24,
        p23 ^ p27,
        p12 ^ p22,
        p17 ^ p28,
        p26 ^ p29,
        p13 ^ p22,
    ];
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
