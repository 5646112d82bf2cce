//! Unrolled loops rolled up again: copies of one statement at `m*x + 0, .., m*x + (m-1)` become one statement over `t = m*x + c`.
//!
//! Compilers unroll short inner loops before this pass (the three channels of a pixel), and people unroll by hand. What
//! comes is `m` statements with accesses of stride `m`, none of which is contiguous:
//!
//! ```text
//! for x < n:   { a[3x] = f(b[3x]);  a[3x+1] = f(b[3x+1]);  a[3x+2] = f(b[3x+2]) }
//! for t < 3n:    a[t] = f(b[t])
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `m` | [`Roll::copies`] |
//! | `g`, statements per iteration of the short loop | [`Roll::groups`] |
//! | `x`, the iterator | [`Roll::at`] |
//! | `F(i, t)`, an access or index of the new statement | that of copy 0 with its gain per iteration divided by `m` |
//!
//! The copies must be one expression tree ([`matching`]) with `F(i, m*x + c)` in copy `c`, on one domain, and they must be
//! all that the loop does. Two orders of the copies in the text are known:
//!
//! * copy by copy (`A0 B0 A1 B1 ..`): instances then run exactly as the short loop did, and nothing is left to prove;
//! * statement by statement (`A0 A1 .. B0 B1 ..`): the new order `(t, statement)` moves instances across each other. It is a
//!   schedule of the original statements, and it must pass [`legality::check`] against their dependences.
//!
//! Copies along an outer iterator (rows that were jammed by hand, `for i: for j: { y[2i] += ..; y[2i+1] += .. }`) are rolled up as
//! well, if the loop does nothing else; the order is always checked then. Blocks of rows and columns take one turn for each.

mod matching;
#[cfg(test)]
mod tests;
mod united;

pub use united::united;

use crate::expand::numbered;
use crate::legality;
use matching::{Copies, Pairing};
use polytile_analysis::deps;
use polytile_analysis::ids::{LoopId, ValueId};
use polytile_analysis::poly::{
    Aff, BasicSet, DimType, Error, LocalSpace, Map, PwAff, Result, Set, UnionPwAff, UnionSet,
};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Band, Branch, Schedule, Tree};
use std::collections::BTreeMap;

/// Whether two instructions are the same but for their operands.
pub type Alike<'a> = dyn Fn(ValueId, ValueId) -> bool + 'a;

/// Longer bodies are not unrolled loops of few statements, and matching them takes long.
const MAX_STATEMENTS: usize = 64;

/// The part of the budget for all of a SCoP; without an answer nothing is rolled up.
const SHARE: u64 = 15;

/// How the statements of a loop body are copies of a few.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Roll {
    /// The iterator `x`.
    at: usize,
    copies: usize,
    groups: usize,
    order: Order,
}

/// The order of the copies in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// All statements of copy 0, then those of copy 1, ..
    CopyByCopy,
    /// All copies of the first statement, then those of the second, ..
    StatementByStatement,
}

impl Roll {
    /// Statement and copy of the statement at a position of the text.
    fn of(&self, position: usize) -> (usize, usize) {
        match self.order {
            Order::CopyByCopy => (position % self.groups, position / self.groups),
            Order::StatementByStatement => (position / self.copies, position % self.copies),
        }
    }

    /// The position of copy 0 of a statement.
    fn first(&self, group: usize) -> usize {
        match self.order {
            Order::CopyByCopy => group,
            Order::StatementByStatement => group * self.copies,
        }
    }
}

/// `scop` with unrolled loops rolled up; `alike` compares the instructions behind operations and accesses.
pub fn reroll(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let _quota = scop.context.ctx().share(SHARE);
    let mut result = scop.clone();
    // One time for each iterator of a body at most, each halving it at least.
    loop {
        let before = result.stmts.len();
        result = match rolled(&result, alike) {
            Err(Error::Quota) => return Ok(result),
            rolled => rolled?,
        };
        if result.stmts.len() == before {
            return Ok(result);
        }
    }
}

fn rolled(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let mut result = scop.clone();
    let mut list: Vec<Stmt> = vec![];
    for body in bodies(scop).into_values() {
        let new = LoopId::from(result.loops.len());
        match roll(scop, &body, new, alike)? {
            Some((at, few)) => {
                let old = body[0].iters[at];
                result.loops.push(scop.loops[old.index()].clone());
                list.extend(few);
            }
            None => list.extend(body.into_iter().cloned()),
        }
    }
    if list.len() == scop.stmts.len() {
        return Ok(scop.clone());
    }
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    result.stmts = numbered(list)?;
    Ok(result)
}

/// The statements by the place of their innermost loop, in textual order.
fn bodies(scop: &Scop) -> BTreeMap<Vec<i64>, Vec<&Stmt>> {
    let mut found: BTreeMap<Vec<i64>, Vec<&Stmt>> = BTreeMap::new();
    for s in &scop.stmts {
        found
            .entry(s.beta[..s.depth()].to_vec())
            .or_default()
            .push(s);
    }
    for body in found.values_mut() {
        body.sort_by(|a, b| a.beta.cmp(&b.beta));
    }
    found
}

/// The statements, as few as possible, that an unrolled body is copies of, and the iterator that they are copies along; over the
/// loop `new` in its place. The innermost one comes first: it gives contiguous accesses.
fn roll(
    scop: &Scop,
    body: &[&Stmt],
    new: LoopId,
    alike: &Alike,
) -> Result<Option<(usize, Vec<Stmt>)>> {
    let n = body.len();
    if !(2..=MAX_STATEMENTS).contains(&n) {
        return Ok(None);
    }
    for at in (0..body[0].depth())
        .rev()
        .filter(|at| is_alone(scop, body, *at))
    {
        for groups in (1..=n / 2).filter(|g| n.is_multiple_of(*g)) {
            let copies = n / groups;
            let orders = match groups {
                1 => &[Order::CopyByCopy][..],
                _ => &[Order::CopyByCopy, Order::StatementByStatement],
            };
            for &order in orders {
                let roll = Roll {
                    at,
                    copies,
                    groups,
                    order,
                };
                if let Some(few) = statements(body, roll, new, alike)?
                    && in_order(scop, body, roll)?
                {
                    return Ok(Some((at, few)));
                }
            }
        }
    }
    Ok(None)
}

/// Whether the loop of an iterator does nothing else, however deep in it.
fn is_alone(scop: &Scop, body: &[&Stmt], at: usize) -> bool {
    let inside = |s: &&Stmt| s.depth() > at && s.beta[..=at] == body[0].beta[..=at];
    scop.stmts.iter().filter(inside).count() == body.len()
}

/// The statements that a body is copies of, if each of its statements is the copy that its position says.
fn statements(body: &[&Stmt], roll: Roll, new: LoopId, alike: &Alike) -> Result<Option<Vec<Stmt>>> {
    let of = |group: usize| (0..body.len()).filter(move |p| roll.of(*p).0 == group);
    let first = |group| body[roll.first(group)];
    // Most bodies fail here, without a set.
    let same = |g| of(g).all(|p| Pairing::of(first(g), body[p], alike).is_some());
    if !(0..roll.groups).all(same) {
        return Ok(None);
    }
    let mut list = vec![];
    for group in 0..roll.groups {
        let Some(mut copies) = Copies::of(first(group), roll, new)? else {
            return Ok(None);
        };
        for p in of(group) {
            if !copies.has(body[p], roll.of(p).1, alike)? {
                return Ok(None);
            }
        }
        // Rows up to a multiple of so many have no register tiles, which are all that is to be gained from rows.
        let inner = roll.at + 1 < first(group).depth();
        if inner && copies.statement.domain.involves_locals()? {
            return Ok(None);
        }
        list.push(copies.statement);
    }
    Ok(Some(list))
}

/// Whether the new order of the instances is a legal one: as a schedule of the statements that are there.
fn in_order(scop: &Scop, body: &[&Stmt], roll: Roll) -> Result<bool> {
    let innermost = roll.at + 1 == body[0].depth();
    if innermost && roll.order == Order::CopyByCopy {
        return Ok(true);
    }
    let part = Scop {
        stmts: numbered(body.iter().map(|s| (*s).clone()).collect())?,
        ..scop.clone()
    };
    let schedule = schedule(&part, roll)?;
    let deps = deps::compute(&part, false)?;
    Ok(legality::check(&part, &schedule, &deps).is_ok())
}

/// The order `(i, m*x + c, statement)` of the statements of one body.
fn schedule(part: &Scop, roll: Roll) -> Result<Schedule> {
    let domain = part.domain()?;
    let depth = part.stmts[0].depth();
    let params = part.context.space()?;
    let mut rows = vec![];
    for level in 0..depth {
        let mut row = UnionPwAff::empty(&params)?;
        for (p, s) in part.stmts.iter().enumerate() {
            let space = LocalSpace::from_space(&s.domain.space()?)?;
            let mut aff = Aff::var_on_domain(&space, DimType::Set, level)?;
            if level == roll.at {
                aff = aff.scale_si(roll.copies as i64)?;
                aff = aff.add_constant_si(roll.of(p).1 as i64)?;
            }
            row = row.add_pw_aff(&PwAff::from_aff(&aff)?)?;
        }
        rows.push(row);
    }
    let mut branches = vec![];
    for group in 0..roll.groups {
        let mut filter = UnionSet::empty(&params)?;
        for (_, s) in part
            .stmts
            .iter()
            .enumerate()
            .filter(|(p, _)| roll.of(*p).0 == group)
        {
            filter = filter.union(&s.domain.to_union_set()?)?;
        }
        let child = Tree::Leaf;
        branches.push(Branch { filter, child });
    }
    let rows: Vec<&UnionPwAff> = rows.iter().collect();
    let child = match branches.len() {
        1 => Tree::Leaf,
        _ => Tree::Sequence(branches),
    };
    let root = Tree::Band(Box::new(Band::of_rows(&rows, false, child)?));
    let sizes = vec![];
    Ok(Schedule {
        domain,
        root,
        sizes,
    })
}

/// The iterations `t = m*x + c`: `x <= f` is `t <= m*f + m - 1`, and `x >= f` is `t >= m*f`, with `f` rounded to integers first.
fn domain(s: &Stmt, roll: Roll) -> Result<Set> {
    let spread = spread(s, roll, &format!("0 <= c < {}", roll.copies))?;
    let exact = s.domain.apply(&spread)?;
    let mut bounded = Set::empty(&exact.space()?)?;
    for part in s.domain.basic_sets()? {
        match bounds(&part, roll.at, roll.copies as i64)? {
            Some(set) => bounded = bounded.union(&set)?,
            None => return Ok(exact),
        }
    }
    let bounded = bounded.coalesce()?.remove_redundancies()?;
    // A set with fewer integer divisions, never another one.
    Ok(match bounded.is_equal(&exact)? {
        true => bounded,
        false => exact,
    })
}

/// A set by bounds of its iterator `at`, which becomes `m` times as long; `None` if equalities or divisions bound it.
fn bounds(part: &BasicSet, at: usize, m: i64) -> Result<Option<Set>> {
    let space = part.space()?;
    let t = Aff::var_on_domain(&LocalSpace::from_space(&space)?, DimType::Set, at)?;
    let mut set = Set::universe(&space)?;
    for c in part.constraints()? {
        let aff = c.aff()?;
        let gain = aff.coefficient(DimType::In, at)?;
        if aff.involves_locals()? || (c.is_equality() && gain != 0) {
            return Ok(None);
        }
        let rest = aff.set_coefficient_si(DimType::In, at, 0)?;
        let zero = Aff::si_on_domain(&LocalSpace::from_space(&space)?, 0)?;
        set = set.intersect(&match gain {
            0 if c.is_equality() => rest.eq_set(&zero)?,
            0 => rest.ge_set(&zero)?,
            g if g > 0 => t.ge_set(&rest.neg()?.scale_down_si(g)?.ceil()?.scale_si(m)?)?,
            g => {
                let last = rest.scale_down_si(-g)?.floor()?.scale_si(m)?;
                t.le_set(&last.add_constant_si(m - 1)?)?
            }
        })?;
    }
    Ok(Some(set))
}

/// `S[i, x] -> S[i, m*x + c]` for the copies `c` that are wanted.
fn spread(s: &Stmt, roll: Roll, wanted: &str) -> Result<Map> {
    let Roll { at, copies, .. } = roll;
    let name = &s.name;
    let from: Vec<String> = (0..s.depth()).map(|d| format!("i{d}")).collect();
    let mut to = from.clone();
    to[at] = "t".into();
    let (from, to) = (from.join(", "), to.join(", "));
    let text = format!(
        "{{ {name}[{from}] -> {name}[{to}] : exists c : t = {copies} * i{at} + c and {wanted} }}"
    );
    Map::parse(s.domain.ctx(), &text)
}
