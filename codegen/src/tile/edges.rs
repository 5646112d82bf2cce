//! Boxes at the end of the columns or of the rows.
//!
//! A box that is cut off by the last column or the last row runs with as few vectors and rows as hold what exists, each
//! number in code of its own: of the vectors only the last one needs a mask, and of the rows only the later half.
//!
//! ```text
//! left of 8 rows x 3 vectors of 8:      3 rows, 20 columns        4 x 3, rows 1 to 3 and vector 2 under masks
//!                                       8 rows, 16 columns        8 x 2, nothing of a vector under masks
//! ```
//!
//! (Products of 20 x 20 from memory take three times as long where every vector is loaded under a mask: such loads wait
//! for their data one after the other.)
//!
//! Constraints that differ in what is fixed only, as the end of the array and the end of the cache tile around a box, are one: a mask
//! is compared once for each row and vector of each shape, and that a minimum is taken once.

use super::{Box_, Emitter};
use crate::ir::{Arith, Int};
use inkwell::IntPredicate;
use polytile_analysis::ast::{BinOp, Expr, MicroKernel, TileConstraint};

/// Tiles of fewer rows are not halved.
const MIN_ROWS: u32 = 4;

/// What a box that is cut off is known to have.
#[derive(Clone, Copy, Default)]
pub(super) struct Whole {
    /// Rows that exist if any does.
    pub(super) rows: u32,
    /// Vectors all of whose lanes exist in rows that do.
    pub(super) vectors: u32,
}

/// How much of a box exists.
struct Left<'c> {
    rows: Int<'c>,
    lanes: Int<'c>,
}

/// The end of the rows: `rest - r >= 0`.
pub(super) fn ends_rows(c: &TileConstraint) -> bool {
    (c.row, c.lane, c.reduction) == (-1, 0, 0)
}

/// The end of the columns: `rest - l >= 0`.
pub(super) fn ends_lanes(c: &TileConstraint) -> bool {
    (c.row, c.lane, c.reduction) == (0, -1, 0)
}

/// One constraint for all that have the same coefficients, as the least of what is fixed in them decides; in an order that tiles of one
/// form have in common.
pub(super) fn united(all: &[TileConstraint]) -> Vec<TileConstraint> {
    let coefficients = |c: &TileConstraint| (c.row, c.lane, c.reduction);
    let mut found: Vec<TileConstraint> = vec![];
    for c in all {
        let known = |k: &&mut TileConstraint| coefficients(k) == coefficients(c);
        match found.iter_mut().find(known) {
            Some(k) => k.rest = Expr::bin(BinOp::Min, k.rest.clone(), c.rest.clone()),
            None => found.push(c.clone()),
        }
    }
    found.sort_by_key(|c| (c.row, c.lane, c.reduction));
    found
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// A box without mixed constraints some of whose cells do not exist.
    pub(super) fn cut_box(&mut self, m: &MicroKernel, b: &mut Box_<'_, 'c>) {
        let Some(left) = self.what_is_left(b) else {
            self.edge_box(b, (b.first, b.last));
            return;
        };
        let function = self.frame().function;
        let done = self.ir.block(function, "polytile.cut");
        let (rows, vectors) = (m.tile.rows, m.tile.vectors);
        let half = if rows < MIN_ROWS { 0 } else { rows / 2 };
        let shapes = [(1, half), (half.max(1), rows)];
        let shapes = shapes.into_iter().filter(|(_, rows)| *rows > 0);
        let shapes = shapes.flat_map(|(have, rows)| (1..=vectors).map(move |v| (have, rows, v)));
        for (have, r, v) in shapes {
            let other = match (r, v) == (rows, vectors) {
                true => None,
                false => {
                    let few = self.at_most(left.rows, i64::from(r));
                    let short = self.at_most(left.lanes, i64::from(v * m.tile.lanes));
                    let fits = self.ir.and(few, short);
                    let [here, other] = ["narrow", "wider"]
                        .map(|n| self.ir.block(function, &format!("polytile.{n}")));
                    self.ir.branch(fits, here, other);
                    self.ir.at_end(here);
                    Some(other)
                }
            };
            let mut part = m.clone();
            (part.tile.rows, part.tile.vectors) = (r, v);
            let mut narrow = self.box_from(&part, b.inputs.clone());
            narrow.whole = Whole {
                rows: have,
                vectors: v - 1,
            };
            let all = (narrow.first, narrow.last);
            self.edge_box(&mut narrow, all);
            self.ir.jump(done);
            if let Some(other) = other {
                self.ir.at_end(other);
            }
        }
        self.ir.at_end(done);
    }

    fn at_most(&self, n: Int<'c>, most: i64) -> Int<'c> {
        self.ir.cmp(IntPredicate::SLE, n, self.ir.int(most))
    }

    /// What exists of a box, if it is a number of rows times a number of lanes.
    fn what_is_left(&mut self, b: &Box_<'_, 'c>) -> Option<Left<'c>> {
        let tile = &b.m.tile;
        let of_cells = |c: &&TileConstraint| c.row != 0 || c.lane != 0;
        let mut cells = b.m.constraints.iter().filter(of_cells);
        let plain = cells.all(|c| ends_rows(c) || ends_lanes(c));
        if tile.row.is_none() || !b.transposed.is_empty() || !plain {
            return None;
        }
        let one = self.ir.int(1);
        let mut left = Left {
            rows: self.ir.int(i64::from(tile.rows)),
            lanes: self.ir.int(i64::from(tile.vectors * tile.lanes)),
        };
        for (c, rest) in b.m.constraints.iter().zip(&b.inputs.rests) {
            let count = self.ir.add(*rest, one, Arith::Bounded);
            if ends_rows(c) {
                left.rows = self.ir.minmax("llvm.smin", left.rows, count);
            } else if ends_lanes(c) {
                left.lanes = self.ir.minmax("llvm.smin", left.lanes, count);
            }
        }
        Some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_in_one_direction_are_one() {
        let end = |row, lane, rest| TileConstraint {
            row,
            lane,
            reduction: 0,
            rest: Expr::Int(rest),
        };
        let found = united(&[end(-1, 0, 7), end(0, -1, 5), end(-1, 0, 3), end(1, -1, 2)]);
        let text: Vec<String> = found.iter().map(|c| c.rest.to_string()).collect();
        assert_eq!(text, ["min(7, 3)", "5", "2"]);
        assert!(ends_rows(&found[0]) && ends_lanes(&found[1]));
    }
}
