//! Faults that were published in other implementations, as tests of this one.

mod model;

use chacha20_simd::{
    Backend, ChaCha20, ChaCha20Legacy, XChaCha20,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};

const KEY: [u8; 32] = *b"a key of thirty-two bytes, exact";
const NONCE: [u8; 12] = *b"a nonce of 1";
/// The length of a keystream in bytes, and its last block.
const END: u64 = 1 << 38;
const LAST: u64 = END / 64 - 1;

fn new(backend: Backend) -> ChaCha20 {
    ChaCha20::new_with_backend(backend, &KEY.into(), &NONCE.into()).unwrap()
}

fn new_legacy(backend: Backend) -> ChaCha20Legacy {
    ChaCha20Legacy::new_with_backend(backend, &KEY.into(), &[7; 8].into()).unwrap()
}

/// RUSTSEC-2019-0029 (RustCrypto stream-ciphers issue 64), and again issue 391: the 32-bit counter started over after
/// 256 GiB and the keystream was used twice. RFC 8439, section 2.4, gives 2^32 blocks: the last byte of the last one
/// can be used, no byte more, and what is refused changes nothing.
#[test]
fn last_block_then_error() {
    for backend in Backend::available() {
        let mut cipher = new(backend);
        cipher.seek(END - 64);
        let mut buf = [0; 65];
        assert!(cipher.try_apply_keystream(&mut buf).is_err());
        assert_eq!(buf, [0; 65]);
        assert_eq!(cipher.current_pos::<u64>(), END - 64);
        cipher.try_apply_keystream(&mut buf[..64]).unwrap();
        assert_eq!(buf[..64], model::block(20, &KEY, &NONCE, LAST));
        assert_eq!(cipher.current_pos::<u64>(), END);

        for len in [1, 2, 63, 64, 65] {
            let mut buf = vec![0x5a; len];
            assert!(cipher.try_apply_keystream(&mut buf).is_err());
            assert!(cipher.try_write_keystream(&mut buf).is_err());
            assert_eq!(buf, vec![0x5a; len]);
        }
        cipher.try_apply_keystream(&mut []).unwrap();
        assert_eq!(cipher.current_pos::<u64>(), END);

        cipher.seek(0u32);
        cipher.write_keystream(&mut buf[..64]);
        assert_eq!(buf[..64], model::block(20, &KEY, &NONCE, 0));
    }
}

/// The same from inside the last block, and for every length that ends near the end.
#[test]
fn partial_last_block() {
    let last: Vec<u8> = (LAST - 2..=LAST)
        .flat_map(|i| model::block(20, &KEY, &NONCE, i))
        .collect();
    for backend in Backend::available() {
        for from in 0..=192 {
            for len in 0..=200 {
                let mut cipher = new(backend);
                cipher.seek(END - 192 + from as u64);
                let mut buf = vec![0; len];
                let fits = from + len <= 192;
                assert_eq!(
                    cipher.try_apply_keystream(&mut buf).is_ok(),
                    fits,
                    "{from} + {len}"
                );
                if fits {
                    assert_eq!(buf, last[from..][..len]);
                }
            }
        }
    }
}

/// The XChaCha counter has 32 bits too (stream-ciphers issue 391).
#[test]
fn xchacha_ends() {
    for backend in Backend::available() {
        let mut cipher =
            XChaCha20::new_with_backend(backend, &KEY.into(), &[9; 24].into()).unwrap();
        cipher.seek(END - 1);
        let mut buf = [0; 2];
        assert!(cipher.try_apply_keystream(&mut buf).is_err());
        cipher.try_apply_keystream(&mut buf[..1]).unwrap();
        assert!(cipher.try_apply_keystream(&mut buf[..1]).is_err());
    }
}

/// A position beyond the end is an error and moves nothing; the end itself is a position.
#[test]
fn seek_beyond_the_end() {
    for backend in Backend::available() {
        let mut cipher = new(backend);
        cipher.seek(100u32);
        for pos in [END + 1, END + 63, END + 64, u64::MAX] {
            assert!(cipher.try_seek(pos).is_err());
            assert!(cipher.try_seek(u128::from(pos) << 32).is_err());
            assert_eq!(cipher.current_pos::<u64>(), 100);
        }
        cipher.try_seek(END).unwrap();
        assert_eq!(cipher.current_pos::<u64>(), END);
        assert!(cipher.try_apply_keystream(&mut [0]).is_err());

        let mut cipher = new_legacy(backend);
        assert!(cipher.try_seek((1u128 << 70) + 1).is_err());
        cipher.try_seek(1u128 << 70).unwrap();
        assert!(cipher.try_apply_keystream(&mut [0]).is_err());
        assert_eq!(cipher.current_pos::<u128>(), 1 << 70);
    }
}

/// Positions that do not fit the type asked for.
#[test]
fn position_overflow() {
    let mut cipher = new(Backend::detect());
    cipher.seek(1u64 << 37);
    assert!(cipher.try_current_pos::<u32>().is_err());
    assert!(cipher.try_current_pos::<i32>().is_err());
    assert_eq!(cipher.current_pos::<u64>(), 1 << 37);
}

/// The methods that do not check start the keystream over and leave the nonce alone (OpenSSL issue 15193, BoringSSL
/// df9955b62, libsodium issue 753: assembly and C disagreed on a carry into the nonce). After that the checked ones
/// refuse everything until the next seek.
#[test]
fn unchecked_wraps_without_touching_the_nonce() {
    for backend in Backend::available() {
        for before in 0..=33u64 {
            for blocks in [1, 2, 3, 4, 6, 8, 9, 16, 17, 24, 32, 33, 40] {
                let mut cipher = new(backend);
                cipher.seek(END - before * 64);
                let mut buf = vec![0; blocks as usize * 64];
                cipher.unchecked_write_keystream(&mut buf);
                let expected: Vec<u8> = (0..blocks)
                    .flat_map(|i| {
                        model::block(20, &KEY, &NONCE, (i + END / 64 - before) % (END / 64))
                    })
                    .collect();
                assert_eq!(buf, expected, "{backend}, {before}, {blocks}");
                if blocks > before {
                    assert!(cipher.try_apply_keystream(&mut [0]).is_err());
                }
            }
        }
    }
}

/// As above with a partial block after the end: its rest must not be handed out by a checked method.
#[test]
fn unchecked_leaves_nothing_for_checked() {
    for backend in Backend::available() {
        let mut cipher = new(backend);
        cipher.seek(END);
        cipher.unchecked_apply_keystream(&mut [0; 3]);
        assert!(cipher.try_apply_keystream(&mut [0]).is_err());
        assert!(cipher.try_write_keystream(&mut [0]).is_err());
        cipher.seek(0u32);
        cipher.try_apply_keystream(&mut [0]).unwrap();
    }
}

/// stream-ciphers issues 216 and 217, RustCrypto `chacha20` issue 16 (`VPADDD` for `VPADDQ`), cryptopp issue 732,
/// botan issue 1728: the 64-bit counter must carry into its upper half at any place of a batch of any size, and a call
/// that crosses it equals two calls that meet there.
#[test]
fn legacy_counter_carries() {
    const BEFORE: usize = 33;
    const AFTER: usize = 40;
    for high in [1u64, 2, 0xffff_ffff, 1 << 31] {
        let carry = high << 32;
        let around: Vec<u8> = (0..(BEFORE + AFTER) as u64)
            .flat_map(|i| model::block(20, &KEY, &[7; 8], carry - BEFORE as u64 + i))
            .collect();
        for backend in Backend::available() {
            let mut cipher = new_legacy(backend);
            for before in 0..=BEFORE {
                let start = u128::from(carry - before as u64) * 64;
                let expected = &around[(BEFORE - before) * 64..];
                // Every batch size once; after that it is enough that the upper half counts.
                let step = if high == 1 { 1 } else { 13 };
                for blocks in (1..=AFTER).step_by(step) {
                    let expected = &expected[..blocks * 64];
                    let mut buf = vec![0; blocks * 64];
                    cipher.seek(start);
                    cipher.write_keystream(&mut buf);
                    assert_eq!(
                        buf, expected,
                        "{backend}, {before} of {blocks} before {high} * 2^32"
                    );

                    cipher.seek(start);
                    let (first, second) = buf.split_at_mut(before.min(blocks) * 64);
                    cipher.write_keystream(first);
                    cipher.write_keystream(second);
                    assert_eq!(buf, expected, "{backend}, two calls");
                }
            }
        }
    }
}

/// golang/crypto b7391e9 (CVE-2019-11840): block i + 2^32 repeated block i.
#[test]
fn legacy_blocks_2_to_32_apart_differ() {
    for backend in Backend::available() {
        let mut cipher = new_legacy(backend);
        let (mut a, mut b) = ([0; 64], [0; 64]);
        cipher.write_keystream(&mut a);
        cipher.seek(1u64 << 38);
        cipher.write_keystream(&mut b);
        assert_ne!(a, b);
        assert_eq!(b, model::block(20, &KEY, &[7; 8], 1 << 32));
    }
}

/// The last of the 2^64 blocks of a 64-bit counter.
#[test]
fn legacy_ends() {
    for backend in Backend::available() {
        let mut cipher = new_legacy(backend);
        cipher.seek((1u128 << 70) - 130);
        let mut buf = [0; 131];
        assert!(cipher.try_apply_keystream(&mut buf).is_err());
        cipher.try_write_keystream(&mut buf[..130]).unwrap();
        let expected: Vec<u8> = (u64::MAX - 2..=u64::MAX)
            .flat_map(|i| model::block(20, &KEY, &[7; 8], i))
            .collect();
        assert_eq!(buf[..130], expected[62..]);
        assert!(cipher.try_apply_keystream(&mut buf[..1]).is_err());
    }
}

/// RustCrypto `chacha20` issue 16: two blocks from number 2^64 - 1 on in one call were not those of two calls. The methods
/// that do not check go on with block 0, at any place of a batch.
#[test]
fn legacy_unchecked_wraps() {
    for backend in Backend::available() {
        for before in 0..=33u64 {
            for blocks in [1, 2, 3, 4, 6, 8, 9, 16, 17, 24, 32, 33, 40] {
                let start = (1u128 << 70) - u128::from(before) * 64;
                let expected: Vec<u8> = (0..blocks)
                    .flat_map(|i| {
                        model::block(20, &KEY, &[7; 8], 0u64.wrapping_sub(before).wrapping_add(i))
                    })
                    .collect();
                let mut buf = vec![0; blocks as usize * 64];
                let mut cipher = new_legacy(backend);
                cipher.seek(start);
                cipher.unchecked_write_keystream(&mut buf);
                assert_eq!(buf, expected, "{backend}, {before}, {blocks}");
                let (first, second) = buf.split_at_mut(before.min(blocks) as usize * 64);
                cipher.seek(start);
                cipher.unchecked_write_keystream(first);
                cipher.unchecked_write_keystream(second);
                assert_eq!(buf, expected, "{backend}, {before}, {blocks}, two calls");
                if blocks > before {
                    assert!(cipher.try_apply_keystream(&mut [0]).is_err());
                }
            }
        }
    }
}

/// libcrux e7d3bd834: a panic instead of an error. Buffers of unlike length are refused and left alone.
#[test]
fn unequal_buffers() {
    let mut cipher = new(Backend::detect());
    let mut out = [3; 10];
    assert!(cipher.try_apply_keystream_b2b(&[0; 9], &mut out).is_err());
    assert_eq!(out, [3; 10]);
    assert_eq!(cipher.current_pos::<u32>(), 0);
}

/// OpenSSL CVE-2019-1543: nonces of other lengths were taken. Keys and nonces have one length each.
#[test]
fn key_and_nonce_lengths() {
    for len in 0..=40 {
        let bytes = vec![0; len];
        assert_eq!(ChaCha20::new_from_slices(&KEY, &bytes).is_ok(), len == 12);
        assert_eq!(XChaCha20::new_from_slices(&KEY, &bytes).is_ok(), len == 24);
        assert_eq!(
            ChaCha20Legacy::new_from_slices(&KEY, &bytes).is_ok(),
            len == 8
        );
        assert_eq!(ChaCha20::new_from_slices(&bytes, &NONCE).is_ok(), len == 32);
    }
}

/// RustCrypto ml-kem issue 394: `Debug` printed a secret.
#[test]
fn debug_shows_no_secret() {
    assert_eq!(format!("{:?}", new(Backend::detect())), "ChaCha { .. }");
}
