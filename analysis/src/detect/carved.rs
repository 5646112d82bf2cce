//! Arrays that a program takes from one block of memory: work space, weights of layers, an arena.
//!
//! ```text
//! double *a = work, *b = a + n * k, *c = b + k * m;        rows of k, m and m elements
//! double *u = work; int *flags = (int *)(work + n * m);    elements of 8 and 4 bytes
//! double u[2][n][m];    u[next][i][j] = f(u[now][i][j])    planes that values choose
//! ```
//!
//! No one shape fits all accesses of the block: their rows have different lengths, or begin nowhere near a row of the others. What they add to the
//! base in products that no loop moves by tells them apart: each such sum is where an array of its own begins
//! ([`Shift::Common`]). Planes of one array have one shape, but which of them a value chooses says nothing of the other ones. Whether the arrays
//! are apart is found out at run time, as of arrays behind different pointers.

use super::bases::{self, addresses_mut};
use super::chains::written;
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
    let written = written(region);
    for base in (0..region.bases.len()).map(BaseId::from) {
        if !bases::is_alone(region, base) {
            continue;
        }
        let all = accesses(region, base);
        let arrays = |all: &[Access]| arrays(all, written.contains(&base));
        let Some((begins, bytes)) = all.as_deref().and_then(arrays) else {
            continue;
        };
        let (found, origins) = found.get_or_insert_with(|| (region.clone(), Origins::new()));
        // What one of them writes may be in another one, where they overlap, and read behind the region.
        found.bases[base.index()].dead = false;
        found.bases[base.index()].blank = false;
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
    /// Those that loops move by, with the largest of their factors.
    steps: Sum,
    /// What some of its products are made of is not known here: other places on other ways.
    unclear: bool,
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
        let Products {
            still,
            steps,
            unclear,
        } = products(region, &a.offset)?;
        let mut parts = vec![];
        summands(&first(&a.offset), &mut parts);
        let parts = parts.into_iter().map(|part| {
            let of = products(region, &part)?;
            // No array begins where the place differs from way to way.
            let sum = if of.unclear { Sum::new() } else { of.still };
            Some((part, sum))
        });
        Some(Access {
            still,
            steps,
            size: what.ok().map(|ty| ty.bytes()),
            unclear,
            parts: parts.collect::<Option<_>>()?,
        })
    })
    .collect()
}

/// The products of values in an offset.
struct Products {
    still: Sum,
    steps: Sum,
    unclear: bool,
}

/// The products of values in an offset: those that stand still, with their factors, and those that loops move by. Conversions between widths
/// change nothing of what is meant.
fn products(region: &Region, offset: &Scev) -> Option<Products> {
    let (mut still, mut steps, mut unclear) = (Sum::new(), Sum::new(), false);
    for (atoms, c) in terms(region, &without_casts(offset))? {
        let mut product = Product::new();
        let mut moves = false;
        for atom in atoms {
            match atom {
                Atom::Value(v) => product.push(v),
                Atom::Loop(_) => moves = true,
                Atom::Other(_) => (moves, unclear) = (true, true),
            }
        }
        match (product.is_empty(), moves) {
            (_, true) => {
                let most = steps.entry(product).or_default();
                *most = c.abs().max(*most);
            }
            (true, false) => {}
            (false, false) => drop(still.insert(product, c)),
        }
    }
    Some(Products {
        still,
        steps,
        unclear,
    })
}

/// Which array of the block each address is in, by number, and where the arrays begin, in bytes; `None` where one shape may fit all.
fn arrays(all: &[Access], written: bool) -> Option<(Vec<usize>, Vec<Scev>)> {
    let sizes: BTreeSet<u64> = all.iter().filter_map(|a| a.size).collect();
    // A distance of one value is one in a row, unless something else begins there.
    let least = if sizes.len() > 1 { 1 } else { 2 };
    let (blocks, planes) = (begins(all, least), begins(all, 1));
    let found = match () {
        () if are_blocks(all, &blocks, sizes.len()) => blocks,
        () if written && are_planes(all, &planes) => planes,
        () => return None,
    };
    let distinct: BTreeSet<&Sum> = found.iter().collect();
    let bytes = distinct.iter().map(|b| {
        let mut own = within(all, &found, b).into_iter();
        own.find_map(|a| bytes(a, b))
    });
    let bytes = bytes.collect::<Option<Vec<Scev>>>()?;
    let number = |b: &Sum| distinct.iter().position(|d| *d == b);
    let numbers = found.iter().filter_map(number).collect();
    Some((numbers, bytes))
}

/// What each address has in products of so many values that no loop moves by.
fn begins(all: &[Access], least: usize) -> Vec<Sum> {
    let steps = steps(all);
    let begins = all.iter().map(|a| {
        let far = |p: &Product| p.len() >= least && !steps.contains(p);
        let still = a.still.iter().filter(|(p, _)| far(p));
        still.map(|(p, c)| (p.clone(), *c)).collect()
    });
    begins.collect()
}

/// The products that loops move by, but for constants.
fn steps(all: &[Access]) -> BTreeSet<&Product> {
    let all = all.iter().flat_map(|a| a.steps.keys());
    all.filter(|p| !p.is_empty()).collect()
}

/// The addresses that begin there.
fn within<'a>(all: &'a [Access], begins: &[Sum], begin: &Sum) -> Vec<&'a Access> {
    let all = all.iter().zip(begins);
    all.filter(|(_, b)| *b == begin).map(|(a, _)| a).collect()
}

/// Whether there are several beginnings, and not too many.
fn are_several(distinct: &BTreeSet<&Sum>) -> bool {
    distinct.len() <= MAX_ARRAYS && distinct.iter().any(|b| !b.is_empty())
}

/// Whether arrays of one block begin there: each has a shape, and not all have one.
fn are_blocks(all: &[Access], begins: &[Sum], sizes: usize) -> bool {
    let distinct: BTreeSet<&Sum> = begins.iter().collect();
    let steps = steps(all);
    let alike = |own: &[&Access]| {
        let sizes: BTreeSet<u64> = own.iter().filter_map(|a| a.size).collect();
        let rows = own.iter().flat_map(|a| a.steps.keys());
        sizes.len() < 2 && is_chain(rows.filter(|p| !p.is_empty()))
    };
    let of_row = |p: &Product| steps.iter().any(|s| divides(s, p));
    let of_rows = |b: &&Sum| b.keys().all(of_row);
    // Without rows there is one dimension, wherever it begins.
    let one_shape = sizes < 2
        && is_chain(steps.iter().copied())
        && (steps.is_empty() || distinct.iter().all(of_rows));
    let shapes = || distinct.iter().all(|b| alike(&within(all, begins, b)));
    let clear = !all.iter().any(|a| a.unclear);
    clear && are_several(&distinct) && !one_shape && shapes()
}

/// Whether planes of one array begin there that values choose (`u[next][i][j] = f(u[now]..)`): each is one value times a length that no loop moves by.
/// That they are two of them is no more than likely. Planes are whole rows: `(i - r)*640 + (j - r)` is in row and column `-r`, in no plane of 641.
fn are_planes(all: &[Access], begins: &[Sum]) -> bool {
    let distinct: BTreeSet<&Sum> = begins.iter().collect();
    // How far a range goes is not said by its steps.
    let elements = all.iter().all(|a| a.size.is_some());
    if !elements || !are_several(&distinct) || distinct.len() < 2 {
        return false;
    }
    let constants = all.iter().filter_map(|a| a.steps.get(&Product::new()));
    let longest = constants.max().copied().unwrap_or(0);
    let steps = steps(all);
    let lengths = distinct.iter().filter(|b| !b.is_empty()).map(|b| {
        let [(product, factor)] = &b.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let factor = factor.abs();
        let plane = |v: &ValueId| {
            let length = divide(product, &[*v])?;
            let far = match length.is_empty() {
                true => {
                    steps.is_empty() && longest > 0 && factor > longest && factor % longest == 0
                }
                false => !steps.contains(&length),
            };
            (far && !steps.iter().any(|p| p.contains(v))).then_some((length, factor))
        };
        let all: BTreeSet<(Product, i128)> = product.iter().filter_map(plane).collect();
        Some(all)
    });
    let common = lengths.reduce(|a, b| Some(a?.intersection(&b?).cloned().collect()));
    common.flatten().is_some_and(|lengths| !lengths.is_empty())
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

/// The parts of a sum, multiplied out.
fn summands(s: &Scev, all: &mut Vec<Scev>) {
    match &s.kind {
        ScevKind::Add(parts, _) => parts.iter().for_each(|p| summands(p, all)),
        ScevKind::Mul(parts, _)
            if let Some(at) = parts
                .iter()
                .position(|p| matches!(p.kind, ScevKind::Add(..)))
                && let ScevKind::Add(terms, _) = &parts[at].kind =>
        {
            for term in terms {
                let mut product = parts.clone();
                product[at] = term.clone();
                summands(&Scev::product(product), all);
            }
        }
        _ => all.push(s.clone()),
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
