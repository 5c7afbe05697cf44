//! Wiping of what was secret, with feature `zeroize`.

#[cfg(feature = "zeroize")]
pub(crate) use zeroize::DefaultIsZeroes as Wipe;

#[cfg(not(feature = "zeroize"))]
pub(crate) trait Wipe {}
#[cfg(not(feature = "zeroize"))]
impl<T> Wipe for T {}

/// Overwrites what was secret with zeros.
#[inline]
pub(crate) fn wipe<T: Wipe>(secret: &mut [T]) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(secret);
    #[cfg(not(feature = "zeroize"))]
    let _ = secret;
}

/// Overwrites what was secret with `value`.
#[inline]
pub(crate) fn overwrite<T>(secret: &mut T, value: T) {
    #[cfg(feature = "zeroize")]
    {
        *secret = value;
        zeroize::optimization_barrier(secret);
    }
    #[cfg(not(feature = "zeroize"))]
    let _ = (secret, value);
}
