//! The model of one band.

use super::{Reference, at_values, extent, latency};
use crate::simd::{inverse_columns, linear_part, moves_along};
use crate::target::Target;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Tree};

/// Sizes that are tried per member, besides its whole extent.
const CANDIDATES: [i64; 7] = [8, 16, 32, 64, 128, 256, 512];

/// The least size of a member along which memory is contiguous: its loop is the vector loop.
const MIN_CONTIGUOUS: i64 = 64;

/// Members that are tiled at most; the others stay whole.
const MAX_TILED: usize = 4;

/// Tiling must save so much of the cost.
const MIN_GAIN: f64 = 1.25;

/// Bytes from beyond the second level per instance, below which tiling is not worth its loops.
const MIN_TRAFFIC: f64 = 1.0;

/// What a byte from the second level costs, in bytes from beyond it.
const L1_MISS: f64 = 0.1;

/// What a cycle costs, in bytes from beyond the second level.
const CYCLE: f64 = 8.0;

/// Cycles of an access that moves by more than an element along the innermost loop.
const APART: f64 = 0.9;

/// What entering an innermost loop costs, in bytes from beyond the second level.
const LOOP_ENTRY: f64 = 24.0;

/// What a band does to memory, for typical parameters.
#[derive(Clone, Debug)]
pub struct Model {
    /// Iterations of each member, then of the loops below the band.
    pub extents: Vec<i64>,
    /// Members of the band.
    pub members: usize,
    /// What is touched, without repetitions.
    pub references: Vec<Reference>,
    /// A step of some member moves more than one iterator: the band is skewed.
    pub skewed: bool,
    /// Cycles that an instance of each statement takes, whatever memory does.
    pub cycles: f64,
}

impl Model {
    /// The model of a band below bands with these `outer` rows; `None` if some access or row is not affine.
    pub fn new(
        scop: &Scop,
        outer: &[MultiUnionPwAff],
        band: &Band,
        domain: &UnionSet,
        typical: &[i64],
    ) -> poly::Result<Option<Model>> {
        let stmts = deepest(scop, domain)?;
        let members = band.schedule.size();
        let mut model = Model {
            extents: vec![],
            members,
            references: vec![],
            skewed: false,
            cycles: 0.0,
        };
        for stmt in stmts {
            let mut rows: Vec<UnionPwAff> = vec![];
            for o in outer {
                rows.extend(o.union_pw_affs()?);
            }
            let before = rows.len();
            rows.extend(band.schedule.union_pw_affs()?);
            inner_rows(&band.child, stmt, &mut rows)?;
            let Some(steps) = steps(&rows, stmt)? else {
                return Ok(None);
            };
            let steps = &steps[before..];
            model.cycles += cycles(scop, stmt, &rows, steps.last())?;
            model.skewed |= steps[..members]
                .iter()
                .flatten()
                .any(|s| s.iter().filter(|c| **c != 0).count() > 1);
            let extents = extents(&rows[before..], stmt, domain, typical)?;
            let n = model.extents.len().max(extents.len());
            model.extents.resize(n, 1);
            for (have, e) in model.extents.iter_mut().zip(extents) {
                *have = e.max(*have);
            }
            for access in &stmt.accesses {
                match Reference::of(scop, stmt, access, steps)? {
                    None => return Ok(None),
                    Some(Some(r)) if !model.references.contains(&r) => model.references.push(r),
                    Some(_) => {}
                }
            }
        }
        model.pad();
        Ok(Some(model))
    }

    /// Gives all references the same number of members.
    fn pad(&mut self) {
        let n = self.extents.len().max(self.members);
        self.extents.resize(n, 1);
        for row in self.references.iter_mut().flat_map(|r| &mut r.moves) {
            row.resize(n, 0);
        }
    }

    /// Instances of a deepest statement.
    pub fn volume(&self) -> f64 {
        self.extents.iter().map(|&e| e as f64).product()
    }

    /// Bytes of everything that is touched.
    pub fn footprint(&self, extents: &[i64]) -> f64 {
        self.references.iter().map(|r| r.bytes(extents)).sum()
    }

    /// Bytes that come into a cache of `capacity` bytes when the members are tiled by `sizes`.
    pub fn traffic(&self, sizes: &[i64], capacity: f64) -> f64 {
        let mut loops = vec![];
        for (m, &s) in sizes.iter().enumerate() {
            if s < self.extents[m] {
                loops.push((m, s, self.extents[m]));
            }
        }
        for (m, &e) in self.extents.iter().enumerate() {
            loops.push((m, 1, sizes.get(m).map_or(e, |&s| s.min(e))));
        }
        self.traffic_of(&loops, capacity)
    }

    /// Loops as (member, iterations of the member per step, iterations of the member in all).
    fn traffic_of(&self, loops: &[(usize, i64, i64)], capacity: f64) -> f64 {
        let span = |from: usize| -> Vec<i64> {
            let mut spans = vec![1; self.extents.len()];
            for &(m, _, range) in loops[from..].iter().rev() {
                spans[m] = range;
            }
            spans
        };
        let mut factor = 1.0;
        for (at, &(m, unit, range)) in loops.iter().enumerate() {
            let mut window = span(at + 1);
            window[m] = (2 * unit).min(range);
            if self.footprint(&window) <= capacity {
                return factor * self.footprint(&span(at));
            }
            factor *= (range as f64 / unit as f64).ceil();
        }
        factor * self.footprint(&vec![1; self.extents.len()])
    }

    fn cost(&self, sizes: &[i64], target: &Target) -> f64 {
        let entries: f64 = self.volume() / self.innermost(sizes) as f64;
        let memory = self.traffic(sizes, target.l2 as f64 / 2.0)
            + L1_MISS * self.traffic(sizes, target.l1 as f64 / 2.0);
        memory.max(CYCLE * self.cycles * self.volume()) + LOOP_ENTRY * entries
    }

    /// Iterations of the innermost loop.
    fn innermost(&self, sizes: &[i64]) -> i64 {
        let last = self.extents.len() - 1;
        let size = sizes.get(last).copied().unwrap_or(i64::MAX);
        self.extents[last].min(size).max(1)
    }

    /// Whether memory is contiguous along a member in some reference.
    pub fn contiguous(&self, member: usize) -> bool {
        let unit = |r: &Reference| r.stride(member).is_some_and(|s| s.abs() == 1);
        self.references.iter().any(unit)
    }

    /// Sizes of the members for which tiling pays; a size of the whole extent or more means: not tiled.
    pub fn sizes(&self, target: &Target) -> Option<Vec<i64>> {
        let whole: Vec<i64> = self.extents[..self.members].to_vec();
        let untiled = self.cost(&whole, target);
        let traffic = self.traffic(&whole, target.l2 as f64 / 2.0);
        if traffic < MIN_TRAFFIC * self.volume() {
            return None;
        }
        let mut best: Option<(f64, Vec<i64>)> = None;
        let mut sizes = whole.clone();
        self.try_sizes(0, &mut sizes, target, &mut best);
        let (cost, sizes) = best?;
        (sizes != whole && cost * MIN_GAIN <= untiled).then_some(sizes)
    }

    /// All candidates for the members from `m` on, larger sizes first so that they win ties.
    fn try_sizes(
        &self,
        m: usize,
        sizes: &mut Vec<i64>,
        target: &Target,
        best: &mut Option<(f64, Vec<i64>)>,
    ) {
        if m == self.members {
            let cost = self.cost(sizes, target);
            if best.as_ref().is_none_or(|(c, _)| cost < *c) {
                *best = Some((cost, sizes.clone()));
            }
            return;
        }
        let extent = self.extents[m];
        self.try_sizes(m + 1, sizes, target, best);
        let least = if self.contiguous(m) {
            MIN_CONTIGUOUS
        } else {
            1
        };
        if m < MAX_TILED {
            for &c in CANDIDATES
                .iter()
                .rev()
                .filter(|c| **c >= least && **c < extent)
            {
                sizes[m] = c;
                self.try_sizes(m + 1, sizes, target, best);
            }
        }
        sizes[m] = extent;
    }
}

/// The statements of greatest depth.
fn deepest<'s>(scop: &'s Scop, domain: &UnionSet) -> poly::Result<Vec<&'s Stmt>> {
    let ids = crate::live::statements(scop, domain)?;
    let depth = ids.iter().map(|&id| scop.stmt(id).depth()).max();
    let all = ids.iter().map(|&id| scop.stmt(id));
    Ok(all.filter(|s| Some(s.depth()) == depth).collect())
}

/// The rows of the bands below that a statement goes through.
fn inner_rows(tree: &Tree, stmt: &Stmt, rows: &mut Vec<UnionPwAff>) -> poly::Result<()> {
    match tree {
        Tree::Leaf => Ok(()),
        Tree::Mark(_, child) => inner_rows(child, stmt, rows),
        Tree::Band(band) => {
            rows.extend(band.schedule.union_pw_affs()?);
            inner_rows(&band.child, stmt, rows)
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            for b in list {
                if b.filter.contains(&stmt.domain.space()?)? {
                    return inner_rows(&b.child, stmt, rows);
                }
            }
            Ok(())
        }
    }
}

/// Cycles of an instance of a statement below some rows, of which the last moves its iterators by `step`.
fn cycles(
    scop: &Scop,
    stmt: &Stmt,
    rows: &[UnionPwAff],
    step: Option<&Option<Vec<i64>>>,
) -> poly::Result<f64> {
    let chain = latency(stmt, rows)? as f64;
    let Some(Some(step)) = step else {
        return Ok(chain);
    };
    let mut apart = 0;
    for a in &stmt.accesses {
        let unit = Stride::Const(i128::from(a.ty.bytes()));
        let by = moves_along(scop, a, step)?;
        apart += usize::from(by != Stride::Zero && by != unit);
    }
    Ok(chain.max(APART * apart as f64))
}

/// How the iterators move by one step of each row alone.
fn steps(rows: &[UnionPwAff], stmt: &Stmt) -> poly::Result<Option<Vec<Option<Vec<i64>>>>> {
    let mut linear = vec![];
    for row in rows {
        match linear_part(row, stmt)? {
            Some(r) => linear.push(r),
            None => return Ok(None),
        }
    }
    Ok(inverse_columns(&linear, stmt.depth()))
}

/// The iterations of rows for typical parameters.
fn extents(
    rows: &[UnionPwAff],
    stmt: &Stmt,
    domain: &UnionSet,
    typical: &[i64],
) -> poly::Result<Vec<i64>> {
    let here = domain.extract_set(&stmt.domain.space()?)?;
    let here = at_values(&here, typical)?.to_union_set()?;
    let mut extents = vec![];
    for row in rows {
        extents.push(extent(&here, row)?.unwrap_or(1));
    }
    Ok(extents)
}
