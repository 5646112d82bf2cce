//! From a module to its regions, and back.
//!
//! Every function with loops is worked on in a copy. If a region of the copy was transformed, its body replaces the
//! original's; in all other cases, a panic included, the copy is thrown away and the function stays as it was, bit for
//! bit.
//!
//! Regions are tried in rounds: find them, try each. A refusal leaves a mark (not this loop; not across this
//! instruction), and the next round finds smaller regions. Every try leaves a mark, so the rounds come to an end.

use crate::analyses::Analyses;
use crate::copy::WorkingCopy;
use crate::extract::graph::{Graph, LoopIx, Mark, Marks};
use crate::extract::refusal::{Blame, Refusal};
use crate::extract::{self, delimit, held};
use crate::ffi::{self, RawModule, Text};
use crate::llvm::{Block, Value};
use crate::missed::{describe, missed};
use crate::options::{Options, TileSizes};
use crate::pipeline::{self, Declined, Optimized};
use crate::remarks::Remark;
use crate::site::Site;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMModuleRef;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSize};
use polytile_analysis::scop::Scop;
use polytile_codegen::{EmitOptions, SizeSource};
use polytile_transform::target::Target;
use std::any::Any;
use std::collections::BTreeSet;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Functions that were transformed carry this attribute: another run leaves them alone.
const DONE: &str = "polytile-done";

/// Functions with these attributes are not looked at.
const LEFT_ALONE: [&str; 5] = [
    "optnone",
    "naked",
    "minsize",
    "optsize",
    "presplitcoroutine",
];

/// Names of functions that code generation makes contain this.
const OWN: &str = "polytile.";

/// Runs on a module; true if it changed.
///
/// # Safety
/// Called by the pass, with a module that nobody else touches meanwhile.
pub unsafe fn run(module: *mut RawModule, options: &Options) -> bool {
    let raw = unsafe { ffi::pt_module(module) };
    if unsafe { LLVMPointerSize(LLVMGetModuleDataLayout(raw)) } != 8 {
        return false;
    }
    let functions = crate::copy::functions(raw);
    let mut changed = false;
    for f in functions {
        if unsafe { is_enabled(module, f, options) } {
            changed |= unsafe { isolated(module, f, options) };
        }
    }
    changed
}

/// Whether a function is to be looked at.
unsafe fn is_enabled(module: *mut RawModule, f: Value, options: &Options) -> bool {
    let named = options.only.as_ref().is_none_or(|only| f.name() == *only);
    unsafe {
        LLVMIsDeclaration(f.0) == 0
            && LLVMGetLinkage(f.0) != llvm_sys::LLVMLinkage::LLVMAvailableExternallyLinkage
            && named
            && !f.name().contains(OWN)
            && f.string_attribute(DONE).is_none()
            && !LEFT_ALONE.iter().any(|name| f.has_attribute(name))
            && !ffi::pt_has_address_taken_blocks(f.0)
            && ffi::pt_has_loops(module, f.0)
    }
}

/// One function; a panic leaves it as it was.
unsafe fn isolated(module: *mut RawModule, f: Value, options: &Options) -> bool {
    let worked = catch_unwind(AssertUnwindSafe(|| unsafe { function(module, f, options) }));
    match worked {
        Ok((changed, remarks)) => {
            for r in &remarks {
                unsafe { r.send(module, f) };
            }
            changed
        }
        Err(panic) => {
            let why = message(panic.as_ref());
            let remark = Remark::missed("InternalError", std::ptr::null_mut())
                .text("function left as it was: internal error: ")
                .value("Error", &why);
            unsafe { remark.send(module, f) };
            if options.verify {
                let error = format!("polytile: internal error in '{}': {why}", f.name());
                unsafe { ffi::pt_error(module, Text::new(&error)) };
            }
            false
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

/// The processor that a function is compiled for, as its attributes say.
fn target(module: LLVMModuleRef, f: Value) -> Target {
    let attribute = |name| f.string_attribute(name).unwrap_or_default();
    let triple = unsafe { CStr::from_ptr(LLVMGetTarget(module)) };
    let found = Target::lookup(
        &triple.to_string_lossy(),
        &attribute("target-cpu"),
        &attribute("target-features"),
    );
    match attribute("prefer-vector-width").parse() {
        Ok(bits) => found.at_most(bits),
        Err(_) => found,
    }
}

unsafe fn function(module: *mut RawModule, f: Value, options: &Options) -> (bool, Vec<Remark>) {
    if unsafe { !ffi::pt_has_candidates(module, f.0) } {
        return (false, unsafe { hopeless(module, f) });
    }
    let copy = unsafe { WorkingCopy::new(module, f) };
    let mut work = Work {
        copy: &copy,
        options,
        target: target(copy.module(), f),
        name: f.name(),
        marks: Marks::default(),
        remarks: vec![],
        modelled: BTreeSet::new(),
        left: options.budget.saturating_mul(PARTS),
        transformed: false,
        held: BTreeSet::new(),
        prepared: None,
    };
    while unsafe { work.round() } {}
    let Work {
        remarks,
        transformed,
        ..
    } = work;
    if transformed {
        copy.function().add_attribute(DONE);
        unsafe { copy.commit() };
    }
    (transformed, remarks)
}

/// Remarks on a function that needs no working copy to see that nothing can be done.
unsafe fn hopeless(module: *mut RawModule, f: Value) -> Vec<Remark> {
    unsafe {
        if !ffi::pt_remarks_wanted(module, f.0) {
            return vec![];
        }
        let an = Analyses::new(module, f);
        missed(&Graph::new(&an, f, &Marks::default()), &BTreeSet::new())
    }
}

/// The work on one function.
struct Work<'a> {
    copy: &'a WorkingCopy,
    options: &'a Options,
    target: Target,
    name: String,
    marks: Marks,
    remarks: Vec<Remark>,
    /// Headers of the loops that were part of a SCoP.
    modelled: BTreeSet<Block>,
    /// Units of work that regions may take in vain from now on.
    left: u64,
    transformed: bool,
    /// Headers of the loops whose loads were replaced once.
    held: BTreeSet<Block>,
    /// What the next round tries.
    prepared: Option<held::Prepared>,
}

/// All regions of a function together may take so many budgets in vain: one, and again in parts.
const PARTS: u64 = 2;

/// This part of the budget is free for every region: a function may have any number of small ones that come to nothing.
const FREE: u64 = 100;

/// What a try came to.
enum Try {
    /// The analyses do not fit the function any more.
    Emitted,
    /// They do.
    Declined,
}

impl Work<'_> {
    /// One round; false if it found nothing to do.
    unsafe fn round(&mut self) -> bool {
        if let Some(prepared) = self.prepared.take() {
            unsafe { self.prepared_round(&prepared) };
            return true;
        }
        let an = unsafe { self.copy.analyses() };
        let graph = Graph::new(&an, self.copy.function(), &self.marks);
        if !self.transformed {
            self.marks.first = graph.obstacles();
        }
        let spans = delimit::delimit(&graph);
        if spans.is_empty() {
            self.remarks.extend(missed(&graph, &self.modelled));
            return false;
        }
        let before: BTreeSet<Block> = graph.loops.iter().map(|l| l.header).collect();
        for span in &spans {
            if let Some(prepared) = held::prepare(&an, &graph, span, &self.held) {
                drop(an);
                self.held.insert(prepared.header);
                self.marks.cut_after.insert(prepared.last);
                self.prepared = Some(prepared);
                drop(unsafe { self.copy.changed() });
                break;
            }
            match self.attempt(&an, &graph, (span, &[])) {
                Try::Declined => {}
                Try::Emitted => {
                    drop(an);
                    unsafe { self.settle_emitted(&graph, span, &before) };
                    break;
                }
            }
        }
        true
    }

    /// A round for one nest whose loads were replaced.
    unsafe fn prepared_round(&mut self, prepared: &held::Prepared) {
        let an = unsafe { self.copy.analyses() };
        let graph = Graph::new(&an, self.copy.function(), &self.marks);
        let before: BTreeSet<Block> = graph.loops.iter().map(|l| l.header).collect();
        let spans = delimit::delimit(&graph);
        let holds = |l: &LoopIx| graph.loops[*l].header == prepared.header;
        let span = spans.iter().find(|s| s.loops.iter().any(holds));
        let emitted = span.filter(|span| {
            let tried = self.attempt(&an, &graph, (span, &prepared.cells));
            matches!(tried, Try::Emitted)
        });
        prepared.restore();
        drop(an);
        match emitted {
            Some(span) => unsafe { self.settle_emitted(&graph, span, &before) },
            None => drop(unsafe { self.copy.changed() }),
        }
    }

    /// Tries a region, with these cells held.
    fn attempt(
        &mut self,
        an: &Analyses,
        graph: &Graph,
        (span, held): (&delimit::Span, &[held::Cell]),
    ) -> Try {
        let layout = unsafe { LLVMGetModuleDataLayout(self.copy.module()) };
        let extracted = match extract::extract(an, graph, (span, held), layout, &self.name) {
            Ok(extracted) => extracted,
            Err(refusal) => {
                self.mark(graph, span, refusal);
                return Try::Declined;
            }
        };
        let site = Site::new(self.copy.module(), self.copy.function(), &extracted);
        let mut found = None;
        let seen = |scop: &Scop| found = Some(describe(site.region(), scop));
        let budget = self.left.min(self.options.budget);
        let (result, work) =
            pipeline::optimize(site.region(), &self.target, self.options, budget, seen);
        if let Some(what) = found {
            let headers = extracted.loops.iter().map(|l| l.header());
            self.modelled.extend(headers);
            let remark = Remark::analysis("StaticControlPart", site.location())
                .text("static control part: ")
                .value("What", what);
            self.remarks.push(remark);
        }
        if result.is_err() {
            let taken = work.saturating_sub(self.options.budget / FREE);
            self.left = self.left.saturating_sub(taken);
        }
        match result {
            Ok(optimized) => match self.emit(&site, &optimized) {
                Ok(()) => return Try::Emitted,
                Err(refusal) => self.mark(graph, span, refusal),
            },
            Err(Declined {
                settled: true,
                reason,
                ..
            }) => self.give_up(graph, &span.loops, &reason, false),
            Err(declined) if declined.late && self.left == 0 => {
                self.give_up(graph, &span.loops, &declined.reason, false);
            }
            Err(declined) => {
                let Declined { reason, .. } = declined;
                let refusal = match (declined.loop_, declined.block) {
                    (Some(l), _) => site.refuse_loop(l, reason),
                    (None, Some(b)) => site.refuse_block(b, reason),
                    (None, None) => site.refuse(reason),
                };
                self.mark(graph, span, refusal);
            }
        }
        Try::Declined
    }

    /// Puts the new version beside the original.
    fn emit(&mut self, site: &Site<'_>, optimized: &Optimized) -> Result<(), Refusal> {
        let options = EmitOptions {
            sizes: match self.options.tile_sizes {
                TileSizes::Runtime => SizeSource::Environment,
                TileSizes::Auto | TileSizes::List(_) => SizeSource::Constant,
            },
        };
        let Optimized {
            program,
            scop,
            summary,
        } = optimized;
        polytile_codegen::emit(program, scop, &site.host(), &options)
            .map_err(|e| site.refuse(e.to_string()))?;
        self.copy.verify();
        let remark = Remark::passed("Transformed", site.location()).text("loop nest transformed: ");
        self.remarks.push(summary.tell(remark));
        self.remarks.extend(site.other_nests().into_iter().map(|l| {
            let remark = Remark::passed("Transformed", site.loop_location(l));
            let remark = remark.text("loop nest transformed together with the one");
            match &site.region().loc {
                Some(loc) => remark.text(" at ").value("Together", loc),
                None => remark.text(" in front of it"),
            }
        }));
        Ok(())
    }

    /// Leaves a mark that keeps the same region from being tried again.
    fn mark(&mut self, graph: &Graph, span: &delimit::Span, refusal: Refusal) {
        let Refusal { blame, reason, at } = refusal;
        match blame {
            Blame::Loop(header) => {
                let inner_may = true;
                self.marks.loops.insert(
                    header,
                    Mark {
                        reason,
                        at,
                        inner_may,
                    },
                );
            }
            Blame::Upto(v) if self.marks.cut_after.insert(v) => {}
            Blame::Region if span.loops.len() > 1 => {
                let headers = span.loops.iter().map(|l| graph.loops[*l].header);
                self.marks.alone.extend(headers);
            }
            Blame::Region | Blame::Upto(_) => self.give_up(graph, &span.loops, &reason, true),
        }
    }

    /// Tries none of these loops again; `inner_may`: but loops inside of them.
    fn give_up(&mut self, graph: &Graph, loops: &[LoopIx], reason: &str, inner_may: bool) {
        for l in loops {
            let mark = Mark {
                reason: reason.to_string(),
                at: None,
                inner_may,
            };
            self.marks.loops.insert(graph.loops[*l].header, mark);
        }
    }

    /// After emission: neither the new loops nor the originals beside them are looked at again, now or in a later run.
    unsafe fn settle_emitted(
        &mut self,
        graph: &Graph,
        span: &delimit::Span,
        before: &BTreeSet<Block>,
    ) {
        self.transformed = true;
        let an = unsafe { self.copy.changed() };
        let old = graph.loops.iter().enumerate();
        let old: BTreeSet<Block> = old
            .filter(|(l, _)| span.loops.iter().any(|s| graph.encloses(*s, Some(*l))))
            .map(|(_, l)| l.header)
            .collect();
        let now = Graph::new(&an, self.copy.function(), &Marks::default());
        for l in &now.loops {
            if old.contains(&l.header) || !before.contains(&l.header) {
                l.raw.mark_done();
            }
        }
    }
}
