//! A number below 2^131 in limbs of 26 bits and in words of 64.

use super::Words;

/// The lower 26 bits.
pub(crate) const LIMB: u64 = (1 << 26) - 1;

/// The limbs of `h0 + 2^64 h1 + 2^128 h2`, which is below 2^131; the last one has what is above 2^104.
#[inline(always)]
#[allow(dead_code, reason = "for vector kernels, which not every target has")]
pub(crate) fn split([h0, h1, h2]: Words) -> [u64; 5] {
    debug_assert!(h2 < 8);
    [
        h0 & LIMB,
        h0 >> 26 & LIMB,
        (h0 >> 52 | h1 << 12) & LIMB,
        h1 >> 14 & LIMB,
        h1 >> 40 | h2 << 24,
    ]
}

/// The number that limbs of up to 32 bits make, below 2^130 + 2^64, as `h0 + 2^64 h1 + 2^128 h2`.
#[inline(always)]
#[allow(dead_code, reason = "for vector kernels, which not every target has")]
pub(crate) fn join(mut limbs: [u64; 5]) -> Words {
    debug_assert!(limbs.iter().all(|limb| limb >> 32 == 0));
    let mut carry = 0;
    for limb in &mut limbs {
        *limb += carry;
        carry = *limb >> 26;
        *limb &= LIMB;
    }
    let [l0, l1, l2, l3, l4] = limbs;
    let low = u128::from(l0 + 5 * carry + (l1 << 26)) + (u128::from(l2) << 52);
    let high = u128::from((low >> 64) as u64 + (l3 << 14)) + (u128::from(l4) << 40);
    [low as u64, high as u64, (high >> 64) as u64]
}

/// The number that limbs below 2^27 make, as `h0 + 2^64 h1 + 2^128 h2`.
#[inline(always)]
#[allow(dead_code, reason = "for vector kernels, which not every target has")]
pub(crate) fn join_carried([l0, l1, l2, l3, l4]: [u64; 5]) -> Words {
    debug_assert!([l0, l1, l2, l3, l4].iter().all(|limb| limb >> 27 == 0));
    let low = u128::from(l0 + (l1 << 26)) + (u128::from(l2) << 52);
    let high = u128::from((low >> 64) as u64 + (l3 << 14)) + (u128::from(l4) << 40);
    [low as u64, high as u64, (high >> 64) as u64]
}
