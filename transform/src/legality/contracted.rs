//! Arrays that lanes keep in panels of their own (array contraction; Lefebvre and Feautrier 1998).
//!
//! ```text
//! for t: { lanes i: { for j: p[i][j] = f(p[i][j-1]);  for j: v[j][i] = g(p[i][j], v[j+1][i]) }
//!          lanes i: { for j: p[i][j] = h(p[i][j-1]);  .. } }
//! ```
//!
//! What the first nest writes to `p` is read in the same iteration `(t, i)` only, and overwritten by the second nest: the
//! stores can go anywhere. Conditions, by value-based flow (Feautrier 1991), for the instances `D` below the loop:
//!
//! * what an instance of `D` reads was written in `D`, in the same iteration of the loop and all loops around;
//! * what an instance of `D` writes is read there only, and
//! * some later instance of the program certainly writes the element again, unless nobody reads the array afterwards.

use super::compare::{Relation, Row, compared};
use super::walk::{Here, Walker};
use super::{Rule, Walked};
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result, Set, UnionPwAff, UnionSet};
use polytile_analysis::scop::{AccessKind, ArrayKind, Place, Scop};
use polytile_analysis::tree::{LoopKind, Tree};

/// Refuses panels for the lanes of `below`'s loop where values could get lost.
pub(super) fn check(w: &Walker, arrays: &[ArrayId], below: &Tree, here: &Here) -> Walked<()> {
    let refuse = |why| w.refuse(Rule::NotContracted(why));
    let Tree::Band(band) = below else {
        return refuse("no band below");
    };
    if band.tile.is_some() || !matches!(band.loops[..], [LoopKind::Lanes { .. }]) {
        return refuse("no loop in lanes below");
    }
    if arrays.iter().any(|a| a.index() >= w.scop.arrays.len()) {
        return refuse("no such array");
    }
    let mut rows = here.above.clone();
    rows.push(band.schedule.at(0)?);
    let mut domain = UnionSet::empty(&w.scop.context.space()?)?;
    for set in here.instances.values() {
        domain = domain.union(&set.to_union_set()?)?;
    }
    let values = Values::of(w.scop, w.deps)?;
    for &array in arrays {
        match values.needed(w.scop, array, &domain, &rows)? {
            None => return refuse("a value comes from elsewhere"),
            Some(set) if !set.is_empty()? => return refuse("a value is needed elsewhere"),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Where the values of arrays come from, and which of them end.
pub(crate) struct Values<'a> {
    deps: &'a Dependences,
    /// What holds for the parameters wherever a new version runs.
    known: Set,
}

impl<'a> Values<'a> {
    /// Of the arrays of a SCoP.
    pub(crate) fn of(scop: &Scop, deps: &'a Dependences) -> Result<Values<'a>> {
        let known = scop.narrowed()?.context;
        Ok(Values { known, deps })
    }

    /// What holds for the parameters wherever a new version runs.
    pub(crate) fn known(&self) -> &Set {
        &self.known
    }

    /// The instances in `domain` whose values of an array are needed outside of it, or where the rows have other values;
    /// `None` if some instance of it reads values from there.
    pub(crate) fn needed(
        &self,
        scop: &Scop,
        array: ArrayId,
        domain: &UnionSet,
        rows: &[UnionPwAff],
    ) -> Result<Option<UnionSet>> {
        let plain = |a: &polytile_analysis::scop::Access| {
            a.array != array || a.kind != AccessKind::MayWrite && !matches!(a.place, Place::Scalar)
        };
        if !scop.stmts.iter().flat_map(|s| &s.accesses).all(plain) {
            return Ok(None);
        }
        let domain = &domain.intersect_params(&self.known)?;
        let name = &scop.array(array).name;
        let flow = self.deps.flow_of(scop, array)?;
        let outside = flow.from_outside.intersect_domain(domain)?;
        for m in outside.maps()? {
            if m.tuple_name(DimType::Out).as_deref() == Some(name) && !m.is_empty()? {
                return Ok(None);
            }
        }
        let mut needed = last(scop, array, domain, &self.deps.overwritten(scop, array)?)?;
        let rows: Vec<Row> = rows
            .iter()
            .map(|r| Row::new(scop, r))
            .collect::<Result<_>>()?;
        for m in flow.possible.maps()? {
            let Some((from, to)) = ends(scop, &m) else {
                return Ok(None);
            };
            if !scop.stmt(from).writes_to(array) {
                continue;
            }
            let sides = scop.stmt(from).domain.to_union_set()?;
            let (sources, sinks) = (
                domain.intersect(&sides)?,
                domain.intersect(&scop.stmt(to).domain.to_union_set()?)?,
            );
            let all = m.to_union_map()?;
            let mut near = all.intersect_domain(&sources)?.intersect_range(&sinks)?;
            for row in &rows {
                let (Some(a), Some(b)) = (row.of(from), row.of(to)) else {
                    near = near.subtract(&near)?;
                    break;
                };
                let same = compared(scop.context.ctx(), a, b, Relation::Equal)?;
                near = near.intersect(&same.to_union_map()?)?;
            }
            if !all.intersect_range(&sinks)?.is_subset(&near)? {
                return Ok(None);
            }
            let far = all.intersect_domain(&sources)?.subtract(&near)?;
            needed = needed.union(&far.domain()?)?;
        }
        Ok(Some(needed))
    }
}

/// The instances in `domain` that write an array for whatever follows the region.
fn last(
    scop: &Scop,
    array: ArrayId,
    domain: &UnionSet,
    overwritten: &UnionSet,
) -> Result<UnionSet> {
    let mut last = UnionSet::empty(&domain.space()?)?;
    if scop.array(array).kind == ArrayKind::Temporary {
        return Ok(last);
    }
    for s in scop.stmts.iter().filter(|s| s.writes_to(array)) {
        let own = domain.intersect(&s.domain.to_union_set()?)?;
        last = last.union(&own.subtract(overwritten)?)?;
    }
    Ok(last)
}

/// The statements of a flow.
pub(super) fn ends(scop: &Scop, flow: &Map) -> Option<(StmtId, StmtId)> {
    let id = |ty| {
        flow.tuple_name(ty)
            .and_then(|n| scop.stmt_by_name(&n))
            .map(|s| s.id)
    };
    Some((id(DimType::In)?, id(DimType::Out)?))
}
