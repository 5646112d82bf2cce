//! Where copied elements come from and where they go: coordinates, origins and the size of the buffer.

use super::super::constraints::affine;
use super::super::micro::Frame;
use super::super::scope::Scope;
use super::super::{Generator, expr};
use super::TUPLE;
use crate::simd::{accesses_of, moves_along};
use polytile_analysis::ast::Expr;
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{self, MultiUnionPwAff, PwAff, Set, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::Pack;

/// Where the copied elements begin and how far they go.
pub(super) struct Layout {
    pub first: PwAff,
    pub start: Expr,
    pub origin: Expr,
    /// `K`.
    pub block: Expr,
    /// Elements of the buffer.
    pub elements: Expr,
}

impl Generator<'_> {
    /// Origins, block and size of the buffer.
    pub(super) fn layout(
        &self,
        pack: &Pack,
        band: &MultiUnionPwAff,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Option<Layout>> {
        let (row, reduction) = (band.at(pack.member)?, band.at(pack.reduction)?);
        let own = self.schedule.domain.intersect(&domain.universe_of()?)?;
        let (Some(first), Some(k0)) = (
            origin(&row, [domain, &own], scope)?,
            origin(&reduction, [domain, &own], scope)?,
        ) else {
            return Ok(None);
        };
        let (Some(start), Some(k0)) = (
            affine(&first.as_aff()?, scope)?,
            affine(&k0.as_aff()?, scope)?,
        ) else {
            return Ok(None);
        };
        let size = |row: &UnionPwAff| -> poly::Result<Option<Expr>> {
            let ends = ends(row, &own, scope)?;
            Ok(match (scope.tile_of(row)?, ends) {
                // Tiles of values from 0 on begin at 0 or above.
                (Some((_, size)), Some((Expr::Int(0..), most))) => {
                    let all = expr::add(&most, &Expr::Int(1));
                    Some(expr::min(size, &expr::max(&all, &Expr::Int(1))))
                }
                (Some((_, size)), _) => Some(size.clone()),
                (None, Some((least, most))) => {
                    let all = expr::add(&expr::sub(&most, &least), &Expr::Int(1));
                    Some(expr::max(&all, &Expr::Int(1)))
                }
                (None, None) => None,
            })
        };
        let (Some(rows), Some(steps)) = (size(&row)?, size(&reduction)?) else {
            return Ok(None);
        };
        let width = i64::from(pack.width);
        let count = i64::try_from(pack.operands.len()).unwrap_or(i64::MAX);
        let padded = expr::add(&rows, &Expr::Int(width));
        let elements = expr::mul(&expr::mul(&padded, &steps), &Expr::Int(count));
        if !elements.is_size() {
            return Ok(None);
        }
        Ok(Some(Layout {
            first,
            start,
            origin: k0,
            block: steps,
            elements,
        }))
    }
}

/// The coordinates of the copied elements. A member with which no operand changes completes them: the frame has it at 0.
pub(super) fn frame(
    (scop, stmt): (&Scop, &Stmt),
    pack: &Pack,
    band: &MultiUnionPwAff,
    scope: &Scope,
) -> poly::Result<Option<Frame>> {
    let accesses = |operand: &NodeId| accesses_of(stmt, *operand);
    let copied: Vec<usize> = pack.operands.iter().flat_map(accesses).collect();
    for other in (0..band.size()).filter(|m| *m != pack.member && *m != pack.reduction) {
        let members = [pack.member, other, pack.reduction];
        let Some(frame) = Frame::of(stmt, band, members, scope)? else {
            continue;
        };
        let mut stays = true;
        for n in &copied {
            let stride = moves_along(scop, &stmt.accesses[*n], &frame.steps[1])?;
            stays &= stride == Stride::Zero;
        }
        if stays {
            return Ok(Some(frame));
        }
    }
    Ok(None)
}

/// The image of the statement's instances under the member's row and the reduction's.
pub(super) fn elements(
    band: &MultiUnionPwAff,
    pack: &Pack,
    stmt: &Stmt,
    domain: &UnionSet,
    scope: &Scope,
) -> poly::Result<Option<Set>> {
    let own = domain.intersect(&stmt.domain.to_union_set()?.universe_of()?)?;
    let one = |m: usize| -> poly::Result<MultiUnionPwAff> {
        MultiUnionPwAff::from_union_pw_aff(&band.at(m)?.intersect_domain(&own.universe_of()?)?)
    };
    let rows = one(pack.member)?.flat_range_product(&one(pack.reduction)?)?;
    let image = own.apply(&UnionMap::from_multi_union_pw_aff(&rows)?)?;
    let sets = image.sets()?;
    let [image] = &sets[..] else { return Ok(None) };
    let image = image.intersect_params(&scope.context)?.coalesce()?;
    Ok(Some(image.set_tuple_name(TUPLE)?))
}

/// The origin of the enclosing tile in the direction of a row, else the row's least value in the first of these domains where that
/// is affine.
fn origin(row: &UnionPwAff, domains: [&UnionSet; 2], scope: &Scope) -> poly::Result<Option<PwAff>> {
    if let Some((name, _)) = scope.tile_of(row)? {
        return Ok(Some(scope.param(name)?));
    }
    for domain in domains {
        let Some(values) = values(row, domain, scope)? else {
            continue;
        };
        let least = values.dim_min(0)?.gist_params(&scope.context)?.coalesce()?;
        if least.n_piece() == 1 && least.isa_aff()? {
            return Ok(Some(PwAff::from_aff(&least.as_aff()?)?));
        }
    }
    Ok(None)
}

/// The least and the greatest value of a row, over parameters only.
fn ends(row: &UnionPwAff, domain: &UnionSet, scope: &Scope) -> poly::Result<Option<(Expr, Expr)>> {
    let Some(values) = values(row, domain, scope)? else {
        return Ok(None);
    };
    let mut ends = vec![];
    for end in [values.dim_min(0)?, values.dim_max(0)?] {
        let end = end.gist_params(&scope.context)?.coalesce()?;
        if end.n_piece() != 1 || !end.isa_aff()? {
            return Ok(None);
        }
        ends.push(affine(&end.as_aff()?, scope)?);
    }
    Ok(match <[Option<Expr>; 2]>::try_from(ends) {
        Ok([Some(least), Some(most)]) => Some((least, most)),
        _ => None,
    })
}

/// The values of a row.
fn values(row: &UnionPwAff, domain: &UnionSet, scope: &Scope) -> poly::Result<Option<Set>> {
    let row = row.intersect_domain(&domain.universe_of()?)?;
    let rows = MultiUnionPwAff::from_union_pw_aff(&row)?;
    let image = domain.apply(&UnionMap::from_multi_union_pw_aff(&rows)?)?;
    let sets = image.sets()?;
    let [image] = &sets[..] else { return Ok(None) };
    Ok(Some(image.intersect_params(&scope.context)?.remove_divs()?))
}
