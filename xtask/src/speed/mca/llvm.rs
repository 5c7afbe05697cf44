//! LLVM's tools: the disassembler and llvm-mca.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::cross::{Environment, Unready};
use crate::shell::{Cmd, last_lines};

/// The oldest release whose llvm-mca can skip instructions that a model lacks.
const OLDEST: u32 = 19;
/// The release that is installed where there is none.
const PACKAGED: u32 = 19;

/// A release of LLVM that is there.
#[derive(Debug)]
pub(crate) struct Llvm {
    release: u32,
    folder: PathBuf,
}

impl Llvm {
    /// Finds the newest release that is there, or installs one.
    pub(crate) fn provide(environment: &Environment) -> Result<Self, Unready> {
        if let Some(llvm) = Self::find() {
            return Ok(llvm);
        }
        let program = format!("llvm-mca-{PACKAGED}");
        eprintln!("note: there is no llvm-mca of LLVM {OLDEST} or newer");
        environment.install(&program, &format!("llvm-{PACKAGED}"))?;
        Self::find().ok_or_else(|| {
            Unready::Failed(format!("there is no {program}, although it was installed"))
        })
    }

    fn find() -> Option<Self> {
        // As Debian and Ubuntu package it; elsewhere a folder may be given.
        let own = env::var_os("LLVM_BIN").map(PathBuf::from);
        let packaged = (OLDEST..OLDEST + 20)
            .rev()
            .map(|release| PathBuf::from(format!("/usr/lib/llvm-{release}/bin")));
        own.into_iter().chain(packaged).find_map(Self::in_folder)
    }

    fn in_folder(folder: PathBuf) -> Option<Self> {
        let program = folder.join("llvm-mca");
        if !program.exists() || !folder.join("llvm-objdump").exists() {
            return None;
        }
        let version = Cmd::new(program.to_str()?).arg("--version").output().ok()?;
        let release = release_in(&version)?;
        (release >= OLDEST).then_some(Self { release, folder })
    }

    pub(crate) fn name(&self) -> String {
        format!("LLVM {}", self.release)
    }

    fn tool(&self, name: &str) -> Cmd {
        Cmd::new(&self.folder.join(name).to_string_lossy())
    }

    /// The disassembly of a program.
    pub(super) fn disassemble(&self, program: &Path, triple: &str) -> Result<String> {
        self.tool("llvm-objdump")
            .args(["--disassemble", "--demangle", "--no-show-raw-insn"])
            .args(extra_features(triple))
            .arg(program)
            .output()
    }

    /// What llvm-mca says of a loop with this body. Its files lie in `folder`, under this name.
    pub(super) fn analyse(
        &self,
        (triple, cpu): (&str, &str),
        body: &[&str],
        folder: &Path,
        name: &str,
    ) -> Result<Estimate> {
        let source = folder.join(format!("{name}.s"));
        let text = body.join("\n") + "\n";
        fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
        let json = folder.join(format!("{name}.json"));
        let log = folder.join(format!("{name}.log"));
        // Enough for a steady state.
        let iterations = (INSTRUCTIONS / body.len().max(1)).clamp(10, 1000);
        let (status, messages) = self
            .tool("llvm-mca")
            .args([
                format!("--mtriple={triple}"),
                format!("--mcpu={cpu}"),
                format!("--iterations={iterations}"),
            ])
            .args(extra_features(triple))
            .args(["--skip-unsupported-instructions=lack-sched", "--json", "-o"])
            .args([&json, &source])
            .run_into(&log)?;
        if !status.success() {
            bail!("llvm-mca failed: {}", error_in(&messages));
        }
        let text =
            fs::read_to_string(&json).with_context(|| format!("cannot read {}", json.display()))?;
        let left_out = messages.matches("skipping with").count();
        if left_out * 10 > body.len() {
            bail!("the model lacks {left_out} of the instructions");
        }
        Ok(Estimate {
            left_out,
            ..Estimate::read(&text)?
        })
    }
}

/// NEON and all the rest that neither a program for plain ARM nor LLVM's names of CPUs say that they have.
fn extra_features(triple: &str) -> Option<&'static str> {
    triple
        .starts_with("armv7")
        .then_some("--mattr=+neon,+vfp4,+hwdiv,+hwdiv-arm,+aes,+sha2")
}

/// Instructions that are simulated, about.
const INSTRUCTIONS: usize = 40_000;

/// The major version in what `--version` prints.
fn release_in(version: &str) -> Option<u32> {
    let (_, rest) = version.split_once("LLVM version ")?;
    rest.split('.').next()?.parse().ok()
}

/// The first error among the messages, without the place in the file.
fn error_in(messages: &str) -> String {
    let error = messages
        .lines()
        .find_map(|line| Some(line.split_once("error: ")?.1));
    error.map_or_else(|| last_lines(messages, 3), str::to_owned)
}

/// How a loop runs on a CPU, by its model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// For one iteration.
    pub(super) cycles: f64,
    pub(super) instructions_per_cycle: f64,
    /// Cycles that an iteration would take if no instruction waited for another's result.
    pub(super) without_waiting: f64,
    /// Instructions of an iteration that the model lacks and that were left out.
    pub(super) left_out: usize,
}

impl Estimate {
    fn read(json: &str) -> Result<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Report {
            code_regions: Vec<Region>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Region {
            summary_view: Summary,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Summary {
            iterations: f64,
            total_cycles: f64,
            #[serde(rename = "BlockRThroughput")]
            block_throughput: f64,
            #[serde(rename = "IPC")]
            ipc: f64,
        }
        let report: Report = serde_json::from_str(json).context("cannot read llvm-mca's JSON")?;
        let region = report
            .code_regions
            .first()
            .context("llvm-mca saw no code")?;
        let summary = &region.summary_view;
        Ok(Self {
            cycles: summary.total_cycles / summary.iterations,
            instructions_per_cycle: summary.ipc,
            without_waiting: summary.block_throughput,
            left_out: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let json = r#"{"CodeRegions": [{"Name": "", "SummaryView": {"BlockRThroughput": 2, "DispatchWidth": 2,
            "IPC": 0.49, "Instructions": 300, "Iterations": 100, "TotalCycles": 602, "TotaluOps": 400}}],
            "TargetInfo": {"CPUName": "cortex-a53"}}"#;
        let expected = Estimate {
            cycles: 6.02,
            instructions_per_cycle: 0.49,
            without_waiting: 2.0,
            left_out: 0,
        };
        assert_eq!(Estimate::read(json).unwrap(), expected);
        assert!(Estimate::read("{}").is_err());
    }

    #[test]
    fn messages_are_understood() {
        let version = "Debian LLVM version 19.1.7\n  Optimized build.\n";
        assert_eq!(release_in(version), Some(19));
        assert_eq!(release_in("gcc 12"), None);
        let messages = "a.s:2:1: error: instruction requires: sha3\neor3 v0.16b\n^\n";
        assert_eq!(error_in(messages), "instruction requires: sha3");
        assert_eq!(error_in("killed\n"), "killed");
    }
}
