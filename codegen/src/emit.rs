//! The emitter: what all parts of code generation share.

use crate::by_table::by_table;
use crate::common::Common;
use crate::error::EmitError;
use crate::frame::Frame;
use crate::host::{EmitOptions, Host};
use crate::ir::{Arith, Func, Ir, Value};
use crate::measured::Measured;
use crate::metadata::{Kinds, Nodes, Scopes};
use crate::precheck::{self, Plan};
use crate::report::{Refusal, Report};
use crate::roots::Roots;
use crate::strips::Strips;
use llvm_sys::prelude::LLVMMetadataRef;
use polytile_analysis::ast::{Ast, IterId, LanePanel, Program};
use polytile_analysis::ids::{ArrayId, NodeId, StmtId};
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// What is being emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The condition in front of the new version: nothing is known about any value.
    Check,
    /// The new version: everything that was checked holds.
    Run,
}

/// Code generation for one region.
pub(crate) struct Emitter<'e, 'c> {
    pub(crate) ir: Ir<'c>,
    pub(crate) host: &'e Host<'e>,
    pub(crate) options: &'e EmitOptions,
    pub(crate) scop: &'e Scop,
    pub(crate) program: &'e Program,
    pub(crate) nodes: Nodes,
    pub(crate) kinds: Kinds,
    /// Functions under construction: the host's, the new version, and those of parallel loops.
    pub(crate) frames: Vec<Frame<'c>>,
    /// Panels of the lanes that are being emitted.
    pub(crate) panels: Vec<LanePanel>,
    /// The iterator of the vector loop around the current place.
    pub(crate) along: Option<IterId>,
    /// Access groups of the vector loops around the current place.
    pub(crate) groups: Vec<LLVMMetadataRef>,
    pub(crate) phase: Phase,
    /// Where the new version gives up.
    pub(crate) refusal: Option<Refusal<'c>>,
    /// Whether rows behind pointers are found by their entries in tables.
    pub(crate) by_table: bool,
    /// Whether addresses are computed for rows that may not exist.
    pub(crate) at_rim: bool,
    /// How the choice between the versions is measured.
    pub(crate) measured: Option<Measured<'c>>,
    /// What the program tells of its runs.
    pub(crate) report: Option<Report<'c>>,
    /// The values written last to temporary arrays without memory.
    pub(crate) handed: BTreeMap<ArrayId, Value<'c>>,
    /// The loop in strips around the current place.
    pub(crate) strips: Option<Strips<'c>>,
    /// Conditions of statements that hold around the current place.
    pub(crate) holding: Vec<(StmtId, NodeId)>,
    /// Square roots of the loop in which they are operations.
    pub(crate) roots: Option<Roots<'c>>,
    /// What the statements in a row that are being emitted have in common.
    pub(crate) common: Option<Common<'c>>,
    /// How sums of expressions are computed in this phase.
    pub(crate) arith: Arith,
    /// Position of the loops as a whole; null without debug information.
    pub(crate) position: LLVMMetadataRef,
}

/// Whether [`emit`] can emit `program`; nothing changes.
///
/// # Errors
/// Whatever cannot be expressed; see [`EmitError`].
pub fn check(program: &Program, scop: &Scop, host: &Host<'_>) -> Result<(), EmitError> {
    precheck::plan(program, scop, host).map(drop)
}

/// Emits `program` beside the region that `scop` was made from, and the run-time choice between both.
///
/// Nothing changes if the result is an error. A program linked without an OpenMP runtime runs parallel loops on one
/// thread.
///
/// # Errors
/// Whatever cannot be expressed; see [`EmitError`].
pub fn emit(
    program: &Program,
    scop: &Scop,
    host: &Host<'_>,
    options: &EmitOptions,
) -> Result<(), EmitError> {
    let plan = precheck::plan(program, scop, host)?;
    let mut emitter = Emitter::new(program, scop, host, options);
    emitter.version(&plan);
    Ok(())
}

impl<'e, 'c> Emitter<'e, 'c> {
    fn new(
        program: &'e Program,
        scop: &'e Scop,
        host: &'e Host<'e>,
        options: &'e EmitOptions,
    ) -> Emitter<'e, 'c> {
        let ir = unsafe { Ir::new(host.module) };
        let nodes = Nodes(ir.ctx.raw());
        let function = unsafe { Func::new(host.function) }.expect("the host gives a function");
        let frame = Frame {
            function,
            values: Default::default(),
            inputs: None,
            context: None,
            scopes: Scopes::new(nodes, scop, program.buffers.len()),
            subprogram: None,
            team: None,
            row: None,
        };
        let mut emitter = Emitter {
            kinds: Kinds::new(ir.ctx.raw()),
            ir,
            host,
            options,
            scop,
            program,
            nodes,
            frames: vec![frame],
            panels: vec![],
            along: None,
            groups: vec![],
            phase: Phase::Check,
            refusal: None,
            by_table: by_table(program, scop),
            at_rim: false,
            measured: None,
            report: None,
            handed: BTreeMap::new(),
            strips: None,
            holding: vec![],
            roots: None,
            common: None,
            arith: Arith::Wrapping,
            position: std::ptr::null_mut(),
        };
        emitter.position = emitter.region_position();
        emitter
    }

    fn version(&mut self, plan: &Plan<'c>) {
        self.enough_work();
        let (callee, outs) = self.new_version(plan);
        self.choose(plan, &callee, &outs);
    }

    /// Emits a loop program at the builder's place.
    pub(crate) fn ast(&mut self, ast: &Ast) {
        if let Some(team) = self.frame().team {
            return self.by_team(team, ast);
        }
        match ast {
            Ast::For(l) => self.loop_(l),
            Ast::Block(list) => self.block(list),
            Ast::User(u) => self.user(u),
            Ast::If { cond, then, els } => self.conditional(cond, then, els.as_deref()),
            Ast::MicroKernel(m) => self.micro_kernel(m),
            Ast::Pack(p) => self.pack(p),
        }
    }
}
