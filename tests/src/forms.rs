//! Whether every loop of every kernel is in a static control part, however the kernel is built.
//!
//! Inlining, constant sizes, `restrict` and the optimization level change what the optimizer leaves of a loop nest: guards are
//! unswitched, sums live in registers, subscripts are specialised. A kernel is compiled in each of sixteen builds up to its
//! SCoPs, and the plugin's remarks are read:
//!
//! ```text
//! gemm.c:14:5: remark: static control part: 2 statements, 3 loops; A[][], B[][], C[][]
//! gemm.c:15:9: remark: loop in no static control part: ...                                  a failure
//! ```
//!
//! A build fails if a remark says that a loop of the kernel function is in no SCoP, if an array has another number of
//! dimensions in a SCoP than in the source, or if an array of two or three dimensions is in no SCoP at all.

use crate::catalog::{Kernel, SizeClass};
use crate::process;
use crate::toolchain::{self, Aliasing, Arrays, Build, Compiler, Level, Placement};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// What the plugin is told: SCoPs are wanted, and nothing else.
pub const OPTIONS: &str = "stop-after=scop";

/// The reason that [`OPTIONS`] gives every nest that is modelled.
const STOPPED: &str = "stopped after scop";

/// What the source of a kernel says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Lines of its kernel functions.
    lines: Vec<RangeInclusive<u32>>,
    /// Dimensions of its arrays.
    ranks: BTreeMap<String, usize>,
}

/// A remark at a line of the kernel's file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remark<'t> {
    line: u32,
    text: &'t str,
}

/// The sixteen builds.
pub fn builds() -> Vec<Build> {
    let mut all = vec![];
    for placement in [Placement::Noinline, Placement::Inline] {
        for arrays in [Arrays::Vla, Arrays::Const] {
            for aliasing in [Aliasing::Plain, Aliasing::Restrict] {
                for level in [Level::O2, Level::O3] {
                    all.push(Build {
                        placement,
                        arrays,
                        aliasing,
                        level,
                    });
                }
            }
        }
    }
    all
}

/// Compiles a kernel up to its SCoPs; what is wrong with them, nothing if all is well.
pub fn check(
    compiler: &Compiler,
    kernel: &Kernel,
    build: &Build,
    limit: Duration,
) -> Result<Vec<String>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", kernel.source.display());
    let source = Source::read(&std::fs::read_to_string(&kernel.source).map_err(fail)?);
    let mut command = compiler.command(build.level);
    command
        .args(toolchain::definitions(
            build,
            &kernel.class_sizes(SizeClass::Large),
        ))
        .args(["-g", "-c", "-emit-llvm", "-fno-caret-diagnostics"])
        .args(["-Rpass-analysis=polytile", "-Rpass-missed=polytile"])
        .arg(&kernel.source)
        .args(["-o", "/dev/null"]);
    let finished = process::run(&mut command, limit).map_err(|error| error.to_string())?;
    if !finished.succeeded() {
        return Ok(vec![format!(
            "{}: {}",
            finished.describe(),
            finished.stderr.trim()
        )]);
    }
    let remarks = remarks(&finished.stderr, &kernel.source);
    Ok(source.complaints(&remarks))
}

impl Source {
    /// Reads `KERNEL` functions and the `ARRAYS` list.
    fn read(text: &str) -> Source {
        let mut lines = vec![];
        let mut ranks = BTreeMap::new();
        let mut begin = None;
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with("KERNEL ") {
                begin = Some(number);
            } else if line == "}"
                && let Some(first) = begin.take()
            {
                lines.push(first..=number);
            }
            if let Some((declared, rank)) = array(line) {
                ranks.insert(declared.to_string(), rank);
            }
        }
        Source { lines, ranks }
    }

    fn complaints(&self, remarks: &[Remark]) -> Vec<String> {
        let mut complaints = vec![];
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        // Other functions of the program, which initialise arrays, have their own names and sizes.
        let in_kernel = |r: &Remark| self.lines.iter().any(|l| l.contains(&r.line));
        let own = |r: &Remark| r.line == 0 || in_kernel(r);
        for remark in remarks {
            if let Some(found) = remark.text.strip_prefix("static control part: ") {
                for (name, rank) in ranks(found) {
                    let most = seen.entry(name).or_default();
                    *most = rank.max(*most);
                    if own(remark) && self.ranks.get(name).is_some_and(|r| *r != rank) {
                        complaints.push(format!("line {}: {name} in {found}", remark.line));
                    }
                }
            } else if in_kernel(remark) && !remark.text.ends_with(STOPPED) {
                complaints.push(format!("line {}: {}", remark.line, remark.text));
            }
        }
        for (name, rank) in &self.ranks {
            if *rank > 1 && !seen.contains_key(name.as_str()) {
                complaints.push(format!("{name} is in no static control part"));
            }
        }
        complaints
    }
}

/// The array that a line of an `ARRAYS` list declares, `a(input, double, A, COUNT2(N, n, M, m))`, and its dimensions.
fn array(line: &str) -> Option<(&str, usize)> {
    let (front, count) = line.split_once(", COUNT")?;
    let rank = count.chars().next()?.to_digit(10)?;
    Some((front.rsplit_once(", ")?.1, rank as usize))
}

/// The arrays of `4 statements, 3 loops; A[][], x[]`.
fn ranks(found: &str) -> Vec<(&str, usize)> {
    let list = found.split_once("; ").map_or("", |(_, list)| list);
    let rank = |array: &'_ str| array.matches("[]").count();
    let name = |array: &'_ str| array.find('[').unwrap_or(array.len());
    list.split(", ")
        .filter(|a| !a.is_empty())
        .map(|a| (&a[..name(a)], rank(a)))
        .collect()
}

/// The remarks of a compilation. Those in other files (inlined helpers) count where they are about SCoPs, which may begin
/// there; their line is 0.
fn remarks<'t>(output: &'t str, source: &Path) -> Vec<Remark<'t>> {
    let file = source.to_string_lossy();
    let parse = |line: &'t str| {
        let (place, rest) = line.split_once(": remark: ")?;
        let text = rest.rsplit_once(" [-R")?.0;
        let mut parts = place.rsplitn(3, ':');
        let (_column, line) = (parts.next()?, parts.next()?);
        let own = parts.next()? == file;
        let line = if own { line.parse().ok()? } else { 0 };
        Some(Remark { line, text })
    };
    output.lines().filter_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: &str = "#define ARRAYS(a) \\\n    a(input, double, A, COUNT2(N, n, M, m)) \\\n    a(output, double, x, \
                          COUNT1(N, n))\nKERNEL void f(int n) {\n  for (;;)\n    for (;;)\n      x[i] += A[i][j];\n}\n";

    fn complaints(output: &str) -> Vec<String> {
        let remarks = remarks(output, Path::new("f.c"));
        Source::read(KERNEL).complaints(&remarks)
    }

    #[test]
    fn a_kernel_in_a_scop_is_well() {
        let output = "f.c:5:3: remark: static control part: 1 statement, 2 loops; A[][], x[] [-Rpass-analysis=polytile]\n\
                      f.c:5:3: remark: loop nest not transformed: stopped after scop [-Rpass-missed=polytile]\n\
                      f.c:12:3: remark: loop in no static control part: it has 2 exits [-Rpass-analysis=polytile]\n\
                      /usr/include/stdlib.h:6:3: remark: loop nest not transformed: it has 2 exits [-Rpass-missed=polytile]\n";
        assert_eq!(complaints(output), Vec::<String>::new());
    }

    #[test]
    fn a_loop_in_no_scop_is_named() {
        let output = "f.c:6:5: remark: static control part: 1 statement, 1 loop; A[][], x[] [-Rpass-analysis=polytile]\n\
                      f.c:5:3: remark: loop nest not transformed: it has 2 exits [-Rpass-missed=polytile]\n";
        assert_eq!(
            complaints(output),
            ["line 5: loop nest not transformed: it has 2 exits"]
        );
    }

    #[test]
    fn other_dimensions_and_missing_arrays_are_named() {
        let scop = "f.c:5:3: remark: static control part: 1 statement, 2 loops; A[], x[] [-Rpass-analysis=polytile]\n";
        assert_eq!(
            complaints(scop),
            ["line 5: A in 1 statement, 2 loops; A[], x[]"]
        );
        assert_eq!(complaints(""), ["A is in no static control part"]);
    }
}
