//! `cargo xtask package`: the archives as they would be published.

use anyhow::Result;

use crate::shell::Cmd;
use crate::workspace::{Workspace, package_args};

/// Package every published crate and build each from its package
///
/// All in one command, so that a crate finds the others of this workspace though none is on a registry yet. Changes that
/// are not committed are packaged too.
#[derive(Debug, clap::Args)]
pub(crate) struct PackageArgs {}

pub(crate) fn run(workspace: &Workspace, _: &PackageArgs) -> Result<bool> {
    command(workspace).run()?;
    Ok(true)
}

pub(crate) fn command(workspace: &Workspace) -> Cmd {
    Cmd::cargo("package")
        .args(package_args(&workspace.published()))
        .arg("--allow-dirty")
}
