//! The part of isl's C interface that [`poly`](super) uses; the only declarations of it.
//!
//! `isl-rs` builds the library and links it; nothing else of that crate is used. Pointers to
//! objects are `__isl_take`, `__isl_keep` or `__isl_give` as isl's headers say; `isl_bool`,
//! `isl_size` and `isl_stat` are `c_int` with -1 for an error.

#![allow(non_camel_case_types, non_upper_case_globals, missing_docs)]

use std::ffi::{c_char, c_int, c_uint, c_void};

extern crate isl_rs as _;

pub const ISL_ON_ERROR_CONTINUE: c_int = 1;
pub const isl_error_abort: c_uint = 1;
pub const isl_error_alloc: c_uint = 2;
pub const isl_error_internal: c_uint = 4;
pub const isl_error_invalid: c_uint = 5;
pub const isl_error_quota: c_uint = 6;
pub const isl_error_unsupported: c_uint = 7;

macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _private: [u8; 0],
        }
    )* };
}

opaque! {
    isl_aff
    isl_aff_list
    isl_ast_build
    isl_ast_expr
    isl_ast_expr_list
    isl_ast_node
    isl_ast_node_list
    isl_basic_map
    isl_basic_map_list
    isl_basic_set
    isl_basic_set_list
    isl_constraint
    isl_constraint_list
    isl_ctx
    isl_id
    isl_id_list
    isl_local_space
    isl_map
    isl_map_list
    isl_mat
    isl_multi_aff
    isl_multi_pw_aff
    isl_multi_union_pw_aff
    isl_multi_val
    isl_point
    isl_pw_aff
    isl_pw_aff_list
    isl_pw_multi_aff
    isl_pw_multi_aff_list
    isl_schedule
    isl_schedule_constraints
    isl_schedule_node
    isl_set
    isl_set_list
    isl_space
    isl_union_access_info
    isl_union_flow
    isl_union_map
    isl_union_pw_aff
    isl_union_pw_aff_list
    isl_union_pw_multi_aff
    isl_union_set
    isl_union_set_list
    isl_val
    isl_val_list
}

macro_rules! functions {
    ($($name:ident($($t:ty),*) $(-> $r:ty)?;)*) => {
        unsafe extern "C" {
            $(pub fn $name($(_: $t),*) $(-> $r)?;)*
        }
    };
}

functions! {
    isl_aff_add(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_add_coefficient_val(*mut isl_aff, c_uint, c_int, *mut isl_val) -> *mut isl_aff;
    isl_aff_add_constant_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_add_dims(*mut isl_aff, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_align_params(*mut isl_aff, *mut isl_space) -> *mut isl_aff;
    isl_aff_ceil(*mut isl_aff) -> *mut isl_aff;
    isl_aff_copy(*mut isl_aff) -> *mut isl_aff;
    isl_aff_dim(*mut isl_aff, c_uint) -> c_int;
    isl_aff_div(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_drop_dims(*mut isl_aff, c_uint, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_eq_basic_set(*mut isl_aff, *mut isl_aff) -> *mut isl_basic_set;
    isl_aff_eq_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_eval(*mut isl_aff, *mut isl_point) -> *mut isl_val;
    isl_aff_floor(*mut isl_aff) -> *mut isl_aff;
    isl_aff_free(*mut isl_aff) -> *mut isl_aff;
    isl_aff_ge_basic_set(*mut isl_aff, *mut isl_aff) -> *mut isl_basic_set;
    isl_aff_ge_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_get_coefficient_val(*mut isl_aff, c_uint, c_int) -> *mut isl_val;
    isl_aff_get_constant_val(*mut isl_aff) -> *mut isl_val;
    isl_aff_get_denominator_val(*mut isl_aff) -> *mut isl_val;
    isl_aff_get_dim_name(*mut isl_aff, c_uint, c_uint) -> *const c_char;
    isl_aff_get_div(*mut isl_aff, c_int) -> *mut isl_aff;
    isl_aff_get_domain_local_space(*mut isl_aff) -> *mut isl_local_space;
    isl_aff_get_domain_space(*mut isl_aff) -> *mut isl_space;
    isl_aff_get_local_space(*mut isl_aff) -> *mut isl_local_space;
    isl_aff_get_space(*mut isl_aff) -> *mut isl_space;
    isl_aff_gist(*mut isl_aff, *mut isl_set) -> *mut isl_aff;
    isl_aff_gist_params(*mut isl_aff, *mut isl_set) -> *mut isl_aff;
    isl_aff_gt_basic_set(*mut isl_aff, *mut isl_aff) -> *mut isl_basic_set;
    isl_aff_gt_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_insert_dims(*mut isl_aff, c_uint, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_involves_dims(*mut isl_aff, c_uint, c_uint, c_uint) -> c_int;
    isl_aff_involves_locals(*mut isl_aff) -> c_int;
    isl_aff_is_cst(*mut isl_aff) -> c_int;
    isl_aff_is_nan(*mut isl_aff) -> c_int;
    isl_aff_le_basic_set(*mut isl_aff, *mut isl_aff) -> *mut isl_basic_set;
    isl_aff_le_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_list_add(*mut isl_aff_list, *mut isl_aff) -> *mut isl_aff_list;
    isl_aff_list_alloc(*mut isl_ctx, c_int) -> *mut isl_aff_list;
    isl_aff_list_free(*mut isl_aff_list) -> *mut isl_aff_list;
    isl_aff_list_get_at(*mut isl_aff_list, c_int) -> *mut isl_aff;
    isl_aff_list_size(*mut isl_aff_list) -> c_int;
    isl_aff_lt_basic_set(*mut isl_aff, *mut isl_aff) -> *mut isl_basic_set;
    isl_aff_lt_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_mod_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_move_dims(*mut isl_aff, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_mul(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_nan_on_domain_space(*mut isl_space) -> *mut isl_aff;
    isl_aff_ne_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_neg(*mut isl_aff) -> *mut isl_aff;
    isl_aff_neg_basic_set(*mut isl_aff) -> *mut isl_basic_set;
    isl_aff_param_on_domain_space_id(*mut isl_space, *mut isl_id) -> *mut isl_aff;
    isl_aff_plain_is_equal(*mut isl_aff, *mut isl_aff) -> c_int;
    isl_aff_plain_is_zero(*mut isl_aff) -> c_int;
    isl_aff_project_domain_on_params(*mut isl_aff) -> *mut isl_aff;
    isl_aff_pullback_aff(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_pullback_multi_aff(*mut isl_aff, *mut isl_multi_aff) -> *mut isl_aff;
    isl_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_aff;
    isl_aff_scale_down_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_scale_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_set_coefficient_val(*mut isl_aff, c_uint, c_int, *mut isl_val) -> *mut isl_aff;
    isl_aff_set_constant_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_set_dim_id(*mut isl_aff, c_uint, c_uint, *mut isl_id) -> *mut isl_aff;
    isl_aff_set_tuple_id(*mut isl_aff, c_uint, *mut isl_id) -> *mut isl_aff;
    isl_aff_sub(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_to_str(*mut isl_aff) -> *mut c_char;
    isl_aff_val_on_domain(*mut isl_local_space, *mut isl_val) -> *mut isl_aff;
    isl_aff_val_on_domain_space(*mut isl_space, *mut isl_val) -> *mut isl_aff;
    isl_aff_var_on_domain(*mut isl_local_space, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_zero_basic_set(*mut isl_aff) -> *mut isl_basic_set;
    isl_aff_zero_on_domain(*mut isl_local_space) -> *mut isl_aff;
    isl_aff_zero_on_domain_space(*mut isl_space) -> *mut isl_aff;
    isl_ast_build_access_from_multi_pw_aff(
        *mut isl_ast_build, *mut isl_multi_pw_aff
    ) -> *mut isl_ast_expr;
    isl_ast_build_access_from_pw_multi_aff(
        *mut isl_ast_build, *mut isl_pw_multi_aff
    ) -> *mut isl_ast_expr;
    isl_ast_build_alloc(*mut isl_ctx) -> *mut isl_ast_build;
    isl_ast_build_call_from_multi_pw_aff(
        *mut isl_ast_build, *mut isl_multi_pw_aff
    ) -> *mut isl_ast_expr;
    isl_ast_build_call_from_pw_multi_aff(
        *mut isl_ast_build, *mut isl_pw_multi_aff
    ) -> *mut isl_ast_expr;
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
    isl_ast_build_set_options(*mut isl_ast_build, *mut isl_union_map) -> *mut isl_ast_build;
    isl_ast_expr_access(*mut isl_ast_expr, *mut isl_ast_expr_list) -> *mut isl_ast_expr;
    isl_ast_expr_add(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_and(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_call(*mut isl_ast_expr, *mut isl_ast_expr_list) -> *mut isl_ast_expr;
    isl_ast_expr_copy(*mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_eq(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_free(*mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_from_id(*mut isl_id) -> *mut isl_ast_expr;
    isl_ast_expr_from_val(*mut isl_val) -> *mut isl_ast_expr;
    isl_ast_expr_ge(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_get_type(*mut isl_ast_expr) -> c_int;
    isl_ast_expr_gt(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_id_get_id(*mut isl_ast_expr) -> *mut isl_id;
    isl_ast_expr_int_get_val(*mut isl_ast_expr) -> *mut isl_val;
    isl_ast_expr_is_equal(*mut isl_ast_expr, *mut isl_ast_expr) -> c_int;
    isl_ast_expr_le(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
    isl_ast_expr_list_add(*mut isl_ast_expr_list, *mut isl_ast_expr) -> *mut isl_ast_expr_list;
    isl_ast_expr_list_alloc(*mut isl_ctx, c_int) -> *mut isl_ast_expr_list;
    isl_ast_expr_list_free(*mut isl_ast_expr_list) -> *mut isl_ast_expr_list;
    isl_ast_expr_list_get_at(*mut isl_ast_expr_list, c_int) -> *mut isl_ast_expr;
    isl_ast_expr_list_size(*mut isl_ast_expr_list) -> c_int;
    isl_ast_expr_lt(*mut isl_ast_expr, *mut isl_ast_expr) -> *mut isl_ast_expr;
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
    isl_ast_node_user_from_expr(*mut isl_ast_expr) -> *mut isl_ast_node;
    isl_ast_node_user_get_expr(*mut isl_ast_node) -> *mut isl_ast_expr;
    isl_basic_map_add_constraint(*mut isl_basic_map, *mut isl_constraint) -> *mut isl_basic_map;
    isl_basic_map_add_dims(*mut isl_basic_map, c_uint, c_uint) -> *mut isl_basic_map;
    isl_basic_map_affine_hull(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_align_params(*mut isl_basic_map, *mut isl_space) -> *mut isl_basic_map;
    isl_basic_map_apply_domain(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_apply_range(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_compute_divs(*mut isl_basic_map) -> *mut isl_map;
    isl_basic_map_copy(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_curry(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_deltas(*mut isl_basic_map) -> *mut isl_basic_set;
    isl_basic_map_deltas_map(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_detect_equalities(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_dim(*mut isl_basic_map, c_uint) -> c_int;
    isl_basic_map_domain(*mut isl_basic_map) -> *mut isl_basic_set;
    isl_basic_map_domain_product(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_drop_constraints_involving_dims(
        *mut isl_basic_map, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_map;
    isl_basic_map_drop_constraints_not_involving_dims(
        *mut isl_basic_map, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_map;
    isl_basic_map_drop_unused_params(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_eliminate(*mut isl_basic_map, c_uint, c_uint, c_uint) -> *mut isl_basic_map;
    isl_basic_map_empty(*mut isl_space) -> *mut isl_basic_map;
    isl_basic_map_equal(*mut isl_space, c_uint) -> *mut isl_basic_map;
    isl_basic_map_equalities_matrix(
        *mut isl_basic_map, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_mat;
    isl_basic_map_equate(*mut isl_basic_map, c_uint, c_int, c_uint, c_int) -> *mut isl_basic_map;
    isl_basic_map_fix_val(*mut isl_basic_map, c_uint, c_uint, *mut isl_val) -> *mut isl_basic_map;
    isl_basic_map_flat_product(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_flat_range_product(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_flatten(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_flatten_domain(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_flatten_range(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_free(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_from_aff(*mut isl_aff) -> *mut isl_basic_map;
    isl_basic_map_from_constraint(*mut isl_constraint) -> *mut isl_basic_map;
    isl_basic_map_from_constraint_matrices(
        *mut isl_space, *mut isl_mat, *mut isl_mat, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_map;
    isl_basic_map_from_domain(*mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_map_from_domain_and_range(
        *mut isl_basic_set, *mut isl_basic_set
    ) -> *mut isl_basic_map;
    isl_basic_map_from_multi_aff(*mut isl_multi_aff) -> *mut isl_basic_map;
    isl_basic_map_from_range(*mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_map_get_constraint_list(*mut isl_basic_map) -> *mut isl_constraint_list;
    isl_basic_map_get_dim_name(*mut isl_basic_map, c_uint, c_uint) -> *const c_char;
    isl_basic_map_get_div(*mut isl_basic_map, c_int) -> *mut isl_aff;
    isl_basic_map_get_local_space(*mut isl_basic_map) -> *mut isl_local_space;
    isl_basic_map_get_space(*mut isl_basic_map) -> *mut isl_space;
    isl_basic_map_get_tuple_name(*mut isl_basic_map, c_uint) -> *const c_char;
    isl_basic_map_gist(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_gist_domain(*mut isl_basic_map, *mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_map_identity(*mut isl_space) -> *mut isl_basic_map;
    isl_basic_map_inequalities_matrix(
        *mut isl_basic_map, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_mat;
    isl_basic_map_insert_dims(*mut isl_basic_map, c_uint, c_uint, c_uint) -> *mut isl_basic_map;
    isl_basic_map_intersect(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_intersect_domain(*mut isl_basic_map, *mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_map_intersect_params(*mut isl_basic_map, *mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_map_intersect_range(*mut isl_basic_map, *mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_map_involves_dims(*mut isl_basic_map, c_uint, c_uint, c_uint) -> c_int;
    isl_basic_map_is_disjoint(*mut isl_basic_map, *mut isl_basic_map) -> c_int;
    isl_basic_map_is_empty(*mut isl_basic_map) -> c_int;
    isl_basic_map_is_equal(*mut isl_basic_map, *mut isl_basic_map) -> c_int;
    isl_basic_map_is_single_valued(*mut isl_basic_map) -> c_int;
    isl_basic_map_is_strict_subset(*mut isl_basic_map, *mut isl_basic_map) -> c_int;
    isl_basic_map_is_subset(*mut isl_basic_map, *mut isl_basic_map) -> c_int;
    isl_basic_map_is_universe(*mut isl_basic_map) -> c_int;
    isl_basic_map_less_at(*mut isl_space, c_uint) -> *mut isl_basic_map;
    isl_basic_map_lexmax(*mut isl_basic_map) -> *mut isl_map;
    isl_basic_map_lexmin(*mut isl_basic_map) -> *mut isl_map;
    isl_basic_map_lexmin_pw_multi_aff(*mut isl_basic_map) -> *mut isl_pw_multi_aff;
    isl_basic_map_list_add(*mut isl_basic_map_list, *mut isl_basic_map) -> *mut isl_basic_map_list;
    isl_basic_map_list_alloc(*mut isl_ctx, c_int) -> *mut isl_basic_map_list;
    isl_basic_map_list_free(*mut isl_basic_map_list) -> *mut isl_basic_map_list;
    isl_basic_map_list_get_at(*mut isl_basic_map_list, c_int) -> *mut isl_basic_map;
    isl_basic_map_list_size(*mut isl_basic_map_list) -> c_int;
    isl_basic_map_more_at(*mut isl_space, c_uint) -> *mut isl_basic_map;
    isl_basic_map_move_dims(
        *mut isl_basic_map, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_map;
    isl_basic_map_n_constraint(*mut isl_basic_map) -> c_int;
    isl_basic_map_nat_universe(*mut isl_space) -> *mut isl_basic_map;
    isl_basic_map_neg(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_order_ge(*mut isl_basic_map, c_uint, c_int, c_uint, c_int) -> *mut isl_basic_map;
    isl_basic_map_order_gt(*mut isl_basic_map, c_uint, c_int, c_uint, c_int) -> *mut isl_basic_map;
    isl_basic_map_plain_is_empty(*mut isl_basic_map) -> c_int;
    isl_basic_map_plain_is_universe(*mut isl_basic_map) -> c_int;
    isl_basic_map_preimage_domain_multi_aff(
        *mut isl_basic_map, *mut isl_multi_aff
    ) -> *mut isl_basic_map;
    isl_basic_map_preimage_range_multi_aff(
        *mut isl_basic_map, *mut isl_multi_aff
    ) -> *mut isl_basic_map;
    isl_basic_map_product(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_project_out(*mut isl_basic_map, c_uint, c_uint, c_uint) -> *mut isl_basic_map;
    isl_basic_map_range(*mut isl_basic_map) -> *mut isl_basic_set;
    isl_basic_map_range_product(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_basic_map;
    isl_basic_map_remove_divs(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_remove_divs_involving_dims(
        *mut isl_basic_map, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_map;
    isl_basic_map_remove_redundancies(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_reverse(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_sample(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_set_tuple_id(*mut isl_basic_map, c_uint, *mut isl_id) -> *mut isl_basic_map;
    isl_basic_map_sum(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_to_str(*mut isl_basic_map) -> *mut c_char;
    isl_basic_map_uncurry(*mut isl_basic_map) -> *mut isl_basic_map;
    isl_basic_map_union(*mut isl_basic_map, *mut isl_basic_map) -> *mut isl_map;
    isl_basic_map_universe(*mut isl_space) -> *mut isl_basic_map;
    isl_basic_map_wrap(*mut isl_basic_map) -> *mut isl_basic_set;
    isl_basic_set_add_constraint(*mut isl_basic_set, *mut isl_constraint) -> *mut isl_basic_set;
    isl_basic_set_add_dims(*mut isl_basic_set, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_set_affine_hull(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_align_params(*mut isl_basic_set, *mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_apply(*mut isl_basic_set, *mut isl_basic_map) -> *mut isl_basic_set;
    isl_basic_set_coefficients(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_compute_divs(*mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_copy(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_detect_equalities(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_dim(*mut isl_basic_set, c_uint) -> c_int;
    isl_basic_set_dim_max_val(*mut isl_basic_set, c_int) -> *mut isl_val;
    isl_basic_set_drop_constraints_involving_dims(
        *mut isl_basic_set, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_set;
    isl_basic_set_drop_constraints_not_involving_dims(
        *mut isl_basic_set, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_set;
    isl_basic_set_drop_unused_params(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_eliminate(*mut isl_basic_set, c_uint, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_set_empty(*mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_equalities_matrix(
        *mut isl_basic_set, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_mat;
    isl_basic_set_fix_val(*mut isl_basic_set, c_uint, c_uint, *mut isl_val) -> *mut isl_basic_set;
    isl_basic_set_flat_product(*mut isl_basic_set, *mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_flatten(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_free(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_from_constraint(*mut isl_constraint) -> *mut isl_basic_set;
    isl_basic_set_from_constraint_matrices(
        *mut isl_space, *mut isl_mat, *mut isl_mat, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_set;
    isl_basic_set_from_multi_aff(*mut isl_multi_aff) -> *mut isl_basic_set;
    isl_basic_set_from_params(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_from_point(*mut isl_point) -> *mut isl_basic_set;
    isl_basic_set_get_constraint_list(*mut isl_basic_set) -> *mut isl_constraint_list;
    isl_basic_set_get_dim_name(*mut isl_basic_set, c_uint, c_uint) -> *const c_char;
    isl_basic_set_get_div(*mut isl_basic_set, c_int) -> *mut isl_aff;
    isl_basic_set_get_local_space(*mut isl_basic_set) -> *mut isl_local_space;
    isl_basic_set_get_space(*mut isl_basic_set) -> *mut isl_space;
    isl_basic_set_get_tuple_name(*mut isl_basic_set) -> *const c_char;
    isl_basic_set_gist(*mut isl_basic_set, *mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_inequalities_matrix(
        *mut isl_basic_set, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_mat;
    isl_basic_set_insert_dims(*mut isl_basic_set, c_uint, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_set_intersect(*mut isl_basic_set, *mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_intersect_params(*mut isl_basic_set, *mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_involves_dims(*mut isl_basic_set, c_uint, c_uint, c_uint) -> c_int;
    isl_basic_set_is_bounded(*mut isl_basic_set) -> c_int;
    isl_basic_set_is_disjoint(*mut isl_basic_set, *mut isl_basic_set) -> c_int;
    isl_basic_set_is_empty(*mut isl_basic_set) -> c_int;
    isl_basic_set_is_equal(*mut isl_basic_set, *mut isl_basic_set) -> c_int;
    isl_basic_set_is_subset(*mut isl_basic_set, *mut isl_basic_set) -> c_int;
    isl_basic_set_is_universe(*mut isl_basic_set) -> c_int;
    isl_basic_set_is_wrapping(*mut isl_basic_set) -> c_int;
    isl_basic_set_lexmax(*mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_lexmin(*mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_lift(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_list_add(*mut isl_basic_set_list, *mut isl_basic_set) -> *mut isl_basic_set_list;
    isl_basic_set_list_alloc(*mut isl_ctx, c_int) -> *mut isl_basic_set_list;
    isl_basic_set_list_free(*mut isl_basic_set_list) -> *mut isl_basic_set_list;
    isl_basic_set_list_get_at(*mut isl_basic_set_list, c_int) -> *mut isl_basic_set;
    isl_basic_set_list_size(*mut isl_basic_set_list) -> c_int;
    isl_basic_set_lower_bound_val(
        *mut isl_basic_set, c_uint, c_uint, *mut isl_val
    ) -> *mut isl_basic_set;
    isl_basic_set_max_val(*mut isl_basic_set, *mut isl_aff) -> *mut isl_val;
    isl_basic_set_move_dims(
        *mut isl_basic_set, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_set;
    isl_basic_set_n_constraint(*mut isl_basic_set) -> c_int;
    isl_basic_set_nat_universe(*mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_neg(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_params(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_plain_is_empty(*mut isl_basic_set) -> c_int;
    isl_basic_set_plain_is_equal(*mut isl_basic_set, *mut isl_basic_set) -> c_int;
    isl_basic_set_plain_is_universe(*mut isl_basic_set) -> c_int;
    isl_basic_set_positive_orthant(*mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_preimage_multi_aff(*mut isl_basic_set, *mut isl_multi_aff) -> *mut isl_basic_set;
    isl_basic_set_project_out(*mut isl_basic_set, c_uint, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_set_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_basic_set;
    isl_basic_set_remove_divs(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_remove_redundancies(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_remove_unknown_divs(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_sample(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_sample_point(*mut isl_basic_set) -> *mut isl_point;
    isl_basic_set_set_dim_name(
        *mut isl_basic_set, c_uint, c_uint, *const c_char
    ) -> *mut isl_basic_set;
    isl_basic_set_set_tuple_id(*mut isl_basic_set, *mut isl_id) -> *mut isl_basic_set;
    isl_basic_set_solutions(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_to_set(*mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_to_str(*mut isl_basic_set) -> *mut c_char;
    isl_basic_set_union(*mut isl_basic_set, *mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_universe(*mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_unwrap(*mut isl_basic_set) -> *mut isl_basic_map;
    isl_basic_set_upper_bound_val(
        *mut isl_basic_set, c_uint, c_uint, *mut isl_val
    ) -> *mut isl_basic_set;
    isl_constraint_alloc_equality(*mut isl_local_space) -> *mut isl_constraint;
    isl_constraint_alloc_inequality(*mut isl_local_space) -> *mut isl_constraint;
    isl_constraint_copy(*mut isl_constraint) -> *mut isl_constraint;
    isl_constraint_dim(*mut isl_constraint, c_uint) -> c_int;
    isl_constraint_free(*mut isl_constraint) -> *mut isl_constraint;
    isl_constraint_get_aff(*mut isl_constraint) -> *mut isl_aff;
    isl_constraint_get_bound(*mut isl_constraint, c_uint, c_int) -> *mut isl_aff;
    isl_constraint_get_coefficient_val(*mut isl_constraint, c_uint, c_int) -> *mut isl_val;
    isl_constraint_get_constant_val(*mut isl_constraint) -> *mut isl_val;
    isl_constraint_get_div(*mut isl_constraint, c_int) -> *mut isl_aff;
    isl_constraint_get_local_space(*mut isl_constraint) -> *mut isl_local_space;
    isl_constraint_get_space(*mut isl_constraint) -> *mut isl_space;
    isl_constraint_involves_dims(*mut isl_constraint, c_uint, c_uint, c_uint) -> c_int;
    isl_constraint_is_div_constraint(*mut isl_constraint) -> c_int;
    isl_constraint_is_equality(*mut isl_constraint) -> c_int;
    isl_constraint_is_lower_bound(*mut isl_constraint, c_uint, c_uint) -> c_int;
    isl_constraint_is_upper_bound(*mut isl_constraint, c_uint, c_uint) -> c_int;
    isl_constraint_list_add(
        *mut isl_constraint_list, *mut isl_constraint
    ) -> *mut isl_constraint_list;
    isl_constraint_list_alloc(*mut isl_ctx, c_int) -> *mut isl_constraint_list;
    isl_constraint_list_free(*mut isl_constraint_list) -> *mut isl_constraint_list;
    isl_constraint_list_get_at(*mut isl_constraint_list, c_int) -> *mut isl_constraint;
    isl_constraint_list_size(*mut isl_constraint_list) -> c_int;
    isl_constraint_negate(*mut isl_constraint) -> *mut isl_constraint;
    isl_constraint_set_coefficient_val(
        *mut isl_constraint, c_uint, c_int, *mut isl_val
    ) -> *mut isl_constraint;
    isl_constraint_set_constant_val(*mut isl_constraint, *mut isl_val) -> *mut isl_constraint;
    isl_ctx_alloc() -> *mut isl_ctx;
    isl_ctx_free(*mut isl_ctx);
    isl_ctx_get_max_operations(*mut isl_ctx) -> u64;
    isl_ctx_last_error(*mut isl_ctx) -> c_uint;
    isl_ctx_last_error_msg(*mut isl_ctx) -> *const c_char;
    isl_ctx_reset_error(*mut isl_ctx);
    isl_ctx_reset_operations(*mut isl_ctx);
    isl_ctx_set_max_operations(*mut isl_ctx, u64);
    isl_id_alloc(*mut isl_ctx, *const c_char, *mut c_void) -> *mut isl_id;
    isl_id_copy(*mut isl_id) -> *mut isl_id;
    isl_id_free(*mut isl_id) -> *mut isl_id;
    isl_id_get_name(*mut isl_id) -> *const c_char;
    isl_id_list_add(*mut isl_id_list, *mut isl_id) -> *mut isl_id_list;
    isl_id_list_alloc(*mut isl_ctx, c_int) -> *mut isl_id_list;
    isl_id_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_id;
    isl_id_to_str(*mut isl_id) -> *mut c_char;
    isl_local_space_copy(*mut isl_local_space) -> *mut isl_local_space;
    isl_local_space_dim(*mut isl_local_space, c_uint) -> c_int;
    isl_local_space_domain(*mut isl_local_space) -> *mut isl_local_space;
    isl_local_space_free(*mut isl_local_space) -> *mut isl_local_space;
    isl_local_space_from_space(*mut isl_space) -> *mut isl_local_space;
    isl_local_space_get_dim_name(*mut isl_local_space, c_uint, c_uint) -> *const c_char;
    isl_local_space_get_div(*mut isl_local_space, c_int) -> *mut isl_aff;
    isl_local_space_get_space(*mut isl_local_space) -> *mut isl_space;
    isl_local_space_is_equal(*mut isl_local_space, *mut isl_local_space) -> c_int;
    isl_local_space_is_set(*mut isl_local_space) -> c_int;
    isl_local_space_range(*mut isl_local_space) -> *mut isl_local_space;
    isl_map_add_constraint(*mut isl_map, *mut isl_constraint) -> *mut isl_map;
    isl_map_add_dims(*mut isl_map, c_uint, c_uint) -> *mut isl_map;
    isl_map_affine_hull(*mut isl_map) -> *mut isl_basic_map;
    isl_map_align_params(*mut isl_map, *mut isl_space) -> *mut isl_map;
    isl_map_apply_domain(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_apply_range(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_as_pw_multi_aff(*mut isl_map) -> *mut isl_pw_multi_aff;
    isl_map_coalesce(*mut isl_map) -> *mut isl_map;
    isl_map_complement(*mut isl_map) -> *mut isl_map;
    isl_map_compute_divs(*mut isl_map) -> *mut isl_map;
    isl_map_convex_hull(*mut isl_map) -> *mut isl_basic_map;
    isl_map_copy(*mut isl_map) -> *mut isl_map;
    isl_map_curry(*mut isl_map) -> *mut isl_map;
    isl_map_deltas(*mut isl_map) -> *mut isl_set;
    isl_map_deltas_map(*mut isl_map) -> *mut isl_map;
    isl_map_detect_equalities(*mut isl_map) -> *mut isl_map;
    isl_map_dim(*mut isl_map, c_uint) -> c_int;
    isl_map_dim_max(*mut isl_map, c_int) -> *mut isl_pw_aff;
    isl_map_dim_min(*mut isl_map, c_int) -> *mut isl_pw_aff;
    isl_map_domain(*mut isl_map) -> *mut isl_set;
    isl_map_domain_factor_domain(*mut isl_map) -> *mut isl_map;
    isl_map_domain_factor_range(*mut isl_map) -> *mut isl_map;
    isl_map_domain_is_wrapping(*mut isl_map) -> c_int;
    isl_map_domain_map(*mut isl_map) -> *mut isl_map;
    isl_map_domain_product(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_domain_reverse(*mut isl_map) -> *mut isl_map;
    isl_map_domain_tuple_dim(*mut isl_map) -> c_int;
    isl_map_drop_constraints_involving_dims(*mut isl_map, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_map_drop_constraints_not_involving_dims(
        *mut isl_map, c_uint, c_uint, c_uint
    ) -> *mut isl_map;
    isl_map_drop_unused_params(*mut isl_map) -> *mut isl_map;
    isl_map_eliminate(*mut isl_map, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_map_empty(*mut isl_space) -> *mut isl_map;
    isl_map_eq_at_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_equate(*mut isl_map, c_uint, c_int, c_uint, c_int) -> *mut isl_map;
    isl_map_factor_domain(*mut isl_map) -> *mut isl_map;
    isl_map_factor_range(*mut isl_map) -> *mut isl_map;
    isl_map_fix_val(*mut isl_map, c_uint, c_uint, *mut isl_val) -> *mut isl_map;
    isl_map_fixed_power_val(*mut isl_map, *mut isl_val) -> *mut isl_map;
    isl_map_flat_domain_product(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_flat_product(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_flat_range_product(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_flatten(*mut isl_map) -> *mut isl_map;
    isl_map_flatten_domain(*mut isl_map) -> *mut isl_map;
    isl_map_flatten_range(*mut isl_map) -> *mut isl_map;
    isl_map_floordiv_val(*mut isl_map, *mut isl_val) -> *mut isl_map;
    isl_map_free(*mut isl_map) -> *mut isl_map;
    isl_map_from_aff(*mut isl_aff) -> *mut isl_map;
    isl_map_from_basic_map(*mut isl_basic_map) -> *mut isl_map;
    isl_map_from_domain(*mut isl_set) -> *mut isl_map;
    isl_map_from_domain_and_range(*mut isl_set, *mut isl_set) -> *mut isl_map;
    isl_map_from_multi_aff(*mut isl_multi_aff) -> *mut isl_map;
    isl_map_from_multi_pw_aff(*mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_from_pw_aff(*mut isl_pw_aff) -> *mut isl_map;
    isl_map_from_pw_multi_aff(*mut isl_pw_multi_aff) -> *mut isl_map;
    isl_map_from_range(*mut isl_set) -> *mut isl_map;
    isl_map_from_union_map(*mut isl_union_map) -> *mut isl_map;
    isl_map_get_basic_map_list(*mut isl_map) -> *mut isl_basic_map_list;
    isl_map_get_dim_name(*mut isl_map, c_uint, c_uint) -> *const c_char;
    isl_map_get_space(*mut isl_map) -> *mut isl_space;
    isl_map_get_tuple_name(*mut isl_map, c_uint) -> *const c_char;
    isl_map_gist(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_gist_domain(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_gist_params(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_gist_range(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_has_dim_name(*mut isl_map, c_uint, c_uint) -> c_int;
    isl_map_has_equal_space(*mut isl_map, *mut isl_map) -> c_int;
    isl_map_has_tuple_name(*mut isl_map, c_uint) -> c_int;
    isl_map_identity(*mut isl_space) -> *mut isl_map;
    isl_map_insert_dims(*mut isl_map, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_map_intersect(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_intersect_domain(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_intersect_domain_factor_domain(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_intersect_domain_factor_range(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_intersect_domain_wrapped_domain(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_intersect_params(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_intersect_range(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_intersect_range_factor_domain(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_intersect_range_factor_range(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_intersect_range_wrapped_domain(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_involves_dims(*mut isl_map, c_uint, c_uint, c_uint) -> c_int;
    isl_map_is_bijective(*mut isl_map) -> c_int;
    isl_map_is_disjoint(*mut isl_map, *mut isl_map) -> c_int;
    isl_map_is_empty(*mut isl_map) -> c_int;
    isl_map_is_equal(*mut isl_map, *mut isl_map) -> c_int;
    isl_map_is_identity(*mut isl_map) -> c_int;
    isl_map_is_injective(*mut isl_map) -> c_int;
    isl_map_is_product(*mut isl_map) -> c_int;
    isl_map_is_single_valued(*mut isl_map) -> c_int;
    isl_map_is_strict_subset(*mut isl_map, *mut isl_map) -> c_int;
    isl_map_is_subset(*mut isl_map, *mut isl_map) -> c_int;
    isl_map_lex_ge(*mut isl_space) -> *mut isl_map;
    isl_map_lex_ge_at_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_lex_ge_first(*mut isl_space, c_uint) -> *mut isl_map;
    isl_map_lex_ge_map(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_lex_gt(*mut isl_space) -> *mut isl_map;
    isl_map_lex_gt_at_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_lex_gt_first(*mut isl_space, c_uint) -> *mut isl_map;
    isl_map_lex_gt_map(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_lex_le(*mut isl_space) -> *mut isl_map;
    isl_map_lex_le_at_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_lex_le_first(*mut isl_space, c_uint) -> *mut isl_map;
    isl_map_lex_le_map(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_lex_lt(*mut isl_space) -> *mut isl_map;
    isl_map_lex_lt_at_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_lex_lt_first(*mut isl_space, c_uint) -> *mut isl_map;
    isl_map_lex_lt_map(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_lexmax(*mut isl_map) -> *mut isl_map;
    isl_map_lexmax_pw_multi_aff(*mut isl_map) -> *mut isl_pw_multi_aff;
    isl_map_lexmin(*mut isl_map) -> *mut isl_map;
    isl_map_lexmin_pw_multi_aff(*mut isl_map) -> *mut isl_pw_multi_aff;
    isl_map_list_add(*mut isl_map_list, *mut isl_map) -> *mut isl_map_list;
    isl_map_list_alloc(*mut isl_ctx, c_int) -> *mut isl_map_list;
    isl_map_list_free(*mut isl_map_list) -> *mut isl_map_list;
    isl_map_list_get_at(*mut isl_map_list, c_int) -> *mut isl_map;
    isl_map_list_size(*mut isl_map_list) -> c_int;
    isl_map_lower_bound_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_lower_bound_val(*mut isl_map, c_uint, c_uint, *mut isl_val) -> *mut isl_map;
    isl_map_make_disjoint(*mut isl_map) -> *mut isl_map;
    isl_map_move_dims(*mut isl_map, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_map_n_basic_map(*mut isl_map) -> c_int;
    isl_map_nat_universe(*mut isl_space) -> *mut isl_map;
    isl_map_neg(*mut isl_map) -> *mut isl_map;
    isl_map_oppose(*mut isl_map, c_uint, c_int, c_uint, c_int) -> *mut isl_map;
    isl_map_order_ge(*mut isl_map, c_uint, c_int, c_uint, c_int) -> *mut isl_map;
    isl_map_order_gt(*mut isl_map, c_uint, c_int, c_uint, c_int) -> *mut isl_map;
    isl_map_order_le(*mut isl_map, c_uint, c_int, c_uint, c_int) -> *mut isl_map;
    isl_map_order_lt(*mut isl_map, c_uint, c_int, c_uint, c_int) -> *mut isl_map;
    isl_map_params(*mut isl_map) -> *mut isl_set;
    isl_map_plain_get_val_if_fixed(*mut isl_map, c_uint, c_uint) -> *mut isl_val;
    isl_map_plain_is_empty(*mut isl_map) -> c_int;
    isl_map_plain_is_equal(*mut isl_map, *mut isl_map) -> c_int;
    isl_map_plain_is_injective(*mut isl_map) -> c_int;
    isl_map_plain_is_single_valued(*mut isl_map) -> c_int;
    isl_map_plain_is_universe(*mut isl_map) -> c_int;
    isl_map_plain_unshifted_simple_hull(*mut isl_map) -> *mut isl_basic_map;
    isl_map_polyhedral_hull(*mut isl_map) -> *mut isl_basic_map;
    isl_map_preimage_domain_multi_aff(*mut isl_map, *mut isl_multi_aff) -> *mut isl_map;
    isl_map_preimage_domain_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_preimage_domain_pw_multi_aff(*mut isl_map, *mut isl_pw_multi_aff) -> *mut isl_map;
    isl_map_preimage_range_multi_aff(*mut isl_map, *mut isl_multi_aff) -> *mut isl_map;
    isl_map_preimage_range_pw_multi_aff(*mut isl_map, *mut isl_pw_multi_aff) -> *mut isl_map;
    isl_map_product(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_project_out(*mut isl_map, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_map_project_out_all_params(*mut isl_map) -> *mut isl_map;
    isl_map_range(*mut isl_map) -> *mut isl_set;
    isl_map_range_factor_domain(*mut isl_map) -> *mut isl_map;
    isl_map_range_factor_range(*mut isl_map) -> *mut isl_map;
    isl_map_range_is_wrapping(*mut isl_map) -> c_int;
    isl_map_range_map(*mut isl_map) -> *mut isl_map;
    isl_map_range_product(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_range_reverse(*mut isl_map) -> *mut isl_map;
    isl_map_range_tuple_dim(*mut isl_map) -> c_int;
    isl_map_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_map;
    isl_map_remove_divs(*mut isl_map) -> *mut isl_map;
    isl_map_remove_divs_involving_dims(*mut isl_map, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_map_remove_redundancies(*mut isl_map) -> *mut isl_map;
    isl_map_remove_unknown_divs(*mut isl_map) -> *mut isl_map;
    isl_map_reset_tuple_id(*mut isl_map, c_uint) -> *mut isl_map;
    isl_map_reverse(*mut isl_map) -> *mut isl_map;
    isl_map_sample(*mut isl_map) -> *mut isl_basic_map;
    isl_map_set_dim_id(*mut isl_map, c_uint, c_uint, *mut isl_id) -> *mut isl_map;
    isl_map_set_domain_tuple_id(*mut isl_map, *mut isl_id) -> *mut isl_map;
    isl_map_set_range_tuple_id(*mut isl_map, *mut isl_id) -> *mut isl_map;
    isl_map_set_tuple_id(*mut isl_map, c_uint, *mut isl_id) -> *mut isl_map;
    isl_map_simple_hull(*mut isl_map) -> *mut isl_basic_map;
    isl_map_subtract(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_subtract_domain(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_subtract_range(*mut isl_map, *mut isl_set) -> *mut isl_map;
    isl_map_sum(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_to_str(*mut isl_map) -> *mut c_char;
    isl_map_to_union_map(*mut isl_map) -> *mut isl_union_map;
    isl_map_transitive_closure(*mut isl_map, *mut c_int) -> *mut isl_map;
    isl_map_uncurry(*mut isl_map) -> *mut isl_map;
    isl_map_union(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_union_disjoint(*mut isl_map, *mut isl_map) -> *mut isl_map;
    isl_map_universe(*mut isl_space) -> *mut isl_map;
    isl_map_unshifted_simple_hull(*mut isl_map) -> *mut isl_basic_map;
    isl_map_upper_bound_multi_pw_aff(*mut isl_map, *mut isl_multi_pw_aff) -> *mut isl_map;
    isl_map_upper_bound_val(*mut isl_map, c_uint, c_uint, *mut isl_val) -> *mut isl_map;
    isl_map_wrap(*mut isl_map) -> *mut isl_set;
    isl_map_zip(*mut isl_map) -> *mut isl_map;
    isl_mat_alloc(*mut isl_ctx, c_uint, c_uint) -> *mut isl_mat;
    isl_mat_cols(*mut isl_mat) -> c_int;
    isl_mat_copy(*mut isl_mat) -> *mut isl_mat;
    isl_mat_free(*mut isl_mat) -> *mut isl_mat;
    isl_mat_get_element_val(*mut isl_mat, c_int, c_int) -> *mut isl_val;
    isl_mat_rank(*mut isl_mat) -> c_int;
    isl_mat_right_kernel(*mut isl_mat) -> *mut isl_mat;
    isl_mat_rows(*mut isl_mat) -> c_int;
    isl_mat_set_element_val(*mut isl_mat, c_int, c_int, *mut isl_val) -> *mut isl_mat;
    isl_multi_aff_add(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_add_constant_val(*mut isl_multi_aff, *mut isl_val) -> *mut isl_multi_aff;
    isl_multi_aff_add_dims(*mut isl_multi_aff, c_uint, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_align_params(*mut isl_multi_aff, *mut isl_space) -> *mut isl_multi_aff;
    isl_multi_aff_as_map(*mut isl_multi_aff) -> *mut isl_map;
    isl_multi_aff_as_set(*mut isl_multi_aff) -> *mut isl_set;
    isl_multi_aff_copy(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_dim(*mut isl_multi_aff, c_uint) -> c_int;
    isl_multi_aff_domain_map(*mut isl_space) -> *mut isl_multi_aff;
    isl_multi_aff_drop_dims(*mut isl_multi_aff, c_uint, c_uint, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_factor_range(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_flat_range_product(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_flatten_domain(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_flatten_range(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_floor(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_free(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_from_aff(*mut isl_aff) -> *mut isl_multi_aff;
    isl_multi_aff_from_aff_list(*mut isl_space, *mut isl_aff_list) -> *mut isl_multi_aff;
    isl_multi_aff_get_at(*mut isl_multi_aff, c_int) -> *mut isl_aff;
    isl_multi_aff_get_constant_multi_val(*mut isl_multi_aff) -> *mut isl_multi_val;
    isl_multi_aff_get_domain_space(*mut isl_multi_aff) -> *mut isl_space;
    isl_multi_aff_get_list(*mut isl_multi_aff) -> *mut isl_aff_list;
    isl_multi_aff_get_space(*mut isl_multi_aff) -> *mut isl_space;
    isl_multi_aff_get_tuple_name(*mut isl_multi_aff, c_uint) -> *const c_char;
    isl_multi_aff_gist(*mut isl_multi_aff, *mut isl_set) -> *mut isl_multi_aff;
    isl_multi_aff_gist_params(*mut isl_multi_aff, *mut isl_set) -> *mut isl_multi_aff;
    isl_multi_aff_identity_on_domain_space(*mut isl_space) -> *mut isl_multi_aff;
    isl_multi_aff_insert_dims(*mut isl_multi_aff, c_uint, c_uint, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_involves_dims(*mut isl_multi_aff, c_uint, c_uint, c_uint) -> c_int;
    isl_multi_aff_involves_locals(*mut isl_multi_aff) -> c_int;
    isl_multi_aff_lex_ge_set(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_set;
    isl_multi_aff_lex_gt_set(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_set;
    isl_multi_aff_lex_le_set(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_set;
    isl_multi_aff_lex_lt_set(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_set;
    isl_multi_aff_mod_multi_val(*mut isl_multi_aff, *mut isl_multi_val) -> *mut isl_multi_aff;
    isl_multi_aff_move_dims(
        *mut isl_multi_aff, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_multi_aff;
    isl_multi_aff_multi_val_on_domain_space(
        *mut isl_space, *mut isl_multi_val
    ) -> *mut isl_multi_aff;
    isl_multi_aff_neg(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_plain_is_equal(*mut isl_multi_aff, *mut isl_multi_aff) -> c_int;
    isl_multi_aff_product(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_project_out_map(*mut isl_space, c_uint, c_uint, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_pullback_multi_aff(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_range_factor_domain(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_range_factor_range(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_range_map(*mut isl_space) -> *mut isl_multi_aff;
    isl_multi_aff_range_product(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_range_splice(
        *mut isl_multi_aff, c_uint, *mut isl_multi_aff
    ) -> *mut isl_multi_aff;
    isl_multi_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_multi_aff;
    isl_multi_aff_reset_range_tuple_id(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_reset_tuple_id(*mut isl_multi_aff, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_scale_down_multi_val(
        *mut isl_multi_aff, *mut isl_multi_val
    ) -> *mut isl_multi_aff;
    isl_multi_aff_scale_down_val(*mut isl_multi_aff, *mut isl_val) -> *mut isl_multi_aff;
    isl_multi_aff_scale_multi_val(*mut isl_multi_aff, *mut isl_multi_val) -> *mut isl_multi_aff;
    isl_multi_aff_scale_val(*mut isl_multi_aff, *mut isl_val) -> *mut isl_multi_aff;
    isl_multi_aff_set_at(*mut isl_multi_aff, c_int, *mut isl_aff) -> *mut isl_multi_aff;
    isl_multi_aff_set_dim_id(*mut isl_multi_aff, c_uint, c_uint, *mut isl_id) -> *mut isl_multi_aff;
    isl_multi_aff_set_range_tuple_id(*mut isl_multi_aff, *mut isl_id) -> *mut isl_multi_aff;
    isl_multi_aff_set_tuple_id(*mut isl_multi_aff, c_uint, *mut isl_id) -> *mut isl_multi_aff;
    isl_multi_aff_size(*mut isl_multi_aff) -> c_int;
    isl_multi_aff_sub(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_to_multi_pw_aff(*mut isl_multi_aff) -> *mut isl_multi_pw_aff;
    isl_multi_aff_to_multi_union_pw_aff(*mut isl_multi_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_aff_to_pw_multi_aff(*mut isl_multi_aff) -> *mut isl_pw_multi_aff;
    isl_multi_aff_to_str(*mut isl_multi_aff) -> *mut c_char;
    isl_multi_aff_zero(*mut isl_space) -> *mut isl_multi_aff;
    isl_multi_pw_aff_add(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_align_params(*mut isl_multi_pw_aff, *mut isl_space) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_as_map(*mut isl_multi_pw_aff) -> *mut isl_map;
    isl_multi_pw_aff_as_multi_aff(*mut isl_multi_pw_aff) -> *mut isl_multi_aff;
    isl_multi_pw_aff_as_set(*mut isl_multi_pw_aff) -> *mut isl_set;
    isl_multi_pw_aff_coalesce(*mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_copy(*mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_dim(*mut isl_multi_pw_aff, c_uint) -> c_int;
    isl_multi_pw_aff_domain(*mut isl_multi_pw_aff) -> *mut isl_set;
    isl_multi_pw_aff_drop_dims(
        *mut isl_multi_pw_aff, c_uint, c_uint, c_uint
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_flat_range_product(
        *mut isl_multi_pw_aff, *mut isl_multi_pw_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_free(*mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_from_aff(*mut isl_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_from_multi_aff(*mut isl_multi_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_from_pw_aff(*mut isl_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_from_pw_aff_list(
        *mut isl_space, *mut isl_pw_aff_list
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_from_pw_multi_aff(*mut isl_pw_multi_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_get_at(*mut isl_multi_pw_aff, c_int) -> *mut isl_pw_aff;
    isl_multi_pw_aff_get_domain_space(*mut isl_multi_pw_aff) -> *mut isl_space;
    isl_multi_pw_aff_get_list(*mut isl_multi_pw_aff) -> *mut isl_pw_aff_list;
    isl_multi_pw_aff_get_space(*mut isl_multi_pw_aff) -> *mut isl_space;
    isl_multi_pw_aff_get_tuple_name(*mut isl_multi_pw_aff, c_uint) -> *const c_char;
    isl_multi_pw_aff_gist(*mut isl_multi_pw_aff, *mut isl_set) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_gist_params(*mut isl_multi_pw_aff, *mut isl_set) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_identity_on_domain_space(*mut isl_space) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_intersect_domain(*mut isl_multi_pw_aff, *mut isl_set) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_intersect_params(*mut isl_multi_pw_aff, *mut isl_set) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_involves_dims(*mut isl_multi_pw_aff, c_uint, c_uint, c_uint) -> c_int;
    isl_multi_pw_aff_is_cst(*mut isl_multi_pw_aff) -> c_int;
    isl_multi_pw_aff_is_equal(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> c_int;
    isl_multi_pw_aff_isa_multi_aff(*mut isl_multi_pw_aff) -> c_int;
    isl_multi_pw_aff_max(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_min(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_neg(*mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_plain_is_equal(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> c_int;
    isl_multi_pw_aff_product(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_pullback_multi_aff(
        *mut isl_multi_pw_aff, *mut isl_multi_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_pullback_multi_pw_aff(
        *mut isl_multi_pw_aff, *mut isl_multi_pw_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_pullback_pw_multi_aff(
        *mut isl_multi_pw_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_range_product(
        *mut isl_multi_pw_aff, *mut isl_multi_pw_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_range_splice(
        *mut isl_multi_pw_aff, c_uint, *mut isl_multi_pw_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_reset_range_tuple_id(*mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_reset_tuple_id(*mut isl_multi_pw_aff, c_uint) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_scale_down_val(*mut isl_multi_pw_aff, *mut isl_val) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_scale_val(*mut isl_multi_pw_aff, *mut isl_val) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_set_at(*mut isl_multi_pw_aff, c_int, *mut isl_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_set_range_tuple_id(
        *mut isl_multi_pw_aff, *mut isl_id
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_set_tuple_id(
        *mut isl_multi_pw_aff, c_uint, *mut isl_id
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_size(*mut isl_multi_pw_aff) -> c_int;
    isl_multi_pw_aff_sub(*mut isl_multi_pw_aff, *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_to_str(*mut isl_multi_pw_aff) -> *mut c_char;
    isl_multi_pw_aff_union_add(
        *mut isl_multi_pw_aff, *mut isl_multi_pw_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_zero(*mut isl_space) -> *mut isl_multi_pw_aff;
    isl_multi_union_pw_aff_add(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_align_params(
        *mut isl_multi_union_pw_aff, *mut isl_space
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_apply_aff(
        *mut isl_multi_union_pw_aff, *mut isl_aff
    ) -> *mut isl_union_pw_aff;
    isl_multi_union_pw_aff_apply_multi_aff(
        *mut isl_multi_union_pw_aff, *mut isl_multi_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_apply_pw_aff(
        *mut isl_multi_union_pw_aff, *mut isl_pw_aff
    ) -> *mut isl_union_pw_aff;
    isl_multi_union_pw_aff_apply_pw_multi_aff(
        *mut isl_multi_union_pw_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_coalesce(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_copy(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_dim(*mut isl_multi_union_pw_aff, c_uint) -> c_int;
    isl_multi_union_pw_aff_domain(*mut isl_multi_union_pw_aff) -> *mut isl_union_set;
    isl_multi_union_pw_aff_drop_dims(
        *mut isl_multi_union_pw_aff, c_uint, c_uint, c_uint
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_extract_multi_pw_aff(
        *mut isl_multi_union_pw_aff, *mut isl_space
    ) -> *mut isl_multi_pw_aff;
    isl_multi_union_pw_aff_flat_range_product(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_flatten_range(
        *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_floor(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_free(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_multi_aff(*mut isl_multi_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_multi_pw_aff(*mut isl_multi_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_map(*mut isl_union_map) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_pw_aff(*mut isl_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_pw_aff_list(
        *mut isl_space, *mut isl_union_pw_aff_list
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_pw_multi_aff(
        *mut isl_union_pw_multi_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_get_at(*mut isl_multi_union_pw_aff, c_int) -> *mut isl_union_pw_aff;
    isl_multi_union_pw_aff_get_domain_space(*mut isl_multi_union_pw_aff) -> *mut isl_space;
    isl_multi_union_pw_aff_get_list(*mut isl_multi_union_pw_aff) -> *mut isl_union_pw_aff_list;
    isl_multi_union_pw_aff_get_space(*mut isl_multi_union_pw_aff) -> *mut isl_space;
    isl_multi_union_pw_aff_get_tuple_name(*mut isl_multi_union_pw_aff, c_uint) -> *const c_char;
    isl_multi_union_pw_aff_gist(
        *mut isl_multi_union_pw_aff, *mut isl_union_set
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_gist_params(
        *mut isl_multi_union_pw_aff, *mut isl_set
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_intersect_domain(
        *mut isl_multi_union_pw_aff, *mut isl_union_set
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_intersect_params(
        *mut isl_multi_union_pw_aff, *mut isl_set
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_intersect_range(
        *mut isl_multi_union_pw_aff, *mut isl_set
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_max_multi_val(*mut isl_multi_union_pw_aff) -> *mut isl_multi_val;
    isl_multi_union_pw_aff_min_multi_val(*mut isl_multi_union_pw_aff) -> *mut isl_multi_val;
    isl_multi_union_pw_aff_mod_multi_val(
        *mut isl_multi_union_pw_aff, *mut isl_multi_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_multi_aff_on_domain(
        *mut isl_union_set, *mut isl_multi_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_multi_val_on_domain(
        *mut isl_union_set, *mut isl_multi_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_neg(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_plain_is_equal(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> c_int;
    isl_multi_union_pw_aff_pullback_union_pw_multi_aff(
        *mut isl_multi_union_pw_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_range_factor_domain(
        *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_range_factor_range(
        *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_range_product(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_range_splice(
        *mut isl_multi_union_pw_aff, c_uint, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_read_from_str(
        *mut isl_ctx, *const c_char
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_reset_range_tuple_id(
        *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_reset_tuple_id(
        *mut isl_multi_union_pw_aff, c_uint
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_scale_down_multi_val(
        *mut isl_multi_union_pw_aff, *mut isl_multi_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_scale_down_val(
        *mut isl_multi_union_pw_aff, *mut isl_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_scale_multi_val(
        *mut isl_multi_union_pw_aff, *mut isl_multi_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_scale_val(
        *mut isl_multi_union_pw_aff, *mut isl_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_set_at(
        *mut isl_multi_union_pw_aff, c_int, *mut isl_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_set_range_tuple_id(
        *mut isl_multi_union_pw_aff, *mut isl_id
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_set_tuple_id(
        *mut isl_multi_union_pw_aff, c_uint, *mut isl_id
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_size(*mut isl_multi_union_pw_aff) -> c_int;
    isl_multi_union_pw_aff_sub(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_to_str(*mut isl_multi_union_pw_aff) -> *mut c_char;
    isl_multi_union_pw_aff_union_add(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_zero(*mut isl_space) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_zero_union_set(*mut isl_multi_union_pw_aff) -> *mut isl_union_set;
    isl_multi_val_add(*mut isl_multi_val, *mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_copy(*mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_free(*mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_from_val_list(*mut isl_space, *mut isl_val_list) -> *mut isl_multi_val;
    isl_multi_val_get_at(*mut isl_multi_val, c_int) -> *mut isl_val;
    isl_multi_val_get_space(*mut isl_multi_val) -> *mut isl_space;
    isl_multi_val_neg(*mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_plain_is_equal(*mut isl_multi_val, *mut isl_multi_val) -> c_int;
    isl_multi_val_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_multi_val;
    isl_multi_val_set_at(*mut isl_multi_val, c_int, *mut isl_val) -> *mut isl_multi_val;
    isl_multi_val_size(*mut isl_multi_val) -> c_int;
    isl_multi_val_sub(*mut isl_multi_val, *mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_to_str(*mut isl_multi_val) -> *mut c_char;
    isl_multi_val_zero(*mut isl_space) -> *mut isl_multi_val;
    isl_options_set_ast_build_allow_else(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_allow_or(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_atomic_upper_bound(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_detect_min_max(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_exploit_nested_bounds(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_group_coscheduled(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_prefer_pdiv(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_ast_build_scale_strides(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_on_error(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_algorithm(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_carry_self_first(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_max_coefficient(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_max_constant_term(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_maximize_band_depth(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_maximize_coincidence(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_outer_coincidence(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_separate_components(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_serialize_sccs(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_split_scaled(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_treat_coalescing(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_schedule_whole_component(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_tile_scale_tile_loops(*mut isl_ctx, c_int) -> c_int;
    isl_options_set_tile_shift_point_loops(*mut isl_ctx, c_int) -> c_int;
    isl_point_copy(*mut isl_point) -> *mut isl_point;
    isl_point_free(*mut isl_point) -> *mut isl_point;
    isl_point_get_coordinate_val(*mut isl_point, c_uint, c_int) -> *mut isl_val;
    isl_point_get_multi_val(*mut isl_point) -> *mut isl_multi_val;
    isl_point_get_space(*mut isl_point) -> *mut isl_space;
    isl_point_is_void(*mut isl_point) -> c_int;
    isl_point_set_coordinate_val(*mut isl_point, c_uint, c_int, *mut isl_val) -> *mut isl_point;
    isl_point_to_set(*mut isl_point) -> *mut isl_set;
    isl_point_to_str(*mut isl_point) -> *mut c_char;
    isl_point_void(*mut isl_space) -> *mut isl_point;
    isl_point_zero(*mut isl_space) -> *mut isl_point;
    isl_pw_aff_add(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_add_constant_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_add_dims(*mut isl_pw_aff, c_uint, c_uint) -> *mut isl_pw_aff;
    isl_pw_aff_align_params(*mut isl_pw_aff, *mut isl_space) -> *mut isl_pw_aff;
    isl_pw_aff_alloc(*mut isl_set, *mut isl_aff) -> *mut isl_pw_aff;
    isl_pw_aff_as_aff(*mut isl_pw_aff) -> *mut isl_aff;
    isl_pw_aff_as_map(*mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_ceil(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_coalesce(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_cond(*mut isl_pw_aff, *mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_copy(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_dim(*mut isl_pw_aff, c_uint) -> c_int;
    isl_pw_aff_div(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_domain(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_drop_dims(*mut isl_pw_aff, c_uint, c_uint, c_uint) -> *mut isl_pw_aff;
    isl_pw_aff_drop_unused_params(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_empty(*mut isl_space) -> *mut isl_pw_aff;
    isl_pw_aff_eq_map(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_eq_set(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_eval(*mut isl_pw_aff, *mut isl_point) -> *mut isl_val;
    isl_pw_aff_floor(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_foreach_piece(
        *mut isl_pw_aff,
        Option<unsafe extern "C" fn(*mut isl_set, *mut isl_aff, *mut c_void) -> c_int>,
        *mut c_void
    ) -> c_int;
    isl_pw_aff_free(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_from_aff(*mut isl_aff) -> *mut isl_pw_aff;
    isl_pw_aff_from_range(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_ge_map(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_ge_set(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_get_domain_space(*mut isl_pw_aff) -> *mut isl_space;
    isl_pw_aff_get_space(*mut isl_pw_aff) -> *mut isl_space;
    isl_pw_aff_gist(*mut isl_pw_aff, *mut isl_set) -> *mut isl_pw_aff;
    isl_pw_aff_gist_params(*mut isl_pw_aff, *mut isl_set) -> *mut isl_pw_aff;
    isl_pw_aff_gt_map(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_gt_set(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_insert_dims(*mut isl_pw_aff, c_uint, c_uint, c_uint) -> *mut isl_pw_aff;
    isl_pw_aff_insert_domain(*mut isl_pw_aff, *mut isl_space) -> *mut isl_pw_aff;
    isl_pw_aff_intersect_domain(*mut isl_pw_aff, *mut isl_set) -> *mut isl_pw_aff;
    isl_pw_aff_intersect_params(*mut isl_pw_aff, *mut isl_set) -> *mut isl_pw_aff;
    isl_pw_aff_involves_dims(*mut isl_pw_aff, c_uint, c_uint, c_uint) -> c_int;
    isl_pw_aff_involves_nan(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_is_cst(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_is_empty(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_is_equal(*mut isl_pw_aff, *mut isl_pw_aff) -> c_int;
    isl_pw_aff_isa_aff(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_le_map(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_le_set(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_list_add(*mut isl_pw_aff_list, *mut isl_pw_aff) -> *mut isl_pw_aff_list;
    isl_pw_aff_list_alloc(*mut isl_ctx, c_int) -> *mut isl_pw_aff_list;
    isl_pw_aff_list_free(*mut isl_pw_aff_list) -> *mut isl_pw_aff_list;
    isl_pw_aff_list_get_at(*mut isl_pw_aff_list, c_int) -> *mut isl_pw_aff;
    isl_pw_aff_list_size(*mut isl_pw_aff_list) -> c_int;
    isl_pw_aff_lt_map(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_lt_set(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_max(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_max_val(*mut isl_pw_aff) -> *mut isl_val;
    isl_pw_aff_min(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_min_val(*mut isl_pw_aff) -> *mut isl_val;
    isl_pw_aff_mod_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_move_dims(
        *mut isl_pw_aff, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_pw_aff;
    isl_pw_aff_mul(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_n_piece(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_nan_on_domain_space(*mut isl_space) -> *mut isl_pw_aff;
    isl_pw_aff_ne_set(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_neg(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_non_zero_set(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_nonneg_set(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_param_on_domain_id(*mut isl_set, *mut isl_id) -> *mut isl_pw_aff;
    isl_pw_aff_params(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_plain_is_equal(*mut isl_pw_aff, *mut isl_pw_aff) -> c_int;
    isl_pw_aff_pos_set(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_project_domain_on_params(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_pullback_multi_aff(*mut isl_pw_aff, *mut isl_multi_aff) -> *mut isl_pw_aff;
    isl_pw_aff_pullback_multi_pw_aff(*mut isl_pw_aff, *mut isl_multi_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_pullback_pw_multi_aff(*mut isl_pw_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_aff;
    isl_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_pw_aff;
    isl_pw_aff_scale_down_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_scale_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_set_dim_id(*mut isl_pw_aff, c_uint, c_uint, *mut isl_id) -> *mut isl_pw_aff;
    isl_pw_aff_set_tuple_id(*mut isl_pw_aff, c_uint, *mut isl_id) -> *mut isl_pw_aff;
    isl_pw_aff_sub(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_subtract_domain(*mut isl_pw_aff, *mut isl_set) -> *mut isl_pw_aff;
    isl_pw_aff_tdiv_q(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_tdiv_r(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_to_str(*mut isl_pw_aff) -> *mut c_char;
    isl_pw_aff_to_union_pw_aff(*mut isl_pw_aff) -> *mut isl_union_pw_aff;
    isl_pw_aff_union_add(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_union_max(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_union_min(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_val_on_domain(*mut isl_set, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_var_on_domain(*mut isl_local_space, c_uint, c_uint) -> *mut isl_pw_aff;
    isl_pw_aff_zero_on_domain(*mut isl_local_space) -> *mut isl_pw_aff;
    isl_pw_aff_zero_set(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_multi_aff_add(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_align_params(*mut isl_pw_multi_aff, *mut isl_space) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_alloc(*mut isl_set, *mut isl_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_as_map(*mut isl_pw_multi_aff) -> *mut isl_map;
    isl_pw_multi_aff_as_multi_aff(*mut isl_pw_multi_aff) -> *mut isl_multi_aff;
    isl_pw_multi_aff_as_set(*mut isl_pw_multi_aff) -> *mut isl_set;
    isl_pw_multi_aff_coalesce(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_copy(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_dim(*mut isl_pw_multi_aff, c_uint) -> c_int;
    isl_pw_multi_aff_domain(*mut isl_pw_multi_aff) -> *mut isl_set;
    isl_pw_multi_aff_drop_dims(
        *mut isl_pw_multi_aff, c_uint, c_uint, c_uint
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_empty(*mut isl_space) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_flat_range_product(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_foreach_piece(
        *mut isl_pw_multi_aff,
        Option<unsafe extern "C" fn(*mut isl_set, *mut isl_multi_aff, *mut c_void) -> c_int>,
        *mut c_void
    ) -> c_int;
    isl_pw_multi_aff_free(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_from_domain(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_from_map(*mut isl_map) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_from_multi_aff(*mut isl_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_from_multi_pw_aff(*mut isl_multi_pw_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_from_pw_aff(*mut isl_pw_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_from_set(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_get_at(*mut isl_pw_multi_aff, c_int) -> *mut isl_pw_aff;
    isl_pw_multi_aff_get_domain_space(*mut isl_pw_multi_aff) -> *mut isl_space;
    isl_pw_multi_aff_get_space(*mut isl_pw_multi_aff) -> *mut isl_space;
    isl_pw_multi_aff_get_tuple_name(*mut isl_pw_multi_aff, c_uint) -> *const c_char;
    isl_pw_multi_aff_gist(*mut isl_pw_multi_aff, *mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_gist_params(*mut isl_pw_multi_aff, *mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_identity_on_domain_space(*mut isl_space) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_intersect_domain(*mut isl_pw_multi_aff, *mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_intersect_params(*mut isl_pw_multi_aff, *mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_involves_dims(*mut isl_pw_multi_aff, c_uint, c_uint, c_uint) -> c_int;
    isl_pw_multi_aff_is_equal(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> c_int;
    isl_pw_multi_aff_isa_multi_aff(*mut isl_pw_multi_aff) -> c_int;
    isl_pw_multi_aff_list_add(
        *mut isl_pw_multi_aff_list, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff_list;
    isl_pw_multi_aff_list_alloc(*mut isl_ctx, c_int) -> *mut isl_pw_multi_aff_list;
    isl_pw_multi_aff_list_free(*mut isl_pw_multi_aff_list) -> *mut isl_pw_multi_aff_list;
    isl_pw_multi_aff_list_get_at(*mut isl_pw_multi_aff_list, c_int) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_list_size(*mut isl_pw_multi_aff_list) -> c_int;
    isl_pw_multi_aff_multi_val_on_domain(*mut isl_set, *mut isl_multi_val) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_n_piece(*mut isl_pw_multi_aff) -> c_int;
    isl_pw_multi_aff_neg(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_plain_is_equal(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> c_int;
    isl_pw_multi_aff_product(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_project_domain_on_params(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_pullback_multi_aff(
        *mut isl_pw_multi_aff, *mut isl_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_pullback_pw_multi_aff(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_range_factor_domain(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_range_factor_range(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_range_product(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_reset_tuple_id(*mut isl_pw_multi_aff, c_uint) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_scale_down_val(*mut isl_pw_multi_aff, *mut isl_val) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_scale_val(*mut isl_pw_multi_aff, *mut isl_val) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_set_range_tuple_id(
        *mut isl_pw_multi_aff, *mut isl_id
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_set_tuple_id(
        *mut isl_pw_multi_aff, c_uint, *mut isl_id
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_sub(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_subtract_domain(*mut isl_pw_multi_aff, *mut isl_set) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_to_multi_pw_aff(*mut isl_pw_multi_aff) -> *mut isl_multi_pw_aff;
    isl_pw_multi_aff_to_str(*mut isl_pw_multi_aff) -> *mut c_char;
    isl_pw_multi_aff_to_union_pw_multi_aff(*mut isl_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_pw_multi_aff_union_add(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_union_lexmax(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_union_lexmin(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_zero(*mut isl_space) -> *mut isl_pw_multi_aff;
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
    isl_set_add_constraint(*mut isl_set, *mut isl_constraint) -> *mut isl_set;
    isl_set_add_dims(*mut isl_set, c_uint, c_uint) -> *mut isl_set;
    isl_set_affine_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_align_params(*mut isl_set, *mut isl_space) -> *mut isl_set;
    isl_set_apply(*mut isl_set, *mut isl_map) -> *mut isl_set;
    isl_set_as_pw_multi_aff(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_set_bounded_simple_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_coalesce(*mut isl_set) -> *mut isl_set;
    isl_set_coefficients(*mut isl_set) -> *mut isl_basic_set;
    isl_set_complement(*mut isl_set) -> *mut isl_set;
    isl_set_compute_divs(*mut isl_set) -> *mut isl_set;
    isl_set_convex_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_copy(*mut isl_set) -> *mut isl_set;
    isl_set_count_val(*mut isl_set) -> *mut isl_val;
    isl_set_detect_equalities(*mut isl_set) -> *mut isl_set;
    isl_set_dim(*mut isl_set, c_uint) -> c_int;
    isl_set_dim_has_any_lower_bound(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_has_any_upper_bound(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_has_lower_bound(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_has_upper_bound(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_is_bounded(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_max(*mut isl_set, c_int) -> *mut isl_pw_aff;
    isl_set_dim_max_val(*mut isl_set, c_int) -> *mut isl_val;
    isl_set_dim_min(*mut isl_set, c_int) -> *mut isl_pw_aff;
    isl_set_dim_min_val(*mut isl_set, c_int) -> *mut isl_val;
    isl_set_drop_constraints_involving_dims(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_drop_constraints_not_involving_dims(
        *mut isl_set, c_uint, c_uint, c_uint
    ) -> *mut isl_set;
    isl_set_drop_unused_params(*mut isl_set) -> *mut isl_set;
    isl_set_eliminate(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_empty(*mut isl_space) -> *mut isl_set;
    isl_set_equate(*mut isl_set, c_uint, c_int, c_uint, c_int) -> *mut isl_set;
    isl_set_fix_val(*mut isl_set, c_uint, c_uint, *mut isl_val) -> *mut isl_set;
    isl_set_flat_product(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_flatten(*mut isl_set) -> *mut isl_set;
    isl_set_flatten_map(*mut isl_set) -> *mut isl_map;
    isl_set_foreach_point(
        *mut isl_set,
        Option<unsafe extern "C" fn(*mut isl_point, *mut c_void) -> c_int>,
        *mut c_void
    ) -> c_int;
    isl_set_free(*mut isl_set) -> *mut isl_set;
    isl_set_from_basic_set(*mut isl_basic_set) -> *mut isl_set;
    isl_set_from_multi_aff(*mut isl_multi_aff) -> *mut isl_set;
    isl_set_from_multi_pw_aff(*mut isl_multi_pw_aff) -> *mut isl_set;
    isl_set_from_params(*mut isl_set) -> *mut isl_set;
    isl_set_from_point(*mut isl_point) -> *mut isl_set;
    isl_set_from_pw_aff(*mut isl_pw_aff) -> *mut isl_set;
    isl_set_from_pw_multi_aff(*mut isl_pw_multi_aff) -> *mut isl_set;
    isl_set_from_union_set(*mut isl_union_set) -> *mut isl_set;
    isl_set_get_basic_set_list(*mut isl_set) -> *mut isl_basic_set_list;
    isl_set_get_dim_name(*mut isl_set, c_uint, c_uint) -> *const c_char;
    isl_set_get_space(*mut isl_set) -> *mut isl_space;
    isl_set_get_stride(*mut isl_set, c_int) -> *mut isl_val;
    isl_set_get_tuple_name(*mut isl_set) -> *const c_char;
    isl_set_gist(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_gist_params(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_has_dim_name(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_has_equal_space(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_has_tuple_name(*mut isl_set) -> c_int;
    isl_set_identity(*mut isl_set) -> *mut isl_map;
    isl_set_indicator_function(*mut isl_set) -> *mut isl_pw_aff;
    isl_set_insert_dims(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_insert_domain(*mut isl_set, *mut isl_space) -> *mut isl_map;
    isl_set_intersect(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_intersect_params(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_involves_dims(*mut isl_set, c_uint, c_uint, c_uint) -> c_int;
    isl_set_involves_locals(*mut isl_set) -> c_int;
    isl_set_is_bounded(*mut isl_set) -> c_int;
    isl_set_is_box(*mut isl_set) -> c_int;
    isl_set_is_disjoint(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_empty(*mut isl_set) -> c_int;
    isl_set_is_equal(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_params(*mut isl_set) -> c_int;
    isl_set_is_singleton(*mut isl_set) -> c_int;
    isl_set_is_strict_subset(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_subset(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_wrapping(*mut isl_set) -> c_int;
    isl_set_lex_ge_set(*mut isl_set, *mut isl_set) -> *mut isl_map;
    isl_set_lex_gt_set(*mut isl_set, *mut isl_set) -> *mut isl_map;
    isl_set_lex_le_set(*mut isl_set, *mut isl_set) -> *mut isl_map;
    isl_set_lex_lt_set(*mut isl_set, *mut isl_set) -> *mut isl_map;
    isl_set_lexmax(*mut isl_set) -> *mut isl_set;
    isl_set_lexmax_pw_multi_aff(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_set_lexmin(*mut isl_set) -> *mut isl_set;
    isl_set_lexmin_pw_multi_aff(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_set_lift(*mut isl_set) -> *mut isl_set;
    isl_set_list_add(*mut isl_set_list, *mut isl_set) -> *mut isl_set_list;
    isl_set_list_alloc(*mut isl_ctx, c_int) -> *mut isl_set_list;
    isl_set_list_free(*mut isl_set_list) -> *mut isl_set_list;
    isl_set_list_get_at(*mut isl_set_list, c_int) -> *mut isl_set;
    isl_set_list_size(*mut isl_set_list) -> c_int;
    isl_set_lower_bound_multi_pw_aff(*mut isl_set, *mut isl_multi_pw_aff) -> *mut isl_set;
    isl_set_lower_bound_val(*mut isl_set, c_uint, c_uint, *mut isl_val) -> *mut isl_set;
    isl_set_make_disjoint(*mut isl_set) -> *mut isl_set;
    isl_set_max_val(*mut isl_set, *mut isl_aff) -> *mut isl_val;
    isl_set_min_val(*mut isl_set, *mut isl_aff) -> *mut isl_val;
    isl_set_move_dims(*mut isl_set, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_n_basic_set(*mut isl_set) -> c_int;
    isl_set_nat_universe(*mut isl_space) -> *mut isl_set;
    isl_set_neg(*mut isl_set) -> *mut isl_set;
    isl_set_params(*mut isl_set) -> *mut isl_set;
    isl_set_plain_get_val_if_fixed(*mut isl_set, c_uint, c_uint) -> *mut isl_val;
    isl_set_plain_is_disjoint(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_plain_is_empty(*mut isl_set) -> c_int;
    isl_set_plain_is_equal(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_plain_is_universe(*mut isl_set) -> c_int;
    isl_set_plain_unshifted_simple_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_polyhedral_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_preimage_multi_aff(*mut isl_set, *mut isl_multi_aff) -> *mut isl_set;
    isl_set_preimage_multi_pw_aff(*mut isl_set, *mut isl_multi_pw_aff) -> *mut isl_set;
    isl_set_preimage_pw_multi_aff(*mut isl_set, *mut isl_pw_multi_aff) -> *mut isl_set;
    isl_set_product(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_project_onto_map(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_map;
    isl_set_project_out(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_project_out_all_params(*mut isl_set) -> *mut isl_set;
    isl_set_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_set;
    isl_set_remove_divs(*mut isl_set) -> *mut isl_set;
    isl_set_remove_divs_involving_dims(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_remove_redundancies(*mut isl_set) -> *mut isl_set;
    isl_set_remove_unknown_divs(*mut isl_set) -> *mut isl_set;
    isl_set_reset_tuple_id(*mut isl_set) -> *mut isl_set;
    isl_set_sample(*mut isl_set) -> *mut isl_basic_set;
    isl_set_sample_point(*mut isl_set) -> *mut isl_point;
    isl_set_set_dim_id(*mut isl_set, c_uint, c_uint, *mut isl_id) -> *mut isl_set;
    isl_set_set_tuple_id(*mut isl_set, *mut isl_id) -> *mut isl_set;
    isl_set_simple_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_solutions(*mut isl_set) -> *mut isl_basic_set;
    isl_set_split_dims(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_subtract(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_sum(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_to_str(*mut isl_set) -> *mut c_char;
    isl_set_to_union_set(*mut isl_set) -> *mut isl_union_set;
    isl_set_translation(*mut isl_set) -> *mut isl_map;
    isl_set_tuple_dim(*mut isl_set) -> c_int;
    isl_set_union(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_union_disjoint(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_universe(*mut isl_space) -> *mut isl_set;
    isl_set_unshifted_simple_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_unwrap(*mut isl_set) -> *mut isl_map;
    isl_set_upper_bound_multi_pw_aff(*mut isl_set, *mut isl_multi_pw_aff) -> *mut isl_set;
    isl_set_upper_bound_val(*mut isl_set, c_uint, c_uint, *mut isl_val) -> *mut isl_set;
    isl_set_wrapped_domain_map(*mut isl_set) -> *mut isl_map;
    isl_space_add_dims(*mut isl_space, c_uint, c_uint) -> *mut isl_space;
    isl_space_add_named_tuple_id_ui(*mut isl_space, *mut isl_id, c_uint) -> *mut isl_space;
    isl_space_add_param_id(*mut isl_space, *mut isl_id) -> *mut isl_space;
    isl_space_add_unnamed_tuple_ui(*mut isl_space, c_uint) -> *mut isl_space;
    isl_space_align_params(*mut isl_space, *mut isl_space) -> *mut isl_space;
    isl_space_alloc(*mut isl_ctx, c_uint, c_uint, c_uint) -> *mut isl_space;
    isl_space_copy(*mut isl_space) -> *mut isl_space;
    isl_space_curry(*mut isl_space) -> *mut isl_space;
    isl_space_dim(*mut isl_space, c_uint) -> c_int;
    isl_space_domain(*mut isl_space) -> *mut isl_space;
    isl_space_domain_factor_domain(*mut isl_space) -> *mut isl_space;
    isl_space_domain_factor_range(*mut isl_space) -> *mut isl_space;
    isl_space_domain_is_wrapping(*mut isl_space) -> c_int;
    isl_space_domain_map(*mut isl_space) -> *mut isl_space;
    isl_space_domain_map_multi_aff(*mut isl_space) -> *mut isl_multi_aff;
    isl_space_domain_product(*mut isl_space, *mut isl_space) -> *mut isl_space;
    isl_space_drop_all_params(*mut isl_space) -> *mut isl_space;
    isl_space_drop_dims(*mut isl_space, c_uint, c_uint, c_uint) -> *mut isl_space;
    isl_space_factor_domain(*mut isl_space) -> *mut isl_space;
    isl_space_factor_range(*mut isl_space) -> *mut isl_space;
    isl_space_flatten_domain(*mut isl_space) -> *mut isl_space;
    isl_space_flatten_range(*mut isl_space) -> *mut isl_space;
    isl_space_free(*mut isl_space) -> *mut isl_space;
    isl_space_from_domain(*mut isl_space) -> *mut isl_space;
    isl_space_from_range(*mut isl_space) -> *mut isl_space;
    isl_space_get_dim_name(*mut isl_space, c_uint, c_uint) -> *const c_char;
    isl_space_get_tuple_name(*mut isl_space, c_uint) -> *const c_char;
    isl_space_has_dim_name(*mut isl_space, c_uint, c_uint) -> c_int;
    isl_space_has_equal_params(*mut isl_space, *mut isl_space) -> c_int;
    isl_space_has_equal_tuples(*mut isl_space, *mut isl_space) -> c_int;
    isl_space_has_tuple_name(*mut isl_space, c_uint) -> c_int;
    isl_space_identity_multi_aff_on_domain(*mut isl_space) -> *mut isl_multi_aff;
    isl_space_identity_pw_multi_aff_on_domain(*mut isl_space) -> *mut isl_pw_multi_aff;
    isl_space_insert_dims(*mut isl_space, c_uint, c_uint, c_uint) -> *mut isl_space;
    isl_space_is_domain(*mut isl_space, *mut isl_space) -> c_int;
    isl_space_is_equal(*mut isl_space, *mut isl_space) -> c_int;
    isl_space_is_map(*mut isl_space) -> c_int;
    isl_space_is_params(*mut isl_space) -> c_int;
    isl_space_is_product(*mut isl_space) -> c_int;
    isl_space_is_range(*mut isl_space, *mut isl_space) -> c_int;
    isl_space_is_set(*mut isl_space) -> c_int;
    isl_space_is_wrapping(*mut isl_space) -> c_int;
    isl_space_join(*mut isl_space, *mut isl_space) -> *mut isl_space;
    isl_space_map_from_domain_and_range(*mut isl_space, *mut isl_space) -> *mut isl_space;
    isl_space_map_from_set(*mut isl_space) -> *mut isl_space;
    isl_space_move_dims(*mut isl_space, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_space;
    isl_space_params(*mut isl_space) -> *mut isl_space;
    isl_space_params_alloc(*mut isl_ctx, c_uint) -> *mut isl_space;
    isl_space_product(*mut isl_space, *mut isl_space) -> *mut isl_space;
    isl_space_range(*mut isl_space) -> *mut isl_space;
    isl_space_range_factor_domain(*mut isl_space) -> *mut isl_space;
    isl_space_range_factor_range(*mut isl_space) -> *mut isl_space;
    isl_space_range_is_wrapping(*mut isl_space) -> c_int;
    isl_space_range_map(*mut isl_space) -> *mut isl_space;
    isl_space_range_map_multi_aff(*mut isl_space) -> *mut isl_multi_aff;
    isl_space_range_product(*mut isl_space, *mut isl_space) -> *mut isl_space;
    isl_space_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_space;
    isl_space_reset_tuple_id(*mut isl_space, c_uint) -> *mut isl_space;
    isl_space_reverse(*mut isl_space) -> *mut isl_space;
    isl_space_set_alloc(*mut isl_ctx, c_uint, c_uint) -> *mut isl_space;
    isl_space_set_dim_id(*mut isl_space, c_uint, c_uint, *mut isl_id) -> *mut isl_space;
    isl_space_set_domain_tuple_id(*mut isl_space, *mut isl_id) -> *mut isl_space;
    isl_space_set_from_params(*mut isl_space) -> *mut isl_space;
    isl_space_set_range_tuple_id(*mut isl_space, *mut isl_id) -> *mut isl_space;
    isl_space_set_tuple_id(*mut isl_space, c_uint, *mut isl_id) -> *mut isl_space;
    isl_space_to_str(*mut isl_space) -> *mut c_char;
    isl_space_tuple_is_equal(*mut isl_space, c_uint, *mut isl_space, c_uint) -> c_int;
    isl_space_uncurry(*mut isl_space) -> *mut isl_space;
    isl_space_unit(*mut isl_ctx) -> *mut isl_space;
    isl_space_universe_map(*mut isl_space) -> *mut isl_map;
    isl_space_universe_set(*mut isl_space) -> *mut isl_set;
    isl_space_unwrap(*mut isl_space) -> *mut isl_space;
    isl_space_wrap(*mut isl_space) -> *mut isl_space;
    isl_space_zero_aff_on_domain(*mut isl_space) -> *mut isl_aff;
    isl_space_zero_multi_aff(*mut isl_space) -> *mut isl_multi_aff;
    isl_space_zip(*mut isl_space) -> *mut isl_space;
    isl_union_access_info_compute_flow(*mut isl_union_access_info) -> *mut isl_union_flow;
    isl_union_access_info_copy(*mut isl_union_access_info) -> *mut isl_union_access_info;
    isl_union_access_info_free(*mut isl_union_access_info) -> *mut isl_union_access_info;
    isl_union_access_info_from_sink(*mut isl_union_map) -> *mut isl_union_access_info;
    isl_union_access_info_set_kill(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_set_may_source(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_set_must_source(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_set_schedule(
        *mut isl_union_access_info, *mut isl_schedule
    ) -> *mut isl_union_access_info;
    isl_union_access_info_set_schedule_map(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_to_str(*mut isl_union_access_info) -> *mut c_char;
    isl_union_flow_copy(*mut isl_union_flow) -> *mut isl_union_flow;
    isl_union_flow_free(*mut isl_union_flow) -> *mut isl_union_flow;
    isl_union_flow_get_full_may_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_full_must_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_may_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_may_no_source(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_must_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_must_no_source(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_to_str(*mut isl_union_flow) -> *mut c_char;
    isl_union_map_add_map(*mut isl_union_map, *mut isl_map) -> *mut isl_union_map;
    isl_union_map_affine_hull(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_align_params(*mut isl_union_map, *mut isl_space) -> *mut isl_union_map;
    isl_union_map_apply_domain(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_apply_range(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_as_map(*mut isl_union_map) -> *mut isl_map;
    isl_union_map_as_multi_union_pw_aff(*mut isl_union_map) -> *mut isl_multi_union_pw_aff;
    isl_union_map_as_union_pw_multi_aff(*mut isl_union_map) -> *mut isl_union_pw_multi_aff;
    isl_union_map_coalesce(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_compute_divs(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_contains(*mut isl_union_map, *mut isl_space) -> c_int;
    isl_union_map_copy(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_curry(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_deltas(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_deltas_map(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_detect_equalities(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_dim(*mut isl_union_map, c_uint) -> c_int;
    isl_union_map_domain(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_domain_factor_domain(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_domain_factor_range(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_domain_map(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_domain_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_domain_reverse(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_drop_unused_params(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_empty(*mut isl_space) -> *mut isl_union_map;
    isl_union_map_empty_ctx(*mut isl_ctx) -> *mut isl_union_map;
    isl_union_map_eq_at_multi_union_pw_aff(
        *mut isl_union_map, *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_extract_map(*mut isl_union_map, *mut isl_space) -> *mut isl_map;
    isl_union_map_factor_domain(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_factor_range(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_fixed_power_val(*mut isl_union_map, *mut isl_val) -> *mut isl_union_map;
    isl_union_map_flat_domain_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_flat_range_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_free(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_from_basic_map(*mut isl_basic_map) -> *mut isl_union_map;
    isl_union_map_from_domain(*mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_from_domain_and_range(
        *mut isl_union_set, *mut isl_union_set
    ) -> *mut isl_union_map;
    isl_union_map_from_map(*mut isl_map) -> *mut isl_union_map;
    isl_union_map_from_multi_union_pw_aff(*mut isl_multi_union_pw_aff) -> *mut isl_union_map;
    isl_union_map_from_range(*mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_from_union_pw_aff(*mut isl_union_pw_aff) -> *mut isl_union_map;
    isl_union_map_from_union_pw_multi_aff(*mut isl_union_pw_multi_aff) -> *mut isl_union_map;
    isl_union_map_get_map_list(*mut isl_union_map) -> *mut isl_map_list;
    isl_union_map_get_space(*mut isl_union_map) -> *mut isl_space;
    isl_union_map_gist(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_gist_domain(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_gist_params(*mut isl_union_map, *mut isl_set) -> *mut isl_union_map;
    isl_union_map_gist_range(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_intersect(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_intersect_domain(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_intersect_domain_factor_domain(
        *mut isl_union_map, *mut isl_union_map
    ) -> *mut isl_union_map;
    isl_union_map_intersect_domain_factor_range(
        *mut isl_union_map, *mut isl_union_map
    ) -> *mut isl_union_map;
    isl_union_map_intersect_domain_space(*mut isl_union_map, *mut isl_space) -> *mut isl_union_map;
    isl_union_map_intersect_params(*mut isl_union_map, *mut isl_set) -> *mut isl_union_map;
    isl_union_map_intersect_range(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_intersect_range_factor_domain(
        *mut isl_union_map, *mut isl_union_map
    ) -> *mut isl_union_map;
    isl_union_map_intersect_range_factor_range(
        *mut isl_union_map, *mut isl_union_map
    ) -> *mut isl_union_map;
    isl_union_map_intersect_range_space(*mut isl_union_map, *mut isl_space) -> *mut isl_union_map;
    isl_union_map_involves_dims(*mut isl_union_map, c_uint, c_uint, c_uint) -> c_int;
    isl_union_map_is_bijective(*mut isl_union_map) -> c_int;
    isl_union_map_is_disjoint(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_is_empty(*mut isl_union_map) -> c_int;
    isl_union_map_is_equal(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_is_identity(*mut isl_union_map) -> c_int;
    isl_union_map_is_injective(*mut isl_union_map) -> c_int;
    isl_union_map_is_single_valued(*mut isl_union_map) -> c_int;
    isl_union_map_is_strict_subset(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_is_subset(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_isa_map(*mut isl_union_map) -> c_int;
    isl_union_map_lex_ge_at_multi_union_pw_aff(
        *mut isl_union_map, *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_lex_ge_union_map(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lex_gt_at_multi_union_pw_aff(
        *mut isl_union_map, *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_lex_gt_union_map(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lex_le_at_multi_union_pw_aff(
        *mut isl_union_map, *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_lex_le_union_map(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lex_lt_at_multi_union_pw_aff(
        *mut isl_union_map, *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_lex_lt_union_map(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lexmax(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lexmin(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_n_map(*mut isl_union_map) -> c_int;
    isl_union_map_params(*mut isl_union_map) -> *mut isl_set;
    isl_union_map_plain_is_empty(*mut isl_union_map) -> c_int;
    isl_union_map_plain_is_injective(*mut isl_union_map) -> c_int;
    isl_union_map_polyhedral_hull(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_preimage_domain_multi_aff(
        *mut isl_union_map, *mut isl_multi_aff
    ) -> *mut isl_union_map;
    isl_union_map_preimage_domain_multi_pw_aff(
        *mut isl_union_map, *mut isl_multi_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_preimage_domain_pw_multi_aff(
        *mut isl_union_map, *mut isl_pw_multi_aff
    ) -> *mut isl_union_map;
    isl_union_map_preimage_domain_union_pw_multi_aff(
        *mut isl_union_map, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_map;
    isl_union_map_preimage_range_multi_aff(
        *mut isl_union_map, *mut isl_multi_aff
    ) -> *mut isl_union_map;
    isl_union_map_preimage_range_pw_multi_aff(
        *mut isl_union_map, *mut isl_pw_multi_aff
    ) -> *mut isl_union_map;
    isl_union_map_preimage_range_union_pw_multi_aff(
        *mut isl_union_map, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_map;
    isl_union_map_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_project_out(*mut isl_union_map, c_uint, c_uint, c_uint) -> *mut isl_union_map;
    isl_union_map_project_out_all_params(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_range(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_range_factor_domain(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_range_factor_range(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_range_map(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_range_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_range_reverse(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_union_map;
    isl_union_map_remove_divs(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_remove_redundancies(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_reverse(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_sample(*mut isl_union_map) -> *mut isl_basic_map;
    isl_union_map_simple_hull(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_subtract(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_subtract_domain(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_subtract_range(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_to_str(*mut isl_union_map) -> *mut c_char;
    isl_union_map_uncurry(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_union(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_universe(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_wrap(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_zip(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_pw_aff_add(*mut isl_union_pw_aff, *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_add_pw_aff(*mut isl_union_pw_aff, *mut isl_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_aff_on_domain(*mut isl_union_set, *mut isl_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_align_params(*mut isl_union_pw_aff, *mut isl_space) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_coalesce(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_copy(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_dim(*mut isl_union_pw_aff, c_uint) -> c_int;
    isl_union_pw_aff_domain(*mut isl_union_pw_aff) -> *mut isl_union_set;
    isl_union_pw_aff_empty(*mut isl_space) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_empty_ctx(*mut isl_ctx) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_extract_pw_aff(*mut isl_union_pw_aff, *mut isl_space) -> *mut isl_pw_aff;
    isl_union_pw_aff_floor(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_free(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_from_aff(*mut isl_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_from_pw_aff(*mut isl_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_get_pw_aff_list(*mut isl_union_pw_aff) -> *mut isl_pw_aff_list;
    isl_union_pw_aff_get_space(*mut isl_union_pw_aff) -> *mut isl_space;
    isl_union_pw_aff_gist(*mut isl_union_pw_aff, *mut isl_union_set) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_gist_params(*mut isl_union_pw_aff, *mut isl_set) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_intersect_domain(
        *mut isl_union_pw_aff, *mut isl_union_set
    ) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_intersect_params(*mut isl_union_pw_aff, *mut isl_set) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_list_add(
        *mut isl_union_pw_aff_list, *mut isl_union_pw_aff
    ) -> *mut isl_union_pw_aff_list;
    isl_union_pw_aff_list_alloc(*mut isl_ctx, c_int) -> *mut isl_union_pw_aff_list;
    isl_union_pw_aff_list_free(*mut isl_union_pw_aff_list) -> *mut isl_union_pw_aff_list;
    isl_union_pw_aff_list_get_at(*mut isl_union_pw_aff_list, c_int) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_list_size(*mut isl_union_pw_aff_list) -> c_int;
    isl_union_pw_aff_max_val(*mut isl_union_pw_aff) -> *mut isl_val;
    isl_union_pw_aff_min_val(*mut isl_union_pw_aff) -> *mut isl_val;
    isl_union_pw_aff_mod_val(*mut isl_union_pw_aff, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_n_pw_aff(*mut isl_union_pw_aff) -> c_int;
    isl_union_pw_aff_neg(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_param_on_domain_id(*mut isl_union_set, *mut isl_id) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_plain_is_equal(*mut isl_union_pw_aff, *mut isl_union_pw_aff) -> c_int;
    isl_union_pw_aff_pullback_union_pw_multi_aff(
        *mut isl_union_pw_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_pw_aff_on_domain(*mut isl_union_set, *mut isl_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_scale_down_val(*mut isl_union_pw_aff, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_scale_val(*mut isl_union_pw_aff, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_sub(*mut isl_union_pw_aff, *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_subtract_domain(
        *mut isl_union_pw_aff, *mut isl_union_set
    ) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_to_str(*mut isl_union_pw_aff) -> *mut c_char;
    isl_union_pw_aff_union_add(
        *mut isl_union_pw_aff, *mut isl_union_pw_aff
    ) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_val_on_domain(*mut isl_union_set, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_zero_union_set(*mut isl_union_pw_aff) -> *mut isl_union_set;
    isl_union_pw_multi_aff_add(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_add_pw_multi_aff(
        *mut isl_union_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_as_multi_union_pw_aff(
        *mut isl_union_pw_multi_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_union_pw_multi_aff_as_pw_multi_aff(*mut isl_union_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_union_pw_multi_aff_as_union_map(*mut isl_union_pw_multi_aff) -> *mut isl_union_map;
    isl_union_pw_multi_aff_coalesce(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_copy(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_domain(*mut isl_union_pw_multi_aff) -> *mut isl_union_set;
    isl_union_pw_multi_aff_empty(*mut isl_space) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_empty_ctx(*mut isl_ctx) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_extract_pw_multi_aff(
        *mut isl_union_pw_multi_aff, *mut isl_space
    ) -> *mut isl_pw_multi_aff;
    isl_union_pw_multi_aff_flat_range_product(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_free(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_domain(*mut isl_union_set) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_multi_aff(*mut isl_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_multi_union_pw_aff(
        *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_pw_multi_aff(*mut isl_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_union_map(*mut isl_union_map) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_union_set(*mut isl_union_set) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_get_pw_multi_aff_list(
        *mut isl_union_pw_multi_aff
    ) -> *mut isl_pw_multi_aff_list;
    isl_union_pw_multi_aff_get_space(*mut isl_union_pw_multi_aff) -> *mut isl_space;
    isl_union_pw_multi_aff_gist(
        *mut isl_union_pw_multi_aff, *mut isl_union_set
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_gist_params(
        *mut isl_union_pw_multi_aff, *mut isl_set
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_intersect_domain(
        *mut isl_union_pw_multi_aff, *mut isl_union_set
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_intersect_params(
        *mut isl_union_pw_multi_aff, *mut isl_set
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_neg(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_plain_is_equal(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> c_int;
    isl_union_pw_multi_aff_pullback_union_pw_multi_aff(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_range_product(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_read_from_str(
        *mut isl_ctx, *const c_char
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_sub(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_subtract_domain(
        *mut isl_union_pw_multi_aff, *mut isl_union_set
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_to_str(*mut isl_union_pw_multi_aff) -> *mut c_char;
    isl_union_pw_multi_aff_union_add(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_set_add_set(*mut isl_union_set, *mut isl_set) -> *mut isl_union_set;
    isl_union_set_affine_hull(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_align_params(*mut isl_union_set, *mut isl_space) -> *mut isl_union_set;
    isl_union_set_apply(*mut isl_union_set, *mut isl_union_map) -> *mut isl_union_set;
    isl_union_set_as_set(*mut isl_union_set) -> *mut isl_set;
    isl_union_set_coalesce(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_coefficients(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_compute_divs(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_contains(*mut isl_union_set, *mut isl_space) -> c_int;
    isl_union_set_copy(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_detect_equalities(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_dim(*mut isl_union_set, c_uint) -> c_int;
    isl_union_set_drop_unused_params(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_empty(*mut isl_space) -> *mut isl_union_set;
    isl_union_set_empty_ctx(*mut isl_ctx) -> *mut isl_union_set;
    isl_union_set_extract_set(*mut isl_union_set, *mut isl_space) -> *mut isl_set;
    isl_union_set_free(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_from_basic_set(*mut isl_basic_set) -> *mut isl_union_set;
    isl_union_set_from_point(*mut isl_point) -> *mut isl_union_set;
    isl_union_set_from_set(*mut isl_set) -> *mut isl_union_set;
    isl_union_set_get_basic_set_list(*mut isl_union_set) -> *mut isl_basic_set_list;
    isl_union_set_get_set_list(*mut isl_union_set) -> *mut isl_set_list;
    isl_union_set_get_space(*mut isl_union_set) -> *mut isl_space;
    isl_union_set_gist(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_gist_params(*mut isl_union_set, *mut isl_set) -> *mut isl_union_set;
    isl_union_set_identity(*mut isl_union_set) -> *mut isl_union_map;
    isl_union_set_intersect(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_intersect_params(*mut isl_union_set, *mut isl_set) -> *mut isl_union_set;
    isl_union_set_is_disjoint(*mut isl_union_set, *mut isl_union_set) -> c_int;
    isl_union_set_is_empty(*mut isl_union_set) -> c_int;
    isl_union_set_is_equal(*mut isl_union_set, *mut isl_union_set) -> c_int;
    isl_union_set_is_params(*mut isl_union_set) -> c_int;
    isl_union_set_is_strict_subset(*mut isl_union_set, *mut isl_union_set) -> c_int;
    isl_union_set_is_subset(*mut isl_union_set, *mut isl_union_set) -> c_int;
    isl_union_set_isa_set(*mut isl_union_set) -> c_int;
    isl_union_set_lex_ge_union_set(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_set_lex_gt_union_set(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_set_lex_le_union_set(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_set_lex_lt_union_set(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_set_lexmax(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_lexmin(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_list_add(*mut isl_union_set_list, *mut isl_union_set) -> *mut isl_union_set_list;
    isl_union_set_list_alloc(*mut isl_ctx, c_int) -> *mut isl_union_set_list;
    isl_union_set_list_free(*mut isl_union_set_list) -> *mut isl_union_set_list;
    isl_union_set_list_get_at(*mut isl_union_set_list, c_int) -> *mut isl_union_set;
    isl_union_set_list_size(*mut isl_union_set_list) -> c_int;
    isl_union_set_n_set(*mut isl_union_set) -> c_int;
    isl_union_set_params(*mut isl_union_set) -> *mut isl_set;
    isl_union_set_polyhedral_hull(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_preimage_multi_aff(*mut isl_union_set, *mut isl_multi_aff) -> *mut isl_union_set;
    isl_union_set_preimage_pw_multi_aff(
        *mut isl_union_set, *mut isl_pw_multi_aff
    ) -> *mut isl_union_set;
    isl_union_set_preimage_union_pw_multi_aff(
        *mut isl_union_set, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_set;
    isl_union_set_product(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_project_out(*mut isl_union_set, c_uint, c_uint, c_uint) -> *mut isl_union_set;
    isl_union_set_project_out_all_params(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_union_set;
    isl_union_set_remove_divs(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_remove_redundancies(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_sample(*mut isl_union_set) -> *mut isl_basic_set;
    isl_union_set_sample_point(*mut isl_union_set) -> *mut isl_point;
    isl_union_set_simple_hull(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_solutions(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_subtract(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_to_str(*mut isl_union_set) -> *mut c_char;
    isl_union_set_union(*mut isl_union_set, *mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_universe(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_unwrap(*mut isl_union_set) -> *mut isl_union_map;
    isl_union_set_wrapped_domain_map(*mut isl_union_set) -> *mut isl_union_map;
    isl_val_abs(*mut isl_val) -> *mut isl_val;
    isl_val_add(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_ceil(*mut isl_val) -> *mut isl_val;
    isl_val_copy(*mut isl_val) -> *mut isl_val;
    isl_val_div(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_eq(*mut isl_val, *mut isl_val) -> c_int;
    isl_val_floor(*mut isl_val) -> *mut isl_val;
    isl_val_free(*mut isl_val) -> *mut isl_val;
    isl_val_gcd(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_get_d(*mut isl_val) -> f64;
    isl_val_get_den_val(*mut isl_val) -> *mut isl_val;
    isl_val_get_num_si(*mut isl_val) -> i64;
    isl_val_infty(*mut isl_ctx) -> *mut isl_val;
    isl_val_int_from_si(*mut isl_ctx, i64) -> *mut isl_val;
    isl_val_inv(*mut isl_val) -> *mut isl_val;
    isl_val_is_divisible_by(*mut isl_val, *mut isl_val) -> c_int;
    isl_val_is_infty(*mut isl_val) -> c_int;
    isl_val_is_int(*mut isl_val) -> c_int;
    isl_val_is_nan(*mut isl_val) -> c_int;
    isl_val_is_neg(*mut isl_val) -> c_int;
    isl_val_is_neginfty(*mut isl_val) -> c_int;
    isl_val_is_negone(*mut isl_val) -> c_int;
    isl_val_is_nonneg(*mut isl_val) -> c_int;
    isl_val_is_nonpos(*mut isl_val) -> c_int;
    isl_val_is_one(*mut isl_val) -> c_int;
    isl_val_is_pos(*mut isl_val) -> c_int;
    isl_val_is_rat(*mut isl_val) -> c_int;
    isl_val_is_zero(*mut isl_val) -> c_int;
    isl_val_le(*mut isl_val, *mut isl_val) -> c_int;
    isl_val_list_add(*mut isl_val_list, *mut isl_val) -> *mut isl_val_list;
    isl_val_list_alloc(*mut isl_ctx, c_int) -> *mut isl_val_list;
    isl_val_list_free(*mut isl_val_list) -> *mut isl_val_list;
    isl_val_list_get_at(*mut isl_val_list, c_int) -> *mut isl_val;
    isl_val_list_size(*mut isl_val_list) -> c_int;
    isl_val_lt(*mut isl_val, *mut isl_val) -> c_int;
    isl_val_max(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_min(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_mod(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_mul(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_nan(*mut isl_ctx) -> *mut isl_val;
    isl_val_neg(*mut isl_val) -> *mut isl_val;
    isl_val_neginfty(*mut isl_ctx) -> *mut isl_val;
    isl_val_negone(*mut isl_ctx) -> *mut isl_val;
    isl_val_one(*mut isl_ctx) -> *mut isl_val;
    isl_val_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_val;
    isl_val_sgn(*mut isl_val) -> c_int;
    isl_val_sub(*mut isl_val, *mut isl_val) -> *mut isl_val;
    isl_val_to_str(*mut isl_val) -> *mut c_char;
    isl_val_trunc(*mut isl_val) -> *mut isl_val;
    isl_val_zero(*mut isl_ctx) -> *mut isl_val;
}
