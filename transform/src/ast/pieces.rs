//! Whether some loop of a subtree goes through values in several pieces.
//!
//! isl makes a loop for each piece of the values that a loop goes through, unless it is told to make one for all of them (`atomic`).
//!
//! ```text
//! { S[i] : 0 <= i < n; T[i] : 0 <= i < n - 1 }      one piece: loops are the same either way
//! { S[i] : 0 <= i < n; T[i] : 1 <= i < m }          0 <= i < n  or  1 <= i < m
//! ```
//!
//! So a subtree whose loops have one piece each need not be generated twice, and to see that takes a part of the time. What is known of
//! parameters is not looked at: pieces that are one for these sizes only are several here.

use super::SHARE;
use crate::live::row_of;
use polytile_analysis::poly::{self, Map, Set, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Branch, Tree};

/// Whether the values of some loop of a subtree, with those of the loops of the subtree around it, are several pieces.
///
/// # Errors
/// What projecting the domain comes to.
pub(super) fn has_pieces(scop: &Scop, tree: &Tree, domain: &UnionSet) -> poly::Result<bool> {
    below(scop, tree, domain, &[])
}

/// Whether the outermost loop of a subtree goes through values in which nothing runs, for some of these parameters: between the
/// iterations of one statement and those of another.
///
/// ```text
/// { S[i] : a <= i < a + 8; T[i] : b <= i < b + 24 }      a gap where b > a + 8
/// ```
///
/// It may where finding out takes too much of what is left to work with.
///
/// # Errors
/// What projecting the domain comes to.
pub(super) fn may_have_gaps(
    scop: &Scop,
    tree: &Tree,
    domain: &UnionSet,
    context: &Set,
) -> poly::Result<bool> {
    let ctx = domain.ctx().clone();
    let _quota = ctx.share(SHARE);
    match has_gaps(scop, tree, domain, context) {
        Err(poly::Error::Quota) => Ok(true),
        found => found,
    }
}

fn has_gaps(scop: &Scop, tree: &Tree, domain: &UnionSet, context: &Set) -> poly::Result<bool> {
    match tree {
        Tree::Leaf => Ok(false),
        Tree::Mark(_, child) => has_gaps(scop, child, domain, context),
        Tree::Band(band) => {
            let Some(values) = values(scop, domain, &[band.schedule.at(0)?])? else {
                return Ok(false);
            };
            let [above, below] = ["x < y", "x > y"].map(|order| {
                let text = format!("{{ [x] -> [y] : {order} }}");
                values.apply(&Map::parse(values.ctx(), &text)?)
            });
            let between = above?.intersect(&below?)?.intersect_params(context)?;
            Ok(!between.is_subset(&values)?)
        }
        Tree::Sequence(list) | Tree::Set(list) => any_branch(list, domain, |child, part| {
            has_gaps(scop, child, part, context)
        }),
    }
}

fn below(scop: &Scop, tree: &Tree, domain: &UnionSet, outer: &[UnionPwAff]) -> poly::Result<bool> {
    match tree {
        Tree::Leaf => Ok(false),
        Tree::Mark(_, child) => below(scop, child, domain, outer),
        Tree::Band(band) => {
            let mut rows = outer.to_vec();
            for row in band.schedule.union_pw_affs()? {
                rows.push(row);
                if values(scop, domain, &rows)?.is_some_and(|v| v.n_basic_set() > 1) {
                    return Ok(true);
                }
            }
            below(scop, &band.child, domain, &rows)
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            any_branch(list, domain, |child, part| below(scop, child, part, outer))
        }
    }
}

/// Whether something holds of a branch and the instances that come to it.
fn any_branch(
    list: &[Branch],
    domain: &UnionSet,
    holds: impl Fn(&Tree, &UnionSet) -> poly::Result<bool>,
) -> poly::Result<bool> {
    for branch in list {
        if holds(&branch.child, &domain.intersect(&branch.filter)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The values of some rows together; `None`: there are no instances.
fn values(scop: &Scop, domain: &UnionSet, rows: &[UnionPwAff]) -> poly::Result<Option<Set>> {
    let mut values: Option<Set> = None;
    for set in domain.sets()? {
        let name = set.tuple_name();
        let Some(stmt) = name.and_then(|name| scop.stmt_by_name(&name)) else {
            continue;
        };
        let mut all: Option<Map> = None;
        for row in rows {
            let Some(row) = row_of(row, stmt.id)? else {
                continue;
            };
            let row = Map::from_pw_aff(&row)?;
            all = Some(match all {
                None => row,
                Some(outer) => outer.flat_range_product(&row)?,
            });
        }
        if let Some(all) = all {
            let own = set.apply(&all)?;
            values = Some(match values {
                None => own,
                Some(others) => others.union(&own)?,
            });
        }
    }
    values.map(|v| v.coalesce()).transpose()
}

#[cfg(test)]
mod tests {
    use super::has_pieces;
    use crate::ast::{AstOptions, Separation, generate_with};
    use crate::testing::{bare_scop, flat_schedule};
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::scop::Scop;

    /// Statements that run in these iterations of one loop.
    fn in_one_loop(ctx: &Ctx, ranges: &[&str]) -> Scop {
        let domain = |(k, range): (usize, &&str)| format!("{{ S{k}[i] : {range} }}");
        let domains: Vec<String> = ranges.iter().enumerate().map(domain).collect();
        let betas: Vec<String> = (0..ranges.len()).map(|k| format!("0 {k}")).collect();
        let stmts: Vec<(&str, &str)> = (domains.iter().zip(&betas))
            .map(|(domain, beta)| (domain.as_str(), beta.as_str()))
            .collect();
        bare_scop(ctx, "m, n", "{ : n >= 9 and m >= 9 }", &stmts)
    }

    fn several(ranges: &[&str]) -> bool {
        let ctx = Ctx::new();
        let scop = in_one_loop(&ctx, ranges);
        let rows: Vec<String> = (0..ranges.len())
            .map(|k| format!("S{k}[i] -> [i, {k}]"))
            .collect();
        let schedule = flat_schedule(&scop, &format!("{{ {} }}", rows.join("; ")));
        has_pieces(&scop, &schedule.root, &schedule.domain).unwrap()
    }

    #[test]
    fn ranges_in_one_that_covers_them_are_one_piece() {
        assert!(!several(&["0 <= i < n"]));
        assert!(!several(&["1 <= i < n - 1", "0 <= i < n", "3 <= i < n"]));
        assert!(!several(&["0 <= i <= 4", "5 <= i < 9"]));
    }

    #[test]
    fn ranges_of_which_none_covers_the_others_are_several() {
        assert!(several(&["0 <= i < n", "0 <= i < m"]));
        assert!(several(&["0 <= i < 3", "5 <= i < n"]));
        assert!(several(&["0 <= i < n and i != 4"]));
    }

    #[test]
    fn to_ask_takes_a_part_of_the_work_of_a_generation() {
        let ctx = Ctx::new();
        let ranges: Vec<String> = (0..8).map(|k| format!("0 <= i < n - {k}")).collect();
        let ranges: Vec<&str> = ranges.iter().map(String::as_str).collect();
        let scop = in_one_loop(&ctx, &ranges);
        let rows: Vec<String> = (0..8).map(|k| format!("S{k}[i] -> [i, {k}]")).collect();
        let schedule = flat_schedule(&scop, &format!("{{ {} }}", rows.join("; ")));
        let before = ctx.work();
        assert!(!has_pieces(&scop, &schedule.root, &schedule.domain).unwrap());
        let asked = ctx.work() - before;
        let options = AstOptions {
            separation: Separation::Never,
            ..AstOptions::default()
        };
        generate_with(&scop, &schedule, &options).unwrap();
        let generated = ctx.work() - before - asked;
        assert!(4 * asked < generated, "{asked} of {generated}");
    }
}
