//! A statement of the body: which of it moves with the loop, which runs, and how it meets memory.

use super::load::{Load, in_square, narrow};
use super::{Lanes, Mode};
use crate::model::LINE;
use crate::model::facts::{AccessFacts, Home, Kind, StmtFacts};
use crate::target::Target;
use polytile_analysis::ids::ArrayId;
use std::collections::BTreeSet;

/// Elements between neighbours that LLVM loads as one group of vectors, and where it does if it needs at least half of those between.
const GROUP: (i64, i64) = (4, 8);

/// Stores that take as long as a lane of a scatter, where that is slow: 20 cycles for eight lanes on Zen 4, 14 on Zen 5.
const SCATTERED: f64 = 2.0;

/// Instructions to ask for a lane of a mask, and to move its element, where no instruction masks such accesses.
const BY_LANE: f64 = 3.0;

/// A statement of the body.
#[derive(Clone)]
pub(super) struct Item<'a> {
    pub(super) facts: &'a StmtFacts,
    /// It is the program without us: nobody tells LLVM that scatters are slow.
    pub(super) original: bool,
    /// Its iterators in one iteration, and in the next.
    pub(super) now: Vec<i64>,
    pub(super) next: Vec<i64>,
    /// One lane further.
    pub(super) beside: Vec<i64>,
    /// It runs in this iteration.
    pub(super) active: bool,
    /// A condition of iterators decides.
    pub(super) guarded: bool,
    /// A condition on data decides in each iteration.
    pub(super) asks: bool,
    /// It changes nothing unless a condition holds that is asked in front of the loop.
    pub(super) answered: bool,
    /// Share of these iterations in which it holds.
    pub(super) holding: f64,
    /// How many times as fast it is as its operations one by one: LLVM packs terms of a sum, or copies side by side.
    pub(super) packed: f64,
    /// So many copies side by side it is one of.
    pub(super) copies: i64,
    /// What of it runs.
    pub(super) part: Part,
}

/// What runs of a statement.
#[derive(Clone, Default)]
pub(super) enum Part {
    /// All.
    #[default]
    All,
    /// In a loop in strips: so many operands, and these nodes below them.
    Ahead(usize, BTreeSet<usize>),
    /// The rest, with the operands read back.
    Update(usize, BTreeSet<usize>),
}

impl Item<'_> {
    /// Which nodes change with the loop.
    pub(super) fn moving(&self, once: bool, written: &BTreeSet<ArrayId>) -> Vec<bool> {
        let mut moving: Vec<bool> = vec![];
        let still = self.now == self.next;
        for node in &self.facts.nodes {
            let moves = match node.kind {
                _ if once => !matches!(node.kind, Kind::Invariant | Kind::Read(_) | Kind::Free),
                Kind::Read(a) => {
                    let a = &self.facts.accesses[a];
                    a.home != Home::Memory || self.gain(a) != 0 || written.contains(&a.array)
                }
                Kind::Invariant => false,
                Kind::Index { .. } => !still,
                // Compilers leave calls where they are.
                Kind::Call | Kind::Row | Kind::RootWithErrno => true,
                _ => node.args.iter().any(|a| moving[*a]),
            };
            moving.push(moves);
        }
        moving
    }

    /// Whether the next iteration is not the next one of the statement's innermost loop in the program, from either side.
    pub(super) fn turns(&self) -> bool {
        let mut outer = self.now.iter().zip(&self.next).rev().skip(1);
        outer.any(|(now, next)| now != next)
    }

    /// Whether a write is under a mask in vectors.
    pub(super) fn is_masked(&self) -> bool {
        self.guarded || self.asks
    }

    /// Whether a node is the choice to write, and that is known in front of the loop.
    pub(super) fn is_answered(&self, node: usize) -> bool {
        self.answered && self.facts.roots.contains(&node)
    }

    /// What runs whether its condition holds or not: what is asked, where that is a branch; else all.
    pub(super) fn asked(&self, mode: Mode) -> Part {
        match matches!(mode, Mode::Scalar) && self.asks && !self.facts.asks.is_empty() {
            true => Part::Ahead(0, self.facts.below(&self.facts.asks)),
            false => Part::All,
        }
    }

    /// Bytes that an access moves per iteration.
    pub(super) fn gain(&self, a: &AccessFacts) -> i64 {
        a.address(&self.next) - a.address(&self.now)
    }

    pub(super) fn access(
        &self,
        load: &mut Load,
        a: &AccessFacts,
        (mode, once, members): (Mode, bool, i64),
        target: &Target,
    ) {
        if a.home == Home::Register {
            return;
        }
        let gain = self.gain(a);
        // What stays the same is loaded in front of the loop, if it is loaded at all.
        let invariant = gain == 0 && !once && a.home == Home::Memory;
        let masked = matches!(mode, Mode::Vector(_)) && self.guards(a);
        let stored = a.writes && a.own.is_some();
        if invariant && !masked && !stored {
            return;
        }
        let (elements, (count, shuffles)) = match mode {
            Mode::Scalar => (1, (1.0, 0.0)),
            Mode::Vector(width) => (width, self.by_vector(a, (gain, members), width, target)),
            Mode::Square(width) => (width, in_square(a, gain, width)),
            Mode::Lanes(lanes) => {
                let gain = if once { 0 } else { gain };
                let elements = lanes.lanes * lanes.vectors;
                (elements, self.by_lanes(a, gain, lanes, target))
            }
        };
        let elements = elements as f64;
        load.slots += count + shuffles;
        if matches!(mode, Mode::Square(_) | Mode::Lanes(_)) && count < elements {
            load.shuffles += shuffles;
        }
        if a.writes && self.guards(a) && matches!(mode, Mode::Vector(_)) && gain.abs() == a.bytes {
            load.alone += count * (target.core.masked_store - 1.0);
        }
        let more = 1.0 + self.split(a, elements, count, target);
        match a.writes {
            true => {
                let bytes = elements.max(count) * a.bytes as f64;
                let core = &target.core;
                load.stores += more * count.max(bytes / core.store_rate * f64::from(core.stores));
            }
            false if count < elements => load.loads += more * count,
            false => load.loads += count * narrow(target.vector.loads_per_cycle),
        }
    }

    /// What so many elements side by side, accessed at once so many times, take more as they lie across lines: where a row begins is not known.
    fn split(&self, a: &AccessFacts, elements: f64, count: f64, target: &Target) -> f64 {
        if a.home != Home::Memory || count >= elements {
            return 0.0;
        }
        let vector = elements * a.bytes as f64 / count;
        target.core.split * (vector / LINE).min(1.0)
    }

    /// Whether it loads by lanes where data choose: no instruction masks such loads, and LLVM sees no gain in a branch for each lane.
    pub(super) fn loads_by_branch(&self, target: &Target) -> bool {
        let masked =
            |a: &AccessFacts, gain: i64| target.vector.masks.allow(a.bytes, gain.abs() == a.bytes);
        let mut chosen = self
            .facts
            .accesses
            .iter()
            .filter(|a| a.chosen && a.home == Home::Memory);
        chosen.any(|a| self.gain(a) != 0 && !masked(a, self.gain(a)))
    }

    /// Whether an access runs in some iterations only.
    pub(super) fn guards(&self, a: &AccessFacts) -> bool {
        a.guarded.unwrap_or(self.guarded || self.asks && !a.asked)
    }

    /// Whether LLVM accesses the elements of a vector in one group with those between them, of which so many are accessed.
    pub(super) fn is_grouped(&self, a: &AccessFacts, members: i64) -> bool {
        let apart = self.gain(a).abs() / a.bytes.max(1);
        match a.writes {
            true => apart <= GROUP.1 && members == apart,
            false => apart <= GROUP.0 || apart <= GROUP.1 && 2 * members >= apart,
        }
    }

    /// Accesses and shuffles for a vector of iterations. `members`: of the elements that the loop moves by, so many are accessed.
    fn by_vector(
        &self,
        a: &AccessFacts,
        (gain, members): (i64, i64),
        width: i64,
        target: &Target,
    ) -> (f64, f64) {
        let n = width as f64;
        let vectors = (n * a.bytes as f64 * 8.0 / f64::from(target.core.loop_bits)).max(1.0);
        let guarded = self.guards(a);
        let masked = if guarded { 1.0 } else { 0.0 };
        let apart = gain.abs() / a.bytes.max(1);
        match a.home {
            Home::Memory if guarded && !target.vector.masks.allow(a.bytes, apart == 1) => {
                (n, n * BY_LANE)
            }
            Home::Memory if gain == a.bytes => (vectors, masked),
            // Each copy takes its part of whole vectors.
            Home::Memory if self.fills(a, gain) => (vectors, 0.0),
            Home::Memory if gain == -a.bytes => (vectors, vectors + masked),
            Home::Memory if !guarded && self.is_grouped(a, members) => {
                (vectors * apart as f64 / members as f64, n)
            }
            _ if a.writes && apart > 1 && self.original && !target.core.scatters => {
                (n * SCATTERED, n)
            }
            _ if a.writes => (n * if guarded { 2.0 } else { 1.0 }, n),
            _ => (n, n * f64::from(target.core.gather)),
        }
    }

    /// Accesses and shuffles for a bundle of lanes.
    fn by_lanes(&self, a: &AccessFacts, gain: i64, lanes: Lanes, target: &Target) -> (f64, f64) {
        let vectors = lanes.vectors as f64;
        let beside = a.address(&self.beside) - a.address(&self.now);
        match a.home {
            Home::Memory if beside == 0 => (1.0, 0.0),
            Home::Memory if beside == a.bytes => (vectors, 0.0),
            Home::Memory if lanes.diagonal || gain.abs() == a.bytes => (vectors, 3.0 * vectors),
            _ => {
                let n = (lanes.lanes * lanes.vectors) as f64;
                (n, n * f64::from(target.core.gather))
            }
        }
    }
}

impl Part {
    /// Whether a node is evaluated.
    pub(super) fn runs(&self, node: usize) -> bool {
        match self {
            Part::All => true,
            Part::Ahead(_, first) => first.contains(&node),
            Part::Update(_, first) => !first.contains(&node),
        }
    }

    /// Whether nothing is written yet.
    pub(super) fn is_ahead(&self) -> bool {
        matches!(self, Part::Ahead(..))
    }

    /// What goes through the strip's memory.
    pub(super) fn passed(&self, load: &mut Load, mode: Mode, facts: &StmtFacts, target: &Target) {
        let bytes = facts.nodes[facts.roots[0]].bytes;
        let each = match mode {
            Mode::Vector(width) => (width * bytes * 8) as f64 / f64::from(target.core.loop_bits),
            Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1.0,
        };
        match self {
            Part::All => {}
            Part::Ahead(count, _) => {
                load.stores += each.max(1.0) * *count as f64;
                load.slots += each.max(1.0) * *count as f64;
            }
            Part::Update(count, _) => {
                load.loads += *count as f64;
                load.slots += *count as f64;
            }
        }
    }
}

impl StmtFacts {
    /// These nodes and all that they are made of.
    pub(in crate::model) fn below(&self, nodes: &[usize]) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut open = nodes.to_vec();
        while let Some(n) = open.pop() {
            if found.insert(n) {
                open.extend(&self.nodes[n].args);
            }
        }
        found
    }

    /// Whether an access belongs to a part of the statement.
    pub(super) fn touches(&self, access: usize, part: &Part) -> bool {
        let first = |nodes: &BTreeSet<usize>| match self.roots.get(access) {
            Some(root) => nodes.contains(root),
            None => nodes
                .iter()
                .any(|n| self.nodes[*n].kind == Kind::Read(access)),
        };
        match part {
            Part::All => true,
            Part::Ahead(_, nodes) => first(nodes),
            Part::Update(_, nodes) => !first(nodes),
        }
    }
}
