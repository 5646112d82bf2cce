//! Lower bounds of arrays, and what all addresses of one have in common: where an array begins to count is no parameter of the model.
//!
//! ```text
//! real, allocatable :: p(:, :, :)         p(i, j, k) lies at   base + 4*((i - l1) + n1*((j - l2) + n2*(k - l3)))
//! ```
//!
//! The bounds `l1, l2, l3` come from the array's description and nothing is known of them; eight arrays have twenty-four, and each
//! would be a parameter of every set. But all accesses of an array have the same part `-4*l1 - 4*n1*l2 - 4*n1*n2*l3`. So each bound is taken
//! for a constant in all of them, and the elements are counted from another place, `Shift`s from the base:
//!
//! ```text
//! base + 4*((l' - l1) + n1*(l'' - l2) + ..) + 4*((i - l') + n1*((j - l'') + ..))
//! ```
//!
//! Which constant makes no difference to what is accessed, but to what has to be assumed: subscripts are not negative. It is the least subscript
//! where that is a constant, and at most 1 beside sizes (`p(n - 1, j)`), which is what most arrays begin with.
//!
//! An offset that is the same everywhere belongs to the base as well (`w[off + i*n + j]`: the weights of one layer among others): as a
//! part of the last subscript it would have to be 0 for subscripts to stay in their rows.
//!
//! A value that says how often a loop runs, or when, stays a parameter.

use super::bases::{self, addresses_mut};
use super::carved;
use super::model;
use super::polynomial::divide;
use super::products::{Atom, Terms, stands_still, terms};
use crate::ids::{BaseId, ValueId};
use crate::region::{InstKind, Region};
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::{Place, Scop, Shift};
use std::collections::{BTreeMap, BTreeSet};

/// Where the elements of each base are counted from.
pub(super) type Origins = BTreeMap<BaseId, Vec<Shift>>;

/// The region with constants in the place of lower bounds; `None` if there are none.
pub(super) fn moved(region: &Region) -> Option<(Region, Origins)> {
    let mut steering = BTreeSet::new();
    model::each_in_conditions(region, &mut |s| steering.extend(s.values()));
    let mut offsets: BTreeMap<BaseId, Vec<&Scev>> = BTreeMap::new();
    for inst in region.blocks.iter().flat_map(|b| &b.insts) {
        match &inst.kind {
            InstKind::Memset { len, .. } | InstKind::Memcpy { len, .. } => {
                steering.extend(len.values());
            }
            _ => {}
        }
        for a in inst.kind.addresses() {
            offsets.entry(a.base).or_default().push(&a.offset);
        }
    }
    let mut origins = Origins::new();
    for (base, offsets) in offsets {
        let shifts = shifts(region, &offsets, &steering);
        if !shifts.is_empty() && bases::is_alone(region, base) {
            origins.insert(base, shifts);
        }
    }
    if origins.is_empty() {
        return None;
    }
    let mut found = region.clone();
    for inst in found.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        for a in addresses_mut(&mut inst.kind) {
            for shift in origins.get(&a.base).into_iter().flatten() {
                if let Shift::Bound { value, from, .. } = shift {
                    replace(&mut a.offset, (*value, *from));
                }
            }
        }
    }
    Some((found, origins))
}

/// Gives accesses the addresses that the program has, and arrays their origins.
pub(super) fn returned(region: &Region, scop: &mut Scop, origins: &Origins) {
    let width = |v| super::width_of(region, v);
    for access in scop.stmts.iter_mut().flat_map(|s| &mut s.accesses) {
        if let Place::Memory(address) = &mut access.place
            && let Some(shifts) = origins.get(&address.base)
        {
            address.offset = match &shifts[..] {
                [Shift::Common(bytes)] => carved::whole(&address.offset, bytes),
                shifts => {
                    let mut terms = vec![address.offset.clone()];
                    terms.extend(shifts.iter().map(|s| distance(s, width)));
                    Scev::sum(terms)
                }
            };
            scop.arrays[access.array.index()].origin = shifts.clone();
        }
    }
}

/// Bytes from the base to where elements are counted from, as far as one shift says.
fn distance(shift: &Shift, width: impl Fn(ValueId) -> u32) -> Scev {
    let (value, from, stride) = match shift {
        Shift::Bound {
            value,
            from,
            stride,
        } => (*value, *from, stride),
        Shift::Common(bytes) => return bytes.clone(),
    };
    let wide = wide(value, width(value));
    let ahead = match from {
        0 => wide,
        from => Scev::sum(vec![Scev::constant(64, -i128::from(from)), wide]),
    };
    Scev::product(vec![stride.clone(), ahead])
}

/// A value in 64 bits.
fn wide(v: ValueId, width: u32) -> Scev {
    let value = Scev::unknown(width, v);
    match width {
        64 => value,
        _ => Scev {
            width: 64,
            kind: ScevKind::SExt(Box::new(value)),
        },
    }
}

/// Puts a constant in the place of a value.
fn replace(s: &mut Scev, (value, from): (ValueId, i64)) {
    if s.kind == ScevKind::Unknown(value) {
        *s = Scev::constant(s.width, i128::from(from));
        return;
    }
    if s.width == 64
        && let ScevKind::Add(_, w) | ScevKind::Mul(_, w) | ScevKind::AddRec { wrap: w, .. } =
            &mut s.kind
    {
        // What is promised is promised of the program's own numbers.
        *w = Wrap::default();
    }
    for part in s.operands_mut() {
        replace(part, (value, from));
    }
}

/// The lower bounds in the offsets of an array, as far as they steer nothing.
fn shifts(region: &Region, offsets: &[&Scev], steering: &BTreeSet<ValueId>) -> Vec<Shift> {
    let all: Option<Vec<Terms>> = offsets.iter().map(|s| terms(region, s)).collect();
    let Some(all) = all else {
        return vec![];
    };
    let values: BTreeSet<ValueId> = offsets[0].values().into_iter().collect();
    let bounds = values.into_iter().filter(|v| !steering.contains(v));
    let bounds: Vec<(ValueId, Vec<Atom>, i128)> = bounds
        .filter_map(|v| {
            let (atoms, c) = stride(region, &all[0], v)?;
            let same = |t: &Terms| stride(region, t, v).as_ref() == Some(&(atoms.clone(), c));
            all.iter().all(same).then_some((v, atoms, c))
        })
        .collect();
    // Of a product of values that are nowhere else, one is the bound, and the others are sizes.
    let mut sizes: BTreeSet<ValueId> = BTreeSet::new();
    let mut chosen: Vec<&(ValueId, Vec<Atom>, i128)> = vec![];
    for bound in &bounds {
        if !sizes.contains(&bound.0) {
            sizes.extend(values_of(&bound.1));
            chosen.push(bound);
        }
    }
    let found = chosen.into_iter().filter(|(v, ..)| {
        // Nothing that the analysis did not multiply out may contain it.
        let mut atoms = all.iter().flat_map(|t| t.keys()).flatten();
        atoms.all(|a| !matches!(a, Atom::Other(s) if s.values().contains(v)))
    });
    found
        .filter_map(|(v, atoms, c)| {
            let from = least(&all, (atoms, *c), &sizes)?;
            let factor = |a: &Atom| match a {
                Atom::Value(v) => wide(*v, super::width_of(region, *v)),
                Atom::Other(s) => (**s).clone(),
                Atom::Loop(_) => unreachable!("strides stand still"),
            };
            let factors = std::iter::once(Scev::constant(64, *c)).chain(atoms.iter().map(factor));
            Some(Shift::Bound {
                value: *v,
                from,
                stride: Scev::product(factors.collect()),
            })
        })
        .collect()
}

/// The only product with a value, without it, if nothing in it moves.
fn stride(region: &Region, terms: &Terms, v: ValueId) -> Option<(Vec<Atom>, i128)> {
    let of = Atom::Value(v);
    let mut with = terms.iter().filter(|(atoms, _)| atoms.contains(&of));
    let (atoms, c) = with.next()?;
    let rest = divide(atoms, std::slice::from_ref(&of))?;
    let stands = |a: &Atom| match a {
        Atom::Value(other) => *other != v,
        Atom::Loop(_) => false,
        Atom::Other(s) => stands_still(region, s),
    };
    let still = rest.iter().all(stands);
    (still && with.next().is_none()).then_some((rest, *c))
}

/// The values that factors of a stride are made of.
fn values_of(atoms: &[Atom]) -> impl Iterator<Item = ValueId> {
    atoms.iter().flat_map(|a| match a {
        Atom::Value(v) => vec![*v],
        Atom::Loop(_) => vec![],
        Atom::Other(s) => s.values(),
    })
}

/// The constant that is taken for a bound with this stride.
fn least(all: &[Terms], (atoms, c): (&[Atom], i128), sizes: &BTreeSet<ValueId>) -> Option<i64> {
    let size = |a: &Atom| matches!(a, Atom::Value(v) if sizes.contains(v));
    let mut open = false;
    let mut least: Option<i128> = None;
    for terms in all {
        let mut own = false;
        for (product, factor) in terms {
            // Products with more sizes belong to other dimensions, and the bound itself to this one.
            let rest = divide(product, atoms).filter(|rest| !rest.iter().any(size));
            let Some(rest) = rest else {
                continue;
            };
            match &rest[..] {
                [Atom::Loop(_)] if *factor >= 0 => {}
                [Atom::Value(_)] if *factor == c => {}
                [] => {}
                _ => own = true,
            }
        }
        open |= own;
        if !own {
            let constant = terms.get(atoms).copied().unwrap_or(0);
            let first = constant.div_euclid(c.abs());
            least = Some(least.map_or(first, |l: i128| l.min(first)));
        }
    }
    let from = match (least, open) {
        // What is added is nothing.
        _ if c > 0 => 0,
        (Some(l), false) => l,
        (Some(l), true) => l.min(1),
        (None, _) => 1,
    };
    i64::try_from(from).ok()
}
