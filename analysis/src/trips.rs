//! How often a loop runs, as far as its bounds tell by themselves.
//!
//! ```text
//! for (c = x; c <= x; ..)                                 once
//! for (c = max(x + 1, y); c <= min(z, x + 7); ..)         7 times at most, whatever x, y and z are
//! ```

use crate::ast::{BinOp, Expr, For};

impl For {
    /// Whether the only iteration is the lower bound.
    pub fn runs_once(&self) -> bool {
        let lies_there = self.anchor.as_ref().is_none_or(|a| *a == self.lower);
        self.lower == self.upper && lies_there
    }

    /// No more iterations than this; `None` if the bounds do not tell.
    pub fn most_trips(&self) -> Option<i64> {
        let Expr::Int(step) = self.step else {
            return None;
        };
        let (mut begins, mut ends) = (vec![], vec![]);
        operands(BinOp::Max, &self.lower, &mut begins);
        operands(BinOp::Min, &self.upper, &mut ends);
        let distances = ends
            .iter()
            .flat_map(|e| begins.iter().filter_map(|b| distance(b, e)));
        let least = distances.min()?;
        Some(if least < 0 { 0 } else { least / step + 1 })
    }
}

/// The expressions whose greatest, or least, this one is.
fn operands<'e>(op: BinOp, e: &'e Expr, found: &mut Vec<&'e Expr>) {
    match e {
        Expr::Bin(o, a, b) if *o == op => {
            operands(op, a, found);
            operands(op, b, found);
        }
        other => found.push(other),
    }
}

/// `to - from`, if both are the same but for a constant.
fn distance(from: &Expr, to: &Expr) -> Option<i64> {
    let ((a, n), (b, m)) = (parts(from), parts(to));
    (a == b).then(|| m.checked_sub(n)).flatten()
}

/// An expression as a sum of something and a constant.
fn parts(e: &Expr) -> (Option<&Expr>, i64) {
    match e {
        Expr::Int(n) => (None, *n),
        Expr::Bin(BinOp::Add, a, b) => match (&**a, &**b) {
            (x, Expr::Int(n)) | (Expr::Int(n), x) => (Some(x), *n),
            _ => (Some(e), 0),
        },
        Expr::Bin(BinOp::Sub, a, b) => match (**b).clone() {
            Expr::Int(n) if n != i64::MIN => (Some(a), -n),
            _ => (Some(e), 0),
        },
        _ => (Some(e), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Ast, ForKind, IterId};

    fn for_loop(lower: Expr, upper: Expr, step: i64) -> For {
        For {
            iter: IterId(9),
            lower,
            upper,
            step: Expr::Int(step),
            anchor: None,
            kind: ForKind::Sequential,
            body: Ast::Block(vec![]),
        }
    }

    fn iter(n: u32, more: i64) -> Expr {
        Expr::bin(BinOp::Add, Expr::Iter(IterId(n)), Expr::Int(more))
    }

    #[test]
    fn bounds_that_are_the_same_are_one_iteration() {
        let mut l = for_loop(iter(0, 1), iter(0, 1), 1);
        assert!(l.runs_once());
        assert_eq!(l.most_trips(), Some(1));
        l.anchor = Some(Expr::Int(0));
        assert!(!l.runs_once());
        assert!(!for_loop(iter(0, 1), iter(0, 2), 1).runs_once());
    }

    #[test]
    fn the_nearest_bounds_tell_how_many_iterations_there_are() {
        let lower = Expr::bin(BinOp::Max, iter(0, 1), iter(1, 0));
        let upper = Expr::bin(BinOp::Min, iter(2, 0), iter(0, 7));
        assert_eq!(
            for_loop(lower.clone(), upper.clone(), 1).most_trips(),
            Some(7)
        );
        assert_eq!(for_loop(lower, upper, 4).most_trips(), Some(2));
        assert_eq!(
            for_loop(Expr::Int(3), Expr::Int(2), 1).most_trips(),
            Some(0)
        );
        assert_eq!(for_loop(Expr::Int(0), iter(0, 7), 1).most_trips(), None);
    }
}
