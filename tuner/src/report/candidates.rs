//! Tables of candidates: what the model predicted, and what was measured.

use super::html::{details, escaped};
use super::numbers::{cycles, entries, seconds, threads};
use polytile_records::Record;
use polytile_records::database::{Measured, Outcome, TriedSizes, median};

/// The width of the longest bar, in rem.
const BAR: f64 = 9.0;

/// Whether a record has times, or is a list's.
pub fn are_measured(record: &Record) -> bool {
    record.candidates.iter().any(|c| !c.samples.is_empty())
}

/// The tables of a region's record.
pub fn of(record: &Record) -> String {
    let medians = record.candidates.iter().filter_map(|c| median(&c.samples));
    let most = medians.fold(0.0, f64::max);
    let rows: String = (record.candidates.iter())
        .map(|c| row(record, c, most))
        .collect();
    let alone = match record.alone() {
        Some(_) => {
            "<th class=\"number\">the nest<br>alone</th><th class=\"number\">times the<br>original’s</th>"
        }
        None => "",
    };
    let mut out = format!(
        "<div class=\"wide\"><table>\n<tr><th></th><th>candidate</th><th class=\"number\">predicted,<br>1 thread</th><th class=\"number\">predicted,<br>2 threads</th>\
         <th class=\"number\">measured</th><th></th><th class=\"number\">times the<br>original’s speed</th>{alone}</tr>\n{rows}</table></div>\n<p class=\"dim\">{}</p>\n",
        circumstances(record)
    );
    if !record.tried_sizes.is_empty() {
        out += &details("Tile sizes", &sizes(record));
    }
    out
}

/// What the numbers are, as HTML.
fn circumstances(record: &Record) -> String {
    let at = match record.at.as_str() {
        "" => String::new(),
        at => format!(" ({})", escaped(at)),
    };
    let predicted = format!(
        "Predictions are cycles of one entry at typical sizes{at} on {}.",
        escaped(&record.target)
    );
    match are_measured(record) {
        true => format!(
            "{predicted} Times are medians of the whole program on {}, size class {}{}.",
            threads(record.threads),
            escaped(&record.size_class),
            record.alone().map_or(String::new(), |a| format!(
                "; those of the nest alone are of one run, with {}",
                entries(a.entries)
            ))
        ),
        false => {
            format!("{predicted} Nothing was measured: <code>polytile tune</code> does.")
        }
    }
}

fn row(record: &Record, c: &Measured, most: f64) -> String {
    let won = c.number == record.chosen;
    let class = if won { " class=\"won\"" } else { "" };
    let mark = if won { "✓" } else { "" };
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
        "<tr{class}><td>{mark}</td><td>{} {}</td><td class=\"number\">{one}</td><td class=\"number\">{two}</td><td class=\"number\">{time}</td><td>{bar}</td><td class=\"number\">{gain}</td>{}</tr>\n",
        c.number,
        escaped(&c.name),
        alone(record, c)
    )
}

/// The cells of the nest alone.
fn alone(record: &Record, c: &Measured) -> String {
    let (Some(original), own) = (record.alone(), c.alone) else {
        return String::new();
    };
    let time = own.map_or(String::new(), |a| seconds(a.seconds));
    let gain = own.map_or(String::new(), |a| {
        format!("{:.2}", original.seconds / a.seconds.max(f64::MIN_POSITIVE))
    });
    format!("<td class=\"number\">{time}</td><td class=\"number\">{gain}</td>")
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
        "<div class=\"wide\"><table>\n<tr><th>sizes</th><th class=\"number\">measured</th><th></th></tr>\n{rows}</table></div>\n"
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

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_records::database::Alone;

    #[test]
    fn nests_have_times_of_their_own() {
        let mut record = super::super::bound::tests::record();
        assert!(!of(&record).contains("alone"));
        let alone = |entries, seconds| Some(Alone { entries, seconds });
        record.candidates[0].alone = alone(3, 1.5);
        record.candidates[1].alone = alone(3, 0.25);
        let html = of(&record);
        assert!(html.contains("of one run, with 3 entries"), "{html}");
        assert!(
            html.contains("250.00 ms</td><td class=\"number\">6.00</td>"),
            "{html}"
        );
    }

    #[test]
    fn times_have_bars() {
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
