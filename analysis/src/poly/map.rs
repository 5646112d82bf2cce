//! Binary relations between integer tuples: [`Map`], a finite union of [`BasicMap`]s.
//!
//! `{ S[i, j] -> A[i + j] : 0 <= j <= i < n }` relates the iterations of a statement to the
//! elements of an array. A map is a set of pairs; [`Map::wrap`] says so literally.

use super::handle::{handle, listed, methods};
use super::*;

handle! {
    /// The pairs of integer points of one polyhedron, with integer divisions.
    BasicMap = isl_basic_map, isl_basic_map_copy, isl_basic_map_free,
        show isl_basic_map_to_str, parse isl_basic_map_read_from_str
}
listed! { BasicMap = isl_basic_map_list, isl_basic_map_list_alloc, isl_basic_map_list_add,
isl_basic_map_list_size, isl_basic_map_list_get_at, isl_basic_map_list_free }

handle! {
    /// A finite union of basic maps in one space.
    Map = isl_map, isl_map_copy, isl_map_free, show isl_map_to_str, parse isl_map_read_from_str
}
listed! { Map = isl_map_list, isl_map_list_alloc, isl_map_list_add, isl_map_list_size,
isl_map_list_get_at, isl_map_list_free }

methods! { BasicMap {
    /// Everything in the space.
    new fn universe(space: &Space) -> BasicMap = isl_basic_map_universe;
    /// Nothing.
    new fn empty(space: &Space) -> BasicMap = isl_basic_map_empty;
    /// The identity.
    new fn identity(space: &Space) -> BasicMap = isl_basic_map_identity;
    /// Pairs that are equal in the first `n_equal` dimensions.
    new fn equal(space: &Space, n_equal: usize) -> BasicMap = isl_basic_map_equal;
    /// The graph of an expression.
    new fn from_aff(aff: &Aff) -> BasicMap = isl_basic_map_from_aff;
    /// From a set alone.
    new fn from_domain(set: &BasicSet) -> BasicMap = isl_basic_map_from_domain;
    /// To a set alone.
    new fn from_range(set: &BasicSet) -> BasicMap = isl_basic_map_from_range;
    /// All pairs of the two sets.
    new fn from_domain_and_range(domain: &BasicSet, range: &BasicSet) -> BasicMap =
        isl_basic_map_from_domain_and_range;
    /// The space it lives in.
    keep fn space() -> Space = isl_basic_map_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_basic_map_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_basic_map_get_dim_name;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_basic_map_get_tuple_name;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> BasicMap = isl_basic_map_set_tuple_id;
    /// The elements of both.
    take fn intersect(other: &BasicMap) -> BasicMap = isl_basic_map_intersect;
    /// Restricted to a domain.
    take fn intersect_domain(set: &BasicSet) -> BasicMap = isl_basic_map_intersect_domain;
    /// Restricted to a range.
    take fn intersect_range(set: &BasicSet) -> BasicMap = isl_basic_map_intersect_range;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &BasicSet) -> BasicMap = isl_basic_map_intersect_params;
    /// All elements of either.
    take fn union(other: &BasicMap) -> Map = isl_basic_map_union;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &BasicMap) -> BasicMap = isl_basic_map_gist;
    /// Each element `x -> y` becomes `other(x) -> y`.
    take fn apply_domain(other: &BasicMap) -> BasicMap = isl_basic_map_apply_domain;
    /// Each element `x -> y` becomes `x -> other(y)`.
    take fn apply_range(other: &BasicMap) -> BasicMap = isl_basic_map_apply_range;
    /// Domain and range exchanged.
    take fn reverse() -> BasicMap = isl_basic_map_reverse;
    /// The elements that have an image.
    take fn domain() -> BasicSet = isl_basic_map_domain;
    /// All images.
    take fn range() -> BasicSet = isl_basic_map_range;
    /// Pairs `[x -> y]` as elements of a set.
    take fn wrap() -> BasicSet = isl_basic_map_wrap;
    /// Without nesting.
    take fn flatten() -> BasicMap = isl_basic_map_flatten;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &BasicMap) -> BasicMap = isl_basic_map_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &BasicMap) -> BasicMap = isl_basic_map_flat_range_product;
    /// Elementwise sum.
    take fn sum(other: &BasicMap) -> BasicMap = isl_basic_map_sum;
    /// The negative.
    take fn neg() -> BasicMap = isl_basic_map_neg;
    /// The differences `y - x`.
    take fn deltas() -> BasicSet = isl_basic_map_deltas;
    /// Dimensions removed by existential quantification.
    take fn project_out(ty: DimType, first: usize, n: usize) -> BasicMap =
        isl_basic_map_project_out;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, pos: usize, n: usize) -> BasicMap = isl_basic_map_insert_dims;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> BasicMap = isl_basic_map_add_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> BasicMap = isl_basic_map_move_dims;
    /// Integer divisions dropped; a superset.
    take fn remove_divs() -> BasicMap = isl_basic_map_remove_divs;
    /// Without constraints that the others imply.
    take fn remove_redundancies() -> BasicMap = isl_basic_map_remove_redundancies;
    /// With implicit equalities made explicit.
    take fn detect_equalities() -> BasicMap = isl_basic_map_detect_equalities;
    /// All integer divisions in explicit form.
    take fn compute_divs() -> Map = isl_basic_map_compute_divs;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> BasicMap = isl_basic_map_align_params;
    /// Restricted to one value of a dimension.
    take fn fix_si(ty: DimType, pos: usize, value: i64) -> BasicMap = isl_basic_map_fix_val;
    /// Restricted to equal values of two dimensions.
    take fn equate(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> BasicMap =
        isl_basic_map_equate;
    /// Restricted to the first dimension being at least the second.
    take fn order_ge(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> BasicMap =
        isl_basic_map_order_ge;
    /// Restricted to the first dimension being greater than the second.
    take fn order_gt(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> BasicMap =
        isl_basic_map_order_gt;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> Map = isl_basic_map_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> Map = isl_basic_map_lexmax;
    /// The lexicographic minimum as a piecewise expression.
    take fn lexmin_pw_multi_aff() -> PwMultiAff = isl_basic_map_lexmin_pw_multi_aff;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_basic_map_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &BasicMap) -> bool = isl_basic_map_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &BasicMap) -> bool = isl_basic_map_is_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &BasicMap) -> bool = isl_basic_map_is_disjoint;
    /// Whether each element has at most one image.
    keep fn is_single_valued() -> bool = isl_basic_map_is_single_valued;
    /// Whether it has no constraint, by looking only; `false` decides nothing.
    keep fn plain_is_universe() -> bool = isl_basic_map_plain_is_universe;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_basic_map_involves_dims;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicMap = isl_basic_map_sample;
    /// The constraints.
    keep fn constraints() -> Vec<Constraint> = isl_basic_map_get_constraint_list;
    /// With one more constraint.
    take fn add_constraint(constraint: &Constraint) -> BasicMap = isl_basic_map_add_constraint;
} }

methods! { Map {
    /// Everything in the space.
    new fn universe(space: &Space) -> Map = isl_map_universe;
    /// Nothing.
    new fn empty(space: &Space) -> Map = isl_map_empty;
    /// The identity.
    new fn identity(space: &Space) -> Map = isl_map_identity;
    /// Pairs of elements, the first lexicographically less.
    new fn lex_lt(set_space: &Space) -> Map = isl_map_lex_lt;
    /// Pairs of elements, the first lexicographically less or equal.
    new fn lex_le(set_space: &Space) -> Map = isl_map_lex_le;
    /// Pairs of elements, the first lexicographically greater.
    new fn lex_gt(set_space: &Space) -> Map = isl_map_lex_gt;
    /// As a map.
    new fn from_basic_map(map: &BasicMap) -> Map = isl_map_from_basic_map;
    /// The only map of the union.
    new fn from_union_map(map: &UnionMap) -> Map = isl_map_from_union_map;
    /// The graph of an expression.
    new fn from_aff(aff: &Aff) -> Map = isl_map_from_aff;
    /// The graph of an expression.
    new fn from_pw_aff(pwaff: &PwAff) -> Map = isl_map_from_pw_aff;
    /// From a set alone.
    new fn from_domain(set: &Set) -> Map = isl_map_from_domain;
    /// To a set alone.
    new fn from_range(set: &Set) -> Map = isl_map_from_range;
    /// All pairs of the two sets.
    new fn from_domain_and_range(domain: &Set, range: &Set) -> Map = isl_map_from_domain_and_range;
    /// The space it lives in.
    keep fn space() -> Space = isl_map_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_map_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_map_get_dim_name;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_map_get_tuple_name;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> Map = isl_map_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> Map = isl_map_set_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id(ty: DimType) -> Map = isl_map_reset_tuple_id;
    /// All elements of either.
    take fn union(other: &Map) -> Map = isl_map_union;
    /// The elements of both.
    take fn intersect(other: &Map) -> Map = isl_map_intersect;
    /// Restricted to a domain.
    take fn intersect_domain(set: &Set) -> Map = isl_map_intersect_domain;
    /// Restricted to a range.
    take fn intersect_range(set: &Set) -> Map = isl_map_intersect_range;
    /// Restricted to values of the parameters.
    take fn intersect_params(params: &Set) -> Map = isl_map_intersect_params;
    /// The elements of `self` that are not in `other`.
    take fn subtract(other: &Map) -> Map = isl_map_subtract;
    /// All elements of the space that are not in it.
    take fn complement() -> Map = isl_map_complement;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &Map) -> Map = isl_map_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> Map = isl_map_gist_params;
    /// The same for inputs in a set.
    take fn gist_domain(context: &Set) -> Map = isl_map_gist_domain;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> Map = isl_map_coalesce;
    /// Each element `x -> y` becomes `other(x) -> y`.
    take fn apply_domain(other: &Map) -> Map = isl_map_apply_domain;
    /// Each element `x -> y` becomes `x -> other(y)`.
    take fn apply_range(other: &Map) -> Map = isl_map_apply_range;
    /// Domain and range exchanged.
    take fn reverse() -> Map = isl_map_reverse;
    /// The elements that have an image.
    take fn domain() -> Set = isl_map_domain;
    /// All images.
    take fn range() -> Set = isl_map_range;
    /// The parameter values for which it is not empty.
    take fn params() -> Set = isl_map_params;
    /// Pairs `[x -> y]` as elements of a set.
    take fn wrap() -> Set = isl_map_wrap;
    /// Without nesting.
    take fn flatten() -> Map = isl_map_flatten;
    /// The differences `y - x`.
    take fn deltas() -> Set = isl_map_deltas;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &Map) -> Map = isl_map_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &Map) -> Map = isl_map_flat_range_product;
    /// `[a -> b] -> [c -> d]` becomes `[a -> c] -> [b -> d]`.
    take fn zip() -> Map = isl_map_zip;
    /// Elementwise sum.
    take fn sum(other: &Map) -> Map = isl_map_sum;
    /// The negative.
    take fn neg() -> Map = isl_map_neg;
    /// Dimensions removed by existential quantification.
    take fn project_out(ty: DimType, first: usize, n: usize) -> Map = isl_map_project_out;
    /// All parameters removed by existential quantification.
    take fn project_out_all_params() -> Map = isl_map_project_out_all_params;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, pos: usize, n: usize) -> Map = isl_map_insert_dims;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> Map = isl_map_add_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> Map = isl_map_move_dims;
    /// Integer divisions dropped; a superset.
    take fn remove_divs() -> Map = isl_map_remove_divs;
    /// Without constraints that the others imply.
    take fn remove_redundancies() -> Map = isl_map_remove_redundancies;
    /// With implicit equalities made explicit.
    take fn detect_equalities() -> Map = isl_map_detect_equalities;
    /// All integer divisions in explicit form.
    take fn compute_divs() -> Map = isl_map_compute_divs;
    /// One convex superset, from translates of its own constraints.
    take fn simple_hull() -> BasicMap = isl_map_simple_hull;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> Map = isl_map_align_params;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> Map = isl_map_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> Map = isl_map_lexmax;
    /// The lexicographic minimum as a piecewise expression.
    take fn lexmin_pw_multi_aff() -> PwMultiAff = isl_map_lexmin_pw_multi_aff;
    /// The minimum of one dimension, as a function of the parameters (and the domain).
    take fn dim_min(pos: usize) -> PwAff = isl_map_dim_min;
    /// The maximum of one dimension, as a function of the parameters (and the domain).
    take fn dim_max(pos: usize) -> PwAff = isl_map_dim_max;
    /// Restricted to one value of a dimension.
    take fn fix_si(ty: DimType, pos: usize, value: i64) -> Map = isl_map_fix_val;
    /// Restricted from below.
    take fn lower_bound_si(ty: DimType, pos: usize, value: i64) -> Map = isl_map_lower_bound_val;
    /// Restricted to equal values of two dimensions.
    take fn equate(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Map = isl_map_equate;
    /// Restricted to the first dimension being less than the second.
    take fn order_lt(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Map =
        isl_map_order_lt;
    /// Restricted to the first dimension being at most the second.
    take fn order_le(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Map =
        isl_map_order_le;
    /// Restricted to the first dimension being greater than the second.
    take fn order_gt(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Map =
        isl_map_order_gt;
    /// Restricted to the first dimension being at least the second.
    take fn order_ge(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Map =
        isl_map_order_ge;
    /// The value of a dimension that is fixed by looking only, else NaN.
    keep fn plain_val_if_fixed(ty: DimType, pos: usize) -> Val = isl_map_plain_get_val_if_fixed;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_map_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &Map) -> bool = isl_map_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &Map) -> bool = isl_map_is_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &Map) -> bool = isl_map_is_disjoint;
    /// Whether each element has at most one image.
    keep fn is_single_valued() -> bool = isl_map_is_single_valued;
    /// Whether it is single-valued and injective.
    keep fn is_bijective() -> bool = isl_map_is_bijective;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &Map) -> bool = isl_map_plain_is_equal;
    /// Whether it has no constraint, by looking only; `false` decides nothing.
    keep fn plain_is_universe() -> bool = isl_map_plain_is_universe;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool = isl_map_involves_dims;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicMap = isl_map_sample;
    /// The convex pieces.
    keep fn basic_maps() -> Vec<BasicMap> = isl_map_get_basic_map_list;
    /// With one more constraint.
    take fn add_constraint(constraint: &Constraint) -> Map = isl_map_add_constraint;
    /// As a function, found now: [`Map::as_pw_multi_aff`] remembers.
    take fn to_pw_multi_aff() -> PwMultiAff = isl_map_as_pw_multi_aff;
    /// As a union.
    take fn to_union_map() -> UnionMap = isl_map_to_union_map;
} }

impl BasicMap {
    /// As a map.
    pub fn to_map(&self) -> Result<Map> {
        Map::from_basic_map(self)
    }
}

impl Map {
    /// The graph of a union of expressions; the caller knows that it has one domain space.
    pub fn from_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> Result<Map> {
        UnionMap::from_multi_union_pw_aff(mupa)?.as_map()
    }

    /// The transitive closure and whether it is exact (else it is a superset).
    pub fn transitive_closure(&self) -> Result<(Map, bool)> {
        use super::handle::{Arg, Handle};
        let mut exact = 0;
        // SAFETY: a valid object, copied; the flag lives on this stack.
        let closure = unsafe {
            let raw = ffi::isl_map_transitive_closure(self.take(self.ctx()), &mut exact);
            Map::from_raw(self.ctx(), raw)?
        };
        Ok((closure, exact == 1))
    }

    /// Whether constraints involve a parameter.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn involves_param(&self, param: &str) -> Result<bool> {
        match self.find_dim_by_name(DimType::Param, param) {
            Some(at) => self.involves_dims(DimType::Param, at, 1),
            None => Ok(false),
        }
    }

    /// The position of the dimension of this name.
    pub fn find_dim_by_name(&self, ty: DimType, name: &str) -> Option<usize> {
        (0..self.dim(ty)).find(|&pos| self.dim_name(ty, pos).as_deref() == Some(name))
    }
}
