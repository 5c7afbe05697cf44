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
        InnerIvInit, KeyInit, StreamCipher, StreamCipherCoreWrapper,
        block_padding::Pkcs7,
        consts::{
            U1, U2, U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16, U20, U32, U64, U128,
            U257,
        },
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

/// Runs the cases of an AEAD with this type's lengths of key, nonce and tag; returns how many there are.
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

/// Runs the cases of an AEAD for the three key sizes, with the lengths of nonces and tags that it has. All others must be
/// invalid; `$skipped` of a nonce's and a tag's number of bytes says which they are.
macro_rules! aead_cases {
    ($name:ident, |$nonce:ident, $tag:ident| $skipped:expr, |$cipher:ident| $($type:ty),*) => {
        let set = aead::TestSet::load(aead::TestName::$name).unwrap();
        let mut skipped = 0;
        for group in &set.test_groups {
            let ($nonce, $tag) = (group.nonce_size / 8, group.tag_size / 8);
            if $skipped {
                skipped += group.tests.len();
                assert!(group.tests.iter().all(|test| test.result == TestResult::Invalid));
            }
        }
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
            assert_eq!(cases + skipped, set.number_of_tests);
        });
    };
}

/// Nonces of no bytes are invalid, which `aes-gcm` leaves to its caller.
#[test]
fn aes_gcm() {
    aead_cases!(
        AesGcm,
        |nonce, _tag| nonce == 0,
        |C| AesGcm<C, U1>, AesGcm<C, U2>, AesGcm<C, U4>, AesGcm<C, U6>, AesGcm<C, U8>, AesGcm<C, U10>,
            AesGcm<C, U12>, AesGcm<C, U15>, AesGcm<C, U16>, AesGcm<C, U20>, AesGcm<C, U32>, AesGcm<C, U64>,
            AesGcm<C, U128>, AesGcm<C, U257>
    );
}

/// Lengths that are invalid are no types of `ccm`.
#[test]
fn aes_ccm() {
    aead_cases!(
        AesCcm,
        |nonce, tag| !(7..=13).contains(&nonce) || tag < 4 || tag % 2 != 0,
        |C| Ccm<C, U16, U7>, Ccm<C, U16, U8>, Ccm<C, U16, U9>, Ccm<C, U16, U10>, Ccm<C, U16, U11>,
            Ccm<C, U16, U12>, Ccm<C, U16, U13>, Ccm<C, U4, U12>, Ccm<C, U6, U12>, Ccm<C, U8, U12>,
            Ccm<C, U10, U12>, Ccm<C, U12, U12>, Ccm<C, U14, U12>
    );
}

/// EAX with a nonce of any length, after its definition; `eax` has those of 16 bytes alone. The output has as many bytes
/// as the input, and the tag is that of the ciphertext, which is the one or the other.
fn eax<C>(key: &[u8], test: &aead::Test, encrypt: bool) -> (Vec<u8>, Block)
where
    C: KeyInit + BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + Clone,
{
    let omac = |number: u8, data: &[u8]| {
        let mut mac = <Cmac<C> as KeyInit>::new_from_slice(key).expect("the length of the group");
        mac.update(&[[0; 15].as_slice(), &[number], data].concat());
        mac.finalize().into_bytes()
    };
    let nonce = omac(0, &test.nonce);
    let cipher = C::new_from_slice(key).expect("the length of the group");
    let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(cipher, &nonce);
    let mut output = if encrypt { &test.pt } else { &test.ct }.to_vec();
    StreamCipherCoreWrapper::from_core(core).apply_keystream(&mut output);
    let tag = omac(2, if encrypt { &output } else { &test.ct });
    let header = omac(1, &test.aad);
    let tag = Block::from(core::array::from_fn(|i| nonce[i] ^ header[i] ^ tag[i]));
    (output, tag)
}

#[test]
fn aes_eax() {
    fn check<C>(test: &aead::Test, backend: Backend)
    where
        C: KeyInit + BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + Clone,
    {
        let valid = test.result != TestResult::Invalid;
        let (plaintext, tag) = eax::<C>(&test.key, test, false);
        let accepted = tag[..] == test.tag[..];
        assert_eq!(accepted, valid, "{backend}, case {}", test.tc_id);
        if valid {
            let (ciphertext, tag) = eax::<C>(&test.key, test, true);
            assert_eq!(plaintext, &test.pt[..], "{backend}, case {}", test.tc_id);
            assert_eq!(ciphertext, &test.ct[..], "{backend}, case {}", test.tc_id);
            assert_eq!(tag[..], test.tag[..], "{backend}, case {}", test.tc_id);
        }
    }
    let set = aead::TestSet::load(aead::TestName::AesEax).unwrap();
    for_each_backend(|backend| {
        force(backend);
        let cases = check_aead::<Eax<Forced<Aes128>>>(&set, backend)
            + check_aead::<Eax<Forced<Aes192>>>(&set, backend)
            + check_aead::<Eax<Forced<Aes256>>>(&set, backend);
        assert_eq!(cases, 186);
        for group in &set.test_groups {
            for test in &group.tests {
                match group.key_size {
                    128 => check::<Forced<Aes128>>(test, backend),
                    192 => check::<Forced<Aes192>>(test, backend),
                    256 => check::<Forced<Aes256>>(test, backend),
                    n => panic!("a key of {n} bits"),
                }
            }
        }
    });
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
