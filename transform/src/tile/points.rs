//! The order of points: one step of the outermost member after the other, and in a step the statements one after the
//! other where dependences allow.
//!
//! In a band that fuses statements, the innermost loops need conditions where the statements' domains differ. Taking the
//! statements apart below the outermost member leaves each with loops of its own, and most of the reuse in cache:
//!
//! ```text
//! band [t, 2t + i] - {S0, S1}    ->    band [t] - sequence - S0: band [i]
//!                                                          - S1: band [i]
//! ```
//!
//! It is a legal order of the points of a tile, and also a way to run the whole band: a *sweep* per step, in which
//! members may be coincident that carry dependences in the band. Rows of the inner bands are taken relative to the
//! outermost, which does not change their order.

use crate::live::{Live, statements};
use crate::schedule::order;
use crate::simd::{linear_part, linear_parts, reordered};
use petgraph::Direction;
use petgraph::graphmap::DiGraphMap;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Branch, LoopKind, Tree};
use std::collections::BTreeSet;

/// The sweeps of a permutable band of two or more members; `live` is what is open above the band. `None`: the band is
/// not of this kind.
pub fn sweeps(
    scop: &Scop,
    live: &Live,
    band: &Band,
    domain: &UnionSet,
) -> poly::Result<Option<Tree>> {
    if band.tile.is_some() || !band.permutable || band.schedule.size() < 2 {
        return Ok(None);
    }
    let outer = band.schedule.at(0)?;
    let live = live.inside(domain)?.tied(&outer)?;
    let groups = ordered_groups(&statements(scop, domain)?, &live.edges());
    let mut branches = vec![];
    for group in &groups {
        let filter = universe(scop, group, domain)?;
        let part = domain.intersect(&filter)?;
        let child = inner_band(scop, &live.inside(&part)?, band, &outer, &filter)?;
        branches.push(Branch { filter, child });
    }
    let child = match branches.len() {
        1 => branches.remove(0).child,
        _ => Tree::Sequence(branches),
    };
    Ok(Some(Tree::Band(Box::new(Band {
        schedule: MultiUnionPwAff::from_union_pw_aff(&outer)?,
        permutable: true,
        coincident: vec![band.coincident[0]],
        loops: vec![LoopKind::Sequential],
        tile: None,
        child,
    }))))
}

/// A permutable band with its statements of lower depth before and behind the loops of the others: below the members in
/// which all move, those that stand still in all further ones come one after the other. `None`: there are none, or they
/// depend on the others in a circle.
///
/// ```text
/// band [i, (S0: 0; S1, S2: j; S3: 0)]    ->    band [i] - sequence - S0
///                                                                  - S1, S2: band [j]
///                                                                  - S3
/// ```
pub fn taken_apart(
    scop: &Scop,
    live: &Live,
    band: &Band,
    domain: &UnionSet,
) -> poly::Result<Option<Tree>> {
    if band.tile.is_some() || !band.permutable || band.schedule.size() != 2 {
        return Ok(None);
    }
    let (outer, inner) = (band.schedule.at(0)?, band.schedule.at(1)?);
    let (mut still, mut moving) = (vec![], vec![]);
    for id in statements(scop, domain)? {
        let parts = (
            linear_part(&outer, scop.stmt(id))?,
            linear_part(&inner, scop.stmt(id))?,
        );
        match parts {
            (Some(o), _) if o.iter().all(|c| *c == 0) => return Ok(None),
            (Some(_), Some(i)) if i.iter().all(|c| *c == 0) => still.push(id),
            (Some(_), Some(_)) => moving.push(id),
            _ => return Ok(None),
        }
    }
    if still.is_empty() || moving.is_empty() {
        return Ok(None);
    }
    let live = live.inside(domain)?.tied(&outer)?;
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    let node = |s: StmtId| match moving.contains(&s) {
        true => moving[0].0,
        false => s.0,
    };
    for s in still.iter().chain(&moving) {
        graph.add_node(node(*s));
    }
    for (s, t) in live.edges() {
        if node(s) != node(t) {
            graph.add_edge(node(s), node(t), ());
        }
    }
    let Some(order) = in_order(graph) else {
        return Ok(None);
    };
    let mut branches = vec![];
    for first in order {
        let group = match first == moving[0].0 {
            true => moving.clone(),
            false => vec![StmtId(first)],
        };
        let filter = universe(scop, &group, domain)?;
        let child = match first == moving[0].0 {
            false => restricted(&band.child, &filter)?,
            true => Tree::Band(Box::new(Band {
                schedule: MultiUnionPwAff::from_union_pw_aff(&inner.intersect_domain(&filter)?)?,
                permutable: true,
                coincident: vec![band.coincident[1]],
                loops: vec![LoopKind::Sequential],
                tile: None,
                child: restricted(&band.child, &filter)?,
            })),
        };
        branches.push(Branch { filter, child });
    }
    Ok(Some(Tree::Band(Box::new(Band {
        schedule: MultiUnionPwAff::from_union_pw_aff(&outer)?,
        permutable: true,
        coincident: vec![band.coincident[0]],
        loops: vec![LoopKind::Sequential],
        tile: None,
        child: Tree::Sequence(branches),
    }))))
}

/// Nodes with every edge leading forward, the least first where there is a choice; `None` if there is a circle.
fn in_order(mut graph: DiGraphMap<u32, ()>) -> Option<Vec<u32>> {
    let mut order = vec![];
    while graph.node_count() > 0 {
        let free = |n: &u32| {
            graph
                .neighbors_directed(*n, Direction::Incoming)
                .next()
                .is_none()
        };
        let next = graph.nodes().filter(free).min()?;
        graph.remove_node(next);
        order.push(next);
    }
    Some(order)
}

/// All conceivable instances of some statements.
pub(crate) fn universe(scop: &Scop, group: &[StmtId], domain: &UnionSet) -> poly::Result<UnionSet> {
    let mut filter = UnionSet::empty(&domain.space()?)?;
    for &id in group {
        filter = filter.union(&scop.stmt(id).domain.to_union_set()?.universe_of()?)?;
    }
    Ok(filter)
}

/// The members but the first, for some of the statements.
fn inner_band(
    scop: &Scop,
    live: &Live,
    band: &Band,
    outer: &UnionPwAff,
    filter: &UnionSet,
) -> poly::Result<Tree> {
    let mut rows: Option<MultiUnionPwAff> = None;
    let mut coincident = vec![];
    for m in 1..band.schedule.size() {
        let row = band.schedule.at(m)?.intersect_domain(filter)?;
        coincident.push(live.coincident(&row)?);
        let row = relative(scop, &row, &outer.intersect_domain(filter)?, filter)?;
        let row = MultiUnionPwAff::from_union_pw_aff(&row)?;
        rows = Some(match rows {
            None => row,
            Some(r) => r.flat_range_product(&row)?,
        });
    }
    let child = restricted(&band.child, filter)?;
    Ok(Tree::Band(Box::new(Band {
        schedule: rows.expect("two or more members"),
        permutable: true,
        loops: vec![LoopKind::Sequential; coincident.len()],
        coincident,
        tile: None,
        child,
    })))
}

/// The inner bands of sweeps with the members in an order that keeps rows of memory together
/// ([`crate::schedule::order`]), where two or more are coincident; `outer`: the rows of the bands above.
pub fn rows_last(
    scop: &Scop,
    tree: &Tree,
    domain: &UnionSet,
    outer: &[MultiUnionPwAff],
) -> poly::Result<Tree> {
    let Tree::Band(band) = tree else {
        return tree.with_children(|child, filter| match filter {
            Some(filter) => rows_last(scop, child, &domain.intersect(filter)?, outer),
            None => rows_last(scop, child, domain, outer),
        });
    };
    let free = band.coincident.iter().filter(|c| **c).count();
    let mut band = match band.permutable && free >= 2 {
        true => reordered(band, &row_order(scop, band, domain, outer)?)?,
        false => (**band).clone(),
    };
    let mut rows = outer.to_vec();
    rows.push(band.schedule.clone());
    band.child = rows_last(scop, &band.child, domain, &rows)?;
    Ok(Tree::Band(Box::new(band)))
}

/// The order of a band's members.
fn row_order(
    scop: &Scop,
    band: &Band,
    domain: &UnionSet,
    outer: &[MultiUnionPwAff],
) -> poly::Result<Vec<usize>> {
    let before: usize = outer.iter().map(MultiUnionPwAff::size).sum();
    let mut all: Vec<(StmtId, Vec<Vec<i64>>)> = vec![];
    for id in statements(scop, domain)? {
        let mut rows = vec![];
        for part in outer.iter().chain([&band.schedule]) {
            rows.extend(linear_parts(part, scop.stmt(id))?.unwrap_or_default());
        }
        if rows.len() == before + band.schedule.size() {
            all.push((id, rows));
        }
    }
    Ok(order::lanes_last(&band.coincident, |m| {
        let score = |(id, rows): &(StmtId, Vec<Vec<i64>>)| {
            order::contiguous(scop, scop.stmt(*id), rows, before + m)
        };
        all.iter().map(score).sum()
    }))
}

/// The row less a multiple of the outer one, the same for all statements, so that it no longer depends on the iterators
/// of the outer one.
fn relative(
    scop: &Scop,
    row: &UnionPwAff,
    outer: &UnionPwAff,
    filter: &UnionSet,
) -> poly::Result<UnionPwAff> {
    let mut factor = None;
    for id in statements(scop, filter)? {
        let stmt = scop.stmt(id);
        let rows = (linear_part(outer, stmt)?, linear_part(row, stmt)?);
        let (Some(o), Some(r)) = rows else {
            return Ok(row.clone());
        };
        let Some(at) = o.iter().position(|&c| c.abs() == 1) else {
            return Ok(row.clone());
        };
        let f = r[at] * o[at];
        if *factor.get_or_insert(f) != f {
            return Ok(row.clone());
        }
    }
    match factor {
        None | Some(0) => Ok(row.clone()),
        Some(f) => row.sub(&outer.scale_si(f)?),
    }
}

/// A subtree without the branches that none of these instances reach.
pub(crate) fn restricted(tree: &Tree, filter: &UnionSet) -> poly::Result<Tree> {
    Ok(match tree {
        Tree::Leaf => Tree::Leaf,
        Tree::Mark(mark, child) => Tree::Mark(mark.clone(), Box::new(restricted(child, filter)?)),
        Tree::Band(band) => Tree::Band(Box::new(Band {
            child: restricted(&band.child, filter)?,
            ..(**band).clone()
        })),
        Tree::Sequence(list) | Tree::Set(list) => {
            let mut kept = vec![];
            for b in list {
                let here = b.filter.intersect(filter)?;
                if !here.is_empty()? {
                    kept.push(Branch {
                        filter: here,
                        child: restricted(&b.child, filter)?,
                    });
                }
            }
            match (kept.len(), tree) {
                (1, _) => kept.remove(0).child,
                (_, Tree::Set(_)) => Tree::Set(kept),
                _ => Tree::Sequence(kept),
            }
        }
    })
}

/// Statements in groups that depend on each other in a circle, each group after those it depends on; the group of the
/// textually first statement first where there is a choice.
pub(crate) fn ordered_groups(
    statements: &[StmtId],
    edges: &BTreeSet<(StmtId, StmtId)>,
) -> Vec<Vec<StmtId>> {
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    for s in statements {
        graph.add_node(s.0);
    }
    for (s, t) in edges {
        graph.add_edge(s.0, t.0, ());
    }
    let mut groups: Vec<Vec<u32>> = petgraph::algo::tarjan_scc(&graph);
    for g in &mut groups {
        g.sort_unstable();
    }
    groups.sort();
    let mut done: Vec<Vec<StmtId>> = vec![];
    while !groups.is_empty() {
        let free = groups.iter().position(|g| {
            groups.iter().all(|other| {
                other == g
                    || !other
                        .iter()
                        .any(|&s| g.iter().any(|&t| graph.contains_edge(s, t)))
            })
        });
        let next = groups.remove(free.expect("groups have no circles"));
        done.push(next.into_iter().map(StmtId).collect());
    }
    done
}
