//! Child processes with a time limit.
//!
//! A compiler that loops or a program that deadlocks ends as a result: the child gets a process group of its own, and all of it is killed
//! when the limit is over. So an interrupt from the keyboard reaches the tuner alone, which then ends in order.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How a child ended, what it printed, and how long it took.
#[derive(Debug)]
pub struct Ended {
    /// How; `None`: it was killed at the limit.
    pub status: Option<ExitStatus>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// Seconds from start to end, by the wall.
    pub seconds: f64,
}

impl Ended {
    /// Whether it exited with status 0.
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|s| s.success())
    }

    /// How it ended, in words.
    pub fn how(&self) -> String {
        let Some(status) = self.status else {
            return format!("it ran into the time limit after {:.1} s", self.seconds);
        };
        match (status.code(), status.signal()) {
            (Some(code), _) => format!("it ended with exit status {code}"),
            (None, signal) => format!("signal {} ended it", signal.unwrap_or(0)),
        }
    }

    /// The last lines that it wrote on its error stream, indented.
    pub fn last_words(&self) -> String {
        const LINES: usize = 8;
        let text = String::from_utf8_lossy(&self.stderr);
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        last.iter().map(|l| format!("\n    {l}")).collect()
    }
}

/// Runs a command to its end or to the limit, with nothing to read.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Ended> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let stdout = drained(child.stdout.take());
    let stderr = drained(child.stderr.take());
    let status = wait(&mut child, started, limit)?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(Ended {
        status,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        seconds,
    })
}

/// Waits for the child; at the limit kills its group.
fn wait(child: &mut Child, started: Instant, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(20);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() >= limit {
            // SAFETY: kill touches no memory, and the group is the child's own (process_group(0)).
            unsafe { libc::kill(-(child.id().cast_signed()), libc::SIGKILL) };
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        // Never more than a hundredth of what it has taken.
        pause =
            (started.elapsed() / 200).clamp(Duration::from_micros(20), Duration::from_millis(5));
    }
}

/// Reads a pipe to its end on a thread of its own: a child never waits for a full pipe.
fn drained(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = vec![];
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
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
    fn outputs_and_status_are_kept() {
        let limit = Duration::from_secs(10);
        let ended = run(&mut shell("echo out; echo err >&2; exit 7"), limit).unwrap();
        assert!(!ended.succeeded());
        assert_eq!(ended.how(), "it ended with exit status 7");
        assert_eq!(ended.stdout, b"out\n");
        assert_eq!(ended.last_words(), "\n    err");
    }

    #[test]
    fn the_group_is_killed_at_the_limit() {
        let ended = run(&mut shell("sleep 60 & sleep 60"), Duration::from_millis(50)).unwrap();
        assert!(ended.status.is_none());
        assert!(ended.seconds < 30.0);
        assert!(ended.how().starts_with("it ran into the time limit"));
    }

    #[test]
    fn large_outputs_do_not_block() {
        let ended = run(
            &mut shell("head -c 1000000 /dev/zero"),
            Duration::from_secs(10),
        );
        assert_eq!(ended.unwrap().stdout.len(), 1_000_000);
    }
}
