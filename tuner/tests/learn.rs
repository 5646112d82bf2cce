//! Learns from databases that say what the model itself says with other numbers, with the plugin beside the program `polytile`: it must find its way to
//! them, and write nothing where the numbers are right or the samples are nonsense.

#[path = "common/clang.rs"]
mod clang;
mod common;
#[path = "common/plugin.rs"]
mod plugin;

use clang::BUILD;
use common::Ground;
use plugin::plugin;
use polytile_records::database::{Measured, Outcome};
use polytile_records::{Listed, Machine, Record, lines};
use std::fs;
use std::process::Output;

/// Nests that stream memory, on few and on many operations for each byte.
const SOURCE: &str = r#"
#define F __attribute__((noinline)) void
F rows(int n, double *restrict a, double (*restrict b)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[i][j];
}
F columns(int n, double *restrict a, double (*restrict b)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[j][i];
}
F both(int n, double *restrict x, double *restrict y, double *restrict u, double (*restrict b)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] += b[i][j] * u[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += b[j][i] * u[j];
}
F turned(int n, double (*restrict a)[2000], double (*restrict b)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[j][i];
}
F rank(int n, double (*restrict c)[2000], double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] += a[i] * b[j];
}
int main(void) {}
"#;

impl Ground {
    fn new(name: &str) -> Ground {
        let ground = Ground::named(&format!("learn-{name}"));
        fs::write(ground.folder.join("p.c"), SOURCE).expect("a source");
        ground
    }

    /// The regions, judged with other numbers.
    fn listed(&self, machine: Option<&Machine>) -> Vec<Listed> {
        let list = self.folder.join("list");
        let _ = fs::remove_file(&list);
        let mut options = format!("candidates={}", list.display());
        if let Some(machine) = machine {
            let file = self.folder.join("truth.json");
            fs::write(&file, machine.print()).expect("a file");
            options += &format!(";machine={}", file.display());
        }
        let mut build = self.command(BUILD[0]);
        build
            .arg(plugin())
            .args(&BUILD[1..])
            .env("POLYTILE", options);
        assert!(build.status().expect("clang starts").success());
        let text = fs::read_to_string(&list).expect("a list");
        let (regions, bad) = lines::parse(&text);
        assert!(bad.is_empty(), "{bad:?}");
        regions
    }

    /// A database of what a list predicts for two threads, changed for each nest and candidate.
    fn database(&self, regions: &[Listed], changed: impl Fn(usize, usize, f64) -> f64) {
        let records: Vec<Record> = (regions.iter().enumerate())
            .map(|(at, r)| record(r, |number, ratio| changed(at, number, ratio)))
            .collect();
        fs::write(self.folder.join("db"), lines::print(&records)).expect("a database");
    }

    fn learn(&self) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_polytile"));
        let words = [
            "learn",
            "db",
            "--program",
            "p",
            "--output",
            "machine.json",
            "--",
        ];
        command.args(words).args(BUILD);
        command.output().expect("polytile starts")
    }

    /// Whatever is learned is no gain, and said to be none.
    fn learns_nothing(&self) {
        let done = self.learn();
        let told = String::from_utf8_lossy(&done.stdout);
        assert!(
            done.status.success() && told.contains("nothing is written"),
            "{told}"
        );
        assert_eq!(self.machine(), None);
    }

    fn machine(&self) -> Option<Machine> {
        let text = fs::read_to_string(self.folder.join("machine.json")).ok()?;
        Some(Machine::parse(&text).expect("a machine"))
    }
}

fn record(r: &Listed, changed: impl Fn(usize, f64) -> f64) -> Record {
    let time = |n: usize| r.candidates[n].predicted.expect("a prediction").two;
    let candidates = (1..r.candidates.len()).map(|n| Measured {
        outcome: Outcome::Measured,
        samples: vec![changed(n, time(n) / time(0))],
        original: vec![1.0],
        ..Measured::of(&r.candidates[n])
    });
    Record {
        candidates: candidates.collect(),
        ..Record::of(r, 2, "1 s")
    }
}

/// The mean of the logarithms by which ratios on two threads differ.
fn off(own: &[Listed], truth: &[Listed]) -> f64 {
    let two = |r: &Listed, n: usize| r.candidates[n].predicted.expect("a prediction").two;
    let ratio = |r: &Listed, n: usize| (two(r, n) / two(r, 0)).ln();
    let both = own.iter().zip(truth);
    let all: Vec<f64> = both
        .flat_map(|(a, b)| (1..a.candidates.len()).map(move |n| (ratio(a, n) - ratio(b, n)).abs()))
        .collect();
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn numbers_are_learned_from_what_they_predict() {
    let ground = Ground::new("truth");
    let own = ground.listed(None);
    assert!(own.len() >= 5, "{}", own.len());
    let mut numbers = own[0].numbers.clone();
    for (name, factor) in [("memory_rate", 0.5), ("l2_rate", 0.5)] {
        *numbers.get_mut(name).expect("a number") *= factor;
    }
    let truth = ground.listed(Some(&Machine::new(&own[0].target, numbers)));
    ground.database(&truth, |_, _, ratio| ratio);
    let done = ground.learn();
    let told = String::from_utf8_lossy(&done.stdout);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(told.contains("written to machine.json"), "{told}");
    let machine = ground.machine().unwrap_or_else(|| panic!("{told}"));
    // Other numbers may explain the same times, so predictions are compared.
    let learned = off(&ground.listed(Some(&machine)), &truth);
    assert!(learned < off(&own, &truth) * 0.6, "{learned}: {told}");
    // What was built in between is gone.
    assert!(ground.folder.join("p").exists(), "it was there before");
}

#[test]
fn numbers_that_are_right_stay() {
    let ground = Ground::new("right");
    ground.database(&ground.listed(None), |_, _, ratio| ratio);
    ground.learns_nothing();
}

#[test]
fn nonsense_is_not_learned() {
    let ground = Ground::new("nonsense");
    let own = ground.listed(None);
    // Nests that are fitted say the contrary of those that are held out.
    let mut hashes: Vec<&str> = own.iter().map(|r| r.hash.as_str()).collect();
    hashes.sort_unstable();
    let held = |at: usize| hashes.iter().position(|h| *h == own[at].hash).unwrap() % 3 == 2;
    ground.database(&own, |at, _, ratio| {
        ratio * if held(at) { 0.6 } else { 1.6 }
    });
    ground.learns_nothing();
}

#[test]
fn too_few_nests_and_no_database_are_said() {
    let ground = Ground::new("few");
    let done = ground.learn();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("database 'db' cannot be read"), "{said}");
    let own = ground.listed(None);
    ground.database(&own[..2], |_, _, ratio| ratio);
    let done = ground.learn();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success());
    assert!(
        said.contains("has samples of 2 nests that this build has"),
        "{said}"
    );
}
