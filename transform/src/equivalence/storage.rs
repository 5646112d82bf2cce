//! Where accesses find their elements in the final program.
//!
//! | access | location |
//! |---|---|
//! | as written | the element |
//! | of an array of which threads have copies | iteration of the parallel loop, element |
//! | of an array that lanes keep in panels | iterations of the loops around, the lane, row of the panel |
//! | of an array that is handed on | the write that the code has right in front, and iterations of all loops around |
//!
//! A changed location is right if in the source's own order every read gets the value of the same write by locations as by elements,
//! and what outlives the program lies where it was ([`keeps_values`]). That all accesses to a location run in the source's order is
//! what [`super::order`] asks.

use super::place::{Place, What};
use super::{Checked, Program, Stop};
use polytile_analysis::ast::PanelPlace;
use polytile_analysis::body::NodeKind;
use polytile_analysis::deps::order::original_schedule;
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::{DimType, Map, UnionAccessInfo, UnionMap, UnionSet};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// An access of a place.
#[derive(Clone, Debug)]
pub(super) struct Located {
    /// Position in the statement's accesses.
    pub access: usize,
    pub array: ArrayId,
    pub writes: bool,
    /// Name of the tuple of locations.
    pub name: String,
    /// Values of the loops' iterators to locations.
    pub map: Map,
    /// The location is not the element.
    pub changed: bool,
}

/// What a place accesses of memory, and where.
pub(super) fn located(program: &Program, places: &[Place], at: usize) -> Checked<Vec<Located>> {
    let place = &places[at];
    let stmt = program.scop.stmt(place.stmt);
    let mut all = vec![];
    for n in touched(stmt, &place.what)? {
        let access = &stmt.accesses[n];
        let element = place.instances.apply_range(&access.relation)?;
        let array = &program.scop.array(access.array).name;
        let (name, map, changed) = match moved(program, (places, at), n, access)? {
            Some((name, map)) => (format!("{array}{name}"), map, true),
            None => (array.clone(), element, false),
        };
        all.push(Located {
            access: n,
            array: access.array,
            writes: access.kind != AccessKind::Read,
            map: map.set_tuple_name(DimType::Out, &name)?,
            name,
            changed,
        });
    }
    Ok(all)
}

/// Positions of the accesses of a statement that happen at a place.
pub(super) fn touched(stmt: &Stmt, what: &What) -> Checked<Vec<usize>> {
    let all = 0..stmt.accesses.len();
    Ok(match what {
        What::Instance => all.collect(),
        What::Operands => {
            let own = accumulators(stmt)?;
            all.filter(|n| !own.contains(n)).collect()
        }
        What::Updates => accumulators(stmt)?.into_iter().collect(),
        What::Ahead(writes) => {
            let own = cells_of(stmt, writes)?;
            all.filter(|n| !own.contains(n)).collect()
        }
        What::Chained(writes) => cells_of(stmt, writes)?.into_iter().collect(),
        What::Pack(p) => {
            let mut reads = BTreeSet::new();
            for n in &p.operands {
                reads.extend(reads_of(stmt, *n));
            }
            reads.into_iter().collect()
        }
    })
}

/// The access that writes, and those that read the written cell.
fn accumulators(stmt: &Stmt) -> Checked<BTreeSet<usize>> {
    let write = stmt.write();
    let mut own = BTreeSet::from([0]);
    for (n, a) in stmt.accesses.iter().enumerate().skip(1) {
        if a.array == write.array && a.relation.is_equal(&write.relation)? {
            own.insert(n);
        }
    }
    Ok(own)
}

/// These writes, and the accesses that read the written cells.
fn cells_of(stmt: &Stmt, writes: &[usize]) -> Checked<BTreeSet<usize>> {
    let mut own: BTreeSet<usize> = writes.iter().copied().collect();
    for &w in writes {
        let write = &stmt.accesses[w];
        for (n, a) in stmt.accesses.iter().enumerate().skip(stmt.first_read()) {
            if a.array == write.array && a.relation.is_equal(&write.relation)? {
                own.insert(n);
            }
        }
    }
    Ok(own)
}

/// Reads that a node depends on, but for what is known already.
pub(super) fn reads_behind(stmt: &Stmt, node: NodeId, known: &BTreeSet<NodeId>) -> BTreeSet<usize> {
    let reads = |n: NodeId| match stmt.body.node(n).kind {
        NodeKind::Read(read) if !known.contains(&n) => Some(read),
        _ => None,
    };
    let all = stmt.body.below(node, |n| known.contains(&n));
    all.into_iter().filter_map(reads).collect()
}

/// Reads that a node depends on.
pub(super) fn reads_of(stmt: &Stmt, node: NodeId) -> BTreeSet<usize> {
    reads_behind(stmt, node, &BTreeSet::new())
}

/// The location of an access that is not its element.
fn moved(
    program: &Program,
    (places, at): (&[Place], usize),
    n: usize,
    access: &Access,
) -> Checked<Option<(String, Map)>> {
    let array = access.array;
    let place = &places[at];
    let loops = place.instances.domain()?;
    let count = place.levels.len();
    if program.handed.contains(&array) {
        if !matches!(place.what, What::Instance | What::Ahead(_)) {
            return Err(Stop::Wrong(
                "a register tile takes what is handed on".to_owned(),
            ));
        }
        let ids = |p: &Place| -> Vec<usize> { p.levels.iter().map(|l| l.id).collect() };
        let writes = |p: &&usize| program.scop.stmt(places[**p].stmt).writes_to(array);
        // Reads of an instance come before its writes.
        let ahead: Vec<usize> = match access.kind {
            AccessKind::Read => (0..at).collect(),
            AccessKind::MustWrite | AccessKind::MayWrite => vec![at],
        };
        let from = ahead.iter().rev().find(writes);
        let Some(from) = from.filter(|f| ids(&places[**f]) == ids(place)) else {
            return Err(Stop::Wrong(
                "a value is handed on from another loop".to_owned(),
            ));
        };
        let name = format!("handed{:?} from {from}", ids(place));
        return Ok(Some((name, loops.identity()?)));
    }
    for (at, level) in place.levels.iter().enumerate() {
        let here = |upto: usize| -> Checked<Map> {
            Ok(loops
                .identity()?
                .project_out(DimType::Out, upto, count - upto)?)
        };
        if level.private.contains(&array) {
            let copy = here(at + 1)?.project_out(DimType::Out, 0, at)?;
            let element = place.instances.apply_range(&access.relation)?;
            let map = copy.flat_range_product(&element)?;
            return Ok(Some((format!("copy{}", level.id), map)));
        }
        if let Some(panel) = level.panels.iter().find(|p| p.array == array) {
            let known = |p: &&PanelPlace| p.stmt == place.stmt && p.access == n;
            let Some(row) = panel.places.iter().find(known) else {
                return Err(Stop::Wrong("an access has no place in a panel".to_owned()));
            };
            let rows = program.panel_rows(place, row)?;
            let map = here(at + 1)?.flat_range_product(&rows)?;
            return Ok(Some((format!("panel{}", level.id), map)));
        }
    }
    Ok(None)
}

/// Whether locations that are not the elements lead every value from its write to its reads, and what outlives the program
/// stays in memory.
pub(super) fn keeps_values(
    program: &Program,
    places: &[Place],
    located: &[Vec<Located>],
) -> Checked<()> {
    let mut arrays: BTreeSet<ArrayId> = BTreeSet::new();
    for l in located.iter().flatten().filter(|l| l.changed) {
        arrays.insert(l.array);
    }
    for array in arrays {
        let mut by_location: BTreeMap<(usize, usize), UnionMap> = BTreeMap::new();
        for (place, all) in places.iter().zip(located) {
            for l in all.iter().filter(|l| l.array == array) {
                if !matches!(
                    place.what,
                    What::Instance | What::Ahead(_) | What::Chained(_)
                ) {
                    return Err(Stop::Open("a register tile of an array elsewhere"));
                }
                let map = place.instances.reverse()?.apply_range(&l.map)?;
                let map = map.to_union_map()?;
                let key = (place.stmt.index(), l.access);
                let known = match by_location.remove(&key) {
                    Some(m) => m.union(&map)?,
                    None => map,
                };
                by_location.insert(key, known);
            }
        }
        check_array(program, array, &by_location)?;
    }
    Ok(())
}

/// Accesses by statement and position.
type Accesses = BTreeMap<(usize, usize), UnionMap>;

fn check_array(program: &Program, array: ArrayId, by_location: &Accesses) -> Checked<()> {
    let scop = program.scop;
    let mut by_element = Accesses::new();
    for s in &scop.stmts {
        for (n, a) in s
            .accesses
            .iter()
            .enumerate()
            .filter(|(_, a)| a.array == array)
        {
            let own = s.domain.intersect_params(&program.known)?;
            let map = a.relation.intersect_domain(&own)?.to_union_map()?;
            by_element.insert((s.id.index(), n), map);
        }
    }
    let kind = |key: &(usize, usize)| scop.stmts[key.0].accesses[key.1].kind;
    let order = original_schedule(scop)?;
    let name = &scop.array(array).name;
    let all = |from: &Accesses, wanted: AccessKind| -> Checked<UnionMap> {
        let mut all = UnionMap::empty(&program.known.space()?)?;
        for map in from.iter().filter(|(k, _)| kind(k) == wanted) {
            all = all.union(map.1)?;
        }
        Ok(all)
    };
    let flow = |sink: &UnionMap, from: &Accesses| -> Checked<_> {
        Ok(UnionAccessInfo::from_sink(sink)?
            .set_must_source(&all(from, AccessKind::MustWrite)?)?
            .set_may_source(&all(from, AccessKind::MayWrite)?)?
            .set_schedule_map(&order)?
            .compute_flow()?)
    };
    let temporary = scop.array(array).kind == ArrayKind::Temporary;
    for (key, element) in by_element
        .iter()
        .filter(|(k, _)| kind(k) == AccessKind::Read)
    {
        let Some(location) = by_location.get(key) else {
            continue;
        };
        let (was, is) = (flow(element, &by_element)?, flow(location, by_location)?);
        let mut same = was.may_dependence()?.is_equal(&is.may_dependence()?)?
            && was.must_dependence()?.is_equal(&is.must_dependence()?)?;
        if !temporary {
            same &= was.may_no_source()?.is_equal(&is.may_no_source()?)?;
        }
        if !same {
            let stmt = &scop.stmts[key.0].name;
            return Err(Stop::Wrong(format!(
                "{stmt} takes another value from {name} (access {})",
                key.1
            )));
        }
    }
    let outlives = match &scop.array(array).kind {
        ArrayKind::Memory { .. } => !scop.array(array).dead,
        ArrayKind::Intact => true,
        ArrayKind::Scalar { live_out } => live_out.is_some(),
        ArrayKind::Temporary => false,
    };
    if !outlives {
        return Ok(());
    }
    let sinks = all(&by_element, AccessKind::MustWrite)?;
    for (key, element) in by_element
        .iter()
        .filter(|(k, _)| kind(k) != AccessKind::Read)
    {
        let later = UnionAccessInfo::from_sink(&sinks)?
            .set_must_source(element)?
            .set_schedule_map(&order)?
            .compute_flow()?;
        let last: UnionSet = element
            .domain()?
            .subtract(&later.must_dependence()?.domain()?)?;
        let Some(location) = by_location.get(key) else {
            continue;
        };
        let kept = location.intersect_domain(&last)?;
        if !kept.is_subset(element)? {
            return Err(Stop::Wrong(format!(
                "the last value of {name} is not in memory"
            )));
        }
    }
    Ok(())
}
