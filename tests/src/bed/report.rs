//! What is printed.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::measure::Contender;
use super::rank::spearman;
use super::results::{Record, SLOWER, Wrong, mean};

/// Most lines of one list.
const LINES: usize = 40;

/// Times that are compared with the original's, with their headings.
const COLUMNS: [(Contender, &str); 3] = [
    (Contender::One, "1 thread"),
    (Contender::Two, "2 threads"),
    (Contender::Unbound, "unbound"),
];

/// All records.
pub fn summary(records: &[Record]) -> String {
    let mut text = String::new();
    defects(records, &mut text);
    classes(records, &mut text);
    for (contender, heading) in COLUMNS {
        slower(records, contender, heading, &mut text);
    }
    reasons(records, &mut text);
    for threads in [1, 2] {
        decisions(records, threads, &mut text);
        model(records, threads, &mut text);
    }
    text
}

/// A line per program: times and speed-ups.
pub fn table(records: &[Record]) -> String {
    let mut text = "| program | clang ms | 1 thread | 2 threads | unbound | bytes |\n|---|---|---|---|---|---|\n".to_string();
    for record in records {
        let original = record
            .seconds(Contender::Original)
            .map_or("-".to_string(), |s| format!("{:.4}", s * 1e3));
        let _ = write!(text, "| {} | {original} |", record.name);
        for (contender, _) in COLUMNS {
            let cell = record
                .ratio(contender)
                .map_or("-".to_string(), |ratio| format!("{:.2}", 1.0 / ratio));
            let _ = write!(text, " {cell} |");
        }
        let _ = writeln!(
            text,
            " {} |",
            record.defect().unwrap_or("equal".to_string())
        );
    }
    text
}

fn defects(records: &[Record], text: &mut String) {
    let broken: Vec<(&Record, String)> = records
        .iter()
        .filter_map(|record| Some((record, record.defect()?)))
        .collect();
    let _ = writeln!(
        text,
        "{} programs, {} with defects",
        records.len(),
        broken.len()
    );
    for (record, defect) in broken {
        let _ = writeln!(text, "  {}: {defect}", record.name);
    }
}

fn classes(records: &[Record], text: &mut String) {
    let mut classes: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in records {
        classes.entry(record.class()).or_default().push(record);
        classes.entry("~ all").or_default().push(record);
    }
    let _ = writeln!(
        text,
        "\nspeed-up over clang, geometric means; programs, transformed ones"
    );
    for (class, members) in classes {
        let transformed = members.iter().filter(|record| record.transformed()).count();
        let _ = write!(
            text,
            "  {:14} {:5} {transformed:5}",
            class.trim_start_matches("~ "),
            members.len()
        );
        for (contender, heading) in COLUMNS {
            let found = mean(
                members
                    .iter()
                    .filter_map(|record| record.ratio(contender))
                    .map(|ratio| 1.0 / ratio),
            );
            let _ = write!(
                text,
                "  {heading} {}",
                found.map_or("-".to_string(), |mean| format!("{mean:.2}"))
            );
        }
        text.push('\n');
    }
}

fn slower(records: &[Record], contender: Contender, heading: &str, text: &mut String) {
    let mut slow: Vec<(f64, &Record)> = records
        .iter()
        .filter_map(|record| Some((record.ratio(contender)?, record)))
        .filter(|(ratio, _)| *ratio > SLOWER)
        .collect();
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    let _ = writeln!(
        text,
        "\nslower than clang by over 5 %, {heading}: {} of {}",
        slow.len(),
        records.len()
    );
    for (ratio, record) in slow.iter().take(LINES) {
        let original = record.seconds(Contender::Original).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {:.2} of clang's speed ({:.4} ms)  {}",
            1.0 / ratio,
            original * 1e3,
            record.name
        );
    }
}

fn reasons(records: &[Record], text: &mut String) {
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.transformed()) {
        let reason = record.reason().unwrap_or("no remark");
        reasons
            .entry(general(reason))
            .or_default()
            .push(&record.name);
    }
    let mut reasons: Vec<(String, Vec<&str>)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let count: usize = reasons.iter().map(|(_, names)| names.len()).sum();
    let _ = writeln!(
        text,
        "\ndeclined: {count} of {}; the first reason",
        records.len()
    );
    for (reason, names) in reasons.iter().take(LINES) {
        let _ = writeln!(text, "  {:4}  {reason}  (as {})", names.len(), names[0]);
    }
}

/// A reason without its numbers and names.
fn general(reason: &str) -> String {
    let reason = reason
        .strip_prefix("loop nest not transformed: ")
        .unwrap_or(reason);
    let words = reason.split_whitespace().map(|word| {
        let named = word.chars().any(|c| c.is_ascii_digit()) || word.contains(['[', '`']);
        if named { "_" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn decisions(records: &[Record], threads: usize, text: &mut String) {
    let _ = writeln!(text, "\ndecisions, threads: {threads}");
    for (kind, heading) in [
        (
            Wrong::Chosen,
            "chosen, but slower than the original by over 3 %",
        ),
        (
            Wrong::Declined,
            "declined, but the forced version is faster by over 10 %",
        ),
    ] {
        let mut wrong: Vec<(f64, &Record)> = records
            .iter()
            .filter(|record| record.wrong(threads) == Some(kind))
            .filter_map(|record| Some((record.regret(threads)?, record)))
            .collect();
        wrong.sort_by(|a, b| b.0.total_cmp(&a.0));
        let _ = writeln!(text, "  {heading}: {}", wrong.len());
        for (regret, record) in wrong.iter().take(LINES) {
            let _ = writeln!(
                text,
                "    {regret:.2} times the best version's time  {}",
                record.name
            );
        }
    }
    let regret = mean(records.iter().filter_map(|record| record.regret(threads)));
    if let Some(regret) = regret {
        let _ = writeln!(
            text,
            "  time over that of the best version, geometric mean: {regret:.3}"
        );
    }
}

/// Predicted against measured time.
fn model(records: &[Record], threads: usize, text: &mut String) {
    let contender = if threads == 1 {
        Contender::One
    } else {
        Contender::Two
    };
    let mut times = Vec::new();
    let mut gains = Vec::new();
    for record in records {
        let (Some((original, chosen)), Some(clang), Some(polytile)) = (
            record.predicted(threads),
            record.seconds(Contender::Original),
            record.seconds(contender),
        ) else {
            continue;
        };
        // Cycles for sizes that were assumed are no times; which version is better may be right all the same.
        if record.sizes_known() {
            times.extend([(original, clang), (chosen, polytile)]);
        }
        gains.push((original / chosen, clang / polytile));
    }
    if gains.is_empty() {
        return;
    }
    let show = |found: Option<f64>| found.map_or("-".to_string(), |value| format!("{value:.3}"));
    let _ = writeln!(
        text,
        "\nthe model, threads: {threads}; programs with predictions: {}, for their own sizes: {}",
        gains.len(),
        times.len() / 2
    );
    let _ = writeln!(
        text,
        "  rank correlation of times {}, of gains {}",
        show(spearman(&times)),
        show(spearman(&gains))
    );
    let differing: Vec<&(f64, f64)> = gains
        .iter()
        .filter(|(_, measured)| *measured > 1.1 || *measured < 1.0 / 1.1)
        .collect();
    let right = differing
        .iter()
        .filter(|(predicted, measured)| (*predicted > 1.0) == (*measured > 1.0))
        .count();
    let _ = writeln!(
        text,
        "  sign right in {right} of {} that differ by over 10 %",
        differing.len()
    );
}

#[cfg(test)]
mod tests {
    use super::super::build::Candidate;
    use super::super::results::tests::record;
    use super::*;

    #[test]
    fn slow_programs_are_listed_with_the_slowest_first() {
        let records = [
            record("a/quick:double", 1.0, &[(Contender::One, 0.5)]),
            record("a/slow:double", 1.0, &[(Contender::One, 1.25)]),
            record("b/slower:double", 1.0, &[(Contender::One, 2.0)]),
        ];
        let text = summary(&records);
        assert!(text.contains("slower than clang by over 5 %, 1 thread: 2 of 3\n  0.50 of clang's speed (1000.0000 ms)  b/slower"));
        assert!(text.contains("chosen, but slower than the original by over 3 %: 2"));
        assert!(table(&records).contains("| a/quick:double | 1000.0000 | 2.00 | - | - | equal |"));
    }

    #[test]
    fn predictions_are_compared_with_times() {
        let candidate = |name: &str, one: f64, chosen: bool| Candidate {
            nest: "kernel 7".to_string(),
            name: name.to_string(),
            one,
            two: one,
            at: String::new(),
            chosen,
        };
        let mut records = vec![
            record("a/one", 1.0, &[(Contender::One, 0.5)]),
            record("a/two", 4.0, &[(Contender::One, 8.0)]),
        ];
        for (record, cycles) in records.iter_mut().zip([10.0, 40.0]) {
            let builds = record.builds.as_mut().unwrap();
            builds.polytile.candidates = vec![
                candidate("original", cycles, false),
                candidate("plan", cycles / 2.0, true),
            ];
        }
        let text = summary(&records);
        assert!(
            text.contains("programs with predictions: 2, for their own sizes: 2"),
            "{text}"
        );
        assert!(text.contains("rank correlation of times 0.800"), "{text}");
        assert!(text.contains("sign right in 1 of 2"), "{text}");
        records[0].builds.as_mut().unwrap().polytile.candidates[0].at = "n=1000".to_string();
        assert!(summary(&records).contains("for their own sizes: 1"));
    }

    #[test]
    fn reasons_lose_their_numbers() {
        assert_eq!(
            general("loop nest not transformed: 3 statements of A[i] too many"),
            "_ statements of _ too many"
        );
    }
}
