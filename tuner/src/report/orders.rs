//! Iterations in time: a square for each iteration along two of the three outermost loops, coloured by when it first runs, the original
//! beside the winner, with the borders of tiles and a slider. The page's script draws them ([`super::html`]); here is what it draws.

use super::html::{data, escaped};
use polytile_records::{Picture, Record};
use serde::Serialize;

/// A statement along two loops, before and after.
#[derive(Serialize)]
struct Slice<'r> {
    dims: [usize; 2],
    at: String,
    domain: &'r str,
    before: Order<'r>,
    after: Order<'r>,
}

/// The order of one program.
#[derive(Serialize)]
struct Order<'r> {
    cells: &'r [[i64; 2]],
    tiles: &'r [Vec<u32>],
}

impl<'r> From<&'r Picture> for Order<'r> {
    fn from(picture: &'r Picture) -> Order<'r> {
        Order {
            cells: &picture.cells,
            tiles: &picture.tiles,
        }
    }
}

/// The pictures of a region before and after; empty if there are none.
pub fn of(record: &Record) -> String {
    let [before, after] = &record.orders;
    let mut slices = vec![];
    let mut choices = String::new();
    // The first statement in the most loops says the most.
    let deepest = after.iter().map(|p| p.dims[1]).max().unwrap_or(0);
    let first = after.iter().find(|p| p.dims[1] == deepest);
    for new in after.iter().filter(|p| !p.cells.is_empty()) {
        let same = |p: &&Picture| p.statement == new.statement && p.dims == new.dims;
        let Some(old) = before.iter().find(same).filter(|p| !p.cells.is_empty()) else {
            continue;
        };
        let same = |p: &&Picture| p.statement == new.statement && new.dims == [0, 1];
        let selected = if first.is_some_and(|p| same(&p)) {
            " selected"
        } else {
            ""
        };
        choices += &format!(
            "<option value=\"{}\"{selected}>{}, loops {} and {}</option>",
            slices.len(),
            escaped(&new.statement),
            new.dims[0] + 1,
            new.dims[1] + 1
        );
        let named = |s: &&polytile_records::Statement| s.name == new.statement;
        slices.push(Slice {
            dims: new.dims,
            at: new.at.clone(),
            domain: record
                .statements
                .iter()
                .find(named)
                .map_or("", |s| &s.domain),
            before: old.into(),
            after: new.into(),
        });
    }
    match slices.is_empty() {
        true => String::new(),
        false => drawn(&choices, &slices),
    }
}

fn drawn(choices: &str, slices: &[Slice]) -> String {
    let figure = |what: &str| {
        format!(
            "<figure><h4>{what}</h4><div class=\"wide\"><svg class=\"{what}\" role=\"img\" aria-label=\"order {what}\"></svg></div></figure>"
        )
    };
    let tiled = |order: &Order| !order.tiles.is_empty();
    let lines = match slices.iter().any(|s| tiled(&s.before) || tiled(&s.after)) {
        true => " Lines are borders of tiles.",
        false => "",
    };
    format!(
        "<div class=\"orders\">\n<p class=\"dim\">Each square is an iteration, for small sizes (<span class=\"at\"></span>), coloured by when it first runs.{lines} Iteration domain: <code class=\"domain\"></code></p>\n\
         <div class=\"controls script\">\n<label>statement <select>{choices}</select></label>\n\
         <label class=\"time\">time <input class=\"time\" type=\"range\" min=\"0\" max=\"1\" value=\"1\"></label>\n\
         <output></output>\n<button type=\"button\" class=\"play\" aria-pressed=\"false\">play</button>\n</div>\n\
         <div class=\"pair\">\n{}\n{}\n</div>\n\
         <p class=\"scale\">first <span></span> last</p>\n{}<noscript><p>The pictures are drawn by the page's script.</p></noscript>\n</div>\n",
        figure("before"),
        figure("after"),
        data(&slices)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_records::Listed;

    #[test]
    fn both_orders_of_a_statement_are_drawn() {
        let picture = |statement: &str, cells: &[[i64; 2]]| Picture {
            statement: statement.into(),
            dims: [0, 1],
            at: "n = 2".into(),
            cells: cells.to_vec(),
            tiles: vec![],
        };
        let record = |before: Vec<Picture>, after: Vec<Picture>| Record {
            orders: [before, after],
            ..Record::of(&Listed::default(), 1, "")
        };
        let old = picture("S0", &[[0, 0], [0, 1], [1, 0]]);
        let new = picture("S0", &[[0, 0], [1, 0], [0, 1]]);
        let drawn = of(&record(vec![old], vec![new, picture("S1", &[[0, 0]])]));
        assert!(drawn.contains("<option value=\"0\" selected>S0, loops 1 and 2</option></select>"));
        assert!(drawn.contains("\"before\":{\"cells\":[[0,0],[0,1],[1,0]],\"tiles\":[]}"));
        assert_eq!(of(&record(vec![], vec![picture("S0", &[[0, 0]])])), "");
    }
}
