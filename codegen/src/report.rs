//! What a program tells of its regions at its end, and new versions that its user switches off (`runtime/report.c`).
//!
//! ```text
//!   check:    ticket = enter()                                0? br refused      switched off
//!             ..                                              what has to hold
//!             br all, go, refused
//!   go:       loops
//!             note(record, ticket, ran); ret {true, cells}
//!   refused:  note(record, ticket, phi [reason, check] ..); ret {false}
//! ```
//!
//! Entries with too little work do not come here. Where they are to be counted too (`Reports::All`), both versions stand between
//! `began = begin()` in the preheader and `end(record, began)` in the exit.

use crate::emit::Emitter;
use crate::host::Reports;
use crate::ir::{Block, Int, Ptr};
use crate::runtime::{
    RAN, REFUSED_CONDITION, REFUSED_DISABLED, REFUSED_MEMORY, REFUSED_OVERLAP, REFUSED_ROWS,
    REFUSED_THREADS, REFUSED_WORK, REGION,
};
use inkwell::IntPredicate;
use inkwell::module::{Linkage, Module};
use inkwell::values::{AsValueRef, BasicValue, PhiValue};
use llvm_sys::core::{
    LLVMGetFirstUse, LLVMGetNextUse, LLVMGetUser, LLVMIsAConstantArray, LLVMReplaceAllUsesWith,
};
use llvm_sys::prelude::LLVMValueRef;

/// What the record of a region is called.
const RECORD: &str = "polytile.region";
/// What the list of a module's records is called.
const LIST: &str = "polytile.regions";

/// Fields that are filled in here: the place, and whether all entries are counted.
const FIXED: u64 = 2;

/// Why the original runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub(crate) enum Reason {
    Disabled = REFUSED_DISABLED,
    Condition = REFUSED_CONDITION,
    Overlap = REFUSED_OVERLAP,
    Rows = REFUSED_ROWS,
    Threads = REFUSED_THREADS,
    Memory = REFUSED_MEMORY,
    Work = REFUSED_WORK,
}

/// Where the new version gives up.
#[derive(Clone, Copy)]
pub(crate) struct Refusal<'c> {
    pub(crate) block: Block<'c>,
    /// Why, where that is told.
    pub(crate) why: Option<PhiValue<'c>>,
}

/// What is known of the run under way.
#[derive(Clone, Copy)]
pub(crate) struct Report<'c> {
    record: Ptr<'c>,
    /// When the region was entered; `None` where that is not asked.
    began: Option<Int<'c>>,
    /// Of the new version; `None` in front of it.
    ticket: Option<Int<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// In front of everything.
    pub(crate) fn begin_report(&mut self) {
        let reports = self.options.reports;
        if reports == Reports::Off {
            return;
        }
        let record = self.record(reports);
        let began = (reports == Reports::All).then(|| self.ask("report.begin", &[]));
        self.report = Some(Report {
            record,
            began,
            ticket: None,
        });
    }

    /// The region's place in the source and its name, as text of the program.
    pub(crate) fn named_place(&self) -> Ptr<'c> {
        let function = &self.scop.function;
        let mut place = match &self.scop.loc {
            Some(loc) => format!("{}:{}: {function}", loc.file, loc.line),
            None => function.clone(),
        };
        if let Some(label) = &self.options.label {
            place += &format!(" [{label}]");
        }
        let text = self.ir.ctx.const_string(place.as_bytes(), true);
        self.constant(text, "polytile.place")
    }

    /// The record of the region, with nothing counted.
    fn record(&self, reports: Reports) -> Ptr<'c> {
        let module = self.ir.module();
        let name = self.named_place();
        let word = self.ir.i64();
        let counters = word.array_type((REGION / 8 - FIXED) as u32);
        let all = word.const_int((reports == Reports::All).into(), false);
        let fields = [name.into(), all.into(), counters.const_zero().into()];
        let content = self.ir.ctx.const_struct(&fields, false);
        let record = module.add_global(content.get_type(), None, RECORD);
        record.set_initializer(&content);
        record.set_linkage(Linkage::Internal);
        record.set_alignment(8);
        record.as_pointer_value()
    }

    /// The block in which the new version gives up, and what it knows of the reason.
    pub(crate) fn refusal(&mut self, name: &str) -> Refusal<'c> {
        let function = self.frame().function;
        let block = self.ir.block(function, name);
        let here = self.ir.here();
        self.ir.at_end(block);
        let why = self
            .report
            .map(|_| self.ir.phi(self.ir.i64(), "polytile.reason"));
        self.ir.at_end(here);
        Refusal { block, why }
    }

    /// At the beginning of the new version: goes on unless the program's user has switched it off.
    pub(crate) fn enter_report(&mut self) {
        let Some(report) = self.report else {
            return;
        };
        let ticket = self.ask("report.enter", &[]);
        self.report = Some(Report {
            ticket: Some(ticket),
            ..report
        });
        let runs = self.ir.cmp(IntPredicate::NE, ticket, self.ir.int(0));
        self.go_on_if(runs, "polytile.asked", Reason::Disabled);
    }

    /// Gives up unless a condition holds, and goes on in a block of this name.
    pub(crate) fn go_on_if(&mut self, holds: Int<'c>, name: &str, reason: Reason) {
        self.go_on_if_all(&[(holds, reason)], name);
    }

    /// Gives up unless all conditions hold; the reason is the first that does not.
    pub(crate) fn go_on_if_all(&mut self, parts: &[(Int<'c>, Reason)], name: &str) {
        let function = self.frame().function;
        let truth = self.ir.bool(true);
        let all = parts.iter().fold(truth, |all, (p, _)| self.both(all, *p));
        let go = self.ir.block(function, name);
        let refusal = self.refusal.expect("the new version has begun");
        match (refusal.why, parts) {
            (Some(_), [.., _, _]) => {
                let cold = self.ir.block(function, "polytile.why");
                self.ir.branch(all, go, cold);
                self.ir.at_end(cold);
                let reason = self.first_that_fails(parts);
                self.give_up(reason);
            }
            (why, _) => {
                let here = self.ir.here();
                self.ir.branch(all, go, refusal.block);
                let reason = self.ir.int(parts[0].1 as i64);
                why.iter().for_each(|w| w.add_incoming(&[(&reason, here)]));
            }
        }
        self.ir.at_end(go);
    }

    /// Gives up here, for this reason.
    pub(crate) fn give_up(&mut self, reason: Int<'c>) {
        let refusal = self.refusal.expect("the new version has begun");
        let here = self.ir.here();
        self.ir.jump(refusal.block);
        (refusal.why.iter()).for_each(|w| w.add_incoming(&[(&reason, here)]));
    }

    fn first_that_fails(&self, parts: &[(Int<'c>, Reason)]) -> Int<'c> {
        let (last, before) = parts.split_last().expect("there are two");
        let mut why = self.ir.int(last.1 as i64);
        for (holds, reason) in before.iter().rev() {
            let other = self.ir.int(*reason as i64);
            why = self.ir.select(*holds, why, other).into_int_value();
        }
        why
    }

    /// The new version has run, or gives up for a reason.
    pub(crate) fn note(&mut self, why: Option<PhiValue<'c>>) {
        let ran = self.ir.int(RAN as i64);
        let what = why.map_or(ran, |w| w.as_basic_value().into_int_value());
        let report = self.report.and_then(|r| Some((r.record, r.ticket?)));
        if let Some((record, ticket)) = report {
            let arguments = [record.into(), ticket.into(), what.into()];
            self.helper("report.note", &arguments, None);
        }
    }

    /// Behind both versions, when all edges into the exit are there.
    pub(crate) fn end_report(&mut self) {
        let began = self.report.and_then(|r| Some((r.record, r.began?)));
        let Some((record, began)) = began else {
            return;
        };
        self.behind_both();
        self.helper("report.end", &[record.into(), began.into()], None);
    }
}

/// Makes the list of the module's records, where the run-time wants it.
pub(crate) fn list_regions(module: &Module<'_>) {
    let Some(wanted) = module.get_global(LIST).filter(|l| l.is_declaration()) else {
        return;
    };
    let records = module.get_globals().filter(|g| {
        let name = g.get_name().to_string_lossy();
        let is_record = name
            .strip_prefix(RECORD)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        is_record && !is_settled(g.as_value_ref())
    });
    let pointer = wanted.as_pointer_value().get_type();
    let mut list: Vec<Ptr<'_>> = records.map(|g| g.as_pointer_value()).collect();
    list.push(pointer.const_null());
    let content = pointer.const_array(&list);
    let table = module.add_global(content.get_type(), None, LIST);
    table.set_initializer(&content.as_basic_value_enum());
    table.set_linkage(Linkage::Internal);
    table.set_constant(true);
    unsafe {
        LLVMReplaceAllUsesWith(wanted.as_value_ref(), table.as_value_ref());
        wanted.delete();
    }
}

/// Whether a record is in the list of a module that this one was linked from, or its region is gone.
fn is_settled(record: LLVMValueRef) -> bool {
    unsafe {
        let mut at = LLVMGetFirstUse(record);
        if at.is_null() {
            return true;
        }
        while !at.is_null() {
            if !LLVMIsAConstantArray(LLVMGetUser(at)).is_null() {
                return true;
            }
            at = LLVMGetNextUse(at);
        }
    }
    false
}
