//! Compilations of an application, and the remarks on its loop nests.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::catalog::App;
use crate::process;
use crate::toolchain::{self, Compiler};

/// What became of a loop nest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// `FILE:LINE:COLUMN`; empty where the compiler knows none.
    pub place: String,
    /// True for a nest that has a new version.
    pub transformed: bool,
    /// How, or why not.
    pub text: String,
}

/// An application in two programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Builds {
    /// The program without the plugin.
    pub original: PathBuf,
    /// With it.
    pub polytile: PathBuf,
    /// Seconds of the compilation without the plugin.
    pub original_seconds: f64,
    /// With it.
    pub polytile_seconds: f64,
    /// What was said of the loop nests, each remark once.
    pub remarks: Vec<Remark>,
}

impl Builds {
    /// How many nests have a new version, and how many have none.
    pub fn nests(&self) -> (usize, usize) {
        let transformed = self.remarks.iter().filter(|one| one.transformed).count();
        (transformed, self.remarks.len() - transformed)
    }
}

/// Compiles an application without and with the plugin into a folder; what went wrong otherwise.
pub fn compile(
    compiler: &Compiler,
    app: &App,
    folder: &Path,
    limit: Duration,
) -> Result<Builds, String> {
    let one = |compiler: &Compiler, kind: &str| {
        let program = folder.join(format!("{}.{kind}", app.name));
        let mut command = app.language.command(compiler, &app.source, &program);
        let finished = process::run(&mut command, limit).map_err(|error| error.to_string())?;
        if !finished.succeeded() {
            let said = finished
                .stderr
                .lines()
                .filter(|line| !line.contains("remark: "));
            let first: Vec<&str> = said.filter(|line| !line.is_empty()).take(3).collect();
            return Err(format!(
                "{kind}: {}\n{}\n{}",
                finished.describe(),
                first.join("\n"),
                toolchain::shell_line(&command)
            ));
        }
        Ok((program, finished))
    };
    let (original, without) = one(&compiler.reference(), "original")?;
    let (polytile, with) = one(compiler, "polytile")?;
    Ok(Builds {
        original,
        polytile,
        original_seconds: without.elapsed.as_secs_f64(),
        polytile_seconds: with.elapsed.as_secs_f64(),
        remarks: remarks(&with.stderr),
    })
}

/// The remarks on loop nests of a compiler's messages. Inlining repeats nests; each remark counts once.
fn remarks(stderr: &str) -> Vec<Remark> {
    let mut all: Vec<Remark> = vec![];
    for one in stderr.lines().filter_map(remark) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// Reads `f.c:14:5: remark: loop nest .. [-Rpass=polytile]` or rustc's `note: f.rs:14:5 polytile (success): loop nest ..`.
fn remark(line: &str) -> Option<Remark> {
    let at = line.find("loop nest ")?;
    let (front, text) = line.split_at(at);
    let text = text.split(" [-Rpass").next()?.trim();
    let (transformed, text) = match text.strip_prefix("loop nest not transformed: ") {
        Some(reason) => (false, reason),
        None => (true, text.strip_prefix("loop nest transformed")?),
    };
    let place = front.split_whitespace().find(|word| place(word));
    Some(Remark {
        place: place.unwrap_or_default().trim_end_matches(':').to_string(),
        transformed,
        text: text.trim_start_matches(": ").trim().to_string(),
    })
}

/// True of `FILE:LINE:COLUMN`.
fn place(word: &str) -> bool {
    let mut parts = word.trim_end_matches(':').rsplitn(3, ':');
    let mut number = || parts.next().is_some_and(|part| part.parse::<u32>().is_ok());
    number() && number() && parts.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_all_compilers_are_read_once() {
        let said = "f.c:14:5: remark: loop nest transformed: 2 statements; at run time: enough work [-Rpass=polytile]\n\
                    f.c:14:5: remark: loop nest transformed: 2 statements; at run time: enough work [-Rpass=polytile]\n\
                    f.c:20:5: warning: unused variable\n\
                    f.f90:20:5: remark: loop nest not transformed: it has 2 exits [-Rpass-missed=polytile]\n\
                    remark: loop nest transformed together with the one at f.f90:3:5 [-Rpass=polytile]\n\
                    note: /p/f.rs:177:62 polytile (analysis): loop in no static control part: it has 2 exits\n\
                    note: /p/f.rs:46:22 polytile (missed): loop nest not transformed: it has 4 exits\n";
        let all = remarks(said);
        let read: Vec<(&str, bool, &str)> = all
            .iter()
            .map(|one| (one.place.as_str(), one.transformed, one.text.as_str()))
            .collect();
        assert_eq!(
            read,
            [
                ("f.c:14:5", true, "2 statements; at run time: enough work"),
                ("f.f90:20:5", false, "it has 2 exits"),
                ("", true, "together with the one at f.f90:3:5"),
                ("/p/f.rs:46:22", false, "it has 4 exits"),
            ]
        );
    }
}
