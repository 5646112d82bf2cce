//! A running sum or minimum beside a sweep takes its terms from a temporary.
//!
//! ```text
//! for i, j: { u[i][j] += f(u[i-1][j], u[i][j-1], u[i+1][j], ..);   s = max(s, g(..)) }         // g: what the sweep has changed, f() again
//!
//! for i, j: { t = g(..);  u[i][j] += f(..);  s = max(s, t) }
//! ```
//!
//! On the left the term is made of elements that the sweep is about to overwrite, so it keeps its place in the sweep, and the sweep the order of the sum.
//! On the right the sum takes nothing but the temporary, which gets a cell for each iteration ([`super::super::expand_scalars`]): it runs in a loop of its own behind a
//! sweep that is free to run in tiles and along diagonals. Where they stay together the temporary is a register.
//!
//! The term is computed in front of its block: what the block wrote before is replaced by the values that were written, as in a group.

use super::cells::{Cells, Meet};
use super::merged::{Merged, statement};
use super::{QUESTIONS, numbered, runs, within};
use crate::expand::{new_scalar, put_in_front, scalar_cell};
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::{DimType, Map, Result};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// Units of work to find out whether an element is overwritten later in a sweep.
const QUOTA: u64 = 20_000;

/// Loops that a sweep goes along: the order of the terms in those around them is left as it is.
const SWEEP: usize = 2;

/// `scop` with the terms of such sums in temporaries.
///
/// # Errors
/// Those of the set library.
pub fn part_residuals(scop: &Scop) -> Result<Scop> {
    let mut new = scop.clone();
    // Each sum is parted once at most.
    for _ in 0..scop.stmts.len() {
        match with_one(&new)? {
            Some(with) => new = with,
            None => break,
        }
    }
    Ok(new)
}

/// The SCoP with the terms of one more sum in a temporary; `None`: no sum is left that needs one.
fn with_one(scop: &Scop) -> Result<Option<Scop>> {
    if !scop.stmts.iter().any(accumulates) {
        return Ok(None);
    }
    let mut list: Vec<&Stmt> = scop.stmts.iter().collect();
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    for block in runs(scop, &list)? {
        for (n, sum) in block.iter().enumerate().filter(|(_, s)| accumulates(s)) {
            let with = of_sum(scop, &block[..n], sum)?;
            if with.is_some() {
                return Ok(with);
            }
        }
    }
    Ok(None)
}

/// The SCoP with the terms of one sum in a temporary; `None`: they need none. `before`: what stands in front of it in its block.
fn of_sum<'s>(scop: &'s Scop, before: &[&'s Stmt], sum: &'s Stmt) -> Result<Option<Scop>> {
    let of_sweep = |a: &Access| sweeps(before, a);
    if !before.iter().all(|s| plain(s)) || !sum.reads().iter().any(of_sweep) {
        return Ok(None);
    }
    let together: Vec<&Stmt> = before.iter().copied().chain([sum]).collect();
    let mut cells = Cells::new(scop, QUESTIONS)?;
    cells.begin();
    if !is_clear(&together, &mut cells)? {
        return Ok(None);
    }
    let merged = Merged::new(&together, &mut cells)?;
    let own = |r: &Access| r.array == sum.write().array;
    let Some(term) = merged.only_term(own, of_sweep) else {
        return Ok(None);
    };
    let known = merged.scalar_of(term);
    let (reads, body) = merged.into_value();
    let parts = Parts {
        scop,
        sum,
        reads,
        body,
        term,
    };
    parts.parted(before, known)
}

/// Whether a statement does nothing but to add to a scalar, in each of its instances.
fn accumulates(s: &Stmt) -> bool {
    let write = s.write();
    !s.is_group()
        && s.depth() > 0
        && write.kind == AccessKind::MustWrite
        && write.place == Place::Scalar
        && !s.body.gathers()
        && s.reads().iter().any(|r| r.array == write.array)
}

/// Whether a statement in front of a sum is one whose value may be taken for what it writes.
fn plain(s: &Stmt) -> bool {
    !s.is_group() && s.runs_whole() && !s.body.gathers()
}

/// Whether an access goes to an array in memory that one of these statements writes.
fn sweeps(block: &[&Stmt], a: &Access) -> bool {
    matches!(a.place, Place::Memory(_)) && block.iter().any(|s| s.writes_to(a.array))
}

/// Whether it is known of each read what an earlier statement of its block has written there in the same iteration.
fn is_clear(block: &[&Stmt], cells: &mut Cells) -> Result<bool> {
    for (n, s) in block.iter().enumerate() {
        for g in &block[..n] {
            let write = g.write();
            for read in s.reads().iter().filter(|r| r.array == write.array) {
                let meet = cells.meet((g, write), (s, read))?;
                if meet == Meet::Perhaps || meet == Meet::Same && read.ty != write.ty {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

impl Merged<'_> {
    /// The one value that the last statement combines with its own cell (`own`) and that is made of a sweep's elements, whatever the data are.
    fn only_term(
        &self,
        own: impl Fn(&Access) -> bool,
        of_sweep: impl Fn(&Access) -> bool,
    ) -> Option<NodeId> {
        let body = self.body();
        let accumulated = body.depending(|n| own(self.reads[n]));
        let swept = body.depending(|n| of_sweep(self.reads[n]));
        // Whether they are computed in any case.
        let mut found: BTreeMap<NodeId, bool> = BTreeMap::new();
        let mut met: BTreeSet<(NodeId, bool)> = BTreeSet::new();
        let mut pending = vec![(self.last(), true)];
        while let Some((at, certain)) = pending.pop() {
            if !met.insert((at, certain)) {
                continue;
            }
            if !accumulated[at.index()] {
                if swept[at.index()] {
                    *found.entry(without_sign(body, at)).or_default() |= certain;
                }
                continue;
            }
            if let NodeKind::Op { op, args, .. } = &body.node(at).kind {
                let arm = |n: usize| *op == OpCode::Choose && n > 0;
                let args = args.iter().enumerate();
                pending.extend(args.map(|(n, a)| (*a, certain && !arm(n))));
            }
        }
        let (term, certain) = found.pop_first()?;
        let whole = || {
            let mut below = body.below(term, |_| false).into_iter();
            below.all(|n| {
                !matches!(
                    body.node(n).kind,
                    NodeKind::Op {
                        op: OpCode::Choose,
                        ..
                    }
                )
            })
        };
        (certain && found.is_empty() && whole()).then_some(term)
    }
}

/// What a value is the magnitude or the opposite of: a sum of squares next to a greatest magnitude takes the same term.
fn without_sign(body: &Body, mut value: NodeId) -> NodeId {
    while let NodeKind::Op { op, args, .. } = &body.node(value).kind
        && let [of] = args[..]
        && (*op == OpCode::FNeg || matches!(op, OpCode::Call(name) if name == "llvm.fabs"))
    {
        value = of;
    }
    value
}

/// A sum, the value that it gets in front of its block, and its term in that.
struct Parts<'s> {
    scop: &'s Scop,
    sum: &'s Stmt,
    /// Counted from 0 in the body.
    reads: Vec<&'s Access>,
    body: Body,
    term: NodeId,
}

impl Parts<'_> {
    /// The SCoP with the term in a temporary; `known`: the scalar that has it already.
    fn parted(&self, before: &[&Stmt], known: Option<ArrayId>) -> Result<Option<Scop>> {
        let mut scop = self.scop.clone();
        let mut front = None;
        let scalar = match known {
            Some(scalar) => scalar,
            None => {
                let ty = self.body.node(self.term).ty;
                let scalar = new_scalar(&mut scop, "term", ty);
                let made = self.front(&scop, before[0], scalar)?;
                if !self.is_needed(&made, before)? {
                    return Ok(None);
                }
                front = Some(made);
                scalar
            }
        };
        let rest = self.rest(&scop, scalar)?;
        let sum = (scop.stmts.iter_mut()).find(|s| s.id == self.sum.id);
        *sum.expect("it is a statement of the SCoP") = rest;
        if let Some(front) = front {
            put_in_front(&mut scop, front);
        }
        let handed: BTreeSet<ArrayId> = (self.sum.reads().iter())
            .filter(|r| r.array != self.sum.write().array && r.place == Place::Scalar)
            .map(|r| r.array)
            .collect();
        let used = |a: ArrayId| {
            let mut reads = scop.stmts.iter().flat_map(|s| s.reads());
            reads.any(|r| r.array == a)
        };
        let dead: BTreeSet<ArrayId> = handed
            .into_iter()
            .filter(|a| scop.array(*a).kind == ArrayKind::Scalar { live_out: None } && !used(*a))
            .collect();
        scop.stmts.retain(|s| !dead.contains(&s.write().array));
        scop.stmts = numbered(scop.stmts)?;
        Ok(Some(scop))
    }

    /// The statement that computes the term, in front of the first one of the block.
    fn front(&self, scop: &Scop, first: &Stmt, scalar: ArrayId) -> Result<Stmt> {
        let write = scalar_cell(scop, first, (scalar, AccessKind::MustWrite))?;
        let mut front = statement(first, &[&write], &self.reads, self.body.clone())?;
        front.body.root = self.term;
        front.prune();
        Ok(front)
    }

    /// The sum of what the scalar has.
    fn rest(&self, scop: &Scop, scalar: ArrayId) -> Result<Stmt> {
        let mut rest = statement(
            self.sum,
            &[self.sum.write()],
            &self.reads,
            self.body.clone(),
        )?;
        let read = scalar_cell(scop, self.sum, (scalar, AccessKind::Read))?;
        rest.accesses.push(read);
        // Nobody takes the term as it was, and what it alone was made of goes with it.
        let term = rest.body.node(self.term).clone();
        rest.body.nodes[self.term.index()].kind = NodeKind::Read(rest.accesses.len() - 1);
        rest.body.nodes.push(term);
        rest.prune();
        Ok(rest)
    }

    /// Whether a term cannot wait until the sweep is over: an element that it is made of is overwritten in a later iteration. What scalars of the block have then is
    /// not known in front of it.
    fn is_needed(&self, front: &Stmt, block: &[&Stmt]) -> Result<bool> {
        let mut overwritten = false;
        for read in front.reads() {
            let writers = block.iter().filter(|s| s.writes_to(read.array));
            for s in writers {
                if read.place == Place::Scalar {
                    return Ok(false);
                }
                let _quota = self.scop.context.ctx().quota(QUOTA);
                overwritten = overwritten || within(later(front, read, s), false)?;
            }
        }
        Ok(overwritten)
    }
}

/// Whether a later iteration of the innermost loops overwrites what a statement reads.
fn later(front: &Stmt, read: &Access, writer: &Stmt) -> Result<bool> {
    let unnamed = |m: &Map, s: &Stmt| -> Result<Map> {
        m.intersect_domain(&s.domain)?
            .set_tuple_name(DimType::In, "")
    };
    let reads = unnamed(&read.relation, front)?;
    let writes = unnamed(&writer.write().relation, writer)?;
    let mut both = reads.apply_range(&writes.reverse()?)?;
    for d in 0..front.depth().saturating_sub(SWEEP) {
        both = both.equate(DimType::In, d, DimType::Out, d)?;
    }
    let after = Map::lex_lt(&both.domain()?.space()?)?;
    Ok(!both.intersect(&after)?.is_empty()?)
}
