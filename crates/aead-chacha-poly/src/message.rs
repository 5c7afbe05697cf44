//! One message under one nonce: seal and open (RFC 8439, section 2.8).

use crate::{Backend, Tag, backends::Choice, limits::check_length};
use aead::{Error, inout::InOutBuf};
use chacha20_simd::{
    Rounds,
    hazmat::{Core, xor_keystream},
};
use poly1305_simd::{Poly1305, hazmat::finish, universal_hash::UniversalHash};

/// Bytes that are encrypted before they are authenticated, so that they are still in the first-level cache: a multiple
/// of the 64-byte block.
const CHUNK: usize = 8192;

/// Bytes of the message whose keystream is computed with that of the Poly1305 key: a multiple of the 64-byte block.
///
/// With the key's block, these are a pass of the widest kernel on 128-bit registers: three blocks on 32-bit Arm, four on
/// WebAssembly, six elsewhere.
const FIRST: usize = if cfg!(target_arch = "arm") {
    2 * 64
} else if cfg!(target_arch = "wasm32") {
    3 * 64
} else {
    5 * 64
};

/// Scratch for a keystream block that is not used to its end.
type Block = [u8; 64];

/// The start of the keystream: block 0, whose first half is the one-time key of the message (RFC 8439, section 2.6), and
/// that for up to [`FIRST`] bytes of the message.
struct Start {
    keystream: [u8; 64 + FIRST],
    bytes: usize,
}

impl Start {
    /// None yet, for a message of so many bytes.
    #[inline]
    fn new(message: usize) -> Self {
        Self {
            keystream: [0; 64 + FIRST],
            bytes: message.min(FIRST),
        }
    }

    /// What is used of the keystream, in whole blocks.
    #[inline]
    fn blocks(&mut self) -> &mut [u8] {
        &mut self.keystream[..64 + self.bytes.next_multiple_of(64)]
    }

    /// In place: a move would leave a copy. `last` is not touched.
    #[inline]
    fn fill<R: Rounds>(&mut self, core: &Core<R>, last: &mut Block) {
        core.xor(0, InOutBuf::from(self.blocks()), last);
    }

    #[inline]
    fn authenticator(&self, backend: Backend) -> Option<Poly1305> {
        let mut key = poly1305_simd::Key::default();
        key.copy_from_slice(&self.keystream[..32]);
        let mac = Poly1305::new_with_backend(backend.poly1305(), &key);
        wipe(&mut key);
        mac
    }

    /// XORs the keystream into `data`, the message or a part of it from its start on.
    #[inline]
    fn xor<R: Rounds>(&self, core: &Core<R>, data: InOutBuf<'_, '_, u8>, last: &mut Block) {
        let (first, rest) = data.split_at(self.bytes);
        xor_keystream(first, &self.keystream[64..][..self.bytes]);
        core.xor(1 + (FIRST / 64) as u64, rest, last);
    }
}

impl Drop for Start {
    #[inline]
    fn drop(&mut self) {
        wipe(self.blocks());
    }
}

/// The block that ends the input of Poly1305: both lengths.
#[inline]
pub(crate) fn lengths(associated_data: usize, message: usize) -> poly1305_simd::Block {
    let lengths = associated_data as u128 | (message as u128) << 64;
    lengths.to_le_bytes().into()
}

/// 1 to 15 bytes and zeros behind them. They are read from both ends: a copy of so few would be a call.
#[inline]
#[allow(dead_code, reason = "not every target has a back end that needs it")]
pub(crate) fn padded(bytes: &[u8]) -> poly1305_simd::Block {
    let len = bytes.len();
    debug_assert!((1..16).contains(&len));
    let value = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|&bytes| u64::from_le_bytes(bytes));
        u128::from(first) | u128::from(last) << (8 * (len - 8))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|&bytes| u32::from_le_bytes(bytes));
        (u64::from(first) | u64::from(last) << (8 * (len - 4))).into()
    } else {
        let byte = |i: usize| u128::from(bytes[i]) << (8 * i);
        byte(0) | byte(len / 2) | byte(len - 1)
    };
    value.to_le_bytes().into()
}

/// Compares two tags in constant time.
#[inline]
pub(crate) fn check(tag: &Tag, expected: &Tag) -> Result<(), Error> {
    let difference = u128::from_ne_bytes(tag.0) ^ u128::from_ne_bytes(expected.0);
    // PUBLIC: whether the tag is right is the result; where it differs stays secret.
    if core::hint::black_box(difference) == 0 {
        Ok(())
    } else {
        Err(Error)
    }
}

/// Encrypts `data` and gives its tag. On an error nothing was written.
#[inline]
pub(crate) fn seal<R: Rounds>(
    choice: Choice,
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
) -> Result<Tag, Error> {
    check_length(data.len() as u64)?;
    match choice {
        Choice::Separate(backend) => seal_separate(backend, core, associated_data, data),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Choice::Avx2(token) => token.seal(core, associated_data, data),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Choice::Avx512Ifma(token) => token.seal(core, associated_data, data),
    }
}

/// Decrypts `data` if the tag is right. On an error nothing was written: all of the ciphertext is authenticated before
/// a byte of plaintext is made.
#[inline]
pub(crate) fn open<R: Rounds>(
    choice: Choice,
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    tag: &Tag,
) -> Result<(), Error> {
    check_length(data.len() as u64)?;
    match choice {
        Choice::Separate(backend) => open_separate(backend, core, associated_data, data, tag),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Choice::Avx2(token) => token.open(core, associated_data, data, tag),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Choice::Avx512Ifma(token) => token.open(core, associated_data, data, tag),
    }
}

fn seal_separate<R: Rounds>(
    backend: Backend,
    core: &Core<R>,
    associated_data: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
) -> Result<Tag, Error> {
    let length = data.len();
    let mut last: Block = [0; 64];
    let mut start = Start::new(length);
    start.fill(core, &mut last);
    // In place: a move would leave a copy of the key.
    let mut mac = start.authenticator(backend);
    let mac = mac.as_mut().ok_or(Error)?;
    mac.update_padded(associated_data);
    let mut counter = 1;
    while !data.is_empty() {
        let n = data.len().min(CHUNK);
        let (mut chunk, rest) = data.split_at(n);
        if counter == 1 {
            start.xor(core, chunk.reborrow(), &mut last);
        } else {
            core.xor(counter, chunk.reborrow(), &mut last);
        }
        mac.update_padded(chunk.get_out());
        counter += (CHUNK / 64) as u64;
        data = rest;
    }
    wipe(&mut last);
    mac.update(&[lengths(associated_data.len(), length)]);
    core.wipe_stack(64 + length.min(CHUNK));
    Ok(finish(mac))
}

fn open_separate<R: Rounds>(
    backend: Backend,
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    tag: &Tag,
) -> Result<(), Error> {
    let length = data.len();
    let mut last: Block = [0; 64];
    let mut start = Start::new(length);
    start.fill(core, &mut last);
    // In place: a move would leave a copy of the key.
    let mut mac = start.authenticator(backend);
    let mac = mac.as_mut().ok_or(Error)?;
    mac.update_padded(associated_data);
    mac.update_padded(data.get_in());
    mac.update(&[lengths(associated_data.len(), length)]);
    let verified = check(&finish(mac), tag);
    if verified.is_ok() {
        start.xor(core, data, &mut last);
        wipe(&mut last);
    }
    core.wipe_stack(64 + length);
    verified
}

/// Overwrites a secret that is no longer needed, if the feature `zeroize` is on.
#[inline(always)]
pub(crate) fn wipe(bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(bytes);
    #[cfg(not(feature = "zeroize"))]
    let _ = bytes;
}
