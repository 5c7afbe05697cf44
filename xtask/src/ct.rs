//! `cargo xtask ct`: whether anything that an outsider can notice depends on a secret.

mod complaints;
mod divisions;
mod report;
mod sanitizer;
mod source;
mod trace;
mod valgrind;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::cross::targets::{System, TARGETS, Target};
use crate::cross::{self, Environment, Runner, Unready};
use crate::shell::{Cmd, rustflags_with};
use crate::workspace::Workspace;
use complaints::{Complaint, Declassified};
use divisions::Divisions;
use report::{Column, Observed};
use source::Symbols;

/// The only target that the instruments themselves run on.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// Check that branches and addresses do not depend on secrets
///
/// Runs each operation of each crate on each back end that this CPU has, with keys, plaintexts, seeds and states made
/// secret, under instruments that report every branch and every address that depends on one: Valgrind's memcheck;
/// MemorySanitizer; an emulator that compares the addresses which runs with different secrets execute and touch. The
/// program is also disassembled and must have no division in the crates' code. Each instrument proves itself first on
/// planted faults. What is public by design is listed in `ct/src/declassified.rs` and printed.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask ct --quick
  cargo xtask ct --instrument valgrind --crate kyber
  cargo xtask ct --instrument trace --target s390x-unknown-linux-gnu --backend soft32
  CARGO_PROFILE_CT_OPT_LEVEL=z cargo xtask ct    as some build firmware; divisions of lengths are then to be expected")]
pub(crate) struct CtArgs {
    /// Only this instrument (may be given again)
    #[arg(long = "instrument", value_name = "NAME")]
    instruments: Vec<Instrument>,

    /// Only this crate
    #[arg(long = "crate", value_name = "NAME")]
    crate_name: Option<String>,

    /// Only this back end
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,

    /// Only this target of the traces (may be given again)
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,

    /// Valgrind alone, which takes seconds, and no more of the table than leaks
    #[arg(long, conflicts_with = "instruments")]
    quick: bool,
}

impl CtArgs {
    /// What CI runs.
    pub(crate) fn quick() -> Self {
        Self {
            quick: true,
            ..Self::default()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Instrument {
    /// Valgrind's memcheck, on x86_64 Linux
    Valgrind,
    /// MemorySanitizer, on x86_64 Linux: natively, so with every instruction set of this CPU
    Msan,
    /// Comparison of traces in an emulator, for every target that has one
    Trace,
}

pub(crate) fn run(workspace: &Workspace, args: &CtArgs) -> Result<bool> {
    if !cross::is_possible() {
        bail!(
            "the instruments run on x86_64 Linux alone; they watch the code of other targets from there"
        );
    }
    if let Some(name) = &args.crate_name {
        workspace.package(name)?;
    }
    Cmd::cargo("build")
        .args(["--package", "ct", "--profile", "ct"])
        .run()?;
    let program = workspace.target_dir().join("ct/ct");
    let declassified = Cmd::new(text(&program)?).arg("--declassified").output()?;
    let declassified = Declassified::read(&declassified, workspace.root())?;
    let mut environment = Environment::open(workspace)?;
    let check = Check {
        workspace,
        args,
        declassified: &declassified,
    };

    let mut problems = Vec::new();
    let mut columns = Vec::new();
    let divisions = check.divisions(&program, HOST, &mut problems);
    if let Err(error) = divisions {
        problems.push(format!("{error:#}"));
    }
    if check.wants(Instrument::Valgrind) {
        let observed = check.valgrind(&environment, &program);
        columns.push(check.column("valgrind".to_owned(), observed, &mut problems));
    }
    if check.wants(Instrument::Msan) {
        let observed = check.sanitizer(&mut environment);
        columns.push(check.column("msan".to_owned(), observed, &mut problems));
    }
    if check.wants(Instrument::Trace) {
        for target in check.targets()? {
            let observed = check.trace(&mut environment, target, &mut problems);
            columns.push(check.column(column_name(target), observed, &mut problems));
        }
    }
    if columns.iter().all(|column| column.observed.is_err()) {
        problems.push("no instrument could be used".to_owned());
    }

    if !args.quick {
        println!("\n{}", report::table(&columns));
    }
    print!("{}", report::details(&columns, &declassified));
    for column in &columns {
        if let Ok(observed) = &column.observed {
            println!(
                "{}: {} operations, {} of them leak",
                column.name,
                observed.operations.len(),
                observed.leaking()
            );
        }
    }
    for problem in &problems {
        println!("FAILED: {problem}");
    }
    Ok(problems.is_empty())
}

/// The architecture, with what makes another build of it.
fn column_name(target: &Target) -> String {
    let architecture = target.triple.split('-').next().unwrap_or(target.triple);
    let rest = target.name.strip_prefix(target.triple).unwrap_or_default();
    format!("trace {architecture}{rest}")
}

/// What a run of this command has to do.
#[derive(Clone, Copy, Debug)]
struct Check<'a> {
    workspace: &'a Workspace,
    args: &'a CtArgs,
    declassified: &'a Declassified,
}

impl Check<'_> {
    fn wants(&self, instrument: Instrument) -> bool {
        match self.args.instruments.as_slice() {
            [] => !self.args.quick || instrument == Instrument::Valgrind,
            some => some.contains(&instrument),
        }
    }

    /// The part of a path that chosen operations have in it.
    fn wanted(&self) -> String {
        let crate_name = self.args.crate_name.as_deref().unwrap_or_default();
        match &self.args.backend {
            Some(backend) => format!("{crate_name}/{backend}/"),
            None => format!("{crate_name}/"),
        }
    }

    fn log(&self, name: &str) -> PathBuf {
        self.workspace
            .target_dir()
            .join("ct")
            .join(format!("{name}.log"))
    }

    /// Judges what an instrument observed, its proof first.
    fn column(
        &self,
        name: String,
        observed: Result<Result<Observed, Unready>>,
        problems: &mut Vec<String>,
    ) -> Column {
        let observed = observed.unwrap_or_else(|error| Err(Unready::Failed(format!("{error:#}"))));
        let observed = match observed {
            Ok(mut observed) => {
                let proof = observed.prove();
                problems.extend(proof.into_iter().map(|problem| format!("{name} {problem}")));
                if observed.operations.is_empty() {
                    problems.push(format!("{name}: there is no such operation"));
                }
                match observed.leaking() {
                    0 => {}
                    count => problems.push(format!("{name}: {count} operations leak")),
                }
                Ok(observed)
            }
            Err(Unready::Skipped(reason)) => Err(reason),
            Err(Unready::Failed(reason)) => {
                problems.push(format!("{name}: {reason}"));
                Err(reason)
            }
        };
        Column { name, observed }
    }

    /// Looks for divisions in a program that was built for this target.
    fn divisions(&self, program: &Path, triple: &str, problems: &mut Vec<String>) -> Result<()> {
        let root = self.workspace.root();
        let divisions = Divisions::find(program, triple, root, self.declassified)?;
        println!(
            "divisions: in {} lines of the crates' code for {triple} ({} functions disassembled)",
            divisions.found.len(),
            divisions.functions
        );
        for (complaint, count) in &divisions.found {
            problems.push(format!(
                "{count} divisions for {triple}, of which the first is {complaint}"
            ));
        }
        if !divisions.proven {
            problems.push(format!("the planted division is not found for {triple}"));
        }
        Ok(())
    }

    /// Has the program watched by Valgrind.
    fn valgrind(
        &self,
        environment: &Environment,
        program: &Path,
    ) -> Result<Result<Observed, Unready>> {
        if let Err(unready) = environment.install("valgrind", "valgrind") {
            return Ok(Err(unready));
        }
        let wanted = self.wanted();
        let log = self.run_valgrind("valgrind", program, &["planted/", &wanted])?;
        let mut observed = Observed::default();
        for (complaint, count) in &log.totals {
            if let Some(name) = self.declassified.name_of(complaint) {
                *observed.declassified.entry(name.to_owned()).or_default() += count;
            }
        }
        let mut suspects = 0;
        for operation in &log.operations {
            let leaks = self.leaks(&operation.complaints);
            suspects += leaks.len();
            observed.operations.push((operation.path.clone(), leaks));
        }
        // A leak is shown once, in the first operation that has it: the others must be asked one by one.
        let planted = |path: &str| path.starts_with("planted/");
        let leaking =
            |(path, leaks): &(String, Vec<Complaint>)| !planted(path) && !leaks.is_empty();
        if suspects > 0 && observed.operations.iter().any(leaking) {
            let counts = valgrind::counts(&log);
            for (path, leaks) in &mut observed.operations {
                if planted(path) || !leaks.is_empty() || !counts.contains_key(path.as_str()) {
                    continue;
                }
                let alone = self.run_valgrind("valgrind-alone", program, &[&format!("={path}")])?;
                let complaints = alone.operations.iter().flat_map(|o| &o.complaints);
                *leaks = self.leaks(complaints);
            }
        }
        Ok(Ok(observed))
    }

    fn run_valgrind(&self, name: &str, program: &Path, parts: &[&str]) -> Result<valgrind::Log> {
        let path = self.log(name);
        let (status, text) = Cmd::new("valgrind")
            .args(["--error-limit=no", "--leak-check=no", "-s"])
            // Whole paths.
            .arg("--fullpath-after=")
            .arg(program)
            .args(parts)
            .run_into(&path)?;
        let log = valgrind::Log::read(&text);
        if !status.success() || !log.complete {
            bail!(
                "the program did not run to its end under Valgrind ({status}): see {}",
                path.display()
            );
        }
        Ok(log)
    }

    /// Builds the program and its standard library with MemorySanitizer, and runs it.
    fn sanitizer(&self, environment: &mut Environment) -> Result<Result<Observed, Unready>> {
        let build = Cmd::cargo("build").args(["--package", "ct", "--profile", "ct"]);
        let build = match environment.with_library_sources(build) {
            Ok(build) => build,
            Err(unready) => return Ok(Err(unready)),
        };
        let folder = environment.root().join("build/memory-sanitizer");
        let flags = sanitizer::FLAGS.map(str::to_owned);
        build
            .args(["--features", "memory-sanitizer", "--target", HOST])
            .arg("-Zbuild-std=std,panic_unwind")
            .arg("--target-dir")
            .arg(&folder)
            // Stable, but for the sanitizer and what it takes.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", rustflags_with(&flags)?)
            .env("CARGO_INCREMENTAL", "0")
            .run()?;
        let program = folder.join(HOST).join("ct/ct");
        let path = self.log("msan");
        let (status, text) = Cmd::new(text(&program)?)
            .args(["planted/", &self.wanted()])
            .env("MSAN_OPTIONS", sanitizer::OPTIONS)
            .run_into(&path)?;
        let log = sanitizer::Log::read(&text);
        if !status.success() || !log.complete {
            bail!(
                "the program did not run to its end with MemorySanitizer ({status}): see {}",
                path.display()
            );
        }
        let mut observed = Observed {
            notes: vec![sanitizer::LIMITS.to_owned()],
            ..Observed::default()
        };
        let mut unmodelled = BTreeMap::new();
        for (path, complaints) in log.operations(&Symbols::of(&program, HOST))? {
            let mut leaks = Vec::new();
            for (complaint, count) in complaints {
                if let Some(name) = self.declassified.name_of(&complaint) {
                    *observed.declassified.entry(name.to_owned()).or_default() += count;
                } else if let Some(intrinsic) = sanitizer::unmodelled(&complaint) {
                    *unmodelled.entry(intrinsic).or_default() += count;
                } else {
                    leaks.push(complaint);
                }
            }
            observed.operations.push((path, leaks));
        }
        let notes = unmodelled.iter().map(|(name, count): (&String, &usize)| {
            format!(
                "{name} is not modelled ({count} hits): what it makes of a secret counts as public"
            )
        });
        observed.notes.extend(notes);
        Ok(Ok(observed))
    }

    /// The targets whose traces are compared.
    fn targets(&self) -> Result<Vec<&'static Target>> {
        let emulated =
            |target: &&Target| matches!(target.system, System::Host | System::Linux { .. });
        let all = || TARGETS.iter().filter(emulated);
        for name in &self.args.targets {
            if !all().any(|target| target.name == *name) {
                let names: Vec<&str> = all().map(|target| target.name).collect();
                bail!(
                    "no traces of `{name}`; there are those of: {}",
                    names.join(", ")
                );
            }
        }
        let wanted = |target: &&Target| {
            self.args.targets.is_empty()
                || self.args.targets.iter().any(|name| *name == target.name)
        };
        Ok(all().filter(wanted).collect())
    }

    /// Has the program for a target watched by an emulator, and looks for divisions in it.
    fn trace(
        &self,
        environment: &mut Environment,
        target: &'static Target,
        problems: &mut Vec<String>,
    ) -> Result<Result<Observed, Unready>> {
        let ready = environment.prepare(&[target]).swap_remove(0);
        let place = match ready {
            Ok(place) => place,
            Err(unready) => return Ok(Err(unready)),
        };
        let plugins = match environment.plugins() {
            Ok(plugins) => plugins,
            Err(unready) => return Ok(Err(unready)),
        };
        let build = Cmd::cargo("build").args(["--package", "ct", "--profile", "ct"]);
        place.command(build, &Runner::default(), &[])?.run()?;
        let folder = place.build_folder(&[]).join(target.triple);
        let program = folder.join("ct/ct");
        self.divisions(&program, target.triple, problems)?;

        let vartime: Vec<String> = self
            .declassified
            .functions()
            .map(|(_, function)| format!("vartime={function}"))
            .collect();
        let vartime: Vec<&str> = vartime.iter().map(String::as_str).collect();
        let runner = plugins.runner(target, None, "ct-trace", &vartime)?;
        let path = self.log(&format!("trace-{}", target.name));
        let mut run = runner
            .start(&program)
            .args(["--trace", "planted/", &self.wanted()]);
        if target.triple.starts_with(['x', 'i']) {
            // The emulator's default is a CPU without SSSE3. This version of it gets AES rounds on 256 bits wrong
            // (MemorySanitizer sees them natively).
            run = run.env("QEMU_CPU", "max,-vaes");
        }
        let (status, text) = run.run_into(&path)?;
        let log = trace::Log::read(&text);
        if !status.success() || !log.complete {
            bail!(
                "the program did not run to its end in the emulator ({status}): see {}",
                path.display()
            );
        }
        let mut observed = Observed::default();
        let mut left_out = 0;
        for operation in &log.operations {
            left_out += operation.vartime;
            let complaints = operation.complaints(&program, target.triple)?;
            observed
                .operations
                .push((operation.path.clone(), self.leaks(&complaints)));
        }
        // The plugin counts what it leaves out without saying which.
        if left_out > 0 {
            let names: Vec<&str> = self
                .declassified
                .functions()
                .map(|(name, _)| name)
                .collect();
            observed.declassified.insert(names.join(", "), left_out);
        }
        Ok(Ok(observed))
    }

    /// The complaints that are not about something public.
    fn leaks<'c>(&self, complaints: impl IntoIterator<Item = &'c Complaint>) -> Vec<Complaint> {
        let complaints = complaints.into_iter();
        complaints
            .filter(|complaint| self.declassified.name_of(complaint).is_none())
            .cloned()
            .collect()
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is not plain text", path.display()))
}
