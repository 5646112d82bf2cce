//! Rows of a schedule: one affine function per statement.

use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Aff, DimType, LocalSpace, Map, MultiUnionPwAff, Result, UnionPwAff};
use polytile_analysis::quotient::gcd;
use polytile_analysis::scop::{Scop, Stmt};
use std::collections::BTreeMap;

/// `theta(x) = iters . x + params . n + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Coefficients of the iterators.
    pub iters: Vec<i64>,
    /// Coefficients of the parameters.
    pub params: Vec<i64>,
    /// Constant.
    pub constant: i64,
}

/// One row of some statements.
pub type Rows = BTreeMap<StmtId, Row>;

impl Row {
    /// As a function of the statement's iterators.
    fn aff(&self, scop: &Scop, stmt: StmtId) -> Result<Aff> {
        let space = LocalSpace::from_space(&scop.stmt(stmt).domain.space()?)?;
        let mut aff = Aff::si_on_domain(&space, self.constant)?;
        for (kind, coefficients) in [(DimType::In, &self.iters), (DimType::Param, &self.params)] {
            for (at, &c) in coefficients.iter().enumerate().filter(|(_, c)| **c != 0) {
                aff = aff.set_coefficient_si(kind, at, c)?;
            }
        }
        Ok(aff)
    }

    /// As a map from instances of the statement to its value.
    pub fn map(&self, scop: &Scop, stmt: StmtId) -> Result<Map> {
        Map::from_aff(&self.aff(scop, stmt)?)
    }
}

/// Several rows as a partial schedule.
pub fn schedule(scop: &Scop, rows: &[Rows]) -> Result<MultiUnionPwAff> {
    let mut all: Option<MultiUnionPwAff> = None;
    for r in rows {
        let mut one = UnionPwAff::empty(&scop.context.space()?)?;
        for (s, row) in r {
            one = one.union_add(&UnionPwAff::from_aff(&row.aff(scop, *s)?)?)?;
        }
        let one = MultiUnionPwAff::from_union_pw_aff(&one)?;
        all = Some(match all {
            None => one,
            Some(a) => a.flat_range_product(&one)?,
        });
    }
    Ok(all.expect("a band has rows"))
}

/// Rows that are the same for all instances of a statement, as those of a peeled iteration.
pub fn fixed_rows(stmt: &Stmt) -> Result<Vec<Vec<i64>>> {
    let hull = stmt.domain.simple_hull()?;
    let (params, dims) = (hull.dim(DimType::Param), hull.dim(DimType::Set));
    let equalities = hull.equalities_matrix()?.into_iter();
    // The constant, parameters, dimensions, and integer divisions.
    let plain = equalities.filter(|e| e[1 + params + dims..].iter().all(|c| *c == 0));
    let rows = plain.map(|e| e[1 + params..][..dims].to_vec());
    Ok(rows.filter(|r| r.iter().any(|c| *c != 0)).collect())
}

/// A basis of the integer vectors that all rows map to zero.
pub fn kernel(rows: &[Vec<i64>], dims: usize) -> Vec<Vec<i64>> {
    let mut work: Vec<Vec<i128>> = rows
        .iter()
        .map(|r| r.iter().map(|&c| i128::from(c)).collect())
        .collect();
    let mut pivots = vec![];
    let mut at = 0;
    for col in 0..dims {
        let Some(p) = (at..work.len()).find(|&r| work[r][col] != 0) else {
            continue;
        };
        work.swap(at, p);
        for r in 0..work.len() {
            if r != at && work[r][col] != 0 {
                let (f, g) = (work[r][col], work[at][col]);
                let pivot = work[at].clone();
                for (x, p) in work[r].iter_mut().zip(&pivot) {
                    *x = *x * g - *p * f;
                }
                reduce(&mut work[r]);
            }
        }
        pivots.push(col);
        at += 1;
    }
    let free = (0..dims).filter(|c| !pivots.contains(c));
    free.map(|f| {
        let scale: i128 = pivots
            .iter()
            .enumerate()
            .fold(1, |acc, (r, &p)| lcm(acc, work[r][p]));
        let mut v = vec![0i128; dims];
        v[f] = scale;
        for (r, &p) in pivots.iter().enumerate() {
            v[p] = -work[r][f] * (scale / work[r][p]);
        }
        reduce(&mut v);
        v.into_iter()
            .map(|c| i64::try_from(c).unwrap_or(0))
            .collect()
    })
    .collect()
}

fn reduce(v: &mut [i128]) {
    let g = v.iter().fold(0, |acc, &c| gcd(acc, c.abs()));
    if g > 1 {
        v.iter_mut().for_each(|c| *c /= g);
    }
}

fn lcm(a: i128, b: i128) -> i128 {
    (a / gcd(a.abs(), b.abs()).max(1) * b).abs().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_orthogonal_and_complete() {
        assert_eq!(kernel(&[], 2), vec![vec![1, 0], vec![0, 1]]);
        assert_eq!(
            kernel(&[vec![1, 1, 0]], 3),
            vec![vec![-1, 1, 0], vec![0, 0, 1]]
        );
        assert_eq!(kernel(&[vec![2, 1], vec![0, 3]], 2), Vec::<Vec<i64>>::new());
        assert_eq!(kernel(&[vec![2, 4]], 2), vec![vec![-2, 1]]);
    }
}
