//! Windows for an instrument to look through.
//!
//! The emulator's plugin `xtask/cross/plugins/speed.c` knows the mark by its name. A program that single-steps this one
//! waits for it to stop itself.

use std::{
    fs,
    hint::black_box,
    io::{self, Write},
    path::Path,
};

use anyhow::Context;

use crate::{randomness, report::Conditions, suite::Contest};

/// The first call begins a window, the next one ends it, and so on.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn speed_mark() {
    black_box(0);
}

/// Where the mark lies, which tells where the program was loaded.
fn address() -> usize {
    // On ARM the lowest bit of a function's address says that it is Thumb code.
    speed_mark as extern "C" fn() as usize & !1
}

/// The instructions of `work`, which the plugin writes into the file at the window's end.
///
/// # Errors
///
/// If it did not: the program does not run under the plugin.
pub(crate) fn count(file: &Path, work: impl FnOnce()) -> anyhow::Result<u64> {
    speed_mark();
    work();
    speed_mark();
    let text = fs::read_to_string(file).unwrap_or_default();
    text.trim().parse().with_context(|| {
        format!(
            "{} holds no number: is this run by the emulator with its plugin?",
            file.display()
        )
    })
}

/// Runs each implementation in a window and prints a line of JSON before it: who does what, how often, in which versions, and
/// where the mark lies. An operation with a length runs once, for it has loops inside; others `runs` times.
///
/// # Errors
///
/// If the line cannot be written.
pub(crate) fn windows(contests: &mut [Contest], runs: u64, stop: bool) -> io::Result<()> {
    let mark = || {
        speed_mark();
        if stop {
            stop_here();
        }
    };
    let versions = Conditions::of_counts(None).versions;
    for contest in contests {
        let runs = contest.operation.bytes.map_or(runs, |_| 1);
        for case in &mut contest.cases {
            let line = serde_json::json!({
                "mark": address(),
                "operation": contest.operation.to_string(),
                "bytes": contest.operation.bytes,
                "implementation": case.implementation.name,
                "backend": case.implementation.backend,
                "runs": runs,
                "versions": versions,
            });
            writeln!(io::stdout(), "{line}")?;
            randomness::restart();
            (case.run)(1);
            mark();
            (case.run)(runs);
            mark();
        }
    }
    Ok(())
}

/// Stops until someone lets the program go on.
#[cfg(unix)]
fn stop_here() {
    use rustix::process::{Signal, getpid, kill_process};
    // It may always signal itself.
    let _ = kill_process(getpid(), Signal::STOP);
}

#[cfg(not(unix))]
fn stop_here() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_nobody_counted_is_an_error() {
        let error = count(Path::new("no such file"), || ()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no such file holds no number"),
            "{error}"
        );
    }
}
