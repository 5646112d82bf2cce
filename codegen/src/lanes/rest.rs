//! The iterations that are left behind the last full bundle of lanes: one bundle with masks.
//!
//! ```text
//! 19 iterations, lanes of 8:    16 < 19 <= 32: four vectors, the last two of them with masks (3 lanes, none)
//! ```
//!
//! A bundle of `1, 2, 4, ..` vectors is chosen by the number of iterations, so that its first half is full. Lanes outside
//! of the mask touch no memory. That needs accesses that are contiguous in the lanes or the same in all of them.

use super::Bundle;
use super::form::reads;
use super::values::{Lie, direction, lie};
use crate::emit::Emitter;
use crate::ir::{Arith, Int, Value};
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, For, IterId};
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

    /// Whether no access of a body lies apart in the lanes.
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
                direction(u, iter).is_some_and(|d| {
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
