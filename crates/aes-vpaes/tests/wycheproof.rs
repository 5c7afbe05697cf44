//! Wycheproof's cases for the modes of operation of RustCrypto.

#![allow(missing_docs, reason = "tests")]

mod common;

use aes_gcm::{
    AesGcm,
    aead::{AeadInOut, Nonce, Tag},
};
use aes_vpaes::{
    Aes128, Aes192, Aes256, Backend, Block,
    cipher::{
        BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
        InnerIvInit, KeyInit,
        block_padding::Pkcs7,
        consts::{U7, U8, U12, U13, U16},
    },
};
use ccm::Ccm;
use cmac::{Cmac, Mac};
use common::{Forced, for_each_backend, force};
use eax::Eax;
use wycheproof::{
    TestResult, aead,
    cipher::{Test, TestName, TestSet},
    mac,
};
use xts_mode::Xts128;

fn check<C>(cipher: &C, test: &Test, backend: Backend)
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    let iv = Block::try_from(&test.nonce[..]).expect("every IV has 16 bytes");
    let mut buffer = vec![0; test.pt.len() + 16];
    let ciphertext = cbc::Encryptor::inner_iv_init(cipher, &iv)
        .encrypt_padded_b2b::<Pkcs7>(&test.pt, &mut buffer)
        .expect("the buffer has room for a block of padding");
    let mut buffer = test.ct.to_vec();
    let plaintext = cbc::Decryptor::inner_iv_init(cipher, &iv).decrypt_padded::<Pkcs7>(&mut buffer);
    match test.result {
        TestResult::Valid | TestResult::Acceptable => {
            assert_eq!(ciphertext, &test.ct[..], "{backend}, case {}", test.tc_id);
            assert_eq!(
                plaintext.ok(),
                Some(&test.pt[..]),
                "{backend}, case {}",
                test.tc_id
            );
        }
        TestResult::Invalid => assert!(plaintext.is_err(), "{backend}, case {}", test.tc_id),
    }
}

#[test]
fn aes_cbc_pkcs5() {
    let set = TestSet::load(TestName::AesCbcPkcs5).unwrap();
    for_each_backend(|backend| {
        let mut cases = 0;
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            let key = &test.key[..];
            match key.len() {
                16 => {
                    let key = key.try_into().unwrap();
                    check(
                        &Aes128::new_with_backend(backend, key).unwrap(),
                        test,
                        backend,
                    );
                }
                24 => {
                    let key = key.try_into().unwrap();
                    check(
                        &Aes192::new_with_backend(backend, key).unwrap(),
                        test,
                        backend,
                    );
                }
                32 => {
                    let key = key.try_into().unwrap();
                    check(
                        &Aes256::new_with_backend(backend, key).unwrap(),
                        test,
                        backend,
                    );
                }
                n => panic!("a key of {n} bytes"),
            }
            cases += 1;
        }
        assert_eq!(cases, 216);
    });
}

/// The cases of an AEAD with this type's lengths of key, nonce and tag; returns how many there are.
fn check_aead<A: KeyInit + AeadInOut>(set: &aead::TestSet, backend: Backend) -> usize {
    let mut cases = 0;
    for group in &set.test_groups {
        if group.key_size != 8 * A::key_size() || group.tag_size != 8 * size_of::<Tag<A>>() {
            continue;
        }
        for test in &group.tests {
            let Ok(nonce) = Nonce::<A>::try_from(&test.nonce[..]) else {
                continue;
            };
            let aead = A::new_from_slice(&test.key).expect("the length of the group");
            let tag = Tag::<A>::try_from(&test.tag[..]);
            let mut buffer = test.ct.to_vec();
            let opened = tag.ok().is_some_and(|tag| {
                aead.decrypt_inout_detached(&nonce, &test.aad, buffer.as_mut_slice().into(), &tag)
                    .is_ok()
            });
            let valid = test.result != TestResult::Invalid;
            assert_eq!(opened, valid, "{backend}, case {}", test.tc_id);
            if valid {
                assert_eq!(buffer, &test.pt[..], "{backend}, case {}", test.tc_id);
                let tag = aead
                    .encrypt_inout_detached(&nonce, &test.aad, buffer.as_mut_slice().into())
                    .expect("short");
                assert_eq!(buffer, &test.ct[..], "{backend}, case {}", test.tc_id);
                assert_eq!(tag[..], test.tag[..], "{backend}, case {}", test.tc_id);
            }
            cases += 1;
        }
    }
    cases
}

/// Counts the cases of an AEAD for the three key sizes, with some lengths of nonces and tags.
macro_rules! aead_cases {
    ($name:ident, $cases:literal, |$cipher:ident| $($type:ty),*) => {
        let set = aead::TestSet::load(aead::TestName::$name).unwrap();
        for_each_backend(|backend| {
            force(backend);
            let mut cases = 0;
            macro_rules! size {
                ($size:ident) => {{
                    type $cipher = Forced<aes_vpaes::$size>;
                    $(cases += check_aead::<$type>(&set, backend);)*
                }};
            }
            size!(Aes128);
            size!(Aes192);
            size!(Aes256);
            assert_eq!(cases, $cases);
        });
    };
}

#[test]
fn aes_gcm() {
    aead_cases!(AesGcm, 262, |C| AesGcm<C, U8>, AesGcm<C, U12>, AesGcm<C, U16>);
}

#[test]
fn aes_ccm() {
    aead_cases!(AesCcm, 294, |C| Ccm<C, U16, U12>, Ccm<C, U8, U12>, Ccm<C, U16, U13>, Ccm<C, U16, U7>);
}

#[test]
fn aes_eax() {
    aead_cases!(AesEax, 186, |C| Eax<C>);
}

#[test]
fn aes_cmac() {
    fn check<M: KeyInit + Mac>(key: &[u8], test: &mac::Test) -> bool {
        let mut mac = <M as KeyInit>::new_from_slice(key).expect("the length of a key");
        mac.update(&test.msg);
        !test.tag.is_empty() && mac.verify_truncated_left(&test.tag).is_ok()
    }
    let set = mac::TestSet::load(mac::TestName::AesCmac).unwrap();
    for_each_backend(|backend| {
        force(backend);
        let mut cases = 0;
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            let accepted = match test.key.len() {
                16 => check::<Cmac<Forced<Aes128>>>(&test.key, test),
                24 => check::<Cmac<Forced<Aes192>>>(&test.key, test),
                32 => check::<Cmac<Forced<Aes256>>>(&test.key, test),
                // Some keys are too short or too long on purpose.
                _ => false,
            };
            let valid = test.result != TestResult::Invalid;
            assert_eq!(accepted, valid, "{backend}, case {}", test.tc_id);
            cases += 1;
        }
        assert_eq!(cases, 311);
    });
}

#[test]
fn aes_xts() {
    fn check<C>(test: &Test) -> [Vec<u8>; 2]
    where
        C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
    {
        let (first, second) = test.key.split_at(C::key_size());
        let xts = Xts128::new(
            C::new_from_slice(first).expect("half of the key"),
            C::new_from_slice(second).expect("half of the key"),
        );
        let tweak = || {
            let mut tweak = Block::default();
            tweak[..test.nonce.len()].copy_from_slice(&test.nonce);
            tweak
        };
        let (mut encrypted, mut decrypted) = (test.pt.to_vec(), test.ct.to_vec());
        xts.encrypt_sector(&mut encrypted, tweak());
        xts.decrypt_sector(&mut decrypted, tweak());
        [encrypted, decrypted]
    }
    let set = TestSet::load(TestName::AesXts).unwrap();
    for_each_backend(|backend| {
        force(backend);
        let mut cases = 0;
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            assert_eq!(test.result, TestResult::Valid);
            let [encrypted, decrypted] = match test.key.len() {
                32 => check::<Forced<Aes128>>(test),
                48 => check::<Forced<Aes192>>(test),
                64 => check::<Forced<Aes256>>(test),
                n => panic!("a key of {n} bytes"),
            };
            assert_eq!(encrypted, &test.ct[..], "{backend}, case {}", test.tc_id);
            assert_eq!(decrypted, &test.pt[..], "{backend}, case {}", test.tc_id);
            cases += 1;
        }
        assert_eq!(cases, 123);
    });
}
