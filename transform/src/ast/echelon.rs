//! Loops in row echelon, for what isl's generator gives up.
//!
//! Where a part of a program exceeds its quota of isl's work, its loops are made of integer rows alone (Ancourt and Irigoin 1991, §4.2 and §4.3):
//! those over tiles from the closed form of the outset, those over points from the domain.
//!
//! ```text
//! { S[i, j] : 1 <= i <= n, 1 <= j <= i, i + j <= m }      for (i = 1; i <= min(n, m - 1); i++) for (j = 1; j <= min(i, m - i); j++) S(i, j)
//! ```
//!
//! What this does not do: several statements, divisions, several pieces. The region stays as it is then.

use super::convert::{LoopSpec, UserMaker};
use super::expr;
use super::scope::Scope;
use super::{Generator, condition};
use polytile_analysis::ast::{Ast, BinOp, Expr};
use polytile_analysis::poly::{self, DimType, Error, Set};
use polytile_analysis::scan::{Bound, Level, Loops, Row, Stop, System, echelon};

/// Units of work for a row: each is held against all others.
const UNITS_PER_ROW: u64 = 2000;

/// Loops over a system, and the values of its parameters.
pub(super) struct RowNest {
    loops: Loops,
    params: Vec<Expr>,
}

/// How the loops of a nest run and are called.
pub(super) struct Frame<'f> {
    pub specs: &'f [LoopSpec],
    /// Names of the iterators by dimension.
    pub iterators: &'f [String],
    /// The arguments of what runs, in terms of the iterators.
    pub args: &'f dyn Fn(&[Expr]) -> Vec<Expr>,
}

/// The rows of a convex set, parameters first, and what is known of these.
pub(super) fn rows_of(set: &Set, scope: &Scope) -> poly::Result<(System, System)> {
    let space = set.space()?;
    let known = scope.context.about_params_of(&space)?;
    let known = known.align_params(&space.params()?)?;
    Ok((convex_rows(set)?, convex_rows(&known)?))
}

fn convex_rows(set: &Set) -> poly::Result<System> {
    let piece = set.coalesce()?.one_piece()?.ok_or(Error::Quota)?;
    System::of_set(&piece)?.ok_or(Error::Quota)
}

impl RowNest {
    /// The loops over a system with the parameters of this set.
    pub fn new(system: &System, known: &System, of: &Set, scope: &Scope) -> poly::Result<RowNest> {
        let n = of.dim(DimType::Param);
        let loops = echelon::loops(system, n, known).map_err(given_up)?;
        let made = u64::try_from(loops.made).expect("a number of rows");
        of.ctx().spend(made * UNITS_PER_ROW)?;
        let value = |p| {
            scope.value(
                &of.dim_name(DimType::Param, p)
                    .expect("parameters have names"),
            )
        };
        Ok(RowNest {
            loops,
            params: (0..n).map(value).collect(),
        })
    }
}

/// A question that stays open is one that took too long.
pub(super) fn given_up(_: Stop) -> Error {
    Error::Quota
}

impl Generator<'_> {
    /// The program of a nest.
    pub(super) fn row_loops(
        &mut self,
        nest: &RowNest,
        frame: &Frame,
        scope: &Scope,
        user: UserMaker,
    ) -> poly::Result<Ast> {
        let holds = |r: &Row| expr::bin(BinOp::Ge, &sum(r, &nest.params), &Expr::Int(0));
        let guard: Vec<Expr> = nest.loops.guard.iter().map(holds).collect();
        let mut values = nest.params.clone();
        let body = self.row_loop(nest, frame, &mut values, scope, user)?;
        Ok(condition(expr::all(&guard), body, None))
    }

    fn row_loop(
        &mut self,
        nest: &RowNest,
        frame: &Frame,
        values: &mut Vec<Expr>,
        scope: &Scope,
        user: UserMaker,
    ) -> poly::Result<Ast> {
        let depth = values.len() - nest.params.len();
        let Some(level) = nest.loops.levels.get(depth) else {
            let args = (frame.args)(&values[nest.params.len()..]);
            return user(self, scope, "", args);
        };
        let iter = self.fresh_iter();
        let (lower, upper) = ends(level, values);
        let range = (lower, upper, Expr::Int(1));
        let empty = self.empty_loop(iter, &frame.specs[depth], range, scope)?;
        let mut inside = scope.clone();
        inside.bind(&frame.iterators[depth], Expr::Iter(iter));
        values.push(Expr::Iter(iter));
        let filled = self.filled(empty, |generator| {
            generator.row_loop(nest, frame, values, &inside, user)
        });
        values.pop();
        filled
    }
}

/// The first and the last value of a loop.
fn ends(level: &Level, values: &[Expr]) -> (Expr, Expr) {
    let quotient = |e: &Expr, b: &Bound| expr::bin(BinOp::FloorDiv, e, &Expr::Int(b.factor));
    let lower = |b: &Bound| match b.factor {
        1 => sum(&b.value, values),
        f => quotient(&expr::add(&sum(&b.value, values), &Expr::Int(f - 1)), b),
    };
    let upper = |b: &Bound| quotient(&sum(&b.value, values), b);
    let least = level
        .lower
        .iter()
        .map(lower)
        .reduce(|a, b| expr::max(&a, &b));
    let most = level
        .upper
        .iter()
        .map(upper)
        .reduce(|a, b| expr::min(&a, &b));
    (least.expect("a bound"), most.expect("a bound"))
}

/// A row as an expression.
pub(super) fn sum(row: &[i64], values: &[Expr]) -> Expr {
    let constant = Expr::Int(row[0]);
    row[1..].iter().zip(values).fold(constant, |sum, (c, v)| {
        expr::add(&sum, &expr::mul(&Expr::Int(*c), v))
    })
}

#[cfg(test)]
mod tests;
