//! Protection of TLS 1.0, 1.1 and 1.2 records by the CBC cipher suites.
//!
//! A [`Suite`] names cipher and hash, an [`Order`] what comes first:
//!
//! - [`MacThenEncrypt`], the default: `GenericBlockCipher` of RFC 5246, section 6.2.3.2. The record is the encryption
//!   of content, MAC and padding.
//! - [`EncryptThenMac`], after both sides have sent the extension of RFC 7366: the record is the encryption of content
//!   and padding, and then the MAC.
//!
//! [`Sealer`] and [`Opener`] serve TLS 1.1 and 1.2 (and DTLS), where each record has an IV of its own in clear before
//! it; [`ChainedSealer`] and [`ChainedOpener`] serve TLS 1.0, where a record's IV is the last ciphertext block of the
//! record before. One type a direction, as TLS has one key a direction.
//!
//! # What is public and what is secret
//!
//! Public are the length of a record and whether it was accepted. When sealing, the length of the content is public
//! too: the caller's work on it shows it long before the MAC does.
//!
//! When a [`MacThenEncrypt`] record is opened, everything in it is secret until it has been accepted, and with it the
//! length of the padding, that of the content, and which of padding and MAC was wrong: an attacker who can tell one of
//! them by time or by error can decrypt (Lucky 13, POODLE on TLS, padding oracles). So
//!
//! - all bytes that could be padding are read, at most 256, and all that are padding are compared;
//! - a wrong padding goes on as one of no bytes but its length, so that its record takes the same way as a good one;
//! - the MAC is computed with as many compressions as the longest content that the record has room for;
//! - the MAC in the record is moved to a fixed place by steps that do not depend on where it was;
//! - one bit comes of it all.
//!
//! Once a record has been accepted its content and so its length are the caller's; how long the caller takes with them
//! is the protocol's matter. [`EncryptThenMac`] refuses a forged record before it decrypts; the padding of an authentic
//! one is checked without branches all the same, because its length tells that of the content.
//!
//! # Additional data
//!
//! The 11 bytes in [`Aad`] are sequence number (8 bytes), type (1) and version (2): see [`aad`]. The length that the
//! MAC covers behind them is added here: that of the content for [`MacThenEncrypt`], that of IV and ciphertext for
//! [`EncryptThenMac`].

mod etm;
mod mte;
mod record;
mod suites;

pub use suites::{Aes128Sha1, Aes128Sha256, Aes256Sha1, Aes256Sha256, Aes256Sha384, Suite};

use crate::{Backend, cbc::BLOCK_SIZE, keys::Keys, wipe::wipe};
use aead::{Error, Key, KeyInit, KeySizeUser};
use core::{fmt, marker::PhantomData};
use record::{
    OpenKeys, Protection, RecordIv, SealKeys, copy, open_in_place, room, seal_in_place, sealed_len,
};

/// Bytes in an [`Iv`].
pub const IV_SIZE: usize = BLOCK_SIZE;

/// An initialization vector: 16 bytes.
pub type Iv = [u8; IV_SIZE];

/// Sequence number (8 bytes, big-endian), type (1 byte) and version (2 bytes) of a record.
pub type Aad = [u8; 11];

/// The longest content of a record in bytes (RFC 5246, section 6.2.1).
pub const MAX_PLAINTEXT: usize = 1 << 14;

/// The longest protected record in bytes (RFC 5246, section 6.2.3).
pub const MAX_RECORD: usize = MAX_PLAINTEXT + 2048;

/// Puts the additional data of a record together. In DTLS the epoch is the upper 16 bits of the sequence number.
#[must_use]
pub fn aad(sequence_number: u64, content_type: u8, version: [u8; 2]) -> Aad {
    let mut aad = [0; 11];
    aad[..8].copy_from_slice(&sequence_number.to_be_bytes());
    aad[8] = content_type;
    aad[9..].copy_from_slice(&version);
    aad
}

/// How a record is put together: [`MacThenEncrypt`] or [`EncryptThenMac`].
pub trait Order: Protection + 'static {}

/// Records as RFC 5246, section 6.2.3.2 has them.
#[derive(Clone, Copy, Debug)]
pub struct MacThenEncrypt;

/// Records as RFC 7366, section 3 has them.
#[derive(Clone, Copy, Debug)]
pub struct EncryptThenMac;

impl Order for MacThenEncrypt {}
impl Order for EncryptThenMac {}

/// What the four types have in common.
macro_rules! common {
    ($name:ident, $key_size:ident, $direction:literal, |$backend:ident, $key:ident| $new:expr) => {
        impl<S: Suite, O: Order> $name<S, O> {
            #[doc = concat!($direction, " with the back end given; `None` where this CPU cannot run it.")]
            #[must_use]
            pub fn new_with_backend($backend: Backend, $key: &Key<Self>) -> Option<Self> {
                $new
            }

            /// The back end in use.
            #[must_use]
            pub fn backend(&self) -> Backend {
                self.keys.backend
            }
        }

        impl<S: Suite, O: Order> KeySizeUser for $name<S, O> {
            type KeySize = S::$key_size;
        }

        impl<S: Suite, O: Order> KeyInit for $name<S, O> {
            fn new(key: &Key<Self>) -> Self {
                Self::new_with_backend(Backend::detect(), key)
                    .expect("the detected back end is available")
            }
        }

        impl<S: Suite, O: Order> fmt::Debug for $name<S, O> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        #[cfg(feature = "zeroize")]
        impl<S: Suite, O: Order> zeroize::ZeroizeOnDrop for $name<S, O> {}
    };
}

/// Seals records that have an IV of their own: TLS 1.1 and 1.2.
///
/// The key is the suite's MAC key and then its cipher key.
pub struct Sealer<S: Suite, O: Order = MacThenEncrypt> {
    keys: SealKeys<S>,
    order: PhantomData<O>,
}

common!(Sealer, KeySize, "Seals", |backend, key| Some(Self {
    keys: Keys::new(backend, key)?,
    order: PhantomData,
}));

impl<S: Suite, O: Order> Sealer<S, O> {
    /// The length in bytes of the record that minimal padding makes of `plaintext_len` bytes, without its IV;
    /// `None` if they are more than [`MAX_PLAINTEXT`].
    #[must_use]
    pub fn sealed_len(plaintext_len: usize) -> Option<usize> {
        sealed_len::<S, O>(plaintext_len)
    }

    /// Seals the first `plaintext_len` bytes of `buffer` with minimal padding and returns the length of the record, for
    /// which `buffer` must have room: see [`sealed_len`](Self::sealed_len).
    ///
    /// The IV must be unpredictable, best 16 random bytes; it goes before the record in clear.
    ///
    /// # Errors
    /// If the content is longer than [`MAX_PLAINTEXT`] or the buffer too short; it is then as it was.
    pub fn seal_in_place(
        &self,
        iv: &Iv,
        aad: &Aad,
        buffer: &mut [u8],
        plaintext_len: usize,
    ) -> Result<usize, Error> {
        seal_in_place::<S, O>(
            &self.keys,
            RecordIv::Explicit(iv),
            aad,
            buffer,
            plaintext_len,
        )
    }

    /// As [`seal_in_place`](Self::seal_in_place), from one buffer to the start of another.
    ///
    /// # Errors
    /// If the content is longer than [`MAX_PLAINTEXT`] or `out` too short; it is then as it was.
    pub fn seal(
        &self,
        iv: &Iv,
        aad: &Aad,
        plaintext: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let out = room::<S, O>(plaintext, out)?;
        self.seal_in_place(iv, aad, out, plaintext.len())
    }
}

/// Opens records that have an IV of their own: TLS 1.1 and 1.2.
///
/// The key is the suite's MAC key and then its cipher key.
pub struct Opener<S: Suite, O: Order = MacThenEncrypt> {
    keys: OpenKeys<S>,
    order: PhantomData<O>,
}

common!(Opener, KeySize, "Opens", |backend, key| Some(Self {
    keys: Keys::new(backend, key)?,
    order: PhantomData,
}));

impl<S: Suite, O: Order> Opener<S, O> {
    /// Opens a record, without the IV that goes before it, and returns the content, which is then at its start.
    ///
    /// # Errors
    /// If the record is not authentic, is of a length that no record has, or has a content longer than
    /// [`MAX_PLAINTEXT`]: one error for all. The record is then filled with zeros.
    pub fn open_in_place<'r>(
        &self,
        iv: &Iv,
        aad: &Aad,
        record: &'r mut [u8],
    ) -> Result<&'r mut [u8], Error> {
        let len = open_in_place::<S, O>(&self.keys, RecordIv::Explicit(iv), aad, record)?;
        Ok(&mut record[..len])
    }

    /// As [`open_in_place`](Self::open_in_place), from one buffer to the start of another, which must be as long as the
    /// record; returns the length of the content.
    ///
    /// # Errors
    /// As `open_in_place`, where `out` is then filled with zeros as far as the record is long; and if `out` is too
    /// short, which is then as it was.
    pub fn open(&self, iv: &Iv, aad: &Aad, record: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.open_in_place(iv, aad, copy(record, out)?)
            .map(|content| content.len())
    }
}

/// Splits a key that ends with an IV.
fn split_iv(key: &[u8]) -> (&[u8], Iv) {
    let (key, iv) = key.split_at(key.len() - IV_SIZE);
    (key, iv.try_into().expect("as many bytes as an IV has"))
}

/// Seals records of which each takes the end of the one before as its IV: TLS 1.0.
///
/// The key is the suite's MAC key, then its cipher key, then the IV of the first record (RFC 2246, section 6.3).
///
/// Whoever can choose a content after having seen the record before it can test guesses of earlier content (the BEAST
/// attack): a caller who cannot exclude that splits content after its first byte, or does without TLS 1.0.
pub struct ChainedSealer<S: Suite, O: Order = MacThenEncrypt> {
    keys: SealKeys<S>,
    iv: Iv,
    order: PhantomData<O>,
}

common!(ChainedSealer, ChainedKeySize, "Seals", |backend, key| {
    let (key, iv) = split_iv(key);
    Some(Self {
        keys: Keys::new(backend, key)?,
        iv,
        order: PhantomData,
    })
});

impl<S: Suite, O: Order> ChainedSealer<S, O> {
    /// The length in bytes of the record that minimal padding makes of `plaintext_len` bytes, without its IV;
    /// `None` if they are more than [`MAX_PLAINTEXT`].
    #[must_use]
    pub fn sealed_len(plaintext_len: usize) -> Option<usize> {
        sealed_len::<S, O>(plaintext_len)
    }

    /// Seals the first `plaintext_len` bytes of `buffer` with minimal padding and returns the length of the record, for
    /// which `buffer` must have room: see [`sealed_len`](Self::sealed_len).
    ///
    /// # Errors
    /// If the content is longer than [`MAX_PLAINTEXT`] or the buffer too short; buffer and IV are then as they were.
    pub fn seal_in_place(
        &mut self,
        aad: &Aad,
        buffer: &mut [u8],
        plaintext_len: usize,
    ) -> Result<usize, Error> {
        let iv = RecordIv::Chained(&self.iv);
        let len = seal_in_place::<S, O>(&self.keys, iv, aad, buffer, plaintext_len)?;
        self.iv = O::last_block(S::MAC_SIZE, &buffer[..len]).ok_or(Error)?;
        Ok(len)
    }

    /// As [`seal_in_place`](Self::seal_in_place), from one buffer to the start of another.
    ///
    /// # Errors
    /// If the content is longer than [`MAX_PLAINTEXT`] or `out` too short; `out` and IV are then as they were.
    pub fn seal(&mut self, aad: &Aad, plaintext: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let out = room::<S, O>(plaintext, out)?;
        self.seal_in_place(aad, out, plaintext.len())
    }
}

impl<S: Suite, O: Order> Drop for ChainedSealer<S, O> {
    fn drop(&mut self) {
        wipe(&mut self.iv);
    }
}

/// Opens records of which each takes the end of the one before as its IV: TLS 1.0.
///
/// The key is the suite's MAC key, then its cipher key, then the IV of the first record (RFC 2246, section 6.3).
pub struct ChainedOpener<S: Suite, O: Order = MacThenEncrypt> {
    keys: OpenKeys<S>,
    iv: Iv,
    order: PhantomData<O>,
}

common!(ChainedOpener, ChainedKeySize, "Opens", |backend, key| {
    let (key, iv) = split_iv(key);
    Some(Self {
        keys: Keys::new(backend, key)?,
        iv,
        order: PhantomData,
    })
});

impl<S: Suite, O: Order> ChainedOpener<S, O> {
    /// Opens a record and returns the content, which is then at its start.
    ///
    /// # Errors
    /// If the record is not authentic, is of a length that no record has, or has a content longer than
    /// [`MAX_PLAINTEXT`]: one error for all. The record is then filled with zeros, and the IV stays as it was. TLS
    /// ends the connection.
    pub fn open_in_place<'r>(
        &mut self,
        aad: &Aad,
        record: &'r mut [u8],
    ) -> Result<&'r mut [u8], Error> {
        let next = O::last_block(S::MAC_SIZE, record);
        let len = open_in_place::<S, O>(&self.keys, RecordIv::Chained(&self.iv), aad, record)?;
        self.iv = next.ok_or(Error)?;
        Ok(&mut record[..len])
    }

    /// As [`open_in_place`](Self::open_in_place), from one buffer to the start of another, which must be as long as the
    /// record; returns the length of the content.
    ///
    /// # Errors
    /// As `open_in_place`, where `out` is then filled with zeros as far as the record is long; and if `out` is too
    /// short, which is then as it was.
    pub fn open(&mut self, aad: &Aad, record: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.open_in_place(aad, copy(record, out)?)
            .map(|content| content.len())
    }
}

impl<S: Suite, O: Order> Drop for ChainedOpener<S, O> {
    fn drop(&mut self) {
        wipe(&mut self.iv);
    }
}
