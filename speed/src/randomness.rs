//! Randomness that is the same in every run, where instructions are counted: rejection makes their number depend on it.
//!
//! A build with `--cfg getrandom_backend="custom"` takes it from here in place of the system.

/// Lets the same bytes come once more.
#[cfg(not(getrandom_backend = "custom"))]
pub(crate) fn restart() {}

#[cfg(getrandom_backend = "custom")]
pub(crate) use repeated::restart;

#[cfg(getrandom_backend = "custom")]
mod repeated {
    use std::cell::Cell;

    /// Where the generator begins: any number but zero.
    const START: u64 = 0x9e37_79b9_7f4a_7c15;

    thread_local! {
        static STATE: Cell<u64> = const { Cell::new(START) };
    }

    pub(crate) fn restart() {
        STATE.set(START);
    }

    /// What `getrandom` calls.
    #[unsafe(no_mangle)]
    unsafe extern "Rust" fn __getrandom_v03_custom(
        bytes: *mut u8,
        len: usize,
    ) -> Result<(), getrandom::Error> {
        // SAFETY: the caller gives a buffer of `len` bytes, which may hold nothing yet: it is zeroed before it is seen
        // as a slice.
        let bytes = unsafe {
            bytes.write_bytes(0, len);
            core::slice::from_raw_parts_mut(bytes, len)
        };
        // Marsaglia's xorshift64.
        let mut x = STATE.get();
        for byte in bytes {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            *byte = (x >> 24) as u8;
        }
        STATE.set(x);
        Ok(())
    }
}
