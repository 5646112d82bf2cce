//! Compiles the run-time of emitted code to bitcode, once for x86-64 and once for all other targets, and reads the numbers that it
//! shares with code generation from its header.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const HEADER: &str = "runtime/runtime.h";

/// Subjects, a file each; what calls functions of another file comes before it.
const FILES: &[&str] = &[
    "checks", "intact", "inspect", "sweeps", "rows", "matrices", "threads", "fork", "sizes",
    "table", "select", "report", "verify",
];

/// Nothing about the machine, no library, no facts that hold only here.
const FLAGS: &[&str] = &[
    "--no-default-config",
    "-std=gnu11",
    "-O2",
    "-fPIC",
    "-ffreestanding",
    "-fno-strict-aliasing",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-ident",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Xclang",
    "-no-enable-noundef-analysis",
    "-emit-llvm",
];

fn main() {
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-env-changed=POLYTILE_CLANG");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    let clang = env::var("POLYTILE_CLANG").unwrap_or_else(|_| "clang-22".into());
    let mut list = String::new();
    for (variant, x86) in [("x86", 1), ("any", 0)] {
        let _ = writeln!(
            list,
            "pub(super) const {}: &[(&[&str], &[u8])] = &[",
            variant.to_uppercase()
        );
        for file in FILES {
            let [bitcode, text] = ["bc", "ll"].map(|kind| format!("{file}.{variant}.{kind}"));
            compile(&clang, file, x86, ("-c", &out.join(&bitcode)));
            compile(&clang, file, x86, ("-S", &out.join(&text)));
            let text = fs::read_to_string(out.join(text)).expect("what clang has written");
            let names: Vec<&str> = text.lines().filter_map(defined).collect();
            let _ = writeln!(
                list,
                "    (&{names:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{bitcode}\"))),"
            );
        }
        list.push_str("];\n");
    }
    let header = fs::read_to_string(HEADER).expect("the header of the run-time");
    let numbers: String = header.lines().filter_map(number).collect();
    fs::write(out.join("runtime.rs"), list + &numbers).expect("cargo's own folder");
}

/// The function whose definition begins in a line of LLVM's text.
fn defined(line: &str) -> Option<&str> {
    let (_, name) = line.strip_prefix("define ")?.split_once('@')?;
    name.split_once('(').map(|(name, _)| name.trim_matches('"'))
}

/// Compiles one file to bitcode (`-c`) or to text (`-S`).
fn compile(clang: &str, file: &str, x86: u32, (form, out): (&str, &Path)) {
    let done = Command::new(clang)
        .args(FLAGS)
        .arg(form)
        .arg(format!("-DPOLYTILE_X86={x86}"))
        .arg("-o")
        .arg(out)
        .arg(format!("runtime/{file}.c"))
        .status()
        .unwrap_or_else(|e| {
            panic!("{clang} cannot be run ({e}): install clang-22, or name one of LLVM 22 in POLYTILE_CLANG")
        });
    assert!(done.success(), "{clang} does not compile runtime/{file}.c");
}

/// `#define POLYTILE_NAME 12` as a constant.
fn number(line: &str) -> Option<String> {
    let (name, value) = line.strip_prefix("#define POLYTILE_")?.split_once(' ')?;
    let value: u64 = value.trim().parse().ok()?;
    Some(format!("pub(crate) const {name}: u64 = {value};\n"))
}
