//! No keystream stays on the stack below a caller. Kernels of builds with assertions have other frames, for which nothing is
//! promised.

#![cfg(all(feature = "zeroize", not(debug_assertions)))]

use chacha20_simd::{Backend, ChaCha20, cipher::StreamCipher};
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

/// Pairs of words of the keystream as they stand in a block, and the same word of two blocks, which a vector holds before
/// the blocks are transposed.
#[test]
fn no_keystream_stays_on_the_stack() {
    let (key, nonce) = ([0x3d; 32].into(), [0x51; 12].into());
    for length in [
        1_usize, 64, 65, 128, 200, 384, 500, 512, 1000, 1300, 1536, 2000, 5000,
    ] {
        let mut keystream = vec![0; length.next_multiple_of(64)];
        let mut cipher = ChaCha20::new_with_backend(Backend::soft(), &key, &nonce).unwrap();
        cipher.write_keystream(&mut keystream);
        let words = |at: usize| keystream.get(at..at + 4);
        let mut secrets = HashSet::new();
        for at in (0..keystream.len()).step_by(4) {
            for other in [at + 4, at + 64, at + 128] {
                if let (Some(a), Some(b)) = (words(at), words(other)) {
                    secrets.insert([a, b].concat());
                }
            }
        }
        for backend in Backend::available() {
            let mut data = vec![0xa5; length];
            let stack = stack_after(|| {
                let mut cipher = ChaCha20::new_with_backend(backend, &key, &nonce).unwrap();
                cipher.apply_keystream(&mut data);
            });
            assert!(data.iter().zip(&keystream).all(|(a, b)| a ^ b == 0xa5));
            let left = stack.windows(8).rposition(|word| secrets.contains(word));
            assert_eq!(left, None, "{backend}, {length} bytes, of {}", stack.len());
        }
    }
}
