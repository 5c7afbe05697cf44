//! The kernels that `hazmat` shows, against the slow model.

#![cfg(all(feature = "hazmat", any(target_arch = "x86", target_arch = "x86_64")))]

mod model;

use chacha20_simd::{
    Backend, Ietf, Legacy, R8, R20, Rounds, Variant,
    cipher::{array::Array, inout::InOutBuf},
    hazmat::{Core, avx2},
};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

const KEY: [u8; 32] = *b"another key, of thirty-two bytes";

/// First blocks: a plain one, and those about which a 64-bit counter carries somewhere in 32 blocks.
fn counters() -> impl Iterator<Item = u64> {
    (0..=33).map(|i| (7 << 32) - i).chain([0, 1, 1000])
}

/// What the kernels of one back end must give, and the core to ask them with.
fn check<R: Rounds, V: Variant>(
    backend: Backend,
    nonce: &[u8],
    counters: impl Iterator<Item = u64>,
    kernels: impl Fn(&Core<R>, u64, &[u8; 2048]),
) {
    if !backend.is_available() {
        println!("skipped: {backend} (not on this CPU)");
        return;
    }
    let array = Array::<u8, V::NonceSize>::try_from(nonce).unwrap();
    let core = Core::<R>::new_with_backend::<V>(backend, &KEY.into(), &array).unwrap();
    for counter in counters {
        let mut keystream = [0; 2048];
        for (i, block) in keystream.as_chunks_mut().0.iter_mut().enumerate() {
            *block = model::block(2 * R::DOUBLE_ROUNDS, &KEY, nonce, counter + i as u64);
        }
        kernels(&core, counter, &keystream);
    }
}

/// Steps for all double rounds but the last, and for none.
fn all_steps<R: Rounds>() -> [Vec<usize>; 2] {
    [(0..R::DOUBLE_ROUNDS - 1).collect(), Vec::new()]
}

/// What the steps must be given as: in turn, with the quarters in turn.
fn counter(seen: &mut usize) -> impl FnMut(&usize, usize) {
    |&step, quarter| {
        assert_eq!((step, quarter), (*seen / 4, *seen % 4));
        *seen += 1;
    }
}

/// XORs keystream into data by what is given: buffer to buffer, whole and partial blocks, and what is left in `last`.
fn check_xor(
    expected: &[u8],
    lengths: core::ops::RangeInclusive<usize>,
    xor: impl Fn(InOutBuf<'_, '_, u8>, &mut [u8; 64]),
) {
    let input: Vec<u8> = (0..*lengths.end()).map(|i| (i * 7 / 4) as u8).collect();
    for length in lengths {
        let mut out = vec![0xee; length];
        let mut last = [0x77; 64];
        xor(
            InOutBuf::new(&input[..length], &mut out).unwrap(),
            &mut last,
        );
        let mut wrong = out.iter().zip(&input).zip(expected);
        assert!(
            wrong.all(|((out, input), expected)| *out == input ^ expected),
            "{length} bytes"
        );
        if length % 64 == 0 {
            assert_eq!(last, [0x77; 64]);
        } else {
            assert_eq!(last, expected[length / 64 * 64..][..64]);
        }
    }
}

fn avx2_kernels<R: Rounds>(core: &Core<R>, first: u64, expected: &[u8; 2048]) {
    fn rows<R: Rounds, const N: usize>(core: &Core<R>, first: u64, expected: &[u8; 2048]) {
        for steps in all_steps::<R>() {
            check_xor(expected, 0..=128 * N, |data, last| {
                let mut seen = 0;
                let counter = counter(&mut seen);
                // SAFETY: the caller has a core for this back end.
                unsafe {
                    let blocks = avx2::keystream::<R, _, N>(core, first, &steps, counter);
                    avx2::xor_blocks(blocks.as_flattened(), data, last);
                }
                assert_eq!(seen, 4 * steps.len());
            });
        }
    }
    rows::<R, 1>(core, first, expected);
    rows::<R, 2>(core, first, expected);
    rows::<R, 3>(core, first, expected);
    for steps in all_steps::<R>() {
        let mut seen = 0;
        // SAFETY: as above.
        let eight = unsafe { avx2::eight(core, first, &steps, counter(&mut seen)) };
        assert_eq!(seen, 4 * steps.len());
        check_xor(expected, 0..=512, |data, last| {
            // SAFETY: as above.
            unsafe { avx2::xor_blocks(&avx2::split(&eight), data, last) };
        });
        check_xor(expected, 512..=512, |data, _| {
            let (mut chunks, _) = data.into_chunks();
            // SAFETY: as above.
            unsafe { avx2::xor_8_blocks(&eight, chunks.get(0)) };
        });
    }
}

#[test]
fn avx2() {
    let nonce = *b"12 byte none";
    check::<R20, Ietf>(Backend::Avx2, &nonce, 0..3, avx2_kernels);
    check::<R8, Ietf>(Backend::Avx2, &nonce, 0..1, avx2_kernels);
    check::<R20, Legacy>(Backend::Avx2, &nonce[..8], counters(), avx2_kernels);
}

/// XORing more data than there is keystream panics, before it reads.
fn check_refused(backend: Backend, xor: fn(InOutBuf<'_, '_, u8>, &mut [u8; 64])) {
    if !backend.is_available() {
        println!("skipped: {backend} (not on this CPU)");
        return;
    }
    let mut data = [0x3c; 1];
    let panic = catch_unwind(AssertUnwindSafe(|| {
        xor(data[..].as_mut().into(), &mut [0; 64]);
    }))
    .expect_err("it must panic");
    assert_eq!(
        panic.downcast_ref(),
        Some(&"more data than keystream"),
        "{backend}"
    );
    assert_eq!(data, [0x3c; 1]);
}

#[test]
fn more_data_than_keystream() {
    check_refused(Backend::Avx2, |data, last| {
        // SAFETY: the caller has asked whether the CPU has AVX2.
        unsafe { avx2::xor_blocks(&[], data, last) };
    });
    #[cfg(target_arch = "x86_64")]
    check_refused(Backend::Avx512, |data, last| {
        // SAFETY: the caller has asked whether the CPU has AVX-512 F, BW and VL.
        unsafe { chacha20_simd::hazmat::avx512::xor_blocks(&[], data, last) };
    });
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::*;
    use chacha20_simd::hazmat::avx512;

    fn avx512_kernels<R: Rounds>(core: &Core<R>, first: u64, expected: &[u8; 2048]) {
        fn rows<R: Rounds, const N: usize>(core: &Core<R>, first: u64, expected: &[u8; 2048]) {
            check_xor(expected, 0..=128 * N, |data, last| {
                // SAFETY: the caller has a core for this back end.
                unsafe {
                    let blocks = avx512::keystream::<R, N>(core, first);
                    avx512::xor_blocks(blocks.as_flattened(), data, last);
                }
            });
        }
        rows::<R, 1>(core, first, expected);
        rows::<R, 2>(core, first, expected);
        rows::<R, 3>(core, first, expected);
        rows::<R, 4>(core, first, expected);
        check_xor(expected, 0..=1024, |data, last| {
            // SAFETY: as above.
            unsafe {
                let blocks = avx512::keystream_16(core, first);
                avx512::xor_blocks(&blocks, data, last);
            }
        });
        check_xor(expected, 1024..=1536, |data, last| {
            let (head, tail) = data.split_at(1024);
            // SAFETY: as above.
            unsafe {
                avx512::keystream_24(
                    core,
                    first,
                    |blocks| avx512::xor_blocks(&blocks, head, &mut [0; 64]),
                    |blocks| avx512::xor_blocks(&blocks, tail, last),
                );
            };
        });
        check_xor(expected, 1024..=2048, |data, last| {
            let (head, tail) = data.split_at(1024);
            // SAFETY: as above.
            unsafe {
                avx512::keystream_32(
                    core,
                    first,
                    |blocks| avx512::xor_blocks(&blocks, head, &mut [0; 64]),
                    |blocks| avx512::xor_blocks(&blocks, tail, last),
                );
            };
        });
    }

    #[test]
    fn avx512() {
        let nonce = *b"12 byte none";
        check::<R20, Ietf>(Backend::Avx512, &nonce, 0..3, avx512_kernels);
        check::<R8, Ietf>(Backend::Avx512, &nonce, 0..1, avx512_kernels);
        check::<R20, Legacy>(Backend::Avx512, &nonce[..8], counters(), avx512_kernels);
    }
}
