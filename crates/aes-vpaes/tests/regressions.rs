//! Public bugs in other implementations of AES, which must not recur here.

#![allow(missing_docs, reason = "tests")]

mod common;

use aes_vpaes::{
    Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc, Aes256, Aes256Dec, Aes256Enc,
    Block,
    cipher::{
        BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, InOutBuf, InnerIvInit, KeyInit,
        StreamCipher, StreamCipherCoreWrapper,
    },
};
use common::{Model, Random, for_each_backend};
use hex_literal::hex;

/// Botan f9cfa2b92 (2025) and OpenSSL #10692, #10751: byte order of table constants, shuffles and stored round keys
/// wrong on big-endian machines. Every byte of key and block is different here, so that no exchange of bytes goes
/// unseen; the values are those of FIPS 197, appendix C.2.
#[test]
fn byte_order() {
    for_each_backend(|backend| {
        let key = hex!("000102030405060708090a0b0c0d0e0f1011121314151617").into();
        let plaintext = Block::from(hex!("00112233445566778899aabbccddeeff"));
        let ciphertext = Block::from(hex!("dda97ca4864cdfe06eaf70a0ec0d7191"));
        let cipher = Aes192::new_with_backend(backend, &key).unwrap();
        let mut blocks = [plaintext; 17];
        cipher.encrypt_blocks(&mut blocks);
        assert_eq!(blocks, [ciphertext; 17], "{backend}");
        cipher.decrypt_blocks(&mut blocks);
        assert_eq!(blocks, [plaintext; 17], "{backend}");
    });
}

/// ring cfbd46b77 (the tail handed from the wide kernel to the narrow one was cut in the wrong place) and OpenSSL
/// #20413, #20796, #27197 (faults past a length threshold): every number of blocks about the widths of all kernels,
/// block by block against RustCrypto's AES, with the counters of CTR mode as input.
#[test]
fn hand_over_between_kernels() {
    for_each_backend(|backend| {
        let key = [0x11; 32].into();
        let cipher = Aes256::new_with_backend(backend, &key).unwrap();
        let theirs = aes::Aes256::new(&key);
        for n in (1..=70).chain([127, 128, 129, 255, 256, 257, 512, 513]) {
            let input: Vec<Block> = (0..n as u128).map(|i| i.to_be_bytes().into()).collect();
            let mut output = input.clone();
            cipher.encrypt_blocks(&mut output);
            for (i, (input, output)) in input.iter().zip(&output).enumerate() {
                let mut expected = *input;
                theirs.encrypt_block(&mut expected);
                assert_eq!(*output, expected, "{backend}, block {i} of {n}");
            }
        }
    });
}

/// Crypto++ #683, #1088, #1236: CFB and CTR wrong where input and output are the same buffer. In place against buffer
/// to buffer, CTR, CBC decryption and ECB, at every number of blocks; CBC needs the ciphertext once more after the
/// plaintext has been written.
#[test]
fn in_place_like_buffer_to_buffer() {
    for_each_backend(|backend| {
        let cipher = Aes128::new_with_backend(backend, &[0x22; 16].into()).unwrap();
        let mut random = Random(0x696e_706c_6163_6501);
        let iv = Block::from([0xff; 16]);
        for n in 1..=64 {
            let input = random.blocks(n);

            let mut in_place = input.clone();
            let mut other = vec![Block::default(); n];
            cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(&mut in_place);
            cbc::Decryptor::inner_iv_init(&cipher, &iv)
                .decrypt_blocks_b2b(&input, &mut other)
                .unwrap();
            assert_eq!(in_place, other, "{backend}, CBC, {n}");

            let core = || ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(&cipher, &iv);
            let bytes = input.concat();
            let mut in_place = bytes.clone();
            let mut other = vec![0; bytes.len()];
            StreamCipherCoreWrapper::from_core(core()).apply_keystream(&mut in_place);
            StreamCipherCoreWrapper::from_core(core())
                .apply_keystream_inout(InOutBuf::new(&bytes, &mut other).unwrap());
            assert_eq!(in_place, other, "{backend}, CTR, {n}");

            let mut in_place = input.clone();
            let mut other = vec![Block::default(); n];
            cipher.encrypt_blocks(&mut in_place);
            cipher.encrypt_blocks_b2b(&input, &mut other).unwrap();
            assert_eq!(in_place, other, "{backend}, ECB, {n}");
        }
    });
}

/// liboqs #800: the decryption key schedule was never set, and output had to be aligned. Separate objects for the two
/// directions return the block, from and to odd addresses; the ciphertext is RustCrypto's.
#[test]
fn separate_objects_and_odd_addresses() {
    for_each_backend(|backend| {
        macro_rules! check {
            ($enc:ident, $dec:ident, $theirs:ty, $n:literal) => {
                let key = core::array::from_fn::<u8, $n, _>(|i| 0xf0 ^ i as u8).into();
                let enc = $enc::new_with_backend(backend, &key).unwrap();
                let dec = $dec::new_with_backend(backend, &key).unwrap();
                let plaintext = Block::from([0x3c; 16]);
                let mut expected = plaintext;
                <$theirs>::new(&key).encrypt_block(&mut expected);
                for at in 0..16 {
                    let mut buffer = [0u8; 32];
                    let (blocks, _) = Block::slice_as_chunks_mut(&mut buffer[at..]);
                    enc.encrypt_block_b2b(&plaintext, &mut blocks[0]);
                    assert_eq!(blocks[0], expected, "{backend}");
                    dec.decrypt_block(&mut blocks[0]);
                    assert_eq!(blocks[0], plaintext, "{backend}");
                }
            };
        }
        check!(Aes128Enc, Aes128Dec, aes::Aes128, 16);
        check!(Aes192Enc, Aes192Dec, aes::Aes192, 24);
        check!(Aes256Enc, Aes256Dec, aes::Aes256, 32);
    });
}

/// BoringSSL dedd23e59, 053880d3f, 2feab0c08: round keys converted from one form to another differed from those
/// expanded directly. 1000 keys of each size; the model, which knows one form alone, says what is right.
#[test]
fn converted_keys_like_expanded_keys() {
    for_each_backend(|backend| {
        let mut random = Random(0x636f_6e76_6572_7401);
        macro_rules! check {
            ($both:ident, $enc:ident, $dec:ident, $n:literal) => {
                for _ in 0..1000 {
                    let key: [u8; $n] = random.bytes();
                    let enc = $enc::new_with_backend(backend, &key.into()).unwrap();
                    let block = Block::from(random.bytes());
                    let expected = Model::new(&key).decrypt(&block);
                    let (mut a, mut b) = (block, block);
                    $both::from(&enc).decrypt_block(&mut a);
                    $dec::from(enc).decrypt_block(&mut b);
                    assert_eq!((a, b), (expected, expected), "{backend}");
                }
            };
        }
        check!(Aes128, Aes128Enc, Aes128Dec, 16);
        check!(Aes192, Aes192Enc, Aes192Dec, 24);
        check!(Aes256, Aes256Enc, Aes256Dec, 32);
    });
}

/// A known class of fault in vector permutation AES (OpenSSL, Libgcrypt): the 192-bit key schedule, whose groups of
/// words do not end where round keys do. NIST's KAT vectors (CAVP, ECBKeySbox192 and ECBVarKey192, first ones), then
/// every key of one to 192 leading ones against RustCrypto's AES, both directions.
#[test]
fn aes_192_key_schedule() {
    for_each_backend(|backend| {
        for (key, ciphertext) in [
            (
                hex!("e9f065d7c13573587f7875357dfbb16c53489f6a4bd0f7cd"),
                hex!("0956259c9cd5cfd0181cca53380cde06"),
            ),
            (
                hex!("15d20f6ebc7e649fd95b76b107e6daba967c8a9484797f29"),
                hex!("8e4e18424e591a3d5b6f0876f16f8594"),
            ),
            (
                hex!("800000000000000000000000000000000000000000000000"),
                hex!("de885dc87f5a92594082d02cc1e1b42c"),
            ),
            (
                hex!("c00000000000000000000000000000000000000000000000"),
                hex!("132b074e80f2a597bf5febd8ea5da55e"),
            ),
        ] {
            let mut block = Block::default();
            Aes192Enc::new_with_backend(backend, &key.into())
                .unwrap()
                .encrypt_block(&mut block);
            assert_eq!(block, Block::from(ciphertext), "{backend}");
        }

        for ones in 0..=192 {
            let key: [u8; 24] = core::array::from_fn(|i| {
                let n = usize::saturating_sub(ones, 8 * i).min(8);
                (0xff00u16 >> n) as u8
            });
            let cipher = Aes192::new_with_backend(backend, &key.into()).unwrap();
            let theirs = aes::Aes192::new(&key.into());
            let (mut a, mut b) = (Block::default(), Block::default());
            cipher.encrypt_block(&mut a);
            theirs.encrypt_block(&mut b);
            assert_eq!(a, b, "{backend}, {ones}");
            let (mut a, mut b) = (Block::default(), Block::default());
            cipher.decrypt_block(&mut a);
            theirs.decrypt_block(&mut b);
            assert_eq!(a, b, "{backend}, {ones}");
        }
    });
}
