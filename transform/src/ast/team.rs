//! One team of threads for a loop around parallel loops, and for parallel loops that follow each other.
//!
//! A parallel loop inside a sequential one would fork and join in every step. So the outer loop becomes a
//! [`ForKind::Team`] instead: threads are forked once and wait for each other. Neighbours at the outermost level share a
//! fork in the same way: they become the body of a loop of one step, with the short parts between them.
//!
//! ```text
//! parallel i: A;  for j: B;  for t: parallel i: C        ->      team once: { parallel i: A; for j: B; for t: parallel i: C }
//! ```
//!
//! Whether that is worth it is decided before the loop, from the work of the parallel loops in its middle step (in the
//! middle of a triangle half of the work of its longest row is done); each parallel loop still decides for itself in each
//! step.

use super::expr;
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId};

/// Nodes of the condition of a parallel loop in its middle step.
const MAX_SIZE: usize = 1000;

/// The program with teams. `fresh` gives iterators that nothing else uses.
pub(super) fn joined(ast: Ast, fresh: &mut dyn FnMut() -> IterId) -> Ast {
    match ast {
        Ast::Block(list) => Ast::Block(regions(list, fresh)),
        Ast::If { cond, then, els } => Ast::If {
            cond,
            then: Box::new(joined(*then, fresh)),
            els: els.map(|e| Box::new(joined(*e, fresh))),
        },
        Ast::For(l) if l.kind.is_pipelined() => region(vec![Ast::For(l)], fresh).remove(0),
        Ast::For(mut l) if l.kind == ForKind::Sequential => {
            let mut found = Found::default();
            found.visit(&l.body, &mut vec![(l.iter, middle(&l))]);
            match (found.parallel, found.small) {
                (0, _) => {}
                (_, true) => {
                    l.kind = ForKind::Team {
                        worth: found.worth(),
                    }
                }
                (_, false) => l.body = joined(l.body, fresh),
            }
            Ast::For(l)
        }
        other => other,
    }
}

/// Neighbours with parallel loops, and what lies between them, as one region each.
fn regions(list: Vec<Ast>, fresh: &mut dyn FnMut() -> IterId) -> Vec<Ast> {
    let mut done = vec![];
    let mut run: Vec<Ast> = vec![];
    for ast in list {
        let mut found = Found::default();
        found.visit(&ast, &mut vec![]);
        let joins = match found.parallel {
            0 => short(&ast) && !run.is_empty(),
            _ => found.small,
        };
        if joins {
            run.push(ast);
        } else {
            done.extend(region(std::mem::take(&mut run), fresh));
            done.push(joined(ast, fresh));
        }
    }
    done.extend(region(run, fresh));
    done
}

/// A list of neighbours as one region, if at least two have parallel loops.
fn region(mut run: Vec<Ast>, fresh: &mut dyn FnMut() -> IterId) -> Vec<Ast> {
    let last = run
        .iter()
        .rposition(Ast::has_parallel_loop)
        .map_or(0, |at| at + 1);
    let rest = run.split_off(last);
    let alone = match &run[..] {
        [Ast::For(l)] => !l.kind.is_pipelined(),
        _ => run.iter().filter(|a| a.has_parallel_loop()).count() < 2,
    };
    if alone {
        return run
            .into_iter()
            .map(|a| joined(a, fresh))
            .chain(rest)
            .collect();
    }
    let body = Ast::Block(run);
    let mut found = Found::default();
    found.visit(&body, &mut vec![]);
    let once = For {
        iter: fresh(),
        lower: Expr::Int(0),
        upper: Expr::Int(0),
        step: Expr::Int(1),
        anchor: None,
        kind: ForKind::Team {
            worth: found.worth(),
        },
        body,
    };
    std::iter::once(Ast::For(Box::new(once)))
        .chain(rest)
        .collect()
}

/// Whether one thread may do it while the others wait: at most one loop deep.
fn short(ast: &Ast) -> bool {
    fn depth(ast: &Ast) -> usize {
        match ast {
            Ast::For(l) => 1 + depth(&l.body),
            Ast::Block(list) => list.iter().map(depth).max().unwrap_or(0),
            Ast::If { then, els, .. } => depth(then).max(els.as_ref().map_or(0, |e| depth(e))),
            Ast::User(_) | Ast::Pack(_) => 0,
            Ast::MicroKernel(_) => 2,
        }
    }
    depth(ast) <= 1
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
    /// No condition is longer than [`MAX_SIZE`].
    small: bool,
    /// When each is worth its threads, in the middle of the loops around it; `None`: always.
    worths: Vec<Option<Expr>>,
}

impl Default for Found {
    fn default() -> Self {
        Found {
            parallel: 0,
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
                if let ForKind::Parallel { worth, .. } = &l.kind {
                    self.parallel += 1;
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
