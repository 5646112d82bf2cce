//! Copies that turn rows into columns: an operand whose memory is contiguous along the reduction, for panels that are
//! contiguous along rows or lanes.
//!
//! ```text
//! for h: for k:  buffer[.. + h + c*k] = f(A[h][k])          element by element: one line of the panel per store
//!
//! for h in steps of L:
//!   for k in steps of L:
//!     w[l] = f(load A[h + l][k .. k + L])                   l = 0 .. L
//!     t    = transpose(w)                                   in registers
//!     store t[s] to buffer[.. + h + c*(k + s)]              s = 0 .. L, whole lines
//!   for the steps that are left: for l: element by element
//! for the rows that are left: element by element
//! ```
//!
//! Rows are short streams, which no prefetcher follows into the next group of rows: each load requests the line that the
//! same square needs there. Nothing is read that the loops do not read. What the operand computes is computed lane by lane, with its roundings.

use crate::buffers::coefficient;
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int};
use crate::metadata::Memory;
use crate::squares::Vectors;
use crate::tile::{access_gain, contiguous, transpose_block};
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, PackStore};
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::Access;
use std::collections::BTreeMap;

/// The two inner loops of such a copy.
pub(crate) struct SquareCopy<'p> {
    /// The loop over rows or lanes.
    outer: &'p For,
    /// The loop over the reduction.
    inner: &'p For,
    store: &'p PackStore,
    /// What is copied, in vectors along the reduction.
    vectors: Vectors<'p>,
    /// What the store's index gains per step of the reduction.
    step: i64,
    /// What the statement's iterators gain per row.
    across: Vec<i64>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// The copy that this loop is, if it has this form.
    pub(crate) fn square_copy<'p>(&self, outer: &'p For) -> Option<SquareCopy<'p>>
    where
        'e: 'p,
    {
        let Ast::For(inner) = &outer.body else {
            return None;
        };
        let Ast::Pack(store) = &inner.body else {
            return None;
        };
        let plain =
            |l: &For| l.step == Expr::Int(1) && l.anchor.is_none() && l.kind == ForKind::Sequential;
        let fixed = |e: &Expr| coefficient(e, outer.iter) == Some(0);
        if !plain(outer) || !plain(inner) || !fixed(&inner.lower) || !fixed(&inner.upper) {
            return None;
        }
        if coefficient(&store.index, outer.iter) != Some(1) {
            return None;
        }
        let along = |iter: IterId| -> Option<Vec<i64>> {
            store.args.iter().map(|a| coefficient(a, iter)).collect()
        };
        let stmt = self.scop.stmt(store.stmt);
        let lanes = tile_lanes(&self.program.body, store.buffer)?;
        let direction = along(inner.iter)?;
        let differs = |access: &Access| {
            let gain = access_gain(self.scop, stmt, access, &direction)?;
            match gain.is_zero() {
                true => Some(false),
                false => (gain == contiguous(access)).then_some(true),
            }
        };
        let copy = SquareCopy {
            outer,
            inner,
            store,
            vectors: self.in_vectors(stmt, (lanes, &direction), differs),
            step: coefficient(&store.index, inner.iter)?,
            across: along(outer.iter)?,
        };
        let differs = |n: &NodeId| copy.vectors.differs(*n) == Some(true);
        (lanes >= 2 && store.operands.iter().all(differs)).then_some(copy)
    }

    /// Emits the copy.
    pub(crate) fn square_copy_loops(&mut self, copy: &SquareCopy<'_>) {
        let loops = (copy.outer, copy.inner);
        self.in_squares(loops, copy.vectors.lanes, |e, h, k| e.square_of(copy, h, k));
    }

    /// One square whose first row and step these are.
    fn square_of(&mut self, copy: &SquareCopy<'_>, h: Int<'c>, k: Int<'c>) {
        let p = copy.store;
        let Vectors { stmt, lanes, .. } = copy.vectors;
        let (row, step) = (Key::Iter(copy.outer.iter), Key::Iter(copy.inner.iter));
        self.locate_region();
        self.set(step, k);
        self.set(row, h);
        let index = self.expr(&p.index);
        let first = self.buffer_place(p.buffer, index);
        let mut values = vec![vec![]; p.operands.len()];
        for l in 0..lanes {
            let own = self.ir.add(h, self.ir.int(l.into()), Arith::Bounded);
            self.set(row, own);
            let args: Vec<Int<'c>> = p.args.iter().map(|a| self.expr(a)).collect();
            let at: Vec<_> = stmt.iters.iter().copied().zip(args).collect();
            let mut done = BTreeMap::new();
            let read = |e: &mut Self, n: usize| {
                let access = &stmt.accesses[n];
                let row = access_gain(e.scop, stmt, access, &copy.across);
                e.square_line(access, lanes, &at, row.map(|gain| (gain, &copy.across[..])))
            };
            for (list, operand) in values.iter_mut().zip(&p.operands) {
                let place = (&at[..], &mut done);
                let value = self.square_value(&copy.vectors, place, &read, *operand);
                list.push(value.into_vector_value());
            }
        }
        self.frame().values.remove(&row);
        self.frame().values.remove(&step);
        self.locate_region();
        let bytes = self.program.buffers[p.buffer].ty.bytes() as i64;
        let apart = i64::from(p.width) * bytes;
        for (n, rows) in (0..).zip(values) {
            let columns = self.transpose(rows, transpose_block(bytes as u32, lanes));
            for (s, column) in (0..).zip(columns) {
                let ahead = self.ir.int(n * apart + s * copy.step * bytes);
                let place = self.ir.offset(first, ahead);
                let store = self.ir.store(place, column);
                self.ir.align(store, bytes as u32);
                self.mark_access(store, Some(Memory::Buffer(p.buffer)));
            }
        }
    }
}

/// Lanes of the register tiles that use a buffer.
fn tile_lanes(ast: &Ast, buffer: usize) -> Option<u32> {
    match ast {
        Ast::For(l) => tile_lanes(&l.body, buffer),
        Ast::Block(list) => list.iter().find_map(|a| tile_lanes(a, buffer)),
        Ast::If { then, els, .. } => {
            let other = || els.iter().find_map(|e| tile_lanes(e, buffer));
            tile_lanes(then, buffer).or_else(other)
        }
        Ast::MicroKernel(m) => {
            let mut panels = m.row_panel.iter().chain(&m.lane_panel);
            panels.any(|p| p.buffer == buffer).then_some(m.tile.lanes)
        }
        Ast::User(_) | Ast::Pack(_) => None,
    }
}
