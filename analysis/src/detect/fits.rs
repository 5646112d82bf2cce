//! Whether a shape is one that an array may have, by the parameter values for which its subscripts stay in their rows.
//!
//! ```text
//! for b: for i in 8*b .. min(8*b + 8, n):  a[i] += a[i + n]       rows of eight elements?   n + i - 8*b < 8
//! ```
//!
//! The subscripts of such rows are in them where nothing runs, or for tiny sizes only. An array that is only read does without
//! rows where something would have to be assumed for them.

use super::affine::Affine;
use super::model::Model;
use super::reject::Reject;
use super::shape::{Fit, Shape};
use crate::ids::{BlockId, LoopId};
use crate::poly::{DimType, PerSet, Set};
use crate::scev::{Scev, ScevKind};

/// Rows of fewer elements are blocks of a loop rather than rows of an array.
pub(super) const SHORT: i64 = 16;

/// The ways to take a shape, of an array that may be `only_read`.
pub(super) fn ways((shape, wanted): (Shape, Fit), only_read: bool) -> Vec<(Shape, Fit)> {
    let possible = only_read && wanted == Fit::Possible;
    match shape.loose().filter(|_| possible) {
        Some(loose) => vec![(shape, Fit::Certain), (loose, Fit::Possible)],
        None => vec![(shape, wanted)],
    }
}

/// Whether something runs for some of the allowed parameter values, if something did before, and so with large `distances`:
/// conditions on what is added to subscripts of short rows. `runs` has the parameter values for which the deepest accesses run.
pub(super) fn possible(
    model: &Model,
    (before, allowed): (&Set, &Set),
    runs: &[Set],
    distances: &[String],
) -> Result<bool, Reject> {
    if !some_runs((before, allowed), runs)? {
        return Ok(false);
    }
    if distances.is_empty() {
        return Ok(true);
    }
    let large = model.set(0, &distances.join(" and "))?.params()?;
    let (before, allowed) = (before.intersect(&large)?, allowed.intersect(&large)?);
    Ok(before.is_empty()? || some_runs((&before, &allowed), runs)?)
}

/// Whether all parameter values with which something of this runs are allowed.
pub(super) fn wherever_runs((before, allowed): (&Set, &Set), runs: &[Set]) -> Result<bool, Reject> {
    for runs in runs {
        if !before.intersect(runs)?.is_subset(allowed)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether an access runs with sizes of two and more, but never inside its row: all elements of a matrix, one behind the other, are as many
/// as rows times columns, which no row has.
///
/// Such an access is in bounds where nothing is worth a version: what is around it has to do without its loop.
pub(super) fn never_inside(model: &Model, runs: &Set, bad: &Set) -> Result<bool, Reject> {
    let sizes = products(model);
    if sizes.is_empty() || bad.is_empty()? {
        return Ok(false);
    }
    let usual = model.set(0, &sizes.join(" and "))?.params()?;
    let runs = runs.params()?.intersect(&usual)?;
    Ok(!runs.is_empty()? && runs.is_subset(bad)?)
}

/// A constant number of elements up to which they may be the beginning of a row whose length is known at run time.
const LONG: i64 = 16;

/// Whether an access goes along the first row alone, to a bound that no loop inside of another has: all elements of a matrix, one behind the
/// other, where nobody knows how many that is.
///
/// ```text
/// for p in a .. a + count: *p = ..      for i, j in 0 .. n: .. a[n*i + j]        inside its row? count <= n
/// for p in a .. a + 225: *p = ..        for i, j in 0 .. n: .. a[n*i + j]                       225 <= n
/// ```
pub(super) fn is_flat(
    model: &Model,
    (subscripts, runs): (&[String], &Set),
    nest: &[LoopId],
    bad: &Set,
) -> Result<bool, Reject> {
    let [outer @ .., _] = subscripts else {
        return Ok(false);
    };
    let first_row = !outer.is_empty() && outer.iter().all(|s| s.parse::<i64>().is_ok());
    if nest.len() != 1 || !first_row || bad.is_empty()? {
        return Ok(false);
    }
    let blocks = (0..model.region.blocks.len()).map(BlockId::from);
    let mut deeper = blocks
        .filter(|b| model.region.loop_nest(*b).len() > 1)
        .peekable();
    if deeper.peek().is_none() {
        return Ok(false);
    }
    let long = model.set(1, &format!("i0 >= {LONG}"))?;
    let mut sizes = model.params.iter().map(|p| runs.involves_param(p.name));
    let constant = !sizes.try_fold(false, |any, one| one.map(|one| any || one))?;
    if constant && !runs.is_disjoint(&long)? {
        return Ok(true);
    }
    let deeper: Vec<&Set> = deeper.map(|b| model.domain(b)).collect();
    for p in model.params.iter() {
        if runs.involves_param(p.name)? && bad.involves_param(p.name)? {
            let mut known = false;
            for domain in &deeper {
                known = known || domain.involves_param(p.name)?;
            }
            if !known {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a loop that runs several times would run once: rows of 32 elements, of a vector that is walked in blocks of 32.
///
/// ```text
/// for b: for i in 32*b .. n:  c[i] -= c[32*b]        rows of 32 elements?   n - 32*b <= 32, so that b = 0
/// ```
pub(super) fn runs_once<'s>(
    domains: impl Iterator<Item = &'s Set>,
    (before, allowed): (&Set, &Set),
) -> Result<bool, Reject> {
    if before.is_subset(allowed)? {
        return Ok(false);
    }
    let answers = PerSet::default();
    for domain in domains {
        let once = || -> Result<bool, Reject> {
            let of = |known| domain.intersect_params(known);
            let (before, after) = (of(before)?, of(allowed)?);
            for d in 0..domain.dim(DimType::Set) {
                let last = |set: &Set| set.dim_ends(d).map(|ends| ends.1);
                if last(&after)? == Some(0) && last(&before)? != Some(0) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if answers.answer(domain, once)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What parameters that are products are to their factors, where these are sizes.
fn products(model: &Model) -> Vec<String> {
    let mut found = vec![];
    for p in model.params.iter() {
        let factors = match factors(&p.expr) {
            Some(factors) => factors,
            None => continue,
        };
        for factor in factors.iter().filter(|f| f.as_constant().is_none()) {
            if let Ok(text) = Affine::new(&model.params, &[]).text(factor) {
                found.push(format!("{text} >= 2 and {} >= 2*({text})", p.name));
            }
        }
    }
    found
}

/// The factors of a product, in any width.
fn factors(s: &Scev) -> Option<&[Scev]> {
    match &s.kind {
        ScevKind::SExt(inner) | ScevKind::ZExt(inner) => factors(inner),
        ScevKind::Mul(factors, _) => {
            let sizes = factors.iter().filter(|f| f.as_constant().is_none());
            (sizes.count() > 1).then_some(factors)
        }
        _ => None,
    }
}

fn some_runs((before, allowed): (&Set, &Set), runs: &[Set]) -> Result<bool, Reject> {
    let mut ran = false;
    for runs in runs {
        if !runs.is_disjoint(allowed)? {
            return Ok(true);
        }
        ran = ran || !runs.is_disjoint(before)?;
    }
    Ok(!ran && !allowed.is_empty()?)
}
