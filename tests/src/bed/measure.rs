//! Interleaved runs.
//!
//! The contenders of a loop run one after the other, round by round, so that a slow moment hits all of them; the least
//! time of each counts. Where the result would be a complaint (slower, or a decision that looks wrong), as many rounds
//! again decide.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::bench::child::bind_to_first_core;
use crate::process;

/// A program and the threads that it runs with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contender {
    /// clang alone.
    Original,
    /// With the plugin, on one thread.
    One,
    /// On two bound threads.
    Two,
    /// As it comes: all processors, unbound.
    Unbound,
    /// The new version forced, on one thread.
    ForcedOne,
    /// The new version forced, on two bound threads.
    ForcedTwo,
}

/// What is run for one loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The loop.
    pub name: String,
    /// The programs.
    pub programs: Vec<(Contender, PathBuf)>,
    /// Arguments of each run.
    pub arguments: Vec<String>,
    /// Whose clock counts.
    pub clock: Clock,
}

/// Where the time of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// The program prints it, and a checksum; without one, its standard error is what it computed.
    Printed,
    /// From the start of the process to its end; all that it prints is what it computed.
    Wall,
}

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Rounds over the contenders.
    pub rounds: usize,
    /// Seconds that one process may take.
    pub limit: f64,
    /// Contenders whose time is longer than this take part in the first round only.
    pub slow: f64,
    /// Quotient of times from which further rounds decide.
    pub doubt: f64,
}

/// What one loop showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The loop.
    pub name: String,
    /// Least seconds of each contender.
    pub seconds: BTreeMap<Contender, f64>,
    /// Contenders whose bytes are not the original's.
    pub different: Vec<Contender>,
    /// Contenders that did not end well.
    pub failed: Vec<String>,
}

/// What is wrong with a program beside being slow: no build, a failed run, other bytes.
pub fn defect(broken: Option<&str>, times: Option<&Times>) -> Option<String> {
    if let Some(broken) = broken {
        return Some(format!("does not compile: {broken}"));
    }
    let times = times?;
    match (times.failed.first(), times.different.as_slice()) {
        (Some(failed), _) => Some(format!("fails: {failed}")),
        (None, []) => None,
        (None, different) => Some(format!("other bytes: {different:?}")),
    }
}

/// Runs as many jobs as fit into a time, at least one.
pub fn batch(jobs: &[Job], effort: &Effort, seconds: f64) -> Vec<Times> {
    let started = Instant::now();
    let mut all = Vec::new();
    for job in jobs {
        all.push(measure(job, effort));
        if started.elapsed().as_secs_f64() > seconds {
            break;
        }
    }
    all
}

/// Runs one job.
pub fn measure(job: &Job, effort: &Effort) -> Times {
    let mut times = Times {
        name: job.name.clone(),
        seconds: BTreeMap::new(),
        different: Vec::new(),
        failed: Vec::new(),
    };
    let mut outputs: BTreeMap<Contender, String> = BTreeMap::new();
    for _ in 0..effort.rounds.max(1) {
        round(job, effort, &mut times, &mut outputs);
    }
    if doubtful(&times, effort.doubt) {
        for _ in 0..effort.rounds {
            round(job, effort, &mut times, &mut outputs);
        }
    }
    let expected = outputs.get(&Contender::Original).cloned();
    let differs = |(contender, output): (&Contender, &String)| {
        (Some(output) != expected.as_ref()).then_some(*contender)
    };
    times.different = outputs.iter().filter_map(differs).collect();
    times
}

/// True where some contender is slower than the original by a factor.
fn doubtful(times: &Times, doubt: f64) -> bool {
    let Some(original) = times.seconds.get(&Contender::Original) else {
        return false;
    };
    times
        .seconds
        .values()
        .any(|seconds| *seconds > original * doubt)
}

fn round(job: &Job, effort: &Effort, times: &mut Times, outputs: &mut BTreeMap<Contender, String>) {
    for (contender, program) in &job.programs {
        let before = times.seconds.get(contender).copied();
        let given_up = times
            .failed
            .iter()
            .any(|failed| failed.starts_with(&format!("{contender:?}:")));
        if given_up || before.is_some_and(|seconds| seconds > effort.slow) {
            continue;
        }
        match run(*contender, program, job, effort.limit) {
            Ok((seconds, output)) => {
                let least = before.map_or(seconds, |before| before.min(seconds));
                times.seconds.insert(*contender, least);
                outputs.insert(*contender, output);
            }
            Err(error) => times.failed.push(format!("{contender:?}: {error}")),
        }
    }
}

/// One run: its time, and a text that stands for its output.
fn run(
    contender: Contender,
    program: &Path,
    job: &Job,
    limit: f64,
) -> Result<(f64, String), String> {
    let mut command = Command::new(program);
    command.args(&job.arguments);
    let bound = [("OMP_PROC_BIND", "true"), ("OMP_PLACES", "cores")];
    match contender {
        Contender::Original | Contender::One | Contender::ForcedOne => {
            command.env("OMP_NUM_THREADS", "1");
            // SAFETY: between fork and exec only system calls.
            unsafe {
                command.pre_exec(|| {
                    bind_to_first_core();
                    Ok(())
                })
            };
        }
        Contender::Two | Contender::ForcedTwo => {
            command.env("OMP_NUM_THREADS", "2").envs(bound);
        }
        Contender::Unbound => {}
    }
    let finished = process::run(&mut command, Duration::from_secs_f64(limit))
        .map_err(|error| error.to_string())?;
    if !finished.succeeded() {
        let last = finished.stderr.lines().last().unwrap_or_default();
        return Err(format!(
            "{} {}",
            finished.describe(),
            last.chars().take(200).collect::<String>()
        ));
    }
    if job.clock == Clock::Wall {
        let all = hash(&(finished.stdout + &finished.stderr));
        return Ok((finished.elapsed.as_secs_f64(), format!("{all:016x}")));
    }
    let seconds = finished.stdout.lines().rev().find_map(seconds);
    let checksum = finished
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("checksum "));
    let output = checksum.map_or_else(
        || format!("{:016x}", hash(&finished.stderr)),
        str::to_string,
    );
    Ok((seconds.ok_or("no time in its output")?, output))
}

/// `seconds 0.01`, or the number alone.
fn seconds(line: &str) -> Option<f64> {
    line.strip_prefix("seconds ")
        .unwrap_or(line)
        .trim()
        .parse()
        .ok()
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(scripts: &[(Contender, &str)]) -> (PathBuf, Job) {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!(
            "polytile-measure-{}-{}",
            std::process::id(),
            scripts.len()
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let mut programs = Vec::new();
        for (contender, script) in scripts {
            let program = folder.join(format!("{contender:?}"));
            std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            programs.push((*contender, program));
        }
        let job = Job {
            name: "job".to_string(),
            programs,
            arguments: vec![],
            clock: Clock::Printed,
        };
        (folder, job)
    }

    #[test]
    fn times_bytes_and_failures_are_told_apart() {
        let (folder, job) = job(&[
            (Contender::Original, "echo checksum 1; echo seconds 0.5"),
            (Contender::One, "echo checksum 1; echo seconds 0.25"),
            (Contender::Two, "echo checksum 2; echo seconds 0.125"),
            (Contender::Unbound, "echo broken >&2; exit 3"),
        ]);
        let effort = Effort {
            rounds: 2,
            limit: 10.0,
            slow: 1.0,
            doubt: 1.05,
        };
        let times = measure(&job, &effort);
        assert_eq!(times.seconds[&Contender::One], 0.25);
        assert_eq!(times.different, [Contender::Two]);
        assert_eq!(times.failed, ["Unbound: exit status 3 broken"]);
        assert!(!doubtful(&times, 1.05));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_bare_number_is_a_time_and_standard_error_an_output() {
        let (folder, job) = job(&[
            (Contender::Original, "echo 0.5; echo 1 2 3 >&2"),
            (Contender::One, "echo 0.6; echo 1 2 4 >&2"),
        ]);
        let effort = Effort {
            rounds: 1,
            limit: 10.0,
            slow: 1.0,
            doubt: 1.05,
        };
        let times = measure(&job, &effort);
        assert_eq!(times.seconds[&Contender::Original], 0.5);
        assert_eq!(times.different, [Contender::One]);
        assert!(doubtful(&times, 1.05));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_wall_clock_takes_arguments_and_compares_all_output() {
        let (folder, mut job) = job(&[
            (Contender::Original, "sleep $1; echo 1; echo 2 >&2"),
            (Contender::One, "sleep $1; echo 1; echo 2 >&2"),
            (Contender::Two, "sleep $1; echo 1; echo 3 >&2"),
            (Contender::Unbound, "sleep $1; echo 0; echo 2 >&2"),
            (Contender::ForcedOne, "exit $1"),
        ]);
        (job.arguments, job.clock) = (vec!["0".to_string()], Clock::Wall);
        let effort = Effort {
            rounds: 1,
            limit: 10.0,
            slow: 1.0,
            doubt: f64::INFINITY,
        };
        let times = measure(&job, &effort);
        assert_eq!(
            times.different,
            [Contender::Two, Contender::Unbound, Contender::ForcedOne]
        );
        assert!(times.failed.is_empty() && times.seconds.values().all(|one| *one > 0.0));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
