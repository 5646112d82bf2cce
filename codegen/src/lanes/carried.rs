//! Elements that stay in registers from step to step (scalar replacement, Callahan, Carr and Kennedy 1990).
//!
//! In a loop over `j` whose accesses to an array all move alike, an access touches in step `j` the element that another
//! one touches `d` steps later:
//!
//! ```text
//! y[j] = a*x[j] + b*x[j-1] + c*y[j-1] + d*y[j-2]       x: one read, rotated once; y: the written value, rotated twice
//! ```
//!
//! The access that comes to an element first is the *source* of its value, and a value is handed on once per step. Before
//! the first step the values are read from memory, by the accesses that read them in the first step: no element is read
//! that the loop does not read. That needs an access at every distance up to the greatest.
//!
//! A read sees what was written `d` steps ago if no other write of the loop touches the array, and lanes do not touch
//! each other's elements, which holds where iterations of the lanes' loop are independent.

use super::form::reads;
use super::values::direction;
use crate::tile::gain::{Gain, access_gain, parts};
use polytile_analysis::ast::{BinOp, Expr, IterId, User};
use polytile_analysis::ids::{ArrayId, BaseId, LoopId, ParamId};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Place, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest distance: registers are few.
const MAX_DISTANCE: i64 = 3;

/// A value that is handed on from step to step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rotation {
    /// User and access that the value comes from; access 0 is the write.
    pub(super) source: (usize, usize),
    /// Reads that take it, with their distance in steps; 0: the value of the same step.
    pub(super) reads: Vec<(usize, usize, u32)>,
    /// Per distance from 1 on: what finds the value of so many steps before the first in memory.
    pub(super) initial: Vec<Initial>,
}

/// A read (user, access) of a value from before the first step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Initial {
    pub(super) read: (usize, usize),
    /// The lane behind reads it.
    pub(super) lane_behind: bool,
}

impl Rotation {
    /// The reads of a user that take the value: access and distance.
    pub(super) fn reads_of(&self, user: usize) -> impl Iterator<Item = (usize, u32)> {
        let own = self.reads.iter().filter(move |(u, _, _)| *u == user);
        own.map(|(_, n, d)| (*n, *d))
    }
}

/// An access of the loop, and how many steps ahead of the first one it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) user: usize,
    pub(super) access: usize,
    pub(super) ahead: i64,
}

/// What is known about the elements that a loop touches again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Chains {
    /// Values that may be handed on.
    pub(super) rotations: Vec<Rotation>,
    /// Reads (user, access) of elements that no earlier step of the loop has written.
    pub(super) old: BTreeSet<(usize, usize)>,
    /// Reads of what another lane had in a register.
    pub(super) shifts: Vec<Shift>,
}

/// A read whose lanes find what the lane before them had some steps ago.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shift {
    /// User and access.
    pub(super) read: (usize, usize),
    /// The rotation that holds the value.
    pub(super) of: usize,
    /// Steps, at least one.
    pub(super) distance: u32,
}

impl Chains {
    /// Whether a read (user, access) takes its value from a register.
    pub(super) fn in_register(&self, read: (usize, usize)) -> bool {
        let (user, access) = read;
        let rotated = (self.rotations.iter()).any(|r| r.reads_of(user).any(|(n, _)| n == access));
        rotated || self.shifts.iter().any(|s| s.read == read)
    }
}

/// The chains of a loop over `iter` with this body.
pub(super) fn chains(scop: &Scop, users: &[&User], iter: IterId) -> Chains {
    let arrays: BTreeSet<ArrayId> = all_accesses(scop, users).map(|(_, _, a)| a.array).collect();
    let mut all = Chains::default();
    for array in arrays {
        if let Some(own) = of_array(scop, users, iter, array) {
            all.rotations.extend(own.rotations);
            all.old.extend(own.old);
        }
    }
    all
}

/// Where an access lies, as a function of the iterators of the generated program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    base: Base,
    start: Gain,
    /// What it gains with each iterator or parameter.
    steps: BTreeMap<Atom, Gain>,
}

/// Where addresses start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Memory(BaseId),
    Temporary(ArrayId),
}

/// What the arguments of statements are sums of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Atom {
    Iter(IterId),
    Param(ParamId),
    Size(usize),
}

impl Address {
    /// How many bytes it lies behind another one, everywhere; `None` if that varies.
    pub(crate) fn behind(&self, other: &Address) -> Option<Gain> {
        let same = self.base == other.base && self.steps == other.steps;
        same.then(|| self.start.clone().add(&other.start.clone().scaled(-1)))
    }

    /// How many bytes it gains with each step of `iter`.
    pub(crate) fn gain_with(&self, iter: IterId) -> Gain {
        let step = self.steps.get(&Atom::Iter(iter));
        step.cloned().unwrap_or_default()
    }

    /// How many bytes it lies ahead of another one that does not move with `iter`, where `iter` is `at`, and how many it
    /// gains with each step of `iter`; `None` if that varies with anything else.
    pub(super) fn ahead_at(
        &self,
        other: &Address,
        iter: IterId,
        at: &Expr,
    ) -> Option<(Gain, Gain)> {
        let mut apart = Address {
            start: (self.start.clone()).add(&other.start.clone().scaled(-1)),
            ..self.clone()
        };
        for (atom, step) in &other.steps {
            apart.gain(*atom, &step.clone().scaled(-1));
        }
        let step = apart.steps.remove(&Atom::Iter(iter))?;
        apart.argument(at, &step, 1)?;
        let fixed = self.base == other.base && apart.steps.is_empty();
        fixed.then_some((apart.start, step))
    }

    fn gain(&mut self, atom: Atom, by: &Gain) {
        let sum = self.steps.remove(&atom).unwrap_or_default().add(by);
        if !sum.is_zero() {
            self.steps.insert(atom, sum);
        }
    }

    /// Adds `times` an argument that moves the address by `step`; `None` if it is not affine.
    fn argument(&mut self, e: &Expr, step: &Gain, times: i128) -> Option<()> {
        let by = step.clone().scaled(times);
        match e {
            Expr::Int(n) => self.start = self.start.clone().add(&by.scaled(i128::from(*n))),
            Expr::Iter(i) => self.gain(Atom::Iter(*i), &by),
            Expr::Param(p) => self.gain(Atom::Param(*p), &by),
            Expr::Size(s) => self.gain(Atom::Size(*s), &by),
            Expr::Neg(a) => self.argument(a, step, -times)?,
            Expr::Bin(BinOp::Add, a, b) => {
                self.argument(a, step, times)?;
                self.argument(b, step, times)?;
            }
            Expr::Bin(BinOp::Sub, a, b) => {
                self.argument(a, step, times)?;
                self.argument(b, step, -times)?;
            }
            Expr::Bin(BinOp::Mul, a, b) => match (&**a, &**b) {
                (Expr::Int(n), x) | (x, Expr::Int(n)) => {
                    self.argument(x, step, times.checked_mul(i128::from(*n))?)?;
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }
}

/// The address of a user's access; `None` if it is not affine.
pub(crate) fn address(scop: &Scop, user: &User, access: &Access) -> Option<Address> {
    let (base, start, steps) = match &access.place {
        Place::Scalar => return None,
        Place::Memory(place) => {
            let (start, steps) = parts(&place.offset)?;
            (Base::Memory(place.base), start, steps)
        }
        Place::Temporary(subscripts) => {
            let (start, steps) = cell_of(subscripts, &scop.array(access.array).strides)?;
            (Base::Temporary(access.array), start, steps)
        }
    };
    let mut address = Address {
        base,
        start,
        steps: BTreeMap::new(),
    };
    let iters = &scop.stmt(user.stmt).iters;
    for (l, step) in &steps {
        let at = iters.iter().position(|i| i == l)?;
        address.argument(&user.args[at], step, 1)?;
    }
    Some(address)
}

/// Where an element of a temporary array lies: at zero, and what it gains with each loop; `None` if that is no multiple of the
/// strides by constants.
fn cell_of(subscripts: &[Scev], strides: &[Scev]) -> Option<(Gain, BTreeMap<LoopId, Gain>)> {
    let mut cell = (Gain::default(), BTreeMap::<LoopId, Gain>::new());
    for (subscript, stride) in subscripts.iter().zip(strides) {
        let (start, steps) = parts(subscript)?;
        let bytes = |g: &Gain| {
            let constant = g.symbolic.is_empty();
            constant.then(|| Gain::multiple(stride, g.constant))
        };
        cell.0 = cell.0.add(&bytes(&start)?);
        for (l, step) in &steps {
            let sum = cell.1.entry(*l).or_default();
            *sum = sum.clone().add(&bytes(step)?);
        }
    }
    Some(cell)
}

/// Accesses that the users make: user, number, access.
pub(super) fn all_accesses<'s>(
    scop: &'s Scop,
    users: &[&User],
) -> impl Iterator<Item = (usize, usize, &'s Access)> {
    let each = users.iter().enumerate().flat_map(|(at, u)| {
        let stmt = scop.stmt(u.stmt);
        let used = [0].into_iter().chain(reads(stmt));
        used.map(move |n| (at, n, &stmt.accesses[n]))
    });
    each.collect::<Vec<_>>().into_iter()
}

/// The same for the elements of one array; `None` where its accesses do not move alike.
fn of_array(scop: &Scop, users: &[&User], iter: IterId, array: ArrayId) -> Option<Chains> {
    let mut points = points(scop, users, iter, array)?;
    points.sort_by_key(|p| (p.user, p.access == 0, p.access));
    let mut writes = points.iter().filter(|p| p.access == 0).copied();
    let write = writes.next();
    if writes.next().is_some() {
        return None;
    }
    let all_reads = points.iter().filter(|p| p.access != 0).copied();
    let written = |r: &Point| {
        write.is_some_and(|w| w.ahead > r.ahead || w.ahead == r.ahead && r.user > w.user)
    };
    let (new, old): (Vec<Point>, Vec<Point>) = all_reads.partition(written);
    let mut found = Chains {
        rotations: vec![],
        old: old.iter().map(|p| (p.user, p.access)).collect(),
        shifts: vec![],
    };
    if let Some(w) = write {
        found.rotations.extend(rotation(w, &new, None));
    }
    let top = old.iter().map(|p| p.ahead).max();
    if let Some(leader) = old.iter().copied().find(|p| Some(p.ahead) == top) {
        let rest: Vec<Point> = old.into_iter().filter(|p| *p != leader).collect();
        found.rotations.extend(rotation(leader, &rest, None));
    }
    Some(found)
}

/// The value of `source`, handed on to those of `readers` that it can reach, and to `behind`, which the lane behind reads.
pub(super) fn rotation(
    source: Point,
    readers: &[Point],
    behind: Option<Point>,
) -> Option<Rotation> {
    let distance = |p: &Point| source.ahead - p.ahead;
    let mut initial = vec![];
    for d in 1..=MAX_DISTANCE {
        let at = |p: &&Point| distance(p) == d;
        let own = readers.iter().find(at);
        // Nobody is behind the last lane: it would hand on to itself what it has not.
        let farther = readers.iter().any(|p| distance(p) > d);
        let lent = behind.as_ref().filter(|p| at(p) && !farther);
        let Some(p) = own.or(lent) else { break };
        initial.push(Initial {
            read: (p.user, p.access),
            lane_behind: own.is_none(),
        });
    }
    let reach = initial.len() as i64;
    let taken = readers.iter().filter(|p| distance(p) <= reach);
    let reads: Vec<(usize, usize, u32)> = taken
        .map(|p| (p.user, p.access, distance(p) as u32))
        .collect();
    let lent = behind.is_some_and(|p| distance(&p) <= reach);
    (lent || !reads.is_empty()).then_some(Rotation {
        source: (source.user, source.access),
        reads,
        initial,
    })
}

/// The accesses to an array, if all of them move alike, by a constant number of bytes per step.
fn points(scop: &Scop, users: &[&User], iter: IterId, array: ArrayId) -> Option<Vec<Point>> {
    let mut found: Vec<(usize, usize, &Access)> = all_accesses(scop, users)
        .filter(|(_, _, a)| a.array == array)
        .collect();
    let (first_user, _, first) = *found.first()?;
    let u = users[first_user];
    let gain = access_gain(scop, scop.stmt(u.stmt), first, &direction(u, iter)?)?;
    let step = Some(gain.constant).filter(|s| *s != 0 && gain.symbolic.is_empty())?;
    let start = address(scop, u, first)?;
    let mut points = vec![];
    for (user, access, a) in found.drain(..) {
        let apart = address(scop, users[user], a)?.behind(&start)?;
        let bytes = apart.constant;
        if a.ty != first.ty || !apart.symbolic.is_empty() || bytes % step != 0 {
            return None;
        }
        points.push(Point {
            user,
            access,
            ahead: i64::try_from(bytes / step).ok()?,
        });
    }
    Some(points)
}
