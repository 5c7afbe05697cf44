//! What runs the programs of other targets: qemu, wine, Node.js.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::debian::{Apt, TOOL_SUITE};
use super::host::{Host, find_program, text};
use super::packages::{WINDOWS_LINKER, wine};
use super::stage::Stages;
use super::standard_library::fresh;
use super::targets::{Engine, System, Target};
use super::{Runner, Unready};
use crate::shell::Cmd;

/// Set for tests under an emulator, which takes ten to fifty times as long: the longest sweeps leave cases out.
pub(crate) const SPARSE_VARIABLE: &str = "SPARSE_TESTS";

/// The emulators that are unpacked from Debian's package.
pub(super) const ARCHITECTURES: [&str; 6] =
    ["aarch64", "arm", "i386", "riscv64", "s390x", "x86_64"];

/// The program that emulates a system's architecture.
pub(super) fn qemu_name(system: System) -> String {
    match system {
        System::Linux { qemu, .. } => format!("qemu-{qemu}"),
        _ => "qemu-x86_64".to_owned(),
    }
}

/// The folder of the cache that holds the emulators, where they are not the machine's own.
fn folder(cross: &Path) -> PathBuf {
    cross.join("qemu")
}

/// Makes the emulator of a target ready that its CPU models need.
pub(super) fn prepare(
    host: &Host,
    stages: &Stages,
    cross: &Path,
    target: &Target,
    apt: impl FnOnce() -> Result<Apt, Unready>,
) -> Result<(), Unready> {
    let uses = |wanted: fn(Engine) -> bool| target.cpus.iter().any(|cpu| wanted(cpu.engine));
    if uses(Engine::is_emulator) && host.is_debian() && !folder(cross).exists() {
        let apt = apt()?;
        fetch_qemu(stages, cross, &apt).map_err(Unready::failed)?;
    }
    if uses(|engine| matches!(engine, Engine::QemuWithoutCrypto(_))) {
        let change = || {
            let original = find_qemu(cross, target.system)?;
            remove_crypto(stages, &original, &qemu_without_crypto(cross))
        };
        change().map_err(Unready::failed)?;
    }
    if target.system == System::Windows {
        prepare_wine(stages, cross).map_err(Unready::failed)?;
    }
    Ok(())
}

/// Debian's newer emulators are static and so run on any Linux.
fn fetch_qemu(stages: &Stages, cross: &Path, apt: &Apt) -> Result<()> {
    let folder = folder(cross);
    let partial = fresh(&folder)?;
    let patterns = ARCHITECTURES.map(|name| format!("./usr/bin/qemu-{name}"));
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let package = format!("qemu-user/{TOOL_SUITE}");
    apt.unpack(stages, &package, &patterns, 3, &partial)?;
    Ok(fs::rename(&partial, &folder)?)
}

/// An emulator: the cache's, or the machine's own.
pub(super) fn find_qemu(cross: &Path, system: System) -> Result<PathBuf> {
    let name = qemu_name(system);
    let cached = folder(cross).join(&name);
    if cached.exists() {
        return Ok(cached);
    }
    find_program(&name).with_context(|| format!("there is no {name}"))
}

/// The versions of qemu, Node.js and wine, of those that are there.
pub(super) fn versions(cross: &Path) -> Vec<String> {
    let programs = [
        ("qemu", find_qemu(cross, System::Host).ok()),
        ("Node.js", find_program("node")),
        ("wine", wine()),
    ];
    let version = |(name, program): (&str, Option<PathBuf>)| {
        let output = Cmd::new(text(&program?).ok()?).arg("--version").output();
        Some(format!("{name} {}", version_in(&output.ok()?)?))
    };
    programs.into_iter().filter_map(version).collect()
}

/// The first word with a digit, without what stands around the number: 11.1.2 of `qemu-x86_64 version 11.1.2 (Debian …)`.
pub(super) fn version_in(text: &str) -> Option<&str> {
    let is_version =
        |word: &&str| word.contains('.') && word.contains(|c: char| c.is_ascii_digit());
    let word = text.split_whitespace().find(is_version)?;
    Some(word.trim_matches(|c: char| !c.is_ascii_digit()))
}

/// The emulator of a Raspberry Pi 3 or 4, whose cores lack the instructions for AES, SHA-2 and polynomial
/// multiplication. qemu has no switch for that.
pub(super) fn qemu_without_crypto(cross: &Path) -> PathBuf {
    cross.join("qemu-aarch64-no-crypto")
}

/// `ID_AA64ISAR0_EL1` of these cores as in qemu's table: AES with PMULL, SHA-1, SHA-256, CRC-32; and with CRC-32 alone.
const WITH_CRYPTO: [u8; 4] = 0x0001_1120_u32.to_le_bytes();
const WITHOUT_CRYPTO: [u8; 4] = 0x0001_0000_u32.to_le_bytes();

/// Makes a copy of the emulator in which that register of Cortex-A35, A53, A57 and A72 says that there are no such
/// instructions. They are then neither reported nor executed.
pub(super) fn remove_crypto(stages: &Stages, original: &Path, changed: &Path) -> Result<()> {
    if changed.exists() {
        return Ok(());
    }
    stages.run(
        "make an emulator of ARM cores without AES",
        "this emulator is not laid out as expected: update `remove_crypto` in xtask/src/cross/emulators.rs",
        || {
            let mut bytes = fs::read(original)?;
            let count = replace(&mut bytes, WITH_CRYPTO, WITHOUT_CRYPTO);
            // One store for each core; far more would mean that something else was hit.
            if !(3..=6).contains(&count) {
                bail!("the register's value is {count} times in {}", original.display());
            }
            let partial = changed.with_extension("partial");
            // Keeps the permission to execute it.
            fs::copy(original, &partial)?;
            fs::write(&partial, bytes)?;
            Ok(fs::rename(&partial, changed)?)
        },
    )
}

/// Replaces every occurrence and counts them.
fn replace(bytes: &mut [u8], from: [u8; 4], to: [u8; 4]) -> usize {
    let mut count = 0;
    let mut at = 0;
    while let Some(window) = bytes.get_mut(at..at + 4) {
        if window == from {
            window.copy_from_slice(&to);
            count += 1;
            at += 4;
        } else {
            at += 1;
        }
    }
    count
}

/// The folder that wine takes for its drive and registry.
fn wine_prefix(cross: &Path) -> PathBuf {
    cross.join("wine")
}

/// What every command of wine has in its environment.
fn wine_environment(cross: &Path) -> Result<Vec<(&'static str, String)>> {
    Ok(vec![
        ("WINEPREFIX", text(&wine_prefix(cross))?.to_owned()),
        ("WINEDEBUG", "-all".to_owned()),
        // Otherwise it asks whether to install these two.
        ("WINEDLLOVERRIDES", "mscoree=;mshtml=".to_owned()),
    ])
}

fn prepare_wine(stages: &Stages, cross: &Path) -> Result<()> {
    let prefix = wine_prefix(cross);
    let ready = prefix.join("ready");
    if ready.exists() {
        return Ok(());
    }
    stages.run(
        "set up wine",
        "run the command again; it begins this step anew",
        || {
            if prefix.exists() {
                fs::remove_dir_all(&prefix)?;
            }
            let wine = wine().context("there is no wine")?;
            let mut boot = Cmd::new(text(&wine)?).args(["wineboot", "--init"]);
            for (name, value) in wine_environment(cross)? {
                boot = boot.env(name, value);
            }
            // Its status says nothing: missing parts that no test needs make it fail.
            boot.run_into(&stages.log("wineboot"))?;
            let system = prefix.join("drive_c/windows/system32");
            if !system.exists() {
                bail!("wine made no {}", system.display());
            }
            let library = system.join("bcryptprimitives.dll");
            if !library.exists() {
                let source = cross.join("bcryptprimitives.c");
                fs::write(&source, include_str!("../../cross/bcryptprimitives.c"))?;
                Cmd::new(WINDOWS_LINKER)
                    .args(["-O2", "-shared", "-o"])
                    .args([&library, &source])
                    .arg("-ladvapi32")
                    .run_logged(&stages.log("bcryptprimitives"))?;
            }
            Ok(fs::write(&ready, "")?)
        },
    )
}

/// How cargo runs programs of a target.
pub(super) fn runner(cross: &Path, target: &Target, engine: Engine) -> Result<Runner, Unready> {
    if engine == Engine::Native
        && let System::Linux { gnu, .. } = target.system
    {
        return foreign_on_this_cpu(gnu);
    }
    emulated(cross, target, engine).map_err(Unready::failed)
}

/// Programs of another architecture that this CPU runs too. Their C library is not where they look for it.
fn foreign_on_this_cpu(gnu: &str) -> Result<Runner, Unready> {
    let libraries = format!("/usr/{gnu}/lib");
    let loader = format!("{libraries}/ld-linux.so.2");
    if !Cmd::new(&loader).arg("--version").succeeds() {
        return Err(Unready::Skipped(
            "this kernel runs no programs of 32 bits".to_owned(),
        ));
    }
    Ok(Runner {
        words: vec![loader, "--library-path".to_owned(), libraries],
        envs: Vec::new(),
    })
}

fn emulated(cross: &Path, target: &Target, engine: Engine) -> Result<Runner> {
    let qemu = |program: &Path, model: &str| -> Result<Vec<String>> {
        let mut words = vec![text(program)?.to_owned(), "-cpu".into(), model.into()];
        words.extend(libraries(target.system));
        Ok(words)
    };
    let mut envs = Vec::new();
    if engine.is_emulator() {
        envs.push((SPARSE_VARIABLE, "1".to_owned()));
    }
    let words = match engine {
        Engine::Native => Vec::new(),
        Engine::Qemu(model) => qemu(&find_qemu(cross, target.system)?, model)?,
        Engine::QemuWithoutCrypto(model) => qemu(&qemu_without_crypto(cross), model)?,
        Engine::Node => {
            let script = cross.join("wasi.mjs");
            fs::write(&script, include_str!("../../cross/wasi.mjs"))?;
            let words = ["node", "--no-warnings", text(&script)?];
            words.map(str::to_owned).to_vec()
        }
        Engine::Wine => {
            envs = wine_environment(cross)?;
            let wine = wine().context("there is no wine")?;
            vec![text(&wine)?.to_owned()]
        }
    };
    Ok(Runner { words, envs })
}

/// The arguments that tell qemu where the C library of a system is. The variable keeps the loader from a library of the
/// same architecture that the machine itself may have: two versions do not work together.
pub(super) fn libraries(system: System) -> Vec<String> {
    let System::Linux { gnu, .. } = system else {
        return Vec::new();
    };
    let root = format!("/usr/{gnu}");
    let path = format!("LD_LIBRARY_PATH={root}/lib");
    ["-L", &root, "-E", &path].map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found() {
        let qemu = "qemu-x86_64 version 11.1.2 (Debian 1:11.1.2+ds-3)\nCopyright (c) 2003\n";
        assert_eq!(version_in(qemu), Some("11.1.2"));
        assert_eq!(version_in("v20.20.2\n"), Some("20.20.2"));
        assert_eq!(version_in("wine-8.0 (Debian 8.0~repack-4)\n"), Some("8.0"));
        assert_eq!(version_in("none"), None);
    }

    #[test]
    fn every_occurrence_is_replaced() {
        let mut bytes = vec![1, 2, 3, 4, 9, 1, 2, 3, 4, 1, 2, 3];
        assert_eq!(replace(&mut bytes, [1, 2, 3, 4], [5, 6, 7, 8]), 2);
        assert_eq!(bytes, [5, 6, 7, 8, 9, 5, 6, 7, 8, 1, 2, 3]);
    }
}
