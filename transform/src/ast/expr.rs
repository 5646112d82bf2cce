//! Arithmetic on [`Expr`]: constructors that simplify, substitution, evaluation.
//!
//! Sums are kept in a linear normal form (constant plus coefficients of non-linear *atoms*), so that `(s + I) - 1` and
//! `I + s - 1` come out alike and differences such as `(i + 3) - i` are seen to be constants. Nothing here relies on
//! wrapping: all values that occur are far from the limits of 64 bits (the guard bounds the parameters).

use polytile_analysis::ast::{BinOp, Expr, IterId};

/// A sum: constant plus coefficient times atom, in order of first appearance.
#[derive(Clone, Debug, PartialEq)]
struct Linear {
    constant: i64,
    terms: Vec<(Expr, i64)>,
}

impl Linear {
    fn constant(c: i64) -> Linear {
        Linear {
            constant: c,
            terms: vec![],
        }
    }

    fn atom(e: &Expr) -> Linear {
        Linear {
            constant: 0,
            terms: vec![(e.clone(), 1)],
        }
    }

    fn add_scaled(&mut self, other: &Linear, factor: i64) -> Option<()> {
        let scaled = other.constant.checked_mul(factor)?;
        self.constant = self.constant.checked_add(scaled)?;
        for (atom, c) in &other.terms {
            let c = c.checked_mul(factor)?;
            match self.terms.iter_mut().find(|(a, _)| a == atom) {
                Some((_, have)) => *have = have.checked_add(c)?,
                None => self.terms.push((atom.clone(), c)),
            }
        }
        self.terms.retain(|(_, c)| *c != 0);
        Some(())
    }

    fn of(e: &Expr) -> Option<Linear> {
        let sum = |a: &Expr, b: &Expr, factor: i64| {
            let mut l = Linear::of(a)?;
            l.add_scaled(&Linear::of(b)?, factor)?;
            Some(l)
        };
        match e {
            Expr::Int(c) => Some(Linear::constant(*c)),
            Expr::Neg(a) => sum(&Expr::Int(0), a, -1),
            Expr::Bin(BinOp::Add, a, b) => sum(a, b, 1),
            Expr::Bin(BinOp::Sub, a, b) => sum(a, b, -1),
            Expr::Bin(BinOp::Mul, a, b) => match (&**a, &**b) {
                (Expr::Int(c), x) | (x, Expr::Int(c)) => sum(&Expr::Int(0), x, *c),
                _ => Some(Linear::atom(e)),
            },
            _ => Some(Linear::atom(e)),
        }
    }

    /// As an expression: positive terms first, then the constant and what is subtracted.
    fn build(self) -> Expr {
        let scaled = |atom: Expr, c: i64| match c {
            1 => atom,
            _ => Expr::bin(BinOp::Mul, Expr::Int(c), atom),
        };
        let mut acc: Option<Expr> = None;
        let mut minus = vec![];
        for (atom, c) in self.terms {
            if c < 0 && c != i64::MIN {
                minus.push(scaled(atom, -c));
                continue;
            }
            let term = scaled(atom, c);
            acc = Some(match acc {
                None => term,
                Some(a) => Expr::bin(BinOp::Add, a, term),
            });
        }
        let mut constant = self.constant;
        if acc.is_none() && (constant != 0 || minus.is_empty()) {
            acc = Some(Expr::Int(std::mem::take(&mut constant)));
        }
        for term in minus {
            acc = Some(match acc {
                None => Expr::Neg(Box::new(term)),
                Some(a) => Expr::bin(BinOp::Sub, a, term),
            });
        }
        let acc = acc.expect("a sum has a term or a constant");
        match constant {
            0 => acc,
            c if c < 0 && c != i64::MIN => Expr::bin(BinOp::Sub, acc, Expr::Int(-c)),
            c => Expr::bin(BinOp::Add, acc, Expr::Int(c)),
        }
    }
}

/// `a + factor * b` in normal form.
fn linear(a: &Expr, b: &Expr, factor: i64) -> Option<Expr> {
    let mut l = Linear::of(a)?;
    l.add_scaled(&Linear::of(b)?, factor)?;
    Some(l.build())
}

/// `a + b`.
pub fn add(a: &Expr, b: &Expr) -> Expr {
    linear(a, b, 1).unwrap_or_else(|| Expr::bin(BinOp::Add, a.clone(), b.clone()))
}

/// `a - b`.
pub fn sub(a: &Expr, b: &Expr) -> Expr {
    linear(a, b, -1).unwrap_or_else(|| Expr::bin(BinOp::Sub, a.clone(), b.clone()))
}

/// `-a`.
pub fn neg(a: &Expr) -> Expr {
    linear(&Expr::Int(0), a, -1).unwrap_or_else(|| Expr::Neg(Box::new(a.clone())))
}

/// `a * b`; a constant factor is distributed over sums.
pub fn mul(a: &Expr, b: &Expr) -> Expr {
    match (as_int(a), as_int(b)) {
        (Some(c), _) => linear(&Expr::Int(0), b, c),
        (_, Some(c)) => linear(&Expr::Int(0), a, c),
        _ => None,
    }
    .unwrap_or_else(|| Expr::bin(BinOp::Mul, a.clone(), b.clone()))
}

/// The constant that an expression is, if it is one.
pub fn as_int(e: &Expr) -> Option<i64> {
    match e {
        Expr::Int(c) => Some(*c),
        _ => None,
    }
}

/// The constant `a - b`, if it is one by normal form.
pub fn difference(a: &Expr, b: &Expr) -> Option<i64> {
    let mut l = Linear::of(a)?;
    l.add_scaled(&Linear::of(b)?, -1)?;
    l.terms.is_empty().then_some(l.constant)
}

/// `e` as `c * iter + rest`; `None` where the iterator occurs in any other way.
pub fn coefficient(e: &Expr, iter: IterId) -> Option<(i64, Expr)> {
    let mut l = Linear::of(e)?;
    let at = (l.terms.iter()).position(|(atom, _)| *atom == Expr::Iter(iter));
    let c = at.map_or(0, |at| l.terms.remove(at).1);
    let free = !l.terms.iter().any(|(atom, _)| mentions(atom, iter));
    free.then(|| (c, l.build()))
}

/// Whether both are the same by normal form.
pub fn same(a: &Expr, b: &Expr) -> bool {
    a == b || difference(a, b) == Some(0)
}

/// An operation, simplified.
pub fn bin(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    match op {
        BinOp::Add => add(a, b),
        BinOp::Sub => sub(a, b),
        BinOp::Mul => mul(a, b),
        BinOp::Min | BinOp::Max => extremum(op, a, b),
        BinOp::And | BinOp::Or => logic(op, a, b),
        BinOp::Eq | BinOp::Le | BinOp::Lt | BinOp::Ge | BinOp::Gt => compare(op, a, b),
        BinOp::DivExact | BinOp::FloorDiv | BinOp::PosDiv | BinOp::PosRem | BinOp::ZeroRem => {
            divide(op, a, b)
        }
    }
}

/// The lesser or greater of two.
pub fn extremum(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let mut all = vec![];
    operands(op, a, &mut all);
    operands(op, b, &mut all);
    let mut kept: Vec<Expr> = vec![];
    'next: for e in all {
        for k in &mut kept {
            if let Some(d) = difference(&e, k) {
                if (op == BinOp::Min) == (d < 0) && d != 0 {
                    *k = e;
                }
                continue 'next;
            }
        }
        kept.push(e);
    }
    absorb(op, &mut kept);
    let first = kept.remove(0);
    kept.into_iter().fold(first, |acc, e| Expr::bin(op, acc, e))
}

/// Drops operands that another one makes superfluous: `min(a, max(a, b))` is `a`, and `min(max(a, b), max(b, a + 1))` the first.
fn absorb(op: BinOp, kept: &mut Vec<Expr>) {
    let dual = if op == BinOp::Min {
        BinOp::Max
    } else {
        BinOp::Min
    };
    let parts = |e: &Expr| {
        let mut parts = vec![];
        operands(dual, e, &mut parts);
        parts
    };
    let beyond = |own: &Expr, other: &Expr| match difference(own, other) {
        Some(d) => (op == BinOp::Min) == (d > 0) || d == 0,
        None => false,
    };
    let mut at = 0;
    while at < kept.len() {
        let own = parts(&kept[at]);
        let others = kept.iter().enumerate().filter(|&(k, _)| k != at);
        let mut others = others.map(|(_, e)| parts(e));
        let absorbed = own.len() > 1
            && others.any(|other| other.iter().all(|o| own.iter().any(|p| beyond(p, o))));
        if absorbed {
            kept.remove(at);
        } else {
            at += 1;
        }
    }
}

/// The lesser of two.
pub fn min(a: &Expr, b: &Expr) -> Expr {
    extremum(BinOp::Min, a, b)
}

/// The greater of two.
pub fn max(a: &Expr, b: &Expr) -> Expr {
    extremum(BinOp::Max, a, b)
}

/// The operands of nested applications of one associative operation.
pub fn operands(op: BinOp, e: &Expr, into: &mut Vec<Expr>) {
    match e {
        Expr::Bin(o, a, b) if *o == op => {
            operands(op, a, into);
            operands(op, b, into);
        }
        _ => into.push(e.clone()),
    }
}

fn logic(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let mut all = vec![];
    operands(op, a, &mut all);
    operands(op, b, &mut all);
    let absorbing = i64::from(op == BinOp::Or);
    let mut kept: Vec<Expr> = vec![];
    for e in all {
        match as_int(&e) {
            Some(c) if i64::from(c != 0) == absorbing => return Expr::Int(absorbing),
            Some(_) => {}
            None if kept.contains(&e) => {}
            None => kept.push(e),
        }
    }
    let mut kept = kept.into_iter();
    match kept.next() {
        None => Expr::Int(1 - absorbing),
        Some(first) => kept.fold(first, |acc, e| Expr::bin(op, acc, e)),
    }
}

/// Conjunction of any number of conditions.
pub fn all(conditions: &[Expr]) -> Expr {
    conditions
        .iter()
        .fold(Expr::Int(1), |acc, c| bin(BinOp::And, &acc, c))
}

/// Whether one holds.
pub fn any(conditions: &[Expr]) -> Expr {
    conditions
        .iter()
        .fold(Expr::Int(0), |acc, c| bin(BinOp::Or, &acc, c))
}

fn compare(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let holds = |d: i64| match op {
        BinOp::Eq => d == 0,
        BinOp::Le => d <= 0,
        BinOp::Lt => d < 0,
        BinOp::Ge => d >= 0,
        BinOp::Gt => d > 0,
        _ => unreachable!("a comparison"),
    };
    match difference(a, b) {
        Some(d) => Expr::Int(i64::from(holds(d))),
        None => Expr::bin(op, a.clone(), b.clone()),
    }
}

fn divide(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let plain = || Expr::bin(op, a.clone(), b.clone());
    let Some(d) = as_int(b).filter(|d| *d > 0) else {
        return plain();
    };
    let remainder = matches!(op, BinOp::PosRem | BinOp::ZeroRem);
    match (as_int(a), remainder) {
        (Some(n), true) => Expr::Int(n.rem_euclid(d)),
        (Some(n), false) => Expr::Int(n.div_euclid(d)),
        (None, true) if d == 1 => Expr::Int(0),
        (None, false) if d == 1 => a.clone(),
        _ => plain(),
    }
}

/// `if c { a } else { b }`.
pub fn select(c: &Expr, a: &Expr, b: &Expr) -> Expr {
    match as_int(c) {
        Some(0) => b.clone(),
        Some(_) => a.clone(),
        None if same(a, b) => a.clone(),
        None => Expr::Select(
            Box::new(c.clone()),
            Box::new(a.clone()),
            Box::new(b.clone()),
        ),
    }
}

/// The expression with leaves replaced (`None` keeps a leaf), simplified again.
pub fn replace(e: &Expr, with: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    match e {
        Expr::Int(_) => e.clone(),
        Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => with(e).unwrap_or_else(|| e.clone()),
        Expr::Neg(a) => neg(&replace(a, with)),
        Expr::Bin(op, a, b) => bin(*op, &replace(a, with), &replace(b, with)),
        Expr::Select(c, a, b) => select(&replace(c, with), &replace(a, with), &replace(b, with)),
    }
}

/// Whether an iterator occurs.
pub fn mentions(e: &Expr, iter: IterId) -> bool {
    any_leaf(e, &|leaf| *leaf == Expr::Iter(iter))
}

/// Whether an iterator, a parameter, a size or a number is wanted.
pub fn any_leaf(e: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    match e {
        Expr::Int(_) | Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => wanted(e),
        Expr::Neg(a) => any_leaf(a, wanted),
        Expr::Bin(_, a, b) => any_leaf(a, wanted) || any_leaf(b, wanted),
        Expr::Select(c, a, b) => [c, a, b].iter().any(|e| any_leaf(e, wanted)),
    }
}

/// Number of nodes.
pub fn size(e: &Expr) -> usize {
    match e {
        Expr::Int(_) | Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => 1,
        Expr::Neg(a) => 1 + size(a),
        Expr::Bin(_, a, b) => 1 + size(a) + size(b),
        Expr::Select(c, a, b) => 1 + size(c) + size(a) + size(b),
    }
}

/// The value of an expression of parameters alone, for these values of theirs.
pub fn at(e: &Expr, params: &[i64]) -> Option<i64> {
    eval(e, &|leaf| match leaf {
        Expr::Param(p) => params.get(p.index()).copied(),
        _ => None,
    })
}

/// The value of an expression; `leaf` gives those of iterators, parameters and sizes. `None` on overflow or a
/// division by zero.
pub fn eval(e: &Expr, leaf: &dyn Fn(&Expr) -> Option<i64>) -> Option<i64> {
    match e {
        Expr::Int(c) => Some(*c),
        Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => leaf(e),
        Expr::Neg(a) => eval(a, leaf)?.checked_neg(),
        Expr::Select(c, a, b) => match eval(c, leaf)? {
            0 => eval(b, leaf),
            _ => eval(a, leaf),
        },
        Expr::Bin(op, a, b) => {
            let (a, b) = (eval(a, leaf)?, eval(b, leaf)?);
            match op {
                BinOp::Add => a.checked_add(b),
                BinOp::Sub => a.checked_sub(b),
                BinOp::Mul => a.checked_mul(b),
                BinOp::DivExact | BinOp::PosDiv => a.checked_div(b),
                BinOp::FloorDiv => a.checked_div_euclid(b),
                BinOp::PosRem | BinOp::ZeroRem => a.checked_rem(b),
                BinOp::Min => Some(a.min(b)),
                BinOp::Max => Some(a.max(b)),
                BinOp::And => Some(i64::from(a != 0 && b != 0)),
                BinOp::Or => Some(i64::from(a != 0 || b != 0)),
                BinOp::Eq => Some(i64::from(a == b)),
                BinOp::Le => Some(i64::from(a <= b)),
                BinOp::Lt => Some(i64::from(a < b)),
                BinOp::Ge => Some(i64::from(a >= b)),
                BinOp::Gt => Some(i64::from(a > b)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::ids::ParamId;

    fn p(i: u32) -> Expr {
        Expr::Param(ParamId(i))
    }

    fn int(c: i64) -> Expr {
        Expr::Int(c)
    }

    #[test]
    fn sums_have_one_form() {
        let e = sub(&add(&p(0), &p(1)), &int(1));
        assert_eq!(e.to_string(), "((p0 + p1) - 1)");
        assert_eq!(sub(&e, &p(1)).to_string(), "(p0 - 1)");
        assert_eq!(sub(&p(0), &p(0)), int(0));
        assert_eq!(neg(&p(0)).to_string(), "-(p0)");
        assert_eq!(sub(&int(3), &p(0)).to_string(), "(3 - p0)");
        assert_eq!(
            mul(&int(2), &add(&p(0), &int(1))).to_string(),
            "((2 * p0) + 2)"
        );
    }

    #[test]
    fn extrema_drop_dominated_operands() {
        let e = min(&add(&p(0), &int(1)), &p(0));
        assert_eq!(e, p(0));
        let e = max(&max(&p(0), &int(3)), &max(&int(5), &p(0)));
        assert_eq!(e.to_string(), "max(p0, 5)");
    }

    #[test]
    fn extrema_absorb_their_duals() {
        let (a, b) = (p(0), p(1));
        assert_eq!(min(&a, &max(&b, &a)), a);
        assert_eq!(min(&max(&add(&a, &int(1)), &b), &a), a);
        assert_eq!(max(&a, &min(&b, &a)), a);
        let (less, more) = (max(&a, &b), max(&b, &add(&a, &int(1))));
        assert_eq!(min(&less, &more), less);
        assert_eq!(min(&less, &max(&b, &a)), max(&b, &a));
        let kept = min(&max(&sub(&a, &int(1)), &b), &a);
        assert_eq!(eval(&kept, &|e| Some(if *e == a { 5 } else { 2 })), Some(4));
    }

    #[test]
    fn comparisons_and_logic_fold() {
        let lt = bin(BinOp::Lt, &p(0), &add(&p(0), &int(1)));
        assert_eq!(lt, int(1));
        let open = bin(BinOp::Ge, &p(0), &int(1));
        assert_eq!(bin(BinOp::And, &lt, &open), open);
        assert_eq!(bin(BinOp::Or, &lt, &open), int(1));
        assert_eq!(all(&[]), int(1));
    }

    #[test]
    fn division_folds_constants_only() {
        assert_eq!(bin(BinOp::FloorDiv, &int(-7), &int(2)), int(-4));
        assert_eq!(bin(BinOp::ZeroRem, &p(0), &int(1)), int(0));
        assert_eq!(bin(BinOp::PosRem, &p(0), &int(4)).to_string(), "(p0 % 4)");
    }

    #[test]
    fn constants_that_overflow_stay_unfolded() {
        let e = add(&int(i64::MAX), &int(1));
        assert_eq!(e, Expr::bin(BinOp::Add, int(i64::MAX), int(1)));
        assert_eq!(eval(&e, &|_| None), None);
    }

    #[test]
    fn replacement_simplifies() {
        let e = max(&sub(&p(0), &p(1)), &int(0));
        let r = replace(&e, &|l| (*l == p(1)).then(|| add(&p(0), &int(2))));
        assert_eq!(r, int(0));
        assert_eq!(eval(&e, &|l| Some(if *l == p(0) { 9 } else { 4 })), Some(5));
    }
}
