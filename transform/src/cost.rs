//! When tiling pays, and with which sizes: footprints against caches.
//!
//! The *footprint* of a box of iterations is the memory that its references touch. Loops are walked from the outside in;
//! a loop whose footprint of two adjacent iterations fits the cache fetches every line once, any other fetches the
//! footprint of its body once per iteration:
//!
//! ```text
//! T(loops) = F(loops)                      if the body's footprint over two iterations fits
//!          = trips * T(inner loops)        otherwise
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `F` footprint in bytes, lines of 64 bytes | [`Reference::bytes`] |
//! | `T` traffic in bytes | [`Model::traffic`] |
//! | extents of members | [`Model::extents`], for typical parameters ([`typical`]) |
//!
//! For `C[i][j] += A[i][k] * B[k][j]` of 1000 cubed, `T` is eight bytes per instance untiled, because all of `B` lies
//! between two uses of a line of it; with tiles of 48 x 512 x 64 it is a quarter of a byte. For a matrix-vector product
//! both are the size of the matrix: a stream that is read once is not tiled.
//!
//! While lines come in, processors compute. An instance takes no less than a step of the chain along the innermost loop
//! ([`latency`]), and than the elements that it moves one by one: where that hides the traffic, tiles only cost.
//!
//! What this does not model: prefetching, associativity, register reuse ([`crate::simd`]).

mod latency;
mod model;
mod reference;
mod sliding;

pub use latency::latency;
pub use model::Model;
pub use reference::Reference;

use polytile_analysis::poly::{self, Constraint, DimType, Set, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::scop::{Param, Scop, Stmt};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// What a parameter is taken to be where nothing is known about it.
const TYPICAL: i64 = 1000;

/// What the width of a window is taken to be at most.
const WINDOW: i64 = 16;

/// Values of the parameters for which sizes are chosen: their own where they have one, else typical ones as far as the
/// context allows.
pub fn typical(scop: &Scop) -> poly::Result<Vec<i64>> {
    near(scop, TYPICAL)
}

/// Values of the parameters near this one where nothing is known. What others bound, as the steps of a loop around the region or
/// the first of several rows, is in the middle of its range, and what has to be greater than another is so by as much again.
pub fn near(scop: &Scop, size: i64) -> poly::Result<Vec<i64>> {
    near_each(scop, &|_, _| size)
}

/// The ends of a parameter's range, where it has any.
pub(crate) type Ends = (Option<i64>, Option<i64>);

/// [`near`], with a size for each parameter, which may depend on its range.
pub(crate) fn near_each(
    scop: &Scop,
    wanted: &dyn Fn(usize, Ends) -> i64,
) -> poly::Result<Vec<i64>> {
    Nearby::of(scop)?.each(wanted)
}

/// What values of a SCoP's parameters are looked for with, whatever sizes are wanted: found out once for all of them.
pub(crate) struct Nearby {
    params: Vec<Param>,
    /// Conditions of one bit, with their values.
    flags: BTreeMap<usize, i64>,
    /// What is known and assumed, for these conditions.
    context: Set,
    /// The same as constraints, if it is in one piece.
    known: Option<Vec<Constraint>>,
    shortening: BTreeSet<usize>,
    windows: BTreeSet<usize>,
    /// How many of each parameter make one iteration ([`units`]).
    units: Vec<i64>,
    distances: Vec<usize>,
    /// The ranges of parameters while all others are free, as far as they were asked for.
    free: Vec<OnceCell<Ends>>,
}

impl Nearby {
    /// Of a SCoP's parameters.
    pub(crate) fn of(scop: &Scop) -> poly::Result<Nearby> {
        Nearby::with(scop, sliding::windows(scop)?)
    }

    /// Of a SCoP's parameters, with the windows that are seen in it or in what it is rewritten to.
    pub(crate) fn of_rewritten(scop: &Scop, rewritten: &Scop) -> poly::Result<Nearby> {
        let mut windows = sliding::windows(scop)?;
        if rewritten.params.starts_with(&scop.params) {
            let further = sliding::windows(rewritten)?.into_iter();
            windows.extend(further.filter(|p| *p < scop.params.len()));
        }
        Nearby::with(scop, windows)
    }

    /// The same of another SCoP, which has these parameters or some more, with these windows.
    pub(crate) fn with_windows_for(&self, scop: &Scop) -> poly::Result<Nearby> {
        Nearby::with(scop, self.windows.clone())
    }

    fn with(scop: &Scop, windows: BTreeSet<usize>) -> poly::Result<Nearby> {
        let mut context = scop.known()?;
        let flags = flags(scop)?;
        for (p, value) in &flags {
            context = context.fix_si(DimType::Param, *p, *value)?;
        }
        let known = context.one_piece()?.map(|p| p.constraints()).transpose()?;
        let bounds = upper_bounds(scop)?;
        Ok(Nearby {
            flags,
            known,
            context,
            shortening: shortening(&bounds),
            windows,
            units: units(&bounds, scop.params.len()),
            distances: scop.distances().into_iter().map(|p| p.index()).collect(),
            free: vec![OnceCell::new(); scop.params.len()],
            params: scop.params.clone(),
        })
    }

    /// [`near`] this size.
    pub(crate) fn near(&self, size: i64) -> poly::Result<Vec<i64>> {
        self.each(&|_, _| size)
    }

    /// [`near_each`] with these sizes.
    pub(crate) fn each(&self, wanted: &dyn Fn(usize, Ends) -> i64) -> poly::Result<Vec<i64>> {
        let mut context = self.context.clone();
        let mut values = vec![];
        for (p, param) in self.params.iter().enumerate() {
            let value = match param.expr.as_constant() {
                Some(known) => i64::try_from(known).unwrap_or(i64::MAX),
                None => match self.flags.get(&p) {
                    Some(flag) => *flag,
                    None => self.beside(p, &context, wanted)?,
                },
            };
            let value = match context.involves_locals()? {
                true => multiple(&context, p, value)?,
                false => value,
            };
            context = context.fix_si(DimType::Param, p, value)?;
            values.push(value);
        }
        Ok(values)
    }

    /// The value of a parameter beside those of the parameters before it, which are fixed in the context.
    fn beside(
        &self,
        p: usize,
        context: &Set,
        wanted: &dyn Fn(usize, Ends) -> i64,
    ) -> poly::Result<i64> {
        let most = match self.windows.contains(&p) {
            true => WINDOW,
            false => i64::MAX,
        };
        let wanted = |p, ends| {
            let iterations: i64 = wanted(p, ends).min(most);
            iterations.saturating_mul(self.units[p])
        };
        let own = self.known.as_ref().map(|facts| own_range(facts, p));
        if let Some(Some(own)) = own.transpose()? {
            return Ok(self.unrelated(p, own, wanted(p, own)));
        }
        let free = self.free(p)?;
        let now = match p {
            0 => free,
            _ => range(context, p)?,
        };
        let size = wanted(p, now);
        if now == free {
            return Ok(alone(now, size));
        }
        let shortens = self.shortening.contains(&p);
        let value = beside_others(
            now,
            size,
            near_ends(size, shortens, !self.shortening.is_empty()),
        );
        match now.0 == Some(value) && !self.distances.contains(&p) {
            true => with_room(context, (p, value), size, now),
            false => Ok(value),
        }
    }

    /// A value near this one of a parameter that nothing known relates to others. `for i = lo ..= hi` would take one iteration if both ends had the same.
    fn unrelated(&self, p: usize, ends: Ends, size: i64) -> i64 {
        match self.shortening.contains(&p) {
            true => alone(ends, size / 2),
            false => alone(ends, size),
        }
    }

    /// The range of a parameter while all others are free.
    fn free(&self, p: usize) -> poly::Result<Ends> {
        let known = &self.free[p];
        match known.get() {
            Some(ends) => Ok(*ends),
            None => {
                let ends = range(&self.context, p)?;
                Ok(*known.get_or_init(|| ends))
            }
        }
    }
}

/// The value of a parameter that is next to this one where the context allows multiples of something only: the greatest positive one below, or the least one
/// above.
fn multiple(context: &Set, p: usize, value: i64) -> poly::Result<i64> {
    if !context.fix_si(DimType::Param, p, value)?.is_empty()? {
        return Ok(value);
    }
    let line = line(context, p)?;
    let part = |bounds: &str| line.intersect(&Set::parse(line.ctx(), bounds)?);
    let below = part(&format!("{{ [x] : 0 < x <= {value} }}"))?;
    let above = part(&format!("{{ [x] : x >= {value} }}"))?;
    let nearest = match below.is_empty()? {
        false => below.dim_ends(0)?.1,
        true => above.dim_ends(0)?.0,
    };
    Ok(nearest.unwrap_or(value))
}

/// Conditions of one bit, and the value with which most is done: a nest is not judged by the case in which it does nothing, as where its
/// rows are known to be none.
fn flags(scop: &Scop) -> poly::Result<BTreeMap<usize, i64>> {
    let mut found = BTreeMap::new();
    let bits = scop.params.iter().enumerate();
    for (p, param) in bits.filter(|(_, p)| p.expr.width == 1 && p.expr.as_constant().is_none()) {
        let done = |value: i64| -> poly::Result<usize> {
            let mut done = 0;
            for s in &scop.stmts {
                let runs = !s
                    .domain
                    .find_dim_by_name(DimType::Param, &param.name)
                    .map_or_else(
                        || Ok(s.domain.clone()),
                        |at| s.domain.fix_si(DimType::Param, at, value),
                    )?
                    .is_empty()?;
                done += if runs { s.depth() } else { 0 };
            }
            Ok(done)
        };
        let (set, clear) = (done(-1)?, done(0)?);
        if set != clear {
            found.insert(p, if set > clear { -1 } else { 0 });
        }
    }
    Ok(found)
}

/// The range of a parameter that stands beside no other one; `None` if it does.
fn own_range(facts: &[Constraint], p: usize) -> poly::Result<Option<Ends>> {
    let (mut least, mut greatest) = (None, None);
    for fact in facts {
        let factor = fact.coefficient(DimType::Param, p)?;
        if factor == 0 {
            continue;
        }
        for other in 0..fact.dim(DimType::Param) {
            if other != p && fact.coefficient(DimType::Param, other)? != 0 {
                return Ok(None);
            }
        }
        let Some(bound) = fact.constant_val()?.as_i64() else {
            return Ok(None);
        };
        if factor > 0 || fact.is_equality() {
            let at_least = -bound.div_euclid(factor);
            least = least.max(Some(at_least));
        }
        if factor < 0 || fact.is_equality() {
            let at_most = -bound.div_euclid(factor);
            greatest = Some(greatest.map_or(at_most, |g: i64| g.min(at_most)));
        }
    }
    Ok(Some((least, greatest)))
}

/// A value near this one in a range that no other parameter decides.
fn alone((least, greatest): Ends, size: i64) -> i64 {
    let least = least.unwrap_or(i64::MIN);
    size.min(greatest.unwrap_or(i64::MAX)).max(least)
}

/// The ends of ranges from below and from above that are as good as the wanted value itself. Near its end a loop would not run, or take an iteration
/// or two: `for i = lo ..= hi + 1` has two where both are the same.
fn near_ends(size: i64, shortens: bool, any_shortens: bool) -> (i64, i64) {
    let some = size / 2;
    (
        size + if shortens { some } else { 0 },
        size - if any_shortens { some } else { 0 },
    )
}

/// The same in a range that the values of others have left, and that may end below or begin above what is wanted.
fn beside_others((least, greatest): Ends, size: i64, (below, above): (i64, i64)) -> i64 {
    match (least, greatest) {
        (least, Some(greatest)) if (0..below).contains(&greatest) => {
            let least = least.unwrap_or(0).max(0);
            least + (greatest - least) / 2
        }
        (Some(least), greatest) if least > above => {
            let further = least.saturating_add(size);
            further.min(greatest.unwrap_or(i64::MAX))
        }
        ends => alone(ends, size),
    }
}

/// The least value of a parameter, or one that is by a size greater where the least one would leave next to nothing of another one: of the columns of an image
/// that are as many as those of the window over it.
fn with_room(
    context: &Set,
    (p, least): (usize, i64),
    size: i64,
    (_, greatest): Ends,
) -> poly::Result<i64> {
    let more = least.saturating_add(size).min(greatest.unwrap_or(i64::MAX));
    let at = |value| context.fix_si(DimType::Param, p, value);
    let (tight, wide) = (at(least)?, at(more)?);
    for other in p + 1..context.dim(DimType::Param) {
        if range(&tight, other)?.1.is_some_and(|g| g < size / 8)
            && range(&wide, other)?.1.is_none_or(|g| g >= size / 2)
        {
            return Ok(more);
        }
    }
    Ok(least)
}

/// A parameter in an upper bound of a loop.
struct UpperBound {
    param: usize,
    factor: i64,
    /// By how much the fastest of the iterators that it bounds counts.
    step: i64,
}

/// All of them.
fn upper_bounds(scop: &Scop) -> poly::Result<Vec<UpperBound>> {
    let mut found = vec![];
    for s in &scop.stmts {
        for part in s.domain.basic_sets()? {
            let named = part.to_set()?;
            for c in part.constraints()? {
                if !upper_bound_of(&c, s)? {
                    continue;
                }
                let taken = iterators(s, &c, DimType::Set)?;
                let steps = taken.iter().map(|c| c.abs()).filter(|c| *c > 0);
                let step = steps.min().unwrap_or(1);
                for (param, factor) in parameters(scop, &c, &named)? {
                    found.push(UpperBound {
                        param,
                        factor,
                        step,
                    });
                }
            }
        }
    }
    Ok(found)
}

/// The parameters that make loops shorter: the first of several rows, the width of a window.
fn shortening(bounds: &[UpperBound]) -> BTreeSet<usize> {
    let shorter = bounds.iter().filter(|b| b.factor < 0);
    shorter.map(|b| b.param).collect()
}

/// How many of each parameter make one iteration: 1, or where it ends loops only after a division, as the length of a flat array of rows
/// does (`24*i + 24 <= length`), the least divisor. A thousand elements would be a loop over forty rows.
fn units(bounds: &[UpperBound], params: usize) -> Vec<i64> {
    let of = |p: usize| {
        let own = bounds.iter().filter(|b| b.param == p);
        own.map(|b| (b.step / b.factor.abs()).max(1)).min()
    };
    (0..params).map(|p| of(p).unwrap_or(1)).collect()
}

/// Whether a constraint of a statement's domain bounds an iterator from above, and nothing from below.
fn upper_bound_of(c: &Constraint, s: &Stmt) -> poly::Result<bool> {
    let all = iterators(s, c, DimType::Set)?;
    Ok(!c.is_equality() && all.iter().any(|c| *c < 0) && all.iter().all(|c| *c <= 0))
}

/// The factors of a statement's iterators.
fn iterators(s: &Stmt, c: &Constraint, ty: DimType) -> poly::Result<Vec<i64>> {
    (0..s.depth()).map(|i| c.coefficient(ty, i)).collect()
}

/// The parameters in a constraint, by their places in the SCoP, and their factors. `named`: a set with the constraint's parameters.
fn parameters(scop: &Scop, c: &Constraint, named: &Set) -> poly::Result<Vec<(usize, i64)>> {
    let mut found = vec![];
    for (p, param) in scop.params.iter().enumerate() {
        if let Some(at) = named.find_dim_by_name(DimType::Param, &param.name) {
            found.push((p, c.coefficient(DimType::Param, at)?));
        }
    }
    found.retain(|(_, factor)| *factor != 0);
    Ok(found)
}

/// The values of a parameter.
fn line(context: &Set, p: usize) -> poly::Result<Set> {
    let line = Set::from_params(context)?.move_dims(DimType::Set, 0, DimType::Param, p, 1)?;
    line.project_out_all_params()
}

/// The least and greatest value of a parameter.
fn range(context: &Set, p: usize) -> poly::Result<Ends> {
    // Nothing is projected out: an end is one integer program, a line one elimination for each of the other parameters.
    let all = context.dim(DimType::Param);
    Set::from_params(context)?
        .move_dims(DimType::Set, 0, DimType::Param, 0, all)?
        .dim_ends(p)
}

/// The set for these values of the parameters.
pub fn at_values(set: &Set, values: &[i64]) -> poly::Result<Set> {
    let mut set = set.clone();
    for (p, v) in values.iter().enumerate() {
        set = set.fix_si(DimType::Param, p, *v)?;
    }
    Ok(set)
}

/// How many values a row has over instances without parameters; `None` if there are none or no bound.
pub fn extent(instances: &UnionSet, row: &UnionPwAff) -> poly::Result<Option<i64>> {
    let row = row.intersect_domain(&instances.universe_of()?)?;
    let values = instances.apply(&UnionMap::from_union_pw_aff(&row)?)?;
    if values.is_empty()? {
        return Ok(None);
    }
    let values = values.as_set()?;
    let (least, greatest) = values.dim_ends(0)?;
    Ok(least.zip(greatest).map(|(least, most)| most - least + 1))
}

#[cfg(test)]
mod tests;
