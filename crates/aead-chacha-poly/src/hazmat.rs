//! ⚠️ A message in pieces, for callers who cannot hold it in memory. Exempt from semver.
//!
//! [`Seal`] encrypts pieces of any length; [`Open`] decrypts them **before** it can know whether they are genuine, and
//! therefore hands them out as [`Unverified`] only. Act on nothing of it, and show nothing of it to anybody, until
//! [`Open::finish`] has returned `Ok`; if it returns an error, throw all of it away.

use crate::{ChaChaPoly1305, Tag, limits::add_length, message};
use aead::{Error, array::Array, inout::InOutBuf};
use chacha20_simd::{
    ChaCha, Rounds, Variant,
    cipher::{StreamCipher, StreamCipherSeek},
};
use core::fmt;
use poly1305_simd::OneTimeAuthenticator;

/// Both primitives in the middle of a message.
struct Parts<R: Rounds, V: Variant> {
    stream: ChaCha<R, V>,
    mac: OneTimeAuthenticator,
    associated_data: usize,
    message: u64,
}

impl<R: Rounds, V: Variant> Parts<R, V> {
    fn new(
        cipher: &ChaChaPoly1305<R, V>,
        nonce: &Array<u8, V::NonceSize>,
        associated_data: &[u8],
    ) -> Result<Self, Error> {
        let backend = cipher.backend();
        let mut stream =
            ChaCha::new_with_backend(backend.chacha20(), &cipher.key, nonce).ok_or(Error)?;
        let mut key = poly1305_simd::Key::default();
        stream.apply_keystream(&mut key);
        stream.seek(64_u32);
        let mac = OneTimeAuthenticator::new_with_backend(backend.poly1305(), &key);
        message::wipe(&mut key);
        let mut parts = Self {
            stream,
            mac: mac.ok_or(Error)?,
            associated_data: associated_data.len(),
            message: 0,
        };
        parts.mac.update(associated_data);
        parts.pad(associated_data.len() as u64);
        Ok(parts)
    }

    /// Zeros up to a multiple of 16 bytes.
    fn pad(&mut self, length: u64) {
        self.mac
            .update(&[0; 16][..(length.wrapping_neg() % 16) as usize]);
    }

    /// Counts the bytes of a piece.
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        self.message = add_length(self.message, bytes as u64)?;
        Ok(())
    }

    fn finish(mut self) -> Tag {
        self.pad(self.message);
        let lengths = self.associated_data as u128 | u128::from(self.message) << 64;
        self.mac.update(&lengths.to_le_bytes());
        self.mac.finalize()
    }
}

/// A message that is encrypted in pieces.
pub struct Seal<R: Rounds, V: Variant>(Parts<R, V>);

impl<R: Rounds, V: Variant> Seal<R, V> {
    /// Begins a message. The nonce must never come twice with the same key.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn new(
        cipher: &ChaChaPoly1305<R, V>,
        nonce: &Array<u8, V::NonceSize>,
        associated_data: &[u8],
    ) -> Result<Self, Error> {
        Parts::new(cipher, nonce, associated_data).map(Self)
    }

    /// Encrypts the next piece.
    ///
    /// # Errors
    /// If the message becomes longer than [`P_MAX`](crate::P_MAX); nothing is written then.
    pub fn update(&mut self, mut piece: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.0.take(piece.len())?;
        self.0.stream.apply_keystream_inout(piece.reborrow());
        self.0.mac.update(piece.get_out());
        Ok(())
    }

    /// The tag of the message.
    #[must_use]
    pub fn finish(self) -> Tag {
        self.0.finish()
    }
}

/// A message that is decrypted in pieces, before it is known to be genuine.
pub struct Open<R: Rounds, V: Variant>(Parts<R, V>);

impl<R: Rounds, V: Variant> Open<R, V> {
    /// Begins a message.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn new(
        cipher: &ChaChaPoly1305<R, V>,
        nonce: &Array<u8, V::NonceSize>,
        associated_data: &[u8],
    ) -> Result<Self, Error> {
        Parts::new(cipher, nonce, associated_data).map(Self)
    }

    /// Decrypts the next piece, of which nobody knows yet whether it is genuine.
    ///
    /// # Errors
    /// If the message becomes longer than [`P_MAX`](crate::P_MAX); nothing is written then.
    pub fn update<'out>(
        &mut self,
        mut piece: InOutBuf<'_, 'out, u8>,
    ) -> Result<Unverified<'out>, Error> {
        self.0.take(piece.len())?;
        self.0.mac.update(piece.get_in());
        self.0.stream.apply_keystream_inout(piece.reborrow());
        Ok(Unverified(piece.into_out()))
    }

    /// Whether all that was handed out is genuine.
    ///
    /// # Errors
    /// If the tag is wrong: then nothing that was handed out may be used.
    pub fn finish(self, tag: &Tag) -> Result<(), Error> {
        message::check(&self.0.finish(), tag)
    }
}

/// Plaintext that may be forged, as long as [`Open::finish`] has not said that it is not.
#[must_use]
pub struct Unverified<'a>(&'a mut [u8]);

impl<'a> Unverified<'a> {
    /// The bytes, which anybody may have made up.
    #[must_use]
    pub fn expose_unverified(self) -> &'a mut [u8] {
        self.0
    }
}

impl<R: Rounds, V: Variant> fmt::Debug for Seal<R, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seal").finish_non_exhaustive()
    }
}

impl<R: Rounds, V: Variant> fmt::Debug for Open<R, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open").finish_non_exhaustive()
    }
}

// Both fields of `Parts` that hold secrets wipe them.
#[cfg(feature = "zeroize")]
impl<R: Rounds, V: Variant> zeroize::ZeroizeOnDrop for Seal<R, V> {}
#[cfg(feature = "zeroize")]
impl<R: Rounds, V: Variant> zeroize::ZeroizeOnDrop for Open<R, V> {}

impl fmt::Debug for Unverified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unverified").finish_non_exhaustive()
    }
}
