//! Ways out of a nest that data decides about: `if (d <= 0) return -1;` in a factorization.
//!
//! A region has one exit, and such a way is none: it is left out, as ways into traps are. The new version computes what comes of all iterations, into
//! memory of its own, and whether one of them would have left. If so, nothing was changed, and the original runs and leaves.
//!
//! An edge is such a way if
//!
//! * its branch stands in a loop that another block leaves after a known number of iterations, and
//! * nothing is known of when it is taken: it depends on data;
//! * all loops around are left, and there are three at least, for copies to be worth it;
//! * the outermost loop's number means something in it, and the condition does not depend on what was summed up over two loops: otherwise it tells whether
//!   a result is good enough, and comes true.

use super::graph::Mark;
use super::order::nest;
use crate::analyses::{Analyses, Loop};
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::core::LLVMGetTypeKind;
use std::collections::{BTreeMap, BTreeSet};

/// From the branch and to where.
pub type Edge = (Block, Block);

/// The loops of a nest.
const MIN_DEPTH: usize = 3;

/// More blocks than this in a nest are no factorization.
const MAX_BLOCKS: usize = 40;

/// The ways out of the nests of a function; `kept` are its blocks without traps, `marks` the loops that no region can hold.
pub fn ways_out(an: &Analyses, kept: &[Block], marks: &BTreeMap<Block, Mark>) -> BTreeSet<Edge> {
    let by_data = |b: &&Block| is_data(b.terminator().condition());
    let mut found = BTreeSet::new();
    for &b in kept.iter().filter(by_data) {
        let nest = nest(an, b);
        let (Some(&outer), Some(&inner)) = (nest.first(), nest.last()) else {
            continue;
        };
        let out: Vec<Block> = (b.successors().into_iter())
            .filter(|s| kept.contains(s) && !is_inside(an, *s, outer))
            .collect();
        let [to] = out[..] else {
            continue;
        };
        let inside = || kept.iter().filter(|x| is_inside(an, **x, outer));
        let deep = inside().any(|x| nest_of(an, *x, outer) >= MIN_DEPTH);
        if deep
            && inside().count() <= MAX_BLOCKS
            && moves(an, outer)
            && !nest.iter().any(|l| marks.contains_key(&l.header()))
            && an.exit_count(inner, b).is_none()
            && !sums_up(an, b.terminator())
            && nest.iter().all(|l| is_counted(an, *l, b, kept))
        {
            found.insert((b, to));
        }
    }
    found
}

fn is_inside(an: &Analyses, b: Block, l: Loop) -> bool {
    nest(an, b).contains(&l)
}

/// How many loops are around a block from one of them on.
fn nest_of(an: &Analyses, b: Block, outer: Loop) -> usize {
    let nest = nest(an, b);
    nest.iter().skip_while(|l| **l != outer).count()
}

/// Whether another block leaves a loop after a known number of iterations.
fn is_counted(an: &Analyses, l: Loop, but: Block, kept: &[Block]) -> bool {
    let leaves = |b: &&Block| {
        **b != but
            && is_inside(an, **b, l)
            && (b.successors().iter()).any(|s| kept.contains(s) && !is_inside(an, *s, l))
    };
    (kept.iter().filter(leaves))
        .any(|b| an.loop_of(*b) == Some(l) && an.exit_count(l, *b).is_some())
}

/// Whether what a loop counts is used in it for more than to count.
fn moves(an: &Analyses, l: Loop) -> bool {
    use llvm_sys::LLVMOpcode::LLVMICmp;
    let means = |v: Value, but: Value| {
        let inside = |u: &Value| *u != but && is_inside(an, u.parent(), l);
        let mut users = v.users().into_iter().filter(inside);
        users.any(|u| u.opcode() != LLVMICmp)
    };
    let phis = l.header().instructions().into_iter();
    let counters = phis.take_while(|i| i.is_phi()).filter(|i| !is_float(*i));
    counters.into_iter().any(|phi| {
        let mut next = phi.incoming().into_iter().filter(|(b, _)| *b == l.latch());
        next.any(|(_, next)| means(phi, next) || next.is_instruction() && means(next, phi))
    })
}

fn is_float(v: Value) -> bool {
    use llvm_sys::LLVMTypeKind::{LLVMIntegerTypeKind, LLVMPointerTypeKind};
    let kind = unsafe { LLVMGetTypeKind(v.raw_type()) };
    !matches!(kind, LLVMIntegerTypeKind | LLVMPointerTypeKind)
}

/// So many values are looked at for one condition.
const MAX_VALUES: usize = 64;

/// Whether a branch depends on what was computed two loops deeper than it stands.
fn sums_up(an: &Analyses, branch: Value) -> bool {
    let depth = nest(an, branch.parent()).len();
    let mut seen = BTreeSet::new();
    let mut pending = branch.operands();
    while let Some(v) = pending.pop() {
        if !v.is_instruction() || seen.len() > MAX_VALUES || !seen.insert(v) {
            continue;
        }
        if nest(an, v.parent()).len() > depth + 1 {
            return true;
        }
        match v.effect() {
            Effect::Load => {}
            _ if v.is_phi() => pending.extend(v.incoming().into_iter().map(|(_, x)| x)),
            _ => pending.extend(v.operands()),
        }
    }
    false
}

/// Whether a condition compares numbers in floating point.
fn is_data(condition: Option<Value>) -> bool {
    use llvm_sys::LLVMOpcode::{LLVMAnd, LLVMFCmp, LLVMOr, LLVMSelect, LLVMXor};
    condition.is_some_and(|c| {
        c.is_instruction()
            && match c.opcode() {
                LLVMFCmp => true,
                LLVMAnd | LLVMOr | LLVMXor | LLVMSelect => {
                    c.operands().into_iter().any(|o| is_data(Some(o)))
                }
                _ => false,
            }
    })
}
