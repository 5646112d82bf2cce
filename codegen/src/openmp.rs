//! Parallel loops on the OpenMP runtime.
//!
//! The loop's body becomes a function over a part of the iterations, and the runtime's *task* deals out such parts:
//!
//! ```text
//!   part(first, last, context, own): loop over [first, last]; own: the thread's number in the team
//!   task(thread, own, context):  static:   bounds = __kmpc_for_static_init_8(...); part(bounds); fini
//!                                dynamic:  while __kmpc_dispatch_next_8(...): part(bounds)
//!   here:  enough work and a runtime? fork(task, context) : part(first, last, context, 0)
//! ```
//!
//! One thread and many run the same `part`, so the body exists once. The runtime's functions are weak: in a program
//! linked without an OpenMP runtime their addresses are null and the loop runs on one thread. The runtime itself obeys
//! `OMP_NUM_THREADS` and gives a caller that is already parallel a team of one. A parallel loop inside another is
//! sequential.
//!
//! The context block starts with the loop's range (`first`, `last`, `step`); captured values follow (module `frame`).

use crate::emit::Emitter;
use crate::frame::{Context, Frame, Key, SLOT};
use crate::ir::{Block, Func, Int, Ptr, int_param, ptr_param};
use crate::loops::Range;
use crate::metadata::{LoopCode, Scopes};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{AsValueRef, BasicValue};
use polytile_analysis::ast::{Expr, For, ForKind};
use polytile_analysis::tree::Distribution;

/// Offsets of the range in the context block.
const FIRST: u64 = 0;
const LAST: u64 = SLOT;
const STEP: u64 = 2 * SLOT;
/// Where captured values start.
const CAPTURES: u64 = 3 * SLOT;

/// `kmp_sch_static`: equal contiguous parts.
const SCHEDULE_STATIC: u64 = 34;
/// `kmp_sch_dynamic_chunked` with the nonmonotonic modifier.
const SCHEDULE_DYNAMIC: u64 = 35 | 1 << 30;
/// `KMP_IDENT_KMPC`: the caller is compiled code.
const IDENT_KMPC: u64 = 2;
/// The position that the runtime's tools show.
const IDENT_SOURCE: &str = ";unknown;unknown;0;0;;";
const IDENT_NAME: &str = "polytile.ident";

/// Function attributes that describe the code of one function and not of what is outlined from it.
const NOT_INHERITED: [&str; 20] = [
    "memory",
    "noreturn",
    "willreturn",
    "norecurse",
    "nosync",
    "nofree",
    "speculatable",
    "convergent",
    "optnone",
    "noinline",
    "alwaysinline",
    "inlinehint",
    "hot",
    "cold",
    "naked",
    "returns_twice",
    "allocsize",
    "allockind",
    "presplitcoroutine",
    "jumptable",
];

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a parallel loop over `range`.
    pub(crate) fn parallel_loop(
        &mut self,
        l: &For,
        range: Range<'c>,
        distribution: Distribution,
        worth: Option<&Expr>,
    ) {
        let outer = self.frame().function;
        self.no_longer_local();
        let part = self.outline(l);
        let task = self.task(part.function, distribution);
        let done = self.ir.block(outer, "polytile.joined");
        let nonempty = self.ir.block(outer, "polytile.parallel");
        self.locate_region();
        let entered = self.ir.cmp(IntPredicate::SLE, range.first, range.last);
        self.ir.branch(entered, nonempty, done);
        self.ir.at_end(nonempty);
        let context = self.fill_context(&part, range);
        let alone = self.fork(task, context, worth, done, |_| {});
        self.ir.at_end(alone);
        self.ir.call(
            part.function,
            &[
                range.first.into(),
                range.last.into(),
                context.into(),
                self.ir.int(0).into(),
            ],
        );
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// Forks where there is a runtime and enough work, after what `prepare` emits, and goes on at `done`; the block in
    /// which one thread does it all.
    pub(crate) fn fork(
        &mut self,
        task: Func<'c>,
        context: Ptr<'c>,
        worth: Option<&Expr>,
        done: Block<'c>,
        prepare: impl FnOnce(&mut Self),
    ) -> Block<'c> {
        let outer = self.frame().function;
        let fork = self.runtime(
            "__kmpc_fork_call",
            &[Arg::Ptr, Arg::I32, Arg::Ptr],
            Result_::None,
            true,
        );
        let mut many = self.exists(fork);
        if let Some(worth) = worth {
            let worth = self.cond(worth);
            many = self.ir.and(worth, many);
        }
        let (forked, alone) = (
            self.ir.block(outer, "polytile.fork"),
            self.ir.block(outer, "polytile.alone"),
        );
        self.ir.branch(many, forked, alone);
        self.ir.at_end(forked);
        prepare(self);
        let one = self.i32(1);
        let ident = self.ident();
        let task = task.as_global_value().as_pointer_value();
        self.ir.call(
            fork,
            &[ident.into(), one.into(), task.into(), context.into()],
        );
        self.ir.jump(done);
        alone
    }

    /// Emits the body as a function over a part of the iterations; its frame is finished.
    fn outline(&mut self, l: &For) -> Frame<'c> {
        let args = [Arg::I64, Arg::I64, Arg::Ptr, Arg::I64];
        self.outlined("part", &args, |e, function| {
            let word = |i| int_param(function, i);
            let (first, last) = (word(0), word(1));
            e.set(Key::Thread, word(3));
            if let ForKind::Parallel { private, .. } = &l.kind {
                e.take_private(private);
            }
            let step = e.expr(&l.step);
            e.counted(
                Range { first, last, step },
                None,
                LoopCode::Scalars,
                |e, i| e.body(l.iter, i, &l.body),
            );
        })
    }

    /// A function of its own whose third argument is a context block; its frame is finished.
    pub(crate) fn outlined(
        &mut self,
        role: &str,
        args: &[Arg],
        code: impl FnOnce(&mut Self, Func<'c>),
    ) -> Frame<'c> {
        let saved = self.ir.here();
        let function = self.add_function(role, args);
        let entry = self.ir.block(function, "entry");
        let body = self.ir.block(function, "body");
        self.ir.at_end(entry);
        self.no_position();
        self.ir.jump(body);
        let pointer = ptr_param(function, 2);
        let subprogram = self.subprogram(function);
        self.frames.push(Frame {
            function,
            values: Default::default(),
            context: Some(Context {
                pointer,
                entry,
                size: CAPTURES,
                slots: vec![],
            }),
            scopes: Scopes::new(self.nodes, self.scop, self.program.buffers.len()),
            subprogram,
            team: None,
            row: None,
        });
        let groups = std::mem::take(&mut self.groups);
        self.ir.at_end(body);
        self.locate_region();
        self.declare_scopes();
        code(self, function);
        self.ir.ret();
        self.groups = groups;
        let frame = self.frames.pop().expect("pushed above");
        self.ir.at_end(saved);
        self.locate_region();
        frame
    }

    /// Allocates and fills the context block of an outlined function.
    pub(crate) fn fill_context(&mut self, part: &Frame<'c>, range: Range<'c>) -> Ptr<'c> {
        let context = part
            .context
            .as_ref()
            .expect("outlined frames have a context");
        let words = self.ir.i64().array_type((context.size / SLOT) as u32);
        let outer = self.frame().function;
        let block = self.ir.alloca(outer, words, "polytile.context");
        for (offset, value) in [(FIRST, range.first), (LAST, range.last), (STEP, range.step)] {
            self.put(block, offset, value);
        }
        for (offset, key) in &context.slots {
            let value = self.get(*key);
            self.put(block, *offset, value);
        }
        block
    }

    fn put(&mut self, block: Ptr<'c>, offset: u64, value: impl BasicValue<'c>) {
        let place = self.ir.offset(block, self.ir.int(offset as i64));
        let store = self.ir.store(place, value);
        self.ir.align(store, SLOT as u32);
    }

    /// The function that every thread runs.
    fn task(&mut self, part: Func<'c>, distribution: Distribution) -> Func<'c> {
        let saved = self.ir.here();
        let task = self.add_function("task", &[Arg::Ptr, Arg::Ptr, Arg::Ptr]);
        let entry = self.ir.block(task, "entry");
        self.ir.at_end(entry);
        self.no_position();
        let param = |i| ptr_param(task, i);
        let context = param(2);
        let share = Share {
            part,
            task,
            context,
            thread: self.number(param(0)),
            own: {
                let own = self.number(param(1));
                self.ir.sext(own, 64)
            },
            range: Range {
                first: self.field(context, FIRST),
                last: self.field(context, LAST),
                step: self.field(context, STEP),
            },
        };
        match distribution {
            Distribution::Static => self.static_share(&share),
            Distribution::Dynamic { chunk } => self.dynamic_shares(&share, chunk),
            Distribution::Pipelined => unreachable!("pipelines are for teams"),
        }
        self.ir.at_end(saved);
        self.locate_region();
        task
    }

    /// The function that every thread of a team runs.
    pub(crate) fn team_task(&mut self, part: Func<'c>) -> Func<'c> {
        let saved = self.ir.here();
        let task = self.add_function("task", &[Arg::Ptr, Arg::Ptr, Arg::Ptr]);
        let entry = self.ir.block(task, "entry");
        self.ir.at_end(entry);
        self.no_position();
        let param = |i| ptr_param(task, i);
        let words = [self.number(param(0)), self.number(param(1))];
        let size = self.runtime("omp_get_num_threads", &[], Result_::I32, false);
        let count = self.ir.call(size, &[]).expect("returns i32");
        let [number, own, count] =
            [words[0], words[1], count.into_int_value()].map(|w| self.ir.sext(w, 64));
        let context = param(2);
        self.ir.call(
            part,
            &[own.into(), count.into(), context.into(), number.into()],
        );
        self.ir.ret();
        self.ir.at_end(saved);
        self.locate_region();
        task
    }

    /// The thread number that the runtime passes by address.
    fn number(&self, place: Ptr<'c>) -> Int<'c> {
        let ty = self.ir.ctx.i32_type();
        self.ir.load(ty.into(), place).into_int_value()
    }

    fn field(&self, context: Ptr<'c>, offset: u64) -> Int<'c> {
        let place = self.ir.offset(context, self.ir.int(offset as i64));
        self.ir.load(self.ir.i64().into(), place).into_int_value()
    }

    fn static_share(&mut self, s: &Share<'c>) {
        let slots = self.slots(s.task);
        self.ir.store(slots.first, s.range.first);
        self.ir.store(slots.last, s.range.last);
        self.ir.store(slots.stride, s.range.step);
        self.ir.store(slots.is_last, self.i32(0));
        let ptr = Arg::Ptr;
        let types = [
            ptr,
            Arg::I32,
            Arg::I32,
            ptr,
            ptr,
            ptr,
            ptr,
            Arg::I64,
            Arg::I64,
        ];
        let init = self.runtime("__kmpc_for_static_init_8", &types, Result_::None, false);
        let ident = self.ident();
        self.ir.call(
            init,
            &[
                ident.into(),
                s.thread.into(),
                self.i32(SCHEDULE_STATIC).into(),
                slots.is_last.into(),
                slots.first.into(),
                slots.last.into(),
                slots.stride.into(),
                s.range.step.into(),
                self.ir.int(1).into(),
            ],
        );
        let (first, mut last) = self.bounds_of(&slots);
        last = self.ir.minmax("llvm.smin", last, s.range.last);
        self.run_part(s, first, last);
        let fini = self.runtime(
            "__kmpc_for_static_fini",
            &[Arg::Ptr, Arg::I32],
            Result_::None,
            false,
        );
        self.ir.call(fini, &[ident.into(), s.thread.into()]);
        self.ir.ret();
    }

    fn dynamic_shares(&mut self, s: &Share<'c>, chunk: u32) {
        let slots = self.slots(s.task);
        let types = [
            Arg::Ptr,
            Arg::I32,
            Arg::I32,
            Arg::I64,
            Arg::I64,
            Arg::I64,
            Arg::I64,
        ];
        let init = self.runtime("__kmpc_dispatch_init_8", &types, Result_::None, false);
        let ident = self.ident();
        self.ir.call(
            init,
            &[
                ident.into(),
                s.thread.into(),
                self.i32(SCHEDULE_DYNAMIC).into(),
                s.range.first.into(),
                s.range.last.into(),
                s.range.step.into(),
                self.ir.int(i64::from(chunk.max(1))).into(),
            ],
        );
        let (next, run, done) = (
            self.ir.block(s.task, "next"),
            self.ir.block(s.task, "run"),
            self.ir.block(s.task, "done"),
        );
        self.ir.jump(next);
        self.ir.at_end(next);
        let types = [Arg::Ptr, Arg::I32, Arg::Ptr, Arg::Ptr, Arg::Ptr, Arg::Ptr];
        let fetch = self.runtime("__kmpc_dispatch_next_8", &types, Result_::I32, false);
        let args = [
            ident.into(),
            s.thread.into(),
            slots.is_last.into(),
            slots.first.into(),
            slots.last.into(),
            slots.stride.into(),
        ];
        let more = self
            .ir
            .call(fetch, &args)
            .expect("returns i32")
            .into_int_value();
        let more = self.ir.cmp(IntPredicate::NE, more, self.i32(0));
        self.ir.branch(more, run, done);
        self.ir.at_end(run);
        let (first, last) = self.bounds_of(&slots);
        self.run_part(s, first, last);
        self.ir.jump(next);
        self.ir.at_end(done);
        self.ir.ret();
    }

    fn run_part(&self, s: &Share<'c>, first: Int<'c>, last: Int<'c>) {
        let args = [first.into(), last.into(), s.context.into(), s.own.into()];
        self.ir.call(s.part, &args);
    }

    fn bounds_of(&self, slots: &Slots<'c>) -> (Int<'c>, Int<'c>) {
        let load = |p| self.ir.load(self.ir.i64().into(), p).into_int_value();
        (load(slots.first), load(slots.last))
    }

    fn slots(&self, task: Func<'c>) -> Slots<'c> {
        Slots {
            is_last: self.ir.alloca(task, self.ir.ctx.i32_type(), "is_last"),
            first: self.ir.alloca(task, self.ir.i64(), "first"),
            last: self.ir.alloca(task, self.ir.i64(), "last"),
            stride: self.ir.alloca(task, self.ir.i64(), "stride"),
        }
    }

    fn i32(&self, v: u64) -> Int<'c> {
        self.ir.ctx.i32_type().const_int(v, false)
    }

    /// A runtime function: declared weak, so that the program links without the runtime.
    pub(crate) fn runtime(
        &mut self,
        name: &str,
        args: &[Arg],
        result: Result_,
        variadic: bool,
    ) -> Func<'c> {
        let ty = self.signature(args, result, variadic);
        self.ir.declare(name, ty, Linkage::ExternalWeak)
    }

    /// Whether a weak function is there.
    pub(crate) fn exists(&self, f: Func<'c>) -> Int<'c> {
        let address = f.as_global_value().as_pointer_value();
        let cmp = unsafe {
            llvm_sys::core::LLVMBuildICmp(
                self.ir.builder.as_mut_ptr(),
                llvm_sys::LLVMIntPredicate::LLVMIntNE,
                address.as_value_ref(),
                self.ir.null().as_value_ref(),
                c"".as_ptr(),
            )
        };
        unsafe { Int::new(cmp) }
    }

    fn signature(&self, args: &[Arg], result: Result_, variadic: bool) -> FunctionType<'c> {
        let args: Vec<BasicMetadataTypeEnum<'c>> = args
            .iter()
            .map(|a| match a {
                Arg::Ptr => self.ir.ptr_type().into(),
                Arg::I32 => self.ir.ctx.i32_type().into(),
                Arg::I64 => self.ir.i64().into(),
            })
            .collect();
        match result {
            Result_::None => self.ir.ctx.void_type().fn_type(&args, variadic),
            Result_::I32 => self.ir.ctx.i32_type().fn_type(&args, variadic),
            Result_::I64 => self.ir.i64().fn_type(&args, variadic),
        }
    }

    /// A new internal function with the code generation attributes of the host's function.
    fn add_function(&mut self, role: &str, args: &[Arg]) -> Func<'c> {
        let host = self.frames[0].function;
        let name = format!("{}.polytile.{role}", host.get_name().to_string_lossy());
        let f = self.add_function_named(&name, args, Result_::None);
        f.add_attribute(AttributeLoc::Param(2), self.ir.attribute("noalias"));
        f
    }

    /// The same with a name of its own and a result.
    pub(crate) fn add_function_named(
        &mut self,
        name: &str,
        args: &[Arg],
        result: Result_,
    ) -> Func<'c> {
        let host = self.frames[0].function;
        let ty = self.signature(args, result, false);
        let f = self
            .ir
            .module()
            .add_function(name, ty, Some(Linkage::Internal));
        let banned = NOT_INHERITED.map(inkwell::attributes::Attribute::get_named_enum_kind_id);
        for a in host.attributes(AttributeLoc::Function) {
            if a.is_string() || (a.is_enum() && !banned.contains(&a.get_enum_kind_id())) {
                f.add_attribute(AttributeLoc::Function, a);
            }
        }
        f.add_attribute(AttributeLoc::Function, self.ir.attribute("nounwind"));
        f
    }

    /// The source position that the runtime is given: one constant per module.
    pub(crate) fn ident(&mut self) -> Ptr<'c> {
        if let Some(g) = self.ir.module().get_global(IDENT_NAME) {
            return g.as_pointer_value();
        }
        let ctx = &self.ir.ctx;
        let text = ctx.const_string(IDENT_SOURCE.as_bytes(), true);
        let source = self
            .ir
            .module()
            .add_global(text.get_type(), None, "polytile.source");
        source.set_initializer(&text);
        let word = |v| self.i32(v).into();
        let fields = [
            word(0),
            word(IDENT_KMPC),
            word(0),
            word(IDENT_SOURCE.len() as u64),
            source.as_pointer_value().into(),
        ];
        let value = ctx.const_struct(&fields, false);
        let ident = self
            .ir
            .module()
            .add_global(value.get_type(), None, IDENT_NAME);
        ident.set_initializer(&value);
        for g in [source, ident] {
            g.set_constant(true);
            g.set_linkage(Linkage::Private);
            g.set_unnamed_address(inkwell::values::UnnamedAddress::Global);
        }
        ident.set_alignment(SLOT as u32);
        ident.as_pointer_value()
    }
}

/// Argument types of runtime functions.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Ptr,
    I32,
    I64,
}

/// Result types of runtime functions.
#[derive(Clone, Copy)]
pub(crate) enum Result_ {
    None,
    I32,
    I64,
}

/// What a task works on.
struct Share<'c> {
    part: Func<'c>,
    task: Func<'c>,
    context: Ptr<'c>,
    /// The thread's number for the runtime.
    thread: Int<'c>,
    /// Its number in the team.
    own: Int<'c>,
    range: Range<'c>,
}

/// Where the runtime writes a thread's share.
struct Slots<'c> {
    is_last: Ptr<'c>,
    first: Ptr<'c>,
    last: Ptr<'c>,
    stride: Ptr<'c>,
}
