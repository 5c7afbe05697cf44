//! Every back end against the reference that is put together from `aes`, `cbc`, `hmac`, `sha1` and `sha2`.

mod reference;

use aead::{
    Error, KeyInit,
    array::{Array, ArraySize, typenum::Unsigned},
};
use aes_cbc_hmac::{
    Backend,
    jose::{A128CbcHs256, A192CbcHs384, A256CbcHs512},
    tls::{
        Aes128Sha1, Aes128Sha256, Aes256Sha1, Aes256Sha256, Aes256Sha384, ChainedOpener,
        ChainedSealer, EncryptThenMac, MAX_PLAINTEXT, MAX_RECORD, MacThenEncrypt, Opener, Sealer,
        aad,
    },
};
use proptest::prelude::*;
use reference::{Described, Hash, array, bytes, padding};

fn key<N: ArraySize>(seed: u64) -> Array<u8, N> {
    Array::try_from(&bytes(N::USIZE, seed)[..]).unwrap()
}

#[test]
fn names_and_choice() {
    assert!(Backend::available().any(|b| b == Backend::detect()));
    assert!(Backend::available().any(|b| b == Backend::soft()));
    for &backend in Backend::ALL {
        if !backend.is_available() {
            println!("skipped: {backend} (not on this CPU)");
        }
        let available = backend.is_available().then_some(backend);
        let sealer = Sealer::<Aes128Sha1>::new_with_backend(backend, &key(1));
        assert_eq!(sealer.map(|s| s.backend()), available);
        let opener = ChainedOpener::<Aes256Sha384>::new_with_backend(backend, &key(1));
        assert_eq!(opener.map(|o| o.backend()), available);
        let jose = A128CbcHs256::new_with_backend(backend, &key(1));
        assert_eq!(jose.map(|j| j.backend()), available);
        assert_eq!(backend.to_string(), backend.name());
    }
    assert_eq!(
        Opener::<Aes128Sha1>::new(&key(1)).backend(),
        Backend::detect()
    );
}

/// The sizes of keys and records, from the sizes of the standards.
fn sizes<S: Described>() {
    let (mac, cipher) = (S::HASH.size(), S::CIPHER_KEY_SIZE);
    assert_eq!(S::MAC_SIZE, mac);
    assert_eq!(<S::KeySize as Unsigned>::USIZE, mac + cipher);
    assert_eq!(<S::ChainedKeySize as Unsigned>::USIZE, mac + cipher + 16);
    for len in 0..=MAX_PLAINTEXT + 2 {
        let fits = len <= MAX_PLAINTEXT;
        let mte = Sealer::<S>::sealed_len(len);
        assert_eq!(mte, fits.then(|| (len + mac + 1).next_multiple_of(16)));
        let etm = ChainedSealer::<S, EncryptThenMac>::sealed_len(len);
        assert_eq!(etm, fits.then(|| (len + 1).next_multiple_of(16) + mac));
        assert!(mte.unwrap_or(0).max(etm.unwrap_or(0)) <= MAX_RECORD);
    }
    for len in [usize::MAX, usize::MAX - 15, usize::MAX / 2] {
        assert_eq!(Sealer::<S>::sealed_len(len), None);
    }
}

/// Seals contents of every length, in place and from buffer to buffer, and opens them.
fn seal<S: Described>() {
    let (key, iv, aad) = (key::<S::KeySize>(2), array(3), array(4));
    let reference = S::records(&key);
    for backend in Backend::available() {
        let sealer = Sealer::<S>::new_with_backend(backend, &key).unwrap();
        let opener = Opener::<S>::new_with_backend(backend, &key).unwrap();
        let etm_sealer = Sealer::<S, EncryptThenMac>::new_with_backend(backend, &key).unwrap();
        let etm_opener = Opener::<S, EncryptThenMac>::new_with_backend(backend, &key).unwrap();
        for len in (0..=600).chain([1350, 8192, MAX_PLAINTEXT - 1, MAX_PLAINTEXT]) {
            let content = bytes(len, 5);
            let pad = padding(15 - ((len + S::MAC_SIZE) % 16) as u8);
            let expected = reference.mte(&iv, &aad, &content, &pad);
            let mut out = vec![0x5a; expected.len() + 7];
            assert_eq!(
                sealer.seal(&iv, &aad, &content, &mut out),
                Ok(expected.len())
            );
            assert_eq!(
                out[..expected.len()],
                expected,
                "{} {backend}, {len}",
                S::NAME
            );
            assert_eq!(out[expected.len()..], [0x5a; 7]);
            out.fill(0x5a);
            out[..len].copy_from_slice(&content);
            assert_eq!(
                sealer.seal_in_place(&iv, &aad, &mut out, len),
                Ok(expected.len())
            );
            assert_eq!(
                out[..expected.len()],
                expected,
                "{} {backend}, {len}",
                S::NAME
            );
            assert_eq!(out[expected.len()..], [0x5a; 7]);
            let record = &mut out[..expected.len()];
            assert_eq!(opener.open_in_place(&iv, &aad, record).unwrap(), content);
            let mut opened = vec![0; expected.len() + 1];
            assert_eq!(opener.open(&iv, &aad, &expected, &mut opened), Ok(len));
            assert_eq!(opened[..len], content);

            let text = [&content[..], &padding(15 - (len % 16) as u8)].concat();
            let expected = reference.etm(&iv, &iv, &aad, &text);
            let mut out = vec![0x5a; expected.len()];
            assert_eq!(
                etm_sealer.seal(&iv, &aad, &content, &mut out),
                Ok(expected.len())
            );
            assert_eq!(out, expected, "{} {backend}, {len}, EtM", S::NAME);
            assert_eq!(
                etm_opener.open_in_place(&iv, &aad, &mut out).unwrap(),
                content
            );
        }
    }
}

/// The paddings that a record of this length is tried with: all, but where the variable `SPARSE_TESTS` is set, as
/// `cargo xtask test` does under emulators, every eighth, from another first for each number of blocks.
fn paddings(len: usize) -> impl Iterator<Item = u8> {
    let sparse = std::env::var_os("SPARSE_TESTS").is_some();
    let (first, step) = if sparse { (len / 16 % 8, 8) } else { (0, 1) };
    (first as u8..=255).step_by(step)
}

/// Records of every length from 0 to 600 bytes with each of the 256 paddings: all right, then one byte of the padding
/// wrong, then the MAC wrong, then none. Decision and content must be the reference's, and a refused record zeros.
fn every_padding<S: Described>() {
    let (key, iv, aad) = (key::<S::KeySize>(6), array(7), array(8));
    let reference = S::records(&key);
    let bytes = bytes(600, 9);
    for backend in Backend::available() {
        let opener = Opener::<S>::new_with_backend(backend, &key).unwrap();
        let etm_opener = Opener::<S, EncryptThenMac>::new_with_backend(backend, &key).unwrap();
        let (mut accepted, mut refused) = (0, 0);
        for len in 0..=600 {
            if len % 16 != 0 {
                let mut record = bytes[..len].to_vec();
                assert_eq!(opener.open_in_place(&iv, &aad, &mut record), Err(Error));
                assert_eq!(record, vec![0; len]);
                continue;
            }
            for padding_length in paddings(len) {
                let padding = padding(padding_length);
                let content = len.checked_sub(S::MAC_SIZE + padding.len());
                let right = content.map_or_else(
                    || [&bytes[..len.saturating_sub(padding.len())], &padding].concat(),
                    |content| {
                        let content = &bytes[..content];
                        [content, &reference.mac(&aad, content), &padding].concat()
                    },
                );
                let right = &right[..len];
                let mut wrong_padding = right.to_vec();
                let mut wrong_mac = right.to_vec();
                let mut no_mac = right.to_vec();
                if len > 0 {
                    let at = (len * 7 + 3 * usize::from(padding_length)) % padding.len().min(len);
                    wrong_padding[len - 1 - at] ^= 1 << (at % 8);
                    let mac = len.saturating_sub(padding.len() + 1 + at % S::MAC_SIZE);
                    wrong_mac[mac] ^= 0x80;
                    let end = len.saturating_sub(padding.len());
                    no_mac[end.saturating_sub(S::MAC_SIZE)..end].fill(0);
                }
                for text in [right, &wrong_padding, &wrong_mac, &no_mac] {
                    let mut record = reference.encrypt(&iv, text);
                    let expected = reference.open_mte(&iv, &aad, &record);
                    let opened = opener.open_in_place(&iv, &aad, &mut record);
                    assert_eq!(
                        opened.ok().as_deref(),
                        expected.as_deref(),
                        "{} {backend}, {len}, {padding_length}",
                        S::NAME
                    );
                    match expected {
                        Some(_) => accepted += 1,
                        None => {
                            refused += 1;
                            assert_eq!(record, vec![0; len]);
                        }
                    }
                }
                let mut record = reference.etm(&iv, &iv, &aad, &wrong_padding);
                let expected = reference.open_etm(&iv, &iv, &aad, &record);
                let opened = etm_opener.open_in_place(&iv, &aad, &mut record);
                assert_eq!(opened.ok().as_deref(), expected.as_deref());
                let mut record = reference.etm(&iv, &iv, &aad, right);
                let expected = reference.open_etm(&iv, &iv, &aad, &record);
                let opened = etm_opener.open_in_place(&iv, &aad, &mut record);
                assert_eq!(opened.ok().as_deref(), expected.as_deref());
            }
        }
        println!(
            "{} {backend}: {accepted} accepted, {refused} refused",
            S::NAME
        );
        // Those with a right padding and MAC, which fit into the record.
        let right: usize = (0..=600)
            .step_by(16)
            .map(|len| {
                let fits = |&p: &u8| S::MAC_SIZE + usize::from(p) < len;
                paddings(len).filter(fits).count()
            })
            .sum();
        assert!(accepted >= right && refused > accepted);
    }
}

/// TLS 1.0: a series of records, each with the end of the one before as its IV, in both orders; a refused one leaves
/// the chain as it was.
fn chained<S: Described>() {
    let key = key::<S::ChainedKeySize>(10);
    let (keys, first) = key.split_at(key.len() - 16);
    let reference = S::records(keys);
    for backend in Backend::available() {
        macro_rules! check {
            ($order:ident, |$iv:ident, $aad:ident, $content:ident| $expected:expr, $end:expr) => {
                let mut sealer =
                    ChainedSealer::<S, $order>::new_with_backend(backend, &key).unwrap();
                let mut opener =
                    ChainedOpener::<S, $order>::new_with_backend(backend, &key).unwrap();
                let mut $iv: [u8; 16] = first.try_into().unwrap();
                for number in 0..40u64 {
                    let $content = &bytes((number * 23) as usize, number)[..];
                    let $aad = &aad(number, 23, [3, 1]);
                    let expected: Vec<u8> = $expected;
                    let mut record = vec![0; expected.len()];
                    assert!(sealer.seal($aad, $content, &mut record[1..]).is_err());
                    assert_eq!(sealer.seal($aad, $content, &mut record), Ok(expected.len()));
                    assert_eq!(record, expected, "{} {backend}", S::NAME);
                    let mut forged = record.clone();
                    forged[3] ^= 1;
                    assert_eq!(opener.open_in_place($aad, &mut forged), Err(Error));
                    assert_eq!(forged, vec![0; record.len()]);
                    assert!(opener.open_in_place($aad, &mut forged[..5]).is_err());
                    if number % 2 == 0 {
                        assert_eq!(opener.open_in_place($aad, &mut record).unwrap(), $content);
                    } else {
                        let mut out = vec![0; record.len()];
                        assert_eq!(opener.open($aad, &record, &mut out), Ok($content.len()));
                        assert_eq!(&out[..$content.len()], $content);
                    }
                    $iv = expected[..expected.len() - $end]
                        .last_chunk()
                        .copied()
                        .unwrap();
                }
            };
        }
        check!(
            MacThenEncrypt,
            |iv, aad, content| {
                let pad = padding(15 - ((content.len() + S::MAC_SIZE) % 16) as u8);
                reference.mte(&iv, aad, content, &pad)
            },
            0
        );
        check!(
            EncryptThenMac,
            |iv, aad, content| {
                let pad = padding(15 - (content.len() % 16) as u8);
                reference.etm(&iv, &[], aad, &[content, &pad].concat())
            },
            S::MAC_SIZE
        );
    }
}

macro_rules! suites {
    ($($module:ident: $suite:ident),*) => {$(
        mod $module {
            #[test]
            fn sizes() {
                super::sizes::<super::$suite>();
            }

            #[test]
            fn seal() {
                super::seal::<super::$suite>();
            }

            #[test]
            fn every_padding() {
                super::every_padding::<super::$suite>();
            }

            #[test]
            fn chained() {
                super::chained::<super::$suite>();
            }
        }
    )*};
}
suites! {
    aes128_sha1: Aes128Sha1,
    aes128_sha256: Aes128Sha256,
    aes256_sha1: Aes256Sha1,
    aes256_sha256: Aes256Sha256,
    aes256_sha384: Aes256Sha384
}

/// RFC 7518, section 5.2.2.1, with RustCrypto's parts: ciphertext and tag.
fn jose(hash: Hash, key: &[u8], nonce: &[u8], aad: &[u8], plaintext: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mac_key, enc_key) = key.split_at(key.len() / 2);
    let padding = 16 - plaintext.len() % 16;
    let text = [plaintext, &vec![padding as u8; padding]].concat();
    let ciphertext = reference::cbc_encrypt(enc_key, nonce, &text);
    let al = (aad.len() as u64 * 8).to_be_bytes();
    let mut tag = hash.hmac(mac_key, &[aad, nonce, &ciphertext, &al]);
    tag.truncate(hash.size() / 2);
    (ciphertext, tag)
}

macro_rules! jose_types {
    ($($name:ident: $aead:ident, $hash:ident;)*) => {$(
        #[test]
        fn $name() {
            let (key, nonce) = (key(11), Array(array::<16>(12)));
            for backend in Backend::available() {
                let aead = $aead::new_with_backend(backend, &key).unwrap();
                for len in 0..=300 {
                    let (aad, plaintext) = (bytes(len % 71, 13), bytes(len, 14));
                    let (ciphertext, tag) = jose(Hash::$hash, &key, &nonce, &aad, &plaintext);
                    let mut buffer = plaintext.clone();
                    let found = aead.encrypt_in_place_detached(&nonce, &aad, &mut buffer).unwrap();
                    assert_eq!(buffer, ciphertext, "{backend}, {len}");
                    assert_eq!(found[..], tag, "{backend}, {len}");
                    aead.decrypt_in_place_detached(&nonce, &aad, &mut buffer, &found).unwrap();
                    assert_eq!(buffer, plaintext);
                    aead.encrypt_in_place(&nonce, &aad, &mut buffer).unwrap();
                    assert_eq!(buffer, [ciphertext, tag].concat());
                    aead.decrypt_in_place(&nonce, &aad, &mut buffer).unwrap();
                    assert_eq!(buffer, plaintext);
                }
            }
        }
    )*};
}
jose_types! {
    a128cbc_hs256_equals_reference: A128CbcHs256, Sha256;
    a192cbc_hs384_equals_reference: A192CbcHs384, Sha384;
    a256cbc_hs512_equals_reference: A256CbcHs512, Sha512;
}

/// The trait gives what the methods give.
#[cfg(feature = "alloc")]
#[test]
fn jose_through_the_trait() {
    use aead::{Aead, Payload};

    let (key, nonce, aad) = (key(15), Array(array::<16>(16)), &bytes(30, 17)[..]);
    let aead = A192CbcHs384::new(&key);
    for len in 0..100 {
        let msg = &bytes(len, 18)[..];
        let sealed = aead.encrypt(&nonce, Payload { msg, aad }).unwrap();
        assert_eq!(sealed.len(), sealed.capacity());
        let (ciphertext, tag) = jose(Hash::Sha384, &key, &nonce, aad, msg);
        assert_eq!(sealed, [ciphertext, tag].concat());
        assert_eq!(
            aead.decrypt(&nonce, Payload { msg: &sealed, aad }).unwrap(),
            msg
        );
        assert!(aead.decrypt(&nonce, &sealed[..]).is_err());
        assert!(
            aead.decrypt(
                &nonce,
                Payload {
                    msg: &sealed[1..],
                    aad
                }
            )
            .is_err()
        );
    }
}

proptest! {
    /// Any content with any padding that fits.
    #[test]
    fn records(
        key: [u8; 52],
        iv: [u8; 16],
        aad: [u8; 11],
        content in prop::collection::vec(any::<u8>(), 0..2000),
        blocks in 0usize..16,
        flip in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let reference = Aes256Sha1::records(&key);
        let least = 15 - (content.len() + 20) % 16;
        let padding_length = (least + 16 * blocks) as u8;
        let mut record = reference.mte(&iv, &aad, &content, &padding(padding_length));
        if let Some(flip) = flip {
            let bit = flip.index(8 * record.len());
            record[bit / 8] ^= 1 << (bit % 8);
        }
        let expected = reference.open_mte(&iv, &aad, &record);
        prop_assert_eq!(expected.is_some(), flip.is_none());
        for backend in Backend::available() {
            let opener =
                Opener::<Aes256Sha1>::new_with_backend(backend, &key.into()).unwrap();
            let mut record = record.clone();
            let opened = opener.open_in_place(&iv, &aad, &mut record).ok().map(|c| c.to_vec());
            prop_assert_eq!(&opened, &expected);
        }
    }

    /// Any bytes as a record: no panic, and the reference's decision.
    #[test]
    fn any_bytes(key: [u8; 48], iv: [u8; 16], aad: [u8; 11], record in prop::collection::vec(any::<u8>(), 0..700)) {
        let reference = Aes128Sha256::records(&key);
        for backend in Backend::available() {
            let opener = Opener::<Aes128Sha256>::new_with_backend(backend, &key.into()).unwrap();
            let mut buffer = record.clone();
            let opened = opener.open_in_place(&iv, &aad, &mut buffer).ok().map(|c| c.to_vec());
            prop_assert_eq!(opened, reference.open_mte(&iv, &aad, &record));
        }
    }
}
