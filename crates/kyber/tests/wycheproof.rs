//! Every case of Wycheproof's ML-KEM files, on every back end.

use kyber::{
    Backend, Decapsulate, DecapsulationKey, EncapsulationKey, ExpandedKeyEncoding, KeyExport,
    ParameterSet, array::Array,
};
use wycheproof::{
    ByteString, TestResult,
    mlkem::{Test, TestName, TestSet},
};

/// Runs `case` for every test of the file on every back end; `case` gives whether the input was accepted and, if so,
/// whether all outputs were right. Checks the numbers of valid and invalid cases that the file has.
fn run(name: TestName, expected: (usize, usize), case: impl Fn(Backend, &Test) -> Option<bool>) {
    let set = TestSet::load(name).unwrap();
    for backend in Backend::available() {
        let (mut valid, mut invalid) = (0, 0);
        for test in set.test_groups.iter().flat_map(|group| &group.tests) {
            let outcome = case(backend, test);
            let context = format!(
                "{backend}, case {}: {} {:?}",
                test.tc_id, test.comment, test.flags
            );
            match test.result {
                TestResult::Valid => {
                    assert_eq!(outcome, Some(true), "{context}");
                    valid += 1;
                }
                TestResult::Invalid => {
                    assert_eq!(outcome, None, "{context}");
                    invalid += 1;
                }
                TestResult::Acceptable => panic!("no such case is in these files: {context}"),
            }
        }
        println!("{name:?}, {backend}: {valid} valid, {invalid} invalid");
        assert_eq!((valid, invalid), expected, "{name:?}");
    }
}

fn is(expected: &Option<ByteString>, bytes: &[u8]) -> bool {
    expected
        .as_ref()
        .is_some_and(|expected| expected[..] == *bytes)
}

/// A seed of any length as the public interface takes it.
fn from_seed<P: ParameterSet>(backend: Backend, test: &Test) -> Option<DecapsulationKey<P>> {
    let seed = Array::try_from(&test.seed.as_ref()?[..]).ok()?;
    DecapsulationKey::from_seed_with_backend(backend, seed)
}

fn decapsulates<P: ParameterSet>(dk: &DecapsulationKey<P>, test: &Test) -> Option<bool> {
    let key = dk.decapsulate_slice(test.ct.as_ref()?).ok()?;
    Some(is(&test.shared_secret, &key))
}

fn all<P: ParameterSet>(names: [TestName; 4], expected: [(usize, usize); 4]) {
    let [decaps, encaps, key_gen, semi_expanded] = names;
    run(decaps, expected[0], |backend, test| {
        let dk = from_seed::<P>(backend, test)?;
        if test.encaps_key.is_some() {
            assert!(is(&test.encaps_key, &dk.encapsulation_key().to_bytes()));
        }
        decapsulates(&dk, test)
    });
    run(encaps, expected[1], |backend, test| {
        let encoded = Array::try_from(&test.encaps_key.as_ref()?[..]).ok()?;
        let ek = EncapsulationKey::<P>::new_with_backend(backend, &encoded)?.ok()?;
        let m = Array::try_from(&test.msg.as_ref()?[..]).ok()?;
        let (c, key) = ek.encapsulate_deterministic(&m);
        Some(is(&test.ct, &c) && is(&test.shared_secret, &key))
    });
    run(key_gen, expected[2], |backend, test| {
        let dk = from_seed::<P>(backend, test)?;
        let ek = dk.encapsulation_key().to_bytes();
        let expanded = dk.to_expanded_bytes();
        Some(is(&test.encaps_key, &ek) && is(&test.decaps_key, &expanded))
    });
    run(semi_expanded, expected[3], |backend, test| {
        let encoded = Array::try_from(&test.decaps_key.as_ref()?[..]).ok()?;
        let dk = DecapsulationKey::<P>::from_expanded_with_backend(backend, &encoded)?.ok()?;
        decapsulates(&dk, test)
    });
}

#[test]
fn ml_kem_512() {
    use TestName::*;
    let names = [
        MlKem512,
        MlKem512Encaps,
        MlKem512KeyGenSeed,
        MlKem512SemiExpandedDecaps,
    ];
    all::<kyber::MlKem512>(names, [(160, 40), (133, 128), (100, 0), (3, 6)]);
}

#[test]
fn ml_kem_768() {
    use TestName::*;
    let names = [
        MlKem768,
        MlKem768Encaps,
        MlKem768KeyGenSeed,
        MlKem768SemiExpandedDecaps,
    ];
    all::<kyber::MlKem768>(names, [(161, 40), (133, 132), (100, 0), (3, 6)]);
}

#[test]
fn ml_kem_1024() {
    use TestName::*;
    let names = [
        MlKem1024,
        MlKem1024Encaps,
        MlKem1024KeyGenSeed,
        MlKem1024SemiExpandedDecaps,
    ];
    all::<kyber::MlKem1024>(names, [(162, 40), (133, 136), (100, 0), (3, 6)]);
}
