//! Tilings by a lattice of origins and one shape (Ancourt and Irigoin 1991, §3.1): tile `t` holds the points `i` with `i - M t` in the shape.
//!
//! ```text
//! M = [4 0; 2 4], shape -2 <= y < 2, -3 <= x + y < 3, -3 <= x - y < 3        hexagons of 16 points
//! ```
//!
//! Any lattice and shape will do, if the translates cover each point once, which [`Prototile::cover`] decides exactly. Half-open
//! sides matter: with `<=` on both sides neighbours share a side.

use super::hyperplanes::{sum, tuple};
use super::{Matrix, hermite};
use crate::poly::{self, Map, Set};

/// A lattice and a shape.
#[derive(Clone, Debug)]
pub struct Prototile {
    /// `M`: the origin of tile `t` is `M t`.
    pub vectors: Matrix,
    /// The points of the tile at the origin, in a space without name.
    pub shape: Set,
}

/// Whether translates cover the points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cover {
    /// Each point once.
    Once,
    /// This point is in no tile.
    Missing(Vec<i64>),
    /// This point is in two tiles.
    Twice(Vec<i64>, Vec<i64>, Vec<i64>),
    /// The vectors do not span the space.
    Flat,
}

impl Prototile {
    /// `{ [i] -> [t] : i - M t in shape }`.
    ///
    /// # Errors
    /// A limit on the work, or a shape of another dimension.
    pub fn relation(&self) -> poly::Result<Map> {
        let n = self.vectors.len();
        let (x, t) = (tuple("x", n), tuple("t", n));
        let of = |(d, row): (usize, &Vec<i64>)| format!("x{d} - ({})", sum(row, "t"));
        let local: Vec<String> = self.vectors.iter().enumerate().map(of).collect();
        let local = Map::parse(
            self.shape.ctx(),
            &format!("{{ [[{x}] -> [{t}]] -> [{}] }}", local.join(", ")),
        )?;
        self.shape.apply(&local.reverse()?)?.unwrap()
    }

    /// Whether the translates cover each point once.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn cover(&self) -> poly::Result<Cover> {
        let spans = hermite(&self.vectors).is_some_and(|h| h.rank() == self.vectors.len());
        if !spans {
            return Ok(Cover::Flat);
        }
        let relation = self.relation()?;
        let missing = relation.domain()?.complement()?;
        if let Some(point) = one(&missing)? {
            return Ok(Cover::Missing(point));
        }
        // Pairs of tiles of one point.
        let pairs = relation.reverse()?.apply_range(&relation)?;
        let later = pairs.intersect(&Map::lex_lt(&relation.range()?.space()?)?)?;
        let Some(first) = one(&later.domain()?)? else {
            return Ok(Cover::Once);
        };
        let tile = fixed(&later.range()?.space()?, &first)?;
        let second = one(&tile.apply(&later)?)?.expect("the other one of the pair");
        let of = |t: &[i64]| fixed(&tile.space()?, t)?.apply(&relation.reverse()?);
        let shared = one(&of(&first)?.intersect(&of(&second)?)?)?;
        let point = shared.expect("a point of both");
        Ok(Cover::Twice(point, first, second))
    }
}

/// A point of a set.
fn one(set: &Set) -> poly::Result<Option<Vec<i64>>> {
    if set.is_empty()? {
        return Ok(None);
    }
    let points = set.sample()?.to_set()?.points(1)?;
    Ok(points.into_iter().next())
}

/// The set of one point.
fn fixed(space: &poly::Space, point: &[i64]) -> poly::Result<Set> {
    let mut set = Set::universe(space)?;
    for (d, v) in point.iter().enumerate() {
        set = set.fix_si(poly::DimType::Set, d, *v)?;
    }
    Ok(set)
}
