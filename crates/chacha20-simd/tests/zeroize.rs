//! Secrets are gone from memory after a drop (RustCrypto `poly1305` issue 343: a wipe that wiped the wrong thing).

#![cfg(feature = "zeroize")]

use chacha20_simd::{
    Backend, ChaCha, ChaCha20, ChaCha20Legacy, R20, Rounds, Variant, XChaCha20,
    cipher::StreamCipher, hchacha,
};
use core::mem::{MaybeUninit, size_of};

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
