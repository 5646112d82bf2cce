//! Tiles all of whose points are instances (Ancourt and Irigoin 1991, §4.3, call them full).
//!
//! ```text
//! for i, j in 0 <= j <= i < n:   tile I is full if I0 + s0 <= n, 0 <= I1 and I1 + s1 - 1 <= I0
//! ```
//!
//! Statements whose instances lie in a plane of the tiled positions (what initializes a sum, the first row of a border) fill no tile and do not count.

use super::tiling::Tiling;
use crate::poly::{DimType, Result, Set};

/// The tiles that are full of instances of each statement; none if no statement fills any.
pub fn full(tiling: &Tiling) -> Result<Set> {
    let points = tiling.tiled_points()?;
    let tiles = points.domain()?;
    let mut found: Option<Set> = None;
    for map in tiling.theta.maps()? {
        let image = map.range()?.apply(&tiling.tiled_positions()?)?;
        if is_flat(&image)? {
            continue;
        }
        let others = points.intersect_range(&image.complement()?)?.domain()?;
        let own = tiles.subtract(&others)?;
        found = Some(match found {
            Some(all) => all.intersect(&own)?,
            None => own,
        });
    }
    match found {
        Some(found) => found.intersect_params(&tiling.sizes_from(1)?)?.coalesce(),
        None => Set::empty(&tiles.space()?),
    }
}

/// Whether an equation holds for all elements.
fn is_flat(image: &Set) -> Result<bool> {
    let hull = image.simple_hull()?.detect_equalities()?;
    let dims = hull.dim(DimType::Set);
    for c in hull.remove_divs()?.constraints()? {
        if c.is_equality() && c.involves_dims(DimType::Set, 0, dims)? {
            return Ok(true);
        }
    }
    Ok(false)
}
