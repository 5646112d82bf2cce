//! What became of a nest, and the views of it.

use super::html::{Panel, code, escaped, tabs};
use super::source::Sources;
use super::{bound, candidates, graph, orders};
use crate::explain::nests::{Fate, Nest};
use crate::explain::words;
use polytile_records::Record;
use std::fmt::Write;

/// Whether there is a new version.
pub fn is_done(nest: &Nest) -> bool {
    matches!(nest.fate, Fate::Transformed(_))
}

/// What became of it, in a few words.
pub fn fate(nest: &Nest) -> &'static str {
    match is_done(nest) {
        true => "transformed",
        false => "left as it was",
    }
}

/// Its part of the time, where a profile tells; `sum`: all weights.
pub fn share(nest: &Nest, sum: f64) -> String {
    let weight = nest.weight.filter(|_| sum > 0.0);
    weight.map_or(String::new(), |w| {
        format!(", {:.0} % of the time in nests", 100.0 * w / sum)
    })
}

/// All of nest number `at`; `sum`: all weights.
pub fn section(
    at: usize,
    nests: &[Nest],
    sum: f64,
    record: Option<&Record>,
    sources: &Sources,
) -> String {
    let nest = &nests[at];
    let class = if is_done(nest) { "transformed" } else { "left" };
    let place = escaped(&nest.place());
    let mut out = format!(
        "<section id=\"n{at}\" class=\"{class}\" aria-labelledby=\"n{at}-head\">\n<h2 id=\"n{at}-head\" tabindex=\"-1\">{place}</h2>\n<p><span class=\"fate\">{}</span>{}</p>\n<dl>\n",
        fate(nest),
        share(nest, sum)
    );
    for s in words::sentences(nest) {
        out += &said(&s);
    }
    out += "</dl>\n";
    if let Some(first) = first_of(nest, nests) {
        let place = escaped(&nests[first].place());
        let _ = writeln!(out, "<p><a href=\"#n{first}\">{place}</a></p>");
    }
    let panels = views(at, nest, record, sources);
    if !panels.is_empty() {
        out += &tabs(&format!("n{at}"), &nest.place(), &panels);
    }
    out + "<div class=\"steps script\"><button type=\"button\" data-step=\"-1\">previous</button>\
           <button type=\"button\" data-step=\"1\">next</button><a href=\"#nests\">all nests</a></div>\n</section>\n"
}

/// The number of the nest that one was transformed together with, whose new version is both's.
fn first_of(nest: &Nest, nests: &[Nest]) -> Option<usize> {
    let Fate::Transformed(remark) = &nest.fate else {
        return None;
    };
    let first = remark.arg("Together")?;
    let is_there = |n: &Nest| {
        let loc = n.loc.as_ref();
        loc.is_some_and(|l| format!("{}:{}:{}", l.file, l.line, l.column) == first)
    };
    let found = nests.iter().position(is_there);
    found.filter(|first| nests[*first].function == nest.function)
}

fn said(s: &words::Sentence) -> String {
    let items: String = (s.items.iter())
        .map(|i| format!("<li>{}</li>", escaped(i)))
        .collect();
    let list = match items.is_empty() {
        true => items,
        false => format!("<ul>{items}</ul>"),
    };
    format!(
        "<dt>{}</dt><dd>{}{list}</dd>\n",
        escaped(s.head),
        escaped(&s.text)
    )
}

/// The views that there is something for.
fn views(at: usize, nest: &Nest, record: Option<&Record>, sources: &Sources) -> Vec<Panel> {
    let loc = nest.loc.as_ref();
    let source = loc.and_then(|l| sources.nest(&l.file, l.line));
    let mut all = vec![("Code", codes(source.as_deref(), record))];
    if let Some(record) = record {
        all.extend([
            ("Iterations", orders::of(record)),
            (
                "Dependences",
                graph::of(&record.statements, &record.dependences),
            ),
            ("Bound", bounds(at, nest, record)),
            ("Candidates", candidates::of(record)),
            (
                "Script",
                record.script.as_deref().map_or(String::new(), code),
            ),
        ]);
    }
    let panels = all.into_iter().map(|(name, inner)| Panel { name, inner });
    panels.filter(|p| !p.inner.is_empty()).collect()
}

/// The source, or where it is not at hand the loops that were read from it, beside those of the winner.
fn codes(source: Option<&str>, record: Option<&Record>) -> String {
    let before = match source {
        Some(source) => Some(("The source", source)),
        None => record.and_then(|r| Some(("The original’s loops", r.before.as_deref()?))),
    };
    let taken = record.filter(|r| r.chosen != 0);
    let after = taken.and_then(|r| Some(("The new version’s loops", r.code.as_deref()?)));
    let shown: Vec<_> = [before, after].into_iter().flatten().collect();
    if shown.is_empty() {
        return String::new();
    }
    let mut out = "<div class=\"code\">\n".to_owned();
    for (head, text) in shown {
        let _ = writeln!(out, "<div><h4>{head}</h4>{}</div>", code(text));
    }
    out + "</div>\n"
}

/// The bound on one thread and on two.
fn bounds(at: usize, nest: &Nest, record: &Record) -> String {
    let panel = |name, threads| Panel {
        name,
        inner: bound::of(record, threads),
    };
    let both = [panel("on one thread", 1), panel("on two threads", 2)];
    match both.iter().any(|p| p.inner.is_empty()) {
        true => String::new(),
        false => tabs(&format!("n{at}-threads"), &nest.place(), &both),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{nests, yaml};
    use polytile_records::Listed;

    fn two() -> Vec<Nest> {
        let remark = |line: u32, arg: &str| {
            format!(
                "--- !Passed\nPass: polytile\nName: Transformed\nDebugLoc: {{ File: a.c, Line: {line}, Column: 3 }}\nFunction: f\nArgs:\n  - {arg}\n...\n"
            )
        };
        let text = remark(9, "Statements: '2'") + &remark(12, "Together: 'a.c:9:3'");
        nests::of(&yaml::parse(&text).unwrap())
    }

    #[test]
    fn nests_that_are_one_lead_to_the_first() {
        let nests = two();
        let section = |at: usize| section(at, &nests, 0.0, None, &Sources::default());
        assert!(
            section(1).contains("<a href=\"#n0\">a.c:9 in f</a>"),
            "{}",
            section(1)
        );
        assert!(!section(0).contains("href=\"#n1\""));
    }

    #[test]
    fn where_the_source_is_not_at_hand_its_loops_are_shown() {
        let record = Record {
            before: Some("for (c0 ..)".into()),
            code: Some("for (c1 ..)".into()),
            chosen: 1,
            ..Record::of(&Listed::default(), 1, "")
        };
        let both = codes(None, Some(&record));
        assert!(
            both.contains("original’s loops") && both.contains("for (c1 ..)"),
            "{both}"
        );
        assert!(codes(Some("for (i ..)"), Some(&record)).contains("The source"));
        let left = Record {
            chosen: 0,
            ..record
        };
        assert!(
            !codes(None, Some(&left)).contains("for (c1 ..)"),
            "nothing was made"
        );
        assert_eq!(codes(None, None), "");
    }
}
