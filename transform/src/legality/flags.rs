//! The order of bands and tile bands, and the flags and loop kinds of their members.
//!
//! Pairs that commute may go backwards where loops run one iteration after the other, and nowhere else: not in waves,
//! where iterations that are not ordered run at the same time.

use super::compare::{Comparisons, Relation, Row};
use super::walk::{Residual, Walker};
use super::{Rule, Walked};
use polytile_analysis::deps::DepKind;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Map, Result};
use polytile_analysis::tree::{Band, DIAGONAL_REACH, Distribution, LoopKind, Tile, TileSize};

fn related(r: &Residual, m: usize, relation: Relation, compare: &mut Comparisons) -> Result<Map> {
    compare.restrict(&r.pairs, m, (r.dependence.src, r.dependence.dst), relation)
}

/// Refuses pairs that go backwards in a member.
fn forwards(
    w: &Walker,
    r: &Residual,
    m: usize,
    rule: Rule,
    compare: &mut Comparisons,
) -> Walked<()> {
    w.need_empty(&related(r, m, Relation::Backwards, compare)?, r, rule)
}

/// Whether `permutable` and `coincident` are true, where they are set.
pub(super) fn check(
    w: &Walker,
    b: &Band,
    residual: &[Residual],
    compare: &mut Comparisons,
) -> Walked<()> {
    for r in residual {
        for m in 0..b.schedule.size() {
            if b.permutable || b.coincident[m] {
                let rule = if b.coincident[m] {
                    Rule::NotCoincident(m)
                } else {
                    Rule::NotPermutable(m)
                };
                if b.coincident[m] || !r.dependence.commutes() {
                    forwards(w, r, m, rule, compare)?;
                }
            }
            if b.coincident[m] {
                w.need_empty(
                    &related(r, m, Relation::Forwards, compare)?,
                    r,
                    Rule::NotCoincident(m),
                )?;
            }
        }
    }
    Ok(())
}

/// A band whose members are loops in this order: what it does not order. Threads of the first have copies of the
/// `private` arrays.
pub(super) fn sequential<'a>(
    w: &Walker,
    b: &Band,
    private: &[ArrayId],
    residual: Vec<Residual<'a>>,
    compare: &mut Comparisons,
) -> Walked<Vec<Residual<'a>>> {
    diagonal(w, b, &residual, compare)?;
    let mut left = vec![];
    for mut r in residual {
        for m in 0..b.schedule.size() {
            if !r.dependence.commutes() {
                forwards(w, &r, m, Rule::Backwards, compare)?;
            }
            if m > 0 || r.dependence.arrays.iter().any(|a| !private.contains(a)) {
                independent(w, b.loops[m], m, &r, compare)?;
            }
            r.pairs = related(&r, m, Relation::Equal, compare)?;
        }
        left.push(r);
    }
    Ok(left)
}

/// A diagonal is the last loop, of statements that follow each other, inside a sequential one of its permutable band; in the two no element is written
/// twice, and no dependence reaches far.
fn diagonal(w: &Walker, b: &Band, residual: &[Residual], compare: &mut Comparisons) -> Walked<()> {
    let is_diagonal = |l: &LoopKind| matches!(l, LoopKind::Diagonal { .. });
    let Some(m) = b.loops.iter().position(is_diagonal) else {
        return Ok(());
    };
    let around = m
        .checked_sub(1)
        .filter(|&o| b.loops[o] == LoopKind::Sequential);
    if m + 1 < b.loops.len() || !b.child.is_point() || around.is_none() {
        return w.refuse(Rule::Malformed("a diagonal inside a sequential loop"));
    }
    // Where lanes are missing, rows run one after the other.
    if !b.permutable {
        return w.refuse(Rule::Malformed("a diagonal in a permutable band"));
    }
    for r in residual {
        let mut r = r.clone();
        for outer in 0..m - 1 {
            r.pairs = related(&r, outer, Relation::Equal, compare)?;
        }
        if r.dependence.kind.contains(DepKind::OUTPUT) {
            w.need_empty(&r.pairs, &r, Rule::WrittenTwice)?;
        }
        for (member, reach) in [(m - 1, DIAGONAL_REACH.0), (m, DIAGONAL_REACH.1)] {
            let near = related(&r, member, Relation::Nearer(reach + 1), compare)?;
            w.need_empty(&r.pairs.subtract(&near)?, &r, Rule::Far)?;
        }
    }
    Ok(())
}

/// Whether iterations wait for those before them, tile by tile.
pub(super) fn is_pipelined(kind: LoopKind) -> bool {
    kind == LoopKind::Parallel(Distribution::Pipelined)
}

/// A tile band: what may lie inside one tile. `below` has the constant sizes.
pub(super) fn tiled<'a>(
    w: &Walker,
    b: &Band,
    tile: &Tile,
    below: &[Option<i64>],
    residual: Vec<Residual<'a>>,
    compare: &mut Comparisons,
) -> Walked<Vec<Residual<'a>>> {
    let is_loop = |m: &usize| tile.sizes[*m] != TileSize::Whole;
    let tiled: Vec<usize> = (0..b.schedule.size()).filter(is_loop).collect();
    let near = |r: &mut Residual, m: usize, compare: &mut Comparisons| -> Walked<()> {
        if let Some(c) = below[m] {
            let relation = if c == 1 {
                Relation::Equal
            } else {
                Relation::Nearer(c)
            };
            r.pairs = related(r, m, relation, compare)?;
        }
        Ok(())
    };
    let wave = tile.wavefront.len() > 1;
    let mut left = vec![];
    for mut r in residual {
        if wave {
            // The sum does not decrease if no coordinate does; in one wave no coordinate of its members changes. So do
            // pipelined tiles: one is finished before another begins if no coordinate of it is greater.
            for &m in &tiled {
                forwards(w, &r, m, Rule::TileBackwards, compare)?;
            }
            for &m in &tile.wavefront {
                near(&mut r, m, compare)?;
            }
        }
        for &m in &tiled {
            // In waves no pair goes backwards, see above.
            if !wave && !r.dependence.commutes() {
                forwards(w, &r, m, Rule::TileBackwards, compare)?;
            }
            if !wave || !tile.wavefront.contains(&m) {
                independent(w, b.loops[m], m, &r, compare)?;
            }
            near(&mut r, m, compare)?;
        }
        left.push(r);
    }
    Ok(left)
}

/// The only loop of a band carries none of these pairs.
pub(super) fn vector(w: &Walker, b: &Band, residual: &[Residual]) -> Walked<()> {
    let row = b.schedule.at(0)?;
    let parts = [Row::new(w.scop, &row)?];
    let mut compare = Comparisons::new(w.scop.context.ctx(), &parts);
    let apart = |r| independent(w, LoopKind::Vector, 0, r, &mut compare);
    residual.iter().try_for_each(apart)
}

/// A loop that is not sequential carries none of the pairs, in no direction.
fn independent(
    w: &Walker,
    kind: LoopKind,
    m: usize,
    r: &Residual,
    compare: &mut Comparisons,
) -> Walked<()> {
    let rule = match kind {
        LoopKind::Sequential => return Ok(()),
        LoopKind::Parallel(_) => Rule::NotParallel(m),
        LoopKind::Vector | LoopKind::Lanes { .. } | LoopKind::Diagonal { .. } => Rule::NotVector(m),
    };
    w.need_empty(
        &related(r, m, Relation::Forwards, compare)?,
        r,
        rule.clone(),
    )?;
    if r.dependence.commutes() {
        w.need_empty(&related(r, m, Relation::Backwards, compare)?, r, rule)?;
    }
    Ok(())
}
