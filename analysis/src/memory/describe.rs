//! What the tiles of a schedule load, store and hold, as one value.

use super::approximated::Approximation;
use super::full::full;
use super::lifetimes::{Overlap, conflicts, live};
use super::modulo::{Sizes, sizes};
use super::of_schedule::{Tiled, tilings};
use super::tiling::{Order, Tiling};
use super::touched::{Accesses, Touched};
use super::transfers::{Transfers, exact};
use super::unbounded::sizes_of_any_domain;
use crate::ids::ArrayId;
use crate::poly::{DimType, Error, Result, Set};
use crate::scop::{Access, Scop};
use crate::tree::Schedule;
use std::collections::BTreeMap;

/// The part of the budget for loads and stores of an array, and for each kind of sizes. On more there is no answer: local memories are never needed.
const SHARE: u64 = 12;

/// The local memories of a schedule.
pub struct Memories<'s> {
    /// The program.
    pub(super) scop: &'s Scop,
    /// Its tile bands, outer ones first.
    pub bands: Vec<BandMemories>,
}

/// Those of a tile band.
pub struct BandMemories {
    /// The tiling, with strips of one side.
    pub tiling: Tiling,
    /// Parameters for what is around the band.
    pub around: Vec<String>,
    /// What is known of the parameters, and that tiles around are full.
    pub(super) known: Set,
    /// Tiles all of whose points are instances.
    pub full: Result<Set>,
    /// For strips of 1, 2, .. inner sides, the arrays.
    pub strips: Vec<Vec<LocalMemory>>,
}

/// The local memory of an array.
pub struct LocalMemory {
    /// The array.
    pub array: ArrayId,
    /// Writes depend on data: what may be stored is loaded before.
    pub unsure: bool,
    /// What is loaded and stored; of all tiles.
    pub transfers: Result<Transfers>,
    /// Sizes, sequential and pipelined, where there are two full tiles in a strip.
    pub sizes: [Result<Option<Sizes>>; 2],
    /// Sizes for any domain; none if the schedule or subscripts are in pieces.
    pub any: [Result<Option<Sizes>>; 2],
}

impl<'s> Memories<'s> {
    /// Of a schedule. What takes too much work has no answer.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn new(scop: &'s Scop, schedule: &Schedule) -> Result<Memories<'s>> {
        let known = scop.known()?;
        let mut bands: Vec<BandMemories> = vec![];
        for tiled in &tilings(scop, schedule)? {
            let mut known = known.intersect(&tiled.tiling.sizes_from(1)?)?;
            for around in &tiled.around {
                let outer = around.tiled.map(|outer| &bands[outer]);
                if let Some(outer) = outer {
                    known = known.intersect(&outer.at(&around.names)?)?;
                }
            }
            bands.push(BandMemories::new(scop, tiled, known)?);
        }
        Ok(Memories { scop, bands })
    }
}

impl BandMemories {
    fn new(scop: &Scop, tiled: &Tiled, known: Set) -> Result<BandMemories> {
        let tiling = &tiled.tiling;
        let full = within_share(&known, || full(tiling)?.gist_params(&known));
        let arrays = arrays(scop, tiled)?;
        let mut strips = vec![];
        for strip in 1..=tiling.sides.len() {
            let tiling = tiling.clone().with_strip(strip);
            let context = context(&tiling, &known, full.as_ref().ok())?;
            let of = |array: &ArrayId| LocalMemory::new(scop, &tiling, *array, &known, &context);
            strips.push(arrays.iter().map(of).collect::<Result<_>>()?);
        }
        let around = tiled.around.iter().flat_map(|a| a.names.clone());
        Ok(BandMemories {
            tiling: tiling.clone(),
            around: around.collect(),
            known,
            full,
            strips,
        })
    }

    /// That the tile at an origin of these names is full, and what is known.
    fn at(&self, names: &[String]) -> Result<Set> {
        let Ok(full) = &self.full else {
            return Ok(self.known.clone());
        };
        if full.is_empty()? {
            return Ok(self.known.clone());
        }
        let params = full.dim(DimType::Param);
        let mut at = full.move_dims(DimType::Param, params, DimType::Set, 0, names.len())?;
        for (k, name) in names.iter().enumerate() {
            at = at.set_dim_name(DimType::Param, params + k, name)?;
        }
        at.params()?.intersect(&self.known)
    }
}

/// Runs a question within its share of the budget.
fn within_share<T>(known: &Set, ask: impl FnOnce() -> Result<T>) -> Result<T> {
    let _quota = known.ctx().share(SHARE);
    ask()
}

/// The arrays that the statements of a band access.
fn arrays(scop: &Scop, tiled: &Tiled) -> Result<Vec<ArrayId>> {
    let mut found = vec![];
    for stmt in &scop.stmts {
        if !tiled.domain.contains(&stmt.domain.space()?)? {
            continue;
        }
        found.extend(stmt.accesses.iter().map(|a| a.array));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// What holds for the parameters where there are two full tiles in a strip, one behind the other; what is known, if there never are.
fn context(tiling: &Tiling, known: &Set, full: Option<&Set>) -> Result<Set> {
    let Some(full) = full else {
        return Ok(known.clone());
    };
    let ask = || {
        let next = tiling
            .next()?
            .intersect_domain(full)?
            .intersect_range(full)?;
        let two = next.params()?.intersect(known)?.coalesce()?;
        Ok(if two.is_empty()? { known.clone() } else { two })
    };
    Ok(within_share(known, ask).unwrap_or_else(|_| known.clone()))
}

/// Both schedules of transfers.
const BOTH: [Overlap; 2] = [Overlap::Sequential, Overlap::Pipelined];

impl LocalMemory {
    /// For what is known of the parameters; sizes for a narrower context.
    fn new(
        scop: &Scop,
        tiling: &Tiling,
        array: ArrayId,
        known: &Set,
        context: &Set,
    ) -> Result<LocalMemory> {
        let this = |a: &Access| a.array == array;
        let accesses = Accesses::wanted(scop, this)?;
        let unsure = !accesses.are_exact()?;
        let of = |params: &Set| Moved::new(tiling.clone().within(params)?, &accesses, unsure);
        let name = &scop.array(array).name;
        let one = |all: BTreeMap<String, Sizes>| all.get(name).cloned();
        let held = within_share(known, || {
            let moved = of(context)?;
            Ok((live(&moved.tiling, &moved.touched.all)?, moved))
        });
        let own = |overlap| {
            let (live, moved) = held.as_ref().map_err(Clone::clone)?;
            let conflicts = conflicts(&moved.tiling, live, &moved.transfers, overlap)?;
            Ok(one(sizes(&conflicts, context)?))
        };
        let any = |overlap| {
            let found = sizes_of_any_domain(tiling, scop, this, known, overlap)?;
            let in_pieces = || Error::Unsupported("a schedule or subscripts in pieces".to_owned());
            found.map(one).ok_or_else(in_pieces)
        };
        Ok(LocalMemory {
            array,
            unsure,
            transfers: within_share(known, || Ok(of(known)?.transfers)),
            sizes: BOTH.map(|overlap| within_share(known, || own(overlap))),
            any: BOTH.map(|overlap| within_share(known, || any(overlap))),
        })
    }
}

/// What tiles access and move.
struct Moved {
    tiling: Tiling,
    touched: Touched,
    transfers: Transfers,
}

impl Moved {
    /// Exactly, or by approximations.
    fn new(tiling: Tiling, accesses: &Accesses, unsure: bool) -> Result<Moved> {
        let touched = Touched::of(&tiling, accesses)?;
        let transfers = match unsure {
            true => {
                let approximation = Approximation::of(&touched, None);
                approximation.transfers(&tiling, Order::Anywhere)?.transfers
            }
            false => exact(&tiling, &touched, Order::Anywhere, None)?,
        };
        Ok(Moved {
            tiling,
            touched,
            transfers,
        })
    }
}
