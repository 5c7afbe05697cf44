//! What the workspace holds: its crates, their features and their back ends, asked of cargo and of the root manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::shell::Cmd;

/// The workspace as cargo and the root manifest describe it.
#[derive(Debug)]
pub(crate) struct Workspace {
    metadata: Metadata,
    /// For each name with underscores, what `--cfg NAME_backend="…"` may be.
    backends: BTreeMap<String, Vec<String>>,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let json = Cmd::cargo("metadata")
            .args(["--format-version", "1", "--no-deps"])
            .output()?;
        let metadata = MetadataCommand::parse(json).context("cannot read cargo's metadata")?;
        let manifest = metadata.workspace_root.join("Cargo.toml");
        let manifest =
            fs::read_to_string(&manifest).with_context(|| format!("cannot read {manifest}"))?;
        Ok(Self {
            metadata,
            backends: backends_in(&manifest),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    pub(crate) fn target_dir(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// Every crate, sorted by name.
    pub(crate) fn packages(&self) -> Vec<&Package> {
        let mut packages = self.metadata.workspace_packages();
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        packages
    }

    /// The crates that users depend on: all but those with `publish = false`.
    pub(crate) fn published(&self) -> Vec<&Package> {
        let mut packages = self.packages();
        packages.retain(|package| is_published(package));
        packages
    }

    /// The crate of that name.
    pub(crate) fn package(&self, name: &str) -> Result<&Package> {
        let packages = self.packages();
        match packages
            .iter()
            .find(|package| package.name.as_str() == name)
        {
            Some(package) => Ok(package),
            None => bail!(
                "no crate `{name}` in this workspace; there are: {}",
                names(&packages).join(", ")
            ),
        }
    }

    /// The names of the back ends which this crate can be forced down to.
    pub(crate) fn backends_of(&self, package: &Package) -> &[String] {
        self.backends
            .get(&underscored(package))
            .map_or(&[], Vec::as_slice)
    }

    /// The names of the back ends which any crate can be forced down to.
    pub(crate) fn backends(&self) -> BTreeSet<&str> {
        self.backends
            .values()
            .flatten()
            .map(String::as_str)
            .collect()
    }
}

/// Whether users depend on this crate.
pub(crate) fn is_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|to| !to.is_empty())
}

/// The crate's name as an identifier.
pub(crate) fn underscored(package: &Package) -> String {
    package.name.replace('-', "_")
}

pub(crate) fn names(packages: &[&Package]) -> Vec<String> {
    packages
        .iter()
        .map(|package| package.name.to_string())
        .collect()
}

/// `--package NAME` for each.
pub(crate) fn package_args(packages: &[&Package]) -> Vec<String> {
    packages
        .iter()
        .flat_map(|package| ["--package".to_owned(), package.name.to_string()])
        .collect()
}

/// The crates that a user of this crate also compiles by its direct decision: no development dependencies.
pub(crate) fn direct_dependencies(package: &Package) -> BTreeSet<&str> {
    package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Development)
        .map(|dependency| dependency.name.as_str())
        .collect()
}

/// Finds every `cfg(NAME_backend, values("a", "b"))` of the manifest's `check-cfg` list, which is the one place that
/// lists what can be forced. Text search, because cargo's metadata does not hold lints.
fn backends_in(manifest: &str) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for piece in manifest.split("cfg(").skip(1) {
        let Some((name, rest)) = piece.split_once("_backend, values(") else {
            continue;
        };
        let (true, Some((values, _))) = (is_identifier(name), rest.split_once(')')) else {
            continue;
        };
        let values = values
            .split(',')
            .map(|value| value.trim().trim_matches('"').to_owned())
            .collect();
        found.insert(name.to_owned(), values);
    }
    found
}

fn is_identifier(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_ends_are_read_from_check_cfg() {
        let found = backends_in(
            r#"
            unexpected_cfgs = { level = "warn", check-cfg = [
                'cfg(aes_vpaes_backend, values("soft", "soft32"))',
                'cfg(chacha20_simd_backend, values("soft"))',
                'cfg(fuzzing)',
            ] }
            "#,
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found["aes_vpaes"], ["soft", "soft32"]);
        assert_eq!(found["chacha20_simd"], ["soft"]);
    }

    #[test]
    fn the_root_manifest_lists_back_ends_of_crates_that_exist() {
        let manifest = include_str!("../../Cargo.toml");
        let found = backends_in(manifest);
        assert!(!found.is_empty());
        for (name, values) in found {
            let crate_name = name.replace('_', "-");
            assert!(
                manifest.contains(&format!("path = \"crates/{crate_name}\"")),
                "{crate_name} is not among the workspace's dependencies"
            );
            assert!(
                values.contains(&"soft".to_owned()),
                "{crate_name} cannot be forced to `soft`"
            );
        }
    }
}
