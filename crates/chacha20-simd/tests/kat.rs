//! Published values, on every back end.

use chacha20_simd::{
    Backend, ChaCha, ChaCha20, ChaCha20Legacy, Legacy, R8, R12, R20, Variant, XChaCha20,
    cipher::{StreamCipher, StreamCipherSeek, array::Array},
    hchacha,
};
use hex_literal::hex;

/// Checks `expected` as keystream from block `block` on, with every back end.
fn check_keystream<R: chacha20_simd::Rounds, V: Variant>(
    key: [u8; 32],
    nonce: &[u8],
    block: u64,
    expected: &[u8],
) {
    let nonce = Array::<u8, V::NonceSize>::try_from(nonce).unwrap();
    for backend in Backend::available() {
        let mut cipher = ChaCha::<R, V>::new_with_backend(backend, &key.into(), &nonce).unwrap();
        cipher.seek(block * 64);
        let mut out = vec![0xa5; expected.len()];
        cipher.write_keystream(&mut out);
        assert_eq!(out, expected, "{backend}");
    }
}

/// RFC 8439, section 2.3.2: the block function.
#[test]
fn rfc8439_block_function() {
    check_keystream::<R20, chacha20_simd::Ietf>(
        hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
        &hex!("000000090000004a00000000"),
        1,
        &hex!(
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
        ),
    );
}

/// RFC 8439, section 2.4.2: encryption of a text.
#[test]
fn rfc8439_encryption() {
    let key = hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    let nonce = hex!("000000000000004a00000000");
    let plaintext =
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for \
                      the future, sunscreen would be it.";
    for backend in Backend::available() {
        let mut cipher = ChaCha20::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
        cipher.seek(64u32);
        let mut buf = *plaintext;
        cipher.apply_keystream(&mut buf);
        assert_eq!(
            buf,
            hex!(
                "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
                "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
                "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
                "5af90bbf74a35be6b40b8eedf2785e42874d"
            ),
            "{backend}"
        );
    }
}

/// RFC 8439, appendix A.1: five blocks of keystream.
#[test]
fn rfc8439_appendix_a1() {
    let zero = [0; 32];
    let mut one = zero;
    one[31] = 1;
    let mut ff = zero;
    ff[1] = 0xff;
    let cases = [
        (
            zero,
            [0; 12],
            0,
            hex!(
                "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
            ),
        ),
        (
            zero,
            [0; 12],
            1,
            hex!(
                "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
                "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
            ),
        ),
        (
            one,
            [0; 12],
            1,
            hex!(
                "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
                "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"
            ),
        ),
        (
            ff,
            [0; 12],
            2,
            hex!(
                "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
                "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"
            ),
        ),
        (
            zero,
            hex!("000000000000000000000002"),
            0,
            hex!(
                "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
                "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"
            ),
        ),
    ];
    for (key, nonce, block, expected) in cases {
        check_keystream::<R20, chacha20_simd::Ietf>(key, &nonce, block, &expected);
    }
}

/// RFC 8439, section 2.6.2 and appendix A.4: keys for Poly1305, the first half of block 0.
#[test]
fn rfc8439_poly1305_keys() {
    for (key, nonce, poly1305_key) in [
        (
            hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"),
            hex!("000000000001020304050607"),
            hex!("8ad5a08b905f81cc815040274ab29471a833b637e3fd0da508dbb8e2fdd1a646"),
        ),
        (
            [0; 32],
            [0; 12],
            hex!("76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
        ),
        (
            hex!("0000000000000000000000000000000000000000000000000000000000000001"),
            hex!("000000000000000000000002"),
            hex!("ecfa254f845f647473d3cb140da9e87606cb33066c447b87bc2666dde3fbb739"),
        ),
        (
            hex!("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"),
            hex!("000000000000000000000002"),
            hex!("965e3bc6f9ec7ed9560808f4d229f94b137ff275ca9b3fcbdd59deaad23310ae"),
        ),
    ] {
        check_keystream::<R20, chacha20_simd::Ietf>(key, &nonce, 0, &poly1305_key);
    }
}

/// RFC 8439, appendix A.2.
#[test]
fn rfc8439_appendix_a2() {
    let check = |key: [u8; 32], block: u32, plaintext: &[u8], ciphertext: &[u8]| {
        let nonce = if block == 0 {
            [0; 12]
        } else {
            hex!("000000000000000000000002")
        };
        for backend in Backend::available() {
            let mut cipher =
                ChaCha20::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
            cipher.seek(block * 64);
            let mut buf = plaintext.to_vec();
            cipher.apply_keystream(&mut buf);
            assert_eq!(buf, ciphertext, "{backend}");
        }
    };
    check(
        [0; 32],
        0,
        &[0; 64],
        &hex!(
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        ),
    );
    let mut one = [0; 32];
    one[31] = 1;
    check(
        one,
        1,
        b"Any submission to the IETF intended by the Contributor for publication as all or part of an IETF \
        Internet-Draft or RFC and any statement made within the context of an IETF activity is considered an \
        \"IETF Contribution\". Such statements include oral statements in IETF sessions, as well as written and \
        electronic communications made at any time or place, which are addressed to",
        &hex!(
                "a3fbf07df3fa2fde4f376ca23e82737041605d9f4f4f57bd8cff2c1d4b7955ec"
                "2a97948bd3722915c8f3d337f7d370050e9e96d647b7c39f56e031ca5eb6250d"
                "4042e02785ececfa4b4bb5e8ead0440e20b6e8db09d881a7c6132f420e527950"
                "42bdfa7773d8a9051447b3291ce1411c680465552aa6c405b7764d5e87bea85a"
                "d00f8449ed8f72d0d662ab052691ca66424bc86d2df80ea41f43abf937d3259d"
                "c4b2d0dfb48a6c9139ddd7f76966e928e635553ba76c5c879d7b35d49eb2e62b"
                "0871cdac638939e25e8a1e0ef9d5280fa8ca328b351c3c765989cbcf3daa8b6c"
                "cc3aaf9f3979c92b3720fc88dc95ed84a1be059c6499b9fda236e7e818b04b0b"
                "c39c1e876b193bfe5569753f88128cc08aaa9b63d1a16f80ef2554d7189c411f"
                "5869ca52c5b83fa36ff216b9c1d30062bebcfd2dc5bce0911934fda79a86f6e6"
                "98ced759c3ff9b6477338f3da4f9cd8514ea9982ccafb341b2384dd902f3d1ab"
                "7ac61dd29c6f21ba5b862f3730e37cfdc4fd806c22f221"
            ),
    );
    check(
        hex!("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"),
        42,
        b"'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n\
        All mimsy were the borogoves,\nAnd the mome raths outgrabe.",
        &hex!(
            "62e6347f95ed87a45ffae7426f27a1df5fb69110044c0d73118effa95b01e5cf"
            "166d3df2d721caf9b21e5fb14c616871fd84c54f9d65b283196c7fe4f60553eb"
            "f39c6402c42234e32a356b3e764312a61a5532055716ead6962568f87d3f3f77"
            "04c6a8d1bcd1bf4d50d6154b6da731b187b58dfd728afa36757a797ac188d1"
        ),
    );
}

/// draft-irtf-cfrg-xchacha-03, section 2.2.1.
#[test]
fn hchacha20() {
    assert_eq!(
        hchacha::<R20>(
            &hex!("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f").into(),
            &hex!("000000090000004a0000000031415927").into(),
        )
        .0,
        hex!("82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc"),
    );
}

/// draft-irtf-cfrg-xchacha-03, appendix A.3.2 (block counter 1).
#[test]
fn xchacha20() {
    let plaintext = b"The dhole (pronounced \"dole\") is also known as the Asiatic wild dog, red dog, and \
        whistling dog. It is about the size of a German shepherd but looks more like a long-legged fox. \
        This highly elusive and skilled jumper is classified with wolves, coyotes, jackals, and foxes in \
        the taxonomic family Canidae.";
    let ciphertext = hex!(
        "7d0a2e6b7f7c65a236542630294e063b7ab9b555a5d5149aa21e4ae1e4fbce87"
        "ecc8e08a8b5e350abe622b2ffa617b202cfad72032a3037e76ffdcdc4376ee05"
        "3a190d7e46ca1de04144850381b9cb29f051915386b8a710b8ac4d027b8b050f"
        "7cba5854e028d564e453b8a968824173fc16488b8970cac828f11ae53cabd201"
        "12f87107df24ee6183d2274fe4c8b1485534ef2c5fbc1ec24bfc3663efaa08bc"
        "047d29d25043532db8391a8a3d776bf4372a6955827ccb0cdd4af403a7ce4c63"
        "d595c75a43e045f0cce1f29c8b93bd65afc5974922f214a40b7c402cdb91ae73"
        "c0b63615cdad0480680f16515a7ace9d39236464328a37743ffc28f4ddb324f4"
        "d0f5bbdc270c65b1749a6efff1fbaa09536175ccd29fb9e6057b307320d31683"
        "8a9c71f70b5b5907a66f7ea49aadc409"
    );
    for backend in Backend::available() {
        let mut cipher = XChaCha20::new_with_backend(
            backend,
            &hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f").into(),
            &hex!("404142434445464748494a4b4c4d4e4f5051525354555658").into(),
        )
        .unwrap();
        cipher.seek(64u32);
        let mut buf = *plaintext;
        cipher.apply_keystream(&mut buf);
        assert_eq!(buf, ciphertext, "{backend}");
    }
}

/// draft-strombergson-chacha-test-vectors-01, test case 1 (zero key and nonce, 256-bit key), for 8, 12 and 20 rounds,
/// first keystream block.
#[test]
fn reduced_rounds() {
    check_keystream::<R8, Legacy>(
        [0; 32],
        &[0; 8],
        0,
        &hex!(
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
            "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42"
        ),
    );
    check_keystream::<R12, Legacy>(
        [0; 32],
        &[0; 8],
        0,
        &hex!(
            "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f"
            "0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be"
        ),
    );
    check_keystream::<R20, Legacy>(
        [0; 32],
        &[0; 8],
        0,
        &hex!(
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
        ),
    );
}

/// The keystream of a 64-bit nonce against the value which eSTREAM implementations give for this key and nonce, cut
/// in three at every fourth place.
#[test]
fn legacy_in_pieces() {
    let key = hex!("0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20");
    let nonce = hex!("0301040105090206");
    let expected = hex!(
        "deeb6b9d06dff3e091bf3ad4f4d492b6dd98246f69691802e466e03bad235787"
        "0f1c6c010b6c2e650c4bf58d2d35c72ab639437069a384e03100078cc1d735a0"
        "db4e8f474ee6291460fd9197c77ed87b4c64e0d9ac685bd1c56cce021f3819cd"
        "13f49c9a3053603602582a060e59c2fbee90ab0bf7bb102d819ced03969d3bae"
        "71034fe598246583336aa744d8168e5dfff5c6d10270f125a4130e719717e783"
        "c0858b6f7964437173ea1d7556c158bc7a99e74a34d93da6bf72ac9736a215ac"
        "aefd4ec031f3f13f099e3d811d83a2cf1d544a68d2752409cc6be852b0511a2e"
        "32f69aa0be91b30981584a1c56ce7546cca24d8cfdfca525d6b15eea83b6b686"
    );
    for backend in Backend::available() {
        for first in (0..=256).step_by(4) {
            for second in (first..=256).step_by(4) {
                let mut cipher =
                    ChaCha20Legacy::new_with_backend(backend, &key.into(), &nonce.into()).unwrap();
                cipher.seek(first as u32);
                let mut buf = [0; 256];
                cipher.apply_keystream(&mut buf[first..second]);
                cipher.apply_keystream(&mut buf[second..]);
                assert_eq!(
                    buf[first..],
                    expected[first..],
                    "{backend}, {first}, {second}"
                );
            }
        }
    }
}
