//! Affine functions.

use super::*;

functions! {
    isl_aff_add(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_add_constant_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_add_dims(*mut isl_aff, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_align_params(*mut isl_aff, *mut isl_space) -> *mut isl_aff;
    isl_aff_ceil(*mut isl_aff) -> *mut isl_aff;
    isl_aff_copy(*mut isl_aff) -> *mut isl_aff;
    isl_aff_dim(*mut isl_aff, c_uint) -> c_int;
    isl_aff_drop_dims(*mut isl_aff, c_uint, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_eq_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_eval(*mut isl_aff, *mut isl_point) -> *mut isl_val;
    isl_aff_floor(*mut isl_aff) -> *mut isl_aff;
    isl_aff_free(*mut isl_aff) -> *mut isl_aff;
    isl_aff_ge_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_get_coefficient_val(*mut isl_aff, c_uint, c_int) -> *mut isl_val;
    isl_aff_get_constant_val(*mut isl_aff) -> *mut isl_val;
    isl_aff_get_denominator_val(*mut isl_aff) -> *mut isl_val;
    isl_aff_get_dim_name(*mut isl_aff, c_uint, c_uint) -> *const c_char;
    isl_aff_get_domain_space(*mut isl_aff) -> *mut isl_space;
    isl_aff_get_space(*mut isl_aff) -> *mut isl_space;
    isl_aff_gist(*mut isl_aff, *mut isl_set) -> *mut isl_aff;
    isl_aff_gist_params(*mut isl_aff, *mut isl_set) -> *mut isl_aff;
    isl_aff_gt_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_insert_dims(*mut isl_aff, c_uint, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_involves_dims(*mut isl_aff, c_uint, c_uint, c_uint) -> c_int;
    isl_aff_involves_locals(*mut isl_aff) -> c_int;
    isl_aff_is_cst(*mut isl_aff) -> c_int;
    isl_aff_is_nan(*mut isl_aff) -> c_int;
    isl_aff_le_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_list_add(*mut isl_aff_list, *mut isl_aff) -> *mut isl_aff_list;
    isl_aff_list_alloc(*mut isl_ctx, c_int) -> *mut isl_aff_list;
    isl_aff_list_free(*mut isl_aff_list) -> *mut isl_aff_list;
    isl_aff_list_get_at(*mut isl_aff_list, c_int) -> *mut isl_aff;
    isl_aff_list_size(*mut isl_aff_list) -> c_int;
    isl_aff_lt_set(*mut isl_aff, *mut isl_aff) -> *mut isl_set;
    isl_aff_mod_val(*mut isl_aff, *mut isl_val) -> *mut isl_aff;
    isl_aff_move_dims(*mut isl_aff, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_aff;
    isl_aff_mul(*mut isl_aff, *mut isl_aff) -> *mut isl_aff;
    isl_aff_neg(*mut isl_aff) -> *mut isl_aff;
    isl_aff_param_on_domain_space_id(*mut isl_space, *mut isl_id) -> *mut isl_aff;
    isl_aff_plain_is_equal(*mut isl_aff, *mut isl_aff) -> c_int;
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
    isl_aff_var_on_domain(*mut isl_local_space, c_uint, c_uint) -> *mut isl_aff;
}
