//! The operations, one file a family.
//!
//! Each file says what one call does, on which inputs, and what its output must be, which is what RustCrypto's crate
//! gives. An implementation enters with a closure; copies, buffers and barriers around it are the same for all.
//! Functions at a file's end enter anything that has RustCrypto's traits: our crates and RustCrypto's.

pub(crate) mod aead;
pub(crate) mod aes;
pub(crate) mod chacha20;
pub(crate) mod keccak;
pub(crate) mod kem;
pub(crate) mod poly1305;
pub(crate) mod tls_cbc;

/// Message lengths of the stream cipher, the authenticator and the AEADs: a short record, three TLS sizes between,
/// a full TLS record, and one mebibyte, which is more than the first two caches hold.
pub(crate) const SIZES: [usize; 7] = [16, 64, 256, 1350, 8192, 16384, 1 << 20];
