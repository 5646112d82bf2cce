//! Shared objects and compile times.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::contender::Recipe;
use crate::catalog::Kernel;
use crate::process;
use crate::toolchain::{Aliasing, Arrays, Build, Level, Placement, definitions};

/// What is compiled, the same for every contender.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Where the kernel function stands.
    pub placement: Placement,
    /// How arrays are declared.
    pub arrays: Arrays,
    /// What is known about aliasing.
    pub aliasing: Aliasing,
    /// The sizes, which are also the constants of the source.
    pub sizes: Vec<i32>,
}

/// A compiled kernel.
#[derive(Debug, Clone)]
pub struct Object {
    /// The shared object.
    pub path: PathBuf,
    /// Least wall time of the compilation, in seconds, without linking.
    pub compile_seconds: f64,
}

/// Compiles a kernel; `rounds` times, because the least time counts. `None` where a peer's folder lacks the kernel.
pub fn compile(
    recipe: &Recipe,
    kernel: &Kernel,
    shape: &Shape,
    stem: &Path,
    rounds: usize,
    limit: Duration,
) -> Result<Option<Object>, String> {
    let Some(source) = source_of(recipe, kernel) else {
        return Ok(None);
    };
    let (object, library) = (stem.with_extension("o"), stem.with_extension("so"));
    let mut compile_seconds = f64::INFINITY;
    for _ in 0..rounds.max(1) {
        let mut command = compile_command(recipe, kernel, shape, &source);
        command.arg("-c").arg("-o").arg(&object);
        compile_seconds = compile_seconds.min(timed(&mut command, limit)?);
    }
    let mut link = Command::new(&recipe.driver);
    link.args(&recipe.flags)
        .arg("-shared")
        .arg(&object)
        .arg("-o")
        .arg(&library)
        .arg("-lm");
    timed(&mut link, limit)?;
    Ok(Some(Object {
        path: library,
        compile_seconds,
    }))
}

fn source_of(recipe: &Recipe, kernel: &Kernel) -> Option<PathBuf> {
    match &recipe.sources {
        None => Some(kernel.source.clone()),
        Some(folder) => {
            Some(folder.join(format!("{}.c", kernel.name))).filter(|source| source.exists())
        }
    }
}

fn compile_command(recipe: &Recipe, kernel: &Kernel, shape: &Shape, source: &Path) -> Command {
    let build = Build {
        placement: shape.placement,
        arrays: shape.arrays,
        aliasing: shape.aliasing,
        level: Level::O3,
    };
    let mut command = Command::new(&recipe.driver);
    command
        .args(&recipe.flags)
        .args(["-w", "-fPIC", "-DPT_SHARED"])
        .args(definitions(&build, &shape.sizes));
    if let Some(own) = kernel.source.parent() {
        command.arg("-I").arg(own);
    }
    command.arg(source).env_remove("POLYTILE");
    if !recipe.options.is_empty() {
        command.env("POLYTILE", &recipe.options);
    }
    command
}

fn timed(command: &mut Command, limit: Duration) -> Result<f64, String> {
    let finished = process::run(command, limit).map_err(|error| error.to_string())?;
    if finished.succeeded() {
        return Ok(finished.elapsed.as_secs_f64());
    }
    let first = finished.stderr.lines().next().unwrap_or_default();
    Err(format!("{}: {first}", finished.describe()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::contender;
    use crate::catalog::{default_folder, kernels};

    #[test]
    fn a_kernel_becomes_a_shared_object_with_entry_points() {
        let all = kernels(&default_folder()).unwrap();
        let gemm = all.iter().find(|kernel| kernel.name == "gemm").unwrap();
        let shape = Shape {
            placement: Placement::Noinline,
            arrays: Arrays::Const,
            aliasing: Aliasing::Plain,
            sizes: vec![5, 6, 7],
        };
        let stem = std::env::temp_dir().join(format!("polytile-bench-test-{}", std::process::id()));
        let clang = contender::clang("clang-22").recipe;
        let object = compile(&clang, gemm, &shape, &stem, 1, Duration::from_secs(60))
            .unwrap()
            .unwrap();
        // SAFETY: the object is ours and has no initialisers.
        let library = unsafe { libloading::Library::new(&object.path) }.unwrap();
        // SAFETY: the symbol has this type.
        let dimensions =
            unsafe { library.get::<unsafe extern "C" fn() -> i32>(b"pt_dimensions") }.unwrap();
        // SAFETY: the function has no requirements.
        assert_eq!(unsafe { dimensions() }, 3);
        let elsewhere = Recipe {
            sources: Some("/no/such/folder".into()),
            ..clang
        };
        assert!(
            compile(&elsewhere, gemm, &shape, &stem, 1, Duration::from_secs(60))
                .unwrap()
                .is_none()
        );
        for extension in ["o", "so"] {
            std::fs::remove_file(stem.with_extension(extension)).unwrap();
        }
    }
}
