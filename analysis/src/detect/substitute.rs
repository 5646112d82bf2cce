//! Other evolutions for values of a region.

use crate::ids::ValueId;
use crate::region::{Cond, InstKind, Region, Terminator};
use crate::scev::{Scev, ScevKind};

/// Writes `s` for `v` everywhere.
pub(super) fn replace(region: &mut Region, v: ValueId, s: &Scev) {
    for value in &mut region.values {
        value.scev.iter_mut().for_each(|x| substitute(x, v, s));
    }
    region.values[v.index()].scev = Some(s.clone());
    let required = region.required.iter_mut();
    required.for_each(|c| in_condition(c, v, s));
    for l in &mut region.loops {
        substitute(&mut l.backedge_count, v, s);
        let predicates = l.predicates.iter_mut();
        predicates.for_each(|c| in_condition(c, v, s));
    }
    for block in &mut region.blocks {
        if let Terminator::Branch { cond, .. } = &mut block.term {
            in_condition(cond, v, s);
        }
        for inst in &mut block.insts {
            if inst.id == v {
                inst.kind = InstKind::Index;
            }
            match &mut inst.kind {
                InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => {
                    substitute(&mut addr.offset, v, s);
                }
                InstKind::Memset { addr, len, .. } => {
                    substitute(&mut addr.offset, v, s);
                    substitute(len, v, s);
                }
                InstKind::Memcpy { dst, src, len } => {
                    substitute(&mut dst.offset, v, s);
                    substitute(&mut src.offset, v, s);
                    substitute(len, v, s);
                }
                InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => {}
            }
        }
    }
}

fn in_condition(cond: &mut Cond, v: ValueId, s: &Scev) {
    match cond {
        Cond::Const(_) | Cond::Opaque(_) => {}
        Cond::Cmp { lhs, rhs, .. } => {
            substitute(lhs, v, s);
            substitute(rhs, v, s);
        }
        Cond::And(list) | Cond::Or(list) => list.iter_mut().for_each(|c| in_condition(c, v, s)),
        Cond::Not(c) => in_condition(c, v, s),
        Cond::Phi(list) => list.iter_mut().for_each(|(_, c)| in_condition(c, v, s)),
    }
}

fn substitute(at: &mut Scev, v: ValueId, s: &Scev) {
    if at.kind == ScevKind::Unknown(v) {
        at.kind = s.kind.clone();
        return;
    }
    for part in at.operands_mut() {
        substitute(part, v, s);
    }
    if let ScevKind::ZExt(a) | ScevKind::SExt(a) | ScevKind::Trunc(a) = &at.kind
        && let Some(c) = a.as_constant()
        && (0..1 << (a.width.min(at.width) - 1)).contains(&c)
    {
        *at = Scev::constant(at.width, c);
    }
}
