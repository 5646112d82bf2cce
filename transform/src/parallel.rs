//! Which loops run on all threads, and which are meant for vector lanes.
//!
//! * Threads: the outermost coincident member. Its iterations are dealt in equal parts if each has the same work, on
//!   demand otherwise (equal halves of a triangle lose 30 %); a loop that is entered again and again is always dealt in
//!   equal parts, because dealing on demand costs microseconds per entry.
//! * Vectors: the innermost member if it is coincident and walks memory by at most one element in every access. It is
//!   only marked; LLVM's vectorizer takes it without run-time checks.
//!
//! Whether a parallel loop is worth its fork is decided at run time ([`crate::ast`]).

use crate::cost::Reference;
use crate::live::statements;
use crate::simd::{inverse_columns, linear_part};
use crate::work;
use polytile_analysis::ast::{Expr, IterId};
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Band, Distribution, LoopKind, Tree};

/// Iterations of a loop taken at once when they are dealt on demand.
const CHUNK: u32 = 8;

/// Name of the value of a row in work estimates.
const VALUE: &str = "row_value";

/// The outermost coincident member.
pub fn coincident_member(band: &Band) -> Option<usize> {
    band.coincident.iter().position(|&c| c)
}

/// How the iterations of a row are dealt; `tile`: the loop runs over tiles.
pub fn distribution(domain: &UnionSet, row: &UnionPwAff, tile: bool) -> poly::Result<Distribution> {
    if balanced(domain, row)? {
        return Ok(Distribution::Static);
    }
    let chunk = if tile { 1 } else { CHUNK };
    Ok(Distribution::Dynamic { chunk })
}

/// Whether all iterations of a row have the same estimated work.
fn balanced(domain: &UnionSet, row: &UnionPwAff) -> poly::Result<bool> {
    let here = domain.universe_of()?;
    let value = UnionPwAff::param_on_domain(&here, VALUE)?;
    let slice = row.intersect_domain(&here)?.sub(&value)?.zero_union_set()?;
    let slice = domain.intersect(&slice)?;
    let iter = IterId(u32::MAX);
    let name = |n: &str| match n {
        VALUE => Some(Expr::Iter(iter)),
        _ => Some(Expr::Param(0.into())),
    };
    for set in slice.sets()? {
        let Some(count) = work::instances(&set, &name)? else {
            return Ok(false);
        };
        if crate::ast::expr::mentions(&count, iter) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Marks the innermost loops that suit vectors.
pub fn vectorize(
    scop: &Scop,
    tree: &Tree,
    domain: &UnionSet,
    outer: &[MultiUnionPwAff],
) -> poly::Result<Tree> {
    if let Tree::Band(band) = tree {
        let band = vectorize_band(scop, band, domain, outer)?;
        return Ok(Tree::Band(Box::new(band)));
    }
    tree.with_children(|child, filter| match filter {
        Some(filter) => vectorize(scop, child, &domain.intersect(filter)?, outer),
        None => vectorize(scop, child, domain, outer),
    })
}

fn vectorize_band(
    scop: &Scop,
    band: &Band,
    domain: &UnionSet,
    outer: &[MultiUnionPwAff],
) -> poly::Result<Band> {
    let mut band = band.clone();
    let mut rows = outer.to_vec();
    if band.tile.is_none() {
        rows.push(band.schedule.clone());
    }
    if band
        .loops
        .iter()
        .any(|l| matches!(l, LoopKind::Lanes { .. } | LoopKind::Diagonal { .. }))
    {
        return Ok(band);
    }
    if band.child.has_bands() || band.tile.is_some() {
        band.child = vectorize(scop, &band.child, domain, &rows)?;
        return Ok(band);
    }
    let Some(last) = band.schedule.size().checked_sub(1) else {
        return Ok(band);
    };
    let free = band.coincident[last] && band.loops[last] == LoopKind::Sequential;
    if free && contiguous(scop, domain, &rows)? {
        band.loops[last] = LoopKind::Vector;
    }
    Ok(band)
}

/// Whether the last row moves every access by at most one element.
fn contiguous(scop: &Scop, domain: &UnionSet, rows: &[MultiUnionPwAff]) -> poly::Result<bool> {
    for id in statements(scop, domain)? {
        let stmt = scop.stmt(id);
        let Some(step) = last_step(stmt, rows)? else {
            return Ok(false);
        };
        let steps = [Some(step)];
        for access in &stmt.accesses {
            let unit = match Reference::of(scop, stmt, access, &steps)? {
                None => false,
                Some(None) => true,
                Some(Some(r)) => r.moves.is_empty() || r.stride(0).is_some_and(|s| s.abs() <= 1),
            };
            if !unit {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// How the iterators move by one step of the last row.
pub fn last_step(stmt: &Stmt, rows: &[MultiUnionPwAff]) -> poly::Result<Option<Vec<i64>>> {
    let mut linear = vec![];
    for row in rows {
        for row in row.union_pw_affs()? {
            // The number of a block of rows is fixed by a row below it.
            linear.extend(linear_part(&row, stmt)?);
        }
    }
    let columns = inverse_columns(&linear, stmt.depth());
    Ok(columns.and_then(|mut c| c.pop()).flatten())
}
