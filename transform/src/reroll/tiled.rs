//! Loops that were tiled by hand, without their tiles.
//!
//! ```text
//! for ii < n by 32: for jj < n by 32: for i in ii .. min(ii + 32, n): for j in jj .. min(jj + 32, n):  c[j][i] = a[i][j]
//! for i < n: for j < n:  c[j][i] = a[i][j]
//! ```
//!
//! The loop over tiles and the one inside of them are one loop that was strip-mined (Allen and Kennedy, *Optimizing Compilers for Modern
//! Architectures*, §9.3): everything moves by as many steps for the one as there are iterations of the other. Merged, a nest is what
//! its programmer had before, and gets tiles, vectors and register tiles for the machine at hand.
//!
//! | symbol | here |
//! |---|---|
//! | `x`, the iterator over tiles | [`Strip::at`] |
//! | `y`, the one inside | [`Merge::inner`] |
//! | `m`, the length of a tile | [`Merge::length`] |
//!
//! The loop over tiles goes if each statement in it has such a `y`: `m*x + y` takes the place of both, and `0 <= y < m` makes that
//! a bijection. Where whole tiles end at a multiple of their length, the number of tiles becomes a parameter ([`counts`]), unless the
//! size is known to be such a multiple. The order of the instances is another one. It is a schedule of the statements as they were, which must
//! pass [`legality::check`]; where it does not, the nest keeps its tiles. A scalar that each iteration writes before it reads it orders no iterations there.

mod signs;

use super::matching::{Sum, of_affs, one_function};
use super::{counts, loops, schedule};
use crate::expand::privatized;
use crate::legality;
use polytile_analysis::deps;
use polytile_analysis::ids::LoopId;
use polytile_analysis::poly::{Aff, DimType, Error, LocalSpace, Map, PwAff, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Scop, Stmt};
use std::collections::BTreeSet;

/// The part of the budget for all of a SCoP; without an answer the tiles stay.
const SHARE: u64 = 15;

/// Loops around more statements are not looked at.
const MAX_STATEMENTS: usize = 32;

/// `scop` without the loops over tiles that were made by hand.
///
/// # Errors
/// What the sets come to.
pub fn untiled(scop: &Scop) -> Result<Scop> {
    let _quota = scop.context.ctx().share(SHARE);
    match merged(scop) {
        Err(Error::Quota) => Ok(scop.clone()),
        merged => merged,
    }
}

fn merged(scop: &Scop) -> Result<Scop> {
    let mut source = signs::signed(scop)?;
    let mut kept: BTreeSet<LoopId> = BTreeSet::new();
    let (new, walks) = loop {
        let mut new = source.clone();
        let mut walks: Vec<Walk> = source.stmts.iter().map(|s| Walk::of(s.depth())).collect();
        let rounded = loop {
            match strip(&new, &kept)? {
                Some(Found::Strip(strip)) => strip.apply(&mut new, &mut walks),
                Some(Found::Rounded(l)) => break Some(l),
                None => break None,
            }
        };
        let Some(l) = rounded else {
            break (new, walks);
        };
        match counted(&source, l)? {
            Some(counted) => source = counted,
            None => drop(kept.insert(l)),
        }
    };
    let unchanged = new.loops.len() == source.loops.len();
    Ok(match unchanged || !in_order(&source, &new, &walks)? {
        true => scop.clone(),
        false => new,
    })
}

/// With the number of tiles as a parameter: whole tiles end at a multiple of their length.
fn counted(scop: &Scop, over: LoopId) -> Result<Option<Scop>> {
    let of = |(at, inside): &(usize, Vec<&Stmt>)| inside[0].iters[*at] == over;
    match loops(scop).into_iter().find(of) {
        Some((at, inside)) => counts::counted(scop, &inside, at),
        None => Ok(None),
    }
}

/// What may become of a loop over tiles.
enum Found {
    Strip(Strip),
    /// It goes if the number of its iterations is a parameter.
    Rounded(LoopId),
}

/// A loop over tiles, with all statements in it.
struct Strip {
    at: usize,
    /// By statement: what it becomes.
    merges: Vec<(usize, Merge)>,
    /// The loops inside of it; each becomes a new one.
    inner: Vec<LoopId>,
}

/// A statement without a loop over tiles.
struct Merge {
    inner: usize,
    length: i64,
    statement: Stmt,
}

/// The outermost loop over tiles that is not to be kept.
fn strip(scop: &Scop, kept: &BTreeSet<LoopId>) -> Result<Option<Found>> {
    for (at, inside) in loops(scop) {
        let over = inside[0].iters[at];
        if inside.len() > MAX_STATEMENTS || kept.contains(&over) {
            continue;
        }
        match merges(scop, at, &inside)? {
            Merged::No => {}
            Merged::Rounded => return Ok(Some(Found::Rounded(over))),
            Merged::Yes((merges, inner)) => {
                return Ok(Some(Found::Strip(Strip { at, merges, inner })));
            }
        }
    }
    Ok(None)
}

/// Whether a loop over tiles can go.
enum Merged<T> {
    Yes(T),
    No,
    /// Where the number of its iterations is a parameter.
    Rounded,
}

/// By statement what it becomes, and the loops that take the place of two.
type Merges = (Vec<(usize, Merge)>, Vec<LoopId>);

/// All statements of a loop without it.
fn merges(scop: &Scop, at: usize, inside: &[&Stmt]) -> Result<Merged<Merges>> {
    let mut found: Vec<(usize, Merge)> = vec![];
    let mut inner: Vec<(LoopId, i64)> = vec![];
    let mut left = inside.to_vec();
    // A statement of scalars does not tell how long tiles are: others in its loop do.
    while !left.is_empty() {
        let mut silent = vec![];
        for s in &left {
            match merge(scop, s, at, &mut inner)? {
                Merged::Yes(merge) => found.push((s.id.index(), merge)),
                Merged::No => silent.push(*s),
                Merged::Rounded => return Ok(Merged::Rounded),
            }
        }
        if silent.len() == left.len() {
            return Ok(Merged::No);
        }
        left = silent;
    }
    // Statements share the loop inside as before.
    let of = |(s, m): &(usize, Merge)| (&scop.stmts[*s], m.inner, m.length);
    let agree = found.iter().all(|a| {
        let (s, inner, length) = of(a);
        found.iter().all(|b| {
            let (t, other, its) = of(b);
            s.beta.get(..=inner) != t.beta.get(..=inner) || (inner, length) == (other, its)
        })
    });
    Ok(match agree {
        true => Merged::Yes((found, inner.into_iter().map(|(l, _)| l).collect())),
        false => Merged::No,
    })
}

/// A statement without its loop over tiles at this depth. Loops that are merged into are listed with the length of a tile; each becomes one
/// behind those of the SCoP.
fn merge(
    scop: &Scop,
    s: &Stmt,
    at: usize,
    merged: &mut Vec<(LoopId, i64)>,
) -> Result<Merged<Merge>> {
    let mut rounded = false;
    for inner in at + 1..s.depth() {
        let listed = merged.iter().position(|(l, _)| *l == s.iters[inner]);
        let number = listed.unwrap_or(merged.len());
        let mut evolutions = Evolutions {
            outer: s.iters[at],
            inner: s.iters[inner],
            new: LoopId::from(scop.loops.len() + number),
            length: None,
        };
        let mut statement = s.clone();
        if evolutions.merge(&mut statement).is_none() {
            continue;
        }
        let length = match evolutions.length {
            None => by_accesses(s, at, inner)?,
            told => told,
        };
        let of_loop = listed.map(|n| merged[n].1);
        let Some(length) = length.or(of_loop) else {
            continue;
        };
        match over_one_loop(scop, s, (at, inner, length), &mut statement)? {
            Merged::No => {}
            Merged::Rounded => rounded = true,
            Merged::Yes(()) => {
                if listed.is_none() {
                    merged.push((s.iters[inner], length));
                }
                statement.iters[inner] = evolutions.new;
                statement.iters.remove(at);
                return Ok(Merged::Yes(Merge {
                    inner,
                    length,
                    statement,
                }));
            }
        }
    }
    Ok(match rounded {
        true => Merged::Rounded,
        false => Merged::No,
    })
}

/// How many iterations inside one over tiles is by the first access that moves by both.
fn by_accesses(s: &Stmt, at: usize, inner: usize) -> Result<Option<i64>> {
    for a in &s.accesses {
        let Some(function) = one_function(&a.relation)? else {
            continue;
        };
        for aff in function.affs()? {
            let by = |d| aff.coefficient(DimType::In, d);
            let (outer, inner) = (by(at)?, by(inner)?);
            if outer.checked_rem(inner) == Some(0) && outer / inner > 1 {
                return Ok(Some(outer / inner));
            }
        }
    }
    Ok(None)
}

/// Gives a statement the domain and accesses over `length*x + y`, if they do with that.
fn over_one_loop(
    scop: &Scop,
    s: &Stmt,
    (at, inner, length): (usize, usize, i64),
    new: &mut Stmt,
) -> Result<Merged<()>> {
    let (Some(0..), Some(last)) = s.domain.dim_ends(inner)? else {
        return Ok(Merged::No);
    };
    if last >= length {
        return Ok(Merged::No);
    }
    for (old, new) in s.accesses.iter().zip(&mut new.accesses) {
        match without(&old.relation, &s.name, (at, inner, length))? {
            Some(relation) => new.relation = relation,
            None => return Ok(Merged::No),
        }
    }
    let merged = Map::parse(s.domain.ctx(), &text(s, (at, inner, length)))?;
    let exact = s.domain.apply(&merged)?.coalesce()?;
    let plain = exact.remove_divs()?;
    let whole = whole_tiles(s, (at, inner, length))?;
    let known = scop.known()?;
    let runs = exact.intersect_params(&known)?;
    let same = |set: &Set| runs.is_equal(&set.intersect_params(&known)?);
    for simple in [Some(plain), whole].into_iter().flatten() {
        if same(&simple)? {
            new.domain = simple
                .coalesce()?
                .remove_redundancies()?
                .set_tuple_name(&s.name)?;
            return Ok(Merged::Yes(()));
        }
    }
    Ok(Merged::Rounded)
}

/// The iterations `t = length*x + y` if those of all tiles end where the last tile does: `length*x <= e` is `t <= e`, and `x <= e` is
/// `t <= length*e + length - 1`. `None` if something else bounds `x`.
fn whole_tiles(s: &Stmt, (at, inner, length): (usize, usize, i64)) -> Result<Option<Set>> {
    let space = s.domain.space()?;
    let t = Aff::var_on_domain(&LocalSpace::from_space(&space)?, DimType::Set, inner)?;
    let zero = Aff::si_on_domain(&LocalSpace::from_space(&space)?, 0)?;
    let mut all = Set::empty(&space)?;
    for part in s.domain.basic_sets()? {
        let mut set = Set::universe(&space)?;
        for c in part.constraints()? {
            let aff = c.aff()?;
            let by = |d| aff.coefficient(DimType::In, d);
            let (outer, inside) = (by(at)?, by(inner)?);
            if aff.involves_locals()? || c.is_equality() && (outer, inside) != (0, 0) {
                return Ok(None);
            }
            let rest = aff.set_coefficient_si(DimType::In, at, 0)?;
            let over = match (outer, inside) {
                (0, 0) if c.is_equality() => {
                    set = set.intersect(&rest.eq_set(&zero)?)?;
                    continue;
                }
                // 0 <= y < length holds by itself.
                (0, _) if alone(&aff, inner, s)? => continue,
                (0, 0) => rest,
                (x, y) if x == length * y => rest,
                (x, 0) if x % length == 0 => rest.add(&t.scale_si(x / length)?)?,
                (1, 0) => rest.scale_si(length)?.add(&t)?,
                (-1, 0) => {
                    let end = rest.scale_si(length)?.add_constant_si(length - 1)?;
                    end.sub(&t)?
                }
                _ => return Ok(None),
            };
            set = set.intersect(&over.ge_set(&zero)?)?;
        }
        all = all.union(&set)?;
    }
    let all = all.project_out(DimType::Set, at, 1)?;
    all.set_tuple_name(&s.name).map(Some)
}

/// Whether a constraint is about this iterator and nothing else.
fn alone(aff: &Aff, inner: usize, s: &Stmt) -> Result<bool> {
    let others = (0..s.depth()).filter(|d| *d != inner);
    let mut all = others.map(|d| aff.coefficient(DimType::In, d));
    let params = 0..s.domain.dim(DimType::Param);
    let mut params = params.map(|p| aff.coefficient(DimType::Param, p));
    let none = |free: bool, c: Result<i64>| Ok(free && c? == 0);
    Ok(all.try_fold(true, none)? && params.try_fold(true, none)?)
}

/// `S[i, x, y, j] -> S[i, m*x + y, j]`
fn text(s: &Stmt, (at, inner, length): (usize, usize, i64)) -> String {
    let name = &s.name;
    let from: Vec<String> = (0..s.depth()).map(|d| format!("i{d}")).collect();
    let mut to = from.clone();
    to[inner] = format!("{length} i{at} + i{inner}");
    to.remove(at);
    format!(
        "{{ {name}[{}] -> {name}[{}] }}",
        from.join(", "),
        to.join(", ")
    )
}

/// A relation over `length*x + y`; `None` if it is no function of that.
fn without(
    relation: &Map,
    name: &str,
    (at, inner, length): (usize, usize, i64),
) -> Result<Option<Map>> {
    let Some(function) = one_function(relation)? else {
        return Ok(None);
    };
    let mut affs = function.affs()?;
    for aff in &mut affs {
        let by = |d| aff.coefficient(DimType::In, d);
        if aff.denominator()? != 1 || by(at)? != length * by(inner)? {
            return Ok(None);
        }
        *aff = aff.set_coefficient_si(DimType::In, at, 0)?;
    }
    let wide = of_affs(relation, &affs)?;
    let mut narrow = wide.project_out(DimType::In, at, 1)?;
    for d in 0..narrow.dim(DimType::In) {
        narrow = narrow.set_dim_name(DimType::In, d, &format!("i{d}"))?;
    }
    narrow.set_tuple_name(DimType::In, name).map(Some)
}

/// Evolutions of two loops that become one of `new`.
struct Evolutions {
    outer: LoopId,
    inner: LoopId,
    new: LoopId,
    /// How many iterations of the inner loop one of the outer loop is, as far as evolutions have told.
    length: Option<i64>,
}

impl Evolutions {
    /// Those of a statement; `None` if one does not move by both alike.
    fn merge(&mut self, s: &mut Stmt) -> Option<()> {
        s.evolutions_mut().try_for_each(|e| self.merge_in(e))
    }

    fn merge_in(&mut self, s: &mut Scev) -> Option<()> {
        if let ScevKind::AddRec {
            loop_,
            operands,
            wrap,
        } = &mut s.kind
        {
            if *loop_ == self.outer {
                return None;
            }
            if *loop_ == self.inner {
                let [start, step] = &mut operands[..] else {
                    return None;
                };
                let far = taken(start, self.outer)?;
                let moves = [&far, &*step, &*start].map(Scev::loops);
                if moves
                    .iter()
                    .any(|l| l.contains(&self.outer) || l.contains(&self.inner))
                {
                    return None;
                }
                let length =
                    i64::try_from(Sum::of(&far, None)?.over(&Sum::of(step, None)?)?).ok()?;
                if length < 2 || *self.length.get_or_insert(length) != length {
                    return None;
                }
                (*loop_, *wrap) = (self.new, Wrap::default());
                return Some(());
            }
        }
        let parts = s.operands_mut().into_iter();
        parts.map(|part| self.merge_in(part)).collect()
    }
}

/// Takes a loop out of an evolution; its step.
fn taken(s: &mut Scev, outer: LoopId) -> Option<Scev> {
    match &mut s.kind {
        ScevKind::AddRec {
            loop_, operands, ..
        } if *loop_ == outer => {
            let [start, step] = &operands[..] else {
                return None;
            };
            let (start, step) = (start.clone(), step.clone());
            *s = start;
            Some(step)
        }
        ScevKind::AddRec { operands, wrap, .. } => {
            *wrap = Wrap::default();
            let (start, steps) = operands.split_first_mut()?;
            let moves = steps.iter().any(|step| step.loops().contains(&outer));
            taken(start, outer).filter(|_| !moves)
        }
        ScevKind::Add(terms, wrap) => {
            *wrap = Wrap::default();
            let mut moving = terms.iter_mut().filter(|t| t.loops().contains(&outer));
            let (term, other) = (moving.next()?, moving.next());
            taken(term, outer).filter(|_| other.is_none())
        }
        _ => None,
    }
}

impl Strip {
    /// Takes the loop out of a SCoP; `walks` says what the iterators are in those of the source.
    fn apply(self, scop: &mut Scop, walks: &mut [Walk]) {
        let at = self.at;
        for inner in &self.inner {
            scop.loops.push(scop.loops[inner.index()].clone());
        }
        let first = &self.merges[0].0;
        let parent = scop.stmts[*first].beta[..at].to_vec();
        let inside = |s: usize| self.merges.iter().any(|(m, _)| *m == s);
        // What follows each other in the loop follows each other where it was.
        let place = |s: usize, beta: &[i64]| (beta[at], inside(s).then(|| beta[at + 1]));
        let all = scop.stmts.iter().enumerate();
        let siblings = all.filter(|(_, s)| s.beta.starts_with(&parent));
        let mut places: Vec<_> = siblings.map(|(n, s)| place(n, &s.beta)).collect();
        places.sort_unstable();
        places.dedup();
        for (n, s) in scop.stmts.iter_mut().enumerate() {
            if s.beta.starts_with(&parent) {
                let rank = places.binary_search(&place(n, &s.beta)).expect("listed");
                s.beta[at] = rank as i64;
            }
        }
        for (n, merge) in self.merges {
            let mut beta = std::mem::take(&mut scop.stmts[n].beta);
            beta.remove(at + 1);
            scop.stmts[n] = Stmt {
                beta,
                ..merge.statement
            };
            walks[n].merge(at, merge.inner, merge.length);
        }
    }
}

/// The iterators of a statement as sums of those that it had.
struct Walk(Vec<Vec<i64>>);

impl Walk {
    fn of(depth: usize) -> Walk {
        let unit = |at| (0..depth).map(|d| i64::from(d == at)).collect();
        Walk((0..depth).map(unit).collect())
    }

    fn merge(&mut self, at: usize, inner: usize, length: i64) {
        let outer = self.0[at].clone();
        for (sum, c) in self.0[inner].iter_mut().zip(outer) {
            *sum += length * c;
        }
        self.0.remove(at);
    }

    /// Whether no iterator is a sum of one of the `depth` outermost and one inside of them.
    fn keeps(&self, depth: usize) -> bool {
        self.0.iter().all(|sum| {
            let (outer, inner) = sum.split_at(depth);
            let moves = |part: &[i64]| part.iter().any(|c| *c != 0);
            !(moves(outer) && moves(inner))
        })
    }

    /// Places in the text and iterators in turns, for a statement that had these.
    fn rows(&self, s: &Stmt, beta: &[i64], depth: usize) -> Result<Vec<PwAff>> {
        let space = LocalSpace::from_space(&s.domain.space()?)?;
        let mut rows = vec![];
        for level in 0..=depth {
            let place = beta.get(level).copied().unwrap_or(0);
            rows.push(Aff::si_on_domain(&space, place)?);
            if level < depth {
                let mut sum = Aff::si_on_domain(&space, 0)?;
                for (d, c) in self.0.get(level).into_iter().flatten().enumerate() {
                    sum = sum.set_coefficient_si(DimType::In, d, *c)?;
                }
                rows.push(sum);
            }
        }
        rows.iter().map(PwAff::from_aff).collect()
    }
}

/// Whether the order of a SCoP without loops over tiles is a legal one of the SCoP that has them.
fn in_order(scop: &Scop, new: &Scop, walks: &[Walk]) -> Result<bool> {
    let depth = new.stmts.iter().map(Stmt::depth).max().unwrap_or(0);
    let all = scop.stmts.iter().zip(&new.stmts).zip(walks);
    let rows = all.map(|((old, new), walk)| walk.rows(old, &new.beta, depth));
    let rows = rows.collect::<Result<Vec<_>>>()?;
    // Iterations keep their own scalars where they stay iterations.
    let scop = privatized(scop, |s, depth| walks[s.id.index()].keeps(depth))?;
    let schedule = schedule(&scop, &rows)?;
    let deps = deps::compute(&scop, false)?;
    Ok(legality::check(&scop, &schedule, &deps).is_ok())
}

#[cfg(test)]
mod tests;
