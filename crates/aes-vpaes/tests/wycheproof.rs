//! Wycheproof's AES-CBC with PKCS #5 padding, through the `cbc` crate.

#![allow(missing_docs, reason = "tests")]

mod common;

use aes_vpaes::{
    Aes128, Aes192, Aes256, Backend, Block,
    cipher::{
        BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
        InnerIvInit, block_padding::Pkcs7, consts::U16,
    },
};
use common::for_each_backend;
use wycheproof::{
    TestResult,
    cipher::{Test, TestName, TestSet},
};

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
