//! The generator: [`AstBuild`] turns schedules into programs and sets into expressions.
//!
//! Inside the generation [`AstBuild::schedule`] maps the statement's instances to the iterators;
//! its inverse turns an access of the statement into an expression in the iterators:
//! `access.pullback_pw_multi_aff(&build.schedule()?.reverse()?.as_map()?.as_pw_multi_aff()?)`.
//!
//! An [`AstVisitor`] takes part in the generation: it sees each statement, loop and mark with
//! the build at that place, from which it makes expressions in the iterators there.
//!
//! ```
//! use polytile_analysis::poly::{AstBuild, Ctx, Set, UnionMap};
//!
//! let ctx = Ctx::new();
//! let schedule = UnionMap::parse(&ctx, "[n] -> { S[i, j] -> [i, j] : 0 <= j <= i < n }")?;
//! let build = AstBuild::from_context(&Set::parse(&ctx, "[n] -> { : n >= 1 }")?)?;
//! let program = build.set_iterators(&["a", "b"])?.node_from_schedule_map(&schedule)?;
//! assert_eq!(program.for_iterator_name()?, "a");
//! # Ok::<(), polytile_analysis::poly::Error>(())
//! ```

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::null_mut;

use super::handle::{Arg, Handle, handle, methods};
use super::*;

handle! {
    /// A generator, or the state of one at a place of the program.
    AstBuild = isl_ast_build, isl_ast_build_copy, isl_ast_build_free
}

methods! { AstBuild {
    /// Nothing known about the parameters.
    new fn new(ctx: &Ctx) -> AstBuild = isl_ast_build_alloc;
    /// What is known about the parameters.
    new fn from_context(set: &Set) -> AstBuild = isl_ast_build_from_context;
    /// With more knowledge.
    take fn restrict(set: &Set) -> AstBuild = isl_ast_build_restrict;
    /// With names for the iterators, outermost first.
    take fn set_iterators(iterators: &[&str]) -> AstBuild = isl_ast_build_set_iterators;
    /// At a place: the times of the statements as a function of the instances.
    keep fn schedule() -> UnionMap = isl_ast_build_get_schedule;
    /// At a place: the space of the iterators so far.
    keep fn schedule_space() -> Space = isl_ast_build_get_schedule_space;
    /// The program of a schedule tree.
    mixed fn node_from_schedule(schedule: &Schedule) -> AstNode = isl_ast_build_node_from_schedule;
    /// The program of a schedule map; iterations in lexicographic order.
    mixed fn node_from_schedule_map(schedule: &UnionMap) -> AstNode =
        isl_ast_build_node_from_schedule_map;
    /// See [`AstBuild::expr_from_set`].
    mixed fn condition(set: &Set) -> AstExpr = isl_ast_build_expr_from_set;
    /// See [`AstBuild::expr_from_pw_aff`].
    mixed fn value(pa: &PwAff) -> AstExpr = isl_ast_build_expr_from_pw_aff;
} }

/// Where a limit ends the making of a remainder, isl (0.27) frees an expression that it goes on to use: expressions, which are short, are made
/// without one, and what they took counts afterwards.
impl AstBuild {
    /// The condition of being in a set.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn expr_from_set(&self, set: &Set) -> Result<AstExpr> {
        let _all = self.ctx().unlimited();
        self.condition(set)
    }

    /// The value of a function.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn expr_from_pw_aff(&self, pa: &PwAff) -> Result<AstExpr> {
        let _all = self.ctx().unlimited();
        self.value(pa)
    }
}

impl std::fmt::Debug for AstBuild {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.schedule_space() {
            Ok(space) => write!(f, "AstBuild({space})"),
            Err(error) => write!(f, "AstBuild(<{error}>)"),
        }
    }
}

/// Takes part in the generation. Every method may decline with an error, which ends it.
pub trait AstVisitor {
    /// A statement; `build` knows its loops.
    fn at_each_domain(&mut self, node: AstNode, _build: &AstBuild) -> Result<AstNode> {
        Ok(node)
    }

    /// A loop is about to be generated; the identifier becomes its annotation.
    fn before_each_for(&mut self, _build: &AstBuild) -> Result<Option<Id>> {
        Ok(None)
    }

    /// A loop, complete.
    fn after_each_for(&mut self, node: AstNode, _build: &AstBuild) -> Result<AstNode> {
        Ok(node)
    }

    /// A mark is about to be entered.
    fn before_each_mark(&mut self, _name: &str, _build: &AstBuild) -> Result<()> {
        Ok(())
    }

    /// A mark, complete.
    fn after_each_mark(&mut self, node: AstNode, _build: &AstBuild) -> Result<AstNode> {
        Ok(node)
    }
}

/// A visitor of statements only, from a closure.
pub struct AtEachDomain<F>(pub F);

impl<F: FnMut(AstNode, &AstBuild) -> Result<AstNode>> AstVisitor for AtEachDomain<F> {
    fn at_each_domain(&mut self, node: AstNode, build: &AstBuild) -> Result<AstNode> {
        (self.0)(node, build)
    }
}

/// Why a visitor ended the generation.
enum Failure {
    Declined(Error),
    Panicked(Box<dyn Any + Send>),
}

/// One generation with a visitor; the data behind the callbacks.
struct Session<'a> {
    ctx: Ctx,
    visitor: &'a mut dyn AstVisitor,
    failure: Option<Failure>,
}

impl Session<'_> {
    /// Runs the visitor unless it has failed already; no panic crosses into C.
    fn run<T>(
        &mut self,
        build: *mut ffi::isl_ast_build,
        visit: impl FnOnce(&mut dyn AstVisitor, &AstBuild) -> Result<T>,
    ) -> Option<T> {
        if self.failure.is_some() {
            return None;
        }
        let (ctx, visitor) = (&self.ctx, &mut *self.visitor);
        let result = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: isl lends the build; the copy is stripped of the callbacks below.
            let build = unsafe { AstBuild::from_raw(ctx, ffi::isl_ast_build_copy(build)) }?;
            visit(visitor, &without_callbacks(build)?)
        }));
        match result {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) => self.failure = Some(Failure::Declined(error)),
            Err(panic) => self.failure = Some(Failure::Panicked(panic)),
        }
        None
    }

    /// Runs the visitor on a node.
    ///
    /// # Safety
    /// `user` is a `Session`, `node` is given, `build` lent.
    unsafe fn on_node(
        user: *mut c_void,
        node: *mut ffi::isl_ast_node,
        build: *mut ffi::isl_ast_build,
        visit: impl FnOnce(&mut dyn AstVisitor, AstNode, &AstBuild) -> Result<AstNode>,
    ) -> *mut ffi::isl_ast_node {
        // SAFETY: the caller's promise.
        let (session, node) = unsafe {
            let session = &mut *user.cast::<Session>();
            let node = AstNode::from_raw(&session.ctx, node);
            (session, node)
        };
        session
            .run(build, |v, b| visit(v, node?, b))
            .map_or(null_mut(), AstNode::into_raw)
    }
}

/// A build that outlives the session must not call into it.
fn without_callbacks(build: AstBuild) -> Result<AstBuild> {
    let ctx = build.ctx().clone();
    // SAFETY: a valid object, given and given back; isl tests each callback for null.
    unsafe {
        let raw = ffi::isl_ast_build_set_at_each_domain(build.into_raw(), None, null_mut());
        let raw = ffi::isl_ast_build_set_before_each_for(raw, None, null_mut());
        let raw = ffi::isl_ast_build_set_after_each_for(raw, None, null_mut());
        let raw = ffi::isl_ast_build_set_before_each_mark(raw, None, null_mut());
        let raw = ffi::isl_ast_build_set_after_each_mark(raw, None, null_mut());
        AstBuild::from_raw(&ctx, raw)
    }
}

unsafe extern "C" fn at_each_domain(
    node: *mut ffi::isl_ast_node,
    build: *mut ffi::isl_ast_build,
    user: *mut c_void,
) -> *mut ffi::isl_ast_node {
    // SAFETY: registered with a `Session`.
    unsafe { Session::on_node(user, node, build, |v, n, b| v.at_each_domain(n, b)) }
}

unsafe extern "C" fn after_each_for(
    node: *mut ffi::isl_ast_node,
    build: *mut ffi::isl_ast_build,
    user: *mut c_void,
) -> *mut ffi::isl_ast_node {
    // SAFETY: registered with a `Session`.
    unsafe { Session::on_node(user, node, build, |v, n, b| v.after_each_for(n, b)) }
}

unsafe extern "C" fn after_each_mark(
    node: *mut ffi::isl_ast_node,
    build: *mut ffi::isl_ast_build,
    user: *mut c_void,
) -> *mut ffi::isl_ast_node {
    // SAFETY: registered with a `Session`.
    unsafe { Session::on_node(user, node, build, |v, n, b| v.after_each_mark(n, b)) }
}

unsafe extern "C" fn before_each_for(
    build: *mut ffi::isl_ast_build,
    user: *mut c_void,
) -> *mut ffi::isl_id {
    // SAFETY: registered with a `Session`; isl insists on an identifier, a nameless one will do.
    unsafe {
        let session = &mut *user.cast::<Session>();
        match session.run(build, |v, b| v.before_each_for(b)) {
            Some(Some(id)) => id.into_raw(),
            Some(None) => ffi::isl_id_alloc(session.ctx.as_ptr(), std::ptr::null(), null_mut()),
            None => null_mut(),
        }
    }
}

unsafe extern "C" fn before_each_mark(
    mark: *mut ffi::isl_id,
    build: *mut ffi::isl_ast_build,
    user: *mut c_void,
) -> i32 {
    // SAFETY: registered with a `Session`; the identifier is lent.
    unsafe {
        let session = &mut *user.cast::<Session>();
        let name = Id::from_raw(&session.ctx, ffi::isl_id_copy(mark)).map(|id| id.name());
        let done = session.run(build, |v, b| {
            v.before_each_mark(&name?.unwrap_or_default(), b)
        });
        if done.is_some() { 0 } else { -1 }
    }
}

impl AstBuild {
    /// [`AstBuild::node_from_schedule`] with a visitor.
    pub fn node_from_schedule_with(
        &self,
        schedule: &Schedule,
        visitor: &mut dyn AstVisitor,
    ) -> Result<AstNode> {
        self.generate(visitor, |build| build.node_from_schedule(schedule))
    }

    /// [`AstBuild::node_from_schedule_map`] with a visitor.
    pub fn node_from_schedule_map_with(
        &self,
        schedule: &UnionMap,
        visitor: &mut dyn AstVisitor,
    ) -> Result<AstNode> {
        self.generate(visitor, |build| build.node_from_schedule_map(schedule))
    }

    /// Generates with a visitor; a panic of the visitor continues after isl has cleaned up.
    fn generate(
        &self,
        visitor: &mut dyn AstVisitor,
        run: impl FnOnce(&AstBuild) -> Result<AstNode>,
    ) -> Result<AstNode> {
        let mut session = Session {
            ctx: self.ctx().clone(),
            visitor,
            failure: None,
        };
        let user: *mut c_void = (&raw mut session).cast();
        // SAFETY: `user` outlives the build with the callbacks, which does not leave this scope.
        let build = unsafe {
            let raw = self.take(self.ctx());
            let raw = ffi::isl_ast_build_set_at_each_domain(raw, Some(at_each_domain), user);
            let raw = ffi::isl_ast_build_set_before_each_for(raw, Some(before_each_for), user);
            let raw = ffi::isl_ast_build_set_after_each_for(raw, Some(after_each_for), user);
            let raw = ffi::isl_ast_build_set_before_each_mark(raw, Some(before_each_mark), user);
            let raw = ffi::isl_ast_build_set_after_each_mark(raw, Some(after_each_mark), user);
            AstBuild::from_raw(self.ctx(), raw)?
        };
        let result = run(&build);
        drop(build);
        match session.failure {
            Some(Failure::Panicked(panic)) => resume_unwind(panic),
            Some(Failure::Declined(error)) => {
                drop(error::take(self.ctx()));
                Err(error)
            }
            None => result,
        }
    }
}
