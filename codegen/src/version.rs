//! Versioning: the new code beside the old, and the condition between them.
//!
//! ```text
//!   preheader:  parameters, work                            (straight line, no side effect)
//!               br enough, check, entry
//!   check:      conditions, ranges                          (the same)
//!               br run, new, entry
//!   new:        several threads, where only they gain? else br entry
//!               scopes, cells, temporaries, buffers -> out of memory? br entry
//!               loops
//!               free; br exit
//!   exit:       phi [old value, old edges], [cell, new]
//! ```
//!
//! Work comes first: a run of a few nanoseconds does not pay for ranges. Where a parameter is out of range its work is
//! garbage, but then so is a condition behind it.
//!
//! Parameters are read through `freeze`: the check may look at a value that the program would not have looked at. The
//! byte ranges of two arrays are compared in 128 bits, where a subscript of 64 bits times a stride of 64 bits is exact.

use crate::emit::{Emitter, Phase};
use crate::frame::Key;
use crate::ir::{Arith, Block, Int};
use crate::original::Original;
use crate::precheck::{Leaving, Plan, is_direct_use, users};
use inkwell::IntPredicate;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue, PhiValue};
use llvm_sys::core::{
    LLVMBuildPhi, LLVMGetNumOperands, LLVMGetOperand, LLVMSetOperand, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMBasicBlockRef;
use polytile_analysis::ast::{ByteRange, Expr, Threads};
use polytile_analysis::ids::{ArrayId, ParamId};
use polytile_analysis::scev::Scev;

/// Bits of a byte range's bounds.
const WIDE: u32 = 128;

impl<'e, 'c> Emitter<'e, 'c> {
    /// A block of the host.
    pub(crate) fn host_block(&self, b: LLVMBasicBlockRef) -> Block<'c> {
        unsafe { Block::new(b) }.expect("the host gives blocks")
    }

    /// The condition under which the new version runs, computed in front of the preheader's branch.
    pub(crate) fn check(&mut self, _plan: &Plan<'c>) -> Int<'c> {
        let preheader = self.host_block(self.host.preheader);
        let branch = preheader.get_terminator().expect("checked before emission");
        branch.erase_from_basic_block();
        self.ir.at_end(preheader);
        self.locate_region();
        let (scop, program) = (self.scop, self.program);
        for (i, p) in scop.params.iter().enumerate() {
            let value = self.evolve(&p.expr, &[]);
            let value = self.ir.sext(value, 64);
            self.set(Key::Param(ParamId::from(i)), value);
        }
        self.sizes();
        self.enough_work();
        let mut all = self.buffers_fit();
        for c in &program.check.conditions {
            let holds = self.cond(c);
            all = self.both(all, holds);
        }
        for (a, b) in &program.check.no_overlap {
            let holds = self.apart(a, b);
            all = self.both(all, holds);
        }
        all
    }

    /// Goes on in a block of its own if there is enough work, to the original version else.
    fn enough_work(&mut self) {
        let Some((work, least)) = &self.program.check.work else {
            return;
        };
        let work = self.expr(work);
        let enough = self.ir.cmp(IntPredicate::SGE, work, self.ir.int(*least));
        if enough.is_const() && enough.get_zero_extended_constant() == Some(1) {
            return;
        }
        let (preheader, entry) = (
            self.host_block(self.host.preheader),
            self.host_block(self.host.entry),
        );
        let function = self.frame().function;
        let check = self.ir.block(function, "polytile.check");
        self.ir.branch(enough, check, entry);
        for phi in phis(entry) {
            let value = from(&phi, preheader);
            phi.add_incoming(&[(&value, check)]);
        }
        self.ir.at_end(check);
        self.locate_region();
    }

    /// Both hold; nothing here is poison.
    pub(crate) fn both(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        if a.is_const() && a.get_zero_extended_constant() == Some(1) {
            b
        } else {
            self.ir.and(a, b)
        }
    }

    /// One of the ranges ends before the other begins.
    fn apart(&mut self, a: &ByteRange, b: &ByteRange) -> Int<'c> {
        let (a_first, a_end) = self.bounds(a);
        let (b_first, b_end) = self.bounds(b);
        let before = self.ir.cmp(IntPredicate::SLE, a_end, b_first);
        let after = self.ir.cmp(IntPredicate::SLE, b_end, a_first);
        self.ir.logical_or(before, after)
    }

    /// First byte and end of a range, as wide addresses.
    fn bounds(&mut self, range: &ByteRange) -> (Int<'c>, Int<'c>) {
        let base = self.invariant_integer(range.base).into_pointer_value();
        let base = self.ir.zext(self.ir.ptr_to_int(base), WIDE);
        let first = self.wide_sum(base, &range.lo);
        let last = self.wide_sum(base, &range.hi);
        let element = self.ir.int_type(WIDE).const_int(range.element, false);
        (first, self.ir.add(last, element, Arith::Wrapping))
    }

    fn wide_sum(&mut self, base: Int<'c>, terms: &[(Expr, Scev)]) -> Int<'c> {
        let mut sum = base;
        for (subscript, stride) in terms {
            let subscript = self.expr(subscript);
            let stride = self.evolve(stride, &[]);
            let (subscript, stride) = (self.ir.sext(subscript, WIDE), self.ir.sext(stride, WIDE));
            let term = self.ir.mul(subscript, stride, Arith::Wrapping);
            sum = self.ir.add(sum, term, Arith::Wrapping);
        }
        sum
    }

    /// The new version, entered if `run` holds; the block that it ends with.
    pub(crate) fn new_version(&mut self, _plan: &Plan<'c>, run: Int<'c>) -> Block<'c> {
        let function = self.frame().function;
        let (entry, exit) = (
            self.host_block(self.host.entry),
            self.host_block(self.host.exit),
        );
        let start = self.ir.block(function, "polytile.start");
        self.ir.branch(run, start, entry);
        self.ir.at_end(start);
        self.phase = Phase::Run;
        self.arith = Arith::Bounded;
        if self.program.check.threads == Threads::Several {
            self.several_threads();
        }
        self.declare_scopes();
        self.allocate_cells();
        let memory = self.allocate();
        if let Some(block) = memory {
            self.out_of_memory(block);
        }
        let program = self.program;
        self.ast(&program.body);
        self.locate_region();
        self.free(memory);
        let end = self.ir.here();
        self.ir.jump(exit);
        end
    }

    /// Goes to the original version if a parallel loop would run on one thread.
    fn several_threads(&mut self) {
        let threads = self.max_threads();
        let inside = self.asked("omp_in_parallel", 0);
        let many = self.ir.cmp(IntPredicate::SGT, threads, self.ir.int(1));
        let outside = self.ir.cmp(IntPredicate::EQ, inside, self.ir.int(0));
        let go = self.ir.and(many, outside);
        self.go_on_if(go, ["polytile.threads", "polytile.one_thread"]);
    }

    /// Goes to the original version if there is no memory.
    fn out_of_memory(&mut self, block: crate::ir::Ptr<'c>) {
        let address = self.ir.ptr_to_int(block);
        let there = self.ir.cmp(IntPredicate::NE, address, self.ir.int(0));
        self.go_on_if(there, ["polytile.allocated", "polytile.out_of_memory"]);
    }

    /// Goes to the original version unless a condition holds, in blocks of these names.
    fn go_on_if(&mut self, holds: Int<'c>, names: [&str; 2]) {
        let function = self.frame().function;
        let (entry, preheader) = (
            self.host_block(self.host.entry),
            self.host_block(self.host.preheader),
        );
        let (go, give_up) = (
            self.ir.block(function, names[0]),
            self.ir.block(function, names[1]),
        );
        self.ir.branch(holds, go, give_up);
        self.ir.at_end(give_up);
        self.ir.jump(entry);
        for phi in phis(entry) {
            let value = from(&phi, preheader);
            phi.add_incoming(&[(&value, give_up)]);
        }
        self.ir.at_end(go);
    }

    /// Merges what leaves both versions.
    pub(crate) fn join(&mut self, plan: &Plan<'c>, end: Block<'c>) {
        let last = end.get_terminator().expect("the new version is closed");
        for (phi, leaving) in &plan.phis {
            let value = match leaving {
                Leaving::Value(v) => *v,
                Leaving::Cell(a) => self.content(*a, last),
            };
            phi.add_incoming(&[(&value, end)]);
        }
        let original = self.original();
        for (value, cell) in &plan.direct {
            let new = self.content(*cell, last);
            self.merge(plan, *value, new, end, &original);
        }
        self.align_loops(&original);
    }

    /// The content of a scalar at the end of the new version.
    fn content(&mut self, scalar: ArrayId, last: InstructionValue<'c>) -> BasicValueEnum<'c> {
        let ty = self
            .plain_type(self.scop.array(scalar).ty)
            .expect("checked before emission");
        let cell = self.get_ptr(Key::Cell(scalar));
        self.ir.before(last);
        self.ir.load(ty, cell)
    }

    /// A PHI in the exit for a value of the region, in place of its uses after the region.
    fn merge(
        &mut self,
        plan: &Plan<'c>,
        value: InstructionValue<'c>,
        new: BasicValueEnum<'c>,
        end: Block<'c>,
        original: &Original<'c>,
    ) {
        let old = value.as_value_ref();
        let direct: Vec<_> = users(old)
            .into_iter()
            .filter(|u| is_direct_use(self.host, *u, |b| original.contains(b)))
            .collect();
        let exit = self.host_block(self.host.exit);
        self.ir
            .before(exit.get_first_instruction().expect("blocks are closed"));
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
    }
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
