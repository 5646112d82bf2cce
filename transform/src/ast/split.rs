//! Innermost loops without conditions: loop unswitching (Allen and Cocke 1972) and index-set splitting (Banerjee 1979;
//! Kelly, Pugh and Rosser 1995 call it overhead removal).
//!
//! Statements that share a loop but not its rim run under conditions. A condition in an innermost loop costs more than its
//! test: the loop has to be vectorized with masks, or not at all.
//!
//! ```text
//! for j = 0 .. m-1:  A(j);  if (i >= 1 && j >= 1 && j <= m-2)  B(j)
//!
//! if (i >= 1):  for j = 0 .. min(m-1, 0):            A(j)
//!               for j = max(0, 1) .. min(m-1, m-2):  A(j); B(j)
//!               for j = max(1, m-1) .. m-1:          A(j)
//! else:         for j = 0 .. m-1:                    A(j)
//! ```
//!
//! The iterations and their order stay what they are. A condition that is not a range of the iterator (`j % 2 == 0`) stays,
//! and so do those that would make too much code.

use super::{block, condition, expr};
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId, User};

/// Copies of statements that may come of one innermost loop, per statement in it.
const MAX_COPIES: usize = 6;

/// The same for one loop, in all.
const MAX_USERS: usize = 60;

/// So few iterations at the rim of a loop are not worth vectors.
const RIM: i64 = 3;

/// The program with its innermost loops unswitched and split. `fresh` gives iterators that nothing else uses.
pub(super) fn innermost(ast: Ast, fresh: &mut dyn FnMut() -> IterId) -> Ast {
    match ast {
        Ast::Block(list) => block(list.into_iter().map(|a| innermost(a, fresh)).collect()),
        Ast::If { cond, then, els } => Ast::If {
            cond,
            then: Box::new(innermost(*then, fresh)),
            els: els.map(|e| Box::new(innermost(*e, fresh))),
        },
        Ast::For(mut l) => match is_split(&l) {
            true => {
                let users = users(&l.body);
                let mut most = (MAX_COPIES * users).min(MAX_USERS.max(users)) - users;
                split(*l, &mut most, fresh)
            }
            false if keeps_form(&l) => Ast::For(l),
            false => {
                l.body = innermost(l.body, fresh);
                Ast::For(l)
            }
        },
        other => other,
    }
}

/// Loops whose inner loops are emitted together with them, as they are.
fn keeps_form(l: &For) -> bool {
    match &l.kind {
        ForKind::Diagonal { .. } => true,
        ForKind::Lanes { panels, .. } => !panels.is_empty(),
        _ => false,
    }
}

/// Whether a loop is innermost, or has lanes, and counts its iterations one by one.
fn is_split(l: &For) -> bool {
    let kind = match l.kind {
        ForKind::Sequential
        | ForKind::Vector
        | ForKind::ShortVector { .. }
        | ForKind::Strips { .. } => l.body.has_no_loop(),
        ForKind::Lanes { .. } => !keeps_form(l) && asks_for(&l.body, l.iter),
        _ => false,
    };
    kind && l.step == Expr::Int(1) && l.anchor.is_none()
}

/// Whether a condition depends on an iterator: it is not the same in all lanes.
fn asks_for(ast: &Ast, iter: IterId) -> bool {
    let mut conditions = vec![];
    find(ast, &mut conditions);
    conditions.iter().any(|c| expr::mentions(c, iter))
}

/// How many instances of statements a program is made of.
pub(super) fn users(ast: &Ast) -> usize {
    ast.users().len()
}

/// The iterations in which a condition holds.
#[derive(Default)]
pub(super) struct Range {
    /// What does not depend on the iteration.
    outside: Vec<Expr>,
    /// All of these or more.
    pub(super) least: Vec<Expr>,
    /// All of these or less.
    pub(super) most: Vec<Expr>,
}

impl Range {
    /// Of a condition on `iter`; `None` if it is not a range.
    pub(super) fn of(cond: &Expr, iter: IterId) -> Option<Range> {
        let mut range = Range::default();
        let mut parts = vec![];
        expr::operands(BinOp::And, cond, &mut parts);
        for part in parts {
            range.add(part, iter)?;
        }
        Some(range)
    }

    fn add(&mut self, cond: Expr, iter: IterId) -> Option<()> {
        if !expr::mentions(&cond, iter) {
            self.outside.push(cond);
            return Some(());
        }
        let Expr::Bin(op, a, b) = &cond else {
            return None;
        };
        let (greater, lesser, apart) = match op {
            BinOp::Ge | BinOp::Eq => (a, b, 0),
            BinOp::Gt => (a, b, 1),
            BinOp::Le => (b, a, 0),
            BinOp::Lt => (b, a, 1),
            _ => return None,
        };
        let distance = expr::sub(&expr::sub(greater, lesser), &Expr::Int(apart));
        let (c, rest) = expr::coefficient(&distance, iter)?;
        match (c, op) {
            (1 | -1, BinOp::Eq) => {
                let at = if c == 1 { expr::neg(&rest) } else { rest };
                self.least.push(at.clone());
                self.most.push(at);
            }
            (1, _) => self.least.push(expr::neg(&rest)),
            (-1, _) => self.most.push(rest),
            _ => return None,
        }
        Some(())
    }
}

/// The loop without conditions in it, as far as `most` further copies of statements allow.
fn split(l: For, most: &mut usize, fresh: &mut dyn FnMut() -> IterId) -> Ast {
    let mut conditions = vec![];
    find(&l.body, &mut conditions);
    let found =
        (conditions.iter()).find_map(|cond| Pieces::of(&l, cond).filter(|p| p.more <= *most));
    let Some(pieces) = found else {
        return Ast::For(Box::new(l));
    };
    *most -= pieces.more;
    let mut all = |list: Vec<For>| {
        let parts = list.into_iter().filter(|l| users(&l.body) > 0);
        let parts = parts.map(|l| split(freshened_loop(l, fresh), most, fresh));
        block(parts.collect())
    };
    let inside = all(pieces.inside);
    condition(pieces.outside, inside, Some(all(pieces.elsewhere)))
}

/// A loop in parts, in each of which a condition holds everywhere or nowhere.
struct Pieces {
    /// The part of the condition that does not depend on the iteration.
    outside: Expr,
    /// The loops where it holds, one after the other.
    inside: Vec<For>,
    /// The loops where it does not: none, or one.
    elsewhere: Vec<For>,
    /// How many copies of statements there are more.
    more: usize,
}

impl Pieces {
    /// For a condition in the body; `None` where it is no range of the iterator.
    fn of(l: &For, cond: &Expr) -> Option<Pieces> {
        let range = Range::of(cond, l.iter)?;
        let with = decided(&l.body, cond, true);
        let without = decided(&l.body, cond, false);
        let greatest = |list: &[Expr]| list.iter().fold(l.lower.clone(), |a, b| expr::max(&a, b));
        let least = |list: &[Expr]| list.iter().fold(l.upper.clone(), |a, b| expr::min(&a, b));
        let first = greatest(&range.least);
        let mut inside = vec![];
        if let Some(from) = range.least.iter().cloned().reduce(|a, b| expr::max(&a, &b)) {
            let last = expr::sub(&from, &Expr::Int(1));
            inside.push(part(l, l.lower.clone(), least(&[last]), &without));
        }
        inside.push(part(l, first.clone(), least(&range.most), &with));
        if let Some(to) = range.most.iter().cloned().reduce(|a, b| expr::min(&a, &b)) {
            let behind = expr::add(&to, &Expr::Int(1));
            let behind = expr::max(&first, &behind);
            inside.push(part(l, behind, l.upper.clone(), &without));
        }
        let outside = expr::all(&range.outside);
        let elsewhere = match expr::as_int(&outside) {
            Some(_) => vec![],
            None => vec![part(l, l.lower.clone(), l.upper.clone(), &without)],
        };
        let copies: usize = inside
            .iter()
            .chain(&elsewhere)
            .map(|l| users(&l.body))
            .sum();
        Some(Pieces {
            outside,
            inside,
            elsewhere,
            more: copies.saturating_sub(users(&l.body)),
        })
    }
}

/// A part of a loop's iterations, with another body.
fn part(l: &For, lower: Expr, upper: Expr, body: &Ast) -> For {
    let kind = match is_rim(&lower, &upper) {
        true => ForKind::Sequential,
        false => l.kind.clone(),
    };
    For {
        lower,
        upper,
        kind,
        body: body.clone(),
        ..l.clone()
    }
}

/// Whether there are few iterations, whatever the parameters are.
fn is_rim(lower: &Expr, upper: &Expr) -> bool {
    let (mut least, mut most) = (vec![], vec![]);
    expr::operands(BinOp::Max, lower, &mut least);
    expr::operands(BinOp::Min, upper, &mut most);
    let few = |a: &Expr, b: &Expr| expr::difference(b, a).is_some_and(|d| d < RIM);
    least.iter().any(|a| most.iter().any(|b| few(a, b)))
}

/// The conditions in a body, outer ones first.
fn find(ast: &Ast, found: &mut Vec<Expr>) {
    match ast {
        Ast::Block(list) => list.iter().for_each(|a| find(a, found)),
        Ast::If { cond, then, els } => {
            found.extend((!found.contains(cond)).then(|| cond.clone()));
            find(then, found);
            els.iter().for_each(|e| find(e, found));
        }
        Ast::User(_) | Ast::For(_) | Ast::MicroKernel(_) | Ast::Pack(_) => {}
    }
}

/// The body where a condition holds, or where it does not.
pub(super) fn decided(body: &Ast, cond: &Expr, holds: bool) -> Ast {
    match body {
        Ast::Block(list) => block(list.iter().map(|a| decided(a, cond, holds)).collect()),
        Ast::If {
            cond: own,
            then,
            els,
        } => {
            let then = decided(then, cond, holds);
            let els = els.as_ref().map(|e| decided(e, cond, holds));
            condition(known(own, cond, holds), then, els)
        }
        Ast::For(l) => match decided(&l.body, cond, holds) {
            body if users(&body) == 0 => block(vec![]),
            body => Ast::For(Box::new(For {
                body,
                ..(**l).clone()
            })),
        },
        other => other.clone(),
    }
}

/// What is left of a conjunction where another one holds, or does not.
fn known(own: &Expr, cond: &Expr, holds: bool) -> Expr {
    let (mut parts, mut given) = (vec![], vec![]);
    expr::operands(BinOp::And, own, &mut parts);
    expr::operands(BinOp::And, cond, &mut given);
    if holds {
        parts.retain(|p| !given.contains(p));
        return expr::all(&parts);
    }
    match given.iter().all(|g| parts.contains(g)) {
        true => Expr::Int(0),
        false => own.clone(),
    }
}

/// A copy with iterators of its own.
pub(super) fn freshened(ast: &Ast, fresh: &mut dyn FnMut() -> IterId) -> Ast {
    match ast {
        Ast::Block(list) => Ast::Block(list.iter().map(|a| freshened(a, fresh)).collect()),
        Ast::If { cond, then, els } => Ast::If {
            cond: cond.clone(),
            then: Box::new(freshened(then, fresh)),
            els: els.as_ref().map(|e| Box::new(freshened(e, fresh))),
        },
        Ast::For(l) => Ast::For(Box::new(freshened_loop((**l).clone(), fresh))),
        other => other.clone(),
    }
}

/// The same loop with iterators of its own, also of the loops inside.
fn freshened_loop(l: For, fresh: &mut dyn FnMut() -> IterId) -> For {
    let mut own = renamed(l, fresh());
    own.body = freshened(&own.body, fresh);
    own
}

/// The same loop with an iterator of its own.
fn renamed(l: For, iter: IterId) -> For {
    let leaf = |e: &Expr| (*e == Expr::Iter(l.iter)).then_some(Expr::Iter(iter));
    For {
        iter,
        body: replaced(&l.body, &|e| expr::replace(e, &leaf)),
        ..l
    }
}

/// A program of plain loops with its expressions replaced.
pub(super) fn replaced(ast: &Ast, with: &dyn Fn(&Expr) -> Expr) -> Ast {
    match ast {
        Ast::Block(list) => Ast::Block(list.iter().map(|a| replaced(a, with)).collect()),
        Ast::If { cond, then, els } => condition(
            with(cond),
            replaced(then, with),
            els.as_ref().map(|e| replaced(e, with)),
        ),
        Ast::User(u) => Ast::User(User {
            stmt: u.stmt,
            args: u.args.iter().map(with).collect(),
        }),
        Ast::For(l) => Ast::For(Box::new(For {
            lower: with(&l.lower),
            upper: with(&l.upper),
            step: with(&l.step),
            anchor: l.anchor.as_ref().map(with),
            body: replaced(&l.body, with),
            ..(**l).clone()
        })),
        Ast::MicroKernel(_) | Ast::Pack(_) => ast.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::stats::Stats;
    use crate::ast::{AstOptions, Separation, generate, generate_with};
    use crate::testing::{bare_scop, flat_schedule, instances, run};
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::scop::Scop;
    use polytile_analysis::tree::Schedule;

    /// Statements of a plane, and others inside of its rim, in the same loops.
    fn rim(ctx: &Ctx) -> (Scop, Schedule) {
        let plane = "0 <= i < n and 0 <= j < m }";
        let inside = "1 <= i < n - 1 and 1 <= j < m - 1 }";
        let domains = [plane, plane, inside, plane, inside];
        let domains: Vec<String> = (0..)
            .zip(domains)
            .map(|(s, d)| format!("{{ S{s}[i, j] : {d}"))
            .collect();
        let text: Vec<(&str, &str)> = domains.iter().map(|d| (d.as_str(), "0 0 0")).collect();
        let scop = bare_scop(ctx, "n m", "{ : }", &text);
        let rows: Vec<String> = (0..5)
            .map(|s| format!("S{s}[i, j] -> [i, j, {s}]"))
            .collect();
        let schedule = flat_schedule(&scop, &format!("{{ {} }}", rows.join("; ")));
        (scop, schedule)
    }

    #[test]
    fn the_rim_of_a_plane_is_split_off() {
        let ctx = Ctx::new();
        let (scop, schedule) = rim(&ctx);
        let ast = generate(&scop, &schedule).unwrap();
        let stats = Stats::of(&ast);
        // Rows at the rim; left, inside and right of the others.
        assert_eq!((stats.ifs, stats.users), (1, 3 + 3 + 5 + 3), "{ast}");
        for params in [[0, 5], [1, 1], [2, 3], [3, 2], [3, 3], [6, 4]] {
            let mut got = run(&ast, &params, &[]);
            let never = AstOptions {
                separation: Separation::Never,
                ..AstOptions::default()
            };
            let plain = generate_with(&scop, &schedule, &never).unwrap().body;
            assert_eq!(got, run(&plain, &params, &[]), "order of {params:?}\n{ast}");
            got.sort();
            assert_eq!(got, instances(&scop, &params), "{params:?}\n{ast}");
        }
    }

    #[test]
    fn what_is_no_range_of_the_iterator_stays() {
        let ctx = Ctx::new();
        let all = "{ S0[i] : 0 <= i < n }";
        let even = "{ S1[i] : 0 <= i < n and exists (k : i = 2k) }";
        let scop = bare_scop(&ctx, "n", "{ : }", &[(all, "0 0"), (even, "0 0")]);
        let schedule = flat_schedule(&scop, "{ S0[i] -> [i, 0]; S1[i] -> [i, 1] }");
        let never = AstOptions {
            separation: Separation::Never,
            ..AstOptions::default()
        };
        let plain = generate_with(&scop, &schedule, &never).unwrap().body;
        let mut fresh = || unreachable!("nothing is split");
        assert_eq!(super::innermost(plain.clone(), &mut fresh), plain);
    }
}
