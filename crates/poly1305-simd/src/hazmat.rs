//! ⚠️ Kernels for crates that compose Poly1305 with other primitives.
//!
//! Each is one back end's computation without dispatch, for a caller that has chosen already. Exempt from semver.

pub use crate::backends::{soft::State as Soft, soft32::State as Soft32};
