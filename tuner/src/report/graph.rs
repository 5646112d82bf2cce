//! The dependence graph of a region as a picture: statements in a row, an arc for each pair that has to keep its order, a loop above a
//! statement whose instances depend on each other.

use super::html::escaped;
use polytile_records::{Edge, Statement};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Pixels from one statement to the next.
const STEP: usize = 130;

/// Pixels of half a statement's box.
const HALF: (usize, usize) = (34, 16);

/// With more statements the picture says less than the list.
const MOST: usize = 12;

/// A list of dependences, with a picture if there are not too many statements; empty if there are no dependences.
pub fn of(statements: &[Statement], edges: &[Edge]) -> String {
    if edges.is_empty() {
        return String::new();
    }
    let picture = match statements.len() <= MOST {
        true => picture(statements, edges),
        false => String::new(),
    };
    picture + &list(edges)
}

fn list(edges: &[Edge]) -> String {
    let mut out = "<ul>\n".to_owned();
    for e in edges {
        let text = match e.from == e.to {
            true => format!(
                "{}: instances depend on earlier ones through {} ({})",
                e.from,
                named(&e.array),
                e.kind
            ),
            false => format!(
                "{} before {}, through {} ({})",
                e.from,
                e.to,
                named(&e.array),
                e.kind
            ),
        };
        let _ = writeln!(out, "<li>{}</li>", escaped(&text));
    }
    out + "</ul>\n"
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
    let pairs: BTreeMap<(usize, usize), ()> = edges
        .iter()
        .filter_map(|e| Some(((*at.get(e.from.as_str())?, *at.get(e.to.as_str())?), ())))
        .collect();
    let farthest = pairs.keys().map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let y = 50 + 26 * farthest;
    let (width, height) = (statements.len() * STEP, y + 50);
    let x = |i: usize| STEP / 2 + i * STEP;
    let mut out = format!(
        "<div class=\"wide\"><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"dependence graph\">\n\
         <defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\"><path class=\"tip\" d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n"
    );
    for (a, b) in pairs.keys() {
        let top = y - HALF.1;
        let (from, to) = (x(*a), x(*b));
        let path = match a == b {
            true => format!(
                "M{} {top} C{} {} {} {} {} {top}",
                from - 10,
                from - 26,
                top - 34,
                from + 26,
                top - 34,
                from + 10
            ),
            false => {
                let up = top - 26 * a.abs_diff(*b);
                format!("M{from} {top} C{from} {up} {to} {up} {to} {top}")
            }
        };
        let _ = writeln!(
            out,
            "<path class=\"edge\" d=\"{path}\" marker-end=\"url(#tip)\"/>"
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
    out + "</svg></div>\n"
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
        assert_eq!(drawn.matches("class=\"edge\"").count(), 2);
        assert_eq!(drawn.matches("class=\"node\"").count(), 2);
        assert!(drawn.contains("S0 before S1, through x (anti)"), "{drawn}");
        let many: Vec<Statement> = (0..20).map(|n| statement(&format!("S{n}"))).collect();
        assert!(!of(&many, &edges).contains("<svg"));
        assert_eq!(of(&many, &[]), "");
    }
}
