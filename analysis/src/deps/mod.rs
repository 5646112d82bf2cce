//! Dependences: which instance must stay before which other.
//!
//! Two instances depend on each other if both access one element and at least one writes it; the one that runs first in
//! the original program must stay first. [`compute`] finds all such pairs, *memory-based*: for accesses `a` of `S` and
//! `b` of `T`, `b^-1 . a` intersected with the original order of `S` and `T` ([`order`]). One [`Dependence`] per pair
//! of accesses and per basic map; equal ones of a statement pair are merged. They are never united into hulls: the
//! union of uniform distances is a polyhedron whose dual is large (Farkas would pay for it).
//!
//! `for i: for k: C[i] += x` has the one dependence `{ S0[i, k] -> S0[i, k'] : k < k' }`, of kinds flow, anti and
//! output, and, if the addition may be reordered, reduction.
//!
//! Several statements may update one cell by the same operation, `x = max(x, a); x = max(x, b)`. Their dependences through
//! the updated cell, like those of each with itself, are marked *commutes*. Whoever reads the cell otherwise depends on
//! all updates, by dependences of his own.
//!
//! [`value_flow`] answers the sharper question which write a read's value comes from.

mod flow;
mod memory;
pub mod order;
mod reduction;
#[cfg(test)]
mod tests;

use flow::Flows;
pub use flow::{ValueFlow, overwritten, value_flow, value_flow_of};
pub use memory::compute;
pub use reduction::{Update, update};

use crate::ids::{ArrayId, StmtId};
use crate::poly::{self, BasicMap, UnionMap, UnionSet};
use crate::scop::Scop;

bitflags::bitflags! {
    /// Why two instances are ordered. Equal polyhedra of several kinds are merged, so this is a set.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
    pub struct DepKind: u8 {
        /// Write then read.
        const FLOW = 1;
        /// Read then write.
        const ANTI = 2;
        /// Write then write.
        const OUTPUT = 4;
        /// Read then read (no order is required; for reuse).
        const INPUT = 8;
        /// Between instances of one reduction: may be dropped where the operator is associative and commutative.
        const REDUCTION = 16;
        /// Between two updates of a cell by one operation whose intermediate values are never wrong, like minimum and
        /// maximum of integers: either may come first, as long as they do not run at the same time.
        const COMMUTES = 32;
    }
}

/// Instances of `src` that must precede instances of `dst`.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The earlier statement.
    pub src: StmtId,
    /// The later statement.
    pub dst: StmtId,
    /// Why.
    pub kind: DepKind,
    /// The arrays through which, ascending.
    pub arrays: Vec<ArrayId>,
    /// Pairs of instances, `S[x] -> T[y]`, x before y in the original order. Without integer divisions: where the
    /// exact relation has some, this is a superset.
    pub relation: BasicMap,
}

impl Dependence {
    /// Whether the later instance may also run first, though not at the same time.
    pub fn commutes(&self) -> bool {
        self.kind.contains(DepKind::COMMUTES)
    }

    /// Whether the pairs must keep their order: everything but read-read.
    pub fn orders(&self) -> bool {
        self.kind
            .intersects(DepKind::FLOW | DepKind::ANTI | DepKind::OUTPUT)
    }
}

/// All dependences of a SCoP.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// In the order of statement pairs.
    pub list: Vec<Dependence>,
    /// The flow of values, as far as it was asked for.
    flows: Flows,
}

impl Dependences {
    /// These ones, of a SCoP.
    pub fn new(list: Vec<Dependence>) -> Dependences {
        Dependences {
            list,
            flows: Flows::default(),
        }
    }

    /// Where the values of an array come from, in the SCoP that these dependences are of and for all parameters that new versions run with. It is
    /// computed once.
    pub fn flow_of(&self, scop: &Scop, array: ArrayId) -> poly::Result<ValueFlow> {
        self.flows.values(scop, array)
    }

    /// The instances whose values of an array end in that SCoP (see [`overwritten`]), computed once.
    pub fn overwritten(&self, scop: &Scop, array: ArrayId) -> poly::Result<UnionSet> {
        self.flows.overwritten(scop, array)
    }

    /// The dependences that order instances: all but read-read, and but reductions if `relax`.
    pub fn ordering(&self, relax_reductions: bool) -> impl Iterator<Item = &Dependence> {
        self.list.iter().filter(move |d| {
            d.orders() && !(relax_reductions && d.kind.contains(DepKind::REDUCTION))
        })
    }

    /// Their union as one relation.
    pub fn union_of<'a>(
        ctx_space: &crate::poly::Space,
        deps: impl Iterator<Item = &'a Dependence>,
    ) -> crate::poly::Result<UnionMap> {
        let mut all = UnionMap::empty(ctx_space)?;
        for d in deps {
            all = all.union(&UnionMap::from_basic_map(&d.relation)?)?;
        }
        Ok(all)
    }
}
