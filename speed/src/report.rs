//! The forms in which results leave: a line each, a JSON file, a chart.

pub(crate) mod json;
pub(crate) mod line;
pub(crate) mod plot;

use std::time::Duration;

use crate::{clock, cpu};

/// The clock of instruction counts.
const INSTRUCTIONS: &str = "instructions";

/// What all measurements of a run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    /// The moment at which the run began, UTC, as in RFC 3339.
    pub(crate) date: String,
    pub(crate) cpu: String,
    pub(crate) target: &'static str,
    pub(crate) rustc: &'static str,
    /// `name version` of every crate that was measured.
    pub(crate) versions: Vec<&'static str>,
    /// What the clock counts.
    pub(crate) clock: &'static str,
    /// The time for each measurement; `None` where instructions are counted.
    pub(crate) time: Option<Duration>,
    /// The rounds of each measurement.
    pub(crate) rounds: Option<usize>,
    pub(crate) rustcrypto_soft: bool,
}

impl Conditions {
    /// Those of times. `cpu` is a name to use in place of the CPU's own.
    pub(crate) fn of_times(cpu: Option<String>, time: Duration, rounds: usize) -> Self {
        Self {
            clock: clock::KIND,
            time: Some(time),
            rounds: Some(rounds),
            ..Self::of_counts(cpu)
        }
    }

    /// Those of instruction counts.
    pub(crate) fn of_counts(cpu: Option<String>) -> Self {
        Self {
            date: humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string(),
            cpu: cpu.unwrap_or_else(cpu::name),
            target: env!("SPEED_TARGET"),
            rustc: env!("SPEED_RUSTC"),
            versions: env!("SPEED_VERSIONS")
                .split(';')
                .filter(|version| !version.is_empty())
                .collect(),
            clock: INSTRUCTIONS,
            time: None,
            rounds: None,
            rustcrypto_soft: crate::peers::rustcrypto::SOFT,
        }
    }
}
