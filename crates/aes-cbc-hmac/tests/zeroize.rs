//! Secrets are gone from memory after a drop (RustCrypto `poly1305` issue 343: a wipe that wiped the wrong thing).
//! Those of the block cipher are the business of `aes-vpaes` and its tests.

#![cfg(feature = "zeroize")]

use aes_cbc_hmac::{
    Backend,
    jose::A128CbcHs256,
    tls::{Aes128Sha256, ChainedOpener, ChainedSealer, EncryptThenMac, Opener, Sealer},
};
use core::mem::{MaybeUninit, size_of};
use zeroize::ZeroizeOnDrop;

/// The bytes of the memory that `value` was in, before and after its drop.
fn memory_around_drop<T: ZeroizeOnDrop>(value: T) -> (Vec<u8>, Vec<u8>) {
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

/// The chaining value of SHA-256 behind a MAC key's inner or outer block, in words of the machine's own byte order.
fn chaining_value(key: &[u8], pad: u8) -> Vec<u8> {
    let mut block = [pad; 64];
    for (byte, key) in block.iter_mut().zip(key) {
        *byte ^= key;
    }
    let mut state = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    sha2::block_api::compress256(&mut state, &[block]);
    state.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

fn check<T: ZeroizeOnDrop>(mac_key: &[u8], iv: Option<&[u8]>, value: T) {
    let (before, after) = memory_around_drop(value);
    let inner = chaining_value(mac_key, 0x36);
    let outer = chaining_value(mac_key, 0x5c);
    for secret in [&inner[..], &outer].into_iter().chain(iv) {
        // Other copies may lie where a back end's round keys take less room than another's would: what moves of other
        // values left on the stack. A drop changes only what belongs to the value.
        let mut places =
            (0..=before.len() - secret.len()).filter(|&i| before[i..].starts_with(secret));
        assert!(places.any(|i| after[i..][..secret.len()].iter().all(|&byte| byte == 0)));
    }
}

#[test]
fn keys_are_wiped() {
    let key: [u8; 64] = core::array::from_fn(|i| 0x80 + i as u8);
    let mac_key = &key[..32];
    let iv = Some(&key[48..]);
    for backend in Backend::available() {
        let k = key[..48].try_into().unwrap();
        check(
            mac_key,
            None,
            Sealer::<Aes128Sha256>::new_with_backend(backend, &k).unwrap(),
        );
        check(
            mac_key,
            None,
            Opener::<Aes128Sha256, EncryptThenMac>::new_with_backend(backend, &k).unwrap(),
        );
        let k = key.into();
        check(
            mac_key,
            iv,
            ChainedSealer::<Aes128Sha256>::new_with_backend(backend, &k).unwrap(),
        );
        check(
            mac_key,
            iv,
            ChainedOpener::<Aes128Sha256>::new_with_backend(backend, &k).unwrap(),
        );
        let k = key[..32].try_into().unwrap();
        check(
            &key[..16],
            None,
            A128CbcHs256::new_with_backend(backend, &k).unwrap(),
        );
    }
}
