//! Sums of parameters as linear forms.
//!
//! A size that is a sum of several values (`H - R + 1`, `x_max - x_min + 6`) is written in many ways: in 32 bits and extended,
//! in 64 bits, with the bounds of an array extended one by one, in `max(0, ..)` as Fortran has it, times the size of
//! an element. As a linear form it is one size in all of them.

use super::affine::{MODULAR, may_wrap};
use crate::ids::ValueId;
use crate::scev::{Scev, ScevKind, Wrap};
use std::collections::BTreeMap;

/// A sum of values with constant factors, and a constant.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Linear {
    terms: BTreeMap<ValueId, i128>,
    constant: i128,
}

/// An evolution as a linear form of the values that are known, read as integers that do not wrap; a maximum with a
/// constant is what it is for extents, see [`or_nothing`].
pub(super) fn of(s: &Scev, known: &dyn Fn(ValueId) -> bool) -> Option<Linear> {
    if s.width < MODULAR {
        return None;
    }
    match &s.kind {
        ScevKind::Const(c) => Some(Linear {
            constant: *c,
            ..Linear::default()
        }),
        ScevKind::Unknown(v) => known(*v).then(|| Linear {
            terms: BTreeMap::from([(*v, 1)]),
            constant: 0,
        }),
        ScevKind::Add(v, _) => v
            .iter()
            .try_fold(Linear::default(), |all, t| all.plus(&of(t, known)?, 1)),
        ScevKind::Mul(v, _) => match &v[..] {
            [a, b] => match (a.as_constant(), b.as_constant()) {
                (Some(c), _) => Linear::default().plus(&of(b, known)?, c),
                (_, Some(c)) => Linear::default().plus(&of(a, known)?, c),
                _ => None,
            },
            _ => None,
        },
        ScevKind::SExt(a) | ScevKind::ZExt(a) => of(a, known),
        ScevKind::SMax(v) => of(or_nothing(v)?.1, known),
        _ => None,
    }
}

impl Linear {
    /// `self + factor * other`; `None` where numbers get too long for a size.
    fn plus(mut self, other: &Linear, factor: i128) -> Option<Linear> {
        for (v, c) in &other.terms {
            *self.terms.entry(*v).or_insert(0) += c.checked_mul(factor)?;
        }
        self.terms.retain(|_, c| *c != 0);
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        let short = |c: &i128| c.unsigned_abs() <= LONGEST;
        (self.terms.values().all(short) && short(&self.constant)).then_some(self)
    }

    pub fn constant(&self) -> i128 {
        self.constant
    }

    pub fn is_of_several(&self) -> bool {
        self.terms.len() > 1
    }

    /// Without the constant, divided by what all factors are multiples of.
    pub fn terms(&self) -> Linear {
        let divisor = self.terms.values().fold(0, |all, c| gcd(all, c.abs()));
        let terms = self.terms.iter().map(|(v, c)| (*v, c / divisor.max(1)));
        Linear {
            terms: terms.collect(),
            constant: 0,
        }
    }

    /// How many times `size` this is, the constants left out.
    pub fn over(&self, size: &Linear) -> Option<i128> {
        let (v, c) = size.terms.first_key_value()?;
        let times = self.terms.get(v)? / c;
        let scaled = Linear::default().plus(size, times)?;
        (times != 0 && scaled.terms == self.terms).then_some(times)
    }

    /// In 64 bits, of values that have `width` bits.
    pub fn evolution(&self, width: &dyn Fn(ValueId) -> u32) -> Scev {
        let wrap = Wrap {
            nuw: false,
            nsw: true,
        };
        let wide = |kind| Scev { width: 64, kind };
        let term = |(v, c): (&ValueId, &i128)| {
            let value = match width(*v) {
                64 => Scev::unknown(64, *v),
                bits => wide(ScevKind::SExt(Box::new(Scev::unknown(bits, *v)))),
            };
            match c {
                1 => value,
                c => wide(ScevKind::Mul(vec![Scev::constant(64, *c), value], wrap)),
            }
        };
        let mut terms: Vec<Scev> = self.terms.iter().map(term).collect();
        if self.constant != 0 {
            terms.insert(0, Scev::constant(64, self.constant));
        }
        match terms.len() {
            0 => Scev::constant(64, 0),
            1 => terms.remove(0),
            _ => wide(ScevKind::Add(terms, wrap)),
        }
    }
}

/// The least number and the size in `max(0, size)`, which is how Fortran has the extent of a dimension: a parameter, or a
/// sum of parameters and constants (`1 + max(-1, n + 1)` with lower bound 0).
pub(super) fn or_nothing(v: &[Scev]) -> Option<(i128, &Scev)> {
    let sum = |s: &Scev| {
        !s.any(&mut |part| match &part.kind {
            ScevKind::Const(_) | ScevKind::Unknown(_) | ScevKind::Add(..) => false,
            ScevKind::Mul(v, _) => v.iter().filter(|t| t.as_constant().is_none()).count() > 1,
            ScevKind::SExt(_) | ScevKind::ZExt(_) => may_wrap(part),
            _ => true,
        })
    };
    let [a, b] = v else {
        return None;
    };
    let (least, size) = match (a.as_constant(), b.as_constant()) {
        (Some(least), None) => (least, b),
        (None, Some(least)) => (least, a),
        _ => return None,
    };
    (least <= 0 && sum(size)).then_some((least, size))
}

/// Factors and constants of sizes are shorter than this.
const LONGEST: u128 = 1 << 40;

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
