//! From a seed to a program.
//!
//! A program is a sequence of one to four nests, each from a [`templates`] shape or wholly random, over a handful of
//! arrays. The sizes are hostile (0, 1, primes, one around a power of two) and shrink until the [`super::simulate`]d work
//! is bearable; a draft that is refused for another reason is drawn again.

mod branches;
mod growth;
mod loops;
mod templates;
mod turns;
mod values;

use super::layout::{self, Layout};
use super::program::{
    Array, ArrayId, CounterId, Element, Index, Program, Scalar, ScalarId, Statement, Storage,
    Variable, Width,
};
use super::random::Random;
use super::simulate::{self, Refusal};

/// A program and where its arrays lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The program.
    pub program: Program,
    /// The layout of its arrays.
    pub layout: Layout,
}

/// Sizes that tend to go wrong.
const HOSTILE: [i64; 20] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 23, 31, 32, 33, 47, 64, 65, 97,
];
/// Local arrays stay on the stack.
const LOCAL_LIMIT: i64 = 4000;

/// The program of a seed.
pub fn generate(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    loop {
        if let Some(generated) = attempt(&mut random) {
            return generated;
        }
    }
}

fn attempt(random: &mut Random) -> Option<Generated> {
    let mut program = Draft::new(random).program();
    for _ in 0..10 {
        match simulate::simulate(&program) {
            Ok(ranges) => {
                let layout = layout::layout(&program, &ranges)?;
                keep_locals_small(&mut program, &layout);
                return Some(Generated { program, layout });
            }
            Err(Refusal::TooMuchWork) => shrink(&mut program),
            Err(_) => return None,
        }
    }
    None
}

/// Halves the larger sizes of every run.
fn shrink(program: &mut Program) {
    for run in &mut program.runs {
        let largest = run.iter().copied().max().unwrap_or(0);
        run.iter_mut()
            .filter(|size| **size * 2 > largest)
            .for_each(|size| *size /= 2);
    }
}

fn keep_locals_small(program: &mut Program, layout: &Layout) {
    for id in 0..program.arrays.len() {
        if program.arrays[id].storage == Storage::Local
            && layout.elements(program, id, 0) > LOCAL_LIMIT
        {
            program.arrays[id].storage = Storage::Constant;
        }
    }
}

/// A loop counter in scope.
#[derive(Debug, Clone)]
struct Counter {
    id: CounterId,
    width: Width,
    lower: Index,
    upper: Index,
}

/// A program under construction.
struct Draft<'r> {
    random: &'r mut Random,
    parameters: Vec<Width>,
    arrays: Vec<Array>,
    scalars: Vec<Scalar>,
    /// Counters of the open loops, innermost last.
    scope: Vec<Counter>,
    next_counter: CounterId,
    /// Width of counters in most loops of this program.
    usual_width: Width,
    /// Element type of most arrays of this program.
    usual_element: Element,
    /// Loops are nested at most this deep.
    depth: usize,
}

impl<'r> Draft<'r> {
    fn new(random: &'r mut Random) -> Self {
        let parameters = (0..random.range(1, 3))
            .map(|_| {
                random.weighted(&[
                    (6, Width::I32),
                    (2, Width::I64),
                    (2, Width::U32),
                    (1, Width::U64),
                ])
            })
            .collect();
        let usual_width = random.weighted(&[
            (6, Width::I32),
            (3, Width::I64),
            (2, Width::U32),
            (1, Width::U64),
            (1, Width::I16),
        ]);
        let usual_element = random.weighted(&[
            (8, Element::F64),
            (3, Element::F32),
            (2, Element::I32),
            (2, Element::U32),
            (1, Element::U64),
            (1, Element::U8),
            (1, Element::U16),
        ]);
        let depth = random.weighted(&[(1, 1), (4, 2), (6, 3), (1, 4)]);
        Self {
            random,
            parameters,
            arrays: Vec::new(),
            scalars: Vec::new(),
            scope: Vec::new(),
            next_counter: 0,
            usual_width,
            usual_element,
            depth,
        }
    }

    /// The whole program.
    fn program(mut self) -> Program {
        for _ in 0..self.random.range(2, 5) {
            self.new_array(None);
        }
        let nests = self.random.weighted(&[(5, 1), (4, 2), (2, 3), (1, 4)]);
        let mut body = Vec::new();
        for _ in 0..nests {
            body.extend(self.nest());
        }
        let restrict = self.random.chance(35);
        if !restrict && self.random.chance(35) {
            self.overlap_two();
        } else if self.random.chance(20) {
            self.choose_of_two();
        }
        let loaded = self.random.chance(15);
        let inlined = self.random.chance(20);
        let runs = if inlined && self.random.chance(50) {
            1
        } else {
            self.random.range(2, 4)
        };
        let runs = (0..runs).map(|_| self.sizes()).collect();
        let mut program = Program {
            parameters: self.parameters,
            runs,
            arrays: self.arrays,
            scalars: self.scalars,
            restrict,
            loaded,
            inlined,
            body,
        };
        growth::settle(&mut program);
        program
    }

    /// One row of sizes: hostile ones, rarely negative.
    fn sizes(&mut self) -> Vec<i64> {
        let large = self.random.chance(50);
        (0..self.parameters.len())
            .map(|id| {
                if !self.parameters[id].is_unsigned() && self.random.chance(3) {
                    return -self.random.range(1, 9);
                }
                let from = if large { HOSTILE.len() / 2 } else { 0 };
                HOSTILE[from + self.random.below(HOSTILE.len() - from)]
            })
            .collect()
    }

    /// Declares an array of some rank.
    fn new_array(&mut self, element: Option<Element>) -> ArrayId {
        let element = element.unwrap_or_else(|| {
            if self.random.chance(80) {
                self.usual_element
            } else {
                self.random.pick(&Element::ALL)
            }
        });
        let storage = self.random.weighted(&[
            (6, Storage::Variable),
            (4, Storage::Constant),
            (3, Storage::Linear),
            (3, Storage::Rows),
            (2, Storage::Global),
            (2, Storage::Member),
            (1, Storage::Local),
            (2, Storage::Heap),
        ]);
        let rank = match storage {
            Storage::Rows => self.random.weighted(&[(2, 2), (1, 3)]),
            _ => self.random.weighted(&[(3, 1), (6, 2), (1, 3)]),
        };
        self.arrays.push(Array {
            element,
            rank,
            storage,
            growing: self.random.chance(45),
            overlap: None,
        });
        self.arrays.len() - 1
    }

    /// Gives an array another rank; what is behind tables has two dimensions or three.
    fn set_rank(&mut self, array: ArrayId, rank: usize) {
        let array = &mut self.arrays[array];
        array.rank = rank;
        if array.storage == Storage::Rows && !(2..=3).contains(&rank) {
            array.storage = Storage::Linear;
        }
    }

    fn new_scalar(&mut self, element: Element, growing: bool) -> ScalarId {
        self.scalars.push(Scalar { element, growing });
        self.scalars.len() - 1
    }

    /// Lays one parameter array over another one of the same type and kind of contents.
    fn overlap_two(&mut self) {
        let is_pointer = |array: &Array| array.storage.is_parameter() && array.overlap.is_none();
        for base in 0..self.arrays.len() {
            for over in base + 1..self.arrays.len() {
                let (left, right) = (&self.arrays[base], &self.arrays[over]);
                let alike = left.element == right.element && left.growing == right.growing;
                if alike && is_pointer(left) && is_pointer(right) {
                    let shift = self.random.pick(&[0, 1, 1, 2, 3, 5, 16, 31, 100]);
                    self.arrays[over].overlap = Some((base, shift));
                    return;
                }
            }
        }
    }

    /// Makes one array a pointer to one of two others of the same type and kind of contents.
    fn choose_of_two(&mut self) {
        let is_source = |array: &Array| {
            array.storage != Storage::Rows
                && (array.storage.is_parameter() || array.storage == Storage::Heap)
        };
        for id in 0..self.arrays.len() {
            let own = &self.arrays[id];
            let alike = |of: &Array| of.element == own.element && of.growing == own.growing;
            let sources: Vec<ArrayId> = (0..self.arrays.len())
                .filter(|other| *other != id && is_source(&self.arrays[*other]))
                .filter(|other| alike(&self.arrays[*other]))
                .collect();
            if let [first, second, ..] = sources[..] {
                self.arrays[id].storage = Storage::Chosen(first, second);
                return;
            }
        }
    }

    /// One nest: a template's, or a random one.
    fn nest(&mut self) -> Vec<Statement> {
        match self.random.below(12) {
            0 => self.product(),
            1 => self.stencil(),
            2 => self.row_sums(),
            3 => self.elimination(),
            4 => self.recurrence(),
            5 => self.producer_consumer(),
            6 => self.divided(),
            7 => self.alternation(),
            _ => self.random_nest(),
        }
    }

    /// Random loops, conditions and statements.
    fn random_nest(&mut self) -> Vec<Statement> {
        let head = self.open_loop();
        let body = self.block();
        vec![self.close_loop(head, body)]
    }

    /// What stands inside of the open loops.
    fn block(&mut self) -> Vec<Statement> {
        let count = self.random.weighted(&[(5, 1), (4, 2), (2, 3)]);
        let mut statements = Vec::new();
        for _ in 0..count {
            statements.extend(self.statement());
        }
        statements
    }

    fn statement(&mut self) -> Vec<Statement> {
        let deeper = self.scope.len() < self.depth;
        match self.random.below(100) {
            0..50 if deeper => {
                let head = self.open_loop();
                let body = self.block();
                vec![self.close_loop(head, body)]
            }
            50..58 => {
                let condition = self.condition();
                let then = self.block();
                let otherwise = if self.random.chance(40) {
                    self.block()
                } else {
                    Vec::new()
                };
                vec![Statement::If(condition, then, otherwise)]
            }
            58..66 if deeper => self.scalar_sum(),
            66..70 => vec![self.block_operation()],
            70..76 => self.scalar_chain(),
            76..79 => vec![self.cases()],
            79..86 => vec![self.branches(2)],
            86..88 => vec![self.data_cases()],
            _ => vec![self.assignment()],
        }
    }

    fn counter_variables(&self) -> Vec<Variable> {
        self.scope
            .iter()
            .map(|counter| Variable::Counter(counter.id))
            .collect()
    }

    fn any_parameter(&mut self) -> Variable {
        Variable::Parameter(self.random.below(self.parameters.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_program() {
        for seed in 0..50 {
            assert_eq!(generate(seed), generate(seed));
        }
        assert_ne!(generate(1), generate(2));
    }

    #[test]
    fn programs_stay_within_their_limits() {
        for seed in 0..300 {
            let Generated { program, layout } = generate(seed);
            let ranges = simulate::simulate(&program).unwrap();
            for (run, arrays) in ranges.iter().enumerate() {
                for (id, dimensions) in arrays.iter().enumerate() {
                    for (dimension, range) in dimensions.iter().enumerate() {
                        let Some((least, most)) = range else { continue };
                        let placed = &layout.arrays[id];
                        let extent = layout.value(&program, placed.extents[dimension], run);
                        assert!(least + placed.offsets[dimension] >= 0, "seed {seed}");
                        assert!(most + placed.offsets[dimension] < extent, "seed {seed}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_shapes_of_the_model_occur() {
        let programs: Vec<Program> = (0..400).map(|seed| generate(seed).program).collect();
        let text: String = programs
            .iter()
            .map(|program| format!("{program:?}"))
            .collect();
        for shape in [
            "Quotient",
            "Remainder",
            "Minimum",
            "Maximum",
            "DownPost",
            "DoWhile",
            "Clear",
            "Copy",
            "Member",
            "Linear",
            "Rows",
            "Root",
            "AtMost",
            "overlap: Some",
            "Heap",
            "Chosen",
            "Steps",
            "I16",
            "U64",
            "Data",
            "Integer(7)), Equal",
            "Combine(Xor)",
            "restrict: true",
            "loaded: true",
        ] {
            assert!(text.contains(shape), "{shape}");
        }
    }
}
