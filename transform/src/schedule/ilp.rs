//! The integer program of one row: layout of the unknowns, constraints, staged minimisation.
//!
//! Unknowns, all non-negative: `u` per parameter and `w` (the bounding function `u.n + w` of distances), then what is taken from `u` of parameters
//! with which distances grow as they get less (`k` of `for c = k; c < n`, where it may be negative), then per statement the coefficients of iterators (at most [`MAX_COEFFICIENT`]), of parameters (shifts, only where the statement
//! has no dimension left) and the constant. Where a row is to satisfy many dependences, each has one more unknown, `1 - delta` (Pouchet et al. 2011, equation 9).
//!
//! The objectives (dependences that are not satisfied, sum of `u`, `w`, shifts, coefficients, constants) are minimised one after the other, then the unknowns in
//! their order: one lexicographic minimum, found by [`lexmin`].

use super::farkas::Cone;
use super::lexmin::{Exhausted, Limits, Program, Sparse, lexmin};
use super::rows::{Row, Rows};
use polytile_analysis::ids::StmtId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Larger coefficients were never needed.
const MAX_COEFFICIENT: i64 = 4;

/// Where the unknowns of a statement are.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// First unknown.
    at: usize,
    /// Iterators.
    depth: usize,
}

/// An integer program under construction.
#[derive(Clone)]
pub struct Ilp {
    params: usize,
    /// The parameters that bound distances from below, too.
    below: Vec<usize>,
    slots: BTreeMap<StmtId, Slot>,
    unknowns: usize,
    /// The last so many of them: `1 - delta` of dependences.
    deltas: usize,
    /// Each demanded to be non-negative.
    rows: Vec<Rc<Sparse>>,
}

/// A solution.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The row.
    pub rows: Rows,
    /// The bounding function of its distances: the sum of `u`, and `w`.
    pub bound: (i64, i64),
    /// Of the dependences that were to be satisfied, those that are not.
    pub unsatisfied: i64,
}

/// The columns in which a row is negative and those in which it is positive, a bit for every 64th: most pairs of rows differ in these,
/// which is seen sooner than in their entries.
struct Signs {
    negative: u64,
    positive: u64,
}

impl Signs {
    fn of(row: &Sparse) -> Signs {
        let columns = |is: &dyn Fn(i64) -> bool| {
            let found = row.entries().filter(|(_, c)| is(*c));
            found.fold(0, |all, (column, _)| all | 1 << (column % 64))
        };
        Signs {
            negative: columns(&|c| c < 0),
            positive: columns(&|c| c > 0),
        }
    }

    /// Whether no entry can be seen to be less than that of the other row.
    fn may_exceed(&self, other: &Signs) -> bool {
        self.negative & !other.negative == 0 && other.positive & !self.positive == 0
    }
}

/// One side of a constraint as a sum over unknowns.
#[derive(Default)]
struct Sum {
    constant: i64,
    terms: Vec<(usize, i64)>,
}

impl Sum {
    /// A constant.
    fn of(constant: i64) -> Sum {
        Sum {
            constant,
            terms: vec![],
        }
    }

    /// One more term.
    fn add(&mut self, unknown: usize, factor: i64) {
        if factor != 0 {
            self.terms.push((unknown, factor));
        }
    }
}

impl Ilp {
    /// Unknowns for these statements (with their depths) and so many parameters.
    pub fn new(params: usize, stmts: &[(StmtId, usize)]) -> Ilp {
        Ilp::with(params, vec![], stmts, 0)
    }

    /// The same for a row that satisfies as many of so many dependences as it can.
    pub fn satisfying(params: usize, stmts: &[(StmtId, usize)], deltas: usize) -> Ilp {
        Ilp::with(params, vec![], stmts, deltas)
    }

    /// The same for a row that keeps distances short; the cones of dependences say which parameters they grow with.
    pub fn within<'c>(
        params: usize,
        stmts: &[(StmtId, usize)],
        cones: impl Iterator<Item = &'c Cone>,
    ) -> Ilp {
        let mut below = BTreeSet::new();
        for row in cones.flat_map(|c| &c.rows) {
            let (sizes, iters) = row[1..].split_at(params);
            if iters.iter().any(|c| *c != 0) {
                below.extend((0..params).filter(|p| sizes[*p] < 0));
            }
        }
        Ilp::with(params, below.into_iter().collect(), stmts, 0)
    }

    fn with(params: usize, below: Vec<usize>, stmts: &[(StmtId, usize)], deltas: usize) -> Ilp {
        let mut slots = BTreeMap::new();
        let mut next = params + 1 + below.len();
        for &(s, depth) in stmts {
            slots.insert(s, Slot { at: next, depth });
            next += depth + params + 1;
        }
        Ilp {
            params,
            below,
            slots,
            unknowns: next + deltas,
            deltas,
            rows: vec![],
        }
    }

    fn iter(&self, s: StmtId, d: usize) -> usize {
        let slot = self.slots[&s];
        // Reversed, so that ties keep the order of the source's loops.
        slot.at + slot.depth - 1 - d
    }

    fn shift(&self, s: StmtId, p: usize) -> usize {
        self.slots[&s].at + self.slots[&s].depth + p
    }

    fn constant(&self, s: StmtId) -> usize {
        self.slots[&s].at + self.slots[&s].depth + self.params
    }

    fn demand(&mut self, sum: Sum) {
        self.rows
            .push(Rc::new(Sparse::sum(sum.constant, sum.terms)));
    }

    /// `theta_dst(y) - theta_src(x) >= 0` for one row of the dependence's cone.
    pub fn legal(&mut self, row: &[i64], src: StmtId, dst: StmtId) {
        let sum = self.difference(row, src, dst, 1);
        self.demand(sum);
    }

    /// `theta_dst(y) - theta_src(x) >= delta` for one row of the cone of dependence `at` of those that are to be satisfied.
    pub fn satisfied(&mut self, row: &[i64], src: StmtId, dst: StmtId, at: usize) {
        let mut sum = self.difference(row, src, dst, 1);
        sum.constant -= row[0];
        sum.add(self.unknowns - self.deltas + at, row[0]);
        self.demand(sum);
    }

    /// `u.n + w - (theta_dst(y) - theta_src(x)) >= 0`; without `u` if `constant`.
    pub fn bounded(&mut self, row: &[i64], src: StmtId, dst: StmtId, constant: bool) {
        let mut sum = self.difference(row, src, dst, -1);
        if !constant {
            for p in 0..self.params {
                sum.add(p, row[1 + p]);
            }
            for (at, p) in self.below.iter().enumerate() {
                sum.add(1 + self.params + at, -row[1 + p]);
            }
        }
        sum.add(self.params, row[0]);
        self.demand(sum);
    }

    fn difference(&self, row: &[i64], src: StmtId, dst: StmtId, sign: i64) -> Sum {
        let mut sum = Sum::default();
        let mut add = |at: usize, c: i64| sum.add(at, sign * c);
        add(self.constant(dst), row[0]);
        add(self.constant(src), -row[0]);
        for p in 0..self.params {
            add(self.shift(dst, p), row[1 + p]);
            add(self.shift(src, p), -row[1 + p]);
        }
        let first = 1 + self.params;
        let depth = self.slots[&src].depth;
        for d in 0..depth {
            add(self.iter(src, d), -row[first + d]);
        }
        for d in 0..self.slots[&dst].depth {
            add(self.iter(dst, d), row[first + depth + d]);
        }
        sum
    }

    /// The product of a statement's row with a vector is positive.
    pub fn positive(&mut self, s: StmtId, v: &[i64]) {
        let mut sum = Sum::of(-1);
        for (d, c) in v.iter().enumerate() {
            sum.add(self.iter(s, d), *c);
        }
        self.demand(sum);
    }

    /// An iterator of a statement has no coefficient in its row.
    #[cfg(test)]
    pub fn absent(&mut self, s: StmtId, iter: usize) {
        let mut sum = Sum::default();
        sum.add(self.iter(s, iter), -1);
        self.demand(sum);
    }

    /// The row of a statement has these coefficients.
    pub fn fixed(&mut self, s: StmtId, iters: &[i64]) {
        for (d, c) in iters.iter().enumerate() {
            for sign in [1, -1] {
                let mut sum = Sum::of(-sign * c);
                sum.add(self.iter(s, d), sign);
                self.demand(sum);
            }
        }
    }

    /// The constant of a statement is at most `apart` more than another one's.
    pub fn near(&mut self, s: StmtId, other: StmtId, apart: i64) {
        let mut sum = Sum::of(apart);
        sum.add(self.constant(s), -1);
        sum.add(self.constant(other), 1);
        self.demand(sum);
    }

    /// No parametric shift of a statement.
    pub fn unshifted(&mut self, s: StmtId) {
        for p in 0..self.params {
            let mut sum = Sum::default();
            sum.add(self.shift(s, p), -1);
            self.demand(sum);
        }
    }

    /// Drops rows that non-negativity implies, and rows that another one implies coefficient by coefficient. How many pairs
    /// of rows were compared.
    fn prune(&mut self) -> u64 {
        self.rows.retain(|r| r.entries().any(|(_, c)| c < 0));
        self.rows.sort_by(|a, b| a.order(b));
        self.rows.dedup();
        // What implies a row is negative wherever the row is: the rows that are, per column.
        let mut negative: Vec<Vec<usize>> = vec![vec![]; self.unknowns + 1];
        for (at, row) in self.rows.iter().enumerate() {
            for (column, _) in row.entries().filter(|(_, c)| *c < 0) {
                negative[column].push(at);
            }
        }
        let signs: Vec<Signs> = self.rows.iter().map(|r| Signs::of(r)).collect();
        let mut compared = 0;
        let mut implied = |at: usize, row: &Sparse| {
            let columns = row.entries().filter(|(_, c)| *c < 0);
            let columns = columns.map(|(column, _)| &negative[column]);
            let Some(others) = columns.min_by_key(|others| others.len()) else {
                return false;
            };
            compared += others.len() as u64;
            let implies = |by: &Sparse| row.covers(by);
            let may = |by: &Signs| signs[at].may_exceed(by);
            (others.iter()).any(|&o| o != at && may(&signs[o]) && implies(&self.rows[o]))
        };
        let rows = self.rows.iter().enumerate();
        let keep: Vec<bool> = rows.map(|(at, row)| !implied(at, row)).collect();
        let mut kept = keep.into_iter();
        self.rows.retain(|_| kept.next() == Some(true));
        compared
    }

    /// The unknowns of the bounding function but `w`.
    fn sizes(&self) -> impl Iterator<Item = usize> {
        let below = self.params + 1;
        (0..self.params).chain(below..below + self.below.len())
    }

    /// The objectives in their order.
    fn objectives(&self) -> Vec<Vec<usize>> {
        let params = self.params;
        let each = |f: &dyn Fn(StmtId, Slot) -> Vec<usize>| -> Vec<usize> {
            self.slots
                .iter()
                .flat_map(|(s, slot)| f(*s, *slot))
                .collect()
        };
        let mut list = vec![
            self.sizes().collect(),
            vec![params],
            each(&|s, _| (0..params).map(|p| self.shift(s, p)).collect()),
            each(&|s, slot| (0..slot.depth).map(|d| self.iter(s, d)).collect()),
            each(&|s, _| vec![self.constant(s)]),
        ];
        if self.deltas > 0 {
            list.insert(0, (self.unknowns - self.deltas..self.unknowns).collect());
        }
        list
    }

    /// The best solution; `None` if there is none. `limits` keeps what is left of it.
    pub fn solve(mut self, limits: &mut Limits) -> Result<Option<Solution>, Exhausted> {
        limits.work = limits.work.saturating_sub(self.prune());
        for (s, slot) in self.slots.clone() {
            let iters = (0..slot.depth).map(|d| self.iter(s, d));
            let limited: Vec<usize> = iters
                .chain((0..self.params).map(|p| self.shift(s, p)))
                .collect();
            for i in limited {
                let mut sum = Sum::of(MAX_COEFFICIENT);
                sum.add(i, -1);
                self.demand(sum);
            }
        }
        let program = Program {
            unknowns: self.unknowns,
            objectives: &self.objectives(),
            rows: &self.rows,
        };
        let best = lexmin(&program, limits)?;
        Ok(best.map(|point| Solution {
            rows: self.rows_of(&point),
            bound: (self.sizes().map(|u| point[u]).sum(), point[self.params]),
            unsatisfied: point[self.unknowns - self.deltas..].iter().sum(),
        }))
    }

    fn rows_of(&self, point: &[i64]) -> Rows {
        let row = |s: StmtId, slot: Slot| Row {
            iters: (0..slot.depth).map(|d| point[self.iter(s, d)]).collect(),
            params: (0..self.params).map(|p| point[self.shift(s, p)]).collect(),
            constant: point[self.constant(s)],
        };
        self.slots
            .iter()
            .map(|(s, slot)| (*s, row(*s, *slot)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_part_no_row_from_one_that_it_follows_from() {
        let mut entries = vec![vec![0; 70]; 3];
        entries[0][3] = -2;
        entries[1][3] = -2;
        entries[1][67] = 1;
        entries[2][3] = 1;
        let entries: Vec<Sparse> = entries.iter().map(|r| Sparse::of(r)).collect();
        let [least, more, other] = &entries[..] else {
            unreachable!()
        };
        let may = |a: &Sparse, b: &Sparse| Signs::of(a).may_exceed(&Signs::of(b));
        assert!(may(more, least) && may(least, least));
        // Column 67 has the bit of column 3.
        assert!(may(other, least) && may(other, more));
        assert!(!may(least, other));
    }
}
