//! The points of `F`: orders of classes of groups, counted without listing them, and listed one by one.
//!
//! An order is built from its first class on. The groups that are placed decide what may come next: a class of the rest that may share a loop and waits for nothing outside of itself and of
//! them. So there are as many continuations as the set of placed groups has, and counting remembers one number for each set.

use super::level::{Groups, Level};
use polytile_analysis::poly::Result;
use std::collections::BTreeMap;

/// What counting and listing may look at: sets of placed groups with a next class.
pub const LIMIT: u64 = 200_000;

/// The number of points of a level; `None` if that takes more than [`LIMIT`].
///
/// # Errors
/// Those of deciding which classes may share a loop.
pub(super) fn count(level: &mut Level) -> Result<Option<u128>> {
    let mut counter = Counter {
        level,
        known: BTreeMap::new(),
        left: LIMIT,
    };
    counter.from(0)
}

struct Counter<'l, 'a, 's> {
    level: &'l mut Level<'a, 's>,
    /// Per set of placed groups: how many ways there are to go on.
    known: BTreeMap<Groups, u128>,
    left: u64,
}

impl Counter<'_, '_, '_> {
    fn from(&mut self, placed: Groups) -> Result<Option<u128>> {
        if let Some(known) = self.known.get(&placed) {
            return Ok(Some(*known));
        }
        let all = all(self.level.groups().len());
        if placed == all {
            return Ok(Some(1));
        }
        let mut sum = 0u128;
        for class in next_classes(self.level, placed, &mut self.left)? {
            let Some(left) = self.left.checked_sub(1) else {
                return Ok(None);
            };
            self.left = left;
            let Some(ways) = self.from(placed | class)? else {
                return Ok(None);
            };
            let Some(more) = sum.checked_add(ways) else {
                return Ok(None);
            };
            sum = more;
        }
        if self.left == 0 {
            return Ok(None);
        }
        self.known.insert(placed, sum);
        Ok(Some(sum))
    }
}

/// All groups.
pub(super) fn all(groups: usize) -> Groups {
    (1 << groups) - 1
}

/// The classes that may come right behind some placed groups. Groups are in a topological order, so each class is met once, by its groups in ascending order.
fn next_classes(level: &mut Level, placed: Groups, left: &mut u64) -> Result<Vec<Groups>> {
    let mut found = vec![];
    // Classes with the number of the first group that may be added to them.
    let mut pending = vec![(0, 0)];
    while let Some((class, from)) = pending.pop() {
        for g in from..level.groups().len() {
            let free = placed >> g & 1 == 0;
            if !free || level.before()[g] & !(placed | class) != 0 {
                continue;
            }
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(found);
            }
            let larger = class | 1 << g;
            if level.is_fusable(larger)? {
                found.push(larger);
                pending.push((larger, g + 1));
            }
        }
    }
    Ok(found)
}

/// The points one by one, each as its classes in order, until `each` says false or [`LIMIT`] is reached; whether all were met.
///
/// # Errors
/// Those of deciding which classes may share a loop.
pub(super) fn each(level: &mut Level, each: &mut dyn FnMut(&[Groups]) -> bool) -> Result<bool> {
    let mut left = LIMIT;
    follow(level, &mut vec![], &mut left, each)
}

fn follow(
    level: &mut Level,
    classes: &mut Vec<Groups>,
    left: &mut u64,
    each: &mut dyn FnMut(&[Groups]) -> bool,
) -> Result<bool> {
    let placed = classes.iter().fold(0, |all, c| all | c);
    if placed == all(level.groups().len()) {
        return Ok(each(classes));
    }
    for class in next_classes(level, placed, left)? {
        classes.push(class);
        let more = follow(level, classes, left, each)?;
        classes.pop();
        if !more {
            return Ok(false);
        }
    }
    Ok(*left > 0)
}
