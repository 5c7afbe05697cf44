//! Builds for a target that has no `std`, the proof of `#![no_std]`.

use std::path::Path;

use anyhow::Result;
use cargo_metadata::Package;

use crate::shell::Cmd;
use crate::steps::Outcome;

/// Targets without an operating system, any of which will do: 32-bit and 64-bit, Arm, RISC-V and x86.
const TARGETS: [&str; 5] = [
    "thumbv7em-none-eabi",
    "thumbv6m-none-eabi",
    "riscv32imac-unknown-none-elf",
    "aarch64-unknown-none",
    "x86_64-unknown-none",
];

/// Features that need an operating system.
const HOSTED: [&str; 2] = ["getrandom", "std"];

/// Builds the crates, with every feature that does not need an operating system, for each target that is installed.
pub(super) fn build(packages: &[&Package]) -> Result<Outcome> {
    let mut built = false;
    for target in TARGETS {
        if !is_installed(target)? {
            continue;
        }
        built = true;
        for package in packages {
            Cmd::cargo("build")
                .args(["--package", &package.name, "--lib", "--target", target])
                .args(["--no-default-features", "--features"])
                .arg(bare_features(package).join(","))
                .run()?;
        }
    }
    if built {
        Ok(Outcome::Done)
    } else {
        Ok(Outcome::Skipped(format!(
            "no bare-metal target is installed (`rustup target add {}`)",
            TARGETS[0]
        )))
    }
}

/// Whether the toolchain has `core` for the target.
fn is_installed(target: &str) -> Result<bool> {
    let directory = Cmd::new("rustc")
        .args(["--print", "target-libdir", "--target", target])
        .output()?;
    Ok(Path::new(directory.trim()).is_dir())
}

/// The features that need no operating system.
pub(crate) fn bare_features(package: &Package) -> Vec<&str> {
    let hosted = |feature: &str| HOSTED.contains(&feature);
    package
        .features
        .iter()
        .filter(|(name, implied)| !hosted(name) && !implied.iter().any(|feature| hosted(feature)))
        .map(|(name, _)| name.as_str())
        .filter(|name| *name != "default")
        .collect()
}
