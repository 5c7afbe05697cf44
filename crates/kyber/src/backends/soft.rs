//! Portable arithmetic on 16-bit coefficients, in loops over rows of sixteen that the compiler vectorises.
//!
//! No product here has more than 32 bits: a long multiplication takes a time that depends on its operands on some small
//! cores.

#![forbid(unsafe_code)]

mod compress;
mod field;
mod ntt;
mod sample;

pub(crate) use compress::{
    add_message, compress_and_encode, decode_12, decode_12_checked_vartime, decode_and_decompress,
    encode_12, to_message,
};
pub(crate) use ntt::{inner_product, inverse_ntt, ntt, subtract_from, unscale_and_add};
pub(crate) use sample::{MatrixSampler, add_poly_cbd};
