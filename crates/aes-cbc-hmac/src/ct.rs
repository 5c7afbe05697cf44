//! Masks: the one place where a secret decides something.

#![forbid(unsafe_code)]

use core::{
    fmt,
    hint::black_box,
    ops::{BitAnd, Not},
};

/// All ones or all zeros.
///
/// `black_box` hides from the compiler that there are but two values: a select between two of them is what it may turn
/// into a branch.
#[derive(Clone, Copy)]
pub struct Mask(u32);

impl Mask {
    #[inline(always)]
    fn from_top_bit(x: u32) -> Self {
        Self(black_box((x as i32 >> 31) as u32))
    }

    /// Whether `a < b`; both must be below 2^31.
    #[inline(always)]
    pub(crate) fn lt(a: u32, b: u32) -> Self {
        Self::from_top_bit(a.wrapping_sub(b))
    }

    #[inline(always)]
    pub(crate) fn is_zero(x: u32) -> Self {
        !Self::from_top_bit(x | x.wrapping_neg())
    }

    #[inline(always)]
    pub(crate) fn u8(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    pub(crate) fn u32(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn u64(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.0)
    }

    /// What the mask says, from now on public: the caller says why it may be.
    #[inline(always)]
    pub(crate) fn declassify(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mask").finish_non_exhaustive()
    }
}

impl BitAnd for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for Mask {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Makes `masks[i]` all ones for each `i < end` and zero for the others.
///
/// `end` may lie before and after the masks; its distance to each of them must be below 2^15. The loop works on 16-bit
/// lanes and has no `black_box` inside, so that the compiler can make vectors of it; the masks go through `black_box`
/// together.
#[inline(always)]
pub(crate) fn below(masks: &mut [u8], end: i16) -> &[u8] {
    for (i, mask) in masks.iter_mut().enumerate() {
        *mask = ((i as i16).wrapping_sub(end) >> 15) as u8;
    }
    black_box(masks)
}

/// Whether two slices of the same public length are equal.
#[inline(always)]
pub(crate) fn eq(a: &[u8], b: &[u8]) -> Mask {
    debug_assert_eq!(a.len(), b.len());
    let different = a.iter().zip(b).fold(0, |acc, (a, b)| acc | (a ^ b));
    Mask::is_zero(u32::from(different))
}

/// The size of the window that [`move_to_front`] works on: 256 places and the largest MAC less one byte.
pub(crate) const WINDOW_SIZE: usize = 255 + 48;

/// Moves the `size` bytes at the secret place `at` of the window to its front; the rest of it becomes rubbish.
///
/// `at <= last`, and `last <= 255` is public. A barrel shifter: each step moves all bytes that can still matter by a
/// power of two or leaves them. It touches about `9 * size + 512` bytes in vectors; to collect the bytes modulo `size`
/// and rotate them touches fewer, but one by one.
#[inline(always)]
pub(crate) fn move_to_front(window: &mut [u8; WINDOW_SIZE], at: u32, last: usize, size: usize) {
    #[inline(always)]
    fn step<const STEP: usize>(window: &mut [u8; WINDOW_SIZE], at: u32, last: usize, size: usize) {
        if STEP > last {
            return;
        }
        let mask = (!Mask::is_zero(at & STEP as u32)).u8();
        let kept = size + STEP - 1;
        let window = &mut window[..kept + STEP];
        for i in 0..kept {
            window[i] ^= mask & (window[i] ^ window[i + STEP]);
        }
    }
    debug_assert!(last < 256 && size <= 48);
    step::<128>(window, at, last, size);
    step::<64>(window, at, last, size);
    step::<32>(window, at, last, size);
    step::<16>(window, at, last, size);
    step::<8>(window, at, last, size);
    step::<4>(window, at, last, size);
    step::<2>(window, at, last, size);
    step::<1>(window, at, last, size);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks() {
        for (a, b) in [
            (0, 0),
            (0, 1),
            (1, 0),
            (255, 256),
            (256, 255),
            (0, i32::MAX as u32),
        ] {
            assert_eq!(Mask::lt(a, b).declassify(), a < b);
            assert_eq!(Mask::lt(a, b).u32(), if a < b { u32::MAX } else { 0 });
            assert_eq!(Mask::lt(a, b).u64(), if a < b { u64::MAX } else { 0 });
            assert_eq!(Mask::lt(a, b).u8(), if a < b { 0xff } else { 0 });
        }
        for x in [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            assert_eq!(Mask::is_zero(x).declassify(), x == 0);
        }
    }

    #[test]
    fn below_every_end() {
        let mut masks = [0; 300];
        for end in -20_000..20_000i16 {
            let masks = below(&mut masks, end);
            for i in [0, 1, 15, 16, 127, 128, 255, 256, 299] {
                assert_eq!(masks[i], if (i as i16) < end { 0xff } else { 0 });
            }
        }
    }

    #[test]
    fn move_to_front_from_every_place() {
        let bytes: [u8; WINDOW_SIZE] = core::array::from_fn(|i| (i * 7 + i / 256) as u8);
        for size in [20, 32, 48] {
            for last in 0..256 {
                for at in 0..=last {
                    let mut window = bytes;
                    move_to_front(&mut window, at as u32, last, size);
                    assert_eq!(window[..size], bytes[at..][..size]);
                }
            }
        }
    }

    #[test]
    fn equality() {
        let a = [1, 2, 3];
        assert!(eq(&a, &a).declassify());
        for i in 0..3 {
            for bit in 0..8 {
                let mut b = a;
                b[i] ^= 1 << bit;
                assert!(!eq(&a, &b).declassify());
            }
        }
    }
}
