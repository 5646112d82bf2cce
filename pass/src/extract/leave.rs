//! Values that leave a region: each gets a PHI in the block after it, and all later uses go through that PHI.
//!
//! The region then has one place where a second version can hand over its values.

use super::graph::Graph;
use super::refusal::{Blame, Refusal};
use super::values::Table;
use crate::analyses::Analyses;
use crate::llvm::{Block, Value};
use crate::reason::{Kind, Reason};
use llvm_sys::core::{
    LLVMAddIncoming, LLVMBuildPhi, LLVMCreateBuilderInContext, LLVMDisposeBuilder,
    LLVMGetFirstInstruction, LLVMGetIncomingBlock, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetTypeContext, LLVMPositionBuilderBefore, LLVMReplaceAllUsesWith, LLVMSetOperand,
};
use polytile_analysis::ids::ValueId;
use std::collections::BTreeSet;

/// Where a region is left.
pub struct Leaving<'a> {
    /// The last block of the region.
    pub last: Block,
    /// The block after the region; the last block is its only predecessor.
    pub exit: Block,
    /// Which edges lead to where control does not return, or out of the nest.
    pub graph: &'a Graph,
}

/// Gives the users of PHIs with one incoming value that value, where both belong to the same loops.
///
/// Such PHIs are what [`live_out`] left when a region was given up, and they would leave the next one in turn.
pub fn fold(an: &Analyses, blocks: &[Block]) {
    for phi in blocks.iter().flat_map(|b| b.instructions()) {
        if !phi.is_phi() {
            continue;
        }
        if let [(_, v)] = phi.incoming()[..]
            && (!v.is_instruction() || an.loop_of(v.parent()) == an.loop_of(phi.parent()))
        {
            unsafe { LLVMReplaceAllUsesWith(phi.0, v.0) };
        }
    }
}

/// The values that leave the region.
pub fn live_out(table: &mut Table<'_>, way: &Leaving<'_>) -> Result<Vec<ValueId>, Refusal> {
    let blocks = table.blocks.clone();
    let traps = Traps::new(&blocks, way);
    let mut leaving = vec![];
    for inst in blocks.iter().flat_map(|b| b.instructions()) {
        let outside = |u: &Value| {
            let b = u.parent();
            table.block_id(b).is_none()
                && !traps.own.contains(&b)
                && !places(inst, *u).iter().all(|p| traps.own.contains(p))
                && !at_edges(table, inst, *u, way)
        };
        let users: Vec<Value> = inst.users().into_iter().filter(outside).collect();
        // A PHI that takes it on edges of both kinds cannot take another value on one of them.
        let both = |b: &Block, u: &Value| u.parent() != way.exit && table.block_id(*b).is_some();
        let shared = |u: &Value| {
            let mut places = places(inst, *u).into_iter();
            places.any(|b| traps.shared.contains(&b) || both(&b, u))
        };
        if users.iter().any(shared) {
            return Err(Refusal {
                blame: Blame::Region,
                reason: Reason::new(
                    Kind::ControlFlow,
                    "a value is used on a path that never returns",
                ),
                at: Some(inst),
            });
        }
        if !users.is_empty() {
            leaving.push(table.id(inst));
            merge(inst, &users, way, &traps);
        }
    }
    Ok(leaving)
}

/// The blocks at which a value is used by a user: those from which a PHI takes it.
fn places(v: Value, user: Value) -> Vec<Block> {
    if !user.is_phi() {
        return vec![user.parent()];
    }
    let incoming = user.incoming().into_iter();
    incoming.filter(|(_, x)| *x == v).map(|(b, _)| b).collect()
}

/// Whether a PHI takes a value on edges out of the nest only.
fn at_edges(table: &Table<'_>, v: Value, phi: Value, way: &Leaving<'_>) -> bool {
    let to = phi.parent();
    let leaves = |from: &Block| table.block_id(*from).is_some() && way.graph.is_left(*from, to);
    phi.is_phi() && (phi.incoming().iter()).all(|(from, x)| *x != v || leaves(from))
}

/// The blocks from which control cannot return, by who leads to them.
struct Traps {
    /// The region alone: its values may be used there, as the original version stays.
    own: BTreeSet<Block>,
    /// The region and what follows it: no one PHI holds a value there.
    shared: BTreeSet<Block>,
}

impl Traps {
    fn new(blocks: &[Block], way: &Leaving<'_>) -> Traps {
        let inside: BTreeSet<Block> = blocks.iter().copied().collect();
        let from = |start: Vec<Block>| {
            let mut seen: BTreeSet<Block> = BTreeSet::new();
            let mut pending = start;
            while let Some(b) = pending.pop() {
                if !inside.contains(&b) && seen.insert(b) {
                    pending.extend(b.successors());
                }
            }
            seen
        };
        let edges = (blocks.iter()).flat_map(|b| b.successors().into_iter().map(|to| (*b, to)));
        let left = edges.filter(|(b, to)| way.graph.is_left(*b, *to));
        let early = from(left.map(|(_, to)| to).collect());
        let late = match early.is_empty() {
            true => BTreeSet::new(),
            false => from(vec![way.exit]),
        };
        Traps {
            own: early.difference(&late).copied().collect(),
            shared: early.intersection(&late).copied().collect(),
        }
    }
}

/// Puts a PHI in the place of a value where it is used later; a PHI of later code keeps the value on edges from traps of the region, which the
/// new PHI does not reach.
fn merge(inst: Value, users: &[Value], way: &Leaving<'_>, traps: &Traps) {
    let from_trap = |user: &Value, i: u32| {
        user.is_phi() && (traps.own).contains(&Block(unsafe { LLVMGetIncomingBlock(user.0, i) }))
    };
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(inst.raw_type()));
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(way.exit.0));
        let phi = LLVMBuildPhi(builder, inst.raw_type(), c"".as_ptr());
        LLVMAddIncoming(phi, [inst.0].as_mut_ptr(), [way.last.0].as_mut_ptr(), 1);
        LLVMDisposeBuilder(builder);
        for user in users {
            for i in 0..u32::try_from(LLVMGetNumOperands(user.0)).unwrap_or(0) {
                if LLVMGetOperand(user.0, i) == inst.0 && !from_trap(user, i) {
                    LLVMSetOperand(user.0, i, phi);
                }
            }
        }
    }
}
