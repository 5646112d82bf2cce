//! Where subscripts leave their rows, asked once for all accesses that have the same one in the same iterations.
//!
//! ```text
//! x[k][j][i] = f(x[k][j][i+-1], x[k][j+-1][i], x[k+-1][j][i], b[k][j][i], b[k][j+1][i], ..)        three rows of each kind
//! ```
//!
//! A stencil over several arrays has some dozens of accesses and a handful of different subscripts.

use super::model::Model;
use super::reject::Reject;
use crate::poly::{self, PerSet, Set};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Answers by what was asked, with the iterations that they are for.
type Answers<T> = RefCell<BTreeMap<String, Rc<PerSet<T>>>>;

/// The parameter values for which a subscript leaves its row, in some iterations.
#[derive(Clone)]
pub(super) struct Outside {
    /// The same for the same values.
    pub id: usize,
    pub values: Set,
}

/// What is known of subscripts.
#[derive(Default)]
pub(super) struct Rows {
    below: Answers<bool>,
    outside: Answers<Outside>,
}

impl Rows {
    /// Whether a subscript is negative wherever an access runs.
    pub fn is_below(&self, model: &Model, domain: &Set, text: &str) -> Result<bool, Reject> {
        once(&self.below, text.to_owned(), domain, |_| {
            let inside = model.set(domain.tuple_dim(), &format!("{text} >= 0"))?;
            Ok(domain.intersect(&inside)?.is_empty()?)
        })
    }

    /// The parameter values for which a subscript leaves a row of `n` elements in one of these iterations.
    pub fn outside(
        &self,
        model: &Model,
        domain: &Set,
        (text, n): (&str, &str),
    ) -> Result<Outside, Reject> {
        let condition = format!("{text} < 0 or {text} >= {n}");
        once(&self.outside, condition.clone(), domain, |id| {
            let outside = model.set(domain.tuple_dim(), &condition)?;
            let values = possible(&domain.intersect(&outside)?)?;
            Ok(Outside { id, values })
        })
    }
}

/// The answer for some iterations: a known one, or that of `ask` with the number of those before it.
fn once<T: Clone>(
    answers: &Answers<T>,
    what: String,
    domain: &Set,
    ask: impl FnOnce(usize) -> Result<T, Reject>,
) -> Result<T, Reject> {
    let of_it = answers.borrow_mut().entry(what).or_default().clone();
    of_it.answer(domain, || {
        let id = answers.borrow().values().map(|asked| asked.len()).sum();
        ask(id)
    })
}

/// The parameter values for which a set has elements.
fn possible(set: &Set) -> poly::Result<Set> {
    without_remainders(set.params()?)
}

/// The same where only integers of some kind are in a set (every other cell of a row, by its colour), with those between them. Such sets
/// have parts for every remainder, and what is done with them takes many times as long. Quotients of parameters stay: that rows are
/// whole blocks of a tile is something to assume.
pub(super) fn without_remainders(set: Set) -> poly::Result<Set> {
    match set.involves_locals()? {
        true => set.remove_unknown_divs(),
        false => Ok(set),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;

    fn rest(text: &str) -> Set {
        without_remainders(Set::parse(&Ctx::new(), text).unwrap()).unwrap()
    }

    #[test]
    fn cells_of_a_colour_are_a_row_and_whole_tiles_are_none() {
        let colour = rest(
            "[n, c] -> { [x] : exists (k : 0 <= k < n and (x + k + c) mod 2 = 0 and 0 <= x < n) }",
        );
        let row = Set::parse(colour.ctx(), "[n, c] -> { [x] : 0 <= x < n }").unwrap();
        assert!(row.is_subset(&colour).unwrap());
        assert!(!colour.involves_locals().unwrap());
        let tiles = rest("[n] -> { [] : n mod 32 = 0 }");
        assert!(tiles.involves_locals().unwrap());
    }
}
