//! Functions on several spaces.

use super::*;

functions! {
    isl_multi_union_pw_aff_add(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_align_params(
        *mut isl_multi_union_pw_aff, *mut isl_space
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_coalesce(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_copy(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_dim(*mut isl_multi_union_pw_aff, c_uint) -> c_int;
    isl_multi_union_pw_aff_domain(*mut isl_multi_union_pw_aff) -> *mut isl_union_set;
    isl_multi_union_pw_aff_drop_dims(
        *mut isl_multi_union_pw_aff, c_uint, c_uint, c_uint
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_flat_range_product(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_floor(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_free(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_map(*mut isl_union_map) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_pw_aff(*mut isl_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_from_union_pw_aff_list(
        *mut isl_space, *mut isl_union_pw_aff_list
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
    isl_multi_union_pw_aff_neg(*mut isl_multi_union_pw_aff) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_plain_is_equal(
        *mut isl_multi_union_pw_aff, *mut isl_multi_union_pw_aff
    ) -> c_int;
    isl_multi_union_pw_aff_read_from_str(
        *mut isl_ctx, *const c_char
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_reset_tuple_id(
        *mut isl_multi_union_pw_aff, c_uint
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_scale_down_val(
        *mut isl_multi_union_pw_aff, *mut isl_val
    ) -> *mut isl_multi_union_pw_aff;
    isl_multi_union_pw_aff_scale_val(
        *mut isl_multi_union_pw_aff, *mut isl_val
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
    isl_union_pw_aff_add(*mut isl_union_pw_aff, *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_add_pw_aff(*mut isl_union_pw_aff, *mut isl_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_align_params(*mut isl_union_pw_aff, *mut isl_space) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_coalesce(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_copy(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_dim(*mut isl_union_pw_aff, c_uint) -> c_int;
    isl_union_pw_aff_drop_unused_params(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_domain(*mut isl_union_pw_aff) -> *mut isl_union_set;
    isl_union_pw_aff_empty(*mut isl_space) -> *mut isl_union_pw_aff;
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
    isl_union_pw_aff_neg(*mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_param_on_domain_id(*mut isl_union_set, *mut isl_id) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_plain_is_equal(*mut isl_union_pw_aff, *mut isl_union_pw_aff) -> c_int;
    isl_union_pw_aff_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_scale_down_val(*mut isl_union_pw_aff, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_scale_val(*mut isl_union_pw_aff, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_sub(*mut isl_union_pw_aff, *mut isl_union_pw_aff) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_to_str(*mut isl_union_pw_aff) -> *mut c_char;
    isl_union_pw_aff_union_add(
        *mut isl_union_pw_aff, *mut isl_union_pw_aff
    ) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_val_on_domain(*mut isl_union_set, *mut isl_val) -> *mut isl_union_pw_aff;
    isl_union_pw_aff_zero_union_set(*mut isl_union_pw_aff) -> *mut isl_union_set;
    isl_union_pw_multi_aff_add(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_as_pw_multi_aff(*mut isl_union_pw_multi_aff) -> *mut isl_pw_multi_aff;
    isl_union_pw_multi_aff_coalesce(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_copy(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_domain(*mut isl_union_pw_multi_aff) -> *mut isl_union_set;
    isl_union_pw_multi_aff_empty(*mut isl_space) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_flat_range_product(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_free(*mut isl_union_pw_multi_aff) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_domain(*mut isl_union_set) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_multi_union_pw_aff(
        *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_from_union_map(*mut isl_union_map) -> *mut isl_union_pw_multi_aff;
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
    isl_union_pw_multi_aff_read_from_str(
        *mut isl_ctx, *const c_char
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_sub(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
    isl_union_pw_multi_aff_to_str(*mut isl_union_pw_multi_aff) -> *mut c_char;
    isl_union_pw_multi_aff_union_add(
        *mut isl_union_pw_multi_aff, *mut isl_union_pw_multi_aff
    ) -> *mut isl_union_pw_multi_aff;
}
