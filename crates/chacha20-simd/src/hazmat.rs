//! ⚠️ Kernels for crates that compose ChaCha with other primitives.
//!
//! Nothing here counts blocks, refuses a second use of a keystream or authenticates anything. Exempt from semver.

pub use crate::state::Core;
