//! Which elements are in the local memory at one time (Darte and Isoard 2015, §4).
//!
//! An element is alive in a tile if a tile of the strip up to it accesses the element and so does one from it on. Two elements conflict if both are alive in a tile. In the *pipelined* schedule, where
//! the loads of the next tile and the stores of the last one go on while a tile computes, what the next one loads conflicts with what is alive, and what is stored with what is alive in the
//! next one:
//!
//! ```text
//! Load(k) -> Compute(k) -> Store(k),   Compute(k) -> Compute(k + 1),   Load(k + 1) -> Store(k) -> Load(k + 2)
//! ```

use super::tiling::Tiling;
use super::transfers::Transfers;
use crate::poly::{Result, UnionMap};

/// Which schedule the transfers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Load, compute and store, one tile after the other.
    Sequential,
    /// Transfers beside computations.
    Pipelined,
}

/// Tiles to the elements that are alive in them. `held` are those that a tile accesses, loads or stores.
pub fn live(tiling: &Tiling, held: &UnionMap) -> Result<UnionMap> {
    let until = tiling.until()?.to_union_map()?;
    let earlier = until.apply_range(held)?;
    let later = until.reverse()?.apply_range(held)?;
    earlier.intersect(&later)?.coalesce()
}

/// Pairs of elements that are in the local memory at one time.
pub fn conflicts(
    tiling: &Tiling,
    live: &UnionMap,
    transfers: &Transfers,
    overlap: Overlap,
) -> Result<UnionMap> {
    let together = live.reverse()?.apply_range(live)?;
    if overlap == Overlap::Sequential {
        return Ok(together);
    }
    let next = tiling.next()?.to_union_map()?;
    let loaded = next.apply_range(&transfers.load)?;
    let loading = live.reverse()?.apply_range(&loaded)?;
    let storing = transfers.store.reverse()?;
    let storing = storing.apply_range(&next.apply_range(live)?)?;
    let beside = symmetric(&loading.union(&storing)?)?;
    together.union(&beside)
}

/// The same from lifetimes alone, more than enough: what is alive in a tile or the next one. Where lifetimes grow with the domain, so do these, which loads and stores do not.
pub fn conflicts_of_lifetimes(
    tiling: &Tiling,
    live: &UnionMap,
    overlap: Overlap,
) -> Result<UnionMap> {
    let together = live.reverse()?.apply_range(live)?;
    if overlap == Overlap::Sequential {
        return Ok(together);
    }
    let next = tiling.next()?.to_union_map()?.apply_range(live)?;
    let beside = live.reverse()?.apply_range(&next)?;
    together.union(&symmetric(&beside)?)
}

fn symmetric(relation: &UnionMap) -> Result<UnionMap> {
    relation.union(&relation.reverse()?)
}
