//! Farkas' lemma: an affine form is non-negative on a polyhedron exactly if it is a non-negative combination of its
//! constraints. The forms that are non-negative on a dependence polyhedron are a cone, the dual; each vertex, ray and line of
//! the polyhedron is one of its constraints. They turn "`theta(y) - theta(x) >= 0` on all dependent pairs" into linear
//! inequalities over the unknown coefficients of `theta` (Feautrier 1992; Pluto, PLDI 2008).
//!
//! Cone columns: `c0` (constant), `cn` (parameters), `cx` (source), `cy` (sink). Integer divisions are columns like any other
//! while [generators] are computed, and dropped from them.
//!
//! ```text
//! [n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }    vertex n = 2, i = 0, i' = 1:      c0 + 2 cn + cy >= 0
//!                                                 rays n + 1 and (n, i, i') + 1:    cn >= 0, cn + cx + cy >= 0
//! ```

use super::STEPS_PER_UNIT;
use super::generators::{self, LIMITS, Limits, TooLarge};
use polytile_analysis::poly::{BasicMap, DimType, Result};

/// The generators of a dependence polyhedron: each row `r` demands `r . (c0, cn, cx, cy) >= 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cone {
    /// The rows.
    pub rows: Vec<Vec<i64>>,
}

impl Cone {
    /// The cone of a dependence; an inner error if it has too many generators.
    pub fn of(relation: &BasicMap) -> Result<std::result::Result<Cone, TooLarge>> {
        let dims = [DimType::Param, DimType::In, DimType::Out];
        let kept = 1 + dims.iter().map(|&ty| relation.dim(ty)).sum::<usize>();
        let columns = kept + relation.dim(DimType::Div);
        let (eq, ineq) = (
            relation.equalities_matrix()?,
            relation.inequalities_matrix()?,
        );
        let mut limits = LIMITS;
        let cone = Cone::of_rows(columns, kept, &eq, ineq, &mut limits);
        let work = LIMITS.work - limits.work;
        relation.ctx().spend(work / STEPS_PER_UNIT)?;
        Ok(cone)
    }

    /// The cone of the projection on the first `kept` columns, the constant one among them.
    fn of_rows(
        columns: usize,
        kept: usize,
        equalities: &[Vec<i64>],
        mut inequalities: Vec<Vec<i64>>,
        limits: &mut Limits,
    ) -> std::result::Result<Cone, TooLarge> {
        let mut positive = vec![0; columns];
        positive[0] = 1;
        inequalities.push(positive);
        let all = generators::generators(columns, kept, equalities, &inequalities, limits)?;
        // Without a vertex the polyhedron is empty, and every form is non-negative on it.
        if all.rays.iter().all(|r| r[0] == 0) {
            return Ok(Cone { rows: vec![] });
        }
        let negated = |r: &Vec<i64>| r.iter().map(|c| -c).collect();
        let mut rows = all.rays;
        rows.extend(all.lines.iter().map(negated));
        rows.extend(all.lines);
        Ok(Cone { rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::{BasicSet, Ctx, Space};
    use proptest::prelude::*;

    /// The integer points of isl's dual cone (isl's is marked as rational, which makes it differ from any integer set).
    fn reference(relation: &BasicMap) -> BasicSet {
        let set = relation.wrap().unwrap().remove_divs().unwrap();
        let dual = set.coefficients().unwrap();
        let (eq, ineq) = (dual.equalities_matrix(), dual.inequalities_matrix());
        let space = dual.space().unwrap();
        BasicSet::from_constraint_matrices(&space, &eq.unwrap(), &ineq.unwrap()).unwrap()
    }

    /// The cone whose constraints are the rows, in the reference's space.
    fn as_set(cone: &Cone, space: &Space) -> BasicSet {
        BasicSet::from_constraint_matrices(space, &[], &zero_first(&cone.rows)).unwrap()
    }

    /// Rows of a matrix with a constant column.
    fn zero_first(rows: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let row = |r: &Vec<i64>| std::iter::once(0).chain(r.iter().copied()).collect();
        rows.iter().map(row).collect()
    }

    fn check(relation: &BasicMap) {
        let expected = reference(relation);
        let cone = Cone::of(relation).unwrap().unwrap();
        let found = as_set(&cone, &expected.space().unwrap());
        assert!(
            found.is_equal(&expected).unwrap(),
            "{relation}\n{found}\n{expected}"
        );
    }

    fn relation(text: &str) -> BasicMap {
        BasicMap::parse(&Ctx::new(), text).unwrap()
    }

    #[test]
    fn cones_are_those_of_isl() {
        for text in [
            "[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }",
            "[n] -> { S[i, j] -> T[i, k] : 0 <= j < k < n and 0 <= i < n }",
            "[n, m] -> { S[t, i] -> S[t + 1, j] : 0 <= t < m - 1 and 1 <= i < n and i - 1 <= j <= i + 1 }",
            "{ S[i] -> S[j] : 0 <= i < j < 4000 }",
            "{ S[] -> T[i] : 3i >= 7 and i <= 5 }",
            "{ S[i] -> T[j] }",
            "[n] -> { S[i] -> T[j] : i + j = n and 2i >= n }",
            "[n] -> { S[i] -> T[j] : exists e : i = 2e and 0 <= i < j < n }",
            "[n] -> { S[i] -> T[j] : exists e, f : i = 3e + 1 and 2j <= f + i and f >= 3i and 0 <= i < j < n }",
        ] {
            check(&relation(text));
        }
    }

    #[test]
    fn the_example_of_the_module() {
        let cone = Cone::of(&relation("[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }"));
        assert_eq!(
            cone.unwrap().unwrap().rows,
            [[0, 1, 0, 0], [0, 1, 1, 1], [1, 2, 0, 1]]
        );
    }

    #[test]
    fn equal_polyhedra_have_equal_rows() {
        let rows = |text| Cone::of(&relation(text)).unwrap().unwrap().rows;
        assert_eq!(
            rows("[n] -> { S[i] -> T[j] : i = j and 0 <= i and 3i < n + i and n >= 0 }"),
            rows("[n] -> { S[i] -> T[j] : j >= 0 and i <= j <= i and i + j < n and i >= -3 }"),
        );
    }

    #[test]
    fn nothing_is_demanded_on_an_empty_polyhedron() {
        let space = relation("{ S[i] -> T[j] }").space().unwrap();
        let rows = [vec![-1, 2, 0], vec![-1, -2, 0]];
        let empty = BasicMap::from_constraint_matrices(&space, &[], &rows).unwrap();
        assert!(Cone::of(&empty).unwrap().unwrap().rows.is_empty());
    }

    type Matrix = Vec<Vec<i64>>;

    /// Random rows with a positive bias in the constant, so that many have a common solution.
    fn system(columns: usize) -> impl Strategy<Value = (Matrix, Matrix)> {
        let rows = |n| proptest::collection::vec(proptest::collection::vec(-3i64..=3, columns), n);
        (rows(0..2), rows(0..9)).prop_map(|(mut eq, mut ineq)| {
            eq.iter_mut().flatten().for_each(|c| *c = (*c).clamp(-2, 2));
            ineq.iter_mut().for_each(|r| r[0] += 2);
            (eq, ineq)
        })
    }

    /// isl's forms that are non-negative on the cone of these rows and do not look at the columns from `kept` on. Without
    /// constants isl cannot tighten rows over the integers: a relation would often have a larger dual.
    fn homogeneous(columns: usize, kept: usize, eq: &Matrix, ineq: &Matrix) -> BasicSet {
        let space = Space::set_alloc(&Ctx::new(), 0, columns).unwrap();
        let cone =
            BasicSet::from_constraint_matrices(&space, &zero_first(eq), &zero_first(ineq)).unwrap();
        let dual = cone.coefficients().unwrap();
        let (eq, ineq) = (dual.equalities_matrix(), dual.inequalities_matrix());
        let blind = [0].into_iter().chain(kept + 1..=columns).map(|c| {
            let mut row = vec![0; columns + 2];
            row[1 + c] = 1;
            row
        });
        let eq: Matrix = eq.unwrap().into_iter().chain(blind).collect();
        let space = dual.space().unwrap();
        BasicSet::from_constraint_matrices(&space, &eq, &ineq.unwrap()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        /// Forms on a projection are forms that do not look at the columns that went.
        #[test]
        fn cones_of_random_projections_are_those_of_isl((eq, mut ineq) in system(6), kept in 3usize..=6) {
            let cone = Cone::of_rows(6, kept, &eq, ineq.clone(), &mut LIMITS.clone()).unwrap();
            ineq.push(vec![1, 0, 0, 0, 0, 0]);
            let expected = homogeneous(6, kept, &eq, &ineq);
            let wide = |r: &Vec<i64>| [&[0][..], r, &vec![0; 6 - kept]].concat();
            let rows = Cone { rows: cone.rows.iter().map(wide).collect() };
            let mut blind = vec![vec![0; 8]];
            blind[0][1] = 1;
            blind.extend((kept + 2..8).map(|c| (0..8).map(|i| i64::from(i == c)).collect()));
            let space = expected.space().unwrap();
            let plane = BasicSet::from_constraint_matrices(&space, &blind, &[]).unwrap();
            let found = as_set(&rows, &space).intersect(&plane).unwrap();
            if !cone.rows.is_empty() {
                prop_assert!(found.is_equal(&expected).unwrap(), "{found}\n{expected}");
            }
        }
    }
}
