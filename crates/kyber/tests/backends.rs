//! Every back end against the slow model, against RustCrypto's `ml-kem` and against libcrux.

mod model;

use kyber::{
    Backend, Decapsulate, DecapsulationKey, EncapsulationKey, ExpandedKeyEncoding, KeyExport,
    KeyInit, Kyber512, Kyber768, Kyber1024, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed,
};
use model::Model;
use proptest::prelude::*;

/// Bytes without a pattern that a fault could hide in.
fn bytes<const N: usize>(seed: u8) -> [u8; N] {
    core::array::from_fn(|i| (i as u8).wrapping_mul(151).wrapping_add(seed) ^ (i >> 8) as u8)
}

#[test]
fn names_and_choice() {
    assert!(Backend::available().any(|b| b == Backend::detect()));
    assert!(Backend::available().any(|b| b == Backend::soft()));
    let seed = Seed::from(bytes(1));
    let automatic = DecapsulationKey::<MlKem768>::from_seed(seed);
    assert_eq!(automatic.backend(), Backend::detect());
    let (ek, expanded) = (
        automatic.encapsulation_key().to_bytes(),
        automatic.to_expanded_bytes(),
    );
    for &backend in Backend::ALL {
        if !backend.is_available() {
            println!("skipped: {backend} (not on this CPU)");
        }
        let expected = backend.is_available().then_some(backend);
        let dk = DecapsulationKey::<MlKem768>::from_seed_with_backend(backend, seed);
        assert_eq!(dk.as_ref().map(DecapsulationKey::backend), expected);
        let dk = DecapsulationKey::<MlKem768>::from_expanded_with_backend(backend, &expanded);
        assert_eq!(dk.map(|dk| dk.unwrap().backend()), expected);
        let ek = EncapsulationKey::<MlKem768>::new_with_backend(backend, &ek);
        assert_eq!(ek.map(|ek| ek.unwrap().backend()), expected);
        assert_eq!(backend.to_string(), backend.name());
    }
}

/// All that a seed, a message and two ciphertexts lead to.
fn against_model<P: ParameterSet>(model: Model) {
    for seed in 0..if cfg!(debug_assertions) { 3 } else { 20 } {
        let (d, z, m) = (
            bytes::<32>(seed),
            bytes::<32>(seed + 100),
            bytes::<32>(seed + 200),
        );
        let (ek, dk) = model.key_gen(&d, &z);
        let (c, key) = model.encaps(&ek, &m);
        let mut bad_c = c.clone();
        bad_c[usize::from(seed) * 31] ^= 1 << (seed % 8);
        let bad_key = model.decaps(&dk, &bad_c);
        assert_eq!(model.decaps(&dk, &c), key);

        for backend in Backend::available() {
            let seed = Seed::try_from(&[d, z].concat()[..]).unwrap();
            let from_seed = DecapsulationKey::<P>::from_seed_with_backend(backend, seed).unwrap();
            let from_expanded = DecapsulationKey::<P>::from_expanded_with_backend(
                backend,
                &dk[..].try_into().unwrap(),
            );
            let from_expanded = from_expanded.unwrap().unwrap();
            assert_eq!(
                (from_seed.to_seed(), from_expanded.to_seed()),
                (Some(seed), None)
            );
            for ours in [from_seed, from_expanded] {
                assert_eq!(ours.encapsulation_key().to_bytes()[..], ek, "{backend}");
                assert_eq!(ours.to_expanded_bytes()[..], dk, "{backend}");
                assert_eq!(ours.decapsulate_slice(&c).unwrap()[..], key, "{backend}");
                assert_eq!(
                    ours.decapsulate_slice(&bad_c).unwrap()[..],
                    bad_key,
                    "{backend}"
                );
            }
            let ours =
                EncapsulationKey::<P>::new_with_backend(backend, &ek[..].try_into().unwrap());
            let ours = ours.unwrap().unwrap().encapsulate_deterministic(&m.into());
            assert_eq!((&ours.0[..], &ours.1[..]), (&c[..], &key[..]), "{backend}");
        }
    }
}

#[test]
fn equal_to_the_model() {
    against_model::<MlKem512>(model::ML_KEM_512);
    against_model::<MlKem768>(model::ML_KEM_768);
    against_model::<MlKem1024>(model::ML_KEM_1024);
    against_model::<Kyber512>(model::KYBER_512);
    against_model::<Kyber768>(model::KYBER_768);
    against_model::<Kyber1024>(model::KYBER_1024);
}

/// Fewer cases under emulators, where `cargo xtask test` sets the variable `SPARSE_TESTS`.
fn config() -> ProptestConfig {
    ProptestConfig::with_cases(if std::env::var_os("SPARSE_TESTS").is_some() {
        4
    } else {
        64
    })
}

/// Against `ml-kem` and libcrux: keys, ciphertexts, shared keys, and the shared keys of ciphertexts with one byte
/// changed and of random ones.
macro_rules! against_others {
    ($($name:ident: $set:ident, $libcrux:ident;)*) => {$(
        proptest! {
            #![proptest_config(config())]
            #[test]
            fn $name(seed: [u8; 64], m: [u8; 32], place: usize, difference in 1u8.., random: u64) {
                use ml_kem::{Decapsulate as _, KeyExport as _};
                let theirs = ml_kem::DecapsulationKey::<ml_kem::$set>::from_seed(seed.into());
                let (c, key) = theirs.encapsulation_key().encapsulate_deterministic(&m.into());
                let libcrux = libcrux_ml_kem::$libcrux::generate_key_pair(seed);
                let (libcrux_c, libcrux_key) =
                    libcrux_ml_kem::$libcrux::encapsulate(libcrux.public_key(), m);
                let mut changed_c = c;
                changed_c[place % c.len()] ^= difference;
                let random_c = core::array::from_fn(|i| (random.rotate_left(i as u32) as u8).wrapping_mul(i as u8));

                for backend in Backend::available() {
                    let dk = DecapsulationKey::<$set>::from_seed_with_backend(backend, seed.into()).unwrap();
                    let ek = dk.encapsulation_key();
                    prop_assert_eq!(&ek.to_bytes()[..], &theirs.encapsulation_key().to_bytes()[..]);
                    prop_assert_eq!(&ek.to_bytes()[..], &libcrux.public_key().as_slice()[..]);
                    prop_assert_eq!(&dk.to_expanded_bytes()[..], &libcrux.private_key().as_slice()[..]);
                    let ours = ek.encapsulate_deterministic(&m.into());
                    prop_assert_eq!((&ours.0[..], &ours.1[..]), (&c[..], &key[..]));
                    prop_assert_eq!((&ours.0[..], &ours.1[..]), (&libcrux_c.as_slice()[..], &libcrux_key[..]));
                    prop_assert_eq!(&dk.decapsulate(&ours.0)[..], &key[..]);
                    for c in [changed_c.0, random_c] {
                        let ours = dk.decapsulate(&c.into());
                        prop_assert_eq!(&ours[..], &theirs.decapsulate(&c.into())[..]);
                        let libcrux = libcrux_ml_kem::$libcrux::decapsulate(libcrux.private_key(), &c.into());
                        prop_assert_eq!(&ours[..], &libcrux[..]);
                    }
                }
            }
        }
    )*};
}
against_others! {
    ml_kem_512_equals_others: MlKem512, mlkem512;
    ml_kem_768_equals_others: MlKem768, mlkem768;
    ml_kem_1024_equals_others: MlKem1024, mlkem1024;
}

/// Against libcrux's Kyber, but for rejection: libcrux has KDF(J(z || c) || H(c)), the reference code KDF(z || H(c)).
macro_rules! kyber_against_libcrux {
    ($($name:ident: $set:ident, $libcrux:ident;)*) => {$(
        proptest! {
            #![proptest_config(config())]
            #[test]
            fn $name(seed: [u8; 64], m: [u8; 32], place: usize, difference in 1u8..) {
                let libcrux = libcrux_ml_kem::$libcrux::generate_key_pair(seed);
                let (c, key) = libcrux_ml_kem::$libcrux::encapsulate(libcrux.public_key(), m);
                for backend in Backend::available() {
                    let dk = DecapsulationKey::<$set>::from_seed_with_backend(backend, seed.into()).unwrap();
                    let ek = dk.encapsulation_key();
                    prop_assert_eq!(&ek.to_bytes()[..], &libcrux.public_key().as_slice()[..]);
                    prop_assert_eq!(&dk.to_expanded_bytes()[..], &libcrux.private_key().as_slice()[..]);
                    let (mut ours_c, ours_key) = ek.encapsulate_deterministic(&m.into());
                    prop_assert_eq!((&ours_c[..], &ours_key[..]), (&c.as_slice()[..], &key[..]));
                    prop_assert_eq!(&dk.decapsulate(&ours_c)[..], &key[..]);
                    let place = place % ours_c.len();
                    ours_c[place] ^= difference;
                    let rejected = model::shake256(&[&seed[32..], &model::h(&[&ours_c])], 32);
                    prop_assert_eq!(&dk.decapsulate(&ours_c)[..], &rejected[..]);
                }
            }
        }
    )*};
}
kyber_against_libcrux! {
    kyber_512_equals_libcrux: Kyber512, kyber512;
    kyber_768_equals_libcrux: Kyber768, kyber768;
    kyber_1024_equals_libcrux: Kyber1024, kyber1024;
}

/// The traits give what the methods give, and draw d, z and m in this order, 32 bytes each.
#[test]
fn traits_and_random_numbers() {
    use kem::{
        FromSeed, Generate,
        common::rand_core::{TryCryptoRng, TryRng},
    };
    use kyber::{Encapsulate, kem};

    /// Counts what it is asked for.
    struct Requests(u8);
    impl TryRng for Requests {
        type Error = core::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            panic!("not by words")
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            panic!("not by words")
        }
        fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Self::Error> {
            assert_eq!(output.len(), 32);
            self.0 += 1;
            output.fill(self.0);
            Ok(())
        }
    }
    impl TryCryptoRng for Requests {}

    fn check<P: ParameterSet>() {
        let mut seed = Seed::from([1; 64]);
        seed[32..].fill(2);
        let expected = DecapsulationKey::<P>::from_seed(seed);
        let ek = expected.encapsulation_key();
        let expanded = expected.to_expanded_bytes();

        let generated = DecapsulationKey::<P>::generate_from_rng(&mut Requests(0));
        let (pair_dk, pair_ek) = P::generate_keypair_from_rng(&mut Requests(0));
        let (seed_dk, seed_ek) = P::from_seed(&seed);
        let new = DecapsulationKey::<P>::new_from_slice(&seed).unwrap();
        for dk in [
            &generated,
            &pair_dk,
            &seed_dk,
            &new,
            &seed.into(),
            &pair_dk.clone(),
        ] {
            assert_eq!(dk.to_bytes(), seed);
            assert_eq!(dk.to_expanded_bytes(), expanded);
            assert_eq!(dk.encapsulation_key(), ek);
        }
        assert_eq!((&pair_ek, &seed_ek), (ek, ek));
        assert_eq!(
            ek.encapsulate_with_rng(&mut Requests(6)),
            ek.encapsulate_deterministic(&[7; 32].into())
        );

        let other = DecapsulationKey::<P>::from_seed([3; 64].into());
        assert_ne!(other.encapsulation_key(), ek);
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
    check::<Kyber512>();
    check::<Kyber768>();
    check::<Kyber1024>();
}

/// The system's generator.
#[cfg(feature = "getrandom")]
#[test]
fn system_random_numbers() {
    use kyber::{Encapsulate, Generate, Kem};

    let (dk, ek) = MlKem768::generate_keypair();
    let (c, key) = ek.encapsulate();
    assert_eq!(dk.decapsulate(&c), key);
    assert_ne!(ek.encapsulate().1, key);
    assert_ne!(
        DecapsulationKey::<MlKem768>::generate().encapsulation_key(),
        &ek
    );
}
