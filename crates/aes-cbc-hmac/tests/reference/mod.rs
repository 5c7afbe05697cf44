//! CBC, HMAC and the records as the standards write them, put together from RustCrypto's crates: slow, with branches on
//! everything, and with nothing of the crate under test but its types.

// Each test file uses a part.
#![allow(dead_code)]

use aes_cbc_hmac::tls::{Aes128Sha1, Aes128Sha256, Aes256Sha1, Aes256Sha256, Aes256Sha384, Suite};
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit, block_padding::NoPadding};
use hmac::{Hmac, KeyInit, Mac};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// HMAC over the parts one after the other.
    pub(crate) fn hmac(self, key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
        fn hmac<M: Mac + KeyInit>(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
            let mut mac = <M as KeyInit>::new_from_slice(key).unwrap();
            for part in parts {
                mac.update(part);
            }
            mac.finalize().into_bytes().to_vec()
        }
        match self {
            Self::Sha1 => hmac::<Hmac<sha1::Sha1>>(key, parts),
            Self::Sha256 => hmac::<Hmac<sha2::Sha256>>(key, parts),
            Self::Sha384 => hmac::<Hmac<sha2::Sha384>>(key, parts),
            Self::Sha512 => hmac::<Hmac<sha2::Sha512>>(key, parts),
        }
    }

    /// Bytes of output.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }
}

pub(crate) fn cbc_encrypt(key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
    fn encrypt<M: BlockModeEncrypt + KeyIvInit>(key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
        let mut out = text.to_vec();
        let mode = M::new_from_slices(key, iv).unwrap();
        mode.encrypt_padded::<NoPadding>(&mut out, text.len())
            .unwrap();
        out
    }
    match key.len() {
        16 => encrypt::<cbc::Encryptor<aes::Aes128>>(key, iv, text),
        24 => encrypt::<cbc::Encryptor<aes::Aes192>>(key, iv, text),
        32 => encrypt::<cbc::Encryptor<aes::Aes256>>(key, iv, text),
        _ => unreachable!(),
    }
}

pub(crate) fn cbc_decrypt(key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
    fn decrypt<M: BlockModeDecrypt + KeyIvInit>(key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
        let mut out = text.to_vec();
        M::new_from_slices(key, iv)
            .unwrap()
            .decrypt_padded::<NoPadding>(&mut out)
            .unwrap();
        out
    }
    match key.len() {
        16 => decrypt::<cbc::Decryptor<aes::Aes128>>(key, iv, text),
        24 => decrypt::<cbc::Decryptor<aes::Aes192>>(key, iv, text),
        32 => decrypt::<cbc::Decryptor<aes::Aes256>>(key, iv, text),
        _ => unreachable!(),
    }
}

/// A suite and what the reference has to know of it.
pub(crate) trait Described: Suite {
    const HASH: Hash;
    const CIPHER_KEY_SIZE: usize;
    const NAME: &str;

    fn records(key: &[u8]) -> Records {
        let (mac_key, cipher_key) = key.split_at(Self::HASH.size());
        assert_eq!(cipher_key.len(), Self::CIPHER_KEY_SIZE);
        Records {
            hash: Self::HASH,
            mac_key: mac_key.to_vec(),
            cipher_key: cipher_key.to_vec(),
        }
    }
}

macro_rules! described {
    ($($suite:ident: $hash:ident, $size:literal;)*) => {$(
        impl Described for $suite {
            const HASH: Hash = Hash::$hash;
            const CIPHER_KEY_SIZE: usize = $size;
            const NAME: &str = stringify!($suite);
        }
    )*};
}
described! {
    Aes128Sha1: Sha1, 16;
    Aes128Sha256: Sha256, 16;
    Aes256Sha1: Sha1, 32;
    Aes256Sha256: Sha256, 32;
    Aes256Sha384: Sha384, 32;
}

/// The keys of one direction.
pub(crate) struct Records {
    pub(crate) hash: Hash,
    pub(crate) mac_key: Vec<u8>,
    pub(crate) cipher_key: Vec<u8>,
}

/// `padding_length` bytes and one more of that value.
pub(crate) fn padding(padding_length: u8) -> Vec<u8> {
    vec![padding_length; usize::from(padding_length) + 1]
}

fn strip_padding(text: &[u8]) -> Option<&[u8]> {
    let padding_length = *text.last()?;
    let content = text.len().checked_sub(usize::from(padding_length) + 1)?;
    (text[content..] == padding(padding_length)).then_some(&text[..content])
}

impl Records {
    /// The MAC of a content (RFC 5246, section 6.2.3.1).
    pub(crate) fn mac(&self, aad: &[u8; 11], content: &[u8]) -> Vec<u8> {
        let len = (content.len() as u16).to_be_bytes();
        self.hash.hmac(&self.mac_key, &[aad, &len, content])
    }

    pub(crate) fn encrypt(&self, iv: &[u8; 16], text: &[u8]) -> Vec<u8> {
        cbc_encrypt(&self.cipher_key, iv, text)
    }

    /// A record whose padding is `padding`, right or not.
    pub(crate) fn mte(
        &self,
        iv: &[u8; 16],
        aad: &[u8; 11],
        content: &[u8],
        padding: &[u8],
    ) -> Vec<u8> {
        self.encrypt(iv, &[content, &self.mac(aad, content), padding].concat())
    }

    pub(crate) fn open_mte(&self, iv: &[u8; 16], aad: &[u8; 11], record: &[u8]) -> Option<Vec<u8>> {
        if !record.len().is_multiple_of(16) {
            return None;
        }
        let text = cbc_decrypt(&self.cipher_key, iv, record);
        let text = strip_padding(&text)?;
        let (content, mac) = text.split_at(text.len().checked_sub(self.hash.size())?);
        (self.mac(aad, content) == mac).then(|| content.to_vec())
    }

    /// The MAC of a ciphertext (RFC 7366, section 3, erratum 4212); `in_clear` is an explicit IV.
    pub(crate) fn etm_mac(&self, in_clear: &[u8], aad: &[u8; 11], ciphertext: &[u8]) -> Vec<u8> {
        let len = ((in_clear.len() + ciphertext.len()) as u16).to_be_bytes();
        self.hash
            .hmac(&self.mac_key, &[aad, &len, in_clear, ciphertext])
    }

    pub(crate) fn etm(
        &self,
        iv: &[u8; 16],
        in_clear: &[u8],
        aad: &[u8; 11],
        text: &[u8],
    ) -> Vec<u8> {
        let ciphertext = self.encrypt(iv, text);
        let mac = self.etm_mac(in_clear, aad, &ciphertext);
        [ciphertext, mac].concat()
    }

    pub(crate) fn open_etm(
        &self,
        iv: &[u8; 16],
        in_clear: &[u8],
        aad: &[u8; 11],
        record: &[u8],
    ) -> Option<Vec<u8>> {
        let (ciphertext, mac) = record.split_at(record.len().checked_sub(self.hash.size())?);
        if self.etm_mac(in_clear, aad, ciphertext) != mac || !ciphertext.len().is_multiple_of(16) {
            return None;
        }
        strip_padding(&cbc_decrypt(&self.cipher_key, iv, ciphertext)).map(<[u8]>::to_vec)
    }
}

/// Bytes without a pattern that a fault could hide in: an RC4-like walk is more than is needed, a Weyl sequence does.
pub(crate) fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut x = seed;
    (0..len)
        .map(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let y = (x ^ (x >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (y >> 56) as u8
        })
        .collect()
}

/// As many of them as an array has.
pub(crate) fn array<const N: usize>(seed: u64) -> [u8; N] {
    bytes(N, seed).try_into().unwrap()
}
