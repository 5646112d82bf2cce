//! Makes the pictures of docs/: a product of matrices and the program of the tutorial, tuned for real. Run by hand, from the project's folder:
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
    /// The report of a source in the folder, which is tuned; `run`: how its program is run.
    fn tuned(&self, name: &str, run: &str) -> PathBuf {
        let (source, yaml, html) = (
            format!("{name}.c"),
            format!("{name}.opt.yaml"),
            format!("{name}.html"),
        );
        let build = [
            "clang-22",
            "-O3",
            "-march=native",
            "-g1",
            "-fopenmp",
            &source,
            "-o",
            name,
        ];
        let mut tune = self.command(env!("CARGO_BIN_EXE_polytile"));
        tune.args(["tune", "--quiet", "--budget", "40", "--run", run, "--"])
            .args(build);
        let mut compile = self.command(build[0]);
        compile
            .args(&build[1..])
            .args([&plugin(), "-fsave-optimization-record"]);
        compile.env(
            "POLYTILE",
            format!("db={name}.polytile.jsonl;candidates={name}.list"),
        );
        let mut report = self.command(env!("CARGO_BIN_EXE_polytile"));
        report.args(["report", &yaml, "--candidates", &format!("{name}.list")]);
        report.args(["--db", &format!("{name}.polytile.jsonl"), "-o", &html]);
        for mut command in [tune, compile, report] {
            let done = command.output().expect("it starts");
            assert!(done.status.success(), "{done:?}");
        }
        self.folder.join(html)
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
    fs::copy(
        root().join("examples/smooth.c"),
        ground.folder.join("smooth.c"),
    )
    .expect("a source");
    let (product, smooth) = (
        ground.tuned("product", "./product"),
        ground.tuned("smooth", "./smooth 1000"),
    );
    b.size(1200, 800);
    b.media("", "light");
    b.load(&smooth, "");
    shot(b, "report.png");
    b.load(&product, "");
    open(b, "Iterations");
    b.value("const box = shown().querySelector('.orders'), time = box.querySelector('input'); time.value = time.max * .6; time.dispatchEvent(new Event('input'))");
    shot(b, "report-iterations.png");
    b.media("", "dark");
    open(b, "Bound");
    shot(b, "report-bound.png");
    b.size(375, 800);
    b.load(&smooth, "#n2");
    shot(b, "report-phone.png");
}
