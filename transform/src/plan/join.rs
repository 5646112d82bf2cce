//! Adjacent nests in one outer loop.
//!
//! The search fuses whole bands. Where statements cannot share all loops they may still share the outermost: if nothing
//! that is open between two nests leads from one value of their first members to another, both run under one loop.
//!
//! ```text
//! parallel i: for j: p[i][j] = f(p[i][j-1])           parallel i: { for j: p[i][j] = f(p[i][j-1])
//! parallel i: for j, down: u[i][j] = g(u[i][j+1],     ->            for j, down: u[i][j] = g(u[i][j+1], p[i][j]) }
//!                                      p[i][j])
//! ```
//!
//! Threads meet once instead of twice, and what one nest leaves of a row is in cache for the next. Nests of one loop each
//! stay apart: their loops are the vector loops. Loops in lanes below joined blocks are joined, too.

use super::Place;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, LoopKind, Tree};

/// Adjacent branches of a sequence under common outer loops where that is legal.
pub(super) fn joined(branches: Vec<Branch>, place: &Place) -> poly::Result<Vec<Branch>> {
    let mut done: Vec<Branch> = vec![];
    for b in branches {
        if let Some(last) = done.last_mut()
            && let Some(both) = join(last, &b, place)?
        {
            *last = both;
            continue;
        }
        done.push(b);
    }
    Ok(done)
}

/// Two branches as one.
fn join(a: &Branch, b: &Branch, place: &Place) -> poly::Result<Option<Branch>> {
    let (Some(left), Some(right)) = (nest(&a.child), nest(&b.child)) else {
        return Ok(None);
    };
    if left.loops[0] != right.loops[0] {
        return Ok(None);
    }
    let row = |band: &Band, filter: &UnionSet| band.schedule.at(0)?.intersect_domain(filter);
    let row =
        row(left, &a.filter.universe_of()?)?.union_add(&row(right, &b.filter.universe_of()?)?)?;
    let filter = a.filter.union(&b.filter)?;
    let live = place.live.inside(&place.domain.intersect(&filter)?)?;
    if !live.coincident(&row)? {
        return Ok(None);
    }
    let mut branches = vec![];
    for (branch, band) in [(a, left), (b, right)] {
        branches.push(Branch {
            filter: branch.filter.clone(),
            child: rest(band)?,
        });
    }
    let below = place.below(&MultiUnionPwAff::from_union_pw_aff(&row)?)?;
    let child = match lanes(&branches[0].child) && lanes(&branches[1].child) {
        true => joined(branches, &below)?,
        false => branches,
    };
    let child = match <[Branch; 1]>::try_from(child) {
        Ok([one]) => one.child,
        Err(several) => Tree::Sequence(several),
    };
    let child = Tree::looping(&row, left.loops[0], true, child)?;
    Ok(Some(Branch { filter, child }))
}

/// Whether a tree is a loop in lanes.
fn lanes(tree: &Tree) -> bool {
    matches!(tree, Tree::Band(b) if matches!(b.loops[..], [LoopKind::Lanes { .. }]))
}

/// A nest of two or more loops whose first is coincident and not tiled.
fn nest(tree: &Tree) -> Option<&Band> {
    let Tree::Band(band) = tree else {
        return None;
    };
    let outer = band.tile.is_none() && band.coincident.first() == Some(&true);
    let deep = band.schedule.size() >= 2 || has_loops(&band.child);
    (outer && deep && band.loops[0] != LoopKind::Vector).then_some(&**band)
}

fn has_loops(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => false,
        Tree::Band(band) => band.tile.is_none(),
        Tree::Mark(..) => false,
        Tree::Sequence(list) | Tree::Set(list) => list.iter().any(|b| has_loops(&b.child)),
    }
}

/// A band below its first member.
pub(super) fn rest(band: &Band) -> poly::Result<Tree> {
    let mut rows: Option<MultiUnionPwAff> = None;
    for m in 1..band.schedule.size() {
        let row = MultiUnionPwAff::from_union_pw_aff(&band.schedule.at(m)?)?;
        rows = Some(match rows {
            None => row,
            Some(r) => r.flat_range_product(&row)?,
        });
    }
    Ok(match rows {
        None => band.child.clone(),
        Some(schedule) => Tree::Band(Box::new(Band {
            schedule,
            permutable: band.permutable,
            coincident: band.coincident[1..].to_vec(),
            loops: band.loops[1..].to_vec(),
            tile: None,
            child: band.child.clone(),
        })),
    })
}
