//! Constraints one by one and as integer matrices.
//!
//! # Column order
//! All matrices here have the columns *constant, parameters, input, output, integer
//! divisions* ([`DimType`] order; sets have no input). A row `r` means `r . (1, n, x, y, d) = 0`
//! or `>= 0`. For `[n] -> { S[i, j] : 0 <= i < n }` the inequality `n - 1 - i >= 0` is the row
//! `[-1, 1, -1, 0]`.

use super::handle::{Arg, Handle, handle, listed, methods};
use super::*;

handle! {
    /// One equality or inequality.
    Constraint = isl_constraint, isl_constraint_copy, isl_constraint_free
}
listed! { Constraint = isl_constraint_list, isl_constraint_list_alloc, isl_constraint_list_add,
isl_constraint_list_size, isl_constraint_list_get_at, isl_constraint_list_free }

handle! {
    /// An integer matrix of isl.
    Mat = isl_mat, isl_mat_copy, isl_mat_free
}

methods! { Constraint {
    /// `0 >= 0`.
    new fn alloc_inequality(ls: &LocalSpace) -> Constraint = isl_constraint_alloc_inequality;
    /// The space it lives in.
    keep fn space() -> Space = isl_constraint_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_constraint_dim;
    /// Whether it is an equality.
    get fn is_equality() -> bool = isl_constraint_is_equality;
    /// Whether it bounds a dimension from below.
    keep fn is_lower_bound(ty: DimType, pos: usize) -> bool = isl_constraint_is_lower_bound;
    /// Whether it bounds a dimension from above.
    keep fn is_upper_bound(ty: DimType, pos: usize) -> bool = isl_constraint_is_upper_bound;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_constraint_involves_dims;
    /// The constant term; an error when it is no 64-bit integer.
    keep fn constant() -> i64 = isl_constraint_get_constant_val;
    /// The constant term.
    keep fn constant_val() -> Val = isl_constraint_get_constant_val;
    /// With another constant term.
    take fn set_constant_si(value: i64) -> Constraint = isl_constraint_set_constant_val;
    /// The coefficient of a dimension; an error when it is no 64-bit integer.
    keep fn coefficient(ty: DimType, pos: usize) -> i64 = isl_constraint_get_coefficient_val;
    /// With another coefficient.
    take fn set_coefficient_si(ty: DimType, pos: usize, value: i64) -> Constraint =
        isl_constraint_set_coefficient_val;
    /// The affine expression that is zero, or at least zero.
    keep fn aff() -> Aff = isl_constraint_get_aff;
    /// The bound on a dimension that it expresses.
    keep fn bound(ty: DimType, pos: usize) -> Aff = isl_constraint_get_bound;
} }

impl std::fmt::Display for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_equality() { "=" } else { ">=" };
        match self.aff() {
            Ok(aff) => write!(f, "{aff} {sign} 0"),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl std::fmt::Debug for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Constraint({self})")
    }
}

impl std::fmt::Debug for Mat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let row = |r| {
            (0..self.n_columns())
                .map(move |c| self.entry(r, c))
                .collect::<Vec<_>>()
        };
        f.debug_list().entries((0..self.n_rows()).map(row)).finish()
    }
}

/// Rows of integers; see the module for the column order.
pub type Rows = Vec<Vec<i64>>;

/// The column order of sets: no input tuple.
const SET: [DimType; 4] = [DimType::Cst, DimType::Param, DimType::Set, DimType::Div];

/// The column order of maps.
const MAP: [DimType; 5] = [
    DimType::Cst,
    DimType::Param,
    DimType::In,
    DimType::Out,
    DimType::Div,
];

impl Mat {
    /// A matrix of `columns` columns with these rows.
    pub fn from_rows(ctx: &Ctx, rows: &[Vec<i64>], columns: usize) -> Result<Mat> {
        let (n, m) = (columns, rows.len());
        // SAFETY: the context is alive, the matrix fresh; isl checks the positions.
        unsafe {
            let mut raw = ffi::isl_mat_alloc(ctx.as_ptr(), m.take(ctx), n.take(ctx));
            for (r, row) in rows.iter().enumerate() {
                assert_eq!(row.len(), columns, "a row of {columns} columns");
                for (c, &entry) in row.iter().enumerate() {
                    raw = ffi::isl_mat_set_element_val(
                        raw,
                        r.take(ctx),
                        c.take(ctx),
                        entry.take(ctx),
                    );
                }
            }
            Mat::from_raw(ctx, raw)
        }
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        // SAFETY: a valid object, only looked at.
        unsafe { ffi::isl_mat_rows(self.as_ptr()) }
            .try_into()
            .expect("a row count")
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        // SAFETY: a valid object, only looked at.
        unsafe { ffi::isl_mat_cols(self.as_ptr()) }
            .try_into()
            .expect("a column count")
    }

    /// One entry, of any size.
    pub fn entry(&self, row: usize, column: usize) -> Result<Val> {
        let ctx = self.ctx();
        // SAFETY: a valid object, only looked at; isl checks the position.
        unsafe {
            let raw = ffi::isl_mat_get_element_val(self.as_ptr(), row.keep(ctx), column.keep(ctx));
            Val::from_raw(ctx, raw)
        }
    }

    /// All rows as 64-bit integers, or [`Error::OutOfRange`].
    pub fn to_rows(&self) -> Result<Rows> {
        let columns = self.n_columns();
        (0..self.n_rows())
            .map(|r| (0..columns).map(|c| self.entry(r, c)?.to_i64()).collect())
            .collect()
    }

    /// A basis of the vectors `x` with `self . x = 0`, as columns.
    pub fn right_kernel(&self) -> Result<Mat> {
        let ctx = self.ctx();
        // SAFETY: a valid object, copied for the consumer.
        unsafe { Mat::from_raw(ctx, ffi::isl_mat_right_kernel(self.clone().into_raw())) }
    }

    /// The rank.
    pub fn rank(&self) -> Result<usize> {
        let ctx = self.ctx();
        // SAFETY: a valid object, only looked at.
        unsafe { handle::Ret::ret(ctx, ffi::isl_mat_rank(self.as_ptr())) }
    }
}

impl BasicSet {
    /// The equalities; columns constant, parameters, set, integer divisions.
    pub fn equalities(&self) -> Result<Mat> {
        let [c1, c2, c3, c4] = SET.map(|c| c as u32);
        // SAFETY: a valid object, only looked at; the result is fresh.
        unsafe {
            let raw = ffi::isl_basic_set_equalities_matrix(self.as_ptr(), c1, c2, c3, c4);
            Mat::from_raw(self.ctx(), raw)
        }
    }

    /// The inequalities; columns constant, parameters, set, integer divisions.
    pub fn inequalities(&self) -> Result<Mat> {
        let [c1, c2, c3, c4] = SET.map(|c| c as u32);
        // SAFETY: a valid object, only looked at; the result is fresh.
        unsafe {
            let raw = ffi::isl_basic_set_inequalities_matrix(self.as_ptr(), c1, c2, c3, c4);
            Mat::from_raw(self.ctx(), raw)
        }
    }

    /// The equalities as rows of 64-bit integers.
    pub fn equalities_matrix(&self) -> Result<Rows> {
        self.equalities()?.to_rows()
    }

    /// The inequalities as rows of 64-bit integers.
    pub fn inequalities_matrix(&self) -> Result<Rows> {
        self.inequalities()?.to_rows()
    }

    /// The points of a set space that satisfy the rows. Columns beyond the space's are
    /// existentially quantified integers.
    pub fn from_constraint_matrices(
        space: &Space,
        equalities: &[Vec<i64>],
        inequalities: &[Vec<i64>],
    ) -> Result<BasicSet> {
        let ctx = space.ctx();
        let columns = columns_of(space, equalities, inequalities)?;
        let eq = Mat::from_rows(ctx, equalities, columns)?.into_raw();
        let ineq = Mat::from_rows(ctx, inequalities, columns)?.into_raw();
        let [c1, c2, c3, c4] = SET.map(|c| c as u32);
        // SAFETY: valid objects of one context, given away.
        unsafe {
            let raw = ffi::isl_basic_set_from_constraint_matrices(
                space.take(ctx),
                eq,
                ineq,
                c1,
                c2,
                c3,
                c4,
            );
            BasicSet::from_raw(ctx, raw)
        }
    }
}

impl BasicMap {
    /// The equalities; columns constant, parameters, input, output, integer divisions.
    pub fn equalities(&self) -> Result<Mat> {
        let [c1, c2, c3, c4, c5] = MAP.map(|c| c as u32);
        // SAFETY: a valid object, only looked at; the result is fresh.
        unsafe {
            let raw = ffi::isl_basic_map_equalities_matrix(self.as_ptr(), c1, c2, c3, c4, c5);
            Mat::from_raw(self.ctx(), raw)
        }
    }

    /// The inequalities; columns constant, parameters, input, output, integer divisions.
    pub fn inequalities(&self) -> Result<Mat> {
        let [c1, c2, c3, c4, c5] = MAP.map(|c| c as u32);
        // SAFETY: a valid object, only looked at; the result is fresh.
        unsafe {
            let raw = ffi::isl_basic_map_inequalities_matrix(self.as_ptr(), c1, c2, c3, c4, c5);
            Mat::from_raw(self.ctx(), raw)
        }
    }

    /// The equalities as rows of 64-bit integers.
    pub fn equalities_matrix(&self) -> Result<Rows> {
        self.equalities()?.to_rows()
    }

    /// The inequalities as rows of 64-bit integers.
    pub fn inequalities_matrix(&self) -> Result<Rows> {
        self.inequalities()?.to_rows()
    }

    /// The pairs of a map space that satisfy the rows. Columns beyond the space's are
    /// existentially quantified integers.
    pub fn from_constraint_matrices(
        space: &Space,
        equalities: &[Vec<i64>],
        inequalities: &[Vec<i64>],
    ) -> Result<BasicMap> {
        let ctx = space.ctx();
        let columns = columns_of(space, equalities, inequalities)?;
        let eq = Mat::from_rows(ctx, equalities, columns)?.into_raw();
        let ineq = Mat::from_rows(ctx, inequalities, columns)?.into_raw();
        let [c1, c2, c3, c4, c5] = MAP.map(|c| c as u32);
        // SAFETY: valid objects of one context, given away.
        unsafe {
            let raw = ffi::isl_basic_map_from_constraint_matrices(
                space.take(ctx),
                eq,
                ineq,
                c1,
                c2,
                c3,
                c4,
                c5,
            );
            BasicMap::from_raw(ctx, raw)
        }
    }
}

/// The common number of columns of all rows, at least what the space needs.
fn columns_of(space: &Space, equalities: &[Vec<i64>], inequalities: &[Vec<i64>]) -> Result<usize> {
    let dims = [DimType::Param, DimType::In, DimType::Out];
    let least = 1 + dims.iter().map(|&ty| space.dim(ty)).sum::<usize>();
    let mut rows = equalities.iter().chain(inequalities);
    let columns = rows.next().map_or(least, Vec::len);
    if columns < least || rows.any(|row| row.len() != columns) {
        return Err(Error::Invalid(format!(
            "rows that are not of one length >= {least}"
        )));
    }
    Ok(columns)
}
