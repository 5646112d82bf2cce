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
use crate::tile::{Purpose, access_gain, transpose_block};
use crate::vector::vector_form;
use inkwell::values::{AsValueRef, VectorValue};
use polytile_analysis::address_gain::{InSquare, changes, in_square};
use polytile_analysis::ast::{Ast, For, ForKind, SquareVectors, User};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId};
use polytile_analysis::scop::{Access, Stmt};
use std::collections::BTreeMap;

/// A statement in squares.
struct SquareStatement<'p> {
    outer: &'p For,
    inner: &'p For,
    user: &'p User,
    stmt: &'p Stmt,
    lanes: u32,
    /// What the statement's iterators gain from lane to lane.
    along: Vec<i64>,
    /// What they gain from vector to vector.
    across: Vec<i64>,
    /// The loop whose iterations are the lanes of a vector.
    vectors: SquareVectors,
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
        let list = match &inner.body {
            Ast::Block(list) => &list[..],
            one => std::slice::from_ref(one),
        };
        let mut all = vec![];
        for (a, along) in list.iter().zip(vectors) {
            let Ast::User(user) = a else {
                return None;
            };
            all.push(self.square_statement((outer, inner), user, (lanes, *along))?);
        }
        (!all.is_empty() && all.len() == list.len()).then_some(all)
    }

    fn square_statement<'p>(
        &self,
        (outer, inner): (&'p For, &'p For),
        user: &'p User,
        (lanes, vectors): (u32, SquareVectors),
    ) -> Option<SquareStatement<'p>>
    where
        'e: 'p,
    {
        let step = |l: &For| -> Option<Vec<i64>> {
            user.args.iter().map(|a| coefficient(a, l.iter)).collect()
        };
        let (own, out) = (step(inner)?, step(outer)?);
        let (along, across) = match vectors {
            SquareVectors::Inner => (own, out),
            SquareVectors::Outer => (out, own),
        };
        let stmt = self.scop.stmt(user.stmt);
        let all = SquareStatement {
            outer,
            inner,
            user,
            stmt,
            lanes,
            along,
            across,
            vectors,
        };
        let lies = stmt.accesses.iter().all(|a| self.lie(&all, a).is_some());
        let mut values = stmt.body.values();
        (lies && values.all(|v| self.in_vectors(&all, v).is_some())).then_some(all)
    }

    fn lie(&self, all: &SquareStatement, access: &Access) -> Option<InSquare> {
        in_square(self.scop, all.stmt, access, (&all.along, &all.across))
    }

    /// Whether a node differs from lane to lane; `None` if it has no vector form.
    fn in_vectors(&self, all: &SquareStatement, id: NodeId) -> Option<bool> {
        let node = all.stmt.body.node(id);
        match &node.kind {
            NodeKind::Read(n) => Some(self.lie(all, &all.stmt.accesses[*n])? != InSquare::Same),
            NodeKind::Index(s) => (!changes(all.stmt, s, &all.along)).then_some(false),
            NodeKind::Invariant(_) | NodeKind::Bits(_) => Some(false),
            NodeKind::Op { .. } if node.choice().is_some() => None,
            NodeKind::Op { inst, args, .. } => {
                let mut any = false;
                for a in args {
                    any |= self.in_vectors(all, *a)?;
                }
                let vector = vector_form(self.host.values[inst.index()]).is_some();
                (!any || vector).then_some(any)
            }
        }
    }

    fn square_of_statement(&mut self, all: &SquareStatement, h: Int<'c>, k: Int<'c>) {
        self.locate_write(all.stmt.write());
        let mut square = Square {
            h,
            k,
            turned: BTreeMap::new(),
        };
        self.turn_reads(all, &mut square);
        let mut written: Vec<Vec<VectorValue<'c>>> = vec![vec![]; all.stmt.writes().len()];
        for l in 0..all.lanes {
            let at = self.at_vector(all, &square, l);
            let mut done = BTreeMap::new();
            for (list, root) in written.iter_mut().zip(all.stmt.body.values()) {
                let value = self.square_value(all, (&square, l), (&at, &mut done), root);
                list.push(self.splat(value, all.lanes).into_vector_value());
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
        let moved = match all.vectors {
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
        let first = if back { all.lanes - 1 } else { 0 };
        let moved = match all.vectors {
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
        all.stmt.iters.iter().copied().zip(args).collect()
    }

    /// Reads what is contiguous across the vectors.
    fn turn_reads(&mut self, all: &SquareStatement, square: &mut Square<'c>) {
        let first = all.stmt.first_read();
        for (n, access) in all.stmt.accesses.iter().enumerate().skip(first) {
            let back = match self.lie(all, access) {
                Some(InSquare::Across) => false,
                Some(InSquare::AcrossBack) => true,
                _ => continue,
            };
            let mut lines = vec![];
            for s in 0..all.lanes {
                let at = self.at_lane(all, square, (s, back));
                lines.push(self.read_line(all, access, &at).into_vector_value());
            }
            let block = transpose_block(access.ty.bytes() as u32, all.lanes);
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
        let place = self.place(access, at);
        let ty = self.vector_type(self.access_type(access), all.lanes);
        let align = self.origin_of(access).map_or(1, |o| o.align);
        let value = self.vector_load(ty, place, None, align);
        self.finish_vector_access(value.as_value_ref(), access);
        self.request_below(all, access, at);
        value
    }

    /// Requests the line that the next row of squares needs at the same place: rows are short streams, which no prefetcher follows there.
    fn request_below(&mut self, all: &SquareStatement, access: &Access, at: &Iterators<'c>) {
        let direction = match all.vectors {
            SquareVectors::Inner => &all.across,
            SquareVectors::Outer => &all.along,
        };
        let Some(gain) = access_gain(self.scop, all.stmt, access, direction) else {
            return;
        };
        if gain.is_constant(i128::from(access.ty.bytes())) {
            return;
        }
        let per_row = self.gain_at(&gain, at);
        let rows = self.ir.int(all.lanes.into());
        let ahead = self.ir.mul(per_row, rows, Arith::Wrapping);
        let place = self.place(access, at);
        self.request(self.ir.offset(place, ahead), Purpose::Read);
    }

    /// The value of a node in one vector of a square: for all lanes, or one that they share.
    fn square_value(
        &mut self,
        all: &SquareStatement,
        (square, number): (&Square<'c>, u32),
        (at, done): (&Iterators<'c>, &mut BTreeMap<NodeId, Value<'c>>),
        id: NodeId,
    ) -> Value<'c> {
        if let Some(v) = done.get(&id) {
            return *v;
        }
        let node = all.stmt.body.node(id);
        let value = match &node.kind {
            NodeKind::Read(n) => {
                let access = &all.stmt.accesses[*n];
                match (square.turned.get(n), self.lie(all, access)) {
                    (Some(vectors), _) => vectors[number as usize].into(),
                    (None, Some(InSquare::Along)) => self.read_line(all, access, at),
                    (None, _) => self.read(access, at),
                }
            }
            NodeKind::Invariant(v) => self.get(Key::Invariant(*v)),
            NodeKind::Bits(bits) => self.bits(node.ty, *bits),
            NodeKind::Index(s) => self.evolve(s, at).into(),
            NodeKind::Op { inst, op, args } => {
                let mut values = vec![];
                for a in args {
                    let place = (at, &mut *done);
                    values.push(self.square_value(all, (square, number), place, *a));
                }
                match self.in_vectors(all, id) {
                    Some(true) => {
                        self.vector_op(self.host.values[inst.index()], &values, all.lanes)
                    }
                    _ => self.clone_op((op, *inst), &values),
                }
            }
        };
        done.insert(id, value);
        value
    }

    fn write_square(
        &mut self,
        all: &SquareStatement,
        square: &Square<'c>,
        n: usize,
        mut vectors: Vec<VectorValue<'c>>,
    ) {
        let access = &all.stmt.accesses[n];
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
                let block = transpose_block(access.ty.bytes() as u32, all.lanes);
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
