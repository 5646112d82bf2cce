//! Full tiles and the outset of a box tiling in closed form, without elimination.
//!
//! Tiles are boxes `I <= x < I + s` named by their origin `I` (Darte and Isoard 2015, §3; Renganarayanan et al. 2007 for the name).
//! Over a box, a constraint `c x + d >= 0` of the domain is least at one corner and greatest at the opposite one, so with
//! `c = c+ + c-` by signs
//!
//! | tiles | for each constraint |
//! |---|---|
//! | full: all points of the box are in the domain | `c+ I + c- (I + s - 1) + d >= 0` |
//! | outset: no constraint alone keeps the box out | `c- I + c+ (I + s - 1) + d >= 0` |
//!
//! Both are affine in `I` and `s`. Full is exact. The outset holds all tiles with a point of the domain and some without: where two
//! constraints together keep a box out.

use super::system::{Row, Stop, System};

/// Which tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiles {
    /// Those inside of the domain.
    Full,
    /// Those that may have a point.
    Outset,
}

/// How long a box is in a direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// So many points.
    Const(i64),
    /// As many as this parameter says, by its position among the variables.
    Param(usize),
}

/// The tiles of a domain. Its variables are `params` parameters and a coordinate for each side; those of the result are the parameters
/// and the origins.
///
/// # Errors
/// Numbers that are too large.
pub fn tiles(domain: &System, params: usize, sides: &[Side], which: Tiles) -> Result<System, Stop> {
    assert_eq!(
        domain.variables,
        params + sides.len(),
        "a side per coordinate"
    );
    let mut all = System::new(domain.variables);
    all.void = domain.void;
    for row in &domain.rows {
        all.add(at_corner(row, params, sides, which)?);
    }
    Ok(all)
}

fn at_corner(row: &Row, params: usize, sides: &[Side], which: Tiles) -> Result<Row, Stop> {
    let mut moved = row.clone();
    for (d, side) in sides.iter().enumerate() {
        let c = row[1 + params + d];
        let far = match which {
            Tiles::Full => c < 0,
            Tiles::Outset => c > 0,
        };
        if !far {
            continue;
        }
        // c (I + s - 1)
        let mut add = |at: usize, value: Option<i64>| {
            let sum = value.and_then(|v| moved[at].checked_add(v));
            moved[at] = sum.ok_or(Stop::Large)?;
            Ok(())
        };
        match side {
            Side::Const(s) => add(0, c.checked_mul(s - 1))?,
            Side::Param(p) => {
                add(1 + p, Some(c))?;
                add(0, c.checked_neg())?;
            }
        }
    }
    Ok(moved)
}
