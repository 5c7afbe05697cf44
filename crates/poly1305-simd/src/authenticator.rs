//! Poly1305 over a message that comes in pieces.

use crate::{BLOCK_SIZE, Backend, Block, Key, Poly1305, Tag, backends::Powers, wipe};
use core::fmt;
use universal_hash::{Error, KeyInit, common::KeySizeUser, consts::U32};

/// The Poly1305 one-time authenticator over a message given in pieces of any length (RFC 8439, section 2.5).
///
/// The tag is that of [`Poly1305::compute_unpadded`] over the pieces put together.
///
/// A key authenticates one message only: two tags under one key give the key away.
pub struct OneTimeAuthenticator {
    hash: Poly1305,
    powers: Powers,
    /// The first `buffered` bytes, fewer than 16, have not been taken in yet.
    buffer: [u8; BLOCK_SIZE],
    buffered: u8,
}

impl OneTimeAuthenticator {
    /// An authenticator that uses the back end given; `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend(backend: Backend, key: &Key) -> Option<Self> {
        Poly1305::new_with_backend(backend, key).map(Self::over)
    }

    #[inline]
    fn over(hash: Poly1305) -> Self {
        Self {
            hash,
            powers: Powers::new(),
            buffer: [0; BLOCK_SIZE],
            buffered: 0,
        }
    }

    /// The back end in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.hash.backend()
    }

    /// Takes the next piece of the message.
    #[inline]
    pub fn update(&mut self, mut piece: &[u8]) {
        let buffered = usize::from(self.buffered);
        if buffered != 0 {
            let n = piece.len().min(BLOCK_SIZE - buffered);
            self.buffer[buffered..][..n].copy_from_slice(&piece[..n]);
            self.buffered += n as u8;
            piece = &piece[n..];
            if usize::from(self.buffered) < BLOCK_SIZE {
                return;
            }
            self.hash.state.blocks(None, &[self.buffer.into()]);
        }
        let (blocks, rest) = Block::slice_as_chunks(piece);
        self.hash.state.blocks(Some(&mut self.powers), blocks);
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.buffered = rest.len() as u8;
    }

    /// The tag of the whole message.
    #[must_use]
    #[inline]
    pub fn finalize(mut self) -> Tag {
        let buffered = usize::from(self.buffered);
        if buffered != 0 {
            self.hash.state.partial_block(&self.buffer[..buffered]);
        }
        self.hash.state.finish()
    }

    /// Compares the tag of the whole message with `expected` in constant time.
    ///
    /// # Errors
    /// If they differ.
    #[inline]
    pub fn verify(self, expected: &Tag) -> Result<(), Error> {
        crate::verify(&self.finalize(), expected)
    }
}

impl KeySizeUser for OneTimeAuthenticator {
    type KeySize = U32;
}

impl KeyInit for OneTimeAuthenticator {
    #[inline]
    fn new(key: &Key) -> Self {
        Self::over(Poly1305::new(key))
    }
}

impl fmt::Debug for OneTimeAuthenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OneTimeAuthenticator")
            .finish_non_exhaustive()
    }
}

impl Drop for OneTimeAuthenticator {
    fn drop(&mut self) {
        wipe(&mut self.buffer);
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for OneTimeAuthenticator {}
