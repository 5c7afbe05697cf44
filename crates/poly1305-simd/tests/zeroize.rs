//! Secrets are gone from memory after a drop (RustCrypto `poly1305` issue 343: a wipe that wiped the wrong thing).

#![cfg(feature = "zeroize")]

use core::mem::{MaybeUninit, size_of};
use poly1305_simd::{Backend, OneTimeAuthenticator, Poly1305};

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

/// Whether something of the key or of the message, which have one byte each, is there.
fn contains_secret(memory: &[u8]) -> bool {
    memory
        .windows(3)
        .any(|bytes| bytes == [0x7d; 3] || bytes == [0xb6; 3])
}

/// Padding may hold what was there before; it is at most this long.
fn is_wiped(memory: &[u8]) -> bool {
    !contains_secret(memory) && memory.iter().filter(|&&byte| byte != 0).count() < 16
}

#[test]
fn keys_accumulators_and_buffers_are_wiped() {
    for backend in Backend::available() {
        let mut authenticator =
            OneTimeAuthenticator::new_with_backend(backend, &[0x7d; 32].into()).unwrap();
        authenticator.update(&[0xb6; 16 + 15]);
        let (before, after) = memory_around_drop(authenticator);
        assert!(
            contains_secret(&before),
            "the test looks in the wrong place"
        );
        assert!(is_wiped(&after), "{backend}: {after:x?}");

        let hash = Poly1305::new_with_backend(backend, &[0x7d; 32].into()).unwrap();
        let (before, after) = memory_around_drop(hash);
        assert!(
            contains_secret(&before),
            "the test looks in the wrong place"
        );
        assert!(is_wiped(&after), "{backend}: {after:x?}");
    }
}
