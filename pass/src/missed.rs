//! Remarks on what was modelled and on loop nests that stay as they are.

use crate::extract;
use crate::extract::graph::{Dirt, Graph, LoopIx, NodeKind};
use crate::llvm::{self, Block, Value};
use crate::reason::{Kind, Reason};
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
        ArrayKind::Scalar { .. } | ArrayKind::Temporary | ArrayKind::Intact => None,
    };
    let arrays: Vec<String> = scop.arrays.iter().filter_map(array).collect();
    format!(
        "{}, {}; {}",
        counted(statements, "statement"),
        counted(loops, "loop"),
        arrays.join(", ")
    )
}

/// A loop that stays as it is.
pub struct Missed {
    /// For the user.
    pub remark: Remark,
    /// The kind of reason.
    pub kind: Kind,
    /// Whether it is a nest of two or more levels that no other one in the list holds.
    pub nest: bool,
}

/// Says of every nest of two or more levels that is left why it is, and of every loop that is in no SCoP. `modelled`:
/// headers of the loops that are.
pub fn missed(graph: &Graph, modelled: &BTreeSet<Block>) -> Vec<Missed> {
    let mut all = vec![];
    // One loop of the source may be several: each place is told once.
    let mut told_of = BTreeSet::new();
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
        let nest = nest && !told;
        let remark = if nest {
            Remark::missed("NotTransformed", node.raw.location())
                .text("loop nest not transformed: ")
        } else if !modelled.contains(&node.header) {
            Remark::analysis("NotModelled", node.raw.location())
                .text("loop in no static control part: ")
        } else if !told {
            Remark::analysis("NotTransformed", node.raw.location()).text("loop not transformed: ")
        } else {
            continue;
        };
        let at = at.and_then(Value::loc);
        let place = llvm::loc(node.raw.location());
        if place.is_some_and(|p| !told_of.insert((p, nest))) {
            continue;
        }
        let mut remark = remark.value("Reason", &reason.words);
        if let Some(at) = at {
            remark = remark.text(" at ").value("At", at);
        }
        if let Some(remedy) = reason.kind.remedy() {
            remark = remark.text("; ").value("Remedy", remedy);
        }
        let kind = reason.kind;
        all.push(Missed { remark, kind, nest });
    }
    all
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
fn reason(graph: &Graph, l: LoopIx) -> (Reason, Option<Value>) {
    let known = |kind, words: &str| (Reason::new(kind, words), None);
    match &graph.loops[graph.cause(l)].dirt {
        None => known(Kind::ControlFlow, "control flow around it is irregular"),
        Some(Dirt::Done) => (Reason::transformed_inside(), None),
        Some(Dirt::Rejected(mark)) => (mark.reason.clone(), mark.at),
        Some(Dirt::Directive(order)) => {
            let order = format!("a directive says how a loop is to be transformed ('{order}')");
            (Reason::new(Kind::Directive, order), None)
        }
        Some(Dirt::Exits(0)) => known(Kind::Endless, "it has no exit"),
        Some(Dirt::Exits(n)) => {
            let reason = Reason::new(Kind::Exits, format!("it has {n} exits"));
            (reason, second_exit(graph, graph.cause(l)))
        }
        Some(Dirt::Instruction(inst)) => (extract::describe_cut(*inst), Some(*inst)),
        Some(Dirt::Inner(_)) => unreachable!("causes are no chains"),
    }
}

/// A branch out of a loop that does not stand where the loop itself does.
fn second_exit(graph: &Graph, l: LoopIx) -> Option<Value> {
    let node = &graph.loops[l];
    let bodies = node
        .nodes
        .iter()
        .filter_map(|n| match graph.nodes[*n].kind {
            NodeKind::Body { begin, .. } => Some(begin.parent()),
            _ => None,
        });
    let blocks: BTreeSet<Block> = bodies.collect();
    let leaves = |b: &&Block| {
        let out = |s: &Block| !blocks.contains(s) && !graph.is_left(**b, *s);
        b.successors().iter().any(out)
    };
    let own = llvm::loc(node.raw.location())?.line;
    let leaving = blocks.iter().filter(leaves).map(|b| b.terminator());
    let elsewhere = leaving.filter_map(|t| t.loc().filter(|at| at.line != own).map(|at| (at, t)));
    elsewhere.min_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, t)| t)
}
