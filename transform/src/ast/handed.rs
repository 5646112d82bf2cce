//! Temporary arrays whose elements are only read right where they were written: [`handed_on`].
//!
//! Expansion gives a scalar one cell per iteration, so that loops may be interchanged and run in parallel. Where the program
//! still reads each value in the iteration that wrote it, the array contracts to a register again:
//!
//! ```text
//! for i: for j: { t[i][j] = a[i][j];  a[i][j] = a[j][i];  a[j][i] = t[i][j] }
//! for i: for j: { t       = a[i][j];  a[i][j] = a[j][i];  a[j][i] = t       }
//! ```
//!
//! A read takes the value of the last write before it, if that wrote the same element and both run one right after the other:
//! in one block, by one thread, as scalars. If all reads of an array do, nothing else needs its memory.

use polytile_analysis::ast::{Ast, ForKind, User};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::scop::{Access, ArrayKind, Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The temporary arrays of a program that need no memory.
pub fn handed_on(scop: &Scop, body: &Ast) -> Vec<ArrayId> {
    let mut walk = Walk {
        scop,
        stored: BTreeSet::new(),
    };
    walk.ast(body, &mut Latest::new(), Runner::One);
    let temporary = |a: &ArrayId| scop.array(*a).kind == ArrayKind::Temporary;
    (0..scop.arrays.len())
        .map(ArrayId::from)
        .filter(|a| temporary(a) && !walk.stored.contains(a))
        .collect()
}

/// By array: the last write in the block so far.
type Latest<'a> = BTreeMap<ArrayId, &'a User>;

/// Who runs a piece of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// One thread, statement by statement.
    One,
    /// Any thread of a team, each statement perhaps another one.
    Team,
    /// Lanes of vectors.
    Lanes,
}

struct Walk<'s> {
    scop: &'s Scop,
    /// Arrays with reads that find their value in memory.
    stored: BTreeSet<ArrayId>,
}

impl<'s> Walk<'s> {
    fn ast<'a>(&mut self, ast: &'a Ast, latest: &mut Latest<'a>, runner: Runner) {
        match ast {
            Ast::Block(list) => list.iter().for_each(|a| self.ast(a, latest, runner)),
            Ast::If { then, els, .. } => {
                for branch in [Some(then), els.as_ref()].into_iter().flatten() {
                    self.ast(branch, &mut latest.clone(), runner);
                    self.forget(branch, latest);
                }
            }
            Ast::For(l) => {
                let runner = match l.kind {
                    ForKind::Team { .. } => Runner::Team,
                    ForKind::Parallel { .. } => Runner::One,
                    ForKind::Lanes { .. } | ForKind::Diagonal { .. } => Runner::Lanes,
                    _ => runner,
                };
                self.ast(&l.body, &mut Latest::new(), runner);
                self.forget(ast, latest);
            }
            Ast::User(u) => self.user(u, latest, runner),
            Ast::MicroKernel(m) => self.needs(m.tile.stmt),
            Ast::Pack(p) => self.needs(p.stmt),
        }
    }

    fn user<'a>(&mut self, u: &'a User, latest: &mut Latest<'a>, runner: Runner) {
        if runner != Runner::One {
            return self.needs(u.stmt);
        }
        let stmt = self.scop.stmt(u.stmt);
        for read in stmt.reads() {
            let from = latest.get(&read.array);
            let same = from.is_some_and(|w| same_element((self.scop, w), (stmt, u, read)));
            if !same {
                self.stored.insert(read.array);
            }
        }
        for write in stmt.writes() {
            latest.insert(write.array, u);
        }
    }

    /// All that a statement touches is in memory.
    fn needs(&mut self, stmt: StmtId) {
        let accesses = &self.scop.stmt(stmt).accesses;
        self.stored.extend(accesses.iter().map(|a| a.array));
    }

    /// What was written before a part of the program that may have written it again.
    fn forget(&self, part: &Ast, latest: &mut Latest<'_>) {
        match part {
            Ast::Block(list) => list.iter().for_each(|a| self.forget(a, latest)),
            Ast::If { then, els, .. } => {
                self.forget(then, latest);
                els.iter().for_each(|e| self.forget(e, latest));
            }
            Ast::For(l) => self.forget(&l.body, latest),
            Ast::User(u) => {
                for write in self.scop.stmt(u.stmt).writes() {
                    latest.remove(&write.array);
                }
            }
            Ast::MicroKernel(_) | Ast::Pack(_) => {}
        }
    }
}

/// Whether an instance reads the element of a temporary array that another one writes.
fn same_element(
    (scop, writer): (&Scop, &User),
    (stmt, reader, read): (&Stmt, &User, &Access),
) -> bool {
    let from = scop.stmt(writer.stmt);
    // The last one, if there are several.
    let Some(write) = (from.writes().iter().rev()).find(|w| w.array == read.array) else {
        return false;
    };
    let (Place::Temporary(a), Place::Temporary(b)) = (&write.place, &read.place) else {
        return false;
    };
    let at = |stmt: &Stmt, u: &User, l| {
        let n = stmt.iters.iter().position(|i| *i == l);
        n.map(|n| u.args[n].clone())
    };
    a == b
        && write.ty == read.ty
        && (a.iter().flat_map(|s| s.loops())).all(|l| at(from, writer, l) == at(stmt, reader, l))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::generate;
    use crate::testing::flat_schedule;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Two statements, the second of which reads what the first wrote.
    const PAIR: &str = "params n\ncontext [n] -> { : n >= 1 }\nloop \"i\"\narray A f64 [0]\n\
        array T f64 temporary strides (8) extents (v0)\n\
        stmt S0\n  iters L0\n  domain [n] -> { S0[i] : 0 <= i < n }\n  beta 0 0\n  \
        write { S0[i] -> T[i] } f64 temporary ((rec L0 0 1))\n  read { S0[i] -> A[i] }\n\
        stmt S1\n  iters L0\n  domain [n] -> { S1[i] : 0 <= i < n }\n  beta 0 1\n  \
        write { S1[i] -> A[i] }\n  read { S1[i] -> T[i] } f64 temporary ((rec L0 0 1))\n";

    fn of(flat: &str) -> usize {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, PAIR).unwrap_or_else(|e| panic!("{e}"));
        let ast = generate(&scop, &flat_schedule(&scop, flat)).expect("no limit is near");
        handed_on(&scop, &ast).len()
    }

    #[test]
    fn a_value_is_handed_on_within_an_iteration_only() {
        assert_eq!(of("{ S0[i] -> [i,0]; S1[i] -> [i,1] }"), 1);
        assert_eq!(of("{ S0[i] -> [0,i]; S1[i] -> [1,i] }"), 0);
        assert_eq!(of("{ S0[i] -> [i,0]; S1[i] -> [i+1,1] }"), 0);
    }
}
