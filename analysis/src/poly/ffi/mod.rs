//! The part of isl's C interface that [`poly`](super) uses; the only declarations of it.
//!
//! `isl-rs` builds the library and links it; nothing else of that crate is used. Pointers to
//! objects are `__isl_take`, `__isl_keep` or `__isl_give` as isl's headers say; `isl_bool`,
//! `isl_size` and `isl_stat` are `c_int` with -1 for an error.

#![allow(non_camel_case_types, non_upper_case_globals, missing_docs)]

use std::ffi::{c_char, c_int, c_uint, c_void};

extern crate isl_rs as _;

pub const ISL_ON_ERROR_CONTINUE: c_int = 1;
pub const isl_error_alloc: c_uint = 2;
pub const isl_error_internal: c_uint = 4;
pub const isl_error_invalid: c_uint = 5;
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

mod aff;
mod ast;
mod base;
mod map;
mod multi;
mod pw;
mod schedule;
mod set;
mod union;
mod union_pw;

pub use aff::*;
pub use ast::*;
pub use base::*;
pub use map::*;
pub use multi::*;
pub use pw::*;
pub use schedule::*;
pub use set::*;
pub use union::*;
pub use union_pw::*;
