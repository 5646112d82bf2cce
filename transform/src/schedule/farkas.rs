//! Farkas' lemma: an affine form is non-negative on a polyhedron exactly if it is a non-negative combination of its
//! constraints. isl's `coefficients` gives the dual cone of a dependence, whose rows turn "`theta(y) - theta(x) >= 0` on
//! all dependent pairs" into linear inequalities over the unknown coefficients of `theta` (Feautrier 1992; Pluto, PLDI 2008).
//!
//! Cone columns: `c0` (constant), `cn` (parameters), `cx` (source), `cy` (sink).

use polytile_analysis::poly::{BasicMap, Result};

/// The generators of a dependence polyhedron: each row `r` demands `r . (c0, cn, cx, cy) >= 0`.
#[derive(Clone, Debug)]
pub struct Cone {
    /// The rows.
    pub rows: Vec<Vec<i64>>,
}

impl Cone {
    /// The cone of a dependence.
    pub fn of(relation: &BasicMap) -> Result<Cone> {
        let dual = relation.wrap()?.remove_divs()?.coefficients()?;
        let mut rows = vec![];
        let columns = dual.dim(polytile_analysis::poly::DimType::Set);
        let strip = |row: &[i64]| row[row.len() - columns..].to_vec();
        for row in dual.equalities_matrix()? {
            let row = strip(&row);
            rows.push(row.iter().map(|c| -c).collect());
            rows.push(row);
        }
        for row in dual.inequalities_matrix()? {
            rows.push(strip(&row));
        }
        Ok(Cone { rows })
    }
}
