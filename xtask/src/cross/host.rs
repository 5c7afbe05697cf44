//! What this machine is and has.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::shell::Cmd;

/// The machine and its Rust toolchain.
#[derive(Debug)]
pub(crate) struct Host {
    /// The target that the compiler builds for by default.
    pub(crate) triple: String,
    /// The compiler's release, such as `1.95.0`, or `1.97.0-nightly`.
    pub(crate) release: String,
    /// The folder of the toolchain.
    pub(super) sysroot: PathBuf,
    pub(super) distribution: Distribution,
    /// Whether packages can be installed.
    pub(super) is_root: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Distribution {
    Debian {
        /// The suite, such as `bookworm`.
        codename: String,
    },
    Ubuntu,
    Other,
}

impl Host {
    pub(super) fn look() -> Result<Self> {
        let version = Cmd::new("rustc").arg("-vV").output()?;
        let field = |name: &str| {
            version
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
                .map(str::to_owned)
                .with_context(|| format!("`rustc -vV` tells no {name}"))
        };
        let sysroot = Cmd::new("rustc").args(["--print", "sysroot"]).output()?;
        let os_release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let is_root = cfg!(unix) && Cmd::new("id").arg("-u").output()?.trim() == "0";
        Ok(Self {
            triple: field("host")?,
            release: field("release")?,
            sysroot: sysroot.trim().into(),
            distribution: Distribution::read(&os_release),
            is_root,
        })
    }

    pub(super) fn is_debian(&self) -> bool {
        matches!(self.distribution, Distribution::Debian { .. })
    }

    /// Whether the packages of [`super::packages`] go by the right names.
    pub(super) fn has_apt(&self) -> bool {
        self.distribution != Distribution::Other
    }
}

impl Distribution {
    fn read(os_release: &str) -> Self {
        let field = |name: &str| {
            os_release
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .map(|value| value.trim_matches('"'))
        };
        match (field("ID"), field("VERSION_CODENAME")) {
            (Some("debian"), Some(codename)) => Self::Debian {
                codename: codename.to_owned(),
            },
            (Some("ubuntu"), _) => Self::Ubuntu,
            _ => Self::Other,
        }
    }
}

/// The file that a program's name stands for.
pub(super) fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// A path as text, which command lines and configuration need.
pub(super) fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is not plain text", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_told_apart() {
        let debian = "NAME=\"Debian\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(
            Distribution::read(debian),
            Distribution::Debian {
                codename: "bookworm".to_owned()
            }
        );
        let ubuntu = "ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n";
        assert_eq!(Distribution::read(ubuntu), Distribution::Ubuntu);
        assert_eq!(Distribution::read("ID=fedora\n"), Distribution::Other);
        assert_eq!(Distribution::read(""), Distribution::Other);
    }
}
