//! The ends of dimensions: what a context was asked about a set is known the next time.
//!
//! Typical sizes are chosen for each candidate and once more for the original, from the same facts about the parameters. Each end is an
//! integer program.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ptr::NonNull;

use super::handle::{Handle, InCtx, owned};
use super::{Result, Set, ffi};

/// Minimum and maximum, where they are 64-bit numbers.
pub type Ends = (Option<i64>, Option<i64>);

/// What was found for one dimension of a set.
type Known = (NonNull<ffi::isl_set>, Ends);

/// The ends that one context was asked for, by position and hash. They hold no reference to their context: it owns them.
#[derive(Debug, Default)]
pub(super) struct AllEnds(RefCell<HashMap<(usize, u32), Vec<Known>>>);

impl AllEnds {
    /// Releases everything.
    pub(super) fn forget(&mut self) {
        for (set, _) in self.0.get_mut().drain().flat_map(|(_, known)| known) {
            // SAFETY: one reference, released once.
            unsafe { ffi::isl_set_free(set.as_ptr()) };
        }
    }
}

impl Set {
    /// Minimum and maximum of one dimension over everything, where they are 64-bit numbers.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn dim_ends(&self, pos: usize) -> Result<Ends> {
        // SAFETY: the set is alive.
        let key = (pos, unsafe { ffi::isl_set_get_hash(self.as_ptr()) });
        if let Some(ends) = self.known_ends(key)? {
            return Ok(ends);
        }
        let (least, most) = (self.dim_min_val(pos)?, self.dim_max_val(pos)?);
        let ends = (least.as_i64(), most.as_i64());
        let mut all = self.in_ctx().ends().0.borrow_mut();
        all.entry(key).or_default().push((owned(self), ends));
        Ok(ends)
    }

    /// The ends of this dimension of a set that is written alike.
    fn known_ends(&self, key: (usize, u32)) -> Result<Option<Ends>> {
        let ctx = self.in_ctx();
        let all = ctx.ends().0.borrow();
        for (set, ends) in all.get(&key).into_iter().flatten() {
            // SAFETY: alive, as the context owns it; the copy is a reference of its own.
            let set = unsafe { Set::from_raw(ctx, ffi::isl_set_copy(set.as_ptr())) }?;
            if self.plain_is_equal(&set)? {
                return Ok(Some(*ends));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::poly::{Ctx, Set};

    #[test]
    fn ends_are_found_once_for_each_dimension() {
        let ctx = Ctx::new();
        let set = |text: &str| Set::parse(&ctx, text).unwrap();
        let first = set("{ [i, j] : 0 <= i <= 9 and 3i <= j }");
        assert_eq!(first.dim_ends(0).unwrap(), (Some(0), Some(9)));
        assert_eq!(first.dim_ends(1).unwrap(), (Some(0), None));
        let again = set("{ [i, j] : j >= 3i and i <= 9 and i >= 0 }");
        let before = ctx.work();
        assert_eq!(again.dim_ends(0).unwrap(), (Some(0), Some(9)));
        let asked = ctx.work() - before;
        let other = set("{ [i, j] : 0 <= i <= 8 and 3i <= j }");
        let before = ctx.work();
        assert_eq!(other.dim_ends(0).unwrap(), (Some(0), Some(8)));
        assert!(asked < ctx.work() - before);
    }
}
