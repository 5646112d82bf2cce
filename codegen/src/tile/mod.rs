//! Register tiles: a box of `rows x (vectors * lanes)` accumulators that stay in vector registers while the reduction
//! runs.
//!
//! ```text
//! c[r][v] = load                                     (once)
//! for k:  b[v] = vector loads that ignore the row
//!         for r:  a = splat of what ignores the lane;  c[r][v] = op(a, b[v], c[r][v]) for all v
//! store c[r][v]                                      (once)
//! ```
//!
//! Row by row is the order that LLVM's register allocator keeps without spills. The statement's body is evaluated in
//! three speeds: nodes that do not change with `k` in front of the loop, nodes that ignore the lanes as scalars (once per
//! row), the rest as vectors.
//!
//! A box is *full* if all its cells exist and a middle range of `k` serves all of them; steps in front of and behind the
//! middle (triangles) update under masks, in functions of their own ([`apart`]). Any other box runs masked throughout: cells
//! that do not exist are neither read nor written, vector operands are loaded under the union of the masks of their rows, and a scalar operand of a row
//! that does not exist is read from a row that does, or from a dummy cell where rows come and go with the steps. Where
//! whole rows come and go, each is branched around. Nothing is ever padded or multiplied by zero, since that could change
//! a sign of zero or meet an infinity; what idle rows and lanes compute on is in [`alive`].

mod ahead;
mod alive;
mod apart;
mod cells;
mod edges;
mod inputs;
mod masks;
mod panel;
mod reduce;
mod roles;
mod shared;
pub(crate) mod transpose;
mod values;

pub(crate) use ahead::Purpose;
pub(crate) use gain::{access_gain, changes};
pub(crate) use panel::check_panels;
pub(crate) use polytile_analysis::address_gain as gain;
pub(crate) use roles::obstacle;
pub(crate) use transpose::{block_of as transpose_block, contiguous};

use crate::emit::Emitter;
use crate::ir::{Arith, Int, Ptr, Value};
use alive::Live;
use cells::cell_stride;
use edges::{Whole, united};
use gain::{Direction, Gain};
use inkwell::IntPredicate;
use inputs::{Inputs, Place};
use masks::{Masks, is_mixed};
use panel::Slot;
use polytile_analysis::ast::MicroKernel;
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::Stmt;
use reduce::Masking;
use roles::{Varies, access_varies, accesses_of, accumulator, needed, node_varies, transposed};
use std::collections::{BTreeMap, BTreeSet};
use values::Step;

/// A place in the box: row and vector.
pub(crate) type Cell = (u32, u32);

/// A direction of a box.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Along {
    Rows,
    Steps,
    Lanes,
}

impl Along {
    const ALL: [Along; 3] = [Along::Rows, Along::Steps, Along::Lanes];

    fn of(self, m: &MicroKernel) -> &Direction {
        match self {
            Along::Rows => &m.row_step,
            Along::Steps => &m.reduction_step,
            Along::Lanes => &m.lane_step,
        }
    }
}

/// A box under construction.
pub(crate) struct Box_<'t, 'c> {
    pub(crate) m: &'t MicroKernel,
    stmt: &'t Stmt,
    /// The access that reads the accumulator.
    accumulator: usize,
    /// By node of the body.
    nodes: Vec<Varies>,
    /// By access.
    accesses: Vec<Varies>,
    /// Nodes that the root needs.
    needed: BTreeSet<NodeId>,
    /// Accesses that these need, and those to the cell.
    used: BTreeSet<usize>,
    /// Nodes that lie in panels.
    packed: BTreeMap<NodeId, Slot>,
    inputs: Inputs<'c>,
    /// What each access gains along each direction; `None` if that is not the same everywhere.
    gains: Vec<[Option<Gain>; 3]>,
    /// Accesses whose lanes lie apart ([`transpose`]).
    transposed: BTreeSet<usize>,
    /// Elements from one lane's cell to the next ([`cells`]).
    cell_stride: u32,
    /// What is known to exist where constraints of cells do not hold for all.
    whole: Whole,
    /// What exists whenever anything does.
    live: Live,
    /// Under masks each vector is evaluated for itself ([`alive`]).
    alone: bool,
    /// The steps of the reduction.
    pub(crate) first: Int<'c>,
    pub(crate) last: Int<'c>,
    /// Values of nodes that do not change with the reduction.
    outer: BTreeMap<(NodeId, Cell), Value<'c>>,
    /// Addresses at reduction 0, of the box's first lane.
    bases: BTreeMap<(usize, u32), Ptr<'c>>,
    /// Accesses whose addresses exist in all rows ([`Emitter::only_existing_rows`]).
    existing: BTreeSet<usize>,
}

impl<'t, 'c> Box_<'t, 'c> {
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<'t, 'c> {
        let (rows, vectors) = (self.m.tile.rows, self.m.tile.vectors);
        (0..rows).flat_map(move |r| (0..vectors).map(move |v| (r, v)))
    }

    fn position(&self, (r, v): Cell) -> usize {
        (r * self.m.tile.vectors + v) as usize
    }

    fn gain(&self, access: usize, along: Along) -> Option<&Gain> {
        self.gains[access][along as usize].as_ref()
    }

    /// The places that tell values of this kind apart.
    fn places(&self, varies: Varies) -> impl Iterator<Item = Cell> + use<'t, 'c> {
        let rows = if varies.row { self.m.tile.rows } else { 1 };
        let vectors = if varies.lane { self.m.tile.vectors } else { 1 };
        (0..rows).flat_map(move |r| (0..vectors).map(move |v| (r, v)))
    }

    /// Whether some constraint ties the reduction to rows or lanes.
    pub(crate) fn is_mixed(&self) -> bool {
        self.m.constraints.iter().any(is_mixed)
    }
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a register tile.
    pub(crate) fn micro_kernel(&mut self, m: &MicroKernel) {
        let m = &MicroKernel {
            constraints: united(&m.constraints),
            ..m.clone()
        };
        let function = self.frame().function;
        self.locate_region();
        let inputs = self.tile_inputs(m);
        let [enter, done] =
            ["tile", "done"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let any = self.ir.cmp(IntPredicate::SLE, inputs.first, inputs.last);
        self.ir.branch(any, enter, done);
        self.ir.at_end(enter);
        if inputs.are_worth_a_call() {
            let tile = self.of_inputs("tile", &inputs, |e, inside| e.box_of(m, inside));
            self.run_steps(&tile, inputs.first, inputs.last);
        } else {
            self.box_of(m, inputs);
        }
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// A box that has steps.
    fn box_of(&mut self, m: &MicroKernel, inputs: Inputs<'c>) {
        let mut b = self.box_from(m, inputs);
        if b.is_mixed() {
            self.triangular_box(&mut b);
            return;
        }
        let function = self.frame().function;
        let done = self.ir.block(function, "polytile.done");
        let (full, edge) = (
            self.ir.block(function, "polytile.full"),
            self.ir.block(function, "polytile.edge"),
        );
        let whole = (b.first, b.last);
        let is_full = self.is_full(&b, whole);
        self.ir.branch(is_full, full, edge);
        self.ir.at_end(full);
        self.full_box(&mut b);
        self.ir.jump(done);
        self.ir.at_end(edge);
        b.outer.clear();
        b.bases.clear();
        self.cut_box(m, &mut b);
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    fn open_box<'t>(&mut self, m: &'t MicroKernel) -> Box_<'t, 'c>
    where
        'e: 't,
    {
        let inputs = self.tile_inputs(m);
        self.box_from(m, inputs)
    }

    fn box_from<'t>(&mut self, m: &'t MicroKernel, inputs: Inputs<'c>) -> Box_<'t, 'c>
    where
        'e: 't,
    {
        let scop = self.scop;
        let stmt = scop.stmt(m.tile.stmt);
        let packed = panel::slots(m);
        let needed = needed(stmt, &packed);
        let used = accesses_of(stmt, &needed, &packed);
        let mut b = Box_ {
            m,
            stmt,
            accumulator: accumulator(stmt).expect("checked before emission"),
            nodes: node_varies(scop, m),
            accesses: stmt
                .accesses
                .iter()
                .map(|a| access_varies(scop, m, a))
                .collect(),
            gains: stmt
                .accesses
                .iter()
                .map(|a| Along::ALL.map(|d| access_gain(scop, stmt, a, d.of(m))))
                .collect(),
            transposed: transposed(scop, m, &used),
            cell_stride: cell_stride(scop, stmt, m).expect("checked before emission"),
            used,
            needed,
            packed,
            whole: Whole::default(),
            live: Live::of(m),
            alone: false,
            first: inputs.first,
            last: inputs.last,
            inputs,
            outer: BTreeMap::new(),
            bases: BTreeMap::new(),
            existing: BTreeSet::new(),
        };
        b.alone = self.evaluated_alone(&b);
        b
    }

    fn full_box(&mut self, b: &mut Box_<'_, 'c>) {
        self.prepare(b, None);
        let mut acc = self.load_cells(b, None);
        self.fetch_next(b);
        acc = self.reduce_all(b, (b.first, b.last), acc, Masking::None);
        self.store_cells(b, None, &acc);
    }

    fn edge_box(&mut self, b: &mut Box_<'_, 'c>, middle: (Int<'c>, Int<'c>)) {
        self.at_rim(|e| e.part_of_box(b, middle));
    }

    fn part_of_box(&mut self, b: &mut Box_<'_, 'c>, middle: (Int<'c>, Int<'c>)) {
        let active = self.active(b);
        self.prepare(b, Some(&active));
        let mut acc = self.load_cells(b, Some(&active));
        if !b.is_mixed() {
            let last = self.only_existing_rows(b, &active);
            acc = self.reduce_all(b, (b.first, last), acc, Masking::Fixed(&active));
        } else if b.transposed.is_empty() {
            acc = self.reduce(b, (b.first, b.last), acc, Masking::PerStep(Cells::Some));
        } else {
            // Without a middle all steps are in front of it.
            let one = self.ir.int(1);
            let any = self.ir.cmp(IntPredicate::SLE, middle.0, middle.1);
            let before = self.ir.sub(middle.0, one, Arith::Bounded);
            let before = self.ir.select(any, before, b.last).into_int_value();
            let behind = self.ir.select(any, middle.1, b.last).into_int_value();
            let behind = self.ir.add(behind, one, Arith::Bounded);
            acc = self.reduce(b, (b.first, before), acc, Masking::PerStep(Cells::Some));
            acc = self.reduce_all(b, middle, acc, Masking::Fixed(&active));
            acc = self.reduce(b, (behind, b.last), acc, Masking::PerStep(Cells::Some));
        }
        self.store_cells(b, Some(&active), &acc);
    }

    /// Everything that does not change with the reduction: addresses and values.
    fn prepare(&mut self, b: &mut Box_<'_, 'c>, masks: Option<&Masks<'c>>) {
        for n in b.used.clone() {
            if self.gain_within_row(b, n, Along::Steps).is_none() {
                continue;
            }
            for (r, _) in b.places(Varies {
                lane: false,
                ..b.accesses[n]
            }) {
                let p = self.first_of_row(b, n, r);
                b.bases.insert((n, r), p);
            }
        }
        let zero = self.ir.int(0);
        let mut step = Step {
            k: zero,
            accumulators: &[],
            masks,
            done: BTreeMap::new(),
            splats: BTreeMap::new(),
            lone: None,
        };
        for id in b.needed.clone() {
            let varies = b.nodes[id.index()];
            let later = b.alone && masks.is_some() && (varies.row || varies.lane);
            if !varies.reduction && !later {
                for cell in b.places(varies) {
                    let value = self.tile_node(b, &mut step, id, cell);
                    b.outer.insert((id, cell), value);
                }
            }
        }
    }

    /// The address of an access in a row, of the box's first lane and step.
    fn first_of_row(&mut self, b: &Box_<'_, 'c>, n: usize, r: u32) -> Ptr<'c> {
        let zero = self.ir.int(0);
        match b.inputs.places.get(&n) {
            Some(Place { first, .. }) => {
                let per_row = self.gain_value(b, n, Along::Rows);
                let rows = self.ir.int(r.into());
                let ahead = self.ir.mul(per_row, rows, Arith::Wrapping);
                self.ir.offset(*first, ahead)
            }
            None => {
                let at = self.iterators(b, r, zero);
                self.place(&b.stmt.accesses[n], &at)
            }
        }
    }

    /// Gives rows that do not exist in any step the addresses of one that does, so that scalar operands need no choice in
    /// every step; the last step, which is in front of the first one if no row exists.
    fn only_existing_rows(&mut self, b: &mut Box_<'_, 'c>, active: &Masks<'c>) -> Int<'c> {
        let rows = b.m.tile.rows;
        let row = Varies {
            row: true,
            ..Varies::default()
        };
        let mut exists = vec![];
        for r in 0..rows {
            let mask = self.operand_mask(b, active, row, (r, 0));
            exists.push(self.lane_exists(mask));
        }
        let scalars = |n: &usize| {
            let varies = b.accesses[*n];
            varies.row && varies.reduction && !varies.lane && b.bases.contains_key(&(*n, 0))
        };
        let scalars: Vec<usize> = b.used.iter().copied().filter(scalars).collect();
        for n in scalars {
            let mut some = b.bases[&(n, rows - 1)];
            for r in (0..rows - 1).rev() {
                let own = b.bases[&(n, r)];
                some = self
                    .ir
                    .select(exists[r as usize], own, some)
                    .into_pointer_value();
            }
            for r in 0..rows {
                let own = b.bases[&(n, r)];
                let base = self.ir.select(exists[r as usize], own, some);
                b.bases.insert((n, r), base.into_pointer_value());
            }
            b.existing.insert(n);
        }
        let none = self.ir.sub(b.first, self.ir.int(1), Arith::Bounded);
        let any = exists
            .into_iter()
            .reduce(|a, e| self.ir.builder.build_or(a, e, "").expect("builder misuse"));
        match any {
            Some(any) => self.ir.select(any, b.last, none).into_int_value(),
            None => b.last,
        }
    }
}

/// Which cells of a box exist in some step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cells {
    /// All.
    All,
    /// Those that satisfy the constraints without the reduction.
    Some,
}
