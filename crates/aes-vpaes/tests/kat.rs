//! Published numbers.

#![allow(missing_docs, reason = "tests")]

mod common;

use aes_vpaes::{
    Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc, Aes256, Aes256Dec, Aes256Enc,
    Backend, Block,
    cipher::{
        BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
        InnerIvInit, Key, StreamCipher, StreamCipherCoreWrapper, consts::U16,
    },
};
use common::{Model, for_each_backend, s_box};
use hex_literal::hex;

/// Both directions, with the type for both and those for one.
macro_rules! check_block {
    ($both:ident, $enc:ident, $dec:ident, $key:expr, $plaintext:expr, $ciphertext:expr) => {
        for_each_backend(|backend| {
            let key = Key::<$both>::from($key);
            let plaintext = Block::from($plaintext);
            let ciphertext = Block::from($ciphertext);
            let both = $both::new_with_backend(backend, &key).unwrap();
            let enc = $enc::new_with_backend(backend, &key).unwrap();
            let dec = $dec::new_with_backend(backend, &key).unwrap();
            let mut block = plaintext;
            both.encrypt_block(&mut block);
            assert_eq!(block, ciphertext, "{backend}");
            both.decrypt_block(&mut block);
            assert_eq!(block, plaintext, "{backend}");
            enc.encrypt_block(&mut block);
            assert_eq!(block, ciphertext, "{backend}");
            dec.decrypt_block(&mut block);
            assert_eq!(block, plaintext, "{backend}");
        });
    };
}

/// FIPS 197, appendix B.
#[test]
fn fips_197_cipher_example() {
    check_block!(
        Aes128,
        Aes128Enc,
        Aes128Dec,
        hex!("2b7e151628aed2a6abf7158809cf4f3c"),
        hex!("3243f6a8885a308d313198a2e0370734"),
        hex!("3925841d02dc09fbdc118597196a0b32")
    );
}

/// FIPS 197 (2001), appendix C.
#[test]
fn fips_197_example_vectors() {
    check_block!(
        Aes128,
        Aes128Enc,
        Aes128Dec,
        hex!("000102030405060708090a0b0c0d0e0f"),
        hex!("00112233445566778899aabbccddeeff"),
        hex!("69c4e0d86a7b0430d8cdb78070b4c55a")
    );
    check_block!(
        Aes192,
        Aes192Enc,
        Aes192Dec,
        hex!("000102030405060708090a0b0c0d0e0f1011121314151617"),
        hex!("00112233445566778899aabbccddeeff"),
        hex!("dda97ca4864cdfe06eaf70a0ec0d7191")
    );
    check_block!(
        Aes256,
        Aes256Enc,
        Aes256Dec,
        hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
        hex!("00112233445566778899aabbccddeeff"),
        hex!("8ea2b7ca516745bfeafc49904b496089")
    );
}

const KEY_128: [u8; 16] = hex!("2b7e151628aed2a6abf7158809cf4f3c");
const KEY_192: [u8; 24] = hex!("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b");
const KEY_256: [u8; 32] = hex!("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");

/// FIPS 197, appendix A: the last round key of each key expansion. The crate's own are not public: this holds the
/// model that they are compared with to the standard.
#[test]
fn fips_197_key_expansion() {
    let last = |key: &[u8]| *Model::new(key).round_keys.last().unwrap();
    assert_eq!(
        Model::new(&KEY_128).round_keys[1],
        hex!("a0fafe1788542cb123a339392a6c7605")
    );
    assert_eq!(last(&KEY_128), hex!("d014f9a8c9ee2589e13f0cc8b6630ca6"));
    assert_eq!(last(&KEY_192), hex!("e98ba06f448c773c8ecc720401002202"));
    assert_eq!(last(&KEY_256), hex!("fe4890d1e6188d0b046df344706c631e"));
    assert_eq!(
        [0x00, 0x01, 0x53, 0xff].map(s_box),
        [0x63, 0x7c, 0xed, 0x16]
    );
}

/// SP 800-38A, appendix F: the plaintext of all examples.
const PLAINTEXT: [u8; 64] = hex!(
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
);
/// Sections F.2.
const IV: [u8; 16] = hex!("000102030405060708090a0b0c0d0e0f");
/// Sections F.5.
const COUNTER: [u8; 16] = hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");

fn blocks(bytes: &[u8; 64]) -> [Block; 4] {
    core::array::from_fn(|i| Block::try_from(&bytes[16 * i..16 * i + 16]).unwrap())
}

fn check_modes<C>(cipher: impl Fn(Backend) -> C, ecb: [u8; 64], cbc: [u8; 64], ctr: [u8; 64])
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    for_each_backend(|backend| {
        let cipher = cipher(backend);
        let iv = Block::from(IV);
        let plaintext = blocks(&PLAINTEXT);

        let mut data = plaintext;
        cipher.encrypt_blocks(&mut data);
        assert_eq!(data, blocks(&ecb), "{backend}");
        cipher.decrypt_blocks(&mut data);
        assert_eq!(data, plaintext, "{backend}");

        cbc::Encryptor::inner_iv_init(&cipher, &iv).encrypt_blocks(&mut data);
        assert_eq!(data, blocks(&cbc), "{backend}");
        cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(&mut data);
        assert_eq!(data, plaintext, "{backend}");

        let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(
            &cipher,
            &Block::from(COUNTER),
        );
        let mut data = PLAINTEXT;
        StreamCipherCoreWrapper::from_core(core).apply_keystream(&mut data);
        assert_eq!(data, ctr, "{backend}");
    });
}

/// SP 800-38A, sections F.1.1, F.1.2, F.2.1, F.2.2, F.5.1, F.5.2.
#[test]
fn sp_800_38a_aes_128() {
    check_modes(
        |backend| Aes128::new_with_backend(backend, &KEY_128.into()).unwrap(),
        hex!(
            "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"
            "43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4"
        ),
        hex!(
            "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2"
            "73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7"
        ),
        hex!(
            "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"
            "5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"
        ),
    );
}

/// SP 800-38A, sections F.1.3, F.1.4, F.2.3, F.2.4, F.5.3, F.5.4.
#[test]
fn sp_800_38a_aes_192() {
    check_modes(
        |backend| Aes192::new_with_backend(backend, &KEY_192.into()).unwrap(),
        hex!(
            "bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef"
            "ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e"
        ),
        hex!(
            "4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a"
            "571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd"
        ),
        hex!(
            "1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94"
            "1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050"
        ),
    );
}

/// SP 800-38A, sections F.1.5, F.1.6, F.2.5, F.2.6, F.5.5, F.5.6.
#[test]
fn sp_800_38a_aes_256() {
    check_modes(
        |backend| Aes256::new_with_backend(backend, &KEY_256.into()).unwrap(),
        hex!(
            "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870"
            "b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7"
        ),
        hex!(
            "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d"
            "39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"
        ),
        hex!(
            "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5"
            "2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"
        ),
    );
}

/// AESAVS, section 6.4: the Monte Carlo test for ECB, of so many keys with 1000 calls each, of which `call` returns
/// the last two outputs. Returns the last one for each key; the next key has the last `N` bytes of output added.
fn monte_carlo<const N: usize>(
    keys: usize,
    mut key: [u8; N],
    mut block: Block,
    call: impl Fn(&[u8; N], Block) -> [Block; 2],
) -> Vec<Block> {
    let mut outputs = Vec::new();
    for _ in 0..keys {
        let last_two = call(&key, block);
        block = last_two[1];
        let output = last_two.concat();
        key.iter_mut()
            .zip(&output[32 - N..])
            .for_each(|(k, o)| *k ^= o);
        outputs.push(block);
    }
    outputs
}

/// NIST's CAVP, ECBMCT128, ECBMCT192 and ECBMCT256: key and input of `COUNT = 0`, outputs of `COUNT = 0` and of `COUNT = 99`,
/// to which all others lead. Where an emulator sets `SPARSE_TESTS`, the back end in use alone goes so far.
#[test]
fn monte_carlo_cavp() {
    let sparse = std::env::var_os("SPARSE_TESTS").is_some();
    macro_rules! check {
        ($cipher:ident, $call:ident, $key:literal, $input:literal, $first:literal, $last:literal) => {
            for_each_backend(|backend| {
                let all = !sparse || backend == Backend::detect();
                let keys = if all { 100 } else { 1 };
                let outputs = monte_carlo(keys, hex!($key), hex!($input).into(), |key, block| {
                    let cipher = $cipher::new_with_backend(backend, key.into()).unwrap();
                    let [mut previous, mut block] = [block; 2];
                    for _ in 0..1000 {
                        previous = block;
                        cipher.$call(&mut block);
                    }
                    [previous, block]
                });
                assert_eq!(outputs[0], hex!($first), "{backend}");
                if all {
                    assert_eq!(outputs[99], hex!($last), "{backend}");
                }
            });
        };
    }
    check!(
        Aes128Enc,
        encrypt_block,
        "139a35422f1d61de3c91787fe0507afd",
        "b9145a768b7dc489a096b546f43b231f",
        "d7c3ffac9031238650901e157364c386",
        "fb2649694783b551eacd9d5db6126d47"
    );
    check!(
        Aes128Dec,
        decrypt_block,
        "0c60e7bf20ada9baa9e1ddf0d1540726",
        "b08a29b11a500ea3aca42c36675b9785",
        "b613b87085fed1bb87f07a574e6d2879",
        "d1d2bfdc58ffcad2341b095bce55221e"
    );
    check!(
        Aes192Enc,
        encrypt_block,
        "b9a63e09e1dfc42e93a90d9bad739e5967aef672eedd5da9",
        "85a1f7a58167b389cddc8a9ff175ee26",
        "ee83d85279e022d2048031abeefbc4a4",
        "5d1196da8f184975e240949a25104554"
    );
    check!(
        Aes192Dec,
        decrypt_block,
        "4b97585701c03fbebdfa8555024f589f1482c58a00fdd9fd",
        "d0bd0e02ded155e4516be83f42d347a4",
        "c7b6581ccc88f7fc26d15d2731e7251b",
        "b63ef1b79507a62eba3dafcec54a6328"
    );
    check!(
        Aes256Enc,
        encrypt_block,
        "f9e8389f5b80712e3886cc1fa2d28a3b8c9cd88a2d4a54c6aa86ce0fef944be0",
        "b379777f9050e2a818f2940cbbd9aba4",
        "6893ebaf0a1fccc704326529fdfb60db",
        "c5d2cb3d5b7ff0e23e308967ee074825"
    );
    check!(
        Aes256Dec,
        decrypt_block,
        "2b09ba39b834062b9e93f48373b8dd018dedf1e5ba1b8af831ebbacbc92a2643",
        "89649bd0115f30bd878567610223a59d",
        "1f9b9b213f1884fa98b62dd6639fd33b",
        "e3d3868f578caf34e36445bf14cefc68"
    );
}
