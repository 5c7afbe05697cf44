//! `cargo xtask speed`: builds and runs the speed tool.

mod counts;
mod mca;
mod options;
mod peers;
mod report;

use std::ffi::OsString;

use anyhow::{Result, anyhow, bail};

use crate::cross::{Environment, Unready};
use crate::shell::{Cmd, rustflags_with};
use crate::workspace::Workspace;
pub(crate) use mca::Llvm;
use options::Options;
use peers::Peer;

/// Build the speed tool and run it, with the features that its `--vs` asks for
///
/// Every argument goes to the tool: `cargo xtask speed --help` shows its own help. The profile is `speed`: optimised, with
/// thin LTO.
///
/// With `--backend soft --vs rustcrypto` RustCrypto's crates are compiled with their portable code alone, in a target
/// directory of its own: portable code against portable code.
///
/// `--vs` names peers to compare with. RustCrypto is always built in; `boring`, `aws-lc-rs`, `openssl`, `ring`,
/// `graviola`, `libcrux`, `libsodium`, `sha3-asm`, `tiny-keccak`, `kangarootwelve` are features of the tool, turned on when
/// `--vs` names them; `--vs all` turns all on.
///
/// Peers in C need more than Rust: `boring` needs cmake, libclang, make, perl and a C++ compiler; `aws-lc-rs` needs cmake,
/// make, perl and a C compiler; `openssl`, which is built from source on Linux, make, perl and a C compiler; `libsodium`
/// make and a C compiler; `ring` and `sha3-asm` a C compiler. What is missing is installed when this runs as root on Debian or Ubuntu;
/// elsewhere it is named, with the command that would install it.
///
/// Three options, anywhere among the arguments, are not the tool's. `--target T` counts the instructions of the same
/// operations on another target's CPU model (`--cpu C`) under an emulator; on WebAssembly it times them. `--mca CPU` has
/// llvm-mca estimate the cycles of hot loops (`--kernel K`). `--report`, or `--report host`, `counts`, `mca`, writes the
/// pages in `docs/speed`. What all this needs is set up as for `cargo xtask test --target`.
#[derive(Debug, clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "\
Examples:
  cargo xtask speed --help
  cargo xtask speed --backend soft --vs rustcrypto
  cargo xtask speed --vs ring,boring
  cargo xtask speed --vs all --json speed.json
  cargo xtask speed --target aarch64-unknown-linux-gnu --cpu cortex-a72-no-crypto --vs rustcrypto aes-128
  cargo xtask speed --mca cortex-a53 --kernel chacha20,poly1305
  cargo xtask speed --report counts"
)]
pub(crate) struct SpeedArgs {
    /// Arguments for the speed tool
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    args: Vec<OsString>,
}

pub(crate) fn run(workspace: &Workspace, args: &SpeedArgs) -> Result<bool> {
    let options = Options::read(&args.args)?;
    if let Some(pages) = &options.report {
        return report::run(workspace, pages);
    }
    if let Some(cpu) = &options.mca {
        mca::run(workspace, cpu, &options)?;
    } else if let Some(name) = &options.target {
        let (target, cpu) = counts::choose(name, options.cpu.as_deref())?;
        let build = Build::read(workspace, &options.rest)?;
        build.for_other_targets()?;
        let mut environment = Environment::open(workspace)?;
        counts::run(&mut environment, &build, target, &cpu, &options.rest)?;
    } else {
        command(workspace, &options.rest)?.run()?;
    }
    Ok(true)
}

/// What could not be done, as an error.
fn cannot(unready: Unready) -> anyhow::Error {
    match unready {
        Unready::Skipped(reason) => anyhow!("not on this machine: {reason}"),
        Unready::Failed(reason) => anyhow!(reason),
    }
}

/// RustCrypto's crates that choose between portable and faster code. A flag alone can hold them to the portable one.
const RUSTCRYPTO_SOFT: [&str; 6] = ["aes", "chacha20", "keccak", "poly1305", "sha1", "sha2"];

/// What the tool's arguments say about how it is built.
#[derive(Debug)]
struct Build {
    peers: Vec<&'static Peer>,
    /// For rustc.
    flags: Vec<String>,
}

impl Build {
    fn read(workspace: &Workspace, args: &[OsString]) -> Result<Self> {
        let package = workspace.package("speed")?;
        let names = values(args, "--vs");
        let peers = peers::named(&names)
            .into_iter()
            // A name that the tool does not have is the tool's to report.
            .filter(|peer| package.features.contains_key(peer.name))
            .collect();
        let flags = if portable_against_portable(&values(args, "--backend"), &names) {
            RUSTCRYPTO_SOFT
                .map(|name| format!("--cfg {name}_backend=\"soft\""))
                .to_vec()
        } else {
            Vec::new()
        };
        Ok(Self { peers, flags })
    }

    /// # Errors
    ///
    /// If a peer is written in C, whose build for another target is another matter.
    fn for_other_targets(&self) -> Result<()> {
        match self.peers.iter().find(|peer| !peer.is_rust()) {
            None => Ok(()),
            Some(peer) => bail!(
                "`{}` is not built for other targets; with --target, --vs takes rustcrypto and the peers in Rust: graviola, \
                 kangarootwelve, libcrux and tiny-keccak",
                peer.name
            ),
        }
    }

    /// `cargo run` or `cargo build` of the tool, with the features that the peers need.
    fn cargo(&self, subcommand: &str) -> Cmd {
        let command = Cmd::cargo(subcommand)
            .args(["--package", "speed", "--bin", "speed"])
            .args(["--profile", "speed"]);
        if self.peers.is_empty() {
            return command;
        }
        let features: Vec<_> = self.peers.iter().map(|peer| peer.name).collect();
        command.arg("--features").arg(features.join(","))
    }
}

/// The command that builds and runs the tool on this machine. Sees to it that what the peers need is there.
pub(crate) fn command(workspace: &Workspace, args: &[OsString]) -> Result<Cmd> {
    let build = Build::read(workspace, args)?;
    peers::provide(&build.peers)?;
    let mut command = build.cargo("run");
    if !build.flags.is_empty() {
        command = command
            .arg("--target-dir")
            .arg(workspace.target_dir().join("rustcrypto-soft"))
            .env("RUSTFLAGS", rustflags_with(&build.flags)?);
    }
    Ok(command.arg("--").args(args))
}

/// Whether our side is portable code alone and RustCrypto is asked for.
fn portable_against_portable(backends: &[String], peers: &[String]) -> bool {
    !backends.is_empty()
        && backends.iter().all(|name| name.starts_with("soft"))
        && peers
            .iter()
            .any(|name| name == "rustcrypto" || name == "all")
}

/// The values of an option that takes a list, separated by commas or given again.
fn values(args: &[OsString], option: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut is_value = false;
    for arg in args.iter().map(|arg| arg.to_string_lossy()) {
        if arg == "--" {
            break;
        }
        let list = match arg.strip_prefix(option) {
            Some("") => {
                is_value = true;
                continue;
            }
            Some(rest) => rest.strip_prefix('=').unwrap_or("").to_owned(),
            None if is_value => arg.into_owned(),
            None => continue,
        };
        is_value = false;
        values.extend(list.split(',').map(|name| name.trim().to_owned()));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vs(args: &[&str]) -> Vec<String> {
        let args: Vec<OsString> = args.iter().map(Into::into).collect();
        values(&args, "--vs")
    }

    #[test]
    fn values_are_read_from_every_form_of_the_option() {
        assert!(vs(&["--json", "ring"]).is_empty());
        assert_eq!(vs(&["--vs", "ring", "boring"]), ["ring"]);
        assert_eq!(vs(&["--vs=ring,boring"]), ["ring", "boring"]);
        assert_eq!(
            vs(&["--vs", "rustcrypto,graviola", "--time", "5", "--vs", "ring"]),
            ["rustcrypto", "graviola", "ring"]
        );
    }

    #[test]
    fn other_options_and_what_follows_two_dashes_give_no_value() {
        assert!(vs(&["--vs"]).is_empty());
        assert!(vs(&["--", "--vs", "ring"]).is_empty());
    }

    #[test]
    fn portable_code_of_both() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let check = |backends, peers| portable_against_portable(&names(backends), &names(peers));
        assert!(check(&["soft"], &["rustcrypto"]));
        assert!(check(&["soft", "soft32"], &["ring", "all"]));
        assert!(!check(&[], &["rustcrypto"]));
        assert!(!check(&["soft", "auto"], &["rustcrypto"]));
        assert!(!check(&["soft"], &["ring"]));
    }
}
