//! AWS-LC. ChaCha20-Poly1305 goes through `aws-lc-rs`; what that crate does not offer, AES blocks and modes, ChaCha20
//! and Poly1305 alone and the 24-byte nonce, through the C functions below it.

super::bssl_family::bssl_family!(aws_lc_sys);

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("aws-lc-rs");
    enter_aes(suite, who);
    enter_chacha20_poly1305(suite, who);
    enter_xchacha20_poly1305(suite, who);
    enter_chacha20(suite, who);
    enter_poly1305(suite, who);
}

super::ring_family::ring_family!(aws_lc_rs);
