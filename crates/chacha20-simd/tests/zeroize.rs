//! Secrets are gone from memory after a drop (RustCrypto `poly1305` issue 343: a wipe that wiped the wrong thing).

#![cfg(feature = "zeroize")]

use chacha20_simd::{
    Backend, ChaCha, ChaCha20, ChaCha20Legacy, R20, Rounds, Variant, XChaCha20,
    cipher::StreamCipher, hchacha,
};
use core::{
    hint::black_box,
    mem::{MaybeUninit, size_of},
};
use std::collections::HashSet;

/// The bytes of the memory that `value` was in, before and after its drop.
fn memory_around_drop<T>(value: T) -> (Vec<u8>, Vec<u8>) {
    let mut place = MaybeUninit::<T>::zeroed();
    let start = place.as_mut_ptr();
    // SAFETY: `start` is valid for writes and reads of a `T`; the bytes are read through a volatile byte pointer, as
    // a debugger or an attacker would, while nothing else refers to them; the value is dropped once.
    unsafe {
        start.write(value);
        let read = || {
            (0..size_of::<T>())
                .map(|i| start.cast::<u8>().add(i).read_volatile())
                .collect()
        };
        let before = read();
        start.drop_in_place();
        (before, read())
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|w| w == needle)
}

fn check<R: Rounds, V: Variant>(key: &[u8; 32], mut cipher: ChaCha<R, V>) {
    cipher.write_keystream(&mut [0; 65]);
    let (before, after) = memory_around_drop(cipher);
    // The key is kept in words of the machine's own byte order.
    for word in key.as_chunks().0 {
        let word = u32::from_le_bytes(*word).to_ne_bytes();
        assert!(
            contains(&before, &word),
            "the test looks in the wrong place"
        );
        assert!(!contains(&after, &word));
    }
    let left = after.iter().filter(|&&byte| byte != 0).count();
    assert!(
        left < 16,
        "the block number and the back end are left, not {left} bytes"
    );
}

#[test]
fn keys_and_keystream_are_wiped() {
    let key: [u8; 32] = core::array::from_fn(|i| 0x80 + 3 * i as u8);
    for backend in Backend::available() {
        let (k, n) = (key.into(), [0; 12].into());
        check(&key, ChaCha20::new_with_backend(backend, &k, &n).unwrap());
        check(
            &key,
            ChaCha20Legacy::new_with_backend(backend, &k, &[0; 8].into()).unwrap(),
        );
        let subkey = hchacha::<R20>(&k, &[0; 16].into()).0;
        check(
            &subkey,
            XChaCha20::new_with_backend(backend, &k, &[0; 24].into()).unwrap(),
        );
    }
}

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
