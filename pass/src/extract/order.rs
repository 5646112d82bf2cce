//! The blocks of a region in textual order: topological, and every loop in one piece.

use super::graph::Graph;
use crate::analyses::{Analyses, Loop};
use crate::llvm::Block;
use std::collections::{BTreeMap, BTreeSet};

/// Blocks from `entry` up to `exit`, which is not one of them; traps are left out, as are ways out of nests.
pub fn blocks(an: &Analyses, graph: &Graph, entry: Block, exit: Block) -> Vec<Block> {
    let found = reachable(entry, exit, graph);
    let rank: BTreeMap<Block, usize> = found.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let back = |from: Block, to: Block| {
        an.loop_of(to)
            .is_some_and(|l| l.header() == to && l.latch() == from)
    };
    let mut waiting = vec![0; found.len()];
    for &b in &found {
        for s in b.successors() {
            if let Some(&s_rank) = rank.get(&s).filter(|_| !back(b, s)) {
                waiting[s_rank] += 1;
            }
        }
    }
    let nests: Vec<Vec<Loop>> = found.iter().map(|b| nest(an, *b)).collect();
    let mut ready = BTreeSet::from([rank[&entry]]);
    let mut ordered = vec![];
    let mut last: &[Loop] = &[];
    // What shares most loops with the last block comes next: no loop is left before it is complete.
    while let Some(&next) = ready.iter().max_by_key(|b| {
        let shared = nests[**b].iter().zip(last).take_while(|(a, b)| a == b);
        (shared.count(), std::cmp::Reverse(**b))
    }) {
        ready.remove(&next);
        last = &nests[next];
        let b = found[next];
        ordered.push(b);
        for s in b.successors() {
            if let Some(&s_rank) = rank.get(&s).filter(|_| !back(b, s)) {
                waiting[s_rank] -= 1;
                if waiting[s_rank] == 0 {
                    ready.insert(s_rank);
                }
            }
        }
    }
    ordered
}

/// Blocks that are reached from `entry` without passing `exit`, in depth-first order.
fn reachable(entry: Block, exit: Block, graph: &Graph) -> Vec<Block> {
    let behind = |b: Block| {
        let all = b.successors().into_iter().rev();
        all.filter(move |s| *s != exit && !graph.is_left(b, *s))
    };
    let mut seen = BTreeSet::from([entry]);
    let mut found = vec![entry];
    let mut pending: Vec<Block> = behind(entry).collect();
    while let Some(b) = pending.pop() {
        if seen.insert(b) {
            found.push(b);
            pending.extend(behind(b));
        }
    }
    found
}

/// The loops around a block, outermost first.
pub fn nest(an: &Analyses, b: Block) -> Vec<Loop> {
    let mut loops: Vec<Loop> = std::iter::successors(an.loop_of(b), |l| l.parent()).collect();
    loops.reverse();
    loops
}
