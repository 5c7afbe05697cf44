//! The program in an emulator whose plugin compares runs with different secrets: `xtask/cross/plugins/ct-trace.c`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::complaints::{Complaint, Frame};
use super::source::{Symbols, tool};
use crate::shell::Cmd;

/// What the plugin said.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) operations: Vec<Operation>,
    /// Whether the program ran to its end.
    pub(super) complete: bool,
}

#[derive(Debug, Default)]
pub(super) struct Operation {
    pub(super) path: String,
    /// Runs that were like the first one, the first included.
    pub(super) alike: usize,
    /// How often a function ran that is left out.
    pub(super) vartime: usize,
    pub(super) differences: Vec<Difference>,
}

/// The first place where a run differed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// `branch`, `address` and the like.
    kind: String,
    address: u64,
    /// Where `ct_trace_begin` was.
    begin: u64,
    symbol: String,
}

impl Log {
    pub(super) fn read(text: &str) -> Self {
        let mut log = Self::default();
        for line in text.lines() {
            if let Some(path) = line.strip_prefix("ct: begin ") {
                log.operations.push(Operation {
                    path: path.to_owned(),
                    ..Operation::default()
                });
            } else if line.starts_with("ct: done ") {
                log.complete = true;
            } else if let (Some(words), Some(operation)) =
                (line.strip_prefix("ct-trace: "), log.operations.last_mut())
            {
                operation.note(words);
            }
        }
        log
    }
}

impl Operation {
    fn note(&mut self, words: &str) {
        let mut parts = words.split(' ');
        let (verdict, kind) = (parts.next(), words.split(' ').nth(1).unwrap_or_default());
        let fields: BTreeMap<&str, &str> = parts.filter_map(|part| part.split_once('=')).collect();
        let field = |name: &str| *fields.get(name).unwrap_or(&"");
        let address =
            |name: &str| u64::from_str_radix(field(name).trim_start_matches("0x"), 16).unwrap_or(0);
        match verdict {
            Some("same") => {
                self.alike += 1;
                self.vartime += field("vartime").parse().unwrap_or(0);
            }
            Some("differs") => self.differences.push(Difference {
                kind: kind.to_owned(),
                address: address("address"),
                begin: address("begin"),
                symbol: field("symbol").to_owned(),
            }),
            _ => {}
        }
    }

    /// What is to be complained of: each place once.
    pub(super) fn complaints(&self, program: &Path, triple: &str) -> Result<Vec<Complaint>> {
        if self.differences.is_empty() {
            if self.alike > 1 {
                return Ok(Vec::new());
            }
            return Ok(vec![Complaint {
                what: "no runs were compared".to_owned(),
                stack: Vec::new(),
            }]);
        }
        let mut places: Vec<&Difference> = Vec::new();
        for difference in &self.differences {
            if !places.contains(&difference) {
                places.push(difference);
            }
        }
        let origin = symbol_address(program, triple, "ct_trace_begin")?;
        let addresses: Vec<u64> = places
            .iter()
            .map(|place| place.address.wrapping_sub(place.begin).wrapping_add(origin))
            .collect();
        let stacks = Symbols::of(program, triple).look_up(&addresses)?;
        let complaints = places.iter().zip(stacks).map(|(place, mut stack)| {
            if stack.iter().all(|frame| frame.function == "??") {
                // Not in the program itself, but in a library that it loaded.
                stack = vec![Frame {
                    function: place.symbol.clone(),
                    file: String::new(),
                    line: 0,
                    inlined: false,
                }];
            }
            let what = match place.kind.as_str() {
                "address" => "an address differs with the secret".to_owned(),
                "branch" => "a branch differs with the secret".to_owned(),
                other => format!("{other} differs with the secret"),
            };
            Complaint { what, stack }
        });
        Ok(complaints.collect())
    }
}

/// Where a symbol lies in the file.
fn symbol_address(program: &Path, triple: &str, symbol: &str) -> Result<u64> {
    let list = Cmd::new(&tool(triple, "nm")).arg(program).output()?;
    let line = list
        .lines()
        .find(|line| line.split_whitespace().last() == Some(symbol))
        .with_context(|| format!("{} has no {symbol}", program.display()))?;
    let address = line.split_whitespace().next().unwrap_or_default();
    u64::from_str_radix(address, 16).with_context(|| format!("nm printed `{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read() {
        let log = Log::read(
            "ct: instrument trace\n\
             ct: begin a/soft/b\n\
             ct-trace: same insns=12 accesses=3 vartime=1\n\
             ct-trace: same insns=12 accesses=3 vartime=1\n\
             ct-trace: differs branch address=0x40000b7362 begin=0x40001675a0 symbol=_ZN1a1bE\n\
             ct: end 0\n\
             ct: done 1\n",
        );
        assert!(log.complete);
        let [operation] = &log.operations[..] else {
            panic!("{log:?}")
        };
        assert_eq!((operation.alike, operation.vartime), (2, 2));
        let expected = Difference {
            kind: "branch".to_owned(),
            address: 0x40_000b_7362,
            begin: 0x40_0016_75a0,
            symbol: "_ZN1a1bE".to_owned(),
        };
        assert_eq!(operation.differences, [expected]);
    }

    #[test]
    fn an_operation_that_was_not_compared_is_complained_of() {
        let log = Log::read("ct: begin a/soft/b\nct-trace: same insns=1 accesses=1 vartime=0\n");
        let complaints = log.operations[0].complaints(Path::new("none"), "").unwrap();
        assert_eq!(complaints.len(), 1);
        assert!(!log.complete);
    }
}
