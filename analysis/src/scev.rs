//! Scalar evolutions as plain data: how an integer or an address develops over the iterations of loops.
//!
//! The symbols are those of LLVM's ScalarEvolution. A loop's *iterator* is always its canonical counter: 0 in the
//! first iteration, +1 in each further one. `AddRec { loop_, operands: [start, step] }` has the value
//! `start + step * iterator(loop_)` in arithmetic modulo `2^width`; the wrap flags say what is proven about that
//! arithmetic. Only loops *inside* the region appear in `AddRec`; evolutions over surrounding loops were made
//! invariant values by extraction.

use crate::ids::{LoopId, ValueId};
use crate::region::CmpPred;
use std::fmt;

/// What is proven about an addition, multiplication or recurrence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Wrap {
    /// No unsigned wrap.
    pub nuw: bool,
    /// No signed wrap.
    pub nsw: bool,
}

/// A scalar evolution of `width` bits (an address has 64).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scev {
    /// Width of the result in bits.
    pub width: u32,
    /// The expression.
    pub kind: ScevKind,
}

/// The expression of a [`Scev`]. Operand widths equal the result's, except below casts and in comparisons.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ScevKind {
    /// A constant, sign-extended.
    Const(i128),
    /// An opaque value; invariant in the region or computed in it by something that is no evolution.
    Unknown(ValueId),
    /// Sum.
    Add(Vec<Scev>, Wrap),
    /// Product.
    Mul(Vec<Scev>, Wrap),
    /// Polynomial recurrence; `operands[0]` is the start, `operands[1]` the step.
    AddRec {
        /// The loop it evolves in.
        loop_: LoopId,
        /// Start, step, step of the step, ...
        operands: Vec<Scev>,
        /// Proven facts.
        wrap: Wrap,
    },
    /// Unsigned division.
    UDiv(Box<Scev>, Box<Scev>),
    /// Remainder of a signed division by something that is not constant. Others are sums with a quotient.
    SRem(Box<Scev>, Box<Scev>),
    /// A choice: if the comparison of the first two holds, which may have another width, the third, else the fourth.
    Select(CmpPred, Box<[Scev; 4]>),
    /// Signed maximum.
    SMax(Vec<Scev>),
    /// Unsigned maximum.
    UMax(Vec<Scev>),
    /// Signed minimum.
    SMin(Vec<Scev>),
    /// Unsigned minimum.
    UMin(Vec<Scev>),
    /// Zero extension.
    ZExt(Box<Scev>),
    /// Sign extension.
    SExt(Box<Scev>),
    /// Truncation.
    Trunc(Box<Scev>),
    /// The analysis found no evolution.
    Unknowable,
}

impl Scev {
    /// The constant `c` of `width` bits.
    pub fn constant(width: u32, c: i128) -> Scev {
        Scev {
            width,
            kind: ScevKind::Const(c),
        }
    }

    /// The low bits of a value, of a choice as a choice between low bits: `x < 5 ? 2^32 - 5 : 635` is one between -5 and 635 in 32 bits.
    #[must_use]
    pub fn truncated(self, width: u32) -> Scev {
        let kind = match self.kind {
            ScevKind::Select(pred, parts) => {
                let [lhs, rhs, then, els] = *parts;
                let [then, els] = [then, els].map(|s| s.low_bits(width));
                ScevKind::Select(pred, Box::new([lhs, rhs, then, els]))
            }
            _ => ScevKind::Trunc(Box::new(self)),
        };
        Scev { width, kind }
    }

    /// The low bits of an arm.
    fn low_bits(self, width: u32) -> Scev {
        let all = |v: Vec<Scev>| v.into_iter().map(|s| s.low_bits(width)).collect();
        let kind = match self.kind {
            ScevKind::Const(c) if width < 128 => {
                let half = 1i128 << (width - 1);
                ScevKind::Const((c + half).rem_euclid(2 * half) - half)
            }
            ScevKind::Add(v, _) => ScevKind::Add(all(v), Wrap::default()),
            ScevKind::Mul(v, _) => ScevKind::Mul(all(v), Wrap::default()),
            ScevKind::AddRec {
                loop_, operands, ..
            } => ScevKind::AddRec {
                loop_,
                operands: all(operands),
                wrap: Wrap::default(),
            },
            ScevKind::ZExt(a) | ScevKind::SExt(a) if a.width == width => return *a,
            _ => return self.truncated(width),
        };
        Scev { width, kind }
    }

    /// An offset in bytes that is the same modulo 2^64 and has small constants: `8 * (n + 2^61 - 1)`, in which a compiler leaves out bits that the product
    /// has no place for, as `8 * (n - 1)`.
    #[must_use]
    pub fn as_offset(mut self) -> Scev {
        if let ScevKind::Add(v, _) | ScevKind::Mul(v, _) | ScevKind::AddRec { operands: v, .. } =
            &mut self.kind
        {
            for s in v.iter_mut() {
                *s = std::mem::replace(s, Scev::constant(64, 0)).as_offset();
            }
        }
        if let (ScevKind::Mul(v, _), 64) = (&mut self.kind, self.width) {
            let constants = v.iter().filter_map(Scev::as_constant);
            let times = constants.fold(1i128, i128::saturating_mul);
            let sums = v.iter_mut().filter_map(|s| match &mut s.kind {
                ScevKind::Add(terms, _) => Some(terms),
                _ => None,
            });
            for term in sums.flatten() {
                if let ScevKind::Const(c) = &mut term.kind {
                    *c = short(*c, times).unwrap_or(*c);
                }
            }
        }
        self
    }

    /// An opaque value.
    pub fn unknown(width: u32, v: ValueId) -> Scev {
        Scev {
            width,
            kind: ScevKind::Unknown(v),
        }
    }

    /// The sum of numbers of 64 bits, of which nothing is proven.
    pub fn sum(mut terms: Vec<Scev>) -> Scev {
        match terms.len() {
            0 => Scev::constant(64, 0),
            1 => terms.remove(0),
            _ => Scev {
                width: 64,
                kind: ScevKind::Add(terms, Wrap::default()),
            },
        }
    }

    /// The product of numbers of 64 bits, of which nothing is proven.
    pub fn product(mut factors: Vec<Scev>) -> Scev {
        match factors.len() {
            0 => Scev::constant(64, 1),
            1 => factors.remove(0),
            _ => Scev {
                width: 64,
                kind: ScevKind::Mul(factors, Wrap::default()),
            },
        }
    }

    /// The constant's value if this is one.
    pub fn as_constant(&self) -> Option<i128> {
        match self.kind {
            ScevKind::Const(c) => Some(c),
            _ => None,
        }
    }

    /// Whether it chooses between values, as a bound, a remainder or a quotient by something that is not constant does too.
    pub fn chooses(&self) -> bool {
        matches!(self.kind, ScevKind::Select(..)) || self.bounded().is_some() || self.divides()
    }

    /// Whether it is a remainder, or a quotient by something that is not constant.
    pub fn divides(&self) -> bool {
        match &self.kind {
            ScevKind::SRem(..) => true,
            ScevKind::UDiv(_, b) => b.as_constant().is_none(),
            _ => false,
        }
    }

    /// The least or greatest of several values, as subscripts are kept within an array.
    pub fn bounded(&self) -> Option<(CmpPred, &[Scev])> {
        match &self.kind {
            ScevKind::SMin(v) => Some((CmpPred::Sle, v)),
            ScevKind::SMax(v) => Some((CmpPred::Sge, v)),
            ScevKind::UMin(v) => Some((CmpPred::Ule, v)),
            ScevKind::UMax(v) => Some((CmpPred::Uge, v)),
            _ => None,
        }
    }

    /// The least or greatest of several values: of which [`Scev::bounded`] is this.
    pub fn bound(width: u32, pred: CmpPred, values: Vec<Scev>) -> Scev {
        let kind = match pred {
            CmpPred::Sle => ScevKind::SMin(values),
            CmpPred::Sge => ScevKind::SMax(values),
            CmpPred::Ule => ScevKind::UMin(values),
            CmpPred::Uge => ScevKind::UMax(values),
            _ => panic!("{pred:?} chooses neither the least nor the greatest"),
        };
        Scev { width, kind }
    }

    /// Whether it is a half of a quotient rounded towards zero, `max(a, 0) / n - max(-a, 0) / n`.
    pub fn is_half_quotient(&self) -> bool {
        matches!(&self.kind, ScevKind::UDiv(a, n) if n.as_constant().is_some() && a.bounded().is_some())
    }

    /// Direct operands.
    pub fn operands(&self) -> Vec<&Scev> {
        match &self.kind {
            ScevKind::Const(_) | ScevKind::Unknown(_) | ScevKind::Unknowable => vec![],
            ScevKind::Add(v, _)
            | ScevKind::Mul(v, _)
            | ScevKind::SMax(v)
            | ScevKind::UMax(v)
            | ScevKind::SMin(v)
            | ScevKind::UMin(v) => v.iter().collect(),
            ScevKind::AddRec { operands, .. } => operands.iter().collect(),
            ScevKind::Select(_, parts) => parts.iter().collect(),
            ScevKind::UDiv(a, b) | ScevKind::SRem(a, b) => vec![a, b],
            ScevKind::ZExt(a) | ScevKind::SExt(a) | ScevKind::Trunc(a) => vec![a],
        }
    }

    /// Direct operands, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Scev> {
        match &mut self.kind {
            ScevKind::Const(_) | ScevKind::Unknown(_) | ScevKind::Unknowable => vec![],
            ScevKind::Add(v, _)
            | ScevKind::Mul(v, _)
            | ScevKind::SMax(v)
            | ScevKind::UMax(v)
            | ScevKind::SMin(v)
            | ScevKind::UMin(v) => v.iter_mut().collect(),
            ScevKind::AddRec { operands, .. } => operands.iter_mut().collect(),
            ScevKind::Select(_, parts) => parts.iter_mut().collect(),
            ScevKind::UDiv(a, b) | ScevKind::SRem(a, b) => vec![a, b],
            ScevKind::ZExt(a) | ScevKind::SExt(a) | ScevKind::Trunc(a) => vec![a],
        }
    }

    /// Whether `pred` holds for this expression or any part of it.
    pub fn any(&self, pred: &mut dyn FnMut(&Scev) -> bool) -> bool {
        pred(self) || self.operands().into_iter().any(|s| s.any(pred))
    }

    /// The opaque values in it, in the order in which they stand; some several times.
    pub fn values(&self) -> Vec<ValueId> {
        let mut found = vec![];
        self.any(&mut |part| {
            if let ScevKind::Unknown(v) = part.kind {
                found.push(v);
            }
            false
        });
        found
    }

    /// Whether it is proven that no sum, product or recurrence of less than 64 bits in it wraps as a signed one.
    pub fn never_wraps(&self) -> bool {
        !self.any(&mut |part| match &part.kind {
            ScevKind::Add(_, w) | ScevKind::Mul(_, w) | ScevKind::AddRec { wrap: w, .. } => {
                part.width < 64 && !w.nsw
            }
            ScevKind::Trunc(_) => true,
            _ => false,
        })
    }

    /// Drops what is promised about wrapping.
    pub fn forget_wrap_flags(&mut self) {
        match &mut self.kind {
            ScevKind::Add(_, w) | ScevKind::Mul(_, w) | ScevKind::AddRec { wrap: w, .. } => {
                *w = Wrap::default();
            }
            _ => {}
        }
        for part in self.operands_mut() {
            part.forget_wrap_flags();
        }
    }

    /// The loops that the expression evolves in.
    pub fn loops(&self) -> std::collections::BTreeSet<LoopId> {
        let mut found = std::collections::BTreeSet::new();
        self.any(&mut |s| {
            if let ScevKind::AddRec { loop_, .. } = &s.kind {
                found.insert(*loop_);
            }
            false
        });
        found
    }
}

impl fmt::Display for Scev {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, v: &[Scev], sep: &str| -> fmt::Result {
            write!(f, "(")?;
            for (i, s) in v.iter().enumerate() {
                if i > 0 {
                    write!(f, "{sep}")?;
                }
                write!(f, "{s}")?;
            }
            write!(f, ")")
        };
        match &self.kind {
            ScevKind::Const(c) => write!(f, "{c}"),
            ScevKind::Unknown(v) => write!(f, "%{v}"),
            ScevKind::Add(v, _) => list(f, v, " + "),
            ScevKind::Mul(v, _) => list(f, v, " * "),
            ScevKind::AddRec {
                loop_, operands, ..
            } => {
                write!(f, "{{")?;
                for (i, s) in operands.iter().enumerate() {
                    if i > 0 {
                        write!(f, ",+,")?;
                    }
                    write!(f, "{s}")?;
                }
                write!(f, "}}<{loop_}>")
            }
            ScevKind::UDiv(a, b) => write!(f, "({a} /u {b})"),
            ScevKind::SRem(a, b) => write!(f, "({a} %s {b})"),
            ScevKind::Select(pred, parts) => {
                let [l, r, then, els] = &**parts;
                let pred = format!("{pred:?}").to_lowercase();
                write!(f, "({l} {pred} {r} ? {then} : {els})")
            }
            ScevKind::SMax(v) => list(f, v, " smax "),
            ScevKind::UMax(v) => list(f, v, " umax "),
            ScevKind::SMin(v) => list(f, v, " smin "),
            ScevKind::UMin(v) => list(f, v, " umin "),
            ScevKind::ZExt(a) => write!(f, "zext({a} to i{})", self.width),
            ScevKind::SExt(a) => write!(f, "sext({a} to i{})", self.width),
            ScevKind::Trunc(a) => write!(f, "trunc({a} to i{})", self.width),
            ScevKind::Unknowable => write!(f, "?"),
        }
    }
}

/// What gives the same multiple modulo 2^64 and, with a sign, fits into 64 bits there.
fn short(c: i128, times: i128) -> Option<i128> {
    let all = c
        .checked_mul(times)
        .filter(|all| i64::try_from(*all).is_err())?;
    let low = i128::from(all as i64);
    (low % times == 0).then(|| low / times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::LoopId;

    #[test]
    fn low_bits_of_a_choice_are_a_choice_between_low_bits() {
        let counter = |start: i128| Scev {
            width: 64,
            kind: ScevKind::AddRec {
                loop_: LoopId(0),
                operands: vec![Scev::constant(64, start), Scev::constant(64, 1)],
                wrap: Wrap::default(),
            },
        };
        let (below, limit) = (counter(0), Scev::constant(64, 5));
        let parts = [
            below,
            limit,
            Scev::constant(64, 635),
            counter((1 << 32) - 5),
        ];
        let chosen = Scev {
            width: 64,
            kind: ScevKind::Select(CmpPred::Slt, Box::new(parts)),
        };
        let ScevKind::Select(_, parts) = chosen.truncated(32).kind else {
            panic!("it chooses still");
        };
        assert_eq!((parts[0].width, parts[2].as_constant()), (64, Some(635)));
        let ScevKind::AddRec { operands, .. } = &parts[3].kind else {
            panic!("it counts still");
        };
        assert_eq!((parts[3].width, operands[0].as_constant()), (32, Some(-5)));
    }
}
