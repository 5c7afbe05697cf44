//! Round keys are gone from memory after a drop.

#![cfg(feature = "zeroize")]
#![allow(missing_docs, reason = "tests")]

mod common;

use aes_vpaes::{
    Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc, Aes256, Aes256Dec, Aes256Enc,
};
use common::for_each_backend;
use core::mem::{MaybeUninit, size_of};

/// The bytes of the memory that `value` was in, before and after its drop.
fn memory_around_drop<T>(value: T) -> (Vec<u8>, Vec<u8>) {
    let mut place = Box::new(MaybeUninit::<T>::zeroed());
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

/// How many bytes are not zero.
fn nonzero(memory: &[u8]) -> usize {
    memory.iter().filter(|&&byte| byte != 0).count()
}

/// Of a cipher with `rounds` rounds is left what names the back end, and padding, which may hold what was there before:
/// together they are no longer than a round key.
fn check<T: zeroize::ZeroizeOnDrop>(cipher: T, rounds: usize, backend: aes_vpaes::Backend) {
    let (before, after) = memory_around_drop(cipher);
    let name = core::any::type_name::<T>();
    assert!(
        nonzero(&before) > 15 * rounds,
        "{backend}, {name}: the test looks in the wrong place"
    );
    assert!(nonzero(&after) <= 16, "{backend}, {name}: {after:x?}");
    // What stands in the same place, be it in few bytes.
    let kept = |(before, after): (&u8, &u8)| *before != 0 && before == after;
    let kept = before
        .iter()
        .zip(&after)
        .skip(16)
        .filter(|&pair| kept(pair));
    assert_eq!(kept.count(), 0, "{backend}, {name}");
}

/// All types, as they are made of keys, of one another and by cloning.
#[test]
#[cfg_attr(miri, ignore = "reads padding")]
fn round_keys_are_wiped() {
    for_each_backend(|backend| {
        macro_rules! check {
            ($both:ident, $enc:ident, $dec:ident, $n:literal, $rounds:literal) => {
                let key = core::array::from_fn::<u8, $n, _>(|i| 0xc3 ^ i as u8).into();
                let both = $both::new_with_backend(backend, &key).unwrap();
                let enc = $enc::new_with_backend(backend, &key).unwrap();
                let dec = $dec::new_with_backend(backend, &key).unwrap();
                check(both.clone(), $rounds, backend);
                check($both::from(&enc), $rounds, backend);
                check($dec::from(&enc), $rounds, backend);
                check(enc.clone(), $rounds, backend);
                check(dec.clone(), $rounds, backend);
                check(both, $rounds, backend);
                check(enc, $rounds, backend);
                check(dec, $rounds, backend);
            };
        }
        check!(Aes128, Aes128Enc, Aes128Dec, 16, 10);
        check!(Aes192, Aes192Enc, Aes192Dec, 24, 12);
        check!(Aes256, Aes256Enc, Aes256Dec, 32, 14);
    });
}
