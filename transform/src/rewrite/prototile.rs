//! Tiling by a lattice and a shape: tile `t` is the shape at the origin `M t`.
//!
//! ```text
//! prototile [0] [4,0; 2,4] { [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }
//!
//! for i: for j: S(i, j)       for t1: for t2: for i: for j in the hexagon at (4 t1, 2 t1 + 4 t2): S(i, j)
//! ```
//!
//! After Ancourt and Irigoin (1991, §3.1 and §4.3): any lattice and any shape whose translates cover each point once. That is decided
//! exactly, and a shape that leaves a point out or has one twice is refused with that point. Coordinates are the *rows* of the nest. Tiles
//! run in the lexicographic order of `t`, points inside in the order of the nest. Legal if no dependence goes to an earlier tile, which
//! neither the lattice nor the shape says: a slanted side may pass a dependence on to a tile before.

use super::surgery::{edit, nest};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::lattice::{Cover, Matrix, Prototile};
use polytile_analysis::poly::{MultiUnionPwAff, Set, UnionMap, UnionSet};
use polytile_analysis::tree::{Band, LoopKind, Mark, Tree, rows};
use std::fmt;

/// Tiles a nest by a lattice and a shape.
#[derive(Clone, Debug)]
pub struct PrototileBand {
    /// The outermost loop.
    pub at: Address,
    /// `M`.
    pub vectors: Matrix,
    /// The tile at the origin: a set in isl's notation.
    pub shape: String,
}

impl Step for PrototileBand {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let n = self.vectors.len();
        if n == 0 || self.vectors.iter().any(|row| row.len() != n) {
            return Err(Structure::Singular("the matrix is not square".into()).into());
        }
        let tiling = self.tiling(state)?;
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let (loops, _) = nest(tree, n, &self.at)?;
            if loops.iter().any(|l| l.tile.is_some()) {
                return Err(
                    Structure::Decided(format!("{} holds loops over tiles", self.at)).into(),
                );
            }
            let own: Vec<_> = loops.into_iter().map(|l| l.row).collect();
            let points = rows(&domain.space()?, &own)?;
            let tiles = tiling.relation()?.to_union_map()?;
            let relation = values(&points, domain)?.apply_range(&tiles)?;
            let numbers = MultiUnionPwAff::from_union_map(&relation)?;
            Ok(over_tiles(&relation, numbers, tree.clone()))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(super::tile::Untile(self.at.clone()))])
    }
}

impl PrototileBand {
    /// The lattice and the shape, if they cover each point once.
    fn tiling(&self, state: &State) -> Applied<Prototile> {
        let wrong = |e| Structure::Unknown(format!("shape {}: {e}", self.shape));
        let shape = Set::parse(state.scop.context.ctx(), &self.shape).map_err(wrong)?;
        let n = self.vectors.len();
        if shape.tuple_dim() != n || shape.tuple_name().is_some() {
            let text = format!("a shape of {n} dimensions without a name is needed: {shape}");
            return Err(Structure::Number(text).into());
        }
        let tiling = Prototile {
            vectors: self.vectors.clone(),
            shape,
        };
        let text = match tiling.cover()? {
            Cover::Once => return Ok(tiling),
            Cover::Flat => "the vectors of the lattice do not span the nest".to_owned(),
            Cover::Missing(p) => format!("the point {p:?} is in no tile"),
            Cover::Twice(p, a, b) => format!("the point {p:?} is in the tiles {a:?} and {b:?}"),
        };
        Err(Structure::Singular(text).into())
    }
}

/// Instances with their points.
pub(super) fn values(points: &MultiUnionPwAff, domain: &UnionSet) -> Applied<UnionMap> {
    let here = points.intersect_domain(&domain.universe_of()?)?;
    Ok(UnionMap::from_multi_union_pw_aff(&here)?)
}

/// A band over tiles, given by their numbers and by the relation that these are.
pub(super) fn over_tiles(relation: &UnionMap, numbers: MultiUnionPwAff, child: Tree) -> Tree {
    let n = numbers.size();
    let band = Band {
        schedule: numbers,
        permutable: false,
        coincident: vec![false; n],
        loops: vec![LoopKind::Sequential; n],
        tile: None,
        child,
    };
    let mark = Mark::Relation(relation.to_string());
    Tree::Mark(mark, Box::new(Tree::Band(Box::new(band))))
}

/// `[4,0; 2,4]`.
pub(super) fn matrix_text(m: &Matrix) -> String {
    let line = |row: &Vec<i64>| {
        let entries: Vec<String> = row.iter().map(i64::to_string).collect();
        entries.join(",")
    };
    let lines: Vec<String> = m.iter().map(line).collect();
    format!("[{}]", lines.join("; "))
}

impl fmt::Display for PrototileBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matrix = matrix_text(&self.vectors);
        write!(f, "prototile {} {matrix} {}", self.at, self.shape)
    }
}

#[cfg(test)]
mod tests;
