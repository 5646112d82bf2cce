//! Answers to a question that is asked of many sets, of which most are the same: the iterations of statements side by side.

use super::{Error, Set};
use std::cell::RefCell;

/// What was answered for which set.
#[derive(Debug)]
pub struct PerSet<T>(RefCell<Vec<(Set, T)>>);

impl<T> Default for PerSet<T> {
    fn default() -> PerSet<T> {
        PerSet(RefCell::default())
    }
}

impl<T: Clone> PerSet<T> {
    /// The answer for a set: that for one which is written alike, or that of `ask`.
    pub fn answer<E: From<Error>>(
        &self,
        set: &Set,
        ask: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(known) = self.known(set)? {
            return Ok(known);
        }
        let answer = ask()?;
        self.0.borrow_mut().push((set.clone(), answer.clone()));
        Ok(answer)
    }

    /// How many sets there are answers for.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn known(&self, set: &Set) -> Result<Option<T>, Error> {
        let all = self.0.borrow();
        // Mostly it is the same object; comparing others brings both into a normal form.
        if let Some((_, answer)) = all.iter().find(|(s, _)| s.is_same(set)) {
            return Ok(Some(answer.clone()));
        }
        for (asked, answer) in all.iter() {
            if asked.plain_is_equal(set)? {
                return Ok(Some(answer.clone()));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;

    #[test]
    fn each_set_is_asked_once() {
        let ctx = Ctx::new();
        let (answers, mut asked) = (PerSet::default(), 0);
        let mut ask = |text| {
            let set = Set::parse(&ctx, text).unwrap();
            let answer = || {
                asked += 1;
                set.is_empty()
            };
            answers.answer(&set, answer).unwrap()
        };
        assert!(!ask("{ [i] : 0 <= i < 4 }"));
        assert!(ask("{ [i] : 4 <= i < 4 }"));
        assert!(!ask("{ [i] : 0 <= i < 4 }"));
        assert!(!ask("{ [i] : i < 4 and i >= 0 }"));
        assert_eq!((asked, answers.len()), (2, 2));
    }
}
