//! Counts of a generated program: how much code, how many tests at run time.

use super::expr::operands;
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
                self.loops += 1;
                self.expr(&l.lower);
                self.expr(&l.upper);
                self.visit(&l.body, depth + 1);
            }
            Ast::If { cond, then, els } => {
                self.ifs += 1;
                if depth > 0 {
                    self.if_cost = self.if_cost.saturating_add(TRIPS.saturating_pow(depth));
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
