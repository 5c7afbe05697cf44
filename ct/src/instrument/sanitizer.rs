//! Calls to the run-time library of MemorySanitizer (`sanitizer/msan_interface.h` of LLVM's compiler-rt).

#[cfg(feature = "memory-sanitizer")]
mod library {
    use std::ffi::c_void;

    unsafe extern "C" {
        /// Marks memory as if it had just been allocated: nothing that depends on it may decide anything.
        fn __msan_allocated_memory(address: *const c_void, size: usize);
        fn __msan_unpoison(address: *const c_void, size: usize);
    }

    pub(super) fn mark<T: ?Sized>(value: &mut T, undefined: bool) {
        let address = std::ptr::from_mut(value).cast();
        let size = size_of_val(value);
        // SAFETY: the library changes its own notes on these bytes, which belong to `value`, and not the bytes.
        unsafe {
            if undefined {
                __msan_allocated_memory(address, size);
            } else {
                __msan_unpoison(address, size);
            }
        }
        std::hint::black_box(value);
    }
}

#[cfg(not(feature = "memory-sanitizer"))]
mod library {
    pub(super) fn mark<T: ?Sized>(_: &mut T, _: bool) {}
}

pub(super) fn make_undefined<T: ?Sized>(value: &mut T) {
    library::mark(value, true);
}

pub(super) fn make_defined<T: ?Sized>(value: &mut T) {
    library::mark(value, false);
}
