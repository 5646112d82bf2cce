//! Tuples of functions.

use super::*;

functions! {
    isl_multi_aff_add(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_add_constant_val(*mut isl_multi_aff, *mut isl_val) -> *mut isl_multi_aff;
    isl_multi_aff_add_dims(*mut isl_multi_aff, c_uint, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_align_params(*mut isl_multi_aff, *mut isl_space) -> *mut isl_multi_aff;
    isl_multi_aff_as_map(*mut isl_multi_aff) -> *mut isl_map;
    isl_multi_aff_as_set(*mut isl_multi_aff) -> *mut isl_set;
    isl_multi_aff_copy(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_dim(*mut isl_multi_aff, c_uint) -> c_int;
    isl_multi_aff_drop_dims(*mut isl_multi_aff, c_uint, c_uint, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_flat_range_product(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_floor(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_free(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_from_aff(*mut isl_aff) -> *mut isl_multi_aff;
    isl_multi_aff_get_at(*mut isl_multi_aff, c_int) -> *mut isl_aff;
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
    isl_multi_aff_move_dims(
        *mut isl_multi_aff, c_uint, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_multi_aff;
    isl_multi_aff_neg(*mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_plain_is_equal(*mut isl_multi_aff, *mut isl_multi_aff) -> c_int;
    isl_multi_aff_product(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
    isl_multi_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_multi_aff;
    isl_multi_aff_reset_tuple_id(*mut isl_multi_aff, c_uint) -> *mut isl_multi_aff;
    isl_multi_aff_scale_down_val(*mut isl_multi_aff, *mut isl_val) -> *mut isl_multi_aff;
    isl_multi_aff_scale_val(*mut isl_multi_aff, *mut isl_val) -> *mut isl_multi_aff;
    isl_multi_aff_set_dim_id(*mut isl_multi_aff, c_uint, c_uint, *mut isl_id) -> *mut isl_multi_aff;
    isl_multi_aff_set_tuple_id(*mut isl_multi_aff, c_uint, *mut isl_id) -> *mut isl_multi_aff;
    isl_multi_aff_size(*mut isl_multi_aff) -> c_int;
    isl_multi_aff_sub(*mut isl_multi_aff, *mut isl_multi_aff) -> *mut isl_multi_aff;
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
    isl_multi_pw_aff_from_pw_aff(*mut isl_pw_aff) -> *mut isl_multi_pw_aff;
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
    isl_multi_pw_aff_pullback_pw_multi_aff(
        *mut isl_multi_pw_aff, *mut isl_pw_multi_aff
    ) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_reset_tuple_id(*mut isl_multi_pw_aff, c_uint) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_scale_down_val(*mut isl_multi_pw_aff, *mut isl_val) -> *mut isl_multi_pw_aff;
    isl_multi_pw_aff_scale_val(*mut isl_multi_pw_aff, *mut isl_val) -> *mut isl_multi_pw_aff;
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
    isl_multi_val_add(*mut isl_multi_val, *mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_copy(*mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_free(*mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_from_val_list(*mut isl_space, *mut isl_val_list) -> *mut isl_multi_val;
    isl_multi_val_get_at(*mut isl_multi_val, c_int) -> *mut isl_val;
    isl_multi_val_get_space(*mut isl_multi_val) -> *mut isl_space;
    isl_multi_val_neg(*mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_plain_is_equal(*mut isl_multi_val, *mut isl_multi_val) -> c_int;
    isl_multi_val_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_multi_val;
    isl_multi_val_size(*mut isl_multi_val) -> c_int;
    isl_multi_val_sub(*mut isl_multi_val, *mut isl_multi_val) -> *mut isl_multi_val;
    isl_multi_val_to_str(*mut isl_multi_val) -> *mut c_char;
    isl_multi_val_zero(*mut isl_space) -> *mut isl_multi_val;
}
