//! Encrypt-then-MAC (RFC 7366, section 3, with erratum 4212 on the length in the MAC).

#![forbid(unsafe_code)]

use super::{
    Aad, EncryptThenMac, Iv, MAX_PLAINTEXT, Suite,
    record::{OpenKeys, Protection, RecordIv, SealKeys, header},
};
use crate::{
    cbc::{self, BLOCK_SIZE},
    ct::{self, Mask},
    hash::Hash,
    hmac::{Hmac, Mac},
    padding,
};

/// The MAC covers IV and ciphertext with their length, which is that of the fragment less the MAC.
fn mac<H: Hash>(hmac: &Hmac<H>, iv: RecordIv<'_>, aad: &Aad, ciphertext: &[u8]) -> Mac {
    let iv = iv.in_clear();
    let mut mac = hmac.start();
    mac.update(&header(aad, (iv.len() + ciphertext.len()) as u16));
    mac.update(iv);
    mac.update(ciphertext);
    mac.finish()
}

impl Protection for EncryptThenMac {
    fn sealed_len(mac_size: usize, plaintext_len: usize) -> usize {
        (plaintext_len / BLOCK_SIZE + 1) * BLOCK_SIZE + mac_size
    }

    fn seal<S: Suite>(
        keys: &SealKeys<S>,
        iv: RecordIv<'_>,
        aad: &Aad,
        record: &mut [u8],
        plaintext_len: usize,
    ) {
        let (text, mac_place) = record.split_at_mut(record.len() - S::MAC_SIZE);
        let padding = &mut text[plaintext_len..];
        padding.fill((padding.len() - 1) as u8);
        cbc::encrypt(&keys.cipher, iv.bytes(), text);
        let mac = mac(&keys.hmac, iv, aad, text);
        mac_place.copy_from_slice(mac.truncated(S::MAC_SIZE));
    }

    fn open<S: Suite>(
        keys: &OpenKeys<S>,
        iv: RecordIv<'_>,
        aad: &Aad,
        record: &mut [u8],
    ) -> Option<usize> {
        // PUBLIC: the length of the record.
        let text_len = record.len().checked_sub(S::MAC_SIZE)?;
        if text_len == 0 || !text_len.is_multiple_of(BLOCK_SIZE) {
            return None;
        }
        let (text, tag) = record.split_at_mut(text_len);
        let mac = mac(&keys.hmac, iv, aad, text);
        // PUBLIC: whether the MAC is right; RFC 7366 has decryption wait for it.
        if !ct::eq(tag, mac.truncated(S::MAC_SIZE)).declassify() {
            return None;
        }
        cbc::decrypt(&keys.cipher, iv.bytes(), text);
        let padding = padding::tls(text, 0);
        let len = (text_len as u32).wrapping_sub(padding.len);
        // PUBLIC: whether the record is accepted, and once it is the length of its content. The key's owner made it.
        let accepted =
            padding.valid & Mask::lt(len & padding.valid.u32(), MAX_PLAINTEXT as u32 + 1);
        accepted.declassify().then_some(len as usize)
    }

    fn last_block(mac_size: usize, record: &[u8]) -> Option<Iv> {
        let text_len = record.len().checked_sub(mac_size)?;
        record[..text_len].last_chunk().copied()
    }
}
