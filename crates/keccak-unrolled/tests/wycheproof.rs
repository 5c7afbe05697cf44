//! Wycheproof: HMAC with SHA-3, through `hmac`, and KMAC. The counts are those of the files: a case that is
//! skipped fails the test.

#[path = "common/forced.rs"]
mod forced;

use forced::{Forced, on_every_backend};
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

macro_rules! hmac_sha3 {
    ($test:ident, $mac:ident) => {
        #[test]
        fn $test() {
            on_every_backend(|backend| {
                let counts = [
                    run(TestName::HmacSha3_224, check::<$mac<Forced<Sha3_224>>>),
                    run(TestName::HmacSha3_256, check::<$mac<Forced<Sha3_256>>>),
                    run(TestName::HmacSha3_384, check::<$mac<Forced<Sha3_384>>>),
                    run(TestName::HmacSha3_512, check::<$mac<Forced<Sha3_512>>>),
                ];
                let expected = [(66, 106), (66, 108), (66, 108), (66, 108)];
                assert_eq!(counts, expected, "{backend}");
            });
        }
    };
}
hmac_sha3!(hmac_sha3, Hmac);
hmac_sha3!(simple_hmac_sha3, SimpleHmac);

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
    fn run<M: Mac>(name: TestName, tag_size: usize, new: impl Fn(&[u8]) -> M) -> usize {
        let groups = TestSet::load(name).unwrap().test_groups.into_iter();
        let groups = groups.filter(|group| group.tag_size == tag_size);
        let tests = groups.flat_map(|group| group.tests).map(|test| {
            let mac = new(&test.key).chain_update(&test.msg);
            let valid = mac.verify_slice(&test.tag).is_ok();
            assert_eq!(valid, !test.result.must_fail(), "{name:?} {}", test.tc_id);
        });
        tests.count()
    }
    for backend in Backend::available() {
        let kmac128 = |key: &[u8]| Kmac128::new_with_backend(backend, key, &[]).unwrap();
        let kmac256 = |key: &[u8]| Kmac256::new_with_backend(backend, key, &[]).unwrap();
        assert_eq!(run(TestName::Kmac128, 256, kmac128), 87, "{backend}");
        assert_eq!(run(TestName::Kmac256, 512, kmac256), 87, "{backend}");
    }
    assert_eq!(
        run(TestName::Kmac256, 512, |key| Kmac256::new_from_slice(key)
            .unwrap()),
        87
    );
}
