//! The steps of one build of a project: configure, build, prepare, test, compare.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::catalog::Project;
use super::compilers::{CONFIGURING, Compilers, Settings, Variant};
use super::cost::Cost;
use crate::process::{self, Finished};

/// What the tests of a project came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tests {
    /// The command's status is zero.
    pub succeeded: bool,
    /// Tests that passed, where they are told apart.
    pub passed: usize,
    /// Tests that failed.
    pub failed: usize,
    /// How the command ended.
    pub end: String,
}

/// A project as it was built once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Built {
    /// What the compilations cost.
    pub cost: Cost,
    /// What its tests came to.
    pub tests: Option<Tests>,
    /// What it prints.
    pub output: Option<String>,
    /// A command that prints the same again, to be timed.
    pub timed: Option<PathBuf>,
}

/// How much is done.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Run the projects' own tests.
    pub tests: bool,
    /// Jobs of make at a time.
    pub jobs: usize,
    /// Times that each project is built; of each file the least seconds count.
    pub builds: usize,
    /// Take builds that are there as they are.
    pub reuse: bool,
    /// Time that one step may take.
    pub limit: Duration,
}

/// One build of a project.
pub struct Place<'a> {
    project: &'a Project,
    effort: &'a Effort,
    compilers: Compilers,
    /// The copy of the sources.
    sources: PathBuf,
    folder: PathBuf,
}

impl<'a> Place<'a> {
    /// A folder for a build, with its compilers.
    pub fn new(
        project: &'a Project,
        effort: &'a Effort,
        settings: &Settings,
        variant: Variant,
        cache: &Path,
    ) -> Result<Self, String> {
        let folder = cache
            .join("builds")
            .join(&project.name)
            .join(variant.to_string());
        let compilers = Compilers::write(settings, variant, &folder.join("bin"))?;
        Ok(Self {
            project,
            effort,
            compilers,
            sources: folder.join("src"),
            folder,
        })
    }

    /// Copies the sources and makes the project; what it cost.
    pub fn build(&self, sources: &Path) -> Result<Cost, String> {
        let done = self.folder.join("cost.json");
        let error = |error: std::io::Error| format!("{}: {error}", done.display());
        if self.effort.reuse && done.exists() {
            let text = fs::read_to_string(&done).map_err(error)?;
            return serde_json::from_str(&text).map_err(|e| format!("{}: {e}", done.display()));
        }
        let _ = fs::remove_file(&done);
        self.make(sources)?;
        let cost = self.cost()?;
        // Written last: a build that is there is whole.
        let text = serde_json::to_string(&cost).map_err(|error| error.to_string())?;
        fs::write(&done, text).map_err(error)?;
        Ok(cost)
    }

    fn make(&self, sources: &Path) -> Result<(), String> {
        for old in [self.compilers.seconds(), self.compilers.stats()] {
            if old.exists() {
                fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
            }
        }
        if self.sources.exists() {
            fs::remove_dir_all(&self.sources)
                .map_err(|error| format!("{}: {error}", self.sources.display()))?;
        }
        copy(sources, &self.sources)?;
        if let Some(own) = &self.project.own {
            copy(own, &self.sources.join("polytile"))?;
        }
        self.step("configure", &self.project.configure)?;
        self.step("build", &self.project.build)?;
        Ok(())
    }

    fn cost(&self) -> Result<Cost, String> {
        Cost::read(
            &self.compilers.seconds(),
            &self.compilers.stats(),
            &self.sources,
        )
    }

    /// Tests and outputs of what was built.
    pub fn run(&self, cost: Cost) -> Result<Built, String> {
        self.step("prepare", &self.project.prepare)?;
        let tests = self.effort.tests && !self.project.test.is_empty();
        let tests = tests.then(|| self.test()).transpose()?;
        let compared = !self.project.compare.is_empty();
        let output = compared
            .then(|| self.step("compare", &self.project.compare))
            .transpose()?
            .map(|finished| finished.stdout);
        let timed = !self.project.time.is_empty();
        let timed = timed.then(|| self.script("time", &self.project.time));
        Ok(Built {
            cost,
            tests,
            output,
            timed: timed.transpose()?,
        })
    }

    fn test(&self) -> Result<Tests, String> {
        let finished = self.attempt("test", &self.project.test)?;
        let count = |mark: &Option<String>| {
            let Some(mark) = mark else { return 0 };
            let lines = finished.stdout.lines().chain(finished.stderr.lines());
            lines.filter(|line| line.contains(mark.as_str())).count()
        };
        Ok(Tests {
            succeeded: finished.succeeded(),
            passed: count(&self.project.passed),
            failed: count(&self.project.failed),
            end: finished.describe(),
        })
    }

    /// Runs one step to its end.
    fn step(&self, name: &str, commands: &str) -> Result<Finished, String> {
        let finished = self.attempt(name, commands)?;
        if finished.succeeded() {
            return Ok(finished);
        }
        Err(format!(
            "{name}: {}: {}\n  all that was said: {}",
            finished.describe(),
            fault(&finished),
            self.folder.join(format!("{name}.log")).display()
        ))
    }

    /// Runs one step; what it said goes to a file, too.
    fn attempt(&self, name: &str, commands: &str) -> Result<Finished, String> {
        let script = self.script(name, commands)?;
        let finished = process::run(&mut Command::new(script), self.effort.limit)
            .map_err(|error| format!("{name}: {error}"))?;
        let path = self.folder.join(format!("{name}.log"));
        let log = fs::File::create(&path).and_then(|mut file| {
            file.write_all(finished.stdout.as_bytes())?;
            file.write_all(finished.stderr.as_bytes())
        });
        log.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(finished)
    }

    /// Commands as a program that may be started anywhere.
    fn script(&self, name: &str, commands: &str) -> Result<PathBuf, String> {
        let mut text =
            "#!/bin/bash\nset -e\nset -o pipefail\nunset MAKEFLAGS POLYTILE\n".to_string();
        for (variable, value) in self.compilers.variables() {
            text += &format!("export {variable}='{value}'\n");
        }
        for variable in ["CFLAGS", "CXXFLAGS", "FFLAGS", "FCFLAGS"] {
            text += &format!("export {variable}='-O3 -march=native'\n");
        }
        text += &format!("export JOBS={} LC_ALL=C\n", self.effort.jobs);
        if name == "configure" {
            text += &format!("export {CONFIGURING}=1\n");
        }
        text += &format!("cd '{}'\n{commands}", self.sources.display());
        let path = self.folder.join(format!("{name}.sh"));
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        fs::write(&path, text).map_err(error)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(error)?;
        Ok(path)
    }
}

/// The line that is most likely to say what went wrong.
fn fault(finished: &Finished) -> String {
    let lines = || finished.stderr.lines().chain(finished.stdout.lines());
    let told = ["error: ", "rror:", "panicked", "rror"];
    let found = told
        .iter()
        .find_map(|word| lines().find(|line| line.contains(word)));
    let last = || finished.stderr.lines().last();
    found
        .or_else(last)
        .unwrap_or_default()
        .chars()
        .take(300)
        .collect()
}

/// `cp -a` keeps time stamps, by which make decides.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    let mut command = Command::new("cp");
    command.arg("-a").arg(from).arg(to);
    let finished = process::run(&mut command, Duration::from_secs(600))
        .map_err(|error| format!("cp: {error}"))?;
    match finished.succeeded() {
        true => Ok(()),
        false => Err(format!("cp: {}", finished.stderr.trim())),
    }
}
