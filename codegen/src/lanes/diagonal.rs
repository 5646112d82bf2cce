//! Lanes along the diagonals of two loops that both carry chains (the hyperplane method, Lamport 1974).
//!
//! ```text
//! for x:  for s (diagonal): a[s][x-s] = f(a[s-1][x-s], a[s][x-s-1], ..)
//!
//!   for x while some lane is missing:  the points of the diagonal as scalars
//!   for x in steps of L while all lanes exist:
//!       L times:  up = (a[s0-1][x-s0], p shifted by a lane);   p = f(up, p, ..)
//!       a[s0 + l][x-s0-l ..] = row l of the transposed p
//!   for the rest of x:  scalars
//! ```
//!
//! What lanes hand on is in registers (module `shifted`), other elements of rows move in squares (module `squares`). The
//! diagonals in which all lanes exist are neighbours: the domain of a generated loop has no holes.

use super::carried::Chains;
use super::form::users;
use super::{Bundle, held, shifted, squares};
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int, Value, feed};
use crate::loops::Range;
use crate::metadata::LoopCode;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, User};
use polytile_analysis::tree::Supply;

/// A loop around diagonals.
struct Strip<'p> {
    around: &'p For,
    inner: &'p For,
    user: &'p User,
    lanes: u32,
    vectors: u32,
    chains: Chains,
    squares: squares::Plan,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a loop around diagonals in vectors; whether it is one.
    pub(crate) fn diagonals(&mut self, l: &For, range: Range<'c>) -> bool {
        match self.strip(l) {
            Some(strip) => {
                self.strip_loops(&strip, range);
                true
            }
            None => false,
        }
    }

    fn strip<'p>(&self, l: &'p For) -> Option<Strip<'p>> {
        let Ast::For(inner) = &l.body else {
            return None;
        };
        let ForKind::Diagonal { lanes, vectors } = inner.kind else {
            return None;
        };
        let plain = |l: &For| l.step == Expr::Int(1) && l.anchor.is_none();
        let &[user] = &users(&inner.body)?[..] else {
            return None;
        };
        if !plain(l) || !plain(inner) || !self.user_has_vector_form(user, inner.iter) {
            return None;
        }
        let chains = shifted::chains(self.scop, user, (l.iter, inner.iter))?;
        let squares = squares::plan(self.scop, &[user], (&chains, &[]), (inner.iter, l.iter))?;
        squares.contains_key(&(0, 0)).then_some(Strip {
            around: l,
            inner,
            user,
            lanes,
            vectors,
            chains,
            squares,
        })
    }

    fn strip_loops(&mut self, s: &Strip<'_>, range: Range<'c>) {
        let (l, last) = (s.around, range.last);
        let (_, first) = self.steps_while(
            (range.first, 1, LoopCode::Scattered),
            vec![],
            |e, x| {
                let left = e.ir.cmp(IntPredicate::SLE, x, last);
                let full = e.is_full_diagonal(s, x);
                let not = e.ir.builder.build_not(full, "").expect("builder misuse");
                e.ir.logical_and(left, not)
            },
            |e, x, _| {
                e.body(l.iter, x, &l.body);
                vec![]
            },
        );
        let left = self.full_diagonals(s, (first, last));
        let rest = Range {
            first: left,
            ..range
        };
        self.counted(rest, None, LoopCode::Scattered, |e, x| {
            e.body(l.iter, x, &l.body);
        });
    }

    /// The diagonals from `first` on in which all lanes exist, in squares; the first one that is left.
    fn full_diagonals(&mut self, s: &Strip<'_>, (first, last): (Int<'c>, Int<'c>)) -> Int<'c> {
        let function = self.frame().function;
        let [enter, done] =
            ["diagonals", "after"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let entered = self.is_square(s, first, last);
        let before = self.ir.here();
        self.ir.branch(entered, enter, done);
        self.ir.at_end(enter);
        let iter = s.around.iter;
        self.set(Key::Iter(iter), first);
        let lowest = self.expr(&s.inner.lower);
        let b = Bundle {
            iter: s.inner.iter,
            first: lowest,
            lanes: s.lanes,
            vectors: s.vectors,
            last: None,
            inside: Some(iter),
            supply: Supply::Near,
        };
        let users = [s.user];
        let mut state = vec![];
        for (_, n) in s.chains.rotations.iter().flat_map(|r| &r.initial) {
            for v in 0..b.vectors {
                state.push(self.bundle_read(b, s.user, v, *n));
            }
        }
        let mut still = held::held(self.scop, &users, iter);
        still.retain(|h| h.writer.is_none());
        let (registers, _) = self.registers(b, &users, (&s.chains, still));
        let (_, next) = self.steps_while(
            (first, i64::from(s.lanes), LoopCode::Vectors),
            state,
            |e, x| e.is_square(s, x, last),
            |e, x, state| {
                e.square_steps(b, iter, &users, (&registers, &s.squares), x, state.to_vec())
            },
        );
        self.frame().values.remove(&Key::Iter(iter));
        let end = self.ir.here();
        self.ir.jump(done);
        self.ir.at_end(done);
        let left = self.ir.phi(self.ir.i64(), "");
        left.add_incoming(&[(&first, before), (&next, end)]);
        left.as_basic_value().into_int_value()
    }

    /// Whether all lanes exist in the last step of a square, if they do in its first one.
    fn is_square(&mut self, s: &Strip<'_>, x: Int<'c>, last: Int<'c>) -> Int<'c> {
        let ahead = self.ir.int(i64::from(s.lanes) - 1);
        let end = self.ir.add(x, ahead, Arith::Bounded);
        let left = self.ir.cmp(IntPredicate::SLE, end, last);
        let full = self.is_full_diagonal(s, end);
        self.ir.logical_and(left, full)
    }

    /// Whether all lanes exist in a diagonal.
    fn is_full_diagonal(&mut self, s: &Strip<'_>, x: Int<'c>) -> Int<'c> {
        let iter = Key::Iter(s.around.iter);
        let shadowed = self.frame().values.remove(&iter);
        self.set(iter, x);
        let lower = self.expr(&s.inner.lower);
        let upper = self.expr(&s.inner.upper);
        self.frame().values.remove(&iter);
        if let Some(value) = shadowed {
            self.set(iter, value);
        }
        let others = self.ir.sub(upper, lower, Arith::Bounded);
        let all = self.ir.int(i64::from(s.lanes * s.vectors) - 1);
        self.ir.cmp(IntPredicate::SGE, others, all)
    }

    /// A loop in steps of a width while a condition holds; `state` goes from step to step. The state after it and the
    /// iteration at which it ended.
    fn steps_while(
        &mut self,
        (first, width, code): (Int<'c>, i64, LoopCode),
        state: Vec<Value<'c>>,
        goes_on: impl FnOnce(&mut Self, Int<'c>) -> Int<'c>,
        body: impl FnOnce(&mut Self, Int<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
    ) -> (Vec<Value<'c>>, Int<'c>) {
        let function = self.frame().function;
        self.locate_region();
        let [header, inside, after] =
            ["while", "steps", "after"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let before = self.ir.here();
        self.ir.jump(header);
        self.ir.at_end(header);
        let phi = self.ir.phi(self.ir.i64(), "i");
        let (phis, current) = self.ir.phis(&state, "c");
        let i = phi.as_basic_value().into_int_value();
        let again = goes_on(self, i);
        self.ir.branch(again, inside, after);

        self.ir.at_end(inside);
        let updated = body(self, i, &current);
        self.locate_region();
        let latch = self.ir.here();
        let next = self.ir.add(i, self.ir.int(width), Arith::Bounded);
        let back = self.ir.jump(header);
        self.mark_loop(back, None, code);
        phi.add_incoming(&[(&first, before), (&next, latch)]);
        feed(&phis, [(&state, before), (&updated, latch)]);
        self.ir.at_end(after);
        (current, i)
    }
}
