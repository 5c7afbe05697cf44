//! The AEADs of JSON Web Encryption that put AES-CBC and HMAC together (RFC 7518, section 5.2).
//!
//! The ciphertext of these is up to 16 bytes longer than the plaintext, because it is padded (PKCS #7). The trait
//! [`aead::AeadInOut`] speaks of ciphertext and plaintext of one length and cannot be implemented; [`aead::Aead`] is,
//! under the feature `alloc`, with the tag behind the ciphertext. [`CbcHmac`] has methods of its own that work in place
//! on any [`aead::Buffer`], with the tag behind the ciphertext or, as JWE wants it, apart.
//!
//! The length of a ciphertext is public, and once it has been accepted that of its plaintext. The tag is compared
//! first, without branches, and forged ciphertext is not decrypted. The padding is checked without branches too, and a
//! wrong one gives the same error.

#![forbid(unsafe_code)]

use crate::{
    Backend,
    cbc::{self, BLOCK_SIZE},
    ct,
    hash::{Hash, Sha256, Sha384, Sha512},
    hmac::Mac,
    keys::{Keys, WithBackend},
    padding,
    sealed::Sealed,
};
use aead::{
    AeadCore, Buffer, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition, array::ArraySize,
};
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt,
    consts::{U16, U24, U32, U48, U64},
    typenum::Unsigned,
};
use core::fmt;

/// The longest tag in bytes.
const MAX_TAG_SIZE: usize = 32;

/// A cipher, a hash and the sizes that go with them.
pub trait Algorithm: Sealed + 'static {
    /// Bytes in a key: half of them MAC key, half cipher key.
    type KeySize: ArraySize;
    /// Bytes in a tag: half of the hash's output.
    type TagSize: ArraySize;

    #[doc(hidden)]
    type Cipher: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt + WithBackend;
    #[doc(hidden)]
    type Hash: Hash;
}

macro_rules! algorithm {
    ($name:ident, $alias:ident: $cipher:ident, $hash:ident, $key_size:ident, $tag_size:ident, $doc:literal) => {
        #[doc = concat!("The parameters of [`", stringify!($alias), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Sealed for $name {}

        impl Algorithm for $name {
            type KeySize = $key_size;
            type TagSize = $tag_size;
            type Cipher = aes_vpaes::$cipher;
            type Hash = $hash;
        }

        #[doc = $doc]
        pub type $alias = CbcHmac<$name>;
    };
}
algorithm!(
    Aes128CbcHmacSha256, A128CbcHs256: Aes128, Sha256, U32, U16,
    "A128CBC-HS256 (RFC 7518, section 5.2.3): a key of 32 bytes, a tag of 16."
);
algorithm!(
    Aes192CbcHmacSha384, A192CbcHs384: Aes192, Sha384, U48, U24,
    "A192CBC-HS384 (RFC 7518, section 5.2.4): a key of 48 bytes, a tag of 24."
);
algorithm!(
    Aes256CbcHmacSha512, A256CbcHs512: Aes256, Sha512, U64, U32,
    "A256CBC-HS512 (RFC 7518, section 5.2.5): a key of 64 bytes, a tag of 32."
);

/// An AEAD of RFC 7518, section 5.2.
///
/// The nonce is a CBC initialization vector of 16 bytes: it must be unpredictable, best random, and not merely unique.
pub struct CbcHmac<A: Algorithm> {
    keys: Keys<A::Cipher, A::Hash>,
}

impl<A: Algorithm> CbcHmac<A> {
    /// An AEAD that uses the back end given; `None` where this CPU cannot run it.
    #[must_use]
    pub fn new_with_backend(backend: Backend, key: &Key<Self>) -> Option<Self> {
        Keys::new(backend, key).map(|keys| Self { keys })
    }

    /// The back end in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.keys.backend
    }

    /// Encrypts the buffer, which grows by 1 to 16 bytes, and returns the tag.
    ///
    /// # Errors
    /// If the buffer cannot grow or `associated_data` is longer than 2^61 - 1 bytes; the buffer is then as it was.
    pub fn encrypt_in_place_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: &mut dyn Buffer,
    ) -> Result<Tag<Self>, Error> {
        let al = al(associated_data.len() as u64)?;
        let padding = padding_for(buffer.len());
        buffer.extend_from_slice(&[padding as u8; BLOCK_SIZE][..padding])?;
        Ok(self.encrypt_padded(nonce, associated_data, al, buffer.as_mut()))
    }

    /// Encrypts the buffer and puts the tag behind: it grows by 1 to 16 bytes and a tag.
    ///
    /// # Errors
    /// If the buffer cannot grow or `associated_data` is longer than 2^61 - 1 bytes; the buffer is then as it was.
    pub fn encrypt_in_place(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: &mut dyn Buffer,
    ) -> Result<(), Error> {
        let al = al(associated_data.len() as u64)?;
        let padding = padding_for(buffer.len());
        let text_len = buffer.len() + padding;
        // Padding and room for the tag at once: there is either room for both or no change.
        let tail = [padding as u8; BLOCK_SIZE + MAX_TAG_SIZE];
        buffer.extend_from_slice(&tail[..padding + A::TagSize::USIZE])?;
        let (text, tag) = buffer.as_mut().split_at_mut(text_len);
        tag.copy_from_slice(&self.encrypt_padded(nonce, associated_data, al, text));
        Ok(())
    }

    /// Decrypts the buffer, which shrinks by 1 to 16 bytes.
    ///
    /// # Errors
    /// If tag or padding is wrong, the buffer is of a length that no ciphertext has, or the associated data has 2^61 bytes
    /// or more: one error for all. The buffer is then filled with zeros.
    pub fn decrypt_in_place_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: &mut dyn Buffer,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let text_len = buffer.len();
        self.decrypt_front(nonce, associated_data, buffer, text_len, tag)
    }

    /// Decrypts the buffer, which has a tag behind the ciphertext and shrinks by both tag and padding.
    ///
    /// # Errors
    /// If tag or padding is wrong, the buffer is of a length that no ciphertext has, or the associated data has 2^61 bytes
    /// or more: one error for all. The buffer is then filled with zeros.
    pub fn decrypt_in_place(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: &mut dyn Buffer,
    ) -> Result<(), Error> {
        let text_len = buffer.len().saturating_sub(A::TagSize::USIZE);
        // A buffer shorter than a tag has an empty ciphertext, which is refused whatever the tag.
        let tag = buffer.as_ref()[text_len..].try_into().unwrap_or_default();
        self.decrypt_front(nonce, associated_data, buffer, text_len, &tag)
    }

    /// The tag of a ciphertext: the first half of the MAC.
    fn tag(&self, nonce: &Nonce<Self>, associated_data: &[u8], al: [u8; 8], text: &[u8]) -> Mac {
        let mut mac = self.keys.hmac.start();
        mac.update(associated_data);
        mac.update(nonce);
        mac.update(text);
        mac.update(&al);
        mac.finish()
    }

    fn encrypt_padded(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        al: [u8; 8],
        text: &mut [u8],
    ) -> Tag<Self> {
        cbc::encrypt(&self.keys.cipher, &nonce.0, text);
        let mac = self.tag(nonce, associated_data, al, text);
        let mut tag = Tag::<Self>::default();
        tag.copy_from_slice(mac.truncated(A::TagSize::USIZE));
        tag
    }

    /// Decrypts the first `text_len` bytes and cuts off the rest, or fills all with zeros.
    fn decrypt_front(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: &mut dyn Buffer,
        text_len: usize,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        let text = &mut buffer.as_mut()[..text_len];
        match self.decrypt_padded(nonce, associated_data, text, tag) {
            Ok(len) => {
                buffer.truncate(len);
                Ok(())
            }
            Err(error) => {
                buffer.as_mut().fill(0);
                Err(error)
            }
        }
    }

    fn decrypt_padded(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        text: &mut [u8],
        tag: &Tag<Self>,
    ) -> Result<usize, Error> {
        let al = al(associated_data.len() as u64)?;
        // PUBLIC: the length of the ciphertext.
        if text.is_empty() || !text.len().is_multiple_of(BLOCK_SIZE) {
            return Err(Error);
        }
        let mac = self.tag(nonce, associated_data, al, text);
        // PUBLIC: whether the tag is right. Section 5.2.2.2 has decryption wait for it.
        if !ct::eq(tag, mac.truncated(A::TagSize::USIZE)).declassify() {
            return Err(Error);
        }
        cbc::decrypt(&self.keys.cipher, &nonce.0, text);
        let padding = padding::pkcs7(text);
        // PUBLIC: whether the padding is right, and once it is the length of the plaintext. The key's owner made it.
        if !padding.valid.declassify() {
            return Err(Error);
        }
        Ok(text.len() - padding.len as usize)
    }
}

/// How many bytes of padding go behind a text: up to the next multiple of 16 beyond its end.
fn padding_for(len: usize) -> usize {
    BLOCK_SIZE - len % BLOCK_SIZE
}

/// AL: the bits in `len` bytes of additional data as a 64-bit big-endian number (RFC 7518, section 5.2.2.1, step 4); an
/// error from 2^61 bytes on.
fn al(len: u64) -> Result<[u8; 8], Error> {
    len.checked_mul(8).map(u64::to_be_bytes).ok_or(Error)
}

impl<A: Algorithm> KeySizeUser for CbcHmac<A> {
    type KeySize = A::KeySize;
}

impl<A: Algorithm> KeyInit for CbcHmac<A> {
    fn new(key: &Key<Self>) -> Self {
        Self::new_with_backend(Backend::detect(), key).expect("the detected back end is available")
    }
}

impl<A: Algorithm> AeadCore for CbcHmac<A> {
    type NonceSize = U16;
    type TagSize = A::TagSize;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

#[cfg(feature = "alloc")]
impl<A: Algorithm> aead::Aead for CbcHmac<A> {
    fn encrypt<'msg, 'aad>(
        &self,
        nonce: &Nonce<Self>,
        plaintext: impl Into<aead::Payload<'msg, 'aad>>,
    ) -> Result<alloc::vec::Vec<u8>, Error> {
        let aead::Payload { msg, aad } = plaintext.into();
        let len = msg.len() + padding_for(msg.len()) + A::TagSize::USIZE;
        let mut buffer = alloc::vec::Vec::with_capacity(len);
        buffer.extend_from_slice(msg);
        self.encrypt_in_place(nonce, aad, &mut buffer)?;
        Ok(buffer)
    }

    fn decrypt<'msg, 'aad>(
        &self,
        nonce: &Nonce<Self>,
        ciphertext: impl Into<aead::Payload<'msg, 'aad>>,
    ) -> Result<alloc::vec::Vec<u8>, Error> {
        let aead::Payload { msg, aad } = ciphertext.into();
        let mut buffer = msg.into();
        self.decrypt_in_place(nonce, aad, &mut buffer)?;
        Ok(buffer)
    }
}

impl<A: Algorithm> fmt::Debug for CbcHmac<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CbcHmac").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<A: Algorithm> zeroize::ZeroizeOnDrop for CbcHmac<A> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// CVE-2016-9123 (go-jose), jose-jwt issue 69, jose issue 883, jwx issue 2198: AL was computed in 32 bits, so that
    /// additional data from 256 or 512 MiB on had the AL of shorter data. RFC 7518 has 64 bits.
    #[test]
    fn al_has_64_bits() {
        for (len, expected) in [
            (0, 0),
            (1, 8),
            (42, 0x150), // RFC 7518, appendix B
            (1 << 28, 1 << 31),
            ((1 << 29) - 1, 0xffff_fff8),
            (1 << 29, 1 << 32),
            (u64::from(u32::MAX), 0x7_ffff_fff8),
            (1 << 32, 1 << 35),
            ((1 << 61) - 1, u64::MAX - 7),
        ] {
            assert_eq!(al(len), Ok(expected.to_be_bytes()));
        }
        for len in [1 << 61, (1 << 61) + 1, 1 << 63, u64::MAX] {
            assert_eq!(al(len), Err(Error));
        }
    }

    #[test]
    fn padding_sizes() {
        for len in 0..100 {
            let padding = padding_for(len);
            assert!((1..=16).contains(&padding) && (len + padding).is_multiple_of(16));
        }
    }
}
