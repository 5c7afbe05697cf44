//! Public bugs of other implementations that must not recur here.
//!
//! Not here: operands of `asm!` that are narrower than their registers (RustCrypto/sponges#103), since the one block of
//! assembly that takes arguments is a function for 32-bit Arm, whose arguments fill their registers; and the arithmetic of
//! positions and of encoded lengths at the end of their range, which unit tests in `src` cover where the functions are private.

#[path = "common/model.rs"]
#[allow(dead_code, reason = "the sponge is for the other tests")]
mod model;

use keccak_unrolled::{
    Backend, CShake128, CShake256, Digest, ExtendableOutput, ExtendableOutputReset, Kmac128,
    Kmac256, Kt128, Kt256, Permutation, Reset, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128,
    Shake128xN, Shake256, Shake256xN, State1600, TurboShake128, Update, XofReader,
};

/// Bytes that tell positions apart: never all zero or all FF.
fn counter(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i ^ ((i >> 8) * 31) ^ 0x5a) as u8)
        .collect()
}

/// CVE-2022-37454 (XKCP, Python, PHP and others): the sum of the bytes waiting in the block and the length of
/// the next update overflowed 32 bits. The sum itself is tested as a pure function beside it; here one byte
/// waits while much more comes in one call, and what is expected is the digest by RustCrypto.
#[test]
fn one_byte_then_a_long_update() {
    // A sixteenth under emulators, where `cargo xtask test` sets this variable.
    let sparse = std::env::var_os("SPARSE_TESTS").is_some();
    let message = counter((4 << if sparse { 16 } else { 20 }) + 1);
    let expected = sha3::Sha3_512::digest(&message);
    for backend in Backend::available() {
        let mut hasher = Sha3_512::with_backend(backend).unwrap();
        Update::update(&mut hasher, &message[..1]);
        Update::update(&mut hasher, &message[1..]);
        assert_eq!(hasher.finalize(), expected, "{backend}");
    }
}

/// The same with the lengths of the proof of concept, one byte and then 2^32 - 1, beside RustCrypto on pieces of a mebibyte.
/// It takes up to a minute, and address space rather than memory: in optimised builds only, and not under emulators.
#[cfg(all(target_pointer_width = "64", not(debug_assertions)))]
#[test]
fn one_byte_then_an_update_that_overflows_32_bits() {
    if std::env::var_os("SPARSE_TESTS").is_some() {
        println!("left out: an update of 4 GiB takes too long here");
        return;
    }
    let zeros = vec![0; u32::MAX as usize];
    let mut theirs = turboshake::TurboShake128::default();
    theirs.update(&[0x5a]);
    for piece in zeros.chunks(1 << 20) {
        theirs.update(piece);
    }
    let mut expected = [0; 64];
    theirs.finalize_xof_into(&mut expected);
    for backend in Backend::available() {
        let mut hasher = TurboShake128::with_backend(backend).unwrap();
        hasher.update(&[0x5a]);
        hasher.update(&zeros);
        let mut actual = [0; 64];
        hasher.finalize_xof_into(&mut actual);
        assert_eq!(actual, expected, "{backend}");
    }
}

/// libcrux 1e1f4fe6a: `xar` was emulated wrongly for one of its rotations. One round on a state with a single bit, for every
/// bit, shows each rotation of each number of states at once by itself.
#[test]
fn every_rotation_of_every_bit() {
    fn check<const N: usize>(permutation: Permutation) {
        for bit in 0..1600_usize.div_ceil(N) {
            let bits: [usize; N] = core::array::from_fn(|i| (bit * N + i) % 1600);
            let mut states = bits.map(|bit| {
                let mut state: State1600 = [0; 25];
                state[bit / 64] = 1 << (bit % 64);
                state
            });
            let expected = states.map(|mut state| {
                model::keccak_p(&mut state, 1);
                state
            });
            permutation.p1600_xn::<1, N>(&mut states);
            assert_eq!(states, expected, "{}, bits {bits:?}", permutation.backend());
        }
    }
    for backend in Backend::available() {
        let permutation = Permutation::with_backend(backend).unwrap();
        check::<1>(permutation);
        check::<2>(permutation);
        check::<4>(permutation);
        check::<8>(permutation);
    }
}

/// Lengths around the ends of blocks and of lanes.
fn around(rate: usize) -> [usize; 10] {
    [
        0,
        1,
        7,
        8,
        rate - 1,
        rate,
        rate + 1,
        2 * rate - 1,
        2 * rate,
        2 * rate + 1,
    ]
}

/// Every way to cut a little more than two blocks in two, then all triples of lengths around the ends of blocks.
fn splits(rate: usize) -> Vec<[usize; 3]> {
    let total = 2 * rate + 9;
    let mut splits: Vec<_> = (0..=total).map(|a| [a, total - a, 0]).collect();
    for a in around(rate) {
        for b in around(rate) {
            splits.extend(around(rate).map(|c| [a, b, c]));
        }
    }
    splits
}

/// RUSTSEC-2026-0074 (libcrux #1352): an incremental squeeze of more than a block lost the first block. Every split
/// must give the prefix of the output that RustCrypto gives at once.
#[test]
fn every_split_of_a_squeeze() {
    macro_rules! check {
        ($ours:ident, $theirs:ty, $rate:literal) => {
            let mut expected = [0; 6 * $rate + 3];
            <$theirs>::digest_xof(b"every split", &mut expected);
            for backend in Backend::available() {
                let reader = $ours::with_backend(backend)
                    .unwrap()
                    .chain(b"every split")
                    .finalize_xof();
                for [a, b, c] in splits($rate) {
                    let mut reader = reader.clone();
                    let mut out = [0; 6 * $rate + 3];
                    reader.read(&mut out[..a]);
                    reader.read(&mut out[a..a + b]);
                    reader.read(&mut out[a + b..a + b + c]);
                    let len = a + b + c;
                    assert_eq!(out[..len], expected[..len], "{backend}: {a}, {b}, {c}");
                }
            }
        };
    }
    check!(Shake128, shake::Shake128, 168);
    check!(Shake256, shake::Shake256, 136);
    check!(TurboShake128, turboshake::TurboShake128, 168);
    check!(Kt256, k12::Kt256, 136);
}

/// The same for the absorbing side, of each rate.
#[test]
fn every_split_of_an_absorb() {
    macro_rules! check {
        ($ours:ident, $digest:expr, $rate:literal) => {
            let message = counter(6 * $rate + 3);
            let digests: Vec<_> = (0..=message.len())
                .map(|len| $digest(&message[..len]))
                .collect();
            for backend in Backend::available() {
                for [a, b, c] in splits($rate) {
                    let mut hasher = $ours::with_backend(backend).unwrap();
                    Update::update(&mut hasher, &message[..a]);
                    Update::update(&mut hasher, &message[a..a + b]);
                    Update::update(&mut hasher, &message[a + b..a + b + c]);
                    let expected = &digests[a + b + c];
                    let mut digest = expected.clone();
                    digest.fill(0);
                    finish(hasher, &mut digest);
                    assert_eq!(&digest, expected, "{backend}, {}: {a}, {b}, {c}", $rate);
                }
            }
        };
    }
    {
        fn finish(hasher: impl Digest, digest: &mut [u8]) {
            digest.copy_from_slice(&hasher.finalize());
        }
        check!(Sha3_512, sha3::Sha3_512::digest, 72);
        check!(Sha3_384, sha3::Sha3_384::digest, 104);
        check!(Sha3_256, sha3::Sha3_256::digest, 136);
        check!(Sha3_224, sha3::Sha3_224::digest, 144);
    }
    fn finish(hasher: impl ExtendableOutput, digest: &mut [u8]) {
        hasher.finalize_xof_into(digest);
    }
    fn shake128(message: &[u8]) -> [u8; 32] {
        let mut digest = [0; 32];
        shake::Shake128::digest_xof(message, &mut digest);
        digest
    }
    check!(Shake128, shake128, 168);
}

/// OpenJDK 8320192: SHAKE256 was wrong for outputs of 137 bytes and more. All lengths, against RustCrypto.
#[test]
fn every_length_of_output() {
    let mut expected = [[0; 1000]; 2];
    shake::Shake128::digest_xof(b"length", &mut expected[0]);
    shake::Shake256::digest_xof(b"length", &mut expected[1]);
    for backend in Backend::available() {
        for len in 0..=1000 {
            let mut out = [vec![0; len], vec![0; len]];
            Shake128::with_backend(backend)
                .unwrap()
                .chain(b"length")
                .finalize_xof_into(&mut out[0]);
            Shake256::with_backend(backend)
                .unwrap()
                .chain(b"length")
                .finalize_xof_into(&mut out[1]);
            assert_eq!(out[0], expected[0][..len], "{backend} {len}");
            assert_eq!(out[1], expected[1][..len], "{backend} {len}");
        }
    }
}

/// golang/crypto 5defcc1: a digest taken from a SHAKE that had been read or cloned came from the wrong state. A
/// clone and its original go on independently, before the padding and after it.
#[test]
fn clones_in_the_middle() {
    let message = counter(500);
    for backend in Backend::available() {
        for len in [0, 1, 167, 168, 169, 400] {
            let hasher = Shake128::with_backend(backend)
                .unwrap()
                .chain(&message[..len]);
            let mut expected = [[0; 400]; 2];
            shake::Shake128::digest_xof(&message[..len], &mut expected[0]);
            shake::Shake128::digest_xof([&message[..len], b"more"].concat(), &mut expected[1]);

            let mut out = [[0; 400]; 2];
            let mut reader = hasher.clone().finalize_xof();
            hasher.chain(b"more").finalize_xof_into(&mut out[1]);
            reader.read(&mut out[0][..170]);
            let mut twin = reader.clone();
            reader.read(&mut out[0][170..]);
            assert_eq!(out, expected, "{backend} {len}");
            twin.read(&mut out[0][170..]);
            assert_eq!(out, expected, "{backend} {len}");
        }
    }
}

/// A hasher that gave its output and was reset is a fresh one (the same bug class).
#[test]
fn reset_after_output() {
    for backend in Backend::available() {
        let mut hasher = Shake256::with_backend(backend).unwrap().chain(b"first");
        let mut out = [0; 300];
        hasher.finalize_xof_reset_into(&mut out);
        hasher.update(b"second");
        let mut reader = hasher.finalize_xof_reset();
        reader.read(&mut out);
        let mut expected = [0; 300];
        shake::Shake256::digest_xof(b"second", &mut expected);
        assert_eq!(out, expected, "{backend}");
        hasher.update(b"third");
        hasher.reset();
        hasher.update(b"second");
        hasher.finalize_xof_reset_into(&mut out);
        assert_eq!(out, expected, "{backend}");
    }
}

/// golang/go#69169, RustCrypto/hashes#834: when the encoded names fill whole blocks, bytepad adds nothing, but
/// a block of zeros was absorbed. `left_encode(rate)` has 2 bytes, the empty function name 2, and 3 stand
/// before the customization string. Expected is what RustCrypto's `cshake` gives, which has that bug fixed.
#[test]
fn names_that_fill_whole_blocks() {
    for backend in Backend::available() {
        for blocks in 1..=3 {
            let customization = counter(blocks * 168 - 7);
            let (mut out, mut expected) = ([0; 64], [0; 64]);
            let hasher = CShake128::new_with_backend(backend, b"", &customization).unwrap();
            hasher.chain(b"message").finalize_xof_into(&mut out);
            let theirs = cshake::CShake128::new_with_function_name(b"", &customization);
            theirs.chain(b"message").finalize_xof_into(&mut expected);
            assert_eq!(out, expected, "{backend}, {blocks} blocks");

            let customization = counter(blocks * 136 - 7);
            let hasher = CShake256::new_with_backend(backend, b"", &customization).unwrap();
            hasher.chain(b"message").finalize_xof_into(&mut out);
            let theirs = cshake::CShake256::new_with_function_name(b"", &customization);
            theirs.chain(b"message").finalize_xof_into(&mut expected);
            assert_eq!(out, expected, "{backend}, {blocks} blocks");
        }
    }
}

/// The same for KMAC (golang/go#66232, Botan 62ac14a69): a key that fills its block. The expected values are
/// built on the cSHAKE of RustCrypto: rate, bits of the key, the key, and no padding.
#[test]
fn keys_that_fill_whole_blocks() {
    for backend in Backend::available() {
        let key = counter(168 - 5);
        let mut expected = [0; 32];
        cshake::CShake128::new_with_function_name(b"KMAC", b"")
            .chain(
                [
                    &[
                        1,
                        168,
                        2,
                        ((8 * key.len()) >> 8) as u8,
                        (8 * key.len()) as u8,
                    ],
                    &key[..],
                ]
                .concat(),
            )
            .chain(b"message\x01\x00\x02")
            .finalize_xof_into(&mut expected);
        let mut tag = [0; 32];
        let mac = Kmac128::new_with_backend(backend, &key, b"").unwrap();
        mac.chain(b"message").finalize_variable(&mut tag);
        assert_eq!(tag, expected, "{backend}");

        let key = counter(136 - 5);
        cshake::CShake256::new_with_function_name(b"KMAC", b"")
            .chain(
                [
                    &[
                        1,
                        136,
                        2,
                        ((8 * key.len()) >> 8) as u8,
                        (8 * key.len()) as u8,
                    ],
                    &key[..],
                ]
                .concat(),
            )
            .chain(b"message\x01\x00\x02")
            .finalize_xof_into(&mut expected);
        let mac = Kmac256::new_with_backend(backend, &key, b"").unwrap();
        mac.chain(b"message").finalize_variable(&mut tag);
        assert_eq!(tag, expected, "{backend}");
    }
}

/// XKCP #116 and others: accesses to lanes at addresses that are no multiples of eight. Every alignment of
/// message and output gives the same.
#[test]
fn every_alignment() {
    let data = counter(1000);
    let mut expected = [0; 500];
    shake::Shake128::digest_xof(&data[..400], &mut expected);
    let (mut input, mut out) = (vec![0; 1000], vec![0; 1000]);
    for backend in Backend::available() {
        for offset in 0..=15 {
            input[offset..][..400].copy_from_slice(&data[..400]);
            let hasher = Shake128::with_backend(backend)
                .unwrap()
                .chain(&input[offset..][..400]);
            hasher.finalize_xof_into(&mut out[15 - offset..][..500]);
            assert_eq!(out[15 - offset..][..500], expected, "{backend} {offset}");
        }
    }
}

/// bun#29222: a buffer sized for one rate served another. The parallel types of both rates, read in blocks of the
/// other's rate.
#[test]
fn blocks_of_the_other_rate() {
    let seeds = [counter(34), counter(35)]
        .map(|seed| <[u8; 34]>::try_from(&seed[seed.len() - 34..]).unwrap());
    assert_eq!((Shake128xN::<2>::RATE, Shake256xN::<2>::RATE), (168, 136));
    for backend in Backend::available() {
        let mut shake128 = Shake128xN::new_with_backend(backend, seeds.each_ref()).unwrap();
        let mut shake256 = Shake256xN::new_with_backend(backend, seeds.each_ref()).unwrap();
        let mut expected = [[[0; 1360]; 2]; 2];
        for i in 0..2 {
            shake::Shake128::digest_xof(seeds[i], &mut expected[0][i]);
            shake::Shake256::digest_xof(seeds[i], &mut expected[1][i]);
        }
        for block in 0..8 {
            let mut out = [[0; 136]; 2];
            shake128.squeeze(out.each_mut());
            for i in 0..2 {
                assert_eq!(
                    out[i],
                    expected[0][i][136 * block..][..136],
                    "{backend} {block}"
                );
            }
            let mut out = [[0; 168]; 2];
            shake256.squeeze(out.each_mut());
            for i in 0..2 {
                assert_eq!(
                    out[i],
                    expected[1][i][168 * block..][..168],
                    "{backend} {block}"
                );
            }
        }
    }
}

/// XKCP 73ed9b0, ac31b6e: KangarooTwelve's customization string forgotten or left over when a state was used again.
#[test]
fn customization_does_not_linger() {
    let message = counter(20_000);
    let mut expected = [[0; 32]; 2];
    k12::Kt128::digest_xof(&message, &mut expected[0]);
    k12::CustomRefKt128::new_customized(b"custom")
        .chain(&message)
        .finalize_xof_into(&mut expected[1]);
    for backend in Backend::available() {
        let mut hasher = Kt128::with_backend(backend).unwrap();
        for custom in [false, true, true, false, false] {
            let mut out = [0; 32];
            hasher.update(&message);
            if custom {
                hasher
                    .finalize_xof_customized_reset(b"custom")
                    .read(&mut out);
            } else {
                hasher.finalize_xof_reset_into(&mut out);
            }
            assert_eq!(out, expected[usize::from(custom)], "{backend}");
        }
    }
}
