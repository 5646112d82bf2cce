//! Addresses, base pointers, and what is known about their overlap.

use super::gathers;
use super::held::Cell;
use super::refusal::{Blame, Refusal};
use super::rows::Rows;
use super::values::Table;
use crate::ffi::{Effect, Kind};
use crate::llvm::{self, Block, MetadataKind, Value};
use crate::reason::{self, Reason};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::{
    LLVMCountParams, LLVMGetAllocatedType, LLVMGetArrayLength2, LLVMGetElementType,
    LLVMGetGEPSourceElementType, LLVMGetNNeg, LLVMGetNSW, LLVMGetParam, LLVMGetParamParent,
    LLVMGetPointerAddressSpace, LLVMGetTypeKind, LLVMGlobalGetValueType, LLVMIsAAllocaInst,
    LLVMIsAArgument, LLVMIsAGlobalVariable,
};
use llvm_sys::prelude::LLVMTypeRef;
use polytile_analysis::ids::BaseId;
use polytile_analysis::region::{self, Address, Base};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use std::collections::BTreeSet;

/// Operations on the way to an address that are looked at.
const MAX_STEPS: u32 = 12;

/// The base pointers of a region under construction.
#[derive(Default)]
pub struct Bases {
    /// The function that they are accessed in, by the name that the user knows.
    function: String,
    /// By id, as data.
    pub bases: Vec<Base>,
    /// By id, in LLVM.
    pub raw: Vec<Value>,
    /// Those of memory that the new version has for itself, apart from all others, and its bytes.
    pub own: Vec<(BaseId, Scev)>,
    /// Rows behind pointers.
    rows: Rows,
    /// Instructions that access them.
    accesses: Vec<(BaseId, Value)>,
}

impl Bases {
    /// No bases yet.
    pub fn new(table: &mut Table<'_>, function: &str, traps: &BTreeSet<Block>) -> Bases {
        let rows = Rows::find(table, traps, |table, load, offset| {
            if is_exact(table, load.operand(0), load.parent(), MAX_STEPS) {
                state_exact(offset);
            }
        });
        Bases {
            function: function.to_string(),
            rows,
            ..Bases::default()
        }
    }

    /// The address that a pointer of instruction `inst` holds.
    pub fn address(
        &mut self,
        table: &mut Table<'_>,
        inst: Value,
        pointer: Value,
    ) -> Result<Address, Refusal> {
        let at = inst.parent();
        let s = table.an.evolution(pointer, Some(at));
        let (base, offset) = table.an.split_address(s.expect("pointers evolve"));
        if base.kind() != Kind::Unknown {
            return Err(refuse(
                table,
                inst,
                Reason::new(reason::Kind::Pointer, "an address has no base pointer"),
            ));
        }
        let raw = base.unknown();
        let row = self.rows.contains(raw);
        if self.rows.written.contains(&raw) {
            let reason = "the nest writes to the table that it takes the pointers to its rows from";
            return Err(refuse(table, raw, Reason::new(reason::Kind::Rows, reason)));
        }
        if table.inside(raw).is_some() && !row {
            return Err(refuse(
                table,
                raw,
                Reason::new(reason::Kind::Pointer, "a base pointer changes in the nest"),
            ));
        }
        if unsafe { LLVMGetPointerAddressSpace(raw.raw_type()) } != 0 {
            // Another thread's segment lies elsewhere.
            return Err(refuse(
                table,
                inst,
                Reason::new(
                    reason::Kind::Pointer,
                    "an address is not in the default address space",
                ),
            ));
        }
        let offset = table.offset(offset, at);
        let mut offset = offset.ok_or_else(|| {
            refuse(
                table,
                inst,
                Reason::new(reason::Kind::Subscript, "an address has no evolution"),
            )
        })?;
        let runs = matches!(inst.effect(), Effect::Load | Effect::Store);
        if runs && is_exact(table, pointer, at, MAX_STEPS) {
            state_exact(&mut offset);
        }
        needs(
            table,
            &offset,
            reason::Kind::SubscriptOnData,
            "a subscript depends on data",
        )?;
        let base = match row {
            true => {
                let (base, ahead) = self.row(table, raw);
                let kind = ScevKind::Add(vec![ahead, offset], Wrap::default());
                offset = Scev { width: 64, kind };
                base
            }
            false => self.base(table, raw, pointer),
        };
        if !row && inst.effect() == Effect::Load && gathers::is_never_affine(table, &offset) {
            let name = self.bases[base.index()].label();
            let reason = format!("a subscript of '{name}' is not affine");
            return Err(refuse(
                table,
                inst,
                Reason::new(reason::Kind::Subscript, reason),
            ));
        }
        self.accesses.push((base, inst));
        Ok(Address { base, offset })
    }

    /// The base of all rows of a table, and the offset of the one that a pointer points to.
    fn row(&mut self, table: &mut Table<'_>, load: Value) -> (BaseId, Scev) {
        let (raw, bases) = (&mut self.raw, &mut self.bases);
        self.rows.row(table, load, |table, load, value| {
            // What alias analysis says of one row's pointer it says of all.
            raw.push(load);
            bases.push(Base {
                value,
                name: table.values[value.index()].name.clone(),
                label: None,
                shape_hint: vec![],
                object_size: None,
                align: 1,
                dead: false,
                blank: false,
            });
            BaseId::from(raw.len() - 1)
        })
    }

    /// The tables of rows.
    pub fn tables(&self, table: &mut Table<'_>) -> Vec<region::Rows> {
        let base = |of: Value| self.raw.iter().position(|b| *b == of);
        self.rows.described(table, |of| base(of).map(BaseId::from))
    }

    /// Notes which objects nobody reads behind the region, and which of them nobody has written in front of it: those of its own are gone.
    /// `exit` is the block after it.
    pub fn note_dead(&mut self, table: &Table<'_>, exit: Block) {
        for (base, raw) in self.bases.iter_mut().zip(&self.raw) {
            if self.rows.contains(*raw) {
                continue;
            }
            base.dead = table.an.is_dead_behind(*raw, &table.blocks, exit);
            base.blank = base.dead && table.an.is_blank_before(*raw, &table.blocks);
        }
        for (base, _) in &self.own {
            self.bases[base.index()].dead = true;
        }
    }

    /// Whether a base is memory of the new version's own.
    pub fn is_own(&self, base: BaseId) -> bool {
        self.own.iter().any(|(own, _)| *own == base)
    }

    /// The bases in LLVM; of rows, a value that stands in the place of theirs.
    pub fn host(&self, table: &Table<'_>) -> Vec<Value> {
        let values = self.bases.iter().map(|b| b.value);
        values.map(|v| table.raw[v.index()]).collect()
    }

    /// A pointer without name, for readers.
    fn described(&self, base: Value) -> Option<String> {
        if !base.name().is_empty() {
            return None;
        }
        let loaded = base.is_instruction() && base.opcode() == LLVMLoad;
        let what = match position(base) {
            Some(argument) => format!("{argument} of"),
            None if loaded => String::from("pointer loaded in"),
            None => String::from("pointer computed in"),
        };
        Some(format!("{what} {}", self.function))
    }

    fn base(&mut self, table: &mut Table<'_>, raw: Value, pointer: Value) -> BaseId {
        let hint = shape_hint(raw, pointer);
        let known = self.raw.iter().position(|b| *b == raw);
        let id = known.unwrap_or_else(|| {
            let value = table.id(raw);
            self.raw.push(raw);
            self.bases.push(Base {
                value,
                name: position(raw).unwrap_or_else(|| table.values[value.index()].name.clone()),
                label: raw.variable().or_else(|| self.described(raw)),
                shape_hint: vec![],
                object_size: table.an.object_size(raw),
                align: table.an.alignment(raw),
                dead: false,
                blank: false,
            });
            self.raw.len() - 1
        });
        if hint.len() > self.bases[id].shape_hint.len() {
            self.bases[id].shape_hint = hint;
        }
        BaseId::from(id)
    }

    /// The bases that are written through.
    pub fn written(&self) -> impl Iterator<Item = BaseId> {
        let written: BTreeSet<BaseId> = (self.accesses.iter())
            .filter(|(_, inst)| inst.effect() != Effect::Load)
            .map(|(base, _)| *base)
            .collect();
        written.into_iter()
    }

    /// The writes through a base, each with the base. Copies count for both of their sides.
    pub fn writes_of(&self, base: BaseId) -> impl Iterator<Item = (Value, Value)> {
        let own = self.accesses.iter().filter(move |a| a.0 == base);
        own.filter(|(_, inst)| inst.effect() != Effect::Load)
            .map(|(base, inst)| (self.raw[base.index()], *inst))
    }

    /// The loads, each with its base.
    pub fn loads(&self) -> impl Iterator<Item = (BaseId, Value)> {
        let all = self.accesses.iter().copied();
        all.filter(|(_, inst)| inst.effect() == Effect::Load)
    }

    /// Whether a base stands for rows behind pointers.
    pub fn is_row(&self, base: BaseId) -> bool {
        self.rows.contains(self.raw[base.index()])
    }

    /// The bases whose accesses never touch one of these held cells.
    pub fn apart_from(&self, table: &Table<'_>, cells: &[&Cell], scopes: bool) -> Vec<BaseId> {
        let distinct = self.distinct();
        let loads = || {
            cells
                .iter()
                .flat_map(|c| c.loads.iter().map(|l| (c.pointer, *l)))
        };
        let apart = |b: &usize| {
            let mut accesses = distinct[*b].iter().map(|inst| (self.raw[*b], *inst));
            self.is_own(BaseId::from(*b))
                || accesses.all(|a| loads().all(|l| table.an.no_alias(l, a, scopes)))
        };
        let bases = (0..self.raw.len()).filter(apart);
        bases.map(BaseId::from).collect()
    }

    /// The accesses through each base that alias analysis tells apart, by base: those with the same metadata are the same to it.
    fn distinct(&self) -> Vec<Vec<Value>> {
        let mut seen = BTreeSet::new();
        let kinds = [
            MetadataKind::Tbaa,
            MetadataKind::AliasScope,
            MetadataKind::NoAlias,
        ];
        let mut distinct: Vec<Vec<Value>> = vec![vec![]; self.raw.len()];
        for (base, inst) in &self.accesses {
            if seen.insert((*base, kinds.map(|k| inst.metadata(k)))) {
                distinct[base.index()].push(*inst);
            }
        }
        distinct
    }

    /// Pairs of bases whose accesses never overlap.
    pub fn no_alias(&self, table: &Table<'_>, scopes: bool) -> Vec<(BaseId, BaseId)> {
        let distinct = self.distinct();
        let is_own = |b: usize| self.is_own(BaseId::from(b));
        let apart = |a: usize, b: usize| {
            is_own(a)
                || is_own(b)
                || distinct[a].iter().all(|i| {
                    distinct[b].iter().all(|j| {
                        let (a, b) = ((self.raw[a], *i), (self.raw[b], *j));
                        table.an.no_alias(a, b, scopes)
                    })
                })
        };
        let n = self.raw.len();
        (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .filter(|(a, b)| apart(*a, *b))
            .map(|(a, b)| (BaseId::from(a), BaseId::from(b)))
            .collect()
    }
}

/// Whether an address is what its sums and products are without wrapping, wherever it is accessed: all of them say so, and
/// an access to anything else would have no meaning. Scalar evolution forgets that where the value may be unused.
fn is_exact(table: &mut Table<'_>, v: Value, at: Block, steps: u32) -> bool {
    let inside = table.inside(v).is_some();
    let narrow = llvm::ty(table.layout, v.raw_type()).bytes() < 8;
    let proven = match v.is_instruction().then(|| v.opcode()) {
        _ if steps == 0 => return false,
        Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl) if inside && narrow => unsafe {
            LLVMGetNSW(v.0) != 0
        },
        Some(LLVMZExt) if inside => unsafe { LLVMGetNNeg(v.0) != 0 },
        Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMGetElementPtr | LLVMSExt) => inside,
        _ => false,
    };
    if proven {
        let mut parts = v.operands().into_iter();
        return parts.all(|o| is_exact(table, o, at, steps - 1));
    }
    // What the way begins with: scalar evolution may look further, but has to prove what it finds.
    let Some(s) = table.an.evolution(v, Some(at)) else {
        return false;
    };
    table.convert(s, at).is_some_and(|s| s.never_wraps())
}

fn state_exact(s: &mut Scev) {
    match &mut s.kind {
        ScevKind::Add(_, wrap) | ScevKind::Mul(_, wrap) | ScevKind::AddRec { wrap, .. } => {
            wrap.nsw |= s.width < 64;
        }
        _ => {}
    }
    s.operands_mut().into_iter().for_each(state_exact);
}

/// `argument 2`, where compilers drop the names of values.
fn position(base: Value) -> Option<String> {
    let unnamed = base.name().is_empty() && !unsafe { LLVMIsAArgument(base.0) }.is_null();
    let number = unnamed.then(|| unsafe {
        let function = LLVMGetParamParent(base.0);
        (0..LLVMCountParams(function)).find(|i| LLVMGetParam(function, *i) == base.0)
    });
    number.flatten().map(|i| format!("argument {}", i + 1))
}

/// A refusal because of what `culprit`, an instruction of the region, computes. What the region itself loads in front of its loops may be what is needed: the
/// pointer to a table of rows is none of a table if it is data. The next region begins behind that.
pub fn refuse(table: &Table<'_>, culprit: Value, reason: Reason) -> Refusal {
    let in_front = table.blocks.iter();
    let in_front = in_front.take_while(|b| table.loop_around(**b).is_none());
    let loads = in_front.flat_map(|b| b.instructions());
    let load = loads.filter(|i| i.effect() == Effect::Load).last();
    let blame = match (table.loop_around(culprit.parent()), load) {
        (Some(_), Some(load)) => Blame::Upto(load),
        (Some(l), None) => Blame::Loop(l.header()),
        (None, _) => Blame::Upto(culprit),
    };
    Refusal {
        blame,
        reason,
        at: Some(culprit),
    }
}

/// Refuses an evolution that depends on what memory or an opaque operation of the region yields. PHIs, masks and the
/// like pass: the model may see through them.
pub fn needs(table: &Table<'_>, s: &Scev, kind: reason::Kind, words: &str) -> Result<(), Refusal> {
    let values = s.values().into_iter();
    let mut pending: Vec<Value> = values.map(|v| table.raw[v.index()]).collect();
    let mut seen = BTreeSet::new();
    while let Some(v) = pending.pop() {
        if table.inside(v).is_none() || !seen.insert(v) {
            continue;
        }
        if !is_transparent(v) {
            return Err(refuse(table, v, Reason::new(kind, words)));
        }
        pending.extend(v.operands());
    }
    Ok(())
}

/// Integer operations that a model can express.
fn is_transparent(v: Value) -> bool {
    match v.opcode() {
        LLVMPHI | LLVMFreeze | LLVMSelect | LLVMICmp | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc
        | LLVMZExt | LLVMSExt | LLVMShl | LLVMLShr | LLVMAShr | LLVMAdd | LLVMSub | LLVMMul
        | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => true,
        LLVMCall => {
            let minmax = ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"];
            v.effect() == Effect::Pure && minmax.contains(&v.callee().0.as_str())
        }
        _ => false,
    }
}

/// Sizes of all dimensions but the first, as the types on the way from `pointer` to its base show them.
fn shape_hint(base: Value, pointer: Value) -> Vec<u64> {
    let mut best = object_dims(base);
    let mut at = pointer;
    while at != base && at.is_instruction() && at.opcode() == LLVMGetElementPtr {
        let dims = array_dims(unsafe { LLVMGetGEPSourceElementType(at.0) });
        if dims.len() > best.len() {
            best = dims;
        }
        at = at.operand(0);
    }
    best
}

fn object_dims(base: Value) -> Vec<u64> {
    let ty = unsafe {
        if !LLVMIsAGlobalVariable(base.0).is_null() {
            LLVMGlobalGetValueType(base.0)
        } else if !LLVMIsAAllocaInst(base.0).is_null() {
            LLVMGetAllocatedType(base.0)
        } else {
            return vec![];
        }
    };
    array_dims(ty).into_iter().skip(1).collect()
}

fn array_dims(ty: LLVMTypeRef) -> Vec<u64> {
    let mut dims = vec![];
    let mut at = ty;
    unsafe {
        while LLVMGetTypeKind(at) == LLVMTypeKind::LLVMArrayTypeKind {
            dims.push(LLVMGetArrayLength2(at));
            at = LLVMGetElementType(at);
        }
    }
    dims
}
