//! What `log=LEVEL` prints: the reasons of single steps, on the error stream, a line each.
//!
//! The rooms below say what they consider through the `log` facade (`log::debug!`) and know nothing of hosts. Remarks are for
//! users; these lines are for who works on Polytile: why a statement got no register tile, what an estimate came to.

use log::{LevelFilter, Log, Metadata, Record};
use std::io::Write;

/// Writes records to the error stream. It has no state: the level is the facade's.
struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            let room = record.target().trim_start_matches("polytile_");
            // A full or closed error stream must not stop a compilation.
            let _ = writeln!(
                std::io::stderr(),
                "polytile: {}: {room}: {}",
                record.level().as_str().to_lowercase(),
                record.args()
            );
        }
    }

    fn flush(&self) {}
}

/// Prints records up to this level from now on.
pub fn start(level: LevelFilter) {
    // A second pass in one process finds the logger in its place.
    let _ = log::set_logger(&Logger);
    log::set_max_level(level);
}
