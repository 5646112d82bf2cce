//! What only says that numbers are those of a machine: `-2^31 <= n < 2^31`.
//!
//! It bounds no loop of a program, but is a row of every system that isl solves, and its constants grow to numbers of several words there. The
//! loops of a nest with 19 parameters took three times as long with it.

use super::{BasicSet, Constraint, Result, Set};

/// A constant in a constraint beyond this says where a machine integer ends, not what the program does.
const MACHINE_BOUND: i64 = 1 << 20;

impl Constraint {
    /// Whether it only says that numbers are those of a machine.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn is_machine_bound(&self) -> Result<bool> {
        let size = self.constant_val()?.abs()?.as_i64();
        Ok(size.is_none_or(|v| v >= MACHINE_BOUND))
    }

    /// Whether it does not hold where all numbers are zero: with a large constant, some number is large.
    fn excludes_zero(&self) -> Result<bool> {
        let sign = self.constant_val()?.sign();
        Ok(sign < 0 || (sign > 0 && self.is_equality()))
    }
}

impl BasicSet {
    /// A superset: without what only says that numbers are those of a machine.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn without_machine_bounds(&self) -> Result<BasicSet> {
        let mut kept = BasicSet::universe(&self.space()?)?;
        for c in self.constraints()? {
            if !c.is_machine_bound()? {
                kept = kept.add_constraint(&c)?;
            }
        }
        Ok(kept)
    }

    /// Another superset: nothing but what says that numbers leave those of a machine; itself if that is nothing. For sets without divisions.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn beyond_machine_bounds(&self) -> Result<BasicSet> {
        let mut kept = BasicSet::universe(&self.space()?)?;
        let mut any = false;
        for c in self.constraints()? {
            if c.is_machine_bound()? && c.excludes_zero()? {
                kept = kept.add_constraint(&c)?;
                any = true;
            }
        }
        Ok(if any { kept } else { self.clone() })
    }
}

impl Set {
    /// The same of a set of one piece; itself where it has several, or divisions.
    ///
    /// # Errors
    /// A limit on the work.
    pub fn without_machine_bounds(&self) -> Result<Set> {
        match self.one_piece()? {
            Some(piece) => piece.without_machine_bounds()?.to_set(),
            None => Ok(self.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::poly::{Ctx, Set};

    #[test]
    fn bounds_of_the_program_are_kept() {
        let ctx = Ctx::new();
        let set = |text: &str| Set::parse(&ctx, &format!("[n, m] -> {{ : {text} }}")).unwrap();
        let some = set("-2147483648 <= n <= 2147483647 and 3 <= m <= n and n + m < 2147483648");
        let left = some.without_machine_bounds().unwrap();
        assert!(left.is_equal(&set("3 <= m <= n")).unwrap());
        let beyond = |text: &str| {
            let parts = set(text).basic_sets().unwrap();
            parts[0].beyond_machine_bounds().unwrap().to_set().unwrap()
        };
        let large = beyond("n >= 2147483648 and m >= 3");
        assert!(large.is_equal(&set("n >= 2147483648")).unwrap());
        let small = "n < 0 and 0 < m <= 1152921504606846975";
        assert!(beyond(small).is_equal(&set(small)).unwrap());
        let cases = set("n >= 3 or m >= 2147483648");
        assert!(
            cases
                .without_machine_bounds()
                .unwrap()
                .is_equal(&cases)
                .unwrap()
        );
    }
}
