//! Sizes that are sums of several values: rows of `n + m` elements.
//!
//! ```text
//! a[i*(n + m) + j]                        the sum is the length of a row: a parameter
//! grid[i + j*js + k*ks + g*(js + ks)]     all of it are strides already: a margin of g rows of each dimension
//! ```
//!
//! What is added to all addresses has sums as well. Where all that one is made of are strides, it is a place in the array, and is multiplied out.

use super::affine::is_invariant;
use super::linear::{self, Linear};
use crate::region::Region;
use crate::scev::{Scev, ScevKind};
use std::collections::BTreeSet;

/// The sums of values that are sizes, and their names.
pub(super) fn sums(region: &Region) -> Vec<(Linear, String)> {
    let known = |v| is_invariant(region, v);
    let (mut moving, mut fixed, mut strides) = (vec![], vec![], BTreeSet::new());
    super::model::each_evolution(region, &mut |s| {
        each_factor(
            s,
            false,
            &mut |factor, moves| match linear::of(factor, &known) {
                Some(sum) if sum.is_composed() && moves => moving.push(sum.terms()),
                Some(sum) if sum.is_composed() => fixed.push(sum.terms()),
                Some(sum) if moves => strides.extend(sum.values().unwrap_or_default()),
                _ => {}
            },
        );
    });
    fixed.retain(|sum: &Linear| {
        !sum.values()
            .is_some_and(|v| v.iter().all(|v| strides.contains(v)))
    });
    let mut sums: Vec<(Linear, String)> = vec![];
    for sum in moving.into_iter().chain(fixed) {
        if !sums.iter().any(|(known, _)| sum.over(known).is_some()) {
            sums.push((sum, format!("p_size_{}", sums.len())));
        }
    }
    sums
}

/// Visits what is multiplied with something, and whether that moves (`moves` for the whole).
fn each_factor(s: &Scev, moves: bool, visit: &mut dyn FnMut(&Scev, bool)) {
    let inside = match &s.kind {
        ScevKind::Mul(..) => moves || !s.loops().is_empty(),
        _ => moves,
    };
    let moves = |operand: usize| inside || operand > 0 && matches!(s.kind, ScevKind::AddRec { .. });
    factors(s).into_iter().for_each(|f| visit(f, moves(1)));
    for (at, operand) in s.operands().into_iter().enumerate() {
        each_factor(operand, moves(at), visit);
    }
}

/// What is multiplied with something that is not constant: factors of a product, the step of a recurrence.
fn factors(s: &Scev) -> Vec<&Scev> {
    let is_open = |t: &&Scev| t.as_constant().is_none();
    match &s.kind {
        ScevKind::Mul(v, _) if v.iter().filter(is_open).count() > 1 => v.iter().collect(),
        ScevKind::AddRec { operands, .. } => match &operands[1..] {
            [
                Scev {
                    kind: ScevKind::Mul(v, _),
                    ..
                },
                ..,
            ] => v.iter().collect(),
            steps => steps.iter().take(1).collect(),
        },
        _ => vec![],
    }
}
