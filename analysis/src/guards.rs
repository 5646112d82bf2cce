//! Guards: conditions on data that are the same in all iterations of inner loops, asked once in front of them (loop unswitching, Allen and
//! Cocke 1971, "A Catalogue of Optimizing Transformations").
//!
//! ```text
//! for j: a[i][j] = choose(f[i][k] != 0, a[i][j] - f[i][k]*a[k][j], a[i][j])        if (f[i][k] != 0)
//!                                                                                     for j: a[i][j] = a[i][j] - f[i][k]*a[k][j]
//! ```
//!
//! In a SCoP each instance of a may-write asks for itself, so that dependences and order need to know nothing of guards. Of a loop program it
//! is read off which of the questions have one answer for a whole loop ([`of_loop`]): all statements of the loop ask the same first, its
//! operands do not move with the loop, and nothing in the loop writes them. Code generation and the model of time ask here. The question
//! comes behind a test that the loop is entered, because its operands may exist in iterations only that have an instance.

use crate::ast::{Ast, Expr, For, ForKind, IterId, User};
use crate::body::{Body, NodeKind};
use crate::ids::{LoopId, NodeId, StmtId};
use crate::poly::{self, DimType, Map};
use crate::scop::{Access, AccessKind, Place, Scop, Stmt};
use std::collections::BTreeSet;

/// Conditions that are asked in front of a loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Guard {
    /// An instance that asks, with zero for the iterators of the loops inside.
    pub user: User,
    /// What it asks, in order: each is asked where those before it hold.
    pub conditions: Vec<NodeId>,
    /// What is known by that, of all statements inside.
    pub known: Vec<(StmtId, NodeId)>,
    /// How many loops, each the only thing in the one before, have to be entered for an instance to run.
    pub depth: usize,
}

/// The condition under which a statement writes, if all of its writes are may-writes under that one.
pub fn condition(stmt: &Stmt) -> Option<NodeId> {
    let may = |w: &Access| w.kind == AccessKind::MayWrite;
    if !stmt.writes().iter().all(may) {
        return None;
    }
    let mut asked = stmt.body.values().map(|v| {
        let choice = stmt.body.node(v).choice();
        choice.map(|[cond, ..]| cond)
    });
    let first = asked.next().flatten();
    first.filter(|_| asked.all(|c| c == first))
}

/// The parts of that condition in the order in which they are asked; empty for other statements.
pub fn conditions(stmt: &Stmt) -> Vec<NodeId> {
    let mut found = vec![];
    if let Some(whole) = condition(stmt) {
        conjuncts(&stmt.body, whole, &mut found);
    }
    found
}

/// The condition under which a statement changes its only cell, which it writes anyway: a sum of what data choose.
pub fn changes(stmt: &Stmt) -> poly::Result<Option<NodeId>> {
    let ([write], Some([cond, _, els])) = (stmt.writes(), stmt.body.node(stmt.body.root).choice())
    else {
        return Ok(None);
    };
    let NodeKind::Read(own) = stmt.body.node(els).kind else {
        return Ok(None);
    };
    let own = &stmt.accesses[own];
    let same = (own.array, own.ty) == (write.array, write.ty)
        && write.kind == AccessKind::MustWrite
        && own.relation.is_equal(&write.relation)?;
    Ok(same.then_some(cond))
}

/// What a statement asks before it changes anything, in order.
fn questions(stmt: &Stmt) -> poly::Result<Vec<NodeId>> {
    let mut found = conditions(stmt);
    if let Some(whole) = changes(stmt)? {
        conjuncts(&stmt.body, whole, &mut found);
    }
    Ok(found)
}

/// `choose(a, b, 0)` is `a` and then `b`.
fn conjuncts(body: &Body, cond: NodeId, found: &mut Vec<NodeId>) {
    match body.node(cond).choice() {
        Some([first, then, els]) if body.node(els).kind == NodeKind::Bits(0) => {
            conjuncts(body, first, found);
            conjuncts(body, then, found);
        }
        _ => found.push(cond),
    }
}

/// Whether a statement stands behind a condition that is the same in all iterations of its innermost loop of the source. Scalars and
/// temporary values that may be written there are none: the least distance so far, or whether a factorization goes on.
pub fn is_guarded(scop: &Scop, stmt: &Stmt) -> bool {
    let (Some(first), Some(innermost)) = (conditions(stmt).first().copied(), stmt.iters.last())
    else {
        return false;
    };
    let is_set_inside = |read: &Access| {
        let writes = |s: &Stmt| s.writes().iter().any(|w| w.array == read.array);
        let mut inside = scop.stmts.iter().filter(|s| s.iters.contains(innermost));
        !matches!(read.place, Place::Memory(_)) && inside.any(writes)
    };
    let moves = |n: NodeId| match stmt.body.node(n).kind {
        NodeKind::Read(read) => is_set_inside(&stmt.accesses[read]),
        _ => false,
    };
    let in_memory = stmt.writes().iter().all(|w| w.place != Place::Scalar);
    let mut below = stmt.body.below(first, |_| false).into_iter();
    in_memory && !loops(stmt, first).contains(innermost) && !below.any(moves)
}

/// The loops with which a node's value may move; its reads are taken to find the same in the same cells.
pub fn loops(stmt: &Stmt, node: NodeId) -> BTreeSet<LoopId> {
    let mut found = BTreeSet::new();
    for n in stmt.body.below(node, |_| false) {
        match &stmt.body.node(n).kind {
            NodeKind::Read(read) => match &stmt.accesses[*read].place {
                Place::Memory(address) => found.extend(address.offset.loops()),
                Place::Temporary(subscripts) => {
                    found.extend(subscripts.iter().flat_map(|s| s.loops()));
                }
                Place::Scalar => {}
            },
            NodeKind::Index(s) => found.extend(s.loops()),
            NodeKind::Invariant(_) | NodeKind::Bits(_) | NodeKind::Op { .. } => {}
        }
    }
    found
}

/// What may be asked in front of a loop, beyond what is known.
///
/// # Errors
/// What isl comes to.
pub fn of_loop(scop: &Scop, l: &For, known: &[(StmtId, NodeId)]) -> poly::Result<Option<Guard>> {
    let Some(inside) = Inside::new(scop, l) else {
        return Ok(None);
    };
    let first = inside.users[0];
    let open = |u: &User| -> poly::Result<Vec<NodeId>> {
        let all = questions(scop.stmt(u.stmt))?.into_iter();
        Ok(all.filter(|c| !known.contains(&(u.stmt, *c))).collect())
    };
    let mut asked = vec![];
    for c in open(first)? {
        if !inside.stays(first, c)? {
            break;
        }
        asked.push(c);
    }
    for u in &inside.users[1..] {
        let own = open(u)?;
        let both = asked.iter().zip(&own);
        let same = both.take_while(|(a, b)| inside.same((first, **a), (u, **b)));
        asked.truncate(same.count());
    }
    if asked.is_empty() {
        return Ok(None);
    }
    let args = first.args.iter().map(|a| match inside.moves(a) {
        true => Expr::Int(0),
        false => a.clone(),
    });
    let mut answered = vec![];
    for u in &inside.users {
        let own = open(u)?.into_iter().take(asked.len());
        answered.extend(own.map(|c| (u.stmt, c)));
    }
    Ok(Some(Guard {
        user: User {
            stmt: first.stmt,
            args: args.collect(),
        },
        known: answered,
        conditions: asked.clone(),
        depth: inside.depth,
    }))
}

/// What is in a loop.
struct Inside<'a> {
    scop: &'a Scop,
    /// Its statements; the first one runs in each iteration of the loops that only have each other in them.
    users: Vec<&'a User>,
    /// The iterators of the loop and of all loops inside.
    iters: Vec<IterId>,
    depth: usize,
}

impl<'a> Inside<'a> {
    /// `None` where there may be nothing to ask for in some iteration, or threads and lanes of ours run the loop.
    fn new(scop: &'a Scop, l: &'a For) -> Option<Inside<'a>> {
        let mut iters = vec![];
        if !is_plain(l, &mut iters) {
            return None;
        }
        let (mut at, mut depth, mut outer) = (l, 1, vec![l.iter]);
        while let Ast::For(inner) = &at.body {
            let bounds = [&inner.lower, &inner.upper, &inner.step];
            let moves = |e: &Expr| outer.iter().any(|i| mentions(e, *i));
            if bounds.into_iter().chain(&inner.anchor).any(moves) {
                return None;
            }
            outer.push(inner.iter);
            at = inner;
            depth += 1;
        }
        let first = match &at.body {
            Ast::User(u) => u,
            Ast::Block(list) => match list.first()? {
                Ast::User(u) => u,
                _ => return None,
            },
            _ => return None,
        };
        let users = l.body.users();
        debug_assert!(users.first().is_some_and(|u| std::ptr::eq(*u, first)));
        Some(Inside {
            scop,
            users,
            iters,
            depth,
        })
    }

    /// Whether an expression moves with the loop or those inside.
    fn moves(&self, e: &Expr) -> bool {
        self.iters.iter().any(|i| mentions(e, *i))
    }

    /// Whether a node of a statement has one value in all iterations.
    fn stays(&self, u: &User, node: NodeId) -> poly::Result<bool> {
        let stmt = self.scop.stmt(u.stmt);
        let by = loops(stmt, node);
        let mut args = stmt.iters.iter().zip(&u.args);
        if args.any(|(l, a)| by.contains(l) && self.moves(a)) {
            return Ok(false);
        }
        for n in stmt.body.below(node, |_| false) {
            if let NodeKind::Read(read) = stmt.body.node(n).kind
                && self.is_written(u, &stmt.accesses[read])?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether some statement may write what an access reads.
    fn is_written(&self, u: &User, read: &Access) -> poly::Result<bool> {
        for w in &self.users {
            let writes = self.scop.stmt(w.stmt).writes().iter();
            for write in writes.filter(|x| x.array == read.array) {
                if read.place == Place::Scalar || self.may_meet((u, read), (w, write))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether two accesses may be of one element in one run of the loop: what does not move with it is equal for both.
    fn may_meet(&self, (u, a): (&User, &Access), (w, b): (&User, &Access)) -> poly::Result<bool> {
        let (s, t) = (self.scop.stmt(u.stmt), self.scop.stmt(w.stmt));
        let known = self.scop.known()?;
        let cells = |s: &Stmt, a: &Access| -> poly::Result<Map> {
            (a.relation.intersect_domain(&s.domain)?).intersect_params(&known)
        };
        let mut both = cells(s, a)?.apply_range(&cells(t, b)?.reverse()?)?;
        for (n, (l, arg)) in s.iters.iter().zip(&u.args).enumerate() {
            let other = t.iters.iter().position(|o| o == l);
            if let Some(m) = other.filter(|m| w.args[*m] == *arg && !self.moves(arg)) {
                both = both.equate(DimType::In, n, DimType::Out, m)?;
            }
        }
        Ok(!both.is_empty()?)
    }

    /// Whether nodes of two statements compute the same from the same elements.
    fn same(&self, (u, a): (&User, NodeId), (w, b): (&User, NodeId)) -> bool {
        let (s, t) = (self.scop.stmt(u.stmt), self.scop.stmt(w.stmt));
        let by = loops(s, a);
        let equal = |l: &LoopId| arg(s, u, *l).is_some() && arg(s, u, *l) == arg(t, w, *l);
        let reads = |x: &Access, y: &Access| (x.array, x.ty, &x.place) == (y.array, y.ty, &y.place);
        by == loops(t, b) && by.iter().all(equal) && alike((s, a), (t, b), &reads)
    }
}

/// The value of a statement's iterator.
fn arg<'u>(s: &Stmt, u: &'u User, l: LoopId) -> Option<&'u Expr> {
    let at = s.iters.iter().position(|o| *o == l)?;
    u.args.get(at)
}

/// Whether two nodes are one formula of reads of which `reads` says that they are alike.
pub fn alike(
    one: (&Stmt, NodeId),
    other: (&Stmt, NodeId),
    reads: &dyn Fn(&Access, &Access) -> bool,
) -> bool {
    are_alike(one, other, reads, &mut BTreeSet::new())
}

/// `done`: pairs that are. Each is looked at once, as in [`Body::below`].
fn are_alike(
    (s, a): (&Stmt, NodeId),
    (t, b): (&Stmt, NodeId),
    reads: &dyn Fn(&Access, &Access) -> bool,
    done: &mut BTreeSet<(NodeId, NodeId)>,
) -> bool {
    if done.contains(&(a, b)) {
        return true;
    }
    let (x, y) = (s.body.node(a), t.body.node(b));
    let same = match (&x.kind, &y.kind) {
        (NodeKind::Read(n), NodeKind::Read(m)) => reads(&s.accesses[*n], &t.accesses[*m]),
        (
            NodeKind::Op { inst, op, args },
            NodeKind::Op {
                inst: i,
                op: o,
                args: others,
            },
        ) => {
            let mut both = args.iter().zip(others);
            (inst, op, args.len()) == (i, o, others.len())
                && both.all(|(a, b)| are_alike((s, *a), (t, *b), reads, done))
        }
        _ => x == y,
    };
    if same {
        done.insert((a, b));
    }
    same
}

/// Whether a loop and all loops inside run one iteration after the other, or as LLVM's vectors; collects their iterators.
fn is_plain(l: &For, iters: &mut Vec<IterId>) -> bool {
    fn all(ast: &Ast, iters: &mut Vec<IterId>) -> bool {
        match ast {
            Ast::For(l) => is_plain(l, iters),
            Ast::If { then, els, .. } => {
                all(then, iters) && els.as_ref().is_none_or(|e| all(e, iters))
            }
            Ast::Block(list) => list.iter().all(|a| all(a, iters)),
            Ast::User(_) => true,
            Ast::MicroKernel(_) | Ast::Pack(_) => false,
        }
    }
    iters.push(l.iter);
    let plain = matches!(
        l.kind,
        ForKind::Sequential | ForKind::Vector | ForKind::ShortVector { .. }
    );
    plain && all(&l.body, iters)
}

/// Whether an iterator is in an expression.
fn mentions(e: &Expr, iter: IterId) -> bool {
    match e {
        Expr::Iter(i) => *i == iter,
        Expr::Int(_) | Expr::Param(_) | Expr::Size(_) => false,
        Expr::Neg(a) => mentions(a, iter),
        Expr::Bin(_, a, b) => mentions(a, iter) || mentions(b, iter),
        Expr::Select(c, a, b) => [c, a, b].into_iter().any(|e| mentions(e, iter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ParamId;
    use crate::poly::Ctx;
    use crate::scev::{Scev, ScevKind, Wrap};
    use crate::text::parse_scop;

    /// `for i: for j >= first: if (f[i][0] < v0) a[i][j] = a[i][j] + ..`, where `f` is read from `array`.
    fn scop(array: &str, first: i64) -> Scop {
        let text = format!(
            "scop \"g\" function \"g\"\nparams n\ncontext {{ : n >= 2 }}\n\
             array A f64 [n][n]\narray F f64 [n][n]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and {first} <= j < n }}\n beta 0 0 0\n \
             may-write {{ S0[i, j] -> A[i, j] }}\n read {{ S0[i, j] -> {array}[i, 0] }}\n \
             read {{ S0[i, j] -> A[i, j] }}\n \
             body (choose (fcmp.2 (read 1) (inv v0)) (fadd (read 1) (read 2)) (read 2))\n"
        );
        let mut scop = parse_scop(&Ctx::new(), &text).expect("a SCoP");
        let counter = Scev {
            width: 64,
            kind: ScevKind::AddRec {
                loop_: scop.stmts[0].iters[0],
                operands: vec![Scev::constant(64, 0), Scev::constant(64, 1)],
                wrap: Wrap::default(),
            },
        };
        scop.stmts[0].accesses[1].place = Place::Temporary(vec![counter]);
        scop
    }

    /// The loop over `j` of iteration `c0` of the loop over `i`, or the other way round.
    fn inner(swapped: bool) -> For {
        let (outer, own) = (Expr::Iter(IterId(0)), Expr::Iter(IterId(1)));
        let args = match swapped {
            true => vec![own, outer],
            false => vec![outer, own],
        };
        For {
            iter: IterId(1),
            lower: Expr::Int(0),
            upper: Expr::Param(ParamId(0)),
            step: Expr::Int(1),
            anchor: None,
            kind: ForKind::Vector,
            body: Ast::User(User {
                stmt: StmtId(0),
                args,
            }),
        }
    }

    fn guard(scop: &Scop, swapped: bool, known: &[(StmtId, NodeId)]) -> Option<Guard> {
        of_loop(scop, &inner(swapped), known).expect("an answer")
    }

    #[test]
    fn what_stays_is_asked_in_front() {
        let scop = scop("F", 0);
        assert!(is_guarded(&scop, scop.stmt(StmtId(0))));
        let found = guard(&scop, false, &[]).expect("a guard");
        assert_eq!(found.conditions, conditions(scop.stmt(StmtId(0))));
        assert_eq!(found.user.args, [Expr::Iter(IterId(0)), Expr::Int(0)]);
        assert_eq!(found.depth, 1);
        assert_eq!(guard(&scop, false, &found.known), None);
    }

    #[test]
    fn what_moves_is_not() {
        assert_eq!(guard(&scop("F", 0), true, &[]), None);
    }

    #[test]
    fn what_the_loop_writes_is_not() {
        assert_eq!(guard(&scop("A", 0), false, &[]), None);
        // Column 0 is not written.
        assert!(guard(&scop("A", 1), false, &[]).is_some());
    }
}
