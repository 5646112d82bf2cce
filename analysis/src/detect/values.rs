//! Values and where they live: operand trees, contents of cells, scalars.
//!
//! LICM and GVN have replaced loads by values carried in PHIs. One rule undoes most of that: a PHI is the *content of a
//! cell* if on every incoming edge the incoming value was stored to that cell or loaded from it, and nothing wrote it
//! since. Then whoever uses the PHI reads the cell instead. A cell that moves with the loop is taken one iteration back
//! (`PHI(j)` = what was stored to `a[j-1]`).
//!
//! What no cell holds becomes a scalar: an array of one cell, written where the value is defined (a header PHI: in front
//! of the loop and at the end of its latch).

use super::memory::{Cell, Memory, over};
use super::model::{Model, STEP, Time};
use super::pieces::{Known, Piece};
use super::reject::{Reject, RejectKind};
use super::rotation;
use crate::body::{Body, NodeKind};
use crate::ids::{BlockId, LoopId, NodeId, ValueId};
use crate::poly::{self, DimType, Set};
use crate::region::{Address, BlockIn, Def, Inst, InstKind, OpCode, Ty};
use crate::scev::{Scev, ScevKind, Wrap};
use std::collections::{BTreeMap, BTreeSet};

/// The largest operand tree.
const MAX_NODES: usize = 256;

/// What a PHI stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// The other value.
    Copy(ValueId),
    /// The content of a cell at this time.
    Content(Cell, Time),
    /// One of these, by iteration of its loop.
    Pieces(Vec<Piece>, Time),
    /// The content of a scalar.
    Scalar(usize),
}

/// A value that a cell holds from some time on.
pub(super) struct Hold {
    pub cell: Cell,
    pub at: Time,
    /// Where that is so.
    pub domain: Set,
}

/// One cell of our own.
pub(super) struct Scalar {
    pub ty: Ty,
    pub name: String,
    pub live_out: Option<ValueId>,
}

/// A statement before it has a number.
pub(super) struct Draft {
    pub at: Time,
    pub domain: Set,
    pub target: Target,
    pub value: Source,
    pub ty: Ty,
    pub inst: Option<ValueId>,
    /// The draft that this one takes some iterations of, and which of its copies it is.
    pub copy_of: Option<(usize, i64)>,
}

/// What a statement writes.
#[derive(Clone)]
pub(super) enum Target {
    Cell(Cell),
    Scalar(usize),
}

/// What is written.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Value(ValueId),
    /// The value's own operation, not the scalar that may hold it.
    Definition(ValueId),
    /// The content of a scalar, as this value.
    Scalar(usize, ValueId),
}

/// A read of a statement under construction.
#[derive(Clone, Debug)]
pub(super) enum Read {
    Cell(Cell, Option<ValueId>),
    Scalar(usize),
}

/// An operand tree under construction.
#[derive(Default)]
pub(super) struct Tree {
    pub body: Body,
    pub reads: Vec<Read>,
    known: BTreeMap<ValueId, NodeId>,
}

/// All values of a region.
pub(super) struct Values<'m, 'r> {
    pub model: &'m mut Model<'r>,
    pub memory: &'m Memory,
    pub scalars: Vec<Scalar>,
    pub drafts: Vec<Draft>,
    meanings: BTreeMap<ValueId, Meaning>,
    by_value: BTreeMap<ValueId, usize>,
    /// PHIs whose cell is being looked for: values that rotate would ask for each other's for ever.
    pub(super) active: BTreeSet<ValueId>,
    /// Places at ends of blocks that are taken.
    places: i64,
}

/// Why there is no tree.
#[derive(Debug)]
pub(super) enum Stop {
    /// There cannot be one.
    Reject(Reject),
    /// It differs between these iterations and the others.
    Split(Set),
}

impl From<Reject> for Stop {
    fn from(r: Reject) -> Stop {
        Stop::Reject(r)
    }
}

impl From<poly::Error> for Stop {
    fn from(e: poly::Error) -> Stop {
        Stop::Reject(e.into())
    }
}

/// Where a tree is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    pub at: &'s Time,
    pub domain: &'s Set,
}

impl<'m, 'r> Values<'m, 'r> {
    pub fn new(model: &'m mut Model<'r>, memory: &'m Memory) -> Values<'m, 'r> {
        Values {
            model,
            memory,
            scalars: vec![],
            drafts: vec![],
            meanings: BTreeMap::new(),
            by_value: BTreeMap::new(),
            active: BTreeSet::new(),
            places: 0,
        }
    }

    pub(super) fn inst(&self, v: ValueId) -> Option<(BlockId, usize, &'r Inst)> {
        let region = self.model.region;
        let &(b, i) = self.model.defs.get(&v)?;
        Some((b, i, &region.block(b).insts[i]))
    }

    fn nest(&self, b: BlockId) -> Vec<LoopId> {
        self.model.region.loop_nest(b)
    }

    /// The tree of a value at a site.
    pub fn tree(&mut self, source: &Source, site: Site) -> Result<Tree, Stop> {
        let mut tree = Tree::default();
        let root = match source {
            Source::Value(v) => self.node(&mut tree, *v, site)?,
            Source::Definition(v) => self.definition(&mut tree, *v, site)?,
            Source::Scalar(s, v) => self.read(&mut tree, *v, Read::Scalar(*s)),
        };
        tree.body.root = root;
        Ok(tree)
    }

    fn node(&mut self, tree: &mut Tree, v: ValueId, site: Site) -> Result<NodeId, Stop> {
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

    fn read(&self, tree: &mut Tree, v: ValueId, read: Read) -> NodeId {
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
            return Err(Reject::new(RejectKind::Instruction).into());
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
                let cell = self.memory.cell(self.model, addr, *ty, &nest)?;
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
                if inner && (is_call(op) || is_division(op) && self.reads(v, site)?) {
                    let s = self.scalar_of(v)?;
                    return Ok(self.read(tree, v, Read::Scalar(s)));
                }
                let mut args = vec![];
                for o in operands {
                    args.push(self.node(tree, *o, site)?);
                }
                Ok(tree.body.push(
                    value.ty,
                    NodeKind::Op {
                        inst: v,
                        op: op.clone(),
                        args,
                    },
                ))
            }
            _ => Err(Reject::at_block(RejectKind::Instruction, block).into()),
        }
    }

    /// Whether a value is computed from memory or scalars: then it is no constant of the whole region.
    fn reads(&mut self, v: ValueId, site: Site) -> Result<bool, Stop> {
        let Some((_, _, inst)) = self.inst(v) else {
            return Ok(false);
        };
        let InstKind::Op { operands, .. } = &inst.kind else {
            return Ok(false);
        };
        let mut tree = Tree::default();
        for o in operands {
            self.node(&mut tree, *o, site)?;
        }
        Ok(!tree.reads.is_empty())
    }

    /// A cell that a value was stored to before the site, and that still holds it.
    fn stored_before(&mut self, v: ValueId, site: Site) -> Result<Option<Cell>, Reject> {
        let depth = site.domain.tuple_dim();
        for hold in self.stores_of(v)? {
            if site.at.nest.starts_with(&hold.cell.nest)
                && precedes(&hold.at, site.at)
                && site.domain.is_subset(&padded(&hold.domain, depth)?)?
                && self.memory.undisturbed(
                    self.model,
                    (&hold.at, false),
                    site.at,
                    &hold.cell,
                    site.domain,
                )?
            {
                return Ok(Some(hold.cell));
            }
        }
        Ok(None)
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
            ScevKind::Unknowable => true,
            _ => false,
        });
        (!open).then(|| s.clone())
    }

    fn phi(&mut self, tree: &mut Tree, v: ValueId, site: Site) -> Result<NodeId, Stop> {
        match self.meaning(v)? {
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
            Meaning::Scalar(s) => Ok(self.read(tree, v, Read::Scalar(s))),
        }
    }

    /// A PHI whose meaning depends on the iteration.
    fn piece(
        &mut self,
        tree: &mut Tree,
        v: ValueId,
        (pieces, at): (&[Piece], &Time),
        site: Site,
    ) -> Result<NodeId, Stop> {
        let depth = site.domain.tuple_dim();
        for piece in pieces.iter().filter(|_| site.at.nest.starts_with(&at.nest)) {
            let here = padded(&piece.domain, depth)?;
            if !site.domain.is_subset(&here)? {
                if site.domain.intersect(&here)?.is_empty()? {
                    continue;
                }
                return Err(Stop::Split(here));
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
        let depth = site.domain.tuple_dim();
        for hold in self.holds(v)? {
            if site.at.nest.starts_with(&hold.cell.nest)
                && precedes(&hold.at, site.at)
                && site.domain.is_subset(&padded(&hold.domain, depth)?)?
                && self.memory.undisturbed(
                    self.model,
                    (&hold.at, false),
                    site.at,
                    &hold.cell,
                    site.domain,
                )?
            {
                return Ok(self.read(tree, v, Read::Cell(hold.cell, None)));
            }
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

    /// A place that nothing else has, counted from the end of a block. Values that come into different PHIs there do not
    /// read each other's scalars: their order is free.
    fn next_place(&mut self) -> i64 {
        self.places += 1;
        self.places
    }

    /// The scalar that holds a value from its definition on.
    pub fn scalar_of(&mut self, v: ValueId) -> Result<usize, Reject> {
        if let Some(&s) = self.by_value.get(&v) {
            return Ok(s);
        }
        let Some((block, index, _)) = self.inst(v) else {
            return Err(Reject::new(RejectKind::Instruction));
        };
        let s = self.new_scalar(v);
        self.by_value.insert(v, s);
        let draft = Draft {
            at: self.model.time(block, index),
            domain: self.model.domain(block).clone(),
            target: Target::Scalar(s),
            value: Source::Definition(v),
            ty: self.model.region.value(v).ty,
            inst: Some(v),
            copy_of: None,
        };
        self.drafts.push(draft);
        Ok(s)
    }

    fn new_scalar(&mut self, v: ValueId) -> usize {
        let value = self.model.region.value(v);
        self.scalars.push(Scalar {
            ty: value.ty,
            name: value.name.clone(),
            live_out: None,
        });
        self.scalars.len() - 1
    }

    // PHIs.

    pub(super) fn meaning(&mut self, v: ValueId) -> Result<Meaning, Reject> {
        if let Some(m) = self.meanings.get(&v) {
            return Ok(m.clone());
        }
        let Some((block, _, inst)) = self.inst(v) else {
            return Err(Reject::new(RejectKind::Instruction));
        };
        let InstKind::Phi(incoming) = &inst.kind else {
            return Err(Reject::new(RejectKind::Instruction));
        };
        let region = self.model.region;
        let header = region
            .block(block)
            .loop_
            .filter(|&l| region.loop_(l).header == block);
        let found = match (&incoming[..], header) {
            ([(_, only)], _) => Meaning::Copy(*only),
            (_, Some(l)) => {
                // Cyclic uses see a scalar; replaced if a cell is found.
                self.header_phi(v, l, incoming)?
            }
            (_, None) => self.merge_phi(v, block, incoming)?,
        };
        self.meanings.insert(v, found.clone());
        Ok(found)
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
        let (Some(next), Some((from, init)), 2) = (next, init, incoming.len()) else {
            return Err(Reject::at_block(RejectKind::Instruction, header));
        };
        if next != v {
            self.active.insert(v);
            let found = self.carried_cell(l, header, init, next);
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
        let s = self.new_scalar(v);
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
        let target = || Target::Scalar(s);
        self.drafts.push(Draft {
            at,
            domain,
            target: target(),
            value: Source::Value(init),
            ty,
            inst: None,
            copy_of: None,
        });
        let update = rotation::update(self.model, l, v);
        let domain = self.model.domain(latch).clone();
        let mut value = Source::Value(next);
        if let Some(order) = update.early {
            let early = self.new_scalar(v);
            self.drafts.push(Draft {
                at: self.model.end(latch, order),
                domain: domain.clone(),
                target: Target::Scalar(early),
                value,
                ty,
                inst: None,
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
            copy_of: None,
        });
        Ok(Meaning::Scalar(s))
    }

    /// The cell that always holds a header PHI's value, and since when.
    fn carried_cell(
        &mut self,
        l: LoopId,
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
            if hold.cell.nest != nest || !domain.is_subset(&hold.domain)? {
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
        Ok(None)
    }

    /// Whether a cell holds a value at a time, for these iterations.
    fn is_held(
        &mut self,
        v: ValueId,
        cell: &Cell,
        at: &Time,
        domain: &Set,
    ) -> Result<bool, Reject> {
        let depth = domain.tuple_dim();
        let wanted = over(&cell.relation, depth)?.intersect_domain(domain)?;
        for hold in self.holds(v)? {
            if hold.cell.address.base != cell.address.base || !at.nest.starts_with(&hold.cell.nest)
            {
                continue;
            }
            let covered = padded(&hold.domain, depth)?;
            if precedes(&hold.at, at)
                && domain.is_subset(&covered)?
                && over(&hold.cell.relation, depth)?
                    .intersect_domain(domain)?
                    .is_equal(&wanted)?
                && self
                    .memory
                    .undisturbed(self.model, (&hold.at, false), at, cell, domain)?
            {
                return Ok(true);
            }
        }
        Ok(false)
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
                return Err(Reject::at_block(RejectKind::Instruction, block));
            };
            if self.nest(*from) != nest {
                return Err(Reject::at_block(RejectKind::Instruction, block));
            }
            edges.push((*from, *x, self.model.edge(*from, block)?));
        }
        let begin = self.model.begin(block);
        let mut candidates = vec![];
        for (_, x, _) in &edges {
            candidates.extend(
                self.holds(*x)?
                    .into_iter()
                    .map(|h| h.cell)
                    .filter(|c| nest.starts_with(&c.nest)),
            );
        }
        for cell in candidates {
            let mut all = true;
            for (_, x, taken) in &edges {
                all = all && self.is_held(*x, &cell, &begin, taken)?;
            }
            if all {
                return Ok(Meaning::Content(cell, begin));
            }
        }
        let s = self.new_scalar(v);
        let ty = self.model.region.value(v).ty;
        for (from, x, domain) in edges {
            let place = self.next_place();
            let at = self.model.end(from, place);
            self.drafts.push(Draft {
                at,
                domain,
                target: Target::Scalar(s),
                value: Source::Value(x),
                ty,
                inst: None,
                copy_of: None,
            });
        }
        Ok(Meaning::Scalar(s))
    }

    /// The cells that hold a value, since when and where.
    pub(super) fn holds(&mut self, v: ValueId) -> Result<Vec<Hold>, Reject> {
        let mut found = self.stores_of(v)?;
        let Some((block, index, inst)) = self.inst(v) else {
            return Ok(found);
        };
        match &inst.kind {
            InstKind::Load { addr, ty } => {
                let nest = self.nest(block);
                let cell = self.memory.cell(self.model, addr, *ty, &nest)?;
                let domain = self.model.domain(block).clone();
                found.push(Hold {
                    cell,
                    at: self.model.time(block, index),
                    domain,
                });
            }
            InstKind::Phi(incoming) if incoming.len() == 1 => {
                let inner = incoming[0].1;
                found.extend(self.held_after_loop(block, inner)?);
            }
            InstKind::Phi(_) => {
                if !self.active.contains(&v)
                    && let Meaning::Content(cell, at) = self.meaning(v)?
                {
                    let domain = self.model.domain(block).clone();
                    found.push(Hold { cell, at, domain });
                }
            }
            _ => {}
        }
        Ok(found)
    }

    /// The stores of a value.
    fn stores_of(&mut self, v: ValueId) -> Result<Vec<Hold>, Reject> {
        let region = self.model.region;
        let mut found = vec![];
        for (b, block) in region.blocks.iter().enumerate() {
            let b = BlockId::from(b);
            for (i, inst) in block.insts.iter().enumerate() {
                if let InstKind::Store { addr, ty, value } = &inst.kind
                    && *value == v
                {
                    let nest = self.nest(b);
                    let cell = self.memory.cell(self.model, addr, *ty, &nest)?;
                    let domain = self.model.domain(b).clone();
                    found.push(Hold {
                        cell,
                        at: self.model.time(b, i),
                        domain,
                    });
                }
            }
        }
        Ok(found)
    }

    /// The cells that hold, behind a loop, the last value of `inner`: stored in every iteration to a cell that the loop
    /// does not move.
    fn held_after_loop(&mut self, block: BlockId, inner: ValueId) -> Result<Vec<Hold>, Reject> {
        let region = self.model.region;
        let Some((at, ..)) = self.inst(inner) else {
            return Ok(vec![]);
        };
        let outer = self.nest(block);
        let nest = self.nest(at);
        if nest.len() != outer.len() + 1 || !nest.starts_with(&outer) {
            return Ok(vec![]);
        }
        let l = nest[outer.len()];
        let latch = region.loop_(l).latch;
        let end = self.model.end(latch, 0);
        let domain = self.model.domain(region.loop_(l).header).clone();
        let mut found = vec![];
        for hold in self.stores_of(inner)? {
            let fixed = !hold.cell.address.offset.loops().contains(&l);
            if hold.cell.nest == nest
                && fixed
                && domain.is_subset(&hold.domain)?
                && self.memory.undisturbed(
                    self.model,
                    (&hold.at, false),
                    &end,
                    &hold.cell,
                    &domain,
                )?
            {
                let cell =
                    self.memory
                        .cell(self.model, &hold.cell.address, hold.cell.ty, &outer)?;
                let domain = self.model.domain(block).clone();
                found.push(Hold {
                    cell,
                    at: self.model.begin(block),
                    domain,
                });
            }
        }
        Ok(found)
    }
}

/// Whether one thing comes before another in the same iteration of the loops that they share.
fn precedes(a: &Time, b: &Time) -> bool {
    a.beta
        .iter()
        .zip(&b.beta)
        .find(|(x, y)| x != y)
        .is_some_and(|(x, y)| x < y)
}

/// A domain over a prefix of a nest as one over more of it.
fn padded(domain: &Set, depth: usize) -> Result<Set, Reject> {
    Ok(domain.add_dims(DimType::Set, depth - domain.tuple_dim())?)
}

/// What a loop computes once is not computed in inner loops if it takes many times as long as an addition.
fn is_division(op: &OpCode) -> bool {
    use OpCode::{FDiv, FRem, SDiv, SRem, UDiv, URem};
    matches!(op, FDiv(_) | FRem | SDiv | SRem | UDiv | URem)
}

/// Calls are not even moved out of loops again.
fn is_call(op: &OpCode) -> bool {
    matches!(op, OpCode::Sqrt | OpCode::Call(_))
}

/// An evolution one iteration of `l` earlier; `None` where it is not linear in the iterator.
pub(super) fn one_back(s: &Scev, l: LoopId) -> Option<Scev> {
    if !s.loops().contains(&l) {
        return Some(s.clone());
    }
    let wrap = Wrap::default();
    let kind = match &s.kind {
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let [start, step] = &operands[..] else {
                return None;
            };
            let start = one_back(start, l)?;
            if *loop_ != l {
                ScevKind::AddRec {
                    loop_: *loop_,
                    operands: vec![start, one_back(step, l)?],
                    wrap,
                }
            } else {
                let minus = Scev {
                    width: s.width,
                    kind: ScevKind::Mul(vec![Scev::constant(s.width, -1), step.clone()], wrap),
                };
                let start = Scev {
                    width: s.width,
                    kind: ScevKind::Add(vec![start, minus], wrap),
                };
                ScevKind::AddRec {
                    loop_: *loop_,
                    operands: vec![start, step.clone()],
                    wrap,
                }
            }
        }
        ScevKind::Add(v, _) => ScevKind::Add(
            v.iter().map(|t| one_back(t, l)).collect::<Option<_>>()?,
            wrap,
        ),
        ScevKind::Mul(v, _) => ScevKind::Mul(
            v.iter().map(|t| one_back(t, l)).collect::<Option<_>>()?,
            wrap,
        ),
        _ => return None,
    };
    Some(Scev {
        width: s.width,
        kind,
    })
}
