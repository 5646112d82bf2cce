//! Measuring processes: their environment, their rounds, their limits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::build::Object;
use super::child::{Caches, Measurement};
use super::contender::Contender;
use super::peaks::{self, Peaks, Streams};
use crate::process;

/// How much is measured.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Rounds over all contenders of a kernel.
    pub rounds: usize,
    /// Runs in one process at most.
    pub repetitions: usize,
    /// No further run in a process after this many seconds of runs.
    pub seconds: f64,
    /// A contender whose run takes longer than this takes part in the first round only.
    pub slow_seconds: f64,
    /// Limit of one process.
    pub limit: Duration,
    /// Cold or warm caches.
    pub caches: Caches,
}

/// What became of one contender on one kernel.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It ran.
    Measured(Vec<Measurement>),
    /// It did not, for this reason.
    Failed(String),
    /// It has no source for this kernel.
    Absent,
}

/// A process that measures: this program again, with OpenMP's and OpenBLAS's settings.
pub(super) fn child(threads: usize) -> Result<Command, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    command
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("OMP_PROC_BIND", "true")
        .env("OMP_PLACES", "cores")
        .env("OPENBLAS_NUM_THREADS", threads.to_string());
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    if let Some(core_type) = peaks::openblas_core_type(&cpuinfo) {
        command.env("OPENBLAS_CORETYPE", core_type);
    }
    Ok(command)
}

/// Runs a measuring process and reads what it prints.
pub(super) fn answer<Answer: DeserializeOwned>(
    command: &mut Command,
    limit: Duration,
) -> Result<Answer, String> {
    let finished = process::run(command, limit).map_err(|error| error.to_string())?;
    if !finished.succeeded() {
        let last = finished
            .stderr
            .lines()
            .last()
            .unwrap_or_default()
            .to_string();
        return Err(format!("{} {last}", finished.describe()).trim().to_string());
    }
    let last = finished.stdout.lines().last().unwrap_or_default();
    serde_json::from_str(last).map_err(|error| format!("unreadable answer `{last}`: {error}"))
}

/// Measures the machine with a number of threads: its loops and OpenBLAS in a process each, because OpenMP binds the
/// process and OpenBLAS's threads would inherit that.
pub fn peaks(object: &Path, threads: usize) -> Result<Peaks, String> {
    let limit = Duration::from_secs(120);
    let mut loops = child(threads)?;
    loops.arg("measure-peaks").arg("--object").arg(object);
    let mut dgemm = child(threads)?;
    dgemm.arg("measure-dgemm");
    Ok(Peaks {
        dgemm: answer(&mut dgemm, limit)?,
        ..answer(&mut loops, limit)?
    })
}

/// Measures the memory's streams with a number of threads.
fn streams(object: &Path, threads: usize) -> Result<Streams, String> {
    let mut command = child(threads)?;
    command.arg("measure-streams").arg("--object").arg(object);
    answer(&mut command, Duration::from_secs(60))
}

/// Measures one contender once.
fn measure(
    contender: &Contender,
    object: &Object,
    sizes: &[i32],
    effort: &Effort,
) -> Result<Measurement, String> {
    let sizes: Vec<String> = sizes.iter().map(i32::to_string).collect();
    let caches = effort.caches.to_string();
    let mut command = child(contender.threads)?;
    command
        .args([
            "measure-kernel",
            "--sizes",
            &sizes.join(","),
            "--caches",
            &caches,
        ])
        .args([
            "--repetitions",
            &effort.repetitions.to_string(),
            "--seconds",
            &effort.seconds.to_string(),
        ])
        .arg("--object")
        .arg(&object.path);
    if contender.threads == 1 {
        command.arg("--bind");
    }
    answer(&mut command, effort.limit)
}

/// Told every single measurement: the round, the contender, its least time or why it failed.
pub type Progress<'a> = dyn FnMut(usize, &Contender, Result<f64, &str>) + 'a;

/// Measures all contenders of one kernel in interleaved rounds. `progress` is told every single measurement. Where the
/// data come from memory, each round measures the streams too: the best of each, by number of threads.
pub fn rounds(
    contenders: &[Contender],
    objects: &[Result<Option<Object>, String>],
    (sizes, loops): (&[i32], &Path),
    effort: &Effort,
    progress: &mut Progress,
) -> Result<(Vec<Outcome>, BTreeMap<usize, Streams>), String> {
    let mut best: BTreeMap<usize, Streams> = BTreeMap::new();
    let counts: BTreeSet<usize> = match effort.caches {
        Caches::Cold => contenders.iter().map(|one| one.threads).collect(),
        Caches::Warm => BTreeSet::new(),
    };
    let mut outcomes: Vec<Outcome> = objects
        .iter()
        .map(|object| match object {
            Ok(Some(_)) => Outcome::Measured(Vec::new()),
            Ok(None) => Outcome::Absent,
            Err(error) => Outcome::Failed(format!("compilation: {error}")),
        })
        .collect();
    for round in 0..effort.rounds.max(1) {
        for &threads in &counts {
            let now = streams(loops, threads)?;
            let all = best.entry(threads).or_insert(now);
            *all = all.best(now);
        }
        for ((contender, object), outcome) in contenders.iter().zip(objects).zip(&mut outcomes) {
            let (Outcome::Measured(measured), Ok(Some(object))) = (&mut *outcome, object) else {
                continue;
            };
            if round > 0
                && measured
                    .iter()
                    .any(|one| least(&one.times) > effort.slow_seconds)
            {
                continue;
            }
            match measure(contender, object, sizes, effort) {
                Ok(measurement) => {
                    progress(round, contender, Ok(least(&measurement.times)));
                    measured.push(measurement);
                }
                Err(error) => {
                    progress(round, contender, Err(&error));
                    *outcome = Outcome::Failed(error);
                }
            }
        }
    }
    Ok((outcomes, best))
}

/// The least of some times.
pub fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}
