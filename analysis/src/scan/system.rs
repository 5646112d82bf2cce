//! Systems of linear inequalities over the integers.

use crate::poly::{self, BasicSet, DimType};

/// Inequalities `r[0] + r[1] x1 + .. + r[n] xn >= 0`.
///
/// A row is normalized: its coefficients have no common divisor, by which the constant is rounded down (no integer point is lost), and of
/// rows with the same coefficients only the strongest is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// The number of variables.
    pub variables: usize,
    /// The rows, each of `variables + 1` entries.
    pub rows: Vec<Row>,
    /// A row without variables is negative: there is no point.
    pub void: bool,
}

/// The constant and a coefficient for each variable.
pub type Row = Vec<i64>;

/// Why a question stays open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A coefficient does not fit.
    Large,
    /// There are too many rows.
    Long,
}

impl System {
    /// No condition.
    pub fn new(variables: usize) -> System {
        System {
            variables,
            rows: vec![],
            void: false,
        }
    }

    /// From rows.
    pub fn of(variables: usize, rows: &[Row]) -> System {
        let mut all = System::new(variables);
        rows.iter().for_each(|r| all.add(r.clone()));
        all
    }

    /// The constraints of a convex set: parameters are the first variables. `None` if there are divisions, or numbers beyond 64 bits.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn of_set(set: &BasicSet) -> poly::Result<Option<System>> {
        if set.dim(DimType::Div) > 0 {
            return Ok(None);
        }
        let variables = set.dim(DimType::Param) + set.dim(DimType::Set);
        let mut all = System::new(variables);
        let (equal, rows) = match (set.equalities_matrix(), set.inequalities_matrix()) {
            (Ok(equal), Ok(rows)) => (equal, rows),
            (Err(poly::Error::OutOfRange(_)), _) | (_, Err(poly::Error::OutOfRange(_))) => {
                return Ok(None);
            }
            (Err(e), _) | (_, Err(e)) => return Err(e),
        };
        for row in equal {
            let Some(negated) = negated(&row) else {
                return Ok(None);
            };
            all.add(row);
            all.add(negated);
        }
        rows.into_iter().for_each(|row| all.add(row));
        Ok(Some(all))
    }

    /// One more row.
    pub fn add(&mut self, mut row: Row) {
        assert_eq!(row.len(), self.variables + 1, "a coefficient per variable");
        let divisor = row[1..].iter().fold(0, |g, v| gcd(g, v.unsigned_abs()));
        let Ok(divisor) = i64::try_from(divisor) else {
            self.rows.push(row);
            return;
        };
        match divisor {
            0 => {
                self.void |= row[0] < 0;
                return;
            }
            1 => {}
            d => {
                row[0] = row[0].div_euclid(d);
                row[1..].iter_mut().for_each(|v| *v /= d);
            }
        }
        match self.rows.iter_mut().find(|r| r[1..] == row[1..]) {
            Some(same) => same[0] = same[0].min(row[0]),
            None => self.rows.push(row),
        }
    }

    /// Whether a point satisfies all rows.
    pub fn holds(&self, point: &[i64]) -> bool {
        !self.void && self.rows.iter().all(|r| value(r, point) >= 0)
    }

    /// With these values for the first variables.
    pub fn at(&self, values: &[i64]) -> System {
        let mut rest = System::new(self.variables - values.len());
        rest.void = self.void;
        for row in &self.rows {
            let constant = value(&row[..=values.len()], values);
            let constant = i64::try_from(constant).expect("small numbers");
            let mut short = vec![constant];
            short.extend(&row[values.len() + 1..]);
            rest.add(short);
        }
        rest
    }
}

/// The value of a row at a point.
pub fn value(row: &[i64], point: &[i64]) -> i128 {
    let terms = row[1..].iter().zip(point);
    let terms = terms.map(|(c, x)| i128::from(*c) * i128::from(*x));
    i128::from(row[0]) + terms.sum::<i128>()
}

/// The row of the points that do not satisfy this one: `-r - 1 >= 0`.
pub(super) fn violated(row: &Row) -> Result<Row, Stop> {
    let mut row = negated(row).ok_or(Stop::Large)?;
    row[0] = row[0].checked_sub(1).ok_or(Stop::Large)?;
    Ok(row)
}

fn negated(row: &Row) -> Option<Row> {
    row.iter().map(|v| v.checked_neg()).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
