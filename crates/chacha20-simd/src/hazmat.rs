//! ⚠️ Kernels for crates that compose ChaCha with other primitives.
//!
//! Nothing here counts blocks, refuses a second use of a keystream or authenticates anything. Exempt from semver.
//!
//! Everything works on a [`Core`], which has the key, the nonce and the back end. [`Core::xor`] takes any length. Below
//! it stand the kernels of `avx2` and `avx512`, in modules of their names, for callers who interleave them with code of
//! their own: safe functions with `#[target_feature]`, which inline into a caller with the same features. A
//! `between: impl FnMut(usize)` is called after each double round with its number; a closure that is made in a function
//! with the features has them too.
//!
//! Kernels leave keystream on the stack; [`Core::wipe_stack`] and the `wipe_stack` of each module overwrite it.

#[allow(
    unused_imports,
    unreachable_pub,
    reason = "not every target has kernels"
)]
pub use crate::backends::kernels::*;
pub use crate::state::{Core, xor_keystream};
