//! Statements that read along rows and write along columns, or the other way round ([`ForKind::Squares`]).
//!
//! ```text
//! for h in steps of L: for k in steps of L:                     vectors along k
//!   r[l] = load A[h + l][k .. k + L]                            l = 0 .. L
//!   c    = transpose(loads of C[k + s][h .. h + L])             what is contiguous across the vectors
//!   v[l] = f(r[l], c[l], x[h + l])                              lane by lane, with its roundings
//!   store transpose(v)[s] to B[k + s][h .. h + L]               s = 0 .. L
//! ```
//!
//! All reads of a square come before its writes, and all of one statement before the next one: the planner has seen that no iteration
//! touches what another one writes (`ast/squares.rs` of the transform crate).

use crate::buffers::coefficient;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::Key;
use crate::ir::{Arith, Int, Value};
use crate::squares::Vectors;
use crate::tile::gain::Gain;
use crate::tile::{access_gain, transpose_block};
use inkwell::values::VectorValue;
use polytile_analysis::address_gain::{InSquare, in_square};
use polytile_analysis::ast::{Ast, For, ForKind, SquareVectors, User};
use polytile_analysis::ids::LoopId;
use polytile_analysis::scop::Access;
use std::collections::BTreeMap;

/// A statement in squares.
struct SquareStatement<'p> {
    outer: &'p For,
    inner: &'p For,
    user: &'p User,
    vectors: Vectors<'p>,
    /// What the statement's iterators gain from lane to lane.
    along: Vec<i64>,
    /// What they gain from vector to vector.
    across: Vec<i64>,
    /// The loop whose iterations are the lanes of a vector.
    along_loop: SquareVectors,
}

/// A square under construction.
struct Square<'c> {
    /// Its first iterations.
    h: Int<'c>,
    k: Int<'c>,
    /// By access: what was read and transposed, vector by vector.
    turned: BTreeMap<usize, Vec<VectorValue<'c>>>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits the loop if it and the one inside run in squares and all operations have a vector form.
    pub(crate) fn squares(&mut self, outer: &For) -> bool {
        let ForKind::Squares { lanes, vectors } = &outer.kind else {
            return false;
        };
        let Some(all) = self.square_statements(outer, *lanes, vectors) else {
            return false;
        };
        let loops = (all[0].outer, all[0].inner);
        self.in_squares(loops, *lanes, |e, h, k| {
            for one in &all {
                e.square_of_statement(one, h, k);
            }
        });
        true
    }

    fn square_statements<'p>(
        &self,
        outer: &'p For,
        lanes: u32,
        vectors: &[SquareVectors],
    ) -> Option<Vec<SquareStatement<'p>>>
    where
        'e: 'p,
    {
        let Ast::For(inner) = &outer.body else {
            return None;
        };
        let users = inner.body.plain_users()?.into_iter().zip(vectors);
        let all: Option<Vec<SquareStatement<'p>>> = users
            .map(|(user, along)| self.square_statement((outer, inner), user, (lanes, *along)))
            .collect();
        all.filter(|all| !all.is_empty())
    }

    fn square_statement<'p>(
        &self,
        (outer, inner): (&'p For, &'p For),
        user: &'p User,
        (lanes, along_loop): (u32, SquareVectors),
    ) -> Option<SquareStatement<'p>>
    where
        'e: 'p,
    {
        let step = |l: &For| -> Option<Vec<i64>> {
            user.args.iter().map(|a| coefficient(a, l.iter)).collect()
        };
        let (own, out) = (step(inner)?, step(outer)?);
        let (along, across) = match along_loop {
            SquareVectors::Inner => (own, out),
            SquareVectors::Outer => (out, own),
        };
        let stmt = self.scop.stmt(user.stmt);
        let lie = |a: &Access| in_square(self.scop, stmt, a, (&along, &across));
        let differs = |a: &Access| lie(a).map(|lie| lie != InSquare::Same);
        let vectors = self.in_vectors(stmt, (lanes, &along), differs);
        let mut values = stmt.body.values();
        let in_vectors = stmt.accesses.iter().all(|a| lie(a).is_some())
            && values.all(|v| vectors.differs(v).is_some());
        in_vectors.then_some(SquareStatement {
            outer,
            inner,
            user,
            vectors,
            along,
            across,
            along_loop,
        })
    }

    fn lie(&self, all: &SquareStatement, access: &Access) -> Option<InSquare> {
        in_square(
            self.scop,
            all.vectors.stmt,
            access,
            (&all.along, &all.across),
        )
    }

    fn square_of_statement(&mut self, all: &SquareStatement, h: Int<'c>, k: Int<'c>) {
        self.locate_write(all.vectors.stmt.write());
        let mut square = Square {
            h,
            k,
            turned: BTreeMap::new(),
        };
        self.turn_reads(all, &mut square);
        let mut written: Vec<Vec<VectorValue<'c>>> = vec![vec![]; all.vectors.stmt.writes().len()];
        for l in 0..all.vectors.lanes {
            let at = self.at_vector(all, &square, l);
            let mut done = BTreeMap::new();
            let read = |e: &mut Self, n: usize| match square.turned.get(&n) {
                Some(vectors) => vectors[l as usize].into(),
                None => e.read_line(all, &all.vectors.stmt.accesses[n], &at),
            };
            for (list, root) in written.iter_mut().zip(all.vectors.stmt.body.values()) {
                let place = (&at[..], &mut done);
                let value = self.square_value(&all.vectors, place, &read, root);
                list.push(self.splat(value, all.vectors.lanes).into_vector_value());
            }
        }
        for (n, vectors) in written.into_iter().enumerate() {
            self.write_square(all, &square, n, vectors);
        }
    }

    /// Iterators at the first lane of a vector of the square.
    fn at_vector(
        &mut self,
        all: &SquareStatement,
        square: &Square<'c>,
        number: u32,
    ) -> Vec<(LoopId, Int<'c>)> {
        let moved = match all.along_loop {
            SquareVectors::Inner => (number, 0),
            SquareVectors::Outer => (0, number),
        };
        self.at_line(all, square, moved)
    }

    /// Iterators at the first element of what is contiguous across the vectors, in a lane of theirs.
    fn at_lane(
        &mut self,
        all: &SquareStatement,
        square: &Square<'c>,
        (number, back): (u32, bool),
    ) -> Vec<(LoopId, Int<'c>)> {
        let first = if back { all.vectors.lanes - 1 } else { 0 };
        let moved = match all.along_loop {
            SquareVectors::Inner => (first, number),
            SquareVectors::Outer => (number, first),
        };
        self.at_line(all, square, moved)
    }

    /// Iterators so many iterations of the outer and the inner loop behind the first ones of a square.
    fn at_line(
        &mut self,
        all: &SquareStatement,
        square: &Square<'c>,
        (outer, inner): (u32, u32),
    ) -> Vec<(LoopId, Int<'c>)> {
        let moved = |e: &Self, first: Int<'c>, by: u32| match by {
            0 => first,
            by => e.ir.add(first, e.ir.int(by.into()), Arith::Bounded),
        };
        let (h, k) = (moved(self, square.h, outer), moved(self, square.k, inner));
        self.set(Key::Iter(all.outer.iter), h);
        self.set(Key::Iter(all.inner.iter), k);
        let args: Vec<Int<'c>> = all.user.args.iter().map(|a| self.expr(a)).collect();
        self.frame().values.remove(&Key::Iter(all.outer.iter));
        self.frame().values.remove(&Key::Iter(all.inner.iter));
        all.vectors.stmt.iters.iter().copied().zip(args).collect()
    }

    /// Reads what is contiguous across the vectors.
    fn turn_reads(&mut self, all: &SquareStatement, square: &mut Square<'c>) {
        let first = all.vectors.stmt.first_read();
        for (n, access) in all.vectors.stmt.accesses.iter().enumerate().skip(first) {
            let back = match self.lie(all, access) {
                Some(InSquare::Across) => false,
                Some(InSquare::AcrossBack) => true,
                _ => continue,
            };
            let mut lines = vec![];
            for s in 0..all.vectors.lanes {
                let at = self.at_lane(all, square, (s, back));
                lines.push(self.read_line(all, access, &at).into_vector_value());
            }
            let block = transpose_block(access.ty.bytes() as u32, all.vectors.lanes);
            let mut vectors = self.transpose(lines, block);
            if back {
                vectors.reverse();
            }
            square.turned.insert(n, vectors);
        }
    }

    fn read_line(
        &mut self,
        all: &SquareStatement,
        access: &Access,
        at: &Iterators<'c>,
    ) -> Value<'c> {
        let rows = match all.along_loop {
            SquareVectors::Inner => &all.across,
            SquareVectors::Outer => &all.along,
        };
        // What is contiguous along the rows of squares comes with the line.
        let apart = |g: &Gain| !g.is_constant(i128::from(access.ty.bytes()));
        let row = access_gain(self.scop, all.vectors.stmt, access, rows).filter(apart);
        let row = row.map(|gain| (gain, &rows[..]));
        self.square_line(access, all.vectors.lanes, at, row)
    }

    fn write_square(
        &mut self,
        all: &SquareStatement,
        square: &Square<'c>,
        n: usize,
        mut vectors: Vec<VectorValue<'c>>,
    ) {
        let access = &all.vectors.stmt.accesses[n];
        let lie = self.lie(all, access);
        let (along, back) = (
            lie == Some(InSquare::Along),
            lie == Some(InSquare::AcrossBack),
        );
        if back {
            vectors.reverse();
        }
        let lines = match along {
            true => vectors,
            false => {
                let block = transpose_block(access.ty.bytes() as u32, all.vectors.lanes);
                self.transpose(vectors, block)
            }
        };
        for (number, line) in (0..).zip(lines) {
            let at = match along {
                true => self.at_vector(all, square, number),
                false => self.at_lane(all, square, (number, back)),
            };
            let place = self.place(access, &at);
            let align = self.origin_of(access).map_or(1, |o| o.align);
            let store = self.vector_store(line.into(), place, None, align);
            self.finish_vector_access(store, access);
        }
    }
}
