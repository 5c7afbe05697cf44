//! The cross environment: what building and running for other targets takes, set up by itself.
//!
//! Everything lies in `target/cross`. Each part is made beside its place and renamed when it is complete, so that a
//! killed run leaves nothing half done that the next one would take for whole.

mod debian;
pub(crate) mod dispatch;
mod emulators;
mod host;
mod packages;
mod plugins;
mod stage;
mod standard_library;
pub(crate) mod targets;

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::shell::{Cmd, rustflags_with};
use crate::workspace::Workspace;
use debian::Apt;
pub(crate) use emulators::SPARSE_VARIABLE;
use host::{Distribution, Host};
use plugins::Plugins;
use stage::Stages;
use standard_library::{Compiler, Toolchain, at_copy};
use targets::{Cpu, System, Target};

/// Where Debian's and Ubuntu's package puts wine.
const WINE: &str = "/usr/lib/wine/wine64";

/// Whether this is a machine on which other targets can be tested: x86_64 Linux.
pub(crate) const fn is_possible() -> bool {
    cfg!(all(target_arch = "x86_64", target_os = "linux"))
}

/// Why a target cannot be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unready {
    /// This machine cannot have it; the reason says what would be needed.
    Skipped(String),
    /// It should have worked.
    Failed(String),
}

impl Unready {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "to be the argument of `map_err`"
    )]
    fn failed(error: anyhow::Error) -> Self {
        Self::Failed(format!("{error:#}"))
    }
}

/// The cross environment. While it lives, no other process changes it.
#[derive(Debug)]
pub(crate) struct Environment {
    root: PathBuf,
    host: Host,
    stages: Stages,
    toolchain: Toolchain,
    /// Whether the private root of apt could be opened; tried once.
    apt: Option<Result<(), Unready>>,
    _lock: File,
}

impl Environment {
    pub(crate) fn open(workspace: &Workspace) -> Result<Self> {
        let root = workspace.target_dir().join("cross");
        fs::create_dir_all(&root).with_context(|| format!("cannot make {}", root.display()))?;
        let lock = lock(&root)?;
        let host = Host::look()?;
        Ok(Self {
            stages: Stages::new(&root),
            toolchain: Toolchain::new(&root, &host)?,
            apt: None,
            _lock: lock,
            host,
            root,
        })
    }

    /// The versions of Rust and of the emulators that are there, in words.
    pub(crate) fn versions(&self) -> Vec<String> {
        let mut versions = vec![format!("Rust {}", self.host.release)];
        versions.extend(emulators::versions(&self.root));
        versions
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Makes sure that a program is there which this package has.
    pub(crate) fn install(&self, program: &str, package: &str) -> Result<(), Unready> {
        if host::find_program(program).is_some() {
            return Ok(());
        }
        packages::install(&self.host, &self.stages, &[package.to_owned()])
    }

    /// Downloads the crates that the builds need, so that a registry out of reach fails here and not in every build.
    pub(crate) fn fetch_crates(&self) -> Result<()> {
        self.stages.run(
            "fetch the crates that Cargo.lock names",
            "is the crate registry in reach? Run the command again when it is",
            || Cmd::cargo("fetch").run_logged(&self.stages.log("fetch")),
        )
    }

    /// Sets up all that these targets need. One result for each, in their order.
    pub(crate) fn prepare(&mut self, targets: &[&'static Target]) -> Vec<Result<Place, Unready>> {
        if !is_possible() {
            return targets
                .iter()
                .map(|target| {
                    if target.system == System::Bare {
                        return self.place(target);
                    }
                    Err(Unready::Skipped(
                        "needs an x86_64 Linux machine to run on".to_owned(),
                    ))
                })
                .collect();
        }
        let mut packages: Vec<String> = targets
            .iter()
            .flat_map(|target| packages::missing(&self.host, target))
            .collect();
        packages.sort();
        packages.dedup();
        let installed = if packages.is_empty() {
            Ok(())
        } else {
            packages::install(&self.host, &self.stages, &packages)
        };
        targets
            .iter()
            .map(|target| {
                if let Err(unready) = &installed
                    && !packages::missing(&self.host, target).is_empty()
                {
                    return Err(unready.clone());
                }
                self.place(target)
            })
            .collect()
    }

    /// Makes a cargo command one that can build the standard library too (`-Zbuild-std`).
    pub(crate) fn with_library_sources(&mut self, command: Cmd) -> Result<Cmd, Unready> {
        let Self {
            root,
            host,
            stages,
            toolchain,
            apt,
            ..
        } = self;
        let compiler =
            toolchain.with_sources(host, stages, || open_apt(apt, root, host, stages))?;
        match compiler {
            Compiler::Installed => Ok(command),
            Compiler::Copy(copy) => at_copy(command, &copy).map_err(Unready::failed),
        }
    }

    /// Sets up the emulators' plugins.
    pub(crate) fn plugins(&mut self) -> Result<Plugins, Unready> {
        if !is_possible() {
            return Err(Unready::Skipped("needs x86_64 Linux".to_owned()));
        }
        let Self {
            root,
            host,
            stages,
            apt,
            ..
        } = self;
        plugins::prepare(host, stages, root, || open_apt(apt, root, host, stages))
    }

    /// The library and the emulator of a target whose packages are there.
    fn place(&mut self, target: &'static Target) -> Result<Place, Unready> {
        let Self {
            root,
            host,
            stages,
            toolchain,
            apt,
            ..
        } = self;
        let compiler =
            toolchain.library(host, stages, target, || open_apt(apt, root, host, stages))?;
        if target.system != System::Bare {
            emulators::prepare(host, stages, root, target, || {
                open_apt(apt, root, host, stages)
            })?;
        }
        Ok(Place {
            target,
            compiler,
            root: root.clone(),
        })
    }
}

/// The private root of apt, opened at most once.
fn open_apt(
    opened: &mut Option<Result<(), Unready>>,
    root: &Path,
    host: &Host,
    stages: &Stages,
) -> Result<Apt, Unready> {
    let Distribution::Debian { codename } = &host.distribution else {
        return Err(Unready::Skipped(
            "rustup cannot fetch what it needs, and this machine is not Debian, whose packages would do".to_owned(),
        ));
    };
    if let Some(Err(unready)) = opened {
        return Err(unready.clone());
    }
    let result = Apt::open(stages, root, codename).map_err(Unready::failed);
    *opened = Some(result.as_ref().map(|_| ()).map_err(Clone::clone));
    result
}

/// Waits until no other process works in this folder.
fn lock(root: &Path) -> Result<File> {
    let path = root.join("lock");
    let context = || format!("cannot lock {}", path.display());
    let file = File::create(&path).with_context(context)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            eprintln!(
                "cross: another process works in {}; waiting for it",
                root.display()
            );
            file.lock().with_context(context)?;
        }
        Err(TryLockError::Error(error)) => return Err(error).with_context(context),
    }
    Ok(file)
}

/// A target that is ready: how cargo builds for it and runs its programs.
#[derive(Debug)]
pub(crate) struct Place {
    target: &'static Target,
    compiler: Compiler,
    root: PathBuf,
}

/// How cargo starts a target's programs.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    /// The command before the program's own name; empty where that runs by itself.
    words: Vec<String>,
    envs: Vec<(&'static str, String)>,
}

impl Runner {
    /// The command that runs this program.
    pub(crate) fn start(&self, program: &Path) -> Cmd {
        let mut words = self
            .words
            .iter()
            .map(OsStr::new)
            .chain([program.as_os_str()]);
        let first = words.next().unwrap_or(program.as_os_str());
        let mut command = Cmd::new(&first.to_string_lossy()).args(words);
        for (name, value) in &self.envs {
            command = command.env(name, value);
        }
        command
    }
}

impl Place {
    /// Where cargo puts what it builds with these flags. It does not see which of two standard libraries of the same
    /// version it builds on: what rests on rustup's and on ours lies apart.
    pub(crate) fn build_folder(&self, rustflags: &[String]) -> PathBuf {
        let library = match self.compiler {
            Compiler::Installed => "build",
            Compiler::Copy(_) => "build-own-library",
        };
        self.root
            .join(library)
            .join(folder_name(&self.flags(rustflags)))
    }

    /// The target's own flags, then these.
    fn flags(&self, rustflags: &[String]) -> Vec<String> {
        let own = self.target.rustflags.iter().map(|&flag| flag.to_owned());
        own.chain(rustflags.iter().cloned()).collect()
    }

    /// How the programs are run on a CPU model.
    pub(crate) fn runner(&self, cpu: &Cpu) -> Result<Runner, Unready> {
        emulators::runner(&self.root, self.target, cpu.engine)
    }

    /// Makes a cargo command one for this target, with more flags for rustc. Its builds lie apart from those with other
    /// flags, which would replace them.
    pub(crate) fn command(
        &self,
        command: Cmd,
        runner: &Runner,
        rustflags: &[String],
    ) -> Result<Cmd> {
        let triple = self.target.triple;
        let flags = self.flags(rustflags);
        let mut command = command
            .args(["--target", triple])
            .arg("--target-dir")
            .arg(self.build_folder(rustflags))
            // Nothing is built twice from changed source.
            .env("CARGO_INCREMENTAL", "0")
            // Of the tests, of which a dozen programs are built for every target: a quarter less to do.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_CODEGEN_UNITS", "2");
        if !flags.is_empty() {
            command = command.env("RUSTFLAGS", rustflags_with(&flags)?);
        }
        if let Compiler::Copy(copy) = &self.compiler {
            command = at_copy(command, copy)?;
        }
        let linker = match self.target.system {
            System::Linux { gnu, .. } => Some(format!("{gnu}-gcc")),
            System::Windows => Some(packages::WINDOWS_LINKER.to_owned()),
            System::Host | System::Wasi | System::Bare => None,
        };
        if let Some(linker) = linker {
            command = command
                .arg("--config")
                .arg(format!("target.{triple}.linker={linker:?}"));
        }
        if !runner.words.is_empty() {
            command = command
                .arg("--config")
                .arg(format!("target.{triple}.runner={:?}", runner.words));
        }
        for (name, value) in &runner.envs {
            command = command.env(name, value);
        }
        Ok(command)
    }
}

/// A name for the builds with these flags: their values, each once.
fn folder_name(flags: &[String]) -> String {
    let mut words: Vec<String> = flags
        .iter()
        .filter_map(|flag| flag.rsplit('=').next())
        .map(|value| value.chars().filter(char::is_ascii_alphanumeric).collect())
        .collect();
    words.dedup();
    if words.is_empty() {
        words.push("plain".to_owned());
    }
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_with_other_flags_lie_apart() {
        let name = |flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
            folder_name(&flags)
        };
        assert_eq!(name(&[]), "plain");
        assert_eq!(name(&["-Ctarget-feature=+simd128"]), "simd128");
        let soft = ["--cfg a_backend=\"soft\"", "--cfg b_backend=\"soft\""];
        assert_eq!(name(&soft), "soft");
    }
}
