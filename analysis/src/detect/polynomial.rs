//! Byte offsets as polynomials: sums of constants times products of parameters times at most one index.
//!
//! An *index* is an iterator, or a value of the iterators that is not affine but that the sets can express: `floor(j/4)`,
//! `j mod 7`, `min(i, j)`. Scalar evolution writes a remainder as a difference, and adds it to what is already there:
//!
//! ```text
//! a[j % 7]              8*j - 56*floor(j/7)
//! a[j/4 * 32 + j % 4]   8*j + 224*floor(j/4)
//! ```
//!
//! Subscripts come out if the remainder is one index again: with `j = c*floor(j/c) + j mod c`, these are `8*(j mod 7)` and
//! `256*floor(j/4) + 8*(j mod 4)`.

use super::affine::{Affine, NotAffine, Params, Size, may_wrap};
use super::linear;
use super::model::Model;
use crate::ids::{LoopId, ValueId};
use crate::region::CmpPred;
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::AssumptionKind;
use std::collections::{BTreeMap, BTreeSet};

/// A parameter with a constant added. Offsets are made of parameters alone; [`super::shape`] takes rows of `n + 1`
/// elements for a size of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Factor {
    /// The parameter.
    pub param: Size,
    /// What is added.
    pub plus: i128,
}

impl Factor {
    /// As text; `None` if the value is no parameter.
    pub fn text(self, model: &Model) -> Option<String> {
        let name = model.params.size(self.param)?.name;
        Some(match self.plus {
            0 => name.to_owned(),
            plus => format!("({name} + {plus})"),
        })
    }
}

/// A product of parameters, sorted.
pub(super) type Monomial = Vec<Factor>;

/// What moves within a nest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Index {
    /// The iterator of a loop.
    Loop(LoopId),
    /// An evolution that is no polynomial.
    Value(Box<Scev>),
    /// The remainder of an evolution's division by a constant or, in an address, by a parameter.
    Rest(Box<Scev>, Box<Scev>),
}

/// A polynomial: coefficients by product of parameters and index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Poly {
    terms: BTreeMap<(Monomial, Option<Index>), i128>,
}

/// A subscript: a sum of constants times a product of parameters and at most one index.
pub(super) type Digit = Vec<(Monomial, Option<Index>, i128)>;

impl Poly {
    /// One term, or none: zero is a multiple of every product of parameters, also in a choice (`c ? 0 : n`).
    fn single(m: Monomial, i: Option<Index>, c: i128) -> Poly {
        let terms = (c != 0).then_some(((m, i), c));
        Poly {
            terms: terms.into_iter().collect(),
        }
    }

    fn size(param: Size) -> Poly {
        Poly::single(vec![Factor { param, plus: 0 }], None, 1)
    }

    /// What [`Params::sum`] says of an evolution.
    fn of_size((size, times, plus): (Size, i128, i128)) -> Poly {
        Poly::single(vec![], None, plus).add(&Poly::size(size), times)
    }

    fn add(mut self, other: &Poly, factor: i128) -> Poly {
        for (key, c) in &other.terms {
            *self.terms.entry(key.clone()).or_insert(0) += c * factor;
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    fn mul(&self, other: &Poly) -> Result<Poly, NotAffine> {
        let mut all = Poly::default();
        for ((m, i), c) in &self.terms {
            for ((n, j), d) in &other.terms {
                let index = match (i, j) {
                    (Some(_), Some(_)) => return Err(NotAffine),
                    (i, j) => i.clone().or_else(|| j.clone()),
                };
                let key = (product(m, n), index);
                *all.terms.entry(key).or_insert(0) += c * d;
            }
        }
        all.terms.retain(|_, c| *c != 0);
        Ok(all)
    }

    /// `self - other`.
    pub fn minus(self, other: &Poly) -> Poly {
        self.add(other, -1)
    }

    /// In the first iteration of a loop; values of its iterator stay what they are.
    pub fn at_first(mut self, l: LoopId) -> Poly {
        self.terms.retain(|(_, i), _| *i != Some(Index::Loop(l)));
        self
    }

    /// Written with other sizes: `n` as `(n + plus) - plus`.
    pub fn with_sizes(&self, sizes: &BTreeMap<Size, i128>) -> Poly {
        let mut all = Poly::default();
        for ((m, i), c) in &self.terms {
            let mut product = Poly::single(vec![], i.clone(), *c);
            for f in m {
                let plus = sizes.get(&f.param).map_or(0, |plus| plus - f.plus);
                let size = Factor {
                    plus: f.plus + plus,
                    ..*f
                };
                let factor = Poly::single(vec![size], None, 1);
                let factor = factor.add(&Poly::single(vec![], None, 1), -plus);
                product = product.mul(&factor).expect("only one of them has an index");
            }
            all = all.add(&product, 1);
        }
        all
    }

    /// With a sum of these parts, as often as what stands still has all of them: `2*l + u` as `(l + u) + l`.
    pub fn with_sum(self, sum: Size, parts: &[(ValueId, i128)]) -> Poly {
        let of = |param| (vec![Factor { param, plus: 0 }], None);
        let has =
            |(v, c): &(ValueId, i128)| self.terms.get(&of(Size::Value(*v))).map_or(0, |t| t / c);
        let times = parts.iter().map(has).min().unwrap_or(0).max(0);
        let mut terms = self.terms;
        for (v, c) in parts {
            *terms.entry(of(Size::Value(*v))).or_insert(0) -= times * c;
        }
        *terms.entry(of(sum)).or_insert(0) += times;
        terms.retain(|_, c| *c != 0);
        Poly { terms }
    }

    /// The sizes `n + plus` that indices are multiplied with, where one moves by `c*(n + plus)*m`, or a power of it:
    /// `n*n + 2*plus*n + ..`.
    pub fn factors(&self) -> BTreeSet<Factor> {
        let mut found = BTreeSet::new();
        for ((m, i), c) in self.terms.iter().filter(|((_, i), _)| i.is_some()) {
            for (at, f) in m.iter().enumerate() {
                let mut others = m.clone();
                others.remove(at);
                let rest = self.terms.get(&(others, i.clone())).unwrap_or(&0);
                let power = |m: &Monomial| m.iter().filter(|other| *other == f).count();
                // Of a power, what its highest term says.
                if self
                    .terms
                    .keys()
                    .any(|(n, j)| j == i && power(n) > power(m))
                {
                    continue;
                }
                let c = c * power(m) as i128;
                let plus = if rest % c == 0 { rest / c } else { 0 };
                found.insert(Factor { plus, ..*f });
            }
        }
        found
    }

    /// What each product of parameters is multiplied with.
    pub fn by_product(&self) -> BTreeMap<&Monomial, Digit> {
        let mut all: BTreeMap<&Monomial, Digit> = BTreeMap::new();
        for ((m, i), c) in &self.terms {
            all.entry(m).or_default().push((vec![], i.clone(), *c));
        }
        all
    }

    /// As one sum.
    pub fn digit(&self) -> Digit {
        let terms = self.terms.iter();
        terms
            .map(|((m, i), c)| (m.clone(), i.clone(), *c))
            .collect()
    }

    /// The terms that move: what they move by.
    pub fn steps(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        let terms = self.terms.iter();
        terms.filter_map(|((m, i), c)| i.as_ref().map(|_| (m, *c)))
    }

    /// The terms that stand still, without signs.
    pub fn fixed(&self) -> impl Iterator<Item = (Monomial, i128)> {
        let fixed = self.terms.iter().filter(|((_, i), _)| i.is_none());
        fixed.map(|((m, _), c)| (m.clone(), c.abs()))
    }

    /// The product of parameters that this is, and its factor.
    pub fn as_product(&self) -> Option<(&Monomial, i128)> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (Some(((m, None), c)), None) => Some((m, *c)),
            _ => None,
        }
    }

    /// Whether all indices are iterators.
    pub fn is_linear(&self) -> bool {
        let mut indices = self.terms.keys().filter_map(|(_, i)| i.as_ref());
        indices.all(|i| matches!(i, Index::Loop(_)))
    }

    /// With a loop added that moves it by a product of parameters times a constant.
    pub fn plus_step(&self, (m, c): &(Monomial, i128), l: LoopId) -> Poly {
        let step = Poly::single(m.clone(), Some(Index::Loop(l)), *c);
        self.clone().add(&step, 1)
    }

    /// The polynomial of an evolution; what its casts take for granted is noted in `affine`.
    pub fn of(s: &Scev, affine: &mut Affine) -> Result<Poly, NotAffine> {
        let mut poly = Poly::sum(s, affine)?;
        for quotient in poly.quotients() {
            poly = poly.with_remainders(&quotient, affine)?;
        }
        Ok(poly)
    }

    /// The same, before remainders are looked for.
    pub(super) fn sum(s: &Scev, affine: &mut Affine) -> Result<Poly, NotAffine> {
        match &s.kind {
            _ if may_wrap(s) => Poly::value(s, affine),
            ScevKind::Const(c) => Ok(Poly::single(vec![], None, *c)),
            ScevKind::Unknown(v) => {
                affine.text(s)?;
                Ok(Poly::size(Size::Value(*v)))
            }
            ScevKind::Add(..) | ScevKind::UDiv(..) if let Some(sum) = affine.params.sum(s) => {
                // What its parts take for granted is noted.
                for t in s.operands() {
                    Poly::sum(t, affine)?;
                }
                Ok(Poly::of_size(sum))
            }
            ScevKind::Add(v, _) => {
                let mut all = Poly::default();
                for t in v {
                    all = all.add(&Poly::sum(t, affine)?, 1);
                }
                Ok(all)
            }
            ScevKind::Mul(v, _) => {
                let mut all = Poly::single(vec![], None, 1);
                for t in v {
                    all = all.mul(&Poly::sum(t, affine)?)?;
                }
                Ok(all)
            }
            ScevKind::AddRec {
                loop_, operands, ..
            } => {
                let [start, step] = &operands[..] else {
                    return Err(NotAffine);
                };
                if !affine.nest.contains(loop_) {
                    return Err(NotAffine);
                }
                let iterator = Poly::single(vec![], Some(Index::Loop(*loop_)), 1);
                let moved = Poly::sum(step, affine)?.mul(&iterator)?;
                Ok(Poly::sum(start, affine)?.add(&moved, 1))
            }
            ScevKind::ZExt(a) | ScevKind::SExt(a) if may_wrap(a) => Poly::value(s, affine),
            // Read as a signed integer, a bit that is set is -1.
            ScevKind::ZExt(bit) if bit.width == 1 => {
                Ok(Poly::default().add(&Poly::sum(bit, affine)?, -1))
            }
            ScevKind::ZExt(a) => match affine.tried(or_nothing(a).unwrap_or(a)) {
                Ok(text) => {
                    affine.suspect(format!("{text} < 0"), AssumptionKind::NoWrap);
                    Poly::sum(a, affine)
                }
                Err(NotAffine) => affine.wide(a, a.width, false),
            },
            ScevKind::SExt(a) if a.never_wraps() || affine.tried(a).is_ok() => Poly::sum(a, affine),
            ScevKind::SExt(a) => affine.wide(a, a.width, true),
            ScevKind::Trunc(a) if affine.tried(s).is_ok() => Poly::sum(a, affine),
            ScevKind::Trunc(a) => affine.wide(a, s.width, true),
            ScevKind::SMax(v) if let Some((least, size)) = linear::or_nothing(v) => {
                let text = affine.text(size)?;
                affine.suspect(format!("{text} < {least}"), AssumptionKind::Stride);
                Poly::sum(size, affine)
            }
            ScevKind::UDiv(..) if let Some(size) = affine.params.quotient(s) => {
                Ok(Poly::size(size))
            }
            ScevKind::UDiv(a, b) if b.as_constant().is_none() => {
                // Its remainder has a meaning, see `with_remainders`.
                affine.around(a, b)?;
                Ok(Poly::single(
                    vec![],
                    Some(Index::Value(Box::new(s.clone()))),
                    1,
                ))
            }
            ScevKind::UDiv(a, b)
                if let Some(c) = b.as_constant().filter(|c| *c > 0)
                    && affine.tried(s).is_err() =>
            {
                Poly::exact_quotient(a, c, affine)
            }
            ScevKind::SMax(_) | ScevKind::SMin(_) | ScevKind::UMax(_) | ScevKind::UMin(_)
                if let Some(sum) = affine.params.sum(s) =>
            {
                // What its parts take for granted is noted.
                affine.text(s)?;
                Ok(Poly::of_size(sum))
            }
            ScevKind::UDiv(..)
            | ScevKind::SRem(..)
            | ScevKind::SMax(_)
            | ScevKind::SMin(_)
            | ScevKind::UMax(_)
            | ScevKind::UMin(_) => Poly::value(s, affine),
            ScevKind::Select(pred, parts) => Poly::choice(s.width, *pred, parts, affine),
            ScevKind::Unknowable => Err(NotAffine),
        }
    }

    /// A quotient of which every term is a multiple of the divisor: what LLVM makes of an index that is truncated (`4*(i*m)`
    /// without its high bits).
    fn exact_quotient(a: &Scev, by: i128, affine: &mut Affine) -> Result<Poly, NotAffine> {
        let mut poly = Poly::of(a, affine)?;
        if poly.terms.values().any(|c| c % by != 0) {
            return Err(NotAffine);
        }
        affine.stays_in(poly.clone(), (Some(0), Some(i64::MAX)));
        poly.terms.values_mut().for_each(|c| *c /= by);
        Ok(poly)
    }

    fn value(s: &Scev, affine: &mut Affine) -> Result<Poly, NotAffine> {
        affine.text(s)?;
        let index = Index::Value(Box::new(s.clone()));
        Ok(Poly::single(vec![], Some(index), 1))
    }

    /// A choice. Where its values have factors (`c ? 0 : n*i`), so has each product of parameters a choice of its own.
    fn choice(
        width: u32,
        pred: CmpPred,
        parts: &[Scev; 4],
        affine: &mut Affine,
    ) -> Result<Poly, NotAffine> {
        let [lhs, rhs, then, els] = parts;
        let condition = affine.compare(pred, lhs, rhs)?;
        let then = affine.under(&condition, |a| Poly::sum(then, a))?;
        let els = affine.under(&format!("not {condition}"), |a| Poly::sum(els, a))?;
        let (common, then, els) = without_common_factors(then, els);
        let mut factors: Vec<&Monomial> = then.terms.keys().map(|(m, _)| m).collect();
        factors.extend(els.terms.keys().map(|(m, _)| m));
        let plain = factors
            .iter()
            .all(|m| m.len() <= 1 && !then.moves_by(m) && !els.moves_by(m));
        let factors: BTreeSet<Monomial> = match plain {
            true => BTreeSet::from([vec![]]),
            false => factors.into_iter().cloned().collect(),
        };
        let mut all = Poly::default();
        for m in factors {
            let part = |p: &Poly| match plain {
                true => p.as_evolution(width),
                false => p.of_factor(&m).as_evolution(width),
            };
            let parts = [lhs.clone(), rhs.clone(), part(&then)?, part(&els)?];
            let s = Scev {
                width,
                kind: ScevKind::Select(pred, Box::new(parts)),
            };
            let index = Index::Value(Box::new(s));
            all = all.add(&Poly::single(product(&common, &m), Some(index), 1), 1);
        }
        Ok(all)
    }

    /// Whether an index is multiplied with these parameters.
    fn moves_by(&self, m: &Monomial) -> bool {
        let moving = |(n, i): &(Monomial, Option<Index>)| !m.is_empty() && n == m && i.is_some();
        self.terms.keys().any(moving)
    }

    /// Without a parameter that all terms are multiplied with.
    fn divided_by(&self, p: Factor) -> Option<Poly> {
        let mut terms = BTreeMap::new();
        for ((m, i), c) in &self.terms {
            let mut m = m.clone();
            m.remove(m.iter().position(|x| *x == p)?);
            terms.insert((m, i.clone()), *c);
        }
        Some(Poly { terms })
    }

    /// What is multiplied with these parameters.
    fn of_factor(&self, m: &Monomial) -> Poly {
        let terms = self.terms.iter().filter(|((n, _), _)| n == m);
        Poly {
            terms: terms.map(|((_, i), c)| ((vec![], i.clone()), *c)).collect(),
        }
    }

    /// As an evolution, without products of parameters and remainders.
    fn as_evolution(&self, width: u32) -> Result<Scev, NotAffine> {
        let scev = |kind| Scev { width, kind };
        let constant = |c| Scev::constant(width, c);
        let wrap = Wrap {
            nuw: false,
            nsw: true,
        };
        let mut terms = vec![];
        for ((m, i), c) in &self.terms {
            let what = match (&m[..], i) {
                ([], None) => {
                    terms.push(constant(*c));
                    continue;
                }
                ([f], None)
                    if f.plus == 0
                        && let Size::Value(v) = f.param =>
                {
                    Scev::unknown(width, v)
                }
                ([], Some(Index::Loop(l))) => scev(ScevKind::AddRec {
                    loop_: *l,
                    operands: vec![constant(0), constant(1)],
                    wrap,
                }),
                ([], Some(Index::Value(s))) => (**s).clone(),
                _ => return Err(NotAffine),
            };
            terms.push(scev(ScevKind::Mul(vec![constant(*c), what], wrap)));
        }
        Ok(match terms.len() {
            0 => constant(0),
            1 => terms.remove(0),
            _ => scev(ScevKind::Add(terms, wrap)),
        })
    }

    /// The quotients by constants that occur.
    fn quotients(&self) -> Vec<Scev> {
        let mut found: Vec<Scev> = vec![];
        for (_, i) in self.terms.keys() {
            if let Some(Index::Value(s)) = i
                && matches!(s.kind, ScevKind::UDiv(..))
                && !found.contains(s)
            {
                found.push((**s).clone());
            }
        }
        found
    }

    /// With the dividend of a quotient, where it occurs beside it, as `divisor*quotient + remainder`.
    fn with_remainders(self, quotient: &Scev, affine: &mut Affine) -> Result<Poly, NotAffine> {
        let ScevKind::UDiv(a, divisor) = &quotient.kind else {
            return Ok(self);
        };
        let (dividend, by) = (Poly::sum(a, affine)?, Poly::sum(divisor, affine)?);
        let Some((parameters, c)) = by.as_product() else {
            return Err(NotAffine);
        };
        let whole = Index::Value(Box::new(quotient.clone()));
        let rest = Index::Rest(a.clone(), divisor.clone());
        // Only a remainder by a parameter is understood, not the quotient.
        let known = parameters.is_empty();
        let factors: Vec<Monomial> = self
            .terms
            .keys()
            .filter(|(_, i)| *i == Some(whole.clone()))
            .filter_map(|(m, _)| divide(m, parameters))
            .collect();
        let mut poly = self;
        for m in factors {
            let k = match known && !dividend.moves() {
                true => 0,
                false => poly.times(&dividend, &m),
            };
            if k != 0 {
                let scaled = dividend.mul(&Poly::single(m.clone(), None, k))?;
                poly = poly
                    .minus(&scaled)
                    .add(
                        &Poly::single(product(&m, parameters), Some(whole.clone()), k * c),
                        1,
                    )
                    .add(&Poly::single(m, Some(rest.clone()), k), 1);
            }
        }
        let open = poly.terms.keys().any(|(_, i)| *i == Some(whole.clone()));
        match known || !open {
            true => Ok(poly),
            false => Err(NotAffine),
        }
    }

    /// Whether an index occurs.
    fn moves(&self) -> bool {
        self.terms.keys().any(|(_, i)| i.is_some())
    }

    /// How often the moving terms of `other`, or all if there are none, times a product of parameters are contained.
    fn times(&self, other: &Poly, m: &Monomial) -> i128 {
        // What stands still counts where nothing moves, as in the last iteration of a loop.
        let moves = other.moves();
        let moving = other
            .terms
            .iter()
            .filter(|((_, i), _)| i.is_some() == moves);
        let counts = moving.map(|((n, i), c)| {
            let own = self.terms.get(&(product(m, n), i.clone()));
            own.copied().unwrap_or(0) / c
        });
        let counts: Vec<i128> = counts.collect();
        let same_sign = counts.windows(2).all(|w| w[0].signum() == w[1].signum());
        let least = counts.into_iter().min_by_key(|c| c.abs());
        least.filter(|_| same_sign).unwrap_or(0)
    }
}

/// Two polynomials without the parameters that all terms of both are multiplied with, and these.
fn without_common_factors(mut a: Poly, mut b: Poly) -> (Monomial, Poly, Poly) {
    let mut common = vec![];
    let first = a.terms.keys().chain(b.terms.keys()).next();
    for p in first.map_or(vec![], |(m, _)| m.clone()) {
        let (Some(x), Some(y)) = (a.divided_by(p), b.divided_by(p)) else {
            continue;
        };
        (a, b) = (x, y);
        common.push(p);
    }
    (common, a, b)
}

/// The number that a product with bits is, or zero: such a product does not wrap, and is negative only if the number is.
fn or_nothing(s: &Scev) -> Option<&Scev> {
    let ScevKind::Mul(v, _) = &s.kind else {
        return None;
    };
    let is_bit = |t: &&Scev| matches!(&t.kind, ScevKind::ZExt(bit) if bit.width == 1);
    let (bits, others): (Vec<&Scev>, Vec<&Scev>) = v.iter().partition(is_bit);
    match others[..] {
        [one] if !bits.is_empty() => Some(one),
        _ => None,
    }
}

/// `m / n` as products.
pub(super) fn divide<T: PartialEq + Clone>(m: &[T], n: &[T]) -> Option<Vec<T>> {
    let mut rest = m.to_vec();
    for p in n {
        rest.remove(rest.iter().position(|x| x == p)?);
    }
    Some(rest)
}

fn product(m: &Monomial, n: &Monomial) -> Monomial {
    let mut all = [m.as_slice(), n].concat();
    all.sort();
    all
}

/// The parameter that a product of several is.
pub(super) fn as_product<'p>(m: &Monomial, params: &'p Params) -> Option<&'p str> {
    params.product(&values(m)?)
}

/// The values that a product is made of, sorted; `None` if something else is a factor.
pub(super) fn values(m: &Monomial) -> Option<Vec<ValueId>> {
    let value = |f: &Factor| match f.param {
        Size::Value(v) if f.plus == 0 => Some(v),
        _ => None,
    };
    let mut factors: Vec<ValueId> = m.iter().map(value).collect::<Option<_>>()?;
    factors.sort();
    Some(factors)
}

/// A subscript as text over a nest.
pub(super) fn digit_text(digit: &Digit, model: &Model, nest: &[LoopId]) -> Option<String> {
    let terms = digit
        .iter()
        .map(|(m, i, c)| term(*c, m, i.as_ref(), model, nest));
    let text = terms.collect::<Option<Vec<_>>>()?.join(" + ");
    Some(if text.is_empty() { "0".into() } else { text })
}

fn term(
    c: i128,
    m: &Monomial,
    i: Option<&Index>,
    model: &Model,
    nest: &[LoopId],
) -> Option<String> {
    // What values take for granted was noted when the polynomial was made.
    let value = |s: &Scev| Affine::with_remainders(&model.params, nest).text(s).ok();
    match (&m[..], i) {
        ([], None) => Some(c.to_string()),
        ([], Some(Index::Loop(l))) => Some(format!("{c}*i{}", nest.iter().position(|x| x == l)?)),
        ([], Some(Index::Value(s))) => Some(format!("{c}*({})", value(s)?)),
        ([], Some(Index::Rest(s, n))) => match n.as_constant() {
            Some(n) => Some(format!("{c}*(({}) mod {n})", value(s)?)),
            None => {
                let mut affine = Affine::with_remainders(&model.params, nest);
                Some(format!("{c}*({})", affine.around(s, n).ok()?))
            }
        },
        ([p], None) => Some(format!("{c}*{}", p.text(model)?)),
        (_, None) => Some(format!("{c}*{}", as_product(m, &model.params)?)),
        _ => None,
    }
}
