//! Sizes that are sums of several values: rows of `n + m` elements.
//!
//! ```text
//! a[i*(n + m) + j]                        the sum is the length of a row: a parameter
//! grid[i + j*js + k*ks + g*(js + ks)]     all of it are strides already: a margin of g rows of each dimension
//! ```
//!
//! What is added to all addresses has sums as well. Where all that one is made of are strides, it is a place in the array, and is multiplied out.
//!
//! The greatest or the least of several (`std::min(n, 256)`, `abs(n)`) is a size where something moves by it: where it only says where something begins,
//! its parts say more.
//!
//! A sum of one value and a constant is told from that value alone (`polynomial::Factor`), but where products have several of them (planes of `n` rows
//! of `n + 3` elements), or a multiple of the value (rows of `2*n + 1`): these are sizes with their constants.

use super::affine::is_invariant;
use super::linear::{self, Linear};
use crate::ids::ValueId;
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
                Some(sum) if sum.is_composed() && !sum.has_extrema() => fixed.push(sum.terms()),
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
    for sum in offset_sizes(region, &known) {
        sums.push((sum, format!("p_size_{}", sums.len())));
    }
    sums
}

/// The sums of one value and a constant that are multiplied with others of that value, or have a multiple of it that the constant is none of.
fn offset_sizes(region: &Region, known: &dyn Fn(ValueId) -> bool) -> BTreeSet<Linear> {
    let (mut found, mut moving) = (BTreeSet::new(), BTreeSet::new());
    let strides = strides(region, known);
    super::model::each_evolution(region, &mut |s| {
        let (found, moving) = (&mut found, &mut moving);
        let mut all = Lengths {
            known,
            strides: &strides,
            found,
            moving,
        };
        lengths(s, false, &mut all);
    });
    let alone = |sum: &&Linear| {
        let of_same = moving.iter().filter(|other| other.values() == sum.values());
        of_same.count() == 1
    };
    let lengths = moving.iter().filter(|sum| sum.is_between_multiples());
    found.extend(lengths.filter(alone).cloned());
    found
}

/// Where sums of one value are looked for, and those that are sizes with their constants.
struct Lengths<'a> {
    known: &'a dyn Fn(ValueId) -> bool,
    /// The products of values that loops move by.
    strides: &'a BTreeSet<Vec<ValueId>>,
    found: &'a mut BTreeSet<Linear>,
    /// What something moves by, without common factors. Rows of `2*n + 1` elements are no diagonals where nothing moves by `2*n`.
    moving: &'a mut BTreeSet<Linear>,
}

/// The sums of one value that an evolution has as factors or steps.
fn lengths(s: &Scev, moves: bool, all: &mut Lengths) -> BTreeSet<Linear> {
    let steps = matches!(s.kind, ScevKind::AddRec { .. });
    let product = matches!(s.kind, ScevKind::Mul(..));
    let moves = moves || is_multiplied(s);
    let mut parts = vec![];
    for (at, operand) in s.operands().into_iter().enumerate() {
        let counts = product || steps && at > 0;
        let moves = moves || steps && at > 0;
        let sum = linear::of(operand, all.known).filter(|sum| counts && sum.is_of_one());
        parts.push(match sum {
            Some(sum) => {
                if moves {
                    all.moving.insert(sum.reduced());
                }
                let extended = matches!(operand.kind, ScevKind::ZExt(_) | ScevKind::SExt(_));
                if moves && extended && sum.is_between_multiples() {
                    all.found.insert(sum.clone());
                }
                BTreeSet::from([sum])
            }
            None => lengths(operand, moves, all),
        });
    }
    if product && moves {
        let sizes = beside_others(&parts);
        let others = |sum: &Linear| -> Option<Vec<ValueId>> {
            let factors = s.operands().into_iter();
            let rest = factors.filter(|f| linear::of(f, all.known).as_ref() != Some(sum));
            linear::factors(&Scev::product(rest.cloned().collect()), all.known).map(|p| p.0)
        };
        let found: Vec<Linear> = (sizes.into_iter())
            .filter(|sum| !others(sum).is_some_and(|rest| all.has_diagonal(sum, rest)))
            .collect();
        all.found.extend(found);
    }
    parts.into_iter().flatten().collect()
}

impl Lengths<'_> {
    /// Whether a sum times these values moves along two dimensions at once, by each of which loops move alone: `(n + 1)*n*n` of `a[i][i][j][k]`.
    fn has_diagonal(&self, sum: &Linear, rest: Vec<ValueId>) -> bool {
        let Some(&[v]) = sum.values().as_deref() else {
            return false;
        };
        let mut outer = rest.clone();
        outer.push(v);
        outer.sort_unstable();
        sum.constant() == 1
            && [rest, outer]
                .iter()
                .all(|stride| self.strides.contains(stride))
    }
}

/// The products of values that loops move by, each in ascending order.
fn strides(region: &Region, known: &dyn Fn(ValueId) -> bool) -> BTreeSet<Vec<ValueId>> {
    let mut found = BTreeSet::new();
    super::model::each_evolution(region, &mut |s| {
        s.any(&mut |part| {
            if let ScevKind::AddRec { operands, .. } = &part.kind
                && let Some((mut factors, _)) = linear::factors(&operands[1], known)
            {
                factors.sort_unstable();
                found.insert(factors);
            }
            false
        });
    });
    found
}

/// The sums with a constant that have another one of the same value in another factor, or that only a multiple of the value makes.
fn beside_others(factors: &[BTreeSet<Linear>]) -> BTreeSet<Linear> {
    let mut found = BTreeSet::new();
    for (at, own) in factors.iter().enumerate() {
        let others = factors.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&Linear> = others.flat_map(|(_, sums)| sums).collect();
        let differs = |a: &Linear| others.iter().any(|b| a.values() == b.values() && a != *b);
        let whole = |a: &&Linear| {
            let product = !others.is_empty();
            a.constant() != 0 && (differs(a) || product && a.is_between_multiples())
        };
        found.extend(own.iter().filter(whole).cloned());
    }
    found
}

/// Visits what is multiplied with something, and whether that moves (`moves` for the whole).
fn each_factor(s: &Scev, moves: bool, visit: &mut dyn FnMut(&Scev, bool)) {
    let inside = moves || is_multiplied(s);
    let moves = |operand: usize| inside || operand > 0 && matches!(s.kind, ScevKind::AddRec { .. });
    factors(s).into_iter().for_each(|f| visit(f, moves(1)));
    for (at, operand) in s.operands().into_iter().enumerate() {
        each_factor(operand, moves(at), visit);
    }
}

/// Whether something that moves is multiplied with more than a constant.
fn is_multiplied(s: &Scev) -> bool {
    is_open_product(s) && !s.loops().is_empty()
}

/// Whether several factors are not constant.
fn is_open_product(s: &Scev) -> bool {
    let is_open = |t: &&Scev| t.as_constant().is_none();
    matches!(&s.kind, ScevKind::Mul(v, _) if v.iter().filter(is_open).count() > 1)
}

/// What is multiplied with something that is not constant: factors of a product, the step of a recurrence.
fn factors(s: &Scev) -> Vec<&Scev> {
    match &s.kind {
        ScevKind::Mul(v, _) if is_open_product(s) => v.iter().collect(),
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
