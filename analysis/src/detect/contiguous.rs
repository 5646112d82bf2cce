//! Strides in bytes, one of which is taken for the size of an element.
//!
//! ```text
//! subroutine relax(t): real(8) :: t(:, :);   t(2:n - 1, :) = ..        t(i, j) lies at   base + s1*i + s2*j
//! ```
//!
//! The description of an array of assumed shape has a stride in bytes for each dimension, the first one included, for it may be a section with
//! gaps. Where the compiler has not made a version for arrays without gaps (array syntax, `where`, lower levels of optimization), nothing says that
//! elements lie side by side. What an innermost loop moves by is taken for an element, the other strides for multiples of one; the version check
//! compares. Where a description has the strides of its dimensions in order ([`Region::outer_strides`]), it is the first one's instead, whatever moves by it: the loops
//! of `c(i, j) = c(i, j) + a(i, l)*b(l, j)` do not tell which of them. A stride of which the program has found out already that it is something else stays what it is ([`Region::strided`]).
//! Where loops move by elements already (a version for arrays without gaps), only the other strides are taken for multiples ([`multiples`]).

use super::bases::addresses_mut;
use super::exact::Multiple;
use super::memory::addresses;
use super::products::{Atom, Terms, terms};
use super::widths::affine_everywhere;
use crate::ids::{BaseId, LoopId, ValueId};
use crate::region::{CmpPred, Cond, InstKind, Region};
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::{Place, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the accesses through one base.
#[derive(Default)]
struct Accesses {
    /// Sizes of elements.
    sizes: BTreeSet<i128>,
    /// Offsets, each with the innermost loop.
    offsets: Vec<(Terms, Option<LoopId>)>,
    /// Whether some are of ranges of bytes: elements side by side.
    ranges: bool,
    /// Whether there are others.
    open: bool,
}

/// What is assumed of a region.
pub(super) struct Assumed {
    /// The region with sizes of elements in the place of strides.
    pub region: Region,
    /// What the other strides are taken for.
    pub multiples: BTreeSet<Multiple>,
    /// The bases whose elements may lie apart, for all that the compiler knows.
    gaps: BTreeSet<BaseId>,
}

impl Assumed {
    /// Notes at the arrays that this was assumed of them.
    pub fn note(&self, scop: &mut Scop) {
        for access in scop.stmts.iter().flat_map(|s| &s.accesses) {
            if let Place::Memory(address) = &access.place
                && self.gaps.contains(&address.base)
            {
                scop.arrays[access.array.index()].gaps = true;
            }
        }
    }
}

/// What is assumed of the strides of a region; `None`: nothing.
pub(super) fn assumed(region: &Region) -> Option<Assumed> {
    let mut units: BTreeMap<ValueId, i128> = BTreeMap::new();
    let mut others: BTreeMap<ValueId, i128> = BTreeMap::new();
    let mut gaps = BTreeSet::new();
    for (base, accesses) in &accesses(region) {
        let one = accesses.sizes.len() == 1 && !accesses.ranges;
        let Some(&size) = accesses.sizes.first().filter(|_| one) else {
            continue;
        };
        let strides = strides(region, accesses, size);
        let Some(unit) = unit(region, accesses, &strides, size) else {
            continue;
        };
        if region.strided.contains(&unit) {
            continue;
        }
        units.entry(unit).or_insert(size);
        gaps.insert(*base);
        for v in strides.into_iter().filter(|v| *v != unit) {
            others.entry(v).or_insert(size);
        }
    }
    if units.is_empty() {
        return None;
    }
    others.retain(|v, _| !units.contains_key(v));
    let mut found = rewritten(region, &units, &others);
    for l in found.loops.iter_mut().filter(|l| l.parent.is_none()) {
        l.predicates.extend(units.iter().map(|(v, size)| Cond::Cmp {
            pred: CmpPred::Eq,
            lhs: Scev::unknown(64, *v),
            rhs: Scev::constant(64, *size),
        }));
    }
    Some(Assumed {
        region: found,
        multiples: others.into_iter().collect(),
        gaps,
    })
}

/// The region with byte strides as multiples of elements, where loops move by elements and nothing else tells; and what the strides are taken for.
pub(super) fn multiples(region: &Region) -> Option<(Region, BTreeSet<Multiple>)> {
    let mut found: BTreeMap<ValueId, i128> = BTreeMap::new();
    for accesses in accesses(region).values() {
        if let Some(&size) = accesses.sizes.first().filter(|_| accesses.sizes.len() == 1) {
            let strides = strides(region, accesses, size);
            if moves_by_elements(region, accesses, &strides, size) {
                found.extend(strides.into_iter().map(|v| (v, size)));
            }
        }
    }
    let multiples = found.iter().map(|(v, size)| (*v, *size)).collect();
    let taken = || (rewritten(region, &BTreeMap::new(), &found), multiples);
    (!found.is_empty()).then(taken)
}

/// The region with numbers of bytes in the place of some strides, and multiples of such in that of others.
fn rewritten(
    region: &Region,
    units: &BTreeMap<ValueId, i128>,
    others: &BTreeMap<ValueId, i128>,
) -> Region {
    let mut found = region.clone();
    for inst in found.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        for addr in addresses_mut(&mut inst.kind) {
            rewrite(&mut addr.offset, units, others);
        }
    }
    found
}

fn accesses(region: &Region) -> BTreeMap<BaseId, Accesses> {
    let mut all: BTreeMap<BaseId, Accesses> = BTreeMap::new();
    for block in &region.blocks {
        for (addr, element) in block.insts.iter().flat_map(|i| addresses(&i.kind)) {
            let own = all.entry(addr.base).or_default();
            match element {
                Ok(ty) => drop(own.sizes.insert(i128::from(ty.bytes()))),
                Err(_) => own.ranges = true,
            }
            // A guess that the version check compares: whether sums of few bits wrap does not matter to it.
            let offset = affine_everywhere(addr).offset;
            match terms(region, &offset) {
                Some(terms) => own.offsets.push((terms, block.loop_)),
                None => own.open = true,
            }
        }
    }
    // What is only copied has elements of what it is copied to or from.
    for inst in region.blocks.iter().flat_map(|b| &b.insts) {
        if let InstKind::Memcpy { dst, src, .. } = &inst.kind {
            for (to, from) in [(dst.base, src.base), (src.base, dst.base)] {
                let known = all[&from].sizes.clone();
                let own = all.get_mut(&to).expect("it has accesses");
                if own.sizes.is_empty() {
                    own.sizes = known;
                }
            }
        }
    }
    all.retain(|_, a| !a.open);
    all
}

/// Values that iterators or nothing are multiplied with, and whose factors are no multiples of an element.
fn strides(region: &Region, accesses: &Accesses, size: i128) -> BTreeSet<ValueId> {
    let terms = accesses.offsets.iter().flat_map(|(terms, _)| terms);
    let in_bytes = terms.filter(|(_, c)| *c % size != 0);
    let stride = |(atoms, _): (&Vec<Atom>, &i128)| match &atoms[..] {
        [Atom::Value(v)] | [Atom::Value(v), Atom::Loop(_)] => Some(*v),
        _ => None,
    };
    let all = in_bytes.filter_map(stride);
    all.filter(|v| super::width_of(region, *v) == 64).collect()
}

/// Whether some loop moves by elements, and each by a known number of them or by one of these strides. Where an innermost one moves by a stride, that of
/// the first dimension is none of them: it moves through a version for arrays with gaps then.
fn moves_by_elements(
    region: &Region,
    accesses: &Accesses,
    strides: &BTreeSet<ValueId>,
    size: i128,
) -> bool {
    let is_loop = |a: &Atom| matches!(a, Atom::Loop(_));
    let known = |(atoms, c): (&Vec<Atom>, &i128)| match &atoms[..] {
        [Atom::Value(v), Atom::Loop(_)] if strides.contains(v) => true,
        _ => !atoms.iter().any(is_loop) || *c % size == 0,
    };
    let innermost = |(terms, innermost): &(Terms, Option<LoopId>)| {
        let by = |a: &Atom| matches!(a, Atom::Loop(l) if Some(*l) == *innermost);
        terms
            .keys()
            .any(|atoms| atoms.len() > 1 && atoms.iter().any(by))
    };
    let outer = |v: &ValueId| region.outer_strides.contains(v);
    let has_first = strides.iter().any(outer) && !strides.iter().all(outer);
    let terms = || accesses.offsets.iter().flat_map(|(terms, _)| terms);
    terms().all(known)
        && (accesses.ranges || terms().any(|t| is_element(t, size)))
        && !(has_first && accesses.offsets.iter().any(innermost))
}

/// Whether a loop moves by one element.
fn is_element((atoms, c): (&Vec<Atom>, &i128), size: i128) -> bool {
    matches!(atoms[..], [Atom::Loop(_)]) && *c == size
}

/// The stride of the first dimension, if that is known; the only one, where no innermost loop moves by any; or the one that most innermost loops move by; `None` if a loop moves by
/// an element, or an innermost one by a constant.
fn unit(
    region: &Region,
    accesses: &Accesses,
    strides: &BTreeSet<ValueId>,
    size: i128,
) -> Option<ValueId> {
    let mut terms = accesses.offsets.iter().flat_map(|(terms, _)| terms);
    if terms.any(|t| is_element(t, size)) {
        return None;
    }
    let mut votes: BTreeMap<ValueId, usize> = BTreeMap::new();
    for (terms, innermost) in &accesses.offsets {
        let moved = terms.keys().filter(|atoms| {
            let by = |a: &Atom| matches!(a, Atom::Loop(l) if Some(*l) == *innermost);
            atoms.iter().any(by)
        });
        for atoms in moved {
            match &atoms[..] {
                [Atom::Value(v), Atom::Loop(_)] if strides.contains(v) => {
                    *votes.entry(*v).or_default() += 1;
                }
                [Atom::Loop(_)] => return None,
                _ => {}
            }
        }
    }
    let outer = |v: &&ValueId| region.outer_strides.contains(v);
    let (outer, first): (Vec<&ValueId>, Vec<&ValueId>) = strides.iter().partition(outer);
    if size > 1
        && (!outer.is_empty() || votes.is_empty())
        && let [first] = first[..]
    {
        return Some(*first);
    }
    let most = votes
        .iter()
        .max_by_key(|(v, n)| (**n, std::cmp::Reverse(**v)));
    most.map(|(v, _)| *v).filter(|_| size > 1)
}

fn rewrite(s: &mut Scev, units: &BTreeMap<ValueId, i128>, others: &BTreeMap<ValueId, i128>) {
    if let ScevKind::Unknown(v) = s.kind
        && s.width == 64
    {
        if let Some(size) = units.get(&v) {
            *s = Scev::constant(64, *size);
        } else if let Some(size) = others.get(&v) {
            let quotient = ScevKind::UDiv(
                Box::new(Scev::unknown(64, v)),
                Box::new(Scev::constant(64, *size)),
            );
            let quotient = Scev {
                width: 64,
                kind: quotient,
            };
            let factors = vec![Scev::constant(64, *size), quotient];
            s.kind = ScevKind::Mul(factors, Wrap::default());
        }
        return;
    }
    for part in s.operands_mut() {
        rewrite(part, units, others);
    }
}
