//! D-8: what takes too long has no answer, and what does not need the bounds of loops has one all the same.

use super::super::lifetimes::{Overlap, conflicts, live};
use super::super::modulo::{Sizes, sizes};
use super::super::tiling::Order;
use super::super::touched::{Accesses, Touched};
use super::super::transfers::exact;
use super::super::unbounded::sizes_of_any_domain;
use super::Case;
use crate::poly::{Error, Result, Set};
use std::collections::BTreeMap;

/// Units of work: the any-domain sizes take 150 000, some 50 milliseconds, the exact sets 1 700 000.
const QUOTA: u64 = 400_000;

/// Sequential sizes for the domain as it is.
fn sizes_of(case: &Case, context: &Set) -> Result<BTreeMap<String, Sizes>> {
    let tiling = &case.tiling;
    let touched = Touched::of(tiling, &Accesses::of(&case.scop)?)?;
    let transfers = exact(tiling, &touched, Order::Anywhere, None)?;
    let live = live(tiling, &touched.all)?;
    let conflicts = conflicts(tiling, &live, &transfers, Overlap::Sequential)?;
    sizes(&conflicts, context)
}

#[test]
fn d8_a_quota_ends_the_question_and_the_way_out_stays_within_it() {
    let case = Case::new("seidel-2d");
    let least = case.tiling.sizes_from(2).unwrap();
    {
        let _quota = case.ctx.quota(QUOTA);
        let exact = sizes_of(&case, &least);
        assert!(matches!(exact, Err(Error::Quota)), "{exact:?}");
    }
    let _quota = case.ctx.quota(QUOTA);
    for overlap in [Overlap::Sequential, Overlap::Pipelined] {
        let found = sizes_of_any_domain(&case.tiling, &case.scop, |_| true, &least, overlap);
        assert!(found.unwrap().unwrap().contains_key("A"));
    }
}

#[test]
fn d8_what_has_no_bound_has_no_size() {
    let case = Case::new("trisolv");
    let least = case.tiling.sizes_from(2).unwrap();
    let sequential = Overlap::Sequential;
    let found =
        sizes_of_any_domain(&case.tiling, &case.scop, |_| true, &least, sequential).unwrap();
    let found = found.unwrap();
    assert!(found["x"].moduli[0].is_none());
    assert!(found["c"].moduli[0].is_some());
}
