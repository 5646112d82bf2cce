//! Pictures of iteration domains: a square for each iteration of the two outermost loops, coloured by when it first runs, the original
//! beside the winner, and a slider in time. Tiles show as what runs together.

use super::html::escaped;
use polytile_records::Picture;
use std::fmt::Write;

/// Pixels of a square.
const SQUARE: i64 = 12;

/// What moves the sliders of the page; nothing else is a script.
pub const SCRIPT: &str = "\
for (const slider of document.querySelectorAll('input.time')) {
  const cells = slider.closest('.orders').querySelectorAll('rect[data-at]');
  const show = () => { for (const c of cells) c.style.opacity = +c.dataset.at < +slider.value / slider.max ? 1 : .12; };
  slider.addEventListener('input', show);
}
";

/// The pictures of a region before and after; empty if there are none.
pub fn of(before: &[Picture], after: &[Picture]) -> String {
    let mut out = String::new();
    for new in after {
        let Some(old) = before.iter().find(|p| p.statement == new.statement) else {
            continue;
        };
        let head = format!("{} for {}", new.statement, new.at);
        let _ = write!(
            out,
            "<div class=\"orders\"><p>{}: the outer iterator goes down, the inner one to the right; early iterations are blue, late ones red.</p>\n\
             <label>time <input class=\"time\" type=\"range\" min=\"0\" max=\"1000\" value=\"1000\"/></label>\n<div class=\"pair\">",
            escaped(&head)
        );
        out += &figure("before", old);
        out += &figure("after", new);
        out += "</div></div>\n";
    }
    out
}

fn figure(what: &str, picture: &Picture) -> String {
    let ends = |axis: usize| {
        let all = picture.cells.iter().map(|c| c[axis]);
        (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
    };
    let ((top, bottom), (left, right)) = (ends(0), ends(1));
    let (width, height) = ((right - left + 1) * SQUARE, (bottom - top + 1) * SQUARE);
    let mut out = format!(
        "<figure><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"order {what}\">\n"
    );
    let count = picture.cells.len().max(1) as f64;
    for (rank, [i, j]) in picture.cells.iter().enumerate() {
        let at = rank as f64 / count;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"hsl({:.0} 75% 55%)\" data-at=\"{at:.4}\"><title>{i}, {j}: number {}</title></rect>",
            (j - left) * SQUARE,
            (i - top) * SQUARE,
            SQUARE - 1,
            SQUARE - 1,
            220.0 + 140.0 * at,
            rank + 1
        );
    }
    let _ = writeln!(out, "</svg><figcaption>{what}</figcaption></figure>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_coloured_by_time() {
        let picture = |cells: &[[i64; 2]]| Picture {
            statement: "S0".into(),
            at: "n = 2".into(),
            cells: cells.to_vec(),
        };
        let before = picture(&[[0, 0], [0, 1], [1, 0]]);
        let after = picture(&[[0, 0], [1, 0], [0, 1]]);
        let drawn = of(&[before], &[after]);
        assert_eq!(drawn.matches("data-at").count(), 6);
        assert_eq!(drawn.matches("x=\"12\" y=\"0\"").count(), 2);
        assert!(drawn.contains("<title>0, 1: number 2</title>"), "{drawn}");
        assert!(drawn.contains("<title>0, 1: number 3</title>"), "{drawn}");
        assert!(drawn.contains("S0 for n = 2"), "{drawn}");
        assert_eq!(of(&[], &[picture(&[[0, 0]])]), "");
    }
}
