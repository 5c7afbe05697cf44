//! ⚠️ Kernels for crates that compose Poly1305 with other primitives.
//!
//! Each is one back end's computation without dispatch, for a caller that has chosen already. Exempt from semver.

pub use crate::backends::soft::State as Soft;

use crate::{Poly1305, Tag};

/// The tag of what was hashed. Unlike `finalize` it does not move the key, of which a move may leave a copy.
#[must_use]
#[inline]
pub fn finish(mac: &Poly1305) -> Tag {
    mac.state.finish()
}

/// The kernels of `avx512ifma`: safe functions with `#[target_feature]`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod avx512ifma {
    pub use crate::backends::avx512ifma::{Fours, Groups};
}

/// The kernel of `avx2`, which is safe where AVX2 is on.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod avx2 {
    pub use crate::backends::avx2::update;
}
