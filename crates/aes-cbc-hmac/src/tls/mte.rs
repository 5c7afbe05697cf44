//! MAC-then-encrypt (RFC 5246, section 6.2.3.2).

#![forbid(unsafe_code)]

use super::{
    Aad, Iv, MAX_PLAINTEXT, MacThenEncrypt, Suite,
    record::{OpenKeys, Protection, RecordIv, SealKeys, header},
};
use crate::{
    cbc::{self, BLOCK_SIZE},
    ct::{self, Mask},
    padding::{self, Padding},
    wipe::wipe,
};

/// The length of the content that the longest padding leaves of a record, given that which a padding_length alone
/// leaves.
fn shortest(longest: usize) -> usize {
    longest.saturating_sub(padding::LONGEST_TLS - 1)
}

/// The length of the content, secret, from `shortest(longest)` to `longest`.
///
/// A wrong padding is taken as a padding_length alone: the same for all wrong ones, and in the range of the right ones.
fn content_len(padding: &Padding, longest: usize) -> u32 {
    let padding_length = padding.len.wrapping_sub(1) & padding.valid.u32();
    (longest as u32).wrapping_sub(padding_length)
}

impl Protection for MacThenEncrypt {
    fn sealed_len(mac_size: usize, plaintext_len: usize) -> usize {
        ((plaintext_len + mac_size) / BLOCK_SIZE + 1) * BLOCK_SIZE
    }

    fn seal<S: Suite>(
        keys: &SealKeys<S>,
        iv: RecordIv<'_>,
        aad: &Aad,
        record: &mut [u8],
        plaintext_len: usize,
    ) {
        let (content, rest) = record.split_at_mut(plaintext_len);
        let mut mac = keys.hmac.start();
        mac.update(&header(aad, plaintext_len as u16));
        mac.update(content);
        let (mac_place, padding) = rest.split_at_mut(S::MAC_SIZE);
        mac_place.copy_from_slice(mac.finish().truncated(S::MAC_SIZE));
        padding.fill((padding.len() - 1) as u8);
        cbc::encrypt(&keys.cipher, iv.bytes(), record);
    }

    fn open<S: Suite>(
        keys: &OpenKeys<S>,
        iv: RecordIv<'_>,
        aad: &Aad,
        record: &mut [u8],
    ) -> Option<usize> {
        // PUBLIC: the length of the record. It has room for a MAC and a padding_length at least.
        let longest = record.len().checked_sub(S::MAC_SIZE + 1)?;
        if !record.len().is_multiple_of(BLOCK_SIZE) {
            return None;
        }
        cbc::decrypt(&keys.cipher, iv.bytes(), record);

        let shortest = shortest(longest);
        let padding = padding::tls(record, S::MAC_SIZE);
        let len = content_len(&padding, longest);

        let header = header(aad, len as u16);
        let mac = keys
            .hmac
            .mac_of_secret_length(&header, &record[..longest], len, shortest);
        let mut window = [0; ct::WINDOW_SIZE];
        let end = record.len() - 1;
        window[..end - shortest].copy_from_slice(&record[shortest..end]);
        let place = len.wrapping_sub(shortest as u32);
        ct::move_to_front(&mut window, place, longest - shortest, S::MAC_SIZE);
        let authentic = ct::eq(&window[..S::MAC_SIZE], mac.truncated(S::MAC_SIZE));
        wipe(&mut window);

        // PUBLIC: whether the record is accepted, and once it is the length of its content. A refused record says
        // nothing more.
        let short_enough = Mask::lt(len, MAX_PLAINTEXT as u32 + 1);
        (padding.valid & authentic & short_enough)
            .declassify()
            .then_some(len as usize)
    }

    fn last_block(_: usize, record: &[u8]) -> Option<Iv> {
        record.last_chunk().copied()
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    extern crate std;
    use super::*;
    use crate::{
        Backend,
        hash::Hash,
        keys::Keys,
        sealed::Sealed,
        tls::{Aes128Sha1, Aes128Sha256, Aes256Sha384},
    };
    use alloc::{vec, vec::Vec};
    use core::{cell::RefCell, marker::PhantomData};
    use std::thread_local;

    thread_local! {
        /// The blocks in each call of a compression function.
        static CALLS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }

    /// A hash function that notes the calls of its compression function.
    struct Counting<H>(PhantomData<H>);

    impl<H: Hash> Hash for Counting<H> {
        type State = H::State;
        const BLOCK_SIZE: usize = H::BLOCK_SIZE;
        const OUTPUT_SIZE: usize = H::OUTPUT_SIZE;
        const LENGTH_SIZE: usize = H::LENGTH_SIZE;
        const INITIAL: Self::State = H::INITIAL;

        fn compress(state: &mut Self::State, blocks: &[u8]) {
            CALLS.with_borrow_mut(|calls| calls.push(blocks.len() / H::BLOCK_SIZE));
            H::compress(state, blocks);
        }
    }

    /// A suite with a counting hash function.
    struct CountingSuite<S>(PhantomData<S>);

    impl<S: Suite> Sealed for CountingSuite<S> {}

    impl<S: Suite> Suite for CountingSuite<S> {
        type KeySize = S::KeySize;
        type ChainedKeySize = S::ChainedKeySize;
        type Enc = S::Enc;
        type Dec = S::Dec;
        type Hash = Counting<S::Hash>;
    }

    /// Seals a text as it is, opens it and returns what came of that and the calls it took.
    fn open<S: Suite>(text: &[u8]) -> (Option<usize>, Vec<usize>) {
        let key = [0x42; 80];
        let key_size = <S::KeySize as cipher::typenum::Unsigned>::USIZE;
        let seal_keys: SealKeys<S> = Keys::new(Backend::soft(), &key[..key_size]).unwrap();
        let keys: OpenKeys<CountingSuite<S>> =
            Keys::new(Backend::soft(), &key[..key_size]).unwrap();
        let mut record = text.to_vec();
        cbc::encrypt(&seal_keys.cipher, &[7; 16], &mut record);
        CALLS.with_borrow_mut(Vec::clear);
        let iv = RecordIv::Explicit(&[7; 16]);
        let len = MacThenEncrypt::open::<CountingSuite<S>>(&keys, iv, &[1; 11], &mut record);
        (len, CALLS.take())
    }

    /// The text of a record with a padding of the length given, and the length of its content.
    fn text<S: Suite>(len: usize, padding_length: u8) -> (Vec<u8>, Option<usize>) {
        let key = [0x42; 80];
        let key_size = <S::KeySize as cipher::typenum::Unsigned>::USIZE;
        let keys: OpenKeys<S> = Keys::new(Backend::soft(), &key[..key_size]).unwrap();
        let mut text: Vec<u8> = (0..len).map(|i| (i * 13) as u8).collect();
        let padding = usize::from(padding_length) + 1;
        let content = len.checked_sub(padding + S::MAC_SIZE);
        if let Some(content) = content {
            let mut mac = keys.hmac.start();
            mac.update(&header(&[1; 11], content as u16));
            mac.update(&text[..content]);
            text[content..][..S::MAC_SIZE].copy_from_slice(mac.finish().truncated(S::MAC_SIZE));
        }
        text[len.saturating_sub(padding)..].fill(padding_length);
        (text, content.filter(|&content| content <= MAX_PLAINTEXT))
    }

    /// Lucky 13 (CVE-2013-0169; mbedtls issue 3470 on repairs of it): the number of compressions told the length of the
    /// padding. For each length of a record it must be the same for all paddings, right and wrong, and for MACs right,
    /// wrong and missing: as many as the longest content takes by RFC 2104 and FIPS 180-4, key blocks left aside.
    fn calls_depend_on_length_alone<S: Suite>() {
        let hash_block = S::Hash::BLOCK_SIZE;
        let overhead = 1 + S::Hash::LENGTH_SIZE;
        for len in (0..=608).step_by(16).chain([1360, 16_432]) {
            if len < S::MAC_SIZE + 1 {
                assert_eq!(open::<S>(&vec![0; len]), (None, vec![]));
                continue;
            }
            let inner = (13 + len - S::MAC_SIZE - 1 + overhead).div_ceil(hash_block);
            let (_, expected) = open::<S>(&text::<S>(len, 0).0);
            assert_eq!(expected.iter().sum::<usize>(), inner + 1);
            let step = if len > 608 { 15 } else { 1 };
            for padding_length in (0..=255).step_by(step) {
                let (text, content) = text::<S>(len, padding_length);
                assert_eq!(
                    open::<S>(&text),
                    (content, expected.clone()),
                    "{len}, {padding_length}"
                );
                for wrong in [0, len - S::MAC_SIZE - 1, len - 2, len - 1] {
                    let mut text = text.clone();
                    text[wrong] ^= 0x10;
                    let (_, calls) = open::<S>(&text);
                    assert_eq!(calls, expected, "{len}, {padding_length}, {wrong}");
                }
            }
        }
    }

    /// A remark of BoringSSL at its padding check: what a wrong padding is taken for must be one of the right ones, and
    /// not depend on what it says.
    #[test]
    fn wrong_padding_is_taken_as_none() {
        for len in (32..=608).step_by(16) {
            let longest = len - 20 - 1;
            for last in 0..=255 {
                let mut text = vec![last; len];
                let fits = usize::from(last) <= longest;
                let right = if fits {
                    longest - usize::from(last)
                } else {
                    longest
                };
                assert!((shortest(longest)..=longest).contains(&right));
                assert_eq!(content_len(&padding::tls(&text, 20), longest), right as u32);
                if last > 0 {
                    text[len - 2] ^= 1;
                    assert_eq!(
                        content_len(&padding::tls(&text, 20), longest),
                        longest as u32
                    );
                }
            }
        }
    }

    #[test]
    fn calls_depend_on_length_alone_sha1() {
        calls_depend_on_length_alone::<Aes128Sha1>();
    }

    #[test]
    fn calls_depend_on_length_alone_sha256() {
        calls_depend_on_length_alone::<Aes128Sha256>();
    }

    #[test]
    fn calls_depend_on_length_alone_sha384() {
        calls_depend_on_length_alone::<Aes256Sha384>();
    }
}
