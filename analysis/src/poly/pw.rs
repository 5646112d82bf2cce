//! Piecewise quasi-affine functions: [`PwAff`], [`PwMultiAff`] and [`MultiPwAff`].
//!
//! A piecewise function is a list of pairs (set, expression) with disjoint sets; outside of
//! them it is not defined. [`PwMultiAff`] has common pieces for all components, [`MultiPwAff`]
//! pieces per component.

use std::ffi::c_void;

use super::handle::{Handle, handle, listed, methods};
use super::*;

handle! {
    /// A piecewise quasi-affine function.
    PwAff = isl_pw_aff, isl_pw_aff_copy, isl_pw_aff_free,
        show isl_pw_aff_to_str, parse isl_pw_aff_read_from_str
}
listed! { PwAff = isl_pw_aff_list, isl_pw_aff_list_alloc, isl_pw_aff_list_add,
isl_pw_aff_list_size, isl_pw_aff_list_get_at, isl_pw_aff_list_free }

handle! {
    /// A tuple-valued piecewise function with common pieces.
    PwMultiAff = isl_pw_multi_aff, isl_pw_multi_aff_copy, isl_pw_multi_aff_free,
        show isl_pw_multi_aff_to_str, parse isl_pw_multi_aff_read_from_str
}
listed! { PwMultiAff = isl_pw_multi_aff_list, isl_pw_multi_aff_list_alloc,
isl_pw_multi_aff_list_add, isl_pw_multi_aff_list_size, isl_pw_multi_aff_list_get_at,
isl_pw_multi_aff_list_free }

handle! {
    /// A tuple of piecewise functions.
    MultiPwAff = isl_multi_pw_aff, isl_multi_pw_aff_copy, isl_multi_pw_aff_free,
        show isl_multi_pw_aff_to_str, parse isl_multi_pw_aff_read_from_str
}

methods! { PwAff {
    /// One piece, everywhere.
    new fn from_aff(aff: &Aff) -> PwAff = isl_pw_aff_from_aff;
    /// Nothing.
    new fn empty(space: &Space) -> PwAff = isl_pw_aff_empty;
    /// The value of a dimension.
    new fn var_on_domain(ls: &LocalSpace, ty: DimType, pos: usize) -> PwAff =
        isl_pw_aff_var_on_domain;
    /// A constant.
    new fn si_on_domain(domain: &Set, value: i64) -> PwAff = isl_pw_aff_val_on_domain;
    /// A constant.
    new fn val_on_domain(domain: &Set, value: &Val) -> PwAff = isl_pw_aff_val_on_domain;
    /// The value of a parameter.
    new fn param_on_domain(domain: &Set, id: &str) -> PwAff = isl_pw_aff_param_on_domain_id;
    /// The space it lives in.
    keep fn space() -> Space = isl_pw_aff_get_space;
    /// The space of the arguments.
    keep fn domain_space() -> Space = isl_pw_aff_get_domain_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_pw_aff_dim;
    /// The number of pieces.
    get fn n_piece() -> usize = isl_pw_aff_n_piece;
    /// Whether it is a single expression.
    keep fn isa_aff() -> bool = isl_pw_aff_isa_aff;
    /// As a single expression; the caller knows that it is one.
    take fn as_aff() -> Aff = isl_pw_aff_as_aff;
    /// As a single relation; the caller knows that there is one.
    take fn as_map() -> Map = isl_pw_aff_as_map;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> PwAff = isl_pw_aff_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> PwAff = isl_pw_aff_set_tuple_id;
    /// The sum, where both are defined.
    take fn add(other: &PwAff) -> PwAff = isl_pw_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &PwAff) -> PwAff = isl_pw_aff_sub;
    /// The product; one factor must be constant.
    take fn mul(other: &PwAff) -> PwAff = isl_pw_aff_mul;
    /// The negative.
    take fn neg() -> PwAff = isl_pw_aff_neg;
    /// The minimum, where both are defined.
    take fn min(other: &PwAff) -> PwAff = isl_pw_aff_min;
    /// The maximum, where both are defined.
    take fn max(other: &PwAff) -> PwAff = isl_pw_aff_max;
    /// Rounded down.
    take fn floor() -> PwAff = isl_pw_aff_floor;
    /// Rounded up.
    take fn ceil() -> PwAff = isl_pw_aff_ceil;
    /// The non-negative remainder modulo a positive constant.
    take fn mod_si(modulus: i64) -> PwAff = isl_pw_aff_mod_val;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> PwAff = isl_pw_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(factor: i64) -> PwAff = isl_pw_aff_scale_down_val;
    /// With a constant added.
    take fn add_constant_si(value: i64) -> PwAff = isl_pw_aff_add_constant_val;
    /// `if_true` where `self` is defined and not zero, else `if_false`.
    take fn cond(if_true: &PwAff, if_false: &PwAff) -> PwAff = isl_pw_aff_cond;
    /// The sum where both are defined, elsewhere the one that is.
    take fn union_add(other: &PwAff) -> PwAff = isl_pw_aff_union_add;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> PwAff = isl_pw_aff_coalesce;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &Set) -> PwAff = isl_pw_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> PwAff = isl_pw_aff_gist_params;
    /// The elements that have an image.
    take fn domain() -> Set = isl_pw_aff_domain;
    /// The parameter values for which it is not empty.
    take fn params() -> Set = isl_pw_aff_params;
    /// Restricted to a domain.
    take fn intersect_domain(set: &Set) -> PwAff = isl_pw_aff_intersect_domain;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> PwAff = isl_pw_aff_intersect_params;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> PwAff = isl_pw_aff_add_dims;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, first: usize, n: usize) -> PwAff = isl_pw_aff_insert_dims;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, n: usize) -> PwAff = isl_pw_aff_drop_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> PwAff = isl_pw_aff_move_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> PwAff = isl_pw_aff_align_params;
    /// With a domain tuple in front.
    take fn insert_domain(domain: &Space) -> PwAff = isl_pw_aff_insert_domain;
    /// With the arguments replaced: `self(pma(x))`.
    take fn pullback_pw_multi_aff(pma: &PwMultiAff) -> PwAff = isl_pw_aff_pullback_pw_multi_aff;
    /// The value at a point.
    take fn eval(point: &Point) -> Val = isl_pw_aff_eval;
    /// Where both are equal.
    take fn eq_set(other: &PwAff) -> Set = isl_pw_aff_eq_set;
    /// Where `self` is less.
    take fn lt_set(other: &PwAff) -> Set = isl_pw_aff_lt_set;
    /// Where `self` is at most `other`.
    take fn le_set(other: &PwAff) -> Set = isl_pw_aff_le_set;
    /// Where `self` is greater.
    take fn gt_set(other: &PwAff) -> Set = isl_pw_aff_gt_set;
    /// Where `self` is at least `other`.
    take fn ge_set(other: &PwAff) -> Set = isl_pw_aff_ge_set;
    /// The pairs of arguments with equal values.
    take fn eq_map(other: &PwAff) -> Map = isl_pw_aff_eq_map;
    /// The pairs of arguments, the first with the smaller value.
    take fn lt_map(other: &PwAff) -> Map = isl_pw_aff_lt_map;
    /// The pairs of arguments, the first with the greater value.
    take fn gt_map(other: &PwAff) -> Map = isl_pw_aff_gt_map;
    /// The minimum over the domain; an infinity when there is none.
    take fn min_val() -> Val = isl_pw_aff_min_val;
    /// The maximum over the domain; an infinity when there is none.
    take fn max_val() -> Val = isl_pw_aff_max_val;
    /// Whether it is a constant.
    keep fn is_cst() -> bool = isl_pw_aff_is_cst;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &PwAff) -> bool = isl_pw_aff_is_equal;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &PwAff) -> bool = isl_pw_aff_plain_is_equal;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool = isl_pw_aff_involves_dims;
    /// Whether it is nowhere defined.
    keep fn is_empty() -> bool = isl_pw_aff_is_empty;
    /// On an empty domain tuple.
    new fn from_range(pwa: &PwAff) -> PwAff = isl_pw_aff_from_range;
} }

methods! { PwMultiAff {
    /// Nothing.
    new fn empty(space: &Space) -> PwMultiAff = isl_pw_multi_aff_empty;
    /// One value everywhere.
    new fn from_multi_aff(value: &MultiAff) -> PwMultiAff = isl_pw_multi_aff_from_multi_aff;
    /// Zero in every dimension.
    new fn zero(space: &Space) -> PwMultiAff = isl_pw_multi_aff_zero;
    /// The identity.
    new fn identity_on_domain_space(space: &Space) -> PwMultiAff =
        isl_pw_multi_aff_identity_on_domain_space;
    /// One component.
    new fn from_pw_aff(pa: &PwAff) -> PwMultiAff = isl_pw_multi_aff_from_pw_aff;
    /// To an empty tuple.
    new fn from_domain(set: &Set) -> PwMultiAff = isl_pw_multi_aff_from_domain;
    /// The space it lives in.
    keep fn space() -> Space = isl_pw_multi_aff_get_space;
    /// The space of the arguments.
    keep fn domain_space() -> Space = isl_pw_multi_aff_get_domain_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_pw_multi_aff_dim;
    /// The number of pieces.
    get fn n_piece() -> usize = isl_pw_multi_aff_n_piece;
    /// One component.
    keep fn at(pos: usize) -> PwAff = isl_pw_multi_aff_get_at;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_pw_multi_aff_get_tuple_name;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> PwMultiAff = isl_pw_multi_aff_set_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id(ty: DimType) -> PwMultiAff = isl_pw_multi_aff_reset_tuple_id;
    /// The sum, where both are defined.
    take fn add(other: &PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_sub;
    /// The negative.
    take fn neg() -> PwMultiAff = isl_pw_multi_aff_neg;
    /// The sum where both are defined, elsewhere the one that is.
    take fn union_add(other: &PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_union_add;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> PwMultiAff = isl_pw_multi_aff_coalesce;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(set: &Set) -> PwMultiAff = isl_pw_multi_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(set: &Set) -> PwMultiAff = isl_pw_multi_aff_gist_params;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> PwMultiAff = isl_pw_multi_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(value: i64) -> PwMultiAff = isl_pw_multi_aff_scale_down_val;
    /// The elements that have an image.
    take fn domain() -> Set = isl_pw_multi_aff_domain;
    /// Restricted to a domain.
    take fn intersect_domain(set: &Set) -> PwMultiAff = isl_pw_multi_aff_intersect_domain;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> PwMultiAff = isl_pw_multi_aff_intersect_params;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &PwMultiAff) -> PwMultiAff =
        isl_pw_multi_aff_flat_range_product;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, n: usize) -> PwMultiAff =
        isl_pw_multi_aff_drop_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> PwMultiAff = isl_pw_multi_aff_align_params;
    /// With the arguments replaced: `self(pma(x))`.
    take fn pullback_pw_multi_aff(other: &PwMultiAff) -> PwMultiAff =
        isl_pw_multi_aff_pullback_pw_multi_aff;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &PwMultiAff) -> bool = isl_pw_multi_aff_is_equal;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &PwMultiAff) -> bool = isl_pw_multi_aff_plain_is_equal;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_pw_multi_aff_involves_dims;
    /// Whether it is a single expression.
    keep fn isa_multi_aff() -> bool = isl_pw_multi_aff_isa_multi_aff;
    /// As a single expression; the caller knows that it is one.
    take fn as_multi_aff() -> MultiAff = isl_pw_multi_aff_as_multi_aff;
    /// As a single relation; the caller knows that there is one.
    take fn as_map() -> Map = isl_pw_multi_aff_as_map;
    /// As a single set; the caller knows that there is one.
    take fn as_set() -> Set = isl_pw_multi_aff_as_set;
} }

methods! { MultiPwAff {
    /// Zero in every dimension.
    new fn zero(space: &Space) -> MultiPwAff = isl_multi_pw_aff_zero;
    /// The identity.
    new fn identity_on_domain_space(space: &Space) -> MultiPwAff =
        isl_multi_pw_aff_identity_on_domain_space;
    /// One component.
    new fn from_aff(aff: &Aff) -> MultiPwAff = isl_multi_pw_aff_from_aff;
    /// One component.
    new fn from_pw_aff(pa: &PwAff) -> MultiPwAff = isl_multi_pw_aff_from_pw_aff;
    /// The space it lives in.
    keep fn space() -> Space = isl_multi_pw_aff_get_space;
    /// The space of the arguments.
    keep fn domain_space() -> Space = isl_multi_pw_aff_get_domain_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_multi_pw_aff_dim;
    /// The number of components.
    get fn size() -> usize = isl_multi_pw_aff_size;
    /// One component.
    keep fn at(pos: usize) -> PwAff = isl_multi_pw_aff_get_at;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_multi_pw_aff_get_tuple_name;
    /// The components.
    keep fn pw_affs() -> Vec<PwAff> = isl_multi_pw_aff_get_list;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> MultiPwAff = isl_multi_pw_aff_set_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id(ty: DimType) -> MultiPwAff = isl_multi_pw_aff_reset_tuple_id;
    /// The sum, where both are defined.
    take fn add(other: &MultiPwAff) -> MultiPwAff = isl_multi_pw_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &MultiPwAff) -> MultiPwAff = isl_multi_pw_aff_sub;
    /// The negative.
    take fn neg() -> MultiPwAff = isl_multi_pw_aff_neg;
    /// The minimum, where both are defined.
    take fn min(other: &MultiPwAff) -> MultiPwAff = isl_multi_pw_aff_min;
    /// The maximum, where both are defined.
    take fn max(other: &MultiPwAff) -> MultiPwAff = isl_multi_pw_aff_max;
    /// The sum where both are defined, elsewhere the one that is.
    take fn union_add(other: &MultiPwAff) -> MultiPwAff = isl_multi_pw_aff_union_add;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> MultiPwAff = isl_multi_pw_aff_coalesce;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(set: &Set) -> MultiPwAff = isl_multi_pw_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(set: &Set) -> MultiPwAff = isl_multi_pw_aff_gist_params;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> MultiPwAff = isl_multi_pw_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(value: i64) -> MultiPwAff = isl_multi_pw_aff_scale_down_val;
    /// The elements that have an image.
    take fn domain() -> Set = isl_multi_pw_aff_domain;
    /// Restricted to a domain.
    take fn intersect_domain(domain: &Set) -> MultiPwAff = isl_multi_pw_aff_intersect_domain;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> MultiPwAff = isl_multi_pw_aff_intersect_params;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &MultiPwAff) -> MultiPwAff = isl_multi_pw_aff_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &MultiPwAff) -> MultiPwAff =
        isl_multi_pw_aff_flat_range_product;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, n: usize) -> MultiPwAff =
        isl_multi_pw_aff_drop_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> MultiPwAff = isl_multi_pw_aff_align_params;
    /// With the arguments replaced: `self(pma(x))`.
    take fn pullback_pw_multi_aff(pma: &PwMultiAff) -> MultiPwAff =
        isl_multi_pw_aff_pullback_pw_multi_aff;
    /// Whether it is a constant.
    keep fn is_cst() -> bool = isl_multi_pw_aff_is_cst;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &MultiPwAff) -> bool = isl_multi_pw_aff_is_equal;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &MultiPwAff) -> bool = isl_multi_pw_aff_plain_is_equal;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_multi_pw_aff_involves_dims;
    /// Whether it is a single expression.
    keep fn isa_multi_aff() -> bool = isl_multi_pw_aff_isa_multi_aff;
    /// As a single expression; the caller knows that it is one.
    take fn as_multi_aff() -> MultiAff = isl_multi_pw_aff_as_multi_aff;
    /// As a single relation; the caller knows that there is one.
    take fn as_map() -> Map = isl_multi_pw_aff_as_map;
    /// As a single set; the caller knows that there is one.
    take fn as_set() -> Set = isl_multi_pw_aff_as_set;
} }

/// The pieces that an enumeration has given so far.
struct Pieces<E> {
    ctx: Ctx,
    pieces: Result<Vec<(Set, E)>>,
}

/// Callback of an enumeration of pieces: keeps the piece in `user`, a [`Pieces<E>`].
unsafe extern "C" fn add_piece<E: Handle>(
    set: *mut ffi::isl_set,
    expression: *mut E::Raw,
    user: *mut c_void,
) -> i32 {
    // SAFETY: `user` is the `Pieces` of the enumeration; both objects are given.
    let (found, set, expression) = unsafe {
        let found = &mut *user.cast::<Pieces<E>>();
        let set = Set::from_raw(&found.ctx, set);
        let expression = E::from_raw(&found.ctx, expression);
        (found, set, expression)
    };
    match (&mut found.pieces, set, expression) {
        (Ok(list), Ok(set), Ok(expression)) => {
            list.push((set, expression));
            0
        }
        (_, Err(error), _) | (_, _, Err(error)) => {
            found.pieces = Err(error);
            -1
        }
        (Err(_), _, _) => -1,
    }
}

/// Runs an enumeration of pieces.
fn pieces<E: Handle>(
    ctx: &Ctx,
    enumerate: impl FnOnce(*mut c_void) -> i32,
) -> Result<Vec<(Set, E)>> {
    let mut found = Pieces::<E> {
        ctx: ctx.clone(),
        pieces: Ok(Vec::new()),
    };
    let stat = enumerate((&raw mut found).cast());
    let pieces = found.pieces?;
    if stat < 0 {
        Err(error::take(ctx))
    } else {
        Ok(pieces)
    }
}

impl PwAff {
    /// The pieces, in isl's order.
    pub fn pieces(&self) -> Result<Vec<(Set, Aff)>> {
        pieces(self.ctx(), |user| {
            // SAFETY: a valid object; the callback matches the type of its data.
            unsafe { ffi::isl_pw_aff_foreach_piece(self.as_ptr(), Some(add_piece::<Aff>), user) }
        })
    }
}

impl PwMultiAff {
    /// The pieces, in isl's order.
    pub fn pieces(&self) -> Result<Vec<(Set, MultiAff)>> {
        pieces(self.ctx(), |user| {
            // SAFETY: a valid object; the callback matches the type of its data.
            unsafe {
                let add = add_piece::<MultiAff>;
                ffi::isl_pw_multi_aff_foreach_piece(self.as_ptr(), Some(add), user)
            }
        })
    }
}
