//! What every published crate must have to stand alone.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cargo_metadata::{Package, TargetKind};

use super::{findings, has_file};
use crate::steps::Outcome;
use crate::workspace::Workspace;

/// Files that go into the published archive.
const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Checks every published crate, and that the workspace's lints reach every crate.
pub(super) fn check(workspace: &Workspace) -> Result<Outcome> {
    let mut found = Vec::new();
    let root = read(workspace.root().join("Cargo.toml").as_ref())?;
    // The lint that guards the minimum supported Rust version.
    if !has_line(&root, "incompatible_msrv = \"warn\"") {
        found
            .push("Cargo.toml: [workspace.lints.clippy] lacks incompatible_msrv = \"warn\"".into());
    }
    for package in workspace.packages() {
        let manifest = read(package.manifest_path.as_ref())?;
        if !section(&manifest, "[lints]").is_some_and(|lints| has_line(lints, "workspace = true")) {
            found.push(format!(
                "{}: lacks `[lints] workspace = true`",
                package.name
            ));
        }
        if package.rust_version.is_none() {
            found.push(format!("{}: lacks `rust-version`", package.name));
        }
    }
    for package in workspace.published() {
        let mut lacks = |what: &str| found.push(format!("{}: lacks {what}", package.name));
        for file in FILES {
            if !has_file(package, file) {
                lacks(file);
            }
        }
        if package.description.is_none() {
            lacks("a description");
        }
        if package.license.is_none() {
            lacks("a license");
        }
        if !read(root_file(package)?.as_ref())?
            .lines()
            .any(|line| line == "#![no_std]")
        {
            lacks("the line #![no_std] in its lib.rs");
        }
    }
    findings(&found)
}

/// The library's `lib.rs`.
fn root_file(package: &Package) -> Result<&str> {
    let library = package
        .targets
        .iter()
        .find(|target| target.kind.contains(&TargetKind::Lib))
        .with_context(|| format!("{} has no library", package.name))?;
    Ok(library.src_path.as_str())
}

fn read(path: &Path) -> Result<String> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    // Git may check files out with the line ends of Windows.
    Ok(text.replace("\r\n", "\n"))
}

/// The lines after a `[heading]` up to the next.
fn section<'a>(manifest: &'a str, heading: &str) -> Option<&'a str> {
    let start = manifest.find(&format!("\n{heading}\n"))? + heading.len() + 2;
    let rest = &manifest[start..];
    Some(rest.split("\n[").next().unwrap_or(rest))
}

fn has_line(text: &str, wanted: &str) -> bool {
    text.lines().any(|line| line == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_where_the_next_begins() {
        let manifest =
            "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n\n[features]\nx = []\n";
        let lints = section(manifest, "[lints]").unwrap();
        assert!(has_line(lints, "workspace = true"));
        assert!(!has_line(lints, "x = []"));
        assert!(section(manifest, "[profile.dev]").is_none());
    }
}
