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

unsafe extern "C" {
    pub fn isl_aff_add(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_add_coefficient_val(
        aff: *mut isl_aff,
        type_: c_uint,
        pos: c_int,
        v: *mut isl_val,
    ) -> *mut isl_aff;
    pub fn isl_aff_add_constant_val(aff: *mut isl_aff, v: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_add_dims(aff: *mut isl_aff, type_: c_uint, n: c_uint) -> *mut isl_aff;
    pub fn isl_aff_align_params(aff: *mut isl_aff, model: *mut isl_space) -> *mut isl_aff;
    pub fn isl_aff_ceil(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_copy(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_dim(aff: *mut isl_aff, type_: c_uint) -> c_int;
    pub fn isl_aff_div(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_drop_dims(
        aff: *mut isl_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_aff;
    pub fn isl_aff_eq_basic_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_eq_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_eval(aff: *mut isl_aff, pnt: *mut isl_point) -> *mut isl_val;
    pub fn isl_aff_floor(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_free(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_ge_basic_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_ge_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_get_coefficient_val(
        aff: *mut isl_aff,
        type_: c_uint,
        pos: c_int,
    ) -> *mut isl_val;
    pub fn isl_aff_get_constant_val(aff: *mut isl_aff) -> *mut isl_val;
    pub fn isl_aff_get_denominator_val(aff: *mut isl_aff) -> *mut isl_val;
    pub fn isl_aff_get_dim_name(aff: *mut isl_aff, type_: c_uint, pos: c_uint) -> *const c_char;
    pub fn isl_aff_get_div(aff: *mut isl_aff, pos: c_int) -> *mut isl_aff;
    pub fn isl_aff_get_domain_local_space(aff: *mut isl_aff) -> *mut isl_local_space;
    pub fn isl_aff_get_domain_space(aff: *mut isl_aff) -> *mut isl_space;
    pub fn isl_aff_get_local_space(aff: *mut isl_aff) -> *mut isl_local_space;
    pub fn isl_aff_get_space(aff: *mut isl_aff) -> *mut isl_space;
    pub fn isl_aff_gist(aff: *mut isl_aff, context: *mut isl_set) -> *mut isl_aff;
    pub fn isl_aff_gist_params(aff: *mut isl_aff, context: *mut isl_set) -> *mut isl_aff;
    pub fn isl_aff_gt_basic_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_gt_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_insert_dims(
        aff: *mut isl_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_aff;
    pub fn isl_aff_involves_dims(
        aff: *mut isl_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_aff_involves_locals(aff: *mut isl_aff) -> c_int;
    pub fn isl_aff_is_cst(aff: *mut isl_aff) -> c_int;
    pub fn isl_aff_is_nan(aff: *mut isl_aff) -> c_int;
    pub fn isl_aff_le_basic_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_le_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_list_add(list: *mut isl_aff_list, el: *mut isl_aff) -> *mut isl_aff_list;
    pub fn isl_aff_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_aff_list;
    pub fn isl_aff_list_free(list: *mut isl_aff_list) -> *mut isl_aff_list;
    pub fn isl_aff_list_get_at(list: *mut isl_aff_list, index: c_int) -> *mut isl_aff;
    pub fn isl_aff_list_size(list: *mut isl_aff_list) -> c_int;
    pub fn isl_aff_lt_basic_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_lt_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_mod_val(aff: *mut isl_aff, mod_: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_move_dims(
        aff: *mut isl_aff,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_aff;
    pub fn isl_aff_mul(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_nan_on_domain_space(space: *mut isl_space) -> *mut isl_aff;
    pub fn isl_aff_ne_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_neg(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_neg_basic_set(aff: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_param_on_domain_space_id(space: *mut isl_space, id: *mut isl_id)
    -> *mut isl_aff;
    pub fn isl_aff_plain_is_equal(aff1: *mut isl_aff, aff2: *mut isl_aff) -> c_int;
    pub fn isl_aff_plain_is_zero(aff: *mut isl_aff) -> c_int;
    pub fn isl_aff_project_domain_on_params(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_pullback_aff(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_pullback_multi_aff(aff: *mut isl_aff, ma: *mut isl_multi_aff) -> *mut isl_aff;
    pub fn isl_aff_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_aff;
    pub fn isl_aff_scale_down_val(aff: *mut isl_aff, v: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_scale_val(aff: *mut isl_aff, v: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_set_coefficient_val(
        aff: *mut isl_aff,
        type_: c_uint,
        pos: c_int,
        v: *mut isl_val,
    ) -> *mut isl_aff;
    pub fn isl_aff_set_constant_val(aff: *mut isl_aff, v: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_set_dim_id(
        aff: *mut isl_aff,
        type_: c_uint,
        pos: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_aff;
    pub fn isl_aff_set_tuple_id(aff: *mut isl_aff, type_: c_uint, id: *mut isl_id) -> *mut isl_aff;
    pub fn isl_aff_sub(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_to_str(aff: *mut isl_aff) -> *mut c_char;
    pub fn isl_aff_val_on_domain(ls: *mut isl_local_space, val: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_val_on_domain_space(space: *mut isl_space, val: *mut isl_val) -> *mut isl_aff;
    pub fn isl_aff_var_on_domain(
        ls: *mut isl_local_space,
        type_: c_uint,
        pos: c_uint,
    ) -> *mut isl_aff;
    pub fn isl_aff_zero_basic_set(aff: *mut isl_aff) -> *mut isl_basic_set;
    pub fn isl_aff_zero_on_domain(ls: *mut isl_local_space) -> *mut isl_aff;
    pub fn isl_aff_zero_on_domain_space(space: *mut isl_space) -> *mut isl_aff;
    pub fn isl_ast_build_access_from_multi_pw_aff(
        build: *mut isl_ast_build,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_build_access_from_pw_multi_aff(
        build: *mut isl_ast_build,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_build_alloc(ctx: *mut isl_ctx) -> *mut isl_ast_build;
    pub fn isl_ast_build_call_from_multi_pw_aff(
        build: *mut isl_ast_build,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_build_call_from_pw_multi_aff(
        build: *mut isl_ast_build,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_build_copy(build: *mut isl_ast_build) -> *mut isl_ast_build;
    pub fn isl_ast_build_expr_from_pw_aff(
        build: *mut isl_ast_build,
        pa: *mut isl_pw_aff,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_build_expr_from_set(
        build: *mut isl_ast_build,
        set: *mut isl_set,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_build_free(build: *mut isl_ast_build) -> *mut isl_ast_build;
    pub fn isl_ast_build_from_context(set: *mut isl_set) -> *mut isl_ast_build;
    pub fn isl_ast_build_get_schedule(build: *mut isl_ast_build) -> *mut isl_union_map;
    pub fn isl_ast_build_get_schedule_space(build: *mut isl_ast_build) -> *mut isl_space;
    pub fn isl_ast_build_node_from_schedule(
        build: *mut isl_ast_build,
        schedule: *mut isl_schedule,
    ) -> *mut isl_ast_node;
    pub fn isl_ast_build_node_from_schedule_map(
        build: *mut isl_ast_build,
        schedule: *mut isl_union_map,
    ) -> *mut isl_ast_node;
    pub fn isl_ast_build_restrict(
        build: *mut isl_ast_build,
        set: *mut isl_set,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_after_each_for(
        build: *mut isl_ast_build,
        callback: Option<
            unsafe extern "C" fn(
                *mut isl_ast_node,
                *mut isl_ast_build,
                *mut c_void,
            ) -> *mut isl_ast_node,
        >,
        user: *mut c_void,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_after_each_mark(
        build: *mut isl_ast_build,
        callback: Option<
            unsafe extern "C" fn(
                *mut isl_ast_node,
                *mut isl_ast_build,
                *mut c_void,
            ) -> *mut isl_ast_node,
        >,
        user: *mut c_void,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_at_each_domain(
        build: *mut isl_ast_build,
        callback: Option<
            unsafe extern "C" fn(
                *mut isl_ast_node,
                *mut isl_ast_build,
                *mut c_void,
            ) -> *mut isl_ast_node,
        >,
        user: *mut c_void,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_before_each_for(
        build: *mut isl_ast_build,
        callback: Option<unsafe extern "C" fn(*mut isl_ast_build, *mut c_void) -> *mut isl_id>,
        user: *mut c_void,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_before_each_mark(
        build: *mut isl_ast_build,
        callback: Option<
            unsafe extern "C" fn(*mut isl_id, *mut isl_ast_build, *mut c_void) -> c_int,
        >,
        user: *mut c_void,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_iterators(
        build: *mut isl_ast_build,
        iterators: *mut isl_id_list,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_build_set_options(
        build: *mut isl_ast_build,
        options: *mut isl_union_map,
    ) -> *mut isl_ast_build;
    pub fn isl_ast_expr_access(
        array: *mut isl_ast_expr,
        indices: *mut isl_ast_expr_list,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_add(
        expr1: *mut isl_ast_expr,
        expr2: *mut isl_ast_expr,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_and(
        expr1: *mut isl_ast_expr,
        expr2: *mut isl_ast_expr,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_call(
        function: *mut isl_ast_expr,
        arguments: *mut isl_ast_expr_list,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_copy(expr: *mut isl_ast_expr) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_eq(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr)
    -> *mut isl_ast_expr;
    pub fn isl_ast_expr_free(expr: *mut isl_ast_expr) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_from_id(id: *mut isl_id) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_from_val(v: *mut isl_val) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_ge(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr)
    -> *mut isl_ast_expr;
    pub fn isl_ast_expr_get_type(expr: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_gt(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr)
    -> *mut isl_ast_expr;
    pub fn isl_ast_expr_id_get_id(expr: *mut isl_ast_expr) -> *mut isl_id;
    pub fn isl_ast_expr_int_get_val(expr: *mut isl_ast_expr) -> *mut isl_val;
    pub fn isl_ast_expr_is_equal(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_le(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr)
    -> *mut isl_ast_expr;
    pub fn isl_ast_expr_list_add(
        list: *mut isl_ast_expr_list,
        el: *mut isl_ast_expr,
    ) -> *mut isl_ast_expr_list;
    pub fn isl_ast_expr_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_ast_expr_list;
    pub fn isl_ast_expr_list_free(list: *mut isl_ast_expr_list) -> *mut isl_ast_expr_list;
    pub fn isl_ast_expr_list_get_at(
        list: *mut isl_ast_expr_list,
        index: c_int,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_list_size(list: *mut isl_ast_expr_list) -> c_int;
    pub fn isl_ast_expr_lt(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr)
    -> *mut isl_ast_expr;
    pub fn isl_ast_expr_mul(
        expr1: *mut isl_ast_expr,
        expr2: *mut isl_ast_expr,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_neg(expr: *mut isl_ast_expr) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_op_get_arg(expr: *mut isl_ast_expr, pos: c_int) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_op_get_n_arg(expr: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_op_get_type(expr: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_or(expr1: *mut isl_ast_expr, expr2: *mut isl_ast_expr)
    -> *mut isl_ast_expr;
    pub fn isl_ast_expr_sub(
        expr1: *mut isl_ast_expr,
        expr2: *mut isl_ast_expr,
    ) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_to_C_str(expr: *mut isl_ast_expr) -> *mut c_char;
    pub fn isl_ast_expr_to_str(expr: *mut isl_ast_expr) -> *mut c_char;
    pub fn isl_ast_node_block_get_children(node: *mut isl_ast_node) -> *mut isl_ast_node_list;
    pub fn isl_ast_node_copy(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_for_get_body(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_for_get_cond(node: *mut isl_ast_node) -> *mut isl_ast_expr;
    pub fn isl_ast_node_for_get_inc(node: *mut isl_ast_node) -> *mut isl_ast_expr;
    pub fn isl_ast_node_for_get_init(node: *mut isl_ast_node) -> *mut isl_ast_expr;
    pub fn isl_ast_node_for_get_iterator(node: *mut isl_ast_node) -> *mut isl_ast_expr;
    pub fn isl_ast_node_for_is_degenerate(node: *mut isl_ast_node) -> c_int;
    pub fn isl_ast_node_free(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_get_annotation(node: *mut isl_ast_node) -> *mut isl_id;
    pub fn isl_ast_node_get_type(node: *mut isl_ast_node) -> c_int;
    pub fn isl_ast_node_if_get_cond(node: *mut isl_ast_node) -> *mut isl_ast_expr;
    pub fn isl_ast_node_if_get_else_node(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_if_get_then_node(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_if_has_else_node(node: *mut isl_ast_node) -> c_int;
    pub fn isl_ast_node_list_add(
        list: *mut isl_ast_node_list,
        el: *mut isl_ast_node,
    ) -> *mut isl_ast_node_list;
    pub fn isl_ast_node_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_ast_node_list;
    pub fn isl_ast_node_list_free(list: *mut isl_ast_node_list) -> *mut isl_ast_node_list;
    pub fn isl_ast_node_list_get_at(
        list: *mut isl_ast_node_list,
        index: c_int,
    ) -> *mut isl_ast_node;
    pub fn isl_ast_node_list_size(list: *mut isl_ast_node_list) -> c_int;
    pub fn isl_ast_node_mark_get_id(node: *mut isl_ast_node) -> *mut isl_id;
    pub fn isl_ast_node_mark_get_node(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_set_annotation(
        node: *mut isl_ast_node,
        annotation: *mut isl_id,
    ) -> *mut isl_ast_node;
    pub fn isl_ast_node_to_C_str(node: *mut isl_ast_node) -> *mut c_char;
    pub fn isl_ast_node_to_str(node: *mut isl_ast_node) -> *mut c_char;
    pub fn isl_ast_node_user_from_expr(expr: *mut isl_ast_expr) -> *mut isl_ast_node;
    pub fn isl_ast_node_user_get_expr(node: *mut isl_ast_node) -> *mut isl_ast_expr;
    pub fn isl_basic_map_add_constraint(
        bmap: *mut isl_basic_map,
        constraint: *mut isl_constraint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_add_dims(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_affine_hull(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_align_params(
        bmap: *mut isl_basic_map,
        model: *mut isl_space,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_apply_domain(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_apply_range(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_compute_divs(bmap: *mut isl_basic_map) -> *mut isl_map;
    pub fn isl_basic_map_copy(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_curry(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_deltas(bmap: *mut isl_basic_map) -> *mut isl_basic_set;
    pub fn isl_basic_map_deltas_map(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_detect_equalities(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_dim(bmap: *mut isl_basic_map, type_: c_uint) -> c_int;
    pub fn isl_basic_map_domain(bmap: *mut isl_basic_map) -> *mut isl_basic_set;
    pub fn isl_basic_map_domain_product(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_drop_constraints_involving_dims(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_drop_constraints_not_involving_dims(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_drop_unused_params(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_eliminate(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_empty(space: *mut isl_space) -> *mut isl_basic_map;
    pub fn isl_basic_map_equal(space: *mut isl_space, n_equal: c_uint) -> *mut isl_basic_map;
    pub fn isl_basic_map_equalities_matrix(
        bmap: *mut isl_basic_map,
        c1: c_uint,
        c2: c_uint,
        c3: c_uint,
        c4: c_uint,
        c5: c_uint,
    ) -> *mut isl_mat;
    pub fn isl_basic_map_equate(
        bmap: *mut isl_basic_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_fix_val(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        pos: c_uint,
        v: *mut isl_val,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_flat_product(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_flat_range_product(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_flatten(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_flatten_domain(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_flatten_range(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_free(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_aff(aff: *mut isl_aff) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_constraint(constraint: *mut isl_constraint) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_constraint_matrices(
        space: *mut isl_space,
        eq: *mut isl_mat,
        ineq: *mut isl_mat,
        c1: c_uint,
        c2: c_uint,
        c3: c_uint,
        c4: c_uint,
        c5: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_domain(bset: *mut isl_basic_set) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_domain_and_range(
        domain: *mut isl_basic_set,
        range: *mut isl_basic_set,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_multi_aff(maff: *mut isl_multi_aff) -> *mut isl_basic_map;
    pub fn isl_basic_map_from_range(bset: *mut isl_basic_set) -> *mut isl_basic_map;
    pub fn isl_basic_map_get_constraint_list(bmap: *mut isl_basic_map) -> *mut isl_constraint_list;
    pub fn isl_basic_map_get_dim_name(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        pos: c_uint,
    ) -> *const c_char;
    pub fn isl_basic_map_get_div(bmap: *mut isl_basic_map, pos: c_int) -> *mut isl_aff;
    pub fn isl_basic_map_get_local_space(bmap: *mut isl_basic_map) -> *mut isl_local_space;
    pub fn isl_basic_map_get_space(bmap: *mut isl_basic_map) -> *mut isl_space;
    pub fn isl_basic_map_get_tuple_name(bmap: *mut isl_basic_map, type_: c_uint) -> *const c_char;
    pub fn isl_basic_map_gist(
        bmap: *mut isl_basic_map,
        context: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_gist_domain(
        bmap: *mut isl_basic_map,
        context: *mut isl_basic_set,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_identity(space: *mut isl_space) -> *mut isl_basic_map;
    pub fn isl_basic_map_inequalities_matrix(
        bmap: *mut isl_basic_map,
        c1: c_uint,
        c2: c_uint,
        c3: c_uint,
        c4: c_uint,
        c5: c_uint,
    ) -> *mut isl_mat;
    pub fn isl_basic_map_insert_dims(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        pos: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_intersect(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_intersect_domain(
        bmap: *mut isl_basic_map,
        bset: *mut isl_basic_set,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_intersect_params(
        bmap: *mut isl_basic_map,
        bset: *mut isl_basic_set,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_intersect_range(
        bmap: *mut isl_basic_map,
        bset: *mut isl_basic_set,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_involves_dims(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_basic_map_is_disjoint(bmap1: *mut isl_basic_map, bmap2: *mut isl_basic_map)
    -> c_int;
    pub fn isl_basic_map_is_empty(bmap: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_is_equal(bmap1: *mut isl_basic_map, bmap2: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_is_single_valued(bmap: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_is_strict_subset(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> c_int;
    pub fn isl_basic_map_is_subset(bmap1: *mut isl_basic_map, bmap2: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_is_universe(bmap: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_less_at(space: *mut isl_space, pos: c_uint) -> *mut isl_basic_map;
    pub fn isl_basic_map_lexmax(bmap: *mut isl_basic_map) -> *mut isl_map;
    pub fn isl_basic_map_lexmin(bmap: *mut isl_basic_map) -> *mut isl_map;
    pub fn isl_basic_map_lexmin_pw_multi_aff(bmap: *mut isl_basic_map) -> *mut isl_pw_multi_aff;
    pub fn isl_basic_map_list_add(
        list: *mut isl_basic_map_list,
        el: *mut isl_basic_map,
    ) -> *mut isl_basic_map_list;
    pub fn isl_basic_map_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_basic_map_list;
    pub fn isl_basic_map_list_free(list: *mut isl_basic_map_list) -> *mut isl_basic_map_list;
    pub fn isl_basic_map_list_get_at(
        list: *mut isl_basic_map_list,
        index: c_int,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_list_size(list: *mut isl_basic_map_list) -> c_int;
    pub fn isl_basic_map_more_at(space: *mut isl_space, pos: c_uint) -> *mut isl_basic_map;
    pub fn isl_basic_map_move_dims(
        bmap: *mut isl_basic_map,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_n_constraint(bmap: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_nat_universe(space: *mut isl_space) -> *mut isl_basic_map;
    pub fn isl_basic_map_neg(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_order_ge(
        bmap: *mut isl_basic_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_order_gt(
        bmap: *mut isl_basic_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_plain_is_empty(bmap: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_plain_is_universe(bmap: *mut isl_basic_map) -> c_int;
    pub fn isl_basic_map_preimage_domain_multi_aff(
        bmap: *mut isl_basic_map,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_preimage_range_multi_aff(
        bmap: *mut isl_basic_map,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_product(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_project_out(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_range(bmap: *mut isl_basic_map) -> *mut isl_basic_set;
    pub fn isl_basic_map_range_product(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_read_from_str(ctx: *mut isl_ctx, str: *const c_char)
    -> *mut isl_basic_map;
    pub fn isl_basic_map_remove_divs(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_remove_divs_involving_dims(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_remove_redundancies(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_reverse(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_sample(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_set_tuple_id(
        bmap: *mut isl_basic_map,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_sum(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_basic_map;
    pub fn isl_basic_map_to_str(bmap: *mut isl_basic_map) -> *mut c_char;
    pub fn isl_basic_map_uncurry(bmap: *mut isl_basic_map) -> *mut isl_basic_map;
    pub fn isl_basic_map_union(
        bmap1: *mut isl_basic_map,
        bmap2: *mut isl_basic_map,
    ) -> *mut isl_map;
    pub fn isl_basic_map_universe(space: *mut isl_space) -> *mut isl_basic_map;
    pub fn isl_basic_map_wrap(bmap: *mut isl_basic_map) -> *mut isl_basic_set;
    pub fn isl_basic_set_add_constraint(
        bset: *mut isl_basic_set,
        constraint: *mut isl_constraint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_add_dims(
        bset: *mut isl_basic_set,
        type_: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_affine_hull(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_align_params(
        bset: *mut isl_basic_set,
        model: *mut isl_space,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_apply(
        bset: *mut isl_basic_set,
        bmap: *mut isl_basic_map,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_coefficients(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_compute_divs(bset: *mut isl_basic_set) -> *mut isl_set;
    pub fn isl_basic_set_copy(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_detect_equalities(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_dim(bset: *mut isl_basic_set, type_: c_uint) -> c_int;
    pub fn isl_basic_set_dim_max_val(bset: *mut isl_basic_set, pos: c_int) -> *mut isl_val;
    pub fn isl_basic_set_drop_constraints_involving_dims(
        bset: *mut isl_basic_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_drop_constraints_not_involving_dims(
        bset: *mut isl_basic_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_drop_unused_params(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_eliminate(
        bset: *mut isl_basic_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_empty(space: *mut isl_space) -> *mut isl_basic_set;
    pub fn isl_basic_set_equalities_matrix(
        bset: *mut isl_basic_set,
        c1: c_uint,
        c2: c_uint,
        c3: c_uint,
        c4: c_uint,
    ) -> *mut isl_mat;
    pub fn isl_basic_set_fix_val(
        bset: *mut isl_basic_set,
        type_: c_uint,
        pos: c_uint,
        v: *mut isl_val,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_flat_product(
        bset1: *mut isl_basic_set,
        bset2: *mut isl_basic_set,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_flatten(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_free(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_from_constraint(constraint: *mut isl_constraint) -> *mut isl_basic_set;
    pub fn isl_basic_set_from_constraint_matrices(
        space: *mut isl_space,
        eq: *mut isl_mat,
        ineq: *mut isl_mat,
        c1: c_uint,
        c2: c_uint,
        c3: c_uint,
        c4: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_from_multi_aff(ma: *mut isl_multi_aff) -> *mut isl_basic_set;
    pub fn isl_basic_set_from_params(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_from_point(pnt: *mut isl_point) -> *mut isl_basic_set;
    pub fn isl_basic_set_get_constraint_list(bset: *mut isl_basic_set) -> *mut isl_constraint_list;
    pub fn isl_basic_set_get_dim_name(
        bset: *mut isl_basic_set,
        type_: c_uint,
        pos: c_uint,
    ) -> *const c_char;
    pub fn isl_basic_set_get_div(bset: *mut isl_basic_set, pos: c_int) -> *mut isl_aff;
    pub fn isl_basic_set_get_local_space(bset: *mut isl_basic_set) -> *mut isl_local_space;
    pub fn isl_basic_set_get_space(bset: *mut isl_basic_set) -> *mut isl_space;
    pub fn isl_basic_set_get_tuple_name(bset: *mut isl_basic_set) -> *const c_char;
    pub fn isl_basic_set_gist(
        bset: *mut isl_basic_set,
        context: *mut isl_basic_set,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_inequalities_matrix(
        bset: *mut isl_basic_set,
        c1: c_uint,
        c2: c_uint,
        c3: c_uint,
        c4: c_uint,
    ) -> *mut isl_mat;
    pub fn isl_basic_set_insert_dims(
        bset: *mut isl_basic_set,
        type_: c_uint,
        pos: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_intersect(
        bset1: *mut isl_basic_set,
        bset2: *mut isl_basic_set,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_intersect_params(
        bset1: *mut isl_basic_set,
        bset2: *mut isl_basic_set,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_involves_dims(
        bset: *mut isl_basic_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_basic_set_is_bounded(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_is_disjoint(bset1: *mut isl_basic_set, bset2: *mut isl_basic_set)
    -> c_int;
    pub fn isl_basic_set_is_empty(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_is_equal(bset1: *mut isl_basic_set, bset2: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_is_subset(bset1: *mut isl_basic_set, bset2: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_is_universe(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_is_wrapping(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_lexmax(bset: *mut isl_basic_set) -> *mut isl_set;
    pub fn isl_basic_set_lexmin(bset: *mut isl_basic_set) -> *mut isl_set;
    pub fn isl_basic_set_lift(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_list_add(
        list: *mut isl_basic_set_list,
        el: *mut isl_basic_set,
    ) -> *mut isl_basic_set_list;
    pub fn isl_basic_set_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_basic_set_list;
    pub fn isl_basic_set_list_free(list: *mut isl_basic_set_list) -> *mut isl_basic_set_list;
    pub fn isl_basic_set_list_get_at(
        list: *mut isl_basic_set_list,
        index: c_int,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_list_size(list: *mut isl_basic_set_list) -> c_int;
    pub fn isl_basic_set_lower_bound_val(
        bset: *mut isl_basic_set,
        type_: c_uint,
        pos: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_max_val(bset: *mut isl_basic_set, obj: *mut isl_aff) -> *mut isl_val;
    pub fn isl_basic_set_move_dims(
        bset: *mut isl_basic_set,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_n_constraint(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_nat_universe(space: *mut isl_space) -> *mut isl_basic_set;
    pub fn isl_basic_set_neg(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_params(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_plain_is_empty(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_plain_is_equal(
        bset1: *mut isl_basic_set,
        bset2: *mut isl_basic_set,
    ) -> c_int;
    pub fn isl_basic_set_plain_is_universe(bset: *mut isl_basic_set) -> c_int;
    pub fn isl_basic_set_positive_orthant(space: *mut isl_space) -> *mut isl_basic_set;
    pub fn isl_basic_set_preimage_multi_aff(
        bset: *mut isl_basic_set,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_project_out(
        bset: *mut isl_basic_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_read_from_str(ctx: *mut isl_ctx, str: *const c_char)
    -> *mut isl_basic_set;
    pub fn isl_basic_set_remove_divs(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_remove_redundancies(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_remove_unknown_divs(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_sample(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_sample_point(bset: *mut isl_basic_set) -> *mut isl_point;
    pub fn isl_basic_set_set_tuple_id(
        bset: *mut isl_basic_set,
        id: *mut isl_id,
    ) -> *mut isl_basic_set;
    pub fn isl_basic_set_solutions(bset: *mut isl_basic_set) -> *mut isl_basic_set;
    pub fn isl_basic_set_to_set(bset: *mut isl_basic_set) -> *mut isl_set;
    pub fn isl_basic_set_to_str(bset: *mut isl_basic_set) -> *mut c_char;
    pub fn isl_basic_set_union(
        bset1: *mut isl_basic_set,
        bset2: *mut isl_basic_set,
    ) -> *mut isl_set;
    pub fn isl_basic_set_universe(space: *mut isl_space) -> *mut isl_basic_set;
    pub fn isl_basic_set_unwrap(bset: *mut isl_basic_set) -> *mut isl_basic_map;
    pub fn isl_basic_set_upper_bound_val(
        bset: *mut isl_basic_set,
        type_: c_uint,
        pos: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_basic_set;
    pub fn isl_constraint_alloc_equality(ls: *mut isl_local_space) -> *mut isl_constraint;
    pub fn isl_constraint_alloc_inequality(ls: *mut isl_local_space) -> *mut isl_constraint;
    pub fn isl_constraint_copy(c: *mut isl_constraint) -> *mut isl_constraint;
    pub fn isl_constraint_dim(constraint: *mut isl_constraint, type_: c_uint) -> c_int;
    pub fn isl_constraint_free(c: *mut isl_constraint) -> *mut isl_constraint;
    pub fn isl_constraint_get_aff(constraint: *mut isl_constraint) -> *mut isl_aff;
    pub fn isl_constraint_get_bound(
        constraint: *mut isl_constraint,
        type_: c_uint,
        pos: c_int,
    ) -> *mut isl_aff;
    pub fn isl_constraint_get_coefficient_val(
        constraint: *mut isl_constraint,
        type_: c_uint,
        pos: c_int,
    ) -> *mut isl_val;
    pub fn isl_constraint_get_constant_val(constraint: *mut isl_constraint) -> *mut isl_val;
    pub fn isl_constraint_get_div(constraint: *mut isl_constraint, pos: c_int) -> *mut isl_aff;
    pub fn isl_constraint_get_local_space(constraint: *mut isl_constraint) -> *mut isl_local_space;
    pub fn isl_constraint_get_space(constraint: *mut isl_constraint) -> *mut isl_space;
    pub fn isl_constraint_involves_dims(
        constraint: *mut isl_constraint,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_constraint_is_div_constraint(constraint: *mut isl_constraint) -> c_int;
    pub fn isl_constraint_is_equality(constraint: *mut isl_constraint) -> c_int;
    pub fn isl_constraint_is_lower_bound(
        constraint: *mut isl_constraint,
        type_: c_uint,
        pos: c_uint,
    ) -> c_int;
    pub fn isl_constraint_is_upper_bound(
        constraint: *mut isl_constraint,
        type_: c_uint,
        pos: c_uint,
    ) -> c_int;
    pub fn isl_constraint_list_add(
        list: *mut isl_constraint_list,
        el: *mut isl_constraint,
    ) -> *mut isl_constraint_list;
    pub fn isl_constraint_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_constraint_list;
    pub fn isl_constraint_list_free(list: *mut isl_constraint_list) -> *mut isl_constraint_list;
    pub fn isl_constraint_list_get_at(
        list: *mut isl_constraint_list,
        index: c_int,
    ) -> *mut isl_constraint;
    pub fn isl_constraint_list_size(list: *mut isl_constraint_list) -> c_int;
    pub fn isl_constraint_negate(constraint: *mut isl_constraint) -> *mut isl_constraint;
    pub fn isl_constraint_set_coefficient_val(
        constraint: *mut isl_constraint,
        type_: c_uint,
        pos: c_int,
        v: *mut isl_val,
    ) -> *mut isl_constraint;
    pub fn isl_constraint_set_constant_val(
        constraint: *mut isl_constraint,
        v: *mut isl_val,
    ) -> *mut isl_constraint;
    pub fn isl_ctx_alloc() -> *mut isl_ctx;
    pub fn isl_ctx_free(ctx: *mut isl_ctx);
    pub fn isl_ctx_get_max_operations(ctx: *mut isl_ctx) -> u64;
    pub fn isl_ctx_last_error(ctx: *mut isl_ctx) -> c_uint;
    pub fn isl_ctx_last_error_msg(ctx: *mut isl_ctx) -> *const c_char;
    pub fn isl_ctx_reset_error(ctx: *mut isl_ctx);
    pub fn isl_ctx_reset_operations(ctx: *mut isl_ctx);
    pub fn isl_ctx_set_max_operations(ctx: *mut isl_ctx, max_operations: u64);
    pub fn isl_id_alloc(ctx: *mut isl_ctx, name: *const c_char, user: *mut c_void) -> *mut isl_id;
    pub fn isl_id_copy(id: *mut isl_id) -> *mut isl_id;
    pub fn isl_id_free(id: *mut isl_id) -> *mut isl_id;
    pub fn isl_id_get_name(id: *mut isl_id) -> *const c_char;
    pub fn isl_id_list_add(list: *mut isl_id_list, el: *mut isl_id) -> *mut isl_id_list;
    pub fn isl_id_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_id_list;
    pub fn isl_id_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_id;
    pub fn isl_id_to_str(id: *mut isl_id) -> *mut c_char;
    pub fn isl_local_space_copy(ls: *mut isl_local_space) -> *mut isl_local_space;
    pub fn isl_local_space_dim(ls: *mut isl_local_space, type_: c_uint) -> c_int;
    pub fn isl_local_space_domain(ls: *mut isl_local_space) -> *mut isl_local_space;
    pub fn isl_local_space_free(ls: *mut isl_local_space) -> *mut isl_local_space;
    pub fn isl_local_space_from_space(space: *mut isl_space) -> *mut isl_local_space;
    pub fn isl_local_space_get_dim_name(
        ls: *mut isl_local_space,
        type_: c_uint,
        pos: c_uint,
    ) -> *const c_char;
    pub fn isl_local_space_get_div(ls: *mut isl_local_space, pos: c_int) -> *mut isl_aff;
    pub fn isl_local_space_get_space(ls: *mut isl_local_space) -> *mut isl_space;
    pub fn isl_local_space_is_equal(ls1: *mut isl_local_space, ls2: *mut isl_local_space) -> c_int;
    pub fn isl_local_space_is_set(ls: *mut isl_local_space) -> c_int;
    pub fn isl_local_space_range(ls: *mut isl_local_space) -> *mut isl_local_space;
    pub fn isl_map_add_constraint(
        map: *mut isl_map,
        constraint: *mut isl_constraint,
    ) -> *mut isl_map;
    pub fn isl_map_add_dims(map: *mut isl_map, type_: c_uint, n: c_uint) -> *mut isl_map;
    pub fn isl_map_affine_hull(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_align_params(map: *mut isl_map, model: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_apply_domain(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_apply_range(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_as_pw_multi_aff(map: *mut isl_map) -> *mut isl_pw_multi_aff;
    pub fn isl_map_coalesce(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_complement(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_compute_divs(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_convex_hull(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_copy(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_curry(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_deltas(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_deltas_map(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_detect_equalities(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_dim(map: *mut isl_map, type_: c_uint) -> c_int;
    pub fn isl_map_dim_max(map: *mut isl_map, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_map_dim_min(map: *mut isl_map, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_map_domain(bmap: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_domain_factor_domain(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_domain_factor_range(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_domain_is_wrapping(map: *mut isl_map) -> c_int;
    pub fn isl_map_domain_map(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_domain_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_domain_reverse(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_domain_tuple_dim(map: *mut isl_map) -> c_int;
    pub fn isl_map_drop_constraints_involving_dims(
        map: *mut isl_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_drop_constraints_not_involving_dims(
        map: *mut isl_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_drop_unused_params(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_eliminate(
        map: *mut isl_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_empty(space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_eq_at_multi_pw_aff(
        map: *mut isl_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_equate(
        map: *mut isl_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_map;
    pub fn isl_map_factor_domain(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_factor_range(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_fix_val(
        map: *mut isl_map,
        type_: c_uint,
        pos: c_uint,
        v: *mut isl_val,
    ) -> *mut isl_map;
    pub fn isl_map_fixed_power_val(map: *mut isl_map, exp: *mut isl_val) -> *mut isl_map;
    pub fn isl_map_flat_domain_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_flat_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_flat_range_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_flatten(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_flatten_domain(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_flatten_range(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_floordiv_val(map: *mut isl_map, d: *mut isl_val) -> *mut isl_map;
    pub fn isl_map_free(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_from_aff(aff: *mut isl_aff) -> *mut isl_map;
    pub fn isl_map_from_basic_map(bmap: *mut isl_basic_map) -> *mut isl_map;
    pub fn isl_map_from_domain(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_from_domain_and_range(domain: *mut isl_set, range: *mut isl_set)
    -> *mut isl_map;
    pub fn isl_map_from_multi_aff(maff: *mut isl_multi_aff) -> *mut isl_map;
    pub fn isl_map_from_multi_pw_aff(mpa: *mut isl_multi_pw_aff) -> *mut isl_map;
    pub fn isl_map_from_pw_aff(pwaff: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_map_from_pw_multi_aff(pma: *mut isl_pw_multi_aff) -> *mut isl_map;
    pub fn isl_map_from_range(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_from_union_map(umap: *mut isl_union_map) -> *mut isl_map;
    pub fn isl_map_get_basic_map_list(map: *mut isl_map) -> *mut isl_basic_map_list;
    pub fn isl_map_get_dim_name(map: *mut isl_map, type_: c_uint, pos: c_uint) -> *const c_char;
    pub fn isl_map_get_space(map: *mut isl_map) -> *mut isl_space;
    pub fn isl_map_get_tuple_name(map: *mut isl_map, type_: c_uint) -> *const c_char;
    pub fn isl_map_gist(map: *mut isl_map, context: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_gist_domain(map: *mut isl_map, context: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_gist_params(map: *mut isl_map, context: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_gist_range(map: *mut isl_map, context: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_has_dim_name(map: *mut isl_map, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_map_has_equal_space(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_has_tuple_name(map: *mut isl_map, type_: c_uint) -> c_int;
    pub fn isl_map_identity(space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_insert_dims(
        map: *mut isl_map,
        type_: c_uint,
        pos: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_intersect(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_intersect_domain(map: *mut isl_map, set: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_intersect_domain_factor_domain(
        map: *mut isl_map,
        factor: *mut isl_map,
    ) -> *mut isl_map;
    pub fn isl_map_intersect_domain_factor_range(
        map: *mut isl_map,
        factor: *mut isl_map,
    ) -> *mut isl_map;
    pub fn isl_map_intersect_domain_wrapped_domain(
        map: *mut isl_map,
        domain: *mut isl_set,
    ) -> *mut isl_map;
    pub fn isl_map_intersect_params(map: *mut isl_map, params: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_intersect_range(map: *mut isl_map, set: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_intersect_range_factor_domain(
        map: *mut isl_map,
        factor: *mut isl_map,
    ) -> *mut isl_map;
    pub fn isl_map_intersect_range_factor_range(
        map: *mut isl_map,
        factor: *mut isl_map,
    ) -> *mut isl_map;
    pub fn isl_map_intersect_range_wrapped_domain(
        map: *mut isl_map,
        domain: *mut isl_set,
    ) -> *mut isl_map;
    pub fn isl_map_involves_dims(
        map: *mut isl_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_map_is_bijective(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_disjoint(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_is_empty(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_equal(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_is_identity(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_injective(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_product(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_single_valued(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_strict_subset(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_is_subset(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_lex_ge(set_space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_lex_ge_at_multi_pw_aff(
        map: *mut isl_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_lex_ge_first(space: *mut isl_space, n: c_uint) -> *mut isl_map;
    pub fn isl_map_lex_ge_map(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lex_gt(set_space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_lex_gt_at_multi_pw_aff(
        map: *mut isl_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_lex_gt_first(space: *mut isl_space, n: c_uint) -> *mut isl_map;
    pub fn isl_map_lex_gt_map(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lex_le(set_space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_lex_le_at_multi_pw_aff(
        map: *mut isl_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_lex_le_first(space: *mut isl_space, n: c_uint) -> *mut isl_map;
    pub fn isl_map_lex_le_map(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lex_lt(set_space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_lex_lt_at_multi_pw_aff(
        map: *mut isl_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_lex_lt_first(space: *mut isl_space, n: c_uint) -> *mut isl_map;
    pub fn isl_map_lex_lt_map(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lexmax(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lexmax_pw_multi_aff(map: *mut isl_map) -> *mut isl_pw_multi_aff;
    pub fn isl_map_lexmin(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lexmin_pw_multi_aff(map: *mut isl_map) -> *mut isl_pw_multi_aff;
    pub fn isl_map_list_add(list: *mut isl_map_list, el: *mut isl_map) -> *mut isl_map_list;
    pub fn isl_map_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_map_list;
    pub fn isl_map_list_free(list: *mut isl_map_list) -> *mut isl_map_list;
    pub fn isl_map_list_get_at(list: *mut isl_map_list, index: c_int) -> *mut isl_map;
    pub fn isl_map_list_size(list: *mut isl_map_list) -> c_int;
    pub fn isl_map_lower_bound_multi_pw_aff(
        map: *mut isl_map,
        lower: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_lower_bound_val(
        map: *mut isl_map,
        type_: c_uint,
        pos: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_map;
    pub fn isl_map_make_disjoint(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_move_dims(
        map: *mut isl_map,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_n_basic_map(map: *mut isl_map) -> c_int;
    pub fn isl_map_nat_universe(space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_neg(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_oppose(
        map: *mut isl_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_map;
    pub fn isl_map_order_ge(
        map: *mut isl_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_map;
    pub fn isl_map_order_gt(
        map: *mut isl_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_map;
    pub fn isl_map_order_le(
        map: *mut isl_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_map;
    pub fn isl_map_order_lt(
        map: *mut isl_map,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_map;
    pub fn isl_map_params(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_plain_get_val_if_fixed(
        map: *mut isl_map,
        type_: c_uint,
        pos: c_uint,
    ) -> *mut isl_val;
    pub fn isl_map_plain_is_empty(map: *mut isl_map) -> c_int;
    pub fn isl_map_plain_is_equal(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_plain_is_injective(map: *mut isl_map) -> c_int;
    pub fn isl_map_plain_is_single_valued(map: *mut isl_map) -> c_int;
    pub fn isl_map_plain_is_universe(map: *mut isl_map) -> c_int;
    pub fn isl_map_plain_unshifted_simple_hull(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_polyhedral_hull(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_preimage_domain_multi_aff(
        map: *mut isl_map,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_map;
    pub fn isl_map_preimage_domain_multi_pw_aff(
        map: *mut isl_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_preimage_domain_pw_multi_aff(
        map: *mut isl_map,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_map;
    pub fn isl_map_preimage_range_multi_aff(
        map: *mut isl_map,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_map;
    pub fn isl_map_preimage_range_pw_multi_aff(
        map: *mut isl_map,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_map;
    pub fn isl_map_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_project_out(
        map: *mut isl_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_project_out_all_params(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_range(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_range_factor_domain(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_range_factor_range(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_range_is_wrapping(map: *mut isl_map) -> c_int;
    pub fn isl_map_range_map(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_range_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_range_reverse(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_range_tuple_dim(map: *mut isl_map) -> c_int;
    pub fn isl_map_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_map;
    pub fn isl_map_remove_divs(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_remove_divs_involving_dims(
        map: *mut isl_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_remove_redundancies(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_remove_unknown_divs(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_reset_tuple_id(map: *mut isl_map, type_: c_uint) -> *mut isl_map;
    pub fn isl_map_reverse(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_sample(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_set_dim_id(
        map: *mut isl_map,
        type_: c_uint,
        pos: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_map;
    pub fn isl_map_set_domain_tuple_id(map: *mut isl_map, id: *mut isl_id) -> *mut isl_map;
    pub fn isl_map_set_range_tuple_id(map: *mut isl_map, id: *mut isl_id) -> *mut isl_map;
    pub fn isl_map_set_tuple_id(map: *mut isl_map, type_: c_uint, id: *mut isl_id) -> *mut isl_map;
    pub fn isl_map_simple_hull(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_subtract(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_subtract_domain(map: *mut isl_map, dom: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_subtract_range(map: *mut isl_map, dom: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_sum(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_to_str(map: *mut isl_map) -> *mut c_char;
    pub fn isl_map_to_union_map(map: *mut isl_map) -> *mut isl_union_map;
    pub fn isl_map_transitive_closure(map: *mut isl_map, exact: *mut c_int) -> *mut isl_map;
    pub fn isl_map_uncurry(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_union(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_union_disjoint(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_universe(space: *mut isl_space) -> *mut isl_map;
    pub fn isl_map_unshifted_simple_hull(map: *mut isl_map) -> *mut isl_basic_map;
    pub fn isl_map_upper_bound_multi_pw_aff(
        map: *mut isl_map,
        upper: *mut isl_multi_pw_aff,
    ) -> *mut isl_map;
    pub fn isl_map_upper_bound_val(
        map: *mut isl_map,
        type_: c_uint,
        pos: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_map;
    pub fn isl_map_wrap(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_zip(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_mat_alloc(ctx: *mut isl_ctx, n_row: c_uint, n_col: c_uint) -> *mut isl_mat;
    pub fn isl_mat_cols(mat: *mut isl_mat) -> c_int;
    pub fn isl_mat_copy(mat: *mut isl_mat) -> *mut isl_mat;
    pub fn isl_mat_free(mat: *mut isl_mat) -> *mut isl_mat;
    pub fn isl_mat_get_element_val(mat: *mut isl_mat, row: c_int, col: c_int) -> *mut isl_val;
    pub fn isl_mat_rank(mat: *mut isl_mat) -> c_int;
    pub fn isl_mat_right_kernel(mat: *mut isl_mat) -> *mut isl_mat;
    pub fn isl_mat_rows(mat: *mut isl_mat) -> c_int;
    pub fn isl_mat_set_element_val(
        mat: *mut isl_mat,
        row: c_int,
        col: c_int,
        v: *mut isl_val,
    ) -> *mut isl_mat;
    pub fn isl_multi_aff_add(
        multi1: *mut isl_multi_aff,
        multi2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_add_constant_val(
        mpa: *mut isl_multi_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_add_dims(
        multi: *mut isl_multi_aff,
        type_: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_align_params(
        multi: *mut isl_multi_aff,
        model: *mut isl_space,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_as_map(ma: *mut isl_multi_aff) -> *mut isl_map;
    pub fn isl_multi_aff_as_set(ma: *mut isl_multi_aff) -> *mut isl_set;
    pub fn isl_multi_aff_copy(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_dim(multi: *mut isl_multi_aff, type_: c_uint) -> c_int;
    pub fn isl_multi_aff_domain_map(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_drop_dims(
        multi: *mut isl_multi_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_factor_range(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_flat_range_product(
        multi1: *mut isl_multi_aff,
        multi2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_flatten_domain(ma: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_flatten_range(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_floor(ma: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_free(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_from_aff(aff: *mut isl_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_from_aff_list(
        space: *mut isl_space,
        list: *mut isl_aff_list,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_get_at(multi: *mut isl_multi_aff, pos: c_int) -> *mut isl_aff;
    pub fn isl_multi_aff_get_constant_multi_val(ma: *mut isl_multi_aff) -> *mut isl_multi_val;
    pub fn isl_multi_aff_get_domain_space(multi: *mut isl_multi_aff) -> *mut isl_space;
    pub fn isl_multi_aff_get_list(multi: *mut isl_multi_aff) -> *mut isl_aff_list;
    pub fn isl_multi_aff_get_space(multi: *mut isl_multi_aff) -> *mut isl_space;
    pub fn isl_multi_aff_get_tuple_name(multi: *mut isl_multi_aff, type_: c_uint) -> *const c_char;
    pub fn isl_multi_aff_gist(
        maff: *mut isl_multi_aff,
        context: *mut isl_set,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_gist_params(
        maff: *mut isl_multi_aff,
        context: *mut isl_set,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_identity_on_domain_space(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_insert_dims(
        multi: *mut isl_multi_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_involves_dims(
        multi: *mut isl_multi_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_multi_aff_involves_locals(multi: *mut isl_multi_aff) -> c_int;
    pub fn isl_multi_aff_lex_ge_set(
        ma1: *mut isl_multi_aff,
        ma2: *mut isl_multi_aff,
    ) -> *mut isl_set;
    pub fn isl_multi_aff_lex_gt_set(
        ma1: *mut isl_multi_aff,
        ma2: *mut isl_multi_aff,
    ) -> *mut isl_set;
    pub fn isl_multi_aff_lex_le_set(
        ma1: *mut isl_multi_aff,
        ma2: *mut isl_multi_aff,
    ) -> *mut isl_set;
    pub fn isl_multi_aff_lex_lt_set(
        ma1: *mut isl_multi_aff,
        ma2: *mut isl_multi_aff,
    ) -> *mut isl_set;
    pub fn isl_multi_aff_mod_multi_val(
        multi: *mut isl_multi_aff,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_move_dims(
        ma: *mut isl_multi_aff,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_multi_val_on_domain_space(
        space: *mut isl_space,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_neg(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_plain_is_equal(
        multi1: *mut isl_multi_aff,
        multi2: *mut isl_multi_aff,
    ) -> c_int;
    pub fn isl_multi_aff_product(
        multi1: *mut isl_multi_aff,
        multi2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_project_out_map(
        space: *mut isl_space,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_pullback_multi_aff(
        ma1: *mut isl_multi_aff,
        ma2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_range_factor_domain(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_range_factor_range(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_range_map(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_range_product(
        multi1: *mut isl_multi_aff,
        multi2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_range_splice(
        multi1: *mut isl_multi_aff,
        pos: c_uint,
        multi2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_read_from_str(ctx: *mut isl_ctx, str: *const c_char)
    -> *mut isl_multi_aff;
    pub fn isl_multi_aff_reset_range_tuple_id(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_reset_tuple_id(
        multi: *mut isl_multi_aff,
        type_: c_uint,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_scale_down_multi_val(
        multi: *mut isl_multi_aff,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_scale_down_val(
        multi: *mut isl_multi_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_scale_multi_val(
        multi: *mut isl_multi_aff,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_scale_val(
        multi: *mut isl_multi_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_set_at(
        multi: *mut isl_multi_aff,
        pos: c_int,
        el: *mut isl_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_set_dim_id(
        multi: *mut isl_multi_aff,
        type_: c_uint,
        pos: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_set_range_tuple_id(
        multi: *mut isl_multi_aff,
        id: *mut isl_id,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_set_tuple_id(
        multi: *mut isl_multi_aff,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_size(multi: *mut isl_multi_aff) -> c_int;
    pub fn isl_multi_aff_sub(
        multi1: *mut isl_multi_aff,
        multi2: *mut isl_multi_aff,
    ) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_to_multi_pw_aff(ma: *mut isl_multi_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_aff_to_multi_union_pw_aff(
        ma: *mut isl_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_aff_to_pw_multi_aff(ma: *mut isl_multi_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_multi_aff_to_str(ma: *mut isl_multi_aff) -> *mut c_char;
    pub fn isl_multi_aff_zero(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_multi_pw_aff_add(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_align_params(
        multi: *mut isl_multi_pw_aff,
        model: *mut isl_space,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_as_map(mpa: *mut isl_multi_pw_aff) -> *mut isl_map;
    pub fn isl_multi_pw_aff_as_multi_aff(mpa: *mut isl_multi_pw_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_pw_aff_as_set(mpa: *mut isl_multi_pw_aff) -> *mut isl_set;
    pub fn isl_multi_pw_aff_coalesce(mpa: *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_copy(multi: *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_dim(multi: *mut isl_multi_pw_aff, type_: c_uint) -> c_int;
    pub fn isl_multi_pw_aff_domain(mpa: *mut isl_multi_pw_aff) -> *mut isl_set;
    pub fn isl_multi_pw_aff_drop_dims(
        multi: *mut isl_multi_pw_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_flat_range_product(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_free(multi: *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_from_aff(aff: *mut isl_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_from_multi_aff(ma: *mut isl_multi_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_from_pw_aff(pa: *mut isl_pw_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_from_pw_aff_list(
        space: *mut isl_space,
        list: *mut isl_pw_aff_list,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_from_pw_multi_aff(pma: *mut isl_pw_multi_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_get_at(multi: *mut isl_multi_pw_aff, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_multi_pw_aff_get_domain_space(multi: *mut isl_multi_pw_aff) -> *mut isl_space;
    pub fn isl_multi_pw_aff_get_list(multi: *mut isl_multi_pw_aff) -> *mut isl_pw_aff_list;
    pub fn isl_multi_pw_aff_get_space(multi: *mut isl_multi_pw_aff) -> *mut isl_space;
    pub fn isl_multi_pw_aff_get_tuple_name(
        multi: *mut isl_multi_pw_aff,
        type_: c_uint,
    ) -> *const c_char;
    pub fn isl_multi_pw_aff_gist(
        mpa: *mut isl_multi_pw_aff,
        set: *mut isl_set,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_gist_params(
        mpa: *mut isl_multi_pw_aff,
        set: *mut isl_set,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_identity_on_domain_space(
        space: *mut isl_space,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_intersect_domain(
        mpa: *mut isl_multi_pw_aff,
        domain: *mut isl_set,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_intersect_params(
        mpa: *mut isl_multi_pw_aff,
        set: *mut isl_set,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_involves_dims(
        multi: *mut isl_multi_pw_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_multi_pw_aff_is_cst(mpa: *mut isl_multi_pw_aff) -> c_int;
    pub fn isl_multi_pw_aff_is_equal(
        mpa1: *mut isl_multi_pw_aff,
        mpa2: *mut isl_multi_pw_aff,
    ) -> c_int;
    pub fn isl_multi_pw_aff_isa_multi_aff(mpa: *mut isl_multi_pw_aff) -> c_int;
    pub fn isl_multi_pw_aff_max(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_min(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_neg(multi: *mut isl_multi_pw_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_plain_is_equal(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> c_int;
    pub fn isl_multi_pw_aff_product(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_pullback_multi_aff(
        mpa: *mut isl_multi_pw_aff,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_pullback_multi_pw_aff(
        mpa1: *mut isl_multi_pw_aff,
        mpa2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_pullback_pw_multi_aff(
        mpa: *mut isl_multi_pw_aff,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_range_product(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_range_splice(
        multi1: *mut isl_multi_pw_aff,
        pos: c_uint,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_read_from_str(
        ctx: *mut isl_ctx,
        str: *const c_char,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_reset_range_tuple_id(
        multi: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_reset_tuple_id(
        multi: *mut isl_multi_pw_aff,
        type_: c_uint,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_scale_down_val(
        multi: *mut isl_multi_pw_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_scale_val(
        multi: *mut isl_multi_pw_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_set_at(
        multi: *mut isl_multi_pw_aff,
        pos: c_int,
        el: *mut isl_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_set_range_tuple_id(
        multi: *mut isl_multi_pw_aff,
        id: *mut isl_id,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_set_tuple_id(
        multi: *mut isl_multi_pw_aff,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_size(multi: *mut isl_multi_pw_aff) -> c_int;
    pub fn isl_multi_pw_aff_sub(
        multi1: *mut isl_multi_pw_aff,
        multi2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_to_str(mpa: *mut isl_multi_pw_aff) -> *mut c_char;
    pub fn isl_multi_pw_aff_union_add(
        mpa1: *mut isl_multi_pw_aff,
        mpa2: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_pw_aff_zero(space: *mut isl_space) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_union_pw_aff_add(
        multi1: *mut isl_multi_union_pw_aff,
        multi2: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_align_params(
        multi: *mut isl_multi_union_pw_aff,
        model: *mut isl_space,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_apply_aff(
        mupa: *mut isl_multi_union_pw_aff,
        aff: *mut isl_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_multi_union_pw_aff_apply_multi_aff(
        mupa: *mut isl_multi_union_pw_aff,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_apply_pw_aff(
        mupa: *mut isl_multi_union_pw_aff,
        pa: *mut isl_pw_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_multi_union_pw_aff_apply_pw_multi_aff(
        mupa: *mut isl_multi_union_pw_aff,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_coalesce(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_copy(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_dim(multi: *mut isl_multi_union_pw_aff, type_: c_uint) -> c_int;
    pub fn isl_multi_union_pw_aff_domain(mupa: *mut isl_multi_union_pw_aff) -> *mut isl_union_set;
    pub fn isl_multi_union_pw_aff_drop_dims(
        multi: *mut isl_multi_union_pw_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_extract_multi_pw_aff(
        mupa: *mut isl_multi_union_pw_aff,
        space: *mut isl_space,
    ) -> *mut isl_multi_pw_aff;
    pub fn isl_multi_union_pw_aff_flat_range_product(
        multi1: *mut isl_multi_union_pw_aff,
        multi2: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_flatten_range(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_floor(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_free(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_from_multi_aff(
        ma: *mut isl_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_from_multi_pw_aff(
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_from_union_map(
        umap: *mut isl_union_map,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_from_union_pw_aff(
        upa: *mut isl_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_from_union_pw_aff_list(
        space: *mut isl_space,
        list: *mut isl_union_pw_aff_list,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_from_union_pw_multi_aff(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_get_at(
        multi: *mut isl_multi_union_pw_aff,
        pos: c_int,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_multi_union_pw_aff_get_domain_space(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_space;
    pub fn isl_multi_union_pw_aff_get_list(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_pw_aff_list;
    pub fn isl_multi_union_pw_aff_get_space(multi: *mut isl_multi_union_pw_aff) -> *mut isl_space;
    pub fn isl_multi_union_pw_aff_get_tuple_name(
        multi: *mut isl_multi_union_pw_aff,
        type_: c_uint,
    ) -> *const c_char;
    pub fn isl_multi_union_pw_aff_gist(
        mupa: *mut isl_multi_union_pw_aff,
        context: *mut isl_union_set,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_gist_params(
        mupa: *mut isl_multi_union_pw_aff,
        context: *mut isl_set,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_intersect_domain(
        mupa: *mut isl_multi_union_pw_aff,
        uset: *mut isl_union_set,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_intersect_params(
        mupa: *mut isl_multi_union_pw_aff,
        params: *mut isl_set,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_intersect_range(
        mupa: *mut isl_multi_union_pw_aff,
        set: *mut isl_set,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_max_multi_val(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_val;
    pub fn isl_multi_union_pw_aff_min_multi_val(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_val;
    pub fn isl_multi_union_pw_aff_mod_multi_val(
        multi: *mut isl_multi_union_pw_aff,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_multi_aff_on_domain(
        domain: *mut isl_union_set,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_multi_val_on_domain(
        domain: *mut isl_union_set,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_neg(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_plain_is_equal(
        multi1: *mut isl_multi_union_pw_aff,
        multi2: *mut isl_multi_union_pw_aff,
    ) -> c_int;
    pub fn isl_multi_union_pw_aff_pullback_union_pw_multi_aff(
        mupa: *mut isl_multi_union_pw_aff,
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_range_factor_domain(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_range_factor_range(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_range_product(
        multi1: *mut isl_multi_union_pw_aff,
        multi2: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_range_splice(
        multi1: *mut isl_multi_union_pw_aff,
        pos: c_uint,
        multi2: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_read_from_str(
        ctx: *mut isl_ctx,
        str: *const c_char,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_reset_range_tuple_id(
        multi: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_reset_tuple_id(
        multi: *mut isl_multi_union_pw_aff,
        type_: c_uint,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_scale_down_multi_val(
        multi: *mut isl_multi_union_pw_aff,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_scale_down_val(
        multi: *mut isl_multi_union_pw_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_scale_multi_val(
        multi: *mut isl_multi_union_pw_aff,
        mv: *mut isl_multi_val,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_scale_val(
        multi: *mut isl_multi_union_pw_aff,
        v: *mut isl_val,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_set_at(
        multi: *mut isl_multi_union_pw_aff,
        pos: c_int,
        el: *mut isl_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_set_range_tuple_id(
        multi: *mut isl_multi_union_pw_aff,
        id: *mut isl_id,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_set_tuple_id(
        multi: *mut isl_multi_union_pw_aff,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_size(multi: *mut isl_multi_union_pw_aff) -> c_int;
    pub fn isl_multi_union_pw_aff_sub(
        multi1: *mut isl_multi_union_pw_aff,
        multi2: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_to_str(mupa: *mut isl_multi_union_pw_aff) -> *mut c_char;
    pub fn isl_multi_union_pw_aff_union_add(
        mupa1: *mut isl_multi_union_pw_aff,
        mupa2: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_zero(space: *mut isl_space) -> *mut isl_multi_union_pw_aff;
    pub fn isl_multi_union_pw_aff_zero_union_set(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_set;
    pub fn isl_multi_val_add(
        multi1: *mut isl_multi_val,
        multi2: *mut isl_multi_val,
    ) -> *mut isl_multi_val;
    pub fn isl_multi_val_copy(multi: *mut isl_multi_val) -> *mut isl_multi_val;
    pub fn isl_multi_val_free(multi: *mut isl_multi_val) -> *mut isl_multi_val;
    pub fn isl_multi_val_from_val_list(
        space: *mut isl_space,
        list: *mut isl_val_list,
    ) -> *mut isl_multi_val;
    pub fn isl_multi_val_get_at(multi: *mut isl_multi_val, pos: c_int) -> *mut isl_val;
    pub fn isl_multi_val_get_space(multi: *mut isl_multi_val) -> *mut isl_space;
    pub fn isl_multi_val_neg(multi: *mut isl_multi_val) -> *mut isl_multi_val;
    pub fn isl_multi_val_plain_is_equal(
        multi1: *mut isl_multi_val,
        multi2: *mut isl_multi_val,
    ) -> c_int;
    pub fn isl_multi_val_read_from_str(ctx: *mut isl_ctx, str: *const c_char)
    -> *mut isl_multi_val;
    pub fn isl_multi_val_set_at(
        multi: *mut isl_multi_val,
        pos: c_int,
        el: *mut isl_val,
    ) -> *mut isl_multi_val;
    pub fn isl_multi_val_size(multi: *mut isl_multi_val) -> c_int;
    pub fn isl_multi_val_sub(
        multi1: *mut isl_multi_val,
        multi2: *mut isl_multi_val,
    ) -> *mut isl_multi_val;
    pub fn isl_multi_val_to_str(mv: *mut isl_multi_val) -> *mut c_char;
    pub fn isl_multi_val_zero(space: *mut isl_space) -> *mut isl_multi_val;
    pub fn isl_options_set_ast_build_allow_else(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_allow_or(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_atomic_upper_bound(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_detect_min_max(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_exploit_nested_bounds(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_group_coscheduled(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_prefer_pdiv(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_ast_build_scale_strides(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_on_error(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_algorithm(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_carry_self_first(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_max_coefficient(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_max_constant_term(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_maximize_band_depth(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_maximize_coincidence(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_outer_coincidence(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_separate_components(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_serialize_sccs(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_split_scaled(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_treat_coalescing(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_schedule_whole_component(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_tile_scale_tile_loops(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_options_set_tile_shift_point_loops(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_point_copy(pnt: *mut isl_point) -> *mut isl_point;
    pub fn isl_point_free(pnt: *mut isl_point) -> *mut isl_point;
    pub fn isl_point_get_coordinate_val(
        pnt: *mut isl_point,
        type_: c_uint,
        pos: c_int,
    ) -> *mut isl_val;
    pub fn isl_point_get_multi_val(pnt: *mut isl_point) -> *mut isl_multi_val;
    pub fn isl_point_get_space(pnt: *mut isl_point) -> *mut isl_space;
    pub fn isl_point_is_void(pnt: *mut isl_point) -> c_int;
    pub fn isl_point_set_coordinate_val(
        pnt: *mut isl_point,
        type_: c_uint,
        pos: c_int,
        v: *mut isl_val,
    ) -> *mut isl_point;
    pub fn isl_point_to_set(pnt: *mut isl_point) -> *mut isl_set;
    pub fn isl_point_to_str(pnt: *mut isl_point) -> *mut c_char;
    pub fn isl_point_void(space: *mut isl_space) -> *mut isl_point;
    pub fn isl_point_zero(space: *mut isl_space) -> *mut isl_point;
    pub fn isl_pw_aff_add(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_add_constant_val(pa: *mut isl_pw_aff, v: *mut isl_val) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_add_dims(pwaff: *mut isl_pw_aff, type_: c_uint, n: c_uint)
    -> *mut isl_pw_aff;
    pub fn isl_pw_aff_align_params(
        pwaff: *mut isl_pw_aff,
        model: *mut isl_space,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_alloc(set: *mut isl_set, aff: *mut isl_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_as_aff(pa: *mut isl_pw_aff) -> *mut isl_aff;
    pub fn isl_pw_aff_as_map(pa: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_pw_aff_ceil(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_coalesce(pa: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_cond(
        cond: *mut isl_pw_aff,
        pwaff_true: *mut isl_pw_aff,
        pwaff_false: *mut isl_pw_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_copy(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_dim(pwaff: *mut isl_pw_aff, type_: c_uint) -> c_int;
    pub fn isl_pw_aff_div(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_domain(pwaff: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_drop_dims(
        pwaff: *mut isl_pw_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_drop_unused_params(pa: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_empty(space: *mut isl_space) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_eq_map(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_pw_aff_eq_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_eval(pa: *mut isl_pw_aff, pnt: *mut isl_point) -> *mut isl_val;
    pub fn isl_pw_aff_floor(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_foreach_piece(
        pwaff: *mut isl_pw_aff,
        callback: Option<unsafe extern "C" fn(*mut isl_set, *mut isl_aff, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_pw_aff_free(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_from_aff(aff: *mut isl_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_from_range(pwa: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_ge_map(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_pw_aff_ge_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_get_domain_space(pwaff: *mut isl_pw_aff) -> *mut isl_space;
    pub fn isl_pw_aff_get_space(pwaff: *mut isl_pw_aff) -> *mut isl_space;
    pub fn isl_pw_aff_gist(pwaff: *mut isl_pw_aff, context: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_gist_params(pwaff: *mut isl_pw_aff, context: *mut isl_set)
    -> *mut isl_pw_aff;
    pub fn isl_pw_aff_gt_map(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_pw_aff_gt_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_insert_dims(
        pwaff: *mut isl_pw_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_insert_domain(pa: *mut isl_pw_aff, domain: *mut isl_space)
    -> *mut isl_pw_aff;
    pub fn isl_pw_aff_intersect_domain(pa: *mut isl_pw_aff, set: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_intersect_params(pa: *mut isl_pw_aff, set: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_involves_dims(
        pwaff: *mut isl_pw_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_pw_aff_involves_nan(pa: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_is_cst(pwaff: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_is_empty(pwaff: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_is_equal(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_isa_aff(pa: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_le_map(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_pw_aff_le_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_list_add(
        list: *mut isl_pw_aff_list,
        el: *mut isl_pw_aff,
    ) -> *mut isl_pw_aff_list;
    pub fn isl_pw_aff_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_pw_aff_list;
    pub fn isl_pw_aff_list_free(list: *mut isl_pw_aff_list) -> *mut isl_pw_aff_list;
    pub fn isl_pw_aff_list_get_at(list: *mut isl_pw_aff_list, index: c_int) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_list_size(list: *mut isl_pw_aff_list) -> c_int;
    pub fn isl_pw_aff_lt_map(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_map;
    pub fn isl_pw_aff_lt_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_max(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_max_val(pa: *mut isl_pw_aff) -> *mut isl_val;
    pub fn isl_pw_aff_min(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_min_val(pa: *mut isl_pw_aff) -> *mut isl_val;
    pub fn isl_pw_aff_mod_val(pa: *mut isl_pw_aff, mod_: *mut isl_val) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_move_dims(
        pa: *mut isl_pw_aff,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_mul(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_n_piece(pwaff: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_nan_on_domain_space(space: *mut isl_space) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_ne_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_neg(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_non_zero_set(pwaff: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_nonneg_set(pwaff: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_param_on_domain_id(domain: *mut isl_set, id: *mut isl_id) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_params(pwa: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_plain_is_equal(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_pos_set(pa: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_project_domain_on_params(pa: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_pullback_multi_aff(
        pa: *mut isl_pw_aff,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_pullback_multi_pw_aff(
        pa: *mut isl_pw_aff,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_pullback_pw_multi_aff(
        pa: *mut isl_pw_aff,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_scale_down_val(pa: *mut isl_pw_aff, f: *mut isl_val) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_scale_val(pa: *mut isl_pw_aff, v: *mut isl_val) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_set_dim_id(
        pma: *mut isl_pw_aff,
        type_: c_uint,
        pos: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_set_tuple_id(
        pwaff: *mut isl_pw_aff,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_sub(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_subtract_domain(pa: *mut isl_pw_aff, set: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_tdiv_q(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_tdiv_r(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_to_str(pa: *mut isl_pw_aff) -> *mut c_char;
    pub fn isl_pw_aff_to_union_pw_aff(pa: *mut isl_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_pw_aff_union_add(
        pwaff1: *mut isl_pw_aff,
        pwaff2: *mut isl_pw_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_union_max(
        pwaff1: *mut isl_pw_aff,
        pwaff2: *mut isl_pw_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_union_min(
        pwaff1: *mut isl_pw_aff,
        pwaff2: *mut isl_pw_aff,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_val_on_domain(domain: *mut isl_set, v: *mut isl_val) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_var_on_domain(
        ls: *mut isl_local_space,
        type_: c_uint,
        pos: c_uint,
    ) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_zero_on_domain(ls: *mut isl_local_space) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_zero_set(pwaff: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_multi_aff_add(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_align_params(
        pma: *mut isl_pw_multi_aff,
        model: *mut isl_space,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_alloc(
        set: *mut isl_set,
        maff: *mut isl_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_as_map(pma: *mut isl_pw_multi_aff) -> *mut isl_map;
    pub fn isl_pw_multi_aff_as_multi_aff(pma: *mut isl_pw_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_pw_multi_aff_as_set(pma: *mut isl_pw_multi_aff) -> *mut isl_set;
    pub fn isl_pw_multi_aff_coalesce(pma: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_copy(pma: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_dim(pma: *mut isl_pw_multi_aff, type_: c_uint) -> c_int;
    pub fn isl_pw_multi_aff_domain(pma: *mut isl_pw_multi_aff) -> *mut isl_set;
    pub fn isl_pw_multi_aff_drop_dims(
        pma: *mut isl_pw_multi_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_empty(space: *mut isl_space) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_flat_range_product(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_foreach_piece(
        pma: *mut isl_pw_multi_aff,
        callback: Option<
            unsafe extern "C" fn(*mut isl_set, *mut isl_multi_aff, *mut c_void) -> c_int,
        >,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_pw_multi_aff_free(pma: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_from_domain(set: *mut isl_set) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_from_map(map: *mut isl_map) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_from_multi_aff(ma: *mut isl_multi_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_from_multi_pw_aff(mpa: *mut isl_multi_pw_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_from_pw_aff(pa: *mut isl_pw_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_from_set(set: *mut isl_set) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_get_at(pma: *mut isl_pw_multi_aff, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_pw_multi_aff_get_domain_space(pma: *mut isl_pw_multi_aff) -> *mut isl_space;
    pub fn isl_pw_multi_aff_get_space(pma: *mut isl_pw_multi_aff) -> *mut isl_space;
    pub fn isl_pw_multi_aff_get_tuple_name(
        pma: *mut isl_pw_multi_aff,
        type_: c_uint,
    ) -> *const c_char;
    pub fn isl_pw_multi_aff_gist(
        pma: *mut isl_pw_multi_aff,
        set: *mut isl_set,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_gist_params(
        pma: *mut isl_pw_multi_aff,
        set: *mut isl_set,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_identity_on_domain_space(
        space: *mut isl_space,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_intersect_domain(
        pma: *mut isl_pw_multi_aff,
        set: *mut isl_set,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_intersect_params(
        pma: *mut isl_pw_multi_aff,
        set: *mut isl_set,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_involves_dims(
        pma: *mut isl_pw_multi_aff,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_pw_multi_aff_is_equal(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> c_int;
    pub fn isl_pw_multi_aff_isa_multi_aff(pma: *mut isl_pw_multi_aff) -> c_int;
    pub fn isl_pw_multi_aff_list_add(
        list: *mut isl_pw_multi_aff_list,
        el: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff_list;
    pub fn isl_pw_multi_aff_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_pw_multi_aff_list;
    pub fn isl_pw_multi_aff_list_free(
        list: *mut isl_pw_multi_aff_list,
    ) -> *mut isl_pw_multi_aff_list;
    pub fn isl_pw_multi_aff_list_get_at(
        list: *mut isl_pw_multi_aff_list,
        index: c_int,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_list_size(list: *mut isl_pw_multi_aff_list) -> c_int;
    pub fn isl_pw_multi_aff_multi_val_on_domain(
        domain: *mut isl_set,
        mv: *mut isl_multi_val,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_n_piece(pma: *mut isl_pw_multi_aff) -> c_int;
    pub fn isl_pw_multi_aff_neg(pma: *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_plain_is_equal(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> c_int;
    pub fn isl_pw_multi_aff_product(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_project_domain_on_params(
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_pullback_multi_aff(
        pma: *mut isl_pw_multi_aff,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_pullback_pw_multi_aff(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_range_factor_domain(
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_range_factor_range(pma: *mut isl_pw_multi_aff)
    -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_range_product(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_read_from_str(
        ctx: *mut isl_ctx,
        str: *const c_char,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_reset_tuple_id(
        pma: *mut isl_pw_multi_aff,
        type_: c_uint,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_scale_down_val(
        pma: *mut isl_pw_multi_aff,
        v: *mut isl_val,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_scale_val(
        pma: *mut isl_pw_multi_aff,
        v: *mut isl_val,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_set_range_tuple_id(
        pma: *mut isl_pw_multi_aff,
        id: *mut isl_id,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_set_tuple_id(
        pma: *mut isl_pw_multi_aff,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_sub(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_subtract_domain(
        pma: *mut isl_pw_multi_aff,
        set: *mut isl_set,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_to_multi_pw_aff(pma: *mut isl_pw_multi_aff) -> *mut isl_multi_pw_aff;
    pub fn isl_pw_multi_aff_to_str(pma: *mut isl_pw_multi_aff) -> *mut c_char;
    pub fn isl_pw_multi_aff_to_union_pw_multi_aff(
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_pw_multi_aff_union_add(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_union_lexmax(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_union_lexmin(
        pma1: *mut isl_pw_multi_aff,
        pma2: *mut isl_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_pw_multi_aff_zero(space: *mut isl_space) -> *mut isl_pw_multi_aff;
    pub fn isl_schedule_align_params(
        schedule: *mut isl_schedule,
        space: *mut isl_space,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_constraints_compute_schedule(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_constraints_copy(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_free(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_get_coincidence(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_constraints_get_context(sc: *mut isl_schedule_constraints) -> *mut isl_set;
    pub fn isl_schedule_constraints_get_domain(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_union_set;
    pub fn isl_schedule_constraints_get_proximity(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_constraints_get_validity(
        sc: *mut isl_schedule_constraints,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_constraints_on_domain(
        domain: *mut isl_union_set,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_read_from_str(
        ctx: *mut isl_ctx,
        str: *const c_char,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_set_coincidence(
        sc: *mut isl_schedule_constraints,
        coincidence: *mut isl_union_map,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_set_conditional_validity(
        sc: *mut isl_schedule_constraints,
        condition: *mut isl_union_map,
        validity: *mut isl_union_map,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_set_context(
        sc: *mut isl_schedule_constraints,
        context: *mut isl_set,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_set_proximity(
        sc: *mut isl_schedule_constraints,
        proximity: *mut isl_union_map,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_set_validity(
        sc: *mut isl_schedule_constraints,
        validity: *mut isl_union_map,
    ) -> *mut isl_schedule_constraints;
    pub fn isl_schedule_constraints_to_str(sc: *mut isl_schedule_constraints) -> *mut c_char;
    pub fn isl_schedule_copy(sched: *mut isl_schedule) -> *mut isl_schedule;
    pub fn isl_schedule_empty(space: *mut isl_space) -> *mut isl_schedule;
    pub fn isl_schedule_free(sched: *mut isl_schedule) -> *mut isl_schedule;
    pub fn isl_schedule_from_domain(domain: *mut isl_union_set) -> *mut isl_schedule;
    pub fn isl_schedule_get_domain(schedule: *mut isl_schedule) -> *mut isl_union_set;
    pub fn isl_schedule_get_map(sched: *mut isl_schedule) -> *mut isl_union_map;
    pub fn isl_schedule_get_root(schedule: *mut isl_schedule) -> *mut isl_schedule_node;
    pub fn isl_schedule_gist_domain_params(
        schedule: *mut isl_schedule,
        context: *mut isl_set,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_insert_context(
        schedule: *mut isl_schedule,
        context: *mut isl_set,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_insert_partial_schedule(
        schedule: *mut isl_schedule,
        partial: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_intersect_domain(
        schedule: *mut isl_schedule,
        domain: *mut isl_union_set,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_node_align_params(
        node: *mut isl_schedule_node,
        space: *mut isl_space,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_ancestor(
        node: *mut isl_schedule_node,
        generation: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_get_ast_build_options(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_set;
    pub fn isl_schedule_node_band_get_ast_isolate_option(
        node: *mut isl_schedule_node,
    ) -> *mut isl_set;
    pub fn isl_schedule_node_band_get_partial_schedule(
        node: *mut isl_schedule_node,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_schedule_node_band_get_partial_schedule_union_map(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_node_band_get_permutable(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_band_get_space(node: *mut isl_schedule_node) -> *mut isl_space;
    pub fn isl_schedule_node_band_member_get_ast_loop_type(
        node: *mut isl_schedule_node,
        pos: c_int,
    ) -> c_int;
    pub fn isl_schedule_node_band_member_get_coincident(
        node: *mut isl_schedule_node,
        pos: c_int,
    ) -> c_int;
    pub fn isl_schedule_node_band_member_get_isolate_ast_loop_type(
        node: *mut isl_schedule_node,
        pos: c_int,
    ) -> c_int;
    pub fn isl_schedule_node_band_member_set_ast_loop_type(
        node: *mut isl_schedule_node,
        pos: c_int,
        type_: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_member_set_coincident(
        node: *mut isl_schedule_node,
        pos: c_int,
        coincident: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_member_set_isolate_ast_loop_type(
        node: *mut isl_schedule_node,
        pos: c_int,
        type_: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_mod(
        node: *mut isl_schedule_node,
        mv: *mut isl_multi_val,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_n_member(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_band_scale(
        node: *mut isl_schedule_node,
        mv: *mut isl_multi_val,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_scale_down(
        node: *mut isl_schedule_node,
        mv: *mut isl_multi_val,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_set_ast_build_options(
        node: *mut isl_schedule_node,
        options: *mut isl_union_set,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_set_permutable(
        node: *mut isl_schedule_node,
        permutable: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_shift(
        node: *mut isl_schedule_node,
        shift: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_sink(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_split(
        node: *mut isl_schedule_node,
        pos: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_band_tile(
        node: *mut isl_schedule_node,
        sizes: *mut isl_multi_val,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_child(
        node: *mut isl_schedule_node,
        pos: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_context_get_context(node: *mut isl_schedule_node) -> *mut isl_set;
    pub fn isl_schedule_node_copy(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_cut(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_delete(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_domain_get_domain(node: *mut isl_schedule_node) -> *mut isl_union_set;
    pub fn isl_schedule_node_expansion_get_contraction(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_schedule_node_expansion_get_expansion(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_node_extension_get_extension(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_node_filter_get_filter(node: *mut isl_schedule_node) -> *mut isl_union_set;
    pub fn isl_schedule_node_first_child(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_free(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_from_domain(domain: *mut isl_union_set) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_get_ancestor_child_position(
        node: *mut isl_schedule_node,
        ancestor: *mut isl_schedule_node,
    ) -> c_int;
    pub fn isl_schedule_node_get_child_position(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_get_domain(node: *mut isl_schedule_node) -> *mut isl_union_set;
    pub fn isl_schedule_node_get_parent_type(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_get_prefix_schedule_multi_union_pw_aff(
        node: *mut isl_schedule_node,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_schedule_node_get_prefix_schedule_relation(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_node_get_prefix_schedule_union_map(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_node_get_schedule(node: *mut isl_schedule_node) -> *mut isl_schedule;
    pub fn isl_schedule_node_get_schedule_depth(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_get_shared_ancestor(
        node1: *mut isl_schedule_node,
        node2: *mut isl_schedule_node,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_get_subtree_schedule_union_map(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_map;
    pub fn isl_schedule_node_get_tree_depth(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_get_type(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_get_universe_domain(
        node: *mut isl_schedule_node,
    ) -> *mut isl_union_set;
    pub fn isl_schedule_node_graft_after(
        node: *mut isl_schedule_node,
        graft: *mut isl_schedule_node,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_graft_before(
        node: *mut isl_schedule_node,
        graft: *mut isl_schedule_node,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_group(
        node: *mut isl_schedule_node,
        group_id: *mut isl_id,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_guard_get_guard(node: *mut isl_schedule_node) -> *mut isl_set;
    pub fn isl_schedule_node_has_children(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_has_next_sibling(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_has_parent(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_has_previous_sibling(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_insert_context(
        node: *mut isl_schedule_node,
        context: *mut isl_set,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_insert_filter(
        node: *mut isl_schedule_node,
        filter: *mut isl_union_set,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_insert_guard(
        node: *mut isl_schedule_node,
        context: *mut isl_set,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_insert_mark(
        node: *mut isl_schedule_node,
        mark: *mut isl_id,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_insert_partial_schedule(
        node: *mut isl_schedule_node,
        schedule: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_insert_sequence(
        node: *mut isl_schedule_node,
        filters: *mut isl_union_set_list,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_insert_set(
        node: *mut isl_schedule_node,
        filters: *mut isl_union_set_list,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_is_equal(
        node1: *mut isl_schedule_node,
        node2: *mut isl_schedule_node,
    ) -> c_int;
    pub fn isl_schedule_node_is_subtree_anchored(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_mark_get_id(node: *mut isl_schedule_node) -> *mut isl_id;
    pub fn isl_schedule_node_n_children(node: *mut isl_schedule_node) -> c_int;
    pub fn isl_schedule_node_next_sibling(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_order_after(
        node: *mut isl_schedule_node,
        filter: *mut isl_union_set,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_order_before(
        node: *mut isl_schedule_node,
        filter: *mut isl_union_set,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_parent(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_previous_sibling(
        node: *mut isl_schedule_node,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_root(node: *mut isl_schedule_node) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_sequence_splice_child(
        node: *mut isl_schedule_node,
        pos: c_int,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_sequence_splice_children(
        node: *mut isl_schedule_node,
    ) -> *mut isl_schedule_node;
    pub fn isl_schedule_node_to_str(node: *mut isl_schedule_node) -> *mut c_char;
    pub fn isl_schedule_plain_is_equal(
        schedule1: *mut isl_schedule,
        schedule2: *mut isl_schedule,
    ) -> c_int;
    pub fn isl_schedule_pullback_union_pw_multi_aff(
        schedule: *mut isl_schedule,
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_schedule;
    pub fn isl_schedule_sequence(
        schedule1: *mut isl_schedule,
        schedule2: *mut isl_schedule,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_set(
        schedule1: *mut isl_schedule,
        schedule2: *mut isl_schedule,
    ) -> *mut isl_schedule;
    pub fn isl_schedule_to_str(schedule: *mut isl_schedule) -> *mut c_char;
    pub fn isl_set_add_constraint(
        set: *mut isl_set,
        constraint: *mut isl_constraint,
    ) -> *mut isl_set;
    pub fn isl_set_add_dims(set: *mut isl_set, type_: c_uint, n: c_uint) -> *mut isl_set;
    pub fn isl_set_affine_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_align_params(set: *mut isl_set, model: *mut isl_space) -> *mut isl_set;
    pub fn isl_set_apply(set: *mut isl_set, map: *mut isl_map) -> *mut isl_set;
    pub fn isl_set_as_pw_multi_aff(set: *mut isl_set) -> *mut isl_pw_multi_aff;
    pub fn isl_set_bounded_simple_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_coalesce(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_coefficients(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_complement(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_compute_divs(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_convex_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_copy(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_count_val(set: *mut isl_set) -> *mut isl_val;
    pub fn isl_set_detect_equalities(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_dim(set: *mut isl_set, type_: c_uint) -> c_int;
    pub fn isl_set_dim_has_any_lower_bound(set: *mut isl_set, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_set_dim_has_any_upper_bound(set: *mut isl_set, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_set_dim_has_lower_bound(set: *mut isl_set, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_set_dim_has_upper_bound(set: *mut isl_set, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_set_dim_is_bounded(set: *mut isl_set, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_set_dim_max(set: *mut isl_set, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_set_dim_max_val(set: *mut isl_set, pos: c_int) -> *mut isl_val;
    pub fn isl_set_dim_min(set: *mut isl_set, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_set_dim_min_val(set: *mut isl_set, pos: c_int) -> *mut isl_val;
    pub fn isl_set_drop_constraints_involving_dims(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_drop_constraints_not_involving_dims(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_drop_unused_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_eliminate(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_empty(space: *mut isl_space) -> *mut isl_set;
    pub fn isl_set_equate(
        set: *mut isl_set,
        type1: c_uint,
        pos1: c_int,
        type2: c_uint,
        pos2: c_int,
    ) -> *mut isl_set;
    pub fn isl_set_fix_val(
        set: *mut isl_set,
        type_: c_uint,
        pos: c_uint,
        v: *mut isl_val,
    ) -> *mut isl_set;
    pub fn isl_set_flat_product(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_flatten(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_flatten_map(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_foreach_point(
        set: *mut isl_set,
        callback: Option<unsafe extern "C" fn(*mut isl_point, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_set_free(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_from_basic_set(bset: *mut isl_basic_set) -> *mut isl_set;
    pub fn isl_set_from_multi_aff(ma: *mut isl_multi_aff) -> *mut isl_set;
    pub fn isl_set_from_multi_pw_aff(mpa: *mut isl_multi_pw_aff) -> *mut isl_set;
    pub fn isl_set_from_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_from_point(pnt: *mut isl_point) -> *mut isl_set;
    pub fn isl_set_from_pw_aff(pwaff: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_set_from_pw_multi_aff(pma: *mut isl_pw_multi_aff) -> *mut isl_set;
    pub fn isl_set_from_union_set(uset: *mut isl_union_set) -> *mut isl_set;
    pub fn isl_set_get_basic_set_list(set: *mut isl_set) -> *mut isl_basic_set_list;
    pub fn isl_set_get_dim_name(set: *mut isl_set, type_: c_uint, pos: c_uint) -> *const c_char;
    pub fn isl_set_get_space(set: *mut isl_set) -> *mut isl_space;
    pub fn isl_set_get_stride(set: *mut isl_set, pos: c_int) -> *mut isl_val;
    pub fn isl_set_get_tuple_name(set: *mut isl_set) -> *const c_char;
    pub fn isl_set_gist(set: *mut isl_set, context: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_gist_params(set: *mut isl_set, context: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_has_dim_name(set: *mut isl_set, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_set_has_equal_space(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_has_tuple_name(set: *mut isl_set) -> c_int;
    pub fn isl_set_identity(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_indicator_function(set: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_set_insert_dims(
        set: *mut isl_set,
        type_: c_uint,
        pos: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_insert_domain(set: *mut isl_set, domain: *mut isl_space) -> *mut isl_map;
    pub fn isl_set_intersect(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_intersect_params(set: *mut isl_set, params: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_involves_dims(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_set_involves_locals(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_bounded(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_box(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_disjoint(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_empty(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_equal(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_params(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_singleton(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_strict_subset(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_subset(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_wrapping(set: *mut isl_set) -> c_int;
    pub fn isl_set_lex_ge_set(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_lex_gt_set(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_lex_le_set(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_lex_lt_set(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_lexmax(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_lexmax_pw_multi_aff(set: *mut isl_set) -> *mut isl_pw_multi_aff;
    pub fn isl_set_lexmin(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_lexmin_pw_multi_aff(set: *mut isl_set) -> *mut isl_pw_multi_aff;
    pub fn isl_set_lift(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_list_add(list: *mut isl_set_list, el: *mut isl_set) -> *mut isl_set_list;
    pub fn isl_set_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_set_list;
    pub fn isl_set_list_free(list: *mut isl_set_list) -> *mut isl_set_list;
    pub fn isl_set_list_get_at(list: *mut isl_set_list, index: c_int) -> *mut isl_set;
    pub fn isl_set_list_size(list: *mut isl_set_list) -> c_int;
    pub fn isl_set_lower_bound_multi_pw_aff(
        set: *mut isl_set,
        lower: *mut isl_multi_pw_aff,
    ) -> *mut isl_set;
    pub fn isl_set_lower_bound_val(
        set: *mut isl_set,
        type_: c_uint,
        pos: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_set;
    pub fn isl_set_make_disjoint(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_max_val(set: *mut isl_set, obj: *mut isl_aff) -> *mut isl_val;
    pub fn isl_set_min_val(set: *mut isl_set, obj: *mut isl_aff) -> *mut isl_val;
    pub fn isl_set_move_dims(
        set: *mut isl_set,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_n_basic_set(set: *mut isl_set) -> c_int;
    pub fn isl_set_nat_universe(space: *mut isl_space) -> *mut isl_set;
    pub fn isl_set_neg(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_plain_get_val_if_fixed(
        set: *mut isl_set,
        type_: c_uint,
        pos: c_uint,
    ) -> *mut isl_val;
    pub fn isl_set_plain_is_disjoint(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_plain_is_empty(set: *mut isl_set) -> c_int;
    pub fn isl_set_plain_is_equal(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_plain_is_universe(set: *mut isl_set) -> c_int;
    pub fn isl_set_plain_unshifted_simple_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_polyhedral_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_preimage_multi_aff(set: *mut isl_set, ma: *mut isl_multi_aff) -> *mut isl_set;
    pub fn isl_set_preimage_multi_pw_aff(
        set: *mut isl_set,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_set;
    pub fn isl_set_preimage_pw_multi_aff(
        set: *mut isl_set,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_set;
    pub fn isl_set_product(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_project_onto_map(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_set_project_out(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_project_out_all_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_set;
    pub fn isl_set_remove_divs(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_remove_divs_involving_dims(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_remove_redundancies(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_remove_unknown_divs(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_reset_tuple_id(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_sample(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_sample_point(set: *mut isl_set) -> *mut isl_point;
    pub fn isl_set_set_dim_id(
        set: *mut isl_set,
        type_: c_uint,
        pos: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_set;
    pub fn isl_set_set_tuple_id(set: *mut isl_set, id: *mut isl_id) -> *mut isl_set;
    pub fn isl_set_simple_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_solutions(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_split_dims(
        set: *mut isl_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_subtract(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_sum(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_to_str(set: *mut isl_set) -> *mut c_char;
    pub fn isl_set_to_union_set(set: *mut isl_set) -> *mut isl_union_set;
    pub fn isl_set_translation(deltas: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_tuple_dim(set: *mut isl_set) -> c_int;
    pub fn isl_set_union(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_union_disjoint(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_universe(space: *mut isl_space) -> *mut isl_set;
    pub fn isl_set_unshifted_simple_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_unwrap(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_upper_bound_multi_pw_aff(
        set: *mut isl_set,
        upper: *mut isl_multi_pw_aff,
    ) -> *mut isl_set;
    pub fn isl_set_upper_bound_val(
        set: *mut isl_set,
        type_: c_uint,
        pos: c_uint,
        value: *mut isl_val,
    ) -> *mut isl_set;
    pub fn isl_set_wrapped_domain_map(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_space_add_dims(space: *mut isl_space, type_: c_uint, n: c_uint) -> *mut isl_space;
    pub fn isl_space_add_named_tuple_id_ui(
        space: *mut isl_space,
        tuple_id: *mut isl_id,
        dim: c_uint,
    ) -> *mut isl_space;
    pub fn isl_space_add_param_id(space: *mut isl_space, id: *mut isl_id) -> *mut isl_space;
    pub fn isl_space_add_unnamed_tuple_ui(space: *mut isl_space, dim: c_uint) -> *mut isl_space;
    pub fn isl_space_align_params(space1: *mut isl_space, space2: *mut isl_space)
    -> *mut isl_space;
    pub fn isl_space_alloc(
        ctx: *mut isl_ctx,
        nparam: c_uint,
        n_in: c_uint,
        n_out: c_uint,
    ) -> *mut isl_space;
    pub fn isl_space_copy(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_curry(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_dim(space: *mut isl_space, type_: c_uint) -> c_int;
    pub fn isl_space_domain(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_domain_factor_domain(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_domain_factor_range(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_domain_is_wrapping(space: *mut isl_space) -> c_int;
    pub fn isl_space_domain_map(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_domain_map_multi_aff(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_space_domain_product(left: *mut isl_space, right: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_drop_all_params(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_drop_dims(
        space: *mut isl_space,
        type_: c_uint,
        first: c_uint,
        num: c_uint,
    ) -> *mut isl_space;
    pub fn isl_space_factor_domain(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_factor_range(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_flatten_domain(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_flatten_range(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_free(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_from_domain(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_from_range(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_get_dim_name(
        space: *mut isl_space,
        type_: c_uint,
        pos: c_uint,
    ) -> *const c_char;
    pub fn isl_space_get_tuple_name(space: *mut isl_space, type_: c_uint) -> *const c_char;
    pub fn isl_space_has_dim_name(space: *mut isl_space, type_: c_uint, pos: c_uint) -> c_int;
    pub fn isl_space_has_equal_params(space1: *mut isl_space, space2: *mut isl_space) -> c_int;
    pub fn isl_space_has_equal_tuples(space1: *mut isl_space, space2: *mut isl_space) -> c_int;
    pub fn isl_space_has_tuple_name(space: *mut isl_space, type_: c_uint) -> c_int;
    pub fn isl_space_identity_multi_aff_on_domain(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_space_identity_pw_multi_aff_on_domain(
        space: *mut isl_space,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_space_insert_dims(
        space: *mut isl_space,
        type_: c_uint,
        pos: c_uint,
        n: c_uint,
    ) -> *mut isl_space;
    pub fn isl_space_is_domain(space1: *mut isl_space, space2: *mut isl_space) -> c_int;
    pub fn isl_space_is_equal(space1: *mut isl_space, space2: *mut isl_space) -> c_int;
    pub fn isl_space_is_map(space: *mut isl_space) -> c_int;
    pub fn isl_space_is_params(space: *mut isl_space) -> c_int;
    pub fn isl_space_is_product(space: *mut isl_space) -> c_int;
    pub fn isl_space_is_range(space1: *mut isl_space, space2: *mut isl_space) -> c_int;
    pub fn isl_space_is_set(space: *mut isl_space) -> c_int;
    pub fn isl_space_is_wrapping(space: *mut isl_space) -> c_int;
    pub fn isl_space_join(left: *mut isl_space, right: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_map_from_domain_and_range(
        domain: *mut isl_space,
        range: *mut isl_space,
    ) -> *mut isl_space;
    pub fn isl_space_map_from_set(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_move_dims(
        space: *mut isl_space,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_space;
    pub fn isl_space_params(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_params_alloc(ctx: *mut isl_ctx, nparam: c_uint) -> *mut isl_space;
    pub fn isl_space_product(left: *mut isl_space, right: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_range(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_range_factor_domain(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_range_factor_range(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_range_is_wrapping(space: *mut isl_space) -> c_int;
    pub fn isl_space_range_map(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_range_map_multi_aff(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_space_range_product(left: *mut isl_space, right: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_space;
    pub fn isl_space_reset_tuple_id(space: *mut isl_space, type_: c_uint) -> *mut isl_space;
    pub fn isl_space_reverse(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_set_alloc(ctx: *mut isl_ctx, nparam: c_uint, dim: c_uint) -> *mut isl_space;
    pub fn isl_space_set_dim_id(
        space: *mut isl_space,
        type_: c_uint,
        pos: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_space;
    pub fn isl_space_set_domain_tuple_id(space: *mut isl_space, id: *mut isl_id) -> *mut isl_space;
    pub fn isl_space_set_from_params(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_set_range_tuple_id(space: *mut isl_space, id: *mut isl_id) -> *mut isl_space;
    pub fn isl_space_set_tuple_id(
        space: *mut isl_space,
        type_: c_uint,
        id: *mut isl_id,
    ) -> *mut isl_space;
    pub fn isl_space_to_str(space: *mut isl_space) -> *mut c_char;
    pub fn isl_space_tuple_is_equal(
        space1: *mut isl_space,
        type1: c_uint,
        space2: *mut isl_space,
        type2: c_uint,
    ) -> c_int;
    pub fn isl_space_uncurry(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_unit(ctx: *mut isl_ctx) -> *mut isl_space;
    pub fn isl_space_universe_map(space: *mut isl_space) -> *mut isl_map;
    pub fn isl_space_universe_set(space: *mut isl_space) -> *mut isl_set;
    pub fn isl_space_unwrap(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_wrap(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_space_zero_aff_on_domain(space: *mut isl_space) -> *mut isl_aff;
    pub fn isl_space_zero_multi_aff(space: *mut isl_space) -> *mut isl_multi_aff;
    pub fn isl_space_zip(space: *mut isl_space) -> *mut isl_space;
    pub fn isl_union_access_info_compute_flow(
        access: *mut isl_union_access_info,
    ) -> *mut isl_union_flow;
    pub fn isl_union_access_info_copy(
        access: *mut isl_union_access_info,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_free(
        access: *mut isl_union_access_info,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_from_sink(sink: *mut isl_union_map) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_kill(
        access: *mut isl_union_access_info,
        kill: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_may_source(
        access: *mut isl_union_access_info,
        may_source: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_must_source(
        access: *mut isl_union_access_info,
        must_source: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_schedule(
        access: *mut isl_union_access_info,
        schedule: *mut isl_schedule,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_schedule_map(
        access: *mut isl_union_access_info,
        schedule_map: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_to_str(access: *mut isl_union_access_info) -> *mut c_char;
    pub fn isl_union_flow_copy(flow: *mut isl_union_flow) -> *mut isl_union_flow;
    pub fn isl_union_flow_free(flow: *mut isl_union_flow) -> *mut isl_union_flow;
    pub fn isl_union_flow_get_full_may_dependence(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_full_must_dependence(flow: *mut isl_union_flow)
    -> *mut isl_union_map;
    pub fn isl_union_flow_get_may_dependence(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_may_no_source(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_must_dependence(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_must_no_source(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_to_str(flow: *mut isl_union_flow) -> *mut c_char;
    pub fn isl_union_map_add_map(umap: *mut isl_union_map, map: *mut isl_map)
    -> *mut isl_union_map;
    pub fn isl_union_map_affine_hull(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_align_params(
        umap: *mut isl_union_map,
        model: *mut isl_space,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_apply_domain(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_apply_range(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_as_map(umap: *mut isl_union_map) -> *mut isl_map;
    pub fn isl_union_map_as_multi_union_pw_aff(
        umap: *mut isl_union_map,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_union_map_as_union_pw_multi_aff(
        umap: *mut isl_union_map,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_map_coalesce(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_compute_divs(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_contains(umap: *mut isl_union_map, space: *mut isl_space) -> c_int;
    pub fn isl_union_map_copy(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_curry(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_deltas(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_deltas_map(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_detect_equalities(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_dim(umap: *mut isl_union_map, type_: c_uint) -> c_int;
    pub fn isl_union_map_domain(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_domain_factor_domain(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_domain_factor_range(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_domain_map(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_domain_product(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_domain_reverse(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_drop_unused_params(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_empty(space: *mut isl_space) -> *mut isl_union_map;
    pub fn isl_union_map_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_map;
    pub fn isl_union_map_eq_at_multi_union_pw_aff(
        umap: *mut isl_union_map,
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_extract_map(
        umap: *mut isl_union_map,
        space: *mut isl_space,
    ) -> *mut isl_map;
    pub fn isl_union_map_factor_domain(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_factor_range(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_fixed_power_val(
        umap: *mut isl_union_map,
        exp: *mut isl_val,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_flat_domain_product(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_flat_range_product(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_free(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_from_basic_map(bmap: *mut isl_basic_map) -> *mut isl_union_map;
    pub fn isl_union_map_from_domain(uset: *mut isl_union_set) -> *mut isl_union_map;
    pub fn isl_union_map_from_domain_and_range(
        domain: *mut isl_union_set,
        range: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_from_map(map: *mut isl_map) -> *mut isl_union_map;
    pub fn isl_union_map_from_multi_union_pw_aff(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_from_range(uset: *mut isl_union_set) -> *mut isl_union_map;
    pub fn isl_union_map_from_union_pw_aff(upa: *mut isl_union_pw_aff) -> *mut isl_union_map;
    pub fn isl_union_map_from_union_pw_multi_aff(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_get_map_list(umap: *mut isl_union_map) -> *mut isl_map_list;
    pub fn isl_union_map_get_space(umap: *mut isl_union_map) -> *mut isl_space;
    pub fn isl_union_map_gist(
        umap: *mut isl_union_map,
        context: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_gist_domain(
        umap: *mut isl_union_map,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_gist_params(
        umap: *mut isl_union_map,
        set: *mut isl_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_gist_range(
        umap: *mut isl_union_map,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_domain(
        umap: *mut isl_union_map,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_domain_factor_domain(
        umap: *mut isl_union_map,
        factor: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_domain_factor_range(
        umap: *mut isl_union_map,
        factor: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_domain_space(
        umap: *mut isl_union_map,
        space: *mut isl_space,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_params(
        umap: *mut isl_union_map,
        set: *mut isl_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_range(
        umap: *mut isl_union_map,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_range_factor_domain(
        umap: *mut isl_union_map,
        factor: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_range_factor_range(
        umap: *mut isl_union_map,
        factor: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_range_space(
        umap: *mut isl_union_map,
        space: *mut isl_space,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_involves_dims(
        umap: *mut isl_union_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> c_int;
    pub fn isl_union_map_is_bijective(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_disjoint(umap1: *mut isl_union_map, umap2: *mut isl_union_map)
    -> c_int;
    pub fn isl_union_map_is_empty(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_equal(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_identity(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_injective(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_single_valued(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_strict_subset(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> c_int;
    pub fn isl_union_map_is_subset(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_isa_map(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_lex_ge_at_multi_union_pw_aff(
        umap: *mut isl_union_map,
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_ge_union_map(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_gt_at_multi_union_pw_aff(
        umap: *mut isl_union_map,
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_gt_union_map(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_le_at_multi_union_pw_aff(
        umap: *mut isl_union_map,
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_le_union_map(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_lt_at_multi_union_pw_aff(
        umap: *mut isl_union_map,
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lex_lt_union_map(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_lexmax(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_lexmin(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_n_map(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_params(umap: *mut isl_union_map) -> *mut isl_set;
    pub fn isl_union_map_plain_is_empty(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_plain_is_injective(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_polyhedral_hull(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_domain_multi_aff(
        umap: *mut isl_union_map,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_domain_multi_pw_aff(
        umap: *mut isl_union_map,
        mpa: *mut isl_multi_pw_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_domain_pw_multi_aff(
        umap: *mut isl_union_map,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_domain_union_pw_multi_aff(
        umap: *mut isl_union_map,
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_range_multi_aff(
        umap: *mut isl_union_map,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_range_pw_multi_aff(
        umap: *mut isl_union_map,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_preimage_range_union_pw_multi_aff(
        umap: *mut isl_union_map,
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_product(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_project_out(
        umap: *mut isl_union_map,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_project_out_all_params(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_range(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_range_factor_domain(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_range_factor_range(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_range_map(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_range_product(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_range_reverse(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_read_from_str(ctx: *mut isl_ctx, str: *const c_char)
    -> *mut isl_union_map;
    pub fn isl_union_map_remove_divs(bmap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_remove_redundancies(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_reverse(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_sample(umap: *mut isl_union_map) -> *mut isl_basic_map;
    pub fn isl_union_map_simple_hull(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_subtract(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_subtract_domain(
        umap: *mut isl_union_map,
        dom: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_subtract_range(
        umap: *mut isl_union_map,
        dom: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_to_str(umap: *mut isl_union_map) -> *mut c_char;
    pub fn isl_union_map_uncurry(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_union(
        umap1: *mut isl_union_map,
        umap2: *mut isl_union_map,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_universe(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_wrap(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_zip(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_pw_aff_add(
        upa1: *mut isl_union_pw_aff,
        upa2: *mut isl_union_pw_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_add_pw_aff(
        upa: *mut isl_union_pw_aff,
        pa: *mut isl_pw_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_aff_on_domain(
        domain: *mut isl_union_set,
        aff: *mut isl_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_align_params(
        upa: *mut isl_union_pw_aff,
        model: *mut isl_space,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_coalesce(upa: *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_copy(upa: *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_dim(upa: *mut isl_union_pw_aff, type_: c_uint) -> c_int;
    pub fn isl_union_pw_aff_domain(upa: *mut isl_union_pw_aff) -> *mut isl_union_set;
    pub fn isl_union_pw_aff_empty(space: *mut isl_space) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_extract_pw_aff(
        upa: *mut isl_union_pw_aff,
        space: *mut isl_space,
    ) -> *mut isl_pw_aff;
    pub fn isl_union_pw_aff_floor(upa: *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_free(upa: *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_from_aff(aff: *mut isl_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_from_pw_aff(pa: *mut isl_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_get_pw_aff_list(upa: *mut isl_union_pw_aff) -> *mut isl_pw_aff_list;
    pub fn isl_union_pw_aff_get_space(upa: *mut isl_union_pw_aff) -> *mut isl_space;
    pub fn isl_union_pw_aff_gist(
        upa: *mut isl_union_pw_aff,
        context: *mut isl_union_set,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_gist_params(
        upa: *mut isl_union_pw_aff,
        context: *mut isl_set,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_intersect_domain(
        upa: *mut isl_union_pw_aff,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_intersect_params(
        upa: *mut isl_union_pw_aff,
        set: *mut isl_set,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_list_add(
        list: *mut isl_union_pw_aff_list,
        el: *mut isl_union_pw_aff,
    ) -> *mut isl_union_pw_aff_list;
    pub fn isl_union_pw_aff_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_union_pw_aff_list;
    pub fn isl_union_pw_aff_list_free(
        list: *mut isl_union_pw_aff_list,
    ) -> *mut isl_union_pw_aff_list;
    pub fn isl_union_pw_aff_list_get_at(
        list: *mut isl_union_pw_aff_list,
        index: c_int,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_list_size(list: *mut isl_union_pw_aff_list) -> c_int;
    pub fn isl_union_pw_aff_max_val(upa: *mut isl_union_pw_aff) -> *mut isl_val;
    pub fn isl_union_pw_aff_min_val(upa: *mut isl_union_pw_aff) -> *mut isl_val;
    pub fn isl_union_pw_aff_mod_val(
        upa: *mut isl_union_pw_aff,
        f: *mut isl_val,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_n_pw_aff(upa: *mut isl_union_pw_aff) -> c_int;
    pub fn isl_union_pw_aff_neg(upa: *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_param_on_domain_id(
        domain: *mut isl_union_set,
        id: *mut isl_id,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_plain_is_equal(
        upa1: *mut isl_union_pw_aff,
        upa2: *mut isl_union_pw_aff,
    ) -> c_int;
    pub fn isl_union_pw_aff_pullback_union_pw_multi_aff(
        upa: *mut isl_union_pw_aff,
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_pw_aff_on_domain(
        domain: *mut isl_union_set,
        pa: *mut isl_pw_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_read_from_str(
        ctx: *mut isl_ctx,
        str: *const c_char,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_scale_down_val(
        upa: *mut isl_union_pw_aff,
        v: *mut isl_val,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_scale_val(
        upa: *mut isl_union_pw_aff,
        v: *mut isl_val,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_sub(
        upa1: *mut isl_union_pw_aff,
        upa2: *mut isl_union_pw_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_subtract_domain(
        upa: *mut isl_union_pw_aff,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_to_str(upa: *mut isl_union_pw_aff) -> *mut c_char;
    pub fn isl_union_pw_aff_union_add(
        upa1: *mut isl_union_pw_aff,
        upa2: *mut isl_union_pw_aff,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_val_on_domain(
        domain: *mut isl_union_set,
        v: *mut isl_val,
    ) -> *mut isl_union_pw_aff;
    pub fn isl_union_pw_aff_zero_union_set(upa: *mut isl_union_pw_aff) -> *mut isl_union_set;
    pub fn isl_union_pw_multi_aff_add(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_add_pw_multi_aff(
        upma: *mut isl_union_pw_multi_aff,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_as_multi_union_pw_aff(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_multi_union_pw_aff;
    pub fn isl_union_pw_multi_aff_as_pw_multi_aff(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_as_union_map(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_map;
    pub fn isl_union_pw_multi_aff_coalesce(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_copy(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_domain(upma: *mut isl_union_pw_multi_aff) -> *mut isl_union_set;
    pub fn isl_union_pw_multi_aff_empty(space: *mut isl_space) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_extract_pw_multi_aff(
        upma: *mut isl_union_pw_multi_aff,
        space: *mut isl_space,
    ) -> *mut isl_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_flat_range_product(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_free(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_from_domain(
        uset: *mut isl_union_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_from_multi_aff(
        ma: *mut isl_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_from_multi_union_pw_aff(
        mupa: *mut isl_multi_union_pw_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_from_pw_multi_aff(
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_from_union_map(
        umap: *mut isl_union_map,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_from_union_set(
        uset: *mut isl_union_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_get_pw_multi_aff_list(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_pw_multi_aff_list;
    pub fn isl_union_pw_multi_aff_get_space(upma: *mut isl_union_pw_multi_aff) -> *mut isl_space;
    pub fn isl_union_pw_multi_aff_gist(
        upma: *mut isl_union_pw_multi_aff,
        context: *mut isl_union_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_gist_params(
        upma: *mut isl_union_pw_multi_aff,
        context: *mut isl_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_intersect_domain(
        upma: *mut isl_union_pw_multi_aff,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_intersect_params(
        upma: *mut isl_union_pw_multi_aff,
        set: *mut isl_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_neg(
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_plain_is_equal(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> c_int;
    pub fn isl_union_pw_multi_aff_pullback_union_pw_multi_aff(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_range_product(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_read_from_str(
        ctx: *mut isl_ctx,
        str: *const c_char,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_sub(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_subtract_domain(
        upma: *mut isl_union_pw_multi_aff,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_pw_multi_aff_to_str(upma: *mut isl_union_pw_multi_aff) -> *mut c_char;
    pub fn isl_union_pw_multi_aff_union_add(
        upma1: *mut isl_union_pw_multi_aff,
        upma2: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_pw_multi_aff;
    pub fn isl_union_set_add_set(uset: *mut isl_union_set, set: *mut isl_set)
    -> *mut isl_union_set;
    pub fn isl_union_set_affine_hull(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_align_params(
        uset: *mut isl_union_set,
        model: *mut isl_space,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_apply(
        uset: *mut isl_union_set,
        umap: *mut isl_union_map,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_as_set(uset: *mut isl_union_set) -> *mut isl_set;
    pub fn isl_union_set_coalesce(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_coefficients(bset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_compute_divs(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_contains(uset: *mut isl_union_set, space: *mut isl_space) -> c_int;
    pub fn isl_union_set_copy(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_detect_equalities(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_dim(uset: *mut isl_union_set, type_: c_uint) -> c_int;
    pub fn isl_union_set_drop_unused_params(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_empty(space: *mut isl_space) -> *mut isl_union_set;
    pub fn isl_union_set_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_set;
    pub fn isl_union_set_extract_set(
        uset: *mut isl_union_set,
        space: *mut isl_space,
    ) -> *mut isl_set;
    pub fn isl_union_set_free(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_from_basic_set(bset: *mut isl_basic_set) -> *mut isl_union_set;
    pub fn isl_union_set_from_point(pnt: *mut isl_point) -> *mut isl_union_set;
    pub fn isl_union_set_from_set(set: *mut isl_set) -> *mut isl_union_set;
    pub fn isl_union_set_get_basic_set_list(uset: *mut isl_union_set) -> *mut isl_basic_set_list;
    pub fn isl_union_set_get_set_list(uset: *mut isl_union_set) -> *mut isl_set_list;
    pub fn isl_union_set_get_space(uset: *mut isl_union_set) -> *mut isl_space;
    pub fn isl_union_set_gist(
        uset: *mut isl_union_set,
        context: *mut isl_union_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_gist_params(
        uset: *mut isl_union_set,
        set: *mut isl_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_identity(uset: *mut isl_union_set) -> *mut isl_union_map;
    pub fn isl_union_set_intersect(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_intersect_params(
        uset: *mut isl_union_set,
        set: *mut isl_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_is_disjoint(uset1: *mut isl_union_set, uset2: *mut isl_union_set)
    -> c_int;
    pub fn isl_union_set_is_empty(uset: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_is_equal(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_is_params(uset: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_is_strict_subset(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> c_int;
    pub fn isl_union_set_is_subset(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_isa_set(uset: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_lex_ge_union_set(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_set_lex_gt_union_set(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_set_lex_le_union_set(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_set_lex_lt_union_set(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_set_lexmax(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_lexmin(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_list_add(
        list: *mut isl_union_set_list,
        el: *mut isl_union_set,
    ) -> *mut isl_union_set_list;
    pub fn isl_union_set_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_union_set_list;
    pub fn isl_union_set_list_free(list: *mut isl_union_set_list) -> *mut isl_union_set_list;
    pub fn isl_union_set_list_get_at(
        list: *mut isl_union_set_list,
        index: c_int,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_list_size(list: *mut isl_union_set_list) -> c_int;
    pub fn isl_union_set_n_set(uset: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_params(uset: *mut isl_union_set) -> *mut isl_set;
    pub fn isl_union_set_polyhedral_hull(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_preimage_multi_aff(
        uset: *mut isl_union_set,
        ma: *mut isl_multi_aff,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_preimage_pw_multi_aff(
        uset: *mut isl_union_set,
        pma: *mut isl_pw_multi_aff,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_preimage_union_pw_multi_aff(
        uset: *mut isl_union_set,
        upma: *mut isl_union_pw_multi_aff,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_product(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_project_out(
        uset: *mut isl_union_set,
        type_: c_uint,
        first: c_uint,
        n: c_uint,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_project_out_all_params(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_read_from_str(ctx: *mut isl_ctx, str: *const c_char)
    -> *mut isl_union_set;
    pub fn isl_union_set_remove_divs(bset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_remove_redundancies(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_sample(uset: *mut isl_union_set) -> *mut isl_basic_set;
    pub fn isl_union_set_sample_point(uset: *mut isl_union_set) -> *mut isl_point;
    pub fn isl_union_set_simple_hull(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_solutions(bset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_subtract(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_to_str(uset: *mut isl_union_set) -> *mut c_char;
    pub fn isl_union_set_union(
        uset1: *mut isl_union_set,
        uset2: *mut isl_union_set,
    ) -> *mut isl_union_set;
    pub fn isl_union_set_universe(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_unwrap(uset: *mut isl_union_set) -> *mut isl_union_map;
    pub fn isl_union_set_wrapped_domain_map(uset: *mut isl_union_set) -> *mut isl_union_map;
    pub fn isl_val_abs(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_add(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_ceil(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_copy(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_div(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_eq(v1: *mut isl_val, v2: *mut isl_val) -> c_int;
    pub fn isl_val_floor(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_free(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_gcd(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_get_d(v: *mut isl_val) -> f64;
    pub fn isl_val_get_den_val(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_get_num_si(v: *mut isl_val) -> i64;
    pub fn isl_val_infty(ctx: *mut isl_ctx) -> *mut isl_val;
    pub fn isl_val_int_from_si(ctx: *mut isl_ctx, i: i64) -> *mut isl_val;
    pub fn isl_val_inv(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_is_divisible_by(v1: *mut isl_val, v2: *mut isl_val) -> c_int;
    pub fn isl_val_is_infty(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_int(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_nan(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_neg(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_neginfty(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_negone(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_nonneg(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_nonpos(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_one(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_pos(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_rat(v: *mut isl_val) -> c_int;
    pub fn isl_val_is_zero(v: *mut isl_val) -> c_int;
    pub fn isl_val_le(v1: *mut isl_val, v2: *mut isl_val) -> c_int;
    pub fn isl_val_list_add(list: *mut isl_val_list, el: *mut isl_val) -> *mut isl_val_list;
    pub fn isl_val_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_val_list;
    pub fn isl_val_list_free(list: *mut isl_val_list) -> *mut isl_val_list;
    pub fn isl_val_list_get_at(list: *mut isl_val_list, index: c_int) -> *mut isl_val;
    pub fn isl_val_list_size(list: *mut isl_val_list) -> c_int;
    pub fn isl_val_lt(v1: *mut isl_val, v2: *mut isl_val) -> c_int;
    pub fn isl_val_max(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_min(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_mod(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_mul(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_nan(ctx: *mut isl_ctx) -> *mut isl_val;
    pub fn isl_val_neg(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_neginfty(ctx: *mut isl_ctx) -> *mut isl_val;
    pub fn isl_val_negone(ctx: *mut isl_ctx) -> *mut isl_val;
    pub fn isl_val_one(ctx: *mut isl_ctx) -> *mut isl_val;
    pub fn isl_val_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_val;
    pub fn isl_val_sgn(v: *mut isl_val) -> c_int;
    pub fn isl_val_sub(v1: *mut isl_val, v2: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_to_str(v: *mut isl_val) -> *mut c_char;
    pub fn isl_val_trunc(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_zero(ctx: *mut isl_ctx) -> *mut isl_val;
}
