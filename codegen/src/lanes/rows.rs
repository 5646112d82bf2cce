//! The points of a strip that are not in squares, as scalars, most of them row by row.
//!
//! ```text
//! rows of 9 columns, 4 lanes, x = column + lane, squares of 4:      0   r r r S S S S r r
//!                                                                   1     r r S S S S r r r
//!                                                                   2       r S S S S r r r r
//!                                                                   3         S S S S r r r r r
//! ```
//!
//! The rows before and after the squares are short, and the processor reaches the next one while the chain of one goes on.
//! Long rows, of strips that have fewer than there are lanes, are cut along `x` for the same reason. Only where a chain takes
//! very long its points run faster diagonal by diagonal. The plan decides ([`Rest`]).
//!
//! A generated loop over `x` has a loop over lanes inside. For rows it is turned around: a lane `s` exists where
//! `lower(x) <= s <= upper(x)`, and bounds are maxima and minima of [`Line`]s, each of which bounds `x` from one side:
//!
//! ```text
//! floor((c x + a) / d) + e <= s    <=>    c x <= d (s - e) + d - 1 - a         ceil and floor of quotients by |c| bound x
//! floor((c x + a) / d) + e >= s    <=>    c x >= d (s - e) - a
//! ```

use crate::buffers::coefficient;
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int};
use crate::loops::Range;
use crate::metadata::LoopCode;
use polytile_analysis::ast::{BinOp, Expr, For, IterId};
use polytile_analysis::tree::Rest;

/// A bound of the lanes: `floor((slope x + start) / divisor)` and terms that do not depend on `x`.
#[derive(PartialEq, Debug)]
struct Line<'p> {
    /// The dividend: `start` where `x` is 0.
    dividend: &'p Expr,
    slope: i64,
    divisor: i64,
    plus: Vec<&'p Expr>,
    minus: Vec<&'p Expr>,
}

impl<'p> Line<'p> {
    fn of(e: &'p Expr, iter: IterId) -> Option<Line<'p>> {
        let quotient = |dividend: &'p Expr, divisor: i64| -> Option<Line<'p>> {
            Some(Line {
                dividend,
                slope: coefficient(dividend, iter)?,
                divisor,
                plus: vec![],
                minus: vec![],
            })
        };
        if let Some(line) = quotient(e, 1) {
            return Some(line);
        }
        let fixed = |e: &Expr| coefficient(e, iter) == Some(0);
        match e {
            Expr::Bin(BinOp::FloorDiv | BinOp::PosDiv, a, d) => match **d {
                Expr::Int(d) if d > 0 => quotient(a, d),
                _ => None,
            },
            Expr::Bin(BinOp::Add, a, b) if fixed(a) || fixed(b) => {
                let (term, rest) = if fixed(a) { (a, b) } else { (b, a) };
                let mut line = Line::of(rest, iter)?;
                line.plus.push(term);
                Some(line)
            }
            Expr::Bin(BinOp::Sub, a, b) if fixed(b) => {
                let mut line = Line::of(a, iter)?;
                line.minus.push(b);
                Some(line)
            }
            _ => None,
        }
    }
}

/// The lanes that exist in the steps of a loop.
pub(super) struct Bounds<'p> {
    lower: Vec<Line<'p>>,
    upper: Vec<Line<'p>>,
}

impl<'p> Bounds<'p> {
    /// The bounds of a loop over lanes inside one over steps; `None`: they have another form, or depend on the step everywhere.
    pub(super) fn of(inner: &'p For, around: IterId) -> Option<Bounds<'p>> {
        let (mut lower, mut upper) = (vec![], vec![]);
        lines(&inner.lower, BinOp::Max, around, &mut lower)?;
        lines(&inner.upper, BinOp::Min, around, &mut upper)?;
        let fixed = |of: &[Line<'_>]| of.iter().any(|l| l.slope == 0);
        (fixed(&lower) && fixed(&upper)).then_some(Bounds { lower, upper })
    }
}

/// The operands of minima or maxima.
fn lines<'p>(e: &'p Expr, of: BinOp, iter: IterId, found: &mut Vec<Line<'p>>) -> Option<()> {
    match e {
        Expr::Bin(op, a, b) if *op == of => {
            lines(a, of, iter, found)?;
            lines(b, of, iter, found)?;
        }
        e => found.push(Line::of(e, iter)?),
    }
    Some(())
}

/// Part of a strip: steps and lanes.
pub(super) struct Part<'c> {
    pub(super) steps: (Int<'c>, Int<'c>),
    pub(super) lanes: (Int<'c>, Int<'c>),
}

impl<'c> Emitter<'_, 'c> {
    /// First and last lane that exist in any step, at most.
    pub(super) fn lanes_of_strip(&mut self, bounds: &Bounds<'_>) -> (Int<'c>, Int<'c>) {
        let mut bound = |of: &[Line<'_>], name: &str| -> Int<'c> {
            let fixed: Vec<&Line<'_>> = of.iter().filter(|l| l.slope == 0).collect();
            let mut all = vec![];
            for l in fixed {
                all.push(self.expr(l.dividend));
            }
            let all = all.into_iter();
            (all.reduce(|a, b| self.ir.minmax(name, a, b))).expect("a bound does not vary")
        };
        let lowest = bound(&bounds.lower, "llvm.smax");
        (lowest, bound(&bounds.upper, "llvm.smin"))
    }

    /// The steps in which all lanes from `low` to `high` exist, which do in some, within `first ..= last`.
    pub(super) fn steps_of_lanes(
        &mut self,
        (bounds, around): (&Bounds<'_>, IterId),
        (low, high): (Int<'c>, Int<'c>),
        (first, last): (Int<'c>, Int<'c>),
    ) -> (Int<'c>, Int<'c>) {
        let (mut first, mut last) = (first, last);
        let below = bounds.lower.iter().map(|l| (l, true));
        for (l, is_lower) in below.chain(bounds.upper.iter().map(|l| (l, false))) {
            if l.slope == 0 {
                continue;
            }
            self.set(Key::Iter(around), self.ir.int(0));
            let start = self.expr(l.dividend);
            self.frame().values.remove(&Key::Iter(around));
            let (lane, rest) = match is_lower {
                true => (low, l.divisor - 1),
                false => (high, 0),
            };
            let divisor = self.ir.int(l.divisor);
            let mut lane = lane;
            for term in &l.plus {
                let term = self.expr(term);
                lane = self.ir.sub(lane, term, Arith::Bounded);
            }
            for term in &l.minus {
                let term = self.expr(term);
                lane = self.ir.add(lane, term, Arith::Bounded);
            }
            let limit = self.ir.mul(lane, divisor, Arith::Bounded);
            let limit = self.ir.add(limit, self.ir.int(rest), Arith::Bounded);
            let slope = l.slope.abs();
            let divisor = self.ir.int(slope);
            // x <= left / slope, or x >= left / slope.
            if is_lower == (l.slope > 0) {
                let left = match is_lower {
                    true => self.ir.sub(limit, start, Arith::Bounded),
                    false => self.ir.sub(start, limit, Arith::Bounded),
                };
                let most = self.floor_div(left, divisor);
                last = self.ir.minmax("llvm.smin", last, most);
            } else {
                let left = match is_lower {
                    true => self.ir.sub(start, limit, Arith::Bounded),
                    false => self.ir.sub(limit, start, Arith::Bounded),
                };
                let up = self.ir.int(slope - 1);
                let left = self.ir.add(left, up, Arith::Bounded);
                let least = self.floor_div(left, divisor);
                first = self.ir.minmax("llvm.smax", first, least);
            }
        }
        (first, last)
    }

    /// The points of a part of a strip.
    pub(super) fn rest_of_strip(
        &mut self,
        (around, inner, bounds): (&For, &For, &Bounds<'_>),
        part: &Part<'c>,
        rest: Rest,
    ) {
        let (first, last) = part.steps;
        let run = match rest {
            Rest::Rows => return self.row_after_row((around, inner, bounds), part),
            Rest::RowsBy(run) => run,
            Rest::Diagonals => {
                let step = self.ir.int(1);
                let steps = Range { first, last, step };
                return self.counted(steps, None, LoopCode::Single, |e, x| {
                    e.body(around.iter, x, &around.body);
                });
            }
        };
        let runs = Range {
            first,
            last,
            step: self.ir.int(run.into()),
        };
        self.counted(runs, None, LoopCode::Single, |e, x| {
            let end = e.ir.add(x, e.ir.int(i64::from(run) - 1), Arith::Bounded);
            let end = e.ir.minmax("llvm.smin", end, last);
            let block = Part {
                steps: (x, end),
                lanes: part.lanes,
            };
            e.row_after_row((around, inner, bounds), &block);
        });
    }

    fn row_after_row(&mut self, (around, inner, bounds): (&For, &For, &Bounds<'_>), p: &Part<'c>) {
        let step = self.ir.int(1);
        let rows = Range {
            first: p.lanes.0,
            last: p.lanes.1,
            step,
        };
        self.counted(rows, None, LoopCode::Single, |e, s| {
            let (first, last) = e.steps_of_lanes((bounds, around.iter), (s, s), p.steps);
            let points = Range { first, last, step };
            e.counted(points, None, LoopCode::Single, |e, x| {
                e.set(Key::Iter(around.iter), x);
                e.body(inner.iter, s, &inner.body);
                e.frame().values.remove(&Key::Iter(around.iter));
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_lines_over_the_steps() {
        let (x, c) = (IterId(1), IterId(0));
        let int = |n| Box::new(Expr::Int(n));
        let of = |op, a: Expr, b: Expr| Expr::Bin(op, Box::new(a), Box::new(b));
        let half = of(
            BinOp::FloorDiv,
            of(BinOp::Sub, Expr::Iter(x), Expr::Int(3)),
            Expr::Int(2),
        );
        let all = of(BinOp::Max, Expr::Iter(c), half.clone());
        let mut found = vec![];
        assert_eq!(lines(&all, BinOp::Max, x, &mut found), Some(()));
        let shapes: Vec<_> = found.iter().map(|l| (l.slope, l.divisor)).collect();
        assert_eq!(shapes, [(0, 1), (1, 2)]);
        let apart = of(BinOp::Sub, half.clone(), Expr::Iter(c));
        let line = Line::of(&apart, x).expect("a quotient less a term");
        assert_eq!((line.slope, line.divisor), (1, 2));
        assert_eq!((line.plus, line.minus), (vec![], vec![&Expr::Iter(c)]));
        let twice = Expr::Bin(BinOp::FloorDiv, Box::new(half.clone()), int(2));
        assert_eq!(lines(&twice, BinOp::Max, x, &mut vec![]), None);
        let least = of(BinOp::Min, Expr::Iter(c), half);
        assert_eq!(lines(&least, BinOp::Max, x, &mut vec![]), None);
    }
}
