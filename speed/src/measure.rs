//! Timing one contest: interleaved rounds, medians, ratios round by round.

use std::time::Duration;

use crate::{
    clock::time_ns,
    stats,
    suite::{Contest, Implementation, Operation},
};

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Rounds in which every implementation has its turn.
    pub(crate) rounds: usize,
    /// Length of one turn in nanoseconds.
    pub(crate) turn_ns: f64,
}

impl Plan {
    /// The most rounds: enough for a median that does not move.
    const MOST_ROUNDS: u64 = 41;
    /// The fewest, however short the time.
    const FEWEST_ROUNDS: u64 = 3;

    /// Splits the time for one measurement into turns of at least a millisecond: reading the clock costs some
    /// hundred nanoseconds.
    pub(crate) fn new(time: Duration) -> Self {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let rounds = millis.clamp(Self::FEWEST_ROUNDS, Self::MOST_ROUNDS);
        Self {
            rounds: rounds as usize,
            turn_ns: time.as_nanos() as f64 / rounds as f64,
        }
    }
}

/// What was found for one implementation of one operation.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) operation: Operation,
    pub(crate) implementation: Implementation,
    /// Operations done in all rounds together.
    pub(crate) iterations: u64,
    /// Nanoseconds of all rounds together.
    pub(crate) total_ns: f64,
    /// Median over the rounds of nanoseconds an operation.
    pub(crate) ns_median: f64,
    /// The best round.
    pub(crate) ns_min: f64,
    /// Median absolute deviation of the rounds.
    pub(crate) ns_mad: f64,
    /// For a peer, against each of our back ends: time of the peer / time of ours, median of the rounds' ratios.
    pub(crate) ratios: Vec<(&'static str, f64)>,
}

impl Measurement {
    pub(crate) fn ops_per_second(&self) -> f64 {
        1e9 / self.ns_median
    }

    /// Millions of bytes a second, for an operation with a length.
    pub(crate) fn mb_per_second(&self) -> Option<f64> {
        self.operation
            .bytes
            .map(|bytes| bytes as f64 * 1e3 / self.ns_median)
    }
}

/// How many operations fill one turn. The search warms up caches and clocks as well.
fn calibrate(run: &mut dyn FnMut(u64), turn_ns: f64) -> u64 {
    let mut count = 1;
    loop {
        let elapsed = time_ns(|| run(count));
        if elapsed >= turn_ns / 8.0 {
            return ((count as f64 * turn_ns / elapsed) as u64).max(1);
        }
        count *= 2;
    }
}

/// Measures all implementations of one operation, in turns.
pub(crate) fn measure(contest: &mut Contest, plan: Plan) -> Vec<Measurement> {
    let cases = &mut contest.cases;
    let counts: Vec<u64> = cases
        .iter_mut()
        .map(|case| calibrate(&mut case.run, plan.turn_ns))
        .collect();
    let mut totals = vec![0.0; cases.len()];
    let mut samples = vec![Vec::with_capacity(plan.rounds); cases.len()];
    for round in 0..plan.rounds {
        for turn in 0..cases.len() {
            // Another one begins each time: nobody always runs after the same neighbour's warm-up.
            let who = (round + turn) % cases.len();
            let elapsed = time_ns(|| (cases[who].run)(counts[who]));
            totals[who] += elapsed;
            samples[who].push(elapsed / counts[who] as f64);
        }
    }
    let ours: Vec<(&'static str, usize)> = cases
        .iter()
        .enumerate()
        .filter(|(_, case)| case.implementation.is_ours())
        .map(|(i, case)| (case.implementation.backend.unwrap_or_default(), i))
        .collect();
    cases
        .iter()
        .enumerate()
        .map(|(i, case)| Measurement {
            operation: contest.operation.clone(),
            implementation: case.implementation,
            iterations: counts[i] * plan.rounds as u64,
            total_ns: totals[i],
            ns_median: stats::median(&samples[i]),
            ns_min: stats::min(&samples[i]),
            ns_mad: stats::mad(&samples[i]),
            ratios: if case.implementation.is_ours() {
                Vec::new()
            } else {
                ours.iter()
                    .map(|&(backend, our)| {
                        (backend, stats::median_ratio(&samples[i], &samples[our]))
                    })
                    .collect()
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;
    use crate::suite::Suite;

    #[test]
    fn plan_keeps_turns_long_and_rounds_many() {
        let plan = |ms| Plan::new(Duration::from_millis(ms));
        assert_eq!((plan(1).rounds, plan(1).turn_ns), (3, 1e6 / 3.0));
        assert_eq!((plan(20).rounds, plan(20).turn_ns), (20, 1e6));
        assert_eq!((plan(410).rounds, plan(410).turn_ns), (41, 1e7));
    }

    #[test]
    fn twice_the_work_takes_about_twice_the_time() {
        fn work(n: u32) -> impl FnMut() {
            move || {
                for i in 0..n {
                    black_box(i);
                }
            }
        }
        let operation = Operation::bulk("Work", "", 1000);
        let mut suite = Suite::default();
        suite.enter(
            Implementation::ours("soft"),
            operation.clone(),
            b"",
            b"",
            work(1000),
        );
        suite.enter(
            Implementation::peer("slow"),
            operation,
            b"",
            b"",
            work(2000),
        );
        let mut contests = suite.into_contests().expect("all outputs are right");
        let found = measure(&mut contests[0], Plan::new(Duration::from_millis(40)));

        let [ours, slow] = &found[..] else {
            panic!("two implementations were entered")
        };
        assert!(ours.ratios.is_empty());
        assert_eq!(slow.ratios.len(), 1);
        assert_eq!(slow.ratios[0].0, "soft");
        assert!((1.5..2.7).contains(&slow.ratios[0].1), "{:?}", slow.ratios);
        assert!(ours.ns_min <= ours.ns_median && ours.iterations >= 40);
        let mb = ours.mb_per_second().expect("the operation has a length");
        assert!((mb - ours.ops_per_second() / 1e3).abs() < mb * 1e-9);
    }
}
