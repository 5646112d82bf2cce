//! Smaller programs that fail in the same way.
//!
//! Greedy: as long as some single simplification (a statement less, a loop or a condition replaced by its body, a run
//! less, a value replaced by a part of it, a plainer loop or array) still fails, it is adopted.

use std::collections::BTreeSet;

use super::generate::Generated;
use super::layout;
use super::program::{
    Element, Form, Program, Statement, Storage, Target, Update, Value, Width, visit_places,
};
use super::simulate;

/// Reduces a program as long as `still_fails` holds, with at most `trials` calls of it.
pub fn reduce(
    start: &Generated,
    mut trials: usize,
    still_fails: &mut dyn FnMut(&Generated) -> Result<bool, String>,
) -> Result<Generated, String> {
    let mut best = start.clone();
    'restart: loop {
        for candidate in candidates(&best.program) {
            let Some(candidate) = complete(candidate) else {
                continue;
            };
            if trials == 0 {
                return Ok(best);
            }
            trials -= 1;
            if still_fails(&candidate)? {
                best = candidate;
                continue 'restart;
            }
        }
        return Ok(best);
    }
}

/// The program with its layout, if it still has one.
fn complete(program: Program) -> Option<Generated> {
    let ranges = simulate::simulate(&program).ok()?;
    let layout = layout::layout(&program, &ranges)?;
    Some(Generated { program, layout })
}

/// All single simplifications, the large ones first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for run in 0..program.runs.len() {
        if program.runs.len() > 1 {
            let mut smaller = program.clone();
            smaller.runs.remove(run);
            all.push(smaller);
        }
    }
    for kind in [Edit::Remove, Edit::Unwrap, Edit::Plain, Edit::Value] {
        for at in 0..count(&program.body) {
            for choice in 0..kind.choices() {
                let mut smaller = program.clone();
                let editor = Editor {
                    program,
                    kind,
                    choice,
                };
                if editor.apply(&mut smaller.body, &mut { at }) && smaller.body != program.body {
                    all.push(smaller);
                }
            }
        }
    }
    all.extend(plainer_arrays(program));
    all
}

/// What is done to one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// It goes.
    Remove,
    /// A condition is replaced by one of its branches.
    Unwrap,
    /// A loop counts upwards by one in an int.
    Plain,
    /// An assigned value is replaced by one of its parts, or an update by a plain assignment.
    Value,
}

impl Edit {
    fn choices(self) -> usize {
        match self {
            Self::Remove | Self::Plain => 1,
            Self::Unwrap => 2,
            Self::Value => 5,
        }
    }
}

fn count(statements: &[Statement]) -> usize {
    statements
        .iter()
        .map(|statement| match statement {
            Statement::Loop(inner) => 1 + count(&inner.body),
            Statement::If(_, then, otherwise) => 1 + count(then) + count(otherwise),
            _ => 1,
        })
        .sum()
}

/// One edit of one program.
struct Editor<'a> {
    program: &'a Program,
    kind: Edit,
    choice: usize,
}

impl Editor<'_> {
    /// Edits the statement number `at` in preorder; false where the edit does not fit.
    fn apply(&self, statements: &mut Vec<Statement>, at: &mut usize) -> bool {
        for position in 0..statements.len() {
            if *at == 0 {
                return self.apply_here(statements, position);
            }
            *at -= 1;
            let bodies: Vec<&mut Vec<Statement>> = match &mut statements[position] {
                Statement::Loop(inner) => vec![&mut inner.body],
                Statement::If(_, then, otherwise) => vec![then, otherwise],
                _ => Vec::new(),
            };
            for body in bodies {
                let size = count(body);
                if *at < size {
                    return self.apply(body, at);
                }
                *at -= size;
            }
        }
        false
    }

    fn apply_here(&self, statements: &mut Vec<Statement>, position: usize) -> bool {
        match (self.kind, &mut statements[position]) {
            (Edit::Remove, _) => {
                statements.remove(position);
                true
            }
            (Edit::Unwrap, Statement::If(_, then, otherwise)) => {
                let branch = std::mem::take(if self.choice == 0 { then } else { otherwise });
                statements.splice(position..=position, branch);
                true
            }
            (Edit::Plain, Statement::Loop(inner)) => {
                (inner.form, inner.step, inner.width) = (Form::Up, 1, Width::I32);
                true
            }
            (Edit::Value, Statement::Assign(target, update, value)) if !self.is_tame(target) => {
                if self.choice == 4 {
                    *update = Update::Set;
                    return true;
                }
                let part = parts(value).into_iter().nth(self.choice);
                part.map(|part| *value = part).is_some()
            }
            _ => false,
        }
    }

    /// Tame integers keep their range only as a whole, so their values are not taken apart.
    fn is_tame(&self, target: &Target) -> bool {
        let element = match target {
            Target::Element(place) => self.program.arrays[place.array].element,
            Target::Scalar(id) => self.program.scalars[*id].element,
        };
        element == Element::I32
    }
}

/// The operands of a value that have its type.
fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Binary(_, left, right) | Value::Divide(left, right) => {
            vec![(**left).clone(), (**right).clone()]
        }
        Value::Apply(_, inner) => vec![(**inner).clone()],
        Value::Select(parts) => parts.to_vec(),
        _ => Vec::new(),
    }
}

/// Plain parameter arrays, no overlap, no inlining.
fn plainer_arrays(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for id in 0..program.arrays.len() {
        let mut smaller = program.clone();
        let array = &mut smaller.arrays[id];
        if array.overlap.take().is_some() {
            all.push(smaller);
        } else if array.storage != Storage::Variable && array.storage != Storage::Local {
            array.storage = Storage::Variable;
            all.push(smaller);
        }
    }
    all.extend(without_unaccessed(program));
    if program.inlined {
        all.push(Program {
            inlined: false,
            ..program.clone()
        });
    }
    all
}

/// Arrays that are never accessed become local ones, which are not printed.
fn without_unaccessed(program: &Program) -> Option<Program> {
    let mut needed = BTreeSet::new();
    visit_places(&program.body, &mut |place| {
        needed.insert(place.array);
        needed.extend(program.arrays[place.array].within());
    });
    let mut smaller = program.clone();
    for (id, array) in smaller.arrays.iter_mut().enumerate() {
        if !needed.contains(&id) {
            (array.storage, array.overlap) = (Storage::Local, None);
        }
    }
    (smaller != *program).then_some(smaller)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::generate::generate;
    use crate::fuzz::program::visit_places;

    #[test]
    fn a_reduced_program_keeps_what_fails_and_loses_the_rest() {
        // "Fails" where array 0 is accessed at all: one assignment in its loops remains.
        for seed in 0..20 {
            let start = generate(seed);
            let mut fails = |generated: &Generated| {
                let mut found = false;
                visit_places(&generated.program.body, &mut |place| {
                    found |= place.array == 0
                });
                Ok(found)
            };
            if !fails(&start).unwrap() {
                continue;
            }
            let small = reduce(&start, 10_000, &mut fails).unwrap();
            assert!(fails(&small).unwrap());
            assert!(
                count(&small.program.body) <= 5,
                "seed {seed}: {:?}",
                small.program.body
            );
            assert_eq!(small.program.runs.len(), 1);
        }
    }

    #[test]
    fn statements_are_counted_and_removed_in_preorder() {
        let program = generate(3).program;
        let total = count(&program.body);
        for at in 0..total {
            let mut body = program.body.clone();
            let editor = Editor {
                program: &program,
                kind: Edit::Remove,
                choice: 0,
            };
            assert!(editor.apply(&mut body, &mut { at }));
            assert!(count(&body) < total);
        }
    }
}
