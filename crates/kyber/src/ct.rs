//! Masks from secrets: the one place where they are made.

use core::hint::black_box;

/// All ones for 1, zero for 0, in each place.
///
/// A compiler that knows a mask to be one of two values may make a branch of its use (so did Clang with the message
/// bits of Kyber's reference code). Behind the black box it knows nothing.
#[inline(always)]
pub(crate) fn masks<const N: usize>(bits: [u16; N]) -> [u16; N] {
    black_box(bits.map(u16::wrapping_neg))
}

/// All ones if the strings, of equal length, are equal, zero otherwise.
#[must_use]
pub(crate) fn equal_mask(a: &[u8], b: &[u8]) -> u8 {
    debug_assert_eq!(a.len(), b.len());
    let difference = a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b));
    // Bit 8 of this is 1 only for a difference of zero.
    let [mask] = masks([(u16::from(difference).wrapping_sub(1) >> 8) & 1]);
    mask as u8
}

/// Copies `source` to `target` where the mask is all ones; leaves `target` where it is zero.
pub(crate) fn copy_if(mask: u8, target: &mut [u8; 32], source: &[u8; 32]) {
    for (t, s) in target.iter_mut().zip(source) {
        *t ^= mask & (*t ^ s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_of_a_byte_is_seen() {
        let a = [0x5a; 40];
        assert_eq!(equal_mask(&a, &a), 0xff);
        assert_eq!(equal_mask(&[], &[]), 0xff);
        for position in 0..40 {
            for difference in 1..=255 {
                let mut b = a;
                b[position] ^= difference;
                assert_eq!(equal_mask(&a, &b), 0);
            }
        }
    }

    #[test]
    fn copies_all_or_nothing() {
        let mut target = [0xf0; 32];
        copy_if(0, &mut target, &[0x3c; 32]);
        assert_eq!(target, [0xf0; 32]);
        copy_if(0xff, &mut target, &[0x3c; 32]);
        assert_eq!(target, [0x3c; 32]);
    }
}
