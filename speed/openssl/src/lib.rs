//! OpenSSL as one private shared object.
//!
//! BoringSSL and OpenSSL define the same symbols, so a program cannot be linked with both. The speed tool opens this
//! object at run time with its symbols kept local.

#![no_std]
#![forbid(unsafe_code)]

/// Path of the shared object that the build script made.
#[cfg(feature = "vendored")]
pub const LIBRARY: &str = env!("SPEED_OPENSSL_LIBRARY");
