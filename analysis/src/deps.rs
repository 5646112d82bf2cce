//! Dependences: which instance must stay before which other.
//!
//! One [`Dependence`] per ordered pair of accesses and per basic map; never coalesced, because the union of uniform
//! distances is a polyhedron whose dual is large (Farkas would pay for it).

use crate::ids::{ArrayId, StmtId};
use crate::poly::{BasicMap, UnionMap};

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
    /// The array through which.
    pub array: ArrayId,
    /// Pairs of instances, `S[x] -> T[y]`, x before y in the original order.
    pub relation: BasicMap,
}

/// All dependences of a SCoP.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// In the order of statement pairs.
    pub list: Vec<Dependence>,
}

impl Dependences {
    /// The dependences that order instances: all but read-read, and but reductions if `relax`.
    pub fn ordering(&self, relax_reductions: bool) -> impl Iterator<Item = &Dependence> {
        self.list.iter().filter(move |d| {
            d.kind
                .intersects(DepKind::FLOW | DepKind::ANTI | DepKind::OUTPUT)
                && !(relax_reductions && d.kind.contains(DepKind::REDUCTION))
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
