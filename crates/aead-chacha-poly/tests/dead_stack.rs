//! No keystream and no power of r stays on the stack below a caller. Kernels of builds with assertions have other frames,
//! for which nothing is promised.

#![cfg(all(feature = "zeroize", not(debug_assertions)))]

use aead_chacha_poly::{Backend, ChaCha20Poly1305, aead::AeadInOut};
use chacha20_simd::cipher::{KeyIvInit, StreamCipher};
use core::{hint::black_box, mem::MaybeUninit};
use std::collections::HashSet;

/// What is on the stack after `work`, below the frame that it was called from.
fn stack_after(work: impl FnOnce()) -> Vec<u8> {
    const SIZE: usize = 32 << 10;
    #[inline(never)]
    fn paint() {
        black_box(&mut [0_u8; SIZE]);
    }
    #[inline(never)]
    fn call(work: impl FnOnce()) {
        work();
        black_box(());
    }
    #[inline(never)]
    fn read() -> Vec<u8> {
        let mut stack = MaybeUninit::<[u8; SIZE]>::uninit();
        let start = black_box(&mut stack).as_ptr().cast::<u8>();
        // SAFETY: within the array; volatile, so that the bytes are those that are there, whatever they are.
        (0..SIZE)
            .map(|i| unsafe { start.add(i).read_volatile() })
            .collect()
    }
    paint();
    call(work);
    read()
}

/// r and the powers of it that kernels compute, in limbs of 26 and of 44 bits and in words.
fn powers_of_r(block_0: &[u8]) -> [HashSet<u64>; 2] {
    const MASK: u128 = (1 << 44) - 1;
    let r =
        u128::from_le_bytes(block_0[..16].try_into().unwrap()) & 0x0ffffffc0ffffffc0ffffffc0fffffff;
    let r = [r & MASK, r >> 44 & MASK, r >> 88];
    let mut power = [1, 0, 0];
    let mut limbs = [HashSet::new(), HashSet::new()];
    for _ in 1..=32 {
        let [a, b, c] = power;
        // 2^132 is 20 modulo 2^130 - 5.
        let mut sums = [
            a * r[0] + 20 * (b * r[2] + c * r[1]),
            a * r[1] + b * r[0] + 20 * c * r[2],
            a * r[2] + b * r[1] + c * r[0],
        ];
        for _ in 0..2 {
            sums[1] += sums[0] >> 44;
            sums[2] += sums[1] >> 44;
            sums[0] = (sums[0] & MASK) + 5 * (sums[2] >> 42);
            sums[1] &= MASK;
            sums[2] &= MASK >> 2;
        }
        power = sums;
        let low = power[0] | power[1] << 44 | power[2] << 88;
        let small = [0, 26, 52, 78].map(|at| low >> at & 0x3ff_ffff);
        limbs[0].extend(small.map(|limb| limb as u64));
        limbs[0].insert((power[2] >> 16) as u64);
        limbs[1].extend(power.map(|limb| limb as u64));
        limbs[1].extend([low as u64, (low >> 64) as u64]);
    }
    limbs
}

/// Of the keystream, block 0 with the key of Poly1305 included, neither pairs of words as they stand in a block nor the same
/// word of two blocks, which a vector holds before the blocks are transposed, and neither r nor powers of it; after sealing,
/// opening and a wrong tag.
#[test]
fn no_secret_stays_on_the_stack() {
    let nonce = [0x51; 12].into();
    for length in [
        0, 1, 64, 65, 192, 193, 320, 448, 449, 832, 833, 960, 961, 1472, 1473, 1984, 1985, 2368,
        2369, 9024, 9025, 16384, 17000,
    ] {
        let mut keystream = vec![0; 64 + length];
        let mut stream = chacha20_simd::ChaCha20::new(&[0x3d; 32].into(), &nonce);
        stream.write_keystream(&mut keystream);
        let words = |at: usize| keystream.get(at..at + 4);
        let mut secrets = HashSet::new();
        let [small, large] = powers_of_r(&keystream);
        for at in (0..keystream.len()).step_by(4) {
            for other in [at + 4, at + 64, at + 128] {
                if let (Some(a), Some(b)) = (words(at), words(other)) {
                    secrets.insert([a, b].concat());
                }
            }
        }
        // Long associated data goes through kernels too.
        let runs =
            Backend::available().flat_map(|backend| [0, 300, 1000].map(|aad| (backend, aad)));
        for (backend, aad) in runs {
            let aad = vec![7; aad];
            let cipher = ChaCha20Poly1305::new_with_backend(backend, &[0x3d; 32].into()).unwrap();
            let mut data = vec![0xa5; length];
            let mut tag = None;
            let look = |what, work: &mut dyn FnMut()| {
                let stack = stack_after(work);
                let left = stack.windows(8).rposition(|word| secrets.contains(word));
                let size = stack.len();
                assert_eq!(
                    left,
                    None,
                    "{backend}, {}+{length} bytes, {what}, of {size}",
                    aad.len()
                );
                // An address may look like a limb; a power has several.
                let small = stack
                    .as_chunks()
                    .0
                    .iter()
                    .filter(|word| small.contains(&u32::from_le_bytes(**word).into()));
                let large = stack
                    .as_chunks()
                    .0
                    .iter()
                    .filter(|word| large.contains(&u64::from_le_bytes(**word)));
                let powers = [small.count(), large.count()];
                assert!(
                    powers[0] + powers[1] < 2,
                    "{backend}, {}+{length} bytes, {what}: limbs of powers {powers:?}",
                    aad.len()
                );
            };
            look("sealed", &mut || {
                let data = data[..].as_mut().into();
                tag = Some(cipher.encrypt_inout_detached(&nonce, &aad, data).unwrap());
            });
            let mut tag = tag.unwrap();
            tag[0] ^= 1;
            look("refused", &mut || {
                let data = data[..].as_mut().into();
                cipher
                    .decrypt_inout_detached(&nonce, &aad, data, &tag)
                    .unwrap_err();
            });
            tag[0] ^= 1;
            look("opened", &mut || {
                let data = data[..].as_mut().into();
                cipher
                    .decrypt_inout_detached(&nonce, &aad, data, &tag)
                    .unwrap();
            });
            assert_eq!(data, vec![0xa5; length]);
        }
    }
}
