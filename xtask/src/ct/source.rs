//! From addresses to lines of source, by the `addr2line` of binutils.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::complaints::Frame;
use crate::shell::Cmd;

/// The program of binutils that reads files of this target.
pub(super) fn tool(triple: &str, name: &str) -> String {
    let mut parts = triple.split('-');
    let (architecture, environment) = (parts.next().unwrap_or_default(), parts.next_back());
    let gnu = match architecture {
        "x86_64" => return name.to_owned(),
        "armv7" => "arm",
        "riscv64gc" => "riscv64",
        other => other,
    };
    format!("{gnu}-linux-{}-{name}", environment.unwrap_or("gnu"))
}

/// The symbols and lines of a program.
#[derive(Debug)]
pub(super) struct Symbols {
    program: PathBuf,
    addr2line: String,
}

impl Symbols {
    pub(super) fn of(program: &Path, triple: &str) -> Self {
        Self {
            program: program.to_owned(),
            addr2line: tool(triple, "addr2line"),
        }
    }

    /// For each address of an instruction: its function, with all that it was inlined into.
    pub(super) fn look_up(&self, addresses: &[u64]) -> Result<Vec<Vec<Frame>>> {
        if addresses.is_empty() {
            return Ok(Vec::new());
        }
        // More than a command line holds.
        let list = self.program.with_extension("addresses");
        let text: String = addresses
            .iter()
            .map(|address| format!("{address:#x}\n"))
            .collect();
        fs::write(&list, text).with_context(|| format!("cannot write {}", list.display()))?;
        let answer = Cmd::new(&self.addr2line)
            .args([
                "--addresses",
                "--inlines",
                "--functions",
                "--demangle",
                "--exe",
            ])
            .arg(&self.program)
            .arg(format!("@{}", list.display()))
            .output()
            .context("addr2line is part of binutils, which comes with a linker")?;
        let stacks = stacks(&answer);
        if stacks.len() != addresses.len() {
            anyhow::bail!(
                "`{}` told of {} addresses when asked for {}",
                self.addr2line,
                stacks.len(),
                addresses.len()
            );
        }
        Ok(stacks)
    }
}

/// An address, then function and place by turns, innermost first.
fn stacks(answer: &str) -> Vec<Vec<Frame>> {
    let mut stacks: Vec<Vec<Frame>> = Vec::new();
    let mut lines = answer.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("0x") {
            stacks.push(Vec::new());
            continue;
        }
        let (Some(stack), Some(place)) = (stacks.last_mut(), lines.next()) else {
            break;
        };
        let (file, number) = place.rsplit_once(':').unwrap_or((place, ""));
        let number = number.split_whitespace().next().unwrap_or_default();
        if let Some(last) = stack.last_mut() {
            last.inlined = true;
        }
        stack.push(Frame {
            function: line.to_owned(),
            file: file.to_owned(),
            line: number.parse().unwrap_or(0),
            inlined: false,
        });
    }
    stacks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binutils_go_by_the_target() {
        assert_eq!(tool("x86_64-unknown-linux-gnu", "objdump"), "objdump");
        assert_eq!(
            tool("armv7-unknown-linux-gnueabihf", "objdump"),
            "arm-linux-gnueabihf-objdump"
        );
        assert_eq!(
            tool("riscv64gc-unknown-linux-gnu", "addr2line"),
            "riscv64-linux-gnu-addr2line"
        );
    }

    #[test]
    fn inlined_functions_are_kept_apart() {
        let answer = "0x10\ncore::cmp::eq\n/rustc/c.rs:5\na::b\n/w/a.rs:7 (discriminator 2)\n0x20\n??\n??:0\n";
        let stacks = stacks(answer);
        assert_eq!(stacks.len(), 2);
        assert_eq!(stacks[0].len(), 2);
        assert!(stacks[0][0].inlined && !stacks[0][1].inlined);
        assert_eq!(stacks[0][1].line, 7);
        assert_eq!(stacks[1][0].function, "??");
    }
}
