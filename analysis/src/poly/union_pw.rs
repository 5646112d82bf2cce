//! Functions over many spaces: [`UnionPwAff`], [`MultiUnionPwAff`] and [`UnionPwMultiAff`].
//!
//! A [`MultiUnionPwAff`] with two components is what a band of two members is in a schedule
//! tree: `[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j)]; T[i] -> [(0)] }]`.

use super::handle::{handle, listed, methods};
use super::*;

handle! {
    /// A function on several spaces.
    UnionPwAff = isl_union_pw_aff, isl_union_pw_aff_copy, isl_union_pw_aff_free,
        show isl_union_pw_aff_to_str, parse isl_union_pw_aff_read_from_str
}
listed! { UnionPwAff = isl_union_pw_aff_list, isl_union_pw_aff_list_alloc,
isl_union_pw_aff_list_add, isl_union_pw_aff_list_size, isl_union_pw_aff_list_get_at,
isl_union_pw_aff_list_free }

handle! {
    /// A tuple of functions on several spaces, with one common range space.
    MultiUnionPwAff = isl_multi_union_pw_aff, isl_multi_union_pw_aff_copy,
        isl_multi_union_pw_aff_free, show isl_multi_union_pw_aff_to_str,
        parse isl_multi_union_pw_aff_read_from_str
}

handle! {
    /// Tuple-valued functions on several spaces, each with a range space of its own.
    UnionPwMultiAff = isl_union_pw_multi_aff, isl_union_pw_multi_aff_copy,
        isl_union_pw_multi_aff_free, show isl_union_pw_multi_aff_to_str,
        parse isl_union_pw_multi_aff_read_from_str
}

methods! { UnionPwAff {
    /// Nothing.
    new fn empty(space: &Space) -> UnionPwAff = isl_union_pw_aff_empty;
    /// A single expression.
    new fn from_aff(aff: &Aff) -> UnionPwAff = isl_union_pw_aff_from_aff;
    /// A single function.
    new fn from_pw_aff(pa: &PwAff) -> UnionPwAff = isl_union_pw_aff_from_pw_aff;
    /// A constant.
    new fn si_on_domain(domain: &UnionSet, value: i64) -> UnionPwAff =
        isl_union_pw_aff_val_on_domain;
    /// A constant.
    new fn val_on_domain(domain: &UnionSet, value: &Val) -> UnionPwAff =
        isl_union_pw_aff_val_on_domain;
    /// The value of a parameter.
    new fn param_on_domain(domain: &UnionSet, id: &str) -> UnionPwAff =
        isl_union_pw_aff_param_on_domain_id;
    /// The space it lives in.
    keep fn space() -> Space = isl_union_pw_aff_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_union_pw_aff_dim;
    /// The expressions, one per space.
    keep fn pw_affs() -> Vec<PwAff> = isl_union_pw_aff_get_pw_aff_list;
    /// With one more expression.
    take fn add_pw_aff(pa: &PwAff) -> UnionPwAff = isl_union_pw_aff_add_pw_aff;
    /// The sum, where both are defined.
    take fn add(other: &UnionPwAff) -> UnionPwAff = isl_union_pw_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &UnionPwAff) -> UnionPwAff = isl_union_pw_aff_sub;
    /// The negative.
    take fn neg() -> UnionPwAff = isl_union_pw_aff_neg;
    /// Rounded down.
    take fn floor() -> UnionPwAff = isl_union_pw_aff_floor;
    /// The non-negative remainder modulo a positive constant.
    take fn mod_si(factor: i64) -> UnionPwAff = isl_union_pw_aff_mod_val;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> UnionPwAff = isl_union_pw_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(value: i64) -> UnionPwAff = isl_union_pw_aff_scale_down_val;
    /// The sum where both are defined, elsewhere the one that is.
    take fn union_add(other: &UnionPwAff) -> UnionPwAff = isl_union_pw_aff_union_add;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> UnionPwAff = isl_union_pw_aff_coalesce;
    /// Without the parameters that it does not depend on.
    take fn drop_unused_params() -> UnionPwAff = isl_union_pw_aff_drop_unused_params;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &UnionSet) -> UnionPwAff = isl_union_pw_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> UnionPwAff = isl_union_pw_aff_gist_params;
    /// The elements that have an image.
    take fn domain() -> UnionSet = isl_union_pw_aff_domain;
    /// Restricted to a domain.
    take fn intersect_domain(set: &UnionSet) -> UnionPwAff = isl_union_pw_aff_intersect_domain;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> UnionPwAff = isl_union_pw_aff_intersect_params;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> UnionPwAff = isl_union_pw_aff_align_params;
    /// Where it is zero.
    take fn zero_union_set() -> UnionSet = isl_union_pw_aff_zero_union_set;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &UnionPwAff) -> bool = isl_union_pw_aff_plain_is_equal;
    /// The minimum over the domain; an infinity when there is none.
    take fn min_val() -> Val = isl_union_pw_aff_min_val;
    /// The maximum over the domain; an infinity when there is none.
    take fn max_val() -> Val = isl_union_pw_aff_max_val;
} }

methods! { MultiUnionPwAff {
    /// Zero in every dimension.
    new fn zero(space: &Space) -> MultiUnionPwAff = isl_multi_union_pw_aff_zero;
    /// One component.
    new fn from_union_pw_aff(upa: &UnionPwAff) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_from_union_pw_aff;
    /// A tuple of functions in a set space.
    new fn from_union_pw_affs(space: &Space, list: &[UnionPwAff]) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_from_union_pw_aff_list;
    /// The function that the single-valued relation is.
    new fn from_union_map(map: &UnionMap) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_from_union_map;
    /// The space it lives in.
    keep fn space() -> Space = isl_multi_union_pw_aff_get_space;
    /// The space of the arguments.
    keep fn domain_space() -> Space = isl_multi_union_pw_aff_get_domain_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_multi_union_pw_aff_dim;
    /// The number of components.
    get fn size() -> usize = isl_multi_union_pw_aff_size;
    /// One component.
    keep fn at(pos: usize) -> UnionPwAff = isl_multi_union_pw_aff_get_at;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_multi_union_pw_aff_get_tuple_name;
    /// The components.
    keep fn union_pw_affs() -> Vec<UnionPwAff> = isl_multi_union_pw_aff_get_list;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_set_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id(ty: DimType) -> MultiUnionPwAff = isl_multi_union_pw_aff_reset_tuple_id;
    /// The sum, where both are defined.
    take fn add(other: &MultiUnionPwAff) -> MultiUnionPwAff = isl_multi_union_pw_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &MultiUnionPwAff) -> MultiUnionPwAff = isl_multi_union_pw_aff_sub;
    /// The negative.
    take fn neg() -> MultiUnionPwAff = isl_multi_union_pw_aff_neg;
    /// Rounded down.
    take fn floor() -> MultiUnionPwAff = isl_multi_union_pw_aff_floor;
    /// The sum where both are defined, elsewhere the one that is.
    take fn union_add(other: &MultiUnionPwAff) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_union_add;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> MultiUnionPwAff = isl_multi_union_pw_aff_coalesce;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &UnionSet) -> MultiUnionPwAff = isl_multi_union_pw_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> MultiUnionPwAff = isl_multi_union_pw_aff_gist_params;
    /// Multiplied by a constant.
    take fn scale_si(value: i64) -> MultiUnionPwAff = isl_multi_union_pw_aff_scale_val;
    /// Divided by a constant (exactly, a rational).
    take fn scale_down_si(value: i64) -> MultiUnionPwAff = isl_multi_union_pw_aff_scale_down_val;
    /// The elements that have an image.
    take fn domain() -> UnionSet = isl_multi_union_pw_aff_domain;
    /// Restricted to a domain.
    take fn intersect_domain(set: &UnionSet) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_intersect_domain;
    /// Restricted to values of the parameters.
    take fn intersect_params(params: &Set) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_intersect_params;
    /// Restricted to a range.
    take fn intersect_range(set: &Set) -> MultiUnionPwAff = isl_multi_union_pw_aff_intersect_range;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, n: usize) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_drop_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> MultiUnionPwAff = isl_multi_union_pw_aff_align_params;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &MultiUnionPwAff) -> MultiUnionPwAff =
        isl_multi_union_pw_aff_flat_range_product;
    /// Where it is zero.
    take fn zero_union_set() -> UnionSet = isl_multi_union_pw_aff_zero_union_set;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &MultiUnionPwAff) -> bool = isl_multi_union_pw_aff_plain_is_equal;
} }

methods! { UnionPwMultiAff {
    /// Nothing.
    new fn empty(space: &Space) -> UnionPwMultiAff = isl_union_pw_multi_aff_empty;
    /// The function that the single-valued relation is.
    new fn from_union_map(map: &UnionMap) -> UnionPwMultiAff =
        isl_union_pw_multi_aff_from_union_map;
    /// With a common range space.
    new fn from_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionPwMultiAff =
        isl_union_pw_multi_aff_from_multi_union_pw_aff;
    /// To an empty tuple.
    new fn from_domain(set: &UnionSet) -> UnionPwMultiAff = isl_union_pw_multi_aff_from_domain;
    /// The space it lives in.
    keep fn space() -> Space = isl_union_pw_multi_aff_get_space;
    /// The sum, where both are defined.
    take fn add(other: &UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_add;
    /// The difference, where both are defined.
    take fn sub(other: &UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_sub;
    /// The negative.
    take fn neg() -> UnionPwMultiAff = isl_union_pw_multi_aff_neg;
    /// The sum where both are defined, elsewhere the one that is.
    take fn union_add(other: &UnionPwMultiAff) -> UnionPwMultiAff =
        isl_union_pw_multi_aff_union_add;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> UnionPwMultiAff = isl_union_pw_multi_aff_coalesce;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &UnionSet) -> UnionPwMultiAff = isl_union_pw_multi_aff_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> UnionPwMultiAff = isl_union_pw_multi_aff_gist_params;
    /// The elements that have an image.
    take fn domain() -> UnionSet = isl_union_pw_multi_aff_domain;
    /// Restricted to a domain.
    take fn intersect_domain(set: &UnionSet) -> UnionPwMultiAff =
        isl_union_pw_multi_aff_intersect_domain;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> UnionPwMultiAff =
        isl_union_pw_multi_aff_intersect_params;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &UnionPwMultiAff) -> UnionPwMultiAff =
        isl_union_pw_multi_aff_flat_range_product;
    /// As a function; the caller knows that it is one.
    take fn as_pw_multi_aff() -> PwMultiAff = isl_union_pw_multi_aff_as_pw_multi_aff;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &UnionPwMultiAff) -> bool = isl_union_pw_multi_aff_plain_is_equal;
} }
