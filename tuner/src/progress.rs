//! What the tuner is doing: a bar on a terminal, lines elsewhere; always on the error stream.

use crate::clock::Clock;
use std::io::{IsTerminal, Write};

/// Characters of the bar.
const WIDTH: usize = 24;

/// Shows how far the budget is spent and what is going on.
pub struct Progress {
    clock: Clock,
    terminal: bool,
    quiet: bool,
}

impl Progress {
    /// On the error stream; `quiet`: nowhere.
    pub fn new(clock: Clock, quiet: bool) -> Progress {
        Progress {
            clock,
            terminal: std::io::stderr().is_terminal(),
            quiet,
        }
    }

    /// What begins now. Elsewhere than on a terminal nothing is written: it will be told when it is finished.
    pub fn doing(&self, what: &str) {
        if self.terminal && !self.quiet {
            let text = line(self.clock.share(), self.clock.gone(), what);
            let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
            let _ = std::io::stderr().flush();
        }
    }

    /// What was found out; it stays.
    pub fn done(&self, what: &str) {
        if self.quiet {
            return;
        }
        self.clear();
        let _ = writeln!(std::io::stderr(), "{what}");
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// `[######..................]  15 s  what`.
fn line(share: f64, gone: f64, what: &str) -> String {
    let full = (share.clamp(0.0, 1.0) * WIDTH as f64) as usize;
    let bar = "#".repeat(full) + &".".repeat(WIDTH - full);
    format!("[{bar}] {gone:3.0} s  {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows_with_the_budget_spent() {
        assert_eq!(
            line(0.25, 15.0, "x"),
            format!("[{}{}]  15 s  x", "#".repeat(6), ".".repeat(18))
        );
        assert_eq!(line(7.0, 1.0, "").matches('#').count(), WIDTH);
    }
}
