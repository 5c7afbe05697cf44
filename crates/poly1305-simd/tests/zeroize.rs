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

fn count_not_zero(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte != 0).count()
}

#[test]
fn keys_accumulators_and_buffers_are_wiped() {
    for backend in Backend::available() {
        let mut authenticator =
            OneTimeAuthenticator::new_with_backend(backend, &[0x7d; 32].into()).unwrap();
        authenticator.update(&[0xb6; 16 + 15]);
        let (before, after) = memory_around_drop(authenticator);
        assert!(
            count_not_zero(&before) > 16 + 16 + 15,
            "the test looks in the wrong place"
        );
        assert!(
            count_not_zero(&after) < 8,
            "{backend}: the name of the back end and a length are left only"
        );

        let hash = Poly1305::new_with_backend(backend, &[0x7d; 32].into()).unwrap();
        let (before, after) = memory_around_drop(hash);
        assert!(count_not_zero(&before) >= 32);
        assert!(count_not_zero(&after) < 8, "{backend}");
    }
}
