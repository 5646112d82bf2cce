//! Tunes a small program for real, with the plugin beside the program `polytile` (`cargo build --release --workspace` makes both). No time
//! is expected to be this or that: what is looked at are bytes, samples and remarks.

#[path = "common/clang.rs"]
mod clang;
mod common;
#[path = "common/plugin.rs"]
mod plugin;

use clang::BUILD;
use common::Ground;
use plugin::plugin;
use polytile_records::Record;
use polytile_records::database::{self, Outcome};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A product of matrices and a sum, with what they come to in print.
const SOURCE: &str = r#"
#include <stdio.h>
enum { N = 160 };
static double a[N][N], b[N][N], c[N][N];
__attribute__((noinline)) static void product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
int main(int argc, char **argv) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * j % 7 / 4.0, b[i][j] = (i + 2 * j) % 5 - 1.5;
  for (int r = 0; r < 3; r++)
    product(N - (argc > 5));
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = sum * 0.5 + c[i][j];
  printf("%a\n", sum);
}
"#;

impl Ground {
    /// A folder with the program's source.
    fn new(name: &str) -> Ground {
        let ground = Ground::named(name);
        fs::write(ground.folder.join("p.c"), SOURCE).expect("a source");
        ground
    }

    /// `polytile tune` with a run command and more words.
    fn tune(&self, run: &str, words: &[&str], build: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_polytile"));
        command.args(["tune", "--run", run]).args(words).arg("--");
        command.args(build).output().expect("polytile starts")
    }

    /// What a program prints; it is compiled by clang with these words more.
    fn printed(&self, options: &str, words: &[&str]) -> (Vec<u8>, String) {
        let mut clang = self.command("clang-22");
        clang.args(BUILD.iter().skip(1)).args(["-o", "compiled"]);
        clang.args(words).env("POLYTILE", options);
        let compiled = clang.output().expect("clang-22 is there");
        let remarks = String::from_utf8_lossy(&compiled.stderr).into_owned();
        assert!(compiled.status.success(), "{remarks}");
        let ran = self.command("./compiled").output().expect("it runs");
        (ran.stdout, remarks)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

fn records(file: &Path) -> Vec<Record> {
    let text = fs::read_to_string(file).expect("a database");
    let (records, bad) = database::parse(&text);
    assert!(bad.is_empty(), "{bad:?}");
    records
}

#[test]
fn a_program_is_tuned_and_the_database_serves_its_compilations() {
    let ground = Ground::new("tuned");
    let plugin = plugin();
    let tuned = ground.tune(
        "./p",
        &["--budget", "20", "--rounds", "2", "--threads", "2"],
        BUILD,
    );
    let told = String::from_utf8_lossy(&tuned.stdout);
    let errors = String::from_utf8_lossy(&tuned.stderr);
    assert!(tuned.status.success(), "{errors}");
    assert!(told.contains("p.c:6 (product)"), "{told}");
    let db = ground.file("p.polytile.jsonl");
    let records = records(&db);
    let product = records
        .iter()
        .find(|r| r.function == "product")
        .expect("its record");
    assert_eq!((product.threads, product.line), (2, Some(6)));
    let measured = product
        .candidates
        .iter()
        .filter(|c| c.outcome == Outcome::Measured);
    for c in measured.clone() {
        assert!(
            !c.samples.is_empty() && c.samples.len() == c.original.len(),
            "{c:?}"
        );
        assert!(
            c.samples.iter().chain(&c.original).all(|s| *s > 0.0),
            "{c:?}"
        );
    }
    assert!(measured.count() > 0, "{product:?}");
    // Of the three calls, in whichever version they ran.
    let alone = product.candidates.iter().filter_map(|c| c.alone);
    assert!(
        alone.clone().count() > 1 && alone.clone().all(|a| a.entries == 3 && a.seconds > 0.0),
        "{product:?}"
    );
    let wrong = |r: &&Record| {
        let mut outcomes = r.candidates.iter().map(|c| c.outcome);
        outcomes.any(|o| {
            matches!(
                o,
                Outcome::OtherOutput | Outcome::NotBuilt | Outcome::Failed
            )
        })
    };
    assert_eq!(records.iter().find(wrong), None);
    // The program is the tuned one, and prints what a plain compilation prints.
    let (expected, _) = ground.printed("", &[]);
    let own = ground.command("./p").output().expect("it runs");
    assert_eq!(own.stdout, expected);
    let option = format!("db={}", db.display());
    let remarks = ["-Rpass=polytile", "-Rpass-missed=polytile", &plugin];
    let (printed, said) = ground.printed(&option, &remarks);
    assert_eq!(printed, expected);
    let used = match product.chosen {
        0 => "the original was the fastest",
        _ => "loop nest transformed by database",
    };
    assert!(said.contains(used), "{said}");
    // What is broken is told and does no harm.
    let whole = fs::read_to_string(&db).expect("the database");
    fs::write(&db, &whole[..whole.len() / 2]).expect("half of it");
    let (printed, said) = ground.printed(&option, &remarks);
    assert_eq!(printed, expected);
    assert!(said.contains("remark: database '"), "{said}");
}

/// The error of a call that has to fail and leave program and folder as they were.
fn refused(name: &str, run: &str, words: &[&str], build: &[&str]) -> String {
    let ground = Ground::new(name);
    fs::write(ground.file("p"), "as it was").expect("a file");
    let ended = ground.tune(run, words, build);
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{errors}");
    assert!(ended.stdout.is_empty());
    let kept = fs::read_to_string(ground.file("p")).expect("the file");
    assert_eq!(kept, "as it was");
    let names = fs::read_dir(&ground.folder).expect("the folder");
    let mut names: Vec<_> = names.map(|e| e.expect("a file").file_name()).collect();
    names.sort();
    assert_eq!(names, ["p", "p.c"], "{errors}");
    errors
}

#[test]
fn what_is_wrong_is_said_and_everything_stays() {
    plugin();
    let said = refused("run", "./p; exit 3", &[], BUILD);
    assert!(
        said.contains("'./p; exit 3' fails with the original"),
        "{said}"
    );
    let said = refused("random", "./p; date +%N", &[], BUILD);
    assert!(said.contains("something else in each run"), "{said}");
    let said = refused("source", "./p", &[], &["clang-22", "q.c", "-o", "p"]);
    assert!(said.contains("'clang-22 q.c -o p'"), "{said}");
    assert!(said.contains("no such file or directory: 'q.c'"), "{said}");
    let said = refused("output", "./p", &[], &["true"]);
    assert!(
        said.contains("makes no './p'") && said.contains("--program"),
        "{said}"
    );
    let said = refused("other", "./p", &[], &["gcc", "p.c", "-o", "p"]);
    assert!(said.contains("the plugin did not run"), "{said}");
    let said = refused("plugin", "./p", &["--plugin", "/nonexistent.so"], BUILD);
    assert!(said.contains("'/nonexistent.so'"), "{said}");
    let unwritable = ["--db", "/nonexistent/db", "--budget", "0.1"];
    let said = refused("db", "./p", &unwritable, BUILD);
    assert!(
        said.contains("'/nonexistent/db' cannot be written"),
        "{said}"
    );
}
