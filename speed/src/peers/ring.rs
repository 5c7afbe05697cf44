//! ring: ChaCha20-Poly1305. It offers no bare cipher and no bare authenticator.

use crate::{
    ops::aead::{self, Variant},
    suite::{Implementation, Suite},
};

super::ring_family::ring_family!(ring);

pub(super) fn enter(suite: &mut Suite) {
    enter_chacha20_poly1305(suite, Implementation::peer("ring"));
}
