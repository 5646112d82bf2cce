//! Tiling by families of parallel hyperplanes: `t_k = floor(h_k . x / s_k)`.
//!
//! ```text
//! hyperplanes [0] [1,1; 1,-1] 4 4             for i: for j: S(i, j)       for t1: for t2: for i: for j, with
//!                                                                         4 t1 <= i + j < 4 t1 + 4, 4 t2 <= i - j < 4 t2 + 4: S(i, j)
//! hyperplanes [0] [1,1; 1,-1] 3 3             refused: tiles of two kinds
//! hyperplanes [0] [1,1; 1,-1] 3 3 uneven      bounds for each tile
//! ```
//!
//! After Ancourt and Irigoin (1991, §3.1). Tiles are boxes of the rows that the matrix makes, but the rows need not be unimodular: then
//! some tiles are no translates of others and have other numbers of points, or none. That is [decided](Hyperplanes::origins) by the
//! Hermite form, and refused unless `uneven` says that it is meant; loops are right in any case, because each tile's bounds are its own.
//! Fewer families than loops make stripes. Legal if no dependence goes to an earlier tile.

use super::prototile::{matrix_text, over_tiles, values};
use super::surgery::{Loop, edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::lattice::hyperplanes::Unfit;
use polytile_analysis::lattice::{Hyperplanes, Matrix};
use polytile_analysis::poly::UnionPwAff;
use polytile_analysis::tree::{Tree, rows};
use std::fmt;

/// Tiles a nest by hyperplanes.
#[derive(Clone, Debug)]
pub struct HyperplaneBand {
    /// The outermost loop.
    pub at: Address,
    /// A row per family, as long as the nest is deep.
    pub normals: Matrix,
    /// A distance per family.
    pub spacings: Vec<i64>,
    /// Tiles need not be translates of each other.
    pub uneven: bool,
}

impl Step for HyperplaneBand {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let n = self.normals.first().map_or(0, Vec::len);
        if n == 0 || self.normals.iter().any(|row| row.len() != n) {
            return Err(Structure::Singular("lines of one length are needed".into()).into());
        }
        if self.spacings.len() != self.normals.len() || self.spacings.iter().any(|s| *s < 1) {
            let text = "a distance of at least 1 is needed for each line";
            return Err(Structure::Number(text.into()).into());
        }
        let tiling = self.tiling()?;
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let (loops, _) = nest(tree, n, &self.at)?;
            if loops.iter().any(|l| l.tile.is_some()) {
                return Err(
                    Structure::Decided(format!("{} holds loops over tiles", self.at)).into(),
                );
            }
            let space = domain.space()?;
            let own: Vec<UnionPwAff> = loops.iter().map(|l| l.row.clone()).collect();
            let tiles = tiling.relation(state.scop.context.ctx())?.to_union_map()?;
            let relation = values(&rows(&space, &own)?, domain)?.apply_range(&tiles)?;
            let numbers = self.numbers(&loops)?;
            Ok(over_tiles(
                &relation,
                rows(&space, &numbers)?,
                Tree::clone(tree),
            ))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(super::tile::Untile(self.at.clone()))])
    }
}

impl HyperplaneBand {
    fn tiling(&self) -> Applied<Hyperplanes> {
        let tiling = Hyperplanes {
            normals: self.normals.clone(),
            spacings: self.spacings.clone(),
        };
        let unfit = |why| match why {
            Unfit::Dependent => Structure::Singular("a line follows from the others".into()),
            Unfit::Large => Structure::Number("numbers are too large".into()),
        };
        let even = tiling.origins().map_err(unfit)?.is_some();
        if even || self.uneven {
            return Ok(tiling);
        }
        let classes = tiling.classes().map_err(unfit)?;
        let text = format!(
            "tiles are of {classes} kinds, no translates of each other: other distances, or 'uneven' for bounds by tile"
        );
        Err(Structure::Singular(text).into())
    }

    /// `floor(h_k . x / s_k)` for each family.
    fn numbers(&self, loops: &[Loop]) -> Applied<Vec<UnionPwAff>> {
        let number = |(line, s): (&Vec<i64>, &i64)| -> Applied<UnionPwAff> {
            let mut sum = loops[0].row.scale_si(line[0])?;
            for (l, c) in loops.iter().zip(line).skip(1) {
                sum = sum.add(&l.row.scale_si(*c)?)?;
            }
            Ok(sum.scale_down_si(*s)?.floor()?)
        };
        self.normals
            .iter()
            .zip(&self.spacings)
            .map(number)
            .collect()
    }
}

impl fmt::Display for HyperplaneBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hyperplanes {} {}", self.at, matrix_text(&self.normals))?;
        for s in &self.spacings {
            write!(f, " {s}")?;
        }
        write!(f, "{}", if self.uneven { " uneven" } else { "" })
    }
}
