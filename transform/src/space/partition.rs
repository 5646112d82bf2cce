//! Acyclic partitions: the points of `F` without the order of classes that depend on nothing of each other.
//!
//! `F` counts orders of classes, so independent classes multiply its points, and programs that differ in nothing else take the same time. What is worth a look is which groups share a loop: a
//! partition whose classes wait for each other without a cycle. One of its orders is taken, the first one by the text.

use super::level::{Groups, Level, members};
use polytile_analysis::poly::Result;

/// A partition of the groups of a level, its classes in an order that respects dependences.
pub type Partition = Vec<Groups>;

/// What was found of the partitions of a level.
#[derive(Clone, Debug, Default)]
pub struct Partitions {
    /// In the order of their enumeration: groups join the classes before them first, so fused ones come first.
    pub list: Vec<Partition>,
    /// Whether there may be more.
    pub more: bool,
}

/// The acyclic partitions of a level into classes that may share a loop, at most `limit` of them.
///
/// # Errors
/// Those of deciding which classes may share a loop.
pub(super) fn acyclic(level: &mut Level, limit: usize) -> Result<Partitions> {
    let mut found = Partitions::default();
    // Each step looks at one place for one group.
    let mut left = limit.saturating_mul(STEPS);
    extend(level, 0, &mut vec![], (limit, &mut left), &mut found)?;
    Ok(found)
}

/// Steps for each partition that may be found.
const STEPS: usize = 64;

fn extend(
    level: &mut Level,
    group: usize,
    classes: &mut Vec<Groups>,
    (limit, left): (usize, &mut usize),
    found: &mut Partitions,
) -> Result<()> {
    if group == level.groups().len() {
        if let Some(order) = ordered(level, classes) {
            match found.list.len() < limit {
                true => found.list.push(order),
                false => found.more = true,
            }
        }
        return Ok(());
    }
    for at in 0..=classes.len() {
        if found.more {
            return Ok(());
        }
        let Some(less) = left.checked_sub(1) else {
            found.more = true;
            return Ok(());
        };
        *left = less;
        if at == classes.len() {
            classes.push(1 << group);
            extend(level, group + 1, classes, (limit, left), found)?;
            classes.pop();
        } else if level.is_fusable(classes[at] | 1 << group)? {
            classes[at] |= 1 << group;
            extend(level, group + 1, classes, (limit, left), found)?;
            classes[at] &= !(1 << group);
        }
    }
    Ok(())
}

/// The classes in an order that respects dependences, ties by their first group; `None` if they wait for each other.
fn ordered(level: &Level, classes: &[Groups]) -> Option<Partition> {
    let mut left = classes.to_vec();
    let mut order = vec![];
    let mut placed = 0;
    while !left.is_empty() {
        let ready = |c: &Groups| {
            let waits = members(*c).fold(0, |all, g| all | level.direct()[g]);
            waits & !(placed | c) == 0
        };
        let next = left.iter().position(ready)?;
        let class = left.remove(next);
        placed |= class;
        order.push(class);
    }
    Some(order)
}
