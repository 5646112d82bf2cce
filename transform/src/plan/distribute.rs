//! Distribution: a band with several accumulating statements falls apart, one register tile each.
//!
//! ```text
//! for i: for j: { for k < i: { C[k][j] += x[i][j] * A[i][k];      row k, reduction i
//!                              t[i][j] += B[k][j] * A[i][k] }     row i, reduction k
//!                 C[i][j] = .. t[i][j] .. }
//! ```
//!
//! The products share their loops but no register tile. Where nothing leads back from the second to the first (Allen,
//! Callahan and Kennedy 1987: loops may be distributed over the circles of the dependence graph, in their order), each
//! gets loops of its own; statements between go with the product before them.

use super::streams::part_of;
use super::{Place, Planner};
use crate::simd::{Roles, accumulating_roles};
use crate::tile::points::{ordered_groups, universe};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::tree::{Band, Branch, Tree};
use std::collections::BTreeMap;

/// Row, lane and reduction.
type Members = (usize, usize, usize);

impl Planner<'_> {
    /// The parts of a permutable band one after the other; `None` if it is better left together.
    pub(super) fn distributed(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !band.permutable || band.tile.is_some() || band.schedule.size() < 3 {
            return Ok(None);
        }
        let stmts = crate::live::statements(self.scop, &place.domain)?;
        let members = |r: Roles| (r.row, r.lane, r.reduction);
        let roles = accumulating_roles(self.scop, &stmts, &place.outer, band)?;
        let roles: BTreeMap<StmtId, Members> =
            roles.into_iter().map(|(s, r)| (s, members(r))).collect();
        let Some(parts) = parts(
            ordered_groups(&stmts, &place.live.inside(&place.domain)?.edges()),
            &roles,
        ) else {
            return Ok(None);
        };
        let mut branches = vec![];
        for part in &parts {
            let filter = universe(self.scop, part, &place.domain)?;
            let inside = place.inside(&filter)?;
            let own = part_of(band, &inside)?;
            branches.push(Branch {
                filter,
                child: self.band(&own, &inside)?,
            });
        }
        Ok(Some(Tree::Sequence(branches)))
    }
}

/// Groups in their order, cut before each group that accumulates but the first; `None` if there is nothing to cut, or if
/// a group accumulates in different roles.
fn parts(groups: Vec<Vec<StmtId>>, roles: &BTreeMap<StmtId, Members>) -> Option<Vec<Vec<StmtId>>> {
    let mut parts: Vec<Vec<StmtId>> = vec![vec![]];
    let mut accumulates = false;
    for group in groups {
        let mut own = group.iter().filter_map(|s| roles.get(s));
        if let Some(first) = own.next() {
            if own.any(|r| r != first) {
                return None;
            }
            if accumulates {
                parts.push(vec![]);
            }
            accumulates = true;
        }
        parts.last_mut()?.extend(group);
    }
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(list: &[u32]) -> Vec<StmtId> {
        list.iter().map(|&s| StmtId(s)).collect()
    }

    #[test]
    fn each_part_accumulates_once() {
        let roles = BTreeMap::from([(StmtId(1), (0, 2, 1)), (StmtId(3), (1, 2, 0))]);
        let groups = [&[0][..], &[1], &[2], &[3], &[4]].map(ids).to_vec();
        assert_eq!(
            parts(groups, &roles),
            Some(vec![ids(&[0, 1, 2]), ids(&[3, 4])])
        );
        let circle = [&[0][..], &[1, 3]].map(ids).to_vec();
        assert_eq!(parts(circle, &roles), None);
        let single = [&[0][..], &[1], &[2]].map(ids).to_vec();
        assert_eq!(parts(single, &roles), None);
    }
}
