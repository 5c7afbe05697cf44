//! HMAC (RFC 2104, FIPS 198-1), also over a text whose length is secret.

#![forbid(unsafe_code)]

use crate::{
    ct::{self, Mask},
    hash::{Hash, MAX_BLOCK_SIZE, MAX_OUTPUT_SIZE, State},
    wipe::wipe,
};

/// Bytes of a TLS record's header that come before its content in the MAC: sequence number, type, version and length.
pub(crate) const HEADER_SIZE: usize = 13;

/// A key: the chaining values behind its inner and its outer block.
pub(crate) struct Hmac<H: Hash> {
    inner: H::State,
    outer: H::State,
}

impl<H: Hash> Hmac<H> {
    /// The key must not be longer than a block: the longest here is half of it.
    pub(crate) fn new(key: &[u8]) -> Self {
        debug_assert!(key.len() <= H::BLOCK_SIZE);
        let mut keys = Self {
            inner: H::INITIAL,
            outer: H::INITIAL,
        };
        let mut block = [0; MAX_BLOCK_SIZE];
        for (state, pad) in [(&mut keys.inner, 0x36), (&mut keys.outer, 0x5c)] {
            block.fill(pad);
            for (byte, key) in block.iter_mut().zip(key) {
                *byte ^= key;
            }
            H::compress(state, &block[..H::BLOCK_SIZE]);
        }
        wipe(&mut block);
        keys
    }

    /// Begins a MAC.
    #[inline]
    pub(crate) fn start(&self) -> Running<'_, H> {
        Running {
            key: self,
            state: self.inner,
            block: [0; MAX_BLOCK_SIZE],
            len: 0,
        }
    }

    /// The MAC of a record's header and the first `len` bytes of `content`.
    ///
    /// `len` is secret; `shortest <= len <= content.len() < 2^15 - 64`, and both bounds are public. The number of
    /// compressions is that of the longest text, and all of them hash what they would hash for it but for masks: blocks
    /// that are full for every length go as they are; from there on each block is hashed as the text's next one, with
    /// as much of content, 0x80 byte, zeros and length as the length says, and the chaining value behind the text's
    /// last block is collected from among those behind all.
    #[inline]
    pub(crate) fn mac_of_secret_length(
        &self,
        header: &[u8; HEADER_SIZE],
        content: &[u8],
        len: u32,
        shortest: usize,
    ) -> Mac {
        let text_len = len.wrapping_add(HEADER_SIZE as u32);
        let full = (HEADER_SIZE + shortest) / H::BLOCK_SIZE;
        let all = blocks::<H>(HEADER_SIZE + content.len());
        // Behind the text come the 0x80 byte and the length; the block in which they end. A block's size is a power of
        // two: no division.
        let last = text_len.wrapping_add(H::LENGTH_SIZE as u32) >> H::BLOCK_SIZE.trailing_zeros();
        let length = length_of_bits::<H>(u64::from(text_len));
        let length = &length[length.len() - H::LENGTH_SIZE..];

        let mut state = self.inner;
        let mut collected = H::State::ZERO;
        let mut block = [0; MAX_BLOCK_SIZE];
        let block = &mut block[..H::BLOCK_SIZE];
        let mut masks = [0; MAX_BLOCK_SIZE + 1];
        if full > 0 {
            let (first, rest) = content.split_at(H::BLOCK_SIZE - HEADER_SIZE);
            block[..HEADER_SIZE].copy_from_slice(header);
            block[HEADER_SIZE..].copy_from_slice(first);
            H::compress(&mut state, block);
            H::compress(&mut state, &rest[..(full - 1) * H::BLOCK_SIZE]);
        }
        for number in full..all {
            let start = number * H::BLOCK_SIZE;
            block.fill(0);
            let (room, from) = if number == 0 {
                block[..HEADER_SIZE].copy_from_slice(header);
                (&mut block[HEADER_SIZE..], content)
            } else {
                (
                    &mut block[..],
                    &content[content.len().min(start - HEADER_SIZE)..],
                )
            };
            let size = room.len().min(from.len());
            room[..size].copy_from_slice(&from[..size]);

            // masks[i + 1] is set where byte i of the block is text, masks[i] where it is text or the 0x80 byte.
            let end = (text_len as i16).wrapping_sub(start as i16);
            let masks = ct::below(&mut masks[..=H::BLOCK_SIZE], end.wrapping_add(1));
            let (text_or_end, text) = (&masks[..H::BLOCK_SIZE], &masks[1..]);
            for ((byte, text_or_end), text) in block.iter_mut().zip(text_or_end).zip(text) {
                *byte = *byte & text | 0x80 & (text_or_end ^ text);
            }
            let is_last = Mask::is_zero(last ^ number as u32);
            for (byte, length) in block[H::BLOCK_SIZE - H::LENGTH_SIZE..]
                .iter_mut()
                .zip(length)
            {
                *byte |= length & is_last.u8();
            }
            H::compress(&mut state, block);
            collected.or_if(is_last, &state);
        }
        let mac = self.outer(&mut collected);
        state.wipe();
        wipe(block);
        wipe(&mut masks);
        mac
    }

    /// The outer hash; wipes the inner one.
    #[inline]
    fn outer(&self, inner: &mut H::State) -> Mac {
        let mut block = [0; MAX_BLOCK_SIZE];
        inner.write(&mut block);
        inner.wipe();
        block[H::OUTPUT_SIZE..].fill(0);
        let mut state = self.outer;
        finish::<H>(&mut state, &mut block, H::OUTPUT_SIZE as u64);
        let mut mac = Mac([0; MAX_OUTPUT_SIZE]);
        state.write(&mut mac.0);
        state.wipe();
        wipe(&mut block);
        mac
    }
}

impl<H: Hash> Drop for Hmac<H> {
    fn drop(&mut self) {
        self.inner.wipe();
        self.outer.wipe();
    }
}

/// How many blocks a text of `len` bytes takes with its padding.
const fn blocks<H: Hash>(len: usize) -> usize {
    (len + 1 + H::LENGTH_SIZE).div_ceil(H::BLOCK_SIZE)
}

/// The number of bits of the key block and `len` bytes of text, as the padding ends with it.
#[inline(always)]
fn length_of_bits<H: Hash>(len: u64) -> [u8; 16] {
    (8 * (H::BLOCK_SIZE as u128 + u128::from(len))).to_be_bytes()
}

/// Hashes what is left of a text of `len` bytes, at the start of `block` with zeros behind it, and the padding.
#[inline(always)]
fn finish<H: Hash>(state: &mut H::State, block: &mut [u8; MAX_BLOCK_SIZE], len: u64) {
    let block = &mut block[..H::BLOCK_SIZE];
    let used = (len % H::BLOCK_SIZE as u64) as usize;
    block[used] = 0x80;
    if blocks::<H>(used) > 1 {
        H::compress(state, block);
        block.fill(0);
    }
    let length = length_of_bits::<H>(len);
    block[H::BLOCK_SIZE - H::LENGTH_SIZE..]
        .copy_from_slice(&length[length.len() - H::LENGTH_SIZE..]);
    H::compress(state, block);
}

/// A MAC under way over a text of public length.
pub(crate) struct Running<'k, H: Hash> {
    key: &'k Hmac<H>,
    state: H::State,
    /// The `len % H::BLOCK_SIZE` last bytes, with zeros behind them.
    block: [u8; MAX_BLOCK_SIZE],
    len: u64,
}

impl<H: Hash> Running<'_, H> {
    #[inline]
    pub(crate) fn update(&mut self, mut text: &[u8]) {
        let used = (self.len % H::BLOCK_SIZE as u64) as usize;
        self.len += text.len() as u64;
        let block = &mut self.block[..H::BLOCK_SIZE];
        if used > 0 {
            let (head, rest) = text.split_at(text.len().min(H::BLOCK_SIZE - used));
            block[used..][..head.len()].copy_from_slice(head);
            if used + head.len() < H::BLOCK_SIZE {
                return;
            }
            H::compress(&mut self.state, block);
            block.fill(0);
            text = rest;
        }
        let (whole, rest) = text.split_at(text.len() - text.len() % H::BLOCK_SIZE);
        if !whole.is_empty() {
            H::compress(&mut self.state, whole);
        }
        block[..rest.len()].copy_from_slice(rest);
    }

    #[inline]
    pub(crate) fn finish(mut self) -> Mac {
        finish::<H>(&mut self.state, &mut self.block, self.len);
        self.key.outer(&mut self.state)
    }
}

impl<H: Hash> Drop for Running<'_, H> {
    #[inline]
    fn drop(&mut self) {
        self.state.wipe();
        wipe(&mut self.block);
    }
}

/// A MAC at the start of as many bytes as the longest has.
pub(crate) struct Mac([u8; MAX_OUTPUT_SIZE]);

impl Mac {
    /// The first `size` bytes.
    #[inline]
    pub(crate) fn truncated(&self, size: usize) -> &[u8] {
        &self.0[..size]
    }
}

impl Drop for Mac {
    #[inline]
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}
