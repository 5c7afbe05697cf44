//! cSHAKE (SP 800-185, section 3).

use core::fmt;

use digest::{
    CollisionResistance, CustomizedInit, ExtendableOutput, HashMarker, Update,
    common::AlgorithmName,
    consts::{U16, U32},
};

use crate::backends::Token;
use crate::consts::{F1600_ROUNDS, is_xof_rate};
use crate::encode::{bits, left_encode};
use crate::sponge::Sponge;
use crate::xof::SHAKE_SUFFIX;
use crate::{Backend, SpongeReader};

/// The domain separation bits 00 of cSHAKE, then the first bit of the padding.
pub(crate) const CSHAKE_SUFFIX: u8 = 0x04;

/// cSHAKE (SP 800-185, section 3) with a rate of `RATE` bytes: 168 is cSHAKE128, 136 is cSHAKE256. Another rate fails to compile.
///
/// It has no `Reset`, since that would need a second state: clone a hasher that has absorbed its names instead.
///
/// ```
/// use keccak_unrolled::{CShake128, CustomizedInit, ExtendableOutput, Update};
///
/// let mut out = [0; 32];
/// CShake128::new_customized(b"Email Signature").chain(b"message").finalize_xof_into(&mut out);
/// ```
#[derive(Clone)]
pub struct CShake<const RATE: usize> {
    sponge: Sponge<RATE, F1600_ROUNDS>,
    suffix: u8,
}

/// cSHAKE128: security strength 128 bits, rate 168 bytes.
pub type CShake128 = CShake<168>;
/// cSHAKE256: security strength 256 bits, rate 136 bytes.
pub type CShake256 = CShake<136>;

/// Output of cSHAKE.
pub type CShakeReader<const RATE: usize> = SpongeReader<RATE, F1600_ROUNDS>;
/// Output of cSHAKE128.
pub type CShake128Reader = CShakeReader<168>;
/// Output of cSHAKE256.
pub type CShake256Reader = CShakeReader<136>;

impl<const RATE: usize> CShake<RATE> {
    /// A hasher with the function name N, which is for NIST to give, and the customization string S. With both
    /// empty it is SHAKE.
    #[must_use]
    pub fn new_with_function_name(function_name: &[u8], customization: &[u8]) -> Self {
        Self::named(Token::detect(), function_name, customization)
    }

    /// [`new_with_function_name`](Self::new_with_function_name) on the named back end, or `None` where this CPU
    /// cannot run it.
    #[must_use]
    pub fn new_with_backend(
        backend: Backend,
        function_name: &[u8],
        customization: &[u8],
    ) -> Option<Self> {
        Token::new(backend).map(|token| Self::named(token, function_name, customization))
    }

    fn named(token: Token, function_name: &[u8], customization: &[u8]) -> Self {
        const { assert!(is_xof_rate(RATE), "the rate is 168 or 136 bytes") };
        let mut sponge = Sponge::new(token);
        if function_name.is_empty() && customization.is_empty() {
            return Self {
                sponge,
                suffix: SHAKE_SUFFIX,
            };
        }
        absorb_padded(&mut sponge, &[function_name, customization]);
        Self {
            sponge,
            suffix: CSHAKE_SUFFIX,
        }
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.sponge.backend()
    }
}

/// Absorbs `bytepad(encode_string(s) || .., RATE)` (SP 800-185, sections 2.3.2 and 2.3.3) into an empty block.
pub(crate) fn absorb_padded<const RATE: usize>(
    sponge: &mut Sponge<RATE, F1600_ROUNDS>,
    strings: &[&[u8]],
) {
    sponge.absorb(left_encode(RATE as u128).as_slice());
    for string in strings {
        sponge.absorb(left_encode(bits(string)).as_slice());
        sponge.absorb(string);
    }
    sponge.fill_block();
}

impl<const RATE: usize> Default for CShake<RATE> {
    #[inline]
    fn default() -> Self {
        Self::new_with_function_name(&[], &[])
    }
}

impl<const RATE: usize> CustomizedInit for CShake<RATE> {
    #[inline]
    fn new_customized(customization: &[u8]) -> Self {
        Self::new_with_function_name(&[], customization)
    }
}

impl<const RATE: usize> Update for CShake<RATE> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.sponge.absorb(data);
    }
}

impl<const RATE: usize> ExtendableOutput for CShake<RATE> {
    type Reader = CShakeReader<RATE>;

    #[inline]
    fn finalize_xof(self) -> Self::Reader {
        SpongeReader::new(self.sponge, self.suffix)
    }
}

impl<const RATE: usize> HashMarker for CShake<RATE> {}

impl<const RATE: usize> AlgorithmName for CShake<RATE> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if RATE == 168 {
            "cSHAKE128"
        } else {
            "cSHAKE256"
        })
    }
}

impl<const RATE: usize> fmt::Debug for CShake<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if RATE == 168 {
            "CShake128 { .. }"
        } else {
            "CShake256 { .. }"
        })
    }
}

// SP 800-185, section 8.3.
impl CollisionResistance for CShake128 {
    type CollisionResistance = U16;
}

impl CollisionResistance for CShake256 {
    type CollisionResistance = U32;
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize> zeroize::ZeroizeOnDrop for CShake<RATE> {}
