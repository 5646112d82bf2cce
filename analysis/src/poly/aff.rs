//! Quasi-affine expressions on one piece: [`Aff`] and tuples of them, [`MultiAff`].
//!
//! An [`Aff`] is `(c0 + sum ci * xi) / d` with integer coefficients, where the `xi` are
//! parameters, the dimensions of the *domain* (kind [`DimType::In`]) and integer divisions.
//! Coefficients are read and written as rational numbers, the common denominator included.

use super::handle::{handle, listed, methods};
use super::*;

handle! {
    /// A quasi-affine expression.
    Aff = isl_aff, isl_aff_copy, isl_aff_free, show isl_aff_to_str, parse isl_aff_read_from_str
}
listed! { Aff = isl_aff_list, isl_aff_list_alloc, isl_aff_list_add, isl_aff_list_size,
isl_aff_list_get_at, isl_aff_list_free }

handle! {
    /// A tuple of quasi-affine expressions.
    MultiAff = isl_multi_aff, isl_multi_aff_copy, isl_multi_aff_free,
        show isl_multi_aff_to_str, parse isl_multi_aff_read_from_str
}

methods! { Aff {
    /// A constant.
    new fn si_on_domain(ls: &LocalSpace, value: i64) -> Aff = isl_aff_val_on_domain;
    /// A constant.
    new fn val_on_domain(ls: &LocalSpace, value: &Val) -> Aff = isl_aff_val_on_domain;
    /// The value of a dimension.
    new fn var_on_domain(ls: &LocalSpace, ty: DimType, pos: usize) -> Aff = isl_aff_var_on_domain;
    /// The value of a parameter.
    new fn param_on_domain_space(space: &Space, id: &str) -> Aff = isl_aff_param_on_domain_space_id;
    /// The space it lives in.
    keep fn space() -> Space = isl_aff_get_space;
    /// The space of the arguments.
    keep fn domain_space() -> Space = isl_aff_get_domain_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_aff_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_aff_get_dim_name;
    /// The constant term; an error when it is no 64-bit integer.
    keep fn constant() -> i64 = isl_aff_get_constant_val;
    /// The constant term.
    keep fn constant_val() -> Val = isl_aff_get_constant_val;
    /// With another constant term.
    take fn set_constant_si(value: i64) -> Aff = isl_aff_set_constant_val;
    /// With a constant added.
    take fn add_constant_si(value: i64) -> Aff = isl_aff_add_constant_val;
    /// The coefficient of a dimension; an error when it is no 64-bit integer.
    keep fn coefficient(ty: DimType, pos: usize) -> i64 = isl_aff_get_coefficient_val;
    /// With another coefficient.
    take fn set_coefficient_si(ty: DimType, pos: usize, value: i64) -> Aff =
        isl_aff_set_coefficient_val;
    /// The common denominator; an error when it is no 64-bit integer.
    keep fn denominator() -> i64 = isl_aff_get_denominator_val;
    /// The sum, where both are defined.
    take fn add(other: &Aff) -> Aff = isl_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &Aff) -> Aff = isl_aff_sub;
    /// The product; one factor must be constant.
    take fn mul(other: &Aff) -> Aff = isl_aff_mul;
    /// The negative.
    take fn neg() -> Aff = isl_aff_neg;
    /// Rounded down.
    take fn floor() -> Aff = isl_aff_floor;
    /// Rounded up.
    take fn ceil() -> Aff = isl_aff_ceil;
    /// The non-negative remainder modulo a positive constant.
    take fn mod_si(modulus: i64) -> Aff = isl_aff_mod_val;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> Aff = isl_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(value: i64) -> Aff = isl_aff_scale_down_val;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &Set) -> Aff = isl_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> Aff = isl_aff_gist_params;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> Aff = isl_aff_add_dims;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, first: usize, n: usize) -> Aff = isl_aff_insert_dims;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, n: usize) -> Aff = isl_aff_drop_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> Aff = isl_aff_move_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> Aff = isl_aff_align_params;
    /// The value at a point.
    take fn eval(point: &Point) -> Val = isl_aff_eval;
    /// Whether it is a constant.
    keep fn is_cst() -> bool = isl_aff_is_cst;
    /// Whether it is not a number.
    keep fn is_nan() -> bool = isl_aff_is_nan;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &Aff) -> bool = isl_aff_plain_is_equal;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool = isl_aff_involves_dims;
    /// Whether an integer division occurs.
    keep fn involves_locals() -> bool = isl_aff_involves_locals;
    /// Where both are equal.
    take fn eq_set(other: &Aff) -> Set = isl_aff_eq_set;
    /// Where `self` is less.
    take fn lt_set(other: &Aff) -> Set = isl_aff_lt_set;
    /// Where `self` is at most `other`.
    take fn le_set(other: &Aff) -> Set = isl_aff_le_set;
    /// Where `self` is greater.
    take fn gt_set(other: &Aff) -> Set = isl_aff_gt_set;
    /// Where `self` is at least `other`.
    take fn ge_set(other: &Aff) -> Set = isl_aff_ge_set;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> Aff = isl_aff_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> Aff = isl_aff_set_tuple_id;
} }

methods! { MultiAff {
    /// Zero in every dimension.
    new fn zero(space: &Space) -> MultiAff = isl_multi_aff_zero;
    /// The identity.
    new fn identity_on_domain_space(space: &Space) -> MultiAff =
        isl_multi_aff_identity_on_domain_space;
    /// One component.
    new fn from_aff(aff: &Aff) -> MultiAff = isl_multi_aff_from_aff;
    /// The space it lives in.
    keep fn space() -> Space = isl_multi_aff_get_space;
    /// The space of the arguments.
    keep fn domain_space() -> Space = isl_multi_aff_get_domain_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_multi_aff_dim;
    /// The number of components.
    get fn size() -> usize = isl_multi_aff_size;
    /// One component.
    keep fn at(pos: usize) -> Aff = isl_multi_aff_get_at;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_multi_aff_get_tuple_name;
    /// The components.
    keep fn affs() -> Vec<Aff> = isl_multi_aff_get_list;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> MultiAff = isl_multi_aff_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> MultiAff = isl_multi_aff_set_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id(ty: DimType) -> MultiAff = isl_multi_aff_reset_tuple_id;
    /// The sum, where both are defined.
    take fn add(other: &MultiAff) -> MultiAff = isl_multi_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &MultiAff) -> MultiAff = isl_multi_aff_sub;
    /// The negative.
    take fn neg() -> MultiAff = isl_multi_aff_neg;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> MultiAff = isl_multi_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(value: i64) -> MultiAff = isl_multi_aff_scale_down_val;
    /// With a constant added.
    take fn add_constant_si(value: i64) -> MultiAff = isl_multi_aff_add_constant_val;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &Set) -> MultiAff = isl_multi_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> MultiAff = isl_multi_aff_gist_params;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> MultiAff = isl_multi_aff_add_dims;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, first: usize, n: usize) -> MultiAff =
        isl_multi_aff_insert_dims;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, n: usize) -> MultiAff = isl_multi_aff_drop_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> MultiAff = isl_multi_aff_move_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> MultiAff = isl_multi_aff_align_params;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &MultiAff) -> MultiAff = isl_multi_aff_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &MultiAff) -> MultiAff = isl_multi_aff_flat_range_product;
    /// Rounded down.
    take fn floor() -> MultiAff = isl_multi_aff_floor;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &MultiAff) -> bool = isl_multi_aff_plain_is_equal;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_multi_aff_involves_dims;
    /// Whether an integer division occurs.
    keep fn involves_locals() -> bool = isl_multi_aff_involves_locals;
    /// As a single relation; the caller knows that there is one.
    take fn as_map() -> Map = isl_multi_aff_as_map;
    /// As a single set; the caller knows that there is one.
    take fn as_set() -> Set = isl_multi_aff_as_set;
} }

impl MultiAff {
    /// The identity on a set space.
    pub fn identity(space: &Space) -> Result<MultiAff> {
        MultiAff::identity_on_domain_space(space)
    }
}
