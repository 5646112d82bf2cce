//! Gathers: loads whose address depends on data, or on iterators in a way that is not affine, of memory that the region does not write.
//!
//! ```text
//! for i: y[i] = x[col[i]];            %x = load (gep x, %c), where %c is loaded: an operation on the address
//! for i: out[i] = table[in[i]];
//! ```
//!
//! Such a load has no subscript, and needs none: what it yields depends on its address alone, so it is an operation like any other
//! ([`OpCode::Gather`]), whose operands are evaluated as the program evaluates them. That holds if no write of the region touches what it
//! may read. Proofs, in this order: alias analysis knows, the memory is constant, or the bytes that it may read are known (an object of
//! known size, an index of few bits), and the version check compares them with what is written; or a function computes all addresses in
//! front of the new version ([`super::inspection`]).
//!
//! Inner loops whose bounds depend on data are calls here (`pass/shim/ragged.cpp`): each of their loads is a gather of the iteration
//! around ([`row`]).

use super::accesses::{Bases, refuse};
use super::opcode::opcode;
use super::order::nest;
use super::refusal::{Blame, Refusal};
use super::values::Table;
use crate::analyses::Loop;
use crate::ffi::Kind;
use crate::llvm::{self, Value};
use crate::reason::{self, Reason};
use llvm_sys::LLVMOpcode::{
    LLVMAnd, LLVMGetElementPtr, LLVMLShr, LLVMLoad, LLVMOr, LLVMSDiv, LLVMUDiv, LLVMURem, LLVMXor,
};
use llvm_sys::core::{LLVMGetPointerAddressSpace, LLVMIsAGlobalVariable, LLVMIsGlobalConstant};
use polytile_analysis::ids::{BaseId, ValueId};
use polytile_analysis::region::{Block, Held, InstKind, OpCode, Ty};
use polytile_analysis::scev::{Scev, ScevKind};
use std::collections::BTreeSet;

/// More bytes are no table.
const MAX_SPAN: i64 = 1 << 28;

/// A load that may be a gather.
pub struct Gather {
    load: Value,
    /// What its address begins with, if that is known in front of the region, or loaded in it.
    base: Option<Value>,
    /// The instruction of the region: the load, or the call of the function that it is in.
    at: Value,
    /// Why it is no affine access.
    refusal: Refusal,
}

/// Makes a gather of a load that was refused, if its base pointer is known in front of the region.
pub fn gather(table: &mut Table<'_>, load: Value, refusal: Refusal) -> Result<Gather, Refusal> {
    let s = table.an.evolution(load.operand(0), Some(load.parent()));
    let (base, _) = table.an.split_address(s.expect("pointers evolve"));
    let known = (base.kind() == Kind::Unknown).then(|| base.unknown());
    // Subscripts of rows behind pointers are affine, and lose what is known of them.
    let known = known.filter(|b| table.inside(*b).is_none());
    match known.filter(|b| is_base(table, *b)) {
        Some(base) => Ok(Gather {
            load,
            base: Some(base),
            at: load,
            refusal,
        }),
        None => Err(refusal),
    }
}

/// Whether no model makes a subscript of this offset: iterators are multiplied with each other, or the program computes with them what
/// scalar evolution has no words for.
pub fn is_never_affine(table: &Table<'_>, offset: &Scev) -> bool {
    let varies = |s: &Scev| s.any(&mut |part| matches!(part.kind, ScevKind::AddRec { .. }));
    offset.any(&mut |part| match &part.kind {
        ScevKind::AddRec { operands, .. } => {
            operands.len() > 2 || operands.iter().skip(1).any(varies)
        }
        ScevKind::Mul(factors, _) => factors.iter().filter(|f| varies(f)).count() > 1,
        ScevKind::Unknown(v) => {
            let raw = table.raw[v.index()];
            let opaque = |v: Value| {
                matches!(
                    v.opcode(),
                    LLVMSDiv | LLVMUDiv | LLVMURem | LLVMAnd | LLVMOr | LLVMXor | LLVMLShr
                )
            };
            table.inside(raw).is_some() && opaque(raw)
        }
        _ => false,
    })
}

/// The loads of an inner loop that a call stands for.
pub fn row(table: &Table<'_>, call: Value) -> Result<Vec<Gather>, Refusal> {
    let refusal = refuse(
        table,
        call,
        Reason::new(
            reason::Kind::LoopBoundOnData,
            "a loop bound depends on data",
        ),
    );
    let gather = |(base, load): (Option<Value>, Value)| Gather {
        load,
        base: base.filter(|b| is_base(table, *b)),
        at: call,
        refusal: refusal.clone(),
    };
    let loads = table.an.ragged_loads(call);
    // Another thread's segment lies elsewhere.
    let flat =
        |load: &Value| unsafe { LLVMGetPointerAddressSpace(load.operand(0).raw_type()) } == 0;
    match loads.iter().all(|(_, load)| flat(load)) {
        true => Ok(loads.into_iter().map(gather).collect()),
        false => Err(refusal),
    }
}

/// Whether alias analysis speaks of all iterations when it speaks of this pointer: it is known in front of the region, or loaded.
fn is_base(table: &Table<'_>, b: Value) -> bool {
    let space = unsafe { LLVMGetPointerAddressSpace(b.raw_type()) };
    space == 0 && (table.inside(b).is_none() || b.opcode() == LLVMLoad)
}

/// What is left to the version check.
#[derive(Default)]
pub struct Settled {
    /// Ranges that gathers may read.
    pub held: Vec<Held>,
    /// Gathers that are left to an inspection, each with the bases that it may meet.
    pub open: Vec<(Value, Vec<BaseId>)>,
    /// Why the region would have to be declined without one.
    pub refusal: Option<Refusal>,
}

/// Makes operations of the address computations of all gathers, and proves that nothing is written where they read, as far as that is
/// possible.
pub fn settle(
    table: &mut Table<'_>,
    (bases, scopes): (&Bases, bool),
    gathers: &[Gather],
    blocks: &mut [Block],
) -> Result<Settled, Refusal> {
    let mut addresses = BTreeSet::new();
    let mut settled = Settled::default();
    for g in gathers {
        for operand in g.at.operands() {
            addresses_of(table, operand, &mut addresses);
        }
        let apart = apart(table, (bases, scopes), g);
        if bases.written().all(|b| apart.contains(&b)) || g.base.is_some_and(is_constant) {
            continue;
        }
        let open = || bases.written().filter(|b| !apart.contains(b));
        // What is written through the same pointer is not apart at run time either.
        let same = open()
            .map(|b| bases.raw[b.index()])
            .any(|b| Some(b) == g.base);
        let known = reach(table, g).filter(|_| !same);
        let Some((base, bytes)) = known else {
            let refusal = Refusal {
                blame: blame(table, bases, (g, &apart)),
                ..g.refusal.clone()
            };
            if same || !is_beside(table, bases, (g, &apart)) {
                return Err(refusal);
            }
            settled.open.push((g.load, open().collect()));
            settled.refusal.get_or_insert(refusal);
            continue;
        };
        let range = Held {
            pointer: table.id(base),
            ty: Ty::Other(bytes * 8),
            apart,
            reread: false,
        };
        if !settled.held.contains(&range) {
            settled.held.push(range);
        }
    }
    for inst in blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if addresses.contains(&inst.id) {
            let raw = table.raw[inst.id.index()];
            let operands = raw.operands().into_iter().map(|v| table.id(v)).collect();
            let op = opcode(raw);
            inst.kind = InstKind::Op { op, operands };
        }
    }
    Ok(settled)
}

/// A load as an operation on its address.
pub fn operation(table: &mut Table<'_>, load: Value) -> InstKind {
    InstKind::Op {
        op: OpCode::Gather,
        operands: vec![table.id(load.operand(0))],
    }
}

/// The address computations of the region that a pointer comes from.
fn addresses_of(table: &mut Table<'_>, pointer: Value, found: &mut BTreeSet<ValueId>) {
    let mut at = pointer;
    while table.inside(at).is_some() && at.opcode() == LLVMGetElementPtr {
        found.insert(table.id(at));
        at = at.operand(0);
    }
}

/// The bases whose writes never touch what a gather reads.
fn apart(table: &Table<'_>, (bases, scopes): (&Bases, bool), g: &Gather) -> Vec<BaseId> {
    let clear = |b: &BaseId| {
        let mut writes = bases.writes_of(*b);
        writes.all(|w| match g.base {
            Some(base) if bases.is_own(*b) => base != w.0,
            Some(base) => table.an.no_alias((base, g.load), w, scopes),
            None => table.an.other_type(g.load, w.1),
        })
    };
    bases.written().filter(clear).collect()
}

/// What holds a gather and a write that may touch what it reads: the innermost loop around both, or the region. A nest that gathers what
/// the next one writes is a region by itself. Writes that an inspection would compare are not to blame where others stand in its way.
fn blame(table: &Table<'_>, bases: &Bases, (g, apart): (&Gather, &[BaseId])) -> Blame {
    let own = loops_around(table, g.at);
    let shared = |w: &Value| common(&loops_around(table, *w), &own);
    let open: Vec<(BaseId, Value)> = open_writes(bases, apart);
    let hinders = |(b, w): &&(BaseId, Value)| {
        Some(bases.raw[b.index()]) == g.base || !is_write_beside(table, *w, &own)
    };
    let common = match open.iter().filter(hinders).map(|(_, w)| shared(w)).max() {
        None => open.iter().map(|(_, w)| shared(w)).max(),
        hindering => hindering,
    };
    match common {
        None | Some(0) => Blame::Region,
        Some(n) => Blame::Loop(own[n - 1].header()),
    }
}

/// Whether the writes that may touch what a gather reads are made in the loop of the gather, around it, or in loops of its iterations.
/// What one nest gathers and another one writes is likely to be the same.
fn is_beside(table: &Table<'_>, bases: &Bases, (g, apart): (&Gather, &[BaseId])) -> bool {
    let own = loops_around(table, g.at);
    (open_writes(bases, apart).into_iter()).all(|(_, w)| is_write_beside(table, w, &own))
}

fn is_write_beside(table: &Table<'_>, write: Value, own: &[Loop]) -> bool {
    let nest = loops_around(table, write);
    common(&nest, own) == nest.len().min(own.len())
}

/// The loops of the region around an instruction, outermost first.
fn loops_around(table: &Table<'_>, inst: Value) -> Vec<Loop> {
    let all = nest(table.an, inst.parent()).into_iter();
    all.filter(|l| table.loop_id(*l).is_some()).collect()
}

fn common(a: &[Loop], b: &[Loop]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The writes to bases that are not known to be apart.
fn open_writes(bases: &Bases, apart: &[BaseId]) -> Vec<(BaseId, Value)> {
    let open = bases.written().filter(|b| !apart.contains(b));
    open.flat_map(|b| {
        bases
            .writes_of(b)
            .map(move |w| (b, w.1))
            .collect::<Vec<_>>()
    })
    .collect()
}

fn is_constant(base: Value) -> bool {
    unsafe { !LLVMIsAGlobalVariable(base.0).is_null() && LLVMIsGlobalConstant(base.0) != 0 }
}

/// The base of a gather, and how many bytes from there on it may read.
fn reach(table: &Table<'_>, g: &Gather) -> Option<(Value, u32)> {
    let base = g.base.filter(|b| table.inside(*b).is_none())?;
    let object = (table.an.object_size(base)).and_then(|s| i64::try_from(s).ok());
    let own = g.at == g.load;
    let index = own.then(|| by_index(table, g.load)).flatten();
    let least = [index, object].into_iter().flatten().min();
    let bytes = u32::try_from(least.filter(|bytes| *bytes < MAX_SPAN)?).ok()?;
    Some((base, bytes))
}

/// The same from the range of the index.
fn by_index(table: &Table<'_>, load: Value) -> Option<i64> {
    let s = table.an.evolution(load.operand(0), Some(load.parent()))?;
    let (_, offset) = table.an.split_address(s);
    let size = llvm::ty(table.layout, load.raw_type()).bytes();
    let (least, greatest) = table.an.signed_range(offset);
    let end = greatest.checked_add(i64::try_from(size).ok()?);
    end.filter(|_| least >= 0)
}
