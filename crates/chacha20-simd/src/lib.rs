#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub use cipher::{self, KeyIvInit};

mod backends;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod state;
mod variants;

pub use backends::Backend;
pub use state::{R8, R12, R20, Rounds, hchacha};
pub use variants::{Extended, Ietf, Legacy, Variant};

use cipher::{
    IvSizeUser, KeySizeUser, OverflowError, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
    array::Array,
    consts::{U8, U12, U24, U32},
    inout::InOutBuf,
};
use core::{fmt, marker::PhantomData};
use state::{BLOCK_SIZE, Core};

/// A 256-bit key.
pub type Key = Array<u8, U32>;
/// A 96-bit nonce (RFC 8439).
pub type Nonce = Array<u8, U12>;
/// A 192-bit nonce (XChaCha).
pub type XNonce = Array<u8, U24>;
/// A 64-bit nonce (the original ChaCha).
pub type LegacyNonce = Array<u8, U8>;

/// ChaCha20 with a 96-bit nonce and a 32-bit block counter (RFC 8439, section 2.4): at most 2^38 bytes a nonce.
pub type ChaCha20 = ChaCha<R20, Ietf>;
/// [`ChaCha20`] with 12 rounds.
pub type ChaCha12 = ChaCha<R12, Ietf>;
/// [`ChaCha20`] with 8 rounds.
pub type ChaCha8 = ChaCha<R8, Ietf>;
/// XChaCha20 with a 192-bit nonce (draft-irtf-cfrg-xchacha-03, section 2.3): at most 2^38 bytes a nonce.
pub type XChaCha20 = ChaCha<R20, Extended>;
/// [`XChaCha20`] with 12 rounds, in HChaCha too.
pub type XChaCha12 = ChaCha<R12, Extended>;
/// [`XChaCha20`] with 8 rounds, in HChaCha too.
pub type XChaCha8 = ChaCha<R8, Extended>;
/// The original ChaCha20 (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008) with a 64-bit nonce and a 64-bit block
/// counter: at most 2^70 bytes a nonce.
pub type ChaCha20Legacy = ChaCha<R20, Legacy>;

/// A ChaCha stream cipher with `R` rounds and the nonce and counter of `V`.
///
/// The keystream is used to its last byte: what goes beyond is refused with an error and changes nothing. The
/// `unchecked_` methods start the keystream over instead; after that, checked ones refuse all until the next seek.
///
/// Positions are bytes from the start of the keystream. Seeking to the end of the keystream is allowed, beyond it is
/// not.
pub struct ChaCha<R: Rounds, V: Variant> {
    core: Core<R>,
    /// The number of the next block to be generated. `V::BLOCKS` and more: the keystream is used up.
    block: u128,
    /// The last keystream block generated; its last `unread` bytes have not been used.
    buffer: [u8; BLOCK_SIZE],
    unread: u8,
    variant: PhantomData<V>,
}

impl<R: Rounds, V: Variant> ChaCha<R, V> {
    /// A cipher that uses the back end given; `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend(
        backend: Backend,
        key: &Key,
        nonce: &Array<u8, V::NonceSize>,
    ) -> Option<Self> {
        Core::new_with_backend::<V>(backend, key, nonce).map(|core| Self {
            core,
            block: 0,
            buffer: [0; BLOCK_SIZE],
            unread: 0,
            variant: PhantomData,
        })
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub fn backend(&self) -> Backend {
        self.core.backend()
    }

    /// Uses up to `len` bytes of the buffered keystream block.
    #[inline]
    fn read_buffered(&mut self, len: usize) -> &[u8] {
        let unread = usize::from(self.unread);
        let n = len.min(unread);
        self.unread -= n as u8;
        &self.buffer[BLOCK_SIZE - unread..][..n]
    }

    /// XORs whole new blocks into `data`, and keeps what the last one has left.
    #[inline]
    fn xor_blocks(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        while !data.is_empty() {
            // The kernels know no end of the counter: a call ends where it starts over.
            let counter = self.block % V::BLOCKS;
            let before_wrap = (V::BLOCKS - counter).saturating_mul(BLOCK_SIZE as u128);
            let n = usize::try_from(before_wrap).map_or(data.len(), |max| data.len().min(max));
            let (now, rest) = data.split_at(n);
            self.core.xor(counter as u64, now, &mut self.buffer);
            self.block += n.div_ceil(BLOCK_SIZE) as u128;
            self.unread = (n.wrapping_neg() % BLOCK_SIZE) as u8;
            data = rest;
        }
    }

    /// As [`xor_blocks`](Self::xor_blocks), and nothing of the keystream stays on the stack.
    #[inline]
    fn xor_blocks_and_wipe(&mut self, data: InOutBuf<'_, '_, u8>) {
        let length = data.len();
        self.xor_blocks(data);
        self.core.wipe_stack(length);
    }
}

impl<R: Rounds, V: Variant> KeySizeUser for ChaCha<R, V> {
    type KeySize = U32;
}

impl<R: Rounds, V: Variant> IvSizeUser for ChaCha<R, V> {
    type IvSize = V::NonceSize;
}

impl<R: Rounds, V: Variant> KeyIvInit for ChaCha<R, V> {
    #[inline]
    fn new(key: &Key, nonce: &Array<u8, V::NonceSize>) -> Self {
        Self::new_with_backend(Backend::detect(), key, nonce)
            .expect("the detected back end is available")
    }
}

impl<R: Rounds, V: Variant> StreamCipher for ChaCha<R, V> {
    #[inline]
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        let blocks = data_len
            .saturating_sub(usize::from(self.unread))
            .div_ceil(BLOCK_SIZE);
        if blocks as u128 > V::BLOCKS.saturating_sub(self.block) {
            return Err(StreamCipherError);
        }
        // Past the end, what the buffer still holds is keystream that was used before.
        if self.block > V::BLOCKS && data_len > 0 {
            return Err(StreamCipherError);
        }
        Ok(())
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let keystream = self.read_buffered(data.len());
        let (mut head, data) = data.split_at(keystream.len());
        head.xor_in2out(keystream);
        self.xor_blocks_and_wipe(data);
    }

    #[inline]
    fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
        buf.fill(0);
        self.unchecked_apply_keystream(buf);
    }
}

impl<R: Rounds, V: Variant> StreamCipherSeek for ChaCha<R, V> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        T::from_block_byte(self.block, BLOCK_SIZE as u8 - self.unread, BLOCK_SIZE as u8)
    }

    fn try_seek<T: SeekNum>(&mut self, pos: T) -> Result<(), StreamCipherError> {
        let (block, byte) = pos.into_block_byte::<u128>(BLOCK_SIZE as u8)?;
        if block > V::BLOCKS || (block == V::BLOCKS && byte != 0) {
            return Err(StreamCipherError);
        }
        self.block = block;
        self.unread = 0;
        let mut skipped = [0; BLOCK_SIZE];
        self.xor_blocks_and_wipe(InOutBuf::from(&mut skipped[..usize::from(byte)]));
        state::wipe(&mut skipped);
        Ok(())
    }
}

impl<R: Rounds, V: Variant> fmt::Debug for ChaCha<R, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaCha").finish_non_exhaustive()
    }
}

impl<R: Rounds, V: Variant> Drop for ChaCha<R, V> {
    fn drop(&mut self) {
        state::wipe(&mut self.buffer);
    }
}

#[cfg(feature = "zeroize")]
impl<R: Rounds, V: Variant> zeroize::ZeroizeOnDrop for ChaCha<R, V> {}
