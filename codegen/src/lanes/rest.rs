//! The iterations that are left behind the last full bundle of lanes.
//!
//! Where elements are contiguous in the lanes or the same in all of them: one bundle with masks.
//!
//! ```text
//! 19 iterations, lanes of 8:    16 < 19 <= 32: four vectors, the last two of them with masks (3 lanes, none)
//! ```
//!
//! A bundle of `1, 2, 4, ..` vectors is chosen by the number of iterations, so that its first half is full. Lanes outside
//! of the mask touch no memory.
//!
//! Where they lie apart: one vector after the other. In the last one, lanes without an iteration of their own read and write
//! elements that lie apart where the last iteration does. What they compute means nothing: of all lanes that write
//! to one place the one that it belongs to comes last ([`Emitter::in_order`]).

use super::Bundle;
use super::form::{needed, reads};
use super::values::{Lie, direction, lie};
use crate::emit::Emitter;
use crate::ir::{Arith, Int, Value};
use crate::loops::Range;
use crate::metadata::LoopCode;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, For, IterId};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::tree::Supply;

impl<'c> Emitter<'_, 'c> {
    /// The iterations that are left, fewer than all lanes, in one bundle of as many vectors as they need.
    pub(super) fn masked_rest(
        &mut self,
        l: &For,
        (first, last): (Int<'c>, Int<'c>),
        (lanes, vectors): (u32, u32),
        supply: Supply,
    ) {
        let function = self.frame().function;
        let left = self.ir.sub(last, first, Arith::Bounded);
        let after = self.ir.block(function, "polytile.after");
        let mut at_least = 0;
        for width in (0..=vectors.ilog2()).map(|n| 1 << n) {
            let [here, wider] =
                ["rest", "wider"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
            if at_least == 0 {
                let some = self.ir.block(function, "polytile.left");
                let any = self.ir.cmp(IntPredicate::SGE, left, self.ir.int(0));
                self.ir.branch(any, some, after);
                self.ir.at_end(some);
            }
            at_least = i64::from(lanes * width);
            let fits = self.ir.cmp(IntPredicate::SLT, left, self.ir.int(at_least));
            self.ir.branch(fits, here, wider);
            self.ir.at_end(here);
            let bundle = Bundle {
                iter: l.iter,
                first,
                lanes,
                vectors: width,
                last: Some(last),
                inside: None,
                supply,
            };
            self.bundle(bundle, &l.body);
            self.ir.jump(after);
            self.ir.at_end(wider);
        }
        self.ir.jump(after);
        self.ir.at_end(after);
    }

    /// The iterations that are left, one vector after the other.
    pub(super) fn vectors_left(
        &mut self,
        l: &For,
        (first, last): (Int<'c>, Int<'c>),
        lanes: u32,
        supply: Supply,
    ) {
        let step = self.ir.int(lanes.into());
        let range = Range { first, last, step };
        self.counted(range, None, LoopCode::Vectors, |e, first| {
            let bundle = Bundle {
                iter: l.iter,
                first,
                lanes,
                vectors: 1,
                last: Some(last),
                inside: None,
                supply,
            };
            e.bundle(bundle, &l.body);
        });
    }

    /// What lanes store, in an order in which that of a lane with an iteration comes last at its place.
    pub(super) fn in_order<T>(&self, b: Bundle<'c>, stores: Vec<T>) -> Vec<T> {
        match b.last {
            Some(_) => stores.into_iter().rev().collect(),
            None => stores,
        }
    }

    /// Which iteration of a vector lane `l` takes its elements that lie apart from.
    pub(super) fn lane_of(&self, b: Bundle<'c>, v: u32, l: u32) -> Int<'c> {
        let lane = self.ir.int(l.into());
        let Some(last) = b.last.filter(|_| l > 0) else {
            return lane;
        };
        let first = self.ir.int(i64::from(v * b.lanes));
        let first = self.ir.add(b.first, first, Arith::Bounded);
        let left = self.ir.sub(last, first, Arith::Bounded);
        self.ir.minmax("llvm.smin", lane, left)
    }

    /// The lanes of a vector whose iterations exist; `None`: all of them.
    pub(super) fn lane_mask(&self, b: Bundle<'c>, v: u32) -> Option<Value<'c>> {
        let last = b.last.filter(|_| v >= b.vectors / 2)?;
        let first = self.ir.int(i64::from(v * b.lanes));
        let first = self.ir.add(b.first, first, Arith::Bounded);
        let left = self.ir.sub(last, first, Arith::Bounded);
        let left = self.splat(left.into(), b.lanes).into_vector_value();
        let mask = (self.ir.builder)
            .build_int_compare(IntPredicate::SLE, self.lane_numbers(b.lanes), left, "")
            .expect("builder misuse");
        Some(mask.into())
    }

    /// Whether no access of a body lies apart in the lanes, and nothing runs for one lane after the other.
    pub(super) fn has_no_gaps(&self, ast: &Ast, iter: IterId) -> bool {
        match ast {
            Ast::Block(list) => list.iter().all(|a| self.has_no_gaps(a, iter)),
            Ast::If { then, els, .. } => {
                self.has_no_gaps(then, iter) && els.iter().all(|e| self.has_no_gaps(e, iter))
            }
            Ast::For(l) => self.has_no_gaps(&l.body, iter),
            Ast::User(u) => {
                let stmt = self.scop.stmt(u.stmt);
                let used = [0].into_iter().chain(reads(stmt));
                let by_lane = |n: &NodeId| match &stmt.body.node(*n).kind {
                    NodeKind::Op { op, inst, .. } => !self.is_vector_operation(op, *inst),
                    _ => false,
                };
                !needed(stmt).iter().any(by_lane)
                    && direction(u, iter).is_some_and(|d| {
                        used.into_iter().all(|n| {
                            lie(self.scop, stmt, &stmt.accesses[n], &d)
                                .is_some_and(|(_, lie)| matches!(lie, Lie::Same | Lie::Contiguous))
                        })
                    })
            }
            Ast::MicroKernel(_) | Ast::Pack(_) => false,
        }
    }
}
