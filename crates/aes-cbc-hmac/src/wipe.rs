//! Overwriting secrets that are no longer needed.

/// Overwrites the values, if the feature `zeroize` is on.
#[cfg(feature = "zeroize")]
#[inline(always)]
pub(crate) fn wipe<T: zeroize::DefaultIsZeroes>(values: &mut [T]) {
    zeroize::Zeroize::zeroize(values);
}

/// Overwrites the values, if the feature `zeroize` is on.
#[cfg(not(feature = "zeroize"))]
#[inline(always)]
pub(crate) fn wipe<T>(_: &mut [T]) {}
