//! Nonce and counter of each form of the cipher.

use crate::{
    Key,
    backends::Available,
    state::{Core, Rounds, Sealed, hchacha, wipe},
};
use cipher::{
    array::{Array, ArraySize},
    consts::{U8, U12, U24},
};

/// A form of nonce and counter: [`Ietf`], [`Extended`] or [`Legacy`].
pub trait Variant: Sealed + 'static {
    /// Bytes in a nonce.
    type NonceSize: ArraySize;
    /// How many 64-byte blocks of keystream a nonce has: a power of two.
    const BLOCKS: u128;

    #[doc(hidden)]
    fn core<R: Rounds>(
        available: Available,
        key: &Key,
        nonce: &Array<u8, Self::NonceSize>,
    ) -> Core<R>;
}

/// A 96-bit nonce and a 32-bit block counter (RFC 8439, section 2.3).
#[derive(Clone, Copy, Debug)]
pub struct Ietf;

/// A 192-bit nonce, of which HChaCha takes 128 bits, and a 32-bit block counter (draft-irtf-cfrg-xchacha-03,
/// section 2.3).
#[derive(Clone, Copy, Debug)]
pub struct Extended;

/// A 64-bit nonce and a 64-bit block counter (Bernstein, "ChaCha, a variant of Salsa20", 2008).
#[derive(Clone, Copy, Debug)]
pub struct Legacy;

impl Sealed for Ietf {}
impl Sealed for Extended {}
impl Sealed for Legacy {}

impl Variant for Ietf {
    type NonceSize = U12;
    const BLOCKS: u128 = 1 << 32;

    #[inline(always)]
    fn core<R: Rounds>(available: Available, key: &Key, nonce: &Array<u8, U12>) -> Core<R> {
        Core::new(available, &key.0, &nonce.0)
    }
}

impl Variant for Extended {
    type NonceSize = U24;
    const BLOCKS: u128 = 1 << 32;

    #[inline(always)]
    fn core<R: Rounds>(available: Available, key: &Key, nonce: &Array<u8, U24>) -> Core<R> {
        let (input, rest) = nonce.split_ref();
        let mut subkey = hchacha::<R>(key, input);
        let core = zero_extended(available, &subkey, rest);
        wipe(&mut subkey);
        core
    }
}

impl Variant for Legacy {
    type NonceSize = U8;
    const BLOCKS: u128 = 1 << 64;

    #[inline(always)]
    fn core<R: Rounds>(available: Available, key: &Key, nonce: &Array<u8, U8>) -> Core<R> {
        zero_extended(available, key, nonce)
    }
}

/// A core whose word 13 starts at zero, before a 64-bit nonce.
#[inline(always)]
fn zero_extended<R: Rounds>(available: Available, key: &Key, nonce: &Array<u8, U8>) -> Core<R> {
    let mut tail = [0; 12];
    tail[4..].copy_from_slice(nonce);
    Core::new(available, &key.0, &tail)
}
