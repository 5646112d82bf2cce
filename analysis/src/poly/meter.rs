//! How much work was done: the same number on every machine, and limits on it.
//!
//! A time limit would make the generated code depend on the machine and on what else runs there. So every [`Ctx`] counts
//! *units of work*: one for each elementary operation that isl counts (a pivot of a tableau, an allocation), and what
//! algorithms outside of isl say they did ([`Ctx::spend`]). Limits are numbers of units:
//!
//! * the *budget* of the context ([`Ctx::set_budget`]): over it everything fails with [`Error::Budget`];
//! * *quotas* of parts of the work ([`Ctx::quota`]), which nest: over one everything fails with [`Error::Quota`] until the
//!   guard is dropped. What an inner part does counts for the outer ones too. Stages ask for a *share* of the budget
//!   ([`Ctx::share`]), so that a larger budget is larger for each of them.
//!
//! A pivot goes through all entries of a tableau, so an operation takes longer in a space of many dimensions: with ten, 0.1 to
//! 0.5 microseconds, with sixty, 15. An operation counts as many units as its space is larger than the usual one
//! ([`Ctx::weigh`]), and a budget means about the same time for every input.
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
    /// What shares are parts of.
    whole: Cell<u64>,
    /// Units of one operation of isl.
    weight: Cell<u64>,
    /// Units of isl's operations before the weight changed, less what they are counted for with the weight.
    lighter: Cell<u64>,
    /// Those of `lighter` that were made aside.
    aside: Cell<u64>,
}

/// What a budget is by default; shares of a context without one are parts of it.
pub const USUAL_BUDGET: u64 = 6_000_000;

/// Up to so many dimensions an operation is one unit.
const USUAL_DIMENSIONS: u64 = 12;

impl Meter {
    pub(super) fn new() -> Meter {
        Meter {
            own: Cell::new(0),
            budget: Cell::new(u64::MAX),
            quota: Cell::new(u64::MAX),
            whole: Cell::new(USUAL_BUDGET),
            weight: Cell::new(1),
            lighter: Cell::new(0),
            aside: Cell::new(0),
        }
    }

    fn limit(&self) -> u64 {
        self.budget.get().min(self.quota.get())
    }
}

impl Ctx {
    /// Units of work so far.
    pub fn work(&self) -> u64 {
        let meter = self.meter();
        let operations = self.operations().saturating_mul(meter.weight.get());
        (operations - meter.lighter.get()).saturating_add(meter.own.get())
    }

    /// The whole work, what is already done included, may take so many units.
    pub fn set_budget(&self, units: u64) {
        self.meter().budget.set(units);
        self.arm();
    }

    /// Units of the whole work that are left.
    pub fn left(&self) -> u64 {
        self.meter().budget.get().saturating_sub(self.work())
    }

    /// Units that may be done before a limit is reached: that of the whole work, or that of the innermost part.
    pub fn within_limits(&self) -> u64 {
        self.meter().limit().saturating_sub(self.work())
    }

    /// What [`Ctx::share`] takes parts of.
    pub fn set_whole(&self, units: u64) {
        self.meter().whole.set(units);
    }

    /// From now on, operations are in spaces of so many dimensions, parameters included.
    pub fn weigh(&self, dimensions: usize) {
        let wide = u64::try_from(dimensions).unwrap_or(u64::MAX);
        let weight = (wide.saturating_mul(wide) / (USUAL_DIMENSIONS * USUAL_DIMENSIONS)).max(1);
        let meter = self.meter();
        let operations = self.operations();
        let before = operations * meter.weight.get() - meter.lighter.get();
        meter.weight.set(weight);
        // What was counted stays what it was.
        meter
            .lighter
            .set(operations.saturating_mul(weight).saturating_sub(before));
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

    /// Limits the work to one of `parts` parts of the whole budget until the guard is dropped.
    #[must_use = "the limit ends when the guard is dropped"]
    pub fn share(&self, parts: u64) -> QuotaGuard {
        self.quota(self.meter().whole.get() / parts)
    }

    /// Work until the guard is dropped counts for nothing, and may take so many units: what is only looked at changes nothing.
    #[must_use = "the work counts when the guard is dropped"]
    pub fn aside(&self, units: u64) -> AsideGuard {
        let meter = self.meter();
        let guard = AsideGuard {
            ctx: self.clone(),
            own: meter.own.get(),
            aside: meter.aside.get(),
            operations: self.operations(),
            limits: (meter.budget.get(), meter.quota.get()),
        };
        let end = self.work().saturating_add(units);
        meter.budget.set(u64::MAX);
        meter.quota.set(end);
        self.arm();
        guard
    }

    /// Nothing is limited until the guard is dropped; all of it counts.
    #[must_use = "the limits are back when the guard is dropped"]
    pub(super) fn unlimited(&self) -> UnlimitedGuard {
        let meter = self.meter();
        let limits = (
            meter.budget.replace(u64::MAX),
            meter.quota.replace(u64::MAX),
        );
        self.arm();
        UnlimitedGuard {
            ctx: self.clone(),
            limits,
        }
    }

    /// The limit that is reached, if one is.
    pub(super) fn exhausted(&self) -> Option<Error> {
        let meter = self.meter();
        let over = meter.own.get() >= meter.limit() || !self.operation();
        self.forget_error();
        over.then(|| match meter.budget.get() <= meter.quota.get() {
            true => Error::Budget,
            false => Error::Quota,
        })
    }

    /// Tells isl how many operations are left for it.
    fn arm(&self) {
        let meter = self.meter();
        let left = meter.limit().saturating_sub(meter.own.get());
        self.allow(left.saturating_add(meter.lighter.get()) / meter.weight.get());
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

/// Work that does not count, while this value lives.
#[derive(Debug)]
pub struct AsideGuard {
    ctx: Ctx,
    own: u64,
    aside: u64,
    operations: u64,
    limits: (u64, u64),
}

impl Drop for AsideGuard {
    fn drop(&mut self) {
        self.ctx.forget_error();
        let meter = self.ctx.meter();
        let made = self.ctx.operations() - self.operations;
        let weighed = made.saturating_mul(meter.weight.get());
        // What was made aside in between is counted for nothing already.
        let inside = meter.aside.get() - self.aside;
        let weighed = weighed.saturating_sub(inside);
        meter.lighter.set(meter.lighter.get() + weighed);
        meter.aside.set(meter.aside.get() + weighed);
        meter.own.set(self.own);
        meter.budget.set(self.limits.0);
        meter.quota.set(self.limits.1);
        self.ctx.arm();
    }
}

/// Work without limits; see [`Ctx::unlimited`].
pub(super) struct UnlimitedGuard {
    ctx: Ctx,
    limits: (u64, u64),
}

impl Drop for UnlimitedGuard {
    fn drop(&mut self) {
        let meter = self.ctx.meter();
        meter.budget.set(self.limits.0);
        meter.quota.set(self.limits.1);
        self.ctx.arm();
    }
}
