//! AES-CBC with HMAC: keys and plaintext are secret, and all that a refused record holds; lengths of records and the
//! verdict are not.

mod jose;
mod tls;

use super::Operation;

const CRATE: &str = "aes-cbc-hmac";
const AVAILABLE: &str = "the back end is available";

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in aes_cbc_hmac::Backend::available() {
        tls::add(operations, backend);
        jose::add(operations, backend);
    }
}
