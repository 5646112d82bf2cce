//! Whether a shape is one that an array may have, by the parameter values for which its subscripts stay in their rows.
//!
//! ```text
//! for b: for i in 8*b .. min(8*b + 8, n):  a[i] += a[i + n]       rows of eight elements?   n + i - 8*b < 8
//! ```
//!
//! The subscripts of such rows are in them where nothing runs, or for tiny sizes only. An array that is only read does without
//! rows where something would have to be assumed for them.

use super::model::Model;
use super::reject::Reject;
use super::shape::{Fit, Shape};
use crate::poly::Set;

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
