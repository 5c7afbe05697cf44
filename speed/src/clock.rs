//! The clock: the calling thread's CPU time where there is one, which leaves out what other programs took of the core.

/// What the clock counts, for the report.
#[cfg(unix)]
pub(crate) const KIND: &str = "thread CPU time";
/// What the clock counts, for the report.
#[cfg(not(unix))]
pub(crate) const KIND: &str = "elapsed time";

/// Nanoseconds since some fixed moment.
#[cfg(unix)]
pub(crate) fn now_ns() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Nanoseconds since the first call. (Windows has a thread time too, in steps of 15 ms.)
#[cfg(not(unix))]
pub(crate) fn now_ns() -> f64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as f64
}

/// Nanoseconds that `work` took.
pub(crate) fn time_ns(work: impl FnOnce()) -> f64 {
    let start = now_ns();
    work();
    now_ns() - start
}
