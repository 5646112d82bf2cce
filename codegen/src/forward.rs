//! Statements that follow each other in an iteration: what one has written is a value for the next (store-to-load
//! forwarding), and what the next overwrites is not written.
//!
//! ```text
//! c[i][j] = 0;  c[i][j] = c[i][j] + a[i][0]*b[0][j] + ..        c[i][j] = 0 + a[i][0]*b[0][j] + ..
//! ```
//!
//! LLVM has looked for such pairs before this pass and does not look again in front of its vectorizer. Behind it the last
//! lanes of a row have masks, and a masked load waits for a masked store until that is in the cache.
//!
//! A write under a condition gives no value and ends none. Arrays do not overlap, so only accesses to the same array matter. An access whose address is not known to be equal may
//! be to the same element.

use crate::common::Common;
use crate::emit::Emitter;
use crate::ir::Value;
use crate::lanes::{Address, address};
use polytile_analysis::ast::{Ast, Expr, For, IterId, User};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::quotient::gcd;
use polytile_analysis::scop::{Access, AccessKind, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// An access of a list of statements.
pub(crate) struct Touch<'s> {
    /// Its statement in the list.
    pub(crate) user: usize,
    /// Its number among the accesses of the statement; writes come first.
    pub(crate) number: usize,
    pub(crate) write: bool,
    access: &'s Access,
    address: Option<Address>,
}

impl Touch<'_> {
    /// Not under a condition.
    fn is_certain(&self) -> bool {
        self.access.kind != AccessKind::MayWrite
    }

    pub(crate) fn is_same_cell(&self, other: &Touch) -> bool {
        let (Some(a), Some(b)) = (&self.address, &other.address) else {
            return false;
        };
        self.access.ty == other.access.ty && a.behind(b).is_some_and(|g| g.is_zero())
    }

    /// Whether the elements have no byte in common, in any iteration. Sizes may lie between them, if they are multiples of records:
    /// different fields are never one.
    pub(crate) fn is_other_cell(&self, other: &Touch) -> bool {
        let (Some(a), Some(b)) = (&self.address, &other.address) else {
            return false;
        };
        let bytes = i128::from(self.access.ty.bytes().max(other.access.ty.bytes()));
        let Some(gain) = a.behind(b) else {
            return false;
        };
        let record = (gain.symbolic.values()).fold(0, |all: i128, n| gcd(all, *n));
        match record {
            0 => gain.constant.abs() >= bytes,
            _ => (bytes..=record - bytes).contains(&gain.constant.rem_euclid(record)),
        }
    }

    /// Whether LLVM's vectorizer may load or store it as one of several elements that lie interleaved.
    fn is_strided(&self, (iter, step): (IterId, &Expr)) -> bool {
        let bytes = i128::from(self.access.ty.bytes());
        let gain = self.address.as_ref().map(|a| a.gain_with(iter));
        !gain.is_some_and(|g| g.is_zero() || *step == Expr::Int(1) && g.is_constant(bytes))
    }
}

/// What may be left out in a list of statements.
#[derive(Default)]
struct Forwarded {
    /// By statement and access that reads: statement and write that it takes its value from.
    reads: BTreeMap<(usize, usize), (usize, usize)>,
    /// Writes (statement, number) whose element a later one overwrites before anything reads it.
    dead: BTreeSet<(usize, usize)>,
}

impl<'c> Emitter<'_, 'c> {
    /// Emits the parts of a block, one after the other.
    pub(crate) fn block(&mut self, list: &[Ast]) {
        let is_user = |a: &Ast| matches!(a, Ast::User(_));
        for run in list.chunk_by(|a, b| is_user(a) && is_user(b)) {
            let users: Vec<&User> = run
                .iter()
                .filter_map(|a| match a {
                    Ast::User(u) => Some(u),
                    _ => None,
                })
                .collect();
            match users.len() {
                0 => run.iter().for_each(|a| self.ast(a)),
                _ => self.statements(&users),
            }
        }
    }

    fn statements(&mut self, users: &[&User]) {
        let forwarded = forwarded(self.scop, users);
        let shares = users.len() > 1 && self.strips.is_none();
        self.common = shares.then(|| Common::new(self.scop, users));
        let mut written: BTreeMap<(usize, usize), Value<'c>> = BTreeMap::new();
        for (at, u) in users.iter().enumerate() {
            let known: Vec<(usize, Value<'c>)> = (forwarded.reads.range((at, 0)..(at + 1, 0)))
                // In a part of a loop in strips not every statement runs.
                .filter_map(|((_, read), from)| Some((*read, *written.get(from)?)))
                .collect();
            let dead = forwarded.dead.range((at, 0)..(at + 1, 0));
            let dead: Vec<usize> = dead.map(|(_, write)| *write).collect();
            if let Some(common) = &mut self.common {
                common.go_to(at);
            }
            let values = self.user_with(u, &known, &dead);
            let own = values.into_iter();
            written.extend(own.map(|(write, value)| ((at, write), value)));
        }
        self.common = None;
    }
}

/// What statements that are executed one after the other find in each other's writes.
fn forwarded(scop: &Scop, users: &[&User]) -> Forwarded {
    let mut found = Forwarded::default();
    for (array, list) in written_arrays(scop, users) {
        found.look_at(&touches(scop, users, list, array));
    }
    found
}

impl Forwarded {
    /// The same for the accesses to one array.
    fn look_at(&mut self, touches: &[Touch]) {
        for (n, t) in touches.iter().enumerate() {
            let last = (touches[..n].iter()).rfind(|w| w.write && !w.is_other_cell(t));
            let source = last.filter(|w| !t.write && w.is_certain() && w.is_same_cell(t));
            let source = source.map(|w| (w.user, w.number));
            self.reads.extend(source.map(|w| ((t.user, t.number), w)));
        }
        let writes = touches.iter().enumerate();
        for (n, w) in writes.filter(|(_, t)| t.write && t.is_certain()) {
            let mut behind = touches[n + 1..].iter();
            let next = behind.find(|t| (t.write || self.is_made(t)) && !t.is_other_cell(w));
            if next.is_some_and(|t| t.write && t.is_certain() && t.is_same_cell(w)) {
                self.dead.insert((w.user, w.number));
            }
        }
    }

    /// Whether an access is not left out.
    fn is_made(&self, t: &Touch) -> bool {
        let at = (t.user, t.number);
        match t.write {
            true => !self.dead.contains(&at),
            false => !self.reads.contains_key(&at),
        }
    }
}

/// Whether LLVM's vectorizer keeps the order of the accesses of one iteration if it is told that iterations are independent.
///
/// It takes that for leave to store interleaved elements where the last of them is stored, and to load them where the first
/// one is loaded, without a look at what lies between. So no element of a strided access may be written first and accessed later,
/// but for values that are handed on.
pub(crate) fn keeps_order(scop: &Scop, l: &For) -> bool {
    let flat = l.body.plain_users();
    let users = flat.clone().unwrap_or_else(|| l.body.users());
    let along = (l.iter, &l.step);
    written_arrays(scop, &users)
        .into_iter()
        .all(|(array, list)| {
            let mut touches = touches(scop, &users, list, array);
            let mut known = Forwarded::default();
            if flat.is_some() {
                known.look_at(&touches);
            }
            touches.retain(|t| known.is_made(t));
            let is_met_by = |w: &Touch, t: &Touch| {
                !w.is_other_cell(t) && (w.is_strided(along) || t.is_strided(along))
            };
            let mut writes = touches.iter().enumerate().filter(|(_, t)| t.write);
            !writes.any(|(n, w)| touches[n + 1..].iter().any(|t| is_met_by(w, t)))
        })
}

/// The statements that access an array, for arrays that one writes.
fn written_arrays(scop: &Scop, users: &[&User]) -> BTreeMap<ArrayId, Vec<usize>> {
    let mut all: BTreeMap<ArrayId, (bool, Vec<usize>)> = BTreeMap::new();
    for (at, u) in users.iter().enumerate() {
        let stmt = scop.stmt(u.stmt);
        for (n, a) in stmt.accesses.iter().enumerate() {
            let (written, list) = all.entry(a.array).or_default();
            *written |= n < stmt.first_read();
            if list.last() != Some(&at) {
                list.push(at);
            }
        }
    }
    let shared = all.into_iter().filter(|(_, (written, _))| *written);
    shared.map(|(array, (_, list))| (array, list)).collect()
}

/// The accesses of some statements to the one array that they share, in the order of execution.
pub(crate) fn touches<'s>(
    scop: &'s Scop,
    users: &[&User],
    list: Vec<usize>,
    array: ArrayId,
) -> Vec<Touch<'s>> {
    let mut found = vec![];
    for at in list {
        let stmt = scop.stmt(users[at].stmt);
        let touch = |number: usize| Touch {
            user: at,
            number,
            write: number < stmt.first_read(),
            access: &stmt.accesses[number],
            address: address(scop, users[at], &stmt.accesses[number]),
        };
        let order = (stmt.first_read()..stmt.accesses.len()).chain(0..stmt.first_read());
        let own = order.filter(|n| stmt.accesses[*n].array == array);
        found.extend(own.map(touch));
    }
    found
}
