//! Loops whose iterations wait for a sum alone.
//!
//! ```text
//! for i: for j: s = s + sqrt(a[i][j]) / b[i][j]
//!
//! for i: for strips J: { vector j in J: v[j - J] = sqrt(a[i][j]) / b[i][j];   for j in J: s = s + v[j - J] }
//! ```
//!
//! Sums of floating-point numbers keep their order, and so do minima and maxima of them, where NaN and the sign of zero tell the
//! order apart. Their iterations have no vector lanes then, although what is summed up may take ten times as long as the sum.
//! Strips take it into lanes (scalar expansion and loop distribution, Allen and Kennedy 2001, sections 5.3 and 2.4.2, a strip at a time). The
//! model says where that pays ([`crate::model::strips_pay`]).

use super::{Planner, fired};
use crate::live::Live;
use crate::model::strips_pay;
use crate::parallel::last_step;
use polytile_analysis::ast::Chain;
use polytile_analysis::chain::free_operands;
use polytile_analysis::deps::Dependence;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, LoopKind, Mark, Tree};

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
            Some(stmts) => fired("strips", marked(band, stmts)?),
            None => tree.clone(),
        })
    }

    /// The statements around whose updates an innermost loop runs in strips.
    fn strips_of(
        &self,
        band: &Band,
        domain: &UnionSet,
        rows: &[MultiUnionPwAff],
    ) -> poly::Result<Option<Vec<StmtId>>> {
        let last = band.schedule.size().wrapping_sub(1);
        let waits = |m: usize| !band.coincident[m] && band.loops[m] == LoopKind::Sequential;
        if band.schedule.size() == 0 || !waits(last) {
            return Ok(None);
        }
        let all = crate::live::statements(self.scop, domain)?;
        let mut chains: Vec<Chain> = vec![];
        for &stmt in &all {
            match free_operands(self.scop.stmt(stmt))? {
                Some(operands) if !operands.is_empty() => chains.push(Chain { stmt, operands }),
                _ => {}
            }
        }
        let mut above = vec![];
        for row in rows {
            above.extend(row.union_pw_affs()?);
        }
        let Some(row) = above.pop() else {
            return Ok(None);
        };
        // What accumulates along another loop has lanes in this one.
        let mut along = vec![];
        for chain in chains {
            let own = |d: &Dependence| d.src == chain.stmt && d.dst == chain.stmt;
            if !self.carries_nothing(domain, (&above, &row), own)? {
                along.push(chain);
            }
        }
        let stmts: Vec<StmtId> = along.iter().map(|c| c.stmt).collect();
        if stmts.is_empty() || !self.alone_at_cells(&all, &stmts) {
            return Ok(None);
        }
        let cells: Vec<ArrayId> = stmts.iter().map(|s| self.cell(*s)).collect();
        let other = |d: &Dependence| {
            !stmts.contains(&d.src)
                || !stmts.contains(&d.dst)
                || d.arrays.iter().any(|a| !cells.contains(a))
        };
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
        Ok(strips_pay(self.scop, &steps, along, self.target)?.then_some(stmts))
    }

    fn cell(&self, s: StmtId) -> ArrayId {
        self.scop.stmt(s).write().array
    }

    /// Whether nobody else touches the arrays that these statements accumulate in.
    fn alone_at_cells(&self, all: &[StmtId], stmts: &[StmtId]) -> bool {
        stmts.iter().all(|s| {
            let mut others = all
                .iter()
                .filter(|t| !stmts.contains(t) || self.cell(**t) != self.cell(*s));
            let touches = |t: &StmtId| {
                let mut accesses = self.scop.stmt(*t).accesses.iter();
                accesses.any(|a| a.array == self.cell(*s))
            };
            !others.any(touches)
        })
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

/// A band with its innermost loop in strips.
fn marked(band: &Band, stmts: Vec<StmtId>) -> poly::Result<Tree> {
    let last = band.schedule.size() - 1;
    let inner = Tree::looping(
        &band.schedule.at(last)?,
        LoopKind::Sequential,
        false,
        band.child.clone(),
    )?;
    let mut tree = Tree::Mark(Mark::Strips(stmts), Box::new(inner));
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
