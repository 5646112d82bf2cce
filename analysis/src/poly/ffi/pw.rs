//! Piecewise functions.

use super::*;

functions! {
    isl_pw_aff_add(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_add_constant_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_add_dims(*mut isl_pw_aff, c_uint, c_uint) -> *mut isl_pw_aff;
    isl_pw_aff_align_params(*mut isl_pw_aff, *mut isl_space) -> *mut isl_pw_aff;
    isl_pw_aff_as_aff(*mut isl_pw_aff) -> *mut isl_aff;
    isl_pw_aff_as_map(*mut isl_pw_aff) -> *mut isl_map;
    isl_pw_aff_ceil(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_coalesce(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_cond(*mut isl_pw_aff, *mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_copy(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_dim(*mut isl_pw_aff, c_uint) -> c_int;
    isl_pw_aff_domain(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_drop_dims(*mut isl_pw_aff, c_uint, c_uint, c_uint) -> *mut isl_pw_aff;
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
    isl_pw_aff_is_cst(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_is_empty(*mut isl_pw_aff) -> c_int;
    isl_pw_aff_is_equal(*mut isl_pw_aff, *mut isl_pw_aff) -> c_int;
    isl_pw_aff_isa_aff(*mut isl_pw_aff) -> c_int;
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
    isl_pw_aff_neg(*mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_param_on_domain_id(*mut isl_set, *mut isl_id) -> *mut isl_pw_aff;
    isl_pw_aff_params(*mut isl_pw_aff) -> *mut isl_set;
    isl_pw_aff_plain_is_equal(*mut isl_pw_aff, *mut isl_pw_aff) -> c_int;
    isl_pw_aff_pullback_pw_multi_aff(*mut isl_pw_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_aff;
    isl_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_pw_aff;
    isl_pw_aff_scale_down_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_scale_val(*mut isl_pw_aff, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_set_dim_id(*mut isl_pw_aff, c_uint, c_uint, *mut isl_id) -> *mut isl_pw_aff;
    isl_pw_aff_set_tuple_id(*mut isl_pw_aff, c_uint, *mut isl_id) -> *mut isl_pw_aff;
    isl_pw_aff_sub(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_to_str(*mut isl_pw_aff) -> *mut c_char;
    isl_pw_aff_union_add(*mut isl_pw_aff, *mut isl_pw_aff) -> *mut isl_pw_aff;
    isl_pw_aff_val_on_domain(*mut isl_set, *mut isl_val) -> *mut isl_pw_aff;
    isl_pw_aff_var_on_domain(*mut isl_local_space, c_uint, c_uint) -> *mut isl_pw_aff;
    isl_pw_multi_aff_add(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_align_params(*mut isl_pw_multi_aff, *mut isl_space) -> *mut isl_pw_multi_aff;
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
    isl_pw_multi_aff_from_multi_aff(*mut isl_multi_aff) -> *mut isl_pw_multi_aff;
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
    isl_pw_multi_aff_from_pw_aff(*mut isl_pw_aff) -> *mut isl_pw_multi_aff;
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
    isl_pw_multi_aff_n_piece(*mut isl_pw_multi_aff) -> c_int;
    isl_pw_multi_aff_neg(*mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_plain_is_equal(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> c_int;
    isl_pw_multi_aff_product(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_pullback_pw_multi_aff(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_reset_tuple_id(*mut isl_pw_multi_aff, c_uint) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_scale_down_val(*mut isl_pw_multi_aff, *mut isl_val) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_scale_val(*mut isl_pw_multi_aff, *mut isl_val) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_set_tuple_id(
        *mut isl_pw_multi_aff, c_uint, *mut isl_id
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_sub(*mut isl_pw_multi_aff, *mut isl_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_to_str(*mut isl_pw_multi_aff) -> *mut c_char;
    isl_pw_multi_aff_union_add(
        *mut isl_pw_multi_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_pw_multi_aff;
    isl_pw_multi_aff_zero(*mut isl_space) -> *mut isl_pw_multi_aff;
}
