//! Published values, on every back end.

mod model;

use hex_literal::hex;
use model::Checked;
use poly1305_simd::{Backend, Poly1305, universal_hash::UniversalHash};

fn check(key: [u8; 32], message: &[u8], expected: [u8; 16]) {
    Checked::new(key).check(message, expected);
}

fn key(r: [u8; 16], s: [u8; 16]) -> [u8; 32] {
    [r, s].concat().try_into().unwrap()
}

/// `low`, then zeros.
fn number(low: u8) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[0] = low;
    bytes
}

const IETF: &[u8] = b"Any submission to the IETF intended by the Contributor for publication as all or part \
    of an IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is \
    considered an \"IETF Contribution\". Such statements include oral statements in IETF sessions, as well \
    as written and electronic communications made at any time or place, which are addressed to";

/// RFC 8439, section 2.5.2.
#[test]
fn rfc8439_example() {
    check(
        hex!("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"),
        b"Cryptographic Forum Research Group",
        hex!("a8061dc1305136c6c22b8baf0c0127a9"),
    );
}

/// RFC 8439, appendix A.3, vectors 1 to 4.
#[test]
fn rfc8439_appendix_a3_texts() {
    let k = hex!("36e5f6b5c5e06070f0efca96227a863e");
    check([0; 32], &[0; 64], [0; 16]);
    check(key([0; 16], k), IETF, k);
    check(
        key(k, [0; 16]),
        IETF,
        hex!("f3477e7cd95417af89a6b8794c310cf0"),
    );
    check(
        hex!("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"),
        b"'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n\
          All mimsy were the borogoves,\nAnd the mome raths outgrabe.",
        hex!("4541669a7eaaee61e708dc7cbcc5eb62"),
    );
}

/// RFC 8439, appendix A.3, vectors 5 to 11: carries and reductions at their limits.
#[test]
fn rfc8439_appendix_a3_carries() {
    check(key(number(2), [0; 16]), &[0xff; 16], number(3));
    check(key(number(2), [0xff; 16]), &number(2), number(3));
    check(
        key(number(1), [0; 16]),
        &hex!(
            "ffffffffffffffffffffffffffffffff"
            "f0ffffffffffffffffffffffffffffff"
            "11000000000000000000000000000000"
        ),
        number(5),
    );
    check(
        key(number(1), [0; 16]),
        &hex!(
            "ffffffffffffffffffffffffffffffff"
            "fbfefefefefefefefefefefefefefefe"
            "01010101010101010101010101010101"
        ),
        [0; 16],
    );
    check(
        key(number(2), [0; 16]),
        &hex!("fdffffffffffffffffffffffffffffff"),
        hex!("faffffffffffffffffffffffffffffff"),
    );
    let r = hex!("01000000000000000400000000000000");
    let message = hex!(
        "e33594d7505e43b90000000000000000"
        "3394d7505e4379cd0100000000000000"
        "00000000000000000000000000000000"
        "01000000000000000000000000000000"
    );
    check(
        key(r, [0; 16]),
        &message,
        hex!("14000000000000005500000000000000"),
    );
    check(
        key(r, [0; 16]),
        &message[..48],
        hex!("13000000000000000000000000000000"),
    );
}

/// "Cryptography in NaCl", section 9: the authenticated packet.
#[test]
fn nacl_packet() {
    check(
        hex!("eea6a7251c1e72916d11c2cb214d3c252539121d8e234e652d651fa4c8cff880"),
        &hex!(
            "8e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186a"
            "c0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738"
            "b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da"
            "99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74"
            "e355a5"
        ),
        hex!("f3ffc7703f9400e52a7dfb4b3d3305d9"),
    );
}

/// The self-test of poly1305-donna: a tag over the tags of 256 messages, message i being i bytes i under key i.
#[test]
fn donna_total() {
    for backend in Backend::available() {
        let new = |key: [u8; 32]| Poly1305::new_with_backend(backend, &key.into()).unwrap();
        let mut total = new(hex!(
            "01020304050607fffefdfcfbfaf9ffffffffffffffffffffffffffff00000000"
        ));
        for i in 0..=255 {
            let tag = new([i; 32]).compute_unpadded(&vec![i; i.into()]);
            total.update(&[tag]);
        }
        assert_eq!(
            total.finalize().0,
            hex!("64afe2e8d6ad7bbdd287f97c44623d39"),
            "{backend}"
        );
    }
}
