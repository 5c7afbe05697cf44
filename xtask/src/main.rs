//! `cargo xtask`: one entry point for the workspace's tests, checks, speed runs and CI.
//!
//! It needs nothing but Rust itself: every command is a sequence of `cargo` invocations, each printed before it runs,
//! so that any of them can be repeated by hand. Only tests on other targets take more, which is set up by itself.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "a tool for the host, where `std` is always there"
)]

mod ci;
mod cross;
mod ct;
mod lint;
mod package;
mod setup;
mod shell;
mod speed;
mod steps;
mod test;
mod workspace;

use std::env;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

use workspace::Workspace;

#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    about = "One entry point for the workspace's tests, checks, speed runs and CI",
    after_help = "\
Examples:
  cargo xtask test                        every crate, every test
  cargo xtask test --crate poly1305-simd  one crate
  cargo xtask test --backend soft         with the portable back ends forced
  cargo xtask test --all                  on every target and CPU model
  cargo xtask lint                        formatting, clippy, docs, features, dependencies
  cargo xtask speed --help                what the speed tool can do
  cargo xtask ct                          whether branches and addresses depend on secrets
  cargo xtask ci                          everything that CI runs

`cargo xtask help COMMAND` tells more about each."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Test(test::TestArgs),
    Setup(setup::SetupArgs),
    Lint(lint::LintArgs),
    Speed(speed::SpeedArgs),
    Package(package::PackageArgs),
    Ct(ct::CtArgs),
    Ci(ci::CiArgs),
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command: `false` means that it failed and has said why.
fn run(command: Command) -> Result<bool> {
    let workspace = Workspace::load()?;
    // The speed tool keeps the caller's directory: paths among its arguments are relative to that.
    if !matches!(command, Command::Speed(_)) {
        env::set_current_dir(workspace.root())
            .with_context(|| format!("cannot enter {}", workspace.root().display()))?;
    }
    match command {
        Command::Test(args) => test::run(&workspace, &args),
        Command::Setup(args) => setup::run(&workspace, &args),
        Command::Lint(args) => lint::run(&workspace, &args),
        Command::Speed(args) => speed::run(&workspace, &args),
        Command::Package(args) => package::run(&workspace, &args),
        Command::Ct(args) => ct::run(&workspace, &args),
        Command::Ci(args) => ci::run(&workspace, &args),
    }
}
