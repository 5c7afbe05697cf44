//! Records what the tool executes natively, by single-stepping it: no emulator has every instruction of this machine.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

/// Runs the program, with its output in a file. It stops itself at both ends of each window; for each there is a list of
/// the addresses of the instructions that ran.
pub(super) fn windows(program: &Path, args: &[String], output: &Path) -> Result<Vec<Vec<u64>>> {
    let file =
        File::create(output).with_context(|| format!("cannot write {}", output.display()))?;
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(file);
    // SAFETY: between fork and exec there is one system call, which allocates nothing and takes no lock.
    unsafe { command.pre_exec(|| Ok(ptrace::traceme()?)) };
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot trace {}", program.display()))?;
    let pid = Pid::from_raw(
        child
            .id()
            .try_into()
            .context("the process number is small")?,
    );
    let windows = follow(pid);
    if windows.is_err() {
        // It may be stopped, and would stay so. Nothing can be done about one that is gone.
        let _ = child.kill();
        let _ = child.wait();
    }
    windows.context("cannot single-step the speed tool (is ptrace allowed here?)")
}

fn follow(pid: Pid) -> Result<Vec<Vec<u64>>> {
    let mut windows = Vec::new();
    let mut window: Option<Vec<u64>> = None;
    let mut is_started = false;
    loop {
        let mut deliver = None;
        match waitpid(pid, None)? {
            WaitStatus::Exited(_, 0) => return Ok(windows),
            WaitStatus::Stopped(_, Signal::SIGSTOP) => match window.take() {
                None => window = Some(Vec::new()),
                Some(done) => windows.push(done),
            },
            // The program has just been started. It must not outlive this one.
            WaitStatus::Stopped(_, Signal::SIGTRAP) if !is_started => {
                is_started = true;
                ptrace::setoptions(pid, ptrace::Options::PTRACE_O_EXITKILL)?;
            }
            // A step.
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            WaitStatus::Stopped(_, signal) => deliver = Some(signal),
            status => bail!("the program ended: {status:?}"),
        }
        match &mut window {
            None => ptrace::cont(pid, deliver)?,
            Some(addresses) => {
                addresses.push(ptrace::getregs(pid)?.rip);
                ptrace::step(pid, deliver)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_an_error() {
        let output = std::env::temp_dir().join(format!("xtask-step-{}", std::process::id()));
        let windows = |code: &str| {
            let args = ["-c", code].map(str::to_owned);
            windows(Path::new("/bin/sh"), &args, &output)
        };
        assert!(windows("exit 3").is_err());
        assert!(windows("true").unwrap().is_empty());
        // A window: from where it stops itself to where it does so again.
        let found = windows("kill -STOP $$; : ; kill -STOP $$").unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].len() > 10);
        std::fs::remove_file(&output).unwrap();
    }
}
