//! Bands of two members with sums over one of them: matrix-vector nests.
//!
//! Such a nest reads a matrix once. What counts is that it reads it along its rows, in long pieces, and that the sums
//! stay in registers ([`crate::simd::stream_roles`]). Nests that share no matrix gain nothing from common loops, and
//! sums in different directions could not both have their lanes, so the band first falls apart into nests:
//!
//! 1. statements that depend on each other in a circle stay together, and so do statements that read or write the same
//!    elements in the same iterations (a shared *stream*);
//! 2. each nest with sums gets the tiles below ([`nest`]), any other is planned like a band of its own.
//!
//! | form | cache tile | inside |
//! |---|---|---|
//! | direct `y[j] += A[i][j] * x[i]` | a strip of columns, a few rows: the rows of `A` are walked in long pieces | register tile of columns over these rows |
//! | direct, several statements on one stream | the same | columns in lanes, all statements on a vector before the next ([`together`]) |
//! | transposed `y[i] += A[i][j] * x[j]` | the rows of one register tile | register tile over all columns; where several statements share the rows, over strips of them |
//!
//! Other statements that share the stream run one after the other within the cache tile; the second finds it in cache. Sums
//! that walk over the same matrix in different directions take turns on parts of it ([`blocks`]); sums that others of the
//! nest depend on (substitutions) are in [`linked`].

mod blocks;
mod linked;
mod matrix;
mod nest;
mod shared;
mod together;

use super::band::MIN_REGISTER_TILE_VOLUME;
use super::{Place, Planner, Tiling};
use crate::cost::Model;
use crate::live::statements;
use crate::simd::{StreamRoles, member_steps, stream_roles};
use crate::tile::points::{ordered_groups, restricted};
use matrix::{crossing, sharing};
use nest::{Nest, ROWS, multiple};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, Tree};
use std::collections::BTreeMap;

/// The sums of a band.
type Sums = BTreeMap<StmtId, StreamRoles>;

impl Planner<'_> {
    /// The nests of a band of two members with sums; `None` if there are none.
    pub(super) fn streams(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        if !is_plain(band) {
            return Ok(None);
        }
        let Some(model) = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?
        else {
            return Ok(None);
        };
        let sums = self.sums(band, place)?;
        if sums.is_empty() || model.volume() < MIN_REGISTER_TILE_VOLUME {
            return Ok(None);
        }
        let stmts = statements(self.scop, &place.domain)?;
        self.stream_nests(band, place, &sums, &[stmts])
    }

    /// The nests of adjacent bands that walk over the same matrix ([`Planner::streams`] looks at one): how many branches,
    /// and their order.
    pub(super) fn adjacent_streams(
        &mut self,
        list: &[Branch],
        place: &Place,
    ) -> poly::Result<Option<(usize, Tree)>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        let bands = list.iter().map_while(|b| match &b.child {
            Tree::Band(band) if is_plain(band) => Some((&b.filter, &**band)),
            _ => None,
        });
        let bands: Vec<(&UnionSet, &Band)> = bands.collect();
        if bands.len() < 2 {
            return Ok(None);
        }
        let mut union: Option<(UnionSet, Band)> = None;
        let mut points = vec![];
        let mut parts = vec![];
        let mut sums = Sums::new();
        for (filter, band) in &bands {
            let inside = place.inside(filter)?;
            parts.push(statements(self.scop, &inside.domain)?);
            sums.extend(self.sums(band, &inside)?);
            let own = part_of(band, &inside)?;
            points.push(Branch {
                filter: (*filter).clone(),
                child: own.child.clone(),
            });
            union = Some(match union {
                None => ((*filter).clone(), own),
                Some((all, mut both)) => {
                    both.schedule = both.schedule.union_add(&own.schedule)?;
                    (all.union(filter)?, both)
                }
            });
        }
        let (filter, mut band) = union.expect("two or more bands");
        // A point of one of them keeps the order of its statements.
        band.child = Tree::Sequence(points);
        let place = place.inside(&filter)?;
        let stmts = statements(self.scop, &place.domain)?;
        let streams = self.all_streams(&stmts, &band, &place)?;
        let model = Model::new(self.scop, &place.outer, &band, &place.domain, &self.typical)?;
        if crossing(&streams, &sums).is_empty()
            || model.is_none_or(|m| m.volume() < MIN_REGISTER_TILE_VOLUME)
        {
            return Ok(None);
        }
        let tree = self.stream_nests(&band, &place, &sums, &parts)?;
        Ok(tree.map(|t| (bands.len(), t)))
    }

    /// The nests of a band, or of several one after the other that were joined to one; `parts`: the statements of each.
    fn stream_nests(
        &mut self,
        band: &Band,
        place: &Place,
        sums: &Sums,
        parts: &[Vec<StmtId>],
    ) -> poly::Result<Option<Tree>> {
        let stmts = statements(self.scop, &place.domain)?;
        let streams = self.all_streams(&stmts, band, place)?;
        let mut edges = place.live.inside(&place.domain)?.edges();
        let together =
            |s: &StmtId, t: &StmtId| parts.iter().any(|p| p.contains(s) && p.contains(t));
        let shared = sharing(&streams);
        edges.extend(both_ways(
            shared.into_iter().filter(|(s, t)| together(s, t)),
        ));
        let groups = ordered_groups(&stmts, &edges);
        if groups.iter().any(|g| !together(&g[0], &g[g.len() - 1])) {
            return Ok(None);
        }
        if let &[_] = &groups[..] {
            return self.stream_nest(band, place, &stmts, sums);
        }
        let mut blocks = edges.clone();
        blocks.extend(both_ways(crossing(&streams, sums)));
        let mut branches = vec![];
        let mut found = false;
        for block in ordered_groups(&stmts, &blocks) {
            let parts: Vec<Vec<StmtId>> = groups
                .iter()
                .filter(|g| block.contains(&g[0]))
                .cloned()
                .collect();
            let filter = self.instances(&block)?;
            let inside = place.inside(&filter)?;
            let both = (sums, &streams);
            if let Some(child) = self.strips(&parts, band, &inside, both)? {
                found = true;
                branches.push(Branch { filter, child });
                continue;
            }
            if let Some(child) = self.followed(&parts, band, &inside, both)? {
                found = true;
                branches.push(Branch { filter, child });
                continue;
            }
            let (nests, any) = self.nests(&parts, band, &inside, sums)?;
            found |= any;
            match self.row_block(nests, band, &inside, &streams)? {
                Ok(child) => branches.push(Branch { filter, child }),
                Err(nests) => branches.extend(nests),
            }
        }
        Ok(found.then_some(Tree::Sequence(branches)))
    }

    /// Nests one after the other, and whether any has register tiles.
    fn nests(
        &mut self,
        groups: &[Vec<StmtId>],
        band: &Band,
        place: &Place,
        sums: &Sums,
    ) -> poly::Result<(Vec<Branch>, bool)> {
        let mut branches = vec![];
        let mut found = false;
        for group in groups {
            let filter = self.instances(group)?;
            let inside = place.inside(&filter)?;
            let part = part_of(band, &inside)?;
            let tree = self.stream_nest(&part, &inside, group, sums)?;
            found |= tree.is_some();
            let child = match tree {
                Some(tree) => tree,
                None => self.band(&part, &inside)?,
            };
            branches.push(Branch { filter, child });
        }
        Ok((branches, found))
    }

    /// The sums among the statements of a band.
    fn sums(&self, band: &Band, place: &Place) -> poly::Result<Sums> {
        let mut sums = Sums::new();
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? else {
                continue;
            };
            match stream_roles(self.scop, stmt, &steps)? {
                Ok(roles) => {
                    sums.insert(id, roles);
                }
                Err(why) => log::debug!("{}: no sum over a member: {why:?}", stmt.name),
            }
        }
        Ok(sums)
    }

    /// All instances of some statements.
    pub(super) fn instances(&self, group: &[StmtId]) -> poly::Result<UnionSet> {
        let mut all: Option<UnionSet> = None;
        for &id in group {
            let one = self.scop.stmt(id).domain.to_union_set()?;
            all = Some(match all {
                None => one,
                Some(a) => a.union(&one)?,
            });
        }
        Ok(all.expect("groups have members"))
    }
}

/// Each pair in both orders.
fn both_ways(
    pairs: impl IntoIterator<Item = (StmtId, StmtId)>,
) -> impl Iterator<Item = (StmtId, StmtId)> {
    pairs.into_iter().flat_map(|(s, t)| [(s, t), (t, s)])
}

/// A band for some of its instances only, with the members that are coincident among them.
pub(super) fn part_of(band: &Band, place: &Place) -> poly::Result<Band> {
    let universe = place.domain.universe_of()?;
    let mut schedule: Option<MultiUnionPwAff> = None;
    let mut coincident = vec![];
    for m in 0..band.schedule.size() {
        let row = band.schedule.at(m)?.intersect_domain(&universe)?;
        coincident.push(place.live.coincident(&row)?);
        let row = MultiUnionPwAff::from_union_pw_aff(&row)?;
        schedule = Some(match schedule {
            None => row,
            Some(s) => s.flat_range_product(&row)?,
        });
    }
    Ok(Band {
        schedule: schedule.expect("a band has members"),
        coincident,
        child: restricted(&band.child, &universe)?,
        ..band.clone()
    })
}

/// A permutable band of two members with nothing but an order of statements below.
pub(super) fn is_plain(band: &Band) -> bool {
    let free = band.tile.is_none() && band.is_sequential();
    free && band.permutable && band.schedule.size() == 2 && is_flat(&band.child)
}

/// Only sequences and leaves.
fn is_flat(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Sequence(list) | Tree::Set(list) => list.iter().all(|b| is_flat(&b.child)),
        Tree::Mark(..) | Tree::Band(_) => false,
    }
}
