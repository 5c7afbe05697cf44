//! SHAKE (FIPS 202, section 6.2) and TurboSHAKE (RFC 9861, section 2): one type, since they differ in the number of
//! rounds and the domain separation byte alone.

use core::fmt;

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update,
    common::AlgorithmName,
    consts::{U16, U32},
};

use crate::backends::Token;
use crate::consts::{F1600_ROUNDS, is_xof_rate};
use crate::sponge::Sponge;
use crate::{Backend, SpongeReader};

/// The domain separation bits 1111 of SHAKE, then the first bit of the padding.
pub(crate) const SHAKE_SUFFIX: u8 = 0x1f;
/// Rounds of TurboSHAKE's permutation.
pub(crate) const TURBO_ROUNDS: usize = 12;

/// The domain separation byte of TurboSHAKE where none is asked for.
pub const DEFAULT_DS: u8 = 0x1f;

/// An extendable-output function: [`Shake`] or [`TurboShake`], which see.
///
/// `RATE` is in bytes, `SUFFIX` is the domain separation byte.
#[derive(Clone)]
pub struct SpongeXof<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8>(
    Sponge<RATE, ROUNDS>,
);

/// SHAKE with a rate of `RATE` bytes: 168 is SHAKE128, 136 is SHAKE256. Another rate fails to compile.
pub type Shake<const RATE: usize> = SpongeXof<RATE, F1600_ROUNDS, SHAKE_SUFFIX>;
/// SHAKE128 (FIPS 202): security strength 128 bits, rate 168 bytes.
pub type Shake128 = Shake<168>;
/// SHAKE256 (FIPS 202): security strength 256 bits, rate 136 bytes.
pub type Shake256 = Shake<136>;

/// Output of SHAKE.
pub type ShakeReader<const RATE: usize> = SpongeReader<RATE, F1600_ROUNDS>;
/// Output of SHAKE128.
pub type Shake128Reader = ShakeReader<168>;
/// Output of SHAKE256.
pub type Shake256Reader = ShakeReader<136>;

/// TurboSHAKE with a rate of `RATE` bytes and the domain separation byte `DS`.
///
/// 168 is TurboSHAKE128, 136 is TurboSHAKE256; `DS` is in `0x01..=0x7f`. Anything else fails to compile.
pub type TurboShake<const RATE: usize, const DS: u8> = SpongeXof<RATE, TURBO_ROUNDS, DS>;
/// TurboSHAKE128 (RFC 9861) with the domain separation byte `DS`: security strength 128 bits, rate 168 bytes.
pub type CTurboShake128<const DS: u8> = TurboShake<168, DS>;
/// TurboSHAKE256 (RFC 9861) with the domain separation byte `DS`: security strength 256 bits, rate 136 bytes.
pub type CTurboShake256<const DS: u8> = TurboShake<136, DS>;
/// TurboSHAKE128 (RFC 9861) with the domain separation byte 0x1f.
pub type TurboShake128 = CTurboShake128<DEFAULT_DS>;
/// TurboSHAKE256 (RFC 9861) with the domain separation byte 0x1f.
pub type TurboShake256 = CTurboShake256<DEFAULT_DS>;

/// Output of TurboSHAKE.
pub type TurboShakeReader<const RATE: usize> = SpongeReader<RATE, TURBO_ROUNDS>;
/// Output of TurboSHAKE128.
pub type TurboShake128Reader = TurboShakeReader<168>;
/// Output of TurboSHAKE256.
pub type TurboShake256Reader = TurboShakeReader<136>;

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> SpongeXof<RATE, ROUNDS, SUFFIX> {
    const IS_STANDARD: () = {
        assert!(is_xof_rate(RATE), "the rate is 168 or 136 bytes");
        match ROUNDS {
            F1600_ROUNDS => assert!(SUFFIX == SHAKE_SUFFIX, "SHAKE has the suffix 0x1f"),
            TURBO_ROUNDS => {
                assert!(
                    0x01 <= SUFFIX && SUFFIX <= 0x7f,
                    "the domain separation byte is 0x01 to 0x7f"
                );
            }
            _ => panic!("SHAKE has 24 rounds, TurboSHAKE 12"),
        }
    };

    /// A hasher on the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn with_backend(backend: Backend) -> Option<Self> {
        const { Self::IS_STANDARD };
        Token::new(backend).map(|token| Self(Sponge::new(token)))
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.0.backend()
    }

    /// 128 or 256.
    const STRENGTH: usize = 4 * (200 - RATE);
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> Default
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    #[inline]
    fn default() -> Self {
        const { Self::IS_STANDARD };
        Self(Sponge::new(Token::detect()))
    }
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> Update
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.0.absorb(data);
    }
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> ExtendableOutput
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    type Reader = SpongeReader<RATE, ROUNDS>;

    #[inline]
    fn finalize_xof(self) -> Self::Reader {
        SpongeReader::new(self.0, SUFFIX)
    }
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> ExtendableOutputReset
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    #[inline]
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        let empty = Sponge::new(self.0.token());
        SpongeReader::new(core::mem::replace(&mut self.0, empty), SUFFIX)
    }
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> Reset
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    #[inline]
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> HashMarker
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> AlgorithmName
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turbo = if ROUNDS == TURBO_ROUNDS { "Turbo" } else { "" };
        write!(f, "{turbo}SHAKE{}", Self::STRENGTH)
    }
}

impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> fmt::Debug
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turbo = if ROUNDS == TURBO_ROUNDS { "Turbo" } else { "" };
        write!(f, "{turbo}Shake{} {{ .. }}", Self::STRENGTH)
    }
}

// FIPS 202, appendix A.1, and RFC 9861, section 7: 128 and 256 bits.
impl<const ROUNDS: usize, const SUFFIX: u8> CollisionResistance for SpongeXof<168, ROUNDS, SUFFIX> {
    type CollisionResistance = U16;
}

impl<const ROUNDS: usize, const SUFFIX: u8> CollisionResistance for SpongeXof<136, ROUNDS, SUFFIX> {
    type CollisionResistance = U32;
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const ROUNDS: usize, const SUFFIX: u8> zeroize::ZeroizeOnDrop
    for SpongeXof<RATE, ROUNDS, SUFFIX>
{
}
