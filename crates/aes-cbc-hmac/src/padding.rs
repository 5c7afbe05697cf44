//! The paddings of TLS and of JOSE, checked in time that depends on public lengths alone.

#![forbid(unsafe_code)]

use crate::{
    ct::{self, Mask},
    wipe::wipe,
};

/// The longest TLS padding in bytes, the padding_length byte among them (RFC 5246, section 6.2.3.2).
pub(crate) const LONGEST_TLS: usize = 256;
/// The longest PKCS #7 padding of 16-byte blocks (RFC 5652, section 6.3).
const LONGEST_PKCS7: usize = 16;

/// What the last byte of a text says about its padding; both are secret.
pub(crate) struct Padding {
    /// How many bytes the padding has.
    pub(crate) len: u32,
    /// Whether so many are allowed and all of them have the right value.
    pub(crate) valid: Mask,
}

/// TLS: `padding_length` bytes and then one more, all of the value `padding_length`. At least `reserved` bytes must be
/// left before them.
///
/// # Panics
/// If there are no more than `reserved` bytes.
#[inline(always)]
pub(crate) fn tls(text: &[u8], reserved: usize) -> Padding {
    let last = text[text.len() - 1];
    check(
        text,
        last,
        u32::from(last) + 1,
        LONGEST_TLS.min(text.len() - reserved),
    )
}

/// PKCS #7: 1 to 16 bytes, whose value is their number.
///
/// # Panics
/// If there are no bytes.
#[inline(always)]
pub(crate) fn pkcs7(text: &[u8]) -> Padding {
    let last = text[text.len() - 1];
    check(text, last, u32::from(last), LONGEST_PKCS7.min(text.len()))
}

/// Whether a padding of `len` bytes is not empty, not longer than `longest`, and made of the last byte alone.
///
/// Looks at the `longest` last bytes, however many of them are padding.
#[inline(always)]
fn check(text: &[u8], last: u8, len: u32, longest: usize) -> Padding {
    let tail = &text[text.len() - longest..];
    let mut masks = [0; LONGEST_TLS];
    let before = ct::below(
        &mut masks[..longest],
        (longest as i16).wrapping_sub(len as i16),
    );
    let different = tail
        .iter()
        .zip(before)
        .fold(0, |acc, (byte, before)| acc | (byte ^ last) & !before);
    let valid = Mask::is_zero(u32::from(different))
        & Mask::lt(len, longest as u32 + 1)
        & !Mask::is_zero(len);
    wipe(&mut masks);
    Padding { len, valid }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    extern crate std;
    use super::*;
    use alloc::{vec, vec::Vec};

    /// Every length and last byte, and then each byte of the padding wrong in turn.
    fn exhaustive(
        checked: fn(&[u8]) -> Padding,
        expected: fn(usize, usize) -> Option<usize>,
        lengths: impl Iterator<Item = usize>,
    ) {
        for len in lengths {
            for last in 0..=255usize {
                let mut text: Vec<u8> = vec![last as u8; len];
                let expected = expected(len, last);
                let found = checked(&text);
                assert_eq!(
                    found.valid.declassify(),
                    expected.is_some(),
                    "{len}, {last}"
                );
                let Some(padding) = expected else { continue };
                assert_eq!(found.len as usize, padding);
                // What stands before the padding does not matter; every byte of it does.
                text[..len - padding].fill(!last as u8);
                assert!(checked(&text).valid.declassify(), "{len}, {last}");
                for i in len - padding..len - 1 {
                    text[i] ^= 1 << (i % 8);
                    assert!(!checked(&text).valid.declassify(), "{len}, {last}, {i}");
                    text[i] ^= 1 << (i % 8);
                }
            }
        }
    }

    #[test]
    fn tls_exhaustive() {
        exhaustive(
            |text| tls(text, 20),
            |len, last| (len > last + 20).then_some(last + 1),
            (21..64).chain([255, 256, 257, 275, 276, 277, 300]),
        );
        exhaustive(
            |text| tls(text, 0),
            |len, last| (len > last).then_some(last + 1),
            1..33,
        );
    }

    #[test]
    fn pkcs7_exhaustive() {
        exhaustive(
            pkcs7,
            |len, last| (1..=len.min(16)).contains(&last).then_some(last),
            1..50,
        );
    }
    /// Wycheproof's set for CBC with PKCS #5 padding, which is PKCS #7 for AES: paddings of no bytes, of too many and
    /// of wrong ones (as Dropbear and others accepted), and ciphertexts of no block.
    #[test]
    fn wycheproof_aes_cbc_pkcs5() {
        use crate::{Backend, cbc, keys::WithBackend};
        use wycheproof::{TestResult, cipher};

        fn unpad<C>(backend: Backend, case: &cipher::Test) -> Option<Vec<u8>>
        where
            C: WithBackend + ::cipher::BlockCipherDecrypt<BlockSize = ::cipher::consts::U16>,
        {
            let key = (&case.key[..]).try_into().unwrap();
            let aes = C::with_backend(backend, key).unwrap();
            let mut text = case.ct.to_vec();
            if text.is_empty() {
                return None;
            }
            cbc::decrypt(&aes, (&case.nonce[..]).try_into().unwrap(), &mut text);
            let padding = pkcs7(&text);
            padding
                .valid
                .declassify()
                .then(|| text[..text.len() - padding.len as usize].to_vec())
        }

        let set = cipher::TestSet::load(cipher::TestName::AesCbcPkcs5).unwrap();
        for backend in Backend::available() {
            let (mut valid, mut invalid) = (0, 0);
            for case in set.test_groups.iter().flat_map(|group| &group.tests) {
                let found = match case.key.len() {
                    16 => unpad::<aes_vpaes::Aes128Dec>(backend, case),
                    24 => unpad::<aes_vpaes::Aes192>(backend, case),
                    _ => unpad::<aes_vpaes::Aes256Dec>(backend, case),
                };
                if case.result == TestResult::Valid {
                    valid += 1;
                    assert_eq!(found.as_deref(), Some(&case.pt[..]), "case {}", case.tc_id);
                } else {
                    invalid += 1;
                    assert_eq!(found, None, "case {}", case.tc_id);
                }
            }
            std::println!("{backend}: {valid} valid, {invalid} invalid");
            assert_eq!((valid, invalid), (72, 144));
        }
    }
}
