//! ring's interface, which aws-lc-rs has too.

/// Defines, over the crate `$krate`, what enters ChaCha20-Poly1305.
macro_rules! ring_family {
    ($krate:ident) => {
        fn enter_chacha20_poly1305(suite: &mut Suite, who: Implementation) {
            use $krate::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

            let new = || {
                let key = UnboundKey::new(&CHACHA20_POLY1305, &aead::key());
                LessSafeKey::new(key.expect("a key of 32 bytes is taken"))
            };
            let nonce = || Nonce::assume_unique_for_key(aead::nonce());
            for bytes in aead::SIZES {
                let key = new();
                aead::seal(
                    suite,
                    who,
                    Variant::ChaCha20Poly1305,
                    bytes,
                    move |message| {
                        let tag = key.seal_in_place_separate_tag(
                            nonce(),
                            Aad::from(aead::aad()),
                            message,
                        );
                        let tag = tag.expect("the message is short enough");
                        tag.as_ref().try_into().expect("a tag has 16 bytes")
                    },
                );
                let key = new();
                aead::open_joined(
                    suite,
                    who,
                    Variant::ChaCha20Poly1305,
                    bytes,
                    move |joined| {
                        key.open_in_place(nonce(), Aad::from(aead::aad()), joined)
                            .is_ok()
                    },
                );
            }
        }
    };
}
pub(super) use ring_family;
