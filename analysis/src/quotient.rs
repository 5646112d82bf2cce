//! Evolutions that are multiples of a number: what all of their parts have in common, and the quotient.

use crate::scev::{Scev, ScevKind, Wrap};

/// The greatest common divisor, not negative; that of 0 and 0 is 0.
pub fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Scev {
    /// What does not move, but for unknown values.
    pub fn constant_part(&self) -> i128 {
        match &self.kind {
            ScevKind::Const(c) => *c,
            ScevKind::Add(terms, _) => terms.iter().map(Scev::constant_part).sum(),
            ScevKind::AddRec { operands, .. } => operands[0].constant_part(),
            _ => 0,
        }
    }

    /// With a constant added.
    pub fn shifted(mut self, by: i128) -> Scev {
        match &mut self.kind {
            _ if by == 0 => self,
            ScevKind::Const(c) => Scev::constant(self.width, *c + by),
            ScevKind::AddRec { operands, wrap, .. } => {
                operands[0] = operands[0].clone().shifted(by);
                *wrap = Wrap::default();
                self
            }
            // A sum stays one: a quotient goes into its parts.
            ScevKind::Add(terms, wrap) => {
                terms.push(Scev::constant(self.width, by));
                *wrap = Wrap::default();
                self
            }
            _ => {
                let width = self.width;
                let terms = vec![Scev::constant(width, by), self];
                let kind = ScevKind::Add(terms, Wrap::default());
                Scev { width, kind }
            }
        }
    }

    /// Divided by a positive number that divides all of it; sums and products of the quotient wrap as `wrap` says. `None` if it is
    /// not seen to be a multiple.
    pub fn exact_quotient(&self, by: i128, wrap: Wrap) -> Option<Scev> {
        let kind = match &self.kind {
            _ if by == 1 => return Some(self.clone()),
            ScevKind::Const(c) => (c % by == 0).then_some(ScevKind::Const(c / by))?,
            ScevKind::Add(terms, _) => return self.quotient_of_sum(terms, by, wrap),
            ScevKind::AddRec {
                loop_, operands, ..
            } => {
                let operands = operands.iter().map(|s| s.exact_quotient(by, wrap));
                ScevKind::AddRec {
                    loop_: *loop_,
                    operands: operands.collect::<Option<_>>()?,
                    wrap,
                }
            }
            ScevKind::Mul(factors, _) => return self.quotient_of_product(factors, by, wrap),
            _ => return None,
        };
        let width = self.width;
        Some(Scev { width, kind })
    }

    /// The constant part may be spread over the terms.
    fn quotient_of_sum(&self, all: &[Scev], by: i128, wrap: Wrap) -> Option<Scev> {
        let (constants, rest): (Vec<&Scev>, Vec<&Scev>) =
            all.iter().partition(|t| t.as_constant().is_some());
        let mut left: i128 = constants.into_iter().filter_map(Scev::as_constant).sum();
        let mut terms = vec![];
        for term in rest {
            let own = term.constant_part().rem_euclid(by);
            left += own;
            terms.push(term.clone().shifted(-own).exact_quotient(by, wrap)?);
        }
        if left != 0 || terms.is_empty() {
            terms.push(Scev::constant(self.width, left).exact_quotient(by, wrap)?);
        }
        Some(self.of_parts(terms, |terms| ScevKind::Add(terms, wrap)))
    }

    /// The number may be spread over the factors.
    fn quotient_of_product(&self, all: &[Scev], by: i128, wrap: Wrap) -> Option<Scev> {
        let (constants, mut factors): (Vec<Scev>, Vec<Scev>) =
            all.iter().cloned().partition(|f| f.as_constant().is_some());
        let constant: i128 = constants.iter().filter_map(Scev::as_constant).product();
        let common = gcd(constant, by);
        if common != by {
            let quotient = |f: &Scev| f.exact_quotient(by / common, wrap);
            let found = factors.iter().enumerate();
            let (at, factor) = found.filter_map(|(n, f)| Some((n, quotient(f)?))).next()?;
            factors[at] = factor;
        }
        if constant != common || factors.is_empty() {
            factors.insert(0, Scev::constant(self.width, constant / common));
        }
        Some(self.of_parts(factors, |factors| ScevKind::Mul(factors, wrap)))
    }

    /// A sum or product of this width, or its only part.
    pub(crate) fn of_parts(
        &self,
        mut parts: Vec<Scev>,
        kind: impl Fn(Vec<Scev>) -> ScevKind,
    ) -> Scev {
        match parts.len() {
            1 => parts.remove(0),
            _ => Scev {
                width: self.width,
                kind: kind(parts),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ValueId;

    fn of(kind: ScevKind) -> Scev {
        Scev { width: 64, kind }
    }

    fn sum(terms: Vec<Scev>) -> Scev {
        of(ScevKind::Add(terms, Wrap::default()))
    }

    fn product(factors: Vec<Scev>) -> Scev {
        of(ScevKind::Mul(factors, Wrap::default()))
    }

    fn constant(c: i128) -> Scev {
        Scev::constant(64, c)
    }

    #[test]
    fn numbers_are_taken_from_where_they_are() {
        let n = Scev::unknown(64, ValueId(0));
        let quotient = |s: &Scev, by| s.exact_quotient(by, Wrap::default());
        let four = product(vec![constant(2), product(vec![constant(2), n.clone()])]);
        assert_eq!(quotient(&four, 4), Some(n.clone()));
        assert_eq!(quotient(&four, 8), None);
        // 4*n + 3 + (4*n + 5): neither constant is a multiple of 8, nor is 4*n.
        let double = |c| sum(vec![product(vec![constant(8), n.clone()]), constant(c)]);
        let spread = sum(vec![constant(3), double(5)]);
        assert_eq!(spread.constant_part(), 8);
        let found = quotient(&spread, 8).expect("a multiple");
        assert_eq!(found, sum(vec![n.clone(), constant(1)]));
        assert_eq!(quotient(&sum(vec![constant(3), double(4)]), 8), None);
    }
}
