//! Branches by data: assignments on one side or on both, branches in branches, and chains of cases.

use super::Draft;
use crate::fuzz::program::{Condition, Element, Operator, Relation, Statement, Target, Value};

impl Draft<'_> {
    /// A comparison of data.
    pub(super) fn by_data(&mut self) -> Condition {
        let element = self.usual_element;
        let relation = self.random.pick(&[Relation::Less, Relation::GreaterEqual]);
        let left = self.value(element, 1);
        Condition::Data(element, left, relation, self.value(element, 1))
    }

    /// A branch with branches in it to some depth.
    pub(super) fn branches(&mut self, depth: usize) -> Statement {
        let data = self.by_data();
        let condition = match self.random.below(10) {
            0 => Condition::And(Box::new(self.condition()), Box::new(data)),
            1 => Condition::Or(Box::new(data), Box::new(self.condition())),
            2 => Condition::Or(Box::new(data), Box::new(self.by_data())),
            _ => data,
        };
        let then = self.side(depth);
        let otherwise = match self.random.chance(50) {
            true => self.side(depth),
            false => vec![],
        };
        Statement::If(condition, then, otherwise)
    }

    fn side(&mut self, depth: usize) -> Vec<Statement> {
        let count = self.random.weighted(&[(5, 1), (3, 2)]);
        let one = |draft: &mut Self| match draft.random.below(10) {
            0..3 if depth > 0 => draft.branches(depth - 1),
            3 if !draft.scalars.is_empty() => {
                let id = draft.random.below(draft.scalars.len());
                let (element, growing) = (draft.scalars[id].element, draft.scalars[id].growing);
                let (update, value) = draft.update(element, growing);
                Statement::Assign(Target::Scalar(id), update, value)
            }
            _ => draft.assignment(),
        };
        (0..count).map(|_| one(self)).collect()
    }

    /// Statements by the last bits of a number that was loaded: compilers make a switch of such a chain.
    pub(super) fn data_cases(&mut self) -> Statement {
        let element = Element::U32;
        let array = self.array_of(element);
        let load = Value::Load(self.access(array));
        let bits = Value::Binary(Operator::And, Box::new(load), Box::new(Value::Integer(7)));
        let mut chain = match self.random.chance(50) {
            true => vec![self.assignment()],
            false => vec![],
        };
        for value in (0..self.random.range(3, 5)).rev() {
            let relation = Relation::Equal;
            let here = Condition::Data(element, bits.clone(), relation, Value::Integer(value));
            chain = vec![Statement::If(here, vec![self.assignment()], chain)];
        }
        chain.pop().expect("at least three cases")
    }
}
