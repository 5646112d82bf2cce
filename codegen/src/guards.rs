//! Conditions in front of loops, instead of one in each iteration ([`polytile_analysis::guards`]).
//!
//! ```text
//!   for j: if (f[i][k] != 0) a[i][j] = ..            first <= last ?  f[i][k] != 0 ?  for j: a[i][j] = ..
//! ```

use crate::emit::Emitter;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, For};
use polytile_analysis::guards;

impl Emitter<'_, '_> {
    /// Emits a loop behind the conditions that are the same in all of its iterations, if there are such.
    pub(crate) fn guarded_loop(&mut self, l: &For) -> bool {
        // What a quota ends is asked in each iteration.
        let Ok(Some(guard)) = guards::of_loop(self.scop, l, &self.holding) else {
            return false;
        };
        let function = self.frame().function;
        self.locate_region();
        let after = self.ir.block(function, "polytile.after");
        let mut at = l;
        for _ in 0..guard.depth {
            let range = self.range(at);
            let entered = (self.ir).cmp(IntPredicate::SLE, range.first, range.last);
            let ask = self.ir.block(function, "polytile.guard");
            self.ir.branch(entered, ask, after);
            self.ir.at_end(ask);
            if let Ast::For(inner) = &at.body {
                at = inner;
            }
        }
        let stmt = self.scop.stmt(guard.user.stmt);
        self.locate_write(stmt.write());
        let mut instance = self.instance(stmt, &guard.user.args);
        for condition in &guard.conditions {
            let holds = self.node(&mut instance, *condition).into_int_value();
            let held = self.ir.block(function, "polytile.held");
            self.ir.branch(holds, held, after);
            self.ir.at_end(held);
        }
        let before = self.holding.len();
        self.holding.extend(&guard.known);
        self.loop_(l);
        self.holding.truncate(before);
        self.locate_region();
        self.ir.jump(after);
        self.ir.at_end(after);
        true
    }
}
