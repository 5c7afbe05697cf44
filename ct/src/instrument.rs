//! What watches: one interface to all instruments.

mod memcheck;
mod sanitizer;
mod trace;

use std::ops::Range;

/// An instrument that watches this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instrument {
    /// Valgrind's memcheck: a secret is undefined memory; a branch or address that depends on it is an error.
    Memcheck,
    /// MemorySanitizer, which this program is built with: the same.
    MemorySanitizer,
    /// An emulator that compares the addresses executed and touched in runs with different secrets.
    Trace,
    /// Nothing, in this program's own tests.
    #[cfg(test)]
    Unwatched,
}

impl Instrument {
    /// The instrument that watches this process, if one does. The emulator cannot be noticed: `trace` says that it is
    /// there.
    pub(crate) fn find(trace: bool) -> Option<Self> {
        if cfg!(feature = "memory-sanitizer") {
            Some(Self::MemorySanitizer)
        } else if memcheck::is_watching() {
            Some(Self::Memcheck)
        } else {
            trace.then_some(Self::Trace)
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Memcheck => "valgrind",
            Self::MemorySanitizer => "msan",
            Self::Trace => "trace",
            #[cfg(test)]
            Self::Unwatched => "none",
        }
    }

    /// The runs of each operation. For memcheck and MemorySanitizer the value of a secret means nothing; two runs are
    /// made for the sake of operations that do something else in the second one. A trace shows a branch on a bit only
    /// if the bit differs between the runs.
    pub(crate) fn runs(self) -> Range<u64> {
        match self {
            Self::Memcheck | Self::MemorySanitizer => 0..2,
            Self::Trace => 0..trace::RUNS,
            #[cfg(test)]
            Self::Unwatched => 0..trace::RUNS,
        }
    }

    /// Whether an operation must have run once before it is watched: the first time, a program may ask for the features
    /// of the CPU.
    pub(crate) fn needs_warm_up(self) -> bool {
        self == Self::Trace
    }

    /// Makes these bytes secret.
    pub(crate) fn secret<T: ?Sized>(self, value: &mut T) {
        match self {
            Self::Memcheck => memcheck::make_undefined(value),
            Self::MemorySanitizer => sanitizer::make_undefined(value),
            Self::Trace => {}
            #[cfg(test)]
            Self::Unwatched => {}
        }
    }

    /// Makes these bytes public again.
    pub(crate) fn public<T: ?Sized>(self, value: &mut T) {
        match self {
            Self::Memcheck => memcheck::make_defined(value),
            Self::MemorySanitizer => sanitizer::make_defined(value),
            Self::Trace => {}
            #[cfg(test)]
            Self::Unwatched => {}
        }
    }

    /// Before the first run of an operation.
    pub(crate) fn begin_operation(self) {
        match self {
            Self::Memcheck => memcheck::begin_operation(),
            Self::Trace => trace::begin_operation(),
            _ => {}
        }
    }

    /// After the last run of an operation: how often a secret was seen to leak, where the instrument tells it inside
    /// this process.
    pub(crate) fn end_operation(self) -> usize {
        match self {
            Self::Memcheck => memcheck::end_operation(),
            Self::Trace => {
                trace::end_operation();
                0
            }
            _ => 0,
        }
    }

    /// Runs what is to be watched. Not inlined, so that it has the same place on the stack in each run.
    #[inline(never)]
    pub(crate) fn watch<T>(self, body: impl FnOnce() -> T) -> T {
        if self != Self::Trace {
            return body();
        }
        trace::begin();
        let result = body();
        trace::end();
        result
    }
}
