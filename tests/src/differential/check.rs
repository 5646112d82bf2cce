//! Compiling, running and comparing one build.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::failure::{self, Dump, Failure};
use super::layout::Layout;
use super::plan::Item;
use super::sizes::SizeSet;
use crate::catalog::Kernel;
use crate::process::{self, Finished};
use crate::toolchain::{self, Aliasing, Arrays, Build, Compiler, Level, Placement};

/// Time limits.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Of one compilation.
    pub compile: Duration,
    /// Of one run.
    pub run: Duration,
}

/// Where and how things are compiled and run.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The compiler with the plugin (without it where clang itself is checked).
    pub compiler: Compiler,
    /// The time limits.
    pub limits: Limits,
    /// A folder for programs; each job uses a folder of its own in it.
    pub scratch: PathBuf,
    /// Where the artefacts of failures are kept.
    pub keep: PathBuf,
}

/// The hashes that a program printed: of its output arrays, and of all arrays where all are live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    /// Of the outputs.
    pub outputs: String,
    /// Of every array.
    pub arrays: Option<String>,
}

impl Hashes {
    /// True where everything that both sides hashed is equal.
    pub fn agree(&self, other: &Self) -> bool {
        let arrays = match (&self.arrays, &other.arrays) {
            (Some(left), Some(right)) => left == right,
            _ => true,
        };
        arrays && self.outputs == other.outputs
    }
}

/// The reference program of one kernel and array layout, with its hashes for every set of sizes.
#[derive(Debug, Clone)]
pub struct Reference {
    program: PathBuf,
    hashes: BTreeMap<Vec<i32>, Hashes>,
}

/// The build of the reference: a plain external function at -O1.
fn reference_build(arrays: Arrays) -> Build {
    Build {
        placement: Placement::Noinline,
        arrays,
        aliasing: Aliasing::Plain,
        level: Level::O1,
    }
}

/// Compiles and runs the reference of a kernel.
pub fn reference(
    setting: &Setting,
    kernel: &Kernel,
    arrays: Arrays,
    extents: &[i32],
    sets: &[SizeSet],
) -> Result<Reference, String> {
    let suite_of_arrays = if arrays == Arrays::Vla {
        "vla"
    } else {
        "const"
    };
    let program = setting
        .scratch
        .join(format!("reference-{}-{suite_of_arrays}", kernel.name));
    let build = reference_build(arrays);
    let mut command = toolchain::compile_program(
        &setting.compiler.reference(),
        &build,
        extents,
        &kernel.source,
        &program,
    );
    let complain = |what: &str, finished: &Finished| {
        format!(
            "reference of {}: {what}: {}\n{}",
            kernel.name,
            finished.describe(),
            finished.stderr
        )
    };
    let compiled =
        process::run(&mut command, setting.limits.compile).map_err(|error| error.to_string())?;
    if !compiled.succeeded() {
        return Err(complain("compilation", &compiled));
    }
    let mut hashes = BTreeMap::new();
    for set in sets {
        let finished = process::run(
            &mut run_command(&program, Some(&set.sizes), 1, Layout::APART, None),
            setting.limits.run,
        )
        .map_err(|error| error.to_string())?;
        let printed = parse_hashes(&finished.stdout).filter(|_| finished.succeeded());
        hashes.insert(
            set.sizes.clone(),
            printed.ok_or_else(|| complain("run", &finished))?,
        );
    }
    Ok(Reference { program, hashes })
}

/// What one program showed.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Runs that wrote the reference's bytes.
    pub passed: usize,
    /// Defects; at most one per set of sizes, because the others would say the same.
    pub failures: Vec<Failure>,
    /// The folders with the artefacts.
    pub kept: Vec<PathBuf>,
}

/// Compiles one program, runs it with all its sizes and threads, and compares.
pub fn check(
    setting: &Setting,
    item: &Item,
    index: usize,
    reference: &Reference,
) -> Result<Outcome, String> {
    let folder = setting.scratch.join(format!("build-{index}"));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join("program");
    let compiler = Compiler {
        options: item.options.clone(),
        ..setting.compiler.clone()
    };
    let mut command = toolchain::compile_program(
        &compiler,
        &item.build,
        &item.extents,
        &item.kernel.source,
        &program,
    );
    let compiled =
        process::run(&mut command, setting.limits.compile).map_err(|error| error.to_string())?;
    let mut outcome = Outcome::default();
    let context = Context {
        setting,
        item,
        index,
        folder: &folder,
        compile: toolchain::shell_line(&command),
    };
    if compiled.succeeded() {
        for set in &item.sets {
            context.check_set(set, &program, reference, &mut outcome)?;
        }
    } else {
        context.record(Failure::Compile(compiled), "", &mut outcome)?;
    }
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(outcome)
}

/// One program's identity during its check.
struct Context<'a> {
    setting: &'a Setting,
    item: &'a Item,
    index: usize,
    folder: &'a Path,
    compile: String,
}

impl Context<'_> {
    /// Runs one set of sizes with every thread count, each with another layout of the arrays; the first failure ends the
    /// set.
    fn check_set(
        &self,
        set: &SizeSet,
        program: &Path,
        reference: &Reference,
        outcome: &mut Outcome,
    ) -> Result<(), String> {
        let expected = reference
            .hashes
            .get(&set.sizes)
            .ok_or("a set of sizes without a reference")?;
        let given =
            (self.item.build.placement != Placement::Inline).then_some(set.sizes.as_slice());
        for (number, &threads) in self.item.threads.iter().enumerate() {
            let layout = Layout::of_run(self.index + number, set);
            let run = format!("[{}] {threads} threads, {layout}", join(&set.sizes));
            let mut command = run_command(program, given, threads, layout, None);
            let finished = process::run(&mut command, self.setting.limits.run)
                .map_err(|error| error.to_string())?;
            let hashes = parse_hashes(&finished.stdout).filter(|_| finished.succeeded());
            let failure = match hashes {
                Some(hashes) if hashes.agree(expected) => None,
                Some(_) => {
                    let place = self.locate(set, program, given, (threads, layout), reference)?;
                    Some(Failure::Different { run, place })
                }
                None => Some(Failure::Run { run, finished }),
            };
            match failure {
                None => outcome.passed += 1,
                Some(failure) => {
                    return self.record(failure, &toolchain::shell_line(&command), outcome);
                }
            }
        }
        Ok(())
    }

    /// Runs both programs again with dumps and says where they differ first.
    fn locate(
        &self,
        set: &SizeSet,
        program: &Path,
        given: Option<&[i32]>,
        (threads, layout): (u32, Layout),
        reference: &Reference,
    ) -> Result<String, String> {
        let dump = |name: &str| self.folder.join(name);
        let run = |command: &mut Command| {
            process::run(command, self.setting.limits.run).map_err(|error| error.to_string())
        };
        let actual = run(&mut run_command(
            program,
            given,
            threads,
            layout,
            Some(&dump("actual.bin")),
        ))?;
        let expected = run(&mut run_command(
            &reference.program,
            Some(&set.sizes),
            1,
            Layout::APART,
            Some(&dump("expected.bin")),
        ))?;
        let read = |name: &str| fs::read(dump(name)).map_err(|error| error.to_string());
        Ok(failure::first_difference(
            Dump {
                listing: &expected.stdout,
                bytes: &read("expected.bin")?,
            },
            Dump {
                listing: &actual.stdout,
                bytes: &read("actual.bin")?,
            },
        ))
    }

    /// Adds a failure and keeps its artefacts.
    fn record(&self, failure: Failure, run: &str, outcome: &mut Outcome) -> Result<(), String> {
        let name = format!(
            "{}-{}-{}",
            self.item.kernel.name,
            self.index,
            outcome.failures.len()
        );
        let commands = format!("{}\n{run}\n", self.compile);
        let kept = failure::keep(&self.setting.keep, &name, &commands, &failure, self.folder)
            .map_err(|error| format!("{}: {error}", self.setting.keep.display()))?;
        outcome.kept.push(kept);
        outcome.failures.push(failure);
        Ok(())
    }
}

/// A run of a program: sizes on its command line, threads in its environment. Threads that wait sleep, because several
/// programs run at once here.
fn run_command(
    program: &Path,
    sizes: Option<&[i32]>,
    threads: u32,
    layout: Layout,
    dump: Option<&Path>,
) -> Command {
    let mut command = Command::new(program);
    command.args(sizes.unwrap_or_default().iter().map(i32::to_string));
    command.args(layout.arguments());
    if let Some(dump) = dump {
        command.arg("-o").arg(dump);
    }
    command
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("OMP_WAIT_POLICY", "passive");
    command
}

fn parse_hashes(stdout: &str) -> Option<Hashes> {
    let line = |name: &str| {
        stdout
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .map(|hash| hash.trim().to_string())
    };
    Some(Hashes {
        outputs: line("outputs ")?,
        arrays: line("arrays "),
    })
}

fn join(sizes: &[i32]) -> String {
    sizes
        .iter()
        .map(i32::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_compare_what_both_sides_have() {
        let all = parse_hashes("outputs 1\narrays 2\n").unwrap();
        let outputs = parse_hashes("outputs 1\n").unwrap();
        let other = parse_hashes("outputs 1\narrays 3\n").unwrap();
        assert!(all.agree(&outputs) && outputs.agree(&all));
        assert!(!all.agree(&other));
        assert!(parse_hashes("arrays 2\n").is_none());
    }
}
