//! A sequence of named steps: all of them run, a table at the end says how each went and how long it took.

use std::time::Duration;
use std::time::Instant;

use anyhow::Result;

/// How a step ended that did not fail.
#[derive(Debug)]
pub(crate) enum Outcome {
    Done,
    /// Not run, and why.
    Skipped(String),
}

#[derive(Debug)]
struct Step {
    name: String,
    took: Duration,
    /// An error is the text to show: what went wrong and what to do about it.
    result: Result<Outcome, String>,
}

/// The steps that have run so far.
#[derive(Debug, Default)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    /// Runs one step. A failure is kept for [`finish`](Self::finish) and does not stop the steps after it: one run
    /// shows everything that is wrong. `advice` says what to do about a failure.
    pub(crate) fn step(
        &mut self,
        name: &str,
        advice: &str,
        body: impl FnOnce() -> Result<Outcome>,
    ) {
        eprintln!("\n=== {name}");
        let start = Instant::now();
        let result = body().map_err(|error| format!("{error:#}\n  {advice}"));
        match &result {
            Ok(Outcome::Done) => {}
            Ok(Outcome::Skipped(reason)) => eprintln!("=== {name}: skipped: {reason}"),
            Err(text) => eprintln!("=== {name}: FAILED: {text}"),
        }
        self.0.push(Step {
            name: name.to_owned(),
            took: start.elapsed(),
            result,
        });
    }

    /// Prints the table, then each failure again; tells whether every step succeeded.
    pub(crate) fn finish(&self) -> bool {
        println!("\n{}", self.table());
        let mut good = true;
        for step in &self.0 {
            if let Err(text) = &step.result {
                good = false;
                println!("FAILED: {}: {text}", step.name);
            }
        }
        good
    }

    fn table(&self) -> String {
        let width = self.0.iter().map(|step| step.name.len()).max().unwrap_or(0);
        let mut table = format!("{:width$}  seconds  result\n", "step");
        for step in &self.0 {
            let result = match &step.result {
                Ok(Outcome::Done) => "ok".to_owned(),
                Ok(Outcome::Skipped(reason)) => format!("skipped: {reason}"),
                Err(_) => "FAILED".to_owned(),
            };
            table += &format!(
                "{:width$}  {:7.1}  {result}\n",
                step.name,
                step.took.as_secs_f64()
            );
        }
        let total: Duration = self.0.iter().map(|step| step.took).sum();
        table + &format!("{:width$}  {:7.1}\n", "total", total.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_kept_and_later_steps_run() {
        let mut steps = Steps::default();
        steps.step("one", "", || anyhow::bail!("broken"));
        let mut ran = false;
        steps.step("two", "", || {
            ran = true;
            Ok(Outcome::Done)
        });
        assert!(ran);
        assert!(!steps.finish());
    }

    #[test]
    fn done_and_skipped_are_no_failures() {
        let mut steps = Steps::default();
        steps.step("one", "", || Ok(Outcome::Done));
        steps.step("two", "", || {
            Ok(Outcome::Skipped("not installed".to_owned()))
        });
        assert!(steps.finish());
        assert!(steps.table().contains("skipped: not installed"));
    }
}
