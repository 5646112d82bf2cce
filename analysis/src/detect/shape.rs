//! The shape of an array from the strides of all its accesses.
//!
//! A byte offset is a polynomial ([`super::polynomial`]). The strides of the dimensions are among the coefficients of its
//! indices:
//!
//! * products of parameters (`8*n*m`, `8*n`), each dividing the one before,
//!   or independent ones in the order of the loops that move by them ([`super::chains`]);
//! * constants (`8800`, `8`), each dividing the one before; values that are sums of others come from diagonals
//!   (`A[i][i]` moves by 8808) and are dropped.
//!
//! A loop that takes several rows at a time moves by their sum; what lies between says how long one is (`A[2*i][j]`, `A[2*i + 1][j]`,
//! also where the rows' length is a parameter).
//!
//! Rows of `n + 1` elements are a size of their own: their strides are written as `8*(n + 1)*(m + 1)`, which tells them from
//! the diagonals of rows of `n` elements. Where nothing but diagonals moves, rows of one element less and one more are tried, too.
//!
//! Fields that only constants tell apart are a dimension of their own ([`super::planes`]).
//!
//! All accesses of one array get one shape, decided here, so that they can be compared. Every offset is then written in
//! mixed radix with signed remainders (`-8792` is one row up and one element right). That subscripts stay inside
//! their rows becomes an assumption. Without a chain of strides the array has one dimension, which is exact too.
//! Arrays that are only read need no rows that are apart: where an assumption would be needed, they do without ([`Shape::loose`]).

use super::affine::{Params, Size};
use super::chains::{self, Stride};
use super::model::Model;
use super::planes;
use super::polynomial::{self, Digit, Monomial, Poly};
use crate::scev::Scev;
use std::collections::{BTreeMap, BTreeSet};

/// The sizes of a step in each dimension, outermost first: a product of parameters times a constant.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shape {
    strides: Vec<Stride>,
    /// What is added to a parameter in the strides.
    sizes: BTreeMap<Size, i128>,
    /// Whether nothing is known of the length of rows: different subscripts may be the same element.
    loose: bool,
}

/// What says how long rows are, beside the strides of loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Nothing.
    Nothing,
    /// What stands still at multiples of strides.
    Strides,
    /// Also what stands still at multiples of parts of them: a plane of rows of which a nest takes the first and the third one
    /// (`a[i*n*m + j]`, `a[i*n*m + 2*m + j]`).
    Parts,
}

/// How well all subscripts of a shape have to be known to stay inside their rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fit {
    /// For all parameters.
    Certain,
    /// For all with which the deepest loops run.
    Running,
    /// For some, which is then assumed.
    Possible,
}

impl Shape {
    /// The shapes that an array of elements of `element` bytes with these offsets may have, the likeliest first. Rows of `n`
    /// elements with a diagonal also look like rows of `n + 1` elements; they are taken for what they are if nothing
    /// has to be assumed for it.
    pub fn candidates(params: &Params, offsets: &[&Poly], element: i128) -> Vec<(Shape, Fit)> {
        let sizes = sizes(offsets);
        let of = |sizes, between| Shape::of(params, offsets, element, (sizes, between));
        let (short, long) = (
            of(sizes.clone(), Between::Strides),
            of(sizes.clone(), Between::Nothing),
        );
        let diagonal = short.without_diagonal();
        let parts = Some(of(sizes.clone(), Between::Parts)).filter(|parts| *parts != short);
        let plain = (!sizes.is_empty()).then(|| of(BTreeMap::new(), Between::Strides));
        let beside = beside_diagonals(&sizes);
        let beside = beside.into_iter().map(|sizes| of(sizes, Between::Strides));
        let seen = seen_beside(offsets, &sizes);
        let seen = seen.into_iter().map(|sizes| of(sizes, Between::Strides));
        let fields = short.with_fields(offsets);
        let any = [
            fields,
            Some(short),
            diagonal,
            Some(long),
            plain.clone(),
            parts,
        ];
        let any = any.into_iter().flatten().chain(beside);
        let any = any.chain([Shape::line(element)]);
        let any = any.map(|s| (s, Fit::Possible));
        plain
            .into_iter()
            .map(|s| (s, Fit::Certain))
            .chain(seen.map(|s| (s, Fit::Running)))
            .chain(any)
            .collect()
    }

    /// The shape by the strides of loops, and by what lies `between` them.
    fn of(
        params: &Params,
        offsets: &[&Poly],
        element: i128,
        (sizes, between): (BTreeMap<Size, i128>, Between),
    ) -> Shape {
        let offsets: Vec<Poly> = offsets.iter().map(|p| p.with_sizes(&sizes)).collect();
        let offsets: Vec<&Poly> = offsets.iter().collect();
        let mut symbolic: Vec<Stride> = vec![];
        let mut constants: Vec<i128> = vec![];
        for (m, c) in offsets.iter().flat_map(|p| p.steps()) {
            if m.is_empty() {
                constants.push(c.abs());
            } else {
                symbolic.push((m.clone(), c.abs()));
            }
        }
        if between != Between::Nothing {
            let fixed = offsets.iter().flat_map(|p| p.fixed());
            symbolic = chains::with_fixed(symbolic, fixed, between == Between::Parts);
        }
        let line = Shape::line(element);
        let Some(mut strides) = symbolic_chain(params, symbolic) else {
            return line;
        };
        let rows = strides.last().map(|(_, c)| *c);
        let fits = |inner: &Vec<i128>| rows.is_none_or(|row| row % inner[0] == 0);
        let mut inner = match constant_chain(constants, element).filter(fits) {
            Some(inner) => inner,
            // Rows of any length have no parts: a loop by blocks of 16 elements moves along them.
            None if rows.is_some_and(|row| row % element == 0) => vec![element],
            None => return line,
        };
        if strides.is_empty()
            && let [row, next, ..] = inner[..]
            && let Some(short) = unrolled_row(&offsets, row, next)
        {
            inner[0] = short;
        }
        strides.extend(inner.into_iter().map(|c| (vec![], c)));
        Shape {
            strides,
            sizes,
            loose: false,
        }
    }

    /// The same dimensions, of which rows may be of any length and distance. That serves arrays that are only read: windows
    /// of an image overlap, and which of them share an element matters to nobody.
    pub fn loose(&self) -> Option<Shape> {
        let parametric = self.strides.iter().any(|(m, _)| !m.is_empty());
        parametric.then(|| Shape {
            loose: true,
            ..self.clone()
        })
    }

    /// Whether different subscripts may be the same element.
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    /// With the row that a diagonal belongs to: where nothing moves by whole rows alone, the step from `A[i][i]` to the next
    /// is taken for a row, and what says how long a row is (a memory set of all of them) does not fit it.
    fn without_diagonal(&self) -> Option<Shape> {
        let [(m, row), (n, element)] = &self.strides[..] else {
            return None;
        };
        let rest = row - element;
        (m.is_empty() && n.is_empty() && rest > *element).then(|| Shape {
            strides: vec![(vec![], rest), (vec![], *element)],
            ..Shape::line(*element)
        })
    }

    /// With one dimension more, of the fields that constants tell apart ([`planes`]).
    fn with_fields(&self, offsets: &[&Poly]) -> Option<Shape> {
        let (m, outer) = self.strides.first()?;
        if self.dims() < 2 || !m.is_empty() {
            return None;
        }
        let constants = offsets.iter().map(|p| constant(p)).collect();
        let field = planes::length(&constants, *outer)?;
        let strides = [(vec![], field)].into_iter().chain(self.strides.clone());
        Some(Shape {
            strides: strides.collect(),
            ..self.clone()
        })
    }

    /// One dimension.
    pub fn line(element: i128) -> Shape {
        Shape {
            strides: vec![(vec![], element)],
            sizes: BTreeMap::new(),
            loose: false,
        }
    }

    /// Two dimensions, from the length of a range that is a product of two parameters.
    pub fn rows(len: &Poly, element: i128) -> Option<Shape> {
        let (m, c) = len.as_product()?;
        (m.len() == 2 && c > 0 && c % element == 0).then(|| Shape {
            strides: vec![(vec![m[1]], c), (vec![], element)],
            ..Shape::line(element)
        })
    }

    /// Whether the length of its innermost rows is a constant.
    pub fn has_known_rows(&self) -> bool {
        matches!(&self.strides[..], [.., (row, _), _] if row.is_empty())
    }

    /// Bytes per step of a dimension.
    pub fn stride(&self, d: usize) -> &Stride {
        &self.strides[d]
    }

    pub fn dims(&self) -> usize {
        self.strides.len()
    }

    /// An offset with all whole rows in what stands still, where a row is as long as several values together.
    fn in_rows(&self, params: &Params, offset: &Poly) -> Poly {
        let sizes = self.strides.iter().flat_map(|(m, _)| m).map(|f| f.param);
        let sizes: BTreeSet<Size> = sizes.collect();
        let with = |poly: Poly, size: Size| match params.parts(size) {
            Some(parts) => poly.with_sum(size, &parts),
            None => poly,
        };
        sizes.into_iter().fold(offset.clone(), with)
    }

    /// An offset in mixed radix: one subscript per dimension; `None` if it does not fit the shape.
    pub fn digits(&self, params: &Params, offset: &Poly) -> Option<Vec<Digit>> {
        let mut rest = self.in_rows(params, offset).with_sizes(&self.sizes).digit();
        let mut all = vec![];
        for (d, (mono, size)) in self.strides.iter().enumerate() {
            let last = d + 1 == self.strides.len();
            let mut digit = vec![];
            let mut left = vec![];
            for (m, i, c) in rest {
                let quotient = polynomial::divide(&m, mono);
                let fits = quotient.as_ref().is_some_and(|q| {
                    q.len() + usize::from(i.is_some()) <= 1
                        || i.is_none() && polynomial::as_product(q, params).is_some()
                });
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
                    digit.push((quotient.unwrap_or_default(), i.clone(), count));
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
        match polynomial::divide(&row.0, &element.0).filter(|_| row.1 % element.1 == 0) {
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
        let ratio = |w: &[Stride]| match extent(&w[0], &w[1]) {
            None => model.params.ratio(&w[0], &w[1]).map(str::to_owned),
            Some((quotient, c)) => match &quotient[..] {
                [] => Some(format!("{c}")),
                [p] => Some(format!("{c}*{}", p.text(model)?)),
                _ => {
                    let product = polynomial::as_product(&quotient, &model.params)?;
                    Some(format!("{c}*{product}"))
                }
            },
        };
        self.strides.windows(2).map(ratio).collect()
    }

    /// The sizes that have to be positive, as text: rows at independent distances are apart then.
    pub fn positive(&self, model: &Model) -> Vec<String> {
        if self.loose {
            return vec![];
        }
        let pairs = self.strides.windows(2);
        let open = pairs.filter(|w| extent(&w[0], &w[1]).is_none());
        let factors = open.flat_map(|w| w[0].0.iter().chain(&w[1].0));
        factors.filter_map(|f| f.text(model)).collect()
    }

    /// Bytes per step and dimension, as evolutions of 64 bits; and the sizes of all dimensions but the first, if they are known.
    pub fn scevs(&self, model: &Model) -> (Vec<Scev>, Vec<Scev>) {
        let params = &model.params;
        let strides = self.strides.iter().map(|s| chains::product(params, s));
        if self.loose {
            return (strides.collect(), vec![]);
        }
        let extents = self.strides.windows(2).map(|w| match extent(&w[0], &w[1]) {
            Some(extent) => chains::product(params, &extent),
            None => chains::quotient(params, &w[0], &w[1]),
        });
        (strides.collect(), extents.collect())
    }
}

/// The elements of a dimension from its stride and the one before, where it is a product.
fn extent(outer: &Stride, inner: &Stride) -> Option<Stride> {
    let quotient = polynomial::divide(&outer.0, &inner.0)?;
    (outer.1 % inner.1 == 0).then(|| (quotient, outer.1 / inner.1))
}

/// Adds `c` times a product of parameters.
fn add_term(digit: &mut Digit, m: Monomial, c: i128) {
    match digit.iter_mut().find(|t| t.0 == m && t.1.is_none()) {
        Some(t) => t.2 += c,
        None => digit.push((m, None, c)),
    }
    digit.retain(|t| t.2 != 0);
}

/// What is added to parameters in the sizes of rows. A diagonal moves by a row and more, so the least one counts.
fn sizes(offsets: &[&Poly]) -> BTreeMap<Size, i128> {
    let mut least: BTreeMap<Size, i128> = BTreeMap::new();
    for f in offsets.iter().flat_map(|p| p.factors()) {
        let plus = least.entry(f.param).or_insert(f.plus);
        if f.plus.abs() < plus.abs() {
            *plus = f.plus;
        }
    }
    least.retain(|_, plus| *plus != 0);
    least
}

/// Sizes of one element less and one more: where all that moves by rows moves along a diagonal (`a[i][i + l]` in rows of `n + 2` elements moves by
/// `n + 3`).
fn beside_diagonals(sizes: &BTreeMap<Size, i128>) -> Vec<BTreeMap<Size, i128>> {
    let beside = |(param, by): (&Size, i128)| {
        let mut beside = sizes.clone();
        *beside.get_mut(param)? += by;
        beside.retain(|_, plus| *plus != 0);
        (!beside.is_empty()).then_some(beside)
    };
    let all = sizes.keys().flat_map(|param| [(param, -1), (param, 1)]);
    all.filter_map(beside).collect()
}

/// Sizes that something moves by beside those without a constant: in a band matrix with rows of `l + u + 1` elements (`a[i*w + j - i + l]`) the next
/// row of the same column is `l + u` elements on, and that of the next column a row. (Of one value they are those of diagonals in square matrices.)
fn seen_beside(offsets: &[&Poly], sizes: &BTreeMap<Size, i128>) -> Vec<BTreeMap<Size, i128>> {
    let all = offsets.iter().flat_map(|p| p.factors());
    let seen: BTreeSet<(Size, i128)> = all
        .filter(|f| matches!(f.param, Size::Sum(_)))
        .filter(|f| f.plus.abs() == 1 && !sizes.contains_key(&f.param))
        .map(|f| (f.param, f.plus))
        .collect();
    let with = |size| sizes.clone().into_iter().chain([size]).collect();
    seen.into_iter().map(with).collect()
}

/// Products of parameters in descending order, each dividing the one before; one constant factor per product.
fn symbolic_chain(params: &Params, all: Vec<Stride>) -> Option<Vec<Stride>> {
    let chain = chains::descending(all);
    match chains::divides(&chain) {
        true => Some(chain),
        false => params.chain(&chain),
    }
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

/// The row of an array that a loop takes several of at a time: where it moves by `row`, and offsets lie at or near all the
/// multiples of a part of it (`A[2*i][j]`, `A[2*i + 1][j]`: the stride of `i` is two rows), that part is the row.
fn unrolled_row(offsets: &[&Poly], row: i128, next: i128) -> Option<i128> {
    let between = offsets.iter().map(|p| constant(p).rem_euclid(row));
    let between: BTreeSet<i128> = between.collect();
    let part = |rows: &i128| {
        let short = row / rows;
        if row % rows != 0 || short % next != 0 || short < MIN_ROW * next {
            return false;
        }
        let nearest = |c: &i128| (2 * c + short).div_euclid(2 * short);
        let near = |c: &i128| (c - nearest(c) * short).abs() * NEAR <= short;
        let found: BTreeSet<i128> = between.iter().map(|c| nearest(c) % rows).collect();
        between.iter().all(near) && found.len() as i128 == *rows
    };
    (2..=MAX_UNROLLED).find(part).map(|rows| row / rows)
}

/// The bytes that an offset has for all iterations and parameters.
fn constant(offset: &Poly) -> i128 {
    let terms = offset.digit().into_iter();
    let plain = terms.filter(|(m, i, _)| m.is_empty() && i.is_none());
    plain.map(|t| t.2).sum()
}

/// Loops take at most so many rows at a time.
const MAX_UNROLLED: i128 = 8;

/// The part of a row that is near its beginning or end.
const NEAR: i128 = 8;

/// Rows shorter than this many elements are taken for strided accesses to one dimension.
const MIN_ROW: i128 = 5;
