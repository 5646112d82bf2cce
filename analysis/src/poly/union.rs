//! Sets and relations over many spaces at once: [`UnionSet`] and [`UnionMap`].
//!
//! The iteration domain of a program is a union set with one set per statement, its accesses
//! are a union map. Spaces are told apart by tuple name and arity, never by parameters.

use super::handle::{handle, listed, methods};
use super::*;

handle! {
    /// Sets of several spaces.
    UnionSet = isl_union_set, isl_union_set_copy, isl_union_set_free,
        show isl_union_set_to_str, parse isl_union_set_read_from_str
}
listed! { UnionSet = isl_union_set_list, isl_union_set_list_alloc, isl_union_set_list_add,
isl_union_set_list_size, isl_union_set_list_get_at, isl_union_set_list_free }

handle! {
    /// Relations between several spaces.
    UnionMap = isl_union_map, isl_union_map_copy, isl_union_map_free,
        show isl_union_map_to_str, parse isl_union_map_read_from_str
}

methods! { UnionSet {
    /// Nothing.
    new fn empty(space: &Space) -> UnionSet = isl_union_set_empty;
    /// Everything in the spaces of the argument.
    take fn universe_of() -> UnionSet = isl_union_set_universe;
    /// The space it lives in.
    keep fn space() -> Space = isl_union_set_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_union_set_dim;
    /// The number of spaces.
    get fn n_set() -> usize = isl_union_set_n_set;
    /// The sets, one per space.
    keep fn sets() -> Vec<Set> = isl_union_set_get_set_list;
    /// The convex pieces.
    keep fn basic_sets() -> Vec<BasicSet> = isl_union_set_get_basic_set_list;
    /// The part in one space.
    mixed fn extract_set(space: &Space) -> Set = isl_union_set_extract_set;
    /// Whether it has a part in the space.
    keep fn contains(space: &Space) -> bool = isl_union_set_contains;
    /// As a single set; the caller knows that there is one.
    take fn as_set() -> Set = isl_union_set_as_set;
    /// All elements of either.
    take fn union(other: &UnionSet) -> UnionSet = isl_union_set_union;
    /// The elements of both.
    take fn intersect(other: &UnionSet) -> UnionSet = isl_union_set_intersect;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> UnionSet = isl_union_set_intersect_params;
    /// The elements of `self` that are not in `other`.
    take fn subtract(other: &UnionSet) -> UnionSet = isl_union_set_subtract;
    /// The image under `map`.
    take fn apply(map: &UnionMap) -> UnionSet = isl_union_set_apply;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &UnionSet) -> UnionSet = isl_union_set_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(set: &Set) -> UnionSet = isl_union_set_gist_params;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> UnionSet = isl_union_set_coalesce;
    /// Without the parameters that no constraint has.
    take fn drop_unused_params() -> UnionSet = isl_union_set_drop_unused_params;
    /// The parameter values for which it is not empty.
    take fn params() -> Set = isl_union_set_params;
    /// Dimensions removed by existential quantification.
    take fn project_out(ty: DimType, first: usize, n: usize) -> UnionSet =
        isl_union_set_project_out;
    /// All parameters removed by existential quantification.
    take fn project_out_all_params() -> UnionSet = isl_union_set_project_out_all_params;
    /// Integer divisions dropped; a superset.
    take fn remove_divs() -> UnionSet = isl_union_set_remove_divs;
    /// Without constraints that the others imply.
    take fn remove_redundancies() -> UnionSet = isl_union_set_remove_redundancies;
    /// With implicit equalities made explicit.
    take fn detect_equalities() -> UnionSet = isl_union_set_detect_equalities;
    /// All integer divisions in explicit form.
    take fn compute_divs() -> UnionSet = isl_union_set_compute_divs;
    /// One convex superset, from translates of its own constraints.
    take fn simple_hull() -> UnionSet = isl_union_set_simple_hull;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> UnionSet = isl_union_set_align_params;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> UnionSet = isl_union_set_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> UnionSet = isl_union_set_lexmax;
    /// The identity.
    take fn identity() -> UnionMap = isl_union_set_identity;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &UnionSet) -> UnionSet = isl_union_set_product;
    /// The relation that the pairs describe.
    take fn unwrap() -> UnionMap = isl_union_set_unwrap;
    /// The cone of all `(c0, cn, cx)` with `c0 + cn.n + cx.x >= 0` on the whole set (Farkas'
    /// lemma).
    take fn coefficients() -> UnionSet = isl_union_set_coefficients;
    /// The inverse of `coefficients`.
    take fn solutions() -> UnionSet = isl_union_set_solutions;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_union_set_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &UnionSet) -> bool = isl_union_set_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &UnionSet) -> bool = isl_union_set_is_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &UnionSet) -> bool = isl_union_set_is_disjoint;
    /// Whether it is a set of parameter values, without a tuple.
    get fn is_params() -> bool = isl_union_set_is_params;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicSet = isl_union_set_sample;
    /// One element; void when there is none.
    take fn sample_point() -> Point = isl_union_set_sample_point;
} }

methods! { UnionMap {
    /// Nothing.
    new fn empty(space: &Space) -> UnionMap = isl_union_map_empty;
    /// A single relation.
    new fn from_basic_map(map: &BasicMap) -> UnionMap = isl_union_map_from_basic_map;
    /// From a set alone.
    new fn from_domain(set: &UnionSet) -> UnionMap = isl_union_map_from_domain;
    /// To a set alone.
    new fn from_range(set: &UnionSet) -> UnionMap = isl_union_map_from_range;
    /// All pairs of the two sets.
    new fn from_domain_and_range(domain: &UnionSet, range: &UnionSet) -> UnionMap =
        isl_union_map_from_domain_and_range;
    /// The graph of an expression.
    new fn from_union_pw_aff(upa: &UnionPwAff) -> UnionMap = isl_union_map_from_union_pw_aff;
    /// The graph of an expression.
    new fn from_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_from_multi_union_pw_aff;
    /// Everything in the spaces of the argument.
    take fn universe_of() -> UnionMap = isl_union_map_universe;
    /// The space it lives in.
    keep fn space() -> Space = isl_union_map_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_union_map_dim;
    /// The relations, one per pair of spaces.
    keep fn maps() -> Vec<Map> = isl_union_map_get_map_list;
    /// The part in one space.
    mixed fn extract_map(space: &Space) -> Map = isl_union_map_extract_map;
    /// Whether it has a part in the space.
    keep fn contains(space: &Space) -> bool = isl_union_map_contains;
    /// As a single relation; the caller knows that there is one.
    take fn as_map() -> Map = isl_union_map_as_map;
    /// All elements of either.
    take fn union(other: &UnionMap) -> UnionMap = isl_union_map_union;
    /// The elements of both.
    take fn intersect(other: &UnionMap) -> UnionMap = isl_union_map_intersect;
    /// Restricted to a domain.
    take fn intersect_domain(set: &UnionSet) -> UnionMap = isl_union_map_intersect_domain;
    /// Restricted to a range.
    take fn intersect_range(set: &UnionSet) -> UnionMap = isl_union_map_intersect_range;
    /// Restricted to values of the parameters.
    take fn intersect_params(set: &Set) -> UnionMap = isl_union_map_intersect_params;
    /// The elements of `self` that are not in `other`.
    take fn subtract(other: &UnionMap) -> UnionMap = isl_union_map_subtract;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &UnionMap) -> UnionMap = isl_union_map_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(set: &Set) -> UnionMap = isl_union_map_gist_params;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> UnionMap = isl_union_map_coalesce;
    /// Each element `x -> y` becomes `other(x) -> y`.
    take fn apply_domain(other: &UnionMap) -> UnionMap = isl_union_map_apply_domain;
    /// Each element `x -> y` becomes `x -> other(y)`.
    take fn apply_range(other: &UnionMap) -> UnionMap = isl_union_map_apply_range;
    /// Domain and range exchanged.
    take fn reverse() -> UnionMap = isl_union_map_reverse;
    /// The elements that have an image.
    take fn domain() -> UnionSet = isl_union_map_domain;
    /// All images.
    take fn range() -> UnionSet = isl_union_map_range;
    /// The parameter values for which it is not empty.
    take fn params() -> Set = isl_union_map_params;
    /// Pairs `[x -> y]` as elements of a set.
    take fn wrap() -> UnionSet = isl_union_map_wrap;
    /// The differences `y - x`.
    take fn deltas() -> UnionSet = isl_union_map_deltas;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &UnionMap) -> UnionMap = isl_union_map_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &UnionMap) -> UnionMap = isl_union_map_flat_range_product;
    /// `[a -> b] -> [c -> d]` becomes `[a -> c] -> [b -> d]`.
    take fn zip() -> UnionMap = isl_union_map_zip;
    /// Dimensions removed by existential quantification.
    take fn project_out(ty: DimType, first: usize, n: usize) -> UnionMap =
        isl_union_map_project_out;
    /// All parameters removed by existential quantification.
    take fn project_out_all_params() -> UnionMap = isl_union_map_project_out_all_params;
    /// Integer divisions dropped; a superset.
    take fn remove_divs() -> UnionMap = isl_union_map_remove_divs;
    /// Without constraints that the others imply.
    take fn remove_redundancies() -> UnionMap = isl_union_map_remove_redundancies;
    /// With implicit equalities made explicit.
    take fn detect_equalities() -> UnionMap = isl_union_map_detect_equalities;
    /// All integer divisions in explicit form.
    take fn compute_divs() -> UnionMap = isl_union_map_compute_divs;
    /// One convex superset, from translates of its own constraints.
    take fn simple_hull() -> UnionMap = isl_union_map_simple_hull;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> UnionMap = isl_union_map_align_params;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> UnionMap = isl_union_map_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> UnionMap = isl_union_map_lexmax;
    /// Pairs of domain elements whose images are lexicographically less.
    take fn lex_lt_union_map(other: &UnionMap) -> UnionMap = isl_union_map_lex_lt_union_map;
    /// The pairs `x -> y` with `mupa(x)` lexicographically less than `mupa(y)`.
    take fn lex_lt_at_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_lex_lt_at_multi_union_pw_aff;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_union_map_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &UnionMap) -> bool = isl_union_map_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &UnionMap) -> bool = isl_union_map_is_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &UnionMap) -> bool = isl_union_map_is_disjoint;
    /// Whether each element has at most one image.
    keep fn is_single_valued() -> bool = isl_union_map_is_single_valued;
    /// Whether it is single-valued and injective.
    keep fn is_bijective() -> bool = isl_union_map_is_bijective;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_union_map_involves_dims;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicMap = isl_union_map_sample;
} }
