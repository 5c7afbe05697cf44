//! Secrets are gone from memory after a drop (RustCrypto `poly1305` issue 343: a wipe that wiped the wrong thing).

#![cfg(feature = "zeroize")]

use core::mem::{MaybeUninit, size_of};
use kyber::{
    Backend, DecapsulationKey, ExpandedKeyEncoding, Kyber512, Kyber768, Kyber1024, MlKem512,
    MlKem768, MlKem1024, ParameterSet,
};

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

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|w| w == needle)
}

/// The places of runs of `len` bytes in which the vector s-hat shows: coefficient after coefficient in NTT order,
/// nearest to zero after generation, in 0..q after import.
fn s_hat_rows(expanded: &[u8]) -> Vec<[Vec<u8>; 2]> {
    let value = |i: usize| {
        let bytes = &expanded[i / 2 * 3..];
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
        (word >> (12 * (i % 2)) & 0xfff) as i16
    };
    // Sixteen coefficients that stand together: each is sixteen places further on in the encoding.
    let row = |first: usize, shift: bool| -> Vec<u8> {
        (0..16)
            .map(|i| value(first + 16 * i))
            .map(|c| if shift && c > 1664 { c - 3329 } else { c })
            .flat_map(i16::to_ne_bytes)
            .collect()
    };
    (0..16)
        .map(|first| [row(first, true), row(first, false)])
        .collect()
}

fn check<P: ParameterSet>() {
    let seed: [u8; 64] = core::array::from_fn(|i| 0x80 ^ (5 * i) as u8);
    for backend in Backend::available() {
        let dk = DecapsulationKey::<P>::from_seed_with_backend(backend, seed.into()).unwrap();
        let expanded = dk.to_expanded_bytes();
        let imported = DecapsulationKey::<P>::from_expanded_with_backend(backend, &expanded);
        let imported = imported.unwrap().unwrap();
        for (dk, halves) in [(dk, &[0, 32][..]), (imported, &[32])] {
            let (before, after) = memory_around_drop(dk);
            for half in halves {
                assert!(
                    contains(&before, &seed[*half..][..32]),
                    "the test looks in the wrong place"
                );
                assert!(!contains(&after, &seed[*half..][..32]));
            }
            for rows in s_hat_rows(&expanded) {
                assert!(
                    rows.iter().any(|row| contains(&before, row)),
                    "the test looks in the wrong place"
                );
                assert!(!rows.iter().any(|row| contains(&after, row)));
            }
        }
    }
}

#[test]
fn keys_are_wiped() {
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
    check::<Kyber512>();
    check::<Kyber768>();
    check::<Kyber1024>();
}
