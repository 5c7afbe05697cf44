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

/// A message in pieces holds the key and the rest of a keystream block, and what is made of the key.
#[cfg(feature = "hazmat")]
#[test]
fn messages_in_pieces_are_wiped() {
    use aead_chacha_poly::hazmat::{Open, Seal};
    let contains_key = |memory: &[u8]| memory.windows(32).any(|bytes| bytes == [0xa7; 32]);
    let nonce = [1; 12].into();
    // A block of keystream of which the last bytes are left, as RustCrypto makes it.
    let mut message = [0; 64];
    {
        use chacha20poly1305::{AeadInOut, KeyInit};
        chacha20poly1305::ChaCha20Poly1305::new(&[0xa7; 32].into())
            .encrypt_inout_detached(&nonce, b"", message[..].as_mut().into())
            .unwrap();
    }
    let keystream = &message[48..];
    let contains_keystream = |memory: &[u8]| memory.windows(16).any(|bytes| bytes == keystream);
    for backend in Backend::available() {
        let cipher = ChaCha20Poly1305::new_with_backend(backend, &[0xa7; 32].into()).unwrap();
        let mut seal = Seal::new(&cipher, &nonce, b"").unwrap();
        seal.update([0; 7][..].as_mut().into()).unwrap();
        let mut open = Open::new(&cipher, &nonce, b"").unwrap();
        let mut piece = [0; 7];
        let _ = open.update(piece[..].as_mut().into()).unwrap();
        for (before, after) in [memory_around_drop(seal), memory_around_drop(open)] {
            assert!(contains_key(&before) && contains_keystream(&before));
            assert!(
                !contains_key(&after) && !contains_keystream(&after),
                "{backend}"
            );
            let left = after.iter().filter(|&&byte| byte != 0).count();
            assert!(left < 32, "{backend}: {left} bytes, {after:x?}");
        }
    }
}
