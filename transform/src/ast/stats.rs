//! Counts of a generated program: how much code, how many tests at run time.

use super::expr::{any_leaf, operands};
use polytile_analysis::ast::{Ast, BinOp, Expr};

/// Iterations that a loop is taken to have.
const TRIPS: u64 = 8;

/// What a generated program consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Loops.
    pub loops: usize,
    /// Conditions.
    pub ifs: usize,
    /// Conditions inside loops, each weighted by [`TRIPS`] to the number of loops around it.
    pub if_cost: u64,
    /// Conditions inside loops that ask for more than remainders of iterators: loops of their own may do without those.
    pub limits: usize,
    /// Those of them in innermost loops, or in two loops and more.
    pub inner_limits: usize,
    /// Applications of minimum or maximum in bounds and conditions, a maximum of three operands counted twice.
    pub min_max: usize,
    /// Copies of statements.
    pub users: usize,
}

impl Stats {
    /// Of a program.
    pub fn of(ast: &Ast) -> Stats {
        let mut s = Stats::default();
        s.visit(ast, 0);
        s
    }

    fn visit(&mut self, ast: &Ast, depth: u32) {
        match ast {
            Ast::For(l) => {
                let before = (self.loops, self.limits, self.inner_limits);
                self.loops += 1;
                self.expr(&l.lower);
                self.expr(&l.upper);
                self.visit(&l.body, depth + 1);
                if self.loops == before.0 + 1 || depth > 0 {
                    self.inner_limits = before.2 + (self.limits - before.1);
                }
            }
            Ast::If { cond, then, els } => {
                self.ifs += 1;
                if depth > 0 {
                    self.if_cost = self.if_cost.saturating_add(TRIPS.saturating_pow(depth));
                    self.limits += usize::from(!asks_for_remainders(cond));
                }
                self.expr(cond);
                self.visit(then, depth);
                if let Some(e) = els {
                    self.visit(e, depth);
                }
            }
            Ast::Block(list) => list.iter().for_each(|a| self.visit(a, depth)),
            Ast::User(_) | Ast::MicroKernel(_) => self.users += 1,
            Ast::Pack(_) => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Bin(op @ (BinOp::Min | BinOp::Max), ..) => {
                let mut list = vec![];
                operands(*op, e, &mut list);
                self.min_max += list.len() - 1;
                list.iter().for_each(|e| self.expr(e));
            }
            Expr::Bin(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Neg(a) => self.expr(a),
            Expr::Select(c, a, b) => [c, a, b].into_iter().for_each(|e| self.expr(e)),
            Expr::Int(_) | Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => {}
        }
    }
}

/// Whether each comparison of a condition asks for a remainder that comes and goes with the iterations.
fn asks_for_remainders(cond: &Expr) -> bool {
    match cond {
        Expr::Bin(BinOp::And | BinOp::Or, a, b) => asks_for_remainders(a) && asks_for_remainders(b),
        Expr::Bin(BinOp::Eq | BinOp::Le | BinOp::Lt | BinOp::Ge | BinOp::Gt, a, b) => {
            is_remainder(a) || is_remainder(b)
        }
        _ => false,
    }
}

fn is_remainder(e: &Expr) -> bool {
    matches!(e, Expr::Bin(BinOp::PosRem | BinOp::ZeroRem, of, _) if any_leaf(of, &|leaf| matches!(leaf, Expr::Iter(_))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::ast::IterId;

    #[test]
    fn remainders_of_iterators_are_no_limits_of_loops() {
        let sum = Expr::bin(BinOp::Add, Expr::Iter(IterId(0)), Expr::Iter(IterId(1)));
        let rest = |by| Expr::bin(BinOp::PosRem, sum.clone(), Expr::Int(by));
        let some = |by| Expr::bin(BinOp::Ge, rest(by), Expr::Int(1));
        let all = Expr::bin(BinOp::And, some(7), some(11));
        assert!(asks_for_remainders(&all));
        let limit = Expr::bin(BinOp::Ge, sum.clone(), Expr::Int(1));
        assert!(!asks_for_remainders(&limit));
        assert!(!asks_for_remainders(&Expr::bin(BinOp::Or, all, limit)));
        let fixed = Expr::bin(BinOp::PosRem, Expr::Param(0usize.into()), Expr::Int(2));
        assert!(!asks_for_remainders(&Expr::bin(
            BinOp::Eq,
            fixed,
            Expr::Int(0)
        )));
    }
}
