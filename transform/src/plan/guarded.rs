//! Loops behind conditions on data ([`polytile_analysis::guards`]).
//!
//! ```text
//! for i: for k: if (f[i][k] != 0) for j: a[i][j] -= f[i][k] * a[k][j];
//! ```
//!
//! The original asks once for all of `j`, and where it mostly asks in vain that is most of its time. Any order with another loop inside of
//! `j` asks once more for each of its iterations, and tiles along `j` once more for each tile. So a band with such statements keeps
//! the order of the original's loops and is not tiled: threads gain, along its outermost loop if that is free, else in the parts in which it is
//! (`split`).

use super::streams::part_of;
use super::{Place, Planner, Tiling};
use crate::live::statements;
use crate::parallel::coincident_member;
use crate::simd::{linear_part, reordered};
use crate::tile::points::{ordered_groups, universe};
use polytile_analysis::guards::{conditions, is_guarded, loops};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, MultiUnionPwAff, Set, UnionSet};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::{Band, Branch, Tree};

impl Planner<'_> {
    /// The band in its order in the original, if statements of it stand in loops behind a condition on data.
    pub(super) fn guarded(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let ids = statements(self.scop, &place.domain)?;
        let mut guarded = ids.iter().map(|s| self.scop.stmt(*s));
        let Some(stmt) = guarded.find(|s| is_guarded(self.scop, s)) else {
            return Ok(None);
        };
        if self.options.tiling != Tiling::Auto {
            return Ok(None);
        }
        let ordered = match band.permutable {
            true => in_order_of(stmt, band)?,
            false => None,
        };
        let band = ordered.as_ref().unwrap_or(band);
        let condition = conditions(stmt)[0];
        let asks = |m: usize| -> poly::Result<bool> {
            let row = linear_part(&band.schedule.at(m)?, stmt)?;
            let around = loops(stmt, condition);
            Ok(row.is_none_or(|row| {
                let mut moved = stmt.iters.iter().zip(&row).filter(|(_, c)| **c != 0);
                moved.any(|(l, _)| around.contains(l))
            }))
        };
        if place.parallel
            && !band.coincident[0]
            && asks(0)?
            && let Some(parts) = self.parts_behind_guards(band, place)?
        {
            return Ok(Some(parts));
        }
        let mut place = place.clone();
        if let Some(free) = coincident_member(band) {
            // Threads that meet in each row for a part of it would all ask.
            place.parallel &= asks(free)?;
        }
        Ok(Some(self.plain(band, &place)?))
    }

    /// The band split where its outermost loop is free then, with what comes in front of the guarded statements or behind them in loops of
    /// its own; `None`: it is not.
    fn parts_behind_guards(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let ids = statements(self.scop, &place.domain)?;
        if let [_] = ids[..] {
            return self.split(band, place);
        }
        let groups = ordered_groups(&ids, &place.live.inside(&place.domain)?.edges());
        if !band.permutable || groups.len() < 2 {
            return Ok(None);
        }
        if let Some(parts) = self.together(band, &groups.concat(), place)? {
            return Ok(Some(parts));
        }
        let mut branches = vec![];
        for group in groups {
            let filter = universe(self.scop, &group, &place.domain)?;
            let inside = place.inside(&filter)?;
            let own = part_of(band, &inside)?;
            let is_guarded = |s: &StmtId| is_guarded(self.scop, self.scop.stmt(*s));
            let child = match group.iter().any(is_guarded) {
                true => self.split(&own, &inside)?,
                false => Some(self.band(&own, &inside)?),
            };
            match child {
                Some(child) => branches.push(Branch { filter, child }),
                None => return Ok(None),
            }
        }
        Ok(Some(Tree::Sequence(branches)))
    }

    /// The parts of the last of some statements, each with what the others do in front of it in the same iteration: what they hand on stays in
    /// registers.
    fn together(&self, band: &Band, order: &[StmtId], place: &Place) -> poly::Result<Option<Tree>> {
        let Some((last, first)) = order.split_last() else {
            return Ok(None);
        };
        let own = place.inside(&universe(self.scop, &[*last], &place.domain)?)?;
        let Some(Tree::Sequence(parts)) = self.split(&part_of(band, &own)?, &own)? else {
            return Ok(None);
        };
        let mut left: Vec<Set> = vec![];
        for id in first {
            left.push(self.scop.stmt(*id).domain.clone());
        }
        let mut branches = vec![];
        for part in parts {
            let Tree::Band(outer) = part.child else {
                return Ok(None);
            };
            let (mut filter, mut children) = (part.filter.clone(), vec![]);
            for (id, left) in first.iter().zip(&mut left) {
                let Some(front) =
                    in_front(self.scop.stmt(*id), self.scop.stmt(*last), &part.filter)?
                else {
                    return Ok(None);
                };
                if !front.is_subset(left)? {
                    return Ok(None);
                }
                *left = left.subtract(&front)?;
                let front = front.to_union_set()?;
                filter = filter.union(&front)?;
                children.push(Branch {
                    filter: front,
                    child: Tree::Leaf,
                });
            }
            children.push(Branch {
                filter: part.filter,
                child: outer.child,
            });
            let inside = place.inside(&filter)?;
            let row = band
                .schedule
                .at(0)?
                .intersect_domain(&filter.universe_of()?)?;
            if outer.schedule.size() != 1 || !inside.live.coincident(&row)? {
                return Ok(None);
            }
            let whole = Band {
                schedule: MultiUnionPwAff::from_union_pw_aff(&row)?,
                child: Tree::Sequence(children),
                ..*outer
            };
            branches.push(Branch {
                filter,
                child: Tree::Band(Box::new(whole)),
            });
        }
        for left in left {
            if !left.intersect_params(&self.scop.known()?)?.is_empty()? {
                return Ok(None);
            }
        }
        Ok(Some(Tree::Sequence(branches)))
    }
}

/// The iterations of a statement that are those of the loops which it shares with another one, in a part of that one's.
fn in_front(stmt: &Stmt, other: &Stmt, part: &UnionSet) -> poly::Result<Option<Set>> {
    let depth = stmt.depth();
    let sets = part.sets()?;
    let [part] = &sets[..] else {
        return Ok(None);
    };
    if other.depth() < depth || other.iters[..depth] != stmt.iters[..] {
        return Ok(None);
    }
    let shared = part.project_out(DimType::Set, depth, other.depth() - depth)?;
    let shared = shared.set_tuple_name(&stmt.name)?;
    shared.intersect(&stmt.domain).map(Some)
}

/// A permutable band with its members in the order of a statement's loops; `None` where a member is no loop of it.
fn in_order_of(stmt: &Stmt, band: &Band) -> poly::Result<Option<Band>> {
    let mut order: Vec<(usize, usize)> = vec![];
    for m in 0..band.schedule.size() {
        let Some(row) = linear_part(&band.schedule.at(m)?, stmt)? else {
            return Ok(None);
        };
        let moved: Vec<usize> = (0..row.len()).filter(|d| row[*d] != 0).collect();
        match moved[..] {
            [d] => order.push((d, m)),
            _ => return Ok(None),
        }
    }
    order.sort_unstable();
    let order: Vec<usize> = order.into_iter().map(|(_, m)| m).collect();
    Ok(Some(reordered(band, &order)?))
}
