//! The instructions and terminators of a region's blocks.

use super::accesses::{Bases, needs};
use super::gathers::{self, Gather};
use super::graph::Graph;
use super::opcode::opcode;
use super::refusal::{Blame, Refusal};
use super::values::Table;
use crate::ffi::Effect;
use crate::llvm::{self, Block, Value};
use crate::reason::{Kind, Reason};
use llvm_sys::core::{LLVMGetValueKind, LLVMTypeOf};
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use polytile_analysis::region::{BlockIn, Cond, Inst, InstKind, OpCode, Target, Terminator};

/// The instructions of a block.
pub fn instructions(
    table: &mut Table<'_>,
    (bases, gathers): (&mut Bases, &mut Vec<Gather>),
    b: Block,
) -> Result<Vec<Inst>, Refusal> {
    let mut list = vec![];
    for inst in b.instructions() {
        if let Some(kind) = kind(table, (bases, gathers), inst)? {
            let id = table.id(inst);
            let loc = inst.loc();
            list.push(Inst { id, kind, loc });
        }
    }
    Ok(list)
}

fn kind(
    table: &mut Table<'_>,
    (bases, gathers): (&mut Bases, &mut Vec<Gather>),
    inst: Value,
) -> Result<Option<InstKind>, Refusal> {
    let ty = |table: &Table<'_>, v: Value| llvm::ty(table.layout, unsafe { LLVMTypeOf(v.0) });
    Ok(Some(match inst.effect() {
        Effect::Load | Effect::Phi if table.unused.contains(&inst) => return Ok(None),
        Effect::Load => match bases.address(table, inst, inst.operand(0)) {
            Ok(addr) => InstKind::Load {
                addr,
                ty: ty(table, inst),
            },
            Err(refusal) => {
                gathers.push(gathers::gather(table, inst, refusal)?);
                gathers::operation(table, inst)
            }
        },
        Effect::Store => InstKind::Store {
            addr: bases.address(table, inst, inst.operand(1))?,
            ty: ty(table, inst.operand(0)),
            value: table.id(inst.operand(0)),
        },
        Effect::Memset => InstKind::Memset {
            addr: bases.address(table, inst, inst.operand(0))?,
            len: length(table, inst)?,
            byte: table.id(inst.operand(1)),
        },
        Effect::Memcpy => InstKind::Memcpy {
            dst: bases.address(table, inst, inst.operand(0))?,
            src: bases.address(table, inst, inst.operand(1))?,
            len: length(table, inst)?,
        },
        Effect::Phi if inst.parent() == table.entry() => return Ok(None),
        Effect::Phi if is_index(table, inst) => InstKind::Index,
        Effect::Phi => InstKind::Phi(incoming(table, inst)),
        Effect::Pure if inst.is_ragged() => {
            gathers.extend(gathers::row(table, inst)?);
            operation(table, inst)
        }
        Effect::Pure if is_index(table, inst) => InstKind::Index,
        Effect::Pure => operation(table, inst),
        Effect::Ignore | Effect::Branch => return Ok(None),
        // Of a loop that is left early for where the function ends.
        Effect::Cut if inst.opcode() == LLVMOpcode::LLVMRet => {
            return Err(Refusal {
                blame: Blame::Region,
                reason: Reason::new(Kind::Exits, "the function may end in it"),
                at: Some(inst),
            });
        }
        Effect::Lifetime | Effect::Trap | Effect::Cut => unreachable!("cuts end regions"),
    }))
}

/// Length operand of a memory set or copy.
fn length(table: &mut Table<'_>, inst: Value) -> Result<polytile_analysis::scev::Scev, Refusal> {
    let len = table.scev(inst.operand(2), inst.parent());
    needs(
        table,
        &len,
        Kind::LoopBoundOnData,
        "the length of a memory operation depends on data",
    )?;
    Ok(len)
}

/// Whether the evolution says everything about a value.
fn is_index(table: &mut Table<'_>, inst: Value) -> bool {
    if inst.opcode() == LLVMOpcode::LLVMGetElementPtr {
        return true;
    }
    let id = table.id(inst);
    let scev = table.values[id.index()].scev.clone();
    scev.is_some_and(|s| table.is_closed(&s))
}

fn incoming(table: &mut Table<'_>, phi: Value) -> Vec<(BlockIn, polytile_analysis::ids::ValueId)> {
    let incoming = phi.incoming().into_iter();
    incoming
        .map(|(from, v)| {
            let side = table.block_id(from).map_or(BlockIn::Entry, BlockIn::Block);
            (side, table.id(v))
        })
        .collect()
}

fn operation(table: &mut Table<'_>, inst: Value) -> InstKind {
    let op = opcode(inst);
    let plain = |v: &Value| {
        let kind = unsafe { LLVMGetValueKind(v.0) };
        kind != LLVMValueKind::LLVMMetadataAsValueValueKind
            && kind != LLVMValueKind::LLVMBasicBlockValueKind
    };
    let operands = inst.operands();
    // An operand that is no value is part of the instruction and stays with it.
    let op = match operands.iter().all(plain) {
        true => op,
        false => OpCode::Other(inst.mnemonic()),
    };
    let operands = operands.into_iter().map(|v| table.id(v)).collect();
    InstKind::Op { op, operands }
}

/// How a block ends.
pub fn terminator(table: &mut Table<'_>, b: Block, exit: Block, graph: &Graph) -> Terminator {
    let t = b.terminator();
    let succs = t.successors();
    let target = |table: &Table<'_>, to: Block| {
        let back = table.loop_around(b).and_then(|_| {
            let l = table.an.loop_of(to).filter(|l| l.header() == to)?;
            (l.latch() == b).then(|| table.loop_id(l)).flatten()
        });
        match (back, table.block_id(to)) {
            (Some(l), _) => Target::Back(l),
            (None, Some(id)) => Target::Block(id),
            (None, None) if to == exit => Target::Exit,
            (None, None) if graph.is_left(b, to) => Target::Trap,
            (None, None) => unreachable!("a region has one exit"),
        }
    };
    if t.opcode() == LLVMOpcode::LLVMInvoke {
        return Terminator::Jump(target(table, succs[0])); // of a block of memory that the new version has
    }
    match (t.condition(), succs.as_slice()) {
        (None, [to]) => Terminator::Jump(target(table, *to)),
        (Some(_), [then, els]) if then == els => Terminator::Jump(target(table, *then)),
        (Some(c), [then, els]) => {
            let cond: Cond = table.condition(c, b);
            Terminator::Branch {
                cond,
                bit: table.id(c),
                then: target(table, *then),
                els: target(table, *els),
            }
        }
        _ => unreachable!("other terminators are cuts"),
    }
}
