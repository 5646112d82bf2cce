//! Versioning: the new code beside the old, and the condition between them.
//!
//! ```text
//!   preheader:  work                                        (straight line, no side effect)
//!               br enough, call, entry
//!   call:       {done, new value} = f.polytile.12(values)
//!               br done, exit, entry
//!   entry:      the original
//!   exit:       phi [old value, old edges], [new value, call]
//!
//!   f.polytile.12:
//!     check:    parameters, conditions, ranges              (no side effect; a straight line but for tables of rows)
//!               br run, start, refused
//!     start:    several threads, where only they gain? else br refused
//!               scopes, cells, temporaries, buffers -> out of memory? br refused
//!               loops
//!               free; ret {true, cells}
//!     refused:  ret {false}
//! ```
//!
//! Work comes first: a run of a few nanoseconds does not pay for ranges. Where a parameter is out of range its work is
//! garbage, but then so is a condition behind it.
//!
//! Parameters are read through `freeze`: the check may look at a value that the program would not have looked at.

use crate::callee::Callee;
use crate::emit::{Emitter, Phase};
use crate::frame::Key;
use crate::ir::{Arith, Block, Int};
use crate::precheck::{Leaving, Plan, is_direct_use, users};
use crate::report::Reason;
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue, PhiValue};
use llvm_sys::core::{
    LLVMBuildPhi, LLVMGetNumOperands, LLVMGetOperand, LLVMGetSuccessor, LLVMSetOperand, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMBasicBlockRef;
use polytile_analysis::ast::Threads;
use polytile_analysis::ids::{ArrayId, ParamId};
use std::collections::BTreeMap;

impl<'e, 'c> Emitter<'e, 'c> {
    /// A block of the host.
    pub(crate) fn host_block(&self, b: LLVMBasicBlockRef) -> Block<'c> {
        unsafe { Block::new(b) }.expect("the host gives blocks")
    }

    /// Goes on in a block of its own if there is enough work, to the original version else.
    pub(crate) fn enough_work(&mut self) {
        let preheader = self.host_block(self.host.preheader);
        let branch = preheader.get_terminator().expect("checked before emission");
        branch.erase_from_basic_block();
        self.ir.at_end(preheader);
        self.locate_region();
        self.begin_report();
        let mut amount = self.ir.int(1);
        if let Some((work, least)) = &self.program.check.work {
            amount = self.expr(work);
            let enough = self.ir.cmp(IntPredicate::SGE, amount, self.ir.int(*least));
            if !(enough.is_const() && enough.get_zero_extended_constant() == Some(1)) {
                let entry = self.host_block(self.host.entry);
                let function = self.frame().function;
                let call = self.ir.block(function, "polytile.call");
                self.ir.branch(enough, call, entry);
                self.ir.at_end(call);
                self.locate_region();
            }
        }
        if let Some(preferred) = self.options.measured {
            self.choose_measured(amount, preferred);
        }
    }

    /// The region's work, as far as it is known: without limit where the version is always worth it.
    pub(crate) fn work(&mut self) -> Int<'c> {
        match &self.program.check.work {
            Some((work, _)) => self.expr(work),
            None => self.ir.int(i64::MAX),
        }
    }

    /// What has to hold so that the new version runs; in parts only where the reason is told.
    fn check(&mut self) -> Vec<(Int<'c>, Reason)> {
        let (scop, program) = (self.scop, self.program);
        let late = scop.pitches();
        let (late, early): (Vec<ParamId>, Vec<ParamId>) = (0..scop.params.len())
            .map(ParamId::from)
            .partition(|p| late.contains(p));
        self.params(&early);
        if !program.check.rows.is_empty() {
            self.rows_in_line();
        }
        self.params(&late);
        self.sizes();
        let mut hold = self.buffers_fit();
        let temporaries = self.temporaries_fit();
        hold = self.both(hold, temporaries);
        let fits = self.own_memory_fits();
        hold = self.both(hold, fits);
        for c in &program.check.conditions {
            let holds = self.cond(c);
            hold = self.both(hold, holds);
        }
        let unchecked = program.check.rows.is_empty();
        for c in program.check.poly_checks.iter().filter(|_| unchecked) {
            let holds = self.stays_in_range(c);
            hold = self.both(hold, holds);
        }
        let told = self.report.is_some();
        let mut apart = self.arrays_apart();
        if !told {
            apart = self.both(hold, apart);
        }
        let mut worth = if told { self.ir.bool(true) } else { apart };
        for c in &program.check.worth {
            let holds = self.cond(c);
            worth = self.both(worth, holds);
        }
        match told {
            true => vec![
                (hold, Reason::Condition),
                (apart, Reason::Overlap),
                (worth, Reason::Work),
            ],
            false => vec![(worth, Reason::Work)],
        }
    }

    pub(crate) fn params(&mut self, params: &[ParamId]) {
        for p in params {
            let value = self.param(*p);
            self.set(Key::Param(*p), value);
        }
    }

    /// Both hold; nothing here is poison.
    pub(crate) fn both(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        if a.is_const() && a.get_zero_extended_constant() == Some(1) {
            b
        } else {
            self.ir.and(a, b)
        }
    }

    /// The new version, and the scalars that it returns.
    pub(crate) fn new_version(&mut self, plan: &Plan<'c>) -> (Callee<'c>, Vec<ArrayId>) {
        let outs = plan.outs();
        let result = self.begin_callee(&outs);
        let refused = self.refusal("polytile.refused");
        self.refusal = Some(refused);
        self.enter_report();
        let checks = self.check();
        self.go_on_if_all(&checks, "polytile.start");
        // What runs stands in front of what is given up.
        let start = self.ir.here();
        start
            .move_before(refused.block)
            .expect("both are in the function");
        self.phase = Phase::Run;
        self.arith = Arith::Bounded;
        if self.program.check.threads == Threads::Several {
            self.several_threads();
        }
        let tried = self.begin_try();
        match tried {
            Some(_) => self.before_the_cell(Self::rows_apart),
            None => self.rows_apart(),
        }
        self.inspect();
        self.declare_scopes();
        self.allocate_cells();
        let memory = self.allocate();
        if let Some(block) = memory {
            self.out_of_memory(block);
        }
        let kept = self.options.run_both.then(|| self.keep(outs.len()));
        let program = self.program;
        self.ast(&program.body);
        self.locate_region();
        self.free(memory);
        self.end_try(tried);
        self.note(None);
        let contents = outs.iter().map(|a| self.content(*a)).collect::<Vec<_>>();
        match kept {
            None => self.ir.ret_struct(result, self.ir.bool(true), &contents),
            Some(kept) => self.put_aside(result, kept, &contents),
        }
        self.ir.at_end(refused.block);
        self.note(refused.why);
        let nothing = kept.map(|_| self.ir.int(0).into());
        self.ir
            .ret_struct(result, self.ir.bool(false), nothing.as_slice());
        (self.end_callee(result), outs)
    }

    /// Goes to the original version if a parallel loop would run on one thread.
    fn several_threads(&mut self) {
        let threads = self.fix_threads();
        let mut suffice = self.ir.cmp(IntPredicate::SGT, threads, self.ir.int(1));
        if let Some(alone) = &self.program.check.alone {
            let alone = self.cond(alone);
            suffice = self.ir.or(suffice, alone);
        }
        if self.program.check.alone_in_place {
            let in_place = self.in_place();
            suffice = self.ir.or(suffice, in_place);
        }
        self.go_on_if(suffice, "polytile.threads", Reason::Threads);
    }

    /// Goes to the original version if there is no memory.
    fn out_of_memory(&mut self, block: crate::ir::Ptr<'c>) {
        let address = self.ir.ptr_to_int(block);
        let there = self.ir.cmp(IntPredicate::NE, address, self.ir.int(0));
        self.go_on_if(there, "polytile.allocated", Reason::Memory);
    }

    /// Calls the new version, goes to the original one if it refused, and merges what leaves both.
    pub(crate) fn choose(&mut self, plan: &Plan<'c>, callee: &Callee<'c>, outs: &[ArrayId]) {
        let (preheader, entry) = (
            self.host_block(self.host.preheader),
            self.host_block(self.host.entry),
        );
        let exit = self.host_block(self.host.exit);
        let measured = self.measured;
        let end = measured.map_or_else(|| entry_of_call(preheader, entry), |m| m.call);
        self.ir.at_end(end);
        self.locate_region();
        let arguments: Vec<_> = callee.arguments.iter().map(|v| (*v).into()).collect();
        let result = self.ir.cold_call(callee.function, &arguments);
        let done = self.ir.part(result, 0).into_int_value();
        let kept = self.options.run_both.then(|| self.kept_by(result));
        let first = 1 + u32::from(self.options.run_both);
        let values: BTreeMap<ArrayId, BasicValueEnum<'c>> = (first..)
            .zip(outs)
            .map(|(i, a)| (*a, self.ir.part(result, i)))
            .collect();
        self.ir.branch(done, exit, entry);
        let choice = measured.map(|m| m.choice);
        for new in choice.into_iter().chain([end]) {
            if new == preheader {
                continue;
            }
            for phi in phis(entry) {
                let value = from(&phi, preheader);
                phi.add_incoming(&[(&value, new)]);
            }
        }
        let mut joined = BTreeMap::new();
        for (phi, leaving) in &plan.phis {
            let value = match leaving {
                Leaving::Value(v) => *v,
                Leaving::Cell(a) => values[a],
            };
            phi.add_incoming(&[(&value, end)]);
            if let Leaving::Cell(a) = leaving {
                joined.insert(*a, *phi);
            }
        }
        for (value, cell) in &plan.direct {
            let phi = self.merge(plan, *value, values[cell], end);
            joined.insert(*cell, phi);
        }
        if let Some(measured) = measured {
            self.note_run(plan, measured);
        }
        if let Some(kept) = kept {
            self.compare(plan, (kept, end), joined);
        }
        self.end_report();
    }

    /// The content of a scalar at the end of the new version.
    fn content(&mut self, scalar: ArrayId) -> BasicValueEnum<'c> {
        let cell = self.get_ptr(Key::Cell(scalar));
        self.ir.load(self.scalar_type(scalar), cell)
    }

    /// The type of a scalar.
    pub(crate) fn scalar_type(&self, scalar: ArrayId) -> BasicTypeEnum<'c> {
        let ty = self.plain_type(self.scop.array(scalar).ty);
        ty.expect("checked before emission")
    }

    /// A PHI in the exit for a value of the region, in place of its uses after the region.
    fn merge(
        &mut self,
        plan: &Plan<'c>,
        value: InstructionValue<'c>,
        new: BasicValueEnum<'c>,
        end: Block<'c>,
    ) -> PhiValue<'c> {
        let old = value.as_value_ref();
        let direct: Vec<_> = users(old)
            .into_iter()
            .filter(|u| is_direct_use(self.host, *u, |b| plan.inside.contains(&(b as usize))))
            .collect();
        let exit = self.host_block(self.host.exit);
        self.ir.at_start(exit);
        let phi = unsafe {
            PhiValue::new(LLVMBuildPhi(
                self.ir.builder.as_mut_ptr(),
                LLVMTypeOf(old),
                c"".as_ptr(),
            ))
        };
        let old_value = unsafe { BasicValueEnum::new(old) };
        for from in &plan.exiting {
            phi.add_incoming(&[(&old_value, *from)]);
        }
        phi.add_incoming(&[(&new, end)]);
        for user in direct {
            unsafe {
                for i in 0..LLVMGetNumOperands(user) as u32 {
                    if LLVMGetOperand(user, i) == old {
                        LLVMSetOperand(user, i, phi.as_value_ref());
                    }
                }
            }
        }
        phi
    }
}

/// The block that calls the new version: the preheader's own, if nothing is asked in front of it.
fn entry_of_call<'c>(preheader: Block<'c>, entry: Block<'c>) -> Block<'c> {
    let Some(branch) = preheader.get_terminator() else {
        return preheader;
    };
    let targets = (0..2).map(|i| unsafe {
        let to = LLVMGetSuccessor(branch.as_value_ref(), i);
        Block::new(to).expect("branches go to blocks")
    });
    targets
        .into_iter()
        .find(|b| *b != entry)
        .expect("one of them calls")
}

/// What a PHI takes from a block in front of it.
fn from<'c>(phi: &PhiValue<'c>, block: Block<'c>) -> BasicValueEnum<'c> {
    let found = phi.get_incomings().find(|(_, b)| *b == block);
    found.expect("the preheader precedes the entry").0
}

fn phis<'c>(block: Block<'c>) -> Vec<PhiValue<'c>> {
    block
        .get_instructions()
        .take_while(|i| i.get_opcode() == InstructionOpcode::Phi)
        .map(|i| unsafe { PhiValue::new(i.as_value_ref()) })
        .collect()
}
