//! Expressions of the program as sets and functions over the iterators around them.
//!
//! Products and divisions by what is no constant have no such form: the question then stays open ([`Stop::Open`]).

use super::{Checked, Stop};
use polytile_analysis::ast::{BinOp, Expr, IterId};
use polytile_analysis::poly::{DimType, LocalSpace, PwAff, Set, Space};

/// The iterators that an expression may name, as dimensions of a set.
pub(super) struct Frame<'a> {
    /// Parameters of the SCoP, and one dimension per iterator.
    space: Space,
    iters: &'a [IterId],
    /// Values of the symbolic tile sizes.
    sizes: &'a [i64],
}

impl<'a> Frame<'a> {
    /// Of these iterators.
    pub fn new(space: Space, iters: &'a [IterId], sizes: &'a [i64]) -> Self {
        Frame {
            space,
            iters,
            sizes,
        }
    }

    fn everything(&self) -> Checked<Set> {
        Ok(Set::universe(&self.space)?)
    }

    fn nothing(&self) -> Checked<Set> {
        Ok(Set::empty(&self.space)?)
    }

    fn constant(&self, value: i64) -> Checked<PwAff> {
        Ok(PwAff::si_on_domain(&self.everything()?, value)?)
    }

    /// The function that an expression is.
    pub fn value(&self, e: &Expr) -> Checked<PwAff> {
        let local = || LocalSpace::from_space(&self.space);
        match e {
            Expr::Int(c) => self.constant(*c),
            Expr::Iter(i) => {
                let at = self.iters.iter().position(|j| i == j);
                let at = at.ok_or(Stop::Wrong(format!("c{} outside of its loop", i.0)))?;
                Ok(PwAff::var_on_domain(&local()?, DimType::Set, at)?)
            }
            Expr::Param(p) => Ok(PwAff::var_on_domain(&local()?, DimType::Param, p.index())?),
            Expr::Size(s) => {
                let size = self.sizes.get(*s);
                self.constant(*size.ok_or(Stop::Wrong(format!("size {s} has no value")))?)
            }
            Expr::Neg(a) => Ok(self.value(a)?.neg()?),
            Expr::Select(c, a, b) => {
                let (yes, no) = (self.holds(c, true)?, self.holds(c, false)?);
                let (a, b) = (self.value(a)?, self.value(b)?);
                if a.n_piece() * yes.n_basic_set() + b.n_piece() * no.n_basic_set() > CASES {
                    return Err(Stop::Open("too many cases"));
                }
                Ok(a.intersect_domain(&yes)?
                    .union_add(&b.intersect_domain(&no)?)?)
            }
            Expr::Bin(op, a, b) => self.operation(*op, e, (a, b)),
        }
    }

    fn operation(&self, op: BinOp, whole: &Expr, (a, b): (&Expr, &Expr)) -> Checked<PwAff> {
        if !is_number(op) {
            let (yes, no) = (self.holds(whole, true)?, self.holds(whole, false)?);
            let one = PwAff::si_on_domain(&yes, 1)?;
            return Ok(one.union_add(&PwAff::si_on_domain(&no, 0)?)?);
        }
        let (x, y) = (self.value(a)?, self.value(b)?);
        Ok(match op {
            BinOp::Add => x.add(&y)?,
            BinOp::Sub => x.sub(&y)?,
            BinOp::Min => x.min(&y)?,
            BinOp::Max => x.max(&y)?,
            BinOp::Mul if x.is_cst()? || y.is_cst()? => x.mul(&y)?,
            BinOp::Mul => return Err(Stop::Open("a product of variables")),
            BinOp::PosRem | BinOp::ZeroRem => x.mod_si(self.divisor(b)?)?,
            _ => x.scale_down_si(self.divisor(b)?)?.floor()?,
        })
    }

    fn divisor(&self, e: &Expr) -> Checked<i64> {
        match e {
            Expr::Int(c) if *c > 0 => Ok(*c),
            Expr::Size(s) if self.sizes.get(*s).is_some_and(|v| *v > 0) => Ok(self.sizes[*s]),
            _ => Err(Stop::Open("a division by a variable")),
        }
    }

    /// Where a condition is true, or is not.
    pub fn holds(&self, e: &Expr, wanted: bool) -> Checked<Set> {
        let Expr::Bin(op, a, b) = e else {
            return self.is_zero(e, !wanted);
        };
        match op {
            BinOp::And | BinOp::Or => {
                let all = (*op == BinOp::And) == wanted;
                both(self.holds(a, wanted)?, self.holds(b, wanted)?, all)
            }
            BinOp::Le if wanted => self.at_least(b, a, 0),
            BinOp::Lt if wanted => self.at_least(b, a, 1),
            BinOp::Ge if wanted => self.at_least(a, b, 0),
            BinOp::Gt if wanted => self.at_least(a, b, 1),
            BinOp::Le => self.at_least(a, b, 1),
            BinOp::Lt => self.at_least(a, b, 0),
            BinOp::Ge => self.at_least(b, a, 1),
            BinOp::Gt => self.at_least(b, a, 0),
            BinOp::Eq => {
                let ahead = i64::from(!wanted);
                let (x, y) = (self.at_least(a, b, ahead)?, self.at_least(b, a, ahead)?);
                both(x, y, wanted)
            }
            _ => self.is_zero(e, !wanted),
        }
    }

    fn is_zero(&self, e: &Expr, wanted: bool) -> Checked<Set> {
        let (value, zero) = (self.value(e)?, self.constant(0)?);
        Ok(match wanted {
            true => value.eq_set(&zero)?,
            false => value.lt_set(&zero)?.union(&value.gt_set(&zero)?)?,
        })
    }

    /// Where `a >= b + ahead`. Extrema and choices become cases.
    pub fn at_least(&self, a: &Expr, b: &Expr, ahead: i64) -> Checked<Set> {
        match (a, b) {
            (Expr::Bin(op @ (BinOp::Min | BinOp::Max), x, y), _) => both(
                self.at_least(x, b, ahead)?,
                self.at_least(y, b, ahead)?,
                *op == BinOp::Min,
            ),
            (_, Expr::Bin(op @ (BinOp::Min | BinOp::Max), x, y)) => both(
                self.at_least(a, x, ahead)?,
                self.at_least(a, y, ahead)?,
                *op == BinOp::Max,
            ),
            (Expr::Select(c, x, y), _) => {
                self.choice(c, self.at_least(x, b, ahead)?, self.at_least(y, b, ahead)?)
            }
            (_, Expr::Select(c, x, y)) => {
                self.choice(c, self.at_least(a, x, ahead)?, self.at_least(a, y, ahead)?)
            }
            _ => {
                let least = self.value(b)?.add_constant_si(ahead)?;
                Ok(self.value(a)?.ge_set(&least)?)
            }
        }
    }

    fn choice(&self, c: &Expr, yes: Set, no: Set) -> Checked<Set> {
        let yes = both(yes, self.holds(c, true)?, true)?;
        both(yes, both(no, self.holds(c, false)?, true)?, false)
    }

    /// Where an operation gets operands that it is not for, and something depends on the result: a rest where there must be
    /// none, or a negative dividend.
    pub fn faults(&self, e: &Expr) -> Checked<Set> {
        let Some((op, a, b)) = divides(e) else {
            return self.nothing();
        };
        let (fault_a, fault_b) = (self.faults(a)?, self.faults(b)?);
        match (e, op) {
            (Expr::Select(c, a, b), _) => {
                let chosen = self.choice(c, self.faults(a)?, self.faults(b)?)?;
                Ok(chosen.union(&self.faults(c)?)?)
            }
            (_, Some(BinOp::And | BinOp::Or)) => {
                let open = op == Some(BinOp::And);
                let first = both(fault_a, self.holds(b, open)?, true)?;
                both(first, both(fault_b, self.holds(a, open)?, true)?, false)
            }
            (_, op) => {
                let inside = fault_a.union(&fault_b)?;
                let zero = self.constant(0)?;
                let own = match op {
                    Some(BinOp::DivExact) => {
                        let rest = self.value(a)?.mod_si(self.divisor(b)?)?;
                        rest.gt_set(&zero)?
                    }
                    Some(BinOp::PosDiv | BinOp::PosRem) => self.value(a)?.lt_set(&zero)?,
                    _ => return Ok(inside),
                };
                Ok(inside.union(&own)?)
            }
        }
    }
}

/// Pieces of a set of values of iterators.
const CASES: usize = 256;

/// What is in both sets, or in one of them.
fn both(x: Set, y: Set, all: bool) -> Checked<Set> {
    let (m, n) = (x.n_basic_set(), y.n_basic_set());
    let pieces = if all { m * n } else { m + n };
    if pieces > CASES {
        return Err(Stop::Open("too many cases"));
    }
    Ok(match all {
        true => x.intersect(&y)?,
        false => x.union(&y)?,
    })
}

/// Operations whose value is a number, not a truth.
fn is_number(op: BinOp) -> bool {
    !matches!(
        op,
        BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Le | BinOp::Lt | BinOp::Ge | BinOp::Gt
    )
}

/// Operation and operands of an expression that has a division with a condition on its operands somewhere.
fn divides(e: &Expr) -> Option<(Option<BinOp>, &Expr, &Expr)> {
    let some = |e: &Expr| divides(e).is_some();
    match e {
        Expr::Int(_) | Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => None,
        Expr::Neg(a) => some(a).then_some((None, a, a)),
        Expr::Select(c, a, b) => (some(c) || some(a) || some(b)).then_some((None, a, b)),
        Expr::Bin(op, a, b) => {
            let own = matches!(op, BinOp::DivExact | BinOp::PosDiv | BinOp::PosRem);
            (own || some(a) || some(b)).then_some((Some(*op), a, b))
        }
    }
}
