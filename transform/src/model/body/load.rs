//! What an iteration issues: instructions, operations and accesses on their ports, and what the divider and calls take.

use super::item::Item;
use super::{Body, MISPREDICTED, Mode};
use crate::model::facts::{AccessFacts, Home, Kind};
use crate::target::{Masks, Target};
use std::collections::BTreeSet;

/// How many branches by data are not foreseen.
const UNFORESEEN: f64 = 0.1;

/// How many of them where a loop goes in another direction than the program's: neighbours in a row decide alike, and the same things are asked
/// row after row.
const UNFAMILIAR: f64 = 0.25;

/// Cycles of a call of a mathematical function.
pub(super) const CALL: f64 = 40.0;

/// Lanes that gain where the longest of several loops holds up the others.
const ABREAST: f64 = 4.0;

/// How many times as long it takes to look up a byte or two: there are no instructions for it.
const SMALL: f64 = 1.4;

/// Cycles of a division of indices of 32 bits, one of several side by side.
const DIVIDED: f64 = 7.0;

/// Instructions of an extremum: of the two numbers, whether one is none, and the other one then.
pub(in crate::model) const EXTREMUM: f64 = 3.0;

/// Share of a floating-point operation's time on its port that one on vectors of integers takes.
pub(in crate::model) const INTEGER: f64 = 0.5;

/// What LLVM adds to an instruction for each lane of a gather or scatter.
const SCATTER: f64 = 2.0;

/// What one iteration issues.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Load {
    pub(super) slots: f64,
    floats: f64,
    /// What moves elements between lanes of squares.
    pub(super) shuffles: f64,
    /// Products of integers one by one.
    products: f64,
    pub(super) loads: f64,
    pub(super) stores: f64,
    /// Cycles of the divider.
    divisions: f64,
    /// Cycles of calls, and of branches that were not foreseen.
    pub(super) alone: f64,
}

impl Load {
    /// Adds a part of what another one issues.
    pub(super) fn add(&mut self, other: &Load, part: f64) {
        self.slots += other.slots * part;
        self.floats += other.floats * part;
        self.shuffles += other.shuffles * part;
        self.products += other.products * part;
        self.divisions += other.divisions * part;
        self.loads += other.loads * part;
        self.stores += other.stores * part;
        self.alone += other.alone * part;
    }

    pub(super) fn cycles(&self, target: &Target) -> f64 {
        let core = &target.core;
        let ports = [
            self.slots / f64::from(core.issue),
            self.floats / f64::from(target.vector.per_cycle.max(1)),
            // One unit of a core moves elements between lanes, one multiplies integers, and one divides.
            self.shuffles,
            self.products,
            self.divisions,
            self.loads / f64::from(target.vector.loads_per_cycle.max(1)),
            self.stores / f64::from(core.stores),
        ];
        ports.into_iter().fold(0.0, f64::max) + self.alone
    }
}

impl Body<'_> {
    /// What an iteration issues. `once`: there is no loop around it, so that nothing is invariant.
    pub(super) fn load(&self, mode: Mode, once: bool, target: &Target) -> Load {
        let mut load = Load::default();
        if !once {
            load.slots += match mode {
                Mode::Vector(_) => 0.75,
                Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1.5,
            };
        }
        let mut seen = BTreeSet::new();
        let (mut elements, mut choices) = (BTreeSet::new(), BTreeSet::new());
        let mut quotients = vec![];
        for (number, item) in self.items.iter().enumerate() {
            if !item.active && !matches!(mode, Mode::Vector(_)) {
                continue;
            }
            let (mut all, mut behind) = (Load::default(), Load::default());
            let asked = item.asked(mode);
            let own = item.facts.alone.then_some(number);
            let moving = item.moving(once, &self.written());
            for (n, node) in item.facts.nodes.iter().enumerate() {
                if !moving[n] || !item.part.runs(n) || item.is_answered(n) {
                    continue;
                }
                let shared = node.inst.map(|i| (i, item.now.clone(), own));
                if shared.is_some_and(|s| !seen.insert(s)) {
                    continue;
                }
                let to = if asked.runs(n) { &mut all } else { &mut behind };
                operation(to, node.kind, node.bytes, mode, target);
                if (node.kind, mode) == (Kind::Choice, Mode::Scalar) && item.turns() {
                    to.alone += (UNFAMILIAR - UNFORESEEN) * MISPREDICTED;
                }
            }
            item.part.passed(&mut all, mode, item.facts, target);
            for (number, a) in item.facts.accesses.iter().enumerate() {
                if !item.facts.touches(number, &item.part) {
                    continue;
                }
                let to = match item.facts.touches(number, &asked) {
                    true => &mut all,
                    false => &mut behind,
                };
                for choice in a.choices.iter().filter(|c| choices.insert(**c)) {
                    match choice.1 {
                        true => to.alone += DIVIDED,
                        false => to.slots += 1.0,
                    }
                }
                for q in &a.quotients {
                    let moves = q.dims.iter().any(|d| item.next[*d] != item.now[*d]);
                    if (moves || once) && !quotients.contains(&&q.value) {
                        quotients.push(&q.value);
                        to.slots += f64::from(q.operations);
                    }
                }
                // Of places that are not affine nobody knows which are the same.
                let element = (a.writes, a.array, a.address(&item.now), a.own);
                if a.home == Home::Somewhere || elements.insert(element) {
                    let members = match mode {
                        Mode::Vector(_) => self.members(item, a),
                        Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1,
                    };
                    item.access(to, a, (mode, once, members), target);
                }
            }
            all.add(&behind, item.holding);
            let packed = match mode {
                Mode::Scalar => item.packed,
                Mode::Vector(_) | Mode::Square(_) | Mode::Lanes(_) => 1.0,
            };
            load.add(&all, 1.0 / packed);
        }
        load
    }

    /// Whether a write leaves elements between those of two iterations that nothing in the body writes, or are too many for a group of vectors:
    /// none is stored then.
    fn leaves_gaps(&self, item: &Item, a: &AccessFacts) -> bool {
        let gain = item.gain(a);
        let apart = a.writes && gain.abs() > a.bytes && !item.fills(a, gain);
        apart && !item.is_grouped(a, self.members(item, a))
    }

    /// How many of the elements that the loop moves an access by the body accesses as this one does.
    fn members(&self, item: &Item, a: &AccessFacts) -> i64 {
        let gain = item.gain(a);
        if gain == 0 {
            return 1;
        }
        let mut found = BTreeSet::new();
        for i in &self.items {
            let alike = |b: &&AccessFacts| {
                (b.writes, b.array, b.home) == (a.writes, a.array, a.home) && i.gain(b) == gain
            };
            let all = i.facts.accesses.iter().filter(alike);
            let apart = |b: &AccessFacts| b.address(&i.now) - a.address(&item.now);
            found.extend(all.map(apart).filter(|at| at.abs() < gain.abs()));
        }
        (found.len() as i64).min(gain.abs() / a.bytes.max(1)).max(1)
    }

    /// Whether LLVM gathers what so many iterations load, or scatters what they store: it takes an instruction that does that for little more than
    /// an access for each, and so gains by whatever else it has vectors for.
    pub(super) fn is_scattered(&self, width: i64, target: &Target) -> bool {
        if target.core.scatters || target.vector.masks != Masks::All || self.meets_itself() {
            return false;
        }
        let lanes = width as f64;
        let mut apart = BTreeSet::new();
        let (mut operations, mut scatters) = (0.0, false);
        for item in &self.items {
            let own = item.facts.nodes.iter().map(|n| n.kind);
            let computes =
                |k: &Kind| matches!(k, Kind::Float | Kind::Fused | Kind::Simple | Kind::Product);
            operations += own.filter(computes).count() as f64;
            for a in item
                .facts
                .accesses
                .iter()
                .filter(|a| a.home == Home::Memory)
            {
                if item.gain(a).abs() > a.bytes {
                    apart.insert((a.writes, a.array, a.address(&item.now)));
                    let far = match a.writes {
                        true => self.leaves_gaps(item, a),
                        false => !item.is_grouped(a, self.members(item, a)),
                    };
                    scatters |= far && a.bytes >= 4;
                }
            }
        }
        scatters && operations * (1.0 - 1.0 / lanes) > apart.len() as f64 * SCATTER / lanes
    }

    /// Whether the loop writes elements that other accesses reach in other iterations, if it only runs for long enough: LLVM does without vectors
    /// where those may be near.
    fn meets_itself(&self) -> bool {
        let all = || {
            let items = self.items.iter();
            items.flat_map(|i| i.facts.accesses.iter().map(move |a| (i, a)))
        };
        let meets = |(s, w): (&Item, &AccessFacts), (t, a): (&Item, &AccessFacts)| {
            let (gain, apart) = (s.gain(w), w.address(&s.now) - a.address(&t.now));
            let later = gain != 0 && t.gain(a) == gain && apart % gain == 0;
            w.array == a.array && apart != 0 && later
        };
        let mut writes = all().filter(|(_, a)| a.writes);
        writes.any(|w| all().any(|a| meets(w, a)))
    }

    /// Whether it writes every other element of an array and reads those between: such loops have no lanes.
    pub(super) fn updates_between(&self) -> bool {
        self.items.iter().any(|item| {
            let mut writes = item.facts.accesses.iter().filter(|a| a.writes);
            writes.any(|w| {
                let others = |a: &AccessFacts| {
                    let at = (a.address(&item.now), w.address(&item.now));
                    !a.writes && a.array == w.array && item.gain(a) == item.gain(w) && at.0 != at.1
                };
                w.home == Home::Memory
                    && item.gain(w).abs() == 2 * w.bytes
                    && self.leaves_gaps(item, w)
                    && item.facts.accesses.iter().any(others)
            })
        })
    }
}

/// Adds an operation to what an iteration issues.
pub(super) fn operation(load: &mut Load, kind: Kind, bytes: i64, mode: Mode, target: &Target) {
    let bits = bytes as f64 * 8.0;
    let (count, width) = match mode {
        Mode::Scalar => (1.0, 1.0),
        Mode::Vector(w) => {
            let vectors = (w as f64 * bits / f64::from(target.core.loop_bits)).max(1.0);
            (vectors, w as f64)
        }
        Mode::Square(w) => (1.0, w as f64),
        Mode::Lanes(l) => (l.vectors as f64, (l.vectors * l.lanes) as f64),
    };
    match kind {
        Kind::Read(_) | Kind::Invariant | Kind::Free => {}
        Kind::Index {
            operations,
            by_lane,
        } => {
            let (all, by_lane) = (f64::from(operations), f64::from(by_lane));
            load.slots += 0.5 + (all - by_lane) * count + by_lane * width;
        }
        Kind::Simple => {
            load.slots += count;
            if !matches!(mode, Mode::Scalar) {
                load.floats += INTEGER * count;
            }
        }
        Kind::Product => {
            if matches!(mode, Mode::Scalar) {
                load.slots += 1.0;
                load.products += 1.0;
            } else {
                let each = product(bytes, target);
                load.slots += count * each;
                load.floats += INTEGER * count * each;
            }
        }
        Kind::Choice => {
            load.slots += count;
            if matches!(mode, Mode::Scalar) {
                load.alone += UNFORESEEN * MISPREDICTED;
            }
        }
        Kind::Float | Kind::Fused | Kind::Extremum => {
            let count = match kind {
                Kind::Extremum => count * EXTREMUM,
                _ => count,
            };
            load.slots += count;
            load.floats += match mode {
                Mode::Scalar => count * narrow(target.vector.per_cycle),
                Mode::Vector(_) | Mode::Square(_) | Mode::Lanes(_) => count,
            };
        }
        Kind::Divide | Kind::Root | Kind::RootWithErrno => {
            let each = f64::from(target.core.divide.0);
            let each = if kind == Kind::Divide {
                each
            } else {
                each * 1.5
            };
            // Sixteen bytes of a vector share a step of the divider.
            let bytes = bytes as f64;
            load.divisions += each * bytes / 8.0 * (width * bytes / 16.0).max(1.0);
            load.slots += count;
        }
        Kind::Whole => load.divisions += f64::from(target.core.divide.0) * 1.5 * width,
        Kind::Call => load.alone += CALL * width,
        Kind::Row => {
            let lanes = match mode {
                Mode::Vector(_) => ABREAST,
                Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1.0,
            };
            load.alone += CALL * (width / lanes).max(1.0);
        }
        Kind::Gather => {
            let into_vector = f64::from(target.core.lookup) * if bytes < 4 { SMALL } else { 1.0 };
            load.loads += width * narrow(target.vector.loads_per_cycle);
            load.slots += if width > 1.0 {
                width * into_vector
            } else {
                1.0
            };
        }
    }
}

/// Instructions of a product of two vectors of integers.
pub(in crate::model) fn product(bytes: i64, target: &Target) -> f64 {
    match (bytes, target.vector.masks) {
        (8, Masks::All) => 1.5,
        (8, _) => 6.0,
        // Bytes are widened.
        (1, _) => 3.0,
        _ => 1.0,
    }
}

/// What a scalar counts among full vectors of which so many are taken in a cycle: even where there is one, its halves have a unit each.
pub(super) fn narrow(per_cycle: u32) -> f64 {
    f64::from(per_cycle) / f64::from(per_cycle.max(2))
}

/// Accesses and shuffles for a vector of a square: all are whole, and what lies across the vectors is transposed.
pub(super) fn in_square(a: &AccessFacts, gain: i64, lanes: i64) -> (f64, f64) {
    match gain == a.bytes || gain == 0 {
        true => (1.0, 0.0),
        false => (1.0, (lanes as f64).log2()),
    }
}
