//! The compilers of the four languages, with and without the plugin.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process;
use crate::toolchain::{Compiler, Level};

/// What an application is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Language {
    /// C
    C,
    /// C++
    #[serde(rename = "C++")]
    Cpp,
    /// Fortran
    Fortran,
    /// Rust
    Rust,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Fortran => "Fortran",
            Self::Rust => "Rust",
        })
    }
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::C, Self::Cpp, Self::Fortran, Self::Rust];

    /// The language of a source, by its extension.
    pub fn of(source: &Path) -> Option<Self> {
        match source.extension()?.to_str()? {
            "c" => Some(Self::C),
            "cpp" => Some(Self::Cpp),
            "f90" => Some(Self::Fortran),
            "rs" => Some(Self::Rust),
            _ => None,
        }
    }

    /// Its compiler.
    pub fn driver(self) -> &'static str {
        match self {
            Self::C => "clang-22",
            Self::Cpp => "clang++-22",
            Self::Fortran => "flang-22",
            Self::Rust => "rustc",
        }
    }

    /// Why nothing in it can be compiled here; nothing where all is well.
    pub fn obstacle(self) -> Option<String> {
        let driver = self.driver();
        let mut command = Command::new(driver);
        command.arg(if self == Self::Rust {
            "-vV"
        } else {
            "--version"
        });
        let finished = match process::run(&mut command, Duration::from_secs(60)) {
            Ok(finished) => finished,
            Err(error) => return Some(format!("{driver}: {error}")),
        };
        if !finished.succeeded() {
            return Some(format!("{driver}: {}", finished.describe()));
        }
        let fits = self != Self::Rust || finished.stdout.contains("LLVM version: 22.");
        (!fits).then(|| format!("the plugin needs an LLVM 22, and {driver} has another one"))
    }

    /// The command that makes a program of a source, up to its remarks; files on the way go to a folder.
    pub fn command(self, compiler: &Compiler, source: &Path, program: &Path) -> Command {
        let compiler = Compiler {
            driver: self.driver().to_string(),
            ..compiler.clone()
        };
        if self == Self::Rust {
            return rustc(&compiler, source, program);
        }
        let mut command = compiler.command(Level::O3);
        match self {
            Self::Cpp => {
                command.arg("-std=c++17");
            }
            Self::Fortran => {
                let folder = program.with_extension("modules");
                // Where it cannot be made, the compiler says so.
                let _ = std::fs::create_dir_all(&folder);
                command.arg("-J").arg(folder);
            }
            Self::C | Self::Rust => {}
        }
        if compiler.plugin.is_some() {
            command.args(["-Rpass=polytile", "-Rpass-missed=polytile"]);
        }
        if compiler.plugin.is_some() && self != Self::Fortran {
            command.arg("-fno-caret-diagnostics");
        }
        command.arg(source).arg("-o").arg(program).arg("-lm");
        command
    }
}

/// rustc takes plugins with unstable options, and links without the default libraries of its linker.
fn rustc(compiler: &Compiler, source: &Path, program: &Path) -> Command {
    let mut command = Command::new(&compiler.driver);
    command
        .args(["--edition", "2024", "-A", "warnings"])
        .args(["-C", "opt-level=3", "-C", "target-cpu=native"])
        // Remarks need lines, and both compilations shall do the same work.
        .args(["-C", "debuginfo=line-tables-only"])
        .env_remove("POLYTILE");
    if let Some(plugin) = &compiler.plugin {
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .arg(format!("-Zllvm-plugins={}", plugin.display()))
            .args(["-C", "remark=polytile"])
            .args(["-C", "link-arg=-Wl,--no-as-needed", "-C"])
            .arg(format!("link-arg={}", openmp()));
        if !compiler.options.is_empty() {
            command.env("POLYTILE", &compiler.options);
        }
    }
    command.arg(source).arg("-o").arg(program);
    command
}

/// The OpenMP runtime as clang links it.
pub fn openmp() -> String {
    let mut command = Command::new(Language::C.driver());
    command.arg("-print-file-name=libomp.so");
    let found = process::run(&mut command, Duration::from_secs(60));
    let path = found.map_or(String::new(), |found| found.stdout.trim().to_string());
    if path.is_empty() {
        "-lomp".to_string()
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::shell_line;

    #[test]
    fn each_language_has_its_compiler_and_the_plugin_its_options() {
        let compiler = Compiler {
            driver: String::new(),
            plugin: Some("/p/libpolytile.so".into()),
            options: "min-work=0".into(),
        };
        let line = |compiler: &Compiler, source: &str| {
            let source = Path::new(source);
            let language = Language::of(source).unwrap();
            shell_line(&language.command(compiler, source, Path::new("/nowhere/p")))
        };
        let with = line(&compiler, "a.cpp");
        assert!(with.starts_with("POLYTILE=min-work=0 clang++-22 -O3"));
        assert!(with.contains("-fpass-plugin=/p/libpolytile.so") && with.contains("-std=c++17"));
        let with = line(&compiler, "a.rs");
        assert!(
            with.contains("rustc --edition 2024")
                && with.contains("-Zllvm-plugins=/p/libpolytile.so")
        );
        let without = line(&compiler.reference(), "a.rs") + &line(&compiler.reference(), "a.c");
        assert!(!without.contains("polytile") && without.contains("clang-22 -O3"));
        assert_eq!(Language::of(Path::new("README.md")), None);
    }
}
