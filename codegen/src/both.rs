//! Both versions of a region, one after the other, and whether they leave the same bytes (`verify=run`, `runtime/verify.c`).
//!
//! ```text
//!   f.polytile.12:  ..                               all that may refuse
//!                   kept = keep(ranges)              a copy of what may be written; 0: no memory, nothing is compared
//!                   loops
//!                   hand_over(kept, scalar) ..
//!                   put_aside(kept)                  memory is as it was
//!                   ret {kept == 0, kept, cells}
//!   entry:          own = phi [kept, call], [0, others]
//!                   the original
//!   exit:           both = phi [own, old edges], [0, call]
//!                   scalar(both, old value) ..
//!                   compare(both)
//! ```

use crate::emit::Emitter;
use crate::ir::{Block, Int, Value};
use crate::precheck::Plan;
use inkwell::IntPredicate;
use inkwell::types::StructType;
use inkwell::values::{BasicValueEnum, PhiValue};
use polytile_analysis::ids::ArrayId;
use std::collections::BTreeMap;

/// What the run-time compares of a scalar, in bits.
const WORD: u32 = u64::BITS;

impl<'c> Emitter<'_, 'c> {
    /// Copies what the new version may write.
    pub(crate) fn keep(&mut self, scalars: usize) -> Int<'c> {
        self.no_longer_local();
        let written = &self.program.check.written;
        let ranges = self.extents(written);
        let [count, scalars] = [written.len(), scalars].map(|n| self.ir.int(n as i64));
        let place = self.named_place();
        let arguments = [ranges.into(), count.into(), scalars.into(), place.into()];
        self.ask("verify.keep", &arguments)
    }

    /// Behind the loops of the new version: returns with memory as it was.
    pub(crate) fn put_aside(
        &mut self,
        result: StructType<'c>,
        kept: Int<'c>,
        contents: &[Value<'c>],
    ) {
        for content in contents {
            let bits = self.word(*content);
            self.helper("verify.hand_over", &[kept.into(), bits.into()], None);
        }
        self.helper("verify.put_aside", &[kept.into()], None);
        let alone = self.ir.cmp(IntPredicate::EQ, kept, self.ir.int(0));
        let rest: Vec<Value<'c>> = [kept.into()]
            .into_iter()
            .chain(contents.iter().copied())
            .collect();
        self.ir.ret_struct(result, alone, &rest);
    }

    /// What the call of the new version returns of that.
    pub(crate) fn kept_by(&self, result: Value<'c>) -> Int<'c> {
        self.ir.part(result, 1).into_int_value()
    }

    /// Compares behind the original; `joined`: the scalars there, in the order in which they are handed over.
    pub(crate) fn compare(
        &mut self,
        plan: &Plan<'c>,
        (kept, call): (Int<'c>, Block<'c>),
        joined: BTreeMap<ArrayId, PhiValue<'c>>,
    ) {
        let kept = self.carried(plan, (kept, call), (self.ir.int(0), call));
        self.behind_both();
        let place = self.named_place();
        for scalar in joined.into_values() {
            let bits = self.word(scalar.as_basic_value());
            self.helper(
                "verify.scalar",
                &[kept.into(), bits.into(), place.into()],
                None,
            );
        }
        self.helper("verify.compare", &[kept.into(), place.into()], None);
    }

    /// The bits of a scalar, as far as a word holds them.
    fn word(&self, value: Value<'c>) -> Int<'c> {
        let bits = match value {
            BasicValueEnum::IntValue(v) => v,
            BasicValueEnum::PointerValue(p) => self.ir.ptr_to_int(p),
            BasicValueEnum::FloatValue(v) => {
                let width = v.get_type().get_bit_width();
                let same = self.ir.int_type(width);
                self.ir.bitcast(value, same.into()).into_int_value()
            }
            _ => self.ir.int(0),
        };
        match bits.get_type().get_bit_width() {
            width if width > WORD => self.ir.trunc(bits, WORD),
            _ => self.ir.zext(bits, WORD),
        }
    }
}
