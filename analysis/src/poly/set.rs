//! Sets of integer tuples: [`Set`], a finite union of [`BasicSet`]s.
//!
//! A basic set is the integer points of one polyhedron, with existentially quantified
//! integer divisions. `{ S[i, j] : 0 <= j <= i < n }` in isl's notation is a basic set of the
//! space of tuples `S[i, j]` with the parameter `n`.

use super::handle::{Arg, Handle, handle, listed, methods};
use super::*;

handle! {
    /// The integer points of one polyhedron, with integer divisions.
    BasicSet = isl_basic_set, isl_basic_set_copy, isl_basic_set_free,
        show isl_basic_set_to_str, parse isl_basic_set_read_from_str
}
listed! { BasicSet = isl_basic_set_list, isl_basic_set_list_alloc, isl_basic_set_list_add,
isl_basic_set_list_size, isl_basic_set_list_get_at, isl_basic_set_list_free }

handle! {
    /// A finite union of basic sets in one space.
    Set = isl_set, isl_set_copy, isl_set_free, show isl_set_to_str, parse isl_set_read_from_str
}
listed! { Set = isl_set_list, isl_set_list_alloc, isl_set_list_add, isl_set_list_size,
isl_set_list_get_at, isl_set_list_free }

methods! { BasicSet {
    /// Everything in the space.
    new fn universe(space: &Space) -> BasicSet = isl_basic_set_universe;
    /// Nothing.
    new fn empty(space: &Space) -> BasicSet = isl_basic_set_empty;
    /// The set without tuple as a set with an empty tuple.
    new fn from_params(set: &BasicSet) -> BasicSet = isl_basic_set_from_params;
    /// The space it lives in.
    keep fn space() -> Space = isl_basic_set_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_basic_set_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_basic_set_get_dim_name;
    /// The name of the tuple.
    get fn tuple_name() -> Option<String> = isl_basic_set_get_tuple_name;
    /// With a name for the tuple.
    take fn set_tuple_name(id: &str) -> BasicSet = isl_basic_set_set_tuple_id;
    /// The elements of both.
    take fn intersect(other: &BasicSet) -> BasicSet = isl_basic_set_intersect;
    /// Restricted to values of the parameters.
    take fn intersect_params(other: &BasicSet) -> BasicSet = isl_basic_set_intersect_params;
    /// All elements of either.
    take fn union(other: &BasicSet) -> Set = isl_basic_set_union;
    /// The image under `map`.
    take fn apply(map: &BasicMap) -> BasicSet = isl_basic_set_apply;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &BasicSet) -> BasicSet = isl_basic_set_gist;
    /// The parameter values for which it is not empty.
    take fn params() -> BasicSet = isl_basic_set_params;
    /// Dimensions removed by existential quantification.
    take fn project_out(ty: DimType, first: usize, n: usize) -> BasicSet =
        isl_basic_set_project_out;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, pos: usize, n: usize) -> BasicSet = isl_basic_set_insert_dims;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> BasicSet = isl_basic_set_add_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> BasicSet = isl_basic_set_move_dims;
    /// Integer divisions dropped; a superset.
    take fn remove_divs() -> BasicSet = isl_basic_set_remove_divs;
    /// Without constraints that the others imply.
    take fn remove_redundancies() -> BasicSet = isl_basic_set_remove_redundancies;
    /// With implicit equalities made explicit.
    take fn detect_equalities() -> BasicSet = isl_basic_set_detect_equalities;
    /// All integer divisions in explicit form.
    take fn compute_divs() -> Set = isl_basic_set_compute_divs;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> BasicSet = isl_basic_set_align_params;
    /// Restricted to one value of a dimension.
    take fn fix_si(ty: DimType, pos: usize, value: i64) -> BasicSet = isl_basic_set_fix_val;
    /// Restricted from below.
    take fn lower_bound_si(ty: DimType, pos: usize, value: i64) -> BasicSet =
        isl_basic_set_lower_bound_val;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> Set = isl_basic_set_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> Set = isl_basic_set_lexmax;
    /// The negative.
    take fn neg() -> BasicSet = isl_basic_set_neg;
    /// Without nesting.
    take fn flatten() -> BasicSet = isl_basic_set_flatten;
    /// The relation that the pairs describe.
    take fn unwrap() -> BasicMap = isl_basic_set_unwrap;
    /// The cone of all `(c0, cn, cx)` with `c0 + cn.n + cx.x >= 0` on the whole set (Farkas'
    /// lemma).
    take fn coefficients() -> BasicSet = isl_basic_set_coefficients;
    /// The inverse of `coefficients`.
    take fn solutions() -> BasicSet = isl_basic_set_solutions;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_basic_set_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &BasicSet) -> bool = isl_basic_set_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &BasicSet) -> bool = isl_basic_set_is_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &BasicSet) -> bool = isl_basic_set_is_disjoint;
    /// Whether it is bounded for every value of the parameters.
    keep fn is_bounded() -> bool = isl_basic_set_is_bounded;
    /// Whether its elements are pairs.
    get fn is_wrapping() -> bool = isl_basic_set_is_wrapping;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &BasicSet) -> bool = isl_basic_set_plain_is_equal;
    /// Whether it has no constraint, by looking only; `false` decides nothing.
    keep fn plain_is_universe() -> bool = isl_basic_set_plain_is_universe;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool =
        isl_basic_set_involves_dims;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicSet = isl_basic_set_sample;
    /// One element; void when there is none.
    take fn sample_point() -> Point = isl_basic_set_sample_point;
    /// The maximum of one dimension over everything; an infinity when there is none.
    take fn dim_max_val(pos: usize) -> Val = isl_basic_set_dim_max_val;
    /// The constraints.
    keep fn constraints() -> Vec<Constraint> = isl_basic_set_get_constraint_list;
    /// With one more constraint.
    take fn add_constraint(constraint: &Constraint) -> BasicSet = isl_basic_set_add_constraint;
    /// As a set.
    take fn to_set() -> Set = isl_basic_set_to_set;
} }

methods! { Set {
    /// Everything in the space.
    new fn universe(space: &Space) -> Set = isl_set_universe;
    /// Nothing.
    new fn empty(space: &Space) -> Set = isl_set_empty;
    /// The set without tuple as a set with an empty tuple.
    new fn from_params(set: &Set) -> Set = isl_set_from_params;
    /// The single point that the expression gives, for each parameter value.
    new fn from_pw_aff(pwaff: &PwAff) -> Set = isl_set_from_pw_aff;
    /// The space it lives in.
    keep fn space() -> Space = isl_set_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_set_dim;
    /// The number of set dimensions.
    get fn tuple_dim() -> usize = isl_set_tuple_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_set_get_dim_name;
    /// The name of the tuple.
    get fn tuple_name() -> Option<String> = isl_set_get_tuple_name;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> Set = isl_set_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(id: &str) -> Set = isl_set_set_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id() -> Set = isl_set_reset_tuple_id;
    /// All elements of either.
    take fn union(other: &Set) -> Set = isl_set_union;
    /// The elements of both.
    take fn intersect(other: &Set) -> Set = isl_set_intersect;
    /// Restricted to values of the parameters.
    take fn intersect_params(other: &Set) -> Set = isl_set_intersect_params;
    /// The elements of `self` that are not in `other`.
    take fn subtract(other: &Set) -> Set = isl_set_subtract;
    /// All elements of the space that are not in it.
    take fn complement() -> Set = isl_set_complement;
    /// The image under `map`.
    take fn apply(map: &Map) -> Set = isl_set_apply;
    /// Simplified to what `context` does not already say: equal to `self` inside `context`.
    take fn gist(context: &Set) -> Set = isl_set_gist;
    /// Simplified by what `context` says about the parameters.
    take fn gist_params(context: &Set) -> Set = isl_set_gist_params;
    /// The same elements in fewer pieces, where possible.
    take fn coalesce() -> Set = isl_set_coalesce;
    /// The parameter values for which it is not empty.
    take fn params() -> Set = isl_set_params;
    /// Dimensions removed by existential quantification.
    take fn project_out(ty: DimType, first: usize, n: usize) -> Set = isl_set_project_out;
    /// All parameters removed by existential quantification.
    take fn project_out_all_params() -> Set = isl_set_project_out_all_params;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, pos: usize, n: usize) -> Set = isl_set_insert_dims;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> Set = isl_set_add_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> Set = isl_set_move_dims;
    /// Without constraints on `n` dimensions, which stay: for some value of them.
    take fn eliminate(ty: DimType, pos: usize, n: usize) -> Set = isl_set_eliminate;
    /// Without the constraints that have one of `n` dimensions; a superset.
    take fn drop_constraints_involving(ty: DimType, pos: usize, n: usize) -> Set =
        isl_set_drop_constraints_involving_dims;
    /// Integer divisions dropped; a superset.
    take fn remove_divs() -> Set = isl_set_remove_divs;
    /// Without the existentials that are no quotients, and with all values between those that they allow.
    take fn remove_unknown_divs() -> Set = isl_set_remove_unknown_divs;
    /// Without constraints that the others imply.
    take fn remove_redundancies() -> Set = isl_set_remove_redundancies;
    /// With implicit equalities made explicit.
    take fn detect_equalities() -> Set = isl_set_detect_equalities;
    /// All integer divisions in explicit form.
    take fn compute_divs() -> Set = isl_set_compute_divs;
    /// One convex superset, from translates of its own constraints.
    take fn simple_hull() -> BasicSet = isl_set_simple_hull;
    /// With the parameters of `model` first, in its order.
    take fn align_params(model: &Space) -> Set = isl_set_align_params;
    /// The lexicographic minimum, for each value of what comes before.
    take fn lexmin() -> Set = isl_set_lexmin;
    /// The lexicographic maximum, for each value of what comes before.
    take fn lexmax() -> Set = isl_set_lexmax;
    /// The lexicographic minimum as a piecewise expression.
    take fn lexmin_pw_multi_aff() -> PwMultiAff = isl_set_lexmin_pw_multi_aff;
    /// The lexicographic maximum as a piecewise expression.
    take fn lexmax_pw_multi_aff() -> PwMultiAff = isl_set_lexmax_pw_multi_aff;
    /// The minimum of one dimension, as a function of the parameters (and the domain).
    take fn dim_min(pos: usize) -> PwAff = isl_set_dim_min;
    /// The maximum of one dimension, as a function of the parameters (and the domain).
    take fn dim_max(pos: usize) -> PwAff = isl_set_dim_max;
    /// The minimum of one dimension over everything; an infinity when there is none.
    take fn dim_min_val(pos: usize) -> Val = isl_set_dim_min_val;
    /// The maximum of one dimension over everything; an infinity when there is none.
    take fn dim_max_val(pos: usize) -> Val = isl_set_dim_max_val;
    /// Restricted to one value of a dimension.
    take fn fix_si(ty: DimType, pos: usize, value: i64) -> Set = isl_set_fix_val;
    /// Restricted from below.
    take fn lower_bound_si(ty: DimType, pos: usize, value: i64) -> Set = isl_set_lower_bound_val;
    /// Restricted from above.
    take fn upper_bound_si(ty: DimType, pos: usize, value: i64) -> Set = isl_set_upper_bound_val;
    /// Restricted to equal values of two dimensions.
    take fn equate(ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Set = isl_set_equate;
    /// The value of a dimension that is fixed by looking only, else NaN.
    keep fn plain_val_if_fixed(ty: DimType, pos: usize) -> Val = isl_set_plain_get_val_if_fixed;
    /// The identity.
    take fn identity() -> Map = isl_set_identity;
    /// Pairs on both sides: `[a -> b] -> [x -> y]`.
    take fn product(other: &Set) -> Set = isl_set_product;
    /// Elementwise sum.
    take fn sum(other: &Set) -> Set = isl_set_sum;
    /// The negative.
    take fn neg() -> Set = isl_set_neg;
    /// Without nesting.
    take fn flatten() -> Set = isl_set_flatten;
    /// The relation that the pairs describe.
    take fn unwrap() -> Map = isl_set_unwrap;
    /// All pairs of an element of `domain` and one of the set.
    take fn insert_domain(domain: &Space) -> Map = isl_set_insert_domain;
    /// The cone of all `(c0, cn, cx)` with `c0 + cn.n + cx.x >= 0` on the whole set (Farkas'
    /// lemma).
    take fn coefficients() -> BasicSet = isl_set_coefficients;
    /// The inverse of `coefficients`.
    take fn solutions() -> BasicSet = isl_set_solutions;
    /// Whether it has no element (exact).
    keep fn is_empty() -> bool = isl_set_is_empty;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &Set) -> bool = isl_set_is_equal;
    /// Whether every element is one of `other`.
    keep fn is_subset(other: &Set) -> bool = isl_set_is_subset;
    /// Whether no element is common.
    keep fn is_disjoint(other: &Set) -> bool = isl_set_is_disjoint;
    /// Whether it is bounded for every value of the parameters.
    keep fn is_bounded() -> bool = isl_set_is_bounded;
    /// Whether there is at most one element for each value of the parameters.
    keep fn is_singleton() -> bool = isl_set_is_singleton;
    /// Whether it is a set of parameter values, without a tuple.
    get fn is_params() -> bool = isl_set_is_params;
    /// Whether its elements are pairs.
    get fn is_wrapping() -> bool = isl_set_is_wrapping;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &Set) -> bool = isl_set_plain_is_equal;
    /// Whether it has no constraint, by looking only; `false` decides nothing.
    keep fn plain_is_universe() -> bool = isl_set_plain_is_universe;
    /// Whether any of these dimensions occurs.
    keep fn involves_dims(ty: DimType, first: usize, n: usize) -> bool = isl_set_involves_dims;
    /// Whether an integer division occurs.
    keep fn involves_locals() -> bool = isl_set_involves_locals;
    /// Whether the dimension is bounded from below for all values of the parameters.
    keep fn dim_has_lower_bound(ty: DimType, pos: usize) -> bool = isl_set_dim_has_lower_bound;
    /// Whether the dimension is bounded from above for all values of the parameters.
    keep fn dim_has_upper_bound(ty: DimType, pos: usize) -> bool = isl_set_dim_has_upper_bound;
    /// One element as a basic set or map; empty when there is none.
    take fn sample() -> BasicSet = isl_set_sample;
    /// One element; void when there is none.
    take fn sample_point() -> Point = isl_set_sample_point;
    /// The number of pieces.
    get fn n_basic_set() -> usize = isl_set_n_basic_set;
    /// The convex pieces.
    keep fn basic_sets() -> Vec<BasicSet> = isl_set_get_basic_set_list;
    /// The greatest common stride of a dimension.
    keep fn stride(pos: usize) -> Val = isl_set_get_stride;
    /// With one more constraint.
    take fn add_constraint(constraint: &Constraint) -> Set = isl_set_add_constraint;
    /// As a function; the caller knows that it is one.
    take fn as_pw_multi_aff() -> PwMultiAff = isl_set_as_pw_multi_aff;
    /// As a union.
    take fn to_union_set() -> UnionSet = isl_set_to_union_set;
} }

impl BasicSet {
    /// With a name for a dimension.
    pub fn set_dim_name(&self, ty: DimType, pos: usize, name: &str) -> Result<BasicSet> {
        let (ctx, name) = (self.ctx(), super::handle::c_string(name));
        // SAFETY: a valid object, copied for the consumer; isl copies the name.
        unsafe {
            let (ty, pos) = (ty.take(ctx), pos.take(ctx));
            let raw = ffi::isl_basic_set_set_dim_name(self.take(ctx), ty, pos, name.as_ptr());
            BasicSet::from_raw(ctx, raw)
        }
    }

    /// The minimum of `objective` over the elements; minus infinity and NaN (empty) are values.
    pub fn min_val(&self, objective: &Aff) -> Result<Val> {
        self.to_set()?.min_val(objective)
    }

    /// The maximum of `objective` over the elements; infinity and NaN (empty) are values.
    pub fn max_val(&self, objective: &Aff) -> Result<Val> {
        let ctx = self.ctx();
        // SAFETY: valid objects of one context, only looked at.
        unsafe {
            let raw = ffi::isl_basic_set_max_val(self.as_ptr(), objective.keep(ctx));
            Val::from_raw(ctx, raw)
        }
    }
}

impl Set {
    /// The only convex piece, if there is one and it has no divisions.
    pub fn one_piece(&self) -> Result<Option<BasicSet>> {
        let pieces = <[BasicSet; 1]>::try_from(self.basic_sets()?);
        let only = pieces.ok().map(|[one]| one);
        Ok(only.filter(|one| one.dim(DimType::Div) == 0))
    }

    /// The minimum of `objective` over the elements; minus infinity and NaN (empty) are values.
    pub fn min_val(&self, objective: &Aff) -> Result<Val> {
        let ctx = self.ctx();
        // SAFETY: valid objects of one context, only looked at.
        unsafe {
            let raw = ffi::isl_set_min_val(self.as_ptr(), objective.keep(ctx));
            Val::from_raw(ctx, raw)
        }
    }

    /// The maximum of `objective` over the elements; infinity and NaN (empty) are values.
    pub fn max_val(&self, objective: &Aff) -> Result<Val> {
        let ctx = self.ctx();
        // SAFETY: valid objects of one context, only looked at.
        unsafe {
            let raw = ffi::isl_set_max_val(self.as_ptr(), objective.keep(ctx));
            Val::from_raw(ctx, raw)
        }
    }

    /// Restricted to the first dimension being less than the second.
    pub fn order_lt(&self, ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Result<Set> {
        self.ordered(Map::order_lt, ty1, pos1, ty2, pos2)
    }

    /// Restricted to the first dimension being at most the second.
    pub fn order_le(&self, ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Result<Set> {
        self.ordered(Map::order_le, ty1, pos1, ty2, pos2)
    }

    /// Restricted to the first dimension being greater than the second.
    pub fn order_gt(&self, ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Result<Set> {
        self.ordered(Map::order_gt, ty1, pos1, ty2, pos2)
    }

    /// Restricted to the first dimension being at least the second.
    pub fn order_ge(&self, ty1: DimType, pos1: usize, ty2: DimType, pos2: usize) -> Result<Set> {
        self.ordered(Map::order_ge, ty1, pos1, ty2, pos2)
    }

    /// isl orders dimensions of maps only: seen as the range of a map without input.
    fn ordered(
        &self,
        order: fn(&Map, DimType, usize, DimType, usize) -> Result<Map>,
        ty1: DimType,
        pos1: usize,
        ty2: DimType,
        pos2: usize,
    ) -> Result<Set> {
        order(&Map::from_range(self)?, ty1, pos1, ty2, pos2)?.range()
    }

    /// The elements for some value of the parameter of this name; all of them, if there is none.
    pub fn for_some(&self, param: &str) -> Result<Set> {
        match self.find_dim_by_name(DimType::Param, param) {
            Some(at) => self.eliminate(DimType::Param, at, 1),
            None => Ok(self.clone()),
        }
    }

    /// Whether anything depends on this parameter.
    pub fn involves_param(&self, param: &str) -> Result<bool> {
        match self.find_dim_by_name(DimType::Param, param) {
            Some(at) => self.involves_dims(DimType::Param, at, 1),
            None => Ok(false),
        }
    }

    /// What it says of the parameters of a space alone, without the others; a superset.
    pub fn about_params_of(&self, space: &Space) -> Result<Set> {
        let mut set = self.clone();
        for at in (0..self.dim(DimType::Param)).rev() {
            let name = self.dim_name(DimType::Param, at);
            if name.is_none_or(|name| space.find_dim_by_name(DimType::Param, &name).is_none()) {
                set = set.drop_constraints_involving(DimType::Param, at, 1)?;
                set = set.project_out(DimType::Param, at, 1)?;
            }
        }
        Ok(set)
    }

    /// The position of the dimension of this name.
    pub fn find_dim_by_name(&self, ty: DimType, name: &str) -> Option<usize> {
        (0..self.dim(ty)).find(|&pos| self.dim_name(ty, pos).as_deref() == Some(name))
    }

    /// All points of a bounded set, as coordinate tuples in lexicographic order.
    ///
    /// The parameters must be fixed by the set or absent; more than `limit` points are an
    /// [`Error::Limit`]. Meant for tests and for small sets.
    pub fn points(&self, limit: usize) -> Result<Vec<Vec<i64>>> {
        val::points(self, limit)
    }

    /// The number of points, by enumeration of at most `limit` of them.
    pub fn count(&self, limit: usize) -> Result<usize> {
        Ok(self.points(limit)?.len())
    }
}
