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
//! a sign of zero or meet an infinity.

mod ahead;
mod apart;
mod cells;
mod edges;
pub(crate) mod gain;
mod masks;
mod panel;
mod roles;
pub(crate) mod transpose;

pub(crate) use ahead::Purpose;
pub(crate) use gain::{access_gain, changes};
pub(crate) use panel::check_panels;
pub(crate) use roles::obstacle;
pub(crate) use transpose::{block_of as transpose_block, contiguous};

use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::ir::{Arith, Int, Ptr, Value};
use crate::metadata::LoopCode;
use cells::cell_stride;
use edges::Whole;
use gain::Gain;
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{AsValueRef, PhiValue};
use masks::{Mask, Masks, is_mixed};
use panel::{Panels, Slot};
use polytile_analysis::ast::MicroKernel;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId};
use polytile_analysis::scop::{Access, Stmt};
use roles::{Varies, access_varies, accesses_of, accumulator, needed, node_varies, transposed};
use std::collections::{BTreeMap, BTreeSet};
use transpose::Ready;

/// A place in the box: row and vector.
pub(crate) type Cell = (u32, u32);

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
    panels: Panels<'c>,
    /// The iterators at row 0, lane 0, `k == 0`.
    args: Vec<Int<'c>>,
    /// What each access gains per step of `k`; `None` if that is not the same everywhere.
    gains: Vec<Option<Gain>>,
    /// The same per lane.
    lane_gains: Vec<Option<Gain>>,
    /// Accesses whose lanes lie apart ([`transpose`]).
    transposed: BTreeSet<usize>,
    /// Elements from one lane's cell to the next ([`cells`]).
    cell_stride: u32,
    /// What is known to exist where constraints of cells do not hold for all.
    whole: Whole,
    /// The fixed parts of the constraints.
    pub(crate) rests: Vec<Int<'c>>,
    pub(crate) first: Int<'c>,
    pub(crate) last: Int<'c>,
    /// Values of nodes that do not change with the reduction.
    outer: BTreeMap<(NodeId, Cell), Value<'c>>,
    /// Addresses at reduction 0, of the box's first lane.
    bases: BTreeMap<(usize, u32), Ptr<'c>>,
    /// Accesses whose addresses exist in all rows ([`Emitter::only_existing_rows`]).
    existing: BTreeSet<usize>,
}

/// Values of one step of the reduction.
struct Step<'a, 'c> {
    k: Int<'c>,
    accumulators: &'a [Value<'c>],
    masks: Option<&'a Masks<'c>>,
    done: BTreeMap<(NodeId, Cell), Value<'c>>,
    splats: BTreeMap<(NodeId, u32), Value<'c>>,
}

impl<'t, 'c> Box_<'t, 'c> {
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<'t, 'c> {
        let (rows, vectors) = (self.m.tile.rows, self.m.tile.vectors);
        (0..rows).flat_map(move |r| (0..vectors).map(move |v| (r, v)))
    }

    fn position(&self, (r, v): Cell) -> usize {
        (r * self.m.tile.vectors + v) as usize
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

fn place_of(varies: Varies, (r, v): Cell) -> Cell {
    (
        if varies.row { r } else { 0 },
        if varies.lane { v } else { 0 },
    )
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a register tile.
    pub(crate) fn micro_kernel(&mut self, m: &MicroKernel) {
        let function = self.frame().function;
        self.locate_region();
        let mut b = self.open_box(m);
        let [enter, done] =
            ["tile", "done"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let any = self.ir.cmp(IntPredicate::SLE, b.first, b.last);
        self.ir.branch(any, enter, done);
        self.ir.at_end(enter);
        if b.is_mixed() {
            self.triangular_box(&mut b);
            self.ir.jump(done);
            self.ir.at_end(done);
            return;
        }
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
        let scop = self.scop;
        let stmt = scop.stmt(m.tile.stmt);
        let args: Vec<Int<'c>> = m.args.iter().map(|a| self.expr(a)).collect();
        let packed = panel::slots(m);
        let needed = needed(stmt, &packed);
        let rests: Vec<Int<'c>> = m.constraints.iter().map(|c| self.expr(&c.rest)).collect();
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
                .map(|a| access_gain(scop, stmt, a, &m.reduction_step))
                .collect(),
            lane_gains: stmt
                .accesses
                .iter()
                .map(|a| access_gain(scop, stmt, a, &m.lane_step))
                .collect(),
            transposed: transposed(scop, m, &used),
            cell_stride: cell_stride(scop, stmt, m).expect("checked before emission"),
            used,
            needed,
            packed,
            panels: self.open_panels(m),
            args,
            whole: Whole::default(),
            rests,
            first: self.expr(&m.first),
            last: self.expr(&m.last),
            outer: BTreeMap::new(),
            bases: BTreeMap::new(),
            existing: BTreeSet::new(),
        };
        for (i, c) in m.constraints.iter().enumerate() {
            if c.reduction != 0 && c.row == 0 && c.lane == 0 {
                self.tighten(&mut b.first, &mut b.last, c.reduction, b.rests[i]);
            }
        }
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
            if b.gains[n].is_none() {
                continue;
            }
            for (r, _) in b.places(Varies {
                lane: false,
                ..b.accesses[n]
            }) {
                let zero = self.ir.int(0);
                let at = self.iterators(b, r, zero);
                let p = self.place(&b.stmt.accesses[n], &at);
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
        };
        for id in b.needed.clone() {
            let varies = b.nodes[id.index()];
            if !varies.reduction {
                for cell in b.places(varies) {
                    let value = self.tile_node(b, &mut step, id, cell);
                    b.outer.insert((id, cell), value);
                }
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

    /// The loops over steps that exist for the same cells; the accumulators after them.
    fn reduce_all(
        &mut self,
        b: &Box_<'_, 'c>,
        (first, last): (Int<'c>, Int<'c>),
        acc: Vec<Value<'c>>,
        masking: Masking<'_, 'c>,
    ) -> Vec<Value<'c>> {
        // Rows of a box that do not exist could not be replaced by any.
        let whole = matches!(masking, Masking::None) || b.m.tile.rows == 1;
        if b.transposed.is_empty() || !whole {
            return self.reduce(b, (first, last), acc, masking);
        }
        let (acc, left) = self.reduce_squares(b, (first, last), acc, masking);
        self.reduce(b, (left, last), acc, masking)
    }

    /// The loop over the reduction; the accumulators after it.
    fn reduce(
        &mut self,
        b: &Box_<'_, 'c>,
        (first, last): (Int<'c>, Int<'c>),
        acc: Vec<Value<'c>>,
        masking: Masking<'_, 'c>,
    ) -> Vec<Value<'c>> {
        let function = self.frame().function;
        self.locate_region();
        let header = self.ir.block(function, "polytile.reduce");
        let after = self.ir.block(function, "polytile.reduced");
        let entered = self.ir.cmp(IntPredicate::SLE, first, last);
        let before = self.ir.here();
        self.ir.branch(entered, header, after);

        self.ir.at_end(header);
        let phi = self.ir.phi(self.ir.i64(), "k");
        let phis: Vec<PhiValue<'c>> = acc.iter().map(|a| self.ir.phi(a.get_type(), "c")).collect();
        let k = phi.as_basic_value().into_int_value();
        let current: Vec<Value<'c>> = phis.iter().map(|p| p.as_basic_value()).collect();
        let updated = self.reduction_step(b, k, &current, masking, Ready::new());
        self.locate_region();
        let latch = self.ir.here();
        let next = self.ir.add(k, self.ir.int(1), Arith::Bounded);
        let again = self.ir.cmp(IntPredicate::SLT, k, last);
        let back = self.ir.branch(again, header, after);
        self.mark_loop(back, None, LoopCode::Vectors);
        phi.add_incoming(&[(&first, before), (&next, latch)]);

        self.ir.at_end(after);
        let mut result = vec![];
        for ((phi, old), new) in phis.iter().zip(&acc).zip(&updated) {
            phi.add_incoming(&[(old, before), (new, latch)]);
            let merged = self.ir.phi(old.get_type(), "");
            merged.add_incoming(&[(old, before), (new, latch)]);
            result.push(merged.as_basic_value());
        }
        result
    }

    fn reduction_step(
        &mut self,
        b: &Box_<'_, 'c>,
        k: Int<'c>,
        acc: &[Value<'c>],
        masking: Masking<'_, 'c>,
        ready: Ready<'c>,
    ) -> Vec<Value<'c>> {
        let per_step = match masking {
            Masking::PerStep(cells) => Some(self.instances(b, k, cells)),
            Masking::None | Masking::Fixed(_) => None,
        };
        let masks = match masking {
            Masking::Fixed(m) => Some(m),
            Masking::None | Masking::PerStep(_) => per_step.as_ref(),
        };
        let mut step = Step {
            k,
            accumulators: acc,
            masks,
            done: ready,
            splats: BTreeMap::new(),
        };
        let by_rows = per_step.as_ref().and_then(|m| m.by_rows(b));
        for id in &b.needed {
            let varies = b.nodes[id.index()];
            if varies.reduction && !varies.row && (varies.lane || by_rows.is_some()) {
                for cell in b.places(varies) {
                    self.tile_node(b, &mut step, *id, cell);
                }
            }
        }
        if let Some(exist) = by_rows {
            return self.rows_that_exist(b, step, &exist);
        }
        let lanes = b.m.tile.lanes;
        let mut updated = vec![];
        for cell in b.cells() {
            let value = self.tile_node(b, &mut step, b.stmt.body.root, cell);
            let new = self.splat(value, lanes);
            updated.push(match &per_step {
                Some(masks) => self.update(masks.cell(cell), new, acc[b.position(cell)]),
                None => new,
            });
        }
        updated
    }

    /// One step in which whole rows exist or do not: a branch per row, which is the same in most steps.
    fn rows_that_exist(
        &mut self,
        b: &Box_<'_, 'c>,
        shared: Step<'_, 'c>,
        exist: &[Int<'c>],
    ) -> Vec<Value<'c>> {
        let function = self.frame().function;
        let (lanes, vectors) = (b.m.tile.lanes, b.m.tile.vectors);
        let mut updated = vec![];
        for (r, exists) in (0..).zip(exist) {
            let row = self.ir.block(function, "polytile.row");
            let after = self.ir.block(function, "polytile.norow");
            let before = self.ir.here();
            self.ir.branch(*exists, row, after);
            self.ir.at_end(row);
            // What this row computes is not known in others.
            let mut step = Step {
                masks: None,
                done: shared.done.clone(),
                splats: BTreeMap::new(),
                ..shared
            };
            let mut new = vec![];
            for v in 0..vectors {
                let value = self.tile_node(b, &mut step, b.stmt.body.root, (r, v));
                new.push(self.splat(value, lanes));
            }
            let end = self.ir.here();
            self.ir.jump(after);
            self.ir.at_end(after);
            for (v, new) in (0..vectors).zip(new) {
                let old = shared.accumulators[b.position((r, v))];
                let phi = self.ir.phi(old.get_type(), "");
                phi.add_incoming(&[(&old, before), (&new, end)]);
                updated.push(phi.as_basic_value());
            }
        }
        updated
    }

    fn update(&self, mask: Mask<'c>, new: Value<'c>, old: Value<'c>) -> Value<'c> {
        match mask {
            Mask::All => new,
            Mask::Uniform(c) => self.ir.select(c, new, old),
            Mask::Lanes(m) => self.vector_select(m.into(), new, old),
        }
    }

    /// The value of a body's node in a step.
    fn tile_node(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &mut Step<'_, 'c>,
        id: NodeId,
        cell: Cell,
    ) -> Value<'c> {
        let varies = b.nodes[id.index()];
        let cell = place_of(varies, cell);
        if let Some(v) = b
            .outer
            .get(&(id, cell))
            .or_else(|| step.done.get(&(id, cell)))
        {
            return *v;
        }
        let node = b.stmt.body.node(id);
        let value = match &node.kind {
            _ if b.packed.contains_key(&id) => self.panel_load(b, step.k, b.packed[&id], cell),
            NodeKind::Read(n) if *n == b.accumulator => step.accumulators[b.position(cell)],
            NodeKind::Read(n) => self.tile_read(b, step, *n, cell),
            NodeKind::Index(s) => {
                let at = self.iterators(b, cell.0, step.k);
                self.evolve(s, &at).into()
            }
            NodeKind::Invariant(v) => self.get(crate::frame::Key::Invariant(*v)),
            NodeKind::Bits(bits) => self.bits(node.ty, *bits),
            NodeKind::Op { inst, args, .. } if varies.lane => {
                let origin = self.host.values[inst.index()];
                let args: Vec<Value<'c>> = args
                    .iter()
                    .map(|a| self.tile_vector(b, step, *a, cell))
                    .collect();
                self.vector_op(origin, &args, b.m.tile.lanes)
            }
            NodeKind::Op { inst, args, .. } => {
                let args: Vec<Value<'c>> = args
                    .iter()
                    .map(|a| self.tile_node(b, step, *a, cell))
                    .collect();
                self.clone_op(*inst, &args)
            }
        };
        step.done.insert((id, cell), value);
        value
    }

    /// The value of a node as a vector; a scalar is splatted once per row and step, at its first use.
    fn tile_vector(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &mut Step<'_, 'c>,
        id: NodeId,
        cell: Cell,
    ) -> Value<'c> {
        let value = self.tile_node(b, step, id, cell);
        if value.is_vector_value() {
            return value;
        }
        let key = (id, place_of(b.nodes[id.index()], cell).0);
        *step
            .splats
            .entry(key)
            .or_insert_with(|| self.splat(value, b.m.tile.lanes))
    }

    fn tile_read(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &Step<'_, 'c>,
        n: usize,
        cell: Cell,
    ) -> Value<'c> {
        let access = &b.stmt.accesses[n];
        let varies = b.accesses[n];
        if let Some(inst) = access.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let p = self.tile_place(b, n, cell, step.k);
        let ty = self.access_type(access);
        let mask = match step.masks {
            Some(masks) => self.operand_mask(b, masks, varies, cell),
            None => Mask::All,
        };
        if b.transposed.contains(&n) {
            let lanes = b.m.tile.lanes;
            let stride = self.lane_stride(b, n);
            let mask = self.lanes_of(mask, lanes);
            return self.gather(access, (ty, lanes), (p, stride), mask);
        }
        if varies.lane {
            return self.lanes_load(access, ty, p, mask, b.m.tile.lanes);
        }
        let p = match mask {
            Mask::All => p,
            Mask::Uniform(_) if b.existing.contains(&n) => p,
            Mask::Uniform(exists) => {
                let dummy = self.dummy();
                self.ir.select(exists, p, dummy).into_pointer_value()
            }
            Mask::Lanes(_) => unreachable!("scalar operands have one mask for all lanes"),
        };
        let value = self.ir.load(ty, p);
        self.finish_access(crate::body::instruction(value), access);
        value
    }

    fn lanes_load(
        &mut self,
        access: &Access,
        ty: BasicTypeEnum<'c>,
        p: Ptr<'c>,
        mask: Mask<'c>,
        lanes: u32,
    ) -> Value<'c> {
        let mask = self.lanes_of(mask, lanes);
        let value = self.vector_load(self.vector_type(ty, lanes), p, mask, self.align_of(access));
        self.finish_vector_access(value.as_value_ref(), access);
        value
    }

    /// The address of an access in a row, of a vector's first lane.
    pub(super) fn tile_place(
        &mut self,
        b: &Box_<'_, 'c>,
        n: usize,
        cell: Cell,
        k: Int<'c>,
    ) -> Ptr<'c> {
        let varies = b.accesses[n];
        let (r, v) = place_of(varies, cell);
        let access = &b.stmt.accesses[n];
        let p = match (b.bases.get(&(n, r)).copied(), &b.gains[n]) {
            (Some(base), Some(gain)) => {
                let per_step = self.gain_value(b, gain);
                let offset = self.ir.mul(k, per_step, Arith::Wrapping);
                self.ir.offset(base, offset)
            }
            _ => {
                let at = self.iterators(b, r, k);
                self.place(access, &at)
            }
        };
        let ahead = self.ir.int(i64::from(v * b.m.tile.lanes));
        let element = access.ty.bytes() as i64;
        let bytes = match b.transposed.contains(&n) {
            true => self.lane_stride(b, n),
            false if n == 0 || n == b.accumulator => {
                self.ir.int(element * i64::from(b.cell_stride))
            }
            false => self.ir.int(element),
        };
        let ahead = self.ir.mul(ahead, bytes, Arith::Wrapping);
        self.ir.offset(p, ahead)
    }

    /// The bytes of a gain.
    pub(super) fn gain_value(&mut self, b: &Box_<'_, 'c>, gain: &Gain) -> Int<'c> {
        let zero = self.ir.int(0);
        let at = self.iterators(b, 0, zero);
        self.gain_at(gain, &at)
    }

    /// The bytes of a gain, which is the same for all iterators.
    pub(crate) fn gain_at(&mut self, gain: &Gain, at: &Iterators<'c>) -> Int<'c> {
        let mut sum = self.ir.int(gain.constant as i64);
        for (s, n) in &gain.symbolic {
            let s = self.evolve(s, at);
            let s = self.ir.sext(s, 64);
            let term = self.ir.mul(s, self.ir.int(*n as i64), Arith::Wrapping);
            sum = self.ir.add(sum, term, Arith::Wrapping);
        }
        sum
    }

    /// The statement's iterators in a row of the box, at its first lane.
    fn iterators(&mut self, b: &Box_<'_, 'c>, r: u32, k: Int<'c>) -> Vec<(LoopId, Int<'c>)> {
        let mut at = vec![];
        for (d, l) in b.stmt.iters.iter().enumerate() {
            let row = self.ir.int(b.m.row_step[d] * i64::from(r));
            let value = self.ir.add(b.args[d], row, Arith::Bounded);
            let steps = self
                .ir
                .mul(k, self.ir.int(b.m.reduction_step[d]), Arith::Bounded);
            at.push((*l, self.ir.add(value, steps, Arith::Bounded)));
        }
        at
    }

    fn align_of(&self, access: &Access) -> u32 {
        self.origin_of(access).map_or(1, |o| o.align)
    }

    /// A lane-wise select.
    fn vector_select(&self, mask: Value<'c>, yes: Value<'c>, no: Value<'c>) -> Value<'c> {
        let made = unsafe {
            llvm_sys::core::LLVMBuildSelect(
                self.ir.builder.as_mut_ptr(),
                mask.as_value_ref(),
                yes.as_value_ref(),
                no.as_value_ref(),
                c"".as_ptr(),
            )
        };
        unsafe { Value::new(made) }
    }
}

/// How a reduction loop is masked.
#[derive(Clone, Copy)]
enum Masking<'m, 'c> {
    /// All instances exist.
    None,
    /// The same cells exist in all steps; those that do not are never stored.
    Fixed(&'m Masks<'c>),
    /// Which instances exist changes from step to step.
    PerStep(Cells),
}

/// Which cells of a box exist in some step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cells {
    /// All.
    All,
    /// Those that satisfy the constraints without the reduction.
    Some,
}
