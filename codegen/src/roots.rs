//! Square roots of the C library in loops that LLVM runs in lanes.
//!
//! `sqrt` and `sqrtf` are operations that set `errno` where the operand is below zero, unless `-fno-math-errno` says otherwise. A call in a
//! loop keeps it from lanes. What a loop without conditions computes all its iterations compute, and nothing in it looks at `errno`: the
//! operation takes the call's place, and one call behind the loop says what any of them had to say.
//!
//! ```text
//! for i: r[i] = sqrt(x[i])     ->     for i: { r[i] = llvm.sqrt(x[i]);  below |= x[i] < 0 }    if (below) sqrt(-1)
//! ```

use crate::emit::Emitter;
use crate::ir::{Block, Int, Value};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, PhiValue};
use polytile_analysis::ast::For;
use polytile_analysis::ids::ValueId;
use polytile_analysis::region::OpCode;

/// The roots of a loop that is being emitted.
#[derive(Default)]
pub(crate) struct Roots<'c> {
    /// For each call whether its operand is below zero in the current iteration, and the call.
    below: Vec<(Int<'c>, OpCode, ValueId)>,
}

/// What a loop with roots carries.
pub(crate) struct Below<'c> {
    carried: PhiValue<'c>,
    /// With the current iteration.
    updated: Int<'c>,
    call: (OpCode, ValueId),
}

impl<'c> Emitter<'_, 'c> {
    /// Makes the roots of a loop without conditions operations from here on.
    pub(crate) fn watch_roots(&mut self, l: &For) {
        let users = l.body.plain_users().unwrap_or_default();
        let mut stmts = users.iter().map(|u| self.scop.stmt(u.stmt));
        if !users.is_empty() && stmts.all(|s| s.runs_whole()) {
            self.roots = Some(Roots::default());
        }
    }

    /// The operation in place of such a call, if it is one.
    pub(crate) fn root_operation(
        &mut self,
        (op, origin): (&OpCode, ValueId),
        args: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let (true, [of], Some(_)) = (op.is_root_with_errno(), args, &self.roots) else {
            return None;
        };
        let of = of.into_float_value();
        let ty: BasicTypeEnum = of.get_type().into();
        let root = self.ir.intrinsic("llvm.sqrt", &[ty], &[(of).into()]);
        let below = self.ir.is_below_zero(of);
        let roots = self.roots.as_mut()?;
        roots.below.push((below, op.clone(), origin));
        Some(root)
    }

    /// Carries from iteration to iteration whether a root was one of a number below zero; the builder is at the latch, behind the body that
    /// begins with `header`.
    pub(crate) fn carry_roots(&mut self, header: Block<'c>) -> Option<Below<'c>> {
        let roots = self.roots.take()?;
        let (_, op, origin) = roots.below.first()?.clone();
        let latch = self.ir.here();
        self.ir.at_start(header);
        let carried = self.ir.phi(self.ir.ctx.bool_type(), "below");
        self.ir.at_end(latch);
        let mut updated = carried.as_basic_value().into_int_value();
        for (below, ..) in &roots.below {
            updated = self.ir.or(updated, *below);
        }
        Some(Below {
            carried,
            updated,
            call: (op, origin),
        })
    }

    /// Behind the loop, which is entered from `before`: the call that sets `errno`, if any of its roots would have.
    pub(crate) fn report_roots(&mut self, below: Below<'c>, before: Block<'c>, latch: Block<'c>) {
        let no = self.ir.bool(false);
        let known = [(&no as &dyn BasicValue, before), (&below.updated, latch)];
        below.carried.add_incoming(&known);
        let any = self.ir.phi(self.ir.ctx.bool_type(), "below");
        any.add_incoming(&known);
        let function = self.frame().function;
        let [call, after] =
            ["errno", "after"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir
            .branch(any.as_basic_value().into_int_value(), call, after);
        self.ir.at_end(call);
        let (op, origin) = below.call;
        let ty = unsafe { Value::new(self.host.values[origin.index()]) }.get_type();
        let minus = ty.into_float_type().const_float(-1.0);
        self.clone_op((&op, origin), &[minus.into()]);
        self.locate_region();
        self.ir.jump(after);
        self.ir.at_end(after);
    }
}
