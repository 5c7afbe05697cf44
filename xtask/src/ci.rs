//! `cargo xtask ci`: everything that CI runs.

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::cross;
use crate::cross::targets::BUILD;
use crate::ct::{self, CtArgs};
use crate::steps::{Outcome, Steps};
use crate::test::{self, Counts, TestArgs, matrix};
use crate::workspace::Workspace;
use crate::{lint, package, speed};

/// Run everything that CI runs
///
/// In this order, which lets later steps use the builds of earlier ones: `lint`, `test`, `test --release`, `test
/// --backend NAME` for the portable back ends, `package`, a short run of the speed tool, with `--targets` or `--full` the
/// tests on other targets and CPU models, and on x86_64 Linux the constant-time check in its quick form. Every step runs
/// even if one before it failed. At the end stand the seconds that each took, what failed, and the tests counted over all
/// steps.
#[derive(Debug, clap::Args)]
pub(crate) struct CiArgs {
    /// Test on other targets and CPU models too: those that an hour on two cores has room for
    #[arg(long)]
    targets: bool,

    /// Test on every target and CPU model, as `test --all --require-all`, and before that with `--quick --release`
    #[arg(long)]
    full: bool,
}

/// What is tested with `--targets`: every back end that this machine's own CPU cannot run, x86_64 with few instructions
/// and with many, big-endian s390x, and a build without an operating system.
const QUICK_TARGETS: [&str; 6] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "armv7-unknown-linux-gnueabihf",
    "s390x-unknown-linux-gnu",
    "wasm32-wasip1+simd128",
    "thumbv7em-none-eabihf",
];
const QUICK_CPUS: [&str; 6] = ["ssse3", "max", "neoverse-n2", "cortex-a7", "node", BUILD];

pub(crate) fn run(workspace: &Workspace, args: &CiArgs) -> Result<bool> {
    let mut steps = Steps::default();
    let mut total = Counts::default();

    lint::add_steps(workspace, &mut steps);
    for (name, args) in suites() {
        steps.step(&name, "run the command that failed again by itself", || {
            let report = test::suite(workspace, &args)?;
            report.print();
            total += report.total();
            if !report.problems.is_empty() {
                bail!("{}", report.problems.join("\n  "));
            }
            Ok(Outcome::Done)
        });
    }
    steps.step("package", "run `cargo xtask package`", || {
        package::package(workspace)?;
        Ok(Outcome::Done)
    });
    steps.step("speed", "run `cargo xtask speed`", || smoke(workspace));

    for (name, args) in other_targets(args) {
        steps.step(
            name,
            "run `cargo xtask test --target NAME --cpu NAME --crate NAME`; the logs are in target/cross/log",
            || {
                if !cross::is_possible() {
                    return Ok(Outcome::Skipped("needs x86_64 Linux".to_owned()));
                }
                let (counts, problems) = matrix::run(workspace, &args)?;
                total += counts;
                if !problems.is_empty() {
                    bail!("{}", problems.join("\n  "));
                }
                Ok(Outcome::Done)
            },
        );
    }
    steps.step(
        "constant time",
        "run `cargo xtask ct --instrument valgrind`",
        || constant_time(workspace),
    );

    let good = steps.finish();
    println!("{total}");
    Ok(good)
}

/// The quick form of the constant-time check.
fn constant_time(workspace: &Workspace) -> Result<Outcome> {
    if !cross::is_possible() {
        return Ok(Outcome::Skipped("needs x86_64 Linux".to_owned()));
    }
    if !ct::run(workspace, &CtArgs::quick())? {
        bail!("see what it wrote");
    }
    Ok(Outcome::Done)
}

/// The runs of the test suite, by name.
fn suites() -> Vec<(String, TestArgs)> {
    let release = TestArgs {
        release: true,
        published: true,
        ..TestArgs::default()
    };
    let mut suites = vec![
        ("test".to_owned(), TestArgs::default()),
        ("test: release".to_owned(), release),
    ];
    // The tests force every other back end at run time, too.
    suites.extend(["soft", "soft32"].map(|name| {
        let args = TestArgs {
            backend: Some(name.to_owned()),
            ..TestArgs::default()
        };
        (format!("test: {name}"), args)
    }));
    suites
}

/// The runs on other targets, by name: the part of the matrix for every change, or all of it after a quick one of
/// optimised builds, the only ones whose stack is looked at.
fn other_targets(args: &CiArgs) -> Vec<(&'static str, TestArgs)> {
    let all = || TestArgs {
        all: true,
        require_all: true,
        ..TestArgs::default()
    };
    if args.full {
        let release = TestArgs {
            release: true,
            quick: true,
            ..all()
        };
        return vec![
            ("test: other targets, release", release),
            ("test: other targets", all()),
        ];
    }
    if args.targets {
        let part = TestArgs {
            quick: true,
            targets: QUICK_TARGETS.map(str::to_owned).to_vec(),
            cpus: QUICK_CPUS.map(str::to_owned).to_vec(),
            ..all()
        };
        return vec![("test: other targets", part)];
    }
    Vec::new()
}

/// Measures everything for so short a time that the figures mean nothing: that the tool runs is what counts.
fn smoke(workspace: &Workspace) -> Result<Outcome> {
    let file = workspace.target_dir().join("speed-smoke.json");
    if file.exists() {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    let path = file
        .to_str()
        .context("the target directory's name is not plain text")?;
    speed::command(
        workspace,
        &["--time", "1", "--vs", "rustcrypto", "--json", path].map(Into::into),
    )?
    .run()?;
    let json = fs::read_to_string(&file)
        .with_context(|| format!("the speed tool did not write {}", file.display()))?;
    if !json.trim_start().starts_with(['{', '[']) {
        bail!("{} is not JSON", file.display());
    }
    Ok(Outcome::Done)
}
