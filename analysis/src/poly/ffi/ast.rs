//! Syntax trees and their generation.

use super::*;

functions! {
    isl_ast_build_alloc(*mut isl_ctx) -> *mut isl_ast_build;
    isl_ast_build_copy(*mut isl_ast_build) -> *mut isl_ast_build;
    isl_ast_build_expr_from_pw_aff(*mut isl_ast_build, *mut isl_pw_aff) -> *mut isl_ast_expr;
    isl_ast_build_expr_from_set(*mut isl_ast_build, *mut isl_set) -> *mut isl_ast_expr;
    isl_ast_build_free(*mut isl_ast_build) -> *mut isl_ast_build;
    isl_ast_build_from_context(*mut isl_set) -> *mut isl_ast_build;
    isl_ast_build_get_schedule(*mut isl_ast_build) -> *mut isl_union_map;
    isl_ast_build_get_schedule_space(*mut isl_ast_build) -> *mut isl_space;
    isl_ast_build_node_from_schedule(*mut isl_ast_build, *mut isl_schedule) -> *mut isl_ast_node;
    isl_ast_build_node_from_schedule_map(
        *mut isl_ast_build, *mut isl_union_map
    ) -> *mut isl_ast_node;
    isl_ast_build_restrict(*mut isl_ast_build, *mut isl_set) -> *mut isl_ast_build;
    isl_ast_build_set_after_each_for(
        *mut isl_ast_build,
        Option<unsafe extern "C" fn(*mut isl_ast_node, *mut isl_ast_build, *mut c_void) -> *mut isl_ast_node>,
        *mut c_void
    ) -> *mut isl_ast_build;
    isl_ast_build_set_after_each_mark(
        *mut isl_ast_build,
        Option<unsafe extern "C" fn(*mut isl_ast_node, *mut isl_ast_build, *mut c_void) -> *mut isl_ast_node>,
        *mut c_void
    ) -> *mut isl_ast_build;
    isl_ast_build_set_at_each_domain(
        *mut isl_ast_build,
        Option<unsafe extern "C" fn(*mut isl_ast_node, *mut isl_ast_build, *mut c_void) -> *mut isl_ast_node>,
        *mut c_void
    ) -> *mut isl_ast_build;
    isl_ast_build_set_before_each_for(
        *mut isl_ast_build,
        Option<unsafe extern "C" fn(*mut isl_ast_build, *mut c_void) -> *mut isl_id>,
        *mut c_void
    ) -> *mut isl_ast_build;
    isl_ast_build_set_before_each_mark(
        *mut isl_ast_build,
        Option<unsafe extern "C" fn(*mut isl_id, *mut isl_ast_build, *mut c_void) -> c_int>,
        *mut c_void
    ) -> *mut isl_ast_build;
    isl_ast_build_set_iterators(*mut isl_ast_build, *mut isl_id_list) -> *mut isl_ast_build;
    isl_ast_expr_access(*mut isl_ast_expr, *mut isl_ast_expr_list) -> *mut isl_ast_expr;
    isl_ast_expr_add(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_and(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_call(*mut isl_ast_expr, *mut isl_ast_expr_list) -> *mut isl_ast_expr;
    isl_ast_expr_copy(*mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_eq(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_free(*mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_from_id(*mut isl_id) -> *mut isl_ast_expr;
    isl_ast_expr_get_type(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_id_get_id(*mut isl_ast_expr) -> *mut isl_id;
    isl_ast_expr_int_get_val(*mut isl_ast_expr) -> *mut isl_val;
    isl_ast_expr_is_equal(*mut isl_ast_expr, *mut isl_ast_expr) -> c_int;
    isl_ast_expr_list_add(*mut isl_ast_expr_list, *mut isl_ast_expr) -> *mut isl_ast_expr_list;
    isl_ast_expr_list_alloc(*mut isl_ctx, c_int) -> *mut isl_ast_expr_list;
    isl_ast_expr_list_free(*mut isl_ast_expr_list) -> *mut isl_ast_expr_list;
    isl_ast_expr_list_get_at(*mut isl_ast_expr_list, c_int) -> *mut isl_ast_expr;
    isl_ast_expr_list_size(*mut isl_ast_expr_list) -> c_int;
    isl_ast_expr_mul(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_neg(*mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_op_get_arg(*mut isl_ast_expr, c_int) -> *mut isl_ast_expr;
    isl_ast_expr_op_get_n_arg(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_op_get_type(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_or(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_sub(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_to_C_str(*mut isl_ast_expr) -> *mut c_char;
    isl_ast_expr_to_str(*mut isl_ast_expr) -> *mut c_char;
    isl_ast_node_block_get_children(*mut isl_ast_node) -> *mut isl_ast_node_list;
    isl_ast_node_copy(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_for_get_body(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_for_get_cond(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_inc(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_init(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_get_iterator(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_for_is_degenerate(*mut isl_ast_node) -> c_int;
    isl_ast_node_free(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_get_annotation(*mut isl_ast_node) -> *mut isl_id;
    isl_ast_node_get_type(*mut isl_ast_node) -> c_int;
    isl_ast_node_if_get_cond(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_ast_node_if_get_else_node(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_if_get_then_node(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_if_has_else_node(*mut isl_ast_node) -> c_int;
    isl_ast_node_list_add(*mut isl_ast_node_list, *mut isl_ast_node) -> *mut isl_ast_node_list;
    isl_ast_node_list_alloc(*mut isl_ctx, c_int) -> *mut isl_ast_node_list;
    isl_ast_node_list_free(*mut isl_ast_node_list) -> *mut isl_ast_node_list;
    isl_ast_node_list_get_at(*mut isl_ast_node_list, c_int) -> *mut isl_ast_node;
    isl_ast_node_list_size(*mut isl_ast_node_list) -> c_int;
    isl_ast_node_mark_get_id(*mut isl_ast_node) -> *mut isl_id;
    isl_ast_node_mark_get_node(*mut isl_ast_node) -> *mut isl_ast_node;
    isl_ast_node_set_annotation(*mut isl_ast_node, *mut isl_id) -> *mut isl_ast_node;
    isl_ast_node_to_C_str(*mut isl_ast_node) -> *mut c_char;
    isl_ast_node_to_str(*mut isl_ast_node) -> *mut c_char;
    isl_ast_node_user_get_expr(*mut isl_ast_node) -> *mut isl_ast_expr;
}
