//! Arrays whose elements are only read right where they were written: [`handed_on`].
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
//! in one block, by one thread, as scalars. If all reads of an array do, nothing else needs its memory. So is it with memory of the program
//! that nobody reads behind the region ([`Array::dead`]), once the loops that write and read it are one:
//!
//! ```text
//! for i: t[i] = a[i] * b[i];  for i: d[i] = t[i] + c[i]   ->   for i: { t = a[i] * b[i];  d[i] = t + c[i] }
//! ```
//!
//! [`Array::dead`]: polytile_analysis::scop::Array::dead

use polytile_analysis::ast::{Ast, ForKind, User};
use polytile_analysis::ids::{ArrayId, LoopId, StmtId};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The arrays of a program that need no memory.
pub fn handed_on(scop: &Scop, body: &Ast) -> Vec<ArrayId> {
    let mut walk = Walk {
        scop,
        stored: BTreeSet::new(),
    };
    walk.ast(body, &mut Latest::new(), Runner::One);
    let hidden = |a: &ArrayId| {
        let array = scop.array(*a);
        array.kind == ArrayKind::Temporary || array.dead && is_written(scop, *a)
    };
    (0..scop.arrays.len())
        .map(ArrayId::from)
        .filter(|a| hidden(a) && !walk.stored.contains(a))
        .collect()
}

/// Whether all writes to an array are of its elements as a whole.
fn is_written(scop: &Scop, array: ArrayId) -> bool {
    let mut accesses = scop.stmts.iter().flat_map(|s| &s.accesses);
    let whole = |a: &Access| a.ty == scop.array(array).ty && a.kind != AccessKind::MayWrite;
    scop.stmts.iter().any(|s| s.writes_to(array)) && accesses.all(|a| a.array != array || whole(a))
}

/// By array: the last write in the block so far.
type Latest<'a> = BTreeMap<ArrayId, &'a User>;

/// Who runs a piece of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// One thread, statement by statement.
    One,
    /// The same with code of its own for all accesses to memory.
    Vectors,
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
                    ForKind::Squares { .. } | ForKind::Strips { .. } if runner == Runner::One => {
                        Runner::Vectors
                    }
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
        let stmt = self.scop.stmt(u.stmt);
        match runner {
            Runner::One => {}
            Runner::Vectors => {
                let memory = |a: &&Access| matches!(a.place, Place::Memory(_));
                let touched = stmt.accesses.iter().filter(memory);
                self.stored.extend(touched.map(|a| a.array));
            }
            Runner::Team | Runner::Lanes => return self.needs(u.stmt),
        }
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

/// Whether an instance reads the element that another one writes.
fn same_element(
    (scop, writer): (&Scop, &User),
    (stmt, reader, read): (&Stmt, &User, &Access),
) -> bool {
    let from = scop.stmt(writer.stmt);
    // The last one, if there are several.
    let Some(write) = (from.writes().iter().rev()).find(|w| w.array == read.array) else {
        return false;
    };
    let at = |stmt: &Stmt, u: &User, l| {
        let n = stmt.iters.iter().position(|i| *i == l);
        n.map(|n| u.args[n].clone())
    };
    // Loops that were fused count alike.
    let together = |k, l| {
        let (k, l) = (at(from, writer, k), at(stmt, reader, l));
        k.is_some() && k == l
    };
    let same = |a: &Scev, b: &Scev| same_value(a, b, &together);
    let placed = match (&write.place, &read.place) {
        (Place::Temporary(a), Place::Temporary(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Place::Memory(a), Place::Memory(b)) => a.base == b.base && same(&a.offset, &b.offset),
        _ => false,
    };
    placed && write.ty == read.ty
}

/// Whether two evolutions have one value, where these pairs of loops are at the same iteration.
fn same_value(a: &Scev, b: &Scev, together: &dyn Fn(LoopId, LoopId) -> bool) -> bool {
    let (ScevKind::AddRec { loop_: k, .. }, ScevKind::AddRec { loop_: l, .. }) = (&a.kind, &b.kind)
    else {
        let (x, y) = (a.operands(), b.operands());
        return match x.is_empty() {
            true => a == b,
            false => {
                std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind)
                    && a.width == b.width
                    && !matches!(a.kind, ScevKind::Select(..))
                    && x.len() == y.len()
                    && x.iter().zip(&y).all(|(x, y)| same_value(x, y, together))
            }
        };
    };
    let (x, y) = (a.operands(), b.operands());
    a.width == b.width
        && together(*k, *l)
        && x.len() == y.len()
        && x.iter().zip(&y).all(|(x, y)| same_value(x, y, together))
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
