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
    /// Empty sponges, not padded yet, to be given their messages where they stand: a copy of eight is 1600 bytes of stack.
    #[inline(always)]
    pub(crate) const fn new(token: Token) -> Self {
        Self {
            states: [[0; N]; LANES],
            position: RATE,
            token,
        }
    }

    /// Absorbs the messages, all as long as the first, and pads them with `suffix`.
    #[inline(always)]
    pub(crate) fn absorb(&mut self, kernel: impl Kernel, messages: &[&[u8]; N], suffix: u8) {
        let len = messages[0].len();
        let end = len % RATE;
        if len >= RATE {
            self.absorb_blocks(kernel, messages, len / RATE);
        }
        for (i, message) in messages.iter().enumerate() {
            xor_message(kernel, &mut self.states, i, &message[len - end..len]);
        }
        self.pad(kernel, end, suffix);
    }

    /// Not inlined: short messages do not need its stack.
    #[inline(never)]
    fn absorb_blocks(&mut self, kernel: impl Kernel, messages: &[&[u8]; N], count: usize) {
        let blocks = messages.map(|message| &message.as_chunks::<RATE>().0[..count]);
        kernel.absorb_xn::<ROUNDS, RATE, N>(&mut self.states, &blocks);
    }

    /// Pads messages whose last block holds `end` bytes.
    #[inline(always)]
    pub(crate) fn pad(&mut self, kernel: impl Kernel, end: usize, suffix: u8) {
        for i in 0..N {
            xor_padding::<_, RATE, N>(kernel, &mut self.states, i, end, suffix);
        }
    }

    /// Back to empty sponges.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.states = [[0; N]; LANES];
        self.position = RATE;
    }

    /// Makes the next block of each output.
    #[inline(always)]
    pub(crate) fn permute(&mut self, kernel: impl Kernel) {
        kernel.permute_xn::<ROUNDS, N>(&mut self.states);
        self.position = RATE;
    }

    /// The block of output `i` that was made last.
    #[inline(always)]
    pub(crate) fn read(&self, kernel: impl Kernel, i: usize, block: &mut [u8; RATE]) {
        read_state(kernel, &self.states, i, 0, block);
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
