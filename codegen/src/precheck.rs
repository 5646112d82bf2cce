//! Everything that can fail, tried before the first change.
//!
//! The result is a [`Plan`]: how control and values leave the region once there are two versions of it.

use crate::buffers::{check_buffer, check_elements};
use crate::error::EmitError;
use crate::evolution::closed_form;
use crate::host::Host;
use crate::memory::origin;
use crate::tile::{check_panels, obstacle};
use crate::vector::{extremum, is_select};
use inkwell::basic_block::BasicBlock;
use inkwell::values::{AsValueRef, BasicValueEnum, InstructionOpcode, InstructionValue, PhiValue};
use llvm_sys::core::{
    LLVMGetFirstUse, LLVMGetInstructionParent, LLVMGetNextUse, LLVMGetNumArgOperands,
    LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetSuccessor, LLVMGetUser, LLVMIsACallInst,
    LLVMIsAInstruction, LLVMIsAPHINode,
};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use polytile_analysis::ast::{Ast, Buffer, ForKind, LanePanel, MicroKernel, PackStore, Program};
use polytile_analysis::body::{Node, NodeKind};
use polytile_analysis::ids::{ArrayId, StmtId, ValueId};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Array, ArrayKind, Place, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// What detection promises of values that live on after the region.
const LIVE_OUT: &str = "a statement writes what leaves the region";

/// How the two versions meet.
pub(crate) struct Plan<'c> {
    /// PHIs of the exit block and what they get from the new version.
    pub(crate) phis: Vec<(PhiValue<'c>, Leaving<'c>)>,
    /// Values of the region that are used after it directly, and the scalar that holds them in the new version.
    pub(crate) direct: Vec<(InstructionValue<'c>, ArrayId)>,
    /// Predecessors of the exit in the region, one entry per edge.
    pub(crate) exiting: Vec<BasicBlock<'c>>,
    /// Addresses of the region's blocks.
    pub(crate) inside: BTreeSet<usize>,
}

impl Plan<'_> {
    /// The scalars that the new version hands over.
    pub(crate) fn outs(&self) -> Vec<ArrayId> {
        let cells = self.phis.iter().filter_map(|(_, leaving)| match leaving {
            Leaving::Cell(a) => Some(*a),
            Leaving::Value(_) => None,
        });
        let all: BTreeSet<ArrayId> = cells.chain(self.direct.iter().map(|(_, a)| *a)).collect();
        all.into_iter().collect()
    }
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
    let shape = Shape::new(host);
    for p in &scop.params {
        shape.invariant(&p.expr)?;
    }
    for (id, array) in crate::memory::arrays(&scop.arrays) {
        shape.array(id, array)?;
    }
    for (_, bytes) in host.own {
        shape.invariant(bytes)?;
    }
    let pairs = program.check.apart.iter().flat_map(|p| &p.ranges);
    for range in pairs.chain(&program.check.written) {
        shape.value(range.base);
        for (_, stride) in range.lo.iter().chain(&range.hi) {
            shape.invariant(stride)?;
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
    Ok(shape.leaving(scop))
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
                if let ForKind::Lanes { panels, .. } = &l.kind {
                    let own = |p: &LanePanel| self.buffers[p.buffer].shared != parallel;
                    assert!(panels.iter().all(own), "lanes have panels of their own");
                }
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
        assert_eq!(p.args.len(), stmt.depth(), "an instance of {}", p.stmt);
        check_elements(p.buffer, self.buffers, &stmt.body, &p.operands)?;
        // Many threads do not write one copy, and one thread does not write for many that have copies of their own.
        let shared = self.buffers[p.buffer].shared;
        assert_ne!(shared, parallel, "who writes buffer {}", p.buffer);
        Ok(())
    }

    fn micro_kernel(&self, m: &MicroKernel, parallel: bool) -> Result<(), EmitError> {
        let (shape, stmt) = (self.shape, self.scop.stmt(m.tile.stmt));
        shape.stmt(stmt)?;
        check_panels(m, stmt, self.buffers)?;
        for panel in [&m.row_panel, &m.lane_panel].into_iter().flatten() {
            let shared = self.buffers[panel.buffer].shared;
            assert!(
                parallel || shared,
                "what threads wrote to buffer {} is read after they joined",
                panel.buffer
            );
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
    fn new(host: &'h Host<'h>) -> Shape<'h> {
        assert_eq!(
            successors(host.preheader),
            [host.entry],
            "the region has a preheader"
        );
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
        assert!(
            !shape.inside.contains(&(host.preheader as usize)),
            "the region's preheader lies in front of it"
        );
        let function = block(host.entry)
            .get_parent()
            .expect("blocks live in a function");
        let foreign = function
            .get_basic_blocks()
            .into_iter()
            .map(|b| b.as_mut_ptr())
            .any(|b| !shape.inside.contains(&(b as usize)) && successors(b).contains(&host.exit));
        assert!(
            !foreign && !shape.exiting().is_empty(),
            "the region's exit is its own"
        );
        shape
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
    fn value(&self, v: ValueId) -> LLVMValueRef {
        let value = self.instruction(v);
        assert!(
            !self.computed_inside(value),
            "value {v} is computed before the region"
        );
        value
    }

    fn instruction(&self, v: ValueId) -> LLVMValueRef {
        let value = self.host.values.get(v.index()).copied();
        let value = value.filter(|v| !v.is_null());
        value.unwrap_or_else(|| panic!("an instruction stands behind value {v}"))
    }

    fn known(&self, s: &Scev) {
        for v in s.values() {
            self.value(v);
        }
    }

    fn invariant(&self, s: &Scev) -> Result<(), EmitError> {
        if !closed_form(s, &[]) {
            return Err(EmitError::ParameterWidth);
        }
        self.known(s);
        Ok(())
    }

    fn array(&self, id: ArrayId, array: &Array) -> Result<(), EmitError> {
        match array.kind {
            ArrayKind::Memory { .. } => return Ok(()),
            ArrayKind::Scalar { .. } | ArrayKind::Temporary | ArrayKind::Intact => {}
        }
        if !array.ty.is_plain() {
            return Err(EmitError::ElementType(id));
        }
        array
            .strides
            .iter()
            .chain(&array.extents)
            .try_for_each(|s| self.invariant(s))?;
        assert!(
            array.strides.len() == array.extents.len() || array.kind != ArrayKind::Temporary,
            "array {id} has sizes"
        );
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
        self.known(s);
        Ok(())
    }

    fn access(&self, stmt: &Stmt, access: &Access) -> Result<(), EmitError> {
        let moved = access.inst.map(|v| self.instruction(v)).and_then(origin);
        if moved.is_none() && !access.ty.is_plain() {
            return Err(EmitError::AccessType(stmt.id));
        }
        match &access.place {
            Place::Scalar => Ok(()),
            Place::Memory(address) => {
                let base = self.host.bases[address.base.index()];
                assert!(
                    !base.is_null() && !self.computed_inside(base),
                    "base pointer {} is known before the region",
                    address.base
                );
                self.evolution(stmt.id, &address.offset, &stmt.iters)
            }
            Place::Temporary(subscripts) => subscripts
                .iter()
                .try_for_each(|s| self.evolution(stmt.id, s, &stmt.iters)),
        }
    }

    fn node(&self, stmt: &Stmt, node: &Node) -> Result<(), EmitError> {
        match &node.kind {
            NodeKind::Read(_) => {}
            NodeKind::Invariant(v) => drop(self.value(*v)),
            NodeKind::Bits(_) => {
                assert!(node.ty.is_plain(), "the type of a constant is known");
            }
            NodeKind::Index(s) => {
                assert_eq!(node.ty, Ty::Int(s.width), "no address is a value");
                self.evolution(stmt.id, s, &stmt.iters)?;
            }
            NodeKind::Op { .. } if node.choice().is_some() => {}
            NodeKind::Op { inst, op, args } => {
                let origin = self.instruction(*inst);
                let operands = match op {
                    OpCode::Select if !is_select(origin) => Some(3),
                    op if extremum(op).is_some() => Some(2),
                    _ => operand_count(origin),
                };
                assert_eq!(operands, Some(args.len()), "operands of {inst}");
            }
        }
        Ok(())
    }

    fn leaving<'c>(&self, scop: &Scop) -> Plan<'c> {
        let cells = self.cells(scop);
        let mut plan = Plan {
            phis: vec![],
            direct: vec![],
            exiting: vec![],
            inside: self.inside.clone(),
        };
        plan.exiting = self.exiting().into_iter().map(block).collect();
        for inst in block::<'c>(self.host.exit).get_instructions() {
            if inst.get_opcode() == InstructionOpcode::Phi {
                let phi = unsafe { PhiValue::new(inst.as_value_ref()) };
                plan.phis.push((phi, self.phi_value(phi, &cells)));
            }
        }
        for b in &self.blocks {
            for inst in block::<'c>(*b).get_instructions() {
                if self.used_directly(inst.as_value_ref()) {
                    let cell = cells.get(&(inst.as_value_ref() as usize));
                    plan.direct.push((inst, *cell.expect(LIVE_OUT)));
                }
            }
        }
        plan
    }

    /// The scalar that holds a value at the end of the new version, by value.
    fn cells(&self, scop: &Scop) -> BTreeMap<usize, ArrayId> {
        let mut cells = BTreeMap::new();
        for (id, array) in crate::memory::arrays(&scop.arrays) {
            if let ArrayKind::Scalar { live_out: Some(v) } = array.kind {
                cells.insert(self.instruction(v) as usize, id);
            }
        }
        cells
    }

    fn phi_value<'c>(&self, phi: PhiValue<'c>, cells: &BTreeMap<usize, ArrayId>) -> Leaving<'c> {
        if let Some(cell) = cells.get(&(phi.as_value_ref() as usize)) {
            return Leaving::Cell(*cell);
        }
        let mut incoming = phi.get_incomings().map(|(v, _)| v);
        let first: BasicValueEnum<'c> = incoming.next().expect("the exit has predecessors");
        assert!(incoming.all(|v| v == first), "{LIVE_OUT}");
        match cells.get(&(first.as_value_ref() as usize)) {
            Some(cell) => Leaving::Cell(*cell),
            None => {
                assert!(!self.computed_inside(first.as_value_ref()), "{LIVE_OUT}");
                Leaving::Value(first)
            }
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
