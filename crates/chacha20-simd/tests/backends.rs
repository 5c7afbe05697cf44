//! Every back end against the slow model and against RustCrypto's `chacha20`.

mod model;

use chacha20_simd::{
    Backend, ChaCha8, ChaCha12, ChaCha20, ChaCha20Legacy, XChaCha8, XChaCha12, XChaCha20,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};
use proptest::prelude::*;

/// Bytes without a pattern that a fault could hide in.
fn bytes<const N: usize>(seed: u8) -> [u8; N] {
    core::array::from_fn(|i| (i as u8).wrapping_mul(151).wrapping_add(seed) ^ (i >> 8) as u8)
}

fn message(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i % 251) as u8 ^ (i / 251) as u8)
        .collect()
}

#[test]
fn names_and_choice() {
    assert!(Backend::available().any(|b| b == Backend::detect()));
    assert!(Backend::available().any(|b| b == Backend::soft()));
    for backend in Backend::ALL {
        if !backend.is_available() {
            println!("skipped: {backend} (not on this CPU)");
        }
        let cipher = ChaCha20::new_with_backend(*backend, &bytes(1).into(), &bytes(2).into());
        assert_eq!(
            cipher.map(|c| c.backend()),
            backend.is_available().then_some(*backend)
        );
        assert_eq!(backend.to_string(), backend.name());
    }
    let automatic = ChaCha20::new(&bytes(1).into(), &bytes(2).into());
    assert_eq!(automatic.backend(), Backend::detect());
}

/// Compares with RustCrypto: lengths 0..=4096 at changing offsets of the buffer, in place and buffer to buffer.
macro_rules! against_rustcrypto {
    ($($name:ident: $ours:ty, $theirs:ty;)*) => {$(
        #[test]
        fn $name() {
            let (key, nonce) = (bytes(3), bytes(4));
            let input = message(4096 + 16);
            for backend in Backend::available() {
                for len in 0..=4096 {
                    let offset = len % 16;
                    let input = &input[offset..][..len];
                    let mut expected = input.to_vec();
                    <$theirs>::new(&key.into(), &nonce.into()).apply_keystream(&mut expected);

                    let new = || <$ours>::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
                    let mut buf = vec![0; len + 16];
                    let out = &mut buf[15 - offset..][..len];
                    new().apply_keystream_b2b(input, out);
                    assert_eq!(out, expected, "{backend}, {len} bytes, buffer to buffer");
                    out.copy_from_slice(input);
                    new().apply_keystream(out);
                    assert_eq!(out, expected, "{backend}, {len} bytes, in place");
                }
            }
        }
    )*};
}
against_rustcrypto! {
    chacha20_equals_rustcrypto: ChaCha20, chacha20::ChaCha20;
    chacha12_equals_rustcrypto: ChaCha12, chacha20::ChaCha12;
    chacha8_equals_rustcrypto: ChaCha8, chacha20::ChaCha8;
    xchacha20_equals_rustcrypto: XChaCha20, chacha20::XChaCha20;
    xchacha12_equals_rustcrypto: XChaCha12, chacha20::XChaCha12;
    xchacha8_equals_rustcrypto: XChaCha8, chacha20::XChaCha8;
    legacy_equals_rustcrypto: ChaCha20Legacy, chacha20::ChaCha20Legacy;
}

/// Calls of up to 40 blocks that begin at every block of a batch, against the model.
#[test]
fn every_block_count_from_every_block() {
    let (key, nonce) = (bytes(5), bytes(6));
    let keystream: Vec<u8> = (0..80)
        .flat_map(|i| model::block(20, &key, &nonce, i))
        .collect();
    for backend in Backend::available() {
        for start in 0..40 {
            for count in 0..=40 {
                let mut cipher =
                    ChaCha20::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
                cipher.seek(start * 64);
                let mut out = vec![0; count * 64];
                cipher.apply_keystream(&mut out);
                assert_eq!(out, keystream[start * 64..][..count * 64], "{backend}");
                assert_eq!(cipher.current_pos::<usize>(), (start + count) * 64);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Apply(usize),
    Copy(usize),
    Write(usize),
    Seek(u16),
}

/// Up to two passes of the widest kernel, 32 blocks, behind what is left of a block.
const LONGEST: usize = 5000;
const STEPS: usize = 12;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let length = prop_oneof![
        0usize..70,
        0usize..1500,
        1500usize..LONGEST,
        Just(64),
        Just(128),
        Just(63)
    ];
    prop::collection::vec(
        prop_oneof![
            length.clone().prop_map(Step::Apply),
            length.clone().prop_map(Step::Copy),
            length.prop_map(Step::Write),
            (0u16..4000).prop_map(Step::Seek),
        ],
        0..STEPS,
    )
}

/// Programs of applying, writing and seeking against slices of one keystream that RustCrypto made, from a first position
/// on.
macro_rules! programs {
    ($($name:ident: $type:ident, $nonce:literal, from $first:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]
            $(#[test]
            fn $name(key: [u8; 32], nonce: [u8; $nonce], steps in steps()) {
                let first: u64 = $first;
                let mut keystream = vec![0; STEPS * LONGEST];
                let mut theirs = chacha20::$type::new(&key.into(), &nonce.into());
                theirs.seek(first);
                theirs.apply_keystream(&mut keystream);
                let xor = |data: Vec<u8>, pos: usize| -> Vec<u8> {
                    data.iter().zip(&keystream[pos..]).map(|(a, b)| a ^ b).collect()
                };
                for backend in Backend::available() {
                    let mut cipher =
                        $type::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
                    cipher.seek(first);
                    let mut pos = 0;
                    for step in &steps {
                        match *step {
                            Step::Apply(n) => {
                                let mut buf = message(n);
                                cipher.apply_keystream(&mut buf);
                                prop_assert_eq!(buf, xor(message(n), pos), "{}", backend);
                                pos += n;
                            }
                            Step::Copy(n) => {
                                let mut buf = vec![0x5a; n];
                                cipher.apply_keystream_b2b(&message(n), &mut buf);
                                prop_assert_eq!(buf, xor(message(n), pos), "{}", backend);
                                pos += n;
                            }
                            Step::Write(n) => {
                                let mut buf = message(n);
                                cipher.write_keystream(&mut buf);
                                prop_assert_eq!(&buf[..], &keystream[pos..][..n], "{}", backend);
                                pos += n;
                            }
                            Step::Seek(to) => {
                                pos = usize::from(to);
                                cipher.seek(first + u64::from(to));
                            }
                        }
                        prop_assert_eq!(cipher.current_pos::<u64>(), first + pos as u64);
                    }
                }
            })*
        }
    };
}
programs! {
    programs: ChaCha20, 12, from 0;
    programs_xchacha: XChaCha20, 24, from 0;
    programs_legacy: ChaCha20Legacy, 8, from 0;
    // Block 2^32 begins 2000 bytes later.
    programs_legacy_over_32_bits: ChaCha20Legacy, 8, from (1 << 38) - 2000;
}

proptest! {
    /// Any position of the 64-bit counter against RustCrypto.
    #[test]
    fn far_positions(key: [u8; 32], nonce: [u8; 8], block in 0u64..u64::MAX - 8, len in 0usize..400) {
        let pos = u128::from(block) * 64 + 17;
        let mut expected = vec![0; len];
        let mut theirs = chacha20::ChaCha20Legacy::new(&key.into(), &nonce.into());
        theirs.seek(pos);
        theirs.apply_keystream(&mut expected);
        for backend in Backend::available() {
            let mut ours =
                ChaCha20Legacy::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
            ours.seek(pos);
            let mut out = vec![0; len];
            ours.apply_keystream(&mut out);
            prop_assert_eq!(&out, &expected);
            prop_assert_eq!(ours.current_pos::<u128>(), pos + len as u128);
        }
    }
}
