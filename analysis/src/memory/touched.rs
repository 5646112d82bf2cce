//! What a tile reads and writes, and what it reads of what others have written (Darte and Isoard 2015, §3.1).

use super::tiling::Tiling;
use crate::poly::{Result, UnionMap};
use crate::scop::{Access, AccessKind, Scop};

/// Instances to the elements that they access.
#[derive(Clone, Debug)]
pub struct Accesses {
    /// What they read.
    pub reads: UnionMap,
    /// What they certainly write.
    pub must: UnionMap,
    /// What they write, perhaps.
    pub may: UnionMap,
}

impl Accesses {
    /// Those of a SCoP.
    pub fn of(scop: &Scop) -> Result<Accesses> {
        Accesses::wanted(scop, |_| true)
    }

    /// Those that are wanted.
    pub fn wanted(scop: &Scop, want: impl Fn(&Access) -> bool) -> Result<Accesses> {
        let of = |kinds: &[AccessKind]| scop.accesses(|a| kinds.contains(&a.kind) && want(a));
        Ok(Accesses {
            reads: of(&[AccessKind::Read])?,
            must: of(&[AccessKind::MustWrite])?,
            may: of(&[AccessKind::MustWrite, AccessKind::MayWrite])?,
        })
    }

    /// All of them.
    pub fn all(&self) -> Result<UnionMap> {
        self.reads.union(&self.may)
    }

    /// Whether what is written is known.
    pub fn are_exact(&self) -> Result<bool> {
        self.may.is_subset(&self.must)
    }
}

/// Tiles to the elements that they access.
#[derive(Clone, Debug)]
pub struct Touched {
    /// All reads and writes.
    pub all: UnionMap,
    /// `In`: what is read before it is certainly written in the tile (a superset where writes are not certain).
    pub live_in: UnionMap,
    /// `Out`: what is certainly written.
    pub out: UnionMap,
    /// What is written, perhaps.
    pub may_out: UnionMap,
}

impl Touched {
    /// What the tiles of a tiling access.
    pub fn of(tiling: &Tiling, accesses: &Accesses) -> Result<Touched> {
        let instances = tiling.instances()?;
        let out = instances.apply_range(&accesses.must)?;
        let may_out = instances.apply_range(&accesses.may)?;
        let reads = instances.apply_range(&accesses.reads)?;
        Ok(Touched {
            all: reads.union(&may_out)?,
            live_in: live_in(tiling, accesses)?,
            out,
            may_out,
        })
    }
}

/// What tiles read before they certainly write it. That needs the order inside of a tile, so points stay beside their tiles for it.
fn live_in(tiling: &Tiling, accesses: &Accesses) -> Result<UnionMap> {
    let pairs = tiling.pairs()?.to_union_map()?;
    let instances = pairs.apply_range(&tiling.theta.reverse()?)?;
    let reads = instances.apply_range(&accesses.reads)?;
    let writes = instances.apply_range(&accesses.must)?;
    let earlier = tiling.earlier_pairs()?.to_union_map()?;
    let open = reads.subtract(&earlier.apply_range(&writes)?)?;
    let to_pairs = tiling.to_pairs()?.to_union_map()?;
    to_pairs.apply_range(&open)?.coalesce()
}
