//! The budget: seconds by the wall, or an interrupt from the keyboard.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn interrupted(_signal: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    budget: Duration,
}

impl Clock {
    /// Begins now. From here on an interrupt (SIGINT, SIGTERM) means that time is over, and does not end the process.
    pub fn start(budget: Duration) -> Clock {
        let handler = interrupted as extern "C" fn(libc::c_int);
        for signal in [libc::SIGINT, libc::SIGTERM] {
            // SAFETY: the handler only stores to an atomic.
            unsafe { libc::signal(signal, handler as libc::sighandler_t) };
        }
        Clock {
            started: Instant::now(),
            budget,
        }
    }

    /// Whether time is over.
    pub fn is_over(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed) || self.left().is_zero()
    }

    /// What is left.
    pub fn left(&self) -> Duration {
        self.budget.saturating_sub(self.started.elapsed())
    }

    /// The same clock with a part of the budget, from its start on.
    pub fn part(&self, share: f64) -> Clock {
        Clock {
            budget: self.budget.mul_f64(share),
            ..*self
        }
    }

    /// Seconds that are gone.
    pub fn gone(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The share of the budget that is gone, 1 at most.
    pub fn share(&self) -> f64 {
        (self.gone() / self.budget.as_secs_f64().max(f64::MIN_POSITIVE)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_runs_out() {
        let none = Clock::start(Duration::ZERO);
        assert!(none.is_over());
        assert!((none.share() - 1.0).abs() < f64::EPSILON);
        let long = Clock::start(Duration::from_secs(1000));
        assert!(!long.is_over());
        assert!(long.part(0.5).left() <= Duration::from_secs(500));
        assert!(long.part(0.5).left() > Duration::from_secs(400));
    }
}
