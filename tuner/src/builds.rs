//! Builds of the program: the user's own command, with the plugin and its options given through the environment.
//!
//! The plugin is added to what clang and flang are called with by `CCC_OVERRIDE_OPTIONS` and `FCC_OVERRIDE_OPTIONS`, which their drivers
//! read, so that any build serves: a compiler, make, a script. A command that names the plugin already is fine: one file loaded twice
//! is one plugin. Options go through `POLYTILE`, behind those that the user has set.

use crate::process::{self, Ended};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The first build may take so long.
const FIRST: Duration = Duration::from_secs(3600);

/// Each other one so many times as long, and [`MORE`] on top.
const TIMES: f64 = 10.0;

/// See [`TIMES`].
const MORE: Duration = Duration::from_secs(10);

/// Makes and keeps builds.
pub struct Builds {
    command: Vec<String>,
    plugin: PathBuf,
    program: PathBuf,
    folder: PathBuf,
    limit: Duration,
    made: BTreeMap<String, Built>,
    count: usize,
}

/// A build that was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The program.
    pub program: PathBuf,
}

/// Debug information is added to a build that only lists candidates: lines of the source, for readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// As the user's command says.
    AsBuilt,
    /// Lines are wanted.
    Wanted,
}

impl Builds {
    /// By a command that makes `program`; programs are put aside in `folder`.
    ///
    /// # Errors
    /// The plugin's path cannot be told to the compiler.
    pub fn new(
        command: &[String],
        plugin: &Path,
        program: &Path,
        folder: &Path,
    ) -> Result<Builds, String> {
        if plugin.to_string_lossy().contains(char::is_whitespace) {
            return Err(format!(
                "the plugin's path '{}' has a space, which compilers take for the end of an option; copy or link the plugin to a path without",
                plugin.display()
            ));
        }
        Ok(Builds {
            command: command.to_vec(),
            plugin: plugin.to_path_buf(),
            program: program.to_path_buf(),
            folder: folder.to_path_buf(),
            limit: FIRST,
            made: BTreeMap::new(),
            count: 0,
        })
    }

    /// The build with these options, made if it is not there yet.
    ///
    /// # Errors
    /// How the command failed, or that it made no program.
    pub fn build(&mut self, options: &str) -> Result<Built, String> {
        if let Some(built) = self.made.get(options) {
            return Ok(built.clone());
        }
        self.run(options, Lines::AsBuilt)?;
        self.count += 1;
        let aside = self.folder.join(format!("program-{}", self.count));
        fs::copy(&self.program, &aside)
            .map_err(|e| format!("'{}' cannot be copied: {e}", self.program.display()))?;
        let built = Built { program: aside };
        self.made.insert(options.to_owned(), built.clone());
        Ok(built)
    }

    /// Runs the build command; the program is where the command puts it.
    ///
    /// # Errors
    /// How the command failed, or that it made no program.
    pub fn run(&mut self, options: &str, lines: Lines) -> Result<(), String> {
        // What an earlier build has made is no result of this one.
        let _ = fs::remove_file(&self.program);
        let shown = self.command.join(" ");
        let ended = process::run(&mut self.command(options, lines), self.limit).map_err(|e| {
            format!("the build command '{shown}' cannot be started: {e}; give it behind '--'")
        })?;
        if !ended.succeeded() {
            return Err(failed(&shown, options, &ended));
        }
        if !self.program.exists() {
            return Err(format!(
                "the build command '{shown}' makes no '{}'; name the program that it makes with --program, and let it build whatever is there already (make -B)",
                self.program.display()
            ));
        }
        if self.limit == FIRST {
            self.limit = Duration::from_secs_f64(ended.seconds * TIMES) + MORE;
        }
        Ok(())
    }

    fn command(&self, options: &str, lines: Lines) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        command.env("POLYTILE", joined(&variable("POLYTILE"), options));
        for name in ["CCC_OVERRIDE_OPTIONS", "FCC_OVERRIDE_OPTIONS"] {
            command.env(name, overrides(&variable(name), &self.plugin, lines));
        }
        command
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Options behind those that there are.
pub fn joined(before: &str, options: &str) -> String {
    match (before.trim_end_matches(';'), options) {
        ("", options) => options.to_owned(),
        (before, "") => before.to_owned(),
        (before, options) => format!("{before};{options}"),
    }
}

/// Edits of a compiler's command line: `# ` keeps them from being printed, `+` adds a word.
fn overrides(before: &str, plugin: &Path, lines: Lines) -> String {
    let plugin = plugin.display();
    let before = before.strip_prefix('#').unwrap_or(before).trim();
    let lines = match lines {
        Lines::AsBuilt => "",
        Lines::Wanted => " +-gline-tables-only",
    };
    format!("# {before} +-fpass-plugin={plugin}{lines}")
}

fn failed(command: &str, options: &str, ended: &Ended) -> String {
    let with = match options {
        "" => String::new(),
        options => format!(" with POLYTILE='{options}'"),
    };
    format!(
        "the build command '{command}'{with} failed: {}{}",
        ended.how(),
        ended.last_words()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn words(command: &[&str]) -> Vec<String> {
        command.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn options_stand_behind_those_of_the_user() {
        assert_eq!(joined("", "choose=0"), "choose=0");
        assert_eq!(joined("parallel=off;", "choose=0"), "parallel=off;choose=0");
        assert_eq!(joined("parallel=off", ""), "parallel=off");
    }

    #[test]
    fn compilers_are_told_of_the_plugin() {
        let plugin = Path::new("/p/libpolytile.so");
        assert_eq!(
            overrides("", plugin, Lines::Wanted),
            "#  +-fpass-plugin=/p/libpolytile.so +-gline-tables-only"
        );
        assert_eq!(
            overrides("# x-O2", plugin, Lines::AsBuilt),
            "# x-O2 +-fpass-plugin=/p/libpolytile.so"
        );
    }

    #[test]
    fn builds_are_put_aside_and_made_once() {
        let scratch = Scratch::new("builds").unwrap();
        let program = scratch.path().join("program");
        let script = format!(
            "printf '%s' \"$POLYTILE\" >{0}; echo x >>{0}.log",
            program.display()
        );
        let command = words(&["sh", "-c", &script]);
        let plugin = Path::new("/p.so");
        let mut builds = Builds::new(&command, plugin, &program, scratch.path()).unwrap();
        let one = builds.build("choose=1").unwrap();
        let two = builds.build("choose=2").unwrap();
        assert_eq!(builds.build("choose=1").unwrap(), one);
        let text = |b: &Built| fs::read_to_string(&b.program).unwrap();
        assert!(text(&one).ends_with("choose=1"), "{}", text(&one));
        assert!(text(&two).ends_with("choose=2"), "{}", text(&two));
        let log = fs::read_to_string(program.with_extension("log")).unwrap();
        assert_eq!(log, "x\nx\n");
    }

    #[test]
    fn what_a_build_does_wrong_is_said() {
        let scratch = Scratch::new("bad-builds").unwrap();
        let program = scratch.path().join("program");
        let error = |command: &[&str]| {
            let plugin = Path::new("/p.so");
            let builds = Builds::new(&words(command), plugin, &program, scratch.path());
            builds.unwrap().build("choose=0").unwrap_err()
        };
        assert!(
            error(&["true"]).contains("makes no"),
            "{}",
            error(&["true"])
        );
        assert!(error(&["true"]).contains("--program"));
        let said = error(&["sh", "-c", "echo no such >&2; exit 3"]);
        assert!(said.contains("exit status 3\n    no such"), "{said}");
        assert!(error(&["/nonexistent"]).contains("cannot be started"));
        let spaced = Builds::new(
            &words(&["true"]),
            Path::new("/a b.so"),
            &program,
            scratch.path(),
        );
        assert!(spaced.is_err_and(|e| e.contains("'/a b.so' has a space")));
    }
}
