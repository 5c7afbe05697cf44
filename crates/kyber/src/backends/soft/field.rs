//! The field of q = 3329 elements: reductions and powers of zeta.

/// The modulus q (FIPS 203, section 2.4).
pub(super) const Q: i16 = 3329;
/// The number of coefficients n.
pub(super) const N: usize = 256;
/// A primitive 256th root of unity modulo q (FIPS 203, section 4.3).
const ZETA: i32 = 17;
/// R = 2^16, the radix of Montgomery's multiplication, modulo q.
const R: i32 = (1 << 16) % Q as i32;

/// `Q` * `Q_INV` = 1 modulo 2^16. Each step of Newton's iteration doubles the correct low bits, from 3 to 24.
const Q_INV: i16 = {
    let mut inverse = Q;
    let mut step = 0;
    while step < 3 {
        inverse = inverse.wrapping_mul(2i16.wrapping_sub(Q.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

/// The representative of a residue that is nearest to zero.
const fn centred(a: i32) -> i16 {
    let a = a.rem_euclid(Q as i32);
    if a > Q as i32 / 2 {
        (a - Q as i32) as i16
    } else {
        a as i16
    }
}

const fn power(base: i32, exponent: u32) -> i32 {
    let mut result = 1;
    let mut i = 0;
    while i < exponent {
        result = result * base % Q as i32;
        i += 1;
    }
    result
}

/// A constant factor for [`multiply`], at most q / 2 in magnitude.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    /// The factor times R modulo q, nearest to zero.
    pub(super) scaled: i16,
    /// `scaled` * `Q_INV` modulo 2^16: saves a multiplication.
    pub(super) scaled_q_inv: i16,
}

impl Factor {
    pub(super) const fn new(factor: i32) -> Self {
        let scaled = centred(factor * R);
        Self {
            scaled,
            scaled_q_inv: scaled.wrapping_mul(Q_INV),
        }
    }
}

/// R: takes the R^-1 of [`montgomery_reduce`] off.
pub(super) const UNSCALE: Factor = Factor::new(R);
/// R / 128: takes the R^-1 of [`montgomery_reduce`] and the 2^7 of the seven layers of the inverse NTT off.
pub(super) const UNSCALE_INVERSE: Factor = Factor::new(R * power((Q as i32 + 1) / 2, 7) % Q as i32);

/// zeta^BitRev7(i) for i in 0..128 (FIPS 203, section 4.3), and their inverses.
pub(super) const ZETAS: [Factor; 128] = bit_reversed_powers(ZETA);
pub(super) const INVERSE_ZETAS: [Factor; 128] = bit_reversed_powers(power(ZETA, 255));

const fn bit_reversed_powers(base: i32) -> [Factor; 128] {
    let mut powers = [Factor::new(1); 128];
    let mut i = 0;
    while i < 128 {
        powers[i] = Factor::new(power(base, (i as u8).reverse_bits() as u32 >> 1));
        i += 1;
    }
    powers
}

/// The upper half of the product.
#[inline(always)]
fn multiply_high(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

/// a * `factor` modulo q, for any `a`.
///
/// The result is at most |a| * q/2 / 2^16 + q/2 in magnitude: less than 0.76 q.
#[inline(always)]
pub(super) fn multiply(a: i16, factor: Factor) -> i16 {
    // The low halves of the two products are equal, so their difference has no borrow into the upper half.
    let m = a.wrapping_mul(factor.scaled_q_inv);
    multiply_high(a, factor.scaled) - multiply_high(m, Q)
}

/// a / R modulo q, for |a| < 2^15 * q.
///
/// The result is at most |a| / 2^16 + q/2 in magnitude.
#[inline(always)]
pub(super) fn montgomery_reduce(a: i32) -> i16 {
    let m = (a as i16).wrapping_mul(Q_INV);
    (a >> 16) as i16 - multiply_high(m, Q)
}

/// The representative that is nearest to zero, |a| <= (q - 1) / 2, for any `a`.
#[inline(always)]
pub(super) fn barrett_reduce(a: i16) -> i16 {
    // 2^26 / q, rounded. The quotient a / q is rounded to the nearest integer; `barrett_is_exact` tries every `a`.
    const FACTOR: i16 = ((1 << 26) / Q as i32 + 1) as i16;
    let quotient = (multiply_high(a, FACTOR) + (1 << 9)) >> 10;
    a.wrapping_sub(quotient.wrapping_mul(Q))
}

/// The representative in 0..q, for any `a`.
#[inline(always)]
pub(super) fn canonical(a: i16) -> u16 {
    let a = barrett_reduce(a);
    // The shift makes a mask of the sign.
    (a + ((a >> 15) & Q)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        assert_eq!(Q.wrapping_mul(Q_INV), 1);
        assert_eq!(R * power(R, Q as u32 - 2) % Q as i32, 1);
        // 17 has order 256: its 128th power is -1.
        assert_eq!(power(ZETA, 128), Q as i32 - 1);
        for (zeta, inverse) in ZETAS.into_iter().zip(INVERSE_ZETAS) {
            assert!(zeta.scaled.abs() <= Q / 2 && inverse.scaled.abs() <= Q / 2);
            let product = i32::from(multiply(zeta.scaled, inverse));
            assert_eq!((product - R).rem_euclid(Q.into()), 0);
        }
        // FIPS 203, appendix A, from its table of zetas.
        let plain = |i: usize| canonical(multiply(1, ZETAS[i]));
        assert_eq!(
            [0, 1, 2, 3, 64, 127].map(plain),
            [1, 1729, 2580, 3289, 17, 2154]
        );
    }

    #[test]
    fn barrett_is_exact() {
        for a in i16::MIN..=i16::MAX {
            let reduced = barrett_reduce(a);
            assert!(reduced.abs() <= Q / 2);
            assert_eq!((i32::from(a) - i32::from(reduced)) % i32::from(Q), 0);
            assert_eq!(i32::from(canonical(a)), i32::from(a).rem_euclid(Q.into()));
        }
    }

    #[test]
    fn multiply_is_exact_for_all_operands() {
        for factor in 0..i32::from(Q) {
            let scaled = Factor::new(factor);
            for a in (i16::MIN..=i16::MAX).step_by(if cfg!(debug_assertions) { 97 } else { 1 }) {
                let product = i32::from(multiply(a, scaled));
                assert_eq!((i32::from(a) * factor - product) % i32::from(Q), 0);
                assert!(product.abs() * 100 < i32::from(Q) * 76);
            }
        }
    }

    #[test]
    fn montgomery_is_exact() {
        let limit = (1 << 15) * i32::from(Q) - 1;
        let edges = (-limit..=limit).step_by(30_011).chain([limit, -1, 0, 1]);
        for a in edges.chain(-70_000..70_000) {
            let reduced = i32::from(montgomery_reduce(a));
            let difference = (i64::from(reduced) << 16) - i64::from(a);
            assert_eq!(difference % i64::from(Q), 0);
            assert!(reduced.abs() <= (a.abs() >> 16) + 1 + i32::from(Q) / 2);
        }
    }
}
