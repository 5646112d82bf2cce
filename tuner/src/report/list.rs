//! The list of nests: files and lines in the order of the source, what became of each, and why; by fate, by words, with single loops or without.

use super::html::escaped;
use super::nest::{fate, is_done, share};
use crate::explain::heading;
use crate::explain::nests::{Fate, Nest};
use std::fmt::Write;

/// How many nests there are, and how many of them were transformed.
pub fn summary(nests: &[Nest]) -> String {
    let heading = heading(nests.iter().filter(|n| n.is_nest()));
    match nests.iter().filter(|n| !n.is_nest()).count() {
        0 => heading,
        1 => format!("{heading} A single loop beside them."),
        n => format!("{heading} {n} single loops beside them."),
    }
}

/// The list; `sum`: all weights.
pub fn of(nests: &[Nest], sum: f64) -> String {
    let all = nests.iter().filter(|n| n.is_nest()).count();
    let done = nests.iter().filter(|n| is_done(n)).count();
    let mut out = format!(
        "<nav id=\"nests\" aria-label=\"Loop nests\">\n<div class=\"filters script\" role=\"group\" aria-label=\"Which are listed\">\n{}{}{}{}\
         <input type=\"search\" id=\"find\" placeholder=\"file, function, reason\" aria-label=\"Words to find\">\n</div>\n<div class=\"list\">\n",
        button("all", &format!("all {all}"), true),
        button("transformed", &format!("{done} transformed"), false),
        button("left", &format!("{} left", all - done), false),
        single_loops(nests.len() - all, all == 0)
    );
    let places: Vec<(usize, &Nest)> = nests.iter().enumerate().collect();
    for group in places.chunk_by(|a, b| file(a.1) == file(b.1)) {
        let _ = write!(
            out,
            "<div class=\"file\">\n<h2>{}</h2>\n<ol>\n",
            escaped(file(group[0].1))
        );
        out.extend(group.iter().map(|(at, n)| item(*at, n, sum)));
        out += "</ol>\n</div>\n";
    }
    out + "<p id=\"none\" class=\"dim\" hidden>No nest fits.</p>\n</div>\n</nav>\n"
}

fn button(shows: &str, text: &str, pressed: bool) -> String {
    format!(
        "<button type=\"button\" data-show=\"{shows}\" aria-pressed=\"{pressed}\">{text}</button>\n"
    )
}

/// A box to tick for loops that are in no nest; `shown`: it is ticked, as where there is nothing else.
fn single_loops(count: usize, shown: bool) -> String {
    let checked = if shown { " checked" } else { "" };
    match count {
        0 => String::new(),
        n => format!(
            "<label><input type=\"checkbox\" id=\"loops\"{checked}> single loops ({n})</label>\n"
        ),
    }
}

fn file(nest: &Nest) -> &str {
    nest.loc
        .as_ref()
        .map_or("compiled without -g1", |l| &l.file)
}

fn item(at: usize, nest: &Nest, sum: f64) -> String {
    let line = nest
        .loc
        .as_ref()
        .map_or(String::new(), |l| format!("{} ", l.line));
    let class = match (is_done(nest), nest.is_nest()) {
        (true, _) => "transformed",
        (false, true) => "left",
        (false, false) => "left loop",
    };
    let why = match &nest.fate {
        Fate::Transformed(_) => fate(nest).to_owned(),
        Fate::Left(r) | Fate::NotModelled(r) => r
            .arg("Reason")
            .or(r.arg("Error"))
            .unwrap_or(fate(nest))
            .to_owned(),
    };
    format!(
        "<li class=\"{class}\" data-file=\"{}\"><a href=\"#n{at}\">{line}{}<span class=\"why\">{}{}</span></a></li>\n",
        escaped(file(nest)),
        escaped(&nest.function),
        escaped(&why),
        share(nest, sum)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{nests, yaml};

    const REMARKS: &str = "--- !Missed
Pass: polytile
Name: NotTransformed
DebugLoc: { File: b.c, Line: 4, Column: 20 }
Function: hist
Args:
  - Reason: a subscript depends on data
...
--- !Analysis
Pass: polytile
Name: NotModelled
DebugLoc: { File: b.c, Line: 2, Column: 1 }
Function: hist
Args:
  - Reason: 'input or output'
...
--- !Passed
Pass: polytile
Name: Transformed
DebugLoc: { File: a.c, Line: 9, Column: 3 }
Function: product
Args:
  - Statements: '1'
...
";

    #[test]
    fn nests_are_listed_in_the_order_of_the_source_with_their_reasons() {
        let nests = nests::of(&yaml::parse(REMARKS).unwrap());
        let text = "2 loop nests: 1 transformed, 1 left as they were. A single loop beside them.";
        assert_eq!(summary(&nests), text);
        let list = of(&nests, 0.0);
        let at = |text: &str| list.find(text).unwrap_or_else(|| panic!("{text}: {list}"));
        assert!(at("<h2>a.c</h2>") < at("9 product") && at("9 product") < at("<h2>b.c</h2>"));
        assert!(
            at("2 hist<span class=\"why\">input or output")
                < at("4 hist<span class=\"why\">a subscript depends on data")
        );
        assert_eq!(list.matches("class=\"left loop\"").count(), 1);
        let loops: Vec<Nest> = nests.into_iter().filter(|n| !n.is_nest()).collect();
        assert!(of(&loops, 0.0).contains("id=\"loops\" checked>"));
    }
}
