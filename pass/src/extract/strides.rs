//! Strides that are no element: [`strided`], and those that hardly are: [`outer`].
//!
//! ```text
//! %s = load i64, %description + 40;  br (%s == 8), loops without gaps, loops with gaps
//! ```
//!
//! Where a program has a version for arrays without gaps, it is of no use to assume in the other one that there are none.
//!
//! ```text
//! typedef struct { CFI_index_t lower_bound, extent, sm; } CFI_dim_t;      // ISO_Fortran_binding.h
//! ```
//!
//! The first dimension of a Fortran array is the one whose elements lie side by side, and an array's description has its stride in front of
//! the others', at a distance of three words each.

use super::opcode::int_predicate;
use super::values::Table;
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::{LLVMBr, LLVMGetElementPtr, LLVMICmp, LLVMSelect};
use polytile_analysis::ids::ValueId;
use polytile_analysis::region::{CmpPred, Ty};
use std::collections::BTreeMap;

/// Values loaded in front of a region of which the way there says that they differ from a constant.
pub fn strided(table: &Table<'_>, preheader: Block) -> Vec<ValueId> {
    let all = loaded(table).into_iter();
    let found = all.filter(|(_, v)| differs(table, *v, preheader));
    found.map(|(id, _)| id).collect()
}

/// Words loaded in front of a region from where a description of dimensions has the same of an earlier dimension, which the function reads somewhere;
/// in the order of dimensions.
pub fn outer(table: &Table<'_>) -> Vec<ValueId> {
    let is_word = |id: ValueId| table.values[id.index()].ty == Ty::Int(64);
    let words = loaded(table).into_iter().filter(|(id, _)| is_word(*id));
    let words = words.map(|(id, load)| {
        let (object, at) = table.an.place(described(load.operand(0)));
        (id, object, at)
    });
    let words: Vec<(ValueId, Value, i64)> = words.collect();
    let mut read: BTreeMap<Value, Vec<i64>> = BTreeMap::new();
    for (_, object, at) in &words {
        let places = || words_of(table, *object);
        read.entry(*object).or_insert_with(places).push(*at);
    }
    let is_outer = |(_, object, at): &&(ValueId, Value, i64)| {
        let behind = |of: &i64| at > of && (at - of) % DIMENSION == 0;
        read[object].iter().any(behind)
    };
    let mut outer: Vec<&(ValueId, Value, i64)> = words.iter().filter(is_outer).collect();
    outer.sort_by_key(|(_, _, at)| *at);
    outer.into_iter().map(|w| w.0).collect()
}

/// Where the function reads words of an object, in whichever region.
fn words_of(table: &Table<'_>, object: Value) -> Vec<i64> {
    let addresses = object.users().into_iter();
    let addresses = addresses.filter(|u| u.is_instruction() && u.opcode() == LLVMGetElementPtr);
    let loads = addresses.flat_map(|a| a.users());
    let loads = loads.filter(|l| l.is_instruction() && l.effect() == Effect::Load);
    let places = loads.map(|l| table.an.place(l.operand(0)));
    places.filter(|p| p.0 == object).map(|p| p.1).collect()
}

/// The place of a description, where zeros are read if there is none.
fn described(pointer: Value) -> Value {
    match pointer.is_instruction() && pointer.opcode() == LLVMSelect {
        true => pointer.operand(2),
        false => pointer,
    }
}

/// Bytes of what is said of a dimension: its lower bound, extent and stride.
const DIMENSION: i64 = 24;

/// The values of a region that are loaded in front of it.
fn loaded(table: &Table<'_>) -> Vec<(ValueId, Value)> {
    let all = table.raw.iter().enumerate();
    let loads = all.filter(|(_, v)| {
        v.is_instruction() && v.effect() == Effect::Load && table.inside(**v).is_none()
    });
    loads.map(|(i, v)| (ValueId::from(i), *v)).collect()
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
