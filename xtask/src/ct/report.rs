//! What came of it: a table of operations and instruments, and what must be said beside it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::complaints::{Complaint, Declassified};

/// What one instrument observed.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// For each operation, by its path, what depends on a secret and must not.
    pub(super) operations: Vec<(String, Vec<Complaint>)>,
    /// How often something was met that is public by design, by name.
    pub(super) declassified: BTreeMap<String, usize>,
    /// What the instrument cannot judge, and why.
    pub(super) notes: Vec<String>,
}

/// A column of the table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Or why the instrument was not used.
    pub(super) observed: Result<Observed, String>,
}

/// Planted faults and the code beside them, by the names that `ct/src/planted.rs` gives.
const FAULTS: [&str; 3] = ["secret branch", "secret index", "early exit"];
const PLANTED: &str = "planted/faults/";
const CONTROL: &str = "control: ";

impl Observed {
    /// Takes the planted operations out and tells what is wrong with how they were judged.
    pub(super) fn prove(&mut self) -> Vec<String> {
        let mut problems = Vec::new();
        let (planted, operations): (Vec<_>, Vec<_>) = std::mem::take(&mut self.operations)
            .into_iter()
            .partition(|(path, _)| path.starts_with(PLANTED));
        self.operations = operations;
        for name in FAULTS {
            let found = planted.iter().any(|(path, complaints)| {
                path.strip_prefix(PLANTED) == Some(name) && !complaints.is_empty()
            });
            if !found {
                problems.push(format!("does not find the planted {name}"));
            }
        }
        let mut controls = 0;
        for (path, complaints) in &planted {
            if path[PLANTED.len()..].starts_with(CONTROL) {
                controls += 1;
                if let Some(complaint) = complaints.first() {
                    problems.push(format!(
                        "complains of {path}, which is innocent: {complaint}"
                    ));
                }
            }
        }
        if controls == 0 {
            problems.push("was not shown the innocent code beside the planted faults".to_owned());
        }
        problems
    }

    /// How many operations have something that must not be.
    pub(super) fn leaking(&self) -> usize {
        let leaks = self
            .operations
            .iter()
            .filter(|(_, found)| !found.is_empty());
        leaks.count()
    }
}

/// The table: one row for an operation of a crate, with the back ends that fared alike; one column for an instrument.
pub(super) fn table(columns: &[Column]) -> String {
    let mut paths: Vec<&str> = Vec::new();
    for column in columns {
        for (path, _) in column.observed.iter().flat_map(|o| &o.operations) {
            if !paths.contains(&path.as_str()) {
                paths.push(path);
            }
        }
    }
    let mut rows: Vec<([&str; 3], Vec<String>)> = Vec::new();
    let mut named: Vec<(&str, Vec<&str>, &str, Vec<String>)> = Vec::new();
    for path in paths {
        let mut parts = path.splitn(3, '/');
        let [crate_name, backend, name] = std::array::from_fn(|_| parts.next().unwrap_or_default());
        let cells: Vec<String> = columns.iter().map(|column| cell(column, path)).collect();
        let alike = named
            .iter_mut()
            .find(|(other_crate, _, other_name, other_cells)| {
                (*other_crate, *other_name) == (crate_name, name) && *other_cells == cells
            });
        match alike {
            Some((_, backends, _, _)) => backends.push(backend),
            None => named.push((crate_name, vec![backend], name, cells)),
        }
    }
    let joined: Vec<String> = named.iter().map(|(_, b, _, _)| b.join(", ")).collect();
    for ((crate_name, _, name, cells), backends) in named.iter().zip(&joined) {
        rows.push(([crate_name, backends, name], cells.clone()));
    }
    let head = ["crate", "back ends", "operation"];
    let width = |i: usize| {
        let longest = rows.iter().map(|(names, _)| names[i].len()).max();
        longest.unwrap_or(0).max(head[i].len())
    };
    let widths: [usize; 3] = std::array::from_fn(width);
    let mut table = String::new();
    let mut line = |names: [&str; 3], cells: &[String]| {
        let mut text = String::new();
        for (name, width) in names.iter().zip(widths) {
            let _ = write!(text, "{name:width$}  ");
        }
        for (cell, column) in cells.iter().zip(columns) {
            let _ = write!(text, "{cell:width$}  ", width = column.name.len().max(7));
        }
        table += text.trim_end();
        table.push('\n');
    };
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    line(head, &names);
    for (names, cells) in &rows {
        line(*names, cells);
    }
    table
}

fn cell(column: &Column, path: &str) -> String {
    let Ok(observed) = &column.observed else {
        return "skipped".to_owned();
    };
    match observed.operations.iter().find(|(other, _)| other == path) {
        None => "-".to_owned(),
        Some((_, complaints)) if complaints.is_empty() => "ok".to_owned(),
        Some((_, complaints)) => format!("LEAK {}", complaints.len()),
    }
}

/// Each place that leaks, with the operations that it leaks in.
fn leaks(observed: &Observed) -> Vec<(&Complaint, Vec<&str>)> {
    let mut places: Vec<(&Complaint, Vec<&str>)> = Vec::new();
    for (path, complaints) in &observed.operations {
        for complaint in complaints {
            let same = |other: &Complaint| {
                other.what == complaint.what && other.culprit() == complaint.culprit()
            };
            match places.iter_mut().find(|(other, _)| same(other)) {
                Some((_, paths)) if paths.last() == Some(&path.as_str()) => {}
                Some((_, paths)) => paths.push(path),
                None => places.push((complaint, vec![path])),
            }
        }
    }
    places
}

/// What stands below the table: leaks, then what was declassified, then what was skipped and why.
pub(super) fn details(columns: &[Column], declassified: &Declassified) -> String {
    let mut text = String::new();
    for column in columns {
        for (complaint, paths) in column.observed.iter().flat_map(leaks) {
            let _ = writeln!(text, "LEAK: {}: {complaint}", column.name);
            let shown = paths[..paths.len().min(4)].join(", ");
            let more = if paths.len() > 4 { ", ..." } else { "" };
            let _ = writeln!(text, "  in {} operations: {shown}{more}", paths.len());
        }
    }
    let mut unmet = Vec::new();
    for (name, reason) in declassified.reasons() {
        let hits: Vec<String> = columns
            .iter()
            .filter_map(|column| {
                let hits = column.observed.as_ref().ok()?.declassified.get(name)?;
                Some(format!("{hits} hits by {}", column.name))
            })
            .collect();
        if hits.is_empty() {
            unmet.push(name);
            continue;
        }
        let _ = writeln!(text, "declassified: {name} ({reason}): {}", hits.join(", "));
    }
    // Traces meet none at all: the verdict is the same in both runs.
    if !unmet.is_empty() && unmet.len() < declassified.reasons().count() {
        let _ = writeln!(
            text,
            "declassified, but not met in this run: {}",
            unmet.join("; ")
        );
    }
    for column in columns {
        match &column.observed {
            Err(reason) => {
                let _ = writeln!(text, "skipped: {}: {reason}", column.name);
            }
            Ok(observed) => {
                for note in &observed.notes {
                    let _ = writeln!(text, "note: {}: {note}", column.name);
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint() -> Complaint {
        Complaint {
            what: "a branch".to_owned(),
            stack: Vec::new(),
        }
    }

    fn observed(operations: &[(&str, bool)]) -> Observed {
        let operations = operations.iter().map(|&(path, leaks)| {
            let complaints = leaks.then(complaint).into_iter().collect();
            (path.to_owned(), complaints)
        });
        Observed {
            operations: operations.collect(),
            ..Observed::default()
        }
    }

    const FOUND: [(&str, bool); 5] = [
        ("planted/faults/secret branch", true),
        ("planted/faults/secret index", true),
        ("planted/faults/early exit", true),
        ("planted/faults/control: comparison", false),
        ("a/soft/x", false),
    ];

    #[test]
    fn planted_faults_must_be_found_and_controls_must_not() {
        let mut good = observed(&FOUND);
        assert_eq!(good.prove(), [""; 0]);
        assert_eq!(good.operations.len(), 1);
        for wrong in 0..4 {
            let mut seen = FOUND;
            seen[wrong].1 = !seen[wrong].1;
            assert_eq!(observed(&seen).prove().len(), 1, "{wrong}");
        }
        assert_eq!(observed(&[]).prove().len(), 4);
    }

    #[test]
    fn a_place_is_shown_once() {
        let observed = observed(&[
            ("a/soft/x", true),
            ("a/soft32/x", true),
            ("a/soft/y", false),
        ]);
        let leaks = leaks(&observed);
        assert_eq!(leaks.len(), 1);
        assert_eq!(leaks[0].1, ["a/soft/x", "a/soft32/x"]);
    }

    #[test]
    fn back_ends_that_fare_alike_share_a_row() {
        let columns = [Column {
            name: "valgrind".to_owned(),
            observed: Ok(observed(&[
                ("a/soft/x", false),
                ("a/soft32/x", false),
                ("a/soft/y", true),
                ("a/soft32/y", false),
            ])),
        }];
        let table = table(&columns);
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(rows.len(), 4, "{table}");
        assert!(rows[1].contains("soft, soft32") && rows[1].ends_with("ok"));
        assert!(rows[2].ends_with("LEAK 1"));
    }
}
