//! Parameters that say how wide a window is: the taps of a filter, the radius of a neighbourhood.
//!
//! ```text
//! for x < w - k + 1:  for d < k:  out[x] += in[x + d] * taps[d]          k
//! for x < w:  for d = -r ..= r:   s += in[clamp(x + d)] * taps[d + r]    r
//! for x < w:  for i = max(0, x - r) ..= min(w - 1, x + r):   s += in[i]  r
//! ```
//!
//! A window is small beside what it slides over, and nothing in a program says so: of an image as wide as the window over it, no point would
//! lie inside. So is what shifts it, as the padding in `in[x + d - pad]`.

use super::{iterators, parameters};
use polytile_analysis::poly::{self, Constraint, DimType, Map, Set};
use polytile_analysis::scop::{AccessKind, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// What steps and dilations of windows are at most. Beyond, it is the pitch of rows in an array of one dimension.
const MAX_STEP: u64 = 8;

/// The ends of a window are `k`, `-r` and `r`, or two of which nothing more is known.
const MAX_ENDS: usize = 2;

/// The parameters that bound loops over windows or shift them, by their places.
pub(super) fn windows(scop: &Scop) -> poly::Result<BTreeSet<usize>> {
    let mut found = BTreeSet::new();
    for s in scop.stmts.iter().filter(|s| s.depth() >= 2) {
        found.extend(around(scop, s)?);
        let slides = sliding(scop, s)?;
        if slides.is_empty() {
            continue;
        }
        let bounds = (0..s.depth()).map(|i| bounds_of(scop, s, i));
        let bounds = bounds.collect::<poly::Result<Vec<_>>>()?;
        let written = written(scop, s)?;
        for Slide {
            over,
            across,
            offsets,
        } in slides
        {
            // Results lie side by side, and a window is summed up, in a scalar by inner loops.
            let moves_result = match written.is_empty() {
                true => across < over,
                false => written.contains(&across) && !written.contains(&over),
            };
            if moves_result {
                continue;
            }
            let ends = &bounds[across];
            let adds_up = across > over && !written.contains(&across);
            if (1..=MAX_ENDS).contains(&ends.len()) && is_within(ends, &bounds[over], adds_up) {
                found.extend(ends);
                found.extend(offsets.difference(&bounds[over]));
            }
        }
    }
    Ok(found)
}

/// The parameters that say how far one iterator is from another one on either side.
fn around(scop: &Scop, s: &Stmt) -> poly::Result<BTreeSet<usize>> {
    let mut sides: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
    for part in s.domain.basic_sets()? {
        let named = part.to_set()?;
        for c in part.constraints()?.iter().filter(|c| !c.is_equality()) {
            let all = iterators(s, c, DimType::Set)?;
            let moved: Vec<usize> = (0..all.len()).filter(|i| all[*i] != 0).collect();
            let &[a, b] = &moved[..] else { continue };
            let side = match (all[a], all[b]) {
                (1, -1) => (a, b),
                (-1, 1) => (b, a),
                _ => continue,
            };
            if let [(p, 1)] = parameters(scop, c, &named)?[..] {
                sides.entry(side).or_default().insert(p);
            }
        }
    }
    let mut found = BTreeSet::new();
    for ((a, b), ends) in &sides {
        if sides.contains_key(&(*b, *a)) {
            found.extend(ends);
        }
    }
    Ok(found)
}

/// Whether what bounds a loop are the ends of a window over another loop: they are a part of what bounds that one, or the inner loop only
/// adds up what it reads.
fn is_within(ends: &BTreeSet<usize>, over: &BTreeSet<usize>, adds_up: bool) -> bool {
    match ends.is_disjoint(over) {
        true => adds_up,
        false => ends.is_subset(over) && ends.len() < over.len(),
    }
}

/// A subscript that adds two iterators.
struct Slide {
    over: usize,
    across: usize,
    /// What else it adds, as the padding of an image.
    offsets: BTreeSet<usize>,
}

/// Such subscripts, each way round.
fn sliding(scop: &Scop, s: &Stmt) -> poly::Result<Vec<Slide>> {
    let mut found = vec![];
    for a in s.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
        for (row, offsets) in rows(scop, s, &a.relation)? {
            let steps = |i: &usize| (1..=MAX_STEP).contains(&row[*i].unsigned_abs());
            let all: Vec<usize> = (0..row.len()).filter(steps).collect();
            for &over in &all {
                let others = all.iter().filter(|i| **i != over);
                found.extend(others.map(|&across| Slide {
                    over,
                    across,
                    offsets: offsets.clone(),
                }));
            }
        }
    }
    Ok(found)
}

/// The iterators that move what is written.
fn written(scop: &Scop, s: &Stmt) -> poly::Result<BTreeSet<usize>> {
    let mut found = BTreeSet::new();
    for w in s.accesses.iter().filter(|a| a.kind != AccessKind::Read) {
        for (row, _) in rows(scop, s, &w.relation)? {
            found.extend((0..row.len()).filter(|i| row[*i] != 0));
        }
    }
    Ok(found)
}

/// What each iterator adds to each subscript, and which parameters do, in all pieces of an access.
fn rows(scop: &Scop, s: &Stmt, relation: &Map) -> poly::Result<Vec<(Vec<i64>, BTreeSet<usize>)>> {
    let mut found = vec![];
    for piece in relation.basic_maps()? {
        let named = piece.to_map()?.domain()?;
        for c in piece.constraints()? {
            let subscripts = (0..c.dim(DimType::Out)).map(|d| c.coefficient(DimType::Out, d));
            let subscripts = subscripts.collect::<poly::Result<Vec<i64>>>()?;
            if c.is_equality() && subscripts.iter().any(|c| *c != 0) {
                let row = iterators(s, &c, DimType::In)?;
                found.push((row, named_in(scop, &c, &named)?));
            }
        }
    }
    Ok(found)
}

/// The parameters that bound an iterator beside no other one.
fn bounds_of(scop: &Scop, s: &Stmt, iterator: usize) -> poly::Result<BTreeSet<usize>> {
    let mut found = BTreeSet::new();
    for part in s.domain.basic_sets()? {
        let named = part.to_set()?;
        for c in part.constraints()? {
            let all = iterators(s, &c, DimType::Set)?;
            if (0..all.len()).any(|i| (all[i] != 0) != (i == iterator)) {
                continue;
            }
            found.extend(named_in(scop, &c, &named)?);
        }
    }
    Ok(found)
}

/// The parameters in a constraint.
fn named_in(scop: &Scop, c: &Constraint, named: &Set) -> poly::Result<BTreeSet<usize>> {
    let all = parameters(scop, c, named)?.into_iter();
    Ok(all.map(|(p, _)| p).collect())
}
