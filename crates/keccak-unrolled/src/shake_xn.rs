//! SHAKE on several messages of equal length at once.

use core::fmt;

use crate::Backend;
use crate::backends::{Token, with_kernel};
use crate::consts::{F1600_ROUNDS, is_xof_rate};
use crate::sponge_xn::SpongeXn;
use crate::xof::SHAKE_SUFFIX;

/// SHAKE with a rate of `RATE` bytes on `N` messages of equal length at once.
///
/// `N` is 2, 4 or 8 and `RATE` 168 ([`Shake128xN`]) or 136 ([`Shake256xN`]); anything else fails to compile.
/// All messages are absorbed by the constructor; then [`squeeze`](Self::squeeze) gives the `N` outputs side by
/// side, as often and in pieces as long as wanted. How many states the CPU works on at once is
/// [`Backend::parallelism`]; every `N` works on every back end.
///
/// Matrix sampling and noise of ML-KEM (FIPS 203) are what this is for.
///
/// ```
/// use keccak_unrolled::Shake128xN;
///
/// let seeds: [[u8; 34]; 4] = core::array::from_fn(|i| [i as u8; 34]);
/// let mut blocks = [[0; 3 * 168]; 4];
/// Shake128xN::new(seeds.each_ref()).squeeze(blocks.each_mut());
/// assert_ne!(blocks[0], blocks[1]);
/// ```
#[derive(Clone)]
pub struct ShakeXn<const RATE: usize, const N: usize>(SpongeXn<RATE, F1600_ROUNDS, N>);

/// SHAKE128 on `N` messages at once.
pub type Shake128xN<const N: usize> = ShakeXn<168, N>;
/// SHAKE256 on `N` messages at once.
pub type Shake256xN<const N: usize> = ShakeXn<136, N>;

impl<const RATE: usize, const N: usize> ShakeXn<RATE, N> {
    /// Bytes that one permutation gives for each message.
    pub const RATE: usize = RATE;

    /// Absorbs the messages and pads them.
    #[must_use]
    #[inline]
    pub fn new<const L: usize>(messages: [&[u8; L]; N]) -> Self {
        Self::absorb(Token::detect(), messages.map(|message| &message[..]))
    }

    /// [`new`](Self::new) on the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend<const L: usize>(
        backend: Backend,
        messages: [&[u8; L]; N],
    ) -> Option<Self> {
        Token::new(backend).map(|token| Self::absorb(token, messages.map(|message| &message[..])))
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.0.token.backend()
    }

    /// The next `L` bytes of each output.
    #[inline]
    pub fn squeeze<const L: usize>(&mut self, outputs: [&mut [u8; L]; N]) {
        self.squeeze_slices(outputs.map(|output| &mut output[..]));
    }

    // From here on nothing depends on a length at compile time, so that there is one copy of the code.

    fn absorb(token: Token, messages: [&[u8]; N]) -> Self {
        const { assert!(is_xof_rate(RATE), "the rate is 168 or 136 bytes") };
        const { assert!(N == 2 || N == 4 || N == 8, "2, 4 or 8 messages at once") };
        with_kernel!(token, kernel => Self(SpongeXn::absorb(token, kernel, messages, SHAKE_SUFFIX)))
    }

    fn squeeze_slices(&mut self, outputs: [&mut [u8]; N]) {
        with_kernel!(self.0.token, kernel => self.0.squeeze(kernel, outputs));
    }
}

impl<const RATE: usize, const N: usize> fmt::Debug for ShakeXn<RATE, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if RATE == 168 { "Shake128" } else { "Shake256" };
        write!(f, "{name}x{N} {{ .. }}")
    }
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const N: usize> zeroize::ZeroizeOnDrop for ShakeXn<RATE, N> {}
