//! Numbers with their units, for readers.

/// Seconds: `12.30 ms`.
pub fn seconds(time: f64) -> String {
    match time {
        t if t < 1.0 => format!("{:.2} ms", t * 1e3),
        t => format!("{t:.3} s"),
    }
}

/// Cycles, operations: `5.50 M`.
pub fn cycles(n: f64) -> String {
    match n {
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e3 => format!("{:.2} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// Bytes: `5.50 MB`.
pub fn bytes(n: f64) -> String {
    let unit = if n >= 1e3 { "B" } else { " B" };
    cycles(n) + unit
}

/// A rate: `0.25`, `16`.
pub fn rate(n: f64) -> String {
    match n {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

/// `1 thread`, `2 threads`.
pub fn threads(n: usize) -> String {
    format!("{n} thread{}", if n == 1 { "" } else { "s" })
}

/// `1 entry`, `2 entries`.
pub fn entries(n: u64) -> String {
    format!("{n} {}", if n == 1 { "entry" } else { "entries" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units() {
        assert_eq!([seconds(0.0123), seconds(2.5)], ["12.30 ms", "2.500 s"]);
        assert_eq!([cycles(12.0), cycles(5.5e8)], ["12", "550.00 M"]);
        assert_eq!([bytes(12.0), bytes(64e3)], ["12 B", "64.00 kB"]);
        assert_eq!(
            [rate(0.25), rate(16.0), rate(512.0)],
            ["0.25", "16.0", "512"]
        );
        assert_eq!([threads(1), threads(2)], ["1 thread", "2 threads"]);
        assert_eq!([entries(1), entries(2)], ["1 entry", "2 entries"]);
    }
}
