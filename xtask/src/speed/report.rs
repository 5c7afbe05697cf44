//! `cargo xtask speed --report`: measures a chosen list, and writes the pages in `docs/speed` and the chart.

mod pages;
mod table;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::mca::{self, Lab};
use super::{Build, command, counts};
use crate::cross::Environment;
use crate::shell::Cmd;
use crate::steps::{Outcome, Steps};
use crate::workspace::Workspace;
use pages::Measured;

/// A page of `docs/speed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(super) enum Page {
    /// Times on this machine, beside every peer
    Host,
    /// Instructions on other targets, beside RustCrypto
    Counts,
    /// Estimates of hot loops by llvm-mca, beside RustCrypto
    Mca,
}

/// Milliseconds for each measurement.
const TIME: &str = "60";

/// What the chart shows. `=` means the whole name.
const CHARTED: [&str; 8] = [
    "=AES-128-CTR encrypt",
    "=ChaCha20-Poly1305 seal",
    "=Poly1305",
    "=AES-128-CBC-SHA1 open",
    "=SHA3-256",
    "=ML-KEM-768 keygen",
    "=ML-KEM-768 encaps",
    "=ML-KEM-768 decaps",
];

/// The targets and CPU models of the page of counts.
const COUNTED: [(&str, &str); 11] = [
    ("x86_64-unknown-linux-gnu", "max"),
    ("x86_64-unknown-linux-gnu", "ssse3"),
    ("i686-unknown-linux-gnu", "max"),
    ("aarch64-unknown-linux-gnu", "cortex-a72"),
    ("aarch64-unknown-linux-gnu", "cortex-a72-no-crypto"),
    ("armv7-unknown-linux-gnueabihf", "cortex-a7"),
    ("armv7-unknown-linux-gnueabihf+thumb", "cortex-a7"),
    ("riscv64gc-unknown-linux-gnu", "rv64"),
    ("s390x-unknown-linux-gnu", "max"),
    ("wasm32-wasip1", "node"),
    ("wasm32-wasip1+simd128", "node"),
];

/// The operations of the page of counts, and their lengths.
const COUNTED_OPERATIONS: [&str; 14] = [
    "=AES-128 encrypt setup",
    "=AES-128 encrypt",
    "=AES-128-CTR encrypt",
    "=AES-128-CBC decrypt",
    "=AES-128-CBC-SHA1 seal",
    "=AES-128-CBC-SHA1 open",
    "=ChaCha20 encrypt",
    "=Poly1305",
    "=ChaCha20-Poly1305 seal",
    "=Keccak-f1600",
    "=SHA3-256",
    "=ML-KEM-768 keygen",
    "=ML-KEM-768 encaps",
    "=ML-KEM-768 decaps",
];
const COUNTED_SIZES: &str = "16,64,256,1350,16384";

pub(super) fn run(workspace: &Workspace, pages: &[Page]) -> Result<bool> {
    let report = Report::new(workspace)?;
    let mut steps = Steps::default();
    for page in pages {
        let name = match page {
            Page::Host => "host",
            Page::Counts => "counts",
            Page::Mca => "mca",
        };
        let step = format!("docs/speed/{name}.md");
        let advice = format!("repeat it alone with `cargo xtask speed --report {name}`");
        steps.step(&step, &advice, || {
            match page {
                Page::Host => report.host(),
                Page::Counts => report.counts(),
                Page::Mca => report.mca(),
            }?;
            Ok(Outcome::Done)
        });
    }
    Ok(steps.finish())
}

struct Report<'a> {
    workspace: &'a Workspace,
    /// What is measured, before it becomes a page.
    data: PathBuf,
    docs: PathBuf,
}

impl<'a> Report<'a> {
    fn new(workspace: &'a Workspace) -> Result<Self> {
        let report = Self {
            workspace,
            data: workspace.target_dir().join("speed-report"),
            docs: workspace.root().join("docs/speed"),
        };
        for folder in [&report.data, &report.docs] {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Ok(report)
    }

    fn host(&self) -> Result<()> {
        let json = self.data.join("host.json");
        let without_aes = self.data.join("host-without-aes.json");
        for file in [&json, &without_aes] {
            if file.exists() {
                fs::remove_file(file)
                    .with_context(|| format!("cannot remove {}", file.display()))?;
            }
        }
        // Writes the second file too where the CPU has AES instructions.
        self.measure(&["--vs", "all", "--time", TIME, "--json"], &json, &[])?;
        let without_aes = without_aes.exists().then(|| Measured::read(&without_aes));
        let chart = self.docs.join("host.svg");
        let args = ["--backend", "auto", "--vs", "all", "--plot"];
        self.measure(&args, &chart, &CHARTED)?;
        let page = pages::host(&Measured::read(&json)?, without_aes.transpose()?.as_ref());
        self.write("host.md", &page)
    }

    /// Runs the tool on this machine; `file` is the last option's.
    fn measure(&self, args: &[&str], file: &Path, filters: &[&str]) -> Result<()> {
        let mut all: Vec<OsString> = args.iter().map(Into::into).collect();
        all.push(file.into());
        all.extend(filters.iter().map(Into::into));
        command(self.workspace, &all)?.run()
    }

    fn counts(&self) -> Result<()> {
        let mut environment = Environment::open(self.workspace)?;
        let mut found = Vec::new();
        for (target, cpu) in COUNTED {
            let json = self.data.join(format!("counts-{target}-{cpu}.json"));
            let mut args: Vec<OsString> = ["--vs", "rustcrypto", "--sizes", COUNTED_SIZES]
                .iter()
                .chain(&["--time", TIME])
                .map(Into::into)
                .collect();
            args.extend(["--json".into(), json.clone().into()]);
            args.extend(COUNTED_OPERATIONS.iter().map(Into::into));
            let (chosen, model) = counts::choose(target, Some(cpu))?;
            let build = Build::read(self.workspace, &args)?;
            counts::run(&mut environment, &build, chosen, &model, &args)
                .with_context(|| format!("cannot measure {target} on {cpu}"))?;
            found.push((target, cpu, Measured::read(&json)?));
        }
        let emulator = environment.plugins().map_err(super::cannot)?.version();
        let page = pages::counts(&found, &emulator, &this_cpu());
        self.write("counts.md", &page)
    }

    fn mca(&self) -> Result<()> {
        let mut environment = Environment::open(self.workspace)?;
        let selection = ["--vs", "rustcrypto"].map(str::to_owned);
        let args = selection.each_ref().map(OsString::from);
        let build = Build::read(self.workspace, &args)?;
        let mut lab = Lab::new(&mut environment)?;
        let reports = mca::MODELS
            .iter()
            .map(|model| {
                let report = lab.estimate(model, &build, &mca::KERNELS, &selection);
                report
                    .and_then(|report| report.check().map(|()| report))
                    .with_context(|| format!("cannot estimate for {}", model.name))
            })
            .collect::<Result<Vec<_>>>()?;
        let compiler = Cmd::new("rustc").arg("--version").output()?;
        self.write("mca.md", &pages::mca(&reports, compiler.trim()))
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.docs.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("wrote {}", path.display());
        Ok(())
    }
}

/// The name of this machine's CPU.
fn this_cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    cpu_in(&text).unwrap_or("unknown").to_owned()
}

fn cpu_in(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo
        .lines()
        .find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_there() {
        for (target, cpu) in COUNTED {
            assert!(counts::choose(target, Some(cpu)).is_ok(), "{target} {cpu}");
        }
    }

    #[test]
    fn the_cpu_has_a_name() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_in(text), Some("AMD EPYC"));
        assert_eq!(cpu_in(""), None);
    }
}
