//! Writes a page on a program that is compiled for it, with a database that its candidates were measured for, in the test's own words.

mod common;
#[path = "common/measured.rs"]
mod measured;
#[path = "common/plugin.rs"]
mod plugin;

use common::Ground;
use measured::record;
use plugin::plugin;
use polytile_records::{Listed, lines};
use std::fs;
use std::process::Output;

const SOURCE: &str = "double a[500][500], b[500][500], c[500][500];
void product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
double effect(double);
void calls(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = effect(a[i][j]);
}
";

impl Ground {
    fn ran(&self, program: &str, words: &[&str]) -> Output {
        let mut command = self.command(program);
        command.args(words).env("POLYTILE", "candidates=list");
        command.output().expect("it starts")
    }

    fn report(&self, words: &[&str]) -> Output {
        let words: Vec<&str> = ["report"].iter().chain(words).copied().collect();
        self.ran(env!("CARGO_BIN_EXE_polytile"), &words)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).expect("a file")
    }
}

/// Elements are closed in the order in which they were opened.
fn assert_balanced(page: &str) {
    let mut open: Vec<&str> = vec![];
    for part in page.split('<').skip(1) {
        // What is compared in a script is no tag.
        if open.last() == Some(&"script") && !part.starts_with("/script") {
            continue;
        }
        let tag = &part[..part.find('>').expect("a tag ends")];
        let name = tag
            .trim_start_matches('/')
            .split(|c: char| !c.is_alphanumeric())
            .next();
        let name = name.unwrap_or_default();
        match tag {
            t if t.starts_with('!')
                || t.ends_with('/')
                || ["meta", "input", "br"].contains(&name) => {}
            t if t.starts_with('/') => assert_eq!(open.pop(), Some(name), "{tag}"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_page_has_nests_sources_measurements_and_scripts() {
    let ground = Ground::named("report");
    fs::write(ground.folder.join("p.c"), SOURCE).expect("a source");
    let plugin = plugin();
    let words = [
        "-O3",
        "-g1",
        "-fopenmp",
        &plugin,
        "-fsave-optimization-record",
        "-c",
        "p.c",
    ];
    let compiled = ground.ran("clang-22", &words);
    assert!(compiled.status.success(), "{compiled:?}");
    let (listed, bad) = lines::parse::<Listed>(&ground.text("list"));
    assert!(bad.is_empty() && !listed.is_empty(), "{bad:?}");
    let db = ground.folder.join("db");
    lines::append(&db, &[record(&listed[0])]).expect("a database");
    fs::write(ground.folder.join("profile"), "30% p.c:6\n10% p.c:12\n").expect("a profile");
    let all = [
        "p.opt.yaml",
        "--db",
        "db",
        "--candidates",
        "list",
        "--profile",
        "profile",
        "-o",
        "page.html",
    ];
    // What was measured of another source is left out where the list says what there is.
    let mut other = record(&listed[0]);
    other.scop += " ";
    other.hash = polytile_records::hash::of(&other.scop);
    lines::append(&db, &[other]).expect("a database");
    let done = ground.report(&all);
    assert!(done.status.success(), "{done:?}");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("note: 1 of 2 records in 'db'"), "{said}");
    let page = ground.text("page.html");
    assert_balanced(&page);
    for part in [
        "2 loop nests: 1 transformed, 1 left as they were.",
        "p.c:3 in product</h2>",
        "transformed</span>, 75 % of the time in nests",
        "<li class=\"left\" data-file=\"p.c\"><a href=\"#n1\">10 calls<span class=\"why\">call of &#39;effect&#39;",
        "   6          c[i][j] += a[i][k] * b[k][j];",
        "call of &#39;effect&#39;, which has effects at p.c:12",
        "250.00 ms",
        "<td class=\"number\">4.00</td>",
        "mapping S0",
        "S0: instances depend on earlier ones through c (flow anti output)",
        "c0 &lt;= ",
        "<option value=\"2\">S0, loops 2 and 3</option>",
        "\"at\":\"P0 = 14",
        "One entry at typical sizes (P0 = 500) does 250.00 M floating-point operations; the processor does at most 4.00 per cycle",
        "<circle class=\"point won\"",
        "4.00 x</td>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn what_is_wrong_is_said_and_no_page_is_written() {
    let ground = Ground::named("no-report");
    let remark = "--- !Passed\nPass: polytile\nName: Transformed\nFunction: f\nArgs:\n...\n";
    fs::write(ground.folder.join("one.yaml"), remark).expect("a file");
    fs::write(ground.folder.join("page.html"), "as it was").expect("a file");
    let said = |words: &[&str]| {
        let output = ground.report(words);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(ground.text("page.html"), "as it was");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let page = ["-o", "page.html"];
    assert!(said(&[&page[..], &["none.yaml"]].concat()).contains("'none.yaml' cannot be read"));
    let absent = [&page[..], &["one.yaml", "--db", "none"]].concat();
    assert!(said(&absent).contains("database 'none' cannot be read"));
    let absent = [&page[..], &["one.yaml", "--candidates", "none"]].concat();
    assert!(said(&absent).contains("list 'none' cannot be read"));
    let broken = [&page[..], &["one.yaml", "--candidates", "one.yaml"]].concat();
    assert!(said(&broken).contains("list 'one.yaml', line 1: "));
    let broken = [&page[..], &["one.yaml", "--db", "one.yaml"]].concat();
    assert!(said(&broken).contains("database 'one.yaml', line 1: "));
    assert!(said(&["one.yaml", "-o", "no/page"]).contains("'no/page' cannot be written"));
}
