//! Statement instances: operand trees with the original instructions.
//!
//! The nodes of a body are evaluated once each. An operation is a clone of its instruction with new operands; flags and
//! fast-math flags stay, because the clone computes for the same instance the same value from the same operands.
//! Alias metadata of the original is dropped: it speaks of one execution of code whose order no longer exists.

use crate::common::{Number, Shape};
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Int, Value};
use crate::loops::stride_along;
use crate::strips::Part;
use crate::vector::{extremum, is_select};
use inkwell::types::{AsTypeRef, BasicTypeEnum};
use inkwell::values::{AsValueRef, BasicValue, InstructionValue};
use llvm_sys::core::{LLVMInstructionClone, LLVMSetOperand, LLVMTypeOf};
use polytile_analysis::ast::{Expr, User};
use polytile_analysis::body::{Needs, NodeKind};
use polytile_analysis::ids::{LoopId, NodeId, StmtId, ValueId};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Stmt};
use std::collections::BTreeMap;

/// A statement instance under construction.
pub(crate) struct Instance<'s, 'c> {
    pub(crate) stmt: &'s Stmt,
    at: Vec<(LoopId, Int<'c>)>,
    pub(crate) done: BTreeMap<NodeId, Value<'c>>,
    /// Where something is computed under a condition: what is computed together.
    pub(crate) needs: Option<Needs>,
    /// What makes its nodes, as far as somebody has asked ([`crate::common`]).
    numbers: BTreeMap<NodeId, Number>,
    /// How many choices what is emitted is on a side of.
    pub(crate) sides: usize,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits one instance of a statement: its values, and then its writes.
    pub(crate) fn user(&mut self, u: &User) {
        self.user_with(u, &[], &[]);
    }

    /// The same with the values of some reads, and without some writes, which are held: what is written, by number of the write.
    pub(crate) fn user_with(
        &mut self,
        u: &User,
        known: &[(usize, Value<'c>)],
        held: &[usize],
    ) -> BTreeMap<usize, Value<'c>> {
        let stmt = self.scop.stmt(u.stmt);
        self.locate_write(stmt.write());
        let mut instance = self.instance(stmt, &u.args);
        self.know(&mut instance, known);
        self.read_fixed(&mut instance, &u.args);
        let part = self.strips.as_ref().map(|s| s.part(u.stmt));
        let runs: Vec<usize> = match part {
            None | Some(Part::All) => (0..stmt.writes().len()).collect(),
            Some(Part::Nothing) => vec![],
            Some(Part::Ahead(later)) => {
                self.keep_operands(&mut instance);
                (0..stmt.writes().len())
                    .filter(|n| !later.contains(n))
                    .collect()
            }
            Some(Part::Updates(writes)) => {
                instance.done.extend(self.kept_operands(u.stmt));
                writes
            }
        };
        if stmt.write().kind == AccessKind::MayWrite && !runs.is_empty() {
            assert!(
                held.is_empty(),
                "what is written under a condition is not held"
            );
            self.conditional_writes(&mut instance, &runs);
            return BTreeMap::new();
        }
        let roots: Vec<NodeId> = stmt.body.values().collect();
        let writes: Vec<(usize, NodeId)> = runs.into_iter().map(|n| (n, roots[n])).collect();
        self.make_writes(&mut instance, &writes, held)
    }

    /// Makes some writes, given by number and value, but for those that are held; what is written. All values come first.
    fn make_writes(
        &mut self,
        instance: &mut Instance<'_, 'c>,
        writes: &[(usize, NodeId)],
        held: &[usize],
    ) -> BTreeMap<usize, Value<'c>> {
        let roots: Vec<NodeId> = writes.iter().map(|(_, node)| *node).collect();
        self.values(instance, &roots);
        let value = |(n, node): &(usize, NodeId)| (*n, instance.done[node]);
        let values: BTreeMap<usize, Value<'c>> = writes.iter().map(value).collect();
        for (n, value) in values.iter().filter(|(n, _)| !held.contains(n)) {
            let write = &instance.stmt.accesses[*n];
            self.locate_write(write);
            self.write(write, &instance.at, *value);
        }
        values
    }

    /// Reads from cells of ours that are the same for all lanes, whether a choice takes them or not: LLVM would gather under the choice's mask.
    fn read_fixed(&mut self, instance: &mut Instance<'_, 'c>, args: &[Expr]) {
        let (Some(iter), Some(_)) = (self.along, &instance.needs) else {
            return;
        };
        let stmt = instance.stmt;
        for (n, node) in stmt.body.nodes.iter().enumerate() {
            let NodeKind::Read(read) = node.kind else {
                continue;
            };
            let access = &stmt.accesses[read];
            let ours = matches!(
                self.scop.array(access.array).kind,
                ArrayKind::Scalar { .. } | ArrayKind::Temporary
            );
            if ours && stride_along(self.scop, (stmt, args), access, iter) == Some(0) {
                self.node(instance, NodeId::from(n));
            }
        }
    }

    /// Gives the nodes of some reads their values.
    fn know(&self, instance: &mut Instance<'_, 'c>, known: &[(usize, Value<'c>)]) {
        for (n, node) in instance.stmt.body.nodes.iter().enumerate() {
            let of = |(read, _): &&(usize, Value<'c>)| node.kind == NodeKind::Read(*read);
            if let Some((_, value)) = known.iter().find(of) {
                instance.done.insert(NodeId::from(n), *value);
            }
        }
    }

    /// The iterators of a statement's instance.
    pub(crate) fn iterators_of(&mut self, u: &User) -> Vec<(LoopId, Int<'c>)> {
        self.instance(self.scop.stmt(u.stmt), &u.args).at
    }

    pub(crate) fn locate_write(&mut self, write: &Access) {
        match write.inst {
            Some(inst) => self.locate(self.host.values[inst.index()]),
            None => self.locate_region(),
        }
    }

    /// The values of some nodes of a statement's body in one instance.
    pub(crate) fn operands(
        &mut self,
        stmt: StmtId,
        args: &[Expr],
        nodes: &[NodeId],
    ) -> Vec<Value<'c>> {
        let stmt = self.scop.stmt(stmt);
        let mut instance = self.instance(stmt, args);
        nodes.iter().map(|n| self.node(&mut instance, *n)).collect()
    }

    pub(crate) fn instance<'s>(&mut self, stmt: &'s Stmt, args: &[Expr]) -> Instance<'s, 'c> {
        let args: Vec<Int<'c>> = args.iter().map(|a| self.expr(a)).collect();
        let holding = self.holding.iter().filter(|(s, _)| *s == stmt.id);
        let holding = holding.map(|(_, cond)| (*cond, self.ir.bool(true).into()));
        Instance {
            stmt,
            at: stmt.iters.iter().copied().zip(args).collect(),
            done: holding.collect(),
            needs: stmt.body.chooses().then(|| Needs::new(&stmt.body)),
            numbers: BTreeMap::new(),
            sides: 0,
        }
    }

    /// Makes some writes of a statement that writes under one condition, where that holds.
    fn conditional_writes(&mut self, instance: &mut Instance<'_, 'c>, writes: &[usize]) {
        let stmt = instance.stmt;
        let choice = |root: NodeId| stmt.body.node(root).choice().expect("a choice");
        let roots: Vec<[NodeId; 3]> = stmt.body.values().map(choice).collect();
        let chosen: Vec<(usize, NodeId)> = writes.iter().map(|n| (*n, roots[*n][1])).collect();
        self.where_it_holds(instance, roots[0][0], |e, instance| {
            e.make_writes(instance, &chosen, &[]);
        });
    }

    pub(crate) fn node(&mut self, instance: &mut Instance<'_, 'c>, id: NodeId) -> Value<'c> {
        if let Some(v) = instance.done.get(&id) {
            return *v;
        }
        let node = instance.stmt.body.node(id);
        if node.choice().is_some() {
            self.choose_together(instance, &[id]);
            return instance.done[&id];
        }
        let number = self.value_number(instance, id);
        if let Some(value) = self.computed(number) {
            instance.done.insert(id, value);
            return value;
        }
        let value = match &node.kind {
            NodeKind::Read(access) => self.read(&instance.stmt.accesses[*access], &instance.at),
            NodeKind::Invariant(v) => self.get(Key::Invariant(*v)),
            NodeKind::Bits(bits) => self.bits(node.ty, *bits),
            NodeKind::Index(scev) => self.evolve(scev, &instance.at).into(),
            NodeKind::Op { inst, op, args } => {
                let args: Vec<Value<'c>> = args.iter().map(|a| self.node(instance, *a)).collect();
                self.clone_op((op, *inst), &args)
            }
        };
        instance.done.insert(id, value);
        self.keep_common(instance, number, value);
        value
    }

    /// The number of what makes a node, if statements in a row are emitted.
    pub(crate) fn value_number(
        &mut self,
        instance: &mut Instance<'_, 'c>,
        id: NodeId,
    ) -> Option<Number> {
        self.common.as_ref()?;
        if let Some(known) = instance.numbers.get(&id) {
            return Some(*known);
        }
        let node = instance.stmt.body.node(id);
        let done = instance.done.get(&id).copied();
        let shape = match &node.kind {
            _ if done.is_some() => Shape::value(done?),
            NodeKind::Read(access) => self.common.as_ref()?.read(*access),
            NodeKind::Invariant(v) => Shape::Invariant(*v),
            NodeKind::Bits(bits) => Shape::Bits(node.ty, *bits),
            NodeKind::Index(scev) => Shape::index(scev, &instance.at),
            NodeKind::Op { inst, op, args } => {
                let args = args.iter().map(|a| self.value_number(instance, *a));
                Shape::Op(*inst, op.clone(), args.collect::<Option<_>>()?)
            }
        };
        let number = self.common.as_mut()?.number(shape);
        instance.numbers.insert(id, number);
        Some(number)
    }

    /// A value that a statement in front has computed.
    pub(crate) fn computed(&self, number: Option<Number>) -> Option<Value<'c>> {
        self.common.as_ref()?.get(number?)
    }

    /// Keeps a value for the statements that follow, unless it is known on one side of a choice only.
    pub(crate) fn keep_common(
        &mut self,
        instance: &Instance<'_, 'c>,
        number: Option<Number>,
        value: Value<'c>,
    ) {
        if let (Some(common), Some(number), 0) = (&mut self.common, number, instance.sides) {
            common.keep(number, value);
        }
    }

    /// A constant by its bits.
    pub(crate) fn bits(&self, ty: Ty, bits: u64) -> Value<'c> {
        match ty {
            Ty::Int(w) => self.ir.int_type(w).const_int(bits, false).into(),
            Ty::Float(w) => {
                let raw = self.ir.int_type(w).const_int(bits, false);
                self.ir.bitcast(
                    raw.into(),
                    self.plain_type(ty).expect("checked before emission"),
                )
            }
            Ty::Ptr => (self.ir).int_to_ptr(self.ir.int(bits as i64)).into(),
            Ty::Other(_) => unreachable!("checked before emission"),
        }
    }

    /// A clone of an instruction with other operands.
    pub(crate) fn clone_op(
        &mut self,
        (op, id): (&OpCode, ValueId),
        args: &[Value<'c>],
    ) -> Value<'c> {
        let origin = self.host.values[id.index()];
        if let (OpCode::Select, [cond, then, els]) = (op, args) {
            // The instruction behind a choice may be the bit that a branch asks for.
            let own =
                is_select(origin) && unsafe { LLVMTypeOf(origin) } == then.get_type().as_type_ref();
            if !own {
                return self.ir.select(cond.into_int_value(), *then, *els);
            }
        }
        if let (Some(name), [a, b]) = (extremum(op), args) {
            return self
                .ir
                .minmax(name, a.into_int_value(), b.into_int_value())
                .into();
        }
        if let Some(root) = self.root_operation((op, id), args) {
            return root;
        }
        let clone = unsafe { InstructionValue::new(LLVMInstructionClone(origin)) };
        self.ir.builder.insert_instruction(&clone, None);
        for (i, arg) in args.iter().enumerate() {
            unsafe { LLVMSetOperand(clone.as_value_ref(), i as u32, arg.as_value_ref()) };
        }
        for kind in [
            self.kinds.alias_scope,
            self.kinds.noalias,
            self.kinds.access_group,
        ] {
            self.nodes.detach(clone, kind);
        }
        if op.gathers() {
            self.mark_gather(clone);
        }
        self.locate_clone(clone, origin);
        unsafe { Value::new(clone.as_value_ref()) }
    }

    /// The LLVM type of a plain value.
    pub(crate) fn plain_type(&self, ty: Ty) -> Option<BasicTypeEnum<'c>> {
        let ctx = &self.ir.ctx;
        Some(match ty {
            Ty::Int(w) => self.ir.int_type(w).into(),
            Ty::Float(16) => ctx.f16_type().into(),
            Ty::Float(32) => ctx.f32_type().into(),
            Ty::Float(64) => ctx.f64_type().into(),
            Ty::Ptr => self.ir.ptr_type(),
            Ty::Float(_) | Ty::Other(_) => return None,
        })
    }
}

/// The value as an instruction.
pub(crate) fn instruction<'c>(v: impl BasicValue<'c>) -> InstructionValue<'c> {
    v.as_instruction_value()
        .expect("the builder made an instruction")
}
