//! Tables of candidates: what the model predicted, and what was measured.

use super::html::{details, escaped};
use polytile_records::Record;
use polytile_records::database::{Measured, Outcome, TriedSizes, median};
use std::fmt::Write;

/// The width of the longest bar, in rem.
const BAR: f64 = 9.0;

/// The tables of a region's record.
pub fn of(record: &Record) -> String {
    let medians = record.candidates.iter().filter_map(|c| median(&c.samples));
    let most = medians.fold(0.0, f64::max);
    let mut out = "<div class=\"wide\"><table>\n<tr><th></th><th>candidate</th><th>predicted, 1 thread</th><th>predicted, 2 threads</th><th>measured</th><th></th><th>times the original's speed</th></tr>\n".to_owned();
    for c in &record.candidates {
        out += &row(c, c.number == record.chosen, most);
    }
    out += "</table></div>\n";
    let _ = writeln!(
        out,
        "<p class=\"dim\">Predictions are cycles of one entry at typical sizes; times are medians of the whole program on {} thread{}, size class {}, target {}.</p>",
        record.threads,
        if record.threads == 1 { "" } else { "s" },
        escaped(&record.size_class),
        escaped(&record.target)
    );
    if !record.tried_sizes.is_empty() {
        out += &details("Tile sizes", false, &sizes(record));
    }
    out
}

fn row(c: &Measured, won: bool, most: f64) -> String {
    let class = if won { " class=\"won\"" } else { "" };
    let mark = if won { "&#10003;" } else { "" };
    let [one, two] = match c.predicted {
        Some(p) => [cycles(p.one), cycles(p.two)],
        None => [String::new(), String::new()],
    };
    let (time, bar) = measured(c.outcome, &c.samples, most);
    let gain = median(&c.original).zip(median(&c.samples));
    let gain = gain.map_or(String::new(), |(o, n)| {
        format!("{:.2}", o / n.max(f64::MIN_POSITIVE))
    });
    format!(
        "<tr{class}><td>{mark}</td><td>{} {}</td><td class=\"number\">{one}</td><td class=\"number\">{two}</td><td class=\"number\">{time}</td><td>{bar}</td><td class=\"number\">{gain}</td></tr>\n",
        c.number,
        escaped(&c.name)
    )
}

fn sizes(record: &Record) -> String {
    let medians = record.tried_sizes.iter().filter_map(|t| median(&t.samples));
    let most = medians.fold(0.0, f64::max);
    let row = |t: &TriedSizes| {
        let class = if t.sizes == record.sizes {
            " class=\"won\""
        } else {
            ""
        };
        let (time, bar) = measured(t.outcome, &t.samples, most);
        let sizes: Vec<String> = t.sizes.iter().map(i64::to_string).collect();
        format!(
            "<tr{class}><td>{}</td><td class=\"number\">{time}</td><td>{bar}</td></tr>\n",
            sizes.join(" x ")
        )
    };
    let rows: String = record.tried_sizes.iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table>\n<tr><th>sizes</th><th>measured</th><th></th></tr>\n{rows}</table></div>\n"
    )
}

/// A time, or why there is none; and a bar.
fn measured(outcome: Outcome, samples: &[f64], most: f64) -> (String, String) {
    match (outcome, median(samples)) {
        (Outcome::Measured | Outcome::Slow, Some(time)) => {
            let width = BAR * time / most.max(f64::MIN_POSITIVE);
            (
                seconds(time),
                format!("<span class=\"bar\" style=\"width:{width:.2}rem\"></span>"),
            )
        }
        (Outcome::NotBuilt, _) => ("not built".to_owned(), String::new()),
        (Outcome::Failed, _) => ("failed".to_owned(), String::new()),
        (Outcome::OtherOutput, _) => ("other output".to_owned(), String::new()),
        _ => ("not measured".to_owned(), String::new()),
    }
}

fn seconds(time: f64) -> String {
    match time {
        t if t < 1.0 => format!("{:.2} ms", t * 1e3),
        t => format!("{t:.3} s"),
    }
}

fn cycles(n: f64) -> String {
    match n {
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e3 => format!("{:.2} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units() {
        assert_eq!(seconds(0.0123), "12.30 ms");
        assert_eq!(seconds(2.5), "2.500 s");
        assert_eq!([cycles(12.0), cycles(5.5e8)], ["12", "550.00 M"]);
        let (time, bar) = measured(Outcome::Measured, &[1.0, 3.0], 4.0);
        assert_eq!(time, "2.000 s");
        assert!(bar.contains("width:4.50rem"), "{bar}");
        assert_eq!(measured(Outcome::NoTime, &[], 4.0).0, "not measured");
        assert_eq!(
            measured(Outcome::Failed, &[], 0.0),
            ("failed".into(), String::new())
        );
    }
}
