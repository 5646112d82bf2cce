//! Loops over tiles where isl exceeds its quota: row echelon bounds of the outset in closed form.
//!
//! ```text
//! { S[i, j] : 0 <= j <= i < n }, tiles of s x t       outset  1 - s <= I < n,  1 - t <= J,  J <= I + s - 1
//! ```
//!
//! No variable is eliminated to find the outset, so it has tiles that the projection does not have; loops over their points are empty. Pieces
//! whose hull does not end where the program does have no such loops.

use super::super::echelon::{RowNest, given_up, rows_of};
use super::{Dim, Nest, TUPLE, anchored, hull, size_params};
use crate::ast::expr;
use crate::ast::scope::Scope;
use polytile_analysis::ast::Expr;
use polytile_analysis::poly::{self, BasicSet, DimType, Error, Set, UnionMap};
use polytile_analysis::scan::{Side, System, Tiles, boxes};

/// The loops over the outset, and the outset.
pub(super) fn by_rows(
    dims: &mut [Dim],
    (together, wave): (&[usize], &[usize]),
    theta: &UnionMap,
    scope: &Scope,
) -> poly::Result<(Nest, Set)> {
    let image = theta.range()?.as_set()?.remove_divs()?;
    let image = hull(&image.intersect_params(&scope.context)?)?.ok_or(Error::Quota)?;
    let mut space = image.space()?;
    for name in size_params(dims) {
        space = space.add_param(name)?;
    }
    let image = image.align_params(&space)?;
    let (rows, _) = rows_of(&image, scope)?;
    let params = image.dim(DimType::Param);
    let side = |d: &Dim| match &d.size {
        Expr::Int(s) => Side::Const(*s),
        _ => Side::Param(
            image
                .find_dim_by_name(DimType::Param, &d.size_text)
                .expect("sizes are parameters"),
        ),
    };
    let sides: Vec<Side> = dims.iter().map(side).collect();
    let all = boxes::tiles(&rows, params, &sides, Tiles::Outset).map_err(given_up)?;
    let all = BasicSet::from_constraint_matrices(&image.space()?, &[], &all.rows)?;
    let all = anchored(dims, together, (&all.to_set()?, &image), scope)?;
    let (rows, known) = rows_of(&all, scope)?;
    let rows = ordered(&rows, all.dim(DimType::Param), wave);
    let nest = RowNest::new(&rows, &known, &all, scope)?;
    Ok((Nest::Rows(nest), all.set_tuple_name(TUPLE)?))
}

/// Rows over the origins as rows over the loops of [`super::loop_order`]: the last member of a wave is its number less the others.
fn ordered(rows: &System, params: usize, wave: &[usize]) -> System {
    let Some((&last, others)) = wave.split_last() else {
        return rows.clone();
    };
    let mut all = System::new(rows.variables);
    all.void = rows.void;
    for row in &rows.rows {
        let (outer, inner) = row.split_at(1 + params);
        let mut new = outer.to_vec();
        new.push(inner[last]);
        for (d, c) in inner.iter().enumerate().filter(|(d, _)| *d != last) {
            new.push(if others.contains(&d) {
                c - inner[last]
            } else {
                *c
            });
        }
        all.add(new);
    }
    all
}

/// The origins, from the values of the loops.
pub(super) fn unordered(values: &[Expr], n: usize, wave: &[usize]) -> Vec<Expr> {
    let Some((&last, others)) = wave.split_last() else {
        return values.to_vec();
    };
    let mut rest = values[1..].iter();
    let mut all: Vec<Expr> = (0..n)
        .map(|d| match d == last {
            true => values[0].clone(),
            false => rest.next().expect("a loop").clone(),
        })
        .collect();
    all[last] = others
        .iter()
        .fold(all[last].clone(), |sum, d| expr::sub(&sum, &all[*d]));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bare_scop;
    use polytile_analysis::ast::ForKind;
    use polytile_analysis::poly::{Ctx, UnionPwAff};
    use polytile_analysis::tree::original;

    /// The loop over tiles of two iterations: of a statement with `n`, and of one that runs once, at `at`.
    fn loops(ctx: &Ctx, at: &str) -> poly::Result<(Nest, Set)> {
        let stmts = [("{ S0[i] : 0 <= i < n }", "0 0"), ("{ S1[] }", "1")];
        let context = "{ : 0 < n <= 2147483647 and 4 <= m <= 2147483647 }";
        let scop = bare_scop(ctx, "n, m", context, &stmts);
        let schedule = original(&scop)?;
        let row = format!("[n, m] -> {{ S0[i] -> [(i)]; S1[] -> [({at})] }}");
        let theta = format!("[n, m] -> {{ S0[i] -> [i] : 0 <= i < n; S1[] -> [{at}] }}");
        let dim = Dim {
            member: 0,
            row: UnionPwAff::parse(ctx, &row)?,
            size_text: "2".to_owned(),
            sizes: 1,
            size: Expr::Int(2),
            name: "o0".to_owned(),
            anchor: Expr::Int(0),
            kind: ForKind::Sequential,
        };
        let theta = UnionMap::parse(ctx, &theta)?;
        by_rows(
            &mut [dim],
            (&[], &[]),
            &theta,
            &Scope::new(&scop, &schedule)?,
        )
    }

    #[test]
    fn no_loop_goes_on_to_where_a_machine_integer_ends() {
        let ctx = Ctx::new();
        assert!(loops(&ctx, "n - 1").is_ok());
        assert!(matches!(loops(&ctx, "m"), Err(Error::Quota)));
    }
}
