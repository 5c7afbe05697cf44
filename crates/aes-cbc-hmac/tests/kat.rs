//! Published values, on every back end.

use aead::array::Array;
use aes_cbc_hmac::{
    Backend, Error,
    jose::{A128CbcHs256, A192CbcHs384, A256CbcHs512},
    tls::{Aes128Sha1, Aes128Sha256, Aes256Sha1, ChainedOpener, ChainedSealer, Opener},
};
use hex_literal::hex;

/// RFC 7518, appendix B: what its three test cases share.
const PLAINTEXT: &[u8] =
    b"A cipher system must not be required to be secret, and it must be able to fall into the \
    hands of the enemy without inconvenience";
const IV: [u8; 16] = hex!("1af38c2dc2b96ffdd86694092341bc04");
const AAD: &[u8] = b"The second principle of Auguste Kerckhoffs";

macro_rules! rfc7518 {
    ($($(#[$doc:meta])* $name:ident: $aead:ident, $ciphertext:expr, $tag:expr;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            let key = Array::from_fn(|i| i as u8);
            for backend in Backend::available() {
                let aead = $aead::new_with_backend(backend, &key).unwrap();
                let mut buffer = PLAINTEXT.to_vec();
                let tag = aead.encrypt_in_place_detached(&IV.into(), AAD, &mut buffer).unwrap();
                assert_eq!(buffer, $ciphertext, "{backend}");
                assert_eq!(tag[..], $tag, "{backend}");
                aead.decrypt_in_place_detached(&IV.into(), AAD, &mut buffer, &tag).unwrap();
                assert_eq!(buffer, PLAINTEXT, "{backend}");
            }
        }
    )*};
}
rfc7518! {
    /// RFC 7518, appendix B.1.
    a128cbc_hs256: A128CbcHs256,
    hex!(
        "c80edfa32ddf39d5ef00c0b468834279a2e46a1b8049f792f76bfe54b903a9c9a94ac9b47ad2655c"
        "5f10f9aef71427e2fc6f9b3f399a221489f16362c703233609d45ac69864e3321cf82935ac4096c8"
        "6e133314c54019e8ca7980dfa4b9cf1b384c486f3a54c51078158ee5d79de59fbd34d848b3d69550"
        "a67646344427ade54b8851ffb598f7f80074b9473c82e2db"
    ),
    hex!("652c3fa36b0a7c5b3219fab3a30bc1c4");
    /// RFC 7518, appendix B.2.
    a192cbc_hs384: A192CbcHs384,
    hex!(
        "ea65da6b59e61edb419be62d19712ae5d303eeb50052d0dfd6697f77224c8edb000d279bdc14c107"
        "2654bd30944230c657bed4ca0c9f4a8466f22b226d1746214bf8cfc2400add9f5126e479663fc90b"
        "3bed787a2f0ffcbf3904be2a641d5c2105bfe591bae23b1d7449e532eef60a9ac8bb6c6b01d35d49"
        "787bcd57ef484927f280adc91ac0c4e79c7b11efc60054e3"
    ),
    hex!("8490ac0e58949bfe51875d733f93ac2075168039ccc733d7");
    /// RFC 7518, appendix B.3.
    a256cbc_hs512: A256CbcHs512,
    hex!(
        "4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd822c301dd67c373b"
        "ccb584ad3e9279c2e6d12a1374b77f077553df829410446b36ebd97066296ae6427ea75c2e0846a1"
        "1a09ccf5370dc80bfecbad28c73f09b3a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053"
        "d21f37ff4f51950bbe2638d09dd7a4930930806d0703b1f6"
    ),
    hex!("4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5");
}

/// Opens a record of BoringSSL's `aes_128_cbc_sha1_tls_tests.txt`.
fn open(key: [u8; 36], iv: [u8; 16], aad: [u8; 11], record: &[u8], expected: Result<&[u8], Error>) {
    for backend in Backend::available() {
        let opener = Opener::<Aes128Sha1>::new_with_backend(backend, &key.into()).unwrap();
        let mut record = record.to_vec();
        let opened = opener.open_in_place(&iv, &aad, &mut record);
        assert_eq!(opened.map(|content| &*content), expected, "{backend}");
    }
}

/// BoringSSL: 5 bytes with a padding longer than it need be; the same with a wrong byte in the padding.
#[test]
fn boringssl_non_minimal_and_bad_padding() {
    let key = hex!("86d641b87797b684e0fb56f97c3961d8afa22993a340b9b3c589c7481df3f4183aa23fd8");
    let iv = hex!("d7efd88503f78b8ed1c8e9ba2fd6773e");
    let aad = hex!("d2c0267218cb7090c61713");
    let record = hex!(
        "c6281c1cd562c1935946013b946a2342f00e08a2a3e0f0bf6c98426dce5d0ff98773f9560831e8ef"
        "348f50b35a2fbbf2"
    );
    open(key, iv, aad, &record, Ok(&hex!("936a91d0b5")));
    let record = hex!("c6281c1cd562c1935946013b946a23427970932c1b21fc2d10118e7e685e8af3");
    open(key, iv, aad, &record, Err(Error));
}

/// BoringSSL: 44 bytes and no padding at all.
#[test]
fn boringssl_no_padding() {
    open(
        hex!("8503f78b8ed1c8e9ba2fd6773e0d0c302a5f47e037446f5891d77df660ed82933f62be8d"),
        hex!("c55b436965aabe477e0cdd46be99371e"),
        hex!("1df3f4183aa23fd8d7efd8"),
        &hex!(
            "7265eea4b391d880c6bc72d3282f663e5551c0a71ca35898047362694ee8f2710974350a2a38a13b"
            "0434d312ead153f0c9488b88357e81187178465d2416ca97"
        ),
        Err(Error),
    );
}

/// BoringSSL: 64 bytes with the longest padding there is.
#[test]
fn boringssl_maximal_padding() {
    open(
        hex!("37446f5891d77df660ed82933f62be8dc55b436965aabe477e0cdd46be99371eb8da7dac"),
        hex!("997deafd64b1fc65de39f4f03541a11b"),
        hex!("2fd6773e0d0c302a5f47e0"),
        &hex!(
            "2840fb36bc8e03c59de49315bd8a6e091f41fb020cdb174ed0ab84fab8f94c14e840fd37fc13f484"
            "90c2d2ffd4efeb4da8d98840f6ee5af812bcbbeeb7f2992ba767b9c80eb4ab9270c0c08d6adc1bf5"
            "6245929a79a4511a8a4ccd2c996611a0154c8101217b46b049331d3109a42093f223a8224e11fcec"
            "ee906b2ef52e5650da0498e3f832101b7ef66fdbcef302f362e570e5e42d5dbc33d0d662913c78a8"
            "caf3a9e2e22949cf6d212efee4d9dc8d03fd6a00d41f3073c4b73149e8bf05d23b2dd88aab1c87ac"
            "948a3f96be79c52efe9488ceb9a1c5511b441a6ba4204beaf339539ff9b4443000b5b7c00261c663"
            "be3087c395ee448e724d1cfcbe10e15ccddcf50378fef972fa3aca38fdb1d131f1bc7ce166f4476a"
            "008883292f8422cc668e1c8e0cd53cb25a64324d187b14143563d8d1af9371602a068da959c587cd"
            "6a383d1ffc74190c0499b2d71390cdcf"
        ),
        Ok(&CONTENT[..64]),
    );
}

/// The content of BoringSSL's longest records; that of the shorter ones is its start.
const CONTENT: [u8; 495] = hex!(
    "936a91d0b5d2c0267218cb7090c6171386d641b87797b684e0fb56f97c3961d8afa22993a340b9b3"
    "c589c7481df3f4183aa23fd8d7efd88503f78b8ed1c8e9ba2fd6773e0d0c302a5f47e037446f5891"
    "d77df660ed82933f62be8dc55b436965aabe477e0cdd46be99371eb8da7dac997deafd64b1fc65de"
    "39f4f03541a11be112a72933c7b54ed4fad0be905d41203f5dce998f8fb2eaad409ae02116417dae"
    "0cef457b9e5e16dcc5b6f25607f00d033fb95fb09e4d00d6172e780ab8b700433a957a741c9eb80f"
    "2b021b1444769da00fcfab0f5f93b511060c9c5f3aacefe61b184ad2463939ed518ce97c3fdd293d"
    "72afc09ffdd4f41963249cd299b92e55ca24d8c078c49f78c7e713710a025cb8b9d71d2989ab33e9"
    "78c4451e3be585a29a2af12feef71e1063b0b4e6e899200304bd3508132a027d1ff4c047b3ef4f57"
    "a74706de4b381c692ef164101b89b476f72b27f06f520c9267cf71408a41729bacb5877e72cdfcfa"
    "76aed06707a07c3dab699719fe882eee2fee55ed8b11534c870dc695b814bdf1a87bb1052c6755a7"
    "a116bfc9095da49db3d71f4b975c5d503f478b22dc8253bee6fd1b174c307f01be95abaa9bee5857"
    "772305daa4b550d75f05d8089850fea3711265bf782610460bfd24ba022e6da12dd4c27f43724809"
    "74454879c41de9ac9f98233b5a7379"
);

macro_rules! implicit_iv {
    ($($(#[$doc:meta])* $name:ident: $suite:ident, $key:expr, $record:expr;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            let aad = hex!("a561792c0f3116430e8b6e");
            let (key, expected) = ($key.into(), $record);
            for backend in Backend::available() {
                let mut sealer = ChainedSealer::<$suite>::new_with_backend(backend, &key).unwrap();
                let mut record = [0; 495 + 64];
                assert_eq!(sealer.seal(&aad, &CONTENT, &mut record), Ok(expected.len()));
                assert_eq!(record[..expected.len()], expected, "{backend}");
                let mut opener = ChainedOpener::<$suite>::new_with_backend(backend, &key).unwrap();
                let opened = opener.open_in_place(&aad, &mut record[..expected.len()]).unwrap();
                assert_eq!(opened, CONTENT, "{backend}");
            }
        }
    )*};
}
implicit_iv! {
    /// BoringSSL's `aes_256_cbc_sha1_tls_implicit_iv_tests.txt`, last record.
    boringssl_aes256_sha1_implicit_iv: Aes256Sha1,
    hex!(
        "a058c4799eea80abde04ee1de13e937af8f1a6944f44d722271233a825264e977045318c9b66262c"
        "0f0368fe9d0cb746bbd55813e8d454817c212d3a0063be26e0636617"
    ),
    hex!(
        "6f2cea3b4aa1b3ae78d31e47c0c1e03df944352b9bd5483cfc09577aab2095a0a7e977e9c1c64516"
        "25d85d162c1653423609f141aac93123b2a0bd093c5bcdd9a49b27ace4dbe6acb486446f437c27e6"
        "19a0f69405afc83240f087feb029fdf8f3f25a8a262b4a3efc4bc80512a96a45cca61d46e42132ab"
        "d34c2821e7ff588c742062c01eacf9d1689f11648ebe326a91fe79275b5b1fb2af4d1440ff4a9ad3"
        "5381daf2a2c0aa928216351c5b89ea33bf225d34efd7ec2c81c5af325b138a5f4ac50c5aca196d1b"
        "32ce8352431a8f08cb3b59d2f8de5c850e2a06d00c1d7f7027b4aa6757eb0c9fd3035063669a5ff8"
        "db2402818c88a7137ee309ef2735dd575e43b7508c81306dc50da65aa2276dbcd98537636ef06d17"
        "36f14e2babbc39457dc8d101d22e5516d652151c2092812814e9f73dd6cc805e670ca36e62799b42"
        "bc07fa1d93b9332c43a4b759e53ae138fd2b2b419b21a332ea304fb7db57e860509855b2a540cc90"
        "9aff57e1433f295e8052c7609a88170feb7623cee8ee651ae1dca4b1afa427e2e43569d5b7f2ea68"
        "8d2e2afb33f1dc0666c4b0df8aee281cbcbf5e964beb3851f7b929e5a4e06766746f22d4fa1a3291"
        "3c0f449b4da8aac6294348f711d4d75bca509516668944d2a162a53a31229528e54e4bfbe13cef01"
        "3efcd6687e890d292e42119529c92c76c80a678b6cd735a2d01acc18dbd90bc3997f57efc2c5c78c"
        "22fe4dd13f06fb91"
    );
    /// AWS-LC's `aes_128_cbc_sha256_tls_implicit_iv_tests.txt`, made by the same generator, last record.
    aws_lc_aes128_sha256_implicit_iv: Aes128Sha256,
    hex!(
        "a058c4799eea80abde04ee1de13e937af8f1a6944f44d722271233a825264e977045318c9b66262c"
        "0f0368fe9d0cb746bbd55813e8d454817c212d3a0063be26"
    ),
    hex!(
        "3c1c7cbc76badee6777d21e6ef008ae177761f8f43960cbf5f6af4699c94cb8507b462773c1f55f6"
        "3f4541fee6d142f92c6e882be6f0551a57999a377effa8b2dd5c2590374967e13bb72156ca7b15a9"
        "0280f2e04577f575430da443f057cea0fcf0df5e57b394ea3116c08fa03cdf8612825740503c5648"
        "14ec85e80650352e6c52c985aa7da565058d649d58e45770e9547d4f56e80d4ad918e13d2a6d3d55"
        "0dde254e425aff625187b3f7b8ce8ab5c9f911aa89aea9b780542a3808218a5fa8d0877dcee10ffa"
        "468ae69d8d48c2ea2ba9800add97e83b8a0732ae06c329c8d558209075f64d7ccbb4d641e30a14a8"
        "ecdb2e755c5199f677eeb588e298d367fc085479ba456d49738c1b4e270d0c88f54321f28e2d77fd"
        "893de8e4b779b1c87c6cd1a033c21cae25816371e07a85d4c2f7f7c3dd04786a03363e87c80fe24e"
        "827f2a81808ee789e62605078b6edb1c86eefd58c0c2af065e3a36c45aaac32cf1f4b8f883e38be6"
        "70e83497352d563fbbad646c592cb958fbcee54a2a28e89a45a53e8651096ec94ea5e255fd92b1ec"
        "869ca58aed2f4e3af06092363b1708cd55db9145c7272b787290db021743178d6678532d50828749"
        "91070da8ffcd2d6797ad408a05461d9915d222512b2d2828f902d8cca06cb1d889f93a7745611aa9"
        "2e5dee8359eb7cf633bcb652fce1e01cc27aeb0141e91ef264cbbd39131fe8c3cf02a00f542f86d6"
        "619d86375f855f7e"
    );
}
