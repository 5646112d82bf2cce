//! Opens the reports of five programs from disk in a browser and clicks through them: every nest, view, picture, slider and filter, in light
//! and dark, on a phone's width, by keys alone, on paper, and without a script. Skipped where there is no browser.

mod checks;
#[path = "../common/mod.rs"]
mod common;
mod devtools;
#[path = "../common/measured.rs"]
mod measured;
mod pictures;
#[path = "../common/plugin.rs"]
mod plugin;
mod walk;

use common::Ground;
use devtools::Browser;
use plugin::plugin;
use polytile_records::{Listed, lines};
use std::fs;
use std::path::{Path, PathBuf};

/// A program whose report is opened.
struct Program {
    /// The source, in the project's folder.
    source: &'static str,
    /// Its candidates are measured, in the test's own words.
    measured: bool,
    /// Nests that have a view of this name.
    views: [(&'static str, usize); 2],
}

/// A product of matrices; a stencil in time, whose nests are left; a factorization; two nests beside one that is left; many files in one.
const PROGRAMS: [Program; 5] = [
    Program {
        source: "tests/kernels/gemm.c",
        measured: true,
        views: [("Bound", 2), ("Iterations", 2)],
    },
    Program {
        source: "tests/kernels/jacobi-2d.c",
        measured: false,
        views: [("Code", 1), ("Candidates", 1)],
    },
    Program {
        source: "tests/kernels/lu.c",
        measured: false,
        views: [("Dependences", 1), ("Script", 1)],
    },
    Program {
        source: "examples/smooth.c",
        measured: true,
        views: [("Iterations", 1), ("Bound", 1)],
    },
    Program {
        source: "tests/apps/multigrid.c",
        measured: false,
        views: [("Iterations", 3), ("Dependences", 2)],
    },
];

/// The project's folder.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent()
        .expect("the crate lies in the workspace")
        .to_owned()
}

impl Ground {
    /// Writes the report of a program into the folder.
    fn report(&self, program: &Program) -> PathBuf {
        let source = root().join(program.source);
        let name = source
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let file = |ending: &str| self.folder.join(format!("{name}.{ending}"));
        let remarks = format!("-foptimization-record-file={}", file("yaml").display());
        let compiled = (self.command("clang-22"))
            .args(["-O3", "-march=x86-64-v3", "-g1", "-fopenmp", &plugin()])
            .args(["-fsave-optimization-record", &remarks, "-c", "-o"])
            .args([&file("o"), &source])
            .env("POLYTILE", format!("candidates={}", file("list").display()))
            .output()
            .expect("clang-22 starts");
        assert!(compiled.status.success(), "{compiled:?}");
        let mut report = self.command(env!("CARGO_BIN_EXE_polytile"));
        report
            .arg("report")
            .arg(file("yaml"))
            .arg("-o")
            .arg(file("html"));
        report.arg("--candidates").arg(file("list"));
        if program.measured {
            let text = fs::read_to_string(file("list")).expect("a list");
            let regions = lines::parse::<Listed>(&text).0;
            let several = regions.iter().filter(|r| r.candidates.len() > 1);
            let records: Vec<_> = several.map(measured::record).collect();
            lines::append(&file("db"), &records).expect("a database");
            report.arg("--db").arg(file("db"));
        }
        let done = report.output().expect("polytile starts");
        assert!(done.status.success(), "{done:?}");
        file("html")
    }

    /// A browser; `None`: there is none, which is said.
    fn browser(&self) -> Option<Browser> {
        let Some(file) = devtools::found() else {
            // To the stream itself: the test's harness keeps what a test that passes prints.
            let mut out = std::io::stderr();
            let _ = std::io::Write::write_all(
                &mut out,
                b"skipped: no Chromium or Chrome is installed (on Debian: apt-get install chromium)\n",
            );
            return None;
        };
        Some(Browser::start(&file, &self.folder.join("profile")))
    }
}

#[test]
fn reports_of_five_programs_are_clicked_through() {
    let ground = Ground::named("browser");
    let Some(mut browser) = ground.browser() else {
        return;
    };
    for program in &PROGRAMS {
        let page = ground.report(program);
        browser.size(1280, 900);
        browser.media("", "light");
        browser.load(&page, "");
        let b = &mut browser;
        checks::views(b, program);
        walk::nests(b);
        walk::filters(b);
        walk::steps(b);
        walk::pictures(b);
        checks::colours(b);
        checks::keys(b);
        checks::phone(b);
        checks::heard_nothing(b, &page);
        checks::paper(b, &page);
        checks::heard_nothing(b, &page);
        checks::link(b, &page);
        checks::without_script(b, &page);
    }
}
