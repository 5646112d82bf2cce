//! Buffers for packed operands, and the copying into them.
//!
//! A buffer that is written outside of parallel loops exists once. One that is written inside of them exists once per
//! thread, in one block:
//!
//! ```text
//!   copies = threads of a team                        1 without a runtime
//!   stride = elements * bytes, up to whole cache lines, and some lines apart
//!   block  = malloc(copies * stride)
//!   thread t of the team:  block + t * stride       t = 0 outside of parallel loops, and in those that one thread runs
//! ```
//!
//! `t` is the number in the team of our own fork: a function that is called by many threads of its user forks teams of
//! one, and each caller has a block of its own.
//!
//! The number of elements is a product over parameters and sizes that nobody has bounded. The check in front of the new
//! version computes it with overflow detection, and the original runs where it is absurd.

use crate::emit::Emitter;
use crate::error::EmitError;
use crate::frame::Key;
use crate::ir::{Arith, Int, Ptr};
use crate::memory::ALIGN;
use crate::metadata::Memory;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, BinOp, Buffer, Expr, IterId, PackStore};
use polytile_analysis::body::Body;
use polytile_analysis::ids::NodeId;
use polytile_analysis::region::Ty;

/// The most bytes that a copy of a buffer may have.
const MAX_BYTES: i64 = 1 << 31;
/// Bytes between two copies: no prefetcher of one thread reaches into the lines of another.
const GAP: i64 = 2 * ALIGN;

/// Whether a buffer can be made at all.
pub(crate) fn check_buffer(at: usize, buffer: &Buffer) -> Result<(), EmitError> {
    if !matches!(
        buffer.ty,
        Ty::Float(16 | 32 | 64) | Ty::Int(8 | 16 | 32 | 64)
    ) {
        return Err(EmitError::Buffer(
            at,
            "its elements are not numbers of up to 64 bits",
        ));
    }
    assert!(buffer.elements.is_size(), "the size of buffer {at}");
    Ok(())
}

/// Whether nodes of a body can be elements of a buffer.
pub(crate) fn check_elements(
    at: usize,
    buffers: &[Buffer],
    body: &Body,
    nodes: &[NodeId],
) -> Result<(), EmitError> {
    let buffer = &buffers[at];
    let fits = |n: &NodeId| body.nodes.get(n.index()).is_some_and(|n| n.ty == buffer.ty);
    if nodes.is_empty() || !nodes.iter().all(fits) {
        return Err(EmitError::Buffer(at, "an operand is not of its type"));
    }
    Ok(())
}

/// Whether consecutive iterations of a loop copy to places that are not adjacent.
pub(crate) fn stores_apart(body: &Ast, iter: IterId) -> bool {
    match body {
        Ast::Pack(p) => coefficient(&p.index, iter) != Some(1),
        Ast::Block(list) => list.iter().any(|a| stores_apart(a, iter)),
        Ast::If { then, els, .. } => {
            stores_apart(then, iter) || els.iter().any(|e| stores_apart(e, iter))
        }
        Ast::For(_) | Ast::User(_) | Ast::MicroKernel(_) => false,
    }
}

/// How often an iterator is in an expression; `None` if the expression is not linear in it.
pub(crate) fn coefficient(e: &Expr, iter: IterId) -> Option<i64> {
    let of = |e: &Expr| coefficient(e, iter);
    match e {
        Expr::Iter(i) => Some(i64::from(*i == iter)),
        Expr::Int(_) | Expr::Param(_) | Expr::Size(_) => Some(0),
        Expr::Neg(a) => of(a)?.checked_neg(),
        Expr::Bin(BinOp::Add, a, b) => of(a)?.checked_add(of(b)?),
        Expr::Bin(BinOp::Sub, a, b) => of(a)?.checked_sub(of(b)?),
        Expr::Bin(BinOp::Mul, a, b) => match (&**a, &**b) {
            (Expr::Int(n), x) | (x, Expr::Int(n)) => of(x)?.checked_mul(*n),
            (a, b) => (of(a)? == 0 && of(b)? == 0).then_some(0),
        },
        Expr::Bin(_, a, b) => (of(a)? == 0 && of(b)? == 0).then_some(0),
        Expr::Select(c, a, b) => (of(c)? == 0 && of(a)? == 0 && of(b)? == 0).then_some(0),
    }
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Whether the sizes of all buffers can be computed and are not absurd.
    pub(crate) fn buffers_fit(&mut self) -> Int<'c> {
        let program = self.program;
        let mut all = self.ir.bool(true);
        for buffer in &program.buffers {
            let elements = self.size_or_overflow(&buffer.elements, &mut all);
            let most = self.ir.int(MAX_BYTES / buffer.ty.bytes() as i64);
            let fits = self.ir.cmp(IntPredicate::SLE, elements, most);
            all = self.both(all, fits);
        }
        all
    }

    /// A size; `exact` becomes false where it leaves 64 bits on the way.
    fn size_or_overflow(&mut self, e: &Expr, exact: &mut Int<'c>) -> Int<'c> {
        let (name, a, b) = match e {
            Expr::Neg(a) => {
                let a = self.size_or_overflow(a, exact);
                ("llvm.ssub.with.overflow", self.ir.int(0), a)
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (
                    self.size_or_overflow(a, exact),
                    self.size_or_overflow(b, exact),
                );
                let name = match op {
                    BinOp::Add => "llvm.sadd.with.overflow",
                    BinOp::Sub => "llvm.ssub.with.overflow",
                    BinOp::Mul => "llvm.smul.with.overflow",
                    BinOp::Min => return self.ir.minmax("llvm.smin", a, b),
                    BinOp::Max => return self.ir.minmax("llvm.smax", a, b),
                    _ => unreachable!("checked before emission"),
                };
                (name, a, b)
            }
            _ => return self.expr(e),
        };
        let (value, overflow) = self.ir.with_overflow(name, a, b);
        let fine = self.ir.cmp(IntPredicate::EQ, overflow, self.ir.bool(false));
        *exact = self.both(*exact, fine);
        value
    }

    /// What memory the buffers need.
    pub(crate) fn buffer_needs(&mut self) -> Vec<(Key, Int<'c>)> {
        let program = self.program;
        let copies = program
            .buffers
            .iter()
            .any(|b| !b.shared)
            .then(|| self.fix_threads());
        let mut needs = vec![];
        for (n, buffer) in program.buffers.iter().enumerate() {
            let elements = self.expr(&buffer.elements);
            let elements = self.ir.minmax("llvm.smax", elements, self.ir.int(1));
            let element = self.ir.int(buffer.ty.bytes() as i64);
            let mut bytes = self.ir.mul(elements, element, Arith::Bounded);
            if let Some(copies) = copies.filter(|_| !buffer.shared) {
                let stride = self.copy_stride(bytes);
                self.set(Key::CopyStride(n), stride);
                bytes = self.ir.mul(stride, copies, Arith::Bounded);
            }
            needs.push((Key::Copies(n), bytes));
        }
        needs
    }

    /// Bytes from one copy to the next, which both begin with a cache line.
    pub(crate) fn copy_stride(&self, bytes: Int<'c>) -> Int<'c> {
        let above = self
            .ir
            .add(bytes, self.ir.int(ALIGN - 1 + GAP), Arith::Bounded);
        self.ir.and(above, self.ir.int(-ALIGN))
    }

    /// The current thread's copy of a buffer.
    fn buffer(&mut self, n: usize) -> Ptr<'c> {
        if let Some(known) = self.frame().values.get(&Key::Buffer(n)) {
            return known.into_pointer_value();
        }
        let first = self.get_ptr(Key::Copies(n));
        if self.program.buffers[n].shared || self.outermost() {
            return first;
        }
        let stride = self.get(Key::CopyStride(n)).into_int_value();
        let thread = self.get(Key::Thread).into_int_value();
        let context = self.frame().context.as_ref();
        let entry = context.expect("inner frames have a context").entry;
        let saved = self.ir.here();
        self.ir
            .before(entry.get_terminator().expect("entry blocks are closed"));
        let ahead = self.ir.mul(thread, stride, Arith::Bounded);
        let own = self.ir.offset(first, ahead);
        self.ir.at_end(saved);
        self.set(Key::Buffer(n), own);
        own
    }

    /// The address of an element of the current thread's copy.
    pub(crate) fn buffer_place(&mut self, n: usize, index: Int<'c>) -> Ptr<'c> {
        let base = self.buffer(n);
        let bytes = self.ir.int(self.program.buffers[n].ty.bytes() as i64);
        let offset = self.ir.mul(index, bytes, Arith::Wrapping);
        self.ir.offset(base, offset)
    }

    /// Copies the operands of one instance.
    pub(crate) fn pack(&mut self, p: &PackStore) {
        self.locate_region();
        let values = self.operands(p.stmt, &p.args, &p.operands);
        self.locate_region();
        let index = self.expr(&p.index);
        let first = self.buffer_place(p.buffer, index);
        let bytes = self.program.buffers[p.buffer].ty.bytes() as i64;
        for (n, value) in (0..).zip(values) {
            let ahead = self.ir.int(n * i64::from(p.width) * bytes);
            let store = self.ir.store(self.ir.offset(first, ahead), value);
            self.mark_access(store, Some(Memory::Buffer(p.buffer)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_sums_and_products() {
        let n = || Expr::Param(polytile_analysis::ids::ParamId(0));
        let padded = Expr::bin(BinOp::Add, n(), Expr::Int(8));
        assert!(Expr::bin(BinOp::Mul, padded, Expr::Size(0)).is_size());
        assert!(!Expr::bin(BinOp::FloorDiv, n(), Expr::Int(2)).is_size());
        assert!(!Expr::bin(BinOp::Max, n(), Expr::Iter(IterId(0))).is_size());
    }

    #[test]
    fn only_the_innermost_iterator_of_a_panel_stores_side_by_side() {
        let (row, step) = (Expr::Iter(IterId(0)), Expr::Iter(IterId(1)));
        let scaled = Expr::bin(BinOp::Mul, Expr::Int(8), step);
        let index = Expr::bin(
            BinOp::Sub,
            Expr::bin(BinOp::Add, scaled, row.clone()),
            Expr::Size(0),
        );
        assert_eq!(coefficient(&index, IterId(0)), Some(1));
        assert_eq!(coefficient(&index, IterId(1)), Some(8));
        let wrapped = Expr::bin(BinOp::PosRem, row, Expr::Int(8));
        assert_eq!(coefficient(&wrapped, IterId(0)), None);
        assert_eq!(coefficient(&wrapped, IterId(1)), Some(0));
    }
}
