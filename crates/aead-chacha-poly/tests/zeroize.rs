//! The key is gone from memory after a drop (RustCrypto `poly1305` issue 343: a wipe that wiped the wrong thing).

#![cfg(feature = "zeroize")]

use aead_chacha_poly::{Backend, ChaCha20Poly1305};
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

#[test]
fn key_is_wiped() {
    let key = [0xa7; 32];
    for backend in Backend::available() {
        let cipher = ChaCha20Poly1305::new_with_backend(backend, &key.into()).unwrap();
        let (before, after) = memory_around_drop(cipher);
        assert!(before.windows(32).any(|bytes| bytes == key));
        assert!(!after.contains(&0xa7), "{backend}");
    }
}
