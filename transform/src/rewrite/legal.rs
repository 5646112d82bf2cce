//! Whether a state is legal, and what a user wants to know if it is not.

use super::{Applied, Refusal, State};
use crate::legality::{self, Violation, Witness};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, Map};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::print_kind;
use std::fmt;

/// Why a state is not legal.
#[derive(Clone, Debug)]
pub struct Illegal {
    /// The rule that is broken, and by which dependence.
    pub violation: Violation,
    /// All of the rest, for a reader.
    pub text: String,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

/// Refuses a state that does not keep the order of all dependences.
///
/// # Errors
/// The first dependence that would run backwards, with one pair of instances.
pub fn check(state: &State) -> Applied<()> {
    match legality::check(state.scop, &state.schedule, state.deps) {
        Ok(()) => Ok(()),
        Err(violation) => {
            let text = explained(state, &violation)?;
            Err(Refusal::Illegal(Box::new(Illegal { violation, text })))
        }
    }
}

fn explained(state: &State, v: &Violation) -> poly::Result<String> {
    let Some(d) = &v.dependence else {
        return Ok(v.to_string());
    };
    let scop = state.scop;
    let arrays: Vec<&str> = d.arrays.iter().map(|a| &*scop.array(*a).name).collect();
    let mut text = format!(
        "{}: {} dependence through {} from {} to {}",
        v.rule,
        print_kind(d.kind),
        arrays.join(", "),
        named(scop, d.src),
        named(scop, d.dst)
    );
    if let Some(w) = &d.witness {
        text += &witnessed(state, (d.src, d.dst), w)?;
    }
    if let Some(condition) = condition(state, d.index)? {
        text += &format!("; in all cases of {condition}");
    }
    Ok(text)
}

/// A statement with its place in the source.
fn named(scop: &Scop, stmt: StmtId) -> String {
    match &scop.stmt(stmt).loc {
        Some(loc) => format!("{stmt} ({}:{})", loc.file, loc.line),
        None => stmt.to_string(),
    }
}

/// The pair of instances, with the times that they have got.
fn witnessed(state: &State, (src, dst): (StmtId, StmtId), w: &Witness) -> poly::Result<String> {
    let mut text = String::from("; for example");
    if !w.params.is_empty() {
        let params: Vec<String> = w.params.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        text += &format!(" with {}", params.join(", "));
    }
    let time = |s: StmtId, at: &[i64]| -> poly::Result<String> {
        Ok(match time(state, s, at, &w.params)? {
            Some(time) => format!(" at time {}", list(&time)),
            None => String::new(),
        })
    };
    text += &format!(
        ": {src}{} must come first, but runs{}, and {dst}{}{}",
        list(&w.src),
        time(src, &w.src)?,
        list(&w.dst),
        time(dst, &w.dst)?,
    );
    Ok(text)
}

fn list(values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("[{}]", values.join(","))
}

/// The time of an instance, if the tree has no tiles.
fn time(
    state: &State,
    stmt: StmtId,
    at: &[i64],
    params: &[(String, i64)],
) -> poly::Result<Option<Vec<i64>>> {
    let Ok(flat) = state.schedule.flat() else {
        return Ok(None);
    };
    for map in flat.maps()? {
        if map.tuple_name(DimType::In).as_deref() != Some(&state.scop.stmt(stmt).name) {
            continue;
        }
        let mut map = map;
        for (i, v) in at.iter().enumerate() {
            map = map.fix_si(DimType::In, i, *v)?;
        }
        for (name, v) in params {
            if let Some(p) = map.find_dim_by_name(DimType::Param, name) {
                map = map.fix_si(DimType::Param, p, *v)?;
            }
        }
        let points = map.range()?.points(1);
        return Ok(points.ok().and_then(|p| p.into_iter().next()));
    }
    Ok(None)
}

/// The pairs of a dependence that do not run forwards, in short.
fn condition(state: &State, index: usize) -> poly::Result<Option<String>> {
    let Some(pairs) = backwards(state, index)? else {
        return Ok(None);
    };
    let known = state.deps.list[index].relation.to_map()?;
    let text = pairs.gist(&known)?.coalesce()?.to_string();
    let short = text
        .split_once('{')
        .map_or(text.clone(), |(_, t)| format!("{{{t}"));
    Ok((short.len() <= LONGEST).then_some(short))
}

/// A longer condition explains nothing.
const LONGEST: usize = 160;

/// The pairs of a dependence that do not run forwards; `None` if the tree has tiles.
pub(super) fn backwards(state: &State, index: usize) -> poly::Result<Option<Map>> {
    let d = &state.deps.list[index];
    let Ok(flat) = state.schedule.flat() else {
        return Ok(None);
    };
    let (src, dst) = (state.scop.stmt(d.src), state.scop.stmt(d.dst));
    let of = |set: &poly::Set| -> poly::Result<Map> {
        flat.intersect_domain(&set.to_union_set()?)?.as_map()
    };
    let (from, to) = (of(&src.domain)?, of(&dst.domain)?);
    let times = from.range()?.space()?;
    let later = Map::lex_lt(&times)?;
    let forwards = from.apply_range(&later)?.apply_range(&to.reverse()?)?;
    Ok(Some(d.relation.to_map()?.subtract(&forwards)?.coalesce()?))
}
