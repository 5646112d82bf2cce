//! Child processes with a time limit.
//!
//! A compiler that loops or a program that deadlocks must end as a result, not hang the run: the child gets its own
//! process group, and the whole group is killed when the limit is over.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a child ended, with what it printed and how long it took.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// Its standard output, as text.
    pub stdout: String,
    /// Its standard error, as text.
    pub stderr: String,
    /// Wall time from start to end.
    pub elapsed: Duration,
}

/// The ways in which a child ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// A signal ended it.
    Signalled(i32),
    /// It was killed at the time limit.
    TimedOut,
}

impl Finished {
    /// True where the child exited with status 0.
    pub fn succeeded(&self) -> bool {
        self.end == End::Exited(0)
    }

    /// One line on how the child ended.
    pub fn describe(&self) -> String {
        match self.end {
            End::Exited(status) => format!("exit status {status}"),
            End::Signalled(signal) => format!("signal {signal}"),
            End::TimedOut => format!("time limit after {:.1} s", self.elapsed.as_secs_f64()),
        }
    }
}

/// Runs a command to its end or to the limit, capturing both outputs.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, started, limit)?;
    let elapsed = started.elapsed();
    let end = match status {
        None => End::TimedOut,
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Signalled(signal.unwrap_or(0)),
        },
    };
    Ok(Finished {
        end,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        elapsed,
    })
}

/// Waits for the child; at the limit kills its process group and answers `None`.
fn wait(child: &mut Child, started: Instant, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() >= limit {
            // SAFETY: kill has no memory effects; the group is the child's own (process_group(0)).
            unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Reads a pipe to its end on a thread of its own, so that a child never blocks on a full pipe.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn captures_outputs_and_status() {
        let finished = run(
            &mut shell("echo out; echo err >&2; exit 7"),
            Duration::from_secs(10),
        )
        .unwrap();
        assert_eq!(finished.end, End::Exited(7));
        assert_eq!(
            (finished.stdout.as_str(), finished.stderr.as_str()),
            ("out\n", "err\n")
        );
    }

    #[test]
    fn kills_the_group_at_the_limit() {
        let finished = run(&mut shell("sleep 60 & sleep 60"), Duration::from_millis(50)).unwrap();
        assert_eq!(finished.end, End::TimedOut);
        assert!(finished.elapsed < Duration::from_secs(30));
    }

    #[test]
    fn large_outputs_do_not_block() {
        let finished = run(
            &mut shell("head -c 1000000 /dev/zero"),
            Duration::from_secs(10),
        )
        .unwrap();
        assert!(finished.succeeded());
        assert_eq!(finished.stdout.len(), 1_000_000);
    }
}
