//! Spaces, identifiers and kinds of dimensions.
//!
//! A [`Space`] says what the coordinates are: parameters, an input and an output tuple with
//! optional names, or a set tuple alone. Names are plain text; there is nothing behind them.

use std::ffi::c_uint;

use super::handle::{Arg, handle, methods};
use super::*;

/// A kind of dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DimType {
    /// The constant term.
    Cst = 0,
    /// Parameters.
    Param = 1,
    /// The input tuple of a map.
    In = 2,
    /// The output tuple of a map; also the tuple of a set.
    Out = 3,
    /// Integer divisions.
    Div = 4,
    /// All together.
    All = 5,
}

impl DimType {
    /// The tuple of a set: the same as [`DimType::Out`].
    #[allow(non_upper_case_globals)]
    pub const Set: DimType = DimType::Out;
}

impl Arg<c_uint> for DimType {
    fn take(self, _: &Ctx) -> c_uint {
        self as c_uint
    }
    fn keep(self, _: &Ctx) -> c_uint {
        self as c_uint
    }
}

handle! {
    /// A name.
    Id = isl_id, isl_id_copy, isl_id_free, show isl_id_to_str, parse isl_id_read_from_str
}

handle! {
    /// What the coordinates of an object are.
    Space = isl_space, isl_space_copy, isl_space_free,
        show isl_space_to_str, parse isl_space_read_from_str
}

handle! {
    /// A space with integer divisions.
    LocalSpace = isl_local_space, isl_local_space_copy, isl_local_space_free
}

methods! { Id {
    /// The name.
    get fn name() -> Option<String> = isl_id_get_name;
} }

methods! { Space {
    /// No parameters and no tuple.
    new fn unit(ctx: &Ctx) -> Space = isl_space_unit;
    /// Parameters only, not yet named.
    new fn params_alloc(ctx: &Ctx, nparam: usize) -> Space = isl_space_params_alloc;
    /// A set tuple.
    new fn set_alloc(ctx: &Ctx, nparam: usize, dim: usize) -> Space = isl_space_set_alloc;
    /// A map with two tuples.
    new fn map_alloc(ctx: &Ctx, nparam: usize, n_in: usize, n_out: usize) -> Space =
        isl_space_alloc;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_space_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_space_get_dim_name;
    /// Whether a dimension has a name.
    keep fn has_dim_name(ty: DimType, pos: usize) -> bool = isl_space_has_dim_name;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_space_get_tuple_name;
    /// Whether the tuple has a name.
    keep fn has_tuple_name(ty: DimType) -> bool = isl_space_has_tuple_name;
    /// Whether it has no tuple.
    get fn is_params() -> bool = isl_space_is_params;
    /// Whether it has one tuple.
    get fn is_set() -> bool = isl_space_is_set;
    /// Whether it has two tuples.
    get fn is_map() -> bool = isl_space_is_map;
    /// Whether its elements are pairs.
    get fn is_wrapping() -> bool = isl_space_is_wrapping;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &Space) -> bool = isl_space_is_equal;
    /// Whether both sides are pairs.
    keep fn is_product() -> bool = isl_space_is_product;
    /// Whether the domain consists of pairs.
    keep fn domain_is_wrapping() -> bool = isl_space_domain_is_wrapping;
    /// Whether the range consists of pairs.
    keep fn range_is_wrapping() -> bool = isl_space_range_is_wrapping;
    /// Whether both have the same parameters in the same order.
    keep fn has_equal_params(other: &Space) -> bool = isl_space_has_equal_params;
    /// Whether both have the same tuples.
    keep fn has_equal_tuples(other: &Space) -> bool = isl_space_has_equal_tuples;
    /// Whether two tuples are the same.
    keep fn tuple_is_equal(ty1: DimType, other: &Space, ty2: DimType) -> bool =
        isl_space_tuple_is_equal;
    /// Whether it is the domain of `other`.
    keep fn is_domain(other: &Space) -> bool = isl_space_is_domain;
    /// Whether it is the range of `other`.
    keep fn is_range(other: &Space) -> bool = isl_space_is_range;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> Space = isl_space_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> Space = isl_space_set_tuple_id;
    /// With a name for the input tuple.
    take fn set_domain_tuple_name(id: &str) -> Space = isl_space_set_domain_tuple_id;
    /// With a name for the output tuple.
    take fn set_range_tuple_name(id: &str) -> Space = isl_space_set_range_tuple_id;
    /// With an unnamed tuple.
    take fn reset_tuple_id(ty: DimType) -> Space = isl_space_reset_tuple_id;
    /// With one more parameter.
    take fn add_param(id: &str) -> Space = isl_space_add_param_id;
    /// With one more tuple.
    take fn add_named_tuple(tuple_id: &str, dim: usize) -> Space = isl_space_add_named_tuple_id_ui;
    /// With one more tuple.
    take fn add_unnamed_tuple(dim: usize) -> Space = isl_space_add_unnamed_tuple_ui;
    /// With `n` new dimensions at the end.
    take fn add_dims(ty: DimType, n: usize) -> Space = isl_space_add_dims;
    /// With `n` new dimensions before position `pos`.
    take fn insert_dims(ty: DimType, pos: usize, n: usize) -> Space = isl_space_insert_dims;
    /// Without these dimensions (which must not be used, or are dropped with their terms).
    take fn drop_dims(ty: DimType, first: usize, num: usize) -> Space = isl_space_drop_dims;
    /// With `n` dimensions moved.
    take fn move_dims(
        dst_ty: DimType,
        dst_pos: usize,
        src_ty: DimType,
        src_pos: usize,
        n: usize
    ) -> Space = isl_space_move_dims;
    /// With the parameters of `model` first, in its order.
    take fn align_params(other: &Space) -> Space = isl_space_align_params;
    /// Without parameters.
    take fn drop_all_params() -> Space = isl_space_drop_all_params;
    /// The parameters alone.
    take fn params() -> Space = isl_space_params;
    /// The input tuple as a set.
    take fn domain() -> Space = isl_space_domain;
    /// The output tuple as a set.
    take fn range() -> Space = isl_space_range;
    /// The map space with this input and no output.
    new fn from_domain(space: &Space) -> Space = isl_space_from_domain;
    /// The map space with this output and no input.
    new fn from_range(space: &Space) -> Space = isl_space_from_range;
    /// Maps from the set space to itself.
    take fn map_from_set() -> Space = isl_space_map_from_set;
    /// Maps between two set spaces.
    take fn map_from_domain_and_range(range: &Space) -> Space = isl_space_map_from_domain_and_range;
    /// With an empty tuple.
    take fn set_from_params() -> Space = isl_space_set_from_params;
    /// Domain and range exchanged.
    take fn reverse() -> Space = isl_space_reverse;
    /// Pairs `[x -> y]` as elements of a set.
    take fn wrap() -> Space = isl_space_wrap;
    /// The relation that the pairs describe.
    take fn unwrap() -> Space = isl_space_unwrap;
    /// Pairs on both sides.
    take fn product(other: &Space) -> Space = isl_space_product;
    /// Pairs in the domain, common range.
    take fn domain_product(other: &Space) -> Space = isl_space_domain_product;
    /// Common domain, pairs in the range.
    take fn range_product(other: &Space) -> Space = isl_space_range_product;
    /// The first factor of a product.
    take fn factor_domain() -> Space = isl_space_factor_domain;
    /// The second factor of a product.
    take fn factor_range() -> Space = isl_space_factor_range;
    /// The first factor of the domain.
    take fn domain_factor_domain() -> Space = isl_space_domain_factor_domain;
    /// The second factor of the domain.
    take fn domain_factor_range() -> Space = isl_space_domain_factor_range;
    /// The first factor of the range.
    take fn range_factor_domain() -> Space = isl_space_range_factor_domain;
    /// The second factor of the range.
    take fn range_factor_range() -> Space = isl_space_range_factor_range;
    /// Composed: the input of `self` and the output of `other`.
    take fn join(other: &Space) -> Space = isl_space_join;
    /// `[a -> b] -> c` becomes `a -> [b -> c]`.
    take fn curry() -> Space = isl_space_curry;
    /// `a -> [b -> c]` becomes `[a -> b] -> c`.
    take fn uncurry() -> Space = isl_space_uncurry;
    /// `[a -> b] -> [c -> d]` becomes `[a -> c] -> [b -> d]`.
    take fn zip() -> Space = isl_space_zip;
    /// Without nesting in the domain.
    take fn flatten_domain() -> Space = isl_space_flatten_domain;
    /// Without nesting in the range.
    take fn flatten_range() -> Space = isl_space_flatten_range;
    /// Maps from the wrapped pairs to their first elements.
    take fn domain_map() -> Space = isl_space_domain_map;
    /// Maps from the wrapped pairs to their second elements.
    take fn range_map() -> Space = isl_space_range_map;
    /// All tuples.
    take fn universe_set() -> Set = isl_space_universe_set;
    /// All pairs.
    take fn universe_map() -> Map = isl_space_universe_map;
    /// Zero.
    take fn zero_aff_on_domain() -> Aff = isl_space_zero_aff_on_domain;
    /// Zero in every output dimension.
    take fn zero_multi_aff() -> MultiAff = isl_space_zero_multi_aff;
    /// The identity on the set space.
    take fn identity_multi_aff_on_domain() -> MultiAff = isl_space_identity_multi_aff_on_domain;
    /// The identity on the set space.
    take fn identity_pw_multi_aff_on_domain() -> PwMultiAff =
        isl_space_identity_pw_multi_aff_on_domain;
    /// From each wrapped pair to its first element.
    take fn domain_map_multi_aff() -> MultiAff = isl_space_domain_map_multi_aff;
    /// From each wrapped pair to its second element.
    take fn range_map_multi_aff() -> MultiAff = isl_space_range_map_multi_aff;
} }

methods! { LocalSpace {
    /// Without integer divisions.
    new fn from_space(space: &Space) -> LocalSpace = isl_local_space_from_space;
    /// The space it lives in.
    keep fn space() -> Space = isl_local_space_get_space;
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_local_space_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_local_space_get_dim_name;
    /// An integer division.
    keep fn get_div(pos: usize) -> Aff = isl_local_space_get_div;
    /// The domain.
    take fn domain() -> LocalSpace = isl_local_space_domain;
    /// The range.
    take fn range() -> LocalSpace = isl_local_space_range;
    /// Whether it has one tuple.
    get fn is_set() -> bool = isl_local_space_is_set;
    /// Whether both are the same.
    keep fn is_equal(other: &LocalSpace) -> bool = isl_local_space_is_equal;
} }

impl std::fmt::Debug for LocalSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "LocalSpace({} integer divisions, ",
            self.dim(DimType::Div)
        )?;
        match self.space() {
            Ok(space) => write!(f, "{space})"),
            Err(error) => write!(f, "<{error}>)"),
        }
    }
}

impl Space {
    /// The space of named parameters.
    pub fn params_named(ctx: &Ctx, names: &[&str]) -> Result<Space> {
        names
            .iter()
            .try_fold(Space::unit(ctx)?.params()?, |space, name| {
                space.add_param(name)
            })
    }

    /// The position of the dimension of this name.
    pub fn find_dim_by_name(&self, ty: DimType, name: &str) -> Option<usize> {
        (0..self.dim(ty)).find(|&pos| self.dim_name(ty, pos).as_deref() == Some(name))
    }
}

impl Id {
    /// A name in a context.
    pub fn new(ctx: &Ctx, name: &str) -> Result<Id> {
        use super::handle::Handle;
        // SAFETY: the context is alive; the identifier is fresh.
        unsafe { Id::from_raw(ctx, name.take(ctx)) }
    }
}
