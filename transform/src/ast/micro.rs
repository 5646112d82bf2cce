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
//! micro-kernel stores at its end only, so such tiles run as point loops: the set `flow(P)` of origins for which `P` holds
//! a flow dependence between different cells is computed exactly and becomes a condition.
//!
//! ```text
//! if (flow(P)) point loops else micro-kernel
//! ```
//!
//! Anti dependences inside a tile are kept by storing last. Where anything is not of this form, point loops run.
//!
//! [`ast::MicroKernel`]: polytile_analysis::ast::MicroKernel

use super::scope::Scope;
use super::{AstError, Generator, QUOTA, condition, expr};
use polytile_analysis::ast::{Ast, BinOp, Expr, MicroKernel, TileConstraint};
use polytile_analysis::deps::order::before;
use polytile_analysis::poly::{self, AstBuild, BasicSet, DimType, Set, UnionSet};
use polytile_analysis::scop::{AccessKind, Stmt};
use polytile_analysis::tree::{RegisterTile, Tree};

/// Pieces of `flow(P)` beyond which its hull is tested instead.
const MAX_PIECES: usize = 4;

/// The box of a register tile.
struct TileBox {
    /// First row and lane.
    row0: Expr,
    lane0: Expr,
    /// Values of the iterators that are fixed in the box; zero for row, lane and reduction.
    args: Vec<Expr>,
    /// The instances.
    points: BasicSet,
}

impl Generator<'_> {
    /// The program of a register tile: a micro-kernel where that is exact and legal, the point tree elsewhere.
    pub(super) fn register_tile(
        &mut self,
        tile: &RegisterTile,
        child: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> Result<Ast, AstError> {
        let scop = self.scop;
        let stmt = scop.stmt(tile.stmt);
        let kernel = {
            let _quota = domain.ctx().clone().quota(QUOTA);
            match tile_box(stmt, tile, domain, scope) {
                Ok(Some(found)) => {
                    let flow = inner_flow(stmt, tile, &found.points, scope)?;
                    Some((micro_kernel(tile, &found, scope)?, flow))
                }
                Ok(None) | Err(AstError::Poly(poly::Error::Quota)) => None,
                Err(e) => return Err(e),
            }
        };
        let Some((Some((kernel, nonempty)), flow)) = kernel else {
            return self.tree(child, domain, scope);
        };
        let fast = condition(nonempty, Ast::MicroKernel(Box::new(kernel)), None);
        if expr::as_int(&flow) == Some(0) {
            return Ok(fast);
        }
        let slow = self.tree(child, domain, scope)?;
        Ok(condition(flow, slow, Some(fast)))
    }
}

/// The box, if the instances have the form of one.
fn tile_box(
    stmt: &Stmt,
    tile: &RegisterTile,
    domain: &UnionSet,
    scope: &Scope,
) -> Result<Option<TileBox>, AstError> {
    let sets = domain.sets()?;
    let [points] = &sets[..] else { return Ok(None) };
    if points.tuple_name().as_deref() != Some(&stmt.name) {
        return Ok(None);
    }
    let points = points.intersect_params(&scope.context)?.coalesce()?;
    let pieces = points.basic_sets()?;
    let [points] = &pieces[..] else {
        return Ok(None);
    };
    if points.dim(DimType::Div) > 0 {
        return Ok(None);
    }
    let (Some(row0), Some(lane0)) = (
        first_value(stmt, tile.row, scope)?,
        first_value(stmt, tile.lane, scope)?,
    ) else {
        return Ok(None);
    };
    let roles = [tile.row, tile.lane, tile.reduction];
    let mut args = vec![Expr::Int(0); stmt.depth()];
    for d in (0..stmt.depth()).filter(|d| !roles.contains(d)) {
        match fixed_value(points, d, scope)? {
            Some(value) => args[d] = value,
            None => return Ok(None),
        }
    }
    Ok(Some(TileBox {
        row0,
        lane0,
        args,
        points: points.clone(),
    }))
}

/// The least value of an iterator in the box: the innermost tile origin whose row is this iterator plus something fixed.
fn first_value(stmt: &Stmt, d: usize, scope: &Scope) -> Result<Option<Expr>, AstError> {
    for (row, name) in scope.origins.iter().rev() {
        let Some(pa) = row.pw_affs()?.into_iter().find(|p| of_stmt(p, stmt)) else {
            continue;
        };
        if !pa.isa_aff()? {
            continue;
        }
        let aff = pa.as_aff()?;
        let alone = (0..stmt.depth()).all(|e| {
            aff.coefficient(DimType::In, e)
                .is_ok_and(|c| c == i64::from(e == d))
        });
        if !alone || aff.involves_locals()? || aff.denominator()? != 1 {
            continue;
        }
        let mut value = expr::sub(&scope.value(name)?, &Expr::Int(aff.constant()?));
        for p in 0..aff.dim(DimType::Param) {
            let c = aff.coefficient(DimType::Param, p)?;
            if c != 0 {
                let name = aff.dim_name(DimType::Param, p).unwrap_or_default();
                value = expr::sub(&value, &expr::mul(&Expr::Int(c), &scope.value(&name)?));
            }
        }
        return Ok(Some(value));
    }
    Ok(None)
}

/// Whether a function is one of a statement's instances.
fn of_stmt(pa: &poly::PwAff, stmt: &Stmt) -> bool {
    let space = pa.space().ok();
    space.and_then(|s| s.tuple_name(DimType::In)).as_deref() == Some(&stmt.name)
}

/// The only value of an iterator, from an equality that determines it alone.
fn fixed_value(points: &BasicSet, d: usize, scope: &Scope) -> Result<Option<Expr>, AstError> {
    let params = points.dim(DimType::Param);
    let dims = points.dim(DimType::Set);
    for row in points.equalities_matrix()? {
        let iters = &row[1 + params..1 + params + dims];
        let alone = iters.iter().enumerate().all(|(e, &c)| (c != 0) == (e == d));
        if !alone || iters[d].abs() != 1 {
            continue;
        }
        let mut value = Expr::Int(row[0]);
        for (p, &c) in row[1..=params].iter().enumerate().filter(|&(_, &c)| c != 0) {
            value = expr::add(&value, &expr::mul(&Expr::Int(c), &param(points, p, scope)?));
        }
        return Ok(Some(if iters[d] > 0 {
            expr::neg(&value)
        } else {
            value
        }));
    }
    Ok(None)
}

fn param(points: &BasicSet, p: usize, scope: &Scope) -> Result<Expr, AstError> {
    let name = points
        .space()?
        .dim_name(DimType::Param, p)
        .unwrap_or_default();
    scope.value(&name)
}

/// The kernel of a box and when it has any instance; `None` if the reduction has no bounds or an equality ties cells.
fn micro_kernel(
    tile: &RegisterTile,
    found: &TileBox,
    scope: &Scope,
) -> Result<Option<(MicroKernel, Expr)>, AstError> {
    let mut kernel = MicroKernel {
        tile: tile.clone(),
        args: found.args.clone(),
        row0: found.row0.clone(),
        lane0: found.lane0.clone(),
        first: Expr::Int(0),
        last: Expr::Int(-1),
        constraints: vec![],
    };
    let mut nonempty = vec![];
    let (mut first, mut last): (Option<Expr>, Option<Expr>) = (None, None);
    for row in found.points.equalities_matrix()? {
        let at = 1 + found.points.dim(DimType::Param);
        if [tile.row, tile.lane, tile.reduction]
            .iter()
            .any(|&d| row[at + d] != 0)
        {
            return Ok(None);
        }
    }
    for row in found.points.inequalities_matrix()? {
        let c = constraint(tile, found, &row, scope)?;
        if implied(tile, &c) {
            continue;
        }
        if c.reduction != 0 {
            let bound = loose_bound(tile, &c);
            let side = if c.reduction > 0 {
                &mut first
            } else {
                &mut last
            };
            *side = Some(match side.take() {
                None => bound,
                Some(b) if c.reduction > 0 => expr::max(&b, &bound),
                Some(b) => expr::min(&b, &bound),
            });
        }
        if c.row != 0 || c.lane != 0 {
            kernel.constraints.push(c);
        } else if c.reduction == 0 {
            nonempty.push(expr::bin(BinOp::Ge, &c.rest, &Expr::Int(0)));
        }
    }
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(None);
    };
    nonempty.push(expr::bin(BinOp::Le, &first, &last));
    kernel.first = first;
    kernel.last = last;
    Ok(Some((kernel, expr::all(&nonempty))))
}

/// One row of the inequalities, relative to the origin of the box.
fn constraint(
    tile: &RegisterTile,
    found: &TileBox,
    row: &[i64],
    scope: &Scope,
) -> Result<TileConstraint, AstError> {
    let params = found.points.dim(DimType::Param);
    let iters = &row[1 + params..];
    let mut rest = Expr::Int(row[0]);
    let mut add = |c: i64, value: &Expr| {
        if c != 0 {
            rest = expr::add(&rest, &expr::mul(&Expr::Int(c), value));
        }
    };
    for (p, &c) in row[1..=params].iter().enumerate().filter(|&(_, &c)| c != 0) {
        add(c, &param(&found.points, p, scope)?);
    }
    for (d, &c) in iters.iter().enumerate().take(found.args.len()) {
        match d {
            _ if d == tile.row => add(c, &found.row0),
            _ if d == tile.lane => add(c, &found.lane0),
            _ if d == tile.reduction => {}
            _ => add(c, &found.args[d]),
        }
    }
    Ok(TileConstraint {
        row: iters[tile.row],
        lane: iters[tile.lane],
        reduction: iters[tile.reduction],
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

/// The origins whose tile holds a flow dependence between different cells, as a condition.
fn inner_flow(
    stmt: &Stmt,
    tile: &RegisterTile,
    points: &BasicSet,
    scope: &Scope,
) -> Result<Expr, AstError> {
    let points = points.to_set()?;
    let order = before(stmt, stmt)?;
    let write = &stmt.write().relation;
    let mut bad: Option<Set> = None;
    for read in stmt.reads().iter().filter(|a| a.kind == AccessKind::Read) {
        if read.array != stmt.write().array || read.relation.is_equal(write)? {
            continue;
        }
        let flow = write
            .apply_range(&read.relation.reverse()?)?
            .intersect(&order)?;
        let flow = flow.intersect_domain(&points)?.intersect_range(&points)?;
        let origins = flow.params()?;
        bad = Some(match bad {
            None => origins,
            Some(b) => b.union(&origins)?,
        });
    }
    let Some(bad) = bad else {
        return Ok(Expr::Int(0));
    };
    let mut bad = bad.remove_divs()?.coalesce()?;
    if bad.n_basic_set() > MAX_PIECES {
        bad = bad.simple_hull()?.to_set()?;
    }
    debug_assert!(tile.stmt == stmt.id);
    let bad = bad.intersect_params(&scope.context)?;
    if bad.is_empty()? {
        return Ok(Expr::Int(0));
    }
    let bad = bad.gist(&scope.context)?;
    let build = AstBuild::from_context(&scope.context)?;
    super::convert::convert(&build.expr_from_set(&bad)?, scope)
}
