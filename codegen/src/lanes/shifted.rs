//! What lanes of a diagonal hand on, from step to step and from lane to lane.
//!
//! Lane `s` of step `x` is the point `(x, s)` of two loops. If an access reaches in `(x, s)` the element that another one
//! reached in `(x - d, s - e)`, its address lies `d` gains of a step and `e` gains of a lane behind:
//!
//! ```text
//! a[i][j] = f(a[i-1][j], a[i][j-1], ..)      x = i + j, s = i:   a[i][j-1] is (1, 0) behind the write, a[i-1][j] (1, 1)
//! ```
//!
//! | `(d, e)` | where the value is |
//! |---|---|
//! | `(d, 0)`, `d >= 1` | in the register of the same lane, `d` steps old |
//! | `(0, 0)` behind the write of a statement before | what that one has just computed |
//! | `(d, 1)`, `d >= 1` | the same of the lane before: the vector shifted by a lane; the first lane reads memory |
//! | `d <= 0` behind the write, or farther | in memory: nothing in these diagonals writes it before |
//! | else behind the write | the loops do not run in diagonals |
//!
//! What a lane had before the first step is in memory, where its own read finds it, or that of the lane behind.
//!
//! This takes for granted that no element is written twice in the diagonals, and that no dependence reaches farther than
//! [`DIAGONAL_REACH`]: an address lies behind another one by at most one such pair, and the write that it belongs to is
//! the last one before the read.

use super::carried::{Chains, Initial, Point, Shift, address, all_accesses, rotation};
use super::held::Registers;
use super::values::{Lie, direction, lie};
use super::{Bundle, starts};
use crate::emit::Emitter;
use crate::ir::Value;
use crate::tile::gain::{Gain, access_gain};
use polytile_analysis::ast::{IterId, User};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::scop::{Access, Scop};
use polytile_analysis::tree::DIAGONAL_REACH;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Steps and lanes that an access is behind another one.
type Behind = (i64, i64);

/// How two accesses of an array lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Apart {
    /// The second one is behind by what a dependence may reach.
    Near(Behind),
    /// By more.
    Far,
    /// By a distance that is not seen.
    Unknown,
}

/// The elements that an access reaches.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Elements {
    /// Where they start, relative to the other accesses of the array.
    start: Gain,
    /// Bytes per step.
    step: i128,
    /// Per lane.
    lane: Gain,
}

impl Elements {
    /// By how many steps and lanes `other` is behind.
    fn apart(&self, other: &Elements) -> Apart {
        let apart = (self.start.clone()).add(&other.start.clone().scaled(-1));
        let mut found = Apart::Unknown;
        for e in -DIAGONAL_REACH.1..=DIAGONAL_REACH.1 {
            let left = (apart.clone()).add(&self.lane.clone().scaled(i128::from(-e)));
            if !left.symbolic.is_empty() {
                continue;
            }
            match i64::try_from(left.constant / self.step) {
                _ if left.constant % self.step != 0 => return Apart::Unknown,
                Ok(d) if d.abs() <= DIAGONAL_REACH.0 => return Apart::Near((d, e)),
                _ => found = Apart::Far,
            }
        }
        found
    }

    fn behind(&self, other: &Elements) -> Option<Behind> {
        match self.apart(other) {
            Apart::Near(behind) => Some(behind),
            Apart::Far | Apart::Unknown => None,
        }
    }
}

/// An access: user and number; number 0 is the write.
type Name = (usize, usize);

/// The chains of a loop over the first iterator around diagonals along the second. `None`: an element is handed on in a
/// way that has no form.
pub(super) fn chains(scop: &Scop, users: &[&User], iters: (IterId, IterId)) -> Option<Chains> {
    let arrays: BTreeSet<ArrayId> = all_accesses(scop, users).map(|(_, _, a)| a.array).collect();
    let written = |array| (users.iter()).any(|u| scop.stmt(u.stmt).write().array == array);
    let mut all = Chains::default();
    for array in arrays {
        match elements(scop, users, iters, array) {
            Some(found) => of_array(found, &mut all)?,
            None if written(array) => return None,
            None => {}
        }
    }
    Some(all)
}

/// The same for the elements of one array.
fn of_array(mut old: BTreeMap<Name, Elements>, all: &mut Chains) -> Option<()> {
    let writes: Vec<Name> = old.keys().copied().filter(|(_, n)| *n == 0).collect();
    if let Some(&name) = writes.first() {
        if writes.len() > 1 {
            return None;
        }
        let write = old.remove(&name)?;
        let mut new = BTreeMap::new();
        for (&(user, n), own) in &old {
            match write.apart(own) {
                Apart::Near((d, e)) if d >= 1 && (e == 0 || e == 1) => {
                    new.insert((user, n), (d, e));
                }
                Apart::Near((0, 0)) if user > name.0 => {
                    new.insert((user, n), (0, 0));
                }
                Apart::Near((d, e)) if d >= 1 || d == 0 && e != 0 => return None,
                Apart::Near(_) | Apart::Far => {}
                Apart::Unknown => return None,
            }
        }
        old.retain(|n, _| !new.contains_key(n));
        handed_on(name, &new, all);
    }
    all.old.extend(old.keys());
    let followers = |leader: Name| -> BTreeMap<Name, Behind> {
        let others = old.iter().filter(|(n, _)| **n != leader);
        let behind = others.filter_map(|(n, own)| Some((*n, old[&leader].behind(own)?)));
        let reached = |n: &Name, b: &Behind| match b {
            (0, 0) => n.0 > leader.0,
            (d, e) => (*e == 0 || *e == 1) && *d >= 1,
        };
        behind.filter(|(n, b)| reached(n, b)).collect()
    };
    let by_most = |n: &Name| (followers(*n).len(), Reverse(*n));
    if let Some(leader) = old.keys().copied().max_by_key(by_most) {
        handed_on(leader, &followers(leader), all);
    }
    Some(())
}

/// Rotations and shifts by which the value of an access reaches reads behind it.
fn handed_on(source: Name, behind: &BTreeMap<Name, Behind>, all: &mut Chains) {
    let readers = |lanes: i64, nearest: i64| -> Vec<Point> {
        let own = behind.iter().filter(|(_, (_, e))| *e == lanes);
        own.map(|(n, (d, _))| point(*n, nearest - d)).collect()
    };
    let shifted = behind.iter().filter(|(_, (_, e))| *e == 1);
    let nearest = shifted.map(|(n, (d, _))| (*d, *n)).min();
    let lead = nearest.map(|(d, n)| point(n, -d));
    let Some(own) = rotation(point(source, 0), &readers(0, 0), lead) else {
        return;
    };
    let (of, reach) = (all.rotations.len(), own.initial.len() as i64);
    all.rotations.push(own);
    let Some((distance, lead)) = nearest.filter(|(d, _)| *d <= reach) else {
        return;
    };
    let (at_once, later): (Vec<Point>, Vec<Point>) =
        (readers(1, distance).into_iter()).partition(|p| p.ahead == 0);
    all.shifts.extend(at_once.iter().map(|p| Shift {
        read: (p.user, p.access),
        of,
        distance: distance as u32,
    }));
    all.rotations.extend(rotation(point(lead, 0), &later, None));
}

fn point((user, access): Name, ahead: i64) -> Point {
    Point {
        user,
        access,
        ahead,
    }
}

/// What the accesses to an array reach, if all of them move alike and their lanes lie apart.
fn elements(
    scop: &Scop,
    users: &[&User],
    (step, lane): (IterId, IterId),
    array: ArrayId,
) -> Option<BTreeMap<Name, Elements>> {
    let own: Vec<(usize, usize, &Access)> = all_accesses(scop, users)
        .filter(|(_, _, a)| a.array == array)
        .collect();
    let (user, _, first) = *own.first()?;
    let start = address(scop, users[user], first)?;
    let mut found = BTreeMap::new();
    for (user, n, a) in own {
        let (u, stmt) = (users[user], scop.stmt(users[user].stmt));
        let (step, lane) = (direction(u, step)?, direction(u, lane)?);
        let (lane, apart) = lie(scop, stmt, a, &lane)?;
        let gain = access_gain(scop, stmt, a, &step)?;
        let bytes = Some(gain.constant).filter(|b| *b != 0 && gain.symbolic.is_empty())?;
        let reach = i128::from(2 * DIAGONAL_REACH.0);
        let told_apart = !lane.symbolic.is_empty() || lane.constant.abs() > reach * bytes.abs();
        if apart != Lie::Apart || a.ty != first.ty || !told_apart {
            return None;
        }
        let elements = Elements {
            start: address(scop, u, a)?.behind(&start)?,
            step: bytes,
            lane,
        };
        found.insert((user, n), elements);
    }
    Some(found)
}

impl<'c> Emitter<'_, 'c> {
    /// What lanes take from the lanes before them, by user, access and vector: the first one of all from memory.
    pub(super) fn shifted(
        &mut self,
        b: Bundle<'c>,
        users: &[&User],
        registers: &Registers<'_, 'c>,
        state: &[Value<'c>],
    ) -> BTreeMap<(usize, usize, u32), Value<'c>> {
        let starts = starts(registers.rotations, b.vectors);
        let picks: Vec<u32> = (b.lanes - 1..2 * b.lanes - 1).collect();
        let mut found = BTreeMap::new();
        for s in registers.shifts {
            let (user, access) = s.read;
            let held = |v: u32| {
                state[starts[s.of] + ((s.distance - 1) * b.vectors + v) as usize]
                    .into_vector_value()
            };
            for v in 0..b.vectors {
                let before = match v.checked_sub(1) {
                    Some(before) => held(before),
                    None => self.last_lane(b, users[user], access),
                };
                let value = self.shuffle(before, held(v), &picks);
                found.insert((user, access, v), value.into());
            }
        }
        found
    }

    /// What a rotation holds before the first step, by vector.
    pub(super) fn before_the_first(
        &mut self,
        b: Bundle<'c>,
        users: &[&User],
        from: Initial,
    ) -> Vec<Value<'c>> {
        let (user, access) = from.read;
        let found: Vec<Value<'c>> = (0..b.vectors)
            .map(|v| self.bundle_read(b, users[user], v, access))
            .collect();
        if !from.lane_behind {
            return found;
        }
        // Nobody is behind the last lane.
        let picks: Vec<u32> = (1..=b.lanes).collect();
        let mut shifted = vec![];
        for (v, value) in found.iter().enumerate() {
            let own = value.into_vector_value();
            let next = found
                .get(v + 1)
                .map_or(own.get_type().get_poison(), |n| n.into_vector_value());
            shifted.push(self.shuffle(own, next, &picks).into());
        }
        shifted
    }

    /// What a read finds in the first lane of all, as the last lane of a vector.
    fn last_lane(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        access: usize,
    ) -> inkwell::values::VectorValue<'c> {
        let a = &self.scop.stmt(u.stmt).accesses[access];
        if let Some(inst) = a.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let at = self.bundle_at(b, u, 0);
        let value = self.read(a, &at);
        let none = self.vector_type(self.access_type(a), b.lanes).get_poison();
        let last = self.ir.int(i64::from(b.lanes) - 1);
        (self.ir.builder)
            .build_insert_element(none, value, last, "")
            .expect("builder misuse")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: i128, step: i128, lane: i128) -> Elements {
        let constant = |constant| Gain {
            constant,
            ..Gain::default()
        };
        Elements {
            start: constant(start),
            step,
            lane: constant(lane),
        }
    }

    /// Elements of rows of 100 doubles in diagonals of `x = i + j`: row and column.
    fn cell(i: i128, j: i128) -> Elements {
        at(800 * i + 8 * j, 8, 792)
    }

    fn named(list: &[(usize, Elements)]) -> BTreeMap<Name, Elements> {
        let each = list.iter().cloned();
        each.map(|(n, elements)| ((0, n), elements)).collect()
    }

    #[test]
    fn distances_are_steps_and_lanes() {
        assert_eq!(cell(0, 0).behind(&cell(0, -1)), Some((1, 0)));
        assert_eq!(cell(0, 0).behind(&cell(-1, 0)), Some((1, 1)));
        assert_eq!(cell(0, 0).behind(&cell(-1, -1)), Some((2, 1)));
        assert_eq!(cell(0, 0).behind(&cell(1, 1)), Some((-2, -1)));
        assert_eq!(cell(0, 0).apart(&cell(0, -20)), Apart::Far);
        let between = at(4, 8, 792);
        assert_eq!(cell(0, 0).apart(&between), Apart::Unknown);
    }

    #[test]
    fn the_row_above_is_shifted() {
        let mut all = Chains::default();
        let list = [
            (0, cell(0, 0)),
            (1, cell(-1, -1)),
            (2, cell(-1, 0)),
            (3, cell(0, -1)),
        ];
        assert_eq!(of_array(named(&list), &mut all), Some(()));
        let shift = Shift {
            read: (0, 2),
            of: 0,
            distance: 1,
        };
        assert_eq!(all.shifts, [shift]);
        assert_eq!(all.rotations.len(), 2);
        assert_eq!(all.rotations[0].reads, [(0, 3, 1)]);
        assert_eq!(
            (all.rotations[1].source, &all.rotations[1].reads[..]),
            ((0, 2), &[(0, 1, 1)][..])
        );
        assert!([1, 2, 3].into_iter().all(|n| all.in_register((0, n))));
    }

    #[test]
    fn statements_hand_on_to_those_behind_them() {
        // s: a[i][j] = .. a[i][j-1];  t: .. = a[i][j], a[i-1][j], a[i-1][j], a[i-1][j-1]
        let list = [
            ((0, 0), cell(0, 0)),
            ((0, 1), cell(0, -1)),
            ((1, 1), cell(0, 0)),
            ((1, 2), cell(-1, 0)),
            ((1, 3), cell(-1, 0)),
            ((1, 4), cell(-1, -1)),
        ];
        let mut all = Chains::default();
        assert_eq!(of_array(list.into_iter().collect(), &mut all), Some(()));
        assert_eq!(all.rotations[0].reads, [(0, 1, 1), (1, 1, 0)]);
        let shifts: Vec<Name> = all.shifts.iter().map(|s| s.read).collect();
        assert_eq!(shifts, [(1, 2), (1, 3)]);
        assert_eq!(all.rotations[1].reads, [(1, 4, 1)]);
        let two = [((0, 0), cell(0, 0)), ((1, 0), cell(0, -1))];
        assert_eq!(of_array(two.into_iter().collect(), &mut all), None);
    }

    #[test]
    fn what_a_statement_behind_writes_is_old() {
        let list = [
            ((0, 1), cell(0, 0)),
            ((1, 0), cell(0, 0)),
            ((1, 1), cell(0, -1)),
        ];
        let mut all = Chains::default();
        assert_eq!(of_array(list.into_iter().collect(), &mut all), Some(()));
        assert!(all.old.contains(&(0, 1)) && !all.in_register((0, 1)));
    }

    #[test]
    fn without_the_left_neighbour_the_lane_behind_finds_the_value() {
        let mut all = Chains::default();
        let list = [(0, cell(0, 0)), (1, cell(-1, 0))];
        assert_eq!(of_array(named(&list), &mut all), Some(()));
        let first = Initial {
            read: (0, 1),
            lane_behind: true,
        };
        assert_eq!(
            (&all.rotations[0].initial[..], &all.rotations[0].reads[..]),
            (&[first][..], &[][..])
        );
        assert!(all.in_register((0, 1)));
    }

    #[test]
    fn without_a_value_of_each_step_none_is_handed_on() {
        let mut all = Chains::default();
        let list = [(0, cell(0, 0)), (1, cell(-1, -1))];
        assert_eq!(of_array(named(&list), &mut all), Some(()));
        assert!(!all.in_register((0, 1)) && !all.old.contains(&(0, 1)));
    }

    #[test]
    fn what_comes_from_a_later_lane_has_no_form() {
        let mut all = Chains::default();
        // Two columns behind in the next row: written by lane 1 a step before.
        let list = [(0, cell(0, 0)), (1, cell(1, -2)), (2, cell(0, -1))];
        assert_eq!(of_array(named(&list), &mut all), None);
    }

    #[test]
    fn old_elements_follow_the_one_that_most_can_take() {
        let mut all = Chains::default();
        let list = [
            (0, cell(0, 0)),
            (1, cell(0, 1)),
            (2, cell(1, 0)),
            (3, cell(1, 1)),
            (4, cell(0, 2)),
        ];
        assert_eq!(of_array(named(&list), &mut all), Some(()));
        assert_eq!(all.rotations[0].source, (0, 3));
        assert_eq!(all.old.len(), 4);
        assert!(!all.in_register((0, 3)));
    }
}
