//! AES once more without AES instructions, for the CPUs that have none.
//!
//! OpenSSL, BoringSSL and AWS-LC ask the CPU once, when they start, and can be told then to leave its AES instructions
//! out. So the program starts itself again, for the operations of AES alone, with those three and our back ends that use
//! no such instructions. SHA instructions stay.

use std::{env, ffi::OsString, path::Path, path::PathBuf, process::Command};

use anyhow::{Context, bail};

use crate::{
    cli::Args,
    ours,
    peers::{self, Peer},
    suite::Contest,
};

const VARIABLE: &str = "OPENSSL_ia32cap";
/// Bit 57 of the first word is AES; bit 41 of the second, VAES.
const MASK: &str = "~0x200000000000000:~0x20000000000";
/// The hidden option of the second run.
const OPTION: &str = "--without-aes";

/// Whether the operation is one of AES.
pub(crate) fn is_aes(contest: &Contest) -> bool {
    contest.operation.algorithm.starts_with("AES")
}

/// Whether a second run has something to say.
pub(crate) fn is_worthwhile(args: &Args, contests: &[Contest]) -> bool {
    let is_masked = |name| {
        [Peer::Boring, Peer::AwsLcRs, Peer::OpenSsl]
            .map(Peer::name)
            .contains(&name)
    };
    cfg!(target_arch = "x86_64")
        && !args.without_aes
        && env::var_os(VARIABLE).is_none()
        && aes_vpaes::Backend::available().any(aes_vpaes::Backend::uses_aes_instructions)
        && !ours::names_without_aes(&args.backends).is_empty()
        && contests.iter().any(|contest| {
            is_aes(contest)
                && contest
                    .cases
                    .iter()
                    .any(|case| is_masked(case.implementation.name))
        })
}

/// Makes the arguments those of the second run.
///
/// # Errors
///
/// A message for the user, if the libraries were not told.
pub(crate) fn narrow(args: &mut Args) -> Result<(), String> {
    if env::var(VARIABLE).as_deref() != Ok(MASK) {
        return Err(format!("{OPTION} takes {VARIABLE}={MASK}"));
    }
    args.backends = ours::names_without_aes(&args.backends);
    args.peers = peers::select(&args.peers)?;
    args.peers
        .retain(|peer| matches!(peer, Peer::Boring | Peer::AwsLcRs | Peer::OpenSsl));
    for file in [&mut args.json, &mut args.plot].into_iter().flatten() {
        *file = beside(file);
    }
    Ok(())
}

/// Starts the program again.
pub(crate) fn run() -> anyhow::Result<()> {
    eprintln!("AES once more, without AES instructions ({VARIABLE}={MASK})");
    let program = env::current_exe().context("where this program lies is not known")?;
    let status = Command::new(program)
        .arg(OPTION)
        .args(env::args_os().skip(1))
        .env(VARIABLE, MASK)
        .status()
        .context("this program cannot be started again")?;
    if !status.success() {
        bail!("the run without AES instructions failed ({status})");
    }
    Ok(())
}

/// The name of the second run's file: `speed-without-aes.json` of `speed.json`.
fn beside(file: &Path) -> PathBuf {
    let mut name: OsString = file.file_stem().unwrap_or_default().to_owned();
    name.push("-without-aes");
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_files_lie_beside_the_first() {
        assert_eq!(
            beside(Path::new("a.b/speed.json")),
            Path::new("a.b/speed-without-aes.json")
        );
        assert_eq!(beside(Path::new("speed")), Path::new("speed-without-aes"));
    }

    #[test]
    fn back_ends_without_aes_instructions_are_found_by_name() {
        let all = ours::names_without_aes(&[]);
        assert!(all.iter().any(|name| name == "soft"), "{all:?}");
        for name in ["aesni", "vaes256", "vaes512", "armv8_ce"] {
            assert!(!all.iter().any(|other| other == name), "{name}");
        }
        assert_eq!(ours::names_without_aes(&["soft32".to_owned()]), ["soft32"]);
    }
}
