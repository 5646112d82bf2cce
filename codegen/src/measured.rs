//! Regions that measure which of their versions to run (`runtime/select.c`).
//!
//! ```text
//!   preheader:  work;  br enough, call, entry
//!   call:       ticket = begin(record, work, preferred)            where neither is preferred for sure
//!               br ticket's last bit, new, entry
//!   new:        {done, ..} = f.polytile.12(values);  br done, exit, entry
//!   entry:      own = phi [ticket, call], [0, others]
//!   exit:       end(record, work, preferred, phi [own, old edges], [ticket, new])
//! ```
//!
//! What is not measured has the ticket 0: too little work, and runs that the new version has refused.

use crate::emit::Emitter;
use crate::ir::{Block, Int, Ptr};
use crate::precheck::Plan;
use crate::runtime::CHOICE;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{InstructionOpcode, PhiValue};
use llvm_sys::core::{
    LLVMBasicBlockAsValue, LLVMGetFirstUse, LLVMGetInstructionParent, LLVMGetNextUse, LLVMGetUser,
    LLVMIsATerminatorInst,
};

/// A region whose runs are measured.
#[derive(Clone, Copy)]
pub(crate) struct Measured<'c> {
    record: Ptr<'c>,
    work: Int<'c>,
    preferred: Int<'c>,
    ticket: Int<'c>,
    /// The block that chooses.
    pub(crate) choice: Block<'c>,
    /// The block that calls the new version.
    pub(crate) call: Block<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// Chooses between the versions, and goes on where the new one is called; `preferred`: the model of time prefers that one.
    pub(crate) fn choose_measured(&mut self, work: Int<'c>, preferred: bool) {
        let record = self.zeros(CHOICE, "polytile.choice");
        let preferred = self.ir.int(preferred.into());
        let args = [record.into(), work.into(), preferred.into()];
        let ticket = self.ask("select.begin", &args);
        let new = self.ir.trunc(ticket, 1);
        let function = self.frame().function;
        let call = self.ir.block(function, "polytile.new");
        let entry = self.host_block(self.host.entry);
        let choice = self.ir.here();
        self.ir.branch(new, call, entry);
        self.ir.at_end(call);
        self.locate_region();
        self.measured = Some(Measured {
            record,
            work,
            preferred,
            ticket,
            choice,
            call,
        });
    }

    /// Notes behind both versions how long the run has taken. All edges into the entry and the exit are there.
    pub(crate) fn note_run(&mut self, plan: &Plan<'c>, m: Measured<'c>) {
        let ticket = self.carried(plan, (m.ticket, m.choice), (m.ticket, m.call));
        self.behind_both();
        let args = [
            m.record.into(),
            m.work.into(),
            m.preferred.into(),
            ticket.into(),
        ];
        self.helper("select.end", &args, None);
    }

    /// What is known in the exit of a number that comes into the original from one block, and into the exit from another one; 0 from all
    /// others.
    pub(crate) fn carried(
        &mut self,
        plan: &Plan<'c>,
        (before, choice): (Int<'c>, Block<'c>),
        (beside, call): (Int<'c>, Block<'c>),
    ) -> Int<'c> {
        let (entry, exit) = (
            self.host_block(self.host.entry),
            self.host_block(self.host.exit),
        );
        let own = self.ticket_phi(entry);
        let none = self.ir.int(0);
        let within = own.as_basic_value().into_int_value();
        for from in predecessors(entry) {
            let ticket = match from {
                from if from == choice => before,
                from if plan.inside.contains(&(from.as_mut_ptr() as usize)) => within,
                _ => none,
            };
            own.add_incoming(&[(&ticket, from)]);
        }
        let ticket = self.ticket_phi(exit);
        for from in &plan.exiting {
            ticket.add_incoming(&[(&within, *from)]);
        }
        ticket.add_incoming(&[(&beside, call)]);
        ticket.as_basic_value().into_int_value()
    }

    /// Goes on in the exit, where both versions have joined.
    pub(crate) fn behind_both(&mut self) {
        let exit = self.host_block(self.host.exit);
        let first = exit
            .get_instructions()
            .find(|i| i.get_opcode() != InstructionOpcode::Phi);
        self.ir.before(first.expect("blocks are closed"));
        self.locate_region();
    }

    fn ticket_phi(&self, block: Block<'c>) -> PhiValue<'c> {
        self.ir.at_start(block);
        self.ir.phi(self.ir.i64(), "polytile.ticket")
    }
}

/// The blocks in front of a block, one per edge.
fn predecessors<'c>(block: Block<'c>) -> Vec<BasicBlock<'c>> {
    let mut found = vec![];
    unsafe {
        let mut at = LLVMGetFirstUse(LLVMBasicBlockAsValue(block.as_mut_ptr()));
        while !at.is_null() {
            let user = LLVMGetUser(at);
            if !LLVMIsATerminatorInst(user).is_null() {
                found.extend(BasicBlock::new(LLVMGetInstructionParent(user)));
            }
            at = LLVMGetNextUse(at);
        }
    }
    found
}
