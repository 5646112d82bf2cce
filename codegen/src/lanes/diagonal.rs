//! Lanes along the diagonals of two loops that both carry chains (the hyperplane method, Lamport 1974).
//!
//! ```text
//! for x:  for s (diagonal): a[s][x-s] = f(a[s-1][x-s], a[s][x-s-1], ..)
//!
//!   the points of the steps before all lanes exist, as scalars
//!   for x in steps of L while all lanes exist:
//!       L times:  up = (a[s0-1][x-s0], p shifted by a lane);   p = f(up, p, ..)
//!       a[s0 + l][x-s0-l ..] = row l of the transposed p
//!   the points of the steps that are left, as scalars
//! ```
//!
//! What lanes hand on is in registers (module `shifted`), other elements of rows move in squares (module `squares`). Other points run
//! as scalars, most of them row by row (module `rows`). The diagonals in which all lanes exist are neighbours: the domain of a generated loop has no
//! holes.

use super::carried::Chains;
use super::rows::{Bounds, Part};
use super::{Bundle, held, shifted, squares};
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int};
use crate::loops::Range;
use crate::metadata::LoopCode;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, User};
use polytile_analysis::tree::{Rest, Supply};

/// A loop around diagonals.
struct Strip<'p> {
    around: &'p For,
    inner: &'p For,
    users: Vec<&'p User>,
    lanes: u32,
    vectors: u32,
    rest: Rest,
    bounds: Bounds<'p>,
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
        let ForKind::Diagonal {
            lanes,
            vectors,
            rest,
        } = inner.kind
        else {
            return None;
        };
        let plain = |l: &For| l.step == Expr::Int(1) && l.anchor.is_none();
        let users = inner.body.plain_users()?;
        let mut each = users.iter();
        if !plain(l) || !plain(inner) || !each.all(|u| self.user_has_vector_form(u, inner.iter)) {
            return None;
        }
        let chains = shifted::chains(self.scop, &users, (l.iter, inner.iter))?;
        let squares = squares::plan(self.scop, &users, (&chains, &[], &[]), (inner.iter, l.iter))?;
        let bounds = Bounds::of(inner, l.iter)?;
        let stored = (0..users.len()).all(|at| squares.contains_key(&(at, 0)));
        stored.then_some(Strip {
            around: l,
            inner,
            users,
            lanes,
            vectors,
            rest,
            bounds,
            chains,
            squares,
        })
    }

    fn strip_loops(&mut self, s: &Strip<'_>, range: Range<'c>) {
        let (first, last) = (range.first, range.last);
        let lanes = self.lanes_of_strip(&s.bounds);
        let parts = (s.around, s.inner, &s.bounds);
        let width = i64::from(s.lanes * s.vectors);
        let others = self.ir.sub(lanes.1, lanes.0, Arith::Bounded);
        let whole = self.ir.int(width - 1);
        let whole = self.ir.cmp(IntPredicate::EQ, others, whole);
        let bounds = (&s.bounds, s.around.iter);
        let (from, to) = self.steps_of_lanes(bounds, lanes, (first, last));
        let square = i64::from(s.lanes);
        let steps = self.ir.sub(to, from, Arith::Bounded);
        let steps = self.ir.add(steps, self.ir.int(1), Arith::Bounded);
        let some = self.ir.cmp(IntPredicate::SGE, steps, self.ir.int(square));
        let squares = self.ir.and(whole, some);

        let before = self.ir.sub(from, self.ir.int(1), Arith::Bounded);
        let before = self.ir.select(squares, before, last).into_int_value();
        let steps_before = (first, before);
        let part = Part {
            steps: steps_before,
            lanes,
        };
        self.rest_of_strip(parts, &part, s.rest);
        let function = self.frame().function;
        let [enter, done] =
            ["diagonals", "after"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir.branch(squares, enter, done);
        self.ir.at_end(enter);
        let left = self.full_diagonals(s, lanes.0, (from, to));
        let part = Part {
            steps: (left, last),
            lanes,
        };
        self.rest_of_strip(parts, &part, s.rest);
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// The diagonals in which all lanes exist, in squares; the first one that is left.
    fn full_diagonals(
        &mut self,
        s: &Strip<'_>,
        lowest: Int<'c>,
        (first, last): (Int<'c>, Int<'c>),
    ) -> Int<'c> {
        let iter = s.around.iter;
        self.set(Key::Iter(iter), first);
        let b = Bundle {
            iter: s.inner.iter,
            first: lowest,
            lanes: s.lanes,
            vectors: s.vectors,
            last: None,
            inside: Some(iter),
            supply: Supply::Near,
        };
        let users = &s.users[..];
        let mut state = vec![];
        for from in s.chains.rotations.iter().flat_map(|r| &r.initial) {
            state.extend(self.before_the_first(b, users, *from));
        }
        let mut still = held::held(self.scop, users, held::Steps { iter, ends: None });
        still.retain(|h| h.writer.is_none());
        let (registers, _) = self.registers(b, users, (&s.chains, still));
        let width = i64::from(s.lanes);
        let (_, next) = self.stepped(
            (first, last),
            (width, LoopCode::Vectors),
            None,
            state,
            |e, x, state| {
                e.square_steps(b, iter, users, (&registers, &s.squares), x, state.to_vec())
            },
        );
        self.frame().values.remove(&Key::Iter(iter));
        next
    }
}
