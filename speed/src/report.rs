//! The forms in which results leave: a line each, a JSON file, a chart.

pub(crate) mod json;
pub(crate) mod line;
pub(crate) mod plot;

use std::time::Duration;

use crate::{clock, cpu};

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
    /// The time for each measurement.
    pub(crate) time: Duration,
    pub(crate) rounds: usize,
    pub(crate) rustcrypto_soft: bool,
}

impl Conditions {
    pub(crate) fn new(time: Duration, rounds: usize) -> Self {
        Self {
            date: humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string(),
            cpu: cpu::name(),
            target: env!("SPEED_TARGET"),
            rustc: env!("SPEED_RUSTC"),
            versions: env!("SPEED_VERSIONS")
                .split(';')
                .filter(|version| !version.is_empty())
                .collect(),
            clock: clock::KIND,
            time,
            rounds,
            rustcrypto_soft: crate::peers::rustcrypto::SOFT,
        }
    }
}
