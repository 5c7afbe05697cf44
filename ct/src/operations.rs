//! The operations of the crates: what is secret in each, and what an outsider may see of it.

mod aead_chacha_poly;
mod aes_cbc_hmac;
mod aes_vpaes;
mod chacha20_simd;
mod keccak_unrolled;
mod kyber;
mod poly1305_simd;

use std::fmt;

use crate::probe::Probe;

/// An operation of a crate on one back end.
pub(crate) struct Operation {
    crate_name: &'static str,
    backend: &'static str,
    name: String,
    pub(crate) body: Box<dyn Fn(&mut Probe)>,
}

impl Operation {
    pub(crate) fn new(
        crate_name: &'static str,
        backend: &'static str,
        name: impl Into<String>,
        body: impl Fn(&mut Probe) + 'static,
    ) -> Self {
        Self {
            crate_name,
            backend,
            name: name.into(),
            body: Box::new(body),
        }
    }

    /// `crate/backend/operation`.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}/{}", self.crate_name, self.backend, self.name)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path())
    }
}

/// Every operation of every crate on every back end that this CPU can run.
pub(crate) fn all() -> Vec<Operation> {
    let mut operations = Vec::new();
    aes_vpaes::add(&mut operations);
    chacha20_simd::add(&mut operations);
    poly1305_simd::add(&mut operations);
    aead_chacha_poly::add(&mut operations);
    keccak_unrolled::add(&mut operations);
    kyber::add(&mut operations);
    aes_cbc_hmac::add(&mut operations);
    operations
}
