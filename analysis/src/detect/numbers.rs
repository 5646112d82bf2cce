//! How long the numbers get that exact tests on a SCoP compute with: [`affordable`].
//!
//! Sets are compared and projected by pivots. The entries of a tableau are determinants of its rows, and those are at most as
//! long as all factors of the rows together. With factors of a few bits they fit a machine word; with
//!
//! ```text
//! { [i, j, k] -> A[1000003 i + 999979 j + 999961 k] }        19 + 19 + 19 bits at either end of a dependence
//! ```
//!
//! integer points are looked for in lattices with numbers of hundreds of digits, and one unit of work
//! ([`crate::poly::meter`]) may take seconds. Such relations are declined before anything is asked of them. Constants do
//! not matter: a determinant has at most one of them in each of its products.

use super::reject::{Reject, RejectKind};
use crate::poly::{BasicMap, BasicSet, Error, Map, Result, Rows, Set};

/// More bits than this in one row are not tried. The kernels have up to 29, in subscripts of constant arrays that are
/// not told apart by row and column.
const MOST: u32 = 40;

/// Declines a domain with too large factors.
pub(super) fn affordable_domain(domain: &Set) -> std::result::Result<(), Reject> {
    for part in domain.basic_sets()? {
        check(
            &[BasicSet::equalities_matrix, BasicSet::inequalities_matrix].map(|rows| rows(&part)),
        )?;
    }
    Ok(())
}

/// Declines an access relation with too large factors.
pub(super) fn affordable(relation: &Map) -> std::result::Result<(), Reject> {
    for part in relation.basic_maps()? {
        check(
            &[BasicMap::equalities_matrix, BasicMap::inequalities_matrix].map(|rows| rows(&part)),
        )?;
    }
    Ok(())
}

fn check(matrices: &[Result<Rows>]) -> std::result::Result<(), Reject> {
    for rows in matrices {
        let longest = match rows {
            Ok(rows) => rows.iter().map(|r| bits(r)).max().unwrap_or(0),
            Err(Error::OutOfRange(_)) => u32::MAX,
            Err(e) => return Err(e.clone().into()),
        };
        if longest > MOST {
            return Err(Reject::new(RejectKind::Factors));
        }
    }
    Ok(())
}

/// Of all factors in `constant, factors..`.
fn bits(row: &[i64]) -> u32 {
    let factor = |c: &i64| c.unsigned_abs().max(1).ilog2();
    row[1..].iter().map(factor).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;

    #[test]
    fn factors_count_and_constants_do_not() {
        let ctx = Ctx::new();
        let fits = |text: &str| affordable(&Map::parse(&ctx, text).expect("a relation")).is_ok();
        assert!(fits(
            "{ [i, j, k] -> [1000000 i + 1000 j + k + 123456789012] }"
        ));
        assert!(!fits("{ [i, j, k] -> [1000003 i + 999979 j + 999961 k] }"));
        let fits = |text: &str| affordable_domain(&Set::parse(&ctx, text).expect("a set")).is_ok();
        assert!(fits(
            "[n] -> { [i, j] : 0 <= i < 1000000 and 1000 i <= j < 1000 n }"
        ));
        assert!(!fits(
            "[n] -> { [i, j] : 0 <= i < n and 0 <= 1000003 j <= 123456789 i + 999 n }"
        ));
    }
}
