//! Bands of two members with sums over one of them: matrix-vector nests.
//!
//! Such a nest reads a matrix once. What counts is that it reads it along its rows, in long pieces, and that the sums
//! stay in registers ([`crate::simd::stream_roles`]). Nests that share no matrix gain nothing from common loops, and
//! sums in different directions could not both have their lanes, so the band first falls apart into nests:
//!
//! 1. statements that depend on each other in a circle stay together, and so do statements that read or write the same
//!    elements in the same iterations (a shared *stream*);
//! 2. each nest with sums gets the tiles below, any other is planned like a band of its own.
//!
//! | form | cache tile | inside |
//! |---|---|---|
//! | direct `y[j] += A[i][j] * x[i]` | a strip of columns, a few rows: the rows of `A` are walked in long pieces | register tile of columns over these rows |
//! | transposed `y[i] += A[i][j] * x[j]` | the rows of one register tile | register tile over all columns |
//!
//! Statements that share the stream run one after the other within the cache tile; the second finds it in cache.

use super::band::MIN_REGISTER_TILE_VOLUME;
use super::{Place, Planner, Tiling};
use crate::cost::{Model, Reference};
use crate::live::statements;
use crate::simd::{
    Form, StreamRoles, member_steps, reordered, stream_lanes, stream_roles, stream_vectors,
};
use crate::tile::points::{ordered_groups, restricted};
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionSet};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Mark, RegisterTile, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a cache tile of the direct form: enough that loading and storing the sums does not count, few enough that
/// prefetchers follow.
const ROWS: i64 = 16;

/// Bytes of a row of a cache tile of the direct form at most.
const STRIP_BYTES: i64 = 4096;

/// Strips are dealt evenly to so many threads.
const EVEN_STRIPS: i64 = 4;

/// The sums of a band.
type Sums = BTreeMap<StmtId, StreamRoles>;

impl Planner<'_> {
    /// The nests of a band of two members with sums; `None` if there are none.
    pub(super) fn streams(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling != Tiling::Auto {
            return Ok(None);
        }
        if !band.permutable || band.schedule.size() != 2 || !is_flat(&band.child) {
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
        let live = place.live.inside(&place.domain)?;
        let mut edges = live.edges();
        for (s, t) in self.sharing(&stmts, band, place)? {
            edges.insert((s, t));
            edges.insert((t, s));
        }
        let groups = ordered_groups(&stmts, &edges);
        let mut branches = vec![];
        let mut found = false;
        for group in &groups {
            let filter = self.instances(group)?;
            let inside = place.inside(&filter)?;
            let part = part_of(band, &inside)?;
            let child = match self.stream_nest(&part, &inside, group, &sums)? {
                Some(tree) => {
                    found = true;
                    tree
                }
                None if groups.len() == 1 => return Ok(None),
                None => self.band(&part, &inside)?,
            };
            branches.push(Branch { filter, child });
        }
        Ok(match (found, branches.len()) {
            (false, _) => None,
            (true, 1) => Some(branches.remove(0).child),
            (true, _) => Some(Tree::Sequence(branches)),
        })
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

    /// Pairs of statements that touch the same elements in the same iterations of both members.
    fn sharing(
        &self,
        stmts: &[StmtId],
        band: &Band,
        place: &Place,
    ) -> poly::Result<Vec<(StmtId, StmtId)>> {
        let mut streams: Vec<(StmtId, Vec<Reference>)> = vec![];
        for &id in stmts {
            let stmt = self.scop.stmt(id);
            let mut own = vec![];
            if let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? {
                for a in &stmt.accesses {
                    let moves = |r: &Reference, m: usize| r.moves.iter().any(|d| d[m] != 0);
                    match Reference::of(self.scop, stmt, a, &steps)? {
                        Some(Some(r)) if moves(&r, 0) && moves(&r, 1) => own.push(r),
                        _ => {}
                    }
                }
            }
            streams.push((id, own));
        }
        let mut pairs = vec![];
        for (n, (s, own)) in streams.iter().enumerate() {
            for (t, other) in &streams[n + 1..] {
                if own.iter().any(|r| other.contains(r)) {
                    pairs.push((*s, *t));
                }
            }
        }
        Ok(pairs)
    }

    /// All instances of some statements.
    fn instances(&self, group: &[StmtId]) -> poly::Result<UnionSet> {
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

    /// The tiles of one nest; `None` if it has no sums, or sums that do not go together.
    fn stream_nest(
        &mut self,
        band: &Band,
        place: &Place,
        group: &[StmtId],
        sums: &Sums,
    ) -> poly::Result<Option<Tree>> {
        let Some(nest) = Nest::of(self, group, sums) else {
            return Ok(None);
        };
        let own: BTreeSet<(StmtId, StmtId)> = place.live.edges();
        let parts = ordered_groups(group, &own);
        if parts.iter().any(|p| p.len() > 1) {
            return Ok(None);
        }
        let order = [nest.roles.lane, nest.roles.reduction];
        let band = reordered(band, &order)?;
        let mut branches = vec![];
        for part in &parts {
            let filter = self.instances(part)?;
            let inside = place.inside(&filter)?;
            let child = self.stream_part(&nest, &part_of(&band, &inside)?, part[0], sums)?;
            branches.push(Branch { filter, child });
        }
        let single = branches.len() == 1;
        let points = match single {
            true => branches.remove(0).child,
            false => Tree::Sequence(branches),
        };
        if single && nest.roles.form == Form::Transposed {
            return Ok(Some(self.with_threads(points, place)));
        }
        let sizes = self.cache_tile(&nest, &band, place)?;
        let tiling = BandTiling {
            levels: vec![sizes],
            points: Some(points),
            ..BandTiling::default()
        };
        let tiling = self.settled(tiling);
        let tree = tile_band(&band, &tiling, &mut self.sizes);
        Ok(Some(self.with_threads(tree, place)))
    }

    /// Runs the outermost loop, over lanes, in parallel if that is allowed.
    fn with_threads(&self, mut tree: Tree, place: &Place) -> Tree {
        if let Tree::Band(band) = &mut tree
            && place.parallel
            && band.coincident[0]
        {
            band.loops[0] = LoopKind::Parallel(Distribution::Static);
        }
        tree
    }

    /// Sizes of lane and reduction.
    fn cache_tile(&self, nest: &Nest, band: &Band, place: &Place) -> poly::Result<Vec<Size>> {
        if nest.roles.form == Form::Transposed {
            return Ok(vec![Size::Const(nest.width()), Size::Whole]);
        }
        let model = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?;
        let extent = model.map_or(STRIP_BYTES, |m| m.extents[0]);
        let strips = (extent * nest.element).div_euclid(STRIP_BYTES) + 1;
        let strips = multiple(strips, EVEN_STRIPS);
        let width = nest.width();
        let strip = multiple(extent / strips, width);
        let strip = Size::Runtime {
            default: strip,
            multiple_of: width,
        };
        Ok(vec![strip, Size::Const(ROWS)])
    }

    /// What one statement does inside the cache tile; the band has the lanes first.
    fn stream_part(
        &mut self,
        nest: &Nest,
        band: &Band,
        stmt: StmtId,
        sums: &Sums,
    ) -> poly::Result<Tree> {
        let order = match nest.roles.form {
            Form::Direct => [1, 0],
            Form::Transposed => [0, 1],
        };
        let points = reordered(band, &order)?;
        if !sums.contains_key(&stmt) {
            return Ok(Tree::Band(Box::new(points)));
        }
        let mark = Mark::RegisterTile(RegisterTile {
            stmt,
            row: None,
            rows: 1,
            lane: 0,
            vectors: nest.vectors,
            lanes: nest.lanes,
            reduction: 1,
        });
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(nest.width()), Size::Whole]],
            points: Some(Tree::Mark(mark, Box::new(Tree::Band(Box::new(points))))),
            ..BandTiling::default()
        };
        Ok(tile_band(band, &tiling, &mut self.sizes))
    }
}

/// What the sums of a nest have in common.
struct Nest {
    roles: StreamRoles,
    lanes: u32,
    vectors: u32,
    /// Bytes of a sum.
    element: i64,
}

impl Nest {
    fn of(planner: &Planner, group: &[StmtId], sums: &Sums) -> Option<Nest> {
        let own: Vec<(&Stmt, StreamRoles)> = group
            .iter()
            .filter_map(|id| Some((planner.scop.stmt(*id), *sums.get(id)?)))
            .collect();
        let &(first, mut roles) = own.first()?;
        let bytes = |s: &Stmt| planner.scop.array(s.write().array).ty.bytes();
        for (stmt, other) in &own {
            let same = (other.lane, other.reduction) == (roles.lane, roles.reduction);
            if !same || bytes(stmt) != bytes(first) {
                return None;
            }
            roles.form = roles.form.max(other.form);
        }
        let lanes = stream_lanes(planner.scop, first, planner.target)?;
        Some(Nest {
            roles,
            lanes,
            vectors: stream_vectors(roles.form, lanes),
            element: bytes(first) as i64,
        })
    }

    /// Lanes of a register tile.
    fn width(&self) -> i64 {
        i64::from(self.lanes * self.vectors)
    }
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

/// The least positive multiple that is not below `n`.
fn multiple(n: i64, of: i64) -> i64 {
    ((n + of - 1) / of).max(1) * of
}

/// Only sequences and leaves.
fn is_flat(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Sequence(list) | Tree::Set(list) => list.iter().all(|b| is_flat(&b.child)),
        Tree::Mark(..) | Tree::Band(_) => false,
    }
}
