//! Schedules by chance: points of `L_m`, chosen row by row.
//!
//! A row must satisfy all dependences weakly that no row before has satisfied strongly (Lemma 2, which `L_m` makes convex with a `K`; a point of one is a point of the other for a `K` that
//! is large enough, [`super::legal::Legal::sufficient`]). Which ones it satisfies strongly is drawn, as many as that is possible for, at least one; so is the row itself, from a box of
//! coefficients of either sign: the integer program is solved with each unknown counted from a random end of its range and with some fixed at random values. Behind the row that satisfies the
//! last dependence, a row may be anything.
//!
//! What the rows do not tell apart is independent. Below them statements run one after the other in a drawn order, each in the order of its own loops.
//!
//! The same seed gives the same schedule. A sample is legal by construction, and is meant to be checked all the same: that is what it is for (`tests/src/scops`).

use super::Ground;
use super::legal::{Bounds, satisfying};
use crate::schedule::STEPS_PER_UNIT;
use crate::schedule::band::Open;
use crate::schedule::lexmin::{LIMITS, Limits, Program, Sparse, lexmin};
use crate::schedule::rows::{Row, Rows, schedule};
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{MultiUnionPwAff, Result};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Band, Branch, LoopKind, Schedule, Tree, iterator};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where randomness comes from: a number below a limit.
pub type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// A schedule and the point that it is.
pub struct Sample {
    /// Its rows, outermost first.
    rows: Vec<Rows>,
    /// For each dependence the row that satisfies it.
    chosen: Vec<usize>,
    /// As a tree.
    pub schedule: Schedule,
}

/// Rows that one sample may have.
const MOST_ROWS: usize = 8;

/// Unknowns that are fixed at a random value, if that is possible.
const FIXED: usize = 3;

/// Work for one integer program.
const PROGRAM: Limits = Limits {
    nodes: 60,
    work: LIMITS.work / 30,
};

/// A point of the space of a SCoP with coefficients in a box; `None` if a dependence is too large to be written down, if the box has no legal row at some point, or if it is not found within
/// the limits.
///
/// # Errors
/// Those of the set library, [`polytile_analysis::poly::Error::Quota`] and [`polytile_analysis::poly::Error::Budget`] among them.
pub fn sample(
    scop: &Scop,
    deps: &Dependences,
    bounds: &Bounds,
    draw: Draw,
) -> Result<Option<Sample>> {
    let ground = Ground::new(scop, deps)?;
    let mut rows: Vec<Rows> = vec![];
    let mut left: Vec<usize> = (0..ground.open.len()).collect();
    while !left.is_empty() && rows.len() < MOST_ROWS {
        let open: Vec<&Open> = left.iter().map(|d| &ground.open[*d]).collect();
        let Some(row) = Draft::new(scop, bounds, draw).row(&ground, &open, draw)? else {
            return Ok(None);
        };
        rows.push(row);
        let last = rows.last().expect("just pushed");
        left.retain(|d| !super::legal::is_satisfied(&ground.open[*d], last, 1));
    }
    if !left.is_empty() {
        return Ok(None);
    }
    for _ in 0..draw(2) {
        rows.extend(Draft::new(scop, bounds, draw).row(&ground, &[], draw)?);
    }
    let first = |d: &Open| satisfying(d, &rows).first().copied();
    let chosen: Option<Vec<usize>> = ground.open.iter().map(first).collect();
    let chosen = chosen.expect("each dependence was satisfied by a row");
    let schedule = tree(scop, &rows, draw)?;
    Ok(Some(Sample {
        rows,
        chosen,
        schedule,
    }))
}

impl Sample {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no rows: nothing depends on anything.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows that satisfy the dependences, in the order of [`super::legal::Legal`].
    pub fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// The rows.
    #[cfg(test)]
    pub(super) fn rows(&self) -> &[Rows] {
        &self.rows
    }

    /// The same schedule backwards: each dependence of a pair of instances is broken.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn reversed(&self, scop: &Scop) -> Result<Option<Schedule>> {
        let turned = |r: &Rows| -> Rows { r.iter().map(|(s, row)| (*s, times(row, -1))).collect() };
        let rows: Vec<Rows> = self.rows.iter().map(turned).collect();
        match rows.is_empty() {
            true => Ok(None),
            false => Ok(Some(self.with(scop, &rows)?)),
        }
    }

    /// The schedule with one coefficient of one iterator, or one constant, changed by one. It may be legal or not.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn perturbed(&self, scop: &Scop, draw: Draw) -> Result<Option<Schedule>> {
        let mut rows = self.rows.clone();
        let at = draw(rows.len());
        let Some(row) = rows.get_mut(at) else {
            return Ok(None);
        };
        let stmt = draw(row.len());
        let row = row.values_mut().nth(stmt).expect("below their number");
        let change = if draw(2) == 0 { 1 } else { -1 };
        match draw(row.iters.len() + 1) {
            0 => row.constant += change,
            i => row.iters[i - 1] += change,
        }
        Ok(Some(self.with(scop, &rows)?))
    }

    /// Other rows above the same rest.
    fn with(&self, scop: &Scop, rows: &[Rows]) -> Result<Schedule> {
        let Tree::Band(band) = &self.schedule.root else {
            unreachable!("there are rows");
        };
        let root = banded(schedule(scop, rows)?, rows.len(), band.child.clone());
        Ok(Schedule {
            root,
            ..self.schedule.clone()
        })
    }
}

/// A row times a number.
fn times(row: &Row, by: i64) -> Row {
    Row {
        iters: row.iters.iter().map(|c| by * c).collect(),
        params: row.params.iter().map(|c| by * c).collect(),
        constant: by * row.constant,
    }
}

/// The unknowns of one row: each counts from an end of its range, `value = from + sign * unknown`.
struct Draft {
    /// Per statement: the first unknown and the number of iterators.
    slots: BTreeMap<StmtId, (usize, usize)>,
    params: usize,
    /// Range, and the end where counting begins: true for the upper one.
    unknowns: Vec<((i64, i64), bool)>,
}

impl Draft {
    fn new(scop: &Scop, bounds: &Bounds, draw: Draw) -> Draft {
        let mut draft = Draft {
            slots: BTreeMap::new(),
            params: scop.params.len(),
            unknowns: vec![],
        };
        for s in &scop.stmts {
            let first = draft.unknowns.len();
            draft.slots.insert(s.id, (first, s.depth()));
            let ranges = std::iter::once(bounds.constants)
                .chain(std::iter::repeat_n(bounds.params, scop.params.len()))
                .chain(std::iter::repeat_n(bounds.iters, s.depth()));
            draft.unknowns.extend(ranges.map(|r| (r, draw(2) == 0)));
        }
        draft
    }

    /// `constant + sum of terms >= 0` over values, as a row over unknowns.
    fn row_of(&self, constant: i64, terms: &[(usize, i64)]) -> Vec<i64> {
        let mut row = vec![0; 1 + self.unknowns.len()];
        row[0] = constant;
        for (at, c) in terms {
            let ((from, to), upper) = self.unknowns[*at];
            let (start, sign) = if upper { (to, -1) } else { (from, 1) };
            row[0] += c * start;
            row[1 + at] += c * sign;
        }
        row
    }

    /// The rows that a dependence demands for distances of at least `least`.
    fn demands(&self, d: &Open, least: i64) -> Option<Vec<Vec<i64>>> {
        let ((src, depth), (dst, _)) = (self.slots[&d.src], self.slots[&d.dst]);
        let inner = 1 + self.params;
        let demand = |row: &Vec<i64>| {
            let mut terms = vec![];
            for (c, own) in row[..inner].iter().enumerate() {
                terms.push((dst + c, *own));
                terms.push((src + c, -own));
            }
            let source = row[inner..][..depth].iter().enumerate();
            terms.extend(source.map(|(i, c)| (src + inner + i, -c)));
            let sink = row[inner + depth..].iter().enumerate();
            terms.extend(sink.map(|(i, c)| (dst + inner + i, *c)));
            self.row_of(-least * row[0], &terms)
        };
        Some(d.cone.as_ref()?.rows.iter().map(demand).collect())
    }

    /// A legal row that satisfies some of the open dependences strongly.
    fn row(&self, ground: &Ground, open: &[&Open], draw: Draw) -> Result<Option<Rows>> {
        let mut demands = vec![];
        for ((from, to), _) in &self.unknowns {
            let at = demands.len();
            let mut row = vec![0; 1 + self.unknowns.len()];
            row[0] = to - from;
            row[1 + at] = -1;
            demands.push(row);
        }
        for d in open {
            match self.demands(d, 0) {
                Some(more) => demands.extend(more),
                None => return Ok(None),
            }
        }
        let Some(mut point) = self.solve(ground, &demands)? else {
            return Ok(None);
        };
        let mut order: Vec<usize> = (0..open.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, draw(last + 1));
        }
        let mut strong = 0;
        for at in order {
            // At least one, and each further one with a chance.
            if strong > 0 && draw(3) == 0 {
                continue;
            }
            let Some(more) = self.demands(open[at], 1) else {
                return Ok(None);
            };
            let all = [demands.clone(), more].concat();
            if let Some(found) = self.solve(ground, &all)? {
                (demands, point, strong) = (all, found, strong + 1);
            }
        }
        if strong == 0 && !open.is_empty() {
            return Ok(None);
        }
        for _ in 0..FIXED.min(self.unknowns.len()) {
            let at = draw(self.unknowns.len());
            let (from, to) = self.unknowns[at].0;
            let value = from + draw((to - from + 1) as usize) as i64;
            let equal = [
                self.row_of(-value, &[(at, 1)]),
                self.row_of(value, &[(at, -1)]),
            ];
            let all = [demands.clone(), equal.to_vec()].concat();
            if let Some(found) = self.solve(ground, &all)? {
                (demands, point) = (all, found);
            }
        }
        Ok(Some(self.rows_of(&point)))
    }

    /// The least unknowns.
    fn solve(&self, ground: &Ground, rows: &[Vec<i64>]) -> Result<Option<Vec<i64>>> {
        let rows: Vec<_> = rows.iter().map(|r| Rc::new(Sparse::of(r))).collect();
        let program = Program {
            unknowns: self.unknowns.len(),
            objectives: &[],
            rows: &rows,
        };
        let mut limits = PROGRAM;
        // What is too hard to find is not there.
        let found = lexmin(&program, &mut limits).unwrap_or(None);
        let work = PROGRAM.work - limits.work;
        ground.search.ctx.spend(work / STEPS_PER_UNIT)?;
        Ok(found)
    }

    fn rows_of(&self, point: &[i64]) -> Rows {
        let value = |at: usize| match self.unknowns[at] {
            ((_, to), true) => to - point[at],
            ((from, _), false) => from + point[at],
        };
        let row = |(first, depth): (usize, usize)| Row {
            constant: value(first),
            params: (0..self.params).map(|p| value(first + 1 + p)).collect(),
            iters: (0..depth)
                .map(|i| value(first + 1 + self.params + i))
                .collect(),
        };
        self.slots
            .iter()
            .map(|(s, slot)| (*s, row(*slot)))
            .collect()
    }
}

/// The rows, and below them statements one after the other.
fn tree(scop: &Scop, rows: &[Rows], draw: Draw) -> Result<Schedule> {
    let mut order: Vec<usize> = (0..scop.stmts.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, draw(last + 1));
    }
    let mut branches = vec![];
    for at in order {
        let s = &scop.stmts[at];
        let child = match s.depth() {
            0 => Tree::Leaf,
            depth => banded(own_loops(scop, s)?, depth, Tree::Leaf),
        };
        branches.push(Branch {
            filter: s.domain.to_union_set()?,
            child,
        });
    }
    let below = match (branches.len(), draw(2)) {
        (1, _) => branches.remove(0).child,
        (_, 0) => Tree::Set(branches),
        _ => Tree::Sequence(branches),
    };
    let root = match rows.is_empty() {
        true => below,
        false => banded(schedule(scop, rows)?, rows.len(), below),
    };
    Ok(Schedule {
        domain: scop.domain()?,
        root,
        sizes: vec![],
    })
}

/// The iterators of a statement.
fn own_loops(scop: &Scop, s: &Stmt) -> Result<MultiUnionPwAff> {
    let mut own = iterator(scop, &[s], 0)?;
    for level in 1..s.depth() {
        own = own.flat_range_product(&iterator(scop, &[s], level)?)?;
    }
    Ok(own)
}

/// Members of which nothing is known but their order.
fn banded(schedule: MultiUnionPwAff, members: usize, child: Tree) -> Tree {
    Tree::Band(Box::new(Band {
        schedule,
        permutable: false,
        coincident: vec![false; members],
        loops: vec![LoopKind::Sequential; members],
        tile: None,
        child,
    }))
}
