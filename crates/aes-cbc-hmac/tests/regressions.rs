//! Public bugs that must not recur here. Those that only private parts can show have their tests beside these: the
//! number of compressions (Lucky 13) in `src/tls/mte.rs`, the length AL in `src/jose.rs`, PKCS #7 in `src/padding.rs`.

mod reference;

use aead::{Buffer, KeyInit, Tag, array::Array};
use aes_cbc_hmac::{
    Backend, Error,
    jose::{A128CbcHs256, A192CbcHs384, A256CbcHs512},
    tls::{
        Aes128Sha1, Aes128Sha256, Aes256Sha384, ChainedOpener, ChainedSealer, EncryptThenMac,
        MAX_PLAINTEXT, MAX_RECORD, MacThenEncrypt, Opener, Order, Sealer, aad,
    },
};
use reference::{Described, Records, array, bytes, cbc_encrypt, padding};

const IV: [u8; 16] = *b"an IV of 16 byte";
const AAD: [u8; 11] = *b"\0\0\0\0\0\0\0\x01\x17\x03\x03";

fn reference<S: Described>(key: &[u8]) -> Records {
    S::records(key)
}

fn opener<O: Order>(backend: Backend, key: [u8; 36]) -> Opener<Aes128Sha1, O> {
    Opener::new_with_backend(backend, &key.into()).unwrap()
}

/// CVE-2016-2107 (LuckyMinus20): OpenSSL did not check that a record has room for the padding that its last byte claims
/// and for a MAC before it, and a difference went below zero. A text of nothing but padding bytes has room for no MAC,
/// or else no MAC that is right.
#[test]
fn texts_of_padding_alone() {
    let key = array(1);
    let reference = reference::<Aes128Sha1>(&key);
    for backend in Backend::available() {
        let opener = opener::<MacThenEncrypt>(backend, key);
        for len in (16..=512).step_by(16) {
            for last in 0..=255 {
                let mut record = reference.encrypt(&IV, &vec![last; len]);
                assert_eq!(reference.open_mte(&IV, &AAD, &record), None);
                assert_eq!(opener.open_in_place(&IV, &AAD, &mut record), Err(Error));
                assert_eq!(record, vec![0; len]);
            }
        }
    }
}

/// CVE-2014-8730 (POODLE on TLS): bytes of the padding were not checked, as SSL 3.0 allows. RFC 5246, section 6.2.3.2,
/// has each of them equal to padding_length.
#[test]
fn each_byte_of_each_padding() {
    let key = array(2);
    let reference = reference::<Aes128Sha1>(&key);
    let opener = opener::<MacThenEncrypt>(Backend::soft(), key);
    for padding_length in 0..=255u8 {
        let content = bytes(27 - usize::from(padding_length) % 16 + 16 * 3, 3);
        let content = &content[..];
        let padding = padding(padding_length);
        let mut record = reference.mte(&IV, &AAD, content, &padding);
        assert_eq!(
            opener.open_in_place(&IV, &AAD, &mut record).unwrap(),
            content
        );
        for i in 0..padding.len() {
            // BoringSSL's generator adds one; a flipped top bit is a difference that signed arithmetic may lose.
            for change in [1, 0x80] {
                let mut padding = padding.clone();
                padding[i] = padding[i].wrapping_add(change);
                let mut record = reference.mte(&IV, &AAD, content, &padding);
                let expected = reference.open_mte(&IV, &AAD, &record);
                // A last byte changed to 0 is a padding of its own, behind another MAC place: the MAC is wrong.
                assert_eq!(expected, None);
                let opened = opener.open_in_place(&IV, &AAD, &mut record);
                assert_eq!(opened, Err(Error), "{padding_length}, {i}");
            }
        }
    }
}

/// The cases of BoringSSL's generator of records for contents of 0 to 600 bytes: padding longer than it need be, the
/// longest, none, and no MAC. The first two are right by RFC 5246, the others are not.
#[test]
fn boringssl_generator() {
    let key = array(4);
    let reference = reference::<Aes128Sha256>(&key);
    let content = bytes(600, 5);
    for backend in Backend::available() {
        let opener = Opener::<Aes128Sha256>::new_with_backend(backend, &key.into()).unwrap();
        let open = |text: &[u8]| {
            let mut record = reference.encrypt(&IV, text);
            let expected = reference.open_mte(&IV, &AAD, &record);
            let opened = opener
                .open_in_place(&IV, &AAD, &mut record)
                .ok()
                .map(|c| c.to_vec());
            assert_eq!(opened, expected);
            opened
        };
        for len in 0..=600 {
            let content = &content[..len];
            let mac = reference.mac(&AAD, content);
            let least = 15 - ((len + mac.len()) % 16) as u8;
            for padding_length in [least, least + 16, least + 240] {
                let text = [content, &mac, &padding(padding_length)].concat();
                assert_eq!(open(&text).as_deref(), Some(content));
            }
            if (len + mac.len()).is_multiple_of(16) {
                assert_eq!(open(&[content, &mac].concat()), None);
            }
            let least = 15 - (len % 16) as u8;
            assert_eq!(open(&[content, &padding(least)].concat()), None);
            assert_eq!(open(&[content, &padding(least + 240)].concat()), None);
        }
    }
}

/// BoringSSL's remark at its padding check: wrong padding and wrong MAC must not differ. Error and buffer are the same
/// for each, for both and for a record too short; that the work is the same is shown in `src/tls/mte.rs`.
#[test]
fn wrong_padding_and_wrong_mac_look_alike() {
    let key = array(6);
    let reference = reference::<Aes128Sha1>(&key);
    let content = &bytes(40, 7)[..];
    let mac = reference.mac(&AAD, content);
    let mut wrong_mac = mac.clone();
    wrong_mac[9] ^= 4;
    for backend in Backend::available() {
        let opener = opener::<MacThenEncrypt>(backend, key);
        for text in [
            [content, &wrong_mac, &[3; 4]].concat(),
            [content, &mac, &[3, 3, 2, 3]].concat(),
            [content, &wrong_mac, &[3, 3, 2, 3]].concat(),
            [content, &mac, &[60; 4]].concat(),
            vec![0; 16],
        ] {
            let mut record = reference.encrypt(&IV, &text);
            assert_eq!(opener.open_in_place(&IV, &AAD, &mut record), Err(Error));
            assert_eq!(record, vec![0; text.len()]);
        }
    }
}

/// tls.zig issue 49: a ciphertext that was no multiple of 16 panicked. Bytes of any length are refused without panic.
#[test]
fn bytes_of_any_length() {
    for backend in Backend::available() {
        let mte = opener::<MacThenEncrypt>(backend, array(8));
        let etm = opener::<EncryptThenMac>(backend, array(8));
        let key = array::<96>(8).into();
        let mut chained = ChainedOpener::<Aes256Sha384>::new_with_backend(backend, &key).unwrap();
        let mut chained_etm =
            ChainedOpener::<Aes256Sha384, EncryptThenMac>::new_with_backend(backend, &key).unwrap();
        let jose = A192CbcHs384::new_with_backend(backend, &array(8).into()).unwrap();
        for len in 0..=255 {
            let record = || bytes(len, len as u64);
            assert!(mte.open_in_place(&IV, &AAD, &mut record()).is_err());
            assert!(etm.open_in_place(&IV, &AAD, &mut record()).is_err());
            assert!(chained.open_in_place(&AAD, &mut record()).is_err());
            assert!(chained_etm.open_in_place(&AAD, &mut record()).is_err());
            assert!(
                jose.decrypt_in_place(&IV.into(), &[], &mut record())
                    .is_err()
            );
            let tag = array(9).into();
            assert!(
                jose.decrypt_in_place_detached(&IV.into(), &[], &mut record(), &tag)
                    .is_err()
            );
        }
    }
}

/// CVE-2015-3220 (tlslite): an encrypt-then-MAC record that is nothing but its MAC has no padding_length to read. The
/// MAC of each is right here, so that only the length can be at fault.
#[test]
fn encrypt_then_mac_without_whole_blocks() {
    let key = array(10);
    let reference = reference::<Aes128Sha1>(&key);
    for backend in Backend::available() {
        let opener = opener::<EncryptThenMac>(backend, key);
        for len in (0..=33).filter(|len| len % 16 != 0 || *len == 0) {
            let ciphertext = bytes(len, 11);
            let mac = reference.etm_mac(&IV, &AAD, &ciphertext);
            let mut record = [ciphertext, mac].concat();
            assert_eq!(opener.open_in_place(&IV, &AAD, &mut record), Err(Error));
            assert_eq!(record, vec![0; len + 20]);
        }
    }
}

/// A right MAC around a padding that is wrong, for each last byte: refused, and nothing of the text left behind.
#[test]
fn authentic_records_with_wrong_padding() {
    let key = array(12);
    let reference = reference::<Aes128Sha1>(&key);
    for backend in Backend::available() {
        let opener = opener::<EncryptThenMac>(backend, key);
        for last in 0..=255 {
            let mut text = bytes(64, 13);
            text[63] = last;
            text[62] = !last;
            let mut record = reference.etm(&IV, &IV, &AAD, &text);
            let opened = opener.open_in_place(&IV, &AAD, &mut record);
            if last == 0 {
                assert_eq!(opened.unwrap(), &text[..63]);
            } else {
                assert_eq!(opened, Err(Error));
                assert_eq!(record, [0; 84]);
            }
        }
    }
}

/// A content longer than 2^14 bytes or a record longer than 2^14 + 2048 breaks RFC 5246, section 6.2, even if its MAC
/// is right; 2^14 bytes with the longest padding do not.
#[test]
fn longest_contents_and_records() {
    let key = array(14);
    let reference = reference::<Aes128Sha1>(&key);
    let content = bytes(MAX_RECORD, 15);
    for backend in Backend::available() {
        let mte = opener::<MacThenEncrypt>(backend, key);
        let etm = opener::<EncryptThenMac>(backend, key);
        for len in [
            MAX_PLAINTEXT - 1,
            MAX_PLAINTEXT,
            MAX_PLAINTEXT + 1,
            MAX_RECORD - 64,
            MAX_RECORD,
        ] {
            let content = &content[..len];
            let longest = 255 - ((len + 20) % 16) as u8;
            let mut record = reference.mte(&IV, &AAD, content, &padding(longest));
            let opened = mte.open_in_place(&IV, &AAD, &mut record);
            assert_eq!(opened.is_ok(), len <= MAX_PLAINTEXT, "{len}");
            let text = [content, &padding(255 - (len % 16) as u8)].concat();
            let mut record = reference.etm(&IV, &IV, &AAD, &text);
            let opened = etm.open_in_place(&IV, &AAD, &mut record);
            assert_eq!(opened.is_ok(), len <= MAX_PLAINTEXT, "{len}");
        }
        let sealer = Sealer::<Aes128Sha1>::new_with_backend(backend, &key.into()).unwrap();
        let mut out = vec![0x5a; 2 * MAX_RECORD];
        assert_eq!(
            sealer.seal(&IV, &AAD, &content[..MAX_PLAINTEXT + 1], &mut out),
            Err(Error)
        );
        for len in [MAX_PLAINTEXT + 1, usize::MAX] {
            assert_eq!(sealer.seal_in_place(&IV, &AAD, &mut out, len), Err(Error));
        }
        assert_eq!(out, vec![0x5a; 2 * MAX_RECORD]);
    }
}

/// RustCrypto AEADs CVE-2023-42811: after a refusal the buffer held the plaintext. Whichever bit of record, IV or
/// additional data is flipped, it holds zeros.
#[test]
fn refused_buffers_hold_zeros() {
    fn check<O: Order>(seal: impl Fn(&Records, &[u8]) -> Vec<u8>) {
        let key = array(16);
        let reference = reference::<Aes128Sha1>(&key);
        let content = bytes(50, 17);
        let record = seal(&reference, &content);
        for backend in Backend::available() {
            let opener = opener::<O>(backend, key);
            for bit in 0..8 * record.len() {
                let mut forged = record.clone();
                forged[bit / 8] ^= 1 << (bit % 8);
                let mut out = vec![0x5a; record.len() + 3];
                assert_eq!(opener.open(&IV, &AAD, &forged, &mut out), Err(Error));
                assert_eq!(out, [vec![0; record.len()], vec![0x5a; 3]].concat());
                assert_eq!(opener.open_in_place(&IV, &AAD, &mut forged), Err(Error));
                assert_eq!(forged, vec![0; record.len()]);
            }
            for bit in 0..8 * 16 {
                let mut iv = IV;
                iv[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(
                    opener.open_in_place(&iv, &AAD, &mut record.clone()),
                    Err(Error)
                );
            }
            for bit in 0..8 * 11 {
                let mut aad = AAD;
                aad[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(
                    opener.open_in_place(&IV, &aad, &mut record.clone()),
                    Err(Error)
                );
            }
            assert_eq!(
                opener
                    .open_in_place(&IV, &AAD, &mut record.clone())
                    .unwrap(),
                content
            );
        }
    }
    check::<MacThenEncrypt>(|reference, content| reference.mte(&IV, &AAD, content, &padding(9)));
    check::<EncryptThenMac>(|reference, content| {
        reference.etm(&IV, &IV, &AAD, &[content, &padding(13)].concat())
    });

    let (key, nonce) = (array(18).into(), array(19).into());
    for backend in Backend::available() {
        let aead = A128CbcHs256::new_with_backend(backend, &key).unwrap();
        let mut sealed = bytes(50, 20);
        aead.encrypt_in_place(&nonce, b"header", &mut sealed)
            .unwrap();
        for bit in 0..8 * sealed.len() {
            let mut forged = sealed.clone();
            forged[bit / 8] ^= 1 << (bit % 8);
            assert!(
                aead.decrypt_in_place(&nonce, b"header", &mut forged)
                    .is_err()
            );
            assert_eq!(forged, vec![0; sealed.len()]);
        }
        assert!(
            aead.decrypt_in_place(&nonce, b"heade", &mut sealed.clone())
                .is_err()
        );
        assert!(
            aead.decrypt_in_place(&nonce, b"header", &mut sealed)
                .is_ok()
        );
    }
}

/// libcrux e7d3bd834 and kin: a panic on an output of another length than the input. Too short is an error that leaves
/// everything as it was, too long keeps what lies behind.
#[test]
fn outputs_of_other_lengths() {
    let key = array(21);
    for backend in Backend::available() {
        let sealer = Sealer::<Aes128Sha1>::new_with_backend(backend, &key.into()).unwrap();
        let opener = opener::<MacThenEncrypt>(backend, key);
        let content = bytes(30, 22);
        let mut record = vec![0; 64];
        sealer.seal(&IV, &AAD, &content, &mut record).unwrap();
        for len in 0..=96 {
            let mut out = vec![0x5a; len];
            let sealed = sealer.seal(&IV, &AAD, &content, &mut out);
            assert_eq!(sealed, if len < 64 { Err(Error) } else { Ok(64) });
            if len < 64 {
                assert_eq!(out, vec![0x5a; len]);
            } else {
                assert_eq!(out, [&record[..], &vec![0x5a; len - 64]].concat());
            }
            let mut out = vec![0x5a; len];
            let opened = opener.open(&IV, &AAD, &record, &mut out);
            assert_eq!(opened, if len < 64 { Err(Error) } else { Ok(30) });
            if len < 64 {
                assert_eq!(out, vec![0x5a; len]);
            } else {
                assert_eq!(
                    (&out[..30], &out[64..]),
                    (&content[..], &vec![0x5a; len - 64][..])
                );
            }
            let mut buffer = vec![0x5a; len];
            for plaintext_len in [30, 63, 64, 65, len] {
                if Sealer::<Aes128Sha1>::sealed_len(plaintext_len).unwrap() > len {
                    let sealed = sealer.seal_in_place(&IV, &AAD, &mut buffer, plaintext_len);
                    assert_eq!(sealed, Err(Error));
                }
            }
            assert_eq!(buffer, vec![0x5a; len]);
        }
    }
}

/// cryptopp issues 1236, 683 and 1088: CBC wrong where input and output are one; liboqs issue 800: wrong at odd
/// addresses, and a decryption key that was never set. Records of 2 to 65 blocks at every offset, one object a
/// direction.
#[test]
fn in_place_at_any_address() {
    let key = array(23);
    let reference = reference::<Aes128Sha1>(&key);
    for backend in Backend::available() {
        let sealer = Sealer::<Aes128Sha1>::new_with_backend(backend, &key.into()).unwrap();
        let opener = opener::<MacThenEncrypt>(backend, key);
        for blocks in 2..=65 {
            let content = bytes(16 * blocks - 20 - 5, 24);
            let record = reference.mte(&IV, &AAD, &content, &[4; 5]);
            let mut buffer = vec![0; record.len() + 16];
            let offset = blocks % 16;
            let place = &mut buffer[offset..][..record.len()];
            place[..content.len()].copy_from_slice(&content);
            sealer
                .seal_in_place(&IV, &AAD, place, content.len())
                .unwrap();
            assert_eq!(place, record, "{backend}, {blocks}");
            assert_eq!(opener.open_in_place(&IV, &AAD, place).unwrap(), content);
            let out = &mut buffer[15 - offset..][..record.len()];
            assert_eq!(opener.open(&IV, &AAD, &record, out), Ok(content.len()));
            assert_eq!(out[..content.len()], content);
        }
    }
}

/// The state of a TLS 1.0 chain: a record opened out of its turn has another IV, and its content is not the right one.
#[test]
fn chain_keeps_the_order() {
    let key = array::<52>(25).into();
    for backend in Backend::available() {
        let mut sealer = ChainedSealer::<Aes128Sha1>::new_with_backend(backend, &key).unwrap();
        let mut opener = ChainedOpener::<Aes128Sha1>::new_with_backend(backend, &key).unwrap();
        let records: Vec<_> = (0..3)
            .map(|number| {
                let mut record = vec![0; 64];
                let aad = aad(number, 22, [3, 1]);
                let len = sealer.seal(&aad, b"the same content", &mut record).unwrap();
                record.truncate(len);
                record
            })
            .collect();
        assert_ne!(records[0][..16], records[1][..16]);
        assert!(
            opener
                .open_in_place(&aad(1, 22, [3, 1]), &mut records[1].clone())
                .is_err()
        );
        for (number, record) in records.iter().enumerate() {
            let aad = aad(number as u64, 22, [3, 1]);
            let opened = opener
                .open_in_place(&aad, &mut record.clone())
                .map(|c| c.to_vec());
            assert_eq!(opened.as_deref(), Ok(&b"the same content"[..]));
            assert!(opener.open_in_place(&aad, &mut record.clone()).is_err());
        }
    }
}

/// go-jose issue 206, Jwt issue 474 and CVE-2023-37464 (cjose): tags not cut to half the MAC, cut to the other half, or
/// compared as far as the message has one. RFC 7518, section 5.2.2.1, step 5: the first 16, 24 or 32 bytes, and no
/// other number.
#[test]
fn tags_of_other_sizes() {
    macro_rules! check {
        ($aead:ident, $hash:ident, $tag_size:literal) => {
            let key = Array(array::<{ 2 * $tag_size }>(26));
            let nonce = Array(array::<16>(27));
            let text = [&bytes(20, 28)[..], &[12; 12]].concat();
            let (mac_key, enc_key) = key.split_at(key.len() / 2);
            let ciphertext = cbc_encrypt(enc_key, &nonce, &text);
            let al = (5u64 * 8).to_be_bytes();
            let mac = reference::Hash::$hash.hmac(mac_key, &[b"ahead", &nonce, &ciphertext, &al]);
            assert_eq!(mac.len(), 2 * $tag_size);
            assert_eq!(size_of::<Tag<$aead>>(), $tag_size);
            for backend in Backend::available() {
                let aead = $aead::new_with_backend(backend, &key).unwrap();
                for size in 0..=mac.len() {
                    let mut buffer = [&ciphertext[..], &mac[..size]].concat();
                    let opened = aead.decrypt_in_place(&nonce, b"ahead", &mut buffer);
                    assert_eq!(opened.is_ok(), size == $tag_size, "{backend}, {size}");
                    let tag = Tag::<$aead>::try_from(&mac[..size]);
                    assert_eq!(tag.is_ok(), size == $tag_size);
                }
                let mut buffer = [&ciphertext[..], &mac[$tag_size..]].concat();
                assert!(
                    aead.decrypt_in_place(&nonce, b"ahead", &mut buffer)
                        .is_err()
                );
                // Every byte of the tag counts.
                for i in 0..$tag_size {
                    let mut tag = Tag::<$aead>::try_from(&mac[..$tag_size]).unwrap();
                    let mut buffer = ciphertext.clone();
                    aead.decrypt_in_place_detached(&nonce, b"ahead", &mut buffer, &tag)
                        .unwrap();
                    assert_eq!(buffer, text[..20]);
                    tag[i] ^= 0x40;
                    let mut buffer = ciphertext.clone();
                    assert!(
                        aead.decrypt_in_place_detached(&nonce, b"ahead", &mut buffer, &tag)
                            .is_err()
                    );
                }
            }
        };
    }
    check!(A128CbcHs256, Sha256, 16);
    check!(A192CbcHs384, Sha384, 24);
    check!(A256CbcHs512, Sha512, 32);
}

/// A right tag around a padding that is wrong: 0, more than 16, more than there is, or unlike bytes (Wycheproof's bad
/// paddings, which Dropbear and others accepted).
#[test]
fn authentic_jose_ciphertexts_with_wrong_padding() {
    let key = Array(array::<32>(29));
    let nonce = Array(array::<16>(30));
    for backend in Backend::available() {
        let aead = A128CbcHs256::new_with_backend(backend, &key).unwrap();
        for last in 0..=255u8 {
            for wrong in [false, true] {
                let mut text = vec![last; 32];
                if wrong && last > 1 {
                    text[32 - usize::from(last).min(32)] ^= 1;
                }
                let ciphertext = cbc_encrypt(&key[16..], &nonce, &text);
                let al = 0u64.to_be_bytes();
                let mac = reference::Hash::Sha256.hmac(&key[..16], &[&nonce, &ciphertext, &al]);
                let mut buffer = [&ciphertext[..], &mac[..16]].concat();
                let opened = aead.decrypt_in_place(&nonce, &[], &mut buffer);
                let right = (1..=16).contains(&last) && !(wrong && last > 1);
                assert_eq!(opened.is_ok(), right, "{backend}, {last}");
                let left = if right {
                    vec![last; 32 - usize::from(last)]
                } else {
                    vec![0; 48]
                };
                assert_eq!(buffer, left);
            }
        }
    }
}

/// cjose issue 134: a key of zeros, because it was never filled; and the halves of the key in the wrong order. Both
/// halves count, and exchanged they are another key (RFC 7518, section 5.2.2.1, step 1: the MAC key comes first).
#[test]
fn both_halves_of_the_key() {
    let key = array::<64>(31);
    let nonce = array(32).into();
    for backend in Backend::available() {
        let seal = |key: [u8; 64]| {
            let mut buffer = b"content".to_vec();
            let aead = A256CbcHs512::new_with_backend(backend, &key.into()).unwrap();
            let tag = aead
                .encrypt_in_place_detached(&nonce, b"", &mut buffer)
                .unwrap();
            (buffer, tag)
        };
        let (ciphertext, tag) = seal(key);
        let mut other_mac_key = key;
        other_mac_key[31] ^= 1;
        let mut other_enc_key = key;
        other_enc_key[32] ^= 1;
        let mut exchanged = key;
        exchanged.rotate_left(32);
        assert_eq!(seal(other_mac_key).0, ciphertext);
        assert_ne!(seal(other_mac_key).1, tag);
        assert_ne!(seal(other_enc_key).0, ciphertext);
        assert_ne!(seal(exchanged).0, ciphertext);
        assert_ne!(seal([0; 64]).0, ciphertext);
    }
}

/// A buffer that cannot grow.
struct Full<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl AsRef<[u8]> for Full<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl AsMut<[u8]> for Full<'_> {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
}

impl Buffer for Full<'_> {
    fn extend_from_slice(&mut self, other: &[u8]) -> Result<(), Error> {
        let place = self
            .bytes
            .get_mut(self.len..self.len + other.len())
            .ok_or(Error)?;
        place.copy_from_slice(other);
        self.len += other.len();
        Ok(())
    }

    fn truncate(&mut self, len: usize) {
        self.len = len;
    }
}

/// Where there is no room for padding and tag, nothing is done.
#[test]
fn buffers_without_room() {
    let aead = A128CbcHs256::new(&array(33).into());
    let nonce = array(34).into();
    let plaintext = bytes(20, 35);
    for room in 20..=52 {
        let mut bytes = [&plaintext[..], &[0x5a; 32]].concat();
        let mut buffer = Full {
            bytes: &mut bytes[..room],
            len: 20,
        };
        let sealed = aead.encrypt_in_place(&nonce, &[], &mut buffer);
        assert_eq!(sealed.is_ok(), room >= 48);
        assert_eq!(buffer.len, if room >= 48 { 48 } else { 20 });
        if sealed.is_ok() {
            aead.decrypt_in_place(&nonce, &[], &mut buffer).unwrap();
        }
        assert_eq!(buffer.as_ref(), plaintext);
        let sealed = aead.encrypt_in_place_detached(&nonce, &[], &mut buffer);
        assert_eq!(sealed.is_ok(), room >= 32);
        if let Ok(tag) = sealed {
            aead.decrypt_in_place_detached(&nonce, &[], &mut buffer, &tag)
                .unwrap();
        }
        assert_eq!(buffer.as_ref(), plaintext);
    }
}

/// Keys have one length each.
#[test]
fn key_lengths() {
    for len in 0..=100 {
        let key = vec![0; len];
        assert_eq!(
            Sealer::<Aes128Sha1>::new_from_slice(&key).is_ok(),
            len == 36
        );
        assert_eq!(
            Opener::<Aes128Sha256>::new_from_slice(&key).is_ok(),
            len == 48
        );
        assert_eq!(
            ChainedSealer::<Aes128Sha1>::new_from_slice(&key).is_ok(),
            len == 52
        );
        assert_eq!(
            ChainedOpener::<Aes256Sha384>::new_from_slice(&key).is_ok(),
            len == 96
        );
        assert_eq!(A128CbcHs256::new_from_slice(&key).is_ok(), len == 32);
        assert_eq!(A192CbcHs384::new_from_slice(&key).is_ok(), len == 48);
        assert_eq!(A256CbcHs512::new_from_slice(&key).is_ok(), len == 64);
    }
}

/// RustCrypto `ml-kem` issue 394: `Debug` printed a secret.
#[test]
fn debug_shows_no_secret() {
    let key = Array::from([0x42; 36]);
    assert_eq!(
        format!("{:?}", Sealer::<Aes128Sha1>::new(&key)),
        "Sealer { .. }"
    );
    assert_eq!(
        format!("{:?}", Opener::<Aes128Sha1>::new(&key)),
        "Opener { .. }"
    );
    let key = Array::from([0x42; 52]);
    assert_eq!(
        format!("{:?}", ChainedSealer::<Aes128Sha1>::new(&key)),
        "ChainedSealer { .. }"
    );
    assert_eq!(
        format!("{:?}", ChainedOpener::<Aes128Sha1>::new(&key)),
        "ChainedOpener { .. }"
    );
    assert_eq!(
        format!("{:?}", A128CbcHs256::new(&[0x42; 32].into())),
        "CbcHmac { .. }"
    );
    assert_eq!(Error.to_string(), "aead::Error");
}
