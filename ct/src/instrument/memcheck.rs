//! Client requests to Valgrind's memcheck: a sequence of instructions that changes nothing on a CPU and that Valgrind
//! recognises (Valgrind manual, section 3.1; `valgrind.h`). Only x86-64 is spoken to.

use std::cell::Cell;
use std::hint::black_box;

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
/// memcheck's requests begin with the letters M and C.
const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

thread_local! {
    /// The errors before the operation that runs.
    static BEFORE: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn is_watching() -> bool {
    request(RUNNING_ON_VALGRIND, [0; 2]) != 0
}

pub(super) fn make_undefined<T: ?Sized>(value: &mut T) {
    request(MAKE_MEM_UNDEFINED, span(value));
    black_box(value);
}

pub(super) fn make_defined<T: ?Sized>(value: &mut T) {
    request(MAKE_MEM_DEFINED, span(value));
    black_box(value);
}

pub(super) fn begin_operation() {
    BEFORE.set(errors());
}

pub(super) fn end_operation() -> usize {
    errors() - BEFORE.get()
}

/// The errors so far that no suppression matched, each occurrence counted.
fn errors() -> usize {
    request(COUNT_ERRORS, [0; 2])
}

/// Address and length of a value.
fn span<T: ?Sized>(value: &mut T) -> [usize; 2] {
    let length = size_of_val(value);
    [
        std::ptr::from_mut(value).cast::<u8>().expose_provenance(),
        length,
    ]
}

/// Makes a request; 0 where Valgrind does not watch.
#[cfg(target_arch = "x86_64")]
fn request(request: usize, [a, b]: [usize; 2]) -> usize {
    let arguments = [request, a, b, 0, 0, 0];
    let mut result = 0;
    // SAFETY: the rotations of `rdi` add up to 128 bits and the exchange is of a register with itself, so that a CPU is
    // left as it was. Valgrind reads the six words that `rax` points to, writes `rdx`, and notes what it is told about
    // memory, whose contents it does not change.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rdi") 0_usize,
            in("rax") arguments.as_ptr(),
            inout("rdx") result,
            options(nostack),
        );
    }
    result
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_: usize, _: [usize; 2]) -> usize {
    0
}
