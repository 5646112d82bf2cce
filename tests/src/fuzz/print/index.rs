//! Indices as C, with casts where unsigned arithmetic would not give the mathematical value.
//!
//! An index is *natural* where it and all its parts are visibly not negative: then it may be computed and compared in any
//! type. Everything else is computed in `long`: unsigned variables in it are cast.

use std::collections::BTreeSet;

use super::Printer;
use crate::fuzz::program::{CounterId, Index, Program, Relation, Statement, Variable};

/// Which counters and parameters are never negative, and which variables are unsigned.
pub(super) struct Naturals {
    counters: BTreeSet<CounterId>,
    unsigned_counters: BTreeSet<CounterId>,
    parameters: Vec<bool>,
    unsigned_parameters: Vec<bool>,
}

/// Collects them for a program.
pub(super) fn natural_counters(program: &Program) -> Naturals {
    let natural = |id: usize| program.runs.iter().all(|run| run[id] >= 0);
    let mut naturals = Naturals {
        counters: BTreeSet::new(),
        unsigned_counters: BTreeSet::new(),
        parameters: (0..program.parameters.len()).map(natural).collect(),
        unsigned_parameters: program
            .parameters
            .iter()
            .map(|width| width.is_unsigned())
            .collect(),
    };
    naturals.collect(&program.body);
    naturals
}

impl Naturals {
    fn collect(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Loop(inner) => {
                    if inner.width.is_unsigned() {
                        self.unsigned_counters.insert(inner.counter);
                    }
                    if inner.width.is_unsigned() || self.is_natural(&inner.lower) {
                        self.counters.insert(inner.counter);
                    }
                    self.collect(&inner.body);
                }
                Statement::If(_, then, otherwise) => {
                    self.collect(then);
                    self.collect(otherwise);
                }
                Statement::Assign(..) | Statement::Clear(..) | Statement::Copy(..) => {}
            }
        }
    }

    fn is_natural(&self, index: &Index) -> bool {
        match index {
            Index::Linear(terms, constant) => {
                *constant >= 0
                    && terms.iter().all(|(factor, variable)| {
                        *factor >= 0
                            && match variable {
                                Variable::Counter(id) => self.counters.contains(id),
                                Variable::Parameter(id) => self.parameters[*id],
                            }
                    })
            }
            Index::Quotient(inner, _) | Index::Remainder(inner, _) => self.is_natural(inner),
            Index::Minimum(left, right) | Index::Maximum(left, right) => {
                self.is_natural(left) && self.is_natural(right)
            }
        }
    }

    fn is_unsigned(&self, variable: Variable) -> bool {
        match variable {
            Variable::Counter(id) => self.unsigned_counters.contains(&id),
            Variable::Parameter(id) => self.unsigned_parameters[id],
        }
    }
}

impl Relation {
    pub(super) fn c_name(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        }
    }
}

impl Printer<'_> {
    pub(super) fn is_natural(&self, index: &Index) -> bool {
        self.naturals.is_natural(index)
    }

    /// An index in the types of its variables where that is safe, else in `long`.
    pub(super) fn index(&self, index: &Index) -> String {
        let signed = !self.is_natural(index);
        self.spell(index, signed)
    }

    /// An index in signed arithmetic, in parentheses where it is not a single word.
    pub(super) fn signed(&self, index: &Index) -> String {
        let text = self.spell(index, true);
        let single = text.chars().all(|c| c.is_ascii_alphanumeric());
        if single { text } else { format!("({text})") }
    }

    /// An index with a constant added; the constant is folded into a sum.
    pub(super) fn index_plus(&self, index: &Index, offset: i64) -> String {
        match index {
            Index::Linear(terms, constant) => {
                self.index(&Index::Linear(terms.clone(), constant + offset))
            }
            _ if offset == 0 => self.index(index),
            _ => format!(
                "{} {} {}",
                self.signed(index),
                if offset < 0 { '-' } else { '+' },
                offset.abs()
            ),
        }
    }

    /// A comparison of two indices.
    pub(super) fn compare(&self, left: &Index, relation: &str, right: &Index) -> String {
        let signed = !(self.is_natural(left) && self.is_natural(right));
        format!(
            "{} {relation} {}",
            self.spell(left, signed),
            self.spell(right, signed)
        )
    }

    /// A comparison of a counter with a bound and an offset.
    pub(super) fn test(
        &self,
        counter: Variable,
        relation: &str,
        bound: &Index,
        offset: i64,
    ) -> String {
        let counter = Index::variable(counter, 0);
        match bound {
            Index::Linear(terms, constant) => self.compare(
                &counter,
                relation,
                &Index::Linear(terms.clone(), constant + offset),
            ),
            _ if offset == 0 => self.compare(&counter, relation, bound),
            _ => format!(
                "{} {relation} {} - {}",
                self.signed(&counter),
                self.signed(bound),
                -offset
            ),
        }
    }

    pub(super) fn spell(&self, index: &Index, signed: bool) -> String {
        match index {
            Index::Linear(terms, constant) => self.sum(terms, *constant, signed),
            Index::Quotient(inner, divisor) => {
                format!("({}) / {divisor}", self.spell(inner, signed))
            }
            Index::Remainder(inner, divisor) => {
                format!("({}) % {divisor}", self.spell(inner, signed))
            }
            Index::Minimum(left, right) => format!(
                "MIN({}, {})",
                self.spell(left, signed),
                self.spell(right, signed)
            ),
            Index::Maximum(left, right) => format!(
                "MAX({}, {})",
                self.spell(left, signed),
                self.spell(right, signed)
            ),
        }
    }

    fn sum(&self, terms: &[(i64, Variable)], constant: i64, signed: bool) -> String {
        let mut text = String::new();
        for (factor, variable) in terms {
            let name = match variable {
                Variable::Counter(id) => format!("i{id}"),
                Variable::Parameter(id) => format!("n{id}"),
            };
            let name = if signed && self.naturals.is_unsigned(*variable) {
                format!("(long){name}")
            } else {
                name
            };
            let term = if factor.abs() == 1 {
                name
            } else {
                format!("{} * {name}", factor.abs())
            };
            match (text.is_empty(), *factor < 0) {
                (true, true) => text.push_str(&format!("-{term}")),
                (true, false) => text.push_str(&term),
                (false, true) => text.push_str(&format!(" - {term}")),
                (false, false) => text.push_str(&format!(" + {term}")),
            }
        }
        match (text.is_empty(), constant) {
            (true, constant) => constant.to_string(),
            (false, 0) => text,
            (false, constant) if constant < 0 => format!("{text} - {}", -constant),
            (false, constant) => format!("{text} + {constant}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::generate::{Generated, generate};
    use crate::fuzz::layout::Layout;
    use crate::fuzz::program::Width;

    #[test]
    fn unsigned_variables_are_cast_where_a_sum_could_be_negative() {
        let mut program = generate(0).program;
        program.parameters = vec![Width::U32, Width::I32];
        program.runs = vec![vec![3, 4]];
        program.body.clear();
        program.arrays.clear();
        let generated = Generated {
            program,
            layout: Layout {
                arrays: Vec::new(),
                extra: Vec::new(),
            },
        };
        let printer = Printer::new(&generated);
        let (u, n) = (Variable::Parameter(0), Variable::Parameter(1));
        assert_eq!(
            printer.index(&Index::Linear(vec![(2, u), (1, n)], 1)),
            "2 * n0 + n1 + 1"
        );
        assert_eq!(
            printer.index(&Index::Linear(vec![(1, u), (-1, n)], 0)),
            "(long)n0 - n1"
        );
        assert_eq!(printer.index_plus(&Index::variable(u, -2), 3), "n0 + 1");
        assert_eq!(
            printer.compare(&Index::variable(u, 0), "<", &Index::variable(n, -1)),
            "(long)n0 < n1 - 1"
        );
        let half = Index::Quotient(Box::new(Index::variable(u, 1)), 2);
        assert_eq!(printer.index_plus(&half, -1), "(((long)n0 + 1) / 2) - 1");
    }
}
