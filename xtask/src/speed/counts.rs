//! `cargo xtask speed --target T`: instructions of the same operations on another CPU, counted by an emulator's plugin.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::{Build, cannot};
use crate::cross::targets::{Cpu, Engine, System, Target, named};
use crate::cross::{Environment, Place, Runner};

/// Gives the program the same randomness in every run: see `speed/src/randomness.rs`.
pub(super) const REPEATED_RANDOMNESS: &str = "--cfg getrandom_backend=\"custom\"";

/// Counts, or times where nothing counts, with these arguments of the tool.
pub(super) fn run(
    environment: &mut Environment,
    build: &Build,
    target: &'static Target,
    cpu: &Cpu,
    args: &[OsString],
) -> Result<()> {
    let (runner, flags, own) = if cpu.engine == Engine::Node {
        eprintln!("note: nothing counts instructions of WebAssembly; these are times");
        (None, Vec::new(), Vec::new())
    } else {
        let file = folder(environment)?.join("count").display().to_string();
        let plugins = environment.plugins().map_err(cannot)?;
        let arguments = [format!("count={file}")];
        let arguments = arguments.each_ref().map(String::as_str);
        let runner = plugins.runner(target, Some(cpu.engine), "speed", &arguments)?;
        let flags = vec![REPEATED_RANDOMNESS.to_owned()];
        (Some(runner), flags, vec!["--counter".to_owned(), file])
    };
    let (place, program) = built(environment, build, target, flags)?;
    let runner = match runner {
        Some(runner) => runner,
        None => place.runner(cpu).map_err(cannot)?,
    };
    let cpu_name = match cpu.engine {
        Engine::Node => "Node.js".to_owned(),
        _ => format!("{} (emulated)", cpu_name(cpu)),
    };
    let command = runner
        .start(&program)
        .args(own)
        .args(["--cpu-name", &cpu_name])
        .args(args);
    command.run()
}

/// Where the instruments' files lie.
pub(super) fn folder(environment: &Environment) -> Result<PathBuf> {
    let folder = environment.root().join("speed");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// The tool, built for a target.
pub(super) fn built(
    environment: &mut Environment,
    build: &Build,
    target: &'static Target,
    mut flags: Vec<String>,
) -> Result<(Place, PathBuf)> {
    environment.fetch_crates()?;
    let place = environment
        .prepare(&[target])
        .swap_remove(0)
        .map_err(cannot)?;
    flags.extend(build.flags.iter().cloned());
    let command = place.command(build.cargo("build"), &Runner::default(), &flags);
    command?.run()?;
    let suffix = if target.system == System::Wasi {
        ".wasm"
    } else {
        ""
    };
    let folder = place.build_folder(&flags).join(target.triple);
    Ok((place, folder.join(format!("speed/speed{suffix}"))))
}

/// What the CPU is called: not the machine's own, for the emulator executes even its own architecture.
pub(super) fn cpu_name(cpu: &Cpu) -> &'static str {
    match cpu.engine {
        Engine::Native => "max",
        _ => cpu.name,
    }
}

/// The target and the CPU model that the names mean; without a CPU, the target's first.
pub(super) fn choose(target: &str, cpu: Option<&str>) -> Result<(&'static Target, Cpu)> {
    let target = named(&[target.to_owned()])?[0];
    match target.system {
        System::Windows | System::Bare => bail!(
            "nothing counts instructions on {}; the same code runs on the Linux target of that architecture",
            target.name
        ),
        System::Host | System::Linux { .. } | System::Wasi => {}
    }
    let wanted =
        |other: &&Cpu| cpu.is_none_or(|name| name == other.name || name == cpu_name(other));
    match target.cpus.iter().find(wanted) {
        Some(cpu) => Ok((target, *cpu)),
        None => {
            let all: Vec<&str> = target.cpus.iter().map(cpu_name).collect();
            bail!(
                "{} has no CPU model `{}`; there are: {}",
                target.name,
                cpu.unwrap_or_default(),
                all.join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_cpus_go_by_their_names() {
        let names = |target, cpu| {
            let (target, cpu) = choose(target, cpu).unwrap();
            (target.name, cpu_name(&cpu))
        };
        let arm = "aarch64-unknown-linux-gnu";
        assert_eq!(names(arm, None), (arm, "cortex-a72"));
        assert_eq!(names(arm, Some("neoverse-n2")), (arm, "neoverse-n2"));
        let x86 = "x86_64-unknown-linux-gnu";
        assert_eq!(names(x86, None), (x86, "max"));
        assert_eq!(names(x86, Some("ssse3")), (x86, "ssse3"));
        let error = choose(arm, Some("vax")).unwrap_err().to_string();
        assert!(
            error.contains("no CPU model `vax`; there are: cortex-a72, "),
            "{error}"
        );
        assert!(choose("x86_64-unknown-none", None).is_err());
        assert!(choose("x86_64-pc-windows-gnu", None).is_err());
    }
}
