//! Makes the pictures of docs/: of the program of the tutorial, of a stencil in place, and of a product of matrices, which is tuned for real. Run by hand, from the project's folder:
//!
//! ```text
//! cargo test --release -p polytile-tuner --test browser -- --ignored
//! ```

use super::common::Ground;
use super::devtools::Browser;
use super::plugin::plugin;
use super::root;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use std::fs;
use std::path::PathBuf;

/// A product of matrices, large enough to be measured.
const PRODUCT: &str = "#include <stdio.h>
enum { N = 700 };
static double a[N][N], b[N][N], c[N][N];
__attribute__((noinline)) void product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
int main(int count, char **words) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * j % 7 / 4.0, b[i][j] = (i + 2 * j) % 5 - 1.5;
  product(N - (count > 5));
  printf(\"%a\\n\", c[3][4]);
}
";

impl Ground {
    /// The report of a source in the folder; `run`: how its program is run, which is tuned then.
    fn documented(&self, name: &str, run: Option<&str>) -> PathBuf {
        let file = |ending: &str| format!("{name}.{ending}");
        let build = [
            "clang-22",
            "-O3",
            "-march=native",
            "-g1",
            "-fopenmp",
            &file("c"),
            "-o",
            name,
        ];
        let mut all = vec![];
        let (mut list, db) = (format!("candidates={name}.list"), file("polytile.jsonl"));
        let mut report = self.command(env!("CARGO_BIN_EXE_polytile"));
        report.args(["report", &file("opt.yaml"), "-o", &file("html")]);
        report.args(["--candidates", &file("list")]);
        if let Some(run) = run {
            let mut tune = self.command(env!("CARGO_BIN_EXE_polytile"));
            tune.args(["tune", "--quiet", "--budget", "40", "--run", run, "--"]);
            tune.args(build);
            all.push(tune);
            list += &format!(";db={db}");
            report.args(["--db", &db]);
        }
        let mut compile = self.command(build[0]);
        compile.args(&build[1..]);
        compile.args(["-lm", &plugin(), "-fsave-optimization-record"]);
        compile.env("POLYTILE", list);
        for mut command in all.into_iter().chain([compile, report]) {
            let done = command.output().expect("it starts");
            assert!(done.status.success(), "{done:?}");
        }
        self.folder.join(file("html"))
    }
}

/// Writes what the window shows to a file of docs/.
fn shot(b: &mut Browser, name: &str) {
    let taken = b.call("Page.captureScreenshot", json!({ "format": "png" }));
    let bytes = BASE64_STANDARD.decode(taken["data"].as_str().expect("a picture"));
    fs::write(root().join("docs").join(name), bytes.expect("base 64")).expect("a file");
}

/// Opens a view of the nest that is shown.
fn open(b: &mut Browser, view: &str) {
    b.click(
        &format!("all('[role=tab]', shown()).find(t => t.textContent === '{view}')"),
        0.5,
    );
    b.value("shown().querySelector('.tabs').scrollIntoView()");
}

#[test]
#[ignore = "writes the pictures of docs/"]
fn pictures_of_the_documentation() {
    let ground = Ground::named("pictures");
    let mut browser = ground.browser().expect("a browser");
    let b = &mut browser;
    fs::write(ground.folder.join("product.c"), PRODUCT).expect("a source");
    for file in [
        "examples/smooth.c",
        "tests/kernels/seidel-2d.c",
        "tests/kernels/kernel.h",
    ] {
        let from = root().join(file);
        let name = from.file_name().expect("a name");
        fs::copy(&from, ground.folder.join(name)).expect("a source");
    }
    let product = ground.documented("product", Some("./product"));
    let smooth = ground.documented("smooth", None);
    let seidel = ground.documented("seidel-2d", None);
    b.size(1200, 700);
    b.media("", "light");
    b.load(&smooth, "");
    shot(b, "report.png");
    b.load(&seidel, "");
    open(b, "Iterations");
    b.value("const time = shown().querySelector('input.time'); time.value = time.max * .6; time.dispatchEvent(new Event('input'))");
    shot(b, "report-iterations.png");
    b.media("", "dark");
    b.load(&product, "");
    open(b, "Bound");
    b.click(
        "all('[role=tab]', shown()).find(t => t.textContent === 'on two threads')",
        0.5,
    );
    b.value("shown().querySelector('.tabs').scrollIntoView()");
    shot(b, "report-bound.png");
    b.size(375, 760);
    b.load(&smooth, "#n2");
    b.value("shown().scrollIntoView()");
    shot(b, "report-phone.png");
}
