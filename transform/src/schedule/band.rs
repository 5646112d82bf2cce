//! The deepest permutable band of a class of statements.
//!
//! Rows are added one by one. Every dependence of the class, also one that an earlier row of the band already satisfies,
//! must have non-negative distance in every row: then any order of the rows is legal. Independence is asked of all
//! statements that have dimensions left; where that is infeasible, only of those with the most left (it finds the panel
//! form of factorizations).

use super::STEPS_PER_UNIT;
use super::align::{Proposal, follows, proposals, skewed};
use super::farkas::Cone;
use super::ilp::{Ilp, Solution};
use super::independent::Independence;
use super::lexmin::LIMITS;
use super::rows::{Row, Rows, fixed_rows, kernel};
use polytile_analysis::deps::DepKind;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{BasicMap, Ctx, Error, Map, Result};
use polytile_analysis::scop::{Scop, Stmt};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A dependence between instances that the rows so far do not tell apart.
#[derive(Clone, Debug)]
pub struct Open {
    pub src: StmtId,
    pub dst: StmtId,
    pub kind: DepKind,
    pub relation: BasicMap,
    /// What the dependence demands of a row; `None` if that is too much to write down: then no row is legal.
    pub cone: Option<Rc<Cone>>,
}

impl Open {
    /// Whether it leads from a statement of a class to one of the same class.
    pub fn is_inside(&self, class: &BTreeSet<StmtId>) -> bool {
        class.contains(&self.src) && class.contains(&self.dst)
    }
}

/// The rows of a class so far, by statement.
pub type History = BTreeMap<StmtId, Vec<Vec<i64>>>;

/// What these leave of each statement of a class.
type Kernels = BTreeMap<StmtId, Vec<Vec<i64>>>;

/// A band and what it leaves.
#[derive(Clone, Debug)]
pub struct Found {
    pub rows: Vec<Rows>,
    /// Per row: no dependence of the class has a distance in it.
    pub coincident: Vec<bool>,
}

/// A distance that is near where there are no parameters to compare with.
const NEAR: i64 = 16;

/// What is asked of one row.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// What the rows so far leave of each statement.
    kernels: &'a Kernels,
    /// Statements whose row must be independent of the earlier ones.
    must: &'a BTreeSet<StmtId>,
    /// The numbers of the strongly connected components.
    component: &'a BTreeMap<StmtId, usize>,
}

impl Wanted<'_> {
    /// Whether a proposal is independent of the rows so far where it must be.
    fn independent(&self, proposal: &Proposal) -> bool {
        let moves =
            |row: &[i64], v: &[i64]| row.iter().zip(v).map(|(a, b)| a * b).sum::<i64>() != 0;
        proposal
            .iter()
            .filter(|(s, _)| self.must.contains(s))
            .all(|(s, row)| self.kernels[s].iter().any(|v| moves(row, v)))
    }
}

/// A search in one SCoP.
#[derive(Clone)]
pub struct Search<'s> {
    pub scop: &'s Scop,
    pub ctx: Ctx,
    /// Whether values may go from one strongly connected component to another over distances that grow with parameters. What is fused for their sake gains nothing.
    pub far: bool,
    /// Whether a loop of the source is a row without a look at its distances, where others are too hard to find.
    pub sources: bool,
    /// Units of work after which no row is looked for.
    pub until: Cell<u64>,
    /// Units that are left for what is inside of a band for which all were spent.
    pub reserve: Cell<u64>,
    /// Rows that are the same for all instances of a statement.
    pub fixed: History,
}

impl<'s> Search<'s> {
    /// A search that nothing ends.
    pub fn new(scop: &'s Scop) -> Result<Search<'s>> {
        let fixed = |s: &Stmt| Ok((s.id, fixed_rows(s)?));
        Ok(Search {
            scop,
            ctx: scop.context.ctx().clone(),
            far: false,
            sources: false,
            until: Cell::new(u64::MAX),
            reserve: Cell::default(),
            fixed: scop.stmts.iter().map(fixed).collect::<Result<_>>()?,
        })
    }
}

impl Search<'_> {
    fn late(&self) -> bool {
        self.ctx.work() > self.until.get()
    }

    /// Goes on with the reserve where all work is done: many statements together may take all of it, and their loops have others inside.
    pub fn go_on(&self) {
        if self.late() {
            self.until.set(self.ctx.work() + self.reserve.take());
        }
    }

    /// How many dimensions of a statement no row fixes yet, below some rows.
    pub fn left(&self, s: StmtId, history: &History) -> usize {
        match self.is_settled(s, history) {
            true => 0,
            false => self.kernel(s, history).len(),
        }
    }

    /// What the rows so far leave of a statement.
    pub fn kernel(&self, s: StmtId, history: &History) -> Vec<Vec<i64>> {
        let rows = history.get(&s).map_or(&[][..], |v| v);
        kernel(rows, self.scop.stmt(s).depth())
    }

    /// The same of all statements of a class.
    fn kernels(&self, class: &BTreeSet<StmtId>, history: &History) -> Kernels {
        let left = |s: &StmtId| (*s, self.kernel(*s, history));
        class.iter().map(left).collect()
    }

    /// Whether rows tell all instances of a statement apart.
    fn is_settled(&self, s: StmtId, history: &History) -> bool {
        let rows = history.get(&s).map_or(&[][..], |v| v);
        let all: Vec<_> = self.fixed[&s].iter().chain(rows).cloned().collect();
        let depth = self.scop.stmt(s).depth();
        depth == 0 || (!rows.is_empty() && kernel(&all, depth).is_empty())
    }

    /// The deepest band of `class` below the rows of `history`; `component` numbers the strongly connected components.
    pub fn band(
        &self,
        class: &BTreeSet<StmtId>,
        open: &[Open],
        history: &History,
        component: &BTreeMap<StmtId, usize>,
    ) -> Result<Found> {
        let own: Vec<&Open> = open.iter().filter(|d| d.is_inside(class)).collect();
        let mut found = Found {
            rows: vec![],
            coincident: vec![],
        };
        if class.iter().all(|s| self.left(*s, history) == 0) {
            return Ok(found);
        }
        let mut history = history.clone();
        loop {
            let row = match self.row(class, &own, &history, component) {
                Err(Error::Quota) if found.rows.is_empty() => {
                    let kernels = self.kernels(class, &history);
                    self.shared(class, &own, (&kernels, &history), component)?
                }
                Err(Error::Quota) => None,
                row => row?,
            };
            let Some(row) = row else { break };
            for (s, r) in &row {
                history.entry(*s).or_default().push(r.iters.clone());
            }
            found.coincident.push(self.coincident(&row, &own)?);
            found.rows.push(row);
        }
        Ok(found)
    }

    fn row(
        &self,
        class: &BTreeSet<StmtId>,
        own: &[&Open],
        history: &History,
        component: &BTreeMap<StmtId, usize>,
    ) -> Result<Option<Rows>> {
        let kernels = self.kernels(class, history);
        let most = kernels.values().map(Vec::len).max().unwrap_or(0);
        let done = |s: &StmtId| kernels[s].is_empty();
        if most == 0
            || (class.iter().any(done) && class.iter().all(|s| self.is_settled(*s, history)))
        {
            return Ok(None);
        }
        for least in [1, most] {
            let must: BTreeSet<StmtId> = kernels
                .iter()
                .filter(|(_, k)| k.len() >= least)
                .map(|(s, _)| *s)
                .collect();
            if self.late() {
                return Err(Error::Quota);
            }
            let fixed = Proposal::new();
            let wanted = Wanted {
                kernels: &kernels,
                must: &must,
                component,
            };
            if let Some(found) = self.solve(class, own, &wanted, &fixed)? {
                let found = self.unskewed(class, own, (&wanted, history), found)?;
                return Ok(Some(self.aligned(class, own, &wanted, found)?));
            }
            if most == 1 {
                break;
            }
        }
        self.shared(class, own, (&kernels, history), component)
    }

    /// The row of the source's loop that a class shares.
    fn shared(
        &self,
        class: &BTreeSet<StmtId>,
        own: &[&Open],
        (kernels, history): (&Kernels, &History),
        component: &BTreeMap<StmtId, usize>,
    ) -> Result<Option<Rows>> {
        let Some(fixed) = self.shared_loop(class, kernels) else {
            return Ok(None);
        };
        // Statements that are not bound to each other share no loop for want of a better one.
        let of = |s: &StmtId| (self.scop.stmt(*s).beta[0], component.get(s));
        let outermost = |s: &StmtId| {
            let same = class.first().map(of) == Some(of(s));
            same && history.get(s).is_none_or(Vec::is_empty)
        };
        if self.sources && class.iter().all(outermost) {
            return Ok(Some(self.of_source(fixed)));
        }
        let wanted = Wanted {
            kernels,
            must: class,
            component,
        };
        let found = self.solve(class, own, &wanted, &fixed)?;
        Ok(found.map(|found| found.rows))
    }

    /// An outermost loop of the source as a row: no dependence goes back in it.
    fn of_source(&self, iters: Proposal) -> Rows {
        let row = |(s, iters)| {
            let params = vec![0; self.scop.params.len()];
            let row = Row {
                iters,
                params,
                constant: 0,
            };
            (s, row)
        };
        iters.into_iter().map(row).collect()
    }

    /// The outermost loop of the source that a class has left, if all its statements share it: a row where others are too hard to find, as among
    /// large numbers that no parameter stands for.
    fn shared_loop(&self, class: &BTreeSet<StmtId>, kernels: &Kernels) -> Option<Proposal> {
        let left = |s: &StmtId, d: usize| kernels[s].iter().any(|v| v[d] != 0);
        let first = class.first()?;
        let iters = &self.scop.stmt(*first).iters;
        let d = (0..iters.len()).find(|d| left(first, *d))?;
        let shares = |s: &StmtId| self.scop.stmt(*s).iters.get(d) == Some(&iters[d]) && left(s, d);
        let unit = |s: &StmtId| {
            let mut row = vec![0; self.scop.stmt(*s).depth()];
            row[d] = 1;
            (*s, row)
        };
        let all = class.len() > 1 && class.iter().all(shares);
        all.then(|| class.iter().map(unit).collect())
    }

    /// A row as short as `found` that takes fewer iterators, if there is one in which statements stand still that have one instance left in all
    /// rows so far (peeled iterations have dimensions of one value, and being independent in those is nothing); else `found`.
    fn unskewed(
        &self,
        class: &BTreeSet<StmtId>,
        own: &[&Open],
        (wanted, history): (&Wanted, &History),
        found: Solution,
    ) -> Result<Solution> {
        let several = |c: &[i64]| c.iter().filter(|c| **c != 0).count() > 1;
        if !wanted.must.iter().any(|s| several(&found.rows[s].iters)) {
            return Ok(found);
        }
        let mut must = wanted.must.clone();
        must.retain(|s| !self.is_settled(*s, history));
        if must.len() == wanted.must.len() || must.is_empty() || self.late() {
            return Ok(found);
        }
        let taken = |row: &Solution| -> i64 {
            let of = |s: &StmtId| row.rows[s].iters.iter().map(|c| c.abs()).sum::<i64>();
            must.iter().map(of).sum()
        };
        let relaxed = Wanted {
            must: &must,
            ..*wanted
        };
        Ok(match self.solve(class, own, &relaxed, &Proposal::new()) {
            Ok(Some(row)) if self.as_short(&row, &found) && taken(&row) < taken(&found) => row,
            Ok(_) | Err(Error::Quota) => found,
            Err(e) => return Err(e),
        })
    }

    /// A row as short as `found` that follows the written cells, if there is one; else `found`.
    fn aligned(
        &self,
        class: &BTreeSet<StmtId>,
        own: &[&Open],
        wanted: &Wanted,
        found: Solution,
    ) -> Result<Rows> {
        if found.bound.0 == 0 && (!self.scop.params.is_empty() || found.bound.1 <= NEAR) {
            return Ok(found.rows);
        }
        let proposals = proposals(self.scop, class)?;
        if proposals.iter().any(|p| follows(&found.rows, p)) {
            return Ok(found.rows);
        }
        // Rather than that others are skewed, statements with fewer loops may stand still in a row.
        let most = wanted.kernels.values().map(Vec::len).max().unwrap_or(0);
        let deep = |s: &&StmtId| wanted.kernels[*s].len() == most;
        let deepest: BTreeSet<StmtId> = wanted.must.iter().filter(deep).copied().collect();
        let relaxed = Wanted {
            must: &deepest,
            ..*wanted
        };
        for p in &proposals {
            let ways = match skewed(&found.rows, p) {
                true => vec![wanted, &relaxed],
                false => vec![wanted],
            };
            for wanted in ways {
                if !wanted.independent(p) {
                    continue;
                }
                if self.late() {
                    return Ok(found.rows);
                }
                match self.solve(class, own, wanted, p) {
                    Ok(Some(row)) if self.as_short(&row, &found) => return Ok(row.rows),
                    Ok(_) | Err(Error::Quota) => {}
                    Err(e) => return Err(e),
                }
            }
        }
        Ok(found.rows)
    }

    /// Whether distances in a row are of the same order as in another one.
    fn as_short(&self, a: &Solution, b: &Solution) -> bool {
        match self.scop.params.is_empty() {
            true => a.bound.1 <= b.bound.1 + b.bound.1 / 4,
            false => a.bound.0 <= b.bound.0,
        }
    }

    fn solve(
        &self,
        class: &BTreeSet<StmtId>,
        own: &[&Open],
        wanted: &Wanted,
        fixed: &Proposal,
    ) -> Result<Option<Solution>> {
        let Wanted {
            kernels,
            must,
            component,
        } = *wanted;
        let stmts: Vec<(StmtId, usize)> = class
            .iter()
            .map(|s| (*s, self.scop.stmt(*s).depth()))
            .collect();
        let cones = own.iter().filter_map(|d| d.cone.as_deref());
        let mut ilp = Ilp::within(self.scop.params.len(), &stmts, cones);
        for d in own {
            let both = !kernels[&d.src].is_empty() && !kernels[&d.dst].is_empty();
            let flow = d.kind.contains(DepKind::FLOW);
            let apart = component.get(&d.src) != component.get(&d.dst);
            let Some(cone) = &d.cone else {
                return Ok(None);
            };
            for row in &cone.rows {
                ilp.legal(row, d.src, d.dst);
                ilp.bounded(row, d.src, d.dst, both && flow && apart && !self.far);
            }
        }
        let mut independence = Independence::default();
        for (s, k) in kernels {
            if must.contains(s) && !fixed.contains_key(s) {
                independence.ask(*s, k);
            }
            if !k.is_empty() {
                ilp.unshifted(*s);
            }
        }
        for (s, iters) in fixed {
            ilp.fixed(*s, iters);
        }
        // Rows that are too hard to find are not there.
        let mut limits = LIMITS;
        // More than all that is left is of no use.
        let left = self.ctx.within_limits().saturating_add(1);
        limits.work = limits.work.min(left.saturating_mul(STEPS_PER_UNIT));
        let all = limits.work;
        let found = independence.solve(ilp, &mut limits);
        self.ctx.spend((all - limits.work) / STEPS_PER_UNIT)?;
        Ok(found)
    }

    /// Whether no dependence has a distance in a row.
    pub(super) fn coincident(&self, row: &Rows, own: &[&Open]) -> Result<bool> {
        for d in own {
            if !d
                .relation
                .to_map()?
                .intersect(&self.ordered(row, d)?)?
                .is_empty()?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `{ S[x] -> T[y] : theta(x) < theta(y) }`.
    fn ordered(&self, row: &Rows, d: &Open) -> Result<Map> {
        let (a, b) = self.values(row, d)?;
        a.apply_range(&Map::lex_lt(&a.range()?.space()?)?)?
            .apply_range(&b.reverse()?)
    }

    fn values(&self, row: &Rows, d: &Open) -> Result<(Map, Map)> {
        let value = |s: StmtId| row[&s].map(self.scop, s);
        Ok((value(d.src)?, value(d.dst)?))
    }

    /// The dependences that a band leaves: equal in all of its rows.
    pub fn residual(
        &self,
        class: &BTreeSet<StmtId>,
        open: &[Open],
        rows: &[Rows],
    ) -> Result<Vec<Open>> {
        let mut left = vec![];
        for d in open.iter().filter(|d| d.is_inside(class)) {
            let mut rest = d.relation.to_map()?;
            for row in rows {
                let (a, b) = self.values(row, d)?;
                rest = rest.intersect(&a.apply_range(&b.reverse()?)?)?;
            }
            for relation in rest.basic_maps()? {
                if !relation.is_empty()? {
                    left.push(self.open(d.src, d.dst, d.kind, relation)?);
                }
            }
        }
        Ok(left)
    }

    /// A dependence with its cone.
    pub fn open(
        &self,
        src: StmtId,
        dst: StmtId,
        kind: DepKind,
        relation: BasicMap,
    ) -> Result<Open> {
        if self.late() {
            return Err(Error::Quota);
        }
        let relation = relation.remove_redundancies()?;
        let cone = Cone::of(&relation)?.ok().map(Rc::new);
        Ok(Open {
            src,
            dst,
            kind,
            relation,
            cone,
        })
    }
}
