//! Records with fields of several sizes: one array per size.
//!
//! ```text
//! struct { double x, y; int kind; } p[n];        for i: p[i].kind = p[i].x > p[i].y;
//! ```
//!
//! All addresses are multiples of the record's size, but for constants that say which field it is. Where fields of different
//! sizes never share a byte, whatever the multiples are, they are arrays that lie apart.

use super::bases;
use crate::ids::BaseId;
use crate::quotient::gcd;
use crate::region::{InstKind, Region};
use crate::scev::{Scev, ScevKind};
use std::collections::{BTreeMap, BTreeSet};

/// The region with a base of its own for the fields of each size; `None` if no base has several.
pub(super) fn apart(region: &Region) -> Option<Region> {
    let mut fields: BTreeMap<BaseId, Option<BTreeSet<Field>>> = BTreeMap::new();
    for inst in region.blocks.iter().flat_map(|b| &b.insts) {
        match &inst.kind {
            InstKind::Load { addr, ty } | InstKind::Store { addr, ty, .. } => {
                let known = fields.entry(addr.base).or_insert(Some(BTreeSet::new()));
                let field = Field::of(&addr.offset, i128::from(ty.bytes()));
                match (known.as_mut(), field) {
                    (Some(all), Some(field)) => drop(all.insert(field)),
                    _ => *known = None,
                }
            }
            InstKind::Memset { addr, .. } => drop(fields.insert(addr.base, None)),
            InstKind::Memcpy { dst, src, .. } => {
                fields.insert(dst.base, None);
                fields.insert(src.base, None);
            }
            InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => {}
        }
    }
    let mut found: Option<Region> = None;
    for (base, fields) in fields {
        let sizes: BTreeSet<i128> = fields.iter().flatten().map(|f| f.size).collect();
        let rows = region
            .rows
            .iter()
            .any(|r| r.base == base || r.table == base);
        if sizes.len() > 1 && !rows && fields.is_some_and(|f| are_apart(&f)) {
            let region = found.get_or_insert_with(|| region.clone());
            // The first size keeps the base.
            for size in sizes.iter().skip(1) {
                split(region, base, *size);
            }
        }
    }
    found
}

/// Where accesses lie: at a constant plus multiples of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Field {
    size: i128,
    at: i128,
    /// What everything that is not constant is a multiple of; 0: there is nothing.
    multiple: i128,
}

impl Field {
    fn of(offset: &Scev, size: i128) -> Option<Field> {
        let (at, multiple) = parts(offset)?;
        (size > 0).then_some(Field { size, at, multiple })
    }
}

/// The constant in an evolution, and what the rest is a multiple of.
fn parts(s: &Scev) -> Option<(i128, i128)> {
    let sum = |all: &[Scev]| {
        all.iter().try_fold((0i128, 0i128), |(at, multiple), t| {
            let (a, m) = parts(t)?;
            Some((at.checked_add(a)?, gcd(multiple, m)))
        })
    };
    match &s.kind {
        ScevKind::Const(c) => Some((*c, 0)),
        // Of few bits, sums wrap.
        _ if s.width < 64 => Some((0, 1)),
        ScevKind::Add(v, _) => sum(v),
        ScevKind::AddRec { operands, .. } => {
            let (at, start) = parts(operands.first()?)?;
            let steps = operands[1..].iter().try_fold(start, |all, s| {
                let (a, m) = parts(s)?;
                Some(gcd(all, gcd(a, m)))
            })?;
            Some((at, steps))
        }
        ScevKind::Mul(v, _) => {
            let constant: i128 = v.iter().filter_map(Scev::as_constant).product();
            let open: Vec<&Scev> = v.iter().filter(|t| t.as_constant().is_none()).collect();
            match open[..] {
                [one] => {
                    let (at, multiple) = parts(one)?;
                    Some((
                        at.checked_mul(constant)?,
                        multiple.checked_mul(constant)?.abs(),
                    ))
                }
                _ => Some((0, constant.abs())),
            }
        }
        _ => Some((0, 1)),
    }
}

/// Whether fields of different sizes share no byte.
fn are_apart(fields: &BTreeSet<Field>) -> bool {
    let record = fields.iter().fold(0, |all, f| gcd(all, f.multiple));
    let place = |f: &Field| match record {
        0 => f.at,
        record => f.at.rem_euclid(record),
    };
    let inside = |f: &Field| record == 0 || place(f) + f.size <= record;
    let meet = |a: &Field, b: &Field| {
        a.size != b.size && place(a) < place(b) + b.size && place(b) < place(a) + a.size
    };
    fields.iter().all(inside) && !fields.iter().any(|a| fields.iter().any(|b| meet(a, b)))
}

/// Gives the accesses of a size a base of their own. Parts of one record are apart.
fn split(region: &mut Region, base: BaseId, size: i128) {
    let parts = bases::parts(region, base);
    let new = bases::part(region, base);
    let apart = parts.into_iter().map(|part| (part, new));
    region.no_alias.extend(apart);
    for inst in region.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if let InstKind::Load { addr, ty } | InstKind::Store { addr, ty, .. } = &mut inst.kind
            && addr.base == base
            && i128::from(ty.bytes()) == size
        {
            addr.base = new;
        }
    }
}
