//! Numbers and points: [`Val`], [`MultiVal`] and [`Point`].
//!
//! A value is a rational of any size, an infinity or NaN.

use super::handle::{Arg, Handle, handle, listed, methods};
use super::*;

handle! {
    /// A rational number of any size, an infinity, or NaN.
    Val = isl_val, isl_val_copy, isl_val_free, show isl_val_to_str, parse isl_val_read_from_str
}
listed! { Val = isl_val_list, isl_val_list_alloc, isl_val_list_add, isl_val_list_size,
isl_val_list_get_at, isl_val_list_free }

handle! {
    /// A tuple of values.
    MultiVal = isl_multi_val, isl_multi_val_copy, isl_multi_val_free,
        show isl_multi_val_to_str, parse isl_multi_val_read_from_str
}

handle! {
    /// A tuple of integers with values for the parameters.
    Point = isl_point, isl_point_copy, isl_point_free, show isl_point_to_str
}

methods! { Val {
    /// 0
    new fn zero(ctx: &Ctx) -> Val = isl_val_zero;
    /// 1
    new fn one(ctx: &Ctx) -> Val = isl_val_one;
    /// Infinity.
    new fn infty(ctx: &Ctx) -> Val = isl_val_infty;
    /// The sum.
    take fn add(other: &Val) -> Val = isl_val_add;
    /// The difference.
    take fn sub(other: &Val) -> Val = isl_val_sub;
    /// The product.
    take fn mul(other: &Val) -> Val = isl_val_mul;
    /// The negative.
    take fn neg() -> Val = isl_val_neg;
    /// The absolute value.
    take fn abs() -> Val = isl_val_abs;
    /// Rounded down.
    take fn floor() -> Val = isl_val_floor;
    /// Rounded up.
    take fn ceil() -> Val = isl_val_ceil;
    /// Rounded towards zero.
    take fn trunc() -> Val = isl_val_trunc;
    /// The non-negative remainder.
    take fn modulo(other: &Val) -> Val = isl_val_mod;
    /// The minimum.
    take fn min(other: &Val) -> Val = isl_val_min;
    /// The maximum.
    take fn max(other: &Val) -> Val = isl_val_max;
    /// The denominator.
    keep fn denominator() -> Val = isl_val_get_den_val;
    /// Whether it is 0.
    keep fn is_zero() -> bool = isl_val_is_zero;
    /// Whether it is an integer.
    keep fn is_int() -> bool = isl_val_is_int;
    /// Whether it is not a number.
    keep fn is_nan() -> bool = isl_val_is_nan;
    /// Whether it is infinity.
    keep fn is_infty() -> bool = isl_val_is_infty;
    /// Whether both are equal.
    keep fn is_equal(other: &Val) -> bool = isl_val_eq;
} }

methods! { MultiVal {
    /// Zero in every dimension.
    new fn zero(space: &Space) -> MultiVal = isl_multi_val_zero;
    /// A tuple of values in a set space.
    new fn from_vals(space: &Space, list: &[Val]) -> MultiVal = isl_multi_val_from_val_list;
    /// The space it lives in.
    keep fn space() -> Space = isl_multi_val_get_space;
    /// The number of components.
    get fn size() -> usize = isl_multi_val_size;
    /// One component.
    keep fn at(pos: usize) -> Val = isl_multi_val_get_at;
    /// The sum.
    take fn add(other: &MultiVal) -> MultiVal = isl_multi_val_add;
    /// The difference.
    take fn sub(other: &MultiVal) -> MultiVal = isl_multi_val_sub;
    /// The negative.
    take fn neg() -> MultiVal = isl_multi_val_neg;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &MultiVal) -> bool = isl_multi_val_plain_is_equal;
} }

methods! { Point {
    /// The origin.
    new fn zero(space: &Space) -> Point = isl_point_zero;
    /// The space it lives in.
    keep fn space() -> Space = isl_point_get_space;
    /// A coordinate; an error when it is no 64-bit integer.
    keep fn coordinate(ty: DimType, pos: usize) -> i64 = isl_point_get_coordinate_val;
    /// Whether there is no point.
    keep fn is_void() -> bool = isl_point_is_void;
    /// As a set.
    take fn to_set() -> Set = isl_point_to_set;
} }

impl Val {
    /// An integer.
    pub fn from_i64(ctx: &Ctx, value: i64) -> Result<Val> {
        // SAFETY: the context is alive; the value is fresh.
        unsafe { Val::from_raw(ctx, value.take(ctx)) }
    }

    /// The number as a 64-bit integer, or [`Error::OutOfRange`].
    pub fn to_i64(&self) -> Result<i64> {
        self.as_i64()
            .ok_or_else(|| Error::OutOfRange(self.to_string()))
    }

    /// The number as a 64-bit integer, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        // SAFETY: a valid object, only looked at. A numerator that does not fit reads as 0 and
        // sets an error, which is cleared.
        unsafe {
            if ffi::isl_val_is_int(self.as_ptr()) != 1 {
                return None;
            }
            let number = ffi::isl_val_get_num_si(self.as_ptr());
            if number == 0 && ffi::isl_val_is_zero(self.as_ptr()) != 1 {
                ffi::isl_ctx_reset_error(self.ctx().as_ptr());
                return None;
            }
            Some(number)
        }
    }

    /// The sign: -1, 0 or 1.
    pub fn sign(&self) -> i32 {
        // SAFETY: a valid object, only looked at.
        unsafe { ffi::isl_val_sgn(self.as_ptr()) }
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        // SAFETY: a valid object, only looked at.
        unsafe { ffi::isl_val_get_d(self.as_ptr()) }
    }
}

impl MultiVal {
    /// A tuple of integers in a set space.
    pub fn from_i64s(space: &Space, values: &[i64]) -> Result<MultiVal> {
        let values: Result<Vec<Val>> = values
            .iter()
            .map(|&v| Val::from_i64(space.ctx(), v))
            .collect();
        MultiVal::from_vals(space, &values?)
    }

    /// The components as 64-bit integers.
    pub fn to_i64s(&self) -> Result<Vec<i64>> {
        (0..self.size()).map(|pos| self.at(pos)?.to_i64()).collect()
    }
}

impl Point {
    /// The coordinates of the set tuple.
    pub fn coordinates(&self) -> Result<Vec<i64>> {
        let n = self.space()?.dim(DimType::Set);
        (0..n)
            .map(|pos| self.coordinate(DimType::Set, pos))
            .collect()
    }
}

/// All points of a bounded set without free parameters, in lexicographic order.
pub(super) fn points(set: &Set, limit: usize) -> Result<Vec<Vec<i64>>> {
    struct Found {
        ctx: Ctx,
        limit: usize,
        points: Result<Vec<Vec<i64>>>,
    }
    unsafe extern "C" fn add(point: *mut ffi::isl_point, user: *mut std::ffi::c_void) -> i32 {
        // SAFETY: `user` is the `Found` below; the point is given.
        let (found, point) = unsafe {
            let found = &mut *user.cast::<Found>();
            let point = Point::from_raw(&found.ctx, point);
            (found, point)
        };
        let Ok(list) = &mut found.points else {
            return -1;
        };
        if list.len() >= found.limit {
            found.points = Err(Error::Limit(found.limit));
            return -1;
        }
        match point.and_then(|p| p.coordinates()) {
            Ok(p) => {
                list.push(p);
                0
            }
            Err(error) => {
                found.points = Err(error);
                -1
            }
        }
    }
    let bounded = set.project_out_all_params()?;
    if !bounded.is_bounded()? {
        return Err(Error::Invalid("the points of an unbounded set".to_owned()));
    }
    let mut found = Found {
        ctx: set.ctx().clone(),
        limit,
        points: Ok(Vec::new()),
    };
    // SAFETY: the callback is `add`, its data lives on this stack.
    let stat = unsafe {
        let user = (&raw mut found).cast();
        ffi::isl_set_foreach_point(bounded.as_ptr(), Some(add), user)
    };
    let mut points = found.points?;
    if stat < 0 {
        return Err(error::take(set.ctx()));
    }
    points.sort_unstable();
    Ok(points)
}
