//! Overwriting of secrets that are no longer needed, if the feature `zeroize` is on.

use core::ops::{Deref, DerefMut};

/// Plain data that can be overwritten with zeros: integers and arrays of them.
pub trait Wipe: Copy {
    /// All zero.
    const ZERO: Self;

    /// Overwrites with zeros.
    #[inline(always)]
    fn wipe(&mut self) {
        #[cfg(feature = "zeroize")]
        {
            *self = Self::ZERO;
            zeroize::optimization_barrier(self);
        }
    }
}

impl Wipe for u8 {
    const ZERO: Self = 0;
}

impl Wipe for i16 {
    const ZERO: Self = 0;
}

impl Wipe for u16 {
    const ZERO: Self = 0;
}

impl<T: Wipe, const N: usize> Wipe for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// Overwrites bytes with zeros.
#[inline(always)]
pub(crate) fn wipe_slice(bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(bytes);
    #[cfg(not(feature = "zeroize"))]
    let _ = bytes;
}

/// A secret that is wiped when it goes out of scope.
#[derive(Clone)]
pub(crate) struct Secret<T: Wipe>(pub(crate) T);

impl<T: Wipe> Secret<T> {
    pub(crate) const ZERO: Self = Self(T::ZERO);
}

impl<T: Wipe> Deref for Secret<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Wipe> DerefMut for Secret<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Wipe> Drop for Secret<T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.wipe();
    }
}
