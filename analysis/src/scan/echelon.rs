//! Bounds of loops in row echelon (Ancourt and Irigoin 1991, §4.2; P1 to P3).
//!
//! The variables of a system are parameters, then loops from the outside in. Innermost variables are eliminated one after the other; the
//! rows that bound a variable by outer ones alone are its loop's bounds. Projections of more points than the integer ones only make outer
//! loops that run over nothing: the innermost rows are the system's own, so each point is met once and nothing else is.
//!
//! ```text
//! 1 <= i <= n, 1 <= j <= i, i + j <= m        i = 1 .. min(n, m - 1)        j = 1 .. min(i, m - i)
//! ```
//!
//! A bound is dropped where those of its own loop and of the loops around it imply it, from the inside out; each loop keeps one on
//! either side.

use super::eliminate::{eliminate, implies};
use super::system::{Row, Stop, System};
use std::fmt::{self, Write};

/// Rows of a nest from which on it is not worth the while: each is held against all others.
const MOST_MADE: usize = 300;

/// A nest of loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loops {
    /// So many variables are parameters.
    pub params: usize,
    /// Conditions on the parameters.
    pub guard: Vec<Row>,
    /// The loops, outermost first.
    pub levels: Vec<Level>,
    /// Rows that were made before any was dropped.
    pub made: usize,
}

/// The bounds of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// `x >= ceil(value / factor)` for each.
    pub lower: Vec<Bound>,
    /// `x <= floor(value / factor)` for each.
    pub upper: Vec<Bound>,
}

/// A bound by outer variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// What the value is divided by, at least 1.
    pub factor: i64,
    /// The constant and the coefficients of parameters and outer loops.
    pub value: Row,
}

/// The loops over the points of a system whose first variables are parameters. `known` are facts about the parameters.
///
/// # Errors
/// Numbers or systems that are too large; [`Stop::Long`] also for a loop without a bound on one side.
pub fn loops(system: &System, params: usize, known: &System) -> Result<Loops, Stop> {
    let n = system.variables;
    let mut ranked: Vec<Vec<Row>> = vec![vec![]; n + 1];
    let mut rest = system.clone();
    for variable in (params..n).rev() {
        let own = rest.rows.iter().filter(|r| r[variable + 1] != 0);
        ranked[variable + 1] = own.cloned().collect();
        rest = eliminate(&rest, variable)?;
    }
    ranked[params] = rest.rows.clone();
    if rest.void {
        // A condition that never holds.
        let mut never = vec![0; n + 1];
        never[0] = -1;
        ranked[params].push(never);
    }
    let made = ranked.iter().map(Vec::len).sum();
    if made > MOST_MADE {
        return Err(Stop::Long);
    }
    drop_implied(&mut ranked, params, known)?;
    let level = |v: usize| level(&ranked[v + 1], v + 1);
    let levels: Vec<Level> = (params..n).map(level).collect::<Result<_, _>>()?;
    if levels
        .iter()
        .any(|l| l.lower.is_empty() || l.upper.is_empty())
    {
        return Err(Stop::Long);
    }
    let guard = ranked[params].iter();
    Ok(Loops {
        params,
        guard: guard.map(|r| r[..=params].to_vec()).collect(),
        levels,
        made,
    })
}

/// Drops rows that those of the same and of outer ranks imply.
fn drop_implied(ranked: &mut [Vec<Row>], params: usize, known: &System) -> Result<(), Stop> {
    let n = ranked.len() - 1;
    for rank in (params..=n).rev() {
        let mut at = 0;
        while at < ranked[rank].len() {
            let row = ranked[rank][at].clone();
            let same_side = |r: &&Row| r[rank].signum() == row[rank].signum();
            let last = rank > params && ranked[rank].iter().filter(same_side).count() == 1;
            let void = row[1..].iter().all(|c| *c == 0);
            if !last && !void && implies(&others(ranked, (params, rank, at), known), &row)? {
                ranked[rank].remove(at);
            } else {
                at += 1;
            }
        }
    }
    Ok(())
}

/// Everything up to a rank, without one row of it.
fn others(
    ranked: &[Vec<Row>],
    (params, rank, at): (usize, usize, usize),
    known: &System,
) -> System {
    let mut all = System::new(ranked.len() - 1);
    for row in &known.rows {
        let mut long = row.clone();
        long.resize(ranked.len(), 0);
        all.add(long);
    }
    for (r, rows) in ranked.iter().enumerate().take(rank + 1).skip(params) {
        for (i, row) in rows.iter().enumerate() {
            if (r, i) != (rank, at) {
                all.add(row.clone());
            }
        }
    }
    all
}

/// The bounds of the variable in a column.
fn level(rows: &[Row], column: usize) -> Result<Level, Stop> {
    let mut level = Level::default();
    for row in rows {
        let factor = row[column];
        let negated = |r: &[i64]| -> Result<Row, Stop> {
            let all = r.iter().map(|v| v.checked_neg());
            all.collect::<Option<Row>>().ok_or(Stop::Large)
        };
        match factor > 0 {
            true => level.lower.push(Bound {
                factor,
                value: negated(&row[..column])?,
            }),
            false => level.upper.push(Bound {
                factor: factor.checked_neg().ok_or(Stop::Large)?,
                value: row[..column].to_vec(),
            }),
        }
    }
    Ok(level)
}

impl Bound {
    /// The value at a point, which has the outer variables at least.
    fn of(&self, point: &[i64]) -> i128 {
        super::system::value(&self.value, point)
    }
}

impl Level {
    /// The first and the last value at a point of outer variables.
    pub fn ends(&self, outer: &[i64]) -> (i128, i128) {
        let lower = |b: &Bound| -((-b.of(outer)).div_euclid(i128::from(b.factor)));
        let upper = |b: &Bound| b.of(outer).div_euclid(i128::from(b.factor));
        let least = self.lower.iter().map(lower).max();
        let most = self.upper.iter().map(upper).min();
        (least.expect("a bound"), most.expect("a bound"))
    }
}

impl Loops {
    /// Calls `visit` for each point, in order, parameters included.
    pub fn run(&self, params: &[i64], visit: &mut dyn FnMut(&[i64])) {
        let holds = |r: &Row| super::system::value(r, params) >= 0;
        if self.guard.iter().all(holds) {
            self.from(0, &mut params.to_vec(), visit);
        }
    }

    fn from(&self, depth: usize, point: &mut Vec<i64>, visit: &mut dyn FnMut(&[i64])) {
        let Some(level) = self.levels.get(depth) else {
            visit(point);
            return;
        };
        let (first, last) = level.ends(point);
        for x in first..=last {
            point.push(i64::try_from(x).expect("a small number"));
            self.from(depth + 1, point, visit);
            point.pop();
        }
    }

    /// The bounds as text: `t1 = max(..) .. min(..)`, a line for each loop.
    pub fn text(&self, names: &[&str]) -> Result<String, fmt::Error> {
        let mut out = String::new();
        let side = |bounds: &[Bound], many: &str, round: &str| {
            let all: Vec<String> = bounds.iter().map(|b| b.text(names, round)).collect();
            match &all[..] {
                [one] => one.clone(),
                all => format!("{many}({})", all.join(", ")),
            }
        };
        for (d, l) in self.levels.iter().enumerate() {
            let lower = side(&l.lower, "max", "ceil");
            let upper = side(&l.upper, "min", "floor");
            writeln!(out, "{} = {lower} .. {upper}", names[self.params + d])?;
        }
        Ok(out)
    }
}

impl Bound {
    fn text(&self, names: &[&str], round: &str) -> String {
        let sum = form(&self.value, names);
        match self.factor {
            1 => sum,
            f => format!("{round}(({sum})/{f})"),
        }
    }
}

/// A row as a sum.
pub(super) fn form(row: &[i64], names: &[&str]) -> String {
    let mut text = String::new();
    let mut term = |c: i64, name: &str| {
        let sign = match (text.is_empty(), c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text += sign;
        match (c.unsigned_abs(), name) {
            (c, "") => text += &c.to_string(),
            (1, name) => text += name,
            (c, name) => text += &format!("{c}{name}"),
        }
    };
    for (c, name) in row[1..].iter().zip(names).filter(|(c, _)| **c != 0) {
        term(*c, name);
    }
    if row[0] != 0 || row[1..].iter().all(|c| *c == 0) {
        term(row[0], "");
    }
    text
}
