//! What the model needs to know of statements, as numbers: [`Facts`].

use super::Judged;
use crate::ast::expr::any_leaf;
use crate::simd::basis::coefficients;
use polytile_analysis::ast::{Expr, For};
use polytile_analysis::body::{Body, Needs, Node, NodeKind};
use polytile_analysis::deps::update;
use polytile_analysis::guards::{changes, condition, conditions};
use polytile_analysis::ids::{ArrayId, NodeId, StmtId, ValueId};
use polytile_analysis::poly::{self, DimType};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Param, Place, Scop, Stmt};
use std::collections::BTreeSet;

/// What a size is taken to be that no parameter gives.
const UNKNOWN: i64 = 1000;

/// Numbers about all statements of a SCoP.
pub struct Facts {
    /// By statement.
    pub(super) stmts: Vec<StmtFacts>,
    /// Arrays that LLVM does not know to be apart.
    unknown: Vec<(ArrayId, ArrayId)>,
    /// Where it compares them, they are one.
    pub(super) in_place: bool,
    /// Arrays whose elements lie apart for all that LLVM knows.
    gaps: Vec<ArrayId>,
    /// Parameters whose values the compiler knows.
    constants: Vec<bool>,
    /// It is the program without us.
    pub(super) original: bool,
    /// The same, and LLVM does not know that its products of sizes do not wrap.
    pub(super) wraps: bool,
    /// Share of the conditions in front of loops that hold.
    pub(super) holding: f64,
}

/// Numbers about a statement.
pub(super) struct StmtFacts {
    pub(super) accesses: Vec<AccessFacts>,
    /// Operations and leaves, operands before their users.
    pub(super) nodes: Vec<NodeFacts>,
    /// The node that is written, and those of further writes.
    pub(super) roots: Vec<usize>,
    /// It writes under a condition.
    pub(super) conditional: bool,
    /// What it asks before it writes.
    pub(super) asks: Vec<usize>,
    /// What it asks before it changes the cell that it writes anyway.
    pub(super) changes: Option<usize>,
    /// It divides where data say so: vectors divide everywhere, and who never comes there loses.
    pub(super) divides_where_chosen: bool,
    /// Whether it looks up too much for vectors of LLVM's.
    pub(super) looks_up: bool,
    /// It computes what it shares with others once more: our code has a branch for each store under a condition.
    pub(super) alone: bool,
    /// Terms of its sum may come in any order.
    pub(super) reorders: bool,
    /// How many times as fast straight code is, because LLVM packs the terms of its sum into a vector.
    pub(super) packed: f64,
}

/// An access as a function of the statement's iterators.
pub(super) struct AccessFacts {
    pub(super) array: ArrayId,
    pub(super) writes: bool,
    pub(super) home: Home,
    pub(super) bytes: i64,
    /// Subscripts, outermost first: coefficients and constant; empty if they are not affine.
    pub(super) rows: Vec<Row>,
    /// Bytes that each subscript moves.
    pub(super) strides: Vec<i64>,
    /// They are known to the compiler.
    pub(super) constant: bool,
    /// What is decided to reach it, and whether that divides.
    pub(super) choices: Vec<(usize, bool)>,
    /// Quotients in its address in a new version, where none of LLVM's passes takes them out of a loop whose counter they depend on.
    pub(super) quotients: Vec<Quotient>,
    /// Of the original: whether it runs in some iterations of its loop only. `None`: as its statement does.
    pub(super) guarded: Option<bool>,
    /// A read that is made only where data choose it.
    pub(super) chosen: bool,
    /// A read for what the statement asks before it writes.
    pub(super) asked: bool,
    /// Its instruction where LLVM does not know that another array lies elsewhere: no other one's value serves for it.
    pub(super) own: Option<ValueId>,
    /// It has an instruction: what a loop takes round in a register has none.
    pub(super) made: bool,
}

/// A quotient or remainder of iterators.
pub(super) struct Quotient {
    /// What it is.
    pub(super) value: Scev,
    /// Positions of the iterators that it depends on.
    pub(super) dims: Vec<usize>,
    /// Instructions for it, and for what is made of it.
    pub(super) operations: u32,
}

/// A subscript: what each iterator adds, and a constant.
pub(super) type Row = (Vec<i64>, i64);

/// Where an element lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// In memory.
    Memory,
    /// In memory, and its place is not affine.
    Somewhere,
    /// In a register.
    Register,
}

/// A node of a body.
pub(super) struct NodeFacts {
    pub(super) kind: Kind,
    pub(super) args: Vec<usize>,
    pub(super) bytes: i64,
    /// The instruction, to tell what two statements share.
    pub(super) inst: Option<ValueId>,
}

/// What a node costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The value of an access.
    Read(usize),
    /// Known before the loops.
    Invariant,
    /// An integer of the iterators, and the operations that it takes beyond counting.
    Index {
        /// Operations.
        operations: u32,
        /// Those of them that vectors do lane by lane: products of 64 bits of which the upper half counts.
        by_lane: u32,
    },
    /// Integer or logical operation.
    Simple,
    /// Product of integers.
    Product,
    /// Floating-point addition or multiplication.
    Float,
    /// Both in one.
    Fused,
    /// The greater or lesser of two numbers, of which either may be none.
    Extremum,
    Divide,
    Root,
    /// A root that sets `errno`: LLVM finds no lanes for it, loops that are marked have them.
    RootWithErrno,
    /// Division of integers.
    Whole,
    /// A branch by data, or a select in lanes.
    Choice,
    /// A load at an address that depends on data.
    Gather,
    /// A function that has no vector form.
    Call,
    /// A loop that ends by itself: LLVM has no vector form of it, loops that are marked find one.
    Row,
    /// Nothing at run time.
    Free,
}

impl Facts {
    pub(super) fn new(judged: &Judged) -> poly::Result<Facts> {
        let scop = judged.scop;
        let of = |s: &Stmt| statement(scop, s, judged);
        Ok(Facts {
            stmts: scop.stmts.iter().map(of).collect::<poly::Result<_>>()?,
            unknown: unknown(judged).to_vec(),
            in_place: judged.in_place,
            gaps: match judged.original {
                true => with_gaps(scop),
                false => vec![],
            },
            constants: scop.params.iter().map(Param::is_known).collect(),
            original: judged.original,
            wraps: judged.original && !scop.poly_ranges.is_empty(),
            holding: judged.holding,
        })
    }

    /// Whether the compiler knows how many iterations a loop has.
    pub(super) fn knows_trips(&self, l: &For) -> bool {
        let open = |leaf: &Expr| match leaf {
            Expr::Param(p) => !self.constants[p.index()],
            Expr::Iter(_) | Expr::Size(_) => true,
            _ => false,
        };
        let known = |e: &Expr| !any_leaf(e, &open);
        known(&l.lower) && known(&l.upper) && known(&l.step)
    }

    /// Whether LLVM has to take two arrays for one.
    pub(super) fn may_overlap(&self, a: ArrayId, b: ArrayId) -> bool {
        self.unknown.contains(&(a, b)) || self.unknown.contains(&(b, a))
    }

    /// Whether LLVM has to load and store the elements of an array one by one.
    pub(super) fn has_gaps(&self, a: ArrayId) -> bool {
        self.gaps.contains(&a)
    }

    pub(super) fn stmt(&self, id: StmtId) -> &StmtFacts {
        &self.stmts[id.index()]
    }
}

impl AccessFacts {
    /// The element's address, without the array's base.
    pub(super) fn address(&self, at: &[i64]) -> i64 {
        let subscripts = self.rows.iter().zip(&self.strides);
        subscripts
            .map(|(row, stride)| subscript(row, at) * stride)
            .sum()
    }
}

/// The value of a subscript.
pub(super) fn subscript((row, constant): &Row, at: &[i64]) -> i64 {
    constant + row.iter().zip(at).map(|(c, x)| c * x).sum::<i64>()
}

/// Pairs of arrays that LLVM does not know to be apart.
fn unknown<'a>(judged: &Judged<'a>) -> &'a [(ArrayId, ArrayId)] {
    match judged.original {
        true => &judged.scop.no_overlap,
        false => &[],
    }
}

fn with_gaps(scop: &Scop) -> Vec<ArrayId> {
    let all = scop.arrays.iter().enumerate();
    all.filter(|(_, a)| a.gaps)
        .map(|(n, _)| ArrayId::from(n))
        .collect()
}

fn statement(scop: &Scop, stmt: &Stmt, judged: &Judged) -> poly::Result<StmtFacts> {
    let mut accesses = vec![];
    let needs = Needs::new(&stmt.body);
    let anyway = read_anyway(stmt, &needs);
    let asked = reads(stmt, &needs, conditions(stmt));
    for (n, a) in stmt.accesses.iter().enumerate() {
        let chosen = a.kind == AccessKind::Read && !anyway.contains(&n);
        accesses.push(AccessFacts {
            chosen,
            asked: asked.contains(&n),
            ..access(scop, stmt, a, judged)?
        });
    }
    let nodes = stmt.body.nodes.iter().map(|n| {
        let (kind, args, inst) = match &n.kind {
            NodeKind::Read(r) => (Kind::Read(*r), vec![], None),
            NodeKind::Invariant(_) | NodeKind::Bits(_) => (Kind::Invariant, vec![], None),
            NodeKind::Index(s) if s.loops().is_empty() => (Kind::Invariant, vec![], None),
            NodeKind::Index(s) => {
                let (operations, by_lane) = operations(s);
                let kind = Kind::Index {
                    operations,
                    by_lane,
                };
                (kind, vec![], None)
            }
            NodeKind::Op { inst, op, args } => {
                let constant = |a: &NodeId| match &stmt.body.node(*a).kind {
                    NodeKind::Bits(_) => true,
                    NodeKind::Index(s) => s.as_constant().is_some(),
                    _ => false,
                };
                let kind = match op {
                    // Shifts and sums.
                    OpCode::Mul if args.iter().any(constant) => Kind::Simple,
                    OpCode::Mul => Kind::Product,
                    op => operation(op),
                };
                let args = args.iter().map(|a| a.index()).collect();
                (kind, args, Some(*inst))
            }
        };
        NodeFacts {
            kind,
            args,
            bytes: bytes(n.ty),
            inst,
        }
    });
    let packed = match judged.original && sees_rows(scop, stmt) {
        true => packing(stmt, &accesses),
        false => 1.0,
    };
    Ok(StmtFacts {
        accesses,
        packed,
        nodes: nodes.collect(),
        divides_where_chosen: divides_where_chosen(&stmt.body),
        roots: roots(stmt),
        conditional: stmt.write().kind == AccessKind::MayWrite,
        asks: conditions(stmt).iter().map(|c| c.index()).collect(),
        changes: changes(stmt)?.map(NodeId::index),
        looks_up: stmt.body.looks_up_most(),
        alone: stmt.write().kind == AccessKind::MayWrite && !judged.original,
        reorders: update(stmt)?.is_some(),
    })
}

/// The reads that a statement makes whatever data its choices depend on; a condition to write counts as true.
fn read_anyway(stmt: &Stmt, needs: &Needs) -> BTreeSet<usize> {
    let writes_if = condition(stmt).is_some();
    let made = |value: NodeId| match stmt.body.node(value).choice().filter(|_| writes_if) {
        Some(all) => all.to_vec(),
        None => vec![value],
    };
    reads(stmt, needs, stmt.body.values().flat_map(made))
}

/// The reads that these values need in any case.
fn reads(stmt: &Stmt, needs: &Needs, values: impl IntoIterator<Item = NodeId>) -> BTreeSet<usize> {
    let nodes = values.into_iter().flat_map(|id| needs.of(id));
    let reads = nodes.filter_map(|n| match stmt.body.node(n).kind {
        NodeKind::Read(read) => Some(read),
        _ => None,
    });
    reads.collect()
}

/// Whether an arm of a choice divides, and the condition does not do so anyway.
fn divides_where_chosen(body: &Body) -> bool {
    let divides = |id: &NodeId| match &body.node(*id).kind {
        NodeKind::Op { op, .. } => matches!(
            operation(op),
            Kind::Divide | Kind::Root | Kind::RootWithErrno | Kind::Whole
        ),
        _ => false,
    };
    let all = |id: NodeId| body.below(id, |_| false);
    let mut choices = body.nodes.iter().filter_map(Node::choice);
    choices.any(|[cond, then, els]| {
        let anyway = all(cond);
        let mut arms = all(then).into_iter().chain(all(els));
        arms.any(|n| divides(&n) && !anyway.contains(&n))
    })
}

/// Whether LLVM sees which elements lie side by side of all arrays that a statement accesses.
fn sees_rows(scop: &Scop, stmt: &Stmt) -> bool {
    let mut arrays = stmt.accesses.iter().map(|a| scop.array(a.array));
    !arrays.any(|a| a.hidden)
}

/// Terms from which on LLVM makes a vector of them and adds up its lanes.
const PACKED: usize = 8;

/// How many times as fast a statement is whose value is a sum of integers, of terms that lie side by side (an unrolled row): a vector takes
/// as long as some of its terms. Bytes have instructions of their own for sums of differences.
fn packing(stmt: &Stmt, accesses: &[AccessFacts]) -> f64 {
    let mut terms = 0;
    let mut work = vec![stmt.body.root];
    while let Some(node) = work.pop() {
        match &stmt.body.node(node).kind {
            NodeKind::Op {
                op: OpCode::Add,
                args,
                ..
            } => work.extend(args),
            _ => terms += 1,
        }
    }
    let origin = vec![0; stmt.depth()];
    let mut places: Vec<(ArrayId, i64, i64)> = (accesses.iter())
        .filter(|a| !a.writes && a.home == Home::Memory)
        .map(|a| (a.array, a.address(&origin), a.bytes))
        .collect();
    places.sort();
    let rows = places.chunk_by(|a, b| a.0 == b.0 && a.1 + a.2 == b.1);
    let longest = rows.map(<[_]>::len).max().unwrap_or(0);
    if terms <= PACKED || longest < PACKED {
        return 1.0;
    }
    let bytes = places.iter().all(|p| p.2 == 1 || p.0 == stmt.write().array);
    terms as f64 / if bytes { 1.0 } else { 4.0 }
}

/// The nodes that a statement writes, by access.
fn roots(stmt: &Stmt) -> Vec<usize> {
    stmt.body.values().map(|v| v.index()).collect()
}

fn bytes(ty: Ty) -> i64 {
    i64::try_from(ty.bytes()).unwrap_or(8).max(1)
}

/// The operations that the value of an evolution takes in each iteration, and those of them that have no vector form; sums of counters go along
/// for nothing.
fn operations(s: &Scev) -> (u32, u32) {
    /// A product with the inverse, shifts and a correction.
    const BY_CONSTANT: u32 = 4;
    const DIVISION: u32 = 10;
    if s.loops().is_empty() || matches!(s.kind, ScevKind::AddRec { .. }) {
        return (0, 0);
    }
    let shifts = |by: &Scev| by.as_constant().is_some_and(|c| c.count_ones() == 1);
    let own = match &s.kind {
        ScevKind::UDiv(_, by) if shifts(by) => 1,
        ScevKind::UDiv(_, by) if by.as_constant().is_some() => BY_CONSTANT,
        ScevKind::UDiv(..) | ScevKind::SRem(..) => DIVISION,
        ScevKind::Trunc(_) => 0,
        _ => 1,
    };
    let by_lane = match &s.kind {
        ScevKind::UDiv(_, by) | ScevKind::SRem(_, by) if s.width == 64 && !shifts(by) => own,
        _ => 0,
    };
    let parts = s.operands().into_iter().map(operations);
    parts.fold((own, by_lane), |all, part| (all.0 + part.0, all.1 + part.1))
}

fn operation(op: &OpCode) -> Kind {
    match op {
        OpCode::FAdd(_) | OpCode::FSub(_) | OpCode::FMul(_) => Kind::Float,
        OpCode::FMulAdd(_) | OpCode::Fma => Kind::Fused,
        OpCode::FDiv(_) => Kind::Divide,
        OpCode::Sqrt => Kind::Root,
        op if op.is_root_with_errno() => Kind::RootWithErrno,
        OpCode::UDiv | OpCode::SDiv | OpCode::URem | OpCode::SRem => Kind::Whole,
        OpCode::FRem | OpCode::Ragged { abreast: false } => Kind::Call,
        OpCode::Ragged { abreast: true } => Kind::Row,
        OpCode::Call(_) if op.is_function() => Kind::Call,
        OpCode::Call(name) if name.starts_with("llvm.maxi") || name.starts_with("llvm.mini") => {
            Kind::Extremum
        }
        OpCode::Call(name) if name == "llvm.maxnum" || name == "llvm.minnum" => Kind::Extremum,
        // Absolute values and roundings.
        OpCode::Call(name) if name.starts_with("llvm.f") || name.starts_with("llvm.m") => {
            Kind::Float
        }
        OpCode::Choose => Kind::Choice,
        OpCode::Gather => Kind::Gather,
        OpCode::Freeze => Kind::Free,
        // The address of a gather.
        OpCode::Other(name) if name == "getelementptr" => Kind::Free,
        _ => Kind::Simple,
    }
}

fn access(scop: &Scop, stmt: &Stmt, a: &Access, judged: &Judged) -> poly::Result<AccessFacts> {
    let array = scop.array(a.array);
    let mut open = unknown(judged).iter().flat_map(|(a, b)| [a, b]);
    let is_open = open.any(|b| *b == a.array);
    let register =
        matches!(array.kind, ArrayKind::Scalar { .. }) || judged.handed.contains(&a.array);
    let rows = rows(scop, stmt, a, judged.typical)?;
    let home = match (&rows, register) {
        (_, true) => Home::Register,
        (None, _) => Home::Somewhere,
        (Some(_), _) => Home::Memory,
    };
    let rows = rows.unwrap_or_default();
    let number = |s: &Scev| number(scop, s, judged.typical);
    let mut strides: Vec<i64> = array.strides.iter().map(number).collect();
    if strides.len() != rows.len() {
        strides = packed(array.extents.iter().map(number).collect(), rows.len());
        let element = bytes(array.ty);
        strides.iter_mut().for_each(|s| *s *= element);
    }
    Ok(AccessFacts {
        array: a.array,
        writes: a.kind != AccessKind::Read,
        home,
        bytes: bytes(a.ty),
        rows,
        strides,
        constant: array.strides.iter().all(|s| s.as_constant().is_some()),
        choices: judged.choices.at(a.inst).to_vec(),
        quotients: match judged.original {
            true => vec![],
            false => quotients(stmt, a),
        },
        guarded: a
            .inst
            .filter(|_| judged.original)
            .map(|i| judged.choices.guards(i)),
        chosen: false,
        asked: false,
        own: a.inst.filter(|_| is_open),
        made: a.inst.is_some(),
    })
}

/// The quotients in the address of an access.
fn quotients(stmt: &Stmt, a: &Access) -> Vec<Quotient> {
    /// The remainder, and the offset of the row that it is.
    const BEHIND: u32 = 3;
    let mut open: Vec<&Scev> = match &a.place {
        Place::Memory(place) => vec![&place.offset],
        Place::Temporary(places) => places.iter().collect(),
        Place::Scalar => vec![],
    };
    let mut found = vec![];
    while let Some(s) = open.pop() {
        let divides = matches!(s.kind, ScevKind::UDiv(..) | ScevKind::SRem(..));
        let loops = s.loops();
        if !divides || loops.is_empty() {
            open.extend(s.operands());
            continue;
        }
        let dims = (0..stmt.depth()).filter(|d| loops.contains(&stmt.iters[*d]));
        found.push(Quotient {
            value: s.clone(),
            dims: dims.collect(),
            operations: operations(s).0 + BEHIND,
        });
    }
    found
}

/// Elements that each of so many dimensions moves, from the sizes of the last ones.
fn packed(extents: Vec<i64>, dims: usize) -> Vec<i64> {
    let mut strides = vec![1i64; dims];
    for d in (0..dims.saturating_sub(1)).rev() {
        let inner = extents.len().checked_sub(dims - 1 - d);
        let size = inner.and_then(|at| extents.get(at)).copied();
        strides[d] = strides[d + 1].saturating_mul(size.unwrap_or(UNKNOWN).max(1));
    }
    strides
}

/// The subscripts, if they are affine.
fn rows(scop: &Scop, stmt: &Stmt, a: &Access, typical: &[i64]) -> poly::Result<Option<Vec<Row>>> {
    let Some(all) = a.moving_subscripts()? else {
        return Ok(None);
    };
    let mut rows = vec![];
    for aff in &all {
        let row = coefficients(stmt, aff)?;
        let mut constant = aff.constant()?;
        let space = aff.space()?;
        for p in 0..space.dim(DimType::Param) {
            let c = aff.coefficient(DimType::Param, p)?;
            let name = space.dim_name(DimType::Param, p);
            let at = scop
                .params
                .iter()
                .position(|q| Some(&q.name) == name.as_ref());
            if let (true, Some(at)) = (c != 0, at) {
                constant = constant.saturating_add(c.saturating_mul(typical[at]));
            }
        }
        rows.push((row, constant));
    }
    Ok(Some(rows))
}

/// An invariant expression for typical parameters.
fn number(scop: &Scop, s: &Scev, typical: &[i64]) -> i64 {
    let all = |v: &[Scev]| -> Vec<i64> { v.iter().map(|s| number(scop, s, typical)).collect() };
    if let Some(at) = scop.params.iter().position(|p| p.expr == *s) {
        return typical[at];
    }
    match &s.kind {
        ScevKind::Const(c) => i64::try_from(*c).unwrap_or(UNKNOWN),
        ScevKind::Add(v, _) => all(v).iter().fold(0, |a, b| a.saturating_add(*b)),
        ScevKind::Mul(v, _) => all(v).iter().fold(1, |a, b| a.saturating_mul(*b)),
        ScevKind::SMax(v) | ScevKind::UMax(v) => all(v).into_iter().max().unwrap_or(UNKNOWN),
        ScevKind::SMin(v) | ScevKind::UMin(v) => all(v).into_iter().min().unwrap_or(UNKNOWN),
        ScevKind::ZExt(a) | ScevKind::SExt(a) | ScevKind::Trunc(a) => number(scop, a, typical),
        ScevKind::Unknown(_) => {
            let inside = |p: &Scev| match &p.kind {
                ScevKind::ZExt(a) | ScevKind::SExt(a) | ScevKind::Trunc(a) => **a == *s,
                _ => false,
            };
            let at = scop.params.iter().position(|p| inside(&p.expr));
            at.map_or(UNKNOWN, |at| typical[at])
        }
        _ => UNKNOWN,
    }
}
