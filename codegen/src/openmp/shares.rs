//! Which iterations of a parallel loop a thread runs: the *task* asks the runtime.
//!
//! Static shares are equal contiguous parts, one a thread, from `__kmpc_for_static_init_8`. Dynamic shares are chunks that
//! `__kmpc_dispatch_next_8` hands out until none is left.

use super::{Arg, FIRST, LAST, Result_, STEP};
use crate::emit::Emitter;
use crate::ir::{Func, Int, Ptr, ptr_param};
use crate::loops::Range;
use inkwell::IntPredicate;
use polytile_analysis::tree::Distribution;

/// `kmp_sch_static`: equal contiguous parts.
const SCHEDULE_STATIC: u64 = 34;
/// `kmp_sch_dynamic_chunked` with the nonmonotonic modifier.
const SCHEDULE_DYNAMIC: u64 = 35 | 1 << 30;

impl<'c> Emitter<'_, 'c> {
    /// The function that every thread runs.
    pub(super) fn task(&mut self, part: Func<'c>, distribution: Distribution) -> Func<'c> {
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
