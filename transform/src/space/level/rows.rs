//! The rows of a class: the integer programs of a level, and which of their solutions is the best.

use super::{Groups, Level};
use crate::schedule::STEPS_PER_UNIT;
use crate::schedule::band::Open;
use crate::schedule::fuse::Class;
use crate::schedule::ilp::{Ilp, Solution};
use crate::schedule::independent::Independence;
use crate::schedule::lexmin::{LIMITS, Limits};
use crate::schedule::rows::Rows;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::Result;

/// Work for one program.
const PROGRAM: Limits = Limits {
    nodes: LIMITS.nodes,
    work: LIMITS.work / 10,
};

impl Level<'_, '_> {
    /// The rows of a class with the shortest distances `(u, w)`, then the least sum of coefficients, then the least coefficients (equations 10 and 11); `None` if it may not share the loop.
    ///
    /// # Errors
    /// Those of a quota and of the budget.
    pub(in crate::space) fn best(&mut self, class: Groups) -> Result<Option<Solution>> {
        if let Some(known) = self.best.get(&class) {
            return Ok(known.clone());
        }
        let stmts = self.stmts(class);
        let found = match self.program(&stmts, true) {
            Some(program) => self.solve(&stmts, program)?,
            None => None,
        };
        self.best.insert(class, found.clone());
        Ok(found)
    }

    /// The rows of a class that satisfy the most dependences strictly (equation 9), and the shortest of these; `None` if it may not share the loop.
    ///
    /// # Errors
    /// Those of a quota and of the budget.
    pub(in crate::space) fn most_satisfied(&mut self, class: Groups) -> Result<Option<Solution>> {
        self.satisfying(class, None)
    }

    /// How many dependences of a class such rows leave unsatisfied, whatever their constants are.
    ///
    /// # Errors
    /// Those of [`Level::most_satisfied`].
    pub(in crate::space) fn unsatisfied(
        &mut self,
        class: Groups,
        rows: &Rows,
    ) -> Result<Option<i64>> {
        let found = self.satisfying(class, Some(rows))?;
        Ok(found.map(|s| s.unsatisfied))
    }

    fn satisfying(&mut self, class: Groups, given: Option<&Rows>) -> Result<Option<Solution>> {
        let stmts = self.stmts(class);
        let own = self.inside(&stmts).count();
        let empty = Ilp::satisfying(self.search.scop.params.len(), &self.sized(&stmts), own);
        let Some(mut program) = self.constrained(empty, &stmts, true) else {
            return Ok(None);
        };
        for (at, d) in self.inside(&stmts).enumerate() {
            for row in d.cone.iter().flat_map(|c| &c.rows) {
                program.satisfied(row, d.src, d.dst, at);
            }
        }
        for (s, row) in given.into_iter().flatten() {
            program.fixed(*s, &row.iters);
        }
        self.solve(&stmts, program)
    }

    /// Dependences between statements of a class.
    fn inside<'o>(&'o self, stmts: &'o Class) -> impl Iterator<Item = &'o Open> {
        self.open.iter().filter(|d| d.is_inside(stmts))
    }

    /// Statements with their depths.
    fn sized(&self, stmts: &Class) -> Vec<(StmtId, usize)> {
        let sized = |s: &StmtId| (*s, self.search.scop.stmt(*s).depth());
        stmts.iter().map(sized).collect()
    }

    /// The integer program of a class; `None` if a dependence is too large to be written down.
    pub(in crate::space) fn program(&self, stmts: &Class, bounded: bool) -> Option<Ilp> {
        let empty = Ilp::new(self.search.scop.params.len(), &self.sized(stmts));
        self.constrained(empty, stmts, bounded)
    }

    /// What every row of a class has to keep.
    fn constrained(&self, mut ilp: Ilp, stmts: &Class, bounded: bool) -> Option<Ilp> {
        for d in self.inside(stmts) {
            for row in &d.cone.as_ref()?.rows {
                ilp.legal(row, d.src, d.dst);
                if bounded {
                    ilp.bounded(row, d.src, d.dst, false);
                }
            }
        }
        for s in stmts {
            ilp.unshifted(*s);
            for t in stmts.iter().filter(|t| *t != s) {
                if let Some(c) = self.nearest {
                    ilp.near(*s, *t, c);
                }
            }
        }
        Some(ilp)
    }

    /// The best rows of a program that are independent of the rows around.
    pub(in crate::space) fn solve(
        &mut self,
        stmts: &Class,
        program: Ilp,
    ) -> Result<Option<Solution>> {
        let mut independence = Independence::default();
        for s in stmts.iter().filter(|s| !self.kernels[*s].is_empty()) {
            independence.ask(*s, &self.kernels[s]);
        }
        let mut limits = PROGRAM;
        let found = independence.solve(program, &mut limits);
        let work = PROGRAM.work - limits.work;
        self.search.ctx.spend(work / STEPS_PER_UNIT)?;
        if found.is_none() && limits.work == 0 {
            self.tests.open += 1;
        }
        Ok(found)
    }
}
