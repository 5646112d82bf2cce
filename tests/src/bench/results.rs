//! Times, ratios, means and noise: what a session found out, as it goes into the JSON file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::child::{Caches, Measurement, Work};
use super::contender::{Contender, Promise};
use super::peaks::{Peaks, Streams};
use super::roofline::Bound;
use super::session::{Outcome, least};

/// Everything of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The size class.
    pub size: String,
    /// Cold or warm caches.
    pub caches: Caches,
    /// The CPU's name.
    pub cpu: String,
    /// The contenders, the reference of all ratios first.
    pub contenders: Vec<Column>,
    /// The machine's peaks by number of threads.
    pub peaks: BTreeMap<usize, Peaks>,
    /// The kernels.
    pub kernels: Vec<Row>,
}

/// A contender.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its driver and flags.
    pub command: String,
    /// Threads at run time.
    pub threads: usize,
    /// What its results promise.
    pub promise: Promise,
}

impl Column {
    /// The column of a contender.
    pub fn new(contender: &Contender) -> Self {
        let recipe = &contender.recipe;
        Self {
            name: contender.name.clone(),
            command: format!("{} {}", recipe.driver, recipe.flags.join(" ")),
            threads: contender.threads,
            promise: contender.promise,
        }
    }
}

/// One kernel under all contenders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The kernel.
    pub kernel: String,
    /// Its sizes.
    pub sizes: Vec<i32>,
    /// What it costs at least.
    pub work: Option<Work>,
    /// The bound by number of threads.
    pub bounds: BTreeMap<usize, Bound>,
    /// One cell per contender.
    pub cells: Vec<Cell>,
}

/// One contender on one kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "lowercase")]
pub enum Cell {
    /// It ran.
    Measured {
        /// Least seconds of a run.
        seconds: f64,
        /// How far the rounds' least times spread, relative to the least.
        noise: f64,
        /// Times the first contender's speed.
        speedup: Option<f64>,
        /// Share of the bound.
        share: Option<f64>,
        /// Seconds of the compilation.
        compile_seconds: f64,
        /// True where the bytes are the first contender's.
        same_bytes: bool,
    },
    /// It failed.
    Failed {
        /// Why.
        reason: String,
    },
    /// It has no source for the kernel.
    Absent,
}

impl Cell {
    /// The least time, where it ran.
    pub fn seconds(&self) -> Option<f64> {
        if let Self::Measured { seconds, .. } = self {
            Some(*seconds)
        } else {
            None
        }
    }

    /// The speed-up over the first contender.
    pub fn speedup(&self) -> Option<f64> {
        if let Self::Measured { speedup, .. } = self {
            *speedup
        } else {
            None
        }
    }
}

/// The row of a kernel from its outcomes; `compile_seconds` has one entry per contender, `streams` what was measured
/// between them, by number of threads.
pub fn row(
    kernel: &str,
    sizes: &[i32],
    columns: &[Column],
    outcomes: &[Outcome],
    compile_seconds: &[f64],
    (peaks, streams): (&BTreeMap<usize, Peaks>, &BTreeMap<usize, Streams>),
    caches: Caches,
) -> Row {
    let first = |outcome: &Outcome| match outcome {
        Outcome::Measured(all) => all.first().cloned(),
        Outcome::Failed(_) | Outcome::Absent => None,
    };
    let work = outcomes
        .iter()
        .find_map(first)
        .map(|measurement| measurement.work);
    let bounds: BTreeMap<usize, Bound> = match work {
        None => BTreeMap::new(),
        Some(work) => peaks
            .iter()
            .map(|(threads, peaks)| {
                let own = streams.get(threads).copied();
                let own = own.unwrap_or_else(|| peaks.streams());
                (*threads, Bound::new(&work, peaks, own, caches))
            })
            .collect(),
    };
    let reference = outcomes
        .first()
        .and_then(first)
        .map(|measurement| measurement.hash);
    let reference_seconds = outcomes.first().and_then(best);
    let cells = outcomes
        .iter()
        .zip(columns)
        .zip(compile_seconds)
        .map(|((outcome, column), compile_seconds)| match outcome {
            Outcome::Absent => Cell::Absent,
            Outcome::Failed(reason) => Cell::Failed {
                reason: reason.clone(),
            },
            Outcome::Measured(all) => {
                let seconds = best(outcome).unwrap_or(f64::NAN);
                Cell::Measured {
                    seconds,
                    noise: noise(all),
                    speedup: reference_seconds.map(|reference| reference / seconds),
                    share: bounds
                        .get(&column.threads)
                        .map(|bound| bound.share(seconds)),
                    compile_seconds: *compile_seconds,
                    same_bytes: all.iter().all(|one| Some(&one.hash) == reference.as_ref()),
                }
            }
        })
        .collect();
    Row {
        kernel: kernel.to_string(),
        sizes: sizes.to_vec(),
        work,
        bounds,
        cells,
    }
}

fn best(outcome: &Outcome) -> Option<f64> {
    match outcome {
        Outcome::Measured(all) if !all.is_empty() => Some(
            all.iter()
                .map(|one| least(&one.times))
                .fold(f64::INFINITY, f64::min),
        ),
        _ => None,
    }
}

/// How far the least times of the rounds lie apart, relative to the least of them.
fn noise(all: &[Measurement]) -> f64 {
    let minima: Vec<f64> = all.iter().map(|one| least(&one.times)).collect();
    let most = minima.iter().copied().fold(0.0, f64::max);
    let least = least(&minima);
    if least > 0.0 && least.is_finite() {
        most / least - 1.0
    } else {
        0.0
    }
}

/// The geometric mean; `None` of nothing.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

impl Report {
    /// The geometric mean of a contender's speed-ups over the kernels on which it ran.
    pub fn mean_speedup(&self, column: usize) -> Option<f64> {
        geometric_mean(
            self.kernels
                .iter()
                .filter_map(|row| row.cells[column].speedup()),
        )
    }

    /// The geometric mean of a contender's compile times relative to the first contender's.
    pub fn mean_compile_ratio(&self, column: usize) -> Option<f64> {
        let compile = |cell: &Cell| match cell {
            Cell::Measured {
                compile_seconds, ..
            } => Some(*compile_seconds),
            Cell::Failed { .. } | Cell::Absent => None,
        };
        geometric_mean(
            self.kernels
                .iter()
                .filter_map(|row| Some(compile(&row.cells[column])? / compile(&row.cells[0])?)),
        )
    }

    /// The geometric mean of the best speed-up per kernel among the columns that a test accepts.
    pub fn mean_of_best(&self, accept: impl Fn(&Column) -> bool) -> Option<f64> {
        let best = |row: &Row| {
            let among = row
                .cells
                .iter()
                .zip(&self.contenders)
                .filter(|(_, column)| accept(column));
            among
                .filter_map(|(cell, _)| cell.speedup())
                .reduce(f64::max)
        };
        geometric_mean(self.kernels.iter().filter_map(best))
    }

    /// The kernels and contenders whose bytes differ although equal ones are promised, and those that failed.
    pub fn broken_promises(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for row in &self.kernels {
            for (cell, column) in row.cells.iter().zip(&self.contenders) {
                match cell {
                    Cell::Measured {
                        same_bytes: false, ..
                    } if column.promise == Promise::SameBytes => {
                        broken.push(format!(
                            "{}: {} computes other bytes",
                            row.kernel, column.name
                        ));
                    }
                    Cell::Failed { reason } if column.promise == Promise::SameBytes => {
                        broken.push(format!("{}: {} failed: {reason}", row.kernel, column.name));
                    }
                    _ => {}
                }
            }
        }
        broken
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench::child::Arithmetic;

    fn measured(times: &[f64], hash: &str) -> Outcome {
        let work = Work {
            operations: 2e9,
            bytes: 1e6,
            written: 0.0,
            chain_fused: 0.0,
            chain_additions: 0.0,
            chain_divisions: 0.0,
            element: Arithmetic::F64,
        };
        let one = |time: &f64| Measurement {
            times: vec![*time, 2.0 * time],
            hash: hash.to_string(),
            work,
        };
        Outcome::Measured(times.iter().map(one).collect())
    }

    /// A report of one kernel under three contenders.
    pub(in crate::bench) fn report() -> Report {
        let column = |name: &str, threads, promise| Column {
            name: name.to_string(),
            command: String::new(),
            threads,
            promise,
        };
        let columns = vec![
            column("clang", 1, Promise::SameBytes),
            column("peer", 2, Promise::Any),
            column("polytile-2", 2, Promise::SameBytes),
        ];
        let peaks = |rate| Peaks {
            operations: [(Arithmetic::F64, rate)].into(),
            triad: 1e10,
            update: 1e10,
            read: 1e10,
            fused: 1e-9,
            addition: 1e-9,
            division: 1e-9,
            dgemm: Some(rate * 0.9),
        };
        let peaks = BTreeMap::from([(1, peaks(1e11)), (2, peaks(2e11))]);
        let outcomes = [
            measured(&[0.4, 0.5], "a"),
            measured(&[0.2], "b"),
            measured(&[0.02], "c"),
        ];
        let row = row(
            "gemm",
            &[1, 2],
            &columns,
            &outcomes,
            &[0.1, 0.2, 0.4],
            (&peaks, &BTreeMap::new()),
            Caches::Cold,
        );
        Report {
            size: "LARGE".to_string(),
            caches: Caches::Cold,
            cpu: "a CPU".to_string(),
            contenders: columns,
            peaks,
            kernels: vec![row],
        }
    }

    #[test]
    fn a_row_has_ratios_shares_and_noise() {
        let report = report();
        let Cell::Measured {
            seconds,
            noise,
            speedup,
            share,
            same_bytes,
            ..
        } = report.kernels[0].cells[0]
        else {
            panic!("it was measured");
        };
        assert!((seconds - 0.4).abs() < 1e-12 && (noise - 0.25).abs() < 1e-12 && same_bytes);
        assert_eq!(speedup, Some(1.0));
        assert!((share.unwrap() - 0.05).abs() < 1e-12);
        assert!((report.kernels[0].cells[2].speedup().unwrap() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn means_and_promises() {
        let report = report();
        assert!((report.mean_compile_ratio(2).unwrap() - 4.0).abs() < 1e-9);
        assert!(
            (report
                .mean_of_best(|column| column.promise == Promise::Any)
                .unwrap()
                - 2.0)
                .abs()
                < 1e-9
        );
        assert_eq!(
            report.broken_promises(),
            ["gemm: polytile-2 computes other bytes"]
        );
        assert!((geometric_mean([2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean([]), None);
    }

    #[test]
    fn a_report_survives_json() {
        let report = report();
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }
}
