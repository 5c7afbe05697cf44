//! The options of `cargo xtask speed` that are not the tool's own. They may stand anywhere among the tool's.

use std::ffi::OsString;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum as _;

use super::report::Page;

/// What the command line asks for.
#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) target: Option<String>,
    pub(super) cpu: Option<String>,
    pub(super) mca: Option<String>,
    pub(super) kernels: Vec<String>,
    /// The pages to write.
    pub(super) report: Option<Vec<Page>>,
    /// For the tool.
    pub(super) rest: Vec<OsString>,
}

impl Options {
    pub(super) fn read(args: &[OsString]) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.iter().peekable();
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy();
            let (name, joined) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (&*text, None),
            };
            let mut value = || {
                let next = || args.next().map(|arg| arg.to_string_lossy().into_owned());
                joined
                    .clone()
                    .or_else(next)
                    .with_context(|| format!("{name} needs a value"))
            };
            match name {
                "--target" => options.target = Some(value()?),
                "--cpu" => options.cpu = Some(value()?),
                "--mca" => options.mca = Some(value()?),
                "--kernel" => options
                    .kernels
                    .extend(value()?.split(',').map(str::to_owned)),
                "--report" => {
                    let names = joined.or_else(|| {
                        args.next_if(|next| !next.to_string_lossy().starts_with('-'))
                            .map(|arg| arg.to_string_lossy().into_owned())
                    });
                    options.report = Some(pages(names.as_deref())?);
                }
                "--" => {
                    options.rest.push(arg.clone());
                    options.rest.extend(args.by_ref().cloned());
                }
                _ => options.rest.push(arg.clone()),
            }
        }
        options.check()?;
        Ok(options)
    }

    fn check(&self) -> Result<()> {
        if self.cpu.is_some() && self.target.is_none() {
            bail!("--cpu goes with --target");
        }
        if !self.kernels.is_empty() && self.mca.is_none() {
            bail!("--kernel goes with --mca");
        }
        let given = [
            self.target.is_some(),
            self.mca.is_some(),
            self.report.is_some(),
        ];
        if given.into_iter().filter(|&given| given).count() > 1 {
            bail!("only one of --target, --mca and --report at a time");
        }
        if self.report.is_some() && !self.rest.is_empty() {
            bail!("--report chooses by itself what is measured, and takes no other arguments");
        }
        Ok(())
    }
}

/// The pages of these names, in the order in which they are made: all without a name.
fn pages(names: Option<&str>) -> Result<Vec<Page>> {
    let Some(names) = names else {
        return Ok(Page::value_variants().to_vec());
    };
    let pages: Result<Vec<Page>> = names
        .split(',')
        .map(|name| match Page::from_str(name, false) {
            Ok(page) => Ok(page),
            Err(_) => bail!("no page `{name}`; there are: host, counts, mca"),
        })
        .collect();
    let mut pages = pages?;
    pages.sort_unstable();
    pages.dedup();
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Options> {
        let args: Vec<OsString> = args.iter().map(Into::into).collect();
        Options::read(&args)
    }

    #[test]
    fn options_are_taken_from_among_the_tools() {
        let options = read(&[
            "aes",
            "--target",
            "T",
            "--vs=ring",
            "--cpu=C",
            "--time",
            "5",
        ])
        .unwrap();
        assert_eq!(options.target.as_deref(), Some("T"));
        assert_eq!(options.cpu.as_deref(), Some("C"));
        assert_eq!(options.rest, ["aes", "--vs=ring", "--time", "5"]);

        let options = read(&["--mca", "zen4", "--kernel", "a,b", "--kernel=c"]).unwrap();
        assert_eq!(options.mca.as_deref(), Some("zen4"));
        assert_eq!(options.kernels, ["a", "b", "c"]);
    }

    #[test]
    fn a_report_is_of_all_pages_or_of_some() {
        let report = |args: &[&str]| read(args).unwrap().report.unwrap();
        assert_eq!(report(&["--report"]), [Page::Host, Page::Counts, Page::Mca]);
        assert_eq!(report(&["--report", "mca"]), [Page::Mca]);
        assert_eq!(report(&["--report=mca,host,mca"]), [Page::Host, Page::Mca]);
        let error = read(&["--report", "cover"]).unwrap_err().to_string();
        assert_eq!(error, "no page `cover`; there are: host, counts, mca");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for args in [
            &["--cpu", "C"][..],
            &["--kernel", "K"],
            &["--target"],
            &["--target", "T", "--mca", "C"],
            &["--report", "--time", "5"],
        ] {
            assert!(read(args).is_err(), "{args:?}");
        }
    }

    #[test]
    fn what_follows_two_dashes_is_the_tools() {
        let options = read(&["--", "--target", "T"]).unwrap();
        assert_eq!(options.rest, ["--", "--target", "T"]);
    }
}
