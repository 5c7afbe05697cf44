#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

#[cfg(feature = "alloc")]
extern crate alloc;

pub use aead;
pub use aead::Error;

mod backends;
mod cbc;
mod ct;
mod hash;
mod hmac;
pub mod jose;
mod keys;
mod padding;
pub mod tls;
mod wipe;

pub use backends::Backend;

mod sealed {
    pub trait Sealed {}
}
