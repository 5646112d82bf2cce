//! The shape of an array from the strides of all its accesses.
//!
//! A byte offset is a polynomial: a sum of constants times products of parameters times at most one iterator. The strides
//! of the dimensions are among the coefficients of iterators:
//!
//! * products of parameters (`8*n*m`, `8*n`), each dividing the one before;
//! * constants (`8800`, `8`), each dividing the one before; values that are sums of others come from diagonals
//!   (`A[i][i]` moves by 8808) and are dropped.
//!
//! All accesses of one array get one shape, decided here, so that they can be compared. Every offset is then written in
//! mixed radix with signed remainders (`-8792` is one row up and one element right). That subscripts stay inside
//! their rows becomes an assumption. Without a chain of strides the array has one dimension, which is exact too.

use super::affine::{Affine, NotAffine};
use super::model::Model;
use crate::ids::{LoopId, ValueId};
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::AssumptionKind;
use std::collections::BTreeMap;

/// A product of parameters, sorted.
pub(super) type Monomial = Vec<ValueId>;

/// A polynomial: coefficients by product of parameters and iterator.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Poly {
    terms: BTreeMap<(Monomial, Option<LoopId>), i128>,
}

/// A subscript: a sum of constants times a product of parameters and at most one iterator.
pub(super) type Digit = Vec<(Monomial, Option<LoopId>, i128)>;

/// The sizes of a step in each dimension, outermost first: a product of parameters times a constant.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shape {
    strides: Vec<(Monomial, i128)>,
}

impl Poly {
    fn constant(c: i128) -> Poly {
        Poly {
            terms: BTreeMap::from([((vec![], None), c)]),
        }
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
                let iter = match (i, j) {
                    (Some(_), Some(_)) => return Err(NotAffine),
                    (i, j) => i.or(*j),
                };
                let mut product = m.clone();
                product.extend(n);
                product.sort();
                *all.terms.entry((product, iter)).or_insert(0) += c * d;
            }
        }
        all.terms.retain(|_, c| *c != 0);
        Ok(all)
    }

    /// `self - other`.
    pub fn minus(self, other: &Poly) -> Poly {
        self.add(other, -1)
    }

    /// In the first iteration of a loop.
    pub fn at_first(mut self, l: LoopId) -> Poly {
        self.terms.retain(|(_, i), _| *i != Some(l));
        self
    }

    /// As one sum.
    pub fn digit(&self) -> Digit {
        let terms = self.terms.iter();
        terms.map(|((m, i), c)| (m.clone(), *i, *c)).collect()
    }

    /// With a loop added that moves it by a product of parameters times a constant.
    pub fn plus_step(&self, (m, c): &(Monomial, i128), l: LoopId) -> Poly {
        let mut all = self.clone();
        all.terms.insert((m.clone(), Some(l)), *c);
        all
    }

    /// The polynomial of an evolution; what its casts take for granted is noted in `affine`.
    pub fn of(s: &Scev, affine: &mut Affine) -> Result<Poly, NotAffine> {
        match &s.kind {
            ScevKind::Const(c) => Ok(Poly::constant(*c)),
            ScevKind::Unknown(v) => {
                affine.text(s)?;
                Ok(Poly {
                    terms: BTreeMap::from([((vec![*v], None), 1)]),
                })
            }
            ScevKind::Add(v, _) => {
                let mut all = Poly::default();
                for t in v {
                    all = all.add(&Poly::of(t, affine)?, 1);
                }
                Ok(all)
            }
            ScevKind::Mul(v, _) => {
                let mut all = Poly::constant(1);
                for t in v {
                    all = all.mul(&Poly::of(t, affine)?)?;
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
                let iterator = Poly {
                    terms: BTreeMap::from([((vec![], Some(*loop_)), 1)]),
                };
                let moved = Poly::of(step, affine)?.mul(&iterator)?;
                Ok(Poly::of(start, affine)?.add(&moved, 1))
            }
            ScevKind::ZExt(a) => {
                if let Ok(text) = affine.text(a) {
                    affine.suspect(format!("{text} < 0"), AssumptionKind::NoWrap);
                    return Poly::of(a, affine);
                }
                Err(NotAffine)
            }
            ScevKind::SExt(a) => {
                affine.text(a)?;
                Poly::of(a, affine)
            }
            ScevKind::Trunc(a) => {
                affine.text(s)?;
                Poly::of(a, affine)
            }
            _ => Err(NotAffine),
        }
    }
}

impl Shape {
    /// The shape of an array of elements of `element` bytes with these offsets.
    pub fn of(offsets: &[&Poly], element: i128) -> Shape {
        let steps = offsets
            .iter()
            .flat_map(|p| &p.terms)
            .filter(|((_, i), _)| i.is_some());
        let mut symbolic: Vec<(Monomial, i128)> = vec![];
        let mut constants: Vec<i128> = vec![];
        for ((m, _), c) in steps {
            if m.is_empty() {
                constants.push(c.abs());
            } else {
                symbolic.push((m.clone(), c.abs()));
            }
        }
        let line = Shape {
            strides: vec![(vec![], element)],
        };
        let Some(mut strides) = symbolic_chain(symbolic) else {
            return line;
        };
        let Some(inner) = constant_chain(constants, element) else {
            return line;
        };
        if strides.last().is_some_and(|(_, c)| c % inner[0] != 0) {
            return line;
        }
        strides.extend(inner.into_iter().map(|c| (vec![], c)));
        Shape { strides }
    }

    /// With the row that a diagonal belongs to: where nothing moves by whole rows alone, the step from `A[i][i]` to the next
    /// is taken for a row, and what says how long a row is (a memory set of all of them) does not fit it.
    pub fn without_diagonal(&self) -> Option<Shape> {
        let [(m, row), (n, element)] = &self.strides[..] else {
            return None;
        };
        let rest = row - element;
        (m.is_empty() && n.is_empty() && rest > *element).then(|| Shape {
            strides: vec![(vec![], rest), (vec![], *element)],
        })
    }

    /// One dimension.
    pub fn line(element: i128) -> Shape {
        Shape {
            strides: vec![(vec![], element)],
        }
    }

    /// Two dimensions, from the length of a range that is a product of two parameters.
    pub fn rows(len: &Poly, element: i128) -> Option<Shape> {
        let mut terms = len.terms.iter();
        match (terms.next(), terms.next()) {
            (Some(((m, None), c)), None) if m.len() == 2 && *c > 0 && c % element == 0 => {
                let strides = vec![(vec![m[1]], *c), (vec![], element)];
                Some(Shape { strides })
            }
            _ => None,
        }
    }

    /// Bytes per step of a dimension.
    pub fn stride(&self, d: usize) -> &(Monomial, i128) {
        &self.strides[d]
    }

    pub fn dims(&self) -> usize {
        self.strides.len()
    }

    /// An offset in mixed radix: one subscript per dimension; `None` if it does not fit the shape.
    pub fn digits(&self, offset: &Poly) -> Option<Vec<Digit>> {
        let mut rest = offset.digit();
        let mut all = vec![];
        for (d, (mono, size)) in self.strides.iter().enumerate() {
            let last = d + 1 == self.strides.len();
            let mut digit = vec![];
            let mut left = vec![];
            for (m, i, c) in rest {
                let quotient = divide(&m, mono);
                let fits = quotient
                    .as_ref()
                    .is_some_and(|q| q.len() + usize::from(i.is_some()) <= 1);
                let count = match (fits, last) {
                    (false, _) => 0,
                    (true, true) if c % size == 0 => c / size,
                    (true, true) => return None,
                    // A constant between two rows belongs to the nearer one.
                    (true, false) if i.is_none() && m.is_empty() => {
                        (2 * c + size).div_euclid(2 * size)
                    }
                    (true, false) => c / size,
                };
                if count != 0 {
                    digit.push((quotient.unwrap_or_default(), i, count));
                }
                let remaining = c - count * size;
                if remaining != 0 {
                    left.push((m, i, remaining));
                }
            }
            rest = left;
            all.push(digit);
        }
        rest.is_empty().then_some(all)
    }

    /// Moves one row from dimension `d - 1` to dimension `d`; false if a row's size is no expression.
    pub fn borrow_row(&self, digits: &mut [Digit], d: usize) -> bool {
        let (row, element) = (&self.strides[d - 1], &self.strides[d]);
        match divide(&row.0, &element.0).filter(|_| row.1 % element.1 == 0) {
            Some(extent) => {
                add_term(&mut digits[d], extent, row.1 / element.1);
                add_term(&mut digits[d - 1], vec![], -1);
                true
            }
            None => false,
        }
    }

    /// The number of elements of each dimension but the first, as text; `None` if one is no affine expression.
    pub fn extents(&self, model: &Model) -> Option<Vec<String>> {
        let ratio = |w: &[(Monomial, i128)]| {
            let quotient = divide(&w[0].0, &w[1].0)?;
            if w[0].1 % w[1].1 != 0 {
                return None;
            }
            let c = w[0].1 / w[1].1;
            match &quotient[..] {
                [] => Some(format!("{c}")),
                [p] => Some(format!("{c}*{}", model.params.name(*p)?)),
                _ => None,
            }
        };
        self.strides.windows(2).map(ratio).collect()
    }

    /// Bytes per step and dimension, as evolutions of 64 bits; and the sizes of all dimensions but the first.
    pub fn scevs(&self, model: &Model) -> (Vec<Scev>, Vec<Scev>) {
        let product = |m: &Monomial, c: i128| {
            let mut factors = vec![Scev::constant(64, c)];
            factors.extend(m.iter().map(|p| widened(*p, model)));
            match factors.len() {
                1 => factors.remove(0),
                _ => Scev {
                    width: 64,
                    kind: ScevKind::Mul(factors, Wrap::default()),
                },
            }
        };
        let strides = self.strides.iter().map(|(m, c)| product(m, *c)).collect();
        let extent = |w: &[(Monomial, i128)]| {
            product(
                &divide(&w[0].0, &w[1].0).unwrap_or_default(),
                w[0].1 / w[1].1,
            )
        };
        (strides, self.strides.windows(2).map(extent).collect())
    }
}

/// Adds `c` times a product of parameters.
fn add_term(digit: &mut Digit, m: Monomial, c: i128) {
    match digit.iter_mut().find(|t| t.0 == m && t.1.is_none()) {
        Some(t) => t.2 += c,
        None => digit.push((m, None, c)),
    }
    digit.retain(|t| t.2 != 0);
}

fn widened(p: ValueId, model: &Model) -> Scev {
    let width = super::width_of(model.region, p);
    let value = Scev::unknown(width, p);
    if width == 64 {
        value
    } else {
        Scev {
            width: 64,
            kind: ScevKind::SExt(Box::new(value)),
        }
    }
}

/// A subscript as text over a nest.
pub(super) fn digit_text(digit: &Digit, model: &Model, nest: &[LoopId]) -> Option<String> {
    let terms = digit.iter().map(|(m, i, c)| term(*c, m, *i, model, nest));
    let text = terms.collect::<Option<Vec<_>>>()?.join(" + ");
    Some(if text.is_empty() { "0".into() } else { text })
}

fn term(
    c: i128,
    m: &Monomial,
    i: Option<LoopId>,
    model: &Model,
    nest: &[LoopId],
) -> Option<String> {
    match (&m[..], i) {
        ([], None) => Some(c.to_string()),
        ([], Some(l)) => Some(format!("{c}*i{}", nest.iter().position(|x| *x == l)?)),
        ([p], None) => Some(format!("{c}*{}", model.params.name(*p)?)),
        _ => None,
    }
}

/// `a / b` as products.
fn divide(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut rest = a.clone();
    for p in b {
        let at = rest.iter().position(|x| x == p)?;
        rest.remove(at);
    }
    Some(rest)
}

/// Products of parameters in descending order, each dividing the one before; one constant factor per product.
fn symbolic_chain(mut all: Vec<(Monomial, i128)>) -> Option<Vec<(Monomial, i128)>> {
    all.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.cmp(b)));
    let mut chain: Vec<(Monomial, i128)> = vec![];
    for (m, c) in all {
        match chain.iter_mut().find(|(n, _)| *n == m) {
            Some((_, d)) => *d = gcd(*d, c),
            None => chain.push((m, c)),
        }
    }
    let divides =
        |w: &[(Monomial, i128)]| divide(&w[0].0, &w[1].0).is_some() && w[0].1 % w[1].1 == 0;
    chain.windows(2).all(divides).then_some(chain)
}

/// Constant strides in descending order, each dividing the one before, down to the element.
fn constant_chain(mut all: Vec<i128>, element: i128) -> Option<Vec<i128>> {
    all.push(element);
    all.sort_unstable();
    all.dedup();
    let is_sum = |x: i128| {
        all.iter()
            .any(|&a| a < x && x - a != a && all.contains(&(x - a)))
    };
    let mut chain: Vec<i128> = all
        .iter()
        .copied()
        .filter(|&x| x == element || !is_sum(x))
        .collect();
    // Multiples of a stride that are no stride of a larger dimension (steps of 2 elements) are small.
    chain.retain(|&x| x == element || x >= MIN_ROW * element);
    chain.reverse();
    let ok = chain.windows(2).all(|w| w[0] % w[1] == 0) && chain.last() == Some(&element);
    ok.then_some(chain)
}

/// Rows shorter than this many elements are taken for strided accesses to one dimension.
const MIN_ROW: i128 = 5;

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
