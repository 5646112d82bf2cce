//! What each tile loads and stores where tiles of a strip keep what they share (Darte and Isoard 2015, §3.1, Equations 1 to 4).
//!
//! | paper | |
//! |---|---|
//! | `Load(I) = In(I) \ (In ∪ Out)({I' before I})` | no element is loaded that an earlier tile of the strip has loaded or computed |
//! | `Store(I) = Out(I) \ Out({I' behind I})` | an element is stored by the last tile of the strip that writes it |
//!
//! Any order of [`Order`] gives the same sets, because `In ∪ Out` is what is read or written, which is a function of points.

use super::tiling::{Order, Tiling};
use super::touched::Touched;
use crate::poly::{Result, UnionMap, UnionSet};

/// Tiles to the elements that they load before they begin, and store when they have ended.
#[derive(Clone, Debug)]
pub struct Transfers {
    /// What is loaded.
    pub load: UnionMap,
    /// What is stored.
    pub store: UnionMap,
}

/// Loads and stores where what is written is known; of what is stored only what is live behind the nest, if that is known.
pub fn exact(
    tiling: &Tiling,
    touched: &Touched,
    order: Order,
    live_out: Option<&UnionSet>,
) -> Result<Transfers> {
    let before = tiling.before(order)?.to_union_map()?;
    let earlier = before.apply_range(&touched.live_in.union(&touched.out)?)?;
    let later = before.reverse()?.apply_range(&touched.out)?;
    let store = touched.out.subtract(&later)?;
    let store = match live_out {
        Some(live_out) => store.intersect_range(live_out)?,
        None => store,
    };
    Ok(Transfers {
        load: touched.live_in.subtract(&earlier)?.coalesce()?,
        store: store.coalesce()?,
    })
}

/// Whether no strip accesses what another one writes. Only then may different threads have a strip each and keep what they write in local memories of their own until the strip ends. What is only read may
/// always be kept.
pub fn strips_are_independent(tiling: &Tiling, touched: &Touched) -> Result<bool> {
    let Some(others) = tiling.in_other_strips()? else {
        return Ok(true);
    };
    let shared = touched.may_out.apply_range(&touched.all.reverse()?)?;
    shared.is_disjoint(&others.to_union_map()?)
}
