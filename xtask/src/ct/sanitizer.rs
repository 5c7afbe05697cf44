//! The program with MemorySanitizer: it runs natively, so it goes where Valgrind knows no instructions (AVX-512, VAES,
//! SHA-NI).

use std::collections::BTreeMap;
use std::fs;

use anyhow::Result;

use super::complaints::{Complaint, Frame};
use super::source::Symbols;

/// The flags of rustc, for the standard library too.
pub(super) const FLAGS: [&str; 6] = [
    "-Zsanitizer=memory",
    "-Zsanitizer-recover=memory",
    // Else a function that gives back a secret by value is complained of.
    "-Cllvm-args=-msan-eager-checks=0",
    // The stacks of calls are found by them.
    "-Cforce-frame-pointers=yes",
    // These crates' SHA-NI code uses an intrinsic that is not modelled.
    "--cfg sha1_backend=\"soft\"",
    "--cfg sha2_backend=\"soft\"",
];

/// What the run-time library is told: to go on, and to print the offsets of a stack's frames and nothing more.
pub(super) const OPTIONS: &str = "halt_on_error=0:exit_code=0:symbolize=0:print_summary=0:\
    fast_unwind_on_fatal=1:stack_trace_format=\"    #%n %o\"";

pub(super) const LIMITS: &str = "sees no branch that the compiler's back end makes of a select, and nothing inside asm!; \
    SHA-1 and SHA-2 are run in their portable form";

/// Frames of a stack that are looked up.
const DEPTH: usize = 8;

/// The frames of a complaint, as offsets in the program.
type Stack = Vec<u64>;

/// Complaints, and how often each of them came.
type Counted = Vec<(Complaint, usize)>;

/// What MemorySanitizer said.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// For each operation, the places that it complained of, and how often.
    operations: Vec<(String, BTreeMap<Stack, usize>)>,
    /// Whether the program ran to its end.
    pub(super) complete: bool,
}

impl Log {
    pub(super) fn read(text: &str) -> Self {
        let mut log = Self::default();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(path) = line.strip_prefix("ct: begin ") {
                log.operations.push((path.to_owned(), BTreeMap::new()));
            } else if line.starts_with("ct: done ") {
                log.complete = true;
            } else if line.contains("WARNING: MemorySanitizer") {
                let mut stack = Vec::new();
                while let Some(offset) = lines.peek().and_then(|line| frame(line)) {
                    if stack.len() < DEPTH {
                        stack.push(offset);
                    }
                    lines.next();
                }
                if let Some((_, places)) = log.operations.last_mut() {
                    *places.entry(stack).or_default() += 1;
                }
            }
        }
        log
    }

    /// The complaints of each operation with how often they came.
    pub(super) fn operations(&self, symbols: &Symbols) -> Result<Vec<(String, Counted)>> {
        let mut offsets: Vec<u64> = self
            .operations
            .iter()
            .flat_map(|(_, places)| places.keys().flatten().copied())
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        let frames: BTreeMap<u64, _> = offsets
            .iter()
            .copied()
            .zip(symbols.look_up(&offsets)?)
            .collect();
        let complaint = |stack: &Stack| Complaint {
            what: "use of a secret in a branch or an address".to_owned(),
            stack: stack
                .iter()
                .flat_map(|offset| frames[offset].clone())
                .collect(),
        };
        let operations = self.operations.iter().map(|(path, places)| {
            let places = places.iter();
            let complaints = places.map(|(stack, count)| (complaint(stack), *count));
            (path.clone(), complaints.collect())
        });
        Ok(operations.collect())
    }
}

/// The offset in `    #3 0x1234`.
fn frame(line: &str) -> Option<u64> {
    let (_, offset) = line.trim_start().strip_prefix('#')?.split_once(" 0x")?;
    u64::from_str_radix(offset.trim(), 16).ok()
}

/// What the complaint is about, if it is one of the two things that MemorySanitizer does not model: it complains of a
/// secret among their operands, whatever they do with it, and takes what they give for public.
///
/// One is an intrinsic of the CPU that LLVM has no other word for. Only those that compute addresses can be at fault
/// themselves. The other is an `asm!` without an instruction, which keeps the compiler from moving or merging
/// something; it has nothing that could be at fault.
pub(super) fn unmodelled(complaint: &Complaint) -> Option<String> {
    let innermost = complaint.stack.first()?;
    if innermost.file.contains("/core_arch/src/x86") {
        let name = function_at(innermost).unwrap_or_else(|| innermost.function.clone());
        let computes_addresses = ["gather", "scatter"].iter().any(|word| name.contains(word));
        return (!computes_addresses).then_some(name);
    }
    let source = fs::read_to_string(&innermost.file).ok()?;
    let line = source
        .lines()
        .nth(innermost.line.checked_sub(1)? as usize)?;
    line.contains("asm!(\"/*")
        .then(|| "an empty asm!".to_owned())
}

/// The function that the line stands in. The frame may have the name of the one that it was inlined into.
fn function_at(frame: &Frame) -> Option<String> {
    let source = fs::read_to_string(&frame.file).ok()?;
    let before: Vec<&str> = source.lines().take(frame.line as usize).collect();
    let name = before.iter().rev().find_map(|line| {
        let (head, name) = line.split_once("fn ")?;
        let is_head = [
            "",
            "pub ",
            "pub const ",
            "pub unsafe ",
            "pub const unsafe ",
            "unsafe ",
        ];
        is_head.contains(&head.trim_start()).then_some(name)
    })?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    Some(name[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read() {
        let log = Log::read(
            "ct: instrument msan\n\
             ct: begin a/soft/b\n\
             ==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x219250\n    #1 0xe737d\n\n\
             ==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x219250\n    #1 0xe737d\n\n\
             ct: end 0\n\
             ct: begin a/soft/c\n\
             ct: end 0\n\
             ct: done 2\n",
        );
        assert!(log.complete);
        assert_eq!(log.operations.len(), 2);
        let places = &log.operations[0].1;
        assert_eq!(places.len(), 1);
        assert_eq!(places[&vec![0x21_9250, 0xe_737d]], 2);
        assert!(log.operations[1].1.is_empty());
    }

    fn complaint(function: &str, file: &str, line: u32) -> Complaint {
        Complaint {
            what: String::new(),
            stack: vec![Frame {
                function: function.to_owned(),
                file: file.to_owned(),
                line,
                inlined: true,
            }],
        }
    }

    #[test]
    fn an_intrinsic_is_no_leak_unless_it_computes_addresses() {
        let library = "/rustc/1/library/stdarch/crates/core_arch/src/x86/sse.rs";
        let shuffle = complaint("core_arch::x86::aes::_mm_aeskeygenassist_si128", library, 1);
        assert!(unmodelled(&shuffle).is_some());
        let gather = complaint("_mm256_i32gather_epi32", library, 1);
        assert_eq!(unmodelled(&gather), None);
        assert_eq!(
            unmodelled(&complaint("a::b", "/w/crates/a/src/b.rs", 1)),
            None
        );
    }

    /// Where the sources are, their names count: the frame has that of the function which all was inlined into.
    #[test]
    fn names_and_barriers_are_found_in_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            file.to_str().unwrap().to_owned()
        };
        let library = write(
            "core_arch/src/x86/x.rs",
            "pub fn _mm_a(a: u8) -> u8 {\n    a\n}\npub unsafe fn _mm_gather<const N: i32>() {\n    b()\n}\n",
        );
        assert_eq!(
            unmodelled(&complaint("w::x", &library, 2)).as_deref(),
            Some("_mm_a")
        );
        assert_eq!(unmodelled(&complaint("w::x", &library, 5)), None);
        let ours = write(
            "b.rs",
            "asm!(\"/* {0} */\", inout(reg) x);\nasm!(\"add {0}, {0}\", inout(reg) x);\n",
        );
        assert!(unmodelled(&complaint("w::x", &ours, 1)).is_some());
        assert_eq!(unmodelled(&complaint("w::x", &ours, 2)), None);
    }
}
