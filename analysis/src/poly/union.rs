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
    /// Nothing, without parameters.
    new fn empty_ctx(ctx: &Ctx) -> UnionSet = isl_union_set_empty_ctx;
    /// A single set.
    new fn from_set(set: &Set) -> UnionSet = isl_union_set_from_set;
    /// A single set.
    new fn from_basic_set(set: &BasicSet) -> UnionSet = isl_union_set_from_basic_set;
    /// One point.
    new fn from_point(point: &Point) -> UnionSet = isl_union_set_from_point;
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
    /// Whether it is a single set.
    keep fn isa_set() -> bool = isl_union_set_isa_set;
    /// As a single set; the caller knows that there is one.
    take fn as_set() -> Set = isl_union_set_as_set;
    /// With one more set.
    take fn add_set(set: &Set) -> UnionSet = isl_union_set_add_set;
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
    /// The smallest affine superset.
    take fn affine_hull() -> UnionSet = isl_union_set_affine_hull;
    /// The smallest convex superset; an integer over-approximation.
    take fn polyhedral_hull() -> UnionSet = isl_union_set_polyhedral_hull;
    /// Without parameters that do not occur.
    take fn drop_unused_params() -> UnionSet = isl_union_set_drop_unused_params;
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
    /// The map from each wrapped pair to its first element.
    take fn wrapped_domain_map() -> UnionMap = isl_union_set_wrapped_domain_map;
    /// The cone of all `(c0, cn, cx)` with `c0 + cn.n + cx.x >= 0` on the whole set (Farkas'
    /// lemma).
    take fn coefficients() -> UnionSet = isl_union_set_coefficients;
    /// The inverse of `coefficients`.
    take fn solutions() -> UnionSet = isl_union_set_solutions;
    /// Pairs of elements, the first lexicographically less.
    take fn lex_lt_union_set(other: &UnionSet) -> UnionMap = isl_union_set_lex_lt_union_set;
    /// Pairs of elements, the first lexicographically less or equal.
    take fn lex_le_union_set(other: &UnionSet) -> UnionMap = isl_union_set_lex_le_union_set;
    /// Pairs of elements, the first lexicographically greater.
    take fn lex_gt_union_set(other: &UnionSet) -> UnionMap = isl_union_set_lex_gt_union_set;
    /// Pairs of elements, the first lexicographically greater or equal.
    take fn lex_ge_union_set(other: &UnionSet) -> UnionMap = isl_union_set_lex_ge_union_set;
    /// The arguments that `ma` sends into it.
    take fn preimage_multi_aff(ma: &MultiAff) -> UnionSet = isl_union_set_preimage_multi_aff;
    /// The arguments that `pma` sends into it.
    take fn preimage_pw_multi_aff(pma: &PwMultiAff) -> UnionSet =
        isl_union_set_preimage_pw_multi_aff;
    /// The arguments that `upma` sends into it.
    take fn preimage_union_pw_multi_aff(upma: &UnionPwMultiAff) -> UnionSet =
        isl_union_set_preimage_union_pw_multi_aff;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_union_set_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &UnionSet) -> bool = isl_union_set_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &UnionSet) -> bool = isl_union_set_is_subset;
    /// Whether it is a subset and not equal.
    keep fn is_strict_subset(other: &UnionSet) -> bool = isl_union_set_is_strict_subset;
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
    /// Nothing, without parameters.
    new fn empty_ctx(ctx: &Ctx) -> UnionMap = isl_union_map_empty_ctx;
    /// A single relation.
    new fn from_map(map: &Map) -> UnionMap = isl_union_map_from_map;
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
    /// The graph of an expression.
    new fn from_union_pw_multi_aff(upma: &UnionPwMultiAff) -> UnionMap =
        isl_union_map_from_union_pw_multi_aff;
    /// Everything in the spaces of the argument.
    take fn universe_of() -> UnionMap = isl_union_map_universe;
    /// The space it lives in.
    keep fn space() -> Space = isl_union_map_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_union_map_dim;
    /// The number of spaces.
    get fn n_map() -> usize = isl_union_map_n_map;
    /// The relations, one per pair of spaces.
    keep fn maps() -> Vec<Map> = isl_union_map_get_map_list;
    /// The part in one space.
    mixed fn extract_map(space: &Space) -> Map = isl_union_map_extract_map;
    /// Whether it has a part in the space.
    keep fn contains(space: &Space) -> bool = isl_union_map_contains;
    /// Whether it is a single relation.
    keep fn isa_map() -> bool = isl_union_map_isa_map;
    /// As a single relation; the caller knows that there is one.
    take fn as_map() -> Map = isl_union_map_as_map;
    /// With one more relation.
    take fn add_map(map: &Map) -> UnionMap = isl_union_map_add_map;
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
    /// Without `set` in the domain.
    take fn subtract_domain(dom: &UnionSet) -> UnionMap = isl_union_map_subtract_domain;
    /// Without the elements of `dom` in the range.
    take fn subtract_range(dom: &UnionSet) -> UnionMap = isl_union_map_subtract_range;
    /// Restricted to domains in one space.
    take fn intersect_domain_space(space: &Space) -> UnionMap =
        isl_union_map_intersect_domain_space;
    /// Restricted to ranges in one space.
    take fn intersect_range_space(space: &Space) -> UnionMap = isl_union_map_intersect_range_space;
    /// Restricted in the first factor of the domain.
    take fn intersect_domain_factor_domain(factor: &UnionMap) -> UnionMap =
        isl_union_map_intersect_domain_factor_domain;
    /// Restricted in the second factor of the domain.
    take fn intersect_domain_factor_range(factor: &UnionMap) -> UnionMap =
        isl_union_map_intersect_domain_factor_range;
    /// Restricted in the first factor of the range.
    take fn intersect_range_factor_domain(factor: &UnionMap) -> UnionMap =
        isl_union_map_intersect_range_factor_domain;
    /// Restricted in the second factor of the range.
    take fn intersect_range_factor_range(factor: &UnionMap) -> UnionMap =
        isl_union_map_intersect_range_factor_range;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &UnionMap) -> UnionMap = isl_union_map_gist;
    /// Simplified by what `context` says about the domain.
    take fn gist_domain(set: &UnionSet) -> UnionMap = isl_union_map_gist_domain;
    /// Simplified by what `context` says about the range.
    take fn gist_range(set: &UnionSet) -> UnionMap = isl_union_map_gist_range;
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
    /// The map from each pair to its first element.
    take fn domain_map() -> UnionMap = isl_union_map_domain_map;
    /// The map from each pair to its second element.
    take fn range_map() -> UnionMap = isl_union_map_range_map;
    /// The differences `y - x`.
    take fn deltas() -> UnionSet = isl_union_map_deltas;
    /// The map from pairs to their differences.
    take fn deltas_map() -> UnionMap = isl_union_map_deltas_map;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &UnionMap) -> UnionMap = isl_union_map_product;
    /// Pairs in the domain, common range.
    take fn domain_product(other: &UnionMap) -> UnionMap = isl_union_map_domain_product;
    /// Common domain, pairs in the range.
    take fn range_product(other: &UnionMap) -> UnionMap = isl_union_map_range_product;
    /// The domain product without nesting.
    take fn flat_domain_product(other: &UnionMap) -> UnionMap = isl_union_map_flat_domain_product;
    /// The range product without nesting: tuples concatenated.
    take fn flat_range_product(other: &UnionMap) -> UnionMap = isl_union_map_flat_range_product;
    /// The first factor of a product.
    take fn factor_domain() -> UnionMap = isl_union_map_factor_domain;
    /// The second factor of a product.
    take fn factor_range() -> UnionMap = isl_union_map_factor_range;
    /// The first factor of the domain.
    take fn domain_factor_domain() -> UnionMap = isl_union_map_domain_factor_domain;
    /// The second factor of the domain.
    take fn domain_factor_range() -> UnionMap = isl_union_map_domain_factor_range;
    /// The first factor of the range.
    take fn range_factor_domain() -> UnionMap = isl_union_map_range_factor_domain;
    /// The second factor of the range.
    take fn range_factor_range() -> UnionMap = isl_union_map_range_factor_range;
    /// `[a -> b] -> c` becomes `a -> [b -> c]`.
    take fn curry() -> UnionMap = isl_union_map_curry;
    /// `a -> [b -> c]` becomes `[a -> b] -> c`.
    take fn uncurry() -> UnionMap = isl_union_map_uncurry;
    /// `[a -> b] -> [c -> d]` becomes `[a -> c] -> [b -> d]`.
    take fn zip() -> UnionMap = isl_union_map_zip;
    /// With the wrapped range reversed.
    take fn range_reverse() -> UnionMap = isl_union_map_range_reverse;
    /// With the wrapped domain reversed.
    take fn domain_reverse() -> UnionMap = isl_union_map_domain_reverse;
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
    /// The smallest affine superset.
    take fn affine_hull() -> UnionMap = isl_union_map_affine_hull;
    /// The smallest convex superset; an integer over-approximation.
    take fn polyhedral_hull() -> UnionMap = isl_union_map_polyhedral_hull;
    /// Without parameters that do not occur.
    take fn drop_unused_params() -> UnionMap = isl_union_map_drop_unused_params;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> UnionMap = isl_union_map_align_params;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> UnionMap = isl_union_map_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> UnionMap = isl_union_map_lexmax;
    /// The relation applied `exp` times.
    take fn fixed_power_si(modulus: i64) -> UnionMap = isl_union_map_fixed_power_val;
    /// The relation applied `exp` times.
    take fn fixed_power_val(modulus: &Val) -> UnionMap = isl_union_map_fixed_power_val;
    /// Pairs of domain elements whose images are lexicographically less.
    take fn lex_lt_union_map(other: &UnionMap) -> UnionMap = isl_union_map_lex_lt_union_map;
    /// Pairs of domain elements whose images are lexicographically less or equal.
    take fn lex_le_union_map(other: &UnionMap) -> UnionMap = isl_union_map_lex_le_union_map;
    /// Pairs of domain elements whose images are lexicographically greater.
    take fn lex_gt_union_map(other: &UnionMap) -> UnionMap = isl_union_map_lex_gt_union_map;
    /// Pairs of domain elements whose images are lexicographically greater or equal.
    take fn lex_ge_union_map(other: &UnionMap) -> UnionMap = isl_union_map_lex_ge_union_map;
    /// The pairs `x -> y` with `mupa(x)` lexicographically less than `mupa(y)`.
    take fn lex_lt_at_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_lex_lt_at_multi_union_pw_aff;
    /// The pairs `x -> y` with `mupa(x)` lexicographically at most `mupa(y)`.
    take fn lex_le_at_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_lex_le_at_multi_union_pw_aff;
    /// The pairs `x -> y` with `mupa(x)` lexicographically greater than `mupa(y)`.
    take fn lex_gt_at_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_lex_gt_at_multi_union_pw_aff;
    /// The pairs `x -> y` with `mupa(x)` lexicographically at least `mupa(y)`.
    take fn lex_ge_at_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_lex_ge_at_multi_union_pw_aff;
    /// The pairs `x -> y` with equal values of `mupa`.
    take fn eq_at_multi_union_pw_aff(mupa: &MultiUnionPwAff) -> UnionMap =
        isl_union_map_eq_at_multi_union_pw_aff;
    /// With the domain pulled back along `ma`.
    take fn preimage_domain_multi_aff(ma: &MultiAff) -> UnionMap =
        isl_union_map_preimage_domain_multi_aff;
    /// With the domain pulled back along `pma`.
    take fn preimage_domain_pw_multi_aff(pma: &PwMultiAff) -> UnionMap =
        isl_union_map_preimage_domain_pw_multi_aff;
    /// With the domain pulled back along `mpa`.
    take fn preimage_domain_multi_pw_aff(mpa: &MultiPwAff) -> UnionMap =
        isl_union_map_preimage_domain_multi_pw_aff;
    /// With the domain pulled back along `upma`.
    take fn preimage_domain_union_pw_multi_aff(upma: &UnionPwMultiAff) -> UnionMap =
        isl_union_map_preimage_domain_union_pw_multi_aff;
    /// With the range pulled back along `ma`.
    take fn preimage_range_multi_aff(ma: &MultiAff) -> UnionMap =
        isl_union_map_preimage_range_multi_aff;
    /// With the range pulled back along `pma`.
    take fn preimage_range_pw_multi_aff(pma: &PwMultiAff) -> UnionMap =
        isl_union_map_preimage_range_pw_multi_aff;
    /// With the range pulled back along `upma`.
    take fn preimage_range_union_pw_multi_aff(upma: &UnionPwMultiAff) -> UnionMap =
        isl_union_map_preimage_range_union_pw_multi_aff;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_union_map_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &UnionMap) -> bool = isl_union_map_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &UnionMap) -> bool = isl_union_map_is_subset;
    /// Whether it is a subset and not equal.
    keep fn is_strict_subset(other: &UnionMap) -> bool = isl_union_map_is_strict_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &UnionMap) -> bool = isl_union_map_is_disjoint;
    /// Whether each element has at most one image.
    keep fn is_single_valued() -> bool = isl_union_map_is_single_valued;
    /// Whether no two elements share an image.
    keep fn is_injective() -> bool = isl_union_map_is_injective;
    /// Whether it is single-valued and injective.
    keep fn is_bijective() -> bool = isl_union_map_is_bijective;
    /// Whether it is an identity.
    keep fn is_identity() -> bool = isl_union_map_is_identity;
    /// Whether it is empty by looking only; `false` decides nothing.
    keep fn plain_is_empty() -> bool = isl_union_map_plain_is_empty;
    /// Whether it is injective by looking only; `false` decides nothing.
    keep fn plain_is_injective() -> bool = isl_union_map_plain_is_injective;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_union_map_involves_dims;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicMap = isl_union_map_sample;
    /// As a function; the caller knows that it is one.
    take fn as_multi_union_pw_aff() -> MultiUnionPwAff = isl_union_map_as_multi_union_pw_aff;
    /// As a function; the caller knows that it is one.
    take fn as_union_pw_multi_aff() -> UnionPwMultiAff = isl_union_map_as_union_pw_multi_aff;
} }
