//! Stores of one iteration that share what they compute are one statement with several writes.
//!
//! ```text
//! for i, j, k: { p = f[i][j][k];  m = g[i][j][k];  d = c[i][j][k] * (p - m);  f[i][j][k] = p - d;  g[i][j][k] = m + d; }
//! ```
//!
//! As a statement per store, each recomputes `d`; `m + d` needs the old `p`, which the first store has overwritten, so that a
//! scalar hands it on and orders all iterations of all loops; and a loop for each reads all fields again. As one statement
//!
//! ```text
//! S: (f[i][j][k], g[i][j][k]) = (p - d, m + d)    with p = f[i][j][k], m = g[i][j][k], d = c[i][j][k] * (p - m)
//! ```
//!
//! what is shared is computed once per iteration, a scalar that never leaves an iteration is an inner node of the operand tree
//! and needs no memory, however many loops are around, and dependences are those of one statement instead of those of all
//! pairs. All reads come before all writes: a read of what an earlier store of the same iteration wrote is that store's value.
//!
//! Statements follow each other in one block with one domain; inner loops of their own part them. What gains by parting stays
//! apart:
//!
//! * a sum (another read moves where its cell stands): it may become a register tile or a stream. Sums that share most of their
//!   operations would compute them once each, and stay together;
//! * a recurrence: a value that another iteration of a member takes. What is beside it may run in lanes, in a loop of its own;
//! * stores that follow memory and stores that do not: one of them may want another order of loops;
//! * what shares nothing.
//!
//! A sum of floating-point numbers in order joins the store with which it shares most of what it adds, if that is much (a stencil and its
//! residual): alone it would compute that once more, one iteration after the other, and together all but the sum has lanes
//! (`plan/strips`).
//!
//! Bodies of dozens of statements stay together also if they carry recurrences: they would be too dear to part.
//!
//! Stores under a condition on data are a statement with one another if the condition is the same, and with the scalars that nobody
//! else reads (a cell update of a lattice with obstacles): the branch is taken once, and what the stores share is computed once. So are sums
//! under one condition (forces between bodies that are near).

mod cells;
mod condition;
mod merged;
mod residual;

pub use residual::part_residuals;

use super::numbered;
use cells::{Cells, Meet};
use condition::{one_condition, under};
use merged::Merged;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{ArrayId, StmtId, ValueId};
use polytile_analysis::poly::{Error, Result, Set};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{
    Access, AccessKind, ArrayKind, Assumption, AssumptionKind, Place, Scop, Stmt,
};
use std::collections::BTreeSet;

/// Statements of a block from which on recurrences part nothing.
pub(super) const MANY: usize = 24;

/// Questions to the set library whether two accesses ever meet; without an answer they do.
const QUESTIONS: usize = 48;

/// Rows from which on a distance between two accesses along an outer loop is one between fields of one array.
const FIELD: i64 = 16;

/// Units of work for such a question.
const QUOTA: u64 = 2_000;

/// Additions that a sum shares with a store from which on both are one statement.
const MUCH: i64 = 8;

/// Bytes from one iteration's element to the next one's up to which a store follows memory: an array of structures.
const NEAR: i128 = 256;

/// `scop` with such statements as one.
pub fn group_statements(scop: &Scop) -> Result<Scop> {
    let mut list: Vec<&Stmt> = scop.stmts.iter().collect();
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    let mut cells = Cells::new(scop, QUESTIONS)?;
    let mut groups: Vec<Vec<&Stmt>> = vec![];
    for run in runs(scop, &list)? {
        groups.extend(grouped(&run, &mut cells)?);
    }
    if groups.iter().all(|g| g.len() == 1) {
        return Ok(scop.clone());
    }
    let assumed = std::mem::take(&mut cells.assumed);
    let mut stmts = united(scop, &groups, &mut cells)?;
    let torn: Vec<bool> = stmts.iter().map(|s| !one_condition(s)).collect();
    if torn.contains(&true) {
        let mut kept = vec![];
        for (group, torn) in groups.into_iter().zip(torn) {
            match torn {
                true => kept.extend(group.into_iter().map(|s| vec![s])),
                false => kept.push(group),
            }
        }
        stmts = united(scop, &kept, &mut cells)?;
    }
    stmts.sort_by_key(|s| s.id);
    let mut scop = scop.clone();
    scop.stmts = numbered(stmts)?;
    for set in assumed {
        let why = AssumptionKind::InBounds;
        scop.assumptions.push(Assumption { set, why });
    }
    Ok(scop)
}

/// A statement for each group, without scalars that nobody reads any more.
fn united(scop: &Scop, groups: &[Vec<&Stmt>], cells: &mut Cells) -> Result<Vec<Stmt>> {
    let merged = groups.iter().map(|g| Merged::new(g, cells));
    let merged: Vec<Merged> = merged.collect::<Result<_>>()?;
    let read: BTreeSet<ArrayId> = (merged.iter())
        .flat_map(|m| m.reads.iter().map(|r| r.array))
        .collect();
    let dead = |a: ArrayId| {
        scop.array(a).kind == ArrayKind::Scalar { live_out: None } && !read.contains(&a)
    };
    let each = groups.iter().zip(merged);
    each.map(|(g, m)| m.stmt(g, dead)).collect()
}

/// Statements that follow each other in an innermost loop, with one domain; in other loops, those of what one inner loop with bounds of data yields.
fn runs<'s>(scop: &Scop, list: &[&'s Stmt]) -> Result<Vec<Vec<&'s Stmt>>> {
    let mut runs: Vec<Vec<&Stmt>> = vec![];
    for &s in list {
        let prefix =
            |o: &Stmt| o.depth() >= s.depth() && o.beta[..s.depth()] == s.beta[..s.depth()];
        let inside = |o: &Stmt| prefix(o) && o.depth() > s.depth();
        let innermost = s.depth() > 0 && !scop.stmts.iter().any(inside);
        match runs.last_mut() {
            Some(run) if (innermost || share_row(run[run.len() - 1], s)) && beside(run[0], s)? => {
                run.push(s);
            }
            _ => runs.push(vec![s]),
        }
    }
    Ok(runs)
}

/// Whether two statements would run one inner loop with bounds of data, each for itself.
fn share_row(a: &Stmt, b: &Stmt) -> bool {
    let rows = |s: &Stmt| -> BTreeSet<ValueId> {
        let row = |n: &polytile_analysis::body::Node| match &n.kind {
            NodeKind::Op {
                inst,
                op: OpCode::Ragged { .. },
                ..
            } => Some(*inst),
            _ => None,
        };
        s.body.nodes.iter().filter_map(row).collect()
    };
    a.depth() > 0 && a.depth() == b.depth() && !rows(a).is_disjoint(&rows(b))
}

/// Whether two statements of an innermost loop have one domain.
fn beside(a: &Stmt, b: &Stmt) -> Result<bool> {
    let depth = a.depth();
    let unnamed = |s: &Stmt| -> Result<Set> { s.domain.set_tuple_name("") };
    Ok(depth == b.depth()
        && a.iters == b.iters
        && a.beta[..depth] == b.beta[..depth]
        && unnamed(a)?.is_equal(&unnamed(b)?)?)
}

/// What a statement is for the others of its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Writes a scalar, which is no reason to stay apart from anything.
    Scalar,
    /// Writes an element of its own in each iteration of the innermost loop, near the one before, or not; always, or under a
    /// condition.
    Store { near: bool, always: bool },
    /// Adds to a cell.
    Sum,
}

/// A run in groups: a statement joins the one before, or begins another.
fn grouped<'s>(run: &[&'s Stmt], cells: &mut Cells) -> Result<Vec<Vec<&'s Stmt>>> {
    let many = run.len() >= MANY;
    cells.begin();
    let paired = paired(run, cells);
    let mut groups: Vec<(Vec<&Stmt>, Option<Kind>)> = vec![];
    for &s in run {
        let own = match run.len() {
            1 => None,
            _ => kind(s, (many, paired.contains(&s.id)), cells)?,
        };
        if let (Some((group, Some(of))), Some(kind)) = (groups.last_mut(), own)
            && let Some(both) = one_kind(*of, kind).or_else(|| residual(group, s, (*of, kind)))
        {
            let free = many || [*of, kind].contains(&Kind::Scalar);
            let alike = if one_kind(*of, kind).is_some() {
                both
            } else {
                Kind::Sum
            };
            let joined = joins(group, s, (alike, many, free), cells)?;
            cells.settle(s, joined)?;
            if joined {
                group.push(s);
                *of = both;
                continue;
            }
        }
        cells.settle(s, false)?;
        let mut group = taken_back(&mut groups, own);
        let joined = group.is_empty() || joins(&group, s, (Kind::Scalar, many, true), cells)?;
        cells.settle(s, joined)?;
        if !joined {
            groups.push((std::mem::take(&mut group), Some(Kind::Scalar)));
        }
        group.push(s);
        groups.push((group, own));
    }
    Ok(groups.into_iter().map(|(group, _)| group).collect())
}

/// The stores under a condition that another store asks for as well.
fn paired(run: &[&Stmt], cells: &Cells) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    let stores = run
        .iter()
        .filter(|s| s.write().kind == AccessKind::MayWrite);
    let stores: Vec<&&Stmt> = stores
        .filter(|s| s.write().place != Place::Scalar)
        .collect();
    for (n, a) in stores.iter().enumerate() {
        for b in &stores[n + 1..] {
            if condition::same(a, b, cells) {
                found.extend([a.id, b.id]);
            }
        }
    }
    found
}

/// Scalars behind the last store of a group, in front of a store under another condition: they are more likely that one's.
fn taken_back<'s>(
    groups: &mut [(Vec<&'s Stmt>, Option<Kind>)],
    own: Option<Kind>,
) -> Vec<&'s Stmt> {
    let (Some((group, Some(Kind::Store { .. }))), Some(Kind::Store { always: false, .. })) =
        (groups.last_mut(), own)
    else {
        return vec![];
    };
    let stored = |s: &&Stmt| s.write().place != Place::Scalar;
    let end = group.iter().rposition(stored).map_or(0, |last| last + 1);
    group.split_off(end)
}

/// What two kinds are together; `None`: they stay apart.
fn one_kind(a: Kind, b: Kind) -> Option<Kind> {
    match (a, b) {
        (Kind::Scalar, other) | (other, Kind::Scalar) => Some(other),
        _ => (a == b).then_some(a),
    }
}

/// What a store and an ordered sum are together, if both compute much of the same.
fn residual(group: &[&Stmt], s: &Stmt, kinds: (Kind, Kind)) -> Option<Kind> {
    let (stored, sum) = match kinds {
        (Kind::Sum, store @ Kind::Store { always: true, .. }) => (store, &group[group.len() - 1..]),
        (store @ Kind::Store { always: true, .. }, Kind::Sum) => (store, std::slice::from_ref(&s)),
        _ => return None,
    };
    let much = group.iter().any(|g| common(g, s) >= MUCH);
    (much && sum.iter().all(|s| is_ordered(s))).then_some(stored)
}

/// Whether a statement writes a floating-point number whose terms may not come in another order.
fn is_ordered(s: &Stmt) -> bool {
    let root = s.body.node(s.body.root);
    let free = match &root.kind {
        NodeKind::Op {
            op: OpCode::FAdd(f) | OpCode::FSub(f) | OpCode::FMul(f) | OpCode::FMulAdd(f),
            ..
        } => f.reassoc,
        _ => false,
    };
    matches!(root.ty, Ty::Float(_)) && !free
}

/// What a statement is; `None`: it stays alone. A store that is `paired` needs the condition of another one: apart, both would need it from memory.
fn kind(s: &Stmt, (many, paired): (bool, bool), cells: &mut Cells) -> Result<Option<Kind>> {
    let write = s.write();
    let always = write.kind == AccessKind::MustWrite;
    if s.is_group() || s.body.nodes.is_empty() || !always && under(s).is_none() {
        return Ok(None);
    }
    let mut own = false;
    // What the write leaves alone: other arrays, and other fields of its own.
    let mut others: Vec<&Access> = vec![];
    for r in s.reads() {
        if r.array != write.array {
            others.push(r);
            continue;
        }
        match cells.meet((s, write), (s, r))? {
            Meet::Never => others.push(r),
            Meet::Same if r.ty == write.ty => own = true,
            Meet::Later if many => {}
            _ if paired => {}
            _ => return Ok(None),
        }
    }
    let moves = |a| cells.moves(s, a);
    let still: Vec<usize> = match moves(write) {
        Some(m) => (0..s.depth()).filter(|&d| !m[d]).collect(),
        None => return Ok(None),
    };
    let goes_on = |m: Vec<bool>| still.iter().any(|&d| m[d]);
    if own && !paired && others.iter().any(|r| moves(r).is_none_or(goes_on)) {
        return Ok(always.then_some(Kind::Sum));
    }
    if write.place == Place::Scalar {
        let private = always && !own && cells.stays_in(write.array, s);
        return Ok(private.then_some(Kind::Scalar));
    }
    let step = cells.stride(s, write)?;
    let summed = own && paired && !asks_for_itself(s);
    Ok(step.filter(|b| *b != 0 || summed).map(|b| Kind::Store {
        near: b.abs() <= NEAR,
        always,
    }))
}

/// Whether the condition of a write depends on what is written.
fn asks_for_itself(s: &Stmt) -> bool {
    let own = s.body.depending(|a| s.accesses[a].array == s.write().array);
    under(s).is_some_and(|cond| own[cond.index()])
}

/// Whether a statement is a part of a group, also without anything in common if it is `free` to be.
fn joins(
    group: &[&Stmt],
    s: &Stmt,
    (kind, many, free): (Kind, bool, bool),
    cells: &mut Cells,
) -> Result<bool> {
    for g in group {
        for (n, a) in g.accesses.iter().enumerate() {
            for (m, b) in s.accesses.iter().enumerate() {
                if a.array != b.array || (n != 0 && m != 0) {
                    continue;
                }
                let scalar = a.place == Place::Scalar;
                match cells.meet((g, a), (s, b))? {
                    Meet::Never => {}
                    // What the next iteration takes from this one comes from the scalar.
                    Meet::Same if scalar => {
                        if n != 0 {
                            return Ok(false);
                        }
                    }
                    Meet::Same if a.ty == b.ty => {}
                    Meet::Later if many => {}
                    // What was loaded once for both conditions is the same before and behind the first write.
                    Meet::Later | Meet::Perhaps if n == 0 && asks(g, s, b, cells) => {}
                    // What was read before it is written still is.
                    _ if n != 0 && s.write().kind == AccessKind::MayWrite && m == 0 => {}
                    _ => return Ok(false),
                }
            }
        }
    }
    let stored = |g: &&&Stmt| g.write().kind == AccessKind::MayWrite;
    if s.write().kind == AccessKind::MayWrite
        && let Some(g) = group.iter().find(stored)
        && !condition::same(g, s, cells)
    {
        return Ok(false);
    }
    Ok(match kind {
        Kind::Sum => group.iter().any(|g| mostly_shared(g, s)),
        _ if free => true,
        _ => group.iter().any(|g| shares(g, s, cells)),
    })
}

/// Whether the condition of a statement's write asks for what was loaded for another one.
fn asks(s: &Stmt, other: &Stmt, load: &Access, cells: &Cells) -> bool {
    let one = |x: &Access| cells.alike(x, load) && cells.is_one_load((s, x), (other, load));
    let asked = s.body.depending(|a| one(&s.accesses[a]));
    under(other).is_some() && under(s).is_some_and(|cond| asked[cond.index()])
}

/// Whether two statements read one element that moves along the innermost loop, or one of them what the other writes, or
/// have an operation in common.
fn shares(a: &Stmt, b: &Stmt, cells: &Cells) -> bool {
    let one = |x: &Access| {
        let moving = cells.moves(a, x).is_some_and(|m| m.last() == Some(&true));
        (moving || x.place == Place::Scalar) && b.accesses.iter().any(|y| cells.alike(x, y))
    };
    a.accesses.iter().any(one) || !operations(a).is_disjoint(&operations(b))
}

/// The instructions of a statement.
fn operations(s: &Stmt) -> BTreeSet<ValueId> {
    let inst = |n: &polytile_analysis::body::Node| match &n.kind {
        NodeKind::Op { inst, .. } => Some(*inst),
        _ => None,
    };
    s.body.nodes.iter().filter_map(inst).collect()
}

/// Whether two sums compute most of their terms alike.
fn mostly_shared(a: &Stmt, b: &Stmt) -> bool {
    let least = weight(a, |_| true).min(weight(b, |_| true));
    4 * common(a, b) >= 3 * least && least > 0
}

/// The weight of what two statements compute alike.
fn common(a: &Stmt, b: &Stmt) -> i64 {
    let own = operations(a);
    weight(b, |inst| own.contains(&inst))
}

/// The weight of some of a statement's operations.
fn weight(s: &Stmt, counts: impl Fn(ValueId) -> bool) -> i64 {
    let nodes = s.body.nodes.iter().map(|n| match &n.kind {
        NodeKind::Op { inst, op, .. } if counts(*inst) => cost(op),
        _ => 0,
    });
    nodes.sum()
}

/// Additions in the time of an operation.
fn cost(op: &OpCode) -> i64 {
    match op {
        OpCode::FDiv(_) | OpCode::FRem | OpCode::Sqrt => 16,
        OpCode::UDiv | OpCode::SDiv | OpCode::URem | OpCode::SRem => 16,
        OpCode::Ragged { .. } => 64,
        op if op.is_function() => 64,
        _ => 1,
    }
}

/// An answer of the set library, or `otherwise` where that takes too much work.
fn within<T>(result: Result<T>, otherwise: T) -> Result<T> {
    match result {
        Err(Error::Quota) => Ok(otherwise),
        other => other,
    }
}

#[cfg(test)]
mod tests;
