//! Two loops in squares of as many iterations of each as a vector has lanes, so that what is contiguous along one of them and what is
//! contiguous along the other are both whole vectors, and transposed in registers.

mod copy;
mod statement;

use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::Key;
use crate::ir::{Arith, Int, Value};
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::tile::gain::{Direction, Gain};
use crate::tile::{Purpose, changes};
use crate::vector::vector_form;
use inkwell::values::AsValueRef;
use polytile_analysis::ast::For;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::{Access, Stmt};
use std::collections::BTreeMap;

/// What a statement computes in the vectors of a square.
struct Vectors<'p> {
    stmt: &'p Stmt,
    lanes: u32,
    /// By node: whether it differs from lane to lane; `None` if it has no vector form.
    differs: Vec<Option<bool>>,
}

impl Vectors<'_> {
    fn differs(&self, id: NodeId) -> Option<bool> {
        self.differs[id.index()]
    }
}

impl<'c> Emitter<'_, 'c> {
    /// A statement in vectors of so many lanes along a direction; `read` says whether an access differs from lane to lane.
    fn in_vectors<'p>(
        &self,
        stmt: &'p Stmt,
        (lanes, along): (u32, &[i64]),
        read: impl Fn(&Access) -> Option<bool>,
    ) -> Vectors<'p> {
        let mut differs: Vec<Option<bool>> = vec![];
        for node in &stmt.body.nodes {
            differs.push(match &node.kind {
                NodeKind::Read(n) => read(&stmt.accesses[*n]),
                NodeKind::Index(s) => (!changes(stmt, s, along)).then_some(false),
                NodeKind::Invariant(_) | NodeKind::Bits(_) => Some(false),
                NodeKind::Op { .. } if node.choice().is_some() => None,
                NodeKind::Op { inst, op, args } => {
                    let all = args.iter().map(|a| differs[a.index()]);
                    let any = all
                        .collect::<Option<Vec<bool>>>()
                        .map(|all| all.contains(&true));
                    let vector = || vector_form(op, self.host.values[inst.index()]).is_some();
                    any.filter(|any| !any || vector())
                }
            });
        }
        Vectors {
            stmt,
            lanes,
            differs,
        }
    }

    /// The value of a node in one vector: for all lanes, or one that they share. `read` gives those of accesses that differ from lane to
    /// lane.
    fn square_value(
        &mut self,
        vectors: &Vectors,
        (at, done): (&Iterators<'c>, &mut BTreeMap<NodeId, Value<'c>>),
        read: &dyn Fn(&mut Self, usize) -> Value<'c>,
        id: NodeId,
    ) -> Value<'c> {
        if let Some(v) = done.get(&id) {
            return *v;
        }
        let node = vectors.stmt.body.node(id);
        let several = vectors.differs(id) == Some(true);
        let value = match &node.kind {
            NodeKind::Read(n) if several => read(self, *n),
            NodeKind::Read(n) => self.read(&vectors.stmt.accesses[*n], at),
            NodeKind::Invariant(v) => self.get(Key::Invariant(*v)),
            NodeKind::Bits(bits) => self.bits(node.ty, *bits),
            NodeKind::Index(s) => self.evolve(s, at).into(),
            NodeKind::Op { inst, op, args } => {
                let mut values = vec![];
                for a in args {
                    values.push(self.square_value(vectors, (at, &mut *done), read, *a));
                }
                match several {
                    true => {
                        let origin = self.host.values[inst.index()];
                        self.vector_op((op, origin), &values, vectors.lanes)
                    }
                    false => self.clone_op((op, *inst), &values),
                }
            }
        };
        done.insert(id, value);
        value
    }

    /// So many contiguous elements. Rows are short streams, which no prefetcher follows into the next group of rows: the line that the same
    /// square needs there is requested, if a row's distance is given.
    fn square_line(
        &mut self,
        access: &Access,
        lanes: u32,
        at: &Iterators<'c>,
        row: Option<(Gain, &Direction)>,
    ) -> Value<'c> {
        let place = self.place(access, at);
        let ty = self.vector_type(self.access_type(access), lanes);
        let align = self.origin_of(access).map_or(1, |o| o.align);
        let value = self.vector_load(ty, place, None, align);
        self.finish_vector_access(value.as_value_ref(), access);
        if let Some((gain, direction)) = row {
            let rows = self.ir.int(lanes.into());
            let far = match self.leaves_row(access, &gain) {
                true => {
                    let at = self.ahead(at, direction, rows);
                    self.at_rim(|e| e.place(access, &at))
                }
                false => {
                    let per_row = self.gain_at(&gain, at);
                    let ahead = self.ir.mul(per_row, rows, Arith::Wrapping);
                    self.ir.offset(place, ahead)
                }
            };
            self.request(far, Purpose::Read);
        }
        value
    }

    /// Emits a loop and the one inside in squares; `square` gets the first iterations of one. What is left on two sides runs
    /// iteration by iteration.
    fn in_squares(
        &mut self,
        (outer, inner): (&For, &For),
        lanes: u32,
        square: impl Fn(&mut Self, Int<'c>, Int<'c>),
    ) {
        let (rows, steps) = (self.range(outer), self.range(inner));
        let lanes = i64::from(lanes);
        let (left_rows, left_steps) = (self.left(rows, lanes), self.left(steps, lanes));
        let squares = |e: &Self, all: Range<'c>, left: Int<'c>| Range {
            first: all.first,
            last: e.ir.sub(left, e.ir.int(1), Arith::Bounded),
            step: e.ir.int(lanes),
        };
        let (by_row, by_step) = (
            squares(self, rows, left_rows),
            squares(self, steps, left_steps),
        );
        self.counted(by_row, None, LoopCode::Vectors, |e, h| {
            e.counted(by_step, None, LoopCode::Vectors, |e, k| square(e, h, k));
            let last = e.ir.add(h, e.ir.int(lanes - 1), Arith::Bounded);
            let (first, step) = (h, e.ir.int(1));
            let tail = Range {
                first: left_steps,
                ..steps
            };
            e.counted(tail, None, LoopCode::Few, |e, k| {
                e.set(Key::Iter(inner.iter), k);
                let all = Range { first, last, step };
                e.counted(all, None, LoopCode::Few, |e, h| {
                    e.body(outer.iter, h, &inner.body);
                });
                e.frame().values.remove(&Key::Iter(inner.iter));
            });
        });
        let tail = Range {
            first: left_rows,
            ..rows
        };
        self.counted(tail, None, LoopCode::Few, |e, h| {
            e.set(Key::Iter(outer.iter), h);
            e.counted(steps, None, LoopCode::Few, |e, k| {
                e.body(inner.iter, k, &inner.body);
            });
            e.frame().values.remove(&Key::Iter(outer.iter));
        });
    }

    /// The first iteration that no group of `lanes` reaches.
    fn left(&mut self, all: Range<'c>, lanes: i64) -> Int<'c> {
        let one = self.ir.int(1);
        let count = self.ir.sub(all.last, all.first, Arith::Bounded);
        let count = self.ir.add(count, one, Arith::Bounded);
        let count = self.ir.minmax("llvm.smax", count, self.ir.int(0));
        let whole = self.ir.and(count, self.ir.int(-lanes));
        self.ir.add(all.first, whole, Arith::Bounded)
    }
}
