//! States are gone from memory after a drop, whatever type holds them and whatever back end made them.

#![cfg(feature = "zeroize")]

use core::mem::{MaybeUninit, size_of};
use keccak_unrolled::digest::zeroize::ZeroizeOnDrop;
use keccak_unrolled::{
    Backend, CShake128, CShake256, CTurboShake128, CTurboShake256, CustomRefKt128, CustomRefKt256,
    ExtendableOutput, Keccak224, Keccak256, Keccak256Full, Keccak384, Keccak512, Kmac128, Kmac256,
    KmacXof128, KmacXof256, Kt128, Kt256, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128,
    Shake128xN, Shake256, Shake256xN, Update, XofReader,
};

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

/// `value` holds so many permuted states. Hardly a byte of them is zero; afterwards every byte is, but for names of back
/// ends, lengths that are not secret, a borrowed string's address and padding.
fn check<T: ZeroizeOnDrop>(backend: Backend, states: usize, value: T) {
    let name = core::any::type_name::<T>();
    let (before, after) = memory_around_drop(value);
    let set = |memory: &[u8]| memory.iter().filter(|&&byte| byte != 0).count();
    assert!(
        set(&before) > states * 180,
        "{backend} {name}: the test looks in the wrong place"
    );
    assert!(set(&after) < 40, "{backend} {name}: {after:x?}");
    // Lanes are not left where they were: only the padding after a back end's name, of which each sponge has one.
    let left = before.chunks(8).zip(after.chunks(8));
    let left = left.filter(|(before, after)| before == after && !before.contains(&0));
    assert!(left.count() <= 2, "{backend} {name}: {after:x?}");
}

#[test]
fn hashers_and_readers() {
    for backend in Backend::available() {
        let message = [0xb6; 400];
        macro_rules! hashes {
            ($($hash:ty)*) => {$(
                check(backend, 1, <$hash>::with_backend(backend).unwrap().chain(message));
            )*};
        }
        hashes!(Sha3_224 Sha3_256 Sha3_384 Sha3_512);
        hashes!(Keccak224 Keccak256 Keccak384 Keccak512 Keccak256Full);
        macro_rules! xofs {
            ($($hasher:expr;)*) => {$(
                check(backend, 1, $hasher.unwrap().chain(message));
                let mut reader = $hasher.unwrap().chain(message).finalize_xof();
                reader.read(&mut [0; 200]);
                check(backend, 1, reader);
            )*};
        }
        xofs! {
            Shake128::with_backend(backend);
            Shake256::with_backend(backend);
            CTurboShake128::<1>::with_backend(backend);
            CTurboShake256::<1>::with_backend(backend);
            CShake128::new_with_backend(backend, b"", b"custom");
            CShake256::new_with_backend(backend, b"", b"custom");
            KmacXof128::new_with_backend(backend, &[0x7d; 32], b"custom");
            KmacXof256::new_with_backend(backend, &[0x7d; 32], b"custom");
        }
        let kmac = Kmac128::new_with_backend(backend, &[0x7d; 32], b"").unwrap();
        check(backend, 1, kmac.chain(message));
        let kmac = Kmac256::new_with_backend(backend, &[0x7d; 32], b"").unwrap();
        check(backend, 1, kmac.chain(message));
    }
}

/// The final node and the leaf in hand. A message of one chunk has no leaf, and the room for it may hold anything.
#[test]
fn trees() {
    let message = vec![0xb6; 8192 + 400];
    for backend in Backend::available() {
        macro_rules! trees {
            ($($hasher:expr;)*) => {$(
                check(backend, 2, $hasher.unwrap().chain(&message));
                let mut reader = $hasher.unwrap().chain(&message).finalize_xof();
                reader.read(&mut [0; 200]);
                check(backend, 1, reader);
            )*};
        }
        trees! {
            Kt128::with_backend(backend);
            Kt256::with_backend(backend);
            CustomRefKt128::new_with_backend(backend, b"");
            CustomRefKt256::new_with_backend(backend, b"");
        }
    }
}

#[test]
fn parallel_states() {
    fn check_width<const N: usize>(backend: Backend) {
        let messages: [[u8; 34]; N] = core::array::from_fn(|i| [i as u8 + 1; 34]);
        let mut shakes = Shake128xN::new_with_backend(backend, messages.each_ref()).unwrap();
        shakes.squeeze([[0; 200]; N].each_mut());
        check(backend, N, shakes);
        let mut shakes = Shake256xN::new_with_backend(backend, messages.each_ref()).unwrap();
        shakes.squeeze([[0; 200]; N].each_mut());
        check(backend, N, shakes);
    }
    for backend in Backend::available() {
        check_width::<2>(backend);
        check_width::<4>(backend);
        check_width::<8>(backend);
    }
}
