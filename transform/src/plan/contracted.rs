//! Arrays whose values do not outlive the lanes that compute them.
//!
//! A sweep of recurrences leaves coefficients in an array that its own way back takes up, and the next sweep overwrites
//! them all:
//!
//! ```text
//! for t: { lanes i: { for j: p[i][j] = f(p[i][j-1]);   for j descending: v[j][i] = g(v[j+1][i], p[i][j]) }
//!          lanes i: { for j: p[i][j] = h(p[i][j-1]);   .. } }
//! ```
//!
//! Lanes then keep `p` in a panel (`ast/contracted.rs`): no element of it goes to memory, which has as many lines as the
//! array, and lanes that lie apart there lie side by side. What outlives the last step is stored by that step: its instances
//! are a branch of their own. [`crate::legality`] has the conditions (`legality/contracted.rs`).

use super::{Place, Planner};
use crate::ast::lane_rows;
use crate::legality::Values;
use crate::live::statements;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, Error, MultiUnionPwAff, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, LoopKind, Mark, Tree};

/// The part of the budget that the question about one loop may take.
const SHARE: u64 = 3;

/// A loop around a place.
#[derive(Clone)]
struct Around {
    row: UnionPwAff,
    /// All threads go through its iterations one after the other.
    sequential: bool,
}

impl Planner<'_> {
    /// The tree with panels for loops in lanes.
    pub(super) fn contracted(&self, tree: &Tree, domain: &UnionSet) -> poly::Result<Tree> {
        self.contract(tree, domain, &[])
    }

    /// The same for a part of the tree.
    pub(super) fn contracted_below(&self, tree: &Tree, place: &Place) -> poly::Result<Tree> {
        let mut above = vec![];
        for row in place.outer.iter().map(|rows| rows.union_pw_affs()) {
            above.extend(row?.into_iter().map(|row| Around {
                row,
                sequential: true,
            }));
        }
        self.contract(tree, &place.domain, &above)
    }

    fn contract(&self, tree: &Tree, domain: &UnionSet, above: &[Around]) -> poly::Result<Tree> {
        if let Tree::Mark(mark @ Mark::Private(_), child) = tree {
            let child = self.contract(child, domain, above)?;
            return Ok(Tree::Mark(mark.clone(), Box::new(child)));
        }
        let Tree::Band(band) = tree else {
            return tree.with_children(|child, filter| match filter {
                Some(filter) => self.contract(child, &domain.intersect(filter)?, above),
                // What another mark decides stays as it is.
                None => Ok(child.clone()),
            });
        };
        if band.tile.is_some() {
            return Ok(tree.clone());
        }
        if let [LoopKind::Lanes { .. }] = band.loops[..] {
            let ctx = domain.ctx().clone();
            let _quota = ctx.share(SHARE);
            return match self.lanes_contracted(band, domain, above) {
                Err(Error::Quota) => Ok(tree.clone()),
                other => Ok(other?.unwrap_or_else(|| tree.clone())),
            };
        }
        let mut rows = above.to_vec();
        for m in 0..band.schedule.size() {
            rows.push(Around {
                row: band.schedule.at(m)?,
                sequential: band.loops[m] == LoopKind::Sequential,
            });
        }
        tree.with_children(|child, _| self.contract(child, domain, &rows))
    }

    /// A loop in lanes with panels; `None`: nothing can be contracted.
    fn lanes_contracted(
        &self,
        band: &Band,
        domain: &UnionSet,
        above: &[Around],
    ) -> poly::Result<Option<Tree>> {
        let row = band.schedule.at(0)?;
        let mut arrays = vec![];
        for array in self.written(domain)? {
            if lane_rows(self.scop, array, domain, &row)?.is_some() {
                arrays.push(array);
            }
        }
        if arrays.is_empty() {
            return Ok(None);
        }
        let values = Values::of(self.scop, self.deps)?;
        let mut rows: Vec<UnionPwAff> = above.iter().map(|a| a.row.clone()).collect();
        rows.push(row);
        let runs = domain.intersect_params(values.known())?;
        let mut stored = UnionSet::empty(&domain.space()?)?;
        let mut found = vec![];
        for array in arrays {
            let Some(needed) = values.needed(self.scop, array, domain, &rows)? else {
                continue;
            };
            let here = steps_of(&needed, domain, above)?;
            if !runs.is_subset(&here)? {
                stored = stored.union(&here)?;
                found.push(array);
            }
        }
        if found.is_empty() || runs.is_subset(&stored)? {
            return Ok(None);
        }
        // Other values of the parameters do not come here.
        let stored = stored.gist_params(values.known())?.intersect(domain)?;
        let kept = domain.subtract(&stored)?.coalesce()?;
        let plain = Tree::Band(Box::new(band.clone()));
        let panels = Tree::Mark(Mark::Contracted(found), Box::new(plain.clone()));
        Ok(Some(match stored.is_empty()? {
            true => panels,
            false => {
                let branch = |filter, child| Branch { filter, child };
                Tree::Sequence(vec![
                    branch(stored.coalesce()?, plain),
                    branch(kept, panels),
                ])
            }
        }))
    }

    /// The arrays that instances write and read.
    fn written(&self, domain: &UnionSet) -> poly::Result<Vec<ArrayId>> {
        let stmts = statements(self.scop, domain)?;
        let all = stmts.iter().map(|s| self.scop.stmt(*s));
        let read = |a: ArrayId| all.clone().any(|s| s.reads().iter().any(|r| r.array == a));
        let mut found: Vec<ArrayId> = all
            .clone()
            .flat_map(|s| s.writes().iter().map(|a| a.array))
            .filter(|a| read(*a))
            .collect();
        found.sort();
        found.dedup();
        Ok(found)
    }
}

/// All instances in `domain` in whose iterations of the sequential loops some of `some` run.
fn steps_of(some: &UnionSet, domain: &UnionSet, above: &[Around]) -> poly::Result<UnionSet> {
    if some.is_empty()? {
        return Ok(some.clone());
    }
    let mut rows: Option<MultiUnionPwAff> = None;
    for a in above.iter().filter(|a| a.sequential) {
        let row = a.row.intersect_domain(&domain.universe_of()?)?;
        let row = MultiUnionPwAff::from_union_pw_aff(&row)?;
        rows = Some(match rows {
            None => row,
            Some(r) => r.flat_range_product(&row)?,
        });
    }
    let Some(rows) = rows else {
        return Ok(domain.clone());
    };
    let steps = UnionMap::from_multi_union_pw_aff(&rows)?;
    let here = some.apply(&steps)?.coalesce()?;
    here.apply(&steps.reverse()?)?.intersect(domain)?.coalesce()
}
