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
use crate::llvm::Value;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;
use std::collections::BTreeSet;

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
        let exit = vertices.len() - 1;
        let mut succs: Vec<Vec<usize>> = vec![];
        for &v in &vertices {
            let targets: Vec<NodeIx> = match v {
                Vertex::Node(n) => graph.nodes[n].succs.clone(),
                Vertex::Loop(l) => graph.exits(l),
                Vertex::Exit => vec![],
            };
            // The back edge of the level's own loop leaves the level as well.
            let target = |t: &NodeIx| vertex_of[*t].filter(|v| *v != 0).unwrap_or(exit);
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
        let mut inside = BTreeSet::from([a]);
        let mut best: Option<(usize, BTreeSet<usize>)> = None;
        let mut at = a;
        while let Some(next) = self.post_dominators.immediate_dominator(NodeIndex::new(at)) {
            let next = next.index();
            if !self.is_clean(next)
                || !self.dominates(a, next)
                || !self.collect(at, next, &mut inside)
            {
                break;
            }
            inside.insert(next);
            if self.crowded(&inside) {
                break;
            }
            if self.is_body(next) && inside.iter().any(|v| self.is_loop(*v)) {
                best = Some((next, inside.clone()));
            }
            at = next;
        }
        match best {
            Some((b, covered)) => Run {
                span: Some(self.span(a, b, &covered)),
                covered,
            },
            // Nothing after `a` on this way reaches a loop either.
            None if !inside.iter().any(|v| self.is_loop(*v)) => Run {
                span: None,
                covered: inside,
            },
            None => Run {
                span: None,
                covered: BTreeSet::from([a]),
            },
        }
    }

    /// Whether a loop that has to be alone is not.
    fn crowded(&self, inside: &BTreeSet<usize>) -> bool {
        let loops = inside.iter().filter_map(|v| match self.vertices[*v] {
            Vertex::Loop(l) => Some(&self.graph.loops[l]),
            _ => None,
        });
        let loops: Vec<_> = loops.collect();
        loops.len() > 1 && loops.iter().any(|l| l.alone)
    }

    fn is_loop(&self, v: usize) -> bool {
        matches!(self.vertices[v], Vertex::Loop(_))
    }

    /// Adds what lies between; false if something there is not clean.
    fn collect(&self, from: usize, to: usize, inside: &mut BTreeSet<usize>) -> bool {
        let mut pending: Vec<usize> = self.succs[from].clone();
        while let Some(v) = pending.pop() {
            if v == to || inside.contains(&v) {
                continue;
            }
            if !self.is_clean(v) {
                return false;
            }
            inside.insert(v);
            pending.extend(&self.succs[v]);
        }
        true
    }

    fn span(&self, a: usize, b: usize, covered: &BTreeSet<usize>) -> Span {
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
        let loops = covered.iter().filter_map(|v| match self.vertices[*v] {
            Vertex::Loop(l) => Some(l),
            _ => None,
        });
        Span {
            begin,
            end: body(b).1,
            loops: loops.collect(),
        }
    }
}

struct Run {
    span: Option<Span>,
    covered: BTreeSet<usize>,
}

/// The vertices of a level, and the vertex of every node; nodes outside of the level have none.
fn vertices(graph: &Graph, level: Option<LoopIx>) -> (Vec<Vertex>, Vec<Option<usize>>) {
    let mut vertices: Vec<Vertex> = vec![];
    let mut vertex_of = vec![None; graph.nodes.len()];
    let mut children = vec![None; graph.loops.len()];
    let mut add = |v| {
        vertices.push(v);
        vertices.len() - 1
    };
    for (n, node) in graph.nodes.iter().enumerate() {
        vertex_of[n] = if node.loop_ == level {
            Some(add(Vertex::Node(n)))
        } else {
            let child = child_of(graph, level, node.loop_);
            child.map(|c| *children[c].get_or_insert_with(|| add(Vertex::Loop(c))))
        };
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
