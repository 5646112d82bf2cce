//! Module, functions, regions: what is looked at, in which order, and what happens after a failure.
//!
//! A function is worked on as a clone. First all its regions are extracted and optimized, which changes nothing but the
//! form of the clone; then the new versions are emitted, the last region first. If any was, the clone's body takes the
//! place of the function's; else the clone is deleted and the function is what it was. A panic anywhere leaves the
//! function as it was.

use crate::analyses::Analyses;
use crate::extract::delimit::{Span, delimit};
use crate::extract::graph::{Dirt, Graph, Marks};
use crate::extract::refusal::Blame;
use crate::extract::{self, Extracted};
use crate::ffi::{self, RawModule, Text};
use crate::llvm::{Block, Value};
use crate::options::{Options, TileSizes};
use crate::pipeline::{self, Declined, Optimized};
use crate::remarks::Remarks;
use llvm_sys::core::{LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName};
use llvm_sys::core::{
    LLVMGetFirstFunction, LLVMGetNextFunction, LLVMGetStringAttributeAtIndex,
    LLVMGetStringAttributeValue, LLVMGetTarget, LLVMIsDeclaration,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeIndex};
use polytile_codegen::{EmitOptions, Host, SizeSource};
use polytile_transform::target::Target;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs on a module; true if it changed.
///
/// # Safety
/// `module` is the shim's, alive during the call.
pub unsafe fn run(module: *mut RawModule, options: &Options) -> bool {
    let functions = unsafe { functions(module) };
    let mut changed = false;
    for f in functions {
        if unsafe { eligible(module, f, options) } {
            changed |= unsafe { function(module, f, options) };
        }
    }
    changed
}

unsafe fn functions(module: *mut RawModule) -> Vec<Value> {
    let mut all = vec![];
    unsafe {
        let mut f = LLVMGetFirstFunction(ffi::pt_module(module));
        while !f.is_null() {
            if LLVMIsDeclaration(f) == 0 {
                all.push(Value(f));
            }
            f = LLVMGetNextFunction(f);
        }
    }
    all
}

/// Names of functions that this pass made begin so.
const OWN: &str = "polytile.";

unsafe fn eligible(module: *mut RawModule, f: Value, options: &Options) -> bool {
    let name = f.name();
    let wanted = options.only.as_ref().is_none_or(|o| *o == name);
    let excluded = [
        "optnone",
        "optsize",
        "minsize",
        "naked",
        "presplitcoroutine",
    ];
    unsafe {
        wanted
            && !name.contains(OWN)
            && !excluded.iter().any(|a| has_attribute(f.0, a))
            && ffi::pt_has_loops(module, f.0)
            && !ffi::pt_has_address_taken_blocks(f.0)
    }
}

const FUNCTION_INDEX: LLVMAttributeIndex = LLVMAttributeFunctionIndex as LLVMAttributeIndex;

unsafe fn has_attribute(f: LLVMValueRef, name: &str) -> bool {
    unsafe {
        let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        !LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, kind).is_null()
    }
}

/// A string attribute of a function; empty if it has none.
unsafe fn attribute(f: LLVMValueRef, name: &str) -> String {
    unsafe {
        let size = u32::try_from(name.len()).unwrap_or(0);
        let found = LLVMGetStringAttributeAtIndex(f, FUNCTION_INDEX, name.as_ptr().cast(), size);
        if found.is_null() {
            return String::new();
        }
        let mut size = 0;
        let text = LLVMGetStringAttributeValue(found, &mut size);
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size as usize);
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// The processor that a function is compiled for.
unsafe fn target(module: *mut RawModule, f: Value) -> Target {
    unsafe {
        let triple = CStr::from_ptr(LLVMGetTarget(ffi::pt_module(module)))
            .to_string_lossy()
            .into_owned();
        let found = Target::lookup(
            &triple,
            &attribute(f.0, "target-cpu"),
            &attribute(f.0, "target-features"),
        );
        match attribute(f.0, "prefer-vector-width").parse() {
            Ok(bits) => found.at_most(bits),
            Err(_) => found,
        }
    }
}

/// A region that will be replaced.
struct Replacement {
    extracted: Extracted,
    optimized: Optimized,
}

unsafe fn function(module: *mut RawModule, f: Value, options: &Options) -> bool {
    let remarks = Remarks {
        module,
        function: f,
    };
    let clone = unsafe { Value(ffi::pt_clone(f.0, Text::new("polytile.clone"))) };
    let work = || unsafe {
        ffi::pt_canonicalize(module, clone.0);
        let target = target(module, f);
        let replacements = replacements(module, clone, &f.name(), &target, options, &remarks);
        emit(module, clone, replacements, options, &remarks)
    };
    let changed = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(changed) => changed,
        Err(panic) => {
            let why = message(&panic);
            remarks.failed(&why);
            if options.verify {
                unsafe {
                    ffi::pt_error(
                        module,
                        Text::new(&format!("polytile: internal error: {why}")),
                    )
                };
            }
            false
        }
    };
    unsafe {
        match changed {
            true => ffi::pt_commit(module, f.0, clone.0),
            false => ffi::pt_discard(module, clone.0),
        }
    }
    changed
}

fn message(panic: &Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}

/// A function with more regions than this is generated code; the rest stays as it is.
const MAX_ATTEMPTS: usize = 200;

/// Finds and optimizes regions until nothing is left to try.
unsafe fn replacements(
    module: *mut RawModule,
    clone: Value,
    name: &str,
    target: &Target,
    options: &Options,
    remarks: &Remarks,
) -> Vec<Replacement> {
    let layout = unsafe { llvm_sys::target::LLVMGetModuleDataLayout(ffi::pt_module(module)) };
    let an = unsafe { Analyses::new(module, clone) };
    an.strip_lifetimes_in_loops(clone);
    let mut marks = Marks::default();
    let mut found = vec![];
    for _ in 0..MAX_ATTEMPTS {
        let graph = Graph::new(&an, clone, &marks);
        let Some(span) = delimit(&graph).into_iter().next() else {
            unmodelled(&graph, remarks);
            break;
        };
        let at = location(&graph, &span);
        let headers: Vec<Block> = span.loops.iter().map(|l| graph.loops[*l].header).collect();
        let loops: Vec<_> = span.loops.iter().map(|l| graph.loops[*l].raw).collect();
        match extract::extract(&an, &graph, &span, layout, name) {
            Err(refusal) => match refusal.blame {
                Blame::Loop(header) => {
                    marks.loops.insert(header, refusal.reason);
                }
                Blame::Upto(inst) => {
                    marks.cut_after.insert(inst);
                }
                Blame::Region => {
                    remarks.missed(at, &refusal.reason);
                    for h in headers {
                        marks.loops.insert(h, refusal.reason.clone());
                    }
                }
            },
            Ok(extracted) => match pipeline::optimize(&extracted.region, target, options) {
                Ok(optimized) => {
                    remarks.passed(at, &optimized.summary);
                    loops.iter().for_each(|l| l.mark_done());
                    found.push(Replacement {
                        extracted,
                        optimized,
                    });
                }
                Err(declined) if declined.stopped => loops.iter().for_each(|l| l.mark_done()),
                Err(declined) => {
                    remarks.missed(at, &declined.reason);
                    decline(&extracted, &declined, &headers, &mut marks);
                }
            },
        }
    }
    found
}

/// Loops that no region could hold.
fn unmodelled(graph: &Graph, remarks: &Remarks) {
    for l in &graph.loops {
        let why = match &l.dirt {
            Some(Dirt::Instruction(inst)) => format!("it contains '{}'", inst.mnemonic()),
            Some(Dirt::Exits(n)) => format!("it has {n} exits"),
            Some(Dirt::Form) => "its control flow is not that of a counted loop".to_string(),
            Some(Dirt::Rejected(_) | Dirt::Done | Dirt::Inner(_)) | None => continue,
        };
        remarks.missed(l.raw.location(), &why);
    }
}

fn location(graph: &Graph, span: &Span) -> llvm_sys::prelude::LLVMMetadataRef {
    let first = span.loops.first();
    first.map_or(std::ptr::null_mut(), |l| graph.loops[*l].raw.location())
}

/// Keeps what is to blame out of the next region.
fn decline(extracted: &Extracted, declined: &Declined, headers: &[Block], marks: &mut Marks) {
    let region = &extracted.region;
    let blamed = declined
        .loop_
        .or_else(|| declined.block.and_then(|b| region.block(b).loop_));
    match blamed {
        Some(l) => {
            marks
                .loops
                .insert(extract::header(extracted, l), declined.reason.clone());
        }
        // Nobody in particular: look at each nest alone, then inside.
        None if headers.len() > 1 => {
            let first = extracted
                .region
                .loops
                .iter()
                .position(|l| l.parent.is_none());
            let block = first.map(|i| extracted.loops[i].header());
            let cut = block.and_then(|b| after_loop(extracted, b));
            match cut {
                Some(inst) => {
                    marks.cut_after.insert(inst);
                }
                None => {
                    for h in headers {
                        marks.loops.insert(*h, declined.reason.clone());
                    }
                }
            }
        }
        None => {
            for h in headers {
                marks.loops.insert(*h, declined.reason.clone());
            }
        }
    }
}

/// An instruction behind the first nest of a region that a region may end with.
fn after_loop(_extracted: &Extracted, _header: Block) -> Option<Value> {
    None
}

/// Emits the new versions, the last region first.
unsafe fn emit(
    module: *mut RawModule,
    clone: Value,
    replacements: Vec<Replacement>,
    options: &Options,
    remarks: &Remarks,
) -> bool {
    let emit_options = EmitOptions {
        sizes: match options.tile_sizes {
            TileSizes::Runtime => SizeSource::Environment,
            TileSizes::Auto | TileSizes::List(_) => SizeSource::Constant,
        },
    };
    let mut changed = false;
    for r in replacements.iter().rev() {
        let values: Vec<LLVMValueRef> = r.extracted.values.iter().map(|v| v.0).collect();
        let bases: Vec<LLVMValueRef> = r.extracted.bases.iter().map(|v| v.0).collect();
        let host = Host {
            module: unsafe { ffi::pt_module(module) },
            function: clone.0,
            preheader: r.extracted.preheader.0,
            entry: r.extracted.blocks[0].0,
            exit: r.extracted.exit.0,
            values: &values,
            bases: &bases,
            distinct_node: ffi::pt_distinct_node,
            add_subprogram: ffi::pt_add_subprogram,
        };
        match polytile_codegen::emit(
            &r.optimized.program,
            &r.optimized.scop,
            &host,
            &emit_options,
        ) {
            Ok(()) => changed = true,
            Err(e) => remarks.missed(std::ptr::null_mut(), &e.to_string()),
        }
    }
    changed
}
