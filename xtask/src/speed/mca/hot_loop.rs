//! Finds the hot loop in a trace: the addresses of all instructions that ran, in order.
//!
//! A loop shows as an address that is jumped back to again and again. What ran from one of these moments to the next is an
//! iteration, with the functions that it called and the loops inside it. Code without a loop of its own, such as an
//! unrolled permutation, is found as well: the tool runs it several times, in a loop.

use std::collections::{HashMap, HashSet};

/// An iteration, and what it stands for.
#[derive(Debug, PartialEq)]
pub(super) struct HotLoop {
    /// The addresses of its instructions in the order in which they ran.
    pub(super) body: Vec<u64>,
    /// Which part such iterations are of what ran from the first to the last one.
    pub(super) share: f64,
}

/// The part of a trace that a loop's iterations must make up to be the hot one.
const LEAST_SHARE: f64 = 0.5;

/// The shortest loop that makes up at least half of the trace.
pub(super) fn find(trace: &[u64]) -> Option<HotLoop> {
    let heads: HashSet<u64> = trace
        .windows(2)
        .filter(|pair| pair[1] <= pair[0])
        .map(|pair| pair[1])
        .collect();
    let mut times: HashMap<u64, Vec<usize>> = HashMap::new();
    for (time, address) in trace.iter().enumerate() {
        if heads.contains(address) {
            times.entry(*address).or_default().push(time);
        }
    }
    // Length of an iteration, part of the time from the first to the last, head.
    let mut found: Vec<(usize, f64, u64)> = Vec::new();
    for (&head, times) in &times {
        let lengths = lengths(times);
        let Some(&usual) = lengths.get(lengths.len() / 2) else {
            continue;
        };
        let alike = |length: &&usize| length.abs_diff(usual) <= usual / 4;
        let covered: usize = lengths.iter().filter(alike).sum();
        if covered as f64 >= LEAST_SHARE * trace.len() as f64 {
            // What came before the first iteration and after the last one was not a whole one.
            let all: usize = lengths.iter().sum();
            found.push((usual, covered as f64 / all as f64, head));
        }
    }
    // Any instruction of a loop that is jumped to may be called its head: the one that covers most, then the first.
    found.sort_by(|a, b| {
        (a.0, b.1, a.2)
            .partial_cmp(&(b.0, a.1, b.2))
            .expect("no NaN")
    });
    let &(length, share, head) = found.first()?;
    let times = &times[&head];
    // From the middle, where nothing happens for the first or the last time.
    let middle = times.len() / 2;
    let start = (0..times.len() - 1)
        .filter(|&i| times[i + 1] - times[i] == length)
        .min_by_key(|i| i.abs_diff(middle))?;
    Some(HotLoop {
        body: trace[times[start]..times[start + 1]].to_vec(),
        share,
    })
}

/// The distances from each time to the next, sorted.
fn lengths(times: &[usize]) -> Vec<usize> {
    let mut lengths: Vec<usize> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    lengths.sort_unstable();
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses from `first` on.
    fn run(first: u64, count: u64) -> Vec<u64> {
        (first..first + count).collect()
    }

    #[test]
    fn the_inner_loop_is_the_hot_one() {
        // Twenty blocks of: load, ten rounds of thirty instructions, store.
        let mut trace = run(0, 5);
        for _ in 0..20 {
            trace.extend(run(100, 20));
            for _ in 0..10 {
                trace.extend(run(120, 30));
            }
            trace.extend(run(150, 25));
        }
        let found = find(&trace).unwrap();
        assert_eq!(found.body, run(120, 30));
        assert!((0.7..0.9).contains(&found.share), "{}", found.share);
    }

    #[test]
    fn an_outer_loop_is_hot_where_the_inner_one_is_small() {
        let mut trace = Vec::new();
        for _ in 0..20 {
            trace.extend(run(100, 60));
            for _ in 0..4 {
                trace.extend(run(160, 3));
            }
        }
        let found = find(&trace).unwrap();
        assert_eq!(found.body.len(), 72);
        assert!(found.share > 0.9);
    }

    #[test]
    fn a_called_function_belongs_to_the_iteration() {
        let mut trace = Vec::new();
        for _ in 0..10 {
            trace.extend(run(500, 4));
            trace.extend(run(100, 40));
            trace.extend(run(504, 3));
        }
        let found = find(&trace).unwrap();
        assert_eq!(found.body.len(), 47);
    }

    #[test]
    fn a_branch_that_varies_leaves_the_usual_iteration() {
        let mut trace = Vec::new();
        for i in 0..21 {
            trace.extend(run(100, 40));
            if i % 7 == 0 {
                trace.extend(run(200, 5));
            }
            trace.extend(run(140, 2));
        }
        assert_eq!(find(&trace).unwrap().body, run(100, 42));
    }

    #[test]
    fn straight_line_code_has_no_loop() {
        assert_eq!(find(&run(100, 50)), None);
        assert_eq!(find(&[]), None);
    }
}
