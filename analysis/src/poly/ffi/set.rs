//! Sets.

use super::*;

functions! {
    isl_basic_set_add_constraint(*mut isl_basic_set, *mut isl_constraint) -> *mut isl_basic_set;
    isl_basic_set_add_dims(*mut isl_basic_set, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_set_align_params(*mut isl_basic_set, *mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_apply(*mut isl_basic_set, *mut isl_basic_map) -> *mut isl_basic_set;
    isl_basic_set_coefficients(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_compute_divs(*mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_copy(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_detect_equalities(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_dim(*mut isl_basic_set, c_uint) -> c_int;
    isl_basic_set_dim_max_val(*mut isl_basic_set, c_int) -> *mut isl_val;
    isl_basic_set_empty(*mut isl_space) -> *mut isl_basic_set;
    isl_basic_set_equalities_matrix(
        *mut isl_basic_set, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_mat;
    isl_basic_set_fix_val(*mut isl_basic_set, c_uint, c_uint, *mut isl_val) -> *mut isl_basic_set;
    isl_basic_set_flatten(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_free(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_from_constraint_matrices(
        *mut isl_space, *mut isl_mat, *mut isl_mat, c_uint, c_uint, c_uint, c_uint
    ) -> *mut isl_basic_set;
    isl_basic_set_from_params(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_get_constraint_list(*mut isl_basic_set) -> *mut isl_constraint_list;
    isl_basic_set_get_dim_name(*mut isl_basic_set, c_uint, c_uint) -> *const c_char;
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
    isl_basic_set_is_wrapping(*mut isl_basic_set) -> c_int;
    isl_basic_set_lexmax(*mut isl_basic_set) -> *mut isl_set;
    isl_basic_set_lexmin(*mut isl_basic_set) -> *mut isl_set;
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
    isl_basic_set_neg(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_params(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_plain_is_equal(*mut isl_basic_set, *mut isl_basic_set) -> c_int;
    isl_basic_set_plain_is_universe(*mut isl_basic_set) -> c_int;
    isl_basic_set_project_out(*mut isl_basic_set, c_uint, c_uint, c_uint) -> *mut isl_basic_set;
    isl_basic_set_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_basic_set;
    isl_basic_set_remove_divs(*mut isl_basic_set) -> *mut isl_basic_set;
    isl_basic_set_remove_redundancies(*mut isl_basic_set) -> *mut isl_basic_set;
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
    isl_set_add_constraint(*mut isl_set, *mut isl_constraint) -> *mut isl_set;
    isl_set_add_dims(*mut isl_set, c_uint, c_uint) -> *mut isl_set;
    isl_set_align_params(*mut isl_set, *mut isl_space) -> *mut isl_set;
    isl_set_apply(*mut isl_set, *mut isl_map) -> *mut isl_set;
    isl_set_as_pw_multi_aff(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_set_coalesce(*mut isl_set) -> *mut isl_set;
    isl_set_coefficients(*mut isl_set) -> *mut isl_basic_set;
    isl_set_complement(*mut isl_set) -> *mut isl_set;
    isl_set_compute_divs(*mut isl_set) -> *mut isl_set;
    isl_set_copy(*mut isl_set) -> *mut isl_set;
    isl_set_detect_equalities(*mut isl_set) -> *mut isl_set;
    isl_set_dim(*mut isl_set, c_uint) -> c_int;
    isl_set_dim_has_lower_bound(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_has_upper_bound(*mut isl_set, c_uint, c_uint) -> c_int;
    isl_set_dim_max(*mut isl_set, c_int) -> *mut isl_pw_aff;
    isl_set_dim_max_val(*mut isl_set, c_int) -> *mut isl_val;
    isl_set_dim_min(*mut isl_set, c_int) -> *mut isl_pw_aff;
    isl_set_dim_min_val(*mut isl_set, c_int) -> *mut isl_val;
    isl_set_drop_constraints_involving_dims(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_empty(*mut isl_space) -> *mut isl_set;
    isl_set_equate(*mut isl_set, c_uint, c_int, c_uint, c_int) -> *mut isl_set;
    isl_set_fix_val(*mut isl_set, c_uint, c_uint, *mut isl_val) -> *mut isl_set;
    isl_set_flatten(*mut isl_set) -> *mut isl_set;
    isl_set_foreach_point(
        *mut isl_set,
        Option<unsafe extern "C" fn(*mut isl_point, *mut c_void) -> c_int>,
        *mut c_void
    ) -> c_int;
    isl_set_free(*mut isl_set) -> *mut isl_set;
    isl_set_from_params(*mut isl_set) -> *mut isl_set;
    isl_set_from_pw_aff(*mut isl_pw_aff) -> *mut isl_set;
    isl_set_get_basic_set_list(*mut isl_set) -> *mut isl_basic_set_list;
    isl_set_get_dim_name(*mut isl_set, c_uint, c_uint) -> *const c_char;
    isl_set_get_space(*mut isl_set) -> *mut isl_space;
    isl_set_get_stride(*mut isl_set, c_int) -> *mut isl_val;
    isl_set_get_tuple_name(*mut isl_set) -> *const c_char;
    isl_set_gist(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_gist_params(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_identity(*mut isl_set) -> *mut isl_map;
    isl_set_insert_dims(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_insert_domain(*mut isl_set, *mut isl_space) -> *mut isl_map;
    isl_set_intersect(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_intersect_params(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_involves_dims(*mut isl_set, c_uint, c_uint, c_uint) -> c_int;
    isl_set_involves_locals(*mut isl_set) -> c_int;
    isl_set_is_bounded(*mut isl_set) -> c_int;
    isl_set_is_disjoint(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_empty(*mut isl_set) -> c_int;
    isl_set_is_equal(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_params(*mut isl_set) -> c_int;
    isl_set_is_singleton(*mut isl_set) -> c_int;
    isl_set_is_subset(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_is_wrapping(*mut isl_set) -> c_int;
    isl_set_lexmax(*mut isl_set) -> *mut isl_set;
    isl_set_lexmax_pw_multi_aff(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_set_lexmin(*mut isl_set) -> *mut isl_set;
    isl_set_lexmin_pw_multi_aff(*mut isl_set) -> *mut isl_pw_multi_aff;
    isl_set_list_add(*mut isl_set_list, *mut isl_set) -> *mut isl_set_list;
    isl_set_list_alloc(*mut isl_ctx, c_int) -> *mut isl_set_list;
    isl_set_list_free(*mut isl_set_list) -> *mut isl_set_list;
    isl_set_list_get_at(*mut isl_set_list, c_int) -> *mut isl_set;
    isl_set_list_size(*mut isl_set_list) -> c_int;
    isl_set_get_hash(*mut isl_set) -> u32;
    isl_set_lower_bound_val(*mut isl_set, c_uint, c_uint, *mut isl_val) -> *mut isl_set;
    isl_set_upper_bound_val(*mut isl_set, c_uint, c_uint, *mut isl_val) -> *mut isl_set;
    isl_set_max_val(*mut isl_set, *mut isl_aff) -> *mut isl_val;
    isl_set_min_val(*mut isl_set, *mut isl_aff) -> *mut isl_val;
    isl_set_eliminate(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_move_dims(*mut isl_set, c_uint, c_uint, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_n_basic_set(*mut isl_set) -> c_int;
    isl_set_neg(*mut isl_set) -> *mut isl_set;
    isl_set_params(*mut isl_set) -> *mut isl_set;
    isl_set_plain_get_val_if_fixed(*mut isl_set, c_uint, c_uint) -> *mut isl_val;
    isl_set_plain_is_equal(*mut isl_set, *mut isl_set) -> c_int;
    isl_set_plain_is_universe(*mut isl_set) -> c_int;
    isl_set_product(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_project_out(*mut isl_set, c_uint, c_uint, c_uint) -> *mut isl_set;
    isl_set_project_out_all_params(*mut isl_set) -> *mut isl_set;
    isl_set_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_set;
    isl_set_remove_divs(*mut isl_set) -> *mut isl_set;
    isl_set_remove_unknown_divs(*mut isl_set) -> *mut isl_set;
    isl_set_remove_redundancies(*mut isl_set) -> *mut isl_set;
    isl_set_reset_tuple_id(*mut isl_set) -> *mut isl_set;
    isl_set_sample(*mut isl_set) -> *mut isl_basic_set;
    isl_set_sample_point(*mut isl_set) -> *mut isl_point;
    isl_set_set_dim_id(*mut isl_set, c_uint, c_uint, *mut isl_id) -> *mut isl_set;
    isl_set_set_tuple_id(*mut isl_set, *mut isl_id) -> *mut isl_set;
    isl_set_simple_hull(*mut isl_set) -> *mut isl_basic_set;
    isl_set_solutions(*mut isl_set) -> *mut isl_basic_set;
    isl_set_subtract(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_sum(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_to_str(*mut isl_set) -> *mut c_char;
    isl_set_to_union_set(*mut isl_set) -> *mut isl_union_set;
    isl_set_tuple_dim(*mut isl_set) -> c_int;
    isl_set_union(*mut isl_set, *mut isl_set) -> *mut isl_set;
    isl_set_universe(*mut isl_space) -> *mut isl_set;
    isl_set_unwrap(*mut isl_set) -> *mut isl_map;
}
