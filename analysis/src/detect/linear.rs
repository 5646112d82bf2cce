//! Sums of parameters, their quotients, and the greatest or least of them as linear forms.
//!
//! A size that is a sum of several values (`H - R + 1`, `x_max - x_min + 6`) or a part of one (`n/2`) is written in many
//! ways: in 32 bits and extended, in 64 bits, with the bounds of an array extended one by one, in `max(0, ..)` as Fortran has
//! it, times the size of an element. As a linear form it is one size in all of them.

use super::affine::{MODULAR, may_wrap};
use crate::ids::ValueId;
use crate::quotient::gcd;
use crate::region::CmpPred;
use crate::scev::{Scev, ScevKind, Wrap};
use std::collections::{BTreeMap, BTreeSet};

/// A sum of values and quotients with constant factors, and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Linear {
    terms: BTreeMap<Atom, i128>,
    constant: i128,
}

/// What is summed up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Atom {
    Value(ValueId),
    /// A sum that is not negative, divided by a constant, rounded down.
    Quotient(Linear, i128),
    /// The greatest or the least of several sums, by how it compares with each ([`Scev::bounded`]); those that are compared as unsigned numbers
    /// are not negative.
    Extremum(CmpPred, BTreeSet<Linear>),
}

/// An evolution as a linear form of the values that are known, read as integers that do not wrap; a maximum with zero or less
/// is what it is for extents, see [`or_nothing`].
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
            terms: BTreeMap::from([(Atom::Value(*v), 1)]),
            constant: 0,
        }),
        ScevKind::Add(v, _) if let Some((a, c)) = signed_quotient(v) => of(a, known)?.divided(c),
        ScevKind::UDiv(a, b) => of(a, known)?.divided(b.as_constant()?),
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
        // Read as a signed integer, a bit that is set is -1.
        ScevKind::ZExt(bit) if bit.width == 1 => Linear::default().plus(&of(bit, known)?, -1),
        ScevKind::SExt(a) | ScevKind::ZExt(a) => of(a, known),
        ScevKind::SMax(v) if let Some((_, size)) = or_nothing(v) => of(size, known),
        _ => {
            let (pred, parts) = s.bounded()?;
            let parts = parts.iter().map(|part| of(part, known));
            let parts = parts.collect::<Option<BTreeSet<Linear>>>()?;
            Some(Linear {
                terms: BTreeMap::from([(Atom::Extremum(pred, parts), 1)]),
                constant: 0,
            })
        }
    }
}

/// A product of several known values, read as integers: the sorted factors, and a constant one.
pub(super) fn product(s: &Scev, known: &dyn Fn(ValueId) -> bool) -> Option<(Vec<ValueId>, i128)> {
    let ScevKind::Mul(v, _) = &s.kind else {
        return None;
    };
    let (mut factors, mut constant) = (vec![], 1i128);
    for t in v {
        match unextended(t) {
            Some(v) => factors.push(known(v).then_some(v)?),
            None => match t.as_constant() {
                Some(c) => constant = constant.checked_mul(c)?,
                None => {
                    let (more, c) = factors_of(t, known)?;
                    factors.extend(more);
                    constant = constant.checked_mul(c)?;
                }
            },
        }
    }
    factors.sort();
    let fits = factors.len() > 1 && constant.unsigned_abs() <= LONGEST && s.width >= MODULAR;
    fits.then_some((factors, constant))
}

/// The factors of a product of known values, or of one, and a constant one.
pub(super) fn factors(s: &Scev, known: &dyn Fn(ValueId) -> bool) -> Option<(Vec<ValueId>, i128)> {
    match unextended(s).filter(|v| known(*v)) {
        Some(v) => Some((vec![v], 1)),
        None => factors_of(s, known),
    }
}

/// The factors of a product in a product, of which one may be constant.
fn factors_of(s: &Scev, known: &dyn Fn(ValueId) -> bool) -> Option<(Vec<ValueId>, i128)> {
    match (product(s, known), &s.kind) {
        (Some(found), _) => Some(found),
        (None, ScevKind::Mul(v, _)) => match &v[..] {
            [c, t] => {
                let v = unextended(t).filter(|v| known(*v))?;
                Some((vec![v], c.as_constant()?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The value that an evolution is, perhaps with more bits.
fn unextended(s: &Scev) -> Option<ValueId> {
    match &s.kind {
        ScevKind::Unknown(v) => Some(*v),
        ScevKind::SExt(a) | ScevKind::ZExt(a) if a.width >= MODULAR => unextended(a),
        _ => None,
    }
}

impl Linear {
    /// `self / c`, where it is not negative.
    fn divided(self, c: i128) -> Option<Linear> {
        (c > 0 && !self.terms.is_empty()).then(|| Linear {
            terms: BTreeMap::from([(Atom::Quotient(self, c), 1)]),
            constant: 0,
        })
    }

    /// `self + factor * other`; `None` where numbers get too long for a size.
    fn plus(mut self, other: &Linear, factor: i128) -> Option<Linear> {
        for (v, c) in &other.terms {
            *self.terms.entry(v.clone()).or_insert(0) += c.checked_mul(factor)?;
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

    /// The values that it is a sum of; none if something else is in it.
    pub fn values(&self) -> Option<Vec<ValueId>> {
        let value = |a: &Atom| match a {
            Atom::Value(v) => Some(*v),
            Atom::Quotient(..) | Atom::Extremum(..) => None,
        };
        self.terms.keys().map(value).collect()
    }

    /// The values that it is a sum of, with their factors; none if something else is in it.
    pub fn parts(&self) -> Option<Vec<(ValueId, i128)>> {
        let factors = self.terms.values().copied();
        Some(self.values()?.into_iter().zip(factors).collect())
    }

    /// Whether it is more than a multiple of one value and a constant.
    pub fn is_composed(&self) -> bool {
        let is_value = |a: &Atom| matches!(a, Atom::Value(_));
        self.terms.len() > 1 || !self.terms.keys().all(is_value)
    }

    /// Whether the greatest or the least of several is in it.
    pub fn has_extrema(&self) -> bool {
        self.terms.keys().any(|a| matches!(a, Atom::Extremum(..)))
    }

    /// What it is the greatest or the least of, in 64 bits, and how it compares with each of these; none if it is a sum of more.
    pub fn extremes(&self, width: &dyn Fn(ValueId) -> u32) -> Option<(CmpPred, Vec<Scev>)> {
        let (Atom::Extremum(pred, parts), 1) = self.terms.first_key_value()? else {
            return None;
        };
        let only = self.terms.len() == 1 && self.constant == 0;
        only.then(|| (*pred, parts.iter().map(|p| p.evolution(width)).collect()))
    }

    /// Whether it is a multiple of one value and a constant.
    pub fn is_of_one(&self) -> bool {
        self.terms.len() == 1 && !self.is_composed()
    }

    /// Whether it is a multiple of one value and a constant that is none of the same number.
    pub fn is_between_multiples(&self) -> bool {
        let by = |c: &i128| c.abs() > 1 && self.constant % c != 0;
        self.is_of_one() && self.terms.values().any(by)
    }

    /// Without the constant, divided by what all factors are multiples of.
    pub fn terms(&self) -> Linear {
        let terms = self.terms.clone();
        Linear { terms, constant: 0 }.reduced()
    }

    /// Divided by what all factors and the constant are multiples of.
    pub fn reduced(&self) -> Linear {
        let factors = self.terms.values().chain([&self.constant]);
        let divisor = factors.fold(0, |all, c| gcd(all, *c)).max(1);
        let terms = self.terms.iter().map(|(v, c)| (v.clone(), c / divisor));
        Linear {
            terms: terms.collect(),
            constant: self.constant / divisor,
        }
    }

    /// How many times `size` this is, and the constant that is left: less of it than without a size that has one itself.
    pub fn parts_of(&self, size: &Linear) -> Option<(i128, i128)> {
        let times = self.over(size)?;
        let left = self
            .constant
            .checked_sub(times.checked_mul(size.constant)?)?;
        (size.constant == 0 || left.abs() < self.constant.abs()).then_some((times, left))
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
        let term = |(atom, c): (&Atom, &i128)| {
            let value = match atom {
                Atom::Quotient(a, c) => {
                    let (a, c) = (a.evolution(width), Scev::constant(64, *c));
                    wide(ScevKind::UDiv(Box::new(a), Box::new(c)))
                }
                Atom::Extremum(pred, parts) => {
                    let parts = parts.iter().map(|p| p.evolution(width));
                    Scev::bound(64, *pred, parts.collect())
                }
                Atom::Value(v) => match width(*v) {
                    64 => Scev::unknown(64, *v),
                    bits => wide(ScevKind::SExt(Box::new(Scev::unknown(bits, *v)))),
                },
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

/// Dividend and divisor of the signed quotient by a constant that a sum is: the quotient of what is positive of the dividend,
/// rounded down, less that of what is negative, rounded up.
pub(super) fn signed_quotient(terms: &[Scev]) -> Option<(&Scev, i128)> {
    let [x, y] = terms else {
        return None;
    };
    [(x, y), (y, x)].into_iter().find_map(|(above, below)| {
        let ScevKind::UDiv(positive, by) = &above.kind else {
            return None;
        };
        let c = by.as_constant()?;
        let ScevKind::UDiv(up, again) = &negated(below)?.kind else {
            return None;
        };
        let ScevKind::Add(parts, _) = &up.kind else {
            return None;
        };
        let rounds = parts.iter().any(|p| p.as_constant() == Some(c - 1));
        let negative = parts.iter().find_map(|p| or_zero(p))?;
        let value = or_zero(positive)?;
        let fits = rounds && parts.len() == 2 && again.as_constant() == Some(c) && c > 1;
        (fits && is_opposite(negative, value)).then_some((value, c))
    })
}

/// `x` of `max(0, x)`.
fn or_zero(s: &Scev) -> Option<&Scev> {
    match &s.kind {
        ScevKind::SMax(v) => match &v[..] {
            [a, x] | [x, a] if a.as_constant() == Some(0) => Some(x),
            _ => None,
        },
        _ => None,
    }
}

/// `x` of `-1 * x`.
fn negated(s: &Scev) -> Option<&Scev> {
    match &s.kind {
        ScevKind::Mul(v, _) => match &v[..] {
            [a, x] | [x, a] if a.as_constant() == Some(-1) => Some(x),
            _ => None,
        },
        _ => None,
    }
}

/// Whether one of two evolutions is the other with its sign changed, by the forms that they are written in.
fn is_opposite(a: &Scev, b: &Scev) -> bool {
    negated(a) == Some(b)
        || negated(b) == Some(a)
        || match (&a.kind, &b.kind) {
            (ScevKind::Const(a), ScevKind::Const(b)) => *a == -*b,
            (ScevKind::Add(v, _), ScevKind::Add(w, _)) => {
                v.len() == w.len() && v.iter().all(|x| w.iter().any(|y| is_opposite(x, y)))
            }
            (
                ScevKind::AddRec {
                    loop_, operands, ..
                },
                ScevKind::AddRec {
                    loop_: other,
                    operands: others,
                    ..
                },
            ) => {
                let both = || operands.iter().zip(others);
                loop_ == other
                    && operands.len() == others.len()
                    && both().all(|(x, y)| is_opposite(x, y))
            }
            (ScevKind::Mul(v, _), ScevKind::Mul(w, _)) => match (&v[..], &w[..]) {
                ([c, x], [d, y]) => x == y && is_opposite(c, d) && c.as_constant().is_some(),
                _ => false,
            },
            _ => false,
        }
}

/// Factors and constants of sizes are shorter than this.
const LONGEST: u128 = 1 << 40;
