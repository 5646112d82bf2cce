//! Parts of a grid that it only has if it is a single row or column, which is both borders.
//!
//! ```text
//! for j: for i:  b[j][i] = a[j][i == 0 ? i : i - 1] + a[j][i == n - 1 ? i : i + 1]     i = 0 and i = n - 1: n = 1
//! ```
//!
//! Of the 64 copies for three pairs of borders 37 are for such grids, and what is done with so many statements takes several times as long.

use super::reject::Reject;
use crate::poly::{Constraint, DimType, Set};
use std::collections::BTreeSet;

/// The parameter values for which there is a part of some iterations, if a size has one value there that it does not have in all of them.
pub(super) fn sizes(part: &Set, all: &Set) -> Result<Option<Set>, Reject> {
    let sizes = sizes_of(all)?;
    let params = part.params()?;
    let more = !params.is_empty()? && fixed(&params, &sizes)? > fixed(&all.params()?, &sizes)?;
    Ok(more.then_some(params))
}

/// The parameters that say how far loops go.
fn sizes_of(all: &Set) -> Result<BTreeSet<usize>, Reject> {
    let mut sizes = BTreeSet::new();
    for piece in all.remove_divs()?.basic_sets()? {
        for c in piece.constraints()? {
            if c.involves_dims(DimType::Set, 0, c.dim(DimType::Set))? {
                sizes.extend(params_of(&c)?);
            }
        }
    }
    Ok(sizes)
}

/// How many sizes have one value, in each piece of a set of parameter values.
fn fixed(values: &Set, sizes: &BTreeSet<usize>) -> Result<usize, Reject> {
    let mut least = usize::MAX;
    for piece in values.remove_divs()?.basic_sets()? {
        let mut count = 0;
        for c in piece.constraints()?.iter().filter(|c| c.is_equality()) {
            let alone = matches!(params_of(c)?[..], [p] if sizes.contains(&p));
            count += usize::from(alone);
        }
        least = least.min(count);
    }
    Ok(least)
}

/// The parameters of a constraint.
fn params_of(c: &Constraint) -> Result<Vec<usize>, Reject> {
    let mut found = vec![];
    for p in 0..c.dim(DimType::Param) {
        if c.involves_dims(DimType::Param, p, 1)? {
            found.push(p);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;

    #[test]
    fn a_grid_of_one_row_is_left_and_a_mode_is_not() {
        let ctx = Ctx::new();
        let set = |text: &str| {
            let text = format!("[n, mode] -> {{ [i] : 0 <= i < n and ({text}) }}");
            Set::parse(&ctx, &text).unwrap()
        };
        let all = set("true");
        let of = |text: &str| sizes(&set(text), &all).unwrap();
        let one = of("i = 0 and i = n - 1").expect("both borders");
        assert!(one.is_equal(&set("n = 1").params().unwrap()).unwrap());
        assert!(of("i = 0").is_none());
        assert!(of("i >= 1").is_none());
        assert!(of("mode = 3").is_none());
        // A row of either colour is no single one.
        assert!(of("exists k: 2k = i + mode and 0 <= k < mode").is_none());
        assert!(of("n < 0").is_none());
    }
}
