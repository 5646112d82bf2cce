//! The polytope `F` of one level: `O` without what dependences forbid (Pouchet et al. 2011, §3.2).
//!
//! Each pair of statements keeps some of its three relations, and each smallest set of statements that may not share a loop altogether gets a cut: the sum of `e` over
//! a path of `l` edges through it is at most `l - 1` (equation 8 counts statements, `p`: below `p - 1`; Figures 3 and 4 print `< l - 1` for a path of `l` edges, one too
//! few, which would forbid its parts as well).
//!
//! Variables that are known are substituted, so that dimensions and constraints are those of the paper's Table 1:
//!
//! | a pair may be | `p` | `e` | dimensions | its own constraints |
//! |---|---|---|---|---|
//! | p, e or s | `p` | `e` | 2 | 5 |
//! | p or e | `1 - e` | `e` | 1 | 2 |
//! | e or s | 0 | `e` | 1 | 2 |
//! | p or s | `p` | 0 | 1 | 2 |
//! | one of them | a constant | a constant | 0 | 0 |
//!
//! Constraints of triples that the bounds of variables imply are dropped, and so are repeated ones.

use super::preorder::Relation;
use super::system::{Row, System, e, of_triple, p};
use std::collections::BTreeSet;

/// The relations that a pair `i < j` may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// `i` may precede `j`.
    pub precedes: bool,
    /// They may share a loop.
    pub equal: bool,
    /// `i` may succeed `j`.
    pub succeeds: bool,
}

impl Allowed {
    /// Everything.
    pub const ALL: Allowed = Allowed {
        precedes: true,
        equal: true,
        succeeds: true,
    };
    /// Statements that must share a loop.
    pub const FUSED: Allowed = Allowed {
        precedes: false,
        equal: true,
        succeeds: false,
    };

    /// Whether a relation is one of them.
    pub fn has(self, relation: Relation) -> bool {
        match relation {
            Relation::Precedes => self.precedes,
            Relation::Equal => self.equal,
            Relation::Succeeds => self.succeeds,
        }
    }
}

/// What is left of the interleavings of `n` statements at one level.
#[derive(Clone, Debug)]
pub struct Pruned {
    n: usize,
    /// By [`super::system::pair`].
    allowed: Vec<Allowed>,
    /// Sets of three statements and more that may not share a loop altogether, each as a path.
    cuts: Vec<Vec<usize>>,
}

/// An affine expression in at most one variable.
#[derive(Clone, Copy)]
struct Value {
    constant: i64,
    variable: Option<(usize, i64)>,
}

impl Value {
    fn number(constant: i64) -> Value {
        Value {
            constant,
            variable: None,
        }
    }

    fn variable(at: usize) -> Value {
        Value {
            constant: 0,
            variable: Some((at, 1)),
        }
    }

    fn negation(at: usize) -> Value {
        Value {
            constant: 1,
            variable: Some((at, -1)),
        }
    }
}

impl Pruned {
    /// `O` itself.
    pub fn all(n: usize) -> Pruned {
        Pruned {
            n,
            allowed: vec![Allowed::ALL; n * n.saturating_sub(1) / 2],
            cuts: vec![],
        }
    }

    /// Number of statements.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no statements.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Says what a pair `i < j` may be.
    pub fn allow(&mut self, i: usize, j: usize, allowed: Allowed) {
        self.allowed[super::system::pair(i, j)] = allowed;
    }

    /// Forbids a set of three statements and more to share a loop.
    pub fn cut(&mut self, path: Vec<usize>) {
        self.cuts.push(path);
    }

    /// The system without known variables.
    pub fn system(&self) -> System {
        let mut system = System::default();
        // `p` and `e` of each pair, as `O` numbers them.
        let mut values: Vec<Value> = vec![];
        for a in &self.allowed {
            values.extend(system.pair(*a));
        }
        let substituted = |row: &Row| {
            let mut constant = row.constant;
            let mut terms = vec![];
            for (v, c) in &row.terms {
                constant += c * values[*v].constant;
                terms.extend(values[*v].variable.map(|(at, f)| (at, c * f)));
            }
            Row::of(constant, terms)
        };
        let mut others: BTreeSet<Row> = BTreeSet::new();
        for k in 0..self.n {
            for j in 0..k {
                for i in 0..j {
                    others.extend(of_triple(i, j, k).iter().map(substituted));
                }
            }
        }
        for path in &self.cuts {
            others.insert(substituted(&cut(path)));
        }
        let own: BTreeSet<&Row> = system.rows.iter().collect();
        others.retain(|r| r.least() < 0 && !own.contains(r));
        system.rows.extend(others);
        system
    }

    /// Whether a preorder is one of its points.
    pub fn has(&self, order: &super::preorder::Preorder) -> bool {
        let pairs = (0..self.n).flat_map(|j| (0..j).map(move |i| (i, j)));
        let allowed = |(i, j): (usize, usize)| {
            self.allowed[super::system::pair(i, j)].has(order.relation(i, j))
        };
        let parted = |path: &Vec<usize>| {
            let mut edges = path.windows(2);
            edges.any(|w| order.relation(w[0], w[1]) != Relation::Equal)
        };
        pairs.into_iter().all(allowed) && self.cuts.iter().all(parted)
    }
}

/// The sum of `e` over the edges of a path is below their number.
fn cut(path: &[usize]) -> Row {
    let edges = path.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1])));
    let edges: Vec<(usize, usize)> = edges.collect();
    Row::of(
        edges.len() as i64 - 1,
        edges.into_iter().map(|(i, j)| (e(i, j), -1)),
    )
}

impl System {
    /// Variables for a pair and their bounds: what `p` and `e` are in them.
    fn pair(&mut self, allowed: Allowed) -> [Value; 2] {
        debug_assert_eq!(e(0, 1), p(0, 1) + 1, "p comes before e");
        let one = Value::number(1);
        let none = Value::number(0);
        match (allowed.precedes, allowed.equal, allowed.succeeds) {
            (true, true, true) => {
                let at = self.dims;
                self.dims += 2;
                self.rows.extend(super::system::of_pair(at, at + 1));
                [Value::variable(at), Value::variable(at + 1)]
            }
            (true, true, false) => {
                let at = self.bounded();
                [Value::negation(at), Value::variable(at)]
            }
            (false, true, true) => [none, Value::variable(self.bounded())],
            (true, false, true) => [Value::variable(self.bounded()), none],
            (true, false, false) => [one, none],
            (false, true, false) => [none, one],
            (false, false, true) => [none, none],
            (false, false, false) => {
                // Nothing is possible.
                self.rows.push(Row::of(-1, []));
                [none, none]
            }
        }
    }

    /// One more variable.
    fn bounded(&mut self) -> usize {
        let at = self.dims;
        self.dims += 1;
        self.rows.push(Row::of(0, [(at, 1)]));
        self.rows.push(Row::of(1, [(at, -1)]));
        at
    }
}
