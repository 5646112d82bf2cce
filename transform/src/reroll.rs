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
//! all that the loop does. These orders of the copies in the text are known:
//!
//! * copy by copy (`A0 B0 A1 B1 ..`): instances then run exactly as the short loop did, and nothing is left to prove;
//! * statement by statement (`A0 A1 .. B0 B1 ..`), or either of them backwards: the new order `(t, statement)` moves instances across
//!   each other. It is a schedule of the original statements, and it must pass [`legality::check`] against their dependences.
//!
//! Copies along an outer iterator (rows that were jammed by hand, `for i: for j: { y[2i] += ..; y[2i+1] += .. }`) are rolled up as
//! well; the order is always checked then. Blocks of rows and columns take one turn for each. Where several bodies are in the loop (sums that
//! are cleared in front of an inner loop), each must consist of as many copies, or each copy has inner loops of its own ([`joined`]). Where the loop ends at a part of a size, the number of its iterations
//! becomes a parameter ([`counts`]).

mod cells;
mod continued;
mod counts;
mod from_zero;
mod matching;
mod nests;
mod sums;
#[cfg(test)]
mod tests;
mod tiled;
mod united;

pub use continued::continued;
pub use from_zero::from_zero;
pub use nests::{in_a_row, nests};
pub use sums::sums;
pub use tiled::untiled;
pub use united::united;

use crate::expand::numbered;
use crate::legality;
use matching::{Copies, Pairing};
use polytile_analysis::deps;
use polytile_analysis::ids::{LoopId, StmtId, ValueId};
use polytile_analysis::poly::{
    Aff, BasicSet, DimType, Error, LocalSpace, Map, PwAff, Result, Set, UnionPwAff,
};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Band, Schedule, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Whether two instructions are the same but for their operands.
pub type Alike<'a> = dyn Fn(ValueId, ValueId) -> bool + 'a;

/// Longer bodies are not unrolled loops of few statements, and matching them takes long.
const MAX_STATEMENTS: usize = 64;

/// The part of the budget for all of a SCoP; without an answer nothing is rolled up.
const SHARE: u64 = 5;

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

/// Every loop is looked at once, inner ones first: they give contiguous accesses.
fn rolled(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let mut result = scop.clone();
    let mut list: Vec<Stmt> = vec![];
    let mut gone: BTreeSet<StmtId> = BTreeSet::new();
    for (at, inside) in loops(scop).into_iter().rev() {
        if inside.iter().any(|s| gone.contains(&s.id)) {
            continue;
        }
        let new = LoopId::from(result.loops.len());
        if let Some(few) = roll_up(scop, &inside, at, new, alike)? {
            let old = inside[0].iters[at];
            result.loops.push(scop.loops[old.index()].clone());
            gone.extend(inside.iter().map(|s| s.id));
            list.extend(few);
        } else if gone.is_empty()
            && let Some(rolled) = rolled_by_count(scop, &inside, at, alike)?
        {
            return Ok(rolled);
        }
    }
    if gone.is_empty() {
        return Ok(scop.clone());
    }
    with_statements(&mut result, &gone, list)?;
    Ok(result)
}

/// The statements that those in a loop are copies of along its iterator, which may have scalars of their own.
fn roll_up(
    scop: &Scop,
    inside: &[&Stmt],
    at: usize,
    new: LoopId,
    alike: &Alike,
) -> Result<Option<Vec<Stmt>>> {
    if let Some(few) = roll(scop, &bodies(inside), at, new, alike)? {
        return Ok(Some(few));
    }
    let cells = cells::own(scop, inside, at)?;
    for copies in (2..=cells.len()).rev() {
        let Some(shared) = cells::shared(scop, inside, &cells, copies)? else {
            continue;
        };
        let shared: Vec<&Stmt> = shared.iter().collect();
        if let Some(few) = roll(scop, &bodies(&shared), at, new, alike)? {
            return Ok(Some(few));
        }
    }
    Ok(None)
}

/// Takes statements for those that are gone.
fn with_statements(scop: &mut Scop, gone: &BTreeSet<StmtId>, mut list: Vec<Stmt>) -> Result<()> {
    list.extend(scop.stmts.iter().filter(|s| !gone.contains(&s.id)).cloned());
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    scop.stmts = numbered(list)?;
    Ok(())
}

/// `scop` with rows rolled up whose loop ends at a part of a size ([`counts`]).
fn rolled_by_count(
    scop: &Scop,
    inside: &[&Stmt],
    at: usize,
    alike: &Alike,
) -> Result<Option<Scop>> {
    let has_rows = inside.len() > 1 && inside.iter().any(|s| s.depth() > at + 1);
    if !has_rows {
        return Ok(None);
    }
    let Some(counted) = counts::counted(scop, inside, at)? else {
        return Ok(None);
    };
    let gone: BTreeSet<StmtId> = inside.iter().map(|s| s.id).collect();
    let inside: Vec<&Stmt> = inside.iter().map(|s| counted.stmt(s.id)).collect();
    let new = LoopId::from(counted.loops.len());
    let Some(few) = roll(&counted, &bodies(&inside), at, new, alike)? else {
        return Ok(None);
    };
    let mut result = counted.clone();
    let old = inside[0].iters[at];
    result.loops.push(counted.loops[old.index()].clone());
    with_statements(&mut result, &gone, few)?;
    Ok(Some(result))
}

/// The loops, inner ones last: their depths, and all statements inside, in textual order.
fn loops(scop: &Scop) -> Vec<(usize, Vec<&Stmt>)> {
    let mut found: BTreeMap<(usize, &[i64]), Vec<&Stmt>> = BTreeMap::new();
    for s in &scop.stmts {
        for at in 0..s.depth() {
            found.entry((at, &s.beta[..=at])).or_default().push(s);
        }
    }
    let mut list = vec![];
    for ((at, _), mut inside) in found {
        inside.sort_by(|a, b| a.beta.cmp(&b.beta));
        list.push((at, inside));
    }
    list
}

/// Statements by their innermost loops, in textual order.
fn bodies<'s>(inside: &[&'s Stmt]) -> Vec<Vec<&'s Stmt>> {
    let mut found: BTreeMap<&[i64], Vec<&Stmt>> = BTreeMap::new();
    for s in inside {
        found.entry(&s.beta[..s.depth()]).or_default().push(s);
    }
    found.into_values().collect()
}

/// The statements, as few as possible, that the bodies in a loop are copies of along its iterator, which is number `at`; over the loop
/// `new` in its place.
fn roll(
    scop: &Scop,
    bodies: &[Vec<&Stmt>],
    at: usize,
    new: LoopId,
    alike: &Alike,
) -> Result<Option<Vec<Stmt>>> {
    let n: usize = bodies.iter().map(Vec::len).sum();
    let shortest = bodies.iter().map(Vec::len).min().unwrap_or(0);
    if n > MAX_STATEMENTS {
        return Ok(None);
    }
    for copies in (2..=shortest).rev() {
        if let Some(few) = as_copies(scop, bodies, (at, copies), new, alike)? {
            return Ok(Some(few));
        }
    }
    let inner = bodies.iter().filter(|b| b[0].depth() > at + 1).count();
    for copies in (2..=inner)
        .rev()
        .filter(|copies| inner.is_multiple_of(*copies))
    {
        for order in [Order::CopyByCopy, Order::StatementByStatement] {
            let joined = joined(bodies, (at, copies), order);
            let joined: Vec<Vec<&Stmt>> = joined.iter().map(|b| b.iter().collect()).collect();
            if !joined.is_empty()
                && let Some(few) = as_copies(scop, &joined, (at, copies), new, alike)?
            {
                return Ok(Some(few));
            }
        }
    }
    Ok(None)
}

/// The bodies in a loop where each copy has inner loops of its own (the sums of the channels of a pixel): the bodies of loops that are copies of one are
/// taken for one body.
///
/// ```text
/// for x: { s0 = 0;  for k: s0 += ..;   s1 = 0;  for k: s1 += .. }        { s0 = 0, s1 = 0 }   { s0 += .., s1 += .. }
/// ```
fn joined(bodies: &[Vec<&Stmt>], (at, copies): (usize, usize), order: Order) -> Vec<Vec<Stmt>> {
    let (inner, own): (Vec<&Vec<&Stmt>>, Vec<&Vec<&Stmt>>) =
        bodies.iter().partition(|b| b[0].depth() > at + 1);
    let groups = inner.len() / copies;
    let of = |group: usize, copy: usize| match order {
        Order::CopyByCopy => inner[copy * groups + group],
        Order::StatementByStatement => inner[group * copies + copy],
    };
    let whole = |body: &&Vec<&Stmt>| body.iter().map(|s| (*s).clone()).collect();
    let mut all: Vec<Vec<Stmt>> = own.iter().map(whole).collect();
    for group in 0..groups {
        let first = of(group, 0);
        let mut body = vec![];
        for copy in 0..copies {
            let copy = of(group, copy);
            if copy.len() != first.len() || copy[0].depth() != first[0].depth() {
                return vec![];
            }
            body.extend((first.iter().zip(copy)).map(|(a, b)| nests::with_loops_of(a, b, at + 1)));
        }
        all.push(body);
    }
    all
}

/// The statements that the bodies in a loop are so many copies of.
fn as_copies(
    scop: &Scop,
    bodies: &[Vec<&Stmt>],
    (at, copies): (usize, usize),
    new: LoopId,
    alike: &Alike,
) -> Result<Option<Vec<Stmt>>> {
    if !bodies.iter().all(|b| b.len().is_multiple_of(copies)) {
        return Ok(None);
    }
    let n: usize = bodies.iter().map(Vec::len).sum();
    let orders = match n == copies * bodies.len() {
        true => &[Order::CopyByCopy][..],
        false => &[Order::CopyByCopy, Order::StatementByStatement],
    };
    for &order in orders {
        let rolls = bodies.iter().map(|body| Roll {
            at,
            copies,
            groups: body.len() / copies,
            order,
        });
        let rolls: Vec<Roll> = rolls.collect();
        if let Some((turned, few)) = all_statements(bodies, &rolls, new, alike)?
            && in_order(scop, &turned, &rolls)?
        {
            return Ok(Some(few));
        }
    }
    Ok(None)
}

/// The bodies of a loop in the order of their copies, and the statements that they consist of.
type Rolled<'s> = (Vec<Vec<&'s Stmt>>, Vec<Stmt>);

/// The statements of all bodies of a loop. The last copy may come first.
fn all_statements<'s>(
    bodies: &[Vec<&'s Stmt>],
    rolls: &[Roll],
    new: LoopId,
    alike: &Alike,
) -> Result<Option<Rolled<'s>>> {
    let (mut ordered, mut list) = (vec![], vec![]);
    for (body, roll) in bodies.iter().zip(rolls) {
        let backwards: Vec<&Stmt> = body.iter().rev().copied().collect();
        let mut found = None;
        for body in [body, &backwards] {
            if found.is_none()
                && let Some(few) = statements(body, *roll, new, alike)?
            {
                found = Some((body.clone(), few));
            }
        }
        let Some((body, few)) = found else {
            return Ok(None);
        };
        ordered.push(body);
        list.extend(few);
    }
    Ok(Some((ordered, list)))
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
fn in_order(scop: &Scop, bodies: &[Vec<&Stmt>], rolls: &[Roll]) -> Result<bool> {
    let innermost = bodies.len() == 1 && rolls[0].at + 1 == bodies[0][0].depth();
    let forwards = bodies[0].is_sorted_by_key(|s| &s.beta);
    if innermost && forwards && rolls[0].order == Order::CopyByCopy {
        return Ok(true);
    }
    let mut inside: Vec<(&Stmt, Turn)> = vec![];
    for (body, roll) in bodies.iter().zip(rolls) {
        let turns = (0..body.len()).map(|p| Turn::of(*roll, body, p));
        inside.extend(body.iter().copied().zip(turns));
    }
    inside.sort_by(|(a, _), (b, _)| a.beta.cmp(&b.beta));
    let (stmts, turns): (Vec<&Stmt>, Vec<Turn>) = inside.into_iter().unzip();
    let part = Scop {
        stmts: numbered(stmts.into_iter().cloned().collect())?,
        ..scop.clone()
    };
    let schedule = schedule(&part, &rows_of(&part, &turns)?)?;
    let deps = deps::compute(&part, false)?;
    Ok(legality::check(&part, &schedule, &deps).is_ok())
}

/// When a statement of the original text runs after its loop was rolled up.
struct Turn<'s> {
    roll: Roll,
    copy: usize,
    /// The place of copy 0 in the text.
    beta: &'s [i64],
}

impl<'s> Turn<'s> {
    /// Of the statement at a position of a body.
    fn of(roll: Roll, body: &[&'s Stmt], position: usize) -> Turn<'s> {
        let (group, copy) = roll.of(position);
        let beta = &body[roll.first(group)].beta;
        Turn { roll, copy, beta }
    }

    /// The rows `i .., m*x + c` of a statement that runs so, and below them its place in the text and its iterator in turns.
    fn rows(&self, s: &Stmt, depth: usize) -> Result<Vec<PwAff>> {
        let space = LocalSpace::from_space(&s.domain.space()?)?;
        let constant = |c: i64| Aff::si_on_domain(&space, c);
        let at = self.roll.at;
        let mut rows = vec![];
        for level in 0..=depth {
            if level > at {
                rows.push(constant(self.beta.get(level).copied().unwrap_or(0))?);
            }
            if level == depth {
                break;
            }
            let mut aff = match level < s.depth() {
                true => Aff::var_on_domain(&space, DimType::Set, level)?,
                false => constant(0)?,
            };
            if level == at {
                aff = aff.scale_si(self.roll.copies as i64)?;
                aff = aff.add_constant_si(self.copy as i64)?;
            }
            rows.push(aff);
        }
        rows.iter().map(PwAff::from_aff).collect()
    }
}

/// The rows of each statement when it takes its turn.
fn rows_of(part: &Scop, turns: &[Turn]) -> Result<Vec<Vec<PwAff>>> {
    let depth = part.stmts.iter().map(Stmt::depth).max().unwrap_or(0);
    let all = part.stmts.iter().zip(turns);
    all.map(|(s, turn)| turn.rows(s, depth)).collect()
}

/// The order of statements by rows of each.
fn schedule(part: &Scop, of: &[Vec<PwAff>]) -> Result<Schedule> {
    let params = part.context.space()?;
    let mut rows: Vec<UnionPwAff> = vec![];
    for own in of {
        for (r, row) in own.iter().enumerate() {
            if r == rows.len() {
                rows.push(UnionPwAff::empty(&params)?);
            }
            rows[r] = rows[r].add_pw_aff(row)?;
        }
    }
    let rows: Vec<&UnionPwAff> = rows.iter().collect();
    Ok(Schedule {
        domain: part.domain()?,
        root: Tree::Band(Box::new(Band::of_rows(&rows, false, Tree::Leaf)?)),
        sizes: vec![],
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
