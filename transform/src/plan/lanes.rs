//! Independent recurrences: a coincident member around loops that carry chains.
//!
//! ```text
//! for i: { p[i][0] = 0;  for j: p[i][j] = f(p[i][j-1], u[j][i]);  for j descending: v[j][i] = g(v[j+1][i], p[i][j]) }
//! ```
//!
//! Nothing below `i` has independent iterations, so threads and vector lanes both come from `i`: threads take blocks of
//! it, and in a block each lane runs the chains of one iteration. One chain waits for itself most of the time; a few
//! vectors side by side fill the gaps.
//!
//! ```text
//! band [i (coincident), ..]    ->    band [i / W (parallel)] - band [i (lanes)] - band [..]
//! ```
//!
//! Lanes that lie apart in memory are moved in squares ([`LoopKind::Lanes`]), for which their elements must follow each
//! other in the loops inside. The few that do not, at the ends of the chains, move one by one; a nest that consists of them
//! (an inner loop that was unrolled) has nothing to gain.

use super::streams::part_of;
use super::taken::contracted_arrays;
use super::{Place, Planner, Tiling};
use crate::expand::has_chain;
use crate::live::{Live, statements};
use crate::simd::lanes::lane;
use crate::simd::{
    in_any_order, linear_part, linear_parts, member_steps, moves_along, moves_with, reordered,
};
use crate::tile::points::taken_apart;
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::deps::{Dependence, update};
use polytile_analysis::ids::{ArrayId, NodeId, StmtId};
use polytile_analysis::poly::{self, UnionPwAff, UnionSet};
use polytile_analysis::region::Ty;
use polytile_analysis::scop::{Access, AccessKind, Place as Location, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Supply, Tree};

/// Iterations side by side where lanes lie apart: enough chains to hide their latency.
pub(super) const ROWS: u32 = 16;

/// Vectors side by side where lanes are contiguous.
pub(super) const VECTORS: u32 = 4;

/// What the accesses of a band need.
#[derive(Clone, Default)]
pub(super) struct Needs {
    /// Bytes of the largest element.
    pub(super) element: u64,
    /// Some lanes lie apart.
    pub(super) apart: bool,
    /// Accesses that no loop inside follows and whose lanes lie apart: element by element.
    single: usize,
    /// The others that move along the lanes.
    vectors: usize,
    /// A statement stands before or behind the innermost loops.
    shallow: bool,
    /// Temporary arrays with elements of a line that do not follow each other in the loops inside: they have lanes in panels only.
    lines: Vec<ArrayId>,
}

impl Needs {
    /// Whether no element is moved by itself, and some are moved.
    pub(super) fn has_only_vectors(&self) -> bool {
        self.single == 0 && self.vectors > 0 && self.lines.is_empty()
    }
}

impl Planner<'_> {
    /// A band with one coincident member around chains, in lanes; `None` if it is not of this kind.
    pub(super) fn lanes(&self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        let free: Vec<usize> = (0..band.coincident.len())
            .filter(|&m| band.coincident[m])
            .collect();
        let &[m] = &free[..] else { return Ok(None) };
        let several = band.schedule.size() > 1;
        let row = band.schedule.at(m)?;
        let sweeps = || self.sweeps(several, (&row, &band.child), &place.domain);
        if m > 0 && !band.permutable || !chains(several, &band.child)? && !sweeps()? {
            return Ok(None);
        }
        if let Some(behind) = self.one_lane_behind(band, &row, place)? {
            return Ok(Some(behind));
        }
        let mut needs = Needs::default();
        let Some(each) = self.needs_of_all(&row, place)? else {
            return Ok(None);
        };
        for own in each {
            needs.element = needs.element.max(own.element);
            needs.apart |= own.apart;
            needs.single += own.single;
            needs.vectors += own.vectors;
            needs.shallow |= own.shallow;
            needs.lines.extend(own.lines);
        }
        if needs.shallow && self.waits_for_copies_only(band, m, place)? {
            return Ok(None);
        }
        if needs.apart && (self.names_places(place)? || self.waits_for_extrema(band, m, place)?) {
            return Ok(None);
        }
        let lanes = self.target.lanes(needs.element) as u32;
        // Columns of one loop nest: whole rows as vectors (`columns`), but for cells that all rows update with a look at others.
        let plain = band.schedule.size() == 2 && !band.child.has_bands();
        let columns = plain && !needs.apart && !self.look_at_each_other(band, m, place)?;
        if lanes < 2 || columns || needs.single > needs.vectors {
            return Ok(None);
        }
        let vectors = match needs.apart {
            true => ROWS.div_ceil(lanes).min(VECTORS),
            false if band.schedule.size() > 1 && band.child.has_bands() => 2 * VECTORS,
            false => VECTORS,
        };
        let kind = LoopKind::Lanes {
            lanes,
            vectors,
            supply: Supply::Near,
        };
        let child = self.around(band, m, place)?;
        let tree = in_lanes(&row, kind, child, place.parallel)?;
        let mut panels = vec![];
        if !needs.lines.is_empty() {
            contracted_arrays(&self.contracted_below(&tree, place)?, &mut panels);
        }
        let fits = needs.lines.iter().all(|a| panels.contains(a));
        Ok(fits.then_some(tree))
    }

    /// The temporary arrays that instances access, if some of them hold copies of lines with chains.
    pub(super) fn lines(&self, domain: &UnionSet) -> poly::Result<Vec<ArrayId>> {
        let arrays = self.temporaries(domain)?;
        let chained = arrays.iter().any(|a| has_chain(self.scop, *a));
        Ok(if chained { arrays } else { vec![] })
    }

    /// Whether the loops below `row` are chains along lines, and what fills such lines or takes them: as many lanes as run the chains, where the lines stay in
    /// panels, are no worse for that than vectors along a line of memory. `inside`: there is a loop that carries already.
    fn sweeps(
        &self,
        inside: bool,
        (row, below): (&UnionPwAff, &Tree),
        domain: &UnionSet,
    ) -> poly::Result<bool> {
        let lines = self.lines(domain)?;
        if lines.is_empty() {
            return Ok(false);
        }
        carry(inside, below, &|band, path| {
            if band.child.has_bands() {
                return Ok(false);
            }
            let mut here = domain.clone();
            for filter in path {
                here = here.intersect(filter)?;
            }
            for s in statements(self.scop, &here)? {
                let stmt = self.scop.stmt(s);
                let on_line = stmt.accesses.iter().any(|a| lines.contains(&a.array));
                if !on_line && !self.in_one_lane(stmt, row)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Whether a member beside `m` is parallel where threads have temporary arrays of their own: it goes outside (`private`), and what is along `m` is
    /// reused inside.
    fn waits_for_copies_only(&self, band: &Band, m: usize, place: &Place) -> poly::Result<bool> {
        let arrays = self.temporaries(&place.domain)?;
        for other in (0..band.schedule.size()).filter(|&o| o != m) {
            let row = band.schedule.at(other)?;
            let private = self.private_arrays(&arrays, &row, &place.domain, place)?;
            if private.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The band in lanes without the statements that run in one of them only, which follow: a condition on the lane has no vector form.
    fn one_lane_behind(
        &self,
        band: &Band,
        row: &UnionPwAff,
        place: &Place,
    ) -> poly::Result<Option<Tree>> {
        let (mut one, mut all) = (vec![], vec![]);
        for id in statements(self.scop, &place.domain)? {
            match self.in_one_lane(self.scop.stmt(id), row)? {
                true => one.push(id),
                false => all.push(id),
            }
        }
        if one.is_empty() || all.is_empty() {
            return Ok(None);
        }
        let edges = place.live.inside(&place.domain)?.edges();
        if edges
            .iter()
            .any(|(s, t)| one.contains(s) && all.contains(t))
        {
            return Ok(None);
        }
        let filter = self.instances(&all)?;
        let inside = place.inside(&filter)?;
        let Some(child) = self.lanes(&part_of(band, &inside)?, &inside)? else {
            return Ok(None);
        };
        let lanes = Branch { filter, child };
        let filter = self.instances(&one)?;
        let last = part_of(band, &place.inside(&filter)?)?;
        let child = Tree::Band(Box::new(last));
        Ok(Some(Tree::Sequence(vec![lanes, Branch { filter, child }])))
    }

    /// Whether a statement has one iteration along `row`, whatever there is around it.
    fn in_one_lane(&self, stmt: &Stmt, row: &UnionPwAff) -> poly::Result<bool> {
        let Some(row) = linear_part(row, stmt)? else {
            return Ok(false);
        };
        let domain = stmt.domain.intersect_params(&self.scop.context)?;
        for d in (0..row.len()).filter(|&d| row[d] != 0) {
            let (first, last) = (domain.dim_min(d)?, domain.dim_max(d)?);
            if !first.lt_set(&last)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a statement keeps the number of an iteration, as that of a minimum. Along rows of memory, the original's loop reads one row as fast as it
    /// comes, with few operations for each element, and lanes would read many.
    fn names_places(&self, place: &Place) -> poly::Result<bool> {
        let ids = statements(self.scop, &place.domain)?;
        let keeps = |id: &StmtId| keeps_index(&self.scop.stmt(*id).body);
        Ok(ids.iter().any(keeps))
    }

    /// Whether the members beside `m` carry nothing but minima and maxima that may be found in any order: they have lanes in strips along memory
    /// (`strips`).
    fn waits_for_extrema(&self, band: &Band, m: usize, place: &Place) -> poly::Result<bool> {
        let mut found = vec![];
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            if in_any_order(stmt)? {
                found.push(stmt.write().array);
            }
        }
        if found.is_empty() || band.schedule.size() < 2 {
            return Ok(false);
        }
        let other = |d: &&Dependence| d.arrays.iter().any(|a| !found.contains(a));
        let list = self.deps.ordering(false).filter(other);
        let live = Live::of(list)?.inside(&place.domain)?;
        let live = live.tied(&band.schedule.at(m)?)?;
        for o in (0..band.schedule.size()).filter(|&o| o != m) {
            if !live.coincident(&band.schedule.at(o)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether nothing that is written moves along the member beside `m`, and some statement looks at what another one has updated there
    /// (the place of a minimum at the least so far): all of it stays in registers from one iteration to the next, and goes through memory
    /// between rows.
    fn look_at_each_other(&self, band: &Band, m: usize, place: &Place) -> poly::Result<bool> {
        let (mut written, mut read) = (vec![], vec![]);
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? else {
                return Ok(false);
            };
            let Some(step) = &steps[1 - m] else { continue };
            for a in stmt.writes() {
                if moves_along(self.scop, a, step)? != Stride::Zero {
                    return Ok(false);
                }
                written.push(a.array);
            }
            for a in stmt.reads().iter().filter(|a| !stmt.writes_to(a.array)) {
                if moves_along(self.scop, a, step)? == Stride::Zero {
                    read.push(a.array);
                }
            }
        }
        Ok(read.iter().any(|a| written.contains(a)))
    }

    /// Whether a statement is in fewer loops than another one beside it.
    fn is_shallow(&self, stmt: &Stmt, place: &Place) -> poly::Result<bool> {
        let mut others = statements(self.scop, &place.domain)?.into_iter();
        Ok(others.any(|id| self.scop.stmt(id).depth() > stmt.depth()))
    }

    /// The tree below member `m`: the other members, with statements that only touch their ends taken apart.
    pub(super) fn around(&self, band: &Band, m: usize, place: &Place) -> poly::Result<Tree> {
        let others: Vec<usize> = (0..band.schedule.size()).filter(|&o| o != m).collect();
        if others.is_empty() {
            return Ok(band.child.clone());
        }
        let mut order = vec![m];
        order.extend(&others);
        let first = reordered(band, &order)?;
        let apart = taken_apart(self.scop, &place.live, &first, &place.domain)?;
        Ok(match apart {
            Some(Tree::Band(apart)) => apart.child,
            _ => Tree::Band(Box::new(reordered(band, &others)?)),
        })
    }

    /// What each statement needs in lanes along `row`; `None` where one does not fit.
    pub(super) fn needs_of_all(
        &self,
        row: &UnionPwAff,
        place: &Place,
    ) -> poly::Result<Option<Vec<Needs>>> {
        let ids = statements(self.scop, &place.domain)?;
        let needs = ids
            .into_iter()
            .map(|id| self.needs(self.scop.stmt(id), row, place));
        needs.collect()
    }

    /// What a statement needs in lanes along `row`; `None` where it does not fit.
    pub(super) fn needs(
        &self,
        stmt: &Stmt,
        row: &UnionPwAff,
        place: &Place,
    ) -> poly::Result<Option<Needs>> {
        let Some(lane) = lane(stmt, row)? else {
            return Ok(None);
        };
        let mut above = vec![];
        for outer in place.outer.iter() {
            for row in linear_parts(outer, stmt)?.unwrap_or_default() {
                above.extend((0..stmt.depth()).filter(|&d| row[d] != 0));
            }
        }
        let mut needs = Needs::default();
        let mut follows = false;
        for a in &stmt.accesses {
            if !matches!(a.ty, Ty::Int(_) | Ty::Float(_)) {
                return Ok(None);
            }
            match (&a.place, a.kind) {
                (Location::Scalar, AccessKind::Read) => continue,
                (Location::Scalar, _) => return Ok(None),
                (Location::Memory(_) | Location::Temporary(_), _) => {}
            }
            let unit = i128::from(a.ty.bytes());
            needs.element = needs.element.max(a.ty.bytes());
            match moves_with(self.scop, stmt, a, lane)? {
                Stride::Zero => {}
                Stride::Const(s) if s == unit => needs.vectors += 1,
                Stride::Irregular => return Ok(None),
                Stride::Const(_) | Stride::Symbolic(_) => {
                    // The loop inside, whichever of the source's it was.
                    let mut inside = (0..stmt.depth()).rev().filter(|&l| l != lane);
                    let Some(last) = inside.find(|l| !above.contains(l)) else {
                        needs.single += 1;
                        continue;
                    };
                    match moves_with(self.scop, stmt, a, last)? {
                        Stride::Const(s) if s.abs() == unit => {
                            needs.apart = true;
                            follows = true;
                        }
                        // Before or behind a loop that is inside of all: once for each of its runs.
                        Stride::Zero if self.is_shallow(stmt, place)? => {
                            needs.single += 1;
                            needs.shallow = true;
                            continue;
                        }
                        // A sum: in registers while the innermost loop runs.
                        Stride::Zero if is_sum(stmt, a)? => {
                            needs.apart = true;
                            continue;
                        }
                        Stride::Const(_) if matches!(a.place, Location::Temporary(_)) => {
                            needs.apart = true;
                            needs.lines.push(a.array);
                        }
                        _ => return Ok(None),
                    }
                    needs.vectors += 1;
                }
            }
        }
        // Terms in any order have lanes in the innermost loop, where they lie side by side already.
        if follows && update(stmt)?.is_some() {
            return Ok(None);
        }
        Ok(Some(needs))
    }
}

/// Whether the loops below carry dependences, all of them; `inside`: there is a loop already.
pub(super) fn chains(inside: bool, tree: &Tree) -> poly::Result<bool> {
    carry(inside, tree, &|_, _| Ok(false))
}

/// The same, where loops with independent iterations may be there as well: of which kind, their band and the filters above it say.
fn carry(
    inside: bool,
    tree: &Tree,
    free: &impl Fn(&Band, &[&UnionSet]) -> poly::Result<bool>,
) -> poly::Result<bool> {
    let mut loops = usize::from(inside);
    Ok(all_carry(tree, &mut vec![], &mut loops, free)? && loops > 0)
}

fn all_carry<'t>(
    tree: &'t Tree,
    path: &mut Vec<&'t UnionSet>,
    loops: &mut usize,
    free: &impl Fn(&Band, &[&UnionSet]) -> poly::Result<bool>,
) -> poly::Result<bool> {
    match tree {
        Tree::Leaf => Ok(true),
        Tree::Mark(..) => Ok(false),
        Tree::Sequence(list) | Tree::Set(list) => {
            for b in list {
                path.push(&b.filter);
                let all = all_carry(&b.child, path, loops, free)?;
                path.pop();
                if !all {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Tree::Band(b) if b.tile.is_some() => Ok(false),
        Tree::Band(b) if b.coincident.contains(&true) => free(b, path),
        Tree::Band(b) => {
            *loops += 1;
            all_carry(&b.child, path, loops, free)
        }
    }
}

/// Whether a body writes the number of an iteration, and not what is computed with it as a floating point number.
fn keeps_index(body: &Body) -> bool {
    let mut pending: Vec<NodeId> = body.values().collect();
    while let Some(node) = pending.pop().and_then(|n| body.nodes.get(n.index())) {
        match (&node.kind, node.ty) {
            (NodeKind::Index(_), _) => return true,
            (NodeKind::Op { args, .. }, Ty::Int(_)) => pending.extend(args),
            _ => {}
        }
    }
    false
}

/// Whether an access is to the cell that the statement reads and writes.
fn is_sum(stmt: &Stmt, a: &Access) -> poly::Result<bool> {
    let write = &stmt.write().relation;
    let mut reads = stmt.accesses[1..].iter().filter(|r| r.array == a.array);
    let reads_it = reads.try_fold(false, |any, r| Ok(any || r.relation.is_equal(write)?))?;
    Ok(reads_it && a.array == stmt.write().array && a.relation.is_equal(write)?)
}

/// A row in blocks for threads, then in lanes.
pub(super) fn in_lanes(
    row: &UnionPwAff,
    kind: LoopKind,
    child: Tree,
    parallel: bool,
) -> poly::Result<Tree> {
    let LoopKind::Lanes { lanes, vectors, .. } = kind else {
        unreachable!("the caller wants lanes");
    };
    let inside = Tree::looping(row, kind, true, child)?;
    if !parallel {
        return Ok(inside);
    }
    let blocks = row.scale_down_si(i64::from(lanes * vectors))?.floor()?;
    let dealt = LoopKind::Parallel(Distribution::Static);
    Tree::looping(&blocks, dealt, true, inside)
}
