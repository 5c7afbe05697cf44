//! What is asked of an x86 CPU besides its features.

use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, CpuidResult};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, CpuidResult};

const UNKNOWN: u8 = 2;
static SLOW_VECTORS: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether every vector instruction takes two cycles at least, as on AMD's family 1Ah (Zen 5).
///
/// A block alone is a chain of 240 dependent additions, XORs and rotations: there it takes half the time in general
/// registers. Elsewhere vectors are as fast or faster.
#[inline]
pub(super) fn slow_vectors() -> bool {
    match SLOW_VECTORS.load(Ordering::Relaxed) {
        UNKNOWN => ask(),
        known => known == 1,
    }
}

#[cold]
fn ask() -> bool {
    let slow = !cfg!(any(miri, target_env = "sgx")) && is_family_1ah();
    SLOW_VECTORS.store(slow.into(), Ordering::Relaxed);
    slow
}

fn is_family_1ah() -> bool {
    const AUTHENTIC_AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let vendor = cpuid(0);
    let signature = cpuid(1).eax;
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    [vendor.ebx, vendor.edx, vendor.ecx] == AUTHENTIC_AMD && family == 0x1a
}

fn cpuid(leaf: u32) -> CpuidResult {
    #[allow(unused_unsafe, reason = "safe in newer versions of Rust")]
    // SAFETY: callers have a token, made of what this instruction said.
    unsafe {
        __cpuid(leaf)
    }
}
