//! A mapping from instances to times (Kelly and Pugh 1995): the direct way to say an order.
//!
//! ```text
//! mapping S10 { [k, i] -> [i, k, 1, 0] }          for i { for k { S20 ..; S10 } .. }
//! mapping S20 { [k, i, j] -> [i, j, 0, k] }
//! mapping S0 { [i] -> [0, i] : i < 5; [i] -> [1, i] : i >= 5 }            piecewise
//! ```
//!
//! Times are compared lexicographically; shorter ones are padded with 0. Rows may be any quasi-affine functions, not only
//! unimodular ones. Mappings in consecutive commands are one step; statements without one keep their order. The pieces of a
//! mapping must be disjoint and cover the domain, and no two instances may have one time.
//!
//! A dimension that is a number for all that reach it becomes a list, any other a loop. Rows of a loop whose values have a
//! common step are divided by it ([grain](super::grain)): isl's generator does not find the step of several statements.

use super::rows::with_params;
use super::surgery::listed;
use super::{Applied, State, Step, Structure};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{
    self, Aff, DimType, MultiUnionPwAff, UnionMap, UnionPwAff, UnionSet,
};
use polytile_analysis::tree::{Branch, LoopKind, Schedule, Tree};
use std::collections::BTreeMap;
use std::fmt;

/// New times for some statements.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// Maps in isl's notation; the tuple of instances needs no name.
    pub parts: Vec<(StmtId, String)>,
}

impl Step for Mapping {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let given = self.times(state)?;
        timed(state, &given)
    }
}

/// The order in which instances run at these times: one map for each statement, or several that are disjoint.
///
/// # Errors
/// Times that leave out instances, or have two for one, or one for two.
pub fn timed<'a>(state: &State<'a>, given: &[UnionMap]) -> Applied<State<'a>> {
    let times = padded(state, given)?;
    // Rows stay defined for all parameters, as those of other schedules are.
    checked(state, &times.intersect_params(&state.scop.context)?)?;
    let all = MultiUnionPwAff::from_union_map(&times)?;
    let all = all.union_pw_affs()?;
    let root = tree(&all, &state.schedule.domain)?;
    let root = super::normal(&root)?;
    Ok(state.with(Schedule {
        root,
        ..state.schedule.clone()
    }))
}

/// Times under which no two statements share one: where some do, one more dimension has the order of the text. Tools leave the order of instances
/// open that do not depend on each other.
///
/// # Errors
/// Those of the set library.
pub fn told_apart(state: &State, given: Vec<UnionMap>) -> Applied<Vec<UnionMap>> {
    let times = padded(state, &given)?;
    let back = times.intersect_params(&state.scop.context)?.reverse()?;
    if back.is_single_valued()? {
        return Ok(given);
    }
    let stmts = state.scop.stmts.iter();
    let at = |name: &str| stmts.clone().position(|s| s.name == name);
    let mut parts = vec![];
    for m in times.maps()? {
        let (last, name) = (m.dim(DimType::Out), m.tuple_name(DimType::In));
        let number = name.and_then(|n| at(&n)).unwrap_or_default();
        let m = m.add_dims(DimType::Out, 1)?;
        parts.push(
            m.fix_si(DimType::Out, last, number as i64)?
                .to_union_map()?,
        );
    }
    Ok(parts)
}

/// Times of one length.
fn padded(state: &State, given: &[UnionMap]) -> Applied<UnionMap> {
    let mut parts = vec![];
    for map in given {
        parts.extend(map.maps()?);
    }
    let longest = parts.iter().map(|m| m.dim(DimType::Out)).max().unwrap_or(0);
    let mut times = UnionMap::empty(&state.schedule.domain.space()?)?;
    for m in parts {
        let mut m = m;
        while m.dim(DimType::Out) < longest {
            let last = m.dim(DimType::Out);
            m = m.add_dims(DimType::Out, 1)?.fix_si(DimType::Out, last, 0)?;
        }
        times = times.union(&m.to_union_map()?)?;
    }
    Ok(times)
}

impl Mapping {
    /// The times of all instances.
    fn times(&self, state: &State) -> Applied<Vec<UnionMap>> {
        let scop = state.scop;
        let mut given: Vec<(StmtId, UnionMap)> = vec![];
        for (stmt, text) in &self.parts {
            if given.iter().any(|(s, _)| s == stmt) {
                return Err(Structure::Mapping(format!("two mappings of {stmt}")).into());
            }
            given.push((*stmt, parsed(state, *stmt, text)?));
        }
        if given.len() < scop.stmts.len() {
            let flat = state.schedule.flat()?;
            for s in &scop.stmts {
                if !given.iter().any(|(g, _)| *g == s.id) {
                    given.push((s.id, flat.intersect_domain(&s.domain.to_union_set()?)?));
                }
            }
        }
        Ok(given.into_iter().map(|(_, map)| map).collect())
    }
}

/// The map of a statement, from its text.
fn parsed(state: &State, stmt: StmtId, text: &str) -> Applied<UnionMap> {
    let scop = state.scop;
    let stmt = scop.stmt(stmt);
    let full = with_params(scop, text);
    let wrong = |e: poly::Error| Structure::Mapping(format!("mapping {full}: {e}"));
    let map = UnionMap::parse(scop.context.ctx(), &full).map_err(wrong)?;
    let mut all = UnionMap::empty(&scop.context.space()?)?;
    for m in map.maps()? {
        if m.dim(DimType::In) != stmt.depth() {
            return Err(Structure::Mapping(format!(
                "{} has {} iterators: {full}",
                stmt.id,
                stmt.depth()
            ))
            .into());
        }
        if m.tuple_name(DimType::In).is_some_and(|n| n != stmt.name) {
            return Err(Structure::Mapping(format!("not of {}: {full}", stmt.id)).into());
        }
        let m = m.set_tuple_name(DimType::In, &stmt.name)?;
        all = all.union(&m.to_union_map()?)?;
    }
    if all.dim(DimType::Param) > scop.params.len() {
        return Err(Structure::Unknown(format!("parameter in {full}")).into());
    }
    Ok(all.intersect_domain(&stmt.domain.to_union_set()?)?)
}

/// Refuses a mapping that leaves out instances, or has two times for one, or one for two.
fn checked(state: &State, times: &UnionMap) -> Applied<()> {
    covered(state, times)?;
    let back = times.reverse()?;
    if !back.is_single_valued()? {
        return Err(
            Structure::Mapping(format!("two instances have one time: {}", tie(times)?)).into(),
        );
    }
    Ok(())
}

/// Refuses rows that leave out instances, or have two values for one.
pub(super) fn covered(state: &State, rows: &UnionMap) -> Applied<()> {
    let domain = state
        .schedule
        .domain
        .intersect_params(&state.scop.context)?;
    let left = domain.subtract(&rows.domain()?)?;
    if !left.is_empty()? {
        return Err(
            Structure::Mapping(format!("the mapping leaves out {}", one_of(&left)?)).into(),
        );
    }
    if !rows.is_single_valued()? {
        return Err(Structure::Mapping(
            "the pieces of the mapping overlap: an instance has two times".into(),
        )
        .into());
    }
    Ok(())
}

/// An element of a set, as text.
fn one_of(set: &UnionSet) -> Applied<String> {
    let point = set.sample()?.to_string();
    let text = point.rsplit("->").next().unwrap_or_default();
    Ok(text.trim().to_owned())
}

/// Two instances with one time, as text.
fn tie(times: &UnionMap) -> Applied<String> {
    let pairs = times.apply_range(&times.reverse()?)?;
    let apart = pairs.subtract(&times.domain()?.identity()?)?;
    let point = apart.sample()?.to_string();
    Ok(point
        .split_once("{")
        .map_or(point.clone(), |(_, t)| format!("{{{t}")))
}

/// The tree of rows, for instances that the rows above do not tell apart.
fn tree(rows: &[UnionPwAff], domain: &UnionSet) -> Applied<Tree> {
    let Some((first, rest)) = rows.split_first() else {
        return Ok(Tree::Leaf);
    };
    let here = first.intersect_domain(domain)?;
    match positions(&here)? {
        Some(groups) => {
            let mut list = vec![];
            for filter in groups.into_values() {
                let child = tree(rest, &filter)?;
                list.push(Branch { filter, child });
            }
            Ok(listed(list))
        }
        None => {
            let row = dense(&here.gist(domain)?)?;
            let child = tree(rest, domain)?;
            let mut band =
                polytile_analysis::tree::Band::looping(&row, LoopKind::Sequential, false, child)?;
            band.permutable = false;
            Ok(Tree::Band(Box::new(band)))
        }
    }
}

/// The instances of each value, if a row has numbers only.
pub(super) fn positions(row: &UnionPwAff) -> Applied<Option<BTreeMap<i64, UnionSet>>> {
    let mut groups: BTreeMap<i64, UnionSet> = BTreeMap::new();
    for part in row.pw_affs()? {
        for (set, aff) in part.pieces()? {
            if !aff.is_cst()? {
                return Ok(None);
            }
            let set = set.to_union_set()?;
            let at = aff.constant_val()?.to_i64()?;
            let all = match groups.get(&at) {
                Some(g) => g.union(&set)?.coalesce()?,
                None => set,
            };
            groups.insert(at, all);
        }
    }
    Ok(Some(groups))
}

/// A row divided by the step that all of its values have in common.
fn dense(row: &UnionPwAff) -> Applied<UnionPwAff> {
    let mut affs: Vec<Aff> = vec![];
    for part in row.pw_affs()? {
        affs.extend(part.pieces()?.into_iter().map(|(_, a)| a));
    }
    let mut step = 0;
    let mut offset = None;
    for a in &affs {
        if a.denominator()? != 1 || a.involves_locals()? {
            return Ok(row.clone());
        }
        for ty in [DimType::In, DimType::Param] {
            for i in 0..a.dim(ty) {
                step = gcd(step, a.coefficient(ty, i)?);
            }
        }
        let constant = a.constant()?;
        let least = offset.map_or(constant, |o: i64| o.min(constant));
        step = gcd(step, constant - offset.unwrap_or(constant));
        offset = Some(least);
    }
    if step < 2 {
        return Ok(row.clone());
    }
    let domain = row.domain()?;
    let first = UnionPwAff::si_on_domain(&domain, offset.unwrap_or(0))?;
    // Exact, so the floor only says so.
    Ok(row.sub(&first)?.scale_down_si(step)?.floor()?)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (stmt, text)) in self.parts.iter().enumerate() {
            let end = if i + 1 < self.parts.len() { "\n" } else { "" };
            write!(f, "mapping {stmt} {text}{end}")?;
        }
        Ok(())
    }
}
