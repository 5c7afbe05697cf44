//! The reader of every extendable-output function of this crate.

use core::fmt;

use digest::XofReader;

use crate::sponge::Sponge;

/// Output of an extendable-output function, of any length, in as many pieces as wanted.
///
/// `RATE` is in bytes, `ROUNDS` is 24 (SHAKE, cSHAKE, KMAC) or 12 (TurboSHAKE, KangarooTwelve).
#[derive(Clone)]
pub struct SpongeReader<const RATE: usize, const ROUNDS: usize>(Sponge<RATE, ROUNDS>);

impl<const RATE: usize, const ROUNDS: usize> SpongeReader<RATE, ROUNDS> {
    /// Pads what the sponge has absorbed and begins to read.
    #[inline]
    pub(crate) fn new(mut sponge: Sponge<RATE, ROUNDS>, suffix: u8) -> Self {
        sponge.pad(suffix);
        Self(sponge)
    }
}

impl<const RATE: usize, const ROUNDS: usize> XofReader for SpongeReader<RATE, ROUNDS> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) {
        self.0.squeeze(buffer);
    }
}

impl<const RATE: usize, const ROUNDS: usize> fmt::Debug for SpongeReader<RATE, ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpongeReader { .. }")
    }
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const ROUNDS: usize> zeroize::ZeroizeOnDrop for SpongeReader<RATE, ROUNDS> {}
