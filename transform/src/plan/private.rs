//! Outermost loops whose iterations share nothing but temporary arrays.
//!
//! ```text
//! for r: { for q, p, s: x[q][p] += A[r][q][s] * C[s][p];   for q, p: A[r][q][p] = x[q][p] }
//! for p: last[p] = x[Q - 1][p]                                            // of the last r
//!
//! parallel r, private x: { for q, p, s: ...;   for q, p: ...;   if r = R - 1: for p: last[p] = x[Q - 1][p] }
//! ```
//!
//! With a copy per thread the iterations are independent ([`crate::legality`] has the conditions), and threads meet once
//! instead of in each iteration. Nests behind the loop that read the arrays move into it, so that each value is read where
//! it was written.

use super::join::rest;
use super::{Place, Planner};
use crate::cost::at_values;
use crate::legality::is_private;
use crate::live::{Live, statements};
use crate::parallel::distribution;
use crate::simd::reordered;
use polytile_analysis::deps::Dependence;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, Map, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::ArrayKind;
use polytile_analysis::tree::{Band, Branch, LoopKind, Mark, Tree};

/// Iterations for typical parameters below which threads rather share the work inside of an iteration.
const MIN_ITERATIONS: i64 = 16;

/// Iterations below which they are blocks, of which threads take one at a time.
const FEW: i64 = 64;

impl Planner<'_> {
    /// A whole tree as a parallel loop with private arrays.
    pub(super) fn private_band(
        &mut self,
        tree: &Tree,
        place: &Place,
    ) -> poly::Result<Option<Tree>> {
        let whole = Branch {
            filter: place.domain.clone(),
            child: tree.clone(),
        };
        let found = self.private_loop(std::slice::from_ref(&whole), place)?;
        Ok(found.map(|(_, tree)| tree))
    }

    /// How many of the first branches of a sequence are one parallel loop with private arrays, and the loop.
    pub(super) fn private_loop(
        &mut self,
        list: &[Branch],
        place: &Place,
    ) -> poly::Result<Option<(usize, Tree)>> {
        if !place.parallel || !place.outer.is_empty() {
            return Ok(None);
        }
        let Some(first) = list.first().and_then(nest) else {
            return Ok(None);
        };
        if first.coincident.iter().all(|&c| c) {
            return Ok(None);
        }
        let arrays = self.temporaries(&place.domain.intersect(&list[0].filter)?)?;
        let Some(count) = self.users_end(&arrays, list, place)? else {
            return Ok(None);
        };
        let list = &list[..count];
        for members in choices(list) {
            let Some(Together { row, domain, parts }) = together(list, &members, place)? else {
                continue;
            };
            let Some(private) = self.private_arrays(&arrays, &row, &domain, place)? else {
                continue;
            };
            // Of few iterations each is a part of its own.
            let few = self.iterations(&row, &domain)? < FEW;
            let kind = LoopKind::Parallel(distribution(&domain, &row, few)?);
            let mut below = Place {
                domain,
                ..place.clone()
            }
            .below(&MultiUnionPwAff::from_union_pw_aff(&row)?)?;
            below.parallel = false;
            let rows = Tree::looping(&row, kind, false, self.tree(&parts, &below)?)?;
            let tree = Tree::Mark(Mark::Private(private), Box::new(rows));
            return Ok(Some((count, tree)));
        }
        Ok(None)
    }

    /// The temporary arrays that instances access.
    pub(super) fn temporaries(&self, domain: &UnionSet) -> poly::Result<Vec<ArrayId>> {
        let mut found = vec![];
        for s in statements(self.scop, domain)? {
            for a in &self.scop.stmt(s).accesses {
                if self.scop.array(a.array).kind == ArrayKind::Temporary {
                    found.push(a.array);
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// How many branches it takes until all accesses to the arrays are in them; `None`: there are others.
    fn users_end(
        &self,
        arrays: &[ArrayId],
        list: &[Branch],
        place: &Place,
    ) -> poly::Result<Option<usize>> {
        if arrays.is_empty() {
            return Ok(None);
        }
        let users = |s: &polytile_analysis::scop::Stmt| {
            s.accesses.iter().any(|a| arrays.contains(&a.array))
        };
        let mut missing: Vec<_> = self
            .scop
            .stmts
            .iter()
            .filter(|s| users(s))
            .map(|s| s.id)
            .collect();
        for (n, b) in (1..).zip(list) {
            let here = statements(self.scop, &place.domain.intersect(&b.filter)?)?;
            missing.retain(|s| !here.contains(s));
            if missing.is_empty() {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// Values of a row for typical parameters.
    fn iterations(&self, row: &UnionPwAff, domain: &UnionSet) -> poly::Result<i64> {
        let mut most = 0;
        for pa in row.intersect_domain(domain)?.pw_affs()? {
            let range = at_values(&Map::from_pw_aff(&pa)?.range()?, &self.typical)?;
            if let (Some(least), Some(last)) = range.dim_ends(0)? {
                most = most.max(last - least + 1);
            }
        }
        Ok(most)
    }

    /// Those of the arrays that may be private in the row's loop, if it is parallel then.
    pub(super) fn private_arrays(
        &self,
        arrays: &[ArrayId],
        row: &UnionPwAff,
        domain: &UnionSet,
        place: &Place,
    ) -> poly::Result<Option<Vec<ArrayId>>> {
        if self.iterations(row, domain)? < MIN_ITERATIONS
            || !place.live.inside(domain)?.respects(row)?
        {
            return Ok(None);
        }
        let mut rows = vec![];
        for band in &place.outer {
            rows.extend(band.union_pw_affs()?);
        }
        let shared = |private: &[ArrayId]| {
            let through = |d: &&Dependence| d.arrays.iter().any(|a| !private.contains(a));
            let list = self.deps.ordering(false).filter(through);
            let open = Live::of(list)?.inside(domain)?;
            rows.iter()
                .try_fold(open, |open, row| open.tied(row))?
                .coincident(row)
        };
        if !shared(arrays)? {
            return Ok(None);
        }
        let rows: Vec<UnionPwAff> = rows.iter().chain([row]).cloned().collect();
        let mut private = vec![];
        for &a in arrays {
            let flow = self.deps.flow_of(self.scop, a)?;
            if is_private(self.scop, a, &flow, &rows)? {
                private.push(a);
            }
        }
        Ok((!private.is_empty() && shared(&private)?).then_some(private))
    }
}

/// Members of the branches' bands that may become one loop.
fn choices(list: &[Branch]) -> Vec<Vec<usize>> {
    let movable = |b: &Branch| {
        nest(b).map_or(0, |band| {
            if band.permutable {
                band.schedule.size()
            } else {
                1
            }
        })
    };
    let Some((first, others)) = list.split_first() else {
        return vec![];
    };
    let free = |m: usize| nest(first).is_some_and(|band| band.coincident[m]);
    let most = others.iter().map(movable).max().unwrap_or(1);
    let mut all = vec![];
    for m in (0..movable(first)).filter(|&m| !free(m)) {
        for other in 0..most {
            let other = others
                .iter()
                .map(|b| other.min(movable(b).saturating_sub(1)));
            all.push(std::iter::once(m).chain(other).collect());
        }
    }
    all
}

/// Nests under one loop.
struct Together {
    row: UnionPwAff,
    domain: UnionSet,
    parts: Tree,
}

/// Branches under the loop of one member of each.
fn together(list: &[Branch], members: &[usize], place: &Place) -> poly::Result<Option<Together>> {
    let mut all: Option<(UnionPwAff, UnionSet)> = None;
    let mut parts = vec![];
    for (b, &member) in list.iter().zip(members) {
        let Some(band) = nest(b) else {
            return Ok(None);
        };
        let mut order: Vec<usize> = (0..band.schedule.size()).filter(|&m| m != member).collect();
        order.insert(0, member);
        let band = reordered(band, &order)?;
        let here = place.domain.intersect(&b.filter)?;
        let row = band
            .schedule
            .at(0)?
            .intersect_domain(&here.universe_of()?)?;
        all = Some(match all {
            None => (row, here),
            Some((r, d)) => (r.union_add(&row)?, d.union(&here)?),
        });
        parts.push(Branch {
            filter: b.filter.clone(),
            child: rest(&band)?,
        });
    }
    let parts = match parts.len() {
        1 => parts.remove(0).child,
        _ => Tree::Sequence(parts),
    };
    Ok(all.map(|(row, domain)| Together { row, domain, parts }))
}

/// The outermost loops of a branch, if they are not planned yet.
fn nest(branch: &Branch) -> Option<&Band> {
    match &branch.child {
        Tree::Band(b) if b.tile.is_none() && b.schedule.size() > 0 && b.is_sequential() => Some(b),
        _ => None,
    }
}
