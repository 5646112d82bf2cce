//! Where the regions are: maximal single-entry single-exit runs of clean nodes around at least one loop.
//!
//! Regions are searched level by level: the function first, then the inside of every loop that cannot be in a region
//! itself. Within a level, loops are single vertices of an acyclic graph. A region from `A` to `B` needs: `A` dominates
//! `B`, `B` post-dominates `A`, and everything between is clean. From the first clean `A` on, `B` walks along the
//! immediate post-dominators as far as it gets; what was covered is not looked at again.
//!
//! ```text
//!   init nest; kernel nest; if (argc > 42) print()
//!   \_____ one region ____/ \__ no region: a cut inside, but it does not spoil what is in front __/
//! ```
//!
//! (ir-shapes: Polly grows a region over the call, finds it unprofitable, and loses the kernel.)

use super::graph::{Dirt, Graph, LoopIx, NodeIx, NodeKind};
use super::held::{is_harmless, steers};
use crate::ffi::Effect;
use crate::llvm::Value;
use llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
use llvm_sys::core::LLVMGetTypeKind;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;
use std::collections::{BTreeSet, HashMap};

/// A region before it is cut out.
#[derive(Clone, Debug)]
pub struct Span {
    /// Its first instruction (never a PHI).
    pub begin: Value,
    /// The instruction after its last.
    pub end: Value,
    /// Its outermost loops.
    pub loops: Vec<LoopIx>,
}

/// All regions of a function, outer levels first.
pub fn delimit(graph: &Graph) -> Vec<Span> {
    let mut spans = vec![];
    let dirty = (0..graph.loops.len()).filter(|l| match &graph.loops[*l].dirt {
        None | Some(Dirt::Done) => false,
        Some(Dirt::Rejected(mark)) => mark.inner_may,
        Some(_) => true,
    });
    for level in std::iter::once(None).chain(dirty.map(Some)) {
        if let Some(level) = Level::new(graph, level) {
            spans.extend(level.spans());
        }
    }
    spans
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vertex {
    Node(NodeIx),
    Loop(LoopIx),
    Exit,
}

/// The acyclic control flow of one level. Vertices are numbered topologically; the last is [`Vertex::Exit`].
struct Level<'g> {
    graph: &'g Graph,
    vertices: Vec<Vertex>,
    succs: Vec<Vec<usize>>,
    dominators: Dominators<NodeIndex>,
    post_dominators: Dominators<NodeIndex>,
}

impl<'g> Level<'g> {
    /// `None` if control flow is irreducible.
    fn new(graph: &'g Graph, level: Option<LoopIx>) -> Option<Level<'g>> {
        let (vertices, vertex_of) = vertices(graph, level);
        let vertex_of = |t: NodeIx| vertex_of.get(&t).copied();
        let exit = vertices.len() - 1;
        let mut succs: Vec<Vec<usize>> = vec![];
        for &v in &vertices {
            let targets: &[NodeIx] = match v {
                Vertex::Node(n) => &graph.nodes[n].succs,
                Vertex::Loop(l) => graph.exits(l),
                Vertex::Exit => &[],
            };
            // The back edge of the level's own loop leaves the level as well.
            let target = |t: &NodeIx| vertex_of(*t).filter(|v| *v != 0).unwrap_or(exit);
            let mut list: Vec<usize> = targets.iter().map(target).collect();
            if list.is_empty() && v != Vertex::Exit {
                list.push(exit);
            }
            list.sort_unstable();
            list.dedup();
            succs.push(list);
        }
        let acyclic = succs
            .iter()
            .enumerate()
            .all(|(v, s)| s.iter().all(|s| *s > v));
        if !acyclic {
            return None;
        }
        let edges = succs
            .iter()
            .enumerate()
            .flat_map(|(v, s)| s.iter().map(move |s| (v as u32, *s as u32)));
        let mut flow: DiGraph<(), ()> = DiGraph::from_edges(edges);
        while flow.node_count() <= exit {
            flow.add_node(());
        }
        Some(Level {
            graph,
            dominators: simple_fast(&flow, NodeIndex::new(0)),
            post_dominators: simple_fast(Reversed(&flow), NodeIndex::new(exit)),
            vertices,
            succs,
        })
    }

    fn spans(&self) -> Vec<Span> {
        let mut spans = vec![];
        let mut covered = vec![false; self.vertices.len()];
        for v in 0..self.vertices.len() {
            if covered[v] || !self.is_body(v) {
                continue;
            }
            let run = self.grow(v);
            for c in run.covered {
                covered[c] = true;
            }
            spans.extend(run.span);
        }
        spans
    }

    fn is_body(&self, v: usize) -> bool {
        match self.vertices[v] {
            Vertex::Node(n) => matches!(self.graph.nodes[n].kind, NodeKind::Body { .. }),
            _ => false,
        }
    }

    fn is_clean(&self, v: usize) -> bool {
        match self.vertices[v] {
            Vertex::Node(n) => !matches!(self.graph.nodes[n].kind, NodeKind::Cut(_)),
            Vertex::Loop(l) => self.graph.loops[l].dirt.is_none(),
            Vertex::Exit => false,
        }
    }

    fn dominates(&self, a: usize, b: usize) -> bool {
        let found = self.dominators.dominators(NodeIndex::new(b));
        found.is_some_and(|mut chain| chain.any(|d| d.index() == a))
    }

    /// The longest region from body `a` on.
    fn grow(&self, a: usize) -> Run {
        let mut inside = Inside::new(self.vertices.len(), a);
        let mut best = None;
        let mut at = a;
        while let Some(next) = self.post_dominators.immediate_dominator(NodeIndex::new(at)) {
            let next = next.index();
            if !self.is_clean(next)
                || !self.dominates(a, next)
                || !self.collect(at, next, &mut inside)
            {
                break;
            }
            self.enter(next, &mut inside);
            if inside.loops > 1 && inside.alone {
                break;
            }
            if self.is_body(next) && inside.loops > 0 {
                best = Some((next, inside.list.len()));
            }
            at = next;
        }
        match best {
            Some((b, count)) => {
                inside.list.truncate(count);
                Run {
                    span: Some(self.span(a, b, &inside.list)),
                    covered: inside.list,
                }
            }
            // Nothing after `a` on this way reaches a loop either.
            None if inside.loops == 0 => Run {
                span: None,
                covered: inside.list,
            },
            None => Run {
                span: None,
                covered: vec![a],
            },
        }
    }

    /// Adds a vertex.
    fn enter(&self, v: usize, inside: &mut Inside) {
        if std::mem::replace(&mut inside.has[v], true) {
            return;
        }
        inside.list.push(v);
        if let Vertex::Loop(l) = self.vertices[v] {
            inside.loops += 1;
            inside.alone |= self.graph.loops[l].alone;
        }
    }

    /// Adds what lies between; false if something there is not clean.
    fn collect(&self, from: usize, to: usize, inside: &mut Inside) -> bool {
        let mut pending: Vec<usize> = self.succs[from].clone();
        while let Some(v) = pending.pop() {
            if v == to || inside.has[v] {
                continue;
            }
            if !self.is_clean(v) {
                return false;
            }
            self.enter(v, inside);
            pending.extend(&self.succs[v]);
        }
        true
    }

    fn span(&self, a: usize, b: usize, covered: &[usize]) -> Span {
        let body = |v: usize| match self.vertices[v] {
            Vertex::Node(n) => match self.graph.nodes[n].kind {
                NodeKind::Body { begin, end } => (begin, end),
                _ => unreachable!("regions begin and end with bodies"),
            },
            _ => unreachable!("regions begin and end with bodies"),
        };
        let mut begin = body(a).0;
        while begin.is_phi() {
            begin = begin.next().expect("PHIs are followed by something");
        }
        let begin = behind_sizes(begin, body(a).1);
        // In the order of the program.
        let loops: BTreeSet<(usize, LoopIx)> = covered
            .iter()
            .filter_map(|v| match self.vertices[*v] {
                Vertex::Loop(l) => Some((*v, l)),
                _ => None,
            })
            .collect();
        Span {
            begin,
            end: body(b).1,
            loops: loops.into_iter().map(|(_, l)| l).collect(),
        }
    }
}

/// The place behind the sizes and pointers that a block reads first of all: in front of the region they are parameters and bases. A row that a loop
/// begins with and then leaves for the next ones of its table stays with these.
fn behind_sizes(begin: Value, end: Value) -> Value {
    let all = std::iter::successors(Some(begin), |i| i.next());
    let reads = |i: &Value| i.effect() != Effect::Branch && is_harmless(i) && !is_first_row(i);
    let reading = all.take_while(|i| *i != end && reads(i));
    let sizes = reading.filter(|i| i.effect() == Effect::Load && steers(*i, |_| true));
    let behind = sizes.last().and_then(|last| last.next());
    behind.unwrap_or(begin)
}

/// Whether what is loaded meets another loaded pointer in a PHI.
fn is_first_row(load: &Value) -> bool {
    let loaded = |v: Value| v.is_instruction() && v.effect() == Effect::Load;
    let meets = |phi: &Value| (phi.incoming().into_iter()).any(|(_, v)| v != *load && loaded(v));
    let pointer = unsafe { LLVMGetTypeKind(load.raw_type()) } == LLVMPointerTypeKind;
    let users = || load.users().into_iter().filter(|u| u.is_phi());
    pointer && load.effect() == Effect::Load && users().any(|phi| meets(&phi))
}

struct Run {
    span: Option<Span>,
    covered: Vec<usize>,
}

/// Vertices of a region that grows.
struct Inside {
    has: Vec<bool>,
    /// In the order in which they came.
    list: Vec<usize>,
    loops: usize,
    /// One of the loops has to be alone.
    alone: bool,
}

impl Inside {
    fn new(vertices: usize, a: usize) -> Inside {
        let mut has = vec![false; vertices];
        has[a] = true;
        Inside {
            has,
            list: vec![a],
            loops: 0,
            alone: false,
        }
    }
}

/// The vertices of a level, and the vertex of every node; nodes outside of the level have none.
fn vertices(graph: &Graph, level: Option<LoopIx>) -> (Vec<Vertex>, HashMap<NodeIx, usize>) {
    let mut vertices: Vec<Vertex> = vec![];
    let mut vertex_of = HashMap::new();
    let mut children: HashMap<LoopIx, usize> = HashMap::new();
    let mut add = |v| {
        vertices.push(v);
        vertices.len() - 1
    };
    let mut visit = |n: NodeIx| {
        let loop_ = graph.nodes[n].loop_;
        if loop_ == level {
            vertex_of.insert(n, add(Vertex::Node(n)));
        } else if let Some(c) = child_of(graph, level, loop_) {
            let vertex = children.entry(c).or_insert_with(|| add(Vertex::Loop(c)));
            vertex_of.insert(n, *vertex);
        }
    };
    match level {
        Some(l) => graph.loops[l].nodes.iter().for_each(|n| visit(*n)),
        None => (0..graph.nodes.len()).for_each(visit),
    }
    vertices.push(Vertex::Exit);
    (vertices, vertex_of)
}

/// The loop right inside of `level` that holds `inner`.
fn child_of(graph: &Graph, level: Option<LoopIx>, inner: Option<LoopIx>) -> Option<LoopIx> {
    let mut at = inner?;
    loop {
        let parent = graph.loops[at].parent;
        if parent == level {
            return Some(at);
        }
        at = parent?;
    }
}
