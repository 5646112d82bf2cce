//! Directions of band members in a statement's iteration space.
//!
//! The rows of a schedule are `theta = T x + c`. Moving one step along member `m` alone moves the iterators by column `m`
//! of `T^-1`. Iterators count from 0 in every loop, so a source loop `for (k = i + 1; ..)` has the row `i + k'`, and the
//! step of member `i` alone is `(i, k') += (1, -1)`.

use polytile_analysis::poly::{Aff, DimType, Error, MultiUnionPwAff, Result, UnionPwAff};
use polytile_analysis::quotient::gcd;
use polytile_analysis::scop::{Access, Stmt};

/// The coefficients of a row over the iterators of `stmt`; `None` if it is not one affine function without divisions.
pub fn linear_part(row: &UnionPwAff, stmt: &Stmt) -> Result<Option<Vec<i64>>> {
    for pa in row.pw_affs()? {
        if pa.space()?.tuple_name(DimType::In).as_deref() != Some(&stmt.name) {
            continue;
        }
        if !pa.isa_aff()? {
            return Ok(None);
        }
        let aff = pa.as_aff()?;
        if aff.involves_locals()? || aff.denominator()? != 1 {
            return Ok(None);
        }
        let coefficients = (0..stmt.depth()).map(|d| aff.coefficient(DimType::In, d));
        return match coefficients.collect::<Result<Vec<i64>>>() {
            Ok(v) => Ok(Some(v)),
            Err(e @ (Error::Quota | Error::Budget)) => Err(e),
            Err(_) => Ok(None),
        };
    }
    Ok(None)
}

/// The coefficients of the subscripts of an access over the iterators of its statement; `None` as [`Access::affine_subscripts`].
pub fn subscripts(stmt: &Stmt, access: &Access) -> Result<Option<Vec<Vec<i64>>>> {
    let Some(all) = access.affine_subscripts()? else {
        return Ok(None);
    };
    let rows = all.iter().map(|aff| coefficients(stmt, aff));
    rows.collect::<Result<_>>().map(Some)
}

/// What each iterator of a statement adds to a subscript.
pub fn coefficients(stmt: &Stmt, aff: &Aff) -> Result<Vec<i64>> {
    let all = (0..stmt.depth()).map(|i| aff.coefficient(DimType::In, i));
    all.collect()
}

/// The linear parts of all members of a band; `None` as above.
pub fn linear_parts(band: &MultiUnionPwAff, stmt: &Stmt) -> Result<Option<Vec<Vec<i64>>>> {
    let mut rows = vec![];
    for m in 0..band.size() {
        match linear_part(&band.at(m)?, stmt)? {
            Some(r) => rows.push(r),
            None => return Ok(None),
        }
    }
    Ok(Some(rows))
}

/// The columns of the inverse of a unimodular matrix, given by rows; rows that depend on earlier ones are left out first
/// (their columns are `None`). `None` if what is left is not square with determinant 1 or -1.
pub fn inverse_columns(rows: &[Vec<i64>], dims: usize) -> Option<Vec<Option<Vec<i64>>>> {
    columns(rows, dims, |list| {
        let whole = list.iter().map(|&(x, d)| (x % d == 0).then(|| x / d));
        whole.collect()
    })
}

/// The shortest steps between integer points along each row, where the others stay as they are: the columns of the inverse, or of multiples
/// of it where no inverse of integers is there. `None` if what is left is not square.
pub fn steps(rows: &[Vec<i64>], dims: usize) -> Option<Vec<Option<Vec<i64>>>> {
    columns(rows, dims, |list| {
        let common = list.iter().try_fold(1i128, |all, (_, d)| {
            let d = d.checked_abs()?;
            (all / gcd(all, d)).checked_mul(d)
        })?;
        let scaled = list.iter().map(|&(x, d)| x.checked_mul(common / d));
        let scaled: Vec<i128> = scaled.collect::<Option<_>>()?;
        let most = scaled.iter().fold(0, |all, x| gcd(all, x.abs()));
        Some(scaled.iter().map(|x| x / most).collect())
    })
}

/// The columns of the inverse of a matrix, given by rows as above, made whole numbers from numerators and denominators by `whole`.
fn columns(
    rows: &[Vec<i64>],
    dims: usize,
    whole: impl Fn(&[(i128, i128)]) -> Option<Vec<i128>>,
) -> Option<Vec<Option<Vec<i64>>>> {
    let kept = independent(rows);
    if kept.len() != dims {
        return None;
    }
    let square: Vec<&Vec<i64>> = kept.iter().map(|&r| &rows[r]).collect();
    let inverse = invert(&square)?;
    let mut columns = vec![None; rows.len()];
    for (c, &r) in kept.iter().enumerate() {
        let column: Vec<(i128, i128)> = (0..dims).map(|d| inverse[d][c]).collect();
        let column = whole(&column)?.into_iter();
        columns[r] = Some(
            column
                .map(|x| i64::try_from(x).ok())
                .collect::<Option<_>>()?,
        );
    }
    Some(columns)
}

/// Positions of rows that are linearly independent of the rows before them.
fn independent(rows: &[Vec<i64>]) -> Vec<usize> {
    let mut basis: Vec<Vec<i128>> = vec![];
    let mut kept = vec![];
    for (at, row) in rows.iter().enumerate() {
        let mut rest: Vec<i128> = row.iter().map(|&c| i128::from(c)).collect();
        for b in &basis {
            let pivot = b
                .iter()
                .position(|&c| c != 0)
                .expect("a basis row is not zero");
            let (f, g) = (rest[pivot], b[pivot]);
            if f != 0 {
                rest = rest.iter().zip(b).map(|(r, b)| r * g - b * f).collect();
            }
        }
        if rest.iter().any(|&c| c != 0) {
            basis.push(rest);
            kept.push(at);
        }
    }
    kept
}

/// The inverse of a square matrix, as numerators and denominators, by elimination without fractions.
fn invert(rows: &[&Vec<i64>]) -> Option<Vec<Vec<(i128, i128)>>> {
    let n = rows.len();
    let mut work: Vec<Vec<i128>> = rows
        .iter()
        .enumerate()
        .map(|(r, row)| {
            let unit = (0..n).map(|c| i128::from(c == r));
            row.iter().map(|&c| i128::from(c)).chain(unit).collect()
        })
        .collect();
    for col in 0..n {
        let pivot = (col..n).find(|&r| work[r][col] != 0)?;
        work.swap(col, pivot);
        for r in 0..n {
            if r != col && work[r][col] != 0 {
                let (f, g) = (work[r][col], work[col][col]);
                let pivot_row = work[col].clone();
                for (x, p) in work[r].iter_mut().zip(&pivot_row) {
                    *x = x.checked_mul(g)?.checked_sub(p.checked_mul(f)?)?;
                }
            }
        }
    }
    let rows = work.iter().enumerate();
    let fractions = rows.map(|(r, row)| row[n..].iter().map(|&x| (x, row[r])).collect());
    Some(fractions.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skewed_rows_have_skewed_columns() {
        // theta = (i, j, i + k): a step of i alone takes k one back.
        let columns = inverse_columns(&[vec![1, 0, 0], vec![0, 1, 0], vec![1, 0, 1]], 3).unwrap();
        assert_eq!(columns[0], Some(vec![1, 0, -1]));
        assert_eq!(columns[1], Some(vec![0, 1, 0]));
        assert_eq!(columns[2], Some(vec![0, 0, 1]));
    }

    #[test]
    fn repeated_rows_do_not_count() {
        let columns = inverse_columns(&[vec![0, 1], vec![0, 2], vec![1, 0]], 2).unwrap();
        assert_eq!(columns, vec![Some(vec![0, 1]), None, Some(vec![1, 0])]);
    }

    #[test]
    fn other_determinants_have_no_integer_inverse() {
        assert_eq!(inverse_columns(&[vec![1, 1], vec![1, -1]], 2), None);
        assert_eq!(inverse_columns(&[vec![1, 1]], 2), None);
    }

    #[test]
    fn steps_are_the_shortest() {
        // theta = (j, 2 i + j): i goes by one where j stays, and back by one where j goes by two.
        let found = steps(&[vec![0, 1], vec![2, 1]], 2).unwrap();
        assert_eq!(found, vec![Some(vec![-1, 2]), Some(vec![1, 0])]);
        let found = steps(&[vec![1, 1], vec![1, -1]], 2).unwrap();
        assert_eq!(found, vec![Some(vec![1, 1]), Some(vec![1, -1])]);
        assert_eq!(steps(&[vec![1, 1]], 2), None);
    }
}
