//! Every back end against the slow model and against RustCrypto's crates.

#![allow(missing_docs, reason = "tests")]

mod common;

use aes_vpaes::{
    Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc, Aes256, Aes256Dec, Aes256Enc,
    Backend, Block,
    cipher::{
        AlgorithmName, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
        BlockSizeUser, InnerIvInit, Key, KeyInit, KeySizeUser, StreamCipher,
        StreamCipherCoreWrapper, block_padding::Pkcs7, consts::U16,
    },
};
use common::{Model, Random, for_each_backend, inv_s_box, s_box};
use core::fmt;
use std::collections::HashSet;

/// Repeats a test for the three key sizes: with our types for both directions, for encryption and for decryption,
/// and with RustCrypto's type for both.
macro_rules! for_each_size {
    ($test:ident($($arg:expr),*)) => {
        $test!(Aes128, Aes128Enc, Aes128Dec, aes::Aes128, 16 $(, $arg)*);
        $test!(Aes192, Aes192Enc, Aes192Dec, aes::Aes192, 24 $(, $arg)*);
        $test!(Aes256, Aes256Enc, Aes256Dec, aes::Aes256, 32 $(, $arg)*);
    };
}

#[test]
fn names_and_availability() {
    let names: Vec<_> = Backend::ALL.iter().map(|b| b.name()).collect();
    assert_eq!(
        names,
        [
            "soft",
            "soft32",
            "ssse3",
            "avx2",
            "avx512",
            "aesni",
            "vaes256",
            "vaes512",
            "neon",
            "armv8_ce",
            "armv7_neon",
            "simd128"
        ]
    );
    for backend in Backend::ALL {
        assert_eq!(backend.to_string(), backend.name());
        let available = Backend::available().any(|b| b == *backend);
        assert_eq!(available, backend.is_available());
        let cipher = Aes128::new_with_backend(*backend, &Key::<Aes128>::default());
        assert_eq!(cipher.is_some(), available);
        assert!(cipher.is_none_or(|cipher| cipher.backend() == *backend));
    }
    assert!(Backend::detect().is_available());
    assert!(Backend::soft().is_available());
    let detected = Aes256Dec::new(&Key::<Aes256Dec>::default()).backend();
    assert_eq!(detected, Backend::detect());
    assert_eq!(
        aes_vpaes::hardware_accelerated(),
        detected.uses_aes_instructions()
    );
}

/// A user's code, with either crate under the name `aes`.
macro_rules! user {
    ($module:ident, $krate:ident) => {
        mod $module {
            use aes::{
                Aes128, Aes192, Aes192Dec, Aes192Enc, Aes256, Block,
                cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, Key, KeyInit},
            };
            use $krate as aes;

            pub(super) fn run() -> [Block; 5] {
                let _: bool = aes::hardware_accelerated();
                let mut blocks: [Block; 5] = [Array::from([42; 16]); 5];
                Aes128::new(&Array::from([1; 16])).encrypt_blocks(&mut blocks);
                let enc = Aes192Enc::new(&Key::<Aes192Enc>::from([2; 24]));
                enc.encrypt_block(&mut blocks[1]);
                Aes192Dec::from(&enc).decrypt_block(&mut blocks[2]);
                Aes192::from(enc.clone()).decrypt_block(&mut blocks[3]);
                Aes256::new_from_slice(&[3; 32])
                    .unwrap()
                    .decrypt_block(&mut blocks[4]);
                blocks
            }
        }
    };
}
user!(with_ours, aes_vpaes);
user!(with_theirs, aes);

#[test]
fn drop_in() {
    assert_eq!(with_ours::run(), with_theirs::run());
}

/// The model holds to the definitions, before anything is compared with it.
#[test]
fn the_model_agrees_with_rustcrypto() {
    for x in 0..=255 {
        assert_eq!(inv_s_box(s_box(x)), x);
    }
    let mut random = Random(0x6d6f_6465_6c00_0001);
    macro_rules! check {
        ($both:ident, $enc:ident, $dec:ident, $theirs:ty, $n:literal) => {
            for _ in 0..20 {
                let key: [u8; $n] = random.bytes();
                let mut block = Block::from(random.bytes());
                let model = Model::new(&key);
                let encrypted = model.encrypt(&block);
                assert_eq!(model.decrypt(&encrypted), block);
                <$theirs>::new(&key.into()).encrypt_block(&mut block);
                assert_eq!(encrypted, block);
            }
        };
    }
    for_each_size!(check());
}

/// Every S-box entry at every byte of a block, at every block of batches of every length, so that each kernel for one,
/// a few and many blocks has them all. What is known of a state are its first S-boxes, whose input is the plaintext
/// plus the first round key, and its last ones, whose output is the ciphertext plus the last round key: both, in both
/// directions, since kernels have rounds of their own at both ends.
#[test]
fn every_s_box_entry() {
    let key: [u8; 16] = Random(0x7362_6f78_0000_0001).bytes();
    let model = Model::new(&key);
    let (first, last) = (model.round_keys[0], model.round_keys[10]);
    let block = |x: usize, step: usize, key: [u8; 16]| {
        Block::from(core::array::from_fn(|i| (x + step * i) as u8 ^ key[i]))
    };
    // Twice over, so that a batch may begin with any.
    let pairs: Vec<[Block; 2]> = (0..512)
        .map(|x| block(x, 17, first))
        .map(|plaintext| [plaintext, model.encrypt(&plaintext)])
        .collect();
    let backwards: Vec<[Block; 2]> = (0..512)
        .map(|x| block(x, 13, last))
        .map(|ciphertext| [model.decrypt(&ciphertext), ciphertext])
        .collect();
    let sets = [pairs, backwards]
        .map(|pairs| [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>()));

    for_each_backend(|backend| {
        let cipher = Aes128::new_with_backend(backend, &key.into()).unwrap();
        for [plaintext, ciphertext] in &sets {
            for i in 0..256 {
                let mut block = plaintext[i];
                cipher.encrypt_block(&mut block);
                assert_eq!(block, ciphertext[i], "{backend}");
                cipher.decrypt_block(&mut block);
                assert_eq!(block, plaintext[i], "{backend}");
            }
            for n in (1..=17).chain([32]) {
                for at in 0..256 {
                    let mut blocks = plaintext[at..at + n].to_vec();
                    cipher.encrypt_blocks(&mut blocks);
                    assert_eq!(blocks, ciphertext[at..at + n], "{backend}, {n}");
                    cipher.decrypt_blocks(&mut blocks);
                    assert_eq!(blocks, plaintext[at..at + n], "{backend}, {n}");
                }
            }
        }
    });
}

/// Random keys until every byte of every SubWord of the key expansion has had every value.
fn keys_for_every_sub_word<const N: usize>(random: &mut Random) -> Vec<[u8; N]> {
    let nk = N / 4;
    let mut missing: HashSet<(usize, usize, u8)> = (nk..4 * (nk + 7))
        .filter(|i| i % nk == 0 || nk > 6 && i % nk == 4)
        .flat_map(|i| (0..4).flat_map(move |byte| (0..=255).map(move |x| (i, byte, x))))
        .collect();
    let mut keys = Vec::new();
    while !missing.is_empty() {
        let key = random.bytes();
        let words = Model::new(&key).round_keys.concat();
        for (i, byte) in (nk..4 * (nk + 7)).flat_map(|i| (0..4).map(move |byte| (i, byte))) {
            missing.remove(&(i, byte, words[4 * (i - 1) + byte]));
        }
        keys.push(key);
    }
    keys
}

/// Some thousand random keys of each size, which bring every value to every S-box of the key expansion; both directions,
/// alone and in a batch.
#[test]
fn key_schedules() {
    let mut random = Random(0x6b65_7973_0000_0001);
    macro_rules! check {
        ($both:ident, $enc:ident, $dec:ident, $theirs:ty, $n:literal) => {
            let cases: Vec<([u8; $n], [Block; 3])> = keys_for_every_sub_word(&mut random)
                .into_iter()
                .map(|key| {
                    let model = Model::new(&key);
                    let block = Block::from(random.bytes());
                    (key, [block, model.encrypt(&block), model.decrypt(&block)])
                })
                .collect();
            assert!(cases.len() > 1000);
            for_each_backend(|backend| {
                for (key, [block, encrypted, decrypted]) in &cases {
                    let enc = $enc::new_with_backend(backend, key.into()).unwrap();
                    let mut one = *block;
                    enc.encrypt_block(&mut one);
                    assert_eq!(one, *encrypted, "{backend}");
                    let mut many = [*block; 9];
                    enc.encrypt_blocks(&mut many);
                    assert_eq!(many, [*encrypted; 9], "{backend}");

                    let dec = $dec::new_with_backend(backend, key.into()).unwrap();
                    let mut one = *block;
                    dec.decrypt_block(&mut one);
                    assert_eq!(one, *decrypted, "{backend}");
                    let mut many = [*block; 9];
                    dec.decrypt_blocks(&mut many);
                    assert_eq!(many, [*decrypted; 9], "{backend}");

                    let both = $both::new_with_backend(backend, key.into()).unwrap();
                    let mut one = *block;
                    both.encrypt_block(&mut one);
                    assert_eq!(one, *encrypted, "{backend}");
                    one = *block;
                    both.decrypt_block(&mut one);
                    assert_eq!(one, *decrypted, "{backend}");
                }
            });
        };
    }
    for_each_size!(check());
}

/// The blocks at some bytes of a buffer.
fn blocks_at(buffer: &mut [u8], at: usize, n: usize) -> &mut [Block] {
    Block::slice_as_chunks_mut(&mut buffer[at..at + 16 * n]).0
}

/// Every number of blocks, in place and from buffer to buffer, at even and odd addresses.
#[test]
fn block_counts() {
    for_each_backend(|backend| {
        let mut random = Random(0x636f_756e_7400_0001);
        macro_rules! check {
            ($both:ident, $enc:ident, $dec:ident, $theirs:ty, $n:literal) => {
                let key: [u8; $n] = random.bytes();
                let cipher = $both::new_with_backend(backend, &key.into()).unwrap();
                let theirs = <$theirs>::new(&key.into());
                let model = Model::new(&key);
                for n in 0..=64 {
                    let input = random.blocks(n);
                    let mut encrypted = input.clone();
                    theirs.encrypt_blocks(&mut encrypted);
                    let mut decrypted = input.clone();
                    theirs.decrypt_blocks(&mut decrypted);
                    if let Some(last) = input.last() {
                        assert_eq!(encrypted[n - 1], model.encrypt(last));
                        assert_eq!(decrypted[n - 1], model.decrypt(last));
                    }
                    for (from, to) in [(0, 0), (1, 0), (3, 5), (7, 1), (8, 15)] {
                        let (mut source, mut target) =
                            (vec![0; 16 * n + 16], vec![0xa5; 16 * n + 32]);
                        let source = blocks_at(&mut source, from, n);
                        source.copy_from_slice(&input);

                        cipher
                            .encrypt_blocks_b2b(source, blocks_at(&mut target, to, n))
                            .unwrap();
                        assert_eq!(blocks_at(&mut target, to, n), encrypted, "{backend}, {n}");
                        cipher
                            .decrypt_blocks_b2b(source, blocks_at(&mut target, to, n))
                            .unwrap();
                        assert_eq!(blocks_at(&mut target, to, n), decrypted, "{backend}, {n}");
                        assert_eq!(source, input, "{backend}, {n}");
                        assert!(target[..to].iter().all(|&b| b == 0xa5));
                        assert!(target[to + 16 * n..].iter().all(|&b| b == 0xa5));

                        cipher.encrypt_blocks(source);
                        assert_eq!(source, encrypted, "{backend}, {n}");
                        source.copy_from_slice(&input);
                        cipher.decrypt_blocks(source);
                        assert_eq!(source, decrypted, "{backend}, {n}");
                    }
                }
                let (short, mut long) = (random.blocks(2), random.blocks(3));
                assert!(cipher.encrypt_blocks_b2b(&short, &mut long).is_err());
                assert!(cipher.decrypt_blocks_b2b(&short, &mut long).is_err());
            };
        }
        for_each_size!(check());
    });
}

/// Each block of a batch has its own result, wherever it stands.
#[test]
fn lanes_do_not_mix() {
    for_each_backend(|backend| {
        let cipher = Aes128::new_with_backend(backend, &[0x5a; 16].into()).unwrap();
        let zero = Block::default();
        let (mut encrypted, mut decrypted) = (zero, zero);
        cipher.encrypt_block(&mut encrypted);
        cipher.decrypt_block(&mut decrypted);
        for position in 0..16 {
            let mut input = [zero; 16];
            input[position] = Block::from([0xff; 16]);
            let (mut enc, mut dec) = (input, input);
            cipher.encrypt_blocks(&mut enc);
            cipher.decrypt_blocks(&mut dec);
            for i in (0..16).filter(|&i| i != position) {
                assert_eq!(enc[i], encrypted, "{backend}, {position}");
                assert_eq!(dec[i], decrypted, "{backend}, {position}");
            }
            assert_ne!(enc[position], encrypted);
            assert_ne!(dec[position], decrypted);
        }
    });
}

/// Conversions keep key and back end.
#[test]
fn conversions() {
    for_each_backend(|backend| {
        let mut random = Random(0x6672_6f6d_0000_0001);
        macro_rules! check {
            ($both:ident, $enc:ident, $dec:ident, $theirs:ty, $n:literal) => {
                let key: [u8; $n] = random.bytes();
                let block = Block::from(random.bytes());
                let enc = $enc::new_with_backend(backend, &key.into()).unwrap();
                let model = Model::new(&key);
                for both in [
                    $both::from(&enc),
                    $both::from(enc.clone()),
                    $both::from(&enc).clone(),
                ] {
                    assert_eq!(both.backend(), backend);
                    let mut b = block;
                    both.encrypt_block(&mut b);
                    assert_eq!(b, model.encrypt(&block), "{backend}");
                    both.decrypt_block(&mut b);
                    assert_eq!(b, block, "{backend}");
                }
                for dec in [
                    $dec::from(&enc),
                    $dec::from(enc.clone()),
                    $dec::from(&enc).clone(),
                ] {
                    assert_eq!(dec.backend(), backend);
                    let mut b = block;
                    dec.decrypt_block(&mut b);
                    assert_eq!(b, model.decrypt(&block), "{backend}");
                }
            };
        }
        for_each_size!(check());
    });
}

fn ctr<C>(cipher: C, iv: &Block, data: &[u8]) -> Vec<u8>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
{
    let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(cipher, iv);
    let mut data = data.to_vec();
    StreamCipherCoreWrapper::from_core(core).apply_keystream(&mut data);
    data
}

fn cbc<C>(cipher: C, iv: &Block, data: &[u8]) -> Vec<u8>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
{
    let mut buffer = vec![0; data.len() + 16];
    cbc::Encryptor::inner_iv_init(cipher, iv)
        .encrypt_padded_b2b::<Pkcs7>(data, &mut buffer)
        .unwrap()
        .to_vec()
}

fn cbc_decrypt<C>(cipher: C, iv: &Block, data: &[u8]) -> Vec<u8>
where
    C: BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    let mut buffer = data.to_vec();
    cbc::Decryptor::inner_iv_init(cipher, iv)
        .decrypt_padded::<Pkcs7>(&mut buffer)
        .unwrap()
        .to_vec()
}

/// The modes of operation, at every length; the counter wraps in its low 32 bits.
#[test]
fn modes_of_operation() {
    for_each_backend(|backend| {
        let mut random = Random(0x6d6f_6465_0000_0001);
        let data: [u8; 600] = random.bytes();
        macro_rules! check {
            ($both:ident, $enc:ident, $dec:ident, $theirs:ty, $n:literal) => {
                let key: [u8; $n] = random.bytes();
                let mut iv = Block::from(random.bytes());
                iv[12..].copy_from_slice(&0xffff_fff0u32.to_be_bytes());
                let ours = $both::new_with_backend(backend, &key.into()).unwrap();
                let theirs = <$theirs>::new(&key.into());
                for n in 0..=data.len() {
                    let data = &data[..n];
                    assert_eq!(
                        ctr(&ours, &iv, data),
                        ctr(&theirs, &iv, data),
                        "{backend}, {n}"
                    );
                    let ciphertext = cbc(&ours, &iv, data);
                    assert_eq!(ciphertext, cbc(&theirs, &iv, data), "{backend}, {n}");
                    assert_eq!(cbc_decrypt(&ours, &iv, &ciphertext), data, "{backend}, {n}");
                }
            };
        }
        for_each_size!(check());
    });
}

/// A name without the key, as RustCrypto's.
#[test]
fn debug_and_algorithm_name() {
    struct Name<C>(C);
    impl<C: AlgorithmName> fmt::Display for Name<C> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            C::write_alg_name(f)
        }
    }
    macro_rules! check {
        ($($name:ident)*) => {$(
            let ours = $name::new(&Key::<$name>::default());
            let theirs = aes::$name::new(&Key::<$name>::default());
            assert_eq!(format!("{ours:?}"), concat!(stringify!($name), " { .. }"));
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
            assert_eq!(Name(ours).to_string(), stringify!($name));
        )*};
    }
    check!(Aes128 Aes128Enc Aes128Dec Aes192 Aes192Enc Aes192Dec Aes256 Aes256Enc Aes256Dec);
}

/// Keys from slices are of the right length or refused.
#[test]
fn key_lengths() {
    for n in 0..=64 {
        let key = vec![1; n];
        assert_eq!(Aes128::new_from_slice(&key).is_ok(), n == 16);
        assert_eq!(Aes192Enc::new_from_slice(&key).is_ok(), n == 24);
        assert_eq!(Aes256Dec::new_from_slice(&key).is_ok(), n == 32);
    }
    assert_eq!(
        (Aes128::key_size(), Aes192::key_size(), Aes256::key_size()),
        (16, 24, 32)
    );
    assert_eq!(Aes256::block_size(), 16);
}

#[cfg(feature = "hazmat")]
#[test]
fn hazmat_agrees_with_rustcrypto() {
    use aes::hazmat as theirs;
    use aes_vpaes::{
        cipher::Array,
        hazmat::{self as ours, Block8},
    };

    let mut random = Random(0x6861_7a6d_6174_0001);
    for _ in 0..1000 {
        macro_rules! check {
            ($name:ident, $input:expr $(, $key:expr)?) => {
                let (mut a, mut b) = ($input, $input);
                ours::$name(&mut a $(, $key)?);
                theirs::$name(&mut b $(, $key)?);
                assert_eq!(a, b, stringify!($name));
            };
        }
        let block = Block::from(random.bytes());
        let key = Block::from(random.bytes());
        check!(cipher_round, block, &key);
        check!(equiv_inv_cipher_round, block, &key);
        check!(mix_columns, block);
        check!(inv_mix_columns, block);

        let blocks: Block8 = Array::from_fn(|_| Block::from(random.bytes()));
        let keys: Block8 = Array::from_fn(|_| Block::from(random.bytes()));
        check!(cipher_round_par, blocks, &keys);
        check!(equiv_inv_cipher_round_par, blocks, &keys);
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Any key, any blocks, cut anywhere: one call is as good as two.
        #[test]
        fn any_key_and_blocks(
            key in any::<[u8; 32]>(),
            blocks in prop::collection::vec(any::<[u8; 16]>(), 0..40),
            cut in 0..40usize,
        ) {
            let blocks: Vec<Block> = blocks.into_iter().map(Block::from).collect();
            let cut = cut.min(blocks.len());
            let mut expected = blocks.clone();
            aes::Aes256::new(&key.into()).encrypt_blocks(&mut expected);
            for backend in Backend::available() {
                let cipher = Aes256::new_with_backend(backend, &key.into()).unwrap();
                let mut ours = blocks.clone();
                let (left, right) = ours.split_at_mut(cut);
                cipher.encrypt_blocks(left);
                cipher.encrypt_blocks(right);
                prop_assert_eq!(&ours, &expected);
                let (left, right) = ours.split_at_mut(cut);
                cipher.decrypt_blocks(left);
                cipher.decrypt_blocks(right);
                prop_assert_eq!(&ours, &blocks);
            }
        }
    }
}
