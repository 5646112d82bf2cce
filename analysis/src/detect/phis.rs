//! What PHIs stand for: another value, the content of a cell, one or the other by iteration, or a scalar.

use super::chains;
use super::holds::one_back;
use super::memory::Cell;
use super::model::{STEP, Time};
use super::reject::{Reject, RejectKind};
use super::values::{Draft, Incoming, Meaning, Source, Target, Values};
use crate::ids::{BlockId, LoopId, ValueId};
use crate::region::{Address, BlockIn, InstKind, Ty};
use std::collections::BTreeSet;

/// What merges from more edges is a scalar.
const MAX_EDGES: usize = 3;

/// Values in PHIs of PHIs beyond which nobody looks.
const MAX_MERGED: usize = 32;

impl Values<'_, '_> {
    pub(super) fn meaning(&mut self, v: ValueId) -> Result<Meaning, Reject> {
        if let Some(m) = self.meanings.get(&v) {
            return Ok(m.clone());
        }
        let Some((block, _, inst)) = self.inst(v) else {
            return Err(Reject::value(v));
        };
        let InstKind::Phi(incoming) = &inst.kind else {
            return Err(Reject::value(v));
        };
        let region = self.model.region;
        let header = region.headed(block);
        let constant = match incoming.len() {
            1 => None,
            _ => self.constant_cell(v, block)?,
        };
        let found = match (&incoming[..], header) {
            ([(_, only)], _) => Meaning::Copy(*only),
            (_, _) if constant.is_some() => {
                let cell = constant.expect("a cell");
                Meaning::Content(cell, self.model.begin(block))
            }
            (_, Some(l)) => {
                // Cyclic uses see a scalar; replaced if a cell is found.
                self.header_phi(v, l, incoming)?
            }
            (_, None) if self.model.gates.is_gated(block) => Meaning::Gated,
            (_, None) => self.merge_phi(v, block, incoming)?,
        };
        self.meanings.insert(v, found.clone());
        Ok(found)
    }

    /// The cell that all values were loaded from which merge in a PHI, directly or in other PHIs, if nothing in the region writes there: a
    /// filter's weights, which the compiler loads in front of the loops and, for what it takes for a write of them, again inside.
    fn constant_cell(&mut self, v: ValueId, block: BlockId) -> Result<Option<Cell>, Reject> {
        let (mut seen, mut left) = (BTreeSet::from([v]), vec![v]);
        let mut cell: Option<(&Address, Ty)> = None;
        while let Some(v) = left.pop() {
            let Some((at, _, inst)) = self.inst(v) else {
                return Ok(None);
            };
            match &inst.kind {
                InstKind::Phi(incoming) => {
                    left.extend(incoming.iter().map(|i| i.1).filter(|x| seen.insert(*x)));
                }
                InstKind::Load { addr, ty } if !self.model.gates.is_controlled(at) => {
                    if *cell.get_or_insert((addr, *ty)) != (addr, *ty) {
                        return Ok(None);
                    }
                }
                _ => return Ok(None),
            }
            if seen.len() > MAX_MERGED {
                return Ok(None);
            }
        }
        match cell {
            Some((addr, ty))
                if addr.offset.loops().is_empty()
                    && !chains::written(self.model.region).contains(&addr.base) =>
            {
                let nest = self.nest(block);
                Ok(Some(self.memory.cell(self.model, addr, ty, &nest)?))
            }
            _ => Ok(None),
        }
    }

    fn header_phi(
        &mut self,
        v: ValueId,
        l: LoopId,
        incoming: &[(BlockIn, ValueId)],
    ) -> Result<Meaning, Reject> {
        let region = self.model.region;
        let (header, latch) = (region.loop_(l).header, region.loop_(l).latch);
        let next = incoming
            .iter()
            .find(|(b, _)| *b == BlockIn::Block(latch))
            .map(|(_, x)| *x);
        let init = incoming
            .iter()
            .find(|(b, _)| *b != BlockIn::Block(latch))
            .copied();
        if let Some(cell) = self.kept.get(&v).cloned() {
            let nest = self.nest(header);
            let relation = super::memory::over(&cell.relation, nest.len())?;
            let cell = Cell {
                nest,
                relation,
                ..cell
            };
            return Ok(Meaning::Content(cell, self.model.begin(header)));
        }
        let (Some(next), Some((from, init)), 2) = (next, init, incoming.len()) else {
            return Err(Reject::at_inst(RejectKind::Instruction, header, v));
        };
        if next != v {
            self.active.insert(v);
            let found = self.carried_cell((l, v), header, init, next);
            let pieces = match &found {
                Ok(None) => self.pieces(l, init, next),
                _ => Ok(None),
            };
            self.active.remove(&v);
            if let Some((cell, at)) = found? {
                return Ok(Meaning::Content(cell, at));
            }
            if let Some(pieces) = pieces? {
                return Ok(Meaning::Pieces(pieces, self.model.begin(header)));
            }
        }
        let s = self.new_scalar(v, header)?;
        self.meanings.insert(v, Meaning::Scalar(s));
        let (at, domain) = match from {
            BlockIn::Entry => (
                Time {
                    nest: vec![],
                    beta: vec![-STEP * self.next_place()],
                },
                self.model.set(0, "true")?,
            ),
            BlockIn::Block(b) => {
                let place = self.next_place();
                (self.model.end(b, place), self.model.edge(b, header)?)
            }
        };
        let ty = region.value(v).ty;
        let when = self.model.gates.controlled(header);
        let target = || Target::Scalar(s);
        self.drafts.push(Draft {
            at,
            domain,
            target: target(),
            value: Source::Value(init),
            ty,
            inst: None,
            when,
            copy_of: None,
        });
        let update = self.model.rotations.update(self.model, l, v);
        let domain = self.model.domain(latch).clone();
        let mut value = Source::Value(next);
        if let Some(order) = update.early {
            let early = self.new_scalar(v, header)?;
            self.drafts.push(Draft {
                at: self.model.end(latch, order),
                domain: domain.clone(),
                target: Target::Scalar(early),
                value,
                ty,
                inst: None,
                when,
                copy_of: None,
            });
            value = Source::Scalar(early, v);
        }
        self.drafts.push(Draft {
            at: self.model.end(latch, update.order),
            domain,
            target: target(),
            value,
            ty,
            inst: None,
            when,
            copy_of: None,
        });
        Ok(Meaning::Scalar(s))
    }

    /// The cell that always holds a header PHI's value, and since when.
    fn carried_cell(
        &mut self,
        (l, v): (LoopId, ValueId),
        header: BlockId,
        init: ValueId,
        next: ValueId,
    ) -> Result<Option<(Cell, Time)>, Reject> {
        let nest = self.nest(header);
        let depth = nest.len();
        let begin = self.model.begin(header);
        let domain = self.model.domain(header).clone();
        let first = domain.intersect(&self.model.set(depth, &format!("i{} = 0", depth - 1))?)?;
        let later = domain.intersect(&self.model.set(depth, &format!("i{} >= 1", depth - 1))?)?;
        for hold in self.holds(next)? {
            if hold.cell.nest != nest || !self.model.includes(&hold.domain, &domain)? {
                continue;
            }
            let Some(offset) = one_back(&hold.cell.address.offset, l) else {
                continue;
            };
            let address = Address {
                base: hold.cell.address.base,
                offset,
            };
            let ty = hold.cell.ty;
            let Some(cell) = (self.memory).cell_within(self.model, &address, ty, &nest, &later)?
            else {
                continue;
            };
            if !self
                .memory
                .undisturbed(self.model, (&hold.at, true), &begin, &cell, &later)?
            {
                continue;
            }
            if self.is_held(init, &cell, &begin, &first)? {
                return Ok(Some((cell, begin)));
            }
        }
        self.updated_cell((l, v), (init, next), &first)
    }

    fn merge_phi(
        &mut self,
        v: ValueId,
        block: BlockId,
        incoming: &[(BlockIn, ValueId)],
    ) -> Result<Meaning, Reject> {
        let nest = self.nest(block);
        let mut edges = vec![];
        for (from, x) in incoming {
            let BlockIn::Block(from) = from else {
                return Err(Reject::at_inst(RejectKind::Instruction, block, v));
            };
            if self.nest(*from) != nest {
                return Err(Reject::at_inst(RejectKind::Instruction, block, v));
            }
            edges.push(Incoming {
                from: *from,
                value: *x,
                domain: self.model.edge(*from, block)?,
            });
        }
        let begin = self.model.begin(block);
        let mut candidates = vec![];
        for edge in &edges {
            candidates.extend(
                self.holds(edge.value)?
                    .into_iter()
                    .map(|h| h.cell)
                    .filter(|c| nest.starts_with(&c.nest)),
            );
        }
        for cell in candidates {
            let mut all = true;
            for edge in &edges {
                all = all && self.is_held(edge.value, &cell, &begin, &edge.domain)?;
            }
            if all {
                return Ok(Meaning::Content(cell, begin));
            }
        }
        let open = |e: &Incoming| self.comes_from_inside(e.value, &nest);
        if edges.len() > MAX_EDGES || edges.iter().any(open) {
            return Ok(Meaning::Scalar(self.edge_scalar(v, &edges)?));
        }
        Ok(Meaning::Edges(edges, begin))
    }

    /// Whether a value is the last one of a loop in the innermost loop of `nest`: a sum, which goes on in its scalar.
    fn comes_from_inside(&self, v: ValueId, nest: &[LoopId]) -> bool {
        match self.inst(v) {
            Some((block, ..)) if !nest.starts_with(&self.nest(block)) => true,
            Some((.., inst)) => match &inst.kind {
                InstKind::Phi(incoming) if incoming.len() == 1 => {
                    self.comes_from_inside(incoming[0].1, nest)
                }
                _ => false,
            },
            None => false,
        }
    }

    /// The scalar of a merging PHI that the statements at the ends of its edges write.
    pub(super) fn edge_scalar(&mut self, v: ValueId, edges: &[Incoming]) -> Result<usize, Reject> {
        if let Some(&s) = self.by_edges.get(&v) {
            return Ok(s);
        }
        let (block, ..) = (self.inst(v)).ok_or_else(|| Reject::value(v))?;
        let s = self.new_scalar(v, block)?;
        self.by_edges.insert(v, s);
        let ty = self.model.region.value(v).ty;
        for edge in edges {
            let place = self.next_place();
            let at = self.model.end(edge.from, place);
            self.drafts.push(Draft {
                at,
                domain: edge.domain.clone(),
                target: Target::Scalar(s),
                value: Source::Value(edge.value),
                ty,
                inst: None,
                when: None,
                copy_of: None,
            });
        }
        Ok(s)
    }
}
