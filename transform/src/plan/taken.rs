//! Statements that take up what lanes leave of a row, in the same lanes.
//!
//! A filter runs along rows in both directions; the sum of both goes on. The search has put the sum into the nest behind,
//! whose chains run along columns:
//!
//! ```text
//! for i: { for j: y[i][j] = f(y[i][j-1]);  for j descending: z[i][j] = g(z[i][j+1]) }
//! for j: for i: { s[i][j] = y[i][j] + z[i][j];  y[i][j] = h(y[i-1][j], s[i][j]) }
//! ```
//!
//! Behind the chains of its row, in their lanes, the sum is all that reads them: they need not go to memory at all
//! ([`super::contracted`]), which is why it moves; where nothing is contracted, it stays.

use super::lanes::chains;
use super::streams::part_of;
use super::{Place, Planner, Tiling};
use crate::live::statements;
use crate::simd::reordered;
use crate::tile::points::universe;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{self, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, LoopKind, Mark, Tree};

/// Two nests of which statements have changed over from the second to the first.
pub(super) struct Taken {
    /// The first, planned.
    pub(super) lanes: Branch,
    /// What is left of the second.
    pub(super) rest: Option<Branch>,
}

impl Planner<'_> {
    /// The first nest of a sequence in lanes, with statements of the second that only read what it leaves; `None`: it is not
    /// of this kind, or nothing is gained.
    pub(super) fn taken_up(&self, list: &[Branch], place: &Place) -> poly::Result<Option<Taken>> {
        let [first, second, ..] = list else {
            return Ok(None);
        };
        let (Some(chain), Some(behind)) = (sequential(&first.child), sequential(&second.child))
        else {
            return Ok(None);
        };
        let free: Vec<usize> = (0..chain.coincident.len())
            .filter(|&m| chain.coincident[m])
            .collect();
        let &[m] = &free[..] else { return Ok(None) };
        let several = chain.schedule.size() > 1;
        if !(chain.permutable || m == 0) || !chains(several, &chain.child)? {
            return Ok(None);
        }
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        let readers = self.readers(first, second, place)?;
        if readers.is_empty() {
            return Ok(None);
        }
        let moved = second
            .filter
            .intersect(&universe(self.scop, &readers, &place.domain)?)?;
        let filter = first.filter.union(&moved)?;
        let both = place.inside(&filter)?;
        let part = part_of(behind, &place.inside(&moved)?)?;
        let Some((row, member)) = common_row((chain, m), &part, &both)? else {
            return Ok(None);
        };
        let own = |filter: &UnionSet, child| Branch {
            filter: filter.clone(),
            child,
        };
        let chained = self.around(chain, m, &place.inside(&first.filter)?)?;
        let parts = vec![
            own(&first.filter, chained),
            own(&moved, others_in_order(&part, member)?),
        ];
        let band = Band::looping(&row, LoopKind::Sequential, true, Tree::Sequence(parts))?;
        let Some(child) = self.lanes(&band, &both)? else {
            return Ok(None);
        };
        let reads = |a: ArrayId| {
            let of = |s: &StmtId| self.scop.stmt(*s).reads().iter().any(|r| r.array == a);
            readers.iter().any(of)
        };
        let mut gone = vec![];
        contracted_arrays(&self.contracted_below(&child, &both)?, &mut gone);
        if !gone.into_iter().any(reads) {
            return Ok(None);
        }
        let left = second.filter.subtract(&moved)?;
        let rest = match place.domain.intersect(&left)?.is_empty()? {
            true => None,
            false => {
                let part = part_of(behind, &place.inside(&left)?)?;
                Some(own(&left, Tree::Band(Box::new(part))))
            }
        };
        let lanes = Branch { filter, child };
        Ok(Some(Taken { lanes, rest }))
    }

    /// The statements of the second nest that read what the first writes, and need nothing of the second.
    fn readers(&self, first: &Branch, second: &Branch, place: &Place) -> poly::Result<Vec<StmtId>> {
        let all = place.inside(&first.filter.union(&second.filter)?)?;
        let edges = all.live.edges();
        let before = statements(self.scop, &place.domain.intersect(&first.filter)?)?;
        let mut behind = statements(self.scop, &place.domain.intersect(&second.filter)?)?;
        let others = behind.clone();
        behind.retain(|s| {
            let reads = self.scop.stmt(*s).reads();
            let takes = |w: &StmtId| {
                let writer = self.scop.stmt(*w);
                edges.contains(&(*w, *s)) && reads.iter().any(|r| writer.writes_to(r.array))
            };
            before.iter().any(takes) && !others.iter().any(|o| edges.contains(&(*o, *s)))
        });
        Ok(behind)
    }
}

/// Loops that nothing has been decided about.
fn sequential(tree: &Tree) -> Option<&Band> {
    match tree {
        Tree::Band(b) if b.tile.is_none() && b.is_sequential() => Some(b),
        _ => None,
    }
}

/// The row of member `m` of the chains with one of the other nest's, such that nothing leads from one value of it to
/// another; and which member that is.
fn common_row(
    (chain, m): (&Band, usize),
    part: &Band,
    both: &Place,
) -> poly::Result<Option<(UnionPwAff, usize)>> {
    for member in 0..part.schedule.size() {
        if member > 0 && !part.permutable {
            break;
        }
        let row = chain
            .schedule
            .at(m)?
            .union_add(&part.schedule.at(member)?)?;
        if both.live.coincident(&row)? {
            return Ok(Some((row, member)));
        }
    }
    Ok(None)
}

/// The members but one, as loops that run in order.
fn others_in_order(band: &Band, member: usize) -> poly::Result<Tree> {
    let others: Vec<usize> = (0..band.schedule.size()).filter(|&m| m != member).collect();
    if others.is_empty() {
        return Ok(band.child.clone());
    }
    let mut inner = reordered(band, &others)?;
    inner.coincident.fill(false);
    Ok(Tree::Band(Box::new(inner)))
}

/// The arrays that loops of a tree keep in panels.
pub(super) fn contracted_arrays(tree: &Tree, found: &mut Vec<ArrayId>) {
    match tree {
        Tree::Leaf => {}
        Tree::Band(b) => contracted_arrays(&b.child, found),
        Tree::Sequence(list) | Tree::Set(list) => {
            list.iter().for_each(|b| contracted_arrays(&b.child, found));
        }
        Tree::Mark(mark, child) => {
            if let Mark::Contracted(arrays) = mark {
                found.extend(arrays);
            }
            contracted_arrays(child, found);
        }
    }
}
