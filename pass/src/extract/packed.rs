//! Numbers that share one register: small structures passed by value.
//!
//! ```text
//! void f(struct { int n, m; } d, ..)            f(i64 d, ..)      n = trunc d to i32;  m = trunc (d >> 32) to i32
//! ```
//!
//! Taken for the register itself, as truncations of sizes are, `n` would be what it is only where all other numbers are zero. Where
//! the register is never looked at as a whole, each number in it is a value of its own, computed in front of the region.

use super::values::Table;
use crate::analyses::Evolution;
use crate::ffi::Kind;
use crate::llvm::Value;
use llvm_sys::LLVMOpcode::{
    LLVMAShr, LLVMAnd, LLVMCall, LLVMLShr, LLVMRet, LLVMShl, LLVMStore, LLVMTrunc,
};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};

/// Numbers of other sizes are read as the next larger one of these.
const SIZES: [u32; 3] = [8, 16, 32];

/// A shift to the right of a register of more than one number.
#[derive(Clone, Copy)]
struct Shifted {
    register: Value,
    by: u32,
}

impl Table<'_> {
    /// What a number in a register is; `None` if an evolution is something else.
    pub(super) fn packed(&mut self, s: Evolution) -> Option<Scev> {
        let width = self.an.width(s);
        match s.kind() {
            Kind::Trunc => {
                let from = self.shifted(*s.operands().first()?)?;
                self.number(from, width)
            }
            Kind::UDiv => {
                let from = self.shifted(s)?;
                self.rest(from, ScevKind::ZExt)
            }
            Kind::Unknown => {
                let from = self.shifted_down(s)?;
                self.rest(from, ScevKind::SExt)
            }
            Kind::Mul => self.multiple(s),
            _ => None,
        }
    }

    /// `c * (a / d)` without signs, where `a` is a register shifted with its sign and `c` a multiple of the power of two `d`: bits that a
    /// wrong sign adds to the quotient are beyond the product's, so that the shift goes on instead. So is a number times the size of
    /// what is counted written by LLVM.
    fn multiple(&mut self, s: Evolution) -> Option<Scev> {
        let [c, quotient] = s.operands()[..] else {
            return None;
        };
        if c.kind() != Kind::Constant || quotient.kind() != Kind::UDiv {
            return None;
        }
        let [a, d] = quotient.operands()[..] else {
            return None;
        };
        let (factor, further) = (c.constant()?, power_of_two(d)?);
        let Shifted { register, by } = self.shifted_down(a)?;
        let by = by + further;
        if factor % (1 << further) != 0 || by >= self.an.width(s) {
            return None;
        }
        let width = self.an.width(s);
        let number = self.rest(Shifted { register, by }, ScevKind::SExt)?;
        let parts = vec![Scev::constant(width, factor), number];
        let kind = ScevKind::Mul(parts, Wrap::default());
        Some(Scev { width, kind })
    }

    /// What is above a shift, as a number of its own with more bits.
    fn rest(&mut self, from: Shifted, extended: fn(Box<Scev>) -> ScevKind) -> Option<Scev> {
        let width = self.width_of(from.register)?;
        let left = width - from.by;
        let number = SIZES.contains(&left).then(|| self.number(from, left))??;
        let kind = extended(Box::new(number));
        Some(Scev { width, kind })
    }

    /// The lowest bits of a number that begins there.
    fn number(&mut self, from: Shifted, width: u32) -> Option<Scev> {
        let size = *SIZES.iter().find(|s| **s >= width)?;
        let whole = self.width_of(from.register)?;
        if from.by + size > whole || (from.by == 0 && size == whole) {
            return None;
        }
        let bits = self.an.bits(from.register, (from.by, size));
        let number = self.in_front(bits)?;
        let kind = match size == width {
            true => return Some(number),
            false => ScevKind::Trunc(Box::new(number)),
        };
        Some(Scev { width, kind })
    }

    fn width_of(&self, v: Value) -> Option<u32> {
        Some(self.an.width(self.an.evolution(v, None)?))
    }

    /// A register in front of the region, or its shift without sign.
    fn shifted(&mut self, s: Evolution) -> Option<Shifted> {
        let (register, by) = match (s.kind(), &s.operands()[..]) {
            (Kind::Unknown, _) => (s.unknown(), 0),
            (Kind::UDiv, [a, by]) if a.kind() == Kind::Unknown => (a.unknown(), power_of_two(*by)?),
            _ => return None,
        };
        self.is_packed(register).then_some(Shifted { register, by })
    }

    /// A register's shift with sign, in the region or in front of it.
    fn shifted_down(&mut self, s: Evolution) -> Option<Shifted> {
        let v = (s.kind() == Kind::Unknown).then(|| s.unknown())?;
        if !v.is_instruction() || v.opcode() != LLVMAShr {
            return None;
        }
        let by = u32::try_from(v.operand(1).int_constant()?).ok()?;
        let register = v.operand(0);
        self.is_packed(register).then_some(Shifted { register, by })
    }

    /// Whether a value in front of the region is only taken apart or passed on.
    fn is_packed(&mut self, v: Value) -> bool {
        if v.is_constant() || self.inside(v).is_some() {
            return false;
        }
        let known = self.packed.get(&v).copied();
        known.unwrap_or_else(|| {
            let users = v.users();
            let parts = |u: &Value| matches!(u.opcode(), LLVMTrunc | LLVMLShr | LLVMAShr);
            let packed = users.iter().all(|u| takes_part(*u, v)) && users.iter().any(parts);
            self.packed.insert(v, packed);
            packed
        })
    }
}

/// Whether an instruction takes some bits of a value or passes all of them on.
fn takes_part(user: Value, v: Value) -> bool {
    match user.opcode() {
        LLVMTrunc | LLVMCall | LLVMStore | LLVMRet => true,
        LLVMLShr | LLVMAShr | LLVMShl | LLVMAnd => {
            user.operand(0) == v && user.operand(1).int_constant().is_some()
        }
        _ => false,
    }
}

/// The exponent of a constant that is one.
fn power_of_two(s: Evolution) -> Option<u32> {
    let c = (s.kind() == Kind::Constant).then(|| s.constant())??;
    let c = u64::try_from(c).ok().filter(|c| c.is_power_of_two())?;
    Some(c.trailing_zeros())
}
