//! KangarooTwelve with a customization string, as a hasher.

use core::fmt;

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update,
    common::AlgorithmName,
    consts::{U16, U32},
};

use crate::Backend;
use crate::kt::{Kt, KtReader};

/// [`Kt`] with a borrowed customization string C.
#[derive(Clone)]
pub struct CustomRefKt<'a, const RATE: usize> {
    hasher: Kt<RATE>,
    customization: &'a [u8],
}

/// KT128 (RFC 9861, section 3) with a borrowed customization string.
pub type CustomRefKt128<'a> = CustomRefKt<'a, 168>;
/// KT256 (RFC 9861, section 3) with a borrowed customization string.
pub type CustomRefKt256<'a> = CustomRefKt<'a, 136>;

impl<'a, const RATE: usize> CustomRefKt<'a, RATE> {
    /// A hasher with the customization string C.
    #[must_use]
    #[inline]
    pub fn new_customized(customization: &'a [u8]) -> Self {
        Self {
            hasher: Kt::default(),
            customization,
        }
    }

    /// [`new_customized`](Self::new_customized) on the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend(backend: Backend, customization: &'a [u8]) -> Option<Self> {
        Kt::with_backend(backend).map(|hasher| Self {
            hasher,
            customization,
        })
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.hasher.backend()
    }
}

impl<const RATE: usize> Default for CustomRefKt<'static, RATE> {
    #[inline]
    fn default() -> Self {
        Self::new_customized(&[])
    }
}

impl<const RATE: usize> Update for CustomRefKt<'_, RATE> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.hasher.update(data);
    }
}

impl<const RATE: usize> ExtendableOutput for CustomRefKt<'_, RATE> {
    type Reader = KtReader<RATE>;

    #[inline]
    fn finalize_xof(self) -> Self::Reader {
        self.hasher.finalize_xof_customized(self.customization)
    }
}

impl<const RATE: usize> ExtendableOutputReset for CustomRefKt<'_, RATE> {
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        self.hasher
            .finalize_xof_customized_reset(self.customization)
    }
}

impl<const RATE: usize> Reset for CustomRefKt<'_, RATE> {
    #[inline]
    fn reset(&mut self) {
        self.hasher.reset();
    }
}

impl<const RATE: usize> HashMarker for CustomRefKt<'_, RATE> {}

impl<const RATE: usize> AlgorithmName for CustomRefKt<'_, RATE> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Kt::<RATE>::write_alg_name(f)
    }
}

impl<const RATE: usize> fmt::Debug for CustomRefKt<'_, RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if RATE == 168 {
            "CustomRefKt128 { .. }"
        } else {
            "CustomRefKt256 { .. }"
        })
    }
}

// RFC 9861, section 7: 128 and 256 bits.
impl CollisionResistance for CustomRefKt128<'_> {
    type CollisionResistance = U16;
}

impl CollisionResistance for CustomRefKt256<'_> {
    type CollisionResistance = U32;
}

/// The customization string, which is borrowed, is not wiped.
#[cfg(feature = "zeroize")]
impl<const RATE: usize> zeroize::ZeroizeOnDrop for CustomRefKt<'_, RATE> {}
