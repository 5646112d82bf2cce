//! Compilations: objects, remarks, the model's predictions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::plan::Program;
use crate::process;
use crate::toolchain::{self, Compiler, Level};

/// The option that makes the new version run whatever the model says of it.
const FORCED: &str = "min-work=0";
/// The option that prints the model's predictions.
const PREDICTED: &str = "dump=model";

/// The compilers of a session.
#[derive(Debug, Clone)]
pub struct Compilers {
    /// With the plugin.
    pub compiler: Compiler,
    /// Whether the plugin prints its predictions.
    pub predicts: bool,
    /// Whether the new version is forced in a build of its own.
    pub forces: bool,
    /// Limit of one compilation.
    pub limit: Duration,
}

/// A version of a nest that the model judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The nest: function and line.
    pub nest: String,
    /// The candidate; the source's own is `original`.
    pub name: String,
    /// Predicted cycles on one thread.
    pub one: f64,
    /// On two.
    pub two: f64,
    /// The sizes that were assumed; empty where all are known.
    pub at: String,
    /// It is what the plugin emits.
    pub chosen: bool,
}

/// One compiled program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Built {
    /// The program.
    pub program: PathBuf,
    /// Seconds of its compilation.
    pub seconds: f64,
    /// What the plugin said of its nests.
    pub remarks: Vec<String>,
    /// What the model predicted.
    pub candidates: Vec<Candidate>,
}

/// A program without the plugin, with it, and with the new version forced. The latter two are the former ones' equals
/// where the objects are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Builds {
    /// clang alone.
    pub original: Built,
    /// With the plugin.
    pub polytile: Built,
    /// With the new version forced.
    pub forced: Built,
    /// The plugin left the object as it was.
    pub untouched: bool,
    /// Forcing changed nothing.
    pub unforced: bool,
}

/// True where the plugin knows `dump=model`.
pub fn predicts(compiler: &Compiler, folder: &Path) -> Result<bool, String> {
    let (source, object) = (folder.join("empty.c"), folder.join("empty.o"));
    fs::write(&source, "int empty;\n").map_err(|error| error.to_string())?;
    let told = Compiler {
        options: PREDICTED.to_string(),
        ..compiler.clone()
    };
    let mut command = told.command(Level::O3);
    command.arg("-c").arg(&source).arg("-o").arg(&object);
    let finished =
        process::run(&mut command, Duration::from_secs(60)).map_err(|error| error.to_string())?;
    Ok(finished.succeeded() && finished.stderr.is_empty())
}

/// Compiles a program three times; what went wrong otherwise.
pub fn compile(compilers: &Compilers, program: &Program, folder: &Path) -> Result<Builds, String> {
    let one = |name: &str, options: Option<&str>| {
        let stem = folder.join(format!("{}.{name}", program.name.replace(['/', ':'], ".")));
        compile_one(compilers, program, &stem, options).map_err(|error| format!("{name}: {error}"))
    };
    let original = one("original", None)?;
    let polytile = one("polytile", Some(""))?;
    let forced = match compilers.forces {
        true => one("forced", Some(FORCED))?,
        false => polytile.clone(),
    };
    let same = |a: &Built, b: &Built| -> Result<bool, String> {
        let read = |built: &Built| {
            fs::read(built.program.with_extension("o")).map_err(|error| error.to_string())
        };
        Ok(read(a)? == read(b)?)
    };
    let builds = Builds {
        untouched: same(&original, &polytile)?,
        unforced: same(&polytile, &forced)?,
        original,
        polytile,
        forced,
    };
    for built in [&builds.original, &builds.polytile, &builds.forced] {
        // Where nothing was forced, the last is the one before.
        let _ = fs::remove_file(built.program.with_extension("o"));
    }
    Ok(builds)
}

/// Compiles and links a program, without the plugin where there are no options.
fn compile_one(
    compilers: &Compilers,
    program: &Program,
    stem: &Path,
    options: Option<&str>,
) -> Result<Built, String> {
    let object = PathBuf::from(format!("{}.o", stem.display()));
    let executable = PathBuf::from(format!("{}.run", stem.display()));
    let compiler = match options {
        None => compilers.compiler.reference(),
        Some(options) => Compiler {
            options: all_options(compilers, program, options),
            ..compilers.compiler.clone()
        },
    };
    let mut command = compiler.command(Level::O3);
    command
        .args(&program.flags)
        .arg("-c")
        .arg(&program.source)
        .arg("-o")
        .arg(&object);
    if options.is_some() {
        command.args([
            "-Rpass=polytile",
            "-Rpass-missed=polytile",
            "-fno-caret-diagnostics",
        ]);
    }
    let compiled = run(&mut command, compilers.limit)?;
    let mut link = Command::new(&compiler.driver);
    link.arg(&object)
        .args(&program.link)
        .arg("-o")
        .arg(&executable);
    if options.is_some() {
        link.arg("-fopenmp");
    }
    run(&mut link, compilers.limit)?;
    fs::rename(&object, executable.with_extension("o")).map_err(|error| error.to_string())?;
    Ok(Built {
        program: executable,
        seconds: compiled.elapsed.as_secs_f64(),
        remarks: remarks(&compiled.stderr),
        candidates: candidates(&compiled.stderr),
    })
}

fn all_options(compilers: &Compilers, program: &Program, options: &str) -> String {
    let given = compilers.compiler.options.clone();
    let only = program.only.as_ref().map(|name| format!("only={name}"));
    let predicted = compilers.predicts.then(|| PREDICTED.to_string());
    let all = [Some(given), Some(options.to_string()), only, predicted];
    let all: Vec<String> = all
        .into_iter()
        .flatten()
        .filter(|one| !one.is_empty())
        .collect();
    all.join(";")
}

fn run(command: &mut Command, limit: Duration) -> Result<process::Finished, String> {
    let finished = process::run(command, limit).map_err(|error| error.to_string())?;
    match finished.succeeded() {
        true => Ok(finished),
        false => {
            let first = finished.stderr.lines().next().unwrap_or_default();
            Err(format!(
                "{}: {first}\n{}",
                finished.describe(),
                toolchain::shell_line(command)
            ))
        }
    }
}

/// `LINE: text` of each remark.
fn remarks(stderr: &str) -> Vec<String> {
    let each = stderr.lines().filter_map(|line| {
        let (place, text) = line.split_once(": remark: ")?;
        let number = place.split(':').rev().nth(1)?;
        let text = text.split(" [-Rpass").next()?;
        Some(format!("{number}: {text}"))
    });
    each.collect()
}

/// `model FUNCTION LINE candidate NAME one=CYCLES two=CYCLES [at SIZE=VALUE,..] [chosen]`
fn candidates(stderr: &str) -> Vec<Candidate> {
    stderr.lines().filter_map(candidate).collect()
}

fn candidate(line: &str) -> Option<Candidate> {
    let mut words = line.strip_prefix("model ")?.split_whitespace();
    let nest = format!("{} {}", words.next()?, words.next()?);
    let name = match words.next()? {
        "candidate" => words.next()?.to_string(),
        _ => return None,
    };
    let one = words.next()?.strip_prefix("one=")?.parse().ok()?;
    let two = words.next()?.strip_prefix("two=")?.parse().ok()?;
    let rest: Vec<&str> = words.collect();
    let chosen = rest.contains(&"chosen");
    let at = rest.iter().skip_while(|word| **word != "at").nth(1);
    let at = at.map(|sizes| sizes.to_string()).unwrap_or_default();
    Some(Candidate {
        nest,
        name,
        one,
        two,
        at,
        chosen,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_predictions_are_read() {
        let stderr = "a.c:7:5: remark: loop nest not transformed: too little work [-Rpass-missed=polytile]\n\
                      model kernel 7 candidate original one=1e6 two=1000000\n\
                      model kernel 7 candidate tiled one=250000.5 two=2e5 at n=1000,m=7 chosen\nmodel of something\n";
        assert_eq!(
            remarks(stderr),
            ["7: loop nest not transformed: too little work"]
        );
        let found = candidates(stderr);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (
                found[0].nest.as_str(),
                found[0].name.as_str(),
                found[0].chosen
            ),
            ("kernel 7", "original", false)
        );
        assert_eq!(
            (found[1].one, found[1].two, found[1].chosen),
            (250000.5, 2e5, true)
        );
        assert_eq!(
            (found[0].at.as_str(), found[1].at.as_str()),
            ("", "n=1000,m=7")
        );
    }
}
