//! What is known when a region is entered: conditions that dominate it, assumptions, ranges, and counters of the loops
//! around it.

use super::conditions::is_opaque;
use super::values::Table;
use crate::llvm::{Block, Value};
use polytile_analysis::region::{CmpPred, Cond, Def};
use polytile_analysis::scev::Scev;

/// Dominating branches that are looked at, and assumptions.
const MAX_FACTS: usize = 64;

/// Everything that is known at the region's entry; `preheader` is the block in front of it.
pub fn known(table: &mut Table<'_>, preheader: Block) -> Vec<Cond> {
    let mut facts = branches(table, preheader);
    facts.extend(assumptions(table));
    facts.extend(counters(table));
    facts.extend(ranges(table));
    facts.retain(|c| !is_opaque(c));
    facts
}

fn branches(table: &mut Table<'_>, preheader: Block) -> Vec<Cond> {
    let entry = table.entry();
    let mut facts = vec![];
    let mut at = Some(preheader);
    while let Some(b) = at.filter(|_| facts.len() < MAX_FACTS) {
        let t = b.terminator();
        let succs = t.successors();
        let conditional = succs.len() == 2 && succs[0] != succs[1];
        if let Some(c) = conditional.then(|| branch_condition(t)).flatten() {
            if table.an.edge_dominates(b, succs[0], entry) {
                facts.push(table.condition(c, entry));
            } else if table.an.edge_dominates(b, succs[1], entry) {
                facts.push(Cond::Not(Box::new(table.condition(c, entry))));
            }
        }
        at = table.an.immediate_dominator(b);
    }
    facts
}

fn branch_condition(t: Value) -> Option<Value> {
    match t.opcode() {
        llvm_sys::LLVMOpcode::LLVMBr => t.condition(),
        _ => None,
    }
}

fn assumptions(table: &mut Table<'_>) -> Vec<Cond> {
    let entry = table.entry();
    let first = entry.instructions()[0];
    let all = table.an.assumptions().into_iter();
    let holding: Vec<Value> = all
        .filter(|a| a.parent() != entry && table.an.instruction_dominates(*a, first))
        .take(MAX_FACTS)
        .collect();
    holding
        .into_iter()
        .map(|a| table.condition(a.operand(0), entry))
        .collect()
}

/// A counter runs from 0 to the number of times that the back edge is taken.
fn counters(table: &mut Table<'_>) -> Vec<Cond> {
    let entry = table.entry();
    let mut facts = vec![];
    let mut next = 0;
    // Counts may evolve in loops further out and bring their counters in.
    while next < table.counters.len() {
        let (l, counter) = table.counters[next];
        next += 1;
        let Some(count) = table.an.backedge_count(l) else {
            continue;
        };
        let (Some(rhs), id) = (table.convert(count, entry), table.id(counter)) else {
            continue;
        };
        let own = table.values[id.index()].scev.as_ref().map(|s| s.width);
        if own == Some(rhs.width) {
            let lhs = Scev::unknown(rhs.width, id);
            let pred = CmpPred::Ule;
            facts.push(Cond::Cmp { pred, lhs, rhs });
        }
    }
    facts
}

/// Bounds of the invariant integers that evolutions use.
fn ranges(table: &mut Table<'_>) -> Vec<Cond> {
    let mut facts = vec![];
    for (i, v) in table.values.iter().enumerate() {
        let Some(s) = v.scev.as_ref().filter(|_| v.def == Def::Invariant) else {
            continue;
        };
        let Some((low, high)) = table.an.signed_range(table.raw[i]) else {
            continue;
        };
        let bits = s.width.min(64);
        let bound = |c: i64| Scev::constant(s.width, c.into());
        let lhs = Scev::unknown(s.width, polytile_analysis::ids::ValueId::from(i));
        let mut fact = |pred, rhs| {
            facts.push(Cond::Cmp {
                pred,
                lhs: lhs.clone(),
                rhs,
            });
        };
        if low > i64::MIN >> (64 - bits) {
            fact(CmpPred::Sge, bound(low));
        }
        if high < i64::MAX >> (64 - bits) {
            fact(CmpPred::Sle, bound(high));
        }
    }
    facts
}
