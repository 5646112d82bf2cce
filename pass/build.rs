//! Compiles the C++ shim against the headers of LLVM 22. Nothing links libLLVM: its symbols come from the host process.

use std::path::Path;
use std::process::Command;

const SOURCES: &[&str] = &[
    "plugin.cpp",
    "options.cpp",
    "analyses.cpp",
    "evolution.cpp",
    "remaining.cpp",
    "clone.cpp",
    "contraction.cpp",
    "sections.cpp",
    "whole.cpp",
    "selected.cpp",
    "folded.cpp",
    "lanes.cpp",
    "left.cpp",
    "reloaded.cpp",
    "instruction.cpp",
    "remark.cpp",
    "switch.cpp",
    "counter.cpp",
    "closed.cpp",
    "collapsed.cpp",
    "compared.cpp",
    "rotated.cpp",
    "united.cpp",
    "locals.cpp",
    "looked_up.cpp",
    "blocks.cpp",
    "runtime.cpp",
    "called.cpp",
    "parted.cpp",
    "ragged.cpp",
    "abreast.cpp",
    "inclusive.cpp",
    "inlined.cpp",
    "inspect.cpp",
    "described.cpp",
    "divided.cpp",
    "rowcells.cpp",
    "rows.cpp",
    "chosen.cpp",
    "starts.cpp",
    "strides.cpp",
    "running.cpp",
    "subscripts.cpp",
    "sunk.cpp",
    "swapped.cpp",
    "mirrored.cpp",
    "landings.cpp",
    "dead.cpp",
    "same.cpp",
];

fn main() {
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .cpp_link_stdlib(None)
        .compiler(compiler())
        .flag("-std=c++17")
        .flag("-isystem")
        .flag(include_dir())
        .flags(["-fno-exceptions", "-fno-rtti", "-fvisibility=hidden"])
        .flags(["-fvisibility-inlines-hidden", "-Wno-unused-parameter"])
        .define("NDEBUG", None)
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .opt_level(2);
    for source in SOURCES {
        build.file(Path::new("shim").join(source));
    }
    build.compile("polytile_shim");
}

/// clang of the same version where there is one (it compiles the headers faster), else what `cc` would take.
fn compiler() -> String {
    let fits = Command::new("clang++-22").arg("--version").output();
    match std::env::var("CXX") {
        Ok(named) => named,
        Err(_) if fits.is_ok_and(|o| o.status.success()) => "clang++-22".into(),
        Err(_) => "g++".into(),
    }
}

fn include_dir() -> String {
    let config = std::env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-22".into());
    let out = Command::new(&config)
        .arg("--includedir")
        .output()
        .unwrap_or_else(|e| panic!("{config} cannot be run ({e}): install llvm-22-dev"));
    String::from_utf8_lossy(&out.stdout).trim().to_string()
}
