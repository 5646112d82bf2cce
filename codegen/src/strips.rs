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
//! are not finished. Updates that may run in any order ([`AnyOrder`]) run in vectors where a strip is whole.

use crate::body::Instance;
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int, Ptr, Value, constant};
use crate::lanes::direction;
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::tile::gain::access_gain;
use inkwell::IntPredicate;
use inkwell::types::BasicType;
use polytile_analysis::ast::{For, User};
use polytile_analysis::body::NodeKind;
use polytile_analysis::chain::{AnyOrder, Chain};
use polytile_analysis::ids::{NodeId, StmtId};
use polytile_analysis::region::Ty;
use polytile_analysis::scop::{Scop, Stmt};
use std::collections::BTreeMap;

/// Iterations of a strip.
const STRIP: u32 = 64;

/// Fewer iterations, as those of a window, are over before a strip has begun: they run one by one. So do those of a part of a strip where there is nothing
/// to compute but an extremum.
const LEAST: i64 = 16;

/// Vectors of updates side by side, where their order does not matter.
const CHAINS: u32 = 4;

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

/// An update whose iterations may run in any order.
struct Extremum<'s, 'c> {
    stmt: &'s Stmt,
    root: NodeId,
    operand: NodeId,
    /// Where the operands of a strip lie.
    ty: Ty,
    slot: Ptr<'c>,
    order: AnyOrder,
}

impl<'s, 'c> Extremum<'s, 'c> {
    fn new(scop: &'s Scop, cell: &StillCell, chain: &Chain, slots: &Slots<'c>) -> Self {
        let (stmt, operand) = (scop.stmt(chain.stmt), chain.operands[0]);
        let (ty, slot) = slots[&(chain.stmt, operand)];
        Extremum {
            stmt,
            root: stmt
                .body
                .values()
                .nth(cell.write)
                .expect("a value for each write"),
            operand,
            ty,
            slot,
            order: chain.any_order.expect("the caller asked"),
        }
    }
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
        let function = self.frame().function;
        let [few, many, done] =
            ["few", "many", "done"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let others = self.ir.sub(range.last, range.first, Arith::Bounded);
        let least = self.ir.int(self.least(chains) - 1);
        let is_short = self.ir.cmp(IntPredicate::SLT, others, least);
        self.ir.branch(is_short, few, many);
        self.ir.at_end(few);
        self.counted(range, None, LoopCode::Scalars, |e, i| {
            e.body(l.iter, i, &l.body);
        });
        self.ir.jump(done);
        self.ir.at_end(many);
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
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// The least number of iterations for strips.
    fn least(&self, chains: &[Chain]) -> i64 {
        let ready = |c: &Chain| {
            let body = &self.scop.stmt(c.stmt).body;
            let is_read = |n: &NodeId| matches!(body.node(*n).kind, NodeKind::Read(_));
            c.any_order.is_some() && c.operands.iter().all(is_read)
        };
        match chains.iter().all(ready) {
            true => STRIP.into(),
            false => LEAST,
        }
    }

    /// One strip.
    fn one_strip(&mut self, l: &For, part: Range<'c>, (chains, slots): (&[Chain], &Slots<'c>)) {
        self.watch_roots(l);
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
        let in_order = |e: &mut Self, before: Vec<Value<'c>>| {
            e.updates_in_order((iter, part), (chains, slots), cells, before)
        };
        let after = match (cells, chains) {
            ([cell], [chain]) if chain.any_order.is_some() => {
                let update = Extremum::new(self.scop, cell, chain, slots);
                self.in_any_order(part, update, before[0], in_order)
            }
            _ => in_order(self, before),
        };
        self.set(iter, part.first);
        for (cell, value) in cells.iter().zip(after) {
            let at = self.iterators_of(cell.user);
            self.write(&scop.stmt(cell.user.stmt).accesses[cell.write], &at, value);
        }
        self.frame().values.remove(&iter);
    }

    /// The values of cells behind the updates of a strip.
    fn updates_in_order(
        &mut self,
        (iter, part): (Key, Range<'c>),
        (chains, slots): (&[Chain], &Slots<'c>),
        cells: &[StillCell],
        before: Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
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
        after
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

    /// The value of a cell behind a whole strip of updates in lanes; behind a part of one, or where zeros of both signs are told apart, in order.
    fn in_any_order(
        &mut self,
        part: Range<'c>,
        x: Extremum<'_, 'c>,
        before: Value<'c>,
        in_order: impl FnOnce(&mut Self, Vec<Value<'c>>) -> Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let function = self.frame().function;
        let [whole, single, done] =
            ["whole", "single", "done"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let others = self.ir.sub(part.last, part.first, Arith::Bounded);
        let most = self.ir.int(i64::from(STRIP) - 1);
        let is_whole = self.ir.cmp(IntPredicate::EQ, others, most);
        self.ir.branch(is_whole, whole, single);
        self.ir.at_end(whole);
        let found = self.extremum(&x, before);
        let from = self.ir.here();
        match x.order.one_zero {
            true => {
                self.ir.jump(done);
            }
            false => {
                let value = found.into_float_value();
                let is_zero = self.ir.is_zero(value);
                self.ir.branch(is_zero, single, done);
            }
        }
        self.ir.at_end(single);
        let after = in_order(self, vec![before])[0];
        let last = self.ir.here();
        self.ir.jump(done);
        self.ir.at_end(done);
        let phi = self.ir.phi(found.get_type(), "");
        phi.add_incoming(&[(&found, from), (&after, last)]);
        vec![phi.as_basic_value()]
    }

    /// The extremum of a cell's value and of those of a whole strip.
    fn extremum(&mut self, x: &Extremum<'_, 'c>, before: Value<'c>) -> Value<'c> {
        let lanes = x.order.lanes;
        let element = self.plain_type(x.ty).expect("checked before emission");
        let vector = self.vector_type(element, lanes);
        let bytes = x.ty.bytes() as u32;
        let start = self.splat(before, lanes);
        let mut all = vec![start; (STRIP / lanes).min(CHAINS) as usize];
        for step in 0..STRIP / lanes {
            let offset = self.ir.int(i64::from(step * lanes * bytes));
            let place = self.ir.offset(x.slot, offset);
            let values = self.vector_load(vector, place, None, bytes);
            let chain = step as usize % all.len();
            all[chain] = self.beyond(x, all[chain], values);
        }
        let mut best = all[0];
        for other in &all[1..] {
            best = self.beyond(x, best, *other);
        }
        let mut width = lanes;
        while width > 1 {
            width /= 2;
            let picks: Vec<u32> = (0..lanes).map(|l| (l + width) % lanes).collect();
            let own = best.into_vector_value();
            let moved = self.shuffle(own, own, &picks);
            best = self.beyond(x, best, moved.into());
        }
        let first = self.ir.int(0);
        (self.ir.builder)
            .build_extract_element(best.into_vector_value(), first, "")
            .expect("builder misuse")
    }

    /// What an update makes of a cell's value and an operand, in all lanes.
    fn beyond(&mut self, x: &Extremum<'_, 'c>, cell: Value<'c>, operand: Value<'c>) -> Value<'c> {
        let mut done: BTreeMap<NodeId, Value<'c>> = BTreeMap::from([(x.operand, operand)]);
        for id in x.stmt.body.below(x.root, |n| n == x.operand) {
            if done.contains_key(&id) {
                continue;
            }
            let value = match &x.stmt.body.node(id).kind {
                NodeKind::Op { inst, op, args } => {
                    let origin = self.host.values[inst.index()];
                    let args: Vec<Value<'c>> = args.iter().map(|a| done[a]).collect();
                    self.vector_op((op, origin), &args, x.order.lanes)
                }
                // The only read that is not below the operand is that of the cell.
                _ => cell,
            };
            done.insert(id, value);
        }
        done[&x.root]
    }
}
