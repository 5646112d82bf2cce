//! How much work was done: the same number on every machine, and limits on it.
//!
//! A time limit would make the generated code depend on the machine and on what else runs there. So every [`Ctx`] counts
//! *units of work*: one for each elementary operation that isl counts (a pivot of a tableau, an allocation), and what
//! algorithms outside of isl say they did ([`Ctx::spend`]). Limits are numbers of units:
//!
//! * the *budget* of the context ([`Ctx::set_budget`]): over it everything fails with [`Error::Budget`];
//! * *quotas* of parts of the work ([`Ctx::quota`]), which nest: over one everything fails with [`Error::Quota`] until the
//!   guard is dropped. What an inner part does counts for the outer ones too.
//!
//! isl knows a counter and a limit but does not tell the counter. [`Ctx::work`] finds it by trying limits: an operation
//! succeeds exactly if the counter is below the limit.

use std::cell::Cell;

use super::{Ctx, Error, Result, ffi};

/// What one context counts besides isl.
#[derive(Debug)]
pub(super) struct Meter {
    /// Units outside of isl.
    own: Cell<u64>,
    /// All units that the whole work may take.
    budget: Cell<u64>,
    /// The number of units at which the innermost quota ends.
    quota: Cell<u64>,
}

impl Meter {
    pub(super) fn new() -> Meter {
        Meter {
            own: Cell::new(0),
            budget: Cell::new(u64::MAX),
            quota: Cell::new(u64::MAX),
        }
    }

    fn limit(&self) -> u64 {
        self.budget.get().min(self.quota.get())
    }
}

impl Ctx {
    /// Units of work so far.
    pub fn work(&self) -> u64 {
        self.operations().saturating_add(self.meter().own.get())
    }

    /// The whole work, what is already done included, may take so many units.
    pub fn set_budget(&self, units: u64) {
        self.meter().budget.set(units);
        self.arm();
    }

    /// Counts work that is done outside of isl.
    pub fn spend(&self, units: u64) -> Result<()> {
        let own = &self.meter().own;
        own.set(own.get().saturating_add(units));
        self.arm();
        match self.exhausted() {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    /// Limits the work until the guard is dropped. Inside another guard, what is left there is the most.
    #[must_use = "the limit ends when the guard is dropped"]
    pub fn quota(&self, units: u64) -> QuotaGuard {
        let outer = self.meter().quota.get();
        let end = self.work().saturating_add(units);
        self.meter().quota.set(outer.min(end));
        self.arm();
        QuotaGuard {
            ctx: self.clone(),
            outer,
        }
    }

    /// The limit that is reached, if one is.
    pub(super) fn exhausted(&self) -> Option<Error> {
        let meter = self.meter();
        let over = meter.own.get() >= meter.limit() || !self.operation();
        self.forget_error();
        over.then(|| match meter.budget.get() <= meter.quota.get() {
            _ if self.stopped() => Error::Deadline,
            true => Error::Budget,
            false => Error::Quota,
        })
    }

    /// Tells isl how many operations are left for it.
    fn arm(&self) {
        let meter = self.meter();
        self.allow(meter.limit().saturating_sub(meter.own.get()));
    }

    /// Lets isl do operations until there were `max` of them in all.
    fn allow(&self, max: u64) {
        // Zero would mean no limit. SAFETY: the context is alive.
        unsafe { ffi::isl_ctx_set_max_operations(self.as_ptr(), max.max(1)) }
    }

    /// One operation of isl; false if the limit does not allow it.
    fn operation(&self) -> bool {
        // SAFETY: the context is alive.
        unsafe { ffi::isl_ctx_next_operation(self.as_ptr()) >= 0 }
    }

    /// Operations of isl so far.
    fn operations(&self) -> u64 {
        // Operations made here so far; `low` is not above the counter at the beginning, `high` is.
        let mut made = 0;
        let mut below = |limit: u64| {
            self.allow(limit + made);
            let below = self.operation();
            made += u64::from(below);
            below
        };
        let mut high = 1;
        while !below(high) && high < u64::MAX / 4 {
            high *= 2;
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match below(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        self.forget_error();
        self.arm();
        low + made
    }
}

/// A limit on the work, in force while this value lives.
#[derive(Debug)]
pub struct QuotaGuard {
    ctx: Ctx,
    outer: u64,
}

impl Drop for QuotaGuard {
    fn drop(&mut self) {
        self.ctx.forget_error();
        self.ctx.meter().quota.set(self.outer);
        self.ctx.arm();
    }
}
