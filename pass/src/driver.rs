//! From a module to its regions, and back.
//!
//! Every function with loops is worked on in a copy. If a region of the copy was transformed, its body replaces the
//! original's; in all other cases, a panic included, the copy is thrown away and the function stays as it was, bit for
//! bit.
//!
//! Regions are tried in rounds: find them, try each. A refusal leaves a mark (not this loop; not across this
//! instruction), and the next round finds smaller regions. Every try leaves a mark, so the rounds come to an end. All of it is
//! paid from the function's account ([`crate::account`]).

use crate::account::{self, Account, ModuleAccount};
use crate::analyses::Analyses;
use crate::copy::WorkingCopy;
use crate::extract::Extracted;
use crate::extract::graph::{Graph, LoopIx, Mark, Marks};
use crate::extract::refusal::{Blame, Refusal};
use crate::extract::{self, delimit, held};
use crate::ffi::{self, RawModule, Text};
use crate::given::{Given, Note};
use crate::llvm::{Block, Value};
use crate::missed::{describe, missed};
use crate::options::{Options, Parallel, Report, Select, TileSizes};
use crate::pipeline::{self, Declined, Optimized};
use crate::reason::{Kind, Reason};
use crate::remarks::Remark;
use crate::rights::{self, Rights};
use crate::same;
use crate::site::Site;
use crate::stats::{Stats, Tally};
use crate::untouched::{Worked, hopeless, left_alone};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMModuleRef;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSize};
use polytile_analysis::ast::Program;
use polytile_analysis::ids::LoopId;
use polytile_analysis::scop::Scop;
use polytile_codegen::{EmitOptions, OWN, Reports, SizeSource};
use polytile_transform::target::Target;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How what emitted code calls is linked.
const LINKER: polytile_codegen::Linker = polytile_codegen::Linker {
    link_needed: ffi::pt_link_needed,
    inline_call: ffi::pt_inline_call,
};

/// Runs on a module; true if it changed.
///
/// # Safety
/// Called by the pass, with a module that nobody else touches meanwhile.
pub unsafe fn run(module: *mut RawModule, options: &Options) -> bool {
    let raw = unsafe { ffi::pt_module(module) };
    if unsafe { LLVMPointerSize(LLVMGetModuleDataLayout(raw)) } != 8 {
        return false;
    }
    let source = unsafe { text(raw, LLVMGetSourceFileName) };
    let given = match Given::read(options, &source) {
        Ok(given) => given,
        Err(e) => {
            unsafe { error(module, &e) };
            return false;
        }
    };
    let functions = unsafe { crate::copy::hot_first(module) };
    let instructions = functions.iter().map(|f| account::size(*f)).sum();
    let mut account = ModuleAccount::new(instructions, options.budget);
    let said = unsafe { rights::Module::new(raw) };
    unsafe { ffi::pt_foresee(module) };
    let mut changed = false;
    let mut names = vec![];
    let mut enabled = vec![];
    let mut stats = Stats {
        module: unsafe { text(raw, LLVMGetModuleIdentifier) },
        ..Stats::default()
    };
    for f in functions {
        if unsafe { is_enabled(module, f, options) } {
            names.push(f.name());
            enabled.push(f);
            let rights = said.rights(f);
            let (done, counted) =
                unsafe { isolated(module, f, (options, &given), rights, &mut account) };
            changed |= done;
            stats.add(&counted);
        }
    }
    if changed {
        unsafe {
            ffi::pt_forget_foreseen(module);
            same::unite(module);
        }
        if let Err(e) = unsafe { polytile_codegen::link(raw, &LINKER) } {
            unsafe { error(module, &e) };
        }
    }
    if let Some(file) = &options.stats
        && let Err(e) = stats.tell(file)
    {
        unsafe { error(module, &e) };
    }
    if let Some(file) = &options.candidates
        && let Err(e) = given.tell_listed(file)
    {
        unsafe { error(module, &e) };
    }
    let unwritten = given.exports.write().unwrap_or_else(|e| {
        unsafe { error(module, &e) };
        vec![]
    });
    unsafe { tell_of_database(module, &given, &enabled) };
    let (errors, warnings) = given.missed(&names);
    for e in &errors {
        unsafe { error(module, e) };
    }
    for w in warnings.iter().chain(&unwritten) {
        let _ = writeln!(std::io::stderr(), "warning: polytile: {w}");
    }
    changed
}

/// Says what of the tuner's database is of no use in this module.
unsafe fn tell_of_database(module: *mut RawModule, given: &Given, functions: &[Value]) {
    let Some(database) = &given.database else {
        return;
    };
    let tell = |f: Value, text: &str| {
        let remark = Remark::missed("Database", std::ptr::null_mut()).value("Flaw", text);
        unsafe { remark.send(module, f) };
    };
    if let Some(first) = functions.first() {
        database.flaws().iter().for_each(|flaw| tell(*first, flaw));
    }
    let names: Vec<String> = functions.iter().map(|f| f.name()).collect();
    for (function, text) in database.stale(&names) {
        let at = names.iter().position(|n| *n == function);
        at.into_iter().for_each(|at| tell(functions[at], &text));
    }
}

/// A text that a module has.
unsafe fn text(
    module: LLVMModuleRef,
    get: unsafe extern "C" fn(LLVMModuleRef, *mut usize) -> *const c_char,
) -> String {
    let mut size = 0;
    unsafe {
        let text = get(module, &mut size);
        let text = std::slice::from_raw_parts(text.cast::<u8>(), size);
        String::from_utf8_lossy(text).into_owned()
    }
}

/// Makes the compilation fail.
unsafe fn error(module: *mut RawModule, text: &str) {
    let text = format!("polytile: {text}");
    unsafe { ffi::pt_error(module, Text::new(&text)) };
}

/// Whether a function is to be looked at.
unsafe fn is_enabled(module: *mut RawModule, f: Value, options: &Options) -> bool {
    let named = options.only.as_ref().is_none_or(|only| f.name() == *only);
    unsafe {
        LLVMIsDeclaration(f.0) == 0
            && LLVMGetLinkage(f.0) != llvm_sys::LLVMLinkage::LLVMAvailableExternallyLinkage
            && named
            && !f.name().contains(OWN)
            && f.string_attribute(polytile_codegen::DONE).is_none()
            && !ffi::pt_has_address_taken_blocks(f.0)
            && ffi::pt_has_loops(module, f.0)
    }
}

/// One function: whether it changed, and its counts. A panic leaves it as it was.
unsafe fn isolated(
    module: *mut RawModule,
    f: Value,
    (options, given): (&Options, &Given),
    rights: Rights,
    account: &mut ModuleAccount,
) -> (bool, Stats) {
    let worked = catch_unwind(AssertUnwindSafe(|| unsafe {
        match rights {
            Rights::All => function(module, f, (options, given), None, account),
            Rights::NoCalls(why) => {
                let options = Options {
                    parallel: Parallel::Off,
                    select: Select::Model,
                    report: Report::Off,
                    ..options.clone()
                };
                function(module, f, (&options, given), Some(why), account)
            }
            Rights::None(why) => left_alone(module, f, why, options),
        }
    }));
    match worked {
        Ok(Worked {
            error: Some(wrong), ..
        }) => {
            unsafe { error(module, &wrong) };
            (false, Stats::default())
        }
        Ok(worked) => {
            for r in &worked.remarks {
                unsafe { r.send(module, f) };
            }
            (worked.changed, worked.stats)
        }
        Err(panic) => {
            let why = message(panic.as_ref());
            let remark = Remark::missed("InternalError", std::ptr::null_mut())
                .text("function left as it was: internal error: ")
                .value("Error", &why);
            unsafe { remark.send(module, f) };
            if options.verify {
                let text = format!("internal error in '{}': {why}", f.name());
                unsafe { error(module, &text) };
            }
            (false, Stats::default())
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

/// The processor with the numbers that the user gives for it.
fn judged(target: Target, given: &Given) -> Target {
    match &given.numbers {
        Some(numbers) => numbers.of(target),
        None => target,
    }
}

/// Whether regions may have ways out that data decides about: what is read of them in vain has to be readable, which not every system tells, and
/// both versions cannot be compared.
fn may_leave_early(module: LLVMModuleRef, options: &Options, no_calls: Option<&str>) -> bool {
    let triple = unsafe { CStr::from_ptr(LLVMGetTarget(module)) };
    let triple = triple.to_string_lossy();
    let system = ["linux-gnu", "linux-musl"]
        .iter()
        .any(|s| triple.ends_with(s));
    let known = triple.starts_with("x86_64") && system;
    known && no_calls.is_none() && !options.run_both
}

/// `no_calls`: why the function must not call what it did not call.
unsafe fn function(
    module: *mut RawModule,
    f: Value,
    given: (&Options, &Given),
    no_calls: Option<&'static str>,
    account: &mut ModuleAccount,
) -> Worked {
    if unsafe { !ffi::pt_has_candidates(module, f.0) } {
        return unsafe { hopeless(module, f, given.0) };
    }
    let mut worked = |loans| unsafe { worked(module, (f, loans), given, no_calls, account) };
    worked(true).unwrap_or_else(|| worked(false).expect("nothing was lent"))
}

/// Works on a copy of a function, with loans or without; `None` if they cannot be given back.
unsafe fn worked(
    module: *mut RawModule,
    (f, loans): (Value, bool),
    (options, given): (&Options, &Given),
    no_calls: Option<&'static str>,
    account: &mut ModuleAccount,
) -> Option<Worked> {
    let copy = unsafe { WorkingCopy::new(module, f, loans) };
    let counted = options.stats.as_ref();
    let tally = counted.map(|_| Tally::of(&unsafe { copy.analyses() }, copy.function()));
    let mut work = Work {
        copy: &copy,
        tally: tally.unwrap_or_default(),
        options,
        given,
        error: None,
        no_calls,
        target: judged(target(copy.module(), f), given),
        name: f.name(),
        marks: Marks {
            leaves_early: may_leave_early(copy.module(), options, no_calls),
            ..Marks::default()
        },
        remarks: vec![],
        modelled: BTreeSet::new(),
        account: account.function(account::size(f)),
        transformed: false,
        faults: vec![],
        held: BTreeSet::new(),
        prepared: None,
    };
    while work.error.is_none() && unsafe { work.round() } {}
    let Work {
        remarks,
        transformed,
        error,
        faults,
        tally,
        ..
    } = work;
    for fault in faults.iter().filter(|_| options.verify) {
        let text = format!("polytile: self-check failed in '{}': {fault}", f.name());
        unsafe { ffi::pt_error(module, Text::new(&text)) };
    }
    let mut changed = transformed && error.is_none();
    if changed {
        copy.function().add_attribute(polytile_codegen::DONE);
        changed = unsafe { copy.commit() };
    }
    let lost = transformed && error.is_none() && !changed;
    (!lost).then(|| Worked {
        changed,
        remarks,
        error,
        stats: tally.finish(),
    })
}

/// Where control leaves the body of a call, from one of its blocks on.
fn ends_of_body(bodies: &BTreeSet<Block>, from: Block) -> Vec<Value> {
    let (mut seen, mut pending) = (BTreeSet::from([from]), vec![from]);
    let mut ends = vec![];
    while let Some(block) = pending.pop() {
        let last = block.terminator();
        for next in last.successors() {
            match bodies.contains(&next) {
                true if seen.insert(next) => pending.push(next),
                true => {}
                false => ends.push(last),
            }
        }
    }
    ends
}

/// The work on one function.
struct Work<'a> {
    copy: &'a WorkingCopy,
    options: &'a Options,
    given: &'a Given,
    /// What the user asked for in vain.
    error: Option<String>,
    /// Why the function must not call what it did not call.
    no_calls: Option<&'static str>,
    tally: Tally,
    target: Target,
    name: String,
    marks: Marks,
    remarks: Vec<Remark>,
    /// Headers of the loops that were part of a SCoP.
    modelled: BTreeSet<Block>,
    /// What may still be done.
    account: Account<'a>,
    transformed: bool,
    /// Self-checks that failed.
    faults: Vec<String>,
    /// Headers of the loops whose loads were replaced once.
    held: BTreeSet<Block>,
    /// What the next round tries.
    prepared: Option<held::Prepared>,
}

/// Regions in the order in which they are tried. Of many, as inlining collects them in `main`, those in loops of the program come first (steps of time), and of those
/// the small ones: a large one may spend the function's account and be declined in the end, and hot loops are rarely large.
fn hot_first<'s>(
    an: &Analyses,
    graph: &Graph,
    spans: &'s [delimit::Span],
) -> Vec<&'s delimit::Span> {
    let mut order: Vec<&delimit::Span> = spans.iter().collect();
    if spans.len() < MANY {
        return order;
    }
    let mut sizes: BTreeMap<Block, usize> = BTreeMap::new();
    for b in graph.position.keys() {
        let size = b.instructions().len();
        for l in std::iter::successors(an.loop_of(*b), |l| l.parent()) {
            *sizes.entry(l.header()).or_default() += size;
        }
    }
    let own = |s: &delimit::Span| -> Vec<Block> {
        s.loops.iter().map(|l| graph.loops[*l].header).collect()
    };
    let size = |s: &delimit::Span| -> usize { own(s).iter().filter_map(|h| sizes.get(h)).sum() };
    let around = |h: &Block| std::iter::successors(an.loop_of(*h), |l| l.parent()).count();
    let depth = |s: &delimit::Span| own(s).iter().map(around).max();
    order.sort_by_cached_key(|s| (std::cmp::Reverse(depth(s)), size(s)));
    order
}

/// So many regions are not tried in their order.
const MANY: usize = 8;

/// What a try came to.
enum Try {
    /// The analyses do not fit the function any more.
    Emitted,
    /// They do.
    Declined,
}

/// How many loops are around what was extracted.
fn around(extracted: &Extracted) -> usize {
    let outer = extracted.loops.first().and_then(|l| l.parent());
    std::iter::successors(outer, |l| l.parent()).count()
}

/// The header of the nest of a region that the loop with a header is in.
fn nest_of(graph: &Graph, span: &delimit::Span, header: Block) -> Option<Block> {
    let inner = graph.loops.iter().position(|l| l.header == header);
    let mut nests = span.loops.iter();
    let nest = nests.find(|l| graph.encloses(**l, inner))?;
    Some(graph.loops[*nest].header)
}

impl Work<'_> {
    /// One round; false if it found nothing to do.
    unsafe fn round(&mut self) -> bool {
        if let Some(prepared) = self.prepared.take() {
            unsafe { self.prepared_round(&prepared) };
            return true;
        }
        self.account.searched();
        let an = unsafe { self.copy.analyses() };
        let graph = Graph::new(&an, self.copy.function(), &self.marks);
        if !self.transformed {
            self.marks.first = graph.obstacles();
        }
        let spans = delimit::delimit(&graph);
        if spans.is_empty() {
            let left = missed(&graph, &self.modelled);
            self.tally.missed(&left);
            self.remarks.extend(left.into_iter().map(|m| m.remark));
            return false;
        }
        if self.leave_inlined(&graph, &spans) {
            return true;
        }
        let before: BTreeSet<Block> = graph.loops.iter().map(|l| l.header).collect();
        // The last nest first: what a cell holds in front of it is seen from loads in the original of those before it.
        let hold = |span| held::prepare(&an, &graph, span, &self.held);
        let held = match self.account.empty() {
            None => spans.iter().rev().find_map(hold),
            Some(_) => None,
        };
        if let Some(prepared) = held {
            drop(an);
            self.held.insert(prepared.header);
            self.marks.cut_after.insert(prepared.last);
            self.prepared = Some(prepared);
            drop(unsafe { self.copy.changed() });
            return true;
        }
        for span in hot_first(&an, &graph, &spans) {
            if let Some(empty) = self.account.empty() {
                self.give_up(
                    &graph,
                    &span.loops,
                    &Reason::new(Kind::Budget, empty.reason()),
                    false,
                );
                continue;
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

    /// Nests of functions that are inlined for the time being are tried in these functions, not here. Whether there were some.
    fn leave_inlined(&mut self, graph: &Graph, spans: &[delimit::Span]) -> bool {
        let bodies = self.copy.inlined();
        if bodies.is_empty() {
            return false;
        }
        let inlined = |l: &LoopIx| bodies.contains(&graph.loops[*l].header);
        let mut left: Vec<LoopIx> = vec![];
        let mut ends: Vec<Value> = vec![];
        for span in spans {
            match span.loops.iter().any(inlined) {
                true => left.extend(span.loops.iter().filter(|l| inlined(l))),
                // A part of a body cannot become the call again.
                false if bodies.contains(&span.begin.parent()) => {
                    let own = ends_of_body(&bodies, span.begin.parent());
                    match own.iter().all(|e| self.marks.cut_after.contains(e)) {
                        true => left.extend(&span.loops),
                        false => ends.extend(own),
                    }
                }
                false if bodies.contains(&span.end.parent()) => left.extend(&span.loops),
                false => {}
            }
        }
        let cut = !ends.is_empty();
        self.marks.cut_after.extend(ends);
        let why = Reason::new(
            Kind::Inner,
            "it is a loop of a function that is called here",
        );
        self.give_up(graph, &left, &why, false);
        cut || !left.is_empty()
    }

    /// A round for one nest whose loads were replaced.
    unsafe fn prepared_round(&mut self, prepared: &held::Prepared) {
        self.account.searched();
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
        let tried = self.extracted(graph, span, &extracted);
        extracted.pins.restore();
        if let (Try::Declined, Some(inspector)) = (&tried, extracted.inspector) {
            unsafe { self.copy.discard(inspector) };
        }
        tried
    }

    /// Tries what was extracted.
    fn extracted(&mut self, graph: &Graph, span: &delimit::Span, extracted: &Extracted) -> Try {
        let site = Site::new(self.copy.module(), self.copy.function(), extracted);
        let refused = |refusal| extracted.pins.unpinned(refusal);
        if self.options.run_both && !extracted.own.is_empty() {
            let words = "what iterations leave in memory of their own cannot be compared";
            let refusal = site.refuse_loop(LoopId(0), Reason::new(Kind::Pointer, words));
            self.mark(graph, span, refused(refusal));
            return Try::Declined;
        }
        let mut found = None;
        let tally = &mut self.tally;
        let host = site.host();
        let emits = |program: &Program, scop: &Scop| {
            polytile_codegen::check(program, scop, &host).map_err(|e| e.to_string())
        };
        let stages = pipeline::Clients {
            modelled: &mut |scop: &Scop| {
                found = Some(describe(site.region(), scop));
                tally.part(extracted, scop);
            },
            emits: &emits,
            calls: self.no_calls.is_none(),
            around: around(extracted),
        };
        let blocks = site.region().blocks.iter();
        self.account
            .described(blocks.map(|b| b.insts.len() as u64).sum());
        let budget = self.account.region(site.region().depth());
        let (result, work) = pipeline::optimize(
            site.region(),
            &self.target,
            (self.options, self.given),
            budget,
            stages,
        );
        if let Some(what) = found {
            let headers = extracted.loops.iter().map(|l| l.header());
            self.modelled.extend(headers);
            let remark = Remark::analysis("StaticControlPart", site.location())
                .text("static control part: ")
                .value("What", what);
            self.remarks.push(remark);
        }
        self.remarks
            .extend(self.given.notes().into_iter().map(|note| {
                let (remark, text) = match note {
                    Note::Passed(text) => (Remark::passed("Database", site.location()), text),
                    Note::Missed(text) => (Remark::missed("Database", site.location()), text),
                };
                remark.value("Database", text)
            }));
        self.account.charge(work);
        log::debug!(
            "{}: {}: {work} units of {budget}; {}",
            self.name,
            site.region()
                .loc
                .as_ref()
                .map_or(String::new(), ToString::to_string),
            match &result {
                Ok(_) => "transformed",
                Err(declined) => &declined.reason.words,
            }
        );
        if let Err(declined) = &result {
            self.account.idle(work);
            self.faults.extend(declined.fault.clone());
        }
        match result {
            Ok(optimized) => match self.emit(&site, &optimized) {
                Ok(()) => return Try::Emitted,
                Err(refusal) => self.mark(graph, span, refused(refusal)),
            },
            Err(Declined {
                settled: true,
                reason,
                error,
                ..
            }) => {
                self.error = error;
                if !self.without_ways_out(graph, span) {
                    self.give_up(graph, &span.loops, &reason, false);
                }
            }
            Err(declined) if declined.late && self.account.empty().is_some() => {
                self.give_up(graph, &span.loops, &declined.reason, false);
            }
            Err(declined) => {
                let Declined { reason, inst, .. } = declined;
                let at = inst.map(|i| extracted.values[i.index()]);
                let reason = reason.of(at);
                let mut refusal = match (declined.loop_, declined.block) {
                    (Some(l), _) => site.refuse_loop(l, reason),
                    (None, Some(b)) => site.refuse_block(b, reason),
                    (None, None) => site.refuse(reason),
                };
                refusal.at = at.or(refusal.at);
                self.mark(graph, span, refused(refusal));
            }
        }
        Try::Declined
    }

    /// Puts the new version beside the original.
    fn emit(&mut self, site: &Site<'_>, optimized: &Optimized) -> Result<(), Refusal> {
        // Copies take memory.
        let run_both = self.options.run_both && self.no_calls.is_none();
        let options = EmitOptions {
            measured: optimized.measured.filter(|_| !run_both),
            oversubscribe: self.options.parallel_min_us == 0,
            avoids_scatters: !self.target.core.scatters,
            memory: self.no_calls.is_none(),
            run_both,
            reports: match self.options.report {
                Report::Off => Reports::Off,
                Report::On => Reports::New,
                Report::All => Reports::All,
            },
            label: (optimized.hash.clone()).filter(|_| self.options.report == Report::All),
            sizes: match self.options.tile_sizes {
                _ if optimized.own_sizes => SizeSource::Constant,
                TileSizes::Runtime => SizeSource::Environment,
                TileSizes::Auto | TileSizes::List(_) => SizeSource::Constant,
            },
        };
        let Optimized {
            program,
            scop,
            summary,
            ..
        } = optimized;
        if let Some(why) = self
            .no_calls
            .filter(|_| polytile_codegen::calls(program, scop))
        {
            let reason = format!(
                "it would need memory of its own, and the function must call nothing: {why}"
            );
            return Err(site.refuse(Reason::new(Kind::Calls, reason)));
        }
        let before = self.copy.size();
        polytile_codegen::emit(program, scop, &site.host(), &options)
            .map_err(|e| site.refuse(Reason::new(Kind::SelfCheck, e.to_string())))?;
        let made = self.copy.size().saturating_sub(before);
        self.account.emitted(made);
        self.copy.verify();
        let remark = Remark::passed("Transformed", site.location()).text("loop nest transformed: ");
        self.remarks.push(summary.tell(remark));
        let remark = Remark::analysis("CodeSize", site.location())
            .text("the new version has ")
            .value("Made", made)
            .text(" instructions, the function had ")
            .value("Before", before);
        self.remarks.push(remark);
        let others = site.other_nests();
        self.tally.transformed(1 + others.len());
        self.remarks.extend(others.into_iter().map(|l| {
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
        log::debug!("{}: {}; {blame:?}", self.name, reason.words);
        if self.without_ways_out(graph, span) {
            return;
        }
        match blame {
            // Other nests that walk over its arrays in other ways may be what does not fit it.
            Blame::Loop(header)
                if reason.kind == Kind::Subscript
                    && span.loops.len() > 1
                    && (nest_of(graph, span, header))
                        .is_some_and(|nest| self.marks.alone.insert(nest)) => {}
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
            // What is in front of it may still be a region.
            Blame::Upto(v) if v.previous().is_some_and(|p| self.marks.cut_after.insert(p)) => {}
            Blame::Region if span.loops.len() > 1 => {
                let headers = span.loops.iter().map(|l| graph.loops[*l].header);
                self.marks.alone.extend(headers);
            }
            Blame::Region | Blame::Upto(_) => self.give_up(graph, &span.loops, &reason, true),
        }
    }

    /// Leaves loops that the program may leave early to what they were before: no part of a region. Whether there are some.
    fn without_ways_out(&mut self, graph: &Graph, span: &delimit::Span) -> bool {
        let mut any = false;
        for &l in &span.loops {
            let ways = graph.ways_out_of(l);
            if let Some(way) = ways.first() {
                any = true;
                let reason = Reason::new(Kind::Exits, format!("it has {} exits", 1 + ways.len()));
                let mark = Mark {
                    reason,
                    at: Some(*way),
                    inner_may: true,
                };
                self.marks.loops.insert(graph.loops[l].header, mark);
            }
        }
        any
    }

    /// Tries none of these loops again; `inner_may`: but loops inside of them.
    fn give_up(&mut self, graph: &Graph, loops: &[LoopIx], reason: &Reason, inner_may: bool) {
        for l in loops {
            let mark = Mark {
                reason: reason.clone(),
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
