//! Faults that were published in other implementations, as tests of this one.
//!
//! Two kinds are refused at compile time instead. KyberSlash (pq-crystals dda29cc, 11d00ff, 272125f; PQClean issue 534;
//! RUSTSEC-2023-0079): divisions whose dividend is secret; the files that compress, encode and sample deny Clippy's
//! `integer_division_remainder_used`. RustCrypto ml-kem issue 394: a derived comparison of secrets;
//! `DecapsulationKey` has no `PartialEq`. Three more need what no test here can give: Clang's branch on a bit of the
//! message (pq-crystals 9b8d306, PQClean 3aaae447) and tables indexed by secrets (ml-kem issue 386) show in traces of
//! the machine code; wrong byte orders (libcrux 8404f0e7f) show when this whole suite runs on a big-endian machine.
//! Shifts of negative numbers (mlkem-native 08ec13ab) are defined in Rust, and overflow checks are on in debug builds.

mod model;

use hex_literal::hex;
use kyber::{
    Backend, Ciphertext, Decapsulate, DecapsulationKey, EncapsulationKey, ExpandedDecapsulationKey,
    ExpandedKeyEncoding, InvalidKey, KeyExport, KeyInit, Kyber512, Kyber768, Kyber1024, MlKem512,
    MlKem768, MlKem1024, ParameterSet, Seed, TryKeyInit, array::Array,
};
use model::Model;

/// Bytes without a pattern that a fault could hide in.
fn bytes<const N: usize>(seed: u8) -> [u8; N] {
    core::array::from_fn(|i| (i as u8).wrapping_mul(151).wrapping_add(seed) ^ (i >> 8) as u8)
}

fn key<P: ParameterSet>(backend: Backend) -> DecapsulationKey<P> {
    DecapsulationKey::from_seed_with_backend(backend, bytes(1).into()).unwrap()
}

/// The k of a set, from the size of its expanded key.
fn k<P: ParameterSet>() -> usize {
    (ExpandedDecapsulationKey::<P>::default().len() - 96) / 768
}

macro_rules! for_all_sets {
    ($check:ident) => {
        $check::<MlKem512>();
        $check::<MlKem768>();
        $check::<MlKem1024>();
        $check::<Kyber512>();
        $check::<Kyber768>();
        $check::<Kyber1024>();
    };
}

/// RustCrypto KEMs issues 179 and 207, BoringSSL c0e441916: encapsulation keys were not checked. FIPS 203, section 7.2:
/// every coefficient is below q = 3329. Each place of a valid key is given values from 3329 to 4095, and 3328.
#[test]
fn coefficients_from_q_on_are_refused() {
    fn check<P: ParameterSet>() {
        let valid = key::<P>(Backend::detect()).encapsulation_key().to_bytes();
        for place in 0..256 * k::<P>() {
            let set = |value: u16| {
                let mut encoded = valid.clone();
                let pair = &mut encoded[place / 2 * 3..][..3];
                if place % 2 == 0 {
                    pair[0] = value as u8;
                    pair[1] = pair[1] & 0xf0 | (value >> 8) as u8;
                } else {
                    pair[1] = pair[1] & 0x0f | (value << 4) as u8;
                    pair[2] = (value >> 4) as u8;
                }
                encoded
            };
            let between = 3331 + (place as u16 * 31) % 764;
            for value in [3329, 3330, between, 4095] {
                let encoded = set(value);
                assert_eq!(
                    EncapsulationKey::<P>::new(&encoded).unwrap_err(),
                    InvalidKey
                );
            }
            if place % 32 == 0 {
                let encoded = set(3328);
                for backend in Backend::available() {
                    let key = EncapsulationKey::<P>::new_with_backend(backend, &encoded).unwrap();
                    assert_eq!(key.unwrap().to_bytes(), encoded);
                    let refused = EncapsulationKey::<P>::new_with_backend(backend, &set(3329));
                    assert!(refused.unwrap().is_err());
                }
            }
        }
        // Every value from q on, once.
        for value in 3329..4096u16 {
            let mut encoded = valid.clone();
            encoded[0] = value as u8;
            encoded[1] = encoded[1] & 0xf0 | (value >> 8) as u8;
            assert!(EncapsulationKey::<P>::new(&encoded).is_err());
        }
    }
    for_all_sets!(check);
}

/// RustCrypto KEMs issues 179 and 207: the hash in expanded decapsulation keys was not checked. FIPS 203, section 7.3:
/// a key whose encapsulation key and hash do not fit together is refused, whichever of both was changed. What is not
/// covered by the hash, the vector s and z, cannot be checked.
#[test]
fn expanded_keys_with_a_wrong_hash_are_refused() {
    fn check<P: ParameterSet>() {
        let valid = key::<P>(Backend::detect()).to_expanded_bytes();
        let (ek, hash, z) = (384 * k::<P>(), 768 * k::<P>() + 32, 768 * k::<P>() + 64);
        for backend in Backend::available() {
            let import = |encoded: &ExpandedDecapsulationKey<P>| {
                DecapsulationKey::<P>::from_expanded_with_backend(backend, encoded).unwrap()
            };
            for place in hash..z {
                let mut encoded = valid.clone();
                encoded[place] ^= 1 << (place % 8);
                assert_eq!(import(&encoded).unwrap_err(), InvalidKey);
            }
            // The lowest bit of a coefficient stays below q for all but one value.
            for place in (ek..hash).step_by(3 * 17) {
                let mut encoded = valid.clone();
                encoded[place] ^= 1;
                assert_eq!(import(&encoded).unwrap_err(), InvalidKey);
            }
            for place in (0..ek).step_by(3 * 61).chain(z..z + 32) {
                let mut encoded = valid.clone();
                encoded[place] ^= 1;
                assert_eq!(import(&encoded).unwrap().to_expanded_bytes(), encoded);
            }
        }
    }
    for_all_sets!(check);
}

/// A hash that fits does not help an encapsulation key that fails the modulus check.
#[test]
fn expanded_keys_with_a_bad_encapsulation_key_are_refused() {
    fn check<P: ParameterSet>() {
        let mut encoded = key::<P>(Backend::detect()).to_expanded_bytes();
        let (ek, hash) = (384 * k::<P>(), 768 * k::<P>() + 32);
        encoded[ek..ek + 2].copy_from_slice(&[0xff, 0xff]);
        let fitting = model::h(&[&encoded[ek..hash]]);
        encoded[hash..hash + 32].copy_from_slice(&fitting);
        assert_eq!(
            DecapsulationKey::<P>::from_expanded(&encoded).unwrap_err(),
            InvalidKey
        );
    }
    for_all_sets!(check);
}

/// FIPS 203, Algorithm 6: ByteDecode_12 reduces. A vector s with coefficients from q on is that with them reduced.
#[test]
fn private_coefficients_are_reduced() {
    fn check<P: ParameterSet>() {
        let dk = key::<P>(Backend::detect());
        let valid = dk.to_expanded_bytes();
        let (c, shared) = dk
            .encapsulation_key()
            .encapsulate_deterministic(&bytes(2).into());
        let mut encoded = valid.clone();
        let mut changed = 0;
        for pair in encoded[..384 * k::<P>()].chunks_exact_mut(3) {
            let value = u16::from(pair[0]) | u16::from(pair[1] & 15) << 8;
            if value < 4096 - 3329 {
                pair[0] = (value + 3329) as u8;
                pair[1] = pair[1] & 0xf0 | ((value + 3329) >> 8) as u8;
                changed += 1;
            }
        }
        assert!(changed > 20);
        for backend in Backend::available() {
            let dk = DecapsulationKey::<P>::from_expanded_with_backend(backend, &encoded);
            let dk = dk.unwrap().unwrap();
            assert_eq!(dk.decapsulate(&c), shared);
            assert_eq!(dk.to_expanded_bytes(), valid);
        }
    }
    for_all_sets!(check);
}

/// What FIPS 203 and the reference code of round 3 give for a ciphertext that is not accepted.
fn rejection(model: Model, seed: &Seed, c: &[u8]) -> Vec<u8> {
    let z = &seed[32..];
    if model.ml_kem {
        model::shake256(&[z, c], 32)
    } else {
        model::shake256(&[z, &model::h(&[c])], 32)
    }
}

fn rejects_exactly<P: ParameterSet>(model: Model) {
    let seed = Seed::from(bytes(1));
    // The comparison is one for all back ends: each byte for the one in use (each 61st under emulators, where
    // `SPARSE_TESTS` is set), each 61st for the others, from another first.
    let sparse = std::env::var_os("SPARSE_TESTS").is_some();
    for (i, backend) in Backend::available().enumerate() {
        let step = if sparse || backend != Backend::detect() {
            61
        } else {
            1
        };
        let dk = key::<P>(backend);
        let (c, shared) = dk
            .encapsulation_key()
            .encapsulate_deterministic(&bytes(2).into());
        assert_eq!(dk.decapsulate(&c), shared);
        for place in (i % step..c.len()).step_by(step).chain([c.len() - 1]) {
            let mut changed = c.clone();
            changed[place] ^= 1 << (place % 8);
            let expected = rejection(model, &seed, &changed);
            assert_eq!(
                dk.decapsulate(&changed)[..],
                expected,
                "{backend}, byte {place}"
            );
        }
    }
}

/// pqm4 issue 115: a comparison returned any non-zero number to a selection that expected 1, and the key after a
/// rejection was a mixture. post-quantum-cryptography/KAT issue 3: known-answer tests never reach the rejection, which
/// is how libcrux has another one for Kyber than the reference code. The key is exactly J(z || c), and KDF(z || H(c))
/// for Kyber, after a change of one bit in any byte of the ciphertext.
#[test]
fn rejection_is_exact() {
    rejects_exactly::<MlKem512>(model::ML_KEM_512);
    rejects_exactly::<MlKem768>(model::ML_KEM_768);
    rejects_exactly::<MlKem1024>(model::ML_KEM_1024);
    rejects_exactly::<Kyber512>(model::KYBER_512);
    rejects_exactly::<Kyber768>(model::KYBER_768);
    rejects_exactly::<Kyber1024>(model::KYBER_1024);
}

/// C2SP/CCTV's strcmp vectors: a comparison that stops at a zero byte accepts whatever follows. Here the first byte of
/// the ciphertext is zero, and only later ones are changed.
#[test]
fn comparison_goes_beyond_a_zero_byte() {
    fn check<P: ParameterSet>(model: Model) {
        let seed = Seed::from(bytes(1));
        let dk = key::<P>(Backend::detect());
        let (c, _) = (0u32..)
            .map(|i| {
                let mut m = bytes::<32>(3);
                m[..4].copy_from_slice(&i.to_le_bytes());
                dk.encapsulation_key().encapsulate_deterministic(&m.into())
            })
            .find(|(c, _)| c[0] == 0)
            .unwrap();
        for backend in Backend::available() {
            let dk = key::<P>(backend);
            for place in [1, 2, 500, c.len() - 1] {
                let mut changed = c.clone();
                changed[place] ^= 0x80;
                assert_eq!(
                    dk.decapsulate(&changed)[..],
                    rejection(model, &seed, &changed)
                );
            }
        }
    }
    check::<MlKem512>(model::ML_KEM_512);
    check::<MlKem768>(model::ML_KEM_768);
    check::<MlKem1024>(model::ML_KEM_1024);
    check::<Kyber768>(model::KYBER_768);
}

/// C2SP/CCTV's unlucky samples: with these seeds rho, an entry of the matrix takes 576, 582 and 579 bytes of SHAKE128
/// output, where 504 are the usual budget. The model reads as many as it takes.
#[test]
fn unlucky_samples() {
    fn check<P: ParameterSet>(model: Model, rho: [u8; 32]) {
        let mut encoded = key::<P>(Backend::detect()).encapsulation_key().to_bytes();
        let start = encoded.len() - 32;
        encoded[start..].copy_from_slice(&rho);
        let (c, shared) = model.encaps(&encoded, &bytes::<32>(4));
        for backend in Backend::available() {
            let ek = EncapsulationKey::<P>::new_with_backend(backend, &encoded)
                .unwrap()
                .unwrap();
            let ours = ek.encapsulate_deterministic(&bytes(4).into());
            assert_eq!(
                (&ours.0[..], &ours.1[..]),
                (&c[..], &shared[..]),
                "{backend}"
            );
        }
    }
    check::<MlKem512>(
        model::ML_KEM_512,
        hex!("fab62dd5efd3fdbb874dbbc8196ed6cb78bcf63d856024685f1524292da81947"),
    );
    check::<MlKem768>(
        model::ML_KEM_768,
        hex!("9a795daadc9cce56db4bfd02cf1893c6441a1b78f1bdd9b13626b9f21b7c6161"),
    );
    check::<MlKem1024>(
        model::ML_KEM_1024,
        hex!("38ad0b886ed7dbd5b634baadd04a970bd36fb78550cf6509660f626f879521e3"),
    );
}

/// C2SP/CCTV README, "i and j switched" (the draft of FIPS 203), ACVP-Server issue 323: the matrix was transposed. With
/// t = 0 and noise that cannot cancel, u is A^T y + e_1; the model takes its matrix from Algorithms 13 and 14 as they
/// are written, and a matrix is not its own transpose.
#[test]
fn matrix_is_not_transposed() {
    fn check<P: ParameterSet>(model: Model) {
        let mut encoded = Array::<u8, P::EncapsulationKeySize>::default();
        let start = encoded.len() - 32;
        encoded[start..].copy_from_slice(&bytes::<32>(5));
        let (c, _) = model.encaps(&encoded, &bytes::<32>(6));
        let ek = EncapsulationKey::<P>::new(&encoded).unwrap();
        assert_eq!(ek.encapsulate_deterministic(&bytes(6).into()).0[..], c);
    }
    check::<MlKem512>(model::ML_KEM_512);
    check::<MlKem768>(model::ML_KEM_768);
    check::<MlKem1024>(model::ML_KEM_1024);
}

/// SymCrypt issue 57, ianic/tls.zig issue 49 and others: an error or a panic where implicit rejection belongs. Every
/// ciphertext of the right length gives a key; other lengths are an error of the conversion.
#[test]
fn decapsulation_takes_every_ciphertext_of_the_right_length() {
    fn check<P: ParameterSet>() {
        for backend in Backend::available() {
            let dk = key::<P>(backend);
            let mut seen = Vec::new();
            for byte in [0, 0xff, 0x55, 0xaa, 0x0f, 0x80] {
                let mut c = Ciphertext::<P>::default();
                c.fill(byte);
                let shared = dk.decapsulate(&c);
                assert!(!seen.contains(&shared));
                seen.push(shared);
            }
            let right = Ciphertext::<P>::default().len();
            for len in (0..right + 40).chain([4096]) {
                assert_eq!(dk.decapsulate_slice(&vec![1; len]).is_ok(), len == right);
            }
        }
    }
    for_all_sets!(check);
}

/// libcrux e7d3bd834: a panic on a length that was not expected. Keys of any other length are an error.
#[test]
fn lengths_of_keys() {
    fn check<P: ParameterSet>() {
        let dk = key::<P>(Backend::detect());
        let (ek, expanded) = (dk.encapsulation_key().to_bytes(), dk.to_expanded_bytes());
        assert!(<EncapsulationKey<P> as TryKeyInit>::new_from_slice(&ek).is_ok());
        assert!(DecapsulationKey::<P>::from_expanded_slice(&expanded).is_ok());
        let mut long = vec![0; 4096];
        for valid in [&ek[..], &expanded[..]] {
            long[..valid.len()].copy_from_slice(valid);
            for len in (0..valid.len() + 40).chain([4096]) {
                let key = &long[..len];
                let encapsulation_key = <EncapsulationKey<P> as TryKeyInit>::new_from_slice(key);
                let decapsulation_key = DecapsulationKey::<P>::from_expanded_slice(key);
                if len != ek.len() {
                    assert_eq!(encapsulation_key.err(), Some(InvalidKey));
                }
                if len != expanded.len() {
                    assert_eq!(decapsulation_key.err(), Some(InvalidKey));
                }
                if len < 200 {
                    assert_eq!(
                        DecapsulationKey::<P>::new_from_slice(key).is_ok(),
                        len == 64
                    );
                }
            }
        }
    }
    for_all_sets!(check);
}

/// Kyber's changes on the way to FIPS 203 ("hash of shame", KDF over H(c), domain byte of G), and libraries that mixed
/// them up. Equal randomness gives different keys in both schemes; equal keys and messages give different ciphertexts
/// and shared keys; each rejects the other's ciphertexts.
#[test]
fn kyber_and_ml_kem_differ() {
    fn check<A: ParameterSet, B: ParameterSet>() {
        let (a, b) = (key::<A>(Backend::detect()), key::<B>(Backend::detect()));
        assert_ne!(
            a.encapsulation_key().to_bytes()[..],
            b.encapsulation_key().to_bytes()[..]
        );

        let same = DecapsulationKey::<B>::from_expanded_slice(&a.to_expanded_bytes()).unwrap();
        assert_eq!(
            same.encapsulation_key().to_bytes()[..],
            a.encapsulation_key().to_bytes()[..]
        );
        let m = bytes(7).into();
        let (a_c, a_shared) = a.encapsulation_key().encapsulate_deterministic(&m);
        let (b_c, b_shared) = same.encapsulation_key().encapsulate_deterministic(&m);
        assert_ne!(a_c[..], b_c[..]);
        assert_ne!(a_shared, b_shared);
        assert_ne!(same.decapsulate_slice(&a_c).unwrap(), a_shared);
        assert_ne!(a.decapsulate_slice(&b_c).unwrap(), b_shared);

        // Only the hash of the message keeps the ciphertexts apart.
        let hashed = Array::try_from(&model::h(&[&m])[..]).unwrap();
        assert_eq!(
            a.encapsulation_key().encapsulate_deterministic(&hashed).0[..],
            b_c[..]
        );
    }
    check::<MlKem512, Kyber512>();
    check::<MlKem768, Kyber768>();
    check::<MlKem1024, Kyber1024>();
}

/// RustCrypto ml-kem issue 394: `Debug` printed secrets.
#[test]
fn debug_shows_no_secret() {
    let dk = key::<MlKem768>(Backend::detect());
    assert_eq!(format!("{dk:?}"), "DecapsulationKey { .. }");
    assert_eq!(format!("{dk:#?}"), "DecapsulationKey { .. }");
    assert_eq!(
        format!("{:?}", dk.encapsulation_key()),
        "EncapsulationKey { .. }"
    );
    assert_eq!(format!("{MlKem768:?}"), "MlKem768");
}

/// Only a key that was made from a seed can give one; `to_bytes` says so in its documentation.
#[test]
#[should_panic(expected = "no seed")]
fn imported_keys_have_no_seed() {
    let dk = key::<MlKem512>(Backend::detect());
    let imported = DecapsulationKey::<MlKem512>::from_expanded(&dk.to_expanded_bytes()).unwrap();
    assert_eq!(imported.to_seed(), None);
    let _ = imported.to_bytes();
}
