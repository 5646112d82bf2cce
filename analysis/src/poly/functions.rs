//! Relations as functions: what a context was asked about a map is known the next time.
//!
//! Subscripts are read off the access relation of a reference again and again, for each candidate and each size. Divisions and
//! remainders in them make that long: of a grid with periodic borders it was two thirds of all work.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ptr::NonNull;

use super::handle::{Handle, InCtx, owned};
use super::{Map, PwMultiAff, Result, ffi};

/// The functions of maps of one context, and which maps are some. They hold no reference to their context: it owns them. A reference
/// to the map keeps its address from being that of another one.
#[derive(Debug, Default)]
pub(super) struct Functions {
    known: RefCell<HashMap<NonNull<ffi::isl_map>, NonNull<ffi::isl_pw_multi_aff>>>,
    single: RefCell<HashMap<NonNull<ffi::isl_map>, bool>>,
}

impl Functions {
    /// Releases everything.
    pub(super) fn forget(&mut self) {
        for (map, function) in self.known.get_mut().drain() {
            // SAFETY: one reference to each, released once.
            unsafe {
                ffi::isl_map_free(map.as_ptr());
                ffi::isl_pw_multi_aff_free(function.as_ptr());
            }
        }
        for (map, _) in self.single.get_mut().drain() {
            // SAFETY: one reference, released once.
            unsafe { ffi::isl_map_free(map.as_ptr()) };
        }
    }
}

impl Map {
    /// As a function; the caller knows that it is one.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn as_pw_multi_aff(&self) -> Result<PwMultiAff> {
        let ctx = self.in_ctx();
        let address = NonNull::new(self.as_ptr()).expect("an object");
        let known = ctx.functions().known.borrow().get(&address).copied();
        if let Some(known) = known {
            // SAFETY: alive, as the context owns it; the copy is a reference of its own.
            return unsafe {
                PwMultiAff::from_raw(ctx, ffi::isl_pw_multi_aff_copy(known.as_ptr()))
            };
        }
        let function = self.to_pw_multi_aff()?;
        let kept = owned(&function);
        let map = owned(self);
        ctx.functions().known.borrow_mut().insert(map, kept);
        Ok(function)
    }

    /// Whether it is a function.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn is_function(&self) -> Result<bool> {
        let functions = self.in_ctx().functions();
        let address = NonNull::new(self.as_ptr()).expect("an object");
        if functions.known.borrow().contains_key(&address) {
            return Ok(true);
        }
        let asked = functions.single.borrow().get(&address).copied();
        if let Some(answer) = asked {
            return Ok(answer);
        }
        let answer = self.is_single_valued()?;
        let map = owned(self);
        functions.single.borrow_mut().insert(map, answer);
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use crate::poly::{Ctx, Map};

    #[test]
    fn a_map_is_the_same_function_when_it_is_asked_again() {
        let map = Map::parse(&Ctx::new(), "{ S[i] -> A[(i + 1) mod 4, 2i] }").unwrap();
        assert!(map.is_function().unwrap() && map.is_function().unwrap());
        let relation = Map::parse(map.ctx(), "{ S[i] -> A[j] : i <= j <= i + 1 }").unwrap();
        assert!(!relation.is_function().unwrap() && !relation.is_function().unwrap());
        let first = map.as_pw_multi_aff().unwrap();
        let again = map.as_pw_multi_aff().unwrap();
        assert!(first.plain_is_equal(&again).unwrap());
        let less = map
            .subtract(&Map::parse(map.ctx(), "{ S[i] -> A[j, k] : i < 0 }").unwrap())
            .unwrap();
        let other = less.as_pw_multi_aff().unwrap();
        assert!(!first.plain_is_equal(&other).unwrap());
        assert_eq!(
            other.to_string(),
            less.as_pw_multi_aff().unwrap().to_string()
        );
    }
}
