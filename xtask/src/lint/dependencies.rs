//! What a published crate may depend on.
//!
//! Each is depended on alone, by people who audit what they compile. A dependency is a decision, so it is written down
//! here before the lint lets it pass: per crate what it may name in its manifest, and what the RustCrypto traits bring.

use std::collections::BTreeSet;

use anyhow::Result;
use cargo_metadata::Package;

use super::findings;
use crate::shell::Cmd;
use crate::steps::Outcome;
use crate::workspace::{Workspace, direct_dependencies};

/// For each published crate, what its manifest may name under `[dependencies]` and `[build-dependencies]`.
const DIRECT: &[(&str, &[&str])] = &[
    (
        "aead-chacha-poly",
        &[
            "aead",
            "chacha20-simd",
            "cpufeatures",
            "poly1305-simd",
            "zeroize",
        ],
    ),
    (
        "aes-cbc-hmac",
        &["aead", "aes-vpaes", "cipher", "sha1", "sha2", "zeroize"],
    ),
    (
        "aes-vpaes",
        &["cipher", "cpufeatures", "neon-detect", "zeroize"],
    ),
    (
        "chacha20-simd",
        &["cipher", "cpufeatures", "neon-detect", "zeroize"],
    ),
    (
        "keccak-unrolled",
        &["cpufeatures", "digest", "neon-detect", "zeroize"],
    ),
    (
        "kyber",
        &["hybrid-array", "keccak-unrolled", "kem", "zeroize"],
    ),
    ("neon-detect", &["libc"]),
    (
        "poly1305-simd",
        &["cpufeatures", "neon-detect", "universal-hash", "zeroize"],
    ),
];

/// What those bring with them, on any target and with any feature of ours.
const TRANSITIVE: &[&str] = &[
    // The RustCrypto traits and what they are made of.
    "block-buffer",
    "cmov",
    "const-oid",
    "crypto-common",
    "ctutils",
    "hybrid-array",
    "inout",
    "typenum",
    // The buffers that `aead` can work in, with the features of these names.
    "arrayvec",
    "bytes",
    // `cpufeatures` asks the operating system on ARM and LoongArch.
    "libc",
    // `getrandom` and its system interfaces, with the feature of that name.
    "cfg-if",
    "getrandom",
    "r-efi",
    "rand_core",
    "wasip2",
    "wasip3",
    "wit-bindgen",
];

/// Compares every published crate with the lists.
pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    let mut found = Vec::new();
    for package in workspace.published() {
        let Some((_, allowed)) = DIRECT
            .iter()
            .find(|(name, _)| *name == package.name.as_str())
        else {
            found.push(format!("{}: not in the list DIRECT", package.name));
            continue;
        };
        for name in direct_dependencies(package) {
            if !allowed.contains(&name) {
                found.push(format!("{}: names the dependency `{name}`", package.name));
            }
        }
        for name in tree(package)? {
            if !allowed_in_tree(&name) {
                found.push(format!("{}: compiles `{name}`", package.name));
            }
        }
    }
    findings(&found)
}

/// Whether any list has the name: what one crate of the workspace may name, the crates built on it compile.
fn allowed_in_tree(name: &str) -> bool {
    TRANSITIVE.contains(&name)
        || DIRECT
            .iter()
            .any(|(package, direct)| *package == name || direct.contains(&name))
}

/// The names of all crates that are compiled for this one, with all its features, on all targets.
fn tree(package: &Package) -> Result<BTreeSet<String>> {
    let output = Cmd::cargo("tree")
        .args(["--package", &package.name, "--all-features"])
        .args(["--edges", "no-dev", "--target", "all"])
        .args(["--prefix", "none", "--format", "{p}"])
        .output()?;
    Ok(names_in(&output))
}

/// Takes the names out of lines such as `cipher v0.5.2 (*)`.
fn names_in(tree: &str) -> BTreeSet<String> {
    tree.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_first_word_of_a_line() {
        let names = names_in(
            "chacha20-simd v0.1.0 (/somewhere/chacha20-simd)\ncipher v0.5.2\ninout v0.2.6\ncipher v0.5.2 (*)\n\n",
        );
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(names, ["chacha20-simd", "cipher", "inout"]);
    }

    #[test]
    fn a_stranger_is_not_allowed() {
        assert!(allowed_in_tree("cipher"));
        assert!(allowed_in_tree("hybrid-array"));
        assert!(!allowed_in_tree("cc"));
    }

    #[test]
    fn the_lists_are_sorted_and_without_doubles() {
        assert!(DIRECT.is_sorted_by(|a, b| a.0 < b.0));
        for (package, direct) in DIRECT {
            assert!(direct.is_sorted_by(|a, b| a < b), "{package}");
        }
        let unique: BTreeSet<_> = TRANSITIVE.iter().collect();
        assert_eq!(unique.len(), TRANSITIVE.len());
    }
}
