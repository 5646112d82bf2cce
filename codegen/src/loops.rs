//! Loops and conditions.
//!
//! A loop is emitted in rotated form with a guard, the form that LLVM's loop passes work on:
//!
//! ```text
//!   first <= last ?
//!     header:  i = phi [first], [i']        ; the body is one or more blocks from here
//!              ...
//!     latch:   i' = i + step                ; nsw
//!              i < last ? header : after    ; step 1; else i <= last - step
//! ```
//!
//! The test compares `i` and not `i'`, so no iteration count needs `last + 1`. A loop that is known to run once is its body,
//! and one that runs at most once a condition.

use crate::buffers::{coefficient, stores_apart};
use crate::emit::Emitter;
use crate::forward::keeps_order;
use crate::frame::Key;
use crate::ir::{Arith, Int, Value, constant, feed};
use crate::metadata::LoopCode;
use crate::tile::gain::access_gain;
use inkwell::IntPredicate;
use llvm_sys::prelude::LLVMMetadataRef;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, User};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::scop::{Access, Scop, Stmt};

/// A loop in terms of values: `first`, `first + step`, ... up to `last`.
#[derive(Clone, Copy)]
pub(crate) struct Range<'c> {
    pub(crate) first: Int<'c>,
    pub(crate) last: Int<'c>,
    pub(crate) step: Int<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// A loop in steps of `width` as long as whole steps are left, if that is `wanted`; `state` goes from step to step. The
    /// state after it and the first iteration that is left. `code`: what its body is made of.
    pub(crate) fn stepped(
        &mut self,
        (first, last): (Int<'c>, Int<'c>),
        (width, code): (i64, LoopCode),
        wanted: Option<Int<'c>>,
        state: Vec<Value<'c>>,
        body: impl FnOnce(&mut Self, Int<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
    ) -> (Vec<Value<'c>>, Int<'c>) {
        let function = self.frame().function;
        self.locate_region();
        let header = self.ir.block(function, "polytile.steps");
        let after = self.ir.block(function, "polytile.after");
        let limit = self.ir.sub(last, self.ir.int(width - 1), Arith::Bounded);
        let fits = self.ir.cmp(IntPredicate::SLE, first, limit);
        let entered = wanted.map_or(fits, |w| self.ir.logical_and(fits, w));
        let before = self.ir.here();
        self.ir.branch(entered, header, after);

        self.ir.at_end(header);
        let phi = self.ir.phi(self.ir.i64(), "i");
        let (phis, current) = self.ir.phis(&state, "c");
        let i = phi.as_basic_value().into_int_value();
        let updated = body(self, i, &current);
        self.locate_region();
        let latch = self.ir.here();
        let next = self.ir.add(i, self.ir.int(width), Arith::Bounded);
        let again = self.ir.cmp(IntPredicate::SLE, next, limit);
        let back = self.ir.branch(again, header, after);
        self.mark_loop(back, None, code);
        phi.add_incoming(&[(&first, before), (&next, latch)]);
        let carried = [(&state[..], before), (&updated[..], latch)];
        feed(&phis, carried);

        self.ir.at_end(after);
        let left = self.ir.phi(self.ir.i64(), "");
        left.add_incoming(&[(&first, before), (&next, latch)]);
        let (merged, result) = self.ir.phis(&state, "");
        feed(&merged, carried);
        (result, left.as_basic_value().into_int_value())
    }

    /// Emits a loop.
    pub(crate) fn loop_(&mut self, l: &For) {
        if let (ForKind::Team { worth }, true) = (&l.kind, self.outermost()) {
            return self.team_loop(l, worth.as_ref());
        }
        if let (ForKind::Parallel { worth, .. }, true, false) =
            (&l.kind, self.outermost(), l.kind.is_pipelined())
        {
            return self.parallel_loop(l, worth.as_ref());
        }
        if l.kind == ForKind::Stage
            && let Some(row) = self.frame().row.take()
        {
            return self.stage(l, row);
        }
        let plain = matches!(
            l.kind,
            ForKind::Sequential | ForKind::Vector | ForKind::ShortVector { .. }
        );
        if plain && l.runs_once() {
            let only = self.expr(&l.lower);
            return self.body(l.iter, only, &l.body);
        }
        if plain && self.guarded_loop(l) {
            return;
        }
        let range = self.range(l);
        if plain && l.most_trips().is_some_and(|n| n <= 1) {
            return self.at_most_once(l, range);
        }
        match &l.kind {
            ForKind::Vector if updates_between(self.scop, l) => {
                self.vector_loop(l, range, LoopCode::Single);
            }
            ForKind::Vector => self.vector_loop(l, range, LoopCode::Scalars),
            ForKind::ShortVector { masked } => {
                self.vector_loop(l, range, LoopCode::Short { masked: *masked });
            }
            ForKind::Squares { .. } => {
                if !self.squares(l) {
                    self.counted(range, None, LoopCode::Single, |e, i| {
                        e.body(l.iter, i, &l.body)
                    });
                }
            }
            ForKind::Strips { chains } => self.strips_loop(l, range, chains),
            ForKind::Lanes {
                lanes,
                vectors,
                supply,
                panels,
            } => self.lanes_loop(l, range, (*lanes, *vectors), (*supply, panels)),
            ForKind::Diagonal { .. } => self.counted(range, None, LoopCode::Single, |e, i| {
                e.body(l.iter, i, &l.body);
            }),
            ForKind::Team { .. }
            | ForKind::Stage
            | ForKind::Sequential
            | ForKind::Parallel { .. } => {
                if self.diagonals(l, range) {
                    return;
                }
                if let Some(copy) = self.square_copy(l) {
                    return self.square_copy_loops(&copy);
                }
                if let Some(squares) = self.shared_squares(l) {
                    return self.shared_squares_loop(&squares, range);
                }
                if self.carrying_loop(l, range) || self.sums_loop(l, range) {
                    return;
                }
                let single = stores_apart(&l.body, l.iter)
                    || moves_apart(self.scop, l)
                    || updates_between(self.scop, l);
                let code = match (has_few(l), single) {
                    (true, _) => LoopCode::Few,
                    (false, true) => LoopCode::Single,
                    (false, false) => LoopCode::Scalars,
                };
                self.counted(range, None, code, |e, i| e.body(l.iter, i, &l.body));
            }
        }
    }

    /// Emits a loop whose second iteration lies behind its end.
    fn at_most_once(&mut self, l: &For, range: Range<'c>) {
        let function = self.frame().function;
        self.locate_region();
        let [only, after] =
            ["only", "after"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let entered = (self.ir).cmp(IntPredicate::SLE, range.first, range.last);
        self.ir.branch(entered, only, after);
        self.ir.at_end(only);
        self.body(l.iter, range.first, &l.body);
        self.locate_region();
        self.ir.jump(after);
        self.ir.at_end(after);
    }

    /// The body of a loop, for one value of its iterator.
    pub(crate) fn body(&mut self, iter: IterId, value: Int<'c>, body: &Ast) {
        self.set(Key::Iter(iter), value);
        self.ast(body);
        self.frame().values.remove(&Key::Iter(iter));
    }

    pub(crate) fn range(&mut self, l: &For) -> Range<'c> {
        let step = self.expr(&l.step);
        let lower = self.expr(&l.lower);
        let last = self.expr(&l.upper);
        let first = match &l.anchor {
            Some(anchor) if *anchor != l.lower => {
                let anchor = self.expr(anchor);
                self.lattice_start(lower, anchor, step)
            }
            _ => lower,
        };
        Range { first, last, step }
    }

    fn vector_loop(&mut self, l: &For, range: Range<'c>, code: LoopCode) {
        let mut users = l.body.users().into_iter();
        let code = match users.any(|u| self.scop.stmt(u.stmt).body.looks_up_most()) {
            true => LoopCode::Single,
            false => code,
        };
        if code == LoopCode::Scalars {
            self.watch_roots(l);
        }
        let around = self.along.replace(l.iter);
        self.independent(l, |e, group| {
            e.counted(range, group, code, |e, i| e.body(l.iter, i, &l.body));
        });
        self.along = around;
    }

    /// Emits a loop whose iterations are independent: `code` gets the access group that says so. There is none where LLVM's
    /// vectorizer has to see for itself.
    pub(crate) fn independent(
        &mut self,
        l: &For,
        code: impl FnOnce(&mut Self, Option<LLVMMetadataRef>),
    ) {
        if !keeps_order(self.scop, l) {
            return code(self, None);
        }
        let group = unsafe { (self.host.distinct_node)(self.ir.ctx.raw()) };
        self.groups.push(group);
        code(self, Some(group));
        self.groups.pop();
    }

    /// Emits some iterations of a parallel loop. They are independent for the vectorizer as they are for threads, unless
    /// a thread's own memory is used again and again.
    pub(crate) fn part(&mut self, l: &For, part: Range<'c>) {
        let free = matches!(&l.kind, ForKind::Parallel { private, .. } if private.is_empty());
        match free && l.body.has_no_loop() {
            true => self.vector_loop(l, part, LoopCode::Scalars),
            false => self.counted(part, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            }),
        }
    }

    /// Emits a loop over `range`; `group` is the access group of a loop whose iterations are independent.
    pub(crate) fn counted(
        &mut self,
        range: Range<'c>,
        group: Option<LLVMMetadataRef>,
        code: LoopCode,
        body: impl FnOnce(&mut Self, Int<'c>),
    ) {
        let Range { first, last, step } = range;
        let function = self.frame().function;
        let header = self.ir.block(function, "polytile.loop");
        let after = self.ir.block(function, "polytile.after");
        self.locate_region();
        let entered = self.ir.cmp(IntPredicate::SLE, first, last);
        let before = self.ir.here();
        let unit = constant(step) == Some(1);
        let limit = if unit {
            last
        } else {
            self.ir.sub(last, step, Arith::Bounded)
        };
        self.ir.branch(entered, header, after);

        self.ir.at_end(header);
        let phi = self.ir.phi(self.ir.i64(), "i");
        let i = phi.as_basic_value().into_int_value();
        body(self, i);
        self.locate_region();
        let below = self.carry_roots(header);
        let latch = self.ir.here();
        let next = self.ir.add(i, step, Arith::Bounded);
        let pred = if unit {
            IntPredicate::SLT
        } else {
            IntPredicate::SLE
        };
        let again = self.ir.cmp(pred, i, limit);
        let back = self.ir.branch(again, header, after);
        phi.add_incoming(&[(&first, before), (&next, latch)]);
        self.mark_loop(back, group, code);
        self.ir.at_end(after);
        if let Some(below) = below {
            self.report_roots(below, before, latch);
        }
    }

    /// Emits a condition.
    pub(crate) fn conditional(&mut self, cond: &Expr, then: &Ast, els: Option<&Ast>) {
        let function = self.frame().function;
        self.locate_region();
        let cond = self.cond(cond);
        let yes = self.ir.block(function, "polytile.then");
        let after = self.ir.block(function, "polytile.endif");
        let no = match els {
            Some(_) => self.ir.block(function, "polytile.else"),
            None => after,
        };
        self.ir.branch(cond, yes, no);
        self.ir.at_end(yes);
        self.ast(then);
        self.ir.jump(after);
        if let Some(els) = els {
            self.ir.at_end(no);
            self.ast(els);
            self.ir.jump(after);
        }
        self.ir.at_end(after);
    }
}

/// The most iterations of a loop that are few.
const FEW: i64 = 16;

/// Whether a loop has few iterations, and not always the same number of them: such ones become straight code.
fn has_few(l: &For) -> bool {
    let fixed = matches!((&l.lower, &l.upper), (Expr::Int(_), Expr::Int(_)));
    !fixed && l.most_trips().is_some_and(|n| n <= FEW)
}

/// The most elements that LLVM's vectorizer takes as one access to several vectors (`MaxInterleaveGroupFactor`).
const INTERLEAVED: i128 = 8;

/// Whether a loop does nothing but move elements, which data may choose, to places that are further apart than those of one access, such as fields of large
/// structures: each is loaded and stored by itself, in vectors as well.
fn moves_apart(scop: &Scop, l: &For) -> bool {
    let moves = |u: &User| scop.stmt(u.stmt).body.only_chooses();
    let users = l.body.users();
    if !l.body.has_no_loop() || users.is_empty() || !users.into_iter().all(moves) {
        return false;
    }
    let mut writes = vec![];
    strides(scop, &l.body, l.iter, &mut writes);
    let far = |(array, stride): &(ArrayId, Option<i128>)| {
        let bytes = i128::from(scop.array(*array).ty.bytes());
        stride.is_none_or(|s| s.abs() > INTERLEAVED * bytes)
    };
    writes.iter().all(far)
}

/// Whether a loop of no others writes every other element of an array and reads those between, as sweeps over the cells of one colour do.
///
/// Lanes took 1.3 times as long as scalars on 500 x 480 doubles (Zen 5), and were not faster at four other sizes.
fn updates_between(scop: &Scop, l: &For) -> bool {
    let Expr::Int(step) = l.step else {
        return false;
    };
    let reads_others = |a: ArrayId| {
        l.body.users().into_iter().any(|u| {
            let stmt = scop.stmt(u.stmt);
            let is = |r: &Access, w: &Access| {
                w.array == a && r.relation.plain_is_equal(&w.relation).unwrap_or(true)
            };
            let mut reads = stmt.reads().iter().filter(|r| r.array == a);
            reads.any(|r| !stmt.writes().iter().any(|w| is(r, w)))
        })
    };
    let mut writes = vec![];
    strides(scop, &l.body, l.iter, &mut writes);
    l.body.has_no_loop()
        && writes.iter().any(|&(array, stride)| {
            let bytes = i128::from(scop.array(array).ty.bytes());
            let alone = writes.iter().filter(|(a, _)| *a == array).count() == 1;
            let apart = stride.map(|s| s.abs() * i128::from(step.abs()));
            alone && apart == Some(2 * bytes) && reads_others(array)
        })
}

/// Arrays that a body writes, and the bytes from one iteration's element to the next one's; `None`: not a constant.
fn strides(scop: &Scop, body: &Ast, iter: IterId, found: &mut Vec<(ArrayId, Option<i128>)>) {
    match body {
        Ast::Block(list) => list.iter().for_each(|a| strides(scop, a, iter, found)),
        Ast::If { then, els, .. } => {
            strides(scop, then, iter, found);
            els.iter().for_each(|e| strides(scop, e, iter, found));
        }
        Ast::User(u) => {
            let stmt = scop.stmt(u.stmt);
            for write in stmt.writes() {
                found.push((
                    write.array,
                    stride_along(scop, (stmt, &u.args), write, iter),
                ));
            }
        }
        Ast::For(_) | Ast::MicroKernel(_) | Ast::Pack(_) => {}
    }
}

/// How many bytes an access of a statement with these arguments goes on with each step of an iterator, if that is known.
pub(crate) fn stride_along(
    scop: &Scop,
    (stmt, args): (&Stmt, &[Expr]),
    access: &Access,
    iter: IterId,
) -> Option<i128> {
    let along: Vec<i64> = (args.iter().map(|a| coefficient(a, iter))).collect::<Option<_>>()?;
    let gain = access_gain(scop, stmt, access, &along)?;
    gain.symbolic.is_empty().then_some(gain.constant)
}
