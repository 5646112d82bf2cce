//! The last resort against a compilation that does not end: a limit on time.
//!
//! Limits on work ([`super::meter`]) are the same on every machine, but isl counts an operation on numbers of thousands of
//! digits like any other. No such numbers are known to arise (`detect::numbers` declines what led to them), and nothing
//! rules them out. Behind the limits on work stands [`Ctx::deadline`], so far away that no computation with numbers of
//! ordinary length gets there: a second thread waits and asks isl to stop, which isl looks for wherever it counts an operation.

use super::{Ctx, ffi};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A limit on time, in force while this value lives. One at a time.
#[derive(Debug)]
pub struct Deadline {
    ctx: Ctx,
    over: Arc<Over>,
    watch: Option<JoinHandle<()>>,
}

/// Whether the work is done, and a way to say so.
#[derive(Debug, Default)]
struct Over {
    done: Mutex<bool>,
    changed: Condvar,
}

/// A context that another thread may stop.
struct Stoppable(*mut ffi::isl_ctx);

// SAFETY: the thread only sets the flag that isl has for this purpose, and is joined before the context can go.
unsafe impl Send for Stoppable {}

impl Stoppable {
    fn stop(&self) {
        // SAFETY: the context is alive, see above.
        unsafe { ffi::isl_ctx_abort(self.0) }
    }
}

impl Ctx {
    /// Whether the time is over.
    pub(super) fn stopped(&self) -> bool {
        // SAFETY: the context is alive.
        unsafe { ffi::isl_ctx_aborted(self.as_ptr()) != 0 }
    }

    /// Lets every operation fail with [`Error::Deadline`](super::Error::Deadline) from some time on, a running one included,
    /// until the guard is dropped. Without any time nothing is begun.
    #[must_use = "the limit ends when the guard is dropped"]
    pub fn deadline(&self, budget: Duration) -> Deadline {
        let end = Instant::now() + budget;
        let over = Arc::new(Over::default());
        let (target, until) = (Stoppable(self.as_ptr()), over.clone());
        let watch = thread::Builder::new().spawn(move || watch(&target, &until, end));
        if watch.is_err() || budget.is_zero() {
            // No thread, no bound.
            Stoppable(self.as_ptr()).stop();
        }
        Deadline {
            ctx: self.clone(),
            over,
            watch: watch.ok(),
        }
    }
}

fn watch(target: &Stoppable, over: &Over, end: Instant) {
    let mut done = over.done.lock().unwrap_or_else(PoisonError::into_inner);
    while !*done {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return target.stop();
        }
        let woken = over.changed.wait_timeout(done, left);
        done = woken.unwrap_or_else(PoisonError::into_inner).0;
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        *self
            .over
            .done
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = true;
        self.over.changed.notify_one();
        if let Some(watch) = self.watch.take() {
            // It cannot have panicked, and there is nothing to do if it has.
            let _ = watch.join();
        }
        // SAFETY: the context is alive.
        unsafe { ffi::isl_ctx_resume(self.ctx.as_ptr()) };
        self.ctx.forget_error();
    }
}
