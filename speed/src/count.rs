//! Counting the instructions of one contest.

use std::path::Path;

use crate::{
    mark, randomness,
    suite::{Contest, Implementation, Operation},
};

/// Calls that are counted.
const CALLS: u64 = 3;

/// What was found for one implementation of one operation.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) operation: Operation,
    pub(crate) implementation: Implementation,
    /// Of one call, a mean.
    pub(crate) instructions: f64,
    /// For a peer, against each of our back ends: instructions of the peer / instructions of ours.
    pub(crate) ratios: Vec<(&'static str, f64)>,
}

impl Count {
    /// For an operation with a length.
    pub(crate) fn per_byte(&self) -> Option<f64> {
        self.operation
            .bytes
            .map(|bytes| self.instructions / bytes as f64)
    }
}

/// Counts for all implementations of one operation.
///
/// # Errors
///
/// If the program does not run under the plugin that writes into this file.
pub(crate) fn count(contest: &mut Contest, file: &Path) -> anyhow::Result<Vec<Count>> {
    let mut instructions = Vec::new();
    for case in &mut contest.cases {
        // What happens once only (detection of the CPU, first use of the heap) is done.
        (case.run)(1);
        let mut window = |calls| {
            randomness::restart();
            mark::count(file, || (case.run)(calls))
        };
        let (fewer, more) = (window(CALLS)?, window(2 * CALLS)?);
        // The window's own instructions fall out.
        anyhow::ensure!(
            more > fewer,
            "{} did not change: does the emulator's plugin run?",
            file.display()
        );
        instructions.push((more - fewer) as f64 / CALLS as f64);
    }
    let ours: Vec<(&'static str, f64)> = contest
        .cases
        .iter()
        .zip(&instructions)
        .filter(|(case, _)| case.implementation.is_ours())
        .map(|(case, &count)| (case.implementation.backend.unwrap_or_default(), count))
        .collect();
    let counts = contest.cases.iter().zip(&instructions);
    Ok(counts
        .map(|(case, &count)| Count {
            operation: contest.operation.clone(),
            implementation: case.implementation,
            instructions: count,
            ratios: if case.implementation.is_ours() {
                Vec::new()
            } else {
                ours.iter()
                    .map(|&(backend, our)| (backend, count / our))
                    .collect()
            },
        })
        .collect())
}
