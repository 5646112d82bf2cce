//! How many threads a team gets.
//!
//! ```text
//!   threads():  no runtime, inside of a parallel region, or OMP_NUM_THREADS is 1?  1
//!               n = min(omp_get_max_threads(), omp_get_thread_limit(), omp_get_num_procs())
//!               n > 1 and able(n) ? n : 1
//! ```
//!
//! More threads than processors only take turns (a thousand on two took 46 seconds for what takes 0.05). A team that the limit of
//! threads does not allow would be smaller all the same, after a warning of the runtime on the user's terminal.
//!
//! Where a thread cannot be created (a limit on processes or memory), the runtime ends the program, and a program that
//! does not know that it has threads must not end so. Nobody can ask whether one can be created but by creating it. So
//! the first fork of a module tries as many as it wants, each created by the one before, all at the same time:
//!
//! ```text
//!   probe(k):  k == 0: null;  create a thread with probe(k - 1)?  join it, and return what it returns : something
//! ```
//!
//! (30 us for one thread, once.)

use super::{Arg, Result_};
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Func, Int, Ptr, ptr_param};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::values::BasicMetadataValueEnum;

/// Whether threads can be created, as far as a module has found out.
const ABLE: &str = "polytile.able";
/// Not tried yet.
const UNKNOWN: i64 = 0;
const YES: i64 = 1;
const NO: i64 = 2;

/// Arguments of `pthread_create` and `pthread_join`; a thread has 64 bits.
const CREATE: [Arg; 4] = [Arg::Ptr, Arg::Ptr, Arg::Ptr, Arg::Ptr];
const JOIN: [Arg; 2] = [Arg::I64, Arg::Ptr];

impl<'c> Emitter<'_, 'c> {
    /// How many threads a team of this region gets.
    pub(crate) fn threads(&mut self) -> Int<'c> {
        if self
            .frames
            .iter()
            .any(|f| f.values.contains_key(&Key::Threads))
        {
            return self.get(Key::Threads).into_int_value();
        }
        let name = "polytile.threads";
        let f = match self.ir.module().get_function(name) {
            Some(f) => f,
            None => self.without_arguments(name, Result_::I64, Self::threads_body),
        };
        let count = self.ir.call(f, &[]).expect("returns i64");
        count.into_int_value()
    }

    /// The same, known from here on in the whole region.
    pub(crate) fn fix_threads(&mut self) -> Int<'c> {
        let count = self.threads();
        self.set(Key::Threads, count);
        count
    }

    /// The next team is no larger than this.
    pub(super) fn limit_team(&mut self, ident: Ptr<'c>, count: Int<'c>) {
        let number = self.runtime("__kmpc_global_thread_num", &[Arg::Ptr], Result_::I32, false);
        let types = [Arg::Ptr, Arg::I32, Arg::I32];
        let push = self.runtime("__kmpc_push_num_threads", &types, Result_::None, false);
        let thread = self.ir.call(number, &[ident.into()]).expect("returns i32");
        let thread = thread.into_int_value();
        let count = self.ir.trunc(count, 32);
        self.ir
            .call(push, &[ident.into(), thread.into(), count.into()]);
    }

    /// An internal function without arguments, one per module.
    fn without_arguments(
        &mut self,
        name: &str,
        result: Result_,
        body: fn(&mut Self, Func<'c>),
    ) -> Func<'c> {
        let saved = self.ir.here();
        let f = self.add_function_named(name, &[], result);
        f.add_attribute(AttributeLoc::Function, self.ir.attribute("noinline"));
        let entry = self.ir.block(f, "entry");
        self.ir.at_end(entry);
        self.no_position();
        body(self, f);
        self.ir.at_end(saved);
        self.locate_region();
        f
    }

    fn threads_body(&mut self, f: Func<'c>) {
        let [ask, several, limits, try_, many, one] =
            ["ask", "several", "limits", "try", "many", "one"].map(|n| self.ir.block(f, n));
        let (single, zero) = (self.ir.int(1), self.ir.int(0));
        let names = [
            "omp_get_max_threads",
            "omp_in_parallel",
            "omp_get_thread_limit",
            "omp_get_num_procs",
        ];
        let [max, inside, limit, processors] =
            names.map(|n| self.runtime(n, &[], Result_::I32, false));
        let fork = self.runtime("__kmpc_fork_call", super::FORK, Result_::None, true);
        let mut there = self.exists(fork);
        for f in [max, inside, limit, processors] {
            let exists = self.exists(f);
            there = self.ir.and(there, exists);
        }
        self.ir.branch(there, ask, one);
        let answer = |e: &Self, f| {
            let answer = e.ir.call(f, &[]).expect("returns i32");
            e.ir.sext(answer.into_int_value(), 64)
        };
        self.ir.at_end(ask);
        let most = answer(self, max);
        let any = self.ir.cmp(IntPredicate::SGT, most, single);
        self.ir.branch(any, several, one);
        self.ir.at_end(several);
        let inside = answer(self, inside);
        let outside = self.ir.cmp(IntPredicate::EQ, inside, zero);
        self.ir.branch(outside, limits, one);
        self.ir.at_end(limits);
        let mut count = self.ir.minmax("llvm.smin", most, answer(self, limit));
        if !self.options.oversubscribe {
            count = self.ir.minmax("llvm.smin", count, answer(self, processors));
        }
        let any = self.ir.cmp(IntPredicate::SGT, count, single);
        self.ir.branch(any, try_, one);
        self.ir.at_end(try_);
        let able = self.able(f, count);
        self.ir.branch(able, many, one);
        self.ir.at_end(many);
        self.ir.ret_value(count);
        self.ir.at_end(one);
        self.ir.ret_value(single);
    }

    /// Whether so many threads can exist: tried at the first time.
    fn able(&mut self, f: Func<'c>, count: Int<'c>) -> Int<'c> {
        let [check, attempt, known] = ["check", "attempt", "known"].map(|n| self.ir.block(f, n));
        let place = self.word(ABLE);
        let create = self.runtime("pthread_create", &CREATE, Result_::I32, false);
        let join = self.runtime("pthread_join", &JOIN, Result_::I32, false);
        let state = self.ir.load_relaxed(place);
        let unknown = self.ir.cmp(IntPredicate::EQ, state, self.ir.int(UNKNOWN));
        let before = self.ir.here();
        self.ir.branch(unknown, check, known);
        self.ir.at_end(check);
        let (creates, joins) = (self.exists(create), self.exists(join));
        let may = self.ir.and(creates, joins);
        self.ir.branch(may, attempt, known);
        self.ir.at_end(attempt);
        let probe = self.probe(create, join);
        let others = self.ir.sub(count, self.ir.int(1), Arith::Bounded);
        let others = self.ir.int_to_ptr(others);
        let failed = self.ir.call(probe, &[others.into()]).expect("a pointer");
        let failed = self.ir.ptr_to_int(failed.into_pointer_value());
        let fine = self.ir.cmp(IntPredicate::EQ, failed, self.ir.int(0));
        let (yes, no) = (self.ir.int(YES), self.ir.int(NO));
        let found = self.ir.select(fine, yes, no).into_int_value();
        self.ir.store_relaxed(place, found);
        self.ir.jump(known);
        self.ir.at_end(known);
        let result = self.ir.phi(self.ir.i64(), "state");
        result.add_incoming(&[(&state, before), (&yes, check), (&found, attempt)]);
        let result = result.as_basic_value().into_int_value();
        self.ir.cmp(IntPredicate::NE, result, no)
    }

    /// `probe(k)`: null if `k` threads more can exist at the same time.
    fn probe(&mut self, create: Func<'c>, join: Func<'c>) -> Func<'c> {
        let saved = self.ir.here();
        let f = self.add_function_named("polytile.probe", &[Arg::Ptr], Result_::Ptr);
        let [entry, one_more, created, end] =
            ["entry", "more", "created", "end"].map(|n| self.ir.block(f, n));
        self.ir.at_end(entry);
        self.no_position();
        let (thread, told) = (
            self.ir.alloca(f, self.ir.i64(), "thread"),
            self.ir.alloca(f, self.ir.i64(), "told"),
        );
        let (zero, one) = (self.ir.int(0), self.ir.int(1));
        let wanted = self.ir.ptr_to_int(ptr_param(f, 0));
        let more = self.ir.cmp(IntPredicate::NE, wanted, zero);
        self.ir.branch(more, one_more, end);
        self.ir.at_end(one_more);
        let less = self.ir.sub(wanted, one, Arith::Wrapping);
        let less = self.ir.int_to_ptr(less);
        let itself = f.as_global_value().as_pointer_value();
        let none = self.ir.null();
        let args = [thread.into(), none.into(), itself.into(), less.into()];
        let failed = self.call_as(create, &CREATE, &args);
        let failed = self.ir.sext(failed, 64);
        let fine = self.ir.cmp(IntPredicate::EQ, failed, zero);
        self.ir.branch(fine, created, end);
        self.ir.at_end(created);
        self.ir.store(told, one);
        let id = self.ir.load(self.ir.i64().into(), thread);
        self.call_as(join, &JOIN, &[id.into(), told.into()]);
        let result = self.ir.load(self.ir.i64().into(), told).into_int_value();
        self.ir.jump(end);
        self.ir.at_end(end);
        let all = self.ir.phi(self.ir.i64(), "failed");
        all.add_incoming(&[(&zero, entry), (&failed, one_more), (&result, created)]);
        let all = self.ir.int_to_ptr(all.as_basic_value().into_int_value());
        self.ir.ret_value(all);
        self.ir.at_end(saved);
        f
    }

    /// Calls a function with these arguments, however the module has declared it: a thread is a number for some systems and
    /// a pointer for others.
    fn call_as(&self, f: Func<'c>, types: &[Arg], args: &[BasicMetadataValueEnum<'c>]) -> Int<'c> {
        let ty = self.signature(types, Result_::I32, false);
        let address = f.as_global_value().as_pointer_value();
        let call = self.ir.builder.build_indirect_call(ty, address, args, "");
        let result = call.expect("builder misuse").try_as_basic_value();
        result.expect_basic("returns i32").into_int_value()
    }

    /// A word of the module that is zero at first.
    fn word(&self, name: &str) -> Ptr<'c> {
        if let Some(g) = self.ir.module().get_global(name) {
            return g.as_pointer_value();
        }
        let word = self.ir.module().add_global(self.ir.i64(), None, name);
        word.set_initializer(&self.ir.int(0));
        word.set_linkage(Linkage::Internal);
        word.as_pointer_value()
    }
}
