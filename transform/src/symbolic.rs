//! Large constants of a SCoP as parameters: [`with_symbolic_sizes`].
//!
//! Integer programs of the search grow hard with the numbers in them: the vertices of a dependence polyhedron over
//! `0 <= k < j < i <= 1999` have coordinates of four digits, the dual simplex multiplies them, and branch and bound ends
//! at its limits. With a parameter in place of the number the polyhedron is a cone with small rays. Constants of at least
//! [`LEAST`] in domains and access relations therefore become parameters with a constant value:
//!
//! ```text
//! { S[i, j] : 0 <= i <= 1999 and 0 <= j < 1999 - i }
//! [c2000] -> { S[i, j] : 0 <= i <= c2000 - 1 and 0 <= j < c2000 - 1 - i }          c2000 = 2000
//! ```
//!
//! Constants that lie near each other are one parameter plus a small number, so that `N`, `N - 1` and `N - 2` stay what they
//! are. All later stages work on the SCoP with parameters, and the emitted program gets the number back.
//!
//! Why the result is right: fixed to the numbers, the new domains and relations are the old ones (this is tested, and
//! where it does not hold nothing is replaced). What is legal for all values of the parameters is legal for this one.
//!
//! Numbers of a division may say only together that an access has one element (`9q <= i - 18 < 9q + 9`): as independent
//! parameters they would give it several. Such a SCoP stays as it is.
//!
//! A constant that multiplies a variable cannot be a parameter. As `i * 2000 + j` with `j < 2000` would no longer tell
//! rows apart, a SCoP with a large factor stays as it is.

use polytile_analysis::poly::{BasicMap, BasicSet, DimType, Map, Result, Set, Space};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Param, Scop};
use std::collections::BTreeSet;

/// Smaller constants stay.
const LEAST: i64 = 16;

/// What is known of a new parameter: enough that loops run, and no more. A larger number would be back in every vertex.
const KNOWN: i64 = 4;

/// Larger ones stay as well: they are limits of types.
const GREATEST: i64 = 1 << 30;

/// Constants that differ by less may be one parameter.
const NEAR: i64 = 8;

/// A SCoP with more parameters is not easier than one with large numbers.
const MAX_PARAMS: usize = 8;

/// `scop` with parameters in place of large constants, or unchanged where that is not exact.
pub fn with_symbolic_sizes(scop: &Scop) -> Result<Scop> {
    let Some(found) = constants(scop)? else {
        return Ok(scop.clone());
    };
    let sizes = sizes(&found);
    if sizes.is_empty() || scop.params.len() + sizes.len() > MAX_PARAMS {
        return Ok(scop.clone());
    }
    let old = scop.context.space()?;
    let mut lifted = scop.clone();
    let space = lifted.add_params(sizes.iter().map(|&value| Param {
        name: fresh_name(scop, value),
        expr: Scev::constant(32, i128::from(value)),
    }))?;
    let lift = Lift {
        before: scop.params.len(),
        space,
        old,
        sizes: &sizes,
    };
    lifted.context = lift.known(&lifted.context)?;
    for stmt in &mut lifted.stmts {
        match lift.set(&stmt.domain)? {
            Some(domain) => stmt.domain = domain,
            None => return Ok(scop.clone()),
        }
        for access in &mut stmt.accesses {
            match lift.map(&access.relation)? {
                Some(relation) => access.relation = relation,
                None => return Ok(scop.clone()),
            }
        }
    }
    Ok(lifted)
}

/// The large constants, without their signs; `None` if there are large factors.
fn constants(scop: &Scop) -> Result<Option<BTreeSet<i64>>> {
    let mut found = BTreeSet::new();
    let mut visit = |rows: Vec<Vec<i64>>| {
        for row in rows {
            if row[1..].iter().any(|c| c.abs() >= LEAST) {
                return false;
            }
            if large(row[0]) {
                found.insert(row[0].abs());
            }
        }
        true
    };
    for stmt in &scop.stmts {
        for part in stmt.domain.basic_sets()? {
            if !visit(part.equalities_matrix()?) || !visit(part.inequalities_matrix()?) {
                return Ok(None);
            }
        }
        for access in &stmt.accesses {
            for part in access.relation.basic_maps()? {
                if !visit(part.equalities_matrix()?) || !visit(part.inequalities_matrix()?) {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(found))
}

fn large(constant: i64) -> bool {
    (LEAST..=GREATEST).contains(&constant.abs())
}

/// One value for all constants that lie near each other: one more than the greatest of them, because `i < n` is
/// `n - 1 - i >= 0`.
fn sizes(constants: &BTreeSet<i64>) -> Vec<i64> {
    let mut sizes: Vec<i64> = vec![];
    let mut first = None;
    for &c in constants {
        match (first, sizes.last_mut()) {
            (Some(f), Some(last)) if c - f < NEAR => *last = c + 1,
            _ => {
                first = Some(c);
                sizes.push(c + 1);
            }
        }
    }
    sizes
}

/// `c<value>`, or longer where there is such a name.
fn fresh_name(scop: &Scop, value: i64) -> String {
    let longer = |name: &String| Some(format!("{name}_"));
    scop.unused_name(std::iter::successors(Some(format!("c{value}")), longer))
}

/// The change of one set or relation.
struct Lift<'a> {
    /// Parameters of the old space.
    before: usize,
    /// The new parameters' space.
    space: Space,
    /// The old parameters' space.
    old: Space,
    /// Values of the parameters after `before`, ascending.
    sizes: &'a [i64],
}

impl Lift<'_> {
    /// What is known of the parameters: little, as of run-time sizes. How the new ones compare is left open.
    fn known(&self, context: &Set) -> Result<Set> {
        let mut known = context.clone();
        for p in 0..self.sizes.len() {
            known = known.lower_bound_si(DimType::Param, self.before + p, KNOWN)?;
        }
        Ok(known)
    }

    /// A row with columns for the new parameters.
    fn row(&self, row: &[i64]) -> Vec<i64> {
        let (head, tail) = row.split_at(1 + self.before);
        let mut symbols = vec![0; self.sizes.len()];
        let mut head = head.to_vec();
        if large(row[0]) {
            let at = self.sizes.partition_point(|s| *s <= row[0].abs());
            symbols[at] = row[0].signum();
            head[0] -= row[0].signum() * self.sizes[at];
        }
        [&head, &symbols[..], tail].concat()
    }

    fn rows(&self, rows: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        rows.iter().map(|r| self.row(r)).collect()
    }

    fn set(&self, set: &Set) -> Result<Option<Set>> {
        let set = set.align_params(&self.old)?;
        let space = set.space()?.align_params(&self.space)?;
        let mut all = Set::empty(&space)?;
        for part in set.basic_sets()? {
            let (eq, ineq) = (part.equalities_matrix()?, part.inequalities_matrix()?);
            let lifted =
                BasicSet::from_constraint_matrices(&space, &self.rows(eq), &self.rows(ineq))?;
            all = all.union(&lifted.compute_divs()?)?;
        }
        let mut fixed = all.clone();
        for (p, value) in self.sizes.iter().enumerate() {
            fixed = fixed.fix_si(DimType::Param, self.before + p, *value)?;
        }
        let fixed = fixed.project_out(DimType::Param, self.before, self.sizes.len())?;
        Ok(fixed.is_equal(&set)?.then_some(all))
    }

    fn map(&self, map: &Map) -> Result<Option<Map>> {
        let map = map.align_params(&self.old)?;
        let space = map.space()?.align_params(&self.space)?;
        let mut all = Map::empty(&space)?;
        for part in map.basic_maps()? {
            let (eq, ineq) = (part.equalities_matrix()?, part.inequalities_matrix()?);
            let lifted =
                BasicMap::from_constraint_matrices(&space, &self.rows(eq), &self.rows(ineq))?;
            all = all.union(&lifted.compute_divs()?)?;
        }
        let mut fixed = all.clone();
        for (p, value) in self.sizes.iter().enumerate() {
            fixed = fixed.fix_si(DimType::Param, self.before + p, *value)?;
        }
        let fixed = fixed.project_out(DimType::Param, self.before, self.sizes.len())?;
        Ok((fixed.is_equal(&map)? && all.is_single_valued()?).then_some(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    fn lifted(domain: &str, access: &str) -> Scop {
        let text = format!(
            "array A f64 []
             stmt S0
               domain {{ {domain} }}
               beta 0 0
               write {{ {access} }}
               body (inv v0)"
        );
        with_symbolic_sizes(&parse_scop(&Ctx::new(), &text).unwrap()).unwrap()
    }

    fn names(scop: &Scop) -> Vec<&str> {
        scop.params.iter().map(|p| p.name.as_str()).collect()
    }

    #[test]
    fn near_constants_share_a_parameter() {
        let scop = lifted("S0[i] : 2 <= i < 1999", "S0[i] -> A[1999 - i]");
        assert_eq!(names(&scop), ["c2000"]);
        assert_eq!(
            scop.stmts[0].domain.to_string(),
            "[c2000] -> { S0[i] : 2 <= i <= -2 + c2000 }"
        );
        assert_eq!(
            scop.stmts[0].write().relation.to_string(),
            "[c2000] -> { S0[i] -> A[-1 + c2000 - i] }"
        );
        assert_eq!(scop.context.to_string(), "[c2000] -> {  : c2000 >= 4 }");
    }

    #[test]
    fn distant_constants_are_apart_and_may_be_lower_bounds() {
        let scop = lifted("S0[i] : 100 <= i < 2000", "S0[i] -> A[i]");
        assert_eq!(names(&scop), ["c101", "c2000"]);
        assert_eq!(
            scop.stmts[0].domain.to_string(),
            "[c101, c2000] -> { S0[i] : -1 + c101 <= i < c2000 }"
        );
    }

    #[test]
    fn small_numbers_and_limits_of_types_stay() {
        for (domain, access) in [
            ("S0[i] : 0 <= i < 15", "S0[i] -> A[i]"),
            ("S0[i] : 0 <= i <= 2147483647", "S0[i] -> A[i]"),
        ] {
            assert!(lifted(domain, access).params.is_empty());
        }
    }

    #[test]
    fn accesses_stay_functions() {
        let scop = lifted(
            "S0[i] : 0 <= i < 2000",
            "S0[i] -> A[o] : (i - o) mod 9 = 0 and 19 <= o <= 27",
        );
        assert!(scop.params.is_empty());
    }

    #[test]
    fn large_factors_forbid_parameters() {
        let scop = lifted("S0[i] : 0 <= i < 2000", "S0[i] -> A[2000i]");
        assert!(scop.params.is_empty());
    }

    #[test]
    fn integer_divisions_keep_their_meaning() {
        let scop = lifted(
            "S0[i] : 0 <= i < 2000 and (1999 - i) mod 3 = 0",
            "S0[i] -> A[i]",
        );
        let at = |set: &Set, n| {
            let set = set.fix_si(DimType::Param, 0, n).unwrap();
            set.project_out(DimType::Param, 0, 1).unwrap()
        };
        if !scop.params.is_empty() {
            let domain = at(&scop.stmts[0].domain, 2000);
            assert_eq!(domain.count(3000).unwrap(), 667);
        }
    }
}
