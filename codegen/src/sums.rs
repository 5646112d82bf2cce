//! Loops of one statement that adds to several cells: the sums run in registers.
//!
//! ```text
//! for j: (x[i], y[i]) = (x[i] + f(i, j) * u[j], y[i] + f(i, j) * v[j])
//! s = x[i];  t = y[i];  for j: { a = f(i, j);  s += a * u[j];  t += a * v[j] };  x[i] = s;  y[i] = t
//! ```
//!
//! A cell is held if it stands still, and the statement writes it in each iteration and touches its array nowhere else. Single writes are held by
//! [`crate::lanes`].

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Value, constant, feed};
use crate::lanes::direction;
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::tile::gain::access_gain;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, For, User};
use polytile_analysis::scop::{Access, AccessKind, Place};

/// A sum: the number of the write, and that of the read that finds it.
type Sum = (usize, usize);

impl<'c> Emitter<'_, 'c> {
    /// Emits a loop that holds sums of one statement; `false`: it is none, and nothing was emitted.
    pub(crate) fn sums_loop(&mut self, l: &For, range: Range<'c>) -> bool {
        let user = match &l.body {
            Ast::User(u) => u,
            Ast::Block(list) => match &list[..] {
                [Ast::User(u)] => u,
                _ => return false,
            },
            _ => return false,
        };
        let stmt = self.scop.stmt(user.stmt);
        let always = stmt.write().kind == AccessKind::MustWrite;
        if !stmt.is_group() || !always || constant(range.step) != Some(1) {
            return false;
        }
        let sums = self.sums(l, user);
        if sums.is_empty() {
            return false;
        }
        let function = self.frame().function;
        self.locate_region();
        let [some, header, done, after] = ["some", "loop", "done", "after"]
            .map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let entered = self.ir.cmp(IntPredicate::SLE, range.first, range.last);
        self.ir.branch(entered, some, after);

        self.ir.at_end(some);
        let iter = Key::Iter(l.iter);
        self.set(iter, range.first);
        let before = self.cells(user, &sums);
        let entry = self.ir.here();
        self.ir.jump(header);

        self.ir.at_end(header);
        let phi = self.ir.phi(self.ir.i64(), "i");
        let (phis, current) = self.ir.phis(&before, "s");
        let i = phi.as_basic_value().into_int_value();
        self.set(iter, i);
        let reads = sums.iter().map(|(_, read)| *read);
        let known: Vec<(usize, Value<'c>)> = reads.zip(current).collect();
        let held: Vec<usize> = sums.iter().map(|(write, _)| *write).collect();
        let values = self.user_with(user, &known, &held);
        let updated: Vec<Value<'c>> = held.iter().map(|n| values[n]).collect();
        self.locate_region();
        let latch = self.ir.here();
        let next = self.ir.add(i, self.ir.int(1), Arith::Bounded);
        let again = self.ir.cmp(IntPredicate::SLT, i, range.last);
        let back = self.ir.branch(again, header, done);
        self.mark_loop(back, None, LoopCode::Scalars);
        phi.add_incoming(&[(&range.first, entry), (&next, latch)]);
        feed(&phis, [(&before[..], entry), (&updated[..], latch)]);

        self.ir.at_end(done);
        self.set(iter, range.first);
        let at = self.iterators_of(user);
        for ((write, _), value) in sums.iter().zip(updated) {
            self.write(&stmt.accesses[*write], &at, value);
        }
        self.frame().values.remove(&iter);
        self.ir.jump(after);
        self.ir.at_end(after);
        true
    }

    /// What is in the cells in front of the loop.
    fn cells(&mut self, user: &User, sums: &[Sum]) -> Vec<Value<'c>> {
        let stmt = self.scop.stmt(user.stmt);
        let at = self.iterators_of(user);
        let read = |(_, read): &Sum| self.read(&stmt.accesses[*read], &at);
        sums.iter().map(read).collect()
    }

    /// The sums of a statement in a loop.
    fn sums(&self, l: &For, user: &User) -> Vec<Sum> {
        let stmt = self.scop.stmt(user.stmt);
        let Some(along) = direction(user, l.iter) else {
            return vec![];
        };
        let still = |a: &Access| {
            let gain = access_gain(self.scop, stmt, a, &along);
            gain.is_some_and(|g| g.is_zero()) && a.place != Place::Scalar
        };
        let mut found = vec![];
        for (n, write) in stmt.writes().iter().enumerate() {
            let own = |a: &&Access| a.array == write.array;
            let one = |a: &Access| a.place == write.place && a.ty == write.ty;
            let alone = stmt.accesses.iter().filter(own).all(one)
                && stmt.writes().iter().filter(own).count() == 1
                && !self.program.handed.contains(&write.array);
            let read = stmt.reads().iter().position(|r| own(&r));
            if let Some(read) = read.filter(|_| alone && still(write)) {
                found.push((n, stmt.first_read() + read));
            }
        }
        found
    }
}
