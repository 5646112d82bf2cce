//! The lowest bit of `x ^ y`, which is that of a sum: colours of a red-black sweep.
//!
//! ```text
//! for (i = 1 + ((j ^ k ^ colour) & 1); i < n; i += 2)        first cell: 1 + (j + k + colour) mod 2
//! ```

use super::values::{Table, sum};
use crate::analyses::Evolution;
use crate::ffi::Kind;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::LLVMXor;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};

impl Table<'_> {
    /// What one bit is left of, if that is such a difference, as a sum of bits.
    pub(super) fn parity(&mut self, s: Evolution, at: Block) -> Option<Scev> {
        let of = *s.operands().first()?;
        if self.an.width(s) != 1 || of.kind() != Kind::Unknown {
            return None;
        }
        let differs = self.is_difference(of.unknown(), at);
        differs.then(|| self.lowest_bit(of.unknown(), at))?
    }

    fn is_difference(&self, v: Value, at: Block) -> bool {
        self.inside(v).is_some() && v.opcode() == LLVMXor && self.is_seen(v, at)
    }

    fn lowest_bit(&mut self, v: Value, at: Block) -> Option<Scev> {
        if self.is_difference(v, at) {
            let a = self.lowest_bit(v.operand(0), at)?;
            return Some(sum(a, self.lowest_bit(v.operand(1), at)?));
        }
        let s = self.an.evolution(v, Some(at))?;
        let s = self.convert(s, at).filter(|s| self.is_closed(s))?;
        Some(lowest(s))
    }
}

/// The lowest bit of sums is the sum of the lowest bits.
fn lowest(s: Scev) -> Scev {
    let all = |v: Vec<Scev>| v.into_iter().map(lowest).collect();
    match s.kind {
        ScevKind::Const(c) => Scev::constant(1, -(c & 1)),
        ScevKind::Add(v, _) => bit(ScevKind::Add(all(v), Wrap::default())),
        ScevKind::AddRec {
            loop_, operands, ..
        } => bit(ScevKind::AddRec {
            loop_,
            operands: all(operands),
            wrap: Wrap::default(),
        }),
        ScevKind::ZExt(a) | ScevKind::SExt(a) | ScevKind::Trunc(a) if a.width > 1 => lowest(*a),
        ScevKind::ZExt(a) | ScevKind::SExt(a) => *a,
        _ => bit(ScevKind::Trunc(Box::new(s))),
    }
}

fn bit(kind: ScevKind) -> Scev {
    Scev { width: 1, kind }
}
