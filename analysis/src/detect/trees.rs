//! Operand trees: what a statement computes, as an expression over its reads.
//!
//! A load becomes a read of its cell if nothing writes the cell between the load and the statement, an operation is computed again
//! where it is used, and a PHI is what it stands for ([`super::phis`]). What is neither is read from a scalar.

use super::holds::padded;
use super::model::Time;
use super::pieces::{Known, Piece};
use super::reject::{Reject, RejectKind};
use super::values::{Incoming, Meaning, Read, Site, Source, Stop, Tree, Values};
use crate::body::NodeKind;
use crate::ids::{BlockId, LoopId, NodeId, ValueId};
use crate::poly::Set;
use crate::region::{BlockIn, Def, InstKind, OpCode, Ty};
use crate::scev::{Scev, ScevKind};
use std::collections::BTreeSet;

/// The largest operand tree. Fluxes of a cell (five sums over four faces, with three kinds of what may lie behind a face) have 680 nodes, and
/// compile in half a second more.
const MAX_NODES: usize = 1024;

/// What a loop computes once with more operations is not computed in inner loops: a sum of all elements of a short line, which the compiler has unrolled.
const MAX_AGAIN: usize = 16;

/// Statements of so many copies take what merges from scalars.
const MAX_MERGED: i64 = 4;

/// The most operations that a tree with choices may be emitted as: what both arms of a choice need is one, so that there are few more than nodes
/// unless choices share a lot without being alike.
pub(super) const MAX_EXPANDED: usize = 4096;

impl Values<'_, '_> {
    /// The tree of a value at a site.
    pub fn tree(&mut self, source: &Source, site: Site) -> Result<Tree, Stop> {
        let mut tree = Tree::default();
        let root = match source {
            Source::Value(v) => self.node(&mut tree, *v, site)?,
            Source::Definition(v) => self.definition(&mut tree, *v, site)?,
            Source::Scalar(s, v) => self.read(&mut tree, *v, Read::Scalar(*s)),
            Source::WayOut(block, s) => self.way_out(&mut tree, *block, *s, site)?,
        };
        tree.body.root = root;
        Ok(tree)
    }

    pub(super) fn node(&mut self, tree: &mut Tree, v: ValueId, site: Site) -> Result<NodeId, Stop> {
        if let Some(id) = tree.known.get(&v) {
            return Ok(*id);
        }
        let id = match self.by_value.get(&v) {
            Some(&s) => self.read(tree, v, Read::Scalar(s)),
            None => self.definition(tree, v, site)?,
        };
        tree.known.insert(v, id);
        if tree.body.nodes.len() > MAX_NODES {
            return Err(Reject::new(RejectKind::TooLarge).into());
        }
        Ok(id)
    }

    pub(super) fn read(&self, tree: &mut Tree, v: ValueId, read: Read) -> NodeId {
        tree.reads.push(read);
        tree.body.push(
            self.model.region.value(v).ty,
            NodeKind::Read(tree.reads.len()),
        )
    }

    fn definition(&mut self, tree: &mut Tree, v: ValueId, site: Site) -> Result<NodeId, Stop> {
        let region = self.model.region;
        let value = region.value(v);
        let Def::Inst(_) = value.def else {
            return Ok(tree.body.push(value.ty, NodeKind::Invariant(v)));
        };
        let Some((block, index, inst)) = self.inst(v) else {
            return Err(Reject::value(v).into());
        };
        if let Some(s) = self.index_of(v, &site.at.nest) {
            return Ok(tree.body.push(value.ty, NodeKind::Index(s)));
        }
        let nest = self.nest(block);
        let enclosing = site.at.nest.starts_with(&nest);
        match &inst.kind {
            InstKind::Phi(_) => self.phi(tree, v, site),
            _ if !enclosing => {
                let s = self.scalar_of(v)?;
                Ok(self.read(tree, v, Read::Scalar(s)))
            }
            InstKind::Load { addr, ty } => {
                let cell = self.cell_at(addr, *ty, &nest, site)?;
                let at = self.model.time(block, index);
                if at == *site.at
                    || self.memory.undisturbed(
                        self.model,
                        (&at, false),
                        site.at,
                        &cell,
                        site.domain,
                    )?
                {
                    return Ok(self.read(tree, v, Read::Cell(cell, Some(v))));
                }
                let s = self.scalar_of(v)?;
                Ok(self.read(tree, v, Read::Scalar(s)))
            }
            InstKind::Op { op, operands } => {
                if let Some(cell) = self.stored_before(v, site)? {
                    return Ok(self.read(tree, v, Read::Cell(cell, None)));
                }
                let inner = nest.len() < site.at.nest.len();
                let costly = || is_call(op) || self.is_long(v);
                if inner && (costly() || is_division(op) && self.reads(v, site)?) {
                    let s = self.scalar_of(v)?;
                    return Ok(self.read(tree, v, Read::Scalar(s)));
                }
                let mut args = vec![];
                for o in operands {
                    args.push(self.node(tree, *o, site)?);
                }
                if matches!(op, OpCode::ICmp(_)) {
                    self.beside_index(tree, &mut args);
                }
                let (inst, op) = (v, op.clone());
                let kind = NodeKind::Op { inst, op, args };
                // Each instruction is one node: only a choice may be another one.
                Ok(match &kind {
                    NodeKind::Op { op, .. } if *op == OpCode::Select => {
                        tree.body.common(value.ty, kind)
                    }
                    _ => tree.body.push(value.ty, kind),
                })
            }
            _ => Err(Reject::at_inst(RejectKind::Instruction, block, v).into()),
        }
    }

    /// Constants that an index is compared with as indices, which differ from one copy of an unrolled loop to the next.
    fn beside_index(&self, tree: &mut Tree, args: &mut [NodeId]) {
        let is_index = |a: &NodeId| matches!(tree.body.node(*a).kind, NodeKind::Index(_));
        if !args.iter().any(is_index) {
            return;
        }
        for arg in args {
            let node = tree.body.node(*arg);
            if let (NodeKind::Invariant(v), Ty::Int(width)) = (&node.kind, node.ty)
                && let Def::IntConst(c) = self.model.region.value(*v).def
            {
                let index = Scev::constant(width, c);
                *arg = tree.body.common(Ty::Int(width), NodeKind::Index(index));
            }
        }
    }

    /// Whether more operations than are computed again in inner loops lead to a value.
    fn is_long(&self, v: ValueId) -> bool {
        let (mut seen, mut pending) = (BTreeSet::from([v]), vec![v]);
        while seen.len() <= MAX_AGAIN
            && let Some(v) = pending.pop()
        {
            let ops = self.operands(v).unwrap_or_default().iter();
            let ops = ops.filter(|o| self.operands(**o).is_some());
            pending.extend(ops.filter(|o| seen.insert(**o)));
        }
        seen.len() > MAX_AGAIN
    }

    /// Whether a value is computed from memory or scalars: then it is no constant of the whole region.
    fn reads(&mut self, v: ValueId, site: Site) -> Result<bool, Stop> {
        let mut tree = Tree::default();
        for o in self.operands(v).unwrap_or_default() {
            self.node(&mut tree, *o, site)?;
        }
        Ok(!tree.reads.is_empty())
    }

    /// The evolution of an integer, if it is a function of iterators of the nest and of what is known before the region.
    fn index_of(&self, v: ValueId, nest: &[LoopId]) -> Option<Scev> {
        let region = self.model.region;
        let value = region.value(v);
        let s = value
            .scev
            .as_ref()
            .filter(|_| matches!(value.ty, Ty::Int(_)))?;
        let open = s.any(&mut |part| match &part.kind {
            ScevKind::Unknown(u) => matches!(region.value(*u).def, Def::Inst(_)),
            ScevKind::AddRec {
                loop_, operands, ..
            } => !nest.contains(loop_) || operands.len() > 2,
            // As an address it may be taken for a remainder that goes around once; as a value it is itself.
            ScevKind::Unknowable | ScevKind::SRem(..) => true,
            _ => false,
        });
        (!open).then(|| s.clone())
    }

    fn phi(&mut self, tree: &mut Tree, v: ValueId, site: Site) -> Result<NodeId, Stop> {
        match self.meaning(v)? {
            Meaning::Gated => self.gated_phi(tree, v, site),
            Meaning::Copy(w) => {
                let (block, ..) = self
                    .inst(w)
                    .map_or((BlockId(0), 0, None), |(b, i, x)| (b, i, Some(x)));
                let inner = self.model.defs.contains_key(&w)
                    && !site.at.nest.starts_with(&self.nest(block));
                if !inner {
                    return self.node(tree, w, site);
                }
                self.after_loop(tree, v, w, site)
            }
            Meaning::Content(cell, at) => {
                let enclosing = site.at.nest.starts_with(&cell.nest);
                if enclosing
                    && self.memory.undisturbed(
                        self.model,
                        (&at, false),
                        site.at,
                        &cell,
                        site.domain,
                    )?
                {
                    return Ok(self.read(tree, v, Read::Cell(cell, None)));
                }
                let s = self.scalar_of(v)?;
                Ok(self.read(tree, v, Read::Scalar(s)))
            }
            Meaning::Pieces(pieces, at) => self.piece(tree, v, (&pieces, &at), site),
            Meaning::Edges(edges, at) => self.merged(tree, v, (&edges, &at), site),
            Meaning::Scalar(s) => Ok(self.read(tree, v, Read::Scalar(s))),
        }
    }

    /// A PHI that takes another value on each edge: a statement in the iterations of one edge takes that edge's value.
    fn merged(
        &mut self,
        tree: &mut Tree,
        v: ValueId,
        (edges, at): (&[Incoming], &Time),
        site: Site,
    ) -> Result<NodeId, Stop> {
        let may_split = site.copies < MAX_MERGED;
        for edge in edges.iter().filter(|_| site.at.nest.starts_with(&at.nest)) {
            if is_within(site, &edge.domain, may_split)? {
                return self.node(tree, edge.value, site);
            }
        }
        let s = self.edge_scalar(v, edges)?;
        Ok(self.read(tree, v, Read::Scalar(s)))
    }

    /// A PHI whose meaning depends on the iteration.
    fn piece(
        &mut self,
        tree: &mut Tree,
        v: ValueId,
        (pieces, at): (&[Piece], &Time),
        site: Site,
    ) -> Result<NodeId, Stop> {
        for piece in pieces.iter().filter(|_| site.at.nest.starts_with(&at.nest)) {
            if !is_within(site, &piece.domain, true)? {
                continue;
            }
            match &piece.what {
                Known::Value(w) => return self.node(tree, *w, site),
                Known::Cell(cell) => {
                    let from = (at, false);
                    if (self.memory).undisturbed(self.model, from, site.at, cell, site.domain)? {
                        return Ok(self.read(tree, v, Read::Cell(cell.clone(), None)));
                    }
                }
            }
        }
        let s = self.scalar_of(v)?;
        Ok(self.read(tree, v, Read::Scalar(s)))
    }

    /// A value `w` of a loop, used behind it as `v`.
    fn after_loop(
        &mut self,
        tree: &mut Tree,
        v: ValueId,
        w: ValueId,
        site: Site,
    ) -> Result<NodeId, Stop> {
        let holds = self.holds(v)?;
        if let Some(cell) = self.still_holding(holds, site)? {
            return Ok(self.read(tree, v, Read::Cell(cell, None)));
        }
        if let Some(s) = self.carried_scalar(w)? {
            return Ok(self.read(tree, v, Read::Scalar(s)));
        }
        let s = self.scalar_of(w)?;
        Ok(self.read(tree, v, Read::Scalar(s)))
    }

    /// The scalar of a header PHI whose next value is `w`: after the loop it holds the last one.
    fn carried_scalar(&mut self, w: ValueId) -> Result<Option<usize>, Reject> {
        let Some((block, ..)) = self.inst(w) else {
            return Ok(None);
        };
        let region = self.model.region;
        let Some(l) = region.block(block).loop_ else {
            return Ok(None);
        };
        let latch = region.loop_(l).latch;
        for inst in &region.block(region.loop_(l).header).insts {
            let InstKind::Phi(incoming) = &inst.kind else {
                continue;
            };
            if incoming.contains(&(BlockIn::Block(latch), w))
                && let Meaning::Scalar(s) = self.meaning(inst.id)?
            {
                return Ok(Some(s));
            }
        }
        Ok(None)
    }
}

/// Whether a site lies in these iterations of the loops around it. One that lies there in part is to be split, if it may.
fn is_within(site: Site, part: &Set, may_split: bool) -> Result<bool, Stop> {
    let here = padded(part, site.domain.tuple_dim())?;
    if site.domain.is_subset(&here)? {
        return Ok(true);
    }
    match may_split && !site.domain.intersect(&here)?.is_empty()? {
        true => Err(Stop::Split(here)),
        false => Ok(false),
    }
}

/// What a loop computes once is not computed in inner loops if it takes many times as long as an addition.
fn is_division(op: &OpCode) -> bool {
    use OpCode::{FDiv, FRem, SDiv, SRem, UDiv, URem};
    matches!(op, FDiv(_) | FRem | SDiv | SRem | UDiv | URem)
}

/// Calls are not even moved out of loops again.
fn is_call(op: &OpCode) -> bool {
    matches!(op, OpCode::Sqrt | OpCode::Call(_) | OpCode::Ragged { .. })
}
