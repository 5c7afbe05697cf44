//! Divisions: instructions whose time depends on their operands, which no instrument notices. Disassembles the program
//! and looks up which source each of them comes from; in the crates' code there must be none.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::complaints::{Complaint, Declassified, Frame};
use super::source::{Symbols, tool};
use crate::shell::Cmd;

/// Divisions in the code of the crates.
#[derive(Debug)]
pub(super) struct Divisions {
    /// Functions looked at, those of the standard library among them.
    pub(super) functions: usize,
    /// By line of source, with how often its code was made.
    pub(super) found: Vec<(Complaint, usize)>,
    /// The planted one was among them.
    pub(super) proven: bool,
}

/// The function with the planted division.
const PLANTED: &str = "planted::division";

impl Divisions {
    /// Looks at a program that was built for this target, from sources under `root`.
    pub(super) fn find(
        program: &Path,
        triple: &str,
        root: &Path,
        declassified: &Declassified,
    ) -> Result<Self> {
        let listing = Cmd::new(&tool(triple, "objdump"))
            .args(["--disassemble", "--no-show-raw-insn"])
            .arg(program)
            .output()
            .context("objdump is part of binutils, which comes with a linker")?;
        let functions = listing.lines().filter(|line| line.ends_with(">:")).count();
        let divisions: Vec<(u64, &str)> = listing
            .lines()
            .filter_map(|line| instruction(line))
            .filter(|(_, text)| divides(triple, text))
            .collect();
        let addresses: Vec<u64> = divisions.iter().map(|(address, _)| *address).collect();
        let stacks = Symbols::of(program, triple).look_up(&addresses)?;
        let mut found: Vec<(Complaint, usize)> = Vec::new();
        let mut proven = false;
        for ((_, text), stack) in divisions.iter().zip(stacks) {
            if stack.iter().any(|frame| frame.function.contains(PLANTED)) {
                proven = true;
            }
            if !stack.iter().any(|frame| is_ours(frame, root)) {
                continue;
            }
            let what = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let complaint = Complaint { what, stack };
            if declassified.name_of(&complaint).is_some() {
                continue;
            }
            let same = |other: &Complaint| other.culprit() == complaint.culprit();
            match found.iter_mut().find(|(other, _)| same(other)) {
                Some((_, count)) => *count += 1,
                None => found.push((complaint, 1)),
            }
        }
        Ok(Self {
            functions,
            found,
            proven,
        })
    }
}

/// Address and text of a line of the listing that is an instruction.
fn instruction(line: &str) -> Option<(u64, &str)> {
    let (address, text) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    Some((address, text.trim()))
}

/// Whether an instruction divides, or calls a function of the compiler's library that does.
fn divides(triple: &str, text: &str) -> bool {
    let mnemonic = text.split_whitespace().next().unwrap_or_default();
    let by_call = || {
        let (_, callee) = text.split_once('<')?;
        let callee = callee.trim_end_matches('>').trim_start_matches('.');
        let name = callee
            .strip_prefix("__aeabi_")
            .or(callee.strip_prefix("__"))?;
        Some(
            [
                "udiv", "div", "umod", "mod", "idiv", "uidiv", "ldiv", "uldiv",
            ]
            .iter()
            .any(|start| name.starts_with(start)),
        )
    };
    let by_itself = if triple.starts_with("s390x") {
        // D, DL, DSG and their forms, and those of floating point.
        ["d", "dr", "de", "deb", "debr", "dd", "ddb", "ddbr"].contains(&mnemonic)
            || mnemonic.starts_with("dl")
            || mnemonic.starts_with("dsg")
    } else if triple.starts_with("riscv") {
        ["div", "rem", "fdiv"]
            .iter()
            .any(|start| mnemonic.starts_with(start))
    } else {
        ["div", "idiv", "vdiv", "udiv", "sdiv", "fdiv", "mod"]
            .iter()
            .any(|start| mnemonic.starts_with(start))
    };
    by_itself || by_call().unwrap_or(false)
}

/// Whether the code comes from the crates, or from one that they depend on.
fn is_ours(frame: &Frame, root: &Path) -> bool {
    let path = Path::new(&frame.file);
    path.starts_with(root.join("crates")) || frame.file.contains("/registry/src/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_of_every_architecture_are_known() {
        for (triple, text) in [
            ("x86_64-unknown-linux-gnu", "div    %esi"),
            ("x86_64-unknown-linux-gnu", "idivq  0x8(%rsp)"),
            ("i686-unknown-linux-gnu", "call   8a0 <__udivdi3>"),
            ("i686-unknown-linux-gnu", "call   8a0 <__umodti3>"),
            ("aarch64-unknown-linux-gnu", "udiv\tw0, w1, w2"),
            (
                "armv7-unknown-linux-gnueabihf",
                "bl\t1f0 <__aeabi_uidivmod>",
            ),
            (
                "armv7-unknown-linux-gnueabihf",
                "bl\t1f0 <__aeabi_uldivmod>",
            ),
            ("s390x-unknown-linux-gnu", "dlgr\t%r0,%r4"),
            ("s390x-unknown-linux-gnu", "dlr\t%r0,%r4"),
            ("riscv64gc-unknown-linux-gnu", "remuw\ta0,a0,a1"),
        ] {
            assert!(divides(triple, text), "{triple}: {text}");
        }
        for (triple, text) in [
            ("x86_64-unknown-linux-gnu", "mul    %rdx"),
            (
                "x86_64-unknown-linux-gnu",
                "call   5 <_ZN2ct7planted8division17hE>",
            ),
            ("s390x-unknown-linux-gnu", "mlgr\t%r0,%r4"),
            ("armv7-unknown-linux-gnueabihf", "bl\t1f0 <__aeabi_memcpy>"),
        ] {
            assert!(!divides(triple, text), "{triple}: {text}");
        }
    }

    #[test]
    fn instructions_are_told_from_labels() {
        assert_eq!(
            instruction("   17eea2:\tdiv    %esi"),
            Some((0x17_eea2, "div    %esi"))
        );
        assert_eq!(instruction("000000000017ee90 <main>:"), None);
    }
}
