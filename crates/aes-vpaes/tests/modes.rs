//! RustCrypto's modes of operation over every back end, against the same over RustCrypto's AES.

#![allow(missing_docs, reason = "tests")]

mod common;

use aes_gcm::{
    AesGcm,
    aead::{AeadInOut, Nonce, Tag, array::Array},
};
use aes_vpaes::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit,
    consts::{U8, U12, U13, U16},
};
use ccm::Ccm;
use cmac::{Cmac, Mac};
use common::{Forced, Random, for_each_backend, force};
use eax::Eax;
use xts_mode::Xts128;

/// Lengths around the widths of all kernels, and some beyond.
const LENGTHS: [usize; 26] = [
    0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 144, 255, 256, 257, 383, 511,
    512, 513, 777, 1350,
];

/// Runs a function for the three key sizes over ours, on every back end, and over RustCrypto's, which must give the
/// same.
macro_rules! check {
    ($mode:ident, |$cipher:ident| $type:ty) => {
        for_each_backend(|backend| {
            force(backend);
            macro_rules! size {
                ($size:ident) => {{
                    let ours = {
                        type $cipher = Forced<aes_vpaes::$size>;
                        $mode::<$type>()
                    };
                    let theirs = {
                        type $cipher = aes::$size;
                        $mode::<$type>()
                    };
                    assert_eq!(ours, theirs, "{backend}");
                }};
            }
            size!(Aes128);
            size!(Aes192);
            size!(Aes256);
        });
    };
}

/// The same bytes for both sides.
fn bytes(n: usize) -> Vec<u8> {
    let mut random = Random(0x6d6f_6465_7300_0001);
    (0..n).map(|_| random.byte()).collect()
}

fn key<C: KeyInit>() -> Key<C> {
    Array::try_from(&bytes(C::key_size())[..]).expect("the length of a key")
}

/// Seals and opens messages of all lengths; returns what was sealed.
fn aead<A: KeyInit + AeadInOut>() -> Vec<(Vec<u8>, Tag<A>)> {
    let aead = A::new(&key::<A>());
    let nonce = Nonce::<A>::from_fn(|i| 0xa0 + i as u8);
    let seal = |n| {
        let message = bytes(n);
        let ad = &message[..n % 41];
        let mut buffer = message.clone();
        let sealed = aead.encrypt_inout_detached(&nonce, ad, buffer.as_mut_slice().into());
        let (tag, ciphertext) = (sealed.expect("short"), buffer.clone());
        aead.decrypt_inout_detached(&nonce, ad, buffer.as_mut_slice().into(), &tag)
            .expect("authentic");
        assert_eq!(buffer, message);
        (ciphertext, tag)
    };
    LENGTHS.into_iter().map(seal).collect()
}

#[test]
fn gcm() {
    check!(aead, |C| AesGcm<C, U12>);
    check!(aead, |C| AesGcm<C, U16>);
}

#[test]
fn ccm_with_both_lengths_of_counters() {
    check!(aead, |C| Ccm<C, U16, U13>);
    check!(aead, |C| Ccm<C, U8, U12>);
}

#[test]
fn eax() {
    check!(aead, |C| Eax<C>);
}

fn mac<M: KeyInit + Mac>() -> Vec<Vec<u8>> {
    let mac = |n| {
        let mut mac = <M as KeyInit>::new(&key::<M>());
        mac.update(&bytes(n));
        mac.finalize().into_bytes().to_vec()
    };
    LENGTHS.into_iter().map(mac).collect()
}

#[test]
fn cmac() {
    check!(mac, |C| Cmac<C>);
}

/// Encrypts and decrypts sectors, with ciphertext stealing; returns what was encrypted.
fn xts<C>() -> Vec<Vec<u8>>
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    let second = Key::<C>::from_fn(|i| i as u8);
    let xts = Xts128::new(C::new(&key::<C>()), C::new(&second));
    let encrypt = |n: usize| {
        let tweak = Array::from([n as u8; 16]);
        let sector = bytes(n);
        let mut buffer = sector.clone();
        xts.encrypt_sector(&mut buffer, tweak);
        let encrypted = buffer.clone();
        xts.decrypt_sector(&mut buffer, tweak);
        assert_eq!(buffer, sector);
        encrypted
    };
    let whole = LENGTHS.into_iter().filter(|&n| n >= 16);
    whole.map(encrypt).collect()
}

#[test]
fn xts_mode() {
    check!(xts, |C| C);
}
