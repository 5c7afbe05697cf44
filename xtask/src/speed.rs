//! `cargo xtask speed`: builds and runs the speed tool.

mod peers;

use std::ffi::OsString;

use anyhow::Result;

use crate::shell::{Cmd, rustflags_with};
use crate::workspace::Workspace;

/// Build the speed tool and run it, with the features that its `--vs` asks for
///
/// Every argument goes to the tool: `cargo xtask speed --help` shows its own help. The profile is `speed`: optimised, with
/// thin LTO.
///
/// With `--backend soft --vs rustcrypto` RustCrypto's crates are compiled with their portable code alone, in a target
/// directory of its own: portable code against portable code.
///
/// `--vs` names peers to compare with. RustCrypto is always built in; `boring`, `aws-lc-rs`, `openssl`, `ring`,
/// `graviola`, `libcrux` are features of the tool, turned on when `--vs` names them; `--vs all` turns all on.
///
/// Peers in C need more than Rust: `boring` needs cmake, libclang, make, perl and a C++ compiler; `aws-lc-rs` needs cmake,
/// make, perl and a C compiler; `openssl`, which is built from source on Linux, make, perl and a C compiler; `ring` a C
/// compiler. What is missing is installed when this runs as root on Debian or Ubuntu; elsewhere it is named, with the
/// command that would install it.
#[derive(Debug, clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "\
Examples:
  cargo xtask speed --help
  cargo xtask speed --backend soft --vs rustcrypto
  cargo xtask speed --vs ring,boring
  cargo xtask speed --vs all --json speed.json"
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
    command(workspace, &args.args)?.run()?;
    Ok(true)
}

/// RustCrypto's crates that choose between portable and faster code. A flag alone can hold them to the portable one.
const RUSTCRYPTO_SOFT: [&str; 6] = ["aes", "chacha20", "keccak", "poly1305", "sha1", "sha2"];

/// The command that builds and runs the tool. Sees to it that what the peers need is there.
pub(crate) fn command(workspace: &Workspace, args: &[OsString]) -> Result<Cmd> {
    let package = workspace.package("speed")?;
    let names = values(args, "--vs");
    let peers: Vec<_> = peers::named(&names)
        .into_iter()
        // A name that the tool does not have is the tool's to report.
        .filter(|peer| package.features.contains_key(peer.name))
        .collect();
    peers::provide(&peers)?;

    let mut command = Cmd::cargo("run")
        .args(["--package", "speed", "--bin", "speed"])
        .args(["--profile", "speed"]);
    if !peers.is_empty() {
        let features: Vec<_> = peers.iter().map(|peer| peer.name).collect();
        command = command.arg("--features").arg(features.join(","));
    }
    if portable_against_portable(&values(args, "--backend"), &names) {
        let flags = RUSTCRYPTO_SOFT.map(|name| format!("--cfg {name}_backend=\"soft\""));
        command = command
            .arg("--target-dir")
            .arg(workspace.target_dir().join("rustcrypto-soft"))
            .env("RUSTFLAGS", rustflags_with(&flags)?);
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
