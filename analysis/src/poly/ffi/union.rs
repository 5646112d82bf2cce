//! Sets and maps of several spaces, and flow analysis.

use super::*;

functions! {
    isl_union_access_info_compute_flow(*mut isl_union_access_info) -> *mut isl_union_flow;
    isl_union_access_info_copy(*mut isl_union_access_info) -> *mut isl_union_access_info;
    isl_union_access_info_free(*mut isl_union_access_info) -> *mut isl_union_access_info;
    isl_union_access_info_from_sink(*mut isl_union_map) -> *mut isl_union_access_info;
    isl_union_access_info_set_may_source(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_set_must_source(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_set_schedule_map(
        *mut isl_union_access_info, *mut isl_union_map
    ) -> *mut isl_union_access_info;
    isl_union_access_info_to_str(*mut isl_union_access_info) -> *mut c_char;
    isl_union_flow_copy(*mut isl_union_flow) -> *mut isl_union_flow;
    isl_union_flow_free(*mut isl_union_flow) -> *mut isl_union_flow;
    isl_union_flow_get_full_may_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_may_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_may_no_source(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_must_dependence(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_get_must_no_source(*mut isl_union_flow) -> *mut isl_union_map;
    isl_union_flow_to_str(*mut isl_union_flow) -> *mut c_char;
    isl_union_map_align_params(*mut isl_union_map, *mut isl_space) -> *mut isl_union_map;
    isl_union_map_apply_domain(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_apply_range(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_as_map(*mut isl_union_map) -> *mut isl_map;
    isl_union_map_coalesce(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_compute_divs(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_contains(*mut isl_union_map, *mut isl_space) -> c_int;
    isl_union_map_copy(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_deltas(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_detect_equalities(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_dim(*mut isl_union_map, c_uint) -> c_int;
    isl_union_map_domain(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_empty(*mut isl_space) -> *mut isl_union_map;
    isl_union_map_extract_map(*mut isl_union_map, *mut isl_space) -> *mut isl_map;
    isl_union_map_flat_range_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_free(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_from_basic_map(*mut isl_basic_map) -> *mut isl_union_map;
    isl_union_map_from_domain(*mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_from_domain_and_range(
        *mut isl_union_set, *mut isl_union_set
    ) -> *mut isl_union_map;
    isl_union_map_from_multi_union_pw_aff(*mut isl_multi_union_pw_aff) -> *mut isl_union_map;
    isl_union_map_from_range(*mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_from_union_pw_aff(*mut isl_union_pw_aff) -> *mut isl_union_map;
    isl_union_map_get_map_list(*mut isl_union_map) -> *mut isl_map_list;
    isl_union_map_get_space(*mut isl_union_map) -> *mut isl_space;
    isl_union_map_gist(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_gist_params(*mut isl_union_map, *mut isl_set) -> *mut isl_union_map;
    isl_union_map_intersect(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_intersect_domain(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_intersect_params(*mut isl_union_map, *mut isl_set) -> *mut isl_union_map;
    isl_union_map_intersect_range(*mut isl_union_map, *mut isl_union_set) -> *mut isl_union_map;
    isl_union_map_involves_dims(*mut isl_union_map, c_uint, c_uint, c_uint) -> c_int;
    isl_union_map_is_bijective(*mut isl_union_map) -> c_int;
    isl_union_map_is_disjoint(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_is_empty(*mut isl_union_map) -> c_int;
    isl_union_map_is_equal(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_is_single_valued(*mut isl_union_map) -> c_int;
    isl_union_map_is_subset(*mut isl_union_map, *mut isl_union_map) -> c_int;
    isl_union_map_lex_lt_at_multi_union_pw_aff(
        *mut isl_union_map, *mut isl_multi_union_pw_aff
    ) -> *mut isl_union_map;
    isl_union_map_lex_lt_union_map(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lexmax(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_lexmin(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_params(*mut isl_union_map) -> *mut isl_set;
    isl_union_map_product(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_project_out(*mut isl_union_map, c_uint, c_uint, c_uint) -> *mut isl_union_map;
    isl_union_map_project_out_all_params(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_range(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_read_from_str(*mut isl_ctx, *const c_char) -> *mut isl_union_map;
    isl_union_map_remove_divs(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_remove_redundancies(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_reverse(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_sample(*mut isl_union_map) -> *mut isl_basic_map;
    isl_union_map_simple_hull(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_subtract(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_to_str(*mut isl_union_map) -> *mut c_char;
    isl_union_map_union(*mut isl_union_map, *mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_universe(*mut isl_union_map) -> *mut isl_union_map;
    isl_union_map_wrap(*mut isl_union_map) -> *mut isl_union_set;
    isl_union_map_zip(*mut isl_union_map) -> *mut isl_union_map;
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
    isl_union_set_extract_set(*mut isl_union_set, *mut isl_space) -> *mut isl_set;
    isl_union_set_free(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_get_hash(*mut isl_union_set) -> u32;
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
    isl_union_set_is_subset(*mut isl_union_set, *mut isl_union_set) -> c_int;
    isl_union_set_lexmax(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_lexmin(*mut isl_union_set) -> *mut isl_union_set;
    isl_union_set_list_add(*mut isl_union_set_list, *mut isl_union_set) -> *mut isl_union_set_list;
    isl_union_set_list_alloc(*mut isl_ctx, c_int) -> *mut isl_union_set_list;
    isl_union_set_list_free(*mut isl_union_set_list) -> *mut isl_union_set_list;
    isl_union_set_list_get_at(*mut isl_union_set_list, c_int) -> *mut isl_union_set;
    isl_union_set_list_size(*mut isl_union_set_list) -> c_int;
    isl_union_set_n_set(*mut isl_union_set) -> c_int;
    isl_union_set_params(*mut isl_union_set) -> *mut isl_set;
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
}
