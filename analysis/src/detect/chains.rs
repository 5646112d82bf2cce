//! Strides of an array in descending order, and those that do not divide each other.
//!
//! Tensors and grids often come with a variable for each stride (`i + j*js + k*ks`), as descriptors of arrays do. Nothing
//! says then how long a row is. A row has at most `ks / js` elements where dimensions lie inside each other, which is
//! a parameter of its own: subscripts that stay below it make all elements different. Which stride is the larger one
//! is taken from the loops that move by them: outer loops take larger steps, and what a loop over elements ends at is the length of a row,
//! the smallest one (heads of `hs` elements in rows of `c`, `h*hs + t*c + i` with `i < hs`). Where that is wrong, the quotient is 0
//! at run time, and the original runs. A description of dimensions has their strides in order, whatever the loops are. Arrays that are only read need no rows, and no such parameter ([`super::shape::Shape::loose`]).

use super::affine::{Affine, Params};
use super::polynomial::{Factor, Index, Monomial, Poly, divide, values};
use crate::ids::{BaseId, BlockId, LoopId, ValueId};
use crate::quotient::gcd;
use crate::region::Region;
use crate::scev::{Scev, ScevKind, Wrap};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes per step: a product of parameters times a constant.
pub(super) type Stride = (Monomial, i128);

/// Strides of one array, the largest first.
pub(super) type Chain = Vec<Stride>;

/// How the addresses of each array of a region move.
pub(super) fn moves(region: &Region, params: &Params) -> Vec<Moves> {
    let mut moves: BTreeMap<BaseId, Moves> = BTreeMap::new();
    let mut counts: BTreeMap<LoopId, Option<Monomial>> = BTreeMap::new();
    for (b, block) in region.blocks.iter().enumerate() {
        let nest = region.loop_nest(BlockId::from(b));
        let mut count = |l: LoopId| {
            let found = counts.entry(l);
            found
                .or_insert_with(|| iterations(region, params, (l, &nest)))
                .clone()
        };
        for inst in &block.insts {
            for address in inst.kind.addresses() {
                if let Ok(poly) =
                    Poly::of(&address.offset, &mut Affine::with_remainders(params, &nest))
                {
                    let own = moves.entry(address.base).or_default();
                    own.add(&poly, &nest);
                    own.rows.extend(elements(&poly).filter_map(&mut count));
                }
            }
        }
    }
    for base in written(region) {
        moves.entry(base).or_default().written = true;
    }
    moves.into_values().collect()
}

/// The loops that an address moves with by constants.
fn elements(poly: &Poly) -> impl Iterator<Item = LoopId> {
    let by_constants = |(m, index, _): (Monomial, Option<Index>, i128)| match index {
        Some(Index::Loop(l)) if m.is_empty() => Some(l),
        _ => None,
    };
    poly.digit().into_iter().filter_map(by_constants)
}

/// How often a loop runs, if that is a product of parameters.
fn iterations(
    region: &Region,
    params: &Params,
    (l, nest): (LoopId, &[LoopId]),
) -> Option<Monomial> {
    let last = &region.loop_(l).backedge_count;
    let kind = ScevKind::Add(
        vec![Scev::constant(last.width, 1), last.clone()],
        Wrap::default(),
    );
    let count = Scev {
        width: last.width,
        kind,
    };
    let count = Poly::of(&count, &mut Affine::with_remainders(params, nest)).ok()?;
    let (product, 1) = count.as_product()? else {
        return None;
    };
    Some(product.clone())
}

/// The arrays that something is written to.
pub(super) fn written(region: &Region) -> BTreeSet<BaseId> {
    let insts = region.blocks.iter().flat_map(|b| &b.insts);
    let write = insts.filter_map(|i| i.kind.written());
    write.map(|address| address.base).collect()
}

/// The chains of arrays whose strides do not divide each other. `places`: of strides, where a description of dimensions has them.
pub(super) fn independent<'m>(
    moves: impl Iterator<Item = &'m Moves>,
    places: &BTreeMap<Monomial, usize>,
) -> Vec<Chain> {
    let mut found: Vec<Chain> = vec![];
    for m in moves {
        let mut chain = m.chain();
        if divides(&chain) || chain.len() > MAX_STRIDES {
            continue;
        }
        let order = |a: &Stride, b: &Stride| m.depths[&a.0].order(&m.depths[&b.0]);
        chain.sort_by(|a, b| {
            let rows = m.rows.contains(&a.0).cmp(&m.rows.contains(&b.0));
            rows.then(order(a, b))
        });
        as_described(&mut chain, places);
        if !found.contains(&chain) {
            found.push(chain);
        }
    }
    found
}

/// Puts those of a chain that a description has into its order, from the last dimension to the first one.
fn as_described(chain: &mut Chain, places: &BTreeMap<Monomial, usize>) {
    let known = |s: &&Stride| places.contains_key(&s.0);
    let mut described: Vec<Stride> = chain.iter().filter(known).cloned().collect();
    described.sort_by_key(|s| std::cmp::Reverse(places[&s.0]));
    let mut next = described.into_iter();
    for s in chain.iter_mut().filter(|s| places.contains_key(&s.0)) {
        *s = next.next().expect("as many");
    }
}

/// Where descriptions have sizes that are strides of outer dimensions ([`Region::outer_strides`]), or elements of such.
pub(super) fn described(region: &Region, params: &Params) -> BTreeMap<Monomial, usize> {
    let mut places = BTreeMap::new();
    for p in params.iter() {
        let (Some(param), [value]) = (p.size, &p.expr.values()[..]) else {
            continue;
        };
        if let Some(at) = region.outer_strides.iter().position(|v| v == value) {
            places.insert(vec![Factor { param, plus: 0 }], at);
        }
    }
    places
}

/// The products of values that are numbers of rows: of `w[l*r*n + i*n + j]`, `l*r`; or of elements in what a nest writes a row of, as are `m*n` in
/// a plane of `a[i*m*n + j]`; or of elements between what a nest reads (`a[i*s*m*n + m*n + j]`).
pub(super) fn rows(moves: &[Moves], params: &Params) -> Vec<Vec<ValueId>> {
    let mut found = vec![];
    for m in moves {
        let strides = m.chain();
        let strides = params.chain(&strides).unwrap_or(strides);
        for fixed in m.fixed.keys() {
            let mut quotients = strides.iter().filter_map(|s| divide(fixed, &s.0));
            // Without a stride that divides it, it is a number of elements.
            let whole = || (!m.written).then(|| fixed.clone());
            if let Some(row) = quotients.next().or_else(whole)
                && row.len() > 1
                && let Some(row) = values(&row)
            {
                found.push(row);
            }
        }
        let inner = strides
            .iter()
            .skip(1)
            .map(|s| s.0.as_slice())
            .chain([&[][..]]);
        let sizes = strides.iter().zip(inner);
        let sizes = sizes.filter_map(|(s, inner)| divide(&s.0, inner));
        let several = sizes.filter(|s| m.written && s.len() > 1);
        found.extend(several.filter_map(|s| values(&s)));
    }
    found
}

/// How the addresses of one array move.
#[derive(Default)]
pub(super) struct Moves {
    /// Whether something is written to the array.
    pub written: bool,
    strides: Vec<Stride>,
    depths: BTreeMap<Monomial, Depth>,
    /// How often loops run that move by constants.
    rows: BTreeSet<Monomial>,
    /// The products of parameters that stand still, and what divides their factors.
    fixed: BTreeMap<Monomial, i128>,
}

/// Where loops that move by a stride are in their nests.
#[derive(Default)]
struct Depth {
    sum: usize,
    count: usize,
}

impl Moves {
    /// The strides of loops and of what lies between.
    fn chain(&self) -> Chain {
        let fixed = self.fixed.iter().map(|(m, c)| (m.clone(), *c));
        descending(with_fixed(self.strides.clone(), fixed, false))
    }

    fn add(&mut self, poly: &Poly, nest: &[LoopId]) {
        for (m, index, c) in poly.digit() {
            let Some(index) = index else {
                let factor = self.fixed.entry(m).or_insert(0);
                *factor = gcd(*factor, c.abs());
                continue;
            };
            if m.is_empty() {
                continue;
            }
            let at = match index {
                Index::Loop(l) => nest.iter().position(|x| *x == l),
                _ => None,
            };
            let depth = self.depths.entry(m.clone()).or_default();
            depth.sum += at.unwrap_or(nest.len());
            depth.count += 1;
            self.strides.push((m, c.abs()));
        }
    }
}

impl Depth {
    /// The one further outside first.
    fn order(&self, other: &Depth) -> std::cmp::Ordering {
        (self.sum * other.count).cmp(&(other.sum * self.count))
    }
}

/// The pairs of neighbours in a chain that do not divide each other.
pub(super) fn open_pairs(chain: &[Stride]) -> impl Iterator<Item = (&Stride, &Stride)> {
    let pairs = chain.windows(2).map(|w| (&w[0], &w[1]));
    pairs.filter(|(a, b)| !divides_one(a, b))
}

/// Strides by descending products of parameters, one constant factor per product.
pub(super) fn descending(mut all: Vec<Stride>) -> Chain {
    all.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.cmp(b)));
    let mut chain: Chain = vec![];
    for (m, c) in all {
        match chain.iter_mut().find(|(n, _)| *n == m) {
            Some((_, d)) => *d = gcd(*d, c),
            None => chain.push((m, c)),
        }
    }
    chain
}

/// With what stands still at multiples of strides, or of `parts` of them: what lies between the rows that a loop goes to says how long one is.
pub(super) fn with_fixed(
    mut strides: Vec<Stride>,
    fixed: impl Iterator<Item = Stride>,
    parts: bool,
) -> Vec<Stride> {
    let moves = |m: &Monomial| {
        let is_part = |n: &Monomial| parts && !m.is_empty() && divide(n, m).is_some();
        strides.iter().any(|(n, _)| n == m || is_part(n))
    };
    let between: Vec<Stride> = fixed.filter(|(m, _)| moves(m)).collect();
    strides.extend(between);
    strides
}

/// Whether each of them is a multiple of the next.
pub(super) fn divides(chain: &[Stride]) -> bool {
    open_pairs(chain).next().is_none()
}

fn divides_one(outer: &Stride, inner: &Stride) -> bool {
    divide(&outer.0, &inner.0).is_some() && outer.1 % inner.1 == 0
}

/// A stride as an evolution of 64 bits.
pub(super) fn product(params: &Params, (m, c): &Stride) -> Scev {
    let constant = Scev::constant(64, *c);
    let sizes = m.iter().map(|p| widened(*p, params));
    Scev::product([constant].into_iter().chain(sizes).collect())
}

/// A product of sizes as an evolution of 64 bits.
pub(super) fn factors(params: &Params, all: impl Iterator<Item = Factor>) -> Scev {
    Scev::product(all.map(|p| widened(p, params)).collect())
}

/// The elements that fit between two strides.
pub(super) fn quotient(params: &Params, outer: &Stride, inner: &Stride) -> Scev {
    let (outer, inner) = (product(params, outer), product(params, inner));
    Scev {
        width: 64,
        kind: ScevKind::UDiv(Box::new(outer), Box::new(inner)),
    }
}

/// In 64 bits.
fn widened(f: Factor, params: &Params) -> Scev {
    let size = params.size(f.param).expect("sizes are parameters");
    let (width, mut value) = (size.width, size.expr);
    if width < 64 {
        value = Scev {
            width: 64,
            kind: ScevKind::SExt(Box::new(value)),
        };
    }
    if f.plus == 0 {
        return value;
    }
    let terms = vec![Scev::constant(64, f.plus), value];
    let wrap = Wrap {
        nuw: false,
        nsw: true,
    };
    Scev {
        width: 64,
        kind: ScevKind::Add(terms, wrap),
    }
}

/// Arrays have fewer dimensions.
const MAX_STRIDES: usize = 5;
