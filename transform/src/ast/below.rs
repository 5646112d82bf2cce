//! What an emitted bound says, read back from the expression: [`below`].
//!
//! A check of generated code must not rest on the computation that led to it. So the values below a bound are computed
//! from the bound as it is emitted, operation by operation:
//!
//! ```text
//! k < min(a, b)             k < a and k < b
//! k < max(a, b)             k < a or k < b
//! k < (c ? a : b)           c and k < a, or not c and k < b
//! ```

use super::scope::Scope;
use polytile_analysis::ast::{BinOp, Expr};
use polytile_analysis::poly::{self, Ctx, Set};
use std::collections::BTreeSet;

/// `{ [k] : k < bound }` over the names of a place; `None` if the bound is not of a known form.
pub(super) fn below(bound: &Expr, scope: &Scope) -> poly::Result<Option<Set>> {
    let mut names: BTreeSet<String> = scope.names().into_iter().map(String::from).collect();
    let mut note = |e: &Expr| {
        leaves(e, &mut |leaf| {
            names.insert(name(leaf, scope));
        });
    };
    note(bound);
    scope.values().for_each(|(_, e)| note(e));
    let place = Place {
        ctx: scope.context.ctx(),
        scope,
        names: names.into_iter().collect::<Vec<_>>().join(", "),
    };
    let Some(mut found) = place.below(bound)? else {
        return Ok(None);
    };
    // Names that stand for sums of iterators.
    for (name, e) in scope.values().filter(|(_, e)| matches!(e, Expr::Bin(..))) {
        if let Some(value) = place.text(e) {
            found = found.intersect(&place.set(&format!("{name} = {value}"))?)?;
        }
    }
    Ok(Some(found))
}

/// Iterators, parameters and sizes of an expression.
fn leaves(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
    match e {
        Expr::Int(_) => {}
        Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => visit(e),
        Expr::Neg(a) => leaves(a, visit),
        Expr::Bin(_, a, b) => [a, b].into_iter().for_each(|x| leaves(x, visit)),
        Expr::Select(c, a, b) => [c, a, b].into_iter().for_each(|x| leaves(x, visit)),
    }
}

/// The name of an iterator, a parameter or a size: that of the place, or one of its own.
fn name(leaf: &Expr, scope: &Scope) -> String {
    let own = || format!("{}_of_{leaf}", scope.prefix);
    scope.name_of(leaf).map_or_else(own, String::from)
}

struct Place<'a> {
    ctx: &'a Ctx,
    scope: &'a Scope,
    /// Of all parameters, separated by commas.
    names: String,
}

impl Place<'_> {
    fn below(&self, e: &Expr) -> poly::Result<Option<Set>> {
        let both = |a: &Expr, b: &Expr| Ok((self.below(a)?, self.below(b)?));
        match e {
            Expr::Bin(BinOp::Min, a, b) => match both(a, b)? {
                (Some(a), Some(b)) => a.intersect(&b).map(Some),
                _ => Ok(None),
            },
            Expr::Bin(BinOp::Max, a, b) => match both(a, b)? {
                (Some(a), Some(b)) => a.union(&b).map(Some),
                _ => Ok(None),
            },
            Expr::Select(c, a, b) => match (self.holds(c)?, both(a, b)?) {
                (Some(c), (Some(a), Some(b))) => {
                    let then = a.intersect(&c)?;
                    then.union(&b.subtract(&c)?).map(Some)
                }
                _ => Ok(None),
            },
            _ => match self.text(e) {
                Some(text) => self.set(&format!("k < {text}")).map(Some),
                None => Ok(None),
            },
        }
    }

    /// Where a condition holds.
    fn holds(&self, c: &Expr) -> poly::Result<Option<Set>> {
        let comparison = |a: &Expr, op: &str, b: &Expr| match (self.text(a), self.text(b)) {
            (Some(a), Some(b)) => self.set(&format!("{a} {op} {b}")).map(Some),
            _ => Ok(None),
        };
        match c {
            Expr::Int(0) => self.set("false").map(Some),
            Expr::Int(_) => self.set("true").map(Some),
            Expr::Bin(BinOp::And, a, b) => match (self.holds(a)?, self.holds(b)?) {
                (Some(a), Some(b)) => a.intersect(&b).map(Some),
                _ => Ok(None),
            },
            Expr::Bin(BinOp::Eq, a, b) => comparison(a, "=", b),
            Expr::Bin(BinOp::Le, a, b) => comparison(a, "<=", b),
            Expr::Bin(BinOp::Lt, a, b) => comparison(a, "<", b),
            Expr::Bin(BinOp::Ge, a, b) => comparison(a, ">=", b),
            Expr::Bin(BinOp::Gt, a, b) => comparison(a, ">", b),
            _ => Ok(None),
        }
    }

    fn set(&self, condition: &str) -> poly::Result<Set> {
        Set::parse(
            self.ctx,
            &format!("[{}] -> {{ [k] : {condition} }}", self.names),
        )
    }

    /// An affine expression in isl's notation.
    fn text(&self, e: &Expr) -> Option<String> {
        Some(match e {
            Expr::Int(i) => format!("({i})"),
            Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => name(e, self.scope),
            Expr::Neg(a) => format!("(-{})", self.text(a)?),
            Expr::Bin(BinOp::Add, a, b) => format!("({} + {})", self.text(a)?, self.text(b)?),
            Expr::Bin(BinOp::Sub, a, b) => format!("({} - {})", self.text(a)?, self.text(b)?),
            Expr::Bin(BinOp::Min, a, b) => format!("min({}, {})", self.text(a)?, self.text(b)?),
            Expr::Bin(BinOp::Max, a, b) => format!("max({}, {})", self.text(a)?, self.text(b)?),
            Expr::Bin(BinOp::Mul, a, b) => match (&**a, &**b) {
                (Expr::Int(c), x) | (x, Expr::Int(c)) => format!("({c} * {})", self.text(x)?),
                _ => return None,
            },
            Expr::Bin(BinOp::FloorDiv, a, b) => match **b {
                Expr::Int(c) if c > 0 => format!("(floor({}/{c}))", self.text(a)?),
                _ => return None,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::expr;
    use crate::testing::sample;
    use polytile_analysis::tree::original;

    #[test]
    fn bounds_mean_what_they_compute() {
        let ctx = Ctx::new();
        let scop = sample(&ctx, "cholesky");
        let scope = Scope::new(&scop, &original(&scop).unwrap()).unwrap();
        let n = scope.value("n");
        let half = expr::bin(BinOp::FloorDiv, &n, &Expr::Int(2));
        let large = expr::bin(BinOp::Ge, &n, &Expr::Int(10));
        let some = expr::all(&[large, expr::bin(BinOp::Le, &n, &Expr::Int(20))]);
        let choice = expr::select(&some, &expr::min(&half, &Expr::Int(7)), &expr::neg(&n));
        for (bound, expected) in [
            (&half, "2k <= n - 2"),
            (&expr::max(&half, &Expr::Int(3)), "2k <= n - 2 or k < 3"),
            (
                &choice,
                "(10 <= n <= 20 and k < 7 and 2k <= n - 2) or ((n < 10 or n > 20) and k < -n)",
            ),
        ] {
            let found = below(bound, &scope).unwrap().unwrap();
            let expected = Set::parse(&ctx, &format!("[n] -> {{ [k] : {expected} }}")).unwrap();
            assert!(found.is_equal(&expected).unwrap(), "{bound}: {found}");
        }
        let product = expr::bin(BinOp::Mul, &n, &n);
        assert!(below(&product, &scope).unwrap().is_none());
    }
}
