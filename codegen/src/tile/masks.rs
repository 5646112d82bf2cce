//! Which instances of a register tile exist.
//!
//! A constraint `row * r + lane * l + reduction * k + rest >= 0` is the same for all lanes where `lane` is 0 (one bit per
//! row) and a comparison of vectors elsewhere. Constraints without the reduction hold or fail for a cell once; a cell is
//! *active* if any step exists for it.

use super::edges::{ends_lanes, ends_rows};
use super::roles::Varies;
use super::{Box_, Cell, Cells};
use crate::emit::Emitter;
use crate::ir::{Arith, Int, Value};
use inkwell::IntPredicate;
use inkwell::values::VectorValue;
use polytile_analysis::ast::TileConstraint;
use std::collections::BTreeMap;

/// The lanes of one vector that exist.
#[derive(Clone, Copy)]
pub(crate) enum Mask<'c> {
    /// All.
    All,
    /// All or none.
    Uniform(Int<'c>),
    /// One bit per lane.
    Lanes(VectorValue<'c>),
}

/// Masks of all vectors of a box.
pub(crate) struct Masks<'c> {
    cells: BTreeMap<Cell, Mask<'c>>,
}

impl<'c> Masks<'c> {
    /// Which rows exist, if all lanes of a row exist or none does.
    pub(super) fn by_rows(&self, b: &Box_<'_, 'c>) -> Option<Vec<Int<'c>>> {
        let whole = |r: u32| match self.cell((r, 0)) {
            Mask::Uniform(c) => Some(c),
            Mask::All | Mask::Lanes(_) => None,
        };
        (0..b.m.tile.rows).map(whole).collect()
    }

    pub(crate) fn cell(&self, cell: Cell) -> Mask<'c> {
        self.cells[&cell]
    }

    /// The same for one cell, and nothing else exists.
    pub(super) fn only(&self, b: &Box_<'_, 'c>, cell: Cell, nothing: Int<'c>) -> Masks<'c> {
        let of = |c| match c == cell {
            true => self.cell(c),
            false => Mask::Uniform(nothing),
        };
        let cells = b.cells().map(|c| (c, of(c))).collect();
        Masks { cells }
    }
}

/// The least value of `coefficient * x` for `x` in `0..count`.
fn least(coefficient: i64, count: u32) -> i64 {
    coefficient.min(0) * (i64::from(count) - 1)
}

/// Whether a constraint ties the reduction to rows or lanes.
pub(super) fn is_mixed(c: &TileConstraint) -> bool {
    c.reduction != 0 && (c.row != 0 || c.lane != 0)
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Makes a range of the reduction respect `coefficient * k + rest >= 0`.
    pub(crate) fn tighten(
        &mut self,
        first: &mut Int<'c>,
        last: &mut Int<'c>,
        coefficient: i64,
        rest: Int<'c>,
    ) {
        let zero = self.ir.int(0);
        let by = self.ir.int(coefficient.abs());
        if coefficient > 0 {
            let negated = self.ir.sub(zero, self.floor_div(rest, by), Arith::Bounded);
            *first = self.ir.minmax("llvm.smax", *first, negated);
        } else {
            let bound = self.floor_div(rest, by);
            *last = self.ir.minmax("llvm.smin", *last, bound);
        }
    }

    /// The steps that exist for every cell of the box, as far as mixed constraints go.
    pub(crate) fn middle(&mut self, b: &Box_<'_, 'c>) -> (Int<'c>, Int<'c>) {
        let (mut first, mut last) = (b.first, b.last);
        for (c, rest) in b.m.constraints.iter().zip(b.inputs.rests.clone()) {
            if is_mixed(c) {
                let least = self.ir.int(corner(b, c));
                let rest = self.ir.add(rest, least, Arith::Bounded);
                self.tighten(&mut first, &mut last, c.reduction, rest);
            }
        }
        (first, last)
    }

    /// Whether all cells exist and share a middle.
    pub(crate) fn is_full(&mut self, b: &Box_<'_, 'c>, middle: (Int<'c>, Int<'c>)) -> Int<'c> {
        let mut all = self.ir.bool(true);
        if b.is_mixed() {
            all = self.ir.cmp(IntPredicate::SLE, middle.0, middle.1);
        }
        for (c, rest) in b.m.constraints.iter().zip(&b.inputs.rests) {
            if c.reduction == 0 {
                let holds = self
                    .ir
                    .cmp(IntPredicate::SGE, *rest, self.ir.int(-corner(b, c)));
                all = self.ir.logical_and(all, holds);
            }
        }
        all
    }

    /// The cells for which any step exists.
    pub(crate) fn active(&mut self, b: &Box_<'_, 'c>) -> Masks<'c> {
        let mut cells = BTreeMap::new();
        for cell in b.cells() {
            let mut mask = Mask::All;
            for (i, c) in b.m.constraints.iter().enumerate() {
                if c.reduction == 0 {
                    let more = self.holds(b, c, b.inputs.rests[i], cell);
                    mask = self.both_masks(mask, more, b.m.tile.lanes);
                }
            }
            let more = self.has_steps(b, cell);
            cells.insert(cell, self.both_masks(mask, more, b.m.tile.lanes));
        }
        Masks { cells }
    }

    /// Whether the mixed constraints leave a step for a cell: the greatest lower bound does not pass the least upper one.
    fn has_steps(&mut self, b: &Box_<'_, 'c>, cell: Cell) -> Mask<'c> {
        let mut mask = Mask::All;
        let mixed: Vec<(TileConstraint, Int<'c>)> =
            b.m.constraints
                .iter()
                .cloned()
                .zip(b.inputs.rests.iter().copied())
                .filter(|(c, _)| is_mixed(c))
                .collect();
        for (i, (a, a_rest)) in mixed.iter().enumerate() {
            // Against the box's own range: the constraint at the end of the range that favours it.
            let end = if a.reduction > 0 { b.last } else { b.first };
            let at_end = self.ir.mul(end, self.ir.int(a.reduction), Arith::Bounded);
            let rest = self.ir.add(*a_rest, at_end, Arith::Bounded);
            let more = self.holds(b, a, rest, cell);
            mask = self.both_masks(mask, more, b.m.tile.lanes);
            // Against the other side: k >= -x and k <= y leave a step if x + y >= 0.
            for (o, o_rest) in &mixed[i + 1..] {
                if a.reduction == -o.reduction {
                    let rest = self.ir.add(*a_rest, *o_rest, Arith::Bounded);
                    let sum = TileConstraint {
                        row: a.row + o.row,
                        lane: a.lane + o.lane,
                        reduction: 0,
                        rest: a.rest.clone(),
                    };
                    let more = self.holds(b, &sum, rest, cell);
                    mask = self.both_masks(mask, more, b.m.tile.lanes);
                }
            }
        }
        mask
    }

    /// The instances of one step.
    pub(crate) fn instances(&mut self, b: &Box_<'_, 'c>, k: Int<'c>, open: Cells) -> Masks<'c> {
        let mut cells = BTreeMap::new();
        let mut rests = vec![];
        for (c, rest) in b.m.constraints.iter().zip(&b.inputs.rests) {
            let moved = self.ir.mul(k, self.ir.int(c.reduction), Arith::Bounded);
            rests.push(self.ir.add(*rest, moved, Arith::Bounded));
        }
        for cell in b.cells() {
            let mut mask = Mask::All;
            for (c, rest) in b.m.constraints.iter().zip(&rests) {
                if c.reduction != 0 || open == Cells::Some {
                    let more = self.holds(b, c, *rest, cell);
                    mask = self.both_masks(mask, more, b.m.tile.lanes);
                }
            }
            cells.insert(cell, mask);
        }
        Masks { cells }
    }

    /// Where `row * r + lane * l + rest >= 0` in a vector.
    fn holds(
        &mut self,
        b: &Box_<'_, 'c>,
        c: &TileConstraint,
        rest: Int<'c>,
        (r, v): Cell,
    ) -> Mask<'c> {
        let lanes = b.m.tile.lanes;
        if ends_lanes(c) && v < b.whole.vectors || ends_rows(c) && r < b.whole.rows {
            return Mask::All;
        }
        let fixed = c.row * i64::from(r) + c.lane * i64::from(v) * i64::from(lanes);
        let at_first = self.ir.add(rest, self.ir.int(fixed), Arith::Bounded);
        let zero = self.ir.int(0);
        if c.lane == 0 {
            return Mask::Uniform(self.ir.cmp(IntPredicate::SGE, at_first, zero));
        }
        // lane * l >= -at_first, lane by lane.
        let bound = self.ir.sub(zero, at_first, Arith::Bounded);
        let bound = self.splat(bound.into(), lanes).into_vector_value();
        let scale = self
            .splat(self.ir.int(c.lane).into(), lanes)
            .into_vector_value();
        let builder = &self.ir.builder;
        let numbers = builder
            .build_int_nsw_mul(self.lane_numbers(lanes), scale, "")
            .expect("builder misuse");
        let mask = builder
            .build_int_compare(IntPredicate::SGE, numbers, bound, "")
            .expect("builder misuse");
        Mask::Lanes(mask)
    }

    /// Lanes in both masks.
    fn both_masks(&mut self, a: Mask<'c>, b: Mask<'c>, lanes: u32) -> Mask<'c> {
        match (a, b) {
            (Mask::All, m) | (m, Mask::All) => m,
            (Mask::Uniform(a), Mask::Uniform(b)) => Mask::Uniform(self.ir.and(a, b)),
            (a, b) => {
                let (a, b) = (self.lane_bits(a, lanes), self.lane_bits(b, lanes));
                Mask::Lanes(self.ir.builder.build_and(a, b, "").expect("builder misuse"))
            }
        }
    }

    /// Lanes in either mask.
    fn either_mask(&mut self, a: Mask<'c>, b: Mask<'c>, lanes: u32) -> Mask<'c> {
        match (a, b) {
            (Mask::All, _) | (_, Mask::All) => Mask::All,
            (Mask::Uniform(a), Mask::Uniform(b)) => {
                Mask::Uniform(self.ir.builder.build_or(a, b, "").expect("builder misuse"))
            }
            (a, b) => {
                let (a, b) = (self.lane_bits(a, lanes), self.lane_bits(b, lanes));
                Mask::Lanes(self.ir.builder.build_or(a, b, "").expect("builder misuse"))
            }
        }
    }

    /// A mask as one bit per lane.
    fn lane_bits(&self, m: Mask<'c>, lanes: u32) -> VectorValue<'c> {
        match m {
            Mask::All => self
                .splat(self.ir.bool(true).into(), lanes)
                .into_vector_value(),
            Mask::Uniform(c) => self.splat(c.into(), lanes).into_vector_value(),
            Mask::Lanes(v) => v,
        }
    }

    /// A mask for a masked load or store; nothing where all lanes exist.
    pub(crate) fn lanes_of(&self, m: Mask<'c>, lanes: u32) -> Option<Value<'c>> {
        match m {
            Mask::All => None,
            other => Some(self.lane_bits(other, lanes).into()),
        }
    }

    /// Whether a mask of a row leaves anything of it.
    pub(crate) fn lane_exists(&self, mask: Mask<'c>) -> Int<'c> {
        match mask {
            Mask::All => self.ir.bool(true),
            Mask::Uniform(c) => c,
            Mask::Lanes(m) => self.any_lane(m.into()),
        }
    }

    /// Where an operand is needed: by any row if it ignores the row, by any lane if it ignores the lane.
    pub(crate) fn operand_mask(
        &mut self,
        b: &Box_<'_, 'c>,
        masks: &Masks<'c>,
        varies: Varies,
        (r, v): Cell,
    ) -> Mask<'c> {
        let lanes = b.m.tile.lanes;
        let mut users = b
            .cells()
            .filter(|(ur, uv)| (!varies.row || *ur == r) && (!varies.lane || *uv == v));
        let first = masks.cell(users.next().expect("a box has cells"));
        let mut any = first;
        for u in users {
            any = self.either_mask(any, masks.cell(u), lanes);
        }
        match any {
            Mask::Lanes(m) if !varies.lane => Mask::Uniform(self.any_lane(m.into())),
            other => other,
        }
    }
}

/// The least value that the rows and lanes of the box give to a constraint.
fn corner(b: &Box_<'_, '_>, c: &TileConstraint) -> i64 {
    least(c.row, b.m.tile.rows) + least(c.lane, b.m.tile.vectors * b.m.tile.lanes)
}
