//! Loops, their bounds and conditions.

use super::{Counter, Draft};
use crate::fuzz::program::{Condition, Form, Index, Loop, Relation, Statement, Variable, Width};

/// A loop whose body is being built.
pub(super) struct Head {
    counter: Counter,
    step: i64,
    form: Form,
}

impl Head {
    /// The loop's counter.
    pub(super) fn variable(&self) -> Variable {
        Variable::Counter(self.counter.id)
    }
}

impl Draft<'_> {
    /// Opens a loop with random bounds.
    pub(super) fn open_loop(&mut self) -> Head {
        let lower = self.lower_bound();
        let upper = self.upper_bound();
        let step = self.random.weighted(&[(12, 1), (2, 2), (1, 3), (1, 5)]);
        self.open(lower, upper, step)
    }

    /// Opens a loop over `lower <= i < upper`.
    pub(super) fn open(&mut self, lower: Index, upper: Index, step: i64) -> Head {
        let other = [Width::I16, Width::I32, Width::I64, Width::U32, Width::U64];
        let mut width = if self.random.chance(80) {
            self.usual_width
        } else {
            self.random.pick(&other)
        };
        if width.is_unsigned() && !self.is_natural(&lower) {
            width = Width::I32;
        }
        let form = self.form(width, &upper, step);
        let counter = Counter {
            id: self.next_counter,
            width,
            lower,
            upper,
        };
        self.next_counter += 1;
        self.scope.push(counter.clone());
        Head {
            counter,
            step,
            form,
        }
    }

    /// Opens a loop over `0 <= i < parameter`, the usual kind.
    pub(super) fn open_plain(&mut self, parameter: Variable) -> Head {
        self.open(Index::constant(0), Index::variable(parameter, 0), 1)
    }

    /// Ends the innermost loop.
    pub(super) fn close_loop(&mut self, head: Head, body: Vec<Statement>) -> Statement {
        let Head {
            counter,
            step,
            form,
        } = head;
        let open = self.scope.pop();
        debug_assert_eq!(
            open.map(|open| open.id),
            Some(counter.id),
            "loops close in order"
        );
        Statement::Loop(Loop {
            counter: counter.id,
            width: counter.width,
            lower: counter.lower,
            upper: counter.upper,
            step,
            form,
            body,
        })
    }

    fn form(&mut self, width: Width, upper: &Index, step: i64) -> Form {
        let natural_upper = self.is_natural(upper);
        match self.random.below(100) {
            0..12 if !width.is_unsigned() => Form::Down,
            12..20 if step == 1 && (natural_upper || !width.is_unsigned()) => Form::DownPost,
            20..28 if step == 1 => Form::DoWhile,
            28..38 if matches!(upper, Index::Linear(..)) => Form::UpInclusive,
            _ => Form::Up,
        }
    }

    fn lower_bound(&mut self) -> Index {
        let outer = self.counter_variables();
        if outer.is_empty() || self.random.chance(55) {
            let parameter = self.any_parameter();
            return match self.random.below(20) {
                0..14 => Index::constant(0),
                14..17 => Index::constant(self.random.range(1, 3)),
                17 => Index::constant(-self.random.range(1, 3)),
                18 => Index::Quotient(Box::new(Index::variable(parameter, 0)), 2),
                _ => Index::variable(parameter, -self.random.range(3, 9)),
            };
        }
        let counter = self.random.pick(&outer);
        match self.random.below(10) {
            0..3 => Index::variable(counter, 0),
            3..6 => Index::variable(counter, 1),
            6 => Index::Maximum(
                Box::new(Index::constant(self.random.range(0, 2))),
                Box::new(Index::variable(counter, -self.random.range(1, 5))),
            ),
            7 => Index::Quotient(
                Box::new(Index::variable(counter, 1)),
                self.random.range(2, 3),
            ),
            8 => Index::Maximum(
                Box::new(Index::variable(counter, 0)),
                Box::new(self.affine()),
            ),
            _ => Index::Linear(vec![(1, counter), (1, self.random.pick(&outer))], 0),
        }
    }

    fn upper_bound(&mut self) -> Index {
        let outer = self.counter_variables();
        let parameter = self.any_parameter();
        if outer.is_empty() || self.random.chance(60) {
            return match self.random.below(20) {
                0..14 => Index::variable(parameter, 0),
                14..17 => Index::variable(parameter, self.random.range(-2, 2)),
                17 => Index::constant(self.random.pick(&[1, 4, 7, 16])),
                18 => Index::Quotient(Box::new(Index::variable(parameter, 1)), 2),
                _ => Index::Minimum(
                    Box::new(Index::variable(parameter, 0)),
                    Box::new(Index::variable(self.any_parameter(), 1)),
                ),
            };
        }
        let counter = self.random.pick(&outer);
        match self.random.below(10) {
            0..2 => Index::variable(counter, 0),
            2..5 => Index::variable(counter, 1),
            5 => Index::Linear(vec![(1, parameter), (-1, counter)], 0),
            6..8 => Index::Minimum(
                Box::new(Index::variable(parameter, 0)),
                Box::new(Index::variable(counter, self.random.range(2, 9))),
            ),
            8 => Index::Linear(vec![(1, counter), (1, parameter)], 0),
            _ => Index::Linear(vec![(2, counter)], 1),
        }
    }

    /// A sum of one or two variables in scope.
    pub(super) fn affine(&mut self) -> Index {
        let mut variables = self.counter_variables();
        variables.push(self.any_parameter());
        let first = self.random.pick(&variables);
        let offset = self.random.range(-2, 2);
        if self.random.chance(60) {
            return Index::variable(first, offset);
        }
        let factor = self.random.pick(&[1, 1, -1, 2]);
        Index::Linear(
            vec![(1, first), (factor, self.random.pick(&variables))],
            offset,
        )
    }

    /// A condition on counters and parameters, rarely on data.
    pub(super) fn condition(&mut self) -> Condition {
        match self.random.below(20) {
            0..2 => Condition::And(Box::new(self.comparison()), Box::new(self.comparison())),
            2..4 => Condition::Or(Box::new(self.comparison()), Box::new(self.comparison())),
            4 => self.by_data(),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Condition {
        let relations = [
            Relation::Less,
            Relation::LessEqual,
            Relation::Greater,
            Relation::GreaterEqual,
            Relation::Equal,
            Relation::NotEqual,
        ];
        let relation = self.random.pick(&relations);
        if self.random.chance(30) {
            let divisor = self.random.range(2, 5);
            let remainder = Index::Remainder(Box::new(self.affine()), divisor);
            return Condition::Compare(
                remainder,
                relation,
                Index::constant(self.random.range(0, divisor - 1)),
            );
        }
        let right = if self.random.chance(50) {
            Index::constant(self.random.range(0, 9))
        } else {
            self.affine()
        };
        Condition::Compare(self.affine(), relation, right)
    }

    /// True where an index is never negative, whatever the sizes (parameters count only where they are unsigned).
    pub(super) fn is_natural(&self, index: &Index) -> bool {
        match index {
            Index::Linear(terms, constant) => {
                *constant >= 0
                    && terms.iter().all(|(factor, variable)| {
                        *factor >= 0
                            && match variable {
                                Variable::Parameter(id) => self.parameters[*id].is_unsigned(),
                                Variable::Counter(id) => self
                                    .scope
                                    .iter()
                                    .find(|counter| counter.id == *id)
                                    .is_some_and(|counter| self.is_natural(&counter.lower)),
                            }
                    })
            }
            Index::Quotient(inner, _) | Index::Remainder(inner, _) => self.is_natural(inner),
            Index::Minimum(left, right) => self.is_natural(left) && self.is_natural(right),
            Index::Maximum(left, right) => self.is_natural(left) || self.is_natural(right),
        }
    }
}
