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
    /// The number of dimensions of a kind.
    get fn dim(ty: DimType) -> usize = isl_space_dim;
    /// The name of a dimension.
    get fn dim_name(ty: DimType, pos: usize) -> Option<String> = isl_space_get_dim_name;
    /// The name of the tuple.
    get fn tuple_name(ty: DimType) -> Option<String> = isl_space_get_tuple_name;
    /// Whether it has no tuple.
    get fn is_params() -> bool = isl_space_is_params;
    /// Whether its elements are pairs.
    get fn is_wrapping() -> bool = isl_space_is_wrapping;
    /// Whether both have the same elements (exact).
    keep fn is_equal(other: &Space) -> bool = isl_space_is_equal;
    /// With a name for a dimension.
    take fn set_dim_name(ty: DimType, pos: usize, id: &str) -> Space = isl_space_set_dim_id;
    /// With a name for the tuple.
    take fn set_tuple_name(ty: DimType, id: &str) -> Space = isl_space_set_tuple_id;
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
    /// Domain and range exchanged.
    take fn reverse() -> Space = isl_space_reverse;
    /// Pairs `[x -> y]` as elements of a set.
    take fn wrap() -> Space = isl_space_wrap;
    /// The relation that the pairs describe.
    take fn unwrap() -> Space = isl_space_unwrap;
    /// Pairs on both sides.
    take fn product(other: &Space) -> Space = isl_space_product;
    /// Composed: the input of `self` and the output of `other`.
    take fn join(other: &Space) -> Space = isl_space_join;
    /// `[a -> b] -> [c -> d]` becomes `[a -> c] -> [b -> d]`.
    take fn zip() -> Space = isl_space_zip;
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
    /// The domain.
    take fn domain() -> LocalSpace = isl_local_space_domain;
    /// The range.
    take fn range() -> LocalSpace = isl_local_space_range;
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
