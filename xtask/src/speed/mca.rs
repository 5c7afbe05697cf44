//! `cargo xtask speed --mca CPU`: how many cycles the hot loops would take on a CPU, estimated by llvm-mca.
//!
//! The speed tool runs each kernel's operation on every implementation while the addresses of the instructions that run
//! are recorded: by the emulator's plugin, or by single-stepping. The hot loop is found in the trace, so that neither the
//! sources nor a list of symbols know about it: a new back end or a new version of a peer is there by itself.

mod assembly;
mod hot_loop;
mod llvm;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod step;
mod trace;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use serde::{Deserialize, Serialize};
use tempfile::TempPath;

use super::options::Options;
use super::{Build, cannot, counts};
use crate::cross::Environment;
use crate::cross::targets::{Engine, Target, named};
use crate::workspace::Workspace;
use assembly::Disassembly;
pub(crate) use llvm::Llvm;
use trace::Window;

/// A CPU that LLVM has a model of.
#[derive(Debug)]
pub(super) struct Model {
    /// What `--mca` calls it.
    pub(super) name: &'static str,
    /// What LLVM calls it.
    llvm: &'static str,
    target: &'static str,
    /// What executes the program to be looked at.
    engine: Engine,
    /// Instructions that llvm-mca's assembler takes although the CPU lacks them: beginnings of their names, and whether
    /// only those on wide registers are meant.
    lacks: &'static [(&'static str, bool)],
}

const fn arm64(name: &'static str) -> Model {
    Model {
        name,
        llvm: name,
        target: "aarch64-unknown-linux-gnu",
        // Both as in a Raspberry Pi: without AES instructions, which RustCrypto would take.
        engine: Engine::QemuWithoutCrypto("cortex-a72"),
        lacks: &[],
    }
}

const fn arm(name: &'static str) -> Model {
    Model {
        name,
        llvm: name,
        target: "armv7-unknown-linux-gnueabihf",
        engine: Engine::Qemu("cortex-a9"),
        lacks: &[],
    }
}

const fn x86(name: &'static str, llvm: &'static str) -> Model {
    Model {
        name,
        llvm,
        target: "x86_64-unknown-linux-gnu",
        engine: Engine::Native,
        lacks: &[],
    }
}

/// Every CPU.
pub(super) const MODELS: [Model; 7] = [
    arm64("cortex-a53"),
    arm64("cortex-a72"),
    arm("cortex-a9"),
    arm("cortex-a15"),
    x86("zen4", "znver4"),
    Model {
        lacks: &[
            ("vaes", true),
            ("vpclmul", true),
            ("vpmadd52", false),
            ("vpermb", false),
            ("vpermi2b", false),
            ("vpermt2b", false),
            ("vpshld", false),
            ("vpshrd", false),
            ("gf2p8", false),
            ("vgf2p8", false),
            ("sha1", false),
            ("sha256", false),
        ],
        ..x86("skylake-x", "skylake-avx512")
    },
    x86("ice-lake", "icelake-server"),
];

/// Each kernel, and the operation in which it is hot. The names of operations are the tool's.
pub(super) const KERNELS: [(&str, &str); 6] = [
    ("chacha20", "ChaCha20 (8192 bytes) encrypt"),
    ("poly1305", "Poly1305 (8192 bytes)"),
    ("keccak", "Keccak-f1600"),
    ("keccak-x4", "Keccak-f1600 x4"),
    ("aes", "AES-128-CTR (8192 bytes) encrypt"),
    ("aes-cbc", "AES-128-CBC (8192 bytes) decrypt"),
];

/// How often the tool runs an operation without a length: enough for the loop around it to be seen where it has none
/// inside.
const RUNS: u64 = 4;

/// The tool's options that mean something here.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask speed --mca CPU", disable_help_flag = true)]
struct ToolOptions {
    #[arg(long = "backend", value_delimiter = ',')]
    backends: Vec<String>,
    #[arg(long = "vs", value_delimiter = ',', default_value = "rustcrypto")]
    peers: Vec<String>,
    #[arg(long)]
    json: Option<PathBuf>,
}

pub(super) fn run(workspace: &Workspace, cpu: &str, options: &Options) -> Result<()> {
    let Some(model) = MODELS
        .iter()
        .find(|model| model.name == cpu || model.llvm == cpu)
    else {
        let all: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        bail!("no CPU `{cpu}`; there are: {}", all.join(", "));
    };
    let words = [OsString::from("xtask")].into_iter();
    let tool = ToolOptions::try_parse_from(words.chain(options.rest.iter().cloned()))?;
    let kernels = kernels(&options.kernels)?;
    let build = Build::read(workspace, &options.rest)?;
    build.for_other_targets()?;

    let mut environment = Environment::open(workspace)?;
    let mut lab = Lab::new(&mut environment)?;
    let selection = ["--backend", "--vs"]
        .into_iter()
        .zip([&tool.backends, &tool.peers])
        .filter(|(_, names)| !names.is_empty())
        .flat_map(|(option, names)| [option.to_owned(), names.join(",")]);
    let report = lab.estimate(model, &build, &kernels, &selection.collect::<Vec<_>>())?;
    print!("{}", report.table());
    if let Some(path) = tool.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    report.check()
}

/// The kernels of these names; all without a name.
fn kernels(names: &[String]) -> Result<Vec<(&'static str, &'static str)>> {
    let all = || KERNELS.map(|(name, _)| name);
    if let Some(name) = names.iter().find(|name| !all().contains(&name.as_str())) {
        bail!("no kernel `{name}`; there are: {}", all().join(", "));
    }
    let wanted =
        |(kernel, _): &(&str, _)| names.is_empty() || names.iter().any(|name| name == kernel);
    Ok(KERNELS.into_iter().filter(wanted).collect())
}

/// What is found for one CPU.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Report {
    pub(super) cpu: String,
    pub(super) target: String,
    pub(super) llvm: String,
    /// `name version` of every crate that was looked at.
    pub(super) versions: Vec<String>,
    pub(super) loops: Vec<Loop>,
}

/// A hot loop.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Loop {
    pub(super) kernel: String,
    pub(super) operation: String,
    pub(super) bytes: Option<u64>,
    pub(super) implementation: String,
    pub(super) backend: Option<String>,
    /// The function that most of the loop is in.
    pub(super) function: String,
    /// Instructions of one iteration.
    pub(super) instructions: usize,
    /// The part of the operation's instructions that are iterations of the loop.
    pub(super) share: f64,
    /// The estimate, or why there is none.
    pub(super) estimate: Result<Cycles, String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Cycles {
    /// Of one iteration.
    pub(super) iteration: f64,
    /// Of one iteration if no instruction waited for a result.
    pub(super) without_waiting: f64,
    pub(super) instructions_per_cycle: f64,
    /// Instructions of an iteration that were left out: the model lacks them, or they are in a library's function.
    pub(super) left_out: usize,
    /// Of one operation, all of whose instructions, those of libraries too, are taken to be as fast as those of the loop
    /// that were not left out.
    pub(super) operation: f64,
}

impl Cycles {
    /// What a reader must know of the estimate.
    pub(super) fn note(&self) -> String {
        match self.left_out {
            0 => String::new(),
            count => format!(" ({count} instructions left out)"),
        }
    }
}

impl Loop {
    pub(super) fn is_ours(&self) -> bool {
        self.implementation == "ours"
    }

    /// The implementation with its back end.
    pub(super) fn who(&self) -> String {
        match &self.backend {
            Some(backend) => format!("{} {backend}", self.implementation),
            None => self.implementation.clone(),
        }
    }

    /// The estimate for one byte, or for one operation where that has no length.
    pub(super) fn figure(&self) -> Option<f64> {
        let cycles = self.estimate.as_ref().ok()?.operation;
        Some(cycles / self.bytes.map_or(1.0, |bytes| bytes as f64))
    }
}

impl Report {
    /// The peers' figures divided by ours on each back end, in words.
    pub(super) fn ratios(&self, peer: &Loop) -> String {
        if peer.is_ours() {
            return String::new();
        }
        let ratio = |ours: &&Loop| ours.is_ours() && ours.operation == peer.operation;
        let ratios = self.loops.iter().filter(ratio).filter_map(|ours| {
            let backend = ours.backend.as_deref().unwrap_or_default();
            Some(format!("x{:.2} {backend}", peer.figure()? / ours.figure()?))
        });
        ratios.collect::<Vec<_>>().join(", ")
    }

    /// An error if there is not a single estimate.
    pub(super) fn check(&self) -> Result<()> {
        if self.loops.iter().any(|one| one.estimate.is_ok()) {
            return Ok(());
        }
        let first = self.loops.first();
        let reason = first.and_then(|one| one.estimate.as_ref().err());
        bail!(
            "no loop was estimated for {}: {}",
            self.cpu,
            reason.map_or("nothing was recorded", String::as_str)
        )
    }

    fn table(&self) -> String {
        let mut text = format!(
            "{} by {}: hot loops of {}\n\n\
             kernel     who                 loop  share   cycles   IPC  without waiting  an operation\n",
            self.cpu, self.llvm, self.target
        );
        for one in &self.loops {
            let head = format!(
                "{:10} {:18} {:5} {:5.0}%",
                one.kernel,
                one.who(),
                one.instructions,
                one.share * 100.0
            );
            text += &match &one.estimate {
                Err(reason) => format!("{head}  {reason}\n"),
                Ok(cycles) => {
                    let unit = one.bytes.map_or("cycles", |_| "cycles a byte");
                    format!(
                        "{head} {:8.1} {:5.2} {:16.1}  {:.2} {unit} {}{}\n",
                        cycles.iteration,
                        cycles.instructions_per_cycle,
                        cycles.without_waiting,
                        one.figure().unwrap_or_default(),
                        self.ratios(one),
                        cycles.note()
                    )
                }
            };
        }
        text
    }
}

/// What estimates take.
#[derive(Debug)]
pub(super) struct Lab<'a> {
    environment: &'a mut Environment,
    llvm: Llvm,
    folder: PathBuf,
    /// The last program that was looked at: several models are of the same target.
    recording: Option<Recording>,
}

/// A program and what it executed.
#[derive(Debug)]
struct Recording {
    target: &'static Target,
    engine: Engine,
    disassembly: Disassembly,
    windows: Vec<Window>,
}

impl<'a> Lab<'a> {
    pub(super) fn new(environment: &'a mut Environment) -> Result<Self> {
        let llvm = Llvm::provide(environment).map_err(cannot)?;
        let folder = counts::folder(environment)?;
        Ok(Self {
            environment,
            llvm,
            folder,
            recording: None,
        })
    }

    /// Estimates these kernels of the implementations that the tool's arguments select. The same program and arguments
    /// every time.
    pub(super) fn estimate(
        &mut self,
        model: &Model,
        build: &Build,
        kernels: &[(&str, &str)],
        selection: &[String],
    ) -> Result<Report> {
        let target = named(&[model.target.to_owned()])?[0];
        let recording = match self.recording.take() {
            Some(last) if (last.target.name, last.engine) == (target.name, model.engine) => last,
            _ => {
                let mut args = vec!["--windows".to_owned(), RUNS.to_string()];
                args.extend_from_slice(selection);
                args.extend(kernels.iter().map(|(_, operation)| format!("={operation}")));
                self.record(model, target, build, &args)?
            }
        };
        let loops = recording.windows.iter().filter_map(|window| {
            let mut kernels = kernels.iter();
            let (kernel, _) = kernels.find(|(_, name)| *name == window.case.operation)?;
            Some(self.look_at(model, kernel, window, &recording))
        });
        let report = Report {
            cpu: model.name.to_owned(),
            target: target.name.to_owned(),
            llvm: self.llvm.name(),
            versions: recording
                .windows
                .first()
                .map_or_else(Vec::new, |window| window.case.versions.clone()),
            loops: loops.collect(),
        };
        self.recording = Some(recording);
        Ok(report)
    }

    /// Builds the program, runs it and records what it executes.
    fn record(
        &mut self,
        model: &Model,
        target: &'static Target,
        build: &Build,
        args: &[String],
    ) -> Result<Recording> {
        let flags = vec![counts::REPEATED_RANDOMNESS.to_owned()];
        let (_, program) = counts::built(self.environment, build, target, flags)?;
        let text = self.llvm.disassemble(&program, target.triple)?;
        let disassembly = Disassembly::read(&text);
        let mark = disassembly
            .address_of("speed_mark")
            .context("the speed tool has no function `speed_mark`")?;
        let (output, recorded) = if model.engine == Engine::Native {
            let file = self.folder.join("windows.jsonl");
            let mut args = args.to_vec();
            args.push("--stop".to_owned());
            let recorded = single_step(&program, &args, &file)?;
            let output = fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            (output, recorded)
        } else {
            self.emulate(model, target, &program, args)?
        };
        Ok(Recording {
            target,
            engine: model.engine,
            disassembly,
            windows: trace::windows(&output, recorded, mark)?,
        })
    }

    /// The program's output, and what the emulator's plugin recorded.
    fn emulate(
        &mut self,
        model: &Model,
        target: &Target,
        program: &Path,
        args: &[String],
    ) -> Result<(String, Vec<Vec<u64>>)> {
        let plugins = self.environment.plugins().map_err(cannot)?;
        let file = self.folder.join("trace");
        let arguments = [
            format!("count={}", self.folder.join("count").display()),
            format!("trace={}", file.display()),
        ];
        let arguments = arguments.each_ref().map(String::as_str);
        let runner = plugins.runner(target, Some(model.engine), "speed", &arguments)?;
        // It may be large, and goes whatever happens.
        let file = TempPath::try_from_path(file)?;
        let output = runner.start(program).args(args).output()?;
        let recorded = trace::read(&file)?;
        Ok((output, recorded))
    }

    fn look_at(&self, model: &Model, kernel: &str, window: &Window, recording: &Recording) -> Loop {
        let Recording {
            target,
            disassembly,
            ..
        } = recording;
        let case = &window.case;
        let found = hot_loop::find(&window.addresses);
        let (body, share) = found.map_or((Vec::new(), 0.0), |found| (found.body, found.share));
        let source = disassembly.source(&body);
        let name = format!("{}-{kernel}-{}", model.name, case.implementation);
        let name = match &case.backend {
            Some(backend) => format!("{name}-{backend}"),
            None => name,
        };
        let estimate = if source.is_empty() {
            Err("no loop was found".to_owned())
        } else if let Some(instruction) = source.iter().find(|line| model.lacks(line)) {
            let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
            Err(format!("the CPU has no {mnemonic}"))
        } else {
            let cpu = (target.triple, model.llvm);
            self.llvm
                .analyse(cpu, &source, &self.folder, &name)
                .map_err(|error| format!("{error:#}"))
        };
        let operation = window.addresses.len() as f64 / case.runs as f64;
        // Those of libraries, such as the C library's memcpy.
        let outside = body.len() - source.len();
        Loop {
            kernel: kernel.to_owned(),
            operation: case.operation.clone(),
            bytes: case.bytes,
            implementation: case.implementation.clone(),
            backend: case.backend.clone(),
            function: disassembly
                .function_of(&body)
                .unwrap_or_default()
                .to_owned(),
            instructions: body.len(),
            share,
            estimate: estimate.map(|estimate| Cycles {
                iteration: estimate.cycles,
                without_waiting: estimate.without_waiting,
                instructions_per_cycle: estimate.instructions_per_cycle,
                left_out: estimate.left_out + outside,
                operation: estimate.cycles * operation / source.len() as f64,
            }),
        }
    }
}

impl Model {
    /// Whether the CPU lacks this instruction.
    fn lacks(&self, instruction: &str) -> bool {
        let wide = instruction.contains("%ymm") || instruction.contains("%zmm");
        self.lacks
            .iter()
            .any(|&(name, only_wide)| instruction.starts_with(name) && (wide || !only_wide))
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use step::windows as single_step;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn single_step(_: &Path, _: &[String], _: &Path) -> Result<Vec<Vec<u64>>> {
    bail!("this needs x86_64 Linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_go_by_their_names() {
        assert_eq!(kernels(&[]).unwrap().len(), KERNELS.len());
        assert_eq!(
            kernels(&["keccak".to_owned()]).unwrap(),
            [("keccak", "Keccak-f1600")]
        );
        assert!(kernels(&["keccac".to_owned()]).is_err());
    }

    #[test]
    fn every_model_has_a_target() {
        for model in &MODELS {
            assert!(named(&[model.target.to_owned()]).is_ok(), "{}", model.name);
        }
    }

    #[test]
    fn what_a_cpu_lacks_is_seen() {
        let skylake = &MODELS[5];
        assert_eq!(skylake.name, "skylake-x");
        assert!(skylake.lacks("vaesenc\t%zmm0, %zmm1, %zmm2"));
        assert!(!skylake.lacks("vaesenc\t%xmm0, %xmm1, %xmm2"));
        assert!(skylake.lacks("vpmadd52luq\t%ymm0, %ymm1, %ymm2"));
        assert!(!skylake.lacks("vpaddd\t%zmm0, %zmm1, %zmm2"));
    }

    #[test]
    fn peers_are_divided_by_ours() {
        let one = |implementation: &str, backend: Option<&str>, operation| Loop {
            kernel: "poly1305".to_owned(),
            operation: "Poly1305 (100 bytes)".to_owned(),
            bytes: Some(100),
            implementation: implementation.to_owned(),
            backend: backend.map(str::to_owned),
            function: String::new(),
            instructions: 10,
            share: 0.9,
            estimate: Ok(Cycles {
                iteration: 5.0,
                without_waiting: 4.0,
                instructions_per_cycle: 2.0,
                left_out: 0,
                operation,
            }),
        };
        let report = Report {
            cpu: "zen4".to_owned(),
            target: "T".to_owned(),
            llvm: "LLVM 19".to_owned(),
            versions: Vec::new(),
            loops: vec![
                one("ours", Some("soft"), 100.0),
                one("ours", Some("avx2"), 50.0),
                one("rustcrypto", None, 75.0),
            ],
        };
        assert_eq!(report.loops[2].figure(), Some(0.75));
        assert_eq!(report.ratios(&report.loops[2]), "x0.75 soft, x1.50 avx2");
        assert_eq!(report.ratios(&report.loops[0]), "");
        assert!(
            report
                .table()
                .contains("0.75 cycles a byte x0.75 soft, x1.50 avx2\n")
        );
        assert!(report.check().is_ok());
    }

    #[test]
    fn a_report_without_an_estimate_is_an_error() {
        let mut report = Report {
            cpu: "zen4".to_owned(),
            target: "T".to_owned(),
            llvm: "LLVM 19".to_owned(),
            versions: Vec::new(),
            loops: Vec::new(),
        };
        assert!(report.check().is_err());
        report.loops.push(Loop {
            kernel: "aes".to_owned(),
            operation: "AES".to_owned(),
            bytes: None,
            implementation: "ours".to_owned(),
            backend: None,
            function: String::new(),
            instructions: 0,
            share: 0.0,
            estimate: Err("no loop was found".to_owned()),
        });
        let error = report.check().unwrap_err().to_string();
        assert_eq!(error, "no loop was estimated for zen4: no loop was found");
    }
}
