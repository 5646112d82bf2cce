//! The control flow of a function as region search needs it: runs of instructions, cuts and branches.
//!
//! A block becomes a chain of nodes:
//!
//! ```text
//!   %x = load ..      body                     A body is a run of instructions that can be statements or operands;
//!   store ..                                   it may be empty, so that every place in a block belongs to one.
//!   call @print()     cut                      A cut cannot be part of a region.
//!                     body (empty)
//!   br ..             branch
//! ```
//!
//! Blocks from which control cannot return ("traps": all ways end in `unreachable` or in a caller, also through loops that write nothing or clean up) are no nodes; edges to them are
//! left out. A function that never returns has no traps. Ways out of nests ([`super::ways_out`]) are left out as well, and what follows where there is no memory
//! for a block that a new version has ([`super::blocks`]).

use super::blocks;
use super::held::is_harmless;
use super::ways_out::{Edge, ways_out};
use crate::analyses::{Analyses, Loop};
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use crate::reason::Reason;
use llvm_sys::LLVMOpcode::LLVMLandingPad;
use std::collections::{BTreeMap, BTreeSet};

/// Index into [`Graph::nodes`].
pub type NodeIx = usize;
/// Index into [`Graph::loops`].
pub type LoopIx = usize;

/// The order that a loop is not to be unrolled.
const NOT_UNROLLED: &str = "unroll.disable";

/// What earlier attempts found out. Values and loop headers stay the same while blocks are split.
#[derive(Default)]
pub struct Marks {
    /// Headers of loops that cannot be in a region, and why.
    pub loops: BTreeMap<Block, Mark>,
    /// A region must not hold both this instruction and what follows it.
    pub cut_after: BTreeSet<Value>,
    /// What the program's own loops have that no region can hold, by header: what is put into them later does not count.
    pub first: BTreeMap<Block, First>,
    /// Headers of loops that do not share a region with a loop beside them.
    pub alone: BTreeSet<Block>,
    /// Regions may have ways out that data decides about.
    pub leaves_early: bool,
}

/// What the program's own loop has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct First {
    /// Why no region can hold it.
    pub dirt: Dirt,
    /// Header of the loop that is to blame: this one or one in it.
    pub cause: Block,
}

/// Why a loop cannot be in a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Why, for the user.
    pub reason: Reason,
    /// The instruction that shows it.
    pub at: Option<Value>,
    /// Whether loops in it still may.
    pub inner_may: bool,
}

/// The control flow of a function.
pub struct Graph {
    /// In reverse post order.
    pub nodes: Vec<Node>,
    /// Outer before inner.
    pub loops: Vec<LoopNode>,
    /// Blocks from which control cannot return.
    pub traps: BTreeSet<Block>,
    /// Regions may have ways out that data decides about.
    pub leaves_early: bool,
    /// Those out of nests; no edges of the graph.
    pub ways_out: BTreeSet<Edge>,
    /// Those that new versions never take, by their branches: blocks are split. No edges of the graph either.
    failing: BTreeSet<(Value, Block)>,
    /// Position of a block in reverse post order.
    pub position: BTreeMap<Block, usize>,
}

/// A run of instructions.
pub struct Node {
    /// Innermost loop.
    pub loop_: Option<LoopIx>,
    /// What it is.
    pub kind: NodeKind,
    /// Where control goes, traps left out.
    pub succs: Vec<NodeIx>,
}

/// What a node is.
#[derive(Clone, Copy)]
pub enum NodeKind {
    /// The instructions from `begin` on, `end` excluded.
    Body {
        /// First instruction.
        begin: Value,
        /// The instruction after the last.
        end: Value,
    },
    /// An instruction that no region can hold, `None` for a cut without one; or what begins or ends a block of memory of one iteration, which a region
    /// holds together with the loop around it.
    Cut(Option<Value>),
    /// A terminator that regions can hold.
    Branch,
}

/// A loop.
pub struct LoopNode {
    /// LLVM's loop.
    pub raw: Loop,
    /// First block.
    pub header: Block,
    /// Enclosing loop.
    pub parent: Option<LoopIx>,
    /// Why no region can hold it.
    pub dirt: Option<Dirt>,
    /// Header of the loop that has what [`LoopNode::dirt`] says.
    pub cause: Block,
    /// It does not share a region with a loop beside it.
    pub alone: bool,
    /// Its nodes, those of loops in it included, in order.
    pub nodes: Vec<NodeIx>,
    /// See [`Graph::exits`].
    exits: Vec<NodeIx>,
    /// The first instruction in it, but in no loop in it, that no region can hold.
    cut: Option<Value>,
}

/// Why no region can hold a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dirt {
    /// It is the result of a transformation, or the original beside one.
    Done,
    /// An earlier attempt failed because of it.
    Rejected(Mark),
    /// What the user has ordered for it.
    Directive(String),
    /// The number of its exits.
    Exits(usize),
    /// An instruction in it.
    Instruction(Value),
    /// A loop in it.
    Inner(LoopIx),
}

impl Graph {
    /// The control flow of `function`.
    pub fn new(an: &Analyses, function: Value, marks: &Marks) -> Graph {
        let order = reverse_post_order(function);
        let traps = traps(&order);
        let position = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
        let mut graph = Graph {
            nodes: vec![],
            loops: vec![],
            traps,
            leaves_early: marks.leaves_early,
            ways_out: BTreeSet::new(),
            failing: BTreeSet::new(),
            position,
        };
        let mut loops = BTreeMap::new();
        let mut ends: BTreeMap<Block, (NodeIx, NodeIx)> = BTreeMap::new();
        let kept: Vec<Block> = order
            .into_iter()
            .filter(|b| !graph.traps.contains(b))
            .collect();
        if marks.leaves_early {
            graph.ways_out = ways_out(an, &kept, &marks.loops);
        }
        let failing = blocks::failing(&kept);
        let joins = joins(&(&graph.ways_out | &failing), &kept);
        let branches = failing.iter().map(|(b, to)| (b.terminator(), *to));
        graph.failing = branches.collect();
        for &b in &kept {
            let loop_ = an.loop_of(b).map(|l| graph.add_loop(l, &mut loops));
            let first = graph.nodes.len();
            if joins.contains(&b) {
                graph.add(loop_, NodeKind::Cut(None));
            }
            graph.add_block(b, loop_, marks);
            ends.insert(b, (first, graph.nodes.len() - 1));
        }
        for b in &kept {
            let succs = b.successors();
            let stays = |s: &&Block| !graph.leaves(*b, **s);
            let succs = succs.iter().filter(stays);
            let succs = succs.filter_map(|s| ends.get(s)).map(|e| e.0);
            let mut list: Vec<NodeIx> = vec![];
            for s in succs {
                if !list.contains(&s) {
                    list.push(s);
                }
            }
            graph.nodes[ends[b].1].succs = list;
        }
        graph.visit_nodes();
        graph.find_dirt(marks);
        graph
    }

    fn add_loop(&mut self, l: Loop, known: &mut BTreeMap<Loop, LoopIx>) -> LoopIx {
        if let Some(&ix) = known.get(&l) {
            return ix;
        }
        let parent = l.parent().map(|p| self.add_loop(p, known));
        self.loops.push(LoopNode {
            raw: l,
            header: l.header(),
            parent,
            dirt: None,
            cause: l.header(),
            alone: false,
            nodes: vec![],
            exits: vec![],
            cut: None,
        });
        known.insert(l, self.loops.len() - 1);
        self.loops.len() - 1
    }

    fn add(&mut self, loop_: Option<LoopIx>, kind: NodeKind) {
        let ix = self.nodes.len();
        let succs = vec![ix + 1]; // the last node of a block gets its own
        self.nodes.push(Node { loop_, kind, succs });
    }

    fn add_block(&mut self, b: Block, loop_: Option<LoopIx>, marks: &Marks) {
        let terminator = b.terminator();
        let mut begin = None;
        let mut cut_due = false;
        for inst in b.instructions() {
            if inst == terminator {
                break;
            }
            let cut = matches!(
                inst.effect(),
                Effect::Cut | Effect::Lifetime | Effect::Trap | Effect::Branch
            );
            if cut || inst.is_of_block() {
                let begin = begin.take().unwrap_or(inst);
                self.add(loop_, NodeKind::Body { begin, end: inst });
                self.add(loop_, NodeKind::Cut(Some(inst)));
                continue;
            }
            begin.get_or_insert(inst);
            cut_due |= marks.cut_after.contains(&inst);
            let end = inst.next().expect("no terminator");
            if cut_due && !end.is_phi() {
                cut_due = false;
                let begin = begin.take().expect("just set");
                self.add(loop_, NodeKind::Body { begin, end });
                self.add(loop_, NodeKind::Cut(None));
            }
        }
        let begin = begin.unwrap_or(terminator);
        let end = terminator;
        self.add(loop_, NodeKind::Body { begin, end });
        let holds = |t: Value| !t.is_of_block() && !marks.cut_after.contains(&t);
        let kind = match terminator.effect() {
            Effect::Branch if holds(terminator) => NodeKind::Branch,
            _ => NodeKind::Cut(Some(terminator)),
        };
        self.add(loop_, kind);
    }

    /// Whether an edge leads into a trap, or is a way out of a nest.
    pub fn is_left(&self, from: Block, to: Block) -> bool {
        self.traps.contains(&to) || self.leaves(from, to)
    }

    fn leaves(&self, from: Block, to: Block) -> bool {
        let failing = !self.failing.is_empty() && self.failing.contains(&(from.terminator(), to));
        failing || self.ways_out.contains(&(from, to))
    }

    /// The branches by which a nest may be left early.
    pub fn ways_out_of(&self, l: LoopIx) -> Vec<Value> {
        let has = |from: &Block| {
            let mut inside = self.loops[l].nodes.iter().map(|n| &self.nodes[*n].kind);
            inside
                .any(|kind| matches!(kind, NodeKind::Body { begin, .. } if begin.parent() == *from))
        };
        let from = self.ways_out.iter().map(|(from, _)| from);
        from.filter(|b| has(b)).map(|b| b.terminator()).collect()
    }

    /// Whether loop `outer` is `inner` or around it.
    pub fn encloses(&self, outer: LoopIx, inner: Option<LoopIx>) -> bool {
        let mut at = inner;
        while let Some(l) = at {
            if l == outer {
                return true;
            }
            at = self.loops[l].parent;
        }
        false
    }

    /// Whether a loop has none inside.
    pub fn is_innermost(&self, l: Loop) -> bool {
        let mut all = self.loops.iter();
        !all.any(|inner| inner.parent.is_some_and(|p| self.loops[p].raw == l))
    }

    pub fn exits(&self, l: LoopIx) -> &[NodeIx] {
        &self.loops[l].exits
    }

    /// Goes through the nodes once for what loops ask about theirs.
    fn visit_nodes(&mut self) {
        for n in 0..self.nodes.len() {
            let Some(inner) = self.nodes[n].loop_ else {
                continue;
            };
            if let NodeKind::Cut(Some(inst)) = self.nodes[n].kind
                && !inst.is_of_block()
            {
                self.loops[inner].cut.get_or_insert(inst);
            }
            let mut around = Some(inner);
            while let Some(l) = around {
                self.loops[l].nodes.push(n);
                around = self.loops[l].parent;
            }
            for s in self.nodes[n].succs.clone() {
                let mut left = Some(inner);
                while let Some(l) = left.filter(|l| !self.encloses(*l, self.nodes[s].loop_)) {
                    self.loops[l].exits.push(s);
                    left = self.loops[l].parent;
                }
            }
        }
    }

    /// What the user has ordered for each loop. Where no loop is to be unrolled, that is no directive but an option (-O1,
    /// -fno-unroll-loops), which means LLVM's own unrolling.
    fn directives(&self) -> Vec<Option<String>> {
        let mut all: Vec<_> = self.loops.iter().map(|l| l.raw.directive()).collect();
        if all.iter().all(Option::is_some) {
            all.iter_mut()
                .for_each(|d| *d = d.take().filter(|d| d != NOT_UNROLLED));
        }
        all
    }

    fn find_dirt(&mut self, marks: &Marks) {
        let mut directives = self.directives();
        // The program's reason, if there is one, and not what became of another loop.
        let mut dirty: Vec<Option<LoopIx>> = vec![None; self.loops.len()];
        for l in (0..self.loops.len()).rev() {
            self.loops[l].alone = marks.alone.contains(&self.loops[l].header);
            let node = &self.loops[l];
            let mut cause = node.header;
            let dirt = if node.raw.is_done() {
                Some(Dirt::Done)
            } else if let Some(why) = marks.loops.get(&node.header) {
                Some(Dirt::Rejected(why.clone()))
            } else if let Some(first) = marks.first.get(&node.header) {
                cause = first.cause;
                Some(first.dirt.clone())
            } else if let Some(order) = directives[l].take() {
                Some(Dirt::Directive(order))
            } else if let Some(inst) = node.cut {
                Some(Dirt::Instruction(inst))
            } else if let Some(inner) = dirty[l] {
                Some(Dirt::Inner(inner))
            } else {
                match self.exits(l).len() {
                    1 => None,
                    exits => Some(Dirt::Exits(exits)),
                }
            };
            let parent = self.loops[l].parent;
            if let (Some(dirt), Some(parent)) = (&dirt, parent) {
                let other = dirty[parent].filter(|o| self.loops[*o].dirt != Some(Dirt::Done));
                if *dirt != Dirt::Done || other.is_none() {
                    dirty[parent] = Some(l);
                }
            }
            self.loops[l].dirt = dirt;
            self.loops[l].cause = cause;
        }
    }

    /// The loops that no region can hold, and why.
    pub fn obstacles(&self) -> BTreeMap<Block, First> {
        let first = |l: LoopIx| {
            let cause = &self.loops[self.cause(l)];
            let dirt = cause.dirt.clone().filter(|d| *d != Dirt::Done)?;
            let cause = cause.cause;
            Some((self.loops[l].header, First { dirt, cause }))
        };
        (0..self.loops.len()).filter_map(first).collect()
    }

    /// The loop that stands in the way of a loop: itself or one in it.
    pub fn cause(&self, l: LoopIx) -> LoopIx {
        match &self.loops[l].dirt {
            Some(Dirt::Inner(inner)) => self.cause(*inner),
            _ => l,
        }
    }
}

/// The blocks that are reached by ways out of nests and otherwise: no region holds both what is in front of one and what follows.
fn joins(ways_out: &BTreeSet<Edge>, kept: &[Block]) -> BTreeSet<Block> {
    let mut behind: BTreeSet<Block> = BTreeSet::new();
    let mut pending: Vec<Block> = ways_out.iter().map(|(_, to)| *to).collect();
    while let Some(b) = pending.pop() {
        if behind.insert(b) {
            pending.extend(b.successors());
        }
    }
    let others = kept.iter().filter(|b| !behind.contains(b));
    let edges = others.flat_map(|b| b.successors().into_iter().map(|to| (*b, to)));
    let joining = edges.filter(|e| behind.contains(&e.1) && !ways_out.contains(e));
    joining.map(|(_, to)| to).collect()
}

fn reverse_post_order(function: Value) -> Vec<Block> {
    let Some(&entry) = function.blocks().first() else {
        return vec![];
    };
    let mut seen = BTreeSet::from([entry]);
    let mut post = vec![];
    let mut stack = vec![(entry, entry.successors())];
    while let Some((b, succs)) = stack.last_mut() {
        // The last successor first, so that the order reads as the source does.
        match succs.pop() {
            Some(s) if seen.insert(s) => stack.push((s, s.successors())),
            Some(_) => {}
            None => {
                post.push(*b);
                stack.pop();
            }
        }
    }
    post.reverse();
    post
}

/// Blocks from which control cannot return.
fn traps(order: &[Block]) -> BTreeSet<Block> {
    let mut traps = BTreeSet::new();
    let ends = |b: &Block| b.terminator().effect() == Effect::Trap;
    if !order.iter().any(ends) {
        return traps;
    }
    let unwinding = unwinding(order);
    let loose = |b: &&Block| unwinding.contains(b) || writes_nothing(**b);
    let loose: BTreeSet<Block> = order.iter().filter(loose).copied().collect();
    loop {
        let before = traps.len();
        for b in order.iter().rev() {
            let succs = b.successors();
            if ends(b) || (!succs.is_empty() && succs.iter().all(|s| traps.contains(s))) {
                traps.insert(*b);
            }
        }
        add_loops(order, &loose, &mut traps);
        if traps.len() == before {
            break;
        }
    }
    match order.first() {
        Some(entry) if traps.contains(entry) => BTreeSet::new(),
        _ => traps,
    }
}

/// Adds the loops of such blocks from which nothing but traps follows: what is summed up before an index turns out to be too large, and what
/// is freed on the way to a caller's handler.
fn add_loops(order: &[Block], loose: &BTreeSet<Block>, traps: &mut BTreeSet<Block>) {
    let mut held: BTreeSet<Block> = loose.difference(traps).copied().collect();
    loop {
        let before = held.len();
        for b in order.iter().rev().filter(|b| loose.contains(b)) {
            let succs = b.successors();
            let stays = |s: &Block| held.contains(s) || traps.contains(s);
            if succs.is_empty() || !succs.iter().all(stays) {
                held.remove(b);
            }
        }
        if held.len() == before {
            break;
        }
    }
    // A loop that is never left is no trap: what is in front of it is the program.
    loop {
        let before = traps.len();
        for b in order.iter().rev().filter(|b| held.contains(b)) {
            if b.successors().iter().any(|s| traps.contains(s)) {
                traps.insert(*b);
            }
        }
        if traps.len() == before {
            break;
        }
    }
}

/// Blocks that are reached by unwinding only.
fn unwinding(order: &[Block]) -> BTreeSet<Block> {
    let lands = |b: Block| {
        let mut all = b.instructions().into_iter();
        all.any(|i| i.opcode() == LLVMLandingPad)
    };
    let mut reached: BTreeSet<Block> = BTreeSet::new();
    let mut pending: Vec<Block> = order.first().copied().into_iter().collect();
    while let Some(b) = pending.pop() {
        if reached.insert(b) {
            pending.extend(b.successors().into_iter().filter(|s| !lands(*s)));
        }
    }
    order
        .iter()
        .copied()
        .filter(|b| !reached.contains(b))
        .collect()
}

/// Whether nothing in a block has an effect.
fn writes_nothing(b: Block) -> bool {
    b.instructions().iter().all(is_harmless)
}
