//! What `print` prints.

use crate::ast;
use crate::rewrite::flags::parallel_loops;
use crate::rewrite::{Applied, State};
use polytile_analysis::poly::DimType;
use polytile_analysis::text;
use polytile_analysis::tree;
use std::fmt::Write;

/// What can be printed.
pub const KINDS: [&str; 9] = [
    "code", "diff", "schedule", "beta", "domains", "deps", "images", "parallel", "script",
];

/// One of [`KINDS`]; `commands` are the steps so far.
pub(super) fn text(state: &State, what: &str, commands: &[String]) -> Applied<String> {
    Ok(match what {
        "code" => code(state)?,
        "diff" => diff(state)?,
        "schedule" => text::print_schedule(&state.schedule),
        "beta" => beta(state)?,
        "domains" => domains(state),
        "deps" => text::print_deps(state.scop, state.deps),
        "images" => super::images::images(state)?,
        "parallel" => parallel(state)?,
        _ => commands.iter().map(|c| format!("{c}\n")).collect(),
    })
}

fn code(state: &State) -> Applied<String> {
    Ok(ast::generate(state.scop, &state.schedule)?.to_string())
}

/// Lines that only the original (`-`) or only the new code (`+`) has.
fn diff(state: &State) -> Applied<String> {
    let before = ast::generate(state.scop, &tree::original(state.scop)?)?.to_string();
    let after = code(state)?;
    let (a, b): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    // Lengths of longest common subsequences of what is left.
    let mut common = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = match a[i] == b[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out = String::new();
    while i < a.len() || j < b.len() {
        let same = i < a.len() && j < b.len() && a[i] == b[j];
        let gone = j == b.len() || i < a.len() && common[i + 1][j] >= common[i][j + 1];
        let (sign, line) = match (same, gone) {
            (true, _) => (' ', a[i]),
            (false, true) => ('-', a[i]),
            (false, false) => ('+', b[j]),
        };
        i += usize::from(same || sign == '-');
        j += usize::from(same || sign == '+');
        let _ = writeln!(out, "{sign} {line}");
    }
    Ok(out)
}

/// Per statement the beta prefix of each of its places, and its times where there are no tiles.
fn beta(state: &State) -> Applied<String> {
    let mut out = String::new();
    for s in &state.scop.stmts {
        for place in state.places_of(s.id)? {
            let _ = writeln!(out, "{} {}", s.id, place.at);
        }
    }
    if let Ok(flat) = state.schedule.flat() {
        for m in flat.maps()? {
            let name = m.tuple_name(DimType::In).unwrap_or_default();
            let text = m.to_string();
            let text = text.split_once('{').map_or(&*text, |(_, t)| t);
            let _ = writeln!(out, "{name} {{{text}");
        }
    }
    Ok(out)
}

fn domains(state: &State) -> String {
    let stmts = state.scop.stmts.iter();
    stmts.map(|s| format!("{} {}\n", s.id, s.domain)).collect()
}

fn parallel(state: &State) -> Applied<String> {
    let word = |free| if free { "parallel" } else { "sequential" };
    let loops = parallel_loops(state)?.into_iter();
    Ok(loops
        .map(|(at, free)| format!("{at} {}\n", word(free)))
        .collect())
}
