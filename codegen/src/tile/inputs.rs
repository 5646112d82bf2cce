//! What the code of a register tile takes from around it, as plain values.
//!
//! Two products differ in their arrays, sizes and loops, all of which is known where a tile begins. What remains is the same code:
//! addresses of the box's first cell and operands, what they gain, how many cells and steps exist. So the tile is a function of
//! these, which serves every product of its form in the module once equal functions are made one:
//!
//! ```text
//! tile(first, last, context, ends of rows and lanes, addresses, gains)
//! ```
//!
//! Constants stay in the code: a stride that is known there is part of an address. The context block holds what the
//! statement reads besides, as a factor. Alias scopes would name a product's own arrays, and say nothing here: a tile reads, and
//! stores its cells when all is read.
//!
//! An address that a table tells row by row is found where it is used, and such a tile stays where it is; so does one of a few steps,
//! for which a call would be much.

use super::Along;
use super::gain::access_gain;
use super::panel::{Panels, Slot, slots};
use super::roles::{accesses_of, needed};
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::{Frame, Key, is_constant};
use crate::ir::{Int, Ptr, Value, constant, int_param};
use crate::loops::Range;
use crate::openmp::Arg;
use inkwell::attributes::AttributeLoc;
use inkwell::values::BasicMetadataValueEnum;
use polytile_analysis::ast::MicroKernel;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId};
use polytile_analysis::scop::{Access, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// With fewer steps a tile costs little more than a call.
const MIN_STEPS: i64 = 16;

/// The values that a box is computed from.
#[derive(Clone)]
pub(super) struct Inputs<'c> {
    pub(super) first: Int<'c>,
    pub(super) last: Int<'c>,
    /// The fixed parts of the constraints.
    pub(super) rests: Vec<Int<'c>>,
    /// The statement's iterators at row 0, lane 0, `k == 0`; none where addresses and gains say it all.
    pub(super) args: Vec<Int<'c>>,
    pub(super) panels: Panels<'c>,
    /// By access that no table places.
    pub(super) places: BTreeMap<usize, Place<'c>>,
    /// Whether these are all accesses.
    pub(super) all_placed: bool,
}

/// Where an access lies in a box.
#[derive(Clone, Copy)]
pub(super) struct Place<'c> {
    /// Its address at row 0, lane 0, `k == 0`.
    pub(super) first: Ptr<'c>,
    /// The bytes that it gains along each direction, where they are no constant.
    pub(super) gains: [Option<Int<'c>>; 3],
}

impl<'c> Inputs<'c> {
    /// The same with each value but the ends of the steps replaced.
    fn map(&self, mut by: impl FnMut(Value<'c>) -> Value<'c>) -> Inputs<'c> {
        let mut int = |v: Int<'c>| by(v.into()).into_int_value();
        let rests = self.rests.iter().map(|v| int(*v)).collect();
        let args = self.args.iter().map(|v| int(*v)).collect();
        let gains = |p: &Place<'c>| p.gains.map(|gain| gain.map(&mut int));
        let gains: Vec<_> = self.places.values().map(gains).collect();
        let mut ptr = |p: Ptr<'c>| by(p.into()).into_pointer_value();
        let panels = Panels {
            row: self.panels.row.map(&mut ptr),
            lane: self.panels.lane.map(&mut ptr),
        };
        let places = self.places.iter().zip(gains).map(|((n, place), gains)| {
            let first = ptr(place.first);
            (*n, Place { first, gains })
        });
        let places = places.collect();
        Inputs {
            rests,
            args,
            panels,
            places,
            ..*self
        }
    }

    /// Whether a call is worth it.
    pub(super) fn are_worth_a_call(&self) -> bool {
        let few = match (constant(self.first), constant(self.last)) {
            (Some(first), Some(last)) => last - first < MIN_STEPS,
            _ => false,
        };
        self.all_placed && !few
    }

    /// Those that are no constants, each once.
    fn open(&self) -> Vec<Value<'c>> {
        let mut found = vec![];
        self.map(|v| {
            if !is_constant(v) && !found.contains(&v) {
                found.push(v);
            }
            v
        });
        found
    }
}

/// A function that runs steps of a box.
pub(super) struct Steps<'c> {
    frame: Frame<'c>,
    /// What it is given besides the steps.
    given: Vec<Value<'c>>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// What the code of a tile needs from here.
    pub(super) fn tile_inputs(&mut self, m: &MicroKernel) -> Inputs<'c> {
        let scop = self.scop;
        let stmt = scop.stmt(m.tile.stmt);
        let args: Vec<Int<'c>> = m.args.iter().map(|a| self.expr(a)).collect();
        let at: Vec<(LoopId, Int<'c>)> = stmt.iters.iter().copied().zip(args.clone()).collect();
        let packed = slots(m);
        let needed = needed(stmt, &packed);
        let used = accesses_of(stmt, &needed, &packed);
        let mut places: BTreeMap<usize, Place<'c>> = BTreeMap::new();
        for &n in &used {
            let access = &stmt.accesses[n];
            // The cell is read and written at one place.
            let same = |o: &Access| (o.array, &o.place) == (access.array, &access.place);
            let known = places.iter().find(|(o, _)| same(&stmt.accesses[**o]));
            let place = match known {
                Some((_, place)) => Some(*place),
                None => self.place_in_box(m, access, &at),
            };
            places.extend(place.map(|place| (n, place)));
        }
        let all_placed = places.len() == used.len();
        let rests: Vec<Int<'c>> = m.constraints.iter().map(|c| self.expr(&c.rest)).collect();
        let (mut first, mut last) = (self.expr(&m.first), self.expr(&m.last));
        for (c, rest) in m.constraints.iter().zip(&rests) {
            if c.reduction != 0 && c.row == 0 && c.lane == 0 {
                self.tighten(&mut first, &mut last, c.reduction, *rest);
            }
        }
        let by_iterators = !all_placed || has_index(stmt, &needed, &packed);
        Inputs {
            first,
            last,
            rests,
            args: if by_iterators { args } else { vec![] },
            panels: self.open_panels(m),
            places,
            all_placed,
        }
    }

    /// Where an access lies; `None` if what it gains is not the same everywhere, or a table says where it lies.
    fn place_in_box(
        &mut self,
        m: &MicroKernel,
        access: &Access,
        at: &Iterators<'c>,
    ) -> Option<Place<'c>> {
        if self.table_of_access(access).is_some() {
            return None;
        }
        let stmt = self.scop.stmt(m.tile.stmt);
        let gains = Along::ALL.map(|d| access_gain(self.scop, stmt, access, d.of(m)));
        if gains.contains(&None) {
            return None;
        }
        let first = self.place(access, at);
        let open = gains.map(|gain| gain.filter(|g| !g.symbolic.is_empty()));
        let gains = open.map(|gain| gain.map(|gain| self.gain_at(&gain, at)));
        Some(Place { first, gains })
    }

    /// A function of the inputs of a box; `code` gets them as they are known in it.
    pub(super) fn of_inputs(
        &mut self,
        role: &str,
        inputs: &Inputs<'c>,
        code: impl FnOnce(&mut Self, Inputs<'c>),
    ) -> Steps<'c> {
        let alone = self.outermost();
        let given = inputs.open();
        let kind = |v: &Value<'c>| match v.is_pointer_value() {
            true => Arg::Ptr,
            false => Arg::I64,
        };
        let mut args = vec![Arg::I64, Arg::I64, Arg::Ptr];
        let fixed = args.len() as u32;
        args.extend(given.iter().map(kind));
        let frame = self.outlined(role, &args, |e, function| {
            if alone {
                let first_thread = e.ir.int(0);
                e.set(Key::Thread, first_thread);
            }
            let param = |at| function.get_nth_param(at).expect("declared above");
            let mut inside = inputs.map(|v| match given.iter().position(|g| *g == v) {
                Some(at) => param(fixed + at as u32),
                None => v,
            });
            (inside.first, inside.last) = (int_param(function, 0), int_param(function, 1));
            code(e, inside);
        });
        let apart = self.ir.attribute("noinline");
        frame.function.add_attribute(AttributeLoc::Function, apart);
        Steps { frame, given }
    }

    /// Calls it for a range of steps.
    pub(super) fn run_steps(&mut self, steps: &Steps<'c>, first: Int<'c>, last: Int<'c>) {
        self.locate_region();
        let step = self.ir.int(1);
        let context = self.fill_context(&steps.frame, Range { first, last, step });
        let mut args = vec![first.into(), last.into(), context.into()];
        args.extend(steps.given.iter().map(|v| BasicMetadataValueEnum::from(*v)));
        self.ir.call(steps.frame.function, &args);
    }
}

/// Whether the statement's value depends on iterators.
fn has_index(stmt: &Stmt, needed: &BTreeSet<NodeId>, packed: &BTreeMap<NodeId, Slot>) -> bool {
    let mut computed = needed.iter().filter(|id| !packed.contains_key(id));
    computed.any(|id| matches!(stmt.body.node(*id).kind, NodeKind::Index(_)))
}
