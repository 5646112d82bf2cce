//! One program tried under one choice of options.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::generate::Generated;
use super::print;
use super::random::Random;
use crate::process::{self, Finished};
use crate::toolchain::{self, Compiler, Level};

/// The new version always runs, in parallel where it can, and a failing self-check stops the compilation.
const ALWAYS: &str = "min-work=0;parallel-min-us=0;verify=on";

/// Options of the plugin, flags of the compiler and threads of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The level at which the plugin runs.
    pub level: Level,
    /// `POLYTILE`.
    pub plugin: String,
    /// Flags for both compilations.
    pub flags: Vec<String>,
    /// Threads of the transformed program.
    pub threads: usize,
}

impl Options {
    /// Random options: tile sizes 1 to 7, every fusion policy, 1 to 3 threads; the new version always runs.
    pub fn random(random: &mut Random) -> Self {
        let sizes: Vec<String> = (0..random.range(1, 4))
            .map(|_| random.range(1, 7).to_string())
            .collect();
        let mut plugin = vec![ALWAYS.to_string()];
        if random.chance(80) {
            plugin.push(format!("tile-sizes={}", sizes.join(",")));
        }
        if random.chance(75) {
            plugin.push(format!(
                "fusion={}",
                random.pick(&["none", "smart", "max", "original"])
            ));
        }
        if random.chance(40) {
            plugin.push(format!("parallel={}", random.pick(&["on", "off"])));
        }
        for (percent, rare) in [
            (15, "second-level=on"),
            (15, "vectorize=off"),
            (5, "tile=off"),
            (10, "select=measure"),
        ] {
            if random.chance(percent) {
                plugin.push(rare.to_string());
            }
        }
        let flags: &[&[&str]] = &[
            &[],
            &[],
            &[],
            &["-ffp-contract=off"],
            &["-fno-math-errno"],
            &["-fwrapv"],
            &["-fno-strict-aliasing"],
        ];
        Self {
            level: random.weighted(&[(1, Level::O1), (4, Level::O2), (6, Level::O3)]),
            plugin: plugin.join(";"),
            flags: random
                .pick(flags)
                .iter()
                .map(|flag| flag.to_string())
                .collect(),
            threads: random.range(1, 3) as usize,
        }
    }
}

/// What a trial showed.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// The same bytes.
    Same,
    /// The plugin's program fails or differs.
    Defect(Defect),
    /// clang itself differs between the levels, or fails: nothing is learned about the plugin.
    Unusable(String),
}

/// A defect of the plugin.
#[derive(Debug, Clone)]
pub enum Defect {
    /// The compiler failed or took too long.
    Compile(Finished),
    /// The program failed or took too long.
    Run(Finished),
    /// These lines of the report differ: expected and actual.
    Different(Vec<(String, String)>),
}

impl Defect {
    /// True where two defects are of one kind, so that a reduction keeps what it reduces.
    pub fn same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compile(finished) => write!(
                f,
                "compilation failed: {}\n{}",
                finished.describe(),
                finished.stderr
            ),
            Self::Run(finished) => write!(
                f,
                "run failed: {}\n{}",
                finished.describe(),
                finished.stderr
            ),
            Self::Different(lines) => {
                write!(f, "different bytes (run, array, hash):")?;
                lines
                    .iter()
                    .try_for_each(|(expected, actual)| write!(f, "\n  {expected}  but  {actual}"))
            }
        }
    }
}

/// The tools of a trial.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The compiler with the plugin.
    pub compiler: Compiler,
    /// Limit of a compilation.
    pub compile_limit: Duration,
    /// Limit of a run.
    pub run_limit: Duration,
}

impl Bench {
    /// Tries a program; `folder` holds the files and stays.
    pub fn run(
        &self,
        generated: &Generated,
        options: &Options,
        folder: &Path,
    ) -> Result<Verdict, String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let source = folder.join("program.c");
        fs::write(&source, print::print(generated)).map_err(|error| error.to_string())?;
        let reference = match self.build_and_run(
            &self.compiler.reference(),
            Level::O1,
            options,
            folder,
            "reference",
        )? {
            Ok(output) => output,
            Err(defect) => return Ok(Verdict::Unusable(format!("reference: {defect}"))),
        };
        let compiler = Compiler {
            options: options.plugin.clone(),
            ..self.compiler.clone()
        };
        let defect =
            match self.build_and_run(&compiler, options.level, options, folder, "polytile")? {
                Ok(output) if output == reference => return Ok(Verdict::Same),
                Ok(output) => Defect::Different(differing_lines(&reference, &output)),
                Err(defect) => defect,
            };
        // Only a program on which clang's levels agree says something about the plugin.
        match self.build_and_run(
            &self.compiler.reference(),
            options.level,
            options,
            folder,
            "clang",
        )? {
            Ok(output) if output == reference => Ok(Verdict::Defect(defect)),
            Ok(_) => Ok(Verdict::Unusable(
                "clang differs between its levels".to_string(),
            )),
            Err(other) => Ok(Verdict::Unusable(format!("clang: {other}"))),
        }
    }

    /// Compiles `program.c` of a folder into `name` and runs it; its output, or how that failed.
    fn build_and_run(
        &self,
        compiler: &Compiler,
        level: Level,
        options: &Options,
        folder: &Path,
        name: &str,
    ) -> Result<Result<String, Defect>, String> {
        let program = folder.join(name);
        let mut compile = compiler.command(level);
        compile
            .args(&options.flags)
            .arg(folder.join("program.c"))
            .arg("-o")
            .arg(&program)
            .arg("-lm");
        let line = format!("{}\n", toolchain::shell_line(&compile));
        fs::write(folder.join(format!("{name}.command")), line)
            .map_err(|error| error.to_string())?;
        let compiled =
            process::run(&mut compile, self.compile_limit).map_err(|error| error.to_string())?;
        if !compiled.succeeded() {
            return Ok(Err(Defect::Compile(compiled)));
        }
        let mut command = Command::new(&program);
        command
            .env("OMP_NUM_THREADS", options.threads.to_string())
            .env("OMP_WAIT_POLICY", "passive");
        let finished =
            process::run(&mut command, self.run_limit).map_err(|error| error.to_string())?;
        Ok(if finished.succeeded() {
            Ok(finished.stdout)
        } else {
            Err(Defect::Run(finished))
        })
    }
}

fn differing_lines(expected: &str, actual: &str) -> Vec<(String, String)> {
    expected
        .lines()
        .zip(actual.lines())
        .filter(|(left, right)| left != right)
        .map(|(left, right)| (left.to_string(), right.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_follow_the_seed_and_stay_in_range() {
        let of = |seed| Options::random(&mut Random::new(seed));
        assert_eq!(of(5), of(5));
        for seed in 0..200 {
            let options = of(seed);
            assert!((1..=3).contains(&options.threads));
            assert!(options.plugin.starts_with(ALWAYS));
            if let Some((_, sizes)) = options.plugin.split_once("tile-sizes=") {
                let sizes = sizes.split(';').next().unwrap();
                assert!(
                    sizes
                        .split(',')
                        .all(|size| (1..=7).contains(&size.parse::<i32>().unwrap()))
                );
            }
        }
    }

    #[test]
    fn differing_lines_are_paired() {
        let lines = differing_lines("0 A0 1\n0 A1 2\n", "0 A0 1\n0 A1 3\n");
        assert_eq!(lines, [("0 A1 2".to_string(), "0 A1 3".to_string())]);
    }
}
