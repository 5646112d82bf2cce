//! Remarks on what was modelled and on loop nests that stay as they are.

use crate::extract;
use crate::extract::graph::{Dirt, Graph, LoopIx, NodeKind};
use crate::llvm::{Block, Value};
use crate::remarks::{Remark, counted};
use polytile_analysis::region::Region;
use polytile_analysis::scop::{Array, ArrayKind, Scop};
use std::collections::BTreeSet;

/// What a SCoP holds: `4 statements in 3 loops; A[][], x[]`.
pub fn describe(region: &Region, scop: &Scop) -> String {
    let (statements, loops) = (scop.stmts.len(), region.loops.len());
    let array = |a: &Array| match a.kind {
        ArrayKind::Memory { base } => {
            let base = region.bases.iter().find(|b| b.value == base)?;
            Some(base.label().to_owned() + &"[]".repeat(a.strides.len()))
        }
        ArrayKind::Scalar { .. } | ArrayKind::Temporary => None,
    };
    let arrays: Vec<String> = scop.arrays.iter().filter_map(array).collect();
    format!(
        "{}, {}; {}",
        counted(statements, "statement"),
        counted(loops, "loop"),
        arrays.join(", ")
    )
}

/// Says of every nest of two or more levels that is left why it is, and of every loop that is in no SCoP. `modelled`:
/// headers of the loops that are.
pub fn missed(graph: &Graph, modelled: &BTreeSet<Block>) -> Vec<Remark> {
    let mut remarks = vec![];
    for (l, node) in graph.loops.iter().enumerate() {
        if node.dirt == Some(Dirt::Done) || is_settled(graph, node.parent) {
            continue;
        }
        let (reason, at) = reason(graph, l);
        let nest = graph.loops.iter().any(|i| i.parent == Some(l)) || holds_ragged(graph, l);
        // What stands in the way of an outer loop is said once.
        let told = node
            .parent
            .is_some_and(|p| blamed(graph, p) == blamed(graph, l));
        let remark = if nest && !told {
            Remark::missed("NotTransformed", node.raw.location())
                .text("loop nest not transformed: ")
        } else if !modelled.contains(&node.header) {
            Remark::analysis("NotModelled", node.raw.location())
                .text("loop in no static control part: ")
        } else {
            continue;
        };
        let mut remark = remark.value("Reason", reason);
        if let Some(at) = at.and_then(Value::loc) {
            remark = remark.text(" at ").value("At", at);
        }
        remarks.push(remark);
    }
    remarks
}

/// Whether an inner loop of this one is a call for the time being.
fn holds_ragged(graph: &Graph, l: LoopIx) -> bool {
    let nodes = graph.loops[l].nodes.iter();
    let mut bodies = nodes.filter_map(|n| match graph.nodes[*n].kind {
        NodeKind::Body { begin, .. } => Some(begin.parent()),
        _ => None,
    });
    bodies.any(|b| b.instructions().into_iter().any(Value::is_ragged))
}

/// Whether this loop was given up with all that is in it.
fn is_settled(graph: &Graph, l: Option<LoopIx>) -> bool {
    l.is_some_and(|l| match &graph.loops[l].dirt {
        Some(Dirt::Done) => true,
        Some(Dirt::Rejected(mark)) if !mark.inner_may => true,
        _ => is_settled(graph, graph.loops[l].parent),
    })
}

/// The header of the loop that stands in the way of a loop.
fn blamed(graph: &Graph, l: LoopIx) -> Block {
    graph.loops[graph.cause(l)].cause
}

/// Why a loop is in no region.
fn reason(graph: &Graph, l: LoopIx) -> (String, Option<Value>) {
    let known = |s: &str| (s.to_string(), None);
    match &graph.loops[graph.cause(l)].dirt {
        None => known("control flow around it is irregular"),
        Some(Dirt::Done) => known("a loop in it was transformed alone"),
        Some(Dirt::Rejected(mark)) => (mark.reason.clone(), mark.at),
        Some(Dirt::Directive(order)) => (
            format!("a directive says how a loop is to be transformed ('{order}')"),
            None,
        ),
        Some(Dirt::Exits(0)) => known("it has no exit"),
        Some(Dirt::Exits(n)) => (format!("it has {n} exits"), None),
        Some(Dirt::Instruction(inst)) => (extract::describe_cut(*inst), Some(*inst)),
        Some(Dirt::Inner(_)) => unreachable!("causes are no chains"),
    }
}
