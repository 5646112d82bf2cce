//! Checks of indices: `i == n` and `i < n` of unsigned numbers.
//!
//! ```text
//! for i = 0, 1, ..:  if (i == len) panic;  .. a[i] ..         if (i >= len) panic;
//! ```
//!
//! A compiler that knows of a counter that it cannot jump over a length compares for equality. But what is unequal lies on both sides, and
//! each such check would part all domains behind it in two. It is assumed that no check fails, so what implies that serves as well: counters
//! below the length, both read as signed, also where a loop's test has been made of it, `i == max(len, 1)`. That no counter is beyond a length that is below zero is left out, as lengths are not.
//!
//! Not for arrays all of whose strides are parameters (`ndarray`): LLVM guesses in its own loops that the innermost one is an element's, which our versions
//! do not, so that they are better left to it.

use super::memory::addresses;
use super::products::{Atom, terms};
use crate::region::{CmpPred, Cond, Region, Target, Terminator};
use crate::scev::{Scev, ScevKind};

/// The region with such checks as comparisons by size, if it has any.
pub(super) fn ordered(region: &Region) -> Option<Region> {
    if !has_elements(region) {
        return None;
    }
    let mut found = region.clone();
    let mut any = false;
    for block in &mut found.blocks {
        if let Terminator::Branch {
            cond, then, els, ..
        } = &mut block.term
            && let Cond::Cmp { pred, lhs, rhs } = cond
        {
            let ends = (*then == Target::Trap, *els == Target::Trap);
            let order = match (*pred, ends) {
                (CmpPred::Eq, (true, false)) => CmpPred::Sge,
                (CmpPred::Ne, (false, true)) => CmpPred::Slt,
                (CmpPred::Uge, (true, false)) if begins_above(lhs) => CmpPred::Sge,
                (CmpPred::Ult, (false, true)) if begins_above(lhs) => CmpPred::Slt,
                _ => continue,
            };
            if counts(lhs) && is_length(rhs) {
                *pred = order;
                *rhs = least(rhs);
                any = true;
            }
        }
    }
    any.then_some(found)
}

/// Whether all accesses move by a constant along some loop, if they move.
fn has_elements(region: &Region) -> bool {
    let insts = region.blocks.iter().flat_map(|b| &b.insts);
    let mut all = insts.flat_map(|i| addresses(&i.kind));
    all.all(|(address, _)| {
        let moves = |atoms: &Vec<Atom>| atoms.iter().any(|a| matches!(a, Atom::Loop(_)));
        let by_constant = |atoms: &Vec<Atom>| matches!(&atoms[..], [Atom::Loop(_)]);
        match terms(region, &address.offset) {
            Some(terms) => terms.keys().any(by_constant) || !terms.keys().any(moves),
            None => true,
        }
    })
}

/// Whether something grows by one with each iteration of a loop.
fn counts(s: &Scev) -> bool {
    match &s.kind {
        ScevKind::AddRec { operands, .. } => {
            operands[1..].iter().all(|s| s.as_constant() == Some(1))
        }
        _ => false,
    }
}

/// Whether a counter is never below zero.
fn begins_above(s: &Scev) -> bool {
    match &s.kind {
        ScevKind::Const(c) => *c >= 0,
        ScevKind::AddRec { operands, .. } => begins_above(&operands[0]),
        _ => false,
    }
}

/// A length without constants that it is at least, `max(len, 2) - 1`: not more than it.
fn least(s: &Scev) -> Scev {
    match &s.kind {
        ScevKind::Add(terms, wrap) => Scev {
            width: s.width,
            kind: ScevKind::Add(terms.iter().map(least).collect(), *wrap),
        },
        ScevKind::UMax(parts) | ScevKind::SMax(parts) => match &parts[..] {
            [c, rest] | [rest, c] if c.as_constant().is_some_and(|c| c >= 0) => least(rest),
            _ => s.clone(),
        },
        _ => s.clone(),
    }
}

fn is_length(s: &Scev) -> bool {
    s.loops().is_empty() && s.as_constant().is_none()
}
