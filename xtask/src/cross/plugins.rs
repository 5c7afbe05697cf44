//! Emulators that take plugins, and the plugins: instruction counts and traces.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::debian::Apt;
use super::emulators::{ARCHITECTURES, libraries, qemu_name};
use super::host::{Host, find_program, text};
use super::stage::Stages;
use super::standard_library::fresh;
use super::targets::{TARGETS, Target};
use super::{Runner, Unready};
use crate::shell::Cmd;

/// The suite whose emulators take plugins. The newer ones are static and cannot load any.
const SUITE: &str = "bookworm";

/// Each plugin by name, with its source.
const SOURCES: [(&str, &str); 2] = [
    (
        "insn-count",
        include_str!("../../cross/plugins/insn-count.c"),
    ),
    ("ct-trace", include_str!("../../cross/plugins/ct-trace.c")),
];
const HEADER: &str = include_str!("../../cross/plugins/qemu-plugin.h");

/// Plugins that are ready, with emulators to load them.
#[derive(Debug)]
pub(crate) struct Plugins {
    /// Holds the plugins, and the emulators with a library of theirs where these are not the machine's own.
    folder: PathBuf,
}

/// Fetches the emulators and compiles the plugins. `apt` opens the private root of apt.
pub(super) fn prepare(
    host: &Host,
    stages: &Stages,
    cross: &Path,
    apt: impl FnOnce() -> Result<Apt, Unready>,
) -> Result<Plugins, Unready> {
    let folder = cross.join("plugins");
    let emulators = folder.join("qemu");
    if host.is_debian() && !emulators.exists() {
        let apt = apt()?;
        let fetch = || -> Result<()> {
            let partial = fresh(&emulators)?;
            let programs = ARCHITECTURES.map(|name| format!("./usr/bin/qemu-{name}"));
            let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
            apt.unpack(
                stages,
                &format!("qemu-user/{SUITE}"),
                &programs,
                3,
                &partial,
            )?;
            let library = ["./usr/lib/*/libcapstone*"];
            apt.unpack(
                stages,
                &format!("libcapstone4/{SUITE}"),
                &library,
                4,
                &partial,
            )?;
            Ok(fs::rename(&partial, &emulators)?)
        };
        fetch().map_err(Unready::failed)?;
    }
    let plugins = Plugins { folder };
    stages
        .run(
            "compile the emulators' plugins",
            "is gcc installed, and does qemu-user take plugins (qemu-x86_64 -help | grep plugin)?",
            || {
                plugins.compile(stages)?;
                plugins.check()
            },
        )
        .map_err(Unready::failed)?;
    Ok(plugins)
}

impl Plugins {
    fn library(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.so"))
    }

    /// Compiles those whose source is not the one that was compiled before.
    fn compile(&self, stages: &Stages) -> Result<()> {
        fs::create_dir_all(&self.folder)?;
        fs::write(self.folder.join("qemu-plugin.h"), HEADER)?;
        for (name, source) in SOURCES {
            let file = self.folder.join(format!("{name}.c"));
            let library = self.library(name);
            let same = fs::read_to_string(&file).is_ok_and(|old| old == source);
            if same && library.exists() {
                continue;
            }
            let partial = library.with_extension("partial");
            fs::write(&file, source)?;
            Cmd::new("cc")
                .args(["-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o"])
                .args([&partial, &file])
                .run_logged(&stages.log(name))?;
            fs::rename(&partial, &library)?;
        }
        Ok(())
    }

    /// Counts the instructions of a small program.
    fn check(&self) -> Result<()> {
        let log = self.folder.join("check.log");
        let words = self.runner(&TARGETS[0], "insn-count", &[])?.words;
        let count = Cmd::new(&words[0]).args(&words[1..]).arg("/bin/true");
        let (status, text) = count.run_into(&log)?;
        if status.success() && text.contains("insns total ") {
            return Ok(());
        }
        bail!("the plugin counted nothing ({status}):\n{text}");
    }

    /// How cargo runs a target's programs under a plugin (`insn-count`, `ct-trace`) with these arguments of the plugin.
    pub(crate) fn runner(
        &self,
        target: &Target,
        plugin: &str,
        arguments: &[&str],
    ) -> Result<Runner> {
        let name = qemu_name(target.system);
        let folder = self.folder.join("qemu");
        let own = folder.join(&name);
        let mut words = Vec::new();
        if own.exists() {
            words.push("env".to_owned());
            words.push(format!("LD_LIBRARY_PATH={}", text(&folder)?));
            words.push(text(&own)?.to_owned());
        } else {
            let program = find_program(&name).with_context(|| format!("there is no {name}"))?;
            words.push(text(&program)?.to_owned());
        }
        words.extend(libraries(target.system));
        let library = self.library(plugin);
        let mut argument = text(&library)?.to_owned();
        for more in arguments {
            argument.push(',');
            argument += more;
        }
        words.extend(["-plugin", &argument, "-d", "plugin"].map(str::to_owned));
        Ok(Runner {
            words,
            envs: Vec::new(),
        })
    }
}
