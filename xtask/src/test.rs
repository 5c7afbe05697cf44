//! `cargo xtask test`: the whole test suite, with a count that cannot hide a test that did not run.

pub(crate) mod matrix;
mod summary;

use std::ffi::OsString;

use anyhow::{Result, bail};
use cargo_metadata::Package;

use crate::shell::{Cmd, rustflags_with};
use crate::workspace::{Workspace, direct_dependencies, is_published, names, underscored};

pub(crate) use summary::Counts;
use summary::Watch;

/// Run the tests of every crate and count them
///
/// Unit tests, integration tests and doc tests, of the published crates with all features and again without any, of
/// the tools with their default features. The default profile optimises but keeps debug assertions and overflow checks.
/// Every crate is tested by itself, so that no other crate's features help it. The last line is
/// `N passed, N failed, N skipped`; skipped are the tests marked `#[ignore]`. A published crate in which no test ran is a failure.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test
  cargo xtask test --crate aes-vpaes --crate poly1305-simd
  cargo xtask test --release
  cargo xtask test --backend soft32
  cargo xtask test --crate chacha20-simd -- --nocapture counter
  cargo xtask test --all --report
  cargo xtask test --target aarch64-unknown-linux-gnu --cpu cortex-a72-no-crypto
  cargo xtask test --target s390x-unknown-linux-gnu --crate kyber --backend soft32")]
pub(crate) struct TestArgs {
    /// Only this crate (may be given again)
    #[arg(long = "crate", value_name = "NAME")]
    pub(crate) crates: Vec<String>,

    /// Only the published crates: leave out the tools
    #[arg(long)]
    pub(crate) published: bool,

    /// Force this back end at compile time, in the crates that have it
    ///
    /// Tests these crates and those built on them, in a target directory of its own.
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,

    /// Test on every target and CPU model
    ///
    /// Natively, under emulators, wine and Node.js; targets without an operating system are only built. What that takes
    /// is set up in `target/cross`. At the end stands a matrix of targets, CPU models and crates. The environment
    /// variable `XTASK_STD=build` has standard libraries built from Debian's sources even where rustup could fetch them.
    #[arg(long)]
    pub(crate) all: bool,

    /// Only this target of `--all` (may be given again)
    #[arg(long = "target", value_name = "NAME")]
    pub(crate) targets: Vec<String>,

    /// Only this CPU model of `--all`, or `build` for targets where nothing can run (may be given again)
    #[arg(long = "cpu", value_name = "NAME")]
    pub(crate) cpus: Vec<String>,

    /// With `--all`, `--target` or `--cpu`: all crates in one go, with all features, without the documentation's examples
    #[arg(long)]
    pub(crate) quick: bool,

    /// With `--all`, `--target` or `--cpu`: only ask which back ends the crates have and choose
    ///
    /// The program that answers runs all of them first and fails where one changes a callee-saved register.
    #[arg(long, conflicts_with_all = ["crates", "backend", "report"])]
    pub(crate) dispatch: bool,

    /// Fail where a target or CPU model of the matrix is skipped
    #[arg(long)]
    pub(crate) require_all: bool,

    /// Write the matrix into `docs/` too
    #[arg(long)]
    pub(crate) report: bool,

    /// Build for release, with overflow checks
    #[arg(long)]
    pub(crate) release: bool,

    /// Arguments for the test programs, such as a filter
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) extra: Vec<OsString>,
}

/// What a run of the suite found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// For each crate.
    rows: Vec<(String, Counts)>,
    /// What went wrong, in words.
    pub(crate) problems: Vec<String>,
}

impl Report {
    pub(crate) fn total(&self) -> Counts {
        self.rows.iter().map(|(_, counts)| *counts).sum()
    }

    pub(crate) fn print(&self) {
        println!("\n{}", summary::table(&self.rows));
        for problem in &self.problems {
            println!("FAILED: {problem}");
        }
    }
}

pub(crate) fn run(workspace: &Workspace, args: &TestArgs) -> Result<bool> {
    if args.all || !args.targets.is_empty() || !args.cpus.is_empty() {
        let (total, problems) = matrix::run(workspace, args)?;
        for problem in &problems {
            println!("FAILED: {problem}");
        }
        println!("{total}");
        return Ok(problems.is_empty());
    }
    if args.quick || args.dispatch || args.require_all || args.report {
        bail!("--quick, --dispatch, --require-all and --report go with --all, --target or --cpu");
    }
    let report = suite(workspace, args)?;
    report.print();
    println!("{}", report.total());
    Ok(report.problems.is_empty())
}

/// Runs the suite that `args` describes. An error only where nothing could be run.
pub(crate) fn suite(workspace: &Workspace, args: &TestArgs) -> Result<Report> {
    let packages = select(workspace, args)?;
    let mut report = Report::default();
    for package in packages {
        let mut counts = Counts::default();
        for features in feature_sets(package) {
            let command = command(workspace, args, package, features)?;
            let line = command.to_string();
            let mut watch = Watch::default();
            let status = command.run_lines(|line| watch.see(line))?;
            if !status.success() {
                report
                    .problems
                    .push(format!("{}: `{line}` ({status})", package.name));
            }
            counts += watch.finish(status.success());
        }
        // With extra arguments a filter may leave a crate out.
        if counts.ran() == 0 && args.extra.is_empty() && is_published(package) {
            report
                .problems
                .push(format!("{}: no test ran; add one", package.name));
        }
        report.rows.push((package.name.to_string(), counts));
    }
    if report.total().ran() == 0 && report.problems.is_empty() {
        report
            .problems
            .push("no test ran; check the filter after `--`".to_owned());
    }
    Ok(report)
}

/// The crates to test.
fn select<'a>(workspace: &'a Workspace, args: &TestArgs) -> Result<Vec<&'a Package>> {
    let mut packages = if args.crates.is_empty() {
        workspace.packages()
    } else {
        args.crates
            .iter()
            .map(|name| workspace.package(name))
            .collect::<Result<_>>()?
    };
    packages.retain(|package| !args.published || is_published(package));
    if let Some(backend) = &args.backend {
        let forced = names(&with_backend(workspace, backend)?);
        packages.retain(|package| {
            is_published(package)
                && (forced.contains(&package.name.to_string())
                    || direct_dependencies(package)
                        .iter()
                        .any(|name| forced.iter().any(|f| f == name)))
        });
    }
    if packages.is_empty() {
        bail!("no crate is left to test; give fewer conditions");
    }
    Ok(packages)
}

/// The crates that can be forced down to this back end.
fn with_backend<'a>(workspace: &'a Workspace, backend: &str) -> Result<Vec<&'a Package>> {
    let mut packages = workspace.packages();
    packages.retain(|package| workspace.backends_of(package).iter().any(|b| b == backend));
    if packages.is_empty() {
        let all: Vec<_> = workspace.backends().into_iter().collect();
        bail!(
            "no crate can be forced to the back end `{backend}`; there are: {}",
            all.join(", ")
        );
    }
    Ok(packages)
}

/// The flags for rustc that force these crates down to it.
fn backend_flags(workspace: &Workspace, backend: &str) -> Result<Vec<String>> {
    let flag = |package| format!("--cfg {}_backend=\"{backend}\"", underscored(package));
    let packages = with_backend(workspace, backend)?;
    Ok(packages.into_iter().map(flag).collect())
}

/// The feature arguments with which a crate is tested.
fn feature_sets(package: &Package) -> &'static [&'static [&'static str]] {
    if !is_published(package) {
        // The speed tool's features are peers, some of which need a C toolchain.
        &[&[]]
    } else if package.features.is_empty() {
        &[&["--all-features"]]
    } else {
        &[&["--all-features"], &["--no-default-features"]]
    }
}

/// `cargo test` of a crate, wherever.
fn cargo_test(args: &TestArgs, package: &Package, features: &[&str]) -> Cmd {
    let command = Cmd::cargo("test")
        .args(["--package", &package.name])
        .arg("--no-fail-fast")
        .args(features);
    if args.release {
        let checks = "profile.release.overflow-checks=true";
        command.args(["--release", "--config", checks])
    } else {
        command
    }
}

fn command(
    workspace: &Workspace,
    args: &TestArgs,
    package: &Package,
    features: &[&str],
) -> Result<Cmd> {
    let mut command = cargo_test(args, package, features);
    if let Some(backend) = &args.backend {
        // Of its own, so that the usual one keeps its builds: cargo would replace the programs of one set of flags by
        // those of the other.
        let directory = workspace.target_dir().join("backend").join(backend);
        command = command.arg("--target-dir").arg(directory).env(
            "RUSTFLAGS",
            rustflags_with(&backend_flags(workspace, backend)?)?,
        );
    }
    if !args.extra.is_empty() {
        command = command.arg("--").args(&args.extra);
    }
    Ok(command)
}
