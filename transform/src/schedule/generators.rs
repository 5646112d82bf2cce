//! The generators of a polyhedral cone, by the double description method (Motzkin et al. 1953; Chernikova 1965; with
//! lines kept apart from rays as in Le Verge 1992). Exact, and bounded in every direction.
//!
//! A cone `{ x : E x = 0, A x >= 0 }` is also `{ sum of any multiples of lines + non-negative multiples of rays }`. The
//! method starts with the whole space (all unit vectors are lines) and cuts with one constraint `a` after the other:
//!
//! * Some line `l` has `a.l != 0`: all other generators are moved along `l` into the plane `a.x = 0`. The line goes (for an
//!   equality) or stays as the ray on the positive side (for an inequality).
//! * Otherwise rays on the negative side go. For every two *adjacent* rays on either side, the ray in between that lies in the
//!   plane joins. Two rays are adjacent if no third one is tight on all constraints that both are tight on.
//!
//! ```text
//! { (h, x) : h >= 0, x >= h, 5 h >= x }, that is 1 <= x <= 5 made homogeneous:   rays (1, 1), (1, 5)
//! ```
//!
//! The number of rays may grow exponentially with the number of dimensions. [`Limits`] turn that into a value, [`TooLarge`].

use polytile_analysis::quotient::gcd;
use std::cmp::Reverse;

/// What may be spent on one cone.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Dimensions.
    pub columns: usize,
    /// Rays at any time.
    pub rays: usize,
    /// Elementary steps: comparisons of words, products of entries.
    pub work: u64,
}

/// The kernels' dependences have up to 96 rays and take up to 5000 steps.
pub const LIMITS: Limits = Limits {
    columns: 64,
    rays: 2_000,
    work: 30_000_000,
};

/// Entries of results stay below it, so that sums of a few need no care.
const MAX_ENTRY: u128 = 1 << 40;

/// Which limit was hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// Too many dimensions.
    Columns,
    /// Too many rays.
    Rays,
    /// Too many steps.
    Work,
    /// Entries that do not fit.
    Magnitude,
}

/// Lines and rays. Unique for a cone: lines in reduced echelon form, rays reduced by them, all entries of a vector without a
/// common factor, none that others generate, in lexicographic order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Generators {
    /// Vectors of which every multiple is in the cone.
    pub lines: Vec<Vec<i64>>,
    /// Vectors of which every non-negative multiple is in the cone.
    pub rays: Vec<Vec<i64>>,
}

type Vector = Vec<i128>;
type Bounded<T> = Result<T, TooLarge>;

/// The first `kept` coordinates of the cone of all `x` with `equalities . x = 0` and `inequalities . x >= 0`.
///
/// A projection of generators generates the projection. `limits` keeps what is left of it.
pub fn generators(
    columns: usize,
    kept: usize,
    equalities: &[Vec<i64>],
    inequalities: &[Vec<i64>],
    limits: &mut Limits,
) -> Bounded<Generators> {
    let wide = |rows: &[Vec<i64>]| -> Vec<Vector> {
        let row = |r: &Vec<i64>| r.iter().map(|&c| c.into()).collect();
        rows.iter().map(row).collect()
    };
    let all = Description::of(columns, wide(equalities), wide(inequalities), limits)?;
    let cut = |v: Vector| v[..kept].to_vec();
    let lines = echelon(all.lines.into_iter().map(cut).collect())?;
    let rays = all.rays.into_iter().map(|r| cut(r.vector)).collect();
    let rays = reduced(rays, &lines)?;
    let (lines, rays) = if kept == columns {
        (lines, rays)
    } else {
        // What is redundant stays if it is too much work to find out.
        minimal(kept, &lines, &rays, limits).unwrap_or((lines, rays))
    };
    Ok(Generators {
        lines: narrow(lines)?,
        rays: narrow(rays)?,
    })
}

fn narrow(rows: Vec<Vector>) -> Bounded<Vec<Vec<i64>>> {
    let entry = |c: i128| match c.unsigned_abs() < MAX_ENTRY {
        true => Ok(c as i64),
        false => Err(TooLarge::Magnitude),
    };
    let row = |r: Vector| r.into_iter().map(entry).collect();
    rows.into_iter().map(row).collect()
}

/// A set of constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn empty(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)])
    }

    /// The first `of` of `n`.
    fn first(of: usize, n: usize) -> Bits {
        let mut bits = Bits::empty(n);
        (0..of).for_each(|i| bits.set(i));
        bits
    }

    fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn both(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn within(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }
}

#[derive(Clone, Debug)]
struct Ray {
    vector: Vector,
    /// The inequalities that it satisfies with equality.
    tight: Bits,
}

/// The generators of the constraints seen so far.
struct Description<'l> {
    lines: Vec<Vector>,
    rays: Vec<Ray>,
    /// Dimensions that the equalities leave.
    space: usize,
    /// Inequalities in all, and seen.
    total: usize,
    seen: usize,
    limits: &'l mut Limits,
}

impl Description<'_> {
    fn of(
        columns: usize,
        equalities: Vec<Vector>,
        mut inequalities: Vec<Vector>,
        limits: &mut Limits,
    ) -> Bounded<Description<'_>> {
        if columns > limits.columns {
            return Err(TooLarge::Columns);
        }
        // Sparse rows first: fewer intermediate rays. Any order gives the same result.
        inequalities.sort_by_key(|r| (r.iter().filter(|c| **c != 0).count(), Reverse(r.clone())));
        inequalities.dedup();
        let unit = |i| (0..columns).map(|j| i128::from(i == j)).collect();
        let mut all = Description {
            lines: (0..columns).map(unit).collect(),
            rays: vec![],
            space: columns,
            total: inequalities.len(),
            seen: 0,
            limits,
        };
        for row in &equalities {
            all.space -= usize::from(all.along_line(row)?.is_some());
        }
        for row in &inequalities {
            match all.along_line(row)? {
                Some(line) => all.rays.push(Ray {
                    vector: line,
                    tight: Bits::first(all.seen, all.total),
                }),
                None => all.cut(row)?,
            }
            all.seen += 1;
        }
        Ok(all)
    }

    fn spend(&mut self, work: usize) -> Bounded<()> {
        let left = self.limits.work.checked_sub(work as u64);
        self.limits.work = left.unwrap_or(0);
        left.map(|_| ()).ok_or(TooLarge::Work)
    }

    /// Moves all generators along a line into the plane of a constraint, and takes the line out; `None` if all lines lie
    /// in the plane.
    fn along_line(&mut self, row: &Vector) -> Bounded<Option<Vector>> {
        self.spend((self.lines.len() + self.rays.len()) * row.len())?;
        let mut found = None;
        for (i, line) in self.lines.iter().enumerate() {
            if dot(row, line)? != 0 {
                found = Some(i);
                break;
            }
        }
        let Some(found) = found else {
            return Ok(None);
        };
        let mut line = self.lines.remove(found);
        let mut step = dot(row, &line)?;
        if step < 0 {
            line.iter_mut().for_each(|c| *c = -*c);
            step = -step;
        }
        let seen = self.seen;
        let into = |v: &Vector| -> Bounded<Vector> {
            let off = dot(row, v)?;
            combine(v, step, &line, -off)
        };
        for l in &mut self.lines {
            *l = into(l)?;
        }
        for r in &mut self.rays {
            r.vector = into(&r.vector)?;
            r.tight.set(seen);
        }
        Ok(Some(line))
    }

    /// Cuts the rays with a half space whose plane contains all lines.
    fn cut(&mut self, row: &Vector) -> Bounded<()> {
        let (mut kept, mut ahead, mut behind) = (vec![], vec![], vec![]);
        for (i, mut ray) in self.rays.clone().into_iter().enumerate() {
            let value = dot(row, &ray.vector)?;
            match value.signum() {
                1 => ahead.push((i, value)),
                -1 => behind.push((i, -value)),
                _ => ray.tight.set(self.seen),
            }
            if value >= 0 {
                kept.push(ray);
            }
        }
        // A face between two rays has two dimensions beside the lines: tight constraints use up all others.
        let least = (self.space - self.lines.len()).saturating_sub(2);
        for &(a, va) in &ahead {
            self.spend(behind.len() * (row.len() + self.words()))?;
            for &(b, vb) in &behind {
                let mut tight = self.rays[a].tight.both(&self.rays[b].tight);
                if tight.count() < least || !self.adjacent(a, b, &tight)? {
                    continue;
                }
                tight.set(self.seen);
                let vector = combine(&self.rays[a].vector, vb, &self.rays[b].vector, va)?;
                kept.push(Ray { vector, tight });
                if kept.len() > self.limits.rays {
                    return Err(TooLarge::Rays);
                }
            }
        }
        self.rays = kept;
        Ok(())
    }

    fn words(&self) -> usize {
        self.total.div_ceil(64)
    }

    fn adjacent(&mut self, a: usize, b: usize, tight: &Bits) -> Bounded<bool> {
        self.spend(self.rays.len() * self.words())?;
        let between = |(i, r): (usize, &Ray)| i != a && i != b && tight.within(&r.tight);
        Ok(!self.rays.iter().enumerate().any(between))
    }
}

fn dot(a: &[i128], b: &[i128]) -> Bounded<i128> {
    let mut sum = 0i128;
    for (x, y) in a.iter().zip(b) {
        let product = x.checked_mul(*y).ok_or(TooLarge::Magnitude)?;
        sum = sum.checked_add(product).ok_or(TooLarge::Magnitude)?;
    }
    Ok(sum)
}

/// `a * x + b * y` without common factor.
fn combine(x: &[i128], a: i128, y: &[i128], b: i128) -> Bounded<Vector> {
    let entry = |(x, y): (&i128, &i128)| a.checked_mul(*x)?.checked_add(b.checked_mul(*y)?);
    let sum: Option<Vector> = x.iter().zip(y).map(entry).collect();
    let mut sum = sum.ok_or(TooLarge::Magnitude)?;
    divide(&mut sum);
    Ok(sum)
}

fn divide(v: &mut [i128]) {
    let common = v.iter().fold(0, |all, &c| gcd(all, c));
    if common > 1 {
        v.iter_mut().for_each(|c| *c /= common);
    }
}

/// The first column that is not 0.
fn pivot(row: &[i128]) -> Option<usize> {
    row.iter().position(|c| *c != 0)
}

/// The reduced echelon form of what the rows span.
fn echelon(rows: Vec<Vector>) -> Bounded<Vec<Vector>> {
    let mut done: Vec<Vector> = vec![];
    for row in rows {
        let mut row = reduce(row, &done)?;
        let Some(at) = pivot(&row) else {
            continue;
        };
        if row[at] < 0 {
            row.iter_mut().for_each(|c| *c = -*c);
        }
        for other in &mut done {
            if other[at] != 0 {
                *other = combine(other, row[at], &row, -other[at])?;
            }
        }
        done.push(row);
    }
    done.sort_by_key(|r| pivot(r));
    Ok(done)
}

/// A vector with 0 in the pivot columns of lines, times a positive number.
fn reduce(mut v: Vector, lines: &[Vector]) -> Bounded<Vector> {
    divide(&mut v);
    for line in lines {
        let at = pivot(line).expect("no line is zero");
        if v[at] != 0 {
            v = combine(&v, line[at], line, -v[at])?;
        }
    }
    Ok(v)
}

/// Rays modulo lines, sorted, none twice.
fn reduced(rays: Vec<Vector>, lines: &[Vector]) -> Bounded<Vec<Vector>> {
    let mut all = vec![];
    for ray in rays {
        let ray = reduce(ray, lines)?;
        if pivot(&ray).is_some() {
            all.push(ray);
        }
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// The generators that remain when those go that others generate; rays that are lines in disguise become lines.
///
/// The constraints of the cone are the generators of its dual. A ray is extreme if no other one is tight on all of the
/// constraints that it is tight on and on more; tight on all, it lies with its negative in the cone.
fn minimal(
    columns: usize,
    lines: &[Vector],
    rays: &[Vector],
    limits: &mut Limits,
) -> Bounded<(Vec<Vector>, Vec<Vector>)> {
    let dual = Description::of(columns, lines.to_vec(), rays.to_vec(), limits)?;
    let facets: Vec<&Vector> = dual.rays.iter().map(|r| &r.vector).collect();
    let mut lines = lines.to_vec();
    let mut proper = vec![];
    for ray in rays {
        let mut tight = Bits::empty(facets.len());
        for (i, facet) in facets.iter().enumerate() {
            if dot(facet, ray)? == 0 {
                tight.set(i);
            }
        }
        if tight.count() == facets.len() {
            lines.push(ray.clone());
        } else {
            proper.push((tight, ray.clone()));
        }
    }
    let extreme = |(tight, _): &&(Bits, Vector)| {
        let more = |(other, _): &(Bits, Vector)| tight != other && tight.within(other);
        !proper.iter().any(more)
    };
    let rays = proper.iter().filter(extreme).map(|(_, r)| r.clone());
    let lines = echelon(lines)?;
    let rays = reduced(rays.collect(), &lines)?;
    Ok((lines, rays))
}

#[cfg(test)]
#[path = "generators_tests.rs"]
mod tests;
