//! Byte strides of a descriptor, divided by the size of an element.
//!
//! Fortran's compilers have the strides of an array of assumed shape in bytes. Where they know the first one to be an element,
//! an offset is a number of elements, `8 * ((j * stride) / 8)`. Where `stride` is a multiple of 8, that is `j * 8*(stride/8)`:
//! the quotient is a size, and the offset a polynomial.

use super::linear::signed_quotient;
use crate::ids::ValueId;
use crate::region::{Address, InstKind, Region};
use crate::scev::{Scev, ScevKind, Wrap};
use std::collections::BTreeSet;

/// A value and what it is taken for a multiple of.
pub(super) type Multiple = (ValueId, i128);

/// The region with such quotients in the addresses of loads and stores carried out, and what that takes for granted;
/// `None` if it has none.
pub(super) fn divided(region: &Region) -> Option<(Region, BTreeSet<Multiple>)> {
    let quotients = |addr: &Address| {
        addr.offset
            .any(&mut |part| quotient_of_stride(part).is_some())
    };
    let accesses = region.blocks.iter().flat_map(|b| &b.insts);
    let any = accesses.into_iter().any(|inst| match &inst.kind {
        InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => quotients(addr),
        _ => false,
    });
    if !any {
        return None;
    }
    let mut all = BTreeSet::new();
    let mut found = region.clone();
    each_access(&mut found, &mut |addr| rewrite(&mut addr.offset, &mut all));
    if all.is_empty() {
        return None;
    }
    each_access(&mut found, &mut |addr| in_elements(&mut addr.offset, &all));
    Some((found, all))
}

fn each_access(region: &mut Region, visit: &mut dyn FnMut(&mut Address)) {
    for inst in region.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if let InstKind::Load { addr, .. } | InstKind::Store { addr, .. } = &mut inst.kind {
            visit(addr);
        }
    }
}

/// What other addresses have in bytes is a multiple in them as well: one row is one distance, whichever way it is written.
fn in_elements(s: &mut Scev, all: &BTreeSet<Multiple>) {
    match &s.kind {
        ScevKind::Unknown(v) if s.width == 64 => {
            if let Some((_, size)) = all.iter().find(|(known, _)| known == v) {
                let size = Scev::constant(64, *size);
                let quotient = Scev {
                    width: 64,
                    kind: ScevKind::UDiv(Box::new(s.clone()), Box::new(size.clone())),
                };
                s.kind = ScevKind::Mul(vec![size, quotient], Wrap::default());
            }
        }
        ScevKind::UDiv(..) => {}
        _ => s
            .operands_mut()
            .into_iter()
            .for_each(|part| in_elements(part, all)),
    }
}

/// Dividend and divisor of a signed quotient that moves.
fn quotient_of_stride(s: &Scev) -> Option<(&Scev, i128)> {
    let ScevKind::Add(v, _) = &s.kind else {
        return None;
    };
    let moves = |a: &Scev| a.any(&mut |part| matches!(part.kind, ScevKind::AddRec { .. }));
    signed_quotient(v).filter(|(a, _)| moves(a))
}

fn rewrite(s: &mut Scev, all: &mut BTreeSet<Multiple>) {
    if let Some((a, c)) = quotient_of_stride(s) {
        let mut taken = BTreeSet::new();
        if let Some(quotient) = quotient(a, c, &mut taken) {
            all.extend(taken);
            *s = quotient;
        }
        return;
    }
    for part in s.operands_mut() {
        rewrite(part, all);
    }
    // As scalar evolutions are written.
    if let ScevKind::Mul(v, _) = &s.kind
        && let [a, b] = &v[..]
        && a.as_constant().is_some()
        && matches!(b.kind, ScevKind::AddRec { .. })
    {
        *s = scaled(b, a);
    }
}

/// `s / c`, if each of its terms can be taken for a multiple of `c`.
fn quotient(s: &Scev, c: i128, taken: &mut BTreeSet<Multiple>) -> Option<Scev> {
    let all = |v: &[Scev], taken: &mut BTreeSet<Multiple>| -> Option<Vec<Scev>> {
        v.iter().map(|t| quotient(t, c, taken)).collect()
    };
    let kind = match &s.kind {
        ScevKind::Const(n) if n % c == 0 => ScevKind::Const(n / c),
        ScevKind::Unknown(v) => {
            taken.insert((*v, c));
            let divisor = Scev::constant(s.width, c);
            ScevKind::UDiv(Box::new(s.clone()), Box::new(divisor))
        }
        ScevKind::Add(v, _) => ScevKind::Add(all(v, taken)?, Wrap::default()),
        ScevKind::Mul(v, _) => match &v[..] {
            [a, b] if a.as_constant().is_some() => {
                ScevKind::Mul(vec![a.clone(), quotient(b, c, taken)?], Wrap::default())
            }
            _ => return None,
        },
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: all(operands, taken)?,
            wrap: Wrap::default(),
        },
        _ => return None,
    };
    Some(Scev {
        width: s.width,
        kind,
    })
}

/// `c * s`, recurrences multiplied part by part.
fn scaled(s: &Scev, c: &Scev) -> Scev {
    let kind = match (&s.kind, c.as_constant()) {
        (ScevKind::Const(n), Some(c)) => ScevKind::Const(n * c),
        (
            ScevKind::AddRec {
                loop_, operands, ..
            },
            _,
        ) => ScevKind::AddRec {
            loop_: *loop_,
            operands: operands.iter().map(|t| scaled(t, c)).collect(),
            wrap: Wrap::default(),
        },
        _ => ScevKind::Mul(vec![c.clone(), s.clone()], Wrap::default()),
    };
    Scev {
        width: s.width,
        kind,
    }
}
