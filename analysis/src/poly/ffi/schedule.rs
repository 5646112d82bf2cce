//! Schedule trees.

use super::*;

functions! {
    isl_schedule_align_params(*mut isl_schedule, *mut isl_space) -> *mut isl_schedule;
    isl_schedule_constraints_compute_schedule(*mut isl_schedule_constraints) -> *mut isl_schedule;
    isl_schedule_constraints_copy(*mut isl_schedule_constraints) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_free(*mut isl_schedule_constraints) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_get_coincidence(*mut isl_schedule_constraints) -> *mut isl_union_map;
    isl_schedule_constraints_get_context(*mut isl_schedule_constraints) -> *mut isl_set;
    isl_schedule_constraints_get_domain(*mut isl_schedule_constraints) -> *mut isl_union_set;
    isl_schedule_constraints_get_proximity(*mut isl_schedule_constraints) -> *mut isl_union_map;
    isl_schedule_constraints_get_validity(*mut isl_schedule_constraints) -> *mut isl_union_map;
    isl_schedule_constraints_on_domain(*mut isl_union_set) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_read_from_str(
        *mut isl_ctx, *const c_char
    ) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_set_coincidence(
        *mut isl_schedule_constraints, *mut isl_union_map
    ) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_set_conditional_validity(
        *mut isl_schedule_constraints, *mut isl_union_map, *mut isl_union_map
    ) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_set_context(
        *mut isl_schedule_constraints, *mut isl_set
    ) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_set_proximity(
        *mut isl_schedule_constraints, *mut isl_union_map
    ) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_set_validity(
        *mut isl_schedule_constraints, *mut isl_union_map
    ) -> *mut isl_schedule_constraints;
    isl_schedule_constraints_to_str(*mut isl_schedule_constraints) -> *mut c_char;
    isl_schedule_copy(*mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_empty(*mut isl_space) -> *mut isl_schedule;
    isl_schedule_free(*mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_from_domain(*mut isl_union_set) -> *mut isl_schedule;
    isl_schedule_get_domain(*mut isl_schedule) -> *mut isl_union_set;
    isl_schedule_get_map(*mut isl_schedule) -> *mut isl_union_map;
    isl_schedule_get_root(*mut isl_schedule) -> *mut isl_schedule_node;
    isl_schedule_gist_domain_params(*mut isl_schedule, *mut isl_set) -> *mut isl_schedule;
    isl_schedule_insert_context(*mut isl_schedule, *mut isl_set) -> *mut isl_schedule;
    isl_schedule_insert_partial_schedule(
        *mut isl_schedule, *mut isl_multi_union_pw_aff
    ) -> *mut isl_schedule;
    isl_schedule_intersect_domain(*mut isl_schedule, *mut isl_union_set) -> *mut isl_schedule;
    isl_schedule_node_align_params(
        *mut isl_schedule_node, *mut isl_space
    ) -> *mut isl_schedule_node;
    isl_schedule_node_ancestor(*mut isl_schedule_node, c_int) -> *mut isl_schedule_node;
    isl_schedule_node_band_get_ast_build_options(*mut isl_schedule_node) -> *mut isl_union_set;
    isl_schedule_node_band_get_ast_isolate_option(*mut isl_schedule_node) -> *mut isl_set;
    isl_schedule_node_band_get_partial_schedule(
        *mut isl_schedule_node
    ) -> *mut isl_multi_union_pw_aff;
    isl_schedule_node_band_get_partial_schedule_union_map(
        *mut isl_schedule_node
    ) -> *mut isl_union_map;
    isl_schedule_node_band_get_permutable(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_band_get_space(*mut isl_schedule_node) -> *mut isl_space;
    isl_schedule_node_band_member_get_ast_loop_type(*mut isl_schedule_node, c_int) -> c_int;
    isl_schedule_node_band_member_get_coincident(*mut isl_schedule_node, c_int) -> c_int;
    isl_schedule_node_band_member_get_isolate_ast_loop_type(*mut isl_schedule_node, c_int) -> c_int;
    isl_schedule_node_band_member_set_ast_loop_type(
        *mut isl_schedule_node, c_int, c_int
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_member_set_coincident(
        *mut isl_schedule_node, c_int, c_int
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_member_set_isolate_ast_loop_type(
        *mut isl_schedule_node, c_int, c_int
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_mod(
        *mut isl_schedule_node, *mut isl_multi_val
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_n_member(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_band_scale(
        *mut isl_schedule_node, *mut isl_multi_val
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_scale_down(
        *mut isl_schedule_node, *mut isl_multi_val
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_set_ast_build_options(
        *mut isl_schedule_node, *mut isl_union_set
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_set_permutable(*mut isl_schedule_node, c_int) -> *mut isl_schedule_node;
    isl_schedule_node_band_shift(
        *mut isl_schedule_node, *mut isl_multi_union_pw_aff
    ) -> *mut isl_schedule_node;
    isl_schedule_node_band_sink(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_band_split(*mut isl_schedule_node, c_int) -> *mut isl_schedule_node;
    isl_schedule_node_band_tile(
        *mut isl_schedule_node, *mut isl_multi_val
    ) -> *mut isl_schedule_node;
    isl_schedule_node_child(*mut isl_schedule_node, c_int) -> *mut isl_schedule_node;
    isl_schedule_node_context_get_context(*mut isl_schedule_node) -> *mut isl_set;
    isl_schedule_node_copy(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_cut(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_delete(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_domain_get_domain(*mut isl_schedule_node) -> *mut isl_union_set;
    isl_schedule_node_expansion_get_contraction(
        *mut isl_schedule_node
    ) -> *mut isl_union_pw_multi_aff;
    isl_schedule_node_expansion_get_expansion(*mut isl_schedule_node) -> *mut isl_union_map;
    isl_schedule_node_extension_get_extension(*mut isl_schedule_node) -> *mut isl_union_map;
    isl_schedule_node_filter_get_filter(*mut isl_schedule_node) -> *mut isl_union_set;
    isl_schedule_node_first_child(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_free(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_from_domain(*mut isl_union_set) -> *mut isl_schedule_node;
    isl_schedule_node_get_ancestor_child_position(
        *mut isl_schedule_node, *mut isl_schedule_node
    ) -> c_int;
    isl_schedule_node_get_child_position(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_get_domain(*mut isl_schedule_node) -> *mut isl_union_set;
    isl_schedule_node_get_parent_type(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_get_prefix_schedule_multi_union_pw_aff(
        *mut isl_schedule_node
    ) -> *mut isl_multi_union_pw_aff;
    isl_schedule_node_get_prefix_schedule_relation(*mut isl_schedule_node) -> *mut isl_union_map;
    isl_schedule_node_get_prefix_schedule_union_map(*mut isl_schedule_node) -> *mut isl_union_map;
    isl_schedule_node_get_schedule(*mut isl_schedule_node) -> *mut isl_schedule;
    isl_schedule_node_get_schedule_depth(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_get_shared_ancestor(
        *mut isl_schedule_node, *mut isl_schedule_node
    ) -> *mut isl_schedule_node;
    isl_schedule_node_get_subtree_schedule_union_map(*mut isl_schedule_node) -> *mut isl_union_map;
    isl_schedule_node_get_tree_depth(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_get_type(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_get_universe_domain(*mut isl_schedule_node) -> *mut isl_union_set;
    isl_schedule_node_graft_after(
        *mut isl_schedule_node, *mut isl_schedule_node
    ) -> *mut isl_schedule_node;
    isl_schedule_node_graft_before(
        *mut isl_schedule_node, *mut isl_schedule_node
    ) -> *mut isl_schedule_node;
    isl_schedule_node_group(*mut isl_schedule_node, *mut isl_id) -> *mut isl_schedule_node;
    isl_schedule_node_guard_get_guard(*mut isl_schedule_node) -> *mut isl_set;
    isl_schedule_node_has_children(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_has_next_sibling(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_has_parent(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_has_previous_sibling(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_insert_context(
        *mut isl_schedule_node, *mut isl_set
    ) -> *mut isl_schedule_node;
    isl_schedule_node_insert_filter(
        *mut isl_schedule_node, *mut isl_union_set
    ) -> *mut isl_schedule_node;
    isl_schedule_node_insert_guard(*mut isl_schedule_node, *mut isl_set) -> *mut isl_schedule_node;
    isl_schedule_node_insert_mark(*mut isl_schedule_node, *mut isl_id) -> *mut isl_schedule_node;
    isl_schedule_node_insert_partial_schedule(
        *mut isl_schedule_node, *mut isl_multi_union_pw_aff
    ) -> *mut isl_schedule_node;
    isl_schedule_node_insert_sequence(
        *mut isl_schedule_node, *mut isl_union_set_list
    ) -> *mut isl_schedule_node;
    isl_schedule_node_insert_set(
        *mut isl_schedule_node, *mut isl_union_set_list
    ) -> *mut isl_schedule_node;
    isl_schedule_node_is_equal(*mut isl_schedule_node, *mut isl_schedule_node) -> c_int;
    isl_schedule_node_is_subtree_anchored(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_mark_get_id(*mut isl_schedule_node) -> *mut isl_id;
    isl_schedule_node_n_children(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_next_sibling(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_order_after(
        *mut isl_schedule_node, *mut isl_union_set
    ) -> *mut isl_schedule_node;
    isl_schedule_node_order_before(
        *mut isl_schedule_node, *mut isl_union_set
    ) -> *mut isl_schedule_node;
    isl_schedule_node_parent(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_previous_sibling(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_root(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_sequence_splice_child(
        *mut isl_schedule_node, c_int
    ) -> *mut isl_schedule_node;
    isl_schedule_node_sequence_splice_children(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_to_str(*mut isl_schedule_node) -> *mut c_char;
    isl_schedule_plain_is_equal(*mut isl_schedule, *mut isl_schedule) -> c_int;
    isl_schedule_pullback_union_pw_multi_aff(
        *mut isl_schedule, *mut isl_union_pw_multi_aff
    ) -> *mut isl_schedule;
    isl_schedule_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_schedule;
    isl_schedule_sequence(*mut isl_schedule, *mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_set(*mut isl_schedule, *mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_to_str(*mut isl_schedule) -> *mut c_char;
}
