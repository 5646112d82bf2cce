//! Bodies of many statements without conditions in their usual iterations.
//!
//! Where statements that begin and end at different iterations of a loop share it, its inner loops run them under conditions.
//! [`super::split`] takes these out of innermost loops one after the other, at a copy of the body for each; where that would be too
//! many copies, one copy is left: for the iterations in which all conditions on the loop are as they are in its middle.
//!
//! ```text
//! for i = 0 .. n: for j:            for i = 0 .. n:
//!   if (i >= 2)     A(i - 2, j)       if (2 <= i <= n - 3)  for j: { A(i - 2, j); B(i, j); D(i, j) }
//!   if (i <= n - 3) B(i, j)           else                  for j: { if (i >= 2) A(i - 2, j); .. }
//!   if (i == n)     C(j)
//!   D(i, j)
//! ```
//!
//! (Unswitching of Allen and Cocke, 1972, by one condition for all.)

use super::split::{Range, decided, freshened, users};
use super::{block, condition, expr};
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId};

/// Loops of more statements are left as they are.
const MAX_USERS: usize = 120;

/// What begins and ends so few iterations from a loop's end is at its rim.
const RIM: i64 = 8;

/// The program with usual iterations of its loops on their own. `fresh` gives iterators that nothing else uses.
pub(super) fn usual(ast: Ast, fresh: &mut dyn FnMut() -> IterId) -> Ast {
    match ast {
        Ast::Block(list) => block(list.into_iter().map(|a| usual(a, fresh)).collect()),
        Ast::If { cond, then, els } => Ast::If {
            cond,
            then: Box::new(usual(*then, fresh)),
            els: els.map(|e| Box::new(usual(*e, fresh))),
        },
        Ast::For(mut l) => {
            l.body = usual(l.body, fresh);
            if let Some(usual) = Usual::of(&l) {
                let clean = freshened(&usual.body, fresh);
                l.body = condition(usual.when, clean, Some(l.body));
            }
            Ast::For(l)
        }
        other => other,
    }
}

/// The usual iterations of a loop.
struct Usual {
    when: Expr,
    /// What runs in them.
    body: Ast,
}

impl Usual {
    /// `None` where no condition stands in an innermost loop, or too many statements do.
    fn of(l: &For) -> Option<Usual> {
        let counts = l.step == Expr::Int(1) && l.anchor.is_none();
        if !counts || l.body.has_no_loop() || !is_plain(&l.body) || users(&l.body) > MAX_USERS {
            return None;
        }
        let mut atoms = vec![];
        conditions(&l.body, (l.iter, Places::All), &mut atoms);
        let (mut least, mut most) = (l.lower.clone(), l.upper.clone());
        let mut body = l.body.clone();
        let mut saves = false;
        // Those around inner loops first: what stands in rare branches costs nothing in usual iterations.
        let mut around = vec![];
        conditions(&l.body, (l.iter, Places::Outside), &mut around);
        atoms.sort_by_key(|atom| !around.contains(atom));
        for atom in &atoms {
            let Some((holds, from, to)) = in_the_middle(l, atom) else {
                continue;
            };
            least = from.map_or(least.clone(), |f| expr::max(&least, &f));
            most = to.map_or(most.clone(), |t| expr::min(&most, &t));
            if !saves {
                let mut dear = vec![];
                conditions(&body, (l.iter, Places::Innermost), &mut dear);
                saves = dear.contains(atom);
            }
            body = decided(&body, atom, holds);
        }
        if !saves {
            return None;
        }
        let iter = Expr::Iter(l.iter);
        let bounds = [(BinOp::Ge, &least, &l.lower), (BinOp::Le, &most, &l.upper)];
        let bounds = bounds.iter().filter(|(_, bound, own)| bound != own);
        let bounds: Vec<Expr> = bounds.map(|(op, b, _)| expr::bin(*op, &iter, b)).collect();
        Some(Usual {
            when: expr::all(&bounds),
            body,
        })
    }
}

/// Whether there is nothing but statements, conditions and loops that count one by one.
fn is_plain(ast: &Ast) -> bool {
    match ast {
        Ast::User(_) => true,
        Ast::Block(list) => list.iter().all(is_plain),
        Ast::If { then, els, .. } => is_plain(then) && els.as_ref().is_none_or(|e| is_plain(e)),
        Ast::For(l) => {
            let kind = matches!(
                l.kind,
                ForKind::Sequential | ForKind::Vector | ForKind::ShortVector { .. }
            );
            kind && is_plain(&l.body)
        }
        Ast::MicroKernel(_) | Ast::Pack(_) => false,
    }
}

/// Where conditions are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    All,
    /// In innermost loops.
    Innermost,
    /// Around them.
    Outside,
}

/// The parts of conditions on an iterator.
fn conditions(ast: &Ast, (iter, places): (IterId, Places), found: &mut Vec<Expr>) {
    match ast {
        Ast::Block(list) => {
            let each = |a: &Ast| conditions(a, (iter, places), found);
            list.iter().for_each(each);
        }
        Ast::If { cond, then, els } => {
            let mut parts = vec![];
            if places != Places::Innermost {
                expr::operands(BinOp::And, cond, &mut parts);
            }
            for part in parts.into_iter().filter(|p| expr::mentions(p, iter)) {
                if !found.contains(&part) {
                    found.push(part);
                }
            }
            conditions(then, (iter, places), found);
            let other = |e: &Ast| conditions(e, (iter, places), found);
            els.iter().map(Box::as_ref).for_each(other);
        }
        Ast::For(l) => match (places, l.body.has_no_loop()) {
            (Places::Outside, true) => {}
            (Places::Innermost, true) => conditions(&l.body, (iter, Places::All), found),
            _ => conditions(&l.body, (iter, places), found),
        },
        Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => {}
    }
}

/// Whether a condition holds in the middle of a loop, and where that begins and ends; `None` where it is no range of iterations that
/// begins or ends at the rim.
fn in_the_middle(l: &For, cond: &Expr) -> Option<(bool, Option<Expr>, Option<Expr>)> {
    let range = Range::of(cond, l.iter)?;
    let near = |a: &Expr, b: &Expr| expr::difference(a, b).is_some_and(|d| d.abs() <= RIM);
    let begins = |at: &Expr| near(at, &l.lower);
    let ends = |at: &Expr| near(at, &l.upper);
    let before = |at: &Expr| Some(expr::sub(at, &Expr::Int(1)));
    let after = |at: &Expr| Some(expr::add(at, &Expr::Int(1)));
    match (&range.least[..], &range.most[..]) {
        ([from], []) if begins(from) => Some((true, Some(from.clone()), None)),
        ([from], []) if ends(from) => Some((false, None, before(from))),
        ([], [to]) if ends(to) => Some((true, None, Some(to.clone()))),
        ([], [to]) if begins(to) => Some((false, after(to), None)),
        ([at], [same]) if at == same && begins(at) => Some((false, after(at), None)),
        ([at], [same]) if at == same && ends(at) => Some((false, None, before(at))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Usual;
    use crate::ast::{AstOptions, Separation, generate, generate_with};
    use crate::testing::{bare_scop, flat_schedule, run};
    use polytile_analysis::ast::{Ast, BinOp, Expr};
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::scop::Scop;
    use polytile_analysis::tree::Schedule;

    /// Sixty statements in the same loops: of a plane, begun two rows later, ended two rows earlier, and one of the last row.
    fn many(ctx: &Ctx) -> (Scop, Schedule) {
        let rows = ["0 <= i < n", "2 <= i < n", "0 <= i < n - 2", "i = n - 1"];
        let kind = |s: usize| if s == 30 { 3 } else { s % 3 };
        let domains: Vec<String> = (0..60)
            .map(|s| format!("{{ S{s}[i, j] : {} and 0 <= j < m }}", rows[kind(s)]))
            .collect();
        let text: Vec<(&str, &str)> = domains.iter().map(|d| (d.as_str(), "0 0 0")).collect();
        let scop = bare_scop(ctx, "n m", "{ : }", &text);
        let rows: Vec<String> = (0..60)
            .map(|s| format!("S{s}[i, j] -> [i, j, {s}]"))
            .collect();
        let schedule = flat_schedule(&scop, &format!("{{ {} }}", rows.join("; ")));
        (scop, schedule)
    }

    #[test]
    fn usual_iterations_of_many_statements_have_no_conditions() {
        let ctx = Ctx::new();
        let (scop, schedule) = many(&ctx);
        let ast = generate(&scop, &schedule).unwrap();
        let rows = ast.find_loop(&|_| true).expect("a loop over rows");
        let Ast::If { cond, then, els } = &rows.body else {
            panic!("usual rows on their own: {ast}");
        };
        assert!(els.is_some(), "{ast}");
        assert!(matches!(cond, Expr::Bin(BinOp::And, ..)), "{ast}");
        let Ast::For(clean) = &**then else {
            panic!("one loop: {ast}");
        };
        // All but the one of the last row, side by side.
        let Ast::Block(list) = &clean.body else {
            panic!("statements: {ast}");
        };
        assert_eq!(list.len(), 59, "{ast}");
        assert!(Usual::of(clean).is_none());
        let never = AstOptions {
            separation: Separation::Never,
            ..AstOptions::default()
        };
        let plain = generate_with(&scop, &schedule, &never).unwrap().body;
        for params in [[0, 5], [1, 1], [2, 3], [3, 2], [4, 3], [5, 1], [9, 2]] {
            let order = run(&plain, &params, &[]);
            assert_eq!(run(&ast, &params, &[]), order, "{params:?}\n{ast}");
        }
    }
}
