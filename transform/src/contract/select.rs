//! Which nests run row by row: [`selected`].

use super::distances::{Apart, Between, between};
use super::windows::{is_dead, window};
use super::{Member, Rows, Window};
use crate::expand::users;
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::Result;
use polytile_analysis::scop::{Scop, Stmt};
use std::ops::RangeInclusive;

/// A window of more rows is no less than what a cache would have to hold anyway.
const MOST_ROWS: i64 = 32;

/// Rows of a block for each row that is computed again.
const ROWS_PER_LEAD: i64 = 16;

/// Rows of a block, at least and at most: few enough for a share of them for each thread.
const BLOCK: [i64; 2] = [64, 128];

/// The nests with dead arrays that may run row by row, list by list. What is returned is a proposal: whether it keeps all values is asked where
/// it is carried out.
pub fn selected(scop: &Scop, deps: &Dependences) -> Result<Vec<Rows>> {
    let mut found = vec![];
    for (around, first, last) in lists(scop)? {
        if let Some(rows) = rows(scop, deps, around, (&first, last))? {
            found.push(rows);
        }
    }
    Ok(found)
}

/// Nests of a list, from the first user of an array to its last one: the loops around them, the position of the first nest, and that of the
/// last one.
type List = (usize, Vec<i64>, i64);

/// The lists of nests that hand a dead array on to each other.
fn lists(scop: &Scop) -> Result<Vec<List>> {
    let mut found: Vec<List> = vec![];
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        if !is_dead(scop, array) {
            continue;
        }
        let Some((around, first, last)) = span(scop, array) else {
            continue;
        };
        if window(scop, array, around)?.is_none() {
            continue;
        }
        let mut own = (around, first, last);
        // What it meets becomes one with it.
        while let Some(at) = found.iter().position(|other| meet(&own, other)) {
            let other = found.swap_remove(at);
            own.1[around] = own.1[around].min(other.1[around]);
            own.2 = own.2.max(other.2);
        }
        found.push(own);
    }
    Ok(found)
}

/// Whether two spans of one list have a nest in common.
fn meet(a: &List, b: &List) -> bool {
    let around = a.0;
    around == b.0 && a.1[..around] == b.1[..around] && a.1[around] <= b.2 && b.1[around] <= a.2
}

/// The list whose nests access an array: several ones, each a loop with more inside.
fn span(scop: &Scop, array: ArrayId) -> Option<List> {
    let all: Vec<&Stmt> = users(scop, array).collect();
    let first = all.first()?;
    let shared = |s: &&Stmt| {
        let both = first.beta.iter().zip(&s.beta);
        both.take_while(|(a, b)| a == b).count()
    };
    let around = all.iter().map(shared).min()?;
    let deep = all.iter().all(|s| s.depth() > around);
    if !deep || !all.iter().any(|s| s.depth() > around + 1) {
        return None;
    }
    let positions = all.iter().map(|s| s.beta[around]);
    let (least, most) = (positions.clone().min()?, positions.max()?);
    let mut prefix = first.beta[..=around].to_vec();
    prefix[around] = least;
    (least < most).then_some((around, prefix, most))
}

/// The rows of a list of nests; `None` where they cannot follow each other, or no array becomes smaller.
fn rows(
    scop: &Scop,
    deps: &Dependences,
    around: usize,
    (first, last): (&[i64], i64),
) -> Result<Option<Rows>> {
    let positions = first[around]..=last;
    let stmts: Vec<&Stmt> = (scop.stmts.iter())
        .filter(|s| s.beta.get(..around) == Some(&first[..around]))
        .filter(|s| s.beta.get(around).is_some_and(|b| positions.contains(b)))
        .collect();
    if stmts.iter().any(|s| s.depth() <= around) {
        return Ok(None);
    }
    let ids: Vec<StmtId> = stmts.iter().map(|s| s.id).collect();
    let mut windows = vec![];
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let mut own = users(scop, array).peekable();
        if own.peek().is_some() && own.all(|s| ids.contains(&s.id)) && is_dead(scop, array) {
            windows.extend(window(scop, array, around)?);
        }
    }
    let arrays: Vec<ArrayId> = windows.iter().map(|w| w.array).collect();
    let mut found = vec![];
    for d in deps.ordering(false) {
        if !ids.contains(&d.src) || !ids.contains(&d.dst) {
            continue;
        }
        match between(d, &arrays, around)? {
            Between::Nothing => {}
            Between::Rows(apart) => found.push(apart),
            Between::All => return Ok(None),
        }
    }
    let members = members(&stmts, around, positions);
    Ok(
        settled(scop, members, windows, &found).map(|(members, windows)| {
            let lead = members.iter().map(|m| m.lead).max().unwrap_or(0);
            Rows {
                around,
                members,
                windows,
                // Threads take iterations of a loop around.
                block: (lead > 0 && around == 0).then(|| block(lead)),
            }
        }),
    )
}

/// The statements with the numbers of their nests, not shifted yet.
fn members(stmts: &[&Stmt], around: usize, positions: RangeInclusive<i64>) -> Vec<Member> {
    let used = |p: &i64| stmts.iter().any(|s| s.beta[around] == *p);
    let nests: Vec<i64> = positions.filter(used).collect();
    let nest = |s: &Stmt| nests.iter().position(|p| *p == s.beta[around]);
    let member = |s: &&Stmt| Member {
        stmt: s.id,
        nest: nest(s).expect("it is in one"),
        shift: 0,
        lead: 0,
    };
    stmts.iter().map(member).collect()
}

/// Members with their shifts and leads, and windows with their rows; `None` where a window would be too large, or nothing becomes smaller.
fn settled(
    scop: &Scop,
    mut members: Vec<Member>,
    mut windows: Vec<Window>,
    found: &[Apart],
) -> Option<(Vec<Member>, Vec<Window>)> {
    let at = |id: StmtId, all: &[Member]| all.iter().position(|m| m.stmt == id);
    let nests = members.iter().map(|m| m.nest).max()? + 1;
    let mut shifts = vec![0; nests];
    for to in 0..nests {
        for d in found {
            let (src, dst) = (
                &members[at(d.src, &members)?],
                &members[at(d.dst, &members)?],
            );
            if dst.nest == to && src.nest < to {
                shifts[to] = shifts[to].max(shifts[src.nest] - d.least);
            }
        }
    }
    for m in &mut members {
        m.shift = shifts[m.nest];
    }
    let reach = |d: &Apart, all: &[Member]| {
        let (src, dst) = (&all[at(d.src, all)?], &all[at(d.dst, all)?]);
        Some(d.most? + dst.shift - src.shift)
    };
    // Where a value is needed any number of rows later there is no window, and the nests stay as they are.
    for w in &mut windows {
        let writes = |d: &&Apart| scop.stmt(d.src).writes_to(w.array);
        let reads = |d: &&Apart| scop.stmt(d.dst).reads().iter().any(|r| r.array == w.array);
        for d in found.iter().filter(|d| d.flow).filter(writes).filter(reads) {
            let rows = reach(d, &members)? + 1;
            w.rows = w.rows.max(
                u64::try_from(rows)
                    .ok()?
                    .next_power_of_two()
                    .try_into()
                    .ok()?,
            );
        }
        if w.rows > MOST_ROWS {
            return None;
        }
    }
    let arrays: Vec<ArrayId> = windows.iter().map(|w| w.array).collect();
    leads(scop, &mut members, &arrays, found)?;
    let smaller = |w: &Window| scop.array(w.array).dead;
    windows.iter().any(smaller).then_some((members, windows))
}

/// How many rows each statement computes again in front of a block, from those that take its values: all of it, or none where others see what it
/// writes.
fn leads(scop: &Scop, members: &mut [Member], windows: &[ArrayId], found: &[Apart]) -> Option<()> {
    let at = |id: StmtId, all: &[Member]| all.iter().position(|m| m.stmt == id);
    let hidden = |id: StmtId| {
        scop.stmt(id)
            .writes()
            .iter()
            .all(|w| windows.contains(&w.array))
    };
    // A value goes through each statement once, or there is no end.
    for _ in 0..=members.len() {
        let mut settled = true;
        for d in found.iter().filter(|d| d.flow && hidden(d.src)) {
            let (src, dst) = (at(d.src, members)?, at(d.dst, members)?);
            let rows = members[dst].lead + d.most? + members[dst].shift - members[src].shift;
            if rows > members[src].lead {
                members[src].lead = rows;
                settled = false;
            }
        }
        if settled {
            return Some(());
        }
    }
    // Each row takes one before: all of them in one go.
    members.iter_mut().for_each(|m| m.lead = 0);
    Some(())
}

/// Rows of a block with so many rows in front of it.
fn block(lead: i64) -> i64 {
    let wanted = (lead * ROWS_PER_LEAD).clamp(BLOCK[0], BLOCK[1]);
    wanted.unsigned_abs().next_power_of_two().cast_signed()
}
