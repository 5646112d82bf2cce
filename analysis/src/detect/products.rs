//! Offsets multiplied out, before it is known what is a parameter: which values they have as factors of which iterators.

use crate::ids::{LoopId, ValueId};
use crate::region::{Def, Region};
use crate::scev::{Scev, ScevKind};
use std::collections::BTreeMap;

/// Terms of an offset that are looked at.
const MAX_TERMS: usize = 64;

/// What products are made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Atom {
    /// Known in front of the region, read as signed if it has less than 64 bits.
    Value(ValueId),
    /// The iterator of a loop.
    Loop(LoopId),
    /// Anything else.
    Other(Box<Scev>),
}

/// Products, sorted, and their factors.
pub(super) type Terms = BTreeMap<Vec<Atom>, i128>;

/// An offset multiplied out; `None` if it has too many terms.
pub(super) fn terms(region: &Region, s: &Scev) -> Option<Terms> {
    let one = |atom| BTreeMap::from([(vec![atom], 1)]);
    Some(match &s.kind {
        _ if s.width != 64 => one(Atom::Other(Box::new(s.clone()))),
        ScevKind::Const(c) => BTreeMap::from([(vec![], *c)]),
        ScevKind::Unknown(v) if is_invariant(region, *v) => one(Atom::Value(*v)),
        ScevKind::SExt(a)
            if let ScevKind::Unknown(v) = a.kind
                && is_invariant(region, v) =>
        {
            one(Atom::Value(v))
        }
        ScevKind::Add(parts, _) => {
            let mut all = Terms::new();
            for p in parts {
                add(&mut all, terms(region, p)?)?;
            }
            all
        }
        ScevKind::Mul(parts, _) => {
            let mut all = BTreeMap::from([(vec![], 1)]);
            for p in parts {
                all = product(&all, &terms(region, p)?)?;
            }
            all
        }
        ScevKind::AddRec {
            loop_, operands, ..
        } if let [start, step] = &operands[..] => {
            let mut all = terms(region, start)?;
            add(
                &mut all,
                product(&one(Atom::Loop(*loop_)), &terms(region, step)?)?,
            )?;
            all
        }
        _ => one(Atom::Other(Box::new(s.clone()))),
    })
}

/// Whether a value is known in front of the region.
pub(super) fn is_invariant(region: &Region, v: ValueId) -> bool {
    matches!(region.value(v).def, Def::Invariant)
}

/// Whether an evolution is known in front of the region.
pub(super) fn stands_still(region: &Region, s: &Scev) -> bool {
    !s.any(&mut |part| match part.kind {
        ScevKind::Unknown(v) => !is_invariant(region, v),
        ScevKind::AddRec { .. } | ScevKind::Unknowable => true,
        _ => false,
    })
}

fn add(all: &mut Terms, more: Terms) -> Option<()> {
    for (atoms, c) in more {
        let sum = all.entry(atoms).or_default();
        *sum = sum.checked_add(c)?;
    }
    all.retain(|_, c| *c != 0);
    (all.len() <= MAX_TERMS).then_some(())
}

fn product(a: &Terms, b: &Terms) -> Option<Terms> {
    let mut all = Terms::new();
    for (x, c) in a {
        for (y, d) in b {
            let mut atoms = [&x[..], &y[..]].concat();
            atoms.sort();
            add(&mut all, BTreeMap::from([(atoms, c.checked_mul(*d)?)]))?;
        }
    }
    Some(all)
}
