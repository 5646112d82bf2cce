//! Operands whose lanes lie apart and whose steps lie side by side: `A[i][j]` where the lanes are rows `i` and the
//! reduction runs over `j`.
//!
//! A dot product must keep the order of its sum, so its lanes have to be other sums. Gathering one element of each row
//! per step costs as much as scalar code; reading a square of `L x L` elements by `L` vector loads and transposing it in
//! registers serves `L` steps:
//!
//! ```text
//! for k in steps of L:   w[l] = load A[i + l][k .. k + L]           l = 0 .. L
//!                        a    = transpose(w)                        L log2(L) shuffles
//!                        c    = op(a[s], splat x[k + s], c)         s = 0 .. L, one after the other
//! ```
//!
//! The shuffles are chosen for machines whose vectors consist of blocks of 128 bits. With `b` elements in a block and
//! `n` blocks in a vector (`L = b n`), first `b` vectors at a time are interleaved inside of blocks (`unpck`, `zip`):
//! afterwards block `B` of vector `c` of group `g` holds elements `bB + c` of the rows `bg .. bg + b`. What is left is a
//! transpose of `n x n` whole blocks per `c`, by taking even and odd blocks of pairs (`vshuff64x2`, `vperm2f128`).
//!
//! The rows of a square are as many streams, each in a page of its own, which is more than hardware follows; a square
//! whose rows are whole cache lines asks for those of a later square. (Measured on sums over 2000 x 2000: 1.1 to 1.3 times
//! as fast from memory, and no slower from the second level cache.)
//!
//! A square may lack rows: another row is read in their place, and what their lanes compute is never stored. Steps that do
//! not fill a square, and steps whose masks change, gather.

use super::ahead::Purpose;
use super::gain::Gain;
use super::reduce::Masking;
use super::{Along, Box_, Cell};
use crate::emit::Emitter;
use crate::ir::{Arith, Int, Ptr, Value};
use crate::memory::LINE;
use crate::metadata::LoopCode;
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::intrinsics::Intrinsic;
use inkwell::types::{AsTypeRef, BasicTypeEnum, VectorType};
use inkwell::values::{AsValueRef, VectorValue};
use llvm_sys::core::LLVMBuildGEP2;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::Access;
use std::collections::BTreeMap;

/// Bytes of a block.
const BLOCK: u32 = 16;

/// How far ahead lines are asked for, in bytes: a few squares, less than a page.
const AHEAD: i64 = 512;

/// Elements of a block.
pub(crate) fn block_of(bytes: u32, lanes: u32) -> u32 {
    (BLOCK / bytes).clamp(1, lanes)
}

/// Whether operands with these gains per lane and per step of the reduction can be transposed.
pub(super) fn is_transposable(access: &Access, lane: &Gain, step: Option<&Gain>) -> bool {
    !lane.is_zero() && step == Some(&contiguous(access))
}

/// The gain of an access that walks over its elements one by one.
pub(crate) fn contiguous(access: &Access) -> Gain {
    Gain {
        constant: i128::from(access.ty.bytes()),
        ..Gain::default()
    }
}

/// Reads of a step whose values are there already.
pub(super) type Ready<'c> = BTreeMap<(NodeId, Cell), Value<'c>>;

impl<'e, 'c> Emitter<'e, 'c> {
    /// The steps `first ..= last`, whose masks are the same, in squares as far as they go: the accumulators, and the first step that is
    /// left.
    pub(super) fn reduce_squares(
        &mut self,
        b: &Box_<'_, 'c>,
        (first, last): (Int<'c>, Int<'c>),
        acc: Vec<Value<'c>>,
        masking: Masking<'_, 'c>,
    ) -> (Vec<Value<'c>>, Int<'c>) {
        self.locate_region();
        let (rows, any) = self.rows_of_lanes(b, masking);
        let width = i64::from(b.m.tile.lanes);
        self.stepped(
            (first, last),
            (width, LoopCode::Vectors),
            Some(any),
            acc,
            |e, k, acc| e.square(b, k, acc.to_vec(), (masking, &rows)),
        )
    }

    /// The steps of one square.
    fn square(
        &mut self,
        b: &Box_<'_, 'c>,
        k: Int<'c>,
        acc: Vec<Value<'c>>,
        (masking, rows): (Masking<'_, 'c>, &[Int<'c>]),
    ) -> Vec<Value<'c>> {
        let ready = self.square_columns(b, k, rows, |_, _, _| {});
        self.steps_of_square(b, k, acc, (masking, ready))
    }

    /// The columns of the squares that begin at step `k`, for each of their steps; one row for each of `rows`, which are
    /// lanes of the box. `loaded` sees the rows of an access and vector before they are transposed.
    pub(super) fn square_columns(
        &mut self,
        b: &Box_<'_, 'c>,
        k: Int<'c>,
        rows: &[Int<'c>],
        mut loaded: impl FnMut(&mut Self, Cell, &[VectorValue<'c>]),
    ) -> Vec<Ready<'c>> {
        let lanes = b.m.tile.lanes;
        let mut ready = vec![Ready::new(); lanes as usize];
        for &n in &b.transposed {
            let nodes: Vec<NodeId> = (b.needed.iter().copied())
                .filter(|id| b.stmt.body.node(*id).kind == NodeKind::Read(n))
                .collect();
            for cell in b.places(b.accesses[n]) {
                let of_vector = &rows[(cell.1 * lanes) as usize..][..lanes as usize];
                let square = self.rows_of_square(b, n, (cell.0, of_vector), k);
                loaded(self, (n as u32, cell.1), &square);
                let block = block_of(b.stmt.accesses[n].ty.bytes() as u32, lanes);
                let columns = self.transpose(square, block);
                for (steps, column) in ready.iter_mut().zip(columns) {
                    steps.extend(nodes.iter().map(|id| ((*id, cell), column.into())));
                }
            }
        }
        ready
    }

    /// The steps of a square whose columns are there.
    pub(super) fn steps_of_square(
        &mut self,
        b: &Box_<'_, 'c>,
        k: Int<'c>,
        mut acc: Vec<Value<'c>>,
        (masking, ready): (Masking<'_, 'c>, Vec<Ready<'c>>),
    ) -> Vec<Value<'c>> {
        for (s, ready) in ready.into_iter().enumerate() {
            let at = self.ir.add(k, self.ir.int(s as i64), Arith::Bounded);
            acc = self.reduction_step(b, at, &acc, masking, ready);
        }
        acc
    }

    /// The rows of a square: the elements of an access in a row of the box for the steps from `k` on, one vector for each of
    /// `from`, which are lanes of the box.
    fn rows_of_square(
        &mut self,
        b: &Box_<'_, 'c>,
        n: usize,
        (row, from): (u32, &[Int<'c>]),
        k: Int<'c>,
    ) -> Vec<VectorValue<'c>> {
        let access = &b.stmt.accesses[n];
        let lanes = b.m.tile.lanes;
        if let Some(inst) = access.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let ty = self.access_type(access);
        let mut rows = vec![];
        for p in self.places_of(b, n, (row, from), k) {
            if u64::from(lanes) * access.ty.bytes() == LINE {
                let ahead = self.ir.offset(p, self.ir.int(AHEAD));
                self.request(ahead, Purpose::Read);
            }
            let ty = self.vector_type(ty, lanes);
            let value = self.vector_load(ty, p, None, self.align_of(access));
            self.finish_vector_access(value.as_value_ref(), access);
            rows.push(value.into_vector_value());
        }
        rows
    }

    /// For each lane of the box the number of the lane whose row is read for it: its own if it exists, else one that does.
    /// And whether any exists.
    fn rows_of_lanes(&self, b: &Box_<'_, 'c>, masking: Masking<'_, 'c>) -> (Vec<Int<'c>>, Int<'c>) {
        let lanes = b.m.tile.lanes;
        let number = |l: u32| self.ir.int(l.into());
        let all = 0..b.m.tile.vectors * lanes;
        let masks = match masking {
            Masking::None => return (all.map(number).collect(), self.ir.bool(true)),
            Masking::Fixed(masks) => masks,
            Masking::PerStep(_) => unreachable!("a square has one mask for all of its steps"),
        };
        let mut exists = vec![];
        for l in all {
            let bits = match self.lanes_of(masks.cell((0, l / lanes)), lanes) {
                Some(bits) => bits.into_vector_value(),
                None => self
                    .splat(self.ir.bool(true).into(), lanes)
                    .into_vector_value(),
            };
            let bit = (self.ir.builder).build_extract_element(bits, number(l % lanes), "");
            exists.push(bit.expect("builder misuse").into_int_value());
        }
        let select = |c: &Int<'c>, l: usize, other: Int<'c>| {
            let own = number(l as u32);
            self.ir.select(*c, own, other).into_int_value()
        };
        let numbered = || exists.iter().enumerate();
        let none = self.ir.int(-1);
        // The first one, as everywhere.
        let some = numbered()
            .rev()
            .fold(none, |some, (l, c)| select(c, l, some));
        let rows = numbered().map(|(l, c)| select(c, l, some)).collect();
        (rows, self.ir.cmp(IntPredicate::SGE, some, self.ir.int(0)))
    }

    /// The addresses of an access whose lanes lie apart, in some lanes of the box.
    fn places_of(
        &mut self,
        b: &Box_<'_, 'c>,
        n: usize,
        (row, lanes): (u32, &[Int<'c>]),
        k: Int<'c>,
    ) -> Vec<Ptr<'c>> {
        if !self.lanes_leave_row(b, n) {
            let base = self.tile_place(b, n, (row, 0), k);
            let stride = self.gain_value(b, n, Along::Lanes);
            let ahead = |lane: &Int<'c>| self.ir.mul(stride, *lane, Arith::Wrapping);
            let places = lanes.iter().map(|l| self.ir.offset(base, ahead(l)));
            return places.collect();
        }
        let first = self.iterators(b, row, k);
        let mut places = vec![];
        for lane in lanes {
            let at = self.ahead(&first, &b.m.lane_step, *lane);
            places.push(self.place(&b.stmt.accesses[n], &at));
        }
        places
    }

    /// Whether each lane of an access lies in a row that a table says the place of.
    fn lanes_leave_row(&self, b: &Box_<'_, 'c>, n: usize) -> bool {
        let gain = b.gain(n, Along::Lanes);
        gain.is_some_and(|g| self.leaves_row(&b.stmt.accesses[n], g))
    }

    /// The addresses of an access whose lanes lie apart, in all lanes of a vector.
    pub(super) fn places_of_lanes(
        &mut self,
        b: &Box_<'_, 'c>,
        n: usize,
        (row, v): Cell,
        k: Int<'c>,
    ) -> Value<'c> {
        let lanes = b.m.tile.lanes;
        let row = if b.accesses[n].row { row } else { 0 };
        let first = if b.accesses[n].lane { v * lanes } else { 0 };
        if !self.lanes_leave_row(b, n) {
            let place = self.tile_place(b, n, (row, first / lanes), k);
            let stride = self.gain_value(b, n, Along::Lanes);
            return self.places_apart(place, stride, lanes);
        }
        let numbers: Vec<Int<'c>> = (first..first + lanes)
            .map(|l| self.ir.int(l.into()))
            .collect();
        let mut all = self.vector_type(self.ir.ptr_type(), lanes).get_poison();
        for (l, place) in (0..).zip(self.places_of(b, n, (row, &numbers), k)) {
            let made = (self.ir.builder).build_insert_element(all, place, self.ir.int(l), "");
            all = made.expect("builder misuse");
        }
        all.into()
    }

    /// Addresses that lie `stride` bytes apart.
    fn places_apart(&self, first: Ptr<'c>, stride: Int<'c>, lanes: u32) -> Value<'c> {
        let stride = self.splat(stride.into(), lanes).into_vector_value();
        let offsets = self
            .ir
            .builder
            .build_int_mul(self.lane_numbers(lanes), stride, "")
            .expect("builder misuse");
        unsafe {
            Value::new(LLVMBuildGEP2(
                self.ir.builder.as_mut_ptr(),
                self.ir.int_type(8).as_type_ref(),
                first.as_value_ref(),
                [offsets.as_value_ref()].as_mut_ptr(),
                1,
                c"".as_ptr(),
            ))
        }
    }

    /// The transpose of a square, in blocks of so many elements.
    pub(crate) fn transpose(&self, rows: Vec<VectorValue<'c>>, block: u32) -> Vec<VectorValue<'c>> {
        let size = rows.len();
        let mut groups = vec![];
        for group in rows.chunks(block as usize) {
            groups.push(self.transpose_in_blocks(group.to_vec()));
        }
        let mut columns: Vec<Option<VectorValue<'c>>> = vec![None; size];
        for c in 0..block as usize {
            let parts: Vec<VectorValue<'c>> = groups.iter().map(|g| g[c]).collect();
            for (at, column) in self.transpose_blocks(parts, block).into_iter().enumerate() {
                columns[at * block as usize + c] = Some(column);
            }
        }
        columns.into_iter().flatten().collect()
    }

    /// Transposes the squares of elements in the same block of all vectors.
    pub(crate) fn transpose_in_blocks(
        &self,
        vectors: Vec<VectorValue<'c>>,
    ) -> Vec<VectorValue<'c>> {
        let block = vectors.len() as u32;
        let lanes = vectors[0].get_type().get_size();
        let mut now = vectors;
        let mut unit = 1;
        while unit < block {
            // Vectors whose elements come in units: pairs of units are interleaved, the lower and the upper half of each
            // block. A vector's position says which of its halves were taken, most significant first.
            let half = |upper: u32| -> Vec<u32> {
                let mut picks = vec![];
                for start in (0..lanes).step_by(block as usize) {
                    for pair in 0..block / (2 * unit) {
                        for from in [0, lanes] {
                            let first = from + start + upper * block / 2 + pair * unit;
                            picks.extend(first..first + unit);
                        }
                    }
                }
                picks
            };
            let stride = unit as usize;
            let mut next = vec![];
            for pair in now.chunks(2 * stride) {
                // Sums of equal history next to each other: elements 0..stride belong to the first rows.
                let (a, b) = pair.split_at(stride);
                for (a, b) in a.iter().zip(b) {
                    next.push(self.shuffle(*a, *b, &half(0)));
                    next.push(self.shuffle(*a, *b, &half(1)));
                }
            }
            now = next;
            unit *= 2;
        }
        now
    }

    /// Transposes a square of whole blocks.
    fn transpose_blocks(&self, vectors: Vec<VectorValue<'c>>, block: u32) -> Vec<VectorValue<'c>> {
        if vectors.len() == 1 {
            return vectors;
        }
        let lanes = vectors[0].get_type().get_size();
        let blocks = |odd: u32| -> Vec<u32> {
            let all = (odd..2 * lanes / block).step_by(2);
            all.flat_map(|at| at * block..(at + 1) * block).collect()
        };
        let (mut even, mut odd) = (vec![], vec![]);
        for pair in vectors.chunks(2) {
            even.push(self.shuffle(pair[0], pair[1], &blocks(0)));
            odd.push(self.shuffle(pair[0], pair[1], &blocks(1)));
        }
        let even = self.transpose_blocks(even, block);
        let odd = self.transpose_blocks(odd, block);
        even.into_iter()
            .zip(odd)
            .flat_map(|(e, o)| [e, o])
            .collect()
    }

    pub(crate) fn shuffle(
        &self,
        a: VectorValue<'c>,
        b: VectorValue<'c>,
        picks: &[u32],
    ) -> VectorValue<'c> {
        let numbers: Vec<Int<'c>> = picks
            .iter()
            .map(|p| self.ir.int_type(32).const_int((*p).into(), false))
            .collect();
        self.ir
            .builder
            .build_shuffle_vector(a, b, VectorType::const_vector(&numbers), "")
            .expect("builder misuse")
    }

    /// One element per lane; lanes outside of the mask touch no memory.
    pub(super) fn gather(
        &mut self,
        access: &Access,
        (ty, lanes): (BasicTypeEnum<'c>, u32),
        places: Value<'c>,
        mask: Option<Value<'c>>,
    ) -> Value<'c> {
        let vector = self.vector_type(ty, lanes);
        let mask = mask.unwrap_or_else(|| self.splat(self.ir.bool(true).into(), lanes));
        let f = Intrinsic::find("llvm.masked.gather")
            .and_then(|i| i.get_declaration(self.ir.module(), &[vector.into(), places.get_type()]))
            .expect("LLVM has masked gathers");
        let args = [places.into(), mask.into(), vector.const_zero().into()];
        let call = self
            .ir
            .builder
            .build_call(f, &args, "")
            .expect("builder misuse");
        let align = self.align_of(access);
        call.add_attribute(AttributeLoc::Param(0), self.align_attribute(align));
        self.finish_vector_access(call.as_value_ref(), access);
        unsafe { Value::new(call.as_value_ref()) }
    }
}
