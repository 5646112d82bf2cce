//! The run-time check in front of the generated program: [`check`].
//!
//! | part | from | why |
//! |---|---|---|
//! | range of parameters | parameters of more than 32 bits that nothing bounds | no arithmetic of the program overflows |
//! | conditions | [`Scop::assumptions`], simplified by what is known | the model holds |
//! | rows | [`Scop::rows`] | rows behind pointers are apart; first, what has to hold for the tables to be read |
//! | byte ranges | access relations of the pairs in [`Scop::no_overlap`] | the arrays are distinct memory, or as good as that ([`in_place`]) |
//! | bytes that an inspection compares | [`Scop::inspection`] | reads without subscripts are apart from what is written |
//! | work | iteration domains | a short run does not pay for the check and the tiles |
//! | length of rows | [`long_diagonals`] | few of the diagonals of short rows are whole |
//! | threads | [`same_loops`], [`crate::ast::worth`] | where only threads gain, one of the loops must be worth them |
//! | threads | [`only_threads`] | where the order is the original's, there must be several |
//! | threads | [`only_waves`] | where only threads gain and tiles cost, there must be several |
//! | threads | [`footprint`] | where one thread gains by what does not fit a cache, there must be so much or several threads |
//!
//! The conditions may be evaluated in any order and all of them, in arithmetic modulo 2^64: where one is garbage by
//! overflow, a range condition (which compares a parameter with a constant and computes nothing) is false.
//!

mod diagonals;
mod far;
mod footprint;
mod in_place;
mod nested;
mod order;
mod range;
mod rows;
mod same;
mod waves;

pub use diagonals::long_diagonals;
pub use far::{is_far, is_plainly_far};
pub use footprint::footprint;
pub use order::only_threads;
pub use same::same_loops;
pub use waves::only_waves;

use crate::ast::{expr, holds, scope::Scope};
use crate::work;
use polytile_analysis::ast::{
    Apart, BinOp, ByteRange, Check, Expr, Inspected, PolyCheck, PolyCheckTerm, Threads,
};
use polytile_analysis::ids::{ArrayId, ValueId};
use polytile_analysis::poly::{self, PerSet, PwAff, Set};
use polytile_analysis::scop::{Access, Array, ArrayKind, Scop, Stmt};
use polytile_analysis::tree::{Schedule, Tree};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Parameters are kept below this: products with the coefficients that occur, and sums of some of them, fit 64 bits.
const MAX_PARAM: i64 = 1 << 40;

/// The part of the budget for all of the check.
const SHARE: u64 = 6;

/// The least work for which the generated program runs: half a microsecond.
pub const MIN_WORK: i64 = work::UNITS_PER_NS * 500;

/// The least work where all rows behind pointers are looked at first, each of which is found by its pointer: one and a half microseconds.
pub const MIN_WORK_WITH_ROWS: i64 = 3 * MIN_WORK;

/// The same where memory is allocated for temporaries: two microseconds.
pub const MIN_WORK_WITH_TEMPORARIES: i64 = 4 * MIN_WORK;

/// The same where tiles of three or more members run in waves, most of which are partial at small sizes: twenty microseconds.
pub const MIN_WORK_WITH_WAVES: i64 = work::UNITS_PER_NS * 20_000;

/// The condition under which the program of a schedule may and should run.
pub fn check(scop: &Scop, schedule: &Schedule) -> poly::Result<Check> {
    let ctx = scop.context.ctx().clone();
    let _quota = ctx.share(SHARE);
    let _form = MinMax::in_force(&ctx);
    let scope = Scope::new(scop, schedule)?;
    let mut conditions = self::ranges(scop)?;
    conditions.extend(assumptions(scop, &scope)?);
    let mut ranges = BTreeMap::new();
    for a in scop.no_overlap.iter().flat_map(|&(a, b)| [a, b]) {
        if let Entry::Vacant(entry) = ranges.entry(a) {
            entry.insert(range::bytes(scop, a, &scope)?);
        }
    }
    let mut apart = vec![];
    for &(a, b) in &scop.no_overlap {
        let (Some(first), Some(second)) = (&ranges[&a], &ranges[&b]) else {
            continue;
        };
        apart.push(Apart {
            or_one: in_place::may_be_one(scop, [a, b], [first, second])?,
            ranges: [first.clone(), second.clone()],
        });
    }
    let work = work::of_scop(scop)?.map(|w| (w, least_work(scop, schedule)));
    let (before_rows, of_lengths, rows) = rows::checks(scop, &scope)?;
    Ok(Check {
        rows,
        before_rows,
        of_lengths,
        conditions,
        worth: vec![],
        poly_checks: poly_checks(scop, &scope)?,
        apart,
        inspected: inspected(scop, &scope)?,
        written: vec![],
        readable: readable(scop, &scope)?,
        work,
        pace: work::PACE,
        threads: Threads::Any,
        alone: None,
        alone_in_place: false,
    })
}

/// The least work for which the program of a schedule runs.
fn least_work(scop: &Scop, schedule: &Schedule) -> i64 {
    let allocates = scop.arrays.iter().any(|a| a.kind == ArrayKind::Temporary);
    if waves(&schedule.root) {
        MIN_WORK_WITH_WAVES
    } else if allocates {
        MIN_WORK_WITH_TEMPORARIES
    } else if !scop.rows.is_empty() {
        MIN_WORK_WITH_ROWS
    } else {
        MIN_WORK
    }
}

/// The bytes of all arrays of the program that the SCoP writes.
pub fn written(scop: &Scop, schedule: &Schedule) -> poly::Result<Vec<ByteRange>> {
    let scope = Scope::new(scop, schedule)?;
    // What nobody reads may be left out.
    let seen = |a: &&Access| !scop.array(a.array).dead;
    let writes = scop.stmts.iter().flat_map(Stmt::writes).filter(seen);
    bytes_of(scop, writes, &scope)
}

/// The bytes of the arrays of the program among those of some accesses.
fn bytes_of<'a>(
    scop: &Scop,
    accesses: impl Iterator<Item = &'a Access>,
    scope: &Scope,
) -> poly::Result<Vec<ByteRange>> {
    let arrays: BTreeSet<ArrayId> = accesses.map(|a| a.array).collect();
    let ranges = arrays.into_iter().map(|a| range::bytes(scop, a, scope));
    let ranges = ranges.collect::<poly::Result<Vec<_>>>()?;
    Ok(ranges.into_iter().flatten().collect())
}

/// The bytes of all arrays that a SCoP accesses, if the program may leave it early.
fn readable(scop: &Scop, scope: &Scope) -> poly::Result<Vec<ByteRange>> {
    if scop.intact().is_none() {
        return Ok(vec![]);
    }
    bytes_of(scop, scop.stmts.iter().flat_map(|s| &s.accesses), scope)
}

/// The bytes of the arrays that an inspection compares with what is read.
fn inspected(scop: &Scop, scope: &Scope) -> poly::Result<Option<Inspected>> {
    let Some(inspection) = &scop.inspection else {
        return Ok(None);
    };
    let ranges = |base: &ValueId| {
        let own = |a: &Array| a.kind == ArrayKind::Memory { base: *base };
        let arrays = (0..scop.arrays.len()).filter(|a| own(&scop.arrays[*a]));
        let ranges = arrays.map(|a| range::bytes(scop, ArrayId::from(a), scope));
        let ranges = ranges.collect::<poly::Result<Vec<_>>>()?;
        Ok(ranges.into_iter().flatten().collect())
    };
    let written = inspection.written.iter().map(ranges);
    Ok(Some(Inspected {
        written: written.collect::<poly::Result<_>>()?,
        inputs: inspection.inputs.clone(),
    }))
}

/// The ranges of polynomials, with bounds of the values in their terms. What is computed only where the nest is known not to run,
/// as the rows of a product over no columns, need not stay anywhere.
fn poly_checks(scop: &Scop, scope: &Scope) -> poly::Result<Vec<PolyCheck>> {
    let allowed = scop
        .without_pitches(&scop.known()?)?
        .without_machine_bounds()?;
    let (asked, found) = (PerSet::default(), PerSet::default());
    let mut checks = vec![];
    for range in &scop.poly_ranges {
        let values = range.terms.iter();
        let values = values.map(|t| {
            asked.answer(&t.values, || {
                let values = t.values.intersect_params(&allowed)?.coalesce()?;
                let none = values.is_empty()?;
                Ok((values, none))
            })
        });
        let values = values.collect::<poly::Result<Vec<(Set, bool)>>>()?;
        if values.iter().any(|(_, none)| *none) {
            continue;
        }
        let mut terms = vec![];
        for (t, (values, _)) in range.terms.iter().zip(values) {
            let (lo, hi) = found.answer(&values, || range::ends(&values, scope))?;
            let end = |ends: Vec<Expr>| ends.into_iter().next().unwrap_or(Expr::Int(0));
            terms.push(PolyCheckTerm {
                factors: t.factors.clone(),
                lo: end(lo),
                hi: end(hi),
            });
        }
        checks.push(PolyCheck {
            terms,
            least: range.least,
            greatest: range.greatest,
        });
    }
    Ok(checks)
}

/// Members of tiles of which few are whole at small sizes.
const MANY_MEMBERS: usize = 3;

/// Whether tiles of many members run in waves.
fn waves(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => false,
        Tree::Band(b) => {
            let tile = b
                .tile
                .as_ref()
                .filter(|_| b.schedule.size() >= MANY_MEMBERS);
            tile.is_some_and(|t| !t.wavefront.is_empty()) || waves(&b.child)
        }
        Tree::Sequence(list) | Tree::Set(list) => list.iter().any(|b| waves(&b.child)),
        Tree::Mark(_, child) => waves(child),
    }
}

/// Minimum and maximum are written as such while this lives.
struct MinMax<'a>(&'a poly::Ctx);

impl MinMax<'_> {
    fn in_force(ctx: &poly::Ctx) -> MinMax<'_> {
        ctx.set_option_ast_build_detect_min_max(true);
        MinMax(ctx)
    }
}

impl Drop for MinMax<'_> {
    fn drop(&mut self) {
        self.0.set_option_ast_build_detect_min_max(false);
    }
}

/// Bounds of the parameters that neither their width nor the context bounds.
fn ranges(scop: &Scop) -> poly::Result<Vec<Expr>> {
    let mut conditions = vec![];
    for (i, p) in scop.params.iter().enumerate() {
        if p.expr.width <= 32 {
            continue;
        }
        let value = PwAff::param_on_domain(&scop.context, &p.name)?;
        let param = Expr::Param(i.into());
        let within = |v: poly::Val| v.as_i64().is_some_and(|v| v.abs() <= MAX_PARAM);
        if !within(value.max_val()?) {
            conditions.push(expr::bin(BinOp::Le, &param, &Expr::Int(MAX_PARAM)));
        }
        if !within(value.min_val()?) {
            conditions.push(expr::bin(BinOp::Ge, &param, &Expr::Int(-MAX_PARAM)));
        }
    }
    Ok(conditions)
}

/// The assumptions, each simplified by the context and the ones before it.
fn assumptions(scop: &Scop, scope: &Scope) -> poly::Result<Vec<Expr>> {
    let mut known = scop.context.clone();
    let mut conditions = vec![];
    for a in &scop.assumptions {
        let open = a.set.gist(&known)?.coalesce()?;
        if open.plain_is_universe()? {
            continue;
        }
        let condition = holds(&open, &known, scope)?;
        if expr::as_int(&condition) != Some(1) {
            conditions.push(condition);
        }
        known = known.intersect(&a.set)?;
    }
    Ok(conditions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::Tree;

    fn check_of(ctx: &Ctx, text: &str) -> Check {
        let scop = parse_scop(ctx, text).unwrap();
        let schedule = Schedule {
            domain: scop.domain().unwrap(),
            root: Tree::Leaf,
            sizes: vec![],
        };
        check(&scop, &schedule).unwrap()
    }

    const STENCIL: &str = "
        params n m
        context { : n >= 3 and n <= 1000000 }
        assume in-bounds { : m >= n }
        assume non-empty { : m >= 3 }
        array A f64 [n][m]
        array B f64 [n][m]
        no-overlap A B
        stmt S0
          domain { S0[i, j] : 0 <= i < n - 2 and 0 <= j < n - 2 }
          beta 0 0 0
          write { S0[i, j] -> B[i + 1, j + 1] }
          read { S0[i, j] -> A[i, j + 1] }
          read { S0[i, j] -> A[i + 2, j + 1] }
          read { S0[i, j] -> A[i + 1, j] }
          read { S0[i, j] -> A[i + 1, j + 2] }
          body (fadd (fadd (read 1) (read 2)) (fadd (read 3) (read 4)))";

    #[test]
    fn only_unknown_facts_are_tested() {
        let ctx = Ctx::new();
        let c = check_of(&ctx, STENCIL);
        let text: Vec<String> = c.conditions.iter().map(Expr::to_string).collect();
        // n is bounded by the context; m >= 3 follows from m >= n.
        assert_eq!(
            text,
            [
                "(p1 <= 1099511627776)",
                "(p1 >= -1099511627776)",
                "(p1 >= p0)"
            ]
        );
    }

    #[test]
    fn what_never_runs_need_not_stay_in_a_range() {
        let ctx = Ctx::new();
        let ranges = |text: &str| {
            let at = "array A f64";
            let scop = STENCIL.replacen(at, &format!("{text}\n        {at}"), 1);
            check_of(&ctx, &scop).poly_checks.len()
        };
        assert_eq!(ranges("poly-range 1 * times m { [1] : m >= 3 }"), 1);
        assert_eq!(ranges("poly-range 1 * times m { [1] : m < 3 }"), 0);
    }

    #[test]
    fn work_grows_with_the_domain() {
        let ctx = Ctx::new();
        let c = check_of(&ctx, STENCIL);
        let (work, least) = c.work.unwrap();
        let at = |n: i64| expr::eval(&work, &|_| Some(n)).unwrap();
        assert_eq!(at(102), 8 * 100 * 100);
        assert!(at(10) < least && at(1000) > least);
    }
}
