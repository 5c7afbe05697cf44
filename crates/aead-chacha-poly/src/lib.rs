#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod backends;
#[cfg(feature = "hazmat")]
pub mod hazmat;
mod limits;
mod message;

pub use aead::{self, AeadCore, AeadInOut, Error, KeyInit, KeySizeUser, consts};
pub use backends::Backend;
pub use chacha20_simd::{Extended, Ietf, R8, R12, R20, Rounds, Variant};
pub use limits::{A_MAX, C_MAX, P_MAX};

use backends::Choice;

use aead::{
    Buffer, TagPosition,
    array::Array,
    consts::{U12, U16, U24, U32},
    inout::InOutBuf,
};
use chacha20_simd::hazmat::Core;
use core::{fmt, marker::PhantomData};

/// A 256-bit key.
pub type Key = Array<u8, U32>;
/// A 96-bit nonce.
pub type Nonce = Array<u8, U12>;
/// A 192-bit nonce, long enough to be drawn at random.
pub type XNonce = Array<u8, U24>;
/// A 128-bit tag.
pub type Tag = Array<u8, U16>;

/// ChaCha20-Poly1305 (RFC 8439, section 2.8).
pub type ChaCha20Poly1305 = ChaChaPoly1305<R20, Ietf>;
/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, section 2).
pub type XChaCha20Poly1305 = ChaChaPoly1305<R20, Extended>;
/// [`ChaCha20Poly1305`] with 12 rounds; no standard.
#[cfg(feature = "reduced-round")]
pub type ChaCha12Poly1305 = ChaChaPoly1305<R12, Ietf>;
/// [`ChaCha20Poly1305`] with 8 rounds; no standard.
#[cfg(feature = "reduced-round")]
pub type ChaCha8Poly1305 = ChaChaPoly1305<R8, Ietf>;
/// [`XChaCha20Poly1305`] with 12 rounds; no standard.
#[cfg(feature = "reduced-round")]
pub type XChaCha12Poly1305 = ChaChaPoly1305<R12, Extended>;
/// [`XChaCha20Poly1305`] with 8 rounds; no standard.
#[cfg(feature = "reduced-round")]
pub type XChaCha8Poly1305 = ChaChaPoly1305<R8, Extended>;

/// ChaCha with `R` rounds and the nonce of `V`, authenticated by Poly1305 (RFC 8439, section 2.8): a key of 32 bytes, a
/// tag of 16, associated data of up to [`A_MAX`] bytes.
///
/// A message has at most [`P_MAX`] bytes; a longer one is an error, and nothing is written. On opening, the whole
/// ciphertext is authenticated before a byte is decrypted: with a wrong tag, ciphertext and output buffer stay as they
/// were, so that a caller who misses the error has no plaintext in hand (CVE-2023-42811 was such plaintext), and nothing
/// has to be wiped. What is wrong is not said.
///
/// A nonce must never come twice with the same key.
pub struct ChaChaPoly1305<R: Rounds, V: Variant> {
    key: Key,
    choice: Choice,
    form: PhantomData<(R, V)>,
}

impl<R: Rounds, V: Variant> ChaChaPoly1305<R, V> {
    /// An AEAD that uses the back end given; `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend(backend: Backend, key: &Key) -> Option<Self> {
        let choice = Choice::of(backend)?;
        Some(Self {
            key: *key,
            choice,
            form: PhantomData,
        })
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub fn backend(&self) -> Backend {
        self.choice.backend()
    }

    // Where it is not inline, the core is copied, and a kernel that loads from the copy waits for its stores: 30 ns.
    #[inline(always)]
    fn core(&self, nonce: &Array<u8, V::NonceSize>) -> Result<Core<R>, Error> {
        Core::new_with_backend::<V>(self.backend().chacha20(), &self.key, nonce).ok_or(Error)
    }
}

impl<R: Rounds, V: Variant> KeySizeUser for ChaChaPoly1305<R, V> {
    type KeySize = U32;
}

impl<R: Rounds, V: Variant> KeyInit for ChaChaPoly1305<R, V> {
    #[inline]
    fn new(key: &Key) -> Self {
        Self::new_with_backend(Backend::detect(), key).expect("the detected back end is available")
    }
}

impl<R: Rounds, V: Variant> AeadCore for ChaChaPoly1305<R, V> {
    type NonceSize = V::NonceSize;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<R: Rounds, V: Variant> AeadInOut for ChaChaPoly1305<R, V> {
    #[inline]
    fn encrypt_inout_detached(
        &self,
        nonce: &Array<u8, V::NonceSize>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag, Error> {
        message::seal(self.choice, &self.core(nonce)?, associated_data, buffer)
    }

    // Room for the tag comes first: where there is none, the message is left alone.
    #[inline]
    fn encrypt_in_place(
        &self,
        nonce: &Array<u8, V::NonceSize>,
        associated_data: &[u8],
        buffer: &mut dyn Buffer,
    ) -> Result<(), Error> {
        let length = buffer.len();
        buffer.extend_from_slice(&[0; 16])?;
        let (message, place) = buffer.as_mut().split_at_mut(length);
        match self.encrypt_inout_detached(nonce, associated_data, message.into()) {
            Ok(tag) => {
                place.copy_from_slice(&tag);
                Ok(())
            }
            Err(error) => {
                buffer.truncate(length);
                Err(error)
            }
        }
    }

    #[inline]
    fn decrypt_inout_detached(
        &self,
        nonce: &Array<u8, V::NonceSize>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag,
    ) -> Result<(), Error> {
        message::open(
            self.choice,
            &self.core(nonce)?,
            associated_data,
            buffer,
            tag,
        )
    }
}

impl<R: Rounds, V: Variant> Clone for ChaChaPoly1305<R, V> {
    fn clone(&self) -> Self {
        Self {
            key: self.key,
            choice: self.choice,
            form: PhantomData,
        }
    }
}

impl<R: Rounds, V: Variant> fmt::Debug for ChaChaPoly1305<R, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChaChaPoly1305").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<R: Rounds, V: Variant> Drop for ChaChaPoly1305<R, V> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.key.0);
    }
}

#[cfg(feature = "zeroize")]
impl<R: Rounds, V: Variant> zeroize::ZeroizeOnDrop for ChaChaPoly1305<R, V> {}
