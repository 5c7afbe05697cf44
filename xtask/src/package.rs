//! `cargo xtask package`: the archives as they would be published.

use anyhow::{Context as _, Result};

use crate::shell::Cmd;
use crate::workspace::{Workspace, package_args};

/// Package every published crate and build each from its package
///
/// All in one command, so that a crate finds the others of this workspace though none is on a registry yet. Changes that
/// are not committed are packaged too.
#[derive(Debug, clap::Args)]
pub(crate) struct PackageArgs {}

pub(crate) fn run(workspace: &Workspace, _: &PackageArgs) -> Result<bool> {
    package(workspace)?;
    Ok(true)
}

/// In a folder that no run before it had: cargo takes a crate of one version from one folder for the same crate for ever,
/// unpacked source and builds alike, and would build today's crates against those of the last run.
pub(crate) fn package(workspace: &Workspace) -> Result<()> {
    let target = workspace.target_dir();
    std::fs::create_dir_all(target)
        .with_context(|| format!("cannot create {}", target.display()))?;
    let folder = tempfile::Builder::new()
        .prefix("package-")
        .tempdir_in(target)
        .with_context(|| format!("cannot create a folder in {}", target.display()))?;
    Cmd::cargo("package")
        .args(package_args(&workspace.published()))
        .arg("--allow-dirty")
        .arg("--target-dir")
        .arg(folder.path())
        .run()
}
