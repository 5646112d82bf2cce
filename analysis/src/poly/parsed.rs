//! What a context has read from text: the same text is the same object.
//!
//! The model writes small relations as text, above all the times of instructions, and asks for most of them many times.
//! isl's objects are immutable values, so a copy is a reference count.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::NonNull;

/// Releases one reference to an object.
type Release = unsafe fn(*mut c_void);

/// The objects of one context, by type and text. They hold no reference to their context: it owns them.
#[derive(Debug, Default)]
pub(super) struct Parsed(RefCell<HashMap<&'static str, HashMap<Box<str>, Object>>>);

#[derive(Debug)]
struct Object {
    raw: NonNull<c_void>,
    release: Release,
}

impl Parsed {
    /// The object of a type that a text stands for.
    pub(super) fn get(&self, ty: &'static str, text: &str) -> Option<NonNull<c_void>> {
        let known = self.0.borrow();
        known.get(ty)?.get(text).map(|o| o.raw)
    }

    /// Remembers an object.
    ///
    /// # Safety
    /// `raw` is a reference of the context that owns this, which nobody else releases, to an object of the type; `release` releases it.
    pub(super) unsafe fn keep(
        &self,
        ty: &'static str,
        text: &str,
        raw: *mut c_void,
        release: Release,
    ) {
        let raw = NonNull::new(raw).expect("an object");
        let mut known = self.0.borrow_mut();
        let of_type = known.entry(ty).or_default();
        of_type.insert(text.into(), Object { raw, release });
    }

    /// Releases everything.
    pub(super) fn forget(&mut self) {
        for (_, of_type) in self.0.get_mut().drain() {
            for (_, object) in of_type {
                // SAFETY: the promise of `keep`; released once.
                unsafe { (object.release)(object.raw.as_ptr()) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::poly::{Ctx, Set, UnionSet};

    #[test]
    fn a_text_is_read_once_for_each_type() {
        let ctx = Ctx::new();
        let text = "[n] -> { S[i] : 0 <= i < n }";
        let first = Set::parse(&ctx, text).unwrap();
        let less = first
            .subtract(&Set::parse(&ctx, "[n] -> { S[3] }").unwrap())
            .unwrap();
        assert!(!less.is_equal(&first).unwrap());
        drop(first);
        let again = Set::parse(&ctx, text).unwrap();
        assert_eq!(again.to_string(), text);
        assert_eq!(UnionSet::parse(&ctx, text).unwrap().n_set(), 1);
        assert!(Set::parse(&ctx, "{ S[i] :").is_err());
        assert!(Set::parse(&ctx, "{ S[i] :").is_err());
    }

    #[test]
    fn objects_outlive_the_handle_of_their_context() {
        let set = Set::parse(&Ctx::new(), "{ S[i] : 0 <= i < 4 }").unwrap();
        assert!(!set.is_empty().unwrap());
    }
}
