//! A named step of setting up: says what it does and how long it took; a failure says what to do.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::shell::Cmd;

/// Where everything lies that is set up, and where its logs go.
#[derive(Debug)]
pub(super) struct Stages {
    root: PathBuf,
}

/// Below this many KiB a failure is put down to the full disk.
const FULL: u64 = 200 * 1024;

impl Stages {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The log of a step.
    pub(super) fn log(&self, name: &str) -> PathBuf {
        self.root.join("log").join(format!("{name}.log"))
    }

    /// Runs a step. `advice` says what to do about a failure.
    pub(super) fn run<T>(
        &self,
        name: &str,
        advice: &str,
        body: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        eprintln!("cross: {name}");
        let start = Instant::now();
        let result = body();
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(value) => {
                eprintln!("cross: {name}: done in {seconds:.1} s");
                Ok(value)
            }
            Err(error) => {
                let advice = match free_space(&self.root) {
                    Some(free) if free < FULL => format!(
                        "only {} MiB are free in {}: free some space, then run the command again",
                        free / 1024,
                        self.root.display()
                    ),
                    _ => advice.to_owned(),
                };
                eprintln!("cross: {name}: FAILED after {seconds:.1} s: {error:#}\n  {advice}");
                // The details have just been shown; this is what a matrix has room for.
                Err(anyhow!("the step \"{name}\" failed; {advice}"))
            }
        }
    }
}

/// KiB free for files in this folder.
fn free_space(folder: &Path) -> Option<u64> {
    let table = Cmd::new("df").arg("-Pk").arg(folder).output().ok()?;
    table
        .lines()
        .nth(1)?
        .split_whitespace()
        .nth(3)?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_step_and_the_advice() {
        let stages = Stages::new(Path::new("."));
        let error = stages
            .run("fetch", "look at the network", || -> Result<()> {
                anyhow::bail!("no route")
            })
            .unwrap_err()
            .to_string();
        assert_eq!(error, "the step \"fetch\" failed; look at the network");
        assert_eq!(stages.run("good", "", || Ok(7)).unwrap(), 7);
    }
}
