//! The program under test of `cargo xtask ct`: runs each operation of each crate on each available back end with
//! secrets that an instrument watches.
//!
//! The instruments are Valgrind's memcheck and MemorySanitizer, for which a secret is uninitialised memory, and an
//! emulator that compares the addresses which runs with different secrets execute and touch. This program says what is
//! secret and where an operation begins and ends; whoever starts it reads what the instrument says.
//!
//! ```text
//! ct [PART...]        run the operations whose `crate/backend/operation` has one of the parts in it; `=WHOLE` is one
//! ct --trace ...      the same under the emulator
//! ct --list           print the operations
//! ct --declassified   print what the crates make public, see `declassified.rs`
//! ```
//!
//! All lines begin with `ct: ` and go to standard error, between the instrument's own.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "a tool, where `std` is always there"
)]

mod declassified;
mod instrument;
mod operations;
mod planted;
mod probe;

use std::process::ExitCode;

use instrument::Instrument;
use operations::Operation;
use probe::Probe;

fn main() -> ExitCode {
    let mut wanted = Vec::new();
    let (mut list, mut trace) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--list" => list = true,
            "--trace" => trace = true,
            "--declassified" => {
                declassified::print();
                return ExitCode::SUCCESS;
            }
            _ => wanted.push(argument),
        }
    }
    let mut operations = planted::operations();
    operations.extend(operations::all());
    operations.retain(|operation| {
        let path = operation.path();
        let is_wanted = |part: &String| match part.strip_prefix('=') {
            Some(whole) => path == whole,
            None => path.contains(part),
        };
        wanted.is_empty() || wanted.iter().any(is_wanted)
    });
    if list {
        for operation in &operations {
            println!("{}", operation.path());
        }
        return ExitCode::SUCCESS;
    }
    let Some(instrument) = Instrument::find(trace) else {
        eprintln!("ct: no instrument is watching; run `cargo xtask ct`");
        return ExitCode::FAILURE;
    };
    eprintln!("ct: instrument {}", instrument.name());
    for operation in &operations {
        check(instrument, operation);
    }
    eprintln!("ct: done {}", operations.len());
    ExitCode::SUCCESS
}

/// Runs one operation with one set of secrets after the other.
fn check(instrument: Instrument, operation: &Operation) {
    eprintln!("ct: begin {}", operation.path());
    if instrument.needs_warm_up() {
        (operation.body)(&mut Probe::new(instrument, 0));
    }
    instrument.begin_operation();
    for run in instrument.runs() {
        (operation.body)(&mut Probe::new(instrument, run));
    }
    eprintln!("ct: end {}", instrument.end_operation());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What the operations assert of their results holds in every run that an instrument makes.
    #[test]
    fn operations_do_what_they_say() {
        let operations = operations::all();
        assert!(!operations.is_empty());
        for operation in &operations {
            for run in Instrument::Unwatched.runs() {
                (operation.body)(&mut Probe::new(Instrument::Unwatched, run));
            }
        }
    }

    #[test]
    fn every_operation_has_a_path_of_its_own() {
        let mut operations = planted::operations();
        operations.extend(operations::all());
        let paths: BTreeSet<String> = operations.iter().map(Operation::path).collect();
        assert_eq!(paths.len(), operations.len());
    }
}
