//! The plugin beside the program `polytile`.

use std::path::Path;

/// The option that loads it.
pub fn plugin() -> String {
    let plugin = Path::new(env!("CARGO_BIN_EXE_polytile")).with_file_name("libpolytile.so");
    assert!(
        plugin.exists(),
        "no plugin at {}: run cargo build --release --workspace first",
        plugin.display()
    );
    format!("-fpass-plugin={}", plugin.display())
}
