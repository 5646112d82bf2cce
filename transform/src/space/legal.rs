//! `L_m`, the convex set of all legal schedules of `m` rows (Pouchet et al. 2011, §2.3, Lemma 3, after Vasilache 2007).
//!
//! A schedule `Theta` has `m` rows for each statement, `theta_p(x) = iters . x + params . n + constant` with coefficients of any sign, and is compared lexicographically. Each
//! dependence `D` (from `R` to `S`) chooses the row that satisfies it strongly, `delta_p = 1` for one `p`. For all pairs `(x, y)` of `D` and all `p`:
//!
//! ```text
//! theta_p^S(y) - theta_p^R(x) >= delta_p - (delta_1 + .. + delta_(p-1)) (K . n + K)
//! ```
//!
//! that is at least 0 in front of row `p` with `delta_p = 1`, at least 1 there, and anything behind it, if `-K.n - K` is a lower bound of all distances. By Farkas' lemma each row
//! `r = (r_0, r_n, r_x, r_y)` of the cone of `D` ([`crate::schedule`]) is one linear inequality in the unknowns:
//!
//! ```text
//! r_0 (c_S - c_R) + r_n . (g_S - g_R) - r_x . t_R + r_y . t_S  >=  r_0 delta_p - (r_0 + sum of r_n) K (delta_1 + .. + delta_(p-1))
//! ```
//!
//! What to know of it:
//!
//! * It is sufficient and not necessary: a schedule that satisfies some pairs of a dependence in one row and the rest in the next one is legal, but no point.
//! * One schedule may be several points, one for each choice of `delta`. [`Legal::choices`] tells them apart.
//! * A `K` that is too small loses schedules without a word. [`Legal::sufficient`] computes one that loses none with coefficients in a box.

use super::system::Row;
use crate::schedule::band::Open;
use crate::schedule::rows::Rows;
use polytile_analysis::ids::StmtId;
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// Coefficients that are looked at: ranges, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Of iterators.
    pub iters: (i64, i64),
    /// Of parameters.
    pub params: (i64, i64),
    /// Constants.
    pub constants: (i64, i64),
}

/// One inequality of the system.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The dependence that it is of, by its place in [`Legal::dependences`].
    pub dependence: usize,
    /// The row of the schedule, from 0 on.
    pub level: usize,
    /// Over the unknowns.
    pub row: Row,
}

/// What a dependence demands of row `p`: `terms >= strong delta_p - weight K (delta_1 + .. + delta_(p-1))`.
pub(super) struct Demand {
    /// Over the unknowns of one row.
    pub(super) terms: Vec<(usize, i64)>,
    pub(super) strong: i64,
    pub(super) weight: i64,
}

/// The system of Lemma 3.
#[derive(Clone, Debug)]
pub struct Legal {
    levels: usize,
    params: usize,
    /// Of the statements: the first unknown in a row, and the number of iterators.
    slots: BTreeMap<StmtId, (usize, usize)>,
    /// Unknowns of one row: coefficients of all statements.
    width: usize,
    dependences: Vec<Open>,
    k: i64,
    constraints: Vec<Constraint>,
}

impl Legal {
    /// The schedules of so many rows under these dependences with this `K`; `None` if a dependence has too many generators to be written down.
    pub(super) fn new(scop: &Scop, dependences: &[Open], levels: usize, k: i64) -> Option<Legal> {
        let params = scop.params.len();
        let mut slots = BTreeMap::new();
        let mut width = 0;
        for s in &scop.stmts {
            slots.insert(s.id, (width, s.depth()));
            width += s.depth() + params + 1;
        }
        let mut legal = Legal {
            levels,
            params,
            slots,
            width,
            dependences: dependences.to_vec(),
            k,
            constraints: vec![],
        };
        for (at, d) in dependences.iter().enumerate() {
            let demands = legal.demands(d)?;
            for level in 0..levels {
                let constraint = |d| legal.constraint(at, level, d);
                let rows: Vec<Constraint> = demands.iter().map(constraint).collect();
                legal.constraints.extend(rows);
            }
        }
        Some(legal)
    }

    /// What a dependence demands of each row, without what is repeated or always so.
    fn demands(&self, d: &Open) -> Option<Vec<Demand>> {
        let mut least: BTreeMap<(Vec<(usize, i64)>, i64), i64> = BTreeMap::new();
        for row in &d.cone.as_ref()?.rows {
            let (terms, weight) = (self.difference(d, row), weight(row, self.params));
            if terms.is_empty() && row[0] == 0 && weight >= 0 {
                continue;
            }
            // Of rows that differ in the slack alone, the one with the least is the strictest.
            let slack = least.entry((terms, row[0])).or_insert(weight);
            *slack = weight.min(*slack);
        }
        let demand = |((terms, strong), weight)| Demand {
            terms,
            strong,
            weight,
        };
        Some(least.into_iter().map(demand).collect())
    }

    /// One demand, for a row of the schedule.
    fn constraint(&self, dependence: usize, level: usize, demand: &Demand) -> Constraint {
        let first = level * self.width;
        let theta = demand.terms.iter().map(|(at, c)| (first + at, *c));
        let mut terms: Vec<(usize, i64)> = theta.collect();
        terms.push((self.delta(dependence, level), -demand.strong));
        let slack = self.k * demand.weight;
        terms.extend((0..level).map(|k| (self.delta(dependence, k), slack)));
        Constraint {
            dependence,
            level,
            row: Row::of(0, terms),
        }
    }

    /// The left side of the inequality, over the unknowns of one row.
    fn difference(&self, d: &Open, row: &[i64]) -> Vec<(usize, i64)> {
        let ((src, depth), (dst, _)) = (self.slots[&d.src], self.slots[&d.dst]);
        let inner = 1 + self.params;
        let mut terms = vec![(dst, row[0]), (src, -row[0])];
        for p in 0..self.params {
            terms.push((dst + 1 + p, row[1 + p]));
            terms.push((src + 1 + p, -row[1 + p]));
        }
        terms.extend((0..depth).map(|i| (src + inner + i, -row[inner + i])));
        let sink = row[inner + depth..].iter().enumerate();
        terms.extend(sink.map(|(i, c)| (dst + inner + i, *c)));
        Row::of(0, terms).terms
    }

    /// The unknown `delta` of a dependence in a row.
    fn delta(&self, dependence: usize, level: usize) -> usize {
        self.levels * self.width + dependence * self.levels + level
    }

    /// Rows of a schedule.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The factor of the bound of distances, `K`.
    pub fn k(&self) -> i64 {
        self.k
    }

    /// The dependences, each of which has a `delta` per row.
    pub(super) fn dependences(&self) -> &[Open] {
        &self.dependences
    }

    /// What each dependence demands of a row.
    pub(super) fn each_demand(&self) -> impl Iterator<Item = (&Open, Vec<Demand>)> {
        let demands = |d| (d, self.demands(d).unwrap_or_default());
        self.dependences.iter().map(demands)
    }

    /// An unknown of one row: its statement and its place in `constant, parameters.., iterators..`.
    pub(super) fn unknown(&self, at: usize) -> (StmtId, usize) {
        let own = |(_, (first, depth)): &(&StmtId, &(usize, usize))| {
            (*first..first + 1 + self.params + depth).contains(&at)
        };
        let (s, (first, _)) = self.slots.iter().find(own).expect("it is one");
        (*s, at - first)
    }

    /// What Farkas' lemma gave.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Unknowns: coefficients of schedules, and choices `delta`.
    pub fn dims(&self) -> (usize, usize) {
        let choices = self.dependences.len() * self.levels;
        (self.levels * self.width, choices)
    }

    /// Inequalities of Farkas' lemma; bounds of the choices, and for each dependence the equality that it chooses one row.
    pub fn sizes(&self) -> (usize, usize) {
        let (_, choices) = self.dims();
        (self.constraints.len(), 2 * choices + self.dependences.len())
    }

    /// The unknowns of the coefficients for a schedule, whose choices are all open (0).
    fn point(&self, schedule: &[Rows]) -> Vec<i64> {
        let (theta, choices) = self.dims();
        let mut point = vec![0; theta + choices];
        for (level, rows) in schedule.iter().enumerate() {
            for (s, row) in rows {
                let at = level * self.width + self.slots[s].0;
                point[at] = row.constant;
                point[at + 1..][..self.params].copy_from_slice(&row.params);
                point[at + 1 + self.params..][..row.iters.len()].copy_from_slice(&row.iters);
            }
        }
        point
    }

    /// For each dependence the rows that it may choose in a schedule. The schedule is legal, as far as this system knows, if each may choose one; it is as many points as there
    /// are ways to choose.
    ///
    /// # Panics
    /// If the schedule has not as many rows as the system.
    pub fn choices(&self, schedule: &[Rows]) -> Vec<Vec<usize>> {
        assert_eq!(schedule.len(), self.levels, "a point has all rows");
        let mut point = self.point(schedule);
        let mut found = vec![vec![]; self.dependences.len()];
        let mut of: Vec<Vec<&Row>> = vec![vec![]; self.dependences.len()];
        for c in &self.constraints {
            of[c.dependence].push(&c.row);
        }
        for (at, rows) in of.iter().enumerate() {
            for level in 0..self.levels {
                let chosen = self.delta(at, level);
                point[chosen] = 1;
                if rows.iter().all(|r| value(r, &point) >= 0) {
                    found[at].push(level);
                }
                point[chosen] = 0;
            }
        }
        found
    }

    /// A `K` that loses no schedule with coefficients in a box (equation 2); `None` if there is none, because distances are bounded by no parameter.
    pub fn sufficient(&self, bounds: &Bounds) -> Option<i64> {
        let mut k = 0;
        for d in &self.dependences {
            for demand in self.demands(d)? {
                let least = self.least(&demand.terms, bounds);
                let weight = demand.weight;
                match (least < 0, weight > 0) {
                    (false, _) => {}
                    (true, true) => k = k.max((-least + weight - 1) / weight),
                    (true, false) => return None,
                }
            }
        }
        Some(k)
    }

    /// The least sum of some terms in a box.
    fn least(&self, terms: &[(usize, i64)], bounds: &Bounds) -> i64 {
        let range = |at: usize| match self.unknown(at).1 {
            0 => bounds.constants,
            p if p <= self.params => bounds.params,
            _ => bounds.iters,
        };
        let product = |(at, c): &(usize, i64)| (c * range(*at).0).min(c * range(*at).1);
        terms.iter().map(product).sum()
    }

    /// Schedules with coefficients in a box, and points; `None` if the box has more than `limit` schedules, legal or not.
    pub fn count(&self, bounds: &Bounds, limit: u64) -> Option<(u64, u128)> {
        let (mut schedules, mut points) = (0, 0);
        let visited = each_schedule(self, bounds, limit, &mut |schedule| {
            let ways = self.choices(schedule);
            let ways: u128 = ways.iter().map(|w| w.len() as u128).product();
            schedules += u64::from(ways > 0);
            points += ways;
        });
        visited.then_some((schedules, points))
    }
}

/// What the bound `K.n + K` is worth in a row of a cone.
fn weight(row: &[i64], params: usize) -> i64 {
    row[..=params].iter().sum()
}

/// The value of a row at a point.
fn value(row: &Row, point: &[i64]) -> i64 {
    row.constant + row.terms.iter().map(|(v, c)| c * point[*v]).sum::<i64>()
}

/// Whether the distances of a dependence in one row of a schedule are at least `least` for all pairs: weakly satisfied with 0, strongly with 1 (§2.3, equation 1).
/// A dependence without a cone is not known to be.
pub(super) fn is_satisfied(d: &Open, rows: &Rows, least: i64) -> bool {
    let Some(cone) = &d.cone else {
        return false;
    };
    let (r, s) = (&rows[&d.src], &rows[&d.dst]);
    let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<i64>();
    let params = r.params.len();
    cone.rows.iter().all(|row| {
        let (own, inner) = row.split_at(1 + params);
        let (x, y) = inner.split_at(r.iters.len());
        let constant = own[0] * (s.constant - r.constant - least);
        let parametric = dot(&own[1..], &s.params) - dot(&own[1..], &r.params);
        constant + parametric - dot(x, &r.iters) + dot(y, &s.iters) >= 0
    })
}

/// The rows in which a dependence may be satisfied strongly, all before it weakly (Lemma 2, which knows no `K`).
pub(super) fn satisfying(d: &Open, schedule: &[Rows]) -> Vec<usize> {
    let mut found = vec![];
    for (level, rows) in schedule.iter().enumerate() {
        if is_satisfied(d, rows, 1) {
            found.push(level);
        }
        if !is_satisfied(d, rows, 0) {
            break;
        }
    }
    found
}

/// Calls `each` for every schedule with coefficients in a box; false if there are more than `limit`.
pub(super) fn each_schedule(
    legal: &Legal,
    bounds: &Bounds,
    limit: u64,
    each: &mut dyn FnMut(&[Rows]),
) -> bool {
    let size = |(from, to): (i64, i64)| u64::try_from(to - from + 1).unwrap_or(0);
    let mut ranges = vec![];
    for _ in 0..legal.levels {
        for (_, depth) in legal.slots.values() {
            ranges.push(bounds.constants);
            ranges.extend(vec![bounds.params; legal.params]);
            ranges.extend(vec![bounds.iters; *depth]);
        }
    }
    let all = ranges
        .iter()
        .try_fold(1u64, |all, r| all.checked_mul(size(*r)));
    if all.is_none_or(|all| all > limit) {
        return false;
    }
    let mut point: Vec<i64> = ranges.iter().map(|r| r.0).collect();
    if all == Some(0) {
        return true;
    }
    loop {
        each(&schedule_of(legal, &point));
        // The next point, the last unknown fastest.
        let Some(at) = (0..point.len()).rev().find(|&v| point[v] < ranges[v].1) else {
            return true;
        };
        point[at] += 1;
        for (v, r) in point.iter_mut().zip(&ranges).skip(at + 1) {
            *v = r.0;
        }
    }
}

/// The schedule with these coefficients.
fn schedule_of(legal: &Legal, point: &[i64]) -> Vec<Rows> {
    let row = |level: usize, (first, depth): (usize, usize)| {
        let own = &point[level * legal.width + first..][..1 + legal.params + depth];
        crate::schedule::rows::Row {
            constant: own[0],
            params: own[1..][..legal.params].to_vec(),
            iters: own[1 + legal.params..].to_vec(),
        }
    };
    let rows = |level| {
        let slots = legal.slots.iter();
        slots.map(|(s, slot)| (*s, row(level, *slot))).collect()
    };
    (0..legal.levels).map(rows).collect()
}
