#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub use universal_hash;

mod authenticator;
mod backends;
#[cfg(feature = "hazmat")]
pub mod hazmat;

pub use authenticator::OneTimeAuthenticator;
pub use backends::Backend;

use backends::{Choice, State};
use core::fmt;
use universal_hash::{
    KeyInit, ParBlocks, UhfBackend, UhfClosure, UniversalHash,
    common::{BlockSizeUser, KeySizeUser, ParBlocksSizeUser},
    consts::{U1, U16, U32},
};

/// Bytes in a key: `r`, then `s`.
pub const KEY_SIZE: usize = 32;
/// Bytes in a block of the message.
pub const BLOCK_SIZE: usize = 16;

/// A 256-bit key, for one message.
pub type Key = universal_hash::Key<Poly1305>;
/// A 128-bit block of the message.
pub type Block = universal_hash::Block<Poly1305>;
/// A 128-bit tag.
pub type Tag = universal_hash::Block<Poly1305>;

/// The Poly1305 universal hash function (RFC 8439, section 2.5) over whole blocks.
///
/// [`compute_unpadded`](Self::compute_unpadded) is Poly1305 of a message as RFC 8439 defines it, and
/// [`OneTimeAuthenticator`] the same in pieces. The trait's `update_padded` fills the last block with zeros, which
/// AEAD constructions need; it does not distinguish a message from one with such zeros at its end.
///
/// Each long update, of some 200 bytes or more, computes powers of `r` anew; [`OneTimeAuthenticator`] keeps them for the
/// next one, and so is the faster one for many long pieces.
///
/// A key authenticates one message only: two tags under one key give the key away.
#[derive(Clone)]
pub struct Poly1305 {
    state: State,
}

impl Poly1305 {
    /// A hash that uses the back end given; `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend(backend: Backend, key: &Key) -> Option<Self> {
        let state = State::new(Choice::of(backend)?, key);
        Some(Self { state })
    }

    /// The back end in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.state.backend()
    }

    /// The tag of what was hashed before and of `data` behind it, whose last block is closed by a 1 instead of being
    /// filled with zeros: Poly1305 of a message (RFC 8439, section 2.5.1).
    #[must_use]
    #[inline]
    pub fn compute_unpadded(mut self, data: &[u8]) -> Tag {
        let (blocks, rest) = Block::slice_as_chunks(data);
        self.state.blocks(None, blocks);
        if !rest.is_empty() {
            self.state.partial_block(rest);
        }
        self.state.finish()
    }
}

impl KeySizeUser for Poly1305 {
    type KeySize = U32;
}

impl BlockSizeUser for Poly1305 {
    type BlockSize = U16;
}

impl KeyInit for Poly1305 {
    #[inline]
    fn new(key: &Key) -> Self {
        let state = State::new(Choice::detect(), key);
        Self { state }
    }
}

impl UniversalHash for Poly1305 {
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = U16>) {
        f.call(&mut ByBlock(&mut self.state));
    }

    #[inline]
    fn update(&mut self, blocks: &[Block]) {
        self.state.blocks(None, blocks);
    }

    #[inline]
    fn finalize(self) -> Tag {
        self.state.finish()
    }

    #[inline]
    fn verify(self, expected: &Tag) -> Result<(), universal_hash::Error> {
        verify(&self.state.finish(), expected)
    }
}

/// Feeds blocks as they come to whatever a [`UhfClosure`] does.
struct ByBlock<'a>(&'a mut State);

impl BlockSizeUser for ByBlock<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for ByBlock<'_> {
    type ParBlocksSize = U1;
}

impl UhfBackend for ByBlock<'_> {
    #[inline]
    fn proc_block(&mut self, block: &Block) {
        self.0.blocks(None, core::slice::from_ref(block));
    }

    #[inline]
    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        self.0.blocks(None, blocks);
    }
}

impl fmt::Debug for Poly1305 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poly1305").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Poly1305 {}

/// Compares two tags in constant time.
#[inline]
fn verify(tag: &Tag, expected: &Tag) -> Result<(), universal_hash::Error> {
    let difference = u128::from_ne_bytes(tag.0) ^ u128::from_ne_bytes(expected.0);
    // PUBLIC: whether the tag is right is the result; where it differs stays secret.
    if core::hint::black_box(difference) == 0 {
        Ok(())
    } else {
        Err(universal_hash::Error)
    }
}

/// Overwrites a secret that is no longer needed, if the feature `zeroize` is on.
#[inline(always)]
fn wipe(bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(bytes);
    #[cfg(not(feature = "zeroize"))]
    let _ = bytes;
}
