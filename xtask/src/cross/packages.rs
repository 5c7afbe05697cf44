//! Linkers, C libraries, emulators and runtimes from the machine's own package manager.

use std::path::Path;

use anyhow::Result;

use super::host::{Host, find_program};
use super::stage::Stages;
use super::targets::{System, Target};
use super::{Unready, WINE};
use crate::shell::Cmd;

/// Something that a target needs from the machine.
#[derive(Debug)]
enum Need {
    /// This package, known by the program that it brings.
    Program(&'static str, String),
    /// This package, known by the file that it brings.
    File(String, String),
}

impl Need {
    fn is_there(&self) -> bool {
        match self {
            Self::Program(_, program) => find_program(program).is_some(),
            Self::File(_, file) => Path::new(file).exists(),
        }
    }

    fn package(&self) -> &str {
        match self {
            Self::Program(package, _) => package,
            Self::File(package, _) => package,
        }
    }
}

/// What the target needs that is not there, as packages.
pub(super) fn missing(host: &Host, target: &Target) -> Vec<String> {
    let mut needs = Vec::new();
    match target.system {
        System::Host | System::Bare => {}
        System::Linux { gnu, debian, .. } => {
            let package = format!("gcc-{gnu}");
            needs.push(Need::File(package, format!("/usr/bin/{gnu}-gcc")));
            let package = format!("libc6-dev-{debian}-cross");
            needs.push(Need::File(package, format!("/usr/{gnu}/lib/crt1.o")));
        }
        System::Windows => {
            let linker = WINDOWS_LINKER.to_owned();
            needs.push(Need::Program("gcc-mingw-w64-x86-64-win32", linker));
            if wine().is_none() {
                needs.push(Need::File("wine64".to_owned(), WINE.to_owned()));
            }
        }
        System::Wasi => needs.push(Need::Program("nodejs", "node".to_owned())),
    }
    // The standard library's build links programs of the machine itself, as does any build script.
    needs.push(Need::Program("gcc", "cc".to_owned()));
    let emulated = target.cpus.iter().any(|cpu| cpu.engine.is_emulator());
    // On Debian a newer one is unpacked into the cache.
    if emulated && !host.is_debian() {
        let qemu = super::emulators::qemu_name(target.system);
        needs.push(Need::Program("qemu-user", qemu));
    }
    needs
        .iter()
        .filter(|need| !need.is_there())
        .map(|need| need.package().to_owned())
        .collect()
}

pub(super) const WINDOWS_LINKER: &str = "x86_64-w64-mingw32-gcc-win32";

/// The wine to run, if there is one. Debian's and Ubuntu's package leaves it out of `PATH`.
pub(super) fn wine() -> Option<std::path::PathBuf> {
    let packaged = Path::new(WINE);
    if packaged.exists() {
        return Some(packaged.to_owned());
    }
    find_program("wine64").or_else(|| find_program("wine"))
}

/// Installs packages.
pub(super) fn install(
    host: &Host,
    stages: &Stages,
    packages: &[String],
) -> std::result::Result<(), Unready> {
    let install = |apt: Cmd| {
        apt.args(["install", "--yes", "--no-install-recommends"])
            .args(["-o", "DPkg::Lock::Timeout=600"])
            .args(packages)
    };
    if !host.has_apt() || !host.is_root {
        let how = if host.has_apt() {
            format!("run `sudo {}`", install(Cmd::new("apt-get")))
        } else {
            "install what Debian calls so".to_owned()
        };
        return Err(Unready::Skipped(format!(
            "missing packages: {}; {how}",
            packages.join(" ")
        )));
    }
    let step = format!("install {}", packages.join(" "));
    let apt = || -> Result<()> {
        // Some source of the machine's may be out of reach which has none of these packages.
        let update = Cmd::new("apt-get").arg("update");
        if let Err(error) = update.run_logged(&stages.log("apt-update")) {
            eprintln!("cross: going on although {error:#}");
        }
        install(Cmd::new("apt-get"))
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run_logged(&stages.log("apt-install"))
    };
    stages
        .run(
            &step,
            "is the package mirror in reach, and no other package manager at work? Run the command again then",
            apt,
        )
        .map_err(Unready::failed)
}
