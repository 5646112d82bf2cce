//! Loops whose iterations wait for a sum alone.
//!
//! ```text
//! for i: for j: s = s + sqrt(a[i][j]) / b[i][j]
//!
//! for i: for strips J: { vector j in J: v[j - J] = sqrt(a[i][j]) / b[i][j];   for j in J: s = s + v[j - J] }
//! ```
//!
//! Sums of floating-point numbers keep their order. Their iterations have no vector lanes then, although what is summed up may take ten times as long
//! as the sum. To LLVM, minima and maxima of floating-point numbers are such sums, too; in a strip they run in lanes where only what is strictly beyond
//! is taken ([`polytile_analysis::chain::AnyOrder`]).
//! Strips take it into lanes (scalar expansion and loop distribution, Allen and Kennedy 2001, sections 5.3 and 2.4.2, a strip at a time). The
//! model says where that pays ([`crate::model::strips_pay`]).

use super::{Planner, fired, members};
use crate::live::{Live, statements};
use crate::model::strips_pay;
use crate::parallel::last_step;
use crate::simd::{moves_along, moves_with};
use polytile_analysis::chain::{Chain, Role};
use polytile_analysis::deps::Dependence;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, LoopKind, Mark, Tree};
use std::collections::BTreeSet;

/// Windows move by fewer elements.
const WINDOW: u32 = 16;

/// Operands of which a strip fits the stack of a thread that has little: half a kilobyte each.
const MAX_OPERANDS: usize = 8;

impl Planner<'_> {
    /// The tree with strips in the innermost loops that gain by them.
    pub(super) fn in_strips(
        &self,
        tree: &Tree,
        domain: &UnionSet,
        above: &[MultiUnionPwAff],
    ) -> poly::Result<Tree> {
        let band = match tree {
            Tree::Band(band) => band,
            // What other marks decide stays as it is.
            Tree::Mark(mark, _) if !matches!(mark, Mark::Private(_) | Mark::Note(_)) => {
                return Ok(tree.clone());
            }
            _ => {
                return tree.with_children(|child, filter| match filter {
                    Some(filter) => self.in_strips(child, &domain.intersect(filter)?, above),
                    None => self.in_strips(child, domain, above),
                });
            }
        };
        let plain = |l: &LoopKind| matches!(l, LoopKind::Sequential | LoopKind::Parallel(_));
        if !band.loops.iter().all(plain) {
            return Ok(tree.clone());
        }
        let mut rows = above.to_vec();
        if band.tile.is_none() {
            rows.push(band.schedule.clone());
        }
        if band.tile.is_some() || band.child.has_bands() {
            return tree.with_children(|child, _| self.in_strips(child, domain, &rows));
        }
        Ok(match self.strips_of(band, domain, &rows)? {
            Some(cells) => fired("strips", marked(band, cells)?),
            None => tree.clone(),
        })
    }

    /// The arrays around whose cells an innermost loop runs in strips.
    fn strips_of(
        &self,
        band: &Band,
        domain: &UnionSet,
        rows: &[MultiUnionPwAff],
    ) -> poly::Result<Option<Vec<ArrayId>>> {
        let last = band.schedule.size().wrapping_sub(1);
        let waits = |m: usize| !band.coincident[m] && band.loops[m] == LoopKind::Sequential;
        if band.schedule.size() == 0 || !waits(last) {
            return Ok(None);
        }
        let all = statements(self.scop, domain)?;
        let mut above = members(rows)?;
        let Some(row) = above.pop() else {
            return Ok(None);
        };
        let mut cells: Vec<ArrayId> = vec![];
        for array in accumulating(self.scop, &all)? {
            // What accumulates along another loop has lanes in this one.
            if !self.carries_nothing(domain, (&above, &row), |d| d.arrays == [array])? {
                cells.push(array);
            }
        }
        let bits = 8 * self.target.lanes(1) as u32;
        let Some(chains) = chains(self.scop, &all, &cells, bits)? else {
            return Ok(None);
        };
        let ends = |d: &Dependence| {
            let known = |s| chains.iter().any(|c| c.stmt == s);
            known(d.src) && known(d.dst)
        };
        let other = |d: &Dependence| !ends(d) || d.arrays.iter().any(|a| !cells.contains(a));
        if !self.carries_nothing(domain, (&above, &row), other)? {
            return Ok(None);
        }
        let mut steps = vec![];
        for &s in &all {
            match last_step(self.scop.stmt(s), rows)? {
                Some(step) => steps.push((s, step)),
                None => return Ok(None),
            }
        }
        for chain in &chains {
            let own = steps.iter().find(|(s, _)| *s == chain.stmt);
            if let Some((_, step)) = own
                && self.over_windows(chain, step)?
            {
                return Ok(None);
            }
        }
        Ok(strips_pay(self.scop, &steps, chains, self.target)?.then_some(cells))
    }

    /// Whether extrema are over windows of several loops: what the innermost loop goes along, an independent one moves in by a few elements, or by a
    /// number that nobody knows. Windows have few elements, and strips would not be full.
    fn over_windows(&self, chain: &Chain, step: &[i64]) -> poly::Result<bool> {
        let stmt = self.scop.stmt(chain.stmt);
        if chain.any_order.is_none() {
            return Ok(false);
        }
        let along = |access, d| moves_with(self.scop, stmt, access, d);
        let mut free = vec![];
        for d in 0..stmt.depth() {
            if along(stmt.write(), d)? != Stride::Zero {
                free.push(d);
            }
        }
        if stmt.depth() - free.len() < 2 {
            return Ok(false);
        }
        for read in stmt.reads() {
            let Stride::Const(element) = moves_along(self.scop, read, step)? else {
                continue;
            };
            for &d in &free {
                let near = match along(read, d)? {
                    Stride::Const(s) => s.abs() < i128::from(WINDOW) * element.abs(),
                    Stride::Symbolic(_) => self.scop.array(read.array).is_loose(),
                    Stride::Zero | Stride::Irregular => false,
                };
                if near {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a row, in the loops of the rows above, carries no dependence of this kind.
    fn carries_nothing(
        &self,
        domain: &UnionSet,
        (above, row): (&[UnionPwAff], &UnionPwAff),
        wanted: impl Fn(&Dependence) -> bool,
    ) -> poly::Result<bool> {
        let mut live = Live::of(self.deps.ordering(false).filter(|d| wanted(d)))?.inside(domain)?;
        for row in above {
            live = live.tied(row)?;
        }
        live.coincident(row)
    }
}

/// The arrays of the cells that statements accumulate in.
fn accumulating(scop: &Scop, all: &[StmtId]) -> poly::Result<BTreeSet<ArrayId>> {
    let mut found = BTreeSet::new();
    for s in all.iter().map(|s| scop.stmt(*s)) {
        for w in s.writes() {
            for r in s.reads().iter().filter(|r| r.array == w.array) {
                if r.relation.is_equal(&w.relation)? {
                    found.insert(w.array);
                }
            }
        }
    }
    Ok(found)
}

/// The statements that accumulate in cells of these arrays, with something to compute for that; `None`: there are none, or others
/// touch the arrays.
fn chains(
    scop: &Scop,
    all: &[StmtId],
    cells: &[ArrayId],
    bits: u32,
) -> poly::Result<Option<Vec<Chain>>> {
    let mut chains = vec![];
    for &s in all {
        match Role::of(scop.stmt(s), cells)? {
            Role::Free => {}
            Role::Chain(chain) => chains.push(chain.in_lanes(scop.stmt(s), bits)),
            Role::Bound => return Ok(None),
        }
    }
    let operands: usize = chains.iter().map(|c| c.operands.len()).sum();
    Ok((1..=MAX_OPERANDS).contains(&operands).then_some(chains))
}

/// A band with its innermost loop in strips.
fn marked(band: &Band, cells: Vec<ArrayId>) -> poly::Result<Tree> {
    let last = band.schedule.size() - 1;
    let inner = Tree::looping(
        &band.schedule.at(last)?,
        LoopKind::Sequential,
        false,
        band.child.clone(),
    )?;
    let mut tree = Tree::Mark(Mark::Strips(cells), Box::new(inner));
    for m in (0..last).rev() {
        tree = Tree::looping(
            &band.schedule.at(m)?,
            band.loops[m],
            band.coincident[m],
            tree,
        )?;
    }
    Ok(tree)
}
