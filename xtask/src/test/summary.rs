//! Counts tests from what the test programs print.

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

use crate::shell::last_lines;

/// How many tests passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// Marked `#[ignore]`.
    pub(crate) skipped: u64,
}

impl Counts {
    /// How many ran.
    pub(crate) fn ran(self) -> u64 {
        self.passed + self.failed
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        let mut sum = Self::default();
        counts.for_each(|c| sum += c);
        sum
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

/// Counts while the lines come.
#[derive(Debug, Default)]
pub(super) struct Watch {
    counts: Counts,
    /// A test program has begun and not yet said how it ended.
    running: bool,
}

impl Watch {
    pub(super) fn see(&mut self, line: &str) {
        if let Some(counts) = parse_result(line) {
            self.counts += counts;
            self.running = false;
        } else if begins(line) {
            self.end_program();
            self.running = true;
        }
    }

    /// The counts, once nothing runs any more. `good` is whether the exit status was.
    pub(super) fn finish(mut self, good: bool) -> Counts {
        self.end_program();
        if !good && self.counts.failed == 0 {
            // It was not built.
            self.counts.failed = 1;
        }
        self.counts
    }

    /// A program that ended without a result died in one of its tests.
    fn end_program(&mut self) {
        if self.running {
            self.counts.failed += 1;
            self.running = false;
        }
    }
}

/// What the programs of each crate counted, and the seconds that they took, where several crates are tested in one go: the
/// programs of a crate come one after the other, that of its unit tests first.
pub(super) fn counts_by_crate(text: &str) -> BTreeMap<String, (Counts, f64)> {
    let mut crates: BTreeMap<String, (Watch, f64)> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(name) = library_tested(line) {
            current = Some(name.to_owned());
        }
        let Some(name) = &current else { continue };
        let (watch, seconds) = crates.entry(name.clone()).or_default();
        watch.see(line);
        if parse_result(line).is_some()
            && let Some((_, time)) = line.rsplit_once("finished in ")
        {
            *seconds += time.trim_end_matches('s').parse().unwrap_or(0.0);
        }
    }
    let finished =
        |(name, (watch, seconds)): (String, (Watch, f64))| (name, (watch.finish(true), seconds));
    crates.into_iter().map(finished).collect()
}

/// The crate in `     Running unittests src/lib.rs (target/debug/deps/aes_vpaes-0123456789abcdef)`.
fn library_tested(line: &str) -> Option<&str> {
    let (_, file) = line.split_once("Running unittests src/lib.rs (")?;
    let file = file.rsplit('/').next()?;
    Some(file.rsplit_once('-')?.0)
}

/// Whether this is the line with which a test program begins: `running 5 tests`.
fn begins(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("running")
        && words
            .next()
            .is_some_and(|count| count.parse::<u64>().is_ok())
        && matches!(words.next(), Some("test" | "tests"))
        && words.next().is_none()
}

/// The counts of the line with which a test program ends:
///
/// ```text
/// test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s
/// ```
fn parse_result(line: &str) -> Option<Counts> {
    let plain = without_colour(line);
    // Not only at the start: a test may have printed half a line before.
    let (_, rest) = plain.split_once("test result: ")?;
    let (verdict, numbers) = rest.split_once(". ")?;
    if !["ok", "FAILED"].contains(&verdict) {
        return None;
    }
    let mut fields = numbers.split("; ");
    let mut field = |label| {
        let (number, found) = fields.next()?.split_once(' ')?;
        if found != label {
            return None;
        }
        number.parse().ok()
    };
    Some(Counts {
        passed: field("passed")?,
        failed: field("failed")?,
        skipped: field("ignored")?,
    })
}

/// Takes the escape sequences out that colour a text (`ESC [ … m`).
fn without_colour(line: &str) -> String {
    let mut pieces = line.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain += piece.split_once('m').map_or(piece, |(_, text)| text);
    }
    plain
}

/// Of what `cargo test` wrote, the part of each test program that did not succeed: its name and the last lines.
pub(super) fn failing_programs(text: &str) -> String {
    let mut programs = vec![String::new()];
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("Running ") || start.starts_with("Doc-tests ") {
            programs.push(String::new());
        }
        if let Some(program) = programs.last_mut() {
            *program += line;
            program.push('\n');
        }
    }
    let mut failing = String::new();
    // Before the first stands what was built.
    for program in programs.iter().skip(1) {
        let good = |line: &str| without_colour(line).contains("test result: ok. ");
        if !program.lines().any(good) {
            let name = program.lines().next().unwrap_or_default();
            let end = last_lines(program, 40);
            if !end.starts_with(name) {
                failing += &format!("{name}\n…\n");
            }
            failing += &format!("{end}\n");
        }
    }
    if failing.is_empty() {
        last_lines(text, 40)
    } else {
        failing
    }
}

/// One line a crate and one for the sum.
pub(super) fn table(rows: &[(String, Counts)]) -> String {
    let width = rows
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0)
        .max(5);
    let line = |name: &str, counts: Counts| {
        format!(
            "{name:width$}  {:7}  {:7}  {:7}  {:7}\n",
            counts.ran(),
            counts.passed,
            counts.failed,
            counts.skipped
        )
    };
    let mut table = format!("{:width$}      ran   passed   failed  skipped\n", "crate");
    for (name, counts) in rows {
        table += &line(name, *counts);
    }
    table + &line("total", rows.iter().map(|(_, counts)| *counts).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts {
            passed,
            failed,
            skipped,
        }
    }

    fn parse(line: &str) -> Counts {
        parse_result(line).unwrap_or_default()
    }

    const THREE: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

    fn watch(lines: &[&str], good: bool) -> Counts {
        let mut watch = Watch::default();
        lines.iter().for_each(|line| watch.see(line));
        watch.finish(good)
    }

    #[test]
    fn crates_tested_in_one_go_are_counted_apart() {
        let text = "\
     Running unittests src/lib.rs (target/x/debug/deps/aes_vpaes-0a1b)
running 2 tests
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.50s
     Running tests/kat.rs (target/x/debug/deps/kat-0a1b)
running 1 test
test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.25s
     Running unittests src/lib.rs (target/x/debug/deps/kyber-0a1b)
running 3 tests
error: test failed, to rerun pass `-p kyber --lib`
";
        let crates = counts_by_crate(text);
        assert_eq!(crates.len(), 2);
        assert_eq!(crates["aes_vpaes"], (counts(3, 0, 1), 1.75));
        assert_eq!(crates["kyber"], (counts(0, 1, 0), 0.0));
    }

    #[test]
    fn programs_add_up() {
        let lines = ["running 3 tests", THREE, "", "running 3 tests\r\n", THREE];
        assert_eq!(watch(&lines, true), counts(6, 0, 0));
        assert_eq!(watch(&[], true), counts(0, 0, 0));
    }

    #[test]
    fn a_program_that_died_is_a_failure() {
        let died = "running 1 test\n";
        assert_eq!(
            watch(&[died, "running 3 tests", THREE], false),
            counts(3, 1, 0)
        );
        assert_eq!(
            watch(&["running 3 tests", THREE, died], false),
            counts(3, 1, 0)
        );
        assert_eq!(watch(&[died, died], false), counts(0, 2, 0));
    }

    #[test]
    fn a_failed_build_is_a_failure() {
        assert_eq!(watch(&[], false), counts(0, 1, 0));
    }

    #[test]
    fn other_lines_begin_nothing() {
        for line in [
            "running",
            "running tests",
            "running 5 tests now",
            "not running 5 tests",
        ] {
            assert!(!begins(line), "{line}");
        }
    }

    #[test]
    fn result_lines_count() {
        assert_eq!(
            parse(
                "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 2 filtered out; finished in 0.01s\n"
            ),
            counts(12, 0, 3)
        );
        assert_eq!(
            parse(
                "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9.99s\r\n"
            ),
            counts(1, 2, 0)
        );
    }

    #[test]
    fn colour_and_half_lines_do_not_hide_a_result() {
        assert_eq!(
            parse(
                "test result: \u{1b}[32mok\u{1b}[m. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
            ),
            counts(1, 0, 0)
        );
        assert_eq!(
            parse(
                "skipped: avx2test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
            ),
            counts(4, 0, 0)
        );
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in [
            "",
            "running 5 tests",
            "test kat::rfc8439 ... ok",
            "test result: ok",
            "test result: maybe. 1 passed; 0 failed; 0 ignored;",
            "test result: ok. many passed; 0 failed; 0 ignored; 0 measured",
            "test result: ok. 5 failed; 0 passed; 0 ignored; 0 measured",
        ] {
            assert_eq!(parse(line), Counts::default(), "{line}");
        }
    }

    #[test]
    fn failing_programs_are_picked_out() {
        let text = format!(
            "Compiling a\n     Running tests/a.rs (a)\n{THREE}\n     Running tests/b.rs (b)\nkilled\n   Doc-tests c\n{THREE}\n"
        );
        assert_eq!(
            failing_programs(&text),
            "     Running tests/b.rs (b)\nkilled\n"
        );
        let long = format!("Running d\n{}end\n", "line\n".repeat(50));
        let shown = failing_programs(&long);
        assert!(shown.starts_with("Running d\n…\nline\n"), "{shown}");
        assert_eq!(shown.lines().count(), 42);
        assert_eq!(failing_programs("no program"), "no program");
    }

    #[test]
    fn sums_and_their_line() {
        let sum: Counts = [counts(1, 2, 3), counts(10, 20, 30)].into_iter().sum();
        assert_eq!(sum, counts(11, 22, 33));
        assert_eq!(sum.ran(), 33);
        assert_eq!(sum.to_string(), "11 passed, 22 failed, 33 skipped");
    }

    #[test]
    fn the_table_has_every_crate_and_the_sum() {
        let rows = [
            ("aes-vpaes".to_owned(), counts(7, 0, 1)),
            ("xtask".to_owned(), counts(2, 1, 0)),
        ];
        let table = table(&rows);
        let lines: Vec<Vec<&str>> = table
            .lines()
            .map(|l| l.split_whitespace().collect())
            .collect();
        assert_eq!(lines[1], ["aes-vpaes", "7", "7", "0", "1"]);
        assert_eq!(lines[2], ["xtask", "3", "2", "1", "0"]);
        assert_eq!(lines[3], ["total", "10", "9", "1", "1"]);
    }
}
