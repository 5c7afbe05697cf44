//! What an instrument complains of, and what of that the crates make public by design.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// A line of source in a stack of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) function: String,
    /// The whole path, as far as it is known.
    pub(super) file: String,
    pub(super) line: u32,
    /// Whether its code stands in that of the next frame.
    pub(super) inlined: bool,
}

/// That something depends on a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    /// In the instrument's words.
    pub(super) what: String,
    /// The innermost frame first.
    pub(super) stack: Vec<Frame>,
}

impl Complaint {
    /// The two innermost functions that are code of their own, with what was inlined into them. Instruments that report a place once tell places apart
    /// by no more than that.
    fn innermost_two(&self) -> &[Frame] {
        let mut own = self.stack.iter().enumerate().filter(|(_, f)| !f.inlined);
        let end = own.nth(1).map_or(self.stack.len(), |(i, _)| i + 1);
        &self.stack[..end]
    }

    /// The innermost line that is not the standard library's.
    pub(super) fn culprit(&self) -> Option<&Frame> {
        self.innermost_two().iter().find(|frame| !is_library(frame))
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        for frame in self.stack.iter().take(8) {
            write!(
                f,
                "\n    {} ({}:{})",
                frame.function, frame.file, frame.line
            )?;
        }
        Ok(())
    }
}

/// The parts of a function's path, without what they are generic in.
fn path_of(function: &str) -> impl Iterator<Item = &str> {
    function
        .split("::")
        .map(|part| part.split('<').next().unwrap_or_default())
}

fn is_library(frame: &Frame) -> bool {
    frame.file.starts_with("/rustc/")
        || frame.file.starts_with("library/")
        || frame.file.contains("/library/core/")
}

/// What the crates make public: the table in `ct/src/declassified.rs`.
#[derive(Debug)]
pub(super) struct Declassified(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    name: String,
    reason: String,
    file: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Lines(Vec<u32>),
    Function(String),
}

impl Declassified {
    /// Reads the table as the program prints it and finds each statement in its file.
    pub(super) fn read(table: &str, root: &Path) -> Result<Self> {
        let mut entries = Vec::new();
        for line in table.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[name, reason, file, kind, text] = fields.as_slice() else {
                bail!("ct printed `{line}` as something declassified");
            };
            let path = root.join(file);
            let source = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let place = match kind {
                // With or without generic parameters.
                "function"
                    if ['(', '<']
                        .iter()
                        .any(|after| source.contains(&format!("fn {text}{after}"))) =>
                {
                    Place::Function(text.to_owned())
                }
                "line" => Place::Lines(lines_of(&source, text)),
                _ => Place::Lines(Vec::new()),
            };
            if matches!(&place, Place::Lines(lines) if lines.is_empty()) {
                bail!(
                    "{file} no longer has `{text}`, where \"{name}\" becomes public: look at it again and correct \
                     ct/src/declassified.rs"
                );
            }
            entries.push(Entry {
                name: name.to_owned(),
                reason: reason.to_owned(),
                file: file.to_owned(),
                place,
            });
        }
        Ok(Self(entries))
    }

    /// The name of what the complaint is about, if that is public by design.
    pub(super) fn name_of(&self, complaint: &Complaint) -> Option<&str> {
        let entry = self.0.iter().find(|entry| match &entry.place {
            Place::Lines(lines) => complaint.culprit().is_some_and(|frame| {
                frame.file.ends_with(&entry.file) && lines.contains(&frame.line)
            }),
            Place::Function(name) => complaint.innermost_two().iter().any(|frame| {
                frame.file.ends_with(&entry.file)
                    && path_of(&frame.function).any(|part| part == name)
            }),
        });
        entry.map(|entry| entry.name.as_str())
    }

    /// Names with their reasons, each once.
    pub(super) fn reasons(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self
            .0
            .iter()
            .map(|entry| (entry.name.as_str(), entry.reason.as_str()));
        all.enumerate()
            .filter(|(i, (name, _))| self.0[..*i].iter().all(|entry| entry.name != *name))
            .map(|(_, entry)| entry)
    }

    /// The functions that are public as a whole, each with the name of what becomes public in it.
    pub(super) fn functions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|entry| match &entry.place {
            Place::Function(function) => Some((entry.name.as_str(), function.as_str())),
            Place::Lines(_) => None,
        })
    }
}

/// The numbers of the lines that are this text, but for blanks around; comments in front do not count.
fn lines_of(source: &str, text: &str) -> Vec<u32> {
    (1..)
        .zip(source.lines())
        .filter(|(_, line)| line.trim() == text)
        .map(|(number, _)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, file: &str, line: u32, inlined: bool) -> Frame {
        Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            inlined,
        }
    }

    fn table() -> Declassified {
        let entry = |name: &str, file: &str, place| Entry {
            name: name.to_owned(),
            reason: "so it is".to_owned(),
            file: file.to_owned(),
            place,
        };
        Declassified(vec![
            entry("verdict", "crates/a/src/lib.rs", Place::Lines(vec![7, 9])),
            entry(
                "sampling",
                "crates/b/src/b.rs",
                Place::Function("sample".to_owned()),
            ),
        ])
    }

    fn complaint(stack: &[Frame]) -> Complaint {
        Complaint {
            what: "a branch".to_owned(),
            stack: stack.to_vec(),
        }
    }

    #[test]
    fn a_statement_covers_itself_and_the_library_in_it() {
        let lib = frame("map_err", "/rustc/1/library/core/src/result.rs", 3, true);
        let open = frame("a::open", "/x/crates/a/src/lib.rs", 7, false);
        let called = Frame {
            inlined: false,
            ..lib.clone()
        };
        let table = table();
        for stack in [
            vec![open.clone()],
            vec![lib, open.clone()],
            vec![called, open],
        ] {
            assert_eq!(table.name_of(&complaint(&stack)), Some("verdict"));
        }
    }

    #[test]
    fn a_statement_does_not_cover_what_it_calls() {
        let called = frame("a::verify", "/x/crates/a/src/verify.rs", 70, true);
        let open = frame("a::open", "/x/crates/a/src/lib.rs", 7, false);
        let table = table();
        assert_eq!(
            table.name_of(&complaint(&[called.clone(), open.clone()])),
            None
        );
        let called = Frame {
            inlined: false,
            ..called
        };
        assert_eq!(table.name_of(&complaint(&[called, open.clone()])), None);
        let other_line = Frame { line: 8, ..open };
        assert_eq!(table.name_of(&complaint(&[other_line])), None);
    }

    #[test]
    fn a_function_covers_what_it_calls_directly() {
        let sample = frame("b::Key<P>::sample", "/x/crates/b/src/b.rs", 5, false);
        let called = frame("b::feed", "/x/crates/b/src/feed.rs", 70, false);
        let deep = frame("c::hash", "/x/crates/c/src/c.rs", 1, false);
        let table = table();
        let stack = [deep, called, sample];
        assert_eq!(table.name_of(&complaint(&stack[2..])), Some("sampling"));
        assert_eq!(table.name_of(&complaint(&stack[1..])), Some("sampling"));
        assert_eq!(table.name_of(&complaint(&stack)), None);
        let generic = frame("sample<c::Set<u8>, 2>", "/x/crates/b/src/b.rs", 5, false);
        assert_eq!(table.name_of(&complaint(&[generic])), Some("sampling"));
    }

    #[test]
    fn lines_are_found_by_their_text() {
        let source = "fn f() {\n    if x {\n        // if x {\n    if x {\n";
        assert_eq!(lines_of(source, "if x {"), [2, 4]);
    }
}
