//! Runs of a build: the user's own command, with the build in the program's place; what it puts out, and how long it takes.

use crate::builds::Built;
use crate::process;
use crate::scratch::placed;
use crate::told::by_hash;
use polytile_records::database::Alone;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How programs are run.
pub struct Runs {
    /// A line for a shell.
    pub command: String,
    /// The program that it runs.
    pub program: PathBuf,
    /// What `OMP_NUM_THREADS` is.
    pub threads: usize,
    /// Files that it writes, which are compared as well.
    pub compared: Vec<PathBuf>,
    /// How long a run may take.
    pub limit: Duration,
}

/// What a program puts out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    stdout: Vec<u8>,
    /// In the order of [`Runs::compared`].
    files: Vec<Vec<u8>>,
}

impl Output {
    /// Where another one differs first, in words.
    pub fn difference(&self, other: &Output, names: &[PathBuf]) -> Option<String> {
        let parts = std::iter::once((
            "the standard output".to_owned(),
            &self.stdout,
            &other.stdout,
        ));
        let files = names.iter().zip(self.files.iter().zip(&other.files));
        let files = files.map(|(name, (a, b))| (format!("'{}'", name.display()), a, b));
        parts
            .chain(files)
            .find(|(_, a, b)| a != b)
            .map(|(name, a, b)| {
                let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
                format!("{name} differs at byte {same} of {}", a.len())
            })
    }
}

/// What became of a run.
#[derive(Debug)]
pub enum Ran {
    /// It ended with status 0, after so many seconds.
    Fine(Output, f64),
    /// It did not, in words.
    Failed(String),
}

impl Runs {
    /// What a build tells of its regions, by their hashes, in one run with its new versions or with the originals only; `None`: it fails, or
    /// its error stream does not come here.
    pub fn told(&self, built: &Built, originals: bool) -> Option<BTreeMap<String, Alone>> {
        placed(&built.program, &self.program).ok()?;
        let mut command = self.shell();
        command.env("POLYTILE_VERBOSE", "1");
        if originals {
            command.env("POLYTILE_DISABLE", "1");
        }
        let ended = process::run(&mut command, self.limit).ok()?;
        let told = by_hash(&String::from_utf8_lossy(&ended.stderr));
        (ended.succeeded() && !told.is_empty()).then_some(told)
    }

    /// The run command, with nothing that the user's environment says to us.
    fn shell(&self) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.command);
        command.env("OMP_NUM_THREADS", self.threads.to_string());
        for name in [
            "POLYTILE_DISABLE",
            "POLYTILE_VERBOSE",
            "POLYTILE_TILE_SIZES",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs a build, with these tile sizes if it asks for some (`POLYTILE_TILE_SIZES`).
    pub fn run(&self, built: &Built, sizes: &[i64]) -> Ran {
        match self.ran(built, sizes) {
            Ok(ran) => ran,
            Err(why) => Ran::Failed(why),
        }
    }

    fn ran(&self, built: &Built, sizes: &[i64]) -> Result<Ran, String> {
        placed(&built.program, &self.program)
            .map_err(|e| format!("'{}' cannot be written: {e}", self.program.display()))?;
        for file in &self.compared {
            // What an earlier run has written is no result of this one.
            let _ = fs::remove_file(file);
        }
        let mut command = self.shell();
        if !sizes.is_empty() {
            command.env("POLYTILE_TILE_SIZES", listed(sizes));
        }
        let ended = process::run(&mut command, self.limit).map_err(|e| format!("no shell: {e}"))?;
        if !ended.succeeded() {
            let text = format!("{}{}", ended.how(), ended.last_words());
            return Ok(Ran::Failed(text));
        }
        let files: Result<Vec<_>, String> = self.compared.iter().map(|f| contents(f)).collect();
        let output = Output {
            stdout: ended.stdout,
            files: files?,
        };
        Ok(Ran::Fine(output, ended.seconds))
    }
}

fn contents(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|e| format!("it leaves no '{}' to compare: {e}", file.display()))
}

/// `384,40`.
pub fn listed(sizes: &[i64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    sizes.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::os::unix::fs::PermissionsExt;

    fn runs(scratch: &Scratch, script: &str) -> (Runs, Built) {
        let built = Built {
            program: scratch.path().join("built"),
        };
        fs::write(&built.program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&built.program, fs::Permissions::from_mode(0o755)).unwrap();
        let program = scratch.path().join("program");
        let runs = Runs {
            command: format!("{} argument", program.display()),
            program,
            threads: 3,
            compared: vec![scratch.path().join("file")],
            limit: Duration::from_secs(10),
        };
        (runs, built)
    }

    #[test]
    fn outputs_are_standard_output_and_files() {
        let scratch = Scratch::new("runs").unwrap();
        let script =
            "echo $1 $OMP_NUM_THREADS $POLYTILE_TILE_SIZES; echo written >\"$(dirname $0)/file\"";
        let (runs, built) = runs(&scratch, script);
        let Ran::Fine(one, seconds) = runs.run(&built, &[8, 4]) else {
            panic!("it runs");
        };
        assert!(seconds > 0.0);
        assert_eq!(one.stdout, b"argument 3 8,4\n");
        assert_eq!(one.files, [b"written\n"]);
        let Ran::Fine(two, _) = runs.run(&built, &[]) else {
            panic!("it runs");
        };
        assert_eq!(one.difference(&one, &runs.compared), None);
        let said = one.difference(&two, &runs.compared).unwrap();
        assert_eq!(said, "the standard output differs at byte 10 of 15");
    }

    #[test]
    fn regions_tell_of_themselves() {
        let scratch = Scratch::new("told").unwrap();
        let script = "test \"$POLYTILE_DISABLE\" && new=0 || new=2
            test \"$POLYTILE_VERBOSE\" && echo \"polytile: f [h]: new version $new (0.5 s), original 1 (0.5 s)\" >&2";
        let (runs, built) = runs(&scratch, script);
        let entries = |originals| runs.told(&built, originals).unwrap()["h"].entries;
        assert_eq!((entries(false), entries(true)), (3, 1));
        let (runs, built) = self::runs(&scratch, "exit 0");
        assert_eq!(runs.told(&built, false), None);
    }

    #[test]
    fn failures_are_told() {
        let scratch = Scratch::new("bad-runs").unwrap();
        let (runs, built) = runs(&scratch, "exit 2");
        let Ran::Failed(why) = runs.run(&built, &[]) else {
            panic!("it fails");
        };
        assert_eq!(why, "it ended with exit status 2");
        let (runs, built) = self::runs(&scratch, "exit 0");
        let Ran::Failed(why) = runs.run(&built, &[]) else {
            panic!("a file is missing");
        };
        assert!(why.contains("leaves no"), "{why}");
    }
}
