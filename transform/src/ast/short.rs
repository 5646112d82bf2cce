//! Innermost loops of a few iterations as straight code.
//!
//! ```text
//! for i: for k = 0 .. 2: { A(i, k); B(i, k) }        for i: { A(i, 0); B(i, 0);  A(i, 1); B(i, 1);  A(i, 2); B(i, 2) }
//! ```
//!
//! Compilers unroll such loops before they take common parts of iterations together (elements that neighbours share, cells that the next
//! iteration overwrites); what this pass emits comes behind that.

use super::block;
use super::split::replaced;
use polytile_analysis::ast::{Ast, Expr, For, ForKind};

/// The most iterations.
const MAX_TRIPS: i64 = 4;

/// The most statements that a loop becomes.
const MAX_USERS: i64 = 24;

/// The program with such loops unrolled.
pub(super) fn unrolled(ast: Ast) -> Ast {
    match ast {
        Ast::Block(list) => block(list.into_iter().map(unrolled).collect()),
        Ast::If { cond, then, els } => Ast::If {
            cond,
            then: Box::new(unrolled(*then)),
            els: els.map(|e| Box::new(unrolled(*e))),
        },
        Ast::For(l) => match iterations(&l) {
            Some((first, last)) => block((first..=last).map(|at| iteration(&l, at)).collect()),
            // What runs in lanes is emitted as a whole.
            None if !matches!(l.kind, ForKind::Lanes { .. } | ForKind::Diagonal { .. }) => {
                let body = unrolled(l.body.clone());
                Ast::For(Box::new(For { body, ..*l }))
            }
            None => Ast::For(l),
        },
        other => other,
    }
}

/// First and last iteration of a loop that is to be unrolled.
fn iterations(l: &For) -> Option<(i64, i64)> {
    let (Expr::Int(first), Expr::Int(last)) = (&l.lower, &l.upper) else {
        return None;
    };
    let plain = matches!(l.kind, ForKind::Sequential)
        && l.step == Expr::Int(1)
        && l.anchor.is_none()
        && l.body.has_no_loop();
    let trips = last - first + 1;
    let users = l.body.users().len() as i64;
    let short = (1..=MAX_TRIPS).contains(&trips) && trips * users <= MAX_USERS;
    (plain && short).then_some((*first, *last))
}

fn iteration(l: &For, at: i64) -> Ast {
    let leaf = |e: &Expr| (*e == Expr::Iter(l.iter)).then_some(Expr::Int(at));
    replaced(&l.body, &|e| super::expr::replace(e, &leaf))
}

#[cfg(test)]
mod tests {
    use crate::ast::generate;
    use crate::testing::{bare_scop, flat_schedule, instances, run};
    use polytile_analysis::poly::Ctx;

    #[test]
    fn a_loop_of_three_iterations_is_straight_code() {
        let ctx = Ctx::new();
        let domains = [
            "{ S0[i, k] : 0 <= i < n and 0 <= k < 3 }",
            "{ S1[i, k] : 0 <= i < n and 2 <= k < 7 }",
        ];
        let scop = bare_scop(
            &ctx,
            "n",
            "{ : }",
            &[(domains[0], "0 0 0"), (domains[1], "0 1 0")],
        );
        let schedule = flat_schedule(&scop, "{ S0[i, k] -> [i, 0, k]; S1[i, k] -> [i, 1, k] }");
        let ast = generate(&scop, &schedule).unwrap();
        let text = ast.to_string();
        assert!(
            text.contains("S0(0, c0)") || text.contains("S0(c0, 0)"),
            "{text}"
        );
        assert!(
            text.contains("S0(c0, 2)") && !text.contains("S1(c0, 2)"),
            "{text}"
        );
        let mut all = run(&ast, &[5], &[]);
        all.sort();
        assert_eq!(all, instances(&scop, &[5]));
    }
}
