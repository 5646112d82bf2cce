//! Schedule trees.

use super::*;

functions! {
    isl_schedule_align_params(*mut isl_schedule, *mut isl_space) -> *mut isl_schedule;
    isl_schedule_copy(*mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_empty(*mut isl_space) -> *mut isl_schedule;
    isl_schedule_free(*mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_from_domain(*mut isl_union_set) -> *mut isl_schedule;
    isl_schedule_get_domain(*mut isl_schedule) -> *mut isl_union_set;
    isl_schedule_get_map(*mut isl_schedule) -> *mut isl_union_map;
    isl_schedule_get_root(*mut isl_schedule) -> *mut isl_schedule_node;
    isl_schedule_insert_partial_schedule(
        *mut isl_schedule, *mut isl_multi_union_pw_aff
    ) -> *mut isl_schedule;
    isl_schedule_intersect_domain(*mut isl_schedule, *mut isl_union_set) -> *mut isl_schedule;
    isl_schedule_node_align_params(
        *mut isl_schedule_node, *mut isl_space
    ) -> *mut isl_schedule_node;
    isl_schedule_node_ancestor(*mut isl_schedule_node, c_int) -> *mut isl_schedule_node;
    isl_schedule_node_band_member_set_ast_loop_type(
        *mut isl_schedule_node, c_int, c_int
    ) -> *mut isl_schedule_node;
    isl_schedule_node_child(*mut isl_schedule_node, c_int) -> *mut isl_schedule_node;
    isl_schedule_node_copy(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_cut(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_free(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_from_domain(*mut isl_union_set) -> *mut isl_schedule_node;
    isl_schedule_node_from_extension(*mut isl_union_map) -> *mut isl_schedule_node;
    isl_schedule_node_get_domain(*mut isl_schedule_node) -> *mut isl_union_set;
    isl_schedule_node_get_schedule(*mut isl_schedule_node) -> *mut isl_schedule;
    isl_schedule_node_get_type(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_graft_before(
        *mut isl_schedule_node, *mut isl_schedule_node
    ) -> *mut isl_schedule_node;
    isl_schedule_node_group(*mut isl_schedule_node, *mut isl_id) -> *mut isl_schedule_node;
    isl_schedule_node_insert_mark(*mut isl_schedule_node, *mut isl_id) -> *mut isl_schedule_node;
    isl_schedule_node_insert_partial_schedule(
        *mut isl_schedule_node, *mut isl_multi_union_pw_aff
    ) -> *mut isl_schedule_node;
    isl_schedule_node_insert_sequence(
        *mut isl_schedule_node, *mut isl_union_set_list
    ) -> *mut isl_schedule_node;
    isl_schedule_node_is_equal(*mut isl_schedule_node, *mut isl_schedule_node) -> c_int;
    isl_schedule_node_mark_get_id(*mut isl_schedule_node) -> *mut isl_id;
    isl_schedule_node_n_children(*mut isl_schedule_node) -> c_int;
    isl_schedule_node_parent(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_root(*mut isl_schedule_node) -> *mut isl_schedule_node;
    isl_schedule_node_to_str(*mut isl_schedule_node) -> *mut c_char;
    isl_schedule_plain_is_equal(*mut isl_schedule, *mut isl_schedule) -> c_int;
    isl_schedule_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_schedule;
    isl_schedule_set(*mut isl_schedule, *mut isl_schedule) -> *mut isl_schedule;
    isl_schedule_to_str(*mut isl_schedule) -> *mut c_char;
}
