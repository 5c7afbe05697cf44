#![doc = include_str!("../README.md")]
#![no_std]

/// Whether this CPU has NEON (Advanced SIMD) in its 32-bit form.
///
/// `true` without asking where the program is compiled with it, which stable compilers do not tell; on Linux and Android
/// what the kernel says in `AT_HWCAP` (`getauxval(3)`); `false` on any other system and architecture.
#[must_use]
#[inline]
pub fn available() -> bool {
    cfg!(all(target_arch = "arm", target_feature = "neon")) || os::available()
}

#[cfg(all(target_arch = "arm", any(target_os = "linux", target_os = "android")))]
mod os {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// `HWCAP_NEON` of Linux's `arch/arm/include/uapi/asm/hwcap.h`; a 64-bit kernel tells 32-bit processes the same.
    const HWCAP_NEON: libc::c_ulong = 1 << 12;

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;

    /// Every thread finds the same answer, so that it does not matter which one writes it.
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[inline]
    pub(super) fn available() -> bool {
        match ANSWER.load(Relaxed) {
            UNKNOWN => ask(),
            answer => answer == PRESENT,
        }
    }

    #[cold]
    fn ask() -> bool {
        // SAFETY: `getauxval` reads a table that the kernel made before the program began; any argument is allowed.
        let present = unsafe { libc::getauxval(libc::AT_HWCAP) } & HWCAP_NEON != 0;
        ANSWER.store(if present { PRESENT } else { ABSENT }, Relaxed);
        present
    }
}

#[cfg(not(all(target_arch = "arm", any(target_os = "linux", target_os = "android"))))]
mod os {
    #[inline]
    pub(super) fn available() -> bool {
        false
    }
}
