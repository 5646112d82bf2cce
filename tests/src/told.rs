//! Whether the plugin says of every loop nest what became of it.
//!
//! A program is compiled with remarks, and its nests of two or more levels are read from the preprocessed source
//! ([`nests`]). Each needs a remark that lies in it:
//!
//! ```text
//! gemm.c:14:5: remark: loop nest transformed: 2 statements, 4 tile loops, ...
//! gemm.c:31:5: remark: loop nest not transformed: no gain expected: ...
//! ```
//!
//! A nest is gone before the plugin sees it where each of its loops became part of one `memset` or `memcpy`, as LLVM's own remarks
//! tell.

use crate::nests::{self, Nest};
use crate::process;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What a remark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// What became of a nest.
    Nest,
    /// That one loop is a memset or memcpy now.
    Idiom,
}

/// A remark and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told<'t> {
    file: &'t str,
    line: u32,
    what: What,
}

/// What is said of the nests of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How many nests it has.
    pub nests: usize,
    /// What is wrong, nothing if all is well.
    pub complaints: Vec<String>,
}

/// Compiles a program, given as a command without outputs, and looks for nests that nothing is said of. Nests in other folders
/// than the source's (headers of the system) do not count.
pub fn check(
    command: impl Fn() -> Command,
    source: &Path,
    limit: Duration,
) -> Result<Outcome, String> {
    let run = |command: &mut Command| process::run(command, limit).map_err(|e| e.to_string());
    let text = run(command().arg("-E").arg(source))?;
    let flags = [
        "-g1",
        "-c",
        "-emit-llvm",
        "-fno-caret-diagnostics",
        "-Rpass=polytile|loop-idiom",
        "-Rpass-missed=polytile",
        "-o",
        "/dev/null",
    ];
    let compiled = run(command().args(flags).arg(source))?;
    for finished in [&text, &compiled] {
        if !finished.succeeded() {
            let complaint = format!("{}: {}", finished.describe(), finished.stderr.trim());
            return Ok(Outcome {
                nests: 0,
                complaints: vec![complaint],
            });
        }
    }
    let folder = source.parent().unwrap_or(Path::new(""));
    let mut nests = nests::of(&text.stdout);
    nests.retain(|n| Path::new(&n.file).starts_with(folder));
    Ok(Outcome {
        nests: nests.len(),
        complaints: complaints(&nests, &compiled.stderr),
    })
}

fn complaints(nests: &[Nest], output: &str) -> Vec<String> {
    let told: Vec<Told> = output.lines().filter_map(told).collect();
    let in_nest = |n: &Nest, t: &Told| n.file == t.file && n.lines.contains(&t.line);
    let silent = nests.iter().filter(|n| {
        let inside = |what| (told.iter()).filter(move |t| t.what == what && in_nest(n, t));
        inside(What::Nest).count() == 0 && inside(What::Idiom).count() < n.levels
    });
    silent
        .map(|n| {
            let (from, to) = (n.lines.start(), n.lines.end());
            format!("{}: no remark on the nest in lines {from} to {to}", n.file)
        })
        .collect()
}

/// Reads `f.c:14:5: remark: loop nest ...`.
fn told(line: &str) -> Option<Told<'_>> {
    let (place, text) = line.split_once(": remark: ")?;
    let says = [
        ("loop nest transformed", What::Nest),
        ("loop nest not transformed", What::Nest),
        ("Transformed loop-strided store", What::Idiom),
    ];
    let (_, what) = says.into_iter().find(|(s, _)| text.starts_with(s))?;
    let mut parts = place.rsplitn(3, ':');
    let (_column, line) = (parts.next()?, parts.next()?.parse().ok()?);
    let file = parts.next()?;
    Some(Told { file, line, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nest_needs_a_remark_that_lies_in_it() {
        let nest = |lines| Nest {
            file: String::from("f.c"),
            lines,
            levels: 2,
        };
        let output = "f.c:4:3: remark: loop nest transformed: 1 statement [-Rpass=polytile]\n\
                      f.c:8:3: remark: static control part: 1 statement [-Rpass-analysis=polytile]\n\
                      g.c:12:3: remark: loop nest not transformed: it has 2 exits [-Rpass-missed=polytile]\n";
        assert_eq!(
            complaints(&[nest(3..=5), nest(7..=9), nest(12..=13)], output),
            [
                "f.c: no remark on the nest in lines 7 to 9",
                "f.c: no remark on the nest in lines 12 to 13"
            ]
        );
    }

    #[test]
    fn a_nest_may_be_one_memset() {
        let nest = Nest {
            file: String::from("f.c"),
            lines: 3..=5,
            levels: 2,
        };
        let idiom = "f.c:5:21: remark: Transformed loop-strided store in f function into a call to llvm.memset [-R]\n";
        assert_eq!(
            complaints(std::slice::from_ref(&nest), &idiom.repeat(2)),
            [""; 0]
        );
        assert_eq!(complaints(&[nest], idiom).len(), 1);
    }
}
