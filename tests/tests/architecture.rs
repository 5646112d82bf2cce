//! The invariants of docs/architecture.md that imports can show: which crate may name what.
//!
//! A rule is a crate, a text that its sources must not have, and the files where it may stand all the same. Comments do not
//! count: documentation may name what code may not.

use std::fs;
use std::path::{Path, PathBuf};

/// One rule.
struct Rule {
    /// Folder of the crate.
    krate: &'static str,
    /// What its sources must not name.
    forbidden: &'static [&'static str],
    /// Files, relative to the crate's sources, that may: a folder allows all below it.
    allowed: &'static [&'static str],
    /// The invariant.
    why: &'static str,
}

const LLVM: &[&str] = &["llvm_sys", "inkwell", "LLVMValueRef"];
const ISL: &[&str] = &["isl_rs", "isl_set", "isl_map", "isl_ctx"];
const STATE: &[&str] = &[
    "static mut ",
    "thread_local!",
    "OnceLock",
    "LazyLock",
    "env::var",
    "env::current_dir",
];

const RULES: &[Rule] = &[
    rule("analysis", LLVM, &[], "LLVM stops at Region"),
    rule("transform", LLVM, &[], "LLVM stops at Region"),
    rule("exchange", LLVM, &[], "LLVM stops at Region"),
    rule("exchange", ISL, &[], "isl stops at analysis::poly"),
    rule(
        "exchange",
        &["polytile_codegen", "std::fs"],
        &[],
        "forms know neither what is emitted nor where files are",
    ),
    rule("analysis", ISL, &["poly"], "isl stops at analysis::poly"),
    rule("transform", ISL, &[], "isl stops at analysis::poly"),
    rule("codegen", ISL, &[], "isl stops at analysis::poly"),
    rule("pass", ISL, &[], "isl stops at analysis::poly"),
    rule(
        "codegen",
        &["polytile_transform", "polytile_analysis::poly"],
        &[],
        "code generation knows neither sets nor decisions",
    ),
    rule(
        "analysis",
        &["polytile_transform", "polytile_codegen"],
        &[],
        "the model knows nothing of what is done with it",
    ),
    rule(
        "transform",
        &["polytile_codegen"],
        &[],
        "decisions do not depend on how they are emitted",
    ),
    rule(
        "records",
        &["polytile_", "llvm_sys", "inkwell", "isl_rs"],
        &[],
        "formats know nothing of how candidates are made",
    ),
    rule("records", STATE, &[], "no ambient state"),
    rule("analysis", STATE, &[], "no ambient state"),
    rule("transform", STATE, &[], "no ambient state"),
    rule("exchange", STATE, &[], "no ambient state"),
    rule("codegen", STATE, &[], "no ambient state"),
    rule("pass", STATE, &["entry.rs"], "no ambient state"),
    rule(
        "tuner",
        &[
            "polytile_analysis",
            "polytile_transform",
            "polytile_codegen",
            "llvm_sys",
            "inkwell",
            "isl_rs",
        ],
        &[],
        "the tuner sees the plugin as a file",
    ),
    rule(
        "tests",
        &["polytile_codegen", "use polytile::", "llvm_sys", "inkwell"],
        &[],
        "tests see the plugin as a file",
    ),
];

const fn rule(
    krate: &'static str,
    forbidden: &'static [&'static str],
    allowed: &'static [&'static str],
    why: &'static str,
) -> Rule {
    Rule {
        krate,
        forbidden,
        allowed,
        why,
    }
}

/// All Rust sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// The code of a line, without its comment.
fn code(line: &str) -> &str {
    line.find("//").map_or(line, |at| &line[..at])
}

/// Lines of a crate that break a rule.
fn broken(rule: &Rule, root: &Path) -> Vec<String> {
    let base = root.join(rule.krate).join("src");
    let mut files = vec![];
    sources(&base, &mut files);
    assert!(!files.is_empty(), "{} has no sources", base.display());
    let mut found = vec![];
    for file in files {
        let name = file.strip_prefix(&base).expect("below the base");
        if rule.allowed.iter().any(|a| name.starts_with(a)) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a readable source");
        for (at, line) in text.lines().enumerate() {
            for word in rule.forbidden.iter().filter(|w| code(line).contains(*w)) {
                let place = format!("{}/src/{}:{}", rule.krate, name.display(), at + 1);
                found.push(format!("{place}: names '{word}' ({})", rule.why));
            }
        }
    }
    found
}

#[test]
fn rooms_name_only_what_they_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace");
    let found: Vec<String> = RULES.iter().flat_map(|r| broken(r, root)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_rule_that_is_broken_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace");
    // The crate that holds isl names it; without its permission that is found.
    let strict = rule("analysis", ISL, &[], "isl stops at analysis::poly");
    assert!(!broken(&strict, root).is_empty());
    assert_eq!(code("let x = 1; // llvm_sys"), "let x = 1; ");
}
