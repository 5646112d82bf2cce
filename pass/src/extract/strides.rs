//! Strides that are no element: [`strided`].
//!
//! ```text
//! %s = load i64, %description + 40;  br (%s == 8), loops without gaps, loops with gaps
//! ```
//!
//! Where a program has a version for arrays without gaps, it is of no use to assume in the other one that there are none.

use super::opcode::int_predicate;
use super::values::Table;
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::{LLVMBr, LLVMICmp};
use polytile_analysis::ids::ValueId;
use polytile_analysis::region::CmpPred;

/// Values loaded in front of a region of which the way there says that they differ from a constant.
pub fn strided(table: &Table<'_>, preheader: Block) -> Vec<ValueId> {
    let loaded =
        |v: &Value| v.is_instruction() && v.effect() == Effect::Load && table.inside(*v).is_none();
    let all = table.raw.iter().enumerate();
    let found = all.filter(|(_, v)| loaded(v) && differs(table, **v, preheader));
    found.map(|(i, _)| ValueId::from(i)).collect()
}

/// Whether a load of the same cell was compared with a constant, and is not equal on the way to a block.
fn differs(table: &Table<'_>, load: Value, at: Block) -> bool {
    let same = |u: &Value| {
        u.is_instruction() && u.effect() == Effect::Load && u.raw_type() == load.raw_type()
    };
    let loads = load.operand(0).users().into_iter().filter(same);
    loads.flat_map(Value::users).any(|test| {
        let compares = test.is_instruction()
            && test.opcode() == LLVMICmp
            && test.operand(1).int_constant().is_some();
        let unequal = match compares.then(|| int_predicate(test)) {
            Some(CmpPred::Eq) => 1,
            Some(CmpPred::Ne) => 0,
            _ => return false,
        };
        let branches = test.users().into_iter().filter(|b| b.opcode() == LLVMBr);
        branches.into_iter().any(|b| {
            let to = b.successors();
            to.len() == 2 && to[0] != to[1] && table.an.edge_dominates(b.parent(), to[unequal], at)
        })
    })
}
