//! Accesses, values and assignments.

use super::Draft;
use crate::fuzz::program::{
    ArrayId, Element, Function, Index, Operator, Place, ScalarId, Statement, Target, Update, Value,
    Variable,
};

/// Tame integers are below this, a power of two.
const TAME: i64 = 1 << 20;

impl Draft<'_> {
    /// An access with random subscripts: mostly distinct counters with small offsets.
    pub(super) fn access(&mut self, array: ArrayId) -> Place {
        let mut counters = self.counter_variables();
        if self.random.chance(40) {
            self.random.shuffle(&mut counters);
        } else {
            // The innermost counters in order, as people write it.
            let rank = self.arrays[array].rank;
            let from = counters.len().saturating_sub(rank);
            counters.drain(..from);
        }
        let subscripts = (0..self.arrays[array].rank)
            .map(|at| self.subscript(counters.get(at).copied()))
            .collect();
        Place { array, subscripts }
    }

    fn subscript(&mut self, counter: Option<Variable>) -> Index {
        let Some(counter) = counter else {
            return match self.random.below(3) {
                0 => Index::constant(self.random.range(0, 3)),
                _ if self.scope.is_empty() => Index::constant(0),
                1 => self.affine(),
                _ => Index::variable(self.random.pick(&self.counter_variables()), 0),
            };
        };
        match self.random.below(100) {
            0..60 => Index::variable(counter, 0),
            60..78 => Index::variable(counter, self.random.range(-2, 2)),
            78..83 => Index::Linear(vec![(2, counter)], self.random.range(0, 1)),
            83..87 => Index::Linear(vec![(-1, counter), (1, self.any_parameter())], -1),
            87..91 => Index::Linear(
                vec![
                    (1, counter),
                    (1, self.random.pick(&self.counter_variables())),
                ],
                0,
            ),
            91..94 => Index::Quotient(Box::new(self.dividend(counter)), self.random.range(2, 4)),
            94..97 => Index::Remainder(Box::new(self.dividend(counter)), self.random.range(2, 9)),
            _ => self.affine(),
        }
    }

    fn dividend(&mut self, counter: Variable) -> Index {
        match self.random.below(3) {
            0 => self.affine(),
            _ => Index::variable(counter, self.random.range(-1, 2)),
        }
    }

    /// An array of an element type; declared where there is none.
    pub(super) fn array_of(&mut self, element: Element) -> ArrayId {
        let ids: Vec<ArrayId> = (0..self.arrays.len())
            .filter(|id| self.arrays[*id].element == element)
            .collect();
        if ids.is_empty() || (ids.len() < 3 && self.random.chance(20)) {
            return self.new_array(Some(element));
        }
        self.random.pick(&ids)
    }

    /// A value of an element type; floating-point values have magnitude at most 1, tame integers are tame.
    pub(super) fn value(&mut self, element: Element, depth: usize) -> Value {
        if depth == 0 || self.random.chance(15) {
            return self.leaf(element);
        }
        if self.random.chance(7) {
            let other = self.random.below(self.arrays.len());
            let from = self.arrays[other].element;
            if from != element {
                return Value::Convert(from, Box::new(Value::Load(self.access(other))));
            }
        }
        if self.random.chance(4) {
            return self.gathered(depth);
        }
        match element {
            Element::F64 | Element::F32 => self.float(element, depth),
            Element::I32 => self.tame(depth),
            _ => self.unsigned(element, depth),
        }
    }

    /// What a table holds where data says.
    fn gathered(&mut self, depth: usize) -> Value {
        let integers = [
            Element::U8,
            Element::U16,
            Element::U32,
            Element::I32,
            Element::U64,
        ];
        let from = self.random.pick(&integers);
        let index = Box::new(self.value(from, depth - 1));
        match self.random.below(3) {
            0 => Value::Row(from, index),
            _ => Value::LookUp(from, index),
        }
    }

    fn leaf(&mut self, element: Element) -> Value {
        let scalars: Vec<ScalarId> = (0..self.scalars.len())
            .filter(|id| self.scalars[*id].element == element)
            .collect();
        match self.random.below(100) {
            0..10 if !scalars.is_empty() => Value::Scalar(self.random.pick(&scalars)),
            10..18 if element.is_float() => Value::Fraction(self.random.range(-64, 64)),
            10..18 => Value::Integer(self.random.range(0, 200)),
            18..24 => Value::Position(self.affine()),
            _ => {
                let array = self.array_of(element);
                Value::Load(self.access(array))
            }
        }
    }

    /// Magnitudes: products of values at most 1 stay so; sums are of multiples whose factors sum to at most 1.
    fn float(&mut self, element: Element, depth: usize) -> Value {
        let left = Box::new(self.value(element, depth - 1));
        match self.random.below(100) {
            0..35 => {
                let right = Box::new(self.value(element, depth - 1));
                let share = self.random.range(8, 48);
                let scaled = |factor, value| {
                    Box::new(Value::Binary(
                        Operator::Multiply,
                        Box::new(Value::Fraction(factor)),
                        value,
                    ))
                };
                let operator = self.random.pick(&[Operator::Add, Operator::Subtract]);
                Value::Binary(operator, scaled(share, left), scaled(64 - share, right))
            }
            35..60 => Value::Binary(
                Operator::Multiply,
                left,
                Box::new(self.value(element, depth - 1)),
            ),
            60..66 => Value::Apply(
                self.random.pick(&[Function::Negate, Function::Absolute]),
                left,
            ),
            66..72 => Value::Apply(
                self.random.pick(&[Function::Root, Function::OpenRoot]),
                left,
            ),
            72..76 => Value::Apply(
                self.random
                    .pick(&[Function::AtMost, Function::AtLeast, Function::Steps]),
                left,
            ),
            76..79 => Value::Apply(Function::Decay, left),
            79..85 => Value::Divide(left, Box::new(self.value(element, depth - 1))),
            85..90 => {
                let parts = [(); 3].map(|()| self.value(element, depth - 1));
                let [b, c, d] = parts;
                Value::Select(Box::new([*left, b, c, d]))
            }
            _ => {
                let operator = self.random.pick(&[Operator::Minimum, Operator::Maximum]);
                Value::Binary(operator, left, Box::new(self.value(element, depth - 1)))
            }
        }
    }

    fn unsigned(&mut self, element: Element, depth: usize) -> Value {
        let left = Box::new(self.value(element, depth - 1));
        if self.random.chance(12) {
            return Value::Apply(
                self.random
                    .pick(&[Function::Complement, Function::Shift, Function::Steps]),
                left,
            );
        }
        if self.random.chance(6) {
            return Value::Divide(left, Box::new(self.value(element, depth - 1)));
        }
        let operator = self.random.pick(&[
            Operator::Add,
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::And,
            Operator::Or,
            Operator::Xor,
            Operator::Minimum,
            Operator::Maximum,
        ]);
        Value::Binary(operator, left, Box::new(self.value(element, depth - 1)))
    }

    /// Values in `0 .. 2^20`.
    fn tame(&mut self, depth: usize) -> Value {
        let left = Box::new(self.value(Element::I32, depth - 1));
        let right = Box::new(self.value(Element::I32, depth - 1));
        let masked = |value, mask| {
            Box::new(Value::Binary(
                Operator::And,
                value,
                Box::new(Value::Integer(mask)),
            ))
        };
        match self.random.below(10) {
            0..4 => {
                let sum = Box::new(Value::Binary(Operator::Add, left, right));
                *masked(sum, TAME - 1)
            }
            4..6 => Value::Binary(Operator::Multiply, masked(left, 1023), masked(right, 1023)),
            6 => Value::Divide(left, right),
            _ => {
                let operators = [
                    Operator::And,
                    Operator::Or,
                    Operator::Xor,
                    Operator::Minimum,
                    Operator::Maximum,
                ];
                Value::Binary(self.random.pick(&operators), left, right)
            }
        }
    }

    /// An assignment to an array element.
    pub(super) fn assignment(&mut self) -> Statement {
        let element = if self.random.chance(85) {
            self.usual_element
        } else {
            self.arrays[self.random.below(self.arrays.len())].element
        };
        let array = self.array_of(element);
        let place = self.access(array);
        let growing = self.arrays[array].growing;
        let (update, value) = self.update(element, growing);
        Statement::Assign(Target::Element(place), update, value)
    }

    /// How a target of a type is updated, and with what.
    pub(super) fn update(&mut self, element: Element, growing: bool) -> (Update, Value) {
        let depth = self.random.weighted(&[(2, 1), (4, 2), (1, 3)]);
        let value = self.value(element, depth);
        if self.random.chance(if growing { 30 } else { 65 }) {
            return (Update::Set, value);
        }
        match element {
            Element::F64 | Element::F32 if growing => (
                Update::Combine(self.random.pick(&[
                    Operator::Add,
                    Operator::Add,
                    Operator::Subtract,
                ])),
                value,
            ),
            Element::F64 | Element::F32 => {
                let operators = [Operator::Multiply, Operator::Minimum, Operator::Maximum];
                (Update::Combine(self.random.pick(&operators)), value)
            }
            // At most 2^16 additions of less than 2^8 stay far below 2^31.
            Element::I32 if growing => {
                let small = Value::Binary(
                    Operator::And,
                    Box::new(value),
                    Box::new(Value::Integer(255)),
                );
                (Update::Combine(Operator::Add), small)
            }
            Element::I32 if self.random.chance(40) => {
                let sum = Value::Binary(
                    Operator::Add,
                    Box::new(value),
                    Box::new(self.value(element, 0)),
                );
                (Update::Combine(Operator::Minimum), sum)
            }
            Element::I32 => {
                let operators = [
                    Operator::Minimum,
                    Operator::Maximum,
                    Operator::And,
                    Operator::Or,
                    Operator::Xor,
                ];
                (Update::Combine(self.random.pick(&operators)), value)
            }
            _ => {
                let operators = [
                    Operator::Add,
                    Operator::Add,
                    Operator::Subtract,
                    Operator::Multiply,
                    Operator::And,
                    Operator::Or,
                    Operator::Xor,
                    Operator::Minimum,
                    Operator::Maximum,
                ];
                (Update::Combine(self.random.pick(&operators)), value)
            }
        }
    }

    /// A memset or memcpy over the last dimension.
    pub(super) fn block_operation(&mut self) -> Statement {
        let to = self.random.below(self.arrays.len());
        let place = self.access(to);
        let count = self.affine();
        let alike: Vec<ArrayId> = (0..self.arrays.len())
            .filter(|id| {
                let (left, right) = (&self.arrays[to], &self.arrays[*id]);
                *id != to && left.element == right.element && left.growing == right.growing
            })
            .collect();
        if alike.is_empty() || self.random.chance(60) {
            return Statement::Clear(place, count);
        }
        let from = self.random.pick(&alike);
        Statement::Copy(place, self.access(from), count)
    }
}
