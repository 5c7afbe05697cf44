//! What the matrix holds.

use std::time::SystemTime;

use cargo_metadata::Package;
use serde::Serialize;

use crate::cross::Unready;
use crate::cross::targets::BUILD;
use crate::test::summary::Counts;

/// How one crate fared on one CPU model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "result", rename_all = "kebab-case")]
pub(super) enum Cell {
    /// The tests ran.
    Ran {
        passed: u64,
        failed: u64,
        /// Marked `#[ignore]`, or not possible on the target.
        ignored: u64,
        /// How long they ran, without the time of building.
        seconds: f64,
    },
    /// It was built, where nothing can run.
    Built,
    DoesNotBuild,
    /// The back ends chosen are those of the table.
    Agrees,
    Failed {
        reason: String,
    },
    Skipped {
        reason: String,
    },
}

impl Cell {
    pub(super) fn ran(counts: Counts, seconds: f64) -> Self {
        Self::Ran {
            passed: counts.passed,
            failed: counts.failed,
            ignored: counts.skipped,
            seconds: (seconds * 10.0).round() / 10.0,
        }
    }

    /// In full, as for one line about it alone.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Ran {
                passed,
                failed,
                ignored,
                seconds,
            } => format!("{passed} passed, {failed} failed, {ignored} skipped in {seconds:.1} s"),
            Self::Built => "builds".to_owned(),
            Self::DoesNotBuild => "does not build".to_owned(),
            Self::Agrees => "as the table says".to_owned(),
            Self::Failed { reason } => format!("failed: {reason}"),
            Self::Skipped { reason } => format!("skipped: {reason}"),
        }
    }

    /// In short, as for a table.
    pub(super) fn brief(&self) -> String {
        match self {
            Self::Ran {
                passed, failed: 0, ..
            } => passed.to_string(),
            Self::Ran { passed, failed, .. } => format!("{passed}, {failed} FAILED"),
            Self::Built => "builds".to_owned(),
            Self::DoesNotBuild => "NO BUILD".to_owned(),
            Self::Agrees => "ok".to_owned(),
            Self::Failed { .. } => "FAILED".to_owned(),
            Self::Skipped { .. } => "skipped".to_owned(),
        }
    }

    fn is_failure(&self) -> bool {
        match self {
            Self::Ran { failed, .. } => *failed != 0,
            Self::DoesNotBuild | Self::Failed { .. } => true,
            Self::Built | Self::Agrees | Self::Skipped { .. } => false,
        }
    }
}

/// One CPU model of one target.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) target: String,
    pub(super) cpu: String,
    pub(super) cells: Vec<Column>,
}

#[derive(Debug, Serialize)]
pub(super) struct Column {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) cell: Cell,
}

impl Row {
    pub(super) fn new(target: &str, cpu: &str) -> Self {
        Self {
            target: target.to_owned(),
            cpu: cpu.to_owned(),
            cells: Vec::new(),
        }
    }

    /// A row of a target that could not be set up.
    pub(super) fn unready(
        target: &str,
        cpu: &str,
        packages: &[&Package],
        unready: &Unready,
    ) -> Self {
        let cell = match unready.clone() {
            Unready::Skipped(reason) => Cell::Skipped { reason },
            Unready::Failed(reason) => Cell::Failed { reason },
        };
        let mut row = Self::new(target, cpu);
        for package in packages {
            row.push(&package.name, cell.clone());
        }
        if cpu != BUILD {
            row.push("dispatch", cell);
        }
        row
    }

    pub(super) fn push(&mut self, column: &str, cell: Cell) {
        self.cells.push(Column {
            name: column.to_owned(),
            cell,
        });
    }

    pub(super) fn cell(&self, column: &str) -> Option<&Cell> {
        let column = self.cells.iter().find(|c| c.name == column)?;
        Some(&column.cell)
    }

    /// What failed or was skipped.
    pub(super) fn remarks(&self) -> Vec<Remark<'_>> {
        let mut remarks: Vec<Remark<'_>> = Vec::new();
        for Column { name, cell } in &self.cells {
            let failed = cell.is_failure();
            if !failed && !matches!(cell, Cell::Skipped { .. }) {
                continue;
            }
            let text = cell.describe();
            match remarks.iter_mut().find(|remark| remark.text == text) {
                Some(remark) => remark.columns.push(name),
                None => remarks.push(Remark {
                    columns: vec![name],
                    text,
                    failed,
                }),
            }
        }
        remarks
    }
}

/// Why cells of a row are not what they should be.
#[derive(Debug)]
pub(super) struct Remark<'a> {
    pub(super) columns: Vec<&'a str>,
    pub(super) text: String,
    failed: bool,
}

/// All rows, and what they were made with.
#[derive(Debug, Serialize)]
pub(super) struct Matrix {
    /// The day in UTC.
    pub(super) date: String,
    /// Of Rust and of what ran the programs.
    pub(super) versions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) backend: Option<String>,
    /// Whether only with all features.
    pub(super) quick: bool,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
}

impl Matrix {
    pub(super) fn new(
        now: SystemTime,
        versions: Vec<String>,
        backend: Option<String>,
        quick: bool,
        crates: Vec<String>,
    ) -> Self {
        let mut date = humantime::format_rfc3339_seconds(now).to_string();
        date.truncate("2026-01-01".len());
        let mut columns = crates;
        columns.push("dispatch".to_owned());
        Self {
            date,
            versions,
            backend,
            quick,
            columns,
            rows: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// All tests of all rows.
    pub(super) fn total(&self) -> Counts {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells
            .map(|column| match column.cell {
                Cell::Ran {
                    passed,
                    failed,
                    ignored: skipped,
                    ..
                } => Counts {
                    passed,
                    failed,
                    skipped,
                },
                Cell::DoesNotBuild | Cell::Failed { .. } => Counts {
                    failed: 1,
                    ..Counts::default()
                },
                Cell::Built | Cell::Agrees | Cell::Skipped { .. } => Counts::default(),
            })
            .sum()
    }

    /// What went wrong, in words. What was skipped counts if all is required.
    pub(super) fn problems(&self, require_all: bool) -> Vec<String> {
        let mut problems = Vec::new();
        for row in &self.rows {
            for remark in row.remarks() {
                if remark.failed || require_all {
                    let columns = remark.columns.join(", ");
                    let text = remark.text;
                    problems.push(format!("{} {}: {columns}: {text}", row.target, row.cpu));
                }
            }
        }
        problems
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;

    pub(in super::super) fn sample() -> Matrix {
        let crates = vec!["aes-vpaes".to_owned(), "kyber".to_owned()];
        let day = SystemTime::UNIX_EPOCH + Duration::from_secs(86_400);
        let mut matrix = Matrix::new(
            day,
            vec!["Rust 1.95.0".to_owned(), "qemu 11".to_owned()],
            None,
            false,
            crates,
        );
        let counts = |passed, failed| Counts {
            passed,
            failed,
            skipped: 1,
        };
        let mut good = Row::new("x86", "native");
        good.push("aes-vpaes", Cell::ran(counts(7, 0), 1.25));
        good.push("kyber", Cell::ran(counts(3, 2), 0.0));
        good.push("dispatch", Cell::Agrees);
        matrix.push(good);
        let mut skipped = Row::new("arm", "max");
        for column in ["aes-vpaes", "kyber"] {
            let reason = "no linker".to_owned();
            skipped.push(column, Cell::Skipped { reason });
        }
        matrix.push(skipped);
        matrix
    }

    /// Even where no crate is tested but only asked what it chose.
    #[test]
    fn a_failed_set_up_is_a_problem() {
        let unready = Unready::Failed("no mirror".to_owned());
        let mut matrix = Matrix::new(SystemTime::now(), Vec::new(), None, true, Vec::new());
        matrix.push(Row::unready(
            "x86_64-unknown-linux-gnu",
            "ssse3",
            &[],
            &unready,
        ));
        assert_eq!(
            matrix.problems(false),
            ["x86_64-unknown-linux-gnu ssse3: dispatch: failed: no mirror"]
        );
    }

    #[test]
    fn failures_are_problems_and_skipped_ones_if_all_is_required() {
        let matrix = sample();
        assert_eq!(matrix.date, "1970-01-02");
        let problems = matrix.problems(false);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("x86 native: kyber: 3 passed, 2 failed"));
        let problems = matrix.problems(true);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert_eq!(problems[1], "arm max: aes-vpaes, kyber: skipped: no linker");
    }

    #[test]
    fn the_total_counts_what_did_not_build_as_failed() {
        let mut matrix = sample();
        assert_eq!(matrix.total().to_string(), "10 passed, 2 failed, 2 skipped");
        let mut row = Row::new("arm", "min");
        row.push("kyber", Cell::DoesNotBuild);
        matrix.push(row);
        assert_eq!(matrix.total().failed, 3);
    }
}
