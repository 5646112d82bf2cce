//! Sums over finished cells of their own array, in push form.
//!
//! In dynamic programs over intervals a cell gathers what the cells left of it and below it yield:
//!
//! ```text
//! for i downwards: for j > i:
//!     T: t[i][j] = max(t[i][j], t[i][j-1], ..)
//!     for i < k < j:  S: t[i][j] = max(t[i][j], t[i][k] + t[k+1][j])
//! ```
//!
//! The loop over `k` walks down a column, and nothing is independent. But the updates of one cell commute, so that `S` may
//! run as soon as `t[i][k]` is finished, for all `j` at once, which are contiguous and independent:
//!
//! ```text
//! for i downwards: for x > i:
//!     T: finish t[i][x]
//!     for j > x:  S: t[i][j] = max(t[i][j], t[i][x] + t[x+1][j])
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `i` | `row`: the first subscript of the written cell, or its negative |
//! | `j` | `lane`: the last subscript |
//! | `x` | `step`: `j` for the statements `T`; for `S` the last subscript of the cell that it reads in the written row |
//!
//! Steps go upwards, and so do the terms of a cell: sums that do not commute, of floating-point numbers, may be pushed as well where the program adds
//! them up in that order. Lanes are what that gains.
//!
//! Tiles of cells (`row`, `lane`) run in waves; `step` is not tiled. Inside a tile, rows run in push form. Most steps of a
//! tile read finished cells of other tiles only: they are the head of a register tile ([`crate::ast`]), a product in which
//! the maximum adds and the sum multiplies.

use super::{Place, Planner, Tiling};
use crate::live::{Live, statements};
use crate::simd::{accumulating_roles, inverse_columns, linear_part, linear_parts, register_shape};
use crate::tile::points::ordered_groups;
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::deps::update;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, PwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Access;
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Mark, RegisterTile, Tree};

/// Rows and columns of a tile, about.
const TILE: i64 = 96;

/// A register tile needs at least so many lanes.
const MIN_LANES: u32 = 2;

/// How the terms of a cell come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Terms {
    /// As they like.
    AnyOrder,
    /// As the program has them.
    InOrder,
}

/// A nest in push form.
struct Pushed {
    /// The statements `T`, in the order of one step.
    first: Vec<StmtId>,
    /// The statement `S`.
    sum: StmtId,
    row: UnionPwAff,
    lane: UnionPwAff,
    step: UnionPwAff,
    /// The iterations of `lane` in one step are independent.
    free: bool,
}

impl Planner<'_> {
    /// Tiles in waves, in push form inside; `None`: the nest is not of this kind.
    pub(super) fn pushed(
        &mut self,
        band: &Band,
        place: &Place,
        terms: Terms,
    ) -> poly::Result<Option<Tree>> {
        let fits = self.options.tiling != Tiling::Off && band.schedule.size() == 2;
        if !fits || band.coincident.contains(&true) || !self.is_large(band, place)? {
            return Ok(None);
        }
        let Some(found) = self.push_form(place, terms)? else {
            return Ok(None);
        };
        let tiles = Band::of_rows(&[&found.row, &found.lane, &found.step], false, Tree::Leaf)?;
        let register = match terms {
            Terms::AnyOrder => self.register_tile(&found, &tiles, place)?,
            Terms::InOrder => None,
        };
        let (rows, columns) = match &register {
            Some(t) => (i64::from(t.rows), i64::from(t.vectors * t.lanes)),
            None => (1, 1),
        };
        let both = (1..=rows)
            .map(|n| n * columns)
            .find(|c| c % rows == 0)
            .unwrap_or(rows * columns);
        let block = Size::Runtime {
            default: (TILE / both).max(1) * both,
            multiple_of: both,
        };
        let mut tiling = BandTiling {
            levels: vec![vec![block, block, Size::Whole]],
            ..BandTiling::default()
        };
        let points = found.points()?;
        tiling.points = Some(match register {
            None => points,
            Some(tile) => {
                let sizes = vec![Size::Const(rows), Size::Const(columns), Size::Whole];
                tiling.levels.push(sizes);
                Tree::Mark(Mark::RegisterTile(tile), Box::new(points))
            }
        });
        if place.parallel {
            tiling.wavefront = vec![0, 1];
            tiling.loops = vec![LoopKind::Sequential; 3];
            tiling.loops[0] = LoopKind::Parallel(Distribution::Dynamic { chunk: 1 });
        }
        let tiling = self.settled(tiling);
        Ok(Some(tile_band(&tiles, &tiling, &mut self.sizes)))
    }

    /// The register tile of the sum, if it makes one.
    fn register_tile(
        &self,
        found: &Pushed,
        band: &Band,
        place: &Place,
    ) -> poly::Result<Option<RegisterTile>> {
        if !self.options.register_tiles {
            return Ok(None);
        }
        let list = accumulating_roles(self.scop, &[found.sum], &place.outer, band)?;
        let Some((_, roles)) = list.first() else {
            return Ok(None);
        };
        let write = self.scop.stmt(found.sum).write();
        let lanes = self.target.lanes(self.scop.array(write.array).ty.bytes());
        let shape = register_shape(self.target.register_file(), roles.lane_reads);
        let (Some((rows, vectors)), Ok(lanes)) = (shape, u32::try_from(lanes)) else {
            return Ok(None);
        };
        if lanes < MIN_LANES || (roles.row, roles.lane, roles.reduction) != (0, 1, 2) {
            return Ok(None);
        }
        Ok(Some(RegisterTile {
            stmt: found.sum,
            row: Some(0),
            rows,
            lane: 1,
            vectors,
            lanes,
            reduction: 2,
        }))
    }

    /// The push form of the statements at a place.
    fn push_form(&self, place: &Place, terms: Terms) -> poly::Result<Option<Pushed>> {
        let ids = statements(self.scop, &place.domain)?;
        let depth = ids.iter().map(|s| self.scop.stmt(*s).depth()).max();
        let deepest = |s: &&StmtId| Some(self.scop.stmt(**s).depth()) == depth;
        let (Some(&sum), 1) = (ids.iter().find(deepest), ids.iter().filter(deepest).count()) else {
            return Ok(None);
        };
        let Some(source) = self.source(sum, terms)? else {
            return Ok(None);
        };
        let array = self.scop.stmt(sum).write().array;
        let mut rows: [Option<UnionPwAff>; 3] = [None, None, None];
        for &id in &ids {
            let stmt = self.scop.stmt(id);
            let Some([row, lane]) = cell(stmt.write())? else {
                return Ok(None);
            };
            if stmt.is_group() || stmt.write().array != array {
                return Ok(None);
            }
            let step = if id == sum {
                source.clone()
            } else {
                lane.clone()
            };
            for (all, one) in rows.iter_mut().zip([row, lane, step]) {
                let one = UnionPwAff::from_pw_aff(&one)?;
                *all = Some(match all.take() {
                    None => one,
                    Some(a) => a.union_add(&one)?,
                });
            }
        }
        let [Some(row), Some(lane), Some(step)] = rows else {
            return Ok(None);
        };
        for &id in &ids {
            if !self.tells_apart(&[&row, &lane, &step], id, place)? {
                return Ok(None);
            }
        }
        if self.tells_apart(&[&row, &lane], sum, place)? {
            return Ok(None);
        }
        let order = place.live.ordered();
        let Some([row]) = forwards(&order, [row])? else {
            return Ok(None);
        };
        let Some([lane, step]) = forwards(&order, [lane, step])? else {
            return Ok(None);
        };
        let inside = place.live.tied(&row)?;
        if !inside.ordered().respects(&step)? {
            return Ok(None);
        }
        let inside = inside.tied(&step)?;
        let order = inside.ordered();
        let mut first: Vec<StmtId> = vec![];
        for group in ordered_groups(&ids, &inside.edges()) {
            match group[..] {
                [one] if one != sum => first.push(one),
                [_] => {}
                _ => return Ok(None),
            }
        }
        let own = inside.inside(&self.scop.stmt(sum).domain.to_union_set()?)?;
        if order.edges().iter().any(|(s, _)| *s == sum) || !own.ordered().respects(&lane)? {
            return Ok(None);
        }
        let free = own.coincident(&lane)?;
        // Lanes are all that is gained then.
        if !free && terms == Terms::InOrder {
            return Ok(None);
        }
        Ok(Some(Pushed {
            first,
            sum,
            row,
            lane,
            step,
            free,
        }))
    }

    /// Whether the rows, below those of the bands above, have different values at different instances of a statement.
    fn tells_apart(&self, rows: &[&UnionPwAff], s: StmtId, place: &Place) -> poly::Result<bool> {
        let stmt = self.scop.stmt(s);
        let mut all = vec![];
        for o in &place.outer {
            match linear_parts(o, stmt)? {
                Some(parts) => all.extend(parts),
                None => return Ok(false),
            }
        }
        for row in rows {
            match linear_part(row, stmt)? {
                Some(part) => all.push(part),
                None => return Ok(false),
            }
        }
        Ok(inverse_columns(&all, stmt.depth()).is_some())
    }

    /// The last subscript of the only finished cell in the written row that a sum reads; `None`: it is no such sum.
    fn source(&self, sum: StmtId, terms: Terms) -> poly::Result<Option<PwAff>> {
        let stmt = self.scop.stmt(sum);
        let commutes = update(stmt)?.is_some_and(|u| u.commutes_with(u));
        if stmt.is_group() || commutes != (terms == Terms::AnyOrder) {
            return Ok(None);
        }
        let Some([row, lane]) = cell(stmt.write())? else {
            return Ok(None);
        };
        let mut found = vec![];
        let mut updates = false;
        for a in stmt.reads() {
            if a.array != stmt.write().array {
                continue;
            }
            let Some([r, l]) = cell(a)? else {
                return Ok(None);
            };
            match (r.is_equal(&row)?, l.is_equal(&lane)?) {
                (true, true) => updates = true,
                (true, false) => found.push(l),
                _ => {}
            }
        }
        Ok(found.pop().filter(|_| updates && found.is_empty()))
    }
}

impl Pushed {
    /// The order inside a tile.
    fn points(&self) -> poly::Result<Tree> {
        let of = |s: StmtId| -> poly::Result<UnionSet> {
            let name = format!("S{}", s.0);
            let sets = self.row.domain()?.sets()?;
            let own = sets
                .into_iter()
                .find(|x| x.tuple_name().as_deref() == Some(&name));
            own.expect("rows are defined on all statements")
                .to_union_set()
        };
        let mut branches = vec![];
        for &s in &self.first {
            branches.push(Branch {
                filter: of(s)?,
                child: Tree::Leaf,
            });
        }
        let filter = of(self.sum)?;
        let mut lanes = Band::of_rows(&[&self.lane.intersect_domain(&filter)?], false, Tree::Leaf)?;
        if self.free {
            lanes.coincident = vec![true];
            lanes.loops = vec![LoopKind::Vector];
        }
        branches.push(Branch {
            filter,
            child: Tree::Band(Box::new(lanes)),
        });
        let step = Band::of_rows(&[&self.step], false, Tree::Sequence(branches))?;
        let rows = Band::of_rows(&[&self.row], false, Tree::Band(Box::new(step)))?;
        Ok(Tree::Band(Box::new(rows)))
    }
}

/// The subscripts of an access to a matrix; `None`: another form.
fn cell(access: &Access) -> poly::Result<Option<[PwAff; 2]>> {
    let all = access.relation.as_pw_multi_aff()?;
    if !all.isa_multi_aff()? {
        return Ok(None);
    }
    let all = all.as_multi_aff()?;
    if all.size() != 2 {
        return Ok(None);
    }
    let subscript = |d: usize| PwAff::from_aff(&all.at(d)?);
    Ok(Some([subscript(0)?, subscript(1)?]))
}

/// The rows, or all of them negated, so that no dependence goes backwards in the first.
fn forwards<const N: usize>(
    live: &Live,
    rows: [UnionPwAff; N],
) -> poly::Result<Option<[UnionPwAff; N]>> {
    if live.respects(&rows[0])? {
        return Ok(Some(rows));
    }
    let mut negated = rows.clone();
    for (n, r) in negated.iter_mut().zip(&rows) {
        *n = r.neg()?;
    }
    Ok(live.respects(&negated[0])?.then_some(negated))
}
