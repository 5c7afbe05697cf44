//! The sponge construction (FIPS 202, section 4) over Keccak-p\[1600, `ROUNDS`\].

use crate::Backend;
use crate::backends::{Kernel, Token, with_kernel};
use crate::consts::LANES;
use crate::lanes::{read_bytes, take, xor_bytes};

/// A sponge with a rate of `RATE` bytes.
///
/// It absorbs, is padded once, and squeezes; the public types see to that order.
#[derive(Clone)]
pub(crate) struct Sponge<const RATE: usize, const ROUNDS: usize> {
    /// In the form of the back end's kernel.
    state: [u64; LANES],
    /// Where the next byte goes or comes from. Absorbing: `0..RATE`, a full block is permuted at once.
    /// Squeezing: `0..=RATE`, where `RATE` asks for a permutation before the next byte.
    position: usize,
    token: Token,
}

impl<const RATE: usize, const ROUNDS: usize> Sponge<RATE, ROUNDS> {
    /// An empty sponge.
    #[inline]
    pub(crate) const fn new(token: Token) -> Self {
        const { assert!(RATE.is_multiple_of(8) && RATE > 0 && RATE < 8 * LANES) };
        Self {
            state: [0; LANES],
            position: 0,
            token,
        }
    }

    #[inline]
    pub(crate) const fn token(&self) -> Token {
        self.token
    }

    #[inline]
    pub(crate) const fn backend(&self) -> Backend {
        self.token.backend()
    }

    /// Back to the empty sponge.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.state = [0; LANES];
        self.position = 0;
    }

    #[inline]
    pub(crate) fn absorb(&mut self, data: &[u8]) {
        with_kernel!(self.token, kernel => self.absorb_with(kernel, data));
    }

    /// Pads the message: `suffix` is the domain separation bits with the first bit of pad10*1 after them.
    #[inline]
    pub(crate) fn pad(&mut self, suffix: u8) {
        with_kernel!(self.token, kernel => self.pad_with(kernel, suffix));
    }

    /// Fills the block with zeros unless it is empty (`bytepad` of SP 800-185).
    #[inline]
    pub(crate) fn fill_block(&mut self) {
        if self.position != 0 {
            with_kernel!(self.token, kernel => kernel.permute::<ROUNDS>(&mut self.state));
            self.position = 0;
        }
    }

    /// The next `out.len()` bytes of output.
    #[inline]
    pub(crate) fn squeeze(&mut self, out: &mut [u8]) {
        with_kernel!(self.token, kernel => self.squeeze_with(kernel, out));
    }

    /// Pads, permutes and gives the first bytes of the state: the digest of a hash function whose output is
    /// no longer than a state. Leaves the sponge in need of a reset.
    #[inline]
    pub(crate) fn finalize(&mut self, suffix: u8, out: &mut [u8]) {
        with_kernel!(self.token, kernel => {
            self.pad_with(kernel, suffix);
            kernel.permute::<ROUNDS>(&mut self.state);
            read_bytes(0, out, |lane| kernel.decode(self.state[lane]));
        });
    }

    /// The state as bytes (FIPS 202, section 3.1.3), then the position.
    pub(crate) fn export(&self) -> [u8; 8 * LANES + 1] {
        let mut bytes = [0; 8 * LANES + 1];
        with_kernel!(self.token, kernel => {
            read_bytes(0, &mut bytes[..8 * LANES], |lane| kernel.decode(self.state[lane]));
        });
        bytes[8 * LANES] = self.position as u8;
        bytes
    }

    /// The inverse of [`Sponge::export`] for an absorbing sponge; `None` for an impossible position.
    pub(crate) fn import(token: Token, bytes: &[u8; 8 * LANES + 1]) -> Option<Self> {
        let (&position, state) = bytes.split_last()?;
        let mut sponge = Self::new(token);
        with_kernel!(token, kernel => {
            xor_bytes(0, state, |lane, word| sponge.state[lane] = kernel.encode(word));
        });
        sponge.position = usize::from(position);
        (sponge.position < RATE).then_some(sponge)
    }

    #[inline(always)]
    fn absorb_with(&mut self, kernel: impl Kernel, mut data: &[u8]) {
        if self.position != 0 {
            let head = take(RATE, self.position, data.len());
            let (now, rest) = data.split_at(head);
            xor_bytes(self.position, now, |lane, word| {
                self.state[lane] ^= kernel.encode(word);
            });
            self.position += head;
            if self.position < RATE {
                return;
            }
            kernel.permute::<ROUNDS>(&mut self.state);
            data = rest;
        }
        let (blocks, tail) = data.as_chunks::<RATE>();
        if !blocks.is_empty() {
            kernel.absorb::<ROUNDS, RATE>(&mut self.state, blocks);
        }
        xor_bytes(0, tail, |lane, word| {
            self.state[lane] ^= kernel.encode(word);
        });
        self.position = tail.len();
    }

    #[inline(always)]
    fn pad_with(&mut self, kernel: impl Kernel, suffix: u8) {
        let shift = 8 * (self.position % 8);
        self.state[self.position / 8] ^= kernel.encode(u64::from(suffix) << shift);
        self.state[RATE / 8 - 1] ^= kernel.encode(1 << 63);
        self.position = RATE;
    }

    #[inline(always)]
    fn squeeze_with(&mut self, kernel: impl Kernel, out: &mut [u8]) {
        let head = take(RATE, self.position, out.len());
        let (now, rest) = out.split_at_mut(head);
        read_bytes(self.position, now, |lane| kernel.decode(self.state[lane]));
        self.position += head;
        let (blocks, tail) = rest.as_chunks_mut::<RATE>();
        if !blocks.is_empty() {
            kernel.squeeze::<ROUNDS, RATE>(&mut self.state, blocks);
        }
        if !tail.is_empty() {
            kernel.permute::<ROUNDS>(&mut self.state);
            read_bytes(0, tail, |lane| kernel.decode(self.state[lane]));
            self.position = tail.len();
        }
    }
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const ROUNDS: usize> Drop for Sponge<RATE, ROUNDS> {
    #[inline]
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.state.zeroize();
        self.position.zeroize();
    }
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const ROUNDS: usize> zeroize::ZeroizeOnDrop for Sponge<RATE, ROUNDS> {}

#[cfg(test)]
mod tests {
    use super::{Sponge, Token};
    use crate::Backend;

    /// A state that one back end exports is imported by every other, which the public `deserialize` asks of the automatic one.
    #[test]
    fn exported_states_go_on_on_any_backend() {
        fn sponges() -> impl Iterator<Item = Token> {
            Backend::available().map(|backend| Token::new(backend).unwrap())
        }
        let data: [u8; 300] = core::array::from_fn(|i| (i * i / 3 + 7 * i) as u8);
        for len in [0, 1, 7, 8, 135, 136, 137, 300] {
            for from in sponges() {
                let mut sponge = Sponge::<136, 24>::new(from);
                sponge.absorb(&data[..len]);
                let bytes = sponge.export();
                let mut expected = [0; 32];
                sponge.absorb(&data);
                sponge.finalize(0x06, &mut expected);
                for to in sponges() {
                    let mut sponge = Sponge::<136, 24>::import(to, &bytes).unwrap();
                    assert_eq!(sponge.export(), bytes);
                    sponge.absorb(&data);
                    let mut actual = [0; 32];
                    sponge.finalize(0x06, &mut actual);
                    let (from, to) = (from.backend(), to.backend());
                    assert_eq!(actual, expected, "{from} to {to}, {len}");
                }
            }
        }
    }
}
