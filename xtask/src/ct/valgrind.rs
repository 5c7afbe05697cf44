//! The program under Valgrind's memcheck.

use std::collections::BTreeMap;

use super::complaints::{Complaint, Frame};

/// What memcheck said.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// What was complained of for the first time in each operation, in the order that they ran in.
    pub(super) operations: Vec<Operation>,
    /// Every place that was complained of, and how often.
    pub(super) totals: Vec<(Complaint, usize)>,
    /// Whether the program ran to its end.
    pub(super) complete: bool,
}

#[derive(Debug)]
pub(super) struct Operation {
    pub(super) path: String,
    /// memcheck reports a place once: what an earlier operation has shown is not here.
    pub(super) complaints: Vec<Complaint>,
    /// How often it complained.
    pub(super) count: usize,
}

impl Log {
    pub(super) fn read(text: &str) -> Self {
        let mut log = Self::default();
        let mut lines = text.lines().peekable();
        // The list of all places with their counts, at the end.
        let mut count = None;
        while let Some(line) = lines.next() {
            if let Some(event) = line.strip_prefix("ct: ") {
                log.event(event);
                continue;
            }
            let Some(words) = message(line) else { continue };
            if let Some(number) = errors_in_context(words) {
                count = Some(number);
                continue;
            }
            let mut stack: Vec<(String, Frame)> = Vec::new();
            while let Some(frame) = lines.peek().and_then(|line| frame(message(line)?)) {
                stack.push(frame);
                lines.next();
            }
            if stack.is_empty() {
                continue;
            }
            let complaint = Complaint {
                what: words.to_owned(),
                stack: mark_inlined(stack),
            };
            match (count.take(), log.operations.last_mut()) {
                (Some(count), _) => log.totals.push((complaint, count)),
                (None, Some(operation)) => operation.complaints.push(complaint),
                (None, None) => {}
            }
        }
        log
    }

    fn event(&mut self, event: &str) {
        if let Some(path) = event.strip_prefix("begin ") {
            self.operations.push(Operation {
                path: path.to_owned(),
                complaints: Vec::new(),
                count: 0,
            });
        } else if let Some(count) = event.strip_prefix("end ") {
            if let (Some(operation), Ok(count)) = (self.operations.last_mut(), count.parse()) {
                operation.count = count;
            }
        } else if event.starts_with("done ") {
            self.complete = true;
        }
    }
}

/// The text behind `==PID== `.
fn message(line: &str) -> Option<&str> {
    let (pid, text) = line.strip_prefix("==")?.split_once("==")?;
    pid.bytes()
        .all(|c| c.is_ascii_digit())
        .then_some(text.strip_prefix(' ').unwrap_or(text))
}

/// `12 errors in context 3 of 40:`
fn errors_in_context(words: &str) -> Option<usize> {
    let (count, rest) = words.split_once(" errors in context ")?;
    rest.ends_with(':').then_some(())?;
    count.replace(',', "").parse().ok()
}

/// `   at 0x1234: function (file:line)`, or `by`; the address and the frame.
fn frame(words: &str) -> Option<(String, Frame)> {
    let words = words.trim_start();
    let words = words.strip_prefix("at ").or(words.strip_prefix("by "))?;
    let (address, rest) = words.split_once(": ")?;
    address.starts_with("0x").then_some(())?;
    let (function, place) = match rest.rsplit_once(" (") {
        Some((function, place)) => (function, place.trim_end_matches(')')),
        None => (rest, ""),
    };
    let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
    let frame = Frame {
        function: function.to_owned(),
        file: file.to_owned(),
        line: line.parse().unwrap_or(0),
        inlined: false,
    };
    Some((address.to_owned(), frame))
}

/// Frames of one address are code of one function: all but the last of them are inlined into it.
fn mark_inlined(stack: Vec<(String, Frame)>) -> Vec<Frame> {
    let addresses: Vec<String> = stack.iter().map(|(address, _)| address.clone()).collect();
    let mut frames: Vec<Frame> = stack.into_iter().map(|(_, frame)| frame).collect();
    for (i, frame) in frames.iter_mut().enumerate() {
        frame.inlined = addresses.get(i + 1) == Some(&addresses[i]);
    }
    frames
}

/// For each operation that was complained of at least once: how often.
pub(super) fn counts(log: &Log) -> BTreeMap<&str, usize> {
    let counted = log
        .operations
        .iter()
        .filter(|operation| operation.count > 0);
    counted
        .map(|operation| (operation.path.as_str(), operation.count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
ct: instrument valgrind
==12== Memcheck, a memory error detector
ct: begin planted/faults/early exit
==12== Conditional jump or move depends on uninitialised value(s)
==12==    at 0x10: eq<(u8, u8), ()> (/rustc/59/library/core/src/cmp.rs:5)
==12==    by 0x10: ct::planted::early_exit (/w/ct/src/planted.rs:59)
==12==    by 0x20: main (in /w/target/ct/ct)
==12== 
ct: end 2
ct: begin a/soft/b
ct: end 0
ct: done 2
==12== ERROR SUMMARY: 2 errors from 1 contexts (suppressed: 0 from 0)
==12== 
==12== 2 errors in context 1 of 1:
==12== Conditional jump or move depends on uninitialised value(s)
==12==    at 0x10: eq<(u8, u8), ()> (/rustc/59/library/core/src/cmp.rs:5)
==12==    by 0x10: ct::planted::early_exit (/w/ct/src/planted.rs:59)
==12== 
==12== ERROR SUMMARY: 2 errors from 1 contexts (suppressed: 0 from 0)
";

    #[test]
    fn a_log_is_read() {
        let log = Log::read(LOG);
        assert!(log.complete);
        assert_eq!(log.operations.len(), 2);
        let [fault, clean] = &log.operations[..] else {
            unreachable!()
        };
        assert_eq!(
            (fault.path.as_str(), fault.count),
            ("planted/faults/early exit", 2)
        );
        assert_eq!((clean.path.as_str(), clean.count), ("a/soft/b", 0));
        let [complaint] = &fault.complaints[..] else {
            panic!("{:?}", fault.complaints)
        };
        assert_eq!(complaint.stack.len(), 3);
        assert!(complaint.stack[0].inlined && !complaint.stack[1].inlined);
        let culprit = complaint.culprit().unwrap();
        assert_eq!(
            (culprit.file.as_str(), culprit.line),
            ("/w/ct/src/planted.rs", 59)
        );
        assert_eq!(log.totals.len(), 1);
        assert_eq!(log.totals[0].1, 2);
        assert_eq!(counts(&log).len(), 1);
    }

    #[test]
    fn a_log_that_breaks_off_is_incomplete() {
        let (half, _) = LOG.split_once("ct: begin a").unwrap();
        assert!(!Log::read(half).complete);
    }
}
