//! If-conversion (Allen, Kennedy, Porterfield and Warren 1983) of values: choices of which both arms may be computed.
//!
//! ```text
//! l[i][j] = choose(s[i] == t[j], l[i-1][j-1] + 1, max(l[i-1][j], l[i][j-1]))
//!
//! l[i][j] = select(s[i] == t[j], l[i-1][j-1] + 1, max(l[i-1][j], l[i][j-1]))
//! ```
//!
//! A compiler keeps the branch where it cannot tell that the element exists which only one arm reads. The SCoP can: all elements that
//! are read under conditions must be touched elsewhere without one, in whichever iteration. What else an arm holds must neither trap
//! nor raise a flag, and be little.
//!
//! A running maximum beside a store of its place branches for the store: taken the same way, its own branch costs nothing and is guessed, while a selection waits for the one
//! before it (the most likely states of a hidden Markov model took 1.8 times as long).

use polytile_analysis::body::{Body, Needs, NodeKind};
use polytile_analysis::guards::{alike, changes, condition};
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::{Error, Result, Set};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// So many operations of both arms are rather computed than branched around.
const MAX_OPERATIONS: usize = 4;

/// The part of the budget; without an answer the choices stay.
const SHARE: u64 = 40;

/// `scop` with choices of values as selections, where both arms may be computed.
///
/// # Errors
/// What isl comes to, but for its quota.
pub fn if_converted(scop: &Scop) -> Result<Scop> {
    let chooses = |s: &Stmt| is_certain(s) && s.body.chooses();
    // A program that may end early touches what it says it does up to that point only.
    if scop.intact().is_some() || !scop.stmts.iter().any(chooses) {
        return Ok(scop.clone());
    }
    let _quota = scop.context.ctx().share(SHARE);
    let mut certain = Certain::new(scop);
    let mut new = scop.clone();
    let mut convert = |stmt: &mut Stmt| match branches(scop, stmt)? {
        true => Ok(()),
        false => convert(stmt, &mut certain),
    };
    for stmt in new.stmts.iter_mut().filter(|s| chooses(s)) {
        match convert(stmt) {
            Err(Error::Quota) => return Ok(scop.clone()),
            other => other?,
        }
    }
    Ok(new)
}

/// Whether a statement writes in each of its iterations.
fn is_certain(s: &Stmt) -> bool {
    s.writes().iter().all(|a| a.kind == AccessKind::MustWrite)
}

/// Whether a statement changes its cell under the condition under which one beside it stores.
fn branches(scop: &Scop, s: &Stmt) -> Result<bool> {
    let Some(changes) = changes(s)? else {
        return Ok(false);
    };
    let depth = s.depth();
    let same = |x: &Access, y: &Access| x.array == y.array && x.place == y.place;
    let asks_alike = |t: &Stmt| {
        let beside = t.depth() == depth && t.beta[..depth] == s.beta[..depth];
        let stores = beside && t.write().place != Place::Scalar;
        stores && condition(t).is_some_and(|c| alike((t, c), (s, changes), &same))
    };
    Ok(scop.stmts.iter().any(asks_alike))
}

/// Converts the choices of a statement, inner ones first; those between integers that are compared are minima and maxima, as a compiler has them
/// where there was no branch.
pub(super) fn convert(stmt: &mut Stmt, certain: &mut Certain<'_>) -> Result<()> {
    for n in 0..stmt.body.nodes.len() {
        let Some([_, then, els]) = stmt.body.nodes[n].choice() else {
            continue;
        };
        // Statements have conditions in common, some of which may write only.
        if stmt.body.nodes[n].ty == Ty::Int(1) {
            continue;
        }
        let Some(reads) = in_arms(&stmt.body, n, [then, els]) else {
            continue;
        };
        let mut all = true;
        for read in reads {
            all &= certain.holds(stmt, read)?;
        }
        if let (true, NodeKind::Op { op, .. }) = (all, &mut stmt.body.nodes[n].kind) {
            *op = OpCode::Select;
        }
        let extremum = stmt.body.extremum(NodeId::from(n));
        if let (true, Some((least, of)), NodeKind::Op { op, args, .. }) =
            (all, extremum, &mut stmt.body.nodes[n].kind)
        {
            (*op, *args) = (least, of.to_vec());
        }
    }
    stmt.prune();
    Ok(())
}

/// The reads that only one arm of a choice needs; `None` where an arm holds what has to stay under its condition.
fn in_arms(body: &Body, choice: usize, arms: [NodeId; 2]) -> Option<Vec<usize>> {
    let always = Needs::new(body).of(NodeId::from(choice));
    let always: BTreeSet<NodeId> = always.into_iter().collect();
    let (mut reads, mut operations) = (vec![], 0);
    let own = arms.map(|arm| body.below(arm, |n| always.contains(&n)));
    let own: BTreeSet<NodeId> = own.into_iter().flatten().collect();
    for id in own.difference(&always) {
        match &body.node(*id).kind {
            NodeKind::Read(n) => reads.push(*n),
            NodeKind::Op { op, .. } if op.is_harmless() => operations += 1,
            NodeKind::Op { .. } => return None,
            NodeKind::Invariant(_) | NodeKind::Bits(_) | NodeKind::Index(_) => {}
        }
    }
    (operations <= MAX_OPERATIONS).then_some(reads)
}

/// Elements that the program touches whatever its data are.
pub(super) struct Certain<'s> {
    scop: &'s Scop,
    /// By array, once it was asked for.
    elements: BTreeMap<ArrayId, Option<Set>>,
}

impl<'s> Certain<'s> {
    pub(super) fn new(scop: &'s Scop) -> Self {
        let elements = BTreeMap::new();
        Certain { scop, elements }
    }

    /// Whether all elements that a read reaches are touched without condition.
    fn holds(&mut self, stmt: &Stmt, read: usize) -> Result<bool> {
        let a = &stmt.accesses[read];
        match a.place {
            Place::Scalar | Place::Temporary(_) => return Ok(true),
            Place::Memory(_) => {}
        }
        if a.ty != self.scop.array(a.array).ty {
            return Ok(false);
        }
        if !self.elements.contains_key(&a.array) {
            let found = touched(self.scop, a.array)?;
            self.elements.insert(a.array, found);
        }
        let reached = reached(self.scop, stmt, a)?;
        match &self.elements[&a.array] {
            Some(known) => reached.is_subset(known),
            None => reached.is_empty(),
        }
    }
}

/// The elements of an array that some statement touches in each of its iterations.
fn touched(scop: &Scop, array: ArrayId) -> Result<Option<Set>> {
    let mut all: Option<Set> = None;
    for stmt in &scop.stmts {
        let needs = Needs::new(&stmt.body);
        let mut needed = BTreeSet::new();
        // A write under a condition computes its condition only.
        for root in stmt.body.values() {
            needed.extend(needs.of(root));
        }
        let read = |n: usize| {
            let is = |id: &NodeId| matches!(stmt.body.node(*id).kind, NodeKind::Read(m) if m == n);
            needed.iter().any(is)
        };
        for (n, a) in stmt.accesses.iter().enumerate() {
            let certain = match a.kind {
                AccessKind::MustWrite => true,
                AccessKind::Read => read(n),
                AccessKind::MayWrite => false,
            };
            let same = a.array == array && a.ty == scop.array(array).ty;
            if !certain || !same || !a.relation.is_function()? {
                continue;
            }
            let own = reached(scop, stmt, a)?;
            all = Some(match all {
                Some(all) => all.union(&own)?,
                None => own,
            });
        }
    }
    all.map(|all| all.coalesce()).transpose()
}

/// The elements that an access of a statement reaches.
pub(super) fn reached(scop: &Scop, stmt: &Stmt, a: &Access) -> Result<Set> {
    let reached = a.relation.intersect_domain(&stmt.domain)?.range()?;
    reached.intersect_params(&scop.context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Whether a choice between an element of row `i` and one of the row before becomes a selection, where `beside` writes, too.
    fn selects(arm: &str, beside: &str) -> bool {
        let ctx = Ctx::new();
        let text = format!(
            "scop \"c\" function \"c\"\nparams n\ncontext {{ : n >= 1 }}\narray A i32 [n + 1][n + 1]\narray T i32 [n]\n\
             stmt S0\n domain {{ S0[j] : 0 <= j <= n }}\n beta 0 0\n write {{ S0[j] -> {beside} }}\n body (bits 0)\n\
             stmt S1\n domain {{ S1[i, j] : 0 <= i < n and 0 <= j < n }}\n beta 1 0 0\n \
             write {{ S1[i, j] -> A[1 + i, 1 + j] }}\n read {{ S1[i, j] -> T[i] }}\n \
             read {{ S1[i, j] -> A[1 + i, 1 + j] }}\n read {{ S1[i, j] -> A[i, 1 + j] }}\n \
             body (choose (icmp.slt (read 1) (inv v0)) {arm} (read 3))\n"
        );
        let scop = if_converted(&parse_scop(&ctx, &text).expect("a SCoP")).expect("converted");
        !scop.stmts[1].body.chooses()
    }

    #[test]
    fn elements_that_are_touched_anyway_are_read() {
        // Row 0 is read by one arm only, but for what is written beside.
        assert!(selects("(read 2)", "A[0, j]"));
        assert!(!selects("(read 2)", "A[j, 0]"));
    }

    #[test]
    fn what_traps_or_takes_long_stays_under_its_condition() {
        assert!(selects("(add (read 2) (inv v1))", "A[0, j]"));
        assert!(!selects("(sdiv (read 2) (inv v1))", "A[0, j]"));
        let long =
            "(add (add (add (add (add (read 2) (inv v1)) (inv v2)) (inv v3)) (inv v4)) (inv v5))";
        assert!(!selects(long, "A[0, j]"));
    }
}
