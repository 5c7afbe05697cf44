//! Wycheproof: HMAC with SHA-3, through `hmac`, and KMAC. The counts are those of the files: a case that is
//! skipped fails the test.

use hmac::{Hmac, SimpleHmac};
use keccak_unrolled::{
    Backend, KeyInit, Kmac, Kmac128, Kmac256, Mac, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Update,
};
use wycheproof::mac::{TestName, TestSet};

/// Runs each case of the set, where `check(key, message, tag)` says whether the tag is right, and gives the
/// numbers of cases with a right and with a wrong tag.
fn run(name: TestName, check: impl Fn(&[u8], &[u8], &[u8]) -> bool) -> (usize, usize) {
    let mut counts = (0, 0);
    for group in TestSet::load(name).unwrap().test_groups {
        for test in group.tests {
            let valid = !test.result.must_fail();
            assert_eq!(
                test.tag.len() * 8,
                group.tag_size,
                "{name:?} {}",
                test.tc_id
            );
            assert_eq!(
                check(&test.key, &test.msg, &test.tag),
                valid,
                "{name:?} {}",
                test.tc_id
            );
            if valid { counts.0 += 1 } else { counts.1 += 1 }
        }
    }
    counts
}

fn check<M: Mac + KeyInit>(key: &[u8], message: &[u8], tag: &[u8]) -> bool {
    let mac = <M as KeyInit>::new_from_slice(key)
        .unwrap()
        .chain_update(message);
    mac.verify_truncated_left(tag).is_ok()
}

#[test]
fn hmac_sha3() {
    assert_eq!(
        run(TestName::HmacSha3_224, check::<Hmac<Sha3_224>>),
        (66, 106)
    );
    assert_eq!(
        run(TestName::HmacSha3_256, check::<Hmac<Sha3_256>>),
        (66, 108)
    );
    assert_eq!(
        run(TestName::HmacSha3_384, check::<Hmac<Sha3_384>>),
        (66, 108)
    );
    assert_eq!(
        run(TestName::HmacSha3_512, check::<Hmac<Sha3_512>>),
        (66, 108)
    );
}

#[test]
fn simple_hmac_sha3() {
    assert_eq!(
        run(TestName::HmacSha3_224, check::<SimpleHmac<Sha3_224>>),
        (66, 106)
    );
    assert_eq!(
        run(TestName::HmacSha3_256, check::<SimpleHmac<Sha3_256>>),
        (66, 108)
    );
    assert_eq!(
        run(TestName::HmacSha3_384, check::<SimpleHmac<Sha3_384>>),
        (66, 108)
    );
    assert_eq!(
        run(TestName::HmacSha3_512, check::<SimpleHmac<Sha3_512>>),
        (66, 108)
    );
}

#[test]
fn kmac() {
    fn check<const RATE: usize>(backend: Backend, key: &[u8], message: &[u8], tag: &[u8]) -> bool {
        let mac = Kmac::<RATE>::new_with_backend(backend, key, &[]).unwrap();
        mac.chain(message).verify_variable(tag).is_ok()
    }
    for backend in Backend::available() {
        assert_eq!(
            run(TestName::Kmac128, |k, m, t| check::<168>(backend, k, m, t)),
            (66, 108)
        );
        assert_eq!(
            run(TestName::Kmac256, |k, m, t| check::<136>(backend, k, m, t)),
            (99, 162)
        );
    }
}

/// Through the traits a KMAC tag is as long as [`Mac`] says, which the files have too.
#[test]
fn kmac_through_mac() {
    fn full<M: Mac + KeyInit>(key: &[u8], message: &[u8], tag: &[u8]) -> bool {
        <M as KeyInit>::new_from_slice(key)
            .unwrap()
            .chain_update(message)
            .verify_slice(tag)
            .is_ok()
    }
    let mut counts = [0; 2];
    for group in TestSet::load(TestName::Kmac128).unwrap().test_groups {
        for test in group.tests.iter().filter(|_| group.tag_size == 256) {
            assert_eq!(
                full::<Kmac128>(&test.key, &test.msg, &test.tag),
                !test.result.must_fail()
            );
            counts[0] += 1;
        }
    }
    for group in TestSet::load(TestName::Kmac256).unwrap().test_groups {
        for test in group.tests.iter().filter(|_| group.tag_size == 512) {
            assert_eq!(
                full::<Kmac256>(&test.key, &test.msg, &test.tag),
                !test.result.must_fail()
            );
            counts[1] += 1;
        }
    }
    assert_eq!(counts, [87, 87]);
}
