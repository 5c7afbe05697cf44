//! No keystream stays on the stack below a caller. Kernels of builds with assertions have other frames, for which nothing is
//! promised.

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

/// Of the message's keystream, neither pairs of words as they stand in a block nor the
/// same word of two blocks, which a vector holds before the blocks are transposed; after sealing, opening and a wrong tag.
#[test]
fn no_keystream_stays_on_the_stack() {
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
        for at in (64..keystream.len()).step_by(4) {
            for other in [at + 4, at + 64, at + 128] {
                if let (Some(a), Some(b)) = (words(at), words(other)) {
                    secrets.insert([a, b].concat());
                }
            }
        }
        for backend in Backend::available() {
            let cipher = ChaCha20Poly1305::new_with_backend(backend, &[0x3d; 32].into()).unwrap();
            let mut data = vec![0xa5; length];
            let mut tag = None;
            let look = |what, work: &mut dyn FnMut()| {
                let stack = stack_after(work);
                let left = stack.windows(8).rposition(|word| secrets.contains(word));
                let size = stack.len();
                assert_eq!(left, None, "{backend}, {length} bytes, {what}, of {size}");
            };
            look("sealed", &mut || {
                let data = data[..].as_mut().into();
                tag = Some(cipher.encrypt_inout_detached(&nonce, b"", data).unwrap());
            });
            let mut tag = tag.unwrap();
            tag[0] ^= 1;
            look("refused", &mut || {
                let data = data[..].as_mut().into();
                cipher
                    .decrypt_inout_detached(&nonce, b"", data, &tag)
                    .unwrap_err();
            });
            tag[0] ^= 1;
            look("opened", &mut || {
                let data = data[..].as_mut().into();
                cipher
                    .decrypt_inout_detached(&nonce, b"", data, &tag)
                    .unwrap();
            });
            assert_eq!(data, vec![0xa5; length]);
        }
    }
}
