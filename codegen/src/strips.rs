//! Loops in strips: what accumulating statements add is computed for a strip of iterations in vector lanes, and added in order.
//!
//! ```text
//! for J = first, first + 64, ..:
//!   last of the strip = min(J + 63, last)
//!   for j in the strip:  everything but the updates; strip[j - J] = operand       independent, for the vectorizer
//!   for j in the strip:  s = s + strip[j - J]                                     in order
//! ```
//!
//! A strip stays in the first level cache, and is short enough for the processor to begin the next one while the sums of this one
//! are not finished.

use crate::body::Instance;
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int, Ptr, Value, constant};
use crate::lanes::direction;
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::tile::gain::access_gain;
use inkwell::types::BasicType;
use polytile_analysis::ast::{For, User};
use polytile_analysis::chain::Chain;
use polytile_analysis::ids::{NodeId, StmtId};
use polytile_analysis::region::Ty;
use std::collections::BTreeMap;

/// Iterations of a strip.
const STRIP: u32 = 64;

/// By statement and operand: its type, and the memory of a strip.
type Slots<'c> = BTreeMap<(StmtId, NodeId), (Ty, Ptr<'c>)>;

/// The loop in strips around the current place.
#[derive(Clone)]
pub(crate) struct Strips<'c> {
    /// The statements that accumulate.
    chains: Vec<Chain>,
    /// Where operands of one iteration after the other lie.
    slots: Slots<'c>,
    /// The place of the current iteration in the strip.
    at: Int<'c>,
    /// Updates run; else everything but these.
    updates: bool,
}

impl Strips<'_> {
    /// Which part of a statement runs.
    pub(crate) fn part(&self, stmt: StmtId) -> Part {
        let chain = self.chains.iter().find(|c| c.stmt == stmt);
        match (chain, self.updates) {
            (None, false) => Part::All,
            (None, true) => Part::Nothing,
            (Some(chain), false) => Part::Ahead(chain.writes.clone()),
            (Some(chain), true) => Part::Updates(chain.writes.clone()),
        }
    }
}

/// What runs of a statement in one of the loops over a strip.
pub(crate) enum Part {
    All,
    Nothing,
    /// All but these writes, whose operands are kept.
    Ahead(Vec<usize>),
    /// These writes.
    Updates(Vec<usize>),
}

/// A cell that stays where it is in a loop.
struct StillCell<'l> {
    user: &'l User,
    /// Positions of the accesses that write and read it.
    write: usize,
    reads: Vec<usize>,
}

impl<'c> Emitter<'_, 'c> {
    /// Emits a loop in strips.
    pub(crate) fn strips_loop(&mut self, l: &For, range: Range<'c>, chains: &[Chain]) {
        if constant(range.step) != Some(1) {
            return self.counted(range, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            });
        }
        let slots = self.slots(chains);
        let strip = Range {
            step: self.ir.int(STRIP.into()),
            ..range
        };
        self.counted(strip, None, LoopCode::Scalars, |e, first| {
            let end =
                e.ir.add(first, e.ir.int(i64::from(STRIP) - 1), Arith::Bounded);
            let last = e.ir.minmax("llvm.smin", end, range.last);
            let part = Range {
                first,
                last,
                step: range.step,
            };
            e.one_strip(l, part, (chains, &slots));
        });
    }

    /// One strip.
    fn one_strip(&mut self, l: &For, part: Range<'c>, (chains, slots): (&[Chain], &Slots<'c>)) {
        self.independent(l, |e, group| {
            e.counted(part, group, LoopCode::Scalars, |e, i| {
                e.in_strip(part, i, (chains, slots, false));
                e.body(l.iter, i, &l.body);
                e.strips = None;
            });
        });
        match self.still_cells(l, chains) {
            Some(cells) => self.held_updates(l, part, (chains, slots), &cells),
            None => self.counted(part, None, LoopCode::Scalars, |e, i| {
                e.in_strip(part, i, (chains, slots, true));
                e.body(l.iter, i, &l.body);
                e.strips = None;
            }),
        }
    }

    /// Notes which iteration of which loop follows.
    fn in_strip(
        &mut self,
        part: Range<'c>,
        i: Int<'c>,
        (chains, slots, updates): (&[Chain], &Slots<'c>, bool),
    ) {
        let at = self.ir.sub(i, part.first, Arith::Bounded);
        self.strips = Some(Strips {
            chains: chains.to_vec(),
            slots: slots.clone(),
            at,
            updates,
        });
    }

    /// The updates of a strip with their cells in registers.
    fn held_updates(
        &mut self,
        l: &For,
        part: Range<'c>,
        (chains, slots): (&[Chain], &Slots<'c>),
        cells: &[StillCell],
    ) {
        let iter = Key::Iter(l.iter);
        let scop = self.scop;
        self.set(iter, part.first);
        let read = |c: &StillCell| {
            let at = self.iterators_of(c.user);
            self.read(&scop.stmt(c.user.stmt).accesses[c.write], &at)
        };
        let before: Vec<Value<'c>> = cells.iter().map(read).collect();
        let ends = (part.first, part.last);
        let code = (1, LoopCode::Scalars);
        let (after, _) = self.stepped(ends, code, None, before, |e, i, current| {
            e.set(iter, i);
            e.in_strip(part, i, (chains, slots, true));
            let mut updated = vec![];
            for own in cells.chunk_by(|a, b| std::ptr::eq(a.user, b.user)) {
                let held: Vec<usize> = own.iter().map(|c| c.write).collect();
                let known = own.iter().zip(&current[updated.len()..]);
                let known = known.flat_map(|(c, v)| c.reads.iter().map(move |r| (*r, *v)));
                let known: Vec<(usize, Value<'c>)> = known.collect();
                let values = e.user_with(own[0].user, &known, &held);
                updated.extend(held.iter().map(|n| values[n]));
            }
            e.strips = None;
            updated
        });
        self.set(iter, part.first);
        for (cell, value) in cells.iter().zip(after) {
            let at = self.iterators_of(cell.user);
            self.write(&scop.stmt(cell.user.stmt).accesses[cell.write], &at, value);
        }
        self.frame().values.remove(&iter);
    }

    /// The cells of a loop's updates, if each of them stands still and has an array of its own, and no update has a condition.
    fn still_cells<'l>(&self, l: &'l For, chains: &[Chain]) -> Option<Vec<StillCell<'l>>> {
        let mut cells: Vec<StillCell> = vec![];
        for user in l.body.plain_users()? {
            let Some(chain) = chains.iter().find(|c| c.stmt == user.stmt) else {
                continue;
            };
            let (stmt, along) = (self.scop.stmt(user.stmt), direction(user, l.iter)?);
            for &write in &chain.writes {
                let access = &stmt.accesses[write];
                let gain = access_gain(self.scop, stmt, access, &along);
                let known = |c: &StillCell| {
                    self.scop.stmt(c.user.stmt).accesses[c.write].array == access.array
                };
                if !gain.is_some_and(|g| g.is_zero()) || cells.iter().any(known) {
                    return None;
                }
                let reads = stmt.first_read()..stmt.accesses.len();
                let own = |n: &usize| stmt.accesses[*n].array == access.array;
                cells.push(StillCell {
                    user,
                    write,
                    reads: reads.filter(own).collect(),
                });
            }
        }
        Some(cells)
    }

    /// Memory for a strip of each operand.
    fn slots(&mut self, chains: &[Chain]) -> Slots<'c> {
        let mut slots = BTreeMap::new();
        let function = self.frame().function;
        for chain in chains {
            for &node in &chain.operands {
                let ty = self.scop.stmt(chain.stmt).body.node(node).ty;
                let element = self.plain_type(ty).expect("checked before emission");
                let array = element.array_type(STRIP);
                let slot = self.ir.alloca(function, array, "polytile.strip");
                slots.insert((chain.stmt, node), (ty, slot));
            }
        }
        slots
    }

    /// Where the operands of a statement in the current iteration lie.
    fn places(&mut self, stmt: StmtId) -> Vec<(NodeId, Ty, Ptr<'c>)> {
        let strips = self.strips.clone().expect("in a loop in strips");
        let mut places = vec![];
        for ((_, node), (ty, slot)) in strips.slots.iter().filter(|((s, _), _)| *s == stmt) {
            let bytes = self.ir.int(ty.bytes() as i64);
            let offset = self.ir.mul(strips.at, bytes, Arith::Bounded);
            places.push((*node, *ty, self.ir.offset(*slot, offset)));
        }
        places
    }

    /// Puts the operands of an instance into the strip.
    pub(crate) fn keep_operands(&mut self, instance: &mut Instance<'_, 'c>) {
        for (node, _, place) in self.places(instance.stmt.id) {
            let value = self.node(instance, node);
            let store = self.ir.store(place, value);
            self.mark_access(store, None);
        }
    }

    /// Takes them from there.
    pub(crate) fn kept_operands(&mut self, stmt: StmtId) -> Vec<(NodeId, Value<'c>)> {
        let places = self.places(stmt).into_iter();
        let load = |(node, ty, place)| {
            let ty = self.plain_type(ty).expect("checked before emission");
            (node, self.ir.load(ty, place))
        };
        places.map(load).collect()
    }
}
