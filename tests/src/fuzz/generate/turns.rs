//! What takes turns: planes of one array over time steps, `A[(t + 1) % 2][i][j]` of `A[t % 2]`, and statements by the value of an
//! index, which are printed as a `switch`.

use super::Draft;
use crate::fuzz::program::{
    Condition, Index, Place, Relation, Statement, Storage, Target, Update, Value, Variable,
};

impl Draft<'_> {
    /// A few time steps that write one plane of an array from another.
    pub(super) fn alternation(&mut self) -> Vec<Statement> {
        let planes = self.random.pick(&[2, 2, 2, 3, 4]);
        let rank = self.random.range(2, 3) as usize;
        let array = self.new_array(Some(self.usual_element));
        self.set_rank(array, rank);
        self.arrays[array].growing = false;
        if self.random.chance(70) {
            self.arrays[array].storage = Storage::Variable;
        }
        let steps = match self.random.chance(30) {
            true => Index::variable(self.any_parameter(), 0),
            false => Index::constant(self.random.range(1, 6)),
        };
        let time = self.open(Index::constant(0), steps, 1);
        let sizes: Vec<Variable> = (1..rank).map(|_| self.any_parameter()).collect();
        let heads: Vec<_> = sizes
            .iter()
            .map(|size| self.open(Index::constant(1), Index::variable(*size, -1), 1))
            .collect();
        let centre: Vec<Variable> = heads.iter().map(super::loops::Head::variable).collect();
        let t = time.variable();
        let place = |step: i64, offsets: &[i64]| {
            let plane = Index::Remainder(Box::new(Index::variable(t, step)), planes);
            let cell = centre.iter().zip(offsets);
            let cell = cell.map(|(variable, offset)| Index::variable(*variable, *offset));
            Place {
                array,
                subscripts: std::iter::once(plane).chain(cell).collect(),
            }
        };
        let mut offsets = || -> Vec<i64> {
            let all = centre.iter();
            all.map(|_| self.random.range(-1, 1)).collect()
        };
        let neighbours = [offsets(), offsets()];
        let [a, b] = neighbours.map(|o| Box::new(Value::Load(place(0, &o))));
        let value = self.times(a, b);
        let target = Target::Element(place(planes - 1, &vec![0; centre.len()]));
        let mut statement = Statement::Assign(target, Update::Set, value);
        for head in heads.into_iter().rev() {
            statement = self.close_loop(head, vec![statement]);
        }
        vec![self.close_loop(time, vec![statement])]
    }

    /// Statements by the value of an index: a chain of conditions on one, equal to one constant each.
    pub(super) fn cases(&mut self) -> Statement {
        let index = match self.random.chance(70) {
            true => Index::Remainder(Box::new(self.affine()), self.random.range(2, 5)),
            false => self.affine(),
        };
        let count = self.random.range(2, 4);
        let mut chain = match self.random.chance(50) {
            true => vec![self.assignment()],
            false => vec![],
        };
        for value in (0..count).rev() {
            let here = Condition::Compare(index.clone(), Relation::Equal, Index::constant(value));
            chain = vec![Statement::If(here, vec![self.assignment()], chain)];
        }
        chain.pop().expect("at least two cases")
    }
}
