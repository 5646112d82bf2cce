//! Numbers that share one register: small structures passed by value.
//!
//! ```text
//! void f(struct { int n, m; } d, ..)            f(i64 d, ..)      n = trunc d to i32;  m = trunc (d >> 32) to i32
//! ```
//!
//! Taken for the register itself, as truncations of sizes are, `n` would be what it is only where all other numbers are zero. Where
//! the register is never looked at as a whole, each number in it is a value of its own, computed in front of the region.

use super::values::{Table, sum};
use crate::analyses::Evolution;
use crate::ffi::Kind;
use crate::llvm::Value;
use llvm_sys::LLVMOpcode::{
    LLVMAShr, LLVMAdd, LLVMAnd, LLVMCall, LLVMLShr, LLVMMul, LLVMPHI, LLVMRet, LLVMShl, LLVMStore,
    LLVMSub, LLVMTrunc,
};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};

/// Numbers of other sizes are read as the next larger one of these.
const SIZES: [u32; 3] = [8, 16, 32];

/// Sums and products between a register and what cuts them off.
const STEPS: usize = 3;

/// A shift to the right of a register of more than one number, and what was added to the number that is lowest then: `(d - (2 << 32)) >> 32`.
#[derive(Clone, Copy)]
struct Shifted {
    register: Value,
    by: u32,
    plus: i128,
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
    /// what is counted written by LLVM; and `c` times all bits that are left of a product of 35 bits, which says nothing of the highest ones.
    fn multiple(&mut self, s: Evolution) -> Option<Scev> {
        let [c, part] = s.operands()[..] else {
            return None;
        };
        let factor = (c.kind() == Kind::Constant).then(|| c.constant())??;
        let width = self.an.width(s);
        let number = match (part.kind(), &part.operands()[..]) {
            (Kind::UDiv, [a, d]) => {
                let further = power_of_two(*d)?;
                let from = self.shifted_down(*a)?;
                let by = from.by + further;
                if factor % (1 << further) != 0 || by >= width {
                    return None;
                }
                self.rest(Shifted { by, ..from }, ScevKind::SExt)?
            }
            (Kind::Trunc, [a]) => {
                let from = self.shifted(*a)?;
                let left = width.checked_sub(factor.trailing_zeros())?;
                let number = SIZES.contains(&left).then(|| self.number(from, left))??;
                let kind = ScevKind::SExt(Box::new(number));
                Scev { width, kind }
            }
            _ => return None,
        };
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
        let number = match (self.in_front(bits)?, from.plus) {
            (number, 0) => number,
            (number, plus) => sum(Scev::constant(size, plus), number),
        };
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
        let (register, by, plus) = match (s.kind(), &s.operands()[..]) {
            (Kind::Unknown, _) => (s.unknown(), 0, 0),
            (Kind::UDiv, [a, by]) => {
                let by = power_of_two(*by)?;
                match (a.kind(), &a.operands()[..]) {
                    (Kind::Unknown, _) => (a.unknown(), by, 0),
                    (Kind::Add, [c, a])
                        if c.kind() == Kind::Constant && a.kind() == Kind::Unknown =>
                    {
                        let c = c.constant()?;
                        (c % (1 << by) == 0).then_some((a.unknown(), by, c >> by))?
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let shifted = Shifted { register, by, plus };
        self.is_packed(register).then_some(shifted)
    }

    /// A register's shift with sign, in the region or in front of it.
    fn shifted_down(&mut self, s: Evolution) -> Option<Shifted> {
        let v = (s.kind() == Kind::Unknown).then(|| s.unknown())?;
        if !v.is_instruction() || v.opcode() != LLVMAShr {
            return None;
        }
        let by = u32::try_from(v.operand(1).int_constant()?).ok()?;
        let of = v.operand(0);
        let (register, plus) = match of.is_instruction() && of.opcode() == LLVMAdd && adds_above(of)
        {
            true => (of.operand(0), of.operand(1).int_constant()? >> by),
            false => (of, 0),
        };
        let shifted = Shifted { register, by, plus };
        self.is_packed(register).then_some(shifted)
    }

    /// Whether a value in front of the region is only taken apart or passed on.
    fn is_packed(&mut self, v: Value) -> bool {
        if v.is_constant() || self.inside(v).is_some() {
            return false;
        }
        let known = self.packed.get(&v).copied();
        known.unwrap_or_else(|| {
            let users = users(v, STEPS);
            let takes = users.iter().all(|(u, of)| takes_part(*u, *of));
            let packed = takes && users.iter().any(|(u, _)| is_part(*u));
            self.packed.insert(v, packed);
            packed
        })
    }
}

/// What uses a value, and by which name: it has another one behind the exit of a loop, and of a nest with a new version beside it.
fn users(v: Value, steps: usize) -> Vec<(Value, Value)> {
    let renames = |u: &Value| u.is_phi() && u.incoming().len() == 1;
    let (names, users): (Vec<Value>, Vec<Value>) = v.users().into_iter().partition(renames);
    let mut all: Vec<(Value, Value)> = users.into_iter().map(|u| (u, v)).collect();
    for name in names {
        match steps {
            0 => all.push((name, v)),
            _ => all.extend(self::users(name, steps - 1)),
        }
    }
    all
}

/// Whether an instruction takes some bits of a value or passes all of them on.
fn takes_part(user: Value, v: Value) -> bool {
    match user.opcode() {
        LLVMTrunc | LLVMCall | LLVMStore | LLVMRet | LLVMPHI => true,
        LLVMLShr | LLVMAShr | LLVMShl | LLVMAnd => {
            user.operand(0) == v && user.operand(1).int_constant().is_some()
        }
        LLVMAdd if adds_above(user) => true,
        _ => counts_low(user, STEPS),
    }
}

/// Whether an instruction adds to numbers above others, which are cut off then: `(d - (2 << 32)) >> 32`.
fn adds_above(add: Value) -> bool {
    let Some(low) = add.operand(1).int_constant().map(i128::trailing_zeros) else {
        return false;
    };
    let cuts = |u: &Value| {
        let shifts = matches!(u.opcode(), LLVMLShr | LLVMAShr) && u.operand(0) == add;
        shifts && (u.operand(1).int_constant()).is_some_and(|by| by <= low.into())
    };
    low > 0 && add.users().iter().all(|u| u.is_instruction() && cuts(u))
}

/// Whether an instruction that takes a part of a value leaves the rest, alone or with the next one: `(d << 32) >> 32`.
fn is_part(user: Value) -> bool {
    match user.opcode() {
        LLVMTrunc | LLVMLShr | LLVMAShr => true,
        LLVMShl => user.users().iter().all(|u| u.opcode() == LLVMAShr),
        LLVMAnd => {
            let mask = user.operand(1).int_constant();
            mask.is_some_and(|m| (1..1 << 32).contains(&m) && (m + 1) & m == 0)
        }
        _ => false,
    }
}

/// Whether only the low bits matter of what an instruction computes from low bits: `(i * d) & 0xffffffff`, where `d` holds a row's length.
fn counts_low(user: Value, steps: usize) -> bool {
    let computes = matches!(user.opcode(), LLVMAdd | LLVMSub | LLVMMul);
    let cuts = |u: &Value| match u.opcode() {
        LLVMTrunc => true,
        LLVMShl | LLVMAnd => u.operand(0) == user && u.operand(1).int_constant().is_some(),
        _ => steps > 0 && counts_low(*u, steps - 1),
    };
    computes && user.users().iter().all(cuts)
}

/// The exponent of a constant that is one.
fn power_of_two(s: Evolution) -> Option<u32> {
    let c = (s.kind() == Kind::Constant).then(|| s.constant())??;
    let c = u64::try_from(c).ok().filter(|c| c.is_power_of_two())?;
    Some(c.trailing_zeros())
}
