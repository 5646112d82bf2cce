//! How the tests of measured programs build theirs.

use std::path::Path;

/// Behind `clang-22` and what names the output.
pub const BUILD: &[&str] = &[
    "clang-22",
    "-O3",
    "-march=x86-64-v3",
    "-fopenmp",
    "p.c",
    "-o",
    "p",
];

/// The option that loads the plugin beside the program `polytile`.
pub fn plugin() -> String {
    let plugin = Path::new(env!("CARGO_BIN_EXE_polytile")).with_file_name("libpolytile.so");
    assert!(
        plugin.exists(),
        "no plugin at {}: run cargo build --release --workspace first",
        plugin.display()
    );
    format!("-fpass-plugin={}", plugin.display())
}
