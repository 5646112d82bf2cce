//! How far a copy goes whose operands are written below it.
//!
//! A copy of operands that are written below it ([`Copied::Final`]) takes the elements with `k < K` only, where no
//! instance below writes what an instance with `k < K` reads by the operands:
//!
//! ```text
//! K = least k(y) over y in D that read by an operand what some x in D writes, whatever the order of x and y
//! ```
//!
//! `K` is a choice between bounds: one that comes from pairs which exist only under a condition on the tile's origins (rows
//! and lanes of a factorization's block meet) counts only where that holds. Register tiles take `K` as a bound of their
//! [head](super::super::head).

use super::super::below::below;
use super::super::expr;
use super::super::head::least;
use super::super::micro::of_stmt;
use super::super::scope::Scope;
use super::super::{Generator, SHARE};
use crate::legality;
use crate::simd::accesses_of;
use polytile_analysis::ast::Expr;
use polytile_analysis::poly::{self, Map, Set, UnionSet};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::Pack;

/// How far a copy goes along the reduction.
pub(super) enum Until {
    /// There is none.
    Nothing,
    /// To the end.
    All,
    /// To the step before this one.
    Step(Expr),
}

impl Generator<'_> {
    /// The first step of the reduction whose operands are written by an instance of `domain`.
    pub(super) fn until(
        &self,
        pack: &Pack,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Until> {
        let stmt = self.scop.stmt(pack.stmt);
        let sets = domain.sets()?;
        let own = |s: &&Set| s.tuple_name().as_deref() == Some(&stmt.name);
        let (Some(points), Some(band)) = (sets.iter().find(own), &scope.tile_rows) else {
            return Ok(Until::Nothing);
        };
        let (Some(layout), Some(reduction)) = (
            self.layout(pack, band, domain, scope)?,
            of_stmt(&band.at(pack.reduction)?, stmt)?,
        ) else {
            return Ok(Until::Nothing);
        };
        let end = expr::add(&layout.origin, &layout.block);
        let value = Map::from_pw_aff(&reduction)?;
        let mut until: Option<Expr> = None;
        for set in &sets {
            let Some(other) = set.tuple_name().and_then(|n| self.scop.stmt_by_name(&n)) else {
                return Ok(Until::Nothing);
            };
            for readers in self.readers_of(pack, stmt, other, set)? {
                let steps = readers.intersect(points)?.apply(&value)?.remove_divs()?;
                let steps = steps.intersect_params(&scope.context)?;
                for piece in steps.gist_params(&scope.context)?.basic_sets()? {
                    if steps.intersect(&piece.to_set()?)?.is_empty()? {
                        continue;
                    }
                    let Some((holds, least)) = least(&piece, scope)? else {
                        return Ok(Until::Nothing);
                    };
                    let bound = expr::select(&holds, &least, &end);
                    until = Some(match until {
                        None => bound,
                        Some(u) => expr::min(&u, &bound),
                    });
                }
            }
        }
        Ok(match until {
            None => Until::All,
            // No check could tell what is copied before it.
            Some(bound) if below(&bound, scope)?.is_none() => Until::Nothing,
            Some(bound) => Until::Step(bound),
        })
    }

    /// The instances of `stmt` that read by a packed operand what the instances `writers` of `other` write.
    fn readers_of(
        &self,
        pack: &Pack,
        stmt: &Stmt,
        other: &Stmt,
        writers: &Set,
    ) -> poly::Result<Vec<Set>> {
        let mut found = vec![];
        for write in other.writes() {
            let cells = write.relation.intersect_domain(writers)?.range()?;
            for &operand in &pack.operands {
                for n in accesses_of(stmt, operand) {
                    let read = &stmt.accesses[n];
                    if read.array == write.array {
                        found.push(read.relation.intersect_range(&cells)?.domain()?);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Independently of [`Self::until`]: a bound under which something is copied that is written below is a defect.
    pub(super) fn check_final(
        &self,
        pack: &Pack,
        bound: &Expr,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<()> {
        let _quota = domain.ctx().clone().share(SHARE);
        let band = scope.tile_rows.as_ref().expect("the bound is of a band");
        let copied = below(bound, scope)?.expect("bounds of copies are affine");
        let steps = band.at(pack.reduction)?;
        let place = (domain, &scope.context);
        let right = legality::are_final(self.scop, pack, place, &steps, &copied)?;
        assert!(right, "nothing that is written below is copied");
        Ok(())
    }
}
