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
/// All messages are absorbed at once; then [`squeeze`](Self::squeeze) gives the `N` outputs side by
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

    /// The SHAKEs of the messages.
    #[must_use]
    #[inline]
    pub fn new<const L: usize>(messages: [&[u8; L]; N]) -> Self {
        let mut sponges = Self::default();
        sponges.absorb(messages);
        sponges
    }

    /// [`new`](Self::new) on the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend<const L: usize>(
        backend: Backend,
        messages: [&[u8; L]; N],
    ) -> Option<Self> {
        let mut sponges = Self::with_backend(backend)?;
        sponges.absorb(messages);
        Some(sponges)
    }

    /// The SHAKEs of `N` empty messages on the named back end, or `None` where this CPU cannot run it.
    ///
    /// With [`absorb`](Self::absorb) it takes the stack of one copy, 200 bytes for each message, and `new` may take two.
    #[must_use]
    #[inline]
    pub fn with_backend(backend: Backend) -> Option<Self> {
        Token::new(backend).map(Self::empty)
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.0.token.backend()
    }

    /// Begins anew with these messages, whole: what was absorbed before is forgotten. It takes no part of a message.
    #[inline]
    pub fn absorb<const L: usize>(&mut self, messages: [&[u8; L]; N]) {
        self.absorb_equal(&messages.map(|message| &message[..]));
    }

    /// [`absorb`](Self::absorb) of messages whose length is known at run time alone.
    ///
    /// # Panics
    ///
    /// If the messages are not all of one length.
    #[inline]
    pub fn absorb_slices(&mut self, messages: [&[u8]; N]) {
        let len = messages[0].len();
        assert!(
            messages.iter().all(|message| message.len() == len),
            "messages of one length"
        );
        self.absorb_equal(&messages);
    }

    /// The next `L` bytes of each output.
    #[inline]
    pub fn squeeze<const L: usize>(&mut self, outputs: [&mut [u8; L]; N]) {
        self.squeeze_equal(outputs.map(|output| &mut output[..]));
    }

    /// [`squeeze`](Self::squeeze) of as many bytes as the outputs are long.
    ///
    /// # Panics
    ///
    /// If the outputs are not all of one length.
    #[inline]
    pub fn squeeze_slices(&mut self, outputs: [&mut [u8]; N]) {
        let len = outputs[0].len();
        assert!(
            outputs.iter().all(|output| output.len() == len),
            "outputs of one length"
        );
        self.squeeze_equal(outputs);
    }

    /// Gives `f` the next block of each output, one after the other, with the index of its message. What `squeeze` has
    /// left of a block is skipped.
    ///
    /// For those who use the output up block by block: it takes no room for `N` blocks.
    #[inline]
    pub fn squeeze_blocks(&mut self, mut f: impl FnMut(usize, &[u8; RATE])) {
        self.permute();
        let mut block = [0; RATE];
        for i in 0..N {
            self.read_block(i, &mut block);
            f(i, &block);
        }
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut block[..]);
    }

    #[inline]
    fn empty(token: Token) -> Self {
        const { assert!(is_xof_rate(RATE), "the rate is 168 or 136 bytes") };
        const { assert!(N == 2 || N == 4 || N == 8, "2, 4 or 8 messages at once") };
        let mut sponges = SpongeXn::new(token);
        with_kernel!(token, kernel => sponges.pad(kernel, 0, SHAKE_SUFFIX));
        Self(sponges)
    }

    // From here on nothing depends on a length at compile time, so that there is one copy of the code.

    fn absorb_equal(&mut self, messages: &[&[u8]; N]) {
        self.0.clear();
        with_kernel!(self.0.token, kernel => self.0.absorb(kernel, messages, SHAKE_SUFFIX));
    }

    fn squeeze_equal(&mut self, outputs: [&mut [u8]; N]) {
        with_kernel!(self.0.token, kernel => self.0.squeeze(kernel, outputs));
    }

    fn permute(&mut self) {
        with_kernel!(self.0.token, kernel => self.0.permute(kernel));
    }

    fn read_block(&self, i: usize, block: &mut [u8; RATE]) {
        with_kernel!(self.0.token, kernel => self.0.read(kernel, i, block));
    }
}

impl<const RATE: usize, const N: usize> Default for ShakeXn<RATE, N> {
    /// The SHAKEs of `N` empty messages.
    #[inline]
    fn default() -> Self {
        Self::empty(Token::detect())
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
