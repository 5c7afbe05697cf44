//! `cargo xtask setup`: the cross environment by itself.

use anyhow::Result;

use crate::cross::targets::named;
use crate::cross::{Environment, Unready};
use crate::speed::Llvm;
use crate::workspace::Workspace;

/// Set up what other targets take, without testing
///
/// Linkers, standard libraries and emulators, in `target/cross`; packages of Debian and Ubuntu where run as root.
/// `cargo xtask test --all` does the same by itself. Set up once, everything works without a network.
#[derive(Debug, clap::Args)]
pub(crate) struct SetupArgs {
    /// Only this target (may be given again)
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,

    /// The emulators' plugins too, which count instructions and trace
    #[arg(long)]
    plugins: bool,

    /// llvm-mca too, which `cargo xtask speed --mca` needs
    #[arg(long)]
    mca: bool,
}

pub(crate) fn run(workspace: &Workspace, args: &SetupArgs) -> Result<bool> {
    let targets = named(&args.targets)?;
    let mut environment = Environment::open(workspace)?;
    environment.fetch_crates()?;
    let mut results: Vec<(&str, Result<(), Unready>)> = environment
        .prepare(&targets)
        .into_iter()
        .zip(targets)
        .map(|(place, target)| (target.name, place.map(|_| ())))
        .collect();
    if args.plugins {
        results.push(("plugins", environment.plugins().map(|_| ())));
    }
    if args.mca {
        let llvm = Llvm::provide(&environment).map(|_| ());
        results.push(("llvm-mca", llvm));
    }
    println!();
    let mut good = true;
    for (name, result) in results {
        match result {
            Ok(()) => println!("{name}: ready"),
            Err(Unready::Skipped(reason)) => println!("{name}: not on this machine: {reason}"),
            Err(Unready::Failed(reason)) => {
                good = false;
                println!("{name}: FAILED: {reason}");
            }
        }
    }
    Ok(good)
}
