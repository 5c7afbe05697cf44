//! Single packages of other Debian suites, unpacked into the cache.
//!
//! A private root of apt (lists, cache, an empty package database) sees those suites. The machine's own package database
//! never learns of them. apt checks signatures with Debian's keyring.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::host::text;
use super::stage::Stages;
use crate::shell::Cmd;

/// Suites that may have the sources of a Rust release, the preferred first.
const SOURCE_SUITES: [&str; 4] = ["bookworm", "trixie-backports", "forky", "sid"];
/// The suite of the emulators and of WASI's C library, which must be newer than bookworm's.
pub(super) const TOOL_SUITE: &str = "forky";

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const OFFLINE: &str = "is the Debian mirror in reach? Run the command again when it is";

/// The private root of apt.
#[derive(Debug)]
pub(super) struct Apt {
    root: PathBuf,
}

impl Apt {
    /// Lays it out and reads the lists of packages, unless that was done within a day.
    pub(super) fn open(stages: &Stages, cross: &Path, codename: &str) -> Result<Self> {
        let root = cross.join("apt");
        let ready = root.join("ready");
        // apt's configuration names its folder: one that was moved is laid out again.
        let place = text(&root)?.to_owned();
        let apt = Self { root };
        if !is_young(&ready) || fs::read_to_string(&ready).ok().as_ref() != Some(&place) {
            stages.run(
                "read the package lists of other Debian suites",
                OFFLINE,
                || {
                    apt.lay_out(codename)?;
                    apt.command("apt-get")
                        // Otherwise it is content with no list at all.
                        .args(["update", "-o", "APT::Update::Error-Mode=any"])
                        .run_logged(&stages.log("apt-lists"))?;
                    Ok(fs::write(&ready, &place)?)
                },
            )?;
        }
        Ok(apt)
    }

    fn lay_out(&self, codename: &str) -> Result<()> {
        let uri = mirror(codename)?;
        if self.root.exists() {
            fs::remove_dir_all(&self.root)?;
        }
        for folder in [
            "etc/sources",
            "etc/preferences",
            "state/lists/partial",
            "cache/archives/partial",
        ] {
            fs::create_dir_all(self.root.join(folder))?;
        }
        fs::write(self.root.join("state/status"), "")?;
        let root = text(&self.root)?;
        // The machine's own settings (proxies, checks) stay in force; only the paths change.
        fs::write(
            self.root.join("apt.conf"),
            format!(
                r#"Dir::State "{root}/state";
Dir::State::status "{root}/state/status";
Dir::Cache "{root}/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "{root}/etc/sources";
Dir::Etc::preferencesparts "{root}/etc/preferences";
APT::Architectures {{ "amd64"; }};
APT::Sandbox::User "root";
Acquire::Languages "none";
"#
            ),
        )?;
        let mut suites = SOURCE_SUITES.to_vec();
        for suite in [TOOL_SUITE, codename] {
            if !suites.contains(&suite) {
                suites.push(suite);
            }
        }
        fs::write(
            self.root.join("etc/sources/suites.sources"),
            format!(
                "Types: deb\nURIs: {uri}\nSuites: {}\nComponents: main\nSigned-By: {KEYRING}\n",
                suites.join(" ")
            ),
        )?;
        Ok(())
    }

    fn command(&self, program: &str) -> Cmd {
        let configuration = self.root.join("apt.conf");
        Cmd::new(program).env("APT_CONFIG", configuration.to_string_lossy())
    }

    /// The version of `rust-src` that holds the sources of this release, if a suite has it.
    pub(super) fn rust_source(&self, release: &str) -> Result<Option<String>> {
        let table = self
            .command("apt-cache")
            .args(["madison", "rust-src"])
            .output()?;
        Ok(source_version(&table, release))
    }

    /// Downloads a package (`NAME`, `NAME=VERSION` or `NAME/SUITE`) and unpacks those of its files that match the
    /// patterns of tar into `folder`, without the first `strip` parts of their paths.
    pub(super) fn unpack(
        &self,
        stages: &Stages,
        package: &str,
        patterns: &[&str],
        strip: usize,
        folder: &Path,
    ) -> Result<()> {
        stages.run(&format!("fetch Debian's {package}"), OFFLINE, || {
            let download = self.root.join("download");
            if download.exists() {
                fs::remove_dir_all(&download)?;
            }
            fs::create_dir_all(&download)?;
            let fetched = self
                .command("apt-get")
                .args(["download", package])
                .directory(&download)
                .run_logged(&stages.log("apt-download"));
            if let Err(error) = fetched {
                // The mirror may have another version by now: the next run reads the lists again.
                fs::remove_file(self.root.join("ready"))?;
                return Err(error);
            }
            let archive = fs::read_dir(&download)?
                .next()
                .context("apt-get downloaded nothing")??
                .path();
            fs::create_dir_all(folder)?;
            let tar = download.join("data.tar");
            Cmd::new("sh")
                .args(["-c", r#"dpkg-deb --fsys-tarfile "$0" >"$1""#])
                .arg(&archive)
                .arg(&tar)
                .run()?;
            Cmd::new("tar")
                .arg("--extract")
                .arg("--file")
                .arg(&tar)
                .arg("--directory")
                .arg(folder)
                .arg(format!("--strip-components={strip}"))
                .arg("--wildcards")
                .args(patterns)
                .run()?;
            Ok(fs::remove_dir_all(&download)?)
        })
    }
}

/// Whether a file is there and no more than a day old.
fn is_young(file: &Path) -> bool {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|time| {
        let age = time.elapsed().unwrap_or(Duration::ZERO);
        age < Duration::from_secs(24 * 60 * 60)
    })
}

/// Where the machine's own packages come from: the source that serves the plain suite.
fn mirror(codename: &str) -> Result<String> {
    let mut texts = Vec::new();
    for folder in ["/etc/apt/sources.list.d"] {
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        texts.extend(
            files
                .iter()
                .filter_map(|file| fs::read_to_string(file).ok()),
        );
    }
    texts.extend(fs::read_to_string("/etc/apt/sources.list"));
    match texts.iter().find_map(|text| mirror_in(text, codename)) {
        Some(uri) => Ok(uri),
        None => bail!("no source in /etc/apt serves {codename}"),
    }
}

/// The same in the text of one file, of either format.
fn mirror_in(sources: &str, codename: &str) -> Option<String> {
    let stanza = |stanza: &str| {
        let field = |name: &str| {
            stanza
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
                .map(|value| value.split_whitespace().collect::<Vec<_>>())
        };
        let uri = *field("URIs")?.first()?;
        field("Suites")?
            .contains(&codename)
            .then_some(uri.to_owned())
    };
    let line = |line: &str| {
        let rest = line.trim().strip_prefix("deb ")?.trim_start();
        let rest = match rest.strip_prefix('[') {
            Some(options) => options.split_once(']')?.1,
            None => rest,
        };
        let mut words = rest.split_whitespace();
        let uri = words.next()?;
        (words.next()? == codename).then_some(uri.to_owned())
    };
    sources
        .split("\n\n")
        .find_map(stanza)
        .or_else(|| sources.lines().find_map(line))
}

/// The first version in the table of `apt-cache madison` that is of this release.
fn source_version(table: &str, release: &str) -> Option<String> {
    table
        .lines()
        .filter_map(|line| line.split('|').nth(1))
        .map(str::trim)
        .find(|version| {
            version
                .strip_prefix(release)
                .is_some_and(|rest| rest.starts_with(['+', '-']))
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_the_one_of_the_plain_suite() {
        let deb822 = "Types: deb\nURIs: http://security/\nSuites: bookworm-security\n\n\
                      Types: deb\n# a comment\nURIs: http://main/ http://other/\nSuites: bookworm bookworm-updates\n";
        assert_eq!(mirror_in(deb822, "bookworm").unwrap(), "http://main/");
        assert_eq!(mirror_in(deb822, "trixie"), None);
        let lines = "# deb http://no bookworm main\n\
                     deb [signed-by=/a b] http://x/ bookworm-security main\n\
                     deb [signed-by=/a] http://main/ bookworm main\n";
        assert_eq!(mirror_in(lines, "bookworm").unwrap(), "http://main/");
    }

    #[test]
    fn the_source_is_of_exactly_the_release() {
        let table = " rust-src | 1.97.1+dfsg1-1 | http://m sid/main\n\
                     \x20rust-src | 1.95.0+dfsg1-2~bpo13+1 | http://m trixie-backports/main\n";
        assert_eq!(
            source_version(table, "1.95.0").unwrap(),
            "1.95.0+dfsg1-2~bpo13+1"
        );
        assert_eq!(source_version(table, "1.9"), None);
        assert_eq!(source_version(table, "1.96.0"), None);
    }
}
