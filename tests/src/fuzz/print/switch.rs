//! Chains of conditions on one index as `switch` statements.

use super::Printer;
use crate::fuzz::program::{Condition, Index, Relation, Statement};

impl Printer<'_> {
    /// A chain of conditions on one index, as a `switch`.
    pub(super) fn switch(&mut self, depth: usize, first: (&Condition, &[Statement], &[Statement])) {
        let (condition, mut then, mut otherwise) = first;
        let Condition::Compare(index, Relation::Equal, mut value) = condition.clone() else {
            unreachable!("a switch compares");
        };
        let text = self.spell(&index, !self.is_natural(&index));
        self.line(depth, &format!("switch ({text}) {{"));
        loop {
            let case = self.index(&value);
            self.line(depth, &format!("case {case}: {{"));
            self.block(depth + 1, then);
            self.line(depth, "} break;");
            match case_of(otherwise, &index) {
                Some((next, body, rest)) => (value, then, otherwise) = (next.clone(), body, rest),
                None => break,
            }
        }
        if !otherwise.is_empty() {
            self.line(depth, "default: {");
            self.block(depth + 1, otherwise);
            self.line(depth, "}");
        }
        self.line(depth, "}");
    }
}

/// The value, the statements and what follows, if one comparison of an index for equality with a constant is all there is.
fn case_of<'s>(
    statements: &'s [Statement],
    index: &Index,
) -> Option<(&'s Index, &'s [Statement], &'s [Statement])> {
    match statements {
        [Statement::If(Condition::Compare(left, Relation::Equal, value), then, otherwise)]
            if left == index =>
        {
            match value {
                Index::Linear(terms, 0..) if terms.is_empty() => Some((value, then, otherwise)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether two cases or more on one index follow each other, with different values.
pub(super) fn is_switch(statement: &Statement) -> bool {
    let Statement::If(Condition::Compare(index, Relation::Equal, _), ..) = statement else {
        return false;
    };
    let mut values: Vec<&Index> = vec![];
    let mut rest = std::slice::from_ref(statement);
    while let Some((value, _, otherwise)) = case_of(rest, index) {
        if values.contains(&value) {
            return false;
        }
        values.push(value);
        rest = otherwise;
    }
    values.len() > 1
}
