//! Runs programs. Every command line is printed before it runs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, Result, bail};

/// A command line that is being put together.
#[derive(Debug)]
pub(crate) struct Cmd {
    /// What is printed; differs from the file that runs for `cargo`, whose full path would only be noise.
    program: String,
    file: OsString,
    args: Vec<OsString>,
    envs: Vec<(String, String)>,
    unset: Vec<&'static str>,
    directory: Option<PathBuf>,
}

impl Cmd {
    pub(crate) fn new(program: &str) -> Self {
        Self {
            program: program.to_owned(),
            file: program.into(),
            args: Vec::new(),
            envs: Vec::new(),
            unset: Vec::new(),
            directory: None,
        }
    }

    /// The same cargo that runs this program, so that `cargo +TOOLCHAIN xtask` stays with one toolchain.
    pub(crate) fn cargo(subcommand: &str) -> Self {
        let mut cmd = Self::new("cargo");
        if let Some(file) = env::var_os("CARGO") {
            cmd.file = file;
        }
        cmd.arg(subcommand)
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub(crate) fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.envs.push((name.to_owned(), value.into()));
        self
    }

    /// Runs this file in place of the program named so far.
    pub(crate) fn program(mut self, file: &Path) -> Self {
        self.program = file.to_string_lossy().into_owned();
        self.file = file.into();
        self
    }

    /// Takes a variable out of its environment that cargo sets for the programs that it runs, such as this one. Not
    /// printed: who types the line in a shell has no such variable.
    pub(crate) fn unset(mut self, name: &'static str) -> Self {
        self.unset.push(name);
        self
    }

    /// Runs it in this directory.
    pub(crate) fn directory(mut self, directory: &Path) -> Self {
        self.directory = Some(directory.to_owned());
        self
    }

    /// Runs it to its end; an error unless it succeeds.
    pub(crate) fn run(self) -> Result<()> {
        let status = self.start()?.status().with_context(|| self.cannot_run())?;
        if !status.success() {
            bail!("`{self}` failed ({status})");
        }
        Ok(())
    }

    /// Runs it to its end and gives back its standard output; an error unless it succeeds.
    pub(crate) fn output(self) -> Result<String> {
        let output = self
            .start()?
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| self.cannot_run())?;
        if !output.status.success() {
            bail!("`{self}` failed ({})", output.status);
        }
        String::from_utf8(output.stdout)
            .with_context(|| format!("`{self}` did not write plain text"))
    }

    /// Runs it to its end, passing its standard output through and showing each line to `look`.
    pub(crate) fn run_lines(self, mut look: impl FnMut(&str)) -> Result<ExitStatus> {
        let mut child = self
            .start()?
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| self.cannot_run())?;
        let mut pipe = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut stdout = io::stdout().lock();
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line)? != 0 {
            stdout.write_all(&line)?;
            stdout.flush()?;
            look(&String::from_utf8_lossy(&line));
            line.clear();
        }
        child.wait().with_context(|| self.cannot_run())
    }

    /// Runs it to its end with both of its outputs in this file, which is made anew. Gives back whether it succeeded,
    /// and what it wrote.
    pub(crate) fn run_into(self, log: &Path) -> Result<(ExitStatus, String)> {
        let cannot_write = || format!("cannot write {}", log.display());
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder).with_context(cannot_write)?;
        }
        let file = File::create(log).with_context(cannot_write)?;
        let status = self
            .start()?
            .stdin(Stdio::null())
            .stdout(file.try_clone().with_context(cannot_write)?)
            .stderr(file)
            .status()
            .with_context(|| self.cannot_run())?;
        let bytes = fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Like [`run_into`](Self::run_into), and an error with the last lines of the file unless it succeeds.
    pub(crate) fn run_logged(self, log: &Path) -> Result<()> {
        let line = self.to_string();
        let (status, text) = self.run_into(log)?;
        if !status.success() {
            bail!(
                "`{line}` failed ({status}); the end of {}:\n{}",
                log.display(),
                last_lines(&text, 20)
            );
        }
        Ok(())
    }

    /// Whether it can be started and succeeds. Its output is not shown.
    pub(crate) fn succeeds(self) -> bool {
        self.start().is_ok_and(|mut command| {
            command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        })
    }

    /// Prints the command line. To standard error, where cargo's own messages go: the standard output may be data.
    fn start(&self) -> Result<Command> {
        io::stdout().flush()?;
        writeln!(io::stderr(), "$ {self}")?;
        let mut command = Command::new(&self.file);
        command.args(&self.args);
        for name in &self.unset {
            command.env_remove(name);
        }
        for (name, value) in &self.envs {
            command.env(name, value);
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        Ok(command)
    }

    fn cannot_run(&self) -> String {
        format!("cannot run `{self}`")
    }
}

/// As it would be typed.
impl fmt::Display for Cmd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(directory) = &self.directory {
            write!(f, "(cd {} && ", quote(&directory.to_string_lossy()))?;
        }
        for (name, value) in &self.envs {
            write!(f, "{name}={} ", quote(value))?;
        }
        f.write_str(&self.program)?;
        for arg in &self.args {
            write!(f, " {}", quote(&arg.to_string_lossy()))?;
        }
        if self.directory.is_some() {
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// `RUSTFLAGS` with more flags behind what it holds already.
///
/// # Errors
///
/// If `CARGO_ENCODED_RUSTFLAGS` is set, which would win over it.
pub(crate) fn rustflags_with(more: &[String]) -> Result<String> {
    if env::var_os("CARGO_ENCODED_RUSTFLAGS").is_some() {
        bail!("unset CARGO_ENCODED_RUSTFLAGS: this command has to set RUSTFLAGS");
    }
    let mut flags: Vec<String> = env::var("RUSTFLAGS").into_iter().collect();
    flags.extend_from_slice(more);
    Ok(flags.join(" "))
}

/// The last `count` lines of a text.
pub(crate) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// Quotes a word for a POSIX shell where that is needed.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%\\".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_typed_as_it_is_printed() {
        let cmd = Cmd::new("cargo")
            .env("RUSTFLAGS", r#"--cfg a_backend="soft""#)
            .args(["test", "--package=a", "it's", ""]);
        assert_eq!(
            cmd.to_string(),
            r#"RUSTFLAGS='--cfg a_backend="soft"' cargo test --package=a 'it'\''s' ''"#
        );
    }

    #[test]
    fn a_line_shows_its_directory() {
        let cmd = Cmd::new("ls").directory(Path::new("/a b")).unset("HOME");
        assert_eq!(cmd.to_string(), "(cd '/a b' && ls)");
    }

    #[test]
    fn failure_is_an_error_that_shows_the_line() {
        let cmd = Cmd::cargo("no-such-subcommand-of-cargo");
        let error = cmd.run().unwrap_err().to_string();
        assert!(
            error.contains("`cargo no-such-subcommand-of-cargo` failed"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_program_is_an_error_that_shows_the_line() {
        let error = Cmd::new("no-such-program-anywhere").run().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("cannot run `no-such-program-anywhere`"),
            "{error}"
        );
        assert!(!Cmd::new("no-such-program-anywhere").succeeds());
    }

    #[test]
    fn a_log_holds_both_outputs_and_failure_shows_its_end() {
        let log = env::temp_dir().join(format!("xtask-shell-{}.log", std::process::id()));
        let (status, text) = Cmd::cargo("--version").run_into(&log).unwrap();
        assert!(status.success());
        assert!(text.starts_with("cargo "), "{text}");
        let error = Cmd::cargo("no-such-subcommand-of-cargo")
            .run_logged(&log)
            .unwrap_err()
            .to_string();
        assert!(error.contains("no such command"), "{error}");
        fs::remove_file(&log).unwrap();
    }

    #[test]
    fn last_lines_are_the_last() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a", 2), "a");
        assert_eq!(last_lines("", 2), "");
    }

    #[test]
    fn lines_are_seen_one_by_one() {
        let mut lines = Vec::new();
        let status = Cmd::cargo("--version")
            .run_lines(|line| lines.push(line.to_owned()))
            .unwrap();
        assert!(status.success());
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("cargo "), "{lines:?}");
    }
}
