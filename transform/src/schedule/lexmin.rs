//! The lexicographic minimum of a small integer program: exact, and bounded in every direction.
//!
//! The problem: unknowns `x >= 0`, rows `c + a.x >= 0`, objectives `z_1, z_2, ..` with non-negative weights. Wanted is the
//! integer point with the least `(z_1, z_2, .., x_1, x_2, ..)`. A library for integer sets searches with cuts or by basis
//! reduction, and neither was seen to end on all programs of a schedule search.
//!
//! The method is the lexicographic dual simplex (Dantzig, Orden, Wolfe 1955; Feautrier's PIP, 1988) with branch and bound:
//!
//! * The *tableau* has one row per objective and unknown, in the order of the minimum, over *parameters* `y >= 0`, at first
//!   the unknowns themselves: `z_i = (b_i + sum_j b_ij y_j) / d_i`. Every column is lexicographically positive (its first
//!   non-zero entry is), so no point with `y >= 0` is better than `y = 0`.
//! * A row of the program that `y = 0` violates, `c + sum_j c_j y_j >= 0` with `c < 0`, takes the place of one `y_j` with
//!   `c_j > 0`, namely the one with the least column `b_.j / c_j`: then all columns stay positive. Without any `c_j > 0` there
//!   is no solution. Rows that are met are not in the tableau, which stays small.
//! * If all rows are met and some `z_i` is fractional, `z_i >= ceil` and `z_i <= floor` are tried, in this order: the first
//!   keeps what comes before `z_i`.
//!
//! ```text
//! minimise x, then y:  2x + 3y >= 7, x <= 2      y = 0 gives (0, 0); 2x + 3y >= 7 replaces y: (0, 7/3); y >= 3: (0, 3)
//! ```

use polytile_analysis::quotient::gcd;
use std::cmp::Ordering;
use std::rc::Rc;

/// What may be spent on one program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Programs that branching may make.
    pub nodes: usize,
    /// Products of entries.
    pub work: u64,
}

/// Programs of the kernels take up to 2 million products. Large numbers make programs hard ([`crate::symbolic`]).
pub const LIMITS: Limits = Limits {
    nodes: 400,
    work: 60_000_000,
};

/// Why no answer was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// Too many branches.
    Nodes,
    /// Too many steps.
    Work,
    /// Numbers that do not fit.
    Magnitude,
}

type Bounded<T> = Result<T, Exhausted>;

/// An integer program.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// How many unknowns; all are non-negative.
    pub unknowns: usize,
    /// What to minimise first, second, ..: the sum of these unknowns.
    pub objectives: &'a [Vec<usize>],
    /// Each demanded to be non-negative.
    pub rows: &'a [Rc<Sparse>],
}

/// The best integer point; `None` if there is none. `limits` keeps what is left of it.
pub fn lexmin(program: &Program, limits: &mut Limits) -> Bounded<Option<Vec<i64>>> {
    let mut search = Search {
        first: program.objectives.len(),
        rows: program.rows,
        limits,
        best: None,
    };
    search.branch(Tableau::of(program), &mut vec![])?;
    let first = search.first;
    Ok(search.best.map(|best| best[first..].to_vec()))
}

/// A row of a program without its zeros: most unknowns are those of other statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sparse {
    constant: i64,
    /// Unknowns in their order.
    terms: Vec<(usize, i64)>,
    /// The sum of all absolute values, the constant included.
    weight: u64,
}

impl Sparse {
    /// `constant, coefficients..`.
    pub fn of(row: &[i64]) -> Sparse {
        let terms = row[1..].iter().copied().enumerate();
        Sparse::new(row[0], terms.filter(|(_, c)| *c != 0).collect())
    }

    /// The sum of a constant and terms in any order, of which several may be of one unknown.
    pub fn sum(constant: i64, mut terms: Vec<(usize, i64)>) -> Sparse {
        terms.sort_unstable_by_key(|(at, _)| *at);
        terms.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 += if same { next.1 } else { 0 };
            same
        });
        terms.retain(|(_, c)| *c != 0);
        Sparse::new(constant, terms)
    }

    /// What is not zero: the constant under 0, the coefficient of unknown `i` under `1 + i`.
    pub fn entries(&self) -> impl Iterator<Item = (usize, i64)> {
        let constant = Some((0, self.constant)).filter(|(_, c)| *c != 0);
        let terms = self.terms.iter().map(|&(at, c)| (1 + at, c));
        constant.into_iter().chain(terms)
    }

    /// The entries of both where one of them is not zero.
    fn beside<'s>(&'s self, other: &'s Sparse) -> impl Iterator<Item = (i64, i64)> + 's {
        let (mut own, mut its) = (self.entries().peekable(), other.entries().peekable());
        std::iter::from_fn(move || {
            let at = match (own.peek(), its.peek()) {
                (Some((a, _)), Some((b, _))) => *a.min(b),
                (one, two) => one.or(two)?.0,
            };
            let a = own.next_if(|(i, _)| *i == at);
            let b = its.next_if(|(i, _)| *i == at);
            Some((a.map_or(0, |(_, c)| c), b.map_or(0, |(_, c)| c)))
        })
    }

    /// The order of rows by their entries, zeros included.
    pub fn order(&self, other: &Sparse) -> Ordering {
        let mut both = self.beside(other).map(|(a, b)| a.cmp(&b));
        both.find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Whether no entry is less than that of another row.
    pub fn covers(&self, other: &Sparse) -> bool {
        self.beside(other).all(|(a, b)| a >= b)
    }

    fn new(constant: i64, terms: Vec<(usize, i64)>) -> Sparse {
        let all = terms.iter().map(|(_, c)| c.unsigned_abs());
        let weight = all.fold(constant.unsigned_abs(), u64::saturating_add);
        Sparse {
            constant,
            terms,
            weight,
        }
    }

    /// The value at a point whose coordinates begin at `first`.
    fn value(&self, point: &Point, first: usize) -> Bounded<i128> {
        if let Some(short) = point.short_for(self) {
            let coordinates = &short[first..];
            let start = self.constant * point.common;
            let terms = self.terms.iter().map(|&(at, c)| coordinates[at] * c);
            return Ok((start + terms.sum::<i64>()).into());
        }
        let mut value = i128::from(self.constant) * i128::from(point.common);
        for (at, c) in &self.terms {
            let term = point.coordinates[first + at].checked_mul((*c).into());
            let sum = term.and_then(|t| value.checked_add(t));
            value = sum.ok_or(Exhausted::Magnitude)?;
        }
        Ok(value)
    }
}

/// A point times a common denominator.
struct Point {
    common: i64,
    coordinates: Vec<i128>,
    /// The same in 64 bits, if that is enough: products of 128 bits are most of the time otherwise.
    short: Option<Vec<i64>>,
    /// No coordinate is larger, nor the denominator.
    most: u64,
}

impl Point {
    fn new(common: i64, coordinates: Vec<i128>) -> Point {
        let short = coordinates.iter().map(|&c| i64::try_from(c).ok());
        let short: Option<Vec<i64>> = short.collect();
        let all = short.iter().flatten().map(|c| c.unsigned_abs());
        let most = all.fold(common.unsigned_abs(), u64::max);
        Point {
            common,
            coordinates,
            short,
            most,
        }
    }

    /// The coordinates in 64 bits if no sum of this row's products can exceed them.
    fn short_for(&self, row: &Sparse) -> Option<&[i64]> {
        let bound = row.weight.checked_mul(self.most)?;
        i64::try_from(bound).ok().and(self.short.as_deref())
    }
}

struct Search<'l> {
    /// Where unknowns begin in the tableau.
    first: usize,
    rows: &'l [Rc<Sparse>],
    limits: &'l mut Limits,
    /// The best integer point so far, objectives included.
    best: Option<Vec<i64>>,
}

impl Search<'_> {
    fn spend(&mut self, work: usize) -> Bounded<()> {
        let left = self.limits.work.checked_sub(work as u64);
        self.limits.work = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Exhausted::Work)
    }

    /// Looks for better integer points. `bounds` are the branches taken, as rows over the tableau's rows.
    fn branch(&mut self, mut tableau: Tableau, bounds: &mut Vec<Sparse>) -> Bounded<()> {
        self.limits.nodes = self.limits.nodes.checked_sub(1).ok_or(Exhausted::Nodes)?;
        if !self.relax(&mut tableau, bounds)? {
            return Ok(());
        }
        let Some(at) = tableau.rows.iter().position(|r| r.fraction()) else {
            let value = |r: &Row| r.entries[0] / r.denominator;
            self.best = Some(tableau.rows.iter().map(value).collect());
            return Ok(());
        };
        let floor = tableau.rows[at].entries[0].div_euclid(tableau.rows[at].denominator);
        let (up, down) = ((-floor - 1, 1), (floor, -1));
        for ((constant, sign), tableau) in [(up, tableau.clone()), (down, tableau)] {
            bounds.push(Sparse::new(constant, vec![(at, sign)]));
            self.branch(tableau, bounds)?;
            bounds.pop();
        }
        Ok(())
    }

    /// The minimum over the rationals; false if there is none or none that could lead to a better integer point.
    fn relax(&mut self, tableau: &mut Tableau, bounds: &[Sparse]) -> Bounded<bool> {
        loop {
            if self.best.as_ref().is_some_and(|b| !tableau.below(b)) {
                return Ok(false);
            }
            let Some(row) = self.violated(tableau, bounds)? else {
                return Ok(true);
            };
            self.spend(tableau.rows.len() * tableau.columns())?;
            let Some(column) = tableau.entering(&row) else {
                return Ok(false);
            };
            tableau.pivot(&row, column)?;
        }
    }

    /// The row that is violated most, over the parameters of the tableau.
    fn violated(&mut self, tableau: &Tableau, bounds: &[Sparse]) -> Bounded<Option<Row>> {
        let common = tableau.common()?;
        let point = Point::new(common, tableau.scaled(common)?);
        let mut worst: Option<(i128, &Sparse, usize)> = None;
        let rows = self.rows.iter().map(|r| (&**r, self.first));
        let mut work = tableau.rows.len();
        for (row, first) in rows.chain(bounds.iter().map(|r| (r, 0))) {
            work += row.terms.len();
            let value = row.value(&point, first)?;
            if value < worst.map_or(0, |w| w.0) {
                worst = Some((value, row, first));
            }
        }
        // An unknown that is no parameter any more may have become negative.
        let unknowns = &tableau.rows[self.first..];
        let at = |i: usize| point.coordinates[self.first + i];
        let least = (0..unknowns.len()).min_by_key(|&i| at(i));
        let least = least.filter(|&i| at(i) < worst.map_or(0, |w| w.0));
        let found = match (least, worst) {
            (Some(i), _) => Some(unknowns[i].clone()),
            (None, Some((_, row, first))) => Some(tableau.substituted(row, first)?),
            (None, None) => None,
        };
        self.spend(work)?;
        Ok(found)
    }
}

/// `(entries[0] + sum entries[1 + j] y_j) / denominator`.
#[derive(Clone, Debug)]
struct Row {
    denominator: i64,
    entries: Vec<i64>,
}

impl Row {
    /// Whether the value at `y = 0` is not an integer.
    fn fraction(&self) -> bool {
        self.entries[0] % self.denominator != 0
    }

    /// From wide numbers, without common factor.
    fn narrow(denominator: i128, entries: Vec<i128>) -> Bounded<Row> {
        let common = entries.iter().fold(denominator, |all, &c| gcd(all, c));
        let small = |c: i128| i64::try_from(c / common).map_err(|_| Exhausted::Magnitude);
        Ok(Row {
            denominator: small(denominator)?,
            entries: entries.into_iter().map(small).collect::<Bounded<_>>()?,
        })
    }
}

#[derive(Clone, Debug)]
struct Tableau {
    rows: Vec<Row>,
}

impl Tableau {
    fn of(program: &Program) -> Tableau {
        let row = |of: &[usize]| {
            let mut entries = vec![0; program.unknowns + 1];
            of.iter().for_each(|i| entries[1 + i] = 1);
            Row {
                denominator: 1,
                entries,
            }
        };
        let objectives = program.objectives.iter().map(|o| row(o));
        let unknowns = (0..program.unknowns).map(|i| row(&[i]));
        Tableau {
            rows: objectives.chain(unknowns).collect(),
        }
    }

    fn columns(&self) -> usize {
        self.rows.first().map_or(0, |r| r.entries.len())
    }

    /// Whether the point `y = 0` comes before another one.
    fn below(&self, other: &[i64]) -> bool {
        let compare = |(r, o): (&Row, &i64)| {
            i128::from(r.entries[0]).cmp(&(i128::from(*o) * i128::from(r.denominator)))
        };
        let mut order = self.rows.iter().zip(other).map(compare);
        order.find(|o| *o != Ordering::Equal) == Some(Ordering::Less)
    }

    /// A common denominator of the point `y = 0`.
    fn common(&self) -> Bounded<i64> {
        let mut all = 1i64;
        for row in self.rows.iter().filter(|r| r.denominator != 1) {
            let part = row.denominator / gcd64(row.denominator, row.entries[0]);
            let product = all.checked_mul(part / gcd64(all, part));
            all = product.ok_or(Exhausted::Magnitude)?;
        }
        Ok(all)
    }

    /// The point `y = 0` times a common denominator.
    fn scaled(&self, common: i64) -> Bounded<Vec<i128>> {
        // Divisions of 128 bits are calls, and most numbers are short.
        let entry = |r: &Row| match (r.entries[0].checked_mul(common), r.denominator) {
            (Some(value), 1) => value.into(),
            (Some(value), denominator) => (value / denominator).into(),
            (None, denominator) => {
                i128::from(r.entries[0]) * i128::from(common) / i128::from(denominator)
            }
        };
        Ok(self.rows.iter().map(entry).collect())
    }

    /// A row of the program (or, with `first = 0`, of tableau rows) over the parameters.
    fn substituted(&self, row: &Sparse, first: usize) -> Bounded<Row> {
        let mut denominator = 1i64;
        for (at, _) in &row.terms {
            let d = self.rows[first + at].denominator;
            if d != 1 {
                let product = denominator.checked_mul(d / gcd64(denominator, d));
                denominator = product.ok_or(Exhausted::Magnitude)?;
            }
        }
        if let Some(small) = self.substituted_small(row, first, denominator) {
            return Ok(small);
        }
        let mut entries = vec![0i128; self.columns()];
        entries[0] = i128::from(row.constant) * i128::from(denominator);
        for (at, c) in &row.terms {
            let part = &self.rows[first + at];
            let factor = i128::from(*c) * i128::from(denominator / part.denominator);
            for (sum, e) in entries.iter_mut().zip(&part.entries) {
                let term = factor.checked_mul((*e).into());
                let next = term.and_then(|t| sum.checked_add(t));
                *sum = next.ok_or(Exhausted::Magnitude)?;
            }
        }
        Row::narrow(denominator.into(), entries)
    }

    /// The same in 64 bits; `None` if they are not enough.
    fn substituted_small(&self, row: &Sparse, first: usize, denominator: i64) -> Option<Row> {
        let mut entries = vec![0i64; self.columns()];
        entries[0] = row.constant.checked_mul(denominator)?;
        for (at, c) in &row.terms {
            let part = &self.rows[first + at];
            let factor = c.checked_mul(denominator / part.denominator)?;
            for (sum, e) in entries.iter_mut().zip(&part.entries) {
                if *e != 0 {
                    *sum = sum.checked_add(factor.checked_mul(*e)?)?;
                }
            }
        }
        let mut made = Row {
            denominator,
            entries,
        };
        made.reduce();
        Some(made)
    }

    /// The parameter that a violated row replaces: the least column in proportion.
    fn entering(&self, row: &Row) -> Option<usize> {
        let candidates = (1..row.entries.len()).filter(|&j| row.entries[j] > 0);
        candidates.min_by(|&j, &k| {
            let (cj, ck) = (i128::from(row.entries[j]), i128::from(row.entries[k]));
            let compare = |r: &Row| match (r.entries[j], r.entries[k]) {
                (0, 0) => Ordering::Equal,
                (ej, ek) => (i128::from(ej) * ck).cmp(&(i128::from(ek) * cj)),
            };
            let order = self
                .rows
                .iter()
                .map(compare)
                .find(|o| *o != Ordering::Equal);
            order.unwrap_or(Ordering::Equal)
        })
    }

    /// Puts the value `s` of a row `(c + sum c_k y_k) / d` in the place of a parameter: `y_j = (d s - c - sum of the other
    /// c_k y_k) / c_j`. (Not `d s`: the denominators of later rows would grow without need.)
    fn pivot(&mut self, row: &Row, column: usize) -> Bounded<()> {
        let pivot = row.entries[column];
        let most = magnitude(&row.entries).max(row.denominator.unsigned_abs());
        for r in &mut self.rows {
            let factor = r.entries[column];
            if factor == 0 {
                continue;
            }
            if !r.replace_small((row, most), column, pivot, factor) {
                r.replace(row, column, pivot, factor)?;
            }
        }
        Ok(())
    }
}

/// At least as much as the absolute value of each number, and not twice as much as the largest.
fn magnitude(numbers: &[i64]) -> u64 {
    numbers.iter().fold(0, |all, n| all | n.unsigned_abs())
}

/// An odd number that others are divided by if they are multiples of it: a product each, where a division takes several times as long.
struct Divisor {
    odd: i64,
    /// Times `odd` it is 1 in 64 bits.
    inverse: i64,
    /// No larger quotient is one in 64 bits.
    most: u64,
}

impl Divisor {
    fn new(odd: i64) -> Divisor {
        // Right in three bits, and in twice as many after each step.
        let closer = |x: i64, _| x.wrapping_mul(2i64.wrapping_sub(odd.wrapping_mul(x)));
        Divisor {
            odd,
            inverse: (0..5).fold(odd, closer),
            most: i64::MAX.unsigned_abs() / odd.unsigned_abs(),
        }
    }

    /// The quotient, if nothing remains.
    fn quotient(&self, n: i64) -> Option<i64> {
        let quotient = n.wrapping_mul(self.inverse);
        (quotient.unsigned_abs() <= self.most).then_some(quotient)
    }
}

impl Row {
    /// [`Tableau::pivot`] for one row in 64 bits, with the [`magnitude`] of the other one; false (and unchanged) if they are not enough.
    fn replace_small(
        &mut self,
        (row, most): (&Row, u64),
        column: usize,
        pivot: i64,
        factor: i64,
    ) -> bool {
        let fits = |a: u64, b: i64| {
            a.checked_mul(b.unsigned_abs())
                .is_some_and(|p| p >> 62 == 0)
        };
        let Some(denominator) = self.denominator.checked_mul(pivot) else {
            return false;
        };
        if !fits(magnitude(&self.entries), pivot) || !fits(most, factor) {
            return false;
        }
        for (e, c) in self.entries.iter_mut().zip(&row.entries) {
            *e = *e * pivot - factor * c;
        }
        self.entries[column] = factor * row.denominator;
        self.denominator = denominator;
        self.reduce();
        true
    }

    /// Divides by what all numbers have in common.
    fn reduce(&mut self) {
        if self.denominator == 1 {
            return;
        }
        let zeros = magnitude(&self.entries) | self.denominator.unsigned_abs();
        let zeros = zeros.trailing_zeros();
        if zeros > 0 {
            self.entries.iter_mut().for_each(|e| *e >>= zeros);
            self.denominator >>= zeros;
        }
        let odd = self.denominator >> self.denominator.trailing_zeros();
        let mut common = Divisor::new(odd);
        for &e in &self.entries {
            if common.odd == 1 {
                return;
            }
            if common.quotient(e).is_none() {
                common = Divisor::new(gcd64(common.odd, e));
            }
        }
        let divided = |n: i64| common.quotient(n).expect("it is a multiple");
        self.entries.iter_mut().for_each(|e| *e = divided(*e));
        self.denominator = divided(self.denominator);
    }

    fn replace(&mut self, row: &Row, column: usize, pivot: i64, factor: i64) -> Bounded<()> {
        let (pivot, factor) = (i128::from(pivot), i128::from(factor));
        let entry = |(j, (e, c)): (usize, (&i64, &i64))| match j == column {
            true => factor.checked_mul(row.denominator.into()),
            false => (i128::from(*e) * pivot).checked_sub(factor * i128::from(*c)),
        };
        let pairs = self.entries.iter().zip(&row.entries).enumerate();
        let entries: Option<Vec<i128>> = pairs.map(entry).collect();
        let entries = entries.ok_or(Exhausted::Magnitude)?;
        *self = Row::narrow(i128::from(self.denominator) * pivot, entries)?;
        Ok(())
    }
}

/// The greatest common divisor, or 1 if that is 2^63.
fn gcd64(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::{BasicSet, Ctx, Space};
    use proptest::prelude::*;

    fn sparse(rows: &[Vec<i64>]) -> Vec<Rc<Sparse>> {
        rows.iter().map(|r| Rc::new(Sparse::of(r))).collect()
    }

    fn solve(unknowns: usize, objectives: &[Vec<usize>], rows: &[Vec<i64>]) -> Option<Vec<i64>> {
        let rows = sparse(rows);
        let program = Program {
            unknowns,
            objectives,
            rows: &rows,
        };
        lexmin(&program, &mut LIMITS.clone()).unwrap()
    }

    #[test]
    fn the_example_of_the_module() {
        assert_eq!(
            solve(2, &[], &[vec![-7, 2, 3], vec![2, -1, 0]]),
            Some(vec![0, 3])
        );
    }

    #[test]
    fn objectives_come_before_unknowns() {
        let rows = [vec![-7, 2, 3]];
        assert_eq!(solve(2, &[vec![1], vec![0, 1]], &rows), Some(vec![4, 0]));
        assert_eq!(solve(2, &[vec![0, 1]], &rows), Some(vec![0, 3]));
    }

    #[test]
    fn sparse_rows_are_compared_as_full_ones() {
        let entry = -1i64..=1;
        let mut full: Vec<Vec<i64>> = vec![vec![]];
        for _ in 0..4 {
            let longer = |r: &Vec<i64>| entry.clone().map(|e| [&r[..], &[e]].concat()).collect();
            full = full.iter().flat_map::<Vec<_>, _>(longer).collect();
        }
        for (a, b) in full.iter().flat_map(|a| full.iter().map(move |b| (a, b))) {
            let (one, two) = (Sparse::of(a), Sparse::of(b));
            assert_eq!(one.order(&two), a.cmp(b));
            assert_eq!(one.covers(&two), a.iter().zip(b).all(|(a, b)| a >= b));
        }
        let terms = vec![(2, 5), (0, 1), (2, -5), (1, 3), (0, 1)];
        assert_eq!(Sparse::sum(-4, terms), Sparse::of(&[-4, 2, 3, 0]));
    }

    #[test]
    fn denominators_are_reduced() {
        let reduced = |denominator, entries: &[i64]| {
            let entries = entries.to_vec();
            let mut row = Row {
                denominator,
                entries,
            };
            row.reduce();
            (row.denominator, row.entries)
        };
        assert_eq!(reduced(12, &[-24, 0, 36]), (1, vec![-2, 0, 3]));
        assert_eq!(reduced(18, &[-24, 0, 36]), (3, vec![-4, 0, 6]));
        assert_eq!(reduced(45, &[-30, 9, 0]), (15, vec![-10, 3, 0]));
        assert_eq!(reduced(7, &[i64::MAX, 14]), (1, vec![i64::MAX / 7, 2]));
        assert_eq!(reduced(7, &[i64::MAX - 1, 14]), (7, vec![i64::MAX - 1, 14]));
        assert_eq!(reduced(4, &[i64::MIN, 2]), (2, vec![i64::MIN / 2, 1]));
    }

    #[test]
    fn infeasible_over_rationals_or_integers() {
        assert_eq!(solve(1, &[], &[vec![-3, 1], vec![2, -1]]), None);
        assert_eq!(solve(1, &[], &[vec![-1, 3], vec![2, -3]]), None);
        // 3x - 6y is 1 or 2.
        let strip = [vec![-1, 3, -6], vec![2, -3, 6], vec![9, -1, 0]];
        assert_eq!(solve(2, &[], &strip), None);
    }

    #[test]
    fn large_constants() {
        let rows = [vec![-3_999_999, 2000, 1], vec![4, -1, 0], vec![4, 0, 0]];
        assert_eq!(solve(2, &[vec![1]], &rows), Some(vec![4, 3_991_999]));
    }

    #[test]
    fn values_are_the_same_in_64_bits_and_in_128() {
        let row = Sparse::of(&[-7, 2, 0, -3]);
        let small = Point::new(2, vec![5, 9, 4]);
        assert!(small.short_for(&row).is_some());
        assert_eq!(row.value(&small, 0), Ok(-14 + 10 - 12));
        let large = Point::new(2, vec![i128::from(i64::MAX / 2), 9, 1 << 40]);
        assert!(large.short.is_some() && large.short_for(&row).is_none());
        let expected = -14 + i128::from(i64::MAX / 2) * 2 - (3 << 40);
        assert_eq!(row.value(&large, 0), Ok(expected));
        let larger = Point::new(1, vec![1 << 80, 0, 0]);
        assert_eq!(row.value(&larger, 0), Ok(-7 + (1 << 81)));
    }

    #[test]
    fn every_limit_is_an_error() {
        let strip = [vec![-1, 3, -6], vec![2, -3, 6]];
        let program = Program {
            unknowns: 2,
            objectives: &[],
            rows: &sparse(&strip),
        };
        let run = |mut limits| lexmin(&program, &mut limits);
        assert_eq!(run(LIMITS), Err(Exhausted::Nodes));
        assert_eq!(run(Limits { work: 20, ..LIMITS }), Err(Exhausted::Work));
        let steep: Vec<Vec<i64>> = (1..5)
            .map(|i| {
                (0..5)
                    .map(|j| i64::MAX / (3 * i + 7 * j) * if (i + j) % 2 == 0 { 1 } else { -1 })
                    .collect()
            })
            .collect();
        let program = Program {
            unknowns: 4,
            objectives: &[],
            rows: &sparse(&steep),
        };
        assert_eq!(
            lexmin(&program, &mut LIMITS.clone()),
            Err(Exhausted::Magnitude)
        );
    }

    /// isl's answer: dimensions for the objectives before the unknowns.
    fn reference(
        unknowns: usize,
        objectives: &[Vec<usize>],
        rows: &[Vec<i64>],
    ) -> Option<Vec<i64>> {
        let m = objectives.len();
        let space = Space::set_alloc(&Ctx::new(), 0, m + unknowns).unwrap();
        let define = |(i, o): (usize, &Vec<usize>)| {
            let mut row = vec![0; 1 + m + unknowns];
            row[1 + i] = -1;
            o.iter().for_each(|x| row[1 + m + x] = 1);
            row
        };
        let wide = |r: &Vec<i64>| [&r[..1], &vec![0; m], &r[1..]].concat();
        let unit = |i: usize| {
            (0..=m + unknowns)
                .map(|j| i64::from(j == 1 + m + i))
                .collect()
        };
        let equalities: Vec<Vec<i64>> = objectives.iter().enumerate().map(define).collect();
        let all: Vec<Vec<i64>> = rows
            .iter()
            .map(wide)
            .chain((0..unknowns).map(unit))
            .collect();
        let set = BasicSet::from_constraint_matrices(&space, &equalities, &all).unwrap();
        let best = set.lexmin().unwrap();
        match best.is_empty().unwrap() {
            true => None,
            false => Some(best.sample_point().unwrap().coordinates().unwrap()[m..].to_vec()),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn minima_are_those_of_isl(
            mut rows in proptest::collection::vec(proptest::collection::vec(-5i64..=5, 6), 1..9),
            objectives in proptest::collection::vec(proptest::sample::subsequence(vec![0usize, 1, 2, 3, 4], 1..5), 0..3),
        ) {
            // Bounded, so that every search ends.
            rows.extend((0..5).map(|i| (0..6).map(|j| if j == 0 { 9 } else { -i64::from(j == i + 1) }).collect()));
            prop_assert_eq!(solve(5, &objectives, &rows), reference(5, &objectives, &rows));
        }
    }
}
