//! What all records have in common.

#![forbid(unsafe_code)]

use super::{Aad, Iv, MAX_PLAINTEXT, MAX_RECORD, Suite};
use crate::{hmac::HEADER_SIZE, keys::Keys};
use aead::Error;

pub(super) type SealKeys<S> = Keys<<S as Suite>::Enc, <S as Suite>::Hash>;
pub(super) type OpenKeys<S> = Keys<<S as Suite>::Dec, <S as Suite>::Hash>;

/// The work of an [`Order`](super::Order), whose records it describes.
pub trait Protection {
    /// The bytes of a record with minimal padding, without the IV, for a content that is not too long.
    fn sealed_len(mac_size: usize, plaintext_len: usize) -> usize;

    /// Seals the content at the start of `record`, which has the length that `sealed_len` says.
    fn seal<S: Suite>(
        keys: &SealKeys<S>,
        iv: RecordIv<'_>,
        aad: &Aad,
        record: &mut [u8],
        plaintext_len: usize,
    );

    /// Decrypts the record in place and returns the length of its content, or `None` if it is not authentic; what the
    /// record then holds is secret.
    fn open<S: Suite>(
        keys: &OpenKeys<S>,
        iv: RecordIv<'_>,
        aad: &Aad,
        record: &mut [u8],
    ) -> Option<usize>;

    /// The last block of ciphertext, if the record is long enough to have one.
    fn last_block(mac_size: usize, record: &[u8]) -> Option<Iv>;
}

/// The IV of a record.
#[derive(Clone, Copy, Debug)]
pub enum RecordIv<'a> {
    /// It goes before the record in clear.
    Explicit(&'a Iv),
    /// It is the end of the record before.
    Chained(&'a Iv),
}

impl<'a> RecordIv<'a> {
    pub(super) fn bytes(self) -> &'a Iv {
        match self {
            Self::Explicit(iv) | Self::Chained(iv) => iv,
        }
    }

    /// What of it stands in the record.
    pub(super) fn in_clear(self) -> &'a [u8] {
        match self {
            Self::Explicit(iv) => iv,
            Self::Chained(_) => &[],
        }
    }
}

/// What the MAC covers before content or ciphertext: the additional data and a length.
pub(super) fn header(aad: &Aad, len: u16) -> [u8; HEADER_SIZE] {
    let mut header = [0; HEADER_SIZE];
    header[..aad.len()].copy_from_slice(aad);
    header[aad.len()..].copy_from_slice(&len.to_be_bytes());
    header
}

/// The length of a sealed record, or `None` if the content is too long.
pub(super) fn sealed_len<S: Suite, P: Protection>(plaintext_len: usize) -> Option<usize> {
    (plaintext_len <= MAX_PLAINTEXT).then(|| P::sealed_len(S::MAC_SIZE, plaintext_len))
}

pub(super) fn seal_in_place<S: Suite, P: Protection>(
    keys: &SealKeys<S>,
    iv: RecordIv<'_>,
    aad: &Aad,
    buffer: &mut [u8],
    plaintext_len: usize,
) -> Result<usize, Error> {
    let len = sealed_len::<S, P>(plaintext_len).ok_or(Error)?;
    let record = buffer.get_mut(..len).ok_or(Error)?;
    P::seal::<S>(keys, iv, aad, record, plaintext_len);
    Ok(len)
}

/// Fills the record with zeros if it is not authentic.
pub(super) fn open_in_place<S: Suite, P: Protection>(
    keys: &OpenKeys<S>,
    iv: RecordIv<'_>,
    aad: &Aad,
    record: &mut [u8],
) -> Result<usize, Error> {
    let len = if record.len() <= MAX_RECORD {
        P::open::<S>(keys, iv, aad, record)
    } else {
        None
    };
    if len.is_none() {
        record.fill(0);
    }
    len.ok_or(Error)
}

/// Copies a record to the start of `out`.
pub(super) fn copy<'a>(record: &[u8], out: &'a mut [u8]) -> Result<&'a mut [u8], Error> {
    let out = out.get_mut(..record.len()).ok_or(Error)?;
    out.copy_from_slice(record);
    Ok(out)
}

/// Copies a content to the start of as much of `out` as its record takes.
pub(super) fn room<'a, S: Suite, P: Protection>(
    plaintext: &[u8],
    out: &'a mut [u8],
) -> Result<&'a mut [u8], Error> {
    let len = sealed_len::<S, P>(plaintext.len()).ok_or(Error)?;
    let out = out.get_mut(..len).ok_or(Error)?;
    copy(plaintext, out)?;
    Ok(out)
}
