//! Explains a program that is compiled for it: remarks as clang writes them, and a profile as the program itself prints it.

mod common;
#[path = "common/plugin.rs"]
mod plugin;

use common::Ground;
use plugin::plugin;
use std::fs;
use std::process::Output;

const SOURCE: &str = r#"
#include <stdio.h>
enum { N = 300 };
double a[N][N], b[N][N], c[N][N];
int p[N];
__attribute__((noinline)) void scatter(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][p[j]] += b[j][i];
}
__attribute__((noinline)) void product(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
int main(void) {
  scatter(N);
  product(N);
  printf("%a\n", c[3][4]);
}
"#;

fn explained(ground: &Ground, words: &[&str]) -> Output {
    let mut command = ground.command(env!("CARGO_BIN_EXE_polytile"));
    let command = command.arg("explain").args(words);
    command.output().expect("polytile starts")
}

fn text(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_compilation_is_explained_the_hottest_nest_first() {
    let ground = Ground::named("explained");
    let folder = &ground.folder;
    fs::write(folder.join("p.c"), SOURCE).expect("a source");
    let plugin = plugin();
    let words = [
        "-O3",
        "-g1",
        &plugin,
        "-fsave-optimization-record",
        "p.c",
        "-o",
        "p",
    ];
    let compiled = ground.command("clang-22").args(words).output();
    let compiled = compiled.expect("clang-22 is there");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let remarks = fs::read_dir(folder).expect("the folder");
    let remarks = remarks.map(|e| {
        e.expect("a file")
            .file_name()
            .into_string()
            .expect("a name")
    });
    let remarks = remarks
        .into_iter()
        .find(|n| n.ends_with(".opt.yaml"))
        .expect("remarks");
    let plain = text(&explained(&ground, &[&remarks]));
    let at = |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(at(&plain, ". p.c:7 in scatter\n") < at(&plain, ". p.c:12 in product\n"));
    assert!(
        plain.contains("a subscript depends on data at p.c:9:"),
        "{plain}"
    );
    assert!(plain.contains("blocks that stay in the caches"), "{plain}");
    // What the program says of itself is a profile: the product takes all the time that is known.
    let ran = ground.command("./p").env("POLYTILE_VERBOSE", "1").output();
    fs::write(folder.join("profile"), ran.expect("it runs").stderr).expect("a profile");
    let hot = text(&explained(&ground, &[&remarks, "--profile", "profile"]));
    assert!(
        hot.contains("1. p.c:12 in product, 100 % of the time in nests\n"),
        "{hot}"
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    let ground = Ground::named("unexplained");
    let folder = &ground.folder;
    let said = |words: &[&str]| {
        let output = explained(&ground, words);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    fs::write(folder.join("p.c"), "int main;\n").expect("a file");
    fs::write(folder.join("none.yaml"), "").expect("a file");
    let remark = "--- !Passed\nPass: polytile\nName: Transformed\nFunction: f\nArgs:\n...\n";
    fs::write(folder.join("one.yaml"), remark).expect("a file");
    assert!(said(&["absent.yaml"]).contains("error: remarks file 'absent.yaml' cannot be read"));
    assert!(said(&["p.c"]).contains("error: 'p.c' is no remarks file, line 1"));
    assert!(said(&["none.yaml"]).contains("'none.yaml' has no remarks of Polytile; compile with"));
    assert!(said(&["one.yaml", "--profile", "absent"]).contains("profile 'absent' cannot be read"));
    assert!(
        said(&["one.yaml", "--profile", "p.c"]).contains("'p.c' names no line and no function")
    );
}
