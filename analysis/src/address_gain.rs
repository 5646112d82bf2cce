//! How an address moves along a direction of the iteration space.
//!
//! A register tile walks its box in directions (row, lane, step of the reduction) that may move several iterators at
//! once. The gain of `8*n*i + 8*j` along `(i, j) += (1, -1)` is `8*n - 8`: a constant and multiples of invariant
//! evolutions.
//!
//! This is how code generation moves addresses, so who plans vectors asks here as well: an access relation may be affine
//! (`A[i + j]`) where the address that the program computes is not (`A[(i + j) / 4][(i + j) % 4]`).

use crate::ids::LoopId;
use crate::scev::{Scev, ScevKind, Wrap};
use crate::scop::{Access, Place, Scop, Stmt};
use std::collections::BTreeMap;

/// A direction: what each iterator of a statement gains.
pub type Direction = [i64];

/// What an address gains in bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gain {
    /// The constant part.
    pub constant: i128,
    /// Multiples of invariant evolutions; no zeros.
    pub symbolic: BTreeMap<Scev, i128>,
}

impl Gain {
    fn of(constant: i128) -> Gain {
        Gain {
            constant,
            symbolic: BTreeMap::new(),
        }
    }

    /// Whether the address stands still.
    pub fn is_zero(&self) -> bool {
        *self == Gain::default()
    }

    /// Whether the address moves by so many bytes, to either side.
    pub fn is_constant(&self, bytes: i128) -> bool {
        self.symbolic.is_empty() && self.constant.abs() == bytes
    }

    /// The sum.
    #[allow(clippy::should_implement_trait)] // operators on references would be longer where they are used
    pub fn add(mut self, other: &Gain) -> Gain {
        self.constant += other.constant;
        for (s, n) in &other.symbolic {
            *self.symbolic.entry(s.clone()).or_default() += n;
        }
        self.symbolic.retain(|_, n| *n != 0);
        self
    }

    /// The multiple.
    pub fn scaled(mut self, by: i128) -> Gain {
        self.constant *= by;
        self.symbolic.values_mut().for_each(|n| *n *= by);
        self.symbolic.retain(|_, n| *n != 0);
        self
    }

    /// `n` times an invariant evolution. Sums and constant factors are taken apart, and products of sums: what `8 + 8*m` adds,
    /// `8*m` takes away.
    pub fn multiple(s: &Scev, n: i128) -> Gain {
        let is_sum = |f: &Scev| matches!(f.kind, ScevKind::Add(..));
        let symbol = |s: Scev, n: i128| {
            Gain {
                constant: 0,
                symbolic: BTreeMap::from([(s, n)]),
            }
            .scaled(1)
        };
        match &s.kind {
            ScevKind::Const(c) => Gain::of(c * n),
            ScevKind::Add(terms, _) => terms
                .iter()
                .map(|t| Gain::multiple(t, n))
                .fold(Gain::default(), |sum, g| sum.add(&g)),
            ScevKind::Mul(factors, _) => {
                let constant: i128 = factors.iter().filter_map(Scev::as_constant).product();
                let is_open = |f: &&Scev| f.as_constant().is_none();
                let mut rest: Vec<Scev> = factors.iter().filter(is_open).cloned().collect();
                match rest.len() {
                    0 => Gain::of(constant * n),
                    1 => Gain::multiple(&rest.remove(0), constant * n),
                    _ if rest.iter().any(is_sum) => {
                        let at = rest.iter().position(is_sum).expect("there is one");
                        let sum = rest.remove(at);
                        let ScevKind::Add(terms, _) = &sum.kind else {
                            unreachable!("it is a sum");
                        };
                        let product = |t: &Scev| {
                            let mut factors = rest.clone();
                            match &t.kind {
                                ScevKind::Mul(inner, _) => factors.extend(inner.iter().cloned()),
                                _ => factors.push(t.clone()),
                            }
                            let kind = ScevKind::Mul(factors, Wrap::default());
                            Gain::multiple(&Scev { kind, ..s.clone() }, constant * n)
                        };
                        let terms = terms.iter().map(product);
                        terms.fold(Gain::default(), |sum, g| sum.add(&g))
                    }
                    _ => {
                        rest.sort();
                        let kind = ScevKind::Mul(rest, Wrap::default());
                        symbol(Scev { kind, ..s.clone() }, constant * n)
                    }
                }
            }
            _ => symbol(s.clone(), n),
        }
    }
}

/// What the address of an access gains along `direction`; `None` if it is not the same everywhere.
pub fn access_gain(
    scop: &Scop,
    stmt: &Stmt,
    access: &Access,
    direction: &Direction,
) -> Option<Gain> {
    let moving = moving(stmt, direction);
    match &access.place {
        Place::Scalar => Some(Gain::default()),
        Place::Memory(address) => gain(&address.offset, &moving),
        Place::Temporary(subscripts) => {
            let strides = &scop.array(access.array).strides;
            let mut total = Gain::default();
            for (subscript, stride) in subscripts.iter().zip(strides) {
                let g = gain(subscript, &moving)?;
                if !g.symbolic.is_empty() {
                    return None;
                }
                total = total.add(&Gain::multiple(stride, g.constant));
            }
            Some(total)
        }
    }
}

/// How an access lies in squares of iterations: vectors along one direction, one beside the other along another direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InSquare {
    /// The same element for all lanes of a vector.
    Same,
    /// A vector is contiguous.
    Along,
    /// Contiguous are the elements of the same lane in all vectors.
    Across,
    /// The same, from the last vector to the first.
    AcrossBack,
}

/// How an access lies in squares whose vectors have the direction `along`; `None`: in another way.
pub fn in_square(
    scop: &Scop,
    stmt: &Stmt,
    access: &Access,
    (along, across): (&Direction, &Direction),
) -> Option<InSquare> {
    let bytes = Gain::of(i128::from(access.ty.bytes()));
    let gain = access_gain(scop, stmt, access, along)?;
    if gain.is_zero() {
        return Some(InSquare::Same);
    }
    if gain == bytes {
        return Some(InSquare::Along);
    }
    let gain = access_gain(scop, stmt, access, across)?;
    match gain == bytes {
        true => Some(InSquare::Across),
        false => (gain == bytes.scaled(-1)).then_some(InSquare::AcrossBack),
    }
}

/// Whether an evolution may change along `direction`.
pub fn changes(stmt: &Stmt, s: &Scev, direction: &Direction) -> bool {
    let moving = moving(stmt, direction);
    s.loops().iter().any(|l| moving.contains_key(l))
}

/// An affine offset as its value at zero and what it gains per iteration of each loop.
pub fn parts(s: &Scev) -> Option<(Gain, BTreeMap<LoopId, Gain>)> {
    if s.loops().is_empty() {
        return Some((Gain::multiple(s, 1), BTreeMap::new()));
    }
    match &s.kind {
        ScevKind::Add(terms, _) => {
            let mut sum = (Gain::default(), BTreeMap::new());
            for t in terms {
                let (start, steps) = parts(t)?;
                sum.0 = sum.0.add(&start);
                for (l, step) in steps {
                    add_step(&mut sum.1, l, &step);
                }
            }
            Some(sum)
        }
        ScevKind::AddRec {
            loop_, operands, ..
        } => match &operands[..] {
            [start, step] if step.loops().is_empty() => {
                let (start, mut steps) = parts(start)?;
                add_step(&mut steps, *loop_, &Gain::multiple(step, 1));
                Some((start, steps))
            }
            _ => None,
        },
        _ => None,
    }
}

fn add_step(steps: &mut BTreeMap<LoopId, Gain>, l: LoopId, step: &Gain) {
    let sum = steps.remove(&l).unwrap_or_default().add(step);
    if !sum.is_zero() {
        steps.insert(l, sum);
    }
}

fn moving(stmt: &Stmt, direction: &Direction) -> BTreeMap<LoopId, i64> {
    let all = stmt.iters.iter().copied().zip(direction.iter().copied());
    all.filter(|(_, by)| *by != 0).collect()
}

fn gain(s: &Scev, moving: &BTreeMap<LoopId, i64>) -> Option<Gain> {
    let fixed = |s: &Scev| s.loops().iter().all(|l| !moving.contains_key(l));
    if fixed(s) {
        return Some(Gain::default());
    }
    match &s.kind {
        ScevKind::Add(terms, _) => terms
            .iter()
            .try_fold(Gain::default(), |sum, t| Some(sum.add(&gain(t, moving)?))),
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let start = gain(&operands[0], moving)?;
            match (moving.get(loop_), &operands[1..]) {
                (None, rest) if rest.iter().all(fixed) => Some(start),
                (Some(by), [step]) if fixed(step) => {
                    Some(start.add(&Gain::multiple(step, i128::from(*by))))
                }
                _ => None,
            }
        }
        ScevKind::Mul(factors, _) => product(s.width, factors, moving),
        // What is left of casts is not affine in the iterators where no iteration is.
        _ => None,
    }
}

/// One factor moves.
fn product(width: u32, factors: &[Scev], moving: &BTreeMap<LoopId, i64>) -> Option<Gain> {
    let (moves, fixed): (Vec<&Scev>, Vec<&Scev>) = factors
        .iter()
        .partition(|f| f.loops().iter().any(|l| moving.contains_key(l)));
    let [moves] = moves[..] else { return None };
    let g = gain(moves, moving)?;
    let constant: Option<i128> = fixed.iter().map(|f| f.as_constant()).product();
    if let Some(c) = constant {
        return Some(g.scaled(c));
    }
    if !g.symbolic.is_empty() {
        return None;
    }
    let scale = Scev {
        width,
        kind: ScevKind::Mul(fixed.into_iter().cloned().collect(), Wrap::default()),
    };
    Some(Gain::multiple(&scale, g.constant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ValueId;

    fn c(v: i128) -> Scev {
        Scev::constant(64, v)
    }

    fn rec(l: u32, start: Scev, step: Scev) -> Scev {
        let kind = ScevKind::AddRec {
            loop_: LoopId(l),
            operands: vec![start, step],
            wrap: Wrap::default(),
        };
        Scev { width: 64, kind }
    }

    #[test]
    fn diagonal_direction_of_a_parametric_array() {
        let row = Scev::unknown(64, ValueId(0));
        let a = rec(1, rec(0, c(16), row.clone()), c(8));
        let along = |i, j| gain(&a, &BTreeMap::from([(LoopId(0), i), (LoopId(1), j)]));
        assert_eq!(
            along(0, 1).map(|g| (g.constant, g.symbolic.len())),
            Some((8, 0))
        );
        let skewed = along(1, -1).expect("both steps are invariant");
        assert_eq!((skewed.constant, skewed.symbolic.get(&row)), (-8, Some(&1)));
    }

    #[test]
    fn products_of_sums_are_taken_apart() {
        let (x, n) = (Scev::unknown(64, ValueId(0)), Scev::unknown(64, ValueId(1)));
        let of = |kind| Scev { width: 64, kind };
        let sum = |terms| of(ScevKind::Add(terms, Wrap::default()));
        let product = |factors| of(ScevKind::Mul(factors, Wrap::default()));
        let one = product(vec![
            x.clone(),
            sum(vec![c(8), product(vec![c(8), n.clone()])]),
        ]);
        let other = sum(vec![
            product(vec![c(8), x.clone()]),
            product(vec![c(8), n.clone(), sum(vec![c(-1), x])]),
        ]);
        let apart = Gain::multiple(&one, 1).add(&Gain::multiple(&other, -1));
        assert_eq!(apart, Gain::multiple(&n, 8));
    }

    #[test]
    fn sums_of_steps_cancel() {
        let row = |wrap| {
            let kind = ScevKind::Mul(vec![c(8), Scev::unknown(64, ValueId(0))], wrap);
            Scev { width: 64, kind }
        };
        let step = Scev {
            width: 64,
            kind: ScevKind::Add(vec![c(8), row(Wrap::default())], Wrap::default()),
        };
        let nsw = Wrap {
            nsw: true,
            ..Wrap::default()
        };
        let a = rec(1, rec(0, c(0), step), row(nsw));
        let along = gain(&a, &BTreeMap::from([(LoopId(0), 1), (LoopId(1), -1)]));
        assert_eq!(along, Some(Gain::of(8)));
    }

    #[test]
    fn a_cast_that_moves_has_no_gain() {
        let narrow = Scev {
            width: 32,
            ..rec(0, Scev::constant(32, -1), Scev::constant(32, 1))
        };
        let cast = Scev {
            width: 64,
            kind: ScevKind::ZExt(Box::new(narrow)),
        };
        assert_eq!(gain(&cast, &BTreeMap::from([(LoopId(0), 1)])), None);
        assert_eq!(
            gain(&cast, &BTreeMap::from([(LoopId(1), 1)])),
            Some(Gain::default())
        );
    }

    #[test]
    fn a_step_that_moves_has_no_gain() {
        let a = rec(1, c(0), rec(0, c(8), c(8)));
        assert_eq!(gain(&a, &BTreeMap::from([(LoopId(0), 1)])), None);
        assert_eq!(
            gain(&a, &BTreeMap::from([(LoopId(2), 1)])),
            Some(Gain::default())
        );
    }
}
