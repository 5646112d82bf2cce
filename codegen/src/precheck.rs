//! Everything that can fail, tried before the first change.
//!
//! The result is a [`Plan`]: how control and values leave the region once there are two versions of it.

use crate::buffers::{check_buffer, check_elements};
use crate::error::EmitError;
use crate::evolution::{closed_form, leaves};
use crate::host::Host;
use crate::memory::origin;
use crate::tile::{check_panels, obstacle};
use inkwell::basic_block::BasicBlock;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue, PhiValue};
use llvm_sys::core::{
    LLVMGetFirstUse, LLVMGetInstructionParent, LLVMGetNextUse, LLVMGetNumArgOperands,
    LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetSuccessor, LLVMGetUser, LLVMIsACallInst,
    LLVMIsAInstruction, LLVMIsAPHINode,
};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use polytile_analysis::ast::{Ast, Buffer, ForKind, MicroKernel, PackStore, Program};
use polytile_analysis::body::{Node, NodeKind};
use polytile_analysis::ids::{ArrayId, StmtId, ValueId};
use polytile_analysis::region::Ty;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Array, ArrayKind, Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// How the two versions meet.
pub(crate) struct Plan<'c> {
    /// PHIs of the exit block and what they get from the new version.
    pub(crate) phis: Vec<(PhiValue<'c>, Leaving<'c>)>,
    /// Values of the region that are used after it directly, and the scalar that holds them in the new version.
    pub(crate) direct: Vec<(InstructionValue<'c>, ArrayId)>,
    /// Predecessors of the exit in the region, one entry per edge.
    pub(crate) exiting: Vec<BasicBlock<'c>>,
}

/// What leaves the new version.
#[derive(Clone, Copy)]
pub(crate) enum Leaving<'c> {
    /// The content of a scalar.
    Cell(ArrayId),
    /// A value that was known before the region.
    Value(BasicValueEnum<'c>),
}

/// Tries everything that can fail.
pub(crate) fn plan<'c>(
    program: &Program,
    scop: &Scop,
    host: &Host<'_>,
) -> Result<Plan<'c>, EmitError> {
    let shape = Shape::new(host)?;
    for p in &scop.params {
        shape.invariant(&p.expr)?;
    }
    for (id, array) in crate::memory::arrays(&scop.arrays) {
        shape.array(id, array)?;
    }
    for (a, b) in &program.check.no_overlap {
        for range in [a, b] {
            shape.value(range.base)?;
            for (_, stride) in range.lo.iter().chain(&range.hi) {
                shape.invariant(stride)?;
            }
        }
    }
    for (at, buffer) in program.buffers.iter().enumerate() {
        check_buffer(at, buffer)?;
    }
    let parts = Parts {
        shape: &shape,
        scop,
        buffers: &program.buffers,
    };
    parts.ast(&program.body, false)?;
    shape.leaving(scop)
}

/// The region's place in the function.
struct Shape<'h> {
    host: &'h Host<'h>,
    /// Blocks between entry and exit, in the order of discovery.
    blocks: Vec<LLVMBasicBlockRef>,
    inside: BTreeSet<usize>,
}

fn block<'c>(b: LLVMBasicBlockRef) -> BasicBlock<'c> {
    unsafe { BasicBlock::new(b) }.expect("the host gives blocks")
}

fn successors(b: LLVMBasicBlockRef) -> Vec<LLVMBasicBlockRef> {
    match block(b).get_terminator() {
        Some(t) => unsafe {
            let t = t.as_value_ref();
            (0..LLVMGetNumSuccessors(t))
                .map(|i| LLVMGetSuccessor(t, i))
                .collect()
        },
        None => vec![],
    }
}

/// The parts of a loop program.
struct Parts<'p, 'h> {
    shape: &'p Shape<'h>,
    scop: &'p Scop,
    buffers: &'p [Buffer],
}

impl Parts<'_, '_> {
    /// `parallel`: inside a parallel loop.
    fn ast(&self, ast: &Ast, parallel: bool) -> Result<(), EmitError> {
        match ast {
            Ast::For(l) => {
                let here = matches!(l.kind, ForKind::Parallel { .. });
                // Panels that threads copy for all.
                let shared = here && l.body.only_copies();
                self.ast(&l.body, parallel || (here && !shared))
            }
            Ast::Block(list) => list.iter().try_for_each(|a| self.ast(a, parallel)),
            Ast::If { then, els, .. } => {
                self.ast(then, parallel)?;
                els.iter().try_for_each(|a| self.ast(a, parallel))
            }
            Ast::User(u) => self.shape.stmt(self.scop.stmt(u.stmt)),
            Ast::Pack(p) => self.pack(p, parallel),
            Ast::MicroKernel(m) => self.micro_kernel(m, parallel),
        }
    }

    fn pack(&self, p: &PackStore, parallel: bool) -> Result<(), EmitError> {
        let stmt = self.scop.stmt(p.stmt);
        self.shape.stmt(stmt)?;
        check_elements(p.buffer, self.buffers, &stmt.body, &p.operands)?;
        if p.args.len() != stmt.depth() {
            return Err(EmitError::Buffer(
                p.buffer,
                "an instance has other iterators",
            ));
        }
        match (self.buffers[p.buffer].shared, parallel) {
            (true, true) => Err(EmitError::Buffer(
                p.buffer,
                "many threads write one copy of it",
            )),
            (false, false) => Err(EmitError::Buffer(
                p.buffer,
                "one thread writes for many that have copies of their own",
            )),
            _ => Ok(()),
        }
    }

    fn micro_kernel(&self, m: &MicroKernel, parallel: bool) -> Result<(), EmitError> {
        let (shape, stmt) = (self.shape, self.scop.stmt(m.tile.stmt));
        shape.stmt(stmt)?;
        check_panels(m, stmt, self.buffers)?;
        for panel in [&m.row_panel, &m.lane_panel].into_iter().flatten() {
            if !parallel && !self.buffers[panel.buffer].shared {
                return Err(EmitError::Buffer(
                    panel.buffer,
                    "what threads wrote is read after they joined",
                ));
            }
        }
        let inst = |node: &NodeKind| match node {
            NodeKind::Op { inst, .. } => shape.host.values[inst.index()],
            _ => std::ptr::null_mut(),
        };
        match obstacle(self.scop, m, inst) {
            Some(why) => Err(EmitError::RegisterTile(stmt.id, why)),
            None => Ok(()),
        }
    }
}

impl<'h> Shape<'h> {
    fn new(host: &'h Host<'h>) -> Result<Shape<'h>, EmitError> {
        if successors(host.preheader) != [host.entry] {
            return Err(EmitError::NoPreheader);
        }
        let mut shape = Shape {
            host,
            blocks: vec![],
            inside: BTreeSet::new(),
        };
        let mut pending = vec![host.entry];
        while let Some(b) = pending.pop() {
            if b != host.exit && shape.inside.insert(b as usize) {
                shape.blocks.push(b);
                pending.extend(successors(b));
            }
        }
        if shape.inside.contains(&(host.preheader as usize)) {
            return Err(EmitError::NoPreheader);
        }
        let function = block(host.entry)
            .get_parent()
            .expect("blocks live in a function");
        let foreign = function
            .get_basic_blocks()
            .into_iter()
            .map(|b| b.as_mut_ptr())
            .any(|b| !shape.inside.contains(&(b as usize)) && successors(b).contains(&host.exit));
        if foreign || shape.exiting().is_empty() {
            return Err(EmitError::SharedExit);
        }
        Ok(shape)
    }

    /// Edges to the exit by their source.
    fn exiting(&self) -> Vec<LLVMBasicBlockRef> {
        let to_exit = |b: &LLVMBasicBlockRef| {
            successors(*b)
                .into_iter()
                .filter(|s| *s == self.host.exit)
                .count()
        };
        self.blocks
            .iter()
            .flat_map(|b| std::iter::repeat_n(*b, to_exit(b)))
            .collect()
    }

    fn computed_inside(&self, v: LLVMValueRef) -> bool {
        unsafe {
            !LLVMIsAInstruction(v).is_null()
                && self
                    .inside
                    .contains(&(LLVMGetInstructionParent(v) as usize))
        }
    }

    /// A value that must be known before the region.
    fn value(&self, v: ValueId) -> Result<LLVMValueRef, EmitError> {
        let value = self.instruction(v)?;
        if self.computed_inside(value) {
            return Err(EmitError::NotInvariant(v));
        }
        Ok(value)
    }

    fn instruction(&self, v: ValueId) -> Result<LLVMValueRef, EmitError> {
        let value = self.host.values.get(v.index()).copied();
        value
            .filter(|v| !v.is_null())
            .ok_or(EmitError::MissingValue(v))
    }

    fn invariant(&self, s: &Scev) -> Result<(), EmitError> {
        if !closed_form(s, &[]) {
            return Err(EmitError::ParameterWidth);
        }
        leaves(s)
            .into_iter()
            .try_for_each(|v| self.value(v).map(drop))
    }

    fn array(&self, id: ArrayId, array: &Array) -> Result<(), EmitError> {
        match array.kind {
            ArrayKind::Memory { .. } => return Ok(()),
            ArrayKind::Scalar { .. } | ArrayKind::Temporary => {}
        }
        if !plain(array.ty) {
            return Err(EmitError::ElementType(id));
        }
        array
            .strides
            .iter()
            .chain(&array.extents)
            .try_for_each(|s| self.invariant(s))?;
        if array.strides.len() != array.extents.len() && array.kind == ArrayKind::Temporary {
            return Err(EmitError::Unsized(id));
        }
        Ok(())
    }

    fn stmt(&self, stmt: &Stmt) -> Result<(), EmitError> {
        for access in &stmt.accesses {
            self.access(stmt, access)?;
        }
        for node in &stmt.body.nodes {
            self.node(stmt, node)?;
        }
        Ok(())
    }

    fn evolution(
        &self,
        stmt: StmtId,
        s: &Scev,
        loops: &[polytile_analysis::ids::LoopId],
    ) -> Result<(), EmitError> {
        if !closed_form(s, loops) {
            return Err(EmitError::NoClosedForm(stmt));
        }
        leaves(s)
            .into_iter()
            .try_for_each(|v| self.value(v).map(drop))
    }

    fn access(&self, stmt: &Stmt, access: &Access) -> Result<(), EmitError> {
        let moved = access
            .inst
            .map(|v| self.instruction(v))
            .transpose()?
            .and_then(origin);
        if moved.is_none() && !plain(access.ty) {
            return Err(EmitError::Body(stmt.id, "the type of an access is unknown"));
        }
        match &access.place {
            Place::Scalar => Ok(()),
            Place::Memory(address) => {
                let base = self
                    .host
                    .bases
                    .get(address.base.index())
                    .copied()
                    .unwrap_or(std::ptr::null_mut());
                if base.is_null() || self.computed_inside(base) {
                    return Err(EmitError::Body(
                        stmt.id,
                        "a base pointer is not known before the region",
                    ));
                }
                self.evolution(stmt.id, &address.offset, &stmt.iters)
            }
            Place::Temporary(subscripts) => subscripts
                .iter()
                .try_for_each(|s| self.evolution(stmt.id, s, &stmt.iters)),
        }
    }

    fn node(&self, stmt: &Stmt, node: &Node) -> Result<(), EmitError> {
        let fail = |why| Err(EmitError::Body(stmt.id, why));
        match &node.kind {
            NodeKind::Read(_) => Ok(()),
            NodeKind::Invariant(v) => self.value(*v).map(drop),
            NodeKind::Bits(_) => match node.ty {
                Ty::Int(1..=64) | Ty::Float(16 | 32 | 64) => Ok(()),
                _ => fail("a constant of an unusual type"),
            },
            NodeKind::Index(s) => match node.ty {
                Ty::Int(w) if w == s.width => self.evolution(stmt.id, s, &stmt.iters),
                _ => fail("an address is used as a value"),
            },
            NodeKind::Op { inst, args, .. } => {
                let inst = self.instruction(*inst)?;
                if operand_count(inst) != Some(args.len()) {
                    return fail("an operation has other operands than its instruction");
                }
                Ok(())
            }
        }
    }

    fn leaving<'c>(&self, scop: &Scop) -> Result<Plan<'c>, EmitError> {
        let cells = self.cells(scop)?;
        let mut plan = Plan {
            phis: vec![],
            direct: vec![],
            exiting: vec![],
        };
        plan.exiting = self.exiting().into_iter().map(block).collect();
        for inst in block::<'c>(self.host.exit).get_instructions() {
            if inst.get_opcode() == InstructionOpcode::Phi {
                let phi = unsafe { PhiValue::new(inst.as_value_ref()) };
                plan.phis.push((phi, self.phi_value(phi, &cells)?));
            }
        }
        for b in &self.blocks {
            for inst in block::<'c>(*b).get_instructions() {
                if self.used_directly(inst.as_value_ref()) {
                    let cell = cells.get(&(inst.as_value_ref() as usize));
                    let cell = cell.ok_or_else(|| EmitError::LiveOut(name(inst.as_value_ref())))?;
                    plan.direct.push((inst, *cell));
                }
            }
        }
        Ok(plan)
    }

    /// The scalar that holds a value at the end of the new version, by value.
    fn cells(&self, scop: &Scop) -> Result<BTreeMap<usize, ArrayId>, EmitError> {
        let mut cells = BTreeMap::new();
        for (id, array) in crate::memory::arrays(&scop.arrays) {
            if let ArrayKind::Scalar { live_out: Some(v) } = array.kind {
                cells.insert(self.instruction(v)? as usize, id);
            }
        }
        Ok(cells)
    }

    fn phi_value<'c>(
        &self,
        phi: PhiValue<'c>,
        cells: &BTreeMap<usize, ArrayId>,
    ) -> Result<Leaving<'c>, EmitError> {
        if let Some(cell) = cells.get(&(phi.as_value_ref() as usize)) {
            return Ok(Leaving::Cell(*cell));
        }
        let unknown = || EmitError::LiveOut(name(phi.as_value_ref()));
        let incoming: Vec<BasicValueEnum<'c>> = phi.get_incomings().map(|(v, _)| v).collect();
        let first = *incoming.first().ok_or_else(unknown)?;
        if incoming.iter().any(|v| *v != first) {
            return Err(unknown());
        }
        match cells.get(&(first.as_value_ref() as usize)) {
            Some(cell) => Ok(Leaving::Cell(*cell)),
            None if self.computed_inside(first.as_value_ref()) => Err(unknown()),
            None => Ok(Leaving::Value(first)),
        }
    }

    /// Whether a value of the region is used after it other than by a PHI of the exit.
    fn used_directly(&self, v: LLVMValueRef) -> bool {
        users(v).into_iter().any(|u| self.is_direct_use(u))
    }

    fn is_direct_use(&self, user: LLVMValueRef) -> bool {
        is_direct_use(self.host, user, |b| self.inside.contains(&(b as usize)))
    }
}

/// Whether an instruction is outside of the region and no PHI of the exit.
pub(crate) fn is_direct_use(
    host: &Host<'_>,
    user: LLVMValueRef,
    inside: impl Fn(LLVMBasicBlockRef) -> bool,
) -> bool {
    unsafe {
        let at = LLVMGetInstructionParent(user);
        let exit_phi = at == host.exit && !LLVMIsAPHINode(user).is_null();
        !exit_phi && !inside(at)
    }
}

/// The users of a value, one entry per use.
pub(crate) fn users(v: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut found = vec![];
    unsafe {
        let mut at = LLVMGetFirstUse(v);
        while !at.is_null() {
            found.push(LLVMGetUser(at));
            at = LLVMGetNextUse(at);
        }
    }
    found
}

/// Number of operands that a body gives to an instruction: all, but a call's callee. `None` if it is no instruction.
fn operand_count(inst: LLVMValueRef) -> Option<usize> {
    unsafe {
        if LLVMIsAInstruction(inst).is_null() {
            return None;
        }
        if !LLVMIsACallInst(inst).is_null() {
            return Some(LLVMGetNumArgOperands(inst) as usize);
        }
        usize::try_from(LLVMGetNumOperands(inst)).ok()
    }
}

/// Types that need no instruction to be known exactly.
fn plain(ty: Ty) -> bool {
    matches!(ty, Ty::Int(1..=64) | Ty::Float(16 | 32 | 64) | Ty::Ptr)
}

fn name(v: LLVMValueRef) -> String {
    let mut len = 0;
    unsafe {
        let text = llvm_sys::core::LLVMGetValueName2(v, &mut len);
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), len);
        String::from_utf8_lossy(bytes).into_owned()
    }
}
