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

use crate::emit::Emitter;
use crate::ir::Value;
use crate::lanes::{Address, address};
use polytile_analysis::ast::{Ast, User};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::scop::{Access, AccessKind, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// An access of a list of statements.
struct Touch<'s> {
    /// Its statement in the list.
    user: usize,
    /// Its number among the accesses of the statement; writes come first.
    number: usize,
    write: bool,
    access: &'s Access,
    address: Option<Address>,
}

impl Touch<'_> {
    /// Not under a condition.
    fn is_certain(&self) -> bool {
        self.access.kind != AccessKind::MayWrite
    }

    fn is_same_cell(&self, other: &Touch) -> bool {
        let (Some(a), Some(b)) = (&self.address, &other.address) else {
            return false;
        };
        self.access.ty == other.access.ty && a.behind(b).is_some_and(|g| g.is_zero())
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
        let mut written: BTreeMap<(usize, usize), Value<'c>> = BTreeMap::new();
        for (at, u) in users.iter().enumerate() {
            let known: Vec<(usize, Value<'c>)> = (forwarded.reads.range((at, 0)..(at + 1, 0)))
                // In a part of a loop in strips not every statement runs.
                .filter_map(|((_, read), from)| Some((*read, *written.get(from)?)))
                .collect();
            let dead = forwarded.dead.range((at, 0)..(at + 1, 0));
            let dead: Vec<usize> = dead.map(|(_, write)| *write).collect();
            let values = self.user_with(u, &known, &dead);
            let own = values.into_iter();
            written.extend(own.map(|(write, value)| ((at, write), value)));
        }
    }
}

/// What statements that are executed one after the other find in each other's writes.
fn forwarded(scop: &Scop, users: &[&User]) -> Forwarded {
    let mut found = Forwarded::default();
    for (array, list) in shared_arrays(scop, users) {
        let touches = touches(scop, users, list, array);
        for (n, t) in touches.iter().enumerate() {
            let last = touches[..n].iter().rfind(|w| w.write);
            let source = last.filter(|w| !t.write && w.is_certain() && w.is_same_cell(t));
            let source = source.map(|w| (w.user, w.number));
            found.reads.extend(source.map(|w| ((t.user, t.number), w)));
        }
        let writes = touches.iter().enumerate();
        for (n, w) in writes.filter(|(_, t)| t.write && t.is_certain()) {
            let mut behind = touches[n + 1..].iter();
            let taken = |t: &&Touch| {
                let from = found.reads.get(&(t.user, t.number));
                t.write || from.is_none()
            };
            let next = behind.find(taken);
            if next.is_some_and(|t| t.write && t.is_certain() && t.is_same_cell(w)) {
                found.dead.insert((w.user, w.number));
            }
        }
    }
    found
}

/// The statements that access an array, for arrays that one writes and another one touches.
fn shared_arrays(scop: &Scop, users: &[&User]) -> BTreeMap<ArrayId, Vec<usize>> {
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
    let shared = all
        .into_iter()
        .filter(|(_, (w, list))| *w && list.len() > 1);
    shared.map(|(array, (_, list))| (array, list)).collect()
}

/// The accesses of some statements to the one array that they share, in the order of execution.
fn touches<'s>(
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
