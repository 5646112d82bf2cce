//! Register tiles: whether loading all accumulators first and storing them last changes nothing.
//!
//! A register tile of statement `S` executes the instances below its mark (a *box* in the row and lane iterators, and a
//! range of the reduction iterator) as `ast::MicroKernel` says: load all cells, run the reduction upwards, store all
//! cells. Between two instances `x -> y` of one box that depend on each other,
//!
//! * if both update the same cell, the reduction iterator must grow from `x` to `y`;
//! * `y` must not read by another access what `x` wrote: it would see the old value;
//! * where `x` reads by another access what `y` writes, all is well: stores come last.
//!
//! The iterators other than row, lane and reduction must be fixed above the mark, and the box must fit the tile.

use super::compare::{Relation, Row, compared};
use super::walk::{Here, Walker};
use super::{Rule, Walked};
use polytile_analysis::deps::order;
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::RegisterTile;

pub(super) fn check(w: &Walker, t: &RegisterTile, here: &Here) -> Walked<()> {
    if here.instances.keys().any(|s| *s != t.stmt) {
        return w.refuse(Rule::RegisterTile("other statements below the mark"));
    }
    let Some(set) = here.instances.get(&t.stmt) else {
        return Ok(());
    };
    let s = w.scop.stmt(t.stmt);
    let roles = [t.row, t.lane, t.reduction];
    if roles.iter().any(|i| *i >= s.depth())
        || t.row == t.lane
        || t.row == t.reduction
        || t.lane == t.reduction
    {
        return w.refuse(Rule::RegisterTile("the roles are not three iterators"));
    }
    fits(w, t, set, here)?;
    let same_cell = conflict(s, 0)?;
    let accumulator = |n: &usize| {
        let read = &s.accesses[*n];
        Ok(read.array == s.write().array && read.relation.is_equal(&s.write().relation)?)
    };
    let mut others = vec![];
    let mut accumulators = 0;
    for n in 1..s.accesses.len() {
        let is: Result<bool> = accumulator(&n);
        if is? {
            accumulators += 1;
        } else if s.accesses[n].array == s.write().array {
            others.push(conflict(s, n)?.intersect(&order::before(s, s)?)?);
        }
    }
    if accumulators != 1 {
        return w.refuse(Rule::RegisterTile("not one read of the accumulator"));
    }
    for r in &here.residual {
        let updates = r.pairs.intersect(&same_cell)?;
        let late = updates.order_ge(DimType::In, t.reduction, DimType::Out, t.reduction)?;
        w.need_empty(
            &late,
            r,
            Rule::RegisterTile("an accumulator is updated out of order"),
        )?;
        for flow in &others {
            let stale = r.pairs.intersect(flow)?;
            w.need_empty(
                &stale,
                r,
                Rule::RegisterTile("a value stored by the tile is read inside it"),
            )?;
        }
    }
    Ok(())
}

/// Pairs of instances where the first writes what the second touches by access `n`.
fn conflict(s: &Stmt, n: usize) -> Result<Map> {
    let write = s.write().relation.intersect_domain(&s.domain)?;
    let other = s.accesses[n].relation.intersect_domain(&s.domain)?;
    write.apply_range(&other.reverse()?)
}

/// The instances at one mark form a box that is no larger than the tile.
fn fits(w: &Walker, t: &RegisterTile, set: &Set, here: &Here) -> Walked<()> {
    let mut together = Map::from_domain_and_range(set, set)?;
    for a in &here.above {
        let row = Row::new(w.scop, &a.row)?;
        let Some(pa) = row.of(t.stmt) else { continue };
        let relation = if a.below == 1 {
            Relation::Equal
        } else {
            Relation::Nearer(a.below)
        };
        together = together.intersect(&compared(set.ctx(), pa, pa, relation)?)?;
    }
    for i in 0..set.dim(DimType::Set) {
        let extent = match i {
            i if i == t.reduction => continue,
            i if i == t.row => i64::from(t.rows),
            i if i == t.lane => i64::from(t.vectors) * i64::from(t.lanes),
            _ => 1,
        };
        if !within(&together, i, extent)? {
            return w.refuse(Rule::RegisterTile("the instances do not fit"));
        }
    }
    Ok(())
}

/// Whether iterator `i` differs by less than `extent` between all pairs (the relation is symmetric).
fn within(pairs: &Map, i: usize, extent: i64) -> Result<bool> {
    let n = pairs.dim(DimType::In);
    let names = |p: &str| {
        (0..n)
            .map(|k| format!("{p}{k}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let tuple = pairs.tuple_name(DimType::In).unwrap_or_default();
    let text = format!(
        "{{ {tuple}[{}] -> {tuple}[{}] : y{i} >= x{i} + {extent} }}",
        names("x"),
        names("y")
    );
    pairs.is_disjoint(&Map::parse(pairs.ctx(), &text)?)
}
