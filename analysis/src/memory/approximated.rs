//! Loads and stores where it is not known exactly what tiles read and write (Darte and Isoard 2015, §3.3, Equations 5 to 9).
//!
//! A branch on data decides whether an element is written, or the elements of a tile are a hull of those that it accesses. What is stored may then not have been written, so it has to be
//! loaded before; and it has to be loaded before the first tile that may write it, for a later load would overwrite the value.
//!
//! | paper | here |
//! |---|---|
//! | `In⁺`, `Out⁻`, `Out⁺` | [`Approximation`] |
//! | (5) `Store(I) = Liveout ∩ (Out⁺(I) \ Out⁺(behind I))` | [`Transfers::store`] |
//! | (6) `In'(I) = In⁺(I) ∪ (Store(I) \ Out⁻(I))` | [`Approximated::inputs`] |
//! | (7) `Ra(I) = In'(I) \ Out⁻(before I)`, of which all has to be loaded by then | [`Approximated::required`] |
//! | (8) `Load(I) ∩ Out⁺(before I) = ∅` | what tests ask for |
//! | (9) `Load(I) = Ra(strip) ∩ (F(I) \ F(before I))`, `F = In' ∪ Out⁺` | [`Transfers::load`] |
//!
//! Tiles at any origin ([`Order::Anywhere`]) serve where `F` and `Out⁺` are pointwise ([`super::pointwise`]); else [`Approximation::corrected`] makes them so (Theorem 4). What is stored or
//! loaded in excess of what the program accesses is for a local memory whose owner allows it. **A compiler for a host must not emit it**: it would be a store that another thread or a page
//! without permission sees, or a load of what cannot be read.

use super::pointwise;
use super::tiling::{Order, Tiling};
use super::touched::Touched;
use super::transfers::Transfers;
use crate::poly::{Result, UnionMap, UnionSet};

/// What is known about the tiles.
#[derive(Clone, Debug)]
pub struct Approximation {
    /// `In⁺`: at least what a tile reads before it writes it.
    pub inputs: UnionMap,
    /// `Out⁻`: at most what it certainly writes.
    pub least_out: UnionMap,
    /// `Out⁺`: at least what it may write.
    pub most_out: UnionMap,
    /// What is read behind the nest, if that is known.
    pub live_out: Option<UnionSet>,
}

/// What is loaded and stored, and what it follows from.
#[derive(Clone, Debug)]
pub struct Approximated {
    /// `In'`: what a tile needs, to read it or because it stores it.
    pub inputs: UnionMap,
    /// `Ra`: what has to come from the memory of the program.
    pub required: UnionMap,
    /// Loads and stores.
    pub transfers: Transfers,
}

impl Approximation {
    /// With what is known about each access: writes under conditions on data may happen.
    pub fn of(touched: &Touched, live_out: Option<UnionSet>) -> Approximation {
        Approximation {
            inputs: touched.live_in.clone(),
            least_out: touched.out.clone(),
            most_out: touched.may_out.clone(),
            live_out,
        }
    }

    /// Loads and stores. With [`Order::Anywhere`], `In' ∪ Out⁺` and `Out⁺` have to be pointwise.
    pub fn transfers(&self, tiling: &Tiling, order: Order) -> Result<Approximated> {
        let same = |f: &UnionMap| Ok(f.clone());
        self.by(tiling, order, same, same)
    }

    /// Loads and stores from pointwise functions above those that are given (Theorem 4): loads move to earlier tiles, stores to later ones.
    pub fn corrected(&self, tiling: &Tiling) -> Result<Approximated> {
        let earlier = |f: &UnionMap| pointwise::from_earlier(tiling, f);
        let later = |f: &UnionMap| pointwise::from_later(tiling, f);
        self.by(tiling, Order::Anywhere, earlier, later)
    }

    /// The equations, with functions above `In' ∪ Out⁺` and `Out⁺`.
    fn by(
        &self,
        tiling: &Tiling,
        order: Order,
        loads: impl Fn(&UnionMap) -> Result<UnionMap>,
        stores: impl Fn(&UnionMap) -> Result<UnionMap>,
    ) -> Result<Approximated> {
        let before = tiling.before(order)?.to_union_map()?;
        let earlier = |f: &UnionMap| before.apply_range(f);
        let written = stores(&self.most_out)?;
        let store = written.subtract(&before.reverse()?.apply_range(&written)?)?;
        let store = match &self.live_out {
            Some(live_out) => store.intersect_range(live_out)?,
            None => store,
        };
        let unsure = store.subtract(&self.least_out)?;
        let inputs = self.inputs.union(&unsure)?.coalesce()?;
        let required = inputs.subtract(&earlier(&self.least_out)?)?.coalesce()?;
        let touched = loads(&inputs.union(&self.most_out)?)?;
        let first = touched.subtract(&earlier(&touched)?)?;
        let strip = tiling.in_strip()?.to_union_map()?.apply_range(&required)?;
        Ok(Approximated {
            inputs,
            required,
            transfers: Transfers {
                load: first.intersect(&strip)?.coalesce()?,
                store: store.coalesce()?,
            },
        })
    }
}
