//! Remarks on loop nests that stay as they are.

use crate::extract;
use crate::extract::graph::{Dirt, Graph, LoopIx};
use crate::llvm::Value;
use crate::remarks::Remark;

/// Says of every nest of two or more levels that is left why it is.
pub fn missed(graph: &Graph) -> Vec<Remark> {
    let mut remarks = vec![];
    for (l, node) in graph.loops.iter().enumerate() {
        let nest = graph.loops.iter().any(|i| i.parent == Some(l));
        if node.parent.is_some() || !nest || node.dirt == Some(Dirt::Done) {
            continue;
        }
        let (reason, at) = reason(graph, l);
        let mut remark = Remark::missed("NotTransformed", node.raw.location())
            .text("loop nest not transformed: ")
            .value("Reason", reason);
        if let Some(at) = at.and_then(Value::loc) {
            remark = remark.text(" at ").value("At", at);
        }
        remarks.push(remark);
    }
    remarks
}

/// Why a loop is in no region.
fn reason(graph: &Graph, l: LoopIx) -> (String, Option<Value>) {
    let known = |s: &str| (s.to_string(), None);
    match &graph.loops[l].dirt {
        None => known("control flow around it is irregular"),
        Some(Dirt::Done) => known("it was transformed before"),
        Some(Dirt::Rejected(mark)) => (mark.reason.clone(), mark.at),
        Some(Dirt::Form) => known("it has no canonical form"),
        Some(Dirt::Exits(0)) => known("it has no exit"),
        Some(Dirt::Exits(n)) => (format!("it has {n} exits"), None),
        Some(Dirt::Instruction(inst)) => (extract::describe_cut(*inst), Some(*inst)),
        Some(Dirt::Inner(inner)) => reason(graph, *inner),
    }
}
