//! BoringSSL: its AES, ChaCha20 and Poly1305 functions and its AEAD interface.

use boring_sys as sys;

super::bssl_family::bssl_family!(sys);

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("boring");
    enter_aes(suite, who);
    enter_chacha20_poly1305(suite, who);
    enter_xchacha20_poly1305(suite, who);
    enter_chacha20(suite, who);
    enter_poly1305(suite, who);
}

fn enter_chacha20_poly1305(suite: &mut Suite, who: Implementation) {
    let new = || Aead::new(sys::EVP_aead_chacha20_poly1305);
    let nonce = aead::nonce::<12>();
    for bytes in aead::SIZES {
        let cipher = new();
        aead::seal(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |message| cipher.seal(&nonce, message),
        );
        let cipher = new();
        aead::open(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |ciphertext, tag| cipher.open(&nonce, ciphertext, tag),
        );
    }
}

impl Aead {
    fn open(&self, nonce: &[u8], ciphertext: &mut [u8], tag: &aead::Tag) -> bool {
        let aad = aead::aad();
        let at = ciphertext.as_mut_ptr();
        // SAFETY: the context is live; reads and writes the ciphertext in place, which is allowed; every other
        // pointer goes with its length.
        let code = unsafe {
            sys::EVP_AEAD_CTX_open_gather(
                self.0,
                at,
                nonce.as_ptr(),
                nonce.len(),
                at,
                ciphertext.len(),
                tag.as_ptr(),
                tag.len(),
                aad.as_ptr(),
                aad.len(),
            )
        };
        code == 1
    }
}
