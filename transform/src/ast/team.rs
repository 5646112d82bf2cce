//! One team of threads for a loop around parallel loops.
//!
//! A parallel loop inside a sequential one would fork and join in every step. Where all parallel loops inside are dealt in
//! equal parts, the outer loop becomes a [`ForKind::Team`] instead: threads are forked once and wait for each other.
//!
//! Whether that is worth it is decided before the loop, from the work of the parallel loops in its middle step (in the
//! middle of a triangle half of the work of its longest row is done); each parallel loop still decides for itself in each
//! step.

use super::expr;
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId};
use polytile_analysis::tree::Distribution;

/// Nodes of the condition of a parallel loop in its middle step.
const MAX_SIZE: usize = 1000;

/// The program with teams.
pub(super) fn joined(ast: Ast) -> Ast {
    match ast {
        Ast::Block(list) => Ast::Block(list.into_iter().map(joined).collect()),
        Ast::If { cond, then, els } => Ast::If {
            cond,
            then: Box::new(joined(*then)),
            els: els.map(|e| Box::new(joined(*e))),
        },
        Ast::For(mut l) if l.kind == ForKind::Sequential => {
            let mut found = Found::default();
            found.visit(&l.body, &mut vec![(l.iter, middle(&l))]);
            match (found.parallel, found.equal && found.small) {
                (0, _) => {}
                (_, true) => {
                    l.kind = ForKind::Team {
                        worth: found.worth(),
                    }
                }
                (_, false) => l.body = joined(l.body),
            }
            Ast::For(l)
        }
        other => other,
    }
}

/// When one of a program's parallel loops is worth its threads, over parameters; `None`: always, or there is none.
pub fn worth(ast: &Ast) -> Option<Expr> {
    let mut found = Found::default();
    found.visit(ast, &mut vec![]);
    found.worth().filter(|_| found.small)
}

/// The middle of a loop's range.
fn middle(l: &For) -> Expr {
    expr::bin(
        BinOp::FloorDiv,
        &expr::add(&l.lower, &l.upper),
        &Expr::Int(2),
    )
}

/// The parallel loops in a program.
struct Found {
    parallel: usize,
    /// All are dealt in equal parts.
    equal: bool,
    /// No condition is longer than [`MAX_SIZE`].
    small: bool,
    /// When each is worth its threads, in the middle of the loops around it; `None`: always.
    worths: Vec<Option<Expr>>,
}

impl Default for Found {
    fn default() -> Self {
        Found {
            parallel: 0,
            equal: true,
            small: true,
            worths: vec![],
        }
    }
}

impl Found {
    /// `middles`: the loops around, outermost first, each over parameters and the iterators before it.
    fn visit(&mut self, ast: &Ast, middles: &mut Vec<(IterId, Expr)>) {
        match ast {
            Ast::For(l) => {
                if let ForKind::Parallel {
                    distribution,
                    worth,
                    ..
                } = &l.kind
                {
                    self.parallel += 1;
                    self.equal &= *distribution == Distribution::Static;
                    let at_middle = |e: &Expr| {
                        let settled = middles.iter().rev();
                        settled.fold(e.clone(), |e, (iter, m)| {
                            expr::replace(&e, &|leaf| {
                                (*leaf == Expr::Iter(*iter)).then(|| m.clone())
                            })
                        })
                    };
                    let worth = worth.as_ref().map(at_middle);
                    self.small &= worth.as_ref().is_none_or(|w| expr::size(w) <= MAX_SIZE);
                    self.worths.push(worth);
                    return;
                }
                middles.push((l.iter, middle(l)));
                self.visit(&l.body, middles);
                middles.pop();
            }
            Ast::If { then, els, .. } => {
                self.visit(then, middles);
                els.iter().for_each(|e| self.visit(e, middles));
            }
            Ast::Block(list) => list.iter().for_each(|a| self.visit(a, middles)),
            Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => {}
        }
    }

    /// When one of the loops is worth it.
    fn worth(&self) -> Option<Expr> {
        let mut any: Option<Expr> = None;
        for w in &self.worths {
            let w = w.as_ref()?;
            any = Some(match any {
                None => w.clone(),
                Some(a) if a == *w => a,
                Some(a) => expr::bin(BinOp::Or, &a, w),
            });
        }
        any
    }
}
