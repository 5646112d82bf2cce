//! The programs of a folder of PolyBench/C, which its user brings along.
//!
//! Two forms are measured: *as it is*, where the kernel is a static function that the compiler inlines into `main` behind
//! the initialisation, with constant sizes; and *out of line*, where it is an external function that is not inlined. The
//! sources are copied with two changes at most: the kernel's storage class, and the format in which arrays are dumped
//! (all digits, so that equal text means equal bytes).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::plan::Program;
use crate::process;

/// Where the kernel functions stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// As PolyBench has them: static, inlined.
    AsItIs,
    /// External functions that are not inlined.
    OutOfLine,
}

impl Form {
    /// Its name in the names of programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsItIs => "as-it-is",
            Self::OutOfLine => "out-of-line",
        }
    }

    fn rewrite(self, text: &str) -> String {
        let exact = text
            .replace("\"%0.2lf \"", "\"%a \"")
            .replace("\"%0.2f \"", "\"%a \"");
        match self {
            Self::AsItIs => exact,
            Self::OutOfLine => exact.replace(
                "static\nvoid kernel_",
                "__attribute__((noinline))\nvoid kernel_",
            ),
        }
    }
}

/// The programs of a folder in some forms, copied into a scratch folder.
pub fn programs(
    folder: &Path,
    forms: &[Form],
    size: &str,
    driver: &str,
    scratch: &Path,
) -> Result<Vec<Program>, String> {
    let folder = folder
        .canonicalize()
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let utilities = folder.join("utilities");
    let timer = timer(&utilities, driver, scratch)?;
    let mut sources = Vec::new();
    collect(&folder, &mut sources).map_err(|error| format!("{}: {error}", folder.display()))?;
    sources.sort_by_key(|source| source.file_stem().map(|stem| stem.to_os_string()));
    if sources.is_empty() {
        return Err(format!("{}: no program of PolyBench/C", folder.display()));
    }
    let mut all = Vec::new();
    for form in forms {
        for source in &sources {
            let copy = copy(source, *form, scratch)
                .map_err(|error| format!("{}: {error}", source.display()))?;
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            all.push(Program {
                name: format!("{}/{stem}", form.name()),
                flags: flags(&utilities, size),
                link: vec![timer.display().to_string(), "-lm".to_string()],
                only: None,
                source: copy,
            });
        }
    }
    Ok(all)
}

fn flags(utilities: &Path, size: &str) -> Vec<String> {
    let mut flags = vec!["-I".to_string(), utilities.display().to_string()];
    flags.extend(["-DPOLYBENCH_TIME", "-DPOLYBENCH_DUMP_ARRAYS"].map(String::from));
    flags.push(format!("-D{}_DATASET", size.to_uppercase()));
    flags
}

/// PolyBench's own timer, compiled once and without the plugin.
fn timer(utilities: &Path, driver: &str, scratch: &Path) -> Result<PathBuf, String> {
    let object = scratch.join("polybench.o");
    let mut command = Command::new(driver);
    command
        .args(["-O2", "-w", "-DPOLYBENCH_TIME", "-c", "-I"])
        .arg(utilities)
        .arg(utilities.join("polybench.c"))
        .arg("-o")
        .arg(&object);
    let finished =
        process::run(&mut command, Duration::from_secs(60)).map_err(|error| error.to_string())?;
    match finished.succeeded() {
        true => Ok(object),
        false => Err(format!(
            "polybench.c does not compile:\n{}",
            finished.stderr
        )),
    }
}

/// The sources that have a header and a folder of their own name.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let source = path.join(format!("{name}.c"));
            if source.exists() && source.with_extension("h").exists() {
                sources.push(source);
            } else {
                collect(&path, sources)?;
            }
        }
    }
    Ok(())
}

fn copy(source: &Path, form: Form, scratch: &Path) -> std::io::Result<PathBuf> {
    let own = scratch.join(form.name());
    fs::create_dir_all(&own)?;
    let mut target = own.clone();
    for extension in ["h", "c"] {
        let from = source.with_extension(extension);
        target = own.join(from.file_name().unwrap_or_default());
        fs::write(&target, form.rewrite(&fs::read_to_string(&from)?))?;
    }
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_moves_out_of_line_and_dumps_all_digits() {
        let text = "# define DATA_PRINTF_MODIFIER \"%0.2lf \"\nstatic\nvoid kernel_x(int n)\nstatic\nvoid print_array(int n)\n";
        let moved = Form::OutOfLine.rewrite(text);
        assert!(
            moved.contains("\"%a \"") && moved.contains("__attribute__((noinline))\nvoid kernel_x")
        );
        assert!(moved.contains("static\nvoid print_array"));
        assert!(Form::AsItIs.rewrite(text).contains("static\nvoid kernel_x"));
    }
}
