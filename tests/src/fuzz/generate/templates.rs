//! Shapes that people write: products, stencils, row sums, eliminations, recurrences, producers and consumers, scalars
//! that cross statements. Bounds, subscripts, types and loop orders vary; the point is that deep bands, reductions and
//! carried scalars occur more often than chance would have them.

use super::Draft;
use crate::fuzz::program::{
    Element, Index, Operator, Place, Statement, Storage, Target, Update, Value, Variable,
};

fn at(variable: Variable) -> Index {
    Index::variable(variable, 0)
}

impl Draft<'_> {
    /// A two-dimensional array of the usual type.
    fn matrix(&mut self, growing: bool) -> usize {
        let id = self.new_array(Some(self.usual_element));
        self.set_rank(id, 2);
        self.arrays[id].growing = growing;
        id
    }

    fn vector(&mut self, growing: bool) -> usize {
        let id = self.new_array(Some(self.usual_element));
        self.set_rank(id, 1);
        self.arrays[id].growing = growing;
        id
    }

    fn load(array: usize, subscripts: Vec<Index>) -> Box<Value> {
        Box::new(Value::Load(Place { array, subscripts }))
    }

    /// `target += value` in the spelling that the type's ranges allow.
    fn accumulate(&mut self, array: usize, subscripts: Vec<Index>, value: Value) -> Statement {
        let growing = self.arrays[array].growing;
        let target = Target::Element(Place { array, subscripts });
        let (update, value) = match self.usual_element {
            Element::F64 | Element::F32 if growing => (Update::Combine(Operator::Add), value),
            Element::F64 | Element::F32 => (Update::Combine(Operator::Maximum), value),
            Element::I32 => (Update::Combine(Operator::Minimum), value),
            _ => (
                Update::Combine(self.random.pick(&[
                    Operator::Add,
                    Operator::Subtract,
                    Operator::Maximum,
                ])),
                value,
            ),
        };
        Statement::Assign(target, update, value)
    }

    /// The product of two values, or their sum for tame integers (min-plus).
    pub(super) fn times(&self, left: Box<Value>, right: Box<Value>) -> Value {
        let operator = if self.usual_element == Element::I32 {
            Operator::Add
        } else {
            Operator::Multiply
        };
        Value::Binary(operator, left, right)
    }

    /// `C[i][j] += A[i][k] * B[k][j]` in any loop order, transposed or triangular or with the product's factors from one
    /// array, before it sometimes a scaling of C.
    pub(super) fn product(&mut self) -> Vec<Statement> {
        let [c, a] = [self.matrix(true), self.matrix(false)];
        let b = if self.random.chance(25) {
            a
        } else {
            self.matrix(false)
        };
        if self.random.chance(20) {
            self.arrays[c].storage = Storage::Local;
        }
        let sizes = [(); 3].map(|()| self.any_parameter());
        let triangular = self.random.chance(35);
        let mut order = [0, 1, 2];
        self.random.shuffle(&mut order);
        let mut variables = [None; 3];
        let mut heads = Vec::new();
        for member in order {
            let bound = match variables.iter().flatten().next() {
                Some(outer) if triangular => Index::variable(*outer, self.random.range(0, 1)),
                _ => at(sizes[member]),
            };
            let head = self.open(Index::constant(0), bound, 1);
            variables[member] = Some(head.variable());
            heads.push(head);
        }
        let [i, j, k] = variables.map(|variable| variable.expect("all three loops are open"));
        let transpose = |flip: bool, first: Variable, second: Variable| {
            if flip {
                vec![at(second), at(first)]
            } else {
                vec![at(first), at(second)]
            }
        };
        let left = Self::load(a, transpose(self.random.chance(30), i, k));
        let right = Self::load(b, transpose(self.random.chance(30), k, j));
        let value = self.times(left, right);
        let mut body = vec![self.accumulate(c, vec![at(i), at(j)], value)];
        while let Some(head) = heads.pop() {
            body = vec![self.close_loop(head, body)];
        }
        if self.random.chance(40) {
            body.insert(0, self.scaling(c, sizes));
        }
        body
    }

    /// `for i, j: C[i][j] = ..`, an initialisation or a scaling.
    fn scaling(&mut self, c: usize, sizes: [Variable; 3]) -> Statement {
        let outer = self.open_plain(sizes[0]);
        let inner = self.open_plain(sizes[1]);
        let place = Place {
            array: c,
            subscripts: vec![at(outer.variable()), at(inner.variable())],
        };
        let update = match self.usual_element {
            Element::I32 => Update::Set,
            _ => self
                .random
                .pick(&[Update::Set, Update::Combine(Operator::Multiply)]),
        };
        let value = if self.usual_element.is_float() {
            Value::Fraction(48)
        } else {
            Value::Integer(3)
        };
        let body = vec![Statement::Assign(Target::Element(place), update, value)];
        let body = vec![self.close_loop(inner, body)];
        self.close_loop(outer, body)
    }

    /// A few time steps of one or two sweeps over a line or a plane, in place or from array to array.
    pub(super) fn stencil(&mut self) -> Vec<Statement> {
        let rank = self.random.range(1, 2) as usize;
        let field = |draft: &mut Self| {
            if rank == 1 {
                draft.vector(false)
            } else {
                draft.matrix(false)
            }
        };
        let first = field(self);
        let second = if self.random.chance(25) {
            first
        } else {
            field(self)
        };
        let sizes = [self.any_parameter(), self.any_parameter()];
        let steps = Index::constant(self.random.range(1, 6));
        let time = self.open(Index::constant(0), steps, 1);
        let mut body = vec![self.sweep(second, first, &sizes[..rank])];
        if self.random.chance(70) {
            body.push(self.sweep(first, second, &sizes[..rank]));
        }
        vec![self.close_loop(time, body)]
    }

    fn sweep(&mut self, to: usize, from: usize, sizes: &[Variable]) -> Statement {
        let heads: Vec<_> = sizes
            .iter()
            .map(|size| self.open(Index::constant(1), Index::variable(*size, -1), 1))
            .collect();
        let centre: Vec<Variable> = heads.iter().map(super::loops::Head::variable).collect();
        let place = |offsets: &[i64], array| Place {
            array,
            subscripts: centre
                .iter()
                .zip(offsets)
                .map(|(variable, offset)| Index::variable(*variable, *offset))
                .collect(),
        };
        let element = self.usual_element;
        let mut value = Value::Load(place(&vec![0; sizes.len()], from));
        for _ in 0..self.random.range(1, 4) {
            let offsets: Vec<i64> = sizes.iter().map(|_| self.random.range(-1, 1)).collect();
            let neighbour = Value::Load(place(&offsets, from));
            value = match element {
                Element::F64 | Element::F32 => {
                    let half = |value| {
                        Box::new(Value::Binary(
                            Operator::Multiply,
                            Box::new(Value::Fraction(32)),
                            Box::new(value),
                        ))
                    };
                    Value::Binary(Operator::Add, half(value), half(neighbour))
                }
                Element::I32 => {
                    Value::Binary(Operator::Maximum, Box::new(value), Box::new(neighbour))
                }
                _ => Value::Binary(Operator::Add, Box::new(value), Box::new(neighbour)),
            };
        }
        let target = Target::Element(place(&vec![0; sizes.len()], to));
        let mut statement = Statement::Assign(target, Update::Set, value);
        for head in heads.into_iter().rev() {
            statement = self.close_loop(head, vec![statement]);
        }
        statement
    }

    /// Subscripts that a division makes: time steps that write into rows of one array in turn, `A[(t + 1) % c][i]`, or cells
    /// in blocks, `A[i / c][j % d]`.
    pub(super) fn divided(&mut self) -> Vec<Statement> {
        let (a, x) = (self.matrix(false), self.vector(false));
        let sizes = [self.any_parameter(), self.any_parameter()];
        let [outer, inner] = sizes.map(|size| self.open_plain(size));
        let [i, j] = [outer.variable(), inner.variable()];
        let [c, d] = [(); 2].map(|()| self.random.pick(&[2, 3, 4, 8]));
        let quotient = |at, c| Index::Quotient(Box::new(at), c);
        let rest = |at, c| Index::Remainder(Box::new(at), c);
        let shift = self.random.range(-1, 1);
        let [to, from] = match self.random.below(3) {
            0 => [1, 0].map(|step| {
                vec![
                    rest(Index::variable(i, step), c),
                    Index::variable(j, shift * step),
                ]
            }),
            1 => [
                vec![quotient(at(i), c), rest(at(j), d)],
                vec![quotient(at(j), c), rest(at(i), d)],
            ],
            _ => {
                let sum = |offset| Index::Linear(vec![(1, i), (1, j)], offset);
                [0, shift].map(|offset| vec![quotient(sum(offset), c), rest(sum(offset), c)])
            }
        };
        let value = self.times(Self::load(a, from), Self::load(x, vec![at(j)]));
        let target = Target::Element(Place {
            array: a,
            subscripts: to,
        });
        let body = vec![Statement::Assign(target, Update::Set, value)];
        let body = vec![self.close_loop(inner, body)];
        vec![self.close_loop(outer, body)]
    }

    /// Sums along rows, then a use of the sum along the columns, as in A^T (A x).
    pub(super) fn row_sums(&mut self) -> Vec<Statement> {
        let a = self.matrix(false);
        let [x, sums, columns] = [self.vector(false), self.vector(true), self.vector(true)];
        let [rows, length] = [self.any_parameter(), self.any_parameter()];
        let row = self.open_plain(rows);
        let i = row.variable();
        let reset = if self.usual_element.is_float() {
            Value::Fraction(0)
        } else {
            Value::Integer(0)
        };
        let place = Place {
            array: sums,
            subscripts: vec![at(i)],
        };
        let mut body = vec![Statement::Assign(
            Target::Element(place),
            Update::Set,
            reset,
        )];
        let inner = self.open_plain(length);
        let j = inner.variable();
        let value = self.times(
            Self::load(a, vec![at(i), at(j)]),
            Self::load(x, vec![at(j)]),
        );
        let sum = self.accumulate(sums, vec![at(i)], value);
        body.push(self.close_loop(inner, vec![sum]));
        if self.random.chance(60) {
            let inner = self.open_plain(length);
            let j = inner.variable();
            let value = self.times(
                Self::load(a, vec![at(i), at(j)]),
                Self::load(sums, vec![at(i)]),
            );
            let sum = self.accumulate(columns, vec![at(j)], value);
            body.push(self.close_loop(inner, vec![sum]));
        }
        vec![self.close_loop(row, body)]
    }

    /// An elimination in place: `for k, i > k: { scale a[i][k]; for j > k: a[i][j] -= a[i][k] * a[k][j] }`.
    pub(super) fn elimination(&mut self) -> Vec<Statement> {
        let a = self.matrix(false);
        let size = self.any_parameter();
        let pivot = self.open_plain(size);
        let k = pivot.variable();
        let row = self.open(Index::variable(k, 1), at(size), 1);
        let i = row.variable();
        let element = self.usual_element;
        let pivot_value = Self::load(a, vec![at(k), at(k)]);
        let scaled = Value::Divide(Self::load(a, vec![at(i), at(k)]), pivot_value);
        let place = Place {
            array: a,
            subscripts: vec![at(i), at(k)],
        };
        let mut body = vec![Statement::Assign(
            Target::Element(place),
            Update::Set,
            scaled,
        )];
        let lower = if self.random.chance(70) {
            Index::variable(k, 1)
        } else {
            at(i)
        };
        let column = self.open(lower, at(size), 1);
        let j = column.variable();
        let old = Self::load(a, vec![at(i), at(j)]);
        let product = Box::new(self.times(
            Self::load(a, vec![at(i), at(k)]),
            Self::load(a, vec![at(k), at(j)]),
        ));
        let value = match element {
            Element::F64 | Element::F32 => {
                let half = |value| {
                    Box::new(Value::Binary(
                        Operator::Multiply,
                        Box::new(Value::Fraction(32)),
                        value,
                    ))
                };
                Value::Binary(Operator::Subtract, half(old), half(product))
            }
            Element::I32 => Value::Binary(Operator::Minimum, old, product),
            _ => Value::Binary(Operator::Subtract, old, product),
        };
        let place = Place {
            array: a,
            subscripts: vec![at(i), at(j)],
        };
        let update = vec![Statement::Assign(
            Target::Element(place),
            Update::Set,
            value,
        )];
        body.push(self.close_loop(column, update));
        let body = vec![self.close_loop(row, body)];
        vec![self.close_loop(pivot, body)]
    }

    /// A recurrence along each line with the previous values kept in scalars, as in a recursive filter.
    pub(super) fn recurrence(&mut self) -> Vec<Statement> {
        let element = self.usual_element;
        let [from, to] = [self.matrix(false), self.matrix(false)];
        let [newest, older] = [
            self.new_scalar(element, false),
            self.new_scalar(element, false),
        ];
        let [lines, length] = [self.any_parameter(), self.any_parameter()];
        let along_rows = self.random.chance(50);
        let line = self.open_plain(lines);
        let reset = |scalar| {
            let zero = if element.is_float() {
                Value::Fraction(0)
            } else {
                Value::Integer(0)
            };
            Statement::Assign(Target::Scalar(scalar), Update::Set, zero)
        };
        let mut outer = vec![reset(newest), reset(older)];
        let inner = self.open_plain(length);
        let (i, j) = (at(line.variable()), at(inner.variable()));
        let subscripts = if along_rows { vec![i, j] } else { vec![j, i] };
        let input = Self::load(from, subscripts.clone());
        let value = self.blend(element, input, newest, older);
        let place = Place {
            array: to,
            subscripts,
        };
        let body = vec![
            Statement::Assign(Target::Element(place.clone()), Update::Set, value),
            Statement::Assign(Target::Scalar(older), Update::Set, Value::Scalar(newest)),
            Statement::Assign(Target::Scalar(newest), Update::Set, Value::Load(place)),
        ];
        outer.push(self.close_loop(inner, body));
        vec![self.close_loop(line, outer)]
    }

    /// A combination of an input and two scalars that keeps the type's range.
    fn blend(&mut self, element: Element, input: Box<Value>, newest: usize, older: usize) -> Value {
        let share = |factor, value| {
            Box::new(Value::Binary(
                Operator::Multiply,
                Box::new(Value::Fraction(factor)),
                value,
            ))
        };
        let [newest, older] = [newest, older].map(|scalar| Box::new(Value::Scalar(scalar)));
        match element {
            Element::F64 | Element::F32 => {
                let two = Box::new(Value::Binary(
                    Operator::Add,
                    share(32, input),
                    share(24, newest),
                ));
                Value::Binary(Operator::Add, two, share(8, older))
            }
            Element::I32 => {
                let two = Box::new(Value::Binary(Operator::Maximum, input, newest));
                Value::Binary(Operator::Xor, two, older)
            }
            _ => {
                let two = Box::new(Value::Binary(
                    Operator::Multiply,
                    newest,
                    Box::new(Value::Integer(5)),
                ));
                let sum = Box::new(Value::Binary(Operator::Add, input, two));
                Value::Binary(Operator::Subtract, sum, older)
            }
        }
    }

    /// Nests one after the other, each reading with an offset or reversed what the one before wrote.
    pub(super) fn producer_consumer(&mut self) -> Vec<Statement> {
        let size = self.any_parameter();
        let mut from = self.vector(false);
        let mut nests = Vec::new();
        for _ in 0..self.random.range(2, 3) {
            let to = self.vector(false);
            let end = self.random.range(-1, 1);
            let head = self.open(Index::constant(0), Index::variable(size, end), 1);
            let i = head.variable();
            let source = match self.random.below(4) {
                0 => Index::Linear(vec![(1, size), (-1, i)], -1),
                _ => Index::variable(i, self.random.range(-1, 1)),
            };
            let element = self.usual_element;
            let other = Box::new(self.value(element, 1));
            let loaded = Self::load(from, vec![source]);
            let operator = match element {
                Element::I32 => Operator::Minimum,
                _ => Operator::Multiply,
            };
            let place = Place {
                array: to,
                subscripts: vec![at(i)],
            };
            let value = Value::Binary(operator, loaded, other);
            let body = vec![Statement::Assign(
                Target::Element(place),
                Update::Set,
                value,
            )];
            nests.push(self.close_loop(head, body));
            from = to;
        }
        nests
    }

    /// `s = ..; for ..: s += ..; use s`, a scalar that crosses statements.
    pub(super) fn scalar_sum(&mut self) -> Vec<Statement> {
        let element = self.usual_element;
        let scalar = self.new_scalar(element, true);
        let start = self.value(element, 0);
        let start = match element {
            Element::I32 => Value::Binary(
                Operator::And,
                Box::new(start),
                Box::new(Value::Integer(255)),
            ),
            _ => start,
        };
        let mut statements = vec![Statement::Assign(
            Target::Scalar(scalar),
            Update::Set,
            start,
        )];
        let head = self.open_loop();
        let value = self.value(element, 2);
        let (update, value) = match element {
            Element::I32 => {
                let small = Value::Binary(
                    Operator::And,
                    Box::new(value),
                    Box::new(Value::Integer(255)),
                );
                (Update::Combine(Operator::Add), small)
            }
            _ => (Update::Combine(Operator::Add), value),
        };
        let body = vec![Statement::Assign(Target::Scalar(scalar), update, value)];
        statements.push(self.close_loop(head, body));
        let array = self.array_of(element);
        let place = self.access(array);
        statements.push(Statement::Assign(
            Target::Element(place),
            Update::Set,
            Value::Scalar(scalar),
        ));
        statements
    }

    /// A scalar set from memory, used by the next statement, sometimes also by the next iteration.
    pub(super) fn scalar_chain(&mut self) -> Vec<Statement> {
        let element = self.usual_element;
        let scalar = self.new_scalar(element, false);
        let set = Statement::Assign(Target::Scalar(scalar), Update::Set, self.value(element, 1));
        let array = self.array_of(element);
        let place = self.access(array);
        let used = Value::Binary(
            if element == Element::I32 {
                Operator::Xor
            } else {
                Operator::Multiply
            },
            Box::new(Value::Scalar(scalar)),
            Box::new(self.value(element, 1)),
        );
        let use_it = Statement::Assign(Target::Element(place), Update::Set, used);
        if self.random.chance(50) {
            vec![set, use_it]
        } else {
            vec![use_it, set]
        }
    }
}
