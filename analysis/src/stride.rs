//! How an evolution moves with each loop: its stride.
//!
//! The address of `A[i][j]` is `base + 8*M*i + 8*j`; its stride in the loop of `i` is `8*M`, in the loop of `j` it is 8.
//! ScalarEvolution writes this as nested recurrences `{{0,+,8*M}<i>,+,8}<j>`, possibly below sums.

use crate::ids::LoopId;
use crate::scev::{Scev, ScevKind};

/// What an evolution gains per iteration of a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum Stride {
    /// Nothing: it does not depend on the loop.
    Zero,
    /// A constant.
    Const(i128),
    /// An expression that does not depend on the loop.
    Symbolic(Scev),
    /// Not the same gain in each iteration, or not seen.
    Irregular,
}

impl Stride {
    /// The constant gain, 0 for an invariant evolution.
    pub fn as_const(&self) -> Option<i128> {
        match self {
            Stride::Zero => Some(0),
            Stride::Const(c) => Some(*c),
            _ => None,
        }
    }
}

/// The stride of `s` in `loop_`.
///
/// ```
/// use polytile_analysis::{ids::LoopId, scev::{Scev, ScevKind, Wrap}, stride::{stride, Stride}};
/// let c = |v| Scev::constant(64, v);
/// let rec = |l, start, step| Scev {
///     width: 64,
///     kind: ScevKind::AddRec { loop_: LoopId(l), operands: vec![start, step], wrap: Wrap::default() },
/// };
/// let a = rec(1, rec(0, c(0), c(800)), c(8));
/// assert_eq!(stride(&a, LoopId(0)), Stride::Const(800));
/// assert_eq!(stride(&a, LoopId(1)), Stride::Const(8));
/// assert_eq!(stride(&a, LoopId(2)), Stride::Zero);
/// ```
pub fn stride(s: &Scev, loop_: LoopId) -> Stride {
    if !s.loops().contains(&loop_) {
        return Stride::Zero;
    }
    match &s.kind {
        ScevKind::AddRec {
            loop_: at,
            operands,
            ..
        } if operands.len() == 2 => {
            let inner = stride(&operands[0], loop_);
            if *at != loop_ {
                return if operands[1].loops().contains(&loop_) {
                    Stride::Irregular
                } else {
                    inner
                };
            }
            match inner {
                Stride::Zero => gain(&operands[1]),
                _ => Stride::Irregular,
            }
        }
        ScevKind::Add(terms, _) => {
            let mut found = Stride::Zero;
            for t in terms {
                found = match (found, stride(t, loop_)) {
                    (f, Stride::Zero) => f,
                    (Stride::Zero, g) => g,
                    (Stride::Const(a), Stride::Const(b)) => Stride::Const(a + b),
                    _ => Stride::Irregular,
                };
            }
            found
        }
        ScevKind::Mul(factors, _) if factors.len() == 2 => {
            match (factors[0].as_constant(), stride(&factors[1], loop_)) {
                (Some(c), Stride::Const(g)) => Stride::Const(c * g),
                _ => Stride::Irregular,
            }
        }
        ScevKind::SExt(inner) | ScevKind::ZExt(inner) => match stride(inner, loop_) {
            Stride::Const(g) => Stride::Const(g),
            _ => Stride::Irregular,
        },
        _ => Stride::Irregular,
    }
}

fn gain(step: &Scev) -> Stride {
    match step.as_constant() {
        Some(c) => Stride::Const(c),
        None => Stride::Symbolic(step.clone()),
    }
}
