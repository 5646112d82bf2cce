//! Marks: decisions for code generation that are not about order.
//!
//! ```text
//! register_tile [0,0,0] { stmt: S1, row: 0, rows: 8, lane: 1, vectors: 3, lanes: 8, reduction: 2 }
//! pack [0,0,0] { stmt: S1, side: row, operands: [ 2 ], member: 0, width: 8, reduction: 2 }
//! private [0] [ 3 ]       threads of the loop have copies of the temporary array 3
//! contracted [0] [ 3 ]    lanes keep what they write to array 3 in a panel of their own
//! strips [0,0] [ 3 ]      what is added to cells of array 3 is computed for a strip of iterations in lanes, then added in order
//! ```
//!
//! A mark goes right above its node, below the marks that are there. Members are counted in the tile band right above. Each has
//! conditions of its own, which the legality check asks.

use super::surgery::{edit, edit_marked};
use super::{Address, Applied, State, Step, Structure};
use polytile_analysis::text::schedule::{mark_of, mark_text};
use polytile_analysis::tree::{Mark, Tree};
use std::fmt;

/// Puts a mark above a node.
#[derive(Clone, Debug)]
pub struct Put {
    /// The node.
    pub at: Address,
    /// The mark.
    pub mark: Mark,
}

impl Step for Put {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit(&state.schedule, &self.at, &mut |tree, _| {
            Ok(Tree::Mark(self.mark.clone(), Box::new(tree.clone())))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        Some(vec![Box::new(Unmark(self.at.clone()))])
    }
}

impl Put {
    /// From the words of a command: its name and the rest.
    pub fn of(at: &Address, name: &str, rest: &str) -> Applied<Put> {
        let wrong = |e| Structure::Unknown(format!("{name}: {e}"));
        Ok(Put {
            at: at.clone(),
            mark: mark_of(name, rest).map_err(wrong)?,
        })
    }
}

/// Takes the innermost mark above a node away.
#[derive(Clone, Debug)]
pub struct Unmark(pub Address);

impl Step for Unmark {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit_marked(&state.schedule, &self.0, &mut |tree, _| {
            without_last(tree)
                .ok_or_else(|| Structure::NoSuch(format!("mark at {}", self.0)).into())
        })?;
        Ok(state.with(schedule))
    }
}

fn without_last(tree: &Tree) -> Option<Tree> {
    match tree {
        Tree::Mark(m, child) => Some(match without_last(child) {
            Some(below) => Tree::Mark(m.clone(), Box::new(below)),
            None => (**child).clone(),
        }),
        _ => None,
    }
}

impl fmt::Display for Put {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, rest) = mark_text(&self.mark);
        write!(f, "{name} {} {rest}", self.at)
    }
}

impl fmt::Display for Unmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unmark {}", self.0)
    }
}
