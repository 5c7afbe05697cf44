//! Wycheproof's sets for the JOSE AEADs, every case on every back end. Its set for CBC with PKCS #5 padding is run by
//! the unit tests, which can get at CBC alone.

use aead::{AeadCore, Nonce, Tag};
use aes_cbc_hmac::{
    Backend,
    jose::{A128CbcHs256, A192CbcHs384, A256CbcHs512},
};
use wycheproof::{
    TestResult,
    aead::{TestName, TestSet},
};

macro_rules! run {
    ($($name:ident: $aead:ident, $set:ident;)*) => {$(
        #[test]
        fn $name() {
            let set = TestSet::load(TestName::$set).unwrap();
            for backend in Backend::available() {
                let (mut valid, mut invalid) = (0, 0);
                for group in &set.test_groups {
                    assert_eq!(group.nonce_size, 128);
                    assert_eq!(group.tag_size, 8 * size_of::<Tag<$aead>>());
                    for case in &group.tests {
                        let key = (&case.key[..]).try_into().unwrap();
                        let aead = $aead::new_with_backend(backend, key).unwrap();
                        let nonce: &Nonce<$aead> = (&case.nonce[..]).try_into().unwrap();
                        let tag: &Tag<$aead> = (&case.tag[..]).try_into().unwrap();

                        let mut buffer = case.ct.to_vec();
                        let opened =
                            aead.decrypt_in_place_detached(nonce, &case.aad, &mut buffer, tag);
                        let mut sealed = case.pt.to_vec();
                        let made =
                            aead.encrypt_in_place_detached(nonce, &case.aad, &mut sealed).unwrap();
                        if case.result == TestResult::Valid {
                            valid += 1;
                            opened.unwrap();
                            assert_eq!(buffer, case.pt[..], "case {}", case.tc_id);
                            assert_eq!(sealed, case.ct[..], "case {}", case.tc_id);
                            assert_eq!(made, *tag, "case {}", case.tc_id);
                        } else {
                            invalid += 1;
                            assert!(opened.is_err(), "case {}", case.tc_id);
                            assert_eq!(buffer, vec![0; case.ct.len()]);
                            assert_ne!((&sealed[..], made), (&case.ct[..], *tag));
                        }
                    }
                }
                println!("{backend}: {valid} valid, {invalid} invalid");
                assert_eq!((valid, invalid), (67, 27));
            }
            assert_eq!(<$aead as AeadCore>::TAG_POSITION, aead::TagPosition::Postfix);
        }
    )*};
}
run! {
    a128cbc_hs256: A128CbcHs256, Aes128CbcHmacSha256;
    a192cbc_hs384: A192CbcHs384, Aes192CbcHmacSha384;
    a256cbc_hs512: A256CbcHs512, Aes256CbcHmacSha512;
}
