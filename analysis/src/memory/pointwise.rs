//! Functions of tiles that are unions over points (Darte and Isoard 2015, §3.2).
//!
//! `F` is *pointwise* if `F(I)` is the union of some `f(x)` over all points `x` of the tile `I`. Tiles with equal unions then have equal unions of images (Theorem 1), so it does not matter at
//! which origins the tiles before one begin. Reads and writes are pointwise; hulls and other approximations of a tile's elements need not be.

use super::tiling::Tiling;
use crate::poly::{Map, Result, UnionMap};

/// `F∘`, the largest pointwise function below `F` (Theorem 2): the union over the points `x` of a tile of the intersection of `F(Y)` over all tiles `Y` that contain `x`.
pub fn below(tiling: &Tiling, function: &UnionMap) -> Result<UnionMap> {
    // Points are origins here: a point is in the tiles whose origins `containing` gives.
    let tiles_of = tiling.containing()?;
    let points_of = tiles_of.reverse()?;
    let mut all = UnionMap::empty(&function.space()?)?;
    for map in function.maps()? {
        let missing = tiles_of.apply_range(&map.complement()?)?;
        let all_have = missing.complement()?;
        all = all.union(&points_of.apply_range(&all_have)?.to_union_map()?)?;
    }
    all.coalesce()
}

/// Whether a function is pointwise (Theorem 2).
pub fn is_pointwise(tiling: &Tiling, function: &UnionMap) -> Result<bool> {
    function.is_equal(&below(tiling, function)?)
}

/// A pointwise function above `F` that reaches no later tile than it: the union of `F(J)` over all tiles `J` that contain the origin of `I` (Theorem 4).
pub fn from_earlier(tiling: &Tiling, function: &UnionMap) -> Result<UnionMap> {
    joined(&tiling.containing()?, function)
}

/// The mirror image: the union of `F(J)` over all tiles `J` whose origin is in `I`.
pub fn from_later(tiling: &Tiling, function: &UnionMap) -> Result<UnionMap> {
    joined(&tiling.containing()?.reverse()?, function)
}

fn joined(tiles: &Map, function: &UnionMap) -> Result<UnionMap> {
    let tiles = tiles.to_union_map()?;
    tiles.apply_range(function)?.coalesce()
}
