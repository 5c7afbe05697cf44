//! Sponges over several states at once.

use crate::backends::{Kernel, Token};
use crate::consts::LANES;
use crate::lanes::{read_bytes, take, xor_bytes};

/// `N` sponges that have absorbed messages of one length and squeeze side by side.
#[derive(Clone)]
pub(crate) struct SpongeXn<const RATE: usize, const ROUNDS: usize, const N: usize> {
    /// In the form of the back end's kernel.
    states: [[u64; N]; LANES],
    /// Where the next byte comes from: `0..=RATE`, where `RATE` asks for a permutation first.
    position: usize,
    pub(crate) token: Token,
}

impl<const RATE: usize, const ROUNDS: usize, const N: usize> SpongeXn<RATE, ROUNDS, N> {
    /// Absorbs the messages, all as long as the first, and pads them with `suffix`.
    #[inline(always)]
    pub(crate) fn absorb(
        token: Token,
        kernel: impl Kernel,
        messages: [&[u8]; N],
        suffix: u8,
    ) -> Self {
        let mut states = [[0; N]; LANES];
        let len = messages[0].len();
        let end = len % RATE;
        if len >= RATE {
            let blocks = messages.map(|message| message[..len].as_chunks::<RATE>().0);
            kernel.absorb_xn::<ROUNDS, RATE, N>(&mut states, &blocks);
        }
        for (i, message) in messages.iter().enumerate() {
            xor_message(kernel, &mut states, i, &message[len - end..len]);
            xor_padding::<_, RATE, N>(kernel, &mut states, i, end, suffix);
        }
        Self {
            states,
            position: RATE,
            token,
        }
    }

    /// The next bytes of each output, all as many as of the first.
    #[inline(always)]
    pub(crate) fn squeeze(&mut self, kernel: impl Kernel, mut outputs: [&mut [u8]; N]) {
        let len = outputs[0].len();
        let head = take(RATE, self.position, len);
        for (i, out) in outputs.iter_mut().enumerate() {
            read_state(kernel, &self.states, i, self.position, &mut out[..head]);
        }
        self.position += head;
        let blocks = (len - head) / RATE;
        if blocks != 0 {
            let mut blocks = outputs
                .each_mut()
                .map(|out| &mut out[head..len].as_chunks_mut::<RATE>().0[..blocks]);
            kernel.squeeze_xn::<ROUNDS, RATE, N>(&mut self.states, &mut blocks);
        }
        let tail = (len - head) % RATE;
        if tail != 0 {
            kernel.permute_xn::<ROUNDS, N>(&mut self.states);
            for (i, out) in outputs.iter_mut().enumerate() {
                read_state(kernel, &self.states, i, 0, &mut out[len - tail..len]);
            }
            self.position = tail;
        }
    }
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize, const ROUNDS: usize, const N: usize> Drop for SpongeXn<RATE, ROUNDS, N> {
    #[inline]
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.states.as_flattened_mut().zeroize();
        self.position.zeroize();
    }
}

/// Xors at most a block into state `i`, from its first byte on.
#[inline(always)]
pub(crate) fn xor_message<K: Kernel, const N: usize>(
    kernel: K,
    states: &mut [[u64; N]; LANES],
    i: usize,
    bytes: &[u8],
) {
    let lanes = states.as_flattened_mut();
    xor_bytes(0, bytes, |lane, word| {
        lanes[kernel.slot::<N>(lane, i)] ^= kernel.encode(word);
    });
}

/// Xors `suffix` and the last bit of pad10*1 into state `i`, whose last block holds `end` bytes.
#[inline(always)]
pub(crate) fn xor_padding<K: Kernel, const RATE: usize, const N: usize>(
    kernel: K,
    states: &mut [[u64; N]; LANES],
    i: usize,
    end: usize,
    suffix: u8,
) {
    let lanes = states.as_flattened_mut();
    lanes[kernel.slot::<N>(end / 8, i)] ^= kernel.encode(u64::from(suffix) << (8 * (end % 8)));
    lanes[kernel.slot::<N>(RATE / 8 - 1, i)] ^= kernel.encode(1 << 63);
}

/// Copies bytes of state `i` from byte `position` on.
#[inline(always)]
pub(crate) fn read_state<K: Kernel, const N: usize>(
    kernel: K,
    states: &[[u64; N]; LANES],
    i: usize,
    position: usize,
    out: &mut [u8],
) {
    let lanes = states.as_flattened();
    read_bytes(position, out, |lane| {
        kernel.decode(lanes[kernel.slot::<N>(lane, i)])
    });
}
