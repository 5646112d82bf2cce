//! Running a program's control and subscripts, without its data.
//!
//! The simulation finds, for every array dimension and every run, the least and the greatest subscript, and refuses
//! programs that do too much or that would need negative values in unsigned variables. Both branches of a condition on
//! data are taken.

use super::program::{
    Condition, Form, Index, Loop, Place, Program, Relation, Statement, Variable, visit_places,
};

/// Instances of statements that one run may execute.
const WORK_LIMIT: usize = 60_000;
/// Values of counters and indices stay below this, far from every overflow (and in a `short`).
const VALUE_LIMIT: i64 = 20_000;

/// Why a program is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It executes more than [`WORK_LIMIT`] statement instances.
    TooMuchWork,
    /// An unsigned counter or parameter would be negative.
    Negative,
    /// A value is beyond [`VALUE_LIMIT`].
    TooLarge,
}

/// Least and greatest subscript, inclusive; `None` where the array is not accessed.
pub type Range = Option<(i64, i64)>;

/// The subscripts of one run: `[array][dimension]`.
pub type Ranges = Vec<Vec<Range>>;

/// Simulates every run of a program.
pub fn simulate(program: &Program) -> Result<Vec<Ranges>, Refusal> {
    program
        .runs
        .iter()
        .map(|run| simulate_run(program, run))
        .collect()
}

fn simulate_run(program: &Program, run: &[i64]) -> Result<Ranges, Refusal> {
    let negative =
        |(width, value): (&super::program::Width, &i64)| width.is_unsigned() && *value < 0;
    if program.parameters.iter().zip(run).any(negative) {
        return Err(Refusal::Negative);
    }
    let ranges = program
        .arrays
        .iter()
        .map(|array| vec![None; array.rank])
        .collect();
    let mut simulation = Simulation {
        parameters: run,
        counters: Vec::new(),
        ranges,
        work: 0,
    };
    simulation.block(&program.body)?;
    Ok(simulation.ranges)
}

struct Simulation<'a> {
    parameters: &'a [i64],
    /// Counters of the enclosing loops, innermost last.
    counters: Vec<(usize, i64)>,
    ranges: Ranges,
    work: usize,
}

impl Simulation<'_> {
    fn block(&mut self, statements: &[Statement]) -> Result<(), Refusal> {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Refusal> {
        self.work += 1;
        if self.work > WORK_LIMIT {
            return Err(Refusal::TooMuchWork);
        }
        match statement {
            Statement::Loop(inner) => self.run_loop(inner),
            Statement::If(condition, then, otherwise) => {
                let holds = self.condition(condition)?;
                if holds != Some(false) {
                    self.block(then)?;
                }
                if holds != Some(true) {
                    self.block(otherwise)?;
                }
                Ok(())
            }
            Statement::Assign(..) => self.accesses(std::slice::from_ref(statement)),
            Statement::Clear(place, count) => self.span(place, count),
            Statement::Copy(to, from, count) => {
                self.span(to, count)?;
                self.span(from, count)
            }
        }
    }

    fn run_loop(&mut self, inner: &Loop) -> Result<(), Refusal> {
        let (lower, upper) = (self.index(&inner.lower)?, self.index(&inner.upper)?);
        let down_post = inner.form == Form::DownPost;
        if inner.width.is_unsigned() && (lower < 0 || (down_post && upper < 0)) {
            return Err(Refusal::Negative);
        }
        // Downwards the counter starts at the last value below `upper` and keeps the distance of `step` from there.
        let first = if inner.form == Form::Down {
            upper - 1
        } else {
            lower
        };
        let count = if lower < upper {
            (upper - lower + inner.step - 1) / inner.step
        } else {
            0
        };
        for trip in 0..count {
            let value = if inner.form == Form::Down {
                first - trip * inner.step
            } else {
                lower + trip * inner.step
            };
            self.counters.push((inner.counter, value));
            self.work += 1;
            let result = self.block(&inner.body);
            self.counters.pop();
            result?;
        }
        Ok(())
    }

    /// Whether a condition holds; `None` where data decide.
    fn condition(&mut self, condition: &Condition) -> Result<Option<bool>, Refusal> {
        Ok(match condition {
            Condition::Compare(left, relation, right) => {
                Some(compare(self.index(left)?, *relation, self.index(right)?))
            }
            Condition::And(left, right) => match (self.condition(left)?, self.condition(right)?) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Condition::Or(left, right) => match (self.condition(left)?, self.condition(right)?) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Condition::Data(_, left, _, right) => {
                let mut places = Vec::new();
                super::program::visit_value(left, &mut |place| places.push(place.clone()));
                super::program::visit_value(right, &mut |place| places.push(place.clone()));
                for place in places {
                    self.access(&place)?;
                }
                None
            }
        })
    }

    fn accesses(&mut self, statements: &[Statement]) -> Result<(), Refusal> {
        let mut places = Vec::new();
        visit_places(statements, &mut |place| places.push(place));
        places.into_iter().try_for_each(|place| self.access(place))
    }

    fn access(&mut self, place: &Place) -> Result<(), Refusal> {
        for (dimension, subscript) in place.subscripts.iter().enumerate() {
            let value = self.index(subscript)?;
            self.widen(place.array, dimension, value);
        }
        Ok(())
    }

    /// An access to `count` elements from a place on.
    fn span(&mut self, place: &Place, count: &Index) -> Result<(), Refusal> {
        let count = self.index(count)?;
        if count <= 0 {
            return Ok(());
        }
        self.work += count as usize / 8;
        self.access(place)?;
        let last = place.subscripts.len() - 1;
        let end = self.index(&place.subscripts[last])? + count - 1;
        self.widen(place.array, last, end);
        Ok(())
    }

    fn widen(&mut self, array: usize, dimension: usize, value: i64) {
        let range = &mut self.ranges[array][dimension];
        *range = Some(range.map_or((value, value), |(least, most)| {
            (least.min(value), most.max(value))
        }));
    }

    fn index(&self, index: &Index) -> Result<i64, Refusal> {
        let value = match index {
            Index::Linear(terms, constant) => {
                terms
                    .iter()
                    .map(|(factor, variable)| factor * self.variable(*variable))
                    .sum::<i64>()
                    + constant
            }
            Index::Quotient(inner, divisor) => self.index(inner)? / divisor,
            Index::Remainder(inner, divisor) => self.index(inner)? % divisor,
            Index::Minimum(left, right) => self.index(left)?.min(self.index(right)?),
            Index::Maximum(left, right) => self.index(left)?.max(self.index(right)?),
        };
        if value.abs() < VALUE_LIMIT {
            Ok(value)
        } else {
            Err(Refusal::TooLarge)
        }
    }

    fn variable(&self, variable: Variable) -> i64 {
        match variable {
            Variable::Parameter(id) => self.parameters[id],
            Variable::Counter(id) => {
                let found = self
                    .counters
                    .iter()
                    .rev()
                    .find(|(counter, _)| *counter == id);
                found.expect("a counter is used only inside of its loop").1
            }
        }
    }
}

fn compare(left: i64, relation: Relation, right: i64) -> bool {
    match relation {
        Relation::Less => left < right,
        Relation::LessEqual => left <= right,
        Relation::Greater => left > right,
        Relation::GreaterEqual => left >= right,
        Relation::Equal => left == right,
        Relation::NotEqual => left != right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::program::{Array, Element, Storage, Target, Update, Value, Width};

    /// `for (i = 0; i < n; i += 2) A[i / 2 - 1] = 0;`
    fn strided(form: Form, width: Width) -> Program {
        let subscript = Index::Quotient(Box::new(Index::variable(Variable::Counter(0), -2)), 2);
        let target = Target::Element(Place {
            array: 0,
            subscripts: vec![subscript],
        });
        Program {
            parameters: vec![Width::I32],
            runs: vec![vec![0], vec![8]],
            arrays: vec![Array {
                element: Element::F64,
                rank: 1,
                storage: Storage::Variable,
                growing: false,
                overlap: None,
            }],
            scalars: Vec::new(),
            restrict: false,
            loaded: false,
            inlined: false,
            body: vec![Statement::Loop(Loop {
                counter: 0,
                width,
                lower: Index::constant(0),
                upper: Index::variable(Variable::Parameter(0), 0),
                step: 2,
                form,
                body: vec![Statement::Assign(target, Update::Set, Value::Fraction(0))],
            })],
        }
    }

    #[test]
    fn ranges_are_exact() {
        let ranges = simulate(&strided(Form::Up, Width::I32)).unwrap();
        assert_eq!(ranges, [vec![vec![None]], vec![vec![Some((-1, 2))]]]);
        // 7, 5, 3, 1 downwards.
        let ranges = simulate(&strided(Form::Down, Width::I32)).unwrap();
        assert_eq!(ranges[1], vec![vec![Some((0, 2))]]);
    }

    #[test]
    fn too_much_work_and_negative_unsigned_values_are_refused() {
        let mut program = strided(Form::Up, Width::U32);
        if let Statement::Loop(outer) = &mut program.body[0] {
            outer.lower = Index::constant(-1);
        }
        assert_eq!(simulate(&program), Err(Refusal::Negative));
        let mut program = strided(Form::Up, Width::I32);
        program.runs = vec![vec![19_000]];
        for counter in 1..4 {
            let inner = program.body.pop().unwrap();
            let Statement::Loop(mut outer) = inner.clone() else {
                unreachable!()
            };
            outer.counter = counter;
            outer.body = vec![inner];
            program.body.push(Statement::Loop(outer));
        }
        assert_eq!(simulate(&program), Err(Refusal::TooMuchWork));
    }
}
