//! Whether arrays are apart: the bytes that the region accesses of each, two by two.
//!
//! Bounds are sums of 128 bits, where a subscript of 64 bits times a stride of 64 bits is exact. A few pairs are compared on the
//! spot; many by the run-time, which gets the bounds of each range once and the pairs as constants:
//!
//! ```text
//!   few:      apart = (end a <= first b or end b <= first a) and ..
//!   many:     extents = {first, end} of each range;  apart(extents, pairs, how many)      (runtime/checks.c)
//!   in place: .. or first a = first b                          where two arrays may be one
//! ```

use crate::distances::POINTER;
use crate::emit::Emitter;
use crate::frame::SLOT;
use crate::ir::{Arith, Int, Ptr};
use crate::runtime::EXTENT;
use inkwell::IntPredicate;
use polytile_analysis::ast::{ByteRange, Expr, RowsCheck};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::Shift;

/// The bytes of a range.
pub(crate) struct Extent<'c> {
    first: Int<'c>,
    end: Int<'c>,
    /// When none is accessed.
    untouched: Vec<Int<'c>>,
}

/// Bits of a byte range's bounds.
const WIDE: u32 = 128;

/// Pairs from which on the run-time compares them: each takes a dozen instructions.
const MANY: usize = 8;

/// The most ranges that it compares.
const MOST: usize = u64::BITS as usize;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Whether the ranges of each pair are apart.
    pub(crate) fn arrays_apart(&mut self) -> Int<'c> {
        let program = self.program;
        let mut ranges: Vec<&'e ByteRange> = vec![];
        let mut pairs = vec![];
        for pair in &program.check.apart {
            let of = pair.ranges.each_ref().map(|range| {
                let known = ranges.iter().position(|r| *r == range);
                known.unwrap_or_else(|| {
                    ranges.push(range);
                    ranges.len() - 1
                })
            });
            pairs.push((of, pair.or_one));
        }
        // Once each: an array is in many pairs, and the check is a straight line.
        let extents: Vec<Extent<'c>> = ranges.into_iter().map(|r| self.extent(r)).collect();
        match pairs.len() < MANY || extents.len() > MOST {
            true => pairs
                .iter()
                .fold(self.ir.bool(true), |all, (pair, or_one)| {
                    let apart = self.apart(pair.map(|range| &extents[range]), *or_one);
                    self.both(all, apart)
                }),
            false => self.many_apart(&extents, &pairs),
        }
    }

    fn extent(&mut self, range: &ByteRange) -> Extent<'c> {
        let (first, end) = self.bounds(range);
        let image = self.is_image(range).then(|| self.ir.bool(true));
        let touched = range.touched.as_ref().map(|touched| self.cond(touched));
        let no = self.ir.bool(false);
        let not = |touched| self.ir.cmp(IntPredicate::EQ, touched, no);
        Extent {
            first,
            end,
            untouched: image.into_iter().chain(touched.map(not)).collect(),
        }
    }

    /// One of the ranges ends before the other begins, or has no bytes; or they may be one and are.
    fn apart(&self, [a, b]: [&Extent<'c>; 2], or_one: bool) -> Int<'c> {
        let before = self.ir.cmp(IntPredicate::SLE, a.end, b.first);
        let after = self.ir.cmp(IntPredicate::SLE, b.end, a.first);
        let mut apart = self.ir.logical_or(before, after);
        if or_one {
            let one = self.ir.cmp(IntPredicate::EQ, a.first, b.first);
            apart = self.ir.logical_or(apart, one);
        }
        let none = a.untouched.iter().chain(&b.untouched);
        none.fold(apart, |apart, none| self.ir.logical_or(*none, apart))
    }

    /// Whether arrays that may be one are.
    pub(crate) fn in_place(&mut self) -> Int<'c> {
        let program = self.program;
        let pairs = program.check.apart.iter().filter(|pair| pair.or_one);
        pairs.fold(self.ir.bool(false), |any, pair| {
            let [a, b] = pair.ranges.each_ref().map(|range| {
                let base = self.invariant_integer(range.base).into_pointer_value();
                self.ir.ptr_to_int(base)
            });
            let one = self.ir.cmp(IntPredicate::EQ, a, b);
            self.ir.or(any, one)
        })
    }

    fn many_apart(&mut self, extents: &[Extent<'c>], pairs: &[([usize; 2], bool)]) -> Int<'c> {
        let place = self.listed(extents);
        let mut with = vec![0u64; 2 * extents.len()];
        for ([a, b], or_one) in pairs {
            with[2 * a] |= 1 << b;
            with[2 * a + 1] |= u64::from(*or_one) << b;
        }
        let with = self.constants(&with, "polytile.pairs");
        let count = self.ir.int(extents.len() as i64);
        let apart = self.ask("apart", &[place.into(), with.into(), count.into()]);
        self.ir.cmp(IntPredicate::NE, apart, self.ir.int(0))
    }

    /// The bytes of some ranges, as the run-time reads them.
    pub(crate) fn extents(&mut self, ranges: &[ByteRange]) -> Ptr<'c> {
        let extents: Vec<Extent<'c>> = ranges.iter().map(|r| self.extent(r)).collect();
        self.listed(&extents)
    }

    /// The bytes of a table, from its first entry that the nest reads to the words beside its last one.
    pub(crate) fn extent_of_table(&mut self, rows: &RowsCheck) -> Extent<'c> {
        let words = || rows.lengths.iter().map(|l| l.behind).chain([0]);
        let around = [words().min(), words().max()].map(|w| w.unwrap_or(0));
        let table = self.invariant_integer(rows.table).into_pointer_value();
        let table = self.ir.zext(self.ir.ptr_to_int(table), WIDE);
        let [first, end] =
            [(&rows.lo, around[0]), (&rows.hi, around[1] + 1)].map(|(entry, more)| {
                let entry = self.expr(entry);
                let entry = self.ir.add(entry, self.ir.int(more), Arith::Wrapping);
                let bytes = self.ir.mul(entry, self.ir.int(POINTER), Arith::Wrapping);
                let bytes = self.ir.sext(bytes, WIDE);
                self.ir.add(table, bytes, Arith::Wrapping)
            });
        Extent {
            first,
            end,
            untouched: vec![],
        }
    }

    pub(crate) fn listed(&mut self, extents: &[Extent<'c>]) -> Ptr<'c> {
        let words = EXTENT / SLOT;
        let place = self.words(extents.len() as u64 * words, "polytile.extents");
        // In front of all that begins.
        let sign = 1 << (u64::BITS - 1);
        let nowhere = self
            .ir
            .int_type(WIDE)
            .const_int_arbitrary_precision(&[0, sign]);
        for (at, extent) in (0..).step_by(words as usize).zip(extents) {
            let end = extent.untouched.iter().fold(extent.end, |end, none| {
                self.ir.select(*none, nowhere, end).into_int_value()
            });
            for (word, bound) in [(at, extent.first), (at + words / 2, end)] {
                let store = self.ir.store(self.field(place, word), bound);
                self.ir.align(store, SLOT as u32);
            }
        }
        place
    }

    /// First byte and end of a range, as wide addresses.
    pub(crate) fn bounds(&mut self, range: &ByteRange) -> (Int<'c>, Int<'c>) {
        let base = self.invariant_integer(range.base).into_pointer_value();
        let mut base = self.ir.zext(self.ir.ptr_to_int(base), WIDE);
        for shift in &range.origin {
            let ahead = self.shift(shift);
            base = self.ir.add(base, ahead, Arith::Wrapping);
        }
        let (first, last) = match range.loose {
            true => self.loose_ends(base, range),
            false => (
                self.wide_sum(base, &range.lo),
                self.wide_sum(base, &range.hi),
            ),
        };
        let element = self.ir.int_type(WIDE).const_int(range.element, false);
        let end = self.ir.add(last, element, Arith::Wrapping);
        match range.loose || !range.origin.is_empty() {
            true => self.in_memory(first, end),
            false => (first, end),
        }
    }

    /// First and last element where strides may have any sign.
    fn loose_ends(&mut self, base: Int<'c>, range: &ByteRange) -> (Int<'c>, Int<'c>) {
        let (mut first, mut last) = (base, base);
        for (lo, hi) in range.lo.iter().zip(&range.hi) {
            let ends = [lo, hi].map(|end| self.wide_term(end));
            let least = self.ir.minmax("llvm.smin", ends[0], ends[1]);
            let greatest = self.ir.minmax("llvm.smax", ends[0], ends[1]);
            first = self.ir.add(first, least, Arith::Wrapping);
            last = self.ir.add(last, greatest, Arith::Wrapping);
        }
        (first, last)
    }

    /// The program's addresses are such sums modulo 2^64. Where a range of them leaves memory, it is all of memory.
    fn in_memory(&mut self, first: Int<'c>, end: Int<'c>) -> (Int<'c>, Int<'c>) {
        let none = self.ir.int_type(WIDE).const_zero();
        let all = self.ir.zext(self.ir.int(-1), WIDE);
        let above = self.ir.cmp(IntPredicate::SGE, first, none);
        let below = self.ir.cmp(IntPredicate::SLE, end, all);
        let inside = self.ir.and(above, below);
        let first = self.ir.select(inside, first, none).into_int_value();
        (first, self.ir.select(inside, end, all).into_int_value())
    }

    /// The bytes of a shift, of wide numbers: they may be far more than memory has.
    fn shift(&mut self, shift: &Shift) -> Int<'c> {
        let (value, from, stride) = match shift {
            Shift::Bound {
                value,
                from,
                stride,
            } => (*value, *from, stride),
            Shift::Common(bytes) => {
                let bytes = self.evolve(bytes, &[]);
                return self.ir.sext(bytes, WIDE);
            }
        };
        let value = self.invariant_integer(value).into_int_value();
        let from = self.ir.sext(self.ir.int(from), WIDE);
        let ahead = self
            .ir
            .sub(self.ir.sext(value, WIDE), from, Arith::Wrapping);
        let stride = self.evolve(stride, &[]);
        let stride = self.ir.sext(stride, WIDE);
        self.ir.mul(ahead, stride, Arith::Wrapping)
    }

    fn wide_sum(&mut self, base: Int<'c>, terms: &[(Expr, Scev)]) -> Int<'c> {
        let mut sum = base;
        for term in terms {
            let term = self.wide_term(term);
            sum = self.ir.add(sum, term, Arith::Wrapping);
        }
        sum
    }

    fn wide_term(&mut self, (subscript, stride): &(Expr, Scev)) -> Int<'c> {
        let subscript = self.expr(subscript);
        let stride = self.evolve(stride, &[]);
        let (subscript, stride) = (self.ir.sext(subscript, WIDE), self.ir.sext(stride, WIDE));
        self.ir.mul(subscript, stride, Arith::Wrapping)
    }
}
