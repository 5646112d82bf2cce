//! The bytes of the program's arrays that a SCoP works on, as an expression of its parameters: [`footprint`].
//!
//! Where a program gains by what stays in a cache, its gain begins with what does not: sizes of arrays tell, and steps of a time loop around them do
//! not.

use super::range::{touched, whole};
use crate::work;
use polytile_analysis::ast::Expr;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, Error};
use polytile_analysis::scop::{ArrayKind, Scop};

/// The part of the budget for it.
const SHARE: u64 = 30;

/// Bytes of all arrays of the program, each in one convex piece; `None`: the estimate would be too long, or takes too much.
///
/// # Errors
/// What reading the access relations comes to.
pub fn footprint(scop: &Scop) -> poly::Result<Option<Expr>> {
    let _quota = scop.context.ctx().clone().share(SHARE);
    match pieces(scop) {
        Err(Error::Quota) => Ok(None),
        found => found,
    }
}

fn pieces(scop: &Scop) -> poly::Result<Option<Expr>> {
    let known = scop.known()?;
    let mut pieces = vec![];
    for id in (0..scop.arrays.len()).map(ArrayId::from) {
        let array = scop.array(id);
        if !matches!(array.kind, ArrayKind::Memory { .. }) {
            continue;
        }
        if let (Some(touched), element) = touched(scop, id, whole)? {
            let piece = touched.intersect_params(&known)?;
            let piece = piece.remove_divs()?.simple_hull()?.to_set()?;
            pieces.push((element as i64, piece));
        }
    }
    work::of_domains(pieces.into_iter(), &work::parameters(scop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::expr;
    use crate::testing::sample;
    use polytile_analysis::poly::Ctx;

    #[test]
    fn steps_of_a_time_loop_do_not_count() {
        let ctx = Ctx::new();
        let scop = sample(&ctx, "jacobi-2d");
        let bytes = footprint(&scop).unwrap().expect("it is short");
        let at = |steps: i64, n: i64| {
            let value = |name: &str| {
                if name.to_lowercase().contains('t') {
                    steps
                } else {
                    n
                }
            };
            let values: Vec<i64> = scop.params.iter().map(|p| value(&p.name)).collect();
            expr::at(&bytes, &values).expect("all values are there")
        };
        assert_eq!(at(10, 100), at(1000, 100));
        assert!((2 * 8 * 98 * 98..=2 * 8 * 100 * 100).contains(&at(10, 100)));
    }
}
