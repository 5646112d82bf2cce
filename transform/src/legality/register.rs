//! Register tiles: whether loading all accumulators first and storing them last changes nothing.
//!
//! A register tile executes the instances of one statement in one tile as `ast::MicroKernel` says: load all cells, run
//! the reduction upwards, store all cells. Between two instances `x -> y` of one tile that depend on each other,
//!
//! * if both update the same cell, the reduction member must grow from `x` to `y`, which is checked here;
//! * where `x` reads by another access what `y` writes, all is well: stores come last;
//! * where `y` reads by another access what `x` wrote, it would see the old value. Code generation runs the point tree
//!   in such tiles (they are known at run time only), and the point tree is checked in any case. The same holds for tiles
//!   in which other statements have instances.

use super::compare::{Relation, Row, compared};
use super::walk::{Here, Residual, TileRows, Walker};
use super::{Rule, Walked};
use crate::simd::accesses_of;
use polytile_analysis::poly::{Map, Result};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::{Copied, Pack, RegisterTile, TileSize};

pub(super) fn check(w: &Walker, t: &RegisterTile, here: &Here) -> Walked<()> {
    let Some(tile) = &here.tile else {
        return w.refuse(Rule::RegisterTile("no tile band right above the mark"));
    };
    if !shape_fits(t, tile) {
        return w.refuse(Rule::RegisterTile("the tile band above has another shape"));
    }
    if !t.lanes.is_power_of_two() {
        return w.refuse(Rule::RegisterTile("the number of lanes is no power of two"));
    }
    let Some(set) = here.instances.get(&t.stmt) else {
        return Ok(());
    };
    let s = w.scop.stmt(t.stmt);
    if !is_sum(s)? {
        return w.refuse(Rule::RegisterTile("not one read of the accumulator"));
    }
    let row = Row::new(w.scop, &tile.rows[t.reduction])?;
    let Some(reduction) = row.of(t.stmt) else {
        return w.refuse(Rule::NotScheduled(t.stmt));
    };
    let grows = compared(set.ctx(), reduction, reduction, Relation::Forwards)?;
    let same_cell = same_cell(s)?;
    let own = |r: &&Residual| r.dependence.src == t.stmt && r.dependence.dst == t.stmt;
    for r in here.residual.iter().filter(own) {
        let late = r.pairs.intersect(&same_cell)?.subtract(&grows)?;
        let rule = Rule::RegisterTile("an accumulator is updated out of order");
        w.need_empty(&late, r, rule)?;
    }
    Ok(())
}

/// Packed operands are read before anything below the mark runs: nothing there may write what is copied. With
/// [`Copied::Final`], code generation leaves out the elements that instances below write: see [`super::finals`].
pub(super) fn check_pack(w: &Walker, p: &Pack, here: &Here) -> Walked<()> {
    if p.copied == Copied::Final {
        return Ok(());
    }
    let s = w.scop.stmt(p.stmt);
    for operand in &p.operands {
        for n in accesses_of(s, *operand) {
            let array = s.accesses[n].array;
            if here
                .instances
                .keys()
                .any(|t| w.scop.stmt(*t).writes_to(array))
            {
                return w.refuse(Rule::RegisterTile(
                    "a packed operand is written below the copy",
                ));
            }
        }
    }
    Ok(())
}

/// Whether rows (if there are any) and lanes are the sizes of different members, and the reduction is not tiled.
fn shape_fits(t: &RegisterTile, tile: &TileRows) -> bool {
    let size = |m: usize| tile.sizes.get(m);
    let lanes = i64::from(t.vectors) * i64::from(t.lanes);
    let rows = match t.row {
        None => t.rows == 1,
        Some(row) => row != t.lane && size(row) == Some(&TileSize::Const(i64::from(t.rows))),
    };
    rows && size(t.lane) == Some(&TileSize::Const(lanes))
        && size(t.reduction) == Some(&TileSize::Whole)
}

/// Whether one access reads the cell that is written, at the same address as a number of the same type.
fn is_sum(s: &Stmt) -> Result<bool> {
    let write = s.write();
    let mut reads = vec![];
    for a in s.reads() {
        if a.array == write.array && a.relation.is_equal(&write.relation)? {
            reads.push(a);
        }
    }
    Ok(!s.is_group() && matches!(reads[..], [a] if a.ty == write.ty && a.place == write.place))
}

/// Pairs of instances that write the same cell.
fn same_cell(s: &Stmt) -> Result<Map> {
    let write = s.write().relation.intersect_domain(&s.domain)?;
    write.apply_range(&write.reverse()?)
}
