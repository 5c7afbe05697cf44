//! Every case of Wycheproof's files for these two AEADs, on every back end.

use aead_chacha_poly::{
    Backend, ChaCha20Poly1305, ChaChaPoly1305, Key, Rounds, Variant, XChaCha20Poly1305,
    aead::{AeadInOut, Nonce, Tag},
};
use wycheproof::{
    TestResult,
    aead::{TestName, TestSet},
};

/// Runs a file and gives the numbers of its valid and invalid cases.
fn run<R: Rounds, V: Variant>(
    name: TestName,
    new: fn(Backend, &Key) -> Option<ChaChaPoly1305<R, V>>,
) -> (usize, usize) {
    let (mut valid, mut invalid) = (0, 0);
    for group in TestSet::load(name).unwrap().test_groups {
        for case in group.tests {
            let expected = match case.result {
                TestResult::Valid => true,
                TestResult::Invalid => false,
                TestResult::Acceptable => {
                    panic!("case {} is neither valid nor invalid", case.tc_id)
                }
            };
            for backend in Backend::available() {
                let cipher = new(backend, &Key::try_from(&case.key[..]).unwrap()).unwrap();
                let opened = open(&cipher, &case.nonce, &case.aad, &case.ct, &case.tag);
                assert_eq!(opened.is_some(), expected, "case {}, {backend}", case.tc_id);
                if expected {
                    assert_eq!(
                        opened.unwrap(),
                        case.pt[..],
                        "case {}, {backend}",
                        case.tc_id
                    );
                    let nonce = Nonce::<ChaChaPoly1305<R, V>>::try_from(&case.nonce[..]).unwrap();
                    let mut buf = case.pt.to_vec();
                    let tag = cipher
                        .encrypt_inout_detached(&nonce, &case.aad, buf[..].as_mut().into())
                        .unwrap();
                    assert_eq!(buf, case.ct[..], "case {}, {backend}", case.tc_id);
                    assert_eq!(tag[..], case.tag[..], "case {}, {backend}", case.tc_id);
                }
            }
            *(if expected { &mut valid } else { &mut invalid }) += 1;
        }
    }
    println!("{name:?}: {valid} valid and {invalid} invalid cases");
    (valid, invalid)
}

/// `None` if anything is wrong, the length of the nonce included.
fn open<R: Rounds, V: Variant>(
    cipher: &ChaChaPoly1305<R, V>,
    nonce: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let nonce = Nonce::<ChaChaPoly1305<R, V>>::try_from(nonce).ok()?;
    let tag = Tag::<ChaChaPoly1305<R, V>>::try_from(tag).ok()?;
    let mut buf = ciphertext.to_vec();
    cipher
        .decrypt_inout_detached(&nonce, aad, buf[..].as_mut().into(), &tag)
        .ok()?;
    Some(buf)
}

#[test]
fn chacha20_poly1305() {
    assert_eq!(
        run(
            TestName::ChaCha20Poly1305,
            ChaCha20Poly1305::new_with_backend
        ),
        (256, 69)
    );
}

#[test]
fn xchacha20_poly1305() {
    assert_eq!(
        run(
            TestName::XChaCha20Poly1305,
            XChaCha20Poly1305::new_with_backend
        ),
        (246, 69)
    );
}
