//! `cargo xtask lint`: everything about the source that can be checked without running the crates.

pub(crate) mod bare_metal;
mod dependencies;
mod features;
mod manifests;

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Result, bail};
use cargo_metadata::Package;

use crate::shell::Cmd;
use crate::steps::{Outcome, Steps};
use crate::workspace::{Workspace, is_published, package_args};

/// Check formatting, lints, docs, features and dependencies
///
/// rustfmt; clippy of everything with warnings as errors; the published crates in every combination of their features
/// (from five features on: none, each one, each pair, all); the docs, public and private; the manifests and the
/// dependencies against the list in this tool; a bare-metal build, if a bare-metal target is installed; `cargo deny`, if
/// that is installed. All checks run, a table at the end tells which failed and which were skipped.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask lint
  rustup target add thumbv7em-none-eabi && cargo xtask lint
  cargo install --locked cargo-deny && cargo xtask lint")]
pub(crate) struct LintArgs {}

pub(crate) fn run(workspace: &Workspace, _: &LintArgs) -> Result<bool> {
    let mut steps = Steps::default();
    add_steps(workspace, &mut steps);
    Ok(steps.finish())
}

/// Runs all checks as steps.
pub(crate) fn add_steps(workspace: &Workspace, steps: &mut Steps) {
    let published = workspace.published();
    let mut tools = workspace.packages();
    tools.retain(|package| !is_published(package));

    steps.step("lint: format", "run `cargo fmt --all`", || {
        done(Cmd::cargo("fmt").args(["--all", "--check"]))
    });
    steps.step(
        "lint: manifests",
        "see CONTRIBUTING.md, \"A new crate\"",
        || manifests::check(workspace),
    );
    steps.step(
        "lint: dependencies",
        "do without the dependency, or add it to xtask/src/lint/dependencies.rs and say why in the commit",
        || dependencies::check(workspace),
    );
    steps.step(
        "lint: clippy",
        "fix the warning where it is reported",
        || {
            let tools = clippy(&tools, &["--all-targets"]);
            clippy(&published, &["--all-targets", "--all-features"])?;
            tools
        },
    );
    steps.step(
        "lint: features",
        "fix the warning in the combination of features that the command line shows",
        || {
            let mut found = Vec::new();
            for package in &published {
                let none = ["--all-targets", "--no-default-features"].map(str::to_owned);
                let some = features::combinations(package).into_iter().map(|set| {
                    let set = set.join(",");
                    ["--lib", "--no-default-features", "--features", &set]
                        .map(str::to_owned)
                        .to_vec()
                });
                for options in some.chain([none.to_vec()]) {
                    if let Err(error) = clippy(&[package], &options) {
                        found.push(error.to_string());
                    }
                }
            }
            findings(&found)
        },
    );
    steps.step(
        "lint: docs",
        "fix the doc comment where it is reported",
        || {
            docs(&published, &["--all-features"])?;
            docs(&published, &["--all-features", "--document-private-items"])?;
            docs(&tools, &["--document-private-items"])
        },
    );
    steps.step(
        "lint: no_std",
        "use `core` and `alloc`; `std` only behind the feature `std`",
        || bare_metal::build(&published),
    );
    steps.step("lint: deny", "see deny.toml", || {
        if !Cmd::cargo("deny").arg("--version").succeeds() {
            return skipped("cargo-deny is not installed (`cargo install --locked cargo-deny`)");
        }
        // Advisories change without the source: CI looks at them by the calendar.
        done(Cmd::cargo("deny").args(["check", "bans", "licenses", "sources"]))
    });
}

fn clippy(packages: &[&Package], options: &[impl AsRef<OsStr>]) -> Result<Outcome> {
    if packages.is_empty() {
        return skipped("no such crate");
    }
    done(
        Cmd::cargo("clippy")
            // Each crate answers for itself alone.
            .arg("--no-deps")
            .args(package_args(packages))
            .args(options)
            .args(["--", "-D", "warnings"]),
    )
}

fn docs(packages: &[&Package], options: &[&str]) -> Result<Outcome> {
    if packages.is_empty() {
        return skipped("no such crate");
    }
    done(
        Cmd::cargo("doc")
            .arg("--no-deps")
            .args(package_args(packages))
            .args(options)
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn done(command: Cmd) -> Result<Outcome> {
    command.run()?;
    Ok(Outcome::Done)
}

fn skipped(reason: &str) -> Result<Outcome> {
    Ok(Outcome::Skipped(reason.to_owned()))
}

/// An error that lists all findings, one a line.
fn findings(found: &[String]) -> Result<Outcome> {
    if found.is_empty() {
        return Ok(Outcome::Done);
    }
    bail!("{}", found.join("\n  "))
}

/// Whether the folder of a crate holds this file.
fn has_file(package: &Package, name: impl AsRef<OsStr>) -> bool {
    let folder = package.manifest_path.parent();
    folder.is_some_and(|folder| {
        folder
            .as_std_path()
            .join(Path::new(name.as_ref()))
            .is_file()
    })
}
