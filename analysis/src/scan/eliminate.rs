//! Pairwise elimination (Fourier, Motzkin), and when it is exact for integers (Ancourt and Irigoin 1991, §4.4).
//!
//! Each lower bound `b x >= B` and each upper bound `a x <= A` of a variable give the row `b A - a B >= 0` without it. That is the
//! projection of the rational points; over the integers it may have more:
//!
//! | | condition on a pair | then |
//! |---|---|---|
//! | T1 | none | there is an integer `x` exactly if `ceil(B / b) <= floor(A / a)` for all pairs ([`Pair::holds`]) |
//! | T2 | `a = 1`, or `b = 1`, or the plain rows imply `b A - a B >= (a - 1)(b - 1)` | the plain row is exact |
//! | T3 | the stronger row of T2 follows from the other rows | so does the plain one: it is redundant |
//!
//! ```text
//! 3x <= y <= 3x + 1, 0 <= x <= 5      the pair (3, 3) fails T2: 17 values of y instead of 12
//! 3x <= y <= 3x + 2                   b A - a B = 6 >= 4: exact, 18 values
//! ```
//!
//! The theorems are those of the Omega test's dark shadow (Pugh 1991) as well.

use super::system::{Row, Stop, System, value, violated};

/// Rows that a system may have: more are not worth the while.
const MOST_ROWS: usize = 400;

/// Comparisons of rows that one elimination may take, about a hundredth of a second.
const MOST_STEPS: u64 = 1_000_000;

/// The same for the question whether a row follows: it is asked of each row of a nest, and without an answer the row stays.
const STEPS_TO_FOLLOW: u64 = 100_000;

/// A lower and an upper bound of the variable that was eliminated whose plain row is not exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The variable.
    pub variable: usize,
    /// The row of the lower bound, with a positive coefficient of the variable.
    pub lower: Row,
    /// The row of the upper bound, with a negative one.
    pub upper: Row,
}

/// A projection along a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    /// The rows without the variable, which keeps its column.
    pub plain: System,
    /// The pairs that need an integer division besides (T1). Empty: `plain` is exact.
    pub pseudo: Vec<Pair>,
}

impl Pair {
    /// Whether an integer is between the bounds, at a point (whose value of the variable does not count).
    pub fn holds(&self, point: &[i64]) -> bool {
        let (b, least) = self.side(&self.lower, point);
        let (a, most) = self.side(&self.upper, point);
        // b x + least >= 0 and -a x + most >= 0
        (-least).div_euclid(b) + i128::from((-least).rem_euclid(b) != 0) <= most.div_euclid(-a)
    }

    fn side(&self, row: &Row, point: &[i64]) -> (i128, i128) {
        let factor = row[self.variable + 1];
        let here = i128::from(point[self.variable]);
        let factor = i128::from(factor);
        (factor, value(row, point) - factor * here)
    }
}

/// Eliminates a variable and says which pairs need more than their plain row.
///
/// # Errors
/// Numbers or systems that are too large.
pub fn project(system: &System, variable: usize) -> Result<Projection, Stop> {
    let column = variable + 1;
    let plain = eliminate(system, variable)?;
    let mut pseudo = vec![];
    for lower in system.rows.iter().filter(|r| r[column] > 0) {
        for upper in system.rows.iter().filter(|r| r[column] < 0) {
            let row = combined(lower, upper, column)?;
            if !is_exact(&plain, (lower[column], -upper[column]), &row)? {
                pseudo.push(Pair {
                    variable,
                    lower: lower.clone(),
                    upper: upper.clone(),
                });
            }
        }
    }
    Ok(Projection { plain, pseudo })
}

/// The rational projection: at least the points of the integer one.
///
/// # Errors
/// Numbers or systems that are too large.
pub fn eliminate(system: &System, variable: usize) -> Result<System, Stop> {
    let mut steps = MOST_STEPS;
    eliminate_within(system, variable, &mut steps)
}

fn eliminate_within(system: &System, variable: usize, steps: &mut u64) -> Result<System, Stop> {
    let column = variable + 1;
    let mut plain = System::new(system.variables);
    plain.void = system.void;
    for row in system.rows.iter().filter(|r| r[column] == 0) {
        plain.add(row.clone());
    }
    for lower in system.rows.iter().filter(|r| r[column] > 0) {
        for upper in system.rows.iter().filter(|r| r[column] < 0) {
            let taken = 1 + u64::try_from(plain.rows.len()).expect("a number of rows");
            *steps = steps.checked_sub(taken).ok_or(Stop::Long)?;
            plain.add(combined(lower, upper, column)?);
            if plain.rows.len() > MOST_ROWS {
                return Err(Stop::Long);
            }
        }
    }
    Ok(plain)
}

/// `b A - a B`, without dividing: the slack of T2 is measured in it.
fn combined(lower: &Row, upper: &Row, column: usize) -> Result<Row, Stop> {
    let (b, a) = (lower[column], -upper[column]);
    let entry = |(l, u): (&i64, &i64)| {
        let sum = i128::from(a) * i128::from(*l) + i128::from(b) * i128::from(*u);
        i64::try_from(sum).map_err(|_| Stop::Large)
    };
    lower.iter().zip(upper).map(entry).collect()
}

/// T2, for all points of the plain projection. Those of the system would not do: where there is no integer `x`, it implies anything.
fn is_exact(plain: &System, (b, a): (i64, i64), row: &Row) -> Result<bool, Stop> {
    if a == 1 || b == 1 {
        return Ok(true);
    }
    let slack = i128::from(a - 1) * i128::from(b - 1);
    let slack = i64::try_from(slack).map_err(|_| Stop::Large)?;
    let mut stronger = row.clone();
    stronger[0] = stronger[0].checked_sub(slack).ok_or(Stop::Large)?;
    implies(plain, &stronger)
}

/// Whether all points satisfy a row, by elimination (P3): `false` may mean that it was not found out.
///
/// # Errors
/// Numbers that are too large.
pub fn implies(system: &System, row: &Row) -> Result<bool, Stop> {
    let mut against = system.clone();
    against.add(violated(row)?);
    match is_void(against) {
        Err(Stop::Long) => Ok(false),
        other => other,
    }
}

/// Whether elimination finds that there is no point.
fn is_void(mut system: System) -> Result<bool, Stop> {
    let mut left: Vec<usize> = (0..system.variables).collect();
    let mut steps = STEPS_TO_FOLLOW;
    while !system.void && !left.is_empty() {
        let cost = |v: &usize| {
            let count = |sign: i64| {
                let rows = system.rows.iter();
                rows.filter(|r| r[v + 1].signum() == sign).count()
            };
            count(1) * count(-1)
        };
        let next = (0..left.len()).min_by_key(|at| cost(&left[*at]));
        let variable = left.swap_remove(next.expect("one is left"));
        system = eliminate_within(&system, variable, &mut steps)?;
    }
    Ok(system.void)
}
