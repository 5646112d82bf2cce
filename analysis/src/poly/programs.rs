//! Programs of schedules: what a context has generated once is not generated again.
//!
//! Candidates differ in a part of their nests, and what they have in common is the same piece of a tree with the same facts about its
//! parameters. For a factorization, whose register tiles leave a rest in several loops, two candidates took twice a quarter of a second.

use std::cell::RefCell;
use std::ptr::NonNull;

use super::handle::{Handle, InCtx, owned};
use super::{AstBuild, AstNode, Error, Result, Schedule, Set, ffi};

/// The programs of one context. They hold no reference to their context: it owns them.
#[derive(Debug, Default)]
pub(super) struct Programs(RefCell<Vec<Known>>);

/// A program and what it was generated from.
#[derive(Debug)]
struct Known {
    /// Of the instances.
    hash: u32,
    iterators: Vec<String>,
    context: NonNull<ffi::isl_set>,
    schedule: NonNull<ffi::isl_schedule>,
    node: NonNull<ffi::isl_ast_node>,
}

impl Known {
    /// What it was generated from.
    fn source(&self, of: &Schedule) -> Result<(Set, Schedule)> {
        let ctx = of.in_ctx();
        // SAFETY: alive, as the context owns them; the copies are references of their own.
        unsafe {
            let context = Set::from_raw(ctx, ffi::isl_set_copy(self.context.as_ptr()))?;
            let schedule = ffi::isl_schedule_copy(self.schedule.as_ptr());
            Ok((context, Schedule::from_raw(ctx, schedule)?))
        }
    }
}

impl Programs {
    /// Releases everything.
    pub(super) fn forget(&mut self) {
        for known in self.0.get_mut().drain(..) {
            // SAFETY: one reference to each, released once.
            unsafe {
                ffi::isl_set_free(known.context.as_ptr());
                ffi::isl_schedule_free(known.schedule.as_ptr());
                ffi::isl_ast_node_free(known.node.as_ptr());
            }
        }
    }
}

impl Schedule {
    /// The program, with these names for the iterators and this known about the parameters.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn program(&self, context: &Set, iterators: &[&str]) -> Result<AstNode> {
        let hash = self.hash()?;
        if let Some(node) = self.known_program(hash, context, iterators)? {
            return Ok(node);
        }
        let build = AstBuild::from_context(context)?.set_iterators(iterators)?;
        let node: AstNode = match build.node_from_schedule(self) {
            // Coalescing sets on the way fails at an assertion of isl's own for some of them: it has no program for them.
            Err(Error::Internal(_)) => return Err(Error::Quota),
            made => made?,
        };
        let known = Known {
            hash,
            iterators: iterators.iter().map(|&name| name.to_owned()).collect(),
            context: owned(context),
            schedule: owned(self),
            node: owned(&node),
        };
        self.in_ctx().programs().0.borrow_mut().push(known);
        Ok(node)
    }

    /// The program that was generated from the same before.
    fn known_program(
        &self,
        hash: u32,
        context: &Set,
        iterators: &[&str],
    ) -> Result<Option<AstNode>> {
        let ctx = self.in_ctx();
        for known in &*ctx.programs().0.borrow() {
            if known.hash != hash || known.iterators != iterators {
                continue;
            }
            let (its_context, its_schedule) = known.source(self)?;
            if context.plain_is_equal(&its_context)? && self.plain_is_equal(&its_schedule)? {
                // SAFETY: alive, as the context owns it; the copy is a reference of its own.
                let node = unsafe { ffi::isl_ast_node_copy(known.node.as_ptr()) };
                return unsafe { AstNode::from_raw(ctx, node) }.map(Some);
            }
        }
        Ok(None)
    }

    /// The same for schedules of the same instances, written alike.
    fn hash(&self) -> Result<u32> {
        let domain = self.domain()?;
        // SAFETY: the set is alive.
        Ok(unsafe { ffi::isl_union_set_get_hash(domain.as_ptr()) })
    }
}

#[cfg(test)]
mod tests {
    use crate::poly::{Ctx, Schedule, Set};

    fn schedule(ctx: &Ctx, bound: &str) -> Schedule {
        let text = format!(
            "domain: \"[n] -> {{ S[i] : 0 <= i < {bound} }}\"\nchild:\n  schedule: \"[{{ S[i] -> [(i)] }}]\"\n"
        );
        Schedule::parse(ctx, &text).unwrap()
    }

    #[test]
    fn a_program_is_generated_once() {
        let ctx = Ctx::new();
        let known = |text: &str| Set::parse(&ctx, text).unwrap();
        let positive = known("[n] -> { : n >= 1 }");
        let program = |bound: &str, known: &Set, name: &str| {
            let program = schedule(&ctx, bound).program(known, &[name]);
            program.unwrap().to_string()
        };
        let first = program("n", &positive, "a");
        let before = ctx.work();
        assert_eq!(program("n", &positive, "a"), first);
        let again = ctx.work() - before;
        // Others are generated.
        assert_ne!(program("n", &positive, "b"), first);
        assert!(ctx.work() - before > 2 * again);
        assert_ne!(program("n - 1", &positive, "a"), first);
        let large = known("[n] -> { : n >= 2 }");
        let before = ctx.work();
        program("n", &large, "a");
        assert!(ctx.work() - before > again);
    }
}
