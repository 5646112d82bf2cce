//! Arrays that a program takes from one block of memory: work space, weights of layers, an arena.
//!
//! ```text
//! double *a = work, *b = a + n * k, *c = b + k * m;        rows of k, m and m elements
//! double *u = work; int *flags = (int *)(work + n * m);    elements of 8 and 4 bytes
//! ```
//!
//! No one shape fits all accesses of the block: their rows have different lengths, or begin nowhere near a row of the others. What they add to the
//! base in products that no loop moves by tells them apart: each such sum is where an array of its own begins
//! ([`Shift::Common`]). Whether the arrays are apart is found out at run time, as of arrays behind different pointers.

use super::bases::{self, addresses_mut};
use super::memory::addresses;
use super::origins::Origins;
use super::polynomial::divide;
use super::products::{Atom, terms};
use crate::ids::{BaseId, ValueId};
use crate::region::Region;
use crate::scev::{Scev, ScevKind};
use crate::scop::Shift;
use std::collections::{BTreeMap, BTreeSet};

/// More arrays of one block are not told apart: each is compared with all others in front of the new version.
const MAX_ARRAYS: usize = 8;

/// A product of values.
type Product = Vec<ValueId>;

/// Products with their factors.
type Sum = BTreeMap<Product, i128>;

/// The region with a base of its own for each array of a block, and where the arrays begin; `None` if there are no such blocks.
pub(super) fn apart(region: &Region) -> Option<(Region, Origins)> {
    let mut found: Option<(Region, Origins)> = None;
    for base in (0..region.bases.len()).map(BaseId::from) {
        if !bases::is_alone(region, base) {
            continue;
        }
        let all = accesses(region, base);
        let Some((begins, bytes)) = all.as_deref().and_then(arrays) else {
            continue;
        };
        let (found, origins) = found.get_or_insert_with(|| (region.clone(), Origins::new()));
        // What one of them writes may be in another one, where they overlap, and read behind the region.
        found.bases[base.index()].dead = false;
        let of = |n| match n {
            0 => base,
            _ => bases::part(found, base),
        };
        let own: Vec<BaseId> = (0..bytes.len()).map(of).collect();
        counted_from(found, base, begins.iter().map(|n| (own[*n], &bytes[*n])));
        for (part, bytes) in own.iter().zip(&bytes).filter(|(_, b)| !is_zero(b)) {
            origins.insert(*part, vec![Shift::Common(bytes.clone())]);
        }
    }
    found
}

/// Gives the addresses with a base, in order, other bases, and offsets that begin with so many bytes less.
fn counted_from<'a>(
    region: &mut Region,
    base: BaseId,
    mut places: impl Iterator<Item = (BaseId, &'a Scev)>,
) {
    for inst in region.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        for address in addresses_mut(&mut inst.kind) {
            if address.base != base {
                continue;
            }
            let (own, bytes) = places.next().expect("one for each address");
            address.base = own;
            if !is_zero(bytes) {
                let back = times(-1, bytes.clone());
                address.offset = Scev::sum(vec![address.offset.clone(), back]);
            }
        }
    }
}

/// The offset that the program has, from one that begins with so many bytes less.
pub(super) fn whole(offset: &Scev, bytes: &Scev) -> Scev {
    match &offset.kind {
        ScevKind::Add(parts, _)
            if let [program, back] = &parts[..]
                && *back == times(-1, bytes.clone()) =>
        {
            program.clone()
        }
        _ => Scev::sum(vec![offset.clone(), bytes.clone()]),
    }
}

/// An address in a block.
struct Access {
    /// Products of values that it has in all iterations.
    still: Sum,
    /// Those that loops move by.
    steps: BTreeSet<Product>,
    /// Bytes of the element, unless it is a range.
    size: Option<u64>,
    /// Where it is in the first iterations: parts of a sum, and what they are.
    parts: Vec<(Scev, Sum)>,
}

/// All addresses with a base, in order; `None` if one is no sum of products.
fn accesses(region: &Region, base: BaseId) -> Option<Vec<Access>> {
    let insts = region.blocks.iter().flat_map(|b| &b.insts);
    let all = insts.flat_map(|i| addresses(&i.kind));
    let own = all.filter(|(a, _)| a.base == base);
    own.map(|(a, what)| {
        let (still, steps) = products(region, &a.offset)?;
        let mut parts = vec![];
        summands(&first(&a.offset), 1, &mut parts);
        let parts = parts.into_iter().map(|part| {
            let (sum, _) = products(region, &part)?;
            Some((part, sum))
        });
        Some(Access {
            still,
            steps,
            size: what.ok().map(|ty| ty.bytes()),
            parts: parts.collect::<Option<_>>()?,
        })
    })
    .collect()
}

/// The products of values in an offset: those that stand still, with their factors, and those that loops move by. Conversions between widths
/// change nothing of what is meant.
fn products(region: &Region, offset: &Scev) -> Option<(Sum, BTreeSet<Product>)> {
    let (mut still, mut steps) = (Sum::new(), BTreeSet::new());
    for (atoms, c) in terms(region, &without_casts(offset))? {
        let mut product = Product::new();
        let mut moves = false;
        for atom in atoms {
            match atom {
                Atom::Value(v) => product.push(v),
                Atom::Loop(_) => moves = true,
                Atom::Other(_) => return None,
            }
        }
        match (product.is_empty(), moves) {
            (true, _) => {}
            (false, true) => drop(steps.insert(product)),
            (false, false) => drop(still.insert(product, c)),
        }
    }
    Some((still, steps))
}

/// Which array of the block each address is in, by number, and where the arrays begin, in bytes; `None` where one shape may fit all.
fn arrays(all: &[Access]) -> Option<(Vec<usize>, Vec<Scev>)> {
    let steps: BTreeSet<&Product> = all.iter().flat_map(|a| &a.steps).collect();
    let sizes: BTreeSet<u64> = all.iter().filter_map(|a| a.size).collect();
    // A distance of one value is one in a row, unless something else begins there.
    let least = if sizes.len() > 1 { 1 } else { 2 };
    let begins = all.iter().map(|a| {
        let far = |p: &Product| p.len() >= least && !steps.contains(p);
        let still = a.still.iter().filter(|(p, _)| far(p));
        still.map(|(p, c)| (p.clone(), *c)).collect()
    });
    let begins: Vec<Sum> = begins.collect();
    let distinct: BTreeSet<&Sum> = begins.iter().collect();
    if distinct.len() > MAX_ARRAYS || distinct.iter().all(|b| b.is_empty()) {
        return None;
    }
    let within = |begin: &Sum| {
        let all = all.iter().zip(&begins);
        let own = all.filter(|(_, b)| *b == begin).map(|(a, _)| a);
        own.collect::<Vec<_>>()
    };
    let alike = |own: &[&Access]| {
        let sizes: BTreeSet<u64> = own.iter().filter_map(|a| a.size).collect();
        sizes.len() < 2 && is_chain(own.iter().flat_map(|a| &a.steps))
    };
    let of_row = |p: &Product| steps.iter().any(|s| divides(s, p));
    let of_rows = |b: &&Sum| b.keys().all(of_row);
    // Without rows there is one dimension, wherever it begins.
    let one_shape = sizes.len() < 2
        && is_chain(steps.iter().copied())
        && (steps.is_empty() || distinct.iter().all(of_rows));
    if one_shape || !distinct.iter().all(|b| alike(&within(b))) {
        return None;
    }
    let bytes = distinct.iter().map(|b| bytes(within(b)[0], b));
    let bytes = bytes.collect::<Option<Vec<Scev>>>()?;
    let number = |b: &Sum| distinct.iter().position(|d| *d == b);
    let numbers = begins.iter().filter_map(number).collect();
    Some((numbers, bytes))
}

/// The parts of an address that are where its array begins; `None` if something else is mixed with them.
fn bytes(access: &Access, begin: &Sum) -> Option<Scev> {
    let is_part = |sum: &Sum| !sum.is_empty() && sum.keys().all(|p| begin.contains_key(p));
    let (mut bytes, mut all) = (vec![], Sum::new());
    for (part, sum) in access.parts.iter().filter(|(_, sum)| is_part(sum)) {
        bytes.push(part.clone());
        for (p, c) in sum {
            *all.entry(p.clone()).or_default() += c;
        }
    }
    all.retain(|_, c| *c != 0);
    (all == *begin).then(|| Scev::sum(bytes))
}

/// Whether each product divides the next longer one, as the strides of one array do.
fn is_chain<'a>(all: impl Iterator<Item = &'a Product>) -> bool {
    let all: BTreeSet<(usize, &Product)> = all.map(|p| (p.len(), p)).collect();
    let all: Vec<&Product> = all.into_iter().map(|(_, p)| p).collect();
    all.windows(2).all(|w| divides(w[0], w[1]))
}

fn divides(part: &Product, whole: &Product) -> bool {
    divide(whole, part).is_some()
}

/// An evolution in 64 bits without conversions.
fn without_casts(s: &Scev) -> Scev {
    if let ScevKind::SExt(a) | ScevKind::ZExt(a) | ScevKind::Trunc(a) = &s.kind {
        return without_casts(a);
    }
    let mut plain = s.clone();
    plain.width = 64;
    for part in plain.operands_mut() {
        *part = without_casts(part);
    }
    plain
}

/// An evolution in the first iteration of all loops.
fn first(s: &Scev) -> Scev {
    if let ScevKind::AddRec { operands, .. } = &s.kind {
        return first(&operands[0]);
    }
    let mut first_of = s.clone();
    for part in first_of.operands_mut() {
        *part = first(part);
    }
    first_of
}

/// The parts of a sum, each times a factor.
fn summands(s: &Scev, factor: i128, all: &mut Vec<Scev>) {
    match &s.kind {
        ScevKind::Add(parts, _) => parts.iter().for_each(|p| summands(p, factor, all)),
        ScevKind::Mul(parts, _)
            if let [a, b] = &parts[..]
                && let (Some(c), ScevKind::Add(..)) = (a.as_constant(), &b.kind)
                && let Some(factor) = factor.checked_mul(c) =>
        {
            summands(b, factor, all);
        }
        _ => all.push(times(factor, s.clone())),
    }
}

fn times(factor: i128, s: Scev) -> Scev {
    if factor == 1 {
        return s;
    }
    Scev::product(vec![Scev::constant(64, factor), s])
}

fn is_zero(s: &Scev) -> bool {
    s.as_constant() == Some(0)
}
