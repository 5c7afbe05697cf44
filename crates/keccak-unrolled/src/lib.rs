#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! A hasher is a sponge: 25 lanes, a position and the back end's name; there is no buffer in front of it. Bytes
//! are xored into the lanes where they belong as they come, a full block is permuted at once, and output is
//! read from the lanes. Between two calls the lanes are in the form of the back end (bit-interleaved for
//! [`Backend::Soft32`]), so bytes are converted once on their way in and once on their way out, and the
//! permutation never.
//!
//! The back end is chosen when a hasher is made, by [`Backend::detect`] or by name through `with_backend`
//! (types that can be made of nothing) and `new_with_backend` (types that need a key, names or messages). A
//! call looks at it once.
//!
//! How one state is permuted decides most of the time. These are the choices and their reasons:
//!
//! - The rounds are unrolled with pi and rho in the names of variables: half the time of loops over tables (the README has
//!   the numbers).
//! - On x86 some lanes are kept complemented, which spares most of the 25 `not`s of a round: 213 ns against 252 with all of
//!   them on Zen 5. `andn` of BMI1, which makes plain chi as short, takes 233 there, so there is no back end for it.
//! - On Arm, where a logical instruction rotates an operand for nothing, the rotations of two rounds are merged instead.
//! - In vectors one state takes longer than in general registers, since it does not fill them; the exceptions are AVX-512,
//!   whose rotations and three-input logic pay for that, SSE2 on 32-bit x86, which has too few general registers, NEON on
//!   32-bit Arm, where 25 lanes fit in its registers, and the SHA3 instructions on Apple's cores.
//! - The SHA3 instructions are preferred wherever they are found. Apple's cores have them in every vector unit, and everything
//!   is done with them; Arm's before Cortex-X4 have them in one, so there they serve two states at once, and only for rotations
//!   and theta.
//!
//! # Secrets
//!
//! The code has no branch, no index and no instruction of variable time that depends on message bytes, keys or
//! states; lengths and positions are public. With the feature `zeroize` (default) every hasher, reader and
//! parallel state is wiped on drop, as are the arrays that hold parts of a state for a time. What a permutation
//! spills from registers to the stack, copies of lanes included, is not wiped: safe Rust has no hold of it. Nor is a place
//! that a value was moved from, as when `finalize_xof` makes a hasher's 200 bytes those of a reader, or a hasher is
//! returned: Rust moves by copying and leaves the bytes of the old place as they are.
//!
//! # What is left out, and why
//!
//! - Widths other than 1600 bits (but for the feature `hazmat`), messages of bits that fill no byte, TupleHash and ParallelHash, which
//!   the crates above do not have either.
//! - `Reset` of cSHAKE and KMAC, which would need the state twice: clone a hasher that has absorbed its names and key.
//! - The generic wrappers of `digest`'s block-level interface: a sponge needs no buffer. The fixed-length hashers are
//!   block-level cores themselves, so [`hmac::Hmac`](https://docs.rs/hmac) and its users take them.
//! - `CustomKt` of the crate `k12`, whose customization string is owned: [`CustomRefKt`] borrows it, and
//!   [`Kt::finalize_xof_customized`] takes it at the end, where it is needed.
#![no_std]

mod backends;
mod batch;
mod consts;
mod cshake;
mod encode;
mod kmac;
mod kt;
mod kt_custom;
mod lanes;
mod permutation;
mod reader;
mod sha3;
mod shake_xn;
mod sponge;
mod sponge_xn;
mod xof;

#[cfg(feature = "hazmat")]
pub mod hazmat;

pub use digest::{
    self, CustomizedInit, Digest, ExtendableOutput, ExtendableOutputReset, KeyInit, Mac, Reset,
    Update, XofReader,
};

pub use crate::backends::Backend;
pub use crate::cshake::{
    CShake, CShake128, CShake128Reader, CShake256, CShake256Reader, CShakeReader,
};
pub use crate::kmac::{Kmac, Kmac128, Kmac256, KmacXof, KmacXof128, KmacXof256};
pub use crate::kt::{Kt, Kt128, Kt128Reader, Kt256, Kt256Reader, KtReader};
pub use crate::kt_custom::{CustomRefKt, CustomRefKt128, CustomRefKt256};
pub use crate::permutation::{Permutation, State1600, f1600, f1600_x2, f1600_x4, f1600_x8, p1600};
pub use crate::reader::SpongeReader;
pub use crate::sha3::{
    Keccak224, Keccak256, Keccak256Full, Keccak384, Keccak512, Sha3_224, Sha3_256, Sha3_384,
    Sha3_512,
};
pub use crate::shake_xn::{Shake128xN, Shake256xN, ShakeXn};
pub use crate::xof::{
    CTurboShake128, CTurboShake256, DEFAULT_DS, Shake, Shake128, Shake128Reader, Shake256,
    Shake256Reader, ShakeReader, SpongeXof, TurboShake, TurboShake128, TurboShake128Reader,
    TurboShake256, TurboShake256Reader, TurboShakeReader,
};
