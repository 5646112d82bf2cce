//! Values and where they live: operand trees, contents of cells, scalars.
//!
//! LICM and GVN have replaced loads by values carried in PHIs. One rule undoes most of that: a PHI is the *content of a
//! cell* if on every incoming edge the incoming value was stored to that cell or loaded from it, and nothing wrote it
//! since. Then whoever uses the PHI reads the cell instead. A cell that moves with the loop is taken one iteration back
//! (`PHI(j)` = what was stored to `a[j-1]`).
//!
//! What no cell holds becomes a scalar: an array of one cell, written where the value is defined (a header PHI: in front
//! of the loop and at the end of its latch).

use super::cases::Rims;
use super::delicm::Kept;
use super::gates::Taken;
use super::memory::{Cell, Memory};
use super::model::{Model, STEP, Time};
use super::pieces::Piece;
use super::reject::{Reject, RejectKind};
use crate::body::Body;
use crate::ids::{BlockId, LoopId, NodeId, ValueId};
use crate::poly::{self, Set};
use crate::region::{Inst, InstKind, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// The most copies of a statement: the place of the next one would be another instruction's, and so many are not worth it.
pub(super) const MAX_COPIES: i64 = STEP;

/// What a PHI stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// The other value.
    Copy(ValueId),
    /// The content of a cell at this time.
    Content(Cell, Time),
    /// One of these, by iteration of its loop.
    Pieces(Vec<Piece>, Time),
    /// What comes in on one of these edges to its block, by iteration.
    Edges(Vec<Incoming>, Time),
    /// The content of a scalar.
    Scalar(usize),
    /// What the branches on the way to its block choose.
    Gated,
}

/// A value on an edge to a PHI.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    pub from: BlockId,
    pub value: ValueId,
    /// The iterations that take the edge.
    pub domain: Set,
}

/// One cell of our own.
pub(super) struct Scalar {
    pub ty: Ty,
    pub name: String,
    pub live_out: Option<ValueId>,
    /// It says whether the region is left ([`crate::scop::ArrayKind::Intact`]).
    pub intact: bool,
}

/// A statement before it has a number.
pub(super) struct Draft {
    pub at: Time,
    pub domain: Set,
    pub target: Target,
    pub value: Source,
    pub ty: Ty,
    pub inst: Option<ValueId>,
    /// The block that it stands in, where data decides whether that runs.
    pub when: Option<BlockId>,
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
    /// Zero where the region is left at the end of this block, else the content of a scalar.
    WayOut(BlockId, usize),
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
    pub(super) known: BTreeMap<ValueId, NodeId>,
}

/// All values of a region.
pub(super) struct Values<'m, 'r> {
    pub model: &'m mut Model<'r>,
    pub memory: &'m Memory,
    pub scalars: Vec<Scalar>,
    pub drafts: Vec<Draft>,
    pub(super) meanings: BTreeMap<ValueId, Meaning>,
    pub(super) by_value: BTreeMap<ValueId, usize>,
    /// The scalars of PHIs that are written at the ends of their edges.
    pub(super) by_edges: BTreeMap<ValueId, usize>,
    /// PHIs whose cell is being looked for: values that rotate would ask for each other's for ever.
    pub(super) active: BTreeSet<ValueId>,
    /// Places at ends of blocks that are taken.
    places: i64,
    /// The cells that header PHIs are kept in, over the loops around theirs.
    pub(super) kept: BTreeMap<ValueId, Cell>,
    /// These PHIs by their next values.
    pub(super) kept_next: BTreeMap<ValueId, ValueId>,
    /// Which sides of the branches at the ends of blocks are taken, as far as it was asked.
    pub(super) taken: Taken,
}

/// Why there is no tree.
#[derive(Debug)]
pub(super) enum Stop {
    /// There cannot be one.
    Reject(Reject),
    /// It differs between these iterations and the others.
    Split(Set),
    /// An address does; there might be a tree for all.
    Choice(Set),
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
    /// How many copies there are of the statement.
    pub copies: i64,
    /// Which choices in addresses stay there.
    pub rims: &'s Rims,
}

impl<'m, 'r> Values<'m, 'r> {
    pub fn new(model: &'m mut Model<'r>, memory: &'m Memory, kept: Kept) -> Values<'m, 'r> {
        Values {
            model,
            memory,
            scalars: vec![],
            drafts: kept.drafts,
            meanings: BTreeMap::new(),
            by_value: BTreeMap::new(),
            by_edges: BTreeMap::new(),
            active: BTreeSet::new(),
            places: kept.places,
            kept: kept.cells,
            kept_next: kept.by_next,
            taken: Taken::default(),
        }
    }

    pub(super) fn inst(&self, v: ValueId) -> Option<(BlockId, usize, &'r Inst)> {
        let region = self.model.region;
        let &(b, i) = self.model.defs.get(&v)?;
        Some((b, i, &region.block(b).insts[i]))
    }

    /// What an operation computes a value from; `None`: the value comes from elsewhere.
    pub(super) fn operands(&self, v: ValueId) -> Option<&'r [ValueId]> {
        match &self.inst(v)?.2.kind {
            InstKind::Op { operands, .. } => Some(operands),
            _ => None,
        }
    }

    pub(super) fn nest(&self, b: BlockId) -> Vec<LoopId> {
        self.model.region.loop_nest(b)
    }

    /// A place that nothing else has, counted from the end of a block. Values that come into different PHIs there do not
    /// read each other's scalars: their order is free.
    pub(super) fn next_place(&mut self) -> i64 {
        self.places += 1;
        self.places
    }

    /// The scalar that holds a value from its definition on.
    pub fn scalar_of(&mut self, v: ValueId) -> Result<usize, Reject> {
        if let Some(&s) = self.by_value.get(&v) {
            return Ok(s);
        }
        let Some((block, index, _)) = self.inst(v) else {
            return Err(Reject::value(v));
        };
        let s = self.new_scalar(v, block)?;
        self.by_value.insert(v, s);
        let draft = Draft {
            at: self.model.time(block, index),
            domain: self.model.domain(block).clone(),
            target: Target::Scalar(s),
            value: Source::Definition(v),
            ty: self.model.region.value(v).ty,
            inst: Some(v),
            when: self.model.gates.controlled(block),
            copy_of: None,
        };
        self.drafts.push(draft);
        Ok(s)
    }

    /// A cell for a value of this block. There are none for aggregates and vectors.
    pub(super) fn new_scalar(&mut self, v: ValueId, block: BlockId) -> Result<usize, Reject> {
        let value = self.model.region.value(v);
        if !value.ty.is_plain() {
            return Err(Reject::at_block(RejectKind::Aggregate, block));
        }
        self.scalars.push(Scalar {
            ty: value.ty,
            name: value.name.clone(),
            live_out: None,
            intact: false,
        });
        Ok(self.scalars.len() - 1)
    }
}
