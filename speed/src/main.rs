//! The speed tool: times this workspace's crates, operation by operation, on every back end, and beside other
//! implementations, in the manner of `bssl speed` and `openssl speed`.

#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program, which has std"
)]

mod cli;
mod clock;
mod count;
mod cpu;
mod data;
mod mark;
mod measure;
mod ops;
mod ours;
mod peers;
mod randomness;
mod report;
mod stats;
mod suite;
mod without_aes;

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    cli::Args,
    measure::{Measurement, Plan, measure},
    peers::{Peer, rustcrypto},
    report::Conditions,
    suite::{Contest, Filter, Suite},
};

/// The exit code for a command that cannot be carried out as it is, as `clap` has it.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let mut args = Args::parse();
    let mut contests = match prepare(&mut args) {
        Ok(contests) => contests,
        Err(Failure::Usage(message)) => {
            eprintln!("error: {message}");
            return ExitCode::from(USAGE);
        }
        Err(Failure::WrongOutput(named)) => {
            eprintln!("error: the output is not RustCrypto's:");
            named.iter().for_each(|name| eprintln!("  {name}"));
            return ExitCode::FAILURE;
        }
    };
    let done = if args.list {
        list(&contests)
    } else if let Some(runs) = args.windows {
        mark::windows(&mut contests, runs, args.stop).map_err(Into::into)
    } else if let Some(counter) = &args.counter {
        count(&args, &mut contests, counter)
    } else {
        time(&args, &mut contests).and_then(|()| {
            if without_aes::is_worthwhile(&args, &contests) {
                without_aes::run()?;
            }
            Ok(())
        })
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough, as `head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Why nothing is measured.
enum Failure {
    Usage(String),
    WrongOutput(Vec<String>),
}

/// Finds who takes part in what, and checks all their outputs.
fn prepare(args: &mut Args) -> Result<Vec<Contest>, Failure> {
    ours::check_names(&args.backends).map_err(Failure::Usage)?;
    if args.without_aes {
        without_aes::narrow(args).map_err(Failure::Usage)?;
    }
    let peers = peers::select(&args.peers).map_err(Failure::Usage)?;
    if let Some(peer) = args
        .filters
        .iter()
        .find(|filter| Peer::from_str(filter, true).is_ok())
    {
        return Err(Failure::Usage(format!(
            "`{peer}` is a peer, not an operation: peers go after --vs, with commas"
        )));
    }
    let mut suite = Suite::new(Filter::new(&args.filters, &args.sizes));
    ours::enter(&mut suite, &args.backends);
    peers::enter(&mut suite, &peers);
    let mut contests = suite.into_contests().map_err(Failure::WrongOutput)?;
    if args.without_aes {
        contests.retain(without_aes::is_aes);
    }
    if contests.is_empty() {
        let filters = args.filters.join("`, `");
        let backends = if args.backends.is_empty() {
            ""
        } else {
            " on the chosen back ends"
        };
        return Err(Failure::Usage(format!(
            "no operation matches `{filters}`{backends}; `--list` shows what there is"
        )));
    }
    Ok(contests)
}

fn list(contests: &[Contest]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    for contest in contests {
        let who: Vec<String> = contest
            .cases
            .iter()
            .map(|case| case.implementation.to_string())
            .collect();
        writeln!(stdout, "{} [{}]", contest.operation, who.join(", "))?;
    }
    Ok(())
}

/// Counts instructions.
fn count(args: &Args, contests: &mut [Contest], counter: &Path) -> anyhow::Result<()> {
    let conditions = Conditions::of_counts(args.cpu_name.clone());
    eprintln!(
        "{}; {}; {}; instructions",
        conditions.cpu, conditions.target, conditions.rustc
    );
    let mut found = Vec::new();
    let mut stdout = io::stdout().lock();
    for contest in contests {
        let results = count::count(contest, counter)?;
        for count in &results {
            writeln!(stdout, "{}", report::line::format_count(count))?;
        }
        stdout.flush()?;
        found.extend(results);
    }
    if let Some(path) = &args.json {
        write(path, &report::json::format_counts(&conditions, &found)?)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

/// Times everything.
fn time(args: &Args, contests: &mut [Contest]) -> anyhow::Result<()> {
    let plan = Plan::new(args.time);
    let conditions = Conditions::of_times(args.cpu_name.clone(), args.time, plan.rounds);
    eprintln!(
        "{}; {}; {}; {}",
        conditions.cpu, conditions.target, conditions.rustc, conditions.clock
    );
    if cfg!(debug_assertions) {
        eprintln!("note: this build has debug assertions; figures count with `--profile speed`");
    }
    if contests.iter().any(|contest| {
        contest
            .cases
            .iter()
            .any(|case| !case.implementation.is_ours())
    }) {
        eprintln!(
            "xR BACKEND: time of the peer / time of ours on that back end; above 1 ours is faster"
        );
    }
    if portable_against_automatic(args, contests) {
        eprintln!(
            "note: ours is portable code, while RustCrypto takes what it finds best on this CPU; portable against \
             portable is\n  cargo xtask speed --backend soft --vs rustcrypto\n  RUSTFLAGS='{}' cargo run --profile \
             speed -p speed -- --backend soft --vs rustcrypto",
            rustcrypto::SOFT_FLAGS,
        );
    }

    let mut found = Vec::new();
    let bar = progress_bar(contests.len());
    for contest in contests {
        bar.set_message(contest.operation.to_string());
        let results = measure(contest, plan);
        // The bar is on standard error; it makes room, so that both may be the same terminal.
        bar.suspend(|| print(&results))?;
        found.extend(results);
        bar.inc(1);
    }
    bar.finish_and_clear();

    if let Some(path) = &args.json {
        write(path, &report::json::format(&conditions, &found)?)?;
    }
    if let Some(path) = &args.plot {
        write(path, &report::plot::draw(&conditions, &found)?)?;
    }
    Ok(())
}

/// Whether RustCrypto takes part with whatever it finds best, and we with portable code alone.
fn portable_against_automatic(args: &Args, contests: &[Contest]) -> bool {
    let vs_rustcrypto = args
        .peers
        .iter()
        .any(|&peer| peer == Peer::RustCrypto || peer == Peer::All);
    let mut ours = contests
        .iter()
        .flat_map(|contest| &contest.cases)
        .filter(|case| case.implementation.is_ours());
    vs_rustcrypto
        && !rustcrypto::SOFT
        && ours.all(|case| {
            case.implementation
                .backend
                .is_some_and(|name| name.starts_with("soft"))
        })
}

fn print(results: &[Measurement]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for found in results {
        writeln!(stdout, "{}", report::line::format(found))?;
    }
    stdout.flush()
}

/// A bar on standard error; nothing at all where that is not a terminal.
fn progress_bar(len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} (about {eta} left)");
    let bar = ProgressBar::new(len as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
