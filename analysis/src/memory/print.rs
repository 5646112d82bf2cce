//! The text of local memories, as `print<polytile-memory>` shows it.
//!
//! ```text
//! memory "gemm" function "gemm": 1 tile band
//! band 1: S0 S1 in tiles I of s0 x s1 x s2
//! full tiles { I[i0, i1, i2] : 0 <= i0 <= ni - s0 and 0 <= i1 <= nj - s1 and 0 <= i2 <= nk - s2 }
//! strips of 1:
//!   A loads { I[i0, i1, i2] -> A[x0, x1] : i0 <= x0 < s0 + i0 and i2 <= x1 < s2 + i2 }
//!     stores nothing
//!     holds [s0, s2], pipelined [s0, 2s2]
//!     for any domain [s0, s2], pipelined [s0, 2s2]
//! ```
//!
//! Loads and stores are those of full tiles (of all tiles, if none is full). Sizes are for parameters for which there are two full tiles in a strip; those for any domain are enough everywhere, and `*` is the
//! whole array.

use super::describe::{BandMemories, LocalMemory, Memories};
use super::modulo::Sizes;
use crate::poly::{DimType, Error, Map, PwAff, Result, Set, UnionMap};
use std::fmt::{self, Display, Formatter};

impl Display for Memories<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let scop = self.scop;
        let s = if self.bands.len() == 1 { "" } else { "s" };
        let head = format!("memory {:?} function {:?}", scop.name, scop.function);
        writeln!(f, "{head}: {} tile band{s}", self.bands.len())?;
        for (n, band) in self.bands.iter().enumerate() {
            self.write_band(f, n + 1, band)?;
        }
        Ok(())
    }
}

impl Memories<'_> {
    fn write_band(&self, f: &mut Formatter<'_>, number: usize, band: &BandMemories) -> fmt::Result {
        let sides = 0..band.tiling.sides.len();
        let sizes: Vec<String> = sides.map(|k| band.tiling.size(k)).collect();
        write!(
            f,
            "band {number}: {} in tiles I of {}",
            self.stmts(band),
            sizes.join(" x ")
        )?;
        match &band.around[..] {
            [] => writeln!(f)?,
            around => writeln!(f, ", at {} of the loops around", around.join(", "))?,
        }
        let full = band.full.as_ref().ok();
        match &band.full {
            Ok(full) => writeln!(f, "full tiles {}", bare(full))?,
            Err(e) => writeln!(f, "full tiles: not found: {}", e.in_words())?,
        }
        let full = full.filter(|f| f.is_empty() == Ok(false));
        for (n, arrays) in band.strips.iter().enumerate() {
            writeln!(f, "strips of {}:", n + 1)?;
            for array in arrays {
                self.write_array(f, array, band, full)?;
            }
        }
        Ok(())
    }

    /// The statements of a band.
    fn stmts(&self, band: &BandMemories) -> String {
        let here = |s: &&crate::scop::Stmt| {
            let instances = band
                .tiling
                .theta
                .domain()
                .and_then(|d| d.contains(&s.domain.space()?));
            instances == Ok(true)
        };
        let names = self.scop.stmts.iter().filter(here);
        names.map(|s| s.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn write_array(
        &self,
        f: &mut Formatter<'_>,
        local: &LocalMemory,
        band: &BandMemories,
        full: Option<&Set>,
    ) -> fmt::Result {
        let name = &self.scop.array(local.array).name;
        let unsure = match local.unsure {
            true => " (writes depend on data: what may be stored is loaded before)",
            false => "",
        };
        match &local.transfers {
            Ok(t) => {
                let moved = |m| moved(m, full, &band.known).unwrap_or_else(|e| not_found(&e));
                writeln!(f, "  {name}{unsure} loads {}", moved(&t.load))?;
                writeln!(f, "    stores {}", moved(&t.store))?;
            }
            Err(e) => writeln!(f, "  {name}{unsure} loads and stores: {}", not_found(e))?,
        }
        let of = |sizes: &Result<Option<Sizes>>| match sizes {
            Ok(Some(sizes)) => vector(sizes),
            Ok(None) => "nothing".to_owned(),
            Err(e) => not_found(e),
        };
        let [sequential, pipelined] = &local.sizes;
        writeln!(
            f,
            "    holds {}, pipelined {}",
            of(sequential),
            of(pipelined)
        )?;
        let [sequential, pipelined] = &local.any;
        writeln!(
            f,
            "    for any domain {}, pipelined {}",
            of(sequential),
            of(pipelined)
        )
    }
}

fn not_found(e: &Error) -> String {
    format!("not found: {}", e.in_words())
}

/// The most cases of a size that are printed.
const MOST_PIECES: usize = 3;

/// What full tiles load or store.
fn moved(relation: &UnionMap, full: Option<&Set>, known: &Set) -> Result<String> {
    let Some(full) = full else {
        return of_tiles(relation);
    };
    let tiles = full.to_union_set()?;
    let here = relation.intersect_domain(&tiles)?;
    let mut all = UnionMap::empty(&relation.space()?)?;
    for map in here.maps()? {
        let everything = Map::universe(&map.space()?)?.intersect_params(known)?;
        let context = everything.intersect_domain(full)?;
        all = all.union(&map.gist(&context)?.coalesce()?.to_union_map()?)?;
    }
    of_tiles(&all)
}

fn of_tiles(relation: &UnionMap) -> Result<String> {
    Ok(match relation.is_empty()? {
        true => "nothing".to_owned(),
        false => bare(&named(relation)?),
    })
}

/// With names for the subscripts.
fn named(relation: &UnionMap) -> Result<UnionMap> {
    let mut all = UnionMap::empty(&relation.space()?)?;
    for mut map in relation.maps()? {
        for k in 0..map.dim(DimType::Out) {
            map = map.set_dim_name(DimType::Out, k, &format!("x{k}"))?;
        }
        all = all.union(&map.to_union_map()?)?;
    }
    Ok(all)
}

/// The sizes of the dimensions.
fn vector(sizes: &Sizes) -> String {
    let one = |size: &Option<PwAff>| size.as_ref().map_or("*".to_owned(), expression);
    let all: Vec<String> = sizes.moduli.iter().map(one).collect();
    format!("[{}]", all.join(", "))
}

/// A function of the parameters, where it is defined.
fn expression(size: &PwAff) -> String {
    let here = size.domain().and_then(|d| size.gist_params(&d)?.coalesce());
    let here = here.as_ref().unwrap_or(size);
    if here.n_piece() > MOST_PIECES {
        return format!("({} cases)", here.n_piece());
    }
    let text = bare(here);
    let only = text
        .strip_prefix("{ [(")
        .and_then(|t| t.strip_suffix(")] }"));
    only.map_or_else(|| text.clone(), ToOwned::to_owned)
}

/// isl's text without the list of parameters in front.
fn bare(what: &impl Display) -> String {
    let text = what.to_string();
    match text.split_once("] -> {") {
        Some((params, rest)) if params.starts_with('[') => format!("{{{rest}"),
        _ => text,
    }
}
