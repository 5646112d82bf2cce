//! Minima and maxima in parts: one per iteration of the outermost loop, which then runs on threads.
//!
//! ```text
//! for i: for j: if (f(i, j) < s) s = f(i, j)
//!
//! for i: r[i] = s                                            // what there was before
//! for i: for j: if (f(i, j) < r[i]) r[i] = f(i, j)
//! for i: if (r[i] < s) s = r[i]                              // in order
//! ```
//!
//! Reduction privatization; Halide calls it `rfactor`. A sum of floating-point numbers would be rounded in another way. A minimum is not rounded,
//! and with these parts it has the same bits, whatever the numbers are: an element is taken only if it is less, so that NaN never
//! is, and of equal ones (zeros of both signs) the first stays. A part is the first of the least elements of its row, if one is less
//! than what there was before, and else that; taking up the parts in order finds the first of all. If there was NaN
//! before, nothing is less; or a number replaces it, and from then on NaN is never taken ([`beyond_or_number`]). Where an equal element is taken, or a number
//! replaces NaN anywhere, that does not hold; but for `fmin` and `fmax` of what has no sign,
//! such as distances: their zeros are one, and NaN is none of their numbers.
//!
//! Conditions: the cell stands still in the statement's nest, nothing else in there touches its array, and what is compared is not
//! written in there, or by the same iteration for nobody else, as the new values of a Jacobi sweep are by which it ends, or the other elements of its
//! array are, as the red points of a grid are: then the parts are independent.

use super::array::{counter, fresh_name, prefix};
use super::{last_iteration, maximum, numbered, plus_one, temporary};
use polytile_analysis::body::{Body, Node, NodeKind};
use polytile_analysis::chain::{beyond, other_number};
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::region::{FCmpPred, OpCode};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};
use std::collections::BTreeMap;

/// `scop` with the minima and maxima of its nests in parts.
///
/// # Errors
/// What the set library comes to.
pub fn part_extrema(scop: &Scop) -> Result<Scop> {
    let mut parted = scop.clone();
    // New statements follow the old ones in the list.
    for at in 0..scop.stmts.len() {
        if let Some(with) = part(&parted, at)? {
            parted = with;
        }
    }
    Ok(parted)
}

/// The SCoP with one statement's minimum in parts; `None`: it has none, or it may not be.
fn part(scop: &Scop, at: usize) -> Result<Option<Scop>> {
    let stmt = &scop.stmts[at];
    let Some(read) = own_read(stmt)?.filter(|read| is_extremum(&stmt.body, *read)) else {
        return Ok(None);
    };
    if stmt.depth() < 2 || !stands_still(stmt)? || !is_alone(scop, stmt)? {
        return Ok(None);
    }
    let mut terms = vec![];
    if !last_iteration(scop, &stmt.domain, 0, &mut terms)? {
        return Ok(None);
    }
    let mut with = scop.clone();
    let parts = Parts {
        array: ArrayId::from(scop.arrays.len()),
        name: fresh_name(scop, &scop.array(stmt.write().array).name),
        read,
    };
    let ty = stmt.write().ty;
    let extents = vec![plus_one(maximum(terms))];
    with.arrays.push(temporary(parts.name.clone(), ty, extents));
    let nest = stmt.beta[0];
    for s in &mut with.stmts {
        s.beta[0] += i64::from(s.beta[0] >= nest) + i64::from(s.beta[0] > nest);
    }
    let own = &mut with.stmts[at];
    for n in [0, read] {
        own.accesses[n] = parts.access(&own.accesses[n], own, own.accesses[n].kind)?;
    }
    with.stmts.push(parts.before(stmt, nest)?);
    with.stmts.push(parts.taken_up(stmt, nest + 2)?);
    with.stmts = numbered(with.stmts)?;
    Ok(Some(with))
}

/// The access that reads the cell that a statement accumulates in.
fn own_read(stmt: &Stmt) -> Result<Option<usize>> {
    let write = stmt.write();
    let plain = !stmt.is_group() && write.kind == AccessKind::MustWrite;
    let reads = (1..stmt.accesses.len()).filter(|n| stmt.accesses[*n].array == write.array);
    match reads.collect::<Vec<_>>()[..] {
        [n] if plain => {
            let read = &stmt.accesses[n];
            let same = read.ty == write.ty && read.relation.is_equal(&write.relation)?;
            Ok(same.then_some(n))
        }
        _ => Ok(None),
    }
}

/// Whether a body takes the content of its cell or another value, which it takes only if it is strictly beyond.
fn is_extremum(body: &Body, read: usize) -> bool {
    let cell = |n: &NodeId| body.node(*n).kind == NodeKind::Read(read);
    let users = body.nodes.iter().flat_map(|n| match &n.kind {
        NodeKind::Op { args, .. } => &args[..],
        _ => &[],
    });
    let uses = users.filter(|a| cell(a)).count();
    let Some((op, args)) = body.nodes.get(body.root.index()).and_then(operation) else {
        return false;
    };
    match (op, args) {
        (OpCode::SMin | OpCode::SMax | OpCode::UMin | OpCode::UMax, [a, b]) => {
            uses == 1 && cell(a) != cell(b)
        }
        (OpCode::Select, _) => {
            uses == 2 && beyond(body, body.root, read).is_some()
                || uses == 3 && beyond_or_number(body, read).is_some()
        }
        (OpCode::Call(_), _) => uses == 1 && other_number(body, body.root, read).is_some(),
        _ => false,
    }
}

/// The value that takes the place of a cell if it is strictly beyond it, or a number where the cell is NaN and no number, as `maxval` of Fortran has it.
/// In parts as well NaN is there only until the first number comes.
fn beyond_or_number(body: &Body, read: usize) -> Option<NodeId> {
    let of = |n: NodeId| operation(body.node(n));
    let cell = |n: NodeId| body.node(n).kind == NodeKind::Read(read);
    let (OpCode::Select, [chosen, taken, kept]) = of(body.root)? else {
        return None;
    };
    let (OpCode::Or, [compared, replaced]) = of(*chosen)? else {
        return None;
    };
    let (OpCode::FCmp(order), between) = of(*compared)? else {
        return None;
    };
    let is_beyond = order.is_strict() && (between == [*taken, *kept] || between == [*kept, *taken]);
    let (OpCode::And, [a, b]) = of(*replaced)? else {
        return None;
    };
    let (OpCode::FCmp(FCmpPred::UNORDERED), [no_number, beside]) = of(*a)? else {
        return None;
    };
    let (OpCode::FCmp(FCmpPred::ORDERED), [number, also]) = of(*b)? else {
        return None;
    };
    // Where what both are compared with is NaN, none is ever replaced.
    let alike = beside == also && !cell(*beside) && of(*beside).is_none();
    let replaces = no_number == kept && number == taken && alike;
    (cell(*kept) && is_beyond && replaces).then_some(*taken)
}

fn operation(node: &Node) -> Option<(&OpCode, &[NodeId])> {
    match &node.kind {
        NodeKind::Op { op, args, .. } => Some((op, args)),
        _ => None,
    }
}

/// Whether the cell is the same in all instances.
fn stands_still(stmt: &Stmt) -> Result<bool> {
    let write = stmt.write();
    let fixed = match &write.place {
        Place::Scalar => true,
        Place::Memory(address) => address.offset.loops().is_empty(),
        Place::Temporary(subscripts) => subscripts.iter().all(|s| s.loops().is_empty()),
    };
    let all = write.relation.as_pw_multi_aff()?;
    if !fixed || !all.isa_multi_aff()? {
        return Ok(false);
    }
    let all = all.as_multi_aff()?;
    for d in 0..all.size() {
        for i in 0..stmt.depth() {
            if all.at(d)?.involves_locals()? || all.at(d)?.coefficient(DimType::In, i)? != 0 {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether nothing else in the nest touches the cell's array, nor writes what the statement reads, but for its own elements.
fn is_alone(scop: &Scop, stmt: &Stmt) -> Result<bool> {
    let cell = stmt.write().array;
    let nest = || (scop.stmts.iter()).filter(|s| s.beta[0] == stmt.beta[0]);
    for s in nest().filter(|s| s.id != stmt.id) {
        if s.accesses.iter().any(|a| a.array == cell) {
            return Ok(false);
        }
        for w in s.writes() {
            let reads: Vec<&Access> =
                (stmt.reads().iter().filter(|r| r.array == w.array)).collect();
            if let Some(read) = reads.first()
                && !is_own(stmt, read, nest())?
                && !are_others((s, w), (stmt, &reads))?
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a statement writes elements of which another one reads none.
fn are_others((s, write): (&Stmt, &Access), (t, reads): (&Stmt, &[&Access])) -> Result<bool> {
    let elements = |s: &Stmt, a: &Access| a.relation.intersect_domain(&s.domain)?.range();
    let written = elements(s, write)?;
    reads.iter().try_fold(true, |others, r| {
        Ok(others && written.is_disjoint(&elements(t, r)?)?)
    })
}

/// Whether each iteration touches nothing of an array but the one element that the statement reads.
fn is_own<'s>(
    stmt: &Stmt,
    read: &Access,
    mut nest: impl Iterator<Item = &'s Stmt>,
) -> Result<bool> {
    nest.try_fold(true, |own, s| {
        let mut touches = s.accesses.iter().filter(|a| a.array == read.array);
        touches.try_fold(own, |own, a| {
            let comparable = own && s.depth() == stmt.depth();
            Ok(comparable
                && a.relation
                    .set_tuple_name(DimType::In, &stmt.name)?
                    .is_equal(&read.relation)?)
        })
    })
}

/// The array of the parts.
struct Parts {
    array: ArrayId,
    name: String,
    /// The statement's access that reads the cell.
    read: usize,
}

impl Parts {
    /// An access of `stmt` to the cell as one to the part of its outermost iteration.
    fn access(&self, of: &Access, stmt: &Stmt, kind: AccessKind) -> Result<Access> {
        let dims = of.relation.dim(DimType::Out);
        let relation = of
            .relation
            .project_out(DimType::Out, 0, dims)?
            .add_dims(DimType::Out, 1)?
            .set_tuple_name(DimType::Out, &self.name)?
            .equate(DimType::In, 0, DimType::Out, 0)?;
        Ok(Access {
            array: self.array,
            kind,
            relation,
            place: Place::Temporary(vec![counter(stmt.iters[0])]),
            inst: None,
            ..of.clone()
        })
    }

    /// A statement once per iteration of the outermost loop, as nest `nest`; its accesses are still to be found.
    fn once(&self, stmt: &Stmt, nest: i64) -> Result<Stmt> {
        Ok(Stmt {
            iters: vec![stmt.iters[0]],
            domain: prefix(&stmt.domain, 1)?.set_tuple_name(&stmt.name)?,
            beta: vec![nest, 0],
            ..stmt.clone()
        })
    }

    /// The access to the cell, in a statement of the outermost loop alone.
    fn cell(&self, of: &Access, once: &Stmt) -> Result<Access> {
        let inner = of.relation.dim(DimType::In) - 1;
        let relation = of.relation.project_out(DimType::In, 1, inner)?;
        Ok(Access {
            relation: relation.set_tuple_name(DimType::In, &once.name)?,
            ..of.clone()
        })
    }

    /// `r[i] = s`
    fn before(&self, stmt: &Stmt, nest: i64) -> Result<Stmt> {
        let mut once = self.once(stmt, nest)?;
        let mut body = Body::default();
        body.root = body.push(stmt.write().ty, NodeKind::Read(1));
        let cell = self.cell(&stmt.accesses[self.read], &once)?;
        let part = self.access(&cell, stmt, AccessKind::MustWrite)?;
        once.accesses = vec![part, cell];
        once.body = body;
        Ok(once)
    }

    /// `s = r[i] < s ? r[i] : s`
    fn taken_up(&self, stmt: &Stmt, nest: i64) -> Result<Stmt> {
        let mut once = self.once(stmt, nest)?;
        let write = self.cell(stmt.write(), &once)?;
        let cell = self.cell(&stmt.accesses[self.read], &once)?;
        let part = self.access(&cell, stmt, AccessKind::Read)?;
        once.accesses = vec![write, cell, part];
        once.body = self.combining(&stmt.body);
        Ok(once)
    }

    /// The statement's operation on the cell (read 1) and a part (read 2).
    fn combining(&self, old: &Body) -> Body {
        let mut body = Body::default();
        let ty = old.node(old.root).ty;
        let mut made = BTreeMap::new();
        for (n, node) in old.nodes.iter().enumerate() {
            if node.kind == NodeKind::Read(self.read) {
                made.insert(NodeId::from(n), body.push(ty, NodeKind::Read(1)));
            }
        }
        if let Some(other) = self.other(old) {
            made.insert(other, body.push(ty, NodeKind::Read(2)));
        }
        body.root = copied(old, old.root, &mut body, &mut made);
        body
    }

    /// What is compared with the cell.
    fn other(&self, body: &Body) -> Option<NodeId> {
        let found = beyond(body, body.root, self.read)
            .or_else(|| beyond_or_number(body, self.read))
            .or_else(|| other_number(body, body.root, self.read));
        let cell = |n: &&NodeId| body.node(**n).kind == NodeKind::Read(self.read);
        found.or_else(|| {
            operation(body.node(body.root))?
                .1
                .iter()
                .find(|n| !cell(n))
                .copied()
        })
    }
}

/// The copy of a node in a new body; what is `made` already stands there for others.
fn copied(old: &Body, at: NodeId, body: &mut Body, made: &mut BTreeMap<NodeId, NodeId>) -> NodeId {
    if let Some(known) = made.get(&at) {
        return *known;
    }
    let node = old.node(at);
    let kind = match &node.kind {
        NodeKind::Op { inst, op, args } => NodeKind::Op {
            inst: *inst,
            op: op.clone(),
            args: args.iter().map(|a| copied(old, *a, body, made)).collect(),
        },
        leaf => leaf.clone(),
    };
    let new = body.push(node.ty, kind);
    made.insert(at, new);
    new
}
