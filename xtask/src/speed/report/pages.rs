//! The pages' text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::table::{markdown, number};
use crate::speed::mca;

/// What the speed tool wrote as JSON.
#[derive(Debug, Deserialize)]
pub(super) struct Measured {
    date: String,
    cpu: String,
    target: String,
    rustc: String,
    versions: BTreeMap<String, String>,
    clock: String,
    measurements: Vec<Measurement>,
}

#[derive(Debug, Deserialize)]
struct Measurement {
    algorithm: String,
    action: String,
    bytes: Option<u64>,
    implementation: String,
    backend: Option<String>,
    ns_median: Option<f64>,
    instructions: Option<f64>,
}

impl Measured {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_str(&text).with_context(|| format!("cannot understand {}", file.display()))
    }

    fn day(&self) -> &str {
        self.date.split('T').next().unwrap_or_default()
    }

    fn is_counted(&self) -> bool {
        self.clock == "instructions"
    }

    /// Names and versions of these crates: ours, or those of others.
    fn versions(&self, wanted: impl Fn(&str) -> bool) -> String {
        let all = self.versions.iter().filter(|(name, _)| wanted(name));
        let texts = all.map(|(name, version)| format!("{name} {version}"));
        texts.collect::<Vec<_>>().join(", ")
    }

    /// The algorithms with an action, in the order of the run; those without a length are together in one.
    fn groups(&self) -> Vec<(String, Vec<&Measurement>)> {
        let mut groups: Vec<(String, Vec<&Measurement>)> = Vec::new();
        for found in &self.measurements {
            let name = match found.bytes {
                Some(_) => found.group(),
                None => found.algorithm.clone(),
            };
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, list)) => list.push(found),
                None => groups.push((name, vec![found])),
            }
        }
        groups
    }
}

impl Measurement {
    fn group(&self) -> String {
        format!("{} {}", self.algorithm, self.action)
            .trim_end()
            .to_owned()
    }

    /// What a row of a group's table is called.
    fn row(&self) -> String {
        match (self.bytes, self.action.as_str()) {
            (Some(bytes), _) => format!("{bytes} bytes"),
            (None, "") => self.algorithm.clone(),
            (None, action) => action.to_owned(),
        }
    }

    fn who(&self) -> String {
        match &self.backend {
            Some(backend) => format!("{} {backend}", self.implementation),
            None => self.implementation.clone(),
        }
    }

    fn is_ours(&self) -> bool {
        self.implementation == "ours"
    }

    /// Instructions, or nanoseconds.
    fn cost(&self) -> f64 {
        self.instructions.or(self.ns_median).unwrap_or(f64::NAN)
    }
}

/// All of them, each once, in order.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// The table of a group: a row for each length or action, a column for each implementation, the least in bold. With
/// `ratio`, a last column tells how many times more the best of the others takes than the best of ours.
fn group_table(found: &[&Measurement], ratio: bool) -> String {
    let mut columns = distinct(found.iter().map(|one| one.who()));
    // A peer may be there several times, as other ways to call it.
    columns.sort_by_key(|name| !name.starts_with("ours"));
    let counted = found.iter().any(|one| one.instructions.is_some());
    let mut headers = vec![String::new()];
    headers.extend(columns.iter().cloned());
    if ratio {
        headers.push("others / ours".to_owned());
    }
    let rows: Vec<Vec<String>> = distinct(found.iter().map(|one| one.row()))
        .into_iter()
        .map(|row| {
            let cells: Vec<&Measurement> = found
                .iter()
                .copied()
                .filter(|one| one.row() == row)
                .collect();
            let least = |ours: Option<bool>| {
                cells
                    .iter()
                    .filter(|one| ours.is_none_or(|ours| one.is_ours() == ours))
                    .map(|one| one.cost())
                    .fold(f64::INFINITY, f64::min)
            };
            let unit = if counted || least(None) < 1e4 {
                1.0
            } else {
                1e3
            };
            let label = match (counted, unit > 1.0) {
                (true, _) => row.clone(),
                (false, false) => format!("{row}, ns"),
                (false, true) => format!("{row}, µs"),
            };
            let cell = |column: &String| {
                let Some(one) = cells.iter().find(|one| one.who() == *column) else {
                    return "–".to_owned();
                };
                let text = number(one.cost() / unit);
                if one.cost() == least(None) {
                    format!("**{text}**")
                } else {
                    text
                }
            };
            let mut line = vec![label];
            line.extend(columns.iter().map(cell));
            if ratio {
                let ratio = least(Some(false)) / least(Some(true));
                line.push(if ratio.is_finite() {
                    format!("{ratio:.2}")
                } else {
                    "–".to_owned()
                });
            }
            line
        })
        .collect();
    markdown(1, &headers, &rows)
}

const OURS: [&str; 7] = [
    "aead-chacha-poly",
    "aes-cbc-hmac",
    "aes-vpaes",
    "chacha20-simd",
    "keccak-unrolled",
    "kyber",
    "poly1305-simd",
];

fn is_ours(name: &str) -> bool {
    OURS.contains(&name)
}

/// What stands at the head of every page.
fn head(title: &str, command: &str, facts: &[(&str, String)]) -> String {
    let mut text = format!(
        "# {title}\n\nWritten by `{command}`, which measures everything anew; do not edit it by hand.\n\n"
    );
    let rows: Vec<Vec<String>> = facts
        .iter()
        .map(|(name, value)| vec![(*name).to_owned(), value.clone()])
        .collect();
    text += &markdown(2, &[String::new(), String::new()], &rows);
    text
}

pub(super) fn host(found: &Measured, without_aes: Option<&Measured>) -> String {
    let mut text = head(
        "Speed beside other implementations",
        "cargo xtask speed --report host",
        &[
            ("date", found.day().to_owned()),
            ("CPU", found.cpu.clone()),
            ("target", found.target.clone()),
            ("compiler", found.rustc.clone()),
            ("ours", found.versions(is_ours)),
            ("others", found.versions(|name| !is_ours(name))),
            ("clock", found.clock.clone()),
        ],
    );
    text += "\n\
        The time of one operation, medians over rounds in which all take turns; the shortest is bold. The last column is \
        the time of the fastest of the others divided by that of our fastest back end: above 1, ours is faster. \
        `cargo xtask speed --help` says what each operation includes; \
        [speed/README.md](../../speed/README.md) tells the method and who the others are. The AES-CBC records that \
        RustCrypto's crates open are not opened in constant time.\n\n\
        ![Throughput by message length, beside other implementations](host.svg)\n";
    for (name, list) in found.groups() {
        text += &format!("\n## {name}\n\n{}", group_table(&list, true));
    }
    if let Some(found) = without_aes {
        text += "\n# Without AES instructions\n\n\
            AES in a run of its own, in which the libraries in C were told that the CPU has no AES instructions, beside our \
            back ends that use none: what CPUs without them get. SHA instructions are used by all.\n";
        for (name, list) in found.groups() {
            text += &format!(
                "\n## {name}, without AES instructions\n\n{}",
                group_table(&list, true)
            );
        }
    }
    text
}

pub(super) fn counts(found: &[(&str, &str, Measured)], emulator: &str, this_cpu: &str) -> String {
    let Some((_, _, first)) = found.first() else {
        return String::new();
    };
    let mut text = head(
        "Instructions on other targets",
        "cargo xtask speed --report counts",
        &[
            ("date", first.day().to_owned()),
            ("compiler", first.rustc.clone()),
            ("emulator", emulator.to_owned()),
            ("CPU of the times", this_cpu.to_owned()),
            ("ours", first.versions(is_ours)),
            ("RustCrypto", first.versions(|name| !is_ours(name))),
        ],
    );
    text += "\n\
        Instructions that one operation executes, counted by an emulator's plugin, ours on every back end beside \
        RustCrypto's with what it chooses on that CPU; the fewest are bold. The same program gives the same number in every \
        run. The last column is RustCrypto's divided by our best: above 1, ours takes fewer.\n\n\
        An instruction is not a cycle: SIMD instructions take longer on small cores, loads may miss a cache, and one \
        core runs more of them at once than another. Counts tell two programs for the same CPU apart; for cycles, see \
        [the estimates](mca.md). The emulator has no AVX-512, \
        VAES and SHA-NI: for these, see [the times](host.md). WebAssembly is not counted \
        but timed, in Node.js.\n";
    for (target, cpu, measured) in found {
        let unit = if measured.is_counted() {
            "instructions"
        } else {
            "time, in Node.js"
        };
        text += &format!("\n## {target}, {cpu}\n\nUnit: {unit}.\n");
        for (name, list) in measured.groups() {
            text += &format!("\n**{name}**\n\n{}", group_table(&list, true));
        }
    }
    text
}

pub(super) fn mca(reports: &[mca::Report], compiler: &str) -> String {
    let Some(first) = reports.first() else {
        return String::new();
    };
    let versions = |ours: bool| {
        let name = |version: &&String| version.split(' ').next().is_some_and(is_ours) == ours;
        let all: Vec<&str> = first
            .versions
            .iter()
            .filter(name)
            .map(String::as_str)
            .collect();
        all.join(", ")
    };
    let mut text = head(
        "Estimated cycles of hot loops",
        "cargo xtask speed --report mca",
        &[
            ("date", today()),
            ("compiler", compiler.to_owned()),
            ("llvm-mca", first.llvm.clone()),
            ("ours", versions(true)),
            ("RustCrypto", versions(false)),
        ],
    );
    text += "\n\
        For each kernel the loop in which its operation spends most of its instructions, as compiled, and what \
        [llvm-mca](https://llvm.org/docs/CommandGuide/llvm-mca.html) makes of it with LLVM's model of the CPU.\n\n\
        - *loop*: instructions of one iteration, those of inner loops and called functions included; *share*: which part \
        of the operation's instructions are iterations of that loop. Instructions that the model lacks, and those of the C library, are left out of the loop; calls \
        count as jumps.\n\
        - *cycles*: of one iteration. *IPC*: instructions in a cycle. *bound*: cycles of an iteration if no instruction \
        had to wait for another's result.\n\
        - *cycles a byte*, or *an operation*: the loop's cycles for the whole operation, all of whose instructions are \
        taken to be as fast. *RustCrypto / ours*: above 1, ours is faster.\n\n\
        The model knows execution units, latencies and the width of the pipeline. It knows nothing of caches, of the \
        fetching and decoding of instructions, or of a branch that was predicted wrongly, and takes loads to be hits \
        in the first-level cache and independent of stores. LLVM's models of small ARM cores are coarse: it takes that of a \
        Cortex-A9 for an A15, that of an A57 for an A72, and has none of an A7. The figures rank two loops on one CPU; a factor below 1.1 says nothing.\n";
    for report in reports {
        text += &format!("\n## {} ({})\n\n", report.cpu, report.target);
        let headers = [
            "kernel",
            "of",
            "loop",
            "share",
            "cycles",
            "IPC",
            "bound",
            "estimate",
            "RustCrypto / ours",
        ]
        .map(str::to_owned);
        let rows: Vec<Vec<String>> = report
            .loops
            .iter()
            .map(|one| {
                let mut row = vec![one.kernel.clone(), one.who()];
                match &one.estimate {
                    Ok(cycles) => row.extend([
                        format!("{}{}", one.instructions, cycles.note()),
                        format!("{:.0} %", one.share * 100.0),
                        number(cycles.iteration),
                        number(cycles.instructions_per_cycle),
                        number(cycles.without_waiting),
                        format!(
                            "{} {}",
                            number(one.figure().unwrap_or_default()),
                            one.bytes.map_or("an operation", |_| "a byte")
                        ),
                        report.ratios(one),
                    ]),
                    Err(reason) => {
                        row.extend(vec!["–".to_owned(); 5]);
                        row.extend([reason.clone(), String::new()]);
                    }
                }
                row
            })
            .collect();
        text += &markdown(2, &headers, &rows);
    }
    text
}

fn today() -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    now.split('T').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(clock: &str, figure: &str) -> Measured {
        let one = |implementation: &str, backend: &str, bytes: &str, figure: &str| {
            format!(
                r#"{{"operation": "", "algorithm": "Poly1305", "action": "", "bytes": {bytes}, {figure},
                    "implementation": "{implementation}", "backend": {backend}}}"#
            )
        };
        let list = [
            one("ring", "null", "16", &format!("\"{figure}\": 90.0")),
            one("ours", "\"soft\"", "16", &format!("\"{figure}\": 60.0")),
            one(
                "ours",
                "\"soft\"",
                "1350",
                &format!("\"{figure}\": 12000.0"),
            ),
        ];
        serde_json::from_str(&format!(
            r#"{{"date": "2026-01-02T03:04:05Z", "cpu": "C", "target": "T", "rustc": "rustc 1",
                "versions": {{"kyber": "0.1.0", "ring": "0.17.14"}}, "clock": "{clock}",
                "measurements": [{}]}}"#,
            list.join(",")
        ))
        .unwrap()
    }

    #[test]
    fn times_stand_beside_those_of_others() {
        let found = measured("thread CPU time", "ns_median");
        let page = host(&found, Some(&found));
        assert!(!host(&found, None).contains("without AES"));
        for line in [
            "## Poly1305, without AES instructions",
            "| date | 2026-01-02 |",
            "| ours | kyber 0.1.0 |",
            "| others | ring 0.17.14 |",
            "## Poly1305",
            "|  | ours soft | ring | others / ours |",
            "|---|---:|---:|---:|",
            "| 16 bytes, ns | **60.0** | 90.0 | 1.50 |",
            "| 1350 bytes, µs | **12.0** | – | – |",
        ] {
            assert!(page.lines().any(|other| other == line), "{line}\n{page}");
        }
    }

    #[test]
    fn counts_and_times_are_told_apart() {
        let page = counts(
            &[
                ("T", "C", measured("instructions", "instructions")),
                (
                    "wasm32-wasip1",
                    "node",
                    measured("elapsed time", "ns_median"),
                ),
            ],
            "qemu 7.2",
            "AMD EPYC",
        );
        for line in [
            "## T, C",
            "Unit: instructions.",
            "| 1350 bytes | **12\u{2009}000** | – | – |",
            "## wasm32-wasip1, node",
            "Unit: time, in Node.js.",
            "| 1350 bytes, µs | **12.0** | – | – |",
        ] {
            assert!(page.lines().any(|other| other == line), "{line}\n{page}");
        }
    }

    #[test]
    fn an_estimate_that_cannot_be_made_says_why() {
        let report = r#"{"cpu": "zen4", "target": "T", "llvm": "LLVM 19", "versions": ["kyber 0.1.0", "aes 0.9.4"], "loops": [
            {"kernel": "aes", "operation": "AES", "bytes": null, "implementation": "ours", "backend": "soft",
             "function": "f", "instructions": 10, "share": 0.5, "estimate": {"Err": "the CPU has no vaesenc"}},
            {"kernel": "aes", "operation": "AES", "bytes": null, "implementation": "ours", "backend": "ni",
             "function": "f", "instructions": 10, "share": 0.5, "estimate": {"Ok": {"iteration": 5.0,
             "without_waiting": 4.0, "instructions_per_cycle": 2.0, "left_out": 0, "operation": 50.0}}}]}"#;
        let page = mca(&[serde_json::from_str(report).unwrap()], "rustc 1");
        for line in [
            "| ours | kyber 0.1.0 |",
            "| RustCrypto | aes 0.9.4 |",
            "| aes | ours soft | – | – | – | – | – | the CPU has no vaesenc |  |",
            "| aes | ours ni | 10 | 50 % | 5.00 | 2.00 | 4.00 | 50.0 an operation |  |",
        ] {
            assert!(page.lines().any(|other| other == line), "{line}\n{page}");
        }
    }
}
