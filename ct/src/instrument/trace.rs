//! Marks for the emulator's plugin, which knows them by their names: see `xtask/cross/plugins/ct-trace.c`.

use std::hint::black_box;

/// The runs of each operation: fifteen that are compared with the first. A branch on one random bit is seen in all but
/// one of 8192 operations.
pub(super) const RUNS: u64 = 16;

/// The next window is the first of an operation: the ones after it are compared with it.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn ct_trace_operation() {
    black_box(0);
}

/// A window begins.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn ct_trace_begin() {
    black_box(1);
}

/// A window ends.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn ct_trace_end() {
    black_box(2);
}

/// The operation ends.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn ct_trace_rest() {
    black_box(3);
}

pub(super) fn begin_operation() {
    ct_trace_operation();
}

pub(super) fn end_operation() {
    ct_trace_rest();
}

pub(super) fn begin() {
    ct_trace_begin();
}

pub(super) fn end() {
    ct_trace_end();
}
