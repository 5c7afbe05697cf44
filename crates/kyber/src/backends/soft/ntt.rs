//! The NTT, its inverse and the product of vectors in its domain (FIPS 203, section 4.3).
//!
//! A polynomial is a square of sixteen rows of sixteen coefficients. The first four layers pair whole rows. The last
//! three pair coefficients of one row; for them the square is transposed, so that they pair whole rows as well:
//!
//! ```text
//!          normal order                 NTT order
//! row 0    f0    f1   ...  f15          f0   f16  ...  f240
//! row 1    f16   f17  ...  f31          f1   f17  ...  f241
//! ...
//! row 15   f240  f241 ...  f255         f15  f31  ...  f255
//! ```
//!
//! NTT order stays until the inverse NTT. Its rows 2i and 2i + 1 are the halves of sixteen elements of the domain, so
//! that products of elements need no shuffle either; sampling and (de)serialisation move coefficient `i` to
//! [`ntt_position`] for almost nothing.

use super::field::{
    Factor, INVERSE_ZETAS, N, Q, UNSCALE, UNSCALE_INVERSE, ZETAS, barrett_reduce, canonical,
    montgomery_reduce, multiply,
};

/// Rows and coefficients in a row.
const SIDE: usize = 16;
type Row = [i16; SIDE];

/// Where coefficient `i` of a polynomial stands in NTT order: row and column change places.
#[inline(always)]
pub(super) const fn ntt_position(i: usize) -> usize {
    (i as u8).rotate_left(4) as usize
}

/// A factor for each of the sixteen columns of a row.
struct FactorRow {
    scaled: Row,
    scaled_q_inv: Row,
}

impl FactorRow {
    #[inline(always)]
    fn at(&self, column: usize) -> Factor {
        Factor {
            scaled: self.scaled[column],
            scaled_q_inv: self.scaled_q_inv[column],
        }
    }
}

/// The factors of the last three layers, one row of them for each group of rows.
struct RowFactors {
    layer_5: [FactorRow; 1],
    layer_6: [FactorRow; 2],
    layer_7: [FactorRow; 4],
}

const fn row_factors<const GROUPS: usize>(powers: &[Factor; 128]) -> [FactorRow; GROUPS] {
    const ZERO: FactorRow = FactorRow {
        scaled: [0; SIDE],
        scaled_q_inv: [0; SIDE],
    };
    let mut factors = [ZERO; GROUPS];
    let mut group = 0;
    while group < GROUPS {
        let mut column = 0;
        while column < SIDE {
            let factor = powers[GROUPS * (SIDE + column) + group];
            factors[group].scaled[column] = factor.scaled;
            factors[group].scaled_q_inv[column] = factor.scaled_q_inv;
            column += 1;
        }
        group += 1;
    }
    factors
}

impl RowFactors {
    const fn new(powers: &[Factor; 128]) -> Self {
        Self {
            layer_5: row_factors(powers),
            layer_6: row_factors(powers),
            layer_7: row_factors(powers),
        }
    }
}

static ROW_ZETAS: RowFactors = RowFactors::new(&ZETAS);
static INVERSE_ROW_ZETAS: RowFactors = RowFactors::new(&INVERSE_ZETAS);

#[inline(always)]
fn rows(f: &mut [i16; N]) -> &mut [Row; SIDE] {
    let (rows, _) = f.as_chunks_mut();
    rows.try_into().expect("256 is 16 times 16")
}

/// The largest magnitude, for the bounds that debug builds check.
fn magnitude(f: &[i16; N]) -> i32 {
    f.iter().map(|&c| i32::from(c).abs()).max().unwrap_or(0)
}

#[inline(always)]
fn transpose(f: &mut [Row; SIDE]) {
    for i in 1..SIDE {
        let (above, below) = f.split_at_mut(i);
        for (row, c) in above.iter_mut().zip(&mut below[0]) {
            core::mem::swap(&mut row[i], c);
        }
    }
}

/// One layer: the butterfly of rows `start + i` and `start + len + i` for every `i` below `len` and every `start` that
/// is a multiple of 2 `len`, with the factors that `factor` gives for the number of the group and the column.
#[inline(always)]
fn layer(
    f: &mut [Row; SIDE],
    len: usize,
    butterfly: impl Fn(i16, i16, Factor) -> (i16, i16),
    factor: impl Fn(usize, usize) -> Factor,
) {
    for (group, rows) in f.chunks_exact_mut(2 * len).enumerate() {
        let (upper, lower) = rows.split_at_mut(len);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            for column in 0..SIDE {
                (upper[column], lower[column]) =
                    butterfly(upper[column], lower[column], factor(group, column));
            }
        }
    }
}

/// Cooley and Tukey's butterfly; each output exceeds the larger input by less than 0.76 q.
#[inline(always)]
fn forward(a: i16, b: i16, zeta: Factor) -> (i16, i16) {
    let t = multiply(b, zeta);
    (a + t, a - t)
}

/// Gentleman and Sande's butterfly without the division by 2; the first output may be as large as the inputs together.
#[inline(always)]
fn inverse(a: i16, b: i16, inverse_zeta: Factor) -> (i16, i16) {
    (a + b, multiply(a - b, inverse_zeta))
}

/// Algorithm 9, NTT, in place: from normal order to NTT order, for |f| <= 4 q.
///
/// The result is at most (q - 1) / 2 in magnitude.
pub(crate) fn ntt(f: &mut [i16; N]) {
    debug_assert!(magnitude(f) <= 4 * i32::from(Q));
    let f = rows(f);
    layer(f, 8, forward, |group, _| ZETAS[1 + group]);
    layer(f, 4, forward, |group, _| ZETAS[2 + group]);
    layer(f, 2, forward, |group, _| ZETAS[4 + group]);
    layer(f, 1, forward, |group, _| ZETAS[8 + group]);
    transpose(f);
    let zetas = &ROW_ZETAS;
    layer(f, 8, forward, |group, column| {
        zetas.layer_5[group].at(column)
    });
    layer(f, 4, forward, |group, column| {
        zetas.layer_6[group].at(column)
    });
    layer(f, 2, forward, |group, column| {
        zetas.layer_7[group].at(column)
    });
    // 4 q + 7 * 0.76 q < 9.4 q < 2^15.
    for c in f.as_flattened_mut() {
        *c = barrett_reduce(*c);
    }
}

/// Algorithm 10, NTT^-1, in place: from NTT order to normal order, times R, for |f| < 0.9 q.
///
/// The result is less than 0.76 q in magnitude.
pub(crate) fn inverse_ntt(f: &mut [i16; N]) {
    debug_assert!(10 * magnitude(f) < 9 * i32::from(Q));
    let f = rows(f);
    let zetas = &INVERSE_ROW_ZETAS;
    layer(f, 2, inverse, |group, column| {
        zetas.layer_7[group].at(column)
    });
    layer(f, 4, inverse, |group, column| {
        zetas.layer_6[group].at(column)
    });
    layer(f, 8, inverse, |group, column| {
        zetas.layer_5[group].at(column)
    });
    // 8 * 0.9 q = 7.2 q here; the four layers below make at most 16 * q/2 = 8 q. Both are less than 2^15 = 9.8 q.
    for c in f.as_flattened_mut() {
        *c = barrett_reduce(*c);
    }
    transpose(f);
    layer(f, 1, inverse, |group, _| INVERSE_ZETAS[8 + group]);
    layer(f, 2, inverse, |group, _| INVERSE_ZETAS[4 + group]);
    layer(f, 4, inverse, |group, _| INVERSE_ZETAS[2 + group]);
    layer(f, 8, inverse, |group, _| INVERSE_ZETAS[1 + group]);
    for c in f.as_flattened_mut() {
        *c = multiply(*c, UNSCALE_INVERSE);
    }
}

/// Rows 2 i and 2 i + 1: sixteen elements of the domain.
#[inline(always)]
fn half_rows(f: &[i16; N], i: usize) -> &[Row; 2] {
    &f.as_chunks::<SIDE>().0.as_chunks().0[i]
}

/// The sum over j of `a[j]` * `b[j]` (Algorithms 11 and 12), divided by R, for at most four pairs with |a| < q and
/// |b| < q.
///
/// The result is less than 0.9 q in magnitude.
#[inline(always)]
pub(crate) fn inner_product<'a>(
    pairs: impl Iterator<Item = (&'a [i16; N], &'a [i16; N])> + Clone,
) -> [i16; N] {
    debug_assert!(pairs.clone().count() <= 4);
    debug_assert!(
        pairs
            .clone()
            .all(|(a, b)| magnitude(a).max(magnitude(b)) < i32::from(Q))
    );
    let mut sum = [0; N];
    // Rows 4i and 4i + 1 are elements modulo X^2 - zeta, rows 4i + 2 and 4i + 3 modulo X^2 + zeta.
    for (i, out) in rows(&mut sum).as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let zetas = &ROW_ZETAS.layer_7[i / 2];
        let (mut sum_0, mut sum_1) = ([0i32; SIDE], [0i32; SIDE]);
        for (a, b) in pairs.clone() {
            let ([a0, a1], [b0, b1]) = (half_rows(a, i), half_rows(b, i));
            for column in 0..SIDE {
                // |b1| < q, so this is at most q/2 * q / 2^16 + q/2 < 0.53 q. The sums stay below 4 * 2 q^2 < 2^27.
                let zeta_b1 = i32::from(multiply(b1[column], zetas.at(column)));
                let zeta_b1 = if i % 2 == 0 { zeta_b1 } else { -zeta_b1 };
                let (a0, a1) = (i32::from(a0[column]), i32::from(a1[column]));
                let (b0, b1) = (i32::from(b0[column]), i32::from(b1[column]));
                sum_0[column] += a0 * b0 + a1 * zeta_b1;
                sum_1[column] += a0 * b1 + a1 * b0;
            }
        }
        // 8 q^2 / 2^16 < 0.41 q, and q/2 from the reduction.
        for column in 0..SIDE {
            out[0][column] = montgomery_reduce(sum_0[column]);
            out[1][column] = montgomery_reduce(sum_1[column]);
        }
    }
    debug_assert!(10 * magnitude(&sum) < 9 * i32::from(Q));
    sum
}

/// Adds each coefficient of `product` times R to that of `sum`, with results in 0..q, for |product| < 0.9 q and
/// |sum| <= q.
pub(crate) fn unscale_and_add(product: &[i16; N], sum: &mut [i16; N]) {
    debug_assert!(10 * magnitude(product) < 9 * i32::from(Q) && magnitude(sum) <= i32::from(Q));
    for (s, &p) in sum.iter_mut().zip(product) {
        *s = canonical(multiply(p, UNSCALE) + *s) as i16;
    }
}

/// Replaces each coefficient of `f` by that of `minuend` minus itself, for sums below 2^15.
pub(crate) fn subtract_from(minuend: &[i16; N], f: &mut [i16; N]) {
    for (f, &m) in f.iter_mut().zip(minuend) {
        *f = m - *f;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coefficients below q without a pattern.
    fn polynomial(seed: u32) -> [i16; N] {
        let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
        core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) % Q as u32) as i16
        })
    }

    /// The product in Z_q[X] / (X^256 + 1), term by term.
    fn schoolbook(a: &[i16; N], b: &[i16; N]) -> [i32; N] {
        let mut product = [0i32; N];
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                let term = i32::from(x) * i32::from(y) % i32::from(Q);
                let sign = if i + j < N { 1 } else { -1 };
                product[(i + j) % N] += sign * term;
            }
        }
        product.map(|c| c.rem_euclid(Q.into()))
    }

    fn plain(f: &[i16; N]) -> [i32; N] {
        f.map(|c| canonical(c).into())
    }

    /// The NTT by its definition: f modulo each X^2 - zeta^(2 BitRev7(i) + 1) (FIPS 203, section 4.3).
    #[test]
    fn ntt_is_as_defined() {
        for seed in 0..20 {
            let f = polynomial(seed);
            let mut transformed = f;
            ntt(&mut transformed);
            for i in 0..128 {
                let exponent = 2 * (u32::from((i as u8).reverse_bits()) >> 1) + 1;
                let root = (0..exponent).fold(1, |power, _| power * 17 % i32::from(Q));
                for half in 0..2 {
                    let value = (0..128).rev().fold(0, |value, j| {
                        (value * root + i32::from(f[2 * j + half])) % i32::from(Q)
                    });
                    let position = ntt_position(2 * i + half);
                    assert_eq!(i32::from(canonical(transformed[position])), value);
                }
            }
        }
    }

    #[test]
    fn products_equal_schoolbook() {
        for seed in 0..20 {
            for count in 1..=4 {
                let a: [_; 4] = core::array::from_fn(|i| polynomial(seed + 100 * i as u32));
                let b: [_; 4] = core::array::from_fn(|i| polynomial(seed + 100 * i as u32 + 50));
                let mut expected = [0; N];
                for (a, b) in a.iter().zip(&b).take(count) {
                    for (sum, term) in expected.iter_mut().zip(schoolbook(a, b)) {
                        *sum = (*sum + term) % i32::from(Q);
                    }
                }
                let (mut a_ntt, mut b_ntt) = (a, b);
                a_ntt.iter_mut().chain(&mut b_ntt).for_each(ntt);
                let product = inner_product(a_ntt.iter().zip(&b_ntt).take(count));
                let mut normal = product;
                inverse_ntt(&mut normal);
                assert_eq!(plain(&normal), expected);

                // The same without the inverse: NTT(sum) = unscaled product.
                let mut unscaled = [0; N];
                unscale_and_add(&product, &mut unscaled);
                let mut sum = expected.map(|c| c as i16);
                ntt(&mut sum);
                assert_eq!(plain(&unscaled), plain(&sum));
            }
        }
    }

    /// Inputs at the ends of the allowed ranges; the assertions on bounds and the overflow checks of debug builds are
    /// what this test is for.
    #[test]
    fn extreme_inputs() {
        for value in [4 * Q, -4 * Q, Q - 1, 1 - Q] {
            for sign in [1, -1] {
                for period in [1, 2, 4, 8, 16, 32, 64, 128, 256] {
                    let mut f: [i16; N] = core::array::from_fn(|i| {
                        if i % (2 * period) < period {
                            value
                        } else {
                            sign * value
                        }
                    });
                    let expected = plain(&f);
                    ntt(&mut f);
                    let mut one = [0; N];
                    one[0] = 1;
                    ntt(&mut one);
                    let mut product = inner_product([(&f, &one)].into_iter());
                    inverse_ntt(&mut product);
                    assert_eq!(plain(&product), expected);
                }
            }
        }
        for a in [1 - Q, Q - 1] {
            for b in [1 - Q, Q - 1] {
                let (a, b) = ([a; N], [b; N]);
                let mut product = inner_product([(&a, &b); 4].into_iter());
                inverse_ntt(&mut product);
            }
        }
        // The largest input of the inverse, in one sign and with each sign pattern of a layer.
        let limit = Q / 10 * 9 - 1;
        for period in [1, 2, 4, 8, 16, 32, 64, 128, 256] {
            let mut f = core::array::from_fn(|i| {
                if i % (2 * period) < period {
                    limit
                } else {
                    -limit
                }
            });
            inverse_ntt(&mut f);
            assert!(100 * magnitude(&f) < 76 * i32::from(Q));
        }
    }
}
