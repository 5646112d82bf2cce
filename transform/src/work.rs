//! Estimates of work as expressions that the generated program evaluates.
//!
//! The unit is one operation or memory access of a statement. [`UNITS_PER_NS`] of them take about a nanosecond of one
//! thread in plain vectorized code (within a factor of three on the kernels measured: gemm 0.1 to 0.3 ns per instance of
//! six units, jacobi-2d 0.5 ns for eleven).
//!
//! The number of points of a polyhedron is estimated dimension by dimension, outermost first: the extent of a dimension
//! is taken at the midpoints of the outer ones. That is exact for boxes and triangles, and 25 % off for a simplex of
//! three dimensions:
//!
//! ```text
//! { S[i, j] : 0 <= j <= i < n }   ->   n * ((n - 1) / 2 + 1)
//! ```
//!
//! Products saturate, so that no parameter value overflows; the results are only compared with thresholds.

use crate::ast::expr;
use crate::simd::sums_in_lanes;
use polytile_analysis::ast::{BinOp, Expr};
use polytile_analysis::body::NodeKind;
use polytile_analysis::guards::is_guarded;
use polytile_analysis::poly::{self, BasicSet, Constraint, DimType, Set};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{Scop, Stmt};

/// Units of work that one thread does in a nanosecond.
pub const UNITS_PER_NS: i64 = 20;

/// The same in a microsecond, where nothing else is known.
pub const PACE: i64 = 1000 * UNITS_PER_NS;

/// A factor of a product counts at most so much.
const MAX_FACTOR: i64 = 1 << 20;

/// A product counts at most so much; times [`MAX_FACTOR`] it still fits 64 bits.
const MAX_PRODUCT: i64 = 1 << 40;

/// Convex pieces of a domain that are counted one by one; more are counted by their hull.
const MAX_PIECES: usize = 4;

/// Nodes that an estimate may have: it is evaluated at every entry of a parallel loop.
const MAX_NODES: usize = 300;

/// Work of one instance of a statement, in units.
pub fn weight(stmt: &Stmt) -> i64 {
    let operation = |op: &OpCode| match op {
        OpCode::FDiv(_) | OpCode::FRem | OpCode::Sqrt => 40,
        OpCode::UDiv | OpCode::SDiv | OpCode::URem | OpCode::SRem => 40,
        OpCode::Ragged { .. } => 200,
        op if op.is_function() => 200,
        OpCode::Cast | OpCode::Freeze => 0,
        _ => 1,
    };
    let mut total = stmt.accesses.len() as i64;
    for node in &stmt.body.nodes {
        if let NodeKind::Op { op, .. } = &node.kind {
            total += operation(op);
        }
    }
    total.max(1)
}

/// What stands behind a condition in front of its innermost loop counts as if that held so seldom: where it does not, the loop is passed over,
/// and threads that were called for nothing cost more than they gain.
const SELDOM: i64 = 16;

/// The work of one instance that is there whatever the data are, but for what they decide in each instance.
pub fn sure_weight(scop: &Scop, stmt: &Stmt) -> i64 {
    match is_guarded(scop, stmt) {
        true => (weight(stmt) / SELDOM).max(1),
        false => weight(stmt),
    }
}

/// The same where LLVM's vectorizer makes lanes along a sum: as much less as its elements are narrower than eight bytes.
pub fn weight_in_lanes(scop: &Scop, stmt: &Stmt) -> poly::Result<i64> {
    let all = sure_weight(scop, stmt);
    Ok(match sums_in_lanes(scop, stmt)? {
        true => (all * stmt.write().ty.bytes() as i64 / WIDE).clamp(1, all),
        false => all,
    })
}

/// Bytes of the elements that [`weight`] is meant for.
const WIDE: i64 = 8;

/// Work of the whole SCoP, as a function of its parameters; `None` if the estimate would be too long.
pub fn of_scop(scop: &Scop) -> poly::Result<Option<Expr>> {
    let domains = scop
        .stmts
        .iter()
        .map(|s| (sure_weight(scop, s), s.domain.clone()));
    of_domains(domains, &parameters(scop))
}

/// The parameters of a SCoP by their names, for [`of_domains`].
pub fn parameters(scop: &Scop) -> impl Fn(&str) -> Option<Expr> + '_ {
    |name| {
        let at = scop.params.iter().position(|p| p.name == name)?;
        Some(Expr::Param(at.into()))
    }
}

/// The most work that the SCoP has for any parameters within what it assumes of them; `None` if nothing bounds it. Of each domain, the box
/// around it counts.
pub fn most(scop: &Scop) -> poly::Result<Option<i64>> {
    let known = scop.known()?;
    let mut total = 0i64;
    for s in &scop.stmts {
        let domain = s.domain.intersect_params(&known)?;
        let mut points = weight(s);
        for d in 0..s.depth() {
            let [least, greatest] = [domain.dim_min_val(d)?, domain.dim_max_val(d)?];
            let Some((least, greatest)) = least.as_i64().zip(greatest.as_i64()) else {
                return Ok(None);
            };
            points = points.saturating_mul(greatest.saturating_sub(least).saturating_add(1));
        }
        total = total.saturating_add(points);
    }
    Ok(Some(total))
}

/// Work of weighted domains. `name` gives the values of parameters.
pub fn of_domains(
    domains: impl Iterator<Item = (i64, Set)>,
    name: &dyn Fn(&str) -> Option<Expr>,
) -> poly::Result<Option<Expr>> {
    let mut total = Expr::Int(0);
    for (weight, domain) in domains {
        let Some(count) = instances(&domain, name)? else {
            return Ok(None);
        };
        total = expr::add(&total, &expr::mul(&Expr::Int(weight), &count));
        if expr::size(&total) > MAX_NODES {
            return Ok(None);
        }
    }
    Ok(Some(total))
}

/// Estimated number of points of a set.
pub fn instances(set: &Set, name: &dyn Fn(&str) -> Option<Expr>) -> poly::Result<Option<Expr>> {
    let set = set.remove_divs()?.coalesce()?;
    let pieces = match set.n_basic_set() {
        n if n <= MAX_PIECES => set.basic_sets()?,
        _ => vec![set.simple_hull()?],
    };
    let mut total = Expr::Int(0);
    for piece in &pieces {
        match points(piece, name)? {
            Some(count) => total = expr::add(&total, &count),
            None => return Ok(None),
        }
    }
    Ok(Some(total))
}

fn points(set: &BasicSet, name: &dyn Fn(&str) -> Option<Expr>) -> poly::Result<Option<Expr>> {
    let n = set.dim(DimType::Set);
    let mut mids: Vec<Expr> = vec![];
    let mut product: Option<Expr> = None;
    for d in 0..n {
        let outer = set
            .project_out(DimType::Set, d + 1, n - d - 1)?
            .remove_divs()?
            .remove_redundancies()?;
        let Some((lower, upper)) = bounds(&outer, d, &mids, name)? else {
            return Ok(None);
        };
        let extent = expr::add(&expr::sub(&upper, &lower), &Expr::Int(1));
        let middle = expr::bin(BinOp::FloorDiv, &expr::add(&lower, &upper), &Expr::Int(2));
        mids.push(if expr::same(&lower, &upper) {
            lower
        } else {
            middle
        });
        product = Some(times(product, &extent));
        if mids
            .iter()
            .chain(&product)
            .any(|e| expr::size(e) > MAX_NODES)
        {
            return Ok(None);
        }
    }
    Ok(Some(product.unwrap_or(Expr::Int(1))))
}

/// `product * extent`, saturating; an extent below 0 counts as 0.
fn times(product: Option<Expr>, extent: &Expr) -> Expr {
    let factor = expr::max(&expr::min(extent, &Expr::Int(MAX_FACTOR)), &Expr::Int(0));
    match product {
        None => factor,
        Some(p) if factor == Expr::Int(1) => p,
        Some(p) => {
            let full = expr::mul(&p, &factor);
            match expr::as_int(&full) {
                Some(c) => Expr::Int(c.min(MAX_PRODUCT)),
                None => expr::min(&full, &Expr::Int(MAX_PRODUCT)),
            }
        }
    }
}

/// Lower and upper bound of the last dimension, with the outer ones at `mids`.
fn bounds(
    set: &BasicSet,
    d: usize,
    mids: &[Expr],
    name: &dyn Fn(&str) -> Option<Expr>,
) -> poly::Result<Option<(Expr, Expr)>> {
    let (mut lower, mut upper): (Option<Expr>, Option<Expr>) = (None, None);
    for c in set.constraints()? {
        let a = c.coefficient(DimType::Set, d)?;
        if a == 0 {
            continue;
        }
        let Some(rest) = rest(&c, d, mids, name)? else {
            return Ok(None);
        };
        // a * x + rest >= 0 (or = 0): a bound of x is -rest / a.
        let size = Expr::Int(a.abs());
        if a > 0 || c.is_equality() {
            let towards = if a > 0 {
                expr::neg(&rest)
            } else {
                rest.clone()
            };
            let up = expr::add(&towards, &Expr::Int(a.abs() - 1));
            let bound = expr::bin(BinOp::FloorDiv, &up, &size);
            lower = Some(lower.map_or(bound.clone(), |l| expr::max(&l, &bound)));
        }
        if a < 0 || c.is_equality() {
            let towards = if a > 0 { expr::neg(&rest) } else { rest };
            let bound = expr::bin(BinOp::FloorDiv, &towards, &size);
            upper = Some(upper.map_or(bound.clone(), |u| expr::min(&u, &bound)));
        }
    }
    Ok(lower.zip(upper))
}

/// Everything in a constraint but its term in dimension `d`.
fn rest(
    c: &Constraint,
    d: usize,
    mids: &[Expr],
    name: &dyn Fn(&str) -> Option<Expr>,
) -> poly::Result<Option<Expr>> {
    let mut sum = Expr::Int(c.constant()?);
    for (j, mid) in mids.iter().enumerate().take(d) {
        let b = c.coefficient(DimType::Set, j)?;
        sum = expr::add(&sum, &expr::mul(&Expr::Int(b), mid));
    }
    let space = c.space()?;
    for p in 0..c.dim(DimType::Param) {
        let b = c.coefficient(DimType::Param, p)?;
        if b == 0 {
            continue;
        }
        let Some(value) = space.dim_name(DimType::Param, p).and_then(|n| name(&n)) else {
            return Ok(None);
        };
        sum = expr::add(&sum, &expr::mul(&Expr::Int(b), &value));
    }
    Ok(Some(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    fn count(text: &str, n: i64) -> i64 {
        let ctx = Ctx::new();
        let set = Set::parse(&ctx, text).unwrap();
        let e = instances(&set, &|_| Some(Expr::Param(0.into()))).unwrap();
        expr::eval(&e.unwrap(), &|_| Some(n)).unwrap()
    }

    #[test]
    fn boxes_and_triangles_are_exact() {
        assert_eq!(
            count("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 7 }", 10),
            70
        );
        assert_eq!(count("[n] -> { S[i, j] : 0 <= j <= i < n }", 11), 66);
        assert_eq!(count("[n] -> { S[i] : 0 <= i < n }", -5), 0);
        assert_eq!(count("{ S[] }", 0), 1);
        assert_eq!(count("[n] -> { S[i, j] : 0 <= i < n and j = 2i }", 10), 10);
    }

    #[test]
    fn work_is_bounded_by_what_is_assumed() {
        let of = |assumed: &str| {
            let text = format!(
                "params n
                 context {{ : }}
                 {assumed}
                 array A f64 [n]
                 stmt S0
                   domain {{ S0[i, j] : 0 <= i < n and 0 <= j < 5 }}
                   beta 0 0 0
                   write {{ S0[i, j] -> A[i] }}
                   read {{ S0[i, j] -> A[i] }}
                   body (read 1)"
            );
            most(&parse_scop(&Ctx::new(), &text).unwrap()).unwrap()
        };
        assert_eq!(of("assume in-bounds { : n <= 16 }"), Some(2 * 16 * 5));
        assert_eq!(of("assume in-bounds { : n >= 16 }"), None);
    }

    #[test]
    fn simplices_are_near() {
        let exact = 20 * 19 * 18 / 6;
        let got = count("[n] -> { S[i, j, k] : 0 <= k < j < i < n }", 20);
        assert!((got - exact).abs() * 3 < exact, "{got} for {exact}");
    }

    #[test]
    fn huge_parameters_saturate() {
        let cube = "[n] -> { S[i, j, k] : 0 <= i, j, k < n }";
        assert_eq!(count(cube, 1 << 40), MAX_PRODUCT);
        assert_eq!(count(cube, -(1 << 40)), 0);
    }
}
