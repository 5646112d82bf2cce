//! isl's schedule trees, the input of its AST generator: [`Schedule`], [`ScheduleNode`]. (Polytile schedules with its own
//! search and trees, [`crate::tree`].)
//!
//! A schedule tree (Verdoolaege, Guelton, Grosser, Cohen, IMPACT 2014) orders the instances of
//! a domain: *bands* give tuples of times, *sequences* order their filtered children, *marks*
//! and *contexts* annotate. A [`ScheduleNode`] is a position in a tree; every change gives a
//! new tree at the same position.

use super::handle::{c_enum, handle, methods};
use super::*;

handle! {
    /// A schedule tree.
    Schedule = isl_schedule, isl_schedule_copy, isl_schedule_free,
        show isl_schedule_to_str, parse isl_schedule_read_from_str
}

handle! {
    /// A position in a schedule tree.
    ScheduleNode = isl_schedule_node, isl_schedule_node_copy, isl_schedule_node_free,
        show isl_schedule_node_to_str
}

c_enum! {
    /// What a node of a schedule tree is.
    ScheduleNodeType {
        /// A tuple of partial schedules.
        Band = 0,
        /// Constraints on outer schedule values and parameters.
        Context = 1,
        /// The root: the instances.
        Domain = 2,
        /// Each instance replaced by several.
        Expansion = 3,
        /// Further instances.
        Extension = 4,
        /// A subset of the instances.
        Filter = 5,
        /// No further order.
        Leaf = 6,
        /// A condition to generate.
        Guard = 7,
        /// A name.
        Mark = 8,
        /// Children in this order.
        Sequence = 9,
        /// Children in any order.
        Set = 10,
    }
}

c_enum! {
    /// How the generator treats the loop of a band member.
    AstLoopType {
        /// As it likes.
        Default = 0,
        /// As one loop.
        Atomic = 1,
        /// As no loop: unrolled.
        Unroll = 2,
        /// As separate loops where the set of statements differs.
        Separate = 3,
    }
}

methods! { Schedule {
    /// All instances, no order.
    new fn from_domain(domain: &UnionSet) -> Schedule = isl_schedule_from_domain;
    /// Nothing.
    new fn empty(space: &Space) -> Schedule = isl_schedule_empty;
    /// The instances.
    keep fn domain() -> UnionSet = isl_schedule_get_domain;
    /// The root.
    keep fn root() -> ScheduleNode = isl_schedule_get_root;
    /// The schedule as a flat map; marks, contexts and permutability are lost.
    keep fn map() -> UnionMap = isl_schedule_get_map;
    /// A band above everything.
    take fn insert_partial_schedule(partial: &MultiUnionPwAff) -> Schedule =
        isl_schedule_insert_partial_schedule;
    /// `self` and `other` in any order.
    take fn set(other: &Schedule) -> Schedule = isl_schedule_set;
    /// Restricted to some instances.
    take fn intersect_domain(domain: &UnionSet) -> Schedule = isl_schedule_intersect_domain;
    /// With the parameters of `model` first, in its order.
    take fn align_params(space: &Space) -> Schedule = isl_schedule_align_params;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &Schedule) -> bool = isl_schedule_plain_is_equal;
} }

methods! { ScheduleNode {
    /// The root of a tree with all instances and no order.
    new fn from_domain(domain: &UnionSet) -> ScheduleNode = isl_schedule_node_from_domain;
    /// The root of a tree of instances that another tree does not have: for each outer time these.
    new fn from_extension(extension: &UnionMap) -> ScheduleNode = isl_schedule_node_from_extension;
    /// A tree of such instances in front of it.
    take fn graft_before(graft: &ScheduleNode) -> ScheduleNode = isl_schedule_node_graft_before;
    /// What it is.
    keep fn node_type() -> ScheduleNodeType = isl_schedule_node_get_type;
    /// The whole tree.
    keep fn schedule() -> Schedule = isl_schedule_node_get_schedule;
    /// The number of children.
    get fn n_children() -> usize = isl_schedule_node_n_children;
    /// Whether both are the same position in equal trees.
    keep fn is_equal(other: &ScheduleNode) -> bool = isl_schedule_node_is_equal;
    /// A child.
    take fn child(pos: usize) -> ScheduleNode = isl_schedule_node_child;
    /// The parent.
    take fn parent() -> ScheduleNode = isl_schedule_node_parent;
    /// The root.
    take fn root() -> ScheduleNode = isl_schedule_node_root;
    /// The ancestor `generation` levels up.
    take fn ancestor(generation: usize) -> ScheduleNode = isl_schedule_node_ancestor;
    /// The instances that reach it.
    keep fn domain() -> UnionSet = isl_schedule_node_get_domain;
    /// A band above it.
    take fn insert_partial_schedule(schedule: &MultiUnionPwAff) -> ScheduleNode =
        isl_schedule_node_insert_partial_schedule;
    /// A sequence of filters above it, a copy of it below each.
    take fn insert_sequence(filters: &[UnionSet]) -> ScheduleNode =
        isl_schedule_node_insert_sequence;
    /// A mark above it.
    take fn insert_mark(mark: &str) -> ScheduleNode = isl_schedule_node_insert_mark;
    /// A leaf instead of the subtree.
    take fn cut() -> ScheduleNode = isl_schedule_node_cut;
    /// The instances below grouped under one identifier.
    take fn group(group_id: &str) -> ScheduleNode = isl_schedule_node_group;
    /// With another way to generate the loop of a member.
    take fn band_member_set_ast_loop_type(pos: usize, ty: AstLoopType) -> ScheduleNode =
        isl_schedule_node_band_member_set_ast_loop_type;
    /// The name of a mark node.
    keep fn mark_name() -> String = isl_schedule_node_mark_get_id;
    /// With the parameters of `model` first, in its order.
    take fn align_params(space: &Space) -> ScheduleNode = isl_schedule_node_align_params;
} }

impl ScheduleNode {
    /// All children.
    pub fn children(&self) -> Result<Vec<ScheduleNode>> {
        (0..self.n_children()).map(|pos| self.child(pos)).collect()
    }
}
