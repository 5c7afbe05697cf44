//! The standard library of every target.
//!
//! rustup fetches it where it can. Where it cannot, or other flags are wanted, the library is built, from rustup's sources
//! or from those that Debian packages for each release of Rust. A copy of the toolchain (hard links) takes the finished
//! library in, so that plain stable cargo works with it as with one of rustup's.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::debian::{Apt, TOOL_SUITE};
use super::host::{Host, text};
use super::stage::Stages;
use super::targets::{System, Target};
use super::{Unready, host};
use crate::shell::Cmd;

/// Where a toolchain has the sources of the standard library.
const SOURCES: &str = "lib/rustlib/src/rust/library";

/// Set to `build` where rustup's libraries are not to be used: the way of a machine that cannot reach them.
const SOURCE_VARIABLE: &str = "XTASK_STD";

/// The toolchain copy of one release of Rust, and what is made for it.
#[derive(Debug)]
pub(super) struct Toolchain {
    /// `rust-RELEASE` in the cache.
    folder: PathBuf,
    /// Whether a library that is installed may be used.
    installed: bool,
    /// Whether rustup may be asked for one.
    rustup: bool,
}

/// Which compiler builds for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Compiler {
    /// The one that is installed.
    Installed,
    /// The one in this folder.
    Copy(PathBuf),
}

impl Toolchain {
    pub(super) fn new(cross: &Path, host: &Host) -> Result<Self> {
        let installed = match env::var(SOURCE_VARIABLE).as_deref() {
            Err(_) => true,
            Ok("build") => false,
            Ok(other) => bail!("{SOURCE_VARIABLE} is `{other}`; it may be unset, or `build`"),
        };
        Ok(Self {
            folder: cross.join(format!("rust-{}", host.release)),
            installed,
            rustup: installed && host::find_program("rustup").is_some(),
        })
    }

    /// The copy of the toolchain that takes a target's library in. One of its own where the library is a special one.
    fn copy(&self, target: &Target) -> PathBuf {
        match target.name.strip_prefix(target.triple) {
            Some(variant) if target.own_library => self.folder.join(format!("toolchain{variant}")),
            _ => self.plain_copy(),
        }
    }

    fn plain_copy(&self) -> PathBuf {
        self.folder.join("toolchain")
    }

    /// Finds, fetches or builds the library of a target. `apt` opens the private root of apt.
    pub(super) fn library(
        &mut self,
        host: &Host,
        stages: &Stages,
        target: &Target,
        mut apt: impl FnMut() -> Result<Apt, Unready>,
    ) -> Result<Compiler, Unready> {
        let triple = target.triple;
        let copy = self.copy(target);
        let may_be_installed = self.installed && !target.own_library;
        let installed = || library_folder(&host.sysroot, triple).exists();
        if triple == host.triple || may_be_installed && installed() {
            return Ok(Compiler::Installed);
        }
        if library_folder(&copy, triple).exists() {
            return Ok(Compiler::Copy(copy));
        }
        if self.rustup && may_be_installed {
            let advice = "the library will be built from source where Debian has the sources";
            let fetch = || {
                Cmd::new("rustup")
                    .args(["target", "add", triple])
                    .run_logged(&stages.log("rustup"))
            };
            let step = format!("fetch the standard library of {triple} with rustup");
            if stages.run(&step, advice, fetch).is_ok() && installed() {
                return Ok(Compiler::Installed);
            }
            // Nor will it fetch another.
            self.rustup = false;
        }
        self.build(host, stages, target, &mut apt)?;
        Ok(Compiler::Copy(copy))
    }

    /// Builds the library of a target and lays it into the copy.
    fn build(
        &self,
        host: &Host,
        stages: &Stages,
        target: &Target,
        apt: &mut impl FnMut() -> Result<Apt, Unready>,
    ) -> Result<(), Unready> {
        let copy = self.copy(target);
        self.copy_toolchain(host, stages, &copy)
            .map_err(Unready::failed)?;
        let sources = self.sources(host, stages, apt)?;
        link_sources(&sources, &copy).map_err(Unready::failed)?;
        // Its C library comes with the toolchain.
        let c_library = match target.system {
            System::Wasi => Some(apt()?),
            _ => None,
        };
        self.build_library(stages, target, c_library.as_ref())
            .map_err(Unready::failed)
    }

    /// A compiler beside which lie the sources of its library, so that cargo can build that with other flags.
    pub(super) fn with_sources(
        &self,
        host: &Host,
        stages: &Stages,
        mut apt: impl FnMut() -> Result<Apt, Unready>,
    ) -> Result<Compiler, Unready> {
        let installed = host.sysroot.join(SOURCES);
        if self.installed && installed.exists() {
            return Ok(Compiler::Installed);
        }
        let copy = self.plain_copy();
        if copy.join(SOURCES).exists() {
            return Ok(Compiler::Copy(copy));
        }
        let sources = self.sources(host, stages, &mut apt)?;
        if sources == installed {
            return Ok(Compiler::Installed);
        }
        self.copy_toolchain(host, stages, &copy)
            .map_err(Unready::failed)?;
        link_sources(&sources, &copy).map_err(Unready::failed)?;
        Ok(Compiler::Copy(copy))
    }

    fn copy_toolchain(&self, host: &Host, stages: &Stages, copy: &Path) -> Result<()> {
        if copy.exists() {
            return Ok(());
        }
        stages.run(
            &format!("copy the toolchain of Rust {}", host.release),
            "run the command again; it begins this step anew",
            || {
                let partial = fresh(copy)?;
                for folder in ["bin", "lib", "libexec"] {
                    let from = host.sysroot.join(folder);
                    if from.exists() {
                        link_tree(&from, &partial.join(folder))?;
                    }
                }
                fs::rename(&partial, copy)?;
                let sysroot = Cmd::new(text(&copy.join("bin/rustc"))?)
                    .unset("LD_LIBRARY_PATH")
                    .args(["--print", "sysroot"])
                    .output()?;
                if Path::new(sysroot.trim()) != copy {
                    fs::remove_dir_all(copy)?;
                    bail!(
                        "the copied rustc looks for its libraries in {}",
                        sysroot.trim()
                    );
                }
                Ok(())
            },
        )
    }

    /// The sources of the library, of exactly this release: rustup's, or Debian's.
    fn sources(
        &self,
        host: &Host,
        stages: &Stages,
        apt: &mut impl FnMut() -> Result<Apt, Unready>,
    ) -> Result<PathBuf, Unready> {
        let installed = host.sysroot.join(SOURCES);
        if self.rustup {
            let fetch = || {
                Cmd::new("rustup")
                    .args(["component", "add", "rust-src"])
                    .run_logged(&stages.log("rustup"))
            };
            let step = "fetch the sources of the standard library with rustup";
            let advice = "Debian's will be taken where it has them";
            if installed.exists() || stages.run(step, advice, fetch).is_ok() && installed.exists() {
                return Ok(installed);
            }
        }
        let sources = self.folder.join("library");
        if sources.exists() {
            return Ok(sources);
        }
        let release = &host.release;
        let apt = apt()?;
        let Some(version) = apt.rust_source(release).map_err(Unready::failed)? else {
            return Err(Unready::Skipped(format!(
                "rustup cannot fetch the standard library or its sources, and no Debian suite has the sources of Rust {release}"
            )));
        };
        let unpack = || -> Result<()> {
            let partial = fresh(&sources)?;
            let package = format!("rust-src={version}");
            let files = ["./usr/src/rustc-*/library"];
            apt.unpack(stages, &package, &files, 5, &partial)?;
            Ok(fs::rename(&partial, &sources)?)
        };
        unpack().map_err(Unready::failed)?;
        Ok(sources)
    }

    fn build_library(
        &self,
        stages: &Stages,
        target: &Target,
        c_library: Option<&Apt>,
    ) -> Result<()> {
        let triple = target.triple;
        let copy = self.copy(target);
        let work = self.folder.join("build");
        let folder = copy.join("lib/rustlib").join(triple);
        let partial = fresh(&folder)?;
        let libraries = partial.join("lib");
        fs::create_dir_all(&libraries)?;
        if let Some(apt) = c_library {
            let into = libraries.join("self-contained");
            let package = format!("wasi-libc/{TOOL_SUITE}");
            apt.unpack(stages, &package, &["./usr/lib/wasm32-wasi/*"], 4, &into)?;
        }
        stages.run(
            &format!("build the standard library of {}", library_name(target)),
            "is the crate registry in reach? Run the command again when it is",
            || {
                write_crate(&work)?;
                let parts = if target.system == System::Bare {
                    "-Zbuild-std=core,alloc"
                } else {
                    "-Zbuild-std=std,panic_unwind,panic_abort,test,proc_macro"
                };
                // Embedded bitcode lets `lto = true` take the library in.
                let mut flags = vec!["-Cembed-bitcode=yes"];
                if target.own_library {
                    flags.extend(target.rustflags);
                }
                let mut build = at_copy(Cmd::cargo("build"), &copy)?
                    .args(["--release", "--target", triple, parts])
                    .arg("--target-dir")
                    .arg(work.join("target"))
                    // Stable, but for the flag that this needs.
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("RUSTFLAGS", flags.join(" "))
                    .env("RUSTC_WRAPPER", text(&work.join("rustc-wrapper.sh"))?)
                    .directory(&work);
                if target.system == System::Bare {
                    build = build.arg("-Zbuild-std-features=compiler-builtins-mem");
                }
                build.run_logged(&stages.log(&format!("std-{triple}")))?;
                let made = work.join("target").join(triple).join("release/deps");
                let mut count = 0;
                for entry in fs::read_dir(&made)? {
                    let file = entry?.path();
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    if file.extension() == Some(OsStr::new("rlib"))
                        && !name.starts_with("libstandard_library")
                    {
                        fs::copy(&file, libraries.join(&*name))?;
                        count += 1;
                    }
                }
                if count == 0 {
                    bail!("no library in {}", made.display());
                }
                fs::rename(&partial, &folder)?;
                // Of no more use; what was built for this machine helps the next target.
                Ok(fs::remove_dir_all(work.join("target").join(triple))?)
            },
        )
    }
}

/// A cargo command that uses the copy. What cargo and rustup set for this program's sake would send it to the original's
/// libraries.
pub(super) fn at_copy(command: Cmd, copy: &Path) -> Result<Cmd> {
    Ok(command
        .program(&copy.join("bin/cargo"))
        .unset("LD_LIBRARY_PATH")
        .env("RUSTC", text(&copy.join("bin/rustc"))?)
        .env("RUSTDOC", text(&copy.join("bin/rustdoc"))?))
}

/// Makes the sources known to the copy, where cargo looks for them.
fn link_sources(sources: &Path, copy: &Path) -> Result<()> {
    let link = copy.join(SOURCES);
    if link.exists() {
        return Ok(());
    }
    fs::create_dir_all(link.parent().context("the link has no folder")?)?;
    Cmd::new("ln").arg("-sfn").arg(sources).arg(&link).run()
}

/// What the steps call the library of a target.
fn library_name(target: &Target) -> &str {
    if target.own_library {
        target.name
    } else {
        target.triple
    }
}

/// Where a toolchain has the library of a target.
fn library_folder(sysroot: &Path, triple: &str) -> PathBuf {
    sysroot.join("lib/rustlib").join(triple).join("lib")
}

/// An empty folder beside the one that it will be renamed to once it is complete. A killed run leaves only this.
pub(super) fn fresh(complete: &Path) -> Result<PathBuf> {
    let partial = complete.with_extension("partial");
    for folder in [complete, &partial] {
        if folder.exists() {
            fs::remove_dir_all(folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
    }
    fs::create_dir_all(&partial).with_context(|| format!("cannot make {}", partial.display()))?;
    Ok(partial)
}

/// Copies a folder, by hard links where both are on one file system.
fn link_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            link_tree(&from, &to)?;
        } else if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).with_context(|| format!("cannot copy to {}", to.display()))?;
        }
    }
    Ok(())
}

/// An empty crate, for whose sake cargo builds the library.
fn write_crate(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "#![no_std]\n")?;
    fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"standard_library\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n[profile.release]\ndebug = 0\n",
    )?;
    let wrapper = folder.join("rustc-wrapper.sh");
    fs::write(&wrapper, include_str!("../../cross/rustc-wrapper.sh"))?;
    Cmd::new("chmod").arg("+x").arg(&wrapper).run()
}
