//! Every back end against a slow model of the standard and against RustCrypto.

#[path = "common/forced.rs"]
#[allow(dead_code, reason = "not every hash is used here")]
mod forced;
#[path = "common/model.rs"]
mod model;

use forced::{Forced, on_every_backend};
use keccak_unrolled::digest::common::hazmat::SerializableState;
use keccak_unrolled::{
    Backend, CShake128, CShake256, CTurboShake128, CTurboShake256, CustomRefKt128, CustomRefKt256,
    CustomizedInit, Digest, ExtendableOutput, ExtendableOutputReset, Keccak224, Keccak256,
    Keccak256Full, Keccak384, Keccak512, Kmac128, KmacXof256, Kt128, Kt256, Permutation, Reset,
    Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake128xN, Shake256, Shake256xN, State1600,
    Update, XofReader, f1600, f1600_x2, f1600_x4, f1600_x8, p1600,
};
use proptest::prelude::*;

/// Bytes without a period that a rate or a lane could hide.
fn bytes(len: usize) -> Vec<u8> {
    (0..len as u64)
        .map(|i| (i * i / 3 + i * 7 + i / 251) as u8)
        .collect()
}

/// 0 to 300, then a few around each multiple of each rate, up to 4096. Under emulators, where `cargo xtask test` sets the
/// variable `SPARSE_TESTS`: every 17th, and those around two multiples of each rate.
fn lengths() -> impl Iterator<Item = usize> {
    let sparse = std::env::var_os("SPARSE_TESTS").is_some();
    (0..=4096).filter(move |len| {
        let around = |rate: &usize| {
            if sparse {
                (len + 1) % rate <= 2 && len / rate <= 2
            } else {
                (len + 2) % rate <= 4
            }
        };
        let short = if sparse { len % 17 == 0 } else { true };
        (short && *len <= 300) || [72, 104, 136, 144, 168].iter().any(around)
    })
}

/// A state that differs in every lane and for every `seed`.
fn state(seed: u64) -> State1600 {
    core::array::from_fn(|i| {
        (seed * 25 + i as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(i as u32)
    })
}

fn output(reader: &mut impl XofReader, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    reader.read(&mut out);
    out
}

#[test]
fn names() {
    assert_eq!(
        Backend::ALL.iter().map(|b| b.name()).collect::<Vec<_>>(),
        [
            "soft",
            "soft32",
            "sse2",
            "avx2",
            "avx512",
            "neon",
            "armv8_sha3",
            "armv7_neon",
            "simd128"
        ]
    );
    assert_eq!(format!("{:>6}", Backend::Soft), "  soft");
    assert!(Backend::available().any(|b| b == Backend::detect()));
    assert!(Backend::available().any(|b| b == Backend::soft()));
    for backend in Backend::ALL.iter().filter(|b| !b.is_available()) {
        println!("skipped: {backend}");
        assert!(Permutation::with_backend(*backend).is_none());
        assert!(Sha3_256::with_backend(*backend).is_none());
        assert!(Shake128::with_backend(*backend).is_none());
        assert!(Shake128xN::<4>::new_with_backend(*backend, [&[]; 4]).is_none());
    }
    for backend in Backend::available() {
        assert!(backend.parallelism().is_power_of_two() && backend.parallelism() <= 8);
        assert_eq!(
            Permutation::with_backend(backend).unwrap().backend(),
            backend
        );
        assert_eq!(Sha3_256::with_backend(backend).unwrap().backend(), backend);
        assert_eq!(
            Shake256xN::<2>::new_with_backend(backend, [&[]; 2])
                .unwrap()
                .backend(),
            backend
        );
        assert_eq!(Kt128::with_backend(backend).unwrap().backend(), backend);
        assert_eq!(
            CustomRefKt256::new_with_backend(backend, b"")
                .unwrap()
                .backend(),
            backend
        );
    }
}

/// Any number of rounds; 12 and 24 are what the standards use.
#[test]
fn permutation_is_the_model() {
    fn check<const ROUNDS: usize>() {
        let mut expected = state(ROUNDS as u64);
        model::keccak_p(&mut expected, ROUNDS);
        for backend in Backend::available() {
            let mut actual = state(ROUNDS as u64);
            Permutation::with_backend(backend)
                .unwrap()
                .p1600::<ROUNDS>(&mut actual);
            assert_eq!(actual, expected, "{backend}, {ROUNDS} rounds");
        }
        let mut actual = state(ROUNDS as u64);
        p1600::<ROUNDS>(&mut actual);
        assert_eq!(actual, expected);
    }
    check::<0>();
    check::<1>();
    check::<2>();
    check::<3>();
    check::<11>();
    check::<12>();
    check::<13>();
    check::<23>();
    check::<24>();
}

#[test]
fn parallel_states_are_single_states() {
    fn check<const N: usize>(permute: impl Fn(&mut [State1600; N]), name: &str) {
        let mut states = core::array::from_fn(|i| state(i as u64));
        let expected = states.map(|mut state| {
            model::keccak_p(&mut state, 24);
            state
        });
        permute(&mut states);
        assert_eq!(states, expected, "{name}, {N} states");
    }
    for backend in Backend::available() {
        let permutation = Permutation::with_backend(backend).unwrap();
        check::<1>(|[state]| permutation.f1600(state), backend.name());
        check(|states| permutation.f1600_x2(states), backend.name());
        check(|states| permutation.f1600_x4(states), backend.name());
        check(|states| permutation.f1600_x8(states), backend.name());
        check::<3>(
            |states| permutation.p1600_xn::<24, 3>(states),
            backend.name(),
        );
    }
    check::<1>(|[state]| f1600(state), "automatic");
    check(f1600_x2, "automatic");
    check(f1600_x4, "automatic");
    check(f1600_x8, "automatic");
}

macro_rules! fixed_output {
    ($($test:ident: $ours:ident, $theirs:ident, $rate:literal, $suffix:literal;)*) => {$(
        #[test]
        fn $test() {
            let message = bytes(4096);
            for len in lengths() {
                let expected = <sha3::$theirs as Digest>::digest(&message[..len]);
                if len <= 2 * $rate && expected.len() <= $rate {
                    assert_eq!(expected[..], model::sponge($rate, 24, &message[..len], $suffix, expected.len()));
                }
                for backend in Backend::available() {
                    let mut hasher = $ours::with_backend(backend).unwrap().chain_update(&message[..len]);
                    assert_eq!(hasher.clone().finalize(), expected, "{backend} {len}");
                    assert_eq!(hasher.finalize_reset(), expected, "{backend} {len}");
                    // Again after the reset, in two pieces.
                    Update::update(&mut hasher, &message[..len / 3]);
                    Update::update(&mut hasher, &message[len / 3..len]);
                    assert_eq!(hasher.finalize(), expected, "{backend} {len}");
                }
            }
        }
    )*};
}

fixed_output!(
    sha3_224: Sha3_224, Sha3_224, 144, 0x06;
    sha3_256: Sha3_256, Sha3_256, 136, 0x06;
    sha3_384: Sha3_384, Sha3_384, 104, 0x06;
    sha3_512: Sha3_512, Sha3_512, 72, 0x06;
    keccak224: Keccak224, Keccak224, 144, 0x01;
    keccak256: Keccak256, Keccak256, 136, 0x01;
    keccak384: Keccak384, Keccak384, 104, 0x01;
    keccak512: Keccak512, Keccak512, 72, 0x01;
    keccak256_full: Keccak256Full, Keccak256Full, 136, 0x01;
);

macro_rules! extendable_output {
    ($($test:ident: $ours:ty, $theirs:ty, $rate:literal, $rounds:literal, $suffix:literal;)*) => {$(
        #[test]
        fn $test() {
            let message = bytes(4096);
            for len in lengths() {
                // The length of the output runs the other way.
                let mut expected = vec![0; (4096 - len) % 1024];
                <$theirs>::digest_xof(&message[..len], &mut expected);
                if len <= 2 * $rate {
                    let model = model::sponge($rate, $rounds, &message[..len], $suffix, expected.len());
                    assert_eq!(expected, model);
                }
                for backend in Backend::available() {
                    let mut hasher = <$ours>::with_backend(backend).unwrap().chain(&message[..len]);
                    let mut reader = hasher.clone().finalize_xof();
                    assert_eq!(output(&mut reader, expected.len()), expected, "{backend} {len}");
                    let mut reader = hasher.finalize_xof_reset();
                    let split = len.min(expected.len());
                    let mut actual = output(&mut reader, split);
                    actual.extend(output(&mut reader, expected.len() - split));
                    assert_eq!(actual, expected, "{backend} {len}");
                    hasher.update(b"something else");
                    hasher.reset();
                    hasher.update(&message[..len]);
                    let mut reader = hasher.finalize_xof();
                    assert_eq!(output(&mut reader, expected.len()), expected, "{backend} {len}");
                }
            }
        }
    )*};
}

extendable_output!(
    shake128: Shake128, shake::Shake128, 168, 24, 0x1f;
    shake256: Shake256, shake::Shake256, 136, 24, 0x1f;
    turboshake128: CTurboShake128<0x1f>, turboshake::CTurboShake128<0x1f>, 168, 12, 0x1f;
    turboshake256: CTurboShake256<0x1f>, turboshake::CTurboShake256<0x1f>, 136, 12, 0x1f;
    turboshake128_low: CTurboShake128<0x01>, turboshake::CTurboShake128<0x01>, 168, 12, 0x01;
    turboshake256_high: CTurboShake256<0x7f>, turboshake::CTurboShake256<0x7f>, 136, 12, 0x7f;
);

/// Names of every length around the rates, against RustCrypto; with a function name too.
#[test]
fn cshake() {
    let message = bytes(500);
    for len in (0..=400).chain([1000, 1344, 8191, 8192, 8193]) {
        let customization = bytes(len);
        for function in [&b""[..], b"KMAC", &message[..len % 300]] {
            let (mut expected, mut actual) = ([0; 200], [0; 200]);
            for backend in Backend::available() {
                cshake::CShake128::new_with_function_name(function, &customization)
                    .chain(&message[..len % 500])
                    .finalize_xof_into(&mut expected);
                CShake128::new_with_backend(backend, function, &customization)
                    .unwrap()
                    .chain(&message[..len % 500])
                    .finalize_xof_into(&mut actual);
                assert_eq!(actual, expected, "{backend} {len}");
                cshake::CShake256::new_with_function_name(function, &customization)
                    .chain(&message[..len % 500])
                    .finalize_xof_into(&mut expected);
                CShake256::new_with_backend(backend, function, &customization)
                    .unwrap()
                    .chain(&message[..len % 500])
                    .finalize_xof_into(&mut actual);
                assert_eq!(actual, expected, "{backend} {len}");
            }
        }
    }
    // Without names it is SHAKE.
    let (mut expected, mut actual) = ([0; 200], [0; 200]);
    Shake128::digest_xof(&message, &mut expected);
    CShake128::digest_xof(&message, &mut actual);
    assert_eq!(actual, expected);
    assert_eq!(
        format!("{:?}", CShake256::new_customized(b"")),
        "CShake256 { .. }"
    );
}

/// KMAC is cSHAKE of a padded key, the message and the length (SP 800-185, section 4.3): built here by hand on the
/// cSHAKE of RustCrypto, for keys around the rate.
#[test]
fn kmac_is_its_definition_on_cshake() {
    fn pad(key: &[u8], rate: usize) -> Vec<u8> {
        let mut padded = vec![1, rate as u8];
        let bits = 8 * key.len();
        if bits < 256 {
            padded.extend([1, bits as u8]);
        } else {
            padded.extend([2, (bits >> 8) as u8, bits as u8]);
        }
        padded.extend(key);
        padded.resize(padded.len().next_multiple_of(rate), 0);
        padded
    }
    let message = bytes(1000);
    for len in (0..=40).chain(120..=180).chain([300, 1000]) {
        let key = bytes(len);
        for backend in Backend::available() {
            let (mut expected, mut tag) = (vec![0; len], vec![0; len]);
            let bits = 8 * len;
            let bits = if bits < 256 {
                vec![bits as u8, 1]
            } else {
                vec![(bits >> 8) as u8, bits as u8, 2]
            };
            cshake::CShake128::new_with_function_name(b"KMAC", b"custom")
                .chain(pad(&key, 168))
                .chain(&message[..1000 - len])
                .chain(bits)
                .finalize_xof_into(&mut expected);
            let mac = Kmac128::new_with_backend(backend, &key, b"custom")
                .unwrap()
                .chain(&message[..1000 - len]);
            mac.clone().finalize_variable(&mut tag);
            assert_eq!(tag, expected, "{backend} {len}");
            assert_eq!(
                mac.clone().verify_variable(&tag).is_ok(),
                len != 0,
                "{backend} {len}"
            );
            for i in 0..len {
                tag[i] ^= 0x40;
                assert!(
                    mac.clone().verify_variable(&tag).is_err(),
                    "{backend} {len}, byte {i}"
                );
                tag[i] ^= 0x40;
            }

            let (mut expected, mut actual) = ([0; 300], [0; 300]);
            cshake::CShake256::new_with_function_name(b"KMAC", b"custom")
                .chain(pad(&key, 136))
                .chain(&message[..len])
                .chain([0, 1])
                .finalize_xof_into(&mut expected);
            KmacXof256::new_with_backend(backend, &key, b"custom")
                .unwrap()
                .chain(&message[..len])
                .finalize_xof_into(&mut actual);
            assert_eq!(actual, expected, "{backend} {len}");
        }
    }
}

/// Around each chunk's end, in one piece and in pieces that fill chunks, cross them and leave them.
#[test]
fn kangarootwelve() {
    let message = bytes(12 * 8192 + 10);
    let around = |n: usize| [8192 * n - 2, 8192 * n - 1, 8192 * n, 8192 * n + 1];
    for len in [0, 1, 167, 168, 169, 5000]
        .into_iter()
        .chain([1, 2, 3, 8, 9, 12].into_iter().flat_map(around))
    {
        let message = &message[..len];
        let customization = &message[..len / 13];
        let (mut expected, mut customized) = ([[0; 100]; 2], [[0; 100]; 2]);
        k12::Kt128::digest_xof(message, &mut expected[0]);
        k12::Kt256::digest_xof(message, &mut expected[1]);
        k12::CustomRefKt128::new_customized(customization)
            .chain(message)
            .finalize_xof_into(&mut customized[0]);
        k12::CustomRefKt256::new_customized(customization)
            .chain(message)
            .finalize_xof_into(&mut customized[1]);
        for backend in Backend::available() {
            for piece in [100_000, 8192, 3000] {
                let mut actual = [[0; 100]; 2];
                let mut kt128 = Kt128::with_backend(backend).unwrap();
                let mut kt256 = CustomRefKt256::new_with_backend(backend, b"").unwrap();
                for part in message.chunks(piece) {
                    kt128.update(part);
                    kt256.update(part);
                }
                kt128.clone().finalize_xof_into(&mut actual[0]);
                kt256.finalize_xof_reset_into(&mut actual[1]);
                assert_eq!(actual, expected, "{backend} {len} {piece}");

                let mut kt256 = Kt256::with_backend(backend).unwrap();
                for part in message.chunks(piece) {
                    kt256.update(part);
                }
                kt128
                    .finalize_xof_customized_reset(customization)
                    .read(&mut actual[0]);
                kt256
                    .finalize_xof_customized(customization)
                    .read(&mut actual[1]);
                assert_eq!(actual, customized, "{backend} {len} {piece}");

                kt128.update(message);
                kt128.finalize_xof_reset_into(&mut actual[0]);
                assert_eq!(actual[0], expected[0], "{backend} {len}, after a reset");
                let mut kt128 = CustomRefKt128::new_with_backend(backend, customization).unwrap();
                kt128.update(b"something else");
                kt128.reset();
                kt128.chain(message).finalize_xof_into(&mut actual[0]);
                assert_eq!(actual[0], customized[0], "{backend} {len}, after a reset");
            }
        }
    }
}

/// `N` messages of one length are as many SHAKEs, however their output is asked for.
#[test]
fn shake_xn() {
    fn check<const N: usize, const L: usize>(backend: Backend) {
        let messages: [[u8; L]; N] =
            core::array::from_fn(|i| core::array::from_fn(|j| (i * 83 + j * j + j / 7) as u8));
        macro_rules! rate {
            ($parallel:ident, $single:ident) => {{
                const RATE: usize = $parallel::<2>::RATE;
                let mut parallel =
                    $parallel::<N>::new_with_backend(backend, messages.each_ref()).unwrap();
                let mut singles = messages.map(|m| {
                    $single::with_backend(backend)
                        .unwrap()
                        .chain(m)
                        .finalize_xof()
                });
                macro_rules! squeeze {
                    ($len:literal) => {
                        let mut actual = [[0; $len]; N];
                        parallel.squeeze(actual.each_mut());
                        for (single, actual) in singles.iter_mut().zip(&actual) {
                            assert_eq!(&output(single, $len), actual, "{backend} {N} {L}");
                        }
                    };
                }
                squeeze!(3);
                squeeze!(0);
                squeeze!(133);
                squeeze!(504);
                squeeze!(136);
                squeeze!(168);
                // By the block, which begins anew after the middle of one.
                let mut skipped = 0;
                for _ in 0..2 {
                    let mut seen = 0;
                    // 3 + 133 + 504 + 136 + 168 bytes have been read, by singles too.
                    let rest = (RATE - (944 + skipped) % RATE) % RATE;
                    skipped += rest + RATE;
                    for single in &mut singles {
                        output(single, rest);
                    }
                    parallel.squeeze_blocks(|i, block| {
                        assert_eq!(i, seen, "{backend} {N} {L}");
                        assert_eq!(output(&mut singles[i], RATE), block, "{backend} {N} {L}");
                        seen += 1;
                    });
                    assert_eq!(seen, N);
                }
                squeeze!(7);
                // A clone goes on by itself.
                let mut twin = parallel.clone();
                let (mut one, mut other) = ([[0; 77]; N], [[0; 77]; N]);
                parallel.squeeze(one.each_mut());
                twin.squeeze(other.each_mut());
                assert_eq!(one, other);
                // Other messages instead.
                let mut again = $parallel::<N>::with_backend(backend).unwrap();
                assert_eq!(again.backend(), backend);
                for (message, copies) in [(&b""[..], None), (&messages[0][..], Some(messages[0]))] {
                    if let Some(copy) = copies {
                        again.absorb([&copy; N]);
                    }
                    let mut expected = [0; 200];
                    $single::digest_xof(message, &mut expected);
                    let mut actual = [[0; 200]; N];
                    again.squeeze(actual.each_mut());
                    assert_eq!(actual, [expected; N], "{backend} {N} {L}");
                }
                let mut automatic = [[0; 5]; N];
                $parallel::<N>::new(messages.each_ref()).squeeze(automatic.each_mut());
                for (message, actual) in messages.iter().zip(&automatic) {
                    let mut expected = [0; 5];
                    $single::digest_xof(message, &mut expected);
                    assert_eq!(actual, &expected);
                }
            }};
        }
        rate!(Shake128xN, Shake128);
        rate!(Shake256xN, Shake256);
    }
    fn check_lengths<const N: usize>() {
        for backend in Backend::available() {
            check::<N, 0>(backend);
            check::<N, 33>(backend);
            check::<N, 34>(backend);
            check::<N, 135>(backend);
            check::<N, 136>(backend);
            check::<N, 167>(backend);
            check::<N, 168>(backend);
            check::<N, 1184>(backend);
        }
    }
    check_lengths::<2>();
    check_lengths::<4>();
    check_lengths::<8>();
}

/// The same with lengths that only run time knows.
#[test]
fn shake_xn_of_slices() {
    let data = bytes(600);
    for backend in Backend::available() {
        let mut parallel = Shake256xN::<4>::with_backend(backend).unwrap();
        for len in [0, 1, 33, 135, 136, 137, 500] {
            let messages: [_; 4] = core::array::from_fn(|i| &data[7 * i..][..len]);
            parallel.absorb_slices(messages);
            let mut actual = [const { [0; 400] }; 4];
            let [a, b, c, d] = &mut actual;
            parallel.squeeze_slices([a, b, c, d].map(|output| &mut output[..len % 200]));
            let [a, b, c, d] = &mut actual;
            parallel.squeeze_slices([a, b, c, d].map(|output| &mut output[len % 200..]));
            for (message, actual) in messages.iter().zip(actual) {
                let mut expected = [0; 400];
                shake::Shake256::digest_xof(message, &mut expected);
                assert_eq!(actual, expected, "{backend} {len}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "messages of one length")]
fn unequal_messages_panic() {
    Shake128xN::<2>::default().absorb_slices([b"one", b"three"]);
}

#[test]
#[should_panic(expected = "outputs of one length")]
fn unequal_outputs_panic() {
    Shake128xN::<2>::default().squeeze_slices([&mut [0; 3], &mut [0; 4]]);
}

/// Batches of every size up to 20, of equal and of unequal lengths.
#[test]
fn batches() {
    let data = bytes(2000);
    for count in 0..=20 {
        for unequal in [0, 1, 97] {
            let messages: Vec<&[u8]> = (0..count)
                .map(|i| &data[i..][..100 + unequal * (7 * i % 17)])
                .collect();
            for backend in Backend::available() {
                macro_rules! check {
                    ($hash:ident, $len:literal) => {
                        let mut digests = vec![[0; $len]; count];
                        $hash::digest_batch_with_backend(backend, &messages, &mut digests).unwrap();
                        let mut automatic = vec![[0; $len]; count];
                        $hash::digest_batch(&messages, &mut automatic);
                        assert_eq!(automatic, digests);
                        for (message, digest) in messages.iter().zip(&digests) {
                            assert_eq!(
                                sha3::$hash::digest(message)[..],
                                digest[..],
                                "{backend} {count} {unequal}"
                            );
                        }
                    };
                }
                check!(Sha3_224, 28);
                check!(Sha3_256, 32);
                check!(Sha3_384, 48);
                check!(Sha3_512, 64);
                check!(Keccak224, 28);
                check!(Keccak256, 32);
                check!(Keccak384, 48);
                check!(Keccak512, 64);
            }
        }
    }
}

/// One batch of messages that end around the ends of blocks, all different, for each rate: the lanes of a group need
/// different numbers of permutations, and groups begin with any of the lengths.
#[test]
fn batches_around_the_rates() {
    macro_rules! check {
        ($($hash:ident, $rate:literal, $len:literal;)*) => {$({
            const R: usize = $rate;
            let lengths = [2 * R, R - 1, 0, R, 2 * R + 1, 1, R + 1, 3 * R, 2 * R - 1, R - 8, 5 * R - 1];
            let data = bytes(100 + 5 * R);
            for first in 0..lengths.len() {
                let messages: Vec<&[u8]> = (first..first + 19)
                    .map(|i| &data[5 * (i - first)..][..lengths[i % lengths.len()]])
                    .collect();
                for backend in Backend::available() {
                    let mut digests = [[0; $len]; 19];
                    $hash::digest_batch_with_backend(backend, &messages, &mut digests).unwrap();
                    for (message, digest) in messages.iter().zip(&digests) {
                        let expected = sha3::$hash::digest(message);
                        assert_eq!(expected[..], digest[..], "{backend} {R} {}", message.len());
                    }
                }
            }
        })*};
    }
    check! {
        Sha3_512, 72, 64;
        Sha3_384, 104, 48;
        Sha3_256, 136, 32;
        Keccak256, 136, 32;
        Sha3_224, 144, 28;
    }
}

#[test]
#[should_panic(expected = "one digest for each message")]
fn batch_without_room_panics() {
    Sha3_256::digest_batch(&[b"one", b"two"], &mut [[0; 32]]);
}

/// The serialized state is that of RustCrypto, and is the same whatever back end wrote it.
#[test]
fn serialized_states() {
    let message = bytes(300);
    for len in 0..=300 {
        let theirs = sha3::Sha3_256::new().chain_update(&message[..len]);
        let expected = SerializableState::serialize(&theirs);
        for backend in Backend::available() {
            let hasher = Sha3_256::with_backend(backend)
                .unwrap()
                .chain_update(&message[..len]);
            assert_eq!(hasher.serialize(), expected, "{backend} {len}");
        }
        let hasher = Sha3_256::deserialize(&expected)
            .unwrap()
            .chain_update(&message);
        assert_eq!(
            hasher.finalize(),
            theirs.chain_update(&message).finalize(),
            "{len}"
        );
    }
    let mut state = Sha3_256::new().serialize();
    for position in 136..=255 {
        *state.last_mut().unwrap() = position;
        assert!(Sha3_256::deserialize(&state).is_err(), "{position}");
    }
}

/// What names a user sees, and that `Debug` tells nothing.
#[test]
fn algorithm_names() {
    use keccak_unrolled::digest::common::AlgorithmName;
    use keccak_unrolled::{CTurboShake128, Kmac256, KmacXof128, SpongeReader};

    struct Name<T>(core::marker::PhantomData<T>);
    impl<T: AlgorithmName> core::fmt::Display for Name<T> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            T::write_alg_name(f)
        }
    }
    fn name<T: AlgorithmName>() -> String {
        Name::<T>(core::marker::PhantomData).to_string()
    }
    assert_eq!(name::<Sha3_256>(), name::<sha3::Sha3_256>());
    assert_eq!(name::<Keccak256Full>(), name::<sha3::Keccak256Full>());
    assert_eq!(name::<Shake128>(), name::<shake::Shake128>());
    assert_eq!(name::<CShake256>(), name::<cshake::CShake256>());
    assert_eq!(
        name::<CTurboShake128<3>>(),
        name::<turboshake::CTurboShake128<3>>()
    );
    assert_eq!(name::<Kt256>(), name::<k12::Kt256>());
    assert_eq!(
        name::<CustomRefKt128<'_>>(),
        name::<k12::CustomRefKt128<'_>>()
    );
    assert_eq!(name::<Kmac256>(), "KMAC256");
    assert_eq!(name::<KmacXof128>(), "KMACXOF128");

    assert_eq!(format!("{:?}", Sha3_512::new()), "Sha3_512 { .. }");
    assert_eq!(format!("{:?}", Shake256::default()), "Shake256 { .. }");
    assert_eq!(
        format!("{:?}", CTurboShake128::<9>::default()),
        "TurboShake128 { .. }"
    );
    assert_eq!(format!("{:?}", Kt128::default()), "Kt128 { .. }");
    assert_eq!(
        format!("{:?}", CustomRefKt256::new_customized(b"")),
        "CustomRefKt256 { .. }"
    );
    assert_eq!(
        format!("{:?}", Kmac256::new_customized(b"key", b"")),
        "Kmac256 { .. }"
    );
    assert_eq!(
        format!("{:?}", Shake128xN::new([b"a", b"b"])),
        "Shake128x2 { .. }"
    );
    let reader: SpongeReader<168, 24> = Shake128::default().finalize_xof();
    assert_eq!(format!("{reader:?}"), "SpongeReader { .. }");
}

/// `hmac`, `hkdf` and `pbkdf2` give with our hashes what they give with `sha3`.
#[test]
fn users_of_digests() {
    use hkdf::{Hkdf, SimpleHkdf};
    use hmac::{Hmac, HmacReset, KeyInit, Mac, SimpleHmac};

    on_every_backend(|backend| {
        let mut keys = ([0; 100], [0; 100], [0; 100]);
        Hkdf::<Forced<Sha3_256>>::new(Some(b"salt"), b"secret")
            .expand(b"info", &mut keys.0)
            .unwrap();
        SimpleHkdf::<Forced<Sha3_256>>::new(Some(b"salt"), b"secret")
            .expand(b"info", &mut keys.1)
            .unwrap();
        SimpleHkdf::<sha3::Sha3_256>::new(Some(b"salt"), b"secret")
            .expand(b"info", &mut keys.2)
            .unwrap();
        assert_eq!(keys.0, keys.2, "{backend}");
        assert_eq!(keys.1, keys.2, "{backend}");

        pbkdf2::pbkdf2_hmac::<Forced<Sha3_512>>(b"password", b"salt", 3, &mut keys.0);
        pbkdf2::pbkdf2::<SimpleHmac<sha3::Sha3_512>>(b"password", b"salt", 3, &mut keys.1).unwrap();
        assert_eq!(keys.0, keys.1, "{backend}");

        let message = bytes(1000);
        for len in (0..=300).chain([999]) {
            let expected = SimpleHmac::<sha3::Keccak256>::new_from_slice(&message[..len]).unwrap();
            let expected = expected.chain_update(&message[len..]).finalize();
            let mut mac = HmacReset::<Forced<Keccak256>>::new_from_slice(&message[..len]).unwrap();
            for part in message[len..].chunks(137) {
                Mac::update(&mut mac, part);
            }
            assert_eq!(
                mac.finalize_reset().into_bytes(),
                expected.clone().into_bytes(),
                "{backend} {len}"
            );
            Mac::update(&mut mac, &message[len..]);
            assert_eq!(
                mac.finalize().into_bytes(),
                expected.clone().into_bytes(),
                "{backend} {len}"
            );
            let mac = Hmac::<Forced<Keccak256>>::new_from_slice(&message[..len])
                .unwrap()
                .chain_update(&message[len..]);
            assert_eq!(
                mac.finalize().into_bytes(),
                expected.into_bytes(),
                "{backend} {len}"
            );
        }
    });
}

/// The closure interface is that of `keccak`.
#[cfg(feature = "hazmat")]
#[test]
fn closures() {
    use keccak_unrolled::hazmat;

    struct Parallel<'a>(&'a mut [State1600]);
    impl hazmat::BackendClosure for Parallel<'_> {
        fn call_once<B: hazmat::Backend>(self) {
            use keccak_unrolled::digest::array::Array;
            let (groups, rest) = Array::slice_as_chunks_mut(self.0);
            let (permute, permute_one) = (B::get_par_p1600::<12>(), B::get_p1600::<12>());
            groups.iter_mut().for_each(permute);
            rest.iter_mut().for_each(permute_one);
        }
    }

    for backend in Backend::available() {
        let keccak = hazmat::Keccak::new_with_backend(backend).unwrap();
        let (mut ours, mut theirs) = (state(1), state(1));
        keccak.with_f1600(|f1600| f1600(&mut ours));
        keccak::Keccak::new().with_f1600(|f1600| f1600(&mut theirs));
        assert_eq!(ours, theirs, "{backend}");
        keccak.with_p1600::<7>(|p1600| p1600(&mut ours));
        keccak::Keccak::new().with_p1600::<7>(|p1600| p1600(&mut theirs));
        assert_eq!(ours, theirs, "{backend}");

        let mut states: Vec<_> = (0..19).map(state).collect();
        keccak.with_backend(Parallel(&mut states));
        for (i, actual) in states.iter().enumerate() {
            let mut expected = state(i as u64);
            model::keccak_p(&mut expected, 12);
            assert_eq!(actual, &expected, "{backend} {i}");
        }
    }
}

/// What a program may do with a hasher.
#[derive(Clone, Debug)]
enum Step {
    Update(usize),
    Clone,
    Reset,
}

fn program() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (0..600_usize).prop_map(Step::Update),
        1 => Just(Step::Clone),
        1 => Just(Step::Reset),
    ];
    prop::collection::vec(step, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Random programs of updates, clones and resets, then of reads and clones of the reader.
    #[test]
    fn random_programs(steps in program(), reads in prop::collection::vec(0..500_usize, 0..8)) {
        let data = bytes(600);
        for backend in Backend::available() {
            let mut hasher = Shake256::with_backend(backend).unwrap();
            let mut kt = Kt128::with_backend(backend).unwrap();
            let mut sha3 = Sha3_384::with_backend(backend).unwrap();
            let mut message = vec![];
            for step in &steps {
                match step {
                    Step::Update(len) => {
                        hasher.update(&data[..*len]);
                        kt.update(&data[..*len]);
                        Update::update(&mut sha3, &data[..*len]);
                        message.extend(&data[..*len]);
                    }
                    Step::Clone => {
                        (hasher, kt, sha3) = (hasher.clone(), kt.clone(), sha3.clone());
                    }
                    Step::Reset => {
                        Reset::reset(&mut hasher);
                        Reset::reset(&mut kt);
                        Reset::reset(&mut sha3);
                        message.clear();
                    }
                }
            }
            let (mut shake_out, mut kt_out) = (vec![0; reads.iter().sum()], vec![0; reads.iter().sum()]);
            shake::Shake256::digest_xof(&message, &mut shake_out);
            k12::Kt128::digest_xof(&message, &mut kt_out);
            let (mut shake_reader, mut kt_reader) = (hasher.finalize_xof(), kt.finalize_xof());
            let mut done = 0;
            for &read in &reads {
                let mut twin = shake_reader.clone();
                prop_assert_eq!(&output(&mut shake_reader, read), &shake_out[done..][..read]);
                prop_assert_eq!(&output(&mut twin, read), &shake_out[done..][..read]);
                prop_assert_eq!(&output(&mut kt_reader, read), &kt_out[done..][..read]);
                done += read;
            }
            prop_assert_eq!(&sha3.finalize()[..], &sha3::Sha3_384::digest(&message)[..]);
        }
    }
}
