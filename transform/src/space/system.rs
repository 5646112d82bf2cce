//! Systems of linear inequalities in variables that are 0 or 1, and the polytopes `O` and `I` of interleavings (Pouchet et al. 2011, §3.1).
//!
//! `O` has two variables for each pair `i < j` of elements, `p_ij` (`i` precedes `j`) and `e_ij` (they are equal); `i` succeeds `j` where both are 0. Its integer points
//! are the total preorders, each once (Lemma 5). Per pair there are five constraints, `0 <= p <= 1`, `0 <= e <= 1`, `p + e <= 1`, and per triple `i < j < k` seven:
//!
//! ```text
//! e_ij + e_ik <= 1 + e_jk      e_ij + e_jk <= 1 + e_ik      p_ij + p_jk <= 1 + p_ik      e_ij + p_ik <= 1 + p_jk
//! e_ij + p_jk <= 1 + p_ik      e_jk + p_ij <= 1 + p_ik      p_ik + e_ik <= e_ij + p_ij + p_jk
//! ```
//!
//! So there are `n (n - 1)` dimensions and `5 C(n, 2) + 7 C(n, 3)` constraints, as in the paper's Table 1. The last line says that what `i` is not after, and `j` is before `i`, `j` is
//! before. It is damaged in the printed text: read literally, like without it, three elements have 17 points instead of 13.
//!
//! `I` has an `O` for each level and links of neighbouring levels, `p <= p'` and `e' + p' <= p + e`: what precedes stays so, and what succeeds does. (The superscripts of the
//! second one are damaged too: `e + p' <= p + e` would forbid to part at one level what shared a loop around it.)

/// `constant + sum of coefficient * variable >= 0`; no variable twice, no coefficient 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Row {
    /// The constant.
    pub constant: i64,
    /// Variables with their coefficients, ascending.
    pub terms: Vec<(usize, i64)>,
}

impl Row {
    /// The sum of some terms, equal variables collected.
    pub fn of(constant: i64, terms: impl IntoIterator<Item = (usize, i64)>) -> Row {
        let mut all: Vec<(usize, i64)> = terms.into_iter().collect();
        all.sort_unstable();
        let mut collected: Vec<(usize, i64)> = vec![];
        for (v, c) in all {
            match collected.last_mut() {
                Some((last, sum)) if *last == v => *sum += c,
                _ => collected.push((v, c)),
            }
        }
        collected.retain(|(_, c)| *c != 0);
        Row {
            constant,
            terms: collected,
        }
    }

    /// The least value for variables that are 0 or 1.
    pub fn least(&self) -> i64 {
        self.constant + self.terms.iter().map(|(_, c)| (*c).min(0)).sum::<i64>()
    }

    /// The greatest value for variables that are 0 or 1.
    pub fn most(&self) -> i64 {
        self.constant + self.terms.iter().map(|(_, c)| (*c).max(0)).sum::<i64>()
    }
}

/// A system of rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct System {
    /// Number of variables.
    pub dims: usize,
    /// What all points satisfy, the bounds of variables among it.
    pub rows: Vec<Row>,
}

/// The number of the pair `i < j`: all pairs of the first elements come first.
pub fn pair(i: usize, j: usize) -> usize {
    j * (j - 1) / 2 + i
}

/// The variable `p_ij` of `O`.
pub fn p(i: usize, j: usize) -> usize {
    2 * pair(i, j)
}

/// The variable `e_ij` of `O`.
pub fn e(i: usize, j: usize) -> usize {
    2 * pair(i, j) + 1
}

/// The five constraints of a pair with variables `p` and `e`.
pub fn of_pair(p: usize, e: usize) -> [Row; 5] {
    [
        Row::of(0, [(p, 1)]),
        Row::of(1, [(p, -1)]),
        Row::of(0, [(e, 1)]),
        Row::of(1, [(e, -1)]),
        Row::of(1, [(p, -1), (e, -1)]),
    ]
}

/// The seven constraints of a triple `i < j < k`, in the order of the module's documentation.
pub fn of_triple(i: usize, j: usize, k: usize) -> [Row; 7] {
    let (p_ij, p_jk, p_ik) = (p(i, j), p(j, k), p(i, k));
    let (e_ij, e_jk, e_ik) = (e(i, j), e(j, k), e(i, k));
    // `a + b <= 1 + c`
    let implies = |a, b, c| Row::of(1, [(a, -1), (b, -1), (c, 1)]);
    [
        implies(e_ij, e_ik, e_jk),
        implies(e_ij, e_jk, e_ik),
        implies(p_ij, p_jk, p_ik),
        implies(e_ij, p_ik, p_jk),
        implies(e_ij, p_jk, p_ik),
        implies(e_jk, p_ij, p_ik),
        Row::of(0, [(e_ij, 1), (p_ij, 1), (p_jk, 1), (p_ik, -1), (e_ik, -1)]),
    ]
}

impl System {
    /// `O`: the total preorders of `n` elements.
    pub fn preorders(n: usize) -> System {
        let mut rows = vec![];
        for j in 0..n {
            for i in 0..j {
                rows.extend(of_pair(p(i, j), e(i, j)));
            }
        }
        for k in 0..n {
            for j in 0..k {
                for i in 0..j {
                    rows.extend(of_triple(i, j, k));
                }
            }
        }
        System {
            dims: n * n.saturating_sub(1),
            rows,
        }
    }

    /// `I`: so many levels of preorders of `n` elements, each a refinement of the one before.
    pub fn interleavings(n: usize, levels: usize) -> System {
        let one = System::preorders(n);
        let mut all = System {
            dims: one.dims * levels,
            rows: vec![],
        };
        for level in 0..levels {
            let first = one.dims * level;
            let moved = |r: &Row| Row {
                constant: r.constant,
                terms: r.terms.iter().map(|(v, c)| (first + v, *c)).collect(),
            };
            all.rows.extend(one.rows.iter().map(moved));
            if level + 1 < levels {
                all.rows.extend(links(n, first, first + one.dims));
            }
        }
        all
    }

    /// The number of points; `None` if there are more than `limit`, or more than `64 * limit` partial assignments to look at.
    pub fn count(&self, limit: u64) -> Option<u64> {
        let mut count = 0;
        self.each(limit.saturating_mul(64), &mut |_| {
            count += 1;
            count <= limit
        })
        .then_some(count)
    }

    /// Calls `each` for every point until it says false; false if it did, or after so many partial assignments. Depth-first: a row that no value of the
    /// variables that are left can satisfy ends a branch.
    pub fn each(&self, limit: u64, each: &mut dyn FnMut(&[bool]) -> bool) -> bool {
        let mut with: Vec<Vec<(usize, i64)>> = vec![vec![]; self.dims];
        for (at, row) in self.rows.iter().enumerate() {
            for (v, c) in &row.terms {
                with[*v].push((at, *c));
            }
        }
        let most: Vec<i64> = self.rows.iter().map(Row::most).collect();
        if most.iter().any(|m| *m < 0) {
            return true;
        }
        let mut search = Search {
            with,
            most,
            point: vec![],
            left: limit,
        };
        search.branch(each)
    }
}

/// What keeps two neighbouring levels together, whose variables begin there.
fn links(n: usize, outer: usize, inner: usize) -> Vec<Row> {
    let mut rows = vec![];
    for j in 0..n {
        for i in 0..j {
            let (p, e) = (p(i, j), e(i, j));
            rows.push(Row::of(0, [(inner + p, 1), (outer + p, -1)]));
            rows.push(Row::of(
                0,
                [
                    (outer + p, 1),
                    (outer + e, 1),
                    (inner + e, -1),
                    (inner + p, -1),
                ],
            ));
        }
    }
    rows
}

/// A depth-first search for points.
struct Search {
    /// Per variable: the rows that have it, with its coefficient.
    with: Vec<Vec<(usize, i64)>>,
    /// Per row: its greatest value for the variables that are left.
    most: Vec<i64>,
    point: Vec<bool>,
    /// Partial assignments that may still be looked at.
    left: u64,
}

impl Search {
    fn branch(&mut self, each: &mut dyn FnMut(&[bool]) -> bool) -> bool {
        let at = self.point.len();
        if at == self.with.len() {
            return each(&self.point);
        }
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        for value in [false, true] {
            self.point.push(value);
            let possible = self.assign(at, value, 1);
            let go_on = !possible || self.branch(each);
            self.assign(at, value, -1);
            self.point.pop();
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Counts the value of a variable in (or, with -1, out again); whether every row may still be satisfied.
    fn assign(&mut self, at: usize, value: bool, sign: i64) -> bool {
        let mut possible = true;
        for (row, c) in &self.with[at] {
            let lost = (*c).max(0) - if value { *c } else { 0 };
            self.most[*row] -= sign * lost;
            possible &= self.most[*row] >= 0;
        }
        possible
    }
}
