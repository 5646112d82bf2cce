//! Schedule trees: [`Schedule`], [`ScheduleNode`], and isl's own scheduler.
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

handle! {
    /// The input of isl's scheduler.
    ScheduleConstraints = isl_schedule_constraints, isl_schedule_constraints_copy,
        isl_schedule_constraints_free, show isl_schedule_constraints_to_str,
        parse isl_schedule_constraints_read_from_str
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
    /// A context above everything.
    take fn insert_context(context: &Set) -> Schedule = isl_schedule_insert_context;
    /// `self` before `other`.
    take fn sequence(other: &Schedule) -> Schedule = isl_schedule_sequence;
    /// `self` and `other` in any order.
    take fn set(other: &Schedule) -> Schedule = isl_schedule_set;
    /// Restricted to some instances.
    take fn intersect_domain(domain: &UnionSet) -> Schedule = isl_schedule_intersect_domain;
    /// Simplified by what `context` says about the parameters.
    take fn gist_domain_params(context: &Set) -> Schedule = isl_schedule_gist_domain_params;
    /// With the arguments replaced: `self(upma(x))`.
    take fn pullback_union_pw_multi_aff(upma: &UnionPwMultiAff) -> Schedule =
        isl_schedule_pullback_union_pw_multi_aff;
    /// With the parameters of `model` first, in its order.
    take fn align_params(space: &Space) -> Schedule = isl_schedule_align_params;
    /// Whether both are written alike; `false` decides nothing.
    keep fn plain_is_equal(other: &Schedule) -> bool = isl_schedule_plain_is_equal;
} }

methods! { ScheduleNode {
    /// The root of a tree with all instances and no order.
    new fn from_domain(domain: &UnionSet) -> ScheduleNode = isl_schedule_node_from_domain;
    /// What it is.
    keep fn node_type() -> ScheduleNodeType = isl_schedule_node_get_type;
    /// What its parent is.
    keep fn parent_type() -> ScheduleNodeType = isl_schedule_node_get_parent_type;
    /// The whole tree.
    keep fn schedule() -> Schedule = isl_schedule_node_get_schedule;
    /// The number of ancestors.
    get fn tree_depth() -> usize = isl_schedule_node_get_tree_depth;
    /// The number of band members above.
    get fn schedule_depth() -> usize = isl_schedule_node_get_schedule_depth;
    /// The number of children.
    get fn n_children() -> usize = isl_schedule_node_n_children;
    /// Which child of its parent it is.
    get fn child_position() -> usize = isl_schedule_node_get_child_position;
    /// Which child of `ancestor` it is in or below.
    keep fn ancestor_child_position(other: &ScheduleNode) -> usize =
        isl_schedule_node_get_ancestor_child_position;
    /// Whether it has children; all nodes but leaves have.
    get fn has_children() -> bool = isl_schedule_node_has_children;
    /// Whether it is not the root.
    get fn has_parent() -> bool = isl_schedule_node_has_parent;
    /// Whether it has a next sibling.
    get fn has_next_sibling() -> bool = isl_schedule_node_has_next_sibling;
    /// Whether it has a previous sibling.
    get fn has_previous_sibling() -> bool = isl_schedule_node_has_previous_sibling;
    /// Whether both are the same position in equal trees.
    keep fn is_equal(other: &ScheduleNode) -> bool = isl_schedule_node_is_equal;
    /// A child.
    take fn child(pos: usize) -> ScheduleNode = isl_schedule_node_child;
    /// The first child.
    take fn first_child() -> ScheduleNode = isl_schedule_node_first_child;
    /// The parent.
    take fn parent() -> ScheduleNode = isl_schedule_node_parent;
    /// The root.
    take fn root() -> ScheduleNode = isl_schedule_node_root;
    /// The ancestor `generation` levels up.
    take fn ancestor(generation: usize) -> ScheduleNode = isl_schedule_node_ancestor;
    /// The next sibling.
    take fn next_sibling() -> ScheduleNode = isl_schedule_node_next_sibling;
    /// The previous sibling.
    take fn previous_sibling() -> ScheduleNode = isl_schedule_node_previous_sibling;
    /// The deepest node above both.
    keep fn shared_ancestor(other: &ScheduleNode) -> ScheduleNode =
        isl_schedule_node_get_shared_ancestor;
    /// The instances that reach it.
    keep fn domain() -> UnionSet = isl_schedule_node_get_domain;
    /// The spaces of the instances that reach it.
    keep fn universe_domain() -> UnionSet = isl_schedule_node_get_universe_domain;
    /// The schedule of everything above it.
    keep fn prefix_schedule_multi_union_pw_aff() -> MultiUnionPwAff =
        isl_schedule_node_get_prefix_schedule_multi_union_pw_aff;
    /// The schedule of everything above it.
    keep fn prefix_schedule_union_map() -> UnionMap =
        isl_schedule_node_get_prefix_schedule_union_map;
    /// The schedule of everything above it, restricted to the instances.
    keep fn prefix_schedule_relation() -> UnionMap = isl_schedule_node_get_prefix_schedule_relation;
    /// The schedule of everything below it.
    keep fn subtree_schedule_union_map() -> UnionMap =
        isl_schedule_node_get_subtree_schedule_union_map;
    /// A band above it.
    take fn insert_partial_schedule(schedule: &MultiUnionPwAff) -> ScheduleNode =
        isl_schedule_node_insert_partial_schedule;
    /// A sequence of filters above it, a copy of it below each.
    take fn insert_sequence(filters: &[UnionSet]) -> ScheduleNode =
        isl_schedule_node_insert_sequence;
    /// A set of filters above it, a copy of it below each.
    take fn insert_set(filters: &[UnionSet]) -> ScheduleNode = isl_schedule_node_insert_set;
    /// A filter above it.
    take fn insert_filter(filter: &UnionSet) -> ScheduleNode = isl_schedule_node_insert_filter;
    /// A mark above it.
    take fn insert_mark(mark: &str) -> ScheduleNode = isl_schedule_node_insert_mark;
    /// A context above it.
    take fn insert_context(context: &Set) -> ScheduleNode = isl_schedule_node_insert_context;
    /// A guard above it.
    take fn insert_guard(context: &Set) -> ScheduleNode = isl_schedule_node_insert_guard;
    /// Without the node; it must have one child.
    take fn delete() -> ScheduleNode = isl_schedule_node_delete;
    /// A leaf instead of the subtree.
    take fn cut() -> ScheduleNode = isl_schedule_node_cut;
    /// The instances below grouped under one identifier.
    take fn group(group_id: &str) -> ScheduleNode = isl_schedule_node_group;
    /// The instances of the filter before the others.
    take fn order_before(filter: &UnionSet) -> ScheduleNode = isl_schedule_node_order_before;
    /// The instances of the filter after the others.
    take fn order_after(filter: &UnionSet) -> ScheduleNode = isl_schedule_node_order_after;
    /// Another tree before it.
    take fn graft_before(other: &ScheduleNode) -> ScheduleNode = isl_schedule_node_graft_before;
    /// Another tree after it.
    take fn graft_after(other: &ScheduleNode) -> ScheduleNode = isl_schedule_node_graft_after;
    /// With the sequence at a child put in the place of the child.
    take fn sequence_splice_child(pos: usize) -> ScheduleNode =
        isl_schedule_node_sequence_splice_child;
    /// With all child sequences spliced.
    take fn sequence_splice_children() -> ScheduleNode = isl_schedule_node_sequence_splice_children;
    /// The number of members.
    get fn band_n_member() -> usize = isl_schedule_node_band_n_member;
    /// The space of the band.
    keep fn band_space() -> Space = isl_schedule_node_band_get_space;
    /// The schedule of the band.
    keep fn band_partial_schedule() -> MultiUnionPwAff =
        isl_schedule_node_band_get_partial_schedule;
    /// The schedule of the band as a map.
    keep fn band_partial_schedule_union_map() -> UnionMap =
        isl_schedule_node_band_get_partial_schedule_union_map;
    /// Whether the members may be exchanged (and the band tiled).
    get fn band_permutable() -> bool = isl_schedule_node_band_get_permutable;
    /// Marked permutable or not.
    take fn band_set_permutable(permutable: bool) -> ScheduleNode =
        isl_schedule_node_band_set_permutable;
    /// Whether a member carries no dependence, given the outer bands.
    keep fn band_member_coincident(pos: usize) -> bool =
        isl_schedule_node_band_member_get_coincident;
    /// Marked coincident or not.
    take fn band_member_set_coincident(pos: usize, coincident: bool) -> ScheduleNode =
        isl_schedule_node_band_member_set_coincident;
    /// How the loop of a member is generated.
    keep fn band_member_ast_loop_type(pos: usize) -> AstLoopType =
        isl_schedule_node_band_member_get_ast_loop_type;
    /// With another way to generate the loop of a member.
    take fn band_member_set_ast_loop_type(pos: usize, ty: AstLoopType) -> ScheduleNode =
        isl_schedule_node_band_member_set_ast_loop_type;
    /// How the isolated part of the loop is generated.
    keep fn band_member_isolate_ast_loop_type(pos: usize) -> AstLoopType =
        isl_schedule_node_band_member_get_isolate_ast_loop_type;
    /// With another way to generate the isolated part.
    take fn band_member_set_isolate_ast_loop_type(pos: usize, ty: AstLoopType) -> ScheduleNode =
        isl_schedule_node_band_member_set_isolate_ast_loop_type;
    /// All options of the generator for this band.
    keep fn band_ast_build_options() -> UnionSet = isl_schedule_node_band_get_ast_build_options;
    /// With other options of the generator for this band.
    take fn band_set_ast_build_options(options: &UnionSet) -> ScheduleNode =
        isl_schedule_node_band_set_ast_build_options;
    /// The isolated domain.
    keep fn band_ast_isolate_option() -> Set = isl_schedule_node_band_get_ast_isolate_option;
    /// Each member scaled.
    take fn band_scale(mv: &MultiVal) -> ScheduleNode = isl_schedule_node_band_scale;
    /// Each member divided and rounded down.
    take fn band_scale_down(mv: &MultiVal) -> ScheduleNode = isl_schedule_node_band_scale_down;
    /// Each member reduced.
    take fn band_mod(mv: &MultiVal) -> ScheduleNode = isl_schedule_node_band_mod;
    /// Each member shifted.
    take fn band_shift(shift: &MultiUnionPwAff) -> ScheduleNode = isl_schedule_node_band_shift;
    /// A tile band with a point band below.
    take fn band_tile(sizes: &MultiVal) -> ScheduleNode = isl_schedule_node_band_tile;
    /// The first `pos` members above the others.
    take fn band_split(pos: usize) -> ScheduleNode = isl_schedule_node_band_split;
    /// The band below its subtree.
    take fn band_sink() -> ScheduleNode = isl_schedule_node_band_sink;
    /// The constraints of a context node.
    keep fn context_context() -> Set = isl_schedule_node_context_get_context;
    /// The instances of a domain node.
    keep fn domain_domain() -> UnionSet = isl_schedule_node_domain_get_domain;
    /// The instances of a filter node.
    keep fn filter_filter() -> UnionSet = isl_schedule_node_filter_get_filter;
    /// The condition of a guard node.
    keep fn guard_guard() -> Set = isl_schedule_node_guard_get_guard;
    /// The name of a mark node.
    keep fn mark_name() -> String = isl_schedule_node_mark_get_id;
    /// The extension.
    keep fn extension_extension() -> UnionMap = isl_schedule_node_extension_get_extension;
    /// The contraction of an expansion node.
    keep fn expansion_contraction() -> UnionPwMultiAff =
        isl_schedule_node_expansion_get_contraction;
    /// The expansion of an expansion node.
    keep fn expansion_expansion() -> UnionMap = isl_schedule_node_expansion_get_expansion;
    /// Whether the subtree depends on outer bands by position.
    keep fn is_subtree_anchored() -> bool = isl_schedule_node_is_subtree_anchored;
    /// With the parameters of `model` first, in its order.
    take fn align_params(space: &Space) -> ScheduleNode = isl_schedule_node_align_params;
} }

methods! { ScheduleConstraints {
    /// Instances and no constraint yet.
    new fn on_domain(domain: &UnionSet) -> ScheduleConstraints = isl_schedule_constraints_on_domain;
    /// What is known about the parameters.
    take fn set_context(context: &Set) -> ScheduleConstraints =
        isl_schedule_constraints_set_context;
    /// Dependences that must be respected.
    take fn set_validity(validity: &UnionMap) -> ScheduleConstraints =
        isl_schedule_constraints_set_validity;
    /// Dependences that coincident members must not carry.
    take fn set_coincidence(coincidence: &UnionMap) -> ScheduleConstraints =
        isl_schedule_constraints_set_coincidence;
    /// Dependences to keep short.
    take fn set_proximity(proximity: &UnionMap) -> ScheduleConstraints =
        isl_schedule_constraints_set_proximity;
    /// Validity that holds unless the condition is violated.
    take fn set_conditional_validity(
        condition: &UnionMap,
        validity: &UnionMap
    ) -> ScheduleConstraints = isl_schedule_constraints_set_conditional_validity;
    /// The instances.
    keep fn domain() -> UnionSet = isl_schedule_constraints_get_domain;
    /// The dependences to respect.
    keep fn validity() -> UnionMap = isl_schedule_constraints_get_validity;
    /// The dependences that coincident members must not carry.
    keep fn coincidence() -> UnionMap = isl_schedule_constraints_get_coincidence;
    /// The dependences to keep short.
    keep fn proximity() -> UnionMap = isl_schedule_constraints_get_proximity;
    /// What is known about the parameters.
    keep fn context() -> Set = isl_schedule_constraints_get_context;
    /// Runs isl's scheduler, under the options of the context.
    take fn compute_schedule() -> Schedule = isl_schedule_constraints_compute_schedule;
} }

impl ScheduleNode {
    /// All children.
    pub fn children(&self) -> Result<Vec<ScheduleNode>> {
        (0..self.n_children()).map(|pos| self.child(pos)).collect()
    }
}
