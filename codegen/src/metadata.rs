//! Metadata: loops, access groups, alias scopes.
//!
//! - A loop's `llvm.loop` node names itself, so that it stays distinct; `mustprogress` holds because every emitted loop
//!   is finite.
//! - A vector loop names an access group; every memory access in it carries the group, which tells the loop vectorizer
//!   that iterations are independent.
//! - Two arrays of which one is written do not overlap: the program says so, or the check found it. Each array gets an alias
//!   scope, and each access says which scopes it is outside of. The scopes are declared where the new version starts, so the claim
//!   holds for one execution of it and not across executions with other pointers.

use crate::emit::Emitter;
use crate::ir::Int;
use inkwell::values::{AsValueRef, InstructionValue};
use llvm_sys::core::{
    LLVMGetMDKindIDInContext, LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue,
    LLVMSetMetadata, LLVMValueAsMetadata,
};
use llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::scop::{ArrayKind, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of metadata that are read or written here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    pub(crate) loop_: u32,
    pub(crate) access_group: u32,
    pub(crate) alias_scope: u32,
    pub(crate) noalias: u32,
    pub(crate) tbaa: u32,
    /// Of loads of pointers to rows: the pass's own, for what tidies new functions up.
    pub(crate) row: u32,
    /// The same, of rows that may not exist.
    pub(crate) rim: u32,
    /// Of loads of pointers that may be read only where the program reads them.
    pub(crate) inner: u32,
}

impl Kinds {
    pub(crate) fn new(ctx: LLVMContextRef) -> Kinds {
        let id = |name: &str| unsafe {
            LLVMGetMDKindIDInContext(ctx, name.as_ptr().cast(), name.len() as u32)
        };
        Kinds {
            loop_: id("llvm.loop"),
            access_group: id("llvm.access.group"),
            alias_scope: id("alias.scope"),
            noalias: id("noalias"),
            tbaa: id("tbaa"),
            row: id("polytile.row"),
            rim: id("polytile.rim"),
            inner: id("polytile.inner"),
        }
    }
}

/// Metadata nodes of one LLVM context.
#[derive(Clone, Copy)]
pub(crate) struct Nodes(pub(crate) LLVMContextRef);

impl Nodes {
    pub(crate) fn string(self, s: &str) -> LLVMMetadataRef {
        unsafe { LLVMMDStringInContext2(self.0, s.as_ptr().cast(), s.len()) }
    }

    pub(crate) fn tuple(self, operands: &[LLVMMetadataRef]) -> LLVMMetadataRef {
        unsafe { LLVMMDNodeInContext2(self.0, operands.as_ptr().cast_mut(), operands.len()) }
    }

    /// A node whose first operand is itself: distinct from every other.
    pub(crate) fn distinct(self, operands: &[LLVMMetadataRef]) -> LLVMMetadataRef {
        let place = unsafe { LLVMTemporaryMDNode(self.0, std::ptr::null_mut(), 0) };
        let mut all = vec![place];
        all.extend_from_slice(operands);
        let node = self.tuple(&all);
        unsafe { LLVMMetadataReplaceAllUsesWith(place, node) };
        node
    }

    pub(crate) fn value(self, node: LLVMMetadataRef) -> LLVMValueRef {
        unsafe { LLVMMetadataAsValue(self.0, node) }
    }

    /// Attaches `node`, replacing what is there.
    pub(crate) fn attach(self, inst: InstructionValue<'_>, kind: u32, node: LLVMMetadataRef) {
        unsafe { LLVMSetMetadata(inst.as_value_ref(), kind, self.value(node)) };
    }

    /// Removes metadata of this kind.
    pub(crate) fn detach(self, inst: InstructionValue<'_>, kind: u32) {
        unsafe { LLVMSetMetadata(inst.as_value_ref(), kind, std::ptr::null_mut()) };
    }
}

/// Memory that an alias scope speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Memory {
    /// An array of the SCoP.
    Array(ArrayId),
    /// A buffer for packed operands, all copies of it.
    Buffer(usize),
}

/// Alias scopes in one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    /// By memory: the list with its own scope and the list of those that it cannot touch.
    of: BTreeMap<Memory, (LLVMMetadataRef, LLVMMetadataRef)>,
    /// The list of what is written, where gathers are outside of it.
    written: Option<LLVMMetadataRef>,
}

impl Scopes {
    /// Scopes for all arrays that the check keeps apart from another, and for memory of our own, which is apart from
    /// all other.
    pub(crate) fn new(nodes: Nodes, scop: &Scop, buffers: usize) -> Scopes {
        let apart = apart(scop, buffers);
        if apart.is_empty() {
            return Scopes::default();
        }
        let domain = nodes.distinct(&[nodes.string("polytile")]);
        let name = |m: &Memory| match m {
            Memory::Array(a) => scop.array(*a).name.clone(),
            Memory::Buffer(b) => format!("polytile.buffer{b}"),
        };
        let scope: BTreeMap<Memory, LLVMMetadataRef> = apart
            .keys()
            .map(|m| (*m, nodes.distinct(&[domain, nodes.string(&name(m))])))
            .collect();
        let of = apart
            .iter()
            .map(|(a, others)| {
                let others: Vec<LLVMMetadataRef> = others.iter().map(|o| scope[o]).collect();
                (*a, (nodes.tuple(&[scope[a]]), nodes.tuple(&others)))
            })
            .collect();
        let written = gathers(scop).then(|| {
            let scopes: Vec<LLVMMetadataRef> = written(scop)
                .iter()
                .filter_map(|a| scope.get(&Memory::Array(*a)).copied())
                .collect();
            nodes.tuple(&scopes)
        });
        Scopes { of, written }
    }
}

/// Memory by what it is known to be apart from.
fn apart(scop: &Scop, buffers: usize) -> BTreeMap<Memory, Vec<Memory>> {
    let mut found: BTreeMap<Memory, Vec<Memory>> = BTreeMap::new();
    let kind = |a: &ArrayId| &scop.array(*a).kind;
    let arrays = (0..scop.arrays.len())
        .map(ArrayId::from)
        .filter(|a| !matches!(kind(a), ArrayKind::Scalar { .. } | ArrayKind::Intact));
    // Memory of our own last: it is apart from all that stands in front of it.
    let (own, given): (Vec<ArrayId>, Vec<ArrayId>) =
        arrays.partition(|a| *kind(a) == ArrayKind::Temporary);
    let written = written(scop);
    if gathers(scop) {
        for a in given.iter().filter(|a| written.contains(a)) {
            found.entry(Memory::Array(*a)).or_default();
        }
    }
    let mut note = |a: Memory, b: Memory| {
        found.entry(a).or_default().push(b);
        found.entry(b).or_default().push(a);
    };
    for (i, a) in given.iter().enumerate() {
        let relevant = |b: &&ArrayId| written.contains(a) || written.contains(b);
        let others = given[..i].iter().filter(relevant);
        others.for_each(|b| note(Memory::Array(*a), Memory::Array(*b)));
    }
    let own = own.into_iter().map(Memory::Array);
    let own: Vec<Memory> = own.chain((0..buffers).map(Memory::Buffer)).collect();
    for (i, a) in own.iter().enumerate() {
        let others = given.iter().map(|b| Memory::Array(*b));
        others
            .chain(own[..i].iter().copied())
            .for_each(|b| note(*a, b));
    }
    for list in found.values_mut() {
        list.sort();
        list.dedup();
    }
    found
}

/// The arrays that are written.
fn written(scop: &Scop) -> BTreeSet<ArrayId> {
    let writes = scop.stmts.iter().flat_map(|s| s.writes());
    writes.map(|a| a.array).collect()
}

/// Whether a statement reads memory that no access names.
fn gathers(scop: &Scop) -> bool {
    scop.stmts.iter().any(|s| s.body.gathers())
}

impl<'c> Emitter<'_, 'c> {
    /// Marks a load of memory that nothing here writes; or a call of an inner loop, whose loads get the mark with it.
    pub(crate) fn mark_gather(&mut self, load: InstructionValue<'c>) {
        if let Some(group) = self.group_list() {
            self.nodes.attach(load, self.kinds.access_group, group);
        }
        if let Some(written) = self.frame().scopes.written {
            self.nodes.attach(load, self.kinds.noalias, written);
        }
    }

    /// Gives the current frame, whose code begins here, alias scopes of its own.
    pub(crate) fn open_scopes(&mut self) {
        let scopes = Scopes::new(self.nodes, self.scop, self.program.buffers.len());
        self.frame().scopes = scopes;
        self.declare_scopes();
    }

    /// Declares the current frame's alias scopes here.
    pub(crate) fn declare_scopes(&mut self) {
        let own: Vec<LLVMMetadataRef> = self
            .frame()
            .scopes
            .of
            .values()
            .map(|(own, _)| *own)
            .collect();
        for list in own {
            let f = inkwell::intrinsics::Intrinsic::find("llvm.experimental.noalias.scope.decl")
                .and_then(|i| i.get_declaration(self.ir.module(), &[]))
                .expect("LLVM has scope declarations");
            let list = unsafe { inkwell::values::MetadataValue::new(self.nodes.value(list)) };
            self.ir.call(f, &[list.into()]);
        }
    }

    /// Marks an access to `memory`, or to memory that no scope speaks of.
    pub(crate) fn mark_access(&mut self, inst: InstructionValue<'c>, memory: Option<Memory>) {
        if let Some(group) = self.group_list() {
            self.nodes.attach(inst, self.kinds.access_group, group);
        }
        let lists = memory.and_then(|m| self.frame().scopes.of.get(&m).copied());
        if let Some((own, others)) = lists {
            self.nodes.attach(inst, self.kinds.alias_scope, own);
            self.nodes.attach(inst, self.kinds.noalias, others);
        }
    }

    /// The access groups of the vector loops around the current place.
    fn group_list(&self) -> Option<LLVMMetadataRef> {
        match self.groups.as_slice() {
            [] => None,
            [one] => Some(*one),
            many => Some(self.nodes.tuple(many)),
        }
    }

    /// Attaches loop metadata to a back edge; `group` is the access group of a loop with independent iterations.
    pub(crate) fn mark_loop(
        &self,
        back_edge: InstructionValue<'c>,
        group: Option<LLVMMetadataRef>,
        code: LoopCode,
    ) {
        let nodes = self.nodes;
        let property = |name: &str| nodes.tuple(&[nodes.string(name)]);
        let mut properties = vec![property("llvm.loop.mustprogress")];
        if let Some(group) = group {
            properties.push(nodes.tuple(&[nodes.string("llvm.loop.parallel_accesses"), group]));
        }
        let set = |name: &str, value: Int<'c>| {
            let value = unsafe { LLVMValueAsMetadata(value.as_value_ref()) };
            nodes.tuple(&[nodes.string(name), value])
        };
        match code {
            LoopCode::Scalars => {}
            LoopCode::Short { masked } => {
                let one = self.ir.ctx.i32_type().const_int(1, false);
                let yes = self.ir.bool(true);
                properties.push(set("llvm.loop.vectorize.enable", yes));
                let rest = self.ir.bool(masked);
                properties.push(set("llvm.loop.vectorize.predicate.enable", rest));
                properties.push(set("llvm.loop.interleave.count", one));
            }
            LoopCode::Single | LoopCode::Few => {
                properties.push(set("llvm.loop.vectorize.enable", self.ir.bool(false)));
                if code == LoopCode::Few {
                    properties.push(property("llvm.loop.unroll.disable"));
                }
            }
            LoopCode::Vectors => {
                let one = self.ir.ctx.i32_type().const_int(1, false);
                properties.push(set("llvm.loop.isvectorized", one));
                properties.push(property("llvm.loop.unroll.disable"));
            }
        }
        nodes.attach(back_edge, self.kinds.loop_, nodes.distinct(&properties));
    }
}

/// What a loop's body is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopCode {
    /// Scalars: LLVM may vectorize and unroll.
    Scalars,
    /// Scalars of a loop of a few vectors, one vector at a time.
    Short {
        /// A masked vector instead of a scalar rest.
        masked: bool,
    },
    /// Scalars that are stored far apart or looked up: vectors would cost more than they save.
    Single,
    /// Scalars of a few iterations, such as the rows of a register tile: there are no eight of them to unroll, and copies for what is left
    /// over would be most of the code.
    Few,
    /// Vectors in a register tile: nothing may be added to the registers in use.
    Vectors,
}
