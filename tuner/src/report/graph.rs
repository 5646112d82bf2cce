//! The dependence graph of a region as a picture: statements in a row, an arc for each pair that has to keep its order, a loop above a
//! statement whose instances depend on each other.

use super::html::{details, escaped};
use polytile_records::{Edge, Statement};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Pixels from one statement to the next.
const STEP: usize = 130;

/// Pixels of half a statement's box.
const HALF: (usize, usize) = (34, 16);

/// Pixels from the middle of a box to where arrows to and from others end.
const SIDE: usize = 20;

/// With more statements the picture says less than the list.
const MOST: usize = 12;

/// With more dependences the list is opened at a click.
const LISTED: usize = 24;

/// The tip of all arrows of a page, named `tip`; it stands outside of what may be hidden.
pub const TIP: &str = "<svg class=\"marker\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\"><path class=\"tip\" d=\"M0,0 L8,4 L0,8 z\"/></marker></defs></svg>\n";

/// A list of dependences, with a picture if there are not too many statements; empty if there are no dependences.
pub fn of(statements: &[Statement], edges: &[Edge]) -> String {
    if edges.is_empty() {
        return String::new();
    }
    let picture = match statements.len() <= MOST {
        true => picture(statements, edges),
        false => String::new(),
    };
    let list = list(edges);
    let list = match edges.len() <= LISTED {
        true => list,
        false => details(&format!("All {} dependences", edges.len()), &list),
    };
    picture + &list
}

fn list(edges: &[Edge]) -> String {
    let mut out = "<ul>\n".to_owned();
    for e in edges {
        let _ = writeln!(out, "<li>{}</li>", escaped(&said(e)));
    }
    out + "</ul>\n"
}

fn said(e: &Edge) -> String {
    let through = format!("through {} ({})", named(&e.array), e.kind);
    match e.from == e.to {
        true => format!("{}: instances depend on earlier ones {through}", e.from),
        false => format!("{} before {}, {through}", e.from, e.to),
    }
}

/// `M0_c` is the array c.
fn named(array: &str) -> &str {
    match array.split_once('_') {
        Some((_, name)) if !name.is_empty() => name,
        _ => array,
    }
}

fn picture(statements: &[Statement], edges: &[Edge]) -> String {
    let at: BTreeMap<&str, usize> = statements
        .iter()
        .enumerate()
        .map(|(i, s)| (s.name.as_str(), i))
        .collect();
    // One arc for each pair.
    let mut pairs: BTreeMap<(usize, usize), Vec<&Edge>> = BTreeMap::new();
    for e in edges {
        if let (Some(a), Some(b)) = (at.get(e.from.as_str()), at.get(e.to.as_str())) {
            pairs.entry((*a, *b)).or_default().push(e);
        }
    }
    let farthest = pairs.keys().map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let y = 50 + 26 * farthest;
    let (width, height) = (statements.len() * STEP, y + 50);
    let x = |i: usize| STEP / 2 + i * STEP;
    let mut out = format!(
        "<figure><div class=\"wide\"><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"dependence graph: {} statements, {} pairs that keep their order\">\n",
        statements.len(),
        pairs.len()
    );
    for ((a, b), all) in &pairs {
        let flows = all.iter().any(|e| e.kind.contains("flow"));
        let class = if flows { "edge flow" } else { "edge memory" };
        let title: Vec<String> = all.iter().map(|e| said(e)).collect();
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"{}\" marker-end=\"url(#tip)\"><title>{}</title></path>",
            arc((*a, x(*a)), (*b, x(*b)), y - HALF.1),
            escaped(&title.join("\n"))
        );
    }
    for (i, s) in statements.iter().enumerate() {
        let line = s.line.map_or(String::new(), |l| format!("line {l}"));
        let _ = writeln!(
            out,
            "<rect class=\"node\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{line}</text>",
            x(i) - HALF.0,
            y - HALF.1,
            2 * HALF.0,
            2 * HALF.1,
            x(i),
            y + 5,
            escaped(&s.name),
            x(i),
            y + 34,
        );
    }
    out + "</svg></div><figcaption>Arrows go from what runs first to what has to run later. Solid: a value flows; dashed: only memory is used again.</figcaption></figure>\n"
}

/// A path from the top of one statement's box to another's, or back to its own; `top`: the boxes' upper edge.
fn arc((a, from): (usize, usize), (b, to): (usize, usize), top: usize) -> String {
    if a == b {
        let up = top - 34;
        return format!(
            "M{} {top} C{} {up} {} {up} {} {top}",
            from - 10,
            from - 26,
            from + 26,
            from + 10
        );
    }
    let up = top - 26 * a.abs_diff(b);
    // Beside the arrow of a statement to itself.
    let (from, to) = match a < b {
        true => (from + SIDE, to - SIDE),
        false => (from - SIDE, to + SIDE),
    };
    format!("M{from} {top} C{from} {up} {to} {up} {to} {top}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_pairs_are_drawn_once() {
        let statement = |name: &str| Statement {
            name: name.into(),
            line: Some(3),
            domain: String::new(),
        };
        let edge = |from: &str, to: &str, kind: &str| Edge {
            from: from.into(),
            to: to.into(),
            kind: kind.into(),
            array: "M0_x".into(),
        };
        let edges = [
            edge("S0", "S0", "flow"),
            edge("S0", "S1", "flow"),
            edge("S0", "S1", "anti"),
        ];
        let drawn = of(&[statement("S0"), statement("S1")], &edges);
        assert_eq!(drawn.matches("class=\"edge flow\"").count(), 2);
        assert_eq!(drawn.matches("class=\"node\"").count(), 2);
        assert!(drawn.contains("S0 before S1, through x (anti)"), "{drawn}");
        let many: Vec<Statement> = (0..20).map(|n| statement(&format!("S{n}"))).collect();
        assert!(!of(&many, &edges).contains("<svg"));
        assert_eq!(of(&many, &[]), "");
    }
}
