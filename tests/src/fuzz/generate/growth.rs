//! Which arrays and scalars really grow.
//!
//! A draft decides beforehand what may be summed into. In the end only what is summed into, directly or through memory it
//! shares or is copied from, counts as growing: reading the rest needs no scaling.

use crate::fuzz::program::{ArrayId, Operator, Program, Statement, Target, Update};

/// Clears the mark of everything that is never summed into.
pub(super) fn settle(program: &mut Program) {
    let mut found = Found {
        arrays: vec![false; program.arrays.len()],
        scalars: vec![false; program.scalars.len()],
        flows: Vec::new(),
    };
    found.collect(&program.body);
    for (id, array) in program.arrays.iter().enumerate() {
        let both_ways = |base: ArrayId| [(id, base), (base, id)];
        found
            .flows
            .extend(array.within().into_iter().flat_map(both_ways));
    }
    found.close();
    for (id, array) in program.arrays.iter_mut().enumerate() {
        array.growing &= found.arrays[id];
    }
    for (id, scalar) in program.scalars.iter_mut().enumerate() {
        scalar.growing &= found.scalars[id];
    }
}

struct Found {
    arrays: Vec<bool>,
    scalars: Vec<bool>,
    /// Raw contents flow from the first to the second.
    flows: Vec<(ArrayId, ArrayId)>,
}

impl Found {
    fn collect(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Loop(inner) => self.collect(&inner.body),
                Statement::If(_, then, otherwise) => {
                    self.collect(then);
                    self.collect(otherwise);
                }
                Statement::Assign(
                    target,
                    Update::Combine(Operator::Add | Operator::Subtract),
                    _,
                ) => match target {
                    Target::Element(place) => self.arrays[place.array] = true,
                    Target::Scalar(id) => self.scalars[*id] = true,
                },
                Statement::Copy(to, from, _) => self.flows.push((from.array, to.array)),
                Statement::Assign(..) | Statement::Clear(..) => {}
            }
        }
    }

    /// Follows the flows until nothing changes.
    fn close(&mut self) {
        loop {
            let spread = self
                .flows
                .iter()
                .find(|(from, to)| self.arrays[*from] && !self.arrays[*to])
                .copied();
            match spread {
                Some((_, to)) => self.arrays[to] = true,
                None => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::generate::generate;

    #[test]
    fn exactly_the_sums_grow() {
        let mut program = (0..)
            .map(|seed| generate(seed).program)
            .find(|p| p.arrays.iter().any(|a| a.growing));
        let program = program.as_mut().expect("some program sums");
        program
            .arrays
            .iter_mut()
            .for_each(|array| array.overlap = None);
        program.body.clear();
        settle(program);
        assert!(program.arrays.iter().all(|array| !array.growing));
    }
}
