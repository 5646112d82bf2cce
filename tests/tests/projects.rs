//! `polytile-projects` on a project of two files, made here: builds, tests, bytes, statistics, and what it says of faults.
//!
//! The plugin is the one of the environment or the one beside this test's programs (`cargo build --release`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use polytile_tests::projects::compilers::Variant;
use polytile_tests::projects::report::Record;
use polytile_tests::toolchain;

const PROGRAM: &str = r#"#include <stdio.h>
enum { n = 60 };
double a[n][n], b[n][n], c[n][n];
void product(void);
int main(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = i * 7 % 5 + j, b[i][j] = j * 3 % 7 - i;
  product();
  for (int i = 0; i < n; i++) printf("%.17g\n", c[i][i]);
}
"#;

const PRODUCT: &str = "\
enum { n = 60 };
extern double a[n][n], b[n][n], c[n][n];
void product(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
";

/// Two tests of which one fails in all builds: that is no fault of the plugin.
const PROJECT: &str = "\
languages: C
source: folder sources
configure: $CC main.c -c -o configured.o
build:
    $CC -O2 -c main.c
    $CC -O2 -c product.c
    $CC main.o product.o -o program
prepare: echo 1 > prepared
test:
    ./program > /dev/null && echo PASS: runs
    echo FAIL: always
passed: PASS:
failed: FAIL:
compare: ./program
time: cat prepared && ./program
";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let process = std::process::id();
        let folder = std::env::temp_dir().join(format!("polytile-projects-{name}-{process}"));
        fs::create_dir_all(folder.join("sources")).unwrap();
        fs::write(folder.join("sources/main.c"), PROGRAM).unwrap();
        fs::write(folder.join("sources/product.c"), PRODUCT).unwrap();
        Self(folder)
    }

    fn project(&self, name: &str, text: &str) {
        fs::write(self.0.join(format!("{name}.project")), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let plugin = std::env::var_os("POLYTILE_PLUGIN").map(PathBuf::from);
        let plugin = toolchain::find_plugin(plugin.as_deref()).unwrap();
        Command::new(env!("CARGO_BIN_EXE_polytile-projects"))
            .arg("--plugin")
            .arg(plugin)
            .arg("--projects")
            .arg(&self.0)
            .arg("--cache")
            .arg(self.0.join("cache"))
            .args(arguments)
            .output()
            .unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn records(path: &Path) -> Vec<Record> {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_project_is_built_in_all_ways_and_compared() {
    let folder = Folder::new("good");
    folder.project("small", PROJECT);
    let json = folder.0.join("records.json");
    let json_path = json.to_str().unwrap();
    let done = folder.run(&[
        "--rounds", "1", "--builds", "2", "--files", "1", "--json", json_path,
    ]);
    assert!(
        done.status.success(),
        "{}{}",
        text(&done.stdout),
        text(&done.stderr)
    );
    let record = &records(&json)[0];
    assert_eq!(record.builds.len(), Variant::ALL.len());
    for built in record.builds.values() {
        let tests = built.tests.as_ref().unwrap();
        assert_eq!((tests.passed, tests.failed), (1, 1));
        assert_eq!(built.output.as_ref().unwrap().lines().count(), 60);
        let names: Vec<&str> = built.cost.seconds.keys().map(String::as_str).collect();
        assert_eq!(names, ["links in ", "main.c", "product.c"]);
    }
    let cost = |variant| &record.builds[&variant].cost;
    assert_eq!(cost(Variant::Alone).modules, 0);
    // Configuring is no compilation of the project.
    assert_eq!(cost(Variant::Default).modules, 2);
    assert!(cost(Variant::All).transformed > 0);
    assert!(record.times.as_ref().unwrap().different.is_empty());
    assert!(text(&done.stdout).contains("small: takes longest to compile"));
}

#[test]
fn other_bytes_fewer_tests_and_missing_parts_are_told() {
    let folder = Folder::new("bad");
    // The folder of a build is called as the build is.
    let build = r#"$(basename "$(dirname "$PWD")")"#;
    let bad = PROJECT.replace("compare: ./program", &format!("compare: echo {build}"));
    let bad = bad.replace(
        "&& echo PASS",
        &format!("&& test {build} != all && echo PASS"),
    );
    folder.project("bad", &bad);
    folder.project("needy", &format!("needs: no-such-command\n{PROJECT}"));
    let broken = PROJECT.replace("-c product.c", "-c absent.c");
    folder.project("broken", &broken);
    let done = folder.run(&["--without-times"]);
    assert_eq!(done.status.code(), Some(1));
    let said = text(&done.stdout);
    for expected in [
        "WRONG bad: default: other bytes",
        "WRONG bad: all: its tests: 0 passed, 1 failed, exit status 0",
        "WRONG bad: all: other bytes",
        "skipped needy: no-such-command is not installed",
        "skipped broken: the compiler alone does not build it: build: exit status 1",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn bad_input_gives_a_clear_error() {
    let folder = Folder::new("input");
    folder.project("small", PROJECT);
    let fault = |arguments: &[&str]| {
        let done = folder.run(arguments);
        assert_eq!(done.status.code(), Some(2));
        text(&done.stderr)
    };
    assert!(fault(&["--only", "zlib"]).contains("no project is called zlib; --list prints all"));
    assert!(fault(&["--jobs", "0"]).contains("--builds and --jobs are at least 1"));
    folder.project("wrong", "languages: C\nsorce: debian zlib\n");
    assert!(fault(&["--list"]).contains("wrong.project: line 2: no such field: sorce"));
}
