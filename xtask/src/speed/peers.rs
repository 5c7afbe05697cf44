//! The peers of the speed tool which are built only on demand, and what they need from the system.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::shell::Cmd;

/// A peer behind a feature of the speed tool.
#[derive(Debug)]
pub(super) struct Peer {
    /// What `--vs` and the feature call it.
    pub(super) name: &'static str,
    needs: &'static [Need],
}

/// Something that a peer's build needs and Rust does not bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Compiler,
    Cmake,
    Libclang,
    Make,
}

const PEERS: [Peer; 10] = [
    Peer {
        name: "aws-lc-rs",
        // cmake only on some targets, but which is for its build script to know.
        needs: &[Need::Compiler, Need::Cmake, Need::Make],
    },
    Peer {
        name: "boring",
        needs: &[Need::Compiler, Need::Cmake, Need::Libclang, Need::Make],
    },
    Peer {
        name: "graviola",
        needs: &[],
    },
    Peer {
        name: "kangarootwelve",
        needs: &[],
    },
    Peer {
        name: "libcrux",
        needs: &[],
    },
    Peer {
        name: "libsodium",
        needs: &[Need::Compiler, Need::Make],
    },
    Peer {
        name: "openssl",
        needs: &[Need::Compiler, Need::Make],
    },
    Peer {
        name: "ring",
        needs: &[Need::Compiler],
    },
    Peer {
        name: "sha3-asm",
        needs: &[Need::Compiler],
    },
    Peer {
        name: "tiny-keccak",
        needs: &[],
    },
];

impl Peer {
    /// Whether it needs nothing but Rust.
    pub(super) fn is_rust(&self) -> bool {
        self.needs.is_empty()
    }
}

impl Need {
    fn name(self) -> &'static str {
        match self {
            Self::Compiler => "a C and C++ compiler",
            Self::Cmake => "cmake",
            Self::Libclang => "libclang",
            Self::Make => "make and perl",
        }
    }

    /// The Debian packages that bring it.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Compiler => &["clang"],
            Self::Cmake => &["cmake"],
            Self::Libclang => &["clang", "libclang-dev"],
            Self::Make => &["make", "perl"],
        }
    }

    fn is_there(self) -> bool {
        let runs = |program| Cmd::new(program).arg("--version").succeeds();
        if cfg!(windows) {
            // There each build script finds its tools in places of its own; only cmake must be on the path.
            return self != Self::Cmake || runs("cmake");
        }
        match self {
            Self::Compiler => runs("cc") && runs("c++"),
            Self::Cmake => runs("cmake"),
            Self::Libclang => libclang().is_some(),
            Self::Make => runs("make") && runs("perl"),
        }
    }
}

/// The peers among the names after `--vs`.
pub(super) fn named(names: &[String]) -> Vec<&'static Peer> {
    let all = names.iter().any(|name| name == "all");
    PEERS
        .iter()
        .filter(|peer| all || names.iter().any(|name| name == peer.name))
        .collect()
}

/// Installs what the peers need, or tells how.
pub(super) fn provide(peers: &[&Peer]) -> Result<()> {
    let needs: BTreeSet<Need> = peers.iter().flat_map(|peer| peer.needs).copied().collect();
    let missing: Vec<Need> = needs.into_iter().filter(|need| !need.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = install(&missing);
    if !Path::new("/etc/debian_version").exists() || !is_root() {
        bail!("{}", advice(&missing, &install));
    }
    Cmd::new("apt-get").arg("update").run()?;
    install.env("DEBIAN_FRONTEND", "noninteractive").run()
}

/// The command that installs the missing things on Debian.
fn install(missing: &[Need]) -> Cmd {
    let packages: BTreeSet<_> = missing.iter().flat_map(|need| need.packages()).collect();
    Cmd::new("apt-get")
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages)
}

fn advice(missing: &[Need], install: &Cmd) -> String {
    let names: Vec<_> = missing.iter().map(|need| need.name()).collect();
    format!(
        "these peers also need {}\n  On Debian or Ubuntu: sudo {install}\n  Elsewhere: install them, or leave the peers out of --vs",
        names.join(", ")
    )
}

fn is_root() -> bool {
    Cmd::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.trim() == "0")
}

/// Where libclang is, in the places in which the peers' build scripts look for it.
fn libclang() -> Option<PathBuf> {
    let mut places: Vec<PathBuf> = env::var_os("LIBCLANG_PATH")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    if let Ok(config) = Cmd::new("llvm-config").arg("--libdir").output() {
        places.push(config.trim().into());
    }
    for place in [
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/opt/homebrew/opt/llvm/lib",
        "/usr/local/opt/llvm/lib",
        "/Library/Developer/CommandLineTools/usr/lib",
        "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib",
    ] {
        places.push(place.into());
    }
    // Debian keeps it in /usr/lib/llvm-14/lib and /usr/lib/x86_64-linux-gnu.
    for entry in entries(Path::new("/usr/lib")) {
        places.push(entry.join("lib"));
        places.push(entry);
    }
    places
        .iter()
        .flat_map(|place| entries(place))
        .find(|file| is_libclang(file))
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect()
}

fn is_libclang(file: &Path) -> bool {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    // `libclang.so`, `libclang-14.so.1`, `libclang.dylib`; not `libclang-cpp.so.14`.
    name.strip_prefix("libclang").is_some_and(|rest| {
        let version = rest.trim_start_matches(|c: char| c == '-' || c == '.' || c.is_ascii_digit());
        version.starts_with("so") || version.starts_with("dylib")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_peers() {
        let names = |names: &[&str]| -> Vec<_> {
            let names: Vec<_> = names.iter().map(ToString::to_string).collect();
            named(&names).iter().map(|peer| peer.name).collect()
        };
        assert!(names(&["rustcrypto", "unknown"]).is_empty());
        assert_eq!(names(&["ring", "boring"]), ["boring", "ring"]);
        assert_eq!(names(&["all"]).len(), PEERS.len());
    }

    #[test]
    fn advice_shows_the_whole_command() {
        let missing = [Need::Cmake, Need::Libclang, Need::Make];
        let advice = advice(&missing, &install(&missing));
        assert!(
            advice.contains("cmake, libclang, make and perl\n"),
            "{advice}"
        );
        assert!(
            advice.contains(
                "sudo apt-get install --yes --no-install-recommends clang cmake libclang-dev make perl\n"
            ),
            "{advice}"
        );
    }

    #[test]
    fn libclang_is_told_from_its_neighbours() {
        for name in [
            "libclang.so",
            "libclang-14.so.1",
            "libclang-14.0.6.so",
            "libclang.dylib",
        ] {
            assert!(is_libclang(Path::new(name)), "{name}");
        }
        for name in ["libclang-cpp.so.14", "libclangAST.a", "libLLVM.so"] {
            assert!(!is_libclang(Path::new(name)), "{name}");
        }
    }
}
