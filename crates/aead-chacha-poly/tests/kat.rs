//! Published values, on every back end.

use aead_chacha_poly::{
    Backend, ChaCha20Poly1305, ChaChaPoly1305, Rounds, Variant, XChaCha20Poly1305,
    aead::{AeadInOut, array::Array},
};
use hex_literal::hex;

fn check<R: Rounds, V: Variant>(
    new: fn(Backend, &aead_chacha_poly::Key) -> Option<ChaChaPoly1305<R, V>>,
    key: [u8; 32],
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    ciphertext: &[u8],
    tag: [u8; 16],
) {
    let nonce = Array::try_from(nonce).unwrap();
    for backend in Backend::available() {
        let cipher = new(backend, &key.into()).unwrap();
        let mut buf = plaintext.to_vec();
        let made = cipher
            .encrypt_inout_detached(&nonce, aad, buf[..].as_mut().into())
            .unwrap();
        assert_eq!(buf, ciphertext, "{backend}");
        assert_eq!(made.0, tag, "{backend}");
        cipher
            .decrypt_inout_detached(&nonce, aad, buf[..].as_mut().into(), &tag.into())
            .unwrap();
        assert_eq!(buf, plaintext, "{backend}");
    }
}

const SUNSCREEN: &[u8] =
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for \
                           the future, sunscreen would be it.";
const KEY: [u8; 32] = hex!("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");

/// RFC 8439, section 2.8.2.
#[test]
fn rfc8439_example() {
    check(
        ChaCha20Poly1305::new_with_backend,
        KEY,
        &hex!("070000004041424344454647"),
        &hex!("50515253c0c1c2c3c4c5c6c7"),
        SUNSCREEN,
        &hex!(
            "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
            "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
            "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
            "3ff4def08e4b7a9de576d26586cec64b6116"
        ),
        hex!("1ae10b594f09e26a7e902ecbd0600691"),
    );
}

/// RFC 8439, appendix A.5.
#[test]
fn rfc8439_appendix_a5() {
    check(
        ChaCha20Poly1305::new_with_backend,
        hex!("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"),
        &hex!("000000000102030405060708"),
        &hex!("f33388860000000000004e91"),
        "Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or \
         obsoleted by other documents at any time. It is inappropriate to use Internet-Drafts as reference material \
         or to cite them other than as /\u{201c}work in progress./\u{201d}"
            .as_bytes(),
        &hex!(
            "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb2"
            "4c6cfc18755d43eea09ee94e382d26b0bdb7b73c321b0100d4f03b7f355894cf"
            "332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855"
            "9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4"
            "b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523e"
            "af4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a"
            "0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a10"
            "49e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29"
            "a6ad5cb4022b02709b"
        ),
        hex!("eead9d67890cbb22392336fea1851f38"),
    );
}

/// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
#[test]
fn xchacha20_poly1305() {
    check(
        XChaCha20Poly1305::new_with_backend,
        KEY,
        &hex!("404142434445464748494a4b4c4d4e4f5051525354555657"),
        &hex!("50515253c0c1c2c3c4c5c6c7"),
        SUNSCREEN,
        &hex!(
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
            "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
            "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
            "21f9664c97637da9768812f615c68b13b52e"
        ),
        hex!("c0875924c1c7987947deafd8780acf49"),
    );
}
