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
    let child = command
        .spawn()
        .with_context(|| format!("cannot trace {}", program.display()))?;
    let pid = Pid::from_raw(
        child
            .id()
            .try_into()
            .context("the process number is small")?,
    );
    follow(pid).context("cannot single-step the speed tool (is ptrace allowed here?)")
}

fn follow(pid: Pid) -> Result<Vec<Vec<u64>>> {
    let mut windows = Vec::new();
    let mut window: Option<Vec<u64>> = None;
    loop {
        let mut deliver = None;
        match waitpid(pid, None)? {
            WaitStatus::Exited(_, 0) => return Ok(windows),
            WaitStatus::Stopped(_, Signal::SIGSTOP) => match window.take() {
                None => window = Some(Vec::new()),
                Some(done) => windows.push(done),
            },
            // A step; or the program has just been started.
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
