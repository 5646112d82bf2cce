//! Elements that stand still in a loop (register promotion, Cooper and Lu 1997): sums in registers, reads before the loop.
//!
//! ```text
//! for i: { a[i][j] -= r[k-1][j] * q[i][k-1];  r[k][j] += q[i][k] * a[i][j] }          lanes of j
//!
//! x = r[k-1][j ..];  s = r[k][j ..];  for i: { ..;  s += ..};  r[k][j ..] = s
//! ```
//!
//! An element is held if no other write of the loop can touch it: of an array that the loop only reads, all that stand still. One
//! that another access may read stays current in memory, too, and is stored in each step (`b[i]` in `b[i] -= l[i][k] * b[k]`).
//! Accesses are known to touch different elements
//! if all to the array stand still and their addresses differ by a constant or by whole steps of the array's strides; or if
//! one moves away from the other, beyond which it is in the first step already, or towards it and its last step does not
//! reach it:
//!
//! ```text
//! for k > i:  b[i][j] -= a[i][k] * b[k][j]            row i + 1 is a stride away from row i, and the others are farther
//! ```
//!
//! An address that is no affine function (`b[(t % 4) + i]`) is only known to be that of another access of the same instance that is written in the
//! same way.
//!
//! Lanes do not touch each other's elements, because iterations of the lanes' loop are independent.

use super::Known;
use super::carried::{Address, Rotation, Shift, address, all_accesses};
use super::values::direction;
use crate::ir::Value;
use crate::tile::gain::{Gain, access_gain};
use polytile_analysis::ast::{BinOp, Expr, IterId, User};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::scop::{Place, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// An element in a register while a loop runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Held {
    /// A read (user, access) that finds it before the loop.
    pub(super) initial: (usize, usize),
    /// The user that writes it, if one does.
    pub(super) writer: Option<usize>,
    /// Another access may read it: each step stores it.
    pub(super) current: bool,
    /// Reads (user, access) that take it.
    pub(super) reads: Vec<(usize, usize)>,
}

/// The iterations of a loop.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a> {
    pub(super) iter: IterId,
    /// The first and the last one, where they are known.
    pub(super) ends: Option<(&'a Expr, &'a Expr)>,
}

/// What can be held in a loop with this body.
pub(super) fn held(scop: &Scop, users: &[&User], steps: Steps<'_>) -> Vec<Held> {
    let arrays: BTreeSet<ArrayId> = all_accesses(scop, users).map(|(_, _, a)| a.array).collect();
    let of = |array| of_array(scop, users, steps, array);
    arrays.into_iter().flat_map(of).collect()
}

/// What can be held of one array.
fn of_array(scop: &Scop, users: &[&User], steps: Steps<'_>, array: ArrayId) -> Vec<Held> {
    let cells = cells(scop, users, steps.iter, array);
    if cells.writes == 0 {
        return cells.unwritten().collect();
    }
    if let Some(only) = cells.opaque_only() {
        return cell(only).into_iter().collect();
    }
    let bytes = i128::from(scop.array(array).ty.bytes());
    let away = |m: &Address| {
        let mut still = cells.still.iter();
        still.all(|(s, _)| never_meets(m, s, steps, bytes))
    };
    let known = !cells.anywhere && cells.opaque.is_empty();
    if known && apart(scop, array, &cells.still) && cells.moving.iter().all(away) {
        cells.all().collect()
    } else {
        cells.only_written().into_iter().collect()
    }
}

/// A user, and how it writes an address.
type Written<'a> = (usize, &'a Place);

/// The accesses (user, access) of a loop to an array.
struct Cells<'a> {
    /// Those that stand still, by address.
    still: Vec<(Address, Vec<(usize, usize)>)>,
    /// Those whose addresses are no affine functions but stand still, by statement and by how they are written.
    opaque: Vec<(Written<'a>, Vec<(usize, usize)>)>,
    /// Where others begin that move.
    moving: Vec<Address>,
    /// Whether there are others, which may lie anywhere.
    anywhere: bool,
    /// Number of accesses that write.
    writes: usize,
}

impl Cells<'_> {
    /// The accesses to an element whose address is no affine function, if there are no others.
    fn opaque_only(&self) -> Option<&[(usize, usize)]> {
        match &self.opaque[..] {
            [(_, own)] if self.still.is_empty() && self.moving.is_empty() && !self.anywhere => {
                Some(own)
            }
            _ => None,
        }
    }

    /// What is only read, wherever it is.
    fn unwritten(&self) -> impl Iterator<Item = Held> {
        let opaque = self.opaque.iter().filter_map(|(_, own)| cell(own));
        self.all().chain(opaque)
    }

    /// Elements that only accesses at the same address touch.
    fn all(&self) -> impl Iterator<Item = Held> {
        self.still.iter().filter_map(|(_, own)| cell(own))
    }

    /// The only element that is written, where any access may read it.
    fn only_written(&self) -> Option<Held> {
        let mut sums = self.all().filter(|h| h.writer.is_some());
        let sum = sums.next().filter(|_| self.writes == 1)?;
        Some(Held {
            current: true,
            ..sum
        })
    }
}

fn cells<'a>(scop: &'a Scop, users: &[&User], iter: IterId, array: ArrayId) -> Cells<'a> {
    let mut cells = Cells {
        still: vec![],
        opaque: vec![],
        moving: vec![],
        anywhere: false,
        writes: 0,
    };
    for (user, access, a) in all_accesses(scop, users).filter(|(_, _, a)| a.array == array) {
        let u = users[user];
        cells.writes += usize::from(access == 0);
        let gain = direction(u, iter).and_then(|d| access_gain(scop, scop.stmt(u.stmt), a, &d));
        let gain = gain.filter(|_| a.ty == scop.array(array).ty);
        match (gain, address(scop, u, a)) {
            (Some(gain), Some(at)) if gain.is_zero() => {
                add(&mut cells.still, at, (user, access));
            }
            (Some(gain), None) if gain.is_zero() => {
                add(&mut cells.opaque, (user, &a.place), (user, access));
            }
            (Some(_), Some(at)) => cells.moving.push(at),
            _ => cells.anywhere = true,
        }
    }
    cells
}

/// Puts an access to the others at its address.
fn add<T: PartialEq>(found: &mut Vec<(T, Vec<(usize, usize)>)>, at: T, access: (usize, usize)) {
    match found.iter_mut().find(|(other, _)| *other == at) {
        Some((_, own)) => own.push(access),
        None => found.push((at, vec![access])),
    }
}

/// Whether no two of these addresses are of one element.
fn apart(scop: &Scop, array: ArrayId, cells: &[(Address, Vec<(usize, usize)>)]) -> bool {
    let bytes = i128::from(scop.array(array).ty.bytes());
    cells.iter().enumerate().all(|(n, (one, _))| {
        let apart =
            |(other, _): &(Address, _)| (one.behind(other)).is_some_and(|d| differs(&d, bytes));
        cells[n + 1..].iter().all(apart)
    })
}

/// Whether elements that lie so far apart are different ones.
fn differs(gain: &Gain, bytes: i128) -> bool {
    match gain.symbolic.len() {
        0 => gain.constant.abs() >= bytes,
        1 => gain.constant == 0,
        _ => false,
    }
}

/// Whether an access that moves in a loop reaches an element that stands still in none of its steps.
fn never_meets(moving: &Address, still: &Address, steps: Steps<'_>, bytes: i128) -> bool {
    let Some((first, last)) = steps.ends else {
        return false;
    };
    let beyond = |e: &Expr, away: bool| {
        let found = moving.ahead_at(still, steps.iter, e);
        found.is_some_and(|(apart, step)| {
            differs(&apart, bytes) && same_side(&apart, &step) == Some(away)
        })
    };
    parts(BinOp::Max, first)
        .into_iter()
        .any(|e| beyond(e, true))
        || parts(BinOp::Min, last)
            .into_iter()
            .any(|e| beyond(e, false))
}

/// Whether two distances point to the same side, where both are multiples of one stride or of a byte.
fn same_side(a: &Gain, b: &Gain) -> Option<bool> {
    let factors = match (a.symbolic.first_key_value(), b.symbolic.first_key_value()) {
        (None, None) => (a.constant, b.constant),
        (Some((s, n)), Some((t, m))) if s == t => {
            let only = |g: &Gain| g.symbolic.len() == 1 && g.constant == 0;
            (only(a) && only(b)).then_some((*n, *m))?
        }
        _ => return None,
    };
    let (a, b) = (factors.0.signum(), factors.1.signum());
    (a != 0 && b != 0).then_some(a == b)
}

/// The operands of nested minima or maxima: each is a bound.
fn parts(op: BinOp, e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Bin(own, a, b) if *own == op => {
            let mut all = parts(op, a);
            all.extend(parts(op, b));
            all
        }
        _ => vec![e],
    }
}

/// The accesses to one element: at most one of them writes, and some read comes no later.
fn cell(own: &[(usize, usize)]) -> Option<Held> {
    let mut writers = own.iter().filter(|(_, n)| *n == 0).map(|(u, _)| *u);
    let writer = writers.next();
    let reads: Vec<(usize, usize)> = own.iter().copied().filter(|(_, n)| *n != 0).collect();
    let initial = *reads.first()?;
    (writers.next().is_none()).then_some(Held {
        initial,
        writer,
        current: false,
        reads,
    })
}

/// What stays in registers in a loop.
pub(super) struct Registers<'a, 'c> {
    pub(super) rotations: &'a [Rotation],
    /// Reads of what another lane had.
    pub(super) shifts: &'a [Shift],
    /// Elements that the loop adds to.
    pub(super) sums: Vec<Held>,
    /// Values of reads that stand still, by user, vector and access.
    pub(super) fixed: BTreeMap<(usize, u32, usize), Value<'c>>,
}

impl<'c> Registers<'_, 'c> {
    /// How many values of the state belong to rotations; those of sums follow.
    pub(super) fn rotated(&self, vectors: u32) -> usize {
        let steps: usize = self.rotations.iter().map(|r| r.initial.len()).sum();
        steps * vectors as usize
    }

    /// The sum that a user adds to.
    pub(super) fn sum_of(&self, user: usize) -> Option<usize> {
        self.sums.iter().position(|h| h.writer == Some(user))
    }

    /// What is known of a user's reads, by access.
    pub(super) fn held_by(
        &self,
        user: usize,
        v: u32,
        (sums, vectors): (&[Value<'c>], u32),
    ) -> Known<'c> {
        let still = self.fixed.range((user, v, 0)..(user, v + 1, 0));
        let mut known: Known<'c> = still.map(|((_, _, n), value)| (*n, *value)).collect();
        for (h, sum) in self.sums.iter().enumerate() {
            let own = sum.reads.iter().filter(|(u, _)| *u == user);
            known.extend(own.map(|(_, n)| (*n, sums[h * vectors as usize + v as usize])));
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::ids::ValueId;
    use polytile_analysis::scev::Scev;

    #[test]
    fn an_element_with_two_writers_is_not_held() {
        assert_eq!(cell(&[(0, 0), (0, 1), (1, 0)]), None);
        assert_eq!(cell(&[(0, 0)]), None);
        let sum = cell(&[(0, 0), (0, 2), (1, 1)]).expect("one writer and reads");
        assert_eq!((sum.initial, sum.writer), ((0, 2), Some(0)));
        assert_eq!(sum.reads, [(0, 2), (1, 1)]);
    }

    #[test]
    fn sides() {
        let stride = |n: i128| Gain {
            symbolic: BTreeMap::from([(Scev::unknown(64, ValueId(0)), n)]),
            ..Gain::default()
        };
        let bytes = |n: i128| Gain {
            constant: n,
            ..Gain::default()
        };
        assert_eq!(same_side(&stride(8), &stride(16)), Some(true));
        assert_eq!(same_side(&stride(-8), &stride(8)), Some(false));
        assert_eq!(same_side(&stride(8), &bytes(8)), None);
        assert_eq!(same_side(&stride(8).add(&bytes(-8)), &stride(8)), None);
        assert_eq!(same_side(&bytes(8), &bytes(-8)), Some(false));
        assert_eq!(same_side(&bytes(0), &bytes(8)), None);
    }

    #[test]
    fn elements_that_overlap_are_not_apart() {
        let constant = |n: i128| Gain {
            constant: n,
            ..Gain::default()
        };
        assert!(differs(&constant(-8), 8));
        assert!(!differs(&constant(4), 8));
        assert!(!differs(&constant(0), 8));
    }
}
