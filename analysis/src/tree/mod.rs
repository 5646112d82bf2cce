//! Schedule trees: the order of execution as a tree of bands, sequences and marks (after isl's schedule trees).
//!
//! A [`Schedule`] is a domain and a [`Tree`]. A [`Band`] orders by the rows of its partial schedule; its members are
//! permutable if any order of them is legal, and a coincident member carries no dependence of the band. A band with
//! [`Band::tile`] is the *tile band* of its own child: tiles are boxes `I <= theta < I + s` in the rows `theta` of the
//! band, named by their origin `I` (Darte and Isoard 2015, §3), so that everything stays affine in `I` and the sizes `s`.
//! Its child, the *point tree*, orders the points inside one tile; rows of the tile band are not repeated there unless
//! the point tree says so.

mod flat;
mod original;

pub use original::{iterator, original, rows};

use crate::ids::{ArrayId, NodeId, StmtId};
use crate::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};

/// A schedule of a whole SCoP.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// What is scheduled.
    pub domain: UnionSet,
    /// Its order.
    pub root: Tree,
    /// Symbolic sizes that tile bands use; they are additional parameters, at least 1.
    pub sizes: Vec<SizeParam>,
}

/// A symbolic tile size: a run-time value.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeParam {
    /// Name of its parameter dimension.
    pub name: String,
    /// Value where nobody overrides it.
    pub default: i64,
    /// The value is a multiple of this (register tile size), at least one multiple.
    pub multiple_of: i64,
    /// The tiles are dealt to threads: fewer iterations than `default` where threads would get unequal numbers of tiles.
    pub dealt: bool,
}

/// A node of a schedule tree.
#[derive(Clone, Debug)]
pub enum Tree {
    /// Ordered by the rows of a partial schedule.
    Band(Box<Band>),
    /// Children one after the other.
    Sequence(Vec<Branch>),
    /// Children in any order.
    Set(Vec<Branch>),
    /// A decision about the subtree, for code generation.
    Mark(Mark, Box<Tree>),
    /// Nothing left to order.
    Leaf,
}

impl Tree {
    /// The node with other children: `each` gets a child and, below a sequence or set, its filter.
    ///
    /// # Errors
    /// The first one of `each`.
    pub fn with_children(
        &self,
        mut each: impl FnMut(&Tree, Option<&UnionSet>) -> poly::Result<Tree>,
    ) -> poly::Result<Tree> {
        let mut branches = |list: &[Branch]| -> poly::Result<Vec<Branch>> {
            let branch = |b: &Branch| {
                Ok(Branch {
                    filter: b.filter.clone(),
                    child: each(&b.child, Some(&b.filter))?,
                })
            };
            list.iter().map(branch).collect()
        };
        Ok(match self {
            Tree::Leaf => Tree::Leaf,
            Tree::Mark(mark, child) => Tree::Mark(mark.clone(), Box::new(each(child, None)?)),
            Tree::Sequence(list) => Tree::Sequence(branches(list)?),
            Tree::Set(list) => Tree::Set(branches(list)?),
            Tree::Band(band) => Tree::Band(Box::new(Band {
                child: each(&band.child, None)?,
                ..(**band).clone()
            })),
        })
    }

    /// Whether it is a statement, or statements one after the other: what a point of a band runs.
    pub fn is_point(&self) -> bool {
        match self {
            Tree::Leaf => true,
            Tree::Sequence(list) => list.iter().all(|b| matches!(b.child, Tree::Leaf)),
            Tree::Band(_) | Tree::Set(_) | Tree::Mark(..) => false,
        }
    }

    /// Whether anything below orders by rows.
    pub fn has_bands(&self) -> bool {
        match self {
            Tree::Leaf => false,
            Tree::Band(_) => true,
            Tree::Mark(_, child) => child.has_bands(),
            Tree::Sequence(list) | Tree::Set(list) => list.iter().any(|b| b.child.has_bands()),
        }
    }
}

/// A child of a sequence or set.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The instances of this child.
    pub filter: UnionSet,
    /// Their order.
    pub child: Tree,
}

/// A band: members `0..n` of a partial schedule.
#[derive(Clone, Debug)]
pub struct Band {
    /// One row per member.
    pub schedule: MultiUnionPwAff,
    /// Any order of the members is legal.
    pub permutable: bool,
    /// Per member: carries no dependence of the band.
    pub coincident: Vec<bool>,
    /// Per member: how the loop runs.
    pub loops: Vec<LoopKind>,
    /// Set if this is a tile band.
    pub tile: Option<Tile>,
    /// The order of instances that the rows do not tell apart, or the point tree of a tile band.
    pub child: Tree,
}

impl Tree {
    /// A band of one member.
    pub fn looping(
        row: &UnionPwAff,
        kind: LoopKind,
        coincident: bool,
        child: Tree,
    ) -> poly::Result<Tree> {
        let band = Band::looping(row, kind, coincident, child)?;
        Ok(Tree::Band(Box::new(band)))
    }
}

impl Band {
    /// One member.
    pub fn looping(
        row: &UnionPwAff,
        kind: LoopKind,
        coincident: bool,
        child: Tree,
    ) -> poly::Result<Band> {
        Ok(Band {
            schedule: MultiUnionPwAff::from_union_pw_aff(row)?,
            permutable: true,
            coincident: vec![coincident],
            loops: vec![kind],
            tile: None,
            child,
        })
    }

    /// Members of which nothing is known but their order, one iteration after the other.
    pub fn of_rows(rows: &[&UnionPwAff], permutable: bool, child: Tree) -> poly::Result<Band> {
        let (first, others) = rows.split_first().expect("a band has members");
        let mut schedule = MultiUnionPwAff::from_union_pw_aff(first)?;
        for row in others {
            schedule = schedule.flat_range_product(&MultiUnionPwAff::from_union_pw_aff(row)?)?;
        }
        Ok(Band {
            schedule,
            permutable,
            coincident: vec![false; rows.len()],
            loops: vec![LoopKind::Sequential; rows.len()],
            tile: None,
            child,
        })
    }

    /// Whether all members run one iteration after the other.
    pub fn is_sequential(&self) -> bool {
        self.loops.iter().all(|l| *l == LoopKind::Sequential)
    }
}

/// How a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopKind {
    /// One iteration after the other.
    #[default]
    Sequential,
    /// By all threads, distributed so.
    Parallel(Distribution),
    /// Iterations are independent and meant for vector lanes.
    Vector,
    /// Iterations are independent, with sequential loops inside: one iteration per lane, so many vectors side by side.
    Lanes {
        /// Lanes of a vector.
        lanes: u32,
        /// Vectors side by side.
        vectors: u32,
        /// Where its elements come from.
        supply: Supply,
    },
    /// The last member of a permutable band, at most one iteration per lane: a diagonal of the loop around it. Iterations
    /// are independent there, and those of the next diagonals take what they wrote from registers: no element is written
    /// twice in all of these diagonals, and dependences do not reach farther than [`DIAGONAL_REACH`].
    Diagonal {
        /// Lanes of a vector.
        lanes: u32,
        /// Vectors side by side.
        vectors: u32,
        /// How points run where lanes are missing.
        rest: Rest,
    },
}

/// How the points of a [`LoopKind::Diagonal`] run where lanes are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Diagonal by diagonal.
    Diagonals,
    /// Row by row.
    Rows,
    /// Row by row, so many steps at a time.
    RowsBy(u32),
}

/// How many steps and lanes of a [`LoopKind::Diagonal`] a dependence reaches at most.
pub const DIAGONAL_REACH: (i64, i64) = (8, 4);

/// Where a loop in lanes finds what the loops inside it walk over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Supply {
    /// In cache, or where prefetchers find it.
    Near,
    /// In memory, in so many rows side by side that they have to be asked for.
    Rows,
}

/// How iterations of a parallel loop reach threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distribution {
    /// Equal contiguous parts.
    Static,
    /// On demand, so many iterations at once.
    Dynamic {
        /// Iterations taken at once.
        chunk: u32,
    },
    /// One after the other, each some steps behind the one before: for a member of a wavefront of two, around all other
    /// members. A tile begins when its predecessors in both members are finished.
    Pipelined,
}

/// The tiling of a tile band.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// Size per member.
    pub sizes: Vec<TileSize>,
    /// Members whose origins are summed into the wave number of an outermost sequential loop; tiles of one wave are
    /// independent. Empty if there is no wavefront. Their sizes are equal. With a [`Distribution::Pipelined`] member there
    /// is no such loop: each tile waits for its neighbours instead, and sizes may differ.
    pub wavefront: Vec<usize>,
}

/// The size of a tile in one direction.
#[derive(Clone, Debug, PartialEq)]
pub enum TileSize {
    /// Known at compile time.
    Const(i64),
    /// Position in [`Schedule::sizes`].
    Param(usize),
    /// The member is not tiled: one tile spans all of it.
    Whole,
}

/// A decision that a subtree carries to code generation.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A name for a reader; no effect.
    Note(String),
    /// The accumulating statement below is executed as a register tile.
    RegisterTile(RegisterTile),
    /// Operands of the register tiles below are copied to a buffer first.
    Pack(Pack),
    /// Each thread of the parallel loop of the band right below has copies of these temporary arrays of its own.
    Private(Vec<ArrayId>),
    /// Of these arrays, lanes of the band right below keep what they write in a panel of their own: nothing else ever reads
    /// it from the array, and they read nothing else.
    Contracted(Vec<ArrayId>),
    /// The loop of the band right below runs in strips: its iterations are independent but for cells of these arrays, in which statements
    /// accumulate. Their operands are computed for a strip of iterations in vector lanes before their updates follow in order.
    Strips(Vec<ArrayId>),
    /// The rows of the band right below as one relation `{ S[i] -> [t] }`, in isl's notation: the same times, written so that loops over
    /// them scan well. Rows that number the tiles of a lattice have many cases with divisions, their relation has a few inequalities.
    Relation(String),
}

/// A copy of one side's operands of an accumulating statement for all register tiles below the mark. Members are counted
/// in the tile band right above the mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    /// The accumulating statement.
    pub stmt: StmtId,
    /// Which operands.
    pub side: Side,
    /// Nodes of the statement's body: values that change with the side's member and the reduction only.
    pub operands: Vec<NodeId>,
    /// The member of the rows or lanes.
    pub member: usize,
    /// Rows or lanes of a register tile.
    pub width: u32,
    /// The member of the sequential accumulation.
    pub reduction: usize,
    /// Which elements are copied.
    pub copied: Copied,
}

/// What a [`Pack`] copies of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copied {
    /// All elements: nothing below the mark writes the operands' arrays.
    All,
    /// Those of a first part of the reduction that nothing below the mark writes. Register tiles run that part only.
    Final,
}

/// A side of a register tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// Operands that change with the row: one splat each.
    Row,
    /// Operands that change with the lane: vectors.
    Lane,
}

/// A register tile of an accumulating statement. Members are counted in the tile band right above the mark (its tile
/// sizes are `rows` and `vectors * lanes` for row and lane, and the reduction is not tiled).
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterTile {
    /// The accumulating statement.
    pub stmt: StmtId,
    /// The member of the unrolled rows; `None`: one row, a vector of sums.
    pub row: Option<usize>,
    /// Rows; one without a member.
    pub rows: u32,
    /// The member of the vector lanes.
    pub lane: usize,
    /// Vectors per row.
    pub vectors: u32,
    /// Lanes per vector.
    pub lanes: u32,
    /// The member of the sequential accumulation.
    pub reduction: usize,
}
