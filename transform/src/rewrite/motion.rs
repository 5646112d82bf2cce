//! Motion: the children of a list in another order.
//!
//! ```text
//! reorder [0,*] 1 0       for i { A(i); B(i) }            for i { B(i); A(i) }
//! reorder [*] 1 2 0       A; B; C                         B; C; A
//! ```
//!
//! New child `k` is the old child that is named in place `k`. The inverse permutation is the inverse step.

use super::surgery::{children, edit, listed};
use super::{Address, Applied, State, Step, Structure};
use std::fmt;

/// Permutes a list.
#[derive(Clone, Debug)]
pub struct Reorder {
    /// The list.
    pub at: Address,
    /// Old positions in their new order.
    pub order: Vec<usize>,
}

impl Step for Reorder {
    fn apply<'a>(&self, state: &State<'a>) -> Applied<State<'a>> {
        let schedule = edit(&state.schedule, &self.at, &mut |tree, domain| {
            let all = children(tree, domain)?;
            let mut sorted = self.order.clone();
            sorted.sort_unstable();
            if sorted != (0..all.len()).collect::<Vec<_>>() {
                return Err(Structure::NotAPermutation(format!(
                    "{} has the children 0 to {}",
                    self.at,
                    all.len() - 1
                ))
                .into());
            }
            Ok(listed(self.order.iter().map(|k| all[*k].clone()).collect()))
        })?;
        Ok(state.with(schedule))
    }

    fn inverse(&self, _: &State) -> Option<Vec<Box<dyn Step>>> {
        let mut order = vec![0; self.order.len()];
        for (new, old) in self.order.iter().enumerate() {
            *order.get_mut(*old)? = new;
        }
        Some(vec![Box::new(Reorder {
            at: self.at.clone(),
            order,
        })])
    }
}

impl fmt::Display for Reorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order: Vec<String> = self.order.iter().map(usize::to_string).collect();
        write!(f, "reorder {} {}", self.at, order.join(" "))
    }
}
