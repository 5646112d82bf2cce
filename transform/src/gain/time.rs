//! How long the innermost loops of a schedule take, against those of the original: [`compared`].
//!
//! What no tile, register tile or set of lanes of ours is around, runs as LLVM compiles it. An innermost loop then takes
//!
//! ```text
//! carries no dependence:   operations / lanes / 4, and a cycle for each access that does not follow memory
//! carries one:             operations / 4, or the latency of the chain, if that is longer
//! ```
//!
//! cycles per iteration, in the original as in the new program. That tells programs that gain by threads alone from those
//! that gain on one thread, and from those that lose what the original hides:
//!
//! ```text
//! for i: { a[i] += b[i] * c[i];  e[i] = e[i-1] * e[i-1] / 2;  a[i] -= b[i] * c[i] }
//! ```
//!
//! Each step waits eight cycles for the one before, in which the rest is done as well. Loops of its own for the rest, in
//! lanes and on all threads, come on top of the chain.
//!
//! The estimate has no opinion on programs with tiles that save traffic, and on loops that share what they did not share
//! before.

use crate::cost::{self, latency};
use crate::guard::saves_nothing;
use crate::live::{Live, statements};
use crate::simd::{inverse_columns, linear_part, moves_along};
use crate::target::Target;
use crate::work;
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::{Place as Location, Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Distribution, LoopKind, Schedule, Tree, original};

/// Units of work ([`work::weight`]) in a cycle, of one lane.
const PER_CYCLE: f64 = 4.0;

/// Cycles of an access that does not follow memory along a loop in lanes.
const APART: f64 = 0.9;

/// What two threads bring where iterations are dealt, and where tiles wait for others.
const TWO_THREADS: (f64, f64) = (1.9, 1.2);

/// The new program's share of the original's time from which on it is no gain.
const GAIN: f64 = 0.9;

/// A program beside the original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// Faster, or nothing can be said.
    Faster,
    /// Not faster on one thread.
    ByThreads,
    /// Not faster on two threads either.
    Never,
}

/// A schedule beside the original.
pub fn compared(
    scop: &Scop,
    deps: &Dependences,
    schedule: &Schedule,
    target: &Target,
) -> poly::Result<Compared> {
    let walk = Walk {
        scop,
        target,
        typical: cost::typical(scop)?,
    };
    let top = |s: &Schedule| -> poly::Result<Place> {
        Ok(Place {
            domain: s.domain.clone(),
            live: Live::at_root(deps)?.ordered(),
            outer: vec![],
            threads: 1.0,
        })
    };
    let before = original(scop)?;
    if walk.shares_more(&schedule.root, &schedule.domain, 0)? {
        return Ok(Compared::Faster);
    }
    let Some(new) = walk.tree(&schedule.root, &top(schedule)?)? else {
        return Ok(Compared::Faster);
    };
    let Some(old) = walk.tree(&before.root, &top(&before)?)? else {
        return Ok(Compared::Faster);
    };
    log::debug!("estimated cycles: {old:?}, new {new:?}");
    Ok(match () {
        () if new.one < GAIN * old.one => Compared::Faster,
        () if new.two < GAIN * old.one => Compared::ByThreads,
        () => Compared::Never,
    })
}

/// Cycles on one thread, and on two.
#[derive(Clone, Copy, Default, Debug)]
struct Time {
    one: f64,
    two: f64,
}

/// A node on the way down.
#[derive(Clone)]
struct Place {
    domain: UnionSet,
    live: Live,
    outer: Vec<MultiUnionPwAff>,
    /// How many times as fast loops here run on two threads.
    threads: f64,
}

impl Place {
    fn time(&self, cycles: f64) -> Time {
        Time {
            one: cycles,
            two: cycles / self.threads,
        }
    }
}

struct Walk<'a> {
    scop: &'a Scop,
    target: &'a Target,
    typical: Vec<i64>,
}

impl Walk<'_> {
    /// `None`: no opinion.
    fn tree(&self, tree: &Tree, place: &Place) -> poly::Result<Option<Time>> {
        match tree {
            Tree::Leaf => {
                let mut total = 0.0;
                for id in statements(self.scop, &place.domain)? {
                    let one = work::weight(self.scop.stmt(id)) as f64 / PER_CYCLE;
                    let Some(count) = self.count(id, &place.domain)? else {
                        return Ok(None);
                    };
                    total += one * count;
                }
                Ok(Some(place.time(total)))
            }
            Tree::Mark(..) => Ok(None),
            Tree::Sequence(list) | Tree::Set(list) => {
                let mut sum = Time::default();
                for b in list {
                    let domain = place.domain.intersect(&b.filter)?;
                    let inside = Place {
                        live: place.live.inside(&domain)?,
                        domain,
                        ..place.clone()
                    };
                    let Some(part) = self.tree(&b.child, &inside)? else {
                        return Ok(None);
                    };
                    sum.one += part.one;
                    sum.two += part.two;
                }
                Ok(Some(sum))
            }
            Tree::Band(band) => self.band(band, place),
        }
    }

    fn band(&self, band: &Band, place: &Place) -> poly::Result<Option<Time>> {
        let mut place = place.clone();
        for kind in &band.loops {
            match kind {
                LoopKind::Sequential | LoopKind::Vector => {}
                LoopKind::Parallel(Distribution::Pipelined) => place.threads = TWO_THREADS.1,
                LoopKind::Parallel(_) => place.threads = TWO_THREADS.0,
                _ => return Ok(None),
            }
        }
        if let Some(tile) = &band.tile {
            if !tile.wavefront.is_empty() {
                place.threads = TWO_THREADS.1;
            }
            let (scop, typical) = (self.scop, &self.typical);
            return match saves_nothing(scop, self.target, typical, band, &place.domain)? {
                true => self.tree(&band.child, &place),
                false => Ok(None),
            };
        }
        if !band.child.has_bands() {
            return self.innermost(band, &place);
        }
        for row in band.schedule.union_pw_affs()? {
            place.live = place.live.tied(&row)?;
        }
        place.outer.push(band.schedule.clone());
        self.tree(&band.child, &place)
    }

    /// The innermost loop of a band, with all around it.
    fn innermost(&self, band: &Band, place: &Place) -> poly::Result<Option<Time>> {
        let mut rows: Vec<UnionPwAff> = vec![];
        for r in place.outer.iter().chain([&band.schedule]) {
            rows.extend(r.union_pw_affs()?);
        }
        let mut live = place.live.clone();
        let Some((last, outer)) = rows.split_last() else {
            return Ok(None);
        };
        for row in outer {
            live = live.tied(row)?;
        }
        let free = live.coincident(last)?;
        let (mut operations, mut chain) = (0.0, 0.0f64);
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            let Some(count) = self.count(id, &place.domain)? else {
                return Ok(None);
            };
            let one = match free {
                true => self.in_lanes(stmt, &rows)?,
                false => Some(work::weight(stmt) as f64 / PER_CYCLE),
            };
            let Some(one) = one else { return Ok(None) };
            operations += count * one;
            if !free {
                chain = chain.max(count * latency(stmt, &rows)? as f64);
            }
        }
        Ok(Some(place.time(operations.max(chain))))
    }

    /// Cycles of an instance in a loop that carries no dependence; `None`: it is not known how accesses move along it.
    fn in_lanes(&self, stmt: &Stmt, rows: &[UnionPwAff]) -> poly::Result<Option<f64>> {
        let weight = work::weight(stmt) as f64;
        let mut linear = vec![];
        for row in rows {
            linear.extend(linear_part(row, stmt)?);
        }
        let step = inverse_columns(&linear, stmt.depth()).and_then(|mut c| c.pop().flatten());
        let Some(step) = step.filter(|_| linear.len() == rows.len()) else {
            return Ok(None);
        };
        let (mut apart, mut element) = (0.0, 1);
        for a in stmt.accesses.iter().filter(|a| a.place != Location::Scalar) {
            element = element.max(a.ty.bytes());
            let unit = i128::from(a.ty.bytes());
            match moves_along(self.scop, a, &step)? {
                Stride::Zero => {}
                Stride::Const(s) if s.abs() == unit => {}
                Stride::Irregular => return Ok(None),
                Stride::Const(_) | Stride::Symbolic(_) => apart += 1.0,
            }
        }
        let lanes = self.target.lanes(element) as f64;
        Ok(Some((weight - apart) / lanes / PER_CYCLE + APART * apart))
    }

    /// Instances of a statement for typical parameters.
    fn count(&self, id: StmtId, domain: &UnionSet) -> poly::Result<Option<f64>> {
        let here = domain.extract_set(&self.scop.stmt(id).domain.space()?)?;
        let count = super::count(self.scop, &here, &self.typical)?;
        Ok(count.map(|c| c as f64))
    }

    /// Whether some statements share more loops than in the original, `depth` of them around this tree.
    fn shares_more(&self, tree: &Tree, domain: &UnionSet, depth: usize) -> poly::Result<bool> {
        match tree {
            Tree::Leaf => Ok(false),
            Tree::Mark(_, child) => self.shares_more(child, domain, depth),
            Tree::Sequence(list) | Tree::Set(list) => {
                for b in list {
                    if self.shares_more(&b.child, &domain.intersect(&b.filter)?, depth)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Tree::Band(band) => {
                let depth = match &band.tile {
                    Some(_) => depth,
                    None => depth + band.schedule.size(),
                };
                let ids = statements(self.scop, domain)?;
                let beta = |s: &StmtId| &self.scop.stmt(*s).beta;
                let common = |s: &StmtId, t: &StmtId| {
                    let both = beta(s).iter().zip(beta(t));
                    both.take_while(|(a, b)| a == b).count()
                };
                let apart = |s: &StmtId| {
                    let deep = depth.min(self.scop.stmt(*s).depth());
                    ids.iter()
                        .any(|t| common(s, t) < deep.min(self.scop.stmt(*t).depth()))
                };
                match ids.iter().any(apart) {
                    true => Ok(true),
                    false => self.shares_more(&band.child, domain, depth),
                }
            }
        }
    }
}
