//! Inspections: gathers of memory that nothing is known of, compared with what is written while the program runs.
//!
//! ```text
//! y[i] = sum of val[k] * x[col[k]]        x + 8 * col[k] for all k of all rows: is one of them in y?
//! ```
//!
//! A function of its own ([`inspector`]) computes the addresses as the region does, in front of the new version. That pays where
//! addresses are the smaller part of the work, and the rest is shared by threads.

use super::accesses::Bases;
use super::gathers::Settled;
use super::values::Table;
use crate::ffi;
use crate::llvm::{Block, Value};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use polytile_analysis::ids::BaseId;
use polytile_analysis::region::Inspection;
use std::ffi::c_void;

/// An address is compared with so many arrays at most.
const MAX_ARRAYS: usize = 8;

/// The inspector of a region, and what it gets. `None` where it could not tell: an address or a branch depends on what is written.
pub fn inspector(
    table: &mut Table<'_>,
    (bases, scopes): (&Bases, bool),
    settled: &Settled,
    exit: Block,
) -> Option<(Value, Inspection)> {
    let written: Vec<BaseId> = bases.written().collect();
    if written.len() > MAX_ARRAYS || written.iter().any(|b| bases.is_row(*b)) {
        return None;
    }
    let bits = |open: &[BaseId]| {
        let numbered = written.iter().enumerate();
        numbered.fold(0, |bits, (n, b)| bits | (u64::from(open.contains(b)) << n))
    };
    let gathers = settled.open.iter().map(|(load, open)| ffi::Open {
        load: load.0,
        written: bits(open),
        gather: true,
        own: false,
    });
    let mut loads: Vec<ffi::Open> = gathers.collect();
    for (base, load) in bases.loads() {
        let own = (bases.raw[base.index()], load);
        let meets = |b: &&BaseId| {
            let mut writes = bases.writes_of(**b);
            !writes.all(|w| table.an.no_alias(own, w, scopes))
        };
        let open: Vec<BaseId> = written.iter().filter(meets).copied().collect();
        if !open.is_empty() {
            loads.push(ffi::Open {
                load: load.0,
                written: bits(&open),
                gather: false,
                own: open.contains(&base),
            });
        }
    }
    let mut inputs: Vec<Value> = vec![];
    let (made, share) = made(table, exit, &loads, &mut inputs)?;
    let inspection = Inspection {
        written: written
            .iter()
            .map(|b| bases.bases[b.index()].value)
            .collect(),
        share: (share * 100.0).min(1e6) as u32,
        inputs: inputs.into_iter().map(|v| table.id(v)).collect(),
    };
    Some((made, inspection))
}

fn made(
    table: &Table<'_>,
    exit: Block,
    loads: &[ffi::Open],
    inputs: &mut Vec<Value>,
) -> Option<(Value, f64)> {
    unsafe extern "C" fn note(data: *mut c_void, input: LLVMValueRef) {
        unsafe { (*data.cast::<Vec<Value>>()).push(Value(input)) }
    }
    let blocks: Vec<LLVMBasicBlockRef> = table.blocks.iter().map(|b| b.0).collect();
    let mut share = 0.0;
    let made = unsafe {
        ffi::pt_inspector(
            table.an.module(),
            blocks.as_ptr(),
            blocks.len(),
            exit.0,
            loads.as_ptr(),
            loads.len(),
            &raw mut share,
            (&raw mut *inputs).cast(),
            note,
        )
    };
    (!made.is_null()).then_some((Value(made), share))
}
