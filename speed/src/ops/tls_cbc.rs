//! Records of the TLS cipher suites with AES-CBC and HMAC (RFC 5246, section 6.2.3.2), which have their IV apart.

use std::{hint::black_box, rc::Rc};

use crate::{
    data,
    suite::{Implementation, Operation, Suite},
};

/// Lengths of a record's content.
pub(crate) const SIZES: [usize; 5] = [16, 256, 1350, 8192, 16384];

/// Cipher and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CipherSuite {
    Aes128Sha1,
    Aes256Sha1,
    Aes128Sha256,
    Aes256Sha256,
}

impl CipherSuite {
    #[cfg(any(
        test,
        feature = "aws-lc-rs",
        feature = "boring",
        all(feature = "openssl", target_os = "linux")
    ))]
    pub(crate) const ALL: [Self; 4] = [
        Self::Aes128Sha1,
        Self::Aes256Sha1,
        Self::Aes128Sha256,
        Self::Aes256Sha256,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Aes128Sha1 => "AES-128-CBC-SHA1",
            Self::Aes256Sha1 => "AES-256-CBC-SHA1",
            Self::Aes128Sha256 => "AES-128-CBC-SHA256",
            Self::Aes256Sha256 => "AES-256-CBC-SHA256",
        }
    }

    /// Bytes in a MAC and in a MAC key.
    fn mac_size(self) -> usize {
        match self {
            Self::Aes128Sha1 | Self::Aes256Sha1 => 20,
            Self::Aes128Sha256 | Self::Aes256Sha256 => 32,
        }
    }

    /// The fixed MAC key.
    pub(crate) fn mac_key(self) -> Vec<u8> {
        let key: [u8; 32] = data::array(10);
        key[..self.mac_size()].to_vec()
    }

    /// The fixed key of the cipher.
    pub(crate) fn cipher_key(self) -> Vec<u8> {
        let key: [u8; 32] = data::array(11);
        match self {
            Self::Aes128Sha1 | Self::Aes128Sha256 => key[..16].to_vec(),
            Self::Aes256Sha1 | Self::Aes256Sha256 => key.to_vec(),
        }
    }

    /// The MAC key and then the cipher's.
    pub(crate) fn key(self) -> Vec<u8> {
        [self.mac_key(), self.cipher_key()].concat()
    }

    /// The length of a record with minimal padding.
    fn record_len(self, bytes: usize) -> usize {
        (bytes + self.mac_size() + 1).next_multiple_of(16)
    }

    /// Whether opening is measured.
    fn opens(self) -> bool {
        matches!(self, Self::Aes128Sha1 | Self::Aes256Sha1)
    }
}

/// The fixed initialisation vector.
pub(crate) fn iv() -> [u8; 16] {
    data::array(12)
}

/// The fixed additional data: sequence number, type and version of a record.
///
/// The version is that of TLS 1.0. Only OpenSSL looks at it: from 1.1 on its stitched cipher would have the IV within
/// the record, encrypted with it.
pub(crate) fn aad() -> [u8; 11] {
    [0, 0, 0, 0, 0, 0, 0, 9, 23, 3, 1]
}

/// Enters sealing in place under a key that is set up, in a buffer that has the record's length: the content of
/// `bytes` bytes is at its start.
pub(crate) fn seal(
    suite: &mut Suite,
    who: Implementation,
    cipher_suite: CipherSuite,
    bytes: usize,
    mut seal: impl FnMut(&mut [u8]) + 'static,
) {
    let operation = Operation::bulk(cipher_suite.name(), "seal", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let mut buffer = data::message(bytes);
    buffer.resize(cipher_suite.record_len(bytes), 0);
    seal(&mut buffer);
    let expected = by_hand::sealed(cipher_suite, bytes);
    suite.enter(who, operation, &buffer.clone(), &expected, move || {
        seal(black_box(&mut buffer));
    });
}

/// Enters opening in place of a record of `bytes` bytes; the content is then at its start.
///
/// Opening destroys the record, so every call begins with a copy of it, which is measured with the call. A record that
/// is refused is a wrong output.
pub(crate) fn open(
    suite: &mut Suite,
    who: Implementation,
    cipher_suite: CipherSuite,
    bytes: usize,
    mut open: impl FnMut(&mut [u8]) -> bool + 'static,
) {
    let operation = Operation::bulk(cipher_suite.name(), "open", bytes);
    if !cipher_suite.opens() || !suite.wants(&operation) {
        return;
    }
    let record = by_hand::sealed(cipher_suite, bytes);
    let mut buffer = record.clone();
    let output = if open(&mut buffer) {
        buffer[..bytes].to_vec()
    } else {
        Vec::new()
    };
    suite.enter(who, operation, &output, &data::message(bytes), move || {
        buffer.copy_from_slice(&record);
        black_box(open(black_box(&mut buffer)));
    });
}

/// Enters sealing and opening of every length. Both closures get the length of the content beside the buffer.
pub(crate) fn every_size(
    suite: &mut Suite,
    who: Implementation,
    cipher_suite: CipherSuite,
    seal: impl Fn(&mut [u8], usize) + 'static,
    open: impl Fn(&mut [u8], usize) -> bool + 'static,
) {
    let (seal, open) = (Rc::new(seal), Rc::new(open));
    for bytes in SIZES {
        let seal = Rc::clone(&seal);
        self::seal(suite, who, cipher_suite, bytes, move |buffer| {
            seal(buffer, bytes);
        });
    }
    for bytes in SIZES {
        let open = Rc::clone(&open);
        self::open(suite, who, cipher_suite, bytes, move |record| {
            open(record, bytes)
        });
    }
}

/// Records put together out of RustCrypto's `aes`, `cbc`, `hmac`, `sha1` and `sha2`, since it has no crate for them:
/// the reference, and RustCrypto's part in the contests.
pub(crate) mod by_hand {
    use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt};
    use cipher::{
        Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, InnerIvInit, KeyInit,
        consts::U16,
    };
    use hmac::Mac;

    use super::{CipherSuite, aad, data, iv};

    /// Runs `$work` with types for the cipher suite.
    macro_rules! with_types {
        ($suite:expr, |$Enc:ident, $Dec:ident, $Mac:ident| $work:expr) => {
            match $suite {
                CipherSuite::Aes128Sha1 => {
                    type $Enc = aes::Aes128Enc;
                    type $Dec = aes::Aes128Dec;
                    type $Mac = hmac::Hmac<sha1::Sha1>;
                    $work
                }
                CipherSuite::Aes256Sha1 => {
                    type $Enc = aes::Aes256Enc;
                    type $Dec = aes::Aes256Dec;
                    type $Mac = hmac::Hmac<sha1::Sha1>;
                    $work
                }
                CipherSuite::Aes128Sha256 => {
                    type $Enc = aes::Aes128Enc;
                    type $Dec = aes::Aes128Dec;
                    type $Mac = hmac::Hmac<sha2::Sha256>;
                    $work
                }
                CipherSuite::Aes256Sha256 => {
                    type $Enc = aes::Aes256Enc;
                    type $Dec = aes::Aes256Dec;
                    type $Mac = hmac::Hmac<sha2::Sha256>;
                    $work
                }
            }
        };
    }
    pub(crate) use with_types;

    const KEY_LENGTH: &str = "the key has the algorithm's length";

    /// Keys that are set up: the cipher's and the MAC's.
    pub(crate) struct Keys<C, M> {
        cipher: C,
        mac: M,
    }

    impl<C: KeyInit, M: KeyInit> Keys<C, M> {
        pub(crate) fn new(cipher_suite: CipherSuite) -> Self {
            Self {
                cipher: C::new_from_slice(&cipher_suite.cipher_key()).expect(KEY_LENGTH),
                mac: M::new_from_slice(&cipher_suite.mac_key()).expect(KEY_LENGTH),
            }
        }
    }

    impl<C, M: Mac + Clone> Keys<C, M> {
        /// The MAC of a content, not yet finished.
        fn mac(&self, content: &[u8]) -> M {
            let len = content.len() as u16;
            let mac = self.mac.clone().chain_update(aad());
            mac.chain_update(len.to_be_bytes()).chain_update(content)
        }
    }

    impl<C, M> Keys<C, M>
    where
        C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
        M: Mac + Clone,
    {
        /// Makes a record of the `len` bytes at the start of the buffer, which has the record's length.
        pub(crate) fn seal(&self, buffer: &mut [u8], len: usize) {
            let (content, rest) = buffer.split_at_mut(len);
            let (mac, padding) = rest.split_at_mut(M::output_size());
            mac.copy_from_slice(&self.mac(content).finalize().into_bytes());
            padding.fill((padding.len() - 1) as u8);
            let (blocks, _) = Array::slice_as_chunks_mut(buffer);
            cbc::Encryptor::inner_iv_init(&self.cipher, &iv().into()).encrypt_blocks(blocks);
        }
    }

    impl<C, M> Keys<C, M>
    where
        C: BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
        M: Mac + Clone,
    {
        /// Decrypts a record; whether its content is authentic and has `len` bytes.
        ///
        /// This is what a caller writes who has not heard of Lucky 13: its time tells the length of the padding.
        pub(crate) fn open(&self, record: &mut [u8], len: usize) -> bool {
            let (blocks, _) = Array::slice_as_chunks_mut(record);
            cbc::Decryptor::inner_iv_init(&self.cipher, &iv().into()).decrypt_blocks(blocks);
            let Some((&padding_length, rest)) = record.split_last() else {
                return false;
            };
            let Some(end) = rest.len().checked_sub(padding_length.into()) else {
                return false;
            };
            let Some(content_len) = end.checked_sub(M::output_size()) else {
                return false;
            };
            let (content, mac) = rest[..end].split_at(content_len);
            rest[end..].iter().all(|&byte| byte == padding_length)
                && self.mac(content).verify_slice(mac).is_ok()
                && content_len == len
        }
    }

    /// The message of this length as a record.
    pub(super) fn sealed(cipher_suite: CipherSuite, bytes: usize) -> Vec<u8> {
        let mut buffer = data::message(bytes);
        buffer.resize(cipher_suite.record_len(bytes), 0);
        with_types!(cipher_suite, |Enc, _Dec, M| {
            Keys::<Enc, M>::new(cipher_suite).seal(&mut buffer, bytes);
        });
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_has_room_for_a_padding_length() {
        // Content, 20 bytes of MAC and at least one byte of padding in whole blocks.
        assert_eq!(
            SIZES.map(|bytes| CipherSuite::Aes128Sha1.record_len(bytes)),
            [48, 288, 1376, 8224, 16416]
        );
        assert_eq!(CipherSuite::Aes256Sha256.record_len(16), 64);
    }

    #[test]
    fn what_is_sealed_by_hand_is_opened_and_nothing_else() {
        for cipher_suite in CipherSuite::ALL {
            by_hand::with_types!(cipher_suite, |_Enc, Dec, M| {
                let keys = by_hand::Keys::<Dec, M>::new(cipher_suite);
                let record = by_hand::sealed(cipher_suite, 100);
                assert!(keys.open(&mut record.clone(), 100));
                assert!(!keys.open(&mut record.clone(), 99));
                for place in [0, 99, 110, record.len() - 17, record.len() - 1] {
                    let mut record = record.clone();
                    record[place] ^= 1;
                    assert!(!keys.open(&mut record, 100), "{cipher_suite:?} {place}");
                }
            });
        }
    }
}
