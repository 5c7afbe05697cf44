//! Emulators that take plugins, and the plugins: instruction counts and traces.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::debian::Apt;
use super::emulators::{ARCHITECTURES, libraries, qemu_name, remove_crypto, version_in};
use super::host::{Host, find_program, text};
use super::stage::Stages;
use super::standard_library::fresh;
use super::targets::{Engine, System, TARGETS, Target};
use super::{Runner, Unready};
use crate::shell::Cmd;

/// The suite whose emulators take plugins. The newer ones are static and cannot load any.
const SUITE: &str = "bookworm";

/// Each plugin by name, with its source.
const SOURCES: [(&str, &str); 3] = [
    (
        "insn-count",
        include_str!("../../cross/plugins/insn-count.c"),
    ),
    ("ct-trace", include_str!("../../cross/plugins/ct-trace.c")),
    ("speed", include_str!("../../cross/plugins/speed.c")),
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
    let original = emulators.join("qemu-aarch64");
    let original = if original.exists() {
        Some(original)
    } else {
        find_program("qemu-aarch64")
    };
    if let Some(original) = original {
        remove_crypto(stages, &original, &plugins.without_crypto()).map_err(Unready::failed)?;
    }
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

/// The argument of `-cpu`.
fn model(system: System, engine: Engine) -> &'static str {
    match engine {
        // Newer than these emulators, which have its instructions all the same.
        Engine::Qemu("neoverse-n2") => "max",
        Engine::Qemu("max") | Engine::Native if is_x86(system) => {
            // These emulators get vectors of more than one AES block wrong.
            "max,-vaes"
        }
        Engine::Qemu(model) | Engine::QemuWithoutCrypto(model) => model,
        Engine::Native | Engine::Node | Engine::Wine => "max",
    }
}

fn is_x86(system: System) -> bool {
    match system {
        System::Host => true,
        System::Linux { qemu, .. } => qemu == "i386",
        System::Windows | System::Wasi | System::Bare => false,
    }
}

impl Plugins {
    /// The emulator of ARM cores without AES.
    fn without_crypto(&self) -> PathBuf {
        self.folder.join("qemu-aarch64-no-crypto")
    }

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
        let words = self.runner(&TARGETS[0], None, "insn-count", &[])?.words;
        let count = Cmd::new(&words[0]).args(&words[1..]).arg("/bin/true");
        let (status, text) = count.run_into(&log)?;
        if status.success() && text.contains("insns total ") {
            return Ok(());
        }
        bail!("the plugin counted nothing ({status}):\n{text}");
    }

    /// The emulators' name and version.
    pub(crate) fn version(&self) -> String {
        let words = self.runner(&TARGETS[0], None, "insn-count", &[]);
        let output = words.and_then(|runner| {
            // Up to the emulator itself: its arguments would ask for a program.
            let is_emulator = |word: &String| word.ends_with("qemu-x86_64");
            let end = runner.words.iter().position(is_emulator).unwrap_or(0) + 1;
            Cmd::new(&runner.words[0])
                .args(&runner.words[1..end])
                .arg("--version")
                .output()
        });
        let output = output.unwrap_or_default();
        format!(
            "qemu {}",
            version_in(&output).unwrap_or("of unknown version")
        )
    }

    /// How a target's programs are run under a plugin (`insn-count`, `ct-trace`, `speed`) with these arguments of the
    /// plugin; on a CPU model, or on the emulator's default.
    pub(crate) fn runner(
        &self,
        target: &Target,
        engine: Option<Engine>,
        plugin: &str,
        arguments: &[&str],
    ) -> Result<Runner> {
        let name = qemu_name(target.system);
        let folder = self.folder.join("qemu");
        let own = match engine {
            Some(Engine::QemuWithoutCrypto(_)) => self.without_crypto(),
            _ => folder.join(&name),
        };
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
        if let Some(engine) = engine {
            words.extend(["-cpu", model(target.system, engine)].map(str::to_owned));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_those_that_these_emulators_have() {
        for target in TARGETS {
            for cpu in target.cpus.iter().filter(|cpu| cpu.engine.is_emulator()) {
                let model = model(target.system, cpu.engine);
                assert_ne!(model, "neoverse-n2");
                if target.triple.starts_with("x86_64-unknown-linux") {
                    assert_ne!(model, "max");
                }
            }
        }
        assert_eq!(model(TARGETS[0].system, Engine::Native), "max,-vaes");
    }
}
