//! Register tiles: the box of instances below a tile band of constant sizes, as an [`ast::MicroKernel`].
//!
//! The instances of the accumulating statement in one register tile are
//!
//! ```text
//! P = { S(.., i, .., j, .., k) : r <= i < r + R, q <= j < q + V, (.., i, j, k) in D and in the cache tile }
//! ```
//!
//! with the origins `r`, `q` as parameters. `P` is one convex set in practice; its constraints over `(i - r, j - q, k)` that
//! the box does not imply are handed to code generation, which turns those without `k` into masks of cells and those
//! without `i` and `j` into the range of `k`.
//!
//! A tile may contain an instance that reads a cell which the same tile writes (the panel of a factorization). The
//! micro-kernel stores at its end only, so it takes the [head](super::head) of the tile, and the rest runs as point loops.
//!
//! Anti dependences inside a tile are kept by storing last. Where anything is not of this form, point loops run.
//!
//! [`ast::MicroKernel`]: polytile_analysis::ast::MicroKernel

use super::constraints::affine;
use super::expr;
use super::pack::add_panels;
use super::scope::Scope;
use crate::simd::{inverse_columns, linear_part};
use polytile_analysis::ast::{BinOp, Expr, MicroKernel, TileConstraint};
use polytile_analysis::poly::{
    self, BasicSet, DimType, MultiUnionPwAff, PwAff, Set, UnionPwAff, UnionSet,
};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::{RegisterTile, Side};

/// The box of a register tile.
struct TileBox {
    /// The iterators at row 0, lane 0 and `k == 0`.
    base: Vec<Expr>,
    /// What they gain per row, lane and step of `k`.
    steps: [Vec<i64>; 3],
    /// The instances.
    points: BasicSet,
}

/// The kernel of a whole tile, when it has any instance, and its instances; `None` if they are no box.
pub(super) fn whole_tile(
    stmt: &Stmt,
    tile: &RegisterTile,
    domain: &UnionSet,
    scope: &Scope,
) -> poly::Result<Option<(MicroKernel, Expr, Set)>> {
    let Some(found) = tile_box(stmt, tile, domain, scope)? else {
        return Ok(None);
    };
    let Some((kernel, nonempty)) = micro_kernel(tile, &found, scope)? else {
        return Ok(None);
    };
    Ok(Some((kernel, nonempty, found.points.to_set()?)))
}

/// The box, if the instances have the form of one.
fn tile_box(
    stmt: &Stmt,
    tile: &RegisterTile,
    domain: &UnionSet,
    scope: &Scope,
) -> poly::Result<Option<TileBox>> {
    let Some(points) = points_of(stmt, domain, scope)? else {
        return Ok(None);
    };
    let Some(points) = in_one_piece(&points, &scope.context)? else {
        return Ok(None);
    };
    let known = points.remove_redundancies()?.to_set()?;
    let Some(points) = single_piece(&known.gist_params(&scope.context)?)? else {
        return Ok(None);
    };
    let Some(points) = without_divs(points)? else {
        return Ok(None);
    };
    let Some(band) = &scope.tile_rows else {
        return Ok(None);
    };
    let members: Vec<usize> = tile
        .row
        .into_iter()
        .chain([tile.lane, tile.reduction])
        .collect();
    let Some(frame) = Frame::of_members(stmt, band, &members, scope)? else {
        return Ok(None);
    };
    let Some(base) = frame.base(stmt, scope)? else {
        return Ok(None);
    };
    Ok(Some(TileBox {
        base,
        steps: frame.steps,
        points,
    }))
}

/// The instances of a statement in a tile, in as few pieces as they are known to have; `None` if it has none there.
pub(super) fn points_of(
    stmt: &Stmt,
    domain: &UnionSet,
    scope: &Scope,
) -> poly::Result<Option<Set>> {
    let sets = domain.sets()?;
    let own = |s: &&Set| s.tuple_name().as_deref() == Some(&stmt.name);
    let Some(points) = sets.iter().find(own) else {
        return Ok(None);
    };
    points
        .intersect_params(&scope.context)?
        .coalesce()
        .map(Some)
}

/// The same set without divisions: what encloses the tile may tell all of them (`floor(i / 16) = c`); `None` if some stay.
fn without_divs(points: BasicSet) -> poly::Result<Option<BasicSet>> {
    if points.dim(DimType::Div) == 0 {
        return Ok(Some(points));
    }
    let free = points.remove_divs()?;
    let same = free.dim(DimType::Div) == 0 && free.is_subset(&points)?;
    Ok(same.then_some(free))
}

/// Elements for parameters in a context as one convex piece, also where the context itself is in several (`causal != 0`).
pub(super) fn in_one_piece(set: &Set, context: &Set) -> poly::Result<Option<BasicSet>> {
    if let Some(only) = single_piece(set)? {
        return Ok(Some(only));
    }
    if context.n_basic_set() < 2 || set.n_basic_set() > context.n_basic_set() {
        return Ok(None);
    }
    let hull = set.simple_hull()?;
    let same = hull.to_set()?.intersect_params(context)?.is_subset(set)?;
    Ok(same.then_some(hull))
}

/// The only convex piece of a set.
fn single_piece(set: &Set) -> poly::Result<Option<BasicSet>> {
    let mut pieces = set.basic_sets()?;
    Ok(if pieces.len() == 1 {
        pieces.pop()
    } else {
        None
    })
}

/// The coordinates of a statement inside a register tile.
pub(super) struct Frame {
    /// Rows of row (if there is one), lane and reduction, then of what encloses them, with the name of the innermost tile
    /// origin.
    rows: Vec<(PwAff, Option<String>)>,
    /// How many of them are row, lane and reduction.
    roles: usize,
    /// Directions of row, lane and reduction.
    pub(super) steps: [Vec<i64>; 3],
}

impl Frame {
    /// The frame of three members of a band: `[row, lane, reduction]`.
    pub(super) fn of(
        stmt: &Stmt,
        band: &MultiUnionPwAff,
        members: [usize; 3],
        scope: &Scope,
    ) -> poly::Result<Option<Frame>> {
        Frame::of_members(stmt, band, &members, scope)
    }

    /// The frame of row (or none), lane and reduction.
    fn of_members(
        stmt: &Stmt,
        band: &MultiUnionPwAff,
        members: &[usize],
        scope: &Scope,
    ) -> poly::Result<Option<Frame>> {
        let roles = members.len();
        // The roles first: their directions must exist; then whatever encloses the tile.
        let mut rows = vec![];
        for &m in members {
            rows.push((band.at(m)?, None));
        }
        for (r, name) in scope.origins.iter().rev() {
            match rows
                .iter_mut()
                .take(roles - 1)
                .find(|(x, _)| x.plain_is_equal(r).unwrap_or(false))
            {
                Some((_, origin)) if origin.is_none() => *origin = Some(name.clone()),
                Some(_) => {}
                // A row that divides tells no direction.
                None if linear_part(r, stmt)?.is_none() => {}
                None => rows.push((r.clone(), Some(name.clone()))),
            }
        }
        let mut linear = vec![];
        for (r, _) in &rows {
            match linear_part(r, stmt)? {
                Some(v) => linear.push(v),
                None => return Ok(None),
            }
        }
        let Some(columns) = inverse_columns(&linear, stmt.depth()) else {
            return Ok(None);
        };
        let Some(mut steps) = columns[..roles].iter().cloned().collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        if roles == 2 {
            steps.insert(0, vec![0; stmt.depth()]);
        }
        let steps = <[Vec<i64>; 3]>::try_from(steps).expect("two or three roles");
        let mut kept = vec![];
        for ((r, name), column) in rows.iter().zip(&columns) {
            if column.is_some() {
                let Some(pa) = of_stmt(r, stmt)? else {
                    return Ok(None);
                };
                kept.push((pa, name.clone()));
            }
        }
        Ok(Some(Frame {
            rows: kept,
            roles,
            steps,
        }))
    }

    /// The iterators where row and lane are at their origin and the reduction's row is 0.
    fn base(&self, stmt: &Stmt, scope: &Scope) -> poly::Result<Option<Vec<Expr>>> {
        self.corner(stmt, self.roles - 1, scope)
    }

    /// The iterators where the rows of row, lane and reduction are 0.
    pub(super) fn origin(&self, stmt: &Stmt, scope: &Scope) -> poly::Result<Option<Vec<Expr>>> {
        self.corner(stmt, 0, scope)
    }

    /// The iterators where the first `at_origin` roles are at their tile's origin and the others' rows are 0.
    fn corner(
        &self,
        stmt: &Stmt,
        at_origin: usize,
        scope: &Scope,
    ) -> poly::Result<Option<Vec<Expr>>> {
        let mut corner: Option<Set> = None;
        for (at, (row, name)) in self.rows.iter().enumerate() {
            let here = if at < at_origin || at >= self.roles {
                let Some(name) = name else { return Ok(None) };
                let space = row.domain()?.space()?.add_param(name)?;
                row.eq_set(&PwAff::param_on_domain(&Set::universe(&space)?, name)?)?
            } else {
                row.eq_set(&row.sub(row)?)?
            };
            corner = Some(match corner {
                None => here,
                Some(c) => c.intersect(&here)?,
            });
        }
        let Some(corner) = corner else {
            return Ok(None);
        };
        let mut values = vec![];
        for d in 0..stmt.depth() {
            let value = corner.dim_min(d)?;
            if value.n_piece() != 1 || !value.isa_aff()? {
                return Ok(None);
            }
            match affine(&value.as_aff()?, scope)? {
                Some(e) => values.push(e),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }
}

/// The part of a row that belongs to a statement.
pub(super) fn of_stmt(row: &UnionPwAff, stmt: &Stmt) -> poly::Result<Option<PwAff>> {
    for pa in row.pw_affs()? {
        if pa.space()?.tuple_name(DimType::In).as_deref() == Some(&stmt.name) {
            return Ok(Some(pa));
        }
    }
    Ok(None)
}

fn param(points: &BasicSet, p: usize, scope: &Scope) -> poly::Result<Expr> {
    let name = points
        .space()?
        .dim_name(DimType::Param, p)
        .unwrap_or_default();
    Ok(scope.value(&name))
}

/// The kernel of a box and when it has any instance; `None` if the reduction has no bounds or an equality ties cells.
fn micro_kernel(
    tile: &RegisterTile,
    found: &TileBox,
    scope: &Scope,
) -> poly::Result<Option<(MicroKernel, Expr)>> {
    let mut nonempty = vec![];
    for row in found.points.equalities_matrix()? {
        let c = constraint(found, &row, scope)?;
        if c.row != 0 || c.lane != 0 || c.reduction != 0 {
            return Ok(None);
        }
        if c.rest != Expr::Int(0) {
            nonempty.push(expr::bin(BinOp::Eq, &c.rest, &Expr::Int(0)));
        }
    }
    let mut bounds = Bounds::default();
    let mut constraints = vec![];
    for row in found.points.inequalities_matrix()? {
        let c = constraint(found, &row, scope)?;
        if implied(tile, &c) {
            continue;
        }
        bounds.add(tile, &c);
        if c.reduction == 0 {
            let (most, _) = range(tile, &c);
            let best = expr::add(&c.rest, &Expr::Int(most));
            nonempty.push(expr::bin(BinOp::Ge, &best, &Expr::Int(0)));
        }
        if c.row != 0 || c.lane != 0 {
            constraints.push(c);
        }
    }
    let (Some(first), Some(last)) = (bounds.first, bounds.last) else {
        return Ok(None);
    };
    nonempty.push(expr::bin(BinOp::Le, &first, &last));
    let [row_step, lane_step, reduction_step] = found.steps.clone();
    let mut kernel = MicroKernel {
        tile: tile.clone(),
        args: found.base.clone(),
        row_step,
        lane_step,
        reduction_step,
        first,
        last,
        constraints,
        row_panel: None,
        lane_panel: None,
        next: next_box(tile, scope)?,
    };
    add_panels(&mut kernel, scope)?;
    Ok(Some((kernel, expr::all(&nonempty))))
}

/// Where the box of the innermost tile loop's next iteration lies.
fn next_box(tile: &RegisterTile, scope: &Scope) -> poly::Result<Option<Side>> {
    let (Some(band), Some((innermost, _))) = (&scope.tile_rows, scope.origins.last()) else {
        return Ok(None);
    };
    let sides = [(tile.row, Side::Row), (Some(tile.lane), Side::Lane)];
    for (member, side) in sides {
        if let Some(m) = member
            && band.at(m)?.plain_is_equal(innermost)?
        {
            return Ok(Some(side));
        }
    }
    Ok(None)
}

/// Bounds of `k` over the whole box.
#[derive(Default)]
struct Bounds {
    first: Option<Expr>,
    last: Option<Expr>,
}

impl Bounds {
    fn add(&mut self, tile: &RegisterTile, c: &TileConstraint) {
        if c.reduction == 0 {
            return;
        }
        let bound = loose_bound(tile, c);
        let side = if c.reduction > 0 {
            &mut self.first
        } else {
            &mut self.last
        };
        *side = Some(match side.take() {
            None => bound,
            Some(b) if c.reduction > 0 => expr::max(&b, &bound),
            Some(b) => expr::min(&b, &bound),
        });
    }
}

/// One row of the constraints, over row, lane and `k` relative to the base.
fn constraint(found: &TileBox, row: &[i64], scope: &Scope) -> poly::Result<TileConstraint> {
    let params = found.points.dim(DimType::Param);
    let iters = &row[1 + params..];
    let along = |step: &[i64]| iters.iter().zip(step).map(|(c, s)| c * s).sum::<i64>();
    let mut rest = Expr::Int(row[0]);
    for (p, &c) in row[1..=params].iter().enumerate().filter(|&(_, &c)| c != 0) {
        rest = expr::add(
            &rest,
            &expr::mul(&Expr::Int(c), &param(&found.points, p, scope)?),
        );
    }
    for (&c, value) in iters.iter().zip(&found.base).filter(|&(&c, _)| c != 0) {
        rest = expr::add(&rest, &expr::mul(&Expr::Int(c), value));
    }
    let [row, lane, reduction] = [0, 1, 2].map(|s| along(&found.steps[s]));
    Ok(TileConstraint {
        row,
        lane,
        reduction,
        rest,
    })
}

/// The greatest contribution of row and lane to a constraint in the box, and the least.
fn range(tile: &RegisterTile, c: &TileConstraint) -> (i64, i64) {
    let rows = i64::from(tile.rows) - 1;
    let lanes = i64::from(tile.vectors * tile.lanes) - 1;
    let ends = [(c.row, rows), (c.lane, lanes)];
    let most = ends.iter().map(|&(c, n)| (c * n).max(0)).sum();
    let least = ends.iter().map(|&(c, n)| (c * n).min(0)).sum();
    (most, least)
}

/// Whether the box alone implies a constraint without `k`.
fn implied(tile: &RegisterTile, c: &TileConstraint) -> bool {
    let (_, least) = range(tile, c);
    c.reduction == 0 && expr::as_int(&c.rest).is_some_and(|r| r + least >= 0)
}

/// The bound of `k` that a constraint gives for the cell where it is weakest.
fn loose_bound(tile: &RegisterTile, c: &TileConstraint) -> Expr {
    let (most, _) = range(tile, c);
    let rest = expr::add(&c.rest, &Expr::Int(most));
    let k = c.reduction;
    if k > 0 {
        // k >= ceil(-rest / c) = -floor(rest / c)
        expr::neg(&expr::bin(BinOp::FloorDiv, &rest, &Expr::Int(k)))
    } else {
        expr::bin(BinOp::FloorDiv, &rest, &Expr::Int(-k))
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use crate::testing::{check_run, rows};
    use polytile_analysis::ast::Ast;
    use polytile_analysis::ids::StmtId;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::scop::Scop;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::{Mark, RegisterTile, Schedule, SizeParam, Tile, TileSize, Tree};

    /// One statement tiled by symbolic sizes and then by a register tile of 2 rows and 1 x 4 lanes.
    fn tiled(scop: &Scop, theta: &str) -> Schedule {
        let rows = rows(scop, theta);
        let mut points = crate::testing::band(
            &[rows[2].clone(), rows[0].clone(), rows[1].clone()],
            Tree::Leaf,
        );
        points.permutable = false;
        let mark = Mark::RegisterTile(RegisterTile {
            stmt: StmtId(0),
            row: Some(0),
            rows: 2,
            lane: 1,
            vectors: 1,
            lanes: 4,
            reduction: 2,
        });
        let mut register = crate::testing::band(
            &rows,
            Tree::Mark(mark, Box::new(Tree::Band(Box::new(points)))),
        );
        let sizes = vec![TileSize::Const(2), TileSize::Const(4), TileSize::Whole];
        register.tile = Some(Tile {
            sizes,
            wavefront: vec![],
        });
        let order = [rows[2].clone(), rows[0].clone(), rows[1].clone()];
        let mut cache = crate::testing::band(&order, Tree::Band(Box::new(register)));
        let sizes = (0..3).map(TileSize::Param).collect();
        cache.tile = Some(Tile {
            sizes,
            wavefront: vec![],
        });
        let size = |i: usize| SizeParam {
            name: format!("size{i}"),
            default: 8,
            multiple_of: 1,
            dealt: false,
        };
        Schedule {
            domain: scop.domain().unwrap(),
            root: Tree::Band(Box::new(cache)),
            sizes: (0..3).map(size).collect(),
        }
    }

    fn kernels(ast: &Ast) -> usize {
        match ast {
            Ast::For(l) => kernels(&l.body),
            Ast::If { then, els, .. } => kernels(then) + els.as_ref().map_or(0, |e| kernels(e)),
            Ast::Block(list) => list.iter().map(kernels).sum(),
            Ast::User(_) | Ast::Pack(_) => 0,
            Ast::MicroKernel(_) => 1,
        }
    }

    fn check(domain: &str, theta: &str, cell: &str) {
        let ctx = Ctx::new();
        let text = format!(
            "params n m\ncontext {{ : n >= 1 and m >= 1 }}\narray C f64 [n][m]\nstmt S0\n  domain {domain}\n  \
             beta 0 0 0 0\n  write {cell}\n  read {cell}\n  body (read 1)\n"
        );
        let scop = parse_scop(&ctx, &text).unwrap();
        let ast = generate(&scop, &tiled(&scop, theta)).unwrap();
        assert_eq!(kernels(&ast), 1, "{ast}");
        for (params, sizes) in [
            ([5, 7], [3, 4, 8]),
            ([9, 6], [4, 4, 4]),
            ([1, 1], [2, 2, 4]),
            ([11, 3], [1, 3, 5]),
        ] {
            check_run(&scop, &ast, &params, &sizes);
        }
    }

    #[test]
    fn rectangle() {
        check(
            "{ S0[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < n }",
            "{ S0[i, j, k] -> [i, j, k] }",
            "{ S0[i, j, k] -> C[i, j] }",
        );
    }

    #[test]
    fn triangle_of_cells() {
        check(
            "{ S0[i, j, k] : 0 <= i < n and 0 <= j <= i and 0 <= k < m }",
            "{ S0[i, j, k] -> [i, j, k] }",
            "{ S0[i, j, k] -> C[i, j] }",
        );
    }

    #[test]
    fn reduction_that_starts_at_the_row() {
        check(
            "{ S0[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < n - i - 1 }",
            "{ S0[i, j, k] -> [i, j, i + k] }",
            "{ S0[i, j, k] -> C[i, j] }",
        );
    }

    #[test]
    fn lanes_that_start_at_the_row() {
        check(
            "{ S0[i, j, k] : 0 <= i < n and 0 <= j < n - i and 0 <= k < i }",
            "{ S0[i, j, k] -> [i, i + j, k] }",
            "{ S0[i, j, k] -> C[i, i + j] }",
        );
    }
}
