//! A program's disassembly, as `llvm-objdump -d -C --no-show-raw-insn` prints it, and pieces of it as assembly source.

use std::collections::{BTreeMap, HashMap};

/// The instructions of a program by address.
#[derive(Debug, Default)]
pub(super) struct Disassembly {
    instructions: HashMap<u64, String>,
    /// The functions by the address where they begin.
    functions: BTreeMap<u64, String>,
}

impl Disassembly {
    pub(super) fn read(text: &str) -> Self {
        let mut disassembly = Self::default();
        for line in text.lines() {
            if let Some((address, name)) = function(line) {
                disassembly.functions.insert(address, name.to_owned());
            } else if let Some((address, instruction)) = instruction(line) {
                disassembly.instructions.insert(address, instruction);
            }
        }
        disassembly
    }

    /// Where a function of this name begins.
    pub(super) fn address_of(&self, name: &str) -> Option<u64> {
        let mut functions = self.functions.iter();
        let (&address, _) = functions.find(|(_, other)| *other == name)?;
        Some(address)
    }

    /// The instructions at these addresses as assembly source. Those outside of the program, in a library's functions,
    /// are left out.
    pub(super) fn source(&self, addresses: &[u64]) -> Vec<&str> {
        addresses
            .iter()
            .filter_map(|address| self.instructions.get(address))
            .map(String::as_str)
            .collect()
    }

    /// The function that most of these addresses are in.
    pub(super) fn function_of(&self, addresses: &[u64]) -> Option<&str> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for address in addresses {
            if self.instructions.contains_key(address)
                && let Some((_, name)) = self.functions.range(..=address).next_back()
            {
                *counts.entry(name).or_default() += 1;
            }
        }
        let (name, _) = counts.into_iter().max_by_key(|&(_, count)| count)?;
        Some(name)
    }
}

/// `0000000000401000 <name>:`
fn function(line: &str) -> Option<(u64, &str)> {
    let (address, rest) = line.split_once(" <")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    Some((address, rest.strip_suffix(">:")?))
}

/// `  401000:      \tadd\tx0, x1, x2  // a comment`
fn instruction(line: &str) -> Option<(u64, String)> {
    let (address, rest) = line.split_once(':')?;
    let address = u64::from_str_radix(address.trim_start(), 16).ok()?;
    let text = without_comment(rest.trim());
    // What is no instruction is data between functions.
    (!text.is_empty() && !text.starts_with(['<', '.']))
        .then(|| (address, without_call(&with_label(text))))
}

/// Comments begin with `//`, `@` or, on x86, `#`, which elsewhere marks a number.
fn without_comment(text: &str) -> &str {
    let end = ["//", "@", "# "]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min();
    text[..end.unwrap_or(text.len())].trim_end()
}

/// Replaces `0x401234 <name+0x10>`, where an instruction refers to the code or to data, by a label: the assembler would
/// take the number for a distance.
fn with_label(text: &str) -> String {
    let Some((before, _)) = text.split_once(" <") else {
        return text.to_owned();
    };
    let start = before.rfind([' ', '\t', ',']).map_or(0, |at| at + 1);
    format!("{}target", &before[..start])
}

/// Makes a call a jump: what is called follows, while llvm-mca takes a call to last a hundred cycles.
fn without_call(text: &str) -> String {
    let (mnemonic, operands) = text.split_once('\t').unwrap_or((text, ""));
    let jump = match mnemonic {
        "bl" => "b",
        "blr" => "br",
        "blx" if operands == "target" => "b",
        "blx" => "bx",
        "call" | "callq" => "jmp",
        _ => return text.to_owned(),
    };
    format!("{jump}\t{operands}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM64: &str = "\
target/speed:\tfile format elf64-littleaarch64

Disassembly of section .text:

000000000009e9a0 <a::backends::neon::blocks::<u32>::h39f2>:
   9e9a0:      \tstp\tx22, x21, [sp, #0x30]
   9e9a4:      \tmov\tw18, #0x1000000         // =16777216
   9e9a8:      \tadrp\tx8, 0x123000 <anon.1+0x10>
   9e9ac:      \tcbnz\tw8, 0x9e9a4 <a::backends::neon::blocks::<u32>::h39f2+0x4>
   9e9b0:      \tret
   9e9b4:      \t<unknown>

0000000000160cec <speed_mark>:
  160cec:      \tret
";
    const X86: &str = "\
0000000000401000 <f>:
  401000:      \tvpaddd\t0x20(%rip), %zmm1, %zmm2  # 0x401040 <K>
  401008:      \tjne\t0x401000 <f>
";
    const ARM: &str = "\
00010000 <f>:
   10000:      \tldr\tr0, [pc, #0x10]          @ 0x10018 <f+0x18>
   10004:      \tvadd.i32\tq0, q1, q2
   10008:      \tbne\t0x10004 <f+0x4>              @ imm = #-0xc
   1000c:      \t.word\t0x00000001
";

    #[test]
    fn instructions_become_source() {
        let source = |text, addresses: &[u64]| {
            let disassembly = Disassembly::read(text);
            let lines = disassembly.source(addresses);
            lines.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            source(ARM64, &[0x9_e9a4, 0x9_e9a8, 0x9_e9ac, 0x9_e9b4, 0x7777]),
            [
                "mov\tw18, #0x1000000",
                "adrp\tx8, target",
                "cbnz\tw8, target"
            ]
        );
        assert_eq!(
            source(X86, &[0x40_1000, 0x40_1008]),
            ["vpaddd\t0x20(%rip), %zmm1, %zmm2", "jne\ttarget"]
        );
        assert_eq!(
            source(ARM, &[0x1_0000, 0x1_0004, 0x1_0008, 0x1_000c]),
            [
                "ldr\tr0, [pc, #0x10]",
                "vadd.i32\tq0, q1, q2",
                "bne\ttarget"
            ]
        );
    }

    #[test]
    fn calls_become_jumps() {
        for (call, jump) in [
            ("bl\ttarget", "b\ttarget"),
            ("blr\tx8", "br\tx8"),
            ("blx\ttarget", "b\ttarget"),
            ("blx\tr3", "bx\tr3"),
            ("callq\ttarget", "jmp\ttarget"),
            ("callq\t*%rax", "jmp\t*%rax"),
            ("ret", "ret"),
            ("blt\ttarget", "blt\ttarget"),
        ] {
            assert_eq!(without_call(call), jump);
        }
    }

    #[test]
    fn functions_are_known() {
        let disassembly = Disassembly::read(ARM64);
        assert_eq!(disassembly.address_of("speed_mark"), Some(0x16_0cec));
        assert_eq!(disassembly.address_of("none"), None);
        assert_eq!(
            disassembly.function_of(&[0x9_e9a0, 0x9_e9a4, 0x16_0cec, 0x16_0cf0]),
            Some("a::backends::neon::blocks::<u32>::h39f2")
        );
        assert_eq!(disassembly.function_of(&[1]), None);
    }
}
