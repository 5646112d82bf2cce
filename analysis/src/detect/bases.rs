//! Base pointers that the model has several arrays of: what a program has at one pointer is taken apart, and joined again.

use crate::ids::BaseId;
use crate::region::{Address, InstKind, Region};
use crate::scop::{Place, Scop};

/// A base more for a part of what one leads to. It is apart from what that one is apart from, and not from that one.
pub(super) fn part(region: &mut Region, base: BaseId) -> BaseId {
    let new = BaseId::from(region.bases.len());
    region.bases.push(region.bases[base.index()].clone());
    let same = region.bases[base.index()].value;
    let pairs = region.no_alias.iter();
    let others = pairs.filter_map(|(a, b)| match (*a == base, *b == base) {
        (true, false) => Some(*b),
        (false, true) => Some(*a),
        _ => None,
    });
    let others = others.filter(|o| region.bases[o.index()].value != same);
    let apart: Vec<(BaseId, BaseId)> = others.map(|o| (o, new)).collect();
    region.no_alias.extend(apart);
    for held in &mut region.held {
        if held.apart.contains(&base) {
            held.apart.push(new);
        }
    }
    new
}

/// The bases with the pointer of one.
pub(super) fn parts(region: &Region, base: BaseId) -> Vec<BaseId> {
    let same = region.bases[base.index()].value;
    let all = (0..region.bases.len()).map(BaseId::from);
    all.filter(|b| region.bases[b.index()].value == same)
        .collect()
}

/// Whether a pointer is the base of one array: no table of rows or what one points to, and no record that was taken apart.
pub(super) fn is_alone(region: &Region, base: BaseId) -> bool {
    let mut rows = region.rows.iter();
    parts(region, base).len() == 1 && !rows.any(|r| r.base == base || r.table == base)
}

/// Gives accesses their pointers back: what is split here is one pointer in the program.
pub(super) fn rejoined(scop: &mut Scop, region: &Region) {
    let first = |b: BaseId| {
        let value = region.bases[b.index()].value;
        let at = region.bases.iter().position(|x| x.value == value);
        at.map_or(b, BaseId::from)
    };
    for access in scop.stmts.iter_mut().flat_map(|s| &mut s.accesses) {
        if let Place::Memory(address) = &mut access.place {
            address.base = first(address.base);
        }
    }
}

/// The addresses of an instruction, to be changed.
pub(super) fn addresses_mut(kind: &mut InstKind) -> Vec<&mut Address> {
    match kind {
        InstKind::Load { addr, .. }
        | InstKind::Store { addr, .. }
        | InstKind::Memset { addr, .. } => vec![addr],
        InstKind::Memcpy { dst, src, .. } => vec![dst, src],
        InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => vec![],
    }
}
