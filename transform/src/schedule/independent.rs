//! Rows that are independent of earlier ones.
//!
//! The problem: a row `c >= 0` of a statement must not be a combination of its earlier rows `H`: for some vector `v` of a
//! basis of the kernel of `H`, `c.v != 0`. That is a disjunction, and an integer program is a conjunction.
//!
//! * If no `v` has entries of both signs, `sum c.v >= 1` says it (Bondhugula et al. 2008, §3.2).
//! * After a skewed row it does not. `H = (1 1 0)` has the kernel `(-1 1 0), (0 0 1)`: the sum refuses both `(1 0 0)` and
//!   `(1 0 1)`, which are all that a factorization has left once a row follows its written cells.
//!
//! Then the program is solved without the demand. Where its solution depends on earlier rows, the ways to be independent
//! (`c.v >= 1` or `c.v <= -1`) are tried one after the other, and the shortest row that is found is taken.

use super::ilp::{Ilp, Solution};
use super::lexmin::Limits;
use polytile_analysis::ids::StmtId;
use std::collections::BTreeMap;

/// Programs that may be solved for one row.
const TRIES: usize = 48;

/// The ways in which a row can be independent: its product with one of these vectors is positive.
type Ways = Vec<Vec<i64>>;

/// Statements whose row must be independent, with a basis of what the rows so far leave of them.
#[derive(Default)]
pub struct Independence {
    kernels: BTreeMap<StmtId, Vec<Vec<i64>>>,
}

impl Independence {
    /// One more statement.
    pub fn ask(&mut self, stmt: StmtId, kernel: &[Vec<i64>]) {
        self.kernels.insert(stmt, kernel.to_vec());
    }

    /// The best independent solution of a program; `None` if none was found. `limits` keeps what is left of it.
    pub fn solve(&self, ilp: Ilp, limits: &mut Limits) -> Option<Solution> {
        let mut summed = ilp.clone();
        for (s, kernel) in &self.kernels {
            summed.positive(*s, &sum(kernel));
        }
        let found = summed.solve(limits).unwrap_or(None);
        let unclear = |(_, kernel): &(_, &Vec<Vec<i64>>)| kernel.iter().any(|v| mixed(v));
        if found.is_some() || !self.kernels.iter().any(|x| unclear(&x)) {
            return found;
        }
        let mut search = Search {
            ways: BTreeMap::new(),
            tries: TRIES,
            best: None,
        };
        let mut clear = ilp;
        for (s, kernel) in &self.kernels {
            match kernel.iter().any(|v| mixed(v)) {
                true => drop(search.ways.insert(*s, ways(kernel))),
                false => clear.positive(*s, &sum(kernel)),
            }
        }
        search.branch(clear, limits);
        search.best
    }
}

struct Search {
    ways: BTreeMap<StmtId, Ways>,
    tries: usize,
    best: Option<Solution>,
}

impl Search {
    fn branch(&mut self, ilp: Ilp, limits: &mut Limits) {
        let Some(tries) = self.tries.checked_sub(1) else {
            return;
        };
        self.tries = tries;
        let Ok(Some(found)) = ilp.clone().solve(limits) else {
            return;
        };
        if self.best.as_ref().is_some_and(|b| cost(b) <= cost(&found)) {
            return;
        }
        let dependent = |(s, ways): &(&StmtId, &Ways)| {
            let row = &found.rows[*s].iters;
            ways.iter().all(|v| product(row, v) <= 0)
        };
        let Some((&s, ways)) = self.ways.iter().find(dependent) else {
            self.best = Some(found);
            return;
        };
        for way in ways.clone() {
            let mut narrower = ilp.clone();
            narrower.positive(s, &way);
            self.branch(narrower, limits);
        }
    }
}

/// What a solution is compared by: its bounding function, then how many iterators it adds up.
fn cost(s: &Solution) -> ((i64, i64), i64) {
    let all = s.rows.values().flat_map(|r| &r.iters);
    (s.bound, all.sum())
}

fn ways(kernel: &[Vec<i64>]) -> Ways {
    let mut ways = vec![];
    for v in kernel {
        let opposite: Vec<i64> = v.iter().map(|c| -c).collect();
        for way in [v.clone(), opposite] {
            if way.iter().any(|c| *c > 0) {
                ways.push(way);
            }
        }
    }
    ways
}

/// Whether the product with a row without negative entries may have either sign.
fn mixed(v: &[i64]) -> bool {
    v.iter().any(|c| *c > 0) && v.iter().any(|c| *c < 0)
}

fn sum(kernel: &[Vec<i64>]) -> Vec<i64> {
    let mut sum = vec![0; kernel.first().map_or(0, Vec::len)];
    for v in kernel {
        for (s, c) in sum.iter_mut().zip(v) {
            *s += c;
        }
    }
    sum
}

fn product(a: &[i64], b: &[i64]) -> i64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::lexmin::LIMITS;

    const S: StmtId = StmtId(0);

    /// The best row `(a, b, c)` that is independent of what leaves `kernel`, if it has to be one of `a, b - a`.
    fn row(kernel: &[Vec<i64>], least: &[i64]) -> Option<Vec<i64>> {
        let mut ilp = Ilp::new(0, &[(S, 3)]);
        ilp.positive(S, least);
        let mut independence = Independence::default();
        independence.ask(S, kernel);
        let found = independence.solve(ilp, &mut LIMITS.clone())?;
        Some(found.rows[&S].iters.clone())
    }

    #[test]
    fn rows_beside_a_skewed_one_are_found() {
        let kernel = vec![vec![-1, 1, 0], vec![0, 0, 1]];
        assert_eq!(row(&kernel, &[0, 0, 1]), Some(vec![0, 0, 1]));
        // The sum over the kernel is negative or zero.
        assert_eq!(row(&kernel, &[1, -1, -4]), Some(vec![1, 0, 0]));
        assert_eq!(row(&kernel, &[4, -4, -4]), Some(vec![1, 0, 0]));
    }

    #[test]
    fn nothing_is_independent_of_all_directions() {
        assert_eq!(row(&[], &[-1, -1, -1]), None);
        assert_eq!(row(&[vec![-1, 1, 0]], &[-1, -1, 4]), Some(vec![0, 1, 1]));
    }
}
